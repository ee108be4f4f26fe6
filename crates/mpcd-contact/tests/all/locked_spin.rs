//! Bodies with unequal moments whose principal axes are inclined against held or driven axes: they turn with the inertia of the
//! free axes, (Σ I_k (R e_k)(R e_k)ᵀ)_ff, which no principal moment is.

use mpcd_core::{Book, Dimension, Fragment, Mat3, Quat, Vec3, field::names, setup::Joint};
use mpcd_geometry::Shape;

use crate::{
    scene::{G, Run, Scene},
    smooth::materials,
};

const HALF: Vec3 = Vec3::new(0.3, 0.1, 0.02);

/// A slab of 2 kg, inclined against all world axes.
fn slab(gravity: Vec3, loads: &[&str]) -> Scene {
    let mut scene = Scene::new(Dimension::Spatial, gravity);
    scene.body("slab", Shape::Box { half: HALF }, Vec3::zeros(), Some(2.0));
    scene.setup.initial.orientation[0] = Quat::from_euler_angles(0.5, 0.7, -0.3);
    scene.law("slab", "slab", "NoContact");
    for load in loads {
        scene.load("slab", load);
    }
    scene
}

/// World inertia, from the edges of the box alone.
fn inertia(q: &Quat) -> Mat3 {
    let s = HALF.component_mul(&HALF);
    let r = q.to_rotation_matrix();
    r * Mat3::from_diagonal(&(Vec3::new(s.y + s.z, s.z + s.x, s.x + s.y) * (2.0 / 3.0))) * r.inverse()
}

fn closes(run: &mut Run, h: f64) {
    for balance in run.step(h).balances {
        assert!(balance.imbalance() <= 1e-10, "{:?} at {}: {:e}", balance.book, run.index, balance.imbalance());
    }
}

/// Under a moment about the hinge the box speeds up by M / I_zz.
#[test]
fn a_hinged_box_speeds_up_with_the_moment_about_its_hinge() {
    let load = ["Locked(axes: [X, Y, Z, SpinX, SpinY])", "Force(torque_z: 0.05, torque_x: 0.02)"];
    let exact = 0.05 / inertia(&Quat::from_euler_angles(0.5, 0.7, -0.3))[(2, 2)];
    let plain = slab(Vec3::zeros(), &load).build("Contact()").unwrap();
    let verlet = slab(Vec3::zeros(), &load).build_smooth("SmoothContact()").unwrap();
    let gear = slab(Vec3::zeros(), &load).build_smooth("SmoothContact(integrator: Gear)").unwrap();
    for mut run in [plain, verlet, gear] {
        for _ in 0..100 {
            closes(&mut run, 1e-2);
        }
        let w = run.kinematics().angular_velocity[0];
        assert!((w.z / exact - 1.0).abs() < 1e-9 && w.x == 0.0 && w.y == 0.0, "{w} instead of {exact}");
    }
}

/// Hung by a pin off its centre, with two spins held, it is a physical pendulum about z: 2π √((I_zz + m d²)/(m g d)) for small
/// swings, and keeps its energy.
#[test]
fn a_hinged_box_swings_as_a_physical_pendulum() {
    let (d, tilt, h) = (0.4, 0.02_f64, 1e-3);
    let mut scene = slab(Vec3::y() * -G, &["Locked(axes: [SpinX, SpinY])"]);
    scene.setup.initial.position[0] = Vec3::new(d * tilt.sin(), -d * tilt.cos(), 0.0);
    scene.setup.joints.push(Joint {
        bodies: (mpcd_core::BodyId(0), None),
        parts: [None, None],
        kind: Fragment::whole("Pin(at: (0, 0, 0))"),
        name: None,
        conducts: Default::default(),
    });
    let mut run = scene.build("Contact(tolerance: 1e-13)").unwrap();
    let i = inertia(&Quat::from_euler_angles(0.5, 0.7, -0.3))[(2, 2)];
    let exact = std::f64::consts::TAU * ((i + 2.0 * d * d) / (2.0 * G * d)).sqrt();
    let energy = |run: &Run| {
        let k = run.kinematics();
        k.velocity[0].norm_squared() + 0.5 * i * k.angular_velocity[0].z.powi(2) + 2.0 * G * (k.position[0].y + d)
    };
    let (first, mut drift, mut crossings) = (energy(&run), 0.0_f64, Vec::new());
    while crossings.len() < 5 {
        let before = run.kinematics().position[0].x;
        closes(&mut run, h);
        let x = run.kinematics().position[0];
        if before * x.x < 0.0 {
            crossings.push(run.time - h * x.x / (x.x - before));
        }
        drift = drift.max((energy(&run) / first - 1.0).abs());
        assert!(x.z.abs() < 1e-9, "{x}");
    }
    let period = (crossings[4] - crossings[0]) / 2.0;
    assert!((period / exact - 1.0).abs() < 1e-4, "{period} instead of {exact}");
    assert!(drift < 1e-4, "{drift:e}");
}

