//! The diagonal kernel: contacts whose Delassus block is `diag(W_nn, W_t, W_t)` – balls and discs, with each other and
//! with walls. The local problem is solved exactly and without branches that depend on the contact's past.
//!
//! The impulse is kept as a world vector, so that no tangents are needed: the tangential part of a world vector x is
//! `x − n (n·x)`.

use super::nodes::{Motion, NodeAccess};
use super::vector::{V3, add_scaled, dot, moment, spin, sub};
use crate::Cone;
use crate::error::{ErrorSum, FreeNorms, ScaledSum};

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
    pub(super) friction: f64,
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
        let u_n = dot::<D>(n, &u) + self.compliance * r_n;
        let new_n = (r_n - u_n * self.inverse_normal).max(0.0);
        let trial = add_scaled(&r, -self.inverse_tangential, &u);
        let t = add_scaled(&trial, -dot::<D>(n, &trial), n);
        let bound = self.friction * new_n;
        let square = dot::<D>(&t, &t);
        let scale = if square > bound * bound { bound / square.sqrt() } else { 1.0 };
        self.impulse = add_scaled(&t.map(|t| scale * t), new_n, n);
        sub(&self.impulse, &r)
    }

    /// Gives the impulse `delta` to the bodies.
    #[inline(always)]
    fn push<const D: usize, N: NodeAccess>(&self, nodes: &mut N, i: &Motion, j: &Motion, delta: &V3) {
        let turn = moment::<D>(&self.normal, delta);
        if i.inverse_mass != 0.0 {
            nodes.store::<D>(
                self.candidate,
                &add_scaled(&i.v, i.inverse_mass, delta),
                &add_scaled(&i.w, -i.inverse_inertia * self.arm[0], &turn),
            );
        }
        if j.inverse_mass != 0.0 {
            nodes.store::<D>(
                self.antagonist,
                &add_scaled(&j.v, -j.inverse_mass, delta),
                &add_scaled(&j.w, -j.inverse_inertia * self.arm[1], &turn),
            );
        }
    }

    /// One Gauss–Seidel update.
    #[inline(always)]
    pub(super) fn update<const D: usize, N: NodeAccess>(&mut self, nodes: &mut N) {
        let i = nodes.load::<D>(self.candidate);
        let j = nodes.load::<D>(self.antagonist);
        let delta = self.relax::<D>(&i, &j);
        self.push::<D, N>(nodes, &i, &j, &delta);
    }

    /// One Jacobi update: the bodies stay as they are.
    #[inline(always)]
    pub(super) fn update_frozen<const D: usize, N: NodeAccess>(&mut self, nodes: &N) {
        let i = nodes.load::<D>(self.candidate);
        let j = nodes.load::<D>(self.antagonist);
        self.relax::<D>(&i, &j);
    }

    /// Gives the whole impulse to the bodies.
    #[inline(always)]
    pub(super) fn push_impulse<const D: usize, N: NodeAccess>(&self, nodes: &mut N) {
        let i = nodes.load::<D>(self.candidate);
        let j = nodes.load::<D>(self.antagonist);
        self.push::<D, N>(nodes, &i, &j, &self.impulse);
    }

    fn split<const D: usize>(&self, x: &V3) -> [f64; 4] {
        let normal = dot::<D>(&self.normal, x);
        let t = add_scaled(x, -normal, &self.normal);
        [normal, t[0], t[1], if D == 2 { 0.0 } else { t[2] }]
    }

    /// Adds this contact's free velocity (the bodies being free) to the norms.
    pub(super) fn add_free<const D: usize, N: NodeAccess>(&self, lambda_max: f64, nodes: &N, norms: &mut FreeNorms) {
        let (i, j) = (nodes.load::<D>(self.candidate), nodes.load::<D>(self.antagonist));
        let u = self.velocity::<D>(&i, &j);
        norms.add(&self.split::<D>(&u), lambda_max);
        norms.add_rounding(i.speed(self.arm[0]) + j.speed(self.arm[1]), lambda_max);
    }

    /// Impulse and velocity with the normal part first and the tangential part in world axes: norms are the same.
    #[inline(always)]
    fn state<const D: usize, N: NodeAccess>(&self, nodes: &N) -> ([f64; 4], [f64; 4]) {
        let u = self.velocity::<D>(&nodes.load::<D>(self.candidate), &nodes.load::<D>(self.antagonist));
        let r = self.split::<D>(&self.impulse);
        let mut u = self.split::<D>(&u);
        u[0] += self.compliance * r[0];
        (r, u)
    }

    /// Adds this contact's natural-map residual, in all scalings.
    pub(super) fn add_error<const D: usize, N: NodeAccess>(&self, index: usize, lambda_max: f64, nodes: &N, sum: &mut ErrorSum) {
        let (r, u) = self.state::<D, N>(nodes);
        sum.add(index, Cone::coulomb(self.friction), &r, &u, lambda_max);
    }

    /// Adds this contact's natural-map residual, scale-free alone.
    #[inline(always)]
    pub(super) fn add_scaled_error<const D: usize, N: NodeAccess>(&self, lambda_max: f64, nodes: &N, sum: &mut ScaledSum) {
        let (r, u) = self.state::<D, N>(nodes);
        sum.add(Cone::coulomb(self.friction), &r, &u, lambda_max);
    }
}
