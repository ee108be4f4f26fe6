//! Lemke's complementary pivoting on `0 ≤ w = M z + q ⊥ z ≥ 0`, dense, with lexicographic choice of the leaving row so that
//! it cannot cycle (Cottle, Pang and Stone 1992, §4.4 and §4.9). Nothing about contacts.
//!
//! M is copositive for Coulomb's law with a polygon. Then the method ends with a solution or on a ray; a ray does not prove
//! that there is no solution.

use nalgebra::{DMatrix, DVector};

/// How the pivoting ended.
pub(super) enum Ended {
    /// z ≥ 0.
    Solved(Vec<f64>),
    /// Nothing leaves the basis: a secondary ray.
    Ray,
    /// The limit of pivots was met.
    Limit,
}

/// Entries of the tableau below this, relative to the largest of their column, are rounding.
const PIVOT: f64 = 1e-11;
/// z_0 below this, relative to its first value, is zero.
const GONE: f64 = 1e-14;
/// Ratios this near are ties, decided by the next column.
const TIE: f64 = 1e-12;

/// The rows `basis = rhs − …`: columns `q`, `w` (which hold B⁻¹), `z`, `z_0`.
struct Tableau {
    pairs: usize,
    width: usize,
    entries: Vec<f64>,
    /// Column of the basic variable of each row.
    basis: Vec<usize>,
}

impl Tableau {
    fn new(m: &DMatrix<f64>, q: &DVector<f64>) -> Self {
        let pairs = q.len();
        let width = 2 * pairs + 2;
        let mut entries = vec![0.0; pairs * width];
        for i in 0..pairs {
            let row = &mut entries[i * width..(i + 1) * width];
            row[0] = q[i];
            row[1 + i] = 1.0;
            for j in 0..pairs {
                row[1 + pairs + j] = -m[(i, j)];
            }
            row[width - 1] = -1.0;
        }
        Self { pairs, width, entries, basis: (1..=pairs).collect() }
    }

    fn row(&self, i: usize) -> &[f64] {
        &self.entries[i * self.width..(i + 1) * self.width]
    }

    /// The partner of a variable (not of z_0).
    const fn partner(&self, column: usize) -> usize {
        if column > self.pairs { column - self.pairs } else { column + self.pairs }
    }

    fn pivot(&mut self, row: usize, column: usize) {
        let scale = 1.0 / self.entries[row * self.width + column];
        let mut source: Vec<f64> = self.row(row).iter().map(|v| v * scale).collect();
        source[column] = 1.0;
        for (i, target) in self.entries.chunks_exact_mut(self.width).enumerate() {
            let factor = target[column];
            if i == row {
                target.copy_from_slice(&source);
            } else if factor != 0.0 {
                for (value, s) in target.iter_mut().zip(&source) {
                    *value -= factor * s;
                }
                target[column] = 0.0;
            }
        }
        self.basis[row] = column;
    }

    /// The row whose `(rhs, B⁻¹)`, over its entry of `column`, is lexicographically least; z_0 first where it ties.
    fn leaving(&self, column: usize) -> Option<usize> {
        let entry = |i: usize| self.entries[i * self.width + column];
        let largest = (0..self.pairs).map(|i| entry(i).abs()).fold(0.0, f64::max);
        let mut rows: Vec<usize> = (0..self.pairs).filter(|&i| entry(i) > PIVOT * largest.max(1e-3)).collect();
        for k in 0..=self.pairs {
            if rows.len() <= 1 {
                break;
            }
            let ratio = |i: usize| self.row(i)[k] / entry(i);
            let least = rows.iter().map(|&i| ratio(i)).fold(f64::INFINITY, f64::min);
            let size = if k == 0 { least.abs() + TIE } else { 1.0 + least.abs() };
            rows.retain(|&i| ratio(i) <= least + TIE * size);
            if let Some(&row) = rows.iter().find(|&&i| k == 0 && self.basis[i] == self.width - 1) {
                return Some(row);
            }
        }
        rows.first().copied()
    }

