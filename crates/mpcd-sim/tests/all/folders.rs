//! Output folders: one run at a time, cleared whole or not at all, and nothing resumed that has lost what it counts on.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use crate::fakes::build;
use mpcd_output::Record;
use mpcd_sim::{Claim, RunOptions, RunSummary, run};

/// How a run starts in a used folder.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Fresh,
    Overwrite,
    Resume,
}

fn go(folder: &Path, way: Way, until: Option<f64>, sets: &[&str]) -> Result<RunSummary, String> {
    let (resume, overwrite) = (way == Way::Resume, way == Way::Overwrite);
    let options = RunOptions { until, resume, overwrite, ..RunOptions::new(folder) };
    let mut simulation = build(sets).unwrap();
    let shown = |text: String| text.replace(&folder.display().to_string(), "OUT");
    run(&mut simulation, &options, &AtomicBool::new(false), &mut ()).map_err(|e| shown(e.to_string()))
}

/// Every file below a folder with its bytes, the lock left out.
fn everything(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut out = Vec::new();
    let mut left = vec![folder.to_path_buf()];
    while let Some(here) = left.pop() {
        for entry in std::fs::read_dir(here).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                left.push(path);
            } else if !path.ends_with("mpcd.lock") {
                let name = path.strip_prefix(folder).unwrap().to_string_lossy().into_owned();
                out.push((name, std::fs::read(&path).unwrap()));
            }
        }
    }
    out.sort();
    out
}

fn names(folder: &Path) -> Vec<String> {
    everything(folder).into_iter().map(|(name, _)| name).collect()
}

const TABLE: &str = "output.distributions=[(name: \"speeds\", of: \"speed\")]";

#[test]
fn a_used_folder_is_refused_and_cleared_whole_on_demand() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path();
    go(out, Way::Fresh, None, &[TABLE]).unwrap();
    let before = everything(out);
    assert_eq!(
        go(out, Way::Fresh, None, &[]).unwrap_err(),
        "the folder `OUT` holds a run of `discs` already, which reached t = 0.2 s in 20 steps; nothing was changed. `--overwrite` \
         removes the files of that run and starts afresh, `--resume` goes on with it, `-o DIR` writes elsewhere."
    );
    assert!(everything(out) == before, "a refused run changes nothing");
    let own = ["notes.txt", "mine.pvd", "vtk/mine_00000001.vtp", "vtk/bodies.txt", "checkpoint/kept.mpcd", "loads.csv"];
    for name in own {
        std::fs::write(out.join(name), name).unwrap();
    }
    go(out, Way::Overwrite, Some(0.02), &["output.every=2"]).unwrap();
    let (fresh, ours) = (tempfile::tempdir().unwrap(), names(out));
    go(fresh.path(), Way::Fresh, Some(0.02), &["output.every=2"]).unwrap();
    let mut expected = names(fresh.path());
    expected.extend(own.map(str::to_owned));
    expected.sort();
    assert_eq!(ours, expected, "what is left is the new run and the files of others");
    for name in own {
        assert_eq!(std::fs::read_to_string(out.join(name)).unwrap(), name);
    }
}

#[test]
fn a_run_that_did_not_end_is_told_apart_and_half_written_files_go() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path();
    go(out, Way::Fresh, None, &[]).unwrap();
    std::fs::remove_file(out.join("summary.json")).unwrap();
    let halves = ["vtk/bodies_00000021.vtp", "vtk/bodies_00000022.vtp.tmp", "checkpoint/new.mpcd", "history.csv.tmp"];
    for name in halves {
        std::fs::write(out.join(name), "half").unwrap();
    }
    let error = go(out, Way::Fresh, None, &[]).unwrap_err();
    assert!(error.starts_with("the folder `OUT` holds a run of `discs` already, which did not end in order; nothing"), "{error}");
    go(out, Way::Overwrite, None, &[]).unwrap();
    assert!(names(out).iter().all(|n| !halves.contains(&n.as_str())), "{:?}", names(out));
}

