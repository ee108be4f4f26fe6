//! What a patch of corners is to a face: the area of bonds between unequal partners, the moment of friction about the normal, and how an elastic face
//! rocks, each against a number worked by hand.

use std::{f64::consts::PI, sync::Arc};

use mpcd_core::{Dimension, Quat, SolveReport, Vec3};
use mpcd_geometry::{Core, Cylinder, PlacedShape, Shape, Solid};

use crate::scene::{G, Run, Scene};

fn number(report: &SolveReport, name: &str) -> f64 {
    report.numbers.iter().find(|(n, _)| *n == name).unwrap().1
}

fn cylinder(radius: f64, half_length: f64) -> Shape {
    let body = Cylinder { radius, half_length };
    let measures = body.measures();
    Shape::Solid(Arc::new(Solid::new("Cylinder", Core::Smooth(Arc::new(body)), measures)))
}

fn cube(half: f64) -> Shape {
    Shape::Box { half: Vec3::repeat(half) }
}

/// Two bodies of unequal size: the one that stays, the one that is pulled off along `away`, and the area by which they are bonded.
struct Glued {
    name: &'static str,
    dimension: Dimension,
    stays: (Shape, Vec3),
    pulled: (Shape, Vec3, Quat),
    away: Vec3,
    area: f64,
}

fn glued() -> Vec<Glued> {
    let along_y = Quat::from_axis_angle(&Vec3::x_axis(), PI / 2.0);
    let (none, o, z, y) = (Quat::identity(), Vec3::zeros(), Vec3::z(), Vec3::y());
    let ball = |radius: f64| Shape::Ball { radius };
    let disc = |radius: f64| Shape::Disc { radius, thickness: 1.0 };
    let capsule = |radius: f64| PlacedShape::capsule(radius, 0.3, Dimension::Spatial).unwrap().shape;
    let (space, plane) = (Dimension::Spatial, Dimension::Planar);
    let shell = PlacedShape::hollow_sphere(0.2, 0.01).shape;
    let round = PI * 0.05 * 0.05;
    let of = |name, dimension, stays, pulled, away, area| Glued { name, dimension, stays, pulled, away, area };
    vec![
        of("equal balls", space, (ball(0.05), o), (ball(0.05), 0.1 * z, none), z, round),
        of("unequal balls", space, (ball(0.1), o), (ball(0.05), 0.15 * z, none), z, round),
        of("a ball on a plane", space, (Shape::Plane { normal: z }, o), (ball(0.05), 0.05 * z, none), z, round),
        of("a ball on a box", space, (cube(0.2), o), (ball(0.05), 0.25 * z, none), z, round),
        of("a ball on a drum", space, (cylinder(0.2, 0.4), o), (ball(0.05), 0.25 * Vec3::x(), none), Vec3::x(), round),
        of("a ball in a shell", space, (shell, o), (ball(0.05), 0.15 * z, none), -z, round),
        of("unequal discs", plane, (disc(0.1), o), (disc(0.05), 0.15 * y, none), y, 0.1),
        of("a disc on a plane", plane, (Shape::Plane { normal: y }, o), (disc(0.05), 0.05 * y, none), y, 0.1),
        of("a capsule on a plane", space, (Shape::Plane { normal: z }, o), (capsule(0.05), 0.05 * z, none), z, 0.03),
        of("unequal capsules", space, (capsule(0.1), o), (capsule(0.05), 0.15 * z, none), z, 0.03),
        of("a lying cylinder", space, (cube(0.5), o), (cylinder(0.05, 0.15), 0.55 * z, along_y), z, 0.03),
        of("a small box on a large one", space, (cube(0.5), o), (cube(0.05), 0.55 * z, none), z, 0.01),
        of("a large box on a small one", space, (cube(0.05), o), (cube(0.5), 0.55 * z, none), z, 0.01),
        of("a box half over the rim", space, (cube(0.5), o), (cube(0.05), Vec3::new(0.5, 0.0, 0.55), none), z, 0.005),
        of("a planar box on a longer one", plane, (cube(0.5), o), (cube(0.05), 0.55 * y, none), y, 0.01),
        of("a standing cylinder", space, (cube(0.5), o), (cylinder(0.05, 0.1), 0.6 * z, none), z, round),
        of("a box on a wide cylinder", space, (cylinder(0.3, 0.1), o), (cube(0.05), 0.15 * z, none), z, 0.01),
    ]
}

