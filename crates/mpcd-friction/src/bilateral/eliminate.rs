//! Bilateral rows taken out of a problem: what is left between the other contacts of their bodies is one compliance, W_cc − W_cj W_jj⁻¹ W_jc, beside which
//! every solver works as beside a deformable body. No laws here.

use nalgebra::DMatrix;

use super::{Bilateral, Row, Vec3};
use crate::problem::{Compliance, ContactDimension, ContactProblem};

/// Share of what an impulse did before below which what is left of it is rounding.
const ROUNDING: f64 = 1e-10;

impl Bilateral {
    /// The compliance that the bodies for which `held` says so, and the compliances for which `soft` does, have together at the contacts before
    /// `first`, while the bilateral rows from `first` on hold; the velocities are those of the impulses of these rows, and of no others. `None`
    /// where no factor was found, or where a contact there resists turning.
    pub fn eliminate(
        &mut self,
        problem: &ContactProblem,
        first: usize,
        held: impl Fn(usize) -> bool,
        soft: impl Fn(usize) -> bool,
    ) -> Option<Compliance> {
        self.gather(problem);
        self.rows.retain(|row| row.contact >= first);
        self.couple(problem);
        if !self.rows.is_empty() {
            self.factorise()?;
        }
        let places = problem.places();
        let dimensions = if problem.dimension == ContactDimension::Two { 2 } else { 3 };
        let (mut contacts, mut own) = (Vec::new(), Vec::new());
        for (index, contact) in problem.contacts[..first].iter().enumerate() {
            let sides = [contact.candidate, contact.antagonist].map(&held);
            let places = places.get(index).copied().unwrap_or_default().map(|p| p.filter(|p| soft(p.compliance)));
            if sides == [false; 2] && places == [None; 2] {
                continue;
            }
            if contact.angular().is_some() {
                return None;
            }
            contacts.push(index);
            let axes = [contact.frame.normal(), contact.frame.tangent(), &contact.frame.binormal()];
            own.extend((0..dimensions).map(|k| {
                let mut row = Row { places, shift: 0.0, compliance: 0.0, ..Row::of_impulse(contact, index, k, axes[k]) };
                for side in (0..2).filter(|side| !sides[*side]) {
                    (row.forces[side], row.moments[side]) = (Vec3::zeros(), Vec3::zeros());
                }
                row
            }));
        }
        let at = |k: usize| 3 * (k / dimensions) + k % dimensions;
        // What the rows lack, and then what each unit impulse does to them, answered by their own impulses.
        let lacks: Vec<f64> = self.rows.iter().map(|row| row.lacks(problem) * row.scale).collect();
        let answer = self.answered(lacks.clone())?;
        let reach: Vec<Vec<f64>> =
            own.iter().map(|p| self.rows.iter().map(|row| row.response_to(p, problem) * row.scale).collect()).collect();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let n = contacts.len();
        let mut velocity = vec![Vec3::zeros(); n];
        let mut matrix = DMatrix::zeros(3 * n, 3 * n);
        let mut nothing = vec![false; own.len()];
        for (j, p) in own.iter().enumerate() {
            let found = p.lacks(problem) - dot(&reach[j], &answer);
            velocity[j / dimensions][j % dimensions] = found;
            let answer = self.answered(reach[j].clone())?;
            for (i, q) in own.iter().enumerate().take(j + 1) {
                let free = q.response_to(p, problem);
                let left = free - dot(&reach[i], &answer);
                nothing[j] |= i == j && left <= ROUNDING * free;
                (matrix[(at(i), at(j))], matrix[(at(j), at(i))]) = (left, left);
            }
        }
        for k in (0..own.len()).filter(|k| nothing[*k]) {
            matrix.row_mut(at(k)).fill(0.0);
            matrix.column_mut(at(k)).fill(0.0);
        }
        let is_rigid = !(0..problem.compliances.len()).any(soft);
        Some(Compliance { contacts, velocity, matrix, is_rigid })
    }

    /// W⁻¹ of the rows, scaled, on a vector of them.
    fn answered(&mut self, mut of: Vec<f64>) -> Option<Vec<f64>> {
        if of.is_empty() {
            return Some(of);
        }
        let (_, cholesky) = self.kept.as_mut()?;
        cholesky.solve_in_place(&mut of).ok()?;
        Some(of)
    }
}

