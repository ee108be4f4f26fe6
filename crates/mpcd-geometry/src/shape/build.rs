//! Solids from what a user gives: their cores, measures, centres and principal axes. How a model file writes them is in
//! `written`; what the curved ones measure is in `curved`.

use std::{f64::consts::PI, sync::Arc};

use mpcd_core::{Dimension, Mat3, Quat, Vec3};

use super::{
    Cavity, Core, Cylinder, Measures, Part, PlacedShape, Shape, Solid, TriMesh, capsule, stadium,
    union::{Loose, Sums, shared},
};
use crate::polytope::{Polytope, PolytopeError, principal_axes};

impl PlacedShape {
    /// A solid whose centre and axes are those it was described in.
    #[must_use]
    pub fn solid(solid: Solid) -> Self {
        Self::centred(Shape::Solid(Arc::new(solid)))
    }

    /// The convex hull of points (m), in its principal axes; in a planar model a polygon of the xy plane, `thickness` (m) thick.
    /// `name` is the kind of shape, as a model file calls it.
    ///
    /// # Errors
    /// Points that make no convex body with a volume.
    pub fn hull(name: &'static str, points: &[Vec3], dimension: Dimension, thickness: f64) -> Result<Self, PolytopeError> {
        let (hull, centre, orientation) = Polytope::from_points(points, dimension)?.principal()?;
        let m = hull.measures(thickness);
        let measures = Measures { volume: m.volume, surface: m.surface, inertia: m.inertia.diagonal() / m.volume };
        let solid = Solid::new(name, Core::Polytope { hull: Arc::new(hull), rounding: 0.0 }, measures).thick(thickness);
        Ok(Self { shape: Shape::Solid(Arc::new(solid)), centre, orientation })
    }

    /// All points within `radius` of a segment of this length along x (m); in a planar model a stadium 1 m thick.
    ///
    /// # Errors
    /// A segment without a length.
    pub fn capsule(radius: f64, length: f64, dimension: Dimension) -> Result<Self, PolytopeError> {
        let half = 0.5 * length * Vec3::x();
        let (volume, surface, inertia) = match dimension {
            Dimension::Spatial => capsule(&half, radius),
            Dimension::Planar => stadium(&half, radius),
        };
        let core = Core::segment(&half, radius, dimension)?;
        Ok(Self::solid(Solid::new("Capsule", core, Measures { volume, surface, inertia })))
    }

    /// A ring of a planar model: bodies inside touch its inner radius, others its outer one (m).
    #[must_use]
    pub fn hollow_disc(radius: f64, wall: f64, thickness: f64) -> Self {
        let outer = radius + wall;
        let (r2, s2) = (radius * radius, outer * outer);
        let axial = 0.5 * (r2 + s2);
        let across = 0.5 * axial + thickness * thickness / 12.0;
        let measures = Measures {
            volume: PI * (s2 - r2) * thickness,
            surface: 2.0 * PI * outer * thickness,
            inertia: Vec3::new(across, across, axial),
        };
        Self::hollow("HollowDisc", Cavity::Ball { radius }, Core::Round { radius: outer, tapers: false }, measures, thickness)
    }

    /// A spherical shell: bodies inside touch its inner radius, others its outer one (m).
    #[must_use]
    pub fn hollow_sphere(radius: f64, wall: f64) -> Self {
        let outer = radius + wall;
        let powers = |n: i32| outer.powi(n) - radius.powi(n);
        let measures = Measures {
            volume: 4.0 / 3.0 * PI * powers(3),
            surface: 4.0 * PI * outer * outer,
            inertia: Vec3::repeat(0.4 * powers(5) / powers(3)),
        };
        Self::hollow("HollowSphere", Cavity::Ball { radius }, Core::Round { radius: outer, tapers: true }, measures, 1.0)
    }

