//! Passes over the records of a compiled system: update every contact, rebuild the velocities, sum the error.
//!
//! A run whose contacts share no free body is cut into chunks of fixed size that any threads may take: each body is
//! touched by one contact of the run, so the bits do not depend on who takes what. Sums are kept per chunk and added
//! in order.

use std::marker::PhantomData;

use rayon::prelude::*;

use super::angular::AngularRecord;
use super::diagonal::DiagonalRecord;
use super::full::{FullContext, FullRecord};
use super::nodes::{Exclusive, NodeAccess, NodeLine, Shared};
use super::system::{Kernel, Run, System};
use crate::error::{ErrorSum, FreeNorms, ScaledSum};

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

/// Something to do with each record.
pub(super) trait Visit<R>: Copy + Sync {
    fn visit<N: NodeAccess>(&self, record: &mut R, nodes: &mut N);
}

/// One Gauss–Seidel update.
#[derive(Clone, Copy)]
struct Relax<'a, const D: usize>(FullContext<'a>);

impl<const D: usize> Visit<DiagonalRecord> for Relax<'_, D> {
    #[inline(always)]
    fn visit<N: NodeAccess>(&self, record: &mut DiagonalRecord, nodes: &mut N) {
        record.update::<D, N>(nodes);
    }
}

impl<const D: usize> Visit<FullRecord> for Relax<'_, D> {
    #[inline(always)]
    fn visit<N: NodeAccess>(&self, record: &mut FullRecord, nodes: &mut N) {
        record.update::<D, N>(nodes, self.0);
    }
}

impl<const D: usize> Visit<AngularRecord> for Relax<'_, D> {
    fn visit<N: NodeAccess>(&self, record: &mut AngularRecord, nodes: &mut N) {
        record.update::<D, N>(nodes, self.0.inertia);
    }
}

/// One Jacobi update, the bodies staying as they are.
#[derive(Clone, Copy)]
struct RelaxFrozen<'a, const D: usize>(FullContext<'a>);

impl<const D: usize> Visit<DiagonalRecord> for RelaxFrozen<'_, D> {
    #[inline(always)]
    fn visit<N: NodeAccess>(&self, record: &mut DiagonalRecord, nodes: &mut N) {
        record.update_frozen::<D, N>(nodes);
    }
}

impl<const D: usize> Visit<FullRecord> for RelaxFrozen<'_, D> {
    #[inline(always)]
    fn visit<N: NodeAccess>(&self, record: &mut FullRecord, nodes: &mut N) {
        record.update_frozen::<D, N>(nodes, self.0);
    }
}

impl<const D: usize> Visit<AngularRecord> for RelaxFrozen<'_, D> {
    fn visit<N: NodeAccess>(&self, record: &mut AngularRecord, nodes: &mut N) {
        record.update_frozen::<D, N>(nodes);
    }
}

/// The whole impulse given to the bodies.
#[derive(Clone, Copy)]
struct Push<'a, const D: usize>(FullContext<'a>);

impl<const D: usize> Visit<DiagonalRecord> for Push<'_, D> {
    #[inline(always)]
    fn visit<N: NodeAccess>(&self, record: &mut DiagonalRecord, nodes: &mut N) {
        record.push_impulse::<D, N>(nodes);
    }
}

impl<const D: usize> Visit<FullRecord> for Push<'_, D> {
    #[inline(always)]
    fn visit<N: NodeAccess>(&self, record: &mut FullRecord, nodes: &mut N) {
        record.push_impulse::<D, N>(nodes, self.0);
    }
}

impl<const D: usize> Visit<AngularRecord> for Push<'_, D> {
    fn visit<N: NodeAccess>(&self, record: &mut AngularRecord, nodes: &mut N) {
        record.push_impulse::<D, N>(nodes, self.0.inertia);
    }
}

/// The impulse forgotten.
#[derive(Clone, Copy)]
struct Forget<const D: usize>(PhantomData<()>);

