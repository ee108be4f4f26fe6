//! Convex bodies with curved surfaces against each other, against hulls, balls and planes. Where flat faces or straight edges
//! of both meet, the points are the corners of the area where they lie over each other, as of two hulls.

use mpcd_core::{Dimension, Vec3};

use super::{
    Buffers, Item, Search, Spot, ball,
    clip::{cut, vector_area},
    distance::{Apart, Support},
    part, up,
    way_out::nearest,
};
use crate::shape::{Core, SupportMap};

/// Sine of the angle up to which a face counts as facing another one.
const FACING: f64 = 0.2;
/// The same for a normal that is a face's own.
const OWN: f64 = 1e-7;
/// Part of the heights of a tilted face within which its corners are on its nearest edge.
const EDGE: f64 = 1e-3;

/// A curved body on a half-space.
pub(super) fn on_plane(
    first: &Item<'_>,
    body: &dyn SupportMap,
    second: &Item<'_>,
    normal: &Vec3,
    search: &Search,
    buffers: &mut Buffers,
) {
    let n = second.q * normal;
    let down = first.q.inverse_transform_vector(&-n);
    let curvature = body.curvature(&down).map(|k| k / first.size);
    let from = buffers.spots.len();
    body.outposts(&down, &mut |id, p| {
        let x = first.world(&p);
        let gap = n.dot(&(x - second.x));
        if gap <= search.alert {
            let spot = Spot { feature: id.into(), on_first: x, n, gap, part: 0.0, curvature, share: 0.0 };
            buffers.spots.push(spot);
        }
    });
    buffers.polygons[0].clear();
    let flat = body.face_normal(&down).filter(|f| f.cross(&down).norm() < FACING);
    let points = &mut buffers.spots[from..];
    points.sort_unstable_by_key(|s| s.feature);
    if flat.is_some() && points.len() > 1 {
        let corners = &mut buffers.polygons[0];
        body.face_corners(&down, corners);
        let whole = if corners.len() > 2 {
            0.5 * vector_area(corners).norm() * first.size * first.size
        } else {
            (corners[1] - corners[0]).norm() * first.size
        };
        let share = whole / points.len() as f64;
        points.iter_mut().for_each(|p| p.share = share);
    }
}

/// A ball, a hull or a curved body against a hull or a curved body, one of them curved.
pub(super) fn on_convex(first: &Item<'_>, second: &Item<'_>, search: &Search, buffers: &mut Buffers) {
    let rounding = [first, second].map(|i| rounding(i.core) * i.size);
    let Some((found, gap)) = direction(first, second, search.alert + rounding[0] + rounding[1]) else { return };
    let gap = gap - rounding[0] - rounding[1];
    if gap > search.alert {
        return;
    }
    let n = found.n;
    let from = buffers.spots.len();
    if search.dimension == Dimension::Spatial && faces(first, second, &n, search, buffers) {
        let least = buffers.spots[from..].iter().map(|s| s.gap).fold(f64::INFINITY, f64::min);
        // Near the rim of a round face the nearest point may lie outside of the polygon that stands for it.
        if least <= gap + 1e-9 * (first.reach + second.reach) {
            return;
        }
    }
    let curvature = [curvature(first, &-n), curvature(second, &n)];
    // The nearest point of the more curved body is the one that is known best.
    let on_first = if curvature[0][0] >= curvature[1][0] {
        found.on_first - rounding[0] * n
    } else {
        found.on_second + (rounding[1] + gap) * n
    };
    buffers.spots.push(Spot {
        feature: 0,
        on_first,
        n,
        gap,
        part: part(curvature[0][0], curvature[1][0]),
        curvature: [curvature[0][0] + curvature[1][0], curvature[0][1] + curvature[1][1]],
        share: 0.0,
    });
}

/// The point of a body that is lowest along `n`, rounding included.
pub(super) fn lowest(item: &Item<'_>, n: &Vec3) -> Vec3 {
    farthest(item, &-n) - rounding(item.core) * item.size * n
}

