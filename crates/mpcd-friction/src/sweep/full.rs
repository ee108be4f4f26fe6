//! The full kernel: any contact of two rigid bodies, its 3 × 3 (planar 2 × 2) block solved exactly.
//!
//! The tangents of the record are the contact's own, turned about n so that the tangential Schur complement is diagonal
//! ([`crate::exact`]); contacts under a user's law keep theirs.

use super::bare::Shift;
use super::bodies::{BodyAccess, BodyInertia, Motion, Shared};
use super::compliance::SoftSight;
use super::lanes::fetch;
use super::laws::LawContact;
use super::sight::{Seen, Sight};
use super::vector::{V3, add_scaled, dot, moment, spin, sub};
use crate::Cone;
use crate::error::{ErrorSum, FreeNorms, ScaledSum, natural_map, natural_step};
use crate::exact::LocalBlock;

/// What the local problem of a record is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub(super) enum Kind {
    Coulomb,
    Convex,
    Frictionless,
    Bilateral,
    BilateralNormal,
    BilateralTangential,
    Law,
}

/// One contact, four cache lines.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct FullRecord {
    pub(super) normal: V3,
    pub(super) tangent: V3,
    pub(super) candidate_lever: V3,
    pub(super) antagonist_lever: V3,
    pub(super) block: LocalBlock,
    /// Velocity shift in the record's frame (the motion of a driven body included).
    pub(super) shift: V3,
    /// Compliance in the record's frame: nn, tt, ts, ss.
    pub(super) compliance: [f64; 4],
    pub(super) friction: f64,
    pub(super) impulse: V3,
    pub(super) candidate: u32,
    pub(super) antagonist: u32,
    pub(super) kind: Kind,
    /// Index among the contacts with a user's law; unused otherwise.
    pub(super) law: u32,
}

const _: () = assert!(size_of::<FullRecord>() == 256);

/// What the full kernel reads besides the records and the lines.
#[derive(Clone, Copy)]
pub(super) struct FullContext<'a> {
    pub(super) inertia: &'a [BodyInertia],
    pub(super) laws: &'a [LawContact],
}

impl FullRecord {
    #[inline(always)]
    pub(super) fn local<const D: usize>(&self, x: &V3) -> [f64; D] {
        let mut local = [0.0; D];
        local[0] = dot::<D>(&self.normal, x);
        local[1] = dot::<D>(&self.tangent, x);
        if D == 3 {
            local[2] = dot::<D>(&moment::<3>(&self.normal, &self.tangent), x);
        }
        local
    }

    #[inline(always)]
    fn world<const D: usize>(&self, x: &[f64; D]) -> V3 {
        let mut world = add_scaled(&self.normal.map(|n| x[0] * n), x[1], &self.tangent);
        if D == 3 {
            world = add_scaled(&world, x[2], &moment::<3>(&self.normal, &self.tangent));
        }
        world
    }

    #[inline(always)]
    fn own_impulse<const D: usize>(&self) -> [f64; D] {
        let mut r = [0.0; D];
        r.copy_from_slice(&self.impulse[..D]);
        r
    }

    /// The impulse in world axes.
    pub(super) fn world_impulse<const D: usize>(&self) -> V3 {
        self.world::<D>(&self.own_impulse::<D>())
    }

    /// Shifted relative velocity without compliance.
    #[inline(always)]
    fn rigid_velocity<const D: usize>(&self, i: &Motion, j: &Motion) -> [f64; D] {
        let vi = add_scaled(&i.v, 1.0, &spin::<D>(&i.w, &self.candidate_lever));
        let vj = add_scaled(&j.v, 1.0, &spin::<D>(&j.w, &self.antagonist_lever));
        let mut u = self.local::<D>(&sub(&vi, &vj));
        for k in 0..D {
            u[k] += self.shift[k];
        }
        u
    }

    #[inline(always)]
    fn velocity<const D: usize>(&self, i: &Motion, j: &Motion) -> [f64; D] {
        let mut u = self.rigid_velocity::<D>(i, j);
        self.add_compliance::<D>(&mut u, &self.own_impulse::<D>());
        u
    }

    /// Adds what the springs of the contact give way under an impulse.
    #[inline(always)]
    fn add_compliance<const D: usize>(&self, u: &mut [f64; D], r: &[f64; D]) {
        let c = &self.compliance;
        u[0] += c[0] * r[0];
        u[1] += c[1] * r[1];
        if D == 3 {
            u[1] += c[2] * r[2];
            u[2] += c[2] * r[1] + c[3] * r[2];
        }
    }

