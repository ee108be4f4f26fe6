//! Bodies that are fast for their size are held at the first touch on their way: what would pass through another body, or deep into it,
//! stands at its surface at the end of the part of the step, so that contacts are found there, with the normal of the touch, and act in
//! the next solve. Velocities are left alone. No law, no impulse.
//!
//! After the touch at the part s of the way the two move on together: x = x₀ + s d + (1 − s) d̄, with d̄ the mean of their ways weighted with
//! their masses (along an axis on which one of them is prescribed, its way). So the centre of mass of two free bodies goes where it would
//! have gone, and what is held does not depend on the frame. Gravity's work on the displacement is a line of the book of energy.

use mpcd_core::{BodyId, Kinematics, Vec3};
use mpcd_geometry::{Detector, Touch};

use crate::{
    first_touch::{DEEP, Encounter, Gauge},
    motion::BodyConstants,
};

/// Rounds in which held bodies are looked at again: each touch changes the ways of two bodies.
const ROUNDS: usize = 30;

/// When contacts were found in respect to the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    /// At its start.
    Before,
    /// At its end.
    After,
}

/// What is known of bodies that may be held, and buffers.
#[derive(Debug, Default)]
pub(crate) struct Hold {
    /// Smallest length of each body at reference size (m); infinite for what has none.
    length: Vec<f64>,
    /// The least of them (m).
    least: f64,
    /// 1 on the axes along which a body can be held back: free, and not of a joint.
    free: Vec<Vec3>,
    way: Vec<Vec3>,
    pairs: Vec<[BodyId; 2]>,
    /// Round in which the way of each body last changed, 0: never.
    changed: Vec<usize>,
    points: Vec<Touch>,
    /// Pairs held in this step.
    pub(crate) count: usize,
    /// Pairs of which no end was found in this step.
    pub(crate) left: Vec<[BodyId; 2]>,
    /// Energy that gravity was spared in this step (J): the flow into potential energy without a velocity.
    pub(crate) work: f64,
}

impl Hold {
    /// `length` are the smallest lengths at reference size (m), `jointed` says which bodies joints hold: they are not held back.
    pub(crate) fn new(length: Vec<f64>, bodies: &[BodyConstants], jointed: &[bool]) -> Self {
        let free = bodies.iter().zip(jointed).map(|(b, jointed)| if *jointed { Vec3::zeros() } else { b.free }).collect();
        let least = length.iter().copied().fold(f64::INFINITY, f64::min);
        Self { length, least, free, ..Self::default() }
    }

    /// A new step.
    pub(crate) fn clear(&mut self) {
        (self.count, self.work) = (0, 0.0);
        self.left.clear();
    }

    /// The smaller one's smallest length at the present sizes (m); infinite where neither has one.
    pub(crate) fn length_of(&self, motion: &Kinematics, bodies: [BodyId; 2]) -> f64 {
        let of = |body: BodyId| self.length[body.index()] * motion.size[body.index()];
        of(bodies[0]).min(of(bodies[1]))
    }

    fn can_hold(&self, pair: [BodyId; 2]) -> bool {
        pair.iter().any(|b| self.free[b.index()] != Vec3::zeros())
    }

    /// Whether a body comes far enough from `start` to `end` for this to matter. A relative way of two bodies is at most the sum of theirs.
    pub(crate) fn is_fast(&self, start: &[Vec3], end: &Kinematics) -> bool {
        // What has no smallest length itself may run into what has the least.
        let length = |i: usize| if self.length[i].is_finite() { self.length[i] * end.size[i] } else { self.least };
        let far = |i: usize| (end.position[i] - start[i]).norm() > 0.5 * DEEP * length(i);
        (0..end.len().min(self.length.len())).any(far)
    }

