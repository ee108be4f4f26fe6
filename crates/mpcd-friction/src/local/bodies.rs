//! The factor form of the Delassus operator, `W = Hᵀ M⁻¹ H`, by nodes: what lets a Newton system be eliminated to the
//! size of M instead of the number of contacts.

use super::block::Block;
use super::global::GlobalProblem;
use super::mass::MassGroups;

/// Groups of unknowns up to this size are one node; larger ones (deformable bodies) have a node per unknown.
const NODE: usize = 12;

/// The rows of H of one contact on one node, `size × D`, row by row.
#[derive(Debug, Clone)]
pub struct Lever<const D: usize> {
    /// The node.
    pub node: usize,
    /// The rows, one per unknown of the node.
    pub rows: Vec<[f64; D]>,
}

/// M and H by nodes, only nodes that some contact reaches through M.
#[derive(Debug, Clone)]
pub struct BodyForm<const D: usize> {
    /// Unknowns per node.
    pub sizes: Vec<usize>,
    /// Blocks of M `(row node, column node, values row by row)`.
    pub mass: Vec<(usize, usize, Vec<f64>)>,
    /// Per contact, its levers.
    pub levers: Vec<Vec<Lever<D>>>,
    /// A node that most contacts reach (the moving cell): eliminated last, so that it couples nothing before.
    pub shared: Option<usize>,
}

impl<const D: usize> BodyForm<D> {
    /// From a global problem; `None` where M or H has no entries.
    pub(super) fn new(global: &GlobalProblem<D>) -> Option<Self> {
        let rows = global.transfer.to_csr();
        let groups = MassGroups::new(&global.mass);
        let mut node_of = vec![usize::MAX; global.unknowns()];
        let mut place = vec![0; global.unknowns()];
        let mut sizes = Vec::new();
        for group in groups.iter() {
            let touched = group.iter().any(|&i| rows.outer_view(i).is_some_and(|r| r.nnz() > 0));
            if !touched {
                continue;
            }
            for (k, &unknown) in group.iter().enumerate() {
                if k == 0 || group.len() > NODE {
                    sizes.push(0);
                }
                let node = sizes.len() - 1;
                node_of[unknown] = node;
                place[unknown] = sizes[node];
                sizes[node] += 1;
            }
        }
        if sizes.is_empty() {
            return None;
        }
        let mut list: Vec<(usize, usize, usize, usize, f64)> = Vec::new();
        for (value, (row, column)) in &global.mass {
            if node_of[row] != usize::MAX && node_of[column] != usize::MAX && *value != 0.0 {
                list.push((node_of[row], node_of[column], place[row], place[column], *value));
            }
        }
        list.sort_by_key(|e| (e.0, e.1));
        let mut mass: Vec<(usize, usize, Vec<f64>)> = Vec::new();
        for (row, column, i, j, value) in list {
            if mass.last().is_none_or(|m| (m.0, m.1) != (row, column)) {
                mass.push((row, column, vec![0.0; sizes[row] * sizes[column]]));
            }
            if let Some(block) = mass.last_mut() {
                block.2[i * sizes[column] + j] += value;
            }
        }
        let mut levers: Vec<Vec<Lever<D>>> = vec![Vec::new(); global.contacts()];
        for (value, (row, column)) in &global.transfer {
            let (contact, node) = (column / D, node_of[row]);
            let list = &mut levers[contact];
            let at = list.iter().position(|l| l.node == node).unwrap_or_else(|| {
                list.push(Lever { node, rows: vec![[0.0; D]; sizes[node]] });
                list.len() - 1
            });
            list[at].rows[place[row]][column % D] += value;
        }
        for list in &mut levers {
            list.sort_by_key(|l| l.node);
        }
        Some(Self { sizes, mass, levers, shared: None })
    }

    /// The part on some contacts: unreached nodes are dropped.
    pub(super) fn restrict(&self, contacts: &[usize]) -> Self {
        let mut keep = vec![false; self.sizes.len()];
        for &c in contacts {
            for lever in &self.levers[c] {
                keep[lever.node] = true;
            }
        }
        // nodes coupled by M stay together
        let mut changed = true;
        while changed {
            changed = false;
            for (row, column, _) in &self.mass {
                if keep[*row] != keep[*column] {
                    keep[*row] = true;
                    keep[*column] = true;
                    changed = true;
                }
            }
        }
        let mut new = vec![usize::MAX; self.sizes.len()];
        let mut sizes = Vec::new();
        for (node, &size) in self.sizes.iter().enumerate() {
            if keep[node] {
                new[node] = sizes.len();
                sizes.push(size);
            }
        }
        let mass = self.mass.iter().filter(|m| keep[m.0]).map(|m| (new[m.0], new[m.1], m.2.clone())).collect();
        let lever = |l: &Lever<D>| Lever { node: new[l.node], rows: l.rows.clone() };
        let levers = contacts.iter().map(|&c| self.levers[c].iter().map(lever).collect()).collect();
        let shared = self.shared.filter(|&node| keep[node]).map(|node| new[node]);
        Self { sizes, mass, levers, shared }
    }

    /// Nodes that share a block of `M + H G Hᵀ` with each node, itself included, ascending.
    pub(super) fn neighbours(&self) -> Vec<Vec<usize>> {
        let mut neighbours: Vec<Vec<usize>> = (0..self.sizes.len()).map(|i| vec![i]).collect();
        for (row, column, _) in &self.mass {
            neighbours[*row].push(*column);
            neighbours[*column].push(*row);
        }
        for list in &self.levers {
            for a in list {
                for b in list {
                    neighbours[a.node].push(b.node);
                }
            }
        }
        for list in &mut neighbours {
            list.sort_unstable();
            list.dedup();
        }
        neighbours
    }
}

/// `H_a G`, row by row, into `left`.
pub(super) fn lever_times_block<const D: usize>(a: &Lever<D>, g: &Block<D>, left: &mut Vec<[f64; D]>) {
    left.clear();
    left.extend(a.rows.iter().map(|row| {
        let mut value = [0.0; D];
        for k in 0..D {
            for j in 0..D {
                value[j] += row[k] * g[k][j];
            }
        }
        value
    }));
}

/// The block `(H_a G) H_bᵀ`, row by row, added to `target`.
pub(super) fn add_lever_product<const D: usize>(target: &mut [f64], left: &[[f64; D]], b: &Lever<D>) {
    for (values, row) in target.chunks_exact_mut(b.rows.len()).zip(left) {
        for (value, other) in values.iter_mut().zip(&b.rows) {
            *value += (0..D).map(|k| row[k] * other[k]).sum::<f64>();
        }
    }
}
