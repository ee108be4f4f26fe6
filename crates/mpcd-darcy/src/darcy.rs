//! The module: grains in, one step of the pore pressure, forces and grid fields out, the book of the fluid.

use mpcd_core::{
    Balance, Book, Dimension, GridSpec, InputError, Inputs, Outputs, PerBody, PerCell, Physics, Port, PortMisuse, Scalar, Setup,
    SolveError, SolveReport, Stage, Step, Unit, Vec3, Vector, World, WritePort, field::names,
};
use serde::{Deserialize, Serialize};

use crate::{
    biot::{Biot, BiotLaw},
    build,
    deposit::{Deposit, GrainStep, Stencil, inside, reach_out},
    ends::{FACE_KEYS, INFLOW_KEYS},
    error::DarcyError,
    fluid::Compressible,
    force::{felt_jumps, pressure_force, pressure_jumps, pull},
    frame::Resample,
    grains::{Grain, Grains},
    grid::{FaceField, Grid},
    heat::{
        fluid::{self as heat_of_fluid, FLUID_HEAT, FLUID_TEMPERATURE, Flowed, GRAINS, HEAT_CAPACITY, TEMPERATURE},
        params::{self as heat_params, HeatLaw},
    },
    medium::{Medium, Permeability, PorosityBounds},
    params::{CoupleParams, DarcyParams},
    pistons::{Ends, Pistons},
    schedule::Composition,
    smooth::Smoother,
    step::{Form, Scheme, StepReport, Stepper},
    warmth::{self, Warmth},
};

pub(crate) const FORCE: WritePort<Vector, PerBody> = WritePort::new(names::FLUID_FORCE, Unit::FORCE);
const PRESSURE: WritePort<Scalar, PerCell> = WritePort::new(names::PRESSURE, Unit::PRESSURE);
const POROSITY: WritePort<Scalar, PerCell> = WritePort::new(names::POROSITY, Unit::ONE);
pub(crate) const VELOCITY: WritePort<Vector, PerCell> = WritePort::new(names::GRID_VELOCITY, Unit::VELOCITY);

/// Steps at the start of a run that are taken in implicit halves.
const DAMPED_STEPS: u64 = 2;

/// What may flow out of a cell in a pass along one axis, over what it holds: two faces, each by a change that goes one cell.
const SPLIT: f64 = 2.0;

/// Mean diameter of the grains in cells from which on the grid is called finer than they are.
const FINER: f64 = 1.0 / 0.95;

/// Part of its radius from which on a grain is said to reach out of the grid at the start.
const OUT: f64 = 0.1;

/// Pore pressure on a grid over the grains.
#[derive(Debug)]
pub struct Darcy {
    pub(crate) stepper: Stepper,
    /// The grid of the frames.
    written: Grid,
    pub(crate) pistons: Pistons,
    scheme: Scheme,
    pub(crate) grains: Grains,
    pub(crate) smoother: Smoother,
    pub(crate) permeability: Permeability,
    pub(crate) bounds: PorosityBounds,
    pub(crate) biot: Option<BiotLaw>,
    pub(crate) heat: Option<HeatLaw>,
    /// Temperatures of the bodies in the first repetition of the step, only to see whether they stay: changes no bit.
    pub(crate) seen: Vec<f64>,
    couple: CoupleParams,
    tolerance: f64,
    pub(crate) mean_radius: f64,
    gravity: Vec3,
    initial: Vec<f64>,
    warnings: Vec<String>,
}

/// What changes: the pressure, and which grains are in the grid.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DarcyState {
    /// The pressure of every cell, x fastest (Pa): absolute in a gas, excess over hydrostatic in a liquid.
    pub pressure: Vec<f64>,
    /// For each grain, whether its volume is in the grid.
    pub members: Vec<bool>,
    /// The temperature of the gas in every cell (K), where a module computes one.
    pub temperature: Vec<f64>,
    /// Rise of the temperature of the fluid in every cell over that at the start of the run (K), where the model has `heat`.
    pub rise: Vec<f64>,
}

