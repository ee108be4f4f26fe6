//! Contact points of the round parts of a rigid body with facets that are not the nearest to them: a ball in a groove of one skin rests on both its flanks, and pressed into it by one it would hop
//! from one to the other. The nearest facet is in [`super::rigid`].

use mpcd_core::{BodyId, ContactKey, Vec3};

use super::meet::{CORNER, OF_OTHER, Obstacles, SkinTouch};
use super::nearest::SNAP;
use super::rigid::{BESIDE, is_in_cavity};
use super::{BodySkin, Skin};
use crate::{
    narrow::{Buffers, Item, mix},
    touch::Touch,
};

/// Marks the names of contact points on flanks.
const ON_FLANK: u64 = 4;

/// Part of a radius up to which a node touches.
const TOUCHES: f64 = 1e-4;

/// Cosine of the angle by which two facets of one flank look different ways and are two: the sides of a channel whose bottom is round.
const AROUND: f64 = 0.5;

/// A facet that a round part touches, where and how far (m) below it.
struct Below {
    facet: usize,
    on: super::SurfacePoint,
    place: Vec3,
    gap: f64,
}

/// A flank that something round touches: where, and by which contact point if that was there before.
struct Touched {
    flank: u32,
    facet: usize,
    normal: Vec3,
    by: Option<usize>,
}

impl Touched {
    /// Whether a facet of a flank, with this normal, is where it touches: what is pressed into one flank bends it, and touches all of it.
    fn is_as(&self, flank: u32, normal: &Vec3) -> bool {
        self.normal.dot(normal) > if self.flank == flank { AROUND } else { BESIDE }
    }
}

