//! The linear system of a step of heat: assembled once, multiplied and swept in the order of the cells. No fields and no book here.
//!
//! A row is y_c = o_c x_c + Σ_faces w_cn (x_c − x_n) + grains with o and w at or above zero: w = θ (K B(|P|) + what comes in from n), and
//! o = θ c m₀ + (1 − θ) c m₁ + θ (what comes in through ends, and what these conduct), which is c m₁ + θ (Σ out − Σ in) without its cancellation. So a row is made of differences
//! and sums of one sign, and rounding is that of the terms however large the Courant number.
//!
//! It is preconditioned by an incomplete factorisation without fill, M = (D + L) D⁻¹ (D + U) with L, U what is before and after in the order of the cells, D so that the
//! diagonal of M is that of the matrix (Pommerell 1992). That is exact along a line, carried either way; across lines it follows the stream. Grains that join cells are in the
//! diagonal alone.

use mpcd_sparse::{CgParams, CgReport, SparseError, Unsymmetric, solve_unsymmetric};

use super::{Grip, HeatStep, Shares, beside};

/// Cells that are multiplied at once, so that they stay near the processor.
const BLOCK: usize = 4096;

/// The assembled system.
pub(super) struct HeatSystem<'a> {
    theta: f64,
    /// Cells from one to the next along each axis.
    strides: [usize; 3],
    /// o of each cell, with what goes to its grains alone.
    own: Vec<f64>,
    /// w to the cell before and after along each axis; 0 where there is none.
    before: [Vec<f64>; 3],
    after: [Vec<f64>; 3],
    /// Cells joined round the ends: (cell, other, w).
    round: Vec<(usize, usize, f64)>,
    grains: Vec<(&'a Grip, Shares)>,
    diagonal: Vec<f64>,
    /// One over D.
    inverse: Vec<f64>,
}

impl<'a> HeatSystem<'a> {
    /// Assembles it; `capacity` is that of each cell at the end.
    pub(super) fn new(step: &'a HeatStep<'_>, capacity: &[f64]) -> Self {
        let (grid, theta) = (step.grid, step.theta);
        let none = || std::array::from_fn(|_| vec![0.0; grid.len()]);
        let own = step.capacity.iter().zip(capacity).map(|(m0, m1)| theta * m0 + (1.0 - theta) * m1).collect();
        let mut out = Self {
            theta,
            strides: [1, grid.cells(0), grid.cells(0) * grid.cells(1)],
            own,
            before: none(),
            after: none(),
            round: Vec::new(),
            grains: Vec::new(),
            diagonal: Vec::new(),
            inverse: Vec::new(),
        };
        (0..3).for_each(|axis| out.add_faces(step, axis));
        out.diagonal.clone_from(&out.own);
        for (before, after) in out.before.iter().zip(&out.after) {
            out.diagonal.iter_mut().zip(before.iter().zip(after)).for_each(|(d, (b, a))| *d += b + a);
        }
        out.round.iter().for_each(|(c, _, w)| out.diagonal[*c] += w);
        step.grains.iter().for_each(|grain| out.add_grain(grain));
        out.factorise();
        out
    }

    /// Solves from the given rises.
    pub(super) fn solve(&self, b: &[f64], rise: &mut [f64], params: CgParams) -> Result<CgReport, SparseError> {
        let multiply = |x: &[f64], y: &mut [f64]| self.multiply(x, y);
        let precondition = |r: &[f64], z: &mut [f64]| self.sweep(r, z);
        let system = Unsymmetric { multiply: &multiply, diagonal: &self.diagonal, precondition: &precondition };
        solve_unsymmetric(&system, b, rise, params)
    }

    fn add_faces(&mut self, step: &HeatStep<'_>, axis: usize) {
        let theta = self.theta;
        for (face, sides) in step.grid.sides(axis).iter().enumerate() {
            let (f, k) = (step.carried.0[axis][face], step.conducted.0[axis][face]);
            let (cell, inward) = match *sides {
                (Some(a), Some(b)) => {
                    let k = beside(f, k);
                    let (up, down) = (theta * (k + (-f).max(0.0)), theta * (k + f.max(0.0)));
                    if b == a + self.strides[axis] && step.grid.cells(axis) > 1 {
                        (self.after[axis][a], self.before[axis][b]) = (up, down);
                    } else if a != b {
                        self.round.extend([(a, b, up), (b, a, down)]);
                    }
                    continue;
                }
                (None, Some(c)) => (c, f),
                (Some(c), None) => (c, -f),
                (None, None) => continue,
            };
            self.own[cell] += theta * (inward.max(0.0) + k);
        }
    }