impl Clone for DarcyState {
    fn clone(&self) -> Self {
        Self {
            pressure: self.pressure.clone(),
            members: self.members.clone(),
            temperature: self.temperature.clone(),
            rise: self.rise.clone(),
        }
    }
    fn clone_from(&mut self, other: &Self) {
        self.pressure.clone_from(&other.pressure);
        self.members.clone_from(&other.members);
        self.temperature.clone_from(&other.temperature);
        self.rise.clone_from(&other.rise);
    }
}

impl Physics for Darcy {
    const NAME: &'static str = "Darcy";
    type Params = DarcyParams;
    type State = DarcyState;

    fn build(params: DarcyParams, setup: &Setup) -> Result<Self, InputError> {
        setup.refuse_moving_cell(Self::NAME)?;
        build::check_planar_keys(&params, setup)?;
        let permeability = build::permeability(&params, setup)?;
        let bounds = build::bounds(&params)?;
        let scheme = build::scheme(&params)?;
        let biot = build::biot(&params, bounds, &scheme, setup)?;
        let ends = build::ends(&params.boundaries, setup)?;
        let mut grains = Grains::find(setup, params.grains.as_deref(), params.monolayer)?;
        let fluid = build::fluid(&params.fluid);
        let outside = build::at_rest(&fluid);
        // what bounds the fluid is no grain of it, whose thickness and size would count
        let in_plane = build::grid(&params.grid, &ends, setup, 1.0)?;
        let pistons = Pistons::find(setup, &in_plane, &ends, outside)?;
        grains.list.retain(|g| !pistons.has(g.body));
        grains.left_out.retain(|b| !pistons.has(*b));
        if params.grains.is_none() {
            let start = pistons.at(&setup.initial, setup).map_err(|e| InputError::new(e.to_string()).at("boundaries"))?.extent;
            grains.leave_walls(setup, &in_plane.moving(&start, &start));
        }
        let planar = setup.dimension == Dimension::Planar;
        let thickness = params.thickness.map(|t| Ok(t.si())).or_else(|| planar.then(|| grains.thickness())).transpose()?;
        let grid = build::grid(&params.grid, &ends, setup, thickness.unwrap_or(1.0))?;
        let mut pistons = Pistons::find(setup, &grid, &ends, outside)?;
        let start = pistons.at(&setup.initial, setup).map_err(|e| InputError::new(e.to_string()).at("boundaries"))?.extent;
        let written = grid;
        let grid = written.moving(&start, &start);
        let initial = build::initial(params.initial.as_ref(), &grid, &fluid)?;
        let heat = heat_params::read(&params, &fluid, &scheme, &ends, planar)?;
        let mut stepper = Stepper::new(grid, fluid, ends, scheme);
        if heat.is_some() {
            stepper.count_flow();
        }
        let smoother = build::smoother(&params, &written, &grains);
        let mean_radius = grains.mean_radius();
        pistons.watch(setup, &written, &grains.bodies(setup.bodies.len()))?;
        grains.sample(smoother.narrowest(&written));
        let mut darcy = Self {
            stepper,
            smoother,
            written,
            pistons,
            scheme,
            mean_radius,
            grains,
            permeability,
            bounds,
            biot,
            heat,
            seen: Vec::new(),
            couple: params.couple,
            tolerance: params.tolerance.si(),
            gravity: setup.gravity,
            initial,
            warnings: Vec::new(),
        };
        darcy.warnings = darcy.warnings_of(&params, setup);
        Ok(darcy)
    }

