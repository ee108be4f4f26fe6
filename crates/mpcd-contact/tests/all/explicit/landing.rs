//! Contacts met in the configuration at the end of the step: nothing penetrates there, however curved or turned; impacts do not bounce.

use mpcd_core::{Dimension, Quat, Status, Vec3};
use mpcd_geometry::Shape;

use super::{contact, number};
use crate::scene::{G, Run, Scene};

const LINEAR: &str = "Contact(tolerance: 1e-12)";

/// A ball (or disc) that falls on a fixed one beside its top, and slides down.
fn over_a_ball(dimension: Dimension, module: &str) -> Run {
    let mut scene = Scene::new(dimension, Vec3::y() * -G);
    let shape = |radius: f64| match dimension {
        Dimension::Planar => Shape::Disc { radius, thickness: 1.0 },
        Dimension::Spatial => Shape::Ball { radius },
    };
    scene.body("falls", shape(0.1), Vec3::new(0.12, 0.32, 0.0), Some(1.0));
    scene.body("stands", shape(0.2), Vec3::zeros(), None);
    scene.load("stands", "Fixed()");
    scene.velocity(mpcd_core::BodyId(0), Vec3::new(0.5, -2.0, 0.0), Vec3::z() * 5.0);
    scene.law("falls", "stands", "Coulomb(friction: 0.2)");
    scene.build(module).unwrap()
}

/// Deepest overlap of the true shapes at the end of any step, the largest distance while it is pushed, and most passes.
fn follow(run: &mut Run, h: f64, steps: usize, gap: impl Fn(&Run) -> f64) -> (f64, f64, f64) {
    let (mut deepest, mut off, mut passes) = (0.0_f64, 0.0_f64, 0.0_f64);
    for _ in 0..steps {
        let report = run.step(h);
        let gap = gap(run);
        deepest = deepest.max(-gap);
        if run.network().iter().any(|c| c.r.x > 0.0) {
            off = off.max(gap.abs());
        }
        passes = passes.max(report.numbers.iter().find(|(n, _)| *n == "passes").map_or(0.0, |p| p.1));
    }
    (deepest, off, passes)
}

#[test]
fn an_oblique_impact_of_balls_ends_each_step_in_touch() {
    let gap = |run: &Run| run.kinematics().position[0].norm() - 0.3;
    for dimension in [Dimension::Planar, Dimension::Spatial] {
        for damping in [0.5, 1.0] {
            let (deepest, off, passes) = follow(&mut over_a_ball(dimension, &contact(damping, 1e-12)), 2e-3, 60, gap);
            assert!(off < 1e-9 && deepest < 1e-9, "β {damping}: {deepest:e} deep, {off:e} off");
            assert!((3.0..12.0).contains(&passes), "{passes} passes");
        }
        let (_, linear, _) = follow(&mut over_a_ball(dimension, LINEAR), 2e-3, 60, gap);
        assert!(linear > 1e-6, "the linear gap is off by no more: {linear:e}");
    }
}

/// With the contacts of the start of the step alone the search has not ended, and the report says so.
#[test]
fn one_pass_is_not_enough_on_curved_bodies() {
    let mut run = over_a_ball(Dimension::Spatial, "Contact(scheme: Explicit(passes: 1), tolerance: 1e-12)");
    let missed = (0..60).map(|_| run.look(2e-3)).find(|report| report.status != Status::Converged).unwrap();
    assert!(missed.worst.contains("passes"), "{}", missed.worst);
}

