//! The state of the contact module: what changes from step to step, and so the checkpoint.

use mpcd_core::{ContactNetwork, Kinematics};
use serde::{Deserialize, Serialize};

/// Motion of the bodies and the contacts of the last step.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct ContactState {
    /// Motion of the bodies.
    pub kinematics: Kinematics,
    /// Contacts of the last step, with the impulses that start the next solve.
    pub network: ContactNetwork,
    /// Length of the last step (s); 0 before the first. Impulses scale with it.
    pub last_h: f64,
}

impl Clone for ContactState {
    fn clone(&self) -> Self {
        Self { kinematics: self.kinematics.clone(), network: self.network.clone(), last_h: self.last_h }
    }
    fn clone_from(&mut self, other: &Self) {
        self.kinematics.clone_from(&other.kinematics);
        self.network.clone_from(&other.network);
        self.last_h = other.last_h;
    }
}
