//! Parts of a cluster that overlap lie on a face with areas that overlap, too: what several have in common counts once. No search for contacts.

use mpcd_core::Vec3;

use super::{Spot, clip::keep};
use crate::{corner_shares, outline::hull};

/// Sine of an angle, and part of a size, within which two patches are in one plane.
const SAME_PLANE: f64 = 1e-6;
/// Part of an area that counts as nothing.
const NOTHING: f64 = 1e-9;

/// What the flat points of earlier pairs of parts span, pair by pair.
#[derive(Default)]
pub(super) struct Spans(Vec<Span>);

struct Span {
    n: Vec3,
    curvature: [f64; 2],
    /// Counter-clockwise as seen against `n` (m).
    outline: Vec<Vec3>,
}

/// Whether two spots of one pair of parts are of one plane or line.
fn is_level(one: &Spot, other: &Spot) -> bool {
    other.curvature == one.curvature && other.n.cross(&one.n).norm() <= SAME_PLANE
}

impl Spans {
    /// Takes from the spots from `from` on that share an area or a length, those of one pair of parts, what earlier pairs have of it; drops them where that is all.
    pub(super) fn count_once(&mut self, spots: &mut Vec<Spot>, from: usize) {
        // A part lies on several planes of a surface.
        let mut leads: Vec<Spot> = Vec::new();
        for spot in spots[from..].iter().filter(|s| s.share > 0.0) {
            if !leads.iter().any(|lead| is_level(lead, spot)) {
                leads.push(*spot);
            }
        }
        leads.iter().for_each(|lead| self.count_level(spots, from, lead));
    }

    /// The same of those in the plane, or on the line, of one of them.
    fn count_level(&mut self, spots: &mut Vec<Spot>, from: usize, lead: &Spot) {
        let n = lead.n;
        let is_one = |s: &Spot| s.share > 0.0 && is_level(lead, s);
        let points: Vec<Vec3> = spots[from..].iter().filter(|s| is_one(s)).map(|s| s.on_first).collect();
        let span = Span { n, curvature: lead.curvature, outline: hull(&points, &n).into_iter().map(|k| points[k]).collect() };
        let (whole, _) = measures(&span.outline, &n);
        if whole <= 0.0 {
            return;
        }
        let mut pieces = vec![span.outline.clone()];
        for other in self.0.iter().filter(|o| o.is_level_with(&span)) {
            pieces = pieces.iter().flat_map(|piece| outside(piece, &other.outline, &n)).collect();
        }
        self.0.push(span);
        let (left, moment) =
            pieces.iter().map(|p| measures(p, &n)).fold((0.0, Vec3::zeros()), |(a, m), (b, k)| (a + b, m + b * k));
        if left >= (1.0 - NOTHING) * whole {
            return;
        }
        if left <= NOTHING * whole {
            let mut place = 0;
            spots.retain(|s| {
                place += 1;
                place <= from || !is_one(s)
            });
            return;
        }
        let mut shares: Vec<f64> = spots[from..].iter().filter(|s| is_one(s)).map(|s| s.share * left / whole).collect();
        let all = shares.iter().sum();
        if let [a, b] = points[..] {
            let part = (b - a).dot(&(moment / left - a)) / (b - a).norm_squared();
            shares = vec![(1.0 - part) * all, part * all];
        } else {
            corner_shares::fit(&points, &mut shares, &n, all, &(moment / left));
        }
        // A point keeps a trace, so that it stays one of its patch.
        let least = NOTHING * all;
        spots[from..].iter_mut().filter(|s| is_one(s)).zip(shares).for_each(|(s, share)| s.share = share.max(least));
    }
}

/// Part of a size within which a touch is in a plane, on a line and within an outline: of something round it is known to the root of rounding.
const HELD: f64 = 1e-5;

