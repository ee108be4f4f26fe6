//! The plane between two sharp bodies that pass each other. Detection has the one through their nearest points as the step begins; of two corners it leans against
//! the motion, and its half-space n·u ≥ −g/h forbids a way on which nothing touches. Between convex bodies that go straight any plane that parts them at the
//! start is right, so the one is taken that parts them longest. No law, no impulse.

use mpcd_core::{Kinematics, Vec3};
use mpcd_friction::problem::Body;
use mpcd_geometry::{Detector, Touch};

use crate::nearing::relative_velocity;

/// Cosine above which a plane is the same one.
const SAME: f64 = 1.0 - 1e-9;
/// Way over the shorter arm up to which bodies that pass count as flush, which is the detector's matter.
const SHORT: f64 = 1e-4;
/// Most planes of a pair.
const MOST: u32 = 60;

/// Buffers, kept from step to step.
#[derive(Debug, Default)]
pub(crate) struct Passing {
    measured: Vec<Touch>,
    /// Points on the planes that are found.
    found: Vec<Touch>,
    /// Places of the pairs in the list of touches that these stand for.
    taken: Vec<std::ops::Range<usize>>,
}

/// What becomes of the points of two bodies.
enum Way {
    /// They stay.
    Closes,
    /// Those on this plane take their place.
    Along(Plane),
    /// Nothing does: at the end of the way the bodies graze, which detection lets pass.
    Grazes,
}

/// A plane on the way of two bodies.
#[derive(Debug, Clone, Copy)]
struct Plane {
    /// Part of the way at which it goes through the nearest points.
    at: f64,
    normal: Vec3,
    gap: f64,
    /// By how much the whole way closes its gap (m).
    closing: f64,
}

impl Plane {
    /// The gap along its normal at the start (m).
    fn at_start(&self) -> f64 {
        self.gap + self.at * self.closing
    }
}

impl Passing {
    /// Gives the pairs of `touches`, which are sorted, that the free velocities of `nodes` would bring to push in `h` and that are apart the plane that parts
    /// them longest on the way. `holds` names pairs that stay as they are.
    pub(crate) fn turn(
        &mut self,
        touches: &mut Vec<Touch>,
        nodes: &[Body],
        (detector, now, h): (&mut Detector, &Kinematics, f64),
        mut holds: impl FnMut(&Touch) -> bool,
    ) {
        self.found.clear();
        self.taken.clear();
        let mut end = 0;
        while end < touches.len() {
            let start = end;
            let bodies = [touches[start].key.candidate, touches[start].key.antagonist];
            end += touches[start..].iter().take_while(|t| [t.key.candidate, t.key.antagonist] == bodies).count();
            let pair = &touches[start..end];
            let way_of = |t: &Touch| relative_velocity(nodes, t) * h;
            let Some(first) = pair.iter().min_by(|a, b| a.gap.total_cmp(&b.gap)) else { continue };
            let way = way_of(first);
            let arm = first.arm_candidate.norm().min(first.arm_antagonist.norm());
            let pushes = pair.iter().any(|t| t.gap + way_of(t).dot(&t.frame.n) < 0.0);
            if !pushes
                || first.gap <= first.tolerance()
                || way.norm() <= SHORT * arm
                || !detector.is_sharp_pair(bodies)
                || pair.iter().any(&mut holds)
            {
                continue;
            }
            let found = self.longest(first, way, detector, now);
            let plane = match found {
                Way::Closes => continue,
                _ if !self.is_plain(first, detector, now) => continue,
                Way::Grazes => {
                    self.taken.push(start..end);
                    continue;
                }
                Way::Along(plane) => plane,
            };
            if plane.normal.dot(&first.frame.n) >= SAME {
                continue;
            }
            self.measure(first, way * plane.at, plane.gap + way.norm(), detector, now);
            let moved = way * plane.at;
            let before = self.found.len();
            for t in self.measured.iter().filter(|t| t.frame.n.dot(&plane.normal) >= SAME) {
                // Both arms end where the candidate has the point at the start.
                let point = t.point - moved;
                let arm_antagonist = t.arm_antagonist - moved;
                let gap = t.gap - moved.dot(&t.frame.n);
                self.found.push(Touch { point, arm_antagonist, gap, ..*t });
            }
            if self.found.len() > before {
                self.taken.push(start..end);
            }
        }
        if self.taken.is_empty() {
            return;
        }
        for range in self.taken.drain(..).rev() {
            touches.drain(range);
        }
        touches.append(&mut self.found);
        touches.sort_unstable_by_key(|t| t.key);
    }

