//! Collections: what is listed, what a resumed and a fresh run keep, and names and times that are refused.

use mpcd_output::{DataSet, DiskSink, Frame, OutputError, Part, RunOutput, Start, Surfaces};

use crate::{frame, listed};

fn walls() -> Part {
    let mut surfaces = Surfaces::new();
    surfaces.plane(0, [0.0; 3], [0.0, 0.0, 1.0], 2.0);
    Part::new("walls", surfaces.finish())
}

fn run(folder: &std::path::Path, start: Start, steps: std::ops::RangeInclusive<u64>) -> RunOutput {
    let mut out = RunOutput::start(DiskSink::shared(), folder, "heap", start).unwrap();
    out.set_fixed(walls()).unwrap();
    for step in steps {
        let (at, parts) = frame(step, step as f64 * 0.1);
        out.write_frame(at, parts).unwrap();
    }
    out
}

fn files(folder: &std::path::Path) -> Vec<String> {
    let mut names = Vec::new();
    for place in [folder.to_path_buf(), folder.join("vtk")] {
        for entry in std::fs::read_dir(place).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                names.push(path.strip_prefix(folder).unwrap().to_string_lossy().into_owned());
            }
        }
    }
    names.sort();
    names
}

#[test]
fn collections_list_every_part() {
    let folder = tempfile::tempdir().unwrap();
    let out = run(folder.path(), Start::Fresh, 0..=2);
    assert_eq!(out.saved().to_string(), "3 complete frame(s), the last at step 2, t = 0.2 s");
    assert_eq!(
        listed(folder.path(), "bodies"),
        [
            (0.0, "vtk/bodies_00000000.vtp".into()),
            (0.1, "vtk/bodies_00000001.vtp".into()),
            (0.2, "vtk/bodies_00000002.vtp".into())
        ]
    );
    assert_eq!(listed(folder.path(), "grid")[2].1, "vtk/grid_00000002.vti");
    let all = listed(folder.path(), "heap");
    assert_eq!(all.len(), 3 * 4);
    assert_eq!(all.iter().filter(|(_, file)| file == "vtk/walls.vtp").count(), 3);
    for (_, file) in all {
        assert!(folder.path().join(&file).is_file(), "{file}");
    }
    assert!(files(folder.path()).iter().all(|name| !name.ends_with(".tmp")));
}

/// Stopped after step 4, resumed from step 2: the same files, byte for byte, as the run that was never stopped.
#[test]
fn a_resumed_run_leaves_what_one_run_leaves() {
    let (whole, halves) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    run(whole.path(), Start::Fresh, 0..=6);
    run(halves.path(), Start::Fresh, 0..=4);
    let resumed = RunOutput::start(DiskSink::shared(), halves.path(), "heap", Start::Resume { step: 2, time: 0.2 }).unwrap();
    assert_eq!(resumed.saved().to_string(), "3 complete frame(s), the last at step 2, t = 0.2 s");
    assert_eq!(listed(halves.path(), "bodies").len(), 3);
    assert!(!halves.path().join("vtk/bodies_00000003.vtp").exists(), "later frames are gone");
    drop(resumed);
    run(halves.path(), Start::Resume { step: 2, time: 0.2 }, 3..=6);
    assert_eq!(files(whole.path()), files(halves.path()));
    for name in files(whole.path()) {
        let read = |folder: &tempfile::TempDir| std::fs::read(folder.path().join(&name)).unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        assert!(read(&whole) == read(&halves), "{name}:\n{}\n{}", text(read(&whole)), text(read(&halves)));
    }
}

