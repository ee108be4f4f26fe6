//! Contact points where an edge of a skin crosses an edge, or a straight side, of what it meets in space, and no corner of either is near: a bar laid
//! across another. What corners and points of skins touch is in [`super::rigid`] and [`super::pair`].

use mpcd_core::{BodyId, ContactKey, Quat, Vec3};

use super::meet::{CORNER, OF_OTHER, Obstacles, SkinTouch};
use super::passing::Moving;
use super::rigid::{is_in_cavity, outsides};
use super::sharp::is_sharp;
use super::{BodySkin, Corners, Skin, SurfacePoint, within_cone};
use crate::{
    narrow::{Buffers, Item, Search, meet, mix, side_core},
    shape::Core,
};

/// Sine of the angle by which the faces at an edge must bend away from each other: less is a curved surface, which its points see.
const BEND: f64 = 0.1;
/// Part of an edge at its ends that is its corners' to speak for.
const END: f64 = 1e-3;
/// Sine of the angle between two edges up to which they are parallel: their ends see what they touch.
const PARALLEL: f64 = 1e-3;

/// An edge at which two facets bend away from each other: the facet that speaks for it and which of its sides it is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ridge {
    pub(super) facet: usize,
    side: usize,
    pub(super) normals: [Vec3; 2],
    pub(super) ends: [Vec3; 2],
}

/// Where two edges cross: how far along each (0 to 1), the unit normal out of the first, and the gap (m).
struct Crossing {
    at: [f64; 2],
    normal: Vec3,
    gap: f64,
}

impl Ridge {
    /// Its length (m).
    pub(super) fn length(&self) -> f64 {
        (self.ends[1] - self.ends[0]).norm()
    }

    fn place(&self, t: f64) -> Vec3 {
        self.ends[0] + (self.ends[1] - self.ends[0]) * t
    }

    /// Where this edge crosses another, each from outside.
    fn crossing(&self, other: &Self) -> Option<Crossing> {
        let [d, e] = [self, other].map(|r| r.ends[1] - r.ends[0]);
        let apart = self.ends[0] - other.ends[0];
        let across = d.cross(&e);
        let (dd, de, ee) = (d.dot(&d), d.dot(&e), e.dot(&e));
        let square = across.norm_squared();
        if square <= PARALLEL * PARALLEL * dd * ee {
            return None;
        }
        let (dr, er) = (d.dot(&apart), e.dot(&apart));
        let at = [(de * er - ee * dr) / square, (dd * er - de * dr) / square];
        if !at.iter().all(|t| is_inside(*t)) {
            return None;
        }
        let out: Vec3 = self.normals.iter().sum();
        let unit = across / square.sqrt();
        let normal = if unit.dot(&out) < 0.0 { -unit } else { unit };
        let gap = normal.dot(&(other.place(at[1]) - self.place(at[0])));
        (within_cone(&self.normals, &normal) && within_cone(&other.normals, &-normal)).then_some(Crossing { at, normal, gap })
    }
}

fn is_inside(t: f64) -> bool {
    t > END && t < 1.0 - END
}

/// For each side of each facet, of so many corners, the facet behind it; `u32::MAX` where there is none. In the plane the sides of a line are its two ends.
#[allow(clippy::cast_possible_truncation, reason = "a skin has fewer than 2³² facets")]
pub(super) fn neighbours(facets: &[Corners], corners: usize) -> Vec<[u32; 3]> {
    let mut sides: Vec<([u32; 2], u32, usize)> = Vec::with_capacity(corners * facets.len());
    for (f, facet) in (0..).zip(facets) {
        for k in 0..corners {
            let (a, b) = (facet[k], if corners == 2 { facet[k] } else { facet[(k + 1) % corners] });
            sides.push(([a.min(b), a.max(b)], f, k));
        }
    }
    sides.sort_unstable();
    let mut out = vec![[u32::MAX; 3]; facets.len()];
    for pair in sides.windows(2) {
        let [(side, f, k), (other, g, l)] = [pair[0], pair[1]];
        if side == other {
            (out[f as usize][k], out[g as usize][l]) = (g, f);
        }
    }
    out
}

