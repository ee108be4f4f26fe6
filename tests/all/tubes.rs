//! The mouth of an open tube: what falls in, what falls out, what rests on it.

use crate::granular::{build, column, steps};

/// A tube of 6 cm bore and 4 cm wall, 20 cm long, and what falls from above it on or beside its axis.
fn over_a_tube(body: &str, law: &str, more: &str) -> mpcd_sim::Simulation {
    build(
        &format!(
            r#"(dimension: 3, gravity: (0, 0, -9.81), time: (step: "0.5 ms", end: 1), materials: {{"m": (density: 1000)}},
  bodies: [(group: "b", material: "m", {body}), (group: "tube", material: "m", shape: HollowCylinder(radius: "6 cm", wall: "4 cm", length: "20 cm"))],
  interactions: [(between: ("b", "tube"), law: {law})], loads: [(on: "tube", load: Fixed)], {more}
  physics: [Contact()], output: (probes: [(name: "n", of: "resultant", component: Z, group: "tube")]))"#
        ),
        &[],
    )
}

/// What fits falls through an open tube without touching it, and out of it: its mouth was a lid from outside, and threw out what left it (z = −0.76 for −0.26 m).
#[test]
fn the_mouth_of_a_tube_is_open() {
    for law in ["Coulomb(friction: 0.5)", "Elastic(stiffness: 1e4, friction: 0)"] {
        for body in ["Sphere(radius: 0.01)", "Box(size: (0.02, 0.03, 0.02))", "Capsule(radius: 0.01, length: 0.03)"] {
            for x in [0.0, 0.03] {
                let mut run = over_a_tube(&format!("shape: {body}, at: ({x}, 0, 0.15)"), law, "");
                steps(&mut run, 700);
                let z = run.world().kinematics.position[0].z;
                let fallen = 0.15 - 0.5 * 9.81 * 0.35 * 0.35;
                assert!((z - fallen).abs() < 1e-3, "{body} at {x} m, {law}: {z} m, {fallen} m in free fall");
            }
        }
    }
}

/// A ball that is wider than the hole rests on the rim of that, √(R² − r²) above it; one over the wall on its end; one over the hole near the rim rolls in.
#[test]
fn balls_rest_on_the_mouth_of_a_tube() {
    let weight = |r: f64| 1000.0 * 4.0 / 3.0 * std::f64::consts::PI * r * r * r * 9.81;
    let high = 0.1 + (0.08_f64 * 0.08 - 0.06 * 0.06).sqrt();
    for (r, at, z) in [(0.08, "(0, 0, 0.1529150262)", high), (0.08, "(0.002, 0, 0.16)", high), (0.01, "(0.08, 0, 0.11)", 0.11)] {
        let mut run = over_a_tube(&format!("shape: Sphere(radius: {r}), at: {at}"), "Coulomb(friction: 0.5)", "");
        let last = steps(&mut run, 1500);
        let (x, n) = (run.world().kinematics.position[0], column(&run, &last, "n").unwrap());
        assert!((x.z - z).abs() < 1e-3, "{r} m from {at}: at {x:?}, expected {z} m");
        assert!((-n / weight(r) - 1.0).abs() < 2e-2, "{r} m from {at}: {n} N of {}", weight(r));
    }
    let mut run = over_a_tube("shape: Sphere(radius: 0.01), at: (0.0585, 0, 0.111)", "Coulomb(friction: 0.5)", "");
    steps(&mut run, 1000);
    assert!(run.world().kinematics.position[0].z < 0.0, "{:?}", run.world().kinematics.position[0]);
}

/// A ball that rolls along a tube rolls out of it as it came (0.6 m/s became 9.6).
#[test]
fn a_ball_rolls_out_of_a_tube() {
    for law in ["Coulomb(friction: 0.5)", "Elastic(stiffness: 1e4, friction: 0.5)"] {
        let mut run = build(
            &format!(
                r#"(dimension: 3, gravity: (0, 0, -9.81), time: (step: "0.5 ms", end: 1), materials: {{"m": (density: 1000)}},
  bodies: [(group: "b", material: "m", shape: Sphere(radius: 0.01), at: (0, 0, -0.05), velocity: (0.6, 0, 0), spin: (0, 60, 0)),
    (group: "tube", material: "m", shape: HollowCylinder(radius: "6 cm", wall: "4 cm", length: "20 cm"), rotation: ((0, 1, 0), "90 deg"))],
  interactions: [(between: ("b", "tube"), law: {law})], loads: [(on: "tube", load: Fixed)], physics: [Contact()])"#
            ),
            &[],
        );
        steps(&mut run, 500);
        let (x, v) = (run.world().kinematics.position[0], run.world().kinematics.velocity[0]);
        // falls over the rim with what it had and what that height gives
        assert!(x.x > 0.13 && (v.x - 0.6).abs() < 0.05 && v.norm() < 2.0, "{law}: {x:?}, {v:?}");
    }
}

