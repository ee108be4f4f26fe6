//! The example as its user runs it: the model, the manual page, the field in the VTK files, and Archard's law by numbers.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::process::Command;

fn program(folder: &std::path::Path, arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_custom-physics")).args(arguments).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The sliding block of VALIDATION §11 stops after 4.247367 m. With 1 kg, k = 1e-3 and H = 1 GPa Archard's law takes
/// k F s / H off the pair, half of it off the block.
#[test]
fn the_block_wears_as_archard_says() {
    let folder = tempfile::tempdir().unwrap();
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/sliding-block.ron");
    let probe = "output.probes=[(name: \"wear\", of: \"wear_volume\", group: \"block\", reduce: Sum)]";
    let out = program(folder.path(), &["run", model, "-o", "out", "--set", probe]);
    assert!(out.contains("2000 steps"), "{out}");
    let history = std::fs::read_to_string(folder.path().join("out/history.csv")).unwrap();
    let last = |name: &str| -> f64 {
        let column = history.lines().next().unwrap().split(',').position(|c| c == name).unwrap();
        history.lines().last().unwrap().split(',').nth(column).unwrap().parse().unwrap()
    };
    let wear = last("wear");
    let expected = 0.5 * 1e-3 / 1e9 * 9.81 * 4.247_367;
    assert!((wear / expected - 1.0).abs() < 2e-3, "worn {wear:e} m³, expected {expected:e}");
    // VALIDATION §11: all 12.5 J become friction heat.
    assert!((last("w_friction") + 12.5).abs() < 1e-8 && last("e_kinetic") < 1e-12, "{}", last("w_friction"));
    let frame = std::fs::read_to_string(folder.path().join("out/vtk/bodies_00002000.vtp")).unwrap();
    assert!(frame.contains("wear_volume"));
}

#[test]
fn the_manual_knows_the_module() {
    let page = program(std::path::Path::new("."), &["doc", "wear"]);
    assert!(page.contains("Archard's coefficient k") && page.contains("hardness"), "{page}");
}
