//! Four numbers at once: the few operations that the kernels need, in plain arrays and in AVX registers.
//!
//! Each operation is one of IEEE 754, rounded once (no fused multiply-add), so that both ways give the same bits.

use std::ops::{Add, Div, Mul, Sub};

/// Numbers of a register.
pub(super) const LANES: usize = 4;

/// One number in each lane.
pub(super) type Row = [f64; LANES];

/// Arithmetic lane by lane, of any number of lanes.
pub(super) trait Number: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> {
    fn splat(x: f64) -> Self;
    fn sqrt(self) -> Self;
    fn abs(self) -> Self;
    /// `self` where it is greater than `least`, else that (also in place of NaN).
    fn at_least(self, least: Self) -> Self;
    /// In each lane `yes` where `a > b`, else `no`.
    fn where_greater(a: Self, b: Self, yes: Self, no: Self) -> Self;
    /// In each lane `yes` where `a ≤ b`, else `no` (also where one is NaN).
    fn where_at_most(a: Self, b: Self, yes: Self, no: Self) -> Self;
    /// One with the sign bit of each lane.
    fn sign(self) -> Self;
    /// Whether the sign bit of a lane is set.
    fn has_negative(self) -> bool;

    #[inline(always)]
    fn zero() -> Self {
        Self::splat(0.0)
    }

    /// `self` where it is greater than zero, else zero (also in place of NaN).
    #[inline(always)]
    fn positive(self) -> Self {
        self.at_least(Self::zero())
    }
}

/// Four lanes, which come from memory and go back to it.
pub(super) trait Quad: Number {
    fn load(row: &Row) -> Self;
    fn store(self, row: &mut Row);
    /// A bit for each lane where `a > b`, the first lane's the lowest.
    fn greater(a: Self, b: Self) -> u32;
    /// A bit for each lane where `a ≤ b`.
    fn at_most(a: Self, b: Self) -> u32;

    /// Words `k` and `k + 1` of four lines.
    ///
    /// # Safety
    /// Each pointer is valid for reading of `k + 2` numbers, which nobody writes meanwhile.
    unsafe fn gather(lines: &[*const f64; LANES], k: usize) -> [Self; 2];

    /// Adds to words `k` and `k + 1` of four lines, the first line first.
    ///
    /// # Safety
    /// Each pointer is valid for reading and writing of `k + 2` numbers, which nobody else touches meanwhile.
    unsafe fn add_pair(pair: [Self; 2], lines: &[*mut f64; LANES], k: usize);

    /// Adds to words 0 to 3 of four lines, the first line first.
    ///
    /// # Safety
    /// See [`Quad::add_pair`], of four numbers.
    unsafe fn add_four(four: [Self; 4], lines: &[*mut f64; LANES]);

    /// Fetches a line that will be wanted soon, where the processor can be asked to.
    #[inline(always)]
    fn fetch(_: *const f64) {}

    /// Sum of the lanes, always in the same order.
    #[inline(always)]
    fn sum(self) -> f64 {
        let mut row = [0.0; LANES];
        self.store(&mut row);
        (row[0] + row[1]) + (row[2] + row[3])
    }
}

/// Plain arrays: any machine.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plain(Row);

macro_rules! plain_operation {
    ($name:ident, $method:ident, $op:tt) => {
        impl $name for Plain {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(std::array::from_fn(|k| self.0[k] $op other.0[k]))
            }
        }
    };
}

plain_operation!(Add, add, +);
plain_operation!(Sub, sub, -);
plain_operation!(Mul, mul, *);
plain_operation!(Div, div, /);

impl Number for Plain {
    #[inline(always)]
    fn splat(x: f64) -> Self {
        Self([x; LANES])
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.map(f64::sqrt))
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self(self.0.map(f64::abs))
    }

    #[inline(always)]
    fn at_least(self, least: Self) -> Self {
        Self::where_greater(self, least, self, least)
    }

    #[inline(always)]
    fn where_greater(a: Self, b: Self, yes: Self, no: Self) -> Self {
        Self(std::array::from_fn(|k| if a.0[k] > b.0[k] { yes.0[k] } else { no.0[k] }))
    }

    #[inline(always)]
    fn where_at_most(a: Self, b: Self, yes: Self, no: Self) -> Self {
        Self(std::array::from_fn(|k| if a.0[k] <= b.0[k] { yes.0[k] } else { no.0[k] }))
    }

    #[inline(always)]
    fn sign(self) -> Self {
        Self(self.0.map(|x| 1.0_f64.copysign(x)))
    }

    #[inline(always)]
    fn has_negative(self) -> bool {
        self.0.iter().any(|x| x.is_sign_negative())
    }
}

