//! The global problem as plain data: `M v = H r + f`, `u = Hᵀ v + w`, and its condensation to the local form
//! `W = Hᵀ M⁻¹ H`, `q = Hᵀ M⁻¹ f + w` (PHYSICS §3), group by group of the unknowns that M couples.

use sprs::{CsMat, TriMat};

use super::block::BlockMatrix;
use super::mass::MassGroups;
use super::problem::{ASYMMETRY, INDEFINITE, LocalError, LocalProblem, LocalWarning, check_friction, finite};
use super::spectrum::extreme_eigenvalues;
use super::work;

/// A frictional contact problem in global form, contact dimension `D` = 2 or 3.
#[derive(Debug, Clone, PartialEq)]
pub struct GlobalProblem<const D: usize> {
    /// M (kg), by columns, `unknowns × unknowns`.
    pub mass: CsMat<f64>,
    /// H, by columns, `unknowns × D·contacts`: maps impulses to generalised impulses.
    pub transfer: CsMat<f64>,
    /// f (kg m/s).
    pub load: Vec<f64>,
    /// w (m/s), normal first.
    pub velocity_shift: Vec<[f64; D]>,
    /// Friction coefficients μ ≥ 0.
    pub friction: Vec<f64>,
}

/// A matrix by columns from entries `(row, column, value)`; duplicates are summed.
///
/// # Errors
/// [`LocalError::IndexOutOfRange`].
pub fn matrix_from_entries(
    what: &'static str,
    shape: (usize, usize),
    entries: impl IntoIterator<Item = (usize, usize, f64)>,
) -> Result<CsMat<f64>, LocalError> {
    let (rows, columns) = shape;
    let mut triplets = TriMat::new(shape);
    for (row, column, value) in entries {
        if row >= rows || column >= columns {
            return Err(LocalError::IndexOutOfRange { what, row, column, rows, columns });
        }
        triplets.add_triplet(row, column, value);
    }
    Ok(triplets.to_csc())
}

impl<const D: usize> GlobalProblem<D> {
    /// Number of contacts.
    #[must_use]
    pub fn contacts(&self) -> usize {
        self.friction.len()
    }

    /// Number of unknowns of M.
    #[must_use]
    pub fn unknowns(&self) -> usize {
        self.load.len()
    }

    /// Checks sizes, finiteness and friction coefficients.
    ///
    /// # Errors
    /// The first thing found that forbids solving.
    pub fn check(&self) -> Result<(), LocalError> {
        let (n, m) = (self.unknowns(), D * self.contacts());
        for (what, found, expected) in [
            ("M (rows)", self.mass.rows(), n),
            ("M (columns)", self.mass.cols(), n),
            ("H (rows)", self.transfer.rows(), n),
            ("H (columns)", self.transfer.cols(), m),
            ("w (contacts)", self.velocity_shift.len(), self.contacts()),
        ] {
            if found != expected {
                return Err(LocalError::Size { what, found, expected });
            }
        }
        finite("M", self.mass.data().iter().copied())?;
        finite("H", self.transfer.data().iter().copied())?;
        finite("f", self.load.iter().copied())?;
        finite("w", self.velocity_shift.iter().flatten().copied())?;
        check_friction(&self.friction)
    }

    /// Completes a mass matrix of which only the upper triangle is stored (some files hold it so, without a flag).
    pub fn complete_mass(&mut self) -> Option<LocalWarning> {
        let (mut below, mut above) = (0_usize, 0_usize);
        for (value, (row, column)) in &self.mass {
            below += usize::from(row > column && *value != 0.0);
            above += usize::from(row < column && *value != 0.0);
        }
        if below > 0 || above == 0 {
            return None;
        }
        let mut triplets = TriMat::new((self.mass.rows(), self.mass.cols()));
        for (value, (row, column)) in &self.mass {
            triplets.add_triplet(row, column, *value);
            if row != column {
                triplets.add_triplet(column, row, *value);
            }
        }
        self.mass = triplets.to_csc();
        Some(LocalWarning::MirroredMass)
    }

