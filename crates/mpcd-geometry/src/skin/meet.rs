//! Contact points of skins: with rigid bodies and with each other. Every point of a skin looks for the surface that it is nearest to, and so do
//! the corners and round parts of what it meets, so that neither a coarse nor a fine side passes through the other.
//!
//! Not seen: an edge of a rigid body across an edge of a skin in space, with no corner of either near. Meshes finer than what they meet see both.

use mpcd_core::{BodyId, ContactGeometry, ContactKey, Dimension, Frame, Kinematics, Quat, Vec3};

use super::nearest::SNAP;
use super::{BodySkin, DEEPER, Nearest, SurfacePoint, within_cone};
use crate::{
    narrow::{Buffers, Item, Search, Spot, meet, mix},
    shape::{Core, Shape, SupportMap},
    touch::Touch,
};

/// Marks features that are the antagonist's, not points of the candidate's skin.
const OF_OTHER: u64 = 1 << 62;
/// Part of the area about a point that a corner of a rigid body stands for.
const CORNER: f64 = 0.25;
/// Part of its way to the centre of mass that a sharp corner of a rigid body is drawn in, see [`super::DRAWN_IN`].
const CORNER_DRAWN_IN: f64 = 1e-4;

/// A contact point, and where its two surfaces are parts of skins the nodes that carry it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SkinTouch {
    /// The contact.
    pub touch: Touch,
    /// The candidate's point: `None` on a rigid body.
    pub candidate: Option<SurfacePoint>,
    /// The antagonist's.
    pub antagonist: Option<SurfacePoint>,
}

/// The rigid bodies that skins may meet.
pub(crate) struct Obstacles<'a> {
    pub(crate) shapes: &'a [Shape],
    pub(crate) cores: &'a [Core],
    pub(crate) kinematics: &'a Kinematics,
    pub(crate) dimension: Dimension,
    /// Which bodies may touch.
    pub(crate) wanted: &'a dyn Fn(BodyId, BodyId) -> bool,
    /// Gap (m) up to which contacts are wanted.
    pub(crate) alert: f64,
}

