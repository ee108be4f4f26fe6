//! Bodies inside of hollow ones: the antagonist seen from inside, the candidate by the points that are farthest out.

use mpcd_core::{
    Frame, Vec3,
    patch::{LEVEL, on_patch},
};

use super::{
    Buffers, Item, NO_DIRECTION, Search, Spot, ball,
    convex::{as_round, even, on_face},
    mouth, ordered, part, summed,
};
use crate::shape::{Cavity, Core, SupportMap};

/// A body and a hollow one: inside if its origin is inside, unless it overlaps the walls more than the whole outside. A wide strip or a wire that
/// carries a tube has its origin in the tube's open end, a hair deep, and its ends far beyond the walls: it is under the end, not in the tube.
pub(super) fn in_or_out(first: &Item<'_>, second: &Item<'_>, search: &Search, buffers: &mut Buffers) {
    let Core::Hollow { cavity, outside } = second.core else { return };
    let outer = second.with(outside);
    let start = buffers.spots.len();
    let on_rims = match (first.core, cavity) {
        (Core::Polytope { hull, rounding: 0.0 }, Cavity::Tube { radius, half_length, closed: false }) => {
            mouth::edges_on_rims(first, hull, second, [*radius, *half_length], search, &mut buffers.spots)
        }
        _ => None,
    };
    if !cavity.holds(&second.local(&first.x)) || !fits_across(first, second, cavity) {
        let from = buffers.spots.len();
        from_outside(first, second, search, buffers);
        // What is in the mouth overlaps the tube as if it were full; its rim says by how much it does.
        if let Some(most) = on_rims {
            let mut place = 0;
            buffers.spots.retain(|s| {
                place += 1;
                place <= from || s.gap >= most.min(0.0) - MOUTH * first.reach
            });
            let (rims, faces) = buffers.spots[start..].split_at_mut(from - start);
            for rim in rims {
                let lengths = first.lengths(&rim.on_first) + (rim.on_first - second.x).norm();
                *rim = on_face(faces, rim, lengths).unwrap_or(*rim);
            }
        }
        return;
    }
    let least = |spots: &[Spot]| spots.iter().map(|s| s.gap).fold(f64::INFINITY, f64::min);
    let from = buffers.spots.len();
    inside(first, second, cavity, search, buffers);
    let (to, within) = (buffers.spots.len(), least(&buffers.spots[from..]));
    if matches!(cavity, Cavity::Tube { closed: false, .. }) && within < -MOUTH * first.reach {
        super::of_parts(first, &outer, search, buffers);
        if least(&buffers.spots[to..]) > within {
            buffers.spots.drain(from..to);
        } else {
            buffers.spots.truncate(to);
        }
    }
}

/// How many times as wide as a cavity a body is that cannot be in it: less may be pressed into its walls.
const WIDER: f64 = 1.5;

/// Whether a body is nowhere much wider than a cavity: what is has its origin there only as it passes over the mouth, or as the cavity is that of a grain of its own.
fn fits_across(first: &Item<'_>, second: &Item<'_>, cavity: &Cavity) -> bool {
    let farthest = |d: &Vec3| match first.core {
        Core::Mesh(mesh) => mesh.vertices().iter().map(|v| d.dot(&first.world(v))).fold(f64::NEG_INFINITY, f64::max),
        _ => d.dot(&super::convex::lowest(first, &-d)),
    };
    let widths = |directions: &[Vec3], most: f64| {
        let is_within = |d: &Vec3| {
            let d = second.q * d;
            farthest(&d) + farthest(&-d) <= most * second.size * WIDER
        };
        directions.iter().all(is_within)
    };
    let slant = |y: f64| Vec3::new(0.5_f64.sqrt(), y * 0.5_f64.sqrt(), 0.0);
    let across = [Vec3::x(), Vec3::y(), slant(1.0), slant(-1.0)];
    match *cavity {
        Cavity::Ball { radius } => widths(&across, 2.0 * radius) && widths(&[Vec3::z()], 2.0 * radius),
        Cavity::Tube { radius, half_length, closed } => {
            widths(&across, 2.0 * radius) && (!closed || widths(&[Vec3::z()], 2.0 * half_length))
        }
    }
}

