//! The diagonal kernel: contacts whose Delassus block is `diag(W_nn, W_t, W_t)` – balls and discs, with each other and
//! with walls. The local problem is solved exactly and without branches that depend on the contact's past.
//!
//! The impulse is kept as a world vector, so that no tangents are needed: the tangential part of a world vector x is
//! `x − n (n·x)`.

use super::bare::Shift;
use super::bodies::{BodyAccess, Motion, Shared};
use super::sight::{Seen, Sight};
use super::vector::{V3, add_scaled, dot, moment, spin, sub};
use crate::Cone;
use crate::error::{ErrorSum, FreeNorms, ScaledSum, natural_map, natural_step};

/// Friction coefficient, and in its sign bit the law: Coulomb's, or the convex one. So the record stays at two cache lines.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge(f64);

impl Edge {
    /// Of a cone that the kernel knows.
    pub(super) const fn of(cone: Cone) -> Option<Self> {
        match cone {
            Cone::Coulomb { friction } => Some(Self(friction)),
            Cone::Convex { friction } => Some(Self(-friction)),
            Cone::Frictionless => Some(Self(0.0)),
            Cone::Bilateral | Cone::BilateralNormal | Cone::BilateralTangential => None,
        }
    }

    /// From what [`Edge::signed`] says.
    pub(super) const fn of_signed(signed: f64) -> Self {
        Self(signed)
    }

    /// The coefficient, with the law in its sign bit.
    pub(super) const fn signed(self) -> f64 {
        self.0
    }

    #[inline(always)]
    fn friction(self) -> f64 {
        self.0.abs()
    }

    #[inline(always)]
    fn is_convex(self) -> bool {
        self.0.is_sign_negative()
    }

    #[inline(always)]
    fn cone(self) -> Cone {
        let friction = self.friction();
        if self.is_convex() { Cone::Convex { friction } } else { Cone::Coulomb { friction } }
    }
}

/// One contact, two cache lines. Laid out so that the second line is the only one written.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct DiagonalRecord {
    pub(super) normal: V3,
    /// Distance from each centre to the contact point along the normal: the candidate's lever is `−arm[0] n`, the
    /// antagonist's `+arm[1] n`.
    pub(super) arm: [f64; 2],
    /// 1/(W_nn + c_n) and 1/W_t.
    pub(super) inverse_normal: f64,
    pub(super) inverse_tangential: f64,
    pub(super) edge: Edge,
    pub(super) impulse: V3,
    /// Velocity shift, world axes (the motion of a driven body included).
    pub(super) shift: V3,
    pub(super) compliance: f64,
    pub(super) candidate: u32,
    pub(super) antagonist: u32,
}

const _: () = assert!(size_of::<DiagonalRecord>() == 128);

impl DiagonalRecord {
    /// Normal part of the impulse to which the law applies.
    pub(super) fn normal_impulse<const D: usize>(&self) -> f64 {
        dot::<D>(&self.normal, &self.impulse)
    }

    /// Shifted relative velocity in world axes, without compliance.
    #[inline(always)]
    fn velocity<const D: usize>(&self, i: &Motion, j: &Motion) -> V3 {
        let turning = add_scaled(&i.w.map(|w| self.arm[0] * w), self.arm[1], &j.w);
        let u = sub(&sub(&i.v, &j.v), &spin::<D>(&turning, &self.normal));
        add_scaled(&u, 1.0, &self.shift)
    }

    /// Solves the contact with the bodies as they are; returns the change of its impulse.
    #[inline(always)]
    fn relax<const D: usize>(&mut self, i: &Motion, j: &Motion) -> V3 {
        let n = &self.normal;
        let r = self.impulse;
        let u = self.velocity::<D>(i, j);
        let r_n = dot::<D>(n, &r);
        let along = dot::<D>(n, &u);
        let u_n = along + self.compliance * r_n;
        let stick_n = r_n - u_n * self.inverse_normal;
        let trial = add_scaled(&r, -self.inverse_tangential, &u);
        let t = add_scaled(&trial, -(r_n - self.inverse_tangential * along), n);
        let square = dot::<D>(&t, &t);
        let new_n = if self.edge.is_convex() { self.convex_normal(stick_n, square.sqrt()) } else { stick_n.max(0.0) };
        let bound = self.edge.friction() * new_n;
        let scale = if square > bound * bound { bound / square.sqrt() } else { 1.0 };
        self.impulse = add_scaled(&t.map(|t| scale * t), new_n, n);
        sub(&self.impulse, &r)
    }

    /// Normal impulse under the convex law, of the impulse that would stick (normal part, size of the tangential part). It
    /// is that of sticking inside the cone; else the minimum of ½ rᵀWr + q·r on the cone's edge, whose direction is known:
    /// (μ τ W_t + n W_n)/(W_n + μ² W_t), or zero where that is not positive, which is where q lies in the dual cone.
    #[inline(always)]
    fn convex_normal(&self, stick_n: f64, stick_t: f64) -> f64 {
        let friction = self.edge.friction();
        if stick_t <= friction * stick_n {
            return stick_n;
        }
        let (n, t) = (self.inverse_normal, self.inverse_tangential);
        ((friction * stick_t * n + stick_n * t) / (t + friction * friction * n)).max(0.0)
    }

