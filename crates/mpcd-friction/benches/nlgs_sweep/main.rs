//! Contact updates per second of the NLGS sweep on one core, for both kernels, on settled packings; beside it, in the
//! same run, a plain loop over records of the same size and the memory bandwidth of the machine.
//!
//! Everything a time step needs is in the time of a solve (`upd/s`): compiling the problem, colouring, sweeps, the error computed
//! afresh, writing back. `sweeps` are the updates of a solve of thrice as many sweeps less this one: sweeps, and a look now and then. Times are CPU seconds of the thread
//! where the system tells them; with `--threads N`, N > 1, seconds of the clock, which say something on an idle machine alone. `--momentum` measures `nlgs-accelerated`.
//! `cargo bench -p mpcd-friction --bench nlgs_sweep`; without `--bench` a small case runs.

#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::expect_used, reason = "a benchmark prints, and stops on any fault")]

mod numbering;
mod packing;
mod plain;

use mpcd_friction::problem::ContactProblem;
use mpcd_friction::{SolveSettings, SweepOrder, solver_by_name};
use packing::{Inertia, fcc, hexagonal, restart_from};

/// Contact updates of a timed solve, and at most of the solve that settles the packing.
const TIMED: usize = 6_000_000;
const SETTLING: usize = 300_000_000;

fn main() {
    let whole = std::env::args().any(|a| a == "--bench");
    let only = std::env::args().nth(1).filter(|a| !a.starts_with("--"));
    println!("triad {:.1} GB/s", plain::triad());
    println!(
        "{:<22} {:>9} {:>6} {:>6} {:>6} {:>9} {:>9} {:>6} {:>9} {:>6} {:>9}",
        "case", "contacts", "stick", "slip", "open", "settled", "upd/s", "ratio", "sweeps", "ratio", "plain"
    );
    let cells: &[usize] = if whole { &[4, 11, 17, 36] } else { &[3] };
    for cells in cells {
        for inertia in [Inertia::Scalar, Inertia::Tensor] {
            let name = format!("fcc {cells} {inertia:?}");
            if only.as_ref().is_none_or(|o| name.contains(o.as_str())) {
                measure(&name, &fcc(*cells, inertia, 1));
            }
        }
    }
    let sides: &[usize] = if whole { &[32, 180] } else { &[12] };
    for side in sides {
        let name = format!("hexagonal {side}");
        if only.as_ref().is_none_or(|o| name.contains(o.as_str())) {
            measure(&name, &hexagonal(*side, *side, 1));
        }
    }
    let cells: &[usize] = if whole { &[8, 17, 36] } else { &[3] };
    for cells in cells {
        let name = format!("numbers of fcc {cells}");
        if only.as_ref().is_none_or(|o| name.contains(o.as_str())) {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads()).build().expect("a pool");
            pool.install(|| measure_numbers(&name, &fcc(*cells, Inertia::Scalar, 1)));
        }
    }
}

/// One packing with its bodies numbered along the lattice, at random, and along a walk through the network from there; in turns.
fn measure_numbers(name: &str, lattice: &ContactProblem) {
    let contacts = lattice.contacts.len();
    let mut solver = solver_by_name("nlgs").unwrap();
    let order = SweepOrder::Coloured;
    let settings = |sweeps| SolveSettings { tolerance: 1e-300, max_iterations: sweeps, order };
    let mut held = lattice.clone();
    solver.solve(&mut held, &settings(100)).unwrap();
    for (settled, free) in held.bodies.iter_mut().zip(&lattice.bodies) {
        *settled = *free;
    }
    let random = numbering::renumbered(&held, &numbering::at_random(held.bodies.len(), 7), true);
    let clock = plain::Clock::start(false);
    let walk = numbering::walked(&random);
    let walking = clock.seconds() / contacts as f64;
    let bodies_alone = numbering::renumbered(&random, &walk, false);
    let walked = numbering::renumbered(&random, &walk, true);
    let cases =
        [("lattice", &held), ("random", &random), ("random, bodies walked", &bodies_alone), ("random, all walked", &walked)];
    let sweeps = (TIMED / contacts).clamp(10, 200);
    let solves = TIMED.div_ceil(4 * sweeps * contacts);
    let mut best = [[f64::INFINITY; 3]; 4];
    for _ in 0..3 {
        for ((_, problem), best) in cases.iter().zip(&mut best) {
            for (sweeps, best) in [1, sweeps, 3 * sweeps].into_iter().zip(best) {
                let mut copies = vec![(*problem).clone(); solves];
                let clock = plain::Clock::start(threads() > 1);
                for problem in &mut copies {
                    solver.solve(problem, &settings(sweeps)).unwrap();
                }
                *best = best.min(clock.seconds() / (solves * contacts) as f64);
            }
        }
    }
    println!(
        "{name}: {contacts} contacts, walk {:.0} ns a contact; ns: a solve of one sweep, of {sweeps} sweeps, a sweep alone, plain loop",
        walking * 1e9
    );
    for ((case, problem), [one, some, more]) in cases.iter().zip(best) {
        let (alone, plain) = ((more - some) / (2 * sweeps) as f64, 1.0 / plain::updates_per_second(problem, sweeps));
        let distance = numbering::distance(problem);
        println!(
            "{case:<22} distance {distance:>9.0} {:>7.0} {:>7.0} {:>6.1} {:>6.1}",
            one * 1e9,
            some * 1e9,
            alone * 1e9,
            plain * 1e9
        );
    }
}

