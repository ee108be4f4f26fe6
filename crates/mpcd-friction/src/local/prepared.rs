//! A problem made ready for the solvers: W, q, μ with the scales of each contact, and the body form where M and H are
//! known. Errors of given impulses, computed afresh.

use super::bodies::BodyForm;
use super::global::GlobalProblem;
use super::problem::{LocalError, LocalProblem};
use super::spectrum::largest_eigenvalue;
use super::work;
use crate::acceptance::greater;
use crate::error::{ErrorSum, FreeNorms, natural_map, natural_step};
use crate::error::{Errors, WorstContact};
use crate::sweep::{OF_IMPULSE, OF_SPEED};

/// A checked problem with what all solvers need of it.
#[derive(Debug, Clone)]
pub struct PreparedProblem<const D: usize> {
    local: LocalProblem<D>,
    bodies: Option<BodyForm<D>>,
    lambda_max: Vec<f64>,
    free: FreeNorms,
    acceptance: Option<Acceptance>,
    /// What laws see beyond the impulses, and q without it; none where nothing is shifted.
    shifted: Option<Shifted<D>>,
}

#[derive(Debug, Clone)]
struct Shifted<const D: usize> {
    /// What rounding of velocities is relative to (m/s).
    gross: Vec<f64>,
    impulse: Vec<[f64; D]>,
    free_velocity: Vec<[f64; D]>,
}

/// What time stepping asks besides the scale-free error ([`crate::acceptance`]), as far as W, q and r tell.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Acceptance {
    /// Mass of the bodies that move (kg).
    pub(crate) mass: f64,
    /// Share of the speeds at a contact by which it may miss its law, in tolerances.
    pub(crate) speed: f64,
    /// Relative error of the forces, in tolerances.
    pub(crate) force: f64,
}

impl<const D: usize> PreparedProblem<D> {
    /// From a local problem, and the global form of the *same* problem where it is known: solvers may then work with
    /// matrices of the size of M.
    ///
    /// # Errors
    /// What the checks of both forms find; [`LocalError::Size`] where they do not belong together.
    pub fn new(local: LocalProblem<D>, global: Option<&GlobalProblem<D>>) -> Result<Self, LocalError> {
        local.check()?;
        let mut bodies = None;
        if let Some(global) = global {
            global.check()?;
            if global.contacts() != local.contacts() {
                return Err(LocalError::Size {
                    what: "mu of the global form",
                    found: global.contacts(),
                    expected: local.contacts(),
                });
            }
            bodies = BodyForm::new(global);
        }
        Ok(Self::assemble(local, bodies))
    }

    /// From a local problem and its body form.
    pub(super) fn with_bodies(local: LocalProblem<D>, bodies: BodyForm<D>) -> Result<Self, LocalError> {
        local.check()?;
        let reached = !bodies.sizes.is_empty();
        Ok(Self::assemble(local, reached.then_some(bodies)))
    }

    fn assemble(local: LocalProblem<D>, bodies: Option<BodyForm<D>>) -> Self {
        let lambda_max: Vec<f64> = (0..local.contacts()).map(|c| largest_eigenvalue(local.delassus.diagonal(c))).collect();
        let mut free = FreeNorms::default();
        for (q, lambda) in local.free_velocity.iter().zip(&lambda_max) {
            free.add(q, *lambda);
        }
        Self { local, bodies, lambda_max, free, acceptance: None, shifted: None }
    }

    /// From now on the scale-free error is the greatest of all that time stepping asks, or itself again.
    pub(crate) const fn accept_by(&mut self, acceptance: Option<Acceptance>) {
        self.acceptance = acceptance;
    }

    /// Impulses are what laws see less `shift`: what time stepping asks is relative to them and to the velocities without them.
    /// Rounding of the velocities is relative to `gross` (m/s) and to what the shift of a contact alone gives.
    pub(crate) fn shift_by(&mut self, shift: &[[f64; D]], gross: &[f64]) {
        let is_shifted = shift.iter().flatten().any(|s| *s != 0.0);
        self.shifted = is_shifted.then(|| {
            let own = shift.iter().zip(&self.lambda_max).map(|(shift, lambda)| lambda * size(shift));
            Shifted {
                impulse: shift.to_vec(),
                free_velocity: self.local.velocities(shift),
                gross: own.enumerate().map(|(c, own)| gross.get(c).map_or(own, |gross| gross.max(own))).collect(),
            }
        });
    }

    /// An island's tolerance relative to that of the whole: the scales max(‖q‖, ‖r‖, ‖u‖) of the islands add up to at
    /// most √3 times that of the whole, in the mean square.
    pub(super) const ISLAND_SHARE: f64 = 0.577;

