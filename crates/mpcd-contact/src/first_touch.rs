//! The first touch of two bodies on straight ways of their centres, and whether they would go deep into each other, or through, on the rest.
//! Which pairs are asked for, and what follows from the answer, is not here.

use mpcd_core::{BodyId, Kinematics, Vec3};
use mpcd_geometry::{Detector, Touch};

/// Depth over the smaller one's smallest length beyond which two bodies count as deep in each other.
pub(crate) const DEEP: f64 = 0.05;
/// Gap beyond what is left of the way up to which points are measured, over the same length.
const SLACK: f64 = 1e-6;
/// Most measurements on the way to the touch.
const MOST: usize = 400;
/// Cosine of the angle by which the normal of a contact may turn between two measurements.
pub(crate) const SAME: f64 = 0.8;
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

/// What becomes of two bodies on their way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Outcome {
    Free,
    /// To be held after this part of the way, at a touch with this normal.
    HeldAt(f64, Vec3),
    /// Too long a way to be followed.
    Unknown,
}

/// The first touch: part of the way and normal.
enum First {
    At(f64, Vec3),
    Never,
    Unknown,
}

/// What measures: the detector, and a buffer.
pub(crate) struct Gauge<'a> {
    pub(crate) detector: &'a mut Detector,
    pub(crate) points: &'a mut Vec<Touch>,
}

impl Encounter<'_> {
    /// What is to be done: they are held where they touch first, if the rest would take them deeper than [`DEEP`] into each other, through,
    /// or to another side. They go free where what is found at the end says the same as what happens on the way.
    pub(crate) fn outcome(&self, gauge: &mut Gauge<'_>) -> Outcome {
        let (part, normal) = match self.first(gauge) {
            First::At(part, normal) => (part, normal),
            First::Never => return Outcome::Free,
            First::Unknown => return Outcome::Unknown,
        };
        let limit = DEEP * self.length;
        let held = |yes: bool| if yes { Outcome::HeldAt(part, normal) } else { Outcome::Free };
        let end = self.nearest(1.0, gauge);
        if let Some(end) = end {
            if end.gap <= -limit {
                let start = self.nearest(self.since, gauge).map_or(f64::INFINITY, |t| t.gap);
                return held(end.gap < start - 0.5 * limit);
            }
            if end.gap <= 0.0 && end.frame.n.dot(&normal) > 0.5 {
                return Outcome::Free;
            }
        }
        let stride = 0.25 * self.length / self.whole();
        let mut behind = (1..=BEHIND).map(|k| part + f64::from(k) * stride).take_while(|s| *s < 1.0);
        held(behind.any(|s| self.nearest(s, gauge).is_some_and(|t| t.gap < -limit)))
    }

    /// Relative way (m).
    fn whole(&self) -> f64 {
        (self.way[0] - self.way[1]).norm()
    }

    /// The part of the way at which the two first touch, within the contact tolerance, and the normal there.
    ///
    /// Between convex bodies that move straight the plane through the nearest points that parts them parts them until its gap closes: going
    /// on by gap over closing speed (Newton's method on a convex function) passes no touch and comes to it from before. Inside hollow
    /// bodies, where it may overshoot, the touch is bracketed; and where no plane closes, the way is followed by what the gap surely allows.
    ///
    /// What touches at the start and does not go deep by itself is no touch on the way: the floor on which a ball rolls to a wall is the
    /// solver's. It is known again by its normal.
    fn first(&self, gauge: &mut Gauge<'_>) -> First {
        let mut resting: Vec<Vec3> = Vec::new();
        let (mut apart, mut s) = (None, self.since);
        for _ in 0..MOST {
            if self.nearest(s, gauge).is_none() {
                return First::Never;
            }
            let at_start = s <= self.since;
            let mut touching: Option<Touch> = None;
            for t in gauge.points.iter().filter(|t| t.gap <= t.tolerance()) {
                if let Some(known) = resting.iter_mut().find(|n| n.dot(&t.frame.n) > SAME) {
                    *known = t.frame.n;
                } else if at_start && !self.goes_deep(t, 1.0 - s) {
                    resting.push(t.frame.n);
                } else if touching.is_none_or(|other| t.gap < other.gap) {
                    touching = Some(*t);
                }
            }
            if let Some(touch) = touching {
                return match apart {
                    Some(low) if touch.gap < -touch.tolerance() => self.between(low, s, &resting, gauge),
                    _ => First::At(s, touch.frame.n),
                };
            }
            if s >= 1.0 {
                return First::Never;
            }
            let open = || gauge.points.iter().filter(|t| t.gap > t.tolerance());
            let by_planes = open().map(|t| (t.gap, self.closing(t))).filter(|(_, closing)| *closing > 0.0);
            let by_planes = by_planes.map(|(gap, closing)| gap / closing).fold(f64::INFINITY, f64::min);
            let ahead = if by_planes < f64::INFINITY {
                by_planes
            } else {
                let surely = open().map(|t| t.gap).fold(f64::INFINITY, f64::min);
                let surely = if surely < f64::INFINITY { surely } else { 0.0 };
                surely.max(0.25 * self.length) / self.whole()
            };
            apart = Some(s);
            s = (s + ahead).min(1.0);
        }
        First::Unknown
    }

    /// Whether the plane of a touch is passed deeper than [`DEEP`] on what is left of the way.
    fn goes_deep(&self, touch: &Touch, left: f64) -> bool {
        let limit = DEEP * self.length;
        let closes = self.closing(touch) * left;
        closes > 0.5 * limit && touch.gap - closes <= -limit
    }

    /// The touch between a part of the way where the two are apart, but for what is `resting`, and one where they overlap.
    fn between(&self, mut apart: f64, mut closed: f64, resting: &[Vec3], gauge: &mut Gauge<'_>) -> First {
        let mut normal = None;
        for _ in 0..60 {
            let middle = 0.5 * (apart + closed);
            self.nearest(middle, gauge);
            let new = gauge.points.iter().filter(|t| !resting.iter().any(|n| n.dot(&t.frame.n) > SAME));
            match new.min_by(|a, b| a.gap.total_cmp(&b.gap)) {
                Some(t) if t.gap < -t.tolerance() => (closed, normal) = (middle, Some(t.frame.n)),
                Some(t) if t.gap <= t.tolerance() => return First::At(middle, t.frame.n),
                _ => apart = middle,
            }
        }
        normal.map_or(First::Unknown, |n| First::At(closed, n))
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
