//! What can be wrong with shapes or their motion. One enum; every message says what was expected and what to do.

use mpcd_core::BodyId;

use crate::polytope::PolytopeError;

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
    /// More pairs within the alert distance than can be looked at.
    #[error(
        "about {pairs:.1e} pairs of {bodies} bodies are nearer than {alert:.3e} m, which bodies may come towards each other in a step: more than can be looked at; shorten the time step, or look for a body that is much too fast"
    )]
    TooManyPairs {
        /// Pairs, exact or expected.
        pairs: f64,
        /// Bodies of finite size.
        bodies: usize,
        /// The alert distance (m).
        alert: f64,
    },
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
    /// A shape that makes no hull.
    #[error("the {shape} of body {} makes no body: {source}", body.0)]
    Hull {
        /// The body.
        body: BodyId,
        /// Kind of shape.
        shape: &'static str,
        /// What is wrong with its vertices.
        source: PolytopeError,
    },
    /// A period that is none.
    #[error("the period along {axis} is {period} m; expected a length above zero along an axis of the model")]
    Period {
        /// x, y or z.
        axis: char,
        /// The period (m).
        period: f64,
    },
    /// A body that could touch its own image.
    #[error(
        "body {} (a {shape}) is up to {width} m wide, half the period of {period} m along {axis} or more: two of them could touch on both sides at once, or one its own image; make the period longer, or use a plane for a wall",
        body.0
    )]
    WiderThanPeriod {
        /// The body.
        body: BodyId,
        /// Kind of shape.
        shape: &'static str,
        /// Diameter of its bounding ball at reference size (m).
        width: f64,
        /// x, y or z.
        axis: char,
        /// The period (m).
        period: f64,
    },
    /// A plane that cuts a periodic cell.
    #[error("the plane of body {} stands across the periodic axis {axis}; expected planes along it, or no period along {axis}", body.0)]
    PlaneAcross {
        /// The body.
        body: BodyId,
        /// x, y or z.
        axis: char,
    },
}
