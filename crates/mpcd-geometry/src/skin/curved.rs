//! What the contact points of a curved rigid body on a skin stand for: together what the body has on a plane that looks as the skin does there, as far as the
//! skin faces it, each its part of it. Who touches, and flat faces ([`super::common`]), are not here.

use std::f64::consts::PI;

use mpcd_core::{ContactGeometry, Dimension, Quat, Vec3, patch::LEVEL};

use super::common::ALONG;
use super::facing::{Across, Outline};
use super::meet::{OF_OTHER, Obstacles, SkinTouch};
use super::patch::flat;
use super::rigid::outsides;
use super::{BodySkin, Depth};
use crate::{
    narrow::{Buffers, Item, Search, Spot, meet, radius_across},
    shape::{Core, Shape},
    touch::Touch,
};

/// Part of a radius up to which a point that is farther than the nearest touches as that does.
const TOUCHES: f64 = 1e-4;

/// Part of a length, and of a radius, below which two places are one.
const SAME: f64 = 1e-6;

/// Cosine, off 1, above which a normal is not that of a face.
const FACE: f64 = 1e-6;

/// Part of a cross-section that may face nothing where all of it does.
const ALL: f64 = 1e-9;

/// Part of the length of a straight line along which a skin touches that lies on it.
const LIES: f64 = 0.5;

/// Part of how deep a body is pressed in along a line by which its surface may rise beside it where a point counts as one of the line.
const BESIDE_LINE: f64 = 0.05;

/// Cosine, off 1, above which a node beside a foot sees the body lean: 10⁻⁴ of the radius away.
const LEANS: f64 = 5e-9;

/// What stands for nothing.
const NOTHING: ContactGeometry = ContactGeometry::Flat { area: 0.0 };

/// A place of a body on a plane: its shape, the smaller radius (m), and where it is.
struct Place {
    geometry: ContactGeometry,
    least_radius: f64,
    at: Vec3,
}

impl Obstacles<'_> {
    /// Gives the contact points of a rigid body on a skin where it is curved their parts of what it has on a plane.
    pub(super) fn share_curved(
        &self,
        own: &BodySkin<'_>,
        (rigid, thickness): (&Item<'_>, f64),
        touches: &mut [SkinTouch],
        buffers: &mut Buffers,
    ) {
        let several = outsides(rigid).count() > 1;
        let is_ball = matches!(self.shapes[touches[0].touch.key.antagonist.index()], Shape::Ball { .. });
        let depth = own.skin.depth;
        let thickness = if let Depth::Thickness(own) = depth { own.min(thickness) } else { 1.0 };
        let mut number = 1;
        for part in outsides(rigid) {
            if matches!(part.core, Core::Mesh(_) | Core::HalfSpace { .. }) {
                continue;
            }
            let mut left: Vec<usize> =
                (0..touches.len()).filter(|k| !several || self.lies_on(&touches[*k], &part, buffers)).collect();
            left.sort_by(|a, b| touches[*a].touch.gap.total_cmp(&touches[*b].touch.gap).then(a.cmp(b)));
            let least = left.first().map_or(0.0, |k| touches[*k].touch.gap).max(0.0) + TOUCHES * part.reach;
            while let Some(&first) = left.first() {
                let (here, others) = side_of(own, &part, left, touches, least);
                left = others;
                // What is nearest to a flank, and does not touch it, is no contact of its own.
                if touches[first].touch.gap > least && is_flank(own, &touches[first].touch) {
                    here.iter().for_each(|k| touches[*k].touch.geometry = NOTHING);
                    continue;
                }
                let leads = leading(depth, &here, touches, least);
                let leading = &touches[leads].touch;
                let n = looking(own, &part, &leading.point, &leading.frame.n).unwrap_or(leading.frame.n);
                let lies = lying(&part, &n, here.iter().map(|k| &touches[*k].touch).filter(|t| t.gap <= least));
                let of = Of { own, thickness, is_ball, n: lies.unwrap_or(n) };
                let places = self.on_plane(&part, &touches[leads], &of, buffers);
                if places.iter().any(|p| !matches!(p.geometry, ContactGeometry::Flat { .. })) {
                    number = of.share(&places, number, &here, touches);
                } else if matches!(part.core, Core::Polytope { rounding, .. } if *rounding > 0.0) {
                    // Beyond the face it is round, and has nothing: what is over the face gets its part afterwards, and all of it is one place.
                    for k in here {
                        touches[k].place = number;
                        if touches[k].touch.frame.n.dot(&n) < 1.0 - FACE {
                            touches[k].touch.geometry = NOTHING;
                        }
                    }
                    number += 1;
                }
            }
        }
    }

    /// Whether a contact point is one of this part of a body.
    fn lies_on(&self, touch: &SkinTouch, part: &Item<'_>, buffers: &mut Buffers) -> bool {
        let touch = &touch.touch;
        let centre = self.kinematics.position[touch.key.antagonist.index()];
        let point = Core::Round { radius: 0.0, tapers: false };
        let x = centre + touch.arm_antagonist - touch.frame.n * touch.gap;
        let item = Item { core: &point, x, q: Quat::identity(), size: 1.0, reach: 0.0 };
        let near = TOUCHES * part.reach;
        buffers.spots.clear();
        meet(&item, part, &Search { dimension: self.dimension, alert: near }, buffers);
        buffers.spots.iter().any(|s| s.gap.abs() <= near)
    }

    /// What a part of a body has on a plane through the point of it that touches.
    fn on_plane(&self, part: &Item<'_>, touch: &SkinTouch, of: &Of<'_>, buffers: &mut Buffers) -> Vec<Place> {
        let touch = &touch.touch;
        let n = of.n;
        let centre = self.kinematics.position[touch.key.antagonist.index()];
        let plane = Core::HalfSpace { normal: -n };
        let x = centre + touch.arm_antagonist - touch.frame.n * touch.gap;
        let plane = Item { core: &plane, x, q: Quat::identity(), size: 1.0, reach: f64::INFINITY };
        buffers.spots.clear();
        meet(part, &plane, &Search { dimension: self.dimension, alert: self.alert }, buffers);
        let place = |s: &Spot| Place {
            geometry: of.geometry(s, self.dimension == Dimension::Planar),
            least_radius: s.least_radius().min(radius_across(part, &n, s)),
            at: s.on_first,
        };
        buffers.spots.iter().map(place).collect()
    }
}

