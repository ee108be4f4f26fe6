//! What can be written, as plain data: points, lines and polygons, image grids, meshes, each with named arrays.
//! No file format here (see `vtk`) and no shapes (see `surfaces`).

use std::ops::Range;

use crate::error::OutputError;

/// The numbers of one array, flat: all components of entity 0, then of entity 1, and so on.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// 64-bit floats.
    F64(Vec<f64>),
    /// 64-bit integers (ids, keys).
    I64(Vec<i64>),
    /// 32-bit integers (groups).
    I32(Vec<i32>),
    /// Bytes (statuses, flags).
    U8(Vec<u8>),
}

impl Values {
    /// How many numbers there are (entities times components).
    pub fn len(&self) -> usize {
        match self {
            Self::F64(v) => v.len(),
            Self::I64(v) => v.len(),
            Self::I32(v) => v.len(),
            Self::U8(v) => v.len(),
        }
    }

    /// True when there is no number at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A named array over the points or the cells of a data set.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// Name shown by ParaView; unique among the arrays of the same support.
    pub name: String,
    /// Numbers per entity: 1 scalar, 3 vector, 4 quaternion (w, x, y, z), 9 tensor (row by row).
    pub components: usize,
    /// The numbers, flat.
    pub values: Values,
}

impl Array {
    /// One float per entity.
    pub fn scalars(name: impl Into<String>, values: Vec<f64>) -> Self {
        Self { name: name.into(), components: 1, values: Values::F64(values) }
    }

    /// Three floats per entity.
    pub fn vectors(name: impl Into<String>, values: &[[f64; 3]]) -> Self {
        Self { name: name.into(), components: 3, values: Values::F64(values.as_flattened().to_vec()) }
    }

    /// Four floats per entity, in the order w, x, y, z that VTK's glyph mapper expects.
    pub fn quaternions(name: impl Into<String>, values: &[[f64; 4]]) -> Self {
        Self { name: name.into(), components: 4, values: Values::F64(values.as_flattened().to_vec()) }
    }

    /// One 32-bit integer per entity.
    pub fn integers(name: impl Into<String>, values: Vec<i32>) -> Self {
        Self { name: name.into(), components: 1, values: Values::I32(values) }
    }

    /// One 64-bit integer per entity.
    pub fn ids(name: impl Into<String>, values: Vec<i64>) -> Self {
        Self { name: name.into(), components: 1, values: Values::I64(values) }
    }

    /// Those of a range of entities that there are.
    pub(crate) fn slice(&self, rows: Range<usize>) -> Self {
        let range = rows.start * self.components..rows.end * self.components;
        let values = match &self.values {
            Values::F64(all) => Values::F64(all[range].to_vec()),
            Values::I64(all) => Values::I64(all[range].to_vec()),
            Values::I32(all) => Values::I32(all[range].to_vec()),
            Values::U8(all) => Values::U8(all[range].to_vec()),
        };
        Self { name: self.name.clone(), components: self.components, values }
    }

    /// Those of some entities, in this order; one that there is not is left out.
    #[must_use]
    pub fn rows(&self, rows: &[usize]) -> Self {
        fn pick<T: Copy>(all: &[T], rows: &[usize], c: usize) -> Vec<T> {
            rows.iter().filter_map(|i| all.get(i * c..(i + 1) * c)).flatten().copied().collect()
        }
        let c = self.components;
        let values = match &self.values {
            Values::F64(all) => Values::F64(pick(all, rows, c)),
            Values::I64(all) => Values::I64(pick(all, rows, c)),
            Values::I32(all) => Values::I32(pick(all, rows, c)),
            Values::U8(all) => Values::U8(pick(all, rows, c)),
        };
        Self { name: self.name.clone(), components: c, values }
    }

    /// The array under a name that none of `others` has: with `_field` behind its own where one has that.
    #[must_use]
    pub fn beside(self, others: &[Self]) -> Self {
        let taken = others.iter().any(|a| a.name == self.name);
        let name = if taken { format!("{}_field", self.name) } else { self.name };
        Self { name, ..self }
    }

