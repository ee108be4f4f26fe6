//! One pass: the content balance of all cells over a time, coupled along some axes, solved by Newton–Raphson.
//! Time steps are made of passes (see [`crate::schedule`]); nothing here knows grains.
//!
//! # The balance
//! With e the pore volume, C = C₀ + β p the content, T = U − J the volume φū that goes through a face (total minus solid, which
//! counts in the volume gA that the face sweeps where it moves: e then changes with the volume of the cell too) and K the conductance, all over the time of the pass and θ-weighted between its start and end,
//!
//! e₁C(p₁) − e₀C(p₀) + Σ_faces ± C(p_face) T − Σ_faces K (w_neighbour − w) = inflow through the ends.
//!
//! The cells close, e₁ − e₀ = Σ±J − G (G the growth), so the constant part C₀ needs only the total flux:
//! C₀ (e₁ − e₀ + Σ±T) = C₀ (Σ±U − G). It is computed in this form: a stiff liquid would otherwise see the rounding of its
//! own volume as pressure. For the same reason nothing happens to a uniform P where Σ±U = 0 and G = 0.
//!
//! Grains that yield to the pressure of a liquid ([`crate::biot`]) let it feel α Σ±U for Σ±U, and add S(p₁ − p₀).
//!
//! # Newton
//! The unknown is the potential w: in it the diffusion is linear and symmetric, and the Jacobian diag(βe₁ dp/dw) + θ Laplacian(K) is
//! positive definite. The carried part is kept at the last iterate (it is small: the schedule bounds the Courant number), so
//! that the matrix stays symmetric. At the end one shift of all pressures makes the sum of the balances exact, so that mass is
//! conserved to rounding, not to the tolerance. (Taking each cell's content from its own fluxes would do so too, but it
//! brings the rounding of the fluxes, which between small cells dwarf the contents, into the pressure of every cell.)

use std::borrow::Cow;

use crate::{
    advect,
    error::DarcyError,
    fluid::Fluid,
    grid::{FaceField, Grid},
    linear::LinearSystem,
};
use mpcd_core::Status;

/// What holds at an end of the grid during a pass.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum End {
    /// No fluid passes.
    Closed,
    /// The pressure at the start and at the end of the pass (Pa).
    Pressure([f64; 2]),
    /// Content that enters through each face of the end (m³).
    Inflow(f64),
}

/// Data of a pass.
#[derive(Debug)]
pub struct Pass<'a> {
    /// The grid.
    pub grid: &'a Grid,
    /// The fluid.
    pub fluid: &'a Fluid,
    /// Axes along which cells are coupled.
    pub axes: [bool; 3],
    /// Weight of the end of the pass, ½ … 1.
    pub theta: f64,
    /// Pore volumes at the start and at the end (m³).
    pub pores: [&'a [f64]; 2],
    /// What the grains of each cell store [m³/Pa]; nothing where they do not yield.
    pub stored: Option<&'a [f64]>,
    /// α Σ±U − G of each cell (m³).
    pub squeeze: &'a [f64],
    /// T of each face (m³).
    pub through: &'a FaceField,
    /// U of each face (m³).
    pub total: &'a FaceField,
    /// K of each face [m³/Pa].
    pub conductance: &'a FaceField,
    /// How many times the slip of the fluid it has at each face (1); once where there is none.
    pub slippage: Option<&'a FaceField>,
    /// What holds at the ends, low and high.
    pub ends: [[End; 2]; 3],
}

/// When Newton stops.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NewtonSettings {
    /// Last change of the pressure over its spread.
    pub tolerance: f64,
    /// Largest number of iterations.
    pub max_iterations: u64,
}

/// How a pass went.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PassReport {
    /// How Newton ended.
    pub status: Status,
    /// Its iterations.
    pub iterations: u64,
    /// Last change of the pressure over its spread.
    pub residual: f64,
    /// The cell that changed most.
    pub worst: usize,
    /// Content that came in through each end (m³).
    pub inflow: [[f64; 2]; 3],
    /// Where the flow carries most over what diffuses.
    pub carried: Carried,
    /// By how much what flows out of a cell in the pass exceeds what it holds, at most: the square of how many cells a change of pressure goes.
    pub spreads: f64,
}

