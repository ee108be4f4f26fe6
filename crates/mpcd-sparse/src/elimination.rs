//! Elimination without subtraction, for Laplacians whose conductances span more decades than a factorisation can tell apart: all that is kept are
//! conductances between nodes and to what is held, and all of them only grow (Grassmann, Taksar and Heyman 1985). So each has the digits of a number,
//! whatever its neighbours are. Slower than [`Cholesky`](crate::Cholesky), and only for matrices without a positive entry off the diagonal.

use std::collections::BTreeMap;

use crate::ordering::minimum_degree;
use crate::symmetric::SymmetricMatrix;

/// A Laplacian as eliminated.
#[derive(Debug)]
pub(crate) struct Elimination {
    /// The nodes in the order of elimination.
    steps: Vec<Step>,
}

/// One node.
#[derive(Debug)]
struct Step {
    node: usize,
    /// Conductances to the nodes that were left then.
    row: Vec<(usize, f64)>,
    /// Their sum with that to what is held.
    total: f64,
}

impl Elimination {
    /// Eliminates; `None` where an entry off the diagonal is positive, where a row adds up to less than 0, or where nothing holds a node.
    pub(crate) fn of(matrix: &SymmetricMatrix) -> Option<Self> {
        let n = matrix.size();
        let mut ground = matrix.row_sums().to_vec();
        let mut rows = vec![BTreeMap::new(); n];
        let mut neighbours = vec![Vec::new(); n];
        for (i, j, value) in matrix.off_diagonal() {
            if value > 0.0 {
                return None;
            }
            if value < 0.0 {
                rows[i].insert(j, -value);
                rows[j].insert(i, -value);
                neighbours[i].push(j);
                neighbours[j].push(i);
            }
        }
        if ground.iter().any(|g| *g < 0.0) {
            return None;
        }
        let mut steps = Vec::with_capacity(n);
        for node in minimum_degree(&neighbours) {
            let row: Vec<(usize, f64)> = std::mem::take(&mut rows[node]).into_iter().collect();
            let total = ground[node] + row.iter().map(|(_, g)| g).sum::<f64>();
            if !(total > 0.0 && total.is_finite()) {
                return None;
            }
            for (place, &(j, g)) in row.iter().enumerate() {
                let part = g / total;
                ground[j] += part * ground[node];
                rows[j].remove(&node);
                for &(k, other) in &row[place + 1..] {
                    *rows[j].entry(k).or_insert(0.0) += part * other;
                    *rows[k].entry(j).or_insert(0.0) += part * other;
                }
            }
            steps.push(Step { node, row, total });
        }
        Some(Self { steps })
    }

    /// Solves with the right-hand side in `x`.
    pub(crate) fn solve_in_place(&self, x: &mut [f64]) {
        for Step { node, row, total } in &self.steps {
            let own = x[*node];
            row.iter().for_each(|(j, g)| x[*j] += g / total * own);
        }
        for Step { node, row, total } in self.steps.iter().rev() {
            x[*node] = x[*node] / total + row.iter().map(|(j, g)| g / total * x[*j]).sum::<f64>();
        }
    }
}
