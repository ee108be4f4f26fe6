//! Joints against closed forms: pendulum, catenary, spring and dashpot, weld, wire; and their books.

use mpcd_core::{BodyId, Book, Dimension, Fragment, Vec3, setup::Joint};
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

fn ball(scene: &mut Scene, at: Vec3, mass: f64) -> BodyId {
    scene.body("balls", Shape::Ball { radius: 0.01 }, at, Some(mass))
}

fn energy(run: &Run, mass: f64) -> f64 {
    let k = run.kinematics();
    (0..k.len()).map(|i| mass * (0.5 * k.velocity[i].norm_squared() + G * k.position[i].y)).sum()
}

fn books_close(run: &mut Run, h: f64) {
    for balance in run.step(h).balances {
        assert!(balance.imbalance() <= 1e-10, "{:?} at {}: {:e}", balance.book, run.index, balance.imbalance());
    }
}

/// A pendulum of length 1 released at 60° on a rod: period 4 √(L/g) K(sin 30°) = 1.0731820071 × 2π√(L/g).
fn pendulum(h: f64) -> (f64, f64, f64) {
    let mut scene = Scene::new(Dimension::Planar, Vec3::y() * -G);
    let (s, c) = 60.0_f64.to_radians().sin_cos();
    let bob = ball(&mut scene, Vec3::new(s, -c, 0.0), 2.0);
    scene.law("balls", "balls", "NoContact");
    join(&mut scene, bob, None, "Rod(to: (0, 0))");
    let mut run = scene.build("Contact(tolerance: 1e-12)").unwrap();
    let first = energy(&run, 2.0);
    let (mut crossings, mut drift, mut stretch) = (Vec::new(), 0.0_f64, 0.0_f64);
    while crossings.len() < 9 {
        let before = run.kinematics().position[0].x;
        books_close(&mut run, h);
        let x = run.kinematics().position[0];
        if before * x.x < 0.0 {
            crossings.push(run.time - h * x.x / (x.x - before));
        }
        drift = drift.max((energy(&run, 2.0) - first).abs() / (2.0 * G));
        stretch = stretch.max((x.norm() - 1.0).abs());
    }
    let period = (crossings[8] - crossings[0]) / 4.0;
    (period, drift, stretch)
}

#[test]
fn a_pendulum_keeps_its_period_and_energy_to_second_order() {
    let exact = 1.073_182_007_1 * std::f64::consts::TAU / G.sqrt();
    let (coarse, fine) = (pendulum(0.02), pendulum(0.01));
    let errors = [coarse.0, fine.0].map(|p| (p / exact - 1.0).abs());
    assert!(errors[1] < 2e-4 && errors[1] < 0.3 * errors[0], "{errors:?}");
    assert!(fine.1 < 2e-3 && fine.1 < 0.35 * coarse.1, "energy {} {}", coarse.1, fine.1);
    assert!(fine.2 < 1e-3, "stretch {}", fine.2);
}

/// A rigid bar hung by a pin off its centre is a physical pendulum: small swings with √(I_p/(m g d)).
#[test]
fn a_pinned_bar_swings_as_a_physical_pendulum() {
    let mut scene = Scene::new(Dimension::Planar, Vec3::y() * -G);
    let bar = scene.body("bars", Shape::Disc { radius: 0.3, thickness: 1.0 }, Vec3::new(0.2, 0.0, 0.0), Some(2.0));
    scene.law("bars", "bars", "NoContact");
    let (d, tilt) = (0.2, 0.02_f64);
    scene.setup.initial.position[bar.index()] = Vec3::new(d * tilt.sin(), -d * tilt.cos(), 0.0);
    join(&mut scene, bar, None, "Pin(at: (0, 0))");
    let mut run = scene.build("Contact(tolerance: 1e-12)").unwrap();
    let exact = std::f64::consts::TAU * ((0.5 * 0.09 + d * d) / (G * d)).sqrt();
    let mut crossings = Vec::new();
    while crossings.len() < 5 {
        let before = run.kinematics().position[0].x;
        run.step(1e-3);
        let x = run.kinematics().position[0].x;
        if before * x < 0.0 {
            crossings.push(run.time - 1e-3 * x / (x - before));
        }
    }
    let period = (crossings[4] - crossings[0]) / 2.0;
    assert!((period / exact - 1.0).abs() < 1e-4, "{period} {exact}");
}