impl Obstacles<'_> {
    /// Replaces the content of `out` by the contacts of the skins, sorted by key.
    pub(crate) fn meet(&self, skins: &[BodySkin<'_>], buffers: &mut Buffers, out: &mut Vec<SkinTouch>) {
        out.clear();
        for (k, own) in skins.iter().enumerate() {
            for i in 0..self.shapes.len() {
                let body = BodyId::from_index(i);
                if body != own.body && !matches!(self.cores[i], Core::Deformable { .. }) && (self.wanted)(own.body, body) {
                    self.with_rigid(own, body, buffers, out);
                }
            }
            for other in skins[k + 1..].iter().filter(|other| (self.wanted)(own.body, other.body)) {
                self.with_skin(own, other, out);
            }
        }
        out.sort_unstable_by_key(|t| t.touch.key);
    }

    fn with_rigid(&self, own: &BodySkin<'_>, body: BodyId, buffers: &mut Buffers, out: &mut Vec<SkinTouch>) {
        let i = body.index();
        let k = self.kinematics;
        let reach = self.shapes[i].bounding_radius(self.dimension).map_or(f64::INFINITY, |r| r * k.size[i]);
        let (x, range) = (k.position[i], reach + self.alert);
        if own.box_apart(&[x, x]) > range {
            return;
        }
        let rigid = Item { core: &self.cores[i], x, q: k.orientation[i], size: k.size[i], reach };
        let point = Core::Round { radius: 0.0 };
        own.skin.points_near([x, x], range, |p| {
            let place = own.skin.place_of(p);
            let drawn = own.skin.inner[p] - place;
            // From elsewhere inside: straight behind one facet.
            let behind = own.skin.behind(p) * (2.0 * drawn.norm());
            let look = |way: Vec3, buffers: &mut Buffers| {
                let inner = place + way;
                let search = Search { dimension: self.dimension, alert: self.alert + way.norm() };
                let item = Item { core: &point, x: inner, q: Quat::identity(), size: 1.0, reach: 0.0 };
                buffers.spots.clear();
                meet(&item, &rigid, &search, buffers);
            };
            for factor in DEEPER {
                look(drawn * factor, buffers);
                let outside = buffers.spots.iter().all(|s| s.gap >= 0.0);
                buffers.spots.retain(|s| own.skin.faces(p, &s.n));
                if outside && buffers.spots.iter().any(|s| s.curvature == [0.0; 2]) {
                    // A sharp edge is seen under another angle from elsewhere, a face is not: beside its rim it is not touched.
                    let seen: Vec<Spot> = buffers.spots.clone();
                    look(behind * factor, buffers);
                    let again = std::mem::replace(&mut buffers.spots, seen);
                    let same = |s: &Spot| s.curvature != [0.0; 2] || again.iter().any(|a| a.n.dot(&s.n) > 1.0 - 1e-9);
                    buffers.spots.retain(same);
                }
                buffers.spots.iter_mut().for_each(|s| s.gap -= factor * s.n.dot(&drawn));
                buffers.spots.retain(|s| s.gap <= self.alert);
                if outside || !buffers.spots.is_empty() {
                    break;
                }
            }
            buffers.spots.sort_by(|a, b| a.gap.total_cmp(&b.gap).then(a.feature.cmp(&b.feature)));
            for (n, spot) in (0_u64..).zip(&buffers.spots) {
                let growth = if matches!(self.shapes[i], Shape::Plane { .. }) {
                    0.0
                } else {
                    spot.n.dot(&(place - spot.gap * spot.n - x)) / k.size[i]
                };
                let key = ContactKey { candidate: own.body, antagonist: body, feature: (p as u64) << 8 | n.min(255) };
                let on = (place, own.centre, Some(own.skin.points()[p]));
                let touch = self.touch(key, spot.n, spot.gap, own.area(p, &spot.n), (&on, &(place, x, None)));
                out.push(SkinTouch { touch: Touch { growth_antagonist: growth, ..touch }, ..SkinTouch::of(touch, &on.2, &None) });
            }
        });
        for (part, item) in (0_u64..).zip(rigid.parts()) {
            if let Core::Smooth(shape) = item.core {
                self.with_smooth(own, body, (part, &item), &**shape, out);
            }
        }
        self.corners_of(&rigid, &mut |feature, corner, radius, (inward, faces)| {
            let at = if radius > 0.0 {
                own.skin.nearest(&corner, radius + self.alert, radius.max(own.depth()))
            } else {
                let inner = corner + inward * ((x - corner).norm() * CORNER_DRAWN_IN);
                own.skin.nearest_of_sharp((&corner, &inner), self.alert, own.depth(), |n| faces(n))
            };
            let Some(at) = at else { return };
            let gap = at.gap - radius;
            let growth = -at.normal.dot(&(corner - at.normal * radius - x)) / k.size[i];
            let pair = |t: &&SkinTouch| (t.touch.key.candidate, t.touch.key.antagonist) == (own.body, body);
            let by_node = |q: usize| out.iter().rev().take_while(pair).any(|t| t.touch.key.feature >> 8 == q as u64);
            if gap > self.alert || at.corner.is_some_and(by_node) {
                return;
            }
            let key = ContactKey { candidate: own.body, antagonist: body, feature: OF_OTHER | feature };
            let on = (at.place, own.centre, Some(at.on));
            let area = CORNER * own.area_at(&at, &-at.normal);
            let touch = self.touch(key, -at.normal, gap, area, (&on, &(at.place, x, None)));
            let alone = radius > 0.0 && !out.iter().rev().any(|t| pair(&t));
            let geometry = if alone { self.round(radius, own.thickness) } else { touch.geometry };
            let touch = Touch { growth_antagonist: growth, geometry, least_radius: radius_or_flat(alone, radius), ..touch };
            out.push(SkinTouch::of(touch, &on.2, &None));
        });
    }

    /// Contacts of a curved convex body with facets: each of its points that can touch something flat that looks as the facet does, where that is over
    /// the facet.
    fn with_smooth(
        &self,
        own: &BodySkin<'_>,
        body: BodyId,
        (part, item): (u64, &Item<'_>),
        shape: &dyn SupportMap,
        out: &mut Vec<SkinTouch>,
    ) {
        let centre = self.kinematics.position[body.index()];
        let mut facets = Vec::new();
        own.skin.facets_near([item.x, item.x], item.reach + self.alert, |f| facets.push(f));
        facets.sort_unstable();
        for f in facets {
            let n = own.skin.normals[f];
            shape.outposts(&item.q.inverse_transform_vector(&-n), &mut |id, p| {
                let p = item.world(&p);
                let Some(on) = own.skin.over(f, &p) else { return };
                let gap = n.dot(&(p - on.1));
                if gap > self.alert || gap < -own.depth() {
                    return;
                }
                let feature = OF_OTHER | mix(mix(part, f as u64), id.into()) >> 2;
                let key = ContactKey { candidate: own.body, antagonist: body, feature };
                let side = (on.1, own.centre, Some(on.0));
                let area = CORNER * own.skin.facet_area(f) * if own.skin.planar { own.thickness } else { 1.0 };
                let touch = self.touch(key, -n, gap, area, (&side, &(on.1, centre, None)));
                let growth = -n.dot(&(p - centre)) / item.size;
                out.push(SkinTouch::of(Touch { growth_antagonist: growth, ..touch }, &side.2, &None));
            });
        }
    }

    fn with_skin(&self, own: &BodySkin<'_>, other: &BodySkin<'_>, out: &mut Vec<SkinTouch>) {
        if own.box_apart(&other.skin.bounds()) > self.alert {
            return;
        }
        let (candidate, antagonist) = (own.body, other.body);
        // Half of the area each, as both sides look; two points that are each other's nearest are one contact.
        let pairs = |from: &BodySkin<'_>, point: usize, to: &BodySkin<'_>, at: &Nearest| {
            let look = |q: usize| {
                let at = (&to.skin.places[q], &to.skin.inner[q]);
                from.skin.nearest_of_sharp(at, self.alert, from.depth(), |n| to.skin.faces(q, n))
            };
            let back = at.corner.and_then(|q| Some((q, look(q)?)));
            back.filter(|(_, back)| back.corner == Some(point)).map(|(q, _)| q)
        };
        own.skin.points_near(other.skin.bounds(), self.alert, |p| {
            let place = own.skin.place_of(p);
            let from = (&place, &own.skin.inner[p]);
            let at = other.skin.nearest_of_sharp(from, self.alert, other.depth(), |n| own.skin.faces(p, n));
            let Some(mut at) = at else { return };
            let twin = pairs(own, p, other, &at);
            let area = 0.5 * (own.area(p, &at.normal) + twin.map_or(0.0, |q| other.area(q, &-at.normal)));
            if let Some(q) = twin {
                (at.on, at.place) = (other.skin.points()[q], other.skin.places[q]);
            }
            let key = ContactKey { candidate, antagonist, feature: p as u64 };
            let sides = ((place, own.centre, Some(own.skin.points()[p])), (at.place, other.centre, Some(at.on)));
            out.push(SkinTouch::of(self.touch(key, at.normal, at.gap, area, (&sides.0, &sides.1)), &sides.0.2, &sides.1.2));
        });
        other.skin.points_near(own.skin.bounds(), self.alert, |p| {
            let place = other.skin.place_of(p);
            let from = (&place, &other.skin.inner[p]);
            let at = own.skin.nearest_of_sharp(from, self.alert, own.depth(), |n| other.skin.faces(p, n));
            let Some(at) = at else { return };
            if pairs(other, p, own, &at).is_some() {
                return;
            }
            let area = 0.5 * other.area(p, &at.normal);
            let key = ContactKey { candidate, antagonist, feature: OF_OTHER | p as u64 };
            let sides = ((at.place, own.centre, Some(at.on)), (place, other.centre, Some(other.skin.points()[p])));
            out.push(SkinTouch::of(self.touch(key, -at.normal, at.gap, area, (&sides.0, &sides.1)), &sides.0.2, &sides.1.2));
        });
    }

    /// A contact between two points, each (place, centre of its body, nodes).
    fn touch(&self, key: ContactKey, n: Vec3, gap: f64, area: f64, (c, a): (&Side, &Side)) -> Touch {
        Touch {
            key,
            point: 0.5 * (c.0 + a.0),
            frame: if self.dimension == Dimension::Planar { Frame::planar(n) } else { Frame::spatial(n) },
            gap,
            geometry: ContactGeometry::Flat { area },
            least_radius: f64::INFINITY,
            arm_candidate: c.0 - c.1,
            arm_antagonist: a.0 - a.1,
            growth_candidate: 0.0,
            growth_antagonist: 0.0,
        }
    }

    /// A ball or disc of this radius on a flat surface.
    fn round(&self, radius: f64, thickness: f64) -> ContactGeometry {
        match self.dimension {
            Dimension::Planar => ContactGeometry::Line { reduced_radius: radius, length: thickness },
            Dimension::Spatial => ContactGeometry::Point { reduced_radius: radius },
        }
    }

    /// Calls `visit` with a name, the place and the rounding of every corner and round part of a rigid body, and what says which normals its
    /// faces there are turned against.
    fn corners_of(&self, item: &Item<'_>, visit: &mut dyn FnMut(u64, Vec3, f64, Corner<'_>)) {
        for (part, item) in (0_u64..).zip(item.parts()) {
            match item.core {
                Core::Round { radius } => visit(part << 32, item.x, radius * item.size, (Vec3::zeros(), &|_| true)),
                Core::Mesh(mesh) => {
                    for (k, v) in (0_u64..).zip(mesh.vertices()) {
                        visit(part << 32 | k, item.world(v), 0.0, (Vec3::zeros(), &|_| true));
                    }
                }
                Core::Polytope { hull, rounding } => {
                    for (k, v) in hull.vertices().iter().enumerate() {
                        let around: Vec<Vec3> =
                            hull.vertex_faces(k).iter().map(|f| item.q * hull.faces()[usize::from(*f)].normal).collect();
                        let out: Vec3 = around.iter().sum();
                        let inward = out.try_normalize(1e-6).map_or_else(Vec3::zeros, |n| -n);
                        let faces = |n: &Vec3| around.is_empty() || within_cone(&around, &-n);
                        visit(part << 32 | k as u64, item.world(v), rounding * item.size, (inward, &faces));
                    }
                }
                _ => {}
            }
        }
    }
}