    /// What deserves a word though it does not forbid solving: a mass matrix that is not symmetric or not positive.
    #[must_use]
    pub fn warnings(&self) -> Vec<LocalWarning> {
        let mut warnings = Vec::new();
        let entries = self.mass.iter().map(|(value, (row, column))| (row, column, *value));
        let mass = BlockMatrix::<1>::from_entries(self.unknowns(), entries);
        let relative = mass.asymmetry();
        if relative > ASYMMETRY {
            warnings.push(LocalWarning::UnsymmetricMass { relative });
        }
        // the least diagonal entry is no less than the least eigenvalue, which Lanczos may miss in a cluster
        let (low, high) = extreme_eigenvalues(&mass);
        let low = (0..mass.len()).map(|i| mass.diagonal(i)[0][0]).fold(low, f64::min);
        if high > 0.0 && low < -INDEFINITE * high {
            warnings.push(LocalWarning::IndefiniteMass { relative: low / high });
        }
        warnings
    }

    /// The local form. W has a block for every pair of contacts that touch a common group of unknowns coupled by M
    /// (a rigid body, a deformable body).
    ///
    /// # Errors
    /// [`LocalError::SingularMass`], and what [`Self::check`] finds.
    pub fn condense(&self) -> Result<LocalProblem<D>, LocalError> {
        self.check()?;
        let groups = MassGroups::new(&self.mass);
        let rows = self.transfer.to_csr();
        let mut entries = Vec::new();
        let mut free: Vec<f64> = self.velocity_shift.iter().flatten().copied().collect();
        for unknowns in groups.iter() {
            let group = TouchedGroup::new(unknowns, &rows);
            if group.columns.is_empty() {
                continue;
            }
            let (n, m) = (unknowns.len() as u64, group.columns.len() as u64 + 1);
            work::count(2 * n * n * n / 3 + 2 * n * n * m + 2 * n * m * m);
            let h = group.transfer();
            let mut rhs = nalgebra::DMatrix::zeros(unknowns.len(), group.columns.len() + 1);
            rhs.columns_mut(0, group.columns.len()).copy_from(&h);
            for (i, &unknown) in unknowns.iter().enumerate() {
                rhs[(i, group.columns.len())] = self.load[unknown];
            }
            let solved = groups.solve(&self.mass, unknowns, rhs)?;
            let product = h.tr_mul(&solved);
            for (a, &row) in group.columns.iter().enumerate() {
                for (b, &column) in group.columns.iter().enumerate() {
                    entries.push((row, column, product[(a, b)]));
                }
                free[row] += product[(a, group.columns.len())];
            }
        }
        Ok(LocalProblem {
            delassus: BlockMatrix::from_entries(self.contacts(), entries),
            free_velocity: free.chunks_exact(D).map(|c| std::array::from_fn(|k| c[k])).collect(),
            friction: self.friction.clone(),
        })
    }

    /// Velocities of the unknowns, `v = M⁻¹ (H r + f)`.
    ///
    /// # Errors
    /// [`LocalError::SingularMass`].
    pub fn unknown_velocities(&self, r: &[[f64; D]]) -> Result<Vec<f64>, LocalError> {
        let mut v = self.load.clone();
        for (value, (row, column)) in &self.transfer {
            v[row] += value * r[column / D][column % D];
        }
        let groups = MassGroups::new(&self.mass);
        for unknowns in groups.iter() {
            let rhs = nalgebra::DMatrix::from_fn(unknowns.len(), 1, |i, _| v[unknowns[i]]);
            let solved = groups.solve(&self.mass, unknowns, rhs)?;
            for (i, &unknown) in unknowns.iter().enumerate() {
                v[unknown] = solved[(i, 0)];
            }
        }
        Ok(v)
    }
}

/// The part of H on one group of unknowns.
struct TouchedGroup {
    columns: Vec<usize>,
    entries: Vec<(usize, usize, f64)>,
    rows: usize,
}

