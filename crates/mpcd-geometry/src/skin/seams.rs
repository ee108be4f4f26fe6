//! Contact points where an edge of a skin crosses the rim of a flat face of a rigid body. On a seam with others that are flush there the nodes on both sides have with them what they have on one
//! body: the share of a facet in a face has its corners at the nodes, the corners of the face and here. At the rim of what is alone they bear what the nodes beyond it would bear,
//! whichever side of it rounding puts these on. Edges at which facets bend are in [`super::edges`].

use mpcd_core::{BodyId, ContactKey, Vec3};

use super::common::{ALONG, HERE};
use super::face::{Face, faces_of};
use super::facing::area as area_of;
use super::lump::Share;
use super::meet::{OF_OTHER, Obstacles, SkinTouch};
use super::mortar::clip;
use super::nearest::SNAP;
use super::rigid::outsides;
use super::{BodySkin, Corners, Skin, SurfacePoint};
use crate::{
    narrow::{Buffers, Item, mix},
    touch::Touch,
};

/// Sides of an edge, each of one face, that facets make up about an edge within a surface: more than this, less at its outer edges.
const INNER: f64 = 1.5;

/// Marks the names of points on seams.
const ON_SEAM: u64 = 3;

/// An edge of a skin that crosses the rim of a face, or a point on it.
struct Crossing {
    ends: [u32; 2],
    /// Whether the way from the lower end to the higher comes into the face.
    is_way_in: bool,
    place: Vec3,
    /// Sum of the outward vector areas (m²) of the facets over the face that have it, and how many of the mesh's faces these make up on both its sides.
    out: Vec3,
    sides: f64,
    /// Whether one of them lies over the face by more than rounding may put it there.
    is_over: bool,
}

impl Crossing {
    /// The end beyond the rim.
    const fn beyond(&self) -> u32 {
        if self.is_way_in { self.ends[0] } else { self.ends[1] }
    }
}

/// A face of a body and its number.
type Numbered<'a> = (u64, &'a Face);

