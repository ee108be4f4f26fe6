//! The moving cell in a sweep. Its rate enters the velocity shift of a record just before the record is visited, and takes the change of the
//! impulse just after; so the kernels know nothing of it, and problems without a cell pay nothing for it.
//!
//! All contacts share the cell. In a run of independent contacts all of them see the rate as it was at the start of the run, and their
//! blocks count its response once for each of them (mass splitting), which bounds what they do together; in a serial run it follows at
//! once. Changes are summed in chunks of fixed size and added in order: the same bits on any number of threads.

use rayon::prelude::*;

use super::bodies::{BodyAccess, BodyLine, Exclusive, Shared};
use super::diagonal::DiagonalRecord;
use super::full::FullRecord;
use super::passes::{CHUNK, Direction, Visit};
use super::system::{Run, System};
use super::vector::{V3, in_plane};
use crate::problem::ContactProblem;

/// What a record is to the cell.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    branch: V3,
    /// Shift of the record with the cell at rest.
    shift: V3,
}

/// The cell of a compiled system.
#[derive(Debug, Clone, Default)]
pub(super) struct CellSystem {
    /// Rate now, and without impulses.
    pub(super) rate: V3,
    free: V3,
    /// The same without the shifts of the impulses.
    bare: V3,
    inverse_inertia: V3,
    diagonal: Vec<Row>,
    full: Vec<Row>,
    partials: Vec<V3>,
}

/// What the cell adds to the block of one contact: a diagonal matrix in world axes, and how often it is counted.
#[derive(Debug, Clone, Copy)]
pub(super) struct CellPart {
    /// `branch² inverse_inertia` by axis.
    pub(super) own: V3,
    /// Contacts that respond together.
    pub(super) sharing: f64,
}

impl CellPart {
    /// Of a contact of the problem, if there is a cell.
    pub(super) fn of<const D: usize>(problem: &ContactProblem, contact: usize, sharing: usize) -> Option<Self> {
        let cell = problem.cell.as_ref()?;
        let own = cell.branches[contact].map(|b| b * b).component_mul(&cell.inverse_inertia);
        Some(Self { own: in_plane::<D>(&own), sharing: sharing as f64 })
    }

    /// Bound of its eigenvalues.
    pub(super) fn bound(&self) -> f64 {
        self.own.iter().fold(0.0, |a: f64, b| a.max(*b))
    }
}

/// A record that moves with a cell.
pub(super) trait Carried: Send {
    /// Its place among the rows of the cell.
    const KIND: usize;

    fn shift(&self) -> V3;
    /// Sets the shift: `base`, and the velocity `motion` (world axes) that the cell adds.
    fn set_shift<const D: usize>(&mut self, base: &V3, motion: &V3);
    fn world<const D: usize>(&self) -> V3;
}

impl Carried for DiagonalRecord {
    const KIND: usize = 0;

    fn shift(&self) -> V3 {
        self.shift
    }
    #[inline(always)]
    fn set_shift<const D: usize>(&mut self, base: &V3, motion: &V3) {
        self.shift = [base[0] + motion[0], base[1] + motion[1], base[2] + motion[2]];
    }
    #[inline(always)]
    fn world<const D: usize>(&self) -> V3 {
        self.impulse
    }
}

impl Carried for FullRecord {
    const KIND: usize = 1;

    fn shift(&self) -> V3 {
        self.shift
    }
    #[inline(always)]
    fn set_shift<const D: usize>(&mut self, base: &V3, motion: &V3) {
        let motion = self.local::<D>(motion);
        for k in 0..D {
            self.shift[k] = base[k] + motion[k];
        }
    }
    #[inline(always)]
    fn world<const D: usize>(&self) -> V3 {
        self.world_impulse::<D>()
    }
}

fn times(a: &V3, b: &V3) -> V3 {
    [a[0] * b[0], a[1] * b[1], a[2] * b[2]]
}

