//! What bodies that lie flush beside each other look to together. A corner of one that another hides is no corner of the two: its directions are those that both have
//! there (the normal cone of a union is what the cones of its parts have in common: Rockafellar & Wets, Variational Analysis, 1998, §6.C), and what moves over the one meets nothing else
//! of the other. No contacts.

use mpcd_core::{BodyId, Dimension, Frame, Quat, Vec3};

use super::cone::{common, holds, nearest_in_cone};
use super::meet::Obstacles;
use super::rigid::{is_in_cavity, outsides};
use super::{BodySkin, SAME, Skin};
use crate::{
    narrow::{Beginning, Buffers, GRAZE, Item, Search, Spot, beginnings, meet},
    shape::Core,
    touch::Touch,
};

/// Part of the sizes up to which one body may stand out beside another and be level with it.
const LEVEL: f64 = 1e-6;
/// Part of the size by which a place is moved along a normal to see whether a body is there too.
const ALONG: f64 = 1e-3;
/// Sine of the angle up to which two normals are one.
const ONE_NORMAL: f64 = 1e-4;
/// Tangent of the angle about a direction within which others are looked at to see whether a body is there.
const ASIDE: f64 = 1e-2;

/// The faces of one piece of a body that have a place: outward unit normals, and how far the place is outside of each (m).
type Faces = Vec<(Vec3, f64)>;

/// One piece of a body about a place.
struct Piece {
    faces: Faces,
    /// How far (m) it may stand out and be level.
    level: f64,
    /// Sine of the angle up to which its normals are those of another: what is curved turns by the root of twice the level over its radius before it is off.
    sine: f64,
}

/// What some bodies look to together at a place of one of them.
pub(super) struct Together {
    /// Between these unit normals: none where the place is hidden, or in a hollow between the bodies.
    normals: Vec<Vec3>,
    /// Whether another body, or another part of the same, has a part in it.
    pub(super) shared: bool,
    /// The normals of each of them.
    pieces: Vec<Vec<Vec3>>,
    dimension: Dimension,
}

impl Together {
    /// Whether it hides what has a normal: other bodies are there, and the normal is off what they look to together by more than the angle of this sine. In a
    /// hollow, where no normal is one of both, what touches one body on the way to the other does touch it: that alone is hidden which has others all about.
    pub(super) fn hides(&self, normal: &Vec3, sine: f64) -> bool {
        self.shared && if self.normals.is_empty() { self.is_buried(normal) } else { !holds(&self.normals, normal, sine) }
    }

    /// Whether all ways a little off a direction lead into one of the bodies.
    fn is_buried(&self, way: &Vec3) -> bool {
        let enters = |way: Vec3| self.pieces.iter().any(|normals| normals.iter().all(|n| n.dot(&way) < -ONE_NORMAL));
        let frame = match self.dimension {
            Dimension::Planar => Frame::planar(*way),
            Dimension::Spatial => Frame::spatial(*way),
        };
        let aside = [frame.t, frame.s()];
        let within = if self.dimension == Dimension::Planar { &aside[..1] } else { &aside[..] };
        within.iter().flat_map(|a| [*a, -a]).all(|a| enters(way + a * ASIDE))
    }

    /// Whether they look to nothing together, though something of each may be seen.
    pub(super) fn is_hollow(&self) -> bool {
        self.normals.is_empty()
    }

    /// The normal of the flat side that the place is on, of them all, though it is a corner of one.
    pub(super) fn flat_side(&self) -> Option<&Vec3> {
        let first = self.normals.first().filter(|_| self.shared)?;
        let one = |n: &Vec3| n.dot(first) > 0.0 && n.cross(first).norm() <= ONE_NORMAL;
        self.normals.iter().all(one).then_some(first)
    }

    /// The direction of it that is nearest to another; `None` where all look away.
    pub(super) fn nearest(&self, to: &Vec3) -> Option<Vec3> {
        nearest_in_cone(&self.normals, to)
    }
}

