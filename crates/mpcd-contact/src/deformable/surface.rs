//! The skin of a mesh as flat facets: lines and triangles between nodes, faces with nodes between their corners divided at these. No motion.

use mpcd_fem::{Cell, Mesh, MeshError, Shape, Space};
use mpcd_geometry::{Corners, Depth, Facet, MOST_NODES, Patch, PatchShape, Skin, SurfacePoint};

use super::ring;

/// Triangles between the nodes of a face; node 8 of a face with 8 nodes is its middle.
const T6: &[Corners] = &[[0, 3, 5], [3, 1, 4], [5, 4, 2], [3, 4, 5]];
const Q4: [&[Corners]; 2] = [&[[0, 1, 2], [0, 2, 3]], &[[1, 2, 3], [1, 3, 0]]];
const Q8: &[Corners] = &[[8, 0, 4], [8, 4, 1], [8, 1, 5], [8, 5, 2], [8, 2, 6], [8, 6, 3], [8, 3, 7], [8, 7, 0]];

/// The skin of a mesh where its nodes are; faces on the axis of a ring are none.
///
/// # Errors
/// A boundary that is no surface.
#[allow(clippy::cast_possible_truncation, reason = "a mesh has fewer than 2³² nodes")]
pub(super) fn skin(mesh: &Mesh, space: Space) -> Result<Skin, MeshError> {
    let mut boundary = mesh.skin()?;
    let axis = ring::axis_nodes(mesh, space);
    boundary.faces.retain(|face| !face.nodes.iter().all(|n| axis.binary_search(n).is_ok()));
    let mut nodes: Vec<usize> = boundary.faces.iter().flat_map(|face| face.nodes.iter().copied()).collect();
    nodes.sort_unstable();
    nodes.dedup();
    let mut point_of = vec![u32::MAX; mesh.nodes().len()];
    let mut points: Vec<SurfacePoint> = Vec::new();
    for node in nodes {
        point_of[node] = points.len() as u32;
        points.push(SurfacePoint::node(node as u32));
    }
    let (mut patches, mut facets, mut shares) = (Vec::new(), Vec::new(), Vec::new());
    for face in &boundary.faces {
        let mut corners: Vec<u32> = face.nodes.iter().map(|n| point_of[*n]).collect();
        if face.cell == Cell::Quad8 {
            let middle = Shape::at(Cell::Quad8, [0.0; 3]);
            let mut point = SurfacePoint::nowhere();
            face.nodes.iter().zip(&middle.value).for_each(|(n, w)| point.add(*n as u32, *w));
            corners.push(points.len() as u32);
            points.push(point);
        }
        let lists: &[&[Corners]] = match face.cell {
            Cell::Line2 => &[&[[0, 1, 1]]],
            Cell::Line3 => &[&[[0, 2, 2], [2, 1, 1]]],
            Cell::Tri3 => &[&[[0, 1, 2]]],
            Cell::Tri6 => &[T6],
            Cell::Quad4 => &Q4,
            _ => &[Q8],
        };
        let named = |facet: &Corners| facet.map(|k| corners[k as usize]);
        let at = |k: u32| {
            let [x, y, _] = if (k as usize) < face.nodes.len() { face.cell.reference_node(k as usize) } else { [0.0; 3] };
            [x, y]
        };
        let patch = patches.len() as u32;
        facets.extend(lists[0].iter().map(|f| Facet { corners: named(f), patch, at: f.map(at) }));
        let nodes = corners[..face.nodes.len()].to_vec();
        patches.push(Patch { nodes, corners: face.cell.corners(), shape: shape_of(face.cell) });
        let part = 1.0 / lists.len() as f64;
        shares.extend(lists.iter().flat_map(|list| list.iter()).map(|facet| (named(facet), part)));
    }
    let depth = match space {
        Space::Solid => Depth::Solid,
        Space::Axisymmetric => Depth::Ring,
        Space::PlaneStrain { thickness } | Space::PlaneStress { thickness } => Depth::Thickness(thickness),
    };
    Ok(Skin::new(depth, points, (patches, facets), shares, |node| mesh.nodes()[node]))
}

/// The shape functions of a face, as skins want them.
fn shape_of(cell: Cell) -> PatchShape {
    match cell {
        Cell::Line2 => |at| at_point(Cell::Line2, at),
        Cell::Line3 => |at| at_point(Cell::Line3, at),
        Cell::Tri3 => |at| at_point(Cell::Tri3, at),
        Cell::Tri6 => |at| at_point(Cell::Tri6, at),
        Cell::Quad4 => |at| at_point(Cell::Quad4, at),
        _ => |at| at_point(Cell::Quad8, at),
    }
}

fn at_point(cell: Cell, [x, y]: [f64; 2]) -> ([f64; MOST_NODES], [[f64; 2]; MOST_NODES]) {
    let shape = Shape::at(cell, [x, y, 0.0]);
    let slope = |k: usize| [shape.derivative[k][0], shape.derivative[k][1]];
    (std::array::from_fn(|k| shape.value[k]), std::array::from_fn(slope))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    /// Of a square of two by two cells whose left side lies on the axis, the node between the corners there is on no surface.
    #[test]
    fn the_axis_is_no_surface() {
        let mesh = Mesh::rectangle([1.0, 1.0], [2, 2], Cell::Quad4).unwrap();
        assert_eq!(skin(&mesh, Space::PlaneStrain { thickness: 1.0 }).unwrap().points().len(), 8);
        assert_eq!(skin(&mesh, Space::Axisymmetric).unwrap().points().len(), 7);
        let hollow = mesh.moved(|x| x + mpcd_core::Vec3::x()).unwrap();
        assert_eq!(skin(&hollow, Space::Axisymmetric).unwrap().points().len(), 8);
    }
}
