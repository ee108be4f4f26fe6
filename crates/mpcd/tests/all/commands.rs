//! `run`, `--resume`, `--set`, `doc`, `schema`, `new`, and folders that cannot be written. Signals and used folders are in `files`.

use std::path::Path;

use super::{mpcd, text};

fn base(folder: &Path) {
    std::fs::write(folder.join("model.ron"), include_str!("base.ron")).unwrap();
}

fn ok(folder: &Path, arguments: &[&str]) -> String {
    let output = mpcd(folder, arguments);
    assert!(output.status.success(), "{arguments:?}\n{}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

fn refused(folder: &Path, arguments: &[&str]) -> String {
    let output = mpcd(folder, arguments);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}\n{}", text(&output.stdout));
    text(&output.stderr)
}

#[test]
fn a_run_leaves_its_files_and_says_where() {
    let folder = tempfile::tempdir().unwrap();
    base(folder.path());
    let out = ok(folder.path(), &["run", "model.ron"]);
    assert!(out.contains("open out/model/model.pvd in ParaView"), "{out}");
    for file in ["model.pvd", "bodies.pvd", "contacts.pvd", "history.csv", "summary.json", "checkpoint", "mpcd.log"] {
        assert!(folder.path().join("out/model").join(file).exists(), "{file}");
    }
    let summary: serde_json::Value =
        serde_json::from_slice(&std::fs::read(folder.path().join("out/model/summary.json")).unwrap()).unwrap();
    assert_eq!(summary["steps"], 20);
    assert_eq!(summary["failed_steps"], 0);
    let history = std::fs::read_to_string(folder.path().join("out/model/history.csv")).unwrap();
    assert_eq!(history.lines().count(), 21);
}

#[test]
fn a_resumed_run_ends_in_the_same_bits() {
    let folder = tempfile::tempdir().unwrap();
    base(folder.path());
    ok(folder.path(), &["run", "model.ron", "-o", "whole", "--threads", "1"]);
    ok(folder.path(), &["run", "model.ron", "-o", "halves", "--threads", "2", "--until", "5e-3"]);
    ok(folder.path(), &["run", "model.ron", "-o", "halves", "--resume"]);
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    assert_eq!(read("whole/history.csv"), read("halves/history.csv"));
    let frames = |dir: &str| {
        let mut names: Vec<_> =
            std::fs::read_dir(folder.path().join(dir).join("vtk")).unwrap().map(|e| e.unwrap().file_name()).collect();
        names.sort();
        names
    };
    assert_eq!(frames("whole"), frames("halves"));
    for name in frames("whole") {
        let name = name.to_string_lossy();
        assert_eq!(read(&format!("whole/vtk/{name}")), read(&format!("halves/vtk/{name}")), "{name}");
    }
}

#[test]
fn set_changes_a_value_and_its_errors_show_the_argument() {
    let folder = tempfile::tempdir().unwrap();
    base(folder.path());
    let out = ok(folder.path(), &["run", "model.ron", "--set", "time.end=2e-3"]);
    assert!(out.contains("4 steps"), "{out}");
    let out = refused(folder.path(), &["check", "model.ron", "--set", "time.step=-1"]);
    assert!(out.contains("--set time.step=-1") && out.contains("above zero"), "{out}");
    let out = refused(folder.path(), &["check", "model.ron", "--set", "tim.step=1"]);
    assert!(out.contains("tim"), "{out}");
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let folder = tempfile::tempdir().unwrap();
    base(folder.path());
    let out = refused(folder.path(), &["run", "model.ron", "-o", "/dev/full/out"]);
    assert!(out.contains("/dev/full/out") && out.contains("-o"), "{out}");
}

#[test]
fn resume_without_a_checkpoint_or_with_another_model_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    base(folder.path());
    let out = refused(folder.path(), &["run", "model.ron", "-o", "none", "--resume"]);
    assert!(out.contains("no checkpoint"), "{out}");
    ok(folder.path(), &["run", "model.ron", "-o", "out", "--until", "2e-3"]);
    let out = refused(folder.path(), &["run", "model.ron", "-o", "out", "--resume", "--set", "time.step=1e-4"]);
    assert!(out.contains("belongs to another model"), "{out}");
}

