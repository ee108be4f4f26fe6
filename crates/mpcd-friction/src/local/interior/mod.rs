//! Interior-point method with the friction term inside Newton.
//!
//! In scaled variables (every cone the second-order cone L) find x, y ∈ int L with
//! `y − s(y) e = W x + q`, `x∘y = σμ e`, μ → 0, where `s(y)` is the sliding speed. Newton's step, eliminated to x:
//! `(W + Y C) dx = Y ρ + F`, `dy = ρ − C dx`, `Y = I − e ∇sᵀ`, `F = y − s e − W x − q`, with the linearised
//! complementarity `C dx + dy = ρ`. So the friction term costs one unsymmetric rank-one factor per contact in 3×3
//! algebra, and the system has the pattern of W, or of M + H Hᵀ.
//!
//! Acary, Armand, Nguyen and Shpakovych (2023) solve the same equations with s as an unknown and without elimination.

mod cone;
mod scaled;

use cone::{Scaling, arrow, determinant, inner, jordan, jordan_solve, longest_step, tangential};
use scaled::Scaled;

use super::block::Block;
use super::newton::NewtonSystem;
use super::prepared::PreparedProblem;
use super::settings::{LocalSettings, LocalSolver, Watch};
use super::small::{apply, identity, inverse, norm, product};
use crate::report::{SolveInfo, Status};

/// Experimental switches.
#[derive(Debug, Clone, Copy)]
pub struct InteriorPoint {
    /// Nesterov–Todd direction (else plain Jordan product).
    pub nt: bool,
    /// Smooth friction term.
    pub smooth: bool,
    /// print
    pub verbose: bool,
    /// start
    pub start: f64,
}

struct State<const D: usize> {
    x: Vec<[f64; D]>,
    y: Vec<[f64; D]>,
}

impl InteriorPoint {
    fn slide<const D: usize>(&self, y: &[f64; D]) -> (f64, [f64; D]) {
        let t = tangential(y);
        let mut g = [0.0; D];
        if self.smooth {
            let share = t / y[0];
            g[0] = -share * share;
            for k in 1..D {
                g[k] = 2.0 * y[k] / y[0];
            }
            (t * share, g)
        } else {
            if t > 0.0 {
                for k in 1..D {
                    g[k] = y[k] / t;
                }
            }
            (t, g)
        }
    }
}

