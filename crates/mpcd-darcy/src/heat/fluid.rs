//! From the step of the pressure to that of the heat: what the cells hold, what the faces carry and conduct, how the grains hold on; fields, book and words
//! of what came of it.

use mpcd_core::{
    Balance, Book, Inputs, OptionalPort, Outputs, PerBody, PerCell, PortMisuse, ReadPort, Scalar, SolveReport, Stage, Status,
    Step, Unit, WritePort, field::names,
};

use super::{Grip, HeatOutcome, HeatStep, params::HeatLaw};
use crate::{
    darcy::{Darcy, DarcyState},
    deposit::{GrainStep, Presence, Stencil},
    ends::{EndLaw, FACE_KEYS},
    error::DarcyError,
    frame::Resample,
    grid::FaceField,
    medium::Medium,
};

pub(crate) const FLUID_TEMPERATURE: WritePort<Scalar, PerCell> = WritePort::new(names::FLUID_TEMPERATURE, Unit::TEMPERATURE);
pub(crate) const FLUID_HEAT: WritePort<Scalar, PerBody> = WritePort::new(names::FLUID_HEAT, Unit::POWER);
/// Of the step before: the grains answer to the fluid within the step by their capacities, and heat comes after it.
pub(crate) const TEMPERATURE: ReadPort<Scalar, PerBody> = ReadPort::lagged(names::TEMPERATURE, Unit::TEMPERATURE)
    .made_by("`Thermal(…)` after `Darcy`, or write `exchange: Insulating` in `heat`");
pub(crate) const HEAT_CAPACITY: ReadPort<Scalar, PerBody> = ReadPort::lagged(names::HEAT_CAPACITY, Unit::HEAT_CAPACITY)
    .made_by("`pore_fluid: true` in `Thermal`, or write `exchange: Insulating` in `heat`");
/// How warm a gas is without `heat`.
pub(crate) const GRAINS: OptionalPort<Scalar, PerBody> = ReadPort::lagged(names::TEMPERATURE, Unit::TEMPERATURE).optional();

/// Names of the numbers for the history.
pub(crate) const NUMBERS: [&str; 4] = ["fluid_temperature_min", "fluid_temperature_max", "fluid_heat_in", "fluid_heat_to_grains"];

/// Part of the rises that the solve leaves, and its most iterations.
const TOLERANCE: f64 = 1e-13;
const MOST_ITERATIONS: usize = 20_000;

/// Cell Péclet number above which conduction of the scheme is told.
const TOLD_ABOVE: f64 = 2.0;

/// What the step of the pressure left for that of the heat.
pub(crate) struct Flowed<'a> {
    pub(crate) medium: &'a Medium,
    /// Content through each face over the step (m³), positive along its axis.
    pub(crate) flow: &'a FaceField,
    pub(crate) pressure: [&'a [f64]; 2],
    pub(crate) grains: &'a [GrainStep],
}

impl Darcy {
    /// Takes the temperature of the fluid over the step, and adds what came of it to the report.
    pub(crate) fn advance_heat(
        &mut self,
        step: &Step,
        flowed: &Flowed<'_>,
        (prev, next): (&DarcyState, &mut DarcyState),
        inputs: &Inputs<'_>,
        outputs: &mut Outputs,
        report: &mut SolveReport,
    ) -> Result<(), DarcyError> {
        let Some(law) = self.heat.clone() else { return Ok(()) };
        if law.film.is_some() {
            self.refuse_moved(step, inputs.read(TEMPERATURE)?)?;
        }
        let grid = self.stepper.grid();
        next.rise.clone_from(&prev.rise);
        if next.rise.len() != grid.len() {
            return Err(DarcyError::State { what: "temperatures of cells", found: next.rise.len(), expected: grid.len() });
        }
        let fluid = self.stepper.fluid();
        let held = |when: usize| -> Vec<f64> {
            let holds = flowed.medium.holds(when);
            holds
                .iter()
                .zip(flowed.pressure[when])
                .map(|(e, p)| law.specific_heat * fluid.density * e * fluid.content(*p))
                .collect()
        };
        let (before, after) = (held(0), held(1));
        let mut carried = flowed.flow.clone();
        carried.0.iter_mut().flatten().for_each(|f| *f *= law.specific_heat * fluid.density);
        let heat = HeatStep {
            grid,
            theta: law.theta,
            conducted: self.conducted(&law, step.h, flowed, &carried),
            ends: self.rises_at_ends(&law, step)?,
            made: self.work_of_pressure(flowed),
            grains: self.grips(&law, step, flowed, inputs)?,
            capacity: before,
            carried,
        };
        let outcome = heat.solve(&mut next.rise, TOLERANCE, MOST_ITERATIONS)?;
        if let Some(c) = next.rise.iter().position(|rise| !(law.start + rise > 0.0 && rise.is_finite())) {
            return Err(DarcyError::Cold { place: grid.centre(c).into(), value: law.start + next.rise[c] });
        }
        let given = outputs.write(FLUID_HEAT)?;
        for (grain, heat) in heat.grains.iter().zip(&outcome.to_grains) {
            if let Some(row) = given.get_mut(grain.body) {
                *row += heat / step.h;
            }
        }
        self.write_fluid_temperature(&law, &next.rise, outputs)?;
        self.tell(&law, step, (&heat, &outcome), (&prev.rise, &next.rise), &after, report);
        Ok(())
    }

