//! The symmetric linear systems of a pass: stored content plus θ times the Laplacian of the conductances.
//! Which solver is used is decided here and nowhere else.

use std::sync::Arc;

use mpcd_sparse::{
    BoxSystem, BoxWorkspace, CgParams, CgWorkspace, Cholesky, IncompleteCholesky, SparseError, SymmetricMatrix, SymmetricPattern,
    solve_cg,
};

use crate::grid::{FaceField, Grid};

/// How a linear system is solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinearMethod {
    /// Cholesky for small grids, multigrid for the others.
    Auto,
    /// Sparse Cholesky.
    Cholesky,
    /// Conjugate gradients with incomplete Cholesky.
    ConjugateGradients,
    /// Conjugate gradients with a multigrid cycle.
    Multigrid,
}

/// Largest grids that Cholesky is taken for, coupled along one axis, two and three: its fill grows as n, n log n and n^(4/3).
const SMALL: [usize; 4] = [usize::MAX, usize::MAX, 5000, 1500];

enum Engine {
    Direct { matrix: Edges, cholesky: Box<Cholesky> },
    Iterative { matrix: Edges, preconditioner: Option<IncompleteCholesky>, workspace: CgWorkspace },
    Multigrid { system: BoxSystem, up: [Vec<f64>; 3], workspace: BoxWorkspace },
}

/// A matrix by its graph.
struct Edges {
    matrix: SymmetricMatrix,
    /// Per edge of the pattern: axis and face.
    faces: Vec<(usize, usize)>,
}

/// A system over the cells of a grid, coupled along some of its axes.
pub struct LinearSystem {
    axes: [bool; 3],
    engine: Engine,
    solution: Vec<f64>,
}

impl std::fmt::Debug for LinearSystem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LinearSystem").field("axes", &self.axes).finish_non_exhaustive()
    }
}

impl Edges {
    fn new(grid: &Grid, axes: [bool; 3]) -> Result<Self, SparseError> {
        let (mut pairs, mut faces) = (Vec::new(), Vec::new());
        for axis in (0..3).filter(|a| axes[*a]) {
            for (face, sides) in grid.sides(axis).iter().enumerate() {
                if let (Some(a), Some(b)) = *sides
                    && a != b
                {
                    pairs.push((a, b));
                    faces.push((axis, face));
                }
            }
        }
        let pattern: Arc<_> = SymmetricPattern::from_edges(grid.len(), &pairs)?;
        Ok(Self { matrix: SymmetricMatrix::zeros(&pattern), faces })
    }

    fn fill(&mut self, diagonal: &[f64], factor: f64, conductance: &FaceField) {
        self.matrix.clear();
        for (cell, value) in diagonal.iter().enumerate() {
            self.matrix.add_diagonal(cell, *value);
        }
        for (edge, &(axis, face)) in self.faces.iter().enumerate() {
            self.matrix.add_conductance(edge, factor * conductance.0[axis][face]);
        }
    }
}

impl LinearSystem {
    /// Analyses the system for the cells of a grid coupled along `axes`.
    ///
    /// # Errors
    /// When it does not fit into memory.
    pub fn new(grid: &Grid, axes: [bool; 3], method: LinearMethod) -> Result<Self, SparseError> {
        let coupled = axes.iter().enumerate().filter(|(a, on)| **on && grid.cells(*a) > 1).count();
        let method = match method {
            LinearMethod::Auto if grid.len() <= SMALL[coupled] => LinearMethod::Cholesky,
            LinearMethod::Auto => LinearMethod::Multigrid,
            other => other,
        };
        let engine = match method {
            LinearMethod::Cholesky => {
                let matrix = Edges::new(grid, axes)?;
                let cholesky = Box::new(Cholesky::analyse(matrix.matrix.pattern())?);
                Engine::Direct { matrix, cholesky }
            }
            LinearMethod::ConjugateGradients => {
                let matrix = Edges::new(grid, axes)?;
                Engine::Iterative { matrix, preconditioner: None, workspace: CgWorkspace::default() }
            }
            LinearMethod::Multigrid | LinearMethod::Auto => Engine::Multigrid {
                system: BoxSystem::default(),
                up: std::array::from_fn(|_| vec![0.0; grid.len()]),
                workspace: BoxWorkspace::default(),
            },
        };
        Ok(Self { axes, engine, solution: Vec::new() })
    }

    /// The axes it couples.
    #[must_use]
    pub const fn axes(&self) -> [bool; 3] {
        self.axes
    }

    /// Whether a solve stops at its tolerance; one that does not is exact to rounding.
    #[must_use]
    pub const fn is_iterative(&self) -> bool {
        !matches!(self.engine, Engine::Direct { .. })
    }

    /// Fills in `diagonal + factor × Laplacian(conductance)` and prepares to solve with it.
    ///
    /// # Errors
    /// When the matrix is not positive definite or not finite.
    pub fn prepare(&mut self, grid: &Grid, diagonal: &[f64], factor: f64, conductance: &FaceField) -> Result<(), SparseError> {
        match &mut self.engine {
            Engine::Direct { matrix, cholesky } => {
                matrix.fill(diagonal, factor, conductance);
                cholesky.factorise(&matrix.matrix)
            }
            Engine::Iterative { matrix, preconditioner, .. } => {
                matrix.fill(diagonal, factor, conductance);
                match preconditioner {
                    Some(kept) => kept.update(&matrix.matrix),
                    none => {
                        *none = Some(IncompleteCholesky::new(&matrix.matrix)?);
                        Ok(())
                    }
                }
            }
            Engine::Multigrid { system, up, .. } => {
                for axis in (0..3).filter(|a| self.axes[*a]) {
                    for (sides, k) in grid.sides(axis).iter().zip(&conductance.0[axis]) {
                        if let (Some(below), Some(_)) = *sides {
                            up[axis][below] = factor * k;
                        }
                    }
                }
                let count = [0, 1, 2].map(|d| grid.cells(d));
                system.fill(count, diagonal, up.each_ref().map(Vec::as_slice))
            }
        }
    }

    /// Replaces a right-hand side by the solution. Conjugate gradients stop at `tolerance` of the size of the right-hand side;
    /// whoever needs more looks at the residual and comes again, as Newton does.
    ///
    /// # Errors
    /// When nothing is prepared or the right-hand side is not finite.
    pub fn solve(&mut self, rhs: &mut [f64], tolerance: f64) -> Result<(), SparseError> {
        self.solution.clear();
        self.solution.resize(rhs.len(), 0.0);
        let params = CgParams { tolerance, ..CgParams::default() };
        match &mut self.engine {
            Engine::Direct { cholesky, .. } => return cholesky.solve_in_place(rhs),
            Engine::Iterative { matrix, preconditioner: Some(factor), workspace } => {
                solve_cg(&matrix.matrix, rhs, &mut self.solution, factor, params, workspace)?;
            }
            Engine::Iterative { .. } => return Err(SparseError::NotFactorised),
            Engine::Multigrid { system, workspace, .. } => {
                system.solve(rhs, &mut self.solution, params, workspace)?;
            }
        }
        rhs.copy_from_slice(&self.solution);
        Ok(())
    }
}
