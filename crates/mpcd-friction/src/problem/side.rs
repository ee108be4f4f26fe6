//! One side of a contact: a rigid body as its contact point sees it. The one home of `Hᵀ V`, `H r → V` and `W_cc` in world axes; the
//! kernels of a sweep have the same in the layout of their records, deformable bodies theirs in [`super::Compliance`].

use nalgebra::{Matrix3, Vector3};

use super::{Body, Contact, ContactDimension, Frame};

/// The body on one side of a contact, how far the contact point is from its centre, and on which side it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Side {
    /// Its body.
    pub body: usize,
    /// From its centre of mass to the contact point, world axes (m).
    pub lever: Vector3<f64>,
    /// 1 for the candidate, on which the impulse acts; −1 for the antagonist.
    pub sign: f64,
}

impl Contact {
    /// The candidate's side, then the antagonist's.
    #[must_use]
    pub const fn sides(&self) -> [Side; 2] {
        [
            Side { body: self.candidate, lever: self.candidate_lever, sign: 1.0 },
            Side { body: self.antagonist, lever: self.antagonist_lever, sign: -1.0 },
        ]
    }
}

impl Side {
    /// What `body`, the body of this side, adds to the relative velocity of the contact, world axes (m/s).
    #[must_use]
    pub fn velocity(&self, body: &Body) -> Vector3<f64> {
        body.velocity_at(&self.lever) * self.sign
    }

    /// Gives the impulse of the contact and its impulse moment (world axes, N s and N m s, as they act on the candidate) to `body`, the
    /// body of this side.
    pub fn apply(&self, body: &mut Body, impulse: &Vector3<f64>, moment: &Vector3<f64>) {
        body.velocity += body.inverse_mass.component_mul(impulse) * self.sign;
        body.angular_velocity += body.inverse_inertia.matrix() * (self.lever.cross(impulse) + moment) * self.sign;
    }

    /// What `body`, the body of this side, adds to the block `W_cc` of the contact, local (kg⁻¹); with contact dimension 2 the s row and
    /// column are zero.
    #[must_use]
    pub fn block(&self, body: &Body, frame: &Frame, dimension: ContactDimension) -> Matrix3<f64> {
        let block = match dimension {
            ContactDimension::Two => self.block_in::<2>(body, frame),
            ContactDimension::Three => self.block_in::<3>(body, frame),
        };
        Matrix3::from_fn(|i, j| block[i][j])
    }

    /// [`Self::block`] with `D` components.
    pub(crate) fn block_in<const D: usize>(&self, body: &Body, frame: &Frame) -> [[f64; 3]; 3] {
        let axes = [frame.normal(), frame.tangent(), &frame.binormal()];
        let arm = |axis: &Vector3<f64>| {
            let arm = self.lever.cross(axis);
            if D == 2 { Vector3::new(0.0, 0.0, arm.z) } else { arm }
        };
        let inertia = body.inverse_inertia.matrix();
        let mut block = [[0.0; 3]; 3];
        for j in 0..D {
            let push = body.inverse_mass.component_mul(axes[j]);
            let turning = arm(axes[j]);
            let turn = if D == 2 { Vector3::new(0.0, 0.0, inertia[(2, 2)] * turning.z) } else { inertia * turning };
            for i in 0..=j {
                block[i][j] = axes[i].dot(&push) + arm(axes[i]).dot(&turn);
                block[j][i] = block[i][j];
            }
        }
        block
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A unit impulse along each axis, given to both bodies, changes the relative velocity by the column of their blocks.
    #[test]
    fn a_block_is_what_unit_impulses_do() {
        let inertia = Matrix3::new(2.0, 0.3, -0.1, 0.3, 1.5, 0.2, -0.1, 0.2, 0.7);
        let bodies = [
            Body::free(Vector3::zeros(), Vector3::zeros(), 0.5, inertia).with_locked_translations([false, true, false]),
            Body::ball(Vector3::zeros(), Vector3::zeros(), 2.0, 4.0),
        ];
        let frame = Frame::from_normal(Vector3::new(0.3, -0.5, 0.8));
        let contact = Contact::new(0, 1, frame, Vector3::new(0.1, 0.2, -0.3), Vector3::new(-0.2, 0.1, 0.4));
        let sides = contact.sides();
        let block: Matrix3<f64> = sides.iter().map(|s| s.block(&bodies[s.body], &frame, ContactDimension::Three)).sum();
        for (k, axis) in [Vector3::x(), Vector3::y(), Vector3::z()].iter().enumerate() {
            let mut moved = bodies;
            let impulse = frame.to_world(axis);
            sides.iter().for_each(|s| s.apply(&mut moved[s.body], &impulse, &Vector3::zeros()));
            let u: Vector3<f64> = sides.iter().map(|s| s.velocity(&moved[s.body])).sum();
            assert!((frame.to_local(&u) - block.column(k)).norm() < 1e-14);
        }
    }
}
