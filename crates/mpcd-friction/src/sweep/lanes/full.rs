//! The update of eight contacts of the full kernel at once: the arithmetic of [`FullRecord`] in space, lane by lane and in its order, for contacts
//! under Coulomb's law. Where sliding asks for more than Newton's iteration, the lane is solved alone.
//!
//! Groups stand beside the records of independent runs and hold the impulses while sweeps go on, as those of the diagonal kernel do and for
//! the same reasons (see [`super`]); records are shown them before anybody looks.

#[cfg(test)]
mod tests;

use std::ops::Range;

use rayon::prelude::*;

use super::super::bodies::{BodyInertia, BodyLine};
use super::super::full::{FullRecord, Kind};
use super::super::passes::Direction;
use super::super::system::{Kernel, Run, Tag};
use super::kernel::{Side, V, add_scaled, dot, load_eight, store_eight, sub};
use super::pair::{Eight, LANES, Pair, Row};
use super::quad::Plain;
use super::{CHUNK, Holds, LEAST, PART, Together, Way, put};
use crate::exact::{CLOSE, LocalBlock, SQUARES, slip_impulse};

/// Groups of a chunk, and those from which on a run is worth the call of other threads.
const GROUPS: usize = CHUNK / LANES;
const SHARED: usize = 2 * GROUPS;

/// Words of a body's line, and of its inertia.
const WORDS: usize = 8;

/// Groups between one that is updated and the one whose bodies are asked for.
const AHEAD: usize = 2;

/// Newton steps after which a lane is solved alone, and bounds of the friction step beyond which it is.
const STEPS: usize = 24;
const LARGEST: f64 = 1e280;
/// Less than what rounding may take off the bound of the friction step.
const BELOW: f64 = 1.0 - 1e-12;

/// Eight contacts that share no free body, by columns. Lanes left over stand at the world, and do nothing.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct FullGroup {
    bodies: [[u32; LANES]; 2],
    normal: [Row; 3],
    tangent: [Row; 3],
    levers: [[Row; 3]; 2],
    /// `W_nn`, both parts of `W_tn`, both of the Schur complement; the inverse of the first.
    block: [Row; 6],
    shift: [Row; 3],
    compliance: [Row; 4],
    friction: Row,
    /// `W_nn + μ‖W_tn‖`; zero where slip may have several solutions.
    reach: Row,
    impulse: [Row; 3],
    /// Result of the sweep before the last.
    before: [Row; 3],
    /// λ_max of the blocks.
    weight: Row,
}

/// The groups of full records of a compiled system. All memory is reused.
#[derive(Debug, Default)]
pub(in super::super) struct FullGroups {
    groups: Vec<FullGroup>,
    /// The groups of each run; none where it stays with its records.
    of: Vec<Range<usize>>,
    /// Run that met each line last.
    stamps: Vec<u32>,
    holds: Holds,
    way: Way,
    /// Whether the records have the impulses that the groups hold.
    is_shown: bool,
    together: Together,
}

impl FullGroups {
    /// Another problem follows.
    pub(in super::super) fn forget(&mut self) {
        self.holds = Holds::Nothing;
    }

    fn lay(&mut self, runs: &[Run], records: &[FullRecord], tags: &[Tag], lines: usize) {
        self.groups.clear();
        self.of.clear();
        self.together.begin();
        self.stamps.clear();
        self.stamps.resize(lines, u32::MAX);
        let world = lines as u32 - 1;
        for (number, run) in runs.iter().enumerate() {
            let start = self.groups.len();
            if run.kernel == Kernel::Full && run.independent && run.end - run.start >= LEAST {
                let (records, tags) = (&records[run.start..run.end], &tags[run.start..run.end]);
                if records.iter().all(|r| r.kind == Kind::Coulomb) && self.are_apart(records, number as u32) {
                    let pairs = records.chunks(LANES).zip(tags.chunks(LANES));
                    self.groups.extend(pairs.map(|(records, tags)| FullGroup::of(records, tags, world)));
                }
            }
            self.of.push(start..self.groups.len());
        }
    }