    /// A tube along z of this inner radius and inner length (m), its ends open, or closed by walls as thick as its side.
    #[must_use]
    pub fn hollow_cylinder(radius: f64, wall: f64, length: f64, closed: bool) -> Self {
        let outer = radius + wall;
        let (r2, s2) = (radius * radius, outer * outer);
        let tube =
            Turned { volume: PI * (s2 - r2) * length, axial: 0.5 * (r2 + s2), across: 0.25 * (r2 + s2) + length * length / 12.0 };
        let off = 0.5 * (length + wall);
        let ends = Turned { volume: 2.0 * PI * s2 * wall, axial: 0.5 * s2, across: 0.25 * s2 + wall * wall / 12.0 + off * off };
        let parts = if closed { vec![tube, ends] } else { vec![tube] };
        let volume: f64 = parts.iter().map(|p| p.volume).sum();
        let mean = |of: fn(&Turned) -> f64| parts.iter().map(|p| p.volume * of(p)).sum::<f64>() / volume;
        let (axial, across) = (mean(|p| p.axial), mean(|p| p.across));
        let whole = if closed { length + 2.0 * wall } else { length };
        let outside = Cylinder { radius: outer, half_length: 0.5 * whole };
        let surface = if closed { outside.measures().surface } else { 2.0 * PI * (outer * length + s2 - r2) };
        let measures = Measures { volume, surface, inertia: Vec3::new(across, across, axial) };
        let cavity = Cavity::Tube { radius, half_length: 0.5 * length, closed };
        Self::hollow("HollowCylinder", cavity, Core::Smooth(Arc::new(outside)), measures, 1.0)
    }

    fn hollow(name: &'static str, cavity: Cavity, outside: Core, measures: Measures, thickness: f64) -> Self {
        Self::solid(Solid::new(name, Core::Hollow { cavity, outside: Arc::new(outside) }, measures).thick(thickness))
    }

