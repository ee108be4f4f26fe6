//! The skin of a mesh as flat facets: lines and triangles between nodes, faces with nodes between their corners divided at these. No motion.

use mpcd_core::Vec3;
use mpcd_fem::{Cell, Mesh, MeshError, Shape};
use mpcd_geometry::{Corners, Skin, SurfacePoint};

/// Triangles between the nodes of a face; node 8 of a face with 8 nodes is its middle.
const T6: &[Corners] = &[[0, 3, 5], [3, 1, 4], [5, 4, 2], [3, 4, 5]];
const Q4: [&[Corners]; 2] = [&[[0, 1, 2], [0, 2, 3]], &[[1, 2, 3], [1, 3, 0]]];
const Q8: &[Corners] = &[[8, 0, 4], [8, 4, 1], [8, 1, 5], [8, 5, 2], [8, 2, 6], [8, 6, 3], [8, 3, 7], [8, 7, 0]];

/// The skin of a mesh where its nodes are.
///
/// # Errors
/// A boundary that is no surface.
#[allow(clippy::cast_possible_truncation, reason = "a mesh has fewer than 2³² nodes")]
pub(super) fn skin(mesh: &Mesh, places: &[Vec3]) -> Result<Skin, MeshError> {
    let boundary = mesh.skin()?;
    let mut point_of = vec![u32::MAX; mesh.nodes().len()];
    let mut points: Vec<SurfacePoint> = Vec::new();
    for &node in &boundary.nodes {
        point_of[node] = points.len() as u32;
        points.push(SurfacePoint::node(node as u32));
    }
    let (mut facets, mut shares) = (Vec::new(), Vec::new());
    for face in &boundary.faces {
        let mut corners: Vec<u32> = face.nodes.iter().map(|n| point_of[*n]).collect();
        if face.cell == Cell::Quad8 {
            let middle = Shape::at(Cell::Quad8, [0.0; 3]);
            let point = face.nodes.iter().zip(&middle.value).fold(None::<SurfacePoint>, |point, (n, w)| {
                Some(point.unwrap_or_else(SurfacePoint::nowhere).with(*n as u32, *w))
            });
            corners.push(points.len() as u32);
            points.extend(point);
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
        facets.extend(lists[0].iter().map(named));
        let part = 1.0 / lists.len() as f64;
        shares.extend(lists.iter().flat_map(|list| list.iter()).map(|facet| (named(facet), part)));
    }
    Ok(Skin::new(mesh.dimension() == 2, points, facets, shares, |node| places[node]))
}
