//! A triangulated surface as a body: on a half-space, and on another surface. Its vertices touch; of two surfaces the vertices of each and the ridges where they cross.
//! What lies flat on the other body has an area, which the points that bear it share. No convex bodies.

use mpcd_core::{
    Vec3,
    patch::{LEVEL, on_patch},
};

use super::{
    Buffers, GRAZE, Item, Search, Spot,
    clip::cut,
    few::leave_few,
    mix, ordered,
    surface::{BEND, leave_what_is_behind, on},
};
use crate::{
    corner_shares,
    shape::{Core, TriMesh},
};

/// Sine of the angle up to which a triangle counts as facing another one.
const FACING: f64 = 0.2;
/// Part of a ridge next to its ends that is theirs.
const END: f64 = 1e-9;
/// Part of the smaller body by which its ridges may be in another: deeper are those of its other side.
const DEPTH: f64 = 0.1;
/// Begins the names of spots where two ridges cross.
const CROSSED: u64 = u64::MAX - 1;

/// A surface somewhere.
struct Placed<'a> {
    item: Item<'a>,
    mesh: &'a TriMesh,
}

impl Placed<'_> {
    fn corners(&self, t: u32) -> [Vec3; 3] {
        self.mesh.triangle(t).vertices.map(|v| self.item.world(&self.mesh.vertices()[v as usize]))
    }

    fn normal(&self, t: u32) -> Vec3 {
        self.item.q * self.mesh.triangle(t).normal
    }

    /// The ends of side `k` of a triangle, if it is a ridge that the triangle speaks for.
    fn ridge(&self, t: u32, k: usize) -> Option<[Vec3; 2]> {
        let of = self.mesh.triangle(t);
        (of.ridge[k] && of.owner[k]).then(|| {
            let corners = self.corners(t);
            [corners[k], corners[(k + 1) % 3]]
        })
    }

    /// Whether a normal at a ridge is one of the surface's there; at the rim of an open surface on the side of its face.
    fn is_own(&self, t: u32, k: usize, n: &Vec3) -> bool {
        let is_rim = self.mesh.apexes(t, k).is_some_and(|[a, b]| a == b);
        self.mesh.bends(t, k, &self.item.q.inverse_transform_vector(n), -BEND) && (!is_rim || n.dot(&self.normal(t)) > -BEND)
    }

    /// The triangles near some points, by rising number.
    fn near(&self, points: &[Vec3], range: f64, out: &mut Vec<u32>) {
        let local = points.iter().map(|p| self.item.local(p));
        let (lower, upper) =
            local.fold((Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY)), |(l, u), p| (l.inf(&p), u.sup(&p)));
        out.clear();
        self.mesh.near(&lower, &upper, range / self.item.size, out);
    }
}