    /// Whether bodies are lines, and no free one is in two of the records.
    fn are_apart(&mut self, records: &[FullRecord], run: u32) -> bool {
        let world = self.stamps.len() - 1;
        records.iter().flat_map(|r| [r.candidate, r.antagonist]).all(|body| {
            let body = body as usize;
            body == world || self.stamps.get_mut(body).is_some_and(|stamp| std::mem::replace(stamp, run) != run)
        })
    }

    /// Makes the groups hold the impulses.
    pub(in super::super) fn take_over(&mut self, runs: &[Run], records: &[FullRecord], tags: &[Tag], lines: usize) {
        match self.holds {
            Holds::Nothing => self.lay(runs, records, tags, lines),
            Holds::Layout => self.each(runs, |group, range| group.read(&records[range])),
            Holds::Impulses => return,
        }
        (self.holds, self.is_shown) = (Holds::Impulses, true);
    }

    /// Makes the records hold the impulses.
    pub(in super::super) fn hand_back(&mut self, runs: &[Run], records: &mut [FullRecord]) {
        if self.holds == Holds::Impulses {
            self.show(runs, records);
            self.holds = Holds::Layout;
        }
    }

    /// Shows the records the impulses, which the groups go on to hold.
    pub(in super::super) fn show(&mut self, runs: &[Run], records: &mut [FullRecord]) {
        if self.holds == Holds::Impulses && !self.is_shown {
            self.each(runs, |group, range| group.write(&mut records[range]));
            self.is_shown = true;
        }
    }

    fn each(&mut self, runs: &[Run], mut visit: impl FnMut(&mut FullGroup, Range<usize>)) {
        for (run, of) in runs.iter().zip(&self.of) {
            for (k, group) in self.groups[of.clone()].iter_mut().enumerate() {
                let start = run.start + k * LANES;
                visit(group, start..run.end.min(start + LANES));
            }
        }
    }

    /// Updates the contacts of a run in space, as [`super::Groups::sweep`] does. False where the run stays with its records.
    pub(in super::super) fn sweep(
        &mut self,
        (run, direction): (usize, Direction),
        (lines, inertia): (&mut [BodyLine], &[BodyInertia]),
        beta: Option<f64>,
        mut add: impl FnMut([f64; 2]),
    ) -> bool {
        if self.together.is_done() {
            return true;
        }
        let held = self.of.get(run).filter(|range| !range.is_empty() && self.holds == Holds::Impulses).cloned();
        let Some(range) = held else { return false };
        assert!(lines.len() == self.stamps.len() && inertia.len() == lines.len(), "the lines that were checked");
        self.is_shown = false;
        let update = Update { lines, inertia, beta, way: self.way };
        if self.together.sweep(&mut self.groups, (run, direction), &self.of, |_, groups| update.go(groups)) {
            self.together.sums.iter().for_each(|sum| add(*sum));
            return true;
        }
        let groups = &mut self.groups[range];
        if groups.len() >= SHARED && rayon::current_num_threads() > 1 {
            let sums: Vec<_> = groups.par_chunks_mut(PART).with_min_len(GROUPS / PART).map(|groups| update.go(groups)).collect();
            sums.into_iter().for_each(add);
        } else {
            groups.chunks_mut(PART).for_each(|groups| add(update.go(groups)));
        }
        true
    }
}

/// One update of groups of one run, which the threads share out.
#[derive(Clone, Copy)]
struct Update<'a> {
    lines: &'a [BodyLine],
    inertia: &'a [BodyInertia],
    beta: Option<f64>,
    way: Way,
}

