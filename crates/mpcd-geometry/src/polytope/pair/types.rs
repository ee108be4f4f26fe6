//! What goes into a pair of polytopes and what comes out. No computation.

use mpcd_core::{Quat, Vec3};

use crate::polytope::{FeaturePair, Polytope};

/// A polytope somewhere: all points within `rounding` of the hull.
#[derive(Debug, Clone, Copy)]
pub struct Placed<'a> {
    /// The hull in body axes, at reference size.
    pub hull: &'a Polytope,
    /// Position of the body's origin (m).
    pub position: Vec3,
    /// Body axes → world axes.
    pub orientation: Quat,
    /// Linear size factor of the hull; not of `rounding`.
    pub size: f64,
    /// Radius of the ball that is added to the hull, at the present size (m).
    pub rounding: f64,
}

/// How far to look.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reach {
    /// Points with a gap up to this are reported (m).
    pub alert: f64,
    /// Overlaps sideways up to this are no contact (m): two bodies whose hulls could slide past each other after so small a
    /// move, without turning. A brick that slides from one brick to the next then does not catch on its side, whichever of the
    /// two stands higher by less than this. A small multiple of the overlaps that a run leaves; 0 for none.
    pub graze: f64,
}

/// One point of a contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ManifoldPoint {
    /// Common point of the two surfaces (m): on the body that has the vertex here, half way where two edges cross.
    pub point: Vec3,
    /// Gap along the normal (m), negative where the bodies overlap.
    pub gap: f64,
    /// What makes the point: the same as long as the same vertex is on the same face or the same edges cross.
    pub feature: FeaturePair,
    /// The point's share of the patch: of the area where the two faces lie over each other [m²], in a planar model of its
    /// length (m). 0 where an edge or a vertex has no face over it.
    pub area: f64,
}

/// The contact of two bodies: one normal, up to four points by rising feature. Owns the buffers of its computation.
#[derive(Debug, Clone, Default)]
pub struct Manifold {
    pub(crate) normal: Vec3,
    pub(crate) points: Vec<ManifoldPoint>,
}

impl Manifold {
    /// Unit normal, from the second body to the first; zero if there is no point.
    #[must_use]
    pub const fn normal(&self) -> &Vec3 {
        &self.normal
    }

    /// The points by rising feature; none if the bodies are farther apart than asked for.
    #[must_use]
    pub fn points(&self) -> &[ManifoldPoint] {
        &self.points
    }
}
