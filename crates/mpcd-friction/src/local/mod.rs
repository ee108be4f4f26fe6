//! Stored frictional contact problems (assembled W, or M and H) and the solvers that work on them.
//!
//! Local form `u = W r + q`; global form `M v = H r + f`, `u = Hᵀ v + w`; law per contact
//! `K* ∋ u + (μ‖u_t‖, 0, 0) ⊥ r ∈ K` (PHYSICS §3). Generic over the contact dimension, 2 or 3.
#![allow(clippy::neg_cmp_op_on_partial_ord, reason = "a NaN must take the branch of failure")]

mod accelerated;
mod admm;
mod auto;
mod block;
mod bodies;
mod conic;
mod frontal;
mod global;
mod gradient;
mod hybrid;
mod interior;
mod islands;
mod lemke;
mod mass;
mod names;
mod newton;
mod nlgs;
mod nonsmooth;
mod polish;
mod prepared;
mod problem;
mod rigid_form;
mod settings;
mod small;
mod spectrum;
pub(crate) mod work;

pub use accelerated::AcceleratedNlgs;
pub use admm::Admm;
pub use auto::Auto;
pub use block::{Block, BlockMatrix, add_block_product};
pub use conic::Conic;
pub use global::{GlobalProblem, matrix_from_entries};
pub use gradient::{AcceleratedProjectedGradient, ConjugateProjectedGradient, Existence, Impossible, existence, impossible};
pub use hybrid::Hybrid;
pub use interior::InteriorPoint;
pub use islands::islands;
pub use lemke::Lemke;
pub use names::{LOCAL_SOLVERS, local_solver};
pub use nlgs::{DescentStep, Jacobi, LocalContact, LocalMethod, Nlgs, Order};
pub use nonsmooth::{NonsmoothNewton, ProximalNewton, Reformulation};
pub use prepared::PreparedProblem;
pub use problem::{LocalError, LocalProblem, LocalWarning};
pub use rigid_form::{NotCoulomb, RigidForm, factorisation_flops};
pub use settings::{LocalSettings, LocalSolver, Measure};
pub use spectrum::{extreme_eigenvalues, largest_eigenvalue};