impl Obstacles<'_> {
    /// What the bodies that `mover` may touch look to at a place of `owner`, where what touches is this large (m). `None` where the owner has no face there, or is hollow there.
    pub(super) fn together(
        &self,
        (mover, owner): (BodyId, BodyId),
        place: &Vec3,
        size: f64,
        buffers: &mut Buffers,
    ) -> Option<Together> {
        let mut pieces: Vec<Piece> = Vec::new();
        self.pieces_of(owner, place, size, buffers, &mut pieces);
        if pieces.is_empty() {
            return None;
        }
        for other in (0..self.shapes.len()).map(BodyId::from_index) {
            if other != owner && other != mover && (self.wanted)(mover, other) {
                self.pieces_of(other, place, size, buffers, &mut pieces);
            }
        }
        let mut pieces = pieces.into_iter();
        let first = pieces.next()?;
        let own = first.sine;
        let normals: Vec<Vec3> = first.faces.into_iter().map(|f| f.0).collect();
        let mut out = Together { pieces: vec![normals.clone()], normals, shared: false, dimension: self.dimension };
        for Piece { faces, level, sine } in pieces {
            let normals: Vec<Vec3> = faces.iter().map(|f| f.0).collect();
            let sine = sine.max(own);
            let both = common(&out.normals, &normals, sine);
            // what stands out along a direction that it would share is a step
            if faces.iter().all(|(n, outside)| *outside <= level || !holds(&both, n, sine)) {
                (out.normals, out.shared) = (both, true);
                out.pieces.push(normals);
            }
        }
        Some(out)
    }

    /// The same at a point of a skin, for what of it touches something else: `None` too where no other body is flush there.
    pub(super) fn together_at(&self, mover: BodyId, (own, p): (&BodySkin<'_>, usize), buffers: &mut Buffers) -> Option<Together> {
        let size = own.skin.facets_around(p).iter().map(|f| own.skin.size_of(*f as usize)).fold(f64::INFINITY, f64::min);
        let is_corner = own.skin.normals_around(p).1 > 1;
        let found = is_corner.then(|| self.together((mover, own.body), &own.skin.places[p], size, buffers))?;
        found.filter(|t| t.shared)
    }

    /// Takes contacts of rigid bodies with edges that a skin flush beside them hides out of `touches`; those that rigid bodies hide are the detector's matter.
    pub(crate) fn clear_rigid(&self, buffers: &mut Buffers, touches: &mut Vec<Touch>) {
        touches.retain(|touch| {
            let (c, a) = (touch.key.candidate, touch.key.antagonist);
            let n = touch.frame.n;
            let sides = [
                ((c, a), touch.arm_antagonist, n, touch.growth_antagonist),
                ((a, c), touch.arm_candidate, -n, touch.growth_candidate),
            ];
            !sides.iter().any(|((mover, owner), arm, n, growth)| {
                let (i, k) = (owner.index(), self.kinematics);
                let place = k.position[i] + arm + n * (growth * k.size[i] - n.dot(arm));
                let is_flush = |skin: &BodySkin<'_>| {
                    let size = skin.skin.size_near(&place);
                    let near = GRAZE * size;
                    skin.box_apart(&[place; 2]) <= near
                        && (self.wanted)(*mover, skin.body)
                        && skin.skin.faces_at(&place, near).is_some()
                        && self.is_hidden((*mover, *owner), (&place, n), size, buffers)
                };
                self.skins.iter().any(is_flush)
            })
        });
    }

    /// Adds the pieces of a body that have a place, each with how far (m) it may stand out and be level.
    fn pieces_of(&self, body: BodyId, place: &Vec3, size: f64, buffers: &mut Buffers, out: &mut Vec<Piece>) {
        let i = body.index();
        let k = self.kinematics;
        if let Core::Deformable { .. } = self.cores[i] {
            let Some(own) = self.skins.iter().find(|s| s.body == body) else { return };
            let near = GRAZE * size;
            if own.box_apart(&[*place; 2]) <= near {
                let found = own.skin.faces_at(place, near);
                // it sinks where it is loaded, by what sharp edges may overlap sideways
                out.extend(found.map(|faces| Piece { faces, level: near, sine: ONE_NORMAL }));
            }
            return;
        }
        let reach = self.shapes[i].bounding_radius(self.dimension).map_or(f64::INFINITY, |r| r * k.size[i]);
        if (k.position[i] - place).norm() > reach + GRAZE * size {
            return;
        }
        let item = Item { core: &self.cores[i], x: k.position[i], q: k.orientation[i], size: k.size[i], reach };
        if is_in_cavity(&item, place) {
            return;
        }
        for part in outsides(&item) {
            let size = size.min(part.reach);
            out.extend(self.faces_of_part(&part, place, size, buffers));
        }
    }

    /// A part of a rigid body that has a place.
    fn faces_of_part(&self, part: &Item<'_>, place: &Vec3, size: f64, buffers: &mut Buffers) -> Option<Piece> {
        let (near, level) = (GRAZE * size, LEVEL * size);
        let is_sharp = match part.core {
            Core::Polytope { rounding, .. } => *rounding == 0.0,
            Core::Mesh(_) => true,
            _ => false,
        };
        if is_sharp {
            let mut found = Vec::new();
            beginnings(part, place, near, &mut found, buffers);
            let faces = faces_among(&found, matches!(part.core, Core::Mesh(_)), place, near)?;
            return Some(Piece { faces, level, sine: ONE_NORMAL });
        }
        let (mut faces, mut curvature) = (Faces::new(), 0.0);
        self.spots_at(part, place, near, buffers, |s| {
            let bend = s.curvature[0].max(s.curvature[1]);
            // what bends has gone off where it is no longer level
            if s.gap >= -if bend > 0.0 { level } else { near } && s.gap <= if bend > 0.0 { level } else { near } {
                faces.push((s.n, s.gap));
                curvature = f64::max(curvature, bend);
            }
        });
        let sine = ONE_NORMAL.max((2.0 * level * curvature).sqrt());
        (!faces.is_empty()).then_some(Piece { faces, level, sine })
    }

    /// What a place sees of a part of a rigid body, up to an alert distance (m).
    fn spots_at(&self, part: &Item<'_>, place: &Vec3, alert: f64, buffers: &mut Buffers, visit: impl FnMut(&Spot)) {
        let point = Core::Round { radius: 0.0, tapers: false };
        let item = Item { core: &point, x: *place, q: Quat::identity(), size: 1.0, reach: 0.0 };
        let from = buffers.spots.len();
        meet(&item, part, &Search { dimension: self.dimension, alert }, buffers);
        buffers.spots[from..].iter().for_each(visit);
        buffers.spots.truncate(from);
    }

    /// Whether what `mover` touches of a curved body, a `foot` on it with a normal and a gap (m), lies in another body that it touches too, so that it is out of the
    /// one once it is out of the other: with n and m their normals, c = n·m and e how deep the foot is in the other, the way e + c d along m out of that, d = −gap,
    /// leaves nothing of d if c e ≥ (1 − c²) d. The cap of a rod beyond its end, under the side of the rod that goes on there.
    pub(super) fn is_covered(
        &self,
        (mover, owner): (BodyId, BodyId),
        (foot, n, gap): (&Vec3, &Vec3, f64),
        size: f64,
        buffers: &mut Buffers,
    ) -> bool {
        self.others((mover, owner), foot).any(|other| {
            let mut covers = false;
            self.spots_on(other, foot, 0.0, buffers, |s| {
                let (c, e) = (n.dot(&s.n), -s.gap);
                covers |= e > LEVEL * size && c > 0.0 && c * e >= -(1.0 - c * c) * gap;
            });
            covers
        })
    }

    /// Whether a place of `owner` with a normal is none of what it and the other bodies that `mover` touches look to: it lies in one of them, or, where the two come nearer to
    /// each other, on one of them that is still there a little along the normal.
    pub(super) fn is_beside(
        &self,
        (mover, owner): (BodyId, BodyId),
        (place, normal): (&Vec3, &Vec3),
        (size, approach): (f64, bool),
        buffers: &mut Buffers,
    ) -> bool {
        let near = [*place; 2];
        let on_skin = |skin: &BodySkin<'_>| {
            let others = skin.body != mover && skin.body != owner && (self.wanted)(mover, skin.body);
            let faces =
                if others && skin.box_apart(&near) <= GRAZE * size { skin.skin.faces_at(place, GRAZE * size) } else { None };
            faces.is_some_and(|faces| !holds(&faces.iter().map(|f| f.0).collect::<Vec<_>>(), normal, ONE_NORMAL))
        };
        if approach && self.skins.iter().any(on_skin) {
            return true;
        }
        let (most, step) = (if approach { LEVEL * size } else { -GRAZE * size }, ALONG * size);
        self.others((mover, owner), place).any(|other| {
            let outside = |x: &Vec3, buffers: &mut Buffers| {
                let mut least = f64::INFINITY;
                self.spots_on(other, x, step, buffers, |s| least = least.min(s.gap));
                least
            };
            outside(place, buffers) <= most && outside(&(place + normal * step), buffers) < 0.5 * step
        })
    }

    /// Rigid bodies that `mover` touches besides `owner`, whose ball holds a place.
    fn others(&self, (mover, owner): (BodyId, BodyId), place: &Vec3) -> impl Iterator<Item = BodyId> {
        let k = self.kinematics;
        (0..self.shapes.len()).map(BodyId::from_index).filter(move |other| {
            let i = other.index();
            let reach = || self.shapes[i].bounding_radius(self.dimension).map_or(f64::INFINITY, |r| r * k.size[i]);
            let may = *other != owner && *other != mover && !matches!(self.cores[i], Core::Deformable { .. });
            may && (k.position[i] - place).norm() <= (1.0 + LEVEL) * reach() && (self.wanted)(mover, *other)
        })
    }

    /// What a place sees of the convex parts of a rigid body up to an alert distance (m), or lies how deep in.
    fn spots_on(&self, body: BodyId, place: &Vec3, alert: f64, buffers: &mut Buffers, mut visit: impl FnMut(&Spot)) {
        let (i, k) = (body.index(), self.kinematics);
        let reach = self.shapes[i].bounding_radius(self.dimension).map_or(f64::INFINITY, |r| r * k.size[i]);
        let item = Item { core: &self.cores[i], x: k.position[i], q: k.orientation[i], size: k.size[i], reach };
        if is_in_cavity(&item, place) {
            return;
        }
        for part in outsides(&item).filter(|part| !matches!(part.core, Core::Mesh(_))) {
            self.spots_at(&part, place, alert, buffers, &mut visit);
        }
    }
}

