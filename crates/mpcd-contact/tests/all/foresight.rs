//! Gap laws foresee what gravity, loads and drives bring to a contact within the step: nothing ends below a floor, however long the step.

use mpcd_core::{Dimension, Vec3};
use mpcd_geometry::{PlacedShape, Shape};

use crate::scene::{G, Run, Scene};

const GAP: &str = "Coulomb(friction: 0.3)";

fn shapes(dimension: Dimension) -> Vec<Shape> {
    match dimension {
        Dimension::Planar => vec![
            Shape::Disc { radius: 0.1, thickness: 1.0 },
            Shape::Box { half: Vec3::new(0.1, 0.1, 0.5) },
            PlacedShape::hull(
                "Polygon",
                &[(-0.1, -0.1), (-0.1, 0.1), (0.1, 0.1), (0.1, -0.1)].map(|(x, y)| Vec3::new(x, y, 0.0)),
                dimension,
                1.0,
            )
            .unwrap()
            .shape,
        ],
        Dimension::Spatial => vec![
            Shape::Ball { radius: 0.1 },
            Shape::Box { half: Vec3::repeat(0.1) },
            PlacedShape::capsule(0.1, 0.2, dimension).unwrap().shape,
        ],
    }
}

/// A body above a floor.
fn drop(shape: Shape, dimension: Dimension, height: f64, velocity: f64, load: Option<&str>, contact: &str) -> Run {
    let mut scene = Scene::new(dimension, Vec3::y() * -G);
    let body = scene.body("body", shape, Vec3::y() * (0.1 + height), Some(1.0));
    scene.velocity(body, Vec3::y() * velocity, Vec3::zeros());
    scene.floor("floor", Vec3::y());
    scene.law("body", "floor", GAP);
    if let Some(load) = load {
        scene.load("body", load);
    }
    scene.build(contact).unwrap()
}

/// The lowest gap to the floor of a body whose lowest point is 0.1 m below its centre.
fn lowest(run: &mut Run, h: f64, theta: f64, end: f64) -> f64 {
    run.theta = theta;
    let mut least = f64::INFINITY;
    while run.time < end - 0.5 * h {
        run.step(h);
        least = least.min(run.kinematics().position[0].y - 0.1);
    }
    least
}

/// Every shape, from rest at heights that the first steps reach, for every θ: h g is more than the velocity before the step. A solve may
/// leave h times 300 tolerances of g h, far less than 1 nm here.
#[test]
fn what_falls_in_long_steps_stays_above_the_floor() {
    for dimension in [Dimension::Planar, Dimension::Spatial] {
        for shape in shapes(dimension) {
            for (h, height) in [(0.1, 1.0), (0.1, 0.05), (0.1, 0.09), (0.5, 1.0), (1.0, 0.3), (0.02, 1e-3)] {
                for theta in [0.5, 0.7, 1.0] {
                    for contact in ["Contact(tolerance: 1e-13)", "Contact(tolerance: 1e-13, alert: 1e-4)"] {
                        let mut run = drop(shape.clone(), dimension, height, 0.0, None, contact);
                        let least = lowest(&mut run, h, theta, 12.0 * h);
                        assert!(least > -1e-9, "{} h {h} from {height}, theta {theta}, {contact}: {least}", shape.name());
                    }
                }
            }
        }
    }
}

/// What a load makes of a body at rest in a step is not in its velocity before it.
#[test]
fn a_load_that_sets_in_is_foreseen() {
    for dimension in [Dimension::Planar, Dimension::Spatial] {
        let mut run =
            drop(shapes(dimension)[0].clone(), dimension, 0.3, 0.0, Some("Force(y: -1000)"), "Contact(tolerance: 1e-10)");
        let least = lowest(&mut run, 0.05, 0.5, 0.5);
        assert!(least > -1e-9, "{least}");
    }
}

