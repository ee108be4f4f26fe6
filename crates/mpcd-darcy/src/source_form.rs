//! A pass in the source's own form (Dubois–Renouf 2021, "Fluid"): centred differences of
//! φ (∂P/∂t + ū·∇P) = ∇·(P κ/η ∇P) − P ∇·ū, Crank–Nicolson, Newton–Raphson. With directional splitting it is the method of
//! the course. It does not conserve mass: its drift shows in the book of the fluid. Kept to compare with; the conservative
//! [`crate::pass`] is the default.

use std::sync::Arc;

use mpcd_core::Status;
use mpcd_sparse::{GeneralMatrix, GeneralPattern, Lu, SparseError};

use crate::{
    error::DarcyError,
    grid::Grid,
    pass::{End, NewtonSettings, Pass, PassReport, REST},
};

/// The matrix of a pass in the source's form, for one choice of axes.
#[derive(Debug)]
pub struct SourceSystem {
    axes: [bool; 3],
    matrix: GeneralMatrix,
    lu: Lu,
    /// Per axis and face: numbers of the entries (below, above) and (above, below).
    entries: [Vec<Option<(usize, usize)>>; 3],
}

impl SourceSystem {
    /// Analyses the matrix for the cells of a grid coupled along `axes`.
    ///
    /// # Errors
    /// When it does not fit into memory.
    pub fn new(grid: &Grid, axes: [bool; 3]) -> Result<Self, SparseError> {
        let mut places: Vec<(usize, usize)> = (0..grid.len()).map(|c| (c, c)).collect();
        let entries = std::array::from_fn(|axis| {
            let number = |&(below, above): &(Option<usize>, Option<usize>)| match (below, above) {
                (Some(a), Some(b)) if a != b && axes[axis] => {
                    places.extend([(a, b), (b, a)]);
                    Some((places.len() - 2, places.len() - 1))
                }
                _ => None,
            };
            grid.sides(axis).iter().map(number).collect()
        });
        let pattern: Arc<_> = GeneralPattern::from_entries(grid.len(), &places)?;
        Ok(Self { axes, matrix: GeneralMatrix::zeros(&pattern), lu: Lu::analyse(&pattern)?, entries })
    }

    /// The axes it couples.
    #[must_use]
    pub const fn axes(&self) -> [bool; 3] {
        self.axes
    }

    /// Solves for the pressure at the end, `p1`, which holds a first guess.
    ///
    /// # Errors
    /// A pressure the fluid cannot have, or a singular matrix.
    pub fn solve(
        &mut self,
        pass: &Pass<'_>,
        p0: &[f64],
        p1: &mut [f64],
        settings: &NewtonSettings,
    ) -> Result<PassReport, DarcyError> {
        let mut residual = vec![0.0; p0.len()];
        let mut report = PassReport::begun();
        while report.iterations < settings.max_iterations && report.status != Status::Converged {
            self.fill(pass, p0, p1, &mut residual);
            let spread = pass.spread(p0, p1);
            self.lu.factorise(&self.matrix)?;
            self.lu.solve_in_place(&mut residual)?;
            let (mut change, mut size) = (0.0_f64, 0.0_f64);
            for (c, p) in p1.iter_mut().enumerate() {
                *p -= residual[c];
                if residual[c].abs() > change || residual[c].is_nan() {
                    (change, report.worst) = (residual[c].abs(), c);
                }
                size = size.max(p.abs());
            }
            pass.check(p1)?;
            report.iterations += 1;
            let rounding = 16.0 * f64::EPSILON * size * pass.stiffness(p1);
            report.residual = change / (spread + rounding / settings.tolerance).max(REST);
            if report.residual <= settings.tolerance {
                report.status = Status::Converged;
            }
        }
        report.inflow = self.fill(pass, p0, p1, &mut residual);
        Ok(report)
    }

    /// Imbalance of each cell into `out` and its derivative by `p1` into the matrix; returns the content that comes in.
    fn fill(&mut self, pass: &Pass<'_>, p0: &[f64], p1: &[f64], out: &mut [f64]) -> [[f64; 2]; 3] {
        let (grid, fluid, theta) = (pass.grid, pass.fluid, pass.theta);
        let beta = fluid.content_slope();
        let pores = |c: usize| 0.5 * (pass.pores[0][c] + pass.pores[1][c]);
        self.matrix.clear();
        for c in 0..grid.len() {
            let mean = pass.weighted(p0[c], || p1[c]);
            out[c] = beta * pores(c) * (p1[c] - p0[c]) + fluid.content(mean) * pass.squeeze[c];
            self.matrix.add(c, beta * (pores(c) + theta * pass.squeeze[c]));
        }
        let mut inflow = [[0.0; 2]; 3];
        for axis in (0..3).filter(|a| self.axes[*a]) {
            // φ ū A h of a cell, the factor of the difference of the pressures on its two faces
            let drift = |c: usize| {
                let (low, high) = grid.faces_of(axis, c);
                0.5 * (pass.total.0[axis][low] + pass.total.0[axis][high]) * pores(c) / grid.cell_volume() * beta
            };
            for (face, sides) in grid.sides(axis).iter().enumerate() {
                let k = pass.conductance.0[axis][face];
                match *sides {
                    (Some(a), Some(b)) => {
                        let flux = pass.weighted(k * (fluid.potential(p0[a]) - fluid.potential(p0[b])), || {
                            k * (fluid.potential(p1[a]) - fluid.potential(p1[b]))
                        });
                        let pressure = pass.weighted(0.5 * (p0[a] + p0[b]), || 0.5 * (p1[a] + p1[b]));
                        out[a] += flux + drift(a) * pressure;
                        out[b] -= flux + drift(b) * pressure;
                        let Some((ab, ba)) = self.entries[axis][face] else { continue };
                        let (da, db) = (theta * k * fluid.potential_slope(p1[a]), theta * k * fluid.potential_slope(p1[b]));
                        self.matrix.add(a, da + 0.5 * theta * drift(a));
                        self.matrix.add(ab, -db + 0.5 * theta * drift(a));
                        self.matrix.add(b, db - 0.5 * theta * drift(b));
                        self.matrix.add(ba, -da - 0.5 * theta * drift(b));
                    }
                    (None, Some(c)) | (Some(c), None) => {
                        let side = usize::from(sides.1.is_none());
                        let sign = if side == 0 { -1.0 } else { 1.0 };
                        let (entering, slope, pressure, pressure_slope) = match pass.ends[axis][side] {
                            End::Closed => (0.0, 0.0, pass.weighted(p0[c], || p1[c]), theta),
                            End::Inflow(content) => (content, 0.0, pass.weighted(p0[c], || p1[c]), theta),
                            End::Pressure(held) => {
                                let at = |p: f64, held: f64| k * (fluid.potential(held) - fluid.potential(p));
                                let entering = pass.weighted(at(p0[c], held[0]), || at(p1[c], held[1]));
                                (entering, theta * k * fluid.potential_slope(p1[c]), pass.weighted(held[0], || held[1]), 0.0)
                            }
                        };
                        out[c] += sign * drift(c) * pressure - entering;
                        self.matrix.add(c, slope + sign * drift(c) * pressure_slope);
                        let carried = match pass.ends[axis][side] {
                            End::Pressure(_) => -sign * pass.through.0[axis][face] * fluid.content(pressure),
                            End::Closed | End::Inflow(_) => 0.0,
                        };
                        inflow[axis][side] += entering + carried;
                    }
                    (None, None) => {}
                }
            }
        }
        inflow
    }
}
