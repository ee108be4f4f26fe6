//! How a model file writes the shapes that are solids: `Polyhedron(vertices: […])`, `Capsule(radius: …, length: …)`, … One struct
//! per shape.

use mpcd_core::{
    InputError, Quantity, Quat, Vec3,
    input::{Open, Piece},
    quantity::{Angle, Length, Number, Positive, Vector},
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    Core, Cylinder, Ellipsoid, PlacedShape, ShapeInput, ShapeKind, Solid, Superellipsoid,
    params::{in_plane, thickness},
};
use crate::polytope::{PolytopeError, Triangles, read_obj, read_stl};

/// A ring of a planar model: bodies inside of it touch its inner side, others its outer side. A drum, or a hoop that rolls.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HollowDiscParams {
    /// Inner radius.
    pub radius: Quantity<Length, Positive>,
    /// Thickness of the wall: the outer radius is `radius` + `wall`.
    pub wall: Quantity<Length, Positive>,
    /// Thickness along z; default 1 m.
    pub thickness: Option<Quantity<Length, Positive>>,
}

/// A spherical shell: bodies inside of it touch its inner side, others its outer side.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HollowSphereParams {
    /// Inner radius.
    pub radius: Quantity<Length, Positive>,
    /// Thickness of the wall: the outer radius is `radius` + `wall`.
    pub wall: Quantity<Length, Positive>,
}

/// A tube along z: bodies inside of it touch its inner side, others its outer side. A drum, a silo, a pipe.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HollowCylinderParams {
    /// Inner radius.
    pub radius: Quantity<Length, Positive>,
    /// Thickness of the wall: the outer radius is `radius` + `wall`.
    pub wall: Quantity<Length, Positive>,
    /// Inner length along z.
    pub length: Quantity<Length, Positive>,
    /// Whether walls close the two ends; default open.
    pub closed: Option<bool>,
}

/// A convex polygon of a planar model: the convex hull of its vertices, in any order. Its centre of mass need not be the origin.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PolygonParams {
    /// The vertices, from the body's position.
    #[schemars(with = "Vec<Vector<Length>>", extend("x-unit" = "m"))]
    pub vertices: Vec<Vector<Length>>,
    /// Thickness along z; default 1 m.
    pub thickness: Option<Quantity<Length, Positive>>,
}

/// A convex polyhedron: the convex hull of its vertices, in any order. Give `vertices` or `file`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PolyhedronParams {
    /// The vertices, from the body's position.
    #[schemars(with = "Option<Vec<Vector<Length>>>", extend("x-unit" = "m"))]
    pub vertices: Option<Vec<Vector<Length>>>,
    /// STL or OBJ file relative to the model's folder; its vertices are used.
    #[schemars(extend("x-unit" = "1"))]
    pub file: Option<String>,
    /// Metres per unit of the file; default 1.
    pub scale: Option<Quantity<Number, Positive>>,
}

/// A cylinder along x with half-balls as ends; in a planar model a rectangle with half-discs, 1 m thick.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CapsuleParams {
    /// Radius.
    pub radius: Quantity<Length, Positive>,
    /// Length of the straight part along x: the capsule is `length` + 2 `radius` long.
    pub length: Quantity<Length, Positive>,
}

/// A cylinder along z.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CylinderParams {
    /// Radius.
    pub radius: Quantity<Length, Positive>,
    /// Length along z.
    pub length: Quantity<Length, Positive>,
}

/// An ellipsoid.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EllipsoidParams {
    /// Half axes along x, y, z.
    pub radii: Vector<Length, Positive>,
}

/// A superellipsoid (|x/a|ᵖ + |y/b|ᵖ)^(q/p) + |z/c|^q = 1: an ellipsoid for exponents of 2, towards a box for large ones.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SuperellipsoidParams {
    /// Half axes a, b, c along x, y, z.
    pub radii: Vector<Length, Positive>,
    /// Exponents (p, q), each from 1.1 to 20.
    pub exponents: Vector<Number, Positive>,
}

