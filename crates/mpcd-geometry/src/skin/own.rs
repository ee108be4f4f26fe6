//! Contact points of a skin with itself: every point looks for the facets that look at it across a gap, not for those it lies between nor for the
//! back of the wall that it is on.

use mpcd_core::{ContactKey, Vec3};

use super::meet::{Obstacles, SkinTouch};
use super::nearest::Among;
use super::{BodySkin, Nearest, Skin};

/// How deep a point may be behind a facet of its own body, over the size of that, and over the thickness of the wall that it is on.
const DEPTH: f64 = 0.25;
/// How far walls are looked for, over the size of a facet.
const FAR: f64 = 4.0;

impl Obstacles<'_> {
    pub(super) fn with_itself(&self, own: &BodySkin<'_>, out: &mut Vec<SkinTouch>) {
        let skin = own.skin;
        for p in 0..skin.points.len() {
            let place = skin.places[p];
            let (at, twin) = match self.across(skin, p, Skin::nearest_of_sharp) {
                Some(at) => {
                    let back = at.corner.and_then(|q| Some((q, self.across(skin, q, Skin::nearest_of_sharp)?)));
                    match back.filter(|(_, back)| back.corner == Some(p)) {
                        Some((q, back)) => (at.met(&place, (skin.points[q].clone(), skin.places[q]), &back), Some(q)),
                        None => (at, None),
                    }
                }
                None => {
                    let found = self.across(skin, p, |skin, x, reach, depth, among| {
                        skin.nearest_corner(x.0, reach, depth, among).and_then(|at| at.tip_to_tip(skin, (skin, p)))
                    });
                    let Some(at) = found else { continue };
                    let twin = at.corner;
                    (at, twin)
                }
            };
            // Of two points that are each other's nearest the first has the contact.
            if twin.is_some_and(|q| q < p) {
                continue;
            }
            let at = at.below(skin, &place);
            let area = 0.5 * (own.area(p, &at.normal) + twin.map_or(0.0, |q| own.area(q, &-at.normal)));
            let key = ContactKey { candidate: own.body, antagonist: own.body, feature: p as u64 };
            let touch = self.touch(key, at.normal, at.gap, area, ((place, own.centre), (at.place, own.centre)));
            // Both sides are on one body: what counts in motion is how they move against each other.
            let mut apart = skin.points[p].clone();
            apart.add_point(&at.on, -1.0);
            let candidate = Some(skin.points[p].clone());
            out.push(SkinTouch { touch, candidate, antagonist: Some(at.on), apart: Some(apart), place: 0 });
        }
    }

    /// Where a point meets its own skin.
    fn across(
        &self,
        skin: &Skin,
        point: usize,
        look: impl Fn(&Skin, (&Vec3, &Vec3), f64, f64, &Among<'_>) -> Option<Nearest>,
    ) -> Option<Nearest> {
        let around = skin.neighbourhood(point);
        let x = skin.places[point];
        let deepest = |f: usize| DEPTH * skin.size_of(f).min(skin.wall[point]);
        let other = |f: usize| {
            let behind = skin.normals[f].dot(&(skin.places[skin.facets[f][0] as usize] - x));
            around.binary_search(&(f as u32)).is_err() && behind <= deepest(f)
        };
        let among = Among { facets: &other, normals: &|n: &Vec3| skin.faces(point, n), apart: false };
        let depth = self.alert + DEPTH * skin.size_of(skin.home[point] as usize);
        let at = look(skin, (&x, &skin.inner[point]), self.alert, depth, &among)?;
        (at.gap >= -deepest(at.facet)).then_some(at)
    }
}

impl Skin {
    /// Distance (m) from a point to the nearest facet that looks the other way and that it is behind; infinite where that is beyond some facets'
    /// size, for then the facets say how deep a point may be.
    pub(super) fn wall_behind(&self, point: usize) -> f64 {
        let x = self.places[point];
        let behind = |f: usize| self.normals[f].dot(&(self.places[self.facets[f][0] as usize] - x)) > 0.0;
        let normals = |n: &Vec3| self.faces(point, n);
        let far = FAR * self.size_of(self.home[point] as usize);
        let at = self.nearest_among(&x, far, far, &Among { facets: &behind, normals: &normals, apart: false });
        at.map_or(f64::INFINITY, |at| at.gap.abs())
    }

    /// The facets around a point and those that these touch, in rising order.
    fn neighbourhood(&self, point: usize) -> Vec<u32> {
        let corners = self.depth.corners();
        let points = self.facets_around(point).iter().flat_map(|f| self.facets[*f as usize][..corners].iter());
        let mut out: Vec<u32> = points.flat_map(|p| self.facets_around(*p as usize)).copied().collect();
        out.sort_unstable();
        out.dedup();
        out
    }
}
