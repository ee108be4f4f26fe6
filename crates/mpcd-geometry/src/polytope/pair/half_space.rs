//! A polytope on a half-space: its vertices near the surface.

use mpcd_core::{Vec3, patch::on_patch};

use super::{
    clip::{Cut, share_out, start},
    reduce::reduce,
    types::{Manifold, ManifoldPoint, Placed, Reach},
    view::View,
};
use crate::polytope::{FLAT, Feature, FeaturePair};

/// The contact of a polytope with the half-space below a plane, into `out`: the vertices with a gap up to the alert distance,
/// at most eight, those on the patch first. `normal` is the outward unit normal of the half-space, `surface` a point of its surface (m); the
/// half-space is the second body, its surface face 0.
pub fn on_half_space(first: &Placed, normal: &Vec3, surface: &Vec3, reach: &Reach, out: &mut Manifold) {
    out.clear();
    let Manifold { normal: n, points, patch, buffers, corners, .. } = out;
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
    let gap = |v: &Vec3| normal.dot(v) - first.rounding;
    let lowest = view.vertices[view.support(&-normal)];
    let lengths = view.outer_radius() + lowest.norm();
    let lies = |v: &Vec3| on_patch(gap(v), gap(&lowest), (v - lowest).norm(), lengths);
    *patch = share_out(&mut corners[0], normal, &mut buffers.shares, |c| lies(&c.point));
    for p in points.iter_mut() {
        p.share = corners[0].iter().find(|c| c.feature == p.feature).map_or(0.0, |c| c.share);
    }
    let near = FLAT * view.outer_radius();
    reduce(points, buffers, patch.size(), normal, near);
}
