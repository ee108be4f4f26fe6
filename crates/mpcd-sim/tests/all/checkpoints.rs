//! Checkpoints: the same bits after a resume, and clear words about those that cannot be used.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use crate::fakes::{build, parse};
use mpcd_sim::{Ended, RunOptions, Simulation, checkpoint, run};

/// The run that `run.json` names, if it is there.
fn run_of(folder: &Path) -> Option<String> {
    let text = std::fs::read_to_string(folder.join("run.json")).ok()?;
    let record: mpcd_output::Record = serde_json::from_str(&text).unwrap();
    Some(record.run)
}

const SETS: [&str; 3] = [
    "physics=[Mover(reach: 1.02), Spring(stiffness: 1e5, implicit: true), Counter()]",
    "output.every=3",
    "output.checkpoint_every=3",
];

fn go(folder: &Path, until: Option<f64>, resume: bool) -> (Simulation, mpcd_sim::RunSummary) {
    let mut simulation = build(&SETS).unwrap();
    let options = RunOptions { until, resume, ..RunOptions::new(folder) };
    let summary = run(&mut simulation, &options, &AtomicBool::new(false), &mut ()).unwrap();
    (simulation, summary)
}

#[test]
fn a_resumed_run_leaves_what_a_plain_one_leaves() {
    let (plain, parts) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (whole, summary) = go(plain.path(), None, false);
    assert_eq!(summary.ended, Ended::Finished);
    let (_, half) = go(parts.path(), Some(0.09), false);
    assert_eq!((half.ended, half.summary.steps), (Ended::Until, 9));
    let (resumed, summary) = go(parts.path(), None, true);
    assert_eq!((summary.ended, summary.summary.steps), (Ended::Finished, 20));
    assert!(whole.save().unwrap() == resumed.save().unwrap(), "states differ");
    for file in ["history.csv", "discs.pvd", "bodies.pvd", "vtk/bodies_00000018.vtp", "input/discs.ron"] {
        let read = |folder: &Path| std::fs::read(folder.join(file)).unwrap();
        assert!(read(plain.path()) == read(parts.path()), "{file} differs");
    }
}

/// The last frame of a run that is stopped between two comes after the checkpoint of that step.
#[test]
fn a_run_is_resumed_from_a_step_without_a_frame() {
    let folder = tempfile::tempdir().unwrap();
    let go = |until: Option<f64>, resume: bool| {
        let mut simulation = build(&[SETS[0], "output.every=7", "output.checkpoint_every=1"]).unwrap();
        let options = RunOptions { until, resume, ..RunOptions::new(folder.path()) };
        run(&mut simulation, &options, &AtomicBool::new(false), &mut ()).map(|s| s.summary.steps).map_err(|e| e.to_string())
    };
    assert_eq!((go(Some(0.09), false), go(None, true)), (Ok(9), Ok(20)));
}

/// Stopped between two frames, and again between two others, a run leaves what one leaves that was not: the frames and the rows that showed where it stopped are gone.
#[test]
fn what_shows_where_a_run_stopped_goes_when_it_goes_on() {
    let (plain, parts) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let go = |folder: &Path, until: Option<f64>, resume: bool| {
        let speeds = "output.distributions=[(name: \"speeds\", of: \"speed\")]";
        let mut simulation = build(&[SETS[0], "output.every=7", speeds]).unwrap();
        let options = RunOptions { until, resume, ..RunOptions::new(folder) };
        run(&mut simulation, &options, &AtomicBool::new(false), &mut ()).map(|s| s.frames).unwrap_or_else(|e| panic!("{e}"))
    };
    let whole = go(plain.path(), None, false);
    // with the start, and the frame that shows step 9
    assert_eq!(go(parts.path(), Some(0.09), false), 3);
    let rows = |folder: &Path| std::fs::read_to_string(folder.join("speeds.csv")).unwrap().lines().count();
    assert_eq!(rows(parts.path()), 3);
    // stopped again before the first step of its own
    assert_eq!(go(parts.path(), Some(0.09), true), 3);
    assert_eq!(go(parts.path(), Some(0.12), true), 3);
    assert_eq!(go(parts.path(), None, true), whole);
    for file in ["history.csv", "speeds.csv", "discs.pvd", "bodies.pvd"] {
        let read = |folder: &Path| std::fs::read(folder.join(file)).unwrap();
        assert!(read(plain.path()) == read(parts.path()), "{file} differs");
    }
    let frames = |folder: &Path| {
        let mut names: Vec<_> = std::fs::read_dir(folder.join("vtk")).unwrap().map(|f| f.unwrap().file_name()).collect();
        names.sort();
        names
    };
    assert_eq!(frames(plain.path()), frames(parts.path()));
}