impl PassReport {
    /// A pass before its first iteration.
    pub(crate) fn begun() -> Self {
        Self {
            status: Status::MaxIterations,
            iterations: 0,
            residual: f64::INFINITY,
            worst: 0,
            inflow: [[0.0; 2]; 3],
            carried: Carried::default(),
            spreads: 0.0,
        }
    }
}

/// The largest cell Péclet number of faces between two cells.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Carried {
    /// The number; 0 where nothing is carried.
    pub peclet: f64,
    /// Axis of the face.
    pub axis: usize,
    /// The cell below it.
    pub cell: usize,
}

impl Carried {
    /// The greater of the two.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        if other.peclet > self.peclet { other } else { self }
    }

    /// What is said of faces that are limited upwind. The number is told by powers of two, so that it is not said anew in every step.
    pub(crate) fn warning(&self, grid: &Grid) -> Option<String> {
        if self.peclet <= advect::CENTRED_UP_TO {
            return None;
        }
        let told = self.peclet.log2().floor().exp2();
        // what is carried does not know the size of a cell, what diffuses goes by its inverse
        let cell = grid.spacing(self.axis) * advect::CENTRED_UP_TO / (2.0 * told);
        let (axis, at) = (["x", "y", "z"][self.axis], grid.centre(self.cell));
        Some(if self.peclet.is_finite() {
            format!(
                "grains that move carry pore fluid along {axis} at a cell Péclet number of {told} or more, near ({:.3}, {:.3}, {:.3}) m first; above {} the pressure carried is limited upwind, which smears fronts over a cell or two: cells of {cell:.2e} m along {axis} would be centred",
                at.x,
                at.y,
                at.z,
                advect::CENTRED_UP_TO
            )
        } else {
            format!(
                "grains that move carry pore fluid along {axis} through a face that lets nothing diffuse, near ({:.3}, {:.3}, {:.3}) m first; the pressure carried is limited upwind there, and no cell is small enough: give the grains a permeability or the gas a `slip`",
                at.x, at.y, at.z
            )
        })
    }
}

/// Memory of the passes.
#[derive(Debug, Default)]
pub struct PassWorkspace {
    residual: Vec<f64>,
    diagonal: Vec<f64>,
}

/// A change of Newton's this much smaller than the pressure lets the old matrix serve again.
const NEARLY_LINEAR: f64 = 1e-4;

/// Part of its right-hand side that a linear solve for a gas leaves: Newton's next step has a new one anyway.
const INEXACT: f64 = 1e-5;

/// Part of the first residual that the linear solves leave.
const LINEAR: f64 = 1e-12;

/// Pressure that counts as none (Pa): squares of smaller ones have no digits, and what has run out comes there in the end.
pub const REST: f64 = 1e-150;