impl Update<'_> {
    fn go(&self, groups: &mut [FullGroup]) -> [f64; 2] {
        let bodies = (self.lines, self.inertia);
        // SAFETY: groups of one laid run, each held by one thread, and lines held exclusively by the sweep; AVX where it was found
        unsafe {
            match (self.way, self.beta) {
                (Way::Plain, None) => update_all::<Pair<Plain>, false>(groups, bodies, 0.0),
                (Way::Plain, Some(beta)) => update_all::<Pair<Plain>, true>(groups, bodies, beta),
                #[cfg(target_arch = "x86_64")]
                (Way::Avx, None) => update_avx::<false>(groups, bodies, 0.0),
                #[cfg(target_arch = "x86_64")]
                (Way::Avx, Some(beta)) => update_avx::<true>(groups, bodies, beta),
                #[cfg(target_arch = "x86_64")]
                (Way::AvxVl, None) => update_vl::<false>(groups, bodies, 0.0),
                #[cfg(target_arch = "x86_64")]
                (Way::AvxVl, Some(beta)) => update_vl::<true>(groups, bodies, beta),
                #[cfg(target_arch = "x86_64")]
                (Way::Wide, None) => update_wide::<false>(groups, bodies, 0.0),
                #[cfg(target_arch = "x86_64")]
                (Way::Wide, Some(beta)) => update_wide::<true>(groups, bodies, beta),
            }
        }
    }
}

/// # Safety
/// See [`update_all`]; on a processor with AVX.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx")]
unsafe fn update_avx<const CARRIES: bool>(
    groups: &mut [FullGroup],
    bodies: (&[BodyLine], &[BodyInertia]),
    beta: f64,
) -> [f64; 2] {
    // SAFETY: the caller's promise
    unsafe { update_all::<Pair<super::quad::Avx>, CARRIES>(groups, bodies, beta) }
}

/// # Safety
/// See [`update_all`]; on a processor with AVX-512VL.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512vl")]
unsafe fn update_vl<const CARRIES: bool>(groups: &mut [FullGroup], bodies: (&[BodyLine], &[BodyInertia]), beta: f64) -> [f64; 2] {
    // SAFETY: the caller's promise
    unsafe { update_all::<Pair<super::quad::Avx>, CARRIES>(groups, bodies, beta) }
}

/// # Safety
/// See [`update_all`]; on a processor with AVX-512VL and AVX-512DQ.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512vl,avx512dq")]
unsafe fn update_wide<const CARRIES: bool>(
    groups: &mut [FullGroup],
    bodies: (&[BodyLine], &[BodyInertia]),
    beta: f64,
) -> [f64; 2] {
    // SAFETY: the caller's promise
    unsafe { update_all::<super::wide::Wide, CARRIES>(groups, bodies, beta) }
}

/// Updates groups one after another; the sums of what they did.
///
/// # Safety
/// See [`FullGroup::update`], of each of them.
#[inline(always)]
unsafe fn update_all<E: Eight, const CARRIES: bool>(
    groups: &mut [FullGroup],
    (lines, inertia): (&[BodyLine], &[BodyInertia]),
    beta: f64,
) -> [f64; 2] {
    let mut sums = [0.0; 2];
    let beta = E::splat(beta);
    for k in 0..groups.len() {
        if let Some(soon) = groups.get(k + AHEAD) {
            for body in soon.bodies.iter().flatten() {
                E::fetch(lines.as_ptr().wrapping_add(*body as usize).cast());
                E::fetch(inertia.as_ptr().wrapping_add(*body as usize).cast());
            }
            super::fetch(Some(soon));
        }
        // SAFETY: the caller's promise
        unsafe { groups[k].update::<E, CARRIES>((lines, inertia), beta, &mut sums) };
    }
    sums
}

/// The local problem of eight contacts.
struct Local<E> {
    normal: E,
    coupling: [E; 2],
    schur: [E; 2],
    inverse_normal: E,
    friction: E,
}