/// The skin that a side of a body touches, what both are thick (m), whether the body is a ball, and the normal there.
struct Of<'a> {
    own: &'a BodySkin<'a>,
    thickness: f64,
    is_ball: bool,
    n: Vec3,
}

impl Of<'_> {
    /// The shape of a body where it touches a plane: in a plane a ball is round along z too, as is what lies on the axis of rings.
    fn geometry(&self, s: &Spot, planar: bool) -> ContactGeometry {
        let (depth, across) = (self.own.skin.depth, s.curvature[0]);
        let is_round = if depth == Depth::Ring { s.on_first.x * across <= SAME } else { self.is_ball };
        if planar && is_round && across > 0.0 {
            return ContactGeometry::Point { reduced_radius: 1.0 / across, roundness: 1.0 };
        }
        s.geometry(planar, self.thickness * depth.around(&s.on_first))
    }

    /// Shares what some places have among the contact points of one side of a body: those that touch, and are nearest there; the others have nothing, and are at the place all the
    /// same: the motion of the step may press them. The places are numbered from `number` on; the next one is what it says.
    fn share(&self, places: &[Place], mut number: u32, here: &[usize], touches: &mut [SkinTouch]) -> u32 {
        let radius = places.iter().map(|p| p.least_radius).fold(f64::INFINITY, f64::min);
        let off = TOUCHES * radius;
        let lines: Vec<&Place> = places.iter().filter(|p| matches!(p.geometry, ContactGeometry::Line { .. })).collect();
        let parts = match lines[..] {
            [a, b] if (b.at - a.at).norm() > SAME * radius => {
                let outline = Outline::Strip { ends: [a.at, b.at], half: section_radius(a) };
                let nearest = least_gap(here, touches).max(0.0) + off;
                let touching: Vec<usize> = here.iter().copied().filter(|k| touches[*k].touch.gap <= nearest).collect();
                let parts = along_line([a, b], &touching, touches, off);
                here.iter().for_each(|k| touches[*k].place = number);
                number += 1;
                self.facing(parts, &outline, None)
            }
            _ => {
                let mut all = Vec::new();
                for (place, around) in by_place(places, here, touches) {
                    let parts = parts_of(place, &around, touches, off);
                    if !matches!(place.geometry, ContactGeometry::Flat { .. }) {
                        around.iter().for_each(|k| touches[*k].place = number);
                    }
                    number += 1;
                    all.extend(self.facing_place(place, parts));
                }
                all
            }
        };
        here.iter().for_each(|k| touches[*k].touch.geometry = NOTHING);
        for (k, geometry, least_radius) in parts {
            (touches[k].touch.geometry, touches[k].touch.least_radius) = (geometry, least_radius);
        }
        number
    }

    fn facing_place(&self, place: &Place, parts: Vec<Part>) -> Vec<Part> {
        let radius = section_radius(place);
        let ball = matches!(place.geometry, ContactGeometry::Point { .. }).then_some(radius);
        if matches!(place.geometry, ContactGeometry::Flat { .. }) {
            return parts;
        }
        self.facing(parts, &Outline::Disc { at: place.at, radius }, ball)
    }

    /// Parts of a cross-section as far as the skin faces it: no bond is larger than what faces each other.
    fn facing(&self, parts: Vec<Part>, outline: &Outline, ball: Option<f64>) -> Vec<Part> {
        let whole: f64 = parts.iter().map(|(_, geometry, least)| geometry.section(*least)).sum();
        let across = Across::new(self.own.skin.depth, self.thickness, ball);
        let part = self.own.skin.facing(&self.n, outline, across, whole) / whole;
        if !(part > 0.0 && part < 1.0 - ALL) {
            return parts;
        }
        let limited = |(k, geometry, least): Part| match geometry {
            ContactGeometry::Point { reduced_radius, .. } => (k, geometry, least.min(2.0 * reduced_radius) * part.sqrt()),
            ContactGeometry::Line { reduced_radius, .. } => (k, geometry, least.min(2.0 * reduced_radius) * part),
            ContactGeometry::Flat { area } => (k, ContactGeometry::Flat { area: area * part }, least),
        };
        parts.into_iter().map(limited).collect()
    }
}

