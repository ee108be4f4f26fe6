//! Elastic bodies condensed to their boundary: against a dense problem, in all stored forms, and by every solver.

use mpcd_friction::local::RigidForm;
use mpcd_friction::problem::{Body, Compliance, Contact, ContactDimension, ContactProblem, Frame};
use mpcd_friction::{Cone, SolveSettings, solver_by_name};
use nalgebra::{DMatrix, Vector3};

use super::compliance::{BOTH, apart, condensed, names, velocities};
use super::properties::{Trimming, assembly};

/// A bar of `n` masses and springs in a row along x, fixed nowhere, each mass before a stop of its own: one implicit step of h gives
/// `C = (M + h² K)⁻¹` and the free velocities `C (M v − h K x)`. The impulses are those of the linear complementarity problem, whose
/// active sets are tried one by one.
#[test]
fn an_elastic_bar_before_stops_gets_the_impulses_of_the_dense_problem() {
    let (n, h, stiffness, mass) = (7, 1e-3, 2e5, 0.3);
    let k = DMatrix::from_fn(n, n, |i: usize, j: usize| match i.abs_diff(j) {
        0 if i == 0 || i == n - 1 => stiffness,
        0 => 2.0 * stiffness,
        1 => -stiffness,
        _ => 0.0,
    });
    let full = DMatrix::identity(n, n) * mass + &k * (h * h);
    let inverse = full.clone().try_inverse().unwrap();
    let stretched = nalgebra::DVector::from_fn(n, |i, _| 1e-3 * (i as f64).sin());
    let before = nalgebra::DVector::from_fn(n, |i, _| -1.0 + 0.35 * i as f64);
    let free = &inverse * (before * mass - &k * stretched * h);
    // by hand: u = q + C r, 0 ≤ u ⊥ r ≥ 0
    let exact = (1..1_usize << n)
        .find_map(|set| {
            let active: Vec<usize> = (0..n).filter(|i| set >> i & 1 == 1).collect();
            let part = inverse.select_rows(&active).select_columns(&active);
            let forced = part.lu().solve(&-free.select_rows(&active))?;
            let mut r = nalgebra::DVector::zeros(n);
            active.iter().zip(&forced).for_each(|(i, x)| r[*i] = *x);
            let u = &free + &inverse * &r;
            (r.min() >= 0.0 && u.min() >= -1e-12).then_some(r)
        })
        .unwrap();
    assert!(exact.iter().filter(|r| **r > 0.0).count() > 1 && exact.min() == 0.0, "{exact}");
    for dimension in BOTH {
        let mut start = ContactProblem::new(dimension);
        let (bar, wall) = (start.push_body(Body::fixed()), start.push_body(Body::fixed()));
        for _ in 0..n {
            let frame = Frame::planar(Vector3::x());
            start.push_contact(Contact::new(bar, wall, frame, Vector3::zeros(), Vector3::zeros()));
        }
        let mut matrix = DMatrix::zeros(3 * n, 3 * n);
        inverse.iter().enumerate().for_each(|(at, x)| matrix[(3 * (at % n), 3 * (at / n))] = *x);
        let velocity = free.iter().map(|v| Vector3::x() * *v).collect();
        start.compliances.push(Compliance { contacts: (0..n).collect(), velocity, matrix, is_rigid: false });
        for name in names() {
            let mut problem = start.clone();
            let settings = SolveSettings { tolerance: 1e-10, ..SolveSettings::default() };
            let info = match solver_by_name(name).unwrap().solve(&mut problem, &settings) {
                Ok(info) => info,
                Err(refused) => {
                    assert_eq!(name, "lemke", "{refused}");
                    continue;
                }
            };
            let off = problem.contacts.iter().zip(&exact).map(|(c, r)| (c.impulse.x - r).abs()).fold(0.0, f64::max);
            assert!(info.status.is_success(), "{name}: {info}");
            assert!(off < 1e-8 * exact.norm(), "{name}: {off:e}");
        }
    }
}

