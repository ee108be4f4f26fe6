//! Eight numbers in one register of AVX-512, and bodies' lines as whole registers: half the instructions of two registers of four.

use std::arch::x86_64::*;
use std::ops::{Add, Div, Mul, Sub};

use super::pair::{Eight, LANES, Row};
use super::quad::Number;

/// A value exists only inside functions compiled for AVX-512F and AVX-512DQ that were entered after asking the processor; everything here is inlined into them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wide(__m512d);

macro_rules! wide_operation {
    ($name:ident, $method:ident, $intrinsic:ident) => {
        impl $name for Wide {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                // SAFETY: a `Wide` exists only where the processor has AVX-512F
                Self(unsafe { $intrinsic(self.0, other.0) })
            }
        }
    };
}

wide_operation!(Add, add, _mm512_add_pd);
wide_operation!(Sub, sub, _mm512_sub_pd);
wide_operation!(Mul, mul, _mm512_mul_pd);
wide_operation!(Div, div, _mm512_div_pd);

// SAFETY of all blocks below: `Wide` is used only where the processor has AVX-512F and AVX-512DQ; pointers are the caller's promise or rows.
impl Number for Wide {
    #[inline(always)]
    fn splat(x: f64) -> Self {
        Self(unsafe { _mm512_set1_pd(x) })
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(unsafe { _mm512_sqrt_pd(self.0) })
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self(unsafe { _mm512_andnot_pd(_mm512_set1_pd(-0.0), self.0) })
    }

    #[inline(always)]
    fn at_least(self, least: Self) -> Self {
        // the second operand where the first is not greater, NaN included
        Self(unsafe { _mm512_max_pd(self.0, least.0) })
    }

    #[inline(always)]
    fn where_greater(a: Self, b: Self, yes: Self, no: Self) -> Self {
        Self(unsafe { _mm512_mask_blend_pd(_mm512_cmp_pd_mask::<_CMP_GT_OQ>(a.0, b.0), no.0, yes.0) })
    }

    #[inline(always)]
    fn where_at_most(a: Self, b: Self, yes: Self, no: Self) -> Self {
        Self(unsafe { _mm512_mask_blend_pd(_mm512_cmp_pd_mask::<_CMP_LE_OQ>(a.0, b.0), no.0, yes.0) })
    }

    #[inline(always)]
    fn sign(self) -> Self {
        Self(unsafe { _mm512_or_pd(_mm512_and_pd(_mm512_set1_pd(-0.0), self.0), _mm512_set1_pd(1.0)) })
    }

    #[inline(always)]
    fn has_negative(self) -> bool {
        unsafe { _mm512_movepi64_mask(_mm512_castpd_si512(self.0)) != 0 }
    }
}

/// Rows of an eight by eight matrix to its columns.
#[inline(always)]
unsafe fn transposed(r: [__m512d; 8]) -> [__m512d; 8] {
    unsafe {
        let a = [_mm512_unpacklo_pd(r[0], r[1]), _mm512_unpackhi_pd(r[0], r[1])];
        let b = [_mm512_unpacklo_pd(r[2], r[3]), _mm512_unpackhi_pd(r[2], r[3])];
        let c = [_mm512_unpacklo_pd(r[4], r[5]), _mm512_unpackhi_pd(r[4], r[5])];
        let d = [_mm512_unpacklo_pd(r[6], r[7]), _mm512_unpackhi_pd(r[6], r[7])];
        let mut out = [r[0]; 8];
        for k in 0..2 {
            // quarters 0 and 2 of both, then 1 and 3; twice
            let ab = [_mm512_shuffle_f64x2::<0x88>(a[k], b[k]), _mm512_shuffle_f64x2::<0xdd>(a[k], b[k])];
            let cd = [_mm512_shuffle_f64x2::<0x88>(c[k], d[k]), _mm512_shuffle_f64x2::<0xdd>(c[k], d[k])];
            out[k] = _mm512_shuffle_f64x2::<0x88>(ab[0], cd[0]);
            out[k + 2] = _mm512_shuffle_f64x2::<0x88>(ab[1], cd[1]);
            out[k + 4] = _mm512_shuffle_f64x2::<0xdd>(ab[0], cd[0]);
            out[k + 6] = _mm512_shuffle_f64x2::<0xdd>(ab[1], cd[1]);
        }
        out
    }
}

impl Eight for Wide {
    #[inline(always)]
    fn load(row: &Row) -> Self {
        Self(unsafe { _mm512_loadu_pd(row.as_ptr()) })
    }

    #[inline(always)]
    fn store(self, row: &mut Row) {
        unsafe { _mm512_storeu_pd(row.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn greater(a: Self, b: Self) -> u32 {
        u32::from(unsafe { _mm512_cmp_pd_mask::<_CMP_GT_OQ>(a.0, b.0) })
    }

    #[inline(always)]
    fn at_most(a: Self, b: Self) -> u32 {
        u32::from(unsafe { _mm512_cmp_pd_mask::<_CMP_LE_OQ>(a.0, b.0) })
    }

    #[inline(always)]
    unsafe fn gather<const D: usize>(lines: &[*const f64; LANES]) -> [Self; 8] {
        unsafe {
            let mut rows = [_mm512_setzero_pd(); LANES];
            for lane in 0..LANES {
                rows[lane] = _mm512_loadu_pd(lines[lane]);
            }
            let c = transposed(rows);
            [Self(c[0]), Self(c[1]), Self(c[2]), Self(c[3]), Self(c[4]), Self(c[5]), Self(c[6]), Self(c[7])]
        }
    }

    #[inline(always)]
    unsafe fn add_to<const D: usize>(v: [Self; 3], w: [Self; 3], lines: &[*mut f64; LANES]) {
        unsafe {
            let zero = _mm512_setzero_pd();
            let rows = transposed([v[0].0, v[1].0, v[2].0, w[0].0, w[1].0, w[2].0, zero, zero]);
            for lane in 0..LANES {
                _mm512_storeu_pd(lines[lane], _mm512_add_pd(_mm512_loadu_pd(lines[lane]), rows[lane]));
            }
        }
    }

    #[inline(always)]
    fn fetch(line: *const f64) {
        // a hint, which faults nowhere
        unsafe { _mm_prefetch::<_MM_HINT_T0>(line.cast()) }
    }
}
