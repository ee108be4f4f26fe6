//! Algebra of D×D blocks; nothing about contacts.

use super::block::Block;

/// The identity.
#[must_use]
pub(super) fn identity<const D: usize>() -> Block<D> {
    scaled_identity(1.0)
}

/// `factor · I`.
#[must_use]
pub(super) fn scaled_identity<const D: usize>(factor: f64) -> Block<D> {
    let mut block = [[0.0; D]; D];
    for k in 0..D {
        block[k][k] = factor;
    }
    block
}

/// `A B`.
#[inline]
#[must_use]
pub(super) fn product<const D: usize>(a: &Block<D>, b: &Block<D>) -> Block<D> {
    let mut c = [[0.0; D]; D];
    for i in 0..D {
        for k in 0..D {
            for j in 0..D {
                c[i][j] += a[i][k] * b[k][j];
            }
        }
    }
    c
}

/// `A x`.
#[inline]
#[must_use]
pub(super) fn apply<const D: usize>(a: &Block<D>, x: &[f64; D]) -> [f64; D] {
    let mut y = [0.0; D];
    super::block::add_block_product(&mut y, a, x);
    y
}

/// Inverse by elimination with row exchanges; `None` where a pivot vanishes.
#[must_use]
pub(super) fn inverse<const D: usize>(a: &Block<D>) -> Option<Block<D>> {
    let mut left = *a;
    let mut right = identity::<D>();
    for k in 0..D {
        let best = (k..D).max_by(|&i, &j| left[i][k].abs().total_cmp(&left[j][k].abs()))?;
        left.swap(k, best);
        right.swap(k, best);
        let pivot = left[k][k];
        if pivot == 0.0 || !pivot.is_finite() {
            return None;
        }
        for j in 0..D {
            left[k][j] /= pivot;
            right[k][j] /= pivot;
        }
        for i in 0..D {
            let factor = left[i][k];
            if i != k && factor != 0.0 {
                for j in 0..D {
                    left[i][j] -= factor * left[k][j];
                    right[i][j] -= factor * right[k][j];
                }
            }
        }
    }
    Some(right)
}

/// Inner product of two lists of local vectors.
#[must_use]
pub(super) fn dot<const D: usize>(a: &[[f64; D]], b: &[[f64; D]]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (0..D).map(|k| x[k] * y[k]).sum::<f64>()).sum()
}

/// Euclidean norm of a list of local vectors.
#[must_use]
pub(super) fn norm<const D: usize>(a: &[[f64; D]]) -> f64 {
    dot(a, a).sqrt()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::panic, reason = "tests")]
    use super::*;

    #[test]
    fn inverse_times_matrix_is_identity() {
        let a = [[0.0, 2.0, 1.0], [1.0, -1.0, 0.5], [3.0, 0.0, 4.0]];
        let Some(b) = inverse(&a) else { panic!("regular") };
        let c = product(&a, &b);
        for i in 0..3 {
            for j in 0..3 {
                assert!((c[i][j] - f64::from(u8::from(i == j))).abs() < 1e-15);
            }
        }
        assert!(inverse(&[[1.0, 1.0], [1.0, 1.0]]).is_none());
    }
}
