//! The curve of solutions (r, ln α): its equation, Newton's matrix there, its direction, and the distance to the next change of a
//! contact's status. Which steps are made along it is the business of the walk.

use super::super::Reformulation;
use super::super::functions::Linearised;
use crate::cone::tangential_norm;
use crate::error::natural_step;
use crate::local::block::Block;
use crate::local::newton::NewtonSystem;
use crate::local::prepared::PreparedProblem;
use crate::local::settings::Watch;

/// A point of the curve, or a step along it: impulses and ln α.
#[derive(Debug, Clone)]
pub(super) struct Point<const D: usize> {
    pub(super) r: Vec<[f64; D]>,
    pub(super) ln: f64,
}

impl<const D: usize> Point<D> {
    pub(super) fn moved(&self, share: f64, by: &Self) -> Self {
        let r = self.r.iter().zip(&by.r).map(|(x, y)| std::array::from_fn(|k| x[k] + share * y[k])).collect();
        Self { r, ln: self.ln + share * by.ln }
    }
}

/// The equation and its blocks at a point, and whether each contact is open (0), sticks (1) or slides (2).
pub(super) struct Values<const D: usize> {
    pub(super) values: Vec<[f64; D]>,
    pub(super) statuses: Vec<u8>,
    blocks: Vec<Linearised<D>>,
}

/// Newton's matrix at a point, solved.
pub(super) struct Solved<const D: usize> {
    /// Newton's step at this α.
    pub(super) step: Vec<[f64; D]>,
    /// dr/dln α along the curve.
    slope: Vec<[f64; D]>,
    /// Sign of the determinant.
    pub(super) sign: f64,
}

pub(super) struct Path<'a, const D: usize> {
    reformulation: Reformulation,
    problem: &'a PreparedProblem<D>,
    system: &'a mut NewtonSystem<D>,
    pub(super) centre: Vec<[f64; D]>,
    /// 1/ρ of each contact.
    firm: Vec<f64>,
    /// Sign of the determinant where α falls.
    falls: f64,
    /// Weight of impulses against ln α in lengths.
    weight: f64,
    pub(super) factorised: usize,
    /// The statuses for which Newton's matrix was solved last.
    pub(super) statuses: Vec<u8>,
    u: Vec<[f64; D]>,
    a: Vec<Block<D>>,
    b: Vec<Block<D>>,
}

impl<'a, const D: usize> Path<'a, D> {
    pub(super) fn new(
        reformulation: Reformulation,
        problem: &'a PreparedProblem<D>,
        system: &'a mut NewtonSystem<D>,
        centre: Vec<[f64; D]>,
    ) -> Self {
        let n = problem.contacts();
        Self {
            reformulation,
            problem,
            system,
            centre,
            firm: (0..n).map(|c| 1.0 / natural_step(problem.lambda_max(c))).collect(),
            falls: 1.0,
            weight: 1.0,
            factorised: 0,
            statuses: Vec::new(),
            u: vec![[0.0; D]; n],
            a: Vec::new(),
            b: Vec::new(),
        }
    }

    fn product(&self, x: &[[f64; D]], y: &[[f64; D]]) -> f64 {
        x.iter().zip(y).zip(&self.firm).map(|((x, y), f)| f * (0..D).map(|k| x[k] * y[k]).sum::<f64>()).sum()
    }

    pub(super) fn dot(&self, x: &Point<D>, y: &Point<D>) -> f64 {
        self.weight * self.product(&x.r, &y.r) + x.ln * y.ln
    }

    pub(super) fn size(&self, x: &Point<D>) -> f64 {
        self.dot(x, x).sqrt()
    }

    pub(super) fn unit(&self, x: Point<D>) -> Point<D> {
        let size = self.size(&x);
        Point { r: x.r.iter().map(|x| x.map(|x| x / size)).collect(), ln: x.ln / size }
    }

    /// r − c.
    pub(super) fn offset(&self, r: &[[f64; D]]) -> Vec<[f64; D]> {
        r.iter().zip(&self.centre).map(|(x, y)| std::array::from_fn(|k| x[k] - y[k])).collect()
    }

    /// Measures impulses by the distance of `r` from the centre, or by a hundred millionth of all impulses.
    pub(super) fn weigh(&mut self, r: &[[f64; D]]) {
        let moved = self.offset(r);
        let least = 1e-16 * self.product(&self.centre, &self.centre);
        self.weight = 1.0 / self.product(&moved, &moved).max(least).max(f64::MIN_POSITIVE);
    }

    /// α falls where the determinant has this sign.
    pub(super) const fn starts_with(&mut self, sign: f64) {
        self.falls = sign;
    }

    /// r − ρ (u + α (r − c)/ρ) of a contact.
    fn pushed(&self, c: usize, r: &[f64; D], u: &[f64; D]) -> [f64; D] {
        let rho = natural_step(self.problem.lambda_max(c));
        std::array::from_fn(|k| r[k] - rho * u[k])
    }