/// Into the body from a corner of it, and what says which normals its faces there are turned against.
type Corner<'a> = (Vec3, &'a dyn Fn(&Vec3) -> bool);

/// Place, centre of the body, nodes.
type Side = (Vec3, Vec3, Option<SurfacePoint>);

const fn radius_or_flat(round: bool, radius: f64) -> f64 {
    if round { radius } else { f64::INFINITY }
}

impl SkinTouch {
    const fn of(touch: Touch, candidate: &Option<SurfacePoint>, antagonist: &Option<SurfacePoint>) -> Self {
        Self { touch, candidate: *candidate, antagonist: *antagonist }
    }
}

impl BodySkin<'_> {
    /// Distance (m) of a box from that of the skin.
    fn box_apart(&self, [low, high]: &[Vec3; 2]) -> f64 {
        let [a, b] = self.skin.bounds();
        (a - high).sup(&(low - b)).sup(&Vec3::zeros()).norm()
    }

    /// How deep in the body (m) something may be that is still pushed out on the nearest side.
    fn depth(&self) -> f64 {
        let [low, high] = self.skin.bounds();
        0.25 * if self.skin.planar { (high - low).xy().min() } else { (high - low).min() }
    }

    /// The area (m²) of a point that looks against `n`.
    fn area(&self, point: usize, n: &Vec3) -> f64 {
        self.skin.area_towards(point, n) * if self.skin.planar { self.thickness } else { 1.0 }
    }

    /// The same of a point between the corners of a facet.
    fn area_at(&self, at: &Nearest, n: &Vec3) -> f64 {
        self.skin.mean_area(at, |p| self.area(p, n))
    }
}

