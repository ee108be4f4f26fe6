//! Non-smooth contact dynamics: motion, laws, assembly, solve.
