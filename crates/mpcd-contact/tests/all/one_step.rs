//! Single steps against the formula of the scheme, worked by hand: dashpots, motors, driven spins under joints, impacts in two phases under loads, and
//! what watchdogs count to a step.

use mpcd_core::{Dimension, Quat, Vec3};
use mpcd_geometry::Shape;

use crate::{
    hinges::{join, named, number},
    scene::{Run, Scene},
};

/// A mass on a spring and a dashpot at θ = ½: with s the stretch, m(v⁺ − v) = −h[k(s + s⁺)/2 + c(s⁺ − s)/h] and s⁺ = s + h(v + v⁺)/2, so
/// v⁺(m + h²k/4 + hc/2) = v(m − h²k/4 − hc/2) − hks: from hardly damped to 500 times as much as stops the mass in a step.
#[test]
fn springs_and_dashpots_step_by_the_formula() {
    let (mass, h, stiffness) = (2.0, 0.01, 30.0);
    for damping in [0.0, 1.0, 400.0, 2e5] {
        let mut scene = Scene::new(Dimension::Spatial, Vec3::zeros());
        let body = scene.body("balls", Shape::Ball { radius: 0.01 }, Vec3::x() * 1.2, Some(mass));
        scene.law("balls", "balls", "NoContact");
        scene.velocity(body, Vec3::x(), Vec3::zeros());
        join(&mut scene, body, None, &format!("Spring(to: (0, 0, 0), length: 1, stiffness: {stiffness}, damping: {damping})"));
        let mut run = scene.build("Contact(tolerance: 1e-12)").unwrap();
        let (mut s, mut v) = (0.2, 1.0);
        let given = 0.25 * h * h * stiffness + 0.5 * h * damping;
        for step in 0..20 {
            run.step(h);
            let after = (v * (mass - given) - h * stiffness * s) / (mass + given);
            (s, v) = (s + 0.5 * h * (v + after), after);
            let (x, u) = (run.kinematics().position[0].x - 1.0, run.kinematics().velocity[0].x);
            assert!((x - s).abs() < 1e-11 && (u - v).abs() < 1e-9, "{damping}, step {step}: {x} {u}, not {s} {v}");
        }
    }
}

/// A drive whose speed grows as t has turned by ∫ 2t dt = ¼ rad after half a second, in ten steps as in a thousand.
#[test]
fn a_drive_turns_by_the_mean_of_its_speed() {
    for (h, steps) in [(0.05, 10), (5e-4, 1000)] {
        let mut scene = Scene::new(Dimension::Planar, Vec3::zeros());
        let wheel = scene.body("balls", Shape::Ball { radius: 0.05 }, Vec3::x() * 0.3, Some(1.0));
        scene.law("balls", "balls", "NoContact");
        named(&mut scene, wheel, None, "Hinge(at: (0, 0), speed: Ramp(from: 0, to: 2, end: 1))", Some("m"));
        let mut run = scene.build("Contact(tolerance: 1e-12)").unwrap();
        let angle = (0..steps).map(|_| number(&run.step(h), "m_angle")).last().unwrap();
        assert!((angle - 0.25).abs() < 1e-12, "{h}: {angle}");
    }
}

/// A spin that is prescribed is kept whatever holds the body besides: 5 rad/s are half a radian in a tenth of a second.
#[test]
fn a_driven_spin_is_kept_under_a_joint() {
    for (dimension, others) in [(Dimension::Planar, ""), (Dimension::Spatial, "spin_x: 0, spin_y: 0, ")] {
        let mut scene = Scene::new(dimension, Vec3::zeros());
        let wheel = scene.body("wheel", Shape::Ball { radius: 0.05 }, Vec3::zeros(), Some(1.0));
        scene.load("wheel", &format!("Velocity({others}spin_z: 5)"));
        join(&mut scene, wheel, None, "Spring(to: (1, 0, 0), stiffness: 10)");
        let mut run = scene.build("Contact(tolerance: 1e-12)").unwrap();
        run.step(0.1);
        let left = run.kinematics().orientation[0].angle_to(&Quat::from_scaled_axis(Vec3::z() * 0.5));
        assert!(left < 1e-12, "{dimension:?}: {left}");
    }
}

