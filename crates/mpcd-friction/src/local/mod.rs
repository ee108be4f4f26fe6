//! Stored frictional contact problems (assembled W, or M and H) and the solvers that work on them.
//!
//! Local form `u = W r + q`; global form `M v = H r + f`, `u = Hᵀ v + w`; law per contact
//! `K* ∋ u + (μ‖u_t‖, 0, 0) ⊥ r ∈ K` (PHYSICS §3). Generic over the contact dimension, 2 or 3.
//!
//! Solvers of other crates stand behind the same trait ([`LocalSolver`]) and join the table of names by [`register_solver`]; [`Watch`],
//! [`polish`] and [`PreparedProblem::bodies`] are there for them.
#![allow(clippy::neg_cmp_op_on_partial_ord, reason = "a NaN must take the branch of failure")]

mod accelerated;
mod admm;
mod auto;
mod block;
mod bodies;
mod border;
mod dear;
mod foreign;
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
mod soft_form;
mod spectrum;
mod sprung;
mod work;

pub use accelerated::AcceleratedNlgs;
pub use admm::Admm;
pub use auto::Auto;
pub use block::{Block, BlockMatrix, add_block_product};
pub use bodies::{BodyForm, Lever};
pub(crate) use dear::least_if_dear;
pub(crate) use foreign::absent_reason;
pub use foreign::{AbsentSolver, ForeignSolver, NameTaken, announce_absent, register_solver};
pub use global::{GlobalProblem, matrix_from_entries};
pub use gradient::{AcceleratedProjectedGradient, ConjugateProjectedGradient, Existence, Impossible, existence, impossible};
pub use hybrid::Hybrid;
pub use interior::InteriorPoint;
pub use islands::islands;
pub use lemke::Lemke;
pub use names::{LOCAL_SOLVERS, local_solver, local_solver_names};
pub use nlgs::{DescentStep, Jacobi, LocalContact, LocalMethod, Nlgs, Order};
pub use nonsmooth::{NonsmoothNewton, ProximalNewton, Reformulation};
pub use polish::polish;
pub(crate) use prepared::Acceptance;
pub use prepared::PreparedProblem;
pub use problem::{LocalError, LocalProblem, LocalWarning};
pub use rigid_form::{NotCoulomb, RigidForm, factorisation_flops};
pub use settings::{LocalSettings, LocalSolver, Measure, Watch};
pub use spectrum::{extreme_eigenvalues, largest_eigenvalue};
pub(crate) use sprung::Sprung;
pub use work::counted_operations;
