//! What is asked of a group besides its update, four contacts at once: their free velocity, and how far each law is from being met, as
//! [`DiagonalRecord`] says it of one contact.
//!
//! [`DiagonalRecord`]: super::super::diagonal::DiagonalRecord

use super::super::bodies::BodyLine;
use super::super::sight::{OF_IMPULSE, OF_SPEED, SEEN, SUMMED, Sight};
use super::super::system::Tag;
use super::kernel::{Blocks, Group, Rest, Side, V, dot, fetch_ahead, gather, load_half, rest_of, sub, take_scaled, velocity};
use super::pair::{HALVES, half};
use super::quad::{LANES, Plain, Quad, Row};
use crate::error::{ErrorSum, FREE_ROUNDING};

/// `x` where it is not negative, else zero; a NaN stays.
#[inline(always)]
fn positive<Q: Quad>(x: Q) -> Q {
    Q::where_greater(Q::zero(), x, Q::zero(), x)
}

#[inline(always)]
fn greater<Q: Quad>(a: Q, b: Q) -> Q {
    Q::where_greater(a, b, a, b)
}

#[inline(always)]
fn size<Q: Quad, const D: usize>(x: &V<Q>) -> Q {
    dot::<Q, D>(x, x).sqrt()
}

/// Sum of the sizes of the components.
#[inline(always)]
fn reach<Q: Quad, const D: usize>(x: &V<Q>) -> Q {
    let plane = x[0].abs() + x[1].abs();
    if D == 2 { plane } else { plane + x[2].abs() }
}

impl<Q: Quad> Side<Q> {
    /// Bound of the speed of a point at distance `arm`.
    #[inline(always)]
    fn speed<const D: usize>(&self, arm: Q) -> Q {
        let turning = if D == 2 { self.w[2].abs() } else { reach::<Q, 3>(&self.w) };
        reach::<Q, D>(&self.v) + arm.abs() * turning
    }

    /// How much faster than `free` a point at distance `arm` is at most.
    #[inline(always)]
    fn change<const D: usize>(&self, free: &Self, arm: Q) -> Q {
        let turning = if D == 2 { (self.w[2] - free.w[2]).abs() } else { size::<Q, 3>(&sub::<Q, 3>(&self.w, &free.w)) };
        size::<Q, D>(&sub::<Q, D>(&self.v, &free.v)) + arm.abs() * turning
    }
}

/// `1/λ`, 1 where that is zero.
#[inline(always)]
fn step<Q: Quad>(lambda: Q) -> Q {
    let one = Q::splat(1.0);
    Q::where_greater(lambda, Q::zero(), one / lambda, one)
}

/// A vector by its normal part and the rest in world axes.
#[derive(Clone, Copy)]
struct Parts<Q> {
    n: Q,
    t: V<Q>,
}

impl<Q: Quad> Parts<Q> {
    #[inline(always)]
    fn of<const D: usize>(n: &V<Q>, x: &V<Q>) -> Self {
        let along = dot::<Q, D>(n, x);
        Self { n: along, t: take_scaled::<Q, D>(x, along, n) }
    }

    #[inline(always)]
    fn dot<const D: usize>(&self, other: &Self) -> Q {
        self.n * other.n + dot::<Q, D>(&self.t, &other.t)
    }
}

/// Four contacts of a group.
struct Four<'a, Q> {
    group: &'a Group,
    rest: Option<&'a Rest>,
    /// The first of them.
    at: usize,
    n: V<Q>,
    arm: [Q; 2],
    shift: V<Q>,
}

impl<'a, Q: Quad> Four<'a, Q> {
    #[inline(always)]
    fn of<const D: usize>(group: &'a Group, rest: Option<&'a Rest>, at: usize) -> Self {
        let n = load_half::<Q, D>(&group.normal, at);
        let arm = [Q::load(half(&group.arm[0], at)), Q::load(half(&group.arm[1], at))];
        let shift = match rest {
            Some(rest) => load_half::<Q, D>(&rest.shift, at),
            None => {
                let along = Q::load(half(&group.shift, at));
                [along * n[0], along * n[1], along * n[2]]
            }
        };
        Self { group, rest, at, n, arm, shift }
    }

    #[inline(always)]
    fn compliance(&self) -> Q {
        self.rest.map_or(Q::zero(), |rest| Q::load(half(&rest.compliance, self.at)))
    }

    /// λ_max of the blocks; zero in lanes left over.
    #[inline(always)]
    fn weight(&self, sides: &[Side<Q>; 2]) -> Q {
        let blocks = Blocks::of(&self.arm, sides);
        blocks.tangential.at_least(blocks.normal + self.compliance())
    }

