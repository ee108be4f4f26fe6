//! A proof that Coulomb's problem has no solution, where there is one of the plain kind.
//!
//! The sufficient test of existence failing proves nothing: its d ∈ K with `Wᵀd = 0`, `q·d ≤ 0` gives `û·d = q·d + Σ μ d_n ‖u_t‖`
//! for any solution, which sliding may well make positive. But every solution has `u_n ≥ 0` at every contact, so that
//! d with `d_t = 0`, `d_n ≥ 0`, `Wᵀd = 0` and `q·d < 0` is a contradiction: `0 ≤ Σ d_n u_n = u·d = (Wᵀd)·r + q·d = q·d < 0`.
//! By Farkas' lemma such a d exists exactly when no impulses whatever (adhesive or not) keep all contacts from closing:
//! bodies squeezed between walls that close in. Problems that fail for other reasons (Painlevé's) have no such d.
//!
//! With rounding, `Wᵀd` is not zero but small. What is then proved is that no solution has impulses of norm below
//! `R = −q·d/‖Wᵀd‖`; R is given, and must be 10⁸ times the impulses that could stop the free velocities; and `‖Wᵀd‖` must be
//! of the size of rounding.

use super::existence::{Existence, search};
use super::metric;
use crate::local::LocalProblem;
use crate::local::newton::NewtonSystem;
use crate::local::prepared::PreparedProblem;
use crate::local::small::{dot, norm, scaled_identity};
use crate::report::NoMotion;

/// Iterations of the search for a first direction, and the δ of its shifted problem.
const ITERATIONS: usize = 3000;
const LOWERED: f64 = 1e-2;
/// `d·W d` that counts as zero before the direction is refined.
const NULL: f64 = 1e-8;
/// Components of the direction below this share of the largest are dropped.
const SUPPORT: f64 = 1e-5;
/// Rounds of inverse iteration and their shift, relative to the diagonal of W.
const ROUNDS: usize = 4;
const SHIFT: f64 = 1e-7;
/// R relative to the impulses that could stop the free velocities.
const OUT_OF_REACH: f64 = 1e8;
/// `‖Wᵀd‖` above so many roundings is a motion that impulses can make: that of a heavy or stiff body behind a bead. (Proofs on packings
/// leave less than one, a bead of 1e-6 kg under a tonne a million.)
const NOTHING: f64 = 1e4;

/// Components below this share of the whole direction are not named in a report.
const TAKES_PART: f64 = 1e-6;

/// A certificate that no solution exists.
#[derive(Debug, Clone, PartialEq)]
pub struct Impossible {
    /// d_n ≥ 0 per contact, of norm 1: `Σ d_n u_n` is negative whatever the impulses are.
    pub direction: Vec<f64>,
    /// `Σ d_n u_n` (m/s).
    pub closing: f64,
    /// Norm (kg m/s) below which rounding in W leaves no impulses that solve the problem.
    pub out_of_reach: f64,
}

impl Impossible {
    /// For a report: the contacts that take part, under the numbers that `name` gives them.
    pub(crate) fn no_motion(&self, name: impl Fn(usize) -> usize) -> NoMotion {
        let contacts = self.direction.iter().enumerate().filter(|(_, d)| **d > TAKES_PART);
        NoMotion { contacts: contacts.map(|(c, d)| (name(c), *d)).collect(), closing: -self.closing }
    }
}

impl std::fmt::Display for Impossible {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let contacts = self.direction.iter().filter(|d| **d > 0.0).count();
        write!(
            f,
            "no solution exists: {contacts} contacts close at {:.1e} m/s together, whatever the impulses (below {:.1e} kg m/s)",
            -self.closing, self.out_of_reach
        )
    }
}

/// Looks for a proof that no solution exists; `None` says nothing.
#[must_use]
pub fn impossible<const D: usize>(problem: &PreparedProblem<D>) -> Option<Impossible> {
    let local = problem.local();
    let bare = LocalProblem { friction: vec![0.0; local.contacts()], ..local.clone() };
    let bare = PreparedProblem::new(bare, None).ok()?;
    let Existence::Fails { direction } = search(&bare, &[LOWERED], ITERATIONS, NULL) else { return None };
    let mut d: Vec<f64> = direction.iter().map(|v| v[0]).collect();
    let mut system = NewtonSystem::of(&bare);
    for _ in 0..ROUNDS {
        d = towards_null(&bare, &mut system, &d)?;
    }
    check(problem, &d)
}

