//! Stored problems: files, solvers, the collection.

mod fclib;
mod shared;
mod solvers;
