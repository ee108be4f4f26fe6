//! Cells and physical groups of a gmsh file become elements and groups of a mesh.

use std::collections::BTreeMap;

use super::super::text::Text;
use super::super::{Mesh, MeshError, lower::Lower};
use super::{Raw, RawCell};
use crate::cell::Cell;

/// gmsh's type of a single node.
const POINT: u32 = 15;
/// Names of common types that are not computed with.
const OTHERS: [(u32, &str); 9] = [
    (6, "prism of 6 nodes"),
    (7, "pyramid of 5 nodes"),
    (10, "quadrilateral of 9 nodes"),
    (12, "hexahedron of 27 nodes"),
    (13, "prism of 18 nodes"),
    (14, "pyramid of 14 nodes"),
    (18, "prism of 15 nodes"),
    (19, "pyramid of 13 nodes"),
    (21, "triangle of 10 nodes"),
];
/// Where gmsh keeps the nodes that stand in our order on edges: its edges run otherwise.
const TET10: [usize; 10] = [0, 1, 2, 3, 4, 5, 6, 7, 9, 8];
const HEX20: [usize; 20] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 13, 9, 16, 18, 19, 17, 10, 12, 14, 15];

/// Nodes of a cell of this type.
pub(super) fn node_count(text: &Text<'_>, label: usize, kind: u32) -> Result<usize, MeshError> {
    if kind == POINT {
        return Ok(1);
    }
    Cell::from_gmsh(kind).map(Cell::nodes).ok_or_else(|| {
        let name = OTHERS.iter().find(|(number, _)| *number == kind).map_or("unknown", |(_, name)| name);
        MeshError::Cell { file: text.file().to_owned(), element: label, kind: format!("{kind} of gmsh ({name})") }
    })
}

fn dimension(kind: u32) -> usize {
    Cell::from_gmsh(kind).map_or(0, Cell::dimension)
}

pub(super) fn mesh(file: &str, raw: Raw) -> Result<Mesh, MeshError> {
    let top = raw.cells.iter().map(|c| dimension(c.kind)).max().unwrap_or(0);
    if top < 2 {
        return Err(MeshError::Empty {
            file: file.to_owned(),
            what: "surface or volume elements (save all, or name them by physical groups)",
        });
    }
    let mut index: BTreeMap<usize, usize> = BTreeMap::new();
    for (k, (label, _)) in raw.nodes.iter().enumerate() {
        if index.insert(*label, k).is_some() {
            let problem = format!("has node {label} twice");
            return Err(MeshError::Member { file: file.to_owned(), name: "$Nodes".to_owned(), problem });
        }
    }
    let name_of = |d: usize, number: usize| raw.names.get(&(d, number)).cloned().unwrap_or_else(|| number.to_string());
    let mut elements = Vec::new();
    let mut labels = Vec::new();
    let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    // version 2.2 writes an element of several groups several times
    let mut seen: BTreeMap<Vec<usize>, usize> = BTreeMap::new();
    for cell in raw.cells.iter().filter(|c| dimension(c.kind) == top) {
        let list = nodes(file, cell, &index)?;
        let element = *seen.entry(list.clone()).or_insert_with(|| {
            elements.push((Cell::from_gmsh(cell.kind).unwrap_or(Cell::Tri3), list));
            labels.push(cell.label);
            elements.len() - 1
        });
        cell.groups.iter().for_each(|&g| groups.entry(name_of(top, g)).or_default().push(element));
    }
    let points = raw.nodes.iter().map(|(_, x)| *x).collect();
    let node_labels = raw.nodes.iter().map(|(label, _)| *label).collect();
    // indices of nodes are those of the file until the ones in no element are dropped, after the groups are known
    let mut mesh = Mesh::unchecked(file, points, &elements, (node_labels, labels)).map_err(|error| match error {
        MeshError::Repeated { file, element, cell, first, .. } => {
            let line = raw.cells.iter().rfind(|c| c.label == element).map(|c| c.line);
            MeshError::Repeated { file, line, element, cell, first }
        }
        _ => error,
    })?;
    for (name, members) in groups {
        mesh.add_element_group(&name, members)?;
    }
    let top = mesh.dimension();
    let lower = raw.cells.iter().filter(|c| dimension(c.kind) < top && !c.groups.is_empty()).map(|c| {
        let names = c.groups.iter().map(|&g| name_of(dimension(c.kind), g)).collect();
        Ok(Lower { label: c.label, kind: Cell::from_gmsh(c.kind), nodes: nodes(file, c, &index)?, names })
    });
    let lower = lower.collect::<Result<Vec<_>, MeshError>>()?;
    mesh.name_lower(lower)?;
    mesh.drop_unused_nodes();
    mesh.check_shapes()?;
    Ok(mesh)
}

/// Nodes of a cell as indices in our order.
fn nodes(file: &str, cell: &RawCell, index: &BTreeMap<usize, usize>) -> Result<Vec<usize>, MeshError> {
    let kind = Cell::from_gmsh(cell.kind);
    let order: Vec<usize> = match kind {
        Some(Cell::Tet10) => TET10.to_vec(),
        Some(Cell::Hex20) => HEX20.to_vec(),
        _ => (0..cell.nodes.len()).collect(),
    };
    let find = |k: usize| {
        index.get(&cell.nodes[k]).copied().ok_or_else(|| MeshError::Connectivity {
            file: file.to_owned(),
            element: cell.label,
            cell: kind.map_or("point", Cell::name),
            problem: format!("has node {}, which the file does not place", cell.nodes[k]),
        })
    };
    order.into_iter().map(find).collect()
}
