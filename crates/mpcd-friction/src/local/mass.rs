//! The groups of unknowns that a mass matrix couples (one per rigid or deformable body) and solves with them.

use mpcd_sparse::{GeneralMatrix, GeneralPattern, Lu};
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
            let entries: Vec<_> = entries.collect();
            let places: Vec<_> = entries.iter().map(|&(row, column, _)| (row, column)).collect();
            let pattern = GeneralPattern::from_entries(group.len(), &places).map_err(|_| singular())?;
            let mut matrix = GeneralMatrix::zeros(&pattern);
            for (entry, (_, _, value)) in entries.iter().enumerate() {
                matrix.add(entry, *value);
            }
            let mut lu = Lu::analyse(&pattern).map_err(|_| singular())?;
            lu.factorise(&matrix).map_err(|_| singular())?;
            let mut solution = rhs;
            for column in solution.as_mut_slice().chunks_exact_mut(group.len()) {
                lu.solve_in_place(column).map_err(|_| singular())?;
            }
            solution
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
