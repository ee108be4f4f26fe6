//! Laws act on contacts, not on points: one law, the same load, on one point, on an edge and on a face, in the plane and in space, each against one
//! number worked by hand.

use std::sync::Arc;

use mpcd_core::{Dimension, Quat, SolveReport, Vec3};
use mpcd_geometry::{Core, Cylinder, Shape, Solid};

use crate::scene::{G, Run, Scene};

/// How a body of 1 kg lies on the floor.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Lies {
    /// A ball or disc that cannot turn.
    Point(Dimension),
    /// A cylinder on its side; the side of a planar box.
    Edge(Dimension),
    /// A box on its face.
    Face,
}

const ALL: [Lies; 5] = [
    Lies::Point(Dimension::Planar),
    Lies::Point(Dimension::Spatial),
    Lies::Edge(Dimension::Planar),
    Lies::Edge(Dimension::Spatial),
    Lies::Face,
];

fn cylinder() -> Shape {
    let body = Cylinder { radius: 0.05, half_length: 0.15 };
    let measures = body.measures();
    Shape::Solid(Arc::new(Solid::new("Cylinder", Core::Smooth(Arc::new(body)), measures)))
}

impl Lies {
    fn dimension(self) -> Dimension {
        match self {
            Self::Point(d) | Self::Edge(d) => d,
            Self::Face => Dimension::Spatial,
        }
    }

    fn up(self) -> Vec3 {
        if self.dimension() == Dimension::Planar { Vec3::y() } else { Vec3::z() }
    }

    /// The body on a floor in the plane of x; its contact is flat over 0.3 m × 0.3 m, or 0.3 m × 1 m in the plane.
    fn scene(self, law: &str, gravity: Vec3) -> Scene {
        let mut scene = Scene::new(self.dimension(), gravity);
        let shape = match self {
            Self::Point(Dimension::Planar) => Shape::Disc { radius: 0.05, thickness: 1.0 },
            Self::Point(Dimension::Spatial) => Shape::Ball { radius: 0.05 },
            Self::Edge(Dimension::Spatial) => cylinder(),
            Self::Edge(Dimension::Planar) => Shape::Box { half: Vec3::new(0.15, 0.05, 0.5) },
            Self::Face => Shape::Box { half: Vec3::new(0.15, 0.15, 0.05) },
        };
        let body = scene.body("body", shape, self.up() * 0.05, Some(1.0));
        if self == Self::Edge(Dimension::Spatial) {
            // Its axis along x.
            scene.setup.initial.orientation[body.index()] = Quat::from_axis_angle(&Vec3::y_axis(), std::f64::consts::FRAC_PI_2);
        }
        scene.floor("floor", self.up());
        scene.law("body", "floor", law);
        if matches!(self, Self::Point(_)) {
            scene.load("body", self.no_spin());
        }
        scene
    }

    const fn no_spin(self) -> &'static str {
        match self {
            Self::Point(Dimension::Planar) | Self::Edge(Dimension::Planar) => "Locked(axes: [SpinZ])",
            _ => "Locked(axes: [SpinX, SpinY, SpinZ])",
        }
    }

    /// On a slope of this tangent, that goes down along x.
    fn on_a_slope(self, law: &str, tangent: f64) -> Run {
        let cosine = 1.0 / tangent.hypot(1.0);
        let gravity = (Vec3::x() * tangent - self.up()) * (G * cosine);
        self.scene(law, gravity).build("Contact(tolerance: 1e-9)").unwrap()
    }
}

fn number(report: &SolveReport, name: &str) -> f64 {
    report.numbers.iter().find(|(n, _)| *n == name).unwrap().1
}

/// `static-friction-on-a-face.ron`: of two solutions the one that goes on with rest; and above the static slope the one that slides.
#[test]
fn case_static_friction_on_a_face() {
    for law in [
        "StaticDynamic(friction: 0.5, sliding: 0.2)",
        "SlipWeakening(friction: 0.5, sliding: 0.2, distance: \"1 um\")",
        "VelocityWeakening(friction: 0.5, sliding: 0.2, speed: 1e-6)",
    ] {
        for lies in ALL {
            for tangent in [0.4, 0.495] {
                let mut run = lies.on_a_slope(law, tangent);
                (0..60).for_each(|_| drop(run.step(1e-3)));
                let v = run.kinematics().velocity[0].norm();
                assert!(v < 1e-7, "{law} {lies:?} slides on {tangent}: {v}");
            }
            let mut run = lies.on_a_slope(law, 0.505);
            (0..60).for_each(|_| drop(run.step(1e-3)));
            // Sliding begins with the first step; what weakens with slip or speed has weakened within a few.
            let expected = G * (0.505 - 0.2) / 0.505_f64.hypot(1.0) * run.time;
            let v = run.kinematics().velocity[0].x;
            let slack = if law.starts_with("Static") { 1e-6 } else { 0.15 };
            assert!((v / expected - 1.0).abs() < slack, "{law} {lies:?}: {v}, not {expected}");
        }
    }
}

