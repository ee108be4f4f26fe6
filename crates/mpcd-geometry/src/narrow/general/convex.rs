//! Convex bodies with curved surfaces against each other, against hulls, balls and planes. Where flat faces or straight edges
//! of both meet, the points are the corners of the area where they lie over each other, as of two hulls.

use mpcd_core::{
    Dimension, Vec3,
    patch::{LEVEL, on_patch},
};

use super::{
    Buffers, Item, Search, Spot, ball,
    clip::{Disc, cut, cut_to_disc, disc_over, discs_over, vector_area},
    distance::{Apart, Support},
    part, roundness, summed, up,
    way_out::nearest,
};
use crate::{
    corner_shares,
    shape::{Core, SupportMap},
};

/// Sine of the angle up to which a face counts as facing another one.
const FACING: f64 = 0.2;
/// The same for a normal that is a face's own.
const OWN: f64 = 1e-7;
/// Weight of a point that wanders along the rim of a face: it is on the face, but carries nothing that goes by area.
const SLIGHT: f64 = 1e-6;
/// Part of a body's size that its points may be off a face of it.
const FLAT: f64 = 1e-9;

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
    let gap_of = |x: &Vec3| n.dot(&(x - second.x));
    let lowest = first.world(&body.support(&down));
    let least = gap_of(&lowest);
    let lengths = first.lengths(&lowest) + (lowest - second.x).norm();
    let lies = |x: &Vec3| on_patch(gap_of(x), least, (x - lowest).norm(), lengths);
    // The face or line that looks down: where it lies, how large that is, and how far a point is off its plane.
    let corners = &mut buffers.polygons[0];
    corners.clear();
    let face = body.face_normal(&down).filter(|f| f.cross(&down).norm() < FACING);
    if face.is_some() {
        body.face_corners(&down, corners);
        corners.iter_mut().for_each(|c| *c = first.world(c));
    }
    let (all, origin) = (corners.len(), corners.first().copied().unwrap_or(lowest));
    let off = |x: &Vec3| face.map_or(f64::INFINITY, |f| (first.q * f).dot(&(x - origin)).abs());
    corners.retain(lies);
    let size = match (all, corners.len()) {
        (2, 2) => (corners[1] - corners[0]).norm(),
        (_, 0..=2) => 0.0,
        (all, some) => match body.round_face(&down) {
            Some((_, r)) if all == some => std::f64::consts::PI * (r * first.size).powi(2),
            _ => 0.5 * vector_area(corners).norm(),
        },
    };
    let own = body.curvature(&down).map(|k| k / first.size);
    let point = if own[1] > 0.0 { [even(own); 2] } else { own };
    let side = face.filter(|_| all == 2 && size > 0.0).map(|f| body.curvature(&f)[0] / first.size);
    let from = buffers.spots.len();
    body.outposts(&down, &mut |id, p| {
        let x = first.world(&p);
        let gap = gap_of(&x);
        if gap <= search.alert {
            let is_on = size > 0.0 && off(&x) <= FLAT * first.reach && lies(&x);
            let curvature = side.filter(|_| is_on).map_or(point, |k| [k, 0.0]);
            let share = if is_on && all > 2 && body.wanders(id) { SLIGHT } else { f64::from(u8::from(is_on)) };
            buffers.spots.push(Spot {
                feature: id.into(),
                on_first: x,
                n,
                gap,
                part: 0.0,
                curvature,
                share,
                roundness: roundness(own),
            });
        }
    });
    let points = &mut buffers.spots[from..];
    points.sort_unstable_by_key(|s| s.feature);
    share_out(points, size);
}

/// Shares the size of a patch among the points on it, which come with a share above zero, in proportion to that.
pub(super) fn share_out(points: &mut [Spot], size: f64) {
    let all: f64 = points.iter().map(|p| p.share).sum();
    points.iter_mut().filter(|p| p.share > 0.0).for_each(|p| p.share *= size / all);
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
    if search.dimension == Dimension::Spatial && faces(first, second, &found, search, buffers) {
        let least = buffers.spots[from..].iter().map(|s| s.gap).fold(f64::INFINITY, f64::min);
        // Near the rim of a round face the nearest point may lie outside of the polygon that stands for it.
        if least <= gap + 1e-9 * (first.reach + second.reach) {
            return;
        }
    }
    let curvature = [curvature(first, &-n, &found.on_first), curvature(second, &n, &found.on_second)];
    let sine = match [less_curved(first, &-n), less_curved(second, &n)] {
        [Some(a), Some(b)] => a.cross(&b).norm(),
        _ => 0.0,
    };
    let bend = curvature.map(even);
    // The nearest point of the more curved body is the one that is known best.
    let on_first = if bend[0] >= bend[1] { found.on_first - rounding[0] * n } else { found.on_second + (rounding[1] + gap) * n };
    let point = Spot {
        feature: 0,
        on_first,
        n,
        gap,
        part: part(bend[0], bend[1]),
        curvature: as_round(curvature, sine),
        share: 0.0,
        roundness: roundness(summed(curvature, sine)),
    };
    let lengths = first.lengths(&on_first) + (on_first - second.x).norm();
    let point = on_face(&mut buffers.spots[from..], &point, lengths).unwrap_or(point);
    buffers.spots.push(point);
}

