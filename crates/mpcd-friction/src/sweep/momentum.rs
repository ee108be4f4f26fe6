//! Momentum between sweeps: the iterate moved on along its own last change (Nesterov), and when to let go of it.
//!
//! With `x` the impulses before a sweep and `g` those after it, the next sweep starts from `g + β (g − g')`, `g'` being
//! the result of the sweep before, `β = (t − 1)/t₊`, `t₊ = (1 + √(1 + 4t²))/2`. Velocities follow impulses linearly, so
//! the same combination of velocities belongs to it: nothing is rebuilt. Where a sweep turns back against the movement,
//! `(g − x)·(g − g') < 0` in the metric of the blocks, the momentum is dropped (O'Donoghue and Candès 2015, *Adaptive
//! restart for accelerated gradient schemes*). Friction makes the problem no minimisation: momentum can feed a cycle of
//! sliding contacts, which shows as `‖g − x‖` growing; then some plain sweeps calm it down. The starting point of a sweep may leave the cones; its result does not.
//! Sums are kept per chunk of fixed size and added in order.

use rayon::prelude::*;

use super::angular::AngularRecord;
use super::diagonal::DiagonalRecord;
use super::full::FullRecord;
use super::nodes::NodeLine;
use super::system::{System, Tag};
use super::vector::V3;

/// Contacts per chunk.
const CHUNK: usize = 512;

/// `‖g − x‖²` may grow by this over its least since the momentum began. Measured on packings of 2,000 to 19,000 contacts:
/// without this limit half of them end in a cycle.
const GROWTH: f64 = 2.0;

/// Plain sweeps after it grew more. Measured: without them the hardest packing needs seven times the sweeps.
const REST: usize = 10;

/// What is kept from sweep to sweep. All memory is reused.
#[derive(Debug, Default)]
pub(crate) struct Momentum {
    /// Impulses before the last sweep, and after the one before it: diagonal records, full ones, angular ones.
    started: Vec<V3>,
    swept: Vec<V3>,
    /// Velocities after the sweep before the last.
    velocities: Vec<[f64; 6]>,
    /// Rate of the cell then, if there is one.
    rate: V3,
    partials: Vec<Change>,
    /// Least `‖g − x‖²` since the momentum began.
    least: f64,
    /// Plain sweeps left before momentum begins again.
    rest: usize,
    t: f64,
    is_moving: bool,
}

/// What a sweep did, in the metric of the blocks.
#[derive(Debug, Clone, Copy, Default)]
struct Change {
    /// `Σ_c λ_c (g − x)·(g − g')`.
    along: f64,
    /// `Σ_c λ_c ‖g − x‖²`.
    square: f64,
}

impl Change {
    fn add(self, other: &Self) -> Self {
        Self { along: self.along + other.along, square: self.square + other.square }
    }
}

/// A record as momentum sees it.
trait Carrier: Send + Sync {
    fn impulse(&self) -> &V3;
    fn impulse_mut(&mut self) -> &mut V3;
}

impl Carrier for DiagonalRecord {
    fn impulse(&self) -> &V3 {
        &self.impulse
    }
    fn impulse_mut(&mut self) -> &mut V3 {
        &mut self.impulse
    }
}

impl Carrier for FullRecord {
    fn impulse(&self) -> &V3 {
        &self.impulse
    }
    fn impulse_mut(&mut self) -> &mut V3 {
        &mut self.impulse
    }
}

impl Carrier for AngularRecord {
    fn impulse(&self) -> &V3 {
        &self.impulse
    }
    fn impulse_mut(&mut self) -> &mut V3 {
        &mut self.impulse
    }
}

impl Momentum {
    /// Forgets all: a new solve.
    pub(crate) const fn forget(&mut self) {
        self.is_moving = false;
        self.rest = 0;
    }

    /// Moves the system on to where the next sweep starts.
    pub(crate) fn carry(&mut self, system: &mut System) {
        if self.rest > 0 {
            self.rest -= 1;
            return;
        }
        if !self.is_moving {
            self.begin(system);
            return;
        }
        let change = self.change(system);
        if change.square > GROWTH * self.least {
            self.rest = REST;
            self.is_moving = false;
        } else if change.along < 0.0 {
            self.least = self.least.min(change.square);
            let least = self.least;
            self.begin(system);
            self.least = least;
        } else {
            self.least = self.least.min(change.square);
            let next = 0.5 * (1.0 + (1.0 + 4.0 * self.t * self.t).sqrt());
            let beta = (self.t - 1.0) / next;
            self.t = next;
            self.extrapolate(system, beta);
        }
    }

