//! Deformable bodies as compliances: a rigid body condensed to one is the same body for every solver.

use mpcd_friction::problem::{
    Angular, Body, Cell, Compliance, Contact, ContactDimension, ContactProblem, Frame, InverseInertia, ProblemError, Response,
};
use mpcd_friction::{Bilateral, Cone, LocalLaw, SolveSettings, Status, SweepOrder, rigid_solver_names, solver_by_name};
use nalgebra::{DMatrix, Matrix3, Vector3};

use super::acceptance::tower;
use super::packing::{Inertia, fcc};
use super::properties::{Trimming, assembly};
use super::support::assert_lawful;

pub(crate) const BOTH: [ContactDimension; 2] = [ContactDimension::Two, ContactDimension::Three];

/// Names that solve Coulomb's law on bodies; those of other crates are there too.
pub(crate) fn names() -> Vec<&'static str> {
    mpcd_fclib::register_solvers();
    rigid_solver_names()
}

/// The problem with some bodies as compliances, made from unit impulses: `C = Hᵀ M⁻¹ H` over the contacts of the body.
pub(crate) fn condensed(problem: &ContactProblem, bodies: &[usize]) -> ContactProblem {
    let mut out = problem.clone();
    let planar = problem.dimension == ContactDimension::Two;
    for &number in bodies {
        let body = &problem.bodies[number];
        let inertia = body.inverse_inertia.matrix();
        // contact, lever, sign
        let mut sides = Vec::new();
        for (k, c) in problem.contacts.iter().enumerate() {
            if c.candidate == number {
                sides.push((k, c.candidate_lever, 1.0));
            } else if c.antagonist == number {
                sides.push((k, c.antagonist_lever, -1.0));
            }
        }
        let seen = |v: &Vector3<f64>, w: &Vector3<f64>, (k, lever, sign): &(usize, Vector3<f64>, f64)| {
            let (v, w) = if planar { (Vector3::new(v.x, v.y, 0.0), Vector3::z() * w.z) } else { (*v, *w) };
            let mut u = problem.contacts[*k].frame.to_local(&(v + w.cross(lever))) * *sign;
            if planar {
                u.z = 0.0;
            }
            u
        };
        let mut matrix = DMatrix::zeros(3 * sides.len(), 3 * sides.len());
        for (b, (k, lever, sign)) in sides.iter().enumerate() {
            for j in 0..if planar { 2 } else { 3 } {
                let mut unit = Vector3::zeros();
                unit[j] = *sign;
                let push = problem.contacts[*k].frame.to_world(&unit);
                let (v, w) = (body.inverse_mass.component_mul(&push), inertia * lever.cross(&push));
                for (a, side) in sides.iter().enumerate() {
                    matrix.fixed_view_mut::<3, 1>(3 * a, 3 * b + j).copy_from(&seen(&v, &w, side));
                }
            }
        }
        // rounding apart the same
        let matrix = 0.5 * (&matrix + matrix.transpose());
        out.compliances.push(Compliance {
            contacts: sides.iter().map(|s| s.0).collect(),
            velocity: sides.iter().map(|s| seen(&body.velocity, &body.angular_velocity, s)).collect(),
            matrix,
            is_rigid: false,
        });
        out.bodies[number] = Body::fixed();
    }
    out
}

/// A random problem of the kind asked for, its friction and the masses changed.
fn varied(dimension: ContactDimension, trimming: Trimming, seed: u64, friction: f64, ratio: f64) -> ContactProblem {
    let mut problem = assembly(dimension, trimming, 6, 8, seed);
    for contact in &mut problem.contacts {
        *contact = contact.clone().with_cone(Cone::coulomb(friction));
    }
    for (k, body) in problem.bodies.iter_mut().enumerate() {
        let heavier = ratio.powf(-(k as f64) / 5.0);
        body.inverse_mass *= heavier;
        body.inverse_inertia = match body.inverse_inertia {
            InverseInertia::Isotropic(j) => InverseInertia::Isotropic(j * heavier),
            InverseInertia::Tensor(j) => InverseInertia::Tensor(j * heavier),
        };
    }
    problem
}

