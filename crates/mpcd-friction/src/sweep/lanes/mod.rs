//! Eight contacts at once: the diagonal kernel (and in [`full`] four of the full one) by groups of independent contacts, in the registers that the processor has.
//! The one room of this crate with unsafe code: gathers and scatters of bodies' lines. Nothing here knows laws or bodies beyond
//! what a [`DiagonalRecord`] holds.
//!
//! Groups stand beside the records of independent runs, and hold the impulses while sweeps go on; [`Groups::hand_back`] brings them home.
//! A group does to its contacts what the records do one by one, with the same bits, on any processor: plain arrays and registers of four or eight numbers round alike.
//!
//! Why this is sound. Groups are made by [`Groups::lay`], and contact by contact by [`Groups::put`] before [`Groups::admit`], and their bodies never change after. These check that bodies are lines, and
//! with a stamp for each line that no two groups of a run, and no two lanes of a group, have a free body in common; a run of which that
//! does not hold stays with its records. A sweep over a run takes the lines exclusively, as many as were checked, and gives each thread
//! groups of its own (of several runs one after another, see [`team`]); so each free line is touched by one thread alone. The world's line is read by all and written by none.

#![allow(unsafe_code, reason = "gathers and scatters; the proof is above, the promises at each function")]

mod full;
mod judge;
mod kernel;
mod lay;
mod look;
mod pair;
mod quad;
mod team;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod wide;

use std::ops::Range;

use rayon::prelude::*;

pub(super) use self::full::FullGroups;
pub(super) use self::judge::Squares;
use self::kernel::{Group, MOST, Rest, WORDS, first_word, update_all};
use self::lay::along;
pub(super) use self::pair::LANES;
use self::pair::{Pair, Row};
use self::quad::Plain;
use self::team::PART;
use super::bodies::BodyLine;
use super::diagonal::{DiagonalRecord, Edge};
use super::passes::{CHUNK, Direction};
use super::system::{Kernel, Run};
use super::vector::V3;

/// Groups of a chunk: what one thread takes, and of which the sums are added up.
const GROUPS: usize = CHUNK / LANES;

/// Runs of fewer contacts stay with their records.
pub(super) const LEAST: usize = 2;

/// Groups from which on a run is worth the call of other threads.
const SHARED: usize = 2 * GROUPS;

/// The groups of a compiled system. All memory is reused.
#[derive(Debug, Default)]
pub(super) struct Groups {
    groups: Vec<Group>,
    /// One beside each group where a contact has what it holds, else none.
    rests: Vec<Rest>,
    /// The groups of each run; none where it stays with its records.
    of: Vec<Range<usize>>,
    /// Groups laid so far.
    laid: usize,
    together: Together,
    /// Run that met each line last.
    stamps: Vec<u32>,
    holds: Holds,
    way: Way,
    /// What rounding leaves open in the velocity of a compliant contact [m/s].
    pub(super) rounding: f64,
}

/// Who holds the impulses of the grouped records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Holds {
    /// The records; no groups are laid.
    #[default]
    Nothing,
    /// The records, or both; groups are laid.
    Layout,
    /// The groups.
    Impulses,
}

impl Groups {
    /// Another problem follows.
    pub(super) fn forget(&mut self) {
        self.holds = Holds::Nothing;
    }

    /// Begins to lay groups, of no run yet; `lines` is the number of lines with the world's at the end.
    pub(super) fn begin(&mut self, lines: usize) {
        self.of.clear();
        self.stamps.clear();
        self.stamps.resize(lines, u32::MAX);
        self.laid = 0;
        self.together.begin();
        self.rests.clear();
        self.holds = Holds::Impulses;
    }

