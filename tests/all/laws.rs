//! Every law that remembers, and joints: the same bits when steps are rejected, caches dropped, the run resumed, on one thread and two;
//! books that close; damage that never heals.

use std::path::Path;

use mpcd::{Registry, StandardRegistry};
use mpcd_core::Book;
use mpcd_sim::{Model, ModelErrors, Simulation, testkit::same_bits};

/// A lattice of balls that starts in contact, spun and shaken: bonds stretch, slide and break.
fn model(law: &str, joints: &str) -> String {
    format!(
        r#"(
  dimension: 3, gravity: (1, 0.5, -9.81), time: (step: "0.5 ms", end: "1 s"),
  materials: {{"stone": (density: 2500)}},
  bodies: [
    (group: "balls", material: "stone", packing: Lattice(from: (0, 0, 0), to: (0.3, 0.2, 0.2), sizes: Fixed(radius: 0.05)), velocity: (0.5, 0, 0.3), spin: (3, 2, 8)),
    (group: "floor", material: "stone", shape: Plane(normal: (0, 0, 1))),
    (group: "wall", material: "stone", shape: Plane(normal: (-1, 0, 0)), at: (0.35, 0, 0)),
  ],
  interactions: [
    (between: ("balls", "balls"), law: {law}),
    (between: ("balls", "floor"), law: {law}),
    (between: ("balls", "wall"), law: Coulomb(friction: 0.3, rolling: "1 mm", spinning: "1 mm")),
  ],
  {joints}
  physics: [Contact(tolerance: 1e-8)],
)"#
    )
}

fn build(text: &str) -> Result<Simulation, ModelErrors> {
    Simulation::build(&Model::parse_with(text, "laws", "laws.ron", Path::new("."), &[], &mpcd::shapes())?, &Registry::standard())
}

fn check(text: &str, steps: u64) {
    same_bits(&|| build(text), steps).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let mut simulation = build(text).unwrap();
    for _ in 0..steps {
        simulation.step().unwrap_or_else(|e| panic!("{e}\n{text}"));
    }
    for book in [Book::Momentum, Book::Energy] {
        let account = simulation.books().account(book).unwrap();
        assert!(account.worst <= 1e-10, "{} is open by {:e}\n{text}", book.name(), account.worst);
    }
}

#[test]
fn laws_that_remember_give_the_same_bits_on_resume() {
    for law in [
        "MonerieAcary(normal_stiffness: 1e9, tangential_stiffness: 1e9, energy: 0.5, friction: 0.4)",
        "RaousCangemiCocouMonerie(normal_stiffness: 1e9, tangential_stiffness: 5e8, energy: 0.5, viscosity: 1e-3, friction: 0.4)",
        "Bilinear(normal_stiffness: 1e9, tensile_strength: 2e4, energy: 0.5, friction: 0.4)",
        "Exponential(normal_stiffness: 1e9, tensile_strength: 2e4, energy: 0.5, friction: 0.4)",
        "Trapezoidal(normal_stiffness: 1e9, tensile_strength: 2e4, energy: 0.5, plateau: 0.3, friction: 0.4)",
        "Extrinsic(strength: 2e4, energy: 0.5, friction: 0.4)",
        "MohrCoulomb(friction: 0.4, tensile_strength: 2e3)",
        "MohrCoulomb(friction: 0.4, tensile_strength: 2e3, cohesion: 3e3)",
        "Capillary(force: 0.5, rupture: \"5 mm\", friction: 0.4)",
        "Elastic(stiffness: 1e6, damping: 20, tangential_stiffness: 5e5, friction: 0.4)",
        "SlipWeakening(friction: 0.6, sliding: 0.2, distance: \"1 mm\")",
        "Lubrication(viscosity: 1, roughness: \"10 um\", range: \"5 mm\", friction: 0.3)",
        "CoulombWithWear(friction: 0.4, coefficient: 1e-3, hardness: \"1 GPa\")",
        "Poisson(friction: 0.3, restitution: 0.5)",
    ] {
        check(&model(law, ""), 30);
    }
}

#[test]
fn joints_give_the_same_bits_on_resume() {
    let joints = r#"joints: [
    (chain: "balls", joint: Spring(stiffness: 1e3, damping: 2)),
    (between: (("balls", 0), ("balls", 6)), joint: Weld),
    (between: (("balls", 3), ("balls", 9)), joint: Pin(break_force: 20)),
    (to_ground: ("balls", 11), joint: Wire(to: (0.3, 0.2, 0.5))),
  ],"#;
    check(&model("Coulomb(friction: 0.4)", joints), 60);
}

