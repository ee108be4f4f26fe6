//! What a step does that misses its tolerance, cannot be computed, or is not finite.

use crate::fakes::build;
use mpcd_core::{Book, Status};
use mpcd_sim::{RunError, RunOptions, run};
use std::sync::atomic::AtomicBool;

#[test]
fn stop_names_the_worst_contact_and_what_to_try() {
    let mut simulation = build(&["physics[0].longest=0.001", "time.on_failure=Stop"]).unwrap();
    let before = simulation.save().unwrap();
    let error = simulation.step().unwrap_err().to_string();
    assert_eq!(
        error,
        "step 1 (t = 0 s, h = 0.01 s) is not accepted: `Mover` ended as max_iterations after 3 iterations with a residual of 5.000e-1 (tolerance 1.0e-5)\n  \
         worst at contact 0 of body 1 (group \"grains\"); look there\n  \
         Two things to try: a shorter `step` in `time`, or a larger `max_iterations` of `Mover`. A larger `tolerance` accepts more error, in forces and overlaps too.\n  \
         To go on in spite of it, set `on_failure: Continue` in `time`; or leave `on_failure` out, and such steps are halved"
    );
    assert!(simulation.save().unwrap() == before, "a refused step leaves nothing behind");
}

#[test]
fn continue_accepts_and_counts() {
    let mut simulation = build(&["physics[0].longest=0.001", "time.on_failure=Continue"]).unwrap();
    for _ in 0..3 {
        let outcome = simulation.step().unwrap();
        assert_eq!((outcome.status, outcome.missed.is_some()), (Status::MaxIterations, true));
    }
    assert_eq!((simulation.counters().failed_steps, simulation.counters().worst_residual), (3, 0.5));
    assert_eq!(simulation.summary().warnings, ["3 step(s) were accepted although they missed a tolerance"]);
}

#[test]
fn halve_redoes_the_step_in_parts_that_fill_it() {
    let mut simulation = build(&["physics[0].longest=0.003", "time.on_failure=Halve(3)", "time.end=0.02"]).unwrap();
    let mut taken = Vec::new();
    while !simulation.finished() {
        let outcome = simulation.step().unwrap();
        taken.push((outcome.h, outcome.rejected));
    }
    // 0.01 and 0.005 are too long, 0.0025 is short enough; longer steps are tried again where they fit.
    assert_eq!(taken[0], (0.0025, 2));
    assert!((taken.iter().map(|t| t.0).sum::<f64>() - 0.02).abs() < 1e-15 && (simulation.time() - 0.02).abs() < 1e-15);
    assert_eq!(taken.len(), 8);
    assert_eq!(simulation.counters().failed_steps, 0);

    let mut simulation = build(&["physics[0].longest=0.001", "time.on_failure=Halve(3)"]).unwrap();
    let before = simulation.save().unwrap();
    let error = simulation.step().unwrap_err();
    assert!(matches!(error, RunError::NotConverged { halved: 3, .. }));
    let said = error.to_string();
    let begins = "step 1 (t = 0 s, h = 0.00125 s) is not accepted, though it was halved 3 times: `Mover` ended as max_iterations";
    assert!(said.starts_with(begins) && said.ends_with("set `on_failure: Continue` in `time`"), "{said}");
    let content = |s: &mpcd_sim::Simulation| (s.time(), s.steps(), s.fields().get("height").unwrap().to_vec());
    assert_eq!(simulation.counters().rejected, 3);
    let after = content(&simulation);
    simulation.restore(&before).unwrap();
    assert_eq!(after, content(&simulation));
}

/// A model that says nothing has four halvings; the run and its summary say what failed first and how often.
#[test]
fn a_step_that_fails_is_halved_by_default() {
    let mut simulation = build(&["physics[0].longest=0.003", "time.end=0.02"]).unwrap();
    let first = simulation.step().unwrap();
    assert_eq!((first.h, first.rejected, first.counted), (0.0025, 2, None));
    while !simulation.finished() {
        simulation.step().unwrap();
    }
    // each whole step fails once in whole or in half before its parts: 2 times in the first, then once where the half is tried again
    let counters = simulation.counters();
    assert_eq!((counters.halved, counters.rejected, counters.failed_steps), (counters.rejected, counters.rejected, 0));
    let summary = simulation.summary();
    assert_eq!(summary.halved_steps, counters.halved);
    let words = format!(
        "{} step(s) failed, or were too long for their contacts, and were done again with half their length; the first: step 1 (t = 0 s, h = 0.01 s): `Mover` ended as max_iterations",
        counters.halved
    );
    assert!(summary.warnings[0].starts_with(&words), "{:?}", summary.warnings);

    let mut simulation = build(&["physics[0].longest=0.0001"]).unwrap();
    assert!(matches!(simulation.step().unwrap_err(), RunError::NotConverged { halved: 4, .. }));
}