    /// Lays the groups of the next run, of diagonal records. False where it stays with these.
    pub(super) fn lay_run(&mut self, (number, run): (usize, &Run), records: &[DiagonalRecord]) -> bool {
        let start = self.laid;
        if run.independent && records.len() >= LEAST && self.stamps.len() <= MOST && self.are_apart(records, number as u32) {
            let world = self.stamps.len() as u32 - 1;
            self.laid += records.len().div_ceil(LANES);
            // groups of the last problem lie here, and are written over
            self.groups.resize(self.groups.len().max(self.laid), Group::empty(world));
            if self.rests.is_empty() && !records.iter().all(|record| along(record).is_some()) {
                self.hold_rests();
            }
            let has_rests = !self.rests.is_empty();
            if has_rests {
                self.rests.resize(self.laid, Rest::NOTHING);
                records.iter().enumerate().for_each(|(k, record)| self.rests[start + k / LANES].set(k % LANES, record));
            }
            let groups = &mut self.groups[start..self.laid];
            let fill = |(group, records): (&mut Group, &[DiagonalRecord])| group.fill(records, world, has_rests);
            if groups.len() >= SHARED && rayon::current_num_threads() > 1 {
                groups.par_iter_mut().with_min_len(GROUPS).zip(records.par_chunks(LANES)).for_each(fill);
            } else {
                groups.iter_mut().zip(records.chunks(LANES)).for_each(fill);
            }
        }
        self.of.push(start..self.laid);
        start < self.laid
    }

    /// The next run has none.
    pub(super) fn lay_none(&mut self) {
        self.of.push(self.laid..self.laid);
    }

