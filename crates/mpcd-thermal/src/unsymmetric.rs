//! Newton's matrix where nodes exchange radiation, or conductances follow temperatures: its rows have 4s(T_i³, −T_j³), so that it is not symmetric. Filled from a network,
//! factorised by LU; the analysis is kept as long as links and exchanges join the same nodes.

use mpcd_sparse::{GeneralMatrix, GeneralPattern, Lu, SparseError};

use crate::network::HeatNetwork;

/// The matrix and its factors.
#[derive(Debug, Default)]
pub(crate) struct UnsymmetricSystem {
    kept: Option<Kept>,
}

#[derive(Debug)]
struct Kept {
    size: usize,
    /// Ends of links, of exchanges, and of what is stored between nodes: what the pattern was made of.
    ends: Vec<(usize, usize)>,
    matrix: GeneralMatrix,
    lu: Lu,
}

impl UnsymmetricSystem {
    /// Fills and factorises C + hθ(L + films + slopes of radiation) with `weight` = hθ at the temperatures `hot` (K); nodes that store no heat have
    /// the row 1. `capacity` is m c of a node, with what it stores as all warm alike (J/K). Flows of links grow by `slopes` with the temperature of their first end and fall by them with that of their
    /// second (W/K); without slopes by their conductance.
    pub(crate) fn prepare(
        &mut self,
        network: &HeatNetwork,
        slopes: &[[f64; 2]],
        weight: f64,
        hot: impl Fn(usize) -> f64,
        capacity: impl Fn(usize) -> f64,
    ) -> Result<(), SparseError> {
        let n = network.nodes.len();
        let stored = || network.storage.between.iter().map(|s| s.0);
        let ends = || network.links.iter().map(|l| l.ends).chain(network.exchanges.iter().map(|e| e.ends)).chain(stored());
        let same = |k: &Kept| k.size == n && k.ends.iter().copied().eq(ends());
        let mut kept = match self.kept.take().filter(same) {
            Some(kept) => kept,
            None => {
                // the diagonal, then (i, j) and (j, i) of every pair
                let mut entries: Vec<(usize, usize)> = (0..n).map(|k| (k, k)).collect();
                entries.extend(ends().flat_map(|(i, j)| [(i, j), (j, i)]));
                let pattern = GeneralPattern::from_entries(n, &entries)?;
                Kept { size: n, ends: ends().collect(), matrix: GeneralMatrix::zeros(&pattern), lu: Lu::analyse(&pattern)? }
            }
        };
        let matrix = &mut kept.matrix;
        matrix.clear();
        let slope = |k: usize| 4.0 * hot(k).max(0.0).powi(3);
        let mut pair = |number: usize, (i, j): (usize, usize), by_i: f64, by_j: f64| {
            // what flows from i to j grows by by_i with T_i and falls by by_j with T_j
            matrix.add(i, by_i);
            matrix.add(n + 2 * number, -by_j);
            matrix.add(j, by_j);
            matrix.add(n + 2 * number + 1, -by_i);
        };
        for (number, l) in network.links.iter().enumerate() {
            let [by_first, by_second] = slopes.get(number).copied().unwrap_or([l.conductance; 2]);
            pair(number, l.ends, weight * by_first, weight * by_second);
        }
        for (number, e) in network.exchanges.iter().enumerate() {
            let strength = weight * e.strength;
            pair(network.links.len() + number, e.ends, strength * slope(e.ends.0), strength * slope(e.ends.1));
        }
        for (k, (ends, c)) in network.storage.between.iter().enumerate() {
            pair(network.links.len() + network.exchanges.len() + k, *ends, -c, -c);
        }
        network.films.iter().for_each(|f| matrix.add(f.node, weight * f.conductance));
        network.radiation.iter().for_each(|r| matrix.add(r.node, weight * r.strength * slope(r.node)));
        (0..n).for_each(|k| matrix.add(k, capacity(k)));
        let held: Vec<bool> = (0..n).map(|k| !network.is_free(k)).collect();
        matrix.isolate(&held)?;
        kept.lu.factorise(&kept.matrix)?;
        self.kept = Some(kept);
        Ok(())
    }

    /// Solves for the heat that nodes lack (J), 0 where they store none, into their change (K).
    pub(crate) fn solve(&mut self, lacking: &[f64], change: &mut [f64]) -> Result<(), SparseError> {
        change.copy_from_slice(lacking);
        self.kept.as_mut().ok_or(SparseError::NotFilled)?.lu.solve_in_place(change)
    }
}
