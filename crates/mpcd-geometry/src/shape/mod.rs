//! Shapes at reference size and their measures: mass, inertia, volume, surface, growth. No motion, no contacts.
//!
//! The plain shapes that fill most models are told apart here; every other one is a [`Solid`], which says what it is as one
//! of a few cores. How a model file writes shapes is in `params`, how a program adds its own in `registry`.

mod build;
mod chord;
mod curved;
mod form;
mod height;
mod hollow;
mod mesh;
pub(crate) mod params;
mod registry;
mod silhouette;
mod solid;
mod support;
mod union;
mod width;
pub(crate) mod written;

use std::{f64::consts::PI, sync::Arc};

use mpcd_core::{Dimension, Vec3};

pub use chord::{Chord, End};
pub use curved::{Cylinder, Ellipsoid, Superellipsoid};
pub use hollow::Cavity;
pub use mesh::TriMesh;
pub use registry::{PlacedShape, ShapeFiles, ShapeInput, ShapeKind, ShapeRegistry, parse_shape};
pub use solid::{Content, Core, Deforming, Filled, Measures, Part, Solid};
pub use support::SupportMap;
pub(crate) use union::is_known;

/// Thickness of what has no thickness of its own in a planar model (m).
pub(crate) const UNIT_THICKNESS: f64 = 1.0;

/// A shape at reference size in body axes, centre of mass at the origin.
///
/// The linear size factor of [`mpcd_core::Kinematics::size`] scales it about the centre of mass. In a planar model it scales
/// within the plane: the thickness stays; a ball grows along z as well. A plane ignores it.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// A sphere, in space or with its centre in the plane of a planar model.
    Ball {
        /// Radius (m).
        radius: f64,
    },
    /// A cylinder along z; planar models only.
    Disc {
        /// Radius (m).
        radius: f64,
        /// Thickness along z (m).
        thickness: f64,
    },
    /// A half-space whose surface passes through the body's position. Infinite, without mass.
    Plane {
        /// Outward normal in body axes; any length but zero.
        normal: Vec3,
    },
    /// All points within a distance of the segment from −`half` to +`half`: a capsule in space; in a planar model a wall with
    /// rounded ends, 1 m thick. Only an antagonist of balls and discs.
    Segment {
        /// Half the segment, body axes (m). Along one of the body axes if the body moves freely in space, so that
        /// [`Shape::mass_properties`] gives principal moments.
        half: Vec3,
        /// Distance from the segment to the surface (m); may be 0.
        thickness_radius: f64,
    },
    /// A box along the body axes.
    Box {
        /// Half the edges (m). In a planar model `half.z` is half the thickness and no contact is on the z faces.
        half: Vec3,
    },
    /// Everything else: described by its core. Shared, so that many bodies of one shape cost one.
    Solid(Arc<Solid>),
}

/// One shape per body, a typed part of [`mpcd_core::Setup`].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Shapes(pub Vec<Shape>);

/// What a shape weighs and measures at reference size.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct MassProperties {
    /// Mass (kg); 0 for a plane.
    pub mass: f64,
    /// Moments of inertia about the body axes [kg m²].
    pub inertia: Vec3,
    /// Volume (m³).
    pub volume: f64,
    /// Outer surface (m²); in a planar model the rim times the thickness, for a ball always the whole sphere.
    pub surface: f64,
}