    /// One byte per entity.
    pub fn bytes(name: impl Into<String>, values: Vec<u8>) -> Self {
        Self { name: name.into(), components: 1, values: Values::U8(values) }
    }
}

/// Points with arrays: bodies as centres with a radius, contacts as points with a force.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PointSet {
    /// Positions (m).
    pub points: Vec<[f64; 3]>,
    /// Arrays over the points.
    pub arrays: Vec<Array>,
}

/// Lists of point indices, one list per cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Topology {
    connectivity: Vec<u64>,
    ends: Vec<u64>,
}

impl Topology {
    /// Adds one cell made of these points (indices into the points of the data set).
    pub fn push(&mut self, points: impl IntoIterator<Item = usize>) {
        self.connectivity.extend(points.into_iter().map(|p| p as u64));
        self.ends.push(self.connectivity.len() as u64);
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True when there is no cell.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// All point indices, cell after cell.
    pub fn connectivity(&self) -> &[u64] {
        &self.connectivity
    }

    /// For each cell the end of its list in [`Topology::connectivity`].
    pub fn ends(&self) -> &[u64] {
        &self.ends
    }

    pub(crate) fn into_parts(self) -> (Vec<u64>, Vec<u64>) {
        (self.connectivity, self.ends)
    }
}

/// Lines and polygons: walls, body outlines. Cell arrays hold the lines first, then the polygons.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Polys {
    /// Positions (m).
    pub points: Vec<[f64; 3]>,
    /// Open or closed lines through the points.
    pub lines: Topology,
    /// Planar polygons.
    pub polygons: Topology,
    /// Arrays over the points.
    pub point_arrays: Vec<Array>,
    /// Arrays over lines, then polygons.
    pub cell_arrays: Vec<Array>,
}

/// A regular grid aligned with the axes; x runs fastest in all arrays.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImageGrid {
    /// Lowest corner (m).
    pub origin: [f64; 3],
    /// Cell size (m), each > 0.
    pub spacing: [f64; 3],
    /// Number of cells along each axis; 0 makes the grid flat along that axis (a planar model).
    pub cells: [usize; 3],
    /// Arrays over the cells.
    pub cell_arrays: Vec<Array>,
    /// Arrays over the corner points, `cells + 1` of them along each axis.
    pub point_arrays: Vec<Array>,
}

impl ImageGrid {
    /// Number of cells: the product over the axes that are not flat.
    pub fn cell_count(&self) -> usize {
        self.cells.iter().map(|&c| c.max(1)).product()
    }

    /// Number of corner points.
    pub fn point_count(&self) -> usize {
        self.cells.iter().map(|&c| c + 1).product()
    }
}

/// Kinds of cell of a [`Mesh`], with VTK's numbering of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellType {
    /// 2 nodes.
    Line,
    /// 3 nodes.
    Triangle,
    /// 4 nodes, in turn around the face.
    Quad,
    /// 4 nodes.
    Tetra,
    /// 8 nodes: bottom face in turn, then top face.
    Hexahedron,
    /// 6 nodes: one triangle, then the other.
    Wedge,
    /// 6 nodes: corners, then the middles of edges 01, 12, 20.
    QuadraticTriangle,
    /// 10 nodes: corners, then the middles of edges 01, 12, 20, 03, 13, 23.
    QuadraticTetra,
    /// 8 nodes: corners in turn, then the middles of edges 01, 12, 23, 30.
    QuadraticQuad,
    /// 20 nodes: corners as of a hexahedron, then the middles of the edges of the bottom, of the top, and between them.
    QuadraticHexahedron,
}