/// A triangulated surface. Its triangles are counter-clockwise as seen from the side where bodies are. A closed one has the mass of
/// what it encloses; an open one has none. Give `file`, or `vertices` and `triangles`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SurfaceParams {
    /// STL or OBJ file relative to the model's folder.
    #[schemars(extend("x-unit" = "1"))]
    pub file: Option<String>,
    /// Metres per unit of the file; default 1.
    pub scale: Option<Quantity<Number, Positive>>,
    /// The vertices, from the body's position.
    #[schemars(with = "Option<Vec<Vector<Length>>>", extend("x-unit" = "m"))]
    pub vertices: Option<Vec<Vector<Length>>>,
    /// Three vertices each, counted from 0.
    #[schemars(extend("x-unit" = "1"))]
    pub triangles: Option<Vec<[u32; 3]>>,
}

/// Several shapes as one rigid body, for bodies that are not convex. Volume, surface, mass and moments of inertia are those of the
/// union of its parts, however they overlap.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClusterParams {
    /// The parts.
    #[schemars(with = "Vec<PartSection>", extend("x-unit" = "1"))]
    pub parts: Vec<Piece>,
}

/// A part of a cluster.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PartSection {
    /// Its shape, such as `Sphere(radius: 1)`.
    #[schemars(with = "Open")]
    shape: Piece,
    /// Where it is, from the body's position; default there.
    at: Option<Vector<Length>>,
    /// How it is turned: an angle about z, or `((x, y, z), angle)`; default not at all.
    #[schemars(with = "Option<Quantity<Angle>>")]
    rotation: Option<Piece>,
}

#[derive(Deserialize)]
struct AxisAngle(Vector<Number>, Quantity<Angle>);

fn planar_only(input: &ShapeInput<'_>, what: &str, instead: &str) -> Result<(), InputError> {
    if input.planar() {
        return Ok(());
    }
    Err(InputError::new(format!("{what} belongs to a planar model, but this model is spatial"))
        .help(format!("use `{instead}`, or set the dimension of the model to 2")))
}

fn spatial_only(input: &ShapeInput<'_>, what: &str, instead: &str) -> Result<(), InputError> {
    if !input.planar() {
        return Ok(());
    }
    Err(InputError::new(format!("{what} belongs to a spatial model, but this model is planar"))
        .help(format!("use `{instead}`, or set the dimension of the model to 3")))
}

fn hull_error(e: &PolytopeError, key: &str) -> InputError {
    InputError::new(e.to_string()).at(key)
}

impl ShapeKind for HollowDiscParams {
    const NAME: &'static str = "HollowDisc";
    type Params = Self;

    fn build(p: Self, input: &mut ShapeInput<'_>) -> Result<PlacedShape, InputError> {
        planar_only(input, "a hollow disc", "HollowSphere(…)` or `HollowCylinder(…)")?;
        Ok(PlacedShape::hollow_disc(p.radius.si(), p.wall.si(), thickness(p.thickness)))
    }
}

impl ShapeKind for HollowSphereParams {
    const NAME: &'static str = "HollowSphere";
    type Params = Self;

    fn build(p: Self, input: &mut ShapeInput<'_>) -> Result<PlacedShape, InputError> {
        spatial_only(input, "a hollow sphere", "HollowDisc(…)")?;
        Ok(PlacedShape::hollow_sphere(p.radius.si(), p.wall.si()))
    }
}

impl ShapeKind for HollowCylinderParams {
    const NAME: &'static str = "HollowCylinder";
    type Params = Self;

    fn build(p: Self, input: &mut ShapeInput<'_>) -> Result<PlacedShape, InputError> {
        spatial_only(input, "a hollow cylinder", "HollowDisc(…)")?;
        Ok(PlacedShape::hollow_cylinder(p.radius.si(), p.wall.si(), p.length.si(), p.closed.unwrap_or(false)))
    }
}

impl ShapeKind for PolygonParams {
    const NAME: &'static str = "Polygon";
    type Params = Self;

