//! A symmetric positive definite system that is refilled step after step, with its factorisation and its preconditioner:
//! all that is analysed is kept as long as the graph stays the same. No physics, and no judgement of a solution.

use crate::cholesky::Cholesky;
use crate::elimination::Elimination;
use crate::error::{SparseError, check_vector};
use crate::reduce::sum_by;
use crate::scaled::ScaledGradients;
use crate::swept::SweptGradients;
use crate::symmetric::{SymmetricMatrix, SymmetricPattern};
use crate::work::{Work, dominance, is_dominant, with_analysis, without_analysis};

/// How a [`SymmetricSystem`] is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SystemMethod {
    /// [`Cholesky`]. A Laplacian whose conductances are too uneven for it is eliminated without subtraction, at any number of decades.
    Cholesky,
    /// Conjugate gradients by [`SweptGradients`], or by the diagonal where that dominates.
    ConjugateGradients,
}

/// When conjugate gradients may stop; Cholesky always does its one solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goal {
    /// Wanted bound on Σ|b − A x|, in the unit of b.
    pub rest: f64,
    /// Most iterations.
    pub max_iterations: u64,
}

/// What [`SymmetricSystem::choose`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// [`SystemMethod::Cholesky`].
    Cholesky,
    /// [`SystemMethod::ConjugateGradients`], but no more than this many iterations: couplings more uneven than was counted with take
    /// more, and then Cholesky is the better choice.
    ConjugateGradients {
        /// Iterations.
        most: u64,
    },
}

/// A system A x = b for corrections of a vector some of whose entries are held. Everything it keeps is a cache: whether it
/// was used before changes no bit of a result.
///
/// It is meant inside a loop that computes its own residual b, as in iterative refinement or Newton's method:
/// [`refill`](Self::refill), [`prepare`](Self::prepare), then [`solve`](Self::solve) once or more.
///
/// ```
/// use mpcd_sparse::{Goal, SymmetricSystem, SystemMethod};
/// # fn main() -> Result<(), mpcd_sparse::SparseError> {
/// // three conductances of 2 in a row, both ends held; 4 flows in at node 1
/// let mut system = SymmetricSystem::default();
/// system.refill(
///     4,
///     [(0, 1), (1, 2), (2, 3)],
///     |matrix| (0..3).for_each(|edge| matrix.add_conductance(edge, 2.0)),
///     |node| node == 0 || node == 3,
/// )?;
/// system.prepare(SystemMethod::Cholesky)?;
/// let mut x = [0.0; 4];
/// system.solve(&[0.0, 4.0, 0.0, 0.0], &mut x, Goal { rest: 1e-12, max_iterations: 100 })?;
/// assert!((x[1] - 4.0 / 3.0).abs() < 1e-15 && (x[2] - 2.0 / 3.0).abs() < 1e-15);
/// # Ok(()) }
/// ```
#[derive(Debug, Default)]
pub struct SymmetricSystem {
    matrix: Option<SymmetricMatrix>,
    cholesky: Option<Cholesky>,
    /// In place of the factorisation that the present values do not let be.
    elimination: Option<Elimination>,
    gradients: SweptGradients,
    scaled: ScaledGradients,
    /// What the diagonal of each row of the present values has beyond its couplings, over itself; empty until it is asked for.
    dominance: Vec<f64>,
    /// The list of zeros where the correction is known.
    held: Vec<Option<f64>>,
    /// A right-hand side that holding a correction at 0 leaves as it is.
    unused: Vec<f64>,
    /// What the present values were prepared for.
    ready: Option<SystemMethod>,
}

impl SymmetricSystem {
    /// Fills the matrix anew: `fill` gets it with all values 0 and adds to the entries by their number in `edges`. Rows of
    /// nodes that are `held` become `correction = 0`. The same `size` and `edges` as the last time keep the pattern and its
    /// analysis, and take no memory.
    ///
    /// # Errors
    /// [`SparseError::IndexOutOfRange`], [`SparseError::SelfEdge`] for an edge that no pattern can have.
    pub fn refill(
        &mut self,
        size: usize,
        edges: impl IntoIterator<Item = (usize, usize)> + Clone,
        fill: impl FnOnce(&mut SymmetricMatrix),
        held: impl Fn(usize) -> bool,
    ) -> Result<(), SparseError> {
        self.ready = None;
        self.dominance.clear();
        let same = |m: &SymmetricMatrix| m.size() == size && m.pattern().edges().iter().copied().eq(edges.clone());
        let matrix = match self.matrix.take().filter(same) {
            Some(mut matrix) => {
                matrix.clear();
                self.matrix.insert(matrix)
            }
            None => {
                self.cholesky = None;
                let pattern = SymmetricPattern::from_edges(size, &edges.into_iter().collect::<Vec<_>>())?;
                self.matrix.insert(SymmetricMatrix::zeros(&pattern))
            }
        };
        fill(matrix);
        self.held.clear();
        self.held.extend((0..size).map(|node| held(node).then_some(0.0)));
        self.unused.clear();
        self.unused.resize(size, 0.0);
        matrix.hold(&self.held, &mut self.unused)
    }

    /// Counted work of both methods until the residual has fallen to the part `accuracy`. A pattern is analysed only where conjugate
    /// gradients may take more than that and what the graph tells of a factorisation.
    ///
    /// # Errors
    /// [`SparseError::NotFilled`].
    pub fn work(&mut self, accuracy: f64) -> Result<Work, SparseError> {
        let matrix = self.matrix.as_ref().ok_or(SparseError::NotFilled)?;
        let work = without_analysis(matrix, dominance_of(matrix, &mut self.dominance), accuracy);
        if work.iterative <= work.direct {
            return Ok(work);
        }
        Ok(match analysed(&mut self.cholesky, matrix) {
            Ok(cholesky) => with_analysis(work, matrix, cholesky),
            // what does not fit into memory is no choice
            Err(_) => Work { direct: f64::INFINITY, ..work },
        })
    }