/// One round of inverse iteration on the support: `(W + σ) x = σ d`, x = 0 elsewhere and in the tangents.
fn towards_null<const D: usize>(problem: &PreparedProblem<D>, system: &mut NewtonSystem<D>, d: &[f64]) -> Option<Vec<f64>> {
    let most = d.iter().fold(0.0_f64, |m, v| m.max(*v));
    let metric = metric(problem);
    let mut a = vec![[[0.0; D]; D]; d.len()];
    let mut b = vec![scaled_identity::<D>(1.0); d.len()];
    let mut rhs = vec![[0.0; D]; d.len()];
    for c in 0..d.len() {
        if d[c] > SUPPORT * most {
            a[c][0][0] = 1.0;
            b[c][0][0] = SHIFT * metric[c];
            rhs[c][0] = SHIFT * metric[c] * d[c] / most;
        }
    }
    let mut x = Vec::new();
    system.factorise(problem, &a, &b);
    system.solve(problem, &rhs, &mut x);
    let d: Vec<f64> = x.iter().map(|v| v[0].max(0.0)).collect();
    d.iter().all(|v| v.is_finite()).then_some(d)
}

/// The certificate that d is, if it is one; everything computed afresh from W and q.
fn check<const D: usize>(problem: &PreparedProblem<D>, d: &[f64]) -> Option<Impossible> {
    let local = problem.local();
    let length = d.iter().map(|v| v * v).sum::<f64>().sqrt();
    if !(length > 0.0) {
        return None;
    }
    let direction: Vec<f64> = d.iter().map(|v| v.max(0.0) / length).collect();
    let mut full = vec![[0.0; D]; d.len()];
    for (x, v) in full.iter_mut().zip(&direction) {
        x[0] = *v;
    }
    let closing = dot(&local.free_velocity, &full);
    let mut transposed = vec![[0.0; D]; d.len()];
    local.delassus.multiply_transposed(&full, &mut transposed);
    let metric = metric(problem);
    // what rounding may hide in the products with W
    let rounding = f64::EPSILON * direction.iter().zip(&metric).map(|(v, l)| v * l).sum::<f64>();
    let left = norm(&transposed);
    let out_of_reach = -closing / left.max(rounding);
    let stop = local.free_velocity.iter().zip(&metric).map(|(q, l)| q.iter().map(|v| (v / l).powi(2)).sum::<f64>());
    let stop = stop.sum::<f64>().sqrt();
    (left <= NOTHING * rounding && out_of_reach > OUT_OF_REACH * stop).then_some(Impossible { direction, closing, out_of_reach })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use crate::local::BlockMatrix;

    fn problem(w: &[&[f64]], q: &[[f64; 2]], mu: f64) -> PreparedProblem<2> {
        let n = 2 * q.len();
        let entries = (0..n * n).map(|k| (k / n, k % n, w[k / n][k % n]));
        let delassus = BlockMatrix::from_entries(q.len(), entries);
        PreparedProblem::new(LocalProblem { delassus, free_velocity: q.to_vec(), friction: vec![mu; q.len()] }, None).unwrap()
    }

    /// A disc without rotation between two walls that close in at 0.1 m/s each.
    #[test]
    fn closing_walls_are_proved_to_have_no_solution() {
        let w: [&[f64]; 4] = [&[1.0, 0.0, -1.0, 0.0], &[0.0, 1.0, 0.0, 1.0], &[-1.0, 0.0, 1.0, 0.0], &[0.0, 1.0, 0.0, 1.0]];
        let walls = |speed: f64| impossible(&problem(&w, &[[1.0 + speed, 0.2], [-1.0 + speed, 0.2]], 0.3));
        let proof = walls(-0.1).unwrap();
        assert!((proof.closing + 0.2 / 2.0_f64.sqrt()).abs() < 1e-12 && proof.out_of_reach > 1e12);
        assert!(walls(0.0).is_none() && walls(0.1).is_none());
    }

    /// The sufficient test fails on Painlevé's contact, but no normals close: nothing is claimed.
    #[test]
    fn a_jammed_contact_is_no_proof() {
        let w: [&[f64]; 2] = [&[1.0, 1.0], &[1.0, 1.0]];
        assert!(impossible(&problem(&w, &[[-1.0, 0.5]], 2.0)).is_none());
    }

    /// Friction solves what the sufficient test cannot promise: two walls that close in but, being tilted, let the disc out.
    #[test]
    fn tilted_walls_let_the_disc_out() {
        let (c, s) = (0.8, 0.6);
        // normals (c, s) and (−c, s), tangents (−s, c) and (s, c), unit mass
        let rows = [[c, s], [-s, c], [-c, s], [s, c]];
        let w: Vec<Vec<f64>> = rows.iter().map(|a| rows.iter().map(|b| a[0] * b[0] + a[1] * b[1]).collect()).collect();
        let w: Vec<&[f64]> = w.iter().map(Vec::as_slice).collect();
        assert!(impossible(&problem(&w, &[[-0.1, 0.0], [-0.1, 0.0]], 0.3)).is_none());
    }
}
