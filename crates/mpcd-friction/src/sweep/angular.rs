//! Angular rows of a contact: resistance to rolling and spinning, bounded by the parent's normal impulse, or a relative
//! turning that is held (welds). One record per contact that has them, visited after its parent.

use nalgebra::{Matrix3, Vector3};

use super::bodies::{BodyAccess, BodyInertia, Motion, Shared};
use super::diagonal::DiagonalRecord;
use super::full::FullRecord;
use super::sight::{Seen, Sight};
use super::vector::{V3, add_scaled};
use crate::error::{ErrorSum, FreeNorms, ScaledSum};
use crate::exact::{Disc, size};
use crate::problem::Angular;

/// Where the parent of a record is.
#[derive(Debug, Clone, Copy)]
pub(super) enum Parent {
    Diagonal(u32),
    Full(u32),
}

/// The angular rows of one contact. Local vectors are (n, t, s): spin first, then rolling; with D = 2 only s counts.
#[derive(Debug, Clone)]
pub(super) struct AngularRecord {
    pub(super) parent: Parent,
    pub(super) law: Angular,
    /// n, t, s in world axes.
    pub(super) axes: [V3; 3],
    /// Turning of driven bodies and the law's shift, local (rad/s).
    pub(super) shift: V3,
    /// Impulse moment on the candidate, local (N m s).
    pub(super) impulse: V3,
    /// `Hᵀ (J_i + J_j) H` of the method (masses split or not), and its inverse (zero where nothing turns).
    pub(super) block: Matrix3<f64>,
    pub(super) inverse: Matrix3<f64>,
    pub(super) disc: Disc,
    /// Bound of rolling and spinning now (N m s).
    pub(super) bound: [f64; 2],
    /// Length that makes moments and impulses comparable: √(λ_max(W_cc)/λ_max of the angular block) (m).
    pub(super) length: f64,
    pub(super) candidate: u32,
    pub(super) antagonist: u32,
}

impl AngularRecord {
    /// Takes the bounds from the parent's present normal impulse.
    pub(super) fn look_at_parent<const D: usize>(&mut self, diagonal: &[DiagonalRecord], full: &[FullRecord]) {
        if let Angular::Resistance { rolling, spinning, .. } = self.law {
            let normal = match self.parent {
                Parent::Diagonal(k) => diagonal[k as usize].normal_impulse::<D>(),
                Parent::Full(k) => full[k as usize].impulse[0],
            };
            let normal = normal.max(0.0);
            self.bound = [rolling * normal, spinning * normal];
        }
    }

    fn velocity<const D: usize>(&self, i: &Motion, j: &Motion) -> V3 {
        let relative = [i.w[0] - j.w[0], i.w[1] - j.w[1], i.w[2] - j.w[2]];
        let along = |k: usize| {
            let a = &self.axes[k];
            a[0] * relative[0] + a[1] * relative[1] + a[2] * relative[2] + self.shift[k]
        };
        let seen = if D == 2 { [0.0, 0.0, along(2)] } else { [along(0), along(1), along(2)] };
        match self.law {
            // What is not held has no condition to miss.
            Angular::Held { compliance, axes, .. } => {
                std::array::from_fn(|k| if axes[k] { seen[k] + compliance[k] * self.impulse[k] } else { 0.0 })
            }
            Angular::Resistance { .. } => seen,
        }
    }

    fn relax<const D: usize>(&self, w: &V3) -> V3 {
        match self.law {
            Angular::Held { .. } => {
                let change = self.inverse * Vector3::from(*w);
                [self.impulse[0] - change.x, self.impulse[1] - change.y, self.impulse[2] - change.z]
            }
            Angular::Resistance { .. } if D == 2 => {
                let bound = self.bound[0];
                [0.0, 0.0, limited(self.impulse[2] - w[2] * self.inverse[(2, 2)], bound)]
            }
            Angular::Resistance { about, .. } => self.resist(w, about),
        }
    }

    /// Spin, then rolling with the spin as it has become.
    fn resist(&self, w: &V3, about: Option<[f64; 2]>) -> V3 {
        let (b, m) = (&self.block, &self.impulse);
        let spin = limited(m[0] - w[0] / b[(0, 0)], self.bound[1]);
        let change = spin - m[0];
        let free = |k: usize| w[k] + b[(k, 0)] * change - b[(k, 1)] * m[1] - b[(k, 2)] * m[2];
        let free = [free(1), free(2)];
        let [t, s] = match about {
            None => self.disc.solve(free, self.bound[0]).r,
            Some(a) => {
                let along = a[0] * a[0] * b[(1, 1)] + 2.0 * a[0] * a[1] * b[(1, 2)] + a[1] * a[1] * b[(2, 2)];
                let moment = limited(-(free[0] * a[0] + free[1] * a[1]) / along, self.bound[0]);
                a.map(|a| moment * a)
            }
        };
        [spin, t, s]
    }

    fn push<const D: usize, N: BodyAccess>(&self, bodies: &mut N, inertia: &[BodyInertia], i: &Motion, j: &Motion, moment: &V3) {
        let mut world = [0.0; 3];
        for k in if D == 2 { 2..3 } else { 0..3 } {
            world = add_scaled(&world, moment[k], &self.axes[k]);
        }
        for (body, motion, sign) in [(self.candidate, i, 1.0), (self.antagonist, j, -1.0)] {
            if body as usize + 1 == inertia.len() {
                continue;
            }
            let turn = inertia[body as usize].apply::<D>(&world);
            bodies.store::<D>(body, &motion.v, &add_scaled(&motion.w, sign, &turn));
        }
    }