impl Skin {
    /// Calls `visit` with every edge whose faces bend away from each other within `range` (m) of a box, once.
    pub(super) fn ridges_near(&self, bounds: [Vec3; 2], range: f64, mut visit: impl FnMut(Ridge)) {
        let mut facets = Vec::new();
        self.facets_near(bounds, range, |f| facets.push(f));
        facets.sort_unstable();
        for facet in facets {
            for side in 0..3 {
                let other = self.behind_side[facet][side] as usize;
                // the side of two facets belongs to the first, which is as near as the second
                if other == u32::MAX as usize || other < facet {
                    continue;
                }
                let corners = self.facets[facet];
                let [a, b] = [corners[side], corners[(side + 1) % 3]];
                let Some(apex) = self.facets[other].iter().find(|p| **p != a && **p != b) else { continue };
                let ends = [a, b].map(|p| self.places[p as usize]);
                let way = self.places[*apex as usize] - ends[0];
                let aside = way - (ends[1] - ends[0]) * (way.dot(&(ends[1] - ends[0])) / (ends[1] - ends[0]).norm_squared());
                let normals = [self.normals[facet], self.normals[other]];
                if normals[0].dot(&aside) < -BEND * aside.norm() {
                    visit(Ridge { facet, side, normals, ends });
                }
            }
        }
    }

    /// The point of the skin at a place of an edge, and where it is.
    fn on_ridge(&self, ridge: &Ridge, t: f64) -> (SurfacePoint, Vec3) {
        self.foot_of(ridge.facet, &ridge.place(t))
    }

    /// Of the two facets at an edge the one that looks most along a direction.
    fn looking_along(&self, ridge: &Ridge, n: &Vec3) -> usize {
        let other = self.behind_side[ridge.facet][ridge.side] as usize;
        if self.normals[other].dot(n) > self.normals[ridge.facet].dot(n) { other } else { ridge.facet }
    }
}

