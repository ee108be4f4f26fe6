//! Chains of elastic contacts in balance. Where their overlaps are rounding of the places nothing is left to be solved, and a step does not miss its tolerance;
//! where they are more, the forces are those of the springs.

use std::{fmt::Write as _, path::Path};

use mpcd::{Registry, StandardRegistry};
use mpcd_core::BodyId;
use mpcd_sim::{Model, Simulation};

const DISCS: usize = 50;
const DIAMETER: f64 = 0.01;

/// Discs in a row between two fixed walls, each contact overlapping by `overlap` (m) as far as numbers at the place `from` (m) can say it.
fn chain(from: f64, overlap: f64, stiffness: f64, solver: &str) -> Simulation {
    let mut bodies = String::new();
    for k in 0..DISCS {
        let x = from + 0.5 * DIAMETER - overlap + k as f64 * (DIAMETER - overlap);
        writeln!(bodies, "    (group: \"discs\", material: \"m\", shape: Disc(radius: {}), at: ({x:?}, 0)),", 0.5 * DIAMETER)
            .unwrap();
    }
    let to = from + DISCS as f64 * DIAMETER - (DISCS + 1) as f64 * overlap;
    let law = format!("Elastic(stiffness: {stiffness:e}, friction: 0.3)");
    let text = format!(
        r#"(
  dimension: 2, time: (step: "1 ms", end: "1 s", on_failure: Stop),
  materials: {{"m": (density: 2500)}},
  bodies: [
{bodies}    (group: "walls", material: "m", shape: Plane(normal: (1, 0)), at: ({from:?}, 0)),
    (group: "walls", material: "m", shape: Plane(normal: (-1, 0)), at: ({to:?}, 0)),
  ],
  interactions: [(between: ("discs", "discs"), law: {law}), (between: ("discs", "walls"), law: {law})],
  physics: [Contact(solver: "{solver}")],
)"#
    );
    let model = Model::parse_with(&text, "chain", "chain.ron", Path::new("."), &[], &mpcd::shapes()).unwrap();
    Simulation::build(&model, &Registry::standard()).unwrap()
}

fn place(simulation: &Simulation, k: usize) -> f64 {
    simulation.world().kinematics.position[BodyId::from_index(k).index()].x
}

#[test]
fn springs_that_overlap_by_rounding_alone_are_at_rest() {
    // h²k/m is 5·10⁴: sweeps bring an error of one contact to the others slowly
    for from in [0.3, 3.0] {
        for solver in ["nlgs", "nlgs-accelerated", "auto"] {
            let mut simulation = chain(from, 1e-17, 1e10, solver);
            let start: Vec<f64> = (0..DISCS).map(|k| place(&simulation, k)).collect();
            for step in 0..50 {
                simulation.step().unwrap_or_else(|e| panic!("`{solver}` at {from} m, step {step}: {e}"));
            }
            for (k, start) in start.iter().enumerate() {
                let moved = (place(&simulation, k) - start).abs();
                assert!(moved < 1e-14 * from.max(1.0), "`{solver}` at {from} m: disc {k} moved by {moved:e} m");
            }
        }
    }
}

#[test]
fn springs_that_carry_a_load_carry_it_to_the_tolerance() {
    for overlap in [1e-7, 1e-12] {
        let mut simulation = chain(0.3, overlap, 1e8, "auto");
        for _ in 0..50 {
            simulation.step().unwrap();
        }
        // the places at the start, and so the overlaps, are rounded
        let known = 4.0 * f64::EPSILON * 0.8 / overlap;
        for contact in simulation.world().network.iter() {
            let force = contact.r.x / 1e-3;
            let error = (force / (1e8 * overlap) - 1.0).abs();
            assert!(error < 5e-3 + 2.0 * known, "{force} N instead of {} N", 1e8 * overlap);
        }
    }
}
