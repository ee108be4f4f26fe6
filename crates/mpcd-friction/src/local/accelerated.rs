//! Gauss–Seidel sweeps accelerated by Anderson mixing, safeguarded by the natural-map error.
//!
//! The symmetric sweep G (forward and back) is a fixed-point map r ↦ G(r). The next iterate is the combination of the
//! last images whose residuals G(r) − r combine to the least norm (Walker and Ni 2011), projected on the cones; where
//! its error is worse than that of the plain image, the plain image is taken and the memory cleared.

use nalgebra::{DMatrix, DVector};

use super::nlgs::Sweeper;
use super::prepared::PreparedProblem;
use super::settings::{LocalSettings, LocalSolver, Watch};
use super::small::dot;
use crate::report::{SolveInfo, Status};

/// Sweeps (forward and back count as two) at most when the caller does not say.
const DEFAULT_SWEEPS: usize = 100_000;
/// Images kept.
const MEMORY: usize = 8;
/// Relative ridge of the least-squares problem.
const RIDGE: f64 = 1e-12;

/// Nonlinear Gauss–Seidel with Anderson acceleration.
#[derive(Debug, Clone, Copy, Default)]
pub struct AcceleratedNlgs;

/// The last images of the sweep and their residuals, oldest first.
struct Memory<const D: usize> {
    images: Vec<Vec<[f64; D]>>,
    residuals: Vec<Vec<[f64; D]>>,
}

impl<const D: usize> Memory<D> {
    fn push(&mut self, image: Vec<[f64; D]>, from: &[[f64; D]]) {
        let residual = image.iter().zip(from).map(|(g, x)| std::array::from_fn(|k| g[k] - x[k])).collect();
        if self.images.len() == MEMORY {
            self.images.remove(0);
            self.residuals.remove(0);
        }
        self.images.push(image);
        self.residuals.push(residual);
    }

    /// Weights, adding up to 1, of the residuals' shortest combination; `None` with fewer than two.
    fn weights(&self) -> Option<DVector<f64>> {
        let n = self.residuals.len();
        if n < 2 {
            return None;
        }
        let mut gram = DMatrix::from_fn(n, n, |i, j| dot(&self.residuals[i], &self.residuals[j]));
        let ridge = RIDGE * gram.trace();
        for k in 0..n {
            gram[(k, k)] += ridge;
        }
        let solved = gram.cholesky()?.solve(&DVector::from_element(n, 1.0));
        let sum = solved.sum();
        (sum.is_finite() && sum != 0.0).then(|| solved / sum)
    }

    fn combine(&self, weights: &DVector<f64>, x: &mut [[f64; D]]) {
        for (c, value) in x.iter_mut().enumerate() {
            *value = std::array::from_fn(|k| self.images.iter().zip(weights.iter()).map(|(g, w)| w * g[c][k]).sum());
        }
    }
}

impl<const D: usize> LocalSolver<D> for AcceleratedNlgs {
    fn name(&self) -> &'static str {
        "nlgs-anderson"
    }

    fn solve(&mut self, problem: &PreparedProblem<D>, r: &mut [[f64; D]], settings: &LocalSettings) -> SolveInfo {
        let sweeper = Sweeper::new(problem);
        let mut watch = Watch::new(settings, r);
        let most = settings.max_iterations.unwrap_or(DEFAULT_SWEEPS);
        let mut memory = Memory { images: Vec::new(), residuals: Vec::new() };
        let (mut x, mut u) = (r.to_vec(), vec![[0.0; D]; r.len()]);
        let mut mixed = x.clone();
        let mut done = 0;
        let mut look = |x: &[[f64; D]], watch: &mut Watch<D>| {
            problem.local().velocities_into(x, &mut u);
            let errors = problem.errors(x, &u);
            (watch.see(&errors, x), watch.measure(&errors))
        };
        let (mut content, _) = look(&x, &mut watch);
        while !content && done < most && !watch.out_of_time() {
            let mut image = x.clone();
            sweeper.sweep(problem, &mut image);
            sweeper.sweep_back(problem, &mut image);
            done += 2;
            let (plain_content, plain) = look(&image, &mut watch);
            content = plain_content;
            memory.push(image.clone(), &x);
            x = image;
            let Some(weights) = memory.weights() else { continue };
            memory.combine(&weights, &mut mixed);
            for (c, value) in mixed.iter_mut().enumerate() {
                *value = problem.local().cone(c).project(value);
            }
            let (mixed_content, error) = look(&mixed, &mut watch);
            content |= mixed_content;
            if error <= plain {
                x.copy_from_slice(&mixed);
            } else if error.is_nan() || error > 10.0 * plain {
                memory.images.clear();
                memory.residuals.clear();
            }
        }
        let updates = (done * r.len()) as u64;
        watch.finish(LocalSolver::<D>::name(self), problem, r, Status::MaxIterations, done, updates, Vec::new())
    }
}