impl<const D: usize> LocalSolver<D> for InteriorPoint {
    fn name(&self) -> &'static str {
        "interior"
    }

    fn solve(&mut self, problem: &PreparedProblem<D>, r: &mut [[f64; D]], settings: &LocalSettings) -> SolveInfo {
        let n = problem.contacts();
        let mut watch = Watch::new(settings, r);
        let mut scaled = Scaled::new(problem);
        let mut system = NewtonSystem::new(&scaled.w, scaled.bodies.take());
        let mut e = [0.0; D];
        e[0] = 1.0;
        let mut st = State { x: vec![e.map(|v| v * self.start); n], y: vec![e.map(|v| v * self.start); n] };
        let mut physical = r.to_vec();
        let mut u = physical.clone();
        let most = settings.max_iterations.unwrap_or(200);
        let mut iterations = 0;
        let (mut ca, mut cb) = (vec![identity::<D>(); n], vec![identity::<D>(); n]);
        let (mut dx, mut rho) = (Vec::new(), vec![[0.0; D]; n]);
        loop {
            scaled.impulses(&st.x, &mut physical);
            problem.local().velocities_into(&physical, &mut u);
            let errors = problem.errors(&physical, &u);
            let mu = st.x.iter().zip(&st.y).map(|(x, y)| inner(x, y)).sum::<f64>() / n as f64;
            let done = watch.see(&errors, &physical);
            let mut f = vec![[0.0; D]; n];
            let mut rhs = f.clone();
            let mut ys: Vec<Block<D>> = Vec::with_capacity(n);
            let mut cs: Vec<Block<D>> = Vec::with_capacity(n);
            for c in 0..n {
                let (s, g) = self.slide(&st.y[c]);
                let lin = scaled.w.row_product(c, &st.x);
                for k in 0..D {
                    f[c][k] = st.y[c][k] - lin[k] - scaled.q[c][k];
                }
                f[c][0] -= s;
                let mut y = identity::<D>();
                for k in 0..D {
                    y[0][k] -= g[k];
                }
                ys.push(y);
            }
            if self.verbose {
                eprintln!("{iterations:4} mu {mu:.3e} F {:.3e} sico {:.3e} scaled {:.3e}", norm(&f), errors.siconos, errors.scaled);
            }
            if done || iterations >= most || watch.out_of_time() {
                break;
            }
            let mut scalings = Vec::new();
            for c in 0..n {
                let cm = if self.nt {
                    let s = Scaling::new(&st.x[c], &st.y[c]);
                    scalings.push(s);
                    s.square
                } else {
                    match inverse(&arrow(&st.x[c])) {
                        Some(i) => product(&i, &arrow(&st.y[c])),
                        None => identity(),
                    }
                };
                cb[c] = product(&ys[c], &cm);
                cs.push(cm);
                ca[c] = identity();
            }
            system.factorise(&scaled.w, &ca, &cb);
            let mut dy = vec![[0.0; D]; n];
            let mut sigma = 0.0;
            let mut alpha = 0.0;
            let mut lin_res = 0.0;
            for pass in 0..2 {
                for c in 0..n {
                    let (x, y) = (&st.x[c], &st.y[c]);
                    rho[c] = if pass == 0 {
                        if self.nt { y.map(|v| -v) } else { jordan_solve(x, &jordan(x, y).map(|v| -v)) }
                    } else if self.nt {
                        let s = &scalings[c];
                        let l = apply(&s.matrix, x);
                        let a = apply(&s.matrix, &dx[c]);
                        let b = apply(&s.inverse, &dy[c]);
                        let (ll, ab) = (jordan(&l, &l), jordan(&a, &b));
                        let mut t: [f64; D] = std::array::from_fn(|k| -ll[k] - ab[k]);
                        t[0] += sigma * mu;
                        apply(&s.matrix, &jordan_solve(&l, &t))
                    } else {
                        let (ll, ab) = (jordan(x, y), jordan(&dx[c], &dy[c]));
                        let mut t: [f64; D] = std::array::from_fn(|k| -ll[k] - ab[k]);
                        t[0] += sigma * mu;
                        jordan_solve(x, &t)
                    };
                    rhs[c] = apply(&ys[c], &rho[c]);
                    for k in 0..D {
                        rhs[c][k] += f[c][k];
                    }
                }
                lin_res = system.solve(&scaled.w, &rhs, &mut dx);
                for c in 0..n {
                    let cd = apply(&cs[c], &dx[c]);
                    for k in 0..D {
                        dy[c][k] = rho[c][k] - cd[k];
                    }
                }
                alpha = 1e30_f64;
                for c in 0..n {
                    alpha = alpha.min(longest_step(&st.x[c], &dx[c])).min(longest_step(&st.y[c], &dy[c]));
                }
                if pass == 0 {
                    alpha = alpha.min(1.0);
                    let mut after = 0.0;
                    for c in 0..n {
                        let a: [f64; D] = std::array::from_fn(|k| st.x[c][k] + alpha * dx[c][k]);
                        let b: [f64; D] = std::array::from_fn(|k| st.y[c][k] + alpha * dy[c][k]);
                        after += inner(&a, &b);
                    }
                    sigma = (after / n as f64 / mu).clamp(0.0, 1.0).powi(3);
                    
                }
            }
            let alpha = (0.99 * alpha).min(1.0);
            if self.verbose {
                eprintln!("       sigma {sigma:.2e} alpha {alpha:.3e} lin {lin_res:.1e} {}", system.describe());
            }
            if !(alpha > 1e-12) {
                break;
            }
            for c in 0..n {
                for k in 0..D {
                    st.x[c][k] += alpha * dx[c][k];
                    st.y[c][k] += alpha * dy[c][k];
                }
                debug_assert!(determinant(&st.x[c]) >= 0.0 || true);
            }
            iterations += 1;
        }
        watch.finish(LocalSolver::<D>::name(self), problem, r, Status::Stalled, iterations, 0, Vec::new())
    }
}
