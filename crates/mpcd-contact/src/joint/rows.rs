//! The rows of a joint about a motion found: conditions of the step's end, linear in the velocities about those that led there, along mean
//! directions. What lives here: one joint's rows. What may not: their solution.

use mpcd_core::{BodyId, Kinematics, Mat3, Quat, Step, Vec3};
use mpcd_friction::{
    Cone,
    problem::{self, Angular, Body, Frame, InverseInertia, Response},
};

use super::{Held, Joint, Kind};
use crate::deformable::Spot;

/// Stiffness from impulses that turn with the bodies, over that of their inertia, below which the iteration finds them soon enough.
const NEGLIGIBLE: f64 = 1e-3;
/// Slack over the length up to which a wire has none.
const FULL: f64 = 1e-9;

/// One end of a joint over the step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side {
    pub(super) node: usize,
    /// Where it is before and after.
    before: Vec3,
    pub(super) after: Vec3,
    /// Mean place of the centre of mass; `None` is the ground, or a mean of nodes.
    centre: Option<Vec3>,
    /// How much it gives way besides the body of the node (1/kg).
    gives: f64,
}

impl Side {
    pub(super) fn middle(&self) -> Vec3 {
        (self.before + self.after) * 0.5
    }

    /// From the mean place of the centre of mass to a point.
    pub(super) fn lever(&self, point: &Vec3) -> Vec3 {
        self.centre.map_or_else(Vec3::zeros, |centre| point - centre)
    }
}

/// Motion that rows are written about.
pub(super) struct About<'a> {
    pub(super) before: &'a Kinematics,
    /// Where the nodes' velocities lead.
    pub(super) ahead: &'a Kinematics,
    /// With the ground behind them.
    pub(super) nodes: &'a [Body],
    pub(super) step: &'a Step,
    /// What joints end on of meshes, before and ahead, and how much it gives way (1/kg).
    pub(super) spots: [&'a [Spot]; 2],
    pub(super) gives: &'a [f64],
}

impl About<'_> {
    fn sides(&self, joint: &Joint) -> [Side; 2] {
        let (before, after) = (joint.ends(self.before, self.spots[0]), joint.ends(self.ahead, self.spots[1]));
        let side = |body: Option<BodyId>, k: usize| Side {
            node: body.map_or(self.nodes.len() - 1, BodyId::index),
            before: before[k],
            after: after[k],
            centre: body
                .filter(|_| joint.marks[k].is_none())
                .map(|b| (self.before.position[b.index()] + self.ahead.position[b.index()]) * 0.5),
            gives: joint.marks[k].and_then(|mark| self.gives.get(mark)).copied().unwrap_or(0.0),
        };
        [side(Some(joint.candidate), 0), side(joint.antagonist, 1)]
    }

    /// How much of the velocity at the step's end its displacement has (s).
    pub(super) fn reach(&self) -> f64 {
        self.step.h * self.step.theta
    }

    pub(super) fn velocity(&self, joint: &Joint, rows: &problem::Contact) -> Vec3 {
        let at = |side: usize, node: usize, lever: &Vec3| {
            let spot = joint.marks[side].and_then(|mark| self.spots[1].get(mark));
            spot.map_or_else(|| self.nodes[node].velocity_at(lever), |spot| spot.velocity)
        };
        rows.frame.to_local(&(at(0, rows.candidate, &rows.candidate_lever) - at(1, rows.antagonist, &rows.antagonist_lever)))
    }
}

impl Joint {
    /// The rows of the joint, with the impulses held.
    pub(super) fn rows(&self, about: &About<'_>, held: &Held) -> problem::Contact {
        let sides = about.sides(self);
        let mut rows = match &self.kind {
            Kind::Hinge { axis, .. } => return self.hinge_rows(&sides, about, held, axis),
            Kind::Slider { axis, relative } => {
                let rows = self.slider_rows(&sides, about, held, (axis, relative));
                return rows.unwrap_or_else(|| self.point_rows(&sides, about));
            }
            Kind::Pin | Kind::Weld { .. } => self.point_rows(&sides, about),
            Kind::Rod { .. } | Kind::Wire { .. } | Kind::Spring { .. } => self.line_rows(&sides, about, held),
        };
        rows.impulse = rows.frame.to_local(&held.impulse);
        if !matches!(rows.response, Response::Cone(Cone::Bilateral)) {
            // Along the line alone: nothing would answer for the rest.
            rows.impulse = Vec3::x() * rows.impulse.x;
        }
        if rows.angular().is_some() {
            rows.set_moment(rows.frame.to_local(&held.moment));
        }
        rows
    }

