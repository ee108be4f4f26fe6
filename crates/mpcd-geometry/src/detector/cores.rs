//! The core of every body, made once. Boxes and walls of the same measures share one.

use std::collections::HashMap;

use mpcd_core::{BodyId, Dimension, Vec3};

use crate::{
    error::GeometryError,
    polytope::PolytopeError,
    shape::{Core, Shape, Shapes},
};

/// The cores of all shapes, whose measures were checked before.
pub(super) fn of(shapes: &Shapes, dimension: Dimension) -> Result<Vec<Core>, GeometryError> {
    let mut made: HashMap<[u64; 4], Core> = HashMap::new();
    let mut share = |half: &Vec3, rounding: f64, make: &dyn Fn() -> Result<Core, PolytopeError>| {
        let key = [half.x.to_bits(), half.y.to_bits(), half.z.to_bits(), rounding.to_bits()];
        if let Some(core) = made.get(&key) {
            return Ok(core.clone());
        }
        let core = make()?;
        made.insert(key, core.clone());
        Ok(core)
    };
    let mut out = Vec::with_capacity(shapes.0.len());
    for (i, shape) in shapes.0.iter().enumerate() {
        let core = match shape {
            Shape::Ball { radius } => Ok(Core::Round { radius: *radius, tapers: true }),
            Shape::Disc { radius, .. } => Ok(Core::Round { radius: *radius, tapers: false }),
            Shape::Plane { normal } => Ok(Core::HalfSpace { normal: normal.normalize() }),
            // A sharp box and a wall never have the same key: a wall's is marked.
            Shape::Box { half } => share(half, -1.0, &|| Core::cuboid(half, dimension)),
            Shape::Segment { half, thickness_radius: r } => share(half, *r, &|| Core::segment(half, *r, dimension)),
            Shape::Solid(solid) => Ok(solid.core().clone()),
        };
        out.push(core.map_err(|source| GeometryError::Hull { body: BodyId::from_index(i), shape: shape.name(), source })?);
    }
    Ok(out)
}