/// A box that slides goes on sliding where one at rest would stay, comes to rest in v²/(2 g (μ cos α − sin α)), and then stays.
#[test]
fn a_face_that_slides_rests_only_when_it_has_stopped() {
    for lies in ALL {
        let law = "StaticDynamic(friction: 0.5, sliding: 0.4)";
        let (tangent, cosine) = (0.3, 1.0 / 0.3_f64.hypot(1.0));
        let gravity = (Vec3::x() * tangent - lies.up()) * (G * cosine);
        let mut scene = lies.scene(law, gravity);
        scene.setup.initial.velocity[0] = Vec3::x() * 0.1;
        let mut run = scene.build("Contact(tolerance: 1e-9)").unwrap();
        (0..250).for_each(|_| drop(run.step(1e-3)));
        let way = 0.01 / (2.0 * G * cosine * (0.4 - tangent));
        let x = run.kinematics().position[0].x;
        assert!((x / way - 1.0).abs() < 2e-2, "{lies:?}: {x}, not {way}");
        assert!(run.kinematics().velocity[0].norm() < 1e-7, "{lies:?}");
    }
}

/// Pull at which the body of 1 kg leaves the floor that it is bonded to: it is loaded to `part` of `limit` (N) along `axis`, in 40 ms.
fn holds(lies: Lies, law: &str, axis: Vec3, limit: f64, part: f64, order: &str) -> bool {
    let mut scene = lies.scene(law, Vec3::zeros());
    let f = axis * (limit * part);
    let table = |f: f64| format!("Table([(0, 0), (0.04, {f}), (1, {f})])");
    let z = if lies.dimension() == Dimension::Planar { String::new() } else { format!(", z: {}", table(f.z)) };
    scene.load("body", &format!("Force(x: {}, y: {}{z})", table(f.x), table(f.y)));
    if !matches!(lies, Lies::Point(_)) {
        scene.load("body", lies.no_spin());
    }
    let mut run = scene.build(&format!("Contact(tolerance: 1e-8, order: {order})")).unwrap();
    run.theta = 1.0;
    let mut bonds = 0.0;
    for _ in 0..60 {
        bonds = number(&run.step(1e-3), "bonds");
    }
    let moved = (run.kinematics().position[0] - lies.up() * 0.05).norm();
    assert_eq!(bonds > 0.0, moved < 1e-5, "{law} {lies:?}: {bonds} bonds, moved by {moved}");
    bonds > 0.0
}

/// A bond over the area A breaks at traction × A in tension and in shear, by how many points it is held whatever they share.
#[test]
fn bonds_of_points_edges_and_faces_break_at_traction_times_area() {
    for (law, strength) in [
        ("MohrCoulomb(friction: 0.5, tensile_strength: 1000", [1000.0, 500.0]),
        ("MohrCoulomb(friction: 0.5, tensile_strength: 1000, cohesion: 2000", [1000.0, 2000.0]),
        ("Extrinsic(friction: 0.5, strength: 1000, energy: 1e-2", [1000.0, 1000.0]),
        (
            "Bilinear(friction: 0.5, normal_stiffness: 1e9, tensile_strength: 1000, shear_strength: 700, energy: 1e-2",
            [1000.0, 700.0],
        ),
        ("Exponential(friction: 0.5, normal_stiffness: 1e9, tensile_strength: 1000, energy: 1e-2", [1000.0, 1000.0]),
        ("Trapezoidal(friction: 0.5, normal_stiffness: 1e9, tensile_strength: 1000, energy: 1e-2", [1000.0, 1000.0]),
    ] {
        for lies in ALL {
            // A patch has the area it has; one point and a line are given one.
            let (law, area) = match lies {
                Lies::Face => (format!("{law})"), 0.09),
                Lies::Edge(Dimension::Planar) => (format!("{law})"), 0.3),
                _ => (format!("{law}, area: 0.05)"), 0.05),
            };
            for (axis, strength) in [(lies.up(), strength[0]), (Vec3::x(), strength[1])] {
                for (part, whole) in [(0.99, true), (1.01, false)] {
                    let found = holds(lies, &law, axis, strength * area, part, "Forward");
                    assert_eq!(found, whole, "{law} {lies:?} at {part} of {} along {axis:?}", strength * area);
                }
            }
        }
    }
}