impl Skin {
    /// The size of the smallest facet whose box holds a place but for rounding (m); 0 where there is none.
    fn size_near(&self, place: &Vec3) -> f64 {
        let [low, high] = self.bounds();
        let mut size = f64::INFINITY;
        self.facets_near([*place; 2], LEVEL * (high - low).norm(), |f| size = size.min(self.size_of(f)));
        if size.is_finite() { size } else { 0.0 }
    }

    /// The faces of the skin that come within `near` (m) of a place; `None` where there are none, or they bend inwards.
    fn faces_at(&self, place: &Vec3, near: f64) -> Option<Faces> {
        let mut found: Vec<usize> = Vec::new();
        self.facets_near([*place; 2], near, |f| {
            if self.foot(f, place).distance <= near {
                found.push(f);
            }
        });
        found.sort_unstable();
        let corners = |f: usize| self.facet_places(f)[..self.depth.corners()].to_vec();
        let faces: Vec<Beginning> = found.iter().map(|f| Beginning { normal: self.normals[*f], corners: corners(*f) }).collect();
        bulges(&faces, place, near).then(|| distinct(&faces, place)).filter(|f| !f.is_empty())
    }
}

/// The faces about a place, of what encloses nothing with the rims at which they end there; `None` where there are none, or they bend inwards.
fn faces_among(found: &[Beginning], is_surface: bool, place: &Vec3, near: f64) -> Option<Faces> {
    if found.is_empty() || !bulges(found, place, near) {
        return None;
    }
    let mut out = distinct(found, place);
    let is_thin = || out.iter().any(|(a, _)| out.iter().any(|(b, _)| a.dot(b) < -SAME));
    if !is_surface && !is_thin() {
        return Some(out);
    }
    for (k, face) in found.iter().enumerate() {
        for [a, b] in sides(&face.corners) {
            let is_same = |c: &Vec3| (c - a).norm() <= near || (c - b).norm() <= near;
            let joined = |other: &Beginning| {
                let is_back = other.normal.dot(&face.normal) < -SAME;
                !is_back && other.corners.iter().filter(|c| is_same(c)).count() >= if a == b { 1 } else { 2 }
            };
            let outward = outward(face, &[a, b]);
            let outside = outward.dot(&(place - a));
            if outside.abs() <= near && !found.iter().enumerate().any(|(i, f)| i != k && joined(f)) {
                out.push((outward, outside));
            }
        }
    }
    Some(out)
}

