//! Many films that are each held at a voltage, all at once: Newton's method on the potentials of the network. No law, no contact: a film is what its total current
//! makes of its drop. Rounds of memories are elsewhere; they have the last word.
//!
//! Between two bodies such a film has the monotone characteristic E(I): R₀I up to I₁, V_b + R_b I up to I₂ (V_b at the spot, R_b the bulk of both bodies), R₂I
//! beyond. Currents are the minimum of Σ∫E dI under Kirchhoff's law, and where the spot is held they may be open (R_b = 0): a proximal point, E(I) + r(I − I°), makes
//! them one and potentials the minimum of a strictly convex function Φ, quadratic in pieces. Newton's method with an exact search along its step ends at
//! that minimum after a finite number of steps, as Φ falls in each and has finitely many pieces; moving I° to what it finds lowers Σ∫E dI until I° stands
//! (Rockafellar 1976, doi:10.1137/0314056), by a factor of r over what the network has beside it each time.

use crate::{
    error::NetworkError,
    network::ResistorNetwork,
    solve::{Method, NetworkSolver, SolverSettings},
};

/// r over the least resistance of its film.
const SOFT: f64 = 1e-2;
/// Part of a current to which it stands, and most solves.
const STANDS: f64 = 1e-11;
const MOST: u32 = 400;
/// Halvings of the search along a step.
const HALVINGS: u32 = 50;

/// A film between two bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Film {
    /// Number of the conductor that it is.
    pub(crate) conductor: usize,
    /// Its branch of the network.
    pub(crate) branch: usize,
    /// Drop at which its spot is held (V).
    pub(crate) limit: f64,
    /// Resistance whole, of the bulk alone, and bare (Ω).
    pub(crate) resistance: [f64; 3],
    /// Currents at which it begins to break and is bare (A).
    pub(crate) ends: [f64; 2],
    /// The current that was found (A), with its sign; at first the current to start from.
    pub(crate) current: f64,
}

/// The piece of its characteristic that a film is on: 0, 1 or 2, and the sign of its current on 1.
type Piece = (usize, i8);

impl Film {
    fn soft(&self) -> f64 {
        SOFT * self.resistance[2]
    }

    /// The piece at a drop (V).
    fn piece(&self, drop: f64) -> Piece {
        let lifted = drop + self.soft() * self.current;
        let ends = [self.resistance[0] * self.ends[0], self.resistance[2] * self.ends[1]];
        let at = |k: usize| ends[k] + self.soft() * self.ends[k];
        match lifted.abs() {
            y if y < at(0) => (0, 0),
            y if y < at(1) => (1, if lifted > 0.0 { 1 } else { -1 }),
            _ => (2, 0),
        }
    }

    /// Conductance (S) of a piece and the current of its source (A): I = g V + s.
    fn tangent(&self, (number, sign): Piece) -> [f64; 2] {
        let conductance = 1.0 / (self.resistance[number] + self.soft());
        [conductance, conductance * (self.soft() * self.current - f64::from(sign) * self.limit)]
    }

    /// Current at a drop (A).
    fn at(&self, drop: f64) -> f64 {
        let [conductance, source] = self.tangent(self.piece(drop));
        conductance * drop + source
    }
}

