//! Steps of unequal length: by the change of exchanged fields, and by what modules ask for.

use std::sync::atomic::AtomicBool;

use crate::fakes::{Meter, Warmer, model, registry};
use mpcd_sim::{ModelErrors, RunOptions, Simulation, describe, run, testkit::same_bits};

const PHYSICS: &str = "physics=[Mover(), Counter(), Warmer(), Meter()]";

fn try_with(sets: &[&str]) -> Result<Simulation, ModelErrors> {
    let sets: Vec<&str> = [PHYSICS].iter().chain(sets).copied().collect();
    Simulation::build(&model(&sets)?, &registry().with::<Meter>().with::<Warmer>())
}

/// `Warmer` writes the warmth 10 tanh((t − 0.1)/0.004) K. The run is 0.2 s in steps of 0.01 s.
const ADAPT: &str = "time.adapt=(halvings: 10, change: [(field: \"warmth\", by: 0.5)])";

#[test]
fn steps_are_short_where_an_exchanged_field_changes_and_long_elsewhere() {
    let mut simulation = try_with(&[ADAPT]).unwrap();
    let text = describe(&simulation).to_string();
    assert!(text.contains("`warmth` changes by more than 5e-1 K is halved, down to 9.765625e-6 s"), "{text}");
    let (mut steps, mut sum, mut before) = (Vec::new(), 0.0, 10.0 * (-25.0_f64).tanh());
    while !simulation.finished() {
        let outcome = simulation.step().unwrap();
        let now = simulation.field("warmth").unwrap()[0];
        assert!((now - 10.0 * ((outcome.time - 0.1) / 0.004).tanh()).abs() < 1e-12);
        assert!((now - before).abs() <= 0.5, "{} {now} {before}", outcome.time);
        // Parts of a full step never reach over its end.
        let full = (outcome.time / 0.01 - 1e-9).ceil() * 0.01;
        assert!(outcome.time - outcome.h > full - 0.01 - 1e-12, "{outcome:?}");
        sum += outcome.h;
        before = now;
        steps.push((outcome.time, outcome.h));
    }
    assert!((sum - 0.2).abs() < 1e-14 && (simulation.time() - 0.2).abs() < 1e-15);
    // In the middle 0.5 K are passed in 0.2 ms: 0.01/2⁶ s; steps are twice as long again where the change is 0.2 K.
    let shortest = steps.iter().map(|s| s.1).fold(1.0, f64::min);
    assert!((shortest - 0.01 / 64.0).abs() < 1e-15, "{shortest}");
    assert!(steps.iter().filter(|s| s.0 < 0.08 || s.0 > 0.15).all(|s| s.1 > 0.0099), "{steps:?}");
    // At least 20 K / 0.5 K, and not many times that.
    assert!(steps.len() > 40 && steps.len() < 200, "{}", steps.len());
    // A step grows when twice its change would be accepted, so that few attempts are in vain.
    let rejected = simulation.counters().rejected;
    assert!(rejected > 0 && rejected < steps.len() as u64 / 5 && simulation.counters().failed_steps == 0, "{rejected}");
}

#[test]
fn modules_ask_for_short_steps() {
    let mut simulation = try_with(&["time.adapt=(halvings: 4)", "physics[2].longest=0.003"]).unwrap();
    let mut sum = 0.0;
    while !simulation.finished() {
        let h = simulation.step().unwrap().h;
        // Only between 0.05 s and 0.07 s does `Warmer` ask for 0.003 s.
        let t = simulation.time() - h;
        if t > 0.0499 && t < 0.0699 {
            assert!((h - 0.0025).abs() < 1e-15, "{t} {h}");
        } else {
            assert!((h - 0.01).abs() < 1e-12 || t > 0.0699 && t < 0.0799, "{t} {h}");
        }
        sum += h;
    }
    assert!((sum - 0.2).abs() < 1e-14);
    assert_eq!(simulation.counters().rejected, 0);
}

#[test]
fn the_floor_ends_the_run_by_name() {
    let mut simulation = try_with(&["time.adapt=(halvings: 2, change: [(field: \"warmth\", by: 0.5)])"]).unwrap();
    let error = loop {
        if let Err(error) = simulation.step() {
            break error.to_string();
        }
    };
    assert!(
        error.contains("the field `warmth` changes by") && error.contains("was halved 2 times already. Allow more `halvings`"),
        "{error}"
    );
    let stood = (simulation.time(), simulation.steps());
    assert!(stood.0 > 0.05 && stood.0 < 0.1, "{stood:?}");
    let mut simulation = try_with(&["time.adapt=(halvings: 2)", "physics[2].longest=0.001"]).unwrap();
    let error = loop {
        if let Err(error) = simulation.step() {
            break error.to_string();
        }
    };
    assert_eq!(
        error,
        "step 6 (t = 0.05 s): the module `Warmer` takes steps of at most 1.000e-3 s from here, and 2.500e-3 s, halved 2 times, is the shortest that \
         `adapt` allows; allow more `halvings`, or make `step` shorter"
    );
}

#[test]
fn frames_stand_at_the_times_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let mut simulation = try_with(&[ADAPT, "output=(interval: 0.02, history_every: 3)"]).unwrap();
    run(&mut simulation, &RunOptions::new(folder.path().join("out")), &AtomicBool::new(false), &mut ()).unwrap();
    let collection = std::fs::read_dir(folder.path().join("out")).unwrap().filter_map(Result::ok).map(|e| e.path());
    let pvd = collection.into_iter().find(|p| p.extension().is_some_and(|e| e == "pvd")).unwrap();
    let text = std::fs::read_to_string(pvd).unwrap();
    let mut times: Vec<f64> = text.split("timestep=\"").skip(1).map(|t| t.split('"').next().unwrap().parse().unwrap()).collect();
    times.dedup();
    let wanted: Vec<f64> = (0..=10).map(|k| 0.02 * f64::from(k)).collect();
    assert_eq!(times.len(), wanted.len(), "{times:?}");
    assert!(times.iter().zip(&wanted).all(|(a, b)| (a - b).abs() < 1e-12), "{times:?}");
}

#[test]
fn the_bits_do_not_depend_on_where_a_run_with_unequal_steps_is_stopped() {
    same_bits(&|| try_with(&[ADAPT]), 40).unwrap();
    same_bits(&|| try_with(&[ADAPT, "coupling=Staggered(pace: [(module: \"Meter\", every: 3)])"]), 40).unwrap();
}

#[test]
fn wrong_limits_are_refused() {
    let error = |text: &str| try_with(&[text]).map(|_| ()).unwrap_err().to_string();
    let found = error("time.adapt=(halvings: 4, change: [(field: \"warmht\", by: 0.5)])");
    assert!(found.contains("unknown field of a module `warmht`") && found.contains("did you mean `warmth`?"), "{found}");
    let found = error("time.adapt=(halvings: 40)");
    assert!(found.contains("a step cannot be halved 40 times; expected 1 to 20"), "{found}");
    let found = error("time.adapt=(change: [])");
    assert!(found.contains("the key `halvings` is missing"), "{found}");
}
