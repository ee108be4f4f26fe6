//! Keys of laws, joints and loads one by one, each against a number worked by hand: what no scene of a chapter touches.

use mpcd_core::{BodyId, Book, Dimension, SolveReport, Vec3};
use mpcd_geometry::Shape;

use crate::scene::{Run, Scene};

fn number(report: &SolveReport, name: &str) -> f64 {
    report.numbers.iter().find(|(n, _)| *n == name).unwrap().1
}

fn ball_over(dimension: Dimension, gap: f64, law: &str) -> Scene {
    let mut scene = Scene::new(dimension, Vec3::zeros());
    let shape = match dimension {
        Dimension::Planar => Shape::Disc { radius: 0.1, thickness: 1.0 },
        Dimension::Spatial => Shape::Ball { radius: 0.1 },
    };
    scene.body("ball", shape, Vec3::y() * (0.1 + gap), Some(1.0));
    scene.floor("floor", Vec3::y());
    scene.law("ball", "floor", law);
    scene
}

/// A ball that sticks in its impact leaves with −e_t of the tangential velocity of its surface: of a sphere u = v_x + ω R answers to an impulse
/// with 7/2 J/m, of a disc with 3 J/m, so v_x⁺ = v_x (1 − (1 + e_t)/(7/2 or 3)), along any direction.
#[test]
fn tangential_restitution_turns_the_surface_round() {
    for (dimension, response) in [(Dimension::Spatial, 3.5), (Dimension::Planar, 3.0)] {
        let ways: &[Vec3] = if dimension == Dimension::Planar {
            &[Vec3::new(1.0, 0.0, 0.0)]
        } else {
            &[Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 0.0, 1.0), Vec3::new(0.6, 0.0, -0.8)]
        };
        for way in ways {
            for e_t in [0.0, 0.5, 1.0] {
                let law = format!("Coulomb(friction: 2, restitution: 0.8, tangential_restitution: {e_t})");
                let mut scene = ball_over(dimension, 1e-4, &law);
                scene.velocity(BodyId(0), way - 2.0 * Vec3::y(), Vec3::zeros());
                let mut run = scene.build("Contact(tolerance: 1e-12)").unwrap();
                (0..5).for_each(|_| drop(run.step(1e-4)));
                let v = run.kinematics().velocity[0];
                let wanted = way * (1.0 - (1.0 + e_t) / response) + 1.6 * Vec3::y();
                assert!((v - wanted).norm() < 1e-9, "{dimension:?} {e_t}: {v:?}, not {wanted:?}");
            }
        }
    }
}

/// Nothing is given back below the threshold, e of the speed above it, by each law that has one.
#[test]
fn restitution_begins_at_its_threshold() {
    for law in ["Coulomb", "Poisson", "Stronge"] {
        for (speed, back) in [(0.9, 0.0), (1.1, 0.55)] {
            let text = format!("{law}(friction: 0, restitution: 0.5, restitution_threshold: \"1 m/s\")");
            let mut scene = ball_over(Dimension::Spatial, 1e-4, &text);
            scene.velocity(BodyId(0), -speed * Vec3::y(), Vec3::zeros());
            let mut run = scene.build("Contact(tolerance: 1e-12)").unwrap();
            (0..10).for_each(|_| drop(run.step(1e-4)));
            let v = run.kinematics().velocity[0].y;
            assert!((v - back).abs() < 1e-9, "{law} at {speed}: {v}");
        }
    }
}