/// Whether the bond still holds after a pull has been raised to `part` of traction × area in 40 ms and kept for 20 ms.
fn holds(case: &Glued, law: &str, part: f64) -> bool {
    let mut scene = Scene::new(case.dimension, Vec3::zeros());
    scene.body("stays", case.stays.0.clone(), case.stays.1, Some(1.0));
    let pulled = scene.body("pulled", case.pulled.0.clone(), case.pulled.1, Some(1.0));
    scene.setup.initial.orientation[pulled.index()] = case.pulled.2;
    scene.law("stays", "pulled", law);
    scene.load("stays", "Fixed");
    let space = case.dimension == Dimension::Spatial;
    scene.load("pulled", if space { "Locked(axes: [SpinX, SpinY, SpinZ])" } else { "Locked(axes: [SpinZ])" });
    let f = case.away * (1000.0 * case.area * part);
    let table = |f: f64| format!("Table([(0, 0), (0.04, {f}), (1, {f})])");
    let z = if space { format!(", z: {}", table(f.z)) } else { String::new() };
    scene.load("pulled", &format!("Force(x: {}, y: {}{z})", table(f.x), table(f.y)));
    let mut run = scene.build("Contact(tolerance: 1e-8)").unwrap();
    run.theta = 1.0;
    let mut bonds = 0.0;
    for _ in 0..60 {
        bonds = number(&run.step(1e-3), "bonds");
    }
    bonds > 0.0
}

/// A bond between bodies of unequal size acts on the area that they share: of faces that of the patch, of round bodies the cross-section of the smaller
/// one, whatever the larger one is.
#[test]
fn a_bond_of_unequal_partners_has_the_area_of_the_smaller() {
    for law in [
        "MohrCoulomb(friction: 0.5, tensile_strength: 1000)",
        "Bilinear(friction: 0.5, normal_stiffness: 1e9, tensile_strength: 1000, energy: 1e-2)",
    ] {
        for case in glued() {
            for (part, whole) in [(0.98, true), (1.02, false)] {
                assert_eq!(holds(&case, law, part), whole, "{law}: {} at {part} of {} N", case.name, 1000.0 * case.area);
            }
        }
    }
}

/// A body of 1 kg at rest on the floor of space.
struct Standing {
    name: &'static str,
    shape: Shape,
    q: Quat,
    height: f64,
    /// Moment of inertia about the upward axis, and distance of its points from the middle: what corners make of a face.
    inertia: f64,
    arm: f64,
    /// The mean distance of the whole face from its middle: what friction under an even pressure has as arm.
    even: f64,
}

fn standing() -> Vec<Standing> {
    let lying = Quat::from_axis_angle(&Vec3::y_axis(), PI / 2.0);
    let none = Quat::identity();
    let square = (2.0_f64.sqrt() + 1.0_f64.asinh()) / 6.0;
    vec![
        Standing {
            name: "ball",
            shape: Shape::Ball { radius: 0.05 },
            q: none,
            height: 0.05,
            inertia: 0.4 * 0.0025,
            arm: 0.0,
            even: 0.0,
        },
        Standing {
            name: "line",
            shape: cylinder(0.05, 0.15),
            q: lying,
            height: 0.05,
            inertia: (3.0 * 0.0025 + 0.09) / 12.0,
            arm: 0.15,
            even: 0.075,
        },
        Standing {
            name: "square",
            shape: Shape::Box { half: Vec3::new(0.15, 0.15, 0.05) },
            q: none,
            height: 0.05,
            inertia: 0.015,
            arm: 0.15 * 2.0_f64.sqrt(),
            even: 0.3 * square,
        },
        Standing {
            name: "disc",
            shape: cylinder(0.05, 0.15),
            q: none,
            height: 0.15,
            inertia: 0.5 * 0.0025,
            arm: 0.05,
            even: 0.05 * 2.0 / 3.0,
        },
    ]
}

