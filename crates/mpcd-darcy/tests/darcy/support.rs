//! Scenes shared by the tests: grids, beds, steppers, random numbers.

use mpcd_core::{GridSpec, TimeFunction, Vec3};
use mpcd_darcy::{
    deposit::{Deposit, GrainStep, Stencil},
    ends::EndLaw,
    fluid::{Compressible, Fluid},
    grid::Grid,
    medium::{Medium, Permeability, PorosityBounds},
    smooth::Smoother,
};

pub(crate) const BOUNDS: PorosityBounds = PorosityBounds { min: 0.05, max: 0.95 };

/// SplitMix64: numbers in 0 … 1.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }
    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }
}

pub(crate) fn grid(lengths: [f64; 3], cells: [usize; 3], periodic: [bool; 3]) -> Grid {
    let spacing = std::array::from_fn(|d| lengths[d] / cells[d] as f64);
    Grid::new(GridSpec { origin: [0.0; 3], spacing, cells }, periodic)
}

pub(crate) fn air() -> Fluid {
    Fluid {
        state: Compressible::Gas { reference_pressure: 1e5, reference_temperature: 293.15, thickening: 0.7, slip: 0.0 },
        viscosity: 1.8e-5,
        density: 1.2,
    }
}

pub(crate) fn water() -> Fluid {
    Fluid { state: Compressible::Liquid { compressibility: 4.5e-10 }, viscosity: 1e-3, density: 1000.0 }
}

pub(crate) fn walls() -> [[EndLaw; 2]; 3] {
    std::array::from_fn(|_| [EndLaw::Wall, EndLaw::Wall])
}

pub(crate) fn held(p: f64) -> EndLaw {
    EndLaw::Pressure(TimeFunction::Constant(p))
}

/// The same porosity and permeability everywhere, nothing moves.
pub(crate) fn uniform_medium(grid: &Grid, porosity: f64, permeability: f64) -> Medium {
    let mut medium = Medium::new(grid);
    medium.pores_before.fill(porosity * grid.cell_volume());
    medium.pores_after.fill(porosity * grid.cell_volume());
    medium.permeability.fill(permeability);
    medium
}

/// Random grains inside a grid, moving by up to `travel` (they stay inside where the grid is not periodic).
pub(crate) fn random_grains(grid: &Grid, count: usize, volume: f64, travel: f64, seed: u64) -> Vec<GrainStep> {
    let mut random = Random(seed);
    let radius = (0.75 / std::f64::consts::PI * volume).cbrt();
    (0..count)
        .map(|_| {
            let x = Vec3::from_fn(|d, _| random.between(0.0, grid.length(d)));
            let moved = x + Vec3::from_fn(|_, _| random.between(-travel, travel));
            let y = Vec3::from_fn(|d, _| if grid.periodic(d) { moved[d] } else { moved[d].clamp(0.0, grid.length(d)) });
            GrainStep { position: [x, y], volume: [volume; 2], radius, smoothing: 3.0 * radius, member: true }
        })
        .collect()
}

pub(crate) fn deposited(grid: &Grid, grains: &[GrainStep]) -> Deposit {
    let (mut deposit, mut stencil) = (Deposit::new(grid), Stencil::default());
    grains.iter().for_each(|g| deposit.add(grid, &mut stencil, g));
    deposit
}

pub(crate) fn medium_of(grid: &Grid, grains: &[GrainStep], law: Permeability, open: [[bool; 2]; 3]) -> Medium {
    medium_widened(grid, grains, law, open, &Smoother::none())
}

pub(crate) fn medium_widened(
    grid: &Grid,
    grains: &[GrainStep],
    law: Permeability,
    open: [[bool; 2]; 3],
    smoother: &Smoother,
) -> Medium {
    let (mut medium, mut deposit) = (Medium::new(grid), deposited(grid, grains));
    smoother.widen(grid, &mut deposit);
    medium.update(grid, &deposit, BOUNDS, law, 1.0, open);
    medium
}

/// Simple cubic lattice of grains that fills the grid evenly: `per_cell` along each axis that has more than one cell.
pub(crate) fn lattice(grid: &Grid, per_cell: usize, solid: f64, displacement: Vec3) -> Vec<GrainStep> {
    let count: [usize; 3] = std::array::from_fn(|d| if grid.cells(d) > 1 { grid.cells(d) * per_cell } else { 1 });
    let total = (0..3).map(|d| grid.length(d)).product::<f64>();
    let volume = solid * total / count.iter().product::<usize>() as f64;
    let radius = (0.75 / std::f64::consts::PI * volume).cbrt();
    let mut grains = Vec::new();
    for k in 0..count[2] {
        for j in 0..count[1] {
            for i in 0..count[0] {
                let at = [i, j, k];
                let x = Vec3::from_fn(|d, _| (at[d] as f64 + 0.5) * grid.length(d) / count[d] as f64);
                grains.push(GrainStep {
                    position: [x, x + displacement],
                    volume: [volume; 2],
                    radius,
                    smoothing: 0.0,
                    member: true,
                });
            }
        }
    }
    grains
}

/// Slope of log(error) over log(size) between the first and the last.
pub(crate) fn slope(sizes: &[f64], errors: &[f64]) -> f64 {
    let n = sizes.len() - 1;
    (errors[n] / errors[0]).ln() / (sizes[n] / sizes[0]).ln()
}
