//! The longest stable step of the explicit scheme.

use nalgebra::{DMatrix, SymmetricEigen};

use crate::error::FemError;
use crate::model::{Displacements, MassKind, Model, Rate, State};

/// Smallest 2/ω over the elements at a state (s), and its element. With damping ξ = ½(α/ω + βω) of the critical: (2/ω)(√(1 + ξ²) − ξ);
/// β counts the largest ratio of viscosity to stiffness.
pub(super) fn stable_step(model: &Model, state: &State) -> Result<(f64, usize), FemError> {
    let mut least = (f64::INFINITY, 0);
    for e in 0..model.mesh().elements() {
        let matrix = |rate: Option<Rate<'_, [f64]>>| -> Result<DMatrix<f64>, FemError> {
            let at = Displacements::End { u: &state.displacement, rate, free: &state.free_strain };
            scaled_stiffness(model, e, at, &state.history)
        };
        let largest = |m: DMatrix<f64>| SymmetricEigen::new(m).eigenvalues.iter().fold(0.0_f64, |a, b| a.max(*b));
        let square = largest(matrix(None)?);
        if square <= 0.0 {
            continue;
        }
        let omega = square.sqrt();
        let law = model.law(e);
        let mut ratio = 0.5 * law.section.mass_damping / omega;
        if law.viscosity.is_some() {
            // K + V at a rate of one per second, less K, is the viscous part
            let both = matrix(Some(Rate::Velocity(&state.velocity, 1.0)))?;
            ratio += 0.5 * largest(both - matrix(None)?) / omega;
        }
        let step = 2.0 / omega * ((1.0 + ratio * ratio).sqrt() - ratio);
        if step < least.0 {
            least = (step, e);
        }
    }
    Ok(least)
}

/// m^(−½) K m^(−½) of one element with its lumped mass.
fn scaled_stiffness(model: &Model, e: usize, at: Displacements<'_>, history: &[f64]) -> Result<DMatrix<f64>, FemError> {
    let (d, count) = (model.dimension(), model.mesh().cell(e).nodes());
    let mass = model.element_mass(e, MassKind::Lumped)?;
    let stiffness = model.element_stiffness(e, at, history)?;
    let n = count * d;
    let root = |r: usize| mass[(r / d) * count + r / d].sqrt();
    Ok(DMatrix::from_fn(n, n, |r, c| 0.5 * (stiffness[r * n + c] + stiffness[c * n + r]) / (root(r) * root(c))))
}
