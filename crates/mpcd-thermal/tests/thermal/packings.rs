//! VALIDATION §11: conductivity of ordered packings, k_eff = κ k a/R, on lattices that are periodic across the heat flow.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use mpcd_core::BodyId;

use crate::{
    closed_forms::{STEEL, entry, force_for},
    kit::{Bench, Rig},
};

const K: f64 = 50.0;
const A: f64 = 1e-4;
const R: f64 = 5e-3;

/// Layers of n × n spheres; `above` lists for a sphere (x, y) of a layer the places it touches in the next one, `beside` in its own.
struct Lattice {
    n: usize,
    layers: usize,
    above: fn(usize) -> Vec<(usize, usize)>,
    beside: Vec<(usize, usize)>,
    /// Area per sphere of a layer, and distance of layers [m², m].
    area: f64,
    distance: f64,
}

impl Lattice {
    /// κ = k_eff R/(k a) from the heat between the first and the last layer in the steady state.
    fn kappa(&self) -> f64 {
        let (n, layers) = (self.n, self.layers);
        let mut bench = Bench::new(1e12);
        let steel = bench.material("steel", 7800.0, &STEEL);
        let mut ids: Vec<BodyId> = Vec::new();
        for layer in 0..layers {
            let group = if layer == 0 {
                "hot"
            } else if layer + 1 == layers {
                "cold"
            } else {
                "bed"
            };
            ids.extend((0..n * n).map(|_| bench.sphere(group, steel, R)));
        }
        let at = |layer: usize, x: usize, y: usize| ids[(layer * n + y % n) * n + x % n];
        for layer in 0..layers {
            for (x, y) in (0..n * n).map(|k| (k % n, k / n)) {
                for &(dx, dy) in &self.beside {
                    bench.touch(at(layer, x, y), at(layer, x + dx, y + dy), force_for(A));
                }
                if layer + 1 < layers {
                    for (dx, dy) in (self.above)(layer) {
                        bench.touch(at(layer, x, y), at(layer + 1, x + dx, y + dy), force_for(A));
                    }
                }
            }
        }
        let text = r#"Thermal(law: Hertz, temperature: 300, boundary: [Temperature(group: "hot", value: 310), Temperature(group: "cold", value: 300)])"#;
        let mut rig = Rig::new(&entry(), text, &bench);
        (0..2).for_each(|_| drop(rig.step(&bench).unwrap()));
        let hot = n * n;
        let heat: f64 = rig
            .written("heat")
            .iter()
            .zip(bench.network.iter())
            .filter(|(_, c)| c.key.candidate.index() < hot && c.key.antagonist.index() >= hot)
            .map(|(q, _)| q)
            .sum();
        let gradient = 10.0 / ((layers - 1) as f64 * self.distance);
        heat / (hot as f64 * self.area) / gradient * R / (K * A)
    }
}

#[test]
fn v11_simple_cubic_packing() {
    let lattice =
        Lattice { n: 4, layers: 6, above: |_| vec![(0, 0)], beside: vec![(1, 0), (0, 1)], area: 4.0 * R * R, distance: 2.0 * R };
    let kappa = lattice.kappa();
    assert!((kappa - 1.0).abs() < 1e-8, "{kappa}");
}

#[test]
fn v11_body_centred_packing() {
    let cell = 4.0 * R / 3.0_f64.sqrt();
    let lattice = Lattice {
        n: 4,
        layers: 7,
        // corners touch the four centres around, and these the four corners around
        above: |layer| {
            let back = if layer % 2 == 0 { 3 } else { 1 };
            vec![(0, 0), (back, 0), (0, back), (back, back)]
        },
        beside: Vec::new(),
        area: cell * cell,
        distance: cell / 2.0,
    };
    let kappa = lattice.kappa();
    assert!((kappa - 3.0_f64.sqrt()).abs() < 1e-8, "{kappa}");
}