/// 24 links of 0.05 m between two points 0.8 m apart, put on the catenary of links, stay there; the tension is that of statics.
/// Link k of n has the vertical force V_k = ((n−1)/2 − k) w in it and everywhere the horizontal force H, which follows from the span.
#[test]
fn a_chain_hangs_in_its_catenary() {
    let (n, link, span, weight) = (24_usize, 0.05, 0.8, 0.1 * G);
    let vertical = |k: usize| ((n as f64 - 1.0) / 2.0 - k as f64) * weight;
    let direction = |h: f64, k: usize| Vec3::new(h, -vertical(k), 0.0).normalize();
    let width = |h: f64| (0..n).map(|k| link * direction(h, k).x).sum::<f64>();
    let (mut low, mut high) = (1e-3, 1e3);
    for _ in 0..200 {
        let middle = f64::sqrt(low * high);
        if width(middle) < span { low = middle } else { high = middle }
    }
    let mut scene = Scene::new(Dimension::Planar, Vec3::y() * -G);
    let mut at = Vec3::zeros();
    let mut beads = Vec::new();
    for k in 0..n - 1 {
        at += direction(low, k) * link;
        beads.push(ball(&mut scene, at, 0.1));
    }
    scene.law("balls", "balls", "NoContact");
    join(&mut scene, beads[0], None, "Rod(to: (0, 0))");
    join(&mut scene, beads[n - 2], None, &format!("Rod(to: ({span}, 0))"));
    for pair in beads.windows(2) {
        join(&mut scene, pair[1], Some(pair[0]), "Rod()");
    }
    let mut run = scene.build("Contact(tolerance: 1e-11)").unwrap();
    let start = run.kinematics().position.clone();
    let h = 2e-3;
    for _ in 0..500 {
        run.step(h);
    }
    let moved = run.kinematics().position.iter().zip(&start).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
    assert!(moved < 1e-7, "moved {moved}");
    let forces = run.joint_force_max(h);
    let expected = low.hypot(vertical(0));
    assert!((forces / expected - 1.0).abs() < 1e-6, "{forces} {expected}");
}

/// A folded chain let go keeps its energy and its lengths while it whips about: no energy drifts in.
#[test]
fn a_whipping_chain_keeps_its_energy() {
    let energy_error = |h: f64| {
        let mut scene = Scene::new(Dimension::Planar, Vec3::y() * -G);
        let n = 8;
        let beads: Vec<BodyId> = (1..=n).map(|k| ball(&mut scene, Vec3::x() * (0.1 * f64::from(k)), 0.1)).collect();
        scene.law("balls", "balls", "NoContact");
        join(&mut scene, beads[0], None, "Rod(to: (0, 0))");
        for pair in beads.windows(2) {
            join(&mut scene, pair[1], Some(pair[0]), "Rod()");
        }
        let mut run = scene.build("Contact(tolerance: 1e-11)").unwrap();
        let first = energy(&run, 0.1);
        let mut worst = 0.0_f64;
        while run.time < 1.0 {
            run.step(h);
            worst = worst.max((energy(&run, 0.1) - first).abs());
        }
        let k = run.kinematics();
        let stretch = (1..k.len()).map(|i| ((k.position[i] - k.position[i - 1]).norm() - 0.1).abs()).fold(0.0, f64::max);
        (worst, stretch)
    };
    let (coarse, fine) = (energy_error(1e-3), energy_error(5e-4));
    // The scale is m g L of the whole chain: 3.5 J.
    assert!(fine.0 < 0.03 && fine.0 < 0.5 * coarse.0 && fine.1 < 1e-3, "{coarse:?} {fine:?}");
}

/// Mass on a spring with a dashpot: x(t) = e^{−ζωt}(cos ω_d t + ζ/√(1−ζ²) sin ω_d t).
#[test]
fn spring_and_dashpot_follow_the_damped_oscillation() {
    let error = |h: f64| {
        let mut scene = Scene::new(Dimension::Spatial, Vec3::zeros());
        let body = ball(&mut scene, Vec3::new(1.5, 0.0, 0.0), 2.0);
        scene.law("balls", "balls", "NoContact");
        join(&mut scene, body, None, "Spring(to: (0, 0, 0), length: 1, stiffness: 200, damping: 4)");
        let mut run = scene.build("Contact(tolerance: 1e-12)").unwrap();
        let (omega, zeta) = (10.0_f64, 0.1_f64);
        let damped = omega * (1.0 - zeta * zeta).sqrt();
        let mut worst = 0.0_f64;
        for _ in 0..(1.0 / h).round() as usize {
            books_close(&mut run, h);
            let t = run.time;
            let exact = 1.0 + 0.5 * (-zeta * omega * t).exp() * ((damped * t).cos() + zeta * omega / damped * (damped * t).sin());
            worst = worst.max((run.kinematics().position[0].x - exact).abs());
        }
        worst
    };
    let (coarse, fine) = (error(4e-3), error(2e-3));
    assert!(fine < 1e-4 && fine < 0.3 * coarse, "{coarse:e} {fine:e}");
}