    #[inline(always)]
    fn solve<const D: usize>(&self, u: &[f64; D], laws: &[LawContact]) -> [f64; D] {
        if self.kind == Kind::Law {
            return laws[self.law as usize].solve::<D>(u, &self.own_impulse::<D>());
        }
        let mut q = self.block.apply::<D>(&self.own_impulse::<D>());
        for k in 0..D {
            q[k] = u[k] - q[k];
        }
        match self.kind {
            Kind::Coulomb => self.block.solve_coulomb_near::<D>(self.friction, &q, &self.own_impulse::<D>()),
            Kind::Convex => self.block.solve_convex::<D>(self.friction, &q),
            Kind::Bilateral => self.block.stick::<D>(&q),
            Kind::BilateralTangential => self.block.stick_across::<D>(&q),
            Kind::Frictionless | Kind::BilateralNormal | Kind::Law => {
                let mut r = [0.0; D];
                r[0] = -q[0] / self.block.normal;
                if self.kind == Kind::Frictionless {
                    r[0] = r[0].max(0.0);
                }
                r
            }
        }
    }

    /// Gives the impulse `delta` (local) to the bodies.
    #[inline(always)]
    fn push<const D: usize, N: BodyAccess>(
        &self,
        bodies: &mut N,
        inertia: &[BodyInertia],
        i: &Motion,
        j: &Motion,
        delta: &[f64; D],
    ) {
        let delta = self.world::<D>(delta);
        let sides = [(self.candidate, i, &self.candidate_lever, 1.0), (self.antagonist, j, &self.antagonist_lever, -1.0)];
        for (body, motion, lever, sign) in sides {
            // the last entry is the world, which nothing moves and all contacts with driven bodies share
            if body as usize + 1 == inertia.len() {
                continue;
            }
            let own = &inertia[body as usize];
            let push = [motion.inverse_mass * delta[0], own.inverse_mass_yz[0] * delta[1], own.inverse_mass_yz[1] * delta[2]];
            let turn = own.apply::<D>(&moment::<D>(lever, &delta));
            bodies.store::<D>(body, &add_scaled(&motion.v, sign, &push), &add_scaled(&motion.w, sign, &turn));
        }
    }

    /// Asks for the bodies, which will soon be read.
    #[inline(always)]
    pub(super) fn ask<N: BodyAccess>(&self, bodies: &N, context: FullContext<'_>) {
        for body in [self.candidate, self.antagonist] {
            bodies.ask(body);
            fetch(context.inertia.get(body as usize));
        }
    }

    /// One Gauss–Seidel update.
    #[inline(always)]
    pub(super) fn update<const D: usize, N: BodyAccess>(&mut self, bodies: &mut N, context: FullContext<'_>) {
        let i = bodies.load::<D>(self.candidate);
        let j = bodies.load::<D>(self.antagonist);
        let r = self.solve::<D>(&self.velocity::<D>(&i, &j), context.laws);
        let mut delta = [0.0; D];
        for k in 0..D {
            delta[k] = r[k] - self.impulse[k];
            self.impulse[k] = r[k];
        }
        self.push::<D, N>(bodies, context.inertia, &i, &j, &delta);
    }

    /// One Jacobi update: the bodies stay as they are.
    pub(super) fn update_frozen<const D: usize, N: BodyAccess>(&mut self, bodies: &N, context: FullContext<'_>) {
        let i = bodies.load::<D>(self.candidate);
        let j = bodies.load::<D>(self.antagonist);
        let r = self.solve::<D>(&self.velocity::<D>(&i, &j), context.laws);
        self.impulse[..D].copy_from_slice(&r);
    }

    /// Gives the whole impulse to the bodies.
    pub(super) fn push_impulse<const D: usize, N: BodyAccess>(&self, bodies: &mut N, context: FullContext<'_>) {
        let i = bodies.load::<D>(self.candidate);
        let j = bodies.load::<D>(self.antagonist);
        self.push::<D, N>(bodies, context.inertia, &i, &j, &self.own_impulse::<D>());
    }

    /// Adds this contact's free velocity (the bodies being free) to the norms.
    pub(super) fn add_free<const D: usize, N: BodyAccess>(
        &self,
        lambda_max: f64,
        (bodies, rounding): (&N, f64),
        norms: &mut FreeNorms,
    ) {
        let i = bodies.load::<D>(self.candidate);
        let j = bodies.load::<D>(self.antagonist);
        norms.add(&self.rigid_velocity::<D>(&i, &j), lambda_max);
        let reach = |lever: &V3| lever.iter().map(|x| x.abs()).sum::<f64>();
        let speed = i.speed(reach(&self.candidate_lever)) + j.speed(reach(&self.antagonist_lever));
        norms.add_rounding(speed, self.open(rounding), lambda_max);
    }

