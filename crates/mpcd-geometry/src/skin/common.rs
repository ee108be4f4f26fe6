//! What a skin has in common with the flat faces of a rigid body, and which part of it each of their contact points stands for. The common face is
//! cut into pieces, one for each facet; the corners of a piece share it so that its middle stays where it is. What comes to a corner that
//! is no contact point (an edge of the mesh crosses the rim of the face there) goes to the two points between which it lies. So areas add up to the common
//! area, and an even pressure has no moment about its middle. Who touches is decided elsewhere.

use mpcd_core::{ContactGeometry, Vec3};

use super::face::Face;
use super::facing::area as area_of;
use super::lump::{Share, is_lumped, keeps};
use super::meet::{OF_OTHER, Obstacles, SkinTouch};
use super::mortar::{Flat, clip, turn};
use super::nearest::SNAP;
use super::partial::{Bearing, Covered};
use super::{BodySkin, Corners, Patch, Skin};

/// Cosine of the angle up to which a facet, and the normal of a contact point, are of a face that they lie on.
pub(super) const ALONG: f64 = 0.954;

/// Part of a gap, and of a facet's size, by which a point's gap may be off its height over a face.
const OFF: [f64; 2] = [0.05, 1e-3];

/// Part of the length of an outline within which a contact point is at a corner of a piece: corners of bodies are looked for from inside of them.
pub(super) const HERE: f64 = 2.5e-5;

/// Part of what a face covers that may be missing where all of it is shared.
const ALL: f64 = 1e-6;

/// A contact point near a face: its place in the list of touches, where it is in the plane of the face, and how far along the outline if it is there.
struct Spot {
    touch: usize,
    at: Flat,
    rim: Option<f64>,
}

/// What stands for a point of a skin: contact points of its own, or a touch of a corner or edge of the face that is there.
enum Stand {
    Own,
    Rim(usize),
}

/// A skin over a face, and the contact points there: those of the skin's points by these points.
struct Over<'a> {
    skin: &'a Skin,
    face: &'a Face,
    alert: f64,
    tolerance: f64,
    nodes: Vec<(u32, usize)>,
    spots: Vec<Spot>,
}

impl Obstacles<'_> {
    /// Gives the contact points of a skin with a rigid body that lie on flat faces of that their parts of what the two have in common.
    pub(super) fn share_faces(&self, own: &BodySkin<'_>, (faces, thickness): (&[Face], f64), touches: &mut [SkinTouch]) {
        let mut areas = vec![None; touches.len()];
        let part = thickness.min(own.skin.depth.thickness()) / own.skin.depth.thickness();
        for face in faces {
            self.share_face(own, face, touches, &mut areas);
        }
        for (touch, area) in touches.iter_mut().zip(areas) {
            if let Some(area) = area {
                let area = if own.skin.depth.is_planar() && thickness > 0.0 { area * part } else { area };
                (touch.touch.geometry, touch.touch.least_radius) = (ContactGeometry::Flat { area }, f64::INFINITY);
            }
        }
    }

    fn share_face(&self, own: &BodySkin<'_>, face: &Face, touches: &[SkinTouch], areas: &mut [Option<f64>]) {
        let skin = own.skin;
        let (patches, size) = skin.patches_over(face, [own.depth(), self.alert]);
        let tolerance = face.off.max(SNAP * size);
        let mut over = Over { skin, face, alert: self.alert, tolerance, nodes: Vec::new(), spots: Vec::new() };
        for (k, touch) in touches.iter().enumerate() {
            let Some(place) = touch.candidate.as_ref().map(|_| touch.touch.arm_candidate + own.centre) else { continue };
            let height = face.height(&place);
            let [by_gap, by_size] = OFF;
            let is_near = (height - touch.touch.gap).abs() <= by_gap * touch.touch.gap.abs() + by_size * size;
            if !is_near || touch.touch.frame.n.dot(&face.normal) < ALONG {
                continue;
            }
            let at = face.flat(&place);
            let (along, aside) = face.along(at);
            let is_node = touch.touch.key.feature & OF_OTHER == 0;
            let rim = (aside <= tolerance).then_some(along);
            let node = (touch.touch.key.feature >> 8) as u32;
            if is_node && (skin.places[node as usize] - place).norm() <= tolerance {
                over.nodes.push((node, k));
            }
            if is_node && rim.is_none() || rim.is_some() {
                over.spots.push(Spot { touch: k, at, rim });
            }
        }
        if over.spots.is_empty() {
            return;
        }
        over.nodes.sort_unstable();
        let mut sum = vec![0.0; touches.len()];
        for patch in patches {
            let shares = skin.shares_of(patch);
            if over.whole(shares, &mut sum) {
                continue;
            }
            let mut pieces = vec![0.0; touches.len()];
            shares.iter().for_each(|s| over.piece(&s.corners, s.part, -own.depth(), &mut pieces));
            if shares.iter().any(|s| is_lumped(&s.keeps)) {
                over.even((patch, shares), touches, &mut pieces);
            }
            sum.iter_mut().zip(pieces).for_each(|(sum, piece)| *sum += piece);
        }
        if sum.iter().any(|a| *a > 0.0) {
            over.spots.iter().filter(|s| s.rim.is_some() || sum[s.touch] > 0.0).for_each(|s| {
                let area = areas[s.touch].get_or_insert(0.0);
                *area += sum[s.touch];
            });
        }
    }
}

