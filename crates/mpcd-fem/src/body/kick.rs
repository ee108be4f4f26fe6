//! What impulses do to the velocities of a body at one instant, by its mass alone: nothing moves meanwhile, so no stiffness answers.

use mpcd_core::Vec3;

use super::{Body, Scheme};
use crate::error::FemError;
use crate::factor::Factor;
use crate::model::{MassKind, State};

/// What supports did while impulses changed velocities at one instant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Kick {
    /// Change of the kinetic energy (J).
    pub kinetic: f64,
    /// Impulse of the reactions at prescribed motions (N s).
    pub reactions: Vec3,
    /// Their work (J).
    pub held: f64,
}

impl Body {
    /// Change of velocity by impulses at one instant: M⁻¹ r, 0 at the unknowns in `held` (m/s). M is factorised the first time, and again where
    /// other unknowns are held.
    ///
    /// # Errors
    /// [`FemError::Length`], [`FemError::Solve`].
    pub fn kicked(&mut self, held: &[bool], impulse: &[f64]) -> Result<Vec<f64>, FemError> {
        self.model.check_length("impulse", impulse.len())?;
        self.model.check_length("list of held unknowns", held.len())?;
        if self.inertia.as_ref().is_none_or(|(known, _)| known != held) {
            let mut factor = Factor::default();
            if self.scheme == Scheme::Explicit || self.scheme.mass() == MassKind::Lumped {
                factor.diagonal(&self.mass, held);
            } else {
                factor.symmetric(&self.model, self.mass.clone(), held)?;
            }
            self.inertia = Some((held.to_vec(), factor));
        }
        let mut change = impulse.to_vec();
        if let Some((_, factor)) = &mut self.inertia {
            factor.solve(&self.model, &mut change)?;
        }
        Ok(change)
    }

    /// Changes the velocities of a state as [`Self::kicked`] said of these impulses.
    ///
    /// # Errors
    /// [`FemError::Length`].
    pub fn kick(&self, state: &mut State, held: &[bool], impulse: &[f64], change: &[f64]) -> Result<Kick, FemError> {
        self.model.check_length("impulse", impulse.len())?;
        self.model.check_length("list of held unknowns", held.len())?;
        let (moved, d) = (self.times_mass(change)?, self.model.dimension());
        let mut kick = Kick::default();
        for k in 0..moved.len() {
            let before = state.velocity[k];
            state.velocity[k] += change[k];
            kick.kinetic += 0.5 * (before + state.velocity[k]) * moved[k];
            if held[k] {
                kick.reactions[k % d] += moved[k] - impulse[k];
                kick.held += before * (moved[k] - impulse[k]);
            }
        }
        Ok(kick)
    }
}