/// The direction in which two bodies (without their rounding) are nearest, and how far apart they are along it.
pub(super) fn direction(first: &Item<'_>, second: &Item<'_>, range: f64) -> Option<(Apart, f64)> {
    let difference = |d: &Vec3| {
        let (on_first, on_second) = (farthest(first, d), farthest(second, &-d));
        Support { w: on_first - on_second, on_first, on_second }
    };
    let start = first.x - second.x;
    let start = if start.norm_squared() > 0.0 { start } else { up(Dimension::Spatial) };
    let curved = [first, second].iter().any(|i| matches!(i.core, Core::Smooth(_)));
    let flat = |n: &Vec3| [flat_normal(first, &-n).map(|n| -n), flat_normal(second, n)];
    let lines = |n: &Vec3| [line(first, &-n), line(second, n)];
    nearest(difference, flat, lines, start, [first.reach + second.reach, range], curved)
}

fn farthest(item: &Item<'_>, direction: &Vec3) -> Vec3 {
    let d = item.q.inverse_transform_vector(direction);
    match item.core {
        Core::Polytope { hull, .. } => item.world(&hull.vertices()[hull.support(&d)]),
        Core::Smooth(body) => item.world(&body.support(&d)),
        _ => item.x,
    }
}

pub(super) const fn rounding(core: &Core) -> f64 {
    match core {
        Core::Round { radius } => *radius,
        Core::Polytope { rounding, .. } => *rounding,
        _ => 0.0,
    }
}

/// Principal curvatures where the outward normal is `n` [1/m].
pub(super) fn curvature(item: &Item<'_>, n: &Vec3) -> [f64; 2] {
    match item.core {
        Core::Smooth(body) => body.curvature(&item.q.inverse_transform_vector(n)).map(|k| k / item.size),
        // A hull that meets a curved body in a point: a corner, or an edge, which counts as flat along itself.
        Core::Polytope { rounding, .. } if *rounding > 0.0 => [1.0 / (rounding * item.size), 0.0],
        Core::Round { radius } if *radius > 0.0 => ball(1.0 / (radius * item.size), Dimension::Spatial),
        _ => [0.0; 2],
    }
}

/// The normal of the flat face that looks along `n` most, if there is one.
fn flat_normal(item: &Item<'_>, n: &Vec3) -> Option<Vec3> {
    let d = item.q.inverse_transform_vector(n);
    let local = match item.core {
        Core::Polytope { hull, .. } => {
            hull.faces().iter().map(|f| f.normal).max_by(|a, b| a.dot(&d).total_cmp(&b.dot(&d))).filter(|f| f.dot(&d) > 0.9)
        }
        Core::Smooth(body) => body.face_normal(&d),
        _ => None,
    };
    local.map(|f| item.q * f)
}

/// The direction of the edge or straight line that looks along `n` most, if there is one.
fn line(item: &Item<'_>, n: &Vec3) -> Option<Vec3> {
    let d = item.q.inverse_transform_vector(n);
    let local = match item.core {
        Core::Polytope { hull, .. } => {
            let lower = |ends: [u16; 2]| -ends.map(|v| hull.vertices()[v as usize].dot(&d)).iter().sum::<f64>();
            let best = hull.edges().iter().min_by(|a, b| lower(a.ends).total_cmp(&lower(b.ends)))?;
            let [a, b] = best.ends.map(|v| hull.vertices()[v as usize]);
            (b - a).try_normalize(0.0)
        }
        Core::Smooth(body) => body.line(&d),
        _ => None,
    };
    local.map(|l| item.q * l)
}