/// Threads asked for.
fn threads() -> usize {
    std::env::args().skip_while(|a| a != "--threads").nth(1).map_or(1, |a| a.parse().expect("a number of threads"))
}

fn measure(name: &str, start: &ContactProblem) {
    let orders: &[SweepOrder] =
        if threads() > 1 { &[SweepOrder::Coloured] } else { &[SweepOrder::Coloured, SweepOrder::Forward] };
    for order in orders {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads()).build().expect("a pool");
        pool.install(|| measure_order(name, start, *order));
    }
}

fn measure_order(name: &str, start: &ContactProblem, order: SweepOrder) {
    let mut problem = start.clone();
    let with_momentum = std::env::args().any(|a| a == "--momentum");
    let mut solver = solver_by_name(if with_momentum { "nlgs-accelerated" } else { "nlgs" }).unwrap();
    let settle = SolveSettings { tolerance: 1e-4, max_iterations: (SETTLING / start.contacts.len()).clamp(100, 2_000), order };
    let settled = solver.solve(&mut problem, &settle).unwrap();
    let held = problem.clone();
    let shares = shares(&problem);
    let sweeps = (TIMED / start.contacts.len()).clamp(20, 200);
    // the system tells CPU seconds in ticks: time several solves together where one is short
    let solves = TIMED.div_ceil(sweeps * start.contacts.len());
    let mut seconds_of = |sweeps: usize| {
        let timed = SolveSettings { tolerance: 1e-300, max_iterations: sweeps, order };
        let clock = plain::Clock::start(threads() > 1);
        for _ in 0..solves {
            restart_from(&mut problem, start, &held);
            solver.solve(&mut problem, &timed).unwrap();
        }
        clock.seconds()
    };
    let (mut best, mut best_long) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..5 {
        best = best.min(seconds_of(sweeps));
        best_long = best_long.min(seconds_of(3 * sweeps));
    }
    let updates = (sweeps * solves * start.contacts.len()) as f64;
    let (whole, alone) = (updates / best, 2.0 * updates / (best_long - best));
    let plain = plain::updates_per_second(start, sweeps * solves);
    println!(
        "{:<22} {:>9} {:>6.3} {:>6.3} {:>6.3} {:>9} {:>9.2e} {:>6.2} {:>9.2e} {:>6.2} {:>9.2e}",
        format!("{name} {}", if order == SweepOrder::Forward { "fwd" } else { "col" }),
        problem.contacts.len(),
        shares[0],
        shares[1],
        shares[2],
        settled.iterations,
        whole,
        whole / plain,
        alone,
        alone / plain,
        plain,
    );
}

/// Shares of sticking, sliding and open contacts.
fn shares(problem: &ContactProblem) -> [f64; 3] {
    let mut counts = [0.0; 3];
    let largest = problem.contacts.iter().map(|c| c.impulse.x).fold(0.0, f64::max);
    for contact in &problem.contacts {
        let r = contact.impulse;
        let friction = match contact.response {
            mpcd_friction::problem::Response::Cone(cone) => cone.friction(),
            mpcd_friction::problem::Response::Law(_) => 0.0,
        };
        let k = if r.x <= 1e-9 * largest { 2 } else { usize::from(r.yz().norm() >= friction * r.x * (1.0 - 1e-6)) };
        counts[k] += 1.0 / problem.contacts.len() as f64;
    }
    counts
}
