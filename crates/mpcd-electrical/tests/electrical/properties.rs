//! Properties of random networks: all solvers agree, the maximum principle holds, currents and powers balance, and no bit
//! depends on what a solver remembers.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use mpcd_core::Status;
use mpcd_electrical::{Method, NetworkSolver, OpenCircuit, ResistorNetwork, SolverSettings};
use mpcd_tests::random::cases;
use proptest::prelude::*;

/// Random branches over 2½ orders of magnitude (more is too slow for Gauss–Seidel), some dead; two nodes held, one fed.
fn random() -> impl Strategy<Value = ResistorNetwork> {
    (4_usize..40).prop_flat_map(|n| {
        let branch = (0..n, 0..n, -1.0..1.5_f64, 0..5_u8);
        let branches = proptest::collection::vec(branch, n..4 * n);
        (branches, -5.0..5.0_f64, -5.0..5.0_f64, -1.0..1.0_f64).prop_map(move |(branches, u, w, current)| {
            let mut net = ResistorNetwork::new(n);
            for (i, j, exponent, dead) in branches {
                net.join(i, j, if dead == 0 { 0.0 } else { 10_f64.powf(exponent) });
            }
            net.hold(0, u);
            net.hold(1, w);
            net.inject(2, current);
            net
        })
    })
}

/// What an imbalance Σ|r| can do to a potential: every path to an electrode has at most all resistors in series.
fn bound(net: &ResistorNetwork, outcome: &mpcd_electrical::Outcome) -> f64 {
    let series: f64 = net.branches.iter().filter(|b| b.conductance > 0.0).map(|b| 1.0 / b.conductance).sum();
    outcome.imbalance * series + 1e-12
}

fn solve(net: &ResistorNetwork, method: Method) -> (Vec<f64>, NetworkSolver, mpcd_electrical::Outcome) {
    let mut solver =
        NetworkSolver::new(SolverSettings { method, open_circuit: OpenCircuit::SwitchOff, ..SolverSettings::default() });
    let mut v = vec![0.0; net.nodes()];
    let outcome = solver.solve(net, &mut v).unwrap();
    (v, solver, outcome)
}

proptest! {
    #![proptest_config(cases(128))]

    #[test]
    fn all_solvers_agree_and_currents_balance(net in random()) {
        let (reference, _, exact) = solve(&net, Method::Cholesky);
        let size = reference.iter().fold(1.0_f64, |m, v| m.max(v.abs()));
        for (name, method) in Method::NAMES {
            let (v, solver, outcome) = solve(&net, method);
            prop_assert_eq!(outcome.status, Status::Converged, "{}: {:?}", name, outcome);
            for (v, want) in v.iter().zip(&reference) {
                prop_assert!((v - want).abs() <= size * (bound(&net, &outcome) + bound(&net, &exact)), "{}: {} instead of {}", name, v, want);
            }
            // Σ over electrodes of V·I = Σ over branches of U·I
            let branches: f64 = net.branches.iter().zip(solver.currents()).map(|(b, i)| i * solver.drop_across(b.ends)).sum();
            let on = outcome.switched_off.is_empty();
            let fed = |k: usize| if net.held[k].is_some() { solver.leaving()[k] } else if on { net.injected[k] } else { 0.0 };
            let electrodes: f64 = (0..net.nodes()).map(|k| v[k] * fed(k)).sum();
            let scale: f64 = (0..net.nodes()).map(|k| (v[k] * fed(k)).abs()).sum();
            prop_assert!((branches - electrodes).abs() <= 1e-8 * scale.max(branches), "{}: {} and {}", name, branches, electrodes);
        }
    }

    #[test]
    fn potentials_stay_within_the_electrodes(mut net in random()) {
        net.injected.fill(0.0);
        net.fed.fill(false);
        let (low, high) = (net.held[0].unwrap().min(net.held[1].unwrap()), net.held[0].unwrap().max(net.held[1].unwrap()));
        for (name, method) in Method::NAMES {
            let (v, solver, outcome) = solve(&net, method);
            let near = 10.0 * bound(&net, &outcome);
            for (k, v) in v.iter().enumerate() {
                let ok = if solver.floats(k) { *v == 0.0 } else { (low - near..=high + near).contains(v) };
                prop_assert!(ok, "{}: node {} has {} outside {} … {}", name, k, v, low, high);
            }
        }
    }

    #[test]
    fn memory_changes_no_bit(net in random(), other in random()) {
        for (_, method) in Method::NAMES {
            let settings = SolverSettings { method, open_circuit: OpenCircuit::SwitchOff, ..SolverSettings::default() };
            let mut used = NetworkSolver::new(settings);
            used.solve(&other, &mut vec![0.0; other.nodes()]).unwrap();
            let mut scaled = net.clone();
            scaled.branches.iter_mut().for_each(|b| b.conductance *= 3.0);
            used.solve(&scaled, &mut vec![0.0; net.nodes()]).unwrap();
            let (mut v, mut w) = (vec![0.0; net.nodes()], vec![0.0; net.nodes()]);
            used.solve(&net, &mut v).unwrap();
            let mut fresh = NetworkSolver::new(settings);
            fresh.solve(&net, &mut w).unwrap();
            prop_assert_eq!(&v, &w);
            prop_assert_eq!(used.currents(), fresh.currents());
        }
    }
}