/// A law of the other method, and a law that the solver cannot take, are refused with both groups, or with law and solver.
#[test]
fn laws_of_the_wrong_method_or_solver_are_refused() {
    let coulomb = model("Coulomb(friction: 0.4)", "");
    let smooth = model("Hooke(stiffness: 1e4, friction: 0.3, restitution: 0.5)", "");
    let cases = [
        (smooth.clone(), ["\"balls\" and \"balls\"", "`Hooke`, which belongs to `SmoothContact`", "Coulomb"]),
        (
            coulomb.replace("Contact(tolerance: 1e-8)", "SmoothContact()"),
            ["\"balls\" and \"balls\"", "`Coulomb`, which belongs to `Contact`", "Hertz"],
        ),
        (
            model("MonerieAcary(normal_stiffness: 1e9, tangential_stiffness: 1e9, energy: 0.5, friction: 0.4)", "")
                .replace("tolerance: 1e-8", "solver: \"jacobi\""),
            ["`MonerieAcary`", "`jacobi` cannot take", "`nlgs`"],
        ),
        (
            coulomb.replace("(\"balls\", \"wall\")", "(\"balls\", \"floor\")"),
            ["`balls` and `floor`", "is given twice", "one law per pair"],
        ),
    ];
    for (text, says) in cases {
        let errors = build(&text).err().unwrap_or_else(|| panic!("accepted:\n{text}")).to_string();
        assert!(says.iter().all(|s| errors.contains(s)), "expected {says:?}:\n{errors}");
    }
}

/// Discs over a floor: one falls beside the others and touches later, one is pulled off at constant speed, one stays. The field `damage` has the row of
/// each contact, by the traction–opening line of its bond: x = 1 − σ (δ_f − w)/((δ_f − δ₀) K w) with the opening w, δ₀ = σ/K, δ_f = 2G/σ.
#[test]
fn the_field_of_damage_stands_on_its_contacts() {
    let law =
        "Bilinear(normal_stiffness: 1e9, tensile_strength: 1e5, energy: 50, friction: 0.3, area: 0.01, bond_distance: 1e-3)";
    let pair = |group: &str| format!("(between: (\"{group}\", \"floor\"), law: {law})");
    let pairs = ["late", "pulled", "still"].map(pair).join(", ")
        + r#", (between: ("late", "pulled"), law: NoContact), (between: ("late", "still"), law: NoContact), (between: ("pulled", "still"), law: NoContact)"#;
    let text = r#"(dimension: 2, time: (step: 1e-3, end: 1, theta: 1),
  materials: {"m": (density: 1000), "heavy": (density: 1e12)},
  bodies: [
    (group: "late", material: "m", shape: Disc(radius: 0.1), at: (-1, 0.11), velocity: (0, -0.2)),
    (group: "pulled", material: "m", shape: Disc(radius: 0.1), at: (0, 0.1)),
    (group: "still", material: "m", shape: Disc(radius: 0.1), at: (1, 0.1)),
    (group: "floor", material: "heavy", shape: Box(size: (4, 0.2)), at: (0, -0.1)),
  ],
  interactions: [PAIRS],
  loads: [(on: "pulled", load: Velocity(x: 0, y: 0.01, spin_z: 0))],
  physics: [Contact()])"#
        .replace("PAIRS", &pairs);
    let mut run = build(&text).unwrap();
    let (strength, stiffness, last) = (1e5_f64, 1e9_f64, 2.0 * 50.0 / 1e5);
    let (mut late, mut partly) = (0, 0);
    for step in 1..=120 {
        run.step().unwrap();
        let rows = run.field("damage").unwrap().to_vec();
        let network = run.world().network;
        assert_eq!(rows.len(), network.len());
        for (contact, damage) in network.iter().zip(&rows) {
            let expected = match contact.key.candidate.index() {
                0 => 0.0,
                1 => {
                    let w = 1e-5 * f64::from(step);
                    let traction = strength * (last - w) / (last - strength / stiffness);
                    (1.0 - traction / (stiffness * w)).clamp(0.0, 1.0)
                }
                _ => 0.0,
            };
            late += usize::from(contact.key.candidate.index() == 0);
            partly += usize::from(expected > 0.1 && expected < 1.0);
            assert!((damage - expected).abs() < 1e-9, "step {step}, {:?}: {damage} of {expected}", contact.key);
        }
    }
    assert!(late > 50 && partly > 30, "{late} {partly}");
    // bonds follow their curve where the step follows their damage
    let limited = text.replace("theta: 1)", "theta: 1, adapt: (halvings: 12, change: [(field: \"damage\", by: 0.01)]))");
    let mut run = build(&limited).unwrap();
    let mut before = 0.0;
    while run.time() < 0.05 {
        run.step().unwrap();
        let network = run.world().network;
        let at = network.iter().position(|c| c.key.candidate.index() == 1).unwrap();
        let now = run.field("damage").unwrap()[at];
        assert!(now - before <= 0.01, "{before} to {now}");
        before = now;
    }
    assert!(before > 0.85);
}
