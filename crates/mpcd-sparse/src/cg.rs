//! Preconditioned conjugate gradients (Hestenes and Stiefel 1952). They stop on the true residual b − A x, not on the
//! one that the recursion carries along, which drifts.

use crate::error::{SparseError, check_vector};
use crate::precondition::Preconditioner;
use crate::reduce::{dot, norm};
use crate::symmetric::SymmetricMatrix;

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CgParams {
    /// Bound on |b − A x| / |b|.
    pub tolerance: f64,
    /// Largest number of iterations.
    pub max_iterations: usize,
}

impl Default for CgParams {
    fn default() -> Self {
        Self { tolerance: 1e-10, max_iterations: 10_000 }
    }
}

/// How a solve ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CgStatus {
    /// The true residual is within the tolerance.
    Converged,
    /// The iterations ran out.
    MaxIterations,
    /// The true residual stopped falling: the tolerance is below what rounding allows for this matrix.
    Stalled,
    /// A direction of no or negative curvature: the matrix is not positive definite.
    NotPositiveDefinite,
}

/// What a solve came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CgReport {
    /// How it ended.
    pub status: CgStatus,
    /// Iterations done.
    pub iterations: usize,
    /// |b − A x| / |b|, computed from the final x (0 when b is 0).
    pub residual: f64,
}

/// Memory of a solve, kept between solves.
#[derive(Clone, Debug, Default)]
pub struct CgWorkspace {
    r: Vec<f64>,
    z: Vec<f64>,
    p: Vec<f64>,
    q: Vec<f64>,
}

impl CgWorkspace {
    fn resize(&mut self, n: usize) {
        for v in [&mut self.r, &mut self.z, &mut self.p, &mut self.q] {
            v.resize(n, 0.0);
        }
    }
}

/// A symmetric positive definite operator of finite values.
pub(crate) trait Operator {
    /// Number of rows and columns.
    fn size(&self) -> usize;
    /// `y = A x`; both have [`Operator::size`] entries.
    fn multiply(&self, x: &[f64], y: &mut [f64]);
}

impl Operator for SymmetricMatrix {
    fn size(&self) -> usize {
        Self::size(self)
    }
    fn multiply(&self, x: &[f64], y: &mut [f64]) {
        self.multiply_unchecked(x, y);
    }
}

/// Solves `A x = b`, starting from the given `x`. Allocates nothing once the workspace has its size.
///
/// Whenever the carried residual meets the tolerance, the true one is computed; where it does not agree, the iteration
/// starts again from there, and gives up when that has not helped.
///
/// # Errors
/// [`SparseError::Length`], [`SparseError::NonFiniteMatrix`], [`SparseError::NonFiniteVector`]. Not to converge is no
/// error: see [`CgReport::status`].
pub fn solve_cg(
    matrix: &SymmetricMatrix,
    b: &[f64],
    x: &mut [f64],
    preconditioner: &dyn Preconditioner,
    params: CgParams,
    workspace: &mut CgWorkspace,
) -> Result<CgReport, SparseError> {
    matrix.check_finite()?;
    solve_operator(matrix, b, x, preconditioner, params, workspace)
}

/// The same for any operator.
pub(crate) fn solve_operator(
    matrix: &dyn Operator,
    b: &[f64],
    x: &mut [f64],
    preconditioner: &dyn Preconditioner,
    params: CgParams,
    workspace: &mut CgWorkspace,
) -> Result<CgReport, SparseError> {
    let n = matrix.size();
    check_vector("right-hand side", b, n)?;
    check_vector("start vector", x, n)?;
    if preconditioner.size() != n {
        return Err(SparseError::Length { what: "preconditioner", expected: n, found: preconditioner.size() });
    }
    workspace.resize(n);
    let scale = norm(b);
    if scale == 0.0 {
        x.fill(0.0);
        return Ok(CgReport { status: CgStatus::Converged, iterations: 0, residual: 0.0 });
    }
    let target = params.tolerance * scale;
    let mut iterations = 0;
    let mut residual = true_residual(matrix, b, x, workspace);
    let status = loop {
        if residual <= target {
            break CgStatus::Converged;
        }
        if iterations >= params.max_iterations {
            break CgStatus::MaxIterations;
        }
        let left = params.max_iterations - iterations;
        let (done, definite) = iterate(matrix, x, preconditioner, target, left, workspace);
        iterations += done;
        let before = residual;
        residual = true_residual(matrix, b, x, workspace);
        if !definite {
            break if residual <= target { CgStatus::Converged } else { CgStatus::NotPositiveDefinite };
        }
        let falling = residual < 0.5 * before;
        if residual > target && iterations < params.max_iterations && !falling {
            break CgStatus::Stalled;
        }
    };
    Ok(CgReport { status, iterations, residual: residual / scale })
}

/// Puts b − A x into `r` and returns its norm.
fn true_residual(matrix: &dyn Operator, b: &[f64], x: &[f64], w: &mut CgWorkspace) -> f64 {
    matrix.multiply(x, &mut w.q);
    for ((r, b), q) in w.r.iter_mut().zip(b).zip(&w.q) {
        *r = b - q;
    }
    norm(&w.r)
}

/// Iterates from the residual in `r` until the carried one meets the target; returns the iterations done, and false
/// when a direction had no positive curvature.
fn iterate(
    matrix: &dyn Operator,
    x: &mut [f64],
    preconditioner: &dyn Preconditioner,
    target: f64,
    most: usize,
    w: &mut CgWorkspace,
) -> (usize, bool) {
    preconditioner.apply(&w.r, &mut w.z);
    w.p.copy_from_slice(&w.z);
    let mut rz = dot(&w.r, &w.z);
    for done in 1..=most {
        matrix.multiply(&w.p, &mut w.q);
        let curvature = dot(&w.p, &w.q);
        if curvature <= 0.0 || curvature.is_nan() {
            return (done - 1, false);
        }
        let step = rz / curvature;
        for i in 0..x.len() {
            x[i] += step * w.p[i];
            w.r[i] -= step * w.q[i];
        }
        if norm(&w.r) <= target {
            return (done, true);
        }
        preconditioner.apply(&w.r, &mut w.z);
        let next = dot(&w.r, &w.z);
        let turn = next / rz;
        rz = next;
        for (p, z) in w.p.iter_mut().zip(&w.z) {
            *p = z + turn * *p;
        }
    }
    (most, true)
}