impl Quad for Plain {
    #[inline(always)]
    fn load(row: &Row) -> Self {
        Self(*row)
    }

    #[inline(always)]
    fn store(self, row: &mut Row) {
        *row = self.0;
    }

    #[inline(always)]
    fn greater(a: Self, b: Self) -> u32 {
        (0..LANES).map(|k| u32::from(a.0[k] > b.0[k]) << k).sum()
    }

    #[inline(always)]
    fn at_most(a: Self, b: Self) -> u32 {
        (0..LANES).map(|k| u32::from(a.0[k] <= b.0[k]) << k).sum()
    }

    #[inline(always)]
    unsafe fn gather(lines: &[*const f64; LANES], k: usize) -> [Self; 2] {
        // SAFETY: the caller's promise
        let word = |offset: usize| Self(lines.map(|line| unsafe { line.add(k + offset).read() }));
        [word(0), word(1)]
    }

    #[inline(always)]
    unsafe fn add_pair(pair: [Self; 2], lines: &[*mut f64; LANES], k: usize) {
        for lane in 0..LANES {
            for (offset, quad) in pair.iter().enumerate() {
                // SAFETY: the caller's promise
                unsafe {
                    let word = lines[lane].add(k + offset);
                    word.write(word.read() + quad.0[lane]);
                }
            }
        }
    }

    #[inline(always)]
    unsafe fn add_four([a, b, c, d]: [Self; 4], lines: &[*mut f64; LANES]) {
        // SAFETY: the caller's promise
        unsafe {
            Self::add_pair([a, b], lines, 0);
            Self::add_pair([c, d], lines, 2);
        }
    }
}

/// Registers of four numbers. A value exists only inside functions compiled for AVX that were entered after asking the processor;
/// everything here is inlined into them.
#[cfg(target_arch = "x86_64")]
#[derive(Debug, Clone, Copy)]
pub(super) struct Avx(std::arch::x86_64::__m256d);

#[cfg(target_arch = "x86_64")]
mod avx {
    use std::arch::x86_64::*;

    use super::{Add, Avx, Div, LANES, Mul, Number, Quad, Row, Sub};

    macro_rules! avx_operation {
        ($name:ident, $method:ident, $intrinsic:ident) => {
            impl $name for Avx {
                type Output = Self;

                #[inline(always)]
                fn $method(self, other: Self) -> Self {
                    // SAFETY: an `Avx` exists only where the processor has AVX
                    Self(unsafe { $intrinsic(self.0, other.0) })
                }
            }
        };
    }

    avx_operation!(Add, add, _mm256_add_pd);
    avx_operation!(Sub, sub, _mm256_sub_pd);
    avx_operation!(Mul, mul, _mm256_mul_pd);
    avx_operation!(Div, div, _mm256_div_pd);

    // SAFETY of all blocks below: `Avx` is used only where the processor has AVX; pointers are the caller's promise or rows.
    impl Number for Avx {
        #[inline(always)]
        fn splat(x: f64) -> Self {
            Self(unsafe { _mm256_set1_pd(x) })
        }

        #[inline(always)]
        fn sqrt(self) -> Self {
            Self(unsafe { _mm256_sqrt_pd(self.0) })
        }

        #[inline(always)]
        fn abs(self) -> Self {
            Self(unsafe { _mm256_andnot_pd(_mm256_set1_pd(-0.0), self.0) })
        }

        #[inline(always)]
        fn at_least(self, least: Self) -> Self {
            // the second operand where the first is not greater, NaN included
            Self(unsafe { _mm256_max_pd(self.0, least.0) })
        }

        #[inline(always)]
        fn where_greater(a: Self, b: Self, yes: Self, no: Self) -> Self {
            Self(unsafe { _mm256_blendv_pd(no.0, yes.0, _mm256_cmp_pd::<_CMP_GT_OQ>(a.0, b.0)) })
        }