/// A table that is driven at once, from rest, comes up to a ball that lies still.
#[test]
fn a_drive_that_sets_in_is_foreseen() {
    let mut scene = Scene::new(Dimension::Spatial, Vec3::zeros());
    let ball = scene.body("ball", Shape::Ball { radius: 0.1 }, Vec3::y() * 0.4, Some(1.0));
    let table = scene.body("table", Shape::Box { half: Vec3::new(1.0, 0.1, 1.0) }, Vec3::zeros(), Some(1.0));
    scene.law("ball", "table", GAP);
    scene.load("table", "Velocity(x: 0, y: Ramp(from: 0, to: 8, start: 0.05, end: 0.06), z: 0, spin_x: 0, spin_y: 0, spin_z: 0)");
    let mut run = scene.build("Contact(tolerance: 1e-10)").unwrap();
    for _ in 0..10 {
        run.step(0.1);
        let x = &run.kinematics().position;
        let gap = x[ball.index()].y - x[table.index()].y - 0.2;
        assert!(gap > -1e-9, "{gap}");
    }
    assert!((run.kinematics().velocity[ball.index()].y - 8.0).abs() < 1e-8);
}

/// The end of a bar that turns about its middle is fast although the bar is nowhere going.
#[test]
fn the_end_of_a_turning_bar_is_foreseen() {
    let mut scene = Scene::new(Dimension::Planar, Vec3::zeros());
    let bar = scene.body("bar", Shape::Box { half: Vec3::new(1.0, 0.05, 0.5) }, Vec3::zeros(), Some(1.0));
    scene.velocity(bar, Vec3::zeros(), Vec3::z() * -1.0);
    let ball = scene.body("ball", Shape::Disc { radius: 0.1, thickness: 1.0 }, Vec3::new(0.9, -0.2, 0.0), Some(1e-3));
    scene.law("bar", "ball", GAP);
    let mut run = scene.build("Contact(tolerance: 1e-10)").unwrap();
    run.step(0.1);
    assert!(run.kinematics().velocity[ball.index()].y < -0.3, "{}", run.kinematics().velocity[ball.index()]);
}

/// A heavy body drives a light one away faster than anything was before the step: into a third one that nothing was near.
#[test]
fn what_only_the_solution_makes_fast_is_foreseen() {
    for contact in ["Contact(tolerance: 1e-11)", "Contact(tolerance: 1e-11, alert: 1e-3)"] {
        let mut scene = Scene::new(Dimension::Spatial, Vec3::zeros());
        let heavy = scene.body("row", Shape::Ball { radius: 0.1 }, Vec3::new(5.0, 0.1, 0.0), Some(100.0));
        let light = scene.body("row", Shape::Ball { radius: 0.1 }, Vec3::new(5.205, 0.1, 0.0), Some(1.0));
        let last = scene.body("row", Shape::Ball { radius: 0.1 }, Vec3::new(6.0, 0.1, 0.0), Some(1.0));
        scene.velocity(heavy, Vec3::x() * 4.0, Vec3::zeros());
        scene.law("row", "row", "Coulomb(friction: 0, contact: Gap)");
        let mut run = scene.build(contact).unwrap();
        for _ in 0..5 {
            run.step(0.1);
        }
        let x = &run.kinematics().position;
        for (a, b) in [(heavy, light), (light, last)] {
            assert!(x[b.index()].x - x[a.index()].x > 0.2 - 1e-9, "{x:?}");
        }
    }
}

/// The place after a step that ends in an impact is wrong by no more than the way of a step: first order, and the velocity exact.
#[test]
fn a_landing_converges_with_the_step() {
    let error = |h: f64| {
        // 1 m is left after √(2/g) s; what is looked at is the height midway, where steps fall differently.
        let mut run = drop(Shape::Ball { radius: 0.1 }, Dimension::Spatial, 1.0, 0.0, None, "Contact(tolerance: 1e-12)");
        let mut worst = 0.0_f64;
        while run.time < 0.6 {
            run.step(h);
            let exact = (1.0 - 0.5 * G * run.time * run.time).max(0.0);
            worst = worst.max((run.kinematics().position[0].y - 0.1 - exact).abs());
        }
        assert!(run.kinematics().velocity[0].norm() < 1e-9);
        worst
    };
    let errors = [error(0.04), error(0.01), error(0.0025)];
    assert!(errors[0] <= 0.25 && errors.windows(2).all(|e| e[1] <= 0.6 * e[0]), "{errors:?}");
}
