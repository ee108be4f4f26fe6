//! What the boundary of a deformable body does under the impulses of its contacts, as the contact problem wants it: the free relative velocity at
//! each contact, and the dense matrix M̃⁻¹ between them.

use std::time::Instant;

use mpcd_core::{Frame, Mat3, Vec3};
use mpcd_fem::State;
use mpcd_friction::problem::{self, Compliance, ContactProblem};
use mpcd_geometry::Touch;
use nalgebra::DMatrix;

use super::{
    Deformables, Sides,
    marks::{Answers, Mark, Seat, Tie},
    sides::Side,
};
use crate::error::ContactError;

/// A contact, or a joint, as one deformable body has it.
struct Hold<'a> {
    /// Place in the problem.
    contact: usize,
    frame: Frame,
    side: Side<'a>,
    /// What a joint ends on.
    mark: Option<usize>,
}

impl Deformables {
    /// Puts the compliances of all bodies, linearised as they are, into the problem, whose contacts are these of the pairs, then ties; says where
    /// these stand in them, by contact.
    ///
    /// # Errors
    /// What finite elements say of it.
    pub(crate) fn condense(
        &mut self,
        problem: &mut ContactProblem,
        (active, touches): (&[usize], &[Touch]),
        (sides, ties): (&Sides, &[Tie]),
    ) -> Result<Vec<Seat>, ContactError> {
        let started = Instant::now();
        problem.compliances.clear();
        self.ask_marks(ties)?;
        let mut seats = Vec::new();
        let mut holds: Vec<Vec<Hold<'_>>> = self.members.iter().map(|_| Vec::new()).collect();
        for (contact, &place) in active.iter().enumerate() {
            let touch = &touches[place];
            sides.of(touch).for_each(|side| holds[side.member].push(Hold { contact, frame: touch.frame, side, mark: None }));
        }
        hold_ties(&self.marks, problem, ties, &mut holds);
        for (k, holds) in holds.iter().enumerate().filter(|(_, h)| !h.is_empty()) {
            let nodes = || holds.iter().filter(|h| h.mark.is_none()).flat_map(|h| h.side.point.parts().map(|(n, _)| n));
            let member = &mut self.members[k];
            let Some(body) = member.dynamics.as_mut() else { continue };
            let asked = member.columns.ask(body, nodes());
            asked.map_err(|e| self.fault(k, e))?;
            seats_of(holds, problem.compliances.len(), &mut seats);
            problem.compliances.push(self.compliance(k, holds, sides));
        }
        self.took.condensed += started.elapsed();
        seats.sort_by_key(|seat| seat.contact);
        Ok(seats)
    }

    /// Puts into a problem of ties alone what their impulses do to these velocities at one instant, by the masses.
    ///
    /// # Errors
    /// What finite elements say of it.
    pub(crate) fn condense_kicks(
        &mut self,
        problem: &mut ContactProblem,
        states: &[State],
        (sides, ties): (&Sides, &[Tie]),
    ) -> Result<(), ContactError> {
        problem.compliances.clear();
        self.ask_kicks(ties)?;
        let mut holds: Vec<Vec<Hold<'_>>> = self.members.iter().map(|_| Vec::new()).collect();
        hold_ties(&self.marks, problem, ties, &mut holds);
        for (state, holds) in states.iter().zip(&holds).filter(|(_, h)| !h.is_empty()) {
            let mut matrix = DMatrix::zeros(3 * holds.len(), 3 * holds.len());
            for (j, from) in holds.iter().enumerate() {
                let Some(mark) = from.mark else { continue };
                put_column(&mut matrix, holds, j, |node| Answers::at(&self.answers[mark].kicked, node));
            }
            problem.compliances.push(finished(holds, matrix, sides, &state.velocity));
        }
        Ok(())
    }

