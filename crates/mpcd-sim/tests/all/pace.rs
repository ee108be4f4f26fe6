//! Modules that take several steps in one of the loop, or one in several: what they are given is what happened.

use crate::fakes::{Meter, meter, model, registry};
use mpcd_sim::{ModelErrors, Simulation, describe, testkit::same_bits};

/// The discs meet, pass through each other and part in the eighteenth step: in the middle of a window of four, five or seven.
const SCENE: [&str; 2] = ["physics=[Mover(reach: 1.02), Counter(), Meter()]", "bodies[1].velocity=(0, -12)"];

fn try_with(sets: &[&str]) -> Result<Simulation, ModelErrors> {
    let sets: Vec<&str> = SCENE.iter().chain(sets).copied().collect();
    Simulation::build(&model(&sets)?, &registry().with::<Meter>())
}

fn after(sets: &[&str], steps: u32) -> [f64; 7] {
    let mut simulation = try_with(sets).unwrap();
    for _ in 0..steps {
        simulation.step().unwrap();
    }
    meter(&simulation)
}

/// Time, impulses of contacts, integrals of ages and of a height, way of body 0, count of steps.
#[test]
fn times_impulses_ways_and_means_add_up_at_every_pace() {
    let each = after(&["coupling=Staggered"], 20);
    assert!((each[0] - 0.2).abs() < 1e-15 && each[1] > 0.1 && each[2] > 0.0, "{each:?}");
    for (text, steps, count) in [
        ("coupling=Staggered(pace: [(module: \"Meter\", substeps: 3)])", 20, 60.0),
        ("coupling=Staggered(pace: [(module: \"meter\", every: 4)])", 20, 5.0),
        ("coupling=Staggered(pace: [(module: \"Meter\", every: 5)])", 20, 4.0),
    ] {
        let other = after(&[text], steps);
        for k in 0..5 {
            assert!((other[k] - each[k]).abs() < 1e-13 * each[k].abs().max(1.0), "{text}, sum {k}: {other:?} {each:?}");
        }
        assert_eq!(other[5], count, "{text}");
        // Bodies go an equal part of their way in each part of a step.
        if count > 20.0 {
            assert!((other[6] / each[6] - 1.0).abs() < 1e-12, "{other:?} {each:?}");
        }
    }
    // A window that is not full at the end is not covered: 14 of 20 steps.
    let open = after(&["coupling=Staggered(pace: [(module: \"Meter\", every: 7)])"], 20);
    assert!((open[0] - 0.14).abs() < 1e-15 && open[5] == 2.0, "{open:?}");
}

#[test]
fn windows_of_halved_steps_cover_their_time() {
    let sets =
        ["coupling=Staggered(pace: [(module: \"Meter\", every: 4)])", "physics[0].longest=0.006", "time.on_failure=Halve(2)"];
    let sum = after(&sets, 40);
    let each = after(&["coupling=Staggered", "physics[0].longest=0.006", "time.on_failure=Halve(2)"], 40);
    // a window is four whole steps, in whatever parts they are done
    assert!((sum[0] - 0.2).abs() < 1e-14 && sum[5] == 5.0, "{sum:?}");
    for k in 0..5 {
        assert!((sum[k] - each[k]).abs() < 1e-13 * each[k].abs().max(1.0), "sum {k}: {sum:?} {each:?}");
    }
}

#[test]
fn the_bits_do_not_depend_on_where_a_run_is_stopped() {
    for pace in ["substeps: 3", "every: 3"] {
        let text = format!("coupling=Staggered(pace: [(module: \"Meter\", {pace}), (module: \"Counter\", every: 2)])");
        same_bits(&|| try_with(&[&text]), 20).unwrap();
        same_bits(&|| try_with(&[&text, "physics[0].longest=0.006", "time.on_failure=Halve(2)"]), 20).unwrap();
    }
}

/// Within a coupling cycle a module at a pace of its own is repeated like every other, from the same start.
#[test]
fn a_pace_within_a_cycle() {
    let physics = "physics=[Mover(reach: 1.02), Spring(stiffness: 2.4e7, implicit: true), Counter(), Meter()]";
    // The spring hands on the mean of its parts, 5/8 of the way from the place before to that at the end, where it hands on that at the end without parts: of a soft
    // one that is the same but for what it does in a step.
    let soft = "physics=[Mover(reach: 1.02), Spring(stiffness: 2.4e1, implicit: true), Counter(), Meter()]";
    let each = after(&[soft, "coupling=Iterated(tolerance: 1e-12)"], 20);
    let parts = after(&[soft, "coupling=Iterated(tolerance: 1e-12, pace: [(module: \"Spring\", substeps: 4)])"], 20);
    let (one, two) = (&each, &parts);
    for k in 0..5 {
        assert!((two[k] - one[k]).abs() < 1e-4 * one[k].abs().max(1e-2), "{parts:?} {each:?}");
    }
    let rare = ["coupling=Iterated(tolerance: 1e-12, pace: [(module: \"Spring\", every: 3)])"];
    same_bits(&|| try_with(&[&[physics], &rare[..]].concat()), 10).unwrap();
}

#[test]
fn wrong_paces_are_refused() {
    let error = |pace: &str| try_with(&[&format!("coupling=Staggered(pace: [{pace}])")]).map(|_| ()).unwrap_err().to_string();
    for (pace, words) in [
        ("(module: \"Metre\", every: 2)", "unknown module `Metre`; expected one of `Mover`, `Counter`, `Meter`"),
        ("(module: \"Mover\", every: 2)", "the module `Mover` moves the bodies, so the step of the run is its step"),
        ("(module: \"Meter\")", "needs `substeps` (parts of a step) or `every` (steps to one of its own), and not both"),
        ("(module: \"Meter\", every: 2, substeps: 2)", "and not both"),
        ("(module: \"Meter\", every: 0)", "the pace of `Meter` is 0; expected a number of 1 or more"),
        ("(module: \"Meter\", every: 2), (module: \"Meter\", every: 3)", "the module `Meter` has two paces; expected one"),
    ] {
        let found = error(pace);
        assert!(found.contains(words), "{found}");
    }
    let text = describe(&try_with(&["coupling=Staggered(pace: [(module: \"Meter\", every: 4)])"]).unwrap()).to_string();
    assert!(text.contains("in every 4th step, over the time of all of them"), "{text}");
}
