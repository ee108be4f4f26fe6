//! Joints through which something passes from body to body: current, heat. What a joint conducts is written beside it in the model file and read by the module
//! that computes it. No mechanics here.

use crate::{
    ids::BodyId,
    input::{Fragment, InputError},
    quantity::{Kind, NonNegative, Quantity},
    setup::Setup,
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
    /// Its name.
    pub name: Option<String>,
    /// Where the model says so.
    pub text: Fragment,
}

impl Setup {
    /// The joints that conduct what is called `what` (`conducts: (what: …)`), with a conductance of kind `K`.
    ///
    /// # Errors
    /// A conductance that cannot be read, and a joint to the ground, which has no state of its own.
    pub fn joint_paths<K: Kind>(&self, what: &str) -> Result<Vec<JointPath>, InputError> {
        let mut out = Vec::new();
        for (number, joint) in self.joints.iter().enumerate() {
            let Some(text) = joint.conducts.get(what) else { continue };
            let conductance = text.parse::<Quantity<K, NonNegative>>()?.si();
            let (first, Some(second)) = joint.bodies else {
                let error = InputError::new(format!("the ground takes no part in `{what}`, so a joint to it leads nowhere"));
                return Err(error.help("join the body to another one, which may be `Fixed`").within(text));
            };
            out.push(JointPath {
                joint: number,
                bodies: [first, second],
                conductance,
                name: joint.name.clone(),
                text: text.clone(),
            });
        }
        Ok(out)
    }
}