/// A block of point masses and springs between neighbours (also across), condensed to its lower face after an implicit step of h from
/// rest under gravity: `C = (M + h² K)⁻¹`, free velocities `C M h g`.
fn elastic_block(
    dimension: ContactDimension,
    [nx, ny, nz]: [usize; 3],
    stiffness: f64,
) -> (DMatrix<f64>, Vec<Vector3<f64>>, usize) {
    let (n, h, mass) = (nx * ny * nz, 1e-3, 0.2);
    let place = |p: usize| [p % nx, p / nx % ny, p / (nx * ny)].map(|x| x as f64);
    let mut matrix = DMatrix::identity(3 * n, 3 * n) * mass;
    for p in 0..n {
        for q in 0..p {
            let way = Vector3::from(place(p)) - Vector3::from(place(q));
            if way.amax() <= 1.0 {
                let d = way.normalize();
                let spring = d * d.transpose() * (stiffness * h * h);
                for (a, b, sign) in [(p, p, 1.0), (q, q, 1.0), (p, q, -1.0), (q, p, -1.0)] {
                    let mut block = matrix.fixed_view_mut::<3, 3>(3 * a, 3 * b);
                    block += spring * sign;
                }
            }
        }
    }
    let inverse = matrix.try_inverse().unwrap();
    let down = if dimension == ContactDimension::Two { 1 } else { 2 };
    let load = nalgebra::DVector::from_fn(3 * n, |k, _| match k % 3 {
        0 => 0.3 * mass * h,
        k if k == down => -9.81 * mass * h,
        _ => 0.0,
    });
    let free = &inverse * load;
    let lower: Vec<usize> = (0..n).filter(|p| place(*p)[down] == 0.0).collect();
    let rows: Vec<usize> = lower.iter().flat_map(|p| [3 * p, 3 * p + 1, 3 * p + 2]).collect();
    let velocities = lower.iter().map(|p| free.fixed_rows::<3>(3 * p).into_owned()).collect();
    (inverse.select_rows(&rows).select_columns(&rows), velocities, lower.len())
}

/// The block on balls on a floor; every third contact of the block is with the floor itself.
fn block_on_balls(dimension: ContactDimension, shape: [usize; 3], stiffness: f64) -> ContactProblem {
    let (matrix, velocities, n) = elastic_block(dimension, shape, stiffness);
    let mut problem = ContactProblem::new(dimension);
    let (body, floor) = (problem.push_body(Body::fixed()), problem.push_body(Body::fixed()));
    let up = if dimension == ContactDimension::Two { Vector3::y() } else { Vector3::z() };
    let frame = if dimension == ContactDimension::Two { Frame::planar(up) } else { Frame::from_normal(up) };
    let mut contacts = Vec::new();
    for k in 0..n {
        let mut other = floor;
        if k % 3 != 0 {
            other = problem.push_body(Body::ball(up * -9.81e-3, Vector3::zeros(), 2.0, 20.0));
            let contact = Contact::new(other, floor, frame, up * -0.5, Vector3::zeros());
            problem.push_contact(contact.with_cone(Cone::coulomb(0.3)));
        }
        let contact = Contact::new(body, other, frame, Vector3::zeros(), up * 0.5);
        let gap = Vector3::x() * (8e-3 * (k as f64).sin().abs());
        contacts.push(problem.push_contact(contact.with_cone(Cone::coulomb(0.2)).with_velocity_shift(gap)));
    }
    let turn = frame.matrix();
    let mut local = DMatrix::zeros(3 * n, 3 * n);
    for a in 0..n {
        for b in 0..n {
            let block = turn.transpose() * matrix.fixed_view::<3, 3>(3 * a, 3 * b) * turn;
            local.fixed_view_mut::<3, 3>(3 * a, 3 * b).copy_from(&block);
        }
    }
    let velocity = velocities.iter().map(|v| frame.to_local(v)).collect();
    problem.compliances.push(Compliance { contacts, velocity, matrix: 0.5 * (&local + local.transpose()), is_rigid: false });
    problem
}

