//! Wrong models: every message names the place, what was expected and what to do, and is asserted whole.

use crate::fakes::{MODEL, build, parse, registry};
use mpcd_sim::{ModelErrors, Simulation};

fn errors_of(text: &str, sets: &[&str]) -> ModelErrors {
    match parse(text, sets) {
        Err(e) => e,
        Ok(model) => Simulation::build(&model, &registry()).map(|_| ()).expect_err("the model is right"),
    }
}

/// The model with `from` replaced by `to`, and all its errors as text.
fn broken(from: &str, to: &str) -> String {
    assert!(MODEL.contains(from), "{from}");
    errors_of(&MODEL.replacen(from, to, 1), &[]).to_string()
}

#[test]
fn a_right_model_builds() {
    build(&[]).unwrap();
}

/// Every case of [`CASES`] with its whole message, as kept in `errors.txt`.
#[test]
fn each_wrong_model_says_what_and_where() {
    if std::env::var_os("MPCD_WRITE_TABLES").is_some() {
        write_the_table(); // read the difference before you keep it
    }
    let stored: Vec<&str> = include_str!("errors.txt").split("\n=== ").collect();
    assert_eq!(stored.len() - 1, CASES.len(), "errors.txt has one entry per case");
    for ((from, to), entry) in CASES.iter().zip(&stored[1..]) {
        let found = format!("{from} => {to}\n{}\n", broken(from, to));
        assert_eq!(found.trim_end(), entry.trim_end(), "\n--- found:\n{found}\n--- expected:\n{entry}");
    }
}

fn write_the_table() {
    let mut out = String::from("Messages of wrong models: each entry replaces one text of the model in fakes.rs by another.\n");
    for (from, to) in CASES {
        out.push_str(&format!("\n=== {from} => {to}\n{}\n", broken(from, to)));
    }
    std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/all/errors.txt"), out).unwrap();
}

#[test]
fn several_sections_are_read_although_one_is_wrong() {
    let text = MODEL
        .replace("end: 0.2", "end: -1")
        .replace("radius: 0.5), at: (0, 1)", "radius: 0), at: (0, 1)")
        .replace("\"grains\", \"grains\"", "\"grains\", \"x\"");
    let errors = errors_of(&text, &[]);
    let lines: Vec<_> = errors.errors.iter().map(|e| errors.line_column(e).unwrap().0).collect();
    assert_eq!(lines, [5, 8, 12]);
}

#[test]
fn values_of_the_command_line_are_named_in_errors() {
    let message = errors_of(MODEL, &["time.stpe=1"]).to_string();
    assert_eq!(
        message,
        "discs.ron:5:10: unknown key `stpe`; expected one of `step`, `end`, `theta`, `on_failure`, `adapt`\n  \
         5 |   time: (stpe: 1, step: 0.01, end: 0.2),\n    |          ^^^^\n  from: --set time.stpe=1\n  help: did you mean `step`?"
    );
    let message = errors_of(MODEL, &["tim.step=1", "time.step"]).to_string();
    assert_eq!(
        message,
        "discs.ron: --set tim.step=1: the model has no `tim`; did you mean `time`?\n\n\
         discs.ron: --set time.step: expected PATH=VALUE, as in `time.step=1e-4` or `bodies[1].at=(0, 2)`"
    );
}

#[test]
fn a_missing_file_is_told() {
    let error = mpcd_sim::Model::read(std::path::Path::new("nowhere/model.ron"), &[]).unwrap_err().to_string();
    assert_eq!(
        error,
        "nowhere/model.ron: cannot read the model: No such file or directory (os error 2); expected a text file in RON\n  \
         help: check the path, or make a model with `mpcd new NAME`"
    );
}

