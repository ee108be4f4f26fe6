//! Contact points of two skins. The finer looks first: where its facets are covered by the other its points are joined to it by what they share
//! ([`super::mortar`]); elsewhere, at rims and edges, every point of either looks for the surface that it is nearest to.

use std::collections::BTreeMap;

use mpcd_core::{ContactGeometry, ContactKey, Vec3};

use super::meet::{CORNER, OF_OTHER, Obstacles, SkinTouch};
use super::mortar::{Joint, LEVEL, Mortar};
use super::nearest::Among;
use super::{BodySkin, Nearest, SAME, Skin, SurfacePoint};
use crate::narrow::Buffers;

/// Two skins, the finer first, or twice a skin that meets itself, and what is known of their contacts on the way.
pub(super) struct Pair<'a> {
    pub(super) sides: [&'a BodySkin<'a>; 2],
    /// Whether the finer is the candidate.
    in_order: bool,
    /// Points of the finer that are joined, in rising order, and their gaps (m).
    pub(super) joined: Vec<(usize, f64)>,
    /// Contacts that are not of joined points, by the facets of the finer that they lie on: the finer's point where it is one.
    pub(super) loose: BTreeMap<usize, Vec<(usize, Option<usize>)>>,
}

/// Part by which sizes of facets differ that are alike but for rounding.
const ALIKE: f64 = 1e-6;

/// A contact point before it is one: sides and places on the finer and the coarser skin, the normal from the coarser to the finer.
pub(super) struct Meeting<'a> {
    pub(super) sides: [&'a SurfacePoint; 2],
    pub(super) places: [Vec3; 2],
    pub(super) normal: Vec3,
    pub(super) gap: f64,
    pub(super) area: f64,
}

