//! How a shape that is neither round nor a box looks in a frame: from its core, as polygons and lines.

use std::f64::consts::{PI, TAU};

use mpcd_core::{Dimension, Quat, Vec3};
use mpcd_geometry::{Cavity, Core, SupportMap, polytope::Polytope};
use mpcd_output::{Placement, Surfaces};

/// Points around a curved outline.
const ROUND: usize = 32;

/// Where a core stands.
#[derive(Clone, Copy)]
pub(crate) struct Stand {
    pub(crate) position: Vec3,
    pub(crate) orientation: Quat,
    /// Size factor.
    pub(crate) size: f64,
    pub(crate) group: i32,
    pub(crate) dimension: Dimension,
}

impl Stand {
    fn at(&self, x: &Vec3) -> [f64; 3] {
        (self.position + self.orientation * (x * self.size)).into()
    }

    fn placement(&self) -> Placement {
        let q = &self.orientation;
        Placement { position: self.position.into(), orientation: [q.w, q.i, q.j, q.k] }
    }

    fn planar(&self) -> bool {
        self.dimension == Dimension::Planar
    }

    /// Draws a core.
    pub(crate) fn draw(&self, surfaces: &mut Surfaces, core: &Core) {
        match core {
            Core::Polytope { hull, .. } => self.polytope(surfaces, hull),
            Core::Cluster(parts) => {
                for part in parts.iter() {
                    let position = self.position + self.orientation * (part.at * self.size);
                    Self { position, orientation: self.orientation * part.rotation, ..*self }.draw(surfaces, &part.core);
                }
            }
            Core::Round { radius } => {
                if self.planar() {
                    self.circle(surfaces, *radius, 0.0);
                } else {
                    self.convex(surfaces, |d| d * *radius);
                }
            }
            Core::Smooth(map) => self.smooth(surfaces, map.as_ref()),
            Core::Hollow { cavity, .. } => self.cavity(surfaces, cavity),
            Core::Mesh(mesh) => {
                let corners = mesh.vertices();
                for triangle in mesh.triangles() {
                    surfaces.polygon(self.group, &triangle.map(|i| self.at(&corners[i as usize])));
                }
            }
            Core::HalfSpace { .. } => {}
        }
    }

    fn polytope(&self, surfaces: &mut Surfaces, hull: &Polytope) {
        let corners = hull.vertices();
        if let [a, b] = corners {
            surfaces.line(self.group, &[self.at(a), self.at(b)], false);
        } else if self.planar() {
            let mut around: Vec<Vec3> = corners.to_vec();
            let middle = around.iter().sum::<Vec3>() / around.len().max(1) as f64;
            around.sort_by(|p, q| {
                let angle = |v: &Vec3| (v.y - middle.y).atan2(v.x - middle.x);
                angle(p).total_cmp(&angle(q))
            });
            surfaces.polygon(self.group, &around.iter().map(|v| self.at(v)).collect::<Vec<_>>());
        } else {
            let scaled: Vec<[f64; 3]> = corners.iter().map(|v| (v * self.size).into()).collect();
            let faces: Vec<Vec<usize>> =
                (0..hull.faces().len()).map(|f| hull.face_vertices(f).iter().map(|v| usize::from(*v)).collect()).collect();
            surfaces.polyhedron(self.group, self.placement(), &scaled, &faces);
        }
    }

    /// A circle about the z axis of the core at the height `z`.
    fn circle(&self, surfaces: &mut Surfaces, radius: f64, z: f64) {
        let point = |i: usize| {
            let angle = TAU * i as f64 / ROUND as f64;
            self.at(&Vec3::new(radius * angle.cos(), radius * angle.sin(), z))
        };
        surfaces.line(self.group, &(0..ROUND).map(point).collect::<Vec<_>>(), true);
    }

    fn cavity(&self, surfaces: &mut Surfaces, cavity: &Cavity) {
        match *cavity {
            Cavity::Ball { radius } if self.planar() => self.circle(surfaces, radius, 0.0),
            Cavity::Ball { radius } => self.convex(surfaces, |d| d * radius),
            // The mantle alone, so that one sees what is inside.
            Cavity::Tube { radius, half_length, .. } => {
                self.circle(surfaces, radius, -half_length);
                self.circle(surfaces, radius, half_length);
                for i in 0..8 {
                    let angle = TAU * f64::from(i) / 8.0;
                    let end = |z: f64| self.at(&Vec3::new(radius * angle.cos(), radius * angle.sin(), z));
                    surfaces.line(self.group, &[end(-half_length), end(half_length)], false);
                }
            }
        }
    }

    fn smooth(&self, surfaces: &mut Surfaces, map: &dyn SupportMap) {
        self.convex(surfaces, |direction| map.support(direction));
    }

    /// Quadrilaterals between the farthest points in directions of latitude and longitude.
    fn convex(&self, surfaces: &mut Surfaces, support: impl Fn(&Vec3) -> Vec3) {
        let rings = ROUND / 2;
        let corner = |i: usize, j: usize| {
            let (polar, around) = (PI * (i as f64 + 0.01) / (rings as f64 + 0.02), TAU * (j % ROUND) as f64 / ROUND as f64);
            let direction = Vec3::new(polar.sin() * around.cos(), polar.sin() * around.sin(), polar.cos());
            self.at(&support(&direction))
        };
        for i in 0..rings {
            for j in 0..ROUND {
                surfaces.polygon(self.group, &[corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)]);
            }
        }
    }
}
