//! A periodic cell whose lengths take part in the motion: up to three unknowns more, which every contact sees through its branch.

use nalgebra::Vector3;

use super::{Body, ContactProblem};

/// The motion of a periodic cell. Velocities of the bodies are relative to it: the point at `x` moves with its body's velocity plus
/// `rate ∘ x`. So the relative velocity of a contact is that of its bodies plus `rate ∘ branch`, and by virtual work an impulse `p` (world
/// axes) changes `rate` by `inverse_inertia ∘ branch ∘ p` (Parrinello and Rahman 1981; Radjai and Voivret 2011).
///
/// Before a solve it holds the free rate, after it the final one. With contact dimension 2 the z components take no part.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cell {
    /// Growth of the lengths along x, y, z over the lengths (1/s).
    pub rate: Vector3<f64>,
    /// Inverse inertia along each axis (kg⁻¹ m⁻²): 1/(M L²) of an axis that is free, zero where the rate is prescribed.
    pub inverse_inertia: Vector3<f64>,
    /// For each contact the way from the antagonist's centre (of the image that is met) to the candidate's, world axes (m).
    pub branches: Vec<Vector3<f64>>,
}

impl Cell {
    /// Speed that the prescribed part of its rate gives the two bodies of a contact against each other (m/s); 0 of a contact without a branch.
    #[must_use]
    pub fn drive_at(&self, contact: usize) -> f64 {
        let prescribed = self.rate.zip_map(&self.inverse_inertia, |rate, free| if free == 0.0 { rate } else { 0.0 });
        self.branches.get(contact).map_or(0.0, |branch| prescribed.component_mul(branch).norm())
    }
}

/// Velocities of the bodies, of deformable bodies at their contacts, and the rate of the cell: what a solve changes besides impulses.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Motion {
    /// The bodies.
    pub bodies: Vec<Body>,
    /// Rate of the cell (1/s), if there is one.
    pub rate: Option<Vector3<f64>>,
    /// Velocities at the contacts of each compliance, local (m/s).
    pub compliances: Vec<Vec<Vector3<f64>>>,
}

impl ContactProblem {
    /// The motion as it is, to solve again from it.
    #[must_use]
    pub fn motion(&self) -> Motion {
        Motion {
            bodies: self.bodies.clone(),
            rate: self.cell.as_ref().map(|cell| cell.rate),
            compliances: self.compliances.iter().map(|c| c.velocity.clone()).collect(),
        }
    }

    /// Puts the motion back.
    pub fn set_motion(&mut self, motion: &Motion) {
        self.bodies.clone_from(&motion.bodies);
        if let (Some(cell), Some(rate)) = (&mut self.cell, motion.rate) {
            cell.rate = rate;
        }
        for (compliance, velocity) in self.compliances.iter_mut().zip(&motion.compliances) {
            compliance.velocity.clone_from(velocity);
        }
    }
}
