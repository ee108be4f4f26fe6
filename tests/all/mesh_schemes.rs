//! Schemes in time of deformable bodies, by their names in a model: statics against dynamics at rest and formulas, the conserving scheme against the
//! θ-scheme, in contact too; what a scheme cannot have is refused.

use mpcd_core::Book;
use mpcd_sim::{Model, ModelErrors, Registry, Simulation, testkit::same_bits};

use crate::granular::{build, column, steps};

/// A model of `space` dimensions whose bodies move by `scheme`.
fn scene(space: usize, (step, theta): (f64, f64), gravity: f64, scheme: &str, rest: &str) -> String {
    let down = if space == 2 { format!("(0, {:?})", -gravity) } else { format!("(0, {:?}, 0)", -gravity) };
    format!(
        "(dimension: {space}, gravity: {down}, time: (step: {step:?}, end: 1000, theta: {theta:?}),\n\
         materials: {{\"m\": (density: 1000, elastic: (young: \"1 MPa\", poisson: 0)),\n\
         \"rubber\": (density: 1000, elastic: (young: \"1 MPa\", poisson: 0.3), solid: (law: NeoHookean)),\n\
         \"svk\": (density: 1000, elastic: (young: \"1 MPa\", poisson: 0.3), solid: (law: SaintVenantKirchhoff)),\n\
         \"metal\": (density: 1000, elastic: (young: \"1 MPa\", poisson: 0.3), solid: (law: J2(yield_stress: 1e4))),\n\
         \"damped\": (density: 1000, elastic: (young: \"1 MPa\", poisson: 0.3), solid: (law: NeoHookean, mass_damping: 30)),\n\
         \"s\": (density: 2000)}},\n{rest}, physics: [Contact(tolerance: 1e-10, deformable: (scheme: {scheme}))])"
    )
}

/// All numbers of an array of the first mesh.
fn array(run: &Simulation, name: &str) -> Vec<f64> {
    run.meshes()[0].arrays.iter().find(|a| a.name == name).unwrap().values.clone()
}

fn largest(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(0.0, |m: f64, x| m.max(x.abs()))
}

fn differ(a: &[f64], b: &[f64]) -> f64 {
    largest(a.iter().zip(b).map(|(a, b)| a - b)) / largest(a.iter().copied())
}

fn books_are_closed(run: &Simulation, least: f64) {
    for book in [Book::Momentum, Book::Energy] {
        let account = run.books().account(book).unwrap();
        assert!(account.worst <= least, "{} is open by {:e}", book.name(), account.worst);
    }
}

/// A column sags by ρ g H²/2E under its own weight in one step of statics, whatever its length, and its foot bears ρ g H.
#[test]
fn a_column_sags_at_once() {
    for (space, h) in [(2, 1e-6), (2, 1.0), (2, 1e3), (3, 1e-3)] {
        let mesh = if space == 2 {
            "Mesh(of: Rectangle(size: (0.1, 0.4), cells: (1, 8), element: Q8), plane: PlaneStress)"
        } else {
            "Mesh(of: Cuboid(size: (0.1, 0.4, 0.1), cells: (1, 8, 1), element: Hex20))"
        };
        let rest = format!("bodies: [(group: \"b\", material: \"m\", shape: {mesh})], loads: [(on: \"b.bottom\", load: Fixed)]");
        let mut run = build(&scene(space, (h, 1.0), 10.0, "Static", &rest), &[]);
        steps(&mut run, 1);
        let (sag, want) = (largest(array(&run, "displacement").into_iter()), 1000.0 * 10.0 * 0.16 / 2e6);
        assert!((sag / want - 1.0).abs() < 1e-9, "{space}D, h = {h}: {sag} of {want}");
        let weight: f64 = array(&run, "reaction").chunks(3).map(|f| f[1]).sum();
        let want = 1000.0 * 10.0 * 0.4 * if space == 2 { 0.1 } else { 0.01 };
        assert!((weight / want - 1.0).abs() < 1e-9, "{weight} of {want}");
        books_are_closed(&run, 1e-10);
    }
}

