//! Gauss–Seidel on nodes (Dubois–Renouf, "Resolution"): each node in turn takes the potential that balances its currents.
//! The source's step reads V_i = (I_i − Σ G_ij V_j)/G_ii, with the sign of an injected current.

/// The network by rows: for each node with an unknown potential, its neighbours and the conductances to them.
#[derive(Debug, Default)]
pub(crate) struct GaussSeidel {
    /// The unknown nodes, rising.
    nodes: Vec<usize>,
    /// 1/G_ii of each of them (Ω).
    inverse: Vec<f64>,
    /// Start of each of their rows, and the end of the last.
    starts: Vec<usize>,
    /// Neighbour and conductance (S).
    row: Vec<(usize, f64)>,
    /// Row number of a node.
    rank: Vec<usize>,
}

impl GaussSeidel {
    /// Reads conductances between pairs of different nodes; nodes with a known potential are not swept. A conductance may be below zero where
    /// all of them together are not: sweeps over a matrix without negative eigenvalues converge.
    pub(crate) fn fill(&mut self, pairs: &[((usize, usize), f64)], known: &[Option<f64>]) {
        const NONE: usize = usize::MAX;
        self.nodes.clear();
        self.nodes.extend((0..known.len()).filter(|&i| known[i].is_none()));
        self.rank.clear();
        self.rank.resize(known.len(), NONE);
        for (rank, &node) in self.nodes.iter().enumerate() {
            self.rank[node] = rank;
        }
        self.starts.clear();
        self.starts.resize(self.nodes.len() + 1, 0);
        let live = || pairs.iter().filter(|(_, conductance)| *conductance != 0.0);
        for &((i, j), _) in live() {
            for rank in [self.rank[i], self.rank[j]].into_iter().filter(|&r| r != NONE) {
                self.starts[rank + 1] += 1;
            }
        }
        for k in 0..self.nodes.len() {
            self.starts[k + 1] += self.starts[k];
        }
        self.row.clear();
        self.row.resize(self.starts[self.nodes.len()], (0, 0.0));
        self.inverse.clear();
        self.inverse.resize(self.nodes.len(), 0.0);
        // fill each row from its start, then move the starts back
        for &((i, j), conductance) in live() {
            for (from, to) in [(i, j), (j, i)] {
                let rank = self.rank[from];
                if rank != NONE {
                    self.row[self.starts[rank]] = (to, conductance);
                    self.starts[rank] += 1;
                    self.inverse[rank] += conductance;
                }
            }
        }
        self.starts.rotate_right(1);
        self.starts[0] = 0;
        self.inverse.iter_mut().for_each(|g| *g = 1.0 / *g);
    }

    /// One sweep over G x = b; x is 0 where potentials are known.
    pub(crate) fn sweep(&self, b: &[f64], x: &mut [f64]) {
        for (rank, &node) in self.nodes.iter().enumerate() {
            let row = &self.row[self.starts[rank]..self.starts[rank + 1]];
            let sum = row.iter().fold(b[node], |sum, &(j, conductance)| sum + conductance * x[j]);
            x[node] = sum * self.inverse[rank];
        }
    }
}
