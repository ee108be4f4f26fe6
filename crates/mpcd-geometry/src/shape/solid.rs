//! What a shape tells the geometry: its core, its measures, how far it reaches.
//! How two cores touch is the narrow phase's matter.

use std::sync::Arc;

use mpcd_core::{Dimension, InputError, Quat, Vec3};

use super::{Cavity, Shape, SupportMap, TriMesh, UNIT_THICKNESS};
use crate::polytope::Polytope;

/// What a shape is to the narrow phase. A few cores carry all shapes; the contact of each pair of them is known.
#[derive(Debug, Clone)]
pub enum Core {
    /// A ball; in a planar model a disc.
    Round {
        /// Radius (m).
        radius: f64,
        /// Whether it is a ball in a planar model as well, and not a disc, which is straight along z.
        tapers: bool,
    },
    /// All points on one side of a plane through the origin.
    HalfSpace {
        /// Outward unit normal.
        normal: Vec3,
    },
    /// All points within `rounding` of a convex hull.
    Polytope {
        /// The hull.
        hull: Arc<Polytope>,
        /// Radius of the ball that is added to it (m); 0 for sharp edges.
        rounding: f64,
    },
    /// A convex body with a curved surface; in space only.
    Smooth(Arc<dyn SupportMap>),
    /// A hollow body: what is inside of it touches the cavity, everything else the outside.
    Hollow {
        /// The cavity, about the origin.
        cavity: Cavity,
        /// The outside.
        outside: Arc<Self>,
    },
    /// A triangulated surface.
    Mesh(Arc<TriMesh>),
    /// Several cores in one rigid body, none of them a cluster or a half-space.
    Cluster(Arc<[Part]>),
    /// A deformable body: what it touches with is its skin ([`crate::Skin`]), which moves by itself; among rigid shapes it touches nothing.
    Deformable {
        /// Half the box about its centre of mass that holds it at rest (m).
        half: Vec3,
        /// What deforms.
        content: Content,
        /// Whether x is a radius: the body is what goes around the axis.
        axisymmetric: bool,
    },
}

/// What a deformable body is, known to who moves it.
#[derive(Clone)]
pub struct Content(pub Arc<dyn Deforming>);

/// A mesh, as who places bodies sees it: opaque, but for what fills its groups of elements.
pub trait Deforming: Send + Sync {
    /// What it is, for the rooms that know the type.
    fn content(&self) -> Arc<dyn std::any::Any + Send + Sync>;

    /// The body whose groups of elements have these densities [kg/m³], and all other elements `density`.
    ///
    /// # Errors
    /// A group that there is not, or two with an element in common, with the number of the group.
    fn filled(&self, groups: &[(&str, f64)], density: f64) -> Result<Filled, (Option<usize>, InputError)>;
}

/// A deformable body of several densities.
#[derive(Debug, Clone)]
pub struct Filled {
    /// The shape about its centre of mass.
    pub shape: Shape,
    /// That centre, in the axes of the shape of one density (m).
    pub centre: Vec3,
    /// Its mass (kg).
    pub mass: f64,
    /// Moments of inertia over mass (m²).
    pub inertia: Vec3,
    /// What fills each element: the number of its group, `None` of the others.
    pub elements: Vec<Option<usize>>,
    /// Area (m²) of the surface around each of its nodes that is so filled; nodes rising.
    pub surface: Vec<(u32, Option<usize>, f64)>,
}

impl std::fmt::Debug for Content {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Content")
    }
}

/// A part of a cluster.
#[derive(Debug, Clone)]
pub struct Part {
    /// What it is.
    pub core: Core,
    /// Where its origin is, in body axes (m).
    pub at: Vec3,
    /// From its axes to the body's.
    pub rotation: Quat,
    reach: f64,
}

impl Part {
    /// A core somewhere in a body.
    #[must_use]
    pub fn new(core: Core, at: Vec3, rotation: Quat) -> Self {
        let reach = core.reach();
        Self { core, at, rotation, reach }
    }

    /// Radius of a ball about its origin that holds it (m).
    #[must_use]
    pub const fn reach(&self) -> f64 {
        self.reach
    }
}

/// What a shape measures, for the dimension of its model.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Measures {
    /// Volume (m³).
    pub volume: f64,
    /// Outer surface (m²); in a planar model the rim times the thickness.
    pub surface: f64,
    /// Moments of inertia over mass about the body axes, which are principal (m²).
    pub inertia: Vec3,
}

/// A shape described by its core, centre of mass at the origin, in principal axes.
#[derive(Debug)]
pub struct Solid {
    name: &'static str,
    core: Core,
    measures: Measures,
    thickness: f64,
    bounds: [Vec3; 2],
    reach: f64,
    smallest: Option<f64>,
}

impl Solid {
    /// A shape. `name` is its kind, as a model file calls it.
    #[must_use]
    pub fn new(name: &'static str, core: Core, measures: Measures) -> Self {
        let (bounds, reach, smallest) = (core.bounds(), core.reach(), core.smallest_length());
        Self { name, core, measures, thickness: UNIT_THICKNESS, bounds, reach, smallest }
    }

