//! Bodies that are fast for their size are held at the first touch on their way: what would pass through another body, or deep into it,
//! stands at its surface at the end of the part of the step, so that contacts are found there, with the normal of the touch, and act in
//! the next solve. Velocities are left alone. No law, no impulse.
//!
//! After the touch at the share s of the way the two move on together: x = x₀ + s d + (1 − s) d̄, with d̄ the mean of their ways weighted with
//! their masses (along an axis on which one of them is prescribed, its way). So the centre of mass of two free bodies goes where it would
//! have gone, and what is held does not depend on the frame. What they meet on the rest of it goes on with both, in the order of the touches.
//! Gravity's work on the displacement is a line of the book of energy.

use mpcd_core::{BodyId, ContactKey, Kinematics, Vec3};
use mpcd_geometry::{Detector, Touch};

use crate::{
    first_touch::{DEEP, Encounter, Gauge, Outcome},
    motion::BodyConstants,
    ways::Ways,
};

/// How often a pair is held in one part of a step: bodies between driven ones may be pushed to and fro.
const MOST: usize = 8;

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
    /// kg
    mass: Vec<f64>,
    ways: Ways,
    /// Pairs to be measured, and how often each was held.
    pairs: Vec<([BodyId; 2], usize)>,
    /// Every pair at hand once from either body: body, pair, gap (m). Empty until somebody is held.
    around: Vec<(usize, [BodyId; 2], f64)>,
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
        let mass = bodies.iter().map(|b| b.mass).collect();
        Self { length, least, free, mass, ..Self::default() }
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
        // Whatever its own size, it may run into what has the least.
        let length = |i: usize| (self.length[i] * end.size[i]).min(self.least);
        let far = |i: usize| (end.position[i] - start[i]).norm() > 0.5 * DEEP * length(i);
        (0..end.len().min(self.length.len())).any(far)
    }

    /// Holds bodies back on their way from `start` to `end`. `touches` (keys, gaps in m, normals) were found at one end of it and hold every pair that can
    /// meet. Says whether there were any.
    pub(crate) fn hold(
        &mut self,
        detector: &mut Detector,
        touches: impl Iterator<Item = (ContactKey, f64, Vec3)> + Clone,
        found: Found,
        (start, end): (&[Vec3], &mut Kinematics),
        (bodies, gravity): (&[BodyConstants], &Vec3),
        acted: impl Fn([BodyId; 2], &Vec3) -> bool,
    ) -> bool {
        self.ways.start(start, &end.position);
        self.gather(touches.clone(), found, end);
        if self.pairs.is_empty() {
            return false;
        }
        self.around.clear();
        let held = self.count;
        let mut hits = Vec::new();
        self.measure(detector, end, |_| true, &mut hits);
        while let Some(first) = first_of(&hits) {
            let (part, place, normal) = hits.swap_remove(first);
            let (pair, times) = self.pairs[place];
            // A contact that acted in the last step and still goes deep from the start: its surfaces turn too far in a step, and what is
            // held there would be held for ever.
            if !self.can_hold(pair) || times == MOST || part <= 0.0 && acted(pair, &normal) {
                self.left.push(pair);
                continue;
            }
            self.pairs[place].1 += 1;
            self.count += 1;
            let bent = self.ways.join(pair.map(BodyId::index), part, &self.mass, &self.free);
            self.meet_more(touches.clone(), end, &bent);
            hits.retain(|(_, place, _)| !self.pairs[*place].0.iter().any(|b| bent.contains(&b.index())));
            self.measure(detector, end, |pair| pair.iter().any(|b| bent.contains(&b.index())), &mut hits);
        }
        for (i, by) in self.ways.shifts() {
            end.position[i] += by;
            self.work -= bodies[i].momentum(gravity).dot(&by);
        }
        self.count > held
    }

    /// Pairs whose way may take them deep into each other, or through.
    fn gather(&mut self, touches: impl Iterator<Item = (ContactKey, f64, Vec3)>, found: Found, end: &Kinematics) {
        let mut pairs = std::mem::take(&mut self.pairs);
        pairs.clear();
        for (key, gap, normal) in touches {
            let pair = [key.candidate, key.antagonist];
            let length = self.length_of(end, pair);
            let way = self.ways.alone[pair[0].index()] - self.ways.alone[pair[1].index()];
            let closing = if found == Found::Before { (-way.dot(&normal)).max(0.0) } else { 0.0 };
            let far = way.norm();
            let deep = gap - closing <= -DEEP * length && far > 0.5 * DEEP * length;
            let through = far > 0.5 * length && gap <= far;
            // On such a way a body meets more than the nearest image.
            if end.cell.lengths.iter().flatten().any(|period| far > 0.5 * period) {
                self.left.push(pair);
                continue;
            }
            // Where neither can be held back, what goes deep shows as an overlap; what goes through shows nowhere else.
            if (through || deep && self.can_hold(pair)) && length.is_finite() {
                pairs.push((pair, 0));
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        self.pairs = pairs;
        self.left.sort_unstable();
        self.left.dedup();
    }

    /// Adds the pairs of bodies whose ways have bent that may now come deep into each other.
    fn meet_more(&mut self, touches: impl Iterator<Item = (ContactKey, f64, Vec3)>, end: &Kinematics, bent: &[usize]) {
        if self.around.is_empty() {
            let of = |(key, gap, _): (ContactKey, f64, Vec3)| {
                let pair = [key.candidate, key.antagonist];
                pair.map(|b| (b.index(), pair, gap))
            };
            self.around.extend(touches.flat_map(of));
            self.around.sort_unstable_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2)));
            // Of several points of a pair the nearest.
            self.around.dedup_by_key(|near| (near.0, near.1));
        }
        for &body in bent {
            let from = self.around.partition_point(|near| near.0 < body);
            for &(_, pair, gap) in self.around[from..].iter().take_while(|near| near.0 == body) {
                let length = self.length_of(end, pair);
                let reach = self.ways.reach(pair.map(BodyId::index));
                let may = length.is_finite() && reach > 0.5 * DEEP * length && gap - reach <= -DEEP * length;
                if may && !self.pairs.iter().any(|(known, _)| *known == pair) {
                    self.pairs.push((pair, 0));
                }
            }
        }
    }

    /// Those of the pairs `asked` for that have to be held as the ways now are: (share of the way, place in the pairs, normal of the touch).
    fn measure(
        &mut self,
        detector: &mut Detector,
        end: &Kinematics,
        asked: impl Fn([BodyId; 2]) -> bool,
        hits: &mut Vec<(f64, usize, Vec3)>,
    ) {
        for (place, &(bodies, _)) in self.pairs.iter().enumerate() {
            if !asked(bodies) {
                continue;
            }
            let of = |list: &[Vec3]| bodies.map(|b| list[b.index()]);
            let encounter = Encounter {
                bodies,
                start: of(&self.ways.origin),
                way: of(&self.ways.way),
                since: bodies.iter().map(|b| self.ways.since[b.index()]).fold(0.0, f64::max),
                length: self.length_of(end, bodies),
                motion: end,
            };
            let mut gauge = Gauge { detector: &mut *detector, points: &mut self.points };
            match encounter.outcome(&mut gauge) {
                Outcome::HeldAt(part, normal) => hits.push((part, place, normal)),
                Outcome::Unknown => self.left.push(bodies),
                Outcome::Free => {}
            }
        }
    }
}

/// The earliest; of several at once the first found.
fn first_of(hits: &[(f64, usize, Vec3)]) -> Option<usize> {
    (0..hits.len()).min_by(|a, b| hits[*a].0.total_cmp(&hits[*b].0).then(hits[*a].1.cmp(&hits[*b].1)))
}
