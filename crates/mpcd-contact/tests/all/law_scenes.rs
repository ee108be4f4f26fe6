//! Laws in motion, each against a closed form, with books that close.

use mpcd_core::{Book, ContactStatus, Dimension, SolveReport, Vec3};
use mpcd_geometry::Shape;

use crate::scene::{G, Run, Scene};

fn closes(run: &mut Run, h: f64) -> Vec<(String, f64)> {
    let report = run.step(h);
    for balance in &report.balances {
        assert!(balance.imbalance() <= 1e-10, "{:?} at {}: {:e}", balance.book, run.index, balance.imbalance());
    }
    let energy = report.balances.iter().find(|b| b.book == Book::Energy).unwrap();
    energy.flows.iter().map(|(n, v)| ((*n).to_owned(), v.x)).collect()
}

fn flow(flows: &[(String, f64)], name: &str) -> f64 {
    flows.iter().find(|(n, _)| n == name).map_or(0.0, |(_, v)| *v)
}

/// A ball of 1 kg that cannot turn, on a floor.
fn block(law: &str, height: f64, v: Vec3) -> Run {
    let mut scene = Scene::new(Dimension::Spatial, Vec3::z() * -G);
    let body = scene.body("block", Shape::Ball { radius: 0.1 }, Vec3::z() * (0.1 + height), Some(1.0));
    scene.floor("floor", Vec3::z());
    scene.velocity(body, v, Vec3::zeros());
    scene.law("block", "floor", law);
    scene.load("block", "Locked(axes: [SpinX, SpinY, SpinZ])");
    scene.build("Contact(tolerance: 1e-12)").unwrap()
}

fn ball_on(law: &str, height: f64, v: Vec3, contact: &str) -> Run {
    let mut scene = Scene::new(Dimension::Spatial, Vec3::zeros());
    let ball = scene.body("ball", Shape::Ball { radius: 0.1 }, Vec3::z() * (0.1 + height), Some(1.0));
    scene.floor("floor", Vec3::z());
    scene.velocity(ball, v, Vec3::zeros());
    scene.law("ball", "floor", law);
    scene.build(contact).unwrap()
}

const TIGHT: &str = "Contact(tolerance: 1e-12, alert: 0.05)";

#[test]
fn static_friction_holds_what_dynamic_friction_would_let_go() {
    for (push, moves) in [(0.45, false), (0.55, true)] {
        let mut scene = Scene::new(Dimension::Spatial, Vec3::z() * -G);
        scene.body("block", Shape::Ball { radius: 0.1 }, Vec3::z() * 0.1, Some(1.0));
        scene.floor("floor", Vec3::z());
        scene.law("block", "floor", "StaticDynamic(friction: 0.5, sliding: 0.3)");
        scene.load("block", "Locked(axes: [SpinX, SpinY, SpinZ])");
        scene.load("block", &format!("Force(x: {})", push * G));
        let mut run = scene.build("Contact(tolerance: 1e-11)").unwrap();
        for _ in 0..100 {
            closes(&mut run, 1e-3);
        }
        let expected = if moves { (push - 0.3) * G * run.time } else { 0.0 };
        let v = run.kinematics().velocity[0].x;
        assert!((v - expected).abs() < 1e-9 + 1e-9 * expected, "{push}: {v} {expected}");
    }
}

/// Regularised friction is viscous below v₀: v̇ = −μ g v/v₀.
#[test]
fn regularised_friction_decays_exponentially_below_its_speed() {
    let mut run = block("Regularised(friction: 0.4, speed: 1)", 0.0, Vec3::x() * 0.5);
    for _ in 0..1_000 {
        closes(&mut run, 1e-4);
    }
    let expected = 0.5 * (-0.4 * G * run.time).exp();
    let v = run.kinematics().velocity[0].x;
    assert!((v / expected - 1.0).abs() < 1e-3, "{v} {expected}");
}