    fn initial_state(&self, setup: &Setup) -> DarcyState {
        let grid = self.stepper.grid();
        let member = |g: &Grain| g.place(&setup.initial).is_some_and(|x| inside(grid, &x));
        let members = self.grains.list.iter().map(member).collect();
        let rise = if self.heat.is_some() { vec![0.0; grid.len()] } else { Vec::new() };
        DarcyState { pressure: self.initial.clone(), members, temperature: Vec::new(), rise }
    }

    fn ports(&self) -> Vec<Port> {
        let mut ports = vec![FORCE.into(), PRESSURE.into(), POROSITY.into(), VELOCITY.into()];
        match &self.heat {
            Some(law) => {
                ports.extend([Port::from(FLUID_TEMPERATURE), FLUID_HEAT.into()]);
                if law.film.is_some() {
                    ports.extend([Port::from(TEMPERATURE), HEAT_CAPACITY.into()]);
                }
            }
            None if self.stepper.fluid().is_gas() => ports.push(GRAINS.into()),
            None => {}
        }
        ports
    }

    fn initial_fields(&self, state: &DarcyState, setup: &Setup, at: World<'_>, outputs: &mut Outputs) -> Result<(), SolveError> {
        self.write_start(state, setup, at.kinematics, outputs).map_err(|e| e.of(Self::NAME))
    }

    fn grid(&self) -> Option<GridSpec> {
        Some(*self.written.spec())
    }

    fn numbers(&self) -> Vec<&'static str> {
        let mut names = vec!["pressure_min", "pressure_max", "porosity_min", "porosity_max", "fluid_inflow"];
        names.extend(self.stepper.passable().map(|(axis, side)| INFLOW_KEYS[axis][side]));
        names.push("piston_power");
        names.extend(self.heat.iter().flat_map(|_| heat_of_fluid::NUMBERS));
        names
    }

    fn warnings(&self) -> Vec<String> {
        self.warnings.clone()
    }

    /// The pressure force depends on the motion of the step itself, and strongly so where the fluid cannot escape.
    fn wants_iteration(&self) -> bool {
        self.couple.pressure_force
    }

    fn advance(
        &mut self,
        step: &Step,
        prev: &DarcyState,
        next: &mut DarcyState,
        inputs: &Inputs<'_>,
        outputs: &mut Outputs,
    ) -> Result<SolveReport, SolveError> {
        self.advance_step(step, prev, next, inputs, outputs).map_err(|e| e.of(Self::NAME))
    }

    fn drop_caches(&mut self) {
        self.stepper.drop_caches();
        self.seen.clear();
    }
}

impl Darcy {
    /// The grid of the frames.
    pub(crate) const fn written(&self) -> &Grid {
        &self.written
    }

