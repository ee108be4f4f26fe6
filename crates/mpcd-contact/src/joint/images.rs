//! Joints in a periodic cell end on their bodies where these are written, not on the nearest of their images as contacts do. What that makes long is said once for a model.

use mpcd_core::{Kinematics, Setup};

use super::{Joint, Joints, Kind};

/// Part of a period that the ends of a joint may be apart.
const HALF: f64 = 0.5 * (1.0 + 1e-9);

/// What is said of the first joint whose ends, or whose bodies where it holds a common point, are more than half of a period apart as they are written.
pub(crate) fn images(joints: &Joints, start: &Kinematics, setup: &Setup) -> Option<String> {
    let apart = |joint: &Joint| {
        let line = matches!(joint.kind, Kind::Rod { .. } | Kind::Wire { .. } | Kind::Spring { .. });
        let place = |body: mpcd_core::BodyId| start.position[body.index()];
        let [c, a] = if line { joint.ends(start, &[]) } else { [place(joint.candidate), joint.antagonist.map(place)?] };
        let is_far = |k: &usize| setup.periods[*k].is_some_and(|period| (c - a)[*k].abs() > HALF * period);
        (0..3).find(is_far).map(|k| (k, (c - a)[k]))
    };
    let between = joints.all.iter().filter(|joint| !joint.is_on_mesh() && joint.antagonist.is_some());
    let (joint, (axis, way)) = between.filter_map(|joint| apart(joint).map(|far| (joint, far))).next()?;
    let second = joint.antagonist?;
    let period = setup.periods[axis]?;
    let nearest = way - period * (way / period).round();
    Some(format!(
        "{} and {} are joined over {} m along {}, where they are written, in a cell of {period} m; their nearest images are {} m apart there: contacts take these, joints do not; where that is meant, write the second body at its place beyond the border",
        setup.body_label(joint.candidate),
        setup.body_label(second),
        way.abs(),
        ["x", "y", "z"][axis],
        nearest.abs(),
    ))
}
