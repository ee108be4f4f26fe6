//! Grains that the pressure of a liquid compresses: Biot's coefficient and the storage of the grains, cell by cell. No balance and no force here: [`crate::pass`] and
//! [`crate::force`] use what stands here.
//!
//! With the total stress Σ' − α p and the fluid content ζ per bulk volume (Biot 1941)
//!
//! dζ = α ∇·du + S dp,   S = φ c_f + (α − φ)/K_s,   force per bulk volume −∇(α p).
//!
//! The force is the adjoint of the first: Σ_c α p ∇·U = −Σ_faces U Δ(α p), so what the grains lose is what the fluid takes, to rounding. Where grains are too sparse
//! to bear the gradient there is no skeleton that could yield less than they move: α goes to 1 as they thin out, linearly in the porosity from φ₁ to the largest porosity m
//! of the bounds, φ₁ = max(2m − 1, m/2). So α ≥ φ everywhere, and α changes where grains bear all of the gradient: under an even pressure p the surface of a bed is
//! pressed by (1 − α) p.

use crate::{deposit::Deposit, grid::Grid, medium::PorosityBounds, step::MeanPressure};

/// What the model says of the grains.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BiotLaw {
    /// Biot's coefficient α of a bed, from its porosity to 1.
    pub coefficient: f64,
    /// Bulk modulus of the grains K_s (Pa); `None` where they store nothing.
    pub modulus: Option<f64>,
}

/// The same on a grid.
#[derive(Debug, Clone, PartialEq)]
pub struct Biot {
    /// α of each cell (1).
    pub coefficient: Vec<f64>,
    /// (α − φ)/K_s times the volume of each cell [m³/Pa].
    pub storage: Vec<f64>,
}

/// Largest porosity φ₁ at which α is that of a bed.
fn bed_porosity(bounds: PorosityBounds) -> f64 {
    (2.0 * bounds.max - 1.0).max(0.5 * bounds.max)
}

/// Part of the way from 1 to the coefficient of the law that the grains must be at on average; beds whose surface is a few cells away are.
const REACHED: f64 = 0.8;

impl Biot {
    /// What deposited grains make of it, in the middle of the step.
    #[must_use]
    pub fn new(grid: &Grid, deposit: &Deposit, bounds: PorosityBounds, law: BiotLaw) -> Self {
        let volume = grid.cell_volume();
        let solid = |c: usize| 0.5 * (deposit.solid_before[c] + deposit.solid_after[c]) / volume;
        // solid fractions at which α leaves 1 and at which it is that of a bed
        let (thin, bed) = (1.0 - bounds.max, 1.0 - bed_porosity(bounds));
        let coefficient = |c: usize| 1.0 - (1.0 - law.coefficient) * ((solid(c) - thin) / (bed - thin)).clamp(0.0, 1.0);
        let coefficient: Vec<f64> = (0..grid.len()).map(coefficient).collect();
        // a cell keeps its least porosity, so that it stores no more than that leaves
        let pores = |c: usize| (1.0 - solid(c)).max(bounds.min);
        let stored = |(c, a): (usize, &f64)| law.modulus.map_or(0.0, |k| (a - pores(c)).max(0.0) * volume / k);
        let storage = coefficient.iter().enumerate().map(stored).collect();
        Self { coefficient, storage }
    }

    /// What to say where the coefficient of the grains is far from that of the law: `solid` is the volume of grains in each cell (m³).
    #[must_use]
    pub fn far_from(&self, law: BiotLaw, solid: &[f64], bounds: PorosityBounds) -> Option<String> {
        let all: f64 = solid.iter().sum();
        let mean = self.coefficient.iter().zip(solid).map(|(a, s)| a * s).sum::<f64>() / all;
        (all > 0.0 && 1.0 - mean < REACHED * (1.0 - law.coefficient)).then(|| {
            format!(
                "Biot's coefficient is {mean:.3} on average over the grains where `biot` says {}: it holds up to a porosity of {:.3} and goes to 1 at {} (`max` of `porosity`); raise `max` if the bed is that loose",
                law.coefficient,
                bed_porosity(bounds),
                bounds.max
            )
        })
    }

    /// The pressures of the cells as the skeleton feels them (Pa).
    #[must_use]
    pub fn felt(&self, pressure: &[f64]) -> Vec<f64> {
        self.coefficient.iter().zip(pressure).map(|(a, p)| a * p).collect()
    }

    /// What is felt across a face, above less below (Pa), given the pressures and the jump of them there: α is that of the cell at an end.
    #[must_use]
    pub fn jump(&self, sides: (Option<usize>, Option<usize>), mean: &MeanPressure, jump: f64) -> f64 {
        let felt = |c: usize| self.coefficient[c] * mean.cells[c];
        match sides {
            (Some(a), Some(b)) => felt(b) - felt(a),
            (Some(c), None) | (None, Some(c)) => self.coefficient[c] * jump,
            (None, None) => 0.0,
        }
    }

    /// Volume that the grains give to the pores of all cells in a step, beside where they move (m³): `squeezed` is Σ±U of each cell (m³).
    #[must_use]
    pub fn given(&self, squeezed: &[f64], before: &[f64], after: &[f64]) -> f64 {
        let own = |c: usize| (1.0 - self.coefficient[c]) * squeezed[c] - self.storage[c] * (after[c] - before[c]);
        (0..squeezed.len()).map(own).sum()
    }
}
