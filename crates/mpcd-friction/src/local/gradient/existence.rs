//! The sufficient test of existence: Coulomb's problem has a solution if some v has `Hᵀv + w ∈ int K*` (Cadoux; Acary, Cadoux,
//! Lemaréchal and Malick 2011). Both answers carry a certificate that is checked here and can be checked again.
//!
//! As Hᵀ and W = HᵀM⁻¹H have the same range, and q differs from w by an element of it, the test is `W z + q ∈ int K*` for
//! some z. The convex relaxation with q lowered by δ has, where it has a minimum, `W r + q − δ n ∈ K*` there, so that
//! z = r passes. Where it has none, its impulses grow along some d ∈ K with `W d = 0`, `q·d ≤ δ n·d`; and
//! one with `q·d ≤ 0` refutes the test, for `(W z + q)·d = q·d` would have to be positive.

use super::metric;
use super::nesterov::State;
use crate::cone::tangential_norm;
use crate::local::prepared::PreparedProblem;
use crate::local::small::{dot, norm};

/// Iterations per δ, and between two looks.
const ITERATIONS: usize = 10_000;
const LOOK_EVERY: usize = 10;
/// δ tried in turn, relative to the root mean square of q.
const LOWERED: [f64; 3] = [1.0, 1e-2, 1e-4];
/// Share of δ that the margin must have.
const MARGIN_SHARE: f64 = 0.1;
/// `d·W d` relative to `Σ λ_max(W_cc) |d_c|²`, and `q·d` relative to `‖q‖‖d‖`, that count as zero.
const NULL: f64 = 1e-13;
const NOT_POSITIVE: f64 = 1e-9;

/// What the sufficient test of existence says.
#[derive(Debug, Clone, PartialEq)]
pub enum Existence<const D: usize> {
    /// The test holds: a solution exists.
    Holds {
        /// z (kg m/s) with `W z + q` inside K*.
        certificate: Vec<[f64; D]>,
        /// Least `u_n − μ‖u_t‖` of `u = W z + q` (m/s), positive.
        margin: f64,
    },
    /// The test fails: a solution may exist or not.
    Fails {
        /// d ∈ K of norm 1 with `W d = 0` and `q·d ≤ 0`, to rounding.
        direction: Vec<[f64; D]>,
    },
    /// Neither certificate was found.
    Undecided,
}

impl<const D: usize> std::fmt::Display for Existence<D> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Holds { margin, .. } => write!(f, "a solution exists: some v keeps all contacts {margin:.1e} m/s inside K*"),
            Self::Fails { .. } => {
                f.write_str("a solution may not exist: impulses within the cones balance and free velocities press on them")
            }
            Self::Undecided => f.write_str("existence undecided: neither certificate was found"),
        }
    }
}

/// Runs the test.
#[must_use]
pub fn existence<const D: usize>(problem: &PreparedProblem<D>) -> Existence<D> {
    search(problem, &LOWERED, ITERATIONS, NULL)
}

/// The test with these δ in turn, each for some iterations; `d·W d` below the share `null` counts as zero.
pub(super) fn search<const D: usize>(
    problem: &PreparedProblem<D>,
    lowered: &[f64],
    iterations: usize,
    null: f64,
) -> Existence<D> {
    let (local, n) = (problem.local(), problem.contacts());
    let metric = metric(problem);
    let size = norm(&local.free_velocity);
    let unit = if size > 0.0 { size / (n as f64).sqrt() } else { 1.0 };
    for share in lowered {
        let delta = share * unit;
        let shift = vec![-delta; n];
        let mut state = State::new(problem, &vec![[0.0; D]; n]);
        for done in 0..iterations {
            if done % LOOK_EVERY == 0 {
                let margin = margin(problem, &state.x);
                if margin > MARGIN_SHARE * delta {
                    return Existence::Holds { certificate: state.x, margin };
                }
                if let Some(direction) = refutation(problem, &metric, &state.x, null) {
                    return Existence::Fails { direction };
                }
            }
            if !state.step(problem, &metric, &shift) {
                break;
            }
        }
    }
    Existence::Undecided
}

