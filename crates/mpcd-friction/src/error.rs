//! The one error measure: the natural map, computed afresh from the impulses, in three scalings.
//!
//! Per contact `F = r − P_K(r − ρ(u + g(u)))`, with `u = W r + q` (PHYSICS §3; Acary–Brémond–Dubois). The difference of
//! two iterates never enters. Scalings:
//! - *scale-free*: `ρ_c = 1/λ_max(W_cc)` (1 where `W_cc = 0`), relative to `max(‖r‖, ‖ρu‖, ‖ρq‖)`; solvers stop on it
//!   (0 where the residual is below what rounding leaves of the bodies' velocities, see [`FreeNorms::add_rounding`]);
//! - *Siconos*: `ρ = 1`, relative to `max(‖q‖, ‖r‖, ‖u‖)` (`fc3d_compute_error` of Siconos ≥ 4.0);
//! - *q*: `ρ = 1`, relative to `‖q‖` (the older measure of the sources).
//!
//! Sums are plain accumulators, so that a caller can add contacts in fixed chunks and merge the chunks in order: the
//! same bits on any number of threads.

use serde::Serialize;

use crate::cone::Cone;

/// The natural-map error in its three scalings.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Errors {
    /// Scale-free: ρ_c = 1/λ_max(W_cc), relative to max(‖r‖, ‖ρu‖, ‖ρq‖). **Time stepping stops on this one.**
    pub scaled: f64,
    /// Siconos' scaling: ρ = 1, relative to max(‖q‖, ‖r‖, ‖u‖). Depends on units.
    pub siconos: f64,
    /// The sources' older scaling: ρ = 1, relative to ‖q‖. Depends on units.
    pub q: f64,
}

/// The contact that is furthest from its law.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct WorstContact {
    /// Index of the contact in the order in which it was given.
    pub contact: usize,
    /// Norm of its natural-map residual, scaled as [`Errors::scaled`].
    pub residual: f64,
}

/// Natural-map residual `r − P_K(r − ρ(u + g(u)))` of one contact.
#[inline]
#[must_use]
pub fn natural_map<const D: usize>(cone: Cone, rho: f64, r: &[f64; D], u: &[f64; D]) -> [f64; D] {
    let shifted = cone.shifted_velocity(u);
    let mut x = [0.0; D];
    for k in 0..D {
        x[k] = r[k] - rho * shifted[k];
    }
    let p = cone.project(&x);
    for k in 0..D {
        x[k] = r[k] - p[k];
    }
    x
}

/// `ρ_c = 1/λ_max(W_cc)`, 1 where the block is zero.
#[inline]
#[must_use]
pub fn natural_step(lambda_max: f64) -> f64 {
    if lambda_max > 0.0 { 1.0 / lambda_max } else { 1.0 }
}

#[inline]
fn norm2<const D: usize>(x: &[f64; D]) -> f64 {
    x.iter().map(|v| v * v).sum()
}

/// What rounding leaves of a velocity, relative to the speeds of the bodies whose difference it is.
pub(crate) const FREE_ROUNDING: f64 = 8.0 * f64::EPSILON;

/// Squared norms of the free velocities, plain and scaled by `ρ_c`.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct FreeNorms {
    plain: f64,
    scaled: f64,
    rounding: f64,
}

impl FreeNorms {
    /// Of squared norms of free velocities, of the same times `ρ_c`, and of what rounding leaves.
    pub(crate) const fn of([plain, scaled, rounding]: [f64; 3]) -> Self {
        Self { plain, scaled, rounding }
    }

    /// Adds one contact: its free velocity `q` and `λ_max(W_cc)`.
    #[inline]
    pub fn add<const D: usize>(&mut self, q: &[f64; D], lambda_max: f64) {
        let rho = natural_step(lambda_max);
        let square = norm2(q);
        self.plain += square;
        self.scaled += rho * rho * square;
    }

    /// Adds what rounding leaves of one contact: `speed` is the sum of the sizes of the bodies' velocities whose
    /// difference is `q`, `open` what the rounding of places leaves open [m/s]. A residual below it says nothing: two bodies that move on together at rest towards each other
    /// have `r`, `u` and `q` of the size of rounding, and no scale to judge them by.
    #[inline]
    pub fn add_rounding(&mut self, speed: f64, open: f64, lambda_max: f64) {
        let rounding = natural_step(lambda_max) * (FREE_ROUNDING * speed + open);
        self.rounding += rounding * rounding;
    }

