//! Bodies whose way in a step is longer than they and what they meet are thick: each law acts, with the normal of the first touch, and
//! nothing passes through. The velocity after an impact is that of the law; the place is right to the way of a step.

use mpcd_core::{BodyId, Dimension, Vec3};
use mpcd_geometry::{PlacedShape, Shape};

use crate::scene::{Run, Scene};

const CONTACT: &str = "Contact(tolerance: 1e-12)";
const R: f64 = 0.001;

fn velocity_law(e: f64) -> String {
    format!("Coulomb(friction: 0, restitution: {e}, contact: Velocity)")
}

fn projectiles(dimension: Dimension) -> Vec<Shape> {
    let cube = Shape::Box { half: Vec3::new(R, R, if dimension == Dimension::Planar { 0.5 } else { R }) };
    match dimension {
        Dimension::Planar => vec![
            Shape::Disc { radius: R, thickness: 1.0 },
            cube,
            PlacedShape::hull(
                "Polygon",
                &[(-R, -R), (-R, R), (R, R), (R, -R)].map(|(x, y)| Vec3::new(x, y, 0.0)),
                dimension,
                1.0,
            )
            .unwrap()
            .shape,
        ],
        Dimension::Spatial => vec![Shape::Ball { radius: R }, cube, PlacedShape::capsule(R, 2.0 * R, dimension).unwrap().shape],
    }
}

fn plate(thickness: f64) -> Shape {
    Shape::Box { half: Vec3::new(0.5 * thickness, 0.5, 0.5) }
}

/// A projectile `from` m before the middle of a wall that moves with `wall`, and after `steps` of 1 ms.
fn shot(dimension: Dimension, shape: &Shape, law: &str, from: f64, v: Vec3, wall: f64, steps: u32) -> Run {
    let mut scene = Scene::new(dimension, Vec3::zeros());
    let body = scene.body("b", shape.clone(), Vec3::new(-from, -0.1 * v.y / v.x.abs().max(1.0), 0.0), Some(1e-3));
    scene.velocity(body, v, Vec3::zeros());
    scene.body("w", plate(0.001), Vec3::zeros(), Some(1.0));
    scene.law("b", "w", law);
    scene.load(
        "w",
        &match dimension {
            Dimension::Planar => format!("Velocity(x: {wall}, y: 0, spin_z: 0)"),
            Dimension::Spatial => format!("Velocity(x: {wall}, y: 0, z: 0, spin_x: 0, spin_y: 0, spin_z: 0)"),
        },
    );
    let mut run = scene.build(CONTACT).unwrap();
    for _ in 0..steps {
        let report = run.step(1e-3);
        for book in &report.balances {
            assert!(book.imbalance() < 1e-12, "{:?}", book);
        }
        let x = &run.kinematics().position;
        assert!(x[0].x < x[1].x, "{} is behind the wall", shape.name());
    }
    run
}

/// Every phase of the impact in its step, every restitution, every shape, plane and space: back with e times the velocity.
#[test]
fn a_thin_wall_gives_back_what_the_law_says() {
    for dimension in [Dimension::Planar, Dimension::Spatial] {
        for shape in projectiles(dimension) {
            for e in [0.0, 0.5, 1.0] {
                for phase in 0..10 {
                    let from = 0.05 + 0.00103 * f64::from(phase);
                    let run = shot(dimension, &shape, &velocity_law(e), from, Vec3::x() * 10.0, 0.0, 20);
                    let (x, v) = (run.kinematics().position[0].x, run.kinematics().velocity[0]);
                    assert!((v - Vec3::x() * (-10.0 * e)).norm() < 1e-8, "{} e {e} phase {phase}: {v}", shape.name());
                    // It touched after (from − thickness/2 − R)/10 s.
                    let surface = -0.0005 - R;
                    let late = run.time - (surface + from) / 10.0;
                    assert!(
                        (x - surface + 10.0 * e * late).abs() < 0.0101 * (1.0 + e),
                        "{} e {e} phase {phase}: {x}",
                        shape.name()
                    );
                }
            }
        }
    }
}

/// What a law gives does not depend on who moves: a wall that comes, or one that is caught up with.
#[test]
fn a_moving_wall_gives_back_the_relative_velocity() {
    for (v, wall) in [(0.0, -10.0), (10.0, -10.0), (30.0, 10.0), (-5.0, -40.0), (1010.0, 1000.0)] {
        for e in [0.0, 0.5, 1.0] {
            let run = shot(Dimension::Spatial, &Shape::Ball { radius: R }, &velocity_law(e), 0.053, Vec3::x() * v, wall, 20);
            let want = wall - e * (v - wall);
            let got = run.kinematics().velocity[0].x;
            assert!((got - want).abs() < 1e-8 * want.abs().max(1.0), "{v} on {wall}, e {e}: {got} instead of {want}");
        }
    }
}