impl Over<'_> {
    /// Shares a face with nodes between its corners that lies over the face as a whole, all of its points in contact, as [`super::lump`] says; `false` for any other.
    fn whole(&self, shares: &[Share], sum: &mut [f64]) -> bool {
        if !shares.iter().any(|s| is_lumped(&s.keeps)) {
            return false;
        }
        let (depth, count) = (self.skin.depth, self.skin.depth.corners());
        let mut given = Vec::with_capacity(shares.len() * count);
        for Share { corners, part, keeps } in shares {
            let x = corners.map(|p| self.skin.places[p as usize]);
            let covered = self.covered(&x);
            let touches = corners[..count].iter().all(|p| self.stands_for(*p).is_some());
            if covered < 1.0 - SNAP || !touches || self.face.normal.dot(&depth.flat_area(&x)) >= 0.0 {
                return false;
            }
            let own = depth.lumped(&x, keeps);
            given.extend((0..count).map(|k| (corners[k], -own[k].dot(&self.face.normal) * part * covered)));
        }
        for (p, amount) in given {
            match self.stands_for(p) {
                Some(Stand::Own) => {
                    self.to_node(p, amount, sum);
                }
                Some(Stand::Rim(touch)) => sum[touch] += amount,
                None => {}
            }
        }
        true
    }

    /// Shares what a face with nodes between its corners has in common with the face so that an even pressure gives its nodes ∫ N dA, as far as the points can; `given` is
    /// what the pieces of its facets gave them, and stays where they cannot.
    fn even(&self, (number, shares): (u32, &[Share]), touches: &[SkinTouch], given: &mut [f64]) {
        let (skin, face) = (self.skin, self.face);
        let patch = &skin.patches[number as usize];
        let mut covered = Covered::of(patch);
        for share in shares {
            let x = share.corners.map(|p| skin.places[p as usize]);
            let around = skin.facets_around(share.corners[0] as usize).iter().map(|f| *f as usize);
            let Some(facet) = around.into_iter().find(|f| skin.facets[*f] == share.corners) else { return };
            let own = x.map(|x| face.flat(&x));
            let weight = |hats: &[f64; 3]| skin.depth.length(&(0..3).map(|k| x[k] * hats[k]).sum()) * share.part;
            covered.add(patch, face, (&own, &skin.parts[facet].at), weight);
        }
        let whole: f64 = given.iter().sum();
        let node = |p: &u32| skin.points[*p as usize].parts().next().map(|(n, _)| n);
        let Some(nodes) = patch.nodes.iter().map(node).collect::<Option<Vec<usize>>>() else { return };
        let (mut places, mut points) = (Vec::new(), Vec::new());
        for spot in &self.spots {
            let Some(on) = &touches[spot.touch].candidate else { continue };
            let mut parts = vec![0.0; nodes.len()];
            let is_of = on.parts().filter(|(_, w)| w.abs() > SNAP * SNAP).all(|(n, w)| {
                let place = nodes.iter().position(|own| *own == n);
                place.into_iter().for_each(|k| parts[k] = w);
                place.is_some()
            });
            if is_of {
                places.push(spot.touch);
                points.push(Bearing { at: spot.at, parts, given: given[spot.touch] });
            }
        }
        let own: f64 = points.iter().map(|p| p.given).sum();
        let is_all = |area: f64| (area - covered.area).abs() <= ALL * covered.area;
        if covered.area <= 0.0 || !is_all(whole) || !is_all(own) {
            return;
        }
        if let Some(areas) = covered.shared(&points) {
            places.iter().zip(areas).for_each(|(k, area)| given[*k] = area);
        }
    }

    /// What stands for a point of the skin; `None` where nothing does.
    fn stands_for(&self, point: u32) -> Option<Stand> {
        if self.nodes.binary_search_by_key(&point, |n| n.0).is_ok() {
            return Some(Stand::Own);
        }
        let at = self.face.flat(&self.skin.places[point as usize]);
        let apart = |s: &Spot| f64::hypot(s.at[0] - at[0], s.at[1] - at[1]);
        let nearest = self.spots.iter().filter(|s| s.rim.is_some()).min_by(|s, t| apart(s).total_cmp(&apart(t)))?;
        (apart(nearest) <= self.tolerance).then_some(Stand::Rim(nearest.touch))
    }

    /// The part of a facet that lies over the face.
    fn covered(&self, x: &[Vec3; 3]) -> f64 {
        let own = x.map(|x| self.face.flat(&x));
        if self.skin.depth.is_planar() {
            let length = (own[1][0] - own[0][0]).abs();
            return self.face.within(&own).map_or(0.0, |[a, b]| (b[0] - a[0]).abs() / length);
        }
        // seen from outside of the face the facet turns right
        let own = [own[0], own[2], own[1]];
        area_of(&clip(&own, &self.face.outline)) / area_of(&own)
    }

    /// Shares what a facet has in common with the face among the contact points.
    fn piece(&self, corners: &Corners, part: f64, deep: f64, sum: &mut [f64]) {
        let (depth, face) = (self.skin.depth, self.face);
        let x = corners.map(|p| self.skin.places[p as usize]);
        let area = depth.flat_area(&x);
        let heights = x.map(|x| face.height(&x));
        if area.dot(&face.normal) > -ALONG * area.norm()
            || heights.iter().all(|h| *h > self.alert)
            || heights.iter().any(|h| *h < deep)
        {
            return;
        }
        let own = x.map(|x| face.flat(&x));
        let mut give = |at: Flat, amount: f64| {
            let hats = face.hats(&own, at);
            let height: f64 = (0..3).map(|k| hats[k] * heights[k]).sum();
            let corner = (0..depth.corners()).find(|k| own[*k] == at);
            if corner.is_some() || height <= self.alert {
                self.give(corners, (at, corner, hats, height), amount * part, sum);
            }
        };
        if depth.is_planar() {
            let Some(ends) = face.within(&own) else { return };
            let world = ends.map(|at| {
                let hats = face.hats(&own, at);
                x[0] * hats[0] + x[1] * hats[1]
            });
            let hats = depth.hats(&[world[0], world[1], world[1]]);
            (0..2).for_each(|k| give(ends[k], hats[k].dot(&face.normal).abs()));
        } else {
            // seen from outside of the face the facet turns right
            let piece = clip(&[own[0], own[2], own[1]], &face.outline);
            let Some(middle) = middle_of(&piece) else { return };
            for k in 0..piece.len() {
                let [before, at, after] = [piece.len() - 1, 0, 1].map(|by| piece[(k + by) % piece.len()]);
                give(at, 0.25 * (turn(middle, before, at) + turn(middle, at, after)));
            }
        }
    }

    /// Gives what a corner of a piece stands for to the contact points that are there.
    fn give(
        &self,
        corners: &Corners,
        (at, corner, hats, height): (Flat, Option<usize>, [f64; 3], f64),
        amount: f64,
        sum: &mut [f64],
    ) {
        if let Some(k) = corner {
            if self.to_node(corners[k], amount, sum) {
                return;
            }
            if height > self.alert {
                return;
            }
        }
        let apart = |s: &Spot| f64::hypot(s.at[0] - at[0], s.at[1] - at[1]);
        let on_rim = self.spots.iter().filter(|s| s.rim.is_some());
        let least = on_rim.clone().map(apart).fold(f64::INFINITY, f64::min);
        if least <= HERE * self.face.around() {
            return share(on_rim.filter(|s| apart(s) <= least + SNAP * self.tolerance), amount, sum);
        }
        let has = |k: usize| hats[k] < SNAP || self.nodes.binary_search_by_key(&corners[k], |n| n.0).is_ok();
        if (0..self.skin.depth.corners()).all(has) {
            (0..self.skin.depth.corners()).filter(|k| hats[*k] >= SNAP).for_each(|k| {
                let whole: f64 = hats.iter().filter(|w| **w >= SNAP).sum();
                self.to_node(corners[k], amount * hats[k] / whole, sum);
            });
            return;
        }
        let (along, aside) = self.face.along(at);
        if aside <= self.tolerance && on_rim.clone().next().is_some() {
            return self.between(along, amount, sum);
        }
        let least = self.spots.iter().map(apart).fold(f64::INFINITY, f64::min);
        share(self.spots.iter().filter(|s| apart(s) <= least * (1.0 + 1e-9)), amount, sum);
    }

    /// Gives it to the contact points of a point of the skin; `false` where there are none.
    fn to_node(&self, node: u32, amount: f64, sum: &mut [f64]) -> bool {
        let from = self.nodes.partition_point(|n| n.0 < node);
        let here = self.nodes[from..].iter().take_while(|n| n.0 == node);
        let count = here.clone().count() as f64;
        here.for_each(|n| sum[n.1] += amount / count);
        count > 0.0
    }

    /// Gives it to the contact points before and after a place of the outline, by the way to each.
    fn between(&self, along: f64, amount: f64, sum: &mut [f64]) {
        let whole = self.face.around();
        let closed = self.face.outline.len() > 2;
        let way = |from: f64, to: f64| if closed { (to - from).rem_euclid(whole) } else { to - from };
        let least = |of: &dyn Fn(f64) -> f64| {
            self.spots.iter().filter_map(|s| s.rim).map(of).filter(|w| *w >= 0.0).fold(f64::INFINITY, f64::min)
        };
        let (before, after) = (|s: f64| way(s, along), |s: f64| way(along, s));
        let ways = [least(&before), least(&after)];
        let near = SNAP * self.tolerance;
        for (k, of) in [&before as &dyn Fn(f64) -> f64, &after].into_iter().enumerate() {
            let part = match (ways[k].is_finite(), ways[1 - k].is_finite()) {
                (true, true) => ways[1 - k] / (ways[0] + ways[1]),
                (true, false) => 1.0,
                _ => continue,
            };
            let here = |s: &&Spot| s.rim.is_some_and(|r| of(r) >= 0.0 && of(r) <= ways[k] + near);
            share(self.spots.iter().filter(here), amount * part, sum);
        }
    }
}