impl Spans {
    /// Drops the spots from `start` on that a face or a line of another part has: a ball at the end of a cylinder that lies touches where that does.
    pub(super) fn drop_what_they_hold(&self, spots: &mut Vec<Spot>, start: usize) {
        let rank = |s: &Spot| if s.share <= 0.0 { 0 } else { 1 + u8::from(s.curvature == [0.0; 2]) };
        let holds = |o: &Span, s: &Spot| {
            // Of a line that goes on beyond a face both ends stay.
            let within = |l: &Span| l.outline.len() == 2 && l.has(&s.on_first) && l.outline.iter().all(|p| o.has(p));
            let is_lower = match rank(s) {
                0 => true,
                1 => o.outline.len() > 2 && self.0.iter().any(within),
                _ => false,
            };
            is_lower && o.n.dot(&s.n) > 0.0 && o.n.cross(&s.n).norm() <= HELD && o.has(&s.on_first)
        };
        let mut place = 0;
        spots.retain(|s| {
            place += 1;
            place <= start || !self.0.iter().any(|o| holds(o, s))
        });
    }
}

impl Span {
    /// Whether a point is within the outline.
    fn has(&self, p: &Vec3) -> bool {
        let from = self.outline[0];
        let size = self.outline.iter().map(|c| (c - from).norm()).fold(0.0, f64::max);
        let near = HELD * size;
        if let [a, b] = self.outline[..] {
            let along = (b - a) / size;
            let at = along.dot(&(p - a));
            return at >= -near && at <= size + near && (p - a - along * at).norm() <= near;
        }
        let sides = self.outline.iter().zip(self.outline.iter().cycle().skip(1));
        self.n.dot(&(p - from)).abs() <= near
            && sides.into_iter().all(|(a, b)| self.n.cross(&(b - a)).dot(&(p - a)) >= -near * (b - a).norm())
    }

    /// Whether two are in one plane, or on one line.
    fn is_level_with(&self, other: &Self) -> bool {
        let (from, n) = (self.outline[0], &self.n);
        let arms = || other.outline.iter().chain(&self.outline).map(|p| p - from);
        let size = arms().map(|arm| arm.norm()).fold(0.0, f64::max);
        let lines = [self, other].map(|s| if let [a, b] = s.outline[..] { Some(b - a) } else { None });
        let off = |arm: Vec3| match lines {
            [Some(line), Some(_)] => line.cross(&arm).norm() / line.norm(),
            [None, None] => n.dot(&arm).abs(),
            _ => f64::INFINITY,
        };
        self.curvature == other.curvature
            && n.dot(&other.n) > 0.0
            && n.cross(&other.n).norm() <= SAME_PLANE
            && arms().all(|arm| off(arm) <= SAME_PLANE * size)
    }
}

/// Area and middle of a polygon, length and middle of a line.
fn measures(polygon: &[Vec3], n: &Vec3) -> (f64, Vec3) {
    if let [a, b] = polygon {
        return ((b - a).norm(), 0.5 * (a + b));
    }
    let mut shares = Vec::new();
    let area = if polygon.is_empty() { 0.0 } else { corner_shares::of_polygon(polygon.iter().copied(), n, &mut shares) };
    (area, polygon.iter().zip(shares).map(|(p, s)| p * s).sum())
}

/// The parts of a convex polygon outside of another: one beyond each of its sides, of what the sides before have left.
fn outside(polygon: &[Vec3], other: &[Vec3], n: &Vec3) -> Vec<Vec<Vec3>> {
    let mut left = polygon.to_vec();
    let mut out = Vec::new();
    for k in 0..other.len() {
        let (a, b) = (other[k], other[(k + 1) % other.len()]);
        let inward = if other.len() == 2 { b - a } else { n.cross(&(b - a)) };
        out.push(side_of(&left, &a, &-inward));
        left = side_of(&left, &a, &inward);
    }
    out.retain(|p| measures(p, n).0 > 0.0);
    out
}