    fn compliance(&self, k: usize, holds: &[Hold<'_>], sides: &Sides) -> Compliance {
        let (columns, free) = (&self.members[k].columns, self.steps[k].free_velocity());
        let touching = holds.iter().take_while(|h| h.mark.is_none());
        let mut nodes: Vec<usize> = touching.flat_map(|h| h.side.point.parts().map(|(n, _)| n)).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let place = |node: usize| nodes.partition_point(|n| *n < node);
        let n = holds.len();
        let mut matrix = DMatrix::zeros(3 * n, 3 * n);
        let mut given = vec![Mat3::zeros(); nodes.len()];
        for (j, from) in holds.iter().enumerate() {
            if let Some(mark) = from.mark {
                put_column(&mut matrix, holds, j, |node| Answers::at(&self.answers[mark].moved, node));
                continue;
            }
            let turn = turn(&from.frame) * from.side.sign;
            // what unit impulses at this contact do to every node
            for (given, &to) in given.iter_mut().zip(&nodes) {
                *given = from.side.point.parts().map(|(node, w)| columns.block(to, node) * w).sum::<Mat3>() * turn;
            }
            for (i, to) in holds.iter().enumerate().take(j + 1) {
                let moved: Mat3 = to.side.point.parts().map(|(node, w)| given[place(node)] * w).sum();
                put(&mut matrix, (i, j), &(self::turn(&to.frame).transpose() * moved * to.side.sign));
            }
        }
        finished(holds, matrix, sides, free)
    }
}

/// The compliance of a body whose unknowns have these velocities.
fn finished(holds: &[Hold<'_>], matrix: DMatrix<f64>, sides: &Sides, all: &[f64]) -> Compliance {
    let velocity: Vec<Vec3> = holds.iter().map(|h| sides.velocity(all, &h.side, &h.frame)).collect();
    Compliance { contacts: holds.iter().map(|h| h.contact).collect(), velocity, matrix, is_rigid: false }
}

/// Adds ties to what each body holds.
fn hold_ties<'a>(marks: &'a [Mark], problem: &ContactProblem, ties: &[Tie], holds: &mut [Vec<Hold<'a>>]) {
    for tie in ties {
        let frame = seen(&problem.contacts[tie.contact].frame);
        for (mark, sign) in tie.marks() {
            let Mark { member, point } = &marks[mark];
            let side = Side { member: *member, point, sign };
            holds[*member].push(Hold { contact: tie.contact, frame, side, mark: Some(mark) });
        }
    }
}

/// The blocks of the columns of `holds[j]`, and their mirror images, for the holds up to it: `given` is what unit impulses there do to a node.
fn put_column(matrix: &mut DMatrix<f64>, holds: &[Hold<'_>], j: usize, given: impl Fn(usize) -> Mat3) {
    let turned = turn(&holds[j].frame) * holds[j].side.sign;
    for (i, to) in holds.iter().enumerate().take(j + 1) {
        let moved: Mat3 = to.side.point.parts().map(|(node, w)| given(node) * w).sum();
        put(matrix, (i, j), &(turn(&to.frame).transpose() * (moved * turned) * to.side.sign));
    }
}

fn seats_of(holds: &[Hold<'_>], compliance: usize, seats: &mut Vec<Seat>) {
    let seat = |(at, h): (usize, &Hold<'_>)| Some(Seat { contact: h.contact, mark: h.mark?, sign: h.side.sign, compliance, at });
    seats.extend(holds.iter().enumerate().filter_map(seat));
}

/// A block and its mirror image.
fn put(matrix: &mut DMatrix<f64>, (i, j): (usize, usize), block: &Mat3) {
    let block = if i == j { 0.5 * (block + block.transpose()) } else { *block };
    matrix.fixed_view_mut::<3, 3>(3 * i, 3 * j).copy_from(&block);
    matrix.fixed_view_mut::<3, 3>(3 * j, 3 * i).copy_from(&block.transpose());
}

/// The axes of a row, as contacts have them.
fn seen(frame: &problem::Frame) -> Frame {
    Frame { n: *frame.normal(), t: *frame.tangent() }
}

/// From the frame of a contact to the world.
fn turn(frame: &Frame) -> Mat3 {
    Mat3::from_columns(&[frame.n, frame.t, frame.s()])
}