/// A box tilted in space lands on a corner, then an edge, then its face; corners are found from its motion.
#[test]
fn a_tilted_box_lands_without_penetration() {
    for (dimension, tilt) in [(Dimension::Planar, [0.0, 0.0, 0.35]), (Dimension::Spatial, [0.2, 0.5, 0.35])] {
        let build = |module: &str| {
            let mut scene = Scene::new(dimension, Vec3::y() * -G);
            scene.body("box", Shape::Box { half: Vec3::new(0.2, 0.1, 0.15) }, Vec3::y() * 0.4, None);
            scene.setup.initial.orientation[0] = Quat::from_euler_angles(tilt[0], tilt[1], tilt[2]);
            scene.floor("floor", Vec3::y());
            scene.law("box", "floor", "Coulomb(friction: 0.4)");
            scene.build(module).unwrap()
        };
        let lowest = |run: &Run| {
            let k = run.kinematics();
            let corners = (0..8).map(|c| {
                let sign = |bit: i32| if c & bit == 0 { 1.0 } else { -1.0 };
                (k.position[0] + k.orientation[0] * Vec3::new(0.2 * sign(1), 0.1 * sign(2), 0.15 * sign(4))).y
            });
            corners.fold(f64::INFINITY, f64::min)
        };
        let mut run = build(&contact(0.5, 1e-8));
        let (deepest, off, _) = follow(&mut run, 2e-3, 700, lowest);
        assert!(deepest < 1e-8 && off < 1e-8, "{deepest:e} deep, {off:e} off");
        let (_, linear, _) = follow(&mut build("Contact(tolerance: 1e-8)"), 2e-3, 700, lowest);
        assert!(linear > 1e-6, "the linear gap is off by no more: {linear:e}");
        // It has come to rest on its face.
        let (rest, spin) = (run.kinematics().velocity[0], run.kinematics().angular_velocity[0]);
        assert!(rest.norm() < 1e-6 && spin.norm() < 1e-5, "{rest} {spin}");
        assert!((run.kinematics().position[0].y - 0.1).abs() < 1e-8, "{}", run.kinematics().position[0].y);
    }
}

/// A ball that arrives at v in touch: V falls by (β−½)/(β+½) a step and the impulses add up to m v. It does not bounce for any β.
#[test]
fn an_impact_does_not_bounce_for_any_damping() {
    for damping in [0.5, 0.75, 1.0] {
        let mut scene = Scene::new(Dimension::Spatial, Vec3::zeros());
        let ball = scene.body("ball", Shape::Ball { radius: 0.1 }, Vec3::z() * 0.1, Some(2.0));
        scene.velocity(ball, Vec3::z() * -3.0, Vec3::zeros());
        scene.floor("floor", Vec3::z());
        scene.law("ball", "floor", "Coulomb(friction: 0.3)");
        let mut run = scene.build(&contact(damping, 1e-13)).unwrap();
        let ratio = (damping - 0.5) / (damping + 0.5);
        let (mut speed, mut impulse) = (3.0, 0.0);
        for _ in 0..60 {
            run.step(1e-3);
            speed *= ratio;
            impulse += run.network().contacts[0].r.x;
            assert!((run.kinematics().velocity[0].z + speed).abs() < 1e-10, "β {damping}: {}", run.kinematics().velocity[0].z);
            assert!((run.kinematics().position[0].z - 0.1).abs() < 1e-12);
        }
        assert!((impulse - 6.0).abs() < 1e-9, "{impulse}");
    }
}

/// Without damping an impact takes two steps: to the surface, then to rest. A ball at rest then carries its weight and nothing else happens.
#[test]
fn a_ball_lands_and_rests() {
    let mut scene = Scene::new(Dimension::Spatial, Vec3::z() * -G);
    scene.body("ball", Shape::Ball { radius: 0.1 }, Vec3::z() * 0.6, Some(2.0));
    scene.floor("floor", Vec3::z());
    scene.law("ball", "floor", "Coulomb(friction: 0.3)");
    let mut run = scene.build(&contact(0.5, 1e-13)).unwrap();
    let h = 1e-3;
    let (mut landing, mut heat) = (Vec::new(), 0.0);
    for k in 0..600 {
        let report = run.step(h);
        heat += run.network().iter().map(|c| c.heat_impact).sum::<f64>();
        let Some(c) = run.network().iter().find(|c| c.r.x > 0.0) else { continue };
        assert!(c.gap.abs() < 1e-13, "{}", c.gap);
        if (c.r.x / h - 2.0 * G).abs() > 1e-9 {
            landing.push(k);
        } else {
            assert!(run.kinematics().velocity[0].norm() < 1e-12 && number(&report, "passes") == 1.0);
        }
    }
    // t₁ = √(2H/g) = 0.319275 s.
    assert_eq!(landing, vec![319, 320]);
    // All that it fell is heat of the impact, but for what the half step of the start says of the energy: m g²h²/8.
    assert!((heat - 2.0 * G * (0.5 - G * h * h / 8.0)).abs() < 1e-9, "{heat}");
}