    fn advance_step(
        &mut self,
        step: &Step,
        prev: &DarcyState,
        next: &mut DarcyState,
        inputs: &Inputs<'_>,
        outputs: &mut Outputs,
    ) -> Result<SolveReport, DarcyError> {
        let (before, after) = (inputs.world_before.kinematics, inputs.world.kinematics);
        let (moved, ends) = self.pistons.over_step(&self.written, before, after, inputs.setup)?;
        self.stepper.set_grid(moved);
        let grid = self.stepper.grid();
        if prev.members.len() != self.grains.list.len() {
            return Err(DarcyError::State { what: "grains", found: prev.members.len(), expected: self.grains.list.len() });
        }
        let grains = self.grains.list.iter().zip(&prev.members);
        let steps = grains.map(|(g, member)| self.grains.over_step(g, *member, before, after, inputs.setup));
        let steps = steps.collect::<Result<Vec<GrainStep>, _>>()?;
        next.members.clear();
        next.members.extend(steps.iter().map(|grain| inside(grid, &grain.position[0])));
        let (mut deposit, mut medium, mut stencil) = (Deposit::new(grid), Medium::new(grid), Stencil::default());
        steps.iter().for_each(|grain| deposit.add(grid, &mut stencil, grain));
        self.smoother.widen(grid, &mut deposit);
        medium.update(grid, &deposit, self.bounds, self.permeability, self.mean_radius, self.stepper.open());
        medium.biot = self.biot.map(|law| Biot::new(grid, &deposit, self.bounds, law));

        next.pressure.clone_from(&prev.pressure);
        let damped = step.index < DAMPED_STEPS;
        medium.warmth = self.warmth(inputs, &steps, prev, next, &mut stencil)?;
        let (report, mean) = self.stepper.advance(step.time, step.h, &medium, &mut next.pressure, damped)?;

        let (grid, fluid) = (self.stepper.grid(), self.stepper.fluid());
        let mut conductance = grid.face_field();
        medium.conductance(grid, fluid.viscosity, step.h, &mut conductance);
        let mut jumps = pressure_jumps(grid, fluid, &mean, &conductance, medium.slippage(grid, fluid).as_ref());
        felt_jumps(grid, &medium, &mean, &mut jumps);
        let pull = pull(grid, &medium, &self.smoother, jumps);
        self.write_forces(outputs.write(FORCE)?, &steps, (&pull, &mean.cells), &mut stencil);
        let felt = medium.biot.as_ref().map(|biot| biot.felt(&mean.cells));
        let felt = felt.as_deref().unwrap_or(&mean.cells);
        let power = self.write_piston_forces(&ends, felt, outputs.write(FORCE)?) / step.h;
        self.write_pores(&medium, &next.pressure, outputs)?;
        self.write_velocity(step, &deposit, outputs)?;
        let mut out = self.report(step, &report, &deposit, &medium, &prev.pressure, &next.pressure);
        out.numbers.push(("piston_power", power));
        if let Some(flow) = self.stepper.flow().filter(|_| self.heat.is_some()).cloned() {
            let after = next.pressure.clone();
            let flowed = Flowed { medium: &medium, flow: &flow, pressure: [&prev.pressure, &after], grains: &steps };
            self.advance_heat(step, &flowed, (prev, next), inputs, outputs, &mut out)?;
        }
        Ok(out)
    }

    /// What the temperature of a gas does in this step, if a module computes temperatures.
    fn warmth(
        &self,
        inputs: &Inputs<'_>,
        steps: &[GrainStep],
        prev: &DarcyState,
        next: &mut DarcyState,
        stencil: &mut Stencil,
    ) -> Result<Option<Warmth>, DarcyError> {
        let (grid, fluid) = (self.stepper.grid(), self.stepper.fluid());
        next.temperature.clear();
        let Compressible::Gas { reference_temperature, .. } = fluid.state else { return Ok(None) };
        if let Some(law) = &self.heat {
            // a step late: the heat follows the flow
            next.temperature.extend(prev.rise.iter().map(|rise| law.start + rise));
            let before = if prev.temperature.is_empty() { &next.temperature } else { &prev.temperature };
            return Ok(Some(Warmth::new(fluid, before, &next.temperature)));
        }
        let Some(given) = inputs.read(GRAINS)? else { return Ok(None) };
        if self.scheme.form == Form::Source {
            return Err(DarcyError::WarmSource);
        }
        let first = prev.temperature.is_empty();
        let start = inputs.read_start(GRAINS)?.flatten().filter(|_| first);
        let mut of_cells = |given: &[f64]| {
            let of_body = |body: usize| given.get(body).copied().unwrap_or(reference_temperature);
            let of_grain = |k: usize| of_body(self.grains.list[k].body.index());
            warmth::of_cells(grid, &self.smoother, steps, of_grain, reference_temperature, stencil)
        };
        let start = start.map(&mut of_cells);
        next.temperature = of_cells(given);
        let before = start.as_ref().unwrap_or(if first { &next.temperature } else { &prev.temperature });
        if before.len() != grid.len() {
            return Err(DarcyError::State { what: "temperatures of cells", found: before.len(), expected: grid.len() });
        }
        Ok(Some(Warmth::new(fluid, before, &next.temperature)))
    }

