//! How far the bounds of strong rigid bonds have been widened in a step, and what its joints ask for: what `crate::ample` bounds them by. No bound is found here.

use mpcd_core::Vec3;
use mpcd_friction::problem::{Angular, ContactProblem};

/// Rigid bonds that may bear less in this solve than their strength.
#[derive(Debug, Default)]
pub(crate) struct Ample {
    /// How often the bounds have been widened in this step.
    pub(crate) wider: i32,
    pub(crate) bound: Vec<usize>,
    /// What joints ask of their bodies in this step [N s]: a drive may set in motion what rests.
    pub(crate) asked: f64,
}

impl Ample {
    /// A new step.
    pub(crate) fn begin(&mut self) {
        self.wider = 0;
        self.bound.clear();
        self.asked = 0.0;
    }

    /// Learns what the rows of joints, those from `first` on, ask for before they are solved.
    pub(crate) fn learn_joints(&mut self, problem: &ContactProblem, first: usize) {
        let (mut speed, mut given) = (0.0_f64, 0.0);
        for rows in &problem.contacts[first..] {
            let reach = rows.sides().iter().map(|side| problem.bodies[side.body].gyration()).fold(0.0, f64::max);
            let turns = if let Some(Angular::Held { shift, .. }) = rows.angular() { shift.norm() } else { 0.0 };
            speed = speed.max(rows.velocity_shift.norm() + turns * reach);
            given += rows.impulse.norm() + if reach > 0.0 { rows.moment().norm() / reach } else { 0.0 };
        }
        let masses: f64 = problem.bodies.iter().map(|body| mass(&body.inverse_mass)).sum();
        self.asked = masses * speed + given;
    }
}

/// Mass that an inverse mass says (kg), 0 of what nothing moves.
pub(crate) fn mass(inverse: &Vec3) -> f64 {
    let least = inverse.iter().copied().filter(|m| *m > 0.0).fold(f64::INFINITY, f64::min);
    if least.is_finite() { least.recip() } else { 0.0 }
}
