//! `summary.json`: the names of the design, and numbers that are not finite.

use std::collections::BTreeMap;

use mpcd_output::{DiskSink, MethodWork, Summary};

#[test]
fn the_summary_has_the_agreed_names() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("summary.json");
    let summary = Summary {
        mpcd_version: "0.1.0".into(),
        model_digest: "abc".into(),
        steps: 10,
        time: 0.5,
        failed_steps: 1,
        halved_steps: 0,
        worst_residual: f64::NAN,
        penetration_max: 1e-4,
        wall_s: BTreeMap::from([("contact".into(), 1.5), ("detection".into(), 0.5)]),
        solved_by: BTreeMap::from([("Contact: auto".into(), MethodWork { steps: 10, iterations: 123 })]),
        coupling_off: Vec::new(),
        spread: None,
        books: BTreeMap::from([("momentum".into(), 1e-15)]),
        warnings: vec!["one".into()],
    };
    let sink = DiskSink::shared();
    summary.save(sink.as_ref(), &path).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let names: Vec<&str> = json.as_object().unwrap().keys().map(String::as_str).collect();
    let mut expected = [
        "mpcd_version",
        "model_digest",
        "steps",
        "time",
        "failed_steps",
        "halved_steps",
        "worst_residual",
        "penetration_max",
        "wall_s",
        "solved_by",
        "books",
        "warnings",
    ];
    expected.sort_unstable();
    assert_eq!(names, expected);
    assert!(json["worst_residual"].is_null());
    let back: Summary = serde_json::from_str(&text).unwrap();
    assert!(back.worst_residual.is_nan());
    assert_eq!(Summary { worst_residual: 0.0, ..back }, Summary { worst_residual: 0.0, ..summary });
}