fn stored_forms_agree<const D: usize>(problem: &ContactProblem) {
    let r: Vec<[f64; D]> =
        (0..problem.contacts.len()).map(|c| std::array::from_fn(|k| ((3 * c + k) as f64 * 0.7).sin())).collect();
    let mut moved = problem.clone();
    for (c, (contact, r)) in problem.contacts.iter().zip(&r).enumerate() {
        let mut impulse = -contact.impulse_shift;
        (0..D).for_each(|k| impulse[k] += r[k]);
        if D == 2 {
            impulse.z = 0.0;
        }
        for side in contact.sides() {
            side.apply(&mut moved.bodies[side.body], &contact.frame.to_world(&impulse), &Vector3::zeros());
        }
        for body in &mut moved.compliances {
            if let Some(at) = body.contacts.iter().position(|k| *k == c) {
                body.follow(at, &impulse, problem.dimension);
            }
        }
    }
    let form = RigidForm::<D>::new(problem).unwrap();
    let ready = form.prepare().unwrap();
    let stored = form.to_global().unwrap().condense().unwrap();
    let scale = velocities(&moved).iter().map(|u| u.norm()).fold(0.0, f64::max);
    for u in [ready.local().velocities(&r), stored.velocities(&r)] {
        for (c, contact) in problem.contacts.iter().enumerate() {
            let exact = moved.relative_velocity(c).unwrap() + contact.velocity_shift;
            for k in 0..D {
                let exact = exact[k] + contact.compliance[k] * r[c][k];
                assert!((u[c][k] - exact).abs() < 1e-10 * scale, "contact {c}, {k}: {} {exact}", u[c][k]);
            }
        }
    }
}

/// W, q, μ and what a file holds (M, H, f, w) say the same as bodies and compliances: of rank 6 and less, and of full rank.
#[test]
fn stored_forms_say_the_same() {
    for seed in 0..10 {
        for bodies in [&[0][..], &[0, 1, 2, 3, 4, 5]] {
            let part = |dimension| condensed(&assembly(dimension, Trimming::Rich, 6, 9, seed), bodies);
            stored_forms_agree::<2>(&part(ContactDimension::Two));
            stored_forms_agree::<3>(&part(ContactDimension::Three));
        }
    }
    stored_forms_agree::<2>(&block_on_balls(ContactDimension::Two, [12, 4, 1], 1e6));
    stored_forms_agree::<3>(&block_on_balls(ContactDimension::Three, [6, 4, 2], 1e6));
}

/// An elastic block on balls, of more numbers than the bodies' form takes: sweeps and the assembled solvers end at the same impulses.
#[test]
fn an_elastic_block_on_balls_is_one_answer_for_all() {
    for (dimension, shape) in [(ContactDimension::Two, [30, 3, 1]), (ContactDimension::Three, [6, 4, 2])] {
        let start = block_on_balls(dimension, shape, 3e6);
        let solved = |name: &str, tolerance: f64| {
            let mut problem = start.clone();
            let settings = SolveSettings { tolerance, ..SolveSettings::default() };
            let info = solver_by_name(name).unwrap().solve(&mut problem, &settings).unwrap();
            let impulses: Vec<_> = problem.contacts.iter().map(|c| c.impulse).collect();
            (info, velocities(&problem), impulses)
        };
        let (info, u, r) = solved("auto", 1e-12);
        assert!(info.status.is_success() && r.iter().any(|r| r.x > 0.0) && r.iter().any(|r| r.x == 0.0), "{info}");
        for name in ["nlgs", "nlgs-accelerated", "auto", "nsn-ac", "ipm", "admm", "prox-nsn", "hybrid", "apgd"] {
            let (info, v, s) = solved(name, 1e-9);
            let off = [apart(&u, &v, dimension), apart(&r, &s, dimension)];
            println!("{dimension:?} {name:18} {:?} {} {off:?}", info.status, info.iterations);
            assert!(info.status.is_success(), "{name}: {info}");
            assert!(off[0] < 1e-5 && off[1] < 1e-5, "{name}: {off:?}");
        }
    }
}
