//! The section `bodies`: single bodies and packings, read and placed. Groups and materials are still names.

use std::sync::Arc;

use mpcd_core::{
    Dimension, Fragment, InputError, Quat, Vec3,
    quantity::{Angle, Length, Mass, MomentOfInertia, Number, Positive, Quantity, Rate, Speed, Vector},
};
use mpcd_geometry::{PlacedShape, Random, Shape, grain};
use schemars::JsonSchema;
use serde::{Deserialize, de::DeserializeOwned};

use super::{
    errors::Collect,
    file::BodySection,
    materials::entries,
    packing::{self, Packed, PackedBody, Site},
    piece::{Piece, Word},
};
use crate::scan::Kind;

/// An item of the section `bodies`.
#[derive(Debug, Clone)]
pub struct BodyEntry {
    /// Name of the group.
    pub group: Word,
    /// Name of the material.
    pub material: Word,
    /// Materials of groups of elements of its mesh.
    pub fillings: Vec<FillingEntry>,
    /// What it is.
    pub form: BodyForm,
    /// Velocity of the centre of mass at the start [m/s].
    pub velocity: Vec3,
    /// Angular velocity at the start, world axes [rad/s].
    pub spin: Vec3,
    /// The item as written.
    pub item: Fragment,
}

/// The material of a group of elements of a mesh.
#[derive(Debug, Clone)]
pub struct FillingEntry {
    /// Name of the group.
    pub group: String,
    /// Where it stands.
    pub key: Fragment,
    /// Name of the material.
    pub material: String,
    /// Where it stands.
    pub value: Fragment,
}

/// One body or many.
#[derive(Debug, Clone)]
pub enum BodyForm {
    /// A single body.
    Single {
        /// Shape, centre of mass and axes.
        shape: PlacedShape,
        /// Where the shape's own origin is (m).
        at: Vec3,
        /// How it is turned.
        rotation: Quat,
        /// Mass instead of density times volume (kg).
        mass: Option<f64>,
        /// Moments of inertia about the principal axes instead of those of the shape [kg m²].
        inertia: Option<Vec3>,
    },
    /// A packing. Shared by the copies of a model.
    Many(Arc<[PackedBody]>),
}

/// What the bodies of a packing of round places are.
enum Round {
    /// Spheres.
    Sphere,
    /// Discs of this thickness (m).
    Disc(f64),
    /// Convex grains with this many corners on the rim of their place, of this thickness in a planar model (m), from a seed.
    Grain(usize, f64, u64),
    /// Copies of one shape, turned at random, each inside its place; and how far the shape reaches (m).
    Copy(PlacedShape, f64),
}

impl Round {
    /// The body in the place of this centre and radius (m).
    fn body(&self, centre: &Vec3, radius: f64, dimension: Dimension, random: &mut Random) -> Result<PackedBody, String> {
        let round = |shape| PackedBody { shape, position: *centre, orientation: Quat::identity() };
        match self {
            Self::Sphere => Ok(round(Shape::Ball { radius })),
            Self::Disc(thickness) => Ok(round(Shape::Disc { radius, thickness: *thickness })),
            Self::Grain(corners, thickness, _) => {
                let made = grain(*corners, radius, *thickness, dimension, random).map_err(|e| e.to_string())?;
                Ok(PackedBody { shape: made.shape, position: centre + made.centre, orientation: made.orientation })
            }
            Self::Copy(placed, reach) if *reach > radius * (1.0 + 1e-9) => Err(format!(
                "the {} reaches {reach} m from its centre, but a place of the packing has a radius of {radius} m; expected room for it in every place",
                placed.shape.name()
            )),
            Self::Copy(placed, _) => Ok(PackedBody {
                shape: placed.shape.clone(),
                position: *centre,
                orientation: random.rotation(dimension) * placed.orientation,
            }),
        }
    }
}

/// The message for a vector that leaves the plane of a planar model.
pub(super) fn out_of_plane(key: &str, z: f64) -> InputError {
    InputError::new(format!("`{key}` has a z component of {z}, but the model is planar; expected a vector of the xy plane"))
        .help("write (x, y), or set `dimension: 3`")
}

