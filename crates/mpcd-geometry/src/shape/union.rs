//! What parts of one body share: the volume, the moments and the surface by which the sums over parts are too large.
//! Seen along lines, on which each part is an interval: exact along a line, by even spacing across.

use mpcd_core::{Dimension, Mat3, Quat, Vec3};

use super::{
    Core,
    chord::{Chord, End},
};

/// A part where a model places it.
pub(super) struct Loose {
    pub(super) core: Core,
    pub(super) at: Vec3,
    pub(super) rotation: Quat,
    /// Along z in a planar model (m); any number in space.
    pub(super) thickness: f64,
}

/// What parts measure, about the origin that they are placed from.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sums {
    /// m³.
    pub(super) volume: f64,
    /// m².
    pub(super) surface: f64,
    /// ∫x (m⁴).
    pub(super) first: Vec3,
    /// ∫ |x|² 1 − x xᵀ (m⁵).
    pub(super) about: Mat3,
}

/// Lines in all of a body for each of their directions, so that many parts take no longer than few, and the most and the least across a side of what two parts share.
const LINES: f64 = 4e5;
const ACROSS: [f64; 2] = [16.0, 256.0];
/// The same in the plane, where a line has no breadth.
const PLANAR_LINES: f64 = 4e5;
const PLANAR_ACROSS: [f64; 2] = [64.0, 8192.0];
/// Part of the size of two parts below which their ends are in one place.
const LEVEL: f64 = 1e-9;

/// By how much the sums over parts are too large, the surface that lies within other parts or on them included; of parts whose chords are known ([`is_known`]).
pub(super) fn shared(parts: &[Loose], dimension: Dimension) -> Sums {
    let planar = dimension == Dimension::Planar;
    // what is thinner lies within what is thicker
    let mut order: Vec<usize> = (0..parts.len()).filter(|&i| is_known(&parts[i].core, dimension)).collect();
    if planar {
        order.sort_by(|&a, &b| parts[b].thickness.total_cmp(&parts[a].thickness));
    }
    let parts: Vec<&Loose> = order.iter().map(|&i| &parts[i]).collect();
    let boxes: Vec<[Vec3; 2]> = parts.iter().map(|p| p.bounds()).collect();
    let overlap = |a: &[Vec3; 2], b: &[Vec3; 2]| [a[0].sup(&b[0]), a[1].inf(&b[1])];
    let meets = |region: &[Vec3; 2]| (0..if planar { 2 } else { 3 }).all(|k| region[0][k] <= region[1][k]);
    let mut pairs = Vec::new();
    for j in 0..parts.len() {
        pairs.extend((0..j).filter(|&i| meets(&overlap(&boxes[i], &boxes[j]))).map(|i| (i, j)));
    }
    let each = if planar { PLANAR_LINES / pairs.len() as f64 } else { (LINES / pairs.len() as f64).sqrt() };
    let [least, most] = if planar { PLANAR_ACROSS } else { ACROSS };
    let across = each.clamp(least, most) as usize;
    let mut out = Sums::default();
    for (i, j) in pairs {
        let region = overlap(&boxes[i], &boxes[j]);
        let near = (0..j).filter(|&k| k != i && meets(&overlap(&boxes[k], &region))).collect();
        Pair { parts: &parts, i, j, near, region, planar }.add(across, &mut out);
    }
    out
}

/// Whether what a core shares with others can be told: what is convex and not a body of the user's own. A ball in a planar model is no part of the plane.
pub(crate) fn is_known(core: &Core, dimension: Dimension) -> bool {
    let tapers = matches!(core, Core::Round { tapers: true, .. }) && dimension == Dimension::Planar;
    !tapers && core.chord(&Vec3::zeros(), &Vec3::x()) != Chord::Unknown
}

impl Loose {
    /// Where a line along an axis goes through it.
    fn chord(&self, o: &Vec3, v: &Vec3) -> Option<[End; 2]> {
        let back = self.rotation.inverse();
        match self.core.chord(&(back * (o - self.at)), &(back * v)) {
            Chord::Through(ends) => Some(ends),
            Chord::None | Chord::Unknown => None,
        }
    }

    /// Lower and upper corner of a box that holds it (m): its own where it is not turned.
    fn bounds(&self) -> [Vec3; 2] {
        let [low, high] = self.core.bounds();
        let (mut least, mut most) = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
        for i in 0..8 {
            let corner = self.rotation * Vec3::from_fn(|k, _| if i >> k & 1 == 1 { high[k] } else { low[k] });
            (least, most) = (least.inf(&corner), most.sup(&corner));
        }
        let reach = self.core.reach();
        // with a margin, as parts that lie on each other meet
        let margin = Vec3::repeat(LEVEL * reach);
        [self.at + least.sup(&Vec3::repeat(-reach)) - margin, self.at + most.inf(&Vec3::repeat(reach)) + margin]
    }
}