#[test]
fn doc_describes_everything_a_model_can_name() {
    let here = Path::new(".");
    let list = ok(here, &["doc"]);
    for name in ["Contact", "Electrical", "Thermal", "Darcy", "Coulomb", "Disc", "Plane", "Lattice", "Velocity", "elastic"] {
        assert!(list.contains(name), "{name} is not listed");
        let page = ok(here, &["doc", name]);
        assert!(page.lines().count() > 2 && page.contains(':'), "{page}");
    }
    assert!(ok(here, &["doc", "contact"]).contains("tolerance"));
    // what a key may be set to
    for (name, word) in
        [("uniform", "Largest radius"), ("Grain", "How many corners"), ("ramp", "start"), ("Shuffled", "(in Contact)")]
    {
        let page = ok(here, &["doc", name]);
        assert!(page.contains(word), "{page}");
    }
    // entries of a fixed number are written in round brackets
    for (name, words) in
        [("Surface", "triangles: list of (integer, integer, integer)"), ("Hinge", "limits: (an angle [1], an angle [1])")]
    {
        let page = ok(here, &["doc", name]);
        assert!(page.contains(words), "{page}");
    }
    assert!(refused(here, &["doc", "contac"]).contains("did you mean `Contact`?"));
    let schema: serde_json::Value = serde_json::from_str(&ok(here, &["schema"])).unwrap();
    assert!(schema["x-open"]["physics module"]["Contact"].is_object());
}

#[test]
fn explain_tells_the_schedule() {
    let folder = tempfile::tempdir().unwrap();
    base(folder.path());
    let out = ok(folder.path(), &["explain", "model.ron"]);
    assert!(out.contains("Contact") && out.contains("Thermal"), "{out}");
}

#[test]
fn new_writes_a_model_that_checks() {
    let folder = tempfile::tempdir().unwrap();
    let gallery = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models"));
    let folders = std::fs::read_dir(gallery).unwrap().map(|e| e.unwrap().path()).filter(|p| p.is_dir());
    let files = folders.flat_map(|f| std::fs::read_dir(f).unwrap().map(|e| e.unwrap().path()).collect::<Vec<_>>());
    let models: Vec<_> = files.filter(|p| p.extension().is_some_and(|e| e == "ron")).collect();
    let list = ok(folder.path(), &["new", "x", "--from", "list"]);
    let mut listed: Vec<_> = list.lines().map(str::to_owned).collect();
    listed.sort();
    let mut names: Vec<_> = models.iter().map(|p| p.file_stem().unwrap().to_str().unwrap().to_owned()).collect();
    names.sort();
    assert_eq!(listed, names, "the gallery, whole");
    for model in models {
        let name = model.file_stem().unwrap().to_str().unwrap();
        ok(folder.path(), &["new", name, "--from", name]);
        let written = std::fs::read_to_string(folder.path().join(format!("{name}.ron"))).unwrap();
        assert_eq!(written, std::fs::read_to_string(&model).unwrap());
        assert!(refused(folder.path(), &["new", name]).contains("cannot write"), "an existing file is kept");
    }
}