/// The vertices of a surface as points on something else, under names that begin with `name`: those within a box in its axes.
fn vertices(
    of: &Placed<'_>,
    name: u64,
    [lower, upper]: [Vec3; 2],
    buffers: &mut Buffers,
    mut meet: impl FnMut(u32, &Item<'_>, &mut Buffers),
) {
    let point = Core::Round { radius: 0.0, tapers: false };
    let is_within = |v: &Vec3| (0..3).all(|k| v[k] >= lower[k] && v[k] <= upper[k]);
    for (i, v) in (0..).zip(of.mesh.vertices()).filter(|(_, v)| is_within(v)) {
        let from = buffers.spots.len();
        meet(i, &Item { core: &point, x: of.item.world(v), q: of.item.q, size: 1.0, reach: 0.0 }, buffers);
        buffers.spots[from..].iter_mut().for_each(|s| s.feature = mix(2 * u64::from(i) + name, s.feature));
    }
}

/// A vertex of a surface on another: on its ridges and corners where it is farther out than its neighbours, on its faces where none of these is by far. A level floor has no corner
/// that an edge or a side could be caught by.
fn on_other(of: &Placed<'_>, vertex: u32, point: &Item<'_>, other: &Placed<'_>, search: &Search, buffers: &mut Buffers) {
    let from = buffers.spots.len();
    on(point, &other.item, other.mesh, search, buffers);
    let Buffers { spots, triangles, .. } = buffers;
    let is_of_face = |s: &Spot| triangles.iter().any(|t| mix(u64::from(*t), 0) == s.feature);
    let is_outermost = |s: &Spot| {
        let out = of.item.q.inverse_transform_vector(&-s.n);
        let place = |v: u32| of.mesh.vertices()[v as usize];
        let most = if is_of_face(s) { FACING } else { LEVEL };
        of.mesh.neighbours(vertex).iter().map(|w| place(*w) - place(vertex)).all(|d| out.dot(&d) <= most * d.norm())
    };
    let mut place = 0;
    spots.retain(|s| {
        place += 1;
        place <= from || is_outermost(s)
    });
}

/// A surface on a half-space: its vertices, each with a third of the triangles about it that lie on the plane.
pub(super) fn on_plane(
    first: &Item<'_>,
    mesh: &TriMesh,
    second: &Item<'_>,
    normal: &Vec3,
    search: &Search,
    buffers: &mut Buffers,
) {
    let start = buffers.spots.len();
    let of = Placed { item: *first, mesh };
    vertices(&of, 0, [-f64::INFINITY, f64::INFINITY].map(Vec3::repeat), buffers, |_, point, buffers| {
        ordered(point, second, search, buffers)
    });
    let n = second.q * normal;
    let spots = &mut buffers.spots[start..];
    let Some(lowest) = spots.iter().min_by(|a, b| a.gap.total_cmp(&b.gap)).copied() else { return };
    let lengths = first.lengths(&lowest.on_first) + (lowest.on_first - second.x).norm();
    let lies = |s: &Spot| on_patch(s.gap, lowest.gap, (s.on_first - lowest.on_first).norm(), lengths);
    // Which spot is of which vertex: they come in the same order.
    let mut next = 0;
    buffers.triangles.clear();
    buffers.triangles.extend(mesh.vertices().iter().map(|v| {
        let is_one = spots.get(next as usize).is_some_and(|s| s.on_first == first.world(v) && lies(s));
        next += u32::from(spots.get(next as usize).is_some_and(|s| s.on_first == first.world(v)));
        if is_one { next - 1 } else { u32::MAX }
    }));
    for (t, own) in (0..).zip(mesh.triangles()) {
        let down = of.normal(t);
        let spot_of = own.map(|v| buffers.triangles[v as usize]);
        if spot_of.contains(&u32::MAX) || down.dot(&n) > 0.0 || down.cross(&n).norm() > FACING {
            continue;
        }
        let [a, b, c] = of.corners(t);
        let third = (b - a).cross(&(c - a)).dot(&n).abs() / 6.0;
        spot_of.into_iter().for_each(|k| spots[k as usize].share += third);
    }
    leave_few(&mut buffers.spots, start, first.reach);
}

/// Two surfaces: the vertices of each on the other, the ridges that cross, and the areas.
pub(super) fn on_surface(first: &Item<'_>, second: &Item<'_>, meshes: [&TriMesh; 2], search: &Search, buffers: &mut Buffers) {
    let start = buffers.spots.len();
    let [one, two] = [Placed { item: *first, mesh: meshes[0] }, Placed { item: *second, mesh: meshes[1] }];
    // A body's box in the axes of the other, and as far around as it is looked.
    let around = |item: &Item<'_>, of: &Item<'_>| {
        let ([lower, upper], range) = (item.extent_in(of), Vec3::repeat(search.alert.max(0.0) / of.size));
        [lower - range, upper + range]
    };
    vertices(&one, 0, around(second, first), buffers, |i, point, buffers| on_other(&one, i, point, &two, search, buffers));
    let own = buffers.spots.len();
    vertices(&two, 1, around(first, second), buffers, |i, point, buffers| on_other(&two, i, point, &one, search, buffers));
    for spot in &mut buffers.spots[own..] {
        spot.on_first -= spot.gap * spot.n;
        (spot.n, spot.part) = (-spot.n, 1.0 - spot.part);
    }
    let [lower, upper] = around(second, first);
    let mut near = Vec::new();
    one.mesh.near(&lower, &upper, 0.0, &mut near);
    let mut triangles = std::mem::take(&mut buffers.triangles);
    let reach = [search.alert, DEPTH * first.reach.min(second.reach)];
    for &t in &near {
        for k in 0..3 {
            let Some(ridge) = one.ridge(t, k) else { continue };
            let from = buffers.spots.len();
            two.near(&ridge, search.alert.max(0.0), &mut triangles);
            for &u in &triangles {
                for l in 0..3 {
                    let Some(other) = two.ridge(u, l) else { continue };
                    let mut both = crossing([ridge, other], reach).into_iter().flatten();
                    let spot = both.find(|s| one.is_own(t, k, &-s.n) && two.is_own(u, l, &s.n));
                    let name = |t: u32, k: usize| mix(u64::from(t), k as u64);
                    buffers.spots.extend(spot.map(|s| Spot { feature: mix(CROSSED, mix(name(t, k), name(u, l))), ..s }));
                }
            }
            leave_what_is_behind(from, GRAZE * first.reach.min(second.reach), &mut buffers.spots);
        }
    }
    areas([&one, &two], start, &near, search, &mut triangles, buffers);
    buffers.triangles = triangles;
    leave_few(&mut buffers.spots, start, first.reach.min(second.reach));
}

/// Where two ridges cross between their ends, not farther apart than `alert` nor deeper in each other than `depth`, with either normal that is square to both.
fn crossing([first, second]: [[Vec3; 2]; 2], [alert, depth]: [f64; 2]) -> Option<impl Iterator<Item = Spot>> {
    let [d, e] = [first[1] - first[0], second[1] - second[0]];
    let cross = d.cross(&e);
    if cross.norm() <= LEVEL * d.norm() * e.norm() {
        return None;
    }
    let between = second[0] - first[0];
    let [along, other] = [e, d].map(|f| f.cross(&cross).dot(&between) / cross.norm_squared());
    if [along, other].iter().any(|a| *a <= END || *a >= 1.0 - END) {
        return None;
    }
    let on_first = first[0] + along * d;
    let n = cross.normalize();
    let gap = -n.dot(&between);
    let spot = |side: f64| Spot {
        feature: 0,
        on_first,
        n: side * n,
        gap: side * gap,
        part: 0.5,
        curvature: [0.0; 2],
        share: 0.0,
        roundness: 1.0,
    };
    Some([spot(1.0), spot(-1.0)].into_iter().filter(move |s| s.gap <= alert && s.gap >= -depth))
}

/// What of two surfaces lies flat on each other in one plane.
struct Level {
    /// Of the second surface.
    n: Vec3,
    /// A point of it (m).
    at: Vec3,
    /// The least gap of the spots in it (m).
    nearest: f64,
    area: f64,
    /// Sum of area × middle (m³).
    moment: Vec3,
}

/// Gives the spots from `start` on what lies flat between the triangles `near` of the first surface and the other: plane by plane the area, with its middle.
fn areas(
    [one, two]: [&Placed<'_>; 2],
    start: usize,
    near: &[u32],
    search: &Search,
    triangles: &mut Vec<u32>,
    buffers: &mut Buffers,
) {
    let Buffers { spots, polygons: [a, spare, places], shares, .. } = buffers;
    let spots = &mut spots[start..];
    let mut levels: Vec<Level> = Vec::new();
    let size = one.item.reach.min(two.item.reach);
    for &t in near {
        let (corners, down) = (one.corners(t), one.normal(t));
        two.near(&corners, search.alert.max(0.0), triangles);
        for &u in &*triangles {
            let n = two.normal(u);
            if n.dot(&down) > 0.0 || n.cross(&down).norm() > FACING {
                continue;
            }
            let over = two.corners(u);
            a.clear();
            a.extend(corners);
            cut(a, &over, &n, |_| 0.0, spare);
            if a.len() < 3 {
                continue;
            }
            let is_one = |l: &Level| l.n.cross(&n).norm() <= BEND && l.n.dot(&(over[0] - l.at)).abs() <= BEND * size;
            let place = levels.iter().position(is_one).unwrap_or_else(|| {
                let nearest =
                    spots.iter().filter(|s| in_plane(s, &n, &over[0], size)).map(|s| s.gap).fold(f64::INFINITY, f64::min);
                levels.push(Level { n, at: over[0], nearest, area: 0.0, moment: Vec3::zeros() });
                levels.len() - 1
            });
            let level = &mut levels[place];
            // What leans is one face where springs let it overlap.
            let leans = n.cross(&down).norm() > LEVEL;
            if !(leans && level.nearest >= 0.0) && a.iter().all(|p| on_patch(n.dot(&(p - over[0])), level.nearest, size, size)) {
                let area = corner_shares::of_polygon(a.iter().copied(), &n, shares);
                level.area += area;
                level.moment += a.iter().zip(&*shares).map(|(p, s)| p * (s * area)).sum::<Vec3>();
            }
        }
    }
    for level in levels.iter().filter(|l| l.area > 0.0) {
        let lies = |s: &Spot| in_plane(s, &level.n, &level.at, size) && on_patch(s.gap, level.nearest, size, size);
        let bears: Vec<usize> = (0..spots.len()).filter(|&k| lies(&spots[k])).collect();
        places.clear();
        places.extend(bears.iter().map(|&k| spots[k].on_first));
        shares.clear();
        shares.resize(bears.len(), level.area / bears.len() as f64);
        corner_shares::fit(places, shares, &level.n, level.area, &(level.moment / level.area));
        // One face has one normal, whichever of the two a vertex is of.
        bears.iter().zip(&*shares).for_each(|(&k, share)| (spots[k].share, spots[k].n) = (*share, level.n));
    }
}

/// Whether a spot is one of a plane of the second surface.
fn in_plane(s: &Spot, n: &Vec3, at: &Vec3, size: f64) -> bool {
    let on_second = s.on_first - s.gap * s.n;
    s.n.dot(n) > 0.0 && s.n.cross(n).norm() <= FACING && n.dot(&(on_second - at)).abs() <= BEND * size
}
