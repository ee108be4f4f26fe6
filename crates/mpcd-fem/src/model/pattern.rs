//! Where the entries of an element's matrix go in the matrices of the body: found once, kept. No values.

use std::sync::{Arc, OnceLock};

use mpcd_sparse::{GeneralMatrix, GeneralPattern, SparseError, SymmetricMatrix, SymmetricPattern};

use crate::mesh::{Mesh, NodePairs};

/// Unknown i of node a is `a · dimension + i`. Blocks of pairs of nodes are numbered; each has its entries in a row.
#[derive(Debug)]
pub(crate) struct Pattern {
    dimension: usize,
    nodes: usize,
    pairs: NodePairs,
    symmetric: Arc<SymmetricPattern>,
    general: OnceLock<Arc<GeneralPattern>>,
}

impl Pattern {
    pub(crate) fn new(mesh: &Mesh) -> Result<Self, SparseError> {
        let (dimension, nodes) = (mesh.dimension(), mesh.nodes().len());
        let pairs = NodePairs::new(mesh);
        let d = dimension;
        let between = pairs.all.iter().flat_map(|&(a, b)| (0..d * d).map(move |k| (a * d + k / d, b * d + k % d)));
        let inside = (0..nodes).flat_map(|a| upper(d).map(move |(i, j)| (a * d + i, a * d + j)));
        let edges: Vec<(usize, usize)> = between.chain(inside).collect();
        let symmetric = SymmetricPattern::from_edges(nodes * d, &edges)?;
        Ok(Self { dimension, nodes, pairs, symmetric, general: OnceLock::new() })
    }

    pub(crate) fn symmetric(&self) -> &Arc<SymmetricPattern> {
        &self.symmetric
    }

    /// The pattern of matrices that are not symmetric, made at the first call.
    pub(crate) fn general(&self) -> Result<&Arc<GeneralPattern>, SparseError> {
        if let Some(pattern) = self.general.get() {
            return Ok(pattern);
        }
        let d = self.dimension;
        let block = |a: usize, b: usize| (0..d * d).map(move |k| (a * d + k / d, b * d + k % d));
        let between = self.pairs.all.iter().flat_map(|&(a, b)| block(a, b).chain(block(b, a)));
        let entries: Vec<(usize, usize)> = between.chain((0..self.nodes).flat_map(|a| block(a, a))).collect();
        let pattern = GeneralPattern::from_entries(self.nodes * d, &entries)?;
        Ok(self.general.get_or_init(|| pattern))
    }

    /// Adds an element's matrix (by rows), of which the upper triangle is looked at.
    pub(crate) fn add_symmetric(&self, matrix: &mut SymmetricMatrix, element: usize, nodes: &[usize], values: &[f64]) {
        let d = self.dimension;
        let n = nodes.len() * d;
        let inside = self.pairs.all.len() * d * d;
        let per_node = d * (d - 1) / 2;
        for (b, &nb) in nodes.iter().enumerate() {
            for (a, &na) in nodes[..b].iter().enumerate() {
                let first = self.pair(element, a, b) * d * d;
                for k in 0..d * d {
                    let (i, j) = if na < nb { (k / d, k % d) } else { (k % d, k / d) };
                    matrix.add(first + k, values[(a * d + i) * n + b * d + j]);
                }
            }
            for i in 0..d {
                matrix.add_diagonal(nb * d + i, values[(b * d + i) * n + b * d + i]);
            }
            for (k, (i, j)) in upper(d).enumerate() {
                matrix.add(inside + nb * per_node + k, values[(b * d + i) * n + b * d + j]);
            }
        }
    }

    /// Adds an element's matrix (by rows).
    pub(crate) fn add_general(&self, matrix: &mut GeneralMatrix, element: usize, nodes: &[usize], values: &[f64]) {
        let d = self.dimension;
        let n = nodes.len() * d;
        let inside = 2 * self.pairs.all.len() * d * d;
        for (b, &nb) in nodes.iter().enumerate() {
            for (a, &na) in nodes[..b].iter().enumerate() {
                let first = 2 * self.pair(element, a, b) * d * d;
                let (low, high) = if na < nb { (a, b) } else { (b, a) };
                for k in 0..d * d {
                    let (i, j) = (k / d, k % d);
                    matrix.add(first + k, values[(low * d + i) * n + high * d + j]);
                    matrix.add(first + d * d + k, values[(high * d + i) * n + low * d + j]);
                }
            }
            for k in 0..d * d {
                matrix.add(inside + nb * d * d + k, values[(b * d + k / d) * n + b * d + k % d]);
            }
        }
    }

    /// Number of the pair of local nodes a < b.
    fn pair(&self, element: usize, a: usize, b: usize) -> usize {
        self.pairs.of(element)[b * (b - 1) / 2 + a] as usize
    }
}

/// (i, j), i < j, below a size of 3.
fn upper(d: usize) -> impl Iterator<Item = (usize, usize)> {
    [(0, 1), (0, 2), (1, 2)].into_iter().filter(move |&(_, j)| j < d)
}
