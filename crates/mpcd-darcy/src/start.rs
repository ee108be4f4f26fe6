//! The fields at the start of a run: what the grains and the initial pressure make of the grid before anything moves.

use mpcd_core::{Kinematics, Outputs, Setup, Vec3};

use crate::{
    biot::Biot,
    darcy::{Darcy, DarcyState, FORCE},
    deposit::{Deposit, GrainStep, Stencil},
    error::DarcyError,
    force::{felt_jumps, pressure_jumps, pull},
    grid::Grid,
    heat::fluid::FLUID_HEAT,
    medium::Medium,
    smooth::Smoother,
    step::{MeanEnd, MeanPressure},
};

impl Darcy {
    /// Pressure, porosity and mean grain velocity of the grid, and the force that this pressure and buoyancy exert on each grain.
    /// What the ends hold acts from the first step on, in which the pressure follows it.
    pub(crate) fn write_start(
        &self,
        state: &DarcyState,
        setup: &Setup,
        at: &Kinematics,
        outputs: &mut Outputs,
    ) -> Result<(), DarcyError> {
        let grid = self.stepper.grid();
        let grains = self.grains.list.iter().zip(&state.members);
        let still = grains.map(|(g, member)| self.grains.over_step(g, *member, at, at, setup));
        let still = still.collect::<Result<Vec<GrainStep>, _>>()?;
        let (mut deposit, mut medium, mut stencil) = (Deposit::new(grid), Medium::new(grid), Stencil::default());
        still.iter().for_each(|grain| deposit.add(grid, &mut stencil, grain));
        self.smoother.widen(grid, &mut deposit);
        medium.update(grid, &deposit, self.bounds, self.permeability, self.mean_radius, self.stepper.open());
        self.write_pores(&medium, &state.pressure, outputs)?;
        // With the ends of the cells' own pressure nothing flows in, and no conductance counts.
        let mean = MeanPressure { cells: state.pressure.clone(), ends: [[MeanEnd::Closed; 2]; 3] };
        medium.biot = self.biot.map(|law| Biot::new(grid, &deposit, self.bounds, law));
        let mut jumps = pressure_jumps(grid, self.stepper.fluid(), &mean, &grid.face_field(), None);
        felt_jumps(grid, &medium, &mean, &mut jumps);
        let pull = pull(grid, &medium, &self.smoother, jumps);
        self.write_forces(outputs.write(FORCE)?, &still, (&pull, &state.pressure), &mut stencil);
        let velocity = |k: usize| at.velocity.get(self.grains.list[k].body.index()).copied().unwrap_or_default();
        let ends = self.pistons.at(at, setup)?;
        let felt = medium.biot.as_ref().map(|biot| biot.felt(&state.pressure));
        self.write_piston_forces(&ends, felt.as_deref().unwrap_or(&state.pressure), outputs.write(FORCE)?);
        if let Some(law) = &self.heat {
            outputs.write(FLUID_HEAT)?.fill(0.0);
            self.write_fluid_temperature(law, &state.rise, outputs)?;
        }
        self.write_frame_velocity(&mean_velocity(grid, &self.smoother, &still, velocity, &mut stencil), outputs)?;
        Ok(())
    }
}

/// Σ V W_c v / Σ V W_c of each cell [m/s]; zero where there is no grain.
fn mean_velocity(
    grid: &Grid,
    smoother: &Smoother,
    grains: &[GrainStep],
    velocity: impl Fn(usize) -> Vec3,
    stencil: &mut Stencil,
) -> Vec<Vec3> {
    let mut sums: [Vec<f64>; 4] = std::array::from_fn(|_| vec![0.0; grid.len()]);
    for (k, grain) in grains.iter().enumerate().filter(|(_, g)| g.member) {
        stencil.prepare(grid, grain);
        let momentum = velocity(k) * grain.volume[0];
        stencil.for_each_cell(grid, |cell, weight, _| {
            (0..3).for_each(|d| sums[d][cell] += momentum[d] * weight);
            sums[3][cell] += grain.volume[0] * weight;
        });
    }
    sums.iter_mut().for_each(|values| smoother.cells(grid, values));
    let mean = |c: usize| if sums[3][c] > 0.0 { Vec3::from_fn(|d, _| sums[d][c] / sums[3][c]) } else { Vec3::zeros() };
    (0..grid.len()).map(mean).collect()
}
