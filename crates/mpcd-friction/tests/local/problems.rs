//! Small problems with known answers or of a known kind, and what every solution must fulfil. No solver is judged here.

use mpcd_fclib::{local_solver, local_solver_names};
use mpcd_friction::local::{BlockMatrix, LocalProblem, LocalSolver};

/// All that solve Coulomb's law and not its relaxation.
pub(crate) fn solvers<const D: usize>() -> Vec<Box<dyn LocalSolver<D>>> {
    local_solver_names().into_iter().filter(|name| !name.ends_with("-convex")).map(|name| local_solver(name).unwrap()).collect()
}

pub(crate) fn one_contact(w: [[f64; 3]; 3], q: [f64; 3], mu: f64) -> LocalProblem<3> {
    let entries = (0..9).map(|k| (k / 3, k % 3, w[k / 3][k % 3]));
    LocalProblem { delassus: BlockMatrix::from_entries(1, entries), free_velocity: vec![q], friction: vec![mu] }
}

pub(crate) const UNIT: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// A block on four corners, W = H M⁻¹ Hᵀ of rank 6 out of 12: impulses are not unique, the resultant is.
pub(crate) fn block_on_four_corners(push: f64) -> LocalProblem<3> {
    let corners = [[0.5, -0.5], [0.5, 0.5], [-0.5, 0.5], [-0.5, -0.5]];
    let rows: Vec<[f64; 6]> = corners
        .iter()
        .flat_map(|&[x, y]| {
            // velocity of the point (x, y, −½): v + ω × p, components (z, x, y)
            let z = -0.5;
            [[0.0, 0.0, 1.0, y, -x, 0.0], [1.0, 0.0, 0.0, 0.0, z, -y], [0.0, 1.0, 0.0, -z, 0.0, x]]
        })
        .collect();
    let inverse_mass = [1.0, 1.0, 1.0, 6.0, 6.0, 6.0];
    let free = [push, 0.0, -1.0, 0.0, 0.0, 0.0];
    let entries = (0..144).map(|k| (k / 12, k % 12, (0..6).map(|i| rows[k / 12][i] * inverse_mass[i] * rows[k % 12][i]).sum()));
    let q: Vec<f64> = rows.iter().map(|row| (0..6).map(|i| row[i] * free[i]).sum()).collect();
    LocalProblem {
        delassus: BlockMatrix::from_entries(4, entries),
        free_velocity: q.chunks(3).map(|c| [c[0], c[1], c[2]]).collect(),
        friction: vec![0.4; 4],
    }
}

/// Random towers: contact k between bodies k and k + 1 at random levers, masses up to `ratio` apart, pushed at random and
/// mostly together; sticking, sliding and open contacts among them.
pub(crate) fn tower(seed: u32, contacts: usize, ratio: f64) -> LocalProblem<3> {
    let mut state = f64::from(seed) + 0.5;
    let mut next = || {
        state = (state * 7.31 + 0.37).fract() * 100.0 + 0.01;
        2.0 * (state * 1.618).fract() - 1.0
    };
    let unknowns = 6 * (contacts + 1);
    let mass: Vec<f64> = (0..=contacts).map(|k| if k % 2 == 0 { 1.0 } else { ratio }).collect();
    let free: Vec<f64> = (0..unknowns).map(|i| if i % 6 == 0 { next() - 0.05 * i as f64 } else { 0.3 * next() }).collect();
    let rows: Vec<Vec<f64>> = (0..contacts)
        .flat_map(|c| {
            let lever: [f64; 6] = std::array::from_fn(|_| 0.5 * next());
            (0..3).map(move |k| {
                let mut row = vec![0.0; unknowns];
                for (side, sign) in [(0, -1.0), (1, 1.0)] {
                    let (p, at) = (&lever[3 * side..], 6 * (c + side));
                    let (i, j) = ((k + 1) % 3, (k + 2) % 3);
                    row[at + k] = sign;
                    // (ω × p)_k
                    row[at + 3 + i] = sign * p[j];
                    row[at + 3 + j] = -sign * p[i];
                }
                row
            })
        })
        .collect();
    let n = 3 * contacts;
    let entries = (0..n * n).map(|e| {
        let (a, b) = (&rows[e / n], &rows[e % n]);
        let inverse = |i: usize| if i % 6 < 3 { 1.0 / mass[i / 6] } else { 6.0 / mass[i / 6] };
        (e / n, e % n, (0..unknowns).map(|i| a[i] * b[i] * inverse(i)).sum())
    });
    let q: Vec<f64> = rows.iter().map(|row| row.iter().zip(&free).map(|(h, v)| h * v).sum()).collect();
    LocalProblem {
        delassus: BlockMatrix::from_entries(contacts, entries),
        free_velocity: q.chunks(3).map(|c| [c[0], c[1], c[2]]).collect(),
        friction: (0..contacts).map(|c| [0.3, 0.0, 0.8][c % 3]).collect(),
    }
}

