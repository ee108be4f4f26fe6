//! Stabilised biconjugate gradients (van der Vorst 1992), preconditioned from the right, for an operator that is not symmetric and has a diagonal to scale by. Sums are in
//! a fixed order, and it stops on the true residual.

use crate::cg::{CgParams, CgReport, CgStatus};
use crate::error::{SparseError, check_vector};
use crate::reduce::{dot, norm};

/// How often it may start again from the true residual.
const STARTS: usize = 12;
/// Iterations in which the residual must be halved, else it starts again.
const IDLE: usize = 200;

/// A system A x = b.
#[derive(Clone, Copy)]
pub struct Unsymmetric<'a> {
    /// Puts A of its first into its second.
    pub multiply: &'a dyn Fn(&[f64], &mut [f64]),
    /// The diagonal of A, none of it 0: what residuals are measured by.
    pub diagonal: &'a [f64],
    /// Puts what is nearly A⁻¹ of its first into its second, linear in it.
    pub precondition: &'a dyn Fn(&[f64], &mut [f64]),
}

impl std::fmt::Debug for Unsymmetric<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Unsymmetric").field("size", &self.diagonal.len()).finish_non_exhaustive()
    }
}

/// Solves `A x = b` from the given `x`.
///
/// The residual is measured in the unknown, |D⁻¹ (b − A x)| over |D⁻¹ b|, D the diagonal of A.
///
/// # Errors
/// [`SparseError::Length`], [`SparseError::NonFiniteVector`]. Not to converge is no error: see [`CgReport::status`].
pub fn solve_unsymmetric(system: &Unsymmetric<'_>, b: &[f64], x: &mut [f64], params: CgParams) -> Result<CgReport, SparseError> {
    let Unsymmetric { multiply, diagonal, precondition } = *system;
    let n = diagonal.len();
    check_vector("right-hand side", b, n)?;
    check_vector("first guess", x, n)?;
    let scaled = |from: &[f64], to: &mut Vec<f64>| {
        to.resize(n, 0.0);
        multiply(from, to);
        to.iter_mut().zip(diagonal).for_each(|(y, d)| *y /= d);
    };
    let mut unscaled = vec![0.0; n];
    let mut direction = |from: &[f64], to: &mut Vec<f64>| {
        to.resize(n, 0.0);
        unscaled.iter_mut().zip(from).zip(diagonal).for_each(|((u, r), d)| *u = r * d);
        precondition(&unscaled, to);
    };
    let size = norm(&b.iter().zip(diagonal).map(|(b, d)| b / d).collect::<Vec<_>>());
    let mut report = CgReport { status: CgStatus::MaxIterations, iterations: 0, residual: 0.0 };
    if size == 0.0 {
        x.fill(0.0);
        report.status = CgStatus::Converged;
        return Ok(report);
    }
    let [mut v, mut t, mut s, mut along, mut beyond] = [const { Vec::new() }; 5];
    let mut best = f64::INFINITY;
    for _ in 0..STARTS {
        scaled(x, &mut t);
        let mut r: Vec<f64> = (0..n).map(|i| b[i] / diagonal[i] - t[i]).collect();
        report.residual = norm(&r) / size;
        if report.residual <= params.tolerance {
            report.status = CgStatus::Converged;
            return Ok(report);
        }
        if report.residual >= best || report.residual.is_nan() || report.iterations >= params.max_iterations {
            break;
        }
        best = report.residual;
        let shadow = r.clone();
        let mut p = r.clone();
        let mut rho = dot(&shadow, &r);
        let (mut least, mut since) = (f64::INFINITY, 0);
        while report.iterations < params.max_iterations {
            report.iterations += 1;
            direction(&p, &mut along);
            scaled(&along, &mut v);
            let alpha = rho / dot(&shadow, &v);
            s.clear();
            s.extend(r.iter().zip(&v).map(|(r, v)| r - alpha * v));
            direction(&s, &mut beyond);
            scaled(&beyond, &mut t);
            let tt = dot(&t, &t);
            let omega = if tt > 0.0 { dot(&t, &s) / tt } else { 0.0 };
            let change = |i: usize| alpha * along[i] + omega * beyond[i];
            if !(0..n).all(|i| change(i).is_finite()) {
                // the directions broke down: again from here
                break;
            }
            for i in 0..n {
                x[i] += change(i);
                r[i] = s[i] - omega * t[i];
            }
            let next = dot(&shadow, &r);
            let beta = next / rho * alpha / omega;
            let carried = norm(&r);
            since += 1;
            if carried < 0.5 * least {
                (least, since) = (carried, 0);
            }
            if since > IDLE || carried <= params.tolerance * size || !beta.is_finite() || next == 0.0 {
                break;
            }
            rho = next;
            for i in 0..n {
                p[i] = r[i] + beta * (p[i] - omega * v[i]);
            }
        }
    }
    if report.iterations < params.max_iterations {
        report.status = CgStatus::Stalled;
    }
    Ok(report)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    /// A stream through cells in a row with a little conduction: x_i − x_{i−1} + ε (2x_i − x_{i−1} − x_{i+1}), checked by what it makes of a known solution.
    #[test]
    fn a_stream_is_solved_to_rounding() {
        for (n, epsilon) in [(1, 0.1), (50, 0.0), (200, 0.3), (100, 30.0)] {
            let multiply = |x: &[f64], y: &mut [f64]| {
                for i in 0..n {
                    let below = if i > 0 { x[i - 1] } else { 0.0 };
                    let above = if i + 1 < n { x[i + 1] } else { 0.0 };
                    y[i] = 1.2 * x[i] - below + epsilon * (2.0 * x[i] - below - above);
                }
            };
            let wanted: Vec<f64> = (0..n).map(|i| (i as f64 * 0.7).sin() + 0.3).collect();
            let (mut b, mut x) = (vec![0.0; n], vec![0.0; n]);
            multiply(&wanted, &mut b);
            let params = CgParams { tolerance: 1e-13, max_iterations: 2000 };
            let diagonal = vec![1.2 + 2.0 * epsilon; n];
            let precondition = |r: &[f64], z: &mut [f64]| z.iter_mut().zip(r).for_each(|(z, r)| *z = r / (1.2 + 2.0 * epsilon));
            let system = Unsymmetric { multiply: &multiply, diagonal: &diagonal, precondition: &precondition };
            let report = solve_unsymmetric(&system, &b, &mut x, params).unwrap();
            assert_eq!(report.status, CgStatus::Converged, "{n} {epsilon} {report:?}");
            let worst = x.iter().zip(&wanted).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(worst < 1e-10, "{n} {epsilon}: {worst:e}");
        }
    }
}
