//! Files and runs through the program: used folders, locks, signals, and everything that is no model file.

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use super::{gallery, mpcd, text};

fn base(folder: &Path) {
    std::fs::write(folder.join("model.ron"), include_str!("base.ron")).unwrap();
}

/// The output of a command that must end within a minute.
fn ended(mut child: Child) -> Output {
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > Duration::from_secs(60) {
            child.kill().unwrap();
            panic!("it does not end");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().unwrap()
}

fn start(folder: &Path, arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mpcd"));
    command.args(arguments).current_dir(folder).env("NO_COLOR", "1");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn refused(folder: &Path, arguments: &[&str]) -> String {
    let output = ended(start(folder, arguments));
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}\n{said}");
    assert!(!said.contains("panicked"), "{said}");
    said
}

/// The words of a message, without the lines and folds of its picture.
fn words(out: &str) -> String {
    out.replace(['│', '×'], " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_second_run_in_a_folder_needs_overwrite() {
    let folder = tempfile::tempdir().unwrap();
    base(folder.path());
    let run = ["run", "model.ron", "--until", "1e-3"];
    assert!(mpcd(folder.path(), &run).status.success());
    let said = refused(folder.path(), &run);
    assert!(
        said.starts_with("the folder `out/model` holds a run of `model` already, which reached t = 0.001 s in 2 steps"),
        "{said}"
    );
    assert!(said.contains("`--overwrite` removes the files of that run") && !said.contains("what was reached"), "{said}");
    std::fs::write(folder.path().join("out/model/notes.txt"), "mine").unwrap();
    assert!(mpcd(folder.path(), &["run", "model.ron", "--overwrite", "--set", "output.every=1"]).status.success());
    let kept = |name: &str| std::fs::read_to_string(folder.path().join("out/model").join(name)).unwrap();
    assert_eq!((kept("notes.txt").as_str(), kept("history.csv").lines().count()), ("mine", 21));
    assert_eq!(kept("input/model.ron"), include_str!("base.ron"));
    let record: serde_json::Value = serde_json::from_str(&kept("run.json")).unwrap();
    assert_eq!(record["set"], serde_json::json!(["output.every=1"]));
    assert_eq!(kept("mpcd.log").matches("resumed").count(), 0, "the log is that of the new run");
    let both = mpcd(folder.path(), &["run", "model.ron", "--overwrite", "--resume"]);
    assert_eq!(both.status.code(), Some(2), "{}", text(&both.stderr));
}

#[test]
fn files_that_a_model_names_are_kept_by_digest() {
    let folder = tempfile::tempdir().unwrap();
    let packing = "Lattice(from: (0.1, 0), to: (0.2, 0.1), sizes: Fixed(radius: \"10 mm\"))";
    let model = include_str!("base.ron");
    assert!(model.contains(packing));
    std::fs::write(folder.path().join("model.ron"), model.replace(packing, "Csv(file: \"grains.csv\")")).unwrap();
    let go = |table: &str, more: &[&str]| {
        std::fs::write(folder.path().join("grains.csv"), table).unwrap();
        let arguments = [&["run", "model.ron", "--until", "1e-3"], more].concat();
        let output = mpcd(folder.path(), &arguments);
        (output.status.success(), text(&output.stderr))
    };
    assert!(go("0.1,0.05,0.01\n", &[]).0);
    let record = std::fs::read_to_string(folder.path().join("out/model/run.json")).unwrap();
    let record: serde_json::Value = serde_json::from_str(&record).unwrap();
    assert_eq!(record["reads"][0]["file"], "grains.csv");
    assert_eq!(record["reads"][0]["digest"].as_str().unwrap().len(), 32);
    let (done, said) = go("0.1,0.06,0.01\n", &["--resume"]);
    assert!(!done && said.contains("belongs to another model"), "a changed table is another model: {said}");
}

/// A long run in the folder `out`, well under way.
#[cfg(unix)]
fn under_way(folder: &Path, program: &[&str]) -> Child {
    let model = gallery("contact/bouncing-balls.ron");
    let arguments = ["run", model.to_str().unwrap(), "-o", "out", "--set", "time.end=1000"];
    let mut command = Command::new(program[0]);
    command.args(&program[1..]).args(arguments).current_dir(folder);
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let begun = Instant::now();
    while rows(folder) < 50 {
        assert!(begun.elapsed() < Duration::from_secs(60), "the run does not start");
        std::thread::sleep(Duration::from_millis(5));
    }
    child
}

#[cfg(unix)]
fn rows(folder: &Path) -> usize {
    std::fs::read_to_string(folder.join("out/history.csv")).map_or(0, |h| h.lines().count())
}

#[cfg(unix)]
fn signal(name: &str, child: &Child) {
    assert!(Command::new("kill").args([name, &child.id().to_string()]).status().unwrap().success());
}

#[cfg(unix)]
#[test]
fn signals_end_a_run_in_order_with_their_exit_code() {
    for (name, code) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
        let folder = tempfile::tempdir().unwrap();
        let child = under_way(folder.path(), &[env!("CARGO_BIN_EXE_mpcd")]);
        signal(name, &child);
        let output = ended(child);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{name}: {said}");
        assert!(said.contains("stopping at the end of this step (Ctrl-C again to stop at once)"), "{name}: {said}");
        assert!(
            said.contains("interrupted; `mpcd run ") && said.contains(" --set 'time.end=1000' --resume` goes on from here"),
            "{said}"
        );
        let done = rows(folder.path());
        assert!(done < 1_000_000, "{name}: it was not interrupted");
        let summary = std::fs::read_to_string(folder.path().join("out/summary.json")).unwrap();
        assert!(summary.contains(&format!("\"steps\": {}", done - 1)), "{name}: the last step is in the summary");
        let model = gallery("contact/bouncing-balls.ron");
        let until = format!("{}", (done as f64 + 20.0) * 1e-3);
        let again = ["run", model.to_str().unwrap(), "-o", "out", "--set", "time.end=1000", "--resume", "--until", &until];
        let output = mpcd(folder.path(), &again);
        assert!(output.status.success(), "{name}: {}", text(&output.stderr));
        assert!(rows(folder.path()) > done, "{name}");
    }
}

#[cfg(unix)]
#[test]
fn two_runs_do_not_share_a_folder_and_a_killed_one_leaves_no_lock() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = under_way(folder.path(), &[env!("CARGO_BIN_EXE_mpcd")]);
    base(folder.path());
    for more in ["--overwrite", "--resume", "--threads=1"] {
        let said = refused(folder.path(), &["run", "model.ron", "-o", "out", more]);
        let expected =
            format!("a run is going on in the folder `out` (process {}): two runs would write over each other", child.id());
        assert!(said.starts_with(&expected), "{said}");
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let output = mpcd(folder.path(), &["run", "model.ron", "-o", "out", "--overwrite"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let names = |dir: &str| {
        let entries = std::fs::read_dir(folder.path().join(dir)).unwrap();
        entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect::<Vec<_>>()
    };
    assert!(!names("out").contains(&"bouncing-balls.pvd".to_owned()), "{:?}", names("out"));
    assert_eq!(names("out/vtk").len(), 5 * 3, "no frame of the killed run is left: {:?}", names("out/vtk"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_run_that_was_started_to_outlive_its_terminal_does() {
    let folder = tempfile::tempdir().unwrap();
    let child = under_way(folder.path(), &["nohup", env!("CARGO_BIN_EXE_mpcd")]);
    let before = rows(folder.path());
    signal("-HUP", &child);
    let begun = Instant::now();
    while rows(folder.path()) < before + 200 {
        assert!(begun.elapsed() < Duration::from_secs(60), "the hangup stopped it");
        std::thread::sleep(Duration::from_millis(5));
    }
    signal("-TERM", &child);
    assert_eq!(ended(child).status.code(), Some(143));
}

#[test]
fn what_is_no_model_file_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let says = |name: &str, expected: &str| {
        let said = words(&refused(folder.path(), &["check", name]));
        let expected = format!("cannot read the model: {expected}; expected a text file in RON");
        assert!(said.contains(&expected), "{name}: {said}\n  expected {expected}");
    };
    std::fs::create_dir(at("folder")).unwrap();
    says("folder", "it is a folder, expected a file");
    says("missing.ron", "No such file or directory (os error 2)");
    std::fs::write(at("empty.ron"), " \r\n").unwrap();
    says("empty.ron", "it is empty");
    std::fs::write(at("latin.ron"), b"(\n  title: \"Schl\xe4gel\",\n)").unwrap();
    says("latin.ron", "line 2 is not written in UTF-8; save it as UTF-8");
    std::fs::write(at("wide.ron"), b"\xff\xfe(\0)\0").unwrap();
    says("wide.ron", "it is written in UTF-16, expected UTF-8; save it as UTF-8");
    std::fs::File::create(at("huge.ron")).unwrap().set_len(1 << 30).unwrap();
    says("huge.ron", "it has 1073741824 bytes, expected at most 67108864");
    #[cfg(unix)]
    {
        for device in ["/dev/zero", "/dev/null", "/dev/full"] {
            says(device, "it is a pipe, socket or device, expected a file");
        }
        assert!(Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
        says("pipe", "it is a pipe, socket or device, expected a file");
        let model = include_str!("base.ron")
            .replace("Lattice(from: (0.1, 0), to: (0.2, 0.1), sizes: Fixed(radius: \"10 mm\"))", "Csv(file: \"pipe\")");
        std::fs::write(at("table.ron"), model).unwrap();
        let said = words(&refused(folder.path(), &["check", "table.ron"]));
        assert!(said.contains("cannot read the file `pipe`: it is a pipe, socket or device, expected a file"), "{said}");
    }
}

#[test]
fn marks_of_windows_editors_are_no_fault() {
    let folder = tempfile::tempdir().unwrap();
    let model = format!("\u{feff}{}", include_str!("base.ron").replace('\n', "\r\n"));
    std::fs::write(folder.path().join("model.ron"), &model).unwrap();
    let output = mpcd(folder.path(), &["check", "model.ron"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let wrong = model.replace("step: \"0.5 ms\"", "step: \"0.5 mm\"");
    std::fs::write(folder.path().join("model.ron"), wrong).unwrap();
    let said = refused(folder.path(), &["check", "model.ron"]);
    assert!(said.contains("model.ron:5:") && said.contains("which is in m"), "{said}");
}

#[test]
fn models_made_to_hurt_are_refused_in_few_words() {
    let model = include_str!("base.ron");
    let folder = tempfile::tempdir().unwrap();
    let says = |name: &str, model: String, expected: &str| {
        std::fs::write(folder.path().join("model.ron"), model).unwrap();
        let said = refused(folder.path(), &["check", "model.ron"]);
        assert!(said.len() < 40_000, "{name}: {} bytes", said.len());
        assert!(words(&said).contains(expected), "{name}: expected {expected}\n{said}");
    };
    let materials = model.find("materials: {").unwrap();
    let bodies = model.find("bodies: [").unwrap();
    let without = format!("{}materials: {{}},\n  {}", &model[..materials], &model[bodies..]);
    says("no materials", without, "unknown material `steel`; none is known");
    let one_line = model.lines().map(|l| l.split("//").next().unwrap()).collect::<Vec<_>>().join(" ");
    let one_line = one_line.replace("step: \"0.5 ms\"", "step: \"0.5 mm\"");
    says("one long line", format!("/* {} */ {one_line}", "x".repeat(75_000)), "which is in m");
    says("a long wrong value", model.replace("\"0.5 ms\"", &format!("\"{}\"", "9".repeat(75_000))), "step");
    says("a long name", model.replace("law: NoContact", &format!("law: {}", "N".repeat(75_000))), "unknown law");
    says("deep brackets", model.replace("gravity: (0, -9.81)", &format!("gravity: {}", "(".repeat(1_000_000))), "");
    says(
        "deep brackets that close",
        model.replace("dimension: 2", &format!("dimension: {}1{}", "(".repeat(100_000), ")".repeat(100_000))),
        "",
    );
    for deep in [900, 100_000] {
        let formula = format!("Velocity(y: \"{}t{}\")", "(".repeat(deep), ")".repeat(deep));
        says("a deep formula", model.replace("Velocity(y: 0)", &formula), "it is nested more than 64 levels deep");
    }
    says("short steps", model.replace("\"0.5 ms\"", "1e-300"), "steps are too many; expected at most 1e12");
    let many = (0..500).map(|i| format!("(on: \"nobody{i}\", load: Fixed),")).collect::<String>();
    says("many errors", model.replace("loads: [", &format!("loads: [{many}")), "470 more errors are not shown");
    says("no steps between frames", model.replace("every: 5", "every: 0"), "`every` is 0; expected a number of steps above zero");
}

/// A million spheres in an address space of 1.5 GB are refused in words before they are made; an allocation that fails would end the program.
#[cfg(target_os = "linux")]
#[test]
fn what_a_limited_process_cannot_hold_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let model = r#"(dimension: 3, time: (step: 1e-3, end: 1e-2), materials: {"m": (density: 1000)},
  bodies: [(group: "b", material: "m", packing: Lattice(from: (0, 0, 0), to: (1, 1, 1), sizes: Fixed(radius: "5 mm")))],
  interactions: [(between: ("b", "b"), law: NoContact)], physics: [Contact()])"#;
    std::fs::write(folder.path().join("model.ron"), model).unwrap();
    let program = format!("ulimit -v 1500000; exec '{}' check model.ron", env!("CARGO_BIN_EXE_mpcd"));
    let output = Command::new("sh").args(["-c", &program]).current_dir(folder.path()).env("NO_COLOR", "1").output().unwrap();
    let said = words(&text(&output.stderr));
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(
        said.contains("1000000 bodies need 2.0 GB of memory or more, but 1.") && said.contains("make the region smaller"),
        "{said}"
    );
}

#[test]
fn tables_of_bodies_with_faults_are_named_by_line() {
    let folder = tempfile::tempdir().unwrap();
    let packing = "Lattice(from: (0.1, 0), to: (0.2, 0.1), sizes: Fixed(radius: \"10 mm\"))";
    std::fs::write(folder.path().join("model.ron"), include_str!("base.ron").replace(packing, "Csv(file: \"t.csv\")")).unwrap();
    for (table, expected) in [
        ("0.1,0.05,0.01\n0.1,NaN,0.01\n", "t.csv:2: `y` is `NaN`; expected a finite number"),
        ("inf,0.05,0.01\n", "t.csv:1: `x` is `inf`; expected a finite number"),
        ("0.1,0.05,0.01\n0.1,0.05\n", "t.csv:2: 2 cells; expected 3 as in the lines before"),
        ("0.1,0.05,0\n", "t.csv:1: the radius is 0; expected a length above zero"),
        ("", "the packing has no bodies; expected at least one"),
    ] {
        std::fs::write(folder.path().join("t.csv"), table).unwrap();
        let said = words(&refused(folder.path(), &["check", "model.ron"]));
        assert!(said.contains(expected), "{expected}\n{said}");
    }
}

#[test]
fn a_place_that_cannot_hold_results_is_named() {
    let folder = tempfile::tempdir().unwrap();
    base(folder.path());
    std::fs::write(folder.path().join("file"), "").unwrap();
    let said = refused(folder.path(), &["run", "model.ron", "-o", "file"]);
    assert!(said.starts_with("could not create the folder `file`: File exists"), "{said}");
    let said = refused(folder.path(), &["run", "model.ron", "-o", "/dev/full/out"]);
    assert!(said.starts_with("could not create the folder `/dev/full/out`"), "{said}");
}
