//! `mpcd check` on broken models: each is the good model beside this file with one thing changed. What is printed must
//! name the file and the line, what was expected, and what to do.

use super::{mpcd, text};

/// One fault: text to replace, its replacement, and parts of the output: line, what was expected, what to do.
struct Fault {
    name: &'static str,
    change: (&'static str, &'static str),
    line: usize,
    says: &'static str,
    help: &'static str,
}

const fn fault(
    name: &'static str,
    change: (&'static str, &'static str),
    line: usize,
    says: &'static str,
    help: &'static str,
) -> Fault {
    Fault { name, change, line, says, help }
}

const FAULTS: &[Fault] = &[
    fault(
        "typo in a key",
        ("friction: 0.3)),\n    (between: (\"discs\", \"pack\")", "fricton: 0.3)),\n    (between: (\"discs\", \"pack\")"),
        22,
        "unknown key `fricton`",
        "did you mean `friction`?",
    ),
    fault("typo in a section", ("interactions: [", "interaction: ["), 21, "`interaction`", "did you mean `interactions`?"),
    fault("wrong type", ("density: 7800", "density: true"), 8, "a density: a number in kg/m³ or a string with a unit", "density"),
    fault(
        "wrong unit",
        ("step: \"0.5 ms\"", "step: \"0.5 mm\""),
        5,
        "expected a quantity in s, found `0.5 mm`, which is in m",
        "s",
    ),
    fault("unknown unit", ("step: \"0.5 ms\"", "step: \"0.5 msec\""), 5, "unknown unit `msec`", "known are SI units"),
    fault(
        "unknown group in an interaction",
        ("(\"discs\", \"floor\"), law", "(\"discs\", \"flor\"), law"),
        24,
        "unknown group `flor`",
        "did you mean `floor`?",
    ),
    fault("unknown group in a load", ("on: \"lid\"", "on: \"led\""), 32, "unknown group `led`", "did you mean `lid`?"),
    fault(
        "unknown group in a module",
        ("Temperature(group: \"floor\"", "Temperature(group: \"flour\""),
        37,
        "unknown group `flour`",
        "did you mean `floor`?",
    ),
    fault(
        "negative radius",
        ("Disc(radius: \"10 mm\"), at: (0, 0.01)", "Disc(radius: -0.01), at: (0, 0.01)"),
        15,
        "expected a length [m] above zero, found -0.01",
        "above zero",
    ),
    fault(
        "rotation with keys",
        (
            "shape: Disc(radius: \"10 mm\"), at: (0, 0.03)",
            "shape: Disc(radius: \"10 mm\"), rotation: (axis: (0, 0, 1), angle: 1)",
        ),
        16,
        "`rotation` has a key `axis`; expected an axis and an angle without keys",
        "write an angle about z in radians, or in space `((x, y, z), angle)`",
    ),
    fault("zero mass", ("mass: 1", "mass: 0"), 19, "expected a mass [kg] above zero, found 0", "above zero"),
    fault(
        "missing material",
        ("material: \"steel\", shape: Plane(normal: (0, 1))", "material: \"steal\", shape: Plane(normal: (0, 1))"),
        18,
        "unknown material `steal`",
        "did you mean `steel`?",
    ),
    fault(
        "unknown part of a material",
        ("elastic: (young", "elastik: (young"),
        9,
        "unknown part of the material `steel`: `elastik`",
        "did you mean `elastic`?",
    ),
    fault(
        "NaN",
        ("friction: 0.3)),\n    (between: (\"discs\", \"pack\")", "friction: NaN)),\n    (between: (\"discs\", \"pack\")"),
        22,
        "expected a number that is a finite number, found NaN",
        "finite",
    ),
    fault("infinity", ("end: \"10 ms\"", "end: inf"), 5, "finite number, found inf", "finite"),
    fault("unknown solver", ("solver: \"nlgs\"", "solver: \"nlsg\""), 35, "nlsg", "nlgs"),
    fault(
        "unknown module",
        ("Electrical(law", "Electric(law"),
        36,
        "unknown physics module `Electric`",
        "did you mean `Electrical`?",
    ),
    fault(
        "unknown law",
        ("(\"pack\", \"floor\"), law: Coulomb(", "(\"pack\", \"floor\"), law: Coulumb("),
        27,
        "unknown law `Coulumb`",
        "did you mean `Coulomb`?",
    ),
    fault(
        "unknown shape",
        ("shape: Plane(normal: (0, 1))", "shape: Plain(normal: (0, 1))"),
        18,
        "unknown shape `Plain`",
        "did you mean `Plane`?",
    ),
    fault("unknown load", ("load: Velocity(", "load: Velocty("), 32, "unknown load `Velocty`", "did you mean `Velocity`?"),
    fault(
        "pair without a law",
        ("    (between: (\"pack\", \"floor\"), law: Coulomb(friction: 0.3)),\n", ""),
        28,
        "groups \"pack\" and \"floor\" can meet but have no law",
        "add (between: (\"pack\", \"floor\")",
    ),
    fault(
        "two laws for a pair",
        ("(\"pack\", \"lid\"), law: NoContact", "(\"lid\", \"discs\"), law: NoContact"),
        28,
        "given twice",
        "remove one of the two",
    ),
    fault(
        "empty packing",
        ("to: (0.2, 0.1)", "to: (0.101, 0.1)"),
        17,
        "the packing has no bodies; expected at least one",
        "make its region larger",
    ),
    fault(
        "file not found",
        (
            "packing: Lattice(from: (0.1, 0), to: (0.2, 0.1), sizes: Fixed(radius: \"10 mm\"))",
            "packing: Csv(file: \"grains.csv\")",
        ),
        17,
        "cannot read the file",
        "relative to the folder of the model",
    ),
    fault("plane without direction", ("normal: (0, 1)", "normal: (0, 0)"), 18, "no direction", "give a vector"),
    fault(
        "sphere and packing at once",
        (
            "shape: Disc(radius: \"10 mm\"), at: (0, 0.03)",
            "shape: Disc(radius: \"10 mm\"), packing: Lattice(from: (0, 0), to: (1, 1), sizes: Fixed(radius: 1))",
        ),
        16,
        "both `shape` (one body) and `packing` (many)",
        "split it",
    ),
    fault(
        "neither shape nor packing",
        (", shape: Disc(radius: \"10 mm\"), at: (0, 0.03)", ""),
        16,
        "needs `shape` (one body) or `packing` (many)",
        "add for example",
    ),
    fault(
        "no contact module",
        ("    Contact(solver: \"nlgs\", tolerance: 1e-6),\n", ""),
        34,
        "no module in `physics` moves the bodies",
        "add `Contact()`",
    ),
    fault(
        "current with no return",
        ("potential: [(group: \"floor\", value: 0)], ", ""),
        36,
        "the current has no return",
        "add `potential:",
    ),
    fault(
        "material without conductivity under Hertz",
        ("electrical: (conductivity: 1.4e6)", "electrical: ()"),
        36,
        "conducts but has no conductivity",
        "write `electrical: (conductivity: …)`",
    ),
    fault("dimension", ("dimension: 2", "dimension: 4"), 3, "4", "2"),
    fault("theta out of range", ("end: \"10 ms\")", "end: \"10 ms\", theta: 0.3)"), 5, "between 0.5 and 1, found 0.3", "0.5"),
    fault("out of the plane", ("at: (0, 0.03)", "at: (0, 0.03, 0.1)"), 16, "z component", "dimension: 3"),
    fault("formula", ("Velocity(y: 0)", "Velocity(y: \"sin(x)\")"), 32, "unknown variable `x`", "the only variable is t"),
    fault("unclosed bracket", ("loads: [", "loads: ("), 33, "Unexpected char ']'", "check the brackets"),
    fault(
        "restitution with a gap law",
        (
            "(\"pack\", \"floor\"), law: Coulomb(friction: 0.3)",
            "(\"pack\", \"floor\"), law: Coulomb(friction: 0.3, restitution: 0.5, contact: Gap)",
        ),
        27,
        "implies no restitution",
        "contact: Velocity",
    ),
    fault(
        "force on a body that cannot move",
        ("(on: \"lid\", load: Velocity(y: 0))", "(on: \"floor\", load: Force(y: 1))"),
        32,
        "moves nothing",
        "mass",
    ),
    fault(
        "output field nobody writes",
        ("output: (every: 5)", "output: (every: 5, fields: [\"temprature\"])"),
        39,
        "unknown field `temprature`",
        "did you mean `temperature`?",
    ),
    fault(
        "joint that conducts what nobody computes",
        (
            "    Thermal(law: Hertz, boundary: [Temperature(group: \"floor\", value: 293.15)]),\n  ],\n",
            "  ],\n  joints: [(between: ((\"discs\", 0), (\"discs\", 1)), joint: Wire(length: 1), conducts: (electrical: 1, thermal: 2))],\n",
        ),
        38,
        "this joint conducts `thermal`, but no module in `physics` computes that",
        "add `Thermal(…)` to `physics`, or remove `thermal` from `conducts`",
    ),
    fault(
        "conductance that falls with the force",
        ("Electrical(law: Hertz", "Electrical(law: Power(scale: 1, exponent: -1)"),
        36,
        "above zero, found -1",
        "above zero",
    ),
    fault(
        "transfer that falls with the pressure",
        ("Thermal(law: Hertz", "Thermal(law: PressurePower(coefficient: 1, reference: 1, exponent: -1)"),
        37,
        "expected a number zero or above, found -1",
        "zero or above",
    ),
];

