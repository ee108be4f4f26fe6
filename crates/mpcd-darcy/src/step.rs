//! One time step of the pore pressure on plain arrays: passes, sub-steps, the mean pressure that acts on the grains.
//! No bodies and no fields here, so that tests and other programs can use it alone.

use mpcd_core::Status;

use crate::{
    ends::{EndLaw, FACE_KEYS},
    error::DarcyError,
    fluid::Fluid,
    grid::{FaceField, Grid},
    linear::{LinearMethod, LinearSystem},
    medium::Medium,
    pass::{Carried, End, NewtonSettings, Pass, PassReport, PassWorkspace},
    schedule::{Composition, PassPlan, passes},
    source_form::SourceSystem,
};

/// Which equation the passes solve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Finite volumes for the content.
    Conservative,
    /// The source's centred differences for the pressure.
    Source,
}

/// How steps are computed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scheme {
    /// All axes at once or one after the other.
    pub composition: Composition,
    /// Which equation.
    pub form: Form,
    /// Weight of the end of the step, ½ … 1.
    pub theta: f64,
    /// Least number of sub-steps.
    pub substeps: usize,
    /// When Newton stops.
    pub newton: NewtonSettings,
    /// Linear solver.
    pub linear: LinearMethod,
}

impl Default for Scheme {
    fn default() -> Self {
        Self {
            composition: Composition::Unsplit,
            form: Form::Conservative,
            theta: 0.5,
            substeps: 1,
            newton: NewtonSettings { tolerance: 1e-10, max_iterations: 50 },
            linear: LinearMethod::Auto,
        }
    }
}

/// How a step went.
#[derive(Debug, Clone, PartialEq)]
pub struct StepReport {
    /// The worst status of its passes.
    pub status: Status,
    /// Newton iterations of all passes.
    pub iterations: u64,
    /// The worst residual.
    pub residual: f64,
    /// The cell of the worst residual.
    pub worst: usize,
    /// Passes it took.
    pub passes: usize,
    /// Content that came in through each end [m³ at reference density].
    pub inflow: [[f64; 2]; 3],
    /// Where the flow carried most over what diffused.
    pub carried: Carried,
    /// The most of [`PassReport::spreads`] of passes along one axis.
    pub spreads: f64,
}

/// The pressure that acts on the grains over a step: the one whose gradient drives the flow.
#[derive(Debug, Clone, PartialEq)]
pub struct MeanPressure {
    /// In each cell (Pa).
    pub cells: Vec<f64>,
    /// At each end: held pressure (Pa), or content that enters per face (m³).
    pub ends: [[MeanEnd; 2]; 3],
}

/// What acts at an end over a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MeanEnd {
    /// The pressure of the cell beside it.
    Closed,
    /// This pressure (Pa).
    Pressure(f64),
    /// The pressure that drives this content in through a face over the step (m³).
    Inflow(f64),
}

/// Largest part of a cell's pores that may be carried out of it in one pass.
const COURANT: f64 = 0.4;

/// Solver of steps on one grid. What it keeps between steps is only memory and symbolic analysis.
#[derive(Debug)]
pub struct Stepper {
    grid: Grid,
    fluid: Fluid,
    ends: [[EndLaw; 2]; 3],
    scheme: Scheme,
    systems: Vec<LinearSystem>,
    source_systems: Vec<SourceSystem>,
    work: PassWorkspace,
    /// Content through each face over the last step (m³), where it is asked for.
    flow: Option<FaceField>,
}

impl Stepper {
    /// A solver.
    #[must_use]
    pub fn new(grid: Grid, fluid: Fluid, ends: [[EndLaw; 2]; 3], scheme: Scheme) -> Self {
        Self {
            grid,
            fluid,
            ends,
            scheme,
            systems: Vec::new(),
            source_systems: Vec::new(),
            work: PassWorkspace::default(),
            flow: None,
        }
    }

