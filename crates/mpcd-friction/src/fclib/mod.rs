//! FCLIB files: frictional contact problems stored in HDF5, read and written without a system library.
//!
//! Layout and traps: groups `/fclib_local` (W, q, mu) and `/fclib_global` (M, H, f, w, mu), either or both;
//! `/solution` (u, r, and v), `/guesses`. Matrices are triplets (i = row, p = column), compressed columns or compressed rows.
//! Components are normal first. Solving is handed to [`crate::local`].

mod clock;
mod dump;
mod error;
mod file;
mod matrix;
mod profile;
mod read;
mod solve;
mod table;
mod write;

pub use dump::{DumpError, dump};
pub use error::FclibError;
pub use profile::{CostTable, Profile, profiles_to_csv, profiles_to_svg};
pub use read::{Info, Stored, StoredProblem, read, read_guesses, read_impulses};
pub use solve::{Solved, SolvedFile, existence_of, solve, solve_file, warnings};
pub use table::{TABLE_COLUMNS, table_row};
pub use write::{Solution, write, write_solution, write_with_guesses};