impl Pass<'_> {
    /// Solves for the pressure at the end, `p1`, which holds a first guess (by habit the pressure at the start).
    ///
    /// # Errors
    /// A pressure the fluid cannot have, or a linear system that cannot be solved.
    pub fn solve(
        &self,
        p0: &[f64],
        p1: &mut [f64],
        linear: &mut LinearSystem,
        settings: &NewtonSettings,
        work: &mut PassWorkspace,
    ) -> Result<PassReport, DarcyError> {
        let n = self.grid.len();
        work.residual.resize(n, 0.0);
        let beta = self.fluid.content_slope();
        let mut change = f64::INFINITY;
        let mut report = PassReport::begun();
        let mut prepared = false;
        let mut first: Option<f64> = None;
        while report.iterations < settings.max_iterations {
            self.residual(p0, p1, &mut work.residual);
            if !prepared || (self.fluid.is_gas() && change > NEARLY_LINEAR * largest(p1)) {
                self.fill_diagonal(p1, &mut work.diagonal);
                linear.prepare(self.grid, &work.diagonal, self.theta, &self.tangent(p1))?;
                prepared = true;
            }
            let spread = self.spread(p0, p1);
            let size = norm(&work.residual);
            first.get_or_insert(size);
            // no better than the whole solve needs it
            let least = if self.fluid.is_gas() { INEXACT } else { LINEAR };
            let enough = (LINEAR * first.unwrap_or(size) / size).clamp(least, 1e-2);
            linear.solve(&mut work.residual, enough)?;
            let before = change;
            (change, report.worst) = self.correct(p1, &work.residual);
            self.check(p1)?;
            report.iterations += 1;
            let residual = |amplification: f64| {
                let rounding = 16.0 * f64::EPSILON * amplification * largest(p1);
                change / (spread + rounding / settings.tolerance).max(REST)
            };
            report.residual = residual(1.0);
            if report.residual > settings.tolerance && change > 0.5 * before {
                // no longer falling: that is all there is where the fluxes between cells dwarf their contents
                report.residual = residual(self.stiffness(p1));
                if report.iterations > 5 && report.residual > settings.tolerance && change >= before {
                    report.status = Status::Stalled;
                    break;
                }
            }
            if report.residual <= settings.tolerance {
                report.status = Status::Converged;
                break;
            }
        }
        report.inflow = self.residual(p0, p1, &mut work.residual);
        let excess: f64 = work.residual.iter().sum();
        let yielding: f64 = self.stored.map_or(0.0, |s| s.iter().sum());
        let shift = excess / (beta * self.pores[1].iter().sum::<f64>() + yielding);
        p1.iter_mut().for_each(|p| *p -= shift);
        self.check(p1)?;
        Ok(report)
    }

    /// One Newton correction from the solved system (δw = −solution); returns the largest change of a pressure and its cell.
    fn correct(&self, p1: &mut [f64], solution: &[f64]) -> (f64, usize) {
        let mut worst = (0.0_f64, 0);
        for (c, p) in p1.iter_mut().enumerate() {
            // a gas pressure that would vanish is halved instead
            let new = self.fluid.pressure_at(self.fluid.potential(*p) - solution[c]).unwrap_or(0.5 * *p);
            let change = (new - *p).abs();
            if change > worst.0 || change.is_nan() {
                worst = (change, c);
            }
            *p = new;
        }
        worst
    }

    /// Refuses pressures the fluid cannot have.
    pub(crate) fn check(&self, p: &[f64]) -> Result<(), DarcyError> {
        match p.iter().position(|p| !self.fluid.allows(*p)) {
            None => Ok(()),
            Some(c) => Err(DarcyError::Pressure {
                place: self.grid.centre(c).into(),
                value: p[c],
                expected: if self.fluid.is_gas() { "a finite number above zero" } else { "a finite number" },
            }),
        }
    }

    /// The fluid with the slip that it has at a face.
    fn fluid_at(&self, axis: usize, face: usize) -> Fluid {
        self.slippage.map_or(*self.fluid, |s| self.fluid.slipping(s.0[axis][face]))
    }

    /// Conductance of a face per potential of the fluid of the reference temperature, where that at hand has more slip: exact at the mean pressure `p`.
    fn conductance_at(&self, axis: usize, face: usize, p: f64) -> f64 {
        let k = self.conductance.0[axis][face];
        match self.slippage {
            None => k,
            Some(_) => k * self.fluid_at(axis, face).potential_slope(p) / self.fluid.potential_slope(p),
        }
    }

    /// These for all faces, at the pressures `p` of the cells.
    fn tangent(&self, p: &[f64]) -> Cow<'_, FaceField> {
        if self.slippage.is_none() {
            return Cow::Borrowed(self.conductance);
        }
        let mut out = self.conductance.clone();
        for (axis, values) in out.0.iter_mut().enumerate() {
            for ((face, sides), value) in self.grid.sides(axis).iter().enumerate().zip(values) {
                let mean = match *sides {
                    (Some(a), Some(b)) => 0.5 * (p[a] + p[b]),
                    (Some(c), None) | (None, Some(c)) => p[c],
                    (None, None) => continue,
                };
                *value = self.conductance_at(axis, face, mean);
            }
        }
        Cow::Owned(out)
    }

    /// Range of all pressures in play (Pa): cells at start and end, and the ends.
    pub(crate) fn spread(&self, p0: &[f64], p1: &[f64]) -> f64 {
        let ends = self.ends.iter().flatten().filter_map(|e| if let End::Pressure(p) = e { Some(*p) } else { None });
        let all = p0.iter().chain(p1).copied().chain(ends.flatten());
        let (low, high) = all.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), p| (l.min(p), h.max(p)));
        high - low
    }

    /// By how much the fluxes between cells exceed their contents at most: the rounding of the fluxes appears in the
    /// pressure this much larger.
    #[must_use]
    pub fn stiffness(&self, p: &[f64]) -> f64 {
        let beta = self.fluid.content_slope();
        let ratio = |c: usize| self.laplacian_diagonal(c, p[c]) * self.fluid.potential_slope(p[c]) / self.capacity(beta, c);
        1.0 + (0..self.grid.len()).map(ratio).fold(0.0, f64::max)
    }

    /// Sum of the conductances around a cell at the pressure `p`, ends with a held pressure included.
    fn laplacian_diagonal(&self, c: usize, p: f64) -> f64 {
        let mut sum = 0.0;
        for axis in (0..3).filter(|a| self.axes[*a]) {
            let (low, high) = self.grid.faces_of(axis, c);
            for (face, side) in [(low, 0), (high, 1)] {
                let inner = matches!(self.grid.sides(axis)[face], (Some(_), Some(_)));
                if inner || matches!(self.ends[axis][side], End::Pressure(_)) {
                    sum += self.conductance_at(axis, face, p);
                }
            }
        }
        sum
    }

    /// Content that a cell takes per pressure at the end of the pass [m³/Pa].
    fn capacity(&self, beta: f64, c: usize) -> f64 {
        beta * self.pores[1][c] + self.stored.map_or(0.0, |s| s[c])
    }

    /// βe₁ dp/dw plus θ times the conductances to held ends.
    fn fill_diagonal(&self, p1: &[f64], diagonal: &mut Vec<f64>) {
        let beta = self.fluid.content_slope();
        diagonal.clear();
        diagonal.extend((0..self.grid.len()).map(|c| self.capacity(beta, c) / self.fluid.potential_slope(p1[c])));
        for axis in (0..3).filter(|a| self.axes[*a]) {
            for (face, sides) in self.grid.sides(axis).iter().enumerate() {
                let (cell, side) = match *sides {
                    (None, Some(c)) => (c, 0),
                    (Some(c), None) => (c, 1),
                    _ => continue,
                };
                if matches!(self.ends[axis][side], End::Pressure(_)) {
                    diagonal[cell] += self.theta * self.conductance_at(axis, face, p1[cell]);
                }
            }
        }
    }

    /// Puts the imbalance of each cell (m³) into `out` and returns the content that comes in through each end.
    fn residual(&self, p0: &[f64], p1: &[f64], out: &mut [f64]) -> [[f64; 2]; 3] {
        let (zero, beta) = (self.fluid.content_at_zero(), self.fluid.content_slope());
        let [e0, e1] = self.pores;
        for c in 0..out.len() {
            out[c] = beta * (e1[c] * p1[c] - e0[c] * p0[c]) + zero * self.squeeze[c];
        }
        if let Some(stored) = self.stored {
            (0..out.len()).for_each(|c| out[c] += stored[c] * (p1[c] - p0[c]));
        }
        let mut inflow = [[0.0; 2]; 3];
        for axis in (0..3).filter(|a| self.axes[*a]) {
            for (face, sides) in self.grid.sides(axis).iter().enumerate() {
                match *sides {
                    (Some(a), Some(b)) => {
                        let flux = self.flux_between(axis, face, a, b, p0, p1);
                        out[a] += flux;
                        out[b] -= flux;
                    }
                    (None, Some(c)) => {
                        let entering = self.flux_in(axis, 0, face, c, p0, p1);
                        out[c] -= entering;
                        inflow[axis][0] += entering + zero * self.through.0[axis][face];
                    }
                    (Some(c), None) => {
                        let entering = self.flux_in(axis, 1, face, c, p0, p1);
                        out[c] -= entering;
                        inflow[axis][1] += entering - zero * self.through.0[axis][face];
                    }
                    (None, None) => {}
                }
            }
        }
        inflow
    }

    /// Adds the content that went through each face (m³), positive along its axis.
    pub(crate) fn add_flow(&self, p0: &[f64], p1: &[f64], out: &mut FaceField) {
        let zero = self.fluid.content_at_zero();
        for axis in (0..3).filter(|a| self.axes[*a]) {
            for (face, sides) in self.grid.sides(axis).iter().enumerate() {
                let constant = zero * self.through.0[axis][face];
                out.0[axis][face] += match *sides {
                    (Some(a), Some(b)) => constant + self.flux_between(axis, face, a, b, p0, p1),
                    (None, Some(c)) => constant + self.flux_in(axis, 0, face, c, p0, p1),
                    (Some(c), None) => constant - self.flux_in(axis, 1, face, c, p0, p1),
                    (None, None) => 0.0,
                };
            }
        }
    }

    /// The largest cell Péclet number at the pressures `p`.
    pub(crate) fn carried(&self, p: &[f64]) -> Carried {
        let mut most = Carried::default();
        for axis in (0..3).filter(|a| self.axes[*a]) {
            for (face, sides) in self.grid.sides(axis).iter().enumerate() {
                let t = self.through.0[axis][face];
                let (Some(a), Some(b)) = *sides else { continue };
                if t != 0.0 {
                    let fluid = self.fluid_at(axis, face);
                    let peclet = peclet(&fluid, t, self.conductance.0[axis][face], 0.5 * (p[a] + p[b]));
                    most = most.or(Carried { peclet, axis, cell: a });
                }
            }
        }
        most
    }

    /// Content beyond C₀T that goes from cell `a` to cell `b`.
    fn flux_between(&self, axis: usize, face: usize, a: usize, b: usize, p0: &[f64], p1: &[f64]) -> f64 {
        let (k, t) = (self.conductance.0[axis][face], self.through.0[axis][face]);
        let fluid = self.fluid_at(axis, face);
        let at = |p: &[f64]| {
            let (wa, wb) = (fluid.potential(p[a]), fluid.potential(p[b]));
            let carried = if t == 0.0 {
                0.0
            } else {
                let peclet = peclet(&fluid, t, k, 0.5 * (p[a] + p[b]));
                self.fluid.content_slope() * t * advect::between(self.grid, axis, a, b, t, peclet, p)
            };
            k * (wa - wb) + carried
        };
        self.weighted(at(p0), || at(p1))
    }

    /// Content beyond C₀T that comes in through an end into cell `c`.
    fn flux_in(&self, axis: usize, side: usize, face: usize, c: usize, p0: &[f64], p1: &[f64]) -> f64 {
        let (k, t) = (self.conductance.0[axis][face], self.through.0[axis][face]);
        let inward = if side == 0 { t } else { -t };
        let beta = self.fluid.content_slope();
        match self.ends[axis][side] {
            // nothing goes through, or what a fixed inflow says; there T is zero
            End::Closed => 0.0,
            End::Inflow(content) => content,
            End::Pressure(held) => {
                let fluid = self.fluid_at(axis, face);
                let at = |p: f64, held: f64| {
                    let carried = advect::at_end(inward > 0.0, peclet(&fluid, t, k, p), held, p);
                    k * (fluid.potential(held) - fluid.potential(p)) + beta * inward * carried
                };
                self.weighted(at(p0[c], held[0]), || at(p1[c], held[1]))
            }
        }
    }

    pub(crate) fn weighted(&self, before: f64, after: impl Fn() -> f64) -> f64 {
        // with θ = 1 the start may hold anything, so it must not enter even as 0 × it
        if self.theta == 1.0 { after() } else { (1.0 - self.theta) * before + self.theta * after() }
    }
}

fn peclet(fluid: &Fluid, through: f64, conductance: f64, p: f64) -> f64 {
    advect::peclet(through * fluid.content_slope(), conductance * fluid.potential_slope(p))
}

fn largest(p: &[f64]) -> f64 {
    p.iter().fold(0.0, |m, p| m.max(p.abs()))
}

fn norm(v: &[f64]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    /// Told from above 2 on, by powers of two, with the cell that is small enough for all that is told so: at 4 to 8 a quarter.
    #[test]
    fn a_peclet_number_that_limits_the_scheme_is_told_with_the_cell() {
        let spec = mpcd_core::GridSpec { origin: [0.0; 3], spacing: [0.01; 3], cells: [6, 5, 4] };
        let grid = Grid::new(spec, [false; 3]);
        let warning = |peclet: f64| Carried { peclet, axis: 0, cell: 3 }.warning(&grid);
        assert_eq!(warning(2.0), None);
        let told = warning(4.4).unwrap();
        assert!(told.contains("number of 4 or more") && told.contains("2.50e-3 m along x"), "{told}");
        assert_eq!(warning(7.9), Some(told));
        assert!(warning(f64::INFINITY).unwrap().contains("no cell is small enough"));
    }
}