/// A bond is made up to `bond_distance`; without one up to 1 % of the reduced radius, here 1 mm.
#[test]
fn bonds_are_made_up_to_their_distance() {
    for law in [
        "MohrCoulomb(friction: 0.5, tensile_strength: 1e6",
        "Bilinear(friction: 0.5, normal_stiffness: 1e9, tensile_strength: 1e6, energy: 1e4",
        "Exponential(friction: 0.5, normal_stiffness: 1e9, tensile_strength: 1e6, energy: 1e4",
        "Extrinsic(friction: 0.5, strength: 1e6, energy: 1e3",
        "MonerieAcary(friction: 0.5, normal_stiffness: 1e9, tangential_stiffness: 1e9, energy: 1e4",
    ] {
        for (gap, key, bonded) in [
            (0.5e-3, "", true),
            (1.5e-3, "", false),
            (0.5e-3, ", bond_distance: \"0.4 mm\"", false),
            (0.5e-3, ", bond_distance: \"0.6 mm\"", true),
            (1.5e-3, ", bond_distance: \"1.6 mm\"", true),
        ] {
            let mut run = ball_over(Dimension::Spatial, gap, &format!("{law}{key})")).build("Contact(alert: 0.01)").unwrap();
            let found = number(&run.step(1e-3), "bonds");
            assert_eq!(found > 0.0, bonded, "{law}{key} at {gap}: {found} bonds");
            // What makes the alert distance small, a small body far away, decides no bond; nor does it lose one later.
            let mut scene = ball_over(Dimension::Spatial, gap, &format!("{law}{key})"));
            scene.body("speck", Shape::Ball { radius: 1e-3 }, Vec3::x(), Some(1.0));
            scene.law("speck", "floor", "Coulomb(friction: 0)");
            scene.law("speck", "ball", "Coulomb(friction: 0)");
            let mut run = scene.build("Contact").unwrap();
            for step in 0..3 {
                let found = number(&run.step(1e-3), "bonds");
                assert_eq!(found > 0.0, bonded, "{law}{key} at {gap} beside a speck, step {step}: {found} bonds");
            }
        }
    }
}

/// A bilinear bond sheared to δ = 4 mm (onset 1 mm, end 10 mm) has lost x = 5/6: it pulls with K (1 − x) δ A, and friction has grown to x μ N, or
/// is μ N all the time.
#[test]
fn friction_grows_with_damage_or_stays() {
    for (key, friction) in [
        ("", 0.5 * 10.0 * 5.0 / 6.0),
        (", friction_of_damage: Grows", 0.5 * 10.0 * 5.0 / 6.0),
        (", friction_of_damage: Stays", 5.0),
    ] {
        let law = format!(
            "Bilinear(friction: 0.5, normal_stiffness: 1e6, tensile_strength: 1e3, shear_strength: 1e3, energy: 5, area: 0.01{key})"
        );
        let mut scene = ball_over(Dimension::Planar, 0.0, &law);
        scene.load("ball", "Locked(axes: [SpinZ])");
        scene.load("ball", "Force(y: -10)");
        scene.load("ball", "Velocity(x: 0.1)");
        let mut run = scene.build("Contact(tolerance: 1e-12)").unwrap();
        run.theta = 1.0;
        (0..40).for_each(|_| drop(run.step(1e-3)));
        let contact = run.network().contacts[0];
        let force = contact.r.y.hypot(contact.r.z) / 1e-3;
        let wanted = friction + 1e6 / 6.0 * 4e-3 * 0.01;
        assert!((force / wanted - 1.0).abs() < 1e-6, "{key}: {force} N, not {wanted} N");
    }
}

/// A bond in shear alone breaks at its shear strength and takes its shear energy: the work to drive it off is G_II A, whatever G_I and σ are.
#[test]
fn a_sheared_bond_takes_its_shear_energy() {
    for law in ["Bilinear", "Trapezoidal", "Exponential"] {
        let law = format!(
            "{law}(friction: 0, normal_stiffness: 1e6, tensile_strength: 1e3, shear_strength: 500, energy: 5, shear_energy: 3, area: 0.01)"
        );
        let mut scene = ball_over(Dimension::Spatial, 0.0, &law);
        scene.load("ball", "Locked(axes: [Z, SpinX, SpinY, SpinZ])");
        scene.load("ball", "Velocity(x: 0.1)");
        let mut run = scene.build("Contact(tolerance: 1e-12)").unwrap();
        run.theta = 1.0;
        let (mut work, mut most) = (0.0, 0.0_f64);
        for _ in 0..5000 {
            run.step(1e-3);
            let force = run.network().contacts.first().map_or(0.0, |c| c.r.y.hypot(c.r.z) / 1e-3);
            work += force * 0.1 * 1e-3;
            most = most.max(force);
        }
        assert!((most / 5.0 - 1.0).abs() < 0.1, "{law}: {most} N");
        assert!((work / 0.03 - 1.0).abs() < 1e-2, "{law}: {work} J");
    }
}

