//! `auto`: stacks from a cold start, what each of its members is worth, proofs that no solution exists.

use super::problems::{Kind, prescribed, tower};
use mpcd_fclib::{self as fclib, Info, Stored};
use mpcd_friction::local::{
    Auto, BlockMatrix, GlobalProblem, LocalProblem, LocalSettings, LocalSolver, PreparedProblem, impossible, matrix_from_entries,
};
use mpcd_friction::{SolveInfo, Status};

const STEP: f64 = 1e-3;
const GRAVITY: f64 = 9.81;

fn solved<const D: usize>(auto: Auto, problem: &PreparedProblem<D>, tolerance: f64) -> (SolveInfo, Vec<[f64; D]>) {
    let mut auto = auto;
    let mut r = vec![[0.0; D]; problem.contacts()];
    let info = auto.solve(problem, &mut r, &LocalSettings { tolerance, ..LocalSettings::default() });
    (info, r)
}

/// Points of mass 1, each resting on the one below: W is tridiagonal, gravity has closed the lowest contact alone.
fn column(blocks: usize) -> PreparedProblem<3> {
    let mut entries = Vec::new();
    for i in 0..blocks {
        for k in 0..3 {
            let mut add = |row: usize, column: usize, v: f64| entries.push((3 * row + k, 3 * column + k, v));
            add(i, i, 1.0 + f64::from(u8::from(i > 0)));
            if i > 0 {
                add(i, i - 1, -1.0);
                add(i - 1, i, -1.0);
            }
        }
    }
    let mut free_velocity = vec![[0.0; 3]; blocks];
    free_velocity[0][0] = -GRAVITY * STEP;
    let local = LocalProblem { delassus: BlockMatrix::from_entries(blocks, entries), free_velocity, friction: vec![0.5; blocks] };
    PreparedProblem::new(local, None).unwrap()
}

/// Cubes of edge 1 and mass 1 on each other, a contact at each corner of a face: more impulses than equations.
fn cubes(blocks: usize) -> PreparedProblem<3> {
    let (n, contacts) = (6 * blocks, 4 * blocks);
    let mass = (0..n).map(|i| (i, i, if i % 6 < 3 { 1.0 } else { 1.0 / 6.0 }));
    let mut transfer = Vec::new();
    for c in 0..contacts {
        let (upper, corner) = (c / 4, [[0.5, 0.5], [-0.5, 0.5], [-0.5, -0.5], [0.5, -0.5]][c % 4]);
        // directions n = z, t = x, s = y; the lower face of the upper cube is the upper face of the lower one
        for (body, sign, z) in [(Some(upper), 1.0, -0.5), (upper.checked_sub(1), -1.0, 0.5)] {
            let Some(body) = body else { continue };
            let arm = [corner[0], corner[1], z];
            for (k, axis) in [2, 0, 1].into_iter().enumerate() {
                let mut d = [0.0; 3];
                d[axis] = sign;
                let turn = [arm[1] * d[2] - arm[2] * d[1], arm[2] * d[0] - arm[0] * d[2], arm[0] * d[1] - arm[1] * d[0]];
                for i in 0..3 {
                    transfer.push((6 * body + i, 3 * c + k, d[i]));
                    transfer.push((6 * body + 3 + i, 3 * c + k, turn[i]));
                }
            }
        }
    }
    let global = GlobalProblem {
        mass: matrix_from_entries("M", (n, n), mass).unwrap(),
        transfer: matrix_from_entries("H", (n, 3 * contacts), transfer.into_iter().filter(|e| e.2 != 0.0)).unwrap(),
        load: (0..n).map(|i| if i % 6 == 2 { -GRAVITY * STEP } else { 0.0 }).collect(),
        velocity_shift: vec![[0.0; 3]; contacts],
        friction: vec![0.5; contacts],
    };
    PreparedProblem::new(global.condense().unwrap(), Some(&global)).unwrap()
}

/// Weight above each interface, from the impulses of its contacts: largest error relative to the whole weight, and the bound
/// that a scale-free error ε leaves it: `ε ‖r‖/λ_min`, λ_min = (π/2n)² of the chain, ‖r‖ = √(n/3) of the whole weight.
fn weights(blocks: usize, per_face: usize, r: &[[f64; 3]], tolerance: f64) -> (f64, f64) {
    let n = blocks as f64;
    let whole = n * GRAVITY * STEP;
    let found = |i: usize| r[per_face * i..per_face * (i + 1)].iter().map(|r| r[0]).sum::<f64>();
    let error = |i: usize| (found(i) / whole - (n - i as f64) / n).abs();
    let bound = tolerance * (2.0 * n / std::f64::consts::PI).powi(2) * (n / 3.0).sqrt();
    ((0..blocks).map(error).fold(0.0, f64::max), bound)
}

/// Gauss–Seidel needs 36,476 sweeps for 100. The count is that of all stages, sweeps included.
#[test]
fn v06_stack_of_100() {
    for (blocks, tolerance, most) in [(100, 1e-4, 50), (1000, 1e-4, 50), (1000, 1e-10, 100)] {
        let (info, r) = solved(Auto::default(), &column(blocks), tolerance);
        assert!(info.status == Status::Converged && info.iterations < most, "{blocks} points: {info}");
        assert_eq!(info.iterations, info.stages.iter().map(|s| s.iterations).sum::<usize>());
        println!("column of {blocks} to {tolerance:e}: {} iterations {:?}", info.iterations, info.stages);
        if tolerance < 1e-9 {
            let (error, bound) = weights(blocks, 1, &r, tolerance);
            assert!(error <= bound, "{error:e} {bound:e}");
        }
    }
    for (blocks, tolerance, most) in [(100, 1e-4, 50), (100, 1e-10, 100), (1000, 1e-4, 50)] {
        let (info, r) = solved(Auto::default(), &cubes(blocks), tolerance);
        println!("stack of {blocks} cubes to {tolerance:e}: {} iterations {:?}", info.iterations, info.stages);
        assert!(info.status == Status::Converged && info.iterations < most, "{blocks} cubes: {info}");
        if tolerance < 1e-9 {
            let (error, bound) = weights(blocks, 4, &r, tolerance);
            assert!(error <= bound, "{error:e} {bound:e}");
        }
    }
}