/// With one spin held and no moment, the angular momentum about the free axes stays to rounding and the energy to second order.
#[test]
fn a_box_with_one_spin_held_keeps_the_rest() {
    let drift = |h: f64| {
        let mut scene = slab(Vec3::zeros(), &["Locked(axes: [X, Y, Z, SpinX])"]);
        scene.velocity(mpcd_core::BodyId(0), Vec3::zeros(), Vec3::new(0.0, 2.0, 3.0));
        let mut run = scene.build("Contact()").unwrap();
        let state = |run: &Run| {
            let k = run.kinematics();
            let momentum = inertia(&k.orientation[0]) * k.angular_velocity[0];
            (momentum, 0.5 * momentum.dot(&k.angular_velocity[0]))
        };
        let (start, energy) = state(&run);
        let mut worst = 0.0_f64;
        for _ in 0..(4.0 / h) as usize {
            closes(&mut run, h);
            let (momentum, now) = state(&run);
            let off = (momentum - start).component_mul(&Vec3::new(0.0, 1.0, 1.0));
            assert!(off.norm() < 1e-11 * start.norm() && run.kinematics().angular_velocity[0].x == 0.0, "{off}");
            worst = worst.max((now / energy - 1.0).abs());
        }
        worst
    };
    let (coarse, fine) = (drift(1e-2), drift(5e-3));
    assert!(coarse < 2e-2 && fine < 0.3 * coarse, "{coarse:e} {fine:e}");
}

const EXPLICIT: &str = "Contact(scheme: Explicit(), tolerance: 1e-13)";

/// Its velocities are 0.6 h earlier than its positions.
const LAGGING: &str = "Contact(scheme: Explicit(damping: 0.6), tolerance: 1e-8)";

const DRIVEN: [&str; 2] = ["Locked(axes: [X, Y, Z])", "Velocity(spin_x: \"3*sin(5*t)\")"];

/// Where a box at rest is brought in `time` by [`DRIVEN`]: no moment acts about y and z, so (I ω)_yz stays 0.
fn driven_exactly(time: f64) -> (Quat, Vec3) {
    let start = Quat::from_euler_angles(0.5, 0.7, -0.3);
    let spin = |q: &Quat, t: f64| {
        let (i, x) = (inertia(q), 3.0 * (5.0 * t).sin());
        let free = i.fixed_view::<2, 2>(1, 1).try_inverse().unwrap() * i.fixed_view::<2, 1>(1, 0) * -x;
        Vec3::new(x, free[0], free[1])
    };
    let (n, mut q) = (20_000, start);
    let h = time / f64::from(n);
    for k in 0..n {
        let t = h * f64::from(k);
        let middle = Quat::from_scaled_axis(spin(&q, t) * (0.5 * h)) * q;
        q = Quat::from_scaled_axis(spin(&middle, t + 0.5 * h) * h) * q;
    }
    let last = spin(&q, time);
    (q, last)
}

