//! A polytope on a half-space: its vertices near the surface.

use mpcd_core::Vec3;

use super::{
    clip::{Cut, area, length, start},
    reduce::{MOST_POINTS, reduce},
    types::{Manifold, ManifoldPoint, Patch, Placed, Reach},
    view::View,
};
use crate::polytope::{FLAT, Feature, FeaturePair};

/// The contact of a polytope with the half-space below a plane, into `out`: the vertices with a gap up to the alert distance,
/// at most four. `normal` is the outward unit normal of the half-space, `surface` a point of its surface (m); the half-space is
/// the second body, its surface face 0.
pub fn on_half_space(first: &Placed, normal: &Vec3, surface: &Vec3, reach: &Reach, out: &mut Manifold) {
    out.clear();
    let Manifold { normal: n, points, patch, buffers, corners } = out;
    let turn = first.orientation.to_rotation_matrix().into_inner();
    let ([vertices, _], [normals, _]) = (&mut buffers.vertices, &mut buffers.normals);
    let view = View::turned(first, turn, first.position - surface, vertices, normals);
    let second = Feature::Face(0);
    for (i, v) in view.vertices.iter().enumerate() {
        let gap = normal.dot(v) - first.rounding;
        if gap <= reach.alert {
            let feature = FeaturePair { first: Feature::Vertex(i as u16), second };
            points.push(ManifoldPoint { point: surface + v - normal * first.rounding, gap, feature, share: 0.0 });
        }
    }
    if points.is_empty() {
        return;
    }
    *n = *normal;
    let cut = view.facing(&-normal, FLAT * view.outer_radius()).map_or(Cut::Segment, |(face, _)| Cut::Face(face));
    start(&view, cut, second, &mut corners[0]);
    let count = corners[0].len().min(MOST_POINTS) as f64;
    *patch = match corners[0].len() {
        2 => Patch::Line { length: length(&corners[0], normal) },
        _ => Patch::Face { area: area(&corners[0], normal) },
    };
    let share = match *patch {
        Patch::Line { length: all } | Patch::Face { area: all } => all / count,
        Patch::Point => 0.0,
    };
    points.iter_mut().for_each(|p| p.share = share);
    reduce(points, normal, FLAT * view.outer_radius());
}
