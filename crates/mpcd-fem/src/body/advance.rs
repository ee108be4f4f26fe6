//! A step without contact, halved when it fails.

use super::{Balance, Body};
use crate::error::FemError;
use crate::model::{Conditions, State};

/// Most halvings of a step.
const HALVINGS: usize = 8;

impl Body {
    /// One step of length `h` (s), loads going from `start` to `end`. Where Newton's method or an element fails, the step is made in
    /// halves, down to 1/256.
    ///
    /// # Errors
    /// As [`Body::begin`], [`Body::linearise`] and [`Body::correct`].
    pub fn advance(&mut self, state: &State, h: f64, start: &Conditions, end: &Conditions) -> Result<(State, Balance), FemError> {
        self.advance_halved(state, h, start, end, 0)
    }

    fn advance_halved(
        &mut self,
        state: &State,
        h: f64,
        start: &Conditions,
        end: &Conditions,
        halvings: usize,
    ) -> Result<(State, Balance), FemError> {
        match self.attempt(state, h, start, end) {
            Err(FemError::Convergence { .. } | FemError::Element { .. }) if halvings < HALVINGS => {
                let middle = Conditions::between(start, end, 0.5);
                let (first, mut balance) = self.advance_halved(state, 0.5 * h, start, &middle, halvings + 1)?;
                let (last, second) = self.advance_halved(&first, 0.5 * h, &middle, end, halvings + 1)?;
                balance.add(&second);
                Ok((last, balance))
            }
            Err(FemError::Convergence { file, time, iterations, residual, .. }) => {
                let halved = format!(", also with the step halved {halvings} times");
                Err(FemError::Convergence { file, time, iterations, residual, halved })
            }
            other => other,
        }
    }

    fn attempt(&mut self, state: &State, h: f64, start: &Conditions, end: &Conditions) -> Result<(State, Balance), FemError> {
        let none = vec![0.0; self.model.unknowns()];
        let mut step = self.begin(state, h, start, end)?;
        loop {
            self.linearise(&mut step)?;
            if self.correct(&mut step, &none)? {
                return self.finish(step);
            }
        }
    }
}