/// Shifted relative velocities at the contacts.
pub(crate) fn velocities(problem: &ContactProblem) -> Vec<Vector3<f64>> {
    (0..problem.contacts.len()).map(|c| problem.relative_velocity(c).unwrap()).collect()
}

/// Largest difference of the parts that count, relative to the largest of the first.
pub(crate) fn apart(a: &[Vector3<f64>], b: &[Vector3<f64>], dimension: ContactDimension) -> f64 {
    let rows = if dimension == ContactDimension::Two { 2 } else { 3 };
    let norm = |x: Vector3<f64>| x.rows(0, rows).norm();
    let scale = a.iter().map(|x| norm(*x)).fold(f64::MIN_POSITIVE, f64::max);
    a.iter().zip(b).map(|(x, y)| norm(x - y)).fold(0.0, f64::max) / scale
}

/// In the order given a sweep over compliances does what one over bodies does: iterate by iterate, with and without momentum.
#[test]
fn sweeps_over_a_condensed_body_are_those_over_the_body() {
    let mut worst = 0.0_f64;
    for dimension in BOTH {
        for trimming in [Trimming::Plain, Trimming::Rich] {
            for (seed, friction, ratio) in [(1, 0.3, 1.0), (2, 0.0, 1.0), (3, 0.6, 1e3), (4, 0.4, 1e6), (5, 1.0, 1.0)] {
                let start = varied(dimension, trimming, seed, friction, ratio);
                for bodies in [&[0][..], &[1, 2], &[0, 1, 2, 3, 4, 5]] {
                    for (name, sweeps) in [("nlgs", 1), ("nlgs", 9), ("nlgs-accelerated", 40)] {
                        for order in [SweepOrder::Forward, SweepOrder::Symmetric] {
                            let settings = SolveSettings { tolerance: 1e-300, max_iterations: sweeps, order };
                            let run = |mut problem: ContactProblem| {
                                solver_by_name(name).unwrap().solve(&mut problem, &settings).unwrap();
                                let impulses: Vec<_> = problem.contacts.iter().map(|c| c.impulse).collect();
                                (velocities(&problem), impulses)
                            };
                            let (u, r) = run(start.clone());
                            let (v, s) = run(condensed(&start, bodies));
                            let off = apart(&u, &v, dimension).max(apart(&r, &s, dimension));
                            worst = worst.max(off);
                            assert!(off < 1e-8, "{dimension:?} {trimming:?} {seed} {bodies:?} {name} {sweeps}: {off:e}");
                        }
                    }
                }
            }
        }
    }
    println!("largest difference {worst:e}");
}

/// Free velocities and final ones: `e⁺ = e + C r`, whatever the solver did on its way.
#[test]
fn the_velocities_handed_back_are_those_of_the_impulses() {
    for dimension in BOTH {
        let start = condensed(&varied(dimension, Trimming::Rich, 7, 0.5, 1.0), &[0, 1]);
        for name in ["nlgs", "nlgs-accelerated", "jacobi"] {
            let mut problem = start.clone();
            solver_by_name(name).unwrap().solve(&mut problem, &SolveSettings::default()).unwrap();
            let mut moved = 0.0_f64;
            for (body, free) in problem.compliances.iter().zip(&start.compliances) {
                let mut expected = free.clone();
                for (at, c) in body.contacts.iter().enumerate() {
                    expected.follow(at, &problem.contacts[*c].impulse, dimension);
                }
                assert!(apart(&expected.velocity, &body.velocity, dimension) < 1e-13, "{name}");
                moved = moved.max(apart(&free.velocity, &body.velocity, dimension));
            }
            assert!(moved > 1e-2, "{name}: the impulses move them");
            let all: Vec<_> = (0..problem.contacts.len()).map(|c| problem.compliance_velocity(c)).collect();
            assert_eq!(problem.compliance_velocities(), all);
            let free = start.motion();
            problem.set_motion(&free);
            assert_eq!(problem.compliances, start.compliances);
        }
    }
}

