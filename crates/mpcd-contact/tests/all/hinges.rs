//! Hinges: planes against space, pendulums, torsion springs over several turns, limits and motors against closed forms, momenta.

use std::f64::consts::PI;

use mpcd_core::{BodyId, Dimension, Fragment, SolveReport, Vec3, setup::Joint};
use mpcd_geometry::Shape;

use crate::scene::{G, Run, Scene};

pub(crate) fn join(scene: &mut Scene, c: BodyId, a: Option<BodyId>, kind: &str) {
    named(scene, c, a, kind, None);
}

pub(crate) fn named(scene: &mut Scene, c: BodyId, a: Option<BodyId>, kind: &str, name: Option<&str>) {
    scene.setup.joints.push(Joint {
        bodies: (c, a),
        parts: [None, None],
        kind: Fragment::whole(kind),
        name: name.map(str::to_owned),
        conducts: Default::default(),
    });
}

pub(crate) fn number(report: &SolveReport, name: &str) -> f64 {
    report.numbers.iter().find(|(n, _)| *n == name).unwrap_or_else(|| panic!("no {name}")).1
}

/// Kinetic and potential energy (J).
pub(crate) fn energy(run: &Run) -> f64 {
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
pub(crate) fn momenta(run: &Run) -> (Vec3, Vec3) {
    let (k, b) = (run.kinematics(), &run.setup.bodies);
    (0..k.len()).fold((Vec3::zeros(), Vec3::zeros()), |(p, l), i| {
        let own = k.velocity[i] * b.mass[i];
        let q = k.orientation[i];
        let spin = q * b.inertia[i].component_mul(&q.inverse_transform_vector(&k.angular_velocity[i]));
        (p + own, l + k.position[i].cross(&own) + spin)
    })
}

fn ball(scene: &mut Scene, at: Vec3, mass: f64) -> BodyId {
    scene.body("balls", Shape::Ball { radius: 0.05 }, at, Some(mass))
}

/// Two balls on hinges about z with a torsion spring and a limit between them: in space they do what they do in the plane.
#[test]
fn a_hinge_about_z_in_space_is_a_pin_of_the_plane() {
    let places = |dimension: Dimension| {
        let mut scene = Scene::new(dimension, Vec3::y() * -G);
        let (a, b) = (ball(&mut scene, Vec3::x() * 0.3, 1.0), ball(&mut scene, Vec3::x() * 0.7, 0.3));
        scene.law("balls", "balls", "NoContact");
        let (kind, axis) = if dimension == Dimension::Planar { ("Pin", "") } else { ("Hinge", "axis: (0, 0, 2), ") };
        join(&mut scene, a, None, &format!("{kind}({axis}at: (0, 0, 0))"));
        let law = "limits: (-0.6, 0.2), spring: (stiffness: 0.4, damping: 0.01, rest: -0.1)";
        join(&mut scene, b, Some(a), &format!("{kind}({axis}at: (0.5, 0, 0), {law})"));
        let mut run = scene.build("Contact(tolerance: 1e-12)").unwrap();
        let mut lowest = 0.0_f64;
        for _ in 0..400 {
            lowest = lowest.min(number(&run.step(2e-3), "w_joint_settled"));
        }
        (run.kinematics().position.clone(), lowest)
    };
    let ((plane, lost), (space, _)) = (places(Dimension::Planar), places(Dimension::Spatial));
    let apart = plane.iter().zip(&space).map(|(p, q)| (p - q).norm()).fold(0.0, f64::max);
    assert!(apart < 1e-9, "{apart:e}");
    assert!(lost < -1e-3, "the limit was never met: {lost:e}");
}

/// 2π/(ω agm(1, cos θ₀/2)) for a pendulum of small-swing frequency ω let go at θ₀.
fn period(omega: f64, theta: f64) -> f64 {
    let (mut a, mut b) = (1.0, (0.5 * theta).cos());
    for _ in 0..30 {
        (a, b) = (0.5 * (a + b), f64::sqrt(a * b));
    }
    2.0 * PI / (omega * a)
}

/// A box with three different moments on a hinge whose axis is inclined by α: the pendulum of g cos α and the moment about that axis.
#[test]
fn a_box_on_an_inclined_hinge_is_a_physical_pendulum() {
    let (alpha, d, start) = (0.5_f64, 0.2, 1.0_f64);
    let run = |h: f64| {
        let mut scene = Scene::new(Dimension::Spatial, Vec3::z() * -G);
        // The axis leans on z by π/2 − α; rest is where the box hangs lowest across it.
        let axis = Vec3::new(0.0, alpha.cos(), alpha.sin());
        let (down, side) = (Vec3::new(0.0, alpha.sin(), -alpha.cos()), Vec3::x());
        let at = (down * start.cos() + side * start.sin()) * d;
        let body = scene.body("box", Shape::Box { half: Vec3::new(0.1, 0.05, 0.03) }, at, Some(1.5));
        scene.law("box", "box", "NoContact");
        let kind = format!("Hinge(at: (0, 0, 0), axis: ({:?}, {:?}, {:?}))", axis.x, axis.y, axis.z);
        named(&mut scene, body, None, &kind, Some("p"));
        let i = scene.setup.bodies.inertia[0];
        let own = axis.component_mul(&i).dot(&axis);
        let omega = (G * alpha.cos() * d / (own / 1.5 + d * d)).sqrt();
        let mut run = scene.build("Contact(tolerance: 1e-12)").unwrap();
        let first = energy(&run);
        let mut worst = 0.0_f64;
        let place = |run: &Run| run.kinematics().position[0].dot(&side);
        loop {
            let (before, t) = (place(&run), run.time);
            run.step(h);
            let k = run.kinematics();
            let lean = (k.orientation[0] * axis - axis).norm() + k.position[0].dot(&axis).abs();
            assert!(lean < 1e-10, "{lean:e}");
            worst = worst.max((energy(&run) - first).abs());
            if place(&run) <= 0.0 {
                let quarter = t + h * before / (before - place(&run));
                return ((4.0 * quarter / period(omega, start) - 1.0).abs(), worst / (1.5 * G * d));
            }
        }
    };
    let (coarse, fine) = (run(4e-3), run(2e-3));
    assert!(fine.0 < 2e-5 && fine.0 < 0.4 * coarse.0 && fine.1 < 1e-5, "{coarse:?} {fine:?}");
}

/// A disc on a torsion spring that is let go 10 rad from rest: isochronous, 2π √(I/k), with its energy to rounding through three turns.
#[test]
fn a_torsion_pendulum_keeps_period_and_energy_over_several_turns() {
    let (radius, mass, k) = (0.1, 2.0, 0.9);
    let inertia = 0.5 * mass * radius * radius;
    let exact = 2.0 * PI * f64::sqrt(inertia / k);
    let run = |dimension: Dimension, h: f64| {
        let mut scene = Scene::new(dimension, Vec3::zeros());
        let shape = match dimension {
            Dimension::Planar => Shape::Disc { radius, thickness: 1.0 },
            Dimension::Spatial => Shape::Ball { radius: radius * (0.5_f64 / 0.4).sqrt() },
        };
        let disc = scene.body("disc", shape, Vec3::new(0.3, 0.2, 0.0), Some(mass));
        scene.law("disc", "disc", "NoContact");
        let axis = if dimension == Dimension::Planar { "" } else { "axis: (0, 0, 1), " };
        named(&mut scene, disc, None, &format!("Hinge({axis}start: 10, spring: (stiffness: {k:?}))"), Some("p"));
        let mut run = scene.build("Contact(tolerance: 1e-12)").unwrap();
        let stored = 0.5 * k * 100.0;
        let (mut worst, mut half, mut last, mut lowest) = (0.0_f64, 0.0, 10.0, 0.0_f64);
        for _ in 0..1000 {
            let t = run.time;
            let report = run.step(h);
            let angle = number(&report, "p_angle");
            worst = worst.max(((energy(&run) + number(&report, "e_joint")) / stored - 1.0).abs());
            assert!((number(&report, "p_torque") + k * 0.5 * (angle + last)).abs() < 1e-9 * k * 10.0);
            assert!(number(&report, "w_joint").abs() < 1e-10 * stored);
            if half == 0.0 && last > 0.0 && angle <= 0.0 {
                half = t + h * last / (last - angle);
            }
            lowest = lowest.min(angle);
            last = angle;
        }
        ((4.0 * half / exact - 1.0).abs(), worst, lowest)
    };
    for dimension in [Dimension::Planar, Dimension::Spatial] {
        let (coarse, fine) = (run(dimension, 4e-4), run(dimension, 2e-4));
        let order = (coarse.0 / fine.0).log2();
        assert!(fine.0 < 1e-4 && (1.6..2.4).contains(&order), "{coarse:?} {fine:?}");
        assert!(coarse.1 < 1e-12 && coarse.2 < -9.99, "{coarse:?}");
    }
}

/// A flywheel on a torsion spring between two free bodies of unequal moments that turn fast, 0.3 rad a step: the spring's work is the
/// change of what it stores.
#[test]
fn a_torsion_spring_between_bodies_that_turn_fast_keeps_energy_and_momentum() {
    for (dimension, ratio) in
        [(Dimension::Planar, 1.0), (Dimension::Planar, 1e6), (Dimension::Spatial, 1.0), (Dimension::Spatial, 1e4)]
    {
        let mut scene = Scene::new(dimension, Vec3::zeros());
        let (a, b) = (ball(&mut scene, Vec3::zeros(), 1.0), ball(&mut scene, Vec3::x() * 0.1, 1.0 / ratio));
        scene.law("balls", "balls", "NoContact");
        let space = if dimension == Dimension::Spatial { 1.0 } else { 0.0 };
        let w = Vec3::new(20.0 * space, -30.0 * space, 300.0);
        scene.velocity(a, Vec3::new(0.1, 0.3, 0.2 * space), w);
        let arm = Vec3::x() * 0.05;
        // It turns faster about the axis z that they share.
        let own = w + Vec3::z() * 40.0;
        scene.velocity(b, Vec3::new(0.1, 0.3, 0.2 * space) + w.cross(&arm) + own.cross(&arm), own);
        let axis = if dimension == Dimension::Planar { "" } else { "axis: (0, 0, 1), " };
        let k = 0.4 / ratio;
        join(&mut scene, b, Some(a), &format!("Hinge({axis}at: (0.05, 0, 0), spring: (stiffness: {k:?}, rest: 0.3))"));
        let mut run = scene.build("Contact(tolerance: 1e-12)").unwrap();
        let (p, l) = momenta(&run);
        let (first, mut gain, mut last, mut spread) =
            (energy(&run) + 0.5 * k * 0.09, 0.0_f64, f64::NAN, [f64::INFINITY, 0.0_f64]);
        for _ in 0..300 {
            let report = run.step(1e-3);
            let stored = number(&report, "e_joint");
            spread = [spread[0].min(stored), spread[1].max(stored)];
            let unsettled = energy(&run) + stored - number(&report, "w_joint_settled");
            gain = gain.max((unsettled - first).abs() / first);
            last = number(&report, "w_joint") - number(&report, "w_joint_settled");
        }
        let (p1, l1) = momenta(&run);
        assert!(gain < 1e-9 && last.abs() < 1e-9 * first, "{dimension:?} {ratio:e}: {gain:e} {last:e}");
        assert!((p1 - p).norm() < 1e-11 * p.norm() && (l1 - l).norm() < 1e-10 * l.norm(), "{dimension:?}");
        assert!(spread[1] > 1e-6 * first / ratio, "the spring does something");
    }
}

/// A door under a constant moment stops at its limit without restitution; the limit then gives the moment back.
#[test]
fn a_door_stops_at_its_limit_and_the_reaction_is_the_moment() {
    for (dimension, sense) in [(Dimension::Planar, 1.0), (Dimension::Spatial, 1.0), (Dimension::Spatial, -1.0)] {
        let mut scene = Scene::new(dimension, Vec3::zeros());
        let door = ball(&mut scene, Vec3::x() * 0.4, 3.0);
        scene.law("balls", "balls", "NoContact");
        scene.load("balls", &format!("Force(torque_z: {:?})", 5.0 * sense));
        let axis = if dimension == Dimension::Planar { "" } else { "axis: (0, 0, 1), " };
        let kind = format!("Hinge({axis}at: (0, 0, 0), limits: (\"-70 deg\", \"90 deg\"))");
        named(&mut scene, door, None, &kind, Some("door"));
        let mut run = scene.build("Contact(tolerance: 1e-12)").unwrap();
        let end: f64 = if sense > 0.0 { 0.5 * PI } else { -70.0 * PI / 180.0 };
        let mut last = None;
        for _ in 0..1500 {
            let report = run.step(1e-3);
            let angle = number(&report, "door_angle");
            assert!(angle * sense <= end.abs() + 1e-12, "{angle}");
            last = Some(report);
        }
        let last = last.unwrap();
        let (angle, torque, lost) = (number(&last, "door_angle"), number(&last, "door_torque"), number(&last, "w_joint"));
        assert!((angle - end).abs() < 1e-12 && (torque + 5.0 * sense).abs() < 1e-9, "{angle} {torque}");
        assert!(run.kinematics().velocity[0].norm() < 1e-10);
        assert!((lost / (-5.0 * end.abs()) - 1.0).abs() < 1e-4, "{lost}");
    }
}

/// An arm that begins level: a motor of moment above m g r keeps its speed and gives m g r cos θ, one below sinks.
#[test]
fn a_motor_lifts_what_its_moment_can_and_no_more() {
    let (mass, r, speed) = (2.0, 0.5, 0.2);
    let weight = mass * G * r;
    for dimension in [Dimension::Planar, Dimension::Spatial] {
        let build = |motor: String| {
            let mut scene = Scene::new(dimension, Vec3::y() * -G);
            let load = ball(&mut scene, Vec3::x() * r, mass);
            scene.law("balls", "balls", "NoContact");
            let axis = if dimension == Dimension::Planar { "" } else { "axis: (0, 0, 1), " };
            named(&mut scene, load, None, &format!("Hinge({axis}at: (0, 0, 0), {motor})"), Some("m"));
            scene.build("Contact(tolerance: 1e-12)").unwrap()
        };
        // It holds a load up to its moment.
        for (share, holds) in [(1.0 + 1e-6, true), (1.0 - 1e-3, false)] {
            let mut run = build(format!("motor: (speed: 0, torque: {:?})", share * weight));
            let mut report = run.step(1e-3);
            for _ in 0..300 {
                report = run.step(1e-3);
            }
            let (angle, torque) = (number(&report, "m_angle"), number(&report, "m_torque"));
            assert!(if holds { angle.abs() < 1e-12 } else { angle < -1e-4 }, "{share}: {angle:e}");
            assert!((torque - weight * share.min(1.0)).abs() < 1e-6 * weight, "{share}: {torque}");
        }
        // It lifts: after the start it leads, and gives what the weight asks.
        let mut run = build(format!("motor: (speed: {speed:?}, torque: {:?})", 1.2 * weight));
        let first = energy(&run);
        let mut last = 0.0;
        for step in 0..2000 {
            let report = run.step(1e-3);
            let (angle, torque) = (number(&report, "m_angle"), number(&report, "m_torque"));
            assert!(torque.abs() <= 1.2 * weight * (1.0 + 1e-12), "{torque}");
            if step > 200 {
                let middle = 0.5 * (angle + last);
                assert!((angle - last - speed * 1e-3).abs() < 1e-12, "{}", angle - last);
                assert!((torque - weight * middle.cos()).abs() < 1e-6 * weight, "{torque} at {middle}");
            }
            let given = number(&report, "m_drive") + number(&report, "w_joint");
            assert!((energy(&run) - first - given).abs() < 1e-9 * weight, "{given}");
            last = angle;
        }
    }
}

/// A motor that runs into a limit presses against it with all its moment, and leaves when its speed turns.
#[test]
fn a_motor_stalls_at_a_limit_and_comes_back() {
    let mut scene = Scene::new(Dimension::Planar, Vec3::zeros());
    let wheel = ball(&mut scene, Vec3::new(0.2, 0.1, 0.0), 1.0);
    scene.law("balls", "balls", "NoContact");
    let motor = "motor: (speed: Table([(0, 2), (1, 2), (1.001, -1), (9, -1)]), torque: 0.3)";
    named(&mut scene, wheel, None, &format!("Hinge(limits: (-1, 1), {motor})"), Some("m"));
    let mut run = scene.build("Contact(tolerance: 1e-12)").unwrap();
    for step in 0..1500 {
        let report = run.step(1e-3);
        let (angle, torque) = (number(&report, "m_angle"), number(&report, "m_torque"));
        assert!(angle <= 1.0 + 1e-12);
        if step == 900 {
            assert!((angle - 1.0).abs() < 1e-12 && torque.abs() < 1e-9, "{angle} {torque}");
        }
        if step == 1499 {
            assert!((angle - 0.5).abs() < 0.02, "{angle}");
        }
    }
}

/// A prescribed angle, through more than a turn and to the last bit of its formula, and the work it takes.
#[test]
fn a_prescribed_angle_is_kept_and_its_work_is_external() {
    let mut scene = Scene::new(Dimension::Spatial, Vec3::zeros());
    let wheel = scene.body("balls", Shape::Box { half: Vec3::new(0.1, 0.05, 0.03) }, Vec3::zeros(), Some(1.0));
    scene.law("balls", "balls", "NoContact");
    named(&mut scene, wheel, None, "Hinge(axis: (0, 0, 1), angle: \"5 * t^2\")", Some("m"));
    let inertia = scene.setup.bodies.inertia[0].z;
    let mut run = scene.build("Contact(tolerance: 1e-12)").unwrap();
    for _ in 0..1500 {
        let report = run.step(1e-3);
        let angle = number(&report, "m_angle");
        assert!((angle - 5.0 * run.time * run.time).abs() < 1e-12 * (1.0 + angle), "{angle}");
        let given = number(&report, "m_drive") + number(&report, "w_joint");
        assert!((energy(&run) - given).abs() < 1e-9, "{given} {}", energy(&run));
        assert!(number(&report, "w_joint").abs() < 1e-3, "{}", number(&report, "w_joint"));
    }
    let kinetic = 0.5 * inertia * 15.0 * 15.0;
    assert!((energy(&run) / kinetic - 1.0).abs() < 1e-4);
}

/// An arm on a torsion spring is pressed on the floor: the floor carries moment over length, through the sweeps.
#[test]
fn a_torsion_spring_presses_an_arm_on_the_floor() {
    for motor in [false, true] {
        let mut scene = Scene::new(Dimension::Planar, Vec3::zeros());
        let arm = ball(&mut scene, Vec3::new(0.8, 0.05, 0.0), 1.0);
        scene.floor("floor", Vec3::y());
        scene.law("balls", "balls", "NoContact");
        scene.law("balls", "floor", "Coulomb(friction: 0)");
        let law = if motor { "motor: (speed: -1, torque: 1)" } else { "spring: (stiffness: 2, rest: -0.5)" };
        named(&mut scene, arm, None, &format!("Hinge(at: (0, 0.05, 0), {law})"), Some("m"));
        let mut run = scene.build("Contact(tolerance: 1e-10)").unwrap();
        let mut torque = 0.0;
        for _ in 0..20 {
            torque = number(&run.step(1e-3), "m_torque");
        }
        let pressed: f64 = run.network().iter().map(|c| c.r.x / 1e-3).sum();
        assert!((pressed * 0.8 - 1.0).abs() < 1e-7 && (torque + 1.0).abs() < 1e-7, "{pressed} {torque}");
    }
}
