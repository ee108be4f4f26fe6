//! A count of floating-point operations, kept where they are done: products with W, factorisations and triangular solves (from
//! the symbolic analysis), local solves, cone algebra per contact, condensation. Same problem, same solver: the same count
//! on every machine.
//!
//! The count is of the thread, as a stored problem is solved on one. Additions and multiplications count one each;
//! what a contact costs besides (projections, roots, square roots) is a fixed number per kind. Symbolic work, moves of
//! memory and the inner work of foreign libraries are not counted.

use std::cell::Cell;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

/// A local problem of Coulomb's law solved exactly.
pub(super) const LOCAL_SOLVE: u64 = 150;
/// Natural-map residuals of one contact, in the scalings of a report.
pub(super) const RESIDUAL: u64 = 100;
/// One contact of a Newton step: value, two blocks, line search.
pub(super) const LINEARISATION: u64 = 250;
/// One contact of an interior-point step: scaling point, right-hand sides of predictor and corrector, step lengths.
pub(super) const CONE_STEP: u64 = 600;

/// Adds operations to the count of this thread.
#[inline]
pub(super) fn count(operations: u64) {
    COUNT.with(|c| c.set(c.get().wrapping_add(operations)));
}

/// Operations of this thread since it started: differences are what counts.
#[must_use]
pub fn counted_operations() -> u64 {
    COUNT.with(Cell::get)
}
