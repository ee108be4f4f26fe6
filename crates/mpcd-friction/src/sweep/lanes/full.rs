//! The update of four contacts of the full kernel at once: the arithmetic of [`FullRecord`] in space, lane by lane and in its order, for contacts
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
use super::super::system::{Kernel, Run, Tag};
use super::kernel::{V, add_scaled, dot, gather, load, scatter, store, sub};
use super::quad::{LANES, Plain, Quad, Row};
use super::{CHUNK, Holds, LEAST, Way, put};
use crate::exact::{LocalBlock, slip_impulse};

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

/// Four contacts that share no free body, by columns. Lanes left over stand at the world, and do nothing.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct FullGroup {
    bodies: [[u32; LANES]; 2],
    normal: [Row; 3],
    tangent: [Row; 3],
    levers: [[Row; 3]; 2],
    /// `W_nn`, both parts of `W_tn`, both of the Schur complement.
    block: [Row; 5],
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
}

impl FullGroups {
    /// Another problem follows.
    pub(in super::super) fn forget(&mut self) {
        self.holds = Holds::Nothing;
    }

    fn lay(&mut self, runs: &[Run], records: &[FullRecord], tags: &[Tag], lines: usize) {
        self.groups.clear();
        self.of.clear();
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
        run: usize,
        (lines, inertia): (&mut [BodyLine], &[BodyInertia]),
        beta: Option<f64>,
        mut add: impl FnMut([f64; 2]),
    ) -> bool {
        let held = self.of.get(run).filter(|range| !range.is_empty() && self.holds == Holds::Impulses).cloned();
        let Some(range) = held else { return false };
        assert!(lines.len() == self.stamps.len() && inertia.len() == lines.len(), "the lines that were checked");
        self.is_shown = false;
        let groups = &mut self.groups[range];
        let update = Update { lines, inertia, beta, way: self.way };
        if groups.len() >= SHARED && rayon::current_num_threads() > 1 {
            let sums: Vec<_> = groups.par_chunks_mut(GROUPS).map(|groups| update.go(groups)).collect();
            sums.into_iter().for_each(add);
        } else {
            groups.chunks_mut(GROUPS).for_each(|groups| add(update.go(groups)));
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
                (Way::Plain, None) => update_all::<Plain, false>(groups, bodies, 0.0),
                (Way::Plain, Some(beta)) => update_all::<Plain, true>(groups, bodies, beta),
                #[cfg(target_arch = "x86_64")]
                (Way::Avx, None) => update_avx::<false>(groups, bodies, 0.0),
                #[cfg(target_arch = "x86_64")]
                (Way::Avx, Some(beta)) => update_avx::<true>(groups, bodies, beta),
                #[cfg(target_arch = "x86_64")]
                (Way::AvxVl | Way::Wide, None) => update_vl::<false>(groups, bodies, 0.0),
                #[cfg(target_arch = "x86_64")]
                (Way::AvxVl | Way::Wide, Some(beta)) => update_vl::<true>(groups, bodies, beta),
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
    unsafe { update_all::<super::quad::Avx, CARRIES>(groups, bodies, beta) }
}

/// # Safety
/// See [`update_all`]; on a processor with AVX-512VL.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512vl")]
unsafe fn update_vl<const CARRIES: bool>(groups: &mut [FullGroup], bodies: (&[BodyLine], &[BodyInertia]), beta: f64) -> [f64; 2] {
    // SAFETY: the caller's promise
    unsafe { update_all::<super::quad::Avx, CARRIES>(groups, bodies, beta) }
}

/// Updates groups one after another; the sums of what they did.
///
/// # Safety
/// See [`FullGroup::update`], of each of them.
#[inline(always)]
unsafe fn update_all<Q: Quad, const CARRIES: bool>(
    groups: &mut [FullGroup],
    (lines, inertia): (&[BodyLine], &[BodyInertia]),
    beta: f64,
) -> [f64; 2] {
    let mut sums = [0.0; 2];
    let beta = Q::splat(beta);
    for k in 0..groups.len() {
        if let Some(soon) = groups.get(k + AHEAD) {
            for body in soon.bodies.iter().flatten() {
                Q::fetch(lines.as_ptr().wrapping_add(*body as usize).cast());
                Q::fetch(inertia.as_ptr().wrapping_add(*body as usize).cast());
            }
        }
        // SAFETY: the caller's promise
        unsafe { groups[k].update::<Q, CARRIES>((lines, inertia), beta, &mut sums) };
    }
    sums
}

/// The local problem of four contacts.
struct Local<Q> {
    normal: Q,
    coupling: [Q; 2],
    schur: [Q; 2],
    friction: Q,
}

impl<Q: Quad> Local<Q> {
    /// `W r` as [`LocalBlock::apply`] has it.
    #[inline(always)]
    fn apply(&self, r: &V<Q>) -> V<Q> {
        let along = Q::zero() + self.coupling[0] * r[1] + self.coupling[1] * r[2];
        let common = r[0] + along / self.normal;
        [
            self.normal * r[0] + along,
            self.schur[0] * r[1] + self.coupling[0] * common,
            self.schur[1] * r[2] + self.coupling[1] * common,
        ]
    }

    /// [`LocalBlock::stick`].
    #[inline(always)]
    fn stick(&self, q: &V<Q>) -> V<Q> {
        let minus = Q::splat(-1.0);
        let t = minus * (q[1] - self.coupling[0] * q[0] / self.normal) / self.schur[0];
        let s = minus * (q[2] - self.coupling[1] * q[0] / self.normal) / self.schur[1];
        let along = q[0] + self.coupling[0] * t + self.coupling[1] * s;
        [minus * along / self.normal, t, s]
    }

    /// Tangential impulse at λ.
    #[inline(always)]
    fn sliding(&self, b: &[Q; 2], lambda: Q) -> [Q; 2] {
        let minus = Q::splat(-1.0);
        [minus * b[0] / (self.schur[0] + lambda), minus * b[1] / (self.schur[1] + lambda)]
    }

    /// The equation of [`slip_impulse`] and its derivative.
    #[inline(always)]
    fn equation(&self, q_n: Q, b: &[Q; 2], lambda: Q) -> [Q; 2] {
        let (w, t) = (&self.coupling, self.sliding(b, lambda));
        let norm = (t[0] * t[0] + t[1] * t[1]).sqrt();
        let impulse = Q::splat(-1.0) * (q_n + w[0] * t[0] + w[1] * t[1]) / self.normal;
        let y = [t[0] / (self.schur[0] + lambda), t[1] / (self.schur[1] + lambda)];
        let value = self.friction * impulse / norm - Q::splat(1.0);
        let along = (t[0] * y[0] + t[1] * y[1]) / (norm * norm);
        let slope = self.friction * ((w[0] * y[0] + w[1] * y[1]) / self.normal + impulse * along) / norm;
        [value, slope]
    }

    /// Tangential impulses of the lanes of `asked` that slide, and the lanes that want to be solved alone.
    #[inline(always)]
    fn slide(&self, asked: u32, q: &V<Q>, reach: Q) -> ([Q; 2], u32) {
        let epsilon = Q::splat(f64::EPSILON);
        let ratio = q[0] / self.normal;
        let b = [q[1] - self.coupling[0] * ratio, q[2] - self.coupling[1] * ratio];
        // A little below the bound that the record has.
        let size = (b[0] * b[0] + b[1] * b[1]).sqrt() * Q::splat(BELOW);
        let mut high = size * reach / (self.friction * (Q::splat(-1.0) * q[0]));
        let (mut low, mut lambda, mut alive) = (Q::zero(), Q::zero(), Q::splat(1.0));
        let mut alone = !(Q::greater(reach, Q::zero()) & Q::greater(Q::splat(LARGEST), high));
        let mut open = asked & !alone;
        for _ in 0..STEPS {
            if open == 0 {
                break;
            }
            let [value, slope] = self.equation(q[0], &b, lambda);
            low = Q::where_greater(Q::zero(), value, lambda, low);
            high = Q::where_greater(Q::zero(), value, high, lambda);
            alive = Q::where_at_most(value.abs(), Q::splat(2.0) * epsilon, Q::zero(), alive);
            let next = lambda - value / slope;
            let going = Q::greater(alive, Q::zero());
            alone |= going & !(Q::greater(next, low) & Q::greater(high, next));
            let closes = (next - lambda).abs();
            lambda = Q::where_greater(alive, Q::zero(), next, lambda);
            alive = Q::where_at_most(closes, epsilon * next.abs(), Q::zero(), alive);
            open = asked & !alone & Q::greater(alive, Q::zero());
        }
        (self.sliding(&b, lambda), asked & (alone | open))
    }
}

impl FullGroup {
    /// Up to four records; the lanes left over stand at the world.
    fn of(records: &[FullRecord], tags: &[Tag], world: u32) -> Self {
        let zero = [[0.0; LANES]; 3];
        let mut out = Self {
            bodies: [[world; LANES]; 2],
            normal: zero,
            tangent: zero,
            levers: [zero; 2],
            block: [[1.0; LANES], [0.0; LANES], [0.0; LANES], [1.0; LANES], [1.0; LANES]],
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
            for (row, x) in out.block.iter_mut().zip([normal, coupling[0], coupling[1], schur[0], schur[1]]) {
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

    /// Impulses that the law asks for, of those without relative motion `q`.
    #[inline(always)]
    fn solve<Q: Quad>(&self, local: &Local<Q>, q: &V<Q>) -> V<Q> {
        let stick = local.stick(q);
        let size = (stick[1] * stick[1] + stick[2] * stick[2]).sqrt();
        let bound = local.friction * stick[0];
        let smooth = Q::splat(-1.0) * q[0] / local.normal;
        let slides = !(Q::at_most(Q::zero(), q[0]) | Q::at_most(size, bound)) & Q::greater(local.friction, Q::zero());
        if slides == 0 {
            return among(q[0], [size, bound], &stick, &[smooth, Q::zero(), Q::zero()]);
        }
        let (t, alone) = local.slide(slides, q, Q::load(&self.reach));
        let mut rows = [[0.0; LANES]; 3];
        smooth.store(&mut rows[0]);
        let mut of = [[0.0; LANES]; 5];
        let quads = [t[0], t[1], q[0], q[1], q[2]];
        for k in 0..5 {
            quads[k].store(&mut of[k]);
        }
        for lane in (0..LANES).filter(|lane| slides >> lane & 1 == 1) {
            let friction = self.friction[lane];
            let r = if alone >> lane & 1 == 1 {
                let row = |k: usize| self.block[k][lane];
                let block = LocalBlock { normal: row(0), coupling: [row(1), row(2)], schur: [row(3), row(4)] };
                slip_impulse(&block, friction, &[of[2][lane], of[3][lane], of[4][lane]])
            } else {
                [of[0][lane].hypot(of[1][lane]) / friction, of[0][lane], of[1][lane]]
            };
            put(&mut rows, lane, &r);
        }
        let slip = load::<Q, 3>(&rows);
        among(q[0], [size, bound], &stick, &slip)
    }

    /// One update, of impulses moved on by `beta` along their last change where `CARRIES`; adds what it did to `sums`, lane after lane.
    ///
    /// # Safety
    /// The bodies of the group are lines of `lines` and of `inertia`, of which the last is the world; nobody else touches the lines of its free
    /// bodies meanwhile, or writes the world's.
    #[inline(always)]
    unsafe fn update<Q: Quad, const CARRIES: bool>(
        &mut self,
        (lines, inertia): (&[BodyLine], &[BodyInertia]),
        beta: Q,
        sums: &mut [f64; 2],
    ) {
        let first = lines.as_ptr().cast::<f64>();
        // SAFETY: bodies are lines; free ones are ours alone, and the world's is written by nobody
        let [i, j] = unsafe { [gather::<Q, 3>(&self.at(0, first)), gather::<Q, 3>(&self.at(1, first))] };
        let (n, t) = (load::<Q, 3>(&self.normal), load::<Q, 3>(&self.tangent));
        let s = cross(&n, &t);
        let levers = [load::<Q, 3>(&self.levers[0]), load::<Q, 3>(&self.levers[1])];
        let mut r = load::<Q, 3>(&self.impulse);
        let before = r;
        if CARRIES {
            let last = load::<Q, 3>(&self.before);
            store::<Q, 3>(&r, &mut self.before);
            for k in 0..3 {
                r[k] = r[k] + beta * (r[k] - last[k]);
            }
        }
        let (vi, vj) = (add(&i.v, &cross(&i.w, &levers[0])), add(&j.v, &cross(&j.w, &levers[1])));
        let apart = sub::<Q, 3>(&vi, &vj);
        let c = &self.compliance;
        let c = [Q::load(&c[0]), Q::load(&c[1]), Q::load(&c[2]), Q::load(&c[3])];
        let rigid = add(&[dot::<Q, 3>(&n, &apart), dot::<Q, 3>(&t, &apart), dot::<Q, 3>(&s, &apart)], &load::<Q, 3>(&self.shift));
        let u = [rigid[0] + c[0] * r[0], rigid[1] + c[1] * r[1] + c[2] * r[2], rigid[2] + (c[2] * r[1] + c[3] * r[2])];
        let block = &self.block;
        let local = Local {
            normal: Q::load(&block[0]),
            coupling: [Q::load(&block[1]), Q::load(&block[2])],
            schur: [Q::load(&block[3]), Q::load(&block[4])],
            friction: Q::load(&self.friction),
        };
        let g = self.solve::<Q>(&local, &sub::<Q, 3>(&u, &local.apply(&r)));
        store::<Q, 3>(&g, &mut self.impulse);
        let delta = sub::<Q, 3>(&g, &r);
        if CARRIES {
            let weight = Q::load(&self.weight);
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
        let pushed = add_scaled::<Q, 3>(&add_scaled::<Q, 3>(&along, delta[1], &t), delta[2], &s);
        let world = lines.len() - 1;
        let mut sink = [0.0_f64; WORDS];
        let sink = sink.as_mut_ptr();
        let motions = [i, j];
        for side in 0..2 {
            let (motion, lever) = (&motions[side], &levers[side]);
            // SAFETY: bodies are rows of `inertia`, which nobody writes
            let ([j0, j1], [j2, j3], [j4, j5], [y, z]) = unsafe {
                let rows = self.at(side, inertia.as_ptr().cast());
                (Q::gather(&rows, 0), Q::gather(&rows, 2), Q::gather(&rows, 4), Q::gather(&rows, 6))
            };
            let m = cross(lever, &pushed);
            let turn = [j0 * m[0] + j1 * m[1] + j2 * m[2], j1 * m[0] + j3 * m[1] + j4 * m[2], j2 * m[0] + j4 * m[1] + j5 * m[2]];
            let push = [motion.inverse_mass * pushed[0], y * pushed[1], z * pushed[2]];
            let sign = Q::splat(if side == 0 { 1.0 } else { -1.0 });
            let (v, w) = (add_scaled::<Q, 3>(&motion.v, sign, &push), add_scaled::<Q, 3>(&motion.w, sign, &turn));
            // what would go to the world goes nowhere
            let at = self.at(side, first);
            let out: [*mut f64; LANES] =
                std::array::from_fn(|lane| if self.bodies[side][lane] as usize == world { sink } else { at[lane].cast_mut() });
            // SAFETY: a line is eight atomic words, which may be written through a shared reference; free lines are ours alone, no two lanes
            // have one in common, and the sink is our own
            unsafe { scatter::<Q, 3>(&v, &w, &out) };
        }
    }
}

/// Nothing where contacts open, `stick` where that is admissible, else `other`.
#[inline(always)]
fn among<Q: Quad>(q_n: Q, [size, bound]: [Q; 2], stick: &V<Q>, other: &V<Q>) -> V<Q> {
    let mut out = [Q::zero(); 3];
    for k in 0..3 {
        out[k] = Q::where_at_most(Q::zero(), q_n, Q::zero(), Q::where_at_most(size, bound, stick[k], other[k]));
    }
    out
}

#[inline(always)]
fn add<Q: Quad>(a: &V<Q>, b: &V<Q>) -> V<Q> {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

#[inline(always)]
fn cross<Q: Quad>(a: &V<Q>, b: &V<Q>) -> V<Q> {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