impl<E: Eight> Local<E> {
    /// `W r` as [`LocalBlock::apply`] has it.
    #[inline(always)]
    fn apply(&self, r: &V<E>) -> V<E> {
        let along = E::zero() + self.coupling[0] * r[1] + self.coupling[1] * r[2];
        let common = r[0] + along / self.normal;
        [
            self.normal * r[0] + along,
            self.schur[0] * r[1] + self.coupling[0] * common,
            self.schur[1] * r[2] + self.coupling[1] * common,
        ]
    }

    /// [`LocalBlock::stick`].
    #[inline(always)]
    fn stick(&self, q: &V<E>) -> V<E> {
        let minus = E::splat(-1.0);
        let ratio = q[0] / self.normal;
        let t = minus * (q[1] - self.coupling[0] * ratio) / self.schur[0];
        let s = minus * (q[2] - self.coupling[1] * ratio) / self.schur[1];
        let along = q[0] + self.coupling[0] * t + self.coupling[1] * s;
        [minus * along / self.normal, t, s]
    }

    /// Tangential impulse at λ.
    #[inline(always)]
    fn sliding(&self, b: &[E; 2], lambda: E) -> [E; 2] {
        let (one, minus) = (E::splat(1.0), E::splat(-1.0));
        [minus * b[0] * (one / (self.schur[0] + lambda)), minus * b[1] * (one / (self.schur[1] + lambda))]
    }

    /// λ at which Newton begins: what fits the impulse `r` best, between zero and `high`.
    #[inline(always)]
    fn guess(&self, b: &[E; 2], r: &V<E>, high: E) -> E {
        let zero = E::zero();
        let square = r[1] * r[1] + r[2] * r[2];
        let along = (b[0] + self.schur[0] * r[1]) * r[1] + (b[1] + self.schur[1] * r[2]) * r[2];
        let guess = E::where_greater(square, zero, E::splat(-1.0) * along / square, zero);
        E::where_greater(high, guess, guess, zero).positive()
    }

    /// The equation of [`slip_impulse`] and its derivative.
    #[inline(always)]
    fn equation(&self, q_n: E, b: &[E; 2], lambda: E) -> [E; 2] {
        let (w, one, minus) = (&self.coupling, E::splat(1.0), E::splat(-1.0));
        let share = [one / (self.schur[0] + lambda), one / (self.schur[1] + lambda)];
        let t = [minus * b[0] * share[0], minus * b[1] * share[1]];
        let inverse_norm = one / (t[0] * t[0] + t[1] * t[1]).sqrt();
        let impulse = minus * (q_n + w[0] * t[0] + w[1] * t[1]) * self.inverse_normal;
        let y = [t[0] * share[0], t[1] * share[1]];
        let scaled = self.friction * inverse_norm;
        let value = scaled * impulse - one;
        let along = (t[0] * y[0] + t[1] * y[1]) * (inverse_norm * inverse_norm);
        let slope = scaled * ((w[0] * y[0] + w[1] * y[1]) * self.inverse_normal + impulse * along);
        [value, slope]
    }

