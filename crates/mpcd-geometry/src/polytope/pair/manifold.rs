//! The contact of two polytopes: first the normal, then the points.
//!
//! The normal is the direction from nearest point to nearest point where the hulls are apart, else the one with the shortest
//! way out, over the normals of all faces and all pairs of edges (separating axes; the edges that matter lie within the
//! overlap of the deepest face, so few are looked at). Both agree where the hulls touch. Nothing is iterated: gaps are exact to
//! rounding, and a function of the poses alone.

use mpcd_core::{
    Vec3,
    patch::{LEVEL, ROUNDING, on_patch},
};

use super::{
    clip::{Cut, Outline, clip, share_out},
    edges::{self, Crossing},
    faces::{self, Above},
    reduce::reduce,
    types::{Manifold, ManifoldPoint, Placed, Reach},
    view::{Buffers, View},
};
use crate::polytope::{FLAT, Feature, FeaturePair};

/// Part of the size below which a distance has no direction that could be trusted.
const NO_DIRECTION: f64 = 1e-10;
/// Cosine below which a face is not seen as one along the normal, by a face and by a segment, which may lie along a sharp ridge.
const EDGE_ON: f64 = 0.2;
const RIDGE: f64 = 0.02;

/// Nearest (or deepest) points of the two hulls.
struct Nearest {
    /// From the second hull to the first.
    n: Vec3,
    /// Along n (m); negative where the hulls overlap.
    distance: f64,
    /// On the first and the second hull (m).
    points: [Vec3; 2],
    feature: FeaturePair,
    /// Whether n is a normal of a face or of two crossing edges: then bodies can be brought together along it.
    is_axis: bool,
}

/// The contact of two polytopes, into `out`: its normal from the second to the first body and up to eight points with a gap up to
/// `reach.alert`, those on the patch first; none if they are farther apart. In a planar model both are polygons or planar segments.
///
/// A face on a face gives the corners of the area where they lie over each other, an edge on a face its two ends, seen along the
/// normal and as far as they are within the alert distance: so a body that tilts a little keeps its points.
pub fn manifold(first: &Placed, second: &Placed, reach: &Reach, out: &mut Manifold) {
    out.clear();
    let Manifold { normal, points, patch, sine, buffers, corners } = out;
    let (one, two) = View::pair(first, second, &mut buffers.vertices, &mut buffers.normals);
    let scale = one.outer_radius() + two.outer_radius();
    let roundings = [first.rounding, second.rounding];
    let around = roundings[0] + roundings[1];
    let Some(near) = nearest(&one, &two, reach.alert + around, scale, &mut buffers.edges) else { return };
    let closing = if near.is_axis { near.distance } else { 0.0 };
    let grazes = |a, b, n: &Vec3| faces::grazes(a, b, n, closing, reach.graze);
    if around <= reach.graze && (grazes(&two, &one, &near.n) || grazes(&one, &two, &-near.n)) {
        return;
    }
    let seen = over_each_other(&one, &two, &near.n, scale, corners);
    if let FeaturePair { first: Feature::Edge(a), second: Feature::Edge(b) } = near.feature {
        let along = [(&one, a), (&two, b)].map(|(view, e)| view.direction(&view.hull.edges()[e as usize].direction));
        *sine = along[0].cross(&along[1]).norm();
    }
    let between = if let Seen::Segments { along, .. } = seen { one.along(0).cross(&along).norm() } else { 0.0 };
    let crossed = between > LEVEL;
    // Nothing of the hulls is nearer along n: a corner that seems to be lies beyond the end of a segment.
    let beyond = |apart: f64| apart < near.distance - FLAT * scale;
    // Of a corner that is the nearest point one gap is from the face of the one, the other from that of the other.
    let lengths = scale + near.points[0].norm();
    let lies = |[at, _]: &[Vec3; 2], apart: f64| {
        !crossed && on_patch(apart - around, near.distance - around, (at - near.points[0]).norm(), lengths)
    };
    *patch = share_out(&mut corners[0], &near.n, &mut buffers.shares, |c| {
        let (hulls, apart, _) = seen.place(c.point, c.feature, &near.n);
        !beyond(apart) && lies(&hulls, apart)
    });
    let mut add = |points_of_hulls: [Vec3; 2], gap: f64, feature: FeaturePair, share: f64| {
        if gap > reach.alert {
            return;
        }
        match points.iter_mut().find(|p| p.feature == feature) {
            Some(same) => same.share += share,
            None => {
                points.push(ManifoldPoint { point: common(points_of_hulls, &near.n, roundings, feature), gap, feature, share })
            }
        }
    };
    // Past a border the nearest points are a point of their own, in place of a corner of the polygon.
    let is_nearest = |p: &Vec3| !near.is_axis && (p - near.points[0]).norm() <= FLAT * scale;
    let mut least = f64::INFINITY;
    for corner in &corners[0] {
        let (hulls, apart, feature) = seen.place(corner.point, corner.feature, &near.n);
        if beyond(apart) {
            continue;
        }
        if is_nearest(&hulls[0]) {
            add(near.points, near.distance - around, near.feature, corner.share);
        } else {
            add(hulls, apart - around, feature, corner.share);
        }
        least = least.min(apart);
    }
    if least > near.distance + NO_DIRECTION * scale && points.iter().all(|p| p.feature != near.feature) {
        // All corners give it the same part of what they stand for.
        let part = 1.0 / (1 + points.len()) as f64;
        let share = part * points.iter().map(|p| p.share).sum::<f64>();
        points.iter_mut().for_each(|p| p.share *= 1.0 - part);
        let (feature, gap) = (near.feature, near.distance - around);
        points.push(ManifoldPoint { point: common(near.points, &near.n, roundings, feature), gap, feature, share });
    }
    points.sort_unstable_by_key(|p| p.feature);
    reduce(points, buffers, patch.size(), &near.n, FLAT * scale);
    *normal = second.orientation * near.n;
    for p in points.iter_mut() {
        p.point = second.position + second.orientation * p.point;
    }
}