/// A point that wanders along the rim of a round face (the nearest of all, or where an edge crosses the rim of a bore) as one of the points that stand for that face: with next to no part of it. `None` where it is not
/// on their patch: a body that leans touches with that point alone. `lengths` (m) as in [`on_patch`].
pub(super) fn on_face(face: &mut [Spot], point: &Spot, lengths: f64) -> Option<Spot> {
    let is_flat = |s: &Spot| s.share > 0.0 && s.curvature == [0.0; 2];
    let is_level = |s: &Spot| s.n.dot(&point.n) > 0.0 && s.n.cross(&point.n).norm() <= LEVEL;
    let lies = |s: &Spot| on_patch(s.gap.max(point.gap), s.gap.min(point.gap), (s.on_first - point.on_first).norm(), lengths);
    let n = face.iter().find(|s| is_flat(s) && is_level(s) && lies(s))?.n;
    let size: f64 = face.iter().filter(|s| is_flat(s)).map(|s| s.share).sum();
    face.iter_mut().filter(|s| is_flat(s)).for_each(|s| s.share *= 1.0 - SLIGHT);
    // Where a rim crosses an edge the normal found is that of neither face.
    Some(Spot { n, part: 0.0, curvature: [0.0; 2], share: SLIGHT * size, roundness: 1.0, ..*point })
}

/// The curvature of something as round: the root of the product of both, of a line that across it.
pub(super) fn even([across, along]: [f64; 2]) -> f64 {
    if along == across || along == 0.0 { across } else { (across * along).sqrt() }
}

/// The sum of two bodies' curvatures as [`summed`] has it; of ellipsoids that of their even ones, and beside it what makes the product right, on which the spot depends.
pub(super) fn as_round(curvature: [[f64; 2]; 2], sine: f64) -> [f64; 2] {
    let sum = summed(curvature, sine);
    let across = even(curvature[0]) + even(curvature[1]);
    if curvature.iter().all(|k| even(*k) == k[0]) || across <= 0.0 {
        return sum;
    }
    [across, (sum[0] * sum[1]).max(0.0) / across]
}

/// The direction in which a body is less curved where it looks along `n`.
pub(super) fn less_curved(item: &Item<'_>, n: &Vec3) -> Option<Vec3> {
    line(item, n).or_else(|| {
        let Core::Smooth(body) = item.core else { return None };
        body.less_curved(&item.q.inverse_transform_vector(n)).map(|along| item.q * along)
    })
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

/// The same for the hull of a few points, with the normals of its faces that matter and the direction of an edge.
pub(super) fn direction_from_points(
    first: &Item<'_>,
    points: &[Vec3],
    normals: &[Vec3],
    edge: Option<Vec3>,
    range: f64,
) -> Option<(Apart, f64)> {
    let difference = |d: &Vec3| {
        let lowest = points.iter().min_by(|a, b| a.dot(d).total_cmp(&b.dot(d)));
        let (on_first, on_second) = (farthest(first, d), lowest.copied().unwrap_or_else(Vec3::zeros));
        Support { w: on_first - on_second, on_first, on_second }
    };
    let middle = points.iter().sum::<Vec3>() / points.len() as f64;
    let start = if first.x == middle { up(Dimension::Spatial) } else { first.x - middle };
    let own = |m: &Vec3| normals.iter().copied().max_by(|a, b| a.dot(m).total_cmp(&b.dot(m)));
    let flat = |m: &Vec3| [flat_normal(first, &-m).map(|f| -f), own(m)];
    let lines = |m: &Vec3| [edge.and_then(|_| line(first, &-m)), edge];
    let reach = points.iter().map(|p| (p - middle).norm()).fold(first.reach, f64::max);
    nearest(difference, flat, lines, start, [2.0 * reach, range], matches!(first.core, Core::Smooth(_)))
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
        Core::Round { radius, .. } => *radius,
        Core::Polytope { rounding, .. } => *rounding,
        _ => 0.0,
    }
}

