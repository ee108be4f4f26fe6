//! What can be wrong with shapes or their motion. One enum; every message says what was expected and what to do.

use mpcd_core::BodyId;

/// A geometric fault.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum GeometryError {
    /// A position, orientation or size is not a finite number.
    #[error(
        "the {what} of body {} is not a finite number; the motion has diverged: reduce the time step or look for bodies that overlap at the start",
        body.0
    )]
    NotFinite {
        /// The body.
        body: BodyId,
        /// Which of its columns.
        what: &'static str,
    },
    /// A size factor that is not above zero.
    #[error("the size factor of body {} is {size}, expected a number above zero; check what makes bodies grow or shrink", body.0)]
    Size {
        /// The body.
        body: BodyId,
        /// Its size factor.
        size: f64,
    },
    /// As many shapes as bodies are needed.
    #[error("there are {shapes} shapes for {bodies} bodies, expected one shape per body; build both from the same list")]
    Count {
        /// Number of shapes.
        shapes: usize,
        /// Number of rows of the kinematics.
        bodies: usize,
    },
    /// The alert distance is not a finite number.
    #[error("the alert distance is {0}, expected a finite length; check the time step and the velocities")]
    Alert(f64),
    /// A shape with an impossible measure.
    #[error("the {shape} of body {} has a {what} of {value}, expected {expected}", body.0)]
    Measure {
        /// The body.
        body: BodyId,
        /// Kind of shape.
        shape: &'static str,
        /// Which measure.
        what: &'static str,
        /// Its value.
        value: f64,
        /// What is allowed.
        expected: &'static str,
    },
    /// A shape that only planar models know.
    #[error("body {} is a {shape}, which only planar models know; use a sphere, or make the model planar", body.0)]
    PlanarOnly {
        /// The body.
        body: BodyId,
        /// Kind of shape.
        shape: &'static str,
    },
    /// A direction that leaves the plane of a planar model.
    #[error("the {shape} of body {} points out of the xy plane, but the model is planar; set its z component to 0", body.0)]
    OutOfPlane {
        /// The body.
        body: BodyId,
        /// Kind of shape.
        shape: &'static str,
    },
    /// Two shapes that interact but whose contact is not known.
    #[error(
        "body {} ({candidate_shape}) and body {} ({antagonist_shape}) are near each other, but contacts between these shapes are not known; take the interaction between their groups out, or use spheres or discs for one of them",
        candidate.0, antagonist.0
    )]
    UnknownPair {
        /// The body that would carry the candidate point.
        candidate: BodyId,
        /// Its kind of shape.
        candidate_shape: &'static str,
        /// The other body.
        antagonist: BodyId,
        /// Its kind of shape.
        antagonist_shape: &'static str,
    },
}