/// Rubber whose top is driven onto a held ball and stays there: statics is where dynamics comes to rest, in the plane and in space, without friction
/// whatever the steps were once contacts are where they are looked for.
#[test]
fn statics_is_dynamics_at_rest() {
    for space in [2, 3] {
        let (mesh, ball, zero, at) = if space == 2 {
            (
                "Mesh(of: Rectangle(size: (0.2, 0.1), cells: (10, 5), element: Q4))",
                "Disc(radius: 0.05)",
                "(0, 0)",
                "(0.1, -0.0501)",
            )
        } else {
            let mesh = "Mesh(of: Cuboid(size: (0.2, 0.1, 0.2), cells: (4, 2, 4), element: Hex8))";
            (mesh, "Sphere(radius: 0.05)", "(0, 0, 0)", "(0.1, -0.0501, 0.1)")
        };
        let across = if space == 2 { "X" } else { "X, Z" };
        let after = |scheme: &str, material: &str, (h, count): (f64, u64)| {
            let rest = format!(
                "bodies: [(group: \"b\", material: \"{material}\", shape: {mesh}, at: {zero}), (group: \"ball\", material: \"s\", shape: {ball}, at: {at})],\n\
                 interactions: [(between: (\"b\", \"ball\"), law: Coulomb(friction: 0))],\n\
                 loads: [(on: \"ball\", load: Fixed), (on: \"b.top\", load: Locked(axes: [{across}])), (on: \"b.top\", load: Velocity(y: Table([(0, -0.01), (1, -0.01), (1.0001, 0), (1000, 0)])))]"
            );
            let mut run = build(&scene(space, (h, 1.0), 0.0, scheme, &rest), &[]);
            steps(&mut run, count);
            books_are_closed(&run, 1e-9);
            let force: f64 = array(&run, "contact_force").chunks(3).map(|f| f[1]).sum();
            (array(&run, "displacement"), force)
        };
        let (fine, force) = after("Static", "rubber", (0.1, 30));
        let (coarse, _) = after("Static", "rubber", (0.5, 16));
        let (dynamic, late) = after("Theta", "damped", (0.1, 60));
        assert!(force > 10.0 && largest(fine.iter().copied()) > 9e-3, "{force} N");
        assert!(differ(&fine, &coarse) < 1e-7, "{space}D: the steps change {:e}", differ(&fine, &coarse));
        assert!(differ(&fine, &dynamic) < 1e-7, "{space}D: dynamics differs by {:e}", differ(&fine, &dynamic));
        assert!((late / force - 1.0).abs() < 1e-6, "{space}D: {late} N and {force} N");
    }
}

/// Yield in statics: a bar drawn by 2 ε_y carries σ_y, and unloaded it keeps the half of it.
#[test]
fn statics_yields() {
    let mesh = "Mesh(of: Rectangle(size: (0.4, 0.1), cells: (4, 1), element: Q8), plane: PlaneStress)";
    let rest = format!(
        "bodies: [(group: \"b\", material: \"metal\", shape: {mesh})], loads: [(on: \"b.left\", load: Locked(axes: [X])), (on: \"b.origin\", load: Locked(axes: [Y])),\n\
         (on: \"b.right\", load: Velocity(x: Table([(0, 8e-4), (10, 8e-4), (10.001, -4e-4), (20, -4e-4)])))]"
    );
    // ε_y = 1e4/1e6, 2 ε_y L = 8 mm in 10 s, back by ε_y L in 10 s.
    let mut run = build(&scene(2, (1.0, 1.0), 0.0, "Static", &rest), &[]);
    let stress = |run: &Simulation| {
        array(run, "stress").chunks(9).map(|s| s[0]).fold(0.0_f64, |m, s| if s.abs() > m.abs() { s } else { m })
    };
    steps(&mut run, 10);
    assert!((stress(&run) / 1e4 - 1.0).abs() < 1e-8, "{}", stress(&run));
    let plastic = largest(array(&run, "plastic_strain").into_iter());
    steps(&mut run, 10);
    assert!((plastic / 0.01 - 1.0).abs() < 1e-8 && stress(&run).abs() < 1e-2, "{plastic}, {} Pa left", stress(&run));
    books_are_closed(&run, 1e-9);
}

