//! Graphs and matrices that the tests share: grids, random graphs, their dense copies.

use std::sync::Arc;

use mpcd_sparse::{SymmetricMatrix, SymmetricPattern};
use nalgebra::DMatrix;

/// Small numbers that look random but are the same everywhere (splitmix64).
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
    /// In [0, 1).
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}

/// Edges of a grid of nx × ny × nz nodes.
pub(crate) fn grid(nx: usize, ny: usize, nz: usize) -> Vec<(usize, usize)> {
    let node = |x: usize, y: usize, z: usize| x + nx * (y + ny * z);
    let mut edges = Vec::new();
    for z in 0..nz {
        for y in 0..ny {
            for x in 0..nx {
                if x + 1 < nx {
                    edges.push((node(x, y, z), node(x + 1, y, z)));
                }
                if y + 1 < ny {
                    edges.push((node(x, y + 1, z), node(x, y, z)));
                }
                if z + 1 < nz {
                    edges.push((node(x, y, z), node(x, y, z + 1)));
                }
            }
        }
    }
    edges
}

/// A Laplacian with conductances over several decades and node 0 grounded through 1 S.
pub(crate) fn grounded_laplacian(pattern: &Arc<SymmetricPattern>, numbers: &mut Numbers) -> SymmetricMatrix {
    let mut matrix = SymmetricMatrix::zeros(pattern);
    for edge in 0..pattern.edges().len() {
        matrix.add_conductance(edge, 10f64.powf(4.0 * numbers.unit() - 2.0));
    }
    matrix.add_diagonal(0, 1.0);
    matrix
}

/// The same matrix, dense.
pub(crate) fn dense(matrix: &SymmetricMatrix) -> DMatrix<f64> {
    let n = matrix.size();
    let mut full = DMatrix::zeros(n, n);
    for (column, vector) in matrix.lower().outer_iterator().enumerate() {
        for (row, &value) in vector.iter() {
            full[(row, column)] = value;
            full[(column, row)] = value;
        }
    }
    full
}
