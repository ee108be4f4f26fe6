//! Lattice packings as contact problems: spheres on an FCC lattice, discs on a hexagonal one, on a floor between walls.
//! One time step of each, from rest under gravity. Used by the benchmarks and by the tests.

#![allow(dead_code, reason = "each user takes its part")]

use mpcd_friction::Cone;
use mpcd_friction::problem::{Body, Contact, ContactDimension, ContactProblem, Frame, InverseInertia};
use nalgebra::{Matrix3, Vector3};

/// Gravity (m/s²) and time step (s).
const GRAVITY: f64 = 9.81;
const STEP: f64 = 1e-3;
const DENSITY: f64 = 100.0;

/// Which kernel the contacts will go through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Inertia {
    /// A scalar: the diagonal kernel.
    Scalar,
    /// The same inertia as a tensor: the full kernel (3D).
    Tensor,
}

/// Uniform in [0, 1) by SplitMix64.
fn uniform(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}

/// FCC lattice of `cells`³ cells: spheres of radius 0.5 (1 + 1e-4 u), cell √2, on a floor between four walls,
/// μ = 0.3 between spheres and 0.5 at the walls.
pub(crate) fn fcc(cells: usize, inertia: Inertia, seed: u64) -> ContactProblem {
    let mut state = seed;
    let basis = [[0, 0, 0], [1, 1, 0], [1, 0, 1], [0, 1, 1]];
    let side = 2 * cells;
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let mut problem = ContactProblem::new(ContactDimension::Three);
    let mut site = vec![usize::MAX; side * side * side];
    let mut centres = Vec::new();
    for cell in 0..cells.pow(3) {
        let corner = [cell / (cells * cells), (cell / cells) % cells, cell % cells];
        for b in basis {
            let k: [usize; 3] = std::array::from_fn(|a| 2 * corner[a] + b[a]);
            let radius = 0.5 * (1.0 + 1e-4 * uniform(&mut state));
            site[(k[0] * side + k[1]) * side + k[2]] = centres.len();
            centres.push((k, radius));
            let mass = DENSITY * 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
            let moment = 0.4 * mass * radius * radius;
            let v = Vector3::new(0.0, 0.0, -GRAVITY * STEP);
            let mut body = Body::ball(v, Vector3::zeros(), 1.0 / mass, 1.0 / moment);
            if inertia == Inertia::Tensor {
                body.inverse_inertia = InverseInertia::Tensor(Matrix3::from_diagonal_element(1.0 / moment));
            }
            problem.push_body(body);
        }
    }
    let walls = problem.push_body(Body::fixed());
    let neighbours: [[i64; 3]; 6] = [[1, 1, 0], [1, -1, 0], [1, 0, 1], [1, 0, -1], [0, 1, 1], [0, 1, -1]];
    for (candidate, (k, radius)) in centres.iter().enumerate() {
        for offset in neighbours {
            let at: [i64; 3] = std::array::from_fn(|a| k[a] as i64 + offset[a]);
            if at.iter().any(|x| *x < 0 || *x >= side as i64) {
                continue;
            }
            let other = site[(at[0] as usize * side + at[1] as usize) * side + at[2] as usize];
            let n = -Vector3::from_fn(|a, _| offset[a] as f64);
            let frame = Frame::from_normal(n);
            let contact = Contact::new(candidate, other, frame, -frame.normal() * *radius, frame.normal() * centres[other].1);
            problem.push_contact(contact.with_cone(Cone::coulomb(0.3)));
        }
        for axis in 0..3 {
            for (at_wall, sign) in [(k[axis] == 0, 1.0), (axis < 2 && k[axis] == side - 1, -1.0)] {
                if at_wall {
                    let frame = Frame::from_normal(Vector3::ith(axis, sign));
                    let lever = -frame.normal() * *radius;
                    let point = Vector3::from_fn(|a, _| k[a] as f64 * half) + lever;
                    let contact = Contact::new(candidate, walls, frame, lever, point);
                    problem.push_contact(contact.with_cone(Cone::coulomb(0.5)));
                }
            }
        }
    }
    problem
}

/// Hexagonal lattice of `columns` × `rows` discs of unequal mass on a floor between two walls.
pub(crate) fn hexagonal(columns: usize, rows: usize, seed: u64) -> ContactProblem {
    let mut state = seed;
    let mut problem = ContactProblem::new(ContactDimension::Two);
    for _ in 0..columns * rows {
        let mass = DENSITY * 0.25 * std::f64::consts::PI * (0.5 + uniform(&mut state));
        let v = Vector3::new(0.0, -GRAVITY * STEP, 0.0);
        problem.push_body(Body::ball(v, Vector3::zeros(), 1.0 / mass, 8.0 / mass));
    }
    let walls = problem.push_body(Body::fixed());
    let mut join = |i: usize, j: usize, n: Vector3<f64>, friction: f64| {
        let frame = Frame::planar(n);
        let lever = frame.normal() * 0.5;
        problem.push_contact(Contact::new(i, j, frame, -lever, lever).with_cone(Cone::coulomb(friction)));
    };
    let slope = 0.75_f64.sqrt();
    for row in 0..rows {
        for column in 0..columns {
            let i = row * columns + column;
            if column + 1 < columns {
                join(i, i + 1, -Vector3::x(), 0.3);
            }
            if row == 0 {
                join(i, walls, Vector3::y(), 0.5);
            }
            // rows are shifted to and fro by half a diameter
            let shift = (row % 2) as isize;
            for (side, dx) in [(shift - 1, -0.5), (shift, 0.5)] {
                let above = column as isize + side;
                if row + 1 < rows && (0..columns as isize).contains(&above) {
                    let j = (row + 1) * columns + above as usize;
                    join(i, j, Vector3::new(-dx, -slope, 0.0), 0.3);
                }
            }
            if column == 0 && shift == 0 {
                join(i, walls, Vector3::x(), 0.5);
            }
            if column + 1 == columns && shift == 1 {
                join(i, walls, -Vector3::x(), 0.5);
            }
        }
    }
    problem
}

/// Puts the bodies back to their free velocities and keeps the impulses: the next step of a settled packing.
pub(crate) fn restart(problem: &mut ContactProblem, start: &ContactProblem) {
    for (body, free) in problem.bodies.iter_mut().zip(&start.bodies) {
        *body = *free;
    }
}

/// The same, with the impulses of `settled`.
pub(crate) fn restart_from(problem: &mut ContactProblem, start: &ContactProblem, settled: &ContactProblem) {
    restart(problem, start);
    for (contact, held) in problem.contacts.iter_mut().zip(&settled.contacts) {
        contact.impulse = held.impulse;
    }
}
