//! The update of a group: four contacts at once, the arithmetic of [`DiagonalRecord`] lane by lane and in its order.
//!
//! [`DiagonalRecord`]: super::super::diagonal::DiagonalRecord

use super::super::bodies::BodyLine;
use super::quad::{LANES, Quad, Row};

/// Words of a body's line.
const WORDS: usize = 8;

/// More lines than this do not stay in a processor's own cache: those of the group so far ahead are asked for early.
const MANY: usize = 8_192;
const AHEAD: usize = 6;

/// Four contacts that share no free body, by columns; ten cache lines. Lanes left over stand at the world, and do nothing.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Group {
    /// Lines of the candidates and of the antagonists.
    pub(super) bodies: [[u32; LANES]; 2],
    pub(super) normal: [Row; 3],
    pub(super) arm: [Row; 2],
    pub(super) inverse_normal: Row,
    pub(super) inverse_tangential: Row,
    /// Friction coefficients; the sign bit says the convex law.
    pub(super) edge: Row,
    pub(super) shift: [Row; 3],
    pub(super) compliance: Row,
    pub(super) impulse: [Row; 3],
    /// Result of the sweep before the last.
    pub(super) before: [Row; 3],
    /// λ_max of the blocks.
    pub(super) weight: Row,
}

const _: () = assert!(size_of::<Group>() == 640);

pub(super) type V<Q> = [Q; 3];

#[inline(always)]
pub(super) fn dot<Q: Quad, const D: usize>(a: &V<Q>, b: &V<Q>) -> Q {
    let plane = a[0] * b[0] + a[1] * b[1];
    if D == 2 { plane } else { plane + a[2] * b[2] }
}

/// `a + k b`.
#[inline(always)]
pub(super) fn add_scaled<Q: Quad, const D: usize>(a: &V<Q>, k: Q, b: &V<Q>) -> V<Q> {
    [a[0] + k * b[0], a[1] + k * b[1], if D == 2 { a[2] } else { a[2] + k * b[2] }]
}

/// `a − k b`.
#[inline(always)]
pub(super) fn take_scaled<Q: Quad, const D: usize>(a: &V<Q>, k: Q, b: &V<Q>) -> V<Q> {
    [a[0] - k * b[0], a[1] - k * b[1], if D == 2 { a[2] } else { a[2] - k * b[2] }]
}

#[inline(always)]
pub(super) fn sub<Q: Quad, const D: usize>(a: &V<Q>, b: &V<Q>) -> V<Q> {
    [a[0] - b[0], a[1] - b[1], if D == 2 { a[2] } else { a[2] - b[2] }]
}

#[inline(always)]
pub(super) fn load<Q: Quad, const D: usize>(rows: &[Row; 3]) -> V<Q> {
    [Q::load(&rows[0]), Q::load(&rows[1]), if D == 2 { Q::zero() } else { Q::load(&rows[2]) }]
}

#[inline(always)]
pub(super) fn store<Q: Quad, const D: usize>(x: &V<Q>, rows: &mut [Row; 3]) {
    for k in 0..D {
        x[k].store(&mut rows[k]);
    }
}

/// The bodies of one side.
pub(super) struct Side<Q> {
    pub(super) v: V<Q>,
    pub(super) w: V<Q>,
    pub(super) inverse_mass: Q,
    pub(super) inverse_inertia: Q,
}

/// # Safety
/// See [`Quad::gather`], of whole lines.
#[inline(always)]
pub(super) unsafe fn gather<Q: Quad, const D: usize>(lines: &[*const f64; LANES]) -> Side<Q> {
    // SAFETY: the caller's promise
    unsafe {
        let [v0, v1] = Q::gather(lines, 0);
        let [v2, w0] = if D == 2 { [Q::zero(); 2] } else { Q::gather(lines, 2) };
        let [w1, w2] = Q::gather(lines, 4);
        let [inverse_mass, inverse_inertia] = Q::gather(lines, 6);
        Side { v: [v0, v1, v2], w: [w0, if D == 2 { Q::zero() } else { w1 }, w2], inverse_mass, inverse_inertia }
    }
}

/// # Safety
/// See [`Quad::scatter`], of whole lines.
#[inline(always)]
pub(super) unsafe fn scatter<Q: Quad, const D: usize>(v: &V<Q>, w: &V<Q>, lines: &[*mut f64; LANES]) {
    // SAFETY: the caller's promise
    unsafe {
        Q::scatter([v[0], v[1]], lines, 0);
        if D == 3 {
            Q::scatter([v[2], w[0]], lines, 2);
        }
        Q::scatter([w[1], w[2]], lines, 4);
    }
}

impl Group {
    /// The lines of one side, the first of all being at `first`.
    #[inline(always)]
    pub(super) fn at(&self, side: usize, first: *const f64) -> [*const f64; LANES] {
        // an address alone; who reads there says why it may be
        self.bodies[side].map(|body| first.wrapping_add(body as usize * WORDS))
    }