/// Friction against spin about the normal: the corners of a face carry its weight, so the moment is μ N times their distance from the middle. Under an
/// even pressure it were μ N times the mean distance of the face, less by 2 for a line, 1.85 for a square, 1.5 for a disc (docs/laws.md).
#[test]
fn friction_against_spin_acts_at_the_corners() {
    for case in standing() {
        let mut scene = Scene::new(Dimension::Spatial, -G * Vec3::z());
        let body = scene.body("body", case.shape.clone(), Vec3::z() * case.height, Some(1.0));
        scene.setup.initial.orientation[body.index()] = case.q;
        scene.velocity(body, Vec3::zeros(), 10.0 * Vec3::z());
        scene.floor("floor", Vec3::z());
        scene.law("body", "floor", "Coulomb(friction: 0.3)");
        let mut run = scene.build("Contact(tolerance: 1e-11)").unwrap();
        (0..20).for_each(|_| drop(run.step(1e-4)));
        let moment = (10.0 - run.kinematics().angular_velocity[0].z) / run.time * case.inertia;
        assert!(
            (moment - 0.3 * G * case.arm).abs() < 1e-6 * 0.3 * G * 0.15,
            "{}: {moment}, not {}",
            case.name,
            0.3 * G * case.arm
        );
        let bound: f64 = match case.name {
            "line" => 2.0,
            "square" => 1.849,
            "disc" => 1.5,
            _ => 1.0,
        };
        assert!(moment <= bound * 0.3 * G * case.even * (1.0 + 1e-6) + 1e-12, "{}", case.name);
        // With a coefficient of spinning resistance a point has a moment, and a face that much more.
        let mut scene = Scene::new(Dimension::Spatial, -G * Vec3::z());
        let body = scene.body("body", case.shape.clone(), Vec3::z() * case.height, Some(1.0));
        scene.setup.initial.orientation[body.index()] = case.q;
        scene.velocity(body, Vec3::zeros(), 10.0 * Vec3::z());
        scene.floor("floor", Vec3::z());
        scene.law("body", "floor", "Coulomb(friction: 0, spinning: \"2 mm\")");
        let mut run = scene.build("Contact(tolerance: 1e-11)").unwrap();
        (0..20).for_each(|_| drop(run.step(1e-4)));
        let moment = (10.0 - run.kinematics().angular_velocity[0].z) / run.time * case.inertia;
        assert!((moment / (2e-3 * G) - 1.0).abs() < 1e-6, "{}: {moment}", case.name);
    }
}

/// The tilt (rad) that a moment about `axis` leaves on a body of 1 kg that stands on an elastic floor.
fn tilt(dimension: Dimension, (shape, q, height): (Shape, Quat, f64), axis: &str, moment: f64) -> f64 {
    let up = if dimension == Dimension::Planar { Vec3::y() } else { Vec3::z() };
    let mut scene = Scene::new(dimension, -G * up);
    let body = scene.body("body", shape, up * height, Some(1.0));
    scene.setup.initial.orientation[body.index()] = q;
    scene.floor("floor", up);
    scene.law("body", "floor", "Elastic(stiffness: 1e5, damping: 1000, friction: 0.5)");
    scene.load("body", &format!("Force(torque_{axis}: {moment})"));
    let mut run: Run = scene.build("Contact(tolerance: 1e-11)").unwrap();
    run.theta = 1.0;
    (0..300).for_each(|_| drop(run.step(1e-3)));
    (run.kinematics().orientation[0] * q.inverse()).angle()
}

/// An elastic face rocks with the springs of its points: Σ k_i y_i², k h²/4 for a side or length h and k R²/2 for a disc; three and two times
/// what springs spread evenly over the face would have. So the moment at which an end lifts is m g h/2, the one at which a rigid block tips.
#[test]
fn an_elastic_face_rocks_on_its_corners() {
    let lying = Quat::from_axis_angle(&Vec3::y_axis(), PI / 2.0);
    let (none, k) = (Quat::identity(), 1e5);
    let square = Shape::Box { half: Vec3::new(0.15, 0.1, 0.05) };
    let bar = Shape::Box { half: Vec3::new(0.15, 0.05, 0.5) };
    let (space, plane) = (Dimension::Spatial, Dimension::Planar);
    let r: f64 = 0.05;
    for (name, dimension, body, axis, stiffness) in [
        ("bar", plane, (bar, none, 0.05), "z", k * 0.09 / 4.0),
        ("box about x", space, (square.clone(), none, 0.05), "x", k * 0.04 / 4.0),
        ("box about y", space, (square, none, 0.05), "y", k * 0.09 / 4.0),
        ("lying cylinder", space, (cylinder(r, 0.15), lying, r), "y", k * 0.09 / 4.0),
        ("standing cylinder", space, (cylinder(r, 0.15), none, 0.15), "x", k * r * r / 2.0),
    ] {
        let moment = 0.05 * G * r;
        let found = moment / tilt(dimension, body, axis, moment);
        // The weight above the floor takes m g H from the stiffness.
        assert!((found / stiffness - 1.0).abs() < 2e-2, "{name}: {found}, not {stiffness}");
    }
}
