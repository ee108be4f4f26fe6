//! Contact points of a skin with a rigid body: the skin's points on its surface, its corners, round parts and curved sides on the skin's facets.

use mpcd_core::{BodyId, ContactGeometry, ContactKey, Dimension, Quat, Vec3, patch::on_patch};

use super::flush::Together;
use super::meet::{CORNER, OF_OTHER, Obstacles, SkinTouch};
use super::nearest::{Among, SNAP};
use super::passing::{Looking, Moving, Passing, Tip, approaches};
use super::patch::flat;
use super::sharp::clear_sharp;
use super::{BodySkin, DEEPER, within_cone};
use crate::{
    narrow::{Buffers, Item, Search, Spot, meet, mix},
    shape::{Core, Shape, SupportMap},
    touch::Touch,
};

/// Part of its way to the centre of mass that a sharp corner of a rigid body is drawn in, see [`super::DRAWN_IN`].
const CORNER_DRAWN_IN: f64 = 1e-4;

/// Cosine of the angle between the normals of a node and of the facet beside it up to which something round touches the facet.
pub(super) const BESIDE: f64 = 0.99;

/// Sine of the angle of [`super::OPPOSED`], by which a normal may be off those of a corner.
pub(super) const BESIDE_CONE: f64 = 0.6;

/// Sine of the angle by which a normal may lean over a side of a rounded body and be that of its corner.
const SIDE_BEGINS: f64 = 1e-6;

/// Part of a facet's size that something curved beside its rim is drawn in: more than what counts as over a facet.
const INSIDE: f64 = 4.0 * SNAP;

/// Part of a hollow body's size beyond its wall where its cavity is no more.
const BEYOND: f64 = 1e-9;

