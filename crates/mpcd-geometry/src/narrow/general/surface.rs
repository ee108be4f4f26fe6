//! Bodies on a triangulated surface. Each triangle speaks for its face, and for those of its sides and corners where the surface
//! bends away; so a body that slides over flat or hollow sides feels faces only, and its normals stay.

use mpcd_core::{
    Dimension, Vec3,
    patch::{LEVEL, on_patch},
};

use super::{
    Buffers, GRAZE, Item, NO_DIRECTION, Search, Spot, ball,
    clip::{Disc, cut, disc_over, vector_area},
    convex::{direction, direction_from_points, disc, edge_as_face, face, faces, on_face, share_out},
    distance::Apart,
    few::leave_few,
    mix,
    seam::may_turn,
};
use crate::{
    corner_shares,
    polytope::Polytope,
    shape::{Core, TriMesh},
};

/// Sine of the angle by which the normal at a side must differ from the faces beside it to be the side's own.
pub(super) const BEND: f64 = 1e-6;
/// Part of the coordinates by which a point beside a face still counts as above it.
const HAIR: f64 = 1e-14;
/// Part of a body's size by which it may be behind a face without the question whether it came there through the face.
const SHALLOW: f64 = 1e-6;
/// Sine of the angle from which a face of a body is no face on a triangle.
const STEEP: f64 = 0.7;
/// Sine of the angle between a face and a ridge of it that bears with it.
const LEANS: f64 = 0.1;
/// Part of a triangle by which a vertex that is flush with its rim may be beyond it.
const FLUSH: f64 = 1e-6;
/// Begins the names of spots at corners, which many sides have in common.
const CORNER: u64 = u64::MAX;
/// How many times as far as by its shortest way out of a triangle a body may be behind it, to be held by its face.
const DETOUR: f64 = 10.0;

/// A ball or a convex body on a surface.
pub(super) fn on(first: &Item<'_>, second: &Item<'_>, mesh: &TriMesh, search: &Search, buffers: &mut Buffers) {
    let [lower, upper] = first.extent_in(second);
    let mut triangles = std::mem::take(&mut buffers.triangles);
    triangles.clear();
    mesh.near(&lower, &upper, search.alert.max(0.0) / second.size, &mut triangles);
    let start = buffers.spots.len();
    let mut nearest: Option<Spot> = None;
    for &t in &triangles {
        let corners = mesh.triangle(t).vertices.map(|v| second.world(&mesh.vertices()[v as usize]));
        let tile = Tile { mesh, t, corners, n: second.q * mesh.triangle(t).normal };
        let from = buffers.spots.len();
        if let Core::Round { radius, .. } = first.core {
            // A vertex that lies on a face is behind it by what a solve lets overlap.
            let depth = if *radius > 0.0 { radius * first.size } else { search.alert.max(0.0) };
            tile.round(first, (radius * first.size, depth), second, search, buffers);
            let own = tile.nearest_before(first, radius * first.size, search.dimension);
            nearest = own.filter(|own| nearest.is_none_or(|least| own.gap < least.gap)).or(nearest);
        } else {
            tile.faces(first, second, search, buffers);
        }
        buffers.spots[from..].iter_mut().for_each(|s| s.feature = mix(u64::from(t), s.feature));
        if !matches!(first.core, Core::Round { .. }) {
            tile.ridges(first, second, search, start, buffers);
        }
    }
    buffers.triangles = triangles;
    if let Core::Round { radius, .. } = first.core {
        let near = 2.0 * GRAZE * first.reach.min(second.reach);
        let is_there = |spot: &Spot| buffers.spots[start..].iter().any(|own| is_one(own, spot, near));
        let missing = nearest.filter(|spot| *radius > 0.0 && spot.gap <= search.alert && !is_there(spot));
        buffers.spots.extend(missing);
        leave_one_of_each(start, near, &mut buffers.spots);
    }
    if matches!(first.core, Core::Round { radius: 0.0, .. }) {
        leave_what_is_behind(start, SHALLOW * second.reach, &mut buffers.spots);
    }
    leave_what_faces_have(start, 2.0 * GRAZE * first.reach.min(second.reach), &mut buffers.spots);
    leave_few(&mut buffers.spots, start, first.reach.min(second.reach));
}

