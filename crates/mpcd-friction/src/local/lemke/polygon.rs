//! Coulomb's law with a friction polygon as a linear complementarity problem; nothing about its solution.
//!
//! Per contact `0 ≤ u_n ⊥ r_n ≥ 0`, `0 ≤ u_t·d_j + λ ⊥ β_j ≥ 0`, `0 ≤ μ r_n − Σβ_j ⊥ λ ≥ 0`, `r_t = Σ β_j d_j`, the unit vectors d_j
//! pointing to the corners, wherever on the circle these are. λ is the sliding speed. In the plane the corners are ±1 and this is Coulomb's law. Impulses and
//! velocities are scaled contact by contact by √ρ_c, so that the diagonal is about one.

use std::f64::consts::{PI, TAU};

use nalgebra::{DMatrix, DVector};

use crate::error::natural_step;
use crate::local::prepared::PreparedProblem;

/// The polygons of all contacts and where their unknowns lie.
pub(super) struct Polygons {
    corners: usize,
    /// Per contact, the direction that matters and the angle between the corners of the fan around it; at first none is known
    /// and the polygons are even.
    fans: Vec<Option<Fan>>,
    /// First unknown of each contact, and the end.
    place: Vec<usize>,
}

/// Corners close together around a direction; three others keep the polygon around the disc's centre.
#[derive(Clone, Copy)]
struct Fan {
    angle: f64,
    spread: f64,
}

/// Corners that stay out of the fan.
const COARSE: usize = 3;
/// What the spread of a fan is multiplied with where the direction was inside, and where it was not.
const CLOSE: f64 = 0.4;
const OPEN: f64 = 2.0;

/// A contact takes part where impulses act on it.
fn width<const D: usize>(problem: &PreparedProblem<D>, contact: usize, corners: usize) -> usize {
    if problem.local().delassus.diagonal(contact)[0][0] <= 0.0 {
        0
    } else if problem.local().friction[contact] > 0.0 {
        corners + 2
    } else {
        1
    }
}

/// Complementary pairs of the problem.
pub(super) fn pairs<const D: usize>(problem: &PreparedProblem<D>, corners: usize) -> usize {
    (0..problem.contacts()).map(|c| width(problem, c, corners)).sum()
}

impl Polygons {
    pub(super) fn new<const D: usize>(problem: &PreparedProblem<D>, corners: usize) -> Self {
        let mut place = vec![0];
        for c in 0..problem.contacts() {
            place.push(place[c] + width(problem, c, corners));
        }
        Self { corners, fans: vec![None; problem.contacts()], place }
    }

    fn size(&self) -> usize {
        self.place[self.place.len() - 1]
    }

    /// Half the angle that a fan covers, in units of its spread.
    fn half(&self) -> f64 {
        0.5 * (self.corners - COARSE - 1) as f64
    }

    /// Moves the fans: against the sliding of contacts that slide, along the friction of the others.
    pub(super) fn fan<const D: usize>(&mut self, problem: &PreparedProblem<D>, r: &[[f64; D]], u: &[[f64; D]]) {
        if D == 2 {
            return;
        }
        let even = TAU / self.corners as f64;
        for c in 0..r.len() {
            let speed = u[c][1].hypot(u[c][2]);
            let pull = r[c][1].hypot(r[c][2]) / natural_step(problem.lambda_max(c));
            // rounding must not choose the direction
            let toward = if speed > 1e-12 * pull { [-u[c][1], -u[c][2]] } else { [r[c][1], r[c][2]] };
            if toward == [0.0, 0.0] {
                continue;
            }
            let angle = toward[1].atan2(toward[0]);
            let spread = self.fans[c].map_or(even / self.half(), |old| {
                let off = (angle - old.angle + PI).rem_euclid(TAU) - PI;
                let inside = off.abs() < old.spread * self.half();
                (old.spread * if inside { CLOSE } else { OPEN }).min(even)
            });
            self.fans[c] = Some(Fan { angle, spread });
        }
    }

    /// Direction of a corner, as a local vector.
    fn corner<const D: usize>(&self, contact: usize, corner: usize) -> [f64; D] {
        let mut direction = [0.0; D];
        if D == 2 {
            direction[1] = if corner == 0 { 1.0 } else { -1.0 };
        } else {
            let angle = match self.fans[contact] {
                None => TAU * corner as f64 / self.corners as f64,
                Some(fan) if corner < COARSE => fan.angle + 0.25 * TAU * (corner + 1) as f64,
                Some(fan) => fan.angle + fan.spread * ((corner - COARSE) as f64 - self.half()),
            };
            (direction[1], direction[2]) = (angle.cos(), angle.sin());
        }
        direction
    }

    /// The local vectors that the contact's unknowns but λ multiply: the normal, then the corners.
    fn directions<const D: usize>(&self, contact: usize) -> Vec<[f64; D]> {
        let count = self.place[contact + 1] - self.place[contact];
        let mut normal = [0.0; D];
        normal[0] = 1.0;
        let corners = (0..count.saturating_sub(2)).map(|k| self.corner(contact, k));
        (count > 0).then_some(normal).into_iter().chain(corners).collect()
    }

    /// The matrix of the problem.
    pub(super) fn matrix<const D: usize>(&self, problem: &PreparedProblem<D>) -> DMatrix<f64> {
        let local = problem.local();
        let mut matrix = DMatrix::zeros(self.size(), self.size());
        let all: Vec<Vec<[f64; D]>> = (0..problem.contacts()).map(|c| self.directions(c)).collect();
        for c in 0..problem.contacts() {
            for (d, block) in local.delassus.row(c) {
                let factor = (natural_step(problem.lambda_max(c)) * natural_step(problem.lambda_max(d))).sqrt();
                for (i, left) in all[c].iter().enumerate() {
                    for (j, right) in all[d].iter().enumerate() {
                        let value: f64 = (0..D).map(|k| left[k] * (0..D).map(|l| block[k][l] * right[l]).sum::<f64>()).sum();
                        matrix[(self.place[c] + i, self.place[d] + j)] += factor * value;
                    }
                }
            }
            if all[c].len() > 1 {
                let (first, last) = (self.place[c], self.place[c + 1] - 1);
                matrix[(last, first)] = local.friction[c];
                for corner in first + 1..last {
                    matrix[(last, corner)] = -1.0;
                    matrix[(corner, last)] = 1.0;
                }
            }
        }
        matrix
    }

    /// The vector of the problem.
    pub(super) fn free<const D: usize>(&self, problem: &PreparedProblem<D>) -> DVector<f64> {
        let mut free = DVector::zeros(self.size());
        for (c, q) in problem.local().free_velocity.iter().enumerate() {
            let factor = natural_step(problem.lambda_max(c)).sqrt();
            for (i, direction) in self.directions::<D>(c).iter().enumerate() {
                free[self.place[c] + i] = factor * (0..D).map(|k| direction[k] * q[k]).sum::<f64>();
            }
        }
        free
    }

    /// The impulses of a solution.
    pub(super) fn impulses<const D: usize>(&self, problem: &PreparedProblem<D>, z: &[f64]) -> Vec<[f64; D]> {
        (0..problem.contacts())
            .map(|c| {
                let factor = natural_step(problem.lambda_max(c)).sqrt();
                let mut r = [0.0; D];
                for (i, direction) in self.directions::<D>(c).iter().enumerate() {
                    for k in 0..D {
                        r[k] += factor * z[self.place[c] + i] * direction[k];
                    }
                }
                r
            })
            .collect()
    }
}