    /// From here on, with the momentum yet to build up.
    fn begin(&mut self, system: &System) {
        self.t = 1.0;
        self.is_moving = true;
        self.least = f64::INFINITY;
        self.swept.clear();
        self.swept.extend(system.diagonal.iter().map(|r| r.impulse));
        self.swept.extend(system.full.iter().map(|r| r.impulse));
        self.swept.extend(system.angular.iter().map(|r| r.impulse));
        self.started.clone_from(&self.swept);
        self.rate = system.cell.as_ref().map_or([0.0; 3], |cell| cell.rate);
        self.velocities.clear();
        self.velocities.extend(system.lines.iter().map(|line| std::array::from_fn(|k| line.get(k))));
    }

    fn change(&mut self, system: &System) -> Change {
        let [diagonal, full, _] = system.counts();
        let (started, rest_started) = self.started.split_at(diagonal);
        let (swept, rest_swept) = self.swept.split_at(diagonal);
        let sum = change(&system.diagonal, &system.diagonal_tags, started, swept, &mut self.partials);
        let (started, swept) = (rest_started.split_at(full), rest_swept.split_at(full));
        let sum = sum.add(&change(&system.full, &system.full_tags, started.0, swept.0, &mut self.partials));
        sum.add(&change(&system.angular, &system.angular_tags, started.1, swept.1, &mut self.partials))
    }

    fn extrapolate(&mut self, system: &mut System, beta: f64) {
        let [diagonal, full, _] = system.counts();
        let (started, rest_started) = self.started.split_at_mut(diagonal);
        let (swept, rest_swept) = self.swept.split_at_mut(diagonal);
        extrapolate(&mut system.diagonal, started, swept, beta);
        let (started, swept) = (rest_started.split_at_mut(full), rest_swept.split_at_mut(full));
        extrapolate(&mut system.full, started.0, swept.0, beta);
        extrapolate(&mut system.angular, started.1, swept.1, beta);
        if let Some(cell) = &mut system.cell {
            let now = cell.rate;
            cell.rate = [0, 1, 2].map(|k| now[k] + beta * (now[k] - self.rate[k]));
            self.rate = now;
        }
        let carry = |(line, before): (&mut NodeLine, &mut [f64; 6])| {
            for (k, before) in before.iter_mut().enumerate() {
                let now = line.get(k);
                line.set(k, now + beta * (now - *before));
                *before = now;
            }
        };
        if in_parallel(system.lines.len()) {
            system.lines.par_iter_mut().with_min_len(CHUNK).zip(&mut self.velocities).for_each(carry);
        } else {
            system.lines.iter_mut().zip(&mut self.velocities).for_each(carry);
        }
    }
}

fn in_parallel(count: usize) -> bool {
    count > CHUNK && rayon::current_num_threads() > 1
}

fn change<R: Carrier>(records: &[R], tags: &[Tag], started: &[V3], swept: &[V3], partials: &mut Vec<Change>) -> Change {
    partials.clear();
    partials.resize(records.len().div_ceil(CHUNK), Change::default());
    let fill = |(chunk, partial): (usize, &mut Change)| {
        for c in chunk * CHUNK..records.len().min((chunk + 1) * CHUNK) {
            let (g, x, before, weight) = (records[c].impulse(), &started[c], &swept[c], tags[c].lambda_max);
            for k in 0..3 {
                partial.along += weight * (g[k] - x[k]) * (g[k] - before[k]);
                partial.square += weight * (g[k] - x[k]).powi(2);
            }
        }
    };
    if in_parallel(records.len()) {
        partials.par_iter_mut().enumerate().for_each(fill);
    } else {
        partials.iter_mut().enumerate().for_each(fill);
    }
    partials.iter().fold(Change::default(), |sum, p| sum.add(p))
}

fn extrapolate<R: Carrier>(records: &mut [R], started: &mut [V3], swept: &mut [V3], beta: f64) {
    let carry = |((record, start), before): ((&mut R, &mut V3), &mut V3)| {
        let g = *record.impulse();
        *start = [0, 1, 2].map(|k| g[k] + beta * (g[k] - before[k]));
        *record.impulse_mut() = *start;
        *before = g;
    };
    if in_parallel(records.len()) {
        records.par_iter_mut().with_min_len(CHUNK).zip(started).zip(swept).for_each(carry);
    } else {
        records.iter_mut().zip(started).zip(swept).for_each(carry);
    }
}