/// μ falls from 0.5 to 0.3 over 0.1 m: the work of friction is the area under the line.
#[test]
fn slip_weakening_takes_the_work_under_its_line() {
    let mut run = block("SlipWeakening(friction: 0.5, sliding: 0.3, distance: 0.1)", 0.0, Vec3::x() * 2.0);
    while run.kinematics().position[0].x < 0.2 {
        closes(&mut run, 1e-4);
    }
    let x = run.kinematics().position[0].x;
    let loss = G * (0.4 * 0.1 + 0.3 * (x - 0.1));
    let v = run.kinematics().velocity[0].x;
    assert!((0.5 * (4.0 - v * v) / loss - 1.0).abs() < 1e-3, "{v}");
}

/// A block that slides at v under the convex law hovers at h μ v (VALIDATION §4).
#[test]
fn v04_a_sliding_body_hovers_under_the_convex_law() {
    for (law, lift) in [("Convex(friction: 0.3)", 0.3), ("Coulomb(friction: 0.3)", 0.0)] {
        let h = 1e-3;
        // It starts where it hovers: put on the floor it would jump first.
        let mut run = block(law, h * lift * 5.0, Vec3::x() * 5.0);
        for _ in 0..50 {
            closes(&mut run, h);
        }
        let v = run.kinematics().velocity[0].x;
        let gap = run.network().contacts[0].gap;
        assert!((gap - h * lift * v).abs() < 0.02 * h * 0.3 * v, "{law}: {gap} at {v}");
    }
}

/// Elastic contact: half a period π√(m/k), rebound e → 1 with first order in h; the book's stored energy is ½kδ².
#[test]
fn an_elastic_contact_gives_the_velocity_back() {
    let rebound = |h: f64| {
        let mut run = ball_on("Elastic(stiffness: 1e4, friction: 0)", 0.0, Vec3::z() * -0.1, TIGHT);
        let mut touching = 0.0;
        while run.kinematics().velocity[0].z <= 0.0 || run.network().contacts.iter().any(|c| c.r.x > 0.0) {
            closes(&mut run, h);
            touching += if run.network().contacts.iter().any(|c| c.r.x > 0.0) { h } else { 0.0 };
        }
        (run.kinematics().velocity[0].z, touching)
    };
    let ((coarse, _), (fine, time)) = (rebound(1e-4), rebound(5e-5));
    assert!((1.0 - fine / 0.1).abs() < 0.55 * (1.0 - coarse / 0.1).abs() && fine > 0.098, "{coarse} {fine}");
    assert!((time / (std::f64::consts::PI * 1e-2) - 1.0).abs() < 1e-2, "{time}");
}

#[test]
fn impacts_of_one_body_are_the_same_by_newton_poisson_and_stronge() {
    for law in [
        "Coulomb(friction: 0, restitution: 0.6)",
        "Poisson(friction: 0, restitution: 0.6)",
        "Stronge(friction: 0, restitution: 0.6)",
    ] {
        let mut run = ball_on(law, -1e-9, Vec3::z() * -2.0, TIGHT);
        closes(&mut run, 1e-3);
        let v = run.kinematics().velocity[0].z;
        assert!((v - 1.2).abs() < 1e-9, "{law}: {v}");
    }
}

/// A ball at rest under gravity does not hop, whatever e.
#[test]
fn a_body_at_rest_does_not_hop() {
    for law in ["Poisson(friction: 0.3, restitution: 0.9)", "Stronge(friction: 0.3, restitution: 0.9)"] {
        let mut scene = Scene::new(Dimension::Spatial, Vec3::z() * -G);
        scene.body("ball", Shape::Ball { radius: 0.1 }, Vec3::z() * (0.1 - 1e-12), Some(1.0));
        scene.floor("floor", Vec3::z());
        scene.law("ball", "floor", law);
        let mut run = scene.build("Contact(tolerance: 1e-12)").unwrap();
        for _ in 0..50 {
            closes(&mut run, 1e-3);
            assert!(run.kinematics().velocity[0].norm() < 1e-12);
        }
    }
}

