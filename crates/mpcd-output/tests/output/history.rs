//! `history.csv`: rows, resuming, refusals.

use std::sync::Arc;

use mpcd_output::{Cell, DiskSink, History, OutputError, Sink, Start};

fn columns() -> Vec<String> {
    ["step", "time", "status", "e_kinetic", "probe, left"].map(str::to_owned).to_vec()
}

fn row(step: u64) -> Vec<Cell> {
    vec![step.into(), (step as f64 * 0.1).into(), "Converged".into(), Cell::from(Some(1e-12)), Cell::Empty]
}

#[test]
fn rows_are_on_disk_at_once_and_keep_all_digits() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("history.csv");
    let sink = DiskSink::shared();
    let mut history = History::start(&sink, &path, &columns(), Start::Fresh).unwrap();
    history.append(&row(1)).unwrap();
    history.append(&[3u64.into(), (0.1 + 0.2).into(), "Max, \"it\"".into(), f64::NAN.into(), 1e300.into()]).unwrap();
    assert_eq!(
        std::fs::read_to_string(&path).unwrap(),
        "step,time,status,e_kinetic,\"probe, left\"\n1,0.1,Converged,1e-12,\n\
         3,0.30000000000000004,\"Max, \"\"it\"\"\",,1e300\n"
    );
    assert!(matches!(history.append(&[Cell::Empty]), Err(OutputError::HistoryRow { expected: 5, found: 1, .. })));
}

#[test]
fn resuming_keeps_the_rows_up_to_the_step() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("history.csv");
    let sink: Arc<dyn Sink> = DiskSink::shared();
    let write = |start, steps: std::ops::Range<u64>| {
        let mut history = History::start(&sink, &path, &columns(), start).unwrap();
        steps.for_each(|step| history.append(&row(step)).unwrap());
    };
    write(Start::Fresh, 1..10);
    let whole = std::fs::read_to_string(&path).unwrap();
    // cut inside the last row, as a kill may do
    std::fs::write(&path, &whole[..whole.len() - 7]).unwrap();
    let history = History::start(&sink, &path, &columns(), Start::Resume { step: 99, time: 9.9 }).unwrap();
    assert_eq!((history.rows(), history.last_step()), (8, Some(8)));
    drop(history);
    write(Start::Resume { step: 4, time: 0.4 }, 5..10);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), whole);
    // a folder without a history: it starts
    let other = folder.path().join("none.csv");
    let history = History::start(&sink, &other, &columns(), Start::Resume { step: 4, time: 0.4 }).unwrap();
    assert_eq!(history.rows(), 0);
}

#[test]
fn other_columns_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("history.csv");
    let sink = DiskSink::shared();
    History::start(&sink, &path, &columns(), Start::Fresh).unwrap();
    let fewer = &columns()[..3];
    let error = History::start(&sink, &path, fewer, Start::Resume { step: 1, time: 0.1 }).unwrap_err().to_string();
    assert!(
        error.contains("its columns are `step,time,status,e_kinetic,probe, left` but this run writes `step,time,status`"),
        "{error}"
    );
    for wrong in [vec!["time"], vec!["step", "a", "a"], vec![]] {
        let wrong: Vec<String> = wrong.into_iter().map(str::to_owned).collect();
        assert!(matches!(History::start(&sink, &path, &wrong, Start::Fresh), Err(OutputError::HistoryHeader { .. })));
    }
}
