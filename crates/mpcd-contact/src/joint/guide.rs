//! Hinges and sliders: how far they have come, and their rows. Directions are the exact discrete gradients of what is held, for bodies that
//! turn by Cayley's map: so the rows take no work, and what acts along the axis does the work that its angle or length says.

use std::f64::consts::TAU;

use mpcd_core::{BodyId, Kinematics, Quat, Vec3};
use mpcd_friction::{
    Cone,
    problem::{self, Angular, Frame},
};

use super::{
    Held, Joint, Kind,
    axis::{Law, Travel},
    rows::{About, Side},
};

/// The axis of a hinge or a slider over a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Guide {
    /// The axis is n of a slider and s of a hinge.
    pub(super) frame: Frame,
    pub(super) travel: Travel,
}

/// Half the turn of a body over a step as a vector: tan(φ/2) about the axis of the turn.
fn half_turn(before: &Quat, after: &Quat) -> Vec3 {
    let turn = after * before.inverse();
    if turn.w == 0.0 { turn.imag() * f64::MAX.sqrt() } else { turn.imag() / turn.w }
}

/// Change of the angle of a hinge over h times the relative angular velocity along `n`, both bodies turning by Cayley's map of half turns
/// `c` and `a`: Δθ = 2 arctan(x), x = ½hs √(1 + |a × n|²)/(1 + a·c), s the relative velocity.
fn share_of_turn(n: &Vec3, c: &Vec3, a: &Vec3) -> f64 {
    let half = (c - a).dot(n);
    let (up, down) = ((1.0 + a.cross(n).norm_squared()).sqrt(), 1.0 + a.dot(c));
    let x = half * up / down;
    if x.abs() < 1e-5 && down > 0.0 {
        return up / down * (1.0 - x * x / 3.0);
    }
    (half * up).atan2(down) / half
}

/// Two directions across a slider's axis, in the axes of the antagonist.
pub(super) fn across(axis: &Vec3, planar: bool) -> [Vec3; 2] {
    let frame = if planar { Frame::planar(*axis) } else { Frame::from_normal(*axis) };
    [*frame.tangent(), frame.binormal()]
}

impl Joint {
    fn turn_of(body: Option<BodyId>, k: &Kinematics) -> Quat {
        body.map_or_else(Quat::identity, |b| k.orientation[b.index()])
    }

    /// Angle (rad) or length (m) since the start; `last` is what it was a step ago, for turns beyond one.
    pub(super) fn travelled(&self, k: &Kinematics, last: f64) -> f64 {
        match &self.kind {
            Kind::Hinge { axis, across, .. } => {
                let (c, a) = (Self::turn_of(Some(self.candidate), k), Self::turn_of(self.antagonist, k));
                let (first, second) = (a * across[1], a * axis[1].cross(&across[1]));
                let seen = c * across[0];
                let angle = seen.dot(&second).atan2(seen.dot(&first));
                angle + TAU * ((last - angle) / TAU).round()
            }
            Kind::Slider { axis, .. } => {
                let [c, a] = self.ends(k, &[]);
                (Self::turn_of(self.antagonist, k) * axis).dot(&(c - a))
            }
            _ => 0.0,
        }
    }

    /// The axis over the step from `before` to `ahead`; `None` where the joint is no hinge or slider.
    pub(super) fn guide(&self, before: &Kinematics, ahead: &Kinematics, last: f64) -> Option<Guide> {
        let (a0, a1) = (Self::turn_of(self.antagonist, before), Self::turn_of(self.antagonist, ahead));
        let mean = |v: &Vec3| (a0 * v + a1 * v) * 0.5;
        let (frame, share) = match &self.kind {
            Kind::Hinge { axis, across } => {
                let (c0, c1) = (Self::turn_of(Some(self.candidate), before), Self::turn_of(Some(self.candidate), ahead));
                let n = (c0 * axis[0] + c1 * axis[0] + mean(&axis[1]) * 2.0).try_normalize(0.0)?;
                let frame = if self.planar { Frame::planar(Vec3::x()) } else { about_axis(&n, &mean(&across[1])) };
                (frame, share_of_turn(&n, &half_turn(&c0, &c1), &half_turn(&a0, &a1)))
            }
            Kind::Slider { axis, .. } => {
                let along = mean(axis);
                if self.planar {
                    let frame = Frame::planar(along);
                    (frame, along.dot(frame.normal()))
                } else {
                    // What is held acts along the means of the directions across: their normal is free.
                    let [t, s] = across(axis, false).map(|v| mean(&v));
                    let frame = Frame::from_normal_and_tangent(t.cross(&s), t);
                    (frame, along.dot(frame.normal()))
                }
            }
            _ => return None,
        };
        let start = self.axis.start;
        let of_rate = if matches!(self.kind, Kind::Hinge { .. }) { share } else { 1.0 };
        let travel = Travel { before: start + last, after: start + self.travelled(ahead, last), share, of_rate };
        Some(Guide { frame, travel })
    }

    /// The impulse of a hinge or a slider along its axis, of those in world axes.
    pub(super) fn along(&self, frame: &Frame, impulse: &Vec3, moment: &Vec3) -> f64 {
        match self.kind {
            Kind::Hinge { .. } => frame.binormal().dot(moment),
            _ => frame.normal().dot(impulse),
        }
    }

