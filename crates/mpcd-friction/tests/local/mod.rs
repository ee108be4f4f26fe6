//! Stored problems: files, solvers, the collection.

mod auto;
mod condensation;
mod direct;
mod matrix;
mod problems;
mod properties;
mod solvers;
