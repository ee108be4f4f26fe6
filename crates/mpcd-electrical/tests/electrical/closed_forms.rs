//! VALIDATION §10: resistances of networks known in closed form, by every solver.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use mpcd_electrical::{Method, NetworkSolver, ResistorNetwork, SolverSettings};

/// Resistance between two nodes by every solver; all agree to 1e-9.
fn resistance(net: &ResistorNetwork, i: usize, j: usize) -> f64 {
    let values = Method::NAMES.map(|(name, method)| {
        let mut net = net.clone();
        net.inject(i, 1.0);
        net.hold(j, 0.0);
        let mut potential = vec![0.0; net.nodes()];
        let outcome =
            NetworkSolver::new(SolverSettings { method, ..SolverSettings::default() }).solve(&net, &mut potential).unwrap();
        assert!(outcome.residual <= 1e-11, "{name}: {outcome:?}");
        potential[i]
    });
    for value in values {
        assert!((value - values[0]).abs() <= 1e-9 * values[0], "{values:?}");
    }
    values[0]
}

fn near(got: f64, want: f64) {
    assert!((got - want).abs() <= 1e-9 * want, "{got} instead of {want}");
}

fn units(nodes: usize, edges: impl IntoIterator<Item = (usize, usize)>) -> ResistorNetwork {
    let mut net = ResistorNetwork::new(nodes);
    edges.into_iter().for_each(|(i, j)| net.join(i, j, 1.0));
    net
}

fn cube() -> ResistorNetwork {
    units(8, (0..8).flat_map(|i| [1, 2, 4].map(move |bit| (i, i | bit)).into_iter().filter(|(i, j)| i != j)))
}

fn grid(nx: usize, ny: usize, periodic: bool) -> ResistorNetwork {
    let at = |x: usize, y: usize| (y % ny) * nx + x % nx;
    let mut edges = Vec::new();
    for y in 0..ny {
        for x in 0..nx {
            if periodic || x + 1 < nx {
                edges.push((at(x, y), at(x + 1, y)));
            }
            if periodic || y + 1 < ny {
                edges.push((at(x, y), at(x, y + 1)));
            }
        }
    }
    units(nx * ny, edges)
}

#[test]
fn v10_cube_diagonal() {
    near(resistance(&cube(), 0, 7), 5.0 / 6.0);
}

#[test]
fn v10_cube_face() {
    near(resistance(&cube(), 0, 3), 3.0 / 4.0);
}

#[test]
fn v10_cube_edge() {
    near(resistance(&cube(), 0, 1), 7.0 / 12.0);
}

#[test]
fn v10_tetrahedron() {
    near(resistance(&units(4, [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]), 0, 2), 0.5);
}

#[test]
fn v10_grids_corner_to_corner() {
    for (n, want) in [(2, 1.0), (3, 1.5), (4, 13.0 / 7.0)] {
        near(resistance(&grid(n, n, false), 0, n * n - 1), want);
    }
}

/// Rungs and rails of 1 Ω, fed at one end: R₁ = 3 (two rails and a rung), Rₙ₊₁ = 2 + Rₙ/(1 + Rₙ).
#[test]
fn v10_ladder() {
    for (rungs, want) in [(1, 3.0), (2, 11.0 / 4.0), (3, 41.0 / 15.0)] {
        let edges = (0..rungs).flat_map(|k| [(2 * k, 2 * k + 2), (2 * k + 1, 2 * k + 3), (2 * k + 2, 2 * k + 3)]);
        near(resistance(&units(2 * rungs + 2, edges), 0, 1), want);
    }
}

/// Foster: Σ over bonds of R_ij C_ij = n − 1, whatever the conductances.
#[test]
fn v10_foster() {
    let mut net = grid(5, 4, false);
    let mut seed = 12345_u64;
    for branch in &mut net.branches {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        branch.conductance = 0.1 + (seed >> 40) as f64 / 1e6;
    }
    let sum: f64 = net.branches.iter().map(|b| b.conductance * resistance(&net, b.ends.0, b.ends.1)).sum();
    near(sum, 19.0);
}

