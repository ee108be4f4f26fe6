//! The state of the smooth contact module: what changes from step to step, and so the checkpoint.

use mpcd_core::{ContactNetwork, Kinematics};
use serde::{Deserialize, Serialize};

use super::{bodies::BodyForce, gear::Derivatives, spot::Spot};

/// Motion of the bodies, contacts with their histories, and the forces that the next sub-step starts from.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct SmoothState {
    /// Motion of the bodies.
    pub kinematics: Kinematics,
    /// Contacts of the last step.
    pub network: ContactNetwork,
    /// Contacts with memory and force.
    pub(crate) spots: Vec<Spot>,
    /// Forces on the bodies.
    pub(crate) forces: Vec<BodyForce>,
    /// What Gear's scheme remembers.
    pub(crate) derivatives: Vec<Derivatives>,
    /// Whether the forces of the start have been found.
    pub(crate) started: bool,
}

impl Clone for SmoothState {
    fn clone(&self) -> Self {
        Self {
            kinematics: self.kinematics.clone(),
            network: self.network.clone(),
            spots: self.spots.clone(),
            forces: self.forces.clone(),
            derivatives: self.derivatives.clone(),
            started: self.started,
        }
    }
    fn clone_from(&mut self, other: &Self) {
        self.kinematics.clone_from(&other.kinematics);
        self.network.clone_from(&other.network);
        self.spots.clone_from(&other.spots);
        self.forces.clone_from(&other.forces);
        self.derivatives.clone_from(&other.derivatives);
        self.started = other.started;
    }
}