impl Shape {
    /// The kind of shape, as it is called in a model file.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Solid(solid) => solid.name(),
            Self::Ball { .. } => "Sphere",
            Self::Disc { .. } => "Disc",
            Self::Plane { .. } => "Plane",
            Self::Segment { .. } => "Segment",
            Self::Box { .. } => "Box",
        }
    }

    /// Radius of a ball or disc at reference size (m); `None` for the others.
    #[must_use]
    pub const fn radius(&self) -> Option<f64> {
        match *self {
            Self::Ball { radius } | Self::Disc { radius, .. } => Some(radius),
            _ => None,
        }
    }

    /// Mass, moments of inertia, volume and surface for a density [kg/m³]. All zero for a plane.
    /// What a [`Solid`] weighs was settled when it was made, for the dimension of its model.
    #[must_use]
    pub fn mass_properties(&self, density: f64, dimension: Dimension) -> MassProperties {
        let (volume, surface, inertia_over_mass) = self.measures(dimension);
        let mass = density * volume;
        MassProperties { mass, inertia: inertia_over_mass * mass, volume, surface }
    }

    /// Moments of inertia over mass (m²) of matter spread evenly: over the volume, of a segment without a radius over its length. Zero for
    /// a plane and for an open surface.
    #[must_use]
    pub fn inertia_over_mass(&self, dimension: Dimension) -> Vec3 {
        self.measures(dimension).2
    }

    /// Volume, surface, inertia over mass.
    fn measures(&self, dimension: Dimension) -> (f64, f64, Vec3) {
        match (self, dimension) {
            (Self::Solid(solid), _) => {
                let m = solid.measures();
                (m.volume, m.surface, m.inertia)
            }
            (&Self::Plane { .. }, _) => (0.0, 0.0, Vec3::zeros()),
            (&Self::Ball { radius: r }, _) => (4.0 / 3.0 * PI * r.powi(3), 4.0 * PI * r * r, Vec3::repeat(0.4 * r * r)),
            (&Self::Disc { radius: r, thickness: t }, _) => {
                let side = (3.0 * r * r + t * t) / 12.0;
                (PI * r * r * t, 2.0 * PI * r * t, Vec3::new(side, side, 0.5 * r * r))
            }
            (&Self::Box { half: h }, _) => {
                let h2 = h.component_mul(&h);
                let inertia = Vec3::new(h2.y + h2.z, h2.z + h2.x, h2.x + h2.y) / 3.0;
                let rim = 8.0 * (h.x + h.y) * h.z;
                let faces = if dimension == Dimension::Spatial { 8.0 * h.x * h.y } else { 0.0 };
                (8.0 * h.x * h.y * h.z, rim + faces, inertia)
            }
            (&Self::Segment { half, thickness_radius: r }, Dimension::Spatial) => capsule(&half, r),
            (&Self::Segment { half, thickness_radius: r }, Dimension::Planar) => stadium(&half, r),
        }
    }

    /// What a deformable body is made of, for the rooms that know its type.
    #[must_use]
    pub fn content(&self) -> Option<Arc<dyn std::any::Any + Send + Sync>> {
        Some(self.deforming()?.content())
    }

    /// What a deformable body is; `None` of the others.
    #[must_use]
    pub fn deforming(&self) -> Option<&dyn Deforming> {
        let Self::Solid(solid) = self else { return None };
        let Core::Deformable { content, .. } = solid.core() else { return None };
        Some(&*content.0)
    }

    /// Whether it is that of a deformable body, whose nodes move by themselves.
    #[must_use]
    pub fn is_deformable(&self) -> bool {
        matches!(self, Self::Solid(solid) if matches!(solid.core(), Core::Deformable { .. }))
    }

    /// Whether it is convex: two such bodies touch in one place. A polygon with a bay is made of parts, which may lie in each other.
    #[must_use]
    pub fn is_convex(&self) -> bool {
        match self {
            Self::Solid(solid) => {
                !matches!(solid.core(), Core::Hollow { .. } | Core::Mesh(_) | Core::Cluster(_) | Core::Deformable { .. })
            }
            _ => true,
        }
    }

    /// Whether it stands for what goes around the axis y of a planar model.
    #[must_use]
    pub fn is_axisymmetric(&self) -> bool {
        matches!(self, Self::Solid(solid) if matches!(solid.core(), Core::Deformable { axisymmetric: true, .. }))
    }

    /// Volume at a size factor (m³): ∝ size³, in a planar model ∝ size² (the thickness stays) but for a ball. 0 for a plane.
    #[must_use]
    pub fn volume(&self, size: f64, dimension: Dimension) -> f64 {
        let power = match (self, dimension) {
            (Self::Ball { .. }, _) | (_, Dimension::Spatial) => 3,
            (_, Dimension::Planar) => 2,
        };
        self.mass_properties(1.0, dimension).volume * size.powi(power)
    }

    /// Radius of the ball of the same volume at a size factor (m). 0 for a plane.
    #[must_use]
    pub fn equivalent_radius(&self, size: f64, dimension: Dimension) -> f64 {
        match self {
            Self::Ball { radius } => radius * size,
            _ => (0.75 / PI * self.volume(size, dimension)).cbrt(),
        }
    }

    /// Extent along z in a planar model (m); infinite where the shape does not end there.
    #[must_use]
    pub fn thickness(&self) -> f64 {
        match self {
            Self::Disc { thickness, .. } => *thickness,
            Self::Box { half } => 2.0 * half.z,
            Self::Segment { .. } => UNIT_THICKNESS,
            Self::Solid(solid) => solid.thickness(),
            Self::Plane { .. } | Self::Ball { .. } => f64::INFINITY,
        }
    }

    /// Whether the contact of two shapes is known: of every pair it is, and two planes never meet.
    #[must_use]
    pub const fn can_touch(&self, _: &Self) -> bool {
        true
    }

    /// Radius of the smallest ball (planar: circle) about the centre of mass that holds the shape at reference size (m);
    /// `None` for a plane.
    #[must_use]
    pub fn bounding_radius(&self, dimension: Dimension) -> Option<f64> {
        match (self, dimension) {
            (Self::Ball { radius } | Self::Disc { radius, .. }, _) => Some(*radius),
            (Self::Plane { .. }, _) => None,
            (Self::Segment { half, thickness_radius }, _) => Some(half.norm() + thickness_radius),
            (Self::Box { half }, Dimension::Planar) => Some(half.x.hypot(half.y)),
            (Self::Box { half }, Dimension::Spatial) => Some(half.norm()),
            (Self::Solid(solid), _) => Some(solid.reach()),
        }
    }

    /// How far the surface moves outward per unit change of the size factor (m), at the surface point `arm` from the centre of
    /// mass (world, at size factor `size`) with the outward unit normal `outward`: R for a ball, 0 for a plane.
    ///
    /// The contacts of [`crate::Detector`] carry the exact value, −∂gap/∂size, as [`crate::Touch::growth_candidate`] and
    /// [`crate::Touch::growth_antagonist`].
    #[must_use]
    pub fn growth_at(&self, arm: &Vec3, outward: &Vec3, size: f64) -> f64 {
        match self {
            Self::Ball { radius } | Self::Disc { radius, .. } => *radius,
            Self::Plane { .. } => 0.0,
            Self::Segment { .. } | Self::Box { .. } | Self::Solid(_) => arm.dot(outward) / size,
        }
    }
}

