//! The heat of the pore fluid over one step, on plain arrays: carried with the fluid, conducted in it, exchanged with grains whose temperatures answer
//! within the step. No bodies and no fields here.
//!
//! # The balance
//! With c the specific heat, m the fluid of a cell (kg), ϑ the rise over a temperature of reference, F the mass through a face over the step,
//!
//! c m₁ϑ₁ − c m₀ϑ₀ + Σ_faces ± q − Σ_grains Q = made,   q = c F ϑ_up + K B(|P|) (ϑ_below − ϑ_above),   P = c F/K, B(x) = x/(eˣ − 1).
//!
//! K is what the face conducts. The flux q is that of the exact solution between two cells of steady flow with conduction (Scharfetter and Gummel
//! 1969): centred where |P| is small, upwind where it is large, and never with an overshoot. Above |P| = 2 it is as if the fluid conducted more, by
//! K (½P coth ½P − 1) ≈ ½ c |F|: fronts are smeared over √(u Δx t). m₁ is m₀ less the sums of F, so that fluid of one temperature keeps it to
//! rounding; where the pressure is solved less finely, the difference is a line of the book.
//!
//! A grain of heat capacity C that is one with the cells by the parts w_c and exchanges G w_c with each has
//! C (T₁ − T₀) = h Σ G w_c (ϑ_c − T), both weighted by θ between start and end. T₁ is eliminated, so that the exchange is implicit whatever the
//! ratio of h to C/G and to c m/G. At θ = 1 no temperature leaves the range of those at the start, at the ends and of the grains (the
//! matrix is an M-matrix), however long the step.
//!
//! At last one shift of all temperatures makes the sum of the balances exact: the book closes to rounding, not to the tolerance of the solve.

use mpcd_core::Status;
use mpcd_sparse::{CgParams, CgStatus};

use crate::{
    error::DarcyError,
    grid::{FaceField, Grid},
};

pub mod film;
pub(crate) mod fluid;
pub mod params;
mod system;

use system::HeatSystem;

/// A grain, or a body of several points, in the fluid.
#[derive(Debug, Clone, PartialEq)]
pub struct Grip {
    /// Which body, as the caller counts.
    pub body: usize,
    /// Heat capacity (J/K); infinite where it is held.
    pub capacity: f64,
    /// Rise at the start of the step (K).
    pub rise: f64,
    /// Cells, each once, and h G w of each (J/K).
    pub cells: Vec<(usize, f64)>,
}

impl Grip {
    /// Adds up what lies in one cell.
    pub fn merge(&mut self) {
        self.cells.sort_by_key(|(cell, _)| *cell);
        self.cells.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
    }

    /// How it answers within a step.
    fn shares(&self, theta: f64) -> Shares {
        let total: f64 = self.cells.iter().map(|(_, g)| g).sum();
        let ratio = theta * total / self.capacity;
        Shares { total, own: 1.0 / (1.0 + ratio), others: ratio / (1.0 + ratio) }
    }

    /// Calls `visit(cell, heat to the grain)` given the weighted rises of the cells.
    ///
    /// With T eliminated it is g_c (C (ϑ_c − T₀) + θ Σ_d g_d (ϑ_c − ϑ_d))/(C + θ Σ g): differences only, so that a film without resistance costs no digits.
    fn heat(&self, theta: f64, rise: &[f64], mut visit: impl FnMut(usize, f64)) {
        let shares = self.shares(theta);
        self.between(&shares, rise, |c, g, others| visit(c, g * shares.own * (rise[c] - self.rise) + others));
    }

    /// Calls `visit(cell, g, the part of the others)` for all its cells.
    fn between(&self, shares: &Shares, rise: &[f64], mut visit: impl FnMut(usize, f64, f64)) {
        let Some(first) = self.cells.first().map(|(c, _)| rise[*c]).filter(|_| shares.total > 0.0) else { return };
        let mean = self.cells.iter().map(|(c, g)| g * (rise[*c] - first)).sum::<f64>() / shares.total;
        for &(c, g) in &self.cells {
            visit(c, g, g * shares.others * ((rise[c] - first) - mean));
        }
    }
}

/// Σ g of a grain, C/(C + θ Σ g), and the rest of 1.
#[derive(Debug, Clone, Copy)]
struct Shares {
    total: f64,
    own: f64,
    others: f64,
}

/// One step.
#[derive(Debug)]
pub struct HeatStep<'a> {
    /// The grid.
    pub grid: &'a Grid,
    /// Weight of the end of the step, ½ … 1.
    pub theta: f64,
    /// c m₀ of each cell (J/K).
    pub capacity: Vec<f64>,
    /// c F of each face over the step (J/K), positive along its axis.
    pub carried: FaceField,
    /// K of each face over the step (J/K); at an end, to what is held there.
    pub conducted: FaceField,
    /// Rise at each end (K): of the fluid that enters, of a wall that is held.
    pub ends: [[f64; 2]; 3],
    /// Heat made in each cell (J).
    pub made: Vec<f64>,
    /// The grains.
    pub grains: Vec<Grip>,
}

/// What a step came to.
#[derive(Debug, Clone, PartialEq)]
pub struct HeatOutcome {
    /// How the solve ended.
    pub status: Status,
    /// Its iterations.
    pub iterations: u64,
    /// Its residual, over the size of the rises.
    pub residual: f64,
    /// c m₁ of each cell by what came and went (J/K).
    pub capacity: Vec<f64>,
    /// Heat that came in through each end (J), over the temperature of reference.
    pub inflow: [[f64; 2]; 3],
    /// Heat to each grain (J), in their order.
    pub to_grains: Vec<f64>,
    /// Where the cell Péclet number is largest, as (number, axis, cell below).
    pub peclet: (f64, usize, usize),
}

