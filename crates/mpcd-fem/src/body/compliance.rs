//! What impulses on some unknowns (the nodes of a boundary) do to the velocities of the same unknowns: M̃⁻¹ restricted.

use super::Body;
use crate::error::FemError;

/// Right-hand sides solved for at a time: bounds the memory.
const BATCH: usize = 128;

/// The dense matrix of M̃⁻¹ on a list of unknowns, symmetric for every scheme but the non-linear conserving one.
#[derive(Clone, Debug, PartialEq)]
pub struct Compliance {
    unknowns: Vec<usize>,
    /// By columns (m/s per N s).
    values: Vec<f64>,
}

impl Compliance {
    /// The unknowns, in the order of rows and columns.
    pub fn unknowns(&self) -> &[usize] {
        &self.unknowns
    }

    /// Velocity of the unknown at place `row` by a unit impulse on that at place `column` (1/kg).
    pub fn at(&self, row: usize, column: usize) -> f64 {
        self.values[column * self.unknowns.len() + row]
    }

    /// Adds to velocities what impulses give, both in the order of the unknowns.
    ///
    /// # Panics
    /// When a slice is shorter than there are unknowns.
    pub fn add(&self, impulse: &[f64], velocity: &mut [f64]) {
        let n = self.unknowns.len();
        for (column, r) in self.values.chunks_exact(n.max(1)).zip(&impulse[..n]) {
            velocity[..n].iter_mut().zip(column).for_each(|(v, c)| *v += c * r);
        }
    }
}

impl Body {
    /// Columns of M̃⁻¹ at the present factorisation: for each unknown of `columns` in turn the velocities of the unknowns `rows` by a unit impulse
    /// on it (1/kg), all in one solve.
    ///
    /// # Errors
    /// As [`Body::compliance`].
    pub fn columns(&mut self, columns: &[usize], rows: &[usize]) -> Result<Vec<f64>, FemError> {
        let n = self.model.unknowns();
        if let Some(&found) = columns.iter().chain(rows).find(|&&k| k >= n) {
            return Err(FemError::Length { what: "list of unknowns, by its largest number,", expected: n, found });
        }
        let mut all = vec![0.0; n * columns.len()];
        columns.iter().enumerate().for_each(|(c, &k)| all[c * n + k] = 1.0);
        self.factor.solve(&self.model, &mut all)?;
        Ok(all.chunks_exact(n).flat_map(|column| rows.iter().map(|&k| column[k])).collect())
    }

    /// Condenses M̃⁻¹ of the present factorisation on a list of unknowns: one solve each, in batches. Rows and columns of held
    /// unknowns are 0.
    ///
    /// # Errors
    /// [`FemError::Length`] for an unknown that does not exist, [`FemError::Solve`] before the first [`Body::linearise`].
    pub fn compliance(&mut self, unknowns: &[usize]) -> Result<Compliance, FemError> {
        let n = self.model.unknowns();
        if let Some(&found) = unknowns.iter().find(|&&k| k >= n) {
            return Err(FemError::Length { what: "list of unknowns, by its largest number,", expected: n, found });
        }
        let mut values = Vec::with_capacity(unknowns.len() * unknowns.len());
        for batch in unknowns.chunks(BATCH) {
            let mut columns = vec![0.0; n * batch.len()];
            batch.iter().enumerate().for_each(|(c, &k)| columns[c * n + k] = 1.0);
            self.factor.solve(&self.model, &mut columns)?;
            for column in columns.chunks_exact(n) {
                values.extend(unknowns.iter().map(|&k| column[k]));
            }
        }
        Ok(Compliance { unknowns: unknowns.to_vec(), values })
    }
}