/// Of the spots from `start` on that are within `near` (m) of each other, with normals that do the same, the nearest and of these the first: straight above a ridge of a flat side both of its triangles have the
/// point of a ball, and in a groove as flat as what single precision makes of a level floor.
fn leave_one_of_each(start: usize, near: f64, spots: &mut Vec<Spot>) {
    let mut place = start;
    while place < spots.len() {
        let s = spots[place];
        let (before, after) = (&spots[start..place], &spots[place + 1..]);
        if before.iter().any(|o| is_one(o, &s, near) && o.gap <= s.gap)
            || after.iter().any(|o| is_one(o, &s, near) && o.gap < s.gap)
        {
            spots.remove(place);
        } else {
            place += 1;
        }
    }
}

/// Whether two spots of a ball are within `near` (m) of each other, with normals that do the same.
fn is_one(one: &Spot, other: &Spot, near: f64) -> bool {
    (one.on_first - other.on_first).norm() <= near && one.n.dot(&other.n) > 0.0 && !may_turn(&one.n, &other.n)
}

/// Drops the spots from `start` on that are within `near` (m) of a point of a face with nearly the same normal: a body that leans a little touches with a ridge of that face, too,
/// and is held there twice.
fn leave_what_faces_have(start: usize, near: f64, spots: &mut Vec<Spot>) {
    let mut place = start;
    while place < spots.len() {
        let s = spots[place];
        let has = |o: &Spot| o.share > 0.0 && (o.on_first - s.on_first).norm() <= near && o.n.cross(&s.n).norm() <= LEANS;
        if s.share == 0.0 && spots[start..].iter().any(has) {
            spots.remove(place);
        } else {
            place += 1;
        }
    }
}

/// Of the spots of a vertex or a ridge from `start` on, those behind a face stay where no other is nearer by `more` (m): before one side of a thin wall a vertex is behind the other.
pub(super) fn leave_what_is_behind(start: usize, more: f64, spots: &mut Vec<Spot>) {
    let least = spots[start..].iter().map(|s| s.gap.abs()).fold(f64::INFINITY, f64::min);
    let mut place = 0;
    spots.retain(|s| {
        place += 1;
        place <= start || s.gap >= 0.0 || -s.gap <= least + more
    });
}

/// A triangle in the world.
struct Tile<'a> {
    mesh: &'a TriMesh,
    t: u32,
    corners: [Vec3; 3],
    n: Vec3,
}