/// Least `u_n − μ‖u_t‖` at `u = W z + q`.
fn margin<const D: usize>(problem: &PreparedProblem<D>, z: &[[f64; D]]) -> f64 {
    let local = problem.local();
    let u = local.velocities(z);
    u.iter().zip(&local.friction).map(|(u, mu)| u[0] - mu * tangential_norm(u)).fold(f64::INFINITY, f64::min)
}

/// The direction of x ∈ K, if it refutes the test.
fn refutation<const D: usize>(problem: &PreparedProblem<D>, metric: &[f64], x: &[[f64; D]], null: f64) -> Option<Vec<[f64; D]>> {
    let local = problem.local();
    let size = norm(x);
    if !(size > 0.0 && size.is_finite()) {
        return None;
    }
    let d: Vec<[f64; D]> = x.iter().map(|v| v.map(|k| k / size)).collect();
    let mut wd = vec![[0.0; D]; d.len()];
    local.delassus.multiply(&d, &mut wd);
    let whole: f64 = d.iter().zip(metric).map(|(v, l)| l * v.iter().map(|k| k * k).sum::<f64>()).sum();
    let free = dot(&d, &wd) <= null * whole;
    let pressed = dot(&local.free_velocity, &d) <= NOT_POSITIVE * norm(&local.free_velocity);
    (free && pressed).then_some(d)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
    use super::*;
    use crate::local::{BlockMatrix, LocalProblem};

    fn problem(w: &[&[f64]], q: &[[f64; 2]], mu: f64) -> PreparedProblem<2> {
        let n = 2 * q.len();
        let entries = (0..n * n).map(|k| (k / n, k % n, w[k / n][k % n]));
        let delassus = BlockMatrix::from_entries(q.len(), entries);
        PreparedProblem::new(LocalProblem { delassus, free_velocity: q.to_vec(), friction: vec![mu; q.len()] }, None).unwrap()
    }

    #[test]
    fn a_regular_contact_has_a_solution() {
        let one = problem(&[&[1.6, -1.2], &[-1.2, 3.4]], &[[-1.0, -2.0]], 0.5);
        let Existence::Holds { certificate, margin } = existence(&one) else { panic!("W is regular") };
        let u = one.local().velocities(&certificate);
        assert!(margin > 0.0 && (u[0][0] - 0.5 * u[0][1].abs() - margin).abs() < 1e-12);
    }

    /// Painlevé: r = (1, −1) costs nothing, is within μ = 2, and q·r < 0; below μ = 1 it is not in the cone and v exists.
    #[test]
    fn a_jammed_contact_fails_and_less_friction_frees_it() {
        let w: [&[f64]; 2] = [&[1.0, 1.0], &[1.0, 1.0]];
        let Existence::Fails { direction } = existence(&problem(&w, &[[-1.0, 0.5]], 2.0)) else { panic!("jammed") };
        assert!((direction[0][0] + direction[0][1]).abs() < 1e-5 && direction[0][0] > 0.7);
        assert!(matches!(existence(&problem(&w, &[[-1.0, 0.5]], 0.5)), Existence::Holds { .. }));
    }

    /// A disc of mass 1 without rotation between two opposed walls: the normals' sum is zero whatever v. The walls resting, the
    /// test fails at its boundary (yet r = 0 solves the problem); the walls parting, it holds; closing in, it fails.
    #[test]
    fn a_disc_between_walls() {
        let w: [&[f64]; 4] = [&[1.0, 0.0, -1.0, 0.0], &[0.0, 1.0, 0.0, 1.0], &[-1.0, 0.0, 1.0, 0.0], &[0.0, 1.0, 0.0, 1.0]];
        let walls = |speed: f64| existence(&problem(&w, &[[1.0 + speed, 0.2], [-1.0 + speed, 0.2]], 0.3));
        assert!(matches!(walls(0.0), Existence::Fails { .. }));
        assert!(matches!(walls(-0.1), Existence::Fails { .. }));
        assert!(matches!(walls(0.1), Existence::Holds { .. }));
    }
}