    /// Adds the pressure on the bodies at the ends, and returns the work that they do on the fluid in the step (J).
    pub(crate) fn write_piston_forces(&self, ends: &Ends, pressure: &[f64], force: &mut [[f64; 3]]) -> f64 {
        let grid = self.stepper.grid();
        if self.couple.pressure_force {
            self.pistons.forces(grid, ends, pressure, |body, f| {
                if let Some(row) = force.get_mut(body.index()) {
                    (0..3).for_each(|d| row[d] += f[d]);
                }
            });
        }
        self.pistons.work(grid, ends, pressure)
    }

    /// Pressure and buoyancy on each grain, given what the faces do to it.
    /// `cells` are their pressures (Pa), by which a gas is denser.
    pub(crate) fn write_forces(
        &self,
        force: &mut [[f64; 3]],
        steps: &[GrainStep],
        (pull, cells): (&FaceField, &[f64]),
        stencil: &mut Stencil,
    ) {
        let (grid, fluid) = (self.stepper.grid(), self.stepper.fluid());
        force.fill([0.0; 3]);
        for (grain, body) in steps.iter().zip(self.grains.list.iter().map(|g| g.body.index())) {
            let Some(pressure) = pressure_force(grid, pull, stencil, grain) else { continue };
            let mut sum = Vec3::zeros();
            if self.couple.pressure_force {
                sum += pressure;
            }
            if self.couple.buoyancy {
                let density =
                    if fluid.is_gas() { fluid.density * content_about(fluid, grid, stencil, cells) } else { fluid.density };
                sum -= self.gravity * (density * 0.5 * (grain.volume[0] + grain.volume[1]));
            }
            if let Some(row) = force.get_mut(body) {
                (0..3).for_each(|d| row[d] += sum[d]);
            }
        }
    }

    /// Pressure and porosity of the grid.
    pub(crate) fn write_pores(&self, medium: &Medium, pressure: &[f64], outputs: &mut Outputs) -> Result<(), PortMisuse> {
        let grid = self.stepper.grid();
        let (volume, frames) = (grid.volume_at(1), Resample::new(grid, &self.written));
        frames.write(grid, pressure, outputs.write(PRESSURE)?, |p| p, |p| p);
        frames.write(grid, &medium.pores_after, outputs.write(POROSITY)?, |e| e / volume, |_| 0.0);
        Ok(())
    }

    fn write_velocity(&self, step: &Step, deposit: &Deposit, outputs: &mut Outputs) -> Result<(), PortMisuse> {
        let solid = deposit.solid_before.iter().zip(&deposit.solid_after).map(|(a, b)| 0.5 * (a + b));
        let mean = |(moved, solid): (&Vec3, f64)| if solid > 0.0 { moved / (solid * step.h) } else { Vec3::zeros() };
        let velocity: Vec<Vec3> = deposit.moved.iter().zip(solid).map(mean).collect();
        self.write_frame_velocity(&velocity, outputs)
    }

    pub(crate) fn write_frame_velocity(&self, velocity: &[Vec3], outputs: &mut Outputs) -> Result<(), PortMisuse> {
        let grid = self.stepper.grid();
        let frames = Resample::new(grid, &self.written);
        frames.write(grid, velocity, outputs.write(VELOCITY)?, |v| v.into(), |_| [0.0; 3]);
        Ok(())
    }

