//! The update of a group: eight contacts at once, the arithmetic of [`DiagonalRecord`] lane by lane and in its order.
//!
//! [`DiagonalRecord`]: super::super::diagonal::DiagonalRecord

use super::super::bodies::BodyLine;
use super::pair::{Eight, HALVES, LANES, Pair, Row, half};
use super::quad::{self, Number, Quad};

/// Words of a body's line.
pub(super) const WORDS: usize = 8;

/// So many lines can be told by their first words.
pub(super) const MOST: usize = u32::MAX as usize / WORDS;

/// The first word of a line, of at most [`MOST`].
#[inline(always)]
pub(super) const fn first_word(line: u32) -> u32 {
    line.wrapping_mul(WORDS as u32)
}

/// More lines than this do not stay in a processor's own cache: those of the group so far ahead are asked for early.
const MANY: usize = 8_192;
const AHEAD: usize = 3;

/// Eight contacts that share no free body, by columns; fourteen cache lines. Lanes left over stand at the world, and do nothing.
///
/// What follows from other numbers is not held: the steps and the weight of a block follow from the bodies' inverse masses and the arms, a shift along the normal
/// from its size.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Group {
    /// First words of the lines of the candidates and of the antagonists, counted from that of the first line: places are made of them without a shift, for which eight
    /// of them would be taken into a register and out of it again.
    pub(super) words: [[u32; LANES]; 2],
    pub(super) normal: [Row; 3],
    pub(super) arm: [Row; 2],
    /// Friction coefficients; the sign bit says the convex law.
    pub(super) edge: Row,
    /// Velocity shift along the normal; where there is a [`Rest`], that has the whole of it.
    pub(super) shift: Row,
    pub(super) impulse: [Row; 3],
    /// Result of the sweep before the last.
    pub(super) before: [Row; 3],
}

const _: () = assert!(size_of::<Group>() == 896);

/// What the contacts of few problems have, beside every group of a problem where one of them has it.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Rest {
    /// Velocity shift, world axes.
    pub(super) shift: [Row; 3],
    pub(super) compliance: Row,
}

impl Rest {
    pub(super) const NOTHING: Self = Self { shift: [[0.0; LANES]; 3], compliance: [0.0; LANES] };
}

/// The rest of a group in a list that has one for each group, or none at all.
#[inline(always)]
pub(super) fn rest_of(rests: &[Rest], k: usize) -> Option<&Rest> {
    rests.get(k)
}

pub(super) type V<Q> = [Q; 3];

#[inline(always)]
pub(super) fn dot<Q: Number, const D: usize>(a: &V<Q>, b: &V<Q>) -> Q {
    let plane = a[0] * b[0] + a[1] * b[1];
    if D == 2 { plane } else { plane + a[2] * b[2] }
}

/// `a + k b`.
#[inline(always)]
pub(super) fn add_scaled<Q: Number, const D: usize>(a: &V<Q>, k: Q, b: &V<Q>) -> V<Q> {
    [a[0] + k * b[0], a[1] + k * b[1], if D == 2 { a[2] } else { a[2] + k * b[2] }]
}

/// `a − k b`.
#[inline(always)]
pub(super) fn take_scaled<Q: Number, const D: usize>(a: &V<Q>, k: Q, b: &V<Q>) -> V<Q> {
    [a[0] - k * b[0], a[1] - k * b[1], if D == 2 { a[2] } else { a[2] - k * b[2] }]
}

#[inline(always)]
pub(super) fn sub<Q: Number, const D: usize>(a: &V<Q>, b: &V<Q>) -> V<Q> {
    [a[0] - b[0], a[1] - b[1], if D == 2 { a[2] } else { a[2] - b[2] }]
}

#[inline(always)]
pub(super) fn load_eight<E: Eight, const D: usize>(rows: &[Row; 3]) -> V<E> {
    [E::load(&rows[0]), E::load(&rows[1]), if D == 2 { E::zero() } else { E::load(&rows[2]) }]
}