    /// Whether the plane of two bodies is that through their nearest points: at seams and hollow corners detection has another.
    fn is_plain(&mut self, first: &Touch, detector: &mut Detector, now: &Kinematics) -> bool {
        let plane = self.plane(first, (Vec3::zeros(), 0.0), detector, now);
        plane.is_some_and(|plane| plane.normal.dot(&first.frame.n) >= SAME)
    }

    /// The plane that parts two bodies longest on the way of the candidate against the antagonist, of those that part them at the start: that at the end where the
    /// bodies are apart there; else going on by gap over closing speed, which passes no touch (as in [`crate::first_touch`]), and where the planes turn open the
    /// one at the nearest.
    fn longest(&mut self, first: &Touch, way: Vec3, detector: &mut Detector, now: &Kinematics) -> Way {
        let end = self.plane(first, (way, 1.0), detector, now);
        if let Some(plane) = end.filter(|end| end.gap >= 0.0 && end.at_start() >= 0.0) {
            return Way::Along(plane);
        }
        let of = |plane: Option<Plane>| plane.map_or(Way::Closes, Way::Along);
        let mut last: Option<Plane> = None;
        let mut at = 0.0;
        for _ in 0..MOST {
            let Some(plane) = self.plane(first, (way, at), detector, now) else {
                // edges that graze have no points
                return match end {
                    Some(end) => of(if end.at_start() >= 0.0 { Some(end) } else { last }),
                    None => Way::Grazes,
                };
            };
            if plane.gap <= first.tolerance() {
                return of(last);
            }
            if plane.closing <= 0.0 {
                if plane.at_start() >= 0.0 {
                    return Way::Along(plane);
                }
                let Some(last) = last else { return Way::Closes };
                return of(self.nearest(first, way, (last.at, at), detector, now));
            }
            last = Some(plane);
            at += plane.gap / plane.closing;
            if at >= 1.0 {
                break;
            }
        }
        of(last)
    }

    /// The plane between two parts of the way, at the first of which its gap still closes and at the second opens, that parts the bodies on all of it.
    fn nearest(
        &mut self,
        first: &Touch,
        way: Vec3,
        (mut closes, mut opens): (f64, f64),
        detector: &mut Detector,
        now: &Kinematics,
    ) -> Option<Plane> {
        for _ in 0..MOST {
            let plane = self.plane(first, (way, 0.5 * (closes + opens)), detector, now)?;
            if plane.gap <= first.tolerance() {
                return None;
            }
            let at_end = plane.gap - (1.0 - plane.at) * plane.closing;
            if plane.at_start() >= 0.0 && at_end >= 0.0 {
                return Some(plane);
            }
            if plane.closing > 0.0 { closes = plane.at } else { opens = plane.at }
        }
        None
    }

    /// The plane through the nearest points after a part of the way.
    fn plane(&mut self, first: &Touch, (way, at): (Vec3, f64), detector: &mut Detector, now: &Kinematics) -> Option<Plane> {
        self.measure(first, way * at, first.gap + way.norm(), detector, now);
        let nearest = self.measured.iter().min_by(|a, b| a.gap.total_cmp(&b.gap))?;
        let normal = nearest.frame.n;
        Some(Plane { at, normal, gap: nearest.gap, closing: -way.dot(&normal) })
    }

    /// The points of two bodies, the candidate moved on.
    fn measure(&mut self, first: &Touch, moved: Vec3, alert: f64, detector: &mut Detector, now: &Kinematics) {
        let at = |body: mpcd_core::BodyId| now.position[body.index()];
        let (candidate, antagonist) = (first.key.candidate, first.key.antagonist);
        detector.measure(now, [(candidate, at(candidate) + moved), (antagonist, at(antagonist))], alert, &mut self.measured);
    }
}