impl TouchedGroup {
    fn new(unknowns: &[usize], rows: &CsMat<f64>) -> Self {
        let mut entries = Vec::new();
        for (i, &unknown) in unknowns.iter().enumerate() {
            if let Some(row) = rows.outer_view(unknown) {
                entries.extend(row.iter().filter(|(_, v)| **v != 0.0).map(|(column, &value)| (i, column, value)));
            }
        }
        let mut columns: Vec<usize> = entries.iter().map(|entry| entry.1).collect();
        columns.sort_unstable();
        columns.dedup();
        Self { columns, entries, rows: unknowns.len() }
    }

    fn transfer(&self) -> nalgebra::DMatrix<f64> {
        let mut h = nalgebra::DMatrix::zeros(self.rows, self.columns.len());
        for &(i, column, value) in &self.entries {
            if let Ok(j) = self.columns.binary_search(&column) {
                h[(i, j)] += value;
            }
        }
        h
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    /// Two bodies of 2 unknowns, masses 2 and coupled [[3, 1], [1, 2]]; one planar contact between them.
    fn two_bodies() -> GlobalProblem<2> {
        let mass = [(0, 0, 2.0), (1, 1, 2.0), (2, 2, 3.0), (2, 3, 1.0), (3, 2, 1.0), (3, 3, 2.0)];
        let transfer = [(0, 0, 1.0), (1, 1, 1.0), (2, 0, -1.0), (3, 1, -1.0)];
        GlobalProblem {
            mass: matrix_from_entries("M", (4, 4), mass).unwrap(),
            transfer: matrix_from_entries("H", (4, 2), transfer).unwrap(),
            load: vec![2.0, 0.0, 0.0, 5.0],
            velocity_shift: vec![[0.5, 0.0]],
            friction: vec![0.3],
        }
    }

    #[test]
    fn condensation_agrees_with_the_inverse_by_hand() {
        let local = two_bodies().condense().unwrap();
        // [[3, 1], [1, 2]]⁻¹ = [[2, −1], [−1, 3]]/5; f gives (1, 0) and (−1, 3)
        let w = local.delassus.diagonal(0);
        for (value, exact) in w.iter().flatten().zip([0.5 + 0.4, -0.2, -0.2, 0.5 + 0.6]) {
            assert!((value - exact).abs() < 1e-15);
        }
        assert!((local.free_velocity[0][0] - (0.5 + 1.0 + 1.0)).abs() < 1e-14);
        assert!((local.free_velocity[0][1] - (0.0 - 3.0)).abs() < 1e-14);
        let v = two_bodies().unknown_velocities(&[[1.0, -1.0]]).unwrap();
        let r = local.velocities(&[[1.0, -1.0]]);
        assert!((v[0] - v[2] + 0.5 - r[0][0]).abs() < 1e-14 && (v[1] - v[3] - r[0][1]).abs() < 1e-14);
    }

    #[test]
    fn an_upper_triangle_is_completed_and_a_singular_mass_is_named() {
        let mut problem = two_bodies();
        let full = problem.mass.clone();
        let upper = full.iter().filter(|(_, (i, j))| i <= j).map(|(v, (i, j))| (i, j, *v)).collect::<Vec<_>>();
        problem.mass = matrix_from_entries("M", (4, 4), upper).unwrap();
        assert_eq!(problem.complete_mass(), Some(LocalWarning::MirroredMass));
        assert_eq!(problem.mass, full);
        assert_eq!(problem.complete_mass(), None);

        problem.mass = matrix_from_entries("M", (4, 4), [(0, 0, 1.0), (2, 2, 1.0), (3, 3, 1.0)]).unwrap();
        assert_eq!(problem.condense().unwrap_err(), LocalError::SingularMass { unknown: 1 });
        problem.load.pop();
        assert!(matches!(problem.condense(), Err(LocalError::Size { what: "M (rows)", .. })));
    }
}