#[inline(always)]
pub(super) fn store_eight<E: Eight, const D: usize>(x: &V<E>, rows: &mut [Row; 3]) {
    for k in 0..D {
        x[k].store(&mut rows[k]);
    }
}

/// Four lanes of three rows, from lane `at` on.
#[inline(always)]
pub(super) fn load_half<Q: Quad, const D: usize>(rows: &[Row; 3], at: usize) -> V<Q> {
    let row = [Q::load(half(&rows[0], at)), Q::load(half(&rows[1], at))];
    [row[0], row[1], if D == 2 { Q::zero() } else { Q::load(half(&rows[2], at)) }]
}

/// The bodies of one side.
pub(super) struct Side<Q> {
    pub(super) v: V<Q>,
    pub(super) w: V<Q>,
    pub(super) inverse_mass: Q,
    pub(super) inverse_inertia: Q,
}

impl<Q: Number> Side<Q> {
    #[inline(always)]
    pub(super) fn of<const D: usize>([v0, v1, v2, w0, w1, w2, inverse_mass, inverse_inertia]: [Q; 8]) -> Self {
        let flat = |x: Q| if D == 2 { Q::zero() } else { x };
        Self { v: [v0, v1, flat(v2)], w: [flat(w0), flat(w1), w2], inverse_mass, inverse_inertia }
    }
}

/// # Safety
/// See [`Quad::gather`], of whole lines.
#[inline(always)]
pub(super) unsafe fn gather<Q: Quad, const D: usize>(lines: &[*const f64; quad::LANES]) -> Side<Q> {
    // SAFETY: the caller's promise
    unsafe {
        let [v2, w0] = if D == 2 { [Q::zero(); 2] } else { Q::gather(lines, 2) };
        let ([v0, v1], [w1, w2], [mass, inertia]) = (Q::gather(lines, 0), Q::gather(lines, 4), Q::gather(lines, 6));
        Side::of::<D>([v0, v1, v2, w0, w1, w2, mass, inertia])
    }
}

/// `k x`, of which what is not in the plane is zero.
#[inline(always)]
fn scaled<Q: Number, const D: usize>(k: Q, x: &V<Q>) -> V<Q> {
    [k * x[0], k * x[1], if D == 2 { Q::zero() } else { k * x[2] }]
}

/// `k ω`, of which only the turn in the plane is there in two dimensions.
#[inline(always)]
fn turned<Q: Number, const D: usize>(k: Q, x: &V<Q>) -> V<Q> {
    if D == 2 { [Q::zero(), Q::zero(), k * x[2]] } else { [k * x[0], k * x[1], k * x[2]] }
}

/// Shifted relative velocity without compliance, by the two arms.
#[inline(always)]
pub(super) fn velocity<Q: Number, const D: usize>(n: &V<Q>, arm: &[Q; 2], shift: &V<Q>, [i, j]: &[Side<Q>; 2]) -> V<Q> {
    let apart = sub::<Q, D>(&i.v, &j.v);
    let w2 = arm[0] * i.w[2] + arm[1] * j.w[2];
    let u = if D == 2 {
        [apart[0] + w2 * n[1], apart[1] - w2 * n[0], apart[2]]
    } else {
        let w0 = arm[0] * i.w[0] + arm[1] * j.w[0];
        let w1 = arm[0] * i.w[1] + arm[1] * j.w[1];
        [apart[0] - (w1 * n[2] - w2 * n[1]), apart[1] - (w2 * n[0] - w0 * n[2]), apart[2] - (w0 * n[1] - w1 * n[0])]
    };
    [u[0] + shift[0], u[1] + shift[1], if D == 2 { u[2] } else { u[2] + shift[2] }]
}

/// Diagonal of the blocks without compliance: `W_nn`, `W_t`; and the factors of the two sides by which they turn.
pub(super) struct Blocks<Q> {
    pub(super) normal: Q,
    pub(super) tangential: Q,
    turning: [Q; 2],
}