/// A ball of 1 kg strikes the floor at 1 m/s in a step in which weight and a side force give it 0.1 and 0.05 m/s: it leaves with e times the speed of the
/// impact, as the weight is borne in the compression, and with the side force's velocity.
#[test]
fn an_impact_gives_back_what_it_took_and_no_load() {
    let h = 0.01;
    for law in ["Poisson", "Stronge"] {
        for (dimension, e) in [(Dimension::Planar, 0.5), (Dimension::Spatial, 0.5), (Dimension::Spatial, 0.9)] {
            let mut scene = Scene::new(dimension, Vec3::y() * -10.0);
            let shape = match dimension {
                Dimension::Planar => Shape::Disc { radius: 0.1, thickness: 1.0 },
                Dimension::Spatial => Shape::Ball { radius: 0.1 },
            };
            let ball = scene.body("ball", shape, Vec3::y() * 0.1, Some(1.0));
            scene.velocity(ball, Vec3::new(0.3, -1.0, 0.0), Vec3::zeros());
            scene.floor("floor", Vec3::y());
            scene.load("ball", "Force(x: 5)");
            scene.law("ball", "floor", &format!("{law}(friction: 0, restitution: {e})"));
            let mut run = scene.build("Contact(tolerance: 1e-12)").unwrap();
            run.step(h);
            let v = run.kinematics().velocity[0];
            assert!((v - Vec3::new(0.35, e, 0.0)).norm() < 1e-9, "{law} {dimension:?} {e}: {v:?}");
        }
    }
}

/// A driven body whose face is 0.5 nm in another's after ten steps: five times the contact tolerance, and told then, not when it is deeper.
#[test]
fn a_prescribed_touch_is_told_at_the_contact_tolerance() {
    let mut scene = Scene::new(Dimension::Planar, Vec3::zeros());
    let block = Shape::Box { half: Vec3::new(0.1, 0.1, 0.5) };
    scene.body("press", block.clone(), Vec3::y() * (0.21 - 5e-10), None);
    scene.body("stop", block, Vec3::zeros(), None);
    scene.law("press", "stop", "Coulomb(friction: 0.3)");
    scene.load("press", "Velocity(x: 0, y: -1, spin_z: 0)");
    scene.load("stop", "Fixed");
    let mut run = scene.build("Contact()").unwrap();
    let told: Vec<usize> = (1..=15).filter(|_| run.step(1e-3).watched.iter().any(|w| w.what == "prescribed")).collect();
    assert_eq!(told, [10]);
}

/// What an overlap grows by in a step is of the halves of two steps. On a plank that turns, a ball that slides outward is overlapped by g = v ω h² more in
/// each step of h, and by (g + g/4)/2 in the first of half the length, of which g/4 is its own: over 0.24 % and below 0.4 %, while 0.6 % is not.
#[test]
fn a_step_answers_for_its_own_growth_alone() {
    let plank = |limit: f64| -> Run {
        let mut scene = Scene::new(Dimension::Planar, Vec3::zeros());
        let plank = scene.body("plank", Shape::Box { half: Vec3::new(0.2, 0.005, 0.5) }, Vec3::zeros(), Some(1e6));
        scene.velocity(plank, Vec3::zeros(), Vec3::z() * 25.0);
        let ball = scene.body("ball", Shape::Disc { radius: 0.01, thickness: 1.0 }, Vec3::new(0.02, 0.015, 0.0), Some(1.0));
        scene.velocity(ball, Vec3::new(4.0, 0.5, 0.0), Vec3::zeros());
        scene.law("plank", "ball", "Coulomb(friction: 0)");
        scene.build(&format!("Contact(watch: (overlap_limit: {limit}))")).unwrap()
    };
    let first_short = |limit: f64| {
        let mut run = plank(limit);
        let long: Vec<bool> = (0..3).map(|_| run.step(1e-3).too_long.is_some()).collect();
        assert!(long[2], "{long:?}: no growth, so the test shows nothing");
        run.step(5e-4).too_long
    };
    let told = first_short(0.04);
    assert!(told.is_some(), "0.2 % are less than its own");
    assert_eq!(first_short(0.09), None);
}