    /// Tangential impulses of the lanes of `asked` that slide, of impulses `r` before, and the lanes that want to be solved alone.
    #[inline(always)]
    fn slide(&self, asked: u32, q: &V<E>, r: &V<E>, reach: E) -> ([E; 2], u32) {
        let ratio = q[0] / self.normal;
        let b = [q[1] - self.coupling[0] * ratio, q[2] - self.coupling[1] * ratio];
        // A little below the bound that the record has.
        let size = (b[0] * b[0] + b[1] * b[1]).sqrt() * E::splat(BELOW);
        let mut high = size * reach / (self.friction * (E::splat(-1.0) * q[0]));
        let shift = E::where_greater(self.schur[0], self.schur[1], self.schur[1], self.schur[0]);
        let (mut low, mut lambda, mut alive) = (E::zero(), self.guess(&b, r, high), E::splat(1.0));
        let mut alone = !(E::greater(reach, E::zero()) & E::greater(E::splat(LARGEST), high));
        let mut open = asked & !alone;
        for _ in 0..STEPS {
            if open == 0 {
                break;
            }
            let [value, slope] = self.equation(q[0], &b, lambda);
            low = E::where_greater(E::zero(), value, lambda, low);
            high = E::where_greater(E::zero(), value, high, lambda);
            alive = E::where_at_most(value.abs(), E::splat(2.0 * f64::EPSILON), E::zero(), alive);
            let next = lambda - value / slope;
            let going = E::greater(alive, E::zero());
            alone |= going & !(E::greater(next, low) & E::greater(high, next));
            let closes = (next - lambda).abs();
            lambda = E::where_greater(alive, E::zero(), next, lambda);
            alive = E::where_at_most(closes, E::splat(CLOSE) * (next + shift), E::zero(), alive);
            open = asked & !alone & E::greater(alive, E::zero());
        }
        (self.sliding(&b, lambda), asked & (alone | open))
    }
}

impl FullGroup {
    /// Up to eight records; the lanes left over stand at the world.
    fn of(records: &[FullRecord], tags: &[Tag], world: u32) -> Self {
        let zero = [[0.0; LANES]; 3];
        let mut out = Self {
            bodies: [[world; LANES]; 2],
            normal: zero,
            tangent: zero,
            levers: [zero; 2],
            block: [1.0, 0.0, 0.0, 1.0, 1.0, 1.0].map(|x| [x; LANES]),
            shift: zero,
            compliance: [[0.0; LANES]; 4],
            friction: [0.0; LANES],
            reach: [0.0; LANES],
            impulse: zero,
            before: zero,
            weight: [0.0; LANES],
        };
        for (lane, (record, tag)) in records.iter().zip(tags).enumerate() {
            out.bodies[0][lane] = record.candidate;
            out.bodies[1][lane] = record.antagonist;
            put(&mut out.normal, lane, &record.normal);
            put(&mut out.tangent, lane, &record.tangent);
            put(&mut out.levers[0], lane, &record.candidate_lever);
            put(&mut out.levers[1], lane, &record.antagonist_lever);
            let LocalBlock { normal, coupling, schur } = record.block;
            let whole = [normal, coupling[0], coupling[1], schur[0], schur[1], 1.0 / normal];
            for (row, x) in out.block.iter_mut().zip(whole) {
                row[lane] = x;
            }
            put(&mut out.shift, lane, &record.shift);
            for (row, x) in out.compliance.iter_mut().zip(record.compliance) {
                row[lane] = x;
            }
            out.friction[lane] = record.friction;
            let reach = normal + record.friction * coupling[0].hypot(coupling[1]);
            out.reach[lane] = if record.block.slip_is_unique::<3>(record.friction) { reach } else { 0.0 };
            put(&mut out.impulse, lane, &record.impulse);
            out.weight[lane] = tag.lambda_max;
        }
        out
    }

    fn read(&mut self, records: &[FullRecord]) {
        for (lane, record) in records.iter().enumerate() {
            put(&mut self.impulse, lane, &record.impulse);
        }
    }

    fn write(&self, records: &mut [FullRecord]) {
        for (lane, record) in records.iter_mut().enumerate() {
            record.impulse = self.impulse.each_ref().map(|row| row[lane]);
        }
    }

    /// Where the lines or inertias of one side begin, the first of all being at `first`.
    #[inline(always)]
    fn at(&self, side: usize, first: *const f64) -> [*const f64; LANES] {
        // an address alone; who reads there says why it may be
        self.bodies[side].map(|body| first.wrapping_add(body as usize * WORDS))
    }

