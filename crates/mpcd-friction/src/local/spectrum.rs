//! Estimates of the spectrum of a block matrix: extreme eigenvalues (Lanczos), largest eigenvalue of one block.

use super::block::{Block, BlockMatrix};

/// Most Lanczos steps: extreme eigenvalues that stand apart from the rest are found to rounding in far fewer.
const STEPS: usize = 60;

/// Largest eigenvalue of the symmetric part of a block; 0 for a zero block.
#[must_use]
pub fn largest_eigenvalue<const D: usize>(block: &Block<D>) -> f64 {
    let at = |i: usize, j: usize| 0.5 * (block[i][j] + block[j][i]);
    if D == 2 {
        let (mean, half) = (0.5 * (at(0, 0) + at(1, 1)), 0.5 * (at(0, 0) - at(1, 1)));
        return mean + half.hypot(at(0, 1));
    }
    let full = nalgebra::Matrix3::from_fn(at);
    full.symmetric_eigenvalues().max()
}

/// Smallest and largest eigenvalue of the symmetric part of W, estimated by Lanczos with full reorthogonalisation from a
/// fixed start: both lie inside the true spectrum. (0, 0) for an empty matrix.
#[must_use]
pub fn extreme_eigenvalues<const D: usize>(w: &BlockMatrix<D>) -> (f64, f64) {
    let n = w.len();
    if n == 0 {
        return (0.0, 0.0);
    }
    let mut start: Vec<[f64; D]> =
        (0..n).map(|i| std::array::from_fn(|k| 1.0 + ((i * D + k) as f64 * 0.618_033_988_749_895).fract())).collect();
    let size = norm(&start);
    scale(&mut start, 1.0 / size);
    let mut basis = vec![start];
    let (mut diagonal, mut side) = (Vec::new(), Vec::new());
    for step in 0..STEPS.min(n * D) {
        let mut next = symmetric_product(w, &basis[step]);
        let size = norm(&next);
        diagonal.push(dot(&next, &basis[step]));
        for _ in 0..2 {
            for old in &basis {
                let part = dot(&next, old);
                for (x, o) in next.iter_mut().zip(old) {
                    for k in 0..D {
                        x[k] -= part * o[k];
                    }
                }
            }
        }
        let beta = norm(&next);
        if !(beta > 1e-14 * size) {
            break;
        }
        side.push(beta);
        scale(&mut next, 1.0 / beta);
        basis.push(next);
    }
    let m = diagonal.len();
    let tridiagonal = nalgebra::DMatrix::from_fn(m, m, |i, j| match i.abs_diff(j) {
        0 => diagonal[i],
        1 => side[i.min(j)],
        _ => 0.0,
    });
    let values = tridiagonal.symmetric_eigenvalues();
    (values.min(), values.max())
}

fn symmetric_product<const D: usize>(w: &BlockMatrix<D>, x: &[[f64; D]]) -> Vec<[f64; D]> {
    let mut y = vec![[0.0; D]; w.len()];
    for row in 0..w.len() {
        for (column, block) in w.row(row) {
            for i in 0..D {
                for j in 0..D {
                    y[row][i] += 0.5 * block[i][j] * x[column][j];
                    y[column][j] += 0.5 * block[i][j] * x[row][i];
                }
            }
        }
    }
    y
}

fn dot<const D: usize>(a: &[[f64; D]], b: &[[f64; D]]) -> f64 {
    a.iter().flatten().zip(b.iter().flatten()).map(|(x, y)| x * y).sum()
}

fn norm<const D: usize>(a: &[[f64; D]]) -> f64 {
    dot(a, a).sqrt()
}

fn scale<const D: usize>(a: &mut [[f64; D]], factor: f64) {
    a.iter_mut().flatten().for_each(|x| *x *= factor);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extremes_of_a_chain() {
        // tridiagonal (−1, 2, −1) of order n: 2 − 2 cos(kπ/(n+1))
        let n = 20;
        let entries = (0..2 * n).flat_map(|i| {
            let side = (i + 1 < 2 * n).then_some([(i, i + 1, -1.0), (i + 1, i, -1.0)]);
            std::iter::once((i, i, 2.0)).chain(side.into_iter().flatten())
        });
        let w = BlockMatrix::<2>::from_entries(n, entries);
        let (low, high) = extreme_eigenvalues(&w);
        let exact = |k: f64| 2.0 - 2.0 * (k * std::f64::consts::PI / 41.0).cos();
        assert!((low - exact(1.0)).abs() < 1e-10 && (high - exact(40.0)).abs() < 1e-10, "{low} {high}");
        assert!((largest_eigenvalue(&[[2.0, 1.0], [1.0, 2.0]]) - 3.0).abs() < 1e-15);
        assert!((largest_eigenvalue(&[[2.0, 1.0, 0.0], [1.0, 2.0, 0.0], [0.0, 0.0, 1.0]]) - 3.0).abs() < 1e-14);
    }
}