    /// [`crate::error::natural_map`] at the step `rho`, of impulse and velocity.
    #[inline(always)]
    fn residual<const D: usize>(&self, rho: Q, r: &Parts<Q>, u: &Parts<Q>) -> Parts<Q> {
        let (edge, one) = (Q::load(half(&self.group.edge, self.at)), Q::splat(1.0));
        let friction = edge.abs();
        let opening = Q::where_greater(edge.sign(), Q::zero(), friction * size::<Q, D>(&u.t), Q::zero());
        let x_n = r.n - rho * (u.n + opening);
        let x_t = take_scaled::<Q, D>(&r.t, rho, &u.t);
        let x_size = size::<Q, D>(&x_t);
        // projected on the cone: zero in the polar cone, itself inside, else onto the edge; a NaN goes on
        let edge_n = (friction * x_size + x_n) / (one + friction * friction);
        let edge_scale = friction * edge_n / x_size;
        let (is_polar, is_inside) = (Q::zero() - x_n, friction * x_n);
        let p_n = Q::where_at_most(friction * x_size, is_polar, Q::zero(), Q::where_at_most(x_size, is_inside, x_n, edge_n));
        let scale =
            Q::where_at_most(friction * x_size, is_polar, Q::zero(), Q::where_at_most(x_size, is_inside, one, edge_scale));
        Parts { n: r.n - p_n, t: take_scaled::<Q, D>(&r.t, scale, &x_t) }
    }

    /// # Safety
    /// The bodies of the group are lines of `lines`, and nobody writes these meanwhile.
    #[inline(always)]
    unsafe fn sides<const D: usize>(&self, lines: &[BodyLine]) -> [Side<Q>; 2] {
        let first = lines.as_ptr().cast::<f64>();
        let [i, j] = [self.group.at_half(0, self.at, first), self.group.at_half(1, self.at, first)];
        // SAFETY: the caller's promise
        unsafe { [gather::<Q, D>(&i), gather::<Q, D>(&j)] }
    }

    /// What rounding leaves open in the velocities of compliant contacts, `rounding`; zero in those of others.
    #[inline(always)]
    fn open(&self, rounding: f64) -> Q {
        Q::where_greater(self.compliance(), Q::zero(), Q::splat(rounding), Q::zero())
    }

    /// Impulse and velocity.
    #[inline(always)]
    fn state<const D: usize>(&self, sides: &[Side<Q>; 2]) -> [Parts<Q>; 2] {
        let r = Parts::of::<D>(&self.n, &load_half::<Q, D>(&self.group.impulse, self.at));
        let mut u = Parts::of::<D>(&self.n, &velocity::<Q, D>(&self.n, &self.arm, &self.shift, sides));
        u.n = u.n + self.compliance() * r.n;
        [r, u]
    }

    /// Adds squares of residual, impulse and velocity at the step `1/λ`.
    ///
    /// # Safety
    /// See [`Self::sides`].
    #[inline(always)]
    unsafe fn add_scaled<const D: usize>(&self, lines: &[BodyLine], sums: &mut [Q; 3]) {
        // SAFETY: the caller's promise
        let sides = unsafe { self.sides::<D>(lines) };
        let [r, u] = self.state::<D>(&sides);
        let rho = step(self.weight(&sides));
        let f = self.residual::<D>(rho, &r, &u);
        sums[0] = sums[0] + f.dot::<D>(&f);
        sums[1] = sums[1] + r.dot::<D>(&r);
        sums[2] = sums[2] + rho * rho * u.dot::<D>(&u);
    }

    /// Adds squares of the free velocity, of the same at the step `1/λ`, and of what rounding leaves of it.
    ///
    /// # Safety
    /// See [`Self::sides`].
    #[inline(always)]
    unsafe fn add_free<const D: usize>(&self, free: &[BodyLine], rounding: f64, sums: &mut [Q; 3]) {
        // SAFETY: the caller's promise
        let sides = unsafe { self.sides::<D>(free) };
        let q = velocity::<Q, D>(&self.n, &self.arm, &self.shift, &sides);
        let (rho, square) = (step(self.weight(&sides)), dot::<Q, D>(&q, &q));
        let speed = sides[0].speed::<D>(self.arm[0]) + sides[1].speed::<D>(self.arm[1]);
        let rounding = rho * (Q::splat(FREE_ROUNDING) * speed + self.open(rounding));
        sums[0] = sums[0] + square;
        sums[1] = sums[1] + rho * rho * square;
        sums[2] = sums[2] + rounding * rounding;
    }

