//! Joints between light and heavy bodies: they keep energy, momentum and their own conditions for every ratio of masses, and converge with the
//! second order to a reference.

use mpcd_core::{BodyId, Dimension, Fragment, Quat, Vec3, setup::Joint};
use mpcd_geometry::Shape;

use crate::scene::{G, Run, Scene};

fn join(scene: &mut Scene, c: BodyId, a: Option<BodyId>, kind: &str) {
    scene.setup.joints.push(Joint {
        bodies: (c, a),
        parts: [None, None],
        kind: Fragment::whole(kind),
        name: None,
        conducts: Default::default(),
    });
}

fn disc(scene: &mut Scene, at: Vec3, mass: f64) -> BodyId {
    scene.body("discs", Shape::Disc { radius: 0.01, thickness: 1.0 }, at, Some(mass))
}

/// Kinetic and potential energy (J), gravity along −y.
fn energy(run: &Run) -> f64 {
    let (k, b) = (run.kinematics(), &run.setup.bodies);
    (0..k.len())
        .map(|i| {
            let w = k.orientation[i].inverse_transform_vector(&k.angular_velocity[i]);
            let turning = b.inertia[i].component_mul(&w).dot(&w);
            b.mass[i] * (0.5 * k.velocity[i].norm_squared() - run.setup.gravity.dot(&k.position[i])) + 0.5 * turning
        })
        .sum()
}

/// Linear and angular momentum [N s, N m s].
fn momenta(run: &Run) -> (Vec3, Vec3) {
    let (k, b) = (run.kinematics(), &run.setup.bodies);
    (0..k.len()).fold((Vec3::zeros(), Vec3::zeros()), |(p, l), i| {
        let own = k.velocity[i] * b.mass[i];
        let q = k.orientation[i];
        let spin = q * b.inertia[i].component_mul(&q.inverse_transform_vector(&k.angular_velocity[i]));
        (p + own, l + k.position[i].cross(&own) + spin)
    })
}

/// A number of `report` by its name.
fn number(report: &mpcd_core::SolveReport, name: &str) -> f64 {
    report.numbers.iter().find(|(n, _)| *n == name).unwrap().1
}

/// Ten links of 0.1 m that start level, one of them `ratio` times as heavy as the others; the largest gain and loss of energy and stretch
/// over a second, the energy over that of the whole chain's fall.
fn swinging_chain(kind: &str, heavy: usize, ratio: f64, h: f64, theta: f64) -> [f64; 3] {
    let mut scene = Scene::new(Dimension::Planar, Vec3::y() * -G);
    let mass = |k: usize| if k == heavy { ratio } else { 1.0 };
    let beads: Vec<BodyId> = (1..=10).map(|k| disc(&mut scene, Vec3::x() * (0.1 * k as f64), 1e-3 * mass(k))).collect();
    scene.law("discs", "discs", "NoContact");
    let at = |k: usize| match kind {
        "Pin" => format!("Pin(at: ({}, 0))", 0.1 * k as f64),
        "Rod" => format!("Rod({})", if k == 0 { "to: (0, 0)" } else { "" }),
        _ => format!("Wire({})", if k == 0 { "to: (0, 0)" } else { "" }),
    };
    for k in 0..10 {
        join(&mut scene, beads[k], (k > 0).then(|| beads[k - 1]), &at(k));
    }
    let mut run = scene.build("Contact(tolerance: 1e-10)").unwrap();
    run.theta = theta;
    let first = energy(&run);
    let scale: f64 = (1..=10).map(|k| 1e-3 * mass(k) * G * 0.1 * k as f64).sum();
    let (mut gain, mut loss, mut stretch) = (0.0_f64, 0.0_f64, 0.0_f64);
    let mut last = first;
    while run.time < 0.5 {
        run.step(h);
        let now = energy(&run);
        gain = gain.max((now - last) / scale);
        loss = loss.max((first - now) / scale);
        last = now;
        let k = run.kinematics();
        let length = |i: usize| if i == 0 { k.position[0].norm() } else { (k.position[i] - k.position[i - 1]).norm() };
        let worst = |i: usize| if kind == "Wire" { (length(i) - 0.1).max(0.0) } else { (length(i) - 0.1).abs() };
        if kind != "Pin" {
            stretch = stretch.max((0..10).map(worst).fold(0.0, f64::max));
        }
    }
    [gain, loss, stretch]
}

