//! Sums in a fixed order: chunks of [`CHUNK`] numbers, each summed alone, the chunk sums added in turn. The bits depend
//! neither on the number of threads nor on which thread took which chunk, and nothing is allocated.

use rayon::prelude::*;

/// Numbers per chunk; changing it changes the last bits of every sum.
pub const CHUNK: usize = 4096;
/// Chunks handed to the threads at a time; their sums fit on the stack.
const BATCH: usize = 64;
/// Independent partial sums inside a chunk, so that the processor can add them side by side.
const LANES: usize = 8;

/// Sum of all numbers.
pub fn sum(values: &[f64]) -> f64 {
    in_chunks(values.len(), |from, to| lanes(to - from, |i| values[from + i]))
}

/// Scalar product.
///
/// # Panics
/// When the lengths differ.
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len(), "the scalar product needs vectors of one length");
    in_chunks(a.len(), |from, to| {
        let (a, b) = (&a[from..to], &b[from..to]);
        lanes(a.len(), |i| a[i] * b[i])
    })
}

/// Euclidean norm, also where the squares would overflow or vanish.
pub fn norm(values: &[f64]) -> f64 {
    let square = dot(values, values);
    if square.is_normal() {
        return square.sqrt();
    }
    let largest = max_abs(values);
    if largest == 0.0 || !largest.is_finite() {
        return largest;
    }
    // dividing by a power of two changes no bit of the quotients
    let scale = largest.log2().floor().exp2();
    let square = in_chunks(values.len(), |from, to| lanes(to - from, |i| (values[from + i] / scale).powi(2)));
    scale * square.sqrt()
}

/// Largest absolute value, 0 for an empty slice, NaN when there is a NaN.
pub fn max_abs(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |m: f64, x| if x.is_nan() || m.is_nan() { f64::NAN } else { m.max(x.abs()) })
}

/// Sum of a term over `0..n` in the fixed order; `term` must be pure.
pub fn sum_by(n: usize, term: impl Fn(usize) -> f64 + Sync) -> f64 {
    in_chunks(n, |from, to| lanes(to - from, |i| term(from + i)))
}

fn in_chunks(n: usize, chunk_sum: impl Fn(usize, usize) -> f64 + Sync) -> f64 {
    let chunks = n.div_ceil(CHUNK);
    let one = |c: usize| chunk_sum(c * CHUNK, ((c + 1) * CHUNK).min(n));
    if chunks < 4 {
        return (0..chunks).fold(0.0, |total, c| total + one(c));
    }
    let mut total = 0.0;
    for first in (0..chunks).step_by(BATCH) {
        let mut partial = [0.0; BATCH];
        let count = BATCH.min(chunks - first);
        partial[..count].par_iter_mut().enumerate().for_each(|(k, p)| *p = one(first + k));
        total = partial[..count].iter().fold(total, |t, p| t + p);
    }
    total
}

fn lanes(n: usize, term: impl Fn(usize) -> f64) -> f64 {
    let mut lane = [0.0; LANES];
    let whole = n - n % LANES;
    for start in (0..whole).step_by(LANES) {
        for (k, sum) in lane.iter_mut().enumerate() {
            *sum += term(start + k);
        }
    }
    let tail = (whole..n).fold(0.0, |t, i| t + term(i));
    ((lane[0] + lane[4]) + (lane[1] + lane[5])) + ((lane[2] + lane[6]) + (lane[3] + lane[7])) + tail
}