impl Tile<'_> {
    /// A ball: its nearest point, if that is this triangle's to speak for. Its centre may be behind the face by `depth`.
    fn round(&self, first: &Item<'_>, (r, depth): (f64, f64), second: &Item<'_>, search: &Search, buffers: &mut Buffers) {
        let height = self.n.dot(&(first.x - self.corners[0]));
        if height.abs() - r > search.alert {
            return;
        }
        // A vertex over the rim of a flush body is over the face: on which side of it rounding decides.
        let beyond = if r > 0.0 { 0.0 } else { FLUSH * self.mesh.triangle(self.t).inner_radius * second.size };
        let (foot, feature) = self.nearest(&first.x, beyond);
        let (n, distance) = match feature {
            // A centre that far behind has gone through, or is another triangle's.
            0 if height < -depth => return,
            0 => (self.n, height),
            _ => {
                let away = first.x - foot;
                let distance = away.norm();
                if distance <= NO_DIRECTION * self.corners[0].norm().max(r) {
                    return;
                }
                (away / distance, distance)
            }
        };
        if feature > 0 && !self.speaks_for(feature, &second.q.inverse_transform_vector(&n)) {
            return;
        }
        let gap = distance - r;
        if gap <= search.alert {
            let own = if r > 0.0 { ball(1.0 / r, search.dimension, true) } else { [0.0; 2] };
            let spot = Spot { feature, on_first: first.x - r * n, n, gap, part: 0.0, curvature: own, share: 0.0, roundness: 1.0 };
            buffers.spots.push(spot);
        }
    }

    /// The nearest point of the triangle to the centre of a ball of radius `r` that is before it. Of all triangles the nearest one's is a contact whatever the ridges say: along a straight ridge no
    /// vertex is outermost, and between two faces that differ by less than a ridge does a wedge is left.
    fn nearest_before(&self, first: &Item<'_>, r: f64, dimension: Dimension) -> Option<Spot> {
        let (foot, feature) = self.nearest(&first.x, 0.0);
        let away = first.x - foot;
        let distance = away.norm();
        if self.n.dot(&away) <= 0.0 || distance <= NO_DIRECTION * self.corners[0].norm().max(r) {
            return None;
        }
        let n = away / distance;
        let curvature = ball(1.0 / r, dimension, true);
        let feature = mix(u64::from(self.t), feature);
        Some(Spot { feature, on_first: first.x - r * n, n, gap: distance - r, part: 0.0, curvature, share: 0.0, roundness: 1.0 })
    }

    /// The point of the triangle nearest to `p`, and where: 0 the face, 1 + k side k, 4 + k corner k. By up to `beyond` (m) beside a ridge it is over the face.
    fn nearest(&self, p: &Vec3, beyond: f64) -> (Vec3, u64) {
        let mut best = (f64::INFINITY, *p, 0);
        let mut inside = true;
        // Straight above a ridge neither the face nor the ridge may leave the point to the other.
        let hair = HAIR * (self.corners[0].norm() + (p - self.corners[0]).norm());
        for k in 0..3 {
            let (a, b) = (self.corners[k], self.corners[(k + 1) % 3]);
            let d = b - a;
            let most = if self.mesh.triangle(self.t).ridge[k] { hair.max(beyond) } else { hair };
            inside &= self.n.cross(&d).dot(&(p - a)) >= -most * d.norm();
            let along = d.dot(&(p - a)) / d.norm_squared();
            let (foot, feature) = if along <= 0.0 {
                (a, 4 + k)
            } else if along >= 1.0 {
                (b, 4 + (k + 1) % 3)
            } else {
                (a + along * d, 1 + k)
            };
            let distance = (p - foot).norm_squared();
            if distance < best.0 {
                best = (distance, foot, feature as u64);
            }
        }
        if inside { (p - self.n * self.n.dot(&(p - self.corners[0])), 0) } else { (best.1, best.2) }
    }

    /// Whether a normal (axes of the surface) at a side or corner is one of the surface's there, and this triangle's to tell.
    fn speaks_for(&self, feature: u64, n: &Vec3) -> bool {
        let t = self.mesh.triangle(self.t);
        match feature {
            k @ 1..=3 => self.mesh.bends(self.t, k as usize - 1, n, 0.0),
            k => {
                let k = k as usize - 4;
                t.owns_vertex[k] && self.is_outermost(t.vertices[k], n)
            }
        }
    }

    /// A convex body over the face: what of its face lies over the triangle; or its farthest point.
    fn faces(&self, first: &Item<'_>, second: &Item<'_>, search: &Search, buffers: &mut Buffers) {
        let height = |p: &Vec3| self.n.dot(&(p - self.corners[0]));
        if height(&super::convex::lowest(first, &-self.n)) <= 0.0 {
            return;
        }
        let from = buffers.spots.len();
        let small = first.reach.min(second.reach);
        self.over(first, GRAZE * small, search, buffers);
        let least = buffers.spots[from..].iter().map(|s| s.gap).fold(f64::INFINITY, f64::min);
        if least < -SHALLOW * small && !self.bears(first, least) {
            buffers.spots.truncate(from);
        }
    }

    /// Whether a body that is `-gap` behind the face has come there through it, and not past its rim or from behind: the way out over the
    /// face is among the short ones.
    fn bears(&self, first: &Item<'_>, gap: f64) -> bool {
        let around = super::convex::rounding(first.core) * first.size;
        let way_out = direction_from_points(first, &self.corners, &[self.n, -self.n], None, around);
        way_out.is_some_and(|(_, way_out)| gap >= DETOUR * (way_out - around).min(0.0))
    }

    /// What a body has over the face; sideways by less than `graze` (m) it is beside it.
    fn over(&self, first: &Item<'_>, graze: f64, search: &Search, buffers: &mut Buffers) {
        let Buffers { spots, polygons: [a, spare, all], shares, .. } = buffers;
        // A body whose side stands a hair inside of the triangle's rim is beside it, not on it.
        let t = self.mesh.triangle(self.t);
        let inset = graze.min(1e-2 * t.inner_radius);
        let lowest = super::convex::lowest(first, &self.n);
        let around = super::convex::rounding(first.core) * first.size;
        let own = face(first, &-self.n, a);
        match own {
            // The lowest points of the rounded corners.
            Some(f) if f.cross(&self.n).norm() < STEEP => {
                a.iter_mut().for_each(|c| *c -= around * (self.n + f));
            }
            // Between steep faces an edge is lowest.
            _ => {
                a.clear();
                let level = |ends: &[Vec3]| matches!(ends, [p, q] if self.n.dot(&(p - q)).abs() <= LEVEL * (p - q).norm());
                if edge_as_face(first, &-self.n, a).is_none() || !level(a) {
                    a.clear();
                }
            }
        }
        let height = |p: &Vec3| self.n.dot(&(p - self.corners[0]));
        // A straight side is as curved as the body across it.
        let curvature = |p: &Vec3| super::convex::curvature(first, &-self.n, &(p + around * self.n));
        let bend = if let [p, q] = a[..] { curvature(&(0.5 * (p + q)))[0] } else { 0.0 };
        // The polygon of a round end has less than its area.
        let disc = disc(first, &-self.n).filter(|_| a.len() > 2);
        // Over a flat side neither triangle may lose a point to rounding.
        let hair = 1e-12 * first.reach;
        all.clone_from(a);
        let inset = |k: usize| if t.ridge[k] { inset } else { -hair };
        cut(a, &self.corners, &self.n, inset, spare);
        // What is on it is so up to its rim.
        let whole = |_: usize| -hair;
        if !a.is_empty() {
            a.clone_from(all);
            cut(a, &self.corners, &self.n, whole, spare);
        }
        if let (Some(disc), Some(own)) = (disc.filter(|_| a.is_empty()), own) {
            a.extend(self.under_disc(&disc, &own));
        }
        let gap = height(&lowest);
        let lengths = first.lengths(&lowest) + (lowest - self.corners[0]).norm();
        let lies = |p: &Vec3| on_patch(height(p), gap, (p - lowest).norm(), lengths);
        // Where a face leans it touches with the ridge that it goes on over; overlapping all over it is one face still.
        if !a.iter().all(lies) {
            a.retain(|p| !self.hangs_over(p, all, whole, hair));
        }
        let from = spots.len();
        corner_shares::of_polygon(a.iter().copied().filter(lies), &self.n, shares);
        let mut shares = shares.iter();
        for (k, p) in (0..).zip(a.iter()) {
            let share = if lies(p) { shares.next().copied() } else { None }.unwrap_or(0.0);
            if height(p) > search.alert {
                continue;
            }
            let curvature = curvature(p);
            spots.push(Spot {
                feature: 8 + k,
                on_first: *p,
                n: self.n,
                gap: height(p),
                part: 0.0,
                curvature,
                share,
                roundness: 1.0,
            });
        }
        let least = a.iter().map(height).fold(f64::INFINITY, f64::min);
        a.retain(lies);
        let size = match a[..] {
            [p, q] if bend > 0.0 => (q - p).norm(),
            _ => disc.map_or_else(|| 0.5 * vector_area(a).norm(), |d| disc_over(&d, &self.corners, &self.n)),
        };
        share_out(&mut spots[from..], size);
        if bend > 0.0 && size > 0.0 {
            spots[from..].iter_mut().filter(|s| s.share > 0.0).for_each(|s| s.curvature = [bend, 0.0]);
        }
        // The polygon that stands for a round or tilted face need not have its lowest point.
        if gap > search.alert || least <= gap + 1e-9 * first.reach {
            return;
        }
        // Which corner of a face is lowest rounding decides; beside a rim none of them is on the triangle.
        if self.is_over(&lowest, inset, a, spare) {
            let point = self.spot(7, lowest, curvature(&lowest));
            let point = on_face(&mut spots[from..], &point, lengths).unwrap_or(point);
            spots.push(point);
        }
    }

    /// Whether a point is over the triangle, with its sides moved in.
    fn is_over(&self, p: &Vec3, inset: impl Fn(usize) -> f64, polygon: &mut Vec<Vec3>, spare: &mut Vec<Vec3>) -> bool {
        polygon.clear();
        polygon.push(*p);
        cut(polygon, &self.corners, &self.n, inset, spare);
        !polygon.is_empty()
    }

    /// A point over the face.
    fn spot(&self, feature: u64, on_first: Vec3, curvature: [f64; 2]) -> Spot {
        let gap = self.n.dot(&(on_first - self.corners[0]));
        Spot { feature, on_first, n: self.n, gap, part: 0.0, curvature, share: 0.0, roundness: 1.0 }
    }

    /// The point of a disc with this normal nearest to its centre that is over the triangle.
    fn under_disc(&self, disc: &Disc, normal: &Vec3) -> Option<Vec3> {
        let height = self.n.dot(&(disc.0 - self.corners[0]));
        let (foot, _) = self.nearest(&(disc.0 - height * self.n), 0.0);
        let up = normal.dot(&(disc.0 - foot)) / normal.dot(&self.n);
        let point = foot + up * self.n;
        ((point - disc.0).norm() < disc.1).then_some(point)
    }

    /// Whether a point of a body's face is on a ridge of this triangle beyond which that face (its corners are `all`) goes on downwards: there the ridge
    /// touches the face, with the face's normal and not with the triangle's.
    fn hangs_over(&self, p: &Vec3, all: &[Vec3], inset: impl Fn(usize) -> f64, hair: f64) -> bool {
        let t = self.mesh.triangle(self.t);
        (0..3).filter(|&k| t.ridge[k]).any(|k| {
            let (a, b) = (self.corners[k], self.corners[(k + 1) % 3]);
            let outward = (b - a).cross(&self.n).normalize();
            let beyond = |d: &Vec3| outward.dot(d) > hair;
            let lower = |d: &Vec3| self.n.dot(d) < -LEVEL * d.norm();
            outward.dot(&(p - a)) >= -inset(k) - hair && all.iter().map(|q| q - p).any(|d| beyond(&d) && lower(&d))
        })
    }

    /// A convex body on the sides and corners where the surface bends away. Where the nearest place is goes by the normal, which is known for bodies that
    /// overlap and for sides along a face, too: at the end of the side that is farther along it, or anywhere on a side that is square to it.
    /// Spots of this surface begin at `start`; a corner is told of once.
    fn ridges(&self, first: &Item<'_>, second: &Item<'_>, search: &Search, start: usize, buffers: &mut Buffers) {
        let t = self.mesh.triangle(self.t);
        for k in (0..3).filter(|&k| t.ridge[k] && t.owner[k]) {
            let (a, b) = (self.corners[k], self.corners[(k + 1) % 3]);
            let Some(core) = self.mesh.ridge_core(self.t, k) else { continue };
            let item = Item { core, ..*second };
            let around = super::convex::rounding(first.core) * first.size;
            let Some(nearest) = direction(first, &item, search.alert + around) else { continue };
            let wedge = std::iter::once_with(|| self.out_of_wedge(k, first, second, nearest.1));
            let Some((mut found, gap, corner)) = std::iter::once(Some(nearest))
                .chain(wedge)
                .flatten()
                .map(|(found, gap)| (found, gap - around, self.nearest_end(k, &found)))
                .find(|(found, gap, corner)| {
                    *gap <= search.alert
                        && first.n_looks_from(&found.n, &a)
                        && self.is_own(k, *corner, &second.q.inverse_transform_vector(&found.n))
                })
            else {
                continue;
            };
            if let Some(end) = corner {
                found.on_second = self.corners[end];
            }
            // A flat end or a side along the ridge lies on it with the two ends of what they have in common, too.
            let from = buffers.spots.len();
            faces(first, &item, &found, search, buffers);
            let least = buffers.spots[from..].iter().map(|s| s.gap).fold(f64::INFINITY, f64::min);
            if least > gap + 1e-9 * first.reach {
                let on_first = found.on_second + gap * found.n;
                buffers.spots.push(Spot {
                    feature: 0,
                    on_first,
                    n: found.n,
                    gap,
                    part: 1.0,
                    curvature: [0.0; 2],
                    share: 0.0,
                    roundness: 1.0,
                });
            }
            let near = 1e-9 * (b - a).norm();
            let mut kept = from;
            for i in from..buffers.spots.len() {
                let mut spot = buffers.spots[i];
                let on_second = spot.on_first - spot.gap * spot.n;
                let end = [k, (k + 1) % 3].into_iter().find(|&e| (on_second - self.corners[e]).norm() <= near);
                spot.feature = match end {
                    Some(e) => mix(CORNER, u64::from(t.vertices[e])),
                    None => mix(u64::from(self.t), mix(1 + k as u64, spot.feature)),
                };
                if end.is_none() || buffers.spots[start..from].iter().all(|s| s.feature != spot.feature) {
                    buffers.spots[kept] = spot;
                    kept += 1;
                }
            }
            buffers.spots.truncate(kept);
        }
    }

    /// Where a body overlaps a side, its shortest way out of that line may lead through the surface: a corner just over the side passes it either way. It does not
    /// of the wedge between the two faces.
    fn out_of_wedge(&self, k: usize, first: &Item<'_>, second: &Item<'_>, gap: f64) -> Option<(Apart, f64)> {
        if gap >= 0.0 {
            return None;
        }
        let (a, b) = (self.corners[k], self.corners[(k + 1) % 3]);
        let [c, d] = self.mesh.apexes(self.t, k)?.map(|v| second.world(&v));
        let other = (b - d).cross(&(a - d)).try_normalize(0.0)?;
        direction_from_points(first, &[a, b, c, d], &[self.n, other], Some((b - a).normalize()), 0.0)
    }

    /// Whether a normal (axes of the surface) at side k, or at one of its corners, is one of the surface's there.
    fn is_own(&self, k: usize, corner: Option<usize>, n: &Vec3) -> bool {
        match corner {
            None => self.mesh.bends(self.t, k, n, BEND),
            Some(end) => self.is_outermost(self.mesh.triangle(self.t).vertices[end], n),
        }
    }

    /// The end of side k that is nearest to a body; `None` where it is a place between.
    fn nearest_end(&self, k: usize, found: &Apart) -> Option<usize> {
        let (a, d) = (self.corners[k], self.corners[(k + 1) % 3] - self.corners[k]);
        let slope = found.n.dot(&d) / d.norm();
        let along = (found.on_second - a).dot(&d) / d.norm_squared();
        let between = along > 1e-9 && along < 1.0 - 1e-9;
        // Of something curved the normal is known less well.
        if slope.abs() <= if between { 1e-4 } else { BEND } {
            return None;
        }
        Some(if slope > 0.0 { (k + 1) % 3 } else { k })
    }

    /// Whether all neighbours of a vertex are farther back along a normal (axes of the surface).
    fn is_outermost(&self, vertex: u32, n: &Vec3) -> bool {
        let place = |v: u32| self.mesh.vertices()[v as usize];
        self.mesh.neighbours(vertex).iter().all(|w| {
            let d = place(*w) - place(vertex);
            n.dot(&d) <= -BEND * d.norm()
        })
    }
}

impl Item<'_> {
    /// Whether its origin is on the side of `at` that `n` points to: else it has gone through.
    fn n_looks_from(&self, n: &Vec3, at: &Vec3) -> bool {
        n.dot(&(self.x - at)) > 0.0
    }
}

/// The side of a triangle as a hull of two points.
pub(crate) fn side_core(a: Vec3, b: Vec3) -> Option<Core> {
    let hull = Polytope::segment(a, b, mpcd_core::Dimension::Spatial).ok()?;
    Some(Core::Polytope { hull: std::sync::Arc::new(hull), rounding: 0.0 })
}