    fn load<const D: usize, N: BodyAccess>(&self, bodies: &N) -> (Motion, Motion) {
        (bodies.load::<D>(self.candidate), bodies.load::<D>(self.antagonist))
    }

    /// One Gauss–Seidel update.
    pub(super) fn update<const D: usize, N: BodyAccess>(&mut self, bodies: &mut N, inertia: &[BodyInertia]) {
        let (i, j) = self.load::<D, N>(bodies);
        let m = self.relax::<D>(&self.velocity::<D>(&i, &j));
        let delta = [m[0] - self.impulse[0], m[1] - self.impulse[1], m[2] - self.impulse[2]];
        self.impulse = m;
        self.push::<D, N>(bodies, inertia, &i, &j, &delta);
    }

    /// One Jacobi update: the bodies stay as they are.
    pub(super) fn update_frozen<const D: usize, N: BodyAccess>(&mut self, bodies: &N) {
        let (i, j) = self.load::<D, N>(bodies);
        self.impulse = self.relax::<D>(&self.velocity::<D>(&i, &j));
    }

    /// Gives the whole moment to the bodies.
    pub(super) fn push_impulse<const D: usize, N: BodyAccess>(&self, bodies: &mut N, inertia: &[BodyInertia]) {
        let (i, j) = self.load::<D, N>(bodies);
        self.push::<D, N>(bodies, inertia, &i, &j, &self.impulse);
    }

    /// Adds the free turning to the norms, as a velocity.
    pub(super) fn add_free<const D: usize, N: BodyAccess>(&self, lambda: f64, bodies: &N, norms: &mut FreeNorms) {
        let (i, j) = self.load::<D, N>(bodies);
        norms.add(&self.velocity::<D>(&i, &j).map(|w| w * self.length), lambda * self.length * self.length);
        let size = |w: &V3| w.iter().map(|x| x.abs()).sum::<f64>() * self.length;
        norms.add_rounding(size(&i.w) + size(&j.w), 0.0, lambda * self.length * self.length);
    }

    /// Impulse and velocity in the units of the parent, and the residual of the law at step `rho` (in the same units).
    fn residual<const D: usize, N: BodyAccess>(&self, rho: f64, bodies: &N) -> (V3, V3, V3) {
        let (i, j) = self.load::<D, N>(bodies);
        let mut u = self.velocity::<D>(&i, &j).map(|w| w * self.length);
        let r = self.impulse.map(|m| m / self.length);
        let about = match self.law {
            Angular::Resistance { about, .. } if D == 3 => about,
            _ => None,
        };
        if let Some(a) = about {
            // About what is not resisted there is no condition to miss.
            let along = u[1] * a[0] + u[2] * a[1];
            u = [u[0], along * a[0], along * a[1]];
        }
        let trial = [r[0] - rho * u[0], r[1] - rho * u[1], r[2] - rho * u[2]];
        let admissible = match self.law {
            Angular::Held { .. } => trial,
            Angular::Resistance { .. } => {
                let [rolling, spinning] = self.bound.map(|b| b / self.length);
                let [t, s] = about.map_or([trial[1], trial[2]], |a| a.map(|c| c * (trial[1] * a[0] + trial[2] * a[1])));
                let norm = size(t, s);
                let scale = if norm > rolling { rolling / norm } else { 1.0 };
                [limited(trial[0], spinning), scale * t, scale * s]
            }
        };
        (r, u, [0, 1, 2].map(|k| r[k] - admissible[k]))
    }

    fn natural_step(&self, lambda: f64) -> f64 {
        crate::error::natural_step(lambda * self.length * self.length)
    }

    /// Adds the residual, in all scalings.
    pub(super) fn add_error<const D: usize, N: BodyAccess>(&self, index: usize, lambda: f64, bodies: &N, sum: &mut ErrorSum) {
        let rho = self.natural_step(lambda);
        let (r, u, scaled) = self.residual::<D, N>(rho, bodies);
        let (_, _, plain) = self.residual::<D, N>(1.0, bodies);
        sum.add_residuals(index, square(&plain), square(&scaled), &r, &u, rho);
    }

    /// Adds the residual, scale-free alone.
    pub(super) fn add_scaled_error<const D: usize, N: BodyAccess>(&self, lambda: f64, bodies: &N, sum: &mut ScaledSum) {
        let rho = self.natural_step(lambda);
        let (r, u, residual) = self.residual::<D, N>(rho, bodies);
        sum.add_residual(square(&residual), &r, &u, rho);
    }

    /// Impulse, velocity and residual in the units of the parent, beside the speeds of the bodies and the one that shifts of impulses would give the contact point, by whose
    /// rounding bodies turn too.
    pub(super) fn sight<const D: usize>(&self, lambda: f64, (now, free): (&Shared<'_>, &Shared<'_>), gross: f64) -> Sight {
        let seen = Seen::load::<D>(now, free, [self.candidate, self.antagonist], [self.length; 2]);
        let (r, u, residual) = self.residual::<D, _>(self.natural_step(lambda), now);
        let q = self.velocity::<D>(&seen.free[0], &seen.free[1]).map(|w| w * self.length);
        seen.sight(lambda * self.length * self.length, [r, u, q, residual], (&[0.0; 3], gross))
    }
}

fn square(x: &V3) -> f64 {
    x.iter().map(|v| v * v).sum()
}

/// `x` within the bounds ±`bound`; a NaN of either is seen in the errors, and stops no program.
fn limited(x: f64, bound: f64) -> f64 {
    if x > bound {
        bound
    } else if x < -bound {
        -bound
    } else {
        x
    }
}