#[test]
fn what_is_no_compliance_is_refused_by_name() {
    let start = condensed(&varied(ContactDimension::Three, Trimming::Plain, 1, 0.3, 1.0), &[0]);
    let first = start.compliances[0].contacts[0];
    let refusal = |change: &dyn Fn(&mut ContactProblem)| {
        let mut problem = start.clone();
        change(&mut problem);
        solver_by_name("nlgs").unwrap().solve(&mut problem, &SolveSettings::default()).unwrap_err()
    };
    let says = |change: &dyn Fn(&mut Compliance), part: &str| {
        let text = refusal(&|p| change(&mut p.compliances[0])).to_string();
        assert!(text.starts_with("compliance 0: ") && text.contains(part), "{text}");
    };
    says(&|c| c.contacts[0] = 99, "names contact 99");
    says(&|c| c.contacts[1] = c.contacts[0], "twice");
    says(&|c| c.velocity.truncate(1), "velocities");
    says(&|c| c.velocity[0].x = f64::NAN, "not finite");
    says(&|c| c.matrix[(0, 1)] = f64::INFINITY, "not finite");
    says(&|c| c.matrix[(0, 1)] += 0.1, "not symmetric");
    says(&|c| c.matrix[(2, 2)] = -1.0, &format!("negative at contact {first} (s)"));
    says(
        &|c| {
            c.matrix[(0, 1)] = 1e3;
            c.matrix[(1, 0)] = 1e3;
        },
        "not positive semi-definite",
    );
    let three = refusal(&|p| {
        let body = p.compliances[0].clone();
        p.compliances.extend([body.clone(), body]);
    });
    assert!(three.to_string().contains("two sides"), "{three}");
    let cell = refusal(&|p| {
        p.cell = Some(Cell { branches: vec![Vector3::x(); p.contacts.len()], ..Cell::default() });
    });
    assert_eq!(cell, ProblemError::ComplianceInCell);
    let rigid = refusal(&|p| {
        let both = p.contacts[first].clone();
        p.compliances.clear();
        p.bodies[both.candidate] = Body::fixed();
        p.bodies[both.antagonist] = Body::fixed();
    });
    assert!(matches!(rigid, ProblemError::NoFreedom { contact, .. } if contact == first), "{rigid}");
}

/// Every solver there is finds the velocities that it finds for the bodies, to its tolerance: one body condensed, several, both sides of a contact.
#[test]
fn every_solver_finds_the_same_motion() {
    let settings = SolveSettings { tolerance: 1e-9, ..SolveSettings::default() };
    let mut tally = std::collections::BTreeMap::new();
    for name in names() {
        for dimension in BOTH {
            for (seed, friction, ratio) in [(1, 0.3, 1.0), (3, 0.0, 1.0), (6, 0.6, 30.0), (8, 1.0, 1.0)] {
                let start = varied(dimension, Trimming::Rich, seed, friction, ratio);
                let mut reference = start.clone();
                let best = solver_by_name("auto").unwrap().solve(&mut reference, &SolveSettings { tolerance: 1e-12, ..settings });
                assert!(best.unwrap().error() < 1e-10);
                for bodies in [&[1][..], &[0, 1, 2]] {
                    let run = |mut problem: ContactProblem| {
                        let info = solver_by_name(name).unwrap().solve(&mut problem, &settings).ok()?;
                        let impulses: Vec<_> = problem.contacts.iter().map(|c| c.impulse).collect();
                        Some((info.status.is_success(), velocities(&problem), impulses))
                    };
                    let whole = run(start.clone());
                    let part = run(condensed(&start, bodies));
                    let (Some((w, u, r)), Some((p, v, s))) = (&whole, &part) else {
                        assert_eq!(whole.is_none(), part.is_none(), "{name} {dimension:?} {seed}");
                        continue;
                    };
                    let entry: &mut (usize, usize, usize, f64) = tally.entry(name).or_insert((0, 0, 0, 0.0));
                    entry.0 += 1;
                    entry.1 += usize::from(*w);
                    entry.2 += usize::from(*p);
                    if *w && *p {
                        let off = apart(u, v, dimension).max(apart(r, s, dimension));
                        entry.3 = entry.3.max(off);
                    }
                }
            }
        }
    }
    for (name, (all, whole, part, off)) in &tally {
        println!("{name:18} of {all} solved {whole} as bodies, {part} condensed; apart by {off:.1e}");
        assert!(*off < 1e-7, "{name}: {off:e}");
        // rounding in W decides where Lemke's pivots jam
        assert!(part == whole || *name == "lemke" && part + 2 >= *whole, "{name}");
        assert!(2 * part > *all, "{name}");
    }
    assert!(tally.len() > 28);
}

