//! Pairs that cannot meet within a step are set aside, and no motion may tell: the same scenes with all pairs kept (`alert`).

use std::sync::{Arc, Mutex};

use mpcd_contact::ProblemObserver;
use mpcd_core::{BodyId, Dimension, Fragment, Vec3, setup::Joint};
use mpcd_geometry::Shape;

use crate::scene::{Run, Scene};

const EACH: &str = "Contact(tolerance: 1e-11, max_iterations: 200000)";
const ALL: &str = "Contact(tolerance: 1e-11, max_iterations: 200000, alert: 0.5)";

fn number(report: &mpcd_core::SolveReport, name: &str) -> f64 {
    report.numbers.iter().find(|(n, _)| *n == name).unwrap().1
}

/// The largest distance between the bodies of two runs, over the radius.
fn apart(a: &Run, b: &Run, radius: f64) -> f64 {
    let pairs = a.kinematics().position.iter().zip(&b.kinematics().position);
    pairs.map(|(x, y)| (x - y).norm()).fold(0.0, f64::max) / radius
}

/// Nine balls 4 % of their radius apart; the first one starts `before` the place in the row at 30 m/s.
fn row(before: f64) -> Scene {
    let mut scene = Scene::new(Dimension::Planar, Vec3::zeros());
    for k in 0..9 {
        let x = if k == 0 { -before } else { f64::from(k) * 0.204 };
        let ball = scene.body("balls", Shape::Ball { radius: 0.1 }, Vec3::new(x, 0.0, 0.0), Some(1.0));
        if k == 0 {
            scene.velocity(ball, Vec3::new(30.0, 0.0, 0.0), Vec3::zeros());
        }
    }
    scene.law("balls", "balls", "Coulomb(friction: 0, contact: Gap)");
    scene
}

/// A ball shot at a row would pass through eight of them in one step; the row is solved in
/// rounds, each of which finds the next pair, and ends as if all pairs had been there from the start.
#[test]
fn a_blow_runs_through_a_row_in_one_step() {
    // Half of its way ends just before the row.
    let (mut each, mut all) = (row(0.15).build(EACH).unwrap(), row(0.15).build(ALL).unwrap());
    let report = each.step(0.01);
    all.step(0.01);
    assert!(number(&report, "contacts_late") >= 1.0, "no pair was late: the test shows nothing");
    assert!(apart(&each, &all, 0.1) < 1e-9, "{:e}", apart(&each, &all, 0.1));
    assert!(each.kinematics().velocity[8].x > 0.1, "the blow did not arrive: {}", each.kinematics().velocity[8].x);
}

/// The first half of its way already ends in the second ball of the row: one after the other is met and goes on, none deep into the next (5 % of
/// the diameter), and the centre of mass goes where it would have gone.
#[test]
fn a_blow_runs_through_a_row_before_anything_is_solved() {
    for steps in 1..4 {
        let (mut each, mut all) = (row(0.0).build(EACH).unwrap(), row(0.0).build(ALL).unwrap());
        for step in 0..steps {
            let report = each.step(0.01);
            assert!(step > 0 || number(&report, "pairs_held") >= 4.0, "nobody was held: the test shows nothing");
            all.step(0.01);
        }
        assert!(apart(&each, &all, 0.1) < 1e-9, "{:e}", apart(&each, &all, 0.1));
        let motion = each.kinematics();
        for pair in motion.position.windows(2) {
            assert!(pair[1].x - pair[0].x > 0.95 * 0.2, "{:?}", motion.position);
        }
        let mean = motion.position.iter().map(|x| x.x).sum::<f64>() / 9.0;
        assert!((mean - 4.0 * 0.204 - 30.0 / 9.0 * each.time).abs() < 1e-12, "{mean}");
        // In the first step some still close their gaps.
        assert!(steps == 1 || motion.velocity.iter().all(|v| (v.x - 30.0 / 9.0).abs() < 1e-8), "{:?}", motion.velocity);
    }
}

/// A step that is solved again has the same nodes each time: the bodies and, for joints, the ground.
#[test]
fn a_second_solve_has_the_nodes_of_the_first() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let mut scene = row(0.15);
    scene.setup.joints.push(Joint {
        bodies: (BodyId(8), None),
        parts: [None, None],
        kind: Fragment::whole("Pin(at: (1.632, 0))"),
        name: None,
        conducts: Default::default(),
    });
    let list = Arc::clone(&seen);
    scene.setup.insert(ProblemObserver::new(move |_, problem, _| list.lock().unwrap().push(problem.bodies.len())));
    let report = scene.build(EACH).unwrap().step(0.01);
    assert!(number(&report, "contacts_late") >= 1.0, "no pair was late: the test shows nothing");
    let seen = seen.lock().unwrap();
    assert!(seen.len() > 1 && seen.iter().all(|n| *n == 10), "{seen:?}");
}

/// A heap without friction, whose motion has one solution, under a ball that flies past and one that falls in.
#[test]
fn a_heap_moves_as_with_all_pairs() {
    let heap = |contact: &str| {
        let mut scene = Scene::new(Dimension::Planar, Vec3::new(0.0, -9.81, 0.0));
        scene.floor("box", Vec3::y());
        for (normal, x) in [(Vec3::x(), 0.0), (-Vec3::x(), 1.0)] {
            let wall = scene.body("box", Shape::Plane { normal }, Vec3::new(x, 0.0, 0.0), None);
            assert!(wall.index() > 0);
        }
        for k in 0..60_u32 {
            let (row, column) = (f64::from(k / 6), f64::from(k % 6));
            let shift = 0.03 * (f64::from(k) * 2.3).sin();
            let at = Vec3::new(0.12 + 0.15 * column + shift, 0.1 + 0.14 * row, 0.0);
            let ball = scene.body("balls", Shape::Ball { radius: 0.05 + 0.01 * (f64::from(k) * 1.7).sin() }, at, Some(1.0));
            scene.velocity(ball, Vec3::new((f64::from(k) * 0.7).sin(), -1.0, 0.0), Vec3::zeros());
        }
        let fast = scene.body("balls", Shape::Ball { radius: 0.05 }, Vec3::new(0.5, 3.0, 0.0), Some(1.0));
        scene.velocity(fast, Vec3::new(0.0, -20.0, 0.0), Vec3::zeros());
        scene.law("balls", "balls", "Coulomb(friction: 0, contact: Gap)");
        scene.law("balls", "box", "Coulomb(friction: 0, contact: Gap)");
        scene.build(contact).unwrap()
    };
    let (mut each, mut all) = (heap(EACH), heap(ALL));
    let (mut fewer, mut more) = (0.0, 0.0);
    for step in 0..80 {
        let report = each.step(2e-3);
        fewer += number(&report, "contacts_active");
        more += number(&all.step(2e-3), "contacts_active");
        assert!(apart(&each, &all, 0.05) < 1e-6, "step {step}: {:e}", apart(&each, &all, 0.05));
    }
    assert!(fewer < 0.3 * more, "{fewer} of {more} pairs: nothing was set aside");
}
