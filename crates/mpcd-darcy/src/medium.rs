//! The grains as a porous medium: pore volumes, what flows through faces with them, permeability. No pressure here.

use crate::{
    biot::Biot,
    deposit::Deposit,
    fluid::Fluid,
    grid::{FaceField, Grid},
    warmth::Warmth,
};

/// How permeable the grains are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Permeability {
    /// Carman–Kozeny, [`carman_kozeny`].
    CarmanKozeny,
    /// The same everywhere (m²).
    Given(f64),
}

/// Bounds of the porosity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PorosityBounds {
    /// Least porosity. Where grains leave less, the cell keeps this much, and its pressure feels the difference.
    pub min: f64,
    /// Largest porosity in the permeability. Where grains are sparser, they bear less than the whole gradient. Pore volumes are not
    /// cut here.
    pub max: f64,
}

impl PorosityBounds {
    /// What a grain bears of a pressure gradient, over V ∇p, where the solid takes this part of a cross-section: 1/solid in a bed, where the
    /// grains bear all of the gradient; 1 for a grain alone, which feels the pressure on its own surface; between, from the
    /// largest porosity on, smoothly from one to the other. So the part of the gradient that grains bear fades as they do.
    #[must_use]
    pub const fn share(&self, solid: f64) -> f64 {
        let least = 1.0 - self.max;
        if solid >= least {
            return 1.0 / solid;
        }
        let t = (solid / least).max(0.0);
        1.0 + (1.0 / least - 1.0) * t * t * (3.0 - 2.0 * t)
    }
}

/// κ = r²/45 · φ³/(1−φ)² (m²): spheres of radius r (m) (Dubois–Renouf 2021, "Fluid", where (1 − φ²) is a misprint).
#[must_use]
pub const fn carman_kozeny(radius: f64, porosity: f64) -> f64 {
    let solid = 1.0 - porosity;
    radius * radius / 45.0 * (porosity * porosity * porosity) / (solid * solid)
}

/// The medium over one step.
#[derive(Debug, Clone)]
pub struct Medium {
    /// Pore volume of each cell at the start (m³).
    pub pores_before: Vec<f64>,
    /// Pore volume of each cell at the end (m³).
    pub pores_after: Vec<f64>,
    /// Solid and cut-off volume that appears in each cell without coming through a face (m³).
    pub growth: Vec<f64>,
    /// Solid volume through each face, and the volume that the face sweeps where it moves (m³): what changes the pores.
    pub solid: FaceField,
    /// Total volume ū A h through each face (m³). At an end: that of the grains where it is open.
    pub total: FaceField,
    /// [`PorosityBounds::share`] of each face (1): total = carried × this, and the force's share.
    pub share: FaceField,
    /// Permeability of each cell (m²).
    pub permeability: Vec<f64>,
    /// Cells whose porosity was cut at its least value, at the end of the step.
    pub cut: usize,
    /// What the temperature of a gas does, where there is one.
    pub warmth: Option<Warmth>,
    /// How grains yield to the pressure, where they do.
    pub biot: Option<Biot>,
}

impl Medium {
    /// An empty medium.
    #[must_use]
    pub fn new(grid: &Grid) -> Self {
        let cells = || vec![0.0; grid.len()];
        Self {
            pores_before: cells(),
            pores_after: cells(),
            growth: cells(),
            solid: grid.face_field(),
            total: grid.face_field(),
            share: grid.face_field(),
            permeability: cells(),
            cut: 0,
            warmth: None,
            biot: None,
        }
    }

    /// What the deposited grains make of it. `open` says which ends let fluid through (low, high per axis); `mean_radius` is
    /// taken where there is no grain.
    pub fn update(
        &mut self,
        grid: &Grid,
        deposit: &Deposit,
        bounds: PorosityBounds,
        law: Permeability,
        mean_radius: f64,
        open: [[bool; 2]; 3],
    ) {
        self.solid.clone_from(&deposit.solid_flux);
        grid.add_swept(&mut self.solid);
        self.update_total(grid, deposit, bounds, open);
        self.update_pores(grid, deposit, bounds);
        let volume = grid.cell_volume();
        for c in 0..grid.len() {
            let solid = 0.5 * (deposit.solid_before[c] + deposit.solid_after[c]);
            let porosity = (1.0 - solid / volume).clamp(bounds.min, bounds.max);
            let radius = if solid > 0.0 && deposit.volume_over_radius[c] > 0.0 {
                solid / deposit.volume_over_radius[c]
            } else {
                mean_radius
            };
            self.permeability[c] = match law {
                Permeability::CarmanKozeny => carman_kozeny(radius, porosity),
                Permeability::Given(value) => value,
            };
        }
    }

