//! Verification of the smooth method: laws, integrators, stable step, books. What is shared by its files: scenes and materials.

mod adhesion;
mod bits;
mod books;
pub(crate) mod heap;
mod impact;
mod integrators;
mod shear;
mod stability;

use std::collections::BTreeMap;

use mpcd_core::{Dimension, Fragment, MaterialId, Vec3, setup::Material};
use mpcd_geometry::Shape;

use crate::scene::{Run, Scene};

/// Young's modulus and Poisson's ratio of the elastic material.
const YOUNG: f64 = 2e11;
const POISSON: f64 = 0.3;

/// E* of an elastic body on a rigid one (Pa).
fn on_rigid() -> f64 {
    YOUNG / (1.0 - POISSON * POISSON)
}

/// Gives the scene two materials: 0 elastic, 1 rigid.
pub(crate) fn materials(scene: &mut Scene, young: f64) {
    let material = |name: &str, parts| Material { name: name.to_owned(), density: 1000.0, parts };
    let elastic = Fragment::whole(format!("(young: {young}, poisson: {POISSON})"));
    scene.setup.materials.push(material("elastic", BTreeMap::from([("elastic".to_owned(), elastic)])));
    scene.setup.materials.push(material("rigid", BTreeMap::new()));
}

/// A ball of radius 10 mm at a gap from a rigid plane, with this speed towards it and this law; no gravity.
fn ball_and_plane(gap: f64, speed: f64, law: &str, young: f64) -> Scene {
    let mut scene = Scene::new(Dimension::Spatial, Vec3::zeros());
    materials(&mut scene, young);
    let radius = 0.01;
    let ball = scene.body("ball", Shape::Ball { radius }, Vec3::z() * (radius + gap), None);
    scene.velocity(ball, Vec3::z() * -speed, Vec3::zeros());
    let floor = scene.floor("floor", Vec3::z());
    scene.setup.bodies.material[floor.index()] = MaterialId(1);
    scene.law("ball", "floor", law);
    scene
}

/// Order of convergence between errors at two resolutions, the second twice as fine.
fn order(coarse: f64, fine: f64) -> f64 {
    (coarse / fine).log2()
}

/// Gap of the first contact (m); far apart if there is none.
fn gap(run: &Run) -> f64 {
    run.network().contacts.first().map_or(1.0, |c| c.gap)
}
