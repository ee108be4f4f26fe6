//! The sides of a skin: parts of its flanks that look one way, and which of two that face each other has the contact points where the body touches
//! itself. What is decided once, at the start, stays so: points keep their names, and laws what they remember. No contacts.

use mpcd_core::Vec3;

use super::{Nearest, OPPOSED, Skin};

/// Cosine of the angle by which facets of one side are off the first of it: two of one side face each other only once the body bends that far.
const ONE_WAY: f64 = 0.5;

/// Part by which mean sizes of facets differ that are alike but for rounding.
const ALIKE: f64 = 1e-6;

/// Part of its size by which a facet may be behind one that it has a node in common with.
const TIP: f64 = 1e-3;

/// What a point is where its skin touches itself, in the order in which of two points that are each other's nearest one has the contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Role {
    /// Of the side that has the contact points.
    Finer,
    /// Of the side that it touches itself: that has come round.
    Alike,
    /// Of the side that is touched.
    Coarser,
}

/// The rank of the side that each facet is of: of two sides the one with the lower rank has the contact points, which is that of smaller facets in
/// the mean, of those that are alike that with the first facet.
#[allow(clippy::cast_possible_truncation, reason = "a skin has fewer than 2³² facets")]
pub(super) fn ranks(beside: &[[u32; 3]], flanks: &[u32], normals: &[Vec3], measures: &[f64]) -> Vec<u32> {
    let mut of = vec![u32::MAX; beside.len()];
    // mean size and number, in the order of their first facets
    let mut sides: Vec<(f64, u32)> = Vec::new();
    let mut open = Vec::new();
    for start in 0..beside.len() {
        if of[start] != u32::MAX {
            continue;
        }
        let side = sides.len() as u32;
        let (mut sum, mut count) = (0.0, 0.0);
        of[start] = side;
        open.push(start);
        while let Some(f) = open.pop() {
            (sum, count) = (sum + measures[f], count + 1.0);
            for g in beside[f].into_iter().filter(|g| *g != u32::MAX).map(|g| g as usize) {
                if of[g] == u32::MAX && flanks[g] == flanks[start] && normals[g].dot(&normals[start]) >= ONE_WAY {
                    of[g] = side;
                    open.push(g);
                }
            }
        }
        sides.push((sum / count, side));
    }
    sides.sort_by(|a, b| a.0.total_cmp(&b.0));
    let grains: Vec<f64> = sides.iter().map(|s| s.0).collect();
    let is_alike = |k: &usize| grains[*k] <= grains[*k - 1] * (1.0 + ALIKE);
    let mut from = 0;
    while from < sides.len() {
        let to = (from + 1..sides.len()).find(|k| !is_alike(k)).unwrap_or(sides.len());
        sides[from..to].sort_by_key(|s| s.1);
        from = to;
    }
    let mut rank = vec![0; sides.len()];
    (0..).zip(&sides).for_each(|(k, (_, side))| rank[*side as usize] = k);
    of.into_iter().map(|side| rank[side as usize]).collect()
}

impl Skin {
    /// What a point is to the place of its own skin that it touches.
    pub(super) fn role(&self, point: usize, at: &Nearest) -> Role {
        let least = |cosine: f64| {
            let around = self.facets_around(point).iter().map(|f| *f as usize);
            around.filter(|f| -self.normals[*f].dot(&at.normal) >= cosine).map(|f| self.ranks[f]).min()
        };
        match least(OPPOSED).or_else(|| least(f64::NEG_INFINITY)).map(|own| own.cmp(&self.ranks[at.facet])) {
            Some(std::cmp::Ordering::Less) => Role::Finer,
            Some(std::cmp::Ordering::Greater) => Role::Coarser,
            _ => Role::Alike,
        }
    }

    /// How deep (m) a facet may be behind another on which it has contact points where the body touches itself; `None` where it has none there, as
    /// it is not of the side that has them. Facets that meet at the tip of a slit lie on each other, and the sides of a blade behind each other.
    pub(super) fn meets(&self, facet: usize, other: usize) -> Option<f64> {
        let [own, others] = [facet, other].map(|f| &self.patches[self.parts[f].patch as usize].nodes);
        let at_tip = own.iter().any(|p| others.contains(p));
        let deepest = || if at_tip { TIP * self.size_of(facet) } else { self.deepest(facet, other) };
        (self.ranks[facet] < self.ranks[other]).then(deepest)
    }
}
