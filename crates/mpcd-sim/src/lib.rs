//! Model file, registry, port check, staggered loop, checkpoints.
