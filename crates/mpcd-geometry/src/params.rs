//! How a model file writes shapes: `Disc(radius: "1 mm")`, `Segment(from: (0, 0), to: (1, 0))`, … One struct per shape,
//! listed in one table that reader and manual share.

use mpcd_core::{
    Dimension, Fragment, InputError, Quantity, Quat, Vec3,
    quantity::{Length, NonNegative, Number, Positive, Vector},
};
use schemars::{JsonSchema, Schema, schema_for};
use serde::Deserialize;

use crate::shape::{Shape, UNIT_THICKNESS};

/// A sphere; also in a planar model, where its centre stays in the plane.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SphereParams {
    /// Radius.
    pub radius: Quantity<Length, Positive>,
}

/// A disc of a planar model: a cylinder along z.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DiscParams {
    /// Radius.
    pub radius: Quantity<Length, Positive>,
    /// Thickness along z; default 1 m.
    pub thickness: Option<Quantity<Length, Positive>>,
}

/// A half-space whose surface passes through the body's position; it has no mass and does not end.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlaneParams {
    /// Normal of the surface, to the side where bodies are; any length.
    pub normal: Vector<Number>,
}

/// A wall from one point to another with rounded ends; in space a capsule. Balls and discs touch it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SegmentParams {
    /// One end, from the body's position.
    pub from: Vector<Length>,
    /// The other end, from the body's position.
    pub to: Vector<Length>,
    /// Half the thickness of the wall: distance from the segment to the surface; default 0.
    pub radius: Option<Quantity<Length, NonNegative>>,
}

/// A box along the body axes. Give either `half` or `size`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BoxParams {
    /// Half the edges: (x, y) in a planar model, (x, y, z) in space.
    pub half: Option<Vector<Length, NonNegative>>,
    /// The edges: (x, y) in a planar model, (x, y, z) in space.
    pub size: Option<Vector<Length, NonNegative>>,
    /// Thickness along z in a planar model; default 1 m. Not used in space.
    pub thickness: Option<Quantity<Length, Positive>>,
}

/// A shape and where its centre of mass and axes are, seen from the position the model gives.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlacedShape {
    /// The shape, centre of mass at the origin, in principal axes.
    pub shape: Shape,
    /// Centre of mass, from the position given in the model, before the body is turned (m).
    pub centre: Vec3,
    /// From the shape's axes to the axes the model speaks of.
    pub orientation: Quat,
}

/// A kind of shape for the manual.
#[derive(Debug, Clone, Copy)]
pub struct ShapeEntry {
    /// Name in the model file.
    pub name: &'static str,
    /// Schema of its parameters, with documentation, units and ranges.
    pub schema: fn() -> Schema,
    read: fn(&Fragment, Dimension) -> Result<PlacedShape, InputError>,
}

/// All kinds of shapes.
pub const SHAPE_ENTRIES: &[ShapeEntry] = &[
    ShapeEntry { name: "Sphere", schema: || schema_for!(SphereParams), read: sphere },
    ShapeEntry { name: "Disc", schema: || schema_for!(DiscParams), read: disc },
    ShapeEntry { name: "Plane", schema: || schema_for!(PlaneParams), read: plane },
    ShapeEntry { name: "Segment", schema: || schema_for!(SegmentParams), read: segment },
    ShapeEntry { name: "Box", schema: || schema_for!(BoxParams), read: cuboid },
];

/// Reads `Name(…)` as a shape of a model of the given dimension.
///
/// # Errors
/// An unknown name, a wrong or missing key, or a shape that the dimension does not know, at its place in the file.
pub fn parse_shape(fragment: &Fragment, dimension: Dimension) -> Result<PlacedShape, InputError> {
    let names = SHAPE_ENTRIES.iter().map(|e| e.name);
    let Some(entry) = SHAPE_ENTRIES.iter().find(|e| e.name == fragment.name()) else {
        return Err(InputError::unknown("shape", fragment.name(), names).within(fragment));
    };
    (entry.read)(fragment, dimension).map_err(|e| e.within(fragment))
}

fn centred(shape: Shape) -> PlacedShape {
    PlacedShape { shape, centre: Vec3::zeros(), orientation: Quat::identity() }
}

fn sphere(fragment: &Fragment, _: Dimension) -> Result<PlacedShape, InputError> {
    let p: SphereParams = fragment.parse_body()?;
    Ok(centred(Shape::Ball { radius: p.radius.si() }))
}