/// Reads one item; `None` where not even its keys can be read.
pub(super) fn read(item: &Fragment, site: &mut Site<'_>, errors: &mut Collect) -> Option<BodyEntry> {
    let section: BodySection = errors.keep(item.parse())?;
    let mut reader = Reader { item, dimension: site.dimension, errors };
    let velocity = reader.vector::<Speed>("velocity", section.velocity);
    let fillings = reader.fillings(section.materials, section.shape.is_some());
    let spin = reader.spin(section.spin);
    let form = match (section.shape, section.packing) {
        (Some(shape), None) => {
            reader.refuse(&[("as", section.kind)], "a packing", "a single body");
            reader.single(&section, shape, site)
        }
        (None, Some(packing)) => {
            let single = [
                ("at", section.at),
                ("rotation", section.rotation),
                ("mass", section.mass),
                ("inertia", section.inertia),
                ("materials", section.materials),
            ];
            reader.refuse(&single, "a single body", "a packing");
            reader.many(packing, section.kind, site)
        }
        (Some(_), Some(packing)) => {
            let span = packing.of(item.source()).span();
            reader.errors.push(
                InputError::new("an item of `bodies` has both `shape` (one body) and `packing` (many); expected one of them")
                    .help("split it into two items")
                    .span(span),
            );
            None
        }
        (None, None) => {
            reader.errors.push(
                InputError::new("an item of `bodies` needs `shape` (one body) or `packing` (many)")
                    .help("add for example `shape: Sphere(radius: \"1 mm\"), at: (0, 0, 1)`")
                    .span(item.span().start..item.span().start + 1),
            );
            None
        }
    };
    let form = form.unwrap_or(BodyForm::Many(Arc::default()));
    Some(BodyEntry { group: section.group, material: section.material, fillings, form, velocity, spin, item: item.clone() })
}

/// How `rotation` is written.
const TURN: &str = "write an angle about z in radians, or in space `((x, y, z), angle)`";

#[derive(Deserialize)]
struct AxisAngle(Vector<Number>, Quantity<Angle>);

struct Reader<'a> {
    item: &'a Fragment,
    dimension: Dimension,
    errors: &'a mut Collect,
}

