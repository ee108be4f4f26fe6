//! How a model file writes meshes and what fills them: `Rectangle(size: (1, 1), cells: (8, 8))`, `solid: (law: NeoHookean)`. Parameters to meshes
//! and sections; no bodies, no contact.

use mpcd_core::{
    InputError, Quantity, Slot, Vec3,
    hertz::ElasticMaterial,
    quantity::{Angle, Duration, Length, NonNegative, Number, Positive, Rate, Vector},
};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{
    Cell, FemError, Isotropic, KelvinVoigt, MaterialError, Mesh, MeshError, Section, SolidLaws,
    solid_law::{Linear, SolidLaw as _},
};

/// A kind of element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
pub enum ElementName {
    /// Triangle of 3 nodes.
    T3,
    /// Triangle of 6 nodes.
    T6,
    /// Quadrilateral of 4 nodes.
    Q4,
    /// Quadrilateral of 8 nodes.
    Q8,
    /// Tetrahedron of 4 nodes.
    Tet4,
    /// Tetrahedron of 10 nodes.
    Tet10,
    /// Hexahedron of 8 nodes.
    Hex8,
    /// Hexahedron of 20 nodes.
    Hex20,
}

impl ElementName {
    const fn cell(self) -> Cell {
        match self {
            Self::T3 => Cell::Tri3,
            Self::T6 => Cell::Tri6,
            Self::Q4 => Cell::Quad4,
            Self::Q8 => Cell::Quad8,
            Self::Tet4 => Cell::Tet4,
            Self::Tet10 => Cell::Tet10,
            Self::Hex8 => Cell::Hex8,
            Self::Hex20 => Cell::Hex20,
        }
    }
}

/// A number above zero.
type Ratio = Quantity<Number, Positive>;

/// A mesh: built in, or from a file.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub enum MeshSource {
    /// A rectangle with its lower left corner at the origin. Sides `left`, `right`, `bottom`, `top`.
    Rectangle {
        /// Length along x and y.
        size: Vector<Length, NonNegative>,
        /// Cells along x and y.
        cells: (usize, usize),
        /// Kind of element; default Q8.
        element: Option<ElementName>,
        /// Length of the last cell over that of the first along x and y, those between in geometric progression; default 1.
        grading: Option<(Ratio, Ratio)>,
    },
    /// A box with its lowest corner at the origin. Faces `left`, `right` (x), `bottom`, `top` (y), `back`, `front` (z).
    Cuboid {
        /// Length along x, y and z.
        size: Vector<Length, NonNegative>,
        /// Cells along x, y and z.
        cells: (usize, usize, usize),
        /// Kind of element; default Hex20.
        element: Option<ElementName>,
        /// Length of the last cell over that of the first along x, y and z, those between in geometric progression; default 1.
        grading: Option<(Ratio, Ratio, Ratio)>,
    },
    /// A ring around the origin, or a part of one from the x axis on. Sides `inner`, `outer`; of a part also `start`, `end`.
    Annulus {
        /// Inner radius.
        inner: Quantity<Length, Positive>,
        /// Outer radius.
        outer: Quantity<Length, Positive>,
        /// Angle of the part; default the whole ring.
        angle: Option<Quantity<Angle, Positive>>,
        /// Cells along the radius and around.
        cells: (usize, usize),
        /// Kind of element; default Q8.
        element: Option<ElementName>,
    },
    /// A disc around the origin, in space a ball. Side `surface`.
    Round {
        /// Radius.
        radius: Quantity<Length, Positive>,
        /// Cells along a side of the square or cube in the middle, and layers from there to the surface.
        cells: (usize, usize),
        /// Kind of element; default Q8, in space Hex20.
        element: Option<ElementName>,
    },
    /// A text file of gmsh, version 2.2 or 4.1. Physical groups keep their names.
    Gmsh {
        /// Its name, relative to the folder of the model.
        file: String,
        /// Metres to the unit of the file; default 1. A mesh in millimetres has 0.001.
        scale: Option<Quantity<Number, Positive>>,
    },
    /// An unstructured grid of VTK, not compressed or by ZLib. Arrays of integers of its cells name groups: `material 2` are the cells of the value 2 of
    /// `material`, cells of one dimension less are sides.
    Vtu {
        /// Its name, relative to the folder of the model.
        file: String,
        /// Metres to the unit of the file; default 1.
        scale: Option<Quantity<Number, Positive>>,
    },
}

impl MeshSource {
    /// Whether it is of a file whose scale is not given.
    #[must_use]
    pub const fn is_unscaled(&self) -> bool {
        matches!(self, Self::Gmsh { scale: None, .. } | Self::Vtu { scale: None, .. })
    }