    /// What rounding leaves open in its velocity: `rounding` where it is compliant.
    fn open(&self, rounding: f64) -> f64 {
        if self.compliance[0] > 0.0 { rounding } else { 0.0 }
    }

    /// Adds this contact's residual: the natural map of its cone, or `r − law(W, u − W r)` for a user's law.
    pub(super) fn add_error<const D: usize, N: BodyAccess>(
        &self,
        index: usize,
        lambda_max: f64,
        bodies: &N,
        laws: &[LawContact],
        sum: &mut ErrorSum,
    ) {
        let (r, u) = self.state::<D, N>(bodies);
        if let Some(cone) = self.cone() {
            sum.add(index, cone, &r, &u, lambda_max);
        } else {
            let square = self.law_residual::<D>(&r, &u, laws).iter().map(|v| v * v).sum();
            sum.add_residuals(index, square, square, &r, &u, natural_step(lambda_max));
        }
    }

    /// Adds this contact's residual, scale-free alone.
    pub(super) fn add_scaled_error<const D: usize, N: BodyAccess>(
        &self,
        lambda_max: f64,
        bodies: &N,
        laws: &[LawContact],
        sum: &mut ScaledSum,
    ) {
        let (r, u) = self.state::<D, N>(bodies);
        if let Some(cone) = self.cone() {
            sum.add(cone, &r, &u, lambda_max);
        } else {
            let square = self.law_residual::<D>(&r, &u, laws).iter().map(|v| v * v).sum();
            sum.add_residual(square, &r, &u, natural_step(lambda_max));
        }
    }

    #[inline(always)]
    fn state<const D: usize, N: BodyAccess>(&self, bodies: &N) -> ([f64; D], [f64; D]) {
        let i = bodies.load::<D>(self.candidate);
        let j = bodies.load::<D>(self.antagonist);
        (self.own_impulse::<D>(), self.velocity::<D>(&i, &j))
    }

    /// The cone, if the law is one.
    const fn cone(&self) -> Option<Cone> {
        match self.kind {
            Kind::Coulomb => Some(Cone::coulomb(self.friction)),
            Kind::Convex => Some(Cone::Convex { friction: self.friction }),
            Kind::Frictionless => Some(Cone::Frictionless),
            Kind::Bilateral => Some(Cone::Bilateral),
            Kind::BilateralNormal => Some(Cone::BilateralNormal),
            Kind::BilateralTangential => Some(Cone::BilateralTangential),
            Kind::Law => None,
        }
    }

    fn law_residual<const D: usize>(&self, r: &[f64; D], u: &[f64; D], laws: &[LawContact]) -> [f64; D] {
        let answer = self.solve::<D>(u, laws);
        std::array::from_fn(|k| r[k] - answer[k])
    }

    /// Impulse, velocity and residual beside the speeds of the bodies. `of` is what its law sees beyond its impulse.
    pub(super) fn sight<const D: usize>(
        &self,
        lambda_max: f64,
        laws: &[LawContact],
        (now, free): (&Shared<'_>, &Shared<'_>),
        (soft, rounding, of): (&SoftSight, f64, &Shift),
    ) -> Sight {
        let reach = [&self.candidate_lever, &self.antagonist_lever].map(|lever| dot::<3>(lever, lever).sqrt());
        let mut seen = Seen::load::<D>(now, free, [self.candidate, self.antagonist], reach);
        (seen.soft_change, seen.soft_speed, seen.open) = (soft.change, soft.speed, self.open(rounding));
        let (r, u) = self.state::<D, _>(now);
        // the shift holds what deformable bodies add now
        let mut q = self.rigid_velocity::<D>(&seen.free[0], &seen.free[1]);
        (0..D).for_each(|k| q[k] -= soft.moved[k]);
        let shift = self.local::<D>(&of.impulse);
        self.add_compliance::<D>(&mut q, &shift);
        let residual = match self.cone() {
            Some(cone) => natural_map(cone, natural_step(lambda_max), &r, &u),
            None => self.law_residual::<D>(&r, &u, laws),
        };
        seen.sight(lambda_max, [r, u, q, residual], (&shift, of.gross))
    }
}