#[test]
fn a_file_that_no_run_wrote_is_never_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path();
    std::fs::write(out.join("history.csv"), "mine").unwrap();
    for way in [Way::Fresh, Way::Overwrite] {
        assert_eq!(
            go(out, way, None, &[]).unwrap_err(),
            "`OUT/history.csv` is in the way: the run would write a file of this name, and no run of mpcd is known to have written \
             this one. Move it away, or choose another folder with `-o DIR`."
        );
    }
    std::fs::remove_file(out.join("history.csv")).unwrap();
    go(out, Way::Fresh, None, &[]).unwrap();
    std::fs::write(out.join("speeds.csv"), "mine").unwrap();
    let before = everything(out);
    let error = go(out, Way::Overwrite, None, &[TABLE]).unwrap_err();
    assert!(error.starts_with("`OUT/speeds.csv` is in the way"), "{error}");
    assert!(everything(out) == before, "a refused run changes nothing");
}

#[test]
fn a_folder_of_an_earlier_version_counts_as_used() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path();
    go(out, Way::Fresh, None, &[]).unwrap();
    std::fs::remove_file(out.join("run.json")).unwrap();
    let error = go(out, Way::Fresh, None, &[]).unwrap_err();
    assert!(error.starts_with("the folder `OUT` holds a run of `discs` already"), "{error}");
    go(out, Way::Overwrite, None, &[]).unwrap();
    std::fs::write(out.join("run.json"), "{").unwrap();
    for way in [Way::Fresh, Way::Overwrite, Way::Resume] {
        let error = go(out, way, None, &[]).unwrap_err();
        assert!(error.starts_with("`OUT/run.json`, the record of the run in this folder, cannot be read: EOF while"), "{error}");
        assert!(error.ends_with("Restore it, or move the folder away."), "{error}");
    }
}

#[test]
fn a_second_run_in_the_same_folder_is_kept_out() {
    let folder = tempfile::tempdir().unwrap();
    let mut simulation = build(&[]).unwrap();
    let claim = Claim::take(&mut simulation, &RunOptions::new(folder.path())).unwrap();
    for way in [Way::Fresh, Way::Overwrite, Way::Resume] {
        assert_eq!(
            go(folder.path(), way, None, &[]).unwrap_err(),
            format!(
                "a run is going on in the folder `OUT` (process {}): two runs would write over each other. Wait for it or stop it, \
                 or choose another folder with `-o DIR`.",
                std::process::id()
            )
        );
    }
    claim.run(&mut simulation, &AtomicBool::new(false), &mut ()).unwrap();
    // The lock file stays; nobody holds it.
    assert!(folder.path().join("mpcd.lock").exists());
    go(folder.path(), Way::Resume, None, &[]).unwrap();
}

#[test]
fn the_folder_keeps_the_model_and_its_overrides() {
    let folder = tempfile::tempdir().unwrap();
    let sets = ["time.end=0.1", "output.every=2"];
    go(folder.path(), Way::Fresh, Some(0.05), &sets).unwrap();
    let model = build(&sets).unwrap().model().clone();
    assert_eq!(std::fs::read_to_string(folder.path().join("input/discs.ron")).unwrap(), *model.written);
    let record =
        || -> Record { serde_json::from_str(&std::fs::read_to_string(folder.path().join("run.json")).unwrap()).unwrap() };
    let first = record();
    assert_eq!((first.set.as_slice(), first.model_digest.as_str()), (&sets.map(str::to_owned)[..], model.digest.as_str()));
    assert_eq!((first.model.as_str(), first.resumed.len(), first.run.len()), ("discs", 0, 32));
    go(folder.path(), Way::Resume, None, &["time.end=0.2", "output.every=2"]).unwrap();
    let second = record();
    assert_eq!((second.run, second.resumed, second.set[0].as_str()), (first.run, vec![5], "time.end=0.2"));
}

/// Breaks a finished run in one way, and reads what `--resume` says.
fn broken(damage: impl Fn(&Path)) -> String {
    let folder = tempfile::tempdir().unwrap();
    go(folder.path(), Way::Fresh, Some(0.1), &[TABLE, "output.every=2"]).unwrap();
    damage(folder.path());
    let before = everything(folder.path());
    let error = go(folder.path(), Way::Resume, None, &[TABLE, "output.every=2"]).unwrap_err();
    assert!(everything(folder.path()) == before, "a refused run changes nothing");
    error
}

