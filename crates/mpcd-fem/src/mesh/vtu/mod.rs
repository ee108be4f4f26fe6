//! Reader of VTK's unstructured grids (`.vtu`): what its arrays become. How the arrays are stored is in the room below.
//!
//! Read by ourselves and not with vtkio, which panics on damaged files.

mod arrays;

use std::collections::BTreeMap;
use std::path::Path;

use mpcd_core::Vec3;

use super::{Mesh, MeshError, lower::Lower};
use crate::cell::Cell;
use arrays::Grid;

/// VTK's type of a single node.
const VERTEX: f64 = 1.0;

impl Mesh {
    /// Reads an unstructured grid of VTK (`.vtu`, one piece, not compressed or by ZLib). Nodes without an element are left out. Each value v of a cell array
    /// `a` of integers makes a group `a v` (`material 2`): of elements, of the cells of one dimension less a group of faces, of lower ones a group of nodes.
    ///
    /// # Errors
    /// [`MeshError`], with the file.
    pub fn read_vtu(path: &Path) -> Result<Self, MeshError> {
        let file = path.display().to_string();
        let bytes = std::fs::read(path).map_err(|e| MeshError::File { file: file.clone(), reason: e.to_string() })?;
        Self::from_vtu(&file, &bytes)
    }

    /// The same from the bytes of a file; `file` is what messages call it.
    ///
    /// # Errors
    /// [`MeshError`].
    pub fn from_vtu(file: &str, bytes: &[u8]) -> Result<Self, MeshError> {
        let grid = arrays::read(bytes).map_err(|what| MeshError::Format {
            file: file.to_owned(),
            what,
            cure: "expected an unstructured grid (.vtu) of one piece, little-endian, not compressed or by ZLib: in ParaView choose the compressor ZLib or none",
        })?;
        mesh(file, &grid)
    }
}

/// An index; what is none becomes one that no mesh has.
fn index(value: f64) -> usize {
    if value >= 0.0 && value.fract() == 0.0 && value < 1e15 { value as usize } else { usize::MAX }
}

fn mesh(file: &str, grid: &Grid) -> Result<Mesh, MeshError> {
    let nodes: Vec<Vec3> = grid.points.chunks_exact(3).map(|x| Vec3::new(x[0], x[1], x[2])).collect();
    let mut lists = Vec::new();
    let mut start = 0;
    for (k, &number) in grid.types.iter().enumerate() {
        let end = grid.offsets.get(k).map_or(usize::MAX, |&end| index(end));
        if end < start || end > grid.connectivity.len() {
            let problem = format!("has no nodes for cell {k}");
            return Err(MeshError::Member { file: file.to_owned(), name: "Cells".to_owned(), problem });
        }
        let cell = u8::try_from(index(number)).ok().and_then(Cell::from_vtk);
        if cell.is_none() && number != VERTEX {
            return Err(MeshError::Cell { file: file.to_owned(), element: k, kind: format!("{number} of VTK") });
        }
        lists.push((k, cell, grid.connectivity[start..end].iter().map(|&n| index(n)).collect::<Vec<_>>()));
        start = end;
    }
    let top = lists.iter().filter_map(|(_, cell, _)| cell.map(Cell::dimension)).max().unwrap_or(0);
    if top < 2 {
        return Err(MeshError::Empty { file: file.to_owned(), what: "surface or volume cells" });
    }
    let names = |cell: usize| -> Vec<String> {
        grid.cell_integers.iter().filter_map(|(name, values)| Some(format!("{name} {}", values.get(cell)?))).collect()
    };
    let (mut labels, mut elements, mut lower) = (Vec::new(), Vec::new(), Vec::new());
    for (k, kind, list) in lists {
        match kind {
            Some(cell) if cell.dimension() == top => {
                labels.push(k);
                elements.push((cell, list));
            }
            _ => lower.push(Lower { label: k, kind, nodes: list, names: names(k) }),
        }
    }
    let node_labels = (0..nodes.len()).collect();
    let mut mesh = Mesh::unchecked(file, nodes, &elements, (node_labels, labels))?;
    let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (element, &cell) in mesh.element_labels.iter().enumerate() {
        names(cell).into_iter().for_each(|name| groups.entry(name).or_default().push(element));
    }
    groups.into_iter().try_for_each(|(name, members)| mesh.add_element_group(&name, members))?;
    lower.retain(|cell| !cell.names.is_empty());
    mesh.name_lower(lower)?;
    mesh.drop_unused_nodes();
    mesh.check_shapes()?;
    Ok(mesh)
}