fn printed(model: &str) -> (bool, String) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("model.ron"), model).unwrap();
    let output = mpcd(folder.path(), &["check", "model.ron"]);
    (output.status.success(), text(&output.stdout) + &text(&output.stderr))
}

#[test]
fn the_good_model_is_good() {
    let (ok, out) = printed(include_str!("base.ron"));
    assert!(ok && out.contains("model.ron is ready to run"), "{out}");
}

#[test]
fn every_fault_is_named_with_its_place_and_its_cure() {
    let mut wrong = Vec::new();
    for f in FAULTS {
        let good = include_str!("base.ron");
        assert!(good.contains(f.change.0), "{}: the good model has no `{}`", f.name, f.change.0);
        let (ok, out) = printed(&good.replacen(f.change.0, f.change.1, 1));
        // Long lines are wrapped: compare words.
        let words = out.replace('│', " ").split_whitespace().collect::<Vec<_>>().join(" ");
        let place = format!("model.ron:{}:", f.line);
        if ok || !words.contains(&place) || !words.contains(f.says) || !words.contains(f.help) || words.contains("panicked") {
            wrong.push(format!("--- {} (expected {place} \"{}\", \"{}\")\n{out}", f.name, f.says, f.help));
        }
    }
    assert!(FAULTS.len() >= 25 && wrong.is_empty(), "{} of {} faults:\n{}", wrong.len(), FAULTS.len(), wrong.join("\n"));
}
