//! Which of the detected pairs can come to push within the step. Where one body is fast, most pairs within the alert distance
//! cannot: they are set aside, and what the solution brings together all the same is taken back and solved again, so that
//! nothing is decided by a guess. No law, no impulse.

use mpcd_core::{ContactKey, Vec3};
use mpcd_friction::problem::{Body, ContactProblem};
use mpcd_geometry::Touch;

use crate::{assemble::Assembly, law::Cursor, motion::across};

/// Solves of a step that take back what meets alone; if more still does after them, all comes back.
const ROUNDS: usize = 3;

/// Pairs set aside, and what a second solve starts from.
#[derive(Debug, Default)]
pub(crate) struct Nearing {
    /// Fastest approach that a body may pass on from one neighbour to another [m/s].
    reach: Vec<f64>,
    /// Speeds of the pairs that are looked through, in their order [m/s].
    speeds: Vec<f64>,
    /// Sorted by key.
    waiting: Vec<Touch>,
    free: Vec<Body>,
    impulses: Vec<(ContactKey, Vec3)>,
    /// Buffer of a wider search.
    pub(crate) wider: Vec<Touch>,
    /// Buffer of [`merge`].
    tail: Vec<Touch>,
    late: usize,
    rounds: usize,
}

impl Nearing {
    /// A new step.
    pub(crate) fn clear(&mut self) {
        self.waiting.clear();
        (self.late, self.rounds) = (0, 0);
    }

    /// Pairs of this step that were set aside and taken back.
    pub(crate) const fn late(&self) -> usize {
        self.late
    }

    /// Pairs set aside.
    pub(crate) fn waiting(&self) -> &[Touch] {
        &self.waiting
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
            if touch.gap <= margin + h * speed {
                // A body that no impulse moves passes nothing on.
                for body in [touch.key.candidate.index(), touch.key.antagonist.index()] {
                    if nodes[body].inverse_mass != Vec3::zeros() {
                        self.reach[body] = self.reach[body].max(speed);
                    }
                }
            }
        }
        let (reach, waiting) = (&self.reach, &mut self.waiting);
        let mut speeds = self.speeds.iter();
        touches.retain(|touch| {
            let speed = speeds.next().copied().unwrap_or(f64::INFINITY);
            let passed_on = || reach[touch.key.candidate.index()] + reach[touch.key.antagonist.index()];
            let near = touch.gap <= margin + h * speed || touch.gap <= margin + h * passed_on();
            let stays = near || holds(touch);
            if !stays {
                waiting.push(*touch);
            }
            stays
        });
    }

    /// Remembers the free velocities, for a second solve.
    pub(crate) fn remember_free(&mut self, problem: &ContactProblem) {
        self.free.clone_from(&problem.bodies);
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

    /// Brings the pairs back that the solution makes overlap, and the bodies back to their free velocities; false where there
    /// are none. A sliding pair counts from where the convex law would lift it, `friction` being the law's coefficient.
    pub(crate) fn take_back(&mut self, assembly: &mut Assembly, h: f64, friction: impl Fn(&Touch) -> f64) -> bool {
        let Assembly { touches, problem, active, .. } = assembly;
        let before = touches.len();
        let nodes = &problem.bodies;
        let all = self.rounds == ROUNDS;
        let mut meet = false;
        self.waiting.retain(|touch| {
            let u = relative_velocity(nodes, touch);
            let normal = u.dot(&touch.frame.n);
            let tangential = (u - touch.frame.n * normal).norm();
            let meets = touch.gap + h * (normal - friction(touch) * tangential) < 0.0;
            meet |= meets;
            if meets {
                touches.push(*touch);
            }
            !meets
        });
        let met = touches.len();
        if meet && all {
            touches.append(&mut self.waiting);
        }
        self.rounds += 1;
        let back = touches.len() - before;
        if back > 0 {
            self.impulses.clear();
            self.impulses.extend(active.iter().zip(&problem.contacts).map(|(&k, c)| (touches[k].key, c.impulse)));
            // Those that meet and the rest are sorted, each for itself.
            merge(&mut touches[..met], before, &mut self.tail);
            merge(touches, met, &mut self.tail);
            problem.bodies.clone_from(&self.free);
        }
        self.late += back;
        back > 0
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

/// Sorts by key a list that is sorted up to a place and from there on.
fn merge(list: &mut [Touch], from: usize, tail: &mut Vec<Touch>) {
    tail.clear();
    tail.extend_from_slice(&list[from..]);
    let mut left = from;
    while let Some(last) = tail.last() {
        let place = left + tail.len() - 1;
        if left > 0 && list[left - 1].key > last.key {
            left -= 1;
            list[place] = list[left];
        } else {
            list[place] = *last;
            tail.pop();
        }
    }
}

/// World velocity of the candidate against the antagonist at the point of touch.
fn relative_velocity(nodes: &[Body], touch: &Touch) -> Vec3 {
    across(touch, |body| (nodes[body].velocity, nodes[body].angular_velocity))
}