#[test]
fn a_fresh_run_does_not_mix_with_an_old_one() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), Start::Fresh, 0..=5);
    std::fs::write(folder.path().join("vtk/mine.txt"), "keep").unwrap();
    let mut out = RunOutput::start(DiskSink::shared(), folder.path(), "heap", Start::Fresh).unwrap();
    assert_eq!(files(folder.path()), ["heap.pvd", "vtk/mine.txt"]);
    let (at, mut parts) = frame(0, 0.0);
    parts.truncate(1);
    out.write_frame(at, parts).unwrap();
    assert_eq!(files(folder.path()), ["bodies.pvd", "heap.pvd", "vtk/bodies_00000000.vtp", "vtk/mine.txt"]);
}

/// A list from elsewhere may name any file; none outside `vtk/` is removed.
#[test]
fn only_frames_are_ever_removed() {
    let folder = tempfile::tempdir().unwrap();
    for (part, name) in [("x", "precious"), ("x", "vtk/../precious2"), ("../x", "precious"), ("heap", "vtk/a")] {
        let text = format!(
            "<VTKFile type=\"Collection\">\n<Collection>\n<DataSet timestep=\"5\" part=\"0\" name=\"{part}\" file=\"{name}\"/>\n</Collection>\n</VTKFile>"
        );
        std::fs::write(folder.path().join("heap.pvd"), text).unwrap();
        std::fs::write(folder.path().join("precious"), "").unwrap();
        std::fs::write(folder.path().join("precious2"), "").unwrap();
        for start in [Start::Resume { step: 1, time: 1.0 }, Start::Fresh] {
            let _ = RunOutput::start(DiskSink::shared(), folder.path(), "heap", start);
            assert!(folder.path().join("precious").exists() && folder.path().join("precious2").exists());
        }
    }
}

#[test]
fn a_frame_at_the_same_time_replaces_the_one_before() {
    let folder = tempfile::tempdir().unwrap();
    let mut out = run(folder.path(), Start::Fresh, 0..=1);
    let (_, parts) = frame(1, 0.1);
    out.write_frame(Frame { step: 1, time: 0.1 }, parts).unwrap();
    assert_eq!(listed(folder.path(), "bodies").len(), 2);
    assert_eq!(out.saved().frames, 2);
}

#[test]
fn times_and_names_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    let mut out = run(folder.path(), Start::Fresh, 0..=3);
    for time in [0.2, f64::NAN, f64::INFINITY] {
        let refused = out.write_frame(Frame { step: 9, time }, vec![]);
        assert!(matches!(refused, Err(OutputError::FrameTime { .. })), "{time}");
    }
    let walls = |name: &str| Part::new(name, DataSet::Polys(Default::default()));
    let clash = out.set_fixed(walls("heap")).unwrap_err();
    assert_eq!(
        clash.to_string(),
        "the model or part name `heap` is used twice: `heap.pvd` would be written by both; rename one of them"
    );
    for name in ["", "../up", "a/b", ".hidden", "tab\t"] {
        assert!(matches!(out.set_fixed(walls(name)), Err(OutputError::NoName { .. })), "{name:?}");
        let started = RunOutput::start(DiskSink::shared(), folder.path(), name, Start::Fresh);
        assert!(matches!(started, Err(OutputError::NoName { .. })), "{name:?}");
    }
}

#[test]
fn a_damaged_collection_is_not_continued() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), Start::Fresh, 0..=1);
    let path = folder.path().join("heap.pvd");
    let whole = std::fs::read_to_string(&path).unwrap();
    for damaged in
        [&whole[..whole.len() / 2], "", &whole.replace("timestep=\"0.1\"", "timestep=\"soon\""), &whole.replace("file=", "fill=")]
    {
        std::fs::write(&path, damaged).unwrap();
        let error =
            RunOutput::start(DiskSink::shared(), folder.path(), "heap", Start::Resume { step: 1, time: 0.1 }).unwrap_err();
        assert!(matches!(error, OutputError::Collection { .. }));
        assert!(error.to_string().contains("heap.pvd` cannot be continued: "), "{error}");
        assert!(error.to_string().ends_with("Start afresh with `--overwrite`, or move the file away."), "{error}");
    }
}