    fn frame(&self, n: Vec3) -> Frame {
        if self.planar { Frame::planar(n) } else { Frame::from_normal(n) }
    }

    /// Rows that hold a common point, and for welds the relative turning.
    pub(super) fn point_rows(&self, [c, a]: &[Side; 2], about: &About<'_>) -> problem::Contact {
        let frame = self.frame(Vec3::x());
        // One point for both, so that the impulse leaves the angular momentum as it is.
        let middle = (c.middle() + a.middle()) * 0.5;
        let mut rows =
            problem::Contact::new(c.node, a.node, frame, c.lever(&middle), a.lever(&middle)).with_cone(Cone::Bilateral);
        rows.velocity_shift = frame.to_local(&((c.after - a.after) / about.reach())) - about.velocity(self, &rows);
        if let Kind::Weld { relative } = self.kind {
            rows.set_angular(Some(Angular::weld(frame.to_local(&self.twist(about, &relative)))));
        }
        rows
    }

    /// What the relative angular velocity is held at zero with, so that the relative orientation is `relative` at the end [rad/s].
    pub(super) fn twist(&self, about: &About<'_>, relative: &Quat) -> Vec3 {
        let seen = |b: BodyId| about.ahead.orientation[b.index()];
        let spin = |b: BodyId| about.nodes[b.index()].angular_velocity;
        let wanted = self.antagonist.map_or(*relative, |a| seen(a) * relative);
        let drift = (seen(self.candidate) * wanted.inverse()).scaled_axis();
        drift / about.reach() - (spin(self.candidate) - self.antagonist.map_or_else(Vec3::zeros, spin))
    }

    /// Rows along the mean of the lines between the ends, before and after: n·(moved) is then the change of the length, but for the
    /// share `slant`. Where they pull, the direction turns with the ends as the rows across say: c r_t = u_t − u_t^k, to first order.
    fn line_rows(&self, [c, a]: &[Side; 2], about: &About<'_>, held: &Held) -> problem::Contact {
        let (theta, reach, h) = (about.step.theta, about.reach(), about.step.h);
        let (before, after) = ((c.before - a.before).norm(), (c.after - a.after).norm());
        let line = c.middle() - a.middle();
        let size = line.norm();
        let n = if size > 0.0 { line / size } else { Vec3::x() };
        let mean = 0.5 * (before + after);
        let slant = if size > 0.0 { (size / mean).min(1.0) } else { 1.0 };
        let rows = |n: Vec3| problem::Contact::new(c.node, a.node, self.frame(n), c.lever(&c.middle()), a.lever(&a.middle()));
        let mut out = rows(n);
        let found = about.velocity(self, &out);
        let (normal, compliance) = match self.kind {
            Kind::Wire { length } if !held.taut => {
                let room = (length - after) / (slant * reach);
                let slack = rows(-n).with_cone(Cone::Frictionless);
                return slack.with_velocity_shift(Vec3::x() * (room + found.x));
            }
            Kind::Spring { length, stiffness: k, damping } => {
                // r = −h [k (θℓ⁺ + (1−θ)ℓ⁻ − ℓ₀) + c Δℓ/h] along the line, of which n has the share `slant`.
                let response = h * slant * slant * (theta * reach * k + theta * damping);
                let stretch = theta * after + (1.0 - theta) * before - length;
                let push = h * slant * (k * stretch + damping * (after - before) / h);
                (push / response, 1.0 / response)
            }
            Kind::Rod { length } | Kind::Wire { length } => ((after - length) / (slant * reach), 0.0),
            _ => (0.0, 0.0),
        };
        out.velocity_shift = Vec3::x() * (normal - found.x);
        out.compliance.x = compliance;
        let stiffness = -n.dot(&held.impulse) * 0.5 * reach / size;
        let response = [c, a].map(|side| about.nodes[side.node].inverse_mass.max() + side.gives).iter().sum::<f64>();
        if stiffness * response > NEGLIGIBLE {
            let across = 1.0 / stiffness;
            out = out.with_cone(Cone::Bilateral);
            out.compliance = Vec3::new(compliance, across, across);
            out.velocity_shift -= Vec3::new(0.0, found.y, if self.planar { 0.0 } else { found.z });
        } else {
            out = out.with_cone(Cone::BilateralNormal);
        }
        out
    }