impl Obstacles<'_> {
    pub(super) fn with_skin(&self, own: &BodySkin<'_>, other: &BodySkin<'_>, buffers: &mut Buffers, out: &mut Vec<SkinTouch>) {
        if own.box_apart(&other.skin.bounds()) > self.alert {
            return;
        }
        let grains = [own.skin.grain_towards(other.skin), other.skin.grain_towards(own.skin)];
        let in_order = grains[0] <= grains[1] * (1.0 + ALIKE);
        let sides = if in_order { [own, other] } else { [other, own] };
        let mut pair = Pair::new(sides, in_order);
        let mut mortar = Mortar::new(sides[0].skin, sides[1].skin, self.alert);
        self.finer_points(&mut pair, &mut mortar, buffers, out);
        self.coarser_points(&mut pair, buffers, out);
        self.crossed_edges(&mut pair, buffers, out);
        pair.share_areas(&mut mortar, out);
    }

    /// What the points of the finer skin touch.
    fn finer_points(&self, pair: &mut Pair<'_>, mortar: &mut Mortar<'_>, buffers: &mut Buffers, out: &mut Vec<SkinTouch>) {
        let [fine, coarse] = pair.sides;
        fine.skin.points_near(coarse.skin.bounds(), self.alert, |p| {
            let feature = pair.feature(p, pair.in_order);
            let Some(at) = self.look(fine, p, coarse) else {
                let Some(at) = self.tips(fine, p, coarse) else { return };
                let at = at.below(coarse.skin, &fine.skin.places[p]);
                let area = 0.5 * (fine.area(p, &at.normal) + at.corner.map_or(0.0, |q| coarse.area(q, &-at.normal)));
                out.push(self.between(pair, feature, &at.meeting(fine, p, area)));
                return;
            };
            if let Some(joint) = mortar.joint(p, &-at.normal) {
                self.join(pair, (p, feature), &joint, out);
                return;
            }
            let turned = self.point_behind_rim((fine, p), coarse, &at);
            let at = turned.unwrap_or(at);
            if self.facet_goes_past((fine, p), coarse, &at, buffers) {
                return;
            }
            let twin = self.twin((fine, p), coarse, &at, buffers);
            let at = match &twin {
                Some((q, back)) => at.met(&fine.skin.places[p], (coarse.skin.points()[*q].clone(), coarse.skin.places[*q]), back),
                None => at,
            };
            let at = at.below(coarse.skin, &fine.skin.places[p]);
            for f in mortar.looking(p, &-at.normal) {
                pair.loose.entry(f).or_default().push((out.len(), Some(p)));
            }
            let area = 0.5 * (fine.area(p, &at.normal) + twin.map_or(0.0, |(q, _)| coarse.area(q, &-at.normal)));
            out.push(self.between(pair, feature, &at.meeting(fine, p, area)));
        });
        pair.joined.sort_unstable_by_key(|(p, _)| *p);
    }

    /// A joined point of the finer skin and its contact.
    pub(super) fn join(&self, pair: &mut Pair<'_>, (point, feature): (usize, u64), joint: &Joint, out: &mut Vec<SkinTouch>) {
        let normal = joint.normal;
        let gap = normal.dot(&(joint.places[0] - joint.places[1]));
        pair.joined.push((point, gap));
        if gap <= self.alert {
            let [own, other] = &joint.sides;
            let meeting = Meeting { sides: [own, other], places: joint.places, normal, gap, area: joint.area * pair.thickness() };
            out.push(self.between(pair, feature, &meeting));
        }
    }

    /// What the points of the other touch where they do not lie on a facet of joined points.
    fn coarser_points(&self, pair: &mut Pair<'_>, buffers: &mut Buffers, out: &mut Vec<SkinTouch>) {
        let [fine, coarse] = pair.sides;
        coarse.skin.points_near(fine.skin.bounds(), self.alert, |p| {
            let Some(at) = self.look(coarse, p, fine) else { return };
            if pair.is_held(&at) {
                return;
            }
            let turned = self.point_behind_rim((coarse, p), fine, &at);
            let at = turned.unwrap_or(at);
            if self.facet_goes_past((coarse, p), fine, &at, buffers) || self.twin((coarse, p), fine, &at, buffers).is_some() {
                return;
            }
            pair.loose.entry(at.facet).or_default().push((out.len(), None));
            let at = at.below(fine.skin, &coarse.skin.places[p]);
            let meeting = at.met_by(coarse, p);
            out.push(self.between(pair, pair.feature(p, !pair.in_order), &meeting));
        });
    }

    /// Where an edge of one crosses an edge of the other.
    fn crossed_edges(&self, pair: &mut Pair<'_>, buffers: &mut Buffers, out: &mut Vec<SkinTouch>) {
        self.crossings(pair.sides, buffers, |edges| {
            pair.loose.entry(edges.facet).or_default().push((out.len(), None));
            let [(own, x), (other, y)] = &edges.sides;
            let area = CORNER * pair.sides[0].skin.depth.area(&pair.sides[0].skin.facet_places(edges.facet));
            let meeting = Meeting { sides: [own, other], places: [*x, *y], normal: -edges.normal, gap: edges.gap, area };
            out.push(self.between(pair, OF_OTHER | edges.name, &meeting));
        });
    }

    /// The nearest place on another skin that a point touches.
    fn look(&self, from: &BodySkin<'_>, point: usize, to: &BodySkin<'_>) -> Option<Nearest> {
        let at = (&from.skin.places[point], &from.skin.inner[point]);
        to.skin.nearest_of_sharp(at, self.alert, to.depth(), &Among::all(&|n| from.skin.faces(point, n)))
    }

    /// Where a point of a skin comes past the rim of what it looks at.
    fn point_behind_rim(&self, (from, p): (&BodySkin<'_>, usize), to: &BodySkin<'_>, at: &Nearest) -> Option<Nearest> {
        let apart = from.skin.ways[p] - to.skin.way_at(at.facet, &at.place);
        self.behind_rim(to, (at, &from.skin.places[p], apart), |n| {
            from.skin.outward(p, &-n).is_some_and(|out| out.dot(n) < -SAME)
        })
    }

    /// A corner of the other skin that points at one.
    fn tips(&self, from: &BodySkin<'_>, point: usize, to: &BodySkin<'_>) -> Option<Nearest> {
        let facing = |n: &Vec3| from.skin.faces(point, n);
        let among = Among::all(&facing);
        let at = to.skin.nearest_corner(&from.skin.places[point], self.alert, to.depth(), &among)?;
        at.tip_to_tip(to.skin, (from.skin, point)).filter(|at| at.gap <= self.alert)
    }

    /// The point of the other skin that is nearest to a point and has that as its own nearest, and what that sees: the two are one contact.
    fn twin(
        &self,
        (from, point): (&BodySkin<'_>, usize),
        to: &BodySkin<'_>,
        at: &Nearest,
        buffers: &mut Buffers,
    ) -> Option<(usize, Nearest)> {
        let back = at.corner.and_then(|q| Some((q, self.look(to, q, from)?)));
        back.filter(|(q, back)| back.corner == Some(point) && !self.facet_goes_past((to, *q), from, back, buffers))
    }

    pub(super) fn between(&self, pair: &Pair<'_>, feature: u64, at: &Meeting<'_>) -> SkinTouch {
        let [c, a] = if pair.in_order { [0, 1] } else { [1, 0] };
        let n = if pair.in_order { at.normal } else { -at.normal };
        let key = ContactKey { candidate: pair.sides[c].body, antagonist: pair.sides[a].body, feature };
        let side = |k: usize| (at.places[k], pair.sides[k].centre);
        let touch = self.touch(key, n, at.gap, at.area, (side(c), side(a)));
        let [candidate, antagonist] = [c, a].map(|k| at.sides[k].clone());
        // Both sides are on one body: what counts in motion is how they move against each other.
        let apart = (key.candidate == key.antagonist).then(|| {
            let mut apart = candidate.clone();
            apart.add_point(&antagonist, -1.0);
            apart
        });
        SkinTouch { touch, candidate: Some(candidate), antagonist: Some(antagonist), apart, place: 0 }
    }
}

impl Nearest {
    /// A contact of a point of the finer skin here.
    pub(super) fn meeting<'a>(&'a self, fine: &'a BodySkin<'_>, point: usize, area: f64) -> Meeting<'a> {
        Meeting {
            sides: [&fine.skin.points()[point], &self.on],
            places: [fine.skin.places[point], self.place],
            normal: self.normal,
            gap: self.gap,
            area,
        }
    }

    /// The same of a point of the coarser skin, for which it is on the finer.
    pub(super) fn met_by<'a>(&'a self, coarse: &'a BodySkin<'_>, point: usize) -> Meeting<'a> {
        Meeting {
            sides: [&self.on, &coarse.skin.points()[point]],
            places: [self.place, coarse.skin.places[point]],
            normal: -self.normal,
            gap: self.gap,
            area: 0.5 * coarse.area(point, &self.normal),
        }
    }
}