/// A body whose origin is outside. The mouth of an open tube is no lid: what is sharp or a ball touches what is beside the hole, and round parts over the hole the rim of that. Other curved
/// bodies touch the mouth as if it were closed.
fn from_outside(first: &Item<'_>, second: &Item<'_>, search: &Search, buffers: &mut Buffers) {
    let Core::Hollow { cavity, outside } = second.core else { return };
    let from = buffers.spots.len();
    super::of_parts(first, &second.with(outside), search, buffers);
    let Cavity::Tube { radius, half_length, closed: false } = *cavity else { return };
    let over_hole = |x: &Vec3| {
        let at = second.local(x);
        at.x.hypot(at.y) < radius && at.z.abs() >= half_length
    };
    let clear = |buffers: &mut Buffers| {
        let kept = buffers.spots.split_off(from);
        let on_lid = |s: &Spot| {
            let at = second.local(&(s.on_first - s.gap * s.n));
            at.x.hypot(at.y) < radius * (1.0 - LEVEL) && at.z.abs() >= half_length * (1.0 - LEVEL)
        };
        buffers.spots.extend(kept.into_iter().filter(|s| !on_lid(s)));
    };
    match first.core {
        Core::Round { radius: own, .. } => {
            clear(buffers);
            if over_hole(&first.x) {
                rim(first.x, own * first.size, 0, (second, [radius, half_length]), search, buffers);
            }
        }
        Core::Polytope { hull, rounding } => {
            clear(buffers);
            for (k, v) in (0..).zip(hull.vertices()).filter(|_| *rounding > 0.0) {
                let v = first.world(v);
                if over_hole(&v) {
                    rim(v, rounding * first.size, k, (second, [radius, half_length]), search, buffers);
                }
            }
        }
        Core::Mesh(_) => clear(buffers),
        _ => {}
    }
}

/// Names of contacts with the rim of a mouth.
const ON_RIM: u64 = 1 << 40;

