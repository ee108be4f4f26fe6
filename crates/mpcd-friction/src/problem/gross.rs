//! What the shifts of impulses do to velocities where nothing cancels: rounding of velocities is relative to it. The strength of a bond stands in what its law sees
//! of its impulse and, with the opposite sign, in the free velocities; loads may be a billionth of it. No solver, no verdict.

use nalgebra::Vector3;

use super::ContactProblem;

impl ContactProblem {
    /// Speeds (m/s), one for each contact, that the shifts of all contacts of its two rigid bodies would give its contact point if none cancelled another; what
    /// deformable bodies add is not in them. Empty where nothing is shifted.
    #[must_use]
    pub(crate) fn gross_speeds(&self) -> Vec<f64> {
        let zero = Vector3::zeros();
        if self.contacts.iter().all(|contact| contact.impulse_shift == zero) {
            return Vec::new();
        }
        // of a body: speed of its centre (m/s), and of its turning (rad/s)
        let mut gross = vec![[0.0; 2]; self.bodies.len()];
        for contact in self.contacts.iter().filter(|contact| contact.impulse_shift != zero) {
            let shift = contact.frame.to_world(&contact.impulse_shift);
            for side in contact.sides() {
                let body = &self.bodies[side.body];
                let [speed, spin] = &mut gross[side.body];
                *speed += body.inverse_mass.component_mul(&shift).norm();
                *spin += (body.inverse_inertia.matrix() * side.lever.cross(&shift)).norm();
            }
        }
        let at = |side: super::Side| gross[side.body][0] + side.lever.norm() * gross[side.body][1];
        self.contacts.iter().map(|contact| contact.sides().map(at).iter().sum()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Body, Contact, ContactDimension, Frame};
    use super::*;

    /// A body of 2 kg that two bonds of 3 N s pull to both sides: nothing moves it, and 3/2 + 3/2 m/s are what rounding is relative to. Its turning, by levers
    /// across: 0.5 m · 3 N s/0.1 kg m² of each bond, twice, at 0.5 m.
    #[test]
    fn what_cancels_is_added_up() {
        let inertia = nalgebra::Matrix3::from_diagonal_element(10.0);
        let bodies = vec![Body::free(Vector3::zeros(), Vector3::zeros(), 0.5, inertia), Body::fixed()];
        let bond = |side: f64| {
            let frame = Frame::from_normal(Vector3::new(side, 0.0, 0.0));
            let mut contact = Contact::new(0, 1, frame, Vector3::new(0.0, 0.5 * side, 0.0), Vector3::zeros());
            contact.impulse_shift.x = 3.0;
            contact
        };
        let mut problem = ContactProblem {
            dimension: ContactDimension::Three,
            bodies,
            contacts: vec![bond(1.0), bond(-1.0)],
            ..ContactProblem::default()
        };
        let gross = problem.gross_speeds();
        assert!(gross.iter().all(|g| (g - (3.0 + 0.5 * 2.0 * 15.0)).abs() < 1e-12), "{gross:?}");
        problem.contacts.iter_mut().for_each(|contact| contact.impulse_shift.x = 0.0);
        assert!(problem.gross_speeds().is_empty());
    }
}
