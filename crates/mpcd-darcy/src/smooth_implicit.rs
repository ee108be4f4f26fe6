//! An implicit pass of the smoothing along lines of cells or faces: (2 − W)⁻¹ for the weights W of an explicit one. No grid and no grains here.
//!
//! 2 − W has positive diagonal entries, others that are not, and a dominant diagonal, along its rows or its columns. It is eliminated from the first entry to the last; where the
//! ends are joined the last is bordered to all. Every product is then of one sign: what is not negative stays so, and nothing cancels.

use crate::smooth::Weights;

/// Lines that go side by side where entries of one follow each other in memory.
const LANES: usize = 16;

/// What is smaller is nothing (m³, m⁴): far from all grains a kernel falls to numbers that a processor is slow at.
const NOTHING: f64 = 1e-200;

/// The factors of one line; all lines have the same.
pub(crate) struct ImplicitPass {
    /// Of each entry: what it takes of the one before.
    before: Vec<f64>,
    /// What the last takes of it.
    to_last: Vec<f64>,
    /// One over its pivot.
    inverse: Vec<f64>,
    /// What it takes of the one after, and of the last, over its pivot.
    after: Vec<f64>,
    of_last: Vec<f64>,
}

impl ImplicitPass {
    /// Takes the weights of an explicit pass: of the entry itself, of the one before and the one after, round the ends where they are joined.
    pub(crate) fn new(weights: &[Weights]) -> Self {
        let n = weights.len();
        let last = n.saturating_sub(1);
        let none = || vec![0.0; n];
        let mut out = Self { before: none(), to_last: none(), inverse: none(), after: none(), of_last: none() };
        // the row of the last entry as it is eliminated: what it takes of entry i, and its diagonal
        let mut pivot_of_last = 2.0 - weights[last][0];
        let mut taken = weights[last][2];
        for i in 0..last {
            let [own, low, high] = weights[i];
            let mut pivot = 2.0 - own;
            let mut of_last = if i == 0 { low } else { 0.0 };
            if i > 0 {
                let part = low * out.inverse[i - 1];
                pivot -= low * out.after[i - 1];
                of_last = low * out.of_last[i - 1];
                out.before[i] = part;
            }
            let mut after = high;
            if i + 1 == last {
                (of_last, after) = (of_last + high, 0.0);
                taken += weights[last][1];
            }
            out.inverse[i] = 1.0 / pivot;
            out.after[i] = after / pivot;
            out.of_last[i] = of_last / pivot;
            out.to_last[i] = taken / pivot;
            pivot_of_last -= taken * out.of_last[i];
            taken *= out.after[i];
        }
        out.inverse[last] = 1.0 / pivot_of_last;
        out
    }

    /// Takes this many passes of lines whose entries are `stride` apart.
    pub(crate) fn apply(&self, passes: usize, stride: usize, values: &mut [f64]) {
        let n = self.inverse.len();
        if stride > 1 {
            for block in values.chunks_exact_mut(stride * n) {
                (0..passes).for_each(|_| self.solve(block, stride));
            }
            return;
        }
        let mut side_by_side = vec![0.0; n * LANES];
        for block in values.chunks_mut(n * LANES) {
            let lanes = block.len() / n;
            let side = &mut side_by_side[..n * lanes];
            for (k, line) in block.chunks_exact(n).enumerate() {
                line.iter().enumerate().for_each(|(i, v)| side[i * lanes + k] = *v);
            }
            (0..passes).for_each(|_| self.solve(side, lanes));
            for (k, line) in block.chunks_exact_mut(n).enumerate() {
                line.iter_mut().enumerate().for_each(|(i, v)| *v = side[i * lanes + k]);
            }
        }
    }

    /// One pass over `width` lines side by side.
    fn solve(&self, block: &mut [f64], width: usize) {
        let last = self.inverse.len() - 1;
        let (head, of_last) = block.split_at_mut(last * width);
        for i in 0..last {
            let (done, rest) = head.split_at_mut(i * width);
            let row = &mut rest[..width];
            if i > 0 {
                add(row, self.before[i], &done[(i - 1) * width..]);
            }
            if self.to_last[i] != 0.0 {
                add(of_last, self.to_last[i], row);
            }
        }
        scale(of_last, self.inverse[last]);
        for i in (0..last).rev() {
            let (done, rest) = head.split_at_mut((i + 1) * width);
            let row = &mut done[i * width..];
            scale(row, self.inverse[i]);
            if self.of_last[i] != 0.0 {
                add(row, self.of_last[i], of_last);
            }
            if self.after[i] != 0.0 {
                add(row, self.after[i], &rest[..width]);
            }
        }
    }
}

fn add(row: &mut [f64], factor: f64, other: &[f64]) {
    for (x, y) in row.iter_mut().zip(other) {
        let sum = *x + factor * y;
        *x = if sum.abs() > NOTHING { sum } else { 0.0 };
    }
}

fn scale(row: &mut [f64], factor: f64) {
    row.iter_mut().for_each(|x| *x *= factor);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2 − W of lines with mirrored, fixed, doubled and joined ends, times what comes out of the pass, is what went in; nothing is below zero, and joined lines are shifted with what they carry.
    #[test]
    fn a_pass_is_undone_by_two_less_the_explicit_one() {
        let a = 1.7;
        let [open, joined] = [false, true];
        for n in [2, 3, 9, 40] {
            let plain = |i: usize| [1.0 - 2.0 * a, if i > 0 { a } else { 0.0 }, if i + 1 < n { a } else { 0.0 }];
            let mirrored: Vec<Weights> = (0..n)
                .map(|i| {
                    let [own, low, high] = plain(i);
                    [if i == 0 || i + 1 == n { own + a } else { own }, low, high]
                })
                .collect();
            let mut flux: Vec<Weights> = (0..n).map(plain).collect();
            (flux[0], flux[n - 1]) = ([1.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
            let round = vec![[1.0 - 2.0 * a, a, a]; n];
            for (weights, ends) in [(mirrored, open), (flux, open), (round, joined)] {
                let given: Vec<f64> = (0..3 * n).map(|k| if k % 5 == 0 { 1.0 + k as f64 } else { 0.0 }).collect();
                // three lines one after the other, and the same side by side
                let mut rows = given.clone();
                ImplicitPass::new(&weights).apply(1, 1, &mut rows);
                let mut columns: Vec<f64> = (0..3 * n).map(|k| given[k % 3 * n + k / 3]).collect();
                ImplicitPass::new(&weights).apply(1, 3, &mut columns);
                for (line, (out, given)) in rows.chunks(n).zip(given.chunks(n)).enumerate() {
                    for i in 0..n {
                        assert_eq!(out[i], columns[i * 3 + line]);
                        let [own, low, high] = weights[i];
                        let before = if i > 0 {
                            out[i - 1]
                        } else if ends {
                            out[n - 1]
                        } else {
                            0.0
                        };
                        let after = if i + 1 < n {
                            out[i + 1]
                        } else if ends {
                            out[0]
                        } else {
                            0.0
                        };
                        let back = (2.0 - own) * out[i] - low * before - high * after;
                        assert!((back - given[i]).abs() < 1e-12 * 100.0 && out[i] >= 0.0, "{n} {i}: {back} for {}", given[i]);
                    }
                }
            }
        }
    }
}
