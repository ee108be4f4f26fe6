//! Packings: many bodies from a generator or from a table in a file. The generators themselves are in the geometry.

mod csv;

use mpcd_core::{Dimension, Fragment, InputError, Quat, Vec3};
use mpcd_geometry::{
    ArchParams, Block, ColumnsParams, DepositParams, DomeParams, GrowParams, LatticeParams, PackingError, PlacedShape, Shape,
    ShapeRegistry, VaultParams, VoronoiParams, WallParams, arch, columns, deposit, dome, grow, hull, lattice, vault, voronoi,
    wall,
};
use schemars::{Schema, schema_for};
use serde::de::DeserializeOwned;

use super::files::Files;

pub use csv::CsvParams;

/// A body of a packing.
#[derive(Debug, Clone, PartialEq)]
pub struct PackedBody {
    /// Its shape.
    pub shape: Shape,
    /// Centre of mass (m).
    pub position: Vec3,
    /// From the shape's axes to those of the model.
    pub orientation: Quat,
}

/// What a packing makes.
pub(super) enum Packed {
    /// Centres (m) and radii (m) of round bodies; the model says what they are.
    Balls(Balls),
    /// Bodies with a shape of their own.
    Bodies(Vec<PackedBody>),
}

impl Packed {
    /// Number of bodies.
    pub(super) const fn len(&self) -> usize {
        match self {
            Self::Balls(balls) => balls.len(),
            Self::Bodies(bodies) => bodies.len(),
        }
    }
}

pub(super) type Balls = Vec<(Vec3, f64)>;

/// What a packing may know.
pub(super) struct Site<'a> {
    pub(super) dimension: Dimension,
    /// Periods of the model (m).
    pub(super) periods: [Option<f64>; 3],
    pub(super) files: &'a mut Files,
    pub(super) shapes: &'a ShapeRegistry,
}

impl Site<'_> {
    /// Reads `Name(…)` as a shape.
    pub(super) fn shape(&mut self, fragment: &Fragment) -> Result<PlacedShape, InputError> {
        self.shapes.parse(fragment, self.dimension, self.files)
    }
}

/// A kind of packing for the manual.
#[derive(Debug, Clone, Copy)]
pub struct PackingEntry {
    /// Name in the model file.
    pub name: &'static str,
    /// Schema of its parameters.
    pub schema: fn() -> Schema,
    read: fn(&Fragment, &mut Site<'_>) -> Result<Packed, InputError>,
}

/// All kinds of packings.
pub const PACKING_ENTRIES: &[PackingEntry] = &[
    PackingEntry { name: "Lattice", schema: || schema_for!(LatticeParams), read: read_lattice },
    PackingEntry { name: "Deposit", schema: || schema_for!(DepositParams), read: read_deposit },
    PackingEntry { name: "Grow", schema: || schema_for!(GrowParams), read: read_grow },
    PackingEntry { name: "Wall", schema: || schema_for!(WallParams), read: |f, s| blocks(f, s, wall) },
    PackingEntry { name: "Columns", schema: || schema_for!(ColumnsParams), read: |f, s| blocks(f, s, columns) },
    PackingEntry { name: "Arch", schema: || schema_for!(ArchParams), read: |f, s| blocks(f, s, arch) },
    PackingEntry { name: "Vault", schema: || schema_for!(VaultParams), read: |f, s| blocks(f, s, vault) },
    PackingEntry { name: "Dome", schema: || schema_for!(DomeParams), read: |f, s| blocks(f, s, dome) },
    PackingEntry { name: "Voronoi", schema: || schema_for!(VoronoiParams), read: |f, s| blocks(f, s, voronoi) },
    PackingEntry {
        name: "Csv",
        schema: || schema_for!(CsvParams),
        read: |f, s| csv::read(f, s.dimension, s.files).map(Packed::Balls),
    },
];

/// Reads `Name(…)` as a packing and makes it.
pub(super) fn read(fragment: &Fragment, site: &mut Site<'_>) -> Result<Packed, InputError> {
    let names = PACKING_ENTRIES.iter().map(|e| e.name);
    let Some(entry) = PACKING_ENTRIES.iter().find(|e| e.name == fragment.name()) else {
        return Err(InputError::unknown("packing", fragment.name(), names).within(fragment));
    };
    (entry.read)(fragment, site).map_err(|e| e.within(fragment))
}

fn read_lattice(fragment: &Fragment, site: &mut Site<'_>) -> Result<Packed, InputError> {
    made(lattice(&fragment.parse_body::<LatticeParams>()?, site.dimension)).map(Packed::Balls)
}

fn read_deposit(fragment: &Fragment, site: &mut Site<'_>) -> Result<Packed, InputError> {
    made(deposit(&fragment.parse_body::<DepositParams>()?, site.dimension, site.periods)).map(Packed::Balls)
}

fn read_grow(fragment: &Fragment, site: &mut Site<'_>) -> Result<Packed, InputError> {
    made(grow(&fragment.parse_body::<GrowParams>()?, site.dimension, site.periods)).map(Packed::Balls)
}

fn blocks<P: DeserializeOwned>(
    fragment: &Fragment,
    site: &Site<'_>,
    make: fn(&P, Dimension) -> Result<Vec<Block>, PackingError>,
) -> Result<Packed, InputError> {
    let blocks = made(make(&fragment.parse_body()?, site.dimension))?;
    blocks.iter().map(|b| made(body(b, site.dimension))).collect::<Result<_, _>>().map(Packed::Bodies)
}

fn made<T>(result: Result<T, PackingError>) -> Result<T, InputError> {
    result.map_err(|e| InputError::new(e.to_string()))
}

/// The body that a block is.
fn body(block: &Block, dimension: Dimension) -> Result<PackedBody, PackingError> {
    match block {
        Block::Box { centre, half } => {
            Ok(PackedBody { shape: Shape::Box { half: *half }, position: *centre, orientation: Quat::identity() })
        }
        Block::Hull { vertices, thickness } => {
            let placed = hull(vertices, *thickness, dimension)?;
            Ok(PackedBody { shape: placed.shape, position: placed.centre, orientation: placed.orientation })
        }
    }
}