/// The sides of a face of three corners or more, from each corner to the next; of a line its two ends, each twice.
fn sides(corners: &[Vec3]) -> Vec<[Vec3; 2]> {
    if let [a, b] = corners {
        return vec![[*a; 2], [*b; 2]];
    }
    (0..corners.len()).map(|k| [corners[k], corners[(k + 1) % corners.len()]]).collect()
}

/// Out of a face over a side of it, a unit vector.
fn outward(face: &Beginning, [a, b]: &[Vec3; 2]) -> Vec3 {
    let middle = face.corners.iter().sum::<Vec3>() / face.corners.len() as f64;
    let along = (b - a).try_normalize(0.0).unwrap_or_else(Vec3::zeros);
    let aside = a - middle;
    let aside = aside - along * along.dot(&aside);
    (aside - face.normal * face.normal.dot(&aside)).try_normalize(0.0).unwrap_or_else(Vec3::zeros)
}

/// The normals of some faces, each once, and how far a place is outside of them (m).
fn distinct(faces: &[Beginning], place: &Vec3) -> Faces {
    let mut out: Faces = Vec::new();
    for face in faces {
        let outside = face.normal.dot(&(place - face.corners[0]));
        match out.iter_mut().find(|(n, _)| n.dot(&face.normal) > SAME) {
            Some((_, most)) => *most = most.max(outside),
            None => out.push((face.normal, outside)),
        }
    }
    out
}

/// Whether faces about a place bend away from each other: no corner of one is before another by more than rounding; backs of what has no thickness may be.
fn bulges(faces: &[Beginning], place: &Vec3, near: f64) -> bool {
    faces.iter().all(|a| {
        let others = faces.iter().filter(|b| b.normal.dot(&a.normal).abs() <= SAME);
        others.flat_map(|b| &b.corners).all(|c| {
            let way = c - place;
            a.normal.dot(&way) <= near + ONE_NORMAL * way.norm()
        })
    })
}
