//! The line search of Newton's method. Knows no body.

use crate::error::FemError;

/// Most shortenings of one correction.
const SHORTENINGS: usize = 8;

/// The part of a correction to take: all of it, unless the slope along it (correction · residual) grows beyond what it was at
/// the start, or an element turns inside out on the way. `slope_at` evaluates at a part; the last call is the one that is taken.
pub(crate) fn search(start: f64, mut slope_at: impl FnMut(f64) -> Result<f64, FemError>) -> Result<f64, FemError> {
    let mut part = 1.0;
    let mut last = Ok(part);
    for _ in 0..SHORTENINGS {
        match slope_at(part) {
            Ok(slope) if slope.abs() <= start.abs() => return Ok(part),
            Ok(slope) => {
                last = Ok(part);
                part *= (start.abs() / (start.abs() + slope.abs())).clamp(0.1, 0.5);
            }
            Err(error @ FemError::Element { .. }) => {
                last = Err(error);
                part *= 0.5;
            }
            Err(other) => return Err(other),
        }
    }
    match last {
        Ok(part) => slope_at(part).map(|_| part),
        error => error,
    }
}