impl Reader<'_> {
    fn value<T: DeserializeOwned>(&mut self, piece: Option<Piece>) -> Option<(T, Fragment)> {
        let fragment = piece?.of(self.item.source());
        self.errors.keep(fragment.parse()).map(|v| (v, fragment))
    }

    fn refuse(&mut self, keys: &[(&str, Option<Piece>)], owner: &str, here: &str) {
        for (key, piece) in keys {
            if let Some(piece) = piece {
                let error = InputError::new(format!("`{key}` belongs to {owner}, but this is {here}"));
                self.errors.push(error.help(format!("remove `{key}`")).span(piece.of(self.item.source()).span()));
            }
        }
    }

    fn vector<K: mpcd_core::quantity::Kind>(&mut self, key: &str, piece: Option<Piece>) -> Vec3 {
        let Some((vector, fragment)) = self.value::<Vector<K>>(piece) else { return Vec3::zeros() };
        let v = vector.si();
        if self.dimension == Dimension::Planar && v.z != 0.0 {
            self.errors.push(out_of_plane(key, v.z).span(fragment.span()));
        }
        v
    }

    /// The materials of groups of a mesh; whether the body is a `single` one.
    fn fillings(&mut self, piece: Option<Piece>, single: bool) -> Vec<FillingEntry> {
        let Some(section) = piece.filter(|_| single).map(|p| p.of(self.item.source())) else { return Vec::new() };
        let mut out: Vec<FillingEntry> = Vec::new();
        let expected = "materials of groups of a mesh are written `{\"group\": \"material\", …}`";
        for (key, value) in entries(&section, Kind::Map, expected, self.errors) {
            let Some(material) = self.errors.keep(value.parse::<String>()) else { continue };
            let group = key.text().to_owned();
            if out.iter().any(|f| f.group == group) {
                let error = InputError::new(format!("the group `{group}` has two materials; expected one"));
                self.errors.push(error.help("remove one of them").span(key.span()));
            }
            out.push(FillingEntry { group, key, material, value });
        }
        out
    }

    fn spin(&mut self, piece: Option<Piece>) -> Vec3 {
        let Some(fragment) = piece.map(|p| p.of(self.item.source())) else { return Vec3::zeros() };
        if !fragment.text().starts_with('(') {
            return self.value::<Quantity<Rate>>(piece).map_or_else(Vec3::zeros, |(s, _)| Vec3::z() * s.si());
        }
        let v = self.value::<Vector<Rate>>(piece).map_or_else(Vec3::zeros, |(v, _)| v.si());
        if self.dimension == Dimension::Planar && (v.x, v.y) != (0.0, 0.0) {
            let error = InputError::new("`spin` is not about z, but the model is planar; expected one number");
            self.errors.push(error.help("write `spin: 2.5` (rad/s about z), or set `dimension: 3`").span(fragment.span()));
        }
        v
    }

    fn rotation(&mut self, piece: Option<Piece>) -> Option<Quat> {
        let Some(fragment) = piece.map(|p| p.of(self.item.source())) else { return Some(Quat::identity()) };
        let bracketed = fragment.text().strip_prefix('(');
        let name: String =
            bracketed.unwrap_or("").trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        if name.starts_with(char::is_alphabetic) {
            let error = InputError::new(format!("`rotation` has a key `{name}`; expected an axis and an angle without keys"));
            self.errors.push(error.help(TURN).at(&name).within(&fragment));
            return None;
        }
        let (axis, angle) = if bracketed.is_some() {
            let turn = self.errors.keep(fragment.parse::<AxisAngle>().map_err(|e| e.help(TURN)))?;
            (turn.0.si(), turn.1.si())
        } else {
            (Vec3::z(), self.value::<Quantity<Angle>>(piece)?.0.si())
        };
        let planar = self.dimension == Dimension::Spatial || (axis.x, axis.y) == (0.0, 0.0);
        let unit = axis.try_normalize(0.0).filter(|n| n.iter().all(|c| c.is_finite()));
        match unit {
            Some(axis) if planar => Some(Quat::from_axis_angle(&nalgebra::Unit::new_unchecked(axis), angle)),
            _ => {
                let message = if planar {
                    "the axis of `rotation` has no direction; expected a vector that is not zero"
                } else {
                    "`rotation` is not about z, but the model is planar; expected one angle"
                };
                self.errors.push(InputError::new(message).help(TURN).span(fragment.span()));
                None
            }
        }
    }

    fn single(&mut self, section: &BodySection, shape: Piece, site: &mut Site<'_>) -> Option<BodyForm> {
        let at = self.vector::<Length>("at", section.at);
        let rotation = self.rotation(section.rotation);
        let mass = self.value::<Quantity<Mass, Positive>>(section.mass);
        if let Some((mass, place)) = &mass {
            self.errors.keep(super::materials::within_reach("mass", "kg", mass.si(), place));
        }
        let shape = self.errors.keep(site.shape(&shape.of(self.item.source())))?;
        let mass = mass.map(|(m, _)| m.si());
        let weightless = mass.is_none() && shape.shape.mass_properties(1.0, self.dimension).mass <= 0.0;
        let inertia = section.inertia.and_then(|piece| self.inertia(piece, weightless));
        if let Some(piece) = section.inertia.filter(|_| shape.shape.is_deformable()) {
            self.errors.push(
                InputError::new("a deformable body has no moments of inertia of its own: they are those of its nodes")
                    .help("remove `inertia`")
                    .span(piece.of(self.item.source()).span()),
            );
        }
        let unknown = mass.is_some() && section.inertia.is_none() && !matches!(shape.shape, Shape::Plane { .. });
        if unknown && shape.shape.inertia_over_mass(self.dimension) == Vec3::zeros() {
            self.errors.push(
                InputError::new("how the mass of an open surface is spread is not known")
                    .help("give its moments of `inertia` as well; its centre of mass is the origin of the shape")
                    .span(section.mass.map_or_else(|| self.item.span(), |piece| piece.of(self.item.source()).span())),
            );
        }
        Some(BodyForm::Single { shape, at, rotation: rotation?, mass, inertia })
    }

    /// Moments that some body can have: positive, and none above the sum of the others, ∫(y² + z²) ≤ ∫(x² + y²) + ∫(x² + z²).
    fn inertia(&mut self, piece: Piece, weightless: bool) -> Option<Vec3> {
        let place = piece.of(self.item.source());
        let planar = self.dimension == Dimension::Planar;
        let moments = if planar {
            let help = "write one number, the moment about z in kg m²";
            Vec3::repeat(self.errors.keep(place.parse::<Quantity<MomentOfInertia>>().map_err(|e| e.help(help)))?.si())
        } else {
            let help = "write `(x, y, z)`, the moments about the principal axes in kg m²";
            let moments = self.errors.keep(place.parse::<[Quantity<MomentOfInertia>; 3]>().map_err(|e| e.help(help)))?;
            Vec3::from(moments.map(|m| m.si()))
        };
        let sum: f64 = moments.iter().sum();
        let error = if weightless {
            InputError::new("`inertia` is given to a body without mass").help("give it a `mass`")
        } else if !moments.iter().all(|m| m.is_finite() && *m > 0.0) {
            InputError::new("a moment of inertia must be above zero")
                .help("lock the spin with a `Locked` load if the body shall not turn")
        } else if moments.iter().any(|m| *m > (sum - m) * (1.0 + 1e-12)) {
            InputError::new("no body has these moments of inertia: one is larger than the sum of the others")
                .help("each moment is at most the sum of the other two")
        } else {
            return Some(moments);
        };
        self.errors.push(error.span(place.span()));
        None
    }

    fn many(&mut self, packing: Piece, kind: Option<Piece>, site: &mut Site<'_>) -> Option<BodyForm> {
        let packing = packing.of(self.item.source());
        let packed = packing::read(&packing, site).and_then(|made| {
            let enough = crate::budget::bodies(made.len());
            enough.map(|()| made).map_err(|message| InputError::new(message).within(&packing))
        });
        let packed = self.errors.keep(packed);
        let bodies = match packed {
            Some(Packed::Bodies(bodies)) => {
                let here = format!("`{}`, whose bodies have shapes of their own", packing.name());
                self.refuse(&[("as", kind)], "a packing of round bodies", &here);
                bodies
            }
            Some(Packed::Balls(balls)) => self.round(kind, &balls, site)?,
            None => {
                self.kind(kind, site);
                return None;
            }
        };
        if bodies.is_empty() {
            let error = InputError::new("the packing has no bodies; expected at least one");
            self.errors.push(error.help("make its region larger, its bodies smaller, or remove it").within(&packing));
        }
        Some(BodyForm::Many(bodies.into()))
    }

    fn round(&mut self, kind: Option<Piece>, balls: &[(Vec3, f64)], site: &mut Site<'_>) -> Option<Vec<PackedBody>> {
        let fragment = kind.map(|p| p.of(self.item.source()));
        let kind = self.kind(kind, site)?;
        let mut random = Random::new(if let Round::Grain(_, _, seed) = kind { seed } else { 1 });
        let bodies = balls.iter().map(|(centre, radius)| kind.body(centre, *radius, self.dimension, &mut random));
        let bodies: Result<Vec<_>, String> = bodies.collect();
        self.errors.keep(bodies.map_err(|message| {
            let error = InputError::new(message);
            fragment.map_or_else(|| InputError::new("the bodies of a packing cannot be made"), |f| error.within(&f))
        }))
    }

    fn kind(&mut self, piece: Option<Piece>, site: &mut Site<'_>) -> Option<Round> {
        let planar = self.dimension == Dimension::Planar;
        let Some(fragment) = piece.map(|p| p.of(self.item.source())) else {
            return Some(if planar { Round::Disc(1.0) } else { Round::Sphere });
        };
        match fragment.name() {
            "Sphere" => self.errors.keep(fragment.parse_body::<NoParams>()).map(|_| Round::Sphere),
            "Disc" if planar => {
                let params = self.errors.keep(fragment.parse_body::<DiscKind>())?;
                Some(Round::Disc(params.thickness.map_or(1.0, |t| t.si())))
            }
            "Disc" => {
                let error = InputError::new("a disc belongs to a planar model, but this model is spatial");
                self.errors.push(error.help("use `as: Sphere`, or set `dimension: 2`").span(fragment.name_span()));
                None
            }
            "Grain" => {
                let p = self.errors.keep(fragment.parse_body::<GrainKind>())?;
                Some(Round::Grain(p.corners, p.thickness.map_or(1.0, |t| t.si()), p.seed.unwrap_or(1)))
            }
            _ => {
                let placed = self.errors.keep(site.shape(&fragment))?;
                let Some(reach) = placed.shape.bounding_radius(self.dimension) else {
                    let error =
                        InputError::new(format!("a {} has no end, so it does not fit into a packing", placed.shape.name()));
                    self.errors.push(error.help("use a body of finite size").within(&fragment));
                    return None;
                };
                Some(Round::Copy(placed, reach))
            }
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NoParams {}

/// A disc as in `shape`, without the radius, which the packing gives.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DiscKind {
    thickness: Option<Quantity<Length, Positive>>,
}

/// What stands in the places of a packing (`as`), in a planar model: a convex grain with random corners on the rim of its place.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GrainKind {
    /// How many corners.
    corners: usize,
    /// Length across the plane; default 1 m.
    thickness: Option<Quantity<Length, Positive>>,
    /// Seed of the corners; default 1.
    seed: Option<u64>,
}