    fn add_grain(&mut self, grain: &'a Grip) {
        let shares = grain.shares(self.theta);
        if shares.total == 0.0 {
            return;
        }
        for (c, g) in &grain.cells {
            let own = self.theta * g * shares.own;
            self.own[*c] += own;
            self.diagonal[*c] += own + self.theta * g * shares.others * ((shares.total - g) / shares.total);
        }
        if shares.others > 0.0 {
            self.grains.push((grain, shares));
        }
    }

    /// D, from the first cell to the last: rows of an M-matrix leave it above zero.
    fn factorise(&mut self) {
        let n = self.own.len();
        self.inverse.reserve(n);
        for c in 0..n {
            let mut pivot = self.diagonal[c];
            for (axis, stride) in self.strides.iter().enumerate() {
                let w = self.before[axis][c];
                if w > 0.0 {
                    pivot -= w * self.after[axis][c - stride] * self.inverse[c - stride];
                }
            }
            self.inverse.push(1.0 / pivot);
        }
    }

    fn multiply(&self, x: &[f64], y: &mut [f64]) {
        let n = x.len();
        for from in (0..n).step_by(BLOCK) {
            let to = (from + BLOCK).min(n);
            y[from..to].iter_mut().zip(&self.own[from..to]).zip(&x[from..to]).for_each(|((y, o), x)| *y = o * x);
            for (axis, &stride) in self.strides.iter().enumerate() {
                let (low, high) = (from.max(stride), to.min(n.saturating_sub(stride)));
                if low < to {
                    differences(&mut y[low..to], &self.before[axis][low..to], &x[low..to], &x[low - stride..to - stride]);
                }
                if from < high {
                    differences(
                        &mut y[from..high],
                        &self.after[axis][from..high],
                        &x[from..high],
                        &x[from + stride..high + stride],
                    );
                }
            }
        }
        self.round.iter().for_each(|&(c, other, w)| y[c] += w * (x[c] - x[other]));
        for (grain, shares) in &self.grains {
            grain.between(shares, x, |c, _, others| y[c] += self.theta * others);
        }
    }

    /// M⁻¹ r.
    fn sweep(&self, r: &[f64], z: &mut [f64]) {
        let (n, row) = (r.len(), self.strides[1]);
        z.copy_from_slice(r);
        for from in (0..n).step_by(row) {
            let (done, rest) = z.split_at_mut(from);
            let z = &mut rest[..row];
            for axis in [1, 2] {
                if let Some(start) = from.checked_sub(self.strides[axis]).filter(|_| self.strides[axis] < n) {
                    products(z, &self.before[axis][from..from + row], &done[start..start + row]);
                }
            }
            let (w, inverse) = (&self.before[0][from..from + row], &self.inverse[from..from + row]);
            let mut last = 0.0;
            for i in 0..row {
                last = (z[i] + w[i] * last) * inverse[i];
                z[i] = last;
            }
        }
        let mut sum = vec![0.0; row];
        for from in (0..n).step_by(row).rev() {
            let (head, after) = z.split_at_mut(from + row);
            let z = &mut head[from..];
            sum.fill(0.0);
            for axis in [1, 2] {
                let start = self.strides[axis] - row;
                if start + row <= after.len() {
                    products(&mut sum, &self.after[axis][from..from + row], &after[start..start + row]);
                }
            }
            let (w, inverse) = (&self.after[0][from..from + row], &self.inverse[from..from + row]);
            let mut next = 0.0;
            for i in (0..row).rev() {
                next = z[i] + (sum[i] + w[i] * next) * inverse[i];
                z[i] = next;
            }
        }
    }
}

/// y += w (x − other).
fn differences(y: &mut [f64], w: &[f64], x: &[f64], other: &[f64]) {
    y.iter_mut().zip(w).zip(x.iter().zip(other)).for_each(|((y, w), (x, other))| *y += w * (x - other));
}

/// y += w x.
fn products(y: &mut [f64], w: &[f64], x: &[f64]) {
    y.iter_mut().zip(w).zip(x).for_each(|((y, w), x)| *y += w * x);
}
