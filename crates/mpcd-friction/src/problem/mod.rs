//! The contact problem: rigid bodies as inverse masses, deformable ones as compliances, contacts as frames and levers, no assembled matrix
//! (the exchange local–global form of Dubois–Renouf). Plain data; the solvers live elsewhere.

mod angular;
mod body;
mod cell;
mod compliance;
mod contact;
mod gross;
mod open;
mod side;
mod validate;

use std::sync::Arc;

use nalgebra::{Matrix3, Vector3};

pub use angular::Angular;
pub use body::{Body, InverseInertia};
pub use cell::{Cell, Motion};
pub use compliance::Compliance;
pub(crate) use compliance::{Place, Places};
pub use contact::{Contact, Frame, Response};
pub use side::Side;
pub use validate::ProblemError;

use crate::law::LocalLaw;

/// Number of components of a contact's velocity and impulse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ContactDimension {
    /// Planar problem: components (n, t); bodies move in the xy-plane and turn about z.
    Two,
    /// Components (n, t, s).
    #[default]
    Three,
}

/// A frictional contact problem of rigid and deformable bodies.
///
/// `M (V⁺ − V_free) = H r`, `u = Hᵀ V⁺ + Σ e`, one law per contact; `e` is what deformable bodies add ([`Compliance`]). Before a solve the
/// bodies hold `V_free` and the contacts a starting impulse; after it they hold `V⁺` and `r`. To solve again, write the free velocities again.
#[derive(Debug, Clone, Default)]
pub struct ContactProblem {
    /// Contact dimension.
    pub dimension: ContactDimension,
    /// Bodies.
    pub bodies: Vec<Body>,
    /// Contacts between them.
    pub contacts: Vec<Contact>,
    /// Laws that are no cones, referred to by [`Response::Law`].
    pub laws: Vec<Arc<dyn LocalLaw>>,
    /// The periodic cell, where its lengths take part in the motion. Solvers that cannot carry one refuse it.
    pub cell: Option<Cell>,
    /// Deformable bodies. Not beside a cell.
    pub compliances: Vec<Compliance>,
    /// What the rounding of places leaves open in the shifted velocity of a contact with a normal compliance [m/s]: a spring has the force of a gap, and the
    /// gap is no better known than the places are. 0 where nothing is known of it.
    pub rounding: f64,
    /// Contacts that growing bodies close or open, and how fast [m/s]. It is part of the shift there already, which does not tell it from what a law asks;
    /// what is accepted is held against it as against what is driven.
    pub growth: Vec<(u32, f64)>,
}

impl ContactProblem {
    /// An empty problem.
    #[must_use]
    pub fn new(dimension: ContactDimension) -> Self {
        Self { dimension, ..Self::default() }
    }

    /// Removes bodies, contacts, laws, the cell and compliances, keeps the memory.
    pub fn clear(&mut self) {
        self.bodies.clear();
        self.contacts.clear();
        self.laws.clear();
        self.cell = None;
        self.compliances.clear();
        self.rounding = 0.0;
        self.growth.clear();
    }

    /// Adds a body and returns its index.
    pub fn push_body(&mut self, body: Body) -> usize {
        self.bodies.push(body);
        self.bodies.len() - 1
    }

    /// Adds a contact and returns its index.
    pub fn push_contact(&mut self, contact: Contact) -> usize {
        self.contacts.push(contact);
        self.contacts.len() - 1
    }

    /// What the impulse of a contact does to its own relative velocity through its rigid bodies, local: their part of `W_cc` (kg⁻¹). Zero if an index
    /// is out of range.
    #[must_use]
    pub fn rigid_block(&self, contact: usize) -> Matrix3<f64> {
        let Some(contact) = self.contacts.get(contact) else { return Matrix3::zeros() };
        let own = |side: &Side| Some(side.block(self.bodies.get(side.body)?, &contact.frame, self.dimension));
        contact.sides().iter().filter_map(own).sum()
    }

    /// Relative velocity `Hᵀ V` of a contact with the bodies' present velocities, local (n, t, s), candidate minus
    /// antagonist (m/s), with that of the cell and of deformable bodies, without the velocity shift. `None` if an index is out of range.
    #[must_use]
    pub fn relative_velocity(&self, contact: usize) -> Option<Vector3<f64>> {
        Some(self.rigid_velocity(contact)? + self.compliance_velocity(contact))
    }

    /// [`Self::relative_velocity`] without that of deformable bodies.
    fn rigid_velocity(&self, index: usize) -> Option<Vector3<f64>> {
        let contact = self.contacts.get(index)?;
        let [candidate, antagonist] = contact.sides();
        let mut world =
            candidate.velocity(self.bodies.get(candidate.body)?) + antagonist.velocity(self.bodies.get(antagonist.body)?);
        if let Some(cell) = &self.cell {
            world += cell.rate.component_mul(cell.branches.get(index)?);
        }
        Some(contact.frame.to_local(&world))
    }
}