/// What of a convex polygon is on the side of `a` that a direction points to.
fn side_of(polygon: &[Vec3], a: &Vec3, direction: &Vec3) -> Vec<Vec3> {
    let mut out = Vec::new();
    keep(polygon, |p| direction.dot(&(p - a)), &mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(x: f64, y: f64, half: f64) -> Vec<Spot> {
        let corners = [[1.0, 1.0], [-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0]];
        let spot = |[a, b]: [f64; 2]| Spot {
            feature: 0,
            on_first: Vec3::new(x + half * a, y + half * b, 2.0),
            n: Vec3::z(),
            gap: 0.0,
            part: 0.0,
            curvature: [0.0; 2],
            share: half * half,
            roundness: 1.0,
        };
        corners.map(spot).to_vec()
    }

    /// Area, and its middle.
    fn of(spots: &[Spot]) -> (f64, Vec3) {
        let area: f64 = spots.iter().map(|s| s.share).sum();
        (area, spots.iter().map(|s| s.on_first * (s.share / area)).sum())
    }

    #[test]
    fn what_is_round_touches_where_a_face_or_a_line_does() {
        let (mut spans, mut spots) = (Spans::default(), square(0.0, 0.0, 1.0));
        spans.count_once(&mut spots, 0);
        let lead = spots[0];
        let point = |x: f64, y: f64, z: f64| Spot { on_first: Vec3::new(x, y, z), share: 0.0, curvature: [3.0; 2], ..lead };
        let line = |x: f64| Spot { share: 0.5, curvature: [3.0, 0.0], ..point(x, 0.5, 2.0) };
        let from = spots.len();
        spots.extend([line(-0.5), line(0.5)]);
        spans.count_once(&mut spots, from);
        spots.extend([point(0.2, 0.3, 2.0), point(1.0, 0.0, 2.0), point(1.1, 0.0, 2.0), point(0.0, 0.0, 2.1)]);
        spans.drop_what_they_hold(&mut spots, 0);
        assert_eq!(spots[from..], [point(1.1, 0.0, 2.0), point(0.0, 0.0, 2.1)]);
        // Of a line the points on it.
        let (mut spans, mut spots) = (Spans::default(), vec![line(-2.0), line(2.0)]);
        spans.count_once(&mut spots, 0);
        spots.extend([point(2.0, 0.5, 2.0), point(1.0, 0.6, 2.0)]);
        spans.drop_what_they_hold(&mut spots, 0);
        assert_eq!(spots[2..], [point(1.0, 0.6, 2.0)]);
    }

    #[test]
    fn of_lines_too() {
        let (mut spans, mut spots) = (Spans::default(), Vec::new());
        let end = |x: f64| Spot { on_first: Vec3::new(x, 0.0, 2.0), share: 1.0, ..square(0.0, 0.0, 1.0)[0] };
        for ends in [[0.0, 2.0], [3.0, 1.0], [0.5, 2.5], [0.0, 0.0]] {
            let from = spots.len();
            spots.extend(ends.map(end));
            spans.count_once(&mut spots, from);
        }
        // From 0 to 2, then to 3 with its middle at 2½; the third has nothing of its own; the last is no line.
        let (length, middle) = of(&spots[..4]);
        assert!(spots.len() == 6 && (length - 3.0).abs() < 1e-8 && (middle.x - 1.5).abs() < 1e-8, "{spots:?}");
    }

    #[test]
    fn what_several_parts_have_in_common_counts_once() {
        let (mut spans, mut spots) = (Spans::default(), Vec::new());
        // Three squares of 2 by 2: side by side with half in common, and one about the corner of both.
        for (x, y) in [(0.0, 0.0), (1.0, 0.0), (0.5, 1.0)] {
            let from = spots.len();
            spots.extend(square(x, y, 1.0));
            spans.count_once(&mut spots, from);
        }
        // 3 × 2 and 2 × 1 above.
        let (area, middle) = of(&spots);
        assert!((area - 8.0).abs() < 1e-8, "{area}");
        let exact = (Vec3::new(0.5, 0.0, 2.0) * 6.0 + Vec3::new(0.5, 1.5, 2.0) * 2.0) / 8.0;
        assert!((middle - exact).norm() < 1e-7, "{middle}");
        // One within has nothing of its own; beside and above nothing is in common.
        for (x, y, z, more) in [(0.2, 0.1, 0.0, 0), (-2.0, 0.0, 0.0, 4), (0.0, 0.0, 0.5, 4)] {
            let from = spots.len();
            spots.extend(square(x, y, if more == 0 { 0.3 } else { 1.0 }));
            spots[from..].iter_mut().for_each(|s| s.on_first.z += z);
            spans.count_once(&mut spots, from);
            assert_eq!(spots.len(), from + more);
            assert!(spots[from..].iter().all(|s| s.share == 1.0));
        }
    }

    /// Parts in the inner corner of two walls: each lies on both, and of what they share on either counts once.
    #[test]
    fn a_part_lies_on_several_planes() {
        let (mut spans, mut spots) = (Spans::default(), Vec::new());
        let upright = |s: Spot| Spot { on_first: Vec3::new(2.0, s.on_first.x, s.on_first.y), n: Vec3::x(), ..s };
        for x in [0.0, 1.0] {
            let from = spots.len();
            spots.extend(square(x, 0.0, 1.0));
            spots.extend(square(x, 0.0, 1.0).into_iter().map(upright));
            spans.count_once(&mut spots, from);
        }
        for n in [Vec3::z(), Vec3::x()] {
            let level: Vec<Spot> = spots.iter().filter(|s| s.n == n).copied().collect();
            let (area, _) = of(&level);
            assert!((area - 6.0).abs() < 1e-8, "{n}: {area}");
        }
    }

    #[test]
    fn of_a_line_that_goes_on_beyond_a_face_both_ends_stay() {
        let (mut spans, mut spots) = (Spans::default(), square(0.0, 0.0, 1.0));
        spans.count_once(&mut spots, 0);
        let lead = spots[0];
        let end = |x: f64| Spot { on_first: Vec3::new(x, 0.5, 2.0), share: 1.0, curvature: [3.0, 0.0], ..lead };
        spots.extend([end(-0.5), end(1.5)]);
        spans.count_once(&mut spots, 4);
        // A touch beyond the end of a line and of the face, and one from the other side of the face, are held by neither.
        let touch = |x: f64, n: Vec3| Spot { on_first: Vec3::new(x, 0.5, 2.0), n, share: 0.0, curvature: [3.0; 2], ..lead };
        let more = [touch(1.6, Vec3::z()), touch(-0.7, -Vec3::z()), touch(-1.002, Vec3::z())];
        let want: Vec<Spot> = spots.iter().copied().chain(more).collect();
        spots.extend(more);
        spots.push(touch(1.4, Vec3::z()));
        spans.drop_what_they_hold(&mut spots, 0);
        assert_eq!(spots, want);
    }

    #[test]
    fn the_two_sides_of_a_plane_are_two() {
        let (mut spans, mut spots) = (Spans::default(), square(0.0, 0.0, 1.0));
        spans.count_once(&mut spots, 0);
        spots.extend(square(0.0, 0.0, 1.0).into_iter().map(|s| Spot { n: -s.n, ..s }));
        spans.count_once(&mut spots, 4);
        assert!(spots.len() == 8 && spots.iter().all(|s| s.share == 1.0), "{spots:?}");
        // Of lines, too.
        let (mut spans, mut lines) = (Spans::default(), Vec::new());
        for side in [1.0, -1.0] {
            let from = lines.len();
            lines.extend([0.0, 1.0].map(|x| Spot {
                on_first: Vec3::new(x, 0.0, 2.0),
                n: side * Vec3::z(),
                curvature: [3.0, 0.0],
                ..spots[0]
            }));
            spans.count_once(&mut lines, from);
        }
        assert!(lines.len() == 4 && lines.iter().all(|s| s.share == 1.0), "{lines:?}");
    }
}
