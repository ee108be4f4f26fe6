//! Refuses what no contact can be computed from: impossible shapes once, impossible motions at every call.

use mpcd_core::{BodyId, Dimension, Kinematics};
use rayon::prelude::*;

use crate::{
    error::GeometryError,
    narrow::Scene,
    shape::{Shape, Shapes},
};

/// Bodies per parallel piece.
const PIECE: usize = 4096;

/// Checks the measures of all shapes.
pub(super) fn shapes(shapes: &Shapes, dimension: Dimension) -> Result<(), GeometryError> {
    shapes.0.iter().enumerate().try_for_each(|(i, shape)| one_shape(BodyId::from_index(i), shape, dimension))
}

fn one_shape(body: BodyId, shape: &Shape, dimension: Dimension) -> Result<(), GeometryError> {
    let planar = dimension == Dimension::Planar;
    let name = shape.name();
    let measure = |what, value: f64, allowed: bool, expected| {
        if value.is_finite() && allowed {
            Ok(())
        } else {
            Err(GeometryError::Measure { body, shape: name, what, value, expected })
        }
    };
    let above_zero = |what, value: f64| measure(what, value, value > 0.0, "a length above zero");
    match *shape {
        Shape::Ball { radius } => above_zero("radius", radius),
        Shape::Disc { .. } if !planar => Err(GeometryError::PlanarOnly { body, shape: name }),
        Shape::Disc { radius, thickness } => above_zero("radius", radius).and_then(|()| above_zero("thickness", thickness)),
        Shape::Plane { normal } => {
            let length = normal.norm();
            measure("normal of length", length, length > 0.0, "a vector with a direction")?;
            in_plane(body, name, !planar || normal.z == 0.0)
        }
        Shape::Segment { half, thickness_radius: r } => {
            measure("radius", r, r >= 0.0, "a length of zero or above")?;
            above_zero("length", 2.0 * half.norm())?;
            in_plane(body, name, !planar || half.z == 0.0)
        }
        // A solid was checked when it was made.
        Shape::Solid(_) => Ok(()),
        Shape::Box { half } => half.iter().try_for_each(|h| above_zero("half edge", *h)),
    }
}

/// Widest body over the period. Two bodies half as wide touch on both sides at once, and one contact between them would be missing.
const WIDEST: f64 = 0.5 * (1.0 - 1e-3);

/// Checks that bodies and periods fit together.
pub(super) fn periods(shapes: &Shapes, periods: &[Option<f64>; 3], dimension: Dimension) -> Result<(), GeometryError> {
    for (axis, period) in ['x', 'y', 'z'].into_iter().zip(periods) {
        let Some(period) = *period else { continue };
        if !(period.is_finite() && period > 0.0) || (dimension == Dimension::Planar && axis == 'z') {
            return Err(GeometryError::Period { axis, period });
        }
        for (i, shape) in shapes.0.iter().enumerate() {
            let width = shape.bounding_radius(dimension).map_or(0.0, |r| 2.0 * r);
            if width > WIDEST * period {
                return Err(GeometryError::WiderThanPeriod {
                    body: BodyId::from_index(i),
                    shape: shape.name(),
                    width,
                    axis,
                    period,
                });
            }
        }
    }
    Ok(())
}

/// Checks that planes lie along the periodic axes: others would cut the cell.
pub(super) fn walls(scene: &Scene<'_>) -> Result<(), GeometryError> {
    for i in 0..scene.shapes.len() {
        let body = BodyId::from_index(i);
        if !scene.is_plane(body) {
            continue;
        }
        let n = scene.outward(body);
        if let Some(axis) = (0..3).find(|&k| scene.periods[k].is_some() && n[k].abs() > 1e-9) {
            return Err(GeometryError::PlaneAcross { body, axis: ['x', 'y', 'z'][axis] });
        }
    }
    Ok(())
}

fn in_plane(body: BodyId, shape: &'static str, holds: bool) -> Result<(), GeometryError> {
    if holds { Ok(()) } else { Err(GeometryError::OutOfPlane { body, shape }) }
}

/// Checks that positions, orientations and sizes are numbers; names the first body where they are not.
pub(super) fn motion(shapes: &Shapes, kinematics: &Kinematics) -> Result<(), GeometryError> {
    let (count, k) = (shapes.0.len(), kinematics);
    let rows = [k.position.len(), k.orientation.len(), k.size.len()];
    if let Some(&bodies) = rows.iter().find(|&&n| n != count) {
        return Err(GeometryError::Count { shapes: count, bodies });
    }
    let piece_is_sound = |p: usize| (p * PIECE..((p + 1) * PIECE).min(count)).all(|i| one_motion(i, k).is_ok());
    if (0..count.div_ceil(PIECE)).into_par_iter().all(piece_is_sound) {
        return Ok(());
    }
    (0..count).try_for_each(|i| one_motion(i, k))
}

fn one_motion(i: usize, k: &Kinematics) -> Result<(), GeometryError> {
    let body = BodyId::from_index(i);
    if !k.position[i].iter().all(|c| c.is_finite()) {
        Err(GeometryError::NotFinite { body, what: "position" })
    } else if !k.orientation[i].coords.iter().all(|c| c.is_finite()) {
        Err(GeometryError::NotFinite { body, what: "orientation" })
    } else if !k.size[i].is_finite() {
        Err(GeometryError::NotFinite { body, what: "size" })
    } else if k.size[i] <= 0.0 {
        Err(GeometryError::Size { body, size: k.size[i] })
    } else {
        Ok(())
    }
}
