//! Parameters of `Darcy(…)` as a model file writes them. Reading only; the builder checks them.

use std::{borrow::Cow, fmt};

use crate::heat::params::HeatParams;
use mpcd_core::{
    TimeFunction,
    quantity::{
        Any, Area, Compressibility, Density, Fraction, Length, NonNegative, Number, Positive, Pressure, Quantity, Temperature,
        UpperHalf, Vector, Viscosity,
    },
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, de};

/// Pore pressure on a regular grid over the grains: Darcy flow of a gas or a liquid, driven by boundaries and by the grains'
/// motion, and its force on the grains. The step is repeated together with the contacts until both agree.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DarcyParams {
    /// The grid. A grain feels the fluid while its centre is inside.
    pub grid: GridParams,
    /// The fluid.
    pub fluid: FluidParams,
    /// How permeable the grains are. Default: CarmanKozeny.
    #[serde(default)]
    pub permeability: PermeabilityParams,
    /// Planar models: the bodies are spheres in a cell one diameter thick. A disc then counts as 2/3 of its volume.
    /// Carman–Kozeny needs it in planar models. Default: false.
    #[serde(default)]
    pub monolayer: bool,
    /// Planar models: thickness of the fluid (m). Default: that of the discs; for spheres 2Σr³/Σr², one diameter if all are equal.
    #[serde(default)]
    pub thickness: Option<Quantity<Length, Positive>>,
    /// What holds at the faces of the grid. Default: walls.
    #[serde(default)]
    pub boundaries: BoundariesParams,
    /// Pressure at the start. Default: the reference pressure of a gas, 0 in a liquid.
    #[serde(default)]
    pub initial: Option<InitialParams>,
    /// How a step is computed. Default: Unsplit(theta: 1).
    #[serde(default)]
    pub scheme: SchemeParams,
    /// Bounds of the porosity. Default: (min: 0.05, max: 0.75).
    #[serde(default)]
    pub porosity: PorosityParams,
    /// Width of the kernel that spreads a grain: that of a hat with this half-width in mean grain radii, and at least 1.25 cells (standard
    /// deviation). 0 gives every grain to the nearest cells alone. Default: 6.
    #[serde(default = "six")]
    pub smoothing: Quantity<Number, NonNegative>,
    /// Grains that a liquid compresses: Biot's coefficient and their bulk modulus. Default: none, they do not yield (α = 1).
    #[serde(default)]
    pub biot: Option<BiotParams>,
    /// Heat of the fluid: stored, carried, conducted, exchanged with the grains. Default: none; a gas is then as warm as its grains.
    #[serde(default)]
    pub heat: Option<HeatParams>,
    /// What the fluid does to the grains. Default: (pressure_force: true, buoyancy: true).
    #[serde(default)]
    pub couple: CoupleParams,
    /// Groups whose solid bodies are the grains. Default: all that have a mass; those that are not round and start outside the grid are
    /// walls.
    #[serde(default)]
    pub grains: Option<Vec<String>>,
    /// Last change of the pressure in Newton's iterations over the spread of the pressure. Default: 1e-10.
    #[serde(default = "tolerance")]
    pub tolerance: Quantity<Number, Positive>,
    /// Largest number of Newton's iterations. Default: 50.
    #[serde(default = "fifty")]
    pub max_iterations: u64,
    /// Linear solver. Default: Auto, which is Cholesky for small grids and multigrid for the others.
    #[serde(default)]
    pub linear_solver: LinearParams,
}

fn six() -> Quantity<Number, NonNegative> {
    known(6.0)
}
fn tolerance() -> Quantity<Number, Positive> {
    known(1e-10)
}
const fn fifty() -> u64 {
    50
}
/// A default that is in its range by construction.
#[allow(clippy::expect_used, reason = "constants of this file, each tested")]
fn known<K: mpcd_core::quantity::Kind, R: mpcd_core::quantity::Range>(value: f64) -> Quantity<K, R> {
    Quantity::new(value).expect("a default is in range")
}

/// Extent and cells of the grid.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GridParams {
    /// Lowest corner (m): (x, y), in space (x, y, z).
    pub from: Vector<Length, Any>,
    /// Highest corner (m).
    pub to: Vector<Length, Any>,
    /// Edge of a cell (m); the nearest edges that divide the grid evenly are taken. Give this or `cells`.
    #[serde(default)]
    pub cell: Option<Quantity<Length, Positive>>,
    /// Number of cells along each axis: (x, y), in space (x, y, z). Give this or `cell`.
    #[serde(default)]
    pub cells: Option<CellCounts>,
}

/// Numbers of cells, written `(nx, ny)` or `(nx, ny, nz)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellCounts(pub Vec<usize>);

impl<'de> Deserialize<'de> for CellCounts {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_any(CellCountsVisitor)
    }
}

struct CellCountsVisitor;