    /// The method that takes fewer counted operations until the residual has fallen to the part `accuracy`. It depends on the matrix
    /// alone.
    ///
    /// # Errors
    /// [`SparseError::NotFilled`].
    pub fn choose(&mut self, accuracy: f64) -> Result<Choice, SparseError> {
        /// Below it either way is over in a millisecond, and factors leave the smaller residual.
        const SMALL: usize = 1000;
        if self.matrix.as_ref().is_some_and(|m| m.size() < SMALL) {
            return Ok(Choice::Cholesky);
        }
        let Work { iterations, iterative, direct } = self.work(accuracy)?;
        Ok(if direct < iterative {
            Choice::Cholesky
        } else {
            Choice::ConjugateGradients { most: (10.0 * iterations) as u64 + 100 }
        })
    }

    /// Factorises the present values, or makes their preconditioner.
    ///
    /// # Errors
    /// [`SparseError::NotFilled`], and those of [`Cholesky::analyse`] and [`Cholesky::factorise`], or of
    /// [`SweptGradients::update`].
    pub fn prepare(&mut self, method: SystemMethod) -> Result<(), SparseError> {
        self.ready = None;
        let matrix = self.matrix.as_ref().ok_or(SparseError::NotFilled)?;
        match method {
            SystemMethod::Cholesky => {
                let factorised = analysed(&mut self.cholesky, matrix)?.factorise(matrix);
                let refused = matches!(factorised, Err(SparseError::NotPositiveDefinite { .. }));
                self.elimination = None;
                if !(refused && self.eliminate()) {
                    factorised?;
                }
            }
            SystemMethod::ConjugateGradients => {
                if is_dominant(dominance_of(matrix, &mut self.dominance)) {
                    self.scaled.update(matrix)?;
                } else {
                    self.gradients.update(matrix)?;
                }
            }
        }
        self.ready = Some(method);
        Ok(())
    }

    /// Eliminates without subtraction in place of the factorisation, where that does not bring the caller's residual down. Whether it is so now and was not
    /// before: of a matrix that is no Laplacian there is no such elimination, and of a large one it takes too long.
    pub fn eliminate(&mut self) -> bool {
        /// Multiplications of a factorisation above which an elimination, some hundred times slower, is not tried.
        const MOST: f64 = 2e8;
        let (Some(matrix), Some(cholesky), None) = (&self.matrix, &self.cholesky, &self.elimination) else { return false };
        if cholesky.operations() < MOST {
            self.elimination = Elimination::of(matrix);
        }
        self.elimination.is_some()
    }

    /// Solves A x = b as prepared and returns the iterations: 1 of Cholesky, or those of conjugate gradients from x = 0 until
    /// `goal`, but at most 8 digits at a time, because the caller's own residual starts the next round at no loss. `x` is only
    /// written. Not to reach the goal is no error: the caller's residual tells.
    ///
    /// # Errors
    /// [`SparseError::NotFilled`] before any matrix, [`SparseError::NotFactorised`] without [`Self::prepare`] since the last
    /// refill, [`SparseError::Length`], [`SparseError::NonFiniteVector`].
    pub fn solve(&mut self, b: &[f64], x: &mut [f64], goal: Goal) -> Result<u64, SparseError> {
        let matrix = self.matrix.as_ref().ok_or(SparseError::NotFilled)?;
        check_vector("right-hand side", b, matrix.size())?;
        if x.len() != b.len() {
            return Err(SparseError::Length { what: "solution", expected: b.len(), found: x.len() });
        }
        if let (Some(SystemMethod::Cholesky), Some(elimination)) = (self.ready, &self.elimination) {
            x.copy_from_slice(b);
            elimination.solve_in_place(x);
            return Ok(1);
        }
        match (self.ready, &mut self.cholesky) {
            (Some(SystemMethod::Cholesky), Some(cholesky)) => {
                x.copy_from_slice(b);
                cholesky.solve_in_place(x)?;
                Ok(1)
            }
            (Some(SystemMethod::ConjugateGradients), _) => {
                let total = sum_by(b.len(), |i| b[i].abs());
                // the true residual may be a little more than the one carried along, and callers that repeat a solve settle by what is left below it
                let rest = (0.1 * goal.rest).max(1e-8 * total).min(0.1 * total);
                if is_dominant(&self.dominance) {
                    return self.scaled.solve(matrix, b, x, rest, goal.max_iterations);
                }
                self.gradients.solve(b, x, rest, goal.max_iterations)
            }
            _ => Err(SparseError::NotFactorised),
        }
    }
}

/// The dominance of the rows of a matrix, found once for its values.
fn dominance_of<'a>(matrix: &SymmetricMatrix, known: &'a mut Vec<f64>) -> &'a [f64] {
    if known.is_empty() {
        dominance(matrix, known);
    }
    known
}

/// The analysis of a matrix's pattern, made once.
fn analysed<'a>(slot: &'a mut Option<Cholesky>, matrix: &SymmetricMatrix) -> Result<&'a mut Cholesky, SparseError> {
    let cholesky = match slot.take() {
        Some(cholesky) => cholesky,
        None => Cholesky::analyse(matrix.pattern())?,
    };
    Ok(slot.insert(cholesky))
}
