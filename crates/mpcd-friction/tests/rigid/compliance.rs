//! Deformable bodies as compliances: a rigid body condensed to one is the same body for every solver.

use mpcd_friction::rigid::{Compliance, ContactDimension, Node, ProblemError, RigidProblem};
use mpcd_friction::{Cone, SolveSettings, SweepOrder, rigid_solver_names, solver_by_name};
use nalgebra::{DMatrix, Vector3};

use super::properties::{Trimming, assembly};

const BOTH: [ContactDimension; 2] = [ContactDimension::Two, ContactDimension::Three];

/// The problem with some bodies as compliances, made from unit impulses: `C = Hᵀ M⁻¹ H` over the contacts of the body.
pub(crate) fn condensed(problem: &RigidProblem, bodies: &[usize]) -> RigidProblem {
    let mut out = problem.clone();
    let planar = problem.dimension == ContactDimension::Two;
    for &body in bodies {
        let node = &problem.nodes[body];
        let inertia = node.inverse_inertia.matrix();
        // contact, lever, sign
        let mut sides = Vec::new();
        for (k, c) in problem.contacts.iter().enumerate() {
            if c.candidate == body {
                sides.push((k, c.candidate_lever, 1.0));
            } else if c.antagonist == body {
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
                let (v, w) = (node.inverse_mass.component_mul(&push), inertia * lever.cross(&push));
                for (a, side) in sides.iter().enumerate() {
                    matrix.fixed_view_mut::<3, 1>(3 * a, 3 * b + j).copy_from(&seen(&v, &w, side));
                }
            }
        }
        // rounding apart the same
        let matrix = 0.5 * (&matrix + matrix.transpose());
        out.compliances.push(Compliance {
            contacts: sides.iter().map(|s| s.0).collect(),
            velocity: sides.iter().map(|s| seen(&node.velocity, &node.angular_velocity, s)).collect(),
            matrix,
        });
        out.nodes[body] = Node::fixed();
    }
    out
}

/// A random problem of the kind asked for, its friction and the masses changed.
fn varied(dimension: ContactDimension, trimming: Trimming, seed: u64, friction: f64, ratio: f64) -> RigidProblem {
    let mut problem = assembly(dimension, trimming, 6, 8, seed);
    for contact in &mut problem.contacts {
        *contact = contact.with_cone(Cone::coulomb(friction));
    }
    for (k, node) in problem.nodes.iter_mut().enumerate() {
        let heavier = ratio.powf(-(k as f64) / 5.0);
        node.inverse_mass *= heavier;
        node.inverse_inertia = match node.inverse_inertia {
            mpcd_friction::rigid::InverseInertia::Isotropic(j) => mpcd_friction::rigid::InverseInertia::Isotropic(j * heavier),
            mpcd_friction::rigid::InverseInertia::Tensor(j) => mpcd_friction::rigid::InverseInertia::Tensor(j * heavier),
        };
    }
    problem
}

/// Shifted relative velocities at the contacts.
fn velocities(problem: &RigidProblem) -> Vec<Vector3<f64>> {
    (0..problem.contacts.len()).map(|c| problem.relative_velocity(c).unwrap()).collect()
}

/// Largest difference of the parts that count, relative to the largest of the first.
fn apart(a: &[Vector3<f64>], b: &[Vector3<f64>], dimension: ContactDimension) -> f64 {
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
                            let run = |mut problem: RigidProblem| {
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
    let refusal = |change: &dyn Fn(&mut RigidProblem)| {
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
        p.cell = Some(mpcd_friction::rigid::Cell {
            branches: vec![Vector3::x(); p.contacts.len()],
            ..mpcd_friction::rigid::Cell::default()
        });
    });
    assert_eq!(cell, ProblemError::ComplianceInCell);
    let rigid = refusal(&|p| {
        let both = p.contacts[first];
        p.compliances.clear();
        p.nodes[both.candidate] = Node::fixed();
        p.nodes[both.antagonist] = Node::fixed();
    });
    assert!(matches!(rigid, ProblemError::NoFreedom { contact, .. } if contact == first), "{rigid}");
}

/// Names that solve Coulomb's law on bodies; those of other crates are there too.
fn names() -> Vec<&'static str> {
    mpcd_fclib::register_solvers();
    rigid_solver_names()
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
                    let run = |mut problem: RigidProblem| {
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
    }
}