impl<'a> Pair<'a> {
    pub(super) const fn new(sides: [&'a BodySkin<'a>; 2], in_order: bool) -> Self {
        Self { sides, in_order, joined: Vec::new(), loose: BTreeMap::new() }
    }

    /// Thickness (m) that both have, in the plane; 1 of others.
    const fn thickness(&self) -> f64 {
        let [a, b] = self.sides;
        a.skin.depth.thickness().min(b.skin.depth.thickness())
    }

    /// Gap of a point of the finer that is joined (m).
    fn gap_of(&self, point: usize) -> Option<f64> {
        self.joined.binary_search_by_key(&point, |(p, _)| *p).ok().map(|k| self.joined[k].1)
    }

    fn is_joined(&self, point: usize) -> bool {
        self.gap_of(point).is_some()
    }

    /// Gap (m) of the joined points around a place of the finer: that of the facet, or of the corner there; `None` where these are not joined.
    fn joined_gap(&self, at: &Nearest) -> Option<f64> {
        let fine = self.sides[0].skin;
        let corners = &fine.facets[at.facet][..fine.depth.corners()];
        let weights = fine.foot(at.facet, &at.place).weights;
        let gaps = corners.iter().zip(weights).map(|(q, w)| self.gap_of(*q as usize).map(|gap| gap * w));
        gaps.sum::<Option<f64>>().or_else(|| at.corner.and_then(|q| self.gap_of(q)))
    }

