//! What a shape that is not a plain one tells the geometry: its core, its measures, how far it reaches.
//! How two cores touch is the narrow phase's matter.

use std::sync::Arc;

use mpcd_core::Vec3;

use super::SupportMap;

/// What a shape is to the narrow phase. A few cores carry all shapes; the contact of each pair of them is known.
#[derive(Debug, Clone)]
pub enum Core {
    /// A ball; in a planar model a disc.
    Round {
        /// Radius (m).
        radius: f64,
    },
    /// All points on one side of a plane through the origin.
    HalfSpace {
        /// Outward unit normal.
        normal: Vec3,
    },
    /// A convex body with a curved surface; in space only.
    Smooth(Arc<dyn SupportMap>),
}

/// What a shape measures, for the dimension of its model.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Measures {
    /// Volume (m³).
    pub volume: f64,
    /// Outer surface (m²).
    pub surface: f64,
    /// Moments of inertia over mass about the body axes, which are principal (m²).
    pub inertia: Vec3,
}

/// A shape described by its core, centre of mass at the origin, in principal axes.
#[derive(Debug)]
pub struct Solid {
    name: &'static str,
    core: Core,
    measures: Measures,
    /// Lower and upper corner of its box in body axes (m).
    bounds: [Vec3; 2],
    /// Farthest surface point from the origin, or a little more (m).
    reach: f64,
}

impl Solid {
    /// A shape. `name` is its kind, as a model file calls it.
    #[must_use]
    pub fn new(name: &'static str, core: Core, measures: Measures) -> Self {
        let bounds = core.bounds();
        let reach = core.reach(&bounds);
        Self { name, core, measures, bounds, reach }
    }

    /// Its kind, as a model file calls it.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// What it is to the narrow phase.
    #[must_use]
    pub const fn core(&self) -> &Core {
        &self.core
    }

    /// What it measures.
    #[must_use]
    pub const fn measures(&self) -> &Measures {
        &self.measures
    }

    /// Lower and upper corner of its box in body axes (m).
    #[must_use]
    pub const fn bounds(&self) -> &[Vec3; 2] {
        &self.bounds
    }

    /// Radius of a ball (planar: circle) about the centre of mass that holds it (m).
    #[must_use]
    pub const fn reach(&self) -> f64 {
        self.reach
    }
}

/// Shared shapes are the same when they are one.
impl PartialEq for Solid {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Core {
    /// Lower and upper corner of the box along the axes (m).
    fn bounds(&self) -> [Vec3; 2] {
        match self {
            Self::Round { radius } => [Vec3::repeat(-radius), Vec3::repeat(*radius)],
            Self::HalfSpace { .. } => [Vec3::repeat(f64::NEG_INFINITY), Vec3::repeat(f64::INFINITY)],
            Self::Smooth(body) => {
                let along = |k: usize, sign: f64| {
                    let mut direction = Vec3::zeros();
                    direction[k] = sign;
                    body.support(&direction)[k]
                };
                [Vec3::from_fn(|k, _| along(k, -1.0)), Vec3::from_fn(|k, _| along(k, 1.0))]
            }
        }
    }

    fn reach(&self, bounds: &[Vec3; 2]) -> f64 {
        match self {
            Self::Round { radius } => *radius,
            _ => bounds[0].abs().sup(&bounds[1].abs()).norm(),
        }
    }
}
