//! Current and heat beside the contact solve: 33,000 steel balls in a box, 100,000 contacts, current and heat between the floor and a side, with the time of each module in a
//! step by the clock, while the bed settles and when it is at rest. Prints a table; nothing is asserted.
//!
//!     cargo bench -p mpcd --bench current_and_heat [-- THREADS BALLS TOLERANCE…]
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, missing_docs, reason = "a bench prints its table")]

use std::collections::BTreeMap;
use std::path::Path;

use mpcd::{Registry, StandardRegistry};
use mpcd_sim::{Model, Simulation, StepOutcome};

/// Steps of 1 ms: the first is cold, then the bed settles, then it rests.
const PHASES: [(&str, u32); 3] = [("first", 1), ("settling", 15), ("at rest", 20)];
/// What is told of each step.
const COLUMNS: [&str; 7] =
    ["Contact", "Contact: solution", "Electrical", "Thermal", "Contact: nlgs-accelerated", "Electrical: cg", "Thermal: cg"];
/// Steps between settling and rest that are not measured.
const BETWEEN: u32 = 20;

fn model(balls: usize, tolerance: &str) -> Model {
    // as deep as wide with 27,000 balls in 0.3 m
    let side = 0.3;
    let text = format!(
        r#"(
          title: "Current and heat in a bed",
          dimension: 3,
          gravity: (0, 0, -9.81),
          time: (step: "1 ms", end: "1 s"),
          materials: {{"steel": (
            density: 7800,
            elastic: (young: "210 GPa", poisson: 0.3),
            electrical: (conductivity: "1.4e6 S/m"),
            thermal: (conductivity: 50, specific_heat: "460 J/(kg K)"),
          )}},
          bodies: [
            (group: "balls", material: "steel", packing: Deposit(from: (0, 0, 0), to: ({side}, {side}, 1), sizes: Uniform(min: "4.9 mm", max: "5.1 mm"), seed: 3, count: {balls})),
            (group: "floor", material: "steel", shape: Plane(normal: (0, 0, 1))),
            (group: "side", material: "steel", shape: Plane(normal: (1, 0, 0))),
            (group: "walls", material: "steel", shape: Plane(normal: (-1, 0, 0)), at: ({side}, 0, 0)),
            (group: "walls", material: "steel", shape: Plane(normal: (0, 1, 0))),
            (group: "walls", material: "steel", shape: Plane(normal: (0, -1, 0)), at: (0, {side}, 0)),
          ],
          interactions: [
            (between: ("balls", "balls"), law: Coulomb(friction: 0.5)),
            (between: ("balls", "floor"), law: Coulomb(friction: 0.5)),
            (between: ("balls", "side"), law: Coulomb(friction: 0.5)),
            (between: ("balls", "walls"), law: Coulomb(friction: 0.5)),
          ],
          physics: [
            Contact(tolerance: {tolerance}, solver: "nlgs-accelerated"),
            Electrical(law: Hertz, potential: [(group: "floor", value: 0), (group: "side", value: 1)]),
            Thermal(law: Hertz, boundary: [
              Temperature(group: "floor", value: 293.15), Temperature(group: "side", value: 393.15)]),
          ],
        )"#
    );
    Model::parse(&text, "bed", "bed.ron", Path::new("."), &[]).unwrap_or_else(|e| panic!("{e}"))
}

/// Middle one of some numbers.
fn median(mut of: Vec<f64>) -> f64 {
    of.sort_unstable_by(f64::total_cmp);
    of[of.len() / 2]
}

/// What the clock says of each module so far (s), and the iterations of each solver.
fn summed(simulation: &Simulation) -> BTreeMap<String, f64> {
    let summary = simulation.summary();
    let iterations = summary.solved_by.into_iter().map(|(name, solved)| (name, solved.iterations as f64));
    summary.wall_s.into_iter().chain(iterations).collect()
}

/// A step, and what the clock says of each module of it (s).
fn step(simulation: &mut Simulation) -> (StepOutcome, BTreeMap<String, f64>) {
    let before = summed(simulation);
    let outcome = simulation.step().unwrap();
    let mut took = summed(simulation);
    took.iter_mut().for_each(|(name, sum)| *sum -= before.get(name).copied().unwrap_or(0.0));
    (outcome, took)
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let whole = std::env::args().any(|a| a == "--bench");
    let number = |k: usize, otherwise: usize| arguments.get(k).and_then(|a| a.parse().ok()).unwrap_or(otherwise);
    let (threads, balls) = (number(0, 1), number(1, if whole { 33_000 } else { 300 }));
    let tolerances: Vec<&str> = arguments.iter().skip(2).map(String::as_str).collect();
    let tolerances = if tolerances.is_empty() { vec!["1e-3", "1e-5", "1e-6"] } else { tolerances };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    println!(
        "{threads} thread(s); {balls} balls, step 1 ms; medians of steps, and each module's part of the time of Contact in all of them"
    );
    println!(
        "| tolerance | steps | contacts | sweeps, iterations | Contact ms (solution) | Electrical ms | Thermal ms | of Contact: median | of Contact: sum |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for tolerance in tolerances {
        let model = model(balls, tolerance);
        pool.install(|| {
            let mut simulation = Simulation::build(&model, &Registry::standard()).unwrap_or_else(|e| panic!("{e}"));
            for (phase, steps) in PHASES {
                if phase == "at rest" {
                    (0..BETWEEN).for_each(|_| drop(simulation.step().unwrap()));
                }
                let (mut contacts, mut rows) = (0, Vec::new());
                for _ in 0..steps {
                    let (outcome, took) = step(&mut simulation);
                    contacts = outcome.contacts;
                    rows.push(COLUMNS.map(|name| took.get(name).copied().unwrap_or(f64::NAN)));
                }
                let middle = |k: usize| median(rows.iter().map(|r| r[k]).collect());
                let part = |k: usize| median(rows.iter().map(|r| r[k] / r[0]).collect());
                let all = |k: usize| rows.iter().map(|r| r[k]).sum::<f64>();
                println!(
                    "| {tolerance} | {phase}, {steps} | {contacts} | {:.0}, {:.0}, {:.0} | {:.1} ({:.1}) | {:.1} | {:.1} | {:.3}, {:.3} | {:.3}, {:.3} |",
                    middle(4),
                    middle(5),
                    middle(6),
                    1e3 * middle(0),
                    1e3 * middle(1),
                    1e3 * middle(2),
                    1e3 * middle(3),
                    part(2),
                    part(3),
                    all(2) / all(0),
                    all(3) / all(0),
                );
            }
        });
    }
}
