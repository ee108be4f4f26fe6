//! The groups of unknowns that a mass matrix couples (one per rigid or deformable body) and solves with them.

use faer::linalg::solvers::Solve;
use faer::sparse::{SparseColMat, Triplet};
use nalgebra::DMatrix;
use sprs::CsMat;

use super::problem::LocalError;

/// Groups up to this size are inverted as dense matrices.
const DENSE: usize = 48;

/// Partition of the unknowns into the connected parts of M's graph.
pub(super) struct MassGroups {
    starts: Vec<usize>,
    unknowns: Vec<usize>,
    place: Vec<usize>,
}

impl MassGroups {
    pub(super) fn new(mass: &CsMat<f64>) -> Self {
        let n = mass.cols();
        let mut parent: Vec<usize> = (0..n).collect();
        for (value, (row, column)) in mass {
            if *value != 0.0 && row < n {
                let (a, b) = (root(&mut parent, row), root(&mut parent, column));
                parent[a.max(b)] = a.min(b);
            }
        }
        let roots: Vec<usize> = (0..n).map(|i| root(&mut parent, i)).collect();
        let mut unknowns: Vec<usize> = (0..n).collect();
        unknowns.sort_by_key(|&i| (roots[i], i));
        let mut starts: Vec<usize> = (0..n).filter(|&k| k == 0 || roots[unknowns[k]] != roots[unknowns[k - 1]]).collect();
        starts.push(n);
        let mut place = vec![0; n];
        for group in starts.windows(2) {
            for k in group[0]..group[1] {
                place[unknowns[k]] = k - group[0];
            }
        }
        Self { starts, unknowns, place }
    }

    /// The groups, each with its unknowns ascending.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[usize]> {
        self.starts.windows(2).map(|w| &self.unknowns[w[0]..w[1]])
    }

    /// Solves `M_gg X = B` for one group.
    pub(super) fn solve(&self, mass: &CsMat<f64>, group: &[usize], rhs: DMatrix<f64>) -> Result<DMatrix<f64>, LocalError> {
        let singular = || LocalError::SingularMass { unknown: group.first().copied().unwrap_or(0) };
        let entries = group.iter().enumerate().flat_map(|(j, &column)| {
            let view = mass.outer_view(column);
            view.into_iter().flat_map(move |v| v.iter().map(|(row, &value)| (self.place[row], j, value)).collect::<Vec<_>>())
        });
        let solution = if group.len() <= DENSE {
            let mut dense = DMatrix::zeros(group.len(), group.len());
            for (i, j, value) in entries {
                dense[(i, j)] += value;
            }
            dense.lu().solve(&rhs).ok_or_else(singular)?
        } else {
            let triplets: Vec<_> = entries.map(|(i, j, value)| Triplet::new(i, j, value)).collect();
            let sparse =
                SparseColMat::<usize, f64>::try_new_from_triplets(group.len(), group.len(), &triplets).map_err(|_| singular())?;
            let lu = sparse.sp_lu().map_err(|_| singular())?;
            let b = faer::MatRef::from_column_major_slice(rhs.as_slice(), rhs.nrows(), rhs.ncols());
            let x = lu.solve(b);
            DMatrix::from_fn(rhs.nrows(), rhs.ncols(), |i, j| x[(i, j)])
        };
        if solution.iter().all(|v| v.is_finite()) { Ok(solution) } else { Err(singular()) }
    }
}

fn root(parent: &mut [usize], mut i: usize) -> usize {
    while parent[i] != i {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    i
}