/// The share of a point depends on the order in which points are visited; what a bond carries does not.
#[test]
fn the_order_of_points_breaks_no_bond() {
    let law = "MohrCoulomb(friction: 0.5, tensile_strength: 1000, cohesion: 2000)";
    for order in ["Forward", "Reverse", "Symmetric", "Coloured"] {
        for (part, whole) in [(0.999, true), (1.001, false)] {
            assert_eq!(holds(Lies::Face, law, Vec3::x(), 180.0, part, order), whole, "{order} {part}");
        }
    }
}

/// A spring, a bridge, a film are those of the contact, by how many points it rests: depth m g/k; a pull of F; wear k F s/H.
#[test]
fn springs_bridges_and_wear_are_of_the_whole_contact() {
    for lies in ALL {
        let gravity = lies.up() * -G;
        let mut run = lies
            .scene("Elastic(stiffness: 1e5, damping: 600, friction: 0.5)", gravity)
            .build("Contact(tolerance: 1e-10)")
            .unwrap();
        run.theta = 1.0;
        (0..200).for_each(|_| drop(run.step(1e-3)));
        let depth = 0.05 - run.kinematics().position[0].dot(&lies.up());
        assert!((depth * 1e5 / G - 1.0).abs() < 1e-6, "{lies:?}: {depth}");

        for (pull, hangs) in [(1.01, true), (0.99, false)] {
            let law = format!("Capillary(force: {}, rupture: \"2 mm\", formation: \"1 um\", friction: 0.5)", pull * G);
            let mut run = lies.scene(&law, lies.up() * G).build("Contact(tolerance: 1e-10)").unwrap();
            (0..100).for_each(|_| drop(run.step(1e-3)));
            let v = run.kinematics().velocity[0].norm();
            assert_eq!(v < 1e-9, hangs, "{lies:?}: {v}");
        }

        let law = "CoulombWithWear(friction: 0.3, coefficient: 1e-3, hardness: \"1 GPa\")";
        let mut scene = lies.scene(law, gravity);
        scene.setup.initial.velocity[0] = Vec3::x();
        let mut run = scene.build("Contact(tolerance: 1e-10)").unwrap();
        let (mut worn, mut way) = (Vec::new(), 0.0);
        for _ in 0..50 {
            let before = run.kinematics().velocity[0].x;
            worn = run.step_with_field("worn_volume", 1e-3);
            // the mean of the step, by which friction does its work
            way += 0.5e-3 * (before + run.kinematics().velocity[0].x);
        }
        let expected = 1e-3 * G * way / 1e9;
        assert!((worn.iter().sum::<f64>() / expected - 1.0).abs() < 1e-6, "{lies:?}: {worn:?}, not {expected}");
    }
}

/// A cylinder that rolls on two points is slowed as a disc on one: μ_r g/((1 + ½) R).
#[test]
fn a_line_of_two_points_resists_rolling_as_a_disc() {
    let law = "Coulomb(friction: 0.5, rolling: \"1 mm\")";
    let roll = |dimension: Dimension, shape: Shape, up: Vec3| {
        let mut scene = Scene::new(dimension, up * -G);
        let body = scene.body("body", shape, up * 0.05, Some(1.0));
        scene.velocity(body, Vec3::x(), up.cross(&Vec3::x()) * 20.0);
        if dimension == Dimension::Spatial {
            scene.setup.initial.orientation[body.index()] = Quat::from_axis_angle(&Vec3::x_axis(), std::f64::consts::FRAC_PI_2);
        }
        scene.floor("floor", up);
        scene.law("body", "floor", law);
        let mut run = scene.build("Contact(tolerance: 1e-11)").unwrap();
        (0..200).for_each(|_| drop(run.step(1e-3)));
        assert_eq!(
            run.network().contacts.iter().filter(|c| c.r.x > 0.0).count(),
            if dimension == Dimension::Spatial { 2 } else { 1 }
        );
        (1.0 - run.kinematics().velocity[0].x) / run.time
    };
    let expected = 1e-3 * G / (1.5 * 0.05);
    for (dimension, shape, up) in [
        (Dimension::Planar, Shape::Disc { radius: 0.05, thickness: 1.0 }, Vec3::y()),
        (Dimension::Spatial, cylinder(), Vec3::z()),
    ] {
        let found = roll(dimension, shape, up);
        assert!((found / expected - 1.0).abs() < 1e-5, "{dimension:?}: {found}, not {expected}");
    }
}

