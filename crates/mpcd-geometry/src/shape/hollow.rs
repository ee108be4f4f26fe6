//! Hollow bodies: the cavity as the bodies inside see it. No contact is computed here.

use mpcd_core::Vec3;

/// The inside of a hollow body, about its origin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cavity {
    /// A ball; in a planar model a disc.
    Ball {
        /// Radius (m).
        radius: f64,
    },
    /// A cylinder along z.
    Tube {
        /// Radius (m).
        radius: f64,
        /// Half its length (m).
        half_length: f64,
        /// Whether walls close the two ends.
        closed: bool,
    },
}

impl Cavity {
    /// Whether a point (m, body axes at reference size) is inside.
    #[must_use]
    pub fn holds(&self, point: &Vec3) -> bool {
        match *self {
            Self::Ball { radius } => point.norm() < radius,
            Self::Tube { radius, half_length, .. } => point.x.hypot(point.y) < radius && point.z.abs() < half_length,
        }
    }

    /// The largest ball that the cavity holds has this radius (m).
    #[must_use]
    pub fn room(&self) -> f64 {
        match *self {
            Self::Ball { radius } => radius,
            Self::Tube { radius, half_length, closed } => {
                if closed {
                    radius.min(half_length)
                } else {
                    radius
                }
            }
        }
    }

    /// Distance of a point inside from the wall (m), the unit normal of the wall there, pointing inside, and the number of the wall, for each wall.
    pub(crate) fn walls(&self, point: &Vec3, mut visit: impl FnMut(f64, Vec3, u32)) {
        match *self {
            Self::Ball { radius } => {
                let distance = point.norm();
                visit(radius - distance, inward(point, distance, radius), 0);
            }
            Self::Tube { radius, half_length, closed } => {
                let across = Vec3::new(point.x, point.y, 0.0);
                let distance = across.norm();
                if closed || point.z.abs() <= half_length {
                    visit(radius - distance, inward(&across, distance, radius), 0);
                }
                if closed {
                    visit(half_length - point.z, -Vec3::z(), 1);
                    visit(half_length + point.z, Vec3::z(), 2);
                }
            }
        }
    }

    /// Principal curvatures of a wall as the bodies inside see it [1/m]: below zero where it bends around them.
    pub(crate) fn curvature(&self, wall: u32) -> [f64; 2] {
        match (*self, wall) {
            (Self::Ball { radius }, _) => [-1.0 / radius; 2],
            (Self::Tube { radius, .. }, 0) => [-1.0 / radius, 0.0],
            (Self::Tube { .. }, _) => [0.0; 2],
        }
    }
}

/// From a point towards the axis; a point on the axis is under the wall at −x.
fn inward(across: &Vec3, distance: f64, radius: f64) -> Vec3 {
    if distance > 1e-14 * radius { -across / distance } else { Vec3::x() }
}
