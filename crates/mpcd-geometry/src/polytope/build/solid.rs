//! Convex polyhedra: the triangles of the hull, merged to flat faces.

use mpcd_core::{Dimension, Vec3};

use super::{
    assemble::{Loop, polyhedral},
    distinct::distinct,
    hull::{Triangle, hull},
};
use crate::polytope::{FLAT, Polytope, PolytopeError};

/// Points less than this part of the size outside of a face do not move it.
const NEAR: f64 = 1e-9;

impl Polytope {
    /// The convex hull of points (m): [`Polytope::polygon`] in a planar model, [`Polytope::polyhedron`] in space.
    ///
    /// # Errors
    /// See there.
    pub fn from_points(points: &[Vec3], dimension: Dimension) -> Result<Self, PolytopeError> {
        match dimension {
            Dimension::Planar => Self::polygon(points),
            Dimension::Spatial => Self::polyhedron(points),
        }
    }

    /// The convex hull of points in space (m). Coplanar triangles are one face; points inside of faces and edges are left out.
    ///
    /// # Errors
    /// If a coordinate is not finite, the points lie in one plane (see [`Polytope::plate`]), the hull has too many features or
    /// nearly coplanar faces that are neither one nor two.
    pub fn polyhedron(points: &[Vec3]) -> Result<Self, PolytopeError> {
        let (points, size) = distinct(points)?;
        let triangles = hull(&points, NEAR * size, FLAT * size)?;
        let mut used: Vec<usize> = triangles.iter().flat_map(|t| t.vertices).collect();
        used.sort_unstable();
        used.dedup();
        let (kept, faces) = faces(&points, &used, triangles, FLAT * size);
        super::assemble::within_limit(kept.len(), "vertices")?;
        let vertices: Vec<Vec3> = kept.iter().map(|&i| points[i]).collect();
        let number = |i: &usize| kept.binary_search(i).ok().map(|k| k as u16);
        let loops: Vec<Loop> = faces
            .into_iter()
            .map(|(normal, corners)| around(normal, corners.iter().filter_map(number).collect(), &vertices))
            .filter(|l| l.vertices.len() > 2)
            .collect();
        let corners: usize = loops.iter().map(|l| l.vertices.len()).sum();
        let built = polyhedral(vertices, loops)?;
        // Euler's formula, and every side of a face on an edge.
        let (v, e, f) = (built.vertices.len(), built.edges.len(), built.faces.len());
        if v + f != e + 2 || corners != 2 * e { Err(PolytopeError::NearlyFlat) } else { Ok(built) }
    }
}

/// The planes of the hull, largest triangle first, each with the points on it, and the points that are corners (on three or
/// more planes), by rising number.
fn faces(points: &[Vec3], used: &[usize], mut triangles: Vec<Triangle>, flat: f64) -> (Vec<usize>, Vec<(Vec3, Vec<usize>)>) {
    let area: Vec<f64> = triangles.iter().map(|t| t.area(points)).collect();
    let mut order: Vec<usize> = (0..triangles.len()).collect();
    order.sort_by(|&a, &b| area[b].total_cmp(&area[a]).then(triangles[a].vertices.cmp(&triangles[b].vertices)));
    let mut taken = vec![false; triangles.len()];
    let mut planes: Vec<(Vec3, Vec<usize>)> = Vec::new();
    let mut on_planes = vec![0_u32; points.len()];
    for &k in &order {
        if taken[k] || triangles[k].normal == Vec3::zeros() {
            continue;
        }
        let (n, offset) = (triangles[k].normal, triangles[k].normal.dot(&points[triangles[k].vertices[0]]));
        let on: Vec<usize> = used.iter().copied().filter(|&i| (n.dot(&points[i]) - offset).abs() <= flat).collect();
        on.iter().for_each(|&i| on_planes[i] += 1);
        for (other, t) in triangles.iter_mut().enumerate() {
            taken[other] |= t.vertices.iter().all(|v| on.binary_search(v).is_ok());
        }
        planes.push((n, on));
    }
    let kept: Vec<usize> = used.iter().copied().filter(|&i| on_planes[i] > 2).collect();
    (kept, planes)
}

/// Orders the corners of a face counter-clockwise, from the lowest one, and takes the normal of all of them (Newell).
fn around(normal: Vec3, mut corners: Vec<u16>, vertices: &[Vec3]) -> Loop {
    let at = |v: u16| vertices[v as usize];
    let middle = corners.iter().map(|&v| at(v)).sum::<Vec3>() / corners.len().max(1) as f64;
    let frame = mpcd_core::Frame::spatial(normal);
    let angle = |v: u16| (at(v) - middle).dot(&frame.s()).atan2((at(v) - middle).dot(&frame.t));
    corners.sort_by(|&a, &b| angle(a).total_cmp(&angle(b)));
    let lowest = corners.iter().enumerate().min_by_key(|&(_, &v)| v).map_or(0, |(k, _)| k);
    corners.rotate_left(lowest);
    let area: Vec3 = corners.windows(2).map(|w| (at(w[0]) - middle).cross(&(at(w[1]) - middle))).sum();
    let last = match corners[..] {
        [first, .., last] => (at(last) - middle).cross(&(at(first) - middle)),
        _ => Vec3::zeros(),
    };
    Loop { normal: (area + last).try_normalize(0.0).unwrap_or(normal), vertices: corners }
}