    pub(super) fn linearise(&mut self, at: &Point<D>) -> Values<D> {
        let local = self.problem.local();
        local.velocities_into(&at.r, &mut self.u);
        let alpha = at.ln.exp();
        let n = at.r.len();
        let mut all = Values { values: Vec::with_capacity(n), statuses: Vec::with_capacity(n), blocks: Vec::with_capacity(n) };
        for (c, r) in at.r.iter().enumerate() {
            let (mu, rho, firm) = (local.friction[c], natural_step(self.problem.lambda_max(c)), alpha * self.firm[c]);
            let u = std::array::from_fn(|k| self.u[c][k] + firm * (r[k] - self.centre[c][k]));
            let x = self.pushed(c, r, &u);
            let slides = tangential_norm(&x) > mu * x[0];
            all.statuses.push(if x[0] > 0.0 { 1 + u8::from(slides) } else { 0 });
            let one = self.reformulation.linearise(mu, rho, r, &u);
            all.values.push(one.value);
            all.blocks.push(one);
        }
        all
    }

    /// Factorises Newton's matrix once, and solves it for the residual and for ln α.
    pub(super) fn solve(&mut self, at: &Point<D>, lin: &Values<D>) -> Solved<D> {
        let alpha = at.ln.exp();
        self.a.clear();
        self.b.clear();
        let mut by_ln = Vec::with_capacity(lin.blocks.len());
        for (c, one) in lin.blocks.iter().enumerate() {
            let firm = alpha * self.firm[c];
            let mut block = one.b;
            let mut change = [0.0; D];
            for i in 0..D {
                for j in 0..D {
                    block[i][j] += firm * one.a[i][j];
                    change[i] -= firm * one.a[i][j] * (at.r[c][j] - self.centre[c][j]);
                }
            }
            self.a.push(one.a);
            self.b.push(block);
            by_ln.push(change);
        }
        self.system.factorise(self.problem, &self.a, &self.b);
        self.statuses.clone_from(&lin.statuses);
        self.factorised += 1;
        let rhs: Vec<[f64; D]> = lin.values.iter().map(|v| v.map(|x| -x)).collect();
        let (mut step, mut slope) = (Vec::new(), Vec::new());
        self.system.solve(self.problem, &rhs, &mut step);
        self.system.solve(self.problem, &by_ln, &mut slope);
        Solved { step, slope, sign: self.system.sign() }
    }

    /// The unit direction in which the curve goes on.
    pub(super) fn on(&self, solved: &Solved<D>) -> Point<D> {
        let way = -solved.sign * self.falls;
        let length = (self.weight * self.product(&solved.slope, &solved.slope) + 1.0).sqrt();
        Point { r: solved.slope.iter().map(|v| v.map(|x| way * x / length)).collect(), ln: way / length }
    }

    pub(super) fn solved_on(&mut self, at: &Point<D>, lin: &Values<D>) -> Point<D> {
        let solved = self.solve(at, lin);
        self.on(&solved)
    }

    /// Newton's step to the curve in the plane across `direction`, `missing` further on.
    pub(super) fn across(&self, solved: &Solved<D>, direction: &Point<D>, missing: f64) -> Point<D> {
        let along = self.weight * self.product(&direction.r, &solved.step);
        let ln = (missing - along) / (direction.ln + self.weight * self.product(&direction.r, &solved.slope));
        let r = solved.step.iter().zip(&solved.slope).map(|(x, y)| std::array::from_fn(|k| x[k] + ln * y[k])).collect();
        Point { r, ln }
    }

    /// Length from a point in a unit direction to the first change of a status, to first order in the direction.
    pub(super) fn change(&mut self, at: &Point<D>, direction: &Point<D>) -> f64 {
        let local = self.problem.local();
        let alpha = at.ln.exp();
        local.velocities_into(&at.r, &mut self.u);
        let du = local.velocities(&direction.r);
        let mut least = f64::INFINITY;
        for (c, (r, dr)) in at.r.iter().zip(&direction.r).enumerate() {
            let (q, firm) = (&local.free_velocity[c], alpha * self.firm[c]);
            let gone: [f64; D] = std::array::from_fn(|k| r[k] - self.centre[c][k]);
            let x = self.pushed(c, r, &std::array::from_fn(|k| self.u[c][k] + firm * gone[k]));
            let change = std::array::from_fn(|k| du[c][k] - q[k] + firm * (dr[k] + gone[k] * direction.ln));
            let dx = self.pushed(c, dr, &change);
            let mut meet = |length: f64| {
                if length > 0.0 && length < least {
                    least = length;
                }
            };
            meet(-x[0] / dx[0]);
            if x[0] > 0.0 {
                // ‖x_t‖ = μ x_n
                let mu2 = local.friction[c] * local.friction[c];
                let form = |x: &[f64; D], y: &[f64; D]| (1..D).map(|k| x[k] * y[k]).sum::<f64>() - mu2 * x[0] * y[0];
                let (a, b, c) = (form(&dx, &dx), form(&x, &dx), form(&x, &x));
                let sum = -(b + (b * b - a * c).sqrt().copysign(b));
                meet(sum / a);
                meet(c / sum);
            }
        }
        least
    }

    /// Shows a point to the watch, as a solution of the problem itself.
    pub(super) fn show(&mut self, at: &Point<D>, watch: &mut Watch<D>) {
        self.problem.local().velocities_into(&at.r, &mut self.u);
        watch.see(&self.problem.errors(&at.r, &self.u), &at.r);
    }
}