    /// A triangulated surface. One that encloses a volume, its triangles counter-clockwise as seen from outside, has the mass of
    /// that volume and is put into its principal axes; any other has none and stays as it is.
    ///
    /// # Errors
    /// What is wrong with the triangles, and what to do.
    pub fn surface(vertices: &[Vec3], triangles: &[[u32; 3]]) -> Result<Self, String> {
        let mesh = TriMesh::new(vertices, triangles)?;
        let corners = |t: [u32; 3]| t.map(|v| mesh.vertices()[v as usize]);
        let surface: f64 = mesh.triangles().map(corners).map(|[a, b, c]| 0.5 * (b - a).cross(&(c - a)).norm()).sum();
        let volume: f64 = mesh.triangles().map(corners).map(|[a, b, c]| a.dot(&b.cross(&c)) / 6.0).sum();
        let size3 = surface.powf(1.5);
        if !mesh.is_closed() || volume <= 1e-9 * size3 {
            if mesh.is_closed() && volume < -1e-9 * size3 {
                return Err("the triangles of a closed surface are clockwise as seen from outside; turn them around, or open the surface if bodies are inside of it".to_owned());
            }
            let solid = Solid::new("Surface", Core::Mesh(Arc::new(mesh)), Measures { surface, ..Measures::default() });
            return Ok(Self::solid(solid));
        }
        // Tetrahedra from the origin: ∫x xᵀ of one is V/20 (Σ vᵢ vᵢᵀ + (Σ vᵢ)(Σ vᵢ)ᵀ).
        let (mut first, mut second) = (Vec3::zeros(), Mat3::zeros());
        for [a, b, c] in mesh.triangles().map(corners) {
            let v = a.dot(&b.cross(&c)) / 6.0;
            let sum = a + b + c;
            first += v * sum / 4.0;
            second += v / 20.0 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose());
        }
        let centre = first / volume;
        let about = second / volume - centre * centre.transpose();
        let inertia = Mat3::identity() * about.trace() - about;
        let orientation = principal_axes(&inertia);
        let back = orientation.inverse();
        let moved: Vec<Vec3> = mesh.vertices().iter().map(|v| back * (v - centre)).collect();
        let triangles: Vec<[u32; 3]> = mesh.triangles().collect();
        let mesh = TriMesh::new(&moved, &triangles)?;
        let measures = Measures { volume, surface, inertia: along(&inertia, &orientation) };
        let solid = Solid::new("Surface", Core::Mesh(Arc::new(mesh)), measures);
        Ok(Self { shape: Shape::Solid(Arc::new(solid)), centre, orientation })
    }

    /// Several shapes as one rigid body, in its principal axes: volume, surface and moments of inertia of their union. Hollow parts, surfaces of triangles, bodies that do not
    /// tell their [`super::Chord`], and balls of a planar model count whole where they overlap others.
    ///
    /// # Errors
    /// No part, a plane among the parts, or parts without a volume.
    pub fn cluster(parts: &[Self], dimension: Dimension) -> Result<Self, String> {
        let mut flat: Vec<Loose> = Vec::new();
        let (mut volume, mut surface, mut first, mut about) = (0.0, 0.0, Vec3::zeros(), Mat3::zeros());
        let mut add = |sign: f64, more: &Sums| {
            volume += sign * more.volume;
            surface += sign * more.surface;
            first += sign * more.first;
            about += sign * more.about;
        };
        for part in parts {
            let core = match &part.shape {
                Shape::Plane { .. } => return Err("a plane has no end and cannot be a part of a cluster; use a box".to_owned()),
                Shape::Ball { radius } => Core::Round { radius: *radius, tapers: true },
                Shape::Disc { radius, .. } => Core::Round { radius: *radius, tapers: false },
                Shape::Box { half } => Core::cuboid(half, dimension).map_err(|e| e.to_string())?,
                Shape::Segment { half, thickness_radius } => {
                    Core::segment(half, *thickness_radius, dimension).map_err(|e| e.to_string())?
                }
                Shape::Solid(solid) => solid.core().clone(),
            };
            let thickness = part.shape.thickness();
            let before = flat.len();
            match core {
                Core::Cluster(inner) => flat.extend(inner.iter().map(|p| Loose {
                    core: p.core.clone(),
                    at: part.centre + part.orientation * p.at,
                    rotation: part.orientation * p.rotation,
                    thickness,
                })),
                core => flat.push(Loose { core, at: part.centre, rotation: part.orientation, thickness }),
            }
            add(1.0, &part.measured(dimension));
            // a cluster in a cluster brings what its parts share taken off already
            add(1.0, &shared(&flat[before..], dimension));
        }
        add(-1.0, &shared(&flat, dimension));
        if volume <= 0.0 {
            return Err("the parts of a cluster have no volume; expected at least one that has".to_owned());
        }
        let centre = first / volume;
        let inertia = about / volume - (Mat3::identity() * centre.norm_squared() - centre * centre.transpose());
        let orientation = if dimension == Dimension::Planar { Quat::identity() } else { principal_axes(&inertia) };
        let back = orientation.inverse();
        let thickness = flat.iter().map(|p| p.thickness).fold(f64::INFINITY, f64::min);
        let parts: Arc<[Part]> = flat.into_iter().map(|p| Part::new(p.core, back * (p.at - centre), back * p.rotation)).collect();
        let measures = Measures { volume, surface, inertia: along(&inertia, &orientation) };
        let solid = Solid::new("Cluster", Core::Cluster(parts), measures).thick(thickness);
        Ok(Self { shape: Shape::Solid(Arc::new(solid)), centre, orientation })
    }

    /// What it measures about the origin that it is placed from.
    fn measured(&self, dimension: Dimension) -> Sums {
        let (m, x) = (self.shape.mass_properties(1.0, dimension), self.centre);
        let turn = self.orientation.to_rotation_matrix().into_inner();
        let about = turn * Mat3::from_diagonal(&m.inertia) * turn.transpose();
        let away = m.volume * (Mat3::identity() * x.norm_squared() - x * x.transpose());
        Sums { volume: m.volume, surface: m.surface, first: m.volume * x, about: about + away }
    }
}

/// Volume and moments over mass of a body of revolution.
struct Turned {
    volume: f64,
    axial: f64,
    across: f64,
}

/// The diagonal of an inertia in its principal axes.
fn along(inertia: &Mat3, orientation: &Quat) -> Vec3 {
    let turn = orientation.to_rotation_matrix().into_inner();
    (turn.transpose() * inertia * turn).diagonal()
}
