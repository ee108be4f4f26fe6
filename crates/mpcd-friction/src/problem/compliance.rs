//! Deformable bodies as the contact problem sees them: what impulses at their contacts do to the velocities at their contacts. No meshes
//! and no masses here; a condensed dynamics makes them, and a solve changes their velocities.

use nalgebra::{DMatrix, Matrix3, Vector3};

use super::{ContactDimension, ContactProblem, ProblemError};

/// Differences of mirrored entries that count as rounding: share of the roots of both diagonal entries, and of the largest one.
const ROUNDING: [f64; 2] = [1e-9, 1e-13];

const TILE: usize = 32;

/// What impulses on a deformable body do to the relative velocities at its contacts.
///
/// The relative velocity of a contact is that of its bodies plus `velocity` of each compliance that it is in, and the impulses `r` of the
/// contacts change these by `matrix · r`: `M̃⁻¹` of the body on its boundary, between the local components of its contacts. The side of the
/// contact that the body is on is a body that no impulse moves ([`super::Body::fixed`]); both sides may be deformable.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Compliance {
    /// Contacts of the problem on which the body takes part, each once.
    pub contacts: Vec<usize>,
    /// What the body adds to the relative velocity of each of `contacts`, local (m/s): the free one before a solve, the final one after it.
    pub velocity: Vec<Vector3<f64>>,
    /// Symmetric positive semi-definite, 3n × 3n for n contacts, (n, t, s) of each in turn (m/s per N s). With contact dimension 2 the
    /// s rows and columns take no part.
    pub matrix: DMatrix<f64>,
    /// Whether it is of rigid bodies that joints hold together: it then says nothing of how contacts share what they hold.
    pub is_rigid: bool,
}

/// Where a contact stands in a compliance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    /// Index of the compliance in the problem.
    pub(crate) compliance: usize,
    /// Place of the contact among those of the compliance.
    pub(crate) at: usize,
}

/// Compliances of a contact: one for each side at most.
pub(crate) type Places = [Option<Place>; 2];

impl Compliance {
    /// What an impulse at its contact number `from` does to the velocity at its contact number `to`, local.
    #[must_use]
    pub fn block(&self, to: usize, from: usize) -> Matrix3<f64> {
        self.matrix.fixed_view::<3, 3>(3 * to, 3 * from).into_owned()
    }

    /// Adds what the impulse `change` (local, N s) at its contact number `from` does to the velocities.
    pub fn follow(&mut self, from: usize, change: &Vector3<f64>, dimension: ContactDimension) {
        let planar = dimension == ContactDimension::Two;
        let change = if planar { Vector3::new(change.x, change.y, 0.0) } else { *change };
        for (to, velocity) in self.velocity.iter_mut().enumerate() {
            let mut added = self.matrix.fixed_view::<3, 3>(3 * to, 3 * from) * change;
            if planar {
                added.z = 0.0;
            }
            *velocity += added;
        }
    }

    /// Turns the axes that the numbers of its contact number `at` are in: `by` takes components in the old frame to those in the new one.
    pub fn turn(&mut self, at: usize, by: &Matrix3<f64>) {
        self.velocity[at] = by * self.velocity[at];
        for other in 0..self.velocity.len() {
            let block = by * self.block(at, other);
            let block = if other == at { symmetric(&(block * by.transpose())) } else { block };
            self.matrix.fixed_view_mut::<3, 3>(3 * at, 3 * other).copy_from(&block);
            self.matrix.fixed_view_mut::<3, 3>(3 * other, 3 * at).copy_from(&block.transpose());
        }
    }

    fn validate(&self, index: usize, contacts: usize) -> Result<(), ProblemError> {
        let fail = |what: String| Err(ProblemError::Compliance { compliance: index, what });
        let n = self.contacts.len();
        if let Some(contact) = self.contacts.iter().find(|c| **c >= contacts) {
            return fail(format!("it names contact {contact}, but the problem has {contacts} contacts"));
        }
        if self.velocity.len() != n || self.matrix.shape() != (3 * n, 3 * n) {
            let (velocities, (rows, columns)) = (self.velocity.len(), self.matrix.shape());
            return fail(format!(
                "for {n} contacts it has {velocities} velocities and a {rows} × {columns} matrix; expected {n}, and {0} × {0}",
                3 * n
            ));
        }
        if let Some(at) = self.velocity.iter().position(|v| !v.iter().all(|x| x.is_finite())) {
            return fail(format!("the velocity at contact {} is not finite", self.contacts[at]));
        }
        if !self.matrix.iter().all(|x| x.is_finite()) {
            return fail("a number of its matrix is not finite; was the mass matrix singular?".to_owned());
        }
        self.validate_matrix().map_or(Ok(()), fail)
    }