/// A driven axis carries the free ones along, to the order of the scheme, and gives them work that the book of energy knows: all that
/// they gain, but for what the scheme adds.
#[test]
fn a_driven_axis_carries_the_others_along() {
    let (q, w) = driven_exactly(1.0);
    let gained = 0.5 * w.yz().dot(&(inertia(&q).fixed_view::<2, 2>(1, 1) * w.yz()));
    let ways = [
        ("Contact()", false, "rotation"),
        ("Contact(scheme: Explicit())", false, "rotation"),
        ("Contact(scheme: Explicit(damping: 0.7))", false, "rotation"),
        ("SmoothContact(substeps: 1)", true, "scheme"),
        ("SmoothContact(substeps: 1, integrator: TimeCentred)", true, "scheme"),
        ("SmoothContact(substeps: 1, integrator: Gear)", true, "scheme"),
        ("SmoothContact(substeps: 1, integrator: Implicit())", true, "scheme"),
    ];
    for (module, smooth, remainder) in ways {
        let errors = |h: f64| {
            let scene = slab(Vec3::zeros(), &DRIVEN);
            let mut run = if smooth { scene.build_smooth(module) } else { scene.build(module) }.unwrap();
            let (mut given, mut added) = (0.0, 0.0_f64);
            for _ in 0..(1.0 / h).round() as usize {
                let report = run.step(h);
                let energy = report.balances.iter().find(|b| b.book == Book::Energy).unwrap();
                assert!(energy.imbalance() <= 1e-10, "{module}: {:e}", energy.imbalance());
                let flow = |name: &str| energy.flows.iter().find(|(n, _)| *n == name).unwrap().1.x;
                given += flow("external");
                added += flow(remainder);
            }
            let k = run.kinematics();
            if module == "Contact()" {
                let off = (inertia(&k.orientation[0]) * k.angular_velocity[0]).yz();
                assert!(off.norm() < 1e-13, "{off}");
            }
            [k.orientation[0].angle_to(&q), (given / gained - 1.0).abs(), (added / gained).abs()]
        };
        let ([way, work, added], [way_fine, work_fine, added_fine]) = (errors(5e-3), errors(2.5e-3));
        assert!(way < 6e-5 && way_fine < 0.27 * way, "{module}: {way:e} {way_fine:e}");
        // The velocities of explicit steps are earlier than the positions by a part of h.
        let (most, order) = if module.contains("Explicit") { (1e-2, 0.52) } else { (2e-4, 0.27) };
        assert!(work < most && work_fine < order * work, "{module}: {work:e} {work_fine:e}");
        assert!(added < most && added_fine < order * added, "{module}: {added:e} {added_fine:e}");
    }
}

/// A ball strikes a face of the box, which turns about two axes alone: the impulse is −(1+e) u_n / (1/m + (l×n)·I_ff⁻¹(l×n)), and the
/// box takes up l×p on its free axes.
#[test]
fn a_blow_turns_a_box_with_one_spin_held_by_its_free_inertia() {
    let h = 1e-6;
    let ways =
        [("Contact(tolerance: 1e-13)", "Coulomb(friction: 0, restitution: 0.6)", 0.6), (EXPLICIT, "Coulomb(friction: 0)", 0.0)];
    for (module, law, e) in ways {
        let mut scene = slab(Vec3::zeros(), &["Locked(axes: [X, Y, Z, SpinX])"]);
        let q = scene.setup.initial.orientation[0];
        let (n, radius) = (q * Vec3::z(), 0.05);
        let ball = scene.body("ball", Shape::Ball { radius }, q * Vec3::new(0.2, 0.06, HALF.z + radius + 1e-7), Some(0.5));
        scene.velocity(ball, n * -2.0, Vec3::zeros());
        scene.law("slab", "ball", law);
        let mut run = scene.build(module).unwrap();
        for _ in 0..5 {
            run.step(h);
        }
        let turn = (q * Vec3::new(0.2, 0.06, HALF.z)).cross(&n).yz();
        let response = inertia(&q).fixed_view::<2, 2>(1, 1).try_inverse().unwrap();
        let exact = (1.0 + e) * 2.0 / (2.0 + turn.dot(&(response * turn)));
        let k = run.kinematics();
        let found = 0.5 * (k.velocity[1].dot(&n) + 2.0);
        assert!((found / exact - 1.0).abs() < 1e-4, "{module}: {found} instead of {exact}");
        let spin = response * turn * -exact;
        let off = k.angular_velocity[0].yz() - spin;
        assert!(off.norm() < 1e-4 * spin.norm() && k.angular_velocity[0].x == 0.0, "{module}: {off} of {spin}");
    }
}

