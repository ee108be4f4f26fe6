//! What iterations leave at contacts that bear nothing. Only told, not taken off: a start from it finds the same branch of motions again, one from nothing
//! may find another.

use nalgebra::{Matrix3, Vector3};

use super::{Contact, ContactDimension, ContactProblem, Response};
use crate::Cone;

/// Part of the speed at which a contact opens below which what its own impulse does to it is what iterations leave.
const OPEN: f64 = 1e-4;
/// Part of the largest change of velocity by an impulse at its own contact below which one is rounding.
const ROUNDING: f64 = 1e-14;

impl ContactProblem {
    /// Whether the impulse of each contact of a solution is what iterations left there: at contacts that only push, where the law holds them for open, and
    /// wherever it is below the rounding of the largest. Interior points and Newton's method come to 10⁻¹³ or 10⁻³⁰⁰ there and not to nothing, and what
    /// conducts, or is counted, asks whether a contact bears.
    ///
    /// At an open contact the residual of the law is what its impulse does to it, `‖W_cc r_c‖`, so that what is left was within the tolerance.
    #[must_use]
    pub fn left_over(&self) -> Vec<bool> {
        let through_meshes = self.compliance_blocks();
        let of_meshes = self.compliance_velocities();
        let moved: Vec<f64> = (0..self.contacts.len()).map(|k| self.moves_itself(k, through_meshes.get(k))).collect();
        let rounding = ROUNDING * moved.iter().fold(0.0_f64, |a, b| a.max(*b));
        let opens = |k: usize, moved: f64| self.opening(k, of_meshes.get(k)).is_some_and(|u| moved <= OPEN * u);
        moved.into_iter().enumerate().map(|(k, moved)| moved > 0.0 && (moved <= rounding || opens(k, moved))).collect()
    }

    /// What the impulse of a contact that only pushes does to its own velocity (m/s); 0 of others, which are left alone.
    fn moves_itself(&self, contact: usize, through_meshes: Option<&Matrix3<f64>>) -> f64 {
        let c = &self.contacts[contact];
        if c.impulse == Vector3::zeros() || !only_pushes(c) {
            return 0.0;
        }
        let mut block = self.rigid_block(contact) + Matrix3::from_diagonal(&c.compliance);
        if let Some(added) = through_meshes {
            block += added;
        }
        if let Some(cell) = &self.cell {
            let branch = cell.branches.get(contact).copied().unwrap_or_default();
            let frame = c.frame.matrix();
            let own = branch.component_mul(&branch).component_mul(&cell.inverse_inertia);
            block += frame.transpose() * Matrix3::from_diagonal(&own) * frame;
        }
        (block * self.own(&c.impulse)).norm()
    }

    /// How fast the law finds a contact to open (m/s).
    fn opening(&self, contact: usize, of_meshes: Option<&Vector3<f64>>) -> Option<f64> {
        let c = &self.contacts[contact];
        let rigid = self.rigid_velocity(contact)?.x + of_meshes.map_or(0.0, |u| u.x);
        Some(rigid + c.velocity_shift.x + c.compliance.x * c.impulse.x)
    }

    /// The components of an impulse that take part.
    fn own(&self, impulse: &Vector3<f64>) -> Vector3<f64> {
        match self.dimension {
            ContactDimension::Two => Vector3::new(impulse.x, impulse.y, 0.0),
            ContactDimension::Three => *impulse,
        }
    }
}

/// Whether no impulse is what the law asks of a contact that is open.
fn only_pushes(contact: &Contact) -> bool {
    matches!(contact.response, Response::Cone(Cone::Coulomb { .. } | Cone::Convex { .. } | Cone::Frictionless))
        && contact.impulse_shift == Vector3::zeros()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used, reason = "tests")]
    use super::*;
    use crate::problem::{Body, Frame};

    /// A ball of 2 kg that a plate pushes up at 1 m/s, or that leaves it, with `left` N s more than it bears.
    fn ball(velocity: f64, left: f64, cone: Cone) -> ContactProblem {
        let mut problem = ContactProblem::new(ContactDimension::Three);
        let plate = problem.push_body(Body::fixed());
        let ball = problem.push_body(Body::ball(Vector3::z() * velocity, Vector3::zeros(), 0.5, 5.0));
        let contact = Contact::new(ball, plate, Frame::from_normal(Vector3::z()), -Vector3::z() * 0.1, Vector3::zeros());
        problem.push_contact(contact.with_cone(cone).with_impulse(Vector3::new(left, 0.0, 0.0)));
        problem
    }

    #[test]
    fn what_is_left_at_an_open_contact_is_told() {
        assert_eq!(ball(1.0, 1e-9, Cone::coulomb(0.3)).left_over(), [true]);
    }

    #[test]
    fn what_bears_and_what_holds_is_not_left() {
        // at rest under its impulse; opening as slowly as an impact may; held both ways; nothing there
        for (velocity, impulse, cone) in [
            (0.0, 1e-9, Cone::Frictionless),
            (1e-3, 1.0, Cone::Frictionless),
            (1.0, 1e-9, Cone::Bilateral),
            (1.0, 0.0, Cone::Frictionless),
        ] {
            assert_eq!(ball(velocity, impulse, cone).left_over(), [false]);
        }
    }

    #[test]
    fn rounding_beside_what_bears_is_left() {
        let mut problem = ball(0.0, 1.0, Cone::Frictionless);
        let second = problem.contacts[0].clone().with_impulse(Vector3::new(1e-16, 0.0, 0.0));
        problem.push_contact(second);
        assert_eq!(problem.left_over(), [false, true]);
    }
}
