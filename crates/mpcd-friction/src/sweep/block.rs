//! The Delassus block `W_cc` of one contact of the contact problem, and its largest eigenvalue.

use super::vector::V3;
use crate::problem::{Contact, ContactProblem, Frame};

pub(crate) type Block = [[f64; 3]; 3];

/// `W_cc` in the contact's frame, compliance included; the inverse inertias of candidate and antagonist are multiplied
/// by `weights` (one, but for mass splitting). Rows and columns beyond `D` are zero.
pub(crate) fn delassus<const D: usize>(problem: &ContactProblem, contact: &Contact, weights: [f64; 2]) -> Block {
    let mut w = [[0.0; 3]; 3];
    for (side, weight) in contact.sides().iter().zip(weights) {
        let block = side.block_in::<D>(&problem.bodies[side.body], &contact.frame);
        for i in 0..D {
            for j in 0..D {
                w[i][j] += weight * block[i][j];
            }
        }
    }
    for k in 0..D {
        w[k][k] += contact.compliance[k];
    }
    w
}

/// Adds `weight` times the response `own` of a moving cell, diagonal in world axes, to a block in the contact's frame.
pub(super) fn add_cell<const D: usize>(w: &mut Block, frame: &Frame, own: &V3, weight: f64) {
    let axes = [frame.normal(), frame.tangent(), &frame.binormal()];
    for i in 0..D {
        for j in 0..D {
            w[i][j] += weight * (0..3).map(|k| axes[i][k] * own[k] * axes[j][k]).sum::<f64>();
        }
    }
}

/// `w += other`.
pub(super) fn add_block(w: &mut Block, other: &Block) {
    for i in 0..3 {
        for j in 0..3 {
            w[i][j] += other[i][j];
        }
    }
}

/// Largest eigenvalue of a symmetric block (its leading `D × D` part), in closed form.
pub(crate) fn largest_eigenvalue<const D: usize>(w: &Block) -> f64 {
    if D == 2 {
        let half = 0.5 * (w[0][0] - w[1][1]);
        return 0.5 * (w[0][0] + w[1][1]) + half.hypot(w[0][1]);
    }
    // Smith 1961: eigenvalues of a 3 × 3 matrix from the angle of its deviator
    let mean = (w[0][0] + w[1][1] + w[2][2]) / 3.0;
    let off = w[0][1] * w[0][1] + w[0][2] * w[0][2] + w[1][2] * w[1][2];
    let d = [w[0][0] - mean, w[1][1] - mean, w[2][2] - mean];
    let p = ((d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 2.0 * off) / 6.0).sqrt();
    // Rounding of equal eigenvalues, whose cube would be lost; then blocks so small that all cubes are.
    if p <= f64::EPSILON * mean.abs() {
        return mean;
    }
    if !(p * p * p).is_normal() && p.is_normal() {
        return p * largest_eigenvalue::<D>(&w.map(|row| row.map(|x| x / p)));
    }
    let determinant = d[0] * (d[1] * d[2] - w[1][2] * w[1][2]) - w[0][1] * (w[0][1] * d[2] - w[1][2] * w[0][2])
        + w[0][2] * (w[0][1] * w[1][2] - d[1] * w[0][2]);
    let angle = (0.5 * determinant / (p * p * p)).clamp(-1.0, 1.0).acos() / 3.0;
    mean + 2.0 * p * angle.cos()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix;

    #[test]
    fn largest_eigenvalue_agrees_with_an_iterative_one() {
        let mut random = SplitMix::new(3);
        for _ in 0..2_000 {
            let q = random.rotation();
            let e = [random.unit(), random.unit() * 1e-3, 1e-7];
            let w: Block = std::array::from_fn(|i| std::array::from_fn(|j| (0..3).map(|k| q[i][k] * e[k] * q[j][k]).sum()));
            let expected = e[0].max(e[1]).max(e[2]);
            assert!((largest_eigenvalue::<3>(&w) / expected - 1.0).abs() < 1e-12);
        }
        assert!((largest_eigenvalue::<2>(&[[1.6, -1.2, 0.0], [-1.2, 3.4, 0.0], [0.0; 3]]) - 4.0).abs() < 1e-14);
        assert_eq!(largest_eigenvalue::<3>(&[[2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]]), 2.0);
    }

    /// Deviators and blocks whose cubes are below the least number that there is.
    #[test]
    fn largest_eigenvalue_of_what_underflows_is_a_number() {
        for off in [1e-300, 1e-150, 1e-110, 1e-30] {
            let w = [[2.0, off, 0.0], [off, 2.0, -off], [0.0, -off, 2.0]];
            assert_eq!(largest_eigenvalue::<3>(&w), 2.0, "{off:e}");
        }
        for size in [1e-105, 1e-140, 1e140] {
            let w = [[2.0, 1.0, 0.0], [1.0, 2.0, 0.0], [0.0, 0.0, 0.5]].map(|row| row.map(|x| x * size));
            assert!((largest_eigenvalue::<3>(&w) / (3.0 * size) - 1.0).abs() < 1e-12, "{size:e}");
        }
    }
}
