//! The point of a polytope nearest to a point, from outside and from inside: what a ball or disc needs of it.

use mpcd_core::Vec3;

use super::types::Placed;
use crate::polytope::{Feature, Polytope};

/// Part of the size below which a distance has no direction that could be trusted.
const NO_DIRECTION: f64 = 1e-13;

/// The surface of a polytope where a point is nearest to it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nearest {
    /// On the surface, rounding included (m).
    pub point: Vec3,
    /// Outward unit normal: towards the point if it is outside.
    pub normal: Vec3,
    /// Distance of the point from the surface (m), negative inside.
    pub distance: f64,
    /// Where on the hull.
    pub feature: Feature,
}

/// The point of a polytope's surface nearest to `point` (m). Inside of the hull the way out is through the nearest face. A point
/// on a segment in space, or on an edge or corner from which no way is shorter, gets some normal of it, always the same.
#[must_use]
pub fn nearest(of: &Placed, point: &Vec3) -> Nearest {
    let local = of.orientation.inverse() * (point - of.position) / of.size;
    let (foot, normal, distance, feature) = nearest_of_hull(of.hull, &local);
    let normal = of.orientation * normal;
    let point = of.position + of.orientation * foot * of.size + normal * of.rounding;
    Nearest { point, normal, distance: distance * of.size - of.rounding, feature }
}

/// Foot, normal, distance, feature in body axes at reference size.
fn nearest_of_hull(hull: &Polytope, p: &Vec3) -> (Vec3, Vec3, f64, Feature) {
    let mut best = (0, f64::NEG_INFINITY);
    for (i, face) in hull.faces.iter().enumerate() {
        let height = face.normal.dot(p) - face.offset;
        if height > best.1 {
            best = (i, height);
        }
    }
    let (face, height) = best;
    let foot_in_face = || {
        hull.sides(face)
            .iter()
            .zip(hull.face_vertices(face))
            .all(|(side, &v)| side.outward.dot(&(p - hull.vertices[v as usize])) <= 0.0)
    };
    if !hull.faces.is_empty() && (height <= 0.0 && hull.inner_radius > 0.0 || foot_in_face()) {
        let normal = hull.faces[face].normal;
        return (p - normal * height, normal, height, Feature::Face(face as u16));
    }
    let (foot, distance, feature) = nearest_of_edges(hull, p);
    let normal = if distance > NO_DIRECTION * hull.outer_radius {
        (p - foot) / distance
    } else {
        hull.faces.get(face).map_or_else(|| across(hull), |f| f.normal)
    };
    (foot, normal, distance, feature)
}

fn nearest_of_edges(hull: &Polytope, p: &Vec3) -> (Vec3, f64, Feature) {
    let mut best = (Vec3::zeros(), f64::INFINITY, Feature::Edge(0));
    for (i, edge) in hull.edges.iter().enumerate() {
        let [a, b] = edge.ends.map(|v| hull.vertices[v as usize]);
        let (length, along) = ((b - a).norm(), edge.direction.dot(&(p - a)));
        let (foot, feature) = if along <= 0.0 {
            (a, Feature::Vertex(edge.ends[0]))
        } else if along >= length {
            (b, Feature::Vertex(edge.ends[1]))
        } else {
            (a + edge.direction * along, Feature::Edge(i as u16))
        };
        let distance = (p - foot).norm_squared();
        if distance < best.1 {
            best = (foot, distance, feature);
        }
    }
    (best.0, best.1.sqrt(), best.2)
}

/// A direction across a segment.
fn across(hull: &Polytope) -> Vec3 {
    hull.edges.first().map_or_else(Vec3::z, |e| mpcd_core::Frame::spatial(e.direction).t)
}
