//! Stored contact problems: FCLIB files, read and written without a system library, solved and compared; and the solvers of
//! `mpcd-friction`'s table that need a library of their own.
//!
//! Floor 2, beside the modules of a step and unknown to them: a step needs neither HDF5 nor a conic solver to compile.
//! What lives here: files, their solution, curves and tables, [`Conic`]. What may not: bodies, time, solvers that a step starts by default.
//!
//! Layout and traps of a file: groups `/fclib_local` (W, q, mu) and `/fclib_global` (M, H, f, w, mu), either or both;
//! `/solution` (u, r, and v), `/guesses`. Matrices are triplets (i = row, p = column), compressed columns or compressed rows.
//! Components are normal first. Solving is handed to [`mpcd_friction::local`].

mod clock;
mod conic;
mod dump;
mod error;
mod file;
mod matrix;
mod profile;
mod read;
mod solve;
mod solvers;
mod table;
mod write;

pub use conic::Conic;
pub use dump::{DumpError, dump};
pub use error::FclibError;
pub use profile::{CostTable, Profile, profiles_to_csv, profiles_to_svg};
pub use read::{Info, Stored, StoredProblem, read, read_guesses, read_impulses};
pub use solve::{Solved, SolvedFile, existence_of, solve, solve_file, warnings};
pub use solvers::{local_solver, local_solver_names, register_solvers};
pub use table::{TABLE_COLUMNS, table_row};
pub use write::{Solution, write, write_solution, write_with_guesses};