#[test]
fn chains_gain_no_energy_for_any_ratio_of_masses() {
    for kind in ["Rod", "Pin", "Wire"] {
        for (heavy, ratio) in [(10, 1.0), (10, 225.0), (10, 1e6), (1, 1e6), (5, 1e4)] {
            let [gain, loss, stretch] = swinging_chain(kind, heavy, ratio, 2e-3, 0.5);
            assert!(gain < 1e-9 && stretch < 1e-8, "{kind}, body {heavy} x {ratio}: gain {gain:e}, stretch {stretch:e}");
            assert!(kind == "Wire" || loss < 0.02, "{kind}, body {heavy} x {ratio}: loss {loss:e}");
        }
    }
}

#[test]
fn implicit_steps_of_chains_only_lose_energy() {
    for ratio in [1.0, 1e6] {
        let [gain, loss, _] = swinging_chain("Rod", 10, ratio, 2e-3, 1.0);
        assert!(gain < 1e-9 && loss < 0.2, "{ratio}: {gain:e} {loss:e}");
    }
}

/// What a smooth swing loses falls with the third power of the step at least, and what it leads to with the second.
#[test]
fn a_double_pendulum_follows_its_equations_to_second_order() {
    let (lengths, masses) = ([0.5, 0.4], [2.0, 0.5]);
    let reference = double_pendulum(lengths, masses, [1.2, 0.4], 0.6);
    let error = |h: f64| {
        let mut scene = Scene::new(Dimension::Planar, Vec3::y() * -G);
        let upper = Vec3::new(f64::sin(1.2), -f64::cos(1.2), 0.0) * lengths[0];
        let lower = upper + Vec3::new(f64::sin(0.4), -f64::cos(0.4), 0.0) * lengths[1];
        let (a, b) = (disc(&mut scene, upper, masses[0]), disc(&mut scene, lower, masses[1]));
        scene.law("discs", "discs", "NoContact");
        join(&mut scene, a, None, "Rod(to: (0, 0))");
        join(&mut scene, b, Some(a), "Rod()");
        let mut run = scene.build("Contact(tolerance: 1e-12)").unwrap();
        let first = energy(&run);
        for _ in 0..(0.6 / h).round() as usize {
            run.step(h);
        }
        let k = run.kinematics();
        ([k.position[0] - reference[0], k.position[1] - reference[1]].map(|d| d.norm()), (energy(&run) - first).abs())
    };
    let (coarse, fine) = (error(4e-3), error(2e-3));
    for i in 0..2 {
        let order = (coarse.0[i] / fine.0[i]).log2();
        assert!(fine.0[i] < 1e-4 && (1.8..2.3).contains(&order), "{coarse:?} {fine:?}");
    }
    assert!((coarse.1 / fine.1).log2() > 2.5 && fine.1 < 1e-6, "{coarse:?} {fine:?}");
}

