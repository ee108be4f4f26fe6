//! Momentum and energy close in every explicit step: driven walls, loads, turning slabs, growth, steps of changing length.

use mpcd_core::{Book, Dimension, Quat, SolveReport, Vec3, field::names};
use mpcd_geometry::Shape;

use super::contact;
use crate::scene::{G, Run, Scene};

/// Balls and slabs between a floor, a driven wall, a drum that turns and a pressed lid.
pub(super) fn crowd(module: &str) -> Run {
    let mut scene = Scene::new(Dimension::Spatial, Vec3::z() * -G);
    for k in 0..18_u32 {
        let (i, j, l) = (f64::from(k % 3), f64::from(k / 3 % 3), f64::from(k / 9));
        let radius = 0.1 - 0.001 * f64::from(k % 5);
        let at = Vec3::new(0.21 * i + 0.01 * l, 0.21 * j - 0.007 * l, 0.105 + 0.21 * l);
        scene.body("grains", Shape::Ball { radius }, at, None);
    }
    for k in 0..3_u32 {
        let half = Vec3::new(0.1, 0.05, 0.02);
        let slab = scene.body("grains", Shape::Box { half }, Vec3::new(0.15 * f64::from(k), 0.2, 0.56), None);
        scene.setup.initial.orientation[slab.index()] = Quat::from_euler_angles(0.4 * f64::from(k), 0.3, 0.2);
        scene.velocity(slab, Vec3::zeros(), Vec3::new(1.0, -2.0, 3.0));
    }
    scene.floor("floor", Vec3::z());
    let lid = scene.body("lid", Shape::Plane { normal: -Vec3::z() }, Vec3::z() * 0.75, Some(5.0));
    scene.velocity(lid, Vec3::z() * -0.3, Vec3::zeros());
    scene.body("pusher", Shape::Plane { normal: Vec3::x() }, Vec3::x() * -0.12, None);
    scene.body("drum", Shape::Ball { radius: 0.3 }, Vec3::new(0.2, -0.42, 0.3), None);
    scene.load("lid", "Force(z: \"-200*(1+sin(30*t))\")");
    scene.load("lid", "Locked(axes: [X, Y])");
    scene.load("pusher", "Velocity(x: \"0.5*cos(20*t)\")");
    scene.load("drum", "Velocity(spin_x: 3, y: 0.1)");
    for group in ["grains", "floor", "lid", "pusher", "drum"] {
        scene.law("grains", group, "Coulomb(friction: 0.4)");
    }
    for (a, b) in [("lid", "floor"), ("lid", "pusher"), ("lid", "drum"), ("drum", "floor"), ("drum", "pusher")] {
        scene.law(a, b, "NoContact");
    }
    scene.build(module).unwrap()
}

fn closes(report: &SolveReport, what: &str) {
    for balance in &report.balances {
        assert!(balance.imbalance() <= 1e-10, "{what}, {:?}: {:e}", balance.book, balance.imbalance());
    }
}

#[test]
fn books_of_a_pressed_crowd_close_for_every_damping() {
    for damping in [0.5, 0.8, 1.0] {
        let mut run = crowd(&contact(damping, 1e-8));
        let mut pushing = 0;
        for k in 0..150 {
            let report = run.step(if k % 4 == 0 { 2.5e-4 } else { 5e-4 });
            closes(&report, &format!("β {damping}, step {k}"));
            pushing = pushing.max(run.network().iter().filter(|c| c.r.x > 0.0).count());
            // Nothing is inside anything at the end of a step, to the accuracy asked for.
            let deepest = run.network().iter().map(|c| -c.gap).fold(0.0, f64::max);
            assert!(deepest < 1e-7, "β {damping}, step {k}: {deepest:e}");
        }
        assert!(pushing > 15, "{pushing}");
    }
}

/// Growth is in the gap at the end of the step, and a line of the book.
#[test]
fn growth_moves_neighbours_apart() {
    let mut scene = Scene::new(Dimension::Spatial, Vec3::zeros());
    scene.body("balls", Shape::Ball { radius: 0.1 }, Vec3::zeros(), None);
    scene.body("balls", Shape::Ball { radius: 0.1 }, Vec3::x() * 0.2, None);
    scene.law("balls", "balls", "Coulomb(friction: 0.3)");
    let mut run = scene.build(&contact(0.5, 1e-12)).unwrap();
    run.fields.swap(names::SIZE_FACTOR, &mut vec![1.001, 1.0]);
    let report = run.step(1e-3);
    closes(&report, "growth");
    let energy = report.balances.iter().find(|b| b.book == Book::Energy).unwrap();
    assert!(energy.flows.iter().find(|(n, _)| *n == "thermal").unwrap().1.x > 0.0);
    let x = &run.kinematics().position;
    assert!((x[1].x - x[0].x - 0.2001).abs() < 1e-12, "{}", x[1].x - x[0].x);
}
