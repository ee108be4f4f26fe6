//! What the boundary of a deformable body does under the impulses of its contacts, as the contact problem wants it: the free relative velocity at
//! each contact, and the dense matrix M̃⁻¹ between them.

use std::time::Instant;

use mpcd_core::{Mat3, Vec3};
use mpcd_friction::problem::{Compliance, ContactProblem};
use mpcd_geometry::Touch;
use nalgebra::DMatrix;

use super::{Deformables, Sides, sides::Side};
use crate::error::ContactError;

/// A contact as one deformable body has it.
struct Hold<'a> {
    /// Place in the problem.
    contact: usize,
    touch: &'a Touch,
    side: Side<'a>,
}

impl Deformables {
    /// Puts the compliances of all bodies, linearised as they are, into the problem, whose contacts are these of the pairs.
    ///
    /// # Errors
    /// What finite elements say of it.
    pub(crate) fn condense(
        &mut self,
        problem: &mut ContactProblem,
        (active, touches): (&[usize], &[Touch]),
        sides: &Sides,
    ) -> Result<(), ContactError> {
        let started = Instant::now();
        problem.compliances.clear();
        let mut holds: Vec<Vec<Hold<'_>>> = self.members.iter().map(|_| Vec::new()).collect();
        for (contact, &place) in active.iter().enumerate() {
            let touch = &touches[place];
            sides.of(touch).for_each(|side| holds[side.member].push(Hold { contact, touch, side }));
        }
        for (k, holds) in holds.iter().enumerate().filter(|(_, h)| !h.is_empty()) {
            let nodes = || holds.iter().flat_map(|h| h.side.point.parts().map(|(n, _)| n));
            let member = &mut self.members[k];
            let Some(body) = member.dynamics.as_mut() else { continue };
            let asked = member.columns.ask(body, nodes());
            asked.map_err(|e| self.fault(k, e))?;
            problem.compliances.push(self.compliance(k, holds, sides));
        }
        self.took[1] += started.elapsed();
        Ok(())
    }

    fn compliance(&self, k: usize, holds: &[Hold<'_>], sides: &Sides) -> Compliance {
        let (columns, free) = (&self.members[k].columns, self.steps[k].free_velocity());
        let mut nodes: Vec<usize> = holds.iter().flat_map(|h| h.side.point.parts().map(|(n, _)| n)).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let place = |node: usize| nodes.partition_point(|n| *n < node);
        let n = holds.len();
        let mut matrix = DMatrix::zeros(3 * n, 3 * n);
        let mut given = vec![Mat3::zeros(); nodes.len()];
        for (j, from) in holds.iter().enumerate() {
            let turn = turn(from.touch) * from.side.sign;
            // what unit impulses at this contact do to every node
            for (given, &to) in given.iter_mut().zip(&nodes) {
                *given = from.side.point.parts().map(|(node, w)| columns.block(to, node) * w).sum::<Mat3>() * turn;
            }
            for (i, to) in holds.iter().enumerate().take(j + 1) {
                let moved: Mat3 = to.side.point.parts().map(|(node, w)| given[place(node)] * w).sum();
                let block = self::turn(to.touch).transpose() * moved * to.side.sign;
                let block = if i == j { 0.5 * (block + block.transpose()) } else { block };
                matrix.fixed_view_mut::<3, 3>(3 * i, 3 * j).copy_from(&block);
                matrix.fixed_view_mut::<3, 3>(3 * j, 3 * i).copy_from(&block.transpose());
            }
        }
        let velocity: Vec<Vec3> = holds.iter().map(|h| sides.velocity(free, &h.side, &h.touch.frame)).collect();
        Compliance { contacts: holds.iter().map(|h| h.contact).collect(), velocity, matrix }
    }
}

/// From the frame of a contact to the world.
fn turn(touch: &Touch) -> Mat3 {
    Mat3::from_columns(&[touch.frame.n, touch.frame.t, touch.frame.s])
}
