//! Fill-reducing orderings of a symmetric pattern: nested dissection (feral-metis) of its graph, or of the graph of its
//! blocks when each node has several unknowns. Ordering is worth more than the factorisation engine.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::SymbolicSparseColMatRef;
use faer::sparse::linalg::amd;
use feral_metis::{CscPattern, metis_order};

use crate::columns::Columns;
use crate::error::SparseError;
use crate::symmetric::SymmetricPattern;

/// How the unknowns of a factorisation are ordered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ordering {
    /// Minimum degree; where that fills much, nested dissection too, and the better of the two is kept.
    #[default]
    Automatic,
    /// Approximate minimum degree.
    MinimumDegree,
    /// Nested dissection of the graph whose nodes have `block` consecutive unknowns each (1: of the matrix itself).
    NestedDissection {
        /// Unknowns per node, at least 1.
        block: usize,
    },
}

/// The order of nested dissection (position → unknown).
pub(crate) fn dissect(pattern: &SymmetricPattern, block: usize) -> Result<Vec<usize>, SparseError> {
    let size = pattern.size();
    if block == 0 || !size.is_multiple_of(block) {
        return Err(SparseError::Block { block, size });
    }
    let too_large = || pattern.columns().too_large();
    let nodes = size / block;
    let (starts, neighbours) = node_graph(pattern, block).ok_or_else(too_large)?;
    let graph = CscPattern::new(nodes, &starts, &neighbours).ok_or_else(too_large)?;
    let order = metis_order(&graph).map_err(|_| too_large())?;
    // feral-metis numbers nodes from 0 and gives each once
    Ok(order.into_iter().flat_map(|node| (0..block).map(move |k| node as usize * block + k)).collect())
}

/// Neighbours of each node, rising, without itself; `None` when 32-bit indices are too short.
fn node_graph(pattern: &SymmetricPattern, block: usize) -> Option<(Vec<i32>, Vec<i32>)> {
    let mut links: Vec<(i32, i32)> = Vec::with_capacity(2 * pattern.stored());
    i32::try_from(2 * pattern.stored()).ok()?;
    let Columns { starts, rows } = pattern.columns();
    for column in 0..pattern.size() {
        for &row in &rows[starts[column] + 1..starts[column + 1]] {
            let (i, j) = ((row / block) as i32, (column / block) as i32);
            if i != j {
                links.extend([(i, j), (j, i)]);
            }
        }
    }
    links.sort_unstable();
    links.dedup();
    let nodes = pattern.size() / block;
    let mut starts = vec![0; nodes + 1];
    for &(i, _) in &links {
        starts[i as usize + 1] += 1;
    }
    for i in 0..nodes {
        starts[i + 1] += starts[i];
    }
    Some((starts, links.into_iter().map(|(_, j)| j).collect()))
}

/// The order (position → node) of approximate minimum degree in a graph: each node with its neighbours, both directions given, itself not
/// needed.
pub fn minimum_degree(neighbours: &[Vec<usize>]) -> Vec<usize> {
    let n = neighbours.len();
    let natural: Vec<usize> = (0..n).collect();
    if n < 3 {
        return natural;
    }
    let mut starts = vec![0; n + 1];
    let mut rows = Vec::new();
    for (i, list) in neighbours.iter().enumerate() {
        let mut list: Vec<usize> = list.iter().copied().filter(|&j| j != i).collect();
        list.sort_unstable();
        list.dedup();
        rows.extend(list);
        starts[i + 1] = rows.len();
    }
    let pattern = SymbolicSparseColMatRef::new_checked(n, n, &starts, None, &rows);
    let mut forward = vec![0; n];
    let mut inverse = vec![0; n];
    let Ok(mut memory) = MemBuffer::try_new(amd::order_maybe_unsorted_scratch::<usize>(n, rows.len())) else {
        return natural;
    };
    match amd::order_maybe_unsorted(&mut forward, &mut inverse, pattern, Default::default(), MemStack::new(&mut memory)) {
        Ok(_) => forward,
        Err(_) => natural,
    }
}

/// The order (position → node) of nested dissection in a graph given as for [`minimum_degree`]; `None` where its indices do not fit 32 bits.
pub fn nested_dissection(neighbours: &[Vec<usize>]) -> Option<Vec<usize>> {
    let mut starts = vec![0];
    let mut links: Vec<i32> = Vec::new();
    for (node, list) in neighbours.iter().enumerate() {
        let from = links.len();
        for &other in list.iter().filter(|other| **other != node) {
            links.push(i32::try_from(other).ok()?);
        }
        links[from..].sort_unstable();
        let mut kept = from;
        for k in from..links.len() {
            if k == from || links[k] != links[kept - 1] {
                links[kept] = links[k];
                kept += 1;
            }
        }
        links.truncate(kept);
        starts.push(i32::try_from(kept).ok()?);
    }
    let graph = CscPattern::new(neighbours.len(), &starts, &links)?;
    let order = metis_order(&graph).ok()?;
    Some(order.into_iter().map(|node| node as usize).collect())
}