impl<Q: Number> Blocks<Q> {
    #[inline(always)]
    pub(super) fn of(arm: &[Q; 2], [i, j]: &[Side<Q>; 2]) -> Self {
        let turning = [i.inverse_inertia * arm[0], j.inverse_inertia * arm[1]];
        let normal = i.inverse_mass + j.inverse_mass;
        Self { normal, tangential: normal + (turning[0] * arm[0] + turning[1] * arm[1]), turning }
    }
}

/// Where lines are; `first` is the first word of all of them. (A closure handed to a map would be compiled apart, and called.)
#[inline(always)]
fn places<const N: usize>(words: &[u32; N], first: *const f64) -> [*const f64; N] {
    let mut out = [first; N];
    for lane in 0..N {
        // no address is made here that lies outside: who reads there says why it may be
        out[lane] = first.wrapping_add(words[lane] as usize);
    }
    out
}

/// The same for writing.
#[inline(always)]
fn targets<const N: usize>(words: &[u32; N], first: *const f64) -> [*mut f64; N] {
    let mut out = [first.cast_mut(); N];
    for lane in 0..N {
        out[lane] = first.cast_mut().wrapping_add(words[lane] as usize);
    }
    out
}

impl Group {
    /// Where the lines of a side are; `first` is the first word of all lines.
    #[inline(always)]
    fn at(&self, side: usize, first: *const f64) -> [*const f64; LANES] {
        places(&self.words[side], first)
    }

    /// The same of four lanes, from lane `at` on.
    #[inline(always)]
    pub(super) fn at_half(&self, side: usize, at: usize, first: *const f64) -> [*const f64; quad::LANES] {
        places(half(&self.words[side], at), first)
    }

    /// Whether one of its lanes stands at the world.
    #[inline(always)]
    fn meets(&self, world: u32) -> bool {
        let mut met = 0;
        for side in &self.words {
            for word in side {
                met |= u32::from(*word == world);
            }
        }
        met != 0
    }

    #[inline(always)]
    fn load_arms<E: Eight>(&self) -> [E; 2] {
        [E::load(&self.arm[0]), E::load(&self.arm[1])]
    }

    /// Impulses that the laws ask for, of the impulses `r` and the velocities `u` without compliance; with it the blocks are `w_n` and `w_t`.
    #[inline(always)]
    fn solve<Q: Number, const D: usize>(
        edge: Q,
        n: &V<Q>,
        [r, u]: [&V<Q>; 2],
        compliance: Option<Q>,
        [w_n, w_t]: [Q; 2],
    ) -> V<Q> {
        let one = Q::splat(1.0);
        let friction = edge.abs();
        let r_n = dot::<Q, D>(n, r);
        let along = dot::<Q, D>(n, u);
        let (u_n, w_n) = match compliance {
            Some(compliance) => (along + compliance * r_n, w_n + compliance),
            None => (along, w_n),
        };
        // lanes left over have no mass: their steps stay finite
        let least = Q::splat(f64::MIN_POSITIVE);
        let (inverse_normal, inverse_tangential) = (one / w_n.at_least(least), one / w_t.at_least(least));
        let stick_n = r_n - u_n * inverse_normal;
        let trial = take_scaled::<Q, D>(r, inverse_tangential, u);
        let t = take_scaled::<Q, D>(&trial, r_n - inverse_tangential * along, n);
        let square = dot::<Q, D>(&t, &t);
        let size = square.sqrt();
        let mut normal = stick_n.positive();
        if edge.has_negative() {
            let numerator = friction * size * inverse_normal + stick_n * inverse_tangential;
            let denominator = inverse_tangential + friction * friction * inverse_normal;
            let slips = (numerator / denominator).positive();
            let convex = Q::where_at_most(size, friction * stick_n, stick_n, slips);
            normal = Q::where_greater(edge.sign(), Q::zero(), normal, convex);
        }
        let bound = friction * normal;
        let scale = Q::where_greater(square, bound * bound, bound / size, one);
        let sized = [scale * t[0], scale * t[1], if D == 2 { t[2] } else { scale * t[2] }];
        add_scaled::<Q, D>(&sized, normal, n)
    }

