//! The discrete frictional contact problem as plain data, and its solvers.
//!
//! Floor 1: this crate knows no bodies and no time. Impulses, velocities and free velocities are those of one step;
//! components of every local vector are normal first, `(n, t, s)`.

pub mod cone;
pub mod error;
pub mod law;
pub mod report;
pub mod rigid;
pub mod settings;
pub mod solver;

pub use cone::Cone;
pub use error::{ErrorSum, FreeNorms};
pub use law::LocalLaw;
pub use report::{Errors, SolveInfo, Stage, Status, WorstContact};
pub use settings::{SolveSettings, SweepOrder};
pub use solver::RigidSolver;