/// The film of a lying disc or cylinder resists with 3√2 π η L R*^1.5 v/g^1.5, of a flat plate over the area A with 3ηA²v/(2πg³), however many
/// points it has.
#[test]
fn films_of_lines_and_faces_resist_as_reynolds_says() {
    let (eta, gap, v, h): (f64, f64, f64, f64) = (0.1, 1e-3, 1e-3, 1e-5);
    let law = "Lubrication(viscosity: \"0.1 Pa*s\", roughness: \"1 um\", range: \"10 mm\", friction: 0)";
    let pi = std::f64::consts::PI;
    let line = 3.0 * 2.0_f64.sqrt() * pi * eta * 0.1_f64.powf(1.5) * v / gap.powf(1.5);
    let area: f64 = 0.04;
    let plate = 1.5 * eta * area * area / pi * v / gap.powi(3);
    for (dimension, shape, up, half, wanted) in [
        (Dimension::Planar, Shape::Disc { radius: 0.1, thickness: 1.0 }, Vec3::y(), 0.1, line),
        (Dimension::Spatial, Shape::Box { half: Vec3::new(0.1, 0.1, 0.05) }, Vec3::z(), 0.05, plate),
    ] {
        let mut scene = Scene::new(dimension, Vec3::zeros());
        let body = scene.body("body", shape, up * (half + gap), Some(1e6));
        scene.velocity(body, -up * v, Vec3::zeros());
        scene.floor("floor", up);
        scene.law("body", "floor", law);
        let mut run = scene.build("Contact(tolerance: 1e-12, alert: 0.005)").unwrap();
        run.step(h);
        let force: f64 = run.network().contacts.iter().map(|c| c.r.x / h).sum();
        assert!((force / wanted - 1.0).abs() < 1e-3, "{dimension:?}: {force} N, not {wanted} N");
    }
}

fn on_ground(kind: &str, spin: f64) -> Run {
    let mut scene = Scene::new(Dimension::Planar, Vec3::zeros());
    let body = scene.body("body", Shape::Disc { radius: 0.1, thickness: 1.0 }, Vec3::zeros(), Some(2.0));
    scene.velocity(body, Vec3::zeros(), Vec3::z() * spin);
    scene.setup.joints.push(mpcd_core::setup::Joint {
        bodies: (body, None),
        parts: [None, None],
        kind: mpcd_core::Fragment::whole(kind),
        name: Some("j".to_owned()),
        conducts: Default::default(),
    });
    scene.build("Contact(tolerance: 1e-12)").unwrap()
}

/// A disc on a torsion spring swings with ω = √(k/I), ζ = c/(2√(kI)), and half a period leaves e^(−πζ/√(1 − ζ²)) of its spin.
#[test]
fn springs_of_joints_are_damped_as_asked() {
    let inertia: f64 = 0.5 * 2.0 * 0.01;
    let (k, zeta) = (4.0, 0.2_f64);
    let c = 2.0 * zeta * (k * inertia).sqrt();
    let slower = (1.0 - zeta * zeta).sqrt();
    let half = std::f64::consts::PI / ((k / inertia).sqrt() * slower);
    let wanted = (-std::f64::consts::PI * zeta / slower).exp();
    let mut run = on_ground(&format!("Pin(at: (0, 0), spring: (stiffness: {k}, damping: {c}))"), 1.0);
    (0..2000).for_each(|_| drop(run.step(half / 2000.0)));
    let left = -run.kinematics().angular_velocity[0].z;
    assert!((left - wanted).abs() < 3e-3, "{left}, not {wanted}");
}

/// Loads act with their mean over the step, θ F⁺ + (1 − θ) F⁻: a force and a moment that grow as t give v = F′t²/2m and ω = M′t²/2I exactly at θ = ½.
#[test]
fn loads_that_grow_act_with_their_mean() {
    let mut scene = Scene::new(Dimension::Spatial, Vec3::zeros());
    scene.body("body", Shape::Ball { radius: 0.1 }, Vec3::zeros(), Some(2.0));
    let grows = "Ramp(from: 0, to: 3, end: 1)";
    scene.load("body", &format!("Force(x: {grows}, torque_y: {grows})"));
    let mut run = scene.build("Contact(tolerance: 1e-12)").unwrap();
    (0..10).for_each(|_| drop(run.step(0.05)));
    let (v, w) = (run.kinematics().velocity[0].x, run.kinematics().angular_velocity[0].y);
    let (linear, angular) = (3.0 * 0.25 / 4.0, 3.0 * 0.25 / 2.0 / (0.4 * 2.0 * 0.01));
    assert!((v - linear).abs() < 1e-12 && (w / angular - 1.0).abs() < 1e-12, "{v} {w}");
}

