//! Joints that conduct: between which nodes, with which conductance in a step, and what passed. A joint conducts as long as it holds, whatever its force. They are
//! branches of the network behind those of the contacts. No contacts, no solver.

use mpcd_core::{
    InputError, Inputs, JointPath, PerJoint, ReadPort, Scalar, Setup, Unit, WritePort, column::kept, field::names,
    quantity::Conductance,
};

use crate::{error::ElectricalError, material::Materials, meshes::Meshes, network::ResistorNetwork, report::NUMBERS};

/// 1 of a joint that holds, 0 of a broken one.
pub(crate) const HOLDS: ReadPort<Scalar, PerJoint> =
    ReadPort::fresh(names::JOINT_HOLDS, Unit::ONE).made_by("the module `Contact` before `Electrical`");
/// Joule power of each joint (W).
pub(crate) const POWER: WritePort<Scalar, PerJoint> = WritePort::new(names::JOINT_JOULE_POWER, Unit::POWER);

/// All joints that conduct.
#[derive(Debug)]
pub(crate) struct Joints {
    all: Vec<JointPath>,
    /// Number of the joint with a name among them, and the column of its current.
    columns: Vec<(usize, &'static str)>,
    /// Conductance of each in the step (S).
    now: Vec<f64>,
}

impl Joints {
    /// Reads `conducts: (electrical: …)` of the joints.
    pub(crate) fn read(setup: &Setup, materials: &Materials, meshes: &Meshes) -> Result<Self, InputError> {
        let all = setup.joint_paths::<Conductance>("electrical")?;
        for path in &all {
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
        let column = |path: &JointPath| path.name.as_ref().map(|name| format!("{name}_current"));
        if let Some(path) = all.iter().find(|path| column(path).is_some_and(|c| NUMBERS.contains(&c.as_str()))) {
            let error = InputError::new("the current of this joint would have the name of another column of `Electrical`");
            return Err(error.help("give the joint another `name`").within(&path.text));
        }
        let named = all.iter().enumerate().filter_map(|(k, path)| Some((k, kept(format!("{}_current", path.name.as_ref()?)))));
        Ok(Self { columns: named.collect(), now: vec![0.0; all.len()], all })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Names of the numbers of joints with a name.
    pub(crate) fn columns(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.columns.iter().map(|(_, name)| *name)
    }

    /// Takes from the step which of them hold, and adds them to the network; `node_of` says which node stands for each body.
    pub(crate) fn join(
        &mut self,
        inputs: &Inputs<'_>,
        node_of: &[usize],
        network: &mut ResistorNetwork,
    ) -> Result<(), ElectricalError> {
        if self.is_empty() {
            return Ok(());
        }
        let holds = inputs.read(HOLDS)?;
        for (path, now) in self.all.iter().zip(&mut self.now) {
            *now = path.conductance * holds.get(path.joint).copied().unwrap_or(0.0);
            let [i, j] = path.bodies.map(|b| node_of[b.index()]);
            network.join(i, j, *now);
        }
        Ok(())
    }

    /// Writes the Joule power (W) of each from the currents (A) and drops (V) of their branches, and returns the sum.
    pub(crate) fn heat(&self, currents: &[f64], drops: &[f64], out: &mut [f64]) -> f64 {
        let powers = currents.iter().zip(drops).map(|(current, drop)| current * drop);
        let mut sum = 0.0;
        for (path, power) in self.all.iter().zip(powers) {
            out[path.joint] = power;
            sum += power;
        }
        sum
    }

    /// The current of each joint with a name (A), positive from its first body to its second.
    pub(crate) fn numbers<'a>(&'a self, currents: &'a [f64]) -> impl Iterator<Item = (&'static str, f64)> + 'a {
        self.columns.iter().map(|&(k, name)| (name, currents[k]))
    }
}