/// A ball that slides without friction over a fixed one from rest at φ₀ leaves it at cos φ = ⅔ cos φ₀, to first order in h. While it is on it
/// gaps do not change, so nothing is an impact. What turning normals give is the line of the scheme: the force N at the end of the step acts
/// along a normal that is ahead by a step, which gives N h v²/ρ each second (and takes as much where the track is hollow).
#[test]
fn a_ball_leaves_a_dome_at_two_thirds() {
    let angle = |h: f64| {
        let mut scene = Scene::new(Dimension::Spatial, Vec3::y() * -G);
        let phi = 0.3_f64;
        let at = Vec3::new(phi.sin(), phi.cos(), 0.0) * 0.3;
        scene.body("falls", Shape::Ball { radius: 0.1 }, at, Some(1.0));
        scene.body("stands", Shape::Ball { radius: 0.2 }, Vec3::zeros(), None);
        scene.load("stands", "Fixed()");
        scene.law("falls", "stands", "Coulomb(friction: 0)");
        let mut run = scene.build(&contact(0.5, 1e-12)).unwrap();
        let (mut last, mut impact, mut scheme) = (0.0, 0.0_f64, 0.0);
        while run.time < 1.0 {
            let report = run.step(h);
            if !run.network().iter().any(|c| c.r.x > 0.0) {
                break;
            }
            last = run.kinematics().position[0].y / 0.3;
            let energy = report.balances.iter().find(|b| b.book == mpcd_core::Book::Energy).unwrap();
            let flow = |name: &str| energy.flows.iter().find(|(n, _)| *n == name).unwrap().1.x;
            impact = impact.max(flow("impact").abs());
            scheme += flow("scheme");
        }
        assert!(impact < 1e-9, "{impact:e}");
        // ∫ N h v²/ρ dt = h ∫ N v dφ with N = g cos φ − v²/ρ, v² = 2 g ρ (cos φ₀ − cos φ).
        let end = (2.0 / 3.0 * phi.cos()).acos();
        let given = |x: f64| {
            let square = 2.0 * G * 0.3 * (phi.cos() - x.cos());
            (G * x.cos() - square / 0.3) * square.sqrt()
        };
        let n = 10_000;
        let width = (end - phi) / f64::from(n);
        let want: f64 = (0..n).map(|k| given(phi + (f64::from(k) + 0.5) * width) * width * h).sum();
        assert!((scheme - want).abs() < 0.02 * want, "{scheme:e} {want:e}");
        (last - 2.0 / 3.0 * phi.cos()).abs()
    };
    let (coarse, fine) = (angle(4e-4), angle(1e-4));
    assert!(coarse < 2e-3 && fine < 0.4 * coarse, "{coarse:e} {fine:e}");
}

/// A row of touching balls that one hits: they go on together (e = 0), and momentum is kept.
#[test]
fn a_row_of_balls_moves_on_together() {
    for n in [3_usize, 5] {
        let mut scene = Scene::new(Dimension::Spatial, Vec3::zeros());
        for k in 0..n {
            let at = if k == 0 { -0.002 } else { k as f64 };
            let ball = scene.body("balls", Shape::Ball { radius: 0.5 }, Vec3::x() * at, None);
            scene.velocity(ball, Vec3::x() * if k == 0 { 1.0 } else { 0.0 }, Vec3::zeros());
        }
        scene.law("balls", "balls", "Coulomb(friction: 0.3)");
        let mut run = scene.build(&contact(0.5, 1e-13)).unwrap();
        for _ in 0..8 {
            run.step(5e-4);
        }
        let v = &run.kinematics().velocity;
        assert!(v.iter().all(|v| (v.x - 1.0 / n as f64).abs() < 1e-10), "{v:?}");
    }
}