/// The common point of two hulls' nearest points.
fn common([a, b]: [Vec3; 2], n: &Vec3, roundings: [f64; 2], feature: FeaturePair) -> Vec3 {
    let (a, b) = (a - n * roundings[0], b + n * roundings[1]);
    a + (b - a) * part_of_first(feature, roundings)
}

/// How far the common point is from the first surface, as a part of the gap: on the body that has a vertex there if the other has none,
/// else between the two surfaces, shared like their radii.
pub(crate) fn part_of_first(feature: FeaturePair, [first, second]: [f64; 2]) -> f64 {
    match (feature.first, feature.second) {
        (Feature::Vertex(_), Feature::Edge(_) | Feature::Face(_)) => 0.0,
        (Feature::Edge(_) | Feature::Face(_), Feature::Vertex(_)) => 1.0,
        _ if first + second > 0.0 => first / (first + second),
        _ => 0.5,
    }
}

fn nearest(one: &View, two: &View, look: f64, scale: f64, near: &mut [Vec<u16>; 2]) -> Option<Nearest> {
    let of_second = faces::highest_above(two, one);
    let of_first = faces::highest_above(one, two);
    let [h1, h2] = [&of_first, &of_second].map(|a| a.map_or(f64::NEG_INFINITY, |a| a.height));
    if h1.max(h2) > look {
        return None;
    }
    let tiny = ROUNDING * scale;
    // Of equals the second's face: which one then does not depend on rounding.
    let by_face = if h2 >= h1 - tiny { (of_second, of_first) } else { (of_first, of_second) };
    let second_owns = h2 >= h1 - tiny;
    if let (Some(best), other) = by_face {
        let n = if second_owns { best.normal } else { -best.normal };
        let (owner, above) = if second_owns { (two, one) } else { (one, two) };
        let in_face = || {
            faces::foot_in_face(owner, above, &best, tiny)
                || other.is_some_and(|o| o.height >= best.height - tiny && faces::foot_in_face(above, owner, &o, tiny))
        };
        let is_sure = if best.height > 0.0 { in_face() } else { faces::is_shortest_way(owner, above, &best) };
        if is_sure {
            return Some(on_face(one, two, &best, second_owns));
        }
        edges::choose(one, two, &n, look.max(-best.height) + tiny, near);
    } else {
        Buffers::choose_all(near, [one, two]);
    }
    let most_face = h1.max(h2);
    // What a face keeps apart is as far as its nearest points: no axis of two edges says more.
    let is_apart = most_face > tiny;
    let by_edges = if is_apart { None } else { edges::widest(one, two, near) };
    let of_edges = |by_edges: &Option<(f64, Crossing)>| by_edges.as_ref().map_or(f64::NEG_INFINITY, |e| e.0);
    let most = most_face.max(of_edges(&by_edges));
    if most > look {
        return None;
    }
    let axis = |by_edges: Option<(f64, Crossing)>| match (by_face.0, by_edges) {
        (Some(best), _) if of_edges(&by_edges) <= most_face + tiny => Some(on_face(one, two, &best, second_owns)),
        (_, Some((distance, crossing))) => Some(crossing_edges(crossing, distance)),
        _ => None,
    };
    // Two segments in space have no faces: in one plane they are at 0 along their common normal however far apart they lie.
    // So are two of the plane on one line, whose faces look across it.
    let has_faces = most_face > f64::NEG_INFINITY;
    let on_one_line = one.inner_radius() <= 0.0 && two.inner_radius() <= 0.0 && most >= -tiny;
    // Apart by rounding alone they touch on their faces: the nearest edges may be far away.
    if has_faces && most <= tiny && !on_one_line {
        return axis(by_edges);
    }
    // So do those whose faces touch and whose edges seem apart by as little, being far from each other: the common normal of two edges is known to
    // rounding over the sine of their angle, and what that makes of a long way between them is more than rounding.
    let rough = FLAT * scale;
    let meet = by_edges.is_some_and(|(_, crossing)| crossing.apart().norm() <= rough);
    if has_faces
        && most_face.abs() <= rough
        && most_face <= tiny
        && most <= rough
        && !on_one_line
        && !meet
        && let Some(best) = by_face.0
    {
        return Some(on_face(one, two, &best, second_owns));
    }
    let (distance, crossing) = edges::nearest(one, two, near)?;
    if distance > look {
        return None;
    }
    if distance <= most_face + tiny || distance <= NO_DIRECTION * scale {
        let by_edges = if is_apart && distance > most_face + tiny { edges::widest(one, two, near) } else { by_edges };
        return axis(by_edges).or_else(|| Some(one_line(one, crossing)));
    }
    if crossing.normal != Vec3::zeros() {
        return Some(crossing_edges(crossing, distance));
    }
    let n = crossing.apart() / distance;
    let feature = FeaturePair { first: end_or_edge(one, &crossing, 0), second: end_or_edge(two, &crossing, 1) };
    Some(Nearest { n, distance, points: crossing.points, feature, is_axis: false })
}