    fn build(p: Self, input: &mut ShapeInput<'_>) -> Result<PlacedShape, InputError> {
        planar_only(input, "a polygon", "Polyhedron(…)")?;
        let points = points(&p.vertices, input)?;
        PlacedShape::hull("Polygon", &points, input.dimension(), thickness(p.thickness)).map_err(|e| hull_error(&e, "vertices"))
    }
}

fn points(vertices: &[Vector<Length>], input: &ShapeInput<'_>) -> Result<Vec<Vec3>, InputError> {
    vertices.iter().map(|v| in_plane(v.si(), "vertices", input.dimension())).collect()
}

impl ShapeKind for PolyhedronParams {
    const NAME: &'static str = "Polyhedron";
    type Params = Self;

    fn build(p: Self, input: &mut ShapeInput<'_>) -> Result<PlacedShape, InputError> {
        spatial_only(input, "a polyhedron", "Polygon(…)")?;
        let (points, key) = match (&p.vertices, &p.file) {
            (Some(vertices), None) => (points(vertices, input)?, "vertices"),
            (None, Some(file)) => (read(file, p.scale, input)?.vertices, "file"),
            _ => return Err(InputError::new("a polyhedron needs either `vertices` or `file`").help("give one of them")),
        };
        PlacedShape::hull("Polyhedron", &points, input.dimension(), 1.0).map_err(|e| hull_error(&e, key))
    }
}

/// Triangles of an STL or OBJ file, in metres.
fn read(file: &str, scale: Option<Quantity<Number, Positive>>, input: &mut ShapeInput<'_>) -> Result<Triangles, InputError> {
    let bytes = input.read_file(file)?;
    let ending = file.rsplit('.').next().unwrap_or("").to_ascii_lowercase();
    let read = match ending.as_str() {
        "stl" => read_stl(&bytes),
        "obj" => read_obj(&bytes),
        _ => {
            return Err(InputError::new(format!("`{file}` ends neither in .stl nor in .obj; expected one of them")).at(file));
        }
    };
    let mut triangles = read.map_err(|e| InputError::new(format!("{file}: {e}")).at(file))?;
    let scale = scale.map_or(1.0, |s| s.si());
    triangles.vertices.iter_mut().for_each(|v| *v *= scale);
    Ok(triangles)
}

impl ShapeKind for CapsuleParams {
    const NAME: &'static str = "Capsule";
    type Params = Self;

    fn build(p: Self, input: &mut ShapeInput<'_>) -> Result<PlacedShape, InputError> {
        PlacedShape::capsule(p.radius.si(), p.length.si(), input.dimension()).map_err(|e| hull_error(&e, "length"))
    }
}

impl ShapeKind for CylinderParams {
    const NAME: &'static str = "Cylinder";
    type Params = Self;

    fn build(p: Self, input: &mut ShapeInput<'_>) -> Result<PlacedShape, InputError> {
        spatial_only(input, "a cylinder", "Disc(…)` or `Box(…)")?;
        let body = Cylinder { radius: p.radius.si(), half_length: 0.5 * p.length.si() };
        Ok(PlacedShape::solid(Solid::new("Cylinder", Core::Smooth(std::sync::Arc::new(body)), body.measures())))
    }
}

impl ShapeKind for EllipsoidParams {
    const NAME: &'static str = "Ellipsoid";
    type Params = Self;

    fn build(p: Self, input: &mut ShapeInput<'_>) -> Result<PlacedShape, InputError> {
        spatial_only(input, "an ellipsoid", "Disc(…)")?;
        let body = Ellipsoid { radii: three(p.radii.si())? };
        Ok(PlacedShape::solid(Solid::new("Ellipsoid", Core::Smooth(std::sync::Arc::new(body)), body.measures())))
    }
}

/// A vector of two components reads with a zero.
fn three(radii: Vec3) -> Result<Vec3, InputError> {
    if radii.min() > 0.0 {
        return Ok(radii);
    }
    Err(InputError::new("`radii` has fewer than three lengths above zero").help("write `radii: (x, y, z)`").at("radii"))
}