/// Three balls in a row hit by the first: Poisson with e = 1 as Newton–Moreau (VALIDATION §5): −1/3, 2/3, 2/3.
#[test]
fn v05_three_balls_by_poisson() {
    let mut scene = Scene::new(Dimension::Spatial, Vec3::zeros());
    for k in 0..3_u32 {
        scene.body("balls", Shape::Ball { radius: 0.1 }, Vec3::x() * (0.2 * f64::from(k)), Some(1.0));
    }
    scene.setup.initial.velocity[0] = Vec3::x();
    scene.law("balls", "balls", "Poisson(friction: 0, restitution: 1)");
    for (k, x) in [0.0, 0.2 - 1e-12, 0.4 - 2e-12].into_iter().enumerate() {
        scene.setup.initial.position[k].x = x;
    }
    let mut run = scene.build("Contact(tolerance: 1e-12)").unwrap();
    closes(&mut run, 1e-6);
    let v: Vec<f64> = run.kinematics().velocity.iter().map(|v| v.x).collect();
    for (v, expected) in v.iter().zip([-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0]) {
        assert!((v - expected).abs() < 1e-8, "{v}");
    }
}

/// A liquid bridge takes F times the rupture distance out of a departing ball.
#[test]
fn a_bridge_takes_force_times_distance() {
    let mut run =
        ball_on("Capillary(force: 3, rupture: \"20 mm\", friction: 0)", -5e-5, Vec3::z() * 0.5, "Contact(tolerance: 1e-12)");
    for _ in 0..1_000 {
        closes(&mut run, 1e-4);
    }
    let expected = (0.25_f64 - 2.0 * 3.0 * 0.02).sqrt();
    let v = run.kinematics().velocity[0].z;
    assert!((v / expected - 1.0).abs() < 5e-3, "{v} {expected}");
    let mut held =
        ball_on("Capillary(force: 3, rupture: \"20 mm\", friction: 0)", -5e-5, Vec3::z() * 0.3, "Contact(tolerance: 1e-12)");
    for _ in 0..4_000 {
        closes(&mut held, 1e-4);
    }
    assert!(held.kinematics().velocity[0].norm() < 1e-9, "it comes back and stays");
}

/// A drop of speed from lubrication: m Δv = 6πηR*² ln(g₀/g₁) with R* = R against a plane.
#[test]
fn a_film_slows_by_the_logarithm_of_the_gap() {
    let law = "Lubrication(viscosity: 0.5, roughness: \"1 um\", range: \"50 mm\", friction: 0)";
    let mut run = ball_on(law, 0.04, Vec3::z() * -1.0, TIGHT);
    let a = 6.0 * std::f64::consts::PI * 0.5 * 0.01;
    while run.kinematics().position[0].z > 0.105 {
        closes(&mut run, 1e-5);
    }
    let (gap, v) = (run.kinematics().position[0].z - 0.1, run.kinematics().velocity[0].z);
    let expected = -1.0 + a * (0.04 / gap).ln();
    assert!((v - expected).abs() < 1e-3, "{v} {expected}");
}

/// Archard: V = k F s/H.
#[test]
fn wear_follows_archard() {
    let mut scene = Scene::new(Dimension::Spatial, Vec3::z() * -G);
    scene.body("ball", Shape::Ball { radius: 0.1 }, Vec3::z() * 0.1, Some(1.0));
    scene.floor("floor", Vec3::z());
    scene.law("ball", "floor", "CoulombWithWear(friction: 0.2, coefficient: 1e-3, hardness: \"1 GPa\")");
    scene.load("ball", "Velocity(x: 2, spin_x: 0, spin_y: 0, spin_z: 0)");
    scene.setup.initial.velocity[0] = Vec3::x() * 2.0;
    let mut run = scene.build("Contact(tolerance: 1e-11)").unwrap();
    let mut worn = Vec::new();
    for _ in 0..500 {
        worn = run.step_with_field("worn_volume", 1e-3);
    }
    let expected = 1e-3 * G * 2.0 * 0.5 / 1e9;
    assert!((worn.iter().sum::<f64>() / expected - 1.0).abs() < 1e-9, "{worn:?} {expected}");
    assert_eq!(worn[0], worn[1]);
}