impl Obstacles<'_> {
    /// The flat faces of a rigid body that contact points with a skin lie on.
    pub(super) fn faces_under(&self, own: &BodySkin<'_>, rigid: &Item<'_>, touches: &[SkinTouch]) -> Vec<Face> {
        let mut faces = Vec::new();
        for part in outsides(rigid) {
            faces_of(&part, own, self.alert, touches, &mut faces);
        }
        faces
    }

    /// Adds the contact points of a skin on the seams of a rigid body, of which `out` has the others from `first` on.
    pub(super) fn cross_seams(
        &self,
        own: &BodySkin<'_>,
        (rigid, body): (&Item<'_>, BodyId),
        faces: &[Face],
        (first, buffers, out): (usize, &mut Buffers, &mut Vec<SkinTouch>),
    ) {
        if own.skin.depth.is_planar() {
            return;
        }
        for (n, face) in (0_u64..).zip(faces) {
            let near = HERE * face.around();
            for crossing in own.skin.crossings_of(face, [own.depth(), self.alert]) {
                let is_there = |t: &SkinTouch| {
                    (t.touch.arm_candidate + own.centre - crossing.place).norm() <= near
                        && t.touch.frame.n.dot(&face.normal) >= ALONG
                };
                if out[first..].iter().any(is_there) {
                    continue;
                }
                let on = ((n, face), &crossing);
                let found = self.on_seam(own, (rigid, body), on, buffers);
                out.extend(found.or_else(|| self.on_rim(own, (rigid, body), on, (&out[first..], buffers))));
            }
        }
    }

    /// The contact point where an edge crosses a rim that is a seam of flush bodies.
    fn on_seam(
        &self,
        own: &BodySkin<'_>,
        (rigid, body): (&Item<'_>, BodyId),
        ((n, face), crossing): (Numbered<'_>, &Crossing),
        buffers: &mut Buffers,
    ) -> Option<SkinTouch> {
        let facet = own.skin.facet_at(crossing.ends, &face.normal)?;
        let (on, place) = own.skin.foot_of(facet, &crossing.place);
        let gap = face.height(&place);
        let foot = place - face.normal * gap;
        let together = self.together((own.body, body), &foot, own.skin.size_of(facet), buffers)?;
        together.flat_side().filter(|side| side.dot(&face.normal) >= ALONG)?;
        let [low, high] = crossing.ends.map(u64::from);
        let feature = OF_OTHER | mix(mix(ON_SEAM + 2 * n, low << 32 | high), crossing.is_way_in.into()) >> 2;
        let key = ContactKey { candidate: own.body, antagonist: body, feature };
        Some(self.crossing_touch((own, rigid), key, (face.normal, gap), (on, place)))
    }

    /// The contact point where an edge crosses the rim of what is alone. It is what the node beyond the rim has there, under its name, so that what a law remembers
    /// stays while that comes and goes over the rim; `None` where the node touches the face itself.
    fn on_rim(
        &self,
        own: &BodySkin<'_>,
        (rigid, body): (&Item<'_>, BodyId),
        ((_, face), crossing): (Numbered<'_>, &Crossing),
        (touches, buffers): (&[SkinTouch], &mut Buffers),
    ) -> Option<SkinTouch> {
        let node = crossing.beyond();
        let is_of_node = |t: &&SkinTouch| t.touch.key.feature & OF_OTHER == 0 && t.touch.key.feature >> 8 == u64::from(node);
        let of_node = touches.iter().filter(is_of_node);
        let at_node = |t: &SkinTouch| t.touch.arm_candidate + own.centre - own.skin.place_of(node as usize);
        let is_own = |t: &SkinTouch| t.touch.frame.n.dot(&face.normal) >= ALONG && at_node(t).norm() <= HERE * face.around();
        // the rim of a disc is known but for the polygon that stands for it
        if face.off > 0.0 || !crossing.is_over || of_node.clone().any(is_own) {
            return None;
        }
        let is_edge = crossing.ends[0] != crossing.ends[1];
        let facet = own.skin.facet_at(crossing.ends, &face.normal)?;
        let (on, place) = own.skin.foot_of(facet, &crossing.place);
        let size = own.skin.size_of(facet);
        if is_edge && crossing.sides < INNER && !own.skin.is_at_end(crossing.ends, &place) {
            return None;
        }
        let normal = -crossing.out.try_normalize(0.0)?;
        let height = face.height(&place);
        let gap = height * normal.dot(&face.normal);
        let foot = place - normal * gap;
        let hidden = [((own.body, body), foot, face.normal), ((body, own.body), place, -face.normal)];
        if hidden.iter().any(|(bodies, at, n)| self.is_hidden(*bodies, (at, n), size, buffers)) {
            return None;
        }
        let number = of_node.count() as u64;
        let key = ContactKey { candidate: own.body, antagonist: body, feature: u64::from(node) << 8 | number.min(255) };
        Some(self.crossing_touch((own, rigid), key, (normal, gap), (on, place)))
    }

    /// A contact point of an edge, whose area is shared out later.
    fn crossing_touch(
        &self,
        (own, rigid): (&BodySkin<'_>, &Item<'_>),
        key: ContactKey,
        (normal, gap): (Vec3, f64),
        (on, place): (SurfacePoint, Vec3),
    ) -> SkinTouch {
        let foot = place - normal * gap;
        let touch = self.touch(key, normal, gap, 0.0, ((place, own.centre), (foot, rigid.x)));
        let touch = Touch { growth_antagonist: normal.dot(&(foot - rigid.x)) / rigid.size, ..touch };
        SkinTouch { touch, candidate: Some(on), antagonist: None, apart: None, place: 0 }
    }
}

impl Skin {
    /// Where edges of the skin's faces that are no farther from a face than `above` and no more than `below` (m) beyond it cross its rim, in a fixed order, each once.
    fn crossings_of(&self, face: &Face, [below, above]: [f64; 2]) -> Vec<Crossing> {
        let (patches, size) = self.patches_over(face, [below, above]);
        let tolerance = face.off.max(SNAP * size);
        let mut out: Vec<Crossing> = Vec::new();
        for patch in patches {
            let shares = self.shares_of(patch);
            for Share { corners, part, .. } in shares {
                let x = corners.map(|p| self.places[p as usize]);
                let area = self.depth.flat_area(&x);
                if area.dot(&face.normal) > -ALONG * area.norm() {
                    continue;
                }
                let own = x.map(|x| face.flat(&x));
                // seen from outside of the face the facet turns right
                let piece = clip(&[own[0], own[2], own[1]], &face.outline);
                let is_over = area_of(&piece) > SNAP * area.norm().min(area_of(&face.outline));
                for at in piece {
                    let hats = face.hats(&own, at);
                    let Some(edge) = edge_of(corners, &hats) else { continue };
                    let place: Vec3 = (0..3).map(|k| x[k] * hats[k]).sum();
                    let height = face.height(&place);
                    if height > above || height < -below || face.along(at).1 > tolerance || is_halving(shares, edge) {
                        continue;
                    }
                    let ends = [edge[0].min(edge[1]), edge[0].max(edge[1])];
                    let is_way_in = face.is_way_in(ends.map(|p| face.flat(&self.places[p as usize])), at);
                    match out.iter_mut().find(|c| c.ends == ends && c.is_way_in == is_way_in) {
                        None => out.push(Crossing { ends, is_way_in, place, out: area, sides: *part, is_over }),
                        Some(known) => {
                            known.out += area;
                            known.is_over |= is_over;
                            known.sides += part;
                        }
                    }
                }
            }
        }
        out.sort_by_key(|c| (c.ends, c.is_way_in));
        out
    }

    /// Whether a place of an edge is its ends' to speak for.
    fn is_at_end(&self, ends: [u32; 2], place: &Vec3) -> bool {
        let [a, b] = ends.map(|p| self.places[p as usize]);
        (place - a).norm().min((place - b).norm()) <= SNAP * (b - a).norm()
    }

    /// The facet with an edge, or a point, that looks most against a normal: others there may not have the place that is meant.
    fn facet_at(&self, [a, b]: [u32; 2], normal: &Vec3) -> Option<usize> {
        let around = self.facets_around(a as usize).iter().map(|f| *f as usize);
        let with_both = around.filter(|f| self.facets[*f].contains(&b));
        with_both.min_by(|f, g| self.normals[*f].dot(normal).total_cmp(&self.normals[*g].dot(normal)).then(f.cmp(g)))
    }
}

/// The edge of a facet that a place of it is on; one point twice where it is there.
fn edge_of(corners: &Corners, hats: &[f64; 3]) -> Option<[u32; 2]> {
    let mut on = (0..3).filter(|k| hats[*k].abs() >= SNAP).map(|k| corners[k]);
    match [on.next(), on.next(), on.next()] {
        [Some(a), Some(b), None] => Some([a, b]),
        [Some(a), None, None] => Some([a; 2]),
        _ => None,
    }
}

/// Whether an edge is none of the face of a mesh but halves it: facets that count by a part have it on both their sides.
fn is_halving(shares: &[Share], [a, b]: [u32; 2]) -> bool {
    let goes = |corners: &Corners, from: u32, to: u32| (0..3).any(|k| corners[k] == from && corners[(k + 1) % 3] == to);
    let has = |from: u32, to: u32| shares.iter().any(|s| s.part < 1.0 && goes(&s.corners, from, to));
    has(a, b) && has(b, a)
}
