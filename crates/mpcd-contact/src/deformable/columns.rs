//! What impulses on nodes of a boundary do to the velocities of others: columns of M̃⁻¹, solved for as nodes come into contact, and kept as long as
//! the factorisation is. Nodes are taken in fixed groups, so that a column is the same whatever else is asked for.

use std::collections::BTreeMap;

use mpcd_core::Mat3;
use mpcd_fem::{Body, FemError};

/// Nodes of the boundary that are solved for together, or not at all: as many columns as the factorisation takes at once, or a whole number of times
/// as many.
const GROUP: usize = 16;
/// Groups whose columns are held whole at a time, one beside the other on several threads.
const BATCH: usize = 4;

/// Columns of M̃⁻¹ on a boundary.
#[derive(Debug, Default)]
pub(super) struct Columns {
    /// Nodes of the boundary, rising.
    nodes: Vec<usize>,
    /// Place of each node of the mesh among them.
    place: Vec<u32>,
    /// Unknowns of the boundary.
    rows: Vec<usize>,
    dimension: usize,
    /// By group: the columns of its unknowns, one after another.
    groups: BTreeMap<usize, Vec<f64>>,
    /// Factorisation that they belong to.
    of: u64,
}

impl Columns {
    #[allow(clippy::cast_possible_truncation, reason = "a mesh has fewer than 2³² nodes")]
    pub(super) fn new(nodes: Vec<usize>, all: usize, dimension: usize) -> Self {
        let mut place = vec![u32::MAX; all];
        (0..).zip(&nodes).for_each(|(k, n)| place[*n] = k);
        let rows = nodes.iter().flat_map(|n| (0..dimension).map(move |i| n * dimension + i)).collect();
        Self { nodes, place, rows, dimension, groups: BTreeMap::new(), of: 0 }
    }

    /// Forgets everything that was solved for.
    pub(super) fn forget(&mut self) {
        self.groups.clear();
    }

    /// Has the columns of these nodes.
    ///
    /// # Errors
    /// As [`Body::columns`].
    pub(super) fn ask(&mut self, body: &mut Body, nodes: impl Iterator<Item = usize>) -> Result<(), FemError> {
        if self.of != body.factorisations() {
            self.groups.clear();
            self.of = body.factorisations();
        }
        let mut missing: Vec<usize> = nodes.map(|node| self.place[node] as usize / GROUP).collect();
        missing.sort_unstable();
        missing.dedup();
        missing.retain(|group| !self.groups.contains_key(group));
        let d = self.dimension;
        for some in missing.chunks(BATCH) {
            let members = |group: usize| &self.nodes[group * GROUP..(group * GROUP + GROUP).min(self.nodes.len())];
            let wanted: Vec<usize> = some.iter().flat_map(|g| members(*g)).flat_map(|n| (0..d).map(move |i| n * d + i)).collect();
            let mut columns = body.columns(&wanted, &self.rows)?;
            for &group in some.iter().rev() {
                let own = columns.len() - members(group).len() * d * self.rows.len();
                self.groups.insert(group, columns.split_off(own));
            }
        }
        Ok(())
    }

    /// Velocity of node `to` by a unit impulse on node `from`, both asked for (1/kg). That of the later node is taken both ways, so that the whole
    /// is symmetric to the last bit.
    pub(super) fn block(&self, to: usize, from: usize) -> Mat3 {
        if to > from { self.column(from, to).transpose() } else { self.column(to, from) }
    }

    fn column(&self, to: usize, from: usize) -> Mat3 {
        let (row, place, d) = (self.place[to] as usize, self.place[from] as usize, self.dimension);
        let Some(columns) = self.groups.get(&(place / GROUP)) else { return Mat3::zeros() };
        let mut out = Mat3::zeros();
        for j in 0..d {
            let column = &columns[((place % GROUP) * d + j) * self.rows.len()..];
            for i in 0..d {
                out[(i, j)] = column[row * d + i];
            }
        }
        if to == from { 0.5 * (out + out.transpose()) } else { out }
    }
}