    /// Speeds at the contacts, as [`Sight::speed`] says.
    ///
    /// # Safety
    /// See [`Self::sides`], of both lines.
    #[inline(always)]
    unsafe fn speeds<const D: usize>(&self, lines: [&[BodyLine]; 2]) -> Q {
        // SAFETY: the caller's promise
        let (now, free) = unsafe { (self.sides::<D>(lines[0]), self.sides::<D>(lines[1])) };
        let q = Parts::of::<D>(&self.n, &velocity::<Q, D>(&self.n, &self.arm, &self.shift, &free));
        let arm = self.arm;
        let change = greater(now[0].change::<D>(&free[0], arm[0]), now[1].change::<D>(&free[1], arm[1]));
        greater(q.dot::<D>(&q).sqrt(), change)
    }

    /// What [`Sight`] holds of each contact, in its order, of its speed the free velocity alone ([`speed_of`] knows the whole); where it `JUDGES`, adds squares as [`Self::add_scaled`] does, and those of residual and
    /// velocity at the step one.
    ///
    /// # Safety
    /// See [`Self::sides`], of both lines.
    #[inline(always)]
    unsafe fn see<const D: usize, const JUDGES: bool>(
        &self,
        lines: [&[BodyLine]; 2],
        rounding: f64,
        sums: &mut [Q; 5],
    ) -> [Q; SEEN] {
        // SAFETY: the caller's promise
        let (now, free) = unsafe { (self.sides::<D>(lines[0]), self.sides::<D>(lines[1])) };
        let [r, u] = self.state::<D>(&now);
        let q = Parts::of::<D>(&self.n, &velocity::<Q, D>(&self.n, &self.arm, &self.shift, &free));
        let lambda = self.weight(&now);
        let rho = step(lambda);
        let f = self.residual::<D>(rho, &r, &u);
        // no closures here: what they hold is not compiled for the registers
        let (f2, r2, u2, q2) = (f.dot::<D>(&f), r.dot::<D>(&r), u.dot::<D>(&u), q.dot::<D>(&q));
        if JUDGES {
            let plain = self.residual::<D>(Q::splat(1.0), &r, &u);
            let squares = [f2, r2, rho * rho * u2, plain.dot::<D>(&plain), u2];
            for k in 0..5 {
                sums[k] = sums[k] + squares[k];
            }
        }
        let arm = self.arm;
        let speeds = now[0].speed::<D>(arm[0]) + now[1].speed::<D>(arm[1]);
        let (r_size, q_size) = (r2.sqrt(), q2.sqrt());
        let blur = Q::splat(OF_SPEED) * (speeds + q_size) + self.open(rounding);
        let own = lambda * r_size;
        let (rounding, missed) = (Q::splat(OF_IMPULSE) * own, lambda * f2.sqrt());
        let floor = rounding + blur;
        let open = positive(missed - blur);
        let hidden = Q::where_greater(open, rounding, rounding, open) * r_size;
        let moved = Parts { n: u.n - q.n, t: sub::<Q, D>(&u.t, &q.t) };
        let lost = positive(lambda * f.dot::<D>(&r).abs() - floor * r_size);
        let rest = floor * rho;
        [
            positive(missed - floor),
            q_size,
            // an impulse that rounds away in the velocities holds nothing
            Q::where_greater(own, blur, lost, Q::zero() * own),
            r.dot::<D>(&moved),
            own * r_size,
            blur * r_size,
            f2,
            r2,
            rho * rho * u2,
            rho * rho * q2,
            rest * rest,
            hidden * hidden,
        ]
    }
}

/// Sums of the scale-free residuals `‖F‖²`, of `‖r‖²` and of `‖ρu‖²`, as [`crate::error::ScaledSum`] has them.
///
/// # Safety
/// Bodies of the groups are lines of `lines`, and nobody writes these meanwhile.
#[inline(always)]
pub(super) unsafe fn scaled_all<Q: Quad, const D: usize>(groups: &[Group], rests: &[Rest], lines: &[BodyLine]) -> [f64; 3] {
    let mut sums = [Q::zero(); 3];
    for (k, group) in groups.iter().enumerate() {
        fetch_ahead::<Q>(groups, k, lines);
        for at in HALVES {
            // SAFETY: the caller's promise
            unsafe { Four::of::<D>(group, rest_of(rests, k), at).add_scaled::<D>(lines, &mut sums) };
        }
    }
    sums.map(Q::sum)
}

/// Sums of squares as [`crate::error::FreeNorms`] has them.
///
/// # Safety
/// See [`scaled_all`].
#[inline(always)]
pub(super) unsafe fn free_all<Q: Quad, const D: usize>(
    groups: &[Group],
    rests: &[Rest],
    free: &[BodyLine],
    rounding: f64,
) -> [f64; 3] {
    let mut sums = [Q::zero(); 3];
    for (k, group) in groups.iter().enumerate() {
        fetch_ahead::<Q>(groups, k, free);
        for at in HALVES {
            // SAFETY: the caller's promise
            unsafe { Four::of::<D>(group, rest_of(rests, k), at).add_free::<D>(free, rounding, &mut sums) };
        }
    }
    sums.map(Q::sum)
}