#[test]
fn tables_say_which_line_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let text = MODEL.replacen("shape: Disc(radius: 0.5), at: (0, 1)", "packing: Csv(file: \"balls.csv\")", 1);
    let read = |table: &str| {
        std::fs::write(folder.path().join("balls.csv"), table).unwrap();
        mpcd_sim::Model::parse(&text, "m", "m.ron", folder.path(), &[])
    };
    for right in ["0,3,0.1\n1,3,0.2\n", "x,y,z,r\n0,3,0,0.1\n1,3,0,0.2", "# a table\nr, y, x\n0.1, 3, 0\n0.2, 3, 1\n"] {
        let model = read(right).unwrap();
        let mpcd_sim::model::BodyForm::Many(bodies) = &model.bodies[0].form else { panic!("a packing") };
        let balls: Vec<_> = bodies.iter().map(|b| (b.position, b.shape.radius().unwrap())).collect();
        assert_eq!(balls, [(mpcd_core::Vec3::new(0.0, 3.0, 0.0), 0.1), (mpcd_core::Vec3::new(1.0, 3.0, 0.0), 0.2)], "{right}");
    }
    assert_ne!(read("0,3,0.1\n").unwrap().digest, read("0,3,0.2\n").unwrap().digest, "the digest covers the table");
    for (wrong, message) in [
        ("0,3,0.1\n1,3,-0.2\n", ":2: the radius is -0.2; expected a length above zero"),
        ("0,3,0.1\n1,3\n", ":2: 2 cells; expected 3 as in the lines before"),
        ("1,2,3,4,5\n", ":1: 5 cells; expected x, y, r or x, y, z, r"),
        ("x,y\n1,2\n", ":1: the header has no column `r`; expected x, y, z, r"),
        ("0,3,0.1\n0,NaN,1\n", ":2: `y` is `NaN`; expected a finite number"),
        ("0,3,1,0.1\n", ":1: z is 1, but the model is planar; expected 0"),
    ] {
        let errors = read(wrong).unwrap_err();
        assert!(errors.errors[0].message.ends_with(&format!("balls.csv{message}")), "{errors}");
        assert_eq!(errors.line_column(&errors.errors[0]).map(|p| p.0), Some(8));
    }
    assert!(read("").unwrap_err().to_string().contains("the packing has no bodies; expected at least one"));
}