/// Energy and momentum of a block that tumbles and trembles, by its own columns: kept by `Conserving`, not by θ = ½.
#[test]
fn a_tumbling_block_in_a_model() {
    for (space, mesh, spin) in [
        (2, "Mesh(of: Rectangle(size: (0.3, 0.2), cells: (3, 2), element: Q4))", "0, 0, 25"),
        (3, "Mesh(of: Cuboid(size: (0.3, 0.2, 0.1), cells: (2, 1, 1), element: Hex8))", "20, 3, 10"),
    ] {
        let drift = |scheme: &str| {
            let (v, spin) = if space == 2 { ("(1, 2)", "25".to_owned()) } else { ("(1, 2, 0)", format!("({spin})")) };
            let rest = format!("bodies: [(group: \"b\", material: \"svk\", shape: {mesh}, velocity: {v}, spin: {spin})]");
            let mut run = build(&scene(space, (2e-3, 0.5), 0.0, scheme, &rest), &[]);
            let energy = |run: &Simulation, last: &mpcd_sim::StepOutcome| {
                column(run, last, "e_kinetic").unwrap() + column(run, last, "e_strain").unwrap()
            };
            let first = steps(&mut run, 1);
            let (start, mut worst) = (energy(&run, &first), 0.0_f64);
            for _ in 0..400 {
                let last = steps(&mut run, 1);
                worst = worst.max((energy(&run, &last) / start - 1.0).abs());
            }
            books_are_closed(&run, 1e-9);
            worst
        };
        let (kept, lost) = (drift("Conserving"), drift("Theta"));
        assert!(kept < 1e-9 && lost > 1e-6, "{space}D: conserving {kept:e}, θ = ½ {lost:e}");
    }
}

/// A soft block that falls askew, strikes a floor with friction and leaves it: by the conserving scheme and by θ = ½ the motions come together with the
/// square of the step until it touches, and both stay near after; no step gains energy.
#[test]
fn conserving_bodies_strike_a_floor() {
    let run_of = |scheme: &str, h: f64, count: u64| {
        let rest = "bodies: [(group: \"b\", material: \"svk\", shape: Mesh(of: Rectangle(size: (0.2, 0.1), cells: (4, 2), element: Q4)), at: (0, 0.04), rotation: 0.2, velocity: (1, -1), spin: 8),\n\
                    (group: \"floor\", material: \"s\", shape: Plane(normal: (0, 1)))],\n\
                    interactions: [(between: (\"b\", \"floor\"), law: Coulomb(friction: 0.3))]";
        let mut run = build(&scene(2, (h, 0.5), 10.0, scheme, rest), &[]);
        let mut last = steps(&mut run, 1);
        let energy = |run: &Simulation, last: &mpcd_sim::StepOutcome| {
            ["e_kinetic", "e_strain", "e_potential"].iter().map(|n| column(run, last, n).unwrap()).sum::<f64>()
        };
        let mut before = energy(&run, &last);
        for _ in 1..count {
            last = steps(&mut run, 1);
            let now = energy(&run, &last);
            if scheme == "Conserving" {
                assert!(now <= before + 1e-8, "h = {h}: {before} → {now} J");
            }
            before = now;
        }
        books_are_closed(&run, 1e-8);
        array(&run, "displacement")
    };
    // Flight alone, until 0.03 s.
    let error = |h: f64, count: u64| differ(&run_of("Conserving", h, count), &run_of("Theta", h, count));
    let (coarse, fine) = (error(2e-4, 150), error(1e-4, 300));
    let order = (coarse / fine).log2();
    assert!((order - 2.0).abs() < 0.3, "{coarse:e} {fine:e}: order {order}");
    // And through the impact.
    let (a, b) = (run_of("Conserving", 2.5e-4, 600), run_of("Theta", 2.5e-4, 600));
    assert!(differ(&a, &b) < 0.02, "{:e}", differ(&a, &b));
}

