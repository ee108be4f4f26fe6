//! The electrical solve by itself: square networks of 10³ to 10⁵ nodes and, where the reference data are there, the settled
//! network of 1,024 discs, for which LMGC90 needs 2.2 ms of CPU per call without converging (0.27 Ω instead of 1.2489 Ω).
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark")]

use std::time::Instant;

use mpcd_electrical::{Method, NetworkSolver, ResistorNetwork, SolverSettings};

const LMGC90: f64 = 2.2e-3;

/// A disordered square network of about `nodes` nodes between two held sides.
fn square(nodes: usize) -> ResistorNetwork {
    let side = (nodes as f64).sqrt().round() as usize;
    let mut net = ResistorNetwork::new(side * side);
    let mut seed = 7_u64;
    let mut conductance = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        0.1 + (seed >> 40) as f64 / 1e7
    };
    for k in 0..side * side {
        if k % side + 1 < side {
            net.join(k, k + 1, conductance());
        }
        if k + side < side * side {
            net.join(k, k + side, conductance());
        }
    }
    for y in 0..side {
        net.hold(y * side, 1.0);
        net.hold(y * side + side - 1, 0.0);
    }
    net
}

/// A disordered cubic network of about `nodes` nodes between two held faces.
fn cubic(nodes: usize) -> ResistorNetwork {
    let side = (nodes as f64).cbrt().round() as usize;
    let mut net = ResistorNetwork::new(side.pow(3));
    for k in 0..side.pow(3) {
        for (step, place) in [(1, k % side), (side, k / side % side), (side * side, k / side / side)] {
            if place + 1 < side {
                net.join(k, k + step, 1.0 + (k % 7) as f64);
            }
        }
        match k % side {
            0 => net.hold(k, 1.0),
            p if p + 1 == side => net.hold(k, 0.0),
            _ => {}
        }
    }
    net
}

fn discs() -> Option<ResistorNetwork> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/reference/1024-discs/contacts.csv");
    let mut net = ResistorNetwork::new(1028);
    for record in csv::Reader::from_path(path).ok()?.records() {
        let r = record.ok()?;
        let node = |k: usize| r[k].parse::<usize>().unwrap() - 1;
        net.join(node(0), node(1), r[9].parse().unwrap());
    }
    net.hold(1024, 0.0);
    net.inject(1025, -0.5);
    Some(net)
}

/// A warm solver: the analysis is kept, the values change.
fn warm(bencher: divan::Bencher, method: Method, net: ResistorNetwork) {
    let mut solver = NetworkSolver::new(SolverSettings { method, ..SolverSettings::default() });
    let mut start = vec![0.0; net.nodes()];
    solver.solve(&net, &mut start).unwrap();
    bencher.bench_local(|| solver.solve(&net, &mut vec![0.0; net.nodes()]).unwrap());
}

#[divan::bench(args = [1_000, 10_000, 100_000], sample_count = 10)]
fn square_cholesky(bencher: divan::Bencher, nodes: usize) {
    warm(bencher, Method::Cholesky, square(nodes));
}

#[divan::bench(args = [1_000, 10_000, 100_000], sample_count = 3, sample_size = 1)]
fn square_cholesky_new_pattern(bencher: divan::Bencher, nodes: usize) {
    let net = square(nodes);
    bencher.bench_local(|| {
        NetworkSolver::new(SolverSettings { method: Method::Cholesky, ..SolverSettings::default() })
            .solve(&net, &mut vec![0.0; net.nodes()])
            .unwrap()
    });
}

#[divan::bench(args = [1_000, 10_000, 100_000], sample_count = 3, sample_size = 1)]
fn square_cg(bencher: divan::Bencher, nodes: usize) {
    warm(bencher, Method::ConjugateGradients, square(nodes));
}

#[divan::bench(args = [1_000, 10_000, 100_000], sample_count = 3, sample_size = 1)]
fn cubic_cholesky(bencher: divan::Bencher, nodes: usize) {
    warm(bencher, Method::Cholesky, cubic(nodes));
}

#[divan::bench(args = [1_000, 10_000, 100_000], sample_count = 3, sample_size = 1)]
fn cubic_cg(bencher: divan::Bencher, nodes: usize) {
    warm(bencher, Method::ConjugateGradients, cubic(nodes));
}

#[divan::bench(sample_count = 20)]
fn discs_cholesky(bencher: divan::Bencher) {
    if let Some(net) = discs() {
        warm(bencher, Method::Cholesky, net);
    }
}

fn main() {
    if let Some(net) = discs() {
        for (name, method) in Method::NAMES {
            let mut solver = NetworkSolver::new(SolverSettings { method, ..SolverSettings::default() });
            let mut v = vec![0.0; net.nodes()];
            solver.solve(&net, &mut v).unwrap();
            let runs = if method == Method::GaussSeidel { 3 } else { 200 };
            let best = (0..runs).map(|_| {
                v.fill(0.0);
                let clock = Instant::now();
                solver.solve(&net, &mut v).unwrap();
                clock.elapsed().as_secs_f64()
            });
            let best = best.fold(f64::INFINITY, f64::min);
            println!(
                "1,024 discs, {name}: {:.3} ms, {:.10} Ω; LMGC90 (not converged, 0.27 Ω) takes {:.2} times as long",
                1e3 * best,
                v[1025] / -0.5,
                LMGC90 / best
            );
        }
    } else {
        println!("SKIPPED: the network of 1,024 discs is missing");
    }
    divan::main();
}