/// Gives an amount to some contact points alike.
fn share<'a>(spots: impl Iterator<Item = &'a Spot> + Clone, amount: f64, sum: &mut [f64]) {
    let count = spots.clone().count() as f64;
    spots.for_each(|s| sum[s.touch] += amount / count);
}

/// Middle of the area of a polygon that turns left; `None` where it has none.
fn middle_of(polygon: &[Flat]) -> Option<Flat> {
    let (first, rest) = polygon.split_first()?;
    let (mut whole, mut sum) = (0.0, [0.0; 2]);
    for ends in rest.windows(2) {
        let area = turn(*first, ends[0], ends[1]);
        whole += area;
        (0..2).for_each(|i| sum[i] += area * (first[i] + ends[0][i] + ends[1][i]) / 3.0);
    }
    (whole > 0.0).then(|| sum.map(|s| s / whole))
}

impl Skin {
    /// The patches with facets over a face, no farther from it than `above` and no more than `below` (m) beyond it, and the size of the largest of these.
    pub(super) fn patches_over(&self, face: &Face, [below, above]: [f64; 2]) -> (Vec<u32>, f64) {
        let (mut patches, mut size) = (Vec::new(), 0.0_f64);
        let [low, high] = face.bounds();
        let sunk = face.normal * -below;
        let bounds = [low.inf(&(low + sunk)), high.sup(&(high + sunk))];
        let is_between = |f: usize| {
            let heights = self.facet_places(f).map(|x| face.height(&x));
            heights.iter().any(|h| *h <= above) && heights.iter().all(|h| *h >= -below)
        };
        self.facets_near(bounds, above, |f| {
            if self.normals[f].dot(&face.normal) <= -ALONG && is_between(f) {
                patches.push(self.parts[f].patch);
                size = size.max(self.size_of(f));
            }
        });
        patches.sort_unstable();
        patches.dedup();
        (patches, size)
    }