/// Light and heavy bodies up to a million apart, any friction: what the solvers of steps converge to is the same motion.
#[test]
fn masses_far_apart_and_any_friction() {
    let settings = SolveSettings { tolerance: 1e-9, ..SolveSettings::default() };
    let (mut both, mut all, mut worst) = (0, 0, 0.0_f64);
    for dimension in BOTH {
        for seed in 0..30 {
            let ratio = [1.0, 1e3, 1e6][seed as usize % 3];
            let start = varied(dimension, Trimming::Rich, 100 + seed, seed as f64 / 30.0, ratio);
            for name in ["nlgs", "nlgs-accelerated", "auto", "nsn-ac"] {
                for bodies in [&[0][..], &[5], &[1, 2, 3], &[0, 1, 2, 3, 4, 5]] {
                    let run = |mut problem: ContactProblem| {
                        let info = solver_by_name(name).unwrap().solve(&mut problem, &settings).unwrap();
                        (info.status.is_success(), velocities(&problem))
                    };
                    let (whole, u) = run(start.clone());
                    let (part, v) = run(condensed(&start, bodies));
                    all += 1;
                    both += usize::from(whole && part);
                    if whole && part {
                        let off = apart(&u, &v, dimension);
                        worst = worst.max(off);
                        assert!(off < 1e-6, "{name} {dimension:?} {seed} {bodies:?}: {off:e}");
                    }
                    assert!(part || !whole || name == "nsn-ac", "{name} {dimension:?} {seed} {bodies:?}");
                }
            }
        }
    }
    println!("{both} of {all}, apart by {worst:.1e}");
    assert!(100 * both > 97 * all, "{both} of {all}");
}

/// A bead of 1e-6 kg on a deformable block of a tonne, and under it: the weight passes to the floor as it does for a rigid block. `auto` is
/// right to its tolerance and to what rounding counts for beside such ratios (1e-11 of the velocity that the weight would give the bead);
/// before proofs asked for a direction that is null to rounding, it refused the block under which the bead lies as pinched.
#[test]
fn a_bead_at_a_block_of_a_tonne() {
    let (heavy, v) = (1e3, 1e-2);
    for (dimension, light, under) in
        BOTH.into_iter().flat_map(|d| [(d, 1e-6, true), (d, 1e-6, false), (d, 1e-4, true), (d, 1e-2, true)])
    {
        let mut rigid = ContactProblem::new(dimension);
        let fall = Vector3::y() * -v;
        let bead = rigid.push_body(Body::ball(fall, Vector3::zeros(), 1.0 / light, 0.0));
        let block = rigid.push_body(Body::ball(fall, Vector3::zeros(), 1.0 / heavy, 0.0));
        let floor = rigid.push_body(Body::fixed());
        let (low, high, upper) = if under { (bead, block, heavy) } else { (block, bead, light) };
        for (a, b) in [(low, floor), (high, low)] {
            let contact = Contact::new(a, b, Frame::planar(Vector3::y()), Vector3::zeros(), Vector3::zeros());
            rigid.push_contact(contact.with_cone(Cone::coulomb(0.3)));
        }
        for name in ["nlgs", "nlgs-accelerated", "auto", "nsn-ac"] {
            let run = |mut problem: ContactProblem| {
                let info = solver_by_name(name).unwrap().solve(&mut problem, &SolveSettings::default()).unwrap();
                let off = |c: usize, weight: f64| (problem.contacts[c].impulse.x / (weight * v) - 1.0).abs();
                (info.status, off(0, light + heavy).max(off(1, upper)))
            };
            let (status, off) = run(condensed(&rigid, &[block]));
            println!("{dimension:?} {light:e} {under} {name:18} {status:?} off by {off:.1e}");
            assert_eq!(status, run(rigid.clone()).0, "{name}");
            assert!(status.is_success() || under && name != "auto", "{name}: {status:?}");
            let rounding = if under { 1e-11 * heavy / light } else { 0.0 };
            assert!(!status.is_success() || off < 1e-3 + rounding, "{name} {off:e}");
        }
    }
}