impl Obstacles<'_> {
    pub(super) fn with_rigid(&self, own: &BodySkin<'_>, body: BodyId, buffers: &mut Buffers, out: &mut Vec<SkinTouch>) {
        let i = body.index();
        let k = self.kinematics;
        let reach = self.shapes[i].bounding_radius(self.dimension).map_or(f64::INFINITY, |r| r * k.size[i]);
        let (x, range) = (k.position[i], reach + self.alert);
        if own.box_apart(&[x, x]) > range {
            return;
        }
        let rigid = Item { core: &self.cores[i], x, q: k.orientation[i], size: k.size[i], reach };
        let point = Core::Round { radius: 0.0, tapers: false };
        let first = out.len();
        let (before, h) = self.moving;
        let moving = Moving { item: &rigid, way: before.velocity[i] * h, turn: before.angular_velocity[i] * h };
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
            let mut from = drawn;
            for factor in DEEPER {
                from = drawn * factor;
                look(from, buffers);
                let outside = buffers.spots.iter().all(|s| s.gap >= 0.0);
                buffers.spots.retain(|s| own.skin.faces(p, &s.n));
                if outside && buffers.spots.iter().any(|s| s.curvature == [0.0; 2]) {
                    // A sharp edge is seen under another angle from elsewhere, a face is not: beside its rim it is not touched.
                    let seen: Vec<Spot> = buffers.spots.clone();
                    look(behind * factor, buffers);
                    let again = std::mem::replace(&mut buffers.spots, seen);
                    let same = |s: &Spot| again.iter().any(|a| a.n.dot(&s.n) > 1.0 - 1e-9);
                    buffers
                        .spots
                        .retain(|s| s.curvature != [0.0; 2] || is_wall_around(&rigid, &(place + drawn * factor), s) || same(s));
                }
                buffers.spots.iter_mut().for_each(|s| s.gap -= factor * s.n.dot(&drawn));
                buffers.spots.retain(|s| s.gap <= self.alert);
                if outside || !buffers.spots.is_empty() {
                    break;
                }
            }
            buffers.spots.sort_by(|a, b| a.gap.total_cmp(&b.gap).then(a.feature.cmp(&b.feature)));
            if buffers.spots.is_empty() {
                return;
            }
            let mut spots = std::mem::take(&mut buffers.spots);
            spots.iter_mut().for_each(|s| self.undraw(s, &from));
            let seen = self.point(body, (own, p), buffers);
            let at = Looking { place, drawn: from };
            spots.retain(|s| {
                let gone = seen.is_hidden(&-s.n) || self.face_is_hidden(&seen, (body, &moving), s, buffers);
                !gone && !self.goes_past(&seen, at, (&moving, s), buffers)
            });
            for (n, spot) in (0_u64..).zip(&spots) {
                let growth = if matches!(self.shapes[i], Shape::Plane { .. }) {
                    0.0
                } else {
                    spot.n.dot(&(place - spot.gap * spot.n - x)) / k.size[i]
                };
                let key = ContactKey { candidate: own.body, antagonist: body, feature: (p as u64) << 8 | n.min(255) };
                let passing = self.pass(&seen, at, (&moving, spot), buffers);
                let of_node = || (own.skin.points()[p].clone(), place);
                let ((side, at), normal, gap, on_rigid) = match passing {
                    None => (of_node(), spot.n, spot.gap, place),
                    Some(Passing { normal, gap, line, lead }) => match own.skin.on_line(p, &normal, &line) {
                        Some(side) => {
                            let gap = gap + lead + normal.dot(&(side.1 - place));
                            (side, normal, gap, line)
                        }
                        None => (of_node(), normal, gap, line),
                    },
                };
                let touch = self.touch(key, normal, gap, own.area(p, &spot.n), ((at, own.centre), (on_rigid, x)));
                let touch = Touch { growth_antagonist: growth, ..touch };
                out.push(SkinTouch { touch, candidate: Some(side), antagonist: None, apart: None, place: 0 });
            }
            buffers.spots = spots;
        });
        for (part, item) in (0_u64..).zip(outsides(&rigid)) {
            if let Core::Smooth(shape) = item.core {
                self.with_smooth(own, (&moving, body), (part, &item), &**shape, (buffers, out));
            }
        }
        self.edges_on_rigid(own, (&moving, body), buffers, out);
        let mut rounds = Vec::new();
        self.corners_of(&rigid, &mut |feature, corner, radius, (inward, faces)| {
            let inner = corner + inward * ((x - corner).norm() * CORNER_DRAWN_IN);
            let at = if radius > 0.0 {
                own.skin.nearest(&corner, radius + self.alert, radius.max(own.depth()))
            } else {
                own.skin.nearest_of_sharp((&corner, &inner), self.alert, own.depth(), &Among::all(&|n| faces(n)))
            };
            let Some(at) = at.filter(|at| !is_in_cavity(&rigid, &at.place)) else { return };
            let tip = Tip { body, moving: &moving, place: corner, inner };
            let turned = if radius == 0.0 { self.tip_behind_rim(&tip, own, &at, buffers) } else { None };
            let at = turned.unwrap_or(at);
            let gap = at.gap - radius;
            let growth = -at.normal.dot(&(corner - at.normal * radius - x)) / k.size[i];
            if gap > self.alert {
                return;
            }
            let size = own.skin.size_of(at.facet);
            let on_round = corner - at.normal * radius;
            if radius > 0.0 && !at.is_on_a_facet() && !faces(&at.normal) {
                return;
            }
            if radius > 0.0 && self.is_covered((own.body, body), (&on_round, &-at.normal, gap), size, buffers) {
                return;
            }
            if radius == 0.0 && self.corner_goes_past(&tip, own, &at, buffers) {
                return;
            }
            // In a flat side it bears what is on that, along its normal.
            let (mut n, mut gap) = (-at.normal, gap);
            let together = if radius == 0.0 { self.together((own.body, body), &corner, size, buffers) } else { None };
            if let Some(side) = together.as_ref().and_then(Together::flat_side) {
                let along = side.dot(&n);
                if along < BESIDE {
                    return;
                }
                (n, gap) = (*side, gap / along);
            }
            // It was looked for from inside of the corner: the corner itself is above a place a little aside.
            let above = if radius == 0.0 && at.is_on_a_facet() { own.skin.over(at.facet, &corner) } else { None };
            let is_flat = |place: &Vec3| at.normal.dot(&(place - at.place)).abs() <= SNAP * (place - at.place).norm();
            let (on, place) = above.filter(|on| is_flat(&on.1)).unwrap_or_else(|| (at.on.clone(), at.place));
            let foot = ((place, own.centre), (place, x));
            if let Some(q) = at.corner {
                let by_node = |t: &&mut SkinTouch| t.touch.key.feature >> 8 == q as u64;
                let mut of_node = out[first..].iter_mut().filter(by_node).peekable();
                if of_node.peek().is_some() {
                    // What is round touches the facet beside the node: the plane of the node leans by the little that it is off. Where it leans by more, the
                    // round part is so small that the node is another place.
                    let leans = |t: &SkinTouch| -t.touch.frame.n.dot(&at.normal);
                    let nearest = of_node.max_by(|a, b| leans(a).total_cmp(&leans(b)));
                    let beside = nearest.filter(|t| radius == 0.0 || leans(t) > BESIDE);
                    if let Some(found) = beside {
                        if radius > 0.0 && at.is_on_a_facet() {
                            let Touch { key, geometry, .. } = found.touch;
                            let touch = self.touch(key, -at.normal, gap, 0.0, foot);
                            found.touch = Touch { geometry, growth_antagonist: growth, ..touch };
                            found.candidate = Some(at.on);
                        }
                        return;
                    }
                }
            }
            // the rim of a face over which others are flush
            if radius > 0.0 && !at.is_on_a_facet() && self.is_hidden((body, own.body), (&at.place, &at.normal), size, buffers) {
                return;
            }
            let key = ContactKey { candidate: own.body, antagonist: body, feature: OF_OTHER | feature };
            let area = if radius > 0.0 { CORNER * own.area_at(&at, &-at.normal) } else { 0.0 };
            let touch = self.touch(key, n, gap, area, foot);
            let touch = Touch { growth_antagonist: growth, ..touch };
            if radius > 0.0 {
                rounds.push(Round { part: feature >> 32, centre: corner, radius, length: own.skin.depth.length(&at.place) });
            }
            out.push(SkinTouch { touch, candidate: Some(on), antagonist: None, apart: None, place: 0 });
        });
        // What nodes touch as well is a face that others share with them.
        if out.len() == first + rounds.len() {
            self.shape_rounds(&rounds, &mut out[first..]);
        }
        self.on_flanks(own, (&rigid, body), (first, buffers, out));
        if out.len() > first {
            clear_sharp(&rigid, &mut out[first..]);
            let thickness = self.shapes[i].thickness();
            self.share_curved(own, (&rigid, thickness), &mut out[first..], buffers);
            let faces = self.faces_under(own, &rigid, &out[first..]);
            self.cross_seams(own, (&rigid, body), &faces, (first, buffers, out));
            self.share_faces(own, (&faces, thickness), &mut out[first..]);
        }
    }

    /// The shapes of contacts of round parts of a body that touch nothing but facets: the two ends of a capsule that lies on its side are a line, in the plane
    /// a face; a ball, a disc or one end is itself.
    fn shape_rounds(&self, rounds: &[Round], mut touches: &mut [SkinTouch]) {
        for part in rounds.chunk_by(|a, b| a.part == b.part) {
            let (own, rest) = touches.split_at_mut(part.len());
            touches = rest;
            let geometry = match part {
                [a, b] => {
                    let (apart, gaps) = ((b.centre - a.centre).norm(), [own[0].touch.gap, own[1].touch.gap]);
                    let lies = on_patch(gaps[0].max(gaps[1]), gaps[0].min(gaps[1]), apart, apart + a.centre.norm());
                    if lies { self.lying(a, apart) } else { self.round(a) }
                }
                [first, ..] if part.len() == 1 => self.round(first),
                _ => continue,
            };
            for (touch, round) in own.iter_mut().zip(part) {
                (touch.touch.geometry, touch.touch.least_radius) = (geometry, round.radius);
            }
        }
    }

    /// Contacts of a curved convex body with facets: each of its points that can touch something flat that looks as the facet does, where that is over
    /// the facet.
    fn with_smooth(
        &self,
        own: &BodySkin<'_>,
        (moving, body): (&Moving<'_>, BodyId),
        (part, item): (u64, &Item<'_>),
        shape: &dyn SupportMap,
        (buffers, out): (&mut Buffers, &mut Vec<SkinTouch>),
    ) {
        let centre = self.kinematics.position[body.index()];
        let mut facets = Vec::new();
        own.skin.facets_near([item.x, item.x], item.reach + self.alert, |f| facets.push(f));
        facets.sort_unstable();
        for &f in &facets {
            let n = own.skin.normals[f];
            shape.outposts(&item.q.inverse_transform_vector(&-n), &mut |id, p| {
                let p = item.world(&p);
                let Some(on) = own.skin.over(f, &p).filter(|on| !is_in_cavity(moving.item, &on.1)) else { return };
                // Beside the rim of a side it is what comes next that it touches.
                let inward = flat(centre - p, &n).try_normalize(SNAP * item.reach).unwrap_or_else(Vec3::zeros);
                let inner = p + inward * (INSIDE * own.skin.size_of(f));
                let is_over = |g: usize| own.skin.normals[g].dot(&n) > BESIDE && own.skin.over(g, &inner).is_some();
                if !is_over(f) && !facets.iter().any(|g| is_over(*g)) {
                    return;
                }
                let gap = n.dot(&(p - on.1));
                // Behind a facet may be a hollow that it has its back to.
                if gap > self.alert || gap < -own.depth() || gap < 0.0 && !own.skin.holds_behind(f, &p, -gap) {
                    return;
                }
                let approach = approaches(&n, &(moving.way_of(&p) - own.skin.way_at(f, &on.1)));
                if self.is_beside((own.body, body), (&p, &-n), (own.skin.size_of(f), approach), buffers) {
                    return;
                }
                let feature = OF_OTHER | mix(mix(part, f as u64), id.into()) >> 2;
                let key = ContactKey { candidate: own.body, antagonist: body, feature };
                let area = CORNER * own.skin.depth.area(&own.skin.facet_places(f));
                let touch = self.touch(key, -n, gap, area, ((on.1, own.centre), (on.1, centre)));
                let growth = -n.dot(&(p - centre)) / item.size;
                let touch = Touch { growth_antagonist: growth, ..touch };
                out.push(SkinTouch { touch, candidate: Some(on.0), antagonist: None, apart: None, place: 0 });
            });
        }
    }

    /// A ball or disc on a flat surface.
    fn round(&self, of: &Round) -> ContactGeometry {
        match self.dimension {
            Dimension::Planar => ContactGeometry::Line { reduced_radius: of.radius, length: of.length },
            Dimension::Spatial => ContactGeometry::Point { reduced_radius: of.radius, roundness: 1.0 },
        }
    }

    /// One of the two ends, this far `apart` (m), of something round that lies on a flat surface.
    fn lying(&self, end: &Round, apart: f64) -> ContactGeometry {
        match self.dimension {
            Dimension::Planar => ContactGeometry::Flat { area: 0.5 * apart * end.length },
            Dimension::Spatial => ContactGeometry::Line { reduced_radius: end.radius, length: 0.5 * apart },
        }
    }

    /// Calls `visit` with a name, the place and the rounding of every corner and round part of a rigid body, and what says which normals its
    /// faces there are turned against.
    pub(super) fn corners_of(&self, item: &Item<'_>, visit: &mut dyn FnMut(u64, Vec3, f64, Corner<'_>)) {
        for (part, item) in (0_u64..).zip(outsides(item)) {
            match item.core {
                Core::Round { radius, .. } => visit(part << 32, item.x, radius * item.size, (Vec3::zeros(), &|_| true)),
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
                        let inward = out.try_normalize(1e-6).map(|n| -n);
                        // Of what has no thickness the faces look to its two sides, and its corner to all that is beyond it.
                        let beyond = |n: &Vec3| {
                            let n = item.q.inverse_transform_vector(n);
                            hull.vertices().iter().all(|u| n.dot(&(u - v)) >= -BESIDE_CONE * (u - v).norm())
                        };
                        let is_thin = inward.is_none() && !around.is_empty();
                        let faces = |n: &Vec3| around.is_empty() || is_thin && beyond(n) || within_cone(&around, &-n);
                        let middle = || hull.vertices().iter().sum::<Vec3>() / hull.vertices().len() as f64;
                        let along = || is_thin.then(|| (item.q * (middle() - v)).try_normalize(0.0)).flatten();
                        let inward = inward.or_else(along).unwrap_or_else(Vec3::zeros);
                        // What is round about the corner ends where the sides about it begin.
                        let rounds = |n: &Vec3| {
                            let n = item.q.inverse_transform_vector(n);
                            hull.vertices().iter().all(|u| n.dot(&(u - v)) >= -SIDE_BEGINS * (u - v).norm())
                        };
                        let faces: &dyn Fn(&Vec3) -> bool = if *rounding > 0.0 { &rounds } else { &faces };
                        visit(part << 32 | k as u64, item.world(v), rounding * item.size, (inward, faces));
                    }
                }
                _ => {}
            }
        }
    }
}