impl CellType {
    /// The kind with this type number in VTK files.
    #[must_use]
    pub const fn from_vtk(number: u8) -> Option<Self> {
        Some(match number {
            3 => Self::Line,
            5 => Self::Triangle,
            9 => Self::Quad,
            10 => Self::Tetra,
            12 => Self::Hexahedron,
            13 => Self::Wedge,
            22 => Self::QuadraticTriangle,
            23 => Self::QuadraticQuad,
            24 => Self::QuadraticTetra,
            25 => Self::QuadraticHexahedron,
            _ => return None,
        })
    }
}

/// A mesh of finite elements.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Node positions (m).
    pub points: Vec<[f64; 3]>,
    /// Node lists of the cells.
    pub cells: Topology,
    /// Kind of each cell.
    pub types: Vec<CellType>,
    /// Arrays over the nodes.
    pub point_arrays: Vec<Array>,
    /// Arrays over the cells.
    pub cell_arrays: Vec<Array>,
}

/// Anything that can be written as one VTK file.
#[derive(Clone, Debug, PartialEq)]
pub enum DataSet {
    /// PolyData with one vertex per point, `.vtp`.
    Points(PointSet),
    /// PolyData with lines and polygons, `.vtp`.
    Polys(Polys),
    /// ImageData, `.vti`.
    Image(ImageGrid),
    /// UnstructuredGrid, `.vtu`.
    Mesh(Mesh),
}

impl DataSet {
    /// File name extension, without the dot.
    pub fn extension(&self) -> &'static str {
        match self {
            Self::Points(_) | Self::Polys(_) => "vtp",
            Self::Image(_) => "vti",
            Self::Mesh(_) => "vtu",
        }
    }

    /// Checks that arrays are as long as their support, names are unique, and indices are in range: VTK's readers
    /// answer such faults with an empty data set and no error.
    ///
    /// # Errors
    /// [`OutputError::ArrayLength`], [`OutputError::ArrayName`], [`OutputError::CellPoint`], [`OutputError::Spacing`],
    /// [`OutputError::CellTypes`].
    pub fn check(&self) -> Result<(), OutputError> {
        match self {
            Self::Points(p) => check_arrays(&p.arrays, "points", p.points.len()),
            Self::Polys(p) => {
                check_cells(&p.lines, p.points.len())?;
                check_cells(&p.polygons, p.points.len())?;
                check_arrays(&p.point_arrays, "points", p.points.len())?;
                check_arrays(&p.cell_arrays, "lines and polygons", p.lines.len() + p.polygons.len())
            }
            Self::Image(g) => {
                if !g.spacing.iter().all(|s| s.is_finite() && *s > 0.0) || !g.origin.iter().all(|o| o.is_finite()) {
                    return Err(OutputError::Spacing { origin: g.origin, spacing: g.spacing });
                }
                check_arrays(&g.point_arrays, "grid points", g.point_count())?;
                check_arrays(&g.cell_arrays, "grid cells", g.cell_count())
            }
            Self::Mesh(m) => {
                if m.types.len() != m.cells.len() {
                    return Err(OutputError::CellTypes { cells: m.cells.len(), types: m.types.len() });
                }
                check_cells(&m.cells, m.points.len())?;
                check_arrays(&m.point_arrays, "nodes", m.points.len())?;
                check_arrays(&m.cell_arrays, "cells", m.cells.len())
            }
        }
    }
}

fn check_cells(topology: &Topology, points: usize) -> Result<(), OutputError> {
    match topology.connectivity.iter().find(|&&p| p >= points as u64) {
        Some(&index) => Err(OutputError::CellPoint { index, points }),
        None => Ok(()),
    }
}

fn check_arrays(arrays: &[Array], support: &'static str, entities: usize) -> Result<(), OutputError> {
    for (i, array) in arrays.iter().enumerate() {
        if array.name.is_empty() || arrays[..i].iter().any(|other| other.name == array.name) {
            return Err(OutputError::ArrayName { name: array.name.clone(), support });
        }
        if array.components == 0 || array.values.len() != entities * array.components {
            return Err(OutputError::ArrayLength {
                name: array.name.clone(),
                support,
                entities,
                components: array.components,
                found: array.values.len(),
            });
        }
    }
    Ok(())
}