    /// The mesh, in a planar model or in space. `read` gives the name for messages and the bytes of a file.
    ///
    /// # Errors
    /// What is wrong with the measures or in the file, as words; what `read` says.
    pub fn mesh<E: From<MeshError>>(&self, planar: bool, mut read: impl FnMut(&str) -> Result<Vec<u8>, E>) -> Result<Mesh, E> {
        let element = |given: Option<ElementName>, flat: Cell, solid: Cell| {
            given.map_or(if planar { flat } else { solid }, ElementName::cell)
        };
        let made = match self {
            Self::Rectangle { size, cells, element: e, grading } => {
                let made = Mesh::rectangle([size.si().x, size.si().y], [cells.0, cells.1], element(*e, Cell::Quad8, Cell::Quad8));
                let ratios = grading.map_or([1.0; 3], |g| [g.0.si(), g.1.si(), 1.0]);
                made.and_then(|mesh| graded(mesh, size.si(), [cells.0, cells.1, 1], ratios))
            }
            Self::Cuboid { size, cells, element: e, grading } => {
                let count = [cells.0, cells.1, cells.2];
                let made = Mesh::cuboid(size.si().into(), count, element(*e, Cell::Hex20, Cell::Hex20));
                let ratios = grading.map_or([1.0; 3], |g| [g.0.si(), g.1.si(), g.2.si()]);
                made.and_then(|mesh| graded(mesh, size.si(), count, ratios))
            }
            Self::Annulus { inner, outer, angle, cells, element: e } => {
                let angle = angle.map_or(std::f64::consts::TAU, |a| a.si());
                Mesh::annulus(inner.si(), outer.si(), angle, [cells.0, cells.1], element(*e, Cell::Quad8, Cell::Quad8))
            }
            Self::Round { radius, cells, element: e } => {
                Mesh::ball(radius.si(), cells.0, cells.1, element(*e, Cell::Quad8, Cell::Hex20))
            }
            Self::Gmsh { file, scale } => {
                let bytes = read(file)?;
                Mesh::from_gmsh(file, &String::from_utf8_lossy(&bytes)).and_then(|m| scaled(m, *scale))
            }
            Self::Vtu { file, scale } => Mesh::from_vtu(file, &read(file)?).and_then(|m| scaled(m, *scale)),
        };
        made.map_err(E::from)
    }
}

/// Moves the equal cells of a lattice so that the last along each axis is `ratios` times as long as the first; what is between the corners of a
/// cell stays in the middle.
fn graded(mesh: Mesh, size: Vec3, cells: [usize; 3], ratios: [f64; 3]) -> Result<Mesh, MeshError> {
    if ratios == [1.0; 3] {
        return Ok(mesh);
    }
    if let Some(k) = (0..3).find(|&k| cells[k] == 1 && ratios[k] != 1.0) {
        let mesh = if cells[2] == 1 && size.z == 0.0 { "rectangle" } else { "cuboid" };
        let expected = "1 along an axis of one cell, which is its own last";
        return Err(MeshError::Measure { mesh, what: "grading", value: ratios[k], expected });
    }
    let edges: [Vec<f64>; 3] = std::array::from_fn(|k| {
        let factor = if cells[k] > 1 { ratios[k].powf(1.0 / (cells[k] - 1) as f64) } else { 1.0 };
        let mut ends = vec![0.0];
        (0..cells[k]).for_each(|i| ends.push(ends[i] + factor.powf(i as f64)));
        let whole = ends[cells[k]];
        ends.iter().map(|x| size[k] * x / whole).collect()
    });
    mesh.moved(|x| {
        Vec3::from_fn(|k, _| {
            if ratios[k] == 1.0 {
                return x[k];
            }
            let at = x[k] / size[k] * cells[k] as f64;
            // the cast saturates, and the last cell has the last corner
            let cell = (at as usize).min(cells[k] - 1);
            edges[k][cell] + (at - cell as f64) * (edges[k][cell + 1] - edges[k][cell])
        })
    })
}

fn scaled(mesh: Mesh, scale: Option<Quantity<Number, Positive>>) -> Result<Mesh, MeshError> {
    match scale.map(|s| s.si()) {
        Some(scale) if scale != 1.0 => mesh.moved(|x| x * scale),
        _ => Ok(mesh),
    }
}

/// How a deformable body of this material answers to strain; its elastic constants are those of `elastic`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SolidMaterial {
    /// The law: Linear, SaintVenantKirchhoff, NeoHookean, J2(yield_stress, hardening, saturation), or a law of your own; default `Linear`.
    pub law: Option<Slot>,
    /// Retardation time of Kelvin and Voigt: a stress τ D ε̇ beside the elastic one; default none.
    pub retardation: Option<Quantity<Duration, NonNegative>>,
    /// Rayleigh's damping by mass; default none.
    pub mass_damping: Option<Quantity<Rate, NonNegative>>,
    /// Rayleigh's damping by stiffness; default none.
    pub stiffness_damping: Option<Quantity<Duration, NonNegative>>,
}

impl SolidMaterial {
    /// The section of a body: elastic constants, this law as `laws` know it, a density (kg/m³).
    ///
    /// # Errors
    /// An unknown law, a parameter out of range.
    pub fn section(&self, laws: &SolidLaws, elastic: &ElasticMaterial, density: f64) -> Result<Section, InputError> {
        let constants = Isotropic::new(elastic.young.si(), elastic.poisson.si())?;
        let law = match &self.law {
            None => Linear {}.material(constants)?,
            Some(slot) => laws.build(slot)?.material(constants).map_err(|e| slot.place(e.into()))?,
        };
        let law = KelvinVoigt::new(law, self.retardation.map_or(0.0, |t| t.si()))?;
        let damping = [self.mass_damping.map_or(0.0, |a| a.si()), self.stiffness_damping.map_or(0.0, |b| b.si())];
        Ok(Section::new(law, density)?.with_rayleigh(damping[0], damping[1])?)
    }
}

impl From<FemError> for InputError {
    fn from(error: FemError) -> Self {
        Self::new(error.to_string())
    }
}

impl From<MaterialError> for InputError {
    fn from(error: MaterialError) -> Self {
        Self::new(error.to_string())
    }
}

impl From<MeshError> for InputError {
    fn from(error: MeshError) -> Self {
        Self::new(error.to_string())
    }
}
