//! FCLIB files: frictional contact problems stored in HDF5, read and written without a system library.
//!
//! Layout and traps: groups `/fclib_local` (W, q, mu) and `/fclib_global` (M, H, f, w, mu), either or both;
//! `/solution` (u, r, and v). Matrices are triplets (i = row, p = column), compressed columns or compressed rows.
//! Components are normal first. Nothing here solves.

mod error;
mod file;
mod matrix;
mod read;
mod write;

pub use error::FclibError;
pub use read::{Info, Stored, StoredProblem, read, read_impulses};
pub use write::{Solution, write, write_solution};