    /// ū h A = carried A / S where grains are dense; ū fades out with them.
    fn update_total(&mut self, grid: &Grid, deposit: &Deposit, bounds: PorosityBounds, open: [[bool; 2]; 3]) {
        for axis in 0..3 {
            let area = grid.area(axis);
            for (face, &(below, above)) in grid.sides(axis).iter().enumerate() {
                let share = bounds.share(deposit.cross_section.0[axis][face] / area);
                self.share.0[axis][face] = share;
                let inside = match (below, above) {
                    (None, _) => open[axis][0],
                    (_, None) => open[axis][1],
                    _ => true,
                };
                // at a closed end only grains pass, and nothing takes their place; where it moves, all goes with it
                self.total.0[axis][face] = if inside { deposit.carried.0[axis][face] * share } else { self.solid.0[axis][face] };
            }
        }
    }

    /// Where a pore volume is cut, what the cut hides counts as growth, so that every cell still closes.
    fn update_pores(&mut self, grid: &Grid, deposit: &Deposit, bounds: PorosityBounds) {
        let volumes = [0, 1].map(|when| grid.volume_at(when));
        let least = volumes.map(|v| bounds.min * v);
        self.growth.fill(0.0);
        grid.add_divergence(&self.solid, [true; 3], &mut self.growth);
        self.cut = 0;
        for c in 0..grid.len() {
            let (before, after) = (volumes[0] - deposit.solid_before[c], volumes[1] - deposit.solid_after[c]);
            self.pores_before[c] = before.max(least[0]);
            self.pores_after[c] = after.max(least[1]);
            self.cut += usize::from(after < least[1]);
            let leaving = self.growth[c];
            self.growth[c] = if before < least[0] || after < least[1] {
                leaving - (self.pores_after[c] - self.pores_before[c])
            } else {
                deposit.growth[c]
            };
        }
    }

    /// What fluid at one pressure the pores hold at the start (0) or the end (1) of the step, as a volume at the reference temperature (m³ in
    /// each cell).
    #[must_use]
    pub fn holds(&self, when: usize) -> Vec<f64> {
        let mut pores = if when == 0 { self.pores_before.clone() } else { self.pores_after.clone() };
        if let Some(warmth) = &self.warmth {
            warmth.scale(when as f64, &mut pores);
        }
        pores
    }

    /// How many times the slip of the reference temperature the gas has at each face (1), where it slips and its temperature is known: half-cells in series, so
    /// that a flow that only slips passes layers of unlike temperature as it should, as one that does not slip does.
    #[must_use]
    pub fn slippage(&self, grid: &Grid, fluid: &Fluid) -> Option<FaceField> {
        let warmth = self.warmth.as_ref().filter(|_| fluid.slips())?;
        let viscous = |c: usize| self.permeability[c] * warmth.mobility[c];
        let slipping = |c: usize| viscous(c) * warmth.slippage[c];
        let series = |a: f64, b: f64| a * b / (a + b);
        let mut out = grid.face_field();
        for (axis, values) in out.0.iter_mut().enumerate() {
            for (&sides, value) in grid.sides(axis).iter().zip(values) {
                *value = match sides {
                    (Some(a), Some(b)) => series(slipping(a), slipping(b)) / series(viscous(a), viscous(b)),
                    (Some(c), None) | (None, Some(c)) => warmth.slippage[c],
                    (None, None) => 1.0,
                };
            }
        }
        Some(out)
    }

    /// Conductance of each face over a step [m³/Pa]: content through it per potential difference between the cells, or
    /// between cell and end.
    pub fn conductance(&self, grid: &Grid, viscosity: f64, h: f64, out: &mut FaceField) {
        let of = |c: usize| self.permeability[c] * self.warmth.as_ref().map_or(1.0, |w| w.mobility[c]);
        for axis in 0..3 {
            let unit = grid.area(axis) * h / (viscosity * grid.spacing(axis));
            for (&(below, above), value) in grid.sides(axis).iter().zip(&mut out.0[axis]) {
                // half-cells in series
                *value = unit
                    * match (below, above) {
                        (Some(a), Some(b)) => {
                            let (a, b) = (of(a), of(b));
                            2.0 * a * b / (a + b)
                        }
                        (Some(c), None) | (None, Some(c)) => 2.0 * of(c),
                        (None, None) => 0.0,
                    };
            }
        }
    }
}
