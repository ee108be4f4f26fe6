//! Effective-medium theory on packings of balls: contacts whose conductances differ at random, and contacts that are missing, against Kirkpatrick's equation
//! (1973, doi:10.1103/RevModPhys.45.574) with the coordination number of the packing.
#![allow(clippy::print_stdout, reason = "the table of docs/verification/coupled.md is printed")]

use mpcd_electrical::{NetworkSolver, ResistorNetwork, SolverSettings};

use crate::granular::build;

/// Balls deposited in a box that repeats along x and y: pairs that touch, and heights (m).
struct Packing {
    pairs: Vec<(usize, usize)>,
    heights: Vec<f64>,
}

fn packing(seed: u32) -> Packing {
    let text = format!(
        r#"(dimension: 3, gravity: (0, 0, -1e-9), periodic: (x: "60 mm", y: "60 mm"), time: (step: 1e-6, end: 1),
  materials: {{"steel": (density: 7800)}},
  bodies: [
    (group: "balls", material: "steel",
     packing: Deposit(from: (0, 0, 0), to: ("60 mm", "60 mm", "300 mm"), sizes: Uniform(min: "2.4 mm", max: "2.6 mm"), seed: {seed}, count: 6000)),
    (group: "floor", material: "steel", shape: Plane(normal: (0, 0, 1))),
  ],
  interactions: [
    (between: ("balls", "balls"), law: Coulomb(friction: 0.5)),
    (between: ("balls", "floor"), law: Coulomb(friction: 0.5)),
  ],
  physics: [Contact(tolerance: 1)])"#
    );
    let mut run = build(&text, &[]);
    run.step().unwrap();
    let heights: Vec<f64> = run.world().kinematics.position.iter().take(6000).map(|p| p.z).collect();
    let touching =
        run.world().network.iter().filter(|c| c.gap.abs() < 1e-8).map(|c| (c.key.candidate.index(), c.key.antagonist.index()));
    Packing { pairs: touching.filter(|(i, j)| i.max(j) < &6000).collect(), heights }
}

impl Packing {
    fn span(&self) -> (f64, f64) {
        let mut sorted = self.heights.clone();
        sorted.sort_by(f64::total_cmp);
        (sorted[sorted.len() / 8], sorted[7 * sorted.len() / 8])
    }

    /// Mean number of contacts of a ball between the electrodes.
    fn coordination(&self) -> f64 {
        let (low, high) = self.span();
        let inside = |ball: usize| (low..high).contains(&self.heights[ball]);
        let ends = self.pairs.iter().flat_map(|(i, j)| [*i, *j]).filter(|ball| inside(*ball)).count();
        ends as f64 / (0..self.heights.len()).filter(|ball| inside(*ball)).count() as f64
    }

    /// Conductance between the lowest and the highest eighth of the balls (S).
    fn conductance(&self, of_pairs: &[f64]) -> f64 {
        let (low, high) = self.span();
        let mut net = ResistorNetwork::new(self.heights.len());
        for ((i, j), conductance) in self.pairs.iter().zip(of_pairs) {
            net.join(*i, *j, *conductance);
        }
        for (ball, height) in self.heights.iter().enumerate() {
            if *height < low {
                net.hold(ball, 0.0);
            } else if *height >= high {
                net.hold(ball, 1.0);
            }
        }
        let mut solver = NetworkSolver::new(SolverSettings::default());
        solver.solve(&net, &mut vec![0.0; self.heights.len()]).unwrap();
        (0..self.heights.len()).filter(|ball| self.heights[*ball] >= high).map(|ball| solver.leaving()[ball]).sum()
    }
}

/// The conductance g that all contacts could have: the mean of (gᵢ − g)/(gᵢ + (z/2 − 1) g) is zero.
fn effective(conductances: &[f64], z: f64) -> f64 {
    let (mut low, mut high) = (0.0, conductances.iter().copied().fold(0.0, f64::max));
    for _ in 0..100 {
        let g = 0.5 * (low + high);
        let mean: f64 = conductances.iter().map(|c| (c - g) / (c + (0.5 * z - 1.0) * g)).sum();
        if mean > 0.0 { low = g } else { high = g }
    }
    0.5 * (low + high)
}

#[test]
fn packings_conduct_as_their_effective_medium() {
    println!("| packing | z | p = 0.9 | p = 0.7 | one decade | two decades |");
    let mut worst = [0.0_f64; 4];
    let mut mean = [0.0_f64; 4];
    for seed in [1, 2, 3] {
        let packing = packing(seed);
        let z = packing.coordination();
        let mut numbers = u64::from(seed);
        let mut unit = || {
            numbers = numbers.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (numbers >> 11) as f64 / (1_u64 << 53) as f64
        };
        let even = packing.conductance(&vec![1.0; packing.pairs.len()]);
        let kinds: [fn(f64) -> f64; 4] =
            [|u| f64::from(u < 0.9), |u| f64::from(u < 0.7), |u| 10_f64.powf(u), |u| 100_f64.powf(u)];
        let ratios = kinds.map(|kind| {
            let conductances: Vec<f64> = packing.pairs.iter().map(|_| kind(unit())).collect();
            (packing.conductance(&conductances) / even, effective(&conductances, z))
        });
        let cells = ratios.map(|(found, theory)| format!("{found:.4} ({theory:.4})")).join(" | ");
        println!("| {seed} | {z:.2} | {cells} |");
        for (k, (found, theory)) in ratios.into_iter().enumerate() {
            let off = found / theory - 1.0;
            worst[k] = worst[k].max(off.abs());
            mean[k] += off / 3.0;
        }
    }
    println!("off by {worst:?}, in the mean of three by {mean:?}");
    for (worst, bound) in worst.into_iter().zip([0.02, 0.03, 0.015, 0.03]) {
        assert!(worst < bound, "{worst} of {bound}");
    }
}