/// What is worn goes by the work of friction, k W/(μ H), in steps in which sliding changes or ends as in steady ones: a ball that lands at 2 m/s and one that
/// lands at 0.3 m/s, which friction stops in the impact; one with spin that slides until it rolls.
#[test]
fn wear_follows_the_work_of_friction() {
    let law = "CoulombWithWear(friction: 0.4, coefficient: 1e-3, hardness: \"1 GPa\")";
    let (rate, friction) = (1e-12, 0.4);
    for (speed, slid) in [(2.0, 1.8), (0.3, 0.5 * 0.3 * 0.3 / friction)] {
        for h in [1e-3, 1e-4] {
            let mut run = block(law, 1e-4, Vec3::new(speed, 0.0, -1.0));
            let mut worn = Vec::new();
            for _ in 0..3 {
                worn = run.step_with_field("worn_volume", h);
            }
            let gravity = 3.0 * h * G * (1.0 + speed);
            let expected = rate * slid;
            let got = worn.iter().sum::<f64>();
            assert!(
                (got - expected).abs() < rate * gravity + 1e-9 * expected,
                "{speed} m/s in steps of {h}: {got:e}, not {expected:e}"
            );
        }
    }
    let mut scene = Scene::new(Dimension::Spatial, Vec3::z() * -G);
    let ball = scene.body("ball", Shape::Ball { radius: 0.05 }, Vec3::z() * 0.0501, Some(0.7));
    scene.floor("floor", Vec3::z());
    scene.law("ball", "floor", law);
    scene.velocity(ball, Vec3::new(0.8, 0.1, -0.1), Vec3::new(3.0, -2.0, 20.0));
    let mut run = scene.build("Contact(tolerance: 1e-12)").unwrap();
    let (mut worn, mut work) = (0.0, 0.0);
    for _ in 0..300 {
        let (report, field) = run.step_and_field("worn_volume", 1e-3);
        let energy = report.balances.iter().find(|b| b.book == Book::Energy).unwrap();
        work -= energy.flows.iter().find(|(name, _)| *name == "friction").map_or(0.0, |(_, v)| v.x);
        worn = field.iter().sum::<f64>();
    }
    let expected = rate * work / friction;
    assert!((worn / expected - 1.0).abs() < 1e-9 && work > 0.01, "{worn:e} m³ of {work} J, not {expected:e}");
}

/// A rolling ball slows by μ_r g/((1 + k) R); with resistance above tan α R it stays on a slope.
#[test]
fn rolling_resistance_decelerates_and_holds_on_a_slope() {
    for (dimension, up, k) in [(Dimension::Spatial, Vec3::z(), 0.4), (Dimension::Planar, Vec3::y(), 0.5)] {
        let shape = if k == 0.4 { Shape::Ball { radius: 0.1 } } else { Shape::Disc { radius: 0.1, thickness: 1.0 } };
        let mut scene = Scene::new(dimension, up * -G);
        let ball = scene.body("ball", shape, up * 0.1, Some(1.0));
        scene.floor("floor", up);
        scene.velocity(ball, Vec3::x(), up.cross(&Vec3::x()) * 10.0);
        scene.law("ball", "floor", "Coulomb(friction: 0.5, rolling: \"2 mm\")");
        let mut run = scene.build("Contact(tolerance: 1e-12)").unwrap();
        for _ in 0..1_000 {
            closes(&mut run, 1e-3);
        }
        let expected = 1.0 - 2e-3 * G / ((1.0 + k) * 0.1) * run.time;
        let v = run.kinematics().velocity[0].x;
        assert!((v - expected).abs() < 1e-6, "{v} {expected}");
        // tan α = 0.01 < μ_r/R = 0.02
        run.setup.gravity = up * -G + Vec3::x() * (0.01 * G);
        for _ in 0..8_000 {
            run.step(2e-3);
        }
        assert!(run.kinematics().velocity[0].norm() < 1e-9 && run.kinematics().angular_velocity[0].norm() < 1e-9);
    }
}

/// A ball of 1,000 t on a floor that leaves at 1 m/s, whatever holds it.
fn drawn_from_the_floor(law: &str) -> Run {
    let mut scene = Scene::new(Dimension::Spatial, Vec3::zeros());
    let ball = scene.body("ball", Shape::Ball { radius: 0.1 }, Vec3::z() * 0.1, Some(1e6));
    scene.floor("floor", Vec3::z());
    scene.law("ball", "floor", law);
    scene.velocity(ball, Vec3::z(), Vec3::zeros());
    scene.build("Contact(tolerance: 1e-12)").unwrap()
}

