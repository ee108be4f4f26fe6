//! The first touch of two bodies on straight ways of their centres, and whether they would go deep into each other, or through, on the rest.
//! Which pairs are asked for, and what follows from the answer, is not here.

use mpcd_core::{BodyId, Kinematics, Vec3};
use mpcd_geometry::{Detector, Touch};

/// Depth over the smaller one's smallest length beyond which two bodies count as deep in each other.
pub(crate) const DEEP: f64 = 0.05;
/// Gap beyond what is left of the way up to which points are measured, over the same length.
const SLACK: f64 = 1e-6;
/// Most measurements on the way to the touch.
const MOST: usize = 200;
/// Steps, quarters of the length, in which the way behind the touch is looked at.
const BEHIND: u32 = 8;

/// Two bodies and their ways through a part of a step. Their orientations and sizes are those of its end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Encounter<'a> {
    pub(crate) bodies: [BodyId; 2],
    /// Centres at the start (m).
    pub(crate) start: [Vec3; 2],
    /// Displacements (m).
    pub(crate) way: [Vec3; 2],
    /// Share of the way from which on they go so.
    pub(crate) since: f64,
    /// The smaller of their smallest lengths (m).
    pub(crate) length: f64,
    pub(crate) motion: &'a Kinematics,
}

/// What measures: the detector, and a buffer.
pub(crate) struct Gauge<'a> {
    pub(crate) detector: &'a mut Detector,
    pub(crate) points: &'a mut Vec<Touch>,
}

impl Encounter<'_> {
    /// The part of the way after which the two are to be held: where they touch first, if the rest would take them deeper than [`DEEP`]
    /// into each other, through, or to another side. `None` where what is found at the end says the same as what happens on the way.
    pub(crate) fn held_at(&self, gauge: &mut Gauge<'_>) -> Option<f64> {
        let (part, normal) = self.first(gauge)?;
        let limit = DEEP * self.length;
        let end = self.nearest(1.0, gauge);
        if let Some(end) = end {
            if end.gap <= -limit {
                let start = self.nearest(self.since, gauge).map_or(f64::INFINITY, |t| t.gap);
                return (end.gap < start - 0.5 * limit).then_some(part);
            }
            if end.gap <= 0.0 && end.frame.n.dot(&normal) > 0.5 {
                return None;
            }
        }
        let stride = 0.25 * self.length / self.whole();
        let mut behind = (1..=BEHIND).map(|k| part + f64::from(k) * stride).take_while(|s| *s < 1.0);
        let deep = behind.any(|s| self.nearest(s, gauge).is_some_and(|t| t.gap < -limit));
        deep.then_some(part)
    }

    /// Relative way (m).
    fn whole(&self) -> f64 {
        (self.way[0] - self.way[1]).norm()
    }

    /// The part of the way at which the two first touch, within the contact tolerance, and the normal there.
    ///
    /// Between convex bodies that move straight the plane through the nearest points that parts them parts them until its gap closes: going
    /// on by gap over closing speed (Newton's method on a convex function) passes no touch and comes to it from before. Inside hollow
    /// bodies, where it may overshoot, the touch is bracketed.
    fn first(&self, gauge: &mut Gauge<'_>) -> Option<(f64, Vec3)> {
        let (mut apart, mut s) = (None, self.since);
        for _ in 0..MOST {
            let nearest = self.nearest(s, gauge)?;
            if nearest.gap <= nearest.tolerance() {
                return match apart {
                    Some(low) if nearest.gap < -nearest.tolerance() => self.between(low, s, gauge),
                    _ => Some((s, nearest.frame.n)),
                };
            }
            if s >= 1.0 {
                return None;
            }
            let ahead = |t: &Touch| {
                let closing = self.closing(t);
                if closing > 0.0 { t.gap / closing } else { f64::INFINITY }
            };
            let ahead = gauge.points.iter().map(ahead).fold(f64::INFINITY, f64::min);
            if ahead == f64::INFINITY {
                return None;
            }
            apart = Some(s);
            s = (s + ahead).min(1.0);
        }
        None
    }

    /// The touch between a part of the way where the two are apart and one where they overlap.
    fn between(&self, mut apart: f64, mut closed: f64, gauge: &mut Gauge<'_>) -> Option<(f64, Vec3)> {
        for _ in 0..60 {
            let middle = 0.5 * (apart + closed);
            match self.nearest(middle, gauge) {
                Some(t) if t.gap < -t.tolerance() => closed = middle,
                Some(t) if t.gap <= t.tolerance() => return Some((middle, t.frame.n)),
                _ => apart = middle,
            }
        }
        self.nearest(closed, gauge).map(|t| (closed, t.frame.n))
    }

    /// The nearest points after a part of the way, if they are within what the rest of it can close. Leaves all such points in the buffer.
    fn nearest(&self, part: f64, gauge: &mut Gauge<'_>) -> Option<Touch> {
        let at = |k: usize| (self.bodies[k], self.start[k] + self.way[k] * part);
        let alert = self.whole() * (1.0 - part) + SLACK * self.length;
        gauge.detector.measure(self.motion, [at(0), at(1)], alert, gauge.points);
        gauge.points.iter().min_by(|a, b| a.gap.total_cmp(&b.gap)).copied()
    }

    /// By how much the way closes the gap, the plane between the two staying (m).
    fn closing(&self, touch: &Touch) -> f64 {
        let along = (self.way[0] - self.way[1]).dot(&touch.frame.n);
        if touch.key.candidate == self.bodies[0] { -along } else { along }
    }
}