    /// Says its thickness along z in a planar model (m); 1 m if it is not said.
    #[must_use]
    pub const fn thick(mut self, thickness: f64) -> Self {
        self.thickness = thickness;
        self
    }

    /// Its kind, as a model file calls it.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// What it is to the narrow phase.
    #[must_use]
    pub const fn core(&self) -> &Core {
        &self.core
    }

    /// What it measures.
    #[must_use]
    pub const fn measures(&self) -> &Measures {
        &self.measures
    }

    /// Thickness along z in a planar model (m).
    #[must_use]
    pub const fn thickness(&self) -> f64 {
        self.thickness
    }

    /// Lower and upper corner of its box in body axes (m).
    #[must_use]
    pub const fn bounds(&self) -> &[Vec3; 2] {
        &self.bounds
    }

    /// Radius of a ball (planar: circle) about the centre of mass that holds it (m).
    #[must_use]
    pub const fn reach(&self) -> f64 {
        self.reach
    }

    /// See [`crate::Shape::smallest_length`].
    pub(super) const fn smallest_length(&self) -> Option<f64> {
        self.smallest
    }
}

/// Shared shapes are the same when they are one.
impl PartialEq for Solid {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Core {
    /// The core of a box of these half edges (m).
    pub(crate) fn cuboid(half: &Vec3, dimension: Dimension) -> Result<Self, crate::polytope::PolytopeError> {
        let corner =
            |i: usize, z: f64| Vec3::new(if i & 1 == 1 { half.x } else { -half.x }, if i & 2 == 2 { half.y } else { -half.y }, z);
        let corners: Vec<Vec3> = match dimension {
            Dimension::Planar => (0..4).map(|i| corner(i, 0.0)).collect(),
            Dimension::Spatial => (0..8).map(|i| corner(i, if i & 4 == 4 { half.z } else { -half.z })).collect(),
        };
        Ok(Self::Polytope { hull: Arc::new(Polytope::from_points(&corners, dimension)?), rounding: 0.0 })
    }

    /// The core of what is within `rounding` of the segment from −`half` to `half` (m).
    pub(crate) fn segment(half: &Vec3, rounding: f64, dimension: Dimension) -> Result<Self, crate::polytope::PolytopeError> {
        Ok(Self::Polytope { hull: Arc::new(Polytope::segment(-half, *half, dimension)?), rounding })
    }

    /// Calls `visit` with the corners of boxes and hulls that hold the shape: the shape is inside of what is within the second
    /// argument of the hull of all of them.
    fn corners(&self, at: &Vec3, rotation: &Quat, visit: &mut dyn FnMut(Vec3, f64)) {
        match self {
            Self::Round { radius, .. } => visit(*at, *radius),
            Self::HalfSpace { .. } => visit(*at, f64::INFINITY),
            Self::Deformable { half, .. } => {
                for i in 0..8 {
                    let corner = Vec3::from_fn(|k, _| if i >> k & 1 == 1 { half[k] } else { -half[k] });
                    visit(at + rotation * corner, 0.0);
                }
            }
            Self::Polytope { hull, rounding } => hull.vertices().iter().for_each(|v| visit(at + rotation * v, *rounding)),
            Self::Mesh(mesh) => mesh.vertices().iter().for_each(|v| visit(at + rotation * v, 0.0)),
            Self::Hollow { outside, .. } => outside.corners(at, rotation, visit),
            Self::Cluster(parts) => {
                parts.iter().for_each(|p| p.core.corners(&(at + rotation * p.at), &(rotation * p.rotation), visit));
            }
            Self::Smooth(body) => {
                let along = |k: usize, sign: f64| {
                    let mut direction = Vec3::zeros();
                    direction[k] = sign;
                    body.support(&direction)[k]
                };
                for i in 0..8 {
                    let corner = Vec3::from_fn(|k, _| along(k, if i >> k & 1 == 1 { 1.0 } else { -1.0 }));
                    visit(at + rotation * corner, 0.0);
                }
            }
        }
    }

    /// Lower and upper corner of a box along the axes that holds it (m).
    #[must_use]
    pub fn bounds(&self) -> [Vec3; 2] {
        let mut bounds = [Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY)];
        self.corners(&Vec3::zeros(), &Quat::identity(), &mut |corner, around| {
            bounds = [bounds[0].inf(&corner.add_scalar(-around)), bounds[1].sup(&corner.add_scalar(around))];
        });
        bounds
    }

    /// Radius of a ball about the origin that holds it (m).
    #[must_use]
    pub fn reach(&self) -> f64 {
        let mut reach: f64 = 0.0;
        self.corners(&Vec3::zeros(), &Quat::identity(), &mut |corner, around| reach = reach.max(corner.norm() + around));
        match self {
            Self::Smooth(body) => body.reach(),
            Self::Hollow { outside, .. } => outside.reach(),
            Self::Cluster(parts) => reach.min(parts.iter().map(|p| p.at.norm() + p.reach).fold(0.0, f64::max)),
            _ => reach,
        }
    }
}