    /// Some groups with what stands beside them, the first of them being that at `start`.
    fn with_rests<'a>(&'a self, start: usize, groups: &'a [Group]) -> (&'a [Group], &'a [Rest]) {
        (groups, if self.rests.is_empty() { &[] } else { &self.rests[start..start + groups.len()] })
    }

    /// The impulse in a lane.
    pub(super) fn impulse(&self, lane: u32) -> V3 {
        self.groups[lane as usize / LANES].impulse.each_ref().map(|row| row[lane as usize % LANES])
    }

    /// No run follows.
    pub(super) fn end(&mut self) {
        self.groups.truncate(self.laid);
    }

    /// Lays groups beside the independent runs of diagonal records, `lines` being the number of lines with the world's at the end.
    fn lay(&mut self, runs: &[Run], records: &[DiagonalRecord], lines: usize) {
        self.begin(lines);
        for (number, run) in runs.iter().enumerate() {
            if run.kernel == Kernel::Diagonal {
                self.lay_run((number, run), &records[run.stored()]);
            } else {
                self.lay_none();
            }
        }
        self.end();
    }

    /// Whether bodies are lines, and no free one is in two of the records.
    fn are_apart(&mut self, records: &[DiagonalRecord], run: u32) -> bool {
        let world = self.stamps.len() - 1;
        records.iter().flat_map(|r| [r.candidate, r.antagonist]).all(|body| {
            let body = body as usize;
            body == world || self.stamps.get_mut(body).is_some_and(|stamp| std::mem::replace(stamp, run) != run)
        })
    }

    /// Makes the groups hold the impulses.
    pub(super) fn take_over(&mut self, runs: &[Run], records: &[DiagonalRecord], lines: usize) {
        match self.holds {
            Holds::Nothing => self.lay(runs, records, lines),
            Holds::Layout => self.each(runs, |group, range| group.read(&records[range])),
            Holds::Impulses => {}
        }
        self.holds = Holds::Impulses;
    }

    /// Makes the records hold the impulses.
    pub(super) fn hand_back(&mut self, runs: &[Run], records: &mut [DiagonalRecord]) {
        if self.holds == Holds::Impulses {
            self.each(runs, |group, range| group.write(&mut records[range]));
            self.holds = Holds::Layout;
        }
    }

    /// Adds the records that a run was made of, with the impulses of its groups, which go on to stand beside them. False where it has none.
    pub(super) fn give_records(&self, number: usize, run: &Run, lines: &[BodyLine], records: &mut Vec<DiagonalRecord>) -> bool {
        let Some(of) = self.held(number) else { return false };
        let lanes = of.flat_map(|k| (0..LANES).map(move |lane| self.groups[k].record(self.rests.get(k), lane, lines)));
        records.extend(lanes.take(run.end - run.start));
        true
    }

    /// The impulses of the records of a run; none where it stays with these.
    pub(super) fn impulses(&self, number: usize, run: &Run) -> Option<impl Iterator<Item = V3> + '_> {
        let groups = self.groups[self.held(number)?].iter();
        Some(
            groups
                .flat_map(|group| (0..LANES).map(|lane| group.impulse.each_ref().map(|row| row[lane])))
                .take(run.end - run.start),
        )
    }

    /// Puts kept impulses back into the groups that hold them.
    pub(super) fn restore(&mut self, runs: &[Run], kept: &[V3]) {
        for (number, run) in runs.iter().enumerate() {
            let Some(of) = self.held(number) else { continue };
            for (group, kept) in self.groups[of].iter_mut().zip(kept[run.start..run.end].chunks(LANES)) {
                kept.iter().enumerate().for_each(|(lane, kept)| put(&mut group.impulse, lane, kept));
            }
        }
    }

    /// Copies the impulses that groups hold to the places of their records.
    pub(super) fn keep(&self, runs: &[Run], kept: &mut [V3]) {
        for (number, run) in runs.iter().enumerate() {
            let Some(of) = self.held(number) else { continue };
            let (groups, kept) = (&self.groups[of], &mut kept[run.start..run.end]);
            let copy = |(group, kept): (&Group, &mut [V3])| {
                for (lane, kept) in kept.iter_mut().enumerate() {
                    *kept = group.impulse.each_ref().map(|row| row[lane]);
                }
            };
            if groups.len() >= SHARED && rayon::current_num_threads() > 1 {
                groups.par_iter().zip(kept.par_chunks_mut(LANES)).with_min_len(GROUPS).for_each(copy);
            } else {
                groups.iter().zip(kept.chunks_mut(LANES)).for_each(copy);
            }
        }
    }

    /// Whether the records hold the impulses.
    pub(super) fn is_idle(&self) -> bool {
        self.holds != Holds::Impulses
    }

    fn each(&mut self, runs: &[Run], mut visit: impl FnMut(&mut Group, Range<usize>)) {
        for (run, of) in runs.iter().zip(&self.of) {
            for (k, group) in self.groups[of.clone()].iter_mut().enumerate() {
                let start = run.start + k * LANES;
                visit(group, start..run.end.min(start + LANES));
            }
        }
    }

    /// Updates the contacts of a run, moved on by `beta` along their last change if there is one; sums of what that did are added at
    /// the end of `sums`, one for each part. False where the run stays with its records. Runs are swept one after another in one direction; several that groups hold may be done with the first of them.
    pub(super) fn sweep<const D: usize>(
        &mut self,
        (run, direction): (usize, Direction),
        lines: &mut [BodyLine],
        beta: Option<f64>,
        mut add: impl FnMut([f64; 2]),
    ) -> bool {
        if self.together.is_done() {
            return true;
        }
        let Some(range) = self.held(run) else { return false };
        assert_eq!(lines.len(), self.stamps.len(), "the lines that were checked");
        let rests: &[Rest] = if self.rests.is_empty() { &[] } else { &self.rests };
        let update = Update::<D> { lines, beta, way: self.way };
        let go =
            |range: Range<usize>, groups: &mut [Group]| update.go(groups, if rests.is_empty() { &[] } else { &rests[range] });
        if self.together.sweep(&mut self.groups, (run, direction), &self.of, go) {
            self.together.sums.iter().for_each(|sum| add(*sum));
            return true;
        }
        let (start, groups) = (range.start, &mut self.groups[range]);
        let go = |(k, groups): (usize, &mut [Group])| go(start + k * PART..start + k * PART + groups.len(), groups);
        if groups.len() >= SHARED && rayon::current_num_threads() > 1 {
            let sums: Vec<_> = groups.par_chunks_mut(PART).with_min_len(GROUPS / PART).enumerate().map(go).collect();
            sums.into_iter().for_each(add);
        } else {
            groups.chunks_mut(PART).enumerate().for_each(|part| add(go(part)));
        }
        true
    }
}