impl<const D: usize> Visit<DiagonalRecord> for Forget<D> {
    fn visit<N: NodeAccess>(&self, record: &mut DiagonalRecord, _: &mut N) {
        record.impulse = [0.0; 3];
    }
}

impl<const D: usize> Visit<FullRecord> for Forget<D> {
    fn visit<N: NodeAccess>(&self, record: &mut FullRecord, _: &mut N) {
        record.impulse = [0.0; 3];
    }
}

impl<const D: usize> Visit<AngularRecord> for Forget<D> {
    fn visit<N: NodeAccess>(&self, record: &mut AngularRecord, _: &mut N) {
        record.impulse = [0.0; 3];
    }
}

/// Visits one run.
pub(super) fn visit_run<R: Send, V: Visit<R>>(
    records: &mut [R],
    lines: &mut [NodeLine],
    independent: bool,
    direction: Direction,
    visit: V,
) {
    if independent && records.len() > CHUNK && rayon::current_num_threads() > 1 {
        let shared = Shared(lines);
        records.par_chunks_mut(CHUNK).for_each(|chunk| {
            let mut nodes = shared;
            for record in chunk {
                visit.visit(record, &mut nodes);
            }
        });
        return;
    }
    let mut nodes = Exclusive(lines);
    match direction {
        Direction::Forward => records.iter_mut().for_each(|r| visit.visit(r, &mut nodes)),
        Direction::Backward => records.iter_mut().rev().for_each(|r| visit.visit(r, &mut nodes)),
    }
}

impl System {
    /// One Gauss–Seidel sweep over all contacts.
    pub(crate) fn sweep<const D: usize>(&mut self, direction: Direction) {
        if self.cell.is_some() {
            self.pass_with_cell::<D, _>(direction, Relax::<D>);
        } else {
            self.pass::<D, _>(direction, Relax::<D>);
        }
    }

    /// One Jacobi sweep: all contacts from the same velocities, then the velocities afresh.
    pub(crate) fn sweep_frozen<const D: usize>(&mut self) {
        self.pass::<D, _>(Direction::Forward, RelaxFrozen::<D>);
        self.rebuild::<D>();
    }

    /// Velocities afresh: free velocities plus what the impulses do to them.
    pub(crate) fn rebuild<const D: usize>(&mut self) {
        for (line, free) in self.lines.iter_mut().zip(&self.free) {
            line.copy_from(free);
        }
        self.pass::<D, _>(Direction::Forward, Push::<D>);
        self.rebuild_cell::<D>();
    }

    /// Sets all impulses to zero and the bodies free.
    pub(crate) fn reset<const D: usize>(&mut self) {
        self.pass::<D, _>(Direction::Forward, |_| Forget::<D>(PhantomData));
        self.rebuild::<D>();
    }