impl Obstacles<'_> {
    /// Adds the contact points of the round parts of a rigid body with the facets straight below them that look another way than what they touch already; `out` has the others of this body from
    /// `first` on. Where a part rests on several flanks its points are named by these, so that each keeps its name when another is nearer.
    pub(super) fn on_flanks(
        &self,
        own: &BodySkin<'_>,
        (rigid, body): (&Item<'_>, BodyId),
        (first, buffers, out): (usize, &mut Buffers, &mut Vec<SkinTouch>),
    ) {
        self.corners_of(rigid, &mut |feature, centre, radius, _| {
            if radius <= 0.0 {
                return;
            }
            let mut below = self.below(own, &centre, radius);
            let mut touched = self.touched(own, &below, (radius, &out[first..]));
            let (from, nearest) = (out.len(), OF_OTHER | feature);
            let of_nearest = touched.iter().find(|t| t.by.is_some_and(|k| out[first + k].touch.key.feature == nearest));
            let of_nearest = of_nearest.and_then(|t| Some((first + t.by?, t.facet)));
            below.sort_by(|a, b| a.gap.total_cmp(&b.gap).then(a.facet.cmp(&b.facet)));
            for below in below {
                let n = own.skin.normals[below.facet];
                let flank = own.skin.flanks[below.facet];
                let (on_round, size) = (centre - n * radius, own.skin.size_of(below.facet));
                if touched.iter().any(|t| t.is_as(flank, &n))
                    || is_in_cavity(rigid, &below.place)
                    || self.is_covered((own.body, body), (&on_round, &-n, below.gap), size, buffers)
                {
                    continue;
                }
                touched.push(Touched { flank, facet: below.facet, normal: n, by: None });
                let feature = name(own.skin, below.facet, feature, &out[first..]);
                let key = ContactKey { candidate: own.body, antagonist: body, feature };
                let area = CORNER * own.skin.depth.area(&own.skin.facet_places(below.facet));
                let touch = self.touch(key, -n, below.gap, area, ((below.place, own.centre), (below.place, rigid.x)));
                let touch = Touch { growth_antagonist: -n.dot(&(on_round - rigid.x)) / rigid.size, ..touch };
                out.push(SkinTouch { touch, candidate: Some(below.on), antagonist: None, apart: None, place: 0 });
            }
            if let Some((k, facet)) = of_nearest.filter(|_| out.len() > from) {
                out[k].touch.key.feature = name(own.skin, facet, feature, &out[first..]);
            }
        });
    }

    /// The flanks that something round touches by the contact points that there are: those below it that one is on, and those of nodes inside of a flank.
    fn touched(&self, own: &BodySkin<'_>, below: &[Below], (radius, touches): (f64, &[SkinTouch])) -> Vec<Touched> {
        let skin = own.skin;
        let mut out = Vec::new();
        for (k, touch) in touches.iter().enumerate() {
            let (n, place) = (-touch.touch.frame.n, touch.touch.arm_candidate + own.centre);
            if touch.touch.key.feature & OF_OTHER == 0 {
                let around = skin.facets_around((touch.touch.key.feature >> 8) as usize);
                let Some(&facet) = around.first() else { continue };
                let flank = skin.flanks[facet as usize];
                if touch.touch.gap <= TOUCHES * radius && around.iter().all(|f| skin.flanks[*f as usize] == flank) {
                    out.push(Touched { flank, facet: facet as usize, normal: n, by: Some(k) });
                }
            }
            for below in below {
                let near = if touch.touch.key.feature & OF_OTHER == 0 { SNAP * skin.size_of(below.facet) } else { radius };
                if n.dot(&skin.normals[below.facet]) > BESIDE && (place - below.place).norm() <= near {
                    let (facet, flank) = (below.facet, skin.flanks[below.facet]);
                    out.push(Touched { flank, facet, normal: skin.normals[facet], by: Some(k) });
                }
            }
        }
        out
    }

    /// The facets straight below something round that it touches, or nearly.
    fn below(&self, own: &BodySkin<'_>, centre: &Vec3, radius: f64) -> Vec<Below> {
        let mut facets = Vec::new();
        own.skin.facets_near([*centre; 2], radius + self.alert, |f| facets.push(f));
        facets.sort_unstable();
        let mut out = Vec::new();
        for facet in facets {
            let n = own.skin.normals[facet];
            let Some((on, place)) = own.skin.over(facet, centre) else { continue };
            let height = n.dot(&(centre - place));
            let gap = height - radius;
            let is_near = height > 0.0 && gap <= self.alert && gap >= -own.depth();
            // behind a facet may be a hollow that it has its back to
            if is_near && (gap >= 0.0 || own.skin.holds_behind(facet, &(centre - n * radius), -gap)) {
                out.push(Below { facet, on, place, gap });
            }
        }
        out
    }
}

/// The name of a contact point on a flank, which none of `others` has.
fn name(skin: &Skin, facet: usize, feature: u64, others: &[SkinTouch]) -> u64 {
    let of = |number: u64, kind: u64| OF_OTHER | mix(mix(ON_FLANK + kind, number), feature) >> 2;
    let by_flank = of(skin.flanks[facet].into(), 0);
    let is_taken = others.iter().any(|t| t.touch.key.feature == by_flank);
    if is_taken { of(facet as u64, 2) } else { by_flank }
}

/// The flank of each facet, by its lowest facet: those that hang together and bend by little from one to the next.
#[allow(clippy::cast_possible_truncation, reason = "a skin has fewer than 2³² facets")]
pub(super) fn flanks(beside: &[[u32; 3]], normals: &[Vec3]) -> Vec<u32> {
    let mut of = vec![u32::MAX; beside.len()];
    let mut open = Vec::new();
    for start in 0..beside.len() {
        if of[start] != u32::MAX {
            continue;
        }
        of[start] = start as u32;
        open.push(start);
        while let Some(f) = open.pop() {
            for g in beside[f].into_iter().filter(|g| *g != u32::MAX).map(|g| g as usize) {
                if of[g] == u32::MAX && normals[f].dot(&normals[g]) > BESIDE {
                    of[g] = start as u32;
                    open.push(g);
                }
            }
        }
    }
    of
}