    /// Norm of the impulses that could stop the free velocities one by one (N s).
    pub(crate) fn stopping(&self) -> f64 {
        self.scaled.sqrt()
    }

    /// Adds the sums of another chunk of contacts.
    pub fn merge(&mut self, other: &Self) {
        self.plain += other.plain;
        self.scaled += other.scaled;
        self.rounding += other.rounding;
    }
}

/// Running sums of the scale-free error alone: what a solver looks at between sweeps, at half the work of [`ErrorSum`].
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ScaledSum {
    residual: f64,
    impulse: f64,
    velocity: f64,
}

impl ScaledSum {
    /// Of squared norms of residuals, of impulses and of velocities times `ρ_c`.
    pub(crate) const fn of([residual, impulse, velocity]: [f64; 3]) -> Self {
        Self { residual, impulse, velocity }
    }

    /// Adds one contact: its impulse `r`, its velocity `u = W r + q` (same frame), and `λ_max(W_cc)`.
    #[inline]
    pub fn add<const D: usize>(&mut self, cone: Cone, r: &[f64; D], u: &[f64; D], lambda_max: f64) {
        let rho = natural_step(lambda_max);
        self.add_residual(norm2(&natural_map(cone, rho, r, u)), r, u, rho);
    }

    /// Adds a contact whose law is no cone: squared norm of its residual as an impulse.
    #[inline]
    pub fn add_residual<const D: usize>(&mut self, residual: f64, r: &[f64; D], u: &[f64; D], rho: f64) {
        self.residual += residual;
        self.impulse += norm2(r);
        self.velocity += rho * rho * norm2(u);
    }

    /// Adds the sums of another chunk of contacts.
    pub fn merge(&mut self, other: &Self) {
        self.residual += other.residual;
        self.impulse += other.impulse;
        self.velocity += other.velocity;
    }

    /// The scale-free error; `free` holds the norms of `q` over the same contacts.
    #[must_use]
    pub fn error(&self, free: &FreeNorms) -> f64 {
        if self.residual <= free.rounding { 0.0 } else { ratio(self.residual.sqrt(), self.scale(free)) }
    }

    /// Norms of the residuals and of the impulses (N s).
    pub(crate) fn sizes(&self) -> [f64; 2] {
        [self.residual.sqrt(), self.impulse.sqrt()]
    }

    #[cfg(test)]
    pub(crate) const fn sums(&self) -> [f64; 3] {
        [self.residual, self.impulse, self.velocity]
    }

    fn scale(&self, free: &FreeNorms) -> f64 {
        self.impulse.sqrt().max(self.velocity.sqrt()).max(free.scaled.sqrt())
    }
}

/// Running sums of the error over contacts, in all three scalings and with the worst contact.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ErrorSum {
    scaled: ScaledSum,
    residual: f64,
    velocity: f64,
    worst: Option<(usize, f64)>,
}

impl ErrorSum {
    /// Adds one contact: `index` for the report, its impulse `r` and velocity `u = W r + q` (same frame), and
    /// `λ_max(W_cc)`.
    #[inline]
    pub fn add<const D: usize>(&mut self, index: usize, cone: Cone, r: &[f64; D], u: &[f64; D], lambda_max: f64) {
        let rho = natural_step(lambda_max);
        let plain = norm2(&natural_map(cone, 1.0, r, u));
        let scaled = norm2(&natural_map(cone, rho, r, u));
        self.add_residuals(index, plain, scaled, r, u, rho);
    }

    /// Adds a contact whose law is no cone: squared norms of its residual as an impulse, plain and scaled.
    #[inline]
    pub fn add_residuals<const D: usize>(&mut self, index: usize, plain: f64, scaled: f64, r: &[f64; D], u: &[f64; D], rho: f64) {
        self.scaled.add_residual(scaled, r, u, rho);
        self.residual += plain;
        self.velocity += norm2(u);
        self.keep_worst(index, scaled);
    }

    /// Adds the sums of another chunk of contacts; on equal residuals the one already held stays the worst.
    pub fn merge(&mut self, other: &Self) {
        self.scaled.merge(&other.scaled);
        self.residual += other.residual;
        self.velocity += other.velocity;
        if let Some((index, residual)) = other.worst {
            self.keep_worst(index, residual);
        }
    }

