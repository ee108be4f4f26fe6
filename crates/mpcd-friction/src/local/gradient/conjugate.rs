//! Conjugate projected gradient (Renouf and Alart 2005; Dubois–Renouf, *Contact Solvers*) on half lines and discs of given
//! radius, with the outer fixed point on the radii μ r_n that makes it Coulomb's law.
//!
//! A direction is the gradient, projected on what the active constraints allow, made conjugate to the last direction,
//! projected likewise; the step along it is exact and its end is projected. Where that has raised the energy (the set
//! of active constraints changed), a plain projected step is taken, short enough to lower it whatever W is.

use super::{DEFAULT_ITERATIONS, LOOK_EVERY, OUTER_SHARE, metric, size};
use crate::cone::tangential_norm;
use crate::local::prepared::PreparedProblem;
use crate::local::settings::{LocalSettings, LocalSolver, Watch};
use crate::local::small::{dot, norm};
use crate::report::{SolveInfo, Status};

/// On the rim of a disc: this near, relative to its radius.
const RIM: f64 = 1e-12;

/// The conjugate projected gradient method.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ConjugateProjectedGradient;

/// Projection on `{r_n ≥ 0, ‖r_t‖ ≤ radius}`.
fn project<const D: usize>(radius: f64, x: &[f64; D]) -> [f64; D] {
    let mut p = *x;
    p[0] = p[0].max(0.0);
    let tangential = tangential_norm(x);
    if tangential > radius {
        for value in &mut p[1..] {
            *value *= radius / tangential;
        }
    }
    p
}

/// The part of a direction that the constraints active at `r` allow, where the gradient `u` presses against them.
fn allowed<const D: usize>(radius: f64, r: &[f64; D], u: &[f64; D], direction: &[f64; D]) -> [f64; D] {
    let mut p = *direction;
    if r[0] <= 0.0 && u[0] > 0.0 {
        p[0] = 0.0;
    }
    let size = tangential_norm(r);
    if radius == 0.0 {
        p[1..].fill(0.0);
    } else if size >= radius * (1.0 - RIM) {
        let along = |x: &[f64; D]| (1..D).map(|k| x[k] * r[k]).sum::<f64>() / size;
        if along(u) < 0.0 {
            let out = along(&p);
            for k in 1..D {
                p[k] -= out * r[k] / size;
            }
        }
    }
    p
}

/// A direction and its product by W.
type Direction<const D: usize> = (Vec<[f64; D]>, Vec<[f64; D]>);

struct State<'a, const D: usize> {
    problem: &'a PreparedProblem<D>,
    metric: Vec<f64>,
    curvature: f64,
    radii: Vec<f64>,
    r: Vec<[f64; D]>,
    u: Vec<[f64; D]>,
    /// `None` after a restart.
    last: Option<Direction<D>>,
}

impl<const D: usize> State<'_, D> {
    fn map(&self, f: impl Fn(usize) -> [f64; D]) -> Vec<[f64; D]> {
        (0..self.r.len()).map(f).collect()
    }

    fn radius(&self, c: usize) -> f64 {
        self.problem.local().friction[c] * self.r[c][0].max(0.0)
    }

    fn residual(&self, radii: &[f64]) -> f64 {
        size::<D>(self.r.len(), |c| {
            let (r, u) = (&self.r[c], &self.u[c]);
            let p: [f64; D] = project(radii[c], &std::array::from_fn(|k| r[k] - u[k] / self.metric[c]));
            std::array::from_fn(|k| r[k] - p[k])
        })
    }

    /// Moves to `new`, unless that raises the energy; `½ (u + u')·(r' − r)` is its change without cancellation.
    fn accept(&mut self, new: Vec<[f64; D]>, always: bool) -> bool {
        let mut u = self.u.clone();
        self.problem.local().velocities_into(&new, &mut u);
        let rise: f64 =
            (0..new.len()).map(|c| (0..D).map(|k| (self.u[c][k] + u[c][k]) * (new[c][k] - self.r[c][k])).sum::<f64>()).sum();
        let good = always || rise < 0.0;
        if good {
            (self.r, self.u) = (new, u);
        }
        good
    }

    fn step(&mut self) {
        let descent = self.map(|c| {
            let down = self.u[c].map(|v| -v / self.metric[c]);
            allowed(self.radii[c], &self.r[c], &self.u[c], &down)
        });
        let mut direction = descent;
        if let Some((last, w_last)) = &self.last {
            let bend = dot(last, w_last);
            let beta = if bend > 0.0 { -dot(&direction, w_last) / bend } else { 0.0 };
            let kept = self.map(|c| allowed(self.radii[c], &self.r[c], &self.u[c], &last[c]));
            for (d, k) in direction.iter_mut().flatten().zip(kept.iter().flatten()) {
                *d += beta * k;
            }
        }
        let mut product = vec![[0.0; D]; self.r.len()];
        self.problem.local().delassus.multiply(&direction, &mut product);
        let (slope, bend) = (-dot(&self.u, &direction), dot(&direction, &product));
        if slope > 0.0 && bend > 0.0 {
            let alpha = slope / bend;
            let new = self.map(|c| project(self.radii[c], &std::array::from_fn(|k| self.r[c][k] + alpha * direction[c][k])));
            if self.accept(new, false) {
                self.last = Some((direction, product));
                return;
            }
        }
        self.last = None;
        let new = self.map(|c| {
            let length = 1.0 / (self.curvature * self.metric[c]);
            project(self.radii[c], &std::array::from_fn(|k| self.r[c][k] - length * self.u[c][k]))
        });
        self.accept(new, true);
    }
}

impl<const D: usize> LocalSolver<D> for ConjugateProjectedGradient {
    fn name(&self) -> &'static str {
        "cpg"
    }

    fn solve(&mut self, problem: &PreparedProblem<D>, r: &mut [[f64; D]], settings: &LocalSettings) -> SolveInfo {
        let (local, n) = (problem.local(), problem.contacts());
        let mut watch = Watch::new(settings, r);
        let most = settings.max_iterations.unwrap_or(DEFAULT_ITERATIONS);
        // W ≤ (blocks of a row) · λ_max(W_cc), see `Jacobi`
        let curvature = (0..n).map(|c| local.delassus.coupled(c)).max().unwrap_or(1) as f64;
        let mut state = State {
            problem,
            metric: metric(problem),
            curvature,
            radii: vec![0.0; n],
            r: r.to_vec(),
            u: local.velocities(r),
            last: None,
        };
        state.radii = (0..n).map(|c| state.radius(c)).collect();
        let (mut done, mut status) = (0, Status::MaxIterations);
        loop {
            if done % LOOK_EVERY == 0 || done == most {
                if watch.see(&problem.errors(&state.r, &state.u), &state.r) || done >= most || watch.out_of_time() {
                    break;
                }
                let next: Vec<f64> = (0..n).map(|c| state.radius(c)).collect();
                if state.residual(&state.radii) <= OUTER_SHARE * state.residual(&next) {
                    state.radii = next;
                    let inside = state.map(|c| project(state.radii[c], &state.r[c]));
                    state.accept(inside, true);
                    state.last = None;
                }
            }
            state.step();
            if !norm(&state.r).is_finite() {
                status = Status::Stalled;
                break;
            }
            done += 1;
        }
        watch.finish(LocalSolver::<D>::name(self), problem, r, status, done, 0, Vec::new())
    }
}
