//! One contact under the convex law (Maury; Anitescu): `K* ∋ u ⊥ r ∈ K`, `u = W r + q`, without the term `μ‖u_t‖` that makes
//! Coulomb's law of it. The impulse is the one minimum of `½ rᵀW r + q·r` in the cone `‖r_t‖ ≤ μ r_n`.

use super::{Disc, LocalBlock, size};
use crate::cone::tangential_norm;

/// Relative width at which the search for the normal impulse ends.
const WIDTH: f64 = 1e-15;

impl LocalBlock {
    /// The impulse of the convex law for the free velocity `q`.
    #[must_use]
    pub fn solve_convex<const D: usize>(&self, friction: f64, q: &[f64; D]) -> [f64; D] {
        let tangential = tangential_norm(q);
        if q[0] >= friction * tangential {
            return [0.0; D];
        }
        let stick = self.stick(q);
        if tangential_norm(&stick) <= friction * stick[0] {
            return stick;
        }
        if D == 2 {
            return self.better_edge(friction, q);
        }
        let mut r = [0.0; D];
        let isotropic = self.coupling == [0.0; 2] && self.schur[0] == self.schur[1];
        let found = if isotropic { self.radial(friction, q[0], [q[1], q[2]]) } else { self.search(friction, q[0], [q[1], q[2]]) };
        r.copy_from_slice(&found[..D]);
        r
    }

    /// The minimum on the edges of a planar cone.
    fn better_edge<const D: usize>(&self, friction: f64, q: &[f64; D]) -> [f64; D] {
        let mut best = [0.0; D];
        let mut least = 0.0;
        for slope in [friction, -friction] {
            let mut edge = [0.0; D];
            (edge[0], edge[1]) = (1.0, slope);
            let w = self.apply(&edge);
            let (along, square) = (q[0] + slope * q[1], w[0] + slope * w[1]);
            let value = -0.5 * along * along / square;
            if along < 0.0 && value < least {
                least = value;
                best = edge.map(|e| -e * along / square);
            }
        }
        best
    }

    /// Balls: the tangential impulse is against the free velocity, and the edge it lies on is known.
    fn radial(&self, friction: f64, q_n: f64, q_t: [f64; 2]) -> [f64; 3] {
        let norm = size(q_t[0], q_t[1]);
        let normal = (friction * norm - q_n) / (self.normal + friction * friction * self.schur[0]);
        [normal, -friction * normal * q_t[0] / norm, -friction * normal * q_t[1] / norm]
    }

    /// Minimum over the normal impulse of the minimum in the disc it allows: convex in the normal impulse, so its slope
    /// `u_n − μ‖u_t‖` has one root.
    fn search(&self, friction: f64, q_n: f64, q_t: [f64; 2]) -> [f64; 3] {
        let (n, w) = (self.normal, self.coupling);
        let disc = Disc::new(self.schur[0] + w[0] * w[0] / n, w[0] * w[1] / n, self.schur[1] + w[1] * w[1] / n);
        let at = |normal: f64| {
            let point = disc.solve([w[0] * normal + q_t[0], w[1] * normal + q_t[1]], friction * normal);
            let [t, s] = point.r;
            let slip = point.multiplier * size(t, s);
            ([normal, t, s], n * normal + w[0] * t + w[1] * s + q_n - friction * slip)
        };
        // ½ rᵀW r + q·r ≤ 0 at the minimum bounds it: λ_min ‖r‖ ≤ 2‖q‖ is far too wide, so grow from the size of the block.
        let mut low = 0.0;
        let mut high = (friction * size(q_t[0], q_t[1]) + q_n.abs()) / n;
        while high.is_finite() && at(high).1 < 0.0 {
            low = high;
            high *= 2.0;
        }
        let (mut f_low, mut f_high) = (if low == 0.0 { q_n - friction * size(q_t[0], q_t[1]) } else { at(low).1 }, at(high).1);
        for _ in 0..200 {
            // Illinois: the end that stays counts half
            let next = (low * f_high - high * f_low) / (f_high - f_low);
            let next = if next > low && next < high { next } else { 0.5 * (low + high) };
            let value = at(next).1;
            if value < 0.0 {
                (low, f_low) = (next, value);
                f_high *= 0.5;
            } else {
                (high, f_high) = (next, value);
                f_low *= 0.5;
            }
            if value == 0.0 || high - low <= WIDTH * high {
                break;
            }
        }
        at(high).0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cone::Cone;
    use crate::error::natural_map;
    use crate::random::SplitMix;

    /// W = [[1.6, −1.2], [−1.2, 3.4]], q = (−1, −2), μ = ½ (VALIDATION §4): the convex answer, not Coulomb's (1, ½).
    #[test]
    fn v04_the_convex_answer_is_not_coulombs() {
        let w = [[1.6, -1.2, 0.0], [-1.2, 3.4, 0.0], [0.0; 3]];
        let block = LocalBlock::prepare::<2>(&w).map(|(b, _, _)| b);
        let r = block.map(|b| b.solve_convex::<2>(0.5, &[-1.0, -2.0])).unwrap_or_default();
        assert!((r[0] - 1.6).abs() < 1e-14 && (r[1] - 0.8).abs() < 1e-14, "{r:?}");
        let coulomb = block.map(|b| b.solve_coulomb::<2>(0.5, &[-1.0, -2.0])).unwrap_or_default();
        assert!((coulomb[0] - 1.0).abs() < 1e-14 && (coulomb[1] - 0.5).abs() < 1e-14, "{coulomb:?}");
    }

    #[test]
    fn random_blocks_meet_the_law() {
        let mut random = SplitMix::new(5);
        let mut sliding = 0;
        for k in 0..3_000 {
            let q = random.rotation();
            let e = [random.unit() + 1e-2, random.unit() + 1e-2, random.unit() + 1e-2];
            let e = if k % 3 == 0 { [e[0]; 3] } else { e };
            let w: [[f64; 3]; 3] =
                std::array::from_fn(|i| std::array::from_fn(|j| (0..3).map(|k| q[i][k] * e[k] * q[j][k]).sum()));
            let Some((block, _, _)) = LocalBlock::prepare::<3>(&w) else { continue };
            let free = [random.unit() - 0.6, random.unit() - 0.5, random.unit() - 0.5];
            let friction = 1.5 * random.unit();
            let r = block.solve_convex::<3>(friction, &free);
            let wr = block.apply::<3>(&r);
            let u = [wr[0] + free[0], wr[1] + free[1], wr[2] + free[2]];
            let f = natural_map(Cone::Convex { friction }, 1.0, &r, &u);
            let size = f.iter().map(|x| x.abs()).fold(0.0, f64::max);
            assert!(size < 1e-11, "{k}: {size:e} {r:?} {u:?}");
            sliding += usize::from(r[0] > 0.0 && u[0] > 1e-6);
        }
        assert!(sliding > 300, "{sliding}");
    }
}
