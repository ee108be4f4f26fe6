//! From grid to grains: the force of the pore pressure on each grain, with the weights of the deposit.
//!
//! The fluid's balance takes Σ± p U out of the cells where U = carried × share is the grains' mean displacement through a face.
//! The force is its adjoint: with Δp the pressure above a face minus that below, the grain gets, along the axis of the face,
//!
//! F = −Σ_faces V R T × share × Δp,   share = A/S in a bed, S the solid cross-section of the face.
//!
//! This is F = −V/(1−φ) ∇p with face values of 1−φ and ∇p. At every face that has enough grains the shares of all of them sum
//! to the area, so Σ F = −Σ A Δp, which telescopes to −∮ p n dA; and Σ F·δ = −Σ Δp U: what the grains lose is what
//! the fluid's compression takes, to rounding. At an end of the grid Δp is that of the last half-cell.

use mpcd_core::Vec3;

use crate::{
    deposit::{GrainStep, Presence, Stencil},
    fluid::Fluid,
    grid::{FaceField, Grid},
    medium::Medium,
    smooth::Smoother,
    step::{MeanEnd, MeanPressure},
};

/// Pressure above each face minus the pressure below (Pa). `conductance` is that of the step [m³/Pa], `slippage` that of [`Medium::slippage`].
#[must_use]
pub fn pressure_jumps(
    grid: &Grid,
    fluid: &Fluid,
    mean: &MeanPressure,
    conductance: &FaceField,
    slippage: Option<&FaceField>,
) -> FaceField {
    let mut jumps = grid.face_field();
    for axis in 0..3 {
        for (face, &sides) in grid.sides(axis).iter().enumerate() {
            let at_end = |side: usize, c: usize| match mean.ends[axis][side] {
                MeanEnd::Closed => mean.cells[c],
                MeanEnd::Pressure(p) => p,
                MeanEnd::Inflow(content) => {
                    let fluid = slippage.map_or(*fluid, |s| fluid.slipping(s.0[axis][face]));
                    let potential = fluid.potential(mean.cells[c]) + content / conductance.0[axis][face];
                    fluid.pressure_at(potential).unwrap_or(mean.cells[c])
                }
            };
            jumps.0[axis][face] = match sides {
                (Some(a), Some(b)) => mean.cells[b] - mean.cells[a],
                (None, Some(c)) => mean.cells[c] - at_end(0, c),
                (Some(c), None) => at_end(1, c) - mean.cells[c],
                (None, None) => 0.0,
            };
        }
    }
    jumps
}

/// These as the skeleton feels them: those of α p where grains yield to the pressure ([`crate::biot`]).
pub fn felt_jumps(grid: &Grid, medium: &Medium, mean: &MeanPressure, jumps: &mut FaceField) {
    let Some(biot) = &medium.biot else { return };
    for (axis, values) in jumps.0.iter_mut().enumerate() {
        grid.sides(axis).iter().zip(values).for_each(|(&sides, jump)| *jump = biot.jump(sides, mean, *jump));
    }
}

/// What a grain feels at each face per volume and density there (Pa): share × Δp, spread by the transpose of what spreads the grains.
#[must_use]
pub fn pull(grid: &Grid, medium: &Medium, smoother: &Smoother, mut jumps: FaceField) -> FaceField {
    for (jumps, shares) in jumps.0.iter_mut().zip(&medium.share.0) {
        jumps.iter_mut().zip(shares).for_each(|(jump, share)| *jump *= share);
    }
    smoother.gather(grid, &mut jumps);
    jumps
}

/// Force of the pressure on a grain (N); `None` for a grain that is not inside the grid all the time.
pub fn pressure_force(grid: &Grid, pull: &FaceField, stencil: &mut Stencil, grain: &GrainStep) -> Option<Vec3> {
    if stencil.prepare(grid, grain) != Presence::Inside {
        return None;
    }
    let volume = 0.5 * (grain.volume[0] + grain.volume[1]);
    let mut force = Vec3::zeros();
    for axis in 0..3 {
        let pull = &pull.0[axis];
        let mut sum = 0.0;
        stencil.for_each_face(grid, axis, |face, density, _| sum += density * pull[face]);
        force[axis] = -volume * sum;
    }
    Some(force)
}
