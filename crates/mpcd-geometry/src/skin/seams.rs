//! Contact points where an edge of a skin crosses the seam of a rigid body and others that are flush there, or a point of it is on the seam and touches the others alone: the rim of a flat face that is no rim of what they are
//! together. With them the nodes on both sides of a seam have what they have on one body: the share of a facet in a face has its corners at the nodes, the corners of the face and
//! here. Where edges cross the rim of what is alone nothing is, see [`super::common`].

use mpcd_core::{BodyId, ContactKey, Vec3};

use super::common::{ALONG, HERE};
use super::face::{Face, faces_of};
use super::flush::Together;
use super::meet::{OF_OTHER, Obstacles, SkinTouch};
use super::mortar::clip;
use super::nearest::SNAP;
use super::rigid::outsides;
use super::{BodySkin, Corners, Skin};
use crate::{
    narrow::{Buffers, Item, mix},
    touch::Touch,
};

/// Marks the names of points on seams.
const ON_SEAM: u64 = 3;

/// An edge of a skin that crosses the rim of a face, or a point on it: its ends, whether the way from the lower to the higher comes into the face, and the place.
struct Crossing {
    ends: [u32; 2],
    is_way_in: bool,
    place: Vec3,
}

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
                let Some(facet) = own.skin.facet_at(crossing.ends) else { continue };
                let (on, place) = own.skin.foot_of(facet, &crossing.place);
                let gap = face.height(&place);
                let foot = place - face.normal * gap;
                let together = self.together((own.body, body), &foot, own.skin.size_of(facet), buffers);
                let is_seam = together.as_ref().and_then(Together::flat_side).is_some_and(|side| side.dot(&face.normal) >= ALONG);
                if !is_seam {
                    continue;
                }
                let [low, high] = crossing.ends.map(u64::from);
                let feature = OF_OTHER | mix(mix(ON_SEAM + 2 * n, low << 32 | high), crossing.is_way_in.into()) >> 2;
                let key = ContactKey { candidate: own.body, antagonist: body, feature };
                let touch = self.touch(key, face.normal, gap, 0.0, ((place, own.centre), (foot, rigid.x)));
                let growth = face.normal.dot(&(foot - rigid.x)) / rigid.size;
                let touch = Touch { growth_antagonist: growth, ..touch };
                out.push(SkinTouch { touch, candidate: Some(on), antagonist: None, apart: None, place: 0 });
            }
        }
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
            for (corners, _) in shares {
                let x = corners.map(|p| self.places[p as usize]);
                let area = self.depth.flat_area(&x);
                if area.dot(&face.normal) > -ALONG * area.norm() {
                    continue;
                }
                let own = x.map(|x| face.flat(&x));
                // seen from outside of the face the facet turns right
                for at in clip(&[own[0], own[2], own[1]], &face.outline) {
                    let hats = face.hats(&own, at);
                    let Some(edge) = edge_of(corners, &hats) else { continue };
                    let place: Vec3 = (0..3).map(|k| x[k] * hats[k]).sum();
                    let height = face.height(&place);
                    if height > above || height < -below || face.along(at).1 > tolerance || is_halving(shares, edge) {
                        continue;
                    }
                    let ends = [edge[0].min(edge[1]), edge[0].max(edge[1])];
                    let is_way_in = face.is_way_in(ends.map(|p| face.flat(&self.places[p as usize])), at);
                    if !out.iter().any(|c| c.ends == ends && c.is_way_in == is_way_in) {
                        out.push(Crossing { ends, is_way_in, place });
                    }
                }
            }
        }
        out.sort_by_key(|c| (c.ends, c.is_way_in));
        out
    }

    /// A facet with an edge.
    fn facet_at(&self, [a, b]: [u32; 2]) -> Option<usize> {
        let around = self.facets_around(a as usize).iter().map(|f| *f as usize);
        around.filter(|f| self.facets[*f].contains(&b)).min()
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
fn is_halving(shares: &[(Corners, f64)], [a, b]: [u32; 2]) -> bool {
    let goes = |corners: &Corners, from: u32, to: u32| (0..3).any(|k| corners[k] == from && corners[(k + 1) % 3] == to);
    let has = |from: u32, to: u32| shares.iter().any(|(corners, part)| *part < 1.0 && goes(corners, from, to));
    has(a, b) && has(b, a)
}
