//! Joints that conduct heat: what is refused of them, and where the Joule heat of joints that carry a current is read. They are links of the network behind those
//! of the contacts. No solver.

use mpcd_core::{
    InputError, JointPaths, OptionalPort, PerJoint, ReadPort, Scalar, Setup, Unit, field::names, quantity::HeatConductance,
};

use crate::{meshes::Meshes, report::NUMBERS};

/// Joule power of each joint (W).
pub(crate) const POWER: OptionalPort<Scalar, PerJoint> = ReadPort::fresh(names::JOINT_JOULE_POWER, Unit::POWER).optional();

/// Reads `conducts: (thermal: …)` of the joints; `takes_part` says whether a body has a temperature, and `boundaries` are the columns of boundaries.
pub(crate) fn read(
    setup: &Setup,
    meshes: &Meshes,
    boundaries: &[&str],
    takes_part: impl Fn(usize) -> bool,
) -> Result<JointPaths, InputError> {
    let taken: Vec<&str> = NUMBERS.iter().chain(boundaries).copied().collect();
    let joints = JointPaths::read::<HeatConductance>(setup, "thermal", "heat", &taken)?;
    for path in joints.iter() {
        for body in path.bodies {
            let label = setup.body_label(body);
            if meshes.is_mesh(body.index()) {
                let error =
                    InputError::new(format!("{label} is a mesh; where the heat of a joint enters its elements is not computed"));
                return Err(error.help("join a rigid body to its side, and that one to the other").within(&path.text));
            }
            if !takes_part(body.index()) {
                let error = InputError::new(format!("this joint conducts heat, but {label} has no temperature"));
                let help = "add `thermal: (…)` to its material; what has no mass needs a `Temperature` boundary as well";
                return Err(error.help(help).within(&path.text));
            }
        }
    }
    Ok(joints)
}
