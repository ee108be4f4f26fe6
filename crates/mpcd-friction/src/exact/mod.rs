//! The exact local solver: one contact, `u = W r + q`, Signorini–Coulomb without relaxation, by cases.
//!
//! It works on a *block prepared once per contact*: the tangents are turned so that the tangential Schur complement
//! `S = W_tt − w wᵀ/W_nn` (w = W_tn) is diagonal. Then every case has a closed form, but for sliding in 3D, where one
//! scalar equation is left.
//!
//! **Cases** (W positive definite, so that there always is a solution):
//! 1. `q_n ≥ 0`: open, `r = 0`;
//! 2. stick `r = −W⁻¹ q` if `‖r_t‖ ≤ μ r_n`;
//! 3. slip: `u_n = 0`, `u_t = −λ r_t` with `λ > 0`, hence `r_t(λ) = −(S + λ)⁻¹ b`, `b = q_t − w q_n/W_nn`, and
//!    `φ(λ) = ‖r_t(λ)‖ − μ r_n(λ) = 0`. Here φ(0) > 0 (stick was not admissible) and φ(∞) = μ q_n/W_nn < 0: a root exists.
//!
//! **Where there are several solutions** (strong coupling of n and t, large μ) the choice is: open before stick before
//! slip, and of several slips the least λ (the slowest sliding per unit of friction). So the first that applies of the
//! list above is returned, and the choice depends on nothing but W, q and μ.

mod convex;
mod disc;
mod roots;
mod spatial;
#[cfg(test)]
mod tests;

pub use disc::{Disc, DiscPoint};
pub(crate) use spatial::CLOSE;
pub use spatial::slip_impulse;

/// Squares of which the square root alone is the size: neither gone to zero nor beyond all numbers.
pub(crate) const SQUARES: [f64; 2] = [1e-290, 1e290];

/// √(a² + b²): by the square root alone where the squares are numbers, without the call of a function that also knows the others.
#[inline(always)]
pub(crate) fn size(a: f64, b: f64) -> f64 {
    let square = a * a + b * b;
    if (SQUARES[0]..SQUARES[1]).contains(&square) { square.sqrt() } else { a.hypot(b) }
}

/// The Delassus block of one contact, in the frame where S is diagonal. `D` is the contact dimension, 2 or 3.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LocalBlock {
    /// `W_nn` > 0.
    pub normal: f64,
    /// `w = W_tn`; the second entry is zero when D = 2.
    pub coupling: [f64; 2],
    /// Diagonal of `S`, > 0; the second entry is unused when D = 2.
    pub schur: [f64; 2],
}

impl LocalBlock {
    /// Relative floor on the entries of S: a direction in which nothing can move gets this fraction of the largest
    /// entry. Contact-by-contact methods use the block in difference form, so the floor is a proximal term: it does
    /// not move their fixed points.
    pub const FLOOR: f64 = 1e-12;

    /// Prepares a block from `W` (row-major, symmetric); returns it with the cosine and sine of the angle by which the
    /// tangents turned: `t' = c t + s_ s`, `s' = −s_ t + c s`. `None` if `W_nn` is not positive.
    #[must_use]
    pub fn prepare<const D: usize>(w: &[[f64; 3]; 3]) -> Option<(Self, f64, f64)> {
        let normal = w[0][0];
        let trace: f64 = (0..D).map(|k| w[k][k]).sum();
        if normal <= Self::FLOOR * trace || normal.is_nan() {
            return None;
        }
        let floor = Self::FLOOR * trace;
        if D == 2 {
            let coupling = [w[0][1], 0.0];
            let schur = [(w[1][1] - coupling[0] * coupling[0] / normal).max(floor), floor];
            return Some((Self { normal, coupling, schur }, 1.0, 0.0));
        }
        let (a, b) = (w[0][1], w[0][2]);
        let stt = w[1][1] - a * a / normal;
        let sts = w[1][2] - a * b / normal;
        let sss = w[2][2] - b * b / normal;
        let (c, s) = diagonalising_rotation(stt, sts, sss);
        let first = c * c * stt + 2.0 * c * s * sts + s * s * sss;
        let second = s * s * stt - 2.0 * c * s * sts + c * c * sss;
        let block = Self { normal, coupling: [c * a + s * b, c * b - s * a], schur: [first.max(floor), second.max(floor)] };
        Some((block, c, s))
    }