    fn report(
        &self,
        step: &Step,
        report: &StepReport,
        deposit: &Deposit,
        medium: &Medium,
        before: &[f64],
        after: &[f64],
    ) -> SolveReport {
        let grid = self.stepper.grid();
        let solver = match (self.scheme.composition, self.scheme.form) {
            (Composition::Unsplit, _) => "newton",
            (Composition::Split, Form::Conservative) => "newton-split",
            (Composition::Split, Form::Source) => "newton-split-source",
        };
        let stage =
            Stage { solver: solver.to_owned(), iterations: report.iterations, residual: report.residual, status: report.status };
        let mut out = SolveReport::of_stage(stage, self.tolerance);
        if report.status != mpcd_core::Status::Converged {
            let at = grid.centre(report.worst);
            out.worst = format!(
                "the pore pressure still changes most at ({:.4}, {:.4}, {:.4}) m; try a smaller time step, or more `substeps` of Darcy",
                at.x, at.y, at.z
            );
        }
        let volume = grid.volume_at(1);
        let range = |values: &mut dyn Iterator<Item = f64>| {
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)))
        };
        let pressure = range(&mut after.iter().copied());
        let porosity = range(&mut medium.pores_after.iter().map(|e| e / volume));
        let balance = self.balance(report, medium, before, after);
        let inflow: f64 = balance.flows.iter().map(|(_, f)| f.x).sum::<f64>() / step.h;
        out.numbers = vec![
            ("pressure_min", pressure.0),
            ("pressure_max", pressure.1),
            ("porosity_min", porosity.0),
            ("porosity_max", porosity.1),
            ("fluid_inflow", inflow),
        ];
        let unit = if self.stepper.fluid().is_gas() { self.stepper.fluid().density } else { 1.0 };
        let through = |(axis, side): (usize, usize)| (INFLOW_KEYS[axis][side], unit * report.inflow[axis][side] / step.h);
        out.numbers.extend(self.stepper.passable().map(through));
        out.balances = vec![balance];
        out.warnings = self.step_warnings(step, deposit, medium);
        out.warnings.extend(report.carried.warning(grid));
        out.warnings.extend(self.split_warning(report));
        out
    }

    /// Gas in kg, liquid in m³ at reference density.
    fn balance(&self, report: &StepReport, medium: &Medium, before: &[f64], after: &[f64]) -> Balance {
        let fluid = self.stepper.fluid();
        let unit = if fluid.is_gas() { fluid.density } else { 1.0 };
        let content =
            |holds: &[f64], pressure: &[f64]| unit * holds.iter().zip(pressure).map(|(e, p)| e * fluid.content(*p)).sum::<f64>();
        let stored = [content(&medium.holds(0), before), content(&medium.holds(1), after)];
        let throughput: f64 = report.inflow.iter().flatten().map(|f| (unit * f).abs()).sum();
        let mut balance = Balance::new(Book::Fluid, stored[0].abs().max(stored[1].abs()) + throughput);
        balance = balance.store("pores", stored[0], stored[1]);
        if let Some(biot) = &medium.biot {
            let mut squeezed = vec![0.0; before.len()];
            self.stepper.grid().add_divergence(&medium.total, [true; 3], &mut squeezed);
            balance = balance.flow("grains", unit * biot.given(&squeezed, before, after));
        }
        for (keys, flows) in FACE_KEYS.iter().zip(&report.inflow) {
            balance = balance.flow(keys[0], unit * flows[0]).flow(keys[1], unit * flows[1]);
        }
        balance
    }

    /// What is said of a step that is split although pressure goes farther in it than a cell: what one axis brings would leave along another.
    fn split_warning(&self, report: &StepReport) -> Option<String> {
        let grid = self.stepper.grid();
        let is_split = matches!(self.scheme.composition, Composition::Split) && (0..3).filter(|a| grid.cells(*a) > 1).count() > 1;
        (is_split && report.spreads > SPLIT).then(|| {
            "`Split` takes one axis after the other, and a change of pressure goes farther than a cell in a step: pressures, flows and forces may be wrong by orders of magnitude; write `scheme: Unsplit()`, or take much shorter steps".to_owned()
        })
    }

    fn step_warnings(&self, step: &Step, deposit: &Deposit, medium: &Medium) -> Vec<String> {
        let mut out = Vec::new();
        let open = self.stepper.open();
        for axis in 0..3 {
            for side in 0..2 {
                let count = deposit.crossed[axis][side];
                if count > 0 && !open[axis][side] {
                    out.push(format!(
                        "grains passed the closed face `{}` of the pore grid; make the grid as large as the box",
                        FACE_KEYS[axis][side]
                    ));
                }
            }
        }
        if medium.cut > 0 {
            out.push(format!(
                "grains leave less than the least porosity {} in a cell; take larger cells or more `smoothing`",
                self.bounds.min
            ));
        }
        // The coefficient of a bed follows its porosity, so the first step tells.
        let biot = self.biot.zip(medium.biot.as_ref()).filter(|_| step.index == 0);
        out.extend(biot.and_then(|(law, biot)| biot.far_from(law, &deposit.solid_after, self.bounds)));
        out
    }

    fn warnings_of(&self, params: &DarcyParams, setup: &Setup) -> Vec<String> {
        let mut out = Vec::new();
        let grid = self.stepper.grid();
        let outside = |g: &Grain| g.place(&setup.initial).is_some_and(|x| !inside(grid, &x));
        let bodies = || self.grains.list.chunk_by(|a, b| a.body == b.body);
        let all = bodies().count();
        let away = bodies().filter(|parts| parts.iter().all(outside)).count();
        let across = bodies().filter(|parts| parts.iter().any(outside)).count() - away;
        if all == 0 {
            out.push("there are no grains (solid bodies with a mass); the pore grid is empty".to_owned());
        }
        if away > 0 {
            out.push(format!("{away} of {all} grains start outside the pore grid and feel no fluid until they enter it"));
        }
        if across > 0 {
            out.push(format!(
                "{across} of {all} grains reach out of the pore grid at the start; the part outside feels no fluid until it enters"
            ));
        }
        let axes = if setup.dimension == Dimension::Planar { 2 } else { 3 };
        let reaches = |g: &Grain| {
            let (Some(x), Some(radius)) = (g.place(&setup.initial), g.radius_of_whole()) else { return false };
            inside(grid, &x) && reach_out(grid, axes, &x, radius) > OUT * radius
        };
        let reaching = self.grains.count(reaches);
        if reaching > 0 {
            out.push(format!(
                "{reaching} of {all} grains reach out of the pore grid at the start; grains this small beside the kernel that `smoothing` gives them are in the \
                 fluid with all of their volume as long as their centre is in the grid, and out of it with all of it beyond"
            ));
        }
        if !self.grains.left_out.is_empty() {
            out.push(format!(
                "{} bodies with a mass are hollow or open surfaces; the pore fluid does not see them",
                self.grains.left_out.len()
            ));
        }
        let finest = (0..3).filter(|d| grid.cells(*d) > 1).map(|d| grid.written_spacing(d)).fold(f64::INFINITY, f64::min);
        let ratio = 2.0 * self.mean_radius / finest;
        if !self.grains.list.is_empty() && ratio > FINER {
            out.push(format!(
                "the pore grid is finer than the grains: a mean diameter is {ratio:.2} cells; the pressure has no detail finer than the kernel of the grains, so cells of one diameter are as good"
            ));
        }
        if params.monolayer && self.grains.has_discs() {
            out.push(
                "monolayer: each disc counts as a sphere, 2/3 of its volume, for the fluid and its buoyancy, but keeps the mass of a disc; take `Sphere` bodies, or 2/3 of the density".to_owned(),
            );
        }
        out
    }
}

/// Fluid per pore volume about a grain, as its kernel weighs the cells.
fn content_about(fluid: &crate::fluid::Fluid, grid: &Grid, stencil: &Stencil, cells: &[f64]) -> f64 {
    let (mut sum, mut all) = (0.0, 0.0);
    stencil.for_each_cell(grid, |c, before, after| {
        sum += (before + after) * fluid.content(cells[c]);
        all += before + after;
    });
    if all > 0.0 { sum / all } else { 1.0 }
}