    /// Whether joined points hold what is at a place of the finer. The integrals of a coarse side do not hold what stands out of it by far: what is
    /// deeper than the two are there.
    pub(super) fn is_held(&self, at: &Nearest) -> bool {
        let stands_out = |even: f64| at.gap < even.min(0.0) - LEVEL * self.sides[0].skin.size_of(at.facet);
        self.joined_gap(at).is_some_and(|even| !stands_out(even))
    }

    /// What a point is called: of the candidate's skin, or of the antagonist's.
    const fn feature(&self, point: usize, of_candidate: bool) -> u64 {
        if of_candidate { point as u64 } else { OF_OTHER | point as u64 }
    }

    /// Shares what the skins have in common, as far as it is not that of joined points, among the contacts on each facet: half of it to points of
    /// the finer and half to those of the other, where there are both. Contacts of edges and corners, which share nothing, keep what they have.
    pub(super) fn share_areas(&self, mortar: &mut Mortar<'_>, out: &mut [SkinTouch]) {
        let mut shared: BTreeMap<usize, f64> = BTreeMap::new();
        for (&facet, contacts) in &self.loose {
            let corner_of: Vec<Option<usize>> =
                contacts.iter().map(|(_, point)| point.and_then(|p| mortar.corner(facet, p))).collect();
            let corners = mortar.corners(facet);
            let hats = mortar.cover(facet).hats;
            let whole: f64 = (0..corners.len()).filter(|k| !self.is_joined(corners[*k] as usize)).map(|k| hats[k]).sum();
            if whole <= 0.0 {
                continue;
            }
            let others = corner_of.iter().filter(|c| c.is_none()).count();
            let part = if others == 0 { 1.0 } else { 0.5 };
            let taken: f64 = corner_of.iter().flatten().map(|k| part * hats[*k]).sum();
            let left = (whole - taken) / if others == 0 { contacts.len() } else { others } as f64;
            for ((contact, _), corner) in contacts.iter().zip(&corner_of) {
                let own = corner.map_or(0.0, |k| part * hats[k]);
                let given = if others == 0 || corner.is_none() { left } else { 0.0 };
                *shared.entry(*contact).or_default() += (own + given) * self.thickness();
            }
        }
        for (contact, area) in shared {
            out[contact].touch.geometry = ContactGeometry::Flat { area };
        }
    }
}

impl Skin {
    /// Mean size at the start (m², in the plane m) of the facets that look to the side on which another skin is: the axis along which their boxes are farthest
    /// apart. Where bodies slide over each other, or strain, it stays what it is, so that the same one has the contact points, and what laws remember of them stays.
    fn grain_towards(&self, other: &Self) -> f64 {
        let ([a, b], [c, d]) = (self.bounds(), other.bounds());
        let axes = self.depth.corners();
        let (_, way) = (0..axes).fold((f64::NEG_INFINITY, Vec3::zeros()), |best: (f64, Vec3), k| {
            let (apart, sign) = if c[k] - b[k] >= a[k] - d[k] { (c[k] - b[k], 1.0) } else { (a[k] - d[k], -1.0) };
            if apart > best.0 { (apart, Vec3::ith(k, sign)) } else { best }
        });
        let looking = (0..self.facets.len()).filter(|f| self.normals[*f].dot(&way) > 0.5);
        let (sum, count) = looking.fold((0.0, 0.0), |(sum, count), f| (sum + self.measures[f], count + 1.0));
        if count > 0.0 { sum / count } else { f64::INFINITY }
    }
}