    /// Values of z, computed afresh from M and q with the final basis: pivoting gathers rounding.
    fn solution(&self, m: &DMatrix<f64>, q: &DVector<f64>) -> Vec<f64> {
        let mut z = vec![0.0; self.pairs];
        for (i, &column) in self.basis.iter().enumerate().filter(|(_, c)| **c > self.pairs && **c < self.width - 1) {
            z[column - self.pairs - 1] = self.row(i)[0].max(0.0);
        }
        let inside: Vec<usize> =
            self.basis.iter().filter(|c| **c > self.pairs && **c < self.width - 1).map(|c| c - self.pairs - 1).collect();
        let system = DMatrix::from_fn(inside.len(), inside.len(), |i, j| m[(inside[i], inside[j])]);
        let rhs = DVector::from_fn(inside.len(), |i, _| -q[inside[i]]);
        let lu = system.clone().lu();
        if let Some(mut x) = lu.solve(&rhs) {
            if let Some(step) = lu.solve(&(&rhs - &system * &x)) {
                x += step;
            }
            let before = DVector::from_fn(inside.len(), |i, _| z[inside[i]]);
            // a basis near singularity may be solved worse than it was pivoted
            let residual = |v: &DVector<f64>| (&rhs - &system * v).norm();
            let kept = x.map(|v| v.max(0.0));
            if residual(&kept) <= residual(&before) {
                for (value, &k) in kept.iter().zip(&inside) {
                    z[k] = *value;
                }
            }
        }
        z
    }
}

/// Solves, in at most `most` pivots; returns their number.
pub(super) fn lemke(m: &DMatrix<f64>, q: &DVector<f64>, most: usize) -> (Ended, usize) {
    let size = q.amax();
    let mut tableau = Tableau::new(m, &(q / if size > 0.0 { size } else { 1.0 }));
    if q.iter().all(|v| *v >= 0.0) {
        return (Ended::Solved(vec![0.0; q.len()]), 0);
    }
    let covering = tableau.width - 1;
    // the first row to leave is the lexicographically least of (q, I)
    let mut row = 0;
    for i in 1..tableau.pairs {
        // of two rows with one q, that with the later 1 of the identity is less
        if tableau.row(i)[0] <= tableau.row(row)[0] {
            row = i;
        }
    }
    let mut entering = covering;
    for done in 0.. {
        if done == most {
            return (Ended::Limit, done);
        }
        let left = tableau.basis[row];
        tableau.pivot(row, entering);
        // z_0 has left, or is zero in the basis, where it may stay for ever (a contact that opens: λ has no bound there)
        let gone = (0..tableau.pairs).all(|i| tableau.basis[i] != covering || tableau.row(i)[0] <= GONE);
        if gone {
            let q = q / size;
            let z = tableau.solution(m, &q).iter().map(|v| v * size).collect();
            return (Ended::Solved(z), done + 1);
        }
        entering = tableau.partner(left);
        match tableau.leaving(entering) {
            Some(next) => row = next,
            None => return (Ended::Ray, done + 1),
        }
    }
    (Ended::Limit, most)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::panic, reason = "tests")]
    use super::*;
    use crate::random::SplitMix;

    fn residual(m: &DMatrix<f64>, q: &DVector<f64>, z: &[f64]) -> f64 {
        let w = m * DVector::from_column_slice(z) + q;
        w.iter().zip(z).map(|(w, z)| w.min(*z).abs()).fold(0.0, f64::max)
    }

    #[test]
    fn random_positive_semidefinite_problems_are_solved() {
        let mut random = SplitMix::new(3);
        for case in 0..200_usize {
            let n = 2 + case % 12;
            // of half rank every second time, q in the range so that there is a solution
            let rank = if case % 2 == 0 { n } else { n.div_ceil(2) };
            let a = DMatrix::from_fn(n, rank, |_, _| random.signed());
            let m = &a * a.transpose();
            let q = &a * DVector::from_fn(rank, |_, _| random.signed());
            let (Ended::Solved(z), _) = lemke(&m, &q, 1000) else { panic!("case {case}") };
            assert!(residual(&m, &q, &z) < 1e-9, "case {case}: {:e}", residual(&m, &q, &z));
        }
    }

    /// Beale-like degeneracy: all ratios tie again and again.
    #[test]
    fn ties_do_not_cycle() {
        for n in [3, 8, 20] {
            let m = DMatrix::from_element(n, n, 1.0);
            let q = DVector::from_element(n, -1.0);
            let (Ended::Solved(z), pivots) = lemke(&m, &q, 1000) else { panic!("{n}") };
            assert!(residual(&m, &q, &z) < 1e-12 && pivots < 3 * n);
        }
    }

    #[test]
    fn without_solution_it_ends_on_a_ray() {
        let m = DMatrix::from_row_slice(2, 2, &[0.0, 0.0, 0.0, 1.0]);
        assert!(matches!(lemke(&m, &DVector::from_vec(vec![-1.0, -1.0]), 100).0, Ended::Ray));
    }
}