    /// Rows that hold a common point and, in space, the axis in both bodies.
    pub(super) fn hinge_rows(&self, sides: &[Side; 2], about: &About<'_>, held: &Held, axis: &[Vec3; 2]) -> problem::Contact {
        let mut rows = self.point_rows(sides, about);
        rows.impulse = rows.frame.to_local(&held.impulse);
        let Some(guide) = self.guide(about.before, about.ahead, held.last) else { return rows };
        let impulse = held.impulse;
        let shift = rows.frame.to_world(&rows.velocity_shift);
        rows.frame = guide.frame;
        (rows.impulse, rows.velocity_shift) = (rows.frame.to_local(&impulse), rows.frame.to_local(&shift));
        rows.set_moment(rows.frame.to_local(&held.moment));
        let [c, a] = sides;
        let turning = guide.frame.to_local(&(about.nodes[c.node].angular_velocity - about.nodes[a.node].angular_velocity));
        // By how much the axes lean on each other at the end, in the mean axes of the antagonist.
        let (a0, a1) = (Self::turn_of(self.antagonist, about.before), Self::turn_of(self.antagonist, about.ahead));
        let lean = (a1 * axis[1]).cross(&(Self::turn_of(Some(self.candidate), about.ahead) * axis[0]));
        let seen = a1.inverse() * lean;
        let mut shift = guide.frame.to_local(&((a0 * seen + a1 * seen) * 0.5)) / about.reach() - turning;
        let mut compliance = Vec3::zeros();
        let mut axes = [!self.planar, !self.planar, true];
        match self.axis.law(held.grip, &guide.travel, turning.z, about.step) {
            Law::Given(moment) => {
                (axes[2], shift.z) = (false, 0.0);
                rows.moment_mut().z = moment;
                if self.planar && moment == 0.0 {
                    return rows;
                }
            }
            Law::Held { shift: z, compliance: c } => (shift.z, compliance.z) = (z, c),
        }
        rows.set_angular(Some(Angular::Held { shift, compliance, axes }));
        rows
    }

    /// Rows that hold the relative orientation and a point of the candidate on an axis of the antagonist.
    pub(super) fn slider_rows(
        &self,
        [c, a]: &[Side; 2],
        about: &About<'_>,
        held: &Held,
        (axis, relative): (&Vec3, &Quat),
    ) -> Option<problem::Contact> {
        let Guide { frame, travel } = self.guide(about.before, about.ahead, held.last)?;
        let middle = c.middle();
        let mut rows = problem::Contact::new(c.node, a.node, frame, c.lever(&middle), a.lever(&middle));
        let (a0, a1) = (Self::turn_of(self.antagonist, about.before), Self::turn_of(self.antagonist, about.ahead));
        let off = c.after - a.after;
        let drift: Vec3 = across(axis, self.planar).iter().map(|b| (a0 * b + a1 * b) * (0.5 * (a1 * b).dot(&off))).sum::<Vec3>();
        let found = about.velocity(self, &rows);
        rows.velocity_shift = frame.to_local(&drift) / about.reach() - found;
        rows.impulse = frame.to_local(&held.impulse);
        rows.set_moment(frame.to_local(&held.moment));
        match self.axis.law(held.grip, &travel, found.x, about.step) {
            Law::Given(impulse) => {
                rows = rows.with_cone(Cone::BilateralTangential);
                (rows.velocity_shift.x, rows.impulse.x, rows.impulse_shift.x) = (0.0, impulse, -impulse);
            }
            Law::Held { shift, compliance } => {
                rows = rows.with_cone(Cone::Bilateral);
                (rows.velocity_shift.x, rows.compliance.x) = (shift, compliance);
            }
        }
        rows.set_angular(Some(Angular::weld(frame.to_local(&self.twist(about, relative)))));
        Some(rows)
    }

    /// The rows of velocities at the end of the step; `rate` is that along the axis where something holds it.
    pub(super) fn guide_rows_at_end(
        &self,
        rows: impl Fn(Frame, Vec3) -> problem::Contact,
        end: &Kinematics,
        rate: Option<f64>,
    ) -> Option<problem::Contact> {
        let [c, a] = self.ends(end, &[]);
        let antagonist = Self::turn_of(self.antagonist, end);
        match &self.kind {
            Kind::Hinge { axis, across } => {
                let n = antagonist * axis[1];
                let frame = if self.planar { Frame::planar(Vec3::x()) } else { about_axis(&n, &(antagonist * across[1])) };
                let mut out = rows(frame, (c + a) * 0.5).with_cone(Cone::Bilateral);
                let axes = [!self.planar, !self.planar, rate.is_some()];
                let shift = Vec3::z() * -rate.unwrap_or(0.0);
                out.set_angular(axes.contains(&true).then_some(Angular::Held { shift, compliance: Vec3::zeros(), axes }));
                Some(out)
            }
            Kind::Slider { axis, .. } => {
                let along = antagonist * axis;
                let frame = if self.planar { Frame::planar(along) } else { Frame::from_normal(along) };
                let cone = if rate.is_some() { Cone::Bilateral } else { Cone::BilateralTangential };
                let mut out = rows(frame, c).with_cone(cone).with_velocity_shift(Vec3::x() * -rate.unwrap_or(0.0));
                out.set_angular(Some(Angular::weld(Vec3::zeros())));
                Some(out)
            }
            _ => None,
        }
    }
}

/// The frame whose s is the axis `n`, with a direction across it.
fn about_axis(n: &Vec3, across: &Vec3) -> Frame {
    let first = across - n * n.dot(across);
    Frame::from_normal_and_tangent(first, n.cross(&first))
}
