//! What holds bodies without inertia: loads alone. Contacts, joints and welds push, but the stiffness of a body that they alone keep in its place
//! cannot be inverted.

use mpcd_core::{InputError, Vec3};

use super::Deformables;

impl Deformables {
    /// Refuses, under `Static`, what loads do not hold against motions as a whole.
    ///
    /// # Errors
    /// The first body that can move without strain.
    pub(super) fn check_supports(&self) -> Result<(), InputError> {
        if !self.are_static() {
            return Ok(());
        }
        for member in &self.members {
            let held =
                member.loads.at(&member.model, Vec3::zeros(), 0.0).map_err(InputError::from)?.is_held(member.model.unknowns());
            if let Some(loose) = member.model.loose(&held) {
                return Err(InputError::new(format!("`scheme: Static` has no inertia, and of {} {loose}", member.label))
                    .help("hold or drive a side of it by the loads Fixed, Locked or Velocity (contacts, joints and welds alone do not hold a body without inertia), or take a scheme with inertia, as Theta")
                    .at("scheme"));
            }
        }
        Ok(())
    }
}