    /// `W r` with the block's W (floor included).
    #[inline]
    #[must_use]
    pub fn apply<const D: usize>(&self, r: &[f64; D]) -> [f64; D] {
        let mut u = [0.0; D];
        let mut along = 0.0;
        for k in 1..D {
            along += self.coupling[k - 1] * r[k];
        }
        u[0] = self.normal * r[0] + along;
        let common = r[0] + along / self.normal;
        for k in 1..D {
            u[k] = self.schur[k - 1] * r[k] + self.coupling[k - 1] * common;
        }
        u
    }

    /// True if slip has one solution at most whatever q: `μ‖w‖/W_nn < 2√κ/(1 + κ)`, κ the condition of S (then φ
    /// decreases, by Kantorovich's inequality).
    #[must_use]
    pub fn slip_is_unique<const D: usize>(&self, friction: f64) -> bool {
        if D == 2 {
            return true;
        }
        let [a, b] = self.schur;
        let cosine = 2.0 * (a * b).sqrt() / (a + b);
        let coupling = (self.coupling[0].powi(2) + self.coupling[1].powi(2)).sqrt();
        friction * coupling < cosine * self.normal
    }

    /// `r = −W⁻¹ q`: no relative motion.
    #[inline]
    #[must_use]
    pub fn stick<const D: usize>(&self, q: &[f64; D]) -> [f64; D] {
        let mut r = [0.0; D];
        let mut along = q[0];
        let ratio = q[0] / self.normal;
        for k in 1..D {
            let w = self.coupling[k - 1];
            r[k] = -(q[k] - w * ratio) / self.schur[k - 1];
            along += w * r[k];
        }
        r[0] = -along / self.normal;
        r
    }

    /// No relative motion across the normal, no impulse along it: `r_t = −W_tt⁻¹ q_t`, `W_tt = S + w wᵀ/W_nn`.
    #[inline]
    #[must_use]
    pub fn stick_across<const D: usize>(&self, q: &[f64; D]) -> [f64; D] {
        let (mut along, mut whole) = (0.0, self.normal);
        for k in 1..D {
            let w = self.coupling[k - 1] / self.schur[k - 1];
            along += w * q[k];
            whole += w * self.coupling[k - 1];
        }
        let mut r = [0.0; D];
        for k in 1..D {
            r[k] = -(q[k] - self.coupling[k - 1] * along / whole) / self.schur[k - 1];
        }
        r
    }

    /// The impulse of Signorini–Coulomb for the free velocity `q` (see the module for the choice among several).
    #[inline]
    #[must_use]
    pub fn solve_coulomb<const D: usize>(&self, friction: f64, q: &[f64; D]) -> [f64; D] {
        self.solve_coulomb_near(friction, q, &[0.0; D])
    }

    /// The same; where it slides, the search begins at the λ that fits the impulse `near` best. What comes out depends on it by rounding alone.
    #[inline]
    #[must_use]
    pub fn solve_coulomb_near<const D: usize>(&self, friction: f64, q: &[f64; D], near: &[f64; D]) -> [f64; D] {
        if q[0] >= 0.0 {
            return [0.0; D];
        }
        let stick = self.stick(q);
        if crate::cone::tangential_norm(&stick) <= friction * stick[0] {
            return stick;
        }
        let mut r = [0.0; D];
        if friction == 0.0 {
            r[0] = -q[0] / self.normal;
            return r;
        }
        if D == 2 {
            // r_t has the sign of −b whatever λ, so the direction is known
            let direction = -(q[1] - self.coupling[0] * q[0] / self.normal).signum();
            r[0] = -q[0] / (self.normal + friction * direction * self.coupling[0]).max(f64::EPSILON * self.normal);
            r[1] = friction * direction * r[0];
            return r;
        }
        let slip = slip_impulse(self, friction, &[q[0], q[1], q[2]], &[near[1], near[2]]);
        r.copy_from_slice(&slip[..D]);
        r
    }
}

/// Cosine and sine of the rotation that makes `[[a, b], [b, d]]` diagonal (Jacobi).
fn diagonalising_rotation(a: f64, b: f64, d: f64) -> (f64, f64) {
    if b == 0.0 {
        return (1.0, 0.0);
    }
    // with t' = c t + s s the off-diagonal entry is cs(d − a) + (c² − s²) b
    let tau = (a - d) / (2.0 * b);
    let tangent = tau.signum() / (tau.abs() + (1.0 + tau * tau).sqrt());
    let c = 1.0 / (1.0 + tangent * tangent).sqrt();
    (c, tangent * c)
}
