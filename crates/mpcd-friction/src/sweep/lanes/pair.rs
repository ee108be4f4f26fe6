//! Eight numbers at once, as two registers of four: what one of them waits for, the other fills.

use std::ops::{Add, Div, Mul, Sub};

use super::quad::{self, Number, Quad};

/// Lanes of a group.
pub(in super::super) const LANES: usize = 2 * quad::LANES;

/// One number in each lane.
pub(super) type Row = [f64; LANES];

/// Where the lanes of each register begin.
pub(super) const HALVES: [usize; 2] = [0, quad::LANES];

/// Four numbers of a row.
#[inline(always)]
pub(super) fn half<const N: usize, T>(row: &[T; N], at: usize) -> &[T; quad::LANES] {
    let Some(part) = row[at..].first_chunk() else { unreachable!("rows have eight lanes") };
    part
}

#[inline(always)]
fn half_mut(row: &mut Row, at: usize) -> &mut quad::Row {
    let Some(part) = row[at..].first_chunk_mut() else { unreachable!("rows have eight lanes") };
    part
}

/// Eight lanes, which come from rows and lines and go back to them.
pub(super) trait Eight: Number {
    fn load(row: &Row) -> Self;
    fn store(self, row: &mut Row);
    /// A bit for each lane where `a > b`, the first lane's the lowest.
    fn greater(a: Self, b: Self) -> u32;
    /// A bit for each lane where `a ≤ b`.
    fn at_most(a: Self, b: Self) -> u32;

    /// All words of eight lines; in the plane those that are not in it may be anything.
    ///
    /// # Safety
    /// Each pointer is that of a whole line, which nobody writes meanwhile.
    unsafe fn gather<const D: usize>(lines: &[*const f64; LANES]) -> [Self; 8];

    /// Adds changes of velocity and of turning to eight lines, the first line first; in the plane what is not in it is zero.
    ///
    /// # Safety
    /// Each pointer is that of a whole line, which nobody else touches meanwhile.
    unsafe fn add_to<const D: usize>(v: [Self; 3], w: [Self; 3], lines: &[*mut f64; LANES]);

    /// See [`Quad::fetch`].
    fn fetch(line: *const f64);

    /// Sum of the lanes, always in the same order.
    #[inline(always)]
    fn sum(self) -> f64 {
        let mut row = [0.0; LANES];
        self.store(&mut row);
        let four = |k: usize| (row[k] + row[k + 1]) + (row[k + 2] + row[k + 3]);
        four(HALVES[0]) + four(HALVES[1])
    }
}

#[derive(Clone, Copy)]
pub(super) struct Pair<Q>(Q, Q);

macro_rules! pair_operation {
    ($name:ident, $method:ident) => {
        impl<Q: Quad> $name for Pair<Q> {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(self.0.$method(other.0), self.1.$method(other.1))
            }
        }
    };
}

pair_operation!(Add, add);
pair_operation!(Sub, sub);
pair_operation!(Mul, mul);
pair_operation!(Div, div);

impl<Q: Quad> Number for Pair<Q> {
    #[inline(always)]
    fn splat(x: f64) -> Self {
        Self(Q::splat(x), Q::splat(x))
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.sqrt(), self.1.sqrt())
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self(self.0.abs(), self.1.abs())
    }

    #[inline(always)]
    fn at_least(self, least: Self) -> Self {
        Self(self.0.at_least(least.0), self.1.at_least(least.1))
    }

    #[inline(always)]
    fn where_greater(a: Self, b: Self, yes: Self, no: Self) -> Self {
        Self(Q::where_greater(a.0, b.0, yes.0, no.0), Q::where_greater(a.1, b.1, yes.1, no.1))
    }

    #[inline(always)]
    fn where_at_most(a: Self, b: Self, yes: Self, no: Self) -> Self {
        Self(Q::where_at_most(a.0, b.0, yes.0, no.0), Q::where_at_most(a.1, b.1, yes.1, no.1))
    }

    #[inline(always)]
    fn sign(self) -> Self {
        Self(self.0.sign(), self.1.sign())
    }

    #[inline(always)]
    fn has_negative(self) -> bool {
        self.0.has_negative() || self.1.has_negative()
    }
}

impl<Q: Quad> Pair<Q> {
    #[inline(always)]
    unsafe fn gather_two(lines: &[*const f64; LANES], k: usize) -> [Self; 2] {
        // SAFETY: the caller's promise
        let ([a0, a1], [b0, b1]) = unsafe { (Q::gather(half(lines, HALVES[0]), k), Q::gather(half(lines, HALVES[1]), k)) };
        [Self(a0, b0), Self(a1, b1)]
    }

    #[inline(always)]
    unsafe fn add_two([a, b]: [Self; 2], lines: &[*mut f64; LANES], k: usize) {
        // SAFETY: the caller's promise
        unsafe {
            Q::add_pair([a.0, b.0], half(lines, HALVES[0]), k);
            Q::add_pair([a.1, b.1], half(lines, HALVES[1]), k);
        }
    }
}

impl<Q: Quad> Eight for Pair<Q> {
    #[inline(always)]
    fn load(row: &Row) -> Self {
        Self(Q::load(half(row, HALVES[0])), Q::load(half(row, HALVES[1])))
    }

    #[inline(always)]
    fn store(self, row: &mut Row) {
        self.0.store(half_mut(row, HALVES[0]));
        self.1.store(half_mut(row, HALVES[1]));
    }

    #[inline(always)]
    fn greater(a: Self, b: Self) -> u32 {
        Q::greater(a.0, b.0) | Q::greater(a.1, b.1) << quad::LANES
    }

    #[inline(always)]
    fn at_most(a: Self, b: Self) -> u32 {
        Q::at_most(a.0, b.0) | Q::at_most(a.1, b.1) << quad::LANES
    }

    #[inline(always)]
    unsafe fn gather<const D: usize>(lines: &[*const f64; LANES]) -> [Self; 8] {
        // SAFETY: the caller's promise
        unsafe {
            let [v0, v1] = Self::gather_two(lines, 0);
            let [v2, w0] = if D == 2 { [Self::zero(); 2] } else { Self::gather_two(lines, 2) };
            let [w1, w2] = Self::gather_two(lines, 4);
            let [mass, inertia] = Self::gather_two(lines, 6);
            [v0, v1, v2, w0, w1, w2, mass, inertia]
        }
    }

    #[inline(always)]
    unsafe fn add_to<const D: usize>(v: [Self; 3], w: [Self; 3], lines: &[*mut f64; LANES]) {
        // SAFETY: the caller's promise
        unsafe {
            if D == 3 {
                Q::add_four([v[0].0, v[1].0, v[2].0, w[0].0], half(lines, HALVES[0]));
                Q::add_four([v[0].1, v[1].1, v[2].1, w[0].1], half(lines, HALVES[1]));
            } else {
                Self::add_two([v[0], v[1]], lines, 0);
            }
            Self::add_two([w[1], w[2]], lines, 4);
        }
    }

    #[inline(always)]
    fn fetch(line: *const f64) {
        Q::fetch(line);
    }
}
