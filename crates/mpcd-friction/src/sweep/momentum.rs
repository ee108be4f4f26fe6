//! Momentum between sweeps: the iterate moved on along its own last change (Nesterov), and when to let go of it.
//!
//! With `x` the impulses before a sweep and `g` those after it, the next sweep starts from `g + β (g − g')`, `g'` being
//! the result of the sweep before, `β = (t − 1)/t₊`, `t₊ = (1 + √(1 + 4t²))/2`. Velocities follow impulses linearly, so
//! the same combination of velocities belongs to it: nothing is rebuilt. Where a sweep turns back against the movement,
//! `(g − x)·(g − g') < 0` in the metric of the blocks, the momentum is dropped (O'Donoghue and Candès 2015, *Adaptive
//! restart for accelerated gradient schemes*). Friction makes the problem no minimisation: momentum can feed a cycle of
//! sliding contacts, which shows as `‖g − x‖` growing; then some plain sweeps calm it down. The starting point of a sweep may leave the cones; its result does not.
//!
//! What moves the impulses and the bodies is the sweeper's.

use super::passes::Direction;
use super::sweeper::{Change, Sweeper};

/// `‖g − x‖²` may grow by this over its least since the momentum began. Measured on packings of 2,000 to 19,000 contacts:
/// without this limit half of them end in a cycle.
const GROWTH: f64 = 2.0;

/// Plain sweeps after it grew more. Measured: without them the hardest packing needs seven times the sweeps.
const REST: usize = 10;

/// Where a movement does not bring `‖g − x‖²` below this share of what those before it reached, the rest after it is twice as long, up to so many sweeps:
/// what momentum feeds, plain sweeps wear down.
const PROGRESS: f64 = 0.5;
const LONGEST: usize = 640;
/// Least bound of `t`.
const LIGHTEST: f64 = 3.0;

/// Where momentum has come.
#[derive(Debug, Default)]
pub(crate) struct Momentum {
    /// What the last sweep did, if it was one with momentum.
    change: Option<Change>,
    /// Least `‖g − x‖²` since the momentum began.
    least: f64,
    /// Plain sweeps left before momentum begins again.
    rest: usize,
    t: f64,
    /// Plain sweeps of the last rest, and the least `‖g − x‖²` of all movements before this one.
    length: usize,
    before: f64,
    /// Largest `t`.
    most: f64,
}

impl Momentum {
    /// Forgets all: a new solve.
    pub(crate) const fn forget(&mut self) {
        self.change = None;
        self.rest = 0;
        (self.length, self.before, self.most) = (REST, f64::INFINITY, f64::INFINITY);
    }

    /// Plain sweeps follow: the more, and a slower movement after them, the less came of the one that ends.
    fn let_go(&mut self, progressed: bool) {
        if progressed {
            self.length = REST;
        } else {
            self.length = (2 * self.length).min(LONGEST);
            self.most = (0.5 * self.t).max(LIGHTEST);
        }
        self.change = None;
        self.rest = self.length;
    }

    /// One sweep, from where the momentum carries.
    pub(crate) fn sweep<const D: usize>(&mut self, sweeper: &mut impl Sweeper<D>, direction: Direction) {
        match self.weight() {
            Some(beta) => self.change = Some(sweeper.sweep_on(direction, beta)),
            None => sweeper.sweep(direction),
        }
    }

    /// How far to move on before the next sweep; `None` where it is to be a plain one.
    fn weight(&mut self) -> Option<f64> {
        if self.rest > 0 {
            self.rest -= 1;
            return None;
        }
        let Some(change) = self.change else {
            (self.t, self.least) = (1.0, f64::INFINITY);
            return Some(0.0);
        };
        if change.square > GROWTH * self.least {
            let progressed = self.least < PROGRESS * self.before;
            self.before = self.least.min(self.before);
            self.let_go(progressed);
            return None;
        }
        self.least = self.least.min(change.square);
        if change.along < 0.0 {
            self.t = 1.0;
            return Some(0.0);
        }
        let next = (0.5 * (1.0 + (1.0 + 4.0 * self.t * self.t).sqrt())).min(self.most);
        let beta = (self.t - 1.0) / next;
        self.t = next;
        Some(beta)
    }
}
