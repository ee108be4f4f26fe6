//! Lattices of equal resistors: periodic ones that grow towards the infinite lattice, and ones of which bonds are missing, against effective-medium theory.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests; the tables of docs/verification.md are printed"
)]

use std::f64::consts::PI;

use mpcd_electrical::{NetworkSolver, ResistorNetwork, SolverSettings};

/// Bonds of one cell: its node `from`, and the node `to` of the cell at `by`.
struct Bond {
    from: usize,
    to: usize,
    by: [usize; 3],
}

const fn bond(from: usize, to: usize, by: [usize; 3]) -> Bond {
    Bond { from, to, by }
}

/// A lattice: its dimension, the nodes of a cell, the bonds of a cell.
struct Lattice {
    dimension: usize,
    nodes: usize,
    bonds: &'static [Bond],
}

const SQUARE: Lattice = Lattice { dimension: 2, nodes: 1, bonds: &[bond(0, 0, [1, 0, 0]), bond(0, 0, [0, 1, 0])] };
const TRIANGULAR: Lattice =
    Lattice { dimension: 2, nodes: 1, bonds: &[bond(0, 0, [1, 0, 0]), bond(0, 0, [0, 1, 0]), bond(0, 0, [1, 1, 0])] };
/// Each node of kind 1 has three of kind 0: of its own cell, and of the two before it.
const HONEYCOMB: Lattice =
    Lattice { dimension: 2, nodes: 2, bonds: &[bond(0, 1, [0, 0, 0]), bond(1, 0, [1, 0, 0]), bond(1, 0, [0, 1, 0])] };
const CUBIC: Lattice =
    Lattice { dimension: 3, nodes: 1, bonds: &[bond(0, 0, [1, 0, 0]), bond(0, 0, [0, 1, 0]), bond(0, 0, [0, 0, 1])] };

impl Lattice {
    /// Lengths in cells: `n` along each axis that it has.
    fn lengths(&self, n: usize) -> [usize; 3] {
        [n, n, if self.dimension == 3 { n } else { 1 }]
    }

    fn node(&self, n: usize, cell: [usize; 3], node: usize) -> usize {
        let [nx, ny, nz] = self.lengths(n);
        ((cell[2] % nz * ny + cell[1] % ny) * nx + cell[0] % nx) * self.nodes + node
    }

    /// `n` cells along each axis, joined to themselves; the bonds for which `has` says no are left out, as are those over the end of x where it is `open`.
    fn network(&self, n: usize, open: bool, mut has: impl FnMut() -> bool) -> ResistorNetwork {
        let [nx, ny, nz] = self.lengths(n);
        let mut net = ResistorNetwork::new(nx * ny * nz * self.nodes);
        let cells = (0..nz).flat_map(|z| (0..ny).flat_map(move |y| (0..nx).map(move |x| [x, y, z])));
        for cell in cells {
            for Bond { from, to, by } in self.bonds {
                let over = open && cell[0] + by[0] >= nx;
                if !over && has() {
                    let other = std::array::from_fn(|k| cell[k] + by[k]);
                    net.join(self.node(n, cell, *from), self.node(n, other, *to), 1.0);
                }
            }
        }
        net
    }

    /// Resistance of the periodic lattice of `n` cells along each axis, between node 0 of the first cell and a node of another one.
    fn resistance(&self, n: usize, cell: [usize; 3], node: usize) -> f64 {
        let mut net = self.network(n, false, || true);
        net.inject(self.node(n, [0; 3], 0), 1.0);
        net.hold(self.node(n, cell, node), 0.0);
        let mut potential = vec![0.0; net.nodes()];
        NetworkSolver::new(SolverSettings::default()).solve(&net, &mut potential).unwrap();
        potential[self.node(n, [0; 3], 0)]
    }

    /// Conductance along x of a lattice with a part `p` of its bonds, over that of the whole one; periodic across.
    fn diluted(&self, n: usize, p: f64, seed: u64) -> f64 {
        let conductance = |p: f64| {
            let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let mut net = self.network(n, true, || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                ((state >> 33) as f64) / ((1_u64 << 31) as f64) < p
            });
            let [nx, ny, nz] = self.lengths(n);
            let mut sources = Vec::new();
            for (y, z) in (0..nz).flat_map(|z| (0..ny).map(move |y| (y, z))) {
                sources.push(self.node(n, [0, y, z], 0));
                net.hold(self.node(n, [0, y, z], 0), 1.0);
                net.hold(self.node(n, [nx - 1, y, z], 0), 0.0);
            }
            let mut solver = NetworkSolver::new(SolverSettings::default());
            let mut potential = vec![0.0; net.nodes()];
            solver.solve(&net, &mut potential).unwrap();
            sources.iter().map(|&node| solver.leaving()[node]).sum::<f64>()
        };
        conductance(p) / conductance(2.0)
    }
}