/// Two tight clusters near one potential, joined by a poor contact: the current through them is 10¹¹ times below what the
/// rounding of a stored potential would make of it, and still balances.
#[test]
fn a_poor_contact_between_good_ones_balances() {
    let mut net = ResistorNetwork::new(6);
    for (i, j, c) in [(0, 1, 1e4), (1, 2, 1e4), (2, 3, 1e-7), (3, 4, 1e4), (4, 5, 1e4)] {
        net.join(i, j, c);
    }
    net.hold(0, 1.0);
    net.hold(5, 0.0);
    for (name, method) in [("cholesky", Method::Cholesky), ("auto", Method::Auto), ("cg", Method::ConjugateGradients)] {
        let (_, solver, outcome) = solve(&net, method);
        assert_eq!(outcome.status, Status::Converged, "{name}: {outcome:?}");
        let want = 1.0 / (4.0 / 1e4 + 1e7);
        assert!(solver.currents().iter().all(|i| (i / want - 1.0).abs() < 1e-10), "{name}: {:?}", solver.currents());
    }
}

/// A common offset of all potentials costs no digit.
#[test]
fn an_offset_changes_no_current() {
    let run = |offset: f64| {
        let mut net = ResistorNetwork::new(4);
        [(0, 1), (1, 2), (2, 3), (0, 2)].iter().for_each(|&(i, j)| net.join(i, j, 0.3));
        net.hold(0, offset);
        net.hold(3, offset + 0.5);
        solve(&net, Method::Auto).1.currents().to_vec()
    };
    assert_eq!(run(0.0), run(1024.0));
}

#[test]
fn a_network_without_voltage_carries_nothing() {
    for (_, method) in Method::NAMES {
        let mut net = ResistorNetwork::new(3);
        net.join(0, 1, 2.0);
        net.join(1, 2, 2.0);
        net.hold(0, 5.0);
        net.hold(2, 5.0);
        let mut v = vec![7.0; 3];
        let mut solver = NetworkSolver::new(SolverSettings { method, ..SolverSettings::default() });
        let outcome = solver.solve(&net, &mut v).unwrap();
        assert_eq!((v, outcome.residual), (vec![5.0; 3], 0.0));
        assert!(solver.currents().iter().all(|i| *i == 0.0));
    }
}

#[test]
fn faults_of_the_data_are_named() {
    let fails = |net: &ResistorNetwork| {
        NetworkSolver::new(SolverSettings::default()).solve(net, &mut vec![0.0; net.nodes()]).unwrap_err().to_string()
    };
    let mut net = ResistorNetwork::new(3);
    net.join(0, 1, 1.0);
    net.inject(0, 2.0);
    assert!(
        fails(&net).contains("2 A is fed into the part of 2 joined node(s) around node 0 without a return"),
        "{}",
        fails(&net)
    );
    net.join(1, 9, 1.0);
    assert!(fails(&net).contains("branch 1 names node 9, but the network has 3 nodes"));
    net.branches[1] = mpcd_electrical::Branch { ends: (1, 2), conductance: -1.0 };
    assert!(fails(&net).contains("the conductance -1 S, expected a finite number, 0 or above"));
    net.branches[1].conductance = 1.0;
    net.hold(2, f64::NAN);
    assert!(fails(&net).contains("node 2 has the boundary value NaN"));
}