/// The radius (m) that the cross-section of a place has.
fn section_radius(place: &Place) -> f64 {
    match place.geometry {
        ContactGeometry::Point { reduced_radius, .. } | ContactGeometry::Line { reduced_radius, .. } => {
            place.least_radius.min(2.0 * reduced_radius)
        }
        ContactGeometry::Flat { .. } => 0.0,
    }
}

/// How a body that is curved in both directions looks against a skin as a whole, where a point of the skin touches it along `n`; `None` of other bodies. Its normal differs
/// from point to point of what it presses: it is the mean one of the skin below the body's shadow, and the axis of the body where it lies level on it, as a face would:
/// what is flat but for its rim has there the curvature that it has on a plane.
fn looking(own: &BodySkin<'_>, part: &Item<'_>, at: &Vec3, n: &Vec3) -> Option<Vec3> {
    let Core::Smooth(shape) = part.core else { return None };
    let direction = part.q.inverse_transform_vector(n);
    if shape.face_normal(&direction).is_some() {
        return None;
    }
    let radius = (shape.silhouette(&direction) / PI).sqrt() * part.size;
    let mut sum = Vec3::zeros();
    own.skin.facets_facing(n, &Outline::Disc { at: *at, radius }, |x| {
        let area = -own.skin.depth.flat_area(&x);
        if area.dot(n) >= ALONG * area.norm() {
            sum += area;
        }
    });
    let mean = part.q.inverse_transform_vector(&sum.try_normalize(0.0).unwrap_or(*n));
    let k = mean.iamax();
    let axis = Vec3::ith(k, 1.0_f64.copysign(mean[k]));
    let lies = axis.cross(&mean).norm() <= LEVEL && shape.curvature(&axis)[0] <= shape.curvature(&mean)[0];
    Some(part.q * if lies { axis } else { mean })
}

/// How a body with a straight line on its surface looks against a skin that touches along it: across the line. The skin's own normal where they are nearest leans along it where the
/// body has pressed it in. `None` of other bodies, and of one that touches with an end alone.
fn lying<'a>(part: &Item<'_>, n: &Vec3, touching: impl Iterator<Item = &'a Touch>) -> Option<Vec3> {
    let ends = match part.core {
        Core::Smooth(shape) => {
            let mut ends = Vec::new();
            let direction =
                shape.line(&part.q.inverse_transform_vector(n)).map(|line| flat(part.q.inverse_transform_vector(n), &line))?;
            shape.face_corners(&direction.try_normalize(0.0)?, &mut ends);
            ends
        }
        Core::Polytope { hull, rounding } if *rounding > 0.0 => hull.vertices().to_vec(),
        _ => return None,
    };
    let [a, b] = ends[..] else { return None };
    let way = part.q * (b - a) * part.size;
    let along = way.try_normalize(0.0)?;
    let across = flat(*n, &along).try_normalize(0.0)?;
    let [low, high] = touching
        .map(|t| along.dot(&t.point))
        .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], s| [low.min(s), high.max(s)]);
    (across.dot(n) >= ALONG && high - low >= LIES * way.norm()).then_some(across)
}

