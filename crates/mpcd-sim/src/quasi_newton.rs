//! Interface quasi-Newton for a fixed point F(x) = x: the inverse of the Jacobian of F(x) − x, approximated by least squares from the
//! repetitions of the step (IQN-ILS: Degroote, Bathe and Vierendeels 2009, doi:10.1016/j.compstruc.2008.11.013). Plain vectors only.

/// Differences of the repetitions of one step.
#[derive(Debug, Default)]
pub(crate) struct QuasiNewton {
    /// Residual F(x) − x and value F(x) of the repetition before.
    last: Option<(Vec<f64>, Vec<f64>)>,
    /// Differences of residuals and of values from one repetition to the next, newest first.
    residuals: Vec<Vec<f64>>,
    values: Vec<Vec<f64>>,
}

/// A difference whose part outside the newer ones is smaller than this part of it says nothing new.
const DEPENDENT: f64 = 1e-2;

impl QuasiNewton {
    /// Forgets everything: a step begins.
    pub(crate) fn begin(&mut self) {
        *self = Self::default();
    }

    /// Takes a repetition: F(`x`) = `f`, wherever its x came from.
    pub(crate) fn take(&mut self, x: &[f64], f: &[f64]) {
        let residual: Vec<f64> = f.iter().zip(x).map(|(f, x)| f - x).collect();
        if let Some((r, v)) = self.last.replace((residual.clone(), f.to_vec())) {
            let difference = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<f64>>();
            self.residuals.insert(0, difference(&residual, &r));
            self.values.insert(0, difference(f, &v));
        }
    }

    /// The next x after what was taken last. `weights` make the rows comparable in the least squares.
    pub(crate) fn next(&self, weights: &[f64]) -> Vec<f64> {
        let Some((residual, f)) = &self.last else { return Vec::new() };
        let factors = least_squares(&self.residuals, residual, weights);
        let mut next = f.clone();
        for (factor, column) in factors.iter().zip(&self.values) {
            next.iter_mut().zip(column).for_each(|(n, c)| *n += factor * c);
        }
        next
    }
}

/// The factors c that make |right + Σ c column| least, by Gram and Schmidt from the newest column on; 0 for columns that say nothing new.
fn least_squares(columns: &[Vec<f64>], right: &[f64], weights: &[f64]) -> Vec<f64> {
    let weighed = |v: &[f64]| v.iter().zip(weights).map(|(v, w)| v * w).collect::<Vec<f64>>();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let (mut basis, mut triangle, mut used): (Vec<Vec<f64>>, Vec<Vec<f64>>, Vec<usize>) = (Vec::new(), Vec::new(), Vec::new());
    for (k, column) in columns.iter().enumerate() {
        let mut v = weighed(column);
        let size = dot(&v, &v).sqrt();
        let mut row = vec![0.0; basis.len()];
        // Twice, so that what is left is at right angles to rounding.
        for _ in 0..2 {
            for (q, part) in basis.iter().zip(&mut row) {
                let along = dot(q, &v);
                *part += along;
                v.iter_mut().zip(q).for_each(|(v, q)| *v -= along * q);
            }
        }
        let left = dot(&v, &v).sqrt();
        if left > DEPENDENT * size && left.is_finite() {
            v.iter_mut().for_each(|v| *v /= left);
            row.push(left);
            basis.push(v);
            triangle.push(row);
            used.push(k);
        }
    }
    let mut out = vec![0.0; columns.len()];
    let mut rest = weighed(right);
    let parts: Vec<f64> = basis
        .iter()
        .map(|q| {
            let along = dot(q, &rest);
            rest.iter_mut().zip(q).for_each(|(r, q)| *r -= along * q);
            along
        })
        .collect();
    for i in (0..used.len()).rev() {
        let known: f64 = (i + 1..used.len()).map(|j| triangle[j][i] * out[used[j]]).sum();
        out[used[i]] = (-parts[i] - known) / triangle[i][i];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// x = A x + b with three unknowns, an A that makes plain repetition diverge: found exactly after one repetition more than unknowns.
    #[test]
    fn an_affine_map_is_solved_in_as_many_repetitions_as_it_has_unknowns() {
        let a = [[-3.0, 1.0, 0.5], [0.2, 2.5, -1.0], [1.0, 0.3, -2.0]];
        let b = [1.0, -2.0, 0.5];
        let f = |x: &[f64]| (0..3).map(|i| b[i] + (0..3).map(|j| a[i][j] * x[j]).sum::<f64>()).collect::<Vec<f64>>();
        let mut method = QuasiNewton::default();
        let mut x = vec![0.0; 3];
        for _ in 0..4 {
            method.take(&x, &f(&x));
            x = method.next(&[1.0, 10.0, 0.1]);
        }
        let residual = f(&x).iter().zip(&x).map(|(f, x)| (f - x).abs()).fold(0.0, f64::max);
        assert!(residual < 1e-12, "{residual}");
    }
}