/// Two plates close on a block. A rigid one is pinched whatever the impulses are, also where it comes condensed; one that gives way is not.
#[test]
fn what_gives_way_is_not_pinched() {
    for dimension in BOTH {
        let mut rigid = ContactProblem::new(dimension);
        let block = rigid.push_body(Body::ball(Vector3::zeros(), Vector3::zeros(), 0.5, 0.0));
        for side in [1.0, -1.0] {
            let plate = rigid.push_body(Body::driven(Vector3::x() * side, Vector3::zeros()));
            let frame = Frame::planar(Vector3::x() * side);
            let contact = Contact::new(block, plate, frame, Vector3::zeros(), Vector3::zeros());
            rigid.push_contact(contact.with_cone(Cone::coulomb(0.2)));
        }
        let solve = |mut problem: ContactProblem| {
            let info = solver_by_name("auto").unwrap().solve(&mut problem, &SolveSettings::default()).unwrap();
            (info, problem)
        };
        for pinched in [rigid.clone(), condensed(&rigid, &[block])] {
            let (info, _) = solve(pinched);
            assert_eq!(info.status, Status::NoSolution, "{info}");
            assert!((info.no_motion.unwrap().closing - 2.0_f64.sqrt()).abs() < 1e-9);
        }
        let mut soft = condensed(&rigid, &[block]);
        (0..2).for_each(|k| soft.compliances[0].matrix[(3 * k, 3 * k)] += 1e-2);
        let (info, problem) = solve(soft);
        assert!(info.status.is_success() && info.no_motion.is_none(), "{info}");
        // both give way by the speed of their plates, the body staying where it is: 1e-2 r = 1, to 50 tolerances
        assert!(problem.contacts.iter().all(|c| (c.impulse.x - 100.0).abs() < 8e-2), "{:?}", problem.contacts[0].impulse);
    }
}

/// Ties of deformable bodies are solved beside the joints of rigid ones, to the same velocities and impulses.
#[test]
fn ties_and_joints_are_solved_together() {
    for dimension in BOTH {
        let mut start = varied(dimension, Trimming::Rich, 12, 0.3, 1e3);
        for contact in start.contacts.iter_mut().step_by(2) {
            *contact = contact.clone().with_cone(Cone::Bilateral);
        }
        let settled = |mut problem: ContactProblem| {
            let lacks = Bilateral::default().settle(&mut problem, 0);
            assert!(lacks < 1e-10 && Bilateral::lacks(&problem) < 1e-10, "{lacks:e}");
            let impulses: Vec<_> = problem.contacts.iter().map(|c| c.impulse).collect();
            (velocities(&problem), impulses)
        };
        let (u, r) = settled(start.clone());
        assert!(apart(&velocities(&start), &u, dimension) > 1e-2);
        for bodies in [&[0][..], &[0, 1, 2], &[0, 1, 2, 3, 4, 5]] {
            let (v, s) = settled(condensed(&start, bodies));
            let off = [apart(&u, &v, dimension), apart(&r, &s, dimension)];
            assert!(off[0] < 1e-10 && off[1] < 1e-7, "{dimension:?} {bodies:?} {off:?}");
        }
    }
}

/// Rigid contacts by colours on threads, those of deformable bodies behind them: the same bits on any number.
#[test]
fn the_same_bits_on_any_number_of_threads() {
    for inertia in [Inertia::Scalar, Inertia::Tensor] {
        let start = condensed(&fcc(7, inertia, 1), &[100, 101, 500]);
        for name in ["nlgs-accelerated", "auto", "jacobi"] {
            let on = |threads: usize| {
                rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(|| {
                    let mut problem = start.clone();
                    let settings = SolveSettings { tolerance: 1e-9, max_iterations: 60, order: SweepOrder::Coloured };
                    solver_by_name(name).unwrap().solve(&mut problem, &settings).unwrap();
                    let soft = problem.compliances.iter().flat_map(|c| &c.velocity).flatten();
                    let numbers = problem.contacts.iter().flat_map(|c| [c.impulse.x, c.impulse.y]).chain(soft.copied());
                    numbers.map(f64::to_bits).collect::<Vec<_>>()
                })
            };
            let one = on(1);
            assert!(one == on(2) && one == on(3), "{inertia:?} {name}");
        }
    }
}

