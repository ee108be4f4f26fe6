//! The stable step: each scheme is stable up to it and not far beyond, and a sub-step above it is an error that names the contact.

use mpcd_core::{Dimension, Vec3};
use mpcd_geometry::Shape;

use super::{ball_and_plane, materials};
use crate::scene::Scene;

/// Largest speed of a ball pressed between two planes after many steps of `part` of the stable one.
fn swings(integrator: &str, damping: f64, part: f64) -> Result<f64, String> {
    let (k, mass) = (1e5, 0.01);
    let mut scene = Scene::new(Dimension::Spatial, Vec3::zeros());
    materials(&mut scene, 1e9);
    scene.body("ball", Shape::Ball { radius: 0.01 }, Vec3::x() * 2e-6, Some(mass));
    for side in [-1.0, 1.0] {
        let plane = scene.floor("walls", Vec3::x() * -side);
        scene.setup.initial.position[plane.index()] = Vec3::x() * (side * 0.009);
    }
    scene.law("ball", "walls", &format!("Hooke(stiffness: {k}, friction: 0, damping: {damping}, tension: true)"));
    let omega = (2.0 * k / mass).sqrt();
    let xi = damping / mass / omega;
    let limit = |s: f64| ((1.0 + (s * xi).powi(2)).sqrt() - s * xi) / omega;
    let stable = match integrator {
        "Verlet" => 2.0 * limit(2.0),
        "TimeCentred" => 2.0 * limit(1.0),
        _ => limit(3.3).min(0.5 / omega),
    };
    let mut run = scene.build_smooth(&format!("SmoothContact(substeps: 1, integrator: {integrator})")).unwrap();
    let mut most = 0.0_f64;
    for k in 0..300 {
        run.try_step(part * stable).map_err(|e| e.to_string())?;
        if k > 250 {
            most = most.max(run.kinematics().velocity[0].x.abs() / omega / 2e-6);
        }
    }
    Ok(most)
}

#[test]
fn each_scheme_is_stable_up_to_its_step_and_refuses_a_longer_one() {
    for integrator in ["Verlet", "TimeCentred", "Gear"] {
        for damping in [0.0, 2.0, 20.0, 100.0] {
            let most = swings(integrator, damping, 0.98).unwrap();
            assert!(most < 12.0, "{integrator}, damping {damping}: {most}");
            let error = swings(integrator, damping, 1.02).unwrap_err();
            assert!(error.contains(integrator), "{error}");
        }
    }
}

#[test]
fn the_error_names_the_contact_its_stiffness_and_the_largest_step() {
    let law = "Hooke(stiffness: 1e6, friction: 0)";
    let mut run = ball_and_plane(-1e-6, 0.0, law, 1e9).build_smooth("SmoothContact(substeps: 2)").unwrap();
    let error = run.try_step(1e-3).unwrap_err().to_string();
    let stable = 2.0 * (4.0 / 3.0 * std::f64::consts::PI * 1e-3 / 1e6_f64).sqrt();
    assert_eq!(
        error,
        format!(
            "module `SmoothContact` cannot go on: a sub-step of 5.000e-4 s is longer than the largest stable one of Verlet, {stable:.3e} s: \
             the contact of body 0 (group \"ball\") and body 1 (group \"floor\") has the stiffness 1.000e6 N/m; set `substeps` of \
             SmoothContact to at least {} for this time step, or leave it out to have the sub-steps chosen",
            (1e-3 / stable).ceil()
        )
    );
}

#[test]
fn chosen_substeps_resolve_the_contact_and_say_so() {
    let law = "Hertz(friction: 0, restitution: 0.8)";
    let mut run = ball_and_plane(1e-4, 1.0, law, 2e9).build_smooth("SmoothContact(steps_per_contact: 40)").unwrap();
    let (mut most, mut shortest) = (0.0_f64, f64::INFINITY);
    for _ in 0..40 {
        let report = run.step(1e-4);
        let number = |name: &str| report.numbers.iter().find(|n| n.0 == name).unwrap().1;
        most = most.max(number("substeps"));
        if number("contact_time") > 0.0 {
            shortest = shortest.min(number("contact_time"));
            assert!(number("stable_step") > 0.0);
        }
    }
    let v = run.kinematics().velocity[0].z;
    assert!((v - 0.8).abs() < 2e-3, "{v}");
    // The impact lasts about 180 µs; its stiffest moment has π√(m/k) = 102 µs, resolved by 40 sub-steps.
    assert!((30.0..80.0).contains(&most) && (5e-5..2e-4).contains(&shortest), "{most} {shortest:e}");
}

#[test]
fn a_law_of_the_other_method_is_refused_with_both_groups_and_methods() {
    let error = ball_and_plane(0.0, 0.0, "Coulomb(friction: 0.3)", 1e9).build_smooth("SmoothContact()").err().unwrap();
    assert_eq!(
        error.message,
        "groups \"ball\" and \"floor\" have the law `Coulomb`, which belongs to `Contact`, but `SmoothContact` moves the bodies; \
         expected a law of `SmoothContact`"
    );
    let error = ball_and_plane(0.0, 0.0, "Hertz(friction: 0.3)", 1e9).build("Contact()").err().unwrap();
    assert!(error.message.contains("`Hertz`, which belongs to `SmoothContact`, but `Contact` moves"), "{}", error.message);
}

#[test]
fn wrong_parameters_are_refused_in_words() {
    let refused = |law: &str, module: &str, part: &str| {
        let error = ball_and_plane(0.0, 0.0, law, 1e9).build_smooth(module).err().unwrap();
        let text = format!("{} / {}", error.message, error.help.unwrap_or_default());
        assert!(text.contains(part), "{law}: {text}");
    };
    refused("Hooke(stiffness: 1, friction: 0, restitution: 0.5, damping: 1)", "SmoothContact()", "both say how strongly");
    refused("Hertz(friction: 0, restitution: 0)", "SmoothContact()", "no finite damping gives restitution 0");
    refused("Hertz(friction: 0)", "SmoothContact(substeps: 0)", "expected at least 1");
    let mut scene = ball_and_plane(0.0, 0.0, "Hertz(friction: 0)", 1e9);
    scene.setup.bodies.material[0] = mpcd_core::MaterialId(1);
    let error = scene.build_smooth("SmoothContact()").err().unwrap();
    assert_eq!(
        error.message,
        "groups \"ball\" and \"floor\" have the law `Hertz`, which needs a modulus, but neither material \"rigid\" nor \"rigid\" has an `elastic` part"
    );
}