/// A ball about a point over the hole of an open tube (its radius and half its length at reference size): the place of the rim that is nearest to it, and two a third of the way around on both sides, on
/// which something wider than the hole rests.
fn rim(x: Vec3, r: f64, id: u64, (second, [radius, half_length]): (&Item<'_>, [f64; 2]), search: &Search, buffers: &mut Buffers) {
    let at = second.local(&x);
    let out = -inward(&at, radius);
    let (sin, cos) = (std::f64::consts::TAU / 3.0).sin_cos();
    for (k, s) in (0..).zip([0.0, sin, -sin]) {
        let c = if k == 0 { 1.0 } else { cos };
        let way = Vec3::new(c * out.x - s * out.y, s * out.x + c * out.y, 0.0);
        let place = second.world(&(way * radius + Vec3::z() * half_length.copysign(at.z)));
        let Some(n) = (x - place).try_normalize(0.0) else { continue };
        let gap = (x - place).norm() - r;
        if gap <= search.alert {
            let curvature = [if r > NO_DIRECTION { 1.0 / r } else { 0.0 }, 0.0];
            let feature = ON_RIM | id << 2 | k;
            buffers.spots.push(Spot { feature, on_first: x - r * n, n, gap, part: 0.0, curvature, share: 0.0, roundness: 1.0 });
        }
    }
}

/// From a point towards the axis of a tube, across it; a point on the axis is under the wall at −x.
fn inward(at: &Vec3, radius: f64) -> Vec3 {
    let mut found = Vec3::x();
    Cavity::Tube { radius, half_length: f64::INFINITY, closed: false }.walls(at, |_, n, _| found = n);
    found
}

/// Part of a body's size by which it overlaps the walls of an open tube before its other side is looked at.
pub(super) const MOUTH: f64 = 1e-3;

/// Two hollow bodies: the one that fits into the other is inside it if its origin is.
pub(super) fn both(first: &Item<'_>, second: &Item<'_>, search: &Search, buffers: &mut Buffers) {
    let (Core::Hollow { cavity, outside }, Core::Hollow { cavity: other, outside: shell }) = (first.core, second.core) else {
        return;
    };
    let fits = |small: &Item<'_>, hole: &Cavity, large: &Item<'_>| {
        hole.room() * large.size > small.reach && hole.holds(&large.local(&small.x))
    };
    if fits(first, other, second) {
        inside(&first.with(outside), second, other, search, buffers);
    } else if fits(second, cavity, first) {
        let from = buffers.spots.len();
        inside(&second.with(shell), first, cavity, search, buffers);
        for spot in &mut buffers.spots[from..] {
            spot.on_first -= spot.gap * spot.n;
            spot.n = -spot.n;
            spot.part = 1.0 - spot.part;
        }
    } else {
        super::of_parts(&first.with(outside), &second.with(shell), search, buffers);
    }
}

fn inside(first: &Item<'_>, second: &Item<'_>, cavity: &Cavity, search: &Search, buffers: &mut Buffers) {
    match first.core {
        Core::Round { radius, tapers } => {
            point(first.x, Own::ball(radius * first.size, search, *tapers), 0, second, cavity, search, buffers);
        }
        Core::Polytope { hull, rounding } => {
            let (from, own) = (buffers.spots.len(), Own::ball(rounding * first.size, search, false));
            for (i, v) in (0..).zip(hull.vertices()) {
                point(first.world(v), own, i, second, cavity, search, buffers);
            }
            if let (true, [_, _]) = (*rounding > 0.0, hull.vertices()) {
                line_along(&mut buffers.spots[from..], [0, 1], own.k[0], second, cavity);
            }
            for edge in hull.edges().iter().filter(|_| *rounding > 0.0) {
                line_along(&mut buffers.spots[from..], edge.ends.map(u64::from), own.k[0], second, cavity);
            }
        }
        Core::Mesh(mesh) => {
            for (i, v) in (0..).zip(mesh.vertices()) {
                point(first.world(v), Own::sharp(), i, second, cavity, search, buffers);
            }
        }
        Core::Smooth(body) => smooth(first, &**body, second, cavity, search, buffers),
        Core::Cluster(_) | Core::Hollow { .. } | Core::HalfSpace { .. } | Core::Deformable { .. } => {
            ordered(first, second, search, buffers)
        }
    }
}

/// A curved body: climbs from the wall that its centre is nearest to, and from the eight octants of its own axes, since its two
/// ends may be out as far and more than one place touch. What the climbs from the octants find has names of its own.
fn smooth(first: &Item<'_>, body: &dyn SupportMap, second: &Item<'_>, cavity: &Cavity, search: &Search, buffers: &mut Buffers) {
    let from = buffers.spots.len();
    let mut nearest = [Vec3::zeros(); 3];
    cavity.walls(&second.local(&first.x), |_, n, wall| nearest[wall as usize] = -n);
    for (wall, direction) in (0..).zip(nearest).filter(|(_, d)| *d != Vec3::zeros()) {
        let top = climb(first, body, second, cavity, wall, direction);
        let start = buffers.spots.len();
        body.outposts(&top, &mut |id, p| {
            let feature = u64::from(id) << 2 | u64::from(wall);
            one_wall(first.world(&p), Own::of(first, body, &top), feature, wall, second, cavity, search, buffers);
        });
        if body.line(&top).is_some() {
            line_along(&mut buffers.spots[start..], [0, 1], body.curvature(&top)[0] / first.size, second, cavity);
        }
    }
    for octant in 0..8_u32 {
        let corner = Vec3::from_fn(|k, _| if octant >> k & 1 == 0 { 1.0 } else { -1.0 });
        let direction = second.q.inverse_transform_vector(&(first.q * corner));
        for wall in 0..3 {
            // Walls that are flat have one farthest point, found above.
            if cavity.curvature(wall) == [0.0; 2] || nearest[wall as usize] == Vec3::zeros() {
                continue;
            }
            let top = climb(first, body, second, cavity, wall, direction);
            let n = -(first.q * top);
            if buffers.spots[from..].iter().all(|s| (s.n - n).norm() > SAME) {
                let at = first.world(&body.support(&top));
                let feature = (1 << 32 | u64::from(octant)) << 2 | u64::from(wall);
                one_wall(at, Own::of(first, body, &top), feature, wall, second, cavity, search, buffers);
            }
        }
    }
    buffers.spots[from..].sort_unstable_by_key(|s| s.feature);
}

/// Normals that differ by less are one.
const SAME: f64 = 1e-6;
/// Most rounds of a climb, and where it ends: a round turns the direction by no more.
const ROUNDS: usize = 32;
const STILL: f64 = 1e-14;

/// The direction, in the axes of the body, of the point that is farthest out towards a wall. `start` (axes of the cavity) is
/// where it begins: each round goes to where the farthest point along the direction is itself farthest out, which is never
/// nearer to the middle, or by Newton's method further still if that is farther out.
fn climb(first: &Item<'_>, body: &dyn SupportMap, second: &Item<'_>, cavity: &Cavity, wall: u32, start: Vec3) -> Vec3 {
    let local = |direction: &Vec3| first.q.inverse_transform_vector(&(second.q * direction));
    // Where the farthest point along a direction is farthest out, and how near to the wall it is.
    let out = |direction: &Vec3| {
        let far = second.local(&first.world(&body.support(&local(direction))));
        let mut found = (*direction, f64::INFINITY);
        cavity.walls(&far, |distance, n, w| {
            if w == wall {
                found = (-n, distance);
            }
        });
        found
    };
    let mut direction = start.try_normalize(0.0).unwrap_or_else(Vec3::x);
    let mut here = out(&direction);
    for _ in 0..ROUNDS {
        let rest = here.0 - direction;
        if rest.norm() <= STILL {
            break;
        }
        let then = out(&here.0);
        let newton = newton(&direction, &rest, |d| out(d).0 - d).map(|d| (d, out(&d)));
        (direction, here) = match newton {
            Some((d, found)) if found.1 < then.1 => (d, found),
            _ => (here.0, then),
        };
    }
    local(&direction)
}

/// A round of Newton's method for a direction where `rest` is zero, with derivatives by differences.
fn newton(direction: &Vec3, here: &Vec3, rest: impl Fn(&Vec3) -> Vec3) -> Option<Vec3> {
    let (f, step) = (Frame::spatial(*direction), 1e-6);
    let change = |d: &Vec3| (rest(&(direction + step * d).normalize()) - here) / step;
    let (by_t, by_s) = (change(&f.t), change(&f.s()));
    let [tt, st, ts, ss] = [by_t.dot(&f.t), by_t.dot(&f.s()), by_s.dot(&f.t), by_s.dot(&f.s())];
    let (t, s) = (here.dot(&f.t), here.dot(&f.s()));
    let by = (f.t * (ts * s - ss * t) + f.s() * (st * t - tt * s)) / (tt * ss - ts * st);
    (by.norm() < 0.5).then(|| (direction + by).normalize())
}

/// How a body is curved about a point of it.
#[derive(Clone, Copy)]
struct Own {
    /// Radius (m) of a ball about the point.
    r: f64,
    /// Principal curvatures [1/m].
    k: [f64; 2],
    /// Direction of the smaller of them.
    less: Option<Vec3>,
}

impl Own {
    const fn sharp() -> Self {
        Self { r: 0.0, k: [0.0; 2], less: None }
    }

    fn ball(r: f64, search: &Search, tapers: bool) -> Self {
        let k = if r > NO_DIRECTION { ball(1.0 / r, search.dimension, tapers) } else { [0.0; 2] };
        Self { r, k, less: None }
    }

    /// A curved body about its farthest point along `top` (its own axes); where it has a straight line that is the end of it, a sharp rim.
    fn of(item: &Item<'_>, body: &dyn SupportMap, top: &Vec3) -> Self {
        if body.line(top).is_some() || body.face_normal(top).is_some() {
            return Self::sharp();
        }
        let k = body.curvature(top).map(|k| k / item.size);
        Self { r: 0.0, k, less: body.less_curved(top).map(|l| item.q * l) }
    }
}

/// Makes one line of the two ends of a straight side that lies along a tube, if it does: `ends` are the names of its ends, `k` is its curvature across [1/m].
fn line_along(spots: &mut [Spot], ends: [u64; 2], k: f64, second: &Item<'_>, cavity: &Cavity) {
    let Cavity::Tube { radius, .. } = cavity else { return };
    let found = ends.map(|id| spots.iter().position(|s| s.feature == id << 2));
    let [Some(a), Some(b)] = found else { return };
    let (one, two) = (spots[a], spots[b]);
    let along = two.on_first - one.on_first;
    let (length, axis) = (along.norm(), second.q * Vec3::z());
    let is_level = along.cross(&axis).norm() <= LEVEL * length && one.n.cross(&two.n).norm() <= LEVEL;
    let bend = k - 1.0 / (radius * second.size);
    if is_level && bend > 0.0 && on_patch(one.gap.max(two.gap), one.gap.min(two.gap), length, second.lengths(&one.on_first)) {
        for end in [a, b] {
            (spots[end].curvature, spots[end].share, spots[end].part) = ([bend, 0.0], 0.5 * length, 0.0);
        }
    }
}

/// A ball about a point, under all walls.
fn point(x: Vec3, own: Own, id: u64, second: &Item<'_>, cavity: &Cavity, search: &Search, buffers: &mut Buffers) {
    for wall in 0..3 {
        one_wall(x, own, id << 2 | u64::from(wall), wall, second, cavity, search, buffers);
    }
}

#[allow(clippy::too_many_arguments, reason = "a ball, its name, a wall, and where the points go")]
fn one_wall(
    x: Vec3,
    own: Own,
    feature: u64,
    wall: u32,
    second: &Item<'_>,
    cavity: &Cavity,
    search: &Search,
    buffers: &mut Buffers,
) {
    cavity.walls(&second.local(&x), |distance, n, w| {
        let gap = distance * second.size - own.r;
        if w != wall || gap > search.alert {
            return;
        }
        let n = second.q * n;
        let bend = cavity.curvature(w).map(|k| k / second.size);
        let bend = if search.dimension == mpcd_core::Dimension::Planar { [bend[0], 0.0] } else { bend };
        // A body as wide as the cavity touches it everywhere: as flat as can be told.
        let sine = own.less.map(|less| less.cross(&(second.q * Vec3::z())).norm());
        let curvature = match sine {
            Some(sine) => as_round([own.k, bend], sine),
            None => [0, 1].map(|k| own.k[k] + bend[k]),
        };
        let roundness = super::roundness(summed([own.k, bend], sine.unwrap_or(0.0)));
        let curvature = curvature.map(|k| k.max(0.0));
        let spot =
            Spot { feature, on_first: x - own.r * n, n, gap, part: part(even(own.k), bend[0]), curvature, share: 0.0, roundness };
        buffers.spots.push(spot);
    });
}
