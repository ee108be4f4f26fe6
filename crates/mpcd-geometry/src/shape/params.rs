//! How a model file writes the plain shapes: `Disc(radius: "1 mm")`, `Segment(from: (0, 0), to: (1, 0))`, … One struct per
//! shape.

use mpcd_core::{
    Dimension, InputError, Quantity, Quat, Vec3,
    quantity::{Length, NonNegative, Number, Positive, Vector},
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{PlacedShape, Shape, ShapeInput, ShapeKind, UNIT_THICKNESS};

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

impl ShapeKind for SphereParams {
    const NAME: &'static str = "Sphere";
    type Params = Self;

    fn build(p: Self, _: &mut ShapeInput<'_>) -> Result<PlacedShape, InputError> {
        Ok(PlacedShape::centred(Shape::Ball { radius: p.radius.si() }))
    }
}

impl ShapeKind for DiscParams {
    const NAME: &'static str = "Disc";
    type Params = Self;

    fn build(p: Self, input: &mut ShapeInput<'_>) -> Result<PlacedShape, InputError> {
        let dimension = input.dimension();
        if dimension == Dimension::Spatial {
            return Err(InputError::new("a disc belongs to a planar model, but this model is spatial")
                .help("use `Sphere(radius: …)`, or set the dimension of the model to 2"));
        }
        Ok(PlacedShape::centred(Shape::Disc { radius: p.radius.si(), thickness: thickness(p.thickness) }))
    }
}

impl ShapeKind for PlaneParams {
    const NAME: &'static str = "Plane";
    type Params = Self;

    fn build(p: Self, input: &mut ShapeInput<'_>) -> Result<PlacedShape, InputError> {
        let dimension = input.dimension();
        let normal = in_plane(p.normal.si(), "normal", dimension)?;
        let normal = normal.try_normalize(0.0).filter(|n| n.iter().all(|c| c.is_finite())).ok_or_else(|| {
            InputError::new("the normal of a plane has no direction")
                .help("give a vector such as (0, 1) that is neither zero nor huge")
                .at("normal")
        })?;
        Ok(PlacedShape::centred(Shape::Plane { normal }))
    }
}

impl ShapeKind for SegmentParams {
    const NAME: &'static str = "Segment";
    type Params = Self;

    fn build(p: Self, input: &mut ShapeInput<'_>) -> Result<PlacedShape, InputError> {
        let dimension = input.dimension();
        let (from, to) = (in_plane(p.from.si(), "from", dimension)?, in_plane(p.to.si(), "to", dimension)?);
        let half = 0.5 * (to - from);
        let length = half.norm();
        if length == 0.0 {
            return Err(InputError::new("the two ends of the segment are the same point")
                .help("make `from` and `to` differ")
                .at("to"));
        }
        // The shape's x axis is the segment, so that its moments of inertia are principal. A half turn has no unique axis: take z.
        let orientation = Quat::rotation_between(&Vec3::x(), &half)
            .unwrap_or_else(|| Quat::from_axis_angle(&Vec3::z_axis(), std::f64::consts::PI));
        let thickness_radius = p.radius.map_or(0.0, |r| r.si());
        Ok(PlacedShape {
            shape: Shape::Segment { half: length * Vec3::x(), thickness_radius },
            centre: 0.5 * (from + to),
            orientation,
        })
    }
}

impl ShapeKind for BoxParams {
    const NAME: &'static str = "Box";
    type Params = Self;

    fn build(p: Self, input: &mut ShapeInput<'_>) -> Result<PlacedShape, InputError> {
        let dimension = input.dimension();
        let (key, mut half) = match (&p.half, &p.size) {
            (Some(half), None) => ("half", half.si()),
            (None, Some(size)) => ("size", 0.5 * size.si()),
            (Some(_), Some(_)) => {
                return Err(InputError::new("a box has both `half` and `size`")
                    .help("keep one of them: half = size / 2")
                    .at("size"));
            }
            (None, None) => {
                return Err(InputError::new("a box needs its edges").help("add `size: (x, y, z)` or `half: (x, y, z)`"));
            }
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
        Ok(PlacedShape::centred(Shape::Box { half }))
    }
}

pub(super) fn thickness(given: Option<Quantity<Length, Positive>>) -> f64 {
    given.map_or(UNIT_THICKNESS, |t| t.si())
}

pub(super) fn in_plane(v: Vec3, key: &str, dimension: Dimension) -> Result<Vec3, InputError> {
    if dimension == Dimension::Planar && v.z != 0.0 {
        return Err(InputError::new(format!("`{key}` has a z component of {}, but the model is planar", v.z))
            .help(format!("write `{key}: (x, y)`"))
            .at(key));
    }
    Ok(v)
}