#[test]
fn v10_torus() {
    for n in [3_usize, 4, 7] {
        let m = (n * n) as f64;
        near(resistance(&grid(n, n, true), 0, 1), (m - 1.0) / (2.0 * m));
    }
}

/// Square lattice with a part p of its bonds, between two opposite sides: effective medium g = 2p − 1 = ½ at p = ¾.
/// The theory is a good approximation there (exact value 0.5 ± 1 %); the band is three standard errors of 8 seeds, plus 2 %.
#[test]
fn v10_effective_medium() {
    let n = 60;
    let mut values = Vec::new();
    for seed in 1..=8_u64 {
        let mut net = grid(n, n, false);
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        for branch in &mut net.branches {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            if (state >> 33) as f64 / (1_u64 << 31) as f64 >= 0.75 {
                branch.conductance = 0.0;
            }
        }
        for y in 0..n {
            net.hold(y * n, 1.0);
            net.hold(y * n + n - 1, 0.0);
        }
        let mut solver = NetworkSolver::new(SolverSettings::default());
        solver.solve(&net, &mut vec![0.0; n * n]).unwrap();
        let current: f64 = (0..n).map(|y| solver.leaving()[y * n]).sum();
        values.push(current * (n - 1) as f64 / n as f64);
    }
    let mean = values.iter().sum::<f64>() / 8.0;
    let spread = (values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / 7.0 / 8.0).sqrt();
    assert!((mean - 0.5).abs() <= 3.0 * spread + 0.01, "{mean} ± {spread}: {values:?}");
    // the same lattice whole has conductance 1
    assert!(mean < 0.6);
}

/// A point is the mean of its nodes: with 1 V and 0 V held, a quarter of one and three of the other have 0.25 V, and half of it is at the node that
/// it and the ground pull alike. What flows to the point enters its nodes by their weights.
#[test]
fn a_branch_from_a_point() {
    for (name, method) in Method::NAMES {
        let mut net = ResistorNetwork::new(4);
        let point = net.nodes() + net.points.push([(0, 0.25), (1, 0.75)]);
        net.join(point, 2, 3.0);
        net.join(2, 3, 3.0);
        net.hold(0, 1.0);
        net.hold(1, 0.0);
        net.hold(3, 0.0);
        let mut solver = NetworkSolver::new(SolverSettings { method, ..SolverSettings::default() });
        let mut potential = vec![0.0; 4];
        solver.solve(&net, &mut potential).unwrap();
        assert!((potential[2] - 0.125).abs() < 1e-11, "{name}: {potential:?}");
        assert!((solver.currents()[0] - 0.375).abs() < 1e-11 && (solver.drops()[0] - 0.125).abs() < 1e-11, "{name}");
        for (node, leaving) in [0.25 * 0.375, 0.75 * 0.375, 0.0, -0.375].into_iter().enumerate() {
            assert!((solver.leaving()[node] - leaving).abs() < 1e-11, "{name}: {:?}", solver.leaving());
        }
    }
}

/// Between points on free nodes: two chains of two unit resistors joined in their middles by a quarter point, by every solver the same.
#[test]
fn a_branch_between_points_of_free_nodes() {
    // 0 — 1 — 2 and 3 — 4 — 5; the point ½(1) + ½(2) with the point ½(4) + ½(3): from 0 to 5 all current goes through the branch
    let mut net = units(6, [(0, 1), (1, 2), (3, 4), (4, 5)]);
    let nodes = net.nodes();
    let first = nodes + net.points.push([(1, 0.5), (2, 0.5)]);
    let second = nodes + net.points.push([(3, 0.5), (4, 0.5)]);
    net.join(first, second, 1.0);
    // 1 A to node 1, half of it on to node 2: ½(V₁ + V₂) = V₁ − ¼; the same on the other side, and 1 Ω between
    near(resistance(&net, 0, 5), 1.0 + 0.25 + 1.0 + 0.25 + 1.0);
}
