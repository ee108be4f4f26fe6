//! Which of the detected pairs can come to push within the step. Where one body is fast, most pairs within the alert distance
//! cannot: they are set aside, and what the solution brings together all the same is taken back and solved again, so that
//! nothing is decided by a guess. No law, no impulse.
//!
//! Where there are balls, discs and planes alone, pairs are not held while they are looked through, and of those set aside only what tells whether they meet:
//! their touch is found again when they do.

use mpcd_core::{ContactKey, Kinematics, Vec3};
use mpcd_friction::problem::{Body, ContactProblem};
use mpcd_geometry::{Detector, Touch};

use crate::{assemble::Assembly, law::Cursor, motion::between, together::fill};

/// Solves of a step that take back what meets alone; if more still does after them, all comes back.
const ROUNDS: usize = 3;

/// A pair set aside, as far as its meeting needs it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Far {
    pub(crate) key: ContactKey,
    pub(crate) gap: f64,
    pub(crate) normal: Vec3,
    arms: [Vec3; 2],
}

impl From<&Touch> for Far {
    fn from(t: &Touch) -> Self {
        Self { key: t.key, gap: t.gap, normal: t.frame.n, arms: [t.arm_candidate, t.arm_antagonist] }
    }
}

/// A touch, or what is left of one.
pub(crate) trait Pair: Copy {
    fn key(&self) -> &ContactKey;
    fn gap(&self) -> f64;
    fn normal(&self) -> &Vec3;
    fn arms(&self) -> [&Vec3; 2];
}

impl Pair for Touch {
    fn key(&self) -> &ContactKey {
        &self.key
    }
    fn gap(&self) -> f64 {
        self.gap
    }
    fn normal(&self) -> &Vec3 {
        &self.frame.n
    }
    fn arms(&self) -> [&Vec3; 2] {
        [&self.arm_candidate, &self.arm_antagonist]
    }
}

impl Pair for Far {
    fn key(&self) -> &ContactKey {
        &self.key
    }
    fn gap(&self) -> f64 {
        self.gap
    }
    fn normal(&self) -> &Vec3 {
        &self.normal
    }
    fn arms(&self) -> [&Vec3; 2] {
        self.arms.each_ref()
    }
}

/// Pairs set aside, and what a second solve starts from.
#[derive(Debug, Default)]
pub(crate) struct Nearing {
    /// Fastest approach that a body may pass on from one neighbour to another [m/s].
    reach: Vec<f64>,
    /// Speeds of the pairs that are looked through, in their order [m/s].
    speeds: Vec<f64>,
    /// Sorted by key; one of the two lists is empty.
    waiting: Vec<Touch>,
    far: Vec<Far>,
    /// Whether pairs are found again.
    finds_again: bool,
    /// Velocities that are free.
    free: Vec<[Vec3; 2]>,
    impulses: Vec<(ContactKey, Vec3)>,
    /// Buffer of a wider search.
    pub(crate) wider: Vec<Touch>,
    /// Buffers of [`merge`].
    tail: Vec<Touch>,
    far_tail: Vec<Far>,
    late: usize,
    rounds: usize,
    /// Most pairs that were slim in the steps since `far` was last fitted, and how many steps these are.
    most: usize,
    steps: usize,
}

/// Steps after which the memory of pairs set aside is fitted to what they took: while bodies fall, many times what they take at rest.
const FITTED: usize = 64;

impl Nearing {
    /// A new step.
    pub(crate) fn clear(&mut self) {
        self.most = self.most.max(self.far.len());
        self.steps += 1;
        if self.steps >= FITTED {
            if self.far.capacity() > 2 * self.most + FITTED {
                self.far.clear();
                self.far.shrink_to(self.most + self.most / 4);
                self.far_tail = Vec::new();
            }
            (self.most, self.steps) = (0, 0);
        }
        self.waiting.clear();
        self.far.clear();
        self.finds_again = false;
        (self.late, self.rounds) = (0, 0);
    }

    /// Pairs of this step that were set aside and taken back.
    pub(crate) const fn late(&self) -> usize {
        self.late
    }

    /// Whether pairs are found again when they meet.
    pub(crate) const fn finds_again(&self) -> bool {
        self.finds_again
    }

    /// Pairs set aside, as touches or as what is left of them.
    pub(crate) fn waiting(&self) -> (&[Touch], &[Far]) {
        (&self.waiting, &self.far)
    }