const CASES: &[(&str, &str)] = &[
    ("gravity:", "gravty:"),
    ("step: 0.01", "step: \"10 kg\""),
    ("step: 0.01", "step: -1"),
    ("step: 0.01", "step: 1"),
    ("end: 0.2", "end: NaN"),
    ("end: 0.2", "end: 0.2, theta: 0.3"),
    ("end: 0.2", "end: 0.2, on_failure: Retry"),
    ("end: 0.2", "end: 0.2, on_failure: Halve(99)"),
    ("dimension: 2", "dimension: 4"),
    ("dimension: 2,", ""),
    ("dimension: 2,", "dimension: 2, dimension: 3,"),
    ("title: \"two discs\"", "title: two discs"),
    ("title: \"two discs\"", "title: 5"),
    ("gravity: (0, -10)", "gravity: (0, -10, 1)"),
    ("gravity: (0, -10)", "gravity: -10"),
    ("gravity: (0, -10)", "periodic: (x: 9, stress: (x: 1))"),
    ("gravity: (0, -10)", "periodic: (x: 9, y: 9, stress: (x: 1, y: 2), rate: (y: -0.1))"),
    ("gravity: (0, -10)", "periodic: (x: 9, rate: (y: -0.1))"),
    ("gravity: (0, -10)", "periodic: (x: 9, y: 9, stress: (x: 1), mass: \"-2 kg\")"),
    ("gravity: (0, -10)", "periodic: (x: 9, rate: (x: -1), viscosity: 3)"),
    ("gravity: (0, -10)", "periodic: (x: 9, y: 9, stress: ())"),
    ("time: (step: 0.01, end: 0.2),", ""),
    ("end: 0.2", ""),
    ("materials: {", "materials: ["),
    ("materials: { \"stone\": (density: 1000, elastic: (young: 1e9, poisson: 0.2)) }", "materials: [(density: 3)]"),
    ("physics: [Mover(), Counter()],", ""),
    ("velocity: (0, -1)", "velocity: (0, \"-1 m\")"),
    ("velocity: (0, -1)", "spin: (1, 0, 0)"),
    ("velocity: (0, -1)", "rotation: ((1, 0, 0), 0.5)"),
    ("velocity: (0, -1)", "rotation: ((0, 0, 0), 0.5)"),
    ("velocity: (0, -1)", "mass: \"-1 g\""),
    (
        "shape: Disc(radius: 0.5), at: (0, 1)",
        "packing: Lattice(from: (0, 0), to: (5, 5), sizes: Uniform(min: 0.2, max: 0.3)), at: (0, 1), as: Cube",
    ),
    ("at: (0, 1)", "at: (0, 1), packing: Csv(file: \"x\")"),
    ("interactions: [", "interactions: [(between: (\"grains\", \"grains\"), law: A), "),
    ("interactions: [", "interactions: [(between: (\"grains\", \"floor\")), "),
    ("density: 1000", "density: 0"),
    ("density: 1000, ", ""),
    ("density: 1000", "densty: 1000"),
    ("elastic:", "elastik:"),
    ("\"stone\": (", "stone: ("),
    ("\"stone\": (density", "\"stone\": (density: 1), \"stone\": (density"),
    ("material: \"stone\", shape: Plane", "material: \"stnoe\", shape: Plane"),
    ("radius: 0.5", "radius: -0.5"),
    ("radius: 0.5", "raduis: 0.5"),
    ("Disc(radius: 0.5)", "Disk(radius: 0.5)"),
    ("shape: Disc(radius: 0.5), ", ""),
    ("at: (0, 1)", "at: (0, 1, 2)"),
    ("at: (0, 1)", "rotation: (axis: (0, 0, 1), angle: 1)"),
    ("at: (0, 1)", "at: (x: 0, y: 1)"),
    ("at: (0, 1)", "rotation: true"),
    ("end: 0.2", "end: 0.2, theta: true"),
    ("at: (0, 1)", "at: 3"),
    ("at: (0, 1)", "at: (0, 1), as: Sphere"),
    ("shape: Disc(radius: 0.5), at: (0, 1)", "packing: Lattice(from: (0, 0), to: (1, 1), sizes: Uniform(min: 2, max: 3))"),
    ("shape: Disc(radius: 0.5), at: (0, 1)", "packing: Csv(file: \"nowhere.csv\")"),
    ("shape: Disc(radius: 0.5), at: (0, 1)", "packing: Lattise()"),
    ("shape: Disc(radius: 0.5), at: (0, 1)", "packing: Wall(brick: (1, 1), bricks: 0, courses: 2)"),
    ("shape: Disc(radius: 0.5), at: (0, 1)", "as: Sphere, packing: Wall(brick: (1, 1), bricks: 1, courses: 2)"),
    ("shape: Disc(radius: 0.5), at: (0, 1)", "packing: Deposit(from: (0, 0), to: (3, 2), sizes: Fixed(radius: 0.5), count: 90)"),
    ("(\"grains\", \"grains\")", "(\"grains\", \"grain\")"),
    ("(\"grains\", \"grains\")", "(\"grains\", walls)"),
    ("output:", "loads: [(on: \"top\", load: Fixed)], output:"),
    ("Counter()", "Conter()"),
    ("Counter()", "Mover()"),
    ("Mover()", "Mover(longst: 1)"),
    ("Mover()", "Mover(group: \"flor\")"),
    ("every: 5", "every: 0"),
    ("every: 5", "every: 5, interval: 1"),
    ("every: 5", "fields: [\"agee\"]"),
    ("every: 5", "probes: [(name: \"a\", of: \"heigth\"), (name: \"a\", of: \"height\", group: \"grain\")]"),
    ("every: 5", "probes: [(name: \" \", of: \"height\")]"),
    (
        "every: 5",
        "probes: [(name: \"s\", of: \"stress\"), (name: \"e\", of: \"extent\"), (name: \"x\", of: \"position\", component: XX)]",
    ),
    (
        "every: 5",
        "probes: [(name: \"c\", of: \"coordination\", component: Z), (name: \"r\", of: \"rattlers\", reduce: Max), (name: \"p\", of: \"position\", region: (from: (1, 1), to: (0, 2)))]",
    ),
    ("every: 5", "distributions: [(name: \"history\", of: \"normal_force\"), (name: \"a\", of: \"normal\")]"),
    ("physics: [Mover(), Counter()]", "physics: [Mover(), Counter()"),
    ("output:", "coupling: Iterated(modules: [\"Muver\"]), output:"),
    ("output:", "coupling: Iteratd(), output:"),
    ("output:", "coupling: Monolithic(max_iterations: 0), output:"),
    ("output:", "coupling: Iterated(max_iterations: 0), output:"),
    ("output:", "coupling: Iterated(relaxation: Auto()), output:"),
];
