//! Joints through which something passes from body to body: current, heat. What a joint conducts is written beside it in the model file and read by the module
//! that computes it. No mechanics here.

use crate::{
    column::kept,
    field::names,
    ids::BodyId,
    input::{Fragment, InputError},
    physics::Inputs,
    quantity::{Kind, NonNegative, Quantity},
    setup::{Joint, Setup},
    typed::{PerJoint, PortMisuse, ReadPort, Scalar},
    unit::Unit,
};

/// A joint that conducts.
#[derive(Debug, Clone)]
pub struct JointPath {
    /// Its number among the joints of the set-up: the row of fields on joints.
    pub joint: usize,
    /// What it joins.
    pub bodies: [BodyId; 2],
    /// Its conductance while it holds, in the unit of what passes.
    pub conductance: f64,
    /// Where the model says so.
    pub text: Fragment,
}

/// All joints that conduct one thing: what each conducts in the step, and the columns of what passes through those with a name. A joint conducts as long as it
/// holds, whatever its force.
#[derive(Debug)]
pub struct JointPaths {
    all: Vec<JointPath>,
    /// Number among them of each with a name, and its column.
    columns: Vec<(usize, &'static str)>,
    /// Conductance of each in the step.
    now: Vec<f64>,
}

impl JointPaths {
    /// 1 of a joint that holds, 0 of a broken one.
    pub const HOLDS: ReadPort<Scalar, PerJoint> =
        ReadPort::fresh(names::JOINT_HOLDS, Unit::ONE).made_by("the module `Contact` before the one whose joints conduct");

    /// Reads the joints that conduct what is called `part` (`conducts: (part: …)`), with a conductance of kind `K`. What passes through a joint with a name is
    /// the column `name_flow`, which may be none of `taken`.
    ///
    /// # Errors
    /// A conductance that cannot be read, a joint to the ground, which has no state of its own, and a name that makes a column that is there.
    pub fn read<K: Kind>(setup: &Setup, part: &str, flow: &str, taken: &[&str]) -> Result<Self, InputError> {
        let (mut all, mut columns) = (Vec::new(), Vec::new());
        for (number, joint) in setup.joints.iter().enumerate() {
            let Some(text) = joint.conducts.get(part) else { continue };
            if let Some(name) = &joint.name {
                let column = format!("{name}_{flow}");
                if taken.contains(&column.as_str()) {
                    let error =
                        InputError::new(format!("the {flow} of this joint would have the name of another column, `{column}`"));
                    return Err(error.help("give the joint another `name`").within(text));
                }
                columns.push((all.len(), kept(column)));
            }
            all.push(path::<K>(number, joint, part, text)?);
        }
        Ok(Self { now: vec![0.0; all.len()], all, columns })
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Each of them.
    pub fn iter(&self) -> impl Iterator<Item = &JointPath> {
        self.all.iter()
    }

    /// Takes from the step which of them hold.
    ///
    /// # Errors
    /// A module that did not declare [`JointPaths::HOLDS`].
    pub fn take(&mut self, inputs: &Inputs<'_>) -> Result<(), PortMisuse> {
        if !self.is_empty() {
            let holds = inputs.read(Self::HOLDS)?;
            let held = |path: &JointPath| holds.get(path.joint).copied().unwrap_or(0.0);
            self.all.iter().zip(&mut self.now).for_each(|(path, now)| *now = path.conductance * held(path));
        }
        Ok(())
    }

    /// What each leads from and to, and conducts in the step.
    pub fn links(&self) -> impl Iterator<Item = ([BodyId; 2], f64)> {
        self.all.iter().zip(&self.now).map(|(path, now)| (path.bodies, *now))
    }

    /// Names of the columns.
    pub fn columns(&self) -> impl Iterator<Item = &'static str> {
        self.columns.iter().map(|(_, name)| *name)
    }

    /// What passes through each joint with a name, positive from its first body to its second. `flows` are those of all branches of a network, of which the
    /// last are these joints; before anything has passed there are none.
    pub fn numbers<'a>(&'a self, flows: &'a [f64]) -> impl Iterator<Item = (&'static str, f64)> + 'a {
        let own = flows.get(flows.len().saturating_sub(self.all.len())..).unwrap_or(&[]);
        self.columns.iter().map(move |&(k, name)| (name, own.get(k).copied().unwrap_or(0.0)))
    }
}

fn path<K: Kind>(number: usize, joint: &Joint, part: &str, text: &Fragment) -> Result<JointPath, InputError> {
    let conductance = text.parse::<Quantity<K, NonNegative>>()?.si();
    let (first, Some(second)) = joint.bodies else {
        let error = InputError::new(format!("the ground takes no part in `{part}`, so a joint to it leads nowhere"));
        return Err(error.help("join the body to another one, which may be `Fixed`").within(text));
    };
    Ok(JointPath { joint: number, bodies: [first, second], conductance, text: text.clone() })
}
