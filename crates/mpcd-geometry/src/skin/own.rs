//! Contact points of a skin with itself: every point looks for the facets that look at it across a gap, not for those it lies between nor for the
//! back of the wall that it is on. Of the two sides that meet so one has the contact points ([`super::sides`]), joined to the other as two skins
//! are ([`super::pair`]).

use mpcd_core::Vec3;

use super::meet::{Obstacles, SkinTouch};
use super::mortar::Mortar;
use super::nearest::Among;
use super::pair::Pair;
use super::sides::Role;
use super::{BodySkin, Nearest, OPPOSED, Skin};

/// How deep a point may be behind a facet of its own body, over the size of that, and over the thickness of the wall that it is on.
const DEPTH: f64 = 0.25;
/// How far walls are looked for, over the size of a facet.
const FAR: f64 = 4.0;

/// A point that is the nearest of its own nearest point, and what it sees.
type Twin = Option<(usize, Nearest)>;

impl Obstacles<'_> {
    pub(super) fn with_itself(&self, own: &BodySkin<'_>, out: &mut Vec<SkinTouch>) {
        let skin = own.skin;
        let mut pair = Pair::new([own, own], true);
        let mut mortar = Mortar::within(skin, self.alert);
        let mut touched = Vec::new();
        for p in 0..skin.points.len() {
            if let Some(joint) = skin.beside_tip(p).and_then(|n| mortar.joint(p, &n)) {
                self.join(&mut pair, (p, p as u64), &joint, out);
                continue;
            }
            let Some(at) = self.across(skin, p, Skin::nearest_of_sharp) else {
                self.own_tips(&pair, p, out);
                continue;
            };
            let role = skin.role(p, &at);
            if role == Role::Coarser {
                touched.push((p, at));
                continue;
            }
            let joint = if role == Role::Finer { mortar.joint(p, &-at.normal) } else { None };
            if let Some(joint) = joint {
                self.join(&mut pair, (p, p as u64), &joint, out);
                continue;
            }
            let twin = self.own_twin(skin, p, &at);
            if skin.is_of_twin((p, role), &twin) {
                continue;
            }
            if role == Role::Finer {
                let facets = mortar.looking(p, &-at.normal).filter(|f| skin.meets(*f, at.facet).is_some());
                facets.for_each(|f| pair.loose.entry(f).or_default().push((out.len(), Some(p))));
            }
            self.own_point(&pair, p, at, twin, out);
        }
        touched.retain(|(_, at)| !pair.is_held(at));
        for (p, at) in touched {
            let twin = self.own_twin(skin, p, &at);
            if skin.is_of_twin((p, Role::Coarser), &twin) {
                continue;
            }
            pair.loose.entry(at.facet).or_default().push((out.len(), None));
            let at = at.below(skin, &skin.places[p]);
            out.push(self.between(&pair, p as u64, &at.met_by(own, p)));
        }
        pair.share_areas(&mut mortar, out);
    }

    /// The contact of a point where it is not joined.
    fn own_point(&self, pair: &Pair<'_>, p: usize, at: Nearest, twin: Twin, out: &mut Vec<SkinTouch>) {
        let own = pair.sides[0];
        let (skin, place) = (own.skin, own.skin.places[p]);
        let at = match &twin {
            Some((q, back)) => at.met(&place, (skin.points[*q].clone(), skin.places[*q]), back),
            None => at,
        };
        let at = at.below(skin, &place);
        let area = 0.5 * (own.area(p, &at.normal) + twin.map_or(0.0, |(q, _)| own.area(q, &-at.normal)));
        out.push(self.between(pair, p as u64, &at.meeting(own, p, area)));
    }

    /// The contact of a corner with one that points at it, which the first of the two has.
    fn own_tips(&self, pair: &Pair<'_>, p: usize, out: &mut Vec<SkinTouch>) {
        let own = pair.sides[0];
        let found = self.across(own.skin, p, |skin, x, reach, depth, among| {
            skin.nearest_corner(x.0, reach, depth, among).and_then(|at| at.tip_to_tip(skin, (skin, p)))
        });
        let Some(at) = found.filter(|at| at.corner.is_none_or(|q| q >= p)) else { return };
        let at = at.below(own.skin, &own.skin.places[p]);
        let area = 0.5 * (own.area(p, &at.normal) + at.corner.map_or(0.0, |q| own.area(q, &-at.normal)));
        out.push(self.between(pair, p as u64, &at.meeting(own, p, area)));
    }

    /// The point that is nearest to a point and has that as its own nearest, and what that sees: the two are one contact.
    fn own_twin(&self, skin: &Skin, point: usize, at: &Nearest) -> Twin {
        let back = at.corner.and_then(|q| Some((q, self.across(skin, q, Skin::nearest_of_sharp)?)));
        back.filter(|(_, back)| back.corner == Some(point))
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
        let deepest = |f: usize| skin.deepest_of(point, f);
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
    /// Whether the twin of a point has the contact of the two.
    fn is_of_twin(&self, (point, role): (usize, Role), twin: &Twin) -> bool {
        twin.as_ref().is_some_and(|(q, back)| (self.role(*q, back), *q) < (role, point))
    }

    /// The normal of a facet around a point that has contact points on a facet of the point's neighbourhood, as the sides of a slit have beside its
    /// tip; `None` of others, and of the tip, which is on both.
    fn beside_tip(&self, point: usize) -> Option<Vec3> {
        let around = self.facets_around(point);
        let has = |f: usize, g: usize| self.normals[f].dot(&self.normals[g]) <= -OPPOSED && self.meets(f, g).is_some();
        let is_tip = around.iter().any(|f| around.iter().any(|g| has(*f as usize, *g as usize)));
        if is_tip {
            return None;
        }
        let near = self.neighbourhood(point);
        let own = around.iter().find(|f| near.iter().any(|g| has(**f as usize, *g as usize)))?;
        Some(self.normals[*own as usize])
    }

    /// How deep (m) a point may be behind a facet of its own body.
    fn deepest_of(&self, point: usize, other: usize) -> f64 {
        DEPTH * self.size_of(other).min(self.wall[point])
    }

    /// The same of a facet.
    pub(super) fn deepest(&self, facet: usize, other: usize) -> f64 {
        let corners = &self.facets[facet][..self.depth.corners()];
        corners.iter().map(|p| self.deepest_of(*p as usize, other)).fold(f64::INFINITY, f64::min)
    }

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
