//! Whether an implicit sub-step does, looked at before it is accepted: where Newton's method found no solution, or contacts begin and
//! end within it, it is halved.
//!
//! What may not live here: how a step is divided and what moves how far in it (`schedule`, `crossing`), how the sub-step is solved (`implicit`).

use super::{columns::Columns, engine::Engine, implicit::Outcome};

/// Energy that the scheme may make or lose in a sub-step, of what contacts store and turn to heat in it.
const FAULT: f64 = 1e-3;
/// Implicit sub-steps for an explicit one, where contacts begin and end: their error there is of first order, and larger.
const FINER: f64 = 4.0;

/// What came of a sub-step that is not yet accepted.
pub(crate) struct Trial<'a> {
    pub(crate) engine: &'a Engine,
    pub(crate) columns: &'a Columns,
    pub(crate) dt: f64,
    pub(crate) theta: f64,
    pub(crate) outcome: Outcome,
}

impl Trial<'_> {
    /// Whether a shorter one is needed. `resolved`: a sub-step so short that its contacts are seen as often as an explicit one sees them (s).
    pub(crate) fn too_long(&self, tolerance: f64, resolved: impl FnOnce() -> f64) -> bool {
        (self.outcome.residual > tolerance || self.at_fault()) && FINER * self.dt > resolved()
    }

    fn at_fault(&self) -> bool {
        let [made, lost, exchanged] = self.engine.faults(self.dt, self.theta, self.columns.mean.slices());
        // a scheme with θ above ½ damps: that is what it is chosen for, at 1 for nothing else
        made + 2.0 * (1.0 - self.theta) * lost > FAULT * exchanged
    }
}