    /// Impulses that the law asks for, of the velocities `q` without them; `r` are those before.
    #[inline(always)]
    fn solve<E: Eight>(&self, local: &Local<E>, q: &V<E>, r: &V<E>) -> V<E> {
        let stick = local.stick(q);
        let size = (stick[1] * stick[1] + stick[2] * stick[2]).sqrt();
        let bound = local.friction * stick[0];
        let smooth = [E::splat(-1.0) * q[0] / local.normal, E::zero(), E::zero()];
        let slides = !(E::at_most(E::zero(), q[0]) | E::at_most(size, bound)) & E::greater(local.friction, E::zero());
        if slides == 0 {
            return among(q[0], [size, bound], &stick, &smooth);
        }
        let (t, mut alone) = local.slide(slides, q, r, E::load(&self.reach));
        let square = t[0] * t[0] + t[1] * t[1];
        alone |= slides & !(E::greater(square, E::splat(SQUARES[0])) & E::greater(E::splat(SQUARES[1]), square));
        let slip = [square.sqrt() / local.friction, t[0], t[1]];
        let mut other = smooth;
        for k in 0..3 {
            other[k] = E::where_greater(local.friction, E::zero(), slip[k], smooth[k]);
        }
        if alone != 0 {
            let mut rows = [[[0.0; LANES]; 3]; 3];
            for (rows, x) in rows.iter_mut().zip([q, r, &other]) {
                store_eight::<E, 3>(x, rows);
            }
            self.solve_alone(alone, &mut rows);
            other = load_eight::<E, 3>(&rows[2]);
        }
        among(q[0], [size, bound], &stick, &other)
    }

    /// Solves some lanes one by one, as their records would be; rows of the velocities without impulses, of the impulses before and of those to be.
    #[inline(never)]
    fn solve_alone(&self, lanes: u32, [q, r, out]: &mut [[Row; 3]; 3]) {
        for lane in (0..LANES).filter(|lane| lanes >> lane & 1 == 1) {
            let row = |k: usize| self.block[k][lane];
            let block = LocalBlock { normal: row(0), coupling: [row(1), row(2)], schur: [row(3), row(4)] };
            let q = [q[0][lane], q[1][lane], q[2][lane]];
            put(out, lane, &slip_impulse(&block, self.friction[lane], &q, &[r[1][lane], r[2][lane]]));
        }
    }