/// Short of its damage a bond is a spring: it stores ½ k A δ² of the way it is drawn, and holds with k A δ. Beyond `range` there is none, damaged or not, and what it
/// stored is lost.
#[test]
fn a_bond_stores_as_a_spring_and_ends_at_its_range() {
    let law =
        "MonerieAcary(normal_stiffness: 1e7, tangential_stiffness: 1e7, energy: 40, friction: 0.3, area: 1, range: \"0.5 mm\")";
    let mut run = drawn_from_the_floor(law);
    let strain = |report: &SolveReport| {
        let energy = report.balances.iter().find(|b| b.book == Book::Energy).unwrap();
        energy.stores.iter().find(|(name, ..)| *name == "strain").map_or(0.0, |(_, _, after)| after.x)
    };
    for step in 1..=100 {
        let report = run.step(1e-5);
        let drawn = run.kinematics().position[0].z - 0.1;
        let pull = -run.network().iter().map(|c| c.r.x).sum::<f64>() / 1e-5;
        let (stored, force) = if drawn < 0.495e-3 { (0.5e7 * drawn * drawn, 1e7 * drawn) } else { (0.0, 0.0) };
        if !(49..=52).contains(&step) {
            assert!(
                (strain(&report) - stored).abs() < 1e-7 * stored + 1e-12,
                "{drawn}: {} J instead of {stored}",
                strain(&report)
            );
            // the mean of the step, as h is a part of the way
            assert!((pull - force).abs() <= 0.02 * force + 51.0 * f64::from(u8::from(drawn < 0.495e-3)), "{drawn}: {pull} N");
        }
    }
}

/// A bond of 1 m² pulled apart by a heavy ball takes its energy from it; the book closes each step and the lines add up.
#[test]
fn a_bond_pulled_apart_takes_its_energy() {
    for (law, h, steps) in [
        ("MonerieAcary(normal_stiffness: 1e7, tangential_stiffness: 1e7, energy: 10, friction: 0.3, area: 1)", 1e-5, 10_100),
        ("Bilinear(normal_stiffness: 1e7, tensile_strength: 1e4, energy: 10, friction: 0.3, area: 1)", 1e-5, 400),
        ("Exponential(normal_stiffness: 1e7, tensile_strength: 1e4, energy: 10, friction: 0.3, area: 1)", 1e-5, 3_000),
        ("Extrinsic(strength: 1e4, energy: 10, friction: 0.3, area: 1)", 1e-6, 2_100),
    ] {
        let mut run = drawn_from_the_floor(law);
        let mut cohesion = 0.0;
        for _ in 0..steps {
            cohesion += flow(&closes(&mut run, h), "cohesion");
        }
        let v = run.kinematics().velocity[0].z;
        let lost = 5e5 * (1.0 - v) * (1.0 + v);
        assert!((lost / 10.0 - 1.0).abs() < 2e-3 && (cohesion / 10.0 + 1.0).abs() < 2e-3, "{law}: {lost} {cohesion}");
    }
}

/// A bond that is struck in shear or pulled beyond its limit is broken for good; below it the body hangs.
#[test]
fn a_mohr_coulomb_bond_holds_and_breaks() {
    for (strength, holds) in [(11.0, true), (9.0, false)] {
        let mut scene = Scene::new(Dimension::Spatial, Vec3::z() * -G);
        scene.body("ball", Shape::Ball { radius: 0.1 }, Vec3::z() * -0.1, Some(1.0));
        scene.floor("roof", -Vec3::z());
        scene.law("ball", "roof", &format!("MohrCoulomb(friction: 0.5, tensile_strength: {strength}, area: 1)"));
        let mut run = scene.build("Contact(tolerance: 1e-12)").unwrap();
        for _ in 0..100 {
            closes(&mut run, 1e-3);
        }
        let v = run.kinematics().velocity[0].z;
        if holds {
            assert!(v.abs() < 1e-12, "{v}");
            // what pulls is no open contact
            assert!(run.network().iter().all(|c| c.r.x < 0.0 && c.status == ContactStatus::Stick));
        } else {
            // free from the step on in which it would carry more
            let expected = -G * 0.1;
            assert!((v - expected).abs() < 1e-9, "{v} {expected}");
        }
    }
}