/// The normal is that of the side it comes from; what goes along the wall goes on.
#[test]
fn an_oblique_shot_keeps_its_tangential_velocity() {
    for dimension in [Dimension::Planar, Dimension::Spatial] {
        let ball = projectiles(dimension).remove(0);
        let run = shot(dimension, &ball, &velocity_law(0.5), 0.053, Vec3::new(10.0, 20.0, 0.0), 0.0, 12);
        let v = run.kinematics().velocity[0];
        assert!((v - Vec3::new(-5.0, 20.0, 0.0)).norm() < 1e-8, "{v}");
        assert!((run.kinematics().position[0].y - (-0.2 + 0.24)).abs() < 0.0101 * 2.0, "{}", run.kinematics().position[0]);
    }
}

/// All laws that act on closed contacts, and gap laws from their first step on.
#[test]
fn every_law_sees_the_wall() {
    let ball = Shape::Ball { radius: R };
    for (law, e) in [
        ("Poisson(friction: 0.3, restitution: 0.5)", 0.5),
        ("Stronge(friction: 0.3, restitution: 0.5)", 0.5),
        ("Coulomb(friction: 0.3)", 0.0),
        ("Coulomb(friction: 0.3, contact: GapUnclipped)", 0.0),
        ("StaticDynamic(friction: 0.4, sliding: 0.3)", 0.0),
    ] {
        for from in [0.002, 0.0045, 0.053] {
            let run = shot(Dimension::Spatial, &ball, law, from, Vec3::x() * 10.0, 0.0, 20);
            let v = run.kinematics().velocity[0].x;
            assert!((v + 10.0 * e).abs() < 1e-3, "{law} from {from}: {v}");
        }
    }
}

/// A ball between two walls whose room it would cross several times in a step strikes one after the other and never leaves.
#[test]
fn a_ball_between_two_walls_stays_there() {
    let mut scene = Scene::new(Dimension::Spatial, Vec3::zeros());
    let ball = scene.body("b", Shape::Ball { radius: R }, Vec3::zeros(), Some(1e-3));
    scene.velocity(ball, Vec3::x() * 10.0, Vec3::zeros());
    for x in [-0.003, 0.003] {
        scene.body("w", plate(0.001), Vec3::x() * x, None);
    }
    scene.law("b", "w", &velocity_law(0.9));
    scene.load("w", "Fixed");
    let mut run = scene.build(CONTACT).unwrap();
    let mut speed = 10.0;
    for _ in 0..60 {
        run.step(1e-3);
        let (x, v) = (run.kinematics().position[0].x, run.kinematics().velocity[0].norm());
        assert!(x.abs() < 0.0015 + 6e-5, "{x}");
        // One impact in a step at most, each with the restitution of the law.
        assert!((v - speed).abs() < 1e-9 * speed || (v - 0.9 * speed).abs() < 1e-9 * speed, "{speed} became {v}");
        speed = v;
    }
    assert!(speed < 1.0, "{speed}");
}

fn two_balls(m: [f64; 2], v: [f64; 2], offset: f64, e: f64, frame: f64) -> (Run, [BodyId; 2]) {
    let mut scene = Scene::new(Dimension::Spatial, Vec3::zeros());
    let a = scene.body("b", Shape::Ball { radius: R }, Vec3::zeros(), Some(m[0]));
    let b = scene.body("b", Shape::Ball { radius: R }, Vec3::new(0.0533, offset, 0.0), Some(m[1]));
    scene.velocity(a, Vec3::x() * (v[0] + frame), Vec3::zeros());
    scene.velocity(b, Vec3::x() * (v[1] + frame), Vec3::zeros());
    scene.law("b", "b", &velocity_law(e));
    let mut run = scene.build(CONTACT).unwrap();
    for _ in 0..12 {
        let report = run.step(1e-3);
        assert!(report.balances.iter().all(|b| b.imbalance() < 1e-12));
    }
    (run, [a, b])
}

