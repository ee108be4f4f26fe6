//! Which bodies are convex: two of them touch in one place, so that of the points of such a pair those of one patch are the contact, and the others only what it may come to. No laws.

use mpcd_core::{ContactGeometry, ContactKey, Patches, patch::LEVEL};
use mpcd_geometry::{Shape, Shapes, Touch};

/// Cosine of the angle between the normals of two points of one contact of two convex bodies, above which they are: it is one and the same but for rounding.
const SAME_SIDE: f64 = 0.9;

/// For each body whether it is convex.
#[derive(Debug, Default)]
pub(crate) struct Convex(Vec<bool>);

impl Convex {
    pub(crate) fn of(shapes: &Shapes) -> Self {
        Self(shapes.0.iter().map(Shape::is_convex).collect())
    }

    /// Whether both bodies of a contact are.
    pub(crate) fn are_both(&self, key: &ContactKey) -> bool {
        [key.candidate, key.antagonist].iter().all(|body| self.0.get(body.index()).copied().unwrap_or_default())
    }

    /// Of the touches of two convex bodies, one of which is at `place`, the one where they are nearest.
    pub(crate) fn nearest(&self, patches: &Patches, touches: &[Touch], place: usize) -> Option<usize> {
        self.of_pair(patches, touches, place).and_then(|pair| nearest(touches, pair))
    }

    /// The part that a point of two round convex bodies has of their contact, where it is no line: those as level with the nearest one as a line is share it, and the others, where the
    /// two overlap beside it, have none. `None` where patches say it.
    pub(crate) fn round_part(&self, patches: &Patches, touches: &[Touch], place: usize) -> Option<f64> {
        let is_point = |k: usize| matches!(touches[k].geometry, ContactGeometry::Point { .. });
        if !is_point(place) {
            return None;
        }
        let nearest = nearest(touches, self.of_pair(patches, touches, place)?)?;
        if patches.patch_of(nearest) == patches.patch_of(place) && !patches.is_alone(patches.patch_of(place)) {
            return None;
        }
        let least = &touches[nearest];
        let is_level = |k: &usize| touches[*k].gap - least.gap <= LEVEL * (touches[*k].point - least.point).norm();
        let level = self.of_pair(patches, touches, place)?.filter(|k| is_point(*k)).filter(is_level);
        Some(if is_point(nearest) && is_level(&place) { 1.0 / level.count() as f64 } else { 0.0 })
    }

    /// The touches of the pair of the one at `place` on the same side, if both bodies are convex.
    fn of_pair<'a>(&self, patches: &Patches, touches: &'a [Touch], place: usize) -> Option<impl Iterator<Item = usize> + 'a> {
        let own = &touches[place];
        if patches.is_empty() || !self.are_both(&own.key) {
            return None;
        }
        let of_pair = |t: &&Touch| (t.key.candidate, t.key.antagonist) == (own.key.candidate, own.key.antagonist);
        let before = touches[..place].iter().rev().take_while(of_pair).count();
        let after = touches[place..].iter().take_while(of_pair).count();
        Some((place - before..place + after).filter(|k| touches[*k].frame.n.dot(&own.frame.n) > SAME_SIDE))
    }
}

fn nearest(touches: &[Touch], mut pair: impl Iterator<Item = usize>) -> Option<usize> {
    let first = pair.next()?;
    Some(pair.fold(first, |least, k| if touches[k].gap < touches[least].gap { k } else { least }))
}
