//! Momentum between sweeps: the iterate moved on along its own last change (Nesterov), and when to let go of it.
//!
//! With `x` the impulses before a sweep and `g` those after it, the next sweep starts from `g + β (g − g')`, `g'` being
//! the result of the sweep before, `β = (t − 1)/t₊`, `t₊ = (1 + √(1 + 4t²))/2`. Velocities follow impulses linearly, so
//! the same combination of velocities belongs to it: nothing is rebuilt. Where a sweep turns back against the movement,
//! `(g − x)·(g − g') < 0` in the metric of the blocks, the momentum is dropped (O'Donoghue and Candès 2015, *Adaptive
//! restart for accelerated gradient schemes*). Friction makes the problem no minimisation: momentum can feed a cycle of
//! sliding contacts, which shows as `‖g − x‖` growing; then some plain sweeps calm it down. The starting point of a sweep may leave the cones; its result does not.
//!
//! A sweep over many contacts waits for memory. So momentum makes no pass of its own over the records: each is moved on when the sweep comes to it, and
//! what the sweep changed is summed as it goes, in chunks of fixed size added in order.

use rayon::prelude::*;

use super::angular::AngularRecord;
use super::bodies::{BodyAccess, BodyLine};
use super::diagonal::DiagonalRecord;
use super::full::FullRecord;
use super::passes::{Direction, GroupSum, Relax, Traces, Visit};
use super::system::{Kernel, System};
use super::vector::V3;

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

/// Bodies up to which one thread moves them on sooner than others are called (two nanoseconds each).
const FEW: usize = 8_192;

/// What is kept from sweep to sweep. All memory is reused.
#[derive(Debug, Default)]
pub(crate) struct Momentum {
    traces: Traces<Trace>,
    /// Velocities before the last move.
    velocities: Vec<[f64; 8]>,
    /// Rate of the cell then, if there is one.
    rate: V3,
    /// Velocities of deformable bodies then, if there are any.
    soft: Vec<f64>,
    partials: Vec<Change>,
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
    /// Whether the traces are those of this solve.
    is_laid: bool,
}

/// Beside each record: the result of the sweep before the last, and the weight of the block.
#[derive(Debug, Clone, Copy)]
struct Trace {
    before: V3,
    weight: f64,
}

/// What a sweep did, in the metric of the blocks.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Change {
    /// `Σ_c λ_c (g − x)·(g − g')`.
    along: f64,
    /// `Σ_c λ_c ‖g − x‖²`.
    square: f64,
}

impl GroupSum for Change {
    fn of([along, square]: [f64; 2]) -> Self {
        Self { along, square }
    }
}

/// A record as momentum sees it.
trait Carrier {
    fn impulse(&self) -> &V3;
    fn impulse_mut(&mut self) -> &mut V3;
}

macro_rules! carrier {
    ($record:ty) => {
        impl Carrier for $record {
            #[inline(always)]
            fn impulse(&self) -> &V3 {
                &self.impulse
            }
            #[inline(always)]
            fn impulse_mut(&mut self) -> &mut V3 {
                &mut self.impulse
            }
        }
    };
}

carrier!(DiagonalRecord);
carrier!(FullRecord);
carrier!(AngularRecord);

/// An update of an impulse that has first been moved on by `beta` times its last change.
#[derive(Clone, Copy)]
struct Carry<'a, const D: usize> {
    relax: Relax<'a, D>,
    beta: f64,
}

impl<'a, R: Carrier, const D: usize> Visit<R> for Carry<'a, D>
where
    Relax<'a, D>: Visit<R, Trace = (), Sum = ()>,
{
    type Trace = Trace;
    type Sum = Change;

    #[inline(always)]
    fn ask<N: BodyAccess>(&self, record: &R, bodies: &N) {
        self.relax.ask(record, bodies);
    }

    #[inline(always)]
    fn lead(&self, record: &mut R, trace: &mut Trace) {
        let g = *record.impulse();
        *record.impulse_mut() = moved(&g, &trace.before, self.beta);
        trace.before = g;
    }

    #[inline(always)]
    fn visit<N: BodyAccess>(&self, record: &mut R, trace: &mut Trace, bodies: &mut N, sum: &mut Change) {
        let x = *record.impulse();
        self.relax.visit(record, &mut (), bodies, &mut ());
        let g = record.impulse();
        for k in 0..3 {
            sum.along += trace.weight * (g[k] - x[k]) * (g[k] - trace.before[k]);
            sum.square += trace.weight * (g[k] - x[k]).powi(2);
        }
    }
}

