//! Passes over the records of a compiled system: update every contact, rebuild the velocities, sum the error.
//!
//! A run whose contacts share no free body is cut into chunks of fixed size that any threads may take: each body is
//! touched by one contact of the run, so the bits do not depend on who takes what. Sums are kept per chunk and added
//! in order.

use rayon::prelude::*;

use super::angular::AngularRecord;
use super::bodies::{BodyAccess, BodyLine, Exclusive, Shared};
use super::cell::CellSystem;
use super::diagonal::DiagonalRecord;
use super::full::{FullContext, FullRecord};
use super::lanes::Squares;
use super::system::{Kernel, Run, System};
use super::violation::Islands;
use crate::error::{ErrorSum, FreeNorms, ScaledSum};

/// Records between one that is visited and the one whose bodies are asked for.
const SOON: usize = 3;

/// Contacts per chunk of a parallel run and of a sum.
pub(super) const CHUNK: usize = 512;

/// Sense in which a pass goes through the records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Forward,
    Backward,
}

/// Sums of one chunk.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Partial {
    norms: FreeNorms,
    scaled: ScaledSum,
    sum: ErrorSum,
}

/// What lies beside the records of each kernel: diagonal, full, angular.
#[derive(Debug)]
pub(super) struct Traces<T>([Vec<T>; 3]);

impl<T> Default for Traces<T> {
    fn default() -> Self {
        Self([const { Vec::new() }; 3])
    }
}

impl Traces<()> {
    /// Nothing, as often as there are records; takes no memory.
    fn none(counts: [usize; 3]) -> Self {
        Self(counts.map(|count| vec![(); count]))
    }
}

impl<T> Traces<T> {
    pub(super) const fn of(&mut self, kernel: Kernel) -> &mut Vec<T> {
        match kernel {
            Kernel::Diagonal => &mut self.0[0],
            Kernel::Full | Kernel::Compliant => &mut self.0[1],
            Kernel::Angular => &mut self.0[2],
        }
    }
}

/// Something to do with each record, beside which lies a trace, and from which sums are taken.
pub(super) trait Visit<R>: Copy + Sync {
    /// What is kept beside each record from pass to pass.
    type Trace: Send;
    /// Sum over the records of a chunk.
    type Sum: Copy + Default + Send;

    /// Asks for what the visit of a record that comes soon will read.
    #[inline(always)]
    fn ask<N: BodyAccess>(&self, _: &R, _: &N) {}

    /// Before the visit, whoever makes it.
    #[inline(always)]
    fn lead(&self, _: &mut R, _: &mut Self::Trace) {}

    fn visit<N: BodyAccess>(&self, record: &mut R, trace: &mut Self::Trace, bodies: &mut N, sum: &mut Self::Sum);
}

/// A visit to records of all kinds, with traces of one kind and one sum.
pub(super) trait VisitAll<T, S>:
    Visit<DiagonalRecord, Trace = T, Sum = S> + Visit<FullRecord, Trace = T, Sum = S> + Visit<AngularRecord, Trace = T, Sum = S>
{
}

impl<T, S, V> VisitAll<T, S> for V where
    V: Visit<DiagonalRecord, Trace = T, Sum = S>
        + Visit<FullRecord, Trace = T, Sum = S>
        + Visit<AngularRecord, Trace = T, Sum = S>
{
}

/// A sum to which groups of lanes add: `Σ λ (g − x)·(g − g')` and `Σ λ ‖g − x‖²` of [`super::momentum`].
pub(super) trait GroupSum: Copy + Default + Send {
    fn of(sums: [f64; 2]) -> Self;
}

impl GroupSum for () {
    fn of(_: [f64; 2]) {}
}

/// A visit that keeps nothing and sums nothing.
macro_rules! plain_visit {
    ($visitor:ident<$($life:lifetime,)? D>, $record:ty, |$self:ident, $r:ident, $bodies:ident| $body:expr) => {
        impl<const D: usize> Visit<$record> for $visitor<$($life,)? D> {
            type Trace = ();
            type Sum = ();

            #[inline(always)]
            fn visit<N: BodyAccess>(&$self, $r: &mut $record, (): &mut (), $bodies: &mut N, (): &mut ()) {
                $body;
            }
        }
    };
}

/// One Gauss–Seidel update.
#[derive(Clone, Copy)]
pub(super) struct Relax<'a, const D: usize>(pub(super) FullContext<'a>);