    /// What forbids the matrix to be symmetric positive semi-definite, as far as its pairs of rows tell.
    fn validate_matrix(&self) -> Option<String> {
        let diagonal = self.matrix.diagonal();
        let name = |k: usize| format!("contact {} ({})", self.contacts[k / 3], ["n", "t", "s"][k % 3]);
        if let Some(k) = diagonal.iter().position(|x| *x < 0.0) {
            return Some(format!("its diagonal is negative at {}; a body gives way to what pushes it", name(k)));
        }
        let largest = if diagonal.is_empty() { 0.0 } else { diagonal.max() };
        let roots = diagonal.map(f64::sqrt);
        for (i, j) in pairs(diagonal.len()) {
            let (above, below) = (self.matrix[(i, j)], self.matrix[(j, i)]);
            let root = roots[i] * roots[j];
            let rounding = ROUNDING[0] * root + ROUNDING[1] * largest;
            if (above - below).abs() > rounding {
                return Some(format!("its matrix is not symmetric between {} and {}: {above:e} and {below:e}", name(i), name(j)));
            }
            if above.abs() > root + rounding {
                return Some(format!("its matrix is not positive semi-definite: see {} and {}", name(i), name(j)));
            }
        }
        None
    }
}

fn symmetric(block: &Matrix3<f64>) -> Matrix3<f64> {
    (block + block.transpose()) * 0.5
}

/// Pairs `i < j < n`, tile by tile, so that mirrored entries lie in the cache.
fn pairs(n: usize) -> impl Iterator<Item = (usize, usize)> {
    let tiles = (0..n).step_by(TILE).flat_map(|right| (0..=right).step_by(TILE).map(move |left| (left, right)));
    tiles.flat_map(move |(left, right)| {
        (right..n.min(right + TILE)).flat_map(move |j| (left..j.min(left + TILE)).map(move |i| (i, j)))
    })
}

impl ContactProblem {
    /// What deformable bodies add to the relative velocity of a contact, local (m/s); zero where there is none.
    #[must_use]
    pub fn compliance_velocity(&self, contact: usize) -> Vector3<f64> {
        let velocity = |c: &Compliance| c.velocity.get(c.contacts.iter().position(|k| *k == contact)?).copied();
        self.compliances.iter().filter_map(velocity).sum()
    }

    /// What the impulse of each contact does to its own relative velocity through deformable bodies, local (m/s per N s); empty where there is none.
    #[must_use]
    pub fn compliance_blocks(&self) -> Vec<Matrix3<f64>> {
        if self.compliances.is_empty() {
            return Vec::new();
        }
        let mut all = vec![Matrix3::zeros(); self.contacts.len()];
        for (body, (at, contact)) in self.compliances.iter().flat_map(|c| c.contacts.iter().enumerate().map(move |k| (c, k))) {
            if let Some(sum) = all.get_mut(*contact) {
                *sum += body.block(at, at);
            }
        }
        all
    }

    /// Sets the velocities of the compliances to `free`, those of each without impulses, and what all impulses do to them.
    pub fn rebuild_compliances(&mut self, free: &[Vec<Vector3<f64>>]) {
        for (body, free) in self.compliances.iter_mut().zip(free) {
            body.velocity.clone_from(free);
            for at in 0..body.contacts.len() {
                let impulse = self.contacts.get(body.contacts[at]).map_or_else(Vector3::zeros, |c| c.impulse);
                if impulse != Vector3::zeros() {
                    body.follow(at, &impulse, self.dimension);
                }
            }
        }
    }

    /// [`Self::compliance_velocity`] of all contacts, which one by one would be looked for in every compliance; empty where there is none.
    #[must_use]
    pub fn compliance_velocities(&self) -> Vec<Vector3<f64>> {
        if self.compliances.is_empty() {
            return Vec::new();
        }
        let mut all = vec![Vector3::zeros(); self.contacts.len()];
        for (contact, velocity) in self.compliances.iter().flat_map(|c| c.contacts.iter().zip(&c.velocity)) {
            if let Some(sum) = all.get_mut(*contact) {
                *sum += velocity;
            }
        }
        all
    }