/// Towers of deformable blocks, one of them up to 1e6 times heavier: what is accepted carries its weight, as with rigid blocks.
#[test]
fn accepted_towers_of_deformable_blocks_carry_their_weight() {
    for (ratio, place) in [(1.0, 20), (1e2, 10), (1e4, 20), (1e6, 20), (1e6, 10)] {
        let rigid = tower(ratio, place);
        let all: Vec<usize> = (0..rigid.bodies.len() - 1).collect();
        let mass = |k: usize| 1.0 / rigid.bodies[k].inverse_mass.x;
        for bodies in [&all[..], &[place], &all[5..12]] {
            let mut problem = condensed(&rigid, bodies);
            let info = solver_by_name("auto").unwrap().solve(&mut problem, &SolveSettings::default()).unwrap();
            assert!(info.status.is_success(), "{ratio} {place}: {info} {:?}", info.stages);
            let carried = |k: usize| (k..all.len()).map(mass).sum::<f64>() * 9.81e-3;
            let off = all.iter().map(|k| (problem.contacts[*k].impulse.x / carried(*k) - 1.0).abs()).fold(0.0, f64::max);
            println!("{ratio:e} {place} {:2}: {} iterations, forces off by {off:.1e}", bodies.len(), info.iterations);
            assert!(off < 1e-3, "{ratio} {place}: {off:e} {info} {:?}", info.violation);
        }
    }
}

/// Two towers that nothing joins are two islands: a lively one takes nothing from the demands on the other.
#[test]
fn islands_of_deformable_bodies_are_judged_by_themselves() {
    let mut rigid = tower(1.0, 0);
    let blocks = rigid.bodies.len() - 1;
    let hammer = rigid.push_body(Body::ball(Vector3::z() * -100.0, Vector3::zeros(), 1e-3, 0.0));
    let contact = Contact::new(hammer, blocks, Frame::from_normal(Vector3::z()), Vector3::zeros(), Vector3::zeros());
    rigid.push_contact(contact.with_cone(Cone::coulomb(0.3)));
    let all: Vec<usize> = (0..blocks).chain([hammer]).collect();
    for name in ["auto", "nlgs-accelerated"] {
        for bodies in [&all[..], &[3, hammer]] {
            let mut problem = condensed(&rigid, bodies);
            let info = solver_by_name(name).unwrap().solve(&mut problem, &SolveSettings::default()).unwrap();
            assert!(info.status.is_success(), "{info}");
            let carried = |k: usize| (blocks - k) as f64 * 9.81e-3;
            let off = (0..blocks).map(|k| (problem.contacts[k].impulse.x / carried(k) - 1.0).abs()).fold(0.0, f64::max);
            assert!(off < 1e-3, "{name}: {off:e} {info} {:?}", info.violation);
        }
    }
}

/// What is said of a result is what is said of the rigid body: with one contact the effective mass is the mass.
#[test]
fn reports_weigh_a_deformable_body_as_its_contact_does() {
    for ratio in [1e-3, 1.0, 1e5] {
        let rigid = tower(ratio, 20);
        let settings = SolveSettings { tolerance: 1e-9, max_iterations: 60, order: SweepOrder::Forward };
        let said = |mut problem: ContactProblem| {
            let info = solver_by_name("nlgs").unwrap().solve(&mut problem, &settings).unwrap();
            let violation = info.violation.unwrap();
            [info.errors.scaled, info.errors.siconos, violation.speed, violation.force]
        };
        let (whole, part) = (said(rigid.clone()), said(condensed(&rigid, &[20])));
        for (a, b) in whole.iter().zip(part) {
            assert!(*a > 1e-9 && (a / b - 1.0).abs() < 1e-6, "{ratio}: {whole:?} {part:?}");
        }
    }
}