fn disc(fragment: &Fragment, dimension: Dimension) -> Result<PlacedShape, InputError> {
    let p: DiscParams = fragment.parse_body()?;
    if dimension == Dimension::Spatial {
        return Err(InputError::new("a disc belongs to a planar model, but this model is spatial")
            .help("use `Sphere(radius: …)`, or set the dimension of the model to 2"));
    }
    Ok(centred(Shape::Disc { radius: p.radius.si(), thickness: thickness(p.thickness) }))
}

fn plane(fragment: &Fragment, dimension: Dimension) -> Result<PlacedShape, InputError> {
    let p: PlaneParams = fragment.parse_body()?;
    let normal = in_plane(p.normal.si(), "normal", dimension)?;
    let normal = normal.try_normalize(0.0).filter(|n| n.iter().all(|c| c.is_finite())).ok_or_else(|| {
        InputError::new("the normal of a plane has no direction")
            .help("give a vector such as (0, 1) that is neither zero nor huge")
            .at("normal")
    })?;
    Ok(centred(Shape::Plane { normal }))
}

fn segment(fragment: &Fragment, dimension: Dimension) -> Result<PlacedShape, InputError> {
    let p: SegmentParams = fragment.parse_body()?;
    let (from, to) = (in_plane(p.from.si(), "from", dimension)?, in_plane(p.to.si(), "to", dimension)?);
    let half = 0.5 * (to - from);
    let length = half.norm();
    if length == 0.0 {
        return Err(InputError::new("the two ends of the segment are the same point")
            .help("make `from` and `to` differ")
            .at("to"));
    }
    // The shape's x axis is the segment, so that its moments of inertia are principal. A half turn has no unique axis: take z.
    let orientation =
        Quat::rotation_between(&Vec3::x(), &half).unwrap_or_else(|| Quat::from_axis_angle(&Vec3::z_axis(), std::f64::consts::PI));
    let thickness_radius = p.radius.map_or(0.0, |r| r.si());
    Ok(PlacedShape {
        shape: Shape::Segment { half: length * Vec3::x(), thickness_radius },
        centre: 0.5 * (from + to),
        orientation,
    })
}

fn cuboid(fragment: &Fragment, dimension: Dimension) -> Result<PlacedShape, InputError> {
    let p: BoxParams = fragment.parse_body()?;
    let (key, mut half) = match (&p.half, &p.size) {
        (Some(half), None) => ("half", half.si()),
        (None, Some(size)) => ("size", 0.5 * size.si()),
        (Some(_), Some(_)) => {
            return Err(InputError::new("a box has both `half` and `size`").help("keep one of them: half = size / 2").at("size"));
        }
        (None, None) => return Err(InputError::new("a box needs its edges").help("add `size: (x, y, z)` or `half: (x, y, z)`")),
    };
    if dimension == Dimension::Planar {
        if half.z != 0.0 {
            return Err(InputError::new(format!("`{key}` has three components, but the model is planar"))
                .help(format!("write `{key}: (x, y)` and give the third edge as `thickness`"))
                .at(key));
        }
        half.z = 0.5 * thickness(p.thickness);
    } else if p.thickness.is_some() {
        return Err(InputError::new("`thickness` belongs to planar models, but this model is spatial")
            .help(format!("take it out and give `{key}` three components"))
            .at("thickness"));
    }
    if half.min() <= 0.0 {
        let wanted = if dimension == Dimension::Planar { "(x, y)" } else { "(x, y, z)" };
        return Err(InputError::new(format!("`{key}` of a box has a component that is 0; expected lengths above zero"))
            .help(format!("write `{key}: {wanted}`"))
            .at(key));
    }
    Ok(centred(Shape::Box { half }))
}

fn thickness(given: Option<Quantity<Length, Positive>>) -> f64 {
    given.map_or(UNIT_THICKNESS, |t| t.si())
}

fn in_plane(v: Vec3, key: &str, dimension: Dimension) -> Result<Vec3, InputError> {
    if dimension == Dimension::Planar && v.z != 0.0 {
        return Err(InputError::new(format!("`{key}` has a z component of {}, but the model is planar", v.z))
            .help(format!("write `{key}: (x, y)`"))
            .at(key));
    }
    Ok(v)
}
