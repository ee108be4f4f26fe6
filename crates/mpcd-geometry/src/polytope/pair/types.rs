//! What goes into a pair of polytopes and what comes out. No computation.

use mpcd_core::{Quat, Vec3};

use super::{clip::Corner, view::Buffers};
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
    /// Two sharp bodies that could slide past each other after a move sideways of this length (m) or less do not touch: of a
    /// corner on a corner no normal can be told. So a brick that slides from one brick to the next does not catch on its side,
    /// whichever of the two stands higher by less than this; and blocks that meet corner to corner in a regular wall do not
    /// push each other. A small multiple of the overlaps that a run leaves; 0 for none.
    pub graze: f64,
}

/// One point of a contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ManifoldPoint {
    /// Common point of the two surfaces (m): on the body that has the vertex here; where edges cross, between them.
    pub point: Vec3,
    /// Gap along the normal (m), negative where the bodies overlap.
    pub gap: f64,
    /// What makes the point: the same as long as the same vertex is on the same face or the same edges cross.
    pub feature: FeaturePair,
    /// The point's part of the [`Patch`]: area (m²) of a face, length (m) of a line, 0 of a point and of what is beyond the patch.
    pub share: f64,
}

/// Where two bodies lie on each other, seen along the normal: as far as it is level, see [`mpcd_core::patch::on_patch`].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Patch {
    /// A point.
    #[default]
    Point,
    /// A line: two faces of a planar model, or a segment on something in space.
    Line {
        /// Its length (m).
        length: f64,
    },
    /// Two faces.
    Face {
        /// The area (m²).
        area: f64,
    },
}

impl Patch {
    /// Its length (m) or area (m²); 0 of a point.
    pub(super) const fn size(&self) -> f64 {
        match *self {
            Self::Point => 0.0,
            Self::Line { length: size } | Self::Face { area: size } => size,
        }
    }
}

/// The contact of two bodies: one normal, up to eight points by rising feature. Owns the buffers of its computation.
#[derive(Debug, Clone, Default)]
pub struct Manifold {
    pub(super) normal: Vec3,
    pub(super) points: Vec<ManifoldPoint>,
    pub(super) patch: Patch,
    pub(super) sine: f64,
    pub(super) buffers: Buffers,
    pub(super) corners: [Vec<Corner>; 2],
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

    /// Where the bodies lie over each other.
    #[must_use]
    pub const fn patch(&self) -> &Patch {
        &self.patch
    }

    /// Sine of the angle at which two edges cross, where they do.
    pub(crate) const fn sine(&self) -> f64 {
        self.sine
    }

    pub(super) fn clear(&mut self) {
        self.normal = Vec3::zeros();
        self.points.clear();
        self.patch = Patch::Point;
        self.sine = 0.0;
    }
}
