//! What can be wrong with a material.

/// A fault of a material's parameters, or of a strain it has no answer for.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MaterialError {
    /// A parameter out of its range.
    #[error("the {parameter} is {value}, expected {expected}")]
    Parameter {
        /// Which parameter.
        parameter: &'static str,
        /// Its value.
        value: f64,
        /// Its range, and what to do instead.
        expected: &'static str,
    },
    /// A strain without an answer.
    #[error("the material has no stress for {what} of {value:e}; take smaller steps")]
    Strain {
        /// Which measure of the strain.
        what: &'static str,
        /// Its value.
        value: f64,
    },
}

pub(super) fn check(parameter: &'static str, value: f64, good: bool, expected: &'static str) -> Result<(), MaterialError> {
    if good && value.is_finite() { Ok(()) } else { Err(MaterialError::Parameter { parameter, value, expected }) }
}