/// Finds the currents of `films` in a network whose branches of films conduct nothing yet. `potential` (V) is where it starts. Says whether they stand.
///
/// # Errors
/// As [`NetworkSolver::solve`].
pub(crate) fn hold(
    films: &mut [Film],
    network: &ResistorNetwork,
    settings: SolverSettings,
    potential: &[f64],
) -> Result<bool, NetworkError> {
    // sources are larger than the currents of the electrodes by 1/SOFT
    let fine = SolverSettings { method: Method::Auto, tolerance: SOFT * settings.tolerance, ..settings };
    let mut solver = NetworkSolver::new(fine);
    let (mut tangents, mut at) = (network.clone(), potential.to_vec());
    at.iter_mut().zip(&network.held).for_each(|(v, held)| *v = held.unwrap_or(*v));
    let drop = |potential: &[f64], branch: usize| {
        let (i, j) = network.branches[branch].ends;
        let mean = |end: usize| network.terms(end).map(|(node, w)| w * potential[node]).sum::<f64>();
        mean(i) - mean(j)
    };
    for _ in 0..MOST {
        let pieces: Vec<Piece> = films.iter().map(|film| film.piece(drop(&at, film.branch))).collect();
        tangents.injected.clone_from(&network.injected);
        for (film, piece) in films.iter().zip(&pieces) {
            let [conductance, source] = film.tangent(*piece);
            tangents.branches[film.branch].conductance = conductance;
            let (i, j) = network.branches[film.branch].ends;
            network.terms(i).for_each(|(node, w)| tangents.injected[node] -= w * source);
            network.terms(j).for_each(|(node, w)| tangents.injected[node] += w * source);
        }
        let mut next = at.clone();
        solver.solve(&tangents, &mut next)?;
        if films.iter().zip(&pieces).all(|(film, piece)| film.piece(drop(&next, film.branch)) == *piece) {
            at = next;
            let mut stands = true;
            for (film, piece) in films.iter_mut().zip(&pieces) {
                let found = solver.currents()[film.branch] + film.tangent(*piece)[1];
                stands &= (found - film.current).abs() <= STANDS * found.abs().max(film.ends[0]);
                film.current = found;
            }
            if stands {
                return Ok(true);
            }
            continue;
        }
        let step: Vec<f64> = next.iter().zip(&at).map(|(to, from)| to - from).collect();
        let part = along(films, network, &at, &step, &drop);
        at.iter_mut().zip(&step).for_each(|(v, by)| *v += part * by);
    }
    Ok(false)
}

/// The part of a step at which Φ is least along it, 1 at most: where its slope Σ_branches I(V) δV − Σ_nodes I_fed δφ, which rises, is 0.
fn along(films: &[Film], network: &ResistorNetwork, at: &[f64], step: &[f64], drop: &impl Fn(&[f64], usize) -> f64) -> f64 {
    let of_films: Vec<[f64; 2]> = films.iter().map(|f| [drop(at, f.branch), drop(step, f.branch)]).collect();
    let (mut start, mut curved) = (0.0, 0.0);
    let mut linear = |from: f64, by: f64, conductance: f64| {
        start += conductance * from * by;
        curved += conductance * by * by;
    };
    for (k, _, conductance) in network.live() {
        linear(drop(at, k), drop(step, k), conductance);
    }
    for ((i, j), conductance) in network.solid() {
        linear(at[i] - at[j], step[i] - step[j], conductance);
    }
    let fed = (0..step.len()).filter(|&k| network.held[k].is_none()).map(|k| network.injected[k] * step[k]).sum::<f64>();
    let slope = |part: f64| {
        let held = films.iter().zip(&of_films).map(|(film, [from, by])| film.at(from + part * by) * by).sum::<f64>();
        start + part * curved + held - fed
    };
    if slope(1.0) <= 0.0 {
        return 1.0;
    }
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if slope(middle) > 0.0 { high = middle } else { low = middle }
    }
    high
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    /// A film of 0.01 S whole and 1 S bare that is held at 0.4 V, in series with `bulk` (Ω).
    fn film(branch: usize, bulk: f64) -> Film {
        Film {
            conductor: branch,
            branch,
            limit: 0.4,
            resistance: [100.0 + bulk, bulk, 1.0 + bulk],
            ends: [4e-3, 0.4],
            current: 0.0,
        }
    }

    /// 1 V over a film and 2 Ω: (1 − 0.4)/2 = 0.3 A. 0.2 V: 0.2/102 A, whole. 3 V: 1 A, bare. A chain of two films takes 0.8 V. The same with the 2 Ω as bulk.
    #[test]
    fn a_film_in_series_by_hand() {
        for (volts, films, want) in [(1.0, 1, 0.3), (0.2, 1, 0.2 / 102.0), (3.0, 1, 1.0), (-1.0, 1, -0.3), (1.0, 2, 0.1)] {
            for bulk in [0.0, 2.0] {
                let mut network = ResistorNetwork::new(films + 2);
                (0..films).for_each(|k| network.join(k, k + 1, 0.0));
                network.join(films, films + 1, if bulk > 0.0 { 1e12 } else { 0.5 });
                network.hold(0, volts);
                network.hold(films + 1, 0.0);
                let mut all: Vec<Film> = (0..films).map(|k| film(k, bulk / films as f64)).collect();
                assert!(hold(&mut all, &network, SolverSettings::default(), &vec![0.0; films + 2]).unwrap());
                for film in all {
                    assert!((film.current / want - 1.0).abs() < 1e-9, "{volts} V, {films}: {}", film.current);
                }
            }
        }
    }
}
