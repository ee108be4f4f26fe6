//! Joints that carry a current: what is refused of them, and their Joule heat. They are branches of the network behind those of the contacts. No contacts, no
//! solver.

use mpcd_core::{InputError, JointPaths, PerJoint, Scalar, Setup, Unit, WritePort, field::names, quantity::Conductance};

use crate::{material::Materials, meshes::Meshes, report::NUMBERS};

/// Joule power of each joint (W).
pub(crate) const POWER: WritePort<Scalar, PerJoint> = WritePort::new(names::JOINT_JOULE_POWER, Unit::POWER);

/// Reads `conducts: (electrical: …)` of the joints.
pub(crate) fn read(setup: &Setup, materials: &Materials, meshes: &Meshes) -> Result<JointPaths, InputError> {
    let joints = JointPaths::read::<Conductance>(setup, "electrical", "current", &NUMBERS)?;
    for path in joints.iter() {
        for body in path.bodies {
            let label = setup.body_label(body);
            if !materials.conducts(setup.material_of(body)) {
                let error = InputError::new(format!("this joint conducts, but the material of {label} does not"));
                return Err(error.help("add `electrical: ()` to the material").within(&path.text));
            }
            if meshes.of(body.index()).is_some() {
                let error = InputError::new(format!(
                    "{label} is a mesh that conducts through its elements; where the current of a joint enters them is not computed"
                ));
                let help = "leave `conductivity` out of its material, `electrical: ()`, which makes it one lump; or join bodies that are bonded to it";
                return Err(error.help(help).within(&path.text));
            }
        }
    }
    Ok(joints)
}

/// Writes the Joule power (W) of each from the currents (A) and drops (V) of their branches, and returns the sum.
pub(crate) fn heat(joints: &JointPaths, currents: &[f64], drops: &[f64], out: &mut [f64]) -> f64 {
    let powers = currents.iter().zip(drops).map(|(current, drop)| current * drop);
    let mut sum = 0.0;
    for (path, power) in joints.iter().zip(powers) {
        out[path.joint] = power;
        sum += power;
    }
    sum
}