/// Sharp bodies wider than the bore lean on its rim with their edges: a cube and an octahedron on their corners, a cone on its tip, a wedge on its edge. They fell through, or hung in the air where
/// their middle came into the bore.
#[test]
fn sharp_bodies_lean_on_the_rim_of_a_tube() {
    let (bore, weight) = (0.03_f64, 9.81);
    let cone = (0..16).fold(String::new(), |out, k| {
        let (sin, cos) = (std::f64::consts::FRAC_PI_8 * f64::from(k)).sin_cos();
        format!("{out}({:?}, {:?}, 0.1),", 0.05 * cos, 0.05 * sin)
    });
    let wedge =
        "(-0.05, -0.02, 0.1), (0.05, -0.02, 0.1), (-0.05, 0.02, 0.1), (0.05, 0.02, 0.1), (0, -0.02, -0.1), (0, 0.02, -0.1)";
    let six = "(0.06, 0, 0), (-0.06, 0, 0), (0, 0.06, 0), (0, -0.06, 0), (0, 0, 0.06), (0, 0, -0.06)";
    let corner_down = r#"rotation: ((1, -1, 0), 0.9553166181245093)"#;
    // Where the lowest point ends below the rim: an edge that rises by `slope` outward meets it where it is as far from the axis as the bore is wide.
    let cases = [
        ("Box(size: (0.08, 0.08, 0.08))".to_owned(), corner_down, -bore / 2.0_f64.sqrt()),
        (format!("Polyhedron(vertices: [{six}])"), "", -bore),
        (format!("Polyhedron(vertices: [{cone} (0, 0, -0.1)])"), "", -bore * 0.2 / 0.05),
        (format!("Polyhedron(vertices: [{wedge}])"), "", -(bore * bore - 0.02 * 0.02).sqrt() * 0.2 / 0.05),
    ];
    for (shape, turn, low) in cases {
        for length in [0.06, 0.3] {
            let text = format!(
                r#"(dimension: 3, gravity: (0, 0, -9.81), time: (step: "0.5 ms", end: 0.5), materials: {{"m": (density: 1000)}},
  bodies: [(group: "b", material: "m", shape: {shape}, at: (0, 0, 0.15), mass: 1, {turn}),
           (group: "tube", material: "m", shape: HollowCylinder(radius: {bore}, wall: 0.01, length: {length}), at: (0, 0, {:?}))],
  interactions: [(between: ("b", "tube"), law: Coulomb(friction: 0))], loads: [(on: "tube", load: Fixed), (on: "b", load: Locked(axes: [SpinX, SpinY, SpinZ]))], physics: [Contact()],
  output: (probes: [(name: "n", of: "resultant", component: Z, group: "tube"), (name: "low", of: "extent", component: Z, reduce: Min, group: "b")]))"#,
                -0.5 * length
            );
            let mut run = build(&text, &[]);
            let last = steps(&mut run, 1000);
            let [n, at] = ["n", "low"].map(|name| column(&run, &last, name).unwrap());
            assert!(
                (n + weight).abs() < 1e-3 && (at - low).abs() < 1e-4,
                "{shape} on a tube of {length} m: {n} N, lowest point {at} of {low} m"
            );
        }
    }
}

/// A hollow grain falls into an open box of triangles and lies on its floor: as it passed over the middle of the box that was taken for what is in its cavity, and it hung in the air.
#[test]
fn a_hollow_grain_passes_over_the_middle_of_its_container() {
    for grain in
        ["HollowSphere(radius: 0.03, wall: 0.01)", "HollowCylinder(radius: 0.03, wall: 0.01, length: 0.06, closed: true)"]
    {
        let text = format!(
            r#"(dimension: 3, gravity: (0, 0, -9.81), time: (step: 1e-3, end: 0.5), materials: {{"m": (density: 1000)}},
            bodies: [(group: "b", material: "m", shape: {grain}, at: (0, 0, 0.2)),
                     (group: "c", material: "m", shape: Surface(vertices: [(-0.1, -0.1, -0.1), (0.1, -0.1, -0.1), (0.1, 0.1, -0.1), (-0.1, 0.1, -0.1), (-0.1, -0.1, 0.1), (0.1, -0.1, 0.1), (0.1, 0.1, 0.1), (-0.1, 0.1, 0.1)],
                       triangles: [(0, 1, 2), (0, 2, 3), (0, 5, 1), (0, 4, 5), (1, 6, 2), (1, 5, 6), (2, 7, 3), (2, 6, 7), (3, 4, 0), (3, 7, 4)]))],
            interactions: [(between: ("b", "c"), law: Coulomb(friction: 0.5))], loads: [(on: "c", load: Fixed)], physics: [Contact()])"#
        );
        let mut run = build(&text, &[]);
        steps(&mut run, 500);
        let z = run.world().kinematics.position[0].z;
        assert!((z + 0.06).abs() < 1e-3, "{grain}: at {z} m of -0.06");
    }
}