/// Speed at the contact of one lane of a group, with the bits that registers of any width give.
///
/// # Safety
/// See [`scaled_all`], of the lines now and free.
pub(super) unsafe fn speed_of<const D: usize>(group: &Group, rest: Option<&Rest>, lane: usize, lines: [&[BodyLine]; 2]) -> f64 {
    let at = HALVES[lane / LANES];
    let mut row: Row = [0.0; LANES];
    // SAFETY: the caller's promise
    unsafe { Four::<Plain>::of::<D>(group, rest, at).speeds::<D>(lines) }.store(&mut row);
    row[lane % LANES]
}

/// Looks at every contact of some groups: a sight for each, tagged as they are, and where it `JUDGES` the sums over all.
///
/// # Safety
/// See [`scaled_all`], of the lines now and free.
#[inline(always)]
pub(super) unsafe fn look_all<Q: Quad, const D: usize, const JUDGES: bool>(
    (groups, rests): (&[Group], &[Rest]),
    lines: [&[BodyLine]; 2],
    tags: &[Tag],
    (sights, rounding): (&mut [Sight], f64),
) -> ErrorSum {
    let mut sums = [Q::zero(); 5];
    let mut worst = ErrorSum::default();
    // four at a time; what is left over of the last group is nobody's
    for (k, (tags, sights)) in tags.chunks(LANES).zip(sights.chunks_mut(LANES)).enumerate() {
        let (k, at) = (k / 2, HALVES[k % 2]);
        if at == 0 {
            fetch_ahead::<Q>(groups, k, lines[0]);
            fetch_ahead::<Q>(groups, k, lines[1]);
        }
        // SAFETY: the caller's promise
        let seen = unsafe { Four::<Q>::of::<D>(&groups[k], rest_of(rests, k), at).see::<D, JUDGES>(lines, rounding, &mut sums) };
        let mut rows: [Row; SEEN] = [[0.0; LANES]; SEEN];
        for (row, quad) in rows.iter_mut().zip(seen) {
            quad.store(row);
        }
        for (lane, (tag, sight)) in tags.iter().zip(sights).enumerate() {
            sight.set(|k| rows[k][lane]);
            if JUDGES {
                worst.keep_worst(tag.contact as usize, rows[6][lane]);
            }
        }
    }
    worst.with_sums(sums.map(Q::sum))
}

/// Looks at every contact of some groups that are all of one island: the sums of what [`Sight`] holds besides excess and speed, which are written for each, and
/// where it `JUDGES` the sums over all.
///
/// # Safety
/// See [`look_all`].
#[inline(always)]
pub(super) unsafe fn look_whole<Q: Quad, const D: usize, const JUDGES: bool>(
    (groups, rests): (&[Group], &[Rest]),
    lines: [&[BodyLine]; 2],
    tags: &[Tag],
    (speeds, rounding): (&mut [[f64; 2]], f64),
) -> ([f64; SUMMED], ErrorSum) {
    let (mut sums, mut whole) = ([Q::zero(); 5], [Q::zero(); SUMMED]);
    let mut worst = ErrorSum::default();
    for (k, (tags, speeds)) in tags.chunks(LANES).zip(speeds.chunks_mut(LANES)).enumerate() {
        let (k, at) = (k / 2, HALVES[k % 2]);
        if at == 0 {
            fetch_ahead::<Q>(groups, k, lines[0]);
            fetch_ahead::<Q>(groups, k, lines[1]);
        }
        // SAFETY: the caller's promise
        let seen = unsafe { Four::<Q>::of::<D>(&groups[k], rest_of(rests, k), at).see::<D, JUDGES>(lines, rounding, &mut sums) };
        for (sum, part) in whole.iter_mut().zip(&seen[SEEN - SUMMED..]) {
            *sum = *sum + *part;
        }
        let mut rows: [Row; 2] = [[0.0; LANES]; 2];
        seen[0].store(&mut rows[0]);
        seen[1].store(&mut rows[1]);
        for (lane, speeds) in speeds.iter_mut().enumerate() {
            *speeds = [rows[0][lane], rows[1][lane]];
        }
        if JUDGES {
            let mut residuals = [0.0; LANES];
            seen[6].store(&mut residuals);
            tags.iter().zip(residuals).for_each(|(tag, residual)| worst.keep_worst(tag.contact as usize, residual));
        }
    }
    (whole.map(Q::sum), worst.with_sums(sums.map(Q::sum)))
}