/// A point between walls that close in: no impulses help, and the proof can be checked by hand.
#[test]
fn closing_walls_end_as_no_solution_with_a_proof() {
    let w = [[1.0, 0.0, -1.0, 0.0], [0.0, 1.0, 0.0, 1.0], [-1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0]];
    let walls = |speed: f64| {
        let local = LocalProblem::<2> {
            delassus: BlockMatrix::from_entries(2, (0..16).map(|k| (k / 4, k % 4, w[k / 4][k % 4]))),
            free_velocity: vec![[1.0 + speed, 0.2], [-1.0 + speed, 0.2]],
            friction: vec![0.3; 2],
        };
        PreparedProblem::new(local, None).unwrap()
    };
    let closing = walls(-0.1);
    let (info, _) = solved(Auto::default(), &closing, 1e-8);
    assert_eq!(info.status, Status::NoSolution);
    let proof = impossible(&closing).unwrap();
    let d = &proof.direction;
    assert!((d[0] - d[1]).abs() < 1e-12 && d[0] > 0.7, "both normals alike: {d:?}");
    assert!(((-0.1 - 0.1) * d[0] - proof.closing).abs() < 1e-12 && proof.out_of_reach > 1e10);
    for parting in [0.0, 0.1] {
        assert_eq!(solved(Auto::default(), &walls(parting), 1e-8).0.status, Status::Converged);
    }
}

/// Problems side by side that know nothing of each other.
fn beside(problems: &[LocalProblem<3>]) -> LocalProblem<3> {
    let (mut entries, mut free_velocity, mut friction) = (Vec::new(), Vec::new(), Vec::new());
    for problem in problems {
        let first = 3 * friction.len();
        entries.extend(problem.delassus.entries().map(|(i, j, v)| (first + i, first + j, v)));
        free_velocity.extend_from_slice(&problem.free_velocity);
        friction.extend_from_slice(&problem.friction);
    }
    LocalProblem { delassus: BlockMatrix::from_entries(friction.len(), entries), free_velocity, friction }
}

/// One kind of trouble each.
fn troubles() -> Vec<(&'static str, LocalProblem<3>)> {
    let stack = cubes(30).local().clone();
    let slipping = prescribed(stack.delassus.clone(), 0.5, Kind::Mixed, 3);
    let mixed = prescribed(cubes(10).local().delassus.clone(), 0.5, Kind::Mixed, 5);
    let towers: Vec<LocalProblem<3>> = (0..40).map(|seed| tower(seed, 4, 1.0)).chain([tower(7, 40, 100.0)]).collect();
    let pebbles: Vec<LocalProblem<3>> = (0..300).map(|seed| tower(seed, 1, 1.0)).collect();
    vec![
        ("stack", stack),
        ("slipping stack", slipping),
        ("sliding stack", prescribed(cubes(30).local().delassus.clone(), 0.8, Kind::Sliding, 3)),
        ("mixed stack", mixed),
        ("mass ratio", tower(11, 60, 1e4)),
        ("islands", beside(&towers)),
        ("pebbles", beside(&pebbles)),
    ]
}

/// What `auto` without each of its members solves of the troubles to 1e-8, and the operations that takes beside `auto`'s own
/// (∞: missed). Each member must be worth its place for one kind at least.
#[test]
fn every_member_of_auto_pays() {
    let all = Auto::default();
    let cost = |auto: Auto| -> Vec<(bool, f64)> {
        let solve = |(_, local): (&str, LocalProblem<3>)| {
            let stored = Stored { local: Some(local), global: None, info: Info::default(), warnings: Vec::new() };
            let settings = LocalSettings { tolerance: 1e-8, ..LocalSettings::default() };
            let solved = fclib::solve(&stored, &mut auto.clone(), &settings).unwrap();
            (solved.info.status == Status::Converged, solved.flops as f64)
        };
        troubles().into_iter().map(solve).collect()
    };
    let whole = cost(all);
    assert!(whole.iter().all(|one| one.0), "{whole:?}");
    let names: Vec<&str> = troubles().iter().map(|one| one.0).collect();
    println!("{:>16} {names:?}", "without");
    for (what, least, variant) in [
        ("sweeps", 2.0, Auto { sweeps: 0, ..all }),
        ("more sweeps", 2.0, Auto { patient: false, ..all }),
        ("islands", 1.2, Auto { islands: false, ..all }),
        ("interior point", 2.0, Auto { interior: false, ..all }),
        ("polish", 1.5, Auto { polish: false, ..all }),
        ("proximal points", f64::INFINITY, Auto { proximal: false, ..all }),
        ("momentum", 1.5, Auto { accelerated: false, ..all }),
    ] {
        let left = cost(variant);
        let ratios: Vec<f64> = left.iter().zip(&whole).map(|(l, w)| if l.0 { l.1 / w.1 } else { f64::INFINITY }).collect();
        println!("{what:>16} {ratios:.2?}");
        let worth = ratios.iter().copied().fold(0.0, f64::max);
        assert!(worth >= least, "without {what}, no kind of trouble costs {least} times as much: {ratios:.2?}");
    }
}