/// x/(eˣ − 1) for x ≥ 0.
#[must_use]
pub fn bernoulli(x: f64) -> f64 {
    if x < 1e-12 { 1.0 } else { x / x.exp_m1() }
}

/// K B(|P|), what the face conducts beside the upwind flux (J/K).
fn beside(carried: f64, conducted: f64) -> f64 {
    if conducted > 0.0 { conducted * bernoulli(carried.abs() / conducted) } else { 0.0 }
}

/// What flows count besides the cells: heat in through the ends and to the grains (J).
struct Tally {
    inflow: [[f64; 2]; 3],
    to_grains: Vec<f64>,
}

impl HeatStep<'_> {
    /// Takes the rises of the cells over the step.
    ///
    /// # Errors
    /// A cell that more leaves than it had, or numbers that are not finite.
    pub fn solve(&self, rise: &mut [f64], tolerance: f64, max_iterations: usize) -> Result<HeatOutcome, DarcyError> {
        let n = self.grid.len();
        let mut leaving = vec![0.0; n];
        self.grid.add_divergence(&self.carried, [true; 3], &mut leaving);
        let capacity: Vec<f64> = (0..n).map(|c| self.capacity[c] - leaving[c]).collect();
        if let Some(c) = capacity.iter().position(|m| !(*m > 0.0 && m.is_finite())) {
            return Err(DarcyError::Drained { place: self.grid.centre(c).into() });
        }
        let start = rise.to_vec();
        let theta = self.theta;
        let old: Vec<f64> = start.iter().map(|t| (1.0 - theta) * t).collect();
        let mut b = vec![0.0; n];
        self.flows(&old, &mut b, None);
        (0..n).for_each(|c| b[c] = self.capacity[c] * start[c] - b[c] + self.made[c]);
        let system = HeatSystem::new(self, &capacity);
        let solved = system.solve(&b, rise, CgParams { tolerance, max_iterations })?;
        let weighted: Vec<f64> = (0..n).map(|c| old[c] + theta * rise[c]).collect();
        let mut tally = Tally { inflow: [[0.0; 2]; 3], to_grains: vec![0.0; self.grains.len()] };
        self.flows(&weighted, &mut b, Some(&mut tally));
        let excess: f64 = (0..n).map(|c| capacity[c] * rise[c] - self.capacity[c] * start[c] + b[c] - self.made[c]).sum();
        let shift = excess / capacity.iter().sum::<f64>();
        rise.iter_mut().for_each(|t| *t -= shift);
        Ok(HeatOutcome {
            status: match solved.status {
                CgStatus::Converged => Status::Converged,
                // what rounding leaves of a good solution
                CgStatus::Stalled if solved.residual <= 100.0 * tolerance => Status::Converged,
                CgStatus::Stalled | CgStatus::NotPositiveDefinite => Status::Stalled,
                CgStatus::MaxIterations => Status::MaxIterations,
            },
            iterations: solved.iterations as u64,
            residual: solved.residual,
            capacity,
            inflow: tally.inflow,
            to_grains: tally.to_grains,
            peclet: self.peclet(),
        })
    }

    /// Puts what leaves each cell (J) at the weighted rises into `out`.
    fn flows(&self, rise: &[f64], out: &mut [f64], mut tally: Option<&mut Tally>) {
        out.fill(0.0);
        for axis in 0..3 {
            let (carried, conducted) = (&self.carried.0[axis], &self.conducted.0[axis]);
            for (face, sides) in self.grid.sides(axis).iter().enumerate() {
                let (f, k) = (carried[face], conducted[face]);
                let (cell, side) = match *sides {
                    (Some(a), Some(b)) => {
                        let q = f * if f > 0.0 { rise[a] } else { rise[b] } + beside(f, k) * (rise[a] - rise[b]);
                        out[a] += q;
                        out[b] -= q;
                        continue;
                    }
                    (None, Some(c)) => (c, 0),
                    (Some(c), None) => (c, 1),
                    (None, None) => continue,
                };
                let (inward, end) = (if side == 0 { f } else { -f }, self.ends[axis][side]);
                let q = inward * if inward > 0.0 { end } else { rise[cell] } + k * (end - rise[cell]);
                out[cell] -= q;
                if let Some(tally) = &mut tally {
                    tally.inflow[axis][side] += q;
                }
            }
        }
        for (number, grain) in self.grains.iter().enumerate() {
            let mut given = 0.0;
            grain.heat(self.theta, rise, |c, q| {
                out[c] += q;
                given += q;
            });
            if let Some(tally) = &mut tally {
                tally.to_grains[number] = given;
            }
        }
    }

    fn peclet(&self) -> (f64, usize, usize) {
        let mut most = (0.0, 0, 0);
        for axis in 0..3 {
            for (face, sides) in self.grid.sides(axis).iter().enumerate() {
                let (Some(a), Some(_)) = *sides else { continue };
                let (f, k) = (self.carried.0[axis][face].abs(), self.conducted.0[axis][face]);
                // what is rounding beside the content carries nothing
                let number = if f <= 1e-9 * self.capacity[a] { 0.0 } else { f / k };
                if number > most.0 {
                    most = (number, axis, a);
                }
            }
        }
        most
    }
}