    /// One update, of impulses moved on by `beta` along their last change where `CARRIES`; adds what it did to `sums`, lane after lane.
    ///
    /// # Safety
    /// The bodies of the group are lines of `lines` and of `inertia`, of which the last is the world; nobody else touches the lines of its free
    /// bodies meanwhile, or writes the world's.
    #[inline(always)]
    unsafe fn update<E: Eight, const CARRIES: bool>(
        &mut self,
        (lines, inertia): (&[BodyLine], &[BodyInertia]),
        beta: E,
        sums: &mut [f64; 2],
    ) {
        let first = lines.as_ptr().cast::<f64>();
        // SAFETY: bodies are lines; free ones are ours alone, and the world's is written by nobody
        let [i, j] =
            unsafe { [Side::of::<3>(E::gather::<3>(&self.at(0, first))), Side::of::<3>(E::gather::<3>(&self.at(1, first)))] };
        let (n, t) = (load_eight::<E, 3>(&self.normal), load_eight::<E, 3>(&self.tangent));
        let s = cross(&n, &t);
        let levers = [load_eight::<E, 3>(&self.levers[0]), load_eight::<E, 3>(&self.levers[1])];
        let mut r = load_eight::<E, 3>(&self.impulse);
        let before = r;
        if CARRIES {
            let last = load_eight::<E, 3>(&self.before);
            store_eight::<E, 3>(&r, &mut self.before);
            for k in 0..3 {
                r[k] = r[k] + beta * (r[k] - last[k]);
            }
        }
        let (vi, vj) = (add(&i.v, &cross(&i.w, &levers[0])), add(&j.v, &cross(&j.w, &levers[1])));
        let apart = sub::<E, 3>(&vi, &vj);
        let c = &self.compliance;
        let c = [E::load(&c[0]), E::load(&c[1]), E::load(&c[2]), E::load(&c[3])];
        let rigid =
            add(&[dot::<E, 3>(&n, &apart), dot::<E, 3>(&t, &apart), dot::<E, 3>(&s, &apart)], &load_eight::<E, 3>(&self.shift));
        let u = [rigid[0] + c[0] * r[0], rigid[1] + c[1] * r[1] + c[2] * r[2], rigid[2] + (c[2] * r[1] + c[3] * r[2])];
        let block = &self.block;
        let local = Local {
            normal: E::load(&block[0]),
            coupling: [E::load(&block[1]), E::load(&block[2])],
            schur: [E::load(&block[3]), E::load(&block[4])],
            inverse_normal: E::load(&block[5]),
            friction: E::load(&self.friction),
        };
        let g = self.solve::<E>(&local, &sub::<E, 3>(&u, &local.apply(&r)), &r);
        store_eight::<E, 3>(&g, &mut self.impulse);
        let delta = sub::<E, 3>(&g, &r);
        if CARRIES {
            let weight = E::load(&self.weight);
            let mut rows = [[[0.0; LANES]; 2]; 3];
            for k in 0..3 {
                (weight * delta[k] * (g[k] - before[k])).store(&mut rows[k][0]);
                (weight * (delta[k] * delta[k])).store(&mut rows[k][1]);
            }
            for lane in 0..LANES {
                for row in &rows {
                    sums[0] += row[0][lane];
                    sums[1] += row[1][lane];
                }
            }
        }
        let along = [delta[0] * n[0], delta[0] * n[1], delta[0] * n[2]];
        let pushed = add_scaled::<E, 3>(&add_scaled::<E, 3>(&along, delta[1], &t), delta[2], &s);
        let world = lines.len() - 1;
        let mut sink = [0.0_f64; WORDS];
        let sink = sink.as_mut_ptr();
        let motions = [i, j];
        for side in 0..2 {
            let (motion, lever) = (&motions[side], &levers[side]);
            // SAFETY: bodies are rows of `inertia`, which nobody writes
            let [j0, j1, j2, j3, j4, j5, y, z] = unsafe { E::gather::<3>(&self.at(side, inertia.as_ptr().cast())) };
            let m = cross(lever, &pushed);
            let turn = [j0 * m[0] + j1 * m[1] + j2 * m[2], j1 * m[0] + j3 * m[1] + j4 * m[2], j2 * m[0] + j4 * m[1] + j5 * m[2]];
            let push = [motion.inverse_mass * pushed[0], y * pushed[1], z * pushed[2]];
            let sign = E::splat(if side == 0 { 1.0 } else { -1.0 });
            let (v, w) = (push.map(|x| sign * x), turn.map(|x| sign * x));
            // what would go to the world goes nowhere
            let at = self.at(side, first);
            let out: [*mut f64; LANES] =
                std::array::from_fn(|lane| if self.bodies[side][lane] as usize == world { sink } else { at[lane].cast_mut() });
            // SAFETY: a line is eight atomic words, which may be written through a shared reference; free lines are ours alone, no two lanes
            // have one in common, and the sink is our own
            unsafe { E::add_to::<3>(v, w, &out) };
        }
    }
}

/// Nothing where contacts open, `stick` where that is admissible, else `other`.
#[inline(always)]
fn among<E: Eight>(q_n: E, [size, bound]: [E; 2], stick: &V<E>, other: &V<E>) -> V<E> {
    let mut out = [E::zero(); 3];
    for k in 0..3 {
        out[k] = E::where_at_most(E::zero(), q_n, E::zero(), E::where_at_most(size, bound, stick[k], other[k]));
    }
    out
}

#[inline(always)]
fn add<E: Eight>(a: &V<E>, b: &V<E>) -> V<E> {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

#[inline(always)]
fn cross<E: Eight>(a: &V<E>, b: &V<E>) -> V<E> {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
