//! Shapes made from points: the hull of a block, and random grains with corners on a sphere.

use std::f64::consts::TAU;

use mpcd_core::{Dimension, Vec3};

use super::{PackingError, Random, limit::CORNERS};
use crate::shape::PlacedShape;

/// Draws of corners before giving up; fewer than one in a thousand sets of corners is too flat.
const TRIES: usize = 20;

/// The convex body with these corners (m), in its principal axes; a polygon of the given thickness (m) in a planar model. `centre`
/// and `orientation` say where its centre of mass and axes are.
///
/// # Errors
/// Points on one line or in one plane (in a planar model on one line).
pub fn hull(points: &[Vec3], thickness: f64, dimension: Dimension) -> Result<PlacedShape, PackingError> {
    let name = if dimension == Dimension::Planar { "Polygon" } else { "Polyhedron" };
    PlacedShape::hull(name, points, dimension, thickness).map_err(|e| PackingError::Hull(e.to_string()))
}

/// A convex grain with random corners on a sphere (in a planar model a circle) of `radius` (m) about the origin.
///
/// # Errors
/// Fewer than 4 corners (3 in a planar model).
pub fn grain(
    corners: usize,
    radius: f64,
    thickness: f64,
    dimension: Dimension,
    random: &mut Random,
) -> Result<PlacedShape, PackingError> {
    let least = if dimension == Dimension::Planar { 3 } else { 4 };
    if corners < least {
        let expected = if least == 3 { "3 or more" } else { "4 or more" };
        return Err(PackingError::Structure { what: "the number of corners", value: corners as f64, expected });
    }
    if corners > CORNERS {
        return Err(PackingError::Structure { what: "the number of corners", value: corners as f64, expected: "5000 at most" });
    }
    let mut last = Err(PackingError::Hull("no corners".to_owned()));
    for _ in 0..TRIES {
        // One corner in each sector: no grain is a sliver, none misses a side.
        let points: Vec<Vec3> = (0..corners)
            .map(|i| {
                let turn = TAU * (i as f64 + random.within(0.1, 0.9)) / corners as f64;
                if dimension == Dimension::Planar {
                    return Vec3::new(turn.cos(), turn.sin(), 0.0) * radius;
                }
                // Even in height, and around by the golden ratio: spread over the sphere, moved at random.
                let z = 1.0 - 2.0 * (i as f64 + random.within(0.1, 0.9)) / corners as f64;
                let around = TAU * (i as f64 * 0.618_033_988_749_895 + random.within(-0.15, 0.15));
                let flat = (1.0 - z * z).max(0.0).sqrt();
                Vec3::new(flat * around.cos(), flat * around.sin(), z) * radius
            })
            .collect();
        last = hull(&points, thickness, dimension);
        if last.is_ok() {
            break;
        }
    }
    last
}