    /// One update, of impulses moved on by `beta` along their last change where `CARRIES`; adds what it did to `sums`.
    ///
    /// # Safety
    /// The bodies of the group are lines of `lines`, of which the last is the world; nobody else touches those of its free bodies
    /// meanwhile, or writes the world's.
    #[inline(always)]
    unsafe fn update<E: Eight, const D: usize, const CARRIES: bool>(
        &mut self,
        rest: Option<&Rest>,
        lines: &[BodyLine],
        beta: E,
        sums: &mut [E; 2],
    ) {
        let first = lines.as_ptr().cast::<f64>();
        // SAFETY: bodies are lines; free ones are ours alone, and the world's is written by nobody
        let sides =
            unsafe { [Side::of::<D>(E::gather::<D>(&self.at(0, first))), Side::of::<D>(E::gather::<D>(&self.at(1, first)))] };

        let n = load_eight::<E, D>(&self.normal);
        let mut r = load_eight::<E, D>(&self.impulse);
        let before = r;
        if CARRIES {
            let last = load_eight::<E, D>(&self.before);
            store_eight::<E, D>(&r, &mut self.before);
            for k in 0..D {
                r[k] = r[k] + beta * (r[k] - last[k]);
            }
        }
        let arm = self.load_arms::<E>();
        let blocks = Blocks::of(&arm, &sides);
        let (shift, compliance) = match rest {
            Some(rest) => (load_eight::<E, D>(&rest.shift), Some(E::load(&rest.compliance))),
            None => (scaled::<_, D>(E::load(&self.shift), &n), None),
        };
        let u = velocity::<_, D>(&n, &arm, &shift, &sides);
        let w = [blocks.normal, blocks.tangential];
        let g = Self::solve::<_, D>(E::load(&self.edge), &n, [&r, &u], compliance, w);
        store_eight::<E, D>(&g, &mut self.impulse);
        let delta = sub::<_, D>(&g, &r);
        if CARRIES {
            let mut own = blocks.normal;
            if let Some(compliance) = compliance {
                own = own + compliance;
            }
            let weight = blocks.tangential.at_least(own);
            for k in 0..D {
                let weighted = weight * delta[k];
                sums[0] = sums[0] + weighted * (g[k] - before[k]);
                sums[1] = sums[1] + weighted * delta[k];
            }
        }
        // SAFETY: the caller's promise
        unsafe { self.give::<E, D>(lines, (&n, &delta), [sides[0].inverse_mass, sides[1].inverse_mass], &blocks) };
    }

    /// Gives impulses to the bodies.
    ///
    /// # Safety
    /// See [`Self::update`].
    #[inline(always)]
    unsafe fn give<E: Eight, const D: usize>(
        &self,
        lines: &[BodyLine],
        (n, delta): (&V<E>, &V<E>),
        masses: [E; 2],
        blocks: &Blocks<E>,
    ) {
        let z = n[0] * delta[1] - n[1] * delta[0];
        let turn = if D == 2 {
            [E::zero(), E::zero(), z]
        } else {
            [n[1] * delta[2] - n[2] * delta[1], n[2] * delta[0] - n[0] * delta[2], z]
        };
        let zero = E::zero();
        let v = [scaled::<_, D>(masses[0], delta), scaled::<_, D>(zero - masses[1], delta)];
        let w = [turned::<_, D>(zero - blocks.turning[0], &turn), turned::<_, D>(zero - blocks.turning[1], &turn)];
        // a line is eight atomic words, which may be written through a shared reference
        let first = lines.as_ptr().cast::<f64>();
        let world = first_word(lines.len() as u32 - 1);
        if !self.meets(world) {
            // SAFETY: free lines are ours alone, and no two lanes have one in common
            unsafe {
                E::add_to::<D>(v[0], w[0], &targets(&self.words[0], first));
                E::add_to::<D>(v[1], w[1], &targets(&self.words[1], first));
            }
            return;
        }
        // what would go to the world goes nowhere
        let mut sink = [0.0_f64; WORDS];
        let sink = sink.as_mut_ptr();
        for side in 0..2 {
            let mut out = targets(&self.words[side], first);
            for lane in 0..LANES {
                if self.words[side][lane] == world {
                    out[lane] = sink;
                }
            }
            // SAFETY: as above, and the sink is our own
            unsafe { E::add_to::<D>(v[side], w[side], &out) };
        }
    }