/// What a contact does in a solution that is chosen beforehand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Sticking,
    Sliding,
    TakeOff,
    /// The three in turn.
    Mixed,
}

/// Uniform numbers in [−1, 1) from a seed.
pub(crate) fn numbers(seed: u32) -> impl FnMut() -> f64 {
    let mut state = u64::from(seed) + 1;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

/// A problem with this W of which one solution is known: r and u are drawn to be of this kind, and `q = u − W r`.
pub(crate) fn prescribed<const D: usize>(delassus: BlockMatrix<D>, friction: f64, kind: Kind, seed: u32) -> LocalProblem<D> {
    let contacts = delassus.len();
    let mut next = numbers(seed);
    let (mut r, mut u) = (vec![[0.0; D]; contacts], vec![[0.0; D]; contacts]);
    for c in 0..contacts {
        let angle = std::f64::consts::PI * next();
        let mut direction = [0.0; D];
        direction[1] = if D == 2 { angle.signum() } else { angle.cos() };
        if D == 3 {
            direction[2] = angle.sin();
        }
        let (push, size) = (1.0 + 0.5 * next(), 1.1 + next());
        match [Kind::Sticking, Kind::Sliding, Kind::TakeOff][c % 3] {
            turn if kind == Kind::TakeOff || (kind == Kind::Mixed && turn == Kind::TakeOff) => {
                u[c] = direction.map(|d| d * size);
                u[c][0] = 0.3 * size;
            }
            turn => {
                let slides = kind == Kind::Sliding || (kind == Kind::Mixed && turn == Kind::Sliding);
                let share = if slides { 1.0 } else { 0.4 * size };
                r[c] = direction.map(|d| d * friction * push * share);
                r[c][0] = push;
                if slides || friction == 0.0 {
                    u[c] = direction.map(|d| -d * size);
                }
            }
        }
    }
    let mut wr = vec![[0.0; D]; contacts];
    delassus.multiply(&r, &mut wr);
    let free_velocity = (0..contacts).map(|c| std::array::from_fn(|k| u[c][k] - wr[c][k])).collect();
    LocalProblem { delassus, free_velocity, friction: vec![friction; contacts] }
}

/// The same contacts without the second tangent.
pub(crate) fn in_the_plane(w: &BlockMatrix<3>) -> BlockMatrix<2> {
    let entries = w.entries().filter(|e| e.0 % 3 < 2 && e.1 % 3 < 2);
    BlockMatrix::from_entries(w.len(), entries.map(|(i, j, v)| (i / 3 * 2 + i % 3, j / 3 * 2 + j % 3, v)))
}

/// A column of point masses on the floor, contact k under mass k: W couples the neighbours.
pub(crate) fn column(masses: &[f64]) -> BlockMatrix<3> {
    let entries = (0..masses.len()).flat_map(|k| {
        (0..3).flat_map(move |i| {
            let here = 1.0 / masses[k] + if k > 0 { 1.0 / masses[k - 1] } else { 0.0 };
            let side = (k > 0).then(|| {
                let (a, b, v) = (3 * k + i, 3 * k - 3 + i, -1.0 / masses[k - 1]);
                [(a, b, v), (b, a, v)]
            });
            std::iter::once((3 * k + i, 3 * k + i, here)).chain(side.into_iter().flatten())
        })
    });
    BlockMatrix::from_entries(masses.len(), entries)
}

/// Asserts the law contact by contact: r in the cone, `û = u + μ‖u_t‖ n` in the dual cone, `û·r = 0`; relative to the largest
/// impulse and velocity (or what that impulse makes of the contact's own velocity).
pub(crate) fn assert_lawful<const D: usize>(problem: &LocalProblem<D>, r: &[[f64; D]], tolerance: f64, what: &str) {
    let u = problem.velocities(r);
    let size = |x: &[f64; D]| x.iter().map(|v| v * v).sum::<f64>().sqrt();
    let tangential = |x: &[f64; D]| x[1..].iter().map(|v| v * v).sum::<f64>().sqrt();
    let impulse = r.iter().map(size).fold(f64::MIN_POSITIVE, f64::max);
    for c in 0..r.len() {
        let (r, u, mu) = (&r[c], &u[c], problem.friction[c]);
        let velocity = impulse * (0..D).map(|k| problem.delassus.diagonal(c)[k][k]).sum::<f64>();
        let velocity = velocity.max(problem.free_velocity.iter().map(size).fold(f64::MIN_POSITIVE, f64::max));
        let hat = u[0] + mu * tangential(u);
        assert!(tangential(r) <= mu * r[0] + tolerance * impulse, "{what}, contact {c}: cone, r {r:?}");
        assert!(hat >= mu * tangential(u) - tolerance * velocity, "{what}, contact {c}: dual cone, u {u:?}");
        let work = hat * r[0] + (1..D).map(|k| u[k] * r[k]).sum::<f64>();
        assert!(work.abs() <= tolerance * impulse * velocity, "{what}, contact {c}: complementarity {work:e}");
    }
}
