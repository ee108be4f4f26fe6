//! Faults of the model are found when the module is built, and each message says what to do.

use mpcd_core::{Dimension, Vec3};
use mpcd_geometry::Shape;

use crate::scene::{G, Scene};

fn scene() -> Scene {
    let mut scene = Scene::new(Dimension::Spatial, Vec3::z() * -G);
    scene.body("balls", Shape::Ball { radius: 0.1 }, Vec3::z() * 0.1, None);
    scene.floor("floor", Vec3::z());
    scene
}

fn message(scene: Scene, contact: &str) -> String {
    let e = scene.build(contact).err().expect("the model is wrong");
    format!("{e}; {}", e.help.clone().unwrap_or_default())
}

#[test]
fn a_pair_without_a_law_names_both_groups() {
    let text = message(scene(), "Contact()");
    assert!(text.contains("groups \"balls\" and \"floor\" can meet but have no law") && text.contains("NoContact"), "{text}");
}

#[test]
fn two_laws_for_a_pair_are_refused() {
    let mut s = scene();
    s.law("balls", "floor", "Coulomb(friction: 0.3)");
    s.law("floor", "balls", "Coulomb(friction: 0.4)");
    assert!(message(s, "Contact()").contains("have two laws"));
}

#[test]
fn an_unknown_law_offers_the_nearest() {
    let mut s = scene();
    s.law("balls", "floor", "Coulom(friction: 0.3)");
    assert!(message(s, "Contact()").contains("did you mean `Coulomb`?"));
}

#[test]
fn an_unknown_solver_is_refused() {
    let mut s = scene();
    s.law("balls", "floor", "Coulomb(friction: 0.3)");
    let text = message(s, "Contact(solver: \"nlsg\")");
    assert!(text.contains("nlsg") && text.contains("nlgs"), "{text}");
}

#[test]
fn restitution_with_a_gap_law_is_refused() {
    let mut s = scene();
    s.law("balls", "floor", "Coulomb(friction: 0.3, restitution: 0.5, contact: Gap)");
    assert!(message(s, "Contact()").contains("implies no restitution"));
}

#[test]
fn a_force_that_moves_nothing_is_refused() {
    let mut s = scene();
    s.law("balls", "floor", "Coulomb(friction: 0.3)");
    s.load("floor", "Force(z: 3)");
    assert!(message(s, "Contact()").contains("moves nothing"));
}

#[test]
fn an_unknown_load_is_refused() {
    let mut s = scene();
    s.law("balls", "floor", "Coulomb(friction: 0.3)");
    s.load("balls", "Forces(z: 3)");
    assert!(message(s, "Contact()").contains("did you mean `Force`?"));
}
