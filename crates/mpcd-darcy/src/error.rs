//! What can make a step impossible.

use mpcd_core::PortMisuse;
use mpcd_sparse::SparseError;

/// A step that cannot be computed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum DarcyError {
    /// A pressure that the fluid cannot have.
    #[error(
        "the pore pressure at ({:.4}, {:.4}, {:.4}) m became {value} Pa, expected {expected}; reduce the time step, or check the pressures of the boundaries and the speed of the grains",
        place[0], place[1], place[2]
    )]
    Pressure {
        /// Centre of the cell (m).
        place: [f64; 3],
        /// Its pressure (Pa).
        value: f64,
        /// What the fluid can have.
        expected: &'static str,
    },
    /// A boundary value that the fluid cannot have.
    #[error("the boundary `{face}` gives {value} at t = {time} s, expected {expected}; check its function of time")]
    Boundary {
        /// Key of the face.
        face: &'static str,
        /// What its function gave.
        value: f64,
        /// Time (s).
        time: f64,
        /// What is allowed.
        expected: &'static str,
    },
    /// A grain that is nowhere.
    #[error(
        "the {what} of {body} is not a finite number; the motion has diverged: reduce the time step or look for bodies that overlap at the start"
    )]
    Motion {
        /// Name of the body.
        body: String,
        /// Position or size.
        what: &'static str,
    },
    /// The state has another number of cells or grains than the model.
    #[error("the state has {found} {what}, the model {expected}; it belongs to another model: start again without --resume")]
    State {
        /// Cells or grains.
        what: &'static str,
        /// How many the state has.
        found: usize,
        /// How many the model has.
        expected: usize,
    },
    /// The linear system could not be solved.
    #[error("the equations of the pore pressure cannot be solved: {0}")]
    Linear(#[from] SparseError),
    /// A field that was not declared.
    #[error(transparent)]
    Port(#[from] PortMisuse),
}