/// A bar of large strain strikes a wall: E A v/c, as with the other schemes.
#[test]
fn a_conserving_bar_strikes_a_wall() {
    let (young, density): (f64, f64) = (1e6, 1000.0);
    let c = (young / density).sqrt();
    let rest = "bodies: [(group: \"b\", material: \"svk0\", shape: Mesh(of: Rectangle(size: (1, 0.02), cells: (50, 1), element: Q4), plane: PlaneStress), velocity: (-0.01, 0)),\n\
                (group: \"wall\", material: \"s\", shape: Plane(normal: (1, 0)))],\n\
                interactions: [(between: (\"b\", \"wall\"), law: Coulomb(friction: 0))]";
    let text = scene(2, (0.5 / 50.0 / c, 0.5), 0.0, "Conserving", rest).replace(
        "\"s\":",
        "\"svk0\": (density: 1000, elastic: (young: \"1 MPa\", poisson: 0), solid: (law: SaintVenantKirchhoff)), \"s\":",
    );
    let mut run = build(&text, &[]);
    let mut impulse = 0.0;
    let h = 0.5 / 50.0 / c;
    for _ in 0..260 {
        steps(&mut run, 1);
        impulse += h * array(&run, "contact_force").chunks(3).map(|f| f[0]).sum::<f64>();
    }
    // It leaves as it came: 2 m v, within what the nodes that stop lose.
    let want = 2.0 * 1000.0 * 0.02 * 0.01;
    assert!((impulse / want - 1.0).abs() < 0.02, "{impulse} of {want}");
    books_are_closed(&run, 1e-9);
}

#[test]
fn what_schemes_cannot_do_is_refused() {
    let mesh = "Mesh(of: Rectangle(size: (0.2, 0.1), cells: (2, 1), element: Q4))";
    let body = |material: &str| format!("bodies: [(group: \"b\", material: \"{material}\", shape: {mesh})]");
    let held = ", loads: [(on: \"b.left\", load: Fixed)]";
    let said = |text: String| {
        let parsed = Model::parse_with(&text, "m", "m.ron", std::path::Path::new("."), &[], &mpcd::shapes());
        let built = parsed.and_then(|m| Simulation::build(&m, &<Registry as mpcd::StandardRegistry>::standard()));
        match built {
            Err(errors) => format!("{errors} [before the first step]"),
            Ok(mut run) => run.step().map(|_| ()).expect_err(&text).to_string(),
        }
    };
    for (scheme, theta, material, more, words) in [
        ("Conserving", 1.0, "svk", "", "has 0.5"),
        ("Static", 0.5, "m", held, "has 1"),
        ("Conserving", 0.5, "metal", "", "has a history"),
        ("Static, mass: Lumped", 1.0, "m", held, "has no inertia"),
        ("Static", 1.0, "m", "", "nothing keeps it from moving along x and y and turning"),
        ("Static", 1.0, "rubber", ", loads: [(on: \"b.left\", load: Locked(axes: [X]))]", "nothing keeps it from moving along y"),
        // A weld and a pin push, but do not hold.
        (
            "Static",
            1.0,
            "m",
            ", joints: [(to_ground: \"b.left\", name: \"j\", joint: Weld())]",
            "contacts, joints and welds alone",
        ),
    ] {
        let text = scene(2, (1e-3, theta), 10.0, scheme, &(body(material) + more));
        let said = said(text);
        assert!(said.contains(words), "{scheme} {material}: {said}\nhas no `{words}`");
        assert!(said.contains("[before the first step]"), "{scheme} {material} passes `check`: {said}");
    }
}