    /// The part on some contacts, as a problem of its own. Its error is relative to at least its share of the norm of
    /// the whole problem's free velocities, so that a part at rest is not solved to rounding.
    pub(super) fn island(&self, contacts: &[usize]) -> Self {
        let mut part = Self::assemble(self.local.restrict(contacts), self.bodies.as_ref().map(|b| b.restrict(contacts)));
        let (whole, own) = (self.free_sizes(), part.free_sizes());
        let share = contacts.len() as f64 / self.contacts() as f64;
        let lifted = [0, 1].map(|k| own[k].max(share * whole[k]).sqrt());
        if lifted[0] > 0.0 && lifted[1] > 0.0 {
            let mut free = FreeNorms::default();
            // one stand-in contact with these two norms: ρ = scaled/plain
            free.add(&[lifted[0]], lifted[0] / lifted[1]);
            part.free = free;
        }
        part
    }

    /// Squared norms of q and of ρ q.
    fn free_sizes(&self) -> [f64; 2] {
        let mut sizes = [0.0; 2];
        for (q, lambda) in self.local.free_velocity.iter().zip(&self.lambda_max) {
            let square: f64 = q.iter().map(|v| v * v).sum();
            sizes[0] += square;
            sizes[1] += natural_step(*lambda).powi(2) * square;
        }
        sizes
    }

    /// W, q and μ.
    #[must_use]
    pub const fn local(&self) -> &LocalProblem<D> {
        &self.local
    }

    /// M and H by nodes, where the global form is known and not empty.
    #[must_use]
    pub const fn bodies(&self) -> Option<&BodyForm<D>> {
        self.bodies.as_ref()
    }

    /// Number of contacts.
    #[must_use]
    pub fn contacts(&self) -> usize {
        self.local.contacts()
    }

    /// λ_max of the diagonal block of a contact.
    #[must_use]
    pub fn lambda_max(&self, contact: usize) -> f64 {
        self.lambda_max[contact]
    }

    /// Errors of the impulses `r` whose velocities `u = W r + q` are given.
    #[must_use]
    pub fn errors(&self, r: &[[f64; D]], u: &[[f64; D]]) -> Errors {
        let errors = self.sum(r, u).errors(&self.free);
        match self.acceptance {
            Some(asked) => Errors { scaled: greater(errors.scaled, self.breach(asked, r, u)), ..errors },
            None => errors,
        }
    }

    /// The violations as [`crate::acceptance`] weighs them, with what W, q and r tell of the speeds at a contact.
    fn breach(&self, asked: Acceptance, r: &[[f64; D]], u: &[[f64; D]]) -> f64 {
        let (mut loss, mut work, mut misses) = (0.0, 0.0, Vec::with_capacity(r.len()));
        for (c, (r, u)) in r.iter().zip(u).enumerate() {
            let lambda = self.lambda_max[c];
            let (shift, q, gross) = match &self.shifted {
                Some(shifted) => (shifted.impulse[c], &shifted.free_velocity[c], shifted.gross[c]),
                None => ([0.0; D], &self.local.free_velocity[c], 0.0),
            };
            let held: [f64; D] = std::array::from_fn(|k| r[k] - shift[k]);
            let f = natural_map(self.local.cone(c), natural_step(lambda), r, u);
            let moved: [f64; D] = std::array::from_fn(|k| u[k] - q[k]);
            let speed = size(q).max(size(&moved));
            let floor = OF_IMPULSE * lambda * size(&held) + OF_SPEED * (gross + speed);
            loss += (lambda * (0..D).map(|k| f[k] * held[k]).sum::<f64>().abs() - floor * size(&held)).max(0.0);
            work += (0..D).map(|k| held[k] * moved[k]).sum::<f64>();
            misses.push(((lambda * size(&f) - floor).max(0.0), speed));
        }
        let common = if asked.mass > 0.0 { (work.max(0.0) / asked.mass).sqrt() } else { 0.0 };
        let ratio = |part: f64, whole: f64| if part == 0.0 { 0.0 } else { part / whole };
        let speed = misses.iter().map(|(miss, speed)| ratio(*miss, speed.max(common))).fold(0.0, greater);
        greater(ratio(loss, work) / asked.force, speed / asked.speed)
    }

    /// Errors and worst contact of the impulses `r`, velocities computed afresh.
    #[must_use]
    pub fn judge(&self, r: &[[f64; D]]) -> (Errors, Option<WorstContact>) {
        let u = self.local.velocities(r);
        (self.errors(r, &u), self.sum(r, &u).worst(&self.free))
    }

    fn sum(&self, r: &[[f64; D]], u: &[[f64; D]]) -> ErrorSum {
        work::count(work::RESIDUAL * self.contacts() as u64);
        let mut sum = ErrorSum::default();
        for c in 0..self.contacts() {
            sum.add(c, self.local.cone(c), &r[c], &u[c], self.lambda_max[c]);
        }
        sum
    }
}

fn size<const D: usize>(x: &[f64; D]) -> f64 {
    x.iter().map(|v| v * v).sum::<f64>().sqrt()
}