/// Principal curvatures where the outward normal is `n`, at a point of the body without its rounding [1/m].
pub(super) fn curvature(item: &Item<'_>, n: &Vec3, at: &Vec3) -> [f64; 2] {
    match item.core {
        Core::Smooth(body) => body.curvature(&item.q.inverse_transform_vector(n)).map(|k| k / item.size),
        // A hull that meets a curved body in a point: a corner, or an edge, which counts as flat along itself.
        Core::Polytope { hull, rounding } if *rounding > 0.0 => {
            let k = 1.0 / (rounding * item.size);
            let at = item.local(at);
            let is_corner = hull.vertices().iter().any(|v| (v - at).norm() * item.size <= FLAT * item.reach);
            if is_corner { [k; 2] } else { [k, 0.0] }
        }
        Core::Round { radius, .. } if *radius > 0.0 => ball(1.0 / (radius * item.size), Dimension::Spatial, true),
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
    match item.core {
        Core::Polytope { .. } => edge(item, n).and_then(|[a, b]| (b - a).try_normalize(0.0)),
        Core::Smooth(body) => body.line(&item.q.inverse_transform_vector(n)).map(|l| item.q * l),
        _ => None,
    }
}

/// The ends of the edge of a hull that looks along `n` most, without rounding.
fn edge(item: &Item<'_>, n: &Vec3) -> Option<[Vec3; 2]> {
    let Core::Polytope { hull, .. } = item.core else { return None };
    let d = item.q.inverse_transform_vector(n);
    let lower = |ends: [u16; 2]| -ends.map(|v| hull.vertices()[v as usize].dot(&d)).iter().sum::<f64>();
    let best = hull.edges().iter().min_by(|a, b| lower(a.ends).total_cmp(&lower(b.ends)))?;
    Some(best.ends.map(|v| item.world(&hull.vertices()[v as usize])))
}

/// The same as the corners of a face, as [`face`] gives them.
pub(super) fn edge_as_face(item: &Item<'_>, n: &Vec3, corners: &mut Vec<Vec3>) -> Option<Vec3> {
    let ends = edge(item, n)?;
    let along = (ends[1] - ends[0]).try_normalize(0.0)?;
    let normal = (n - along * along.dot(n)).try_normalize(0.0)?;
    corners.clear();
    corners.extend(ends.map(|p| p + rounding(item.core) * item.size * normal));
    Some(normal)
}

/// The disc that looks along `n`, if the face there is one.
pub(super) fn disc(item: &Item<'_>, n: &Vec3) -> Option<Disc> {
    let Core::Smooth(body) = item.core else { return None };
    let (centre, radius) = body.round_face(&item.q.inverse_transform_vector(n))?;
    Some((item.world(&centre), radius * item.size))
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

/// The points of two faces that look at each other, one of them along `n`, of a face and an edge, or of an edge and a line along it; false if there
/// are none such.
pub(super) fn faces(first: &Item<'_>, second: &Item<'_>, found: &Apart, search: &Search, buffers: &mut Buffers) -> bool {
    let n = found.n;
    let Buffers { spots, polygons: [a, b, spare], shares, .. } = buffers;
    let (Some(mut na), Some(mut nb)) = (face(first, &-n, a), face(second, &n, b)) else { return false };
    let off = |f: &Vec3| f.cross(&n).norm();
    // A face that stands off what it meets touches with its edge: off a line by anything, off a face by more than a tilt.
    let by_edge = |own: &Vec3, other: &Vec3, corners: &[Vec3], against: &[Vec3]| {
        let most = if against.len() == 2 { OWN } else { FACING };
        corners.len() > 2 && off(own) > most && off(other) <= OWN
    };
    if by_edge(&na, &nb, a, b) {
        let Some(normal) = edge_as_face(first, &-n, a) else { return false };
        na = normal;
    } else if by_edge(&nb, &na, b, a) {
        let Some(normal) = edge_as_face(second, &n, b) else { return false };
        nb = normal;
    }
    let tilt = [off(&na), off(&nb)];
    // Of two faces that lie on each other the nearest points may be where the rim of one crosses an edge of the other: the normal there is that of neither.
    let most = if a.len() > 2 && b.len() > 2 { LEVEL } else { OWN };
    if tilt[0].min(tilt[1]) > OWN && tilt[0].max(tilt[1]) > most
        || tilt[0].max(tilt[1]) > FACING
        || na.dot(&n) > 0.0
        || nb.dot(&n) < 0.0
    {
        return false;
    }
    let bend = [(first, -n, &*a), (second, n, &*b)].map(|(item, n, corners)| match corners[..] {
        [p, q] => curvature(item, &n, &(0.5 * (p + q) - rounding(item.core) * item.size * n))[0],
        _ => 0.0,
    });
    let mut crossed = None;
    if let ([p, q], [r, s]) = (&a[..], &b[..]) {
        let (one, two) = (q - p, s - r);
        let length = one.norm().min(two.norm());
        let sine = one.cross(&two).norm() / (one.norm() * two.norm());
        // How the distance of two crossed lines bends along them; an edge is sharp.
        let sharper = if bend[0] * bend[1] > 0.0 { bend[0] * bend[1] / (bend[0] + bend[1]) } else { bend[0] + bend[1] };
        if sharper * sine * sine * length > 4.0 * LEVEL || sine > FACING {
            return false;
        }
        // Two sides that cross at a small angle touch where they cross; their ends are only foreseen.
        if bend[0] * bend[1] > 0.0 && sine > LEVEL {
            crossed = Some((one / one.norm(), 0.5 * sharper * sine * sine));
        }
    }
    // The face that is square to the normal cuts the other; of two such, the one with an area.
    let area = |p: &[Vec3]| if p.len() < 3 { 0.0 } else { vector_area(p).norm() };
    let is_own = tilt.map(|t| t <= OWN);
    let by_second = if is_own[0] == is_own[1] { area(b) >= area(a) } else { is_own[1] };
    let discs = [disc(first, &-n), disc(second, &n)];
    // Its own normal, not the one found, which is off it by up to `OWN`: gaps are measured from a corner of it that may be far from here.
    let n = if by_second { nb } else { -na };
    // Of what is round, the polygons only say where the points are.
    let of_discs = match discs {
        _ if a.len() < 3 || b.len() < 3 => None,
        [Some(one), Some(two)] => Some(discs_over(&one, &two, &n)),
        [Some(one), None] => Some(disc_over(&one, b, &n)),
        [None, Some(two)] => Some(disc_over(&two, a, &n)),
        [None, None] => None,
    };
    let (origin, size) = if by_second { (b[0], a.len()) } else { (a[0], b.len()) };
    match (by_second, discs) {
        (true, [_, Some(disc)]) if size == 2 => cut_to_disc(a, &disc, &n),
        (false, [Some(disc), _]) if size == 2 => cut_to_disc(b, &disc, &n),
        (true, _) => cut(a, b, &n, |_| 0.0, spare),
        (false, _) => cut(b, a, &-n, |_| 0.0, spare),
    }
    let points = if by_second { a } else { b };
    let rise = |p: &Vec3| crossed.map_or(0.0, |(along, k): (Vec3, f64)| k * along.dot(&(p - found.on_first)).powi(2));
    let gap_of = |p: &Vec3| rise(p) + if by_second { n.dot(&(p - origin)) } else { -n.dot(&(p - origin)) };
    let Some(lowest) = points.iter().min_by(|p, q| gap_of(p).total_cmp(&gap_of(q))).copied() else { return false };
    let lengths = first.lengths(&lowest) + (lowest - second.x).norm();
    let lies = |p: &Vec3| on_patch(gap_of(p), gap_of(&lowest), (p - lowest).norm(), lengths);
    let k = bend[0] + bend[1];
    let is_line = size == 2 && k > 0.0 && crossed.is_none();
    let from = spots.len();
    corner_shares::of_polygon(points.iter().copied().filter(lies), &n, shares);
    let mut shares = shares.iter();
    for (feature, p) in (1..).zip(&*points) {
        let gap = gap_of(p);
        let on_first = if by_second { *p } else { p + gap * n };
        let own = if lies(p) { shares.next().copied() } else { None };
        let share = own.filter(|_| size > 2 || is_line).unwrap_or(0.0);
        if gap <= search.alert {
            let is_on = share > 0.0;
            let (curvature, part) = if is_line && is_on { ([k, 0.0], part(bend[0], bend[1])) } else { ([0.0; 2], 0.0) };
            spots.push(Spot { feature, on_first, n, gap, part, curvature, share, roundness: 1.0 });
        }
    }
    let all = points.len();
    points.retain(|p| lies(p));
    let patch = match (size, points.len()) {
        (2, 2) => (points[1] - points[0]).norm(),
        (2, _) | (_, 0..=2) => 0.0,
        (_, some) => of_discs.filter(|_| some == all).unwrap_or_else(|| 0.5 * vector_area(points).norm()),
    };
    share_out(&mut spots[from..], patch);
    if crossed.is_some() {
        return false;
    }
    if size == 2 && patch == 0.0 {
        // A line with one end on the other body: what is there is the end.
        let (item, out) = if by_second { (first, -n) } else { (second, n) };
        for s in &mut spots[from..] {
            let at = s.on_first - if by_second { Vec3::zeros() } else { s.gap * n };
            s.curvature = curvature(item, &out, &(at - rounding(item.core) * item.size * out));
        }
    }
    spots.len() > from
}
