//! Probes of a named joint: its force and moment with their components, its work, and what goes on along its axis. They read the numbers
//! that the module of the joint reports. What may not live here: joints.

use std::sync::Arc;

use mpcd_core::{InputError, setup::Setup};

use super::section::{Component, ProbeSection};
use crate::model::errors::Collect;

/// What can be asked of a joint, and how the number of the joint is called.
pub(super) const OF_JOINTS: [(&str, &str); 10] = [
    ("joint_force", "force"),
    ("joint_moment", "moment"),
    ("joint_work", "work"),
    ("joint_angle", "angle"),
    ("joint_torque", "torque"),
    ("joint_travel", "travel"),
    ("joint_thrust", "thrust"),
    ("joint_drive", "drive"),
    ("joint_current", "current"),
    ("joint_heat", "heat"),
];

/// The number of a report that a probe of a joint shows.
pub(super) fn number(
    section: &ProbeSection,
    numbers: &[&'static str],
    setup: &Setup,
    text: &Arc<str>,
    errors: &mut Collect,
) -> Option<String> {
    let of = section.of.text.as_str();
    let (_, what) = OF_JOINTS.iter().find(|(name, _)| *name == of)?;
    let mut refuse = |error: InputError, at: &crate::model::Word| {
        errors.push(error.span(at.piece.of(text).span()));
        None
    };
    let Some(joint) = &section.joint else {
        let error = InputError::new(format!("`{of}` is of one joint; expected its name"));
        return refuse(error.help("add `joint: \"…\"`, the `name` of a joint"), &section.of);
    };
    let names = || setup.joints.iter().filter_map(|j| j.name.as_deref());
    if !names().any(|name| name == joint.text) {
        let known: Vec<&str> = names().collect();
        return refuse(InputError::unknown("joint", &joint.text, known.into_iter()), joint);
    }
    if section.group.is_some() || section.region.is_some() {
        return refuse(InputError::new("a joint has no group and no region").help("remove `group` and `region`"), joint);
    }
    let whole = format!("{}_{what}", joint.text);
    if !numbers.contains(&whole.as_str()) {
        let error = InputError::new(format!("the joint `{}` has no {what}", joint.text));
        let help = "hinges (and pins of a planar model) have an angle and a torque, sliders a travel and a thrust, driven joints a drive, those that conduct a current or a heat";
        return refuse(error.help(help), &section.of);
    }
    let is_vector = matches!(*what, "force" | "moment");
    match section.component {
        Component::Norm => Some(whole),
        Component::X if is_vector => Some(whole + "_x"),
        Component::Y if is_vector => Some(whole + "_y"),
        Component::Z if is_vector => Some(whole + "_z"),
        other => {
            let error = InputError::new(format!("`{of}` has no component {other:?}"));
            let help = if is_vector { "use `component: X`, `Y` or `Z`, or leave it out" } else { "leave `component` out" };
            refuse(error.help(help), &section.of)
        }
    }
}