/// The deepest vertex over a face.
fn on_face(one: &View, two: &View, best: &Above, second_owns: bool) -> Nearest {
    let (n, distance, face) = (best.normal, best.height, Feature::Face(best.face as u16));
    if second_owns {
        let vertex = one.support(&-n);
        let (point, first) = (one.vertices[vertex], Feature::Vertex(vertex as u16));
        let points = [point, point - n * distance];
        return Nearest { n, distance, points, feature: FeaturePair { first, second: face }, is_axis: true };
    }
    let vertex = two.support(&-n);
    let (point, second) = (two.vertices[vertex], Feature::Vertex(vertex as u16));
    let points = [point - n * distance, point];
    Nearest { n: -n, distance, points, feature: FeaturePair { first: face, second }, is_axis: true }
}

fn crossing_edges(crossing: Crossing, distance: f64) -> Nearest {
    let [first, second] = crossing.edges.map(Feature::Edge);
    let feature = FeaturePair { first, second };
    Nearest { n: crossing.normal, distance, points: crossing.points, feature, is_axis: true }
}

/// Two segments that lie in each other: any normal across will do.
fn one_line(one: &View, crossing: Crossing) -> Nearest {
    let along = one.direction(&one.hull.edges[crossing.edges[0] as usize].direction);
    let n = mpcd_core::Frame::spatial(along).t;
    crossing_edges(Crossing { normal: n, ..crossing }, 0.0)
}