        #[inline(always)]
        fn where_at_most(a: Self, b: Self, yes: Self, no: Self) -> Self {
            Self(unsafe { _mm256_blendv_pd(no.0, yes.0, _mm256_cmp_pd::<_CMP_LE_OQ>(a.0, b.0)) })
        }

        #[inline(always)]
        fn sign(self) -> Self {
            Self(unsafe { _mm256_or_pd(_mm256_and_pd(_mm256_set1_pd(-0.0), self.0), _mm256_set1_pd(1.0)) })
        }

        #[inline(always)]
        fn has_negative(self) -> bool {
            unsafe { _mm256_movemask_pd(self.0) != 0 }
        }
    }

    impl Quad for Avx {
        #[inline(always)]
        fn load(row: &Row) -> Self {
            Self(unsafe { _mm256_loadu_pd(row.as_ptr()) })
        }

        #[inline(always)]
        fn store(self, row: &mut Row) {
            unsafe { _mm256_storeu_pd(row.as_mut_ptr(), self.0) }
        }

        #[inline(always)]
        fn greater(a: Self, b: Self) -> u32 {
            unsafe { _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_GT_OQ>(a.0, b.0)) as u32 }
        }

        #[inline(always)]
        fn at_most(a: Self, b: Self) -> u32 {
            unsafe { _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_LE_OQ>(a.0, b.0)) as u32 }
        }

        #[inline(always)]
        fn fetch(line: *const f64) {
            // a hint, which faults nowhere
            unsafe { _mm_prefetch::<_MM_HINT_T0>(line.cast()) }
        }

        #[inline(always)]
        unsafe fn gather(lines: &[*const f64; LANES], k: usize) -> [Self; 2] {
            unsafe {
                let pair = |line: usize| _mm_loadu_pd(lines[line].add(k));
                let even = _mm256_insertf128_pd::<1>(_mm256_castpd128_pd256(pair(0)), pair(2));
                let odd = _mm256_insertf128_pd::<1>(_mm256_castpd128_pd256(pair(1)), pair(3));
                [Self(_mm256_unpacklo_pd(even, odd)), Self(_mm256_unpackhi_pd(even, odd))]
            }
        }

        #[inline(always)]
        unsafe fn add_pair(pair: [Self; 2], lines: &[*mut f64; LANES], k: usize) {
            unsafe {
                let even = _mm256_unpacklo_pd(pair[0].0, pair[1].0);
                let odd = _mm256_unpackhi_pd(pair[0].0, pair[1].0);
                add_two(lines[0].add(k), _mm256_castpd256_pd128(even));
                add_two(lines[1].add(k), _mm256_castpd256_pd128(odd));
                add_two(lines[2].add(k), _mm256_extractf128_pd::<1>(even));
                add_two(lines[3].add(k), _mm256_extractf128_pd::<1>(odd));
            }
        }

        #[inline(always)]
        unsafe fn add_four(four: [Self; 4], lines: &[*mut f64; LANES]) {
            unsafe {
                let low = [_mm256_unpacklo_pd(four[0].0, four[1].0), _mm256_unpacklo_pd(four[2].0, four[3].0)];
                let high = [_mm256_unpackhi_pd(four[0].0, four[1].0), _mm256_unpackhi_pd(four[2].0, four[3].0)];
                add_row(lines[0], _mm256_permute2f128_pd::<0x20>(low[0], low[1]));
                add_row(lines[1], _mm256_permute2f128_pd::<0x20>(high[0], high[1]));
                add_row(lines[2], _mm256_permute2f128_pd::<0x31>(low[0], low[1]));
                add_row(lines[3], _mm256_permute2f128_pd::<0x31>(high[0], high[1]));
            }
        }
    }

    /// # Safety
    /// Two numbers at `at` are ours alone.
    #[inline(always)]
    unsafe fn add_two(at: *mut f64, more: __m128d) {
        unsafe { _mm_storeu_pd(at, _mm_add_pd(_mm_loadu_pd(at), more)) }
    }

    /// # Safety
    /// Four numbers at `at` are ours alone.
    #[inline(always)]
    unsafe fn add_row(at: *mut f64, more: __m256d) {
        unsafe { _mm256_storeu_pd(at, _mm256_add_pd(_mm256_loadu_pd(at), more)) }
    }
}