#[test]
fn stored_problems_are_solved_and_faults_are_named() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("broken.hdf5"), b"no HDF5 at all").unwrap();
    let out = refused(folder.path(), &["fclib", "solve", "broken.hdf5"]);
    assert!(out.contains("broken.hdf5"), "{out}");
    assert!(refused(folder.path(), &["fclib", "solve", "broken.hdf5", "--tolerance=-1"]).contains("above zero"));
    assert!(refused(folder.path(), &["fclib", "bench", ".", "--solvers", "autp"]).contains("no solver `autp`"));
    let collection = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/fclib/open"));
    if !collection.is_dir() {
        assert!(std::env::var_os("MPCD_REQUIRE_SHARED").is_none(), "the reference collection is not there");
        eprintln!("SKIPPED: no reference collection beside the checkout");
        return;
    }
    let file = folder.path().join("rover.hdf5");
    std::fs::copy(collection.join("sic-Rover1039.hdf5"), &file).unwrap();
    let out = ok(
        folder.path(),
        &["fclib", "solve", "rover.hdf5", "--tolerance", "1e-8", "--measure", "siconos", "--write-solution", "--csv", "t.csv"],
    );
    assert!(out.contains("status converged"), "{out}");
    assert!(folder.path().join("rover.solution.hdf5").exists() && folder.path().join("t.csv").exists());
    ok(folder.path(), &["fclib", "bench", ".", "--solvers", "auto,nlgs", "-o", "bench"]);
    assert!(std::fs::read_to_string(folder.path().join("bench/profile.svg")).unwrap().contains("<svg"));
}

/// What watchdogs let pass is counted by step, over the whole run however often it was stopped.
#[test]
fn the_summary_counts_what_watchdogs_saw() {
    let folder = tempfile::tempdir().unwrap();
    let model = r#"(
      title: "A press that comes to a stop, and a ball pressed on a plate that turns",
      dimension: 2,
      time: (step: "1 ms", end: "30 ms"),
      materials: {"steel": (density: 7800)},
      bodies: [
        (group: "press", material: "steel", shape: Box(size: (0.2, 0.2)), at: (0, 0.2105)),
        (group: "stop", material: "steel", shape: Box(size: (0.2, 0.2)), at: (0, 0)),
        (group: "fan", material: "steel", shape: Box(size: (0.2, 0.02)), at: (5, 0)),
        (group: "ball", material: "steel", shape: Disc(radius: 0.01), at: (5, 0.0200001)),
      ],
      interactions: [
        (between: ("press", "stop"), law: Coulomb(friction: 0.3)),
        (between: ("fan", "ball"), law: Coulomb(friction: 0)),
        (between: ("press", "fan"), law: NoContact), (between: ("press", "ball"), law: NoContact),
        (between: ("stop", "fan"), law: NoContact), (between: ("stop", "ball"), law: NoContact),
      ],
      loads: [
        (on: "press", load: Velocity(x: 0, y: -1, spin_z: 0)),
        (on: "stop", load: Fixed),
        (on: "fan", load: Velocity(x: 0, y: 0, spin_z: 1)),
        (on: "ball", load: Force(y: -1e5)),
        (on: "ball", load: Locked(axes: [X])),
      ],
      physics: [Contact(watch: (spin_limit: 5e-4))],
    )"#;
    std::fs::write(folder.path().join("model.ron"), model).unwrap();
    ok(folder.path(), &["run", "model.ron", "-o", "whole"]);
    ok(folder.path(), &["run", "model.ron", "-o", "halves", "--until", "15e-3"]);
    ok(folder.path(), &["run", "model.ron", "-o", "halves", "--resume"]);
    let warnings = |name: &str| -> Vec<String> {
        let summary = std::fs::read(folder.path().join(name).join("summary.json")).unwrap();
        let summary: serde_json::Value = serde_json::from_slice(&summary).unwrap();
        summary["warnings"].as_array().unwrap().iter().map(|w| w.as_str().unwrap().to_owned()).collect()
    };
    let seen = warnings("whole");
    let of = |what: &str| seen.iter().find(|w| w.starts_with(&format!("watch `{what}`: in "))).unwrap();
    assert!(of("prescribed").starts_with("watch `prescribed`: in 1 step(s); the first: body 0 (group \"press\")"), "{seen:?}");
    assert!(
        of("spin").starts_with("watch `spin`: in 30 step(s); the first: body 2 (group \"fan\") turns by 0.00 rad"),
        "{seen:?}"
    );
    assert_eq!(seen, warnings("halves"));
}
