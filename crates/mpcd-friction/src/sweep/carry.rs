//! What a sweep with momentum keeps beside its records, and how it moves each on: the part of [`super::momentum`] that is done where the records are.
//!
//! A sweep over many contacts waits for memory. So momentum makes no pass of its own over the records: each is moved on when the sweep comes to it, and
//! what the sweep changed is summed as it goes, in chunks of fixed size added in order.

use rayon::prelude::*;

use super::angular::AngularRecord;
use super::bodies::{BodyAccess, BodyLine};
use super::diagonal::DiagonalRecord;
use super::full::FullRecord;
use super::passes::{Direction, GroupSum, Relax, Traces, Visit};
use super::sweeper::Change;
use super::system::{Kernel, System, Tag};
use super::vector::V3;

/// Bodies up to which one thread moves them on sooner than others are called (two nanoseconds each).
const FEW: usize = 8_192;

/// What is kept from sweep to sweep. All memory is reused.
#[derive(Debug, Default)]
pub(super) struct Carried {
    traces: Traces<Trace>,
    /// Velocities before the last move.
    velocities: Vec<[f64; 8]>,
    /// Rate of the cell then, if there is one.
    rate: V3,
    /// Velocities of deformable bodies then, if there are any.
    soft: Vec<f64>,
    partials: Vec<Change>,
    /// Whether the traces are those of this solve.
    is_laid: bool,
}

/// Beside each record: the result of the sweep before the last, and the weight of the block.
#[derive(Debug, Clone, Copy)]
struct Trace {
    before: V3,
    weight: f64,
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

impl Carried {
    /// Another problem follows.
    pub(super) const fn forget(&mut self) {
        self.is_laid = false;
    }

    /// Lays the traces of a solve.
    fn lay(&mut self, system: &System) {
        let trace = |tag: &Tag| Trace { before: [0.0; 3], weight: tag.lambda_max };
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

impl System {
    /// A sweep that moves each impulse on by `beta` along its last change before it updates it; what it did.
    pub(super) fn sweep_on<const D: usize>(&mut self, direction: Direction, beta: f64) -> Change {
        let mut carried = std::mem::take(&mut self.carried);
        if !carried.is_laid {
            self.take_groups();
            carried.lay(self);
        }
        carried.move_bodies(self, beta);
        carried.partials.clear();
        let relax = |context| Carry { relax: Relax::<D>(context), beta };
        self.relax_all::<D, _, _, _>(direction, Some(beta), (&mut carried.traces, &mut carried.partials), relax);
        let add = |a: Change, b: &Change| Change { along: a.along + b.along, square: a.square + b.square };
        let change = carried.partials.iter().fold(Change::default(), add);
        self.carried = carried;
        change
    }
}