/// Two parts, and the others that are where both may be.
struct Pair<'a> {
    parts: &'a [&'a Loose],
    /// The sooner.
    i: usize,
    j: usize,
    /// All before j but i.
    near: Vec<usize>,
    region: [Vec3; 2],
    planar: bool,
}

impl Pair<'_> {
    /// Adds what j shares with i and with no part between them: with it, each place in m parts counts m − 1 times.
    fn add(&self, across: usize, out: &mut Sums) {
        let directions = if self.planar { 2 } else { 3 };
        for k in 0..directions {
            let (p, q) = ((k + 1) % directions, (k + 2) % directions);
            let [low, high] = self.region;
            let size = |axis: usize| high[axis] - low[axis];
            let (rows, cell) =
                if self.planar { (1, size(p) / across as f64) } else { (across, size(p) * size(q) / (across * across) as f64) };
            if cell <= 0.0 {
                continue;
            }
            let middle = |axis: usize, n: usize| low[axis] + size(axis) * (n as f64 + 0.5) / across as f64;
            for n in 0..across {
                for m in 0..rows {
                    let mut o = Vec3::zeros();
                    o[p] = middle(p, n);
                    if !self.planar {
                        o[q] = middle(q, m);
                    }
                    self.line(k, &o, cell, out, 1.0 / directions as f64);
                }
            }
        }
    }

    /// What one line along an axis sees; each of the directions has its `share` of what is a volume.
    fn line(&self, axis: usize, o: &Vec3, cell: f64, out: &mut Sums, share: f64) {
        let v = Vec3::ith(axis, 1.0);
        let chord = |k: usize| self.parts[k].chord(o, &v);
        let (Some(a), Some(b)) = (chord(self.i), chord(self.j)) else { return };
        let level = LEVEL * (a[1].along - a[0].along + b[1].along - b[0].along);
        let (low, high) = (a[0].along.max(b[0].along), a[1].along.min(b[1].along));
        if high < low - level {
            return;
        }
        let near: Vec<(usize, [End; 2])> = self.near.iter().filter_map(|&k| Some((k, chord(k)?))).collect();
        let width = if self.planar { self.parts[self.j].thickness } else { 1.0 };

        let between = near.iter().filter(|(k, _)| *k > self.i).map(|(_, ends)| [ends[0].along, ends[1].along]);
        uncovered([low, high], between.collect(), |from, to| {
            let (first, second, third) = (to - from, 0.5 * (to * to - from * from), (to.powi(3) - from.powi(3)) / 3.0);
            let weight = share * cell * width;
            out.volume += weight * first;
            out.first += weight * (first * o + second * v);
            let mut moments =
                first * o * o.transpose() + second * (o * v.transpose() + v * o.transpose()) + third * v * v.transpose();
            if self.planar {
                moments[(2, 2)] += first * width * width / 12.0;
            }
            out.about += weight * (Mat3::identity() * moments.trace() - moments);
        });

        // dA = Σ nₖ² dA, and the lines along k see |nₖ| dA; an end is taken off by the first part that hides it
        let hidden = |own: usize, end: &End, side: usize, by: usize, ends: &[End; 2]| {
            hides((by, ends), (own, end, side), level)
                && !near.iter().any(|(k, other)| *k < by && hides((*k, other), (own, end, side), level))
        };
        for side in 0..2 {
            if hidden(self.i, &a[side], side, self.j, &b) {
                out.surface += cell * width * a[side].slope;
            }
            if hidden(self.j, &b[side], side, self.i, &a) {
                out.surface += cell * width * b[side].slope;
            }
        }
    }
}

/// Whether an end (0 enters, 1 leaves) of a part lies within another, or on it from outside; of two that end in one place the later does.
fn hides((other, ends): (usize, &[End; 2]), (own, end, side): (usize, &End, usize), level: f64) -> bool {
    let t = end.along;
    if t < ends[0].along - level || t > ends[1].along + level {
        return false;
    }
    let at = |k: usize| (t - ends[k].along).abs() <= level;
    if at(side) { other < own } else { true }
}

/// Calls `visit` with the pieces of an interval that no other covers.
fn uncovered(whole: [f64; 2], mut covers: Vec<[f64; 2]>, mut visit: impl FnMut(f64, f64)) {
    covers.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let mut from = whole[0];
    for [low, high] in covers {
        if low.min(whole[1]) > from {
            visit(from, low.min(whole[1]));
        }
        from = from.max(high);
    }
    if whole[1] > from {
        visit(from, whole[1]);
    }
}
