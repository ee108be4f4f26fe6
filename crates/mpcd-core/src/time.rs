//! The step in time.

/// One time step, from `time` to `time + h`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// Number of accepted steps before this one; of a module with a pace of its own, of its steps.
    pub index: u64,
    /// Time at the start (s).
    pub time: f64,
    /// Length (s).
    pub h: f64,
    /// Weight of the end of the step in the θ-scheme, ½ … 1.
    pub theta: f64,
    /// Whether it ends a step of the model's length: false within one that failed and is done in parts, so that what goes by steps is not shifted by it.
    /// Where the model adapts its steps, each counts.
    pub whole: bool,
    /// Which coupling iteration of this step, from 0.
    pub iteration: usize,
}

impl Step {
    /// Time at the end (s).
    #[must_use]
    pub fn end(&self) -> f64 {
        self.time + self.h
    }

    /// The time at which loads act in the θ-scheme (s).
    #[must_use]
    pub fn load_time(&self) -> f64 {
        self.time + self.theta * self.h
    }
}
