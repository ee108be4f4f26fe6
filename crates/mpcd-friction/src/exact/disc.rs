//! A convex quadratic of two variables in a disc: the tangential part of every friction law with a given bound.
//!
//! `min ½ rᵀA r + q·r` with `‖r‖ ≤ b`, that is `A r + q = −λ r`, `0 ≤ λ ⊥ b − ‖r‖ ≥ 0`: stick, or slip against the velocity.

use super::{diagonalising_rotation, size};

/// Bound over the size of the free minimiser below which the minimiser lies where the linear part alone would have it.
const FAINT: f64 = 1e-40;

/// A symmetric positive 2 × 2 block, diagonalised once.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Disc {
    cosine: f64,
    sine: f64,
    values: [f64; 2],
}

/// Where the minimum is, and its multiplier.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DiscPoint {
    /// The minimiser.
    pub r: [f64; 2],
    /// λ ≥ 0; `−λ r` is the slip velocity.
    pub multiplier: f64,
}

impl Disc {
    /// Of `[[a, b], [b, d]]`, positive definite.
    #[must_use]
    pub fn new(a: f64, b: f64, d: f64) -> Self {
        let (c, s) = diagonalising_rotation(a, b, d);
        let first = c * c * a + 2.0 * c * s * b + s * s * d;
        let second = s * s * a - 2.0 * c * s * b + c * c * d;
        Self { cosine: c, sine: s, values: [first, second] }
    }

    /// The minimum for the linear part `q` in the disc of radius `bound` ≥ 0.
    #[must_use]
    pub fn solve(&self, q: [f64; 2], bound: f64) -> DiscPoint {
        let (c, s, e) = (self.cosine, self.sine, self.values);
        let p = [c * q[0] + s * q[1], c * q[1] - s * q[0]];
        let at = |lambda: f64| [-p[0] / (e[0] + lambda), -p[1] / (e[1] + lambda)];
        let mut x = at(0.0);
        let mut lambda = 0.0;
        let mut norm = size(x[0], x[1]);
        if norm > bound {
            // A bound that is none but for rounding: the multiplier that belongs to it is no number, and neither are the squares on the way to it.
            if bound <= FAINT * norm {
                let p = [c * p[0] - s * p[1], s * p[0] + c * p[1]];
                let norm = size(p[0], p[1]);
                return DiscPoint { r: p.map(|v| if bound > 0.0 { -v / norm * bound } else { 0.0 }), multiplier: norm / bound };
            }
            // 1/‖x(λ)‖ is concave and rising: Newton on it comes from the left and never passes the root.
            for _ in 0..50 {
                let slope = (x[0] / norm).powi(2) / (e[0] + lambda) + (x[1] / norm).powi(2) / (e[1] + lambda);
                let change = (norm / bound - 1.0) / slope;
                let next = lambda + change;
                if change <= f64::EPSILON * next || next == lambda {
                    break;
                }
                lambda = next;
                x = at(lambda);
                norm = size(x[0], x[1]);
            }
            // on the circle by construction
            x = x.map(|v| v / norm * bound);
        }
        DiscPoint { r: [c * x[0] - s * x[1], s * x[0] + c * x[1]], multiplier: lambda }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix;

    #[test]
    fn the_minimum_is_stationary_on_the_circle() {
        let mut random = SplitMix::new(11);
        for _ in 0..2_000 {
            let (a, d) = (random.unit() + 1e-3, 1e3 * random.unit() + 1e-3);
            let b = (2.0 * random.unit() - 1.0) * 0.99 * (a * d).sqrt();
            let q = [random.unit() - 0.5, random.unit() - 0.5];
            let bound = random.unit();
            let DiscPoint { r, multiplier } = Disc::new(a, b, d).solve(q, bound);
            let gradient = [a * r[0] + b * r[1] + q[0] + multiplier * r[0], b * r[0] + d * r[1] + q[1] + multiplier * r[1]];
            let scale = q[0].hypot(q[1]) + d * r[0].hypot(r[1]);
            assert!(gradient[0].hypot(gradient[1]) < 1e-11 * scale, "{gradient:?}");
            assert!(r[0].hypot(r[1]) <= bound * (1.0 + 1e-14));
            assert!(multiplier == 0.0 || (r[0].hypot(r[1]) - bound).abs() < 1e-12 * bound);
        }
    }

    /// Normal impulses that are none but for rounding bound what resists rolling.
    #[test]
    fn bounds_as_faint_as_numbers_can_be_give_numbers() {
        let mut random = SplitMix::new(12);
        for power in 0..=323 {
            let q = [random.unit() - 0.5, random.unit() - 0.5];
            for small in [1.0, 1e-150] {
                let bound = 10_f64.powi(-power);
                let DiscPoint { r, multiplier } = Disc::new(2.0, 0.3, 5.0).solve(q.map(|v| v * small), bound);
                let size = r[0].hypot(r[1]);
                assert!(size.is_finite() && size <= bound * (1.0 + 1e-14) && multiplier >= 0.0, "{bound:e}: {r:?}, {multiplier}");
                assert!(multiplier == 0.0 || bound < 1e-300 || (size / bound - 1.0).abs() < 1e-12, "{bound:e}: {size:e}");
            }
        }
        assert_eq!(Disc::new(2.0, 0.3, 5.0).solve([1.0, 1.0], 0.0).r, [0.0; 2]);
    }
}