/// The parts of a rigid body as they are from outside: of hollow ones what encloses them.
pub(super) fn outsides<'a>(item: &Item<'a>) -> impl Iterator<Item = Item<'a>> {
    item.parts().map(|part| match part.core {
        Core::Hollow { outside, .. } => part.with(outside),
        _ => part,
    })
}

/// Whether a point lies in the cavity of a hollow part, whose outside it does not touch.
pub(super) fn is_in_cavity(item: &Item<'_>, place: &Vec3) -> bool {
    item.parts().any(|part| matches!(part.core, Core::Hollow { cavity, .. } if cavity.holds(&part.local(place))))
}

/// Whether a spot seen from a place is on the wall of the cavity around it. Such a wall passes for flat where it is hollow, turns with the place as a sharp edge
/// does, and has none.
fn is_wall_around(item: &Item<'_>, place: &Vec3, spot: &Spot) -> bool {
    let beyond = place - (spot.gap + BEYOND * item.reach) * spot.n;
    is_in_cavity(item, place) && !is_in_cavity(item, &beyond)
}

/// Into the body from a corner of it, and what says which normals its faces there are turned against.
pub(super) type Corner<'a> = (Vec3, &'a dyn Fn(&Vec3) -> bool);

/// A round corner of a part of a rigid body that touches a facet: the part, its centre, its radius (m), and the length (m) along which a disc touches there.
struct Round {
    part: u64,
    centre: Vec3,
    radius: f64,
    length: f64,
}