/// The corners of the face that looks along `n` most, rounding included, and its normal; an edge of two corners has none of
/// its own and takes `n` made straight across it.
pub(super) fn face(item: &Item<'_>, n: &Vec3, corners: &mut Vec<Vec3>) -> Option<Vec3> {
    corners.clear();
    let d = item.q.inverse_transform_vector(n);
    let (normal, rounding) = match item.core {
        Core::Polytope { hull, rounding } => {
            let best = (0..hull.faces().len()).max_by(|&a, &b| {
                let along = |i: usize| hull.faces()[i].normal.dot(&d);
                along(a).total_cmp(&along(b)).then(b.cmp(&a))
            });
            match best {
                Some(f) => {
                    corners.extend(hull.face_vertices(f).iter().map(|&v| hull.vertices()[v as usize]));
                    (hull.faces()[f].normal, *rounding)
                }
                None => {
                    corners.extend(hull.vertices());
                    let along = (corners.last()? - corners.first()?).normalize();
                    ((d - along * along.dot(&d)).try_normalize(0.0)?, *rounding)
                }
            }
        }
        Core::Smooth(body) => {
            body.face_corners(&d, corners);
            (body.face_normal(&d)?, 0.0)
        }
        _ => return None,
    };
    let normal = item.q * normal;
    for c in corners.iter_mut() {
        *c = item.world(c) + rounding * item.size * normal;
    }
    Some(normal)
}

/// The points of two faces that look at each other, one of them along `n`; false if there are none such.
fn faces(first: &Item<'_>, second: &Item<'_>, n: &Vec3, search: &Search, buffers: &mut Buffers) -> bool {
    let Buffers { spots, polygons: [a, b, spare], .. } = buffers;
    let (Some(na), Some(nb)) = (face(first, &-n, a), face(second, n, b)) else { return false };
    let tilt = [na, nb].map(|f| f.cross(n).norm());
    if tilt[0].min(tilt[1]) > OWN || tilt[0].max(tilt[1]) > FACING || na.dot(n) > 0.0 || nb.dot(n) < 0.0 {
        return false;
    }
    // The face that is square to the normal cuts the other; of two such, the one with an area.
    let area = |p: &[Vec3]| if p.len() < 3 { 0.0 } else { vector_area(p).norm() };
    let by_second = if tilt[1] <= OWN && tilt[0] <= OWN { area(b) >= area(a) } else { tilt[1] <= OWN };
    let (origin, size) = if by_second { (b[0], a.len()) } else { (a[0], b.len()) };
    let line_on_edge = size > 2 && if by_second { b.len() == 2 && tilt[0] > OWN } else { a.len() == 2 && tilt[1] > OWN };
    if by_second {
        cut(a, b, n, |_| 0.0, spare);
    } else {
        cut(b, a, &-n, |_| 0.0, spare);
    }
    let points: &[Vec3] = if by_second { a } else { b };
    if points.is_empty() {
        return false;
    }
    let share = match size {
        2 => (points[points.len() - 1] - points[0]).norm() / points.len() as f64,
        _ => 0.5 * vector_area(points).norm() / points.len() as f64,
    };
    let from = spots.len();
    let gap_of = |p: &Vec3| if by_second { n.dot(&(p - origin)) } else { -n.dot(&(p - origin)) };
    // A straight line of a curved body meets a face that is not square to the normal with the nearest edge only.
    let [least, most] = points.iter().map(gap_of).fold([f64::INFINITY, f64::NEG_INFINITY], |[l, m], g| [l.min(g), m.max(g)]);
    let bound = if line_on_edge { least + EDGE * (most - least) } else { f64::INFINITY };
    for (k, p) in (1..).zip(points) {
        let gap = gap_of(p);
        let on_first = if by_second { *p } else { p + gap * n };
        if gap <= search.alert.min(bound) {
            spots.push(Spot { feature: k, on_first, n: *n, gap, part: 0.0, curvature: [0.0; 2], share });
        }
    }
    // A line of a curved body is as curved as the body across it.
    if size == 2 {
        let k = curvature(first, &-n)[0] + curvature(second, n)[0];
        spots[from..].iter_mut().for_each(|s| s.curvature = [k, 0.0]);
    }
    spots.len() > from
}