plain_visit!(Relax<'_, D>, DiagonalRecord, |self, r, bodies| r.update::<D, N>(bodies));

impl<const D: usize> Visit<FullRecord> for Relax<'_, D> {
    type Trace = ();
    type Sum = ();

    #[inline(always)]
    fn ask<N: BodyAccess>(&self, record: &FullRecord, bodies: &N) {
        record.ask(bodies, self.0);
    }

    #[inline(always)]
    fn visit<N: BodyAccess>(&self, r: &mut FullRecord, (): &mut (), bodies: &mut N, (): &mut ()) {
        r.update::<D, N>(bodies, self.0);
    }
}

plain_visit!(Relax<'_, D>, AngularRecord, |self, r, bodies| r.update::<D, N>(bodies, self.0.inertia));

/// One Jacobi update, the bodies staying as they are.
#[derive(Clone, Copy)]
struct RelaxFrozen<'a, const D: usize>(FullContext<'a>);

plain_visit!(RelaxFrozen<'_, D>, DiagonalRecord, |self, r, bodies| r.update_frozen::<D, N>(bodies));
plain_visit!(RelaxFrozen<'_, D>, FullRecord, |self, r, bodies| r.update_frozen::<D, N>(bodies, self.0));
plain_visit!(RelaxFrozen<'_, D>, AngularRecord, |self, r, bodies| r.update_frozen::<D, N>(bodies));

/// The whole impulse given to the bodies.
#[derive(Clone, Copy)]
struct Push<'a, const D: usize>(FullContext<'a>);

plain_visit!(Push<'_, D>, DiagonalRecord, |self, r, bodies| r.push_impulse::<D, N>(bodies));
plain_visit!(Push<'_, D>, FullRecord, |self, r, bodies| r.push_impulse::<D, N>(bodies, self.0));
plain_visit!(Push<'_, D>, AngularRecord, |self, r, bodies| r.push_impulse::<D, N>(bodies, self.0.inertia));

/// The impulse forgotten.
#[derive(Clone, Copy)]
struct Forget<const D: usize>;

plain_visit!(Forget<D>, DiagonalRecord, |self, r, _bodies| r.impulse = [0.0; 3]);
plain_visit!(Forget<D>, FullRecord, |self, r, _bodies| r.impulse = [0.0; 3]);
plain_visit!(Forget<D>, AngularRecord, |self, r, _bodies| r.impulse = [0.0; 3]);

/// Visits one run; its sums are added at the end of `sums`, one for each chunk.
fn visit_run<R: Send, V: Visit<R>>(
    (records, traces): (&mut [R], &mut [V::Trace]),
    lines: &mut [BodyLine],
    run: &Run,
    direction: Direction,
    visit: V,
    sums: &mut Vec<V::Sum>,
) {
    let first = sums.len();
    if !run.independent {
        let (mut bodies, mut sum) = (Exclusive(lines), V::Sum::default());
        let one = |(record, trace): (&mut R, &mut V::Trace)| {
            visit.lead(record, trace);
            visit.visit(record, trace, &mut bodies, &mut sum);
        };
        match direction {
            Direction::Forward => records.iter_mut().zip(traces).for_each(one),
            Direction::Backward => records.iter_mut().zip(traces).rev().for_each(one),
        }
        sums.push(sum);
        return;
    }
    // Within a chunk the order never changes, so that the sums do not.
    sums.resize(first + records.len().div_ceil(CHUNK), V::Sum::default());
    if records.len() > CHUNK && rayon::current_num_threads() > 1 {
        let shared = Shared(lines);
        let chunks = records.par_chunks_mut(CHUNK).zip(traces.par_chunks_mut(CHUNK)).zip(&mut sums[first..]);
        chunks.for_each(|((records, traces), sum)| visit_chunk(records, traces, &mut { shared }, visit, sum));
    } else {
        let mut bodies = Exclusive(lines);
        let chunks = records.chunks_mut(CHUNK).zip(traces.chunks_mut(CHUNK)).zip(&mut sums[first..]);
        chunks.for_each(|((records, traces), sum)| visit_chunk(records, traces, &mut bodies, visit, sum));
    }
}

#[inline(always)]
fn visit_chunk<R, V: Visit<R>, N: BodyAccess>(
    records: &mut [R],
    traces: &mut [V::Trace],
    bodies: &mut N,
    visit: V,
    sum: &mut V::Sum,
) {
    for k in 0..records.len().min(traces.len()) {
        if let Some(soon) = records.get(k + SOON) {
            visit.ask(soon, bodies);
        }
        visit.lead(&mut records[k], &mut traces[k]);
        visit.visit(&mut records[k], &mut traces[k], bodies, sum);
    }
}

/// What a pass does, as groups know it.
#[derive(Debug, Clone, Copy)]
enum Act {
    /// Something with the records alone.
    Visit,
    /// Gives the whole impulses to the bodies.
    Push,
    /// Updates impulses, moved on by so much along their last change if it is there.
    Relax(Option<f64>),
}

impl System {
    /// One Gauss–Seidel sweep over all contacts.
    pub(crate) fn sweep<const D: usize>(&mut self, direction: Direction) {
        self.relax_all::<D, _, _, _>(direction, None, (&mut Traces::none(self.counts()), &mut Vec::new()), Relax::<D>);
    }

    /// A pass that updates impulses, moved on by `beta` along their last change if there is one; by groups where there are groups.
    pub(super) fn relax_all<'s, const D: usize, T: Send, S: GroupSum, V: VisitAll<T, S>>(
        &'s mut self,
        direction: Direction,
        beta: Option<f64>,
        traces_and_sums: (&mut Traces<T>, &mut Vec<S>),
        make: impl FnOnce(FullContext<'s>) -> V,
    ) {
        self.take_groups();
        self.pass::<D, _, _, _>((direction, Act::Relax(beta)), traces_and_sums, make);
    }

    /// Makes groups hold what they can hold.
    pub(super) fn take_groups(&mut self) {
        if self.takes_groups() {
            self.groups.take_over(&self.runs, &self.diagonal, self.lines.len());
            if self.is_spatial {
                self.full_groups.take_over(&self.runs, &self.full, &self.full_tags, self.lines.len());
            }
        }
    }

    /// Diagonal records that no group holds while groups hold the others: their numbers and their places in the list. Little.
    pub(super) fn loose(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let rest =
            self.runs.iter().enumerate().filter(|(number, run)| run.kernel == Kernel::Diagonal && !self.groups.hold(*number));
        rest.flat_map(|(_, run)| (run.start..run.end).zip(run.stored()))
    }

    /// A moving cell and angular rows look at each record as it is visited.
    fn takes_groups(&self) -> bool {
        self.cell.is_none() && self.angular.is_empty()
    }

    /// Brings home what groups hold; whoever looks at diagonal records comes here first.
    pub(super) fn settle_groups(&mut self) {
        self.unpack();
        self.groups.hand_back(&self.runs, &mut self.diagonal);
        self.full_groups.hand_back(&self.runs, &mut self.full);
    }

    /// Shows full records the impulses that groups hold; whoever looks at them comes here first.
    pub(super) fn show_full(&mut self) {
        self.full_groups.show(&self.runs, &mut self.full);
    }

    /// One Jacobi sweep: all contacts from the same velocities, then the velocities afresh.
    pub(crate) fn sweep_frozen<const D: usize>(&mut self) {
        self.plain_pass::<D, _>(RelaxFrozen::<D>);
        self.rebuild::<D>();
    }

    /// Velocities afresh: free velocities plus what the impulses do to them.
    pub(crate) fn rebuild<const D: usize>(&mut self) {
        for (line, free) in self.lines.iter_mut().zip(&self.free) {
            line.copy_from(free);
        }
        self.show_full();
        self.pass::<D, _, _, _>((Direction::Forward, Act::Push), (&mut Traces::none(self.counts()), &mut Vec::new()), Push::<D>);
        self.rebuild_cell::<D>();
        self.rebuild_compliances::<D>();
    }

    /// Sets all impulses to zero and the bodies free.
    pub(crate) fn reset<const D: usize>(&mut self) {
        self.plain_pass::<D, _>(|_| Forget::<D>);
        self.rebuild::<D>();
    }

    fn plain_pass<'s, const D: usize, V: VisitAll<(), ()>>(&'s mut self, make: impl FnOnce(FullContext<'s>) -> V) {
        self.settle_groups();
        self.pass::<D, _, _, _>((Direction::Forward, Act::Visit), (&mut Traces::none(self.counts()), &mut Vec::new()), make);
    }

    /// A pass over all records; groups do it where they hold them and know how. Where bodies move with the impulses that change, a moving
    /// cell and deformable bodies follow them too.
    fn pass<'s, const D: usize, T: Send, S: GroupSum, V: VisitAll<T, S>>(
        &'s mut self,
        (direction, act): (Direction, Act),
        (traces, sums): (&mut Traces<T>, &mut Vec<S>),
        make: impl FnOnce(FullContext<'s>) -> V,
    ) {
        let visit = make(FullContext { inertia: &self.inertia, laws: &self.laws });
        let (lines, diagonal, full, angular) = (&mut self.lines, &mut self.diagonal, &mut self.full, &mut self.angular);
        let (groups, full_groups) = (&mut self.groups, &mut self.full_groups);
        let moves = matches!(act, Act::Relax(_));
        let mut cell = if moves { self.cell.as_mut().map(CellSystem::meeting) } else { None };
        let mut compliances = self.compliances.as_mut().filter(|_| moves);
        let mut go = |(number, run): (usize, &Run)| {
            let done = match act {
                Act::Relax(beta) if run.kernel == Kernel::Full => {
                    full_groups.sweep((number, direction), (&mut *lines, &self.inertia), beta, |sum| sums.push(S::of(sum)))
                }
                Act::Relax(beta) => groups.sweep::<D>((number, direction), lines, beta, |sum| sums.push(S::of(sum))),
                Act::Push => groups.push::<D>(number, lines),
                Act::Visit => false,
            };
            if done {
                return;
            }
            let range = run.stored();
            let traces = &mut traces.of(run.kernel)[range.clone()];
            match (run.kernel, &mut cell) {
                (Kernel::Diagonal, None) => visit_run((&mut diagonal[range], traces), lines, run, direction, visit, sums),
                (Kernel::Full, None) => visit_run((&mut full[range], traces), lines, run, direction, visit, sums),
                (Kernel::Diagonal, Some(cell)) => {
                    cell.visit_run::<D, _, _>((&mut diagonal[range], traces), lines, run, direction, visit, sums);
                }
                (Kernel::Full, Some(cell)) => {
                    cell.visit_run::<D, _, _>((&mut full[range], traces), lines, run, direction, visit, sums);
                }
                (Kernel::Compliant, _) => match &mut compliances {
                    Some(soft) => soft.visit_run::<D, _>((&mut full[range], traces), lines, run, direction, visit, sums),
                    None => visit_run((&mut full[range], traces), lines, run, direction, visit, sums),
                },
                (Kernel::Angular, _) => {
                    let records = &mut angular[range];
                    records.iter_mut().for_each(|r| r.look_at_parent::<D>(diagonal, full));
                    visit_run((records, traces), lines, run, direction, visit, sums);
                }
            }
        };
        match direction {
            Direction::Forward => self.runs.iter().enumerate().for_each(&mut go),
            Direction::Backward => self.runs.iter().enumerate().rev().for_each(&mut go),
        }
    }

    /// Bounds of all angular rows from the impulses as they are.
    pub(super) fn bound_angular<const D: usize>(&mut self) {
        let (diagonal, full) = (&self.diagonal, &self.full);
        self.angular.iter_mut().for_each(|r| r.look_at_parent::<D>(diagonal, full));
    }

    /// Norms of the free velocities: depends on the problem alone, not on the impulses.
    pub(crate) fn free_norms<const D: usize>(&mut self) -> FreeNorms {
        let mut total = FreeNorms::default();
        self.groups.squares::<D>(Squares::Free, &mut self.free, |sum| total.merge(&FreeNorms::of(sum)));
        let (bodies, rounding) = (Shared(&self.free), self.groups.rounding);
        let mut counts = self.counts();
        if !self.groups.is_idle() {
            let add = |(k, at): (usize, usize)| {
                self.diagonal[at].add_free::<D, _>(self.diagonal_tags[k].lambda_max, (&bodies, rounding), &mut total);
            };
            self.loose().for_each(add);
            counts[0] = 0;
        }
        let compliances = self.compliances.as_ref();
        let (diagonal, full, angular) = (&self.diagonal, &self.full, &self.angular);
        let (diagonal_tags, full_tags, angular_tags) = (&self.diagonal_tags, &self.full_tags, &self.angular_tags);
        chunked(&mut self.partials, counts, |kernel, k, partial| match kernel {
            Kernel::Diagonal => {
                diagonal[k].add_free::<D, _>(diagonal_tags[k].lambda_max, (&bodies, rounding), &mut partial.norms);
            }
            Kernel::Full | Kernel::Compliant => {
                full[k].add_free::<D, _>(full_tags[k].lambda_max, (&bodies, rounding), &mut partial.norms);
                if let Some(compliances) = compliances {
                    partial.norms.add_rounding(compliances.sight::<D>(k).speed, 0.0, full_tags[k].lambda_max);
                }
            }
            Kernel::Angular => {
                angular[k].add_free::<D, _>(angular_tags[k].lambda_max, &bodies, &mut partial.norms);
            }
        });
        self.partials.iter().for_each(|p| total.merge(&p.norms));
        total
    }

    /// Sum of the scale-free residuals, with the velocities as they are.
    pub(crate) fn scaled_sum<const D: usize>(&mut self) -> ScaledSum {
        self.show_full();
        self.show_cell::<D>();
        self.show_compliances::<D>();
        self.bound_angular::<D>();
        let mut total = ScaledSum::default();
        self.groups.squares::<D>(Squares::Scaled, &mut self.lines, |sum| total.merge(&ScaledSum::of(sum)));
        let bodies = Shared(&self.lines);
        let mut counts = self.counts();
        let (diagonal, full, angular, laws) = (&self.diagonal, &self.full, &self.angular, &self.laws);
        let (diagonal_tags, full_tags, angular_tags) = (&self.diagonal_tags, &self.full_tags, &self.angular_tags);
        let add_diagonal = |(k, at): (usize, usize), sum: &mut ScaledSum| {
            diagonal[at].add_scaled_error::<D, _>(diagonal_tags[k].lambda_max, &bodies, sum);
        };
        if !self.groups.is_idle() {
            self.loose().for_each(|place| add_diagonal(place, &mut total));
            counts[0] = 0;
        }
        chunked(&mut self.partials, counts, |kernel, k, partial| match kernel {
            Kernel::Diagonal => add_diagonal((k, k), &mut partial.scaled),
            Kernel::Full | Kernel::Compliant => {
                let lambda_max = full_tags[k].lambda_max;
                full[k].add_scaled_error::<D, _>(lambda_max, &bodies, laws, &mut partial.scaled);
            }
            Kernel::Angular => {
                angular[k].add_scaled_error::<D, _>(angular_tags[k].lambda_max, &bodies, &mut partial.scaled);
            }
        });
        self.partials.iter().for_each(|p| total.merge(&p.scaled));
        total
    }

    /// Sum of the natural-map residuals of the impulses, with the velocities as they are, and a look at the islands: [`Self::rebuild`]
    /// first to have them afresh from the impulses.
    pub(crate) fn error_and_islands<const D: usize>(&mut self) -> (ErrorSum, &Islands) {
        let mut total = self.look::<D, true>();
        let bodies = Shared(&self.lines);
        let mut counts = self.counts();
        if !self.groups.is_idle() {
            for (k, at) in self.loose() {
                let tag = self.diagonal_tags[k];
                self.diagonal[at].add_error::<D, _>(tag.contact as usize, tag.lambda_max, &bodies, &mut total);
            }
            counts[0] = 0;
        }
        let (diagonal, full, angular, laws) = (&self.diagonal, &self.full, &self.angular, &self.laws);
        let (diagonal_tags, full_tags, angular_tags) = (&self.diagonal_tags, &self.full_tags, &self.angular_tags);
        chunked(&mut self.partials, counts, |kernel, k, partial| match kernel {
            Kernel::Diagonal => {
                let tag = diagonal_tags[k];
                let index = tag.contact as usize;
                diagonal[k].add_error::<D, _>(index, tag.lambda_max, &bodies, &mut partial.sum);
            }
            Kernel::Full | Kernel::Compliant => {
                let tag = full_tags[k];
                let index = tag.contact as usize;
                full[k].add_error::<D, _>(index, tag.lambda_max, &bodies, laws, &mut partial.sum);
            }
            Kernel::Angular => {
                let tag = angular_tags[k];
                angular[k].add_error::<D, _>(tag.contact as usize, tag.lambda_max, &bodies, &mut partial.sum);
            }
        });
        self.partials.iter().for_each(|p| total.merge(&p.sum));
        (total, &self.islands)
    }
}

/// Sums over all kinds of records in chunks of fixed size, one partial sum per chunk.
fn chunked(partials: &mut Vec<Partial>, counts: [usize; 3], add: impl Fn(Kernel, usize, &mut Partial) + Sync) {
    let chunks = counts.map(|count| count.div_ceil(CHUNK));
    partials.clear();
    partials.resize(chunks.iter().sum(), Partial::default());
    let fill = |(chunk, partial): (usize, &mut Partial)| {
        let (kernel, chunk, count) = if chunk < chunks[0] {
            (Kernel::Diagonal, chunk, counts[0])
        } else if chunk < chunks[0] + chunks[1] {
            (Kernel::Full, chunk - chunks[0], counts[1])
        } else {
            (Kernel::Angular, chunk - chunks[0] - chunks[1], counts[2])
        };
        for k in chunk * CHUNK..count.min((chunk + 1) * CHUNK) {
            add(kernel, k, partial);
        }
    };
    if partials.len() > 1 && rayon::current_num_threads() > 1 {
        partials.par_iter_mut().enumerate().for_each(fill);
    } else {
        partials.iter_mut().enumerate().for_each(fill);
    }
}