impl<'de> de::Visitor<'de> for CellCountsVisitor {
    type Value = CellCounts;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("numbers of cells (nx, ny) or (nx, ny, nz)")
    }
    fn visit_seq<A: de::SeqAccess<'de>>(self, mut seq: A) -> Result<CellCounts, A::Error> {
        let mut counts = Vec::new();
        while let Some(n) = seq.next_element()? {
            if counts.len() == 3 {
                return Err(de::Error::invalid_length(4, &self));
            }
            counts.push(n);
        }
        Ok(CellCounts(counts))
    }
}

impl JsonSchema for CellCounts {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        "numbers of cells".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "array", "items": {"type": "integer", "minimum": 1}, "minItems": 2, "maxItems": 3, "x-noun": "numbers (nx, ny) or (nx, ny, nz)"})
    }
}

/// A fluid.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub enum FluidParams {
    /// A perfect gas, as warm as the grains around it where a module computes their temperature; pressures are absolute.
    Gas {
        /// Viscosity [Pa s]. Default: 1.8e-5 (air).
        #[serde(default = "air_viscosity")]
        viscosity: Quantity<Viscosity, Positive>,
        /// Pressure at which it has its density (Pa). Default: 1e5.
        #[serde(default = "one_bar")]
        reference_pressure: Quantity<Pressure, Positive>,
        /// Density at the reference pressure and temperature [kg/m³]. Default: 1.2 (air; of dry air at 1e5 Pa and 293.15 K it is 1.188).
        #[serde(default = "air_density")]
        density: Quantity<Density, Positive>,
        /// Temperature at which it has its density and viscosity (K), and that it has where no module computes one. Default: 293.15.
        #[serde(default = "room")]
        reference_temperature: Quantity<Temperature, Positive>,
        /// Exponent m of its viscosity η ∝ T^m. Default: 0.7 (air).
        #[serde(default = "air_thickening")]
        viscosity_exponent: Quantity<Number, NonNegative>,
        /// Klinkenberg's pressure b at the reference temperature (Pa): where the mean free path is not small beside the pores, the permeability is
        /// κ (1 + b/P). At temperature T it is b (T/T₀)^(m + ½). Default: 0.
        #[serde(default = "nothing")]
        slip: Quantity<Pressure, NonNegative>,
    },
    /// A liquid; pressures are the excess over hydrostatic.
    Liquid {
        /// Viscosity [Pa s]. Default: 1e-3 (water).
        #[serde(default = "water_viscosity")]
        viscosity: Quantity<Viscosity, Positive>,
        /// Compressibility [1/Pa]. Default: 4.5e-10 (water).
        #[serde(default = "water_compressibility")]
        compressibility: Quantity<Compressibility, Positive>,
        /// Density [kg/m³]. Default: 1000 (water).
        #[serde(default = "water_density")]
        density: Quantity<Density, Positive>,
    },
}

fn air_viscosity() -> Quantity<Viscosity, Positive> {
    known(1.8e-5)
}
fn one_bar() -> Quantity<Pressure, Positive> {
    known(1e5)
}
fn air_density() -> Quantity<Density, Positive> {
    known(1.2)
}
fn room() -> Quantity<Temperature, Positive> {
    known(293.15)
}
fn air_thickening() -> Quantity<Number, NonNegative> {
    known(0.7)
}
fn nothing() -> Quantity<Pressure, NonNegative> {
    known(0.0)
}
fn water_viscosity() -> Quantity<Viscosity, Positive> {
    known(1e-3)
}
fn water_compressibility() -> Quantity<Compressibility, Positive> {
    known(4.5e-10)
}
fn water_density() -> Quantity<Density, Positive> {
    known(1000.0)
}

/// How permeable the grains are.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
pub enum PermeabilityParams {
    /// r²/45 · φ³/(1−φ)² with the local mean radius and porosity.
    #[default]
    CarmanKozeny,
    /// The same everywhere (m²).
    Given(Quantity<Area, Positive>),
}

/// What holds at each face of the grid. z faces exist in space only.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BoundariesParams {
    /// Face at the lowest x. Default: Wall.
    #[serde(default)]
    pub x_min: EndParams,
    /// Face at the highest x. Default: Wall.
    #[serde(default)]
    pub x_max: EndParams,
    /// Face at the lowest y. Default: Wall.
    #[serde(default)]
    pub y_min: EndParams,
    /// Face at the highest y. Default: Wall.
    #[serde(default)]
    pub y_max: EndParams,
    /// Face at the lowest z. Default: Wall.
    #[serde(default)]
    pub z_min: EndParams,
    /// Face at the highest z. Default: Wall.
    #[serde(default)]
    pub z_max: EndParams,
}

/// What holds at a face of the grid.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub enum EndParams {
    /// Closed to the fluid. If the flat face of a plane, box, segment or polyhedron lies there at the start and spans it, the end goes with
    /// that body, and the pressure pushes it.
    #[default]
    Wall,
    /// Closed to the fluid; goes with the flat face of a body, wherever that is, and the pressure pushes it.
    Piston {
        /// Group of the body.
        group: String,
        /// Pressure behind it (Pa). Default: the reference pressure of a gas, 0 in a liquid; so it is for a Wall.
        #[serde(default)]
        outside: Option<Quantity<Pressure, Any>>,
    },
    /// Joined to the opposite face, which must say so too.
    Periodic,
    /// Held pressure (Pa) in time: absolute for a gas, excess over hydrostatic for a liquid.
    Pressure(TimeFunction),
    /// Fluid that enters [m³ at reference density per m² and s, so m/s] in time; negative leaves.
    Flux(TimeFunction),
}