/// A lattice of `side` nodes along each of `dimension` axes between two opposite corners, each conductance off its value by the part `off` of a fixed pattern.
fn lattice(side: usize, dimension: u32, off: f64) -> ResistorNetwork {
    let nodes = side.pow(dimension);
    let mut net = ResistorNetwork::new(nodes);
    for k in 0..nodes {
        for d in 0..dimension {
            let step = side.pow(d);
            if k / step % side + 1 < side {
                net.join(k, k + step, (1.0 + (k % 7) as f64) * (1.0 + off * ((k * 31 + d as usize) as f64).sin()));
            }
        }
    }
    net.hold(0, 1.0);
    net.hold(nodes - 1, 0.0);
    net
}

/// Potentials of the step before are the start of conjugate gradients: fewer iterations where the network has changed little, the same solution from any start,
/// none from the solution itself. A factorisation knows no start.
#[test]
fn auto_starts_from_the_potentials_before() {
    let solve = |net: &ResistorNetwork, start: &[f64]| {
        let mut v = start.to_vec();
        let outcome = NetworkSolver::new(SolverSettings::default()).solve(net, &mut v).unwrap();
        assert_eq!(outcome.status, Status::Converged);
        let stage = outcome.stages.into_iter().next().unwrap();
        (v, stage.solver, stage.iterations)
    };
    let [before, after] = [0.0, 1e-3].map(|off| lattice(30, 3, off));
    let zeros = vec![0.0; before.nodes()];
    let (start, solver, _) = solve(&before, &zeros);
    assert_eq!(solver, "cg");
    let (cold, _, many) = solve(&after, &zeros);
    let (warm, _, few) = solve(&after, &start);
    assert!(10 * few < 9 * many, "{few} and {many}");
    let apart = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(apart(&cold, &warm) < 1e-9 && apart(&cold, &start) > 1e-6);
    assert_eq!(solve(&after, &warm).2, 0);
    // even from nonsense
    let wild: Vec<f64> = (0..before.nodes()).map(|k| 1e3 * (k as f64).cos()).collect();
    assert!(apart(&solve(&after, &wild).0, &cold) < 1e-9);
    let flat = lattice(30, 2, 0.1);
    assert_eq!(solve(&flat, &vec![0.0; 900]).0, solve(&flat, &vec![0.3; 900]).0);
}

/// A solver that goes from step to step, each from the potentials of the one before, while conductances change and branches die, come, go and come back in turn: no bit differs from one
/// without memory at the same start, and it is the solution found from zero.
#[test]
fn a_kept_solver_follows_edits_of_the_network() {
    let run = |solver: &mut NetworkSolver, net: &ResistorNetwork, start: &[f64]| {
        let mut v = start.to_vec();
        let outcome = solver.solve(net, &mut v).unwrap();
        assert_eq!((outcome.status, outcome.stages[0].solver.as_str()), (Status::Converged, "cg"));
        (v, outcome.stages[0].iterations)
    };
    let mut kept = NetworkSolver::new(SolverSettings::default());
    let mut start = vec![0.0; 27_000];
    for step in 0..7_usize {
        let mut net = lattice(30, 3, 1e-3 * step as f64);
        match step {
            2 | 3 => net.branches.iter_mut().step_by(41).for_each(|b| b.conductance = 0.0),
            4 => (0..26_000).step_by(97).for_each(|k| net.join(k, k + 931, 0.5)),
            5 => {
                let mut number = 0;
                net.branches.retain(|_| {
                    number += 1;
                    number % 53 != 0
                });
            }
            _ => {}
        }
        let (warm, few) = run(&mut kept, &net, &start);
        let mut fresh = NetworkSolver::new(SolverSettings::default());
        assert!(run(&mut fresh, &net, &start) == (warm.clone(), few), "step {step}");
        assert!((fresh.currents(), fresh.drops()) == (kept.currents(), kept.drops()), "step {step}");
        let (cold, _) = run(&mut fresh, &net, &[0.0; 27_000]);
        let apart = cold.iter().zip(&warm).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(apart < 1e-9, "step {step}: {apart}");
        start = warm;
    }
}

/// "auto" factorises planar networks and iterates on large spatial ones; both converge in one stage.
#[test]
fn auto_chooses_by_the_fill_of_the_factor() {
    let stages = |side: usize, dimension: u32| {
        let (_, _, outcome) = solve(&lattice(side, dimension, 0.0), Method::Auto);
        assert_eq!(outcome.status, Status::Converged);
        outcome.stages.into_iter().map(|s| s.solver).collect::<Vec<_>>()
    };
    assert_eq!(stages(160, 2), ["cholesky"]);
    assert_eq!(stages(30, 3), ["cg"]);
}
