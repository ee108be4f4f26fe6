//! A whole scene step by step: spheres falling into a box and at rest, with the time of a step, its sweeps, and what the
//! contact updates cost with everything around them (detection, laws, error, books). Prints a table; nothing is asserted.
//!
//!     cargo bench -p mpcd --bench whole_scene [-- THREADS]
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, missing_docs, reason = "a bench prints its table")]

use std::path::Path;
use std::time::Instant;

use mpcd::{Registry, StandardRegistry};
use mpcd_sim::{Model, Simulation};

struct Row {
    contacts: usize,
    sweeps: u64,
    updates: f64,
    seconds: f64,
    penetration: f64,
}

/// Runs `steps` steps and adds them up.
fn measure(simulation: &mut Simulation, steps: u32) -> Row {
    let mut row = Row { contacts: 0, sweeps: 0, updates: 0.0, seconds: 0.0, penetration: 0.0 };
    for _ in 0..steps {
        let start = Instant::now();
        let outcome = simulation.step().unwrap();
        row.seconds += start.elapsed().as_secs_f64();
        row.contacts = outcome.contacts;
        row.sweeps += outcome.iterations;
        let numbers = outcome.numbers.iter().flat_map(|(_, n)| n);
        row.updates += numbers.filter(|(name, _)| *name == "contact_updates").map(|(_, v)| v).sum::<f64>();
        row.penetration = row.penetration.max(outcome.penetration_max);
    }
    row
}

fn main() {
    let threads = std::env::args().filter_map(|a| a.parse().ok()).next().unwrap_or(1);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/contact/spheres-in-a-box.ron"));
    println!("{threads} thread(s); 1,000 spheres in a box, step 1 ms");
    println!("| tolerance | from t (s) | contacts | sweeps/step | ms/step | updates/s | penetration max |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for tolerance in ["1e-3", "1e-4", "1e-5"] {
        let sets = [
            "bodies[0].packing.count=1000".to_owned(),
            "bodies[0].packing.to=(0.1, 0.1, 0.6)".to_owned(),
            "bodies[3].at=(0.1, 0, 0)".to_owned(),
            "bodies[5].at=(0, 0.1, 0)".to_owned(),
            format!("physics[0].tolerance={tolerance}"),
        ];
        let model = Model::read_with(path, &sets, &mpcd::shapes()).unwrap_or_else(|e| panic!("{e}"));
        pool.install(|| {
            let mut simulation = Simulation::build(&model, &Registry::standard()).unwrap_or_else(|e| panic!("{e}"));
            for (until, steps) in [(0.0, 100_u32), (0.1, 100), (0.2, 100), (0.3, 100), (0.4, 100)] {
                let row = measure(&mut simulation, steps);
                let n = f64::from(steps);
                println!(
                    "| {tolerance} | {until} | {} | {:.0} | {:.2} | {:.2e} | {:.1e} |",
                    row.contacts,
                    row.sweeps as f64 / n,
                    1e3 * row.seconds / n,
                    row.updates / row.seconds,
                    row.penetration
                );
            }
        });
    }
}