    /// The facets of a patch whose areas their corners share.
    pub(super) fn shares_of(&self, patch: u32) -> &[Share] {
        let from = self.share_patches.partition_point(|p| *p < patch);
        let to = self.share_patches.partition_point(|p| *p <= patch);
        &self.shares[from..to]
    }
}

/// The facets that areas are shared by, in the order of the patches that they are of, and these.
pub(super) fn by_patch(
    shares: Vec<(Corners, f64)>,
    patches: &[Patch],
    around: impl Fn(u32) -> Vec<u32>,
) -> (Vec<Share>, Vec<u32>) {
    let patch = |corners: &Corners| {
        let others = [around(corners[1]), around(corners[2])];
        around(corners[0]).into_iter().filter(|p| others.iter().all(|o| o.contains(p))).min().unwrap_or(u32::MAX)
    };
    let mut sorted: Vec<(u32, (Corners, f64))> = shares.into_iter().map(|s| (patch(&s.0), s)).collect();
    sorted.sort_by_key(|s| s.0);
    let share = |(of, (corners, part)): &(u32, (Corners, f64))| {
        let keeps = patches.get(*of as usize).map_or([1.0; 3], |patch| keeps(patch, corners));
        Share { corners: *corners, part: *part, keeps }
    };
    (sorted.iter().map(share).collect(), sorted.iter().map(|s| s.0).collect())
}
