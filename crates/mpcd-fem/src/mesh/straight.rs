//! Built-in meshes with straight sides: rectangle and box.

use mpcd_core::Vec3;

use super::{Face, Mesh, MeshError};
use crate::cell::Cell;

/// Paths from corner 0 to corner 6 of a hexahedron along its edges (Kuhn): six tetrahedra that fit those of the neighbours.
const KUHN: [[usize; 4]; 6] = [[0, 1, 2, 6], [0, 5, 1, 6], [0, 2, 3, 6], [0, 3, 7, 6], [0, 4, 5, 6], [0, 7, 4, 6]];

impl Mesh {
    /// A rectangle from the origin, `size` (m) in x and y, of `count` quadrilaterals (each two triangles for T3 and T6).
    ///
    /// Groups: elements `body`; sides `left`, `right` (x), `bottom`, `top` (y); node `origin`.
    ///
    /// # Errors
    /// [`MeshError::Measure`], [`MeshError::Kind`].
    pub fn rectangle(size: [f64; 2], count: [usize; 2], cell: Cell) -> Result<Self, MeshError> {
        if cell.dimension() != 2 {
            return Err(MeshError::Kind { mesh: "rectangle", cell: cell.name(), expected: "T3, T6, Q4, Q8" });
        }
        lattice("rectangle", [size[0], size[1], 0.0], [count[0], count[1], 0], cell)
    }

    /// A box from the origin, `size` (m), of `count` hexahedra (each six tetrahedra for TET4 and TET10).
    ///
    /// Groups: elements `body`; faces `left`, `right` (x), `bottom`, `top` (y), `back`, `front` (z); node `origin`.
    ///
    /// # Errors
    /// [`MeshError::Measure`], [`MeshError::Kind`].
    pub fn cuboid(size: [f64; 3], count: [usize; 3], cell: Cell) -> Result<Self, MeshError> {
        if cell.dimension() != 3 {
            return Err(MeshError::Kind { mesh: "cuboid", cell: cell.name(), expected: "TET4, TET10, HEX8, HEX20" });
        }
        lattice("cuboid", size, count, cell)
    }
}

fn lattice(mesh: &'static str, size: [f64; 3], count: [usize; 3], cell: Cell) -> Result<Mesh, MeshError> {
    let d = cell.dimension();
    for k in 0..d {
        positive(mesh, ["size in x", "size in y", "size in z"][k], size[k])?;
        counted(mesh, ["number of cells in x", "number of cells in y", "number of cells in z"][k], count[k])?;
    }
    sized(mesh, count[..d].iter().map(|&n| n as f64).product(), cell)?;
    let stride = [1, count[0] + 1, (count[0] + 1) * (count[1] + 1)];
    let place = |i: usize, k: usize| if k < d { size[k] * i as f64 / count[k] as f64 } else { 0.0 };
    let grid = |upper: [usize; 3]| {
        (0..upper[2]).flat_map(move |z| (0..upper[1]).flat_map(move |y| (0..upper[0]).map(move |x| [x, y, z])))
    };
    let nodes = grid(count.map(|c| c + 1)).map(|i| Vec3::new(place(i[0], 0), place(i[1], 1), place(i[2], 2))).collect();
    let blocks = grid(if d == 2 { [count[0], count[1], 1] } else { count }).map(|i| {
        let at = |x: usize, y: usize, z: usize| (i[0] + x) * stride[0] + (i[1] + y) * stride[1] + (i[2] + z) * stride[2];
        [at(0, 0, 0), at(1, 0, 0), at(1, 1, 0), at(0, 1, 0), at(0, 0, 1), at(1, 0, 1), at(1, 1, 1), at(0, 1, 1)]
    });
    let elements: Vec<(Cell, Vec<usize>)> = blocks.flat_map(|b| split(&b, cell.linear())).collect();
    let mut result = Mesh::new(mesh, nodes, &elements)?;
    result.add_element_group("body", (0..elements.len()).collect())?;
    let names = [["left", "right"], ["bottom", "top"], ["back", "front"]];
    for k in 0..d {
        for (end, name) in names[k].into_iter().enumerate() {
            let value = if end == 0 { 0.0 } else { size[k] };
            result.add_faces_where(name, |x| (x[k] - value).abs() < 1e-9 * size[k])?;
        }
    }
    result.add_node_group("origin", vec![0])?;
    if cell.is_quadratic() { result.to_quadratic() } else { Ok(result) }
}

/// One quadrilateral or hexahedron as cells of a kind.
pub(super) fn split(block: &[usize], cell: Cell) -> Vec<(Cell, Vec<usize>)> {
    let pick = |list: &[usize]| (cell, list.iter().map(|&k| block[k]).collect());
    match cell {
        Cell::Tri3 => vec![pick(&[0, 1, 2]), pick(&[0, 2, 3])],
        Cell::Tet4 => KUHN.iter().map(|path| pick(path)).collect(),
        _ => vec![(cell, block[..cell.nodes()].to_vec())],
    }
}

pub(super) fn positive(mesh: &'static str, what: &'static str, value: f64) -> Result<(), MeshError> {
    measured(mesh, what, value, value > 0.0 && value.is_finite(), "a finite number above zero")
}

pub(super) fn counted(mesh: &'static str, what: &'static str, value: usize) -> Result<(), MeshError> {
    measured(mesh, what, value as f64, (1..=100_000).contains(&value), "1 to 100,000")
}

/// A measure of a built-in mesh that must be good.
pub(super) fn measured(
    mesh: &'static str,
    what: &'static str,
    value: f64,
    good: bool,
    expected: &'static str,
) -> Result<(), MeshError> {
    if good { Ok(()) } else { Err(MeshError::Measure { mesh, what, value, expected }) }
}

/// Most elements of a built-in mesh: they take some gigabytes before anything is computed with them.
const MOST: usize = 5_000_000;

/// Refuses a mesh of so many quadrilaterals or hexahedra that it could not be kept, before it is made.
pub(super) fn sized(mesh: &'static str, blocks: f64, cell: Cell) -> Result<(), MeshError> {
    let parts = match cell.linear() {
        Cell::Tri3 => 2.0,
        Cell::Tet4 => 6.0,
        _ => 1.0,
    };
    let elements = parts * blocks;
    if elements <= MOST as f64 { Ok(()) } else { Err(MeshError::Size { mesh, elements, limit: MOST }) }
}

impl Face {
    /// A face by its element and its number there.
    pub const fn new(element: usize, local: usize) -> Self {
        Self { element, local }
    }
}