/// Without damping and with θ = ½ the spring's energy is kept to rounding: the line `joints` is empty.
#[test]
fn an_undamped_spring_keeps_its_energy() {
    let mut scene = Scene::new(Dimension::Spatial, Vec3::zeros());
    let a = ball(&mut scene, Vec3::zeros(), 2.0);
    let b = ball(&mut scene, Vec3::x() * 1.3, 3.0);
    scene.law("balls", "balls", "NoContact");
    join(&mut scene, b, Some(a), "Spring(length: 1, stiffness: 500)");
    let mut run = scene.build("Contact(tolerance: 1e-12)").unwrap();
    for _ in 0..500 {
        let report = run.step(5e-3);
        let energy = report.balances.iter().find(|b| b.book == Book::Energy).unwrap();
        let joints = energy.flows.iter().find(|(n, _)| *n == "joints").unwrap().1.x;
        assert!(energy.imbalance() < 1e-10 && joints.abs() < 1e-10 * energy.scale, "{joints:e}");
    }
    let k = run.kinematics();
    assert!((k.velocity[0] * 2.0 + k.velocity[1] * 3.0).norm() < 1e-12);
}

/// Two welded balls thrown with a spin move as one dumb-bell: the distance stays, angular momentum stays.
#[test]
fn a_welded_pair_is_one_body() {
    let mut scene = Scene::new(Dimension::Spatial, Vec3::zeros());
    let (a, b) = (ball(&mut scene, Vec3::zeros(), 1.0), ball(&mut scene, Vec3::x() * 0.5, 2.0));
    scene.law("balls", "balls", "Coulomb(friction: 0.3)");
    let w = Vec3::new(0.0, 0.3, 2.0);
    let centre = Vec3::x() / 3.0;
    for (body, x) in [(a, Vec3::zeros()), (b, Vec3::x() * 0.5)] {
        scene.velocity(body, Vec3::y() + w.cross(&(x - centre)), w);
    }
    join(&mut scene, b, Some(a), "Weld()");
    let mut run = scene.build("Contact(tolerance: 1e-12)").unwrap();
    let momentum = |run: &Run| {
        let k = run.kinematics();
        let i = 0.4 * 0.01 * 0.01;
        (0..2)
            .map(|j| {
                let m = [1.0, 2.0][j];
                k.position[j].cross(&(k.velocity[j] * m)) + k.angular_velocity[j] * (m * i)
            })
            .sum::<Vec3>()
    };
    let first = momentum(&run);
    for _ in 0..1_000 {
        books_close(&mut run, 1e-3);
        let k = run.kinematics();
        let apart = k.position[1] - k.position[0];
        assert!((apart.norm() - 0.5).abs() < 1e-5, "{}", apart.norm());
        assert!((k.orientation[0].inverse() * k.orientation[1]).angle() < 1e-6);
    }
    assert!((momentum(&run) - first).norm() / first.norm() < 1e-5, "{:?} {first:?}", momentum(&run));
    assert!((run.kinematics().velocity[0] + run.kinematics().velocity[1] * 2.0 - Vec3::y() * 3.0).norm() < 1e-10);
}

#[test]
fn a_wire_only_pulls_and_a_joint_breaks_for_good() {
    let mut scene = Scene::new(Dimension::Spatial, Vec3::z() * -G);
    let slack = ball(&mut scene, Vec3::z() * -0.5, 1.0);
    let weak = ball(&mut scene, Vec3::new(1.0, 0.0, -1.0), 1.0);
    scene.law("balls", "balls", "NoContact");
    join(&mut scene, slack, None, "Wire(to: (0, 0, 0), length: 1)");
    join(&mut scene, weak, None, "Rod(to: (1, 0, 0), break_force: 9)");
    let mut run = scene.build("Contact(tolerance: 1e-12)").unwrap();
    let mut lowest = 0.0_f64;
    for _ in 0..1_000 {
        books_close(&mut run, 1e-3);
        lowest = lowest.min(run.kinematics().position[0].z);
        if run.time < 0.31 {
            let fall = -0.5 - 0.5 * G * run.time * run.time;
            assert!((run.kinematics().position[0].z - fall).abs() < 1e-9);
        }
    }
    assert!((lowest + 1.0).abs() < 1e-2, "{lowest}");
    assert!(run.kinematics().velocity[0].norm() < 1e-9, "a wire stops what it catches");
    // The rod carries 9.81 N, more than it can: free fall from the second step on.
    let v = run.kinematics().velocity[1].z;
    assert!((v + G * (run.time - 1e-3)).abs() < 1e-9, "{v}");
}

#[test]
fn faults_of_joints_are_said_at_their_place() {
    let message = |kind: &str| {
        let mut scene = Scene::new(Dimension::Spatial, Vec3::z() * -G);
        let a = ball(&mut scene, Vec3::zeros(), 1.0);
        scene.law("balls", "balls", "NoContact");
        join(&mut scene, a, None, kind);
        let error = scene.build("Contact()").err().expect("wrong");
        format!("{error}; {}", error.help.clone().unwrap_or_default())
    };
    assert!(message("Pinn()").contains("did you mean `Pin`?"));
    assert!(message("Rod()").contains("needs `to`"));
    assert!(message("Rod(to: (0, 0, 0))").contains("at one point"));
    assert!(message("Wire(to: (0, 0, 1), length: 0.5)").contains("at least their distance"));
    assert!(message("Spring(to: (0, 0, 1), stiffness: 0)").contains("does nothing"));
}