    /// Takes those out of `touches` that cannot push within the step at the free velocities of `nodes`: farther apart than
    /// `margin` (m) plus what the pair approaches by itself, or struck by a neighbour, in `h`. `holds` names pairs that stay whatever
    /// their gap.
    pub(crate) fn set_aside(
        &mut self,
        touches: &mut Vec<Touch>,
        nodes: &[Body],
        (margin, h): (f64, f64),
        mut holds: impl FnMut(&Touch) -> bool,
    ) {
        self.reach.clear();
        self.reach.resize(nodes.len(), 0.0);
        self.speeds.clear();
        for touch in touches.iter() {
            let speed = relative_velocity(nodes, touch).norm();
            self.speeds.push(speed);
            pass_on(&mut self.reach, nodes, touch, (margin, h, speed));
        }
        let (reach, waiting) = (&self.reach, &mut self.waiting);
        let mut speeds = self.speeds.iter();
        touches.retain(|touch| {
            let speed = speeds.next().copied().unwrap_or(f64::INFINITY);
            let near = touch.gap <= margin + h * speed || touch.gap <= margin + h * passed_on(reach, &touch.key);
            let stays = near || holds(touch);
            if !stays {
                waiting.push(*touch);
            }
            stays
        });
    }

    /// The same as detection finds pairs up to the gap `alert` (m): `touches` become those that stay. The detector is prepared for it; `holds` is told the key
    /// and the gap (m).
    pub(crate) fn sieve(
        &mut self,
        (detector, now, alert): (&mut Detector, &Kinematics, f64),
        touches: &mut Vec<Touch>,
        nodes: &[Body],
        (margin, h): (f64, f64),
        mut holds: impl FnMut(&ContactKey, f64) -> bool,
    ) {
        self.finds_again = true;
        self.reach.clear();
        self.reach.resize(nodes.len(), 0.0);
        touches.clear();
        let Self { reach, far, tail, speeds, .. } = self;
        far.clear();
        // Those that are near by themselves are known at first sight.
        detector.pass(now, alert, |some| {
            fill(speeds, some.len(), || (), |(), k| relative_velocity(nodes, &some[k]).norm());
            for (touch, &speed) in some.iter().zip(&*speeds) {
                if touch.gap <= margin + h * speed {
                    pass_on(reach, nodes, touch, (margin, h, speed));
                    touches.push(*touch);
                } else {
                    far.push(touch.into());
                }
            }
        });
        tail.clear();
        far.retain(|far| {
            let stays = far.gap <= margin + h * passed_on(reach, &far.key) || holds(&far.key, far.gap);
            if stays {
                detector.touch_of(now, &far.key, |touch| tail.push(touch));
            }
            !stays
        });
        merge_tail(touches, tail);
    }

    /// Remembers the free velocities, for a second solve.
    pub(crate) fn remember_free(&mut self, problem: &ContactProblem) {
        self.free.clear();
        self.free.extend(problem.bodies.iter().map(|body| [body.velocity, body.angular_velocity]));
    }

    /// What a wider search found besides the pairs at hand waits too.
    pub(crate) fn wait_for_wider(&mut self, at_hand: &[Touch]) {
        let Self { waiting, wider, tail, .. } = self;
        // All three are sorted by key.
        let (mut at_hand, mut known) = (Cursor::new(at_hand, |t| &t.key), Cursor::new(&waiting[..], |t: &Touch| &t.key));
        wider.retain(|touch| at_hand.find(&touch.key).is_none() && known.find(&touch.key).is_none());
        let before = waiting.len();
        waiting.append(wider);
        merge(waiting, before, tail);
    }

    /// The same as detection finds pairs up to the gap `alert` (m). The detector is prepared for it.
    pub(crate) fn wait_for_far(&mut self, (detector, now, alert): (&mut Detector, &Kinematics, f64), at_hand: &[Touch]) {
        let Self { far, far_tail, .. } = self;
        let (mut at_hand, mut known) = (Cursor::new(at_hand, |t| &t.key), Cursor::new(&far[..], |t: &Far| &t.key));
        far_tail.clear();
        detector.pass(now, alert, |some| {
            let fresh = some.iter().filter(|t| at_hand.find(&t.key).is_none() && known.find(&t.key).is_none());
            far_tail.extend(fresh.map(Far::from));
        });
        merge_tail(far, far_tail);
    }

