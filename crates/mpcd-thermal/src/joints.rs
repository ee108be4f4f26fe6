//! Joints that conduct heat: links of the network behind those of the contacts, and the Joule heat of joints that carry a current. A joint conducts as long as it
//! holds, whatever its force. No solver.

use mpcd_core::{
    InputError, Inputs, JointPath, OptionalPort, PerJoint, PortMisuse, ReadPort, Scalar, Setup, Unit, column::kept, field::names,
    quantity::HeatConductance,
};

use crate::{meshes::Meshes, network::HeatNetwork};

/// 1 of a joint that holds, 0 of a broken one.
pub(crate) const HOLDS: ReadPort<Scalar, PerJoint> =
    ReadPort::fresh(names::JOINT_HOLDS, Unit::ONE).made_by("the module `Contact` before `Thermal`");
/// Joule power of each joint (W).
pub(crate) const POWER: OptionalPort<Scalar, PerJoint> = ReadPort::fresh(names::JOINT_JOULE_POWER, Unit::POWER).optional();

/// All joints that conduct heat.
#[derive(Debug)]
pub(crate) struct Joints {
    all: Vec<JointPath>,
    /// Number of the joint with a name among them, and the column of its heat.
    columns: Vec<(usize, &'static str)>,
    /// Conductance of each in the step (W/K).
    now: Vec<f64>,
}

impl Joints {
    /// Reads `conducts: (thermal: …)` of the joints; `takes_part` says whether a body has a temperature.
    pub(crate) fn read(setup: &Setup, meshes: &Meshes, takes_part: impl Fn(usize) -> bool) -> Result<Self, InputError> {
        let all = setup.joint_paths::<HeatConductance>("thermal")?;
        for path in &all {
            for body in path.bodies {
                let label = setup.body_label(body);
                if meshes.is_mesh(body.index()) {
                    let error = InputError::new(format!(
                        "{label} is a mesh; where the heat of a joint enters its elements is not computed"
                    ));
                    return Err(error.help("join a rigid body to its side, and that one to the other").within(&path.text));
                }
                if !takes_part(body.index()) {
                    let error = InputError::new(format!("this joint conducts heat, but {label} has no temperature"));
                    let help = "add `thermal: (…)` to its material; what has no mass needs a `Temperature` boundary as well";
                    return Err(error.help(help).within(&path.text));
                }
            }
        }
        let named = all.iter().enumerate().filter_map(|(k, path)| Some((k, kept(format!("{}_heat", path.name.as_ref()?)))));
        Ok(Self { columns: named.collect(), now: vec![0.0; all.len()], all })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Names of the numbers of joints with a name.
    pub(crate) fn columns(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.columns.iter().map(|(_, name)| *name)
    }

    /// Takes from the step which of them hold.
    pub(crate) fn take(&mut self, inputs: &Inputs<'_>) -> Result<(), PortMisuse> {
        if !self.is_empty() {
            let holds = inputs.read(HOLDS)?;
            let held = |path: &JointPath| holds.get(path.joint).copied().unwrap_or(0.0);
            self.all.iter().zip(&mut self.now).for_each(|(path, now)| *now = path.conductance * held(path));
        }
        Ok(())
    }

    /// Adds them to the network.
    pub(crate) fn link(&self, network: &mut HeatNetwork) {
        for (path, now) in self.all.iter().zip(&self.now) {
            let [i, j] = path.bodies.map(mpcd_core::BodyId::index);
            network.join(i, j, *now);
        }
    }

    /// The heat flow through each joint with a name (W), positive from its first body to its second; `flows` are those of all links, of which the last are
    /// joints. Before heat has moved there is none.
    pub(crate) fn numbers<'a>(&'a self, flows: &'a [f64]) -> impl Iterator<Item = (&'static str, f64)> + 'a {
        let own = flows.get(flows.len().saturating_sub(self.all.len())..).unwrap_or(&[]);
        self.columns.iter().map(move |&(k, name)| (name, own.get(k).copied().unwrap_or(0.0)))
    }
}