impl Groups {
    /// The groups that hold the contacts of a run now.
    fn held(&self, run: usize) -> Option<Range<usize>> {
        self.of.get(run).filter(|range| !range.is_empty() && self.holds == Holds::Impulses).cloned()
    }

    /// Whether the contacts of a run are held by groups now.
    pub(super) fn hold(&self, run: usize) -> bool {
        self.held(run).is_some()
    }
}

/// Asks for something that will soon be read, where the processor can be asked to.
#[inline(always)]
pub(super) fn fetch<T>(soon: Option<&T>) {
    #[cfg(target_arch = "x86_64")]
    if let Some(soon) = soon {
        let first = std::ptr::from_ref(soon).cast::<i8>();
        for line in 0..size_of::<T>().div_ceil(64) {
            // SAFETY: a hint, which reads nothing and faults nowhere; every x86-64 has it
            unsafe { std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(first.wrapping_add(64 * line)) };
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = soon;
}

/// Runs that are swept with the first of them.
#[derive(Debug, Default)]
struct Together {
    /// Their groups.
    runs: Vec<Range<usize>>,
    sums: Vec<[f64; 2]>,
    /// How many runs are swept and still to be asked for.
    done: usize,
    /// How many are still to be asked for that go one after another.
    alone: usize,
}

impl Together {
    /// Another problem follows.
    const fn begin(&mut self) {
        (self.done, self.alone) = (0, 0);
    }

    /// Whether the run that is asked for was swept with one before.
    const fn is_done(&mut self) -> bool {
        let was = self.done > 0;
        self.done -= was as usize;
        was
    }

    /// Sweeps all runs from one on that groups hold, of which `held` has the groups of each; false where one after another is as well.
    #[inline(never)]
    fn sweep<G: Send>(
        &mut self,
        groups: &mut [G],
        (run, direction): (usize, Direction),
        held: &[Range<usize>],
        go: impl Fn(Range<usize>, &mut [G]) -> [f64; 2] + Sync,
    ) -> bool {
        if rayon::current_num_threads() == 1 {
            return false;
        }
        if self.alone > 0 {
            self.alone -= 1;
            return false;
        }
        self.runs.clear();
        let holds = |of: &&Range<usize>| !of.is_empty();
        match direction {
            Direction::Forward => self.runs.extend(held[run..].iter().take_while(holds).cloned()),
            Direction::Backward => self.runs.extend(held[..=run].iter().rev().take_while(holds).cloned()),
        }
        let done = team::sweep(groups, &self.runs, &mut self.sums, go);
        *(if done { &mut self.done } else { &mut self.alone }) = self.runs.len() - 1;
        done
    }
}

/// Ways to compute the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Plain,
    #[cfg(target_arch = "x86_64")]
    Avx,
    /// The same registers, twice as many of them.
    #[cfg(target_arch = "x86_64")]
    AvxVl,
    /// Updates in registers of eight numbers, all else as [`Way::AvxVl`].
    #[cfg(target_arch = "x86_64")]
    Wide,
}

impl Way {
    /// The fastest that the processor has.
    fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(best) = Self::of_processor().pop() {
            return best;
        }
        Self::Plain
    }

    /// Those with registers that the processor has, the fastest last.
    #[cfg(target_arch = "x86_64")]
    fn of_processor() -> Vec<Self> {
        let mut ways = Vec::new();
        if std::arch::is_x86_feature_detected!("avx") {
            ways.push(Self::Avx);
        }
        if std::arch::is_x86_feature_detected!("avx512vl") {
            ways.push(Self::AvxVl);
            if std::arch::is_x86_feature_detected!("avx512dq") {
                ways.push(Self::Wide);
            }
        }
        ways
    }

    /// All that the processor has.
    #[cfg(test)]
    fn all() -> Vec<Self> {
        let mut ways = vec![Self::Plain];
        #[cfg(target_arch = "x86_64")]
        ways.extend(Self::of_processor());
        ways
    }
}

