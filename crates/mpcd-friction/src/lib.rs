//! The discrete frictional contact problem as plain data, and its solvers.
