//! What joints did in a step: impulse, moment and their work, for the balances. No row is made or solved here.

use mpcd_core::{BodyId, Vec3};
use mpcd_friction::problem;

use super::{Joint, Kind};

/// What a joint did in the step, for the books.
#[derive(Debug, Clone, Copy)]
pub(crate) struct JointWork {
    pub(super) joint: usize,
    pub(crate) candidate: BodyId,
    pub(crate) antagonist: Option<BodyId>,
    /// On the candidate, world axes.
    pub(crate) impulse: Vec3,
    /// Moment on each body about its centre of mass, world axes.
    pub(crate) moments: [Vec3; 2],
    /// Work of impulse and moment (J).
    pub(crate) work: f64,
    /// Part of it that a drive gave (J).
    pub(crate) drive: f64,
    /// Work of its impulse on the way that growth takes its ends: what it gave against that, which is none of its own (J).
    pub(crate) growth: f64,
    /// (θ − ½) r·Δu of its impulse and the change of its ends' velocity (J): what its work lacks of that at the velocity h(θu⁺ + (1−θ)u⁻) leads by. Over all impulses of a step it sums to what the scheme dissipates, while that of one alone may have any sign.
    pub(crate) scheme: f64,
    /// Whether it acted at the end of the step, on the velocities alone.
    pub(crate) at_end: bool,
}

/// What solved rows did while their bodies had the velocities (linear, angular) that `mean` says, and what they end on of meshes that of
/// `of_mark`.
pub(super) fn work_of(
    joint: &Joint,
    rows: &problem::Contact,
    mean: impl Fn(BodyId) -> (Vec3, Vec3),
    of_mark: impl Fn(usize) -> Vec3,
) -> JointWork {
    let impulse = rows.world_impulse();
    let moment = rows.world_moment();
    let at = |side: usize, body: Option<BodyId>, lever: &Vec3| match (joint.marks[side], body) {
        (Some(mark), _) => (of_mark(mark), Vec3::zeros()),
        (None, None) => (Vec3::zeros(), Vec3::zeros()),
        (None, Some(b)) => {
            let (v, w) = mean(b);
            (v + w.cross(lever), w)
        }
    };
    let (vc, wc) = at(0, Some(joint.candidate), &rows.candidate_lever);
    let (va, wa) = at(1, joint.antagonist, &rows.antagonist_lever);
    JointWork {
        joint: 0,
        candidate: joint.candidate,
        antagonist: joint.antagonist,
        impulse,
        moments: [rows.candidate_lever.cross(&impulse) + moment, -rows.antagonist_lever.cross(&impulse) - moment],
        work: impulse.dot(&(vc - va)) + moment.dot(&(wc - wa)),
        drive: 0.0,
        growth: 0.0,
        scheme: 0.0,
        at_end: false,
    }
}

/// The rows of a hinge or a slider with an impulse of one along the axis and no other.
pub(super) fn unit_along(joint: &Joint, rows: &problem::Contact) -> problem::Contact {
    let mut out = rows.clone();
    let (impulse, moment) =
        if matches!(joint.kind, Kind::Hinge { .. }) { (Vec3::zeros(), Vec3::z()) } else { (Vec3::x(), Vec3::zeros()) };
    out.impulse = impulse;
    out.set_moment(moment);
    out
}