impl Default for Way {
    fn default() -> Self {
        Self::best()
    }
}

/// One update of groups of one run.
#[derive(Clone, Copy)]
struct Update<'a, const D: usize> {
    lines: &'a [BodyLine],
    beta: Option<f64>,
    way: Way,
}

impl<const D: usize> Update<'_, D> {
    fn go(&self, groups: &mut [Group], rests: &[Rest]) -> [f64; 2] {
        // SAFETY: groups of one laid run, each held by one thread, and lines held exclusively by the sweep; AVX where they were found
        unsafe {
            match (self.way, self.beta) {
                (Way::Plain, None) => update_all::<Pair<Plain>, D, false>(groups, rests, self.lines, 0.0),
                (Way::Plain, Some(beta)) => update_all::<Pair<Plain>, D, true>(groups, rests, self.lines, beta),
                #[cfg(target_arch = "x86_64")]
                (Way::Avx, None) => update_avx::<D, false>(groups, rests, self.lines, 0.0),
                #[cfg(target_arch = "x86_64")]
                (Way::Avx, Some(beta)) => update_avx::<D, true>(groups, rests, self.lines, beta),
                #[cfg(target_arch = "x86_64")]
                (Way::AvxVl, None) => update_vl::<D, false>(groups, rests, self.lines, 0.0),
                #[cfg(target_arch = "x86_64")]
                (Way::AvxVl, Some(beta)) => update_vl::<D, true>(groups, rests, self.lines, beta),
                #[cfg(target_arch = "x86_64")]
                (Way::Wide, None) => update_wide::<D, false>(groups, rests, self.lines, 0.0),
                #[cfg(target_arch = "x86_64")]
                (Way::Wide, Some(beta)) => update_wide::<D, true>(groups, rests, self.lines, beta),
            }
        }
    }
}

/// # Safety
/// See [`update_all`]; on a processor with AVX.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx")]
unsafe fn update_avx<const D: usize, const CARRIES: bool>(
    groups: &mut [Group],
    rests: &[Rest],
    lines: &[BodyLine],
    beta: f64,
) -> [f64; 2] {
    // SAFETY: the caller's promise
    unsafe { update_all::<Pair<quad::Avx>, D, CARRIES>(groups, rests, lines, beta) }
}

/// # Safety
/// See [`update_all`]; on a processor with AVX-512VL.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512vl")]
unsafe fn update_vl<const D: usize, const CARRIES: bool>(
    groups: &mut [Group],
    rests: &[Rest],
    lines: &[BodyLine],
    beta: f64,
) -> [f64; 2] {
    // SAFETY: the caller's promise
    unsafe { update_all::<Pair<quad::Avx>, D, CARRIES>(groups, rests, lines, beta) }
}

/// # Safety
/// See [`update_all`]; on a processor with AVX-512VL and AVX-512DQ.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512vl,avx512dq")]
unsafe fn update_wide<const D: usize, const CARRIES: bool>(
    groups: &mut [Group],
    rests: &[Rest],
    lines: &[BodyLine],
    beta: f64,
) -> [f64; 2] {
    // SAFETY: the caller's promise
    unsafe { update_all::<wide::Wide, D, CARRIES>(groups, rests, lines, beta) }
}

