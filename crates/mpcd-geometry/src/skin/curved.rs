//! What the contact points of a curved rigid body on a skin stand for: together what the body has on a plane that looks as the skin does there, each its part of
//! it. Who touches, and flat faces ([`super::common`]), are not here.

use mpcd_core::{ContactGeometry, Quat, Vec3};

use super::common::ALONG;
use super::meet::{Obstacles, SkinTouch};
use super::rigid::outsides;
use super::{BodySkin, Depth};
use crate::{
    narrow::{Buffers, Item, Search, Spot, meet, radius_of},
    shape::Core,
};

/// Part of a radius up to which a point that is farther than the nearest touches as that does.
const TOUCHES: f64 = 1e-4;

/// Part of a length, and of a radius, below which two places are one.
const SAME: f64 = 1e-6;

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
        for part in outsides(rigid) {
            if matches!(part.core, Core::Mesh(_) | Core::HalfSpace { .. }) {
                continue;
            }
            let mut left: Vec<usize> =
                (0..touches.len()).filter(|k| !several || self.lies_on(&touches[*k], &part, buffers)).collect();
            left.sort_by(|a, b| touches[*a].touch.gap.total_cmp(&touches[*b].touch.gap).then(a.cmp(b)));
            while let Some(&first) = left.first() {
                let n = touches[first].touch.frame.n;
                let (here, others): (Vec<usize>, Vec<usize>) =
                    left.into_iter().partition(|k| touches[*k].touch.frame.n.dot(&n) >= ALONG);
                left = others;
                let depth = own.skin.depth;
                let length = match depth {
                    Depth::Thickness(own) => own.min(thickness),
                    _ => depth.length(&touches[first].touch.point),
                };
                let places = self.on_plane(&part, &touches[first], length, buffers);
                if places.iter().any(|p| !matches!(p.geometry, ContactGeometry::Flat { .. })) {
                    share(&places, &here, touches);
                }
            }
        }
    }

    /// Whether a contact point is one of this part of a body.
    fn lies_on(&self, touch: &SkinTouch, part: &Item<'_>, buffers: &mut Buffers) -> bool {
        let touch = &touch.touch;
        let centre = self.kinematics.position[touch.key.antagonist.index()];
        let point = Core::Round { radius: 0.0 };
        let x = centre + touch.arm_antagonist - touch.frame.n * touch.gap;
        let item = Item { core: &point, x, q: Quat::identity(), size: 1.0, reach: 0.0 };
        let near = TOUCHES * part.reach;
        buffers.spots.clear();
        meet(&item, part, &Search { dimension: self.dimension, alert: near }, buffers);
        buffers.spots.iter().any(|s| s.gap.abs() <= near)
    }

    /// What a part of a body has on a plane through the point of it that touches, across the normal there.
    fn on_plane(&self, part: &Item<'_>, touch: &SkinTouch, length: f64, buffers: &mut Buffers) -> Vec<Place> {
        let touch = &touch.touch;
        let n = touch.frame.n;
        let centre = self.kinematics.position[touch.key.antagonist.index()];
        let plane = Core::HalfSpace { normal: -n };
        let x = centre + touch.arm_antagonist - n * touch.gap;
        let plane = Item { core: &plane, x, q: Quat::identity(), size: 1.0, reach: f64::INFINITY };
        buffers.spots.clear();
        meet(part, &plane, &Search { dimension: self.dimension, alert: self.alert }, buffers);
        let own = radius_of(part.core, part.size);
        let place = |s: &Spot| Place {
            geometry: s.geometry(self.dimension == mpcd_core::Dimension::Planar, length),
            least_radius: s.least_radius().min(own),
            at: s.on_first,
        };
        buffers.spots.iter().map(place).collect()
    }
}

