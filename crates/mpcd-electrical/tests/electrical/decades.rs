//! Conductances over many decades: the currents through the best of contacts are found as exactly as those through the rest.
#![allow(clippy::unwrap_used, reason = "tests")]

use mpcd_core::Status;
use mpcd_electrical::{Method, NetworkSolver, ResistorNetwork, SolverSettings};

/// Potentials by one method, of a network that must be solved to its tolerance.
fn solve(network: &ResistorNetwork, method: Method) -> NetworkSolver {
    let mut solver = NetworkSolver::new(SolverSettings { method, ..SolverSettings::default() });
    let mut potential = vec![0.0; network.nodes()];
    let outcome = solver.solve(network, &mut potential).unwrap();
    assert_eq!(outcome.status, Status::Converged, "{method:?}: {outcome:?}");
    solver
}

/// Wheatstone's bridge of 1, 2, 3 and 1 S, whose two middle nodes a contact joins that conducts 10^d S: as one node they lie at 3/7 V, so that 5/7 A pass
/// through it, to 1e-10 at every d from 10 to 22, and its drop of 5/7·10^−d V is found as well.
#[test]
fn a_bridge_of_any_conductance_carries_what_its_nodes_as_one_do() {
    for decades in 10..=22 {
        let bridge = 10_f64.powi(decades);
        let mut network = ResistorNetwork::new(4);
        network.hold(0, 1.0);
        network.hold(3, 0.0);
        for (i, j, conductance) in [(0, 1, 1.0), (0, 2, 2.0), (1, 3, 3.0), (2, 3, 1.0), (2, 1, bridge)] {
            network.join(i, j, conductance);
        }
        for method in [Method::Auto, Method::Cholesky] {
            let solver = solve(&network, method);
            let want = [4.0 / 7.0, 8.0 / 7.0, 9.0 / 7.0, 3.0 / 7.0, 5.0 / 7.0];
            for (found, want) in solver.currents().iter().zip(want) {
                // the bridge as it is, not as infinitely good, differs by 1e-d
                assert!((found / want - 1.0).abs() < 4.0 / bridge + 1e-10, "1e{decades}, {method:?}: {found} A for {want} A");
            }
            assert!((solver.drops()[4] * bridge * 7.0 / 5.0 - 1.0).abs() < 4.0 / bridge + 1e-10, "1e{decades}, {method:?}");
        }
    }
}

/// A ladder of 60 rungs whose conductances scatter over 18 decades, 200 times: what is fed in at one end is what is drawn at the other, every node balances to
/// 1e-11 of that, and `auto` comes to it without conjugate gradients.
#[test]
fn ladders_over_18_decades_balance() {
    let mut seed = 5_u64;
    let mut unit = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1_u64 << 53) as f64
    };
    for _ in 0..200 {
        let mut network = ResistorNetwork::new(120);
        network.hold(0, 1.0);
        network.hold(119, 0.0);
        for k in 0..60 {
            let mut join = |i, j| network.join(i, j, 10_f64.powf(18.0 * (unit() - 0.5)));
            join(2 * k, 2 * k + 1);
            if k < 59 {
                join(2 * k, 2 * k + 2);
                join(2 * k + 1, 2 * k + 3);
            }
        }
        let solver = solve(&network, Method::Cholesky);
        let [fed, drawn] = [0, 119].map(|node| solver.leaving()[node]);
        assert!((fed / -drawn - 1.0).abs() < 1e-10, "{fed} A and {drawn} A");
        let other = solve(&network, Method::Auto).leaving()[0];
        assert!((other / fed - 1.0).abs() < 1e-10, "{other} A for {fed} A");
    }
}