/// Two balls that would pass through each other, for masses from equal to 1:10⁶, in two frames.
#[test]
fn two_balls_that_cross_collide() {
    for m in [[1.0, 1.0], [1.0, 1e3], [1e6, 1.0]] {
        for e in [0.0, 0.5, 1.0] {
            for frame in [0.0, 300.0] {
                let (run, [a, b]) = two_balls(m, [6.0, -4.0], 0.0, e, frame);
                let centre = (m[0] * 6.0 - m[1] * 4.0) / (m[0] + m[1]);
                let want = [centre - e * (6.0 - centre), centre - e * (-4.0 - centre)];
                for (body, want) in [a, b].into_iter().zip(want) {
                    let got = run.kinematics().velocity[body.index()].x - frame;
                    assert!((got - want).abs() < 1e-7, "{m:?} e {e}: {got} instead of {want}");
                }
                let x = &run.kinematics().position;
                assert!(x[1].x - x[0].x > 2.0 * R * 0.94);
                // The centre of mass went where it would have gone.
                let mean = (m[0] * x[0].x + m[1] * x[1].x) / (m[0] + m[1]);
                let free = (m[1] * 0.0533 + (m[0] * 6.0 - m[1] * 4.0) * run.time) / (m[0] + m[1]) + frame * run.time;
                assert!((mean - free).abs() < 1e-9, "{mean} {free}");
            }
        }
    }
}

/// The line of centres at the first touch is the normal: an offset of R gives 30° (sin = R/2R).
#[test]
fn the_normal_is_that_of_the_first_touch() {
    let (run, [a, b]) = two_balls([1.0, 1.0], [10.0, 0.0], R, 1.0, 0.0);
    let n = Vec3::new(0.75_f64.sqrt(), 0.5, 0.0);
    let given = n * (10.0 * n.x);
    let v = &run.kinematics().velocity;
    assert!((v[b.index()] - given).norm() < 1e-3, "{}", v[b.index()]);
    assert!((v[a.index()] - (Vec3::x() * 10.0 - given)).norm() < 1e-3, "{}", v[a.index()]);
}

/// What goes past goes past, and what rolls along a thin floor is not held.
#[test]
fn nobody_is_held_who_meets_nobody() {
    let (run, [a, b]) = two_balls([1.0, 1.0], [10.0, 0.0], 2.01 * R, 1.0, 0.0);
    assert_eq!((run.kinematics().velocity[a.index()].x, run.kinematics().velocity[b.index()].x), (10.0, 0.0));
    assert!((run.kinematics().position[a.index()].x - 0.12).abs() < 1e-12);

    let mut scene = Scene::new(Dimension::Spatial, Vec3::y() * -9.81);
    let ball = scene.body("b", Shape::Ball { radius: R }, Vec3::y() * (R + 0.0005), None);
    scene.velocity(ball, Vec3::x() * 10.0, Vec3::z() * (-10.0 / R));
    scene.body("w", Shape::Box { half: Vec3::new(2.0, 0.0005, 0.5) }, Vec3::zeros(), None);
    scene.law("b", "w", "Coulomb(friction: 0.3, restitution: 0.5)");
    scene.load("w", "Fixed");
    let mut run = scene.build(CONTACT).unwrap();
    for _ in 0..100 {
        run.step(1e-3);
    }
    assert!((run.kinematics().position[0].x - 1.0).abs() < 1e-9, "{}", run.kinematics().position[0]);
}

/// A ball that falls on a thin plate in long steps: gravity is spared work where it is held, and the book says so.
#[test]
fn the_book_of_energy_closes_with_bodies_held() {
    for theta in [0.5, 0.75, 1.0] {
        let mut scene = Scene::new(Dimension::Spatial, Vec3::y() * -9.81);
        for (k, x) in [0.0, 0.5, 1.0].into_iter().enumerate() {
            #[expect(clippy::cast_precision_loss, reason = "three bodies")]
            let ball = scene.body("b", Shape::Ball { radius: R }, Vec3::new(x, 0.3 + 0.1 * k as f64, 0.0), None);
            scene.velocity(ball, Vec3::y() * -3.0, Vec3::zeros());
        }
        scene.body("w", Shape::Box { half: Vec3::new(2.0, 0.0005, 0.5) }, Vec3::zeros(), None);
        scene.law("b", "w", "Coulomb(friction: 0.3, restitution: 0.5)");
        scene.law("b", "b", "NoContact");
        scene.load("w", "Fixed");
        let mut run = scene.build(CONTACT).unwrap();
        run.theta = theta;
        let mut held = 0.0;
        for _ in 0..40 {
            let report = run.step(5e-3);
            held += report.numbers.iter().find(|(n, _)| *n == "pairs_held").unwrap().1;
            assert!(report.balances.iter().all(|b| b.imbalance() < 1e-12), "{:?}", report.balances);
        }
        assert!(held >= 3.0, "nobody was held: the test shows nothing");
        assert!((0..3).all(|i| run.kinematics().position[i].y > 0.0015 * 0.9), "{:?}", run.kinematics().position);
    }
}
