//! Bodies that joints hold together have no contact, so that what modules let pass between bodies (current, heat) does not pass there unless a joint conducts it. Said once for a model. No contact is looked for.

use std::collections::BTreeSet;

use mpcd_core::{BodyId, Setup, setup::Joint};

use super::Joints;
use crate::across::passing;

/// What is said of the first pair that is held together, where both have a material part of something that no joint between them conducts.
pub(crate) fn insulating(joints: &Joints, setup: &Setup) -> Option<String> {
    if setup.passing.is_empty() {
        return None;
    }
    let pair = |a: BodyId, b: BodyId| if a < b { [a, b] } else { [b, a] };
    let conducted = |part: &str, both: [BodyId; 2]| {
        let between = |joint: &Joint| joint.bodies.1.is_some_and(|second| pair(joint.bodies.0, second) == both);
        setup.joints.iter().any(|joint| joint.conducts.contains_key(part) && between(joint))
    };
    let held = joints.all.iter().filter(|joint| joint.holds_together());
    let pairs: BTreeSet<[BodyId; 2]> = held.filter_map(|joint| joint.antagonist.map(|a| pair(joint.candidate, a))).collect();
    let missing = |both: &[BodyId; 2]| {
        passing(setup, both[0], both[1], false).filter(|part| !conducted(part, *both)).map(|part| format!("`{part}`")).collect()
    };
    let mut insulated = pairs.iter().map(|both| (both, missing(both))).filter(|(_, parts): &(_, Vec<String>)| !parts.is_empty());
    let ([a, b], parts) = insulated.next()?;
    let more = match insulated.count() {
        0 => String::new(),
        count => format!(", as {count} more such pairs,"),
    };
    let [a, b] = [a, b].map(|body| setup.body_label(*body));
    let first = parts[0].trim_matches('`');
    Some(format!(
        "{a} and {b}{more} are held together by a joint, so that they have no contact, and both have the material part {}: nothing of it passes between them; write `conducts: ({first}: …)` with a conductance beside the joint, 0 where nothing is to pass",
        parts.join(", ")
    ))
}
