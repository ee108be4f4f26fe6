//! Stored frictional contact problems (assembled W, or M and H) and the solvers that work on them.
//!
//! Local form `u = W r + q`; global form `M v = H r + f`, `u = Hᵀ v + w`; law per contact
//! `K* ∋ u + (μ‖u_t‖, 0, 0) ⊥ r ∈ K` (PHYSICS §3). Generic over the contact dimension, 2 or 3.

mod block;
mod bodies;
mod frontal;
mod global;
mod interior;
mod mass;
mod newton;
mod nlgs;
mod prepared;
mod problem;
mod settings;
mod small;
mod spectrum;

pub use block::{Block, BlockMatrix, add_block_product};
pub use global::{GlobalProblem, matrix_from_entries};
pub use interior::InteriorPoint;
pub use nlgs::Nlgs;
pub use prepared::PreparedProblem;
pub use problem::{LocalError, LocalProblem, LocalWarning};
pub use settings::{LocalSettings, LocalSolver, Measure};
pub use spectrum::{extreme_eigenvalues, largest_eigenvalue};