    /// With the squared norms of residuals, of impulses and of velocities times `ρ_c`, then of residuals and velocities at the step one.
    pub(crate) const fn with_sums(self, [scaled, impulse, weighted, residual, velocity]: [f64; 5]) -> Self {
        Self { scaled: ScaledSum::of([scaled, impulse, weighted]), residual, velocity, worst: self.worst }
    }

    /// Notes the squared norm of the residual of one contact.
    pub(crate) fn keep_worst(&mut self, index: usize, residual: f64) {
        // a NaN residual is the worst there is: it must not hide
        if self.worst.is_none_or(|(_, held)| residual > held || (residual.is_nan() && !held.is_nan())) {
            self.worst = Some((index, residual));
        }
    }

    /// The three errors; `free` holds the norms of `q` over the same contacts.
    #[must_use]
    pub fn errors(&self, free: &FreeNorms) -> Errors {
        let plain = self.residual.sqrt();
        let q = free.plain.sqrt();
        let scale = q.max(self.scaled.impulse.sqrt()).max(self.velocity.sqrt());
        Errors {
            scaled: self.scaled.error(free),
            siconos: if scale > f64::EPSILON { plain / scale } else { plain },
            q: ratio(plain, q),
        }
    }

    /// The contact furthest from its law, its residual relative to the same scale as [`Errors::scaled`].
    #[must_use]
    pub fn worst(&self, free: &FreeNorms) -> Option<WorstContact> {
        let scale = self.scaled.scale(free);
        self.worst.map(|(contact, residual)| WorstContact { contact, residual: ratio(residual.sqrt(), scale) })
    }
}

fn ratio(numerator: f64, denominator: f64) -> f64 {
    if denominator > 0.0 { numerator / denominator } else { numerator }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// W = I, q = (−1, 0.8, 0.6), μ = ½ has r = (1, −0.4, −0.3), u_t = (0.4, 0.3) (VALIDATION §4).
    #[test]
    fn the_exact_answer_has_no_error_and_its_perturbation_has_one() {
        let cone = Cone::coulomb(0.5);
        let mut free = FreeNorms::default();
        free.add(&[-1.0, 0.8, 0.6], 1.0);
        let mut sum = ErrorSum::default();
        sum.add(0, cone, &[1.0, -0.4, -0.3], &[0.0, 0.4, 0.3], 1.0);
        assert!(sum.errors(&free).scaled < 1e-15);

        let mut off = ErrorSum::default();
        off.add(7, cone, &[1.01, -0.4, -0.3], &[0.01, 0.4, 0.3], 1.0);
        let errors = off.errors(&free);
        assert!(errors.scaled > 1e-3 && errors.siconos > 1e-3 && errors.q > 1e-3);
        assert_eq!(off.worst(&free).map(|w| w.contact), Some(7));
    }

    /// Lengths × 10³, masses × 10⁹: velocities and impulses change, the scale-free error does not.
    #[test]
    fn the_scaled_error_does_not_depend_on_units() {
        let cone = Cone::coulomb(0.4);
        let (r, u, q) = ([0.9, 0.2], [0.05, -0.1], [-0.85, -0.3]);
        let (fr, fu) = (1e12 / 1e3, 1e3);
        let mut errors = [0.0; 2];
        for (k, (sr, su)) in [(1.0, 1.0), (fr, fu)].into_iter().enumerate() {
            let w = 1.0 * su / sr;
            let mut free = FreeNorms::default();
            free.add(&q.map(|v| v * su), w);
            let mut sum = ErrorSum::default();
            sum.add(0, cone, &r.map(|v| v * sr), &u.map(|v| v * su), w);
            errors[k] = sum.errors(&free).scaled;
        }
        assert!((errors[0] / errors[1] - 1.0).abs() < 1e-12);
        assert!(errors[0] > 1e-3);
    }

    #[test]
    fn a_nan_is_seen() {
        let mut sum = ErrorSum::default();
        sum.add(0, Cone::coulomb(0.4), &[1.0, 0.0], &[0.5, 0.0], 1.0);
        sum.add(1, Cone::coulomb(0.4), &[f64::NAN, 0.0], &[0.0, 0.0], 1.0);
        let free = FreeNorms::default();
        assert!(sum.errors(&free).scaled.is_nan());
        assert_eq!(sum.worst(&free).map(|w| w.contact), Some(1));
    }
}