#[inline(always)]
fn moved(now: &V3, before: &V3, beta: f64) -> V3 {
    [0, 1, 2].map(|k| now[k] + beta * (now[k] - before[k]))
}

impl Momentum {
    /// Forgets all: a new solve.
    pub(crate) const fn forget(&mut self) {
        self.change = None;
        self.rest = 0;
        (self.length, self.before, self.most) = (REST, f64::INFINITY, f64::INFINITY);
        self.is_laid = false;
    }

    /// `√(Σ_c λ_c ‖g − x‖²)` of the last sweep, if it was one with momentum: what is left for the next one, seen without a look.
    pub(crate) fn change(&self) -> Option<f64> {
        self.change.map(|change| change.square.sqrt())
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
    pub(crate) fn sweep<const D: usize>(&mut self, system: &mut System, direction: Direction) {
        match self.weight() {
            Some(beta) => self.sweep_on::<D>(system, direction, beta),
            None => system.sweep::<D>(direction),
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

    fn sweep_on<const D: usize>(&mut self, system: &mut System, direction: Direction, beta: f64) {
        if !self.is_laid {
            system.take_groups();
            self.lay(system);
        }
        self.move_bodies(system, beta);
        self.partials.clear();
        let relax = |context| Carry { relax: Relax::<D>(context), beta };
        system.relax_all::<D, _, _, _>(direction, Some(beta), (&mut self.traces, &mut self.partials), relax);
        let add = |a: Change, b: &Change| Change { along: a.along + b.along, square: a.square + b.square };
        self.change = Some(self.partials.iter().fold(Change::default(), add));
    }

    /// Lays the traces of a solve.
    fn lay(&mut self, system: &System) {
        let trace = |tag: &super::system::Tag| Trace { before: [0.0; 3], weight: tag.lambda_max };
        for (kernel, tags) in [
            (Kernel::Diagonal, &system.diagonal_tags),
            (Kernel::Full, &system.full_tags),
            (Kernel::Angular, &system.angular_tags),
        ] {
            let traces = self.traces.of(kernel);
            traces.clear();
            // Groups keep what belongs to their contacts; of a packed system only the others have records.
            if kernel == Kernel::Diagonal && system.is_packed {
                traces.extend(system.loose().map(|(k, _)| trace(&tags[k])));
            } else if kernel != Kernel::Diagonal || system.loose().next().is_some() {
                traces.extend(tags.iter().map(trace));
            }
        }
        self.rate = [0.0; 3];
        self.soft.clear();
        self.velocities.clear();
        self.velocities.resize(system.lines.len(), [0.0; 8]);
        self.is_laid = true;
    }

    /// Velocities follow impulses linearly: moved on by the same weight, they belong to the impulses that are.
    fn move_bodies(&mut self, system: &mut System, beta: f64) {
        if let Some(cell) = &mut system.cell {
            let now = cell.rate;
            cell.rate = moved(&now, &self.rate, beta);
            self.rate = now;
        }
        if let Some(compliances) = &mut system.compliances {
            compliances.carry(&mut self.soft, beta);
        }
        let carry = |(line, before): (&mut BodyLine, &mut [f64; 8])| line.carry(before, beta);
        if system.lines.len() > FEW && rayon::current_num_threads() > 1 {
            system.lines.par_iter_mut().with_min_len(FEW / 2).zip(&mut self.velocities).for_each(carry);
        } else {
            system.lines.iter_mut().zip(&mut self.velocities).for_each(carry);
        }
    }
}