impl CellSystem {
    /// For one pass that updates impulses.
    pub(super) fn meeting(&mut self) -> Meeting<'_> {
        Meeting {
            rows: [&self.diagonal, &self.full],
            rate: &mut self.rate,
            inverse_inertia: self.inverse_inertia,
            partials: &mut self.partials,
        }
    }

    /// What the impulses change of its motion, in the metric of its inertia (J).
    pub(super) fn work(&self) -> f64 {
        let axis = |k: usize| {
            if self.inverse_inertia[k] > 0.0 { (self.rate[k] - self.bare[k]).powi(2) / self.inverse_inertia[k] } else { 0.0 }
        };
        (0..3).map(axis).sum()
    }

    /// Starts compiling a problem; the memory of the last one is used again.
    pub(super) fn begin<const D: usize>(problem: &ContactProblem, old: Option<Self>) -> Option<Self> {
        let cell = problem.cell.as_ref()?;
        let mut out = old.unwrap_or_default();
        out.diagonal.clear();
        out.full.clear();
        out.free = in_plane::<D>(&cell.rate);
        out.bare = out.free;
        out.inverse_inertia = in_plane::<D>(&cell.inverse_inertia);
        // The law sees the sum of impulse and shift, bodies and cell the impulse alone.
        for (contact, branch) in problem.contacts.iter().zip(&cell.branches) {
            if contact.impulse_shift.iter().any(|s| *s != 0.0) {
                let shift = contact.frame.to_world(&contact.impulse_shift);
                follow(&mut out.free, &out.inverse_inertia, &in_plane::<D>(&-shift.component_mul(branch)));
            }
        }
        out.rate = out.free;
        Some(out)
    }

    /// Takes up the record compiled last.
    pub(super) fn push<const D: usize>(
        &mut self,
        problem: &ContactProblem,
        contact: usize,
        diagonal: Option<&DiagonalRecord>,
        full: Option<&FullRecord>,
    ) {
        let Some(cell) = &problem.cell else { return };
        let branch = in_plane::<D>(&cell.branches[contact]);
        if let Some(record) = diagonal {
            self.diagonal.push(Row { branch, shift: record.shift() });
        } else if let Some(record) = full {
            self.full.push(Row { branch, shift: record.shift() });
        }
    }

    /// Shows every record the rate as it is.
    fn show<const D: usize>(&self, diagonal: &mut [DiagonalRecord], full: &mut [FullRecord]) {
        show::<D, _>(diagonal, &self.diagonal, &self.rate);
        show::<D, _>(full, &self.full, &self.rate);
    }

    /// The rate afresh from the impulses.
    fn rebuild<const D: usize>(&mut self, diagonal: &[DiagonalRecord], full: &[FullRecord]) {
        let mut sum = [0.0; 3];
        let mut add = |row: &Row, impulse: V3| {
            let push = times(&row.branch, &impulse);
            (0..3).for_each(|k| sum[k] += push[k]);
        };
        diagonal.iter().zip(&self.diagonal).for_each(|(r, row)| add(row, r.world::<D>()));
        full.iter().zip(&self.full).for_each(|(r, row)| add(row, r.world::<D>()));
        self.rate = self.free;
        follow(&mut self.rate, &self.inverse_inertia, &sum);
    }
}

/// The rate after contacts gave the cell `push` (impulse times branch).
#[inline(always)]
fn follow(rate: &mut V3, inverse_inertia: &V3, push: &V3) {
    (0..3).for_each(|k| rate[k] += inverse_inertia[k] * push[k]);
}

fn show<const D: usize, R: Carried>(records: &mut [R], rows: &[Row], rate: &V3) {
    records.iter_mut().zip(rows).for_each(|(r, row)| r.set_shift::<D>(&row.shift, &times(rate, &row.branch)));
}

/// Visits one record with the cell at `rate`; what the change of its impulse gives to the cell.
#[inline(always)]
fn visit_one<const D: usize, R: Carried, V: Visit<R>, N: BodyAccess>(
    (record, trace, row): (&mut R, &mut V::Trace, &Row),
    rate: &V3,
    bodies: &mut N,
    visit: V,
    sum: &mut V::Sum,
) -> V3 {
    visit.lead(record, trace);
    record.set_shift::<D>(&row.shift, &times(rate, &row.branch));
    let before = record.world::<D>();
    visit.visit(record, trace, bodies, sum);
    let after = record.world::<D>();
    times(&row.branch, &[after[0] - before[0], after[1] - before[1], after[2] - before[2]])
}