/// Boxes with held and driven spins tumble on a floor: the books close in every step of every scheme.
#[test]
fn books_of_tumbling_boxes_with_held_and_driven_spins_close() {
    let ways = [
        ("Contact(tolerance: 1e-8)", "Coulomb(friction: 0.4, restitution: 0.3)", 5e-4),
        (LAGGING, "Coulomb(friction: 0.4)", 5e-4),
        ("SmoothContact(substeps: 160)", "Hooke(stiffness: 1e5, friction: 0.4, restitution: 0.3)", 1e-3),
        ("SmoothContact(integrator: Gear)", "Hooke(stiffness: 1e5, friction: 0.4, restitution: 0.3)", 1e-3),
        ("SmoothContact(integrator: Implicit(), substeps: 4)", "Hooke(stiffness: 1e5, friction: 0.4, restitution: 0.3)", 1e-3),
    ];
    for (module, law, h) in ways {
        let mut scene = Scene::new(Dimension::Spatial, Vec3::z() * -G);
        materials(&mut scene, 1e7);
        let loads = ["Locked(axes: [SpinX])", "Velocity(spin_z: \"4*cos(6*t)\")", "Locked(axes: [SpinX, SpinY])"];
        for (k, (group, load)) in ["held", "driven", "hinged"].into_iter().zip(loads).enumerate() {
            let box_of = Shape::Box { half: HALF };
            let body = scene.body(group, box_of, Vec3::new(k as f64, 0.0, 0.2), Some(2.0));
            scene.setup.initial.orientation[body.index()] = Quat::from_euler_angles(0.5, 0.4, -0.3);
            scene.velocity(body, Vec3::new(0.4, 0.0, -1.0), Vec3::new(0.0, 1.0, 0.5));
            scene.load(group, load);
        }
        scene.floor("floor", Vec3::z());
        let groups = ["held", "driven", "hinged"];
        for (k, group) in groups.iter().enumerate() {
            scene.law(group, "floor", law);
            groups[..=k].iter().for_each(|other| scene.law(group, other, "NoContact"));
        }
        let smooth = module.starts_with("Smooth");
        let mut run = if smooth { scene.build_smooth(module) } else { scene.build(module) }.unwrap();
        let (mut touched, mut added) = ([false; 3], 0.0_f64);
        for _ in 0..(0.4 / h) as usize {
            let report = run.look(h);
            for b in &report.balances {
                assert!(b.imbalance() <= 1e-10, "{module}, step {}, {:?}: {:e}", run.index, b.book, b.imbalance());
            }
            let spins = &run.kinematics().angular_velocity;
            let driven = 4.0 * (6.0 * (run.time - if module == LAGGING { 0.6 * h } else { 0.0 })).cos();
            assert!(
                (spins[1].z - driven).abs() < 1e-9 && spins[0].x == 0.0 && spins[2].xy().norm() == 0.0,
                "{module}: {spins:?}"
            );
            let energy = report.balances.iter().find(|b| b.book == Book::Energy).unwrap();
            added += energy.flows.iter().find(|(n, _)| *n == "scheme").unwrap().1.x;
            for contact in run.network().iter().filter(|c| c.r.x > 0.0) {
                touched[contact.bodies().0.index().min(contact.bodies().1.index())] = true;
            }
        }
        // What they gain of each other is of the order of 1 J.
        assert!(!module.contains("160") || added.abs() < 1e-3, "{added:e}");
        assert_eq!(touched, [true; 3], "{module}");
    }
}

/// A growing box with a driven axis keeps its angular momentum on the free ones, and a moment on it works before it grows.
#[test]
fn books_of_a_growing_box_close() {
    let load = ["Locked(axes: [X, Y, Z])", "Velocity(spin_x: 3)", "Force(torque_y: 0.05)"];
    for theta in [0.5, 1.0] {
        let mut run = slab(Vec3::zeros(), &load).build("Contact()").unwrap();
        run.theta = theta;
        let start = inertia(&run.kinematics().orientation[0]) * run.kinematics().angular_velocity[0];
        for step in 1..=100_u32 {
            let size = 1.0 + 0.002 * f64::from(step);
            run.fields.swap(names::SIZE_FACTOR, &mut vec![size]);
            closes(&mut run, 1e-3);
            let k = run.kinematics();
            let gained = inertia(&k.orientation[0]) * k.angular_velocity[0] * (size * size) - start;
            let off = gained - Vec3::y() * (0.05e-3 * f64::from(step));
            assert!(off.yz().norm() < 1e-13, "θ {theta}: {off}");
        }
    }
}
