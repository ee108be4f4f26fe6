//! Stored problems: files, solvers, the collection.

mod direct;
mod bad_files;
mod fclib;
mod matrix;
mod problems;
mod properties;
mod shared;
mod solvers;