/// Whether a contact is of a point of the skin whose surface the normal leans from: something else of the skin is nearer to what it touches.
fn is_flank(own: &BodySkin<'_>, touch: &Touch) -> bool {
    let feature = touch.key.feature;
    feature & OF_OTHER == 0 && own.skin.leans((feature >> 8) as usize, &touch.frame.n, ALONG)
}

/// Which of the contact points of one side, sorted by gap, says what the body is there: the first, or of those that touch the one on the axis of rings.
fn leading(depth: Depth, here: &[usize], touches: &[SkinTouch], least: f64) -> usize {
    let on_axis = |k: &&usize| {
        let touch = &touches[**k].touch;
        depth == Depth::Ring && touch.gap <= least && touch.point.x <= SAME * touch.arm_antagonist.norm()
    };
    here.iter().find(on_axis).copied().unwrap_or(here[0])
}

/// A contact point, and the shape and the smaller radius (m) that it gets.
type Part = (usize, ContactGeometry, f64);

/// The least gap (m) of some contact points.
fn least_gap(some: &[usize], touches: &[SkinTouch]) -> f64 {
    some.iter().map(|k| touches[*k].touch.gap).fold(f64::INFINITY, f64::min)
}

/// The length of a line among what touches it: between two neighbours each has what is nearer to it, so that an even pressure keeps its middle. Beyond the
/// first and the last, where the skin has its rim, there is none. Of points side by side across the line those have it that are nearest, to `off` (m).
fn along_line([a, b]: [&Place; 2], touching: &[usize], touches: &[SkinTouch], off: f64) -> Vec<Part> {
    let (ContactGeometry::Line { reduced_radius, length: one }, ContactGeometry::Line { length: other, .. }) =
        (a.geometry, b.geometry)
    else {
        return Vec::new();
    };
    let (way, whole) = (b.at - a.at, (b.at - a.at).norm());
    let along = |k: usize| (way.dot(&(touches[k].touch.point - a.at)) / whole).clamp(0.0, whole);
    let mut order: Vec<(f64, usize)> = touching.iter().map(|k| (along(*k), *k)).collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let deepest = -least_gap(touching, touches);
    let rises = |k: usize| {
        let n = touches[k].touch.frame.n;
        let aside = flat(flat(touches[k].touch.point - a.at, &(way / whole)), &n).norm().min(a.least_radius);
        a.least_radius - (a.least_radius * a.least_radius - aside * aside).sqrt()
    };
    // what lies beside a line that has gone in is not as deep as that
    let beside = off.max(BESIDE_LINE * deepest);
    if deepest > off && order.iter().any(|(_, k)| rises(*k) <= beside) {
        order.retain(|(_, k)| rises(*k) <= beside);
    }
    let groups: Vec<&[(f64, usize)]> = order.chunk_by(|a, b| b.0 - a.0 <= SAME * whole).collect();
    let at: Vec<f64> = groups.iter().map(|g| g[0].0).collect();
    let part = |g: usize| {
        let before = if g > 0 { at[g] - at[g - 1] } else { 0.0 };
        let after = if g + 1 < at.len() { at[g + 1] - at[g] } else { 0.0 };
        if at.len() == 1 { 1.0 } else { 0.5 * (before + after) / whole }
    };
    let mut out = Vec::new();
    for (g, group) in groups.iter().enumerate() {
        let all: Vec<usize> = group.iter().map(|(_, k)| *k).collect();
        let least = least_gap(&all, touches) + off;
        let nearest: Vec<usize> = all.into_iter().filter(|k| touches[*k].touch.gap <= least).collect();
        let length = part(g) * (one + other) / nearest.len() as f64;
        out.extend(nearest.iter().map(|k| (*k, ContactGeometry::Line { reduced_radius, length }, a.least_radius)));
    }
    out
}

/// Each place with the contact points that are nearer to it than to another.
fn by_place<'a>(places: &'a [Place], here: &[usize], touches: &[SkinTouch]) -> Vec<(&'a Place, Vec<usize>)> {
    let apart = |k: usize, place: &Place| (touches[k].touch.point - place.at).norm();
    let nearest = |k: usize| (0..places.len()).min_by(|a, b| apart(k, &places[*a]).total_cmp(&apart(k, &places[*b])));
    let around = |p: usize| here.iter().copied().filter(|k| nearest(*k) == Some(p)).collect();
    places.iter().enumerate().map(|(p, place)| (place, around(p))).collect()
}

