//! The symmetric linear systems of a pass: stored content plus θ times the Laplacian of the conductances.
//! Which solver is used is decided here and nowhere else.

use std::sync::Arc;

use mpcd_sparse::{
    CgParams, CgWorkspace, Cholesky, IncompleteCholesky, SparseError, SymmetricMatrix, SymmetricPattern, solve_cg,
};

use crate::grid::{FaceField, Grid};

/// How a linear system is solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinearMethod {
    /// Cholesky for planar grids and small ones, conjugate gradients for the others.
    Auto,
    /// Sparse Cholesky.
    Cholesky,
    /// Conjugate gradients with incomplete Cholesky.
    ConjugateGradients,
}

/// Largest spatial grid that Cholesky is taken for: its fill grows as n^(4/3) there.
const SMALL: usize = 6000;

enum Engine {
    Direct(Box<Cholesky>),
    Iterative { preconditioner: Option<IncompleteCholesky>, workspace: CgWorkspace, solution: Vec<f64> },
}

/// A system over the cells of a grid, coupled along some of its axes.
pub struct LinearSystem {
    matrix: SymmetricMatrix,
    /// Per edge of the pattern: axis and face.
    edges: Vec<(usize, usize)>,
    axes: [bool; 3],
    engine: Engine,
}

impl std::fmt::Debug for LinearSystem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LinearSystem").field("size", &self.matrix.size()).field("axes", &self.axes).finish_non_exhaustive()
    }
}

impl LinearSystem {
    /// Analyses the system for the cells of a grid coupled along `axes`.
    ///
    /// # Errors
    /// When it does not fit into memory.
    pub fn new(grid: &Grid, axes: [bool; 3], method: LinearMethod) -> Result<Self, SparseError> {
        let (mut pairs, mut edges) = (Vec::new(), Vec::new());
        for axis in (0..3).filter(|a| axes[*a]) {
            for (face, sides) in grid.sides(axis).iter().enumerate() {
                if let (Some(a), Some(b)) = *sides
                    && a != b
                {
                    pairs.push((a, b));
                    edges.push((axis, face));
                }
            }
        }
        let pattern: Arc<_> = SymmetricPattern::from_edges(grid.len(), &pairs)?;
        let coupled = axes.iter().enumerate().filter(|(a, on)| **on && grid.cells(*a) > 1).count();
        let direct = match method {
            LinearMethod::Auto => coupled < 3 || grid.len() <= SMALL,
            LinearMethod::Cholesky => true,
            LinearMethod::ConjugateGradients => false,
        };
        let engine = if direct {
            Engine::Direct(Box::new(Cholesky::analyse(&pattern)?))
        } else {
            Engine::Iterative { preconditioner: None, workspace: CgWorkspace::default(), solution: Vec::new() }
        };
        Ok(Self { matrix: SymmetricMatrix::zeros(&pattern), edges, axes, engine })
    }

    /// The axes it couples.
    #[must_use]
    pub const fn axes(&self) -> [bool; 3] {
        self.axes
    }

    /// Fills in `diagonal + factor × Laplacian(conductance)` and prepares to solve with it.
    ///
    /// # Errors
    /// When the matrix is not positive definite or not finite.
    pub fn prepare(&mut self, diagonal: &[f64], factor: f64, conductance: &FaceField) -> Result<(), SparseError> {
        self.matrix.clear();
        for (cell, value) in diagonal.iter().enumerate() {
            self.matrix.add_diagonal(cell, *value);
        }
        for (edge, &(axis, face)) in self.edges.iter().enumerate() {
            self.matrix.add_conductance(edge, factor * conductance.0[axis][face]);
        }
        match &mut self.engine {
            Engine::Direct(cholesky) => cholesky.factorise(&self.matrix),
            Engine::Iterative { preconditioner: Some(factor), .. } => factor.update(&self.matrix),
            Engine::Iterative { preconditioner, .. } => {
                *preconditioner = Some(IncompleteCholesky::new(&self.matrix)?);
                Ok(())
            }
        }
    }

    /// Replaces a right-hand side by the solution. Conjugate gradients stop at `tolerance` of the size of the right-hand side;
    /// whoever needs more looks at the residual and comes again, as Newton does.
    ///
    /// # Errors
    /// When nothing is prepared or the right-hand side is not finite.
    pub fn solve(&mut self, rhs: &mut [f64], tolerance: f64) -> Result<(), SparseError> {
        match &mut self.engine {
            Engine::Direct(cholesky) => cholesky.solve_in_place(rhs),
            Engine::Iterative { preconditioner: Some(factor), workspace, solution } => {
                solution.clear();
                solution.resize(rhs.len(), 0.0);
                let params = CgParams { tolerance, ..CgParams::default() };
                solve_cg(&self.matrix, rhs, solution, factor, params, workspace)?;
                rhs.copy_from_slice(solution);
                Ok(())
            }
            Engine::Iterative { .. } => Err(SparseError::NotFactorised),
        }
    }
}