impl Row {
    /// Velocity that a unit impulse of `other` gives to this row, through bodies and compliances.
    fn response_to(&self, other: &Self, problem: &ContactProblem) -> f64 {
        let mut out = self.soft_response(other, problem);
        for (k, body) in self.bodies.iter().enumerate() {
            for (l, other_body) in other.bodies.iter().enumerate() {
                if body == other_body {
                    let (v, w) = other.response(l, &problem.bodies);
                    out += self.forces[k].dot(&v) + self.moments[k].dot(&w);
                }
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use crate::problem::{Body, Contact, Frame};
    use crate::{Cone, problem::Response};

    /// What the compliance says of a unit impulse at a contact is what the whole problem does, its rods and pins closed again after it.
    #[test]
    fn the_compliance_answers_as_the_whole_does() {
        let mut problem = ContactProblem::new(ContactDimension::Three);
        let inertia = nalgebra::Matrix3::new(2.0, 0.3, -0.1, 0.3, 1.5, 0.2, -0.1, 0.2, 0.7);
        let still = problem.push_body(Body::fixed());
        let ball = problem.push_body(Body::ball(Vec3::new(0.1, -0.2, 0.3), Vec3::new(0.5, 0.0, -0.1), 2.0, 4.0));
        let block = problem.push_body(Body::free(Vec3::new(-0.3, 0.1, 0.2), Vec3::zeros(), 0.5, inertia));
        let outside = problem.push_body(Body::ball(Vec3::x(), Vec3::y(), 1.0, 1.0));
        let frame = |k: f64| Frame::from_normal(Vec3::new(k.sin(), (2.0 * k).cos(), 0.3 * k));
        let lever = |k: f64| Vec3::new((3.0 * k).cos(), 0.2 * k, k.sin()) * 0.3;
        let contact = |c: usize, a: usize, k: f64| Contact::new(c, a, frame(k), lever(k), lever(k + 0.5));
        // block on outside, ball on mesh, mesh on ground; then a pin of block and mesh, a rod of ball and block, a spring of mesh and ground
        problem.push_contact(contact(block, outside, 1.0));
        problem.push_contact(contact(ball, still, 2.0));
        problem.push_contact(contact(still, still, 3.0));
        problem.push_contact(contact(block, still, 4.0).with_cone(Cone::Bilateral));
        problem.push_contact(contact(ball, block, 5.0).with_cone(Cone::BilateralNormal));
        let mut spring = contact(still, still, 6.0).with_cone(Cone::BilateralNormal).with_velocity_shift(Vec3::x() * 0.4);
        spring.compliance.x = 0.7;
        problem.push_contact(spring);
        let root = DMatrix::from_fn(12, 12, |i, j| (0.9 * (1.0 + i as f64) * (2.0 + j as f64)).sin());
        let velocity = (0..4).map(|k| lever(f64::from(k))).collect();
        problem.compliances =
            vec![Compliance { contacts: vec![1, 2, 3, 5], velocity, matrix: &root * root.transpose(), is_rigid: false }];
        let free = problem.motion();
        let held = |i: usize| i == ball || i == block;
        let together = Bilateral::default().eliminate(&problem, 3, held, |_| true).unwrap();
        assert_eq!(together.contacts, [0, 1, 2]);
        let closed = |pushed: Option<(usize, usize)>| {
            let mut problem = problem.clone();
            if let Some((contact, k)) = pushed {
                problem.contacts[contact].impulse[k] = 1.0;
            }
            problem.rebuild(&free.bodies, held);
            problem.rebuild_compliances(&free.compliances);
            problem.contacts[..3].iter_mut().for_each(|c| c.response = Response::Cone(Cone::Frictionless));
            Bilateral::default().settle(&mut problem, 0);
            (0..3).map(|k| problem.relative_velocity(k).unwrap_or_default()).collect::<Vec<_>>()
        };
        let base = closed(None);
        let others =
            problem.contacts[0].frame.to_local(&-problem.bodies[outside].velocity_at(&problem.contacts[0].antagonist_lever));
        for (at, base) in base.iter().enumerate() {
            let own = base - if at == 0 { others } else { Vec3::zeros() };
            assert!((together.velocity[at] - own).norm() < 1e-10, "{at}: {} {own}", together.velocity[at]);
        }
        for contact in 0..3 {
            for k in 0..3 {
                let after = closed(Some((contact, k)));
                for at in 0..3 {
                    let found = together.block(at, contact).column(k) - (after[at] - base[at]);
                    assert!(found.norm() < 1e-9, "{contact}.{k} at {at}: {found}");
                }
            }
        }
    }
}