impl ShapeKind for SuperellipsoidParams {
    const NAME: &'static str = "Superellipsoid";
    type Params = Self;

    fn build(p: Self, input: &mut ShapeInput<'_>) -> Result<PlacedShape, InputError> {
        spatial_only(input, "a superellipsoid", "Polygon(…)")?;
        let e = p.exponents.si();
        if !(1.1..=20.0).contains(&e.x) || !(1.1..=20.0).contains(&e.y) || e.z != 0.0 {
            return Err(InputError::new(format!(
                "the exponents of a superellipsoid are ({}, {}); expected two from 1.1 to 20",
                e.x, e.y
            ))
            .help("2 is an ellipsoid, larger ones go towards a box; write `exponents: (4, 4)`")
            .at("exponents"));
        }
        let body = Superellipsoid { radii: three(p.radii.si())?, across: e.x, along: e.y };
        Ok(PlacedShape::solid(Solid::new("Superellipsoid", Core::Smooth(std::sync::Arc::new(body)), body.measures())))
    }
}

impl ShapeKind for SurfaceParams {
    const NAME: &'static str = "Surface";
    type Params = Self;

    fn build(p: Self, input: &mut ShapeInput<'_>) -> Result<PlacedShape, InputError> {
        spatial_only(input, "a surface", "Segment(…)` or `Polygon(…)")?;
        let (read, key) = match (&p.file, &p.vertices, p.triangles) {
            (Some(file), None, None) => (read(file, p.scale, input)?, "file"),
            (None, Some(vertices), Some(triangles)) => (Triangles { vertices: points(vertices, input)?, triangles }, "triangles"),
            _ => {
                return Err(
                    InputError::new("a surface needs either `file`, or `vertices` and `triangles`").help("give one or the other")
                );
            }
        };
        PlacedShape::surface(&read.vertices, &read.triangles).map_err(|e| InputError::new(e).at(key))
    }
}

impl ShapeKind for ClusterParams {
    const NAME: &'static str = "Cluster";
    type Params = Self;

    fn build(p: Self, input: &mut ShapeInput<'_>) -> Result<PlacedShape, InputError> {
        let source = input.fragment().source().clone();
        let mut parts = Vec::new();
        for piece in p.parts {
            let item = piece.of(&source);
            let section: PartSection = item.parse()?;
            let placed = input.shape(&section.shape.of(&source))?;
            let at = in_plane(section.at.unwrap_or_default().si(), "at", input.dimension()).map_err(|e| e.within(&item))?;
            let turn = match section.rotation {
                None => Quat::identity(),
                Some(piece) => rotation(&piece.of(&source), input)?,
            };
            parts.push(PlacedShape {
                shape: placed.shape,
                centre: at + turn * placed.centre,
                orientation: turn * placed.orientation,
            });
        }
        PlacedShape::cluster(&parts, input.dimension()).map_err(|e| InputError::new(e).at("parts"))
    }
}

/// An angle about z, or an axis and an angle.
fn rotation(fragment: &mpcd_core::Fragment, input: &ShapeInput<'_>) -> Result<Quat, InputError> {
    if !fragment.text().starts_with('(') {
        let angle: Quantity<Angle> = fragment.parse()?;
        return Ok(Quat::from_axis_angle(&Vec3::z_axis(), angle.si()));
    }
    let AxisAngle(axis, angle) = fragment.parse()?;
    let axis = axis.si();
    if input.planar() && (axis.x, axis.y) != (0.0, 0.0) {
        return Err(
            InputError::new("`rotation` is not about z, but the model is planar; expected one angle").span(fragment.span())
        );
    }
    let axis = nalgebra::Unit::try_new(axis, 0.0).ok_or_else(|| {
        InputError::new("the axis of `rotation` has no direction; expected a vector that is not zero").span(fragment.span())
    })?;
    Ok(Quat::from_axis_angle(&axis, angle.si()))
}
