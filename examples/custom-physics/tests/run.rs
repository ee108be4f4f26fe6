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
    assert!((wear / expected - 1.0).abs() < 1e-6, "worn {wear:e} m³, expected {expected:e}");
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

/// The brush presses the block's 9.81 N: C = 10 · 9.81/(9.81 + 4) S by the law of this program, 0 V and 1 V on its ends. A key that is wrong is
/// shown at its place in the file.
#[test]
fn the_brush_conducts_by_its_own_law() {
    let folder = tempfile::tempdir().unwrap();
    let text = r#"(dimension: 2, gravity: (0, -9.81), time: (step: "1 ms", end: "10 ms"),
      materials: {"carbon": (density: 2000, electrical: ())},
      bodies: [(group: "brush", material: "carbon", shape: Box(size: (0.1, 0.1), thickness: 0.05), at: (0, 0.05), mass: 1),
        (group: "ring", material: "carbon", shape: Plane(normal: (0, 1)))],
      interactions: [(between: ("brush", "ring"), law: Coulomb(friction: 0.3))],
      physics: [Contact(), Electrical(law: Brush(conductance: 10, half_at: 4), potential: [(group: "brush", value: 1), (group: "ring", value: 0)])])"#;
    std::fs::write(folder.path().join("brush.ron"), text).unwrap();
    program(folder.path(), &["run", "brush.ron", "-o", "out"]);
    let history = std::fs::read_to_string(folder.path().join("out/history.csv")).unwrap();
    let column = history.lines().next().unwrap().split(',').position(|c| c == "electrode_current").unwrap();
    let current: f64 = history.lines().last().unwrap().split(',').nth(column).unwrap().parse().unwrap();
    assert!((current / (10.0 * 9.81 / 13.81) - 1.0).abs() < 1e-6, "{current} A");
    std::fs::write(folder.path().join("wrong.ron"), text.replace("half_at", "half_et")).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_custom-physics"))
        .args(["check", "wrong.ron"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    assert!(!output.status.success() && told.contains("half_et") && told.contains("did you mean `half_at`?"), "{told}");
    let page = program(folder.path(), &["doc", "brush"]);
    assert!(page.contains("conductance law") && page.contains("half_at"), "{page}");
}

/// A cell of mortar drawn to 4 ε₀ by statics carries E ε₀ and no more, and back at 2 ε₀ half of that, on the way to the origin: by the law of this
/// program, in a model.
#[test]
fn mortar_is_damaged_by_its_own_law() {
    let folder = tempfile::tempdir().unwrap();
    // E = 1 GPa, ε₀ = 1e-4: w₀ = 5 J/m³, σ₀ = 100 kPa. 0.1 m drawn by 4e-5 m in 4 s, back by 2e-5 m in 2 s.
    let text = r#"(dimension: 2, time: (step: 0.5, end: 6, theta: 1),
      materials: {"mortar": (density: 2000, elastic: (young: "1 GPa", poisson: 0), solid: (law: Mortar(limit: 5)))},
      bodies: [(group: "rod", material: "mortar", shape: Mesh(of: Rectangle(size: (0.1, 0.1), cells: (1, 1), element: Q4), plane: PlaneStress))],
      loads: [(on: "rod.left", load: Locked(axes: [X])), (on: "rod.bottom", load: Locked(axes: [Y])),
        (on: "rod.right", load: Velocity(x: Table([(0, 1e-5), (4, 1e-5), (4.001, -1e-5), (9, -1e-5)])))],
      physics: [Contact(deformable: (scheme: Static))],
      output: (probes: [(name: "stress", of: "mesh_stress", component: XX, group: "rod", reduce: Max)]))"#;
    std::fs::write(folder.path().join("rod.ron"), text).unwrap();
    program(folder.path(), &["run", "rod.ron", "-o", "out"]);
    let column = |run: &str| -> Vec<f64> {
        let history = std::fs::read_to_string(folder.path().join(run).join("history.csv")).unwrap();
        let column = history.lines().next().unwrap().split(',').position(|c| c == "stress").unwrap();
        history.lines().skip(1).map(|l| l.split(',').nth(column).unwrap().parse().unwrap()).collect()
    };
    let stress = column("out");
    let (drawn, back) = (stress[stress.len() - 5], stress[stress.len() - 1]);
    assert!((drawn / 1e5 - 1.0).abs() < 1e-8 && (back / 0.5e5 - 1.0).abs() < 1e-8, "{drawn} and {back} Pa: {stress:?}");
    std::fs::write(folder.path().join("wrong.ron"), text.replace("limit", "limt")).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_custom-physics"))
        .args(["check", "wrong.ron"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    assert!(!output.status.success() && told.contains("limt") && told.contains("did you mean `limit`?"), "{told}");
    let page = program(folder.path(), &["doc", "mortar"]);
    assert!(page.contains("solid law") && page.contains("limit"), "{page}");
}
