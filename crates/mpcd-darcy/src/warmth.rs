//! How warm a gas is: as the grains around it, cell by cell, and what that does to its content and its mobility. No pressure here.
//!
//! A gas between grains of some millimetres takes their temperature within r²/D ≈ 10 ms and less, and stores a thousandth of their heat;
//! so it has no temperature of its own. A cell has the mean over the grains in it by the kernel that gives their volume to cells; cells
//! without any take that of their neighbours, layer by layer. With τ = T₀/T the balance of [`crate::pass`] is
//!
//! ∂(φ τ P)/∂t + ∇·(τ P φū) = ∇·(τ P κ/η(T) ∇P),
//!
//! the same as without τ for pores e τ, volumes T τ through faces, and permeabilities κ τ η₀/η. The pressure b of a gas that slips is b₀ (T/T₀)^(m + ½). Heat that the gas carries and thermal creep
//! (flow along walls towards the warm end, in a gas as thin as its pores) are left out.

use crate::{
    deposit::{GrainStep, Presence, Stencil},
    fluid::Fluid,
    grid::{FaceField, Grid},
    smooth::Smoother,
};

/// Part of a cell that grains must take for it to have a temperature of theirs; what is less is rounding.
const LEAST: f64 = 1e-12;

/// What the temperature of a gas does over one step.
#[derive(Debug, Clone, PartialEq)]
pub struct Warmth {
    /// Content over that at the reference temperature, τ of each cell at the start and at the end (1).
    pub content: [Vec<f64>; 2],
    /// τ η₀/η of each cell at the mean temperature of the step (1).
    pub mobility: Vec<f64>,
    /// Klinkenberg's pressure of each cell at the mean temperature of the step, over that at the reference temperature (1).
    pub slippage: Vec<f64>,
}

impl Warmth {
    /// From the temperature of each cell at the start and at the end (K).
    #[must_use]
    pub fn new(fluid: &Fluid, before: &[f64], after: &[f64]) -> Self {
        let content = [before, after].map(|t| t.iter().map(|t| fluid.thinning(*t)).collect());
        let mean = || before.iter().zip(after).map(|(a, b)| 0.5 * (a + b));
        let mobility = mean().map(|t| fluid.thinning(t) * fluid.fluidity(t)).collect();
        let slippage = mean().map(|t| fluid.slippage(t)).collect();
        Self { content, mobility, slippage }
    }

    /// `values` of cells times τ at the part `when` of the step, 0 … 1.
    pub fn scale(&self, when: f64, values: &mut [f64]) {
        let [before, after] = &self.content;
        for (value, (a, b)) in values.iter_mut().zip(before.iter().zip(after)) {
            *value *= (1.0 - when) * a + when * b;
        }
    }

    /// `values` of faces times the mean τ of their cells over the step.
    pub fn scale_faces(&self, grid: &Grid, values: &mut FaceField) {
        let [before, after] = &self.content;
        let of = |c: usize| 0.5 * (before[c] + after[c]);
        for (axis, values) in values.0.iter_mut().enumerate() {
            for (value, sides) in values.iter_mut().zip(grid.sides(axis)) {
                *value *= match *sides {
                    (Some(a), Some(b)) => 0.5 * (of(a) + of(b)),
                    (Some(c), None) | (None, Some(c)) => of(c),
                    (None, None) => 1.0,
                };
            }
        }
    }
}

/// The temperature of each cell at the end of a step (K): the mean of `temperature` over the grains in it by volume, `empty` where there are none
/// at all.
pub fn of_cells(
    grid: &Grid,
    smoother: &Smoother,
    grains: &[GrainStep],
    temperature: impl Fn(usize) -> f64,
    empty: f64,
    stencil: &mut Stencil,
) -> Vec<f64> {
    let [mut heat, mut volume] = [vec![0.0; grid.len()], vec![0.0; grid.len()]];
    for (k, grain) in grains.iter().enumerate() {
        if !matches!(stencil.prepare(grid, grain), Presence::Inside | Presence::Enters { .. }) {
            continue;
        }
        // differences from one temperature: a bed of one temperature has it to the last bit
        let warmer = temperature(k) - empty;
        stencil.for_each_cell(grid, |cell, _, after| {
            heat[cell] += warmer * grain.volume[1] * after;
            volume[cell] += grain.volume[1] * after;
        });
    }
    smoother.cells(grid, &mut heat);
    smoother.cells(grid, &mut volume);
    let least = LEAST * grid.volume_at(1);
    let mut out: Vec<_> = heat.iter().zip(&volume).map(|(q, v)| (*v > least).then(|| empty + q / v)).collect();
    fill_empty(grid, &mut out);
    out.into_iter().map(|t| t.unwrap_or(empty)).collect()
}

/// The cells beside a cell.
fn neighbours(grid: &Grid, cell: usize) -> impl Iterator<Item = usize> + '_ {
    (0..3).flat_map(move |axis| {
        let (low, high) = grid.faces_of(axis, cell);
        let sides = grid.sides(axis);
        [sides[low].0, sides[high].1].into_iter().flatten()
    })
}

/// Gives cells without a value the mean of their neighbours' values, from the known ones outwards.
fn fill_empty(grid: &Grid, values: &mut [Option<f64>]) {
    let beside = |values: &[Option<f64>], cell: usize| neighbours(grid, cell).any(|n| values[n].is_some());
    let mut layer: Vec<usize> = (0..values.len()).filter(|&c| values[c].is_none() && beside(values, c)).collect();
    while !layer.is_empty() {
        let mean = |&c: &usize| {
            let known = neighbours(grid, c).filter_map(|n| values[n]);
            let (sum, count) = known.fold((0.0, 0.0), |(s, n), v| (s + v, n + 1.0));
            (c, sum / count)
        };
        let found: Vec<(usize, f64)> = layer.iter().map(mean).collect();
        found.iter().for_each(|&(c, value)| values[c] = Some(value));
        let further = found.iter().flat_map(|&(c, _)| neighbours(grid, c)).filter(|&n| values[n].is_none());
        layer = further.collect();
        layer.sort_unstable();
        layer.dedup();
    }
}