    /// The temperature of the grid.
    pub(crate) fn write_fluid_temperature(&self, law: &HeatLaw, rise: &[f64], outputs: &mut Outputs) -> Result<(), PortMisuse> {
        let grid = self.stepper.grid();
        let of = |rise: f64| law.start + rise;
        Resample::new(grid, self.written()).write(grid, rise, outputs.write(FLUID_TEMPERATURE)?, of, of);
        Ok(())
    }

    /// What each face conducts over the step (J/K): the fluid in its pores, and dispersion; at walls that are held, over half a cell.
    fn conducted(&self, law: &HeatLaw, h: f64, flowed: &Flowed<'_>, carried: &FaceField) -> FaceField {
        let grid = self.stepper.grid();
        let volume = grid.cell_volume();
        let pores = |c: usize| 0.5 * (flowed.medium.pores_before[c] + flowed.medium.pores_after[c]) / volume;
        let mut out = grid.face_field();
        for axis in 0..3 {
            let unit = law.conductivity * grid.area(axis) * h / grid.spacing(axis);
            for (face, sides) in grid.sides(axis).iter().enumerate() {
                out.0[axis][face] = match *sides {
                    (Some(a), Some(b)) => {
                        let dispersed = law.dispersion / grid.spacing(axis) * carried.0[axis][face].abs();
                        unit * 0.5 * (pores(a) + pores(b)) + dispersed
                    }
                    (None, Some(c)) if self.is_held(law, axis, 0) => 2.0 * unit * pores(c),
                    (Some(c), None) if self.is_held(law, axis, 1) => 2.0 * unit * pores(c),
                    _ => 0.0,
                };
            }
        }
        out
    }

    /// Whether an end is a wall with a temperature.
    fn is_held(&self, law: &HeatLaw, axis: usize, side: usize) -> bool {
        law.ends[axis][side].is_some() && matches!(self.stepper.end(axis, side), EndLaw::Wall | EndLaw::Piston { .. })
    }

    /// The rise at each end (K), in the middle of the step as the θ-scheme weighs it.
    fn rises_at_ends(&self, law: &HeatLaw, step: &Step) -> Result<[[f64; 2]; 3], DarcyError> {
        let mut out = [[0.0; 2]; 3];
        let time = step.time + law.theta * step.h;
        for (axis, pair) in law.ends.iter().enumerate() {
            for (side, end) in pair.iter().enumerate() {
                let Some(end) = end else { continue };
                let value = end.at(time);
                if !(value.is_finite() && value > 0.0) {
                    return Err(DarcyError::Boundary {
                        face: FACE_KEYS[axis][side],
                        value,
                        time,
                        expected: "a temperature above zero",
                    });
                }
                out[axis][side] = value - law.start;
            }
        }
        Ok(out)
    }

    /// Heat that a gas is given where its pressure rises, e (p₁ − p₀) of each cell (J): what friction along the grains makes of u·∇p and what that
    /// expansion takes cancel.
    fn work_of_pressure(&self, flowed: &Flowed<'_>) -> Vec<f64> {
        let [before, after] = flowed.pressure;
        if !self.stepper.fluid().is_gas() {
            return vec![0.0; before.len()];
        }
        let medium = flowed.medium;
        let of = |c: usize| 0.5 * (medium.pores_before[c] + medium.pores_after[c]) * (after[c] - before[c]);
        (0..before.len()).map(of).collect()
    }