    /// The places of each contact in compliances; empty where the problem has none. Of a validated problem.
    pub(crate) fn places(&self) -> Vec<Places> {
        if self.compliances.is_empty() {
            return Vec::new();
        }
        let mut places: Vec<Places> = vec![[None; 2]; self.contacts.len()];
        for (compliance, body) in self.compliances.iter().enumerate() {
            for (at, &contact) in body.contacts.iter().enumerate() {
                if let Some(free) = places[contact].iter_mut().find(|p| p.is_none()) {
                    *free = Some(Place { compliance, at });
                }
            }
        }
        places
    }

    /// Checks the compliances alone.
    pub(super) fn validate_compliances(&self) -> Result<(), ProblemError> {
        if self.compliances.is_empty() {
            return Ok(());
        }
        if self.cell.is_some() {
            return Err(ProblemError::ComplianceInCell);
        }
        let mut sides = vec![0_u8; self.contacts.len()];
        let mut last = vec![usize::MAX; self.contacts.len()];
        for (index, body) in self.compliances.iter().enumerate() {
            body.validate(index, self.contacts.len())?;
            for &contact in &body.contacts {
                let fail = |what: &str| {
                    Err(ProblemError::Compliance { compliance: index, what: format!("it names contact {contact} {what}") })
                };
                if std::mem::replace(&mut last[contact], index) == index {
                    return fail("twice; expected each contact once");
                }
                sides[contact] += 1;
                if sides[contact] > 2 {
                    return fail("which is in two others already; a contact has two sides");
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What impulses do is the same in whatever axes a contact is written: the answer in turned axes is the turned answer.
    #[test]
    fn turned_axes_see_the_same_motion() {
        let root = DMatrix::from_fn(9, 9, |i, j| (0.9 * (1.0 + i as f64) * (2.0 + j as f64)).sin());
        let velocity = vec![Vector3::new(0.1, 0.2, -0.3), Vector3::new(-0.4, 0.5, 0.6), Vector3::new(0.7, -0.8, 0.9)];
        let body = Compliance { contacts: vec![0, 1, 2], velocity, matrix: &root * root.transpose(), is_rigid: false };
        let by = *nalgebra::Rotation3::from_euler_angles(0.3, -1.1, 2.0).matrix();
        let mut turned = body.clone();
        turned.turn(1, &by);
        let push = [Vector3::new(0.3, -0.2, 0.5), Vector3::new(1.0, 0.1, -0.7), Vector3::new(-0.4, 0.8, 0.2)];
        let moved = |mut body: Compliance, push: [Vector3<f64>; 3]| {
            push.iter().enumerate().for_each(|(k, r)| body.follow(k, r, ContactDimension::Three));
            body.velocity
        };
        let (a, b) = (moved(body, push), moved(turned.clone(), [push[0], by * push[1], push[2]]));
        for (k, (a, b)) in a.iter().zip(&b).enumerate() {
            let a = if k == 1 { by * a } else { *a };
            assert!((a - b).norm() < 1e-13, "{k}: {a} {b}");
        }
        assert_eq!(turned.matrix, turned.matrix.transpose());
    }

    /// What the impulse of a contact does to its own velocity through two deformable bodies is the sum of their diagonal blocks.
    #[test]
    fn blocks_are_what_impulses_do_to_themselves() {
        let body = |contacts: Vec<usize>, seed: f64| {
            let n = 3 * contacts.len();
            let root = DMatrix::from_fn(n, n, |i, j| (seed * (1.0 + i as f64) * (2.0 + j as f64)).sin());
            Compliance {
                velocity: vec![Vector3::zeros(); contacts.len()],
                matrix: &root * root.transpose(),
                contacts,
                is_rigid: false,
            }
        };
        let mut problem = ContactProblem::new(ContactDimension::Three);
        let still = problem.push_body(crate::problem::Body::fixed());
        for _ in 0..3 {
            let frame = crate::problem::Frame::from_normal(Vector3::x());
            problem.push_contact(crate::problem::Contact::new(still, still, frame, Vector3::zeros(), Vector3::zeros()));
        }
        problem.compliances = vec![body(vec![2, 0], 0.7), body(vec![1, 2], 1.3)];
        let blocks = problem.compliance_blocks();
        let push = Vector3::new(0.3, -0.2, 0.5);
        for (contact, block) in blocks.iter().enumerate() {
            let mut after = problem.clone();
            for body in &mut after.compliances {
                if let Some(from) = body.contacts.iter().position(|c| *c == contact) {
                    body.follow(from, &push, ContactDimension::Three);
                }
            }
            assert!((after.compliance_velocity(contact) - block * push).norm() < 1e-14, "{contact}");
        }
    }
}