    /// Asks for what goes through the faces, see [`Self::flow`]. The form of the source has none.
    pub fn count_flow(&mut self) {
        self.flow = Some(self.grid.face_field());
    }

    /// Content through each face over the last step (m³), positive along its axis, if it was asked for.
    #[must_use]
    pub const fn flow(&self) -> Option<&FaceField> {
        self.flow.as_ref()
    }

    /// What holds at an end.
    #[must_use]
    pub const fn end(&self, axis: usize, side: usize) -> &EndLaw {
        &self.ends[axis][side]
    }

    /// The grid.
    #[must_use]
    pub const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Takes the same cells over another step, as [`Grid::moving`] gives them.
    pub fn set_grid(&mut self, grid: Grid) {
        self.grid = grid;
    }

    /// The fluid.
    #[must_use]
    pub const fn fluid(&self) -> &Fluid {
        &self.fluid
    }

    /// Which ends let grains push fluid through.
    #[must_use]
    pub fn open(&self) -> [[bool; 2]; 3] {
        self.ends.each_ref().map(|axis| axis.each_ref().map(EndLaw::open))
    }

    /// Ends that fluid can pass, as (axis, side).
    pub fn passable(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..6).map(|k| (k / 2, k % 2)).filter(|&(axis, side)| self.ends[axis][side].passes())
    }

    /// Forgets memory and analyses.
    pub fn drop_caches(&mut self) {
        self.systems.clear();
        self.source_systems.clear();
        self.work = PassWorkspace::default();
    }

    /// Takes the pressure over the step from `time` to `time + h`. `medium` is what the grains do in it; `damped` asks for
    /// implicit halves (see [`passes`]).
    ///
    /// # Errors
    /// A pressure or a boundary value that the fluid cannot have, or a linear system that cannot be solved.
    pub fn advance(
        &mut self,
        time: f64,
        h: f64,
        medium: &Medium,
        pressure: &mut [f64],
        damped: bool,
    ) -> Result<(StepReport, MeanPressure), DarcyError> {
        let n = self.grid.len();
        if pressure.len() != n {
            return Err(DarcyError::State { what: "cells", found: pressure.len(), expected: n });
        }
        let Scheme { composition, theta, substeps, .. } = self.scheme;
        let parts = substeps.max(self.courant_parts(medium));
        let plan = passes(&self.grid, composition, theta, parts, damped);
        let mut conductance = self.grid.face_field();
        medium.conductance(&self.grid, self.fluid.viscosity, h, &mut conductance);
        let slippage = medium.slippage(&self.grid, &self.fluid);
        let stored = medium.biot.as_ref().map(|b| &b.storage);
        let mut report = StepReport {
            status: Status::Converged,
            iterations: 0,
            residual: 0.0,
            worst: 0,
            passes: plan.len(),
            carried: Carried::default(),
            spreads: 0.0,
            inflow: [[0.0; 2]; 3],
        };
        let mut mean = self.mean_over(time, h, &plan)?;
        if let Some(flow) = &mut self.flow {
            flow.clear();
        }
        let start = pressure.to_vec();
        let mut pores = [medium.pores_before.clone(), medium.pores_before.clone()];
        let mut holds = [medium.holds(0), Vec::new()];
        for (k, part) in plan.iter().enumerate() {
            let flows = PassFlows::new(&self.grid, medium, &conductance, part);
            if k + 1 == plan.len() {
                pores[1].clone_from(&medium.pores_after);
            } else {
                for c in 0..n {
                    pores[1][c] = pores[0][c] + flows.opening[c];
                }
            }
            let before = pressure.to_vec();
            holds[1].clone_from(&pores[1]);
            if let Some(warmth) = &medium.warmth {
                warmth.scale((k + 1) as f64 / plan.len() as f64, &mut holds[1]);
            }
            let one = self.solve_pass(time, h, part, (&flows, slippage.as_ref(), stored), &holds, &before, pressure)?;
            report.add(&one);
            if composition == Composition::Unsplit {
                let weight = part.time.end - part.time.start;
                for c in 0..n {
                    mean.cells[c] += weight * (part.theta * pressure[c] + (1.0 - part.theta) * before[c]);
                }
            }
            pores.swap(0, 1);
            holds.swap(0, 1);
        }
        if composition == Composition::Split {
            // the passes of one axis alone do not balance, the ends of the step do
            for c in 0..n {
                mean.cells[c] = 0.5 * (start[c] + pressure[c]);
            }
        }
        Ok((report, mean))
    }

    /// Sub-steps that keep the part of its pores that leaves any cell below the bound.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small positive number")]
    fn courant_parts(&self, medium: &Medium) -> usize {
        let mut leaving = vec![0.0; self.grid.len()];
        for axis in 0..3 {
            for (face, &(below, above)) in self.grid.sides(axis).iter().enumerate() {
                let through = medium.total.0[axis][face] - medium.solid.0[axis][face];
                let from = if through > 0.0 { below } else { above };
                if let Some(cell) = from {
                    leaving[cell] += through.abs();
                }
            }
        }
        let part = |c: usize| leaving[c] / medium.pores_before[c].min(medium.pores_after[c]);
        let largest = (0..leaving.len()).map(part).fold(0.0, f64::max);
        (largest / COURANT).ceil().clamp(1.0, 1000.0) as usize
    }

    fn ends_during(&self, time: f64, h: f64, span: &std::ops::Range<f64>) -> Result<[[End; 2]; 3], DarcyError> {
        let mut ends = [[End::Closed; 2]; 3];
        for axis in 0..3 {
            for side in 0..2 {
                let span = [time + h * span.start, time + h * span.end];
                let area = self.grid.area(axis);
                ends[axis][side] = self.ends[axis][side].during(FACE_KEYS[axis][side], span, area, &self.fluid)?;
            }
        }
        Ok(ends)
    }

    /// The mean pressure with its ends filled in and its cells zero.
    fn mean_over(&self, time: f64, h: f64, plan: &[PassPlan]) -> Result<MeanPressure, DarcyError> {
        let theta = plan.first().map_or(1.0, |p| p.theta);
        let whole = self.ends_during(time, h, &(0.0..1.0))?;
        let weight = |part: &PassPlan| part.time.end - part.time.start;
        let mut ends = whole.map(|axis| {
            axis.map(|end| match end {
                End::Closed => MeanEnd::Closed,
                End::Inflow(content) => MeanEnd::Inflow(content),
                End::Pressure(p) => MeanEnd::Pressure(0.5 * (p[0] + p[1])),
            })
        });
        if self.scheme.composition == Composition::Unsplit {
            let spans = plan.iter().map(|part| Ok((weight(part), self.ends_during(time, h, &part.time)?)));
            let spans = spans.collect::<Result<Vec<_>, DarcyError>>()?;
            for axis in 0..3 {
                for side in 0..2 {
                    if let MeanEnd::Pressure(mean) = &mut ends[axis][side] {
                        *mean = spans
                            .iter()
                            .map(|(w, e)| match e[axis][side] {
                                End::Pressure(p) => w * (theta * p[1] + (1.0 - theta) * p[0]),
                                End::Closed | End::Inflow(_) => 0.0,
                            })
                            .sum();
                    }
                }
            }
        }
        Ok(MeanPressure { cells: vec![0.0; self.grid.len()], ends })
    }

    fn solve_pass(
        &mut self,
        time: f64,
        h: f64,
        part: &PassPlan,
        (flows, slippage, stored): (&PassFlows, Option<&FaceField>, Option<&Vec<f64>>),
        pores: &[Vec<f64>; 2],
        before: &[f64],
        after: &mut [f64],
    ) -> Result<PassReport, DarcyError> {
        let ends = self.ends_during(time, h, &part.time)?;
        let pass = Pass {
            grid: &self.grid,
            fluid: &self.fluid,
            axes: part.axes,
            theta: part.theta,
            pores: [&pores[0], &pores[1]],
            stored: stored.map(Vec::as_slice),
            squeeze: &flows.squeeze,
            through: &flows.through,
            total: &flows.total,
            conductance: &flows.conductance,
            slippage,
            ends,
        };
        let mut report = match self.scheme.form {
            Form::Conservative => {
                let at = match self.systems.iter().position(|s| s.axes() == part.axes) {
                    Some(at) => at,
                    None => {
                        self.systems.push(LinearSystem::new(&self.grid, part.axes, self.scheme.linear)?);
                        self.systems.len() - 1
                    }
                };
                let report = pass.solve(before, after, &mut self.systems[at], &self.scheme.newton, &mut self.work)?;
                if let Some(flow) = &mut self.flow {
                    pass.add_flow(before, after, flow);
                }
                report
            }
            Form::Source => {
                let at = match self.source_systems.iter().position(|s| s.axes() == part.axes) {
                    Some(at) => at,
                    None => {
                        self.source_systems.push(SourceSystem::new(&self.grid, part.axes)?);
                        self.source_systems.len() - 1
                    }
                };
                self.source_systems[at].solve(&pass, before, after, &self.scheme.newton)?
            }
        };
        report.carried = pass.carried(after);
        // asked of passes along one axis alone
        report.spreads = if part.axes == [true; 3] { 0.0 } else { pass.stiffness(after) - 1.0 };
        Ok(report)
    }
}