impl Rest {
    fn set(&mut self, lane: usize, record: &DiagonalRecord) {
        put(&mut self.shift, lane, &record.shift);
        self.compliance[lane] = record.compliance;
    }
}

impl Group {
    /// Nothing, at the world.
    const fn empty(world: u32) -> Self {
        Self {
            words: [[first_word(world); LANES]; 2],
            normal: [[0.0; LANES]; 3],
            arm: [[0.0; LANES]; 2],
            edge: [0.0; LANES],
            shift: [0.0; LANES],
            impulse: [[0.0; LANES]; 3],
            before: [[0.0; LANES]; 3],
        }
    }

    /// Up to eight records; the lanes left over stand at the world. Shifts are not asked for where a rest has them.
    fn fill(&mut self, records: &[DiagonalRecord], world: u32, has_rests: bool) {
        if records.len() < LANES {
            *self = Self::empty(world);
        }
        for (lane, record) in records.iter().enumerate() {
            let shift = if has_rests { None } else { along(record) };
            self.set(lane, record, shift.unwrap_or(0.0));
        }
    }

    #[inline]
    fn set(&mut self, lane: usize, record: &DiagonalRecord, shift: f64) {
        self.words[0][lane] = first_word(record.candidate);
        self.words[1][lane] = first_word(record.antagonist);
        put(&mut self.normal, lane, &record.normal);
        put(&mut self.impulse, lane, &record.impulse);
        put(&mut self.before, lane, &[0.0; 3]);
        self.arm[0][lane] = record.arm[0];
        self.arm[1][lane] = record.arm[1];
        self.edge[lane] = record.edge.signed();
        self.shift[lane] = shift;
    }

    /// The bodies of all lanes.
    fn bodies(&self) -> impl Iterator<Item = u32> + '_ {
        self.words.iter().flatten().map(|word| word / WORDS as u32)
    }

    /// What stands beside a group of which all shifts are along the normals.
    fn rest(&self) -> Rest {
        Rest { shift: self.normal.map(|row| std::array::from_fn(|k| row[k] * self.shift[k])), ..Rest::NOTHING }
    }

    fn read(&mut self, records: &[DiagonalRecord]) {
        for (lane, record) in records.iter().enumerate() {
            put(&mut self.impulse, lane, &record.impulse);
        }
    }

    /// The record of a lane, of which `lines` are the bodies.
    fn record(&self, rest: Option<&Rest>, lane: usize, lines: &[BodyLine]) -> DiagonalRecord {
        let at = |rows: &[Row; 3]| rows.each_ref().map(|row| row[lane]);
        let (bodies, arm) = (self.words.map(|row| row[lane] / WORDS as u32), self.arm.map(|row| row[lane]));
        let normal = at(&self.normal);
        let (shift, compliance) = match rest {
            Some(rest) => (at(&rest.shift), rest.compliance[lane]),
            None => (normal.map(|n| n * self.shift[lane]), 0.0),
        };
        let [i, j] = bodies.map(|body| &lines[body as usize]);
        let w_n = i.get(6) + j.get(6);
        let w_t = w_n + (i.get(7) * arm[0] * arm[0] + j.get(7) * arm[1] * arm[1]);
        DiagonalRecord {
            normal,
            arm,
            inverse_normal: 1.0 / (w_n + compliance),
            inverse_tangential: 1.0 / w_t,
            edge: Edge::of_signed(self.edge[lane]),
            impulse: at(&self.impulse),
            shift,
            compliance,
            candidate: bodies[0],
            antagonist: bodies[1],
        }
    }

    fn write(&self, records: &mut [DiagonalRecord]) {
        for (lane, record) in records.iter_mut().enumerate() {
            record.impulse = self.impulse.each_ref().map(|row| row[lane]);
        }
    }
}

fn put<const N: usize>(rows: &mut [[f64; N]; 3], lane: usize, x: &V3) {
    for k in 0..3 {
        rows[k][lane] = x[k];
    }
}