impl Obstacles<'_> {
    /// Edges of a skin across the edges and straight sides of a rigid body.
    pub(super) fn edges_on_rigid(
        &self,
        own: &BodySkin<'_>,
        (moving, body): (&Moving<'_>, BodyId),
        buffers: &mut Buffers,
        out: &mut Vec<SkinTouch>,
    ) {
        let rigid = moving.item;
        if own.skin.depth.is_planar() {
            return;
        }
        let centre = self.kinematics.position[body.index()];
        for (part, item) in (0_u64..).zip(outsides(rigid)) {
            if !matches!(item.core, Core::Polytope { .. } | Core::Smooth(_)) {
                continue;
            }
            own.skin.ridges_near([item.x, item.x], item.reach + self.alert, |ridge| {
                let (way, x) = (ridge.ends[1] - ridge.ends[0], ridge.place(0.5));
                let Some(core) = side_core(-0.5 * way, 0.5 * way) else { return };
                let edge = Item { core: &core, x, q: Quat::identity(), size: 1.0, reach: 0.5 * way.norm() };
                buffers.spots.clear();
                meet(&item, &edge, &Search { dimension: self.dimension, alert: self.alert }, buffers);
                let spots = std::mem::take(&mut buffers.spots);
                for spot in &spots {
                    let t = (spot.on_first - spot.gap * spot.n - ridge.ends[0]).dot(&way) / way.norm_squared();
                    if !is_inside(t) || spot.gap < -own.depth() || !within_cone(&ridge.normals, &spot.n) {
                        continue;
                    }
                    let (on, place) = own.skin.on_ridge(&ridge, t);
                    if is_in_cavity(rigid, &place)
                        || is_sharp(&item) && self.edges_pass(own, (&ridge, &place), (moving, body), spot, buffers)
                    {
                        continue;
                    }
                    let size = way.norm();
                    let hidden = [((own.body, body), spot.on_first, -spot.n), ((body, own.body), place, spot.n)];
                    if hidden.iter().any(|(bodies, at, n)| self.is_hidden(*bodies, (at, n), size, buffers)) {
                        continue;
                    }
                    let gap = spot.n.dot(&(spot.on_first - place));
                    let feature = OF_OTHER | mix(mix(part, (ridge.facet * 3 + ridge.side) as u64), mix(1, spot.feature)) >> 2;
                    let key = ContactKey { candidate: own.body, antagonist: body, feature };
                    let facet = own.skin.looking_along(&ridge, &spot.n);
                    let area = if is_sharp(&item) { 0.0 } else { CORNER * own.skin.depth.area(&own.skin.facet_places(facet)) };
                    let mut touch = self.touch(key, -spot.n, gap, area, ((place, own.centre), (spot.on_first, centre)));
                    touch.growth_antagonist = -spot.n.dot(&(spot.on_first - centre)) / item.size;
                    out.push(SkinTouch { touch, candidate: Some(on), antagonist: None, apart: None, place: 0 });
                }
                buffers.spots = spots;
            });
        }
    }

    /// Calls `visit` with the edges of two skins that cross within the alert distance.
    pub(super) fn crossings(&self, [a, b]: [&BodySkin<'_>; 2], buffers: &mut Buffers, mut visit: impl FnMut(CrossedEdges)) {
        if a.skin.depth.is_planar() {
            return;
        }
        let deep = -a.depth().min(b.depth());
        a.skin.ridges_near(b.skin.bounds(), self.alert, |first| {
            let [x, y] = first.ends;
            b.skin.ridges_near([x.inf(&y), x.sup(&y)], self.alert, |second| {
                let Some(found) = first.crossing(&second).filter(|c| c.gap <= self.alert && c.gap >= deep) else { return };
                let sides = [a.skin.on_ridge(&first, found.at[0]), b.skin.on_ridge(&second, found.at[1])];
                let size = (first.ends[1] - first.ends[0]).norm().min((second.ends[1] - second.ends[0]).norm());
                let n = found.normal;
                let hidden = [((b.body, a.body), sides[0].1, n), ((a.body, b.body), sides[1].1, -n)];
                if hidden.iter().any(|(bodies, at, n)| self.is_hidden(*bodies, (at, n), size, buffers)) {
                    return;
                }
                visit(CrossedEdges {
                    name: mix((first.facet * 3 + first.side) as u64, mix(2, (second.facet * 3 + second.side) as u64)) >> 2,
                    facet: a.skin.looking_along(&first, &found.normal),
                    gap: found.normal.dot(&(sides[1].1 - sides[0].1)),
                    normal: found.normal,
                    sides,
                });
            });
        });
    }
}

/// Two edges that cross: a name, a facet of the first there, the gap (m), the unit normal out of the first, and points of both with their places.
pub(super) struct CrossedEdges {
    pub(super) name: u64,
    pub(super) facet: usize,
    pub(super) gap: f64,
    pub(super) normal: Vec3,
    pub(super) sides: [(SurfacePoint, Vec3); 2],
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    /// An edge along a direction of which the part `t` is at `at`, between faces that fall off to both sides of `out`.
    fn ridge(at: Vec3, along: Vec3, t: f64, out: Vec3) -> Ridge {
        let aside = along.cross(&out).normalize();
        let normals = [out + aside, out - aside].map(|n| n.normalize());
        Ridge { facet: 0, side: 0, normals, ends: [at - along * t, at + along * (1.0 - t)] }
    }

    /// Edges that cross at any angle, apart and overlapping: where they do on each, the normal out of the first, the gap.
    #[test]
    fn edges_cross_where_they_are_nearest() {
        let up = Vec3::z();
        for angle in [0.1_f64, 0.5, 1.0, 1.6, 2.5] {
            for gap in [-0.01, 0.0, 0.3] {
                let at = Vec3::new(0.2, -0.4, 0.7);
                let first = ridge(at, Vec3::x() * 1.7, 0.3, up);
                let across = Vec3::new(angle.cos(), angle.sin(), 0.0) * 0.8;
                let second = ridge(at + up * gap, across, 0.6, -up);
                let found = first.crossing(&second).unwrap();
                assert!((found.at[0] - 0.3).abs() < 1e-12 && (found.at[1] - 0.6).abs() < 1e-12, "{angle} {gap}: {:?}", found.at);
                assert!((found.normal - up).norm() < 1e-12 && (found.gap - gap).abs() < 1e-12, "{angle} {gap}: {}", found.gap);
                let back = second.crossing(&first).unwrap();
                assert!((back.normal + up).norm() < 1e-12 && (back.gap - gap).abs() < 1e-12);
            }
        }
        // beside each other, along each other, and with the body of one between them
        let first = ridge(Vec3::zeros(), Vec3::x(), 0.5, up);
        assert!(first.crossing(&ridge(up * 0.1, Vec3::y(), 1.2, -up)).is_none());
        assert!(first.crossing(&ridge(up * 0.1, Vec3::new(1.0, 5e-4, 0.0), 0.5, -up)).is_none());
        assert!(first.crossing(&ridge(up * 0.1, Vec3::y(), 0.5, up)).is_none());
    }
}