    /// Grains answer from where they stand at the start of the step: they may not move on within it.
    fn refuse_moved(&mut self, step: &Step, temperature: &[f64]) -> Result<(), DarcyError> {
        if step.iteration == 0 {
            self.seen.clear();
            self.seen.extend_from_slice(temperature);
        }
        if self.seen.is_empty() || self.seen == temperature { Ok(()) } else { Err(DarcyError::Repeated) }
    }

    /// How the grains hold on to the fluid: over a diameter, or the nearest cells where these are as large.
    fn grips(&self, law: &HeatLaw, step: &Step, flowed: &Flowed<'_>, inputs: &Inputs<'_>) -> Result<Vec<Grip>, DarcyError> {
        let Some(film) = law.film else { return Ok(Vec::new()) };
        let (temperature, capacity) = (inputs.read(TEMPERATURE)?, inputs.read(HEAT_CAPACITY)?);
        let (grid, fluid) = (self.stepper.grid(), self.stepper.fluid());
        let flux = self.flux_past_grains(step.h, flowed);
        let finest = (0..3).filter(|d| grid.cells(*d) > 1).map(|d| grid.written_spacing(d)).fold(f64::INFINITY, f64::min);
        let (mut stencil, mut out) = (Stencil::default(), Vec::<Grip>::new());
        for (number, grain) in flowed.grains.iter().enumerate() {
            let body = self.grains.list[number].body.index();
            let (Some(t), Some(c)) = (temperature.get(body), capacity.get(body)) else { continue };
            let reach = self.grains.reach(number, grain, finest);
            let whole = GrainStep { smoothing: reach, ..*grain };
            if *c == 0.0 || !matches!(stencil.prepare(grid, &whole), Presence::Inside | Presence::Enters { .. }) {
                continue;
            }
            if out.last().is_none_or(|last| last.body != body) {
                let capacity = if *c < 0.0 { f64::INFINITY } else { *c };
                out.push(Grip { body, capacity, rise: t - law.start, cells: Vec::new() });
            }
            let mut past = 0.0;
            stencil.for_each_cell(grid, |cell, _, w| past += w * flux[cell]);
            let transfer = film.transfer(fluid, law.conductivity, law.specific_heat, grain.radius, past);
            let strength = step.h * transfer * self.grains.surface(number, grain);
            if let Some(last) = out.last_mut() {
                stencil.for_each_cell(grid, |cell, _, w| {
                    if w > 0.0 {
                        last.cells.push((cell, strength * w));
                    }
                });
            }
        }
        out.iter_mut().for_each(Grip::merge);
        Ok(out)
    }

    /// |ρ q| of each cell past its grains [kg/(m² s)]: what goes through its faces less what the grains take along.
    fn flux_past_grains(&self, h: f64, flowed: &Flowed<'_>) -> Vec<f64> {
        let (grid, fluid, medium) = (self.stepper.grid(), self.stepper.fluid(), flowed.medium);
        let holds = medium.holds(1);
        let dense = |c: usize| holds[c] * fluid.content(flowed.pressure[1][c]) / medium.pores_after[c];
        let mut sum = vec![0.0; grid.len()];
        for axis in 0..3 {
            let past = |face: usize| {
                let sides = grid.sides(axis)[face];
                let content = match sides {
                    (Some(a), Some(b)) => 0.5 * (dense(a) + dense(b)),
                    (Some(c), None) | (None, Some(c)) => dense(c),
                    (None, None) => 0.0,
                };
                let taken = content * (medium.total.0[axis][face] - medium.solid.0[axis][face]);
                fluid.density * (flowed.flow.0[axis][face] - taken) / (grid.area(axis) * h)
            };
            for (c, sum) in sum.iter_mut().enumerate() {
                let (low, high) = grid.faces_of(axis, c);
                *sum += (0.5 * (past(low) + past(high))).powi(2);
            }
        }
        sum.into_iter().map(f64::sqrt).collect()
    }

