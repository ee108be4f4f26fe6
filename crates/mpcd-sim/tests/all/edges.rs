//! Coupling edges that are switched off.

use crate::fakes::{Meter, build, meter, model, registry};
use mpcd_core::Vec3;
use mpcd_sim::{Simulation, describe, testkit::same_bits};

const PHYSICS: &str = "physics=[Mover(reach: 1.02), Spring(stiffness: 1e5, implicit: true), Counter(), Meter()]";

fn with(sets: &[&str]) -> Simulation {
    let model = model(sets).unwrap();
    Simulation::build(&model, &registry().with::<Meter>()).unwrap()
}

#[test]
fn a_body_does_not_feel_a_force_whose_edge_is_off() {
    let mut simulation = with(&[PHYSICS, "coupling=Staggered(off: [(field: \"body_force\", to: \"mover\")])"]);
    for n in 1..=20 {
        simulation.step().unwrap();
        // The first disc falls freely, by symplectic Euler: y = 1 − g h² n (n+1)/2.
        let y = simulation.world().kinematics.position[0].y;
        let free = 1.0 - 10.0 * 1e-4 * f64::from(n * (n + 1)) / 2.0;
        assert!((y - free).abs() < 1e-13, "{n}: {y} {free}");
        // The force is written all the same.
        assert!((simulation.fields().vector("body_force", 0) - Vec3::new(0.0, -1e5 * y, 0.0)).norm() < 1e-9);
    }
    assert_eq!(simulation.summary().coupling_off, ["Spring -> Mover: body_force"]);
    let text = describe(&simulation).to_string();
    assert!(text.contains("  Spring -> Mover: body_force (off: as it was at the start)"), "{text}");
    assert!(text.contains("Mover: sees body_force as at the start; moves the bodies"), "{text}");
}

/// `Counter` writes ages of contacts from the second step on; behind an edge that is off `Meter` sees them new, whichever contacts there
/// are, and heights as they were at the start.
#[test]
fn a_reader_sees_the_start_behind_an_edge_that_is_off() {
    let off = "coupling=Staggered(off: [(field: \"age\", to: \"Meter\"), (field: \"height\", to: \"Meter\")])";
    let mut on = with(&[PHYSICS, "coupling=Staggered"]);
    let mut without = with(&[PHYSICS, off]);
    for _ in 0..20 {
        on.step().unwrap();
        without.step().unwrap();
    }
    // Integrals over time of the ages of all contacts and of the height of body 0.
    assert!(meter(&on)[2] > 1e-3 && meter(&on)[3] > 0.05, "{:?}", meter(&on));
    assert_eq!(meter(&without)[2], 0.0);
    // Nobody writes heights before the first step: 0.
    assert_eq!(meter(&without)[3], 0.0);
    assert_eq!(on.field("age"), without.field("age"));
    let build = || Simulation::build(&model(&[PHYSICS, off]).unwrap(), &registry().with::<Meter>());
    same_bits(&build, 12).unwrap();
}

#[test]
fn an_edge_that_is_off_takes_its_cycle_with_it() {
    let physics = PHYSICS.replace(", Meter()", "");
    let mut on = build(&[&physics, "coupling=Iterated()"]).unwrap();
    assert!(on.step().unwrap().coupling.is_some());
    let mut off = build(&[&physics, "coupling=Iterated(off: [(field: \"body_force\", to: \"Mover\")])"]).unwrap();
    assert!(off.step().unwrap().coupling.is_none());
}

#[test]
fn a_misspelt_edge_is_told_with_those_there_are() {
    let error = |text: &str| build(&[PHYSICS.replace(", Meter()", "").as_str(), text]).map(|_| ()).unwrap_err().to_string();
    let found = error("coupling=Staggered(off: [(field: \"body_forse\", to: \"Mover\")])");
    assert!(
        found.contains("unknown coupling edge `body_forse to Mover`; expected one of `body_force to Mover`")
            && found.contains("did you mean `body_force to Mover`?")
            && found.contains("(field: \"body_forse\", to: \"Mover\")")
            && found.contains("^^^^^^^^^^^^"),
        "{found}"
    );
    // Its own memory is no edge between modules.
    let found = error("coupling=Staggered(off: [(field: \"age\", to: \"Counter\")])");
    assert!(found.contains("unknown coupling edge `age to Counter`"), "{found}");
    let found = error("coupling=Staggered(of: [])");
    assert!(found.contains("unknown key `of`; expected one of `off`, `pace`"), "{found}");
    let found = build(&["coupling=Staggered(off: [(field: \"height\", to: \"Mover\")])"]).map(|_| ()).unwrap_err().to_string();
    assert!(found.contains("no module of this model reads a field of another"), "{found}");
}
