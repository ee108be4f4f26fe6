//! Algebra of the second-order cone `{‖x_t‖ ≤ x_n}` as a Jordan algebra: what an interior-point method needs of it.
//!
//! `x∘y = (xᵀy, x_n y_t + y_n x_t)`, unit `e = (1, 0, 0)`, `det x = x_n² − ‖x_t‖²` (Alizadeh and Goldfarb 2003).

use crate::local::block::Block;

/// The determinant, without cancellation.
#[inline]
pub(super) fn determinant<const D: usize>(x: &[f64; D]) -> f64 {
    let t = tangential(x);
    (x[0] - t) * (x[0] + t)
}

#[inline]
pub(super) fn tangential<const D: usize>(x: &[f64; D]) -> f64 {
    crate::cone::tangential_norm(x)
}

/// Inner product of two local vectors.
#[inline]
pub(super) fn inner<const D: usize>(x: &[f64; D], y: &[f64; D]) -> f64 {
    (0..D).map(|k| x[k] * y[k]).sum()
}

/// Jordan product.
#[inline]
pub(super) fn jordan<const D: usize>(x: &[f64; D], y: &[f64; D]) -> [f64; D] {
    let mut z = [0.0; D];
    z[0] = inner(x, y);
    for k in 1..D {
        z[k] = x[0] * y[k] + y[0] * x[k];
    }
    z
}

/// Solves `x∘z = y` for x inside the cone.
#[inline]
pub(super) fn jordan_solve<const D: usize>(x: &[f64; D], y: &[f64; D]) -> [f64; D] {
    let det = determinant(x);
    let along: f64 = (1..D).map(|k| x[k] * y[k]).sum();
    let mut z = [0.0; D];
    z[0] = (x[0] * y[0] - along) / det;
    for k in 1..D {
        z[k] = (y[k] - z[0] * x[k]) / x[0];
    }
    z
}

/// The matrix of `z ↦ x∘z`.
#[cfg(test)]
fn arrow<const D: usize>(x: &[f64; D]) -> Block<D> {
    let mut a = [[0.0; D]; D];
    for k in 0..D {
        a[k][k] = x[0];
        a[0][k] = x[k];
        a[k][0] = x[k];
    }
    a
}

/// Largest α ≤ 1e30 for which `x + α d` stays in the cone, x inside it.
pub(super) fn longest_step<const D: usize>(x: &[f64; D], d: &[f64; D]) -> f64 {
    let dt2: f64 = (1..D).map(|k| d[k] * d[k]).sum();
    let xd: f64 = (1..D).map(|k| x[k] * d[k]).sum();
    let (a, b, c) = (d[0] * d[0] - dt2, x[0] * d[0] - xd, determinant(x));
    let mut alpha = 1e30_f64;
    if d[0] < 0.0 {
        alpha = alpha.min(-x[0] / d[0]);
    }
    // a α² + 2 b α + c = 0, c > 0: the least positive root
    let discriminant = b * b - a * c;
    if discriminant >= 0.0 {
        let root = discriminant.sqrt();
        let sum = -b - root.copysign(b);
        for candidate in [sum / a, c / sum] {
            if candidate > 0.0 && candidate.is_finite() {
                alpha = alpha.min(candidate);
            }
        }
    }
    alpha
}

/// Scaling point of Nesterov and Todd for (r, u): the symmetric matrix P with `P r = P⁻¹ u`, its inverse, and the
/// scaled point λ.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scaling<const D: usize> {
    pub(super) matrix: Block<D>,
    pub(super) inverse: Block<D>,
    pub(super) square: Block<D>,
}

impl<const D: usize> Scaling<D> {
    pub(super) fn new(r: &[f64; D], u: &[f64; D]) -> Self {
        let (dr, du) = (determinant(r), determinant(u));
        let (sr, su) = (1.0 / dr.sqrt(), 1.0 / du.sqrt());
        let gamma = (0.5 * (1.0 + inner(r, u) * sr * su)).sqrt();
        let mut w = [0.0; D];
        w[0] = (u[0] * su + r[0] * sr) / (2.0 * gamma);
        for k in 1..D {
            w[k] = (u[k] * su - r[k] * sr) / (2.0 * gamma);
        }
        let eta = (du / dr).sqrt().sqrt();
        let (mut matrix, mut inverse, mut square) = ([[0.0; D]; D], [[0.0; D]; D], [[0.0; D]; D]);
        for i in 0..D {
            for j in 0..D {
                let delta = f64::from(u8::from(i == j));
                let (m, sign) = match (i, j) {
                    (0, _) => (w[j], if j == 0 { 1.0 } else { -1.0 }),
                    (_, 0) => (w[i], -1.0),
                    _ => (delta + w[i] * w[j] / (1.0 + w[0]), 1.0),
                };
                matrix[i][j] = eta * m;
                inverse[i][j] = sign * m / eta;
                let reflected = if i == 0 { delta } else { -delta };
                square[i][j] = eta * eta * (2.0 * w[i] * w[j] - reflected);
            }
        }
        Self { matrix, inverse, square }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::local::small::{apply, product};
    use crate::random::SplitMix;

    fn inside(random: &mut SplitMix) -> [f64; 3] {
        let (a, b) = (random.signed(), random.signed());
        [a.hypot(b) + 0.01 + random.unit(), a, b]
    }

    #[test]
    fn scaling_maps_both_points_to_one() {
        let mut random = SplitMix::new(5);
        for _ in 0..200 {
            let (r, u) = (inside(&mut random), inside(&mut random));
            let s = Scaling::new(&r, &u);
            let (a, b) = (apply(&s.matrix, &r), apply(&s.inverse, &u));
            let square = product(&s.matrix, &s.matrix);
            for i in 0..3 {
                assert!((a[i] - b[i]).abs() < 1e-11);
                for j in 0..3 {
                    assert!((square[i][j] - s.square[i][j]).abs() < 1e-9 * (1.0 + s.square[i][j].abs()));
                }
            }
            assert!(determinant(&a) > 0.0);
        }
    }

    #[test]
    fn products_and_steps() {
        let mut random = SplitMix::new(6);
        for _ in 0..200 {
            let (x, d) = (inside(&mut random), [random.signed(), random.signed(), random.signed()]);
            let z = jordan_solve(&x, &d);
            let (back, arrowed) = (jordan(&x, &z), apply(&arrow(&x), &z));
            for k in 0..3 {
                assert!((back[k] - d[k]).abs() < 1e-10 && (back[k] - arrowed[k]).abs() < 1e-12);
            }
            let alpha = longest_step(&x, &d);
            if alpha < 1e29 {
                let edge: [f64; 3] = std::array::from_fn(|k| x[k] + alpha * d[k]);
                assert!(determinant(&edge).abs() < 1e-9 * (1.0 + alpha * alpha) && edge[0] > -1e-9);
                let before: [f64; 3] = std::array::from_fn(|k| x[k] + 0.99 * alpha * d[k]);
                assert!(determinant(&before) > 0.0);
            }
        }
    }
}
