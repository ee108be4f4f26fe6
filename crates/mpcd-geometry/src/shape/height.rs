//! How far a shape reaches in a direction: its support function. No motion, no contacts.

use mpcd_core::Vec3;

use super::{Core, Shape};

impl Shape {
    /// How far the shape reaches from its centre of mass along a unit vector in body axes, at reference size (m): max x·d over its points.
    /// `None` for a plane, which reaches without end.
    #[must_use]
    pub fn height(&self, d: &Vec3) -> Option<f64> {
        match self {
            Self::Ball { radius } | Self::Disc { radius, .. } => Some(*radius),
            Self::Plane { .. } => None,
            Self::Segment { half, thickness_radius } => Some(half.dot(d).abs() + thickness_radius),
            Self::Box { half } => Some(half.dot(&d.abs())),
            Self::Solid(solid) => solid.core().height(d),
        }
    }
}

impl Core {
    fn height(&self, d: &Vec3) -> Option<f64> {
        let highest = |points: &[Vec3]| points.iter().map(|x| x.dot(d)).reduce(f64::max);
        match self {
            Self::Round { radius, .. } => Some(*radius),
            Self::HalfSpace { .. } => None,
            Self::Deformable { half, .. } => Some(half.dot(&d.abs())),
            Self::Polytope { hull, rounding } => highest(hull.vertices()).map(|h| h + rounding),
            Self::Smooth(body) => Some(body.support(d).dot(d)),
            Self::Hollow { outside, .. } => outside.height(d),
            Self::Mesh(mesh) => highest(mesh.vertices()),
            Self::Cluster(parts) => parts
                .iter()
                .map(|part| Some(part.at.dot(d) + part.core.height(&(part.rotation.inverse() * d))?))
                .collect::<Option<Vec<f64>>>()?
                .into_iter()
                .reduce(f64::max),
        }
    }
}
