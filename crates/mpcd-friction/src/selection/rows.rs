//! What impulses do to bodies, weighted by the roots of their inverse masses, so that W = Aᵀ A: a row for each way in which a body, or the cell, can move.

use nalgebra::{SymmetricEigen, Vector3};

use mpcd_sparse::Islands;

use super::dual::dot;
use crate::problem::{Body, ContactDimension, ContactProblem};

/// Inverse inertia, over the largest of a body, that is none.
const NONE: f64 = 1e-12;

/// One way to move: along or about an axis (world), with the root of the inverse mass or inertia.
#[derive(Debug, Clone, Copy)]
enum Way {
    Along(Vector3<f64>),
    About(Vector3<f64>),
}

/// The ways of all bodies, and the entries of each contact.
pub(super) struct Rows<const D: usize> {
    contacts: Vec<Vec<(usize, [f64; D])>>,
    /// How each way of a body moves now, in the unit of what impulses give it.
    motion: Vec<f64>,
}

impl<const D: usize> Rows<D> {
    pub(super) fn of(problem: &ContactProblem) -> Self {
        let mut firsts = Vec::with_capacity(problem.bodies.len());
        let mut ways: Vec<Vec<Way>> = Vec::with_capacity(problem.bodies.len());
        let (mut count, mut motion) = (0, Vec::new());
        for body in &problem.bodies {
            firsts.push(count);
            ways.push(ways_of(body, problem.dimension));
            motion.extend(ways[ways.len() - 1].iter().map(|way| match way {
                Way::Along(axis) => axis.dot(&body.velocity) / axis.norm_squared(),
                Way::About(axis) => axis.dot(&body.angular_velocity) / axis.norm_squared(),
            }));
            count += ways[ways.len() - 1].len();
        }
        let contacts = problem.contacts.iter().enumerate().map(|(k, contact)| {
            let axes: [Vector3<f64>; 3] = [*contact.frame.normal(), *contact.frame.tangent(), contact.frame.binormal()];
            let mut entries = Vec::new();
            for side in contact.sides() {
                for (i, way) in ways[side.body].iter().enumerate() {
                    let moved = match way {
                        Way::Along(axis) => *axis,
                        Way::About(axis) => axis.cross(&side.lever),
                    };
                    entries.push((firsts[side.body] + i, std::array::from_fn(|k| side.sign * axes[k].dot(&moved))));
                }
            }
            if let Some((cell, branch)) = problem.cell.as_ref().and_then(|cell| Some((cell, cell.branches.get(k)?))) {
                for axis in (0..3).filter(|&a| cell.inverse_inertia[a] > 0.0) {
                    let size = cell.inverse_inertia[axis].sqrt() * branch[axis];
                    entries.push((count + axis, std::array::from_fn(|k| axes[k][axis] * size)));
                }
            }
            entries
        });
        Self { contacts: contacts.collect(), motion }
    }

    /// How a way of a body moves now, in the unit of what impulses give it: the root of its mass times its velocity. 0 of a cell.
    pub(super) fn motion(&self, way: usize) -> f64 {
        self.motion.get(way).copied().unwrap_or(0.0)
    }

    /// The part of a contact's velocity that impulses can stop.
    pub(super) fn free_velocity(&self, contact: usize) -> [f64; D] {
        let mut u = [0.0; D];
        for (row, entry) in &self.contacts[contact] {
            (0..D).for_each(|k| u[k] += entry[k] * self.motion(*row));
        }
        u
    }

    pub(super) fn of_contact(&self, contact: usize) -> &[(usize, [f64; D])] {
        &self.contacts[contact]
    }

    /// By how much a contact gives way to an impulse of 1, at most: the trace of its block of W.
    pub(super) fn give(&self, contact: usize) -> f64 {
        self.contacts[contact].iter().flat_map(|(_, entry)| entry).map(|a| a * a).sum()
    }

    /// By how much the impulses of all change the velocity of each contact, and the terms of that, all taken as positive.
    pub(super) fn speeds(&self, problem: &ContactProblem) -> (Vec<f64>, Vec<f64>) {
        let ways = self.contacts.iter().flatten().map(|(row, _)| row + 1).max().unwrap_or(0);
        let (mut changes, mut terms) = (vec![0.0; ways], vec![0.0; ways]);
        for (entries, contact) in self.contacts.iter().zip(&problem.contacts) {
            for (row, entry) in entries {
                for (a, r) in entry.iter().zip(contact.impulse.iter()) {
                    changes[*row] += a * r;
                    terms[*row] += (a * r).abs();
                }
            }
        }
        let of = |entries: &Vec<(usize, [f64; D])>| {
            let (mut u, mut sum) = ([0.0; D], 0.0_f64);
            for (row, entry) in entries {
                (0..D).for_each(|k| u[k] += entry[k] * changes[*row]);
                sum += dot(entry, entry).sqrt() * terms[*row];
            }
            (dot(&u, &u).sqrt(), sum)
        };
        self.contacts.iter().map(of).unzip()
    }

    /// By how much impulses change the velocities of an island: the root of the mean square, weighted by masses.
    pub(super) fn island_speeds(&self, problem: &ContactProblem, islands: &Islands) -> Vec<f64> {
        let mut given = vec![Vector3::zeros(); problem.bodies.len()];
        for contact in &problem.contacts {
            let p = contact.world_impulse();
            contact.sides().iter().for_each(|side| given[side.body] += p * side.sign);
        }
        let mut sums = vec![[0.0; 2]; islands.count()];
        for ((body, p), island) in problem.bodies.iter().zip(&given).zip(islands.numbers()) {
            let inverse = body.inverse_mass.max();
            if inverse > 0.0 {
                sums[*island][0] += body.inverse_mass.component_mul(p).norm_squared() / inverse;
                sums[*island][1] += 1.0 / inverse;
            }
        }
        sums.iter().map(|[square, mass]| if *mass > 0.0 { (square / mass).sqrt() } else { 0.0 }).collect()
    }
}

fn ways_of(body: &Body, dimension: ContactDimension) -> Vec<Way> {
    let planar = dimension == ContactDimension::Two;
    let along = (0..if planar { 2 } else { 3 }).filter(|&k| body.inverse_mass[k] > 0.0);
    let mut ways: Vec<Way> = along.map(|k| Way::Along(Vector3::ith(k, body.inverse_mass[k].sqrt()))).collect();
    let inertia = body.inverse_inertia.matrix();
    if planar {
        ways.extend((inertia[(2, 2)] > 0.0).then(|| Way::About(Vector3::z() * inertia[(2, 2)].sqrt())));
    } else if inertia.norm() > 0.0 {
        let own = SymmetricEigen::new(inertia);
        let largest = own.eigenvalues.max();
        for (k, value) in own.eigenvalues.iter().enumerate().filter(|(_, v)| **v > NONE * largest) {
            ways.push(Way::About(own.eigenvectors.column(k) * value.sqrt()));
        }
    }
    ways
}

/// Adds to the impulse of a contact, with what that does to bodies and cell.
pub(super) fn give(problem: &mut ContactProblem, contact: usize, change: &Vector3<f64>) {
    let one = &mut problem.contacts[contact];
    one.impulse += change;
    let world = one.frame.to_world(change);
    for side in one.sides() {
        side.apply(&mut problem.bodies[side.body], &world, &Vector3::zeros());
    }
    if let Some(cell) = &mut problem.cell
        && let Some(branch) = cell.branches.get(contact)
    {
        cell.rate += cell.inverse_inertia.component_mul(branch).component_mul(&world);
    }
}
