//! What bodies that lie flush beside each other look to together. A corner of one that another hides is no corner of the two: its directions are those that both have
//! there (the normal cone of a union is what the cones of its parts have in common: Rockafellar & Wets, Variational Analysis, 1998, §6.C), and what moves over the one meets nothing else
//! of the other. No contacts.

use mpcd_core::{BodyId, Quat, Vec3};

use super::cone::{common, holds, nearest_in_cone};
use super::meet::Obstacles;
use super::rigid::{is_in_cavity, outsides};
use super::{BodySkin, SAME, Skin};
use crate::{
    narrow::{Beginning, Buffers, GRAZE, Item, Search, beginnings, meet},
    shape::Core,
    touch::Touch,
};

/// Part of the sizes up to which one body may stand out beside another and be level with it.
const LEVEL: f64 = 1e-6;
/// Sine of the angle up to which two normals are one.
const ONE_NORMAL: f64 = 1e-4;

/// The faces of one piece of a body that have a place: outward unit normals, and how far the place is outside of each (m).
type Faces = Vec<(Vec3, f64)>;

/// What some bodies look to together at a place of one of them.
pub(super) struct Together {
    /// Between these unit normals: none where the place is hidden.
    pub(super) normals: Vec<Vec3>,
    /// Whether another body, or another part of the same, has a part in it.
    pub(super) shared: bool,
}

impl Together {
    /// Whether it hides what has a normal: other bodies are there, and the normal is off what they look to together by more than the angle of this sine.
    pub(super) fn hides(&self, normal: &Vec3, sine: f64) -> bool {
        self.shared && !holds(&self.normals, normal, sine)
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
        let mut pieces: Vec<(Faces, f64)> = Vec::new();
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
        let (first, _) = pieces.next()?;
        let mut out = Together { normals: first.into_iter().map(|f| f.0).collect(), shared: false };
        for (faces, level) in pieces {
            let normals: Vec<Vec3> = faces.iter().map(|f| f.0).collect();
            let both = common(&out.normals, &normals, ONE_NORMAL);
            // what stands out along a direction that it would share is a step
            if faces.iter().all(|(n, outside)| *outside <= level || !holds(&both, n, ONE_NORMAL)) {
                out = Together { normals: both, shared: true };
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
    fn pieces_of(&self, body: BodyId, place: &Vec3, size: f64, buffers: &mut Buffers, out: &mut Vec<(Faces, f64)>) {
        let i = body.index();
        let k = self.kinematics;
        if let Core::Deformable { .. } = self.cores[i] {
            let Some(own) = self.skins.iter().find(|s| s.body == body) else { return };
            let near = GRAZE * size;
            if own.box_apart(&[*place; 2]) <= near {
                out.extend(own.skin.faces_at(place, near).map(|faces| (faces, LEVEL * size)));
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
            out.extend(self.faces_of_part(&part, place, GRAZE * size, buffers).map(|faces| (faces, LEVEL * size)));
        }
    }

    /// The faces of a part of a rigid body that come within `near` (m) of a place.
    fn faces_of_part(&self, part: &Item<'_>, place: &Vec3, near: f64, buffers: &mut Buffers) -> Option<Faces> {
        let is_sharp = match part.core {
            Core::Polytope { rounding, .. } => *rounding == 0.0,
            Core::Mesh(_) => true,
            _ => false,
        };
        if is_sharp {
            let mut found = Vec::new();
            beginnings(part, place, near, &mut found, buffers);
            return faces_among(&found, matches!(part.core, Core::Mesh(_)), place, near);
        }
        let point = Core::Round { radius: 0.0 };
        let item = Item { core: &point, x: *place, q: Quat::identity(), size: 1.0, reach: 0.0 };
        let from = buffers.spots.len();
        meet(&item, part, &Search { dimension: self.dimension, alert: near }, buffers);
        let faces: Faces = buffers.spots[from..].iter().filter(|s| s.gap >= -near).map(|s| (s.n, s.gap)).collect();
        buffers.spots.truncate(from);
        (!faces.is_empty()).then_some(faces)
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