impl super::Skin {
    /// Calls `visit` with every point within `range` (m) of a box, in the order of the tree.
    fn points_near(&self, [low, high]: [Vec3; 2], range: f64, mut visit: impl FnMut(usize)) {
        let corners = if self.planar { 2 } else { 3 };
        self.tree.near([low, high], range, |f| {
            for &p in self.facets[f][..corners].iter().filter(|p| self.home[**p as usize] as usize == f) {
                let x = self.places[p as usize];
                if (low - x).sup(&(x - high)).sup(&Vec3::zeros()).norm() <= range {
                    visit(p as usize);
                }
            }
            range
        });
    }

    /// Calls `visit` with every facet whose box is within `range` (m) of a box.
    fn facets_near(&self, bounds: [Vec3; 2], range: f64, mut visit: impl FnMut(usize)) {
        self.tree.near(bounds, range, |f| {
            visit(f);
            range
        });
    }

    /// The point of a facet straight below another point, and where it is; `None` where that is beside the facet.
    fn over(&self, facet: usize, p: &Vec3) -> Option<(SurfacePoint, Vec3)> {
        let at = self.foot_of(facet, p);
        let apart = p - at.1;
        let aside = apart - self.normals[facet] * self.normals[facet].dot(&apart);
        (aside.norm() <= SNAP * self.size_of(facet)).then_some(at)
    }

    fn facet_area(&self, facet: usize) -> f64 {
        super::vector_area(self.planar, self.facet_places(facet)).norm()
    }

    /// Mean of a quantity of the points of the facet that has `at`.
    fn mean_area(&self, at: &Nearest, of: impl Fn(usize) -> f64) -> f64 {
        let corners = if self.planar { 2 } else { 3 };
        let facet = self.facets[at.facet];
        facet[..corners].iter().map(|p| of(*p as usize)).sum::<f64>() / corners as f64
    }
}