/// Shares what some places have among the contact points of one side of a body: those that touch; the others have nothing.
fn share(places: &[Place], here: &[usize], touches: &mut [SkinTouch]) {
    let least = here.iter().map(|k| touches[*k].touch.gap).fold(f64::INFINITY, f64::min);
    let radius = places.iter().map(|p| p.least_radius).fold(f64::INFINITY, f64::min);
    let nearest = least.max(0.0) + TOUCHES * radius;
    let touching: Vec<usize> = here.iter().copied().filter(|k| touches[*k].touch.gap <= nearest).collect();
    let lines: Vec<&Place> = places.iter().filter(|p| matches!(p.geometry, ContactGeometry::Line { .. })).collect();
    let parts = match lines[..] {
        [a, b] if (b.at - a.at).norm() > SAME * radius => along_line([a, b], &touching, touches),
        _ => by_place(places, &touching, touches),
    };
    here.iter().for_each(|k| touches[*k].touch.geometry = ContactGeometry::Flat { area: 0.0 });
    for (k, geometry, least_radius) in parts {
        (touches[k].touch.geometry, touches[k].touch.least_radius) = (geometry, least_radius);
    }
}

/// A contact point, and the shape and the smaller radius (m) that it gets.
type Part = (usize, ContactGeometry, f64);

/// The length of a line among what touches it: between two neighbours each has what is nearer to it, so that an even pressure keeps its middle. Beyond the
/// first and the last, where the skin has its rim, there is none.
fn along_line([a, b]: [&Place; 2], touching: &[usize], touches: &[SkinTouch]) -> Vec<Part> {
    let (ContactGeometry::Line { reduced_radius, length: one }, ContactGeometry::Line { length: other, .. }) =
        (a.geometry, b.geometry)
    else {
        return Vec::new();
    };
    let (way, whole) = (b.at - a.at, (b.at - a.at).norm());
    let along = |k: usize| (way.dot(&(touches[k].touch.point - a.at)) / whole).clamp(0.0, whole);
    let mut order: Vec<(f64, usize)> = touching.iter().map(|k| (along(*k), *k)).collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let groups: Vec<&[(f64, usize)]> = order.chunk_by(|a, b| b.0 - a.0 <= SAME * whole).collect();
    let at: Vec<f64> = groups.iter().map(|g| g[0].0).collect();
    let part = |g: usize| {
        let before = if g > 0 { at[g] - at[g - 1] } else { 0.0 };
        let after = if g + 1 < at.len() { at[g + 1] - at[g] } else { 0.0 };
        if at.len() == 1 { 1.0 } else { 0.5 * (before + after) / whole }
    };
    let mut out = Vec::new();
    for (g, group) in groups.iter().enumerate() {
        let length = part(g) * (one + other) / group.len() as f64;
        out.extend(group.iter().map(|(_, k)| (*k, ContactGeometry::Line { reduced_radius, length }, a.least_radius)));
    }
    out
}

/// Each place among what touches nearest to it, by the areas around.
fn by_place(places: &[Place], touching: &[usize], touches: &[SkinTouch]) -> Vec<Part> {
    let apart = |k: usize, place: &Place| (touches[k].touch.point - place.at).norm();
    let nearest = |k: usize| (0..places.len()).min_by(|a, b| apart(k, &places[*a]).total_cmp(&apart(k, &places[*b])));
    let mut out = Vec::new();
    for (p, place) in places.iter().enumerate() {
        let own: Vec<usize> = touching.iter().copied().filter(|k| nearest(*k) == Some(p)).collect();
        if let [only] = own[..] {
            out.push((only, place.geometry, place.least_radius));
            continue;
        }
        let size = |k: &usize| match touches[*k].touch.geometry {
            ContactGeometry::Flat { area } => area,
            _ => 0.0,
        };
        let (whole, area) = (own.iter().map(size).sum::<f64>(), place.geometry.section(place.least_radius));
        let part = |k: &usize| if whole > 0.0 { size(k) / whole } else { 1.0 / own.len() as f64 };
        out.extend(own.iter().map(|k| (*k, ContactGeometry::Flat { area: area * part(k) }, f64::INFINITY)));
    }
    out
}