/// Resistances of infinite lattices (Atkinson and van Steenwijk 1999, doi:10.1119/1.19311; Cserti 2000, doi:10.1119/1.1285881), by periodic ones: the
/// difference falls as one over the number of nodes, and twice the size taken against once leaves less than the next power.
#[test]
fn periodic_lattices_tend_to_infinite_ones() {
    let root3 = 3.0_f64.sqrt();
    let cases: [(&str, &Lattice, [usize; 3], usize, f64); 9] = [
        ("square (1, 0)", &SQUARE, [1, 0, 0], 0, 0.5),
        ("square (1, 1)", &SQUARE, [1, 1, 0], 0, 2.0 / PI),
        ("square (2, 0)", &SQUARE, [2, 0, 0], 0, 2.0 - 4.0 / PI),
        ("square (2, 1)", &SQUARE, [2, 1, 0], 0, 4.0 / PI - 0.5),
        ("triangular, neighbours", &TRIANGULAR, [1, 0, 0], 0, 1.0 / 3.0),
        ("triangular, second neighbours", &TRIANGULAR, [2, 1, 0], 0, 2.0 * root3 / PI - 2.0 / 3.0),
        ("honeycomb, neighbours", &HONEYCOMB, [0, 0, 0], 1, 2.0 / 3.0),
        ("honeycomb, second neighbours", &HONEYCOMB, [1, 0, 0], 0, 1.0),
        ("cubic, neighbours", &CUBIC, [1, 0, 0], 0, 1.0 / 3.0),
    ];
    for (name, lattice, cell, node, want) in cases {
        let sizes: [usize; 4] = if lattice.dimension == 3 { [4, 6, 8, 16] } else { [8, 16, 32, 64] };
        let values = sizes.map(|n| lattice.resistance(n, cell, node));
        let missing = values.map(|r| want - r);
        let order = (missing[2] / missing[3]).ln() / (sizes[3] as f64 / sizes[2] as f64).ln();
        let gain = (sizes[3] as f64 / sizes[2] as f64).powi(lattice.dimension as i32);
        let limit = (gain * values[3] - values[2]) / (gain - 1.0);
        println!(
            "| {name} | {want:.8} | {:.3e} | {:.3e} | {:.3e} | {:.3e} | {order:.4} | {:.1e} |",
            missing[0],
            missing[1],
            missing[2],
            missing[3],
            limit - want
        );
        assert!((order - lattice.dimension as f64).abs() < 0.01, "{name}: order {order}, {missing:?}");
        assert!(missing.iter().all(|d| *d > 0.0) && (limit - want).abs() < 2e-6, "{name}: {limit} instead of {want}");
    }
}

/// Kirkpatrick's effective medium of a lattice of z neighbours with a part p of its bonds (1973, doi:10.1103/RevModPhys.45.574).
fn effective_medium(p: f64, z: f64) -> f64 {
    ((p - 2.0 / z) / (1.0 - 2.0 / z)).max(0.0)
}

/// Three seeds at each p: far above percolation effective-medium theory holds. Near it it does not: it puts the threshold at 2/z, and is a line from there. That of
/// the square lattice, ½, is right (Kesten 1980, doi:10.1007/BF01197577), but the conductance sets in more slowly than a line; that of the cubic lattice is
/// at 0.2488 (Lorenz and Ziff 1998, doi:10.1103/PhysRevE.57.230) and not at ⅓.
#[test]
fn diluted_lattices_follow_effective_medium_theory_far_from_percolation() {
    // p, and the bounds of the mean less the theory
    let square = [
        (0.95, [-0.005, 0.005]),
        (0.9, [-0.005, 0.005]),
        (0.8, [-0.01, 0.0]),
        (0.7, [-0.025, -0.01]),
        (0.6, [-0.03, -0.015]),
        (0.55, [-0.025, -0.01]),
        (0.5, [0.005, 0.03]),
    ];
    let cubic = [
        (0.95, [-0.002, 0.002]),
        (0.9, [-0.003, 0.003]),
        (0.7, [0.0, 0.01]),
        (0.5, [0.008, 0.018]),
        (0.4, [0.02, 0.035]),
        (0.33, [0.04, 0.06]),
        (0.28, [0.005, 0.015]),
    ];
    for (name, lattice, z, n, rows) in [("square", &SQUARE, 4.0, 120, square), ("cubic", &CUBIC, 6.0, 24, cubic)] {
        for (p, [low, high]) in rows {
            let values = [1, 2, 3].map(|seed| lattice.diluted(n, p, seed));
            let (mean, theory) = (values.iter().sum::<f64>() / 3.0, effective_medium(p, z));
            println!("| {name} | {p} | {:.4} | {:.4} | {:.4} | {mean:.4} | {theory:.4} |", values[0], values[1], values[2]);
            assert!((low..=high).contains(&(mean - theory)), "{name}, p = {p}: {values:?} against {theory}");
        }
    }
}

/// What a finite square lattice conducts at its threshold is a matter of its size: it falls as the lattice grows.
#[test]
fn at_the_threshold_the_conductance_falls_with_the_size() {
    let mean = |n: usize| (1..=12).map(|seed| SQUARE.diluted(n, 0.5, seed)).sum::<f64>() / 12.0;
    let [small, large] = [20, 160].map(mean);
    println!("{small:.4} {large:.4}");
    assert!(large < 0.5 * small, "{small}, {large}");
}