/// Volume, surface, inertia over mass of a capsule: a cylinder and two half-balls.
fn capsule(half: &Vec3, r: f64) -> (f64, f64, Vec3) {
    let length = 2.0 * half.norm();
    let (cylinder, ball) = (PI * r * r * length, 4.0 / 3.0 * PI * r.powi(3));
    let volume = cylinder + ball;
    let surface = 2.0 * PI * r * length + 4.0 * PI * r * r;
    if volume == 0.0 {
        return (0.0, surface, about_axes(half, 0.0, length * length / 12.0));
    }
    let along = (0.5 * cylinder + 0.4 * ball) * r * r;
    // A half-ball about the centre of the capsule: its own 2/5 r², plus L²/4 + 3 L r/8 from its offset.
    let across =
        cylinder * (length * length / 12.0 + r * r / 4.0) + ball * (0.4 * r * r + length * length / 4.0 + 0.375 * length * r);
    (volume, surface, about_axes(half, along / volume, across / volume))
}

/// Volume, rim surface, inertia over mass of a stadium of unit thickness: a rectangle and two half-discs.
fn stadium(half: &Vec3, r: f64) -> (f64, f64, Vec3) {
    let (length, t) = (2.0 * half.norm(), UNIT_THICKNESS);
    let (rectangle, disc) = (2.0 * r * length, PI * r * r);
    let area = rectangle + disc;
    let surface = (2.0 * length + 2.0 * PI * r) * t;
    if area == 0.0 {
        return (0.0, surface, Vec3::z() * (length * length / 12.0));
    }
    // Second moments of the area across and along the segment; a half-disc's centroid is 4r/3π from its diameter.
    let across = rectangle * r * r / 3.0 + disc * r * r / 4.0;
    let along =
        rectangle * length * length / 12.0 + disc * (r * r / 4.0 + length * length / 4.0) + length * 4.0 / (3.0 * PI) * r * disc;
    let (across, along) = (across / area, along / area);
    let direction = half.try_normalize(0.0).unwrap_or_else(Vec3::x);
    let (cx, cy) = (direction.x * direction.x, direction.y * direction.y);
    let side = t * t / 12.0;
    let inertia = Vec3::new(across * cx + along * cy + side, across * cy + along * cx + side, across + along);
    (area * t, surface, inertia)
}

/// The diagonal, in body axes, of the inertia of a body of revolution about `axis`.
fn about_axes(axis: &Vec3, along: f64, across: f64) -> Vec3 {
    let d = axis.try_normalize(0.0).unwrap_or_else(Vec3::x);
    d.map(|c| across + (along - across) * c * c)
}
