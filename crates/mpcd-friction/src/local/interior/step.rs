//! One step of the interior-point method: residuals, scalings, predictor and corrector, step length.

use super::cone::{Scaling, determinant, inner, jordan, jordan_solve, longest_step, tangential};
use super::scale::Scale;
use crate::local::block::Block;
use crate::local::newton::NewtonSystem;
use crate::local::prepared::PreparedProblem;
use crate::local::small::{apply, identity, norm, product};

/// μ is held while ‖F‖/μ is this much above its first value: the path is left where complementarity runs ahead of the
/// equations.
const BALANCE: f64 = 100.0;

/// The iterate with the memory of a step.
pub(super) struct Iterate<const D: usize> {
    pub(super) x: Vec<[f64; D]>,
    y: Vec<[f64; D]>,
    dx: Vec<[f64; D]>,
    dy: Vec<[f64; D]>,
    rho: Vec<[f64; D]>,
    rhs: Vec<[f64; D]>,
    residual: Vec<[f64; D]>,
    scalings: Vec<Scaling<D>>,
    friction: Vec<Block<D>>,
    a: Vec<Block<D>>,
    b: Vec<Block<D>>,
    complementarity: f64,
    first_ratio: Option<f64>,
}

impl<const D: usize> Iterate<D> {
    pub(super) fn new(contacts: usize, start: f64) -> Self {
        let mut e = [0.0; D];
        e[0] = start;
        let zero = vec![[0.0; D]; contacts];
        Self {
            x: vec![e; contacts],
            y: vec![e; contacts],
            dx: zero.clone(),
            dy: zero.clone(),
            rho: zero.clone(),
            rhs: zero.clone(),
            residual: zero,
            scalings: Vec::new(),
            friction: vec![identity(); contacts],
            a: vec![identity(); contacts],
            b: vec![identity(); contacts],
            complementarity: 0.0,
            first_ratio: None,
        }
    }

    /// Residual F and scaling points at the iterate, whose physical velocities are `u`.
    pub(super) fn linearise(&mut self, scale: &Scale<D>, u: &[[f64; D]]) {
        self.scalings.clear();
        let mut sum = 0.0;
        for c in 0..self.x.len() {
            let (x, y) = (&self.x[c], &self.y[c]);
            let linear = scale.velocity(c, &u[c]);
            self.residual[c] = std::array::from_fn(|k| y[k] - linear[k]);
            self.residual[c][0] -= tangential(y);
            self.scalings.push(Scaling::new(x, y));
            sum += inner(x, y);
        }
        self.complementarity = sum / self.x.len().max(1) as f64;
        let ratio = norm(&self.residual) / self.complementarity;
        self.first_ratio.get_or_insert(ratio);
    }

    /// Predictor and corrector with the share θ of the friction term's derivative; returns the longest step.
    pub(super) fn direction(
        &mut self,
        problem: &PreparedProblem<D>,
        scale: &Scale<D>,
        system: &mut NewtonSystem<D>,
        share: f64,
    ) -> f64 {
        for c in 0..self.x.len() {
            self.friction[c] = friction_factor(&self.y[c], share);
            let block = product(&self.friction[c], &self.scalings[c].square);
            (self.a[c], self.b[c]) = scale.blocks(c, &block);
        }
        system.factorise(problem, &self.a, &self.b);
        for c in 0..self.x.len() {
            self.rho[c] = self.y[c].map(|v| -v);
        }
        self.solve(problem, scale, system);
        let target = self.centring(self.step_length().min(1.0));
        for c in 0..self.x.len() {
            let s = &self.scalings[c];
            let (point, dx, dy) = (apply(&s.matrix, &self.x[c]), apply(&s.matrix, &self.dx[c]), apply(&s.inverse, &self.dy[c]));
            let (square, second) = (jordan(&point, &point), jordan(&dx, &dy));
            let mut aim: [f64; D] = std::array::from_fn(|k| -square[k] - second[k]);
            aim[0] += target;
            self.rho[c] = apply(&s.matrix, &jordan_solve(&point, &aim));
        }
        self.solve(problem, scale, system);
        self.step_length()
    }

    /// The complementarity to aim at after an affine step of this length (Mehrotra's rule).
    fn centring(&self, length: f64) -> f64 {
        let after: f64 = (0..self.x.len())
            .map(|c| {
                let x: [f64; D] = std::array::from_fn(|k| self.x[c][k] + length * self.dx[c][k]);
                let y: [f64; D] = std::array::from_fn(|k| self.y[c][k] + length * self.dy[c][k]);
                inner(&x, &y)
            })
            .sum();
        let mu = self.complementarity;
        let sigma = (after / (self.x.len() as f64 * mu)).clamp(0.0, 1.0).powi(3);
        let ahead = self.first_ratio.is_some_and(|first| norm(&self.residual) > BALANCE * first * mu);
        if ahead { mu } else { sigma * mu }
    }

    fn solve(&mut self, problem: &PreparedProblem<D>, scale: &Scale<D>, system: &mut NewtonSystem<D>) {
        for c in 0..self.x.len() {
            let turned = apply(&self.friction[c], &self.rho[c]);
            self.rhs[c] = std::array::from_fn(|k| turned[k] + self.residual[c][k]);
        }
        system.solve(problem, &self.rhs, &mut self.dx);
        scale.unscale(&mut self.dx);
        for c in 0..self.x.len() {
            let linear = apply(&self.scalings[c].square, &self.dx[c]);
            self.dy[c] = std::array::from_fn(|k| self.rho[c][k] - linear[k]);
        }
    }

    fn step_length(&self) -> f64 {
        let mut length = f64::INFINITY;
        for c in 0..self.x.len() {
            length = length.min(longest_step(&self.x[c], &self.dx[c])).min(longest_step(&self.y[c], &self.dy[c]));
        }
        length
    }

    /// Takes the step; false where rounding pushed an iterate out of its cone.
    pub(super) fn advance(&mut self, length: f64) -> bool {
        for c in 0..self.x.len() {
            for k in 0..D {
                self.x[c][k] += length * self.dx[c][k];
                self.y[c][k] += length * self.dy[c][k];
            }
        }
        self.x.iter().chain(&self.y).all(|v| v[0] > 0.0 && determinant(v) > 0.0)
    }
}

/// `Y = I − θ e ∇sᵀ`, s = ‖y_t‖.
fn friction_factor<const D: usize>(y: &[f64; D], share: f64) -> Block<D> {
    let mut factor = identity::<D>();
    let slide = tangential(y);
    if slide > 0.0 {
        for k in 1..D {
            factor[0][k] = -share * y[k] / slide;
        }
    }
    factor
}