    /// Gives the impulse `delta` to the bodies.
    #[inline(always)]
    fn push<const D: usize, N: BodyAccess>(&self, bodies: &mut N, i: &Motion, j: &Motion, delta: &V3) {
        let turn = moment::<D>(&self.normal, delta);
        // the world alone has neither; a body may be free to turn and nothing else
        if i.inverse_mass != 0.0 || i.inverse_inertia != 0.0 {
            bodies.store::<D>(
                self.candidate,
                &add_scaled(&i.v, i.inverse_mass, delta),
                &add_scaled(&i.w, -i.inverse_inertia * self.arm[0], &turn),
            );
        }
        if j.inverse_mass != 0.0 || j.inverse_inertia != 0.0 {
            bodies.store::<D>(
                self.antagonist,
                &add_scaled(&j.v, -j.inverse_mass, delta),
                &add_scaled(&j.w, -j.inverse_inertia * self.arm[1], &turn),
            );
        }
    }

    /// One Gauss–Seidel update.
    #[inline(always)]
    pub(super) fn update<const D: usize, N: BodyAccess>(&mut self, bodies: &mut N) {
        let i = bodies.load::<D>(self.candidate);
        let j = bodies.load::<D>(self.antagonist);
        let delta = self.relax::<D>(&i, &j);
        self.push::<D, N>(bodies, &i, &j, &delta);
    }

    /// One Jacobi update: the bodies stay as they are.
    #[inline(always)]
    pub(super) fn update_frozen<const D: usize, N: BodyAccess>(&mut self, bodies: &N) {
        let i = bodies.load::<D>(self.candidate);
        let j = bodies.load::<D>(self.antagonist);
        self.relax::<D>(&i, &j);
    }

    /// Gives the whole impulse to the bodies.
    #[inline(always)]
    pub(super) fn push_impulse<const D: usize, N: BodyAccess>(&self, bodies: &mut N) {
        let i = bodies.load::<D>(self.candidate);
        let j = bodies.load::<D>(self.antagonist);
        self.push::<D, N>(bodies, &i, &j, &self.impulse);
    }

    fn split<const D: usize>(&self, x: &V3) -> [f64; 4] {
        let normal = dot::<D>(&self.normal, x);
        let t = add_scaled(x, -normal, &self.normal);
        [normal, t[0], t[1], if D == 2 { 0.0 } else { t[2] }]
    }

    /// Adds this contact's free velocity (the bodies being free) to the norms.
    pub(super) fn add_free<const D: usize, N: BodyAccess>(
        &self,
        lambda_max: f64,
        (bodies, rounding): (&N, f64),
        norms: &mut FreeNorms,
    ) {
        let (i, j) = (bodies.load::<D>(self.candidate), bodies.load::<D>(self.antagonist));
        let u = self.velocity::<D>(&i, &j);
        norms.add(&self.split::<D>(&u), lambda_max);
        norms.add_rounding(i.speed(self.arm[0]) + j.speed(self.arm[1]), self.open(rounding), lambda_max);
    }

    /// Impulse and velocity with the normal part first and the tangential part in world axes: norms are the same.
    #[inline(always)]
    fn state<const D: usize, N: BodyAccess>(&self, bodies: &N) -> ([f64; 4], [f64; 4]) {
        let u = self.velocity::<D>(&bodies.load::<D>(self.candidate), &bodies.load::<D>(self.antagonist));
        let r = self.split::<D>(&self.impulse);
        let mut u = self.split::<D>(&u);
        u[0] += self.compliance * r[0];
        (r, u)
    }

    /// What rounding leaves open in its velocity: `rounding` where it is compliant.
    fn open(&self, rounding: f64) -> f64 {
        if self.compliance > 0.0 { rounding } else { 0.0 }
    }

    /// Impulse, velocity and residual beside the speeds of the bodies. `rounding` is what the places leave open in a compliant contact [m/s].
    /// `of` is what its law sees beyond its impulse.
    pub(super) fn sight<const D: usize>(
        &self,
        lambda_max: f64,
        (now, free): (&Shared<'_>, &Shared<'_>),
        (rounding, of): (f64, &Shift),
    ) -> Sight {
        let mut seen = Seen::load::<D>(now, free, [self.candidate, self.antagonist], self.arm);
        seen.open = self.open(rounding);
        let (r, u) = self.state::<D, _>(now);
        let shift = self.split::<D>(&of.impulse);
        let mut q = self.split::<D>(&self.velocity::<D>(&seen.free[0], &seen.free[1]));
        q[0] += self.compliance * shift[0];
        let residual = natural_map(self.edge.cone(), natural_step(lambda_max), &r, &u);
        seen.sight(lambda_max, [r, u, q, residual], (&shift, of.gross))
    }

    /// Adds this contact's natural-map residual, in all scalings.
    pub(super) fn add_error<const D: usize, N: BodyAccess>(&self, index: usize, lambda_max: f64, bodies: &N, sum: &mut ErrorSum) {
        let (r, u) = self.state::<D, N>(bodies);
        sum.add(index, self.edge.cone(), &r, &u, lambda_max);
    }

    /// Adds this contact's natural-map residual, scale-free alone.
    #[inline(always)]
    pub(super) fn add_scaled_error<const D: usize, N: BodyAccess>(&self, lambda_max: f64, bodies: &N, sum: &mut ScaledSum) {
        let (r, u) = self.state::<D, N>(bodies);
        sum.add(self.edge.cone(), &r, &u, lambda_max);
    }
}
