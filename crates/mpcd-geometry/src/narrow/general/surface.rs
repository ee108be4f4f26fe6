//! Bodies on a triangulated surface. Each triangle speaks for its face, and for those of its sides and corners where the surface
//! bends away; so a body that slides over flat or hollow sides feels faces only, and its normals stay.

use mpcd_core::{Vec3, patch::on_patch};

use super::{
    Buffers, Item, NO_DIRECTION, Search, Spot, ball,
    clip::{cut, vector_area},
    convex::{direction, face, faces, share_out},
    mix,
};
use crate::{
    polytope::Polytope,
    shape::{Core, TriMesh},
};

/// Sine of the angle by which the normal at a side must differ from the faces beside it to be the side's own.
const BEND: f64 = 1e-6;
/// Part of the coordinates by which a point beside a face still counts as above it.
const HAIR: f64 = 1e-14;

/// The vertices of a surface against something else; of two surfaces the vertices of each against the other.
pub(super) fn vertices(first: &Item<'_>, mesh: &TriMesh, second: &Item<'_>, search: &Search, buffers: &mut Buffers) {
    let point = Core::Round { radius: 0.0, tapers: false };
    let of = |from: &Item<'_>, v: &Vec3| Item { core: &point, x: from.world(v), q: from.q, size: 1.0, reach: 0.0 };
    for (i, v) in (0..).zip(mesh.vertices()) {
        let from = buffers.spots.len();
        super::ordered(&of(first, v), second, search, buffers);
        buffers.spots[from..].iter_mut().for_each(|s| s.feature = mix(2 * i, s.feature));
    }
    let Core::Mesh(other) = second.core else { return };
    for (i, v) in (0..).zip(other.vertices()) {
        let from = buffers.spots.len();
        on(&of(second, v), first, mesh, search, buffers);
        for spot in &mut buffers.spots[from..] {
            spot.feature = mix(2 * i + 1, spot.feature);
            spot.on_first -= spot.gap * spot.n;
            (spot.n, spot.part) = (-spot.n, 1.0 - spot.part);
        }
    }
}

/// A ball or a convex body on a surface.
pub(super) fn on(first: &Item<'_>, second: &Item<'_>, mesh: &TriMesh, search: &Search, buffers: &mut Buffers) {
    let [lower, upper] = first.extent_in(second);
    let mut triangles = std::mem::take(&mut buffers.triangles);
    triangles.clear();
    mesh.near(&lower, &upper, search.alert.max(0.0) / second.size, &mut triangles);
    let start = buffers.spots.len();
    for &t in &triangles {
        let corners = mesh.triangle(t).vertices.map(|v| second.world(&mesh.vertices()[v as usize]));
        let tile = Tile { mesh, t, corners, n: second.q * mesh.triangle(t).normal };
        let from = buffers.spots.len();
        if let Core::Round { radius, .. } = first.core {
            // A vertex that lies on a face is behind it by what a solve lets overlap.
            let depth = if *radius > 0.0 { radius * first.size } else { search.alert.max(0.0) };
            tile.round(first, (radius * first.size, depth), second, search, buffers);
        } else {
            tile.faces(first, search, buffers);
            tile.ridges(first, second, search, buffers);
        }
        buffers.spots[from..].iter_mut().for_each(|s| s.feature = mix(u64::from(t), s.feature));
    }
    buffers.triangles = triangles;
    if matches!(first.core, Core::Round { radius: 0.0, .. }) {
        leave_what_is_behind(start, &mut buffers.spots);
    }
}