    fn pass<'s, const D: usize, V>(&'s mut self, direction: Direction, make: impl FnOnce(FullContext<'s>) -> V)
    where
        V: Visit<DiagonalRecord> + Visit<FullRecord> + Visit<AngularRecord>,
    {
        let visit = make(FullContext { inertia: &self.inertia, laws: &self.laws });
        let (lines, diagonal, full, angular) = (&mut self.lines, &mut self.diagonal, &mut self.full, &mut self.angular);
        let mut go = |run: &Run| match run.kernel {
            Kernel::Diagonal => visit_run(&mut diagonal[run.start..run.end], lines, run.independent, direction, visit),
            Kernel::Full => visit_run(&mut full[run.start..run.end], lines, run.independent, direction, visit),
            Kernel::Angular => {
                let records = &mut angular[run.start..run.end];
                records.iter_mut().for_each(|r| r.look_at_parent::<D>(diagonal, full));
                visit_run(records, lines, run.independent, direction, visit);
            }
        };
        match direction {
            Direction::Forward => self.runs.iter().for_each(&mut go),
            Direction::Backward => self.runs.iter().rev().for_each(&mut go),
        }
    }

    /// Bounds of all angular rows from the impulses as they are.
    fn bound_angular<const D: usize>(&mut self) {
        let (diagonal, full) = (&self.diagonal, &self.full);
        self.angular.iter_mut().for_each(|r| r.look_at_parent::<D>(diagonal, full));
    }

    /// Norms of the free velocities: depends on the problem alone, not on the impulses.
    pub(crate) fn free_norms<const D: usize>(&mut self) -> FreeNorms {
        let nodes = Shared(&self.free);
        let counts = self.counts();
        let (diagonal, full, angular) = (&self.diagonal, &self.full, &self.angular);
        let (diagonal_tags, full_tags, angular_tags) = (&self.diagonal_tags, &self.full_tags, &self.angular_tags);
        chunked(&mut self.partials, counts, |kernel, k, partial| match kernel {
            Kernel::Diagonal => {
                diagonal[k].add_free::<D, _>(diagonal_tags[k].lambda_max, &nodes, &mut partial.norms);
            }
            Kernel::Full => {
                full[k].add_free::<D, _>(full_tags[k].lambda_max, &nodes, &mut partial.norms);
            }
            Kernel::Angular => {
                angular[k].add_free::<D, _>(angular_tags[k].lambda_max, &nodes, &mut partial.norms);
            }
        });
        let mut total = FreeNorms::default();
        self.partials.iter().for_each(|p| total.merge(&p.norms));
        total
    }

    /// Sum of the scale-free residuals, with the velocities as they are.
    pub(crate) fn scaled_sum<const D: usize>(&mut self) -> ScaledSum {
        self.show_cell::<D>();
        self.bound_angular::<D>();
        let nodes = Shared(&self.lines);
        let counts = self.counts();
        let (diagonal, full, angular, laws) = (&self.diagonal, &self.full, &self.angular, &self.laws);
        let (diagonal_tags, full_tags, angular_tags) = (&self.diagonal_tags, &self.full_tags, &self.angular_tags);
        chunked(&mut self.partials, counts, |kernel, k, partial| match kernel {
            Kernel::Diagonal => {
                let lambda_max = diagonal_tags[k].lambda_max;
                diagonal[k].add_scaled_error::<D, _>(lambda_max, &nodes, &mut partial.scaled);
            }
            Kernel::Full => {
                let lambda_max = full_tags[k].lambda_max;
                full[k].add_scaled_error::<D, _>(lambda_max, &nodes, laws, &mut partial.scaled);
            }
            Kernel::Angular => {
                angular[k].add_scaled_error::<D, _>(angular_tags[k].lambda_max, &nodes, &mut partial.scaled);
            }
        });
        let mut total = ScaledSum::default();
        self.partials.iter().for_each(|p| total.merge(&p.scaled));
        total
    }

    /// Sum of the natural-map residuals of the impulses, with the velocities as they are: [`Self::rebuild`] first to
    /// have them afresh from the impulses.
    pub(crate) fn error_sum<const D: usize>(&mut self) -> ErrorSum {
        self.show_cell::<D>();
        self.bound_angular::<D>();
        let nodes = Shared(&self.lines);
        let counts = self.counts();
        let (diagonal, full, angular, laws) = (&self.diagonal, &self.full, &self.angular, &self.laws);
        let (diagonal_tags, full_tags, angular_tags) = (&self.diagonal_tags, &self.full_tags, &self.angular_tags);
        chunked(&mut self.partials, counts, |kernel, k, partial| match kernel {
            Kernel::Diagonal => {
                let tag = diagonal_tags[k];
                let index = tag.contact as usize;
                diagonal[k].add_error::<D, _>(index, tag.lambda_max, &nodes, &mut partial.sum);
            }
            Kernel::Full => {
                let tag = full_tags[k];
                let index = tag.contact as usize;
                full[k].add_error::<D, _>(index, tag.lambda_max, &nodes, laws, &mut partial.sum);
            }
            Kernel::Angular => {
                let tag = angular_tags[k];
                angular[k].add_error::<D, _>(tag.contact as usize, tag.lambda_max, &nodes, &mut partial.sum);
            }
        });
        let mut total = ErrorSum::default();
        self.partials.iter().for_each(|p| total.merge(&p.sum));
        total
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
