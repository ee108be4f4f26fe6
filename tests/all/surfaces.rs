//! Triangulated surfaces on each other: what they carry, and that none sinks into another.

use std::fmt::Write;

use crate::granular::{build, column};

/// A block as a closed surface, triangles wound outwards.
pub(crate) fn block([x, y, z]: [f64; 3]) -> String {
    let corner = |k: usize| [if k & 4 == 0 { -x } else { x }, if k & 2 == 0 { -y } else { y }, if k & 1 == 0 { -z } else { z }];
    let corners = (0..8).fold(String::new(), |mut out, k| {
        let [x, y, z] = corner(k).map(|c| 0.5 * c);
        write!(out, "({x:?}, {y:?}, {z:?}),").unwrap();
        out
    });
    let faces = "(0,1,3),(0,3,2),(4,6,7),(4,7,5),(0,4,5),(0,5,1),(2,3,7),(2,7,6),(0,2,6),(0,6,4),(1,5,7),(1,7,3)";
    format!("Surface(vertices: [{corners}], triangles: [{faces}])")
}

/// An open floor of n × n cells, 3 m wide.
fn sheet(n: usize) -> String {
    let place = |k: usize| 3.0 * k as f64 / n as f64 - 1.5;
    let mut corners = String::new();
    let mut faces = String::new();
    for i in 0..=n {
        for j in 0..=n {
            write!(corners, "({:?}, {:?}, 0.0),", place(i), place(j)).unwrap();
        }
    }
    let at = |i: usize, j: usize| i * (n + 1) + j;
    for i in 0..n {
        for j in 0..n {
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            write!(faces, "({a},{b},{c}),({a},{c},{d}),").unwrap();
        }
    }
    format!("Surface(vertices: [{corners}], triangles: [{faces}])")
}

/// A block of 120 kg rests on floors of two and of many triangles, on a slab a millimetre thick. Its corners were lost one by one as they came to lie behind the
/// floor by rounding, and it fell through.
#[test]
fn a_block_stands_on_a_floor_of_triangles() {
    for (floor, below) in [(sheet(1), 0.0), (sheet(2), 0.0), (sheet(7), 0.0), (block([3.0, 3.0, 1e-3]), -5e-4)] {
        for turn in [0.0, 0.3] {
            let text = format!(
                r#"(dimension: 3, gravity: (0, 0, -9.81), time: (step: 1e-3, end: 0.3), materials: {{"m": (density: 1000)}},
                bodies: [(group: "a", material: "m", shape: {}, at: (0.05, 0.02, 0.3), rotation: ((0, 0, 1), {turn})),
                         (group: "f", material: "m", shape: {floor}, at: (0, 0, {below}))],
                interactions: [(between: ("a", "f"), law: Coulomb(friction: 0.5))], loads: [(on: "f", load: Fixed)], physics: [Contact()],
                output: (probes: [(name: "held", of: "resultant", component: Z, group: "f"), (name: "z", of: "position", component: Z, group: "a")]))"#,
                block([0.4, 0.5, 0.6])
            );
            let mut run = build(&text, &[]);
            let weight = 0.4 * 0.5 * 0.6 * 1000.0 * 9.81;
            while !run.finished() {
                let step = run.step().unwrap_or_else(|e| panic!("{floor}: {e}"));
                let [held, z] = ["held", "z"].map(|name| column(&run, &step, name).unwrap());
                assert!(
                    (held + weight).abs() < 1e-3 * weight,
                    "{floor}, turned by {turn}: {held} N of {weight} N at {} s",
                    run.time()
                );
                assert!((z - 0.3).abs() < 1e-6, "{floor}, turned by {turn}: {z} m at {} s", run.time());
            }
        }
    }
}