/// Two equal boxes on each other, the lower one fixed, the upper one twisted.
fn twisted(law: &str, load: &str) -> Run {
    let mut scene = Scene::new(Dimension::Spatial, Vec3::zeros());
    let cube = || Shape::Box { half: Vec3::repeat(0.05) };
    scene.body("a", cube(), Vec3::z() * 0.05, Some(2.6));
    scene.body("b", cube(), Vec3::z() * 0.15, Some(2.6));
    scene.law("a", "b", law);
    scene.load("a", "Fixed");
    scene.load("b", load);
    scene.build("Contact(tolerance: 1e-8)").unwrap()
}

/// `bonded-faces.ron`: four bonds last while the twist gives the corners other names, and are damaged as the slip of the corners says.
#[test]
fn case_bonded_faces() {
    let law = "Bilinear(normal_stiffness: \"1e12 Pa/m\", tensile_strength: \"5 MPa\", energy: \"5e4 J/m^2\", friction: 0.5)";
    let mut run = twisted(law, "Velocity(spin_z: 0.01)");
    let (onset, end) = (5e-6, 0.02);
    for step in 0..200 {
        let report = run.step(1e-4);
        assert_eq!(number(&report, "bonds"), 4.0, "step {step}");
        // Contacts are looked at in the middle of the step, and their openings foreseen for a whole one.
        let slip = 0.05 * 2.0_f64.sqrt() * 0.01 * (run.time + 0.5e-4);
        let damage = if slip > onset { 1.0 - onset / slip * (end - slip) / (end - onset) } else { 0.0 };
        let found = number(&report, "bond_damage");
        assert!((found - damage).abs() < 0.03, "step {step}: damage {found}, not {damage}");
    }
}

/// The same with a bond that breaks: none is gone before its damage is one, and then all are, for good. The middle is held: a box that softens
/// and may move turns about two of its corners instead.
#[test]
fn bonds_of_a_twisted_face_end_with_their_damage() {
    let law = "Bilinear(normal_stiffness: 1e12, tensile_strength: 5e6, energy: 25, friction: 0.5)";
    let mut run = twisted(law, "Velocity(x: 0, y: 0, spin_z: 0.01)");
    let (mut last, mut bonds) = (0.0, 4.0);
    for step in 0..250 {
        let report = run.step(1e-4);
        let now = number(&report, "bonds");
        assert!(now == bonds || (last > 0.9 && now < bonds), "step {step}: {bonds} become {now} at a damage of {last}");
        (last, bonds) = (number(&report, "bond_damage"), now);
        if bonds == 0.0 {
            break;
        }
    }
    // δ_c = 10 µm, 14 ms of slip at the corners.
    assert_eq!(bonds, 0.0);
}

/// A column of equal boxes, each a little turned and moved on the one below, keeps all bonds under its weight and a blow, in both dimensions.
#[test]
fn equal_boxes_keep_their_bonds() {
    for (dimension, up) in [(Dimension::Planar, Vec3::y()), (Dimension::Spatial, Vec3::z())] {
        let mut scene = Scene::new(dimension, up * -G);
        for k in 0..4_u32 {
            let aside = Vec3::x() * (1e-9 * f64::from(k % 2));
            let body =
                scene.body("boxes", Shape::Box { half: Vec3::repeat(0.05) }, up * (0.05 + 0.1 * f64::from(k)) + aside, Some(1.0));
            if k == 3 {
                scene.velocity(body, Vec3::x() * 0.01, Vec3::z() * 0.05);
            }
        }
        scene.floor("floor", up);
        scene.law(
            "boxes",
            "boxes",
            "MonerieAcary(normal_stiffness: 1e11, tangential_stiffness: 1e11, energy: 10, friction: 0.5)",
        );
        scene.law("boxes", "floor", "Coulomb(friction: 0.5)");
        let mut run = scene.build("Contact(tolerance: 1e-6)").unwrap();
        let made = number(&run.step(1e-4), "bonds");
        assert_eq!(made, if dimension == Dimension::Planar { 6.0 } else { 12.0 });
        for step in 0..100 {
            let report = run.step(1e-4);
            assert_eq!(number(&report, "bonds"), made, "{dimension:?} step {step}");
            for balance in &report.balances {
                // Places of 0.4 m are known to 6e-17 m, springs of 2.5e8 N/m hold 4e-8 m: 12 bonds make 6e-15 J of rounding, of the
                // 5e-5 J that move.
                assert!(balance.imbalance() <= 1e-9, "{:?}: {:e}", balance.book, balance.imbalance());
            }
        }
    }
}