    /// Gives the whole impulses to the bodies.
    ///
    /// # Safety
    /// See [`Self::update`].
    #[inline(always)]
    unsafe fn push<E: Eight, const D: usize>(&self, lines: &[BodyLine]) {
        let first = lines.as_ptr().cast::<f64>();
        // SAFETY: the caller's promise
        unsafe {
            let sides = [Side::of::<D>(E::gather::<D>(&self.at(0, first))), Side::of::<D>(E::gather::<D>(&self.at(1, first)))];
            let blocks = Blocks::of(&self.load_arms::<E>(), &sides);
            let (n, delta) = (load_eight::<E, D>(&self.normal), load_eight::<E, D>(&self.impulse));
            self.give::<E, D>(lines, (&n, &delta), [sides[0].inverse_mass, sides[1].inverse_mass], &blocks);
        }
    }
}

/// Updates groups one after another; the sums of what they did. There is a rest for each group, or none.
///
/// # Safety
/// See [`Group::update`], of each of them.
#[inline(always)]
pub(super) unsafe fn update_all<E: Eight, const D: usize, const CARRIES: bool>(
    groups: &mut [Group],
    rests: &[Rest],
    lines: &[BodyLine],
    beta: f64,
) -> [f64; 2] {
    let mut sums = [E::zero(); 2];
    let beta = E::splat(beta);
    for k in 0..groups.len() {
        fetch_eight::<E>(groups, k, lines);
        // SAFETY: the caller's promise
        unsafe { groups[k].update::<E, D, CARRIES>(rest_of(rests, k), lines, beta, &mut sums) };
    }
    [sums[0].sum(), sums[1].sum()]
}

/// Gives the whole impulses of groups to the bodies, one after another.
///
/// # Safety
/// See [`Group::update`], of each of them.
#[inline(always)]
pub(super) unsafe fn push_all<Q: Quad, const D: usize>(groups: &[Group], lines: &[BodyLine]) {
    for (k, group) in groups.iter().enumerate() {
        fetch_ahead::<Q>(groups, k, lines);
        // SAFETY: the caller's promise
        unsafe { group.push::<Pair<Q>, D>(lines) };
    }
}

/// Asks for the lines of the group that comes some groups after `k`, where lines are many.
#[inline(always)]
pub(super) fn fetch_ahead<Q: Quad>(groups: &[Group], k: usize, lines: &[BodyLine]) {
    fetch(groups, k, lines, Q::fetch);
}

#[inline(always)]
fn fetch_eight<E: Eight>(groups: &[Group], k: usize, lines: &[BodyLine]) {
    fetch(groups, k, lines, E::fetch);
}

#[inline(always)]
fn fetch(groups: &[Group], k: usize, lines: &[BodyLine], ask: impl Fn(*const f64)) {
    if lines.len() > MANY
        && let Some(group) = groups.get(k + AHEAD)
    {
        super::fetch(groups.get(k + AHEAD + 1));
        let first = lines.as_ptr().cast::<f64>();
        for side in 0..2 {
            for lane in 0..LANES {
                ask(first.wrapping_add(group.words[side][lane] as usize));
            }
        }
    }
}

const _: () = assert!(HALVES[1] + quad::LANES == LANES);