/// A tangential spring of `Elastic` stores ½ k_t ξ² of the whole face: what pushing a box by ξ against it takes, with the books closed.
#[test]
fn a_tangential_spring_is_of_the_whole_face() {
    let mut scene = Scene::new(Dimension::Spatial, -9.81 * Vec3::z());
    scene.body("body", Shape::Box { half: Vec3::new(0.15, 0.15, 0.05) }, Vec3::z() * 0.05, Some(1.0));
    scene.floor("floor", Vec3::z());
    scene.law("body", "floor", "Elastic(stiffness: 1e5, damping: 1000, tangential_stiffness: 2e4, friction: 2)");
    scene.load("body", "Force(x: Table([(0, 0), (0.1, 4), (9, 4)]))");
    scene.load("body", "Locked(axes: [SpinX, SpinY, SpinZ])");
    let mut run = scene.build("Contact(tolerance: 1e-12)").unwrap();
    run.theta = 1.0;
    let mut report = run.step(1e-3);
    let mut viscous = 0.0;
    for _ in 0..3000 {
        report = run.step(1e-3);
        let energy = report.balances.iter().find(|b| b.book == Book::Energy).unwrap();
        viscous += energy.flows.iter().find(|(name, _)| *name == "viscous").unwrap().1.x;
    }
    // The dashpot takes energy; it cannot take more than the weight gives, (m g)²/k.
    assert!(viscous < -1e-5 && viscous > -9.81 * 9.81 / 1e5, "{viscous} J");
    let x = run.kinematics().position[0].x;
    assert!((x / (4.0 / 2e4) - 1.0).abs() < 1e-3, "{x}");
    let energy = report.balances.iter().find(|b| b.book == Book::Energy).unwrap();
    let strain = energy.stores.iter().find(|(name, ..)| *name == "strain").unwrap().2.x;
    // ½ F²/k of both springs.
    let wanted = 0.5 * 9.81 * 9.81 / 1e5 + 0.5 * 16.0 / 2e4;
    assert!((strain / wanted - 1.0).abs() < 1e-3, "{strain} J, not {wanted} J");
}

/// A ball that grows keeps its angular momentum: at 1.1 of its size it spins with 1/1.21 of its speed, and its energy of spin with it.
#[test]
fn a_growing_ball_keeps_its_angular_momentum() {
    let mut scene = Scene::new(Dimension::Spatial, Vec3::zeros());
    let body = scene.body("ball", Shape::Ball { radius: 0.1 }, Vec3::zeros(), Some(1.0));
    scene.velocity(body, Vec3::zeros(), Vec3::new(3.0, 0.0, 4.0));
    let mut run = scene.build("Contact(tolerance: 1e-12)").unwrap();
    run.fields.swap(mpcd_core::field::names::SIZE_FACTOR, &mut vec![1.1]);
    run.step(1e-3);
    let spin = run.kinematics().angular_velocity[0];
    assert!((spin - Vec3::new(3.0, 0.0, 4.0) / 1.21).norm() < 1e-12, "{spin:?}");
}

/// A drive of `Sine` has its offset, frequency and phase.
#[test]
fn a_sine_has_its_phase() {
    let mut scene = ball_over(Dimension::Spatial, 1.0, "Coulomb(friction: 0)");
    scene.load("ball", "Velocity(x: Sine(offset: 1, amplitude: 2, frequency: 5, phase: 0.7))");
    let mut run = scene.build("Contact(tolerance: 1e-12)").unwrap();
    assert!((run.kinematics().velocity[0].x - (1.0 + 2.0 * 0.7_f64.sin())).abs() < 1e-12);
    (0..3).for_each(|_| drop(run.step(0.01)));
    let wanted = 1.0 + 2.0 * (std::f64::consts::TAU * 5.0 * 0.03 + 0.7).sin();
    assert!((run.kinematics().velocity[0].x - wanted).abs() < 1e-12);
}