/// Places of the bobs at `time` by the classic Runge–Kutta method with 60,000 steps, from rest at the angles given.
fn double_pendulum([l1, l2]: [f64; 2], [m1, m2]: [f64; 2], angles: [f64; 2], time: f64) -> [Vec3; 2] {
    let rate = |s: [f64; 4]| {
        let [a, b, va, vb] = s;
        let d = a - b;
        let q = 2.0 * m1 + m2 - m2 * (2.0 * d).cos();
        let first = (-G * (2.0 * m1 + m2) * a.sin()
            - m2 * G * (a - 2.0 * b).sin()
            - 2.0 * d.sin() * m2 * (vb * vb * l2 + va * va * l1 * d.cos()))
            / (l1 * q);
        let second =
            2.0 * d.sin() * (va * va * l1 * (m1 + m2) + G * (m1 + m2) * a.cos() + vb * vb * l2 * m2 * d.cos()) / (l2 * q);
        [va, vb, first, second]
    };
    let n = 60_000;
    let h = time / f64::from(n);
    let mut s = [angles[0], angles[1], 0.0, 0.0];
    let plus = |s: [f64; 4], k: [f64; 4], f: f64| std::array::from_fn(|i| s[i] + f * k[i]);
    for _ in 0..n {
        let k1 = rate(s);
        let k2 = rate(plus(s, k1, 0.5 * h));
        let k3 = rate(plus(s, k2, 0.5 * h));
        let k4 = rate(plus(s, k3, h));
        s = std::array::from_fn(|i| s[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
    }
    let first = Vec3::new(s[0].sin(), -s[0].cos(), 0.0) * l1;
    [first, first + Vec3::new(s[1].sin(), -s[1].cos(), 0.0) * l2]
}

/// A hundred links on pins, rods or wires that hang, the lowest a million times as heavy: they stay, and the top joint carries all of it.
#[test]
fn a_hundred_links_hang_still_with_a_million_times_their_weight() {
    for (kind, ratio) in [("Pin", 1.0), ("Pin", 1e6), ("Rod", 1e3), ("Rod", 1e6), ("Wire", 1e3), ("Wire", 1e6)] {
        let mut scene = Scene::new(Dimension::Planar, Vec3::y() * -G);
        let mass = |k: usize| if k == 99 { 1e-3 * ratio } else { 1e-3 };
        let link = |k: usize| Vec3::y() * (-0.02 * (k as f64 + 0.5));
        let shape = Shape::Disc { radius: 0.01, thickness: 1.0 };
        let links: Vec<BodyId> = (0..100).map(|k| scene.body("links", shape.clone(), link(k), Some(mass(k)))).collect();
        scene.law("links", "links", "NoContact");
        for k in 0..100 {
            let how = match kind {
                "Pin" => format!("Pin(at: (0, {}))", -0.02 * k as f64),
                _ => format!("{kind}({})", if k == 0 { "to: (0, 0)" } else { "" }),
            };
            join(&mut scene, links[k], (k > 0).then(|| links[k - 1]), &how);
        }
        let mut run = scene.build("Contact()").unwrap();
        let start = run.kinematics().position.clone();
        let weight = (99.0 * 1e-3 + 1e-3 * ratio) * G;
        for _ in 0..10 {
            let force = run.joint_force_max(1e-3);
            assert!((force / weight - 1.0).abs() < 1e-9, "{kind} {ratio}: {force} {weight}");
        }
        let moved = run.kinematics().position.iter().zip(&start).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
        assert!(moved < 1e-10, "{kind} {ratio}: {moved:e}");
    }
}

/// A floating chain of spheres pinned at their rims, thrown and turning: momentum and angular momentum to rounding, in the plane and in space.
#[test]
fn a_floating_chain_keeps_momentum_and_angular_momentum_to_rounding() {
    for dimension in [Dimension::Planar, Dimension::Spatial] {
        let mut scene = Scene::new(dimension, Vec3::zeros());
        let space = if dimension == Dimension::Spatial { 1.0 } else { 0.0 };
        let masses = [1.0, 1e-3, 5e-2, 1e-4, 2.0];
        let bodies: Vec<BodyId> = masses
            .iter()
            .enumerate()
            .map(|(k, m)| scene.body("balls", Shape::Ball { radius: 0.05 }, Vec3::x() * (0.1 * k as f64), Some(*m)))
            .collect();
        scene.law("balls", "balls", "NoContact");
        for (k, pair) in bodies.windows(2).enumerate() {
            join(&mut scene, pair[1], Some(pair[0]), &format!("Pin(at: ({}, 0, 0))", 0.1 * k as f64 + 0.05));
        }
        // Each turns about its own pin: velocities that fit.
        let spins: Vec<Vec3> = (0..5).map(|k| Vec3::new(space * 2.0, space * f64::from(k), 3.0 - 2.0 * f64::from(k))).collect();
        let mut v = Vec3::new(0.3, -0.2, 0.1 * space);
        for (k, body) in bodies.iter().enumerate() {
            if k > 0 {
                v += (spins[k - 1] + spins[k]).cross(&(Vec3::x() * 0.05));
            }
            scene.velocity(*body, v, spins[k]);
        }
        let mut run = scene.build("Contact(tolerance: 1e-12)").unwrap();
        let (p, l) = momenta(&run);
        let first = energy(&run);
        for _ in 0..300 {
            run.step(2e-3);
        }
        let (p1, l1) = momenta(&run);
        assert!((p1 - p).norm() < 1e-12 * p.norm(), "{dimension:?}: {:e}", (p1 - p).norm());
        assert!((l1 - l).norm() < 1e-10 * l.norm(), "{dimension:?}: {:e} of {:e}", (l1 - l).norm(), l.norm());
        let kept = energy(&run) / first;
        assert!(kept < 1.0 + 1e-10 && kept > 0.99, "{dimension:?}: {kept}");
    }
}

/// Two boxes that start at different angles, welded and thrown with a tumble: they keep their relative orientation and place.
#[test]
fn welded_boxes_at_an_angle_tumble_as_one() {
    let mut scene = Scene::new(Dimension::Spatial, Vec3::zeros());
    let boxes = Shape::Box { half: Vec3::new(0.1, 0.05, 0.03) };
    let (a, b) = (
        scene.body("boxes", boxes.clone(), Vec3::zeros(), Some(1.0)),
        scene.body("boxes", boxes, Vec3::new(0.2, 0.1, 0.0), Some(0.2)),
    );
    scene.setup.initial.orientation[b.index()] = Quat::from_euler_angles(0.4, -0.7, 1.1);
    scene.law("boxes", "boxes", "NoContact");
    let w = Vec3::new(1.0, 2.0, -1.5);
    scene.velocity(a, Vec3::zeros(), w);
    scene.velocity(b, w.cross(&Vec3::new(0.2, 0.1, 0.0)), w);
    join(&mut scene, b, Some(a), "Weld()");
    let mut run = scene.build("Contact(tolerance: 1e-12)").unwrap();
    let relation = |run: &Run| {
        let k = run.kinematics();
        let q = k.orientation[0].inverse();
        (q * k.orientation[1], q * (k.position[1] - k.position[0]))
    };
    let (turned, apart) = relation(&run);
    let (first, (_, l)) = (energy(&run), momenta(&run));
    for _ in 0..1_000 {
        run.step(1e-3);
    }
    let now = relation(&run);
    assert!((turned.inverse() * now.0).angle() < 1e-9 && (now.1 - apart).norm() < 1e-9, "{:e}", (now.1 - apart).norm());
    assert!((energy(&run) / first - 1.0).abs() < 1e-5, "{:e}", energy(&run) / first - 1.0);
    assert!((momenta(&run).1 - l).norm() < 1e-9 * l.norm(), "{:e}", (momenta(&run).1 - l).norm() / l.norm());
}

/// Velocities that fit no joint are taken away at once, and no more than they have: a bob on a rod keeps its motion across.
#[test]
fn velocities_that_fit_no_joint_are_lost_and_said() {
    let mut scene = Scene::new(Dimension::Planar, Vec3::zeros());
    let bob = disc(&mut scene, Vec3::x(), 2.0);
    scene.law("discs", "discs", "NoContact");
    scene.velocity(bob, Vec3::new(3.0, 1.0, 0.0), Vec3::zeros());
    join(&mut scene, bob, None, "Rod(to: (0, 0))");
    let mut run = scene.build("Contact(tolerance: 1e-12)").unwrap();
    let mut work = 0.0;
    for _ in 0..100 {
        let report = run.step(1e-3);
        work = number(&report, "w_joint_settled");
        assert!((number(&report, "w_joint") - work).abs() < 1e-9, "a rod does no work but this");
    }
    let k = run.kinematics();
    assert!((k.velocity[0].norm() - 1.0).abs() < 1e-4 && (k.position[0].norm() - 1.0).abs() < 1e-12, "{}", k.velocity[0]);
    assert!((work + 0.5 * 2.0 * 9.0).abs() < 1e-3, "{work}");
}

/// A cluster of light discs welded to a heavy box is thrown against the floor without restitution: no step gains energy.
#[test]
fn a_welded_cluster_gains_no_energy_when_it_strikes() {
    let mut scene = Scene::new(Dimension::Planar, Vec3::y() * -G);
    let heavy = scene.body("heavy", Shape::Disc { radius: 0.05, thickness: 1.0 }, Vec3::new(0.0, 0.2, 0.0), Some(1.0));
    let place = |k: usize| Vec3::new(0.1 * f64::cos(2.0 * k as f64), 0.2 + 0.1 * f64::sin(2.0 * k as f64), 0.0);
    let light: Vec<BodyId> =
        (0..3).map(|k| scene.body("light", Shape::Disc { radius: 0.002, thickness: 1.0 }, place(k), Some(1e-3))).collect();
    scene.floor("floor", Vec3::y());
    for pair in [("light", "light"), ("light", "heavy"), ("heavy", "heavy")] {
        scene.law(pair.0, pair.1, "NoContact");
    }
    scene.law("light", "floor", "Coulomb(friction: 0.3)");
    scene.law("heavy", "floor", "Coulomb(friction: 0.3)");
    let w = Vec3::z() * 2.0;
    for body in [heavy].iter().chain(&light) {
        let arm = scene.setup.initial.position[body.index()] - Vec3::y() * 0.2;
        scene.velocity(*body, Vec3::y() * -2.0 + w.cross(&arm), w);
    }
    for body in light {
        join(&mut scene, body, Some(heavy), "Weld()");
    }
    let mut run = scene.build("Contact(tolerance: 1e-8)").unwrap();
    let (first, mut last) = (energy(&run), energy(&run));
    for _ in 0..400 {
        run.look(5e-4);
        let now = energy(&run);
        assert!(now - last < 1e-6 * first, "step {}: {:e} of {first}", run.index, now - last);
        last = now;
    }
    assert!(run.kinematics().position[0].y > 0.045 && last < first, "{last}");
}

/// Weights hang on a chain of sixteen beads over a drum, the last two bodies of the run.
fn on_a_drum(bead: f64, friction: f64, kind: &str, weights: [f64; 2]) -> (Run, BodyId) {
    let mut scene = Scene::new(Dimension::Planar, Vec3::y() * -G);
    let (radius, count) = (0.2, 16);
    scene.body("drum", Shape::Disc { radius, thickness: 1.0 }, Vec3::zeros(), None);
    scene.load("drum", "Fixed");
    // Beads that turn would roll on it.
    let locked = "Locked(axes: [SpinZ])";
    let place = |k: usize| {
        let angle = std::f64::consts::PI * k as f64 / (count - 1) as f64;
        Vec3::new(angle.cos(), angle.sin(), 0.0) * (radius + 0.005)
    };
    let small = Shape::Disc { radius: 0.005, thickness: 1.0 };
    let beads: Vec<BodyId> = (0..count).map(|k| scene.body("beads", small.clone(), place(k), Some(bead))).collect();
    let heavy = scene.body("weights", small.clone(), place(0) - Vec3::y() * 0.3, Some(weights[0]));
    let other = scene.body("weights", small, place(count - 1) - Vec3::y() * 0.3, Some(weights[1]));
    scene.load("beads", locked);
    for pair in [("beads", "beads"), ("beads", "weights"), ("weights", "weights"), ("weights", "drum")] {
        scene.law(pair.0, pair.1, "NoContact");
    }
    scene.law("beads", "drum", &format!("Coulomb(friction: {friction})"));
    join(&mut scene, heavy, Some(beads[0]), kind);
    join(&mut scene, other, Some(beads[count - 1]), kind);
    for pair in beads.windows(2) {
        join(&mut scene, pair[1], Some(pair[0]), kind);
    }
    (scene.build("Contact()").unwrap(), heavy)
}

/// Weights of 1 kg and 1.2 kg: (how far the heavier fell in 0.1 s, largest gain of energy in a step).
fn over_a_drum(bead: f64, friction: f64, kind: &str) -> (f64, f64) {
    let (mut run, heavy) = on_a_drum(bead, friction, kind, [1.2, 1.0]);
    let start = run.kinematics().position[heavy.index()].y;
    let (mut last, mut gain) = (energy(&run), 0.0_f64);
    for _ in 0..100 {
        run.step(1e-3);
        let now = energy(&run);
        gain = gain.max(now - last);
        last = now;
    }
    (start - run.kinematics().position[heavy.index()].y, gain)
}

/// Without friction the weights move as on a pulley, a = g (1.2 − 1)/(1.2 + 1) less what the beads take; with 0.3 the drum holds them, e^{0.3π} > 1.2.
#[test]
fn light_beads_go_over_a_drum_or_are_held_by_it() {
    for kind in ["Rod", "Wire"] {
        for bead in [1e-2, 1e-4] {
            let fall = 0.5 * G * 0.2 / (2.2 + 16.0 * bead) * 0.01;
            let (fell, gain) = over_a_drum(bead, 0.0, kind);
            assert!((fell / fall - 1.0).abs() < 0.05 && gain < 1e-5, "{kind} {bead}: {fell} of {fall}, gain {gain:e} J");
            let (held, gain) = over_a_drum(bead, 0.3, kind);
            assert!(held.abs() < 0.02 * fall && gain < 1e-5, "{kind} {bead}: {held} of {fall}, gain {gain:e} J");
        }
    }
}

/// A hundred links that hang at a slant and are let go, one of them up to a million times as heavy: no step gains energy, whatever holds them.
#[test]
fn chains_of_a_hundred_links_gain_no_energy() {
    for kind in ["Pin", "Rod", "Wire"] {
        for (heavy, ratio) in [(99, 1.0), (99, 1e3), (99, 1e6), (50, 1e6)] {
            let mut scene = Scene::new(Dimension::Planar, Vec3::y() * -G);
            let slant = Vec3::new(0.6, -0.8, 0.0) * 0.02;
            let mass = |k: usize| if k == heavy { 1e-3 * ratio } else { 1e-3 };
            let links: Vec<BodyId> = (0..100).map(|k| disc(&mut scene, slant * (k as f64 + 1.0), mass(k))).collect();
            scene.law("discs", "discs", "NoContact");
            for k in 0..100 {
                let at = slant * k as f64;
                let how = match kind {
                    "Pin" => format!("Pin(at: ({}, {}))", at.x, at.y),
                    _ => format!("{kind}({})", if k == 0 { "to: (0, 0)" } else { "" }),
                };
                join(&mut scene, links[k], (k > 0).then(|| links[k - 1]), &how);
            }
            let mut run = scene.build("Contact()").unwrap();
            let first = energy(&run);
            let (mut last, mut gain) = (first, 0.0_f64);
            for _ in 0..100 {
                let report = run.look(1e-3);
                assert!(
                    report.status == mpcd_core::Status::Converged,
                    "{kind}, link {heavy} x {ratio}, step {}: {report:?}",
                    run.index
                );
                let now = energy(&run);
                gain = gain.max((now - last) / first.abs());
                last = now;
            }
            let fell = run.kinematics().position[heavy].y - slant.y * (heavy as f64 + 1.0);
            assert!(gain < 1e-9, "{kind}, link {heavy} x {ratio}: gain {gain:e}");
            assert!(fell < -1e-3, "{kind}, link {heavy} x {ratio}: it did not move, {fell:e}");
        }
    }
}

/// What beads on a drum gain is none of the joints' work, which is rounding, and no drift: the gap law about straight ways keeps E − h²Σ N v²/(4ρ), N the
/// push of the drum and ρ the radius on which beads go. With N = πT, T = 2 g m₁m₂/(m₁ + m₂) the pull of light beads, it is known before. It is of second order,
/// and the same down to beads of 1 mg beside 1 kg.
#[test]
fn energy_on_a_drum_is_that_of_the_scheme_to_second_order() {
    let (heavy, other) = (1.2, 1.0);
    let pull = 2.0 * G * heavy * other / (heavy + other);
    for (bead, steps) in [(1e-3, &[4e-3, 2e-3][..]), (1e-6, &[4e-3, 2e-3, 1e-3])] {
        let gains = steps.iter().map(|&h| {
            let (mut run, ..) = on_a_drum(bead, 0.0, "Rod", [heavy, other]);
            let first = energy(&run);
            let mut work = 0.0;
            while run.time < 0.2 - 1e-9 {
                work = number(&run.step(h), "w_joint");
            }
            assert!(work.abs() < 1e-9 * pull, "bead {bead}, h {h}: the joints worked {work:e} J");
            let speed = run.kinematics().velocity.last().unwrap().norm();
            let known = h * h * std::f64::consts::PI * pull * speed * speed / (4.0 * 0.205);
            let gain = energy(&run) - first;
            assert!((gain / known - 1.0).abs() < 0.1, "bead {bead}, h {h}: {gain:e} J, known {known:e} J");
            gain
        });
        let gains: Vec<f64> = gains.collect();
        let orders: Vec<f64> = gains.windows(2).map(|two| (two[0] / two[1]).log2()).collect();
        assert!(orders.iter().all(|order| (1.8..2.2).contains(order)), "bead {bead}: {orders:?}");
    }
}
