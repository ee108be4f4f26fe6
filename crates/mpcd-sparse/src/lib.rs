//! Sparse linear algebra for mpcd: one face over faer (factorisations), sprs (storage) and feral-metis (ordering).
//!
//! The physics crates see plain indices and slices; faer's and feral-metis' types stay inside. The rooms:
//! - [`SymmetricPattern`] and [`SymmetricMatrix`]: a graph assembled once, its values refilled by edge number, no search;
//! - [`Cholesky`] for symmetric positive definite matrices, analysed once per pattern;
//! - [`GeneralPattern`], [`GeneralMatrix`] and [`Lu`] for matrices that are not symmetric;
//! - [`solve_cg`] with [`Jacobi`] or [`IncompleteCholesky`], stopping on the true residual;
//! - [`solve_unsymmetric`]: stabilised biconjugate gradients for an operator that is not symmetric, with a preconditioner of the caller;
//! - [`SweptGradients`]: the same with a symmetric sweep as preconditioner, at half the cost of an iteration;
//! - [`BoxSystem`]: diffusion on a regular box grid, by conjugate gradients with a multigrid cycle;
//! - [`SymmetricSystem`]: all of these for one system that is refilled step after step; where rounding lets no factorisation of a Laplacian be, an
//!   elimination without subtraction in its place;
//! - [`uneven`]: what is said of conductances over too many decades;
//! - [`Compensated`]: solutions whose differences keep their digits;
//! - [`minimum_degree`] and [`subtract_product`]: what a factorisation by fronts elsewhere takes of faer, compiled here once;
//! - [`Islands`]: connected parts; [`reduce`]: sums whose bits do not depend on the number of threads.
//!
//! Factorisations run on one thread in a fixed order, and of many right-hand sides each is solved by one, so that bits depend on the
//! input alone.
//!
//! ```
//! use mpcd_sparse::{Cholesky, SymmetricMatrix, SymmetricPattern};
//! # fn main() -> Result<(), mpcd_sparse::SparseError> {
//! // three resistors in a row: node 0 held at 1 V, node 3 at 0 V
//! let pattern = SymmetricPattern::from_edges(4, &[(0, 1), (1, 2), (2, 3)])?;
//! let mut matrix = SymmetricMatrix::zeros(&pattern);
//! for edge in 0..3 {
//!     matrix.add_conductance(edge, 2.0);
//! }
//! let mut potential = vec![0.0; 4];
//! matrix.hold(&[Some(1.0), None, None, Some(0.0)], &mut potential)?;
//! let mut cholesky = Cholesky::analyse(&pattern)?;
//! cholesky.factorise(&matrix)?;
//! cholesky.solve_in_place(&mut potential)?;
//! assert!((potential[1] - 2.0 / 3.0).abs() < 1e-15);
//! # Ok(()) }
//! ```
#![forbid(unsafe_code)]

mod boxes;
mod cg;
mod cholesky;
mod columns;
mod compensated;
mod dense;
mod elimination;
mod error;
mod general;
mod islands;
mod lu;
mod ordering;
mod points;
mod precondition;
pub mod reduce;
mod scaled;
mod swept;
mod symmetric;
mod system;
mod uneven;
mod unsymmetric;
mod work;

pub use boxes::{BoxSystem, BoxWorkspace};
pub use cg::{CgParams, CgReport, CgStatus, CgWorkspace, solve_cg};
pub use cholesky::Cholesky;
pub use compensated::{Compensated, add_product};
pub use dense::subtract_product;
pub use error::SparseError;
pub use general::{GeneralMatrix, GeneralPattern};
pub use islands::Islands;
pub use lu::Lu;
pub use ordering::{Ordering, minimum_degree, nested_dissection};
pub use points::{Points, pairs, weights};
pub use precondition::{IncompleteCholesky, Jacobi, Preconditioner};
pub use swept::SweptGradients;
pub use symmetric::{SymmetricMatrix, SymmetricPattern};
pub use system::{Choice, Goal, SymmetricSystem, SystemMethod};
pub use uneven::uneven;
pub use unsymmetric::{Unsymmetric, solve_unsymmetric};
pub use work::Work;