/// Of the spots of a vertex from `start` on, those behind a face stay where no other is nearer: before one side of a thin wall a vertex is behind the other.
fn leave_what_is_behind(start: usize, spots: &mut Vec<Spot>) {
    let least = spots[start..].iter().map(|s| s.gap.abs()).fold(f64::INFINITY, f64::min);
    let mut place = 0;
    spots.retain(|s| {
        place += 1;
        place <= start || s.gap >= 0.0 || -s.gap <= least
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
        let (foot, feature) = self.nearest(&first.x);
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

    /// The point of the triangle nearest to `p`, and where: 0 the face, 1 + k side k, 4 + k corner k.
    fn nearest(&self, p: &Vec3) -> (Vec3, u64) {
        let mut best = (f64::INFINITY, *p, 0);
        let mut inside = true;
        // Straight above a ridge neither the face nor the ridge may leave the point to the other.
        let hair = HAIR * (self.corners[0].norm() + (p - self.corners[0]).norm());
        for k in 0..3 {
            let (a, b) = (self.corners[k], self.corners[(k + 1) % 3]);
            let d = b - a;
            inside &= self.n.cross(&d).dot(&(p - a)) >= -hair * d.norm();
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
                let v = self.mesh.vertices()[t.vertices[k] as usize];
                let away = |w: &u32| {
                    let d = self.mesh.vertices()[*w as usize] - v;
                    n.dot(&d) <= -BEND * d.norm()
                };
                t.owns_vertex[k] && self.mesh.neighbours(t.vertices[k]).iter().all(away)
            }
        }
    }

    /// A convex body over the face: what of its face lies over the triangle; or its farthest point.
    fn faces(&self, first: &Item<'_>, search: &Search, buffers: &mut Buffers) {
        if self.n.dot(&(first.x - self.corners[0])) < 0.0 {
            return;
        }
        let Buffers { spots, polygons: [a, spare, _], .. } = buffers;
        // A body whose side stands a hair inside of the triangle's rim is beside it, not on it.
        let t = self.mesh.triangle(self.t);
        let inset = (1e-4 * first.reach).min(1e-2 * t.inner_radius);
        let lowest = super::convex::lowest(first, &self.n);
        let around = super::convex::rounding(first.core) * first.size;
        match face(first, &-self.n, a) {
            // The lowest points of the rounded corners.
            Some(f) if f.cross(&self.n).norm() < 0.7 => {
                a.iter_mut().for_each(|c| *c -= around * (self.n + f));
            }
            _ => a.clear(),
        }
        let height = |p: &Vec3| self.n.dot(&(p - self.corners[0]));
        // A straight side is as curved as the body across it.
        let curvature = |p: &Vec3| super::convex::curvature(first, &-self.n, &(p + around * self.n));
        let bend = if let [p, q] = a[..] { curvature(&(0.5 * (p + q)))[0] } else { 0.0 };
        // The polygon of a round end has less than its area.
        let round = match first.core {
            Core::Smooth(body) => body.round_face(&first.q.inverse_transform_vector(&-self.n)).filter(|_| a.len() > 2),
            _ => None,
        };
        let round = round.map_or(1.0, |(_, r)| std::f64::consts::PI * (r * first.size).powi(2) / (0.5 * vector_area(a).norm()));
        // Over a flat side neither triangle may lose a point to rounding.
        let hair = 1e-12 * first.reach;
        cut(a, &self.corners, &self.n, |k| if t.ridge[k] { inset } else { -hair }, spare);
        let gap = height(&lowest);
        let lies = |p: &Vec3| on_patch(height(p), gap, (p - lowest).norm());
        let from = spots.len();
        for (k, p) in (0..).zip(a.iter()).filter(|(_, p)| height(p) <= search.alert) {
            let is_on = lies(p);
            let curvature = curvature(p);
            let share = f64::from(u8::from(is_on));
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
            _ => 0.5 * round * vector_area(a).norm(),
        };
        share_out(&mut spots[from..], size);
        if bend > 0.0 && size > 0.0 {
            spots[from..].iter_mut().filter(|s| s.share > 0.0).for_each(|s| s.curvature = [bend, 0.0]);
        }
        // The polygon that stands for a round or tilted face need not have its lowest point.
        if gap > search.alert || least <= gap + 1e-9 * first.reach {
            return;
        }
        a.clear();
        a.push(lowest);
        // Which corner of a face is lowest rounding decides; beside a rim none of them is on the triangle.
        cut(a, &self.corners, &self.n, |k| if t.ridge[k] { inset } else { -hair }, spare);
        if !a.is_empty() {
            let curvature = curvature(&lowest);
            spots.push(Spot { feature: 7, on_first: lowest, n: self.n, gap, part: 0.0, curvature, share: 0.0, roundness: 1.0 });
        }
    }

    /// A convex body on the sides and corners where the surface bends away.
    fn ridges(&self, first: &Item<'_>, second: &Item<'_>, search: &Search, buffers: &mut Buffers) {
        let t = self.mesh.triangle(self.t);
        for k in (0..3).filter(|&k| t.ridge[k] && t.owner[k]) {
            let (a, b) = (self.corners[k], self.corners[(k + 1) % 3]);
            let Some(core) = self.mesh.ridge_core(self.t, k) else { continue };
            let item = Item { core, ..*second };
            let around = super::convex::rounding(first.core) * first.size;
            let Some((found, gap)) = direction(first, &item, search.alert + around) else { continue };
            let gap = gap - around;
            if gap > search.alert {
                continue;
            }
            let local = second.q.inverse_transform_vector(&found.n);
            let along = (found.on_second - a).dot(&(b - a)) / (b - a).norm_squared();
            let feature = if along <= 1e-9 {
                4 + k as u64
            } else if along >= 1.0 - 1e-9 {
                4 + (k as u64 + 1) % 3
            } else {
                1 + k as u64
            };
            let own = match feature {
                1..=3 => self.mesh.bends(self.t, k, &local, BEND),
                _ => {
                    let v = t.vertices[feature as usize - 4];
                    let x = self.mesh.vertices()[v as usize];
                    self.mesh.speaks(self.t, k, v)
                        && self.mesh.neighbours(v).iter().all(|w| {
                            let d = self.mesh.vertices()[*w as usize] - x;
                            local.dot(&d) <= -BEND * d.norm()
                        })
                }
            };
            if own && first.n_looks_from(&found.n, &a) {
                // A flat end or a side along the ridge lies on it with the two ends of what they have in common, too.
                let from = buffers.spots.len();
                if matches!(feature, 1..=3) {
                    faces(first, &item, &found, search, buffers);
                    buffers.spots[from..].iter_mut().for_each(|s| s.feature = mix(mix(8, k as u64), s.feature));
                }
                let on_first = found.on_second + gap * found.n;
                let name = mix(feature, k as u64);
                let spot =
                    Spot { feature: name, on_first, n: found.n, gap, part: 1.0, curvature: [0.0; 2], share: 0.0, roundness: 1.0 };
                buffers.spots.push(spot);
            }
        }
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