/// Bodies whose forces cancel, or are rounding alone, close their balances: moved as a whole far from where they were meshed, and heated, free and between
/// held sides, where loads and reactions add up to nothing.
#[test]
fn forces_that_cancel_close_their_balances() {
    let bar = "Mesh(of: Rectangle(size: (0.4, 0.1), cells: (6, 2), element: Q8))";
    let thermal = "thermal: (conductivity: 50, specific_heat: 500, expansion: 1e-5)";
    let heated = "physics: [Contact(deformable: (scheme: Static)), Thermal(law: Constant(conductance: 1), boundary: [Temperature(group: \"b\", value: Ramp(from: 293.15, to: 393.15, end: 1))])]";
    let moved = "physics: [Contact(deformable: (scheme: Static))]";
    for (material, loads, physics) in [
        ("", "(on: \"b.left\", load: Velocity(x: 1, y: 0.5))", moved),
        (thermal, "(on: \"b.left\", load: Locked(axes: [X])), (on: \"b.bottom\", load: Locked(axes: [Y]))", heated),
        (
            thermal,
            "(on: \"b.left\", load: Locked(axes: [X])), (on: \"b.right\", load: Locked(axes: [X])), (on: \"b.bottom\", load: Locked(axes: [Y]))",
            heated,
        ),
    ] {
        let text = format!(
            "(dimension: 2, time: (step: 0.1, end: 5, theta: 1), materials: {{\"m\": (density: 1000, elastic: (young: \"10 GPa\", poisson: 0.3), {material})}},\n\
             bodies: [(group: \"b\", material: \"m\", shape: {bar})], loads: [{loads}], {physics})"
        );
        let mut run = build(&text, &[]);
        for _ in 0..12 {
            steps(&mut run, 1);
            books_are_closed(&run, 1e-10);
        }
    }
}

/// Every scheme is bitwise reproducible: on threads, after rejected steps, without caches, after a resume.
#[test]
fn schemes_have_the_same_bits() {
    let falling = "bodies: [(group: \"b\", material: \"svk\", shape: Mesh(of: Rectangle(size: (0.2, 0.1), cells: (4, 2), element: Q4)), at: (0, 0.01), rotation: 0.2, velocity: (1, -1), spin: 8),\n\
                   (group: \"floor\", material: \"s\", shape: Plane(normal: (0, 1)))],\n\
                   interactions: [(between: (\"b\", \"floor\"), law: Coulomb(friction: 0.3))]";
    let pressed = "bodies: [(group: \"b\", material: \"rubber\", shape: Mesh(of: Rectangle(size: (0.2, 0.1), cells: (6, 3), element: Q4))), (group: \"ball\", material: \"s\", shape: Disc(radius: 0.05), at: (0.1, -0.05))],\n\
                   interactions: [(between: (\"b\", \"ball\"), law: Coulomb(friction: 0.3))],\n\
                   loads: [(on: \"ball\", load: Fixed), (on: \"b.top\", load: Locked(axes: [X])), (on: \"b.top\", load: Velocity(y: -0.01))]";
    for (scheme, theta, h, rest) in [("Conserving", 0.5, 1e-3, falling), ("Static", 1.0, 0.02, pressed)] {
        let text = scene(2, (h, theta), 10.0, scheme, rest);
        let build = || -> Result<Simulation, ModelErrors> {
            let model = Model::parse_with(&text, "m", "m.ron", std::path::Path::new("."), &[], &mpcd::shapes())?;
            Simulation::build(&model, &<Registry as mpcd::StandardRegistry>::standard())
        };
        same_bits(&build, 40).unwrap_or_else(|e| panic!("{scheme}: {e}"));
    }
}

/// A free mesh that spins and does not move has no momentum: what rounding leaves of it is no fault, in any scheme. `Explicit` was stopped in its first step.
#[test]
fn what_spins_in_place_has_its_momentum() {
    for scheme in ["Explicit", "Theta", "Conserving"] {
        let mut run = build(
            &format!(
                r#"(dimension: 2, time: (step: 1e-6, end: 1), materials: {{"m": (density: 1000, elastic: (young: 1e7, poisson: 0.3), solid: (law: NeoHookean))}},
  bodies: [(group: "a", material: "m", shape: Mesh(of: Rectangle(size: (0.02, 0.01), cells: (4, 2), element: Q4)), spin: 100)],
  physics: [Contact(deformable: (scheme: {scheme}))])"#
            ),
            &[],
        );
        steps(&mut run, 20);
        let said = run.summary().warnings;
        assert!(said.is_empty(), "{scheme}: {said:?}");
    }
}