#[test]
fn a_finished_run_goes_on_when_its_end_is_moved() {
    let (plain, parts) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let go = |folder: &Path, end: &str, resume: bool| {
        let mut simulation = build(&[SETS[0], SETS[1], SETS[2], end]).unwrap();
        let options = RunOptions { resume, ..RunOptions::new(folder) };
        (run(&mut simulation, &options, &AtomicBool::new(false), &mut ()).unwrap().summary.steps, simulation.save().unwrap())
    };
    let whole = go(plain.path(), "time.end=0.3", false);
    assert_eq!(go(parts.path(), "time.end=0.2", false).0, 20);
    let resumed = go(parts.path(), "time.end=0.3", true);
    assert_eq!((whole.0, resumed.0), (30, 30));
    assert!(whole.1 == resumed.1, "states differ");
    let read = |folder: &Path| std::fs::read(folder.join("history.csv")).unwrap();
    assert!(read(plain.path()) == read(parts.path()), "history differs");
}

#[test]
fn a_damaged_checkpoint_falls_back_to_the_one_before() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, _) = go(folder.path(), None, false);
    let latest = folder.path().join("checkpoint/latest.mpcd");
    let mut bytes = std::fs::read(&latest).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&latest, &bytes).unwrap();
    let (resumed, _) = go(folder.path(), None, true);
    assert!(whole.save().unwrap() == resumed.save().unwrap());
}

#[test]
fn unusable_checkpoints_say_why() {
    let folder = tempfile::tempdir().unwrap();
    let resume = |sets: &[&str]| {
        let mut simulation = build(sets).unwrap();
        let sink = mpcd_output::DiskSink;
        let error =
            checkpoint::resume(&mut simulation, run_of(folder.path()).as_deref(), &sink, folder.path()).unwrap_err().to_string();
        error.replace(&format!("{}/", folder.path().display()), "OUT/")
    };
    assert_eq!(
        resume(&SETS),
        "there is no checkpoint in `OUT/checkpoint`; run without `--resume`, or name the folder of the earlier run with `-o`"
    );
    go(folder.path(), Some(0.02), false);
    let error = resume(&["time.step=0.02"]);
    assert!(
        error
            .starts_with("the checkpoint `OUT/checkpoint/latest.mpcd` belongs to another model or other `--set` values (digest "),
        "{error}"
    );
    assert!(error.ends_with("; resume with the same model, or start afresh with `--overwrite`"), "{error}");
    // it said that it had reached the earlier time, with the state of the later
    let mut earlier = SETS.to_vec();
    earlier.push("time.end=0.015");
    assert_eq!(
        resume(&earlier),
        "the checkpoint `OUT/checkpoint/latest.mpcd` was written at t = 2e-2 s, beyond `time.end`, 1.5e-2 s; name a later end, or start afresh with `--overwrite`"
    );
    let file = |name: &str| folder.path().join("checkpoint").join(name);
    std::fs::write(file("latest.mpcd"), b"not a checkpoint").unwrap();
    let _ = std::fs::remove_file(file("previous.mpcd"));
    assert_eq!(
        resume(&SETS),
        "the checkpoint `OUT/checkpoint/latest.mpcd` is damaged (it is no checkpoint); remove it to resume from the one before, or start afresh with `--overwrite`"
    );
    let _ = parse;
}

#[test]
fn every_damaged_byte_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    go(folder.path(), Some(0.02), false);
    let latest = folder.path().join("checkpoint/latest.mpcd");
    let _ = std::fs::remove_file(folder.path().join("checkpoint/previous.mpcd"));
    let bytes = std::fs::read(&latest).unwrap();
    let run = run_of(folder.path());
    let refused = |bytes: &[u8]| {
        std::fs::write(&latest, bytes).unwrap();
        checkpoint::resume(&mut build(&SETS).unwrap(), run.as_deref(), &mpcd_output::DiskSink, folder.path()).is_err()
    };
    for i in (0..bytes.len()).step_by(7) {
        let mut damaged = bytes.clone();
        damaged[i] ^= 0x10;
        assert!(refused(&damaged), "byte {i}");
        assert!(refused(&bytes[..i]), "cut at {i}");
    }
    assert!(!refused(&bytes));
}