    /// Book, numbers, stage and warnings.
    fn tell(
        &self,
        law: &HeatLaw,
        step: &Step,
        (heat, outcome): (&HeatStep<'_>, &HeatOutcome),
        (before, after): (&[f64], &[f64]),
        holds: &[f64],
        report: &mut SolveReport,
    ) {
        let content = |capacity: &[f64], rise: &[f64]| capacity.iter().zip(rise).map(|(m, t)| m * t).sum::<f64>();
        let size = |capacity: &[f64], rise: &[f64]| capacity.iter().zip(rise).map(|(m, t)| (m * t).abs()).sum::<f64>();
        let to_grains: f64 = outcome.to_grains.iter().sum();
        let made: f64 = heat.made.iter().sum();
        // the mass that the pressure, solved to its tolerance, says and the fluxes do not
        let drift = |c: usize| (holds[c] - outcome.capacity[c]) * after[c];
        let unbalanced: f64 = (0..after.len()).map(drift).sum();
        let moved = outcome.inflow.iter().flatten().chain(&outcome.to_grains).map(|q| q.abs()).sum::<f64>();
        let worked: f64 = heat.made.iter().map(|q| q.abs()).sum();
        let scale = size(&heat.capacity, before) + size(holds, after) + moved + worked;
        let mut book = Balance::new(Book::Heat, scale)
            .store("pore fluid", content(&heat.capacity, before), content(holds, after))
            .flow("pore fluid to grains", -to_grains)
            .flow("work of pore pressure", made)
            .flow("pore fluid: mass of the tolerance", unbalanced);
        for (keys, flows) in HEAT_KEYS.iter().zip(&outcome.inflow) {
            book = book.flow(keys[0], flows[0]).flow(keys[1], flows[1]);
        }
        report.balances.push(book);
        let range = after.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[l, h], t| [l.min(*t), h.max(*t)]);
        let inflow: f64 = outcome.inflow.iter().flatten().sum();
        let values = [law.start + range[0], law.start + range[1], inflow / step.h, to_grains / step.h];
        report.numbers.extend(NUMBERS.into_iter().zip(values));
        let stage = Stage {
            solver: "heat".to_owned(),
            iterations: outcome.iterations,
            residual: outcome.residual,
            status: outcome.status,
        };
        if outcome.status != Status::Converged && report.status == Status::Converged {
            (report.status, report.residual, report.tolerance) = (outcome.status, outcome.residual, TOLERANCE);
            report.worst = "the heat of the pore fluid is not balanced; take a smaller step".to_owned();
        }
        report.stages.push(stage);
        report.warnings.extend(self.told(law, outcome));
    }

    /// What is said where the scheme conducts more than the fluid. The number is told by powers of two, so that it is not said anew in every step.
    fn told(&self, law: &HeatLaw, outcome: &HeatOutcome) -> Option<String> {
        let (peclet, axis, cell) = outcome.peclet;
        if peclet <= TOLD_ABOVE {
            return None;
        }
        let grid = self.stepper.grid();
        let at = grid.centre(cell);
        let (axis_name, place) = (["x", "y", "z"][axis], format!("near ({:.3}, {:.3}, {:.3}) m first", at.x, at.y, at.z));
        let dx = grid.spacing(axis);
        if !peclet.is_finite() || law.conductivity == 0.0 && law.dispersion == 0.0 {
            return Some(format!(
                "the pore fluid carries heat along {axis_name} and conducts none, {place}: fronts are smeared over √(u t Δx) with Δx = {dx:.2e} m, as if it dispersed over half a cell"
            ));
        }
        let told = peclet.log2().floor().exp2();
        let more = 0.5 * told / (0.5 * told).tanh() - 1.0;
        Some(format!(
            "the pore fluid carries heat along {axis_name} at a cell Péclet number of {told} or more, {place}: the scheme is then upwind and conducts {more:.2} times what the fluid does besides, as if it dispersed over half a cell ({:.2e} m); cells of {:.2e} m along {axis_name}, or a `dispersion` of the bed itself, would be below {TOLD_ABOVE}",
            0.5 * dx,
            dx * TOLD_ABOVE / (2.0 * told)
        ))
    }
}

/// Lines of the book, per axis and end.
const HEAT_KEYS: [[&str; 2]; 3] = [
    ["pore fluid at x_min", "pore fluid at x_max"],
    ["pore fluid at y_min", "pore fluid at y_max"],
    ["pore fluid at z_min", "pore fluid at z_max"],
];
