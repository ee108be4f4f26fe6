//! Sparse factorisations with pattern reuse, conjugate gradients, reductions in fixed order.