#[test]
fn a_checkpoint_of_another_run_is_not_taken() {
    let other = tempfile::tempdir().unwrap();
    go(other.path(), Way::Fresh, Some(0.05), &[TABLE, "output.every=2"]).unwrap();
    let error = broken(|out| {
        std::fs::copy(other.path().join("checkpoint/latest.mpcd"), out.join("checkpoint/latest.mpcd")).unwrap();
    });
    assert_eq!(
        error,
        "the checkpoint `OUT/checkpoint/latest.mpcd` belongs to another run than the frames and tables of its folder (`run.json` \
         names it); restore the checkpoint of this run, or start afresh with `--overwrite`"
    );
    let error = broken(|out| std::fs::remove_file(out.join("run.json")).unwrap());
    assert_eq!(
        error,
        "the checkpoint `OUT/checkpoint/latest.mpcd` has no `run.json` beside it, which says to which run the frames and tables \
         belong; restore `run.json`, or start afresh with `--overwrite`"
    );
}

#[test]
fn what_a_checkpoint_counts_on_must_be_there() {
    let cut = |file: &str, lines: usize| {
        let file = file.to_owned();
        move |out: &Path| {
            let text = std::fs::read_to_string(out.join(&file)).unwrap();
            let kept: Vec<&str> = text.lines().take(lines).collect();
            std::fs::write(out.join(&file), kept.join("\n") + "\n").unwrap();
        }
    };
    let lost = " up to step 10, but the checkpoint counts on ";
    let cure = ": rows were lost or changed. Restore the file, or start afresh with `--overwrite`.";
    assert_eq!(broken(cut("history.csv", 8)), format!("`OUT/history.csv` has 7 rows{lost}10{cure}"));
    assert_eq!(broken(cut("speeds.csv", 3)), format!("`OUT/speeds.csv` has 2 rows{lost}5{cure}"));
    let gone = |file: &'static str| move |out: &Path| std::fs::remove_file(out.join(file)).unwrap();
    assert_eq!(broken(gone("history.csv")), format!("`OUT/history.csv` has 0 rows{lost}10{cure}"));
    // A row in the middle.
    let error = broken(|out| {
        let text = std::fs::read_to_string(out.join("history.csv")).unwrap();
        let kept: Vec<&str> = text.lines().enumerate().filter(|(i, _)| *i != 4).map(|(_, line)| line).collect();
        std::fs::write(out.join("history.csv"), kept.join("\n") + "\n").unwrap();
    });
    assert_eq!(error, format!("`OUT/history.csv` has 9 rows{lost}10{cure}"));
    assert_eq!(
        broken(gone("discs.pvd")),
        "`OUT/discs.pvd` lists 0 frames up to t = 0.1 s, but the checkpoint counts on 6: frames were lost or changed. Restore the \
         file, or start afresh with `--overwrite`."
    );
    assert_eq!(
        broken(gone("vtk/bodies_00000004.vtp")),
        "`OUT/vtk/bodies_00000004.vtp`, of the frame at t = 0.04 s, is missing, but the checkpoint counts on it. Restore the file, \
         or start afresh with `--overwrite`."
    );
    let error = broken(|out| {
        let file = out.join("vtk/contacts_00000006.vtp");
        let bytes = std::fs::read(&file).unwrap();
        std::fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
    });
    assert!(error.starts_with("`OUT/vtk/contacts_00000006.vtp`, of the frame at t = 0.06 s, is cut off, but"), "{error}");
}

/// What was written after the checkpoint is dropped, and the run ends in the same rows.
#[test]
fn rows_and_frames_after_the_checkpoint_are_made_again() {
    let (whole, cut) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let sets = [TABLE, "output.every=2", "output.checkpoint_every=6"];
    go(whole.path(), Way::Fresh, None, &sets).unwrap();
    go(cut.path(), Way::Fresh, None, &sets).unwrap();
    let checkpoint = |name: &str| cut.path().join("checkpoint").join(name);
    std::fs::rename(checkpoint("previous.mpcd"), checkpoint("latest.mpcd")).unwrap();
    std::fs::write(cut.path().join("history.csv"), {
        let text = std::fs::read_to_string(cut.path().join("history.csv")).unwrap();
        text[..text.len() - 9].to_owned()
    })
    .unwrap();
    go(cut.path(), Way::Resume, None, &sets).unwrap();
    for file in ["history.csv", "speeds.csv", "discs.pvd", "bodies.pvd"] {
        let read = |folder: &Path| std::fs::read_to_string(folder.join(file)).unwrap();
        assert_eq!(read(whole.path()), read(cut.path()), "{file}");
    }
}