/// The cell as runs of records meet it.
pub(super) struct Meeting<'a> {
    rows: [&'a [Row]; 2],
    rate: &'a mut V3,
    inverse_inertia: V3,
    partials: &'a mut Vec<V3>,
}

impl Meeting<'_> {
    /// Visits one run with the cell as it is then; see [`super::passes::visit_run`].
    pub(super) fn visit_run<const D: usize, R: Carried, V: Visit<R>>(
        &mut self,
        (records, traces): (&mut [R], &mut [V::Trace]),
        lines: &mut [BodyLine],
        run: &Run,
        direction: Direction,
        visit: V,
        sums: &mut Vec<V::Sum>,
    ) {
        let rows = &self.rows[R::KIND][run.start..run.end];
        let first = sums.len();
        if !run.independent {
            let (mut bodies, mut sum) = (Exclusive(lines), V::Sum::default());
            let mut one = |((record, trace), row): ((&mut R, &mut V::Trace), &Row)| {
                let push = visit_one::<D, _, _, _>((record, trace, row), self.rate, &mut bodies, visit, &mut sum);
                follow(self.rate, &self.inverse_inertia, &push);
            };
            match direction {
                Direction::Forward => records.iter_mut().zip(traces).zip(rows).for_each(&mut one),
                Direction::Backward => records.iter_mut().zip(traces).zip(rows).rev().for_each(&mut one),
            }
            sums.push(sum);
            return;
        }
        let rate = *self.rate;
        self.partials.clear();
        self.partials.resize(records.len().div_ceil(CHUNK), [0.0; 3]);
        sums.resize(first + self.partials.len(), V::Sum::default());
        let ends = self.partials.iter_mut().zip(&mut sums[first..]);
        if records.len() > CHUNK && rayon::current_num_threads() > 1 {
            let shared = Shared(lines);
            let ends: Vec<_> = ends.collect();
            let chunks = records.par_chunks_mut(CHUNK).zip(traces.par_chunks_mut(CHUNK)).zip(rows.par_chunks(CHUNK)).zip(ends);
            chunks.for_each(|(((records, traces), rows), ends)| {
                visit_chunk::<D, _, _, _>((records, traces, rows), &rate, &mut { shared }, visit, ends);
            });
        } else {
            let mut bodies = Exclusive(lines);
            let chunks = records.chunks_mut(CHUNK).zip(traces.chunks_mut(CHUNK)).zip(rows.chunks(CHUNK)).zip(ends);
            chunks.for_each(|(((records, traces), rows), ends)| {
                visit_chunk::<D, _, _, _>((records, traces, rows), &rate, &mut bodies, visit, ends);
            });
        }
        for sum in &*self.partials {
            follow(self.rate, &self.inverse_inertia, sum);
        }
    }
}

fn visit_chunk<const D: usize, R: Carried, V: Visit<R>, N: BodyAccess>(
    (records, traces, rows): (&mut [R], &mut [V::Trace], &[Row]),
    rate: &V3,
    bodies: &mut N,
    visit: V,
    (given, sum): (&mut V3, &mut V::Sum),
) {
    for ((record, trace), row) in records.iter_mut().zip(traces).zip(rows) {
        let push = visit_one::<D, _, _, _>((record, trace, row), rate, bodies, visit, sum);
        (0..3).for_each(|k| given[k] += push[k]);
    }
}

impl System {
    /// Shows the records the cell as it moves now, where there is one.
    pub(super) fn show_cell<const D: usize>(&mut self) {
        if let Some(cell) = &self.cell {
            cell.show::<D>(&mut self.diagonal, &mut self.full);
        }
    }

    /// The rate of the cell afresh from the impulses.
    pub(super) fn rebuild_cell<const D: usize>(&mut self) {
        if let Some(cell) = &mut self.cell {
            cell.rebuild::<D>(&self.diagonal, &self.full);
        }
        self.show_cell::<D>();
    }
}