    /// Shifted relative velocity without compliance.
    #[inline(always)]
    pub(super) fn velocity<Q: Quad, const D: usize>(&self, n: &V<Q>, i: &Side<Q>, j: &Side<Q>) -> V<Q> {
        let arm = [Q::load(&self.arm[0]), Q::load(&self.arm[1])];
        let apart = sub::<Q, D>(&i.v, &j.v);
        let w2 = arm[0] * i.w[2] + arm[1] * j.w[2];
        let u = if D == 2 {
            [apart[0] + w2 * n[1], apart[1] - w2 * n[0], apart[2]]
        } else {
            let w0 = arm[0] * i.w[0] + arm[1] * j.w[0];
            let w1 = arm[0] * i.w[1] + arm[1] * j.w[1];
            [apart[0] - (w1 * n[2] - w2 * n[1]), apart[1] - (w2 * n[0] - w0 * n[2]), apart[2] - (w0 * n[1] - w1 * n[0])]
        };
        let shift = load::<Q, D>(&self.shift);
        [u[0] + shift[0], u[1] + shift[1], if D == 2 { u[2] } else { u[2] + shift[2] }]
    }

    /// Impulses that the laws ask for, of the impulses `r` and the velocities `u` without compliance.
    #[inline(always)]
    fn solve<Q: Quad, const D: usize>(&self, n: &V<Q>, r: &V<Q>, u: &V<Q>) -> V<Q> {
        let (inverse_normal, inverse_tangential) = (Q::load(&self.inverse_normal), Q::load(&self.inverse_tangential));
        let edge = Q::load(&self.edge);
        let friction = edge.abs();
        let r_n = dot::<Q, D>(n, r);
        let u_n = dot::<Q, D>(n, u) + Q::load(&self.compliance) * r_n;
        let stick_n = r_n - u_n * inverse_normal;
        let trial = take_scaled::<Q, D>(r, inverse_tangential, u);
        let t = take_scaled::<Q, D>(&trial, dot::<Q, D>(n, &trial), n);
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
        let scale = Q::where_greater(square, bound * bound, bound / size, Q::splat(1.0));
        let sized = [scale * t[0], scale * t[1], if D == 2 { t[2] } else { scale * t[2] }];
        add_scaled::<Q, D>(&sized, normal, n)
    }

    /// One update, of impulses moved on by `beta` along their last change where `CARRIES`; adds what it did to `sums`.
    ///
    /// # Safety
    /// The bodies of the group are lines of `lines`, of which the last is the world; nobody else touches those of its free bodies
    /// meanwhile, or writes the world's.
    #[inline(always)]
    pub(super) unsafe fn update<Q: Quad, const D: usize, const CARRIES: bool>(
        &mut self,
        lines: &[BodyLine],
        beta: Q,
        sums: &mut [Q; 2],
    ) {
        let first = lines.as_ptr().cast::<f64>();
        // SAFETY: bodies are lines; free ones are ours alone, and the world's is written by nobody
        let sides = unsafe { [gather::<Q, D>(&self.at(0, first)), gather::<Q, D>(&self.at(1, first))] };

        let n = load::<Q, D>(&self.normal);
        let mut r = load::<Q, D>(&self.impulse);
        let before = r;
        if CARRIES {
            let last = load::<Q, D>(&self.before);
            store::<Q, D>(&r, &mut self.before);
            for k in 0..D {
                r[k] = r[k] + beta * (r[k] - last[k]);
            }
        }
        let u = self.velocity::<Q, D>(&n, &sides[0], &sides[1]);
        let g = self.solve::<Q, D>(&n, &r, &u);
        store::<Q, D>(&g, &mut self.impulse);
        let delta = sub::<Q, D>(&g, &r);
        if CARRIES {
            let weight = Q::load(&self.weight);
            for k in 0..D {
                let weighted = weight * delta[k];
                sums[0] = sums[0] + weighted * (g[k] - before[k]);
                sums[1] = sums[1] + weighted * delta[k];
            }
        }
        // SAFETY: the caller's promise
        unsafe { self.give::<Q, D>(lines, (&n, &delta), &sides) };
    }
}

/// Updates groups one after another; the sums of what they did.
///
/// # Safety
/// See [`Group::update`], of each of them.
#[inline(always)]
pub(super) unsafe fn update_all<Q: Quad, const D: usize, const CARRIES: bool>(
    groups: &mut [Group],
    lines: &[BodyLine],
    beta: f64,
) -> [f64; 2] {
    let mut sums = [Q::zero(); 2];
    let beta = Q::splat(beta);
    let is_large = lines.len() > MANY;
    for k in 0..groups.len() {
        if is_large {
            fetch::<Q>(groups.get(k + AHEAD), lines);
        }
        // SAFETY: the caller's promise
        unsafe { groups[k].update::<Q, D, CARRIES>(lines, beta, &mut sums) };
    }
    sums.map(Q::sum)
}

/// Asks for the lines of the group that comes some groups after `k`, where lines are many.
#[inline(always)]
pub(super) fn fetch_ahead<Q: Quad>(groups: &[Group], k: usize, lines: &[BodyLine]) {
    if lines.len() > MANY {
        fetch::<Q>(groups.get(k + AHEAD), lines);
    }
}

#[inline(always)]
fn fetch<Q: Quad>(group: Option<&Group>, lines: &[BodyLine]) {
    if let Some(group) = group {
        let first = lines.as_ptr();
        for side in 0..2 {
            for lane in 0..LANES {
                Q::fetch(first.wrapping_add(group.bodies[side][lane] as usize).cast());
            }
        }
    }
}