/// Pressure at the start.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub enum InitialParams {
    /// The same everywhere (Pa).
    Uniform(Quantity<Pressure, Any>),
    /// One value below a plane and another above it.
    Step {
        /// Axis across the plane.
        axis: AxisParams,
        /// Place of the plane (m).
        at: Quantity<Length, Any>,
        /// Pressure below (Pa).
        below: Quantity<Pressure, Any>,
        /// Pressure above (Pa).
        above: Quantity<Pressure, Any>,
    },
    /// Linear between points along an axis, constant outside.
    Table {
        /// The axis.
        axis: AxisParams,
        /// (place (m), pressure (Pa)), places rising.
        points: Vec<(Quantity<Length, Any>, Quantity<Pressure, Any>)>,
    },
}

/// An axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[allow(non_camel_case_types, reason = "written as in the model file")]
pub enum AxisParams {
    /// x
    x,
    /// y
    y,
    /// z
    z,
}

/// How a step is computed.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub enum SchemeParams {
    /// All axes at once.
    Unsplit {
        /// Weight of the end of the step: 1 is implicit Euler, which damps what is shorter than the step; 0.5 is Crank–Nicolson, of second order, which rings
        /// where steps are longer than a cell takes to empty: pressures alternate about what they are. Default: 1.
        #[serde(default = "whole")]
        theta: Quantity<Number, UpperHalf>,
        /// Least number of sub-steps. More are taken where grains move far in a step. Default: 1.
        #[serde(default = "one")]
        substeps: usize,
    },
    /// One axis after the other: right only where a change of pressure goes less than a cell in a step.
    Split {
        /// Weight of the end of the step, as of `Unsplit`. Default: 1.
        #[serde(default = "whole")]
        theta: Quantity<Number, UpperHalf>,
        /// Least number of sub-steps. Default: 1.
        #[serde(default = "one")]
        substeps: usize,
        /// Which equation. Default: Conservative.
        #[serde(default)]
        form: FormParams,
    },
}

fn whole() -> Quantity<Number, UpperHalf> {
    known(1.0)
}
const fn one() -> usize {
    1
}

impl Default for SchemeParams {
    fn default() -> Self {
        Self::Unsplit { theta: whole(), substeps: one() }
    }
}

/// Which equation a split step solves.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
pub enum FormParams {
    /// Balances of content; conserves mass.
    #[default]
    Conservative,
    /// Centred differences of the pressure equation, as in the source; mass drifts (see the book of the fluid).
    Source,
}

/// Bounds of the porosity.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PorosityParams {
    /// Least porosity a cell keeps. Default: 0.05.
    #[serde(default = "least")]
    pub min: Quantity<Number, Fraction>,
    /// Largest porosity in the permeability; where grains are sparser, they bear less than the whole gradient. Default: 0.75, as
    /// Carman and Kozeny's law holds for beds.
    #[serde(default = "most")]
    pub max: Quantity<Number, Fraction>,
}

fn least() -> Quantity<Number, Fraction> {
    known(0.05)
}
fn most() -> Quantity<Number, Fraction> {
    known(0.75)
}

impl Default for PorosityParams {
    fn default() -> Self {
        Self { min: least(), max: most() }
    }
}

/// How grains yield to the pressure of a liquid.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BiotParams {
    /// Biot's coefficient α = 1 − K/K_s of the bed, K the drained modulus of its skeleton: from `max` of `porosity` to 1.
    pub coefficient: Quantity<Number, Positive>,
    /// Bulk modulus K_s of the grains (Pa); they store (α − φ)/K_s. Default: infinite, they store nothing.
    #[serde(default)]
    pub grain_modulus: Option<Quantity<Pressure, Positive>>,
}

/// What the fluid does to the grains.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CoupleParams {
    /// The force of the pressure gradient, −V/(1−φ) ∇p. Default: true.
    #[serde(default = "yes")]
    pub pressure_force: bool,
    /// Buoyancy, −ρ_f V g. Default: true.
    #[serde(default = "yes")]
    pub buoyancy: bool,
}

const fn yes() -> bool {
    true
}

impl Default for CoupleParams {
    fn default() -> Self {
        Self { pressure_force: true, buoyancy: true }
    }
}

/// Linear solver.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
pub enum LinearParams {
    /// Cholesky for small grids, multigrid for the others.
    #[default]
    Auto,
    /// Sparse Cholesky.
    Cholesky,
    /// Conjugate gradients with incomplete Cholesky.
    ConjugateGradients,
    /// Conjugate gradients with a multigrid cycle, at a cost per cell that does not grow with the grid.
    Multigrid,
}
