//! Full disks, closed folders, killed runs: what is listed is whole, and the error says what is safe.

use std::path::Path;
use std::sync::Arc;

use mpcd_output::fault::{Fault, FaultySink};
use mpcd_output::{Cell, DiskSink, History, OutputError, RunOutput, Sink, Start, Summary, write_atomically, write_durably};

use crate::{frame, listed};

fn faulty(fault: Fault) -> Arc<FaultySink> {
    Arc::new(FaultySink::new(DiskSink::shared(), fault))
}

fn run(sink: Arc<dyn Sink>, folder: &Path) -> Result<(), OutputError> {
    let columns = ["step", "time"].map(str::to_owned);
    let mut out = RunOutput::start(Arc::clone(&sink), folder, "heap", Start::Fresh)?;
    let mut history = History::start(&sink, &folder.join("history.csv"), &columns, Start::Fresh)?;
    for step in 0..4 {
        let (at, parts) = frame(step, step as f64);
        out.write_frame(at, parts)?;
        history.append(&[step.into(), at.time.into()])?;
    }
    Summary::default().save(sink.as_ref(), &folder.join("summary.json"))
}

/// Every listed file is there and whole.
fn check_whole(folder: &Path) -> usize {
    let mut frames = 0;
    for name in ["heap", "bodies", "contacts", "grid"] {
        if folder.join(format!("{name}.pvd")).exists() {
            let entries = listed(folder, name);
            for (_, file) in &entries {
                let bytes = std::fs::read(folder.join(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
                assert!(bytes.trim_ascii_end().ends_with(b"</VTKFile>"), "{file} is cut off");
            }
            frames = frames.max(entries.len());
        }
    }
    frames
}

/// Killed at every single operation in turn: whatever is listed is whole, and the run can go on from there.
#[test]
fn a_run_killed_anywhere_leaves_whole_frames() {
    let counter = faulty(Fault::Killed { operations: u64::MAX });
    run(counter.clone(), tempfile::tempdir().unwrap().path()).unwrap();
    let total = counter.operations();
    assert!(total > 100, "{total} operations");
    let mut most = 0;
    for operations in 0..total {
        let folder = tempfile::tempdir().unwrap();
        let killed = run(faulty(Fault::Killed { operations }), folder.path());
        assert!(matches!(killed, Err(OutputError::Write { .. } | OutputError::Read { .. })) || operations + 1 >= total);
        most = most.max(check_whole(folder.path()));
        if folder.path().join("heap.pvd").exists() {
            let (step, time) = (1, 1.0);
            let mut out = RunOutput::start(DiskSink::shared(), folder.path(), "heap", Start::Resume { step, time }).unwrap();
            let (at, parts) = frame(2, 2.0);
            out.write_frame(at, parts).unwrap();
            check_whole(folder.path());
            assert!(listed(folder.path(), "bodies").len() <= 3);
        }
    }
    assert_eq!(most, 12);
}

#[test]
fn a_full_disk_is_told_with_what_is_safe() {
    let folder = tempfile::tempdir().unwrap();
    run(DiskSink::shared(), folder.path()).unwrap();
    let room = 15_000;
    let folder = tempfile::tempdir().unwrap();
    let error = run(faulty(Fault::DiskFull { bytes: room }), folder.path()).unwrap_err();
    let frames = check_whole(folder.path()) / 3;
    assert!((1..4).contains(&frames), "{frames}");
    let text = error.to_string();
    assert!(text.contains("no storage space"), "{text}");
    assert!(text.contains(&format!("Saved before that: {frames} complete frame(s), the last at step {}", frames - 1)), "{text}");
    assert!(text.contains("--resume"), "{text}");
    assert!(
        std::fs::read_dir(folder.path().join("vtk")).unwrap().all(|e| !e
            .unwrap()
            .file_name()
            .to_string_lossy()
            .ends_with(".tmp"))
    );
}

#[test]
fn a_closed_folder_is_told_before_the_first_step() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("closed");
    let error =
        RunOutput::start(faulty(Fault::Refused { containing: "closed".into() }), &path, "heap", Start::Fresh).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "could not create the folder `{}`: permission denied.\nSaved before that: nothing yet; these files are complete \
             and can be opened.\nMake room or choose a writable folder with `-o DIR`, then run the same command with \
             `--resume`: it goes on from the last checkpoint.",
            path.join("vtk").display()
        )
    );
    // a real one: a file stands where the folder should be
    std::fs::write(folder.path().join("file"), "").unwrap();
    let real = RunOutput::start(DiskSink::shared(), &folder.path().join("file"), "heap", Start::Fresh);
    assert!(matches!(real, Err(OutputError::Write { action: "create the folder", .. })));
}

#[cfg(target_os = "linux")]
#[test]
fn the_full_device_is_noticed() {
    let sink = DiskSink::shared();
    let mut file = sink.append(Path::new("/dev/full")).unwrap();
    let error = std::io::Write::write_all(&mut file, b"1,2\n").unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
    // the same through a link in the place of the half-written file
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink("/dev/full", folder.path().join("a.txt.tmp")).unwrap();
    for write in [write_atomically, write_durably] {
        let error = write(sink.as_ref(), &folder.path().join("a.txt"), b"text").unwrap_err();
        assert!(error.to_string().contains("a.txt`: No space left on device"), "{error}");
        // the link was removed as the half-written file; the real one is written in its place
        std::os::unix::fs::symlink("/dev/full", folder.path().join("a.txt.tmp")).unwrap();
    }
    assert!(!folder.path().join("a.txt").exists());
}

#[test]
fn a_history_that_cannot_grow_says_how_far_it_got() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("history.csv");
    let columns = ["step", "x"].map(str::to_owned);
    let sink: Arc<dyn Sink> = faulty(Fault::DiskFull { bytes: 30 });
    let mut history = History::start(&sink, &path, &columns, Start::Fresh).unwrap();
    let mut row = |step: u64| history.append(&[step.into(), Cell::Real(0.5)]);
    let rows = (0..).take_while(|&step| row(step).is_ok()).count();
    assert_eq!(rows, 3);
    let error = row(3).unwrap_err().to_string();
    assert!(error.contains("history.csv") && error.contains("Saved before that: 3 complete row(s)"), "{error}");
    let disk = DiskSink::shared();
    let again = History::start(&disk, &path, &columns, Start::Resume { step: 100, time: 1.0 }).unwrap();
    assert_eq!((again.rows(), again.last_step()), (3, Some(2)));
}