/// The edge of a nearest point, or its vertex if the point is at an end.
fn end_or_edge(view: &View, crossing: &Crossing, which: usize) -> Feature {
    let (edge, place) = (crossing.edges[which], crossing.places[which]);
    match view.hull.edges()[edge as usize].ends {
        [a, _] if place <= 0.0 => Feature::Vertex(a),
        [_, b] if place >= 1.0 => Feature::Vertex(b),
        [a, b] if a == b => Feature::Vertex(a),
        _ => Feature::Edge(edge),
    }
}

/// How to get from a corner of the common polygon to a point on each hull.
enum Seen {
    /// The corners are on the subject, over a plane of the other (unit normal, offset).
    OverFace {
        subject_is_first: bool,
        normal: Vec3,
        offset: f64,
    },
    /// The corners are on the first segment, beside the second.
    Segments {
        end: Vec3,
        along: Vec3,
    },
    Nothing,
}

impl Seen {
    /// Points on the first and second hull, how far apart they are, and the features in this order.
    fn place(&self, corner: Vec3, feature: FeaturePair, n: &Vec3) -> ([Vec3; 2], f64, FeaturePair) {
        match self {
            Self::OverFace { subject_is_first: true, normal, offset } => {
                let apart = (normal.dot(&corner) - offset) / normal.dot(n);
                ([corner, corner - n * apart], apart, feature)
            }
            Self::OverFace { normal, offset, .. } => {
                let apart = -(normal.dot(&corner) - offset) / normal.dot(n);
                ([corner + n * apart, corner], apart, feature.swapped())
            }
            Self::Segments { end, along } => {
                // Where the segments turn apart the distance grows sideways too.
                let foot = end + along * (corner - end).dot(along);
                let across = corner - foot;
                let up = across.dot(n);
                let apart = if up < 0.0 { up } else { across.norm() };
                ([corner, foot], apart, feature)
            }
            Self::Nothing => ([corner; 2], f64::INFINITY, feature),
        }
    }
}

/// Leaves in `corners[0]` the polygon (line) where the faces (segments) that look at each other lie over each other.
fn over_each_other(one: &View, two: &View, n: &Vec3, scale: f64, corners: &mut [Vec<super::clip::Corner>; 2]) -> Seen {
    let (up, down) = (two.facing(n, FLAT * scale), one.facing(&-n, FLAT * scale));
    let cut = |face: Option<(usize, f64)>| face.map_or(Cut::Segment, |(f, _)| Cut::Face(f));
    let least = if up.is_none() || down.is_none() { RIDGE } else { EDGE_ON };
    let seen = |face: Option<(usize, f64)>| face.filter(|&(_, cosine)| cosine >= least);
    // A corner within a millionth of the size of the other's border is the first body's corner, inside.
    let margin = FLAT * scale;
    if let Some((face, _)) = seen(up) {
        clip(one, cut(down), &Outline { view: two, face: Some(face), n, margin }, corners);
        return Seen::OverFace { subject_is_first: true, normal: *two.normal(face), offset: two.offset(face) };
    }
    if let Some((face, _)) = seen(down) {
        // A segment has no border to be outside of: along a ridge it lies on it.
        let margin = if up.is_none() { margin } else { -margin };
        clip(two, cut(up), &Outline { view: one, face: Some(face), n, margin }, corners);
        return Seen::OverFace { subject_is_first: false, normal: *one.normal(face), offset: one.offset(face) };
    }
    if up.is_none() && down.is_none() {
        let (end, along) = (two.ends(0)[0], two.along(0));
        if along.dot(n).abs() < 1.0 - EDGE_ON {
            clip(one, Cut::Segment, &Outline { view: two, face: None, n, margin }, corners);
            return Seen::Segments { end, along };
        }
    }
    corners[0].clear();
    Seen::Nothing
}