impl StepReport {
    fn add(&mut self, pass: &PassReport) {
        self.carried = self.carried.or(pass.carried);
        self.spreads = self.spreads.max(pass.spreads);
        self.iterations += pass.iterations;
        if pass.status != Status::Converged && self.status == Status::Converged {
            self.status = pass.status;
        }
        if pass.residual > self.residual || pass.residual.is_nan() {
            (self.residual, self.worst) = (pass.residual, pass.worst);
        }
        for axis in 0..3 {
            for side in 0..2 {
                self.inflow[axis][side] += pass.inflow[axis][side];
            }
        }
    }
}

/// The part of a step's flows that goes in one pass.
struct PassFlows {
    conductance: FaceField,
    total: FaceField,
    through: FaceField,
    squeeze: Vec<f64>,
    /// By how much the pores of each cell open (m³).
    opening: Vec<f64>,
}

impl PassFlows {
    fn new(grid: &Grid, medium: &Medium, conductance: &FaceField, part: &PassPlan) -> Self {
        let scaled = |f: &FaceField| FaceField(f.0.each_ref().map(|v| v.iter().map(|x| x * part.flow).collect()));
        let (total, solid) = (scaled(&medium.total), scaled(&medium.solid));
        let mut through = total.clone();
        for axis in 0..3 {
            for (t, s) in through.0[axis].iter_mut().zip(&solid.0[axis]) {
                *t -= s;
            }
        }
        if let Some(warmth) = &medium.warmth {
            warmth.scale_faces(grid, &mut through);
        }
        let grown = || medium.growth.iter().map(|g| -g * part.growth).collect::<Vec<_>>();
        let (mut squeeze, mut opening) = (grown(), grown());
        match &medium.biot {
            None => grid.add_divergence(&total, part.axes, &mut squeeze),
            Some(biot) => {
                let mut whole = vec![0.0; grid.len()];
                grid.add_divergence(&total, part.axes, &mut whole);
                squeeze.iter_mut().zip(whole).zip(&biot.coefficient).for_each(|((s, u), a)| *s += a * u);
            }
        }
        grid.add_divergence(&solid, part.axes, &mut opening);
        Self { conductance: scaled(conductance), total, through, squeeze, opening }
    }
}