    /// Brings the pairs back that the solution makes overlap, and the bodies back to their free velocities; false where there
    /// are none. A sliding pair counts from where the convex law would lift it, `friction` being the law's coefficient; `again` adds the touch of a pair
    /// of which that is not held.
    pub(crate) fn take_back(
        &mut self,
        assembly: &mut Assembly,
        h: f64,
        friction: impl Fn(&ContactKey) -> f64,
        mut again: impl FnMut(&ContactKey, &mut Vec<Touch>),
    ) -> bool {
        let Assembly { touches, problem, active, .. } = assembly;
        let before = touches.len();
        let nodes = &problem.bodies;
        let all = self.rounds == ROUNDS;
        self.waiting.retain(|touch| {
            let meets = meets(nodes, touch, h, &friction);
            if meets {
                touches.push(*touch);
            }
            !meets
        });
        self.far.retain(|far| {
            let meets = meets(nodes, far, h, &friction);
            if meets {
                again(&far.key, touches);
            }
            !meets
        });
        let met = touches.len();
        if met > before && all {
            touches.append(&mut self.waiting);
            self.far.drain(..).for_each(|far| again(&far.key, touches));
        }
        self.rounds += 1;
        let back = touches.len() - before;
        if back > 0 {
            self.impulses.clear();
            self.impulses.extend(active.iter().zip(&problem.contacts).map(|(&k, c)| (touches[k].key, c.impulse)));
            // Those that meet and the rest are sorted, each for itself.
            merge(&mut touches[..met], before, &mut self.tail);
            merge(touches, met, &mut self.tail);
            self.free_again(&mut problem.bodies);
        }
        self.late += back;
        back > 0
    }

    /// Brings the bodies back to their free velocities.
    fn free_again(&self, bodies: &mut Vec<Body>) {
        bodies.truncate(self.free.len());
        for (body, [velocity, angular_velocity]) in bodies.iter_mut().zip(&self.free) {
            (body.velocity, body.angular_velocity) = (*velocity, *angular_velocity);
        }
    }

    /// Remembers the impulses of a solve whose pairs will be others.
    pub(crate) fn remember_impulses(&mut self, assembly: &Assembly) {
        let Assembly { touches, problem, active, .. } = assembly;
        self.impulses.clear();
        self.impulses.extend(active.iter().zip(&problem.contacts).map(|(&k, c)| (touches[k].key, c.impulse)));
    }

    /// Brings the bodies back for a solve with `late` more pairs, which are at hand.
    pub(crate) fn go_back(&mut self, assembly: &mut Assembly, late: usize) {
        self.free_again(&mut assembly.problem.bodies);
        self.late += late;
    }

    /// Starts a second solve from the impulses of the first.
    pub(crate) fn start_from_last(&self, assembly: &mut Assembly) {
        let Assembly { touches, problem, active, .. } = assembly;
        let mut last = Cursor::new(&self.impulses, |(key, _)| key);
        for (&k, contact) in active.iter().zip(&mut problem.contacts) {
            if let Some((_, impulse)) = last.find(&touches[k].key) {
                contact.impulse = *impulse;
            }
        }
    }
}

/// A pair that is near by itself passes its speed on; `way` is the margin (m), the time (s) and the speed [m/s].
fn pass_on(reach: &mut [f64], nodes: &[Body], touch: &Touch, (margin, h, speed): (f64, f64, f64)) {
    if touch.gap <= margin + h * speed {
        // A body that no impulse moves passes nothing on.
        for body in [touch.key.candidate.index(), touch.key.antagonist.index()] {
            if nodes[body].inverse_mass != Vec3::zeros() {
                reach[body] = reach[body].max(speed);
            }
        }
    }
}

/// Speed at which the neighbours of two bodies may drive them together [m/s].
fn passed_on(reach: &[f64], key: &ContactKey) -> f64 {
    reach[key.candidate.index()] + reach[key.antagonist.index()]
}

/// Whether the velocities of `nodes` bring a pair together.
fn meets(nodes: &[Body], pair: &impl Pair, h: f64, friction: impl Fn(&ContactKey) -> f64) -> bool {
    let u = relative_velocity(nodes, pair);
    let normal = u.dot(pair.normal());
    let tangential = (u - pair.normal() * normal).norm();
    pair.gap() + h * (normal - friction(pair.key()) * tangential) < 0.0
}

/// Sorts by key a list that is sorted up to a place and from there on.
fn merge<P: Pair>(list: &mut [P], from: usize, tail: &mut Vec<P>) {
    tail.clear();
    tail.extend_from_slice(&list[from..]);
    fill_in(list, from, tail);
}

/// Brings what is sorted by key in `tail` into a sorted list.
fn merge_tail<P: Pair>(list: &mut Vec<P>, tail: &mut Vec<P>) {
    let from = list.len();
    list.extend_from_slice(tail);
    fill_in(list, from, tail);
}

/// The list is sorted up to `left`, and has room for the tail behind.
fn fill_in<P: Pair>(list: &mut [P], mut left: usize, tail: &mut Vec<P>) {
    while let Some(last) = tail.last() {
        let place = left + tail.len() - 1;
        if left > 0 && list[left - 1].key() > last.key() {
            left -= 1;
            list[place] = list[left];
        } else {
            list[place] = *last;
            tail.pop();
        }
    }
}

/// World velocity of the candidate against the antagonist at the point of touch.
pub(crate) fn relative_velocity(nodes: &[Body], pair: &impl Pair) -> Vec3 {
    between(pair.key(), pair.arms(), |body| (nodes[body].velocity, nodes[body].angular_velocity))
}