/// One body on six equal contacts: together they would overshoot sixfold, did Jacobi's contacts not share it.
#[test]
fn contacts_of_a_body_that_are_solved_at_once_share_it() {
    let mut rigid = tower(1.0, 0);
    rigid.contacts.truncate(1);
    (0..5).for_each(|_| rigid.contacts.push(rigid.contacts[0].clone()));
    let mut problem = condensed(&rigid, &[0]);
    let info = solver_by_name("jacobi").unwrap().solve(&mut problem, &SolveSettings::default()).unwrap();
    assert!(info.status.is_success(), "{info}");
    let whole: f64 = problem.contacts.iter().map(|c| c.impulse.x).sum();
    assert!((whole / 9.81e-3 - 1.0).abs() < 1e-3, "{whole}");
}

/// `r = −W⁻¹ q`, as a law of the user's.
#[derive(Debug)]
struct Sticks;

impl LocalLaw for Sticks {
    fn name(&self) -> &'static str {
        "sticks"
    }

    fn solve(&self, w: &Matrix3<f64>, q: &Vector3<f64>) -> Vector3<f64> {
        let mut whole = *w;
        if w[(2, 2)] == 0.0 {
            whole[(2, 2)] = 1.0;
        }
        -(whole.try_inverse().unwrap() * q)
    }
}

/// Ties, the convex law, laws of users and of turning at a deformable body (which itself does not turn): sweeps as over the rigid body.
#[test]
fn every_law_of_sweeps_stands_at_a_deformable_body() {
    for dimension in BOTH {
        let mut start = varied(dimension, Trimming::Rich, 21, 0.4, 1.0);
        start.laws.push(std::sync::Arc::new(Sticks));
        for body in &mut start.bodies[..2] {
            body.inverse_inertia = InverseInertia::Isotropic(0.0);
            body.angular_velocity = Vector3::zeros();
        }
        for (k, contact) in start.contacts.iter_mut().enumerate() {
            match k % 5 {
                0 => *contact = contact.clone().with_cone(Cone::Bilateral),
                1 => *contact = contact.clone().with_cone(Cone::Convex { friction: 0.3 }),
                2 => contact.response = Response::Law(0),
                3 => *contact = contact.clone().with_angular(Angular::Resistance { rolling: 0.05, spinning: 0.02, about: None }),
                _ => *contact = contact.clone().with_angular(Angular::weld(Vector3::new(0.1, 0.0, -0.1))),
            }
        }
        for name in ["nlgs", "nlgs-accelerated"] {
            let settings = SolveSettings { tolerance: 1e-300, max_iterations: 25, order: SweepOrder::Forward };
            let run = |mut problem: ContactProblem| {
                solver_by_name(name).unwrap().solve(&mut problem, &settings).unwrap();
                let moments = problem.contacts.iter().map(|c| c.moment());
                let impulses: Vec<_> = problem.contacts.iter().map(|c| c.impulse).chain(moments).collect();
                (velocities(&problem), impulses)
            };
            let (u, r) = run(start.clone());
            for bodies in [&[0][..], &[0, 1]] {
                let (v, s) = run(condensed(&start, bodies));
                let off = apart(&u, &v, dimension).max(apart(&r, &s, ContactDimension::Three));
                assert!(off < 1e-10, "{dimension:?} {name} {bodies:?}: {off:e}");
            }
        }
    }
}

/// Spheres on a lattice, some of them compliances: groups of four sweep the others, and every contact obeys its law.
#[test]
fn a_packing_with_deformable_spheres_obeys_its_laws() {
    for inertia in [Inertia::Scalar, Inertia::Tensor] {
        let start = fcc(4, inertia, 3);
        for bodies in [&[17][..], &[0, 40, 41, 90, 128, 200]] {
            for name in ["nlgs", "nlgs-accelerated", "auto"] {
                let mut problem = condensed(&start, bodies);
                let settings = SolveSettings { tolerance: 1e-8, ..SolveSettings::default() };
                let info = solver_by_name(name).unwrap().solve(&mut problem, &settings).unwrap();
                assert!(info.status.is_success(), "{inertia:?} {name}: {info}");
                assert_lawful(&problem, 1e-5);
            }
        }
    }
}