/// A place among the contact points around it, by the areas that they stand for: those that are nearest to it, to `off` (m). What is pressed into a skin touches more of it; a law
/// of the gap means the deepest.
fn parts_of(place: &Place, around: &[usize], touches: &[SkinTouch], off: f64) -> Vec<Part> {
    let nearest = least_gap(around, touches) + off;
    let mut own: Vec<usize> = around.iter().copied().filter(|k| touches[*k].touch.gap <= nearest).collect();
    // Where the body is over a facet a node that it has passed leans against it, and what slides along the side would part from that node.
    let is_foot = |k: usize| touches[k].touch.key.feature & OF_OTHER != 0;
    let foot = own.iter().copied().filter(|k| is_foot(*k)).min_by(|a, b| touches[*a].touch.gap.total_cmp(&touches[*b].touch.gap));
    if let Some(foot) = foot {
        let n = touches[foot].touch.frame.n;
        own.retain(|k| is_foot(*k) || touches[*k].touch.frame.n.dot(&n) >= 1.0 - LEANS);
    }
    if let [only] = own[..] {
        return vec![(only, place.geometry, place.least_radius)];
    }
    let size = |k: &usize| match touches[*k].touch.geometry {
        ContactGeometry::Flat { area } => area,
        _ => 0.0,
    };
    let whole = own.iter().map(size).sum::<f64>();
    let part = |k: &usize| if whole > 0.0 { size(k) / whole } else { 1.0 / own.len() as f64 };
    let least = place.least_radius;
    let parts = own.iter().map(|k| match (place.geometry, part(k)) {
        (_, part) if part <= 0.0 => (*k, NOTHING, f64::INFINITY),
        // together they have the one cross-section, and are one patch that is as round
        (ContactGeometry::Point { reduced_radius, .. }, part) => {
            (*k, place.geometry, least.min(2.0 * reduced_radius) * part.sqrt())
        }
        (ContactGeometry::Line { reduced_radius, length }, part) => {
            (*k, ContactGeometry::Line { reduced_radius, length: length * part }, least)
        }
        (ContactGeometry::Flat { area }, part) => (*k, ContactGeometry::Flat { area: area * part }, f64::INFINITY),
    });
    parts.collect()
}

/// The contact points of one side of a part of a body, of those that are `left`, sorted by gap, and the others: the first and what has nearly its normal. What is round is pressed in
/// by more than that turns: of its points that touch (gap up to `least`, m) those where the skin looks nearly as it does at another of the side are of it as well. Two flanks of a groove
/// are two sides.
fn side_of(own: &BodySkin<'_>, part: &Item<'_>, left: Vec<usize>, touches: &[SkinTouch], least: f64) -> (Vec<usize>, Vec<usize>) {
    let normal = |k: usize| touches[k].touch.frame.n;
    let first = left[0];
    let (mut here, mut others): (Vec<usize>, Vec<usize>) =
        left.into_iter().partition(|k| normal(*k).dot(&normal(first)) >= ALONG);
    let is_round = match part.core {
        Core::Polytope { rounding, .. } => *rounding > 0.0,
        _ => matches!(part.core, Core::Round { .. } | Core::Smooth(_)),
    };
    if !is_round || others.is_empty() {
        return (here, others);
    }
    let looks = |k: usize| {
        let feature = touches[k].touch.key.feature;
        let node = (feature & OF_OTHER == 0).then(|| own.skin.normals_around((feature >> 8) as usize));
        let (around, count) = node.unwrap_or_else(|| ([-normal(k); 8], 1));
        around.into_iter().take(count)
    };
    let touching = |k: &usize| touches[*k].touch.gap <= least;
    let mut seen: Vec<Vec3> = here.iter().filter(|k| touching(k)).flat_map(|k| looks(*k)).collect();
    loop {
        let joins = |k: &usize| touching(k) && looks(*k).any(|n| seen.iter().any(|own| own.dot(&n) >= ALONG));
        let (more, rest): (Vec<usize>, Vec<usize>) = others.into_iter().partition(joins);
        others = rest;
        if more.is_empty() {
            return (here, others);
        }
        seen.extend(more.iter().flat_map(|k| looks(*k)));
        here.extend(more);
    }
}
