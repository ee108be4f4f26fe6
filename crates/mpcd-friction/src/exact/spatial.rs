//! Sliding in 3D: the scalar equation φ(λ) = 0 of the exact local solver, and nothing else.

use super::LocalBlock;
use super::roots::stationary_points_of_quartic;

/// The impulse of a sliding contact. Requires `q_n < 0`, μ > 0 and that sticking is not admissible; returns the slip
/// solution of least λ (see the module's head). Newton begins at the λ that fits the tangential impulse `near` best.
#[must_use]
pub fn slip_impulse(block: &LocalBlock, friction: f64, q: &[f64; 3], near: &[f64; 2]) -> [f64; 3] {
    let slip = Slip::new(block, friction, q);
    let high = slip.upper_bound();
    if !high.is_finite() {
        return slip.limit();
    }
    let (low, high) = if block.slip_is_unique::<3>(friction) { (0.0, high) } else { slip.first_bracket(high) };
    slip.impulse(slip.root(low, high, slip.guess(near)))
}

/// A Newton step of this share of λ + min S is the last: what it leaves is of the size of its square.
pub(crate) const CLOSE: f64 = 1e-9;

/// One sliding problem: `r_t(λ) = −b/(s + λ)` and `r_n(λ) = −(q_n + w·r_t)/W_nn`.
struct Slip<'a> {
    block: &'a LocalBlock,
    friction: f64,
    normal_velocity: f64,
    b: [f64; 2],
    /// `1/W_nn`.
    inverse: f64,
}

impl<'a> Slip<'a> {
    fn new(block: &'a LocalBlock, friction: f64, q: &[f64; 3]) -> Self {
        let ratio = q[0] / block.normal;
        let b = [q[1] - block.coupling[0] * ratio, q[2] - block.coupling[1] * ratio];
        Self { block, friction, normal_velocity: q[0], b, inverse: 1.0 / block.normal }
    }

    /// The λ of least ‖(S + λ) t + b‖/‖t‖; zero where there is no t.
    fn guess(&self, t: &[f64; 2]) -> f64 {
        let s = self.block.schur;
        let square = t[0] * t[0] + t[1] * t[1];
        let along = (self.b[0] + s[0] * t[0]) * t[0] + (self.b[1] + s[1] * t[1]) * t[1];
        if square > 0.0 { -along / square } else { 0.0 }
    }

    fn tangential(&self, lambda: f64) -> [f64; 2] {
        let s = self.block.schur;
        [-self.b[0] * (1.0 / (s[0] + lambda)), -self.b[1] * (1.0 / (s[1] + lambda))]
    }

    /// λ beyond which φ < 0: there `‖b‖ (W_nn + μ‖w‖) < λ μ |q_n|`.
    fn upper_bound(&self) -> f64 {
        let w = self.block.coupling;
        let coupling = super::size(w[0], w[1]);
        super::size(self.b[0], self.b[1]) * (self.block.normal + self.friction * coupling)
            / (self.friction * -self.normal_velocity)
    }

    /// `F = μ r_n/‖r_t‖ − 1`, which has the sign of −φ and is nearly linear in λ, and its derivative.
    fn equation(&self, lambda: f64) -> (f64, f64) {
        let LocalBlock { coupling: w, schur: s, .. } = *self.block;
        let share = [1.0 / (s[0] + lambda), 1.0 / (s[1] + lambda)];
        let t = [-self.b[0] * share[0], -self.b[1] * share[1]];
        let inverse_norm = 1.0 / (t[0] * t[0] + t[1] * t[1]).sqrt();
        let impulse = -(self.normal_velocity + w[0] * t[0] + w[1] * t[1]) * self.inverse;
        let y = [t[0] * share[0], t[1] * share[1]];
        let scaled = self.friction * inverse_norm;
        let value = scaled * impulse - 1.0;
        let along = (t[0] * y[0] + t[1] * y[1]) * (inverse_norm * inverse_norm);
        let slope = scaled * ((w[0] * y[0] + w[1] * y[1]) * self.inverse + impulse * along);
        (value, slope)
    }

    /// The first of the intervals on which the quartic form of the equation is monotone where F turns positive.
    fn first_bracket(&self, end: f64) -> (f64, f64) {
        let scale = self.block.schur[0].max(self.block.schur[1]);
        let quartic = self.quartic(scale);
        let splits = stationary_points_of_quartic(&quartic, end / scale);
        let mut low = 0.0;
        for x in splits.as_slice() {
            let high = x * scale;
            if self.equation(high).0 > 0.0 {
                return (low, high);
            }
            low = high;
        }
        (low, end)
    }

    /// `P(x) = (s_1+λ)²(s_2+λ)² (‖r_t‖² − μ² r_n²)` at λ = scale·x, ascending powers.
    fn quartic(&self, scale: f64) -> [f64; 5] {
        let s = self.block.schur.map(|s| s / scale);
        let w = self.block.coupling;
        let b = self.b.map(|b| b / scale);
        let m = self.friction / self.block.normal;
        // μ r_n (s_1 + x)(s_2 + x) = −m (e_0 + e_1 x + e_2 x²)
        let e = [
            self.normal_velocity * s[0] * s[1] - w[0] * b[0] * s[1] - w[1] * b[1] * s[0],
            self.normal_velocity * (s[0] + s[1]) - w[0] * b[0] - w[1] * b[1],
            self.normal_velocity,
        ]
        .map(|e| m * e);
        let (b0, b1) = (b[0] * b[0], b[1] * b[1]);
        [
            b0 * s[1] * s[1] + b1 * s[0] * s[0] - e[0] * e[0],
            2.0 * (b0 * s[1] + b1 * s[0]) - 2.0 * e[0] * e[1],
            b0 + b1 - e[1] * e[1] - 2.0 * e[0] * e[2],
            -2.0 * e[1] * e[2],
            -e[2] * e[2],
        ]
    }

    /// Root of F in a bracket with F(low) < 0 < F(high): Newton, from `guess` where that is inside, kept there by bisection.
    fn root(&self, mut low: f64, mut high: f64, guess: f64) -> f64 {
        let shift = self.block.schur[0].min(self.block.schur[1]);
        let mut lambda = if guess > low && guess < high { guess } else { low };
        for _ in 0..100 {
            let (value, slope) = self.equation(lambda);
            if value < 0.0 {
                low = lambda;
            } else {
                high = lambda;
            }
            if value.abs() <= 2.0 * f64::EPSILON {
                break;
            }
            let mut next = lambda - value / slope;
            if !(next > low && next < high) {
                // geometric mean, counted from −shift
                next = ((low + shift) * (high + shift)).sqrt() - shift;
                if !(next > low && next < high) {
                    next = 0.5 * (low + high);
                    if !(next > low && next < high) {
                        break;
                    }
                }
            }
            if (next - lambda).abs() <= CLOSE * (next + shift) {
                lambda = next;
                break;
            }
            lambda = next;
        }
        lambda
    }

    /// The impulse at λ, on the cone by construction.
    fn impulse(&self, lambda: f64) -> [f64; 3] {
        let t = self.tangential(lambda);
        [super::size(t[0], t[1]) / self.friction, t[0], t[1]]
    }

    /// The impulse for λ → ∞, where q_n vanishes beside q_t.
    fn limit(&self) -> [f64; 3] {
        let norm = super::size(self.b[0], self.b[1]);
        let normal = -self.normal_velocity / self.block.normal;
        let tangential = self.friction * normal / norm;
        [normal, -self.b[0] * tangential, -self.b[1] * tangential]
    }
}
