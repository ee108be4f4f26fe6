//! Disks that are full, folders that cannot be written, runs that are killed, steps that fail half way.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::fakes::build;
use mpcd_output::DiskSink;
use mpcd_output::fault::{Fault, FaultySink};
use mpcd_sim::{RunError, RunOptions, run};

fn go(folder: &Path, fault: Option<Fault>, resume: bool, sets: &[&str]) -> Result<Vec<u8>, RunError> {
    let mut options = RunOptions { resume, overwrite: !resume, ..RunOptions::new(folder) };
    // Without a fault the sink is one that does not wait for the device.
    let fault = fault.unwrap_or(Fault::Killed { operations: u64::MAX });
    options.sink = Arc::new(FaultySink::new(DiskSink::shared(), fault));
    let mut simulation = build(sets).unwrap();
    run(&mut simulation, &options, &AtomicBool::new(false), &mut ())?;
    simulation.save()
}

#[test]
fn a_full_disk_says_what_was_saved_and_how_to_resume() {
    let often = ["output.every=4", "output.checkpoint_every=4"];
    let folder = tempfile::tempdir().unwrap();
    let error = go(folder.path(), Some(Fault::DiskFull { bytes: 20_000 }), false, &often).unwrap_err().to_string();
    assert!(error.contains(": no storage space."), "{error}");
    assert!(error.contains("Saved before that:") && error.contains("complete frame(s), the last at step"), "{error}");
    assert!(error.contains("run the same command with `--resume`"), "{error}");
    let whole = go(tempfile::tempdir().unwrap().path(), None, false, &often).unwrap();
    assert!(go(folder.path(), None, true, &often).unwrap() == whole, "resuming gives the same bits");
}

#[test]
fn a_folder_that_cannot_be_written_is_found_before_the_first_step() {
    let error = go(Path::new("/dev/full/out"), None, false, &[]).unwrap_err().to_string();
    assert!(error.starts_with("could not create the folder `/dev/full/out`"), "{error}");
}

/// Kills the run at every operation on files in turn: whatever is left, resuming (or starting afresh where there is no
/// checkpoint yet) ends with the bits of the undisturbed run.
#[test]
fn a_run_killed_anywhere_can_go_on() {
    let sets = ["time.end=0.06", "output.every=2", "output.checkpoint_every=2"];
    let whole = go(tempfile::tempdir().unwrap().path(), None, false, &sets).unwrap();
    let (mut resumed, mut finished) = (0, false);
    for operations in 0.. {
        let folder = tempfile::tempdir().unwrap();
        if go(folder.path(), Some(Fault::Killed { operations }), false, &sets).is_ok() {
            finished = true;
            break;
        }
        let again = match go(folder.path(), None, true, &sets) {
            Ok(state) => {
                resumed += 1;
                state
            }
            Err(RunError::Checkpoint(mpcd_sim::CheckpointError::Missing { .. })) => {
                go(folder.path(), None, false, &sets).unwrap()
            }
            Err(e) => panic!("after {operations} operations: {e}"),
        };
        assert!(again == whole, "after {operations} operations");
        let history = std::fs::read_to_string(folder.path().join("history.csv")).unwrap();
        assert_eq!(history.lines().count(), 7, "after {operations} operations");
    }
    assert!(finished && resumed > 20, "{resumed}");
}

#[test]
fn a_failed_step_leaves_everything_up_to_the_step_before() {
    let folder = tempfile::tempdir().unwrap();
    let error = go(folder.path(), None, false, &["physics[0].stuck_in=8"]).unwrap_err();
    assert!(matches!(error, RunError::Solve { step: 8, .. }), "{error}");
    assert!(folder.path().join("vtk/bodies_00000007.vtp").exists() && folder.path().join("checkpoint/latest.mpcd").exists());
    let summary = std::fs::read_to_string(folder.path().join("summary.json")).unwrap();
    assert!(summary.contains("\"steps\": 7") && summary.contains("the wheel is stuck; oil it"), "{summary}");
}