    /// Holds bodies back on their way from `start` to `end`. `touches` were found at one end of it and hold every pair that can meet.
    /// Says whether there were any.
    pub(crate) fn hold<'a>(
        &mut self,
        detector: &mut Detector,
        touches: impl Iterator<Item = &'a Touch>,
        found: Found,
        (start, end): (&[Vec3], &mut Kinematics),
        (bodies, gravity): (&[BodyConstants], &Vec3),
    ) -> bool {
        self.way.clear();
        self.way.extend(end.position.iter().zip(start).map(|(x, start)| x - start));
        self.gather(touches, found, end);
        if self.pairs.is_empty() {
            return false;
        }
        self.changed.clear();
        self.changed.resize(self.way.len(), 0);
        let held = self.count;
        for round in 1..=ROUNDS + 1 {
            let hits = self.hits(detector, (start, &*end), round);
            if hits.is_empty() {
                break;
            }
            if round > ROUNDS {
                self.left.extend(hits.iter().map(|(_, pair)| *pair));
                break;
            }
            for (part, pair) in hits {
                if !self.can_hold(pair) {
                    self.left.push(pair);
                    continue;
                }
                // The others of a body that was just held are looked at in the next round.
                if pair.iter().all(|b| self.changed[b.index()] < round) {
                    self.join(pair, part, round, (bodies, gravity));
                }
            }
        }
        for (i, _) in self.changed.iter().enumerate().filter(|(_, round)| **round > 0) {
            end.position[i] = start[i] + self.way[i];
        }
        self.count > held
    }

    /// Pairs whose way may take them deep into each other, or through.
    fn gather<'a>(&mut self, touches: impl Iterator<Item = &'a Touch>, found: Found, end: &Kinematics) {
        let mut pairs = std::mem::take(&mut self.pairs);
        pairs.clear();
        for touch in touches {
            let pair = [touch.key.candidate, touch.key.antagonist];
            let length = self.length_of(end, pair);
            let way = self.way[pair[0].index()] - self.way[pair[1].index()];
            let closing = if found == Found::Before { (-way.dot(&touch.frame.n)).max(0.0) } else { 0.0 };
            let far = way.norm();
            let deep = touch.gap - closing <= -DEEP * length && far > 0.5 * DEEP * length;
            let through = far > 0.5 * length && touch.gap <= far;
            // Where neither can be held back, what goes deep shows as an overlap; what goes through shows nowhere else.
            if (through || deep && self.can_hold(pair)) && length.is_finite() {
                pairs.push(pair);
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        self.pairs = pairs;
    }

    /// The pairs that have to be held on the ways as they now are, first touch first; after the first round those alone whose way changed.
    fn hits(&mut self, detector: &mut Detector, (start, end): (&[Vec3], &Kinematics), round: usize) -> Vec<(f64, [BodyId; 2])> {
        let mut hits = Vec::new();
        for &pair in &self.pairs {
            if round > 1 && pair.iter().all(|b| self.changed[b.index()] + 1 < round) {
                continue;
            }
            let encounter = Encounter {
                bodies: pair,
                start: pair.map(|b| start[b.index()]),
                way: pair.map(|b| self.way[b.index()]),
                length: self.length_of(end, pair),
                motion: end,
            };
            let mut gauge = Gauge { detector: &mut *detector, points: &mut self.points };
            hits.extend(encounter.held_at(&mut gauge).map(|part| (part, pair)));
        }
        hits.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        hits
    }

    /// From the touch on the two go the same way.
    fn join(&mut self, pair: [BodyId; 2], part: f64, round: usize, (bodies, gravity): (&[BodyConstants], &Vec3)) {
        let [c, a] = pair.map(BodyId::index);
        let (mass, way) = ([bodies[c].mass, bodies[a].mass], [self.way[c], self.way[a]]);
        let common = Vec3::from_fn(|k, _| match (self.free[c][k] > 0.0, self.free[a][k] > 0.0) {
            (true, true) => (mass[0] * way[0][k] + mass[1] * way[1][k]) / (mass[0] + mass[1]),
            (true, false) => way[1][k],
            (false, _) => way[0][k],
        });
        for i in [c, a] {
            let by = ((common - self.way[i]) * (1.0 - part)).component_mul(&self.free[i]);
            self.way[i] += by;
            self.work -= bodies[i].momentum(gravity).dot(&by);
            self.changed[i] = round;
        }
        self.count += 1;
    }
}