    /// How stiff the impulse held makes its bodies against turning: the moment ā × r turns with them. World axes, impulse moment for a
    /// change of the angular velocity at the step's end [kg m²]; for (candidate, antagonist), ends of arms taken at the step's end.
    pub(super) fn stiffness(&self, (ahead, spots): (&Kinematics, &[Spot]), held: &Held, step: &Step) -> [Mat3; 2] {
        let mut ends = self.ends(ahead, spots);
        if matches!(self.kind, Kind::Slider { .. }) {
            // It acts on both where the candidate has come.
            ends[1] = ends[0];
        }
        let of = |side: usize, body: Option<BodyId>, r: Vec3| {
            let end = ends[side];
            body.filter(|_| self.marks[side].is_none()).map_or_else(Mat3::zeros, |b| {
                let arm = end - ahead.position[b.index()];
                let whole = Mat3::from_diagonal_element(arm.dot(&r)) - arm * r.transpose();
                (whole + whole.transpose()) * (0.25 * step.h * step.theta)
            })
        };
        [of(0, Some(self.candidate), held.impulse), of(1, self.antagonist, -held.impulse)]
    }

    /// By how much a wire is too long at the step's end (m); zero for what is no wire.
    pub(super) fn excess(&self, ahead: &Kinematics, spots: &[Spot]) -> f64 {
        let Kind::Wire { length } = self.kind else { return 0.0 };
        let [c, a] = self.ends(ahead, spots);
        (c - a).norm() - length
    }

    /// Whether a wire has no slack left: it begins the step taut, so that a chain of them need not be found link by link.
    pub(super) fn is_at_full_length(&self, before: &Kinematics, spots: &[Spot]) -> bool {
        matches!(self.kind, Kind::Wire { length } if self.excess(before, spots) >= -FULL * length)
    }

    pub(super) fn is_wire(&self) -> bool {
        matches!(self.kind, Kind::Wire { .. })
    }
}

/// A node whose inertia is stiffened by `more` about the velocity `found`: what it answers to impulses near there.
pub(super) fn stiffened(free: &Body, more: &Mat3, found: &Body, planar: bool) -> Body {
    let mut out = *free;
    if planar {
        let (own, more) = (free.inverse_inertia.matrix()[(2, 2)], more[(2, 2)]);
        if more * own > NEGLIGIBLE {
            let share = more * own / (1.0 + more * own);
            out.inverse_inertia = InverseInertia::Isotropic(own / (1.0 + more * own));
            out.angular_velocity.z += share * (found.angular_velocity.z - free.angular_velocity.z);
        }
        return out;
    }
    if (free.inverse_inertia.matrix() * more).norm() <= NEGLIGIBLE {
        return out;
    }
    let own = free.inverse_inertia.matrix();
    let more = stiffening(&own, more);
    // (I + G)⁻¹ = (1 + J G)⁻¹ J on the axes that turn, J = I⁻¹.
    if let Some(inverse) = (Mat3::identity() + own * more).try_inverse() {
        let response = inverse * own;
        out.inverse_inertia = InverseInertia::Tensor((response + response.transpose()) * 0.5);
        out.angular_velocity += response * (more * (found.angular_velocity - free.angular_velocity));
    }
    out
}

/// What of a change of moments stiffens a body that answers with `own`: its positive part, in the measure of the inertia. Of a slender body a moment across turns next to nothing about its length, so that the positive part
/// by itself would bear on its length what is far above its inertia there. The other part stays with the iteration.
fn stiffening(own: &Mat3, more: &Mat3) -> Mat3 {
    let parts = own.symmetric_eigen();
    let scaled = |power: fn(f64) -> f64| {
        parts.eigenvectors
            * Mat3::from_diagonal(&parts.eigenvalues.map(|x| if x > 0.0 { power(x) } else { 0.0 }))
            * parts.eigenvectors.transpose()
    };
    let (root, back) = (scaled(f64::sqrt), scaled(|x| 1.0 / x.sqrt()));
    let seen = root * more * root;
    let seen = ((seen + seen.transpose()) * 0.5).symmetric_eigen();
    let positive = seen.eigenvectors * Mat3::from_diagonal(&seen.eigenvalues.map(|x| x.max(0.0))) * seen.eigenvectors.transpose();
    back * positive * back
}