/// What goes by steps is not shifted where some were halved: frames, rows and modules that run every so many count whole steps.
#[test]
fn frames_and_rows_come_with_whole_steps() {
    let folder = tempfile::tempdir().unwrap();
    let sets = ["physics[0].longest=0.006", "output=(every: 4, history_every: 5)"];
    let mut simulation = build(&sets).unwrap();
    run(&mut simulation, &RunOptions::new(folder.path()), &AtomicBool::new(false), &mut ()).unwrap();
    assert_eq!((simulation.steps(), simulation.counters().halved), (40, 20));
    let text = std::fs::read_to_string(folder.path().join("bodies.pvd")).unwrap();
    let times = |text: &str| -> Vec<f64> {
        text.split("timestep=\"").skip(1).map(|t| t.split('"').next().unwrap().parse().unwrap()).collect()
    };
    let (frames, wanted) = (times(&text), (0..=5).map(|k| 0.04 * f64::from(k)));
    assert!(frames.len() == 6 && frames.iter().zip(wanted).all(|(t, w)| (t - w).abs() < 1e-12), "{frames:?}");
    let history = std::fs::read_to_string(folder.path().join("history.csv")).unwrap();
    let rows: Vec<&str> = history.lines().skip(1).map(|row| row.split(',').next().unwrap()).collect();
    assert_eq!(rows, ["10", "20", "30", "40"]);
}

/// Where no shorter step would help none is tried.
#[test]
fn what_no_shorter_step_avoids_is_refused_at_once() {
    let stuck = "module `Mover` cannot go on: the wheel is stuck; oil it";
    for (set, halved, words) in [("false", 4, " s, halved 4 times): "), ("true", 0, " s): ")] {
        let mut simulation = build(&["physics[0].stuck_in=1", &format!("physics[0].for_good={set}")]).unwrap();
        assert_eq!(simulation.step().unwrap_err().to_string(), format!("step 1 (t = 0{words}{stuck}"));
        assert_eq!((simulation.counters().halved, simulation.counters().rejected), (halved, halved));
    }
}

#[test]
fn what_is_not_finite_is_never_accepted() {
    for policy in ["Stop", "Continue"] {
        let mut simulation = build(&["physics[0].nan_in=2", &format!("time.on_failure={policy}")]).unwrap();
        simulation.step().unwrap();
        assert_eq!(
            simulation.step().unwrap_err().to_string(),
            "step 2 (t = 0.01 s): the position of body 0 (group \"grains\") is not a finite number after module `Mover`; the motion \
             has diverged. Try a shorter `step` in `time`, and look for overlaps at the start with `mpcd check`"
        );
        assert!(simulation.world().kinematics.position[0].y.is_finite());
    }
}

#[test]
fn a_module_that_cannot_go_on_says_why() {
    let mut simulation = build(&["physics[0].stuck_in=1", "time.on_failure=Stop"]).unwrap();
    assert_eq!(
        simulation.step().unwrap_err().to_string(),
        "step 1 (t = 0 s): module `Mover` cannot go on: the wheel is stuck; oil it"
    );
}

#[test]
fn books_that_do_not_close_are_reported() {
    let mut simulation = build(&[]).unwrap();
    while !simulation.finished() {
        simulation.step().unwrap();
    }
    let momentum = simulation.books().account(Book::Momentum).unwrap();
    assert!(momentum.worst < 1e-14, "{momentum:?}");
    // Free fall for 0.2 s: the work of gravity is the kinetic energy gained.
    let energy = simulation.books().account(Book::Energy).unwrap();
    let mass = 250.0 * std::f64::consts::PI;
    let kinetic = 0.5 * mass * (4.0 + 9.0);
    assert!((energy.store("kinetic").unwrap().x - kinetic).abs() < 1e-9 * kinetic);
    assert!((energy.flow("external").unwrap().x - (kinetic - 0.5 * mass)).abs() < 1e-9 * kinetic && energy.shown_worst() < 1e-14);

    let mut simulation = build(&["physics[0].leak=1e-6"]).unwrap();
    simulation.step().unwrap();
    let warning = &simulation.summary().warnings[0];
    assert!(
        warning.starts_with("the book of momentum does not close: its largest imbalance is") && warning.contains("in step 1"),
        "{warning}"
    );
}
