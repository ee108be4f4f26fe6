//! Local problems that several laws share: Signorini with friction in a 3 × 3 block, springs in parallel with a contact, and the first
//! root of a scalar equation. Pure functions, for laws of your own too. With contact dimension 2 the s row of the block is zero.

use mpcd_core::{Mat3, Vec3};
use mpcd_friction::exact::{Disc, LocalBlock};

/// Whether nothing happens along s: so in the plane, and in space where nothing moves along s and nothing can. A prescribed body that
/// slides along s cannot be moved either, but is held up by friction all the same.
fn is_planar(w: &Mat3, q: &Vec3) -> bool {
    w[(2, 2)] == 0.0 && q.z == 0.0
}

/// Signorini–Coulomb for `u = W r + q`: 0 ≤ u_n ⊥ r_n ≥ 0, ‖r_t‖ ≤ μ r_n, slip against the velocity. Zero where nothing can move.
#[must_use]
pub fn coulomb(w: &Mat3, q: &Vec3, friction: f64) -> Vec3 {
    let rows: [[f64; 3]; 3] = std::array::from_fn(|i| std::array::from_fn(|j| w[(i, j)]));
    if is_planar(w, q) {
        return LocalBlock::prepare::<2>(&rows).map_or_else(Vec3::zeros, |(block, _, _)| {
            let [n, t] = block.solve_coulomb::<2>(friction, &[q.x, q.y]);
            Vec3::new(n, t, 0.0)
        });
    }
    LocalBlock::prepare::<3>(&rows).map_or_else(Vec3::zeros, |(block, c, s)| {
        let [n, t, b] = block.solve_coulomb::<3>(friction, &[q.x, c * q.y + s * q.z, c * q.z - s * q.y]);
        Vec3::new(n, c * t - s * b, s * t + c * b)
    })
}

/// The tangential impulse for a given normal one: `‖r_t‖ ≤ bound`, slip against the velocity. Local (0, t, s).
#[must_use]
pub fn tangential(w: &Mat3, q: &Vec3, normal: f64, bound: f64) -> Vec3 {
    let free = [w[(1, 0)] * normal + q.y, w[(2, 0)] * normal + q.z];
    // A direction in which no impulse moves anything gets a little of the others, so that sliding along it has a side.
    let floor = LocalBlock::FLOOR * w.trace();
    if is_planar(w, q) {
        return Vec3::new(0.0, (-free[0] / w[(1, 1)].max(floor)).clamp(-bound, bound), 0.0);
    }
    let [t, s] = Disc::new(w[(1, 1)].max(floor), w[(1, 2)], w[(2, 2)].max(floor)).solve(free, bound).r;
    Vec3::new(0.0, t, s)
}

/// A contact with springs in parallel, `r = r_c − D(δ + h u)`, D = diag(`stiffness`) [N s/m], as one block for r_c alone:
/// `u = W′ r_c + q′`, W′ = (I + hWD)⁻¹W, q′ = (I + hWD)⁻¹(q − W D δ). Nothing is lagged.
#[derive(Debug, Clone, Copy)]
pub struct Parallel {
    stiffness: Vec3,
    opening: Vec3,
    h: f64,
    /// W′.
    pub w: Mat3,
    /// q′.
    pub q: Vec3,
}

impl Parallel {
    /// Condenses springs of `stiffness` (n, t, s) [N s/m] stretched by `opening` (m) at the start into the block.
    #[must_use]
    pub fn new(w: &Mat3, q: &Vec3, stiffness: Vec3, opening: Vec3, h: f64) -> Self {
        let system = Mat3::identity() + w * Mat3::from_diagonal(&stiffness) * h;
        let inverse = system.try_inverse().unwrap_or_else(Mat3::zeros);
        let free = q - w * stiffness.component_mul(&opening);
        let condensed = inverse * w;
        // symmetric by derivation; rounding must not turn it into something else
        Self { stiffness, opening, h, w: (condensed + condensed.transpose()) * 0.5, q: inverse * free }
    }

    /// The opening at the end of the step (m) for the contact's own impulse.
    #[must_use]
    pub fn opening(&self, r: &Vec3) -> Vec3 {
        self.opening + (self.w * r + self.q) * self.h
    }

    /// The whole impulse: the contact's own less the pull of the springs.
    #[must_use]
    pub fn total(&self, r: &Vec3) -> Vec3 {
        r - self.stiffness.component_mul(&self.opening(r))
    }
}

/// The root of a rising function in a bracket (Illinois, kept inside by bisection).
#[must_use]
pub fn root(f: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    let (mut f_low, mut f_high) = (f(low), f(high));
    for _ in 0..200 {
        if f_high == 0.0 || high - low <= 4.0 * f64::EPSILON * high.abs() {
            break;
        }
        let secant = (low * f_high - high * f_low) / (f_high - f_low);
        let next = if secant > low && secant < high { secant } else { 0.5 * (low + high) };
        if next <= low || next >= high {
            break;
        }
        let value = f(next);
        if value < 0.0 {
            (low, f_low) = (next, value);
            f_high *= 0.5;
        } else {
            (high, f_high) = (next, value);
            f_low *= 0.5;
        }
    }
    high
}

/// The first point from `start` on where `f` is no longer negative, `f(end) ≥ 0` being known. Looks at sixteen points that lie closer near
/// the start, then refines; two roots between neighbouring points may be passed over.
#[must_use]
pub fn first_root(f: impl Fn(f64) -> f64, start: f64, end: f64) -> f64 {
    const LOOKS: u32 = 16;
    if f(start) >= 0.0 {
        return start;
    }
    let mut low = start;
    for k in 1..=LOOKS {
        let part = f64::from(k) / f64::from(LOOKS);
        let high = start + (end - start) * part * part;
        if k == LOOKS || f(high) >= 0.0 {
            return root(f, low, high);
        }
        low = high;
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block() -> Mat3 {
        Mat3::new(1.6, -0.7, 0.2, -0.7, 3.4, 0.5, 0.2, 0.5, 2.5)
    }

    #[test]
    fn a_spring_in_parallel_is_condensed_exactly() {
        let (w, q, h) = (block(), Vec3::new(0.3, -0.2, 0.5), 0.1);
        let (d, opening) = (Vec3::new(3.0, 7.0, 7.0), Vec3::new(0.02, -0.01, 0.03));
        let parallel = Parallel::new(&w, &q, d, opening, h);
        let contact = Vec3::new(0.2, -0.1, 0.05);
        let r = parallel.total(&contact);
        let u = w * r + q;
        assert!((u - (parallel.w * contact + parallel.q)).norm() < 1e-14);
        assert!((r - (contact - d.component_mul(&(opening + u * h)))).norm() < 1e-14);
    }

    #[test]
    fn the_first_root_is_found() {
        let x = first_root(|x: f64| (x - 0.2) * (x - 0.6) * (x - 0.9), 0.0, 1.0);
        assert!((x - 0.2).abs() < 1e-14);
    }
}
