//! Conductances and capacities over many decades: what a factorisation refuses for its rounding, an elimination without subtraction solves.
#![allow(clippy::unwrap_used, reason = "tests")]

use mpcd_core::Status;
use mpcd_thermal::{HeatNetwork, HeatSolver, Link, Method, Outcome, SolverSettings, network::Node};

/// Numbers that look random (splitmix64), in [0, 1).
fn unit(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *seed;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}

/// A net of twelve nodes, the first held; capacities and conductances over `decades` decades.
fn net(mut seed: u64, decades: f64) -> HeatNetwork {
    let mut network = HeatNetwork::new(vec![300.0; 12]);
    network.nodes[0] = Node::Held;
    for node in 1..12 {
        network.nodes[node] = Node::Free { capacity: 10_f64.powf(decades * (unit(&mut seed) - 0.5)) };
        let other = (unit(&mut seed) * node as f64) as usize;
        network.links.push(Link { ends: (node, other), conductance: 10_f64.powf(decades * (unit(&mut seed) - 0.5)) });
    }
    network
}

/// A step in which the held node warms by 1 K.
fn step(network: &HeatNetwork, method: Method) -> Result<(Outcome, Vec<f64>), String> {
    let mut solver = HeatSolver::new(SolverSettings { method, ..SolverSettings::default() });
    let mut after = vec![0.0; 12];
    after[0] = 1.0;
    let outcome = solver.step(network, 1.0, &[0.0; 12], &mut after).map_err(|e| e.to_string())?;
    Ok((outcome, after))
}

/// The rises of a tree by elimination from its leaves: no difference is taken, so each is right to rounding over any number of decades.
fn by_hand(network: &HeatNetwork) -> Vec<f64> {
    let free = |node: usize| match network.nodes[node] {
        Node::Free { capacity } => capacity,
        Node::Held | Node::Absent => 0.0,
    };
    // what a node stores with all that hangs on it, per kelvin
    let mut stored: Vec<f64> = (0..12).map(free).collect();
    let mut passes = [0.0; 12];
    for link in network.links.iter().rev() {
        let (node, other) = link.ends;
        passes[node] = link.conductance / (link.conductance + stored[node]);
        stored[other] += stored[node] * passes[node];
    }
    let mut rise = [1.0; 12];
    for link in &network.links {
        rise[link.ends.0] = rise[link.ends.1] * passes[link.ends.0];
    }
    rise.to_vec()
}

/// What no factorisation tells apart is eliminated without subtraction: each of 2000 nets settles, by `auto` and by the method named, and to what is right.
#[test]
fn capacities_and_conductances_over_24_decades_settle() {
    for seed in 0..2000 {
        let network = net(1000 * seed, 24.0);
        for method in [Method::Auto, Method::Cholesky] {
            let (outcome, rises) = step(&network, method).unwrap();
            assert_eq!(outcome.status, Status::Converged, "seed {seed}, {method:?}: {outcome:?}");
            assert_eq!(outcome.stages.len(), 1, "seed {seed}: {outcome:?}");
            // in heat, by which a step is judged: what all rises that are wrong store
            let wrong = rises.iter().zip(by_hand(&network)).enumerate().map(|(k, (rise, exact))| match network.nodes[k] {
                Node::Free { capacity } => capacity * (rise - exact).abs(),
                Node::Held | Node::Absent => 0.0,
            });
            assert!(wrong.sum::<f64>() <= 4.0 * outcome.residual.max(1e-15) * outcome.scale, "seed {seed}: {outcome:?}");
        }
    }
}