#[test]
fn a_solver_that_cannot_take_a_law_is_refused_with_its_name() {
    let mut scene = Scene::new(Dimension::Spatial, Vec3::z() * -G);
    scene.body("ball", Shape::Ball { radius: 0.1 }, Vec3::z() * 0.1, None);
    scene.floor("floor", Vec3::z());
    scene.law("ball", "floor", "Regularised(friction: 0.5, speed: 0.1)");
    let error = scene.build("Contact(solver: \"jacobi\")").err().expect("refused");
    assert!(error.message.contains("`Regularised`") && error.message.contains("`jacobi`"), "{error}");
}

#[test]
fn wrong_parameters_of_laws_say_what_to_do() {
    let message = |law: &str| {
        let mut scene = Scene::new(Dimension::Spatial, Vec3::z() * -G);
        scene.body("ball", Shape::Ball { radius: 0.1 }, Vec3::z() * 0.1, None);
        scene.floor("floor", Vec3::z());
        scene.law("ball", "floor", law);
        let error = scene.build("Contact()").err().expect("refused");
        assert!(error.help.is_some(), "{error}");
        error.message
    };
    assert!(message("StaticDynamic(friction: 0.3, sliding: 0.5)").contains("falls when sliding begins"));
    assert!(message("Capillary(force: 1, rupture: 0.1, formation: 0.2, friction: 0)").contains("at most `rupture`"));
    assert!(message("MohrCoulomb(friction: 0.5, tensile_strength: 100, cohesion: 10)").contains("below friction times"));
    assert!(message("MohrCoulomb(friction: 0, tensile_strength: 100)").contains("breaks by the least shear"));
    assert!(message("Lubrication(viscosity: 1, roughness: 0.1, range: 0.1, friction: 0)").contains("not above its `roughness`"));
    assert!(
        message("Bilinear(normal_stiffness: 1e7, tensile_strength: 1e4, energy: 10, plateau: 0.3, friction: 0)")
            .contains("Trapezoidal")
    );
}

/// Bodies that touch when a run begins are wet and bonded, however fast they part: against a bridge of force F up to the gap s a body of mass m keeps
/// √(v² − 2 F s/m), and comes back where that is less than nothing, whatever the step.
#[test]
fn what_touches_at_the_start_is_held_though_it_parts() {
    let (force, s, mass) = (50.0, 0.01, 1.0);
    let run = |law: &str, speed: f64, h: f64| {
        let mut scene = Scene::new(Dimension::Spatial, Vec3::zeros());
        let body = scene.body("body", Shape::Ball { radius: 0.1 }, Vec3::z() * 0.1, Some(mass));
        scene.velocity(body, Vec3::z() * speed, Vec3::zeros());
        scene.floor("floor", Vec3::z());
        scene.law("body", "floor", law);
        let mut run = scene.build("Contact(tolerance: 1e-10)").unwrap();
        (0..(0.1 / h) as usize).for_each(|_| drop(run.step(h)));
        (run.kinematics().velocity[0].z, run.kinematics().position[0].z - 0.1)
    };
    for h in [1e-3, 1e-4] {
        let law = format!("Capillary(force: {force}, rupture: {s}, friction: 0.5)");
        let speed: f64 = 1.2;
        let kept = (speed * speed - 2.0 * force * s / mass).sqrt();
        let found = run(&law, speed, h).0;
        // Rupture is seen at a step: half a step of the pull's work, F v h/2 against m v²/2.
        assert!((found - kept).abs() < force * h / mass * speed / kept, "{h}: {found}, not {kept}");
        assert!(run(&law, 0.8, h).0 < 1e-9, "{h}: a body below 1 m/s comes back");
        // The bond is 0.1 mm long; within a step of 1 ms the bodies part by 1 mm.
        let law = "MohrCoulomb(friction: 0.5, tensile_strength: 1e9, bond_distance: \"0.1 mm\", area: 1)";
        assert!(run(law, 1.0, h).1 < 1.1e-3, "{h}: a strong bond holds");
        let law = "Bilinear(friction: 0.5, normal_stiffness: 1e7, tensile_strength: 1e5, energy: 1e3, bond_distance: \"0.1 mm\", area: 1)";
        assert!(run(law, 1.0, h).1 < 2e-3, "{h}: a spring holds");
    }
}
