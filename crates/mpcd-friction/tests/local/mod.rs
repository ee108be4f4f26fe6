//! Stored problems: files, solvers, the collection.

mod auto;
mod bad_files;
mod direct;
mod fclib;
mod matrix;
mod problems;
mod properties;
mod shared;
mod solvers;
