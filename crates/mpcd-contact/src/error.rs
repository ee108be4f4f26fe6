//! What can stop the contact module during a step. Faults of the model file are `InputError`s, raised when it is built.

use mpcd_friction::rigid::ProblemError;
use mpcd_geometry::GeometryError;

/// A step of the contact module that cannot be computed.
#[derive(Debug, thiserror::Error)]
pub enum ContactError {
    /// Detection failed.
    #[error(transparent)]
    Geometry(#[from] GeometryError),
    /// The discrete problem is malformed.
    #[error("the contact problem cannot be posed: {0}")]
    Problem(#[from] ProblemError),
    /// A load is not a finite number.
    #[error("the load on {body} is not a finite number at t = {time} s; check its function of time")]
    Load {
        /// Which body.
        body: String,
        /// When (s).
        time: f64,
    },
    /// A velocity is not a finite number.
    #[error(
        "the velocity of {body} is not a finite number after the step at t = {time} s; reduce the time step or look for a fault in its loads or size"
    )]
    NotFinite {
        /// Which body.
        body: String,
        /// When (s).
        time: f64,
    },
    /// A body shrank to nothing.
    #[error("the size factor of {body} is {size} at t = {time} s, expected above zero; check expansion and temperature")]
    Size {
        /// Which body.
        body: String,
        /// Its size factor.
        size: f64,
        /// When (s).
        time: f64,
    },
}
