//! How a shape that is neither round nor a box looks in a frame: from its core, as polygons and lines.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use mpcd_core::{Dimension, Quat, Vec3};
use mpcd_geometry::{Cavity, Core, polytope::Polytope};
use mpcd_output::{Placement, Surfaces};

/// Points around an outline of a planar model or of a wall.
const ROUND: usize = 32;
/// Points around the curved surface of a body in space, a multiple of four: few where there are many bodies, 4 kB each.
pub(crate) const fn detail(curved_bodies: usize) -> usize {
    match curved_bodies {
        0..=100 => 24,
        101..=1000 => 16,
        _ => 12,
    }
}

/// Where a core stands.
#[derive(Clone, Copy)]
pub(crate) struct Stand {
    pub(crate) position: Vec3,
    pub(crate) orientation: Quat,
    /// Size factor.
    pub(crate) size: f64,
    pub(crate) group: i32,
    pub(crate) dimension: Dimension,
    /// Points around a curved surface, from [`detail`].
    pub(crate) detail: usize,
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
            Core::Polytope { hull, rounding } if *rounding > 0.0 => self.rounded(surfaces, hull, *rounding),
            Core::Polytope { hull, .. } => self.polytope(surfaces, hull),
            Core::Cluster(parts) => {
                for part in parts.iter() {
                    let position = self.position + self.orientation * (part.at * self.size);
                    Self { position, orientation: self.orientation * part.rotation, ..*self }.draw(surfaces, &part.core);
                }
            }
            Core::Round { radius, .. } => {
                if self.planar() {
                    self.circle(surfaces, *radius, 0.0);
                } else {
                    self.convex(surfaces, &Quat::identity(), |d| d * *radius);
                }
            }
            Core::Smooth(map) => self.convex(surfaces, &Quat::identity(), |d| map.support(d)),
            Core::Hollow { cavity, .. } => self.cavity(surfaces, cavity),
            Core::Mesh(mesh) => {
                let corners = mesh.vertices();
                for triangle in mesh.triangles() {
                    surfaces.polygon(self.group, &triangle.map(|i| self.at(&corners[i as usize])));
                }
            }
            Core::HalfSpace { .. } | Core::Deformable { .. } => {}
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

    /// A hull with a rounding: all points within that distance of it. Its meridians run along its first edge.
    fn rounded(&self, surfaces: &mut Surfaces, hull: &Polytope, rounding: f64) {
        let support = |d: &Vec3| hull.vertices()[hull.support(d)] + d * rounding;
        if self.planar() {
            let along = hull.vertices().get(1).map_or_else(Vec3::x, |b| b - hull.vertices()[0]);
            let start = along.y.atan2(along.x);
            // Across a straight side the farthest point jumps: both of its ends are points of the outline.
            let outline: Vec<[f64; 3]> = (0..ROUND)
                .flat_map(|i| [-1e-9, 1e-9].map(|off| start + TAU * i as f64 / ROUND as f64 + off))
                .map(|angle| self.at(&support(&Vec3::new(angle.cos(), angle.sin(), 0.0))))
                .collect();
            surfaces.polygon(self.group, &outline);
            return;
        }
        let axis = hull.edges().first().map_or_else(Vec3::z, |e| {
            let [a, b] = e.ends.map(|v| hull.vertices()[usize::from(v)]);
            b - a
        });
        let turn = Quat::rotation_between(&Vec3::z(), &axis).unwrap_or_else(|| Quat::from_axis_angle(&Vec3::x_axis(), PI));
        self.convex(surfaces, &turn, support);
    }

    /// A circle of a radius about a point, from two unit vectors in its plane.
    fn ring(&self, surfaces: &mut Surfaces, centre: &Vec3, radius: f64, [u, v]: [Vec3; 2]) {
        let point = |i: usize| {
            let (sin, cos) = (TAU * i as f64 / ROUND as f64).sin_cos();
            self.at(&(centre + (u * cos + v * sin) * radius))
        };
        surfaces.line(self.group, &(0..ROUND).map(point).collect::<Vec<_>>(), true);
    }

    /// A circle about the z axis of the core at the height `z`.
    fn circle(&self, surfaces: &mut Surfaces, radius: f64, z: f64) {
        self.ring(surfaces, &(Vec3::z() * z), radius, [Vec3::x(), Vec3::y()]);
    }

    /// Lines alone, so that one sees what is inside.
    fn cavity(&self, surfaces: &mut Surfaces, cavity: &Cavity) {
        let around = |k: u32| {
            let (sin, cos) = (TAU * f64::from(k) / 8.0).sin_cos();
            Vec3::new(cos, sin, 0.0)
        };
        match *cavity {
            Cavity::Ball { radius } if self.planar() => self.circle(surfaces, radius, 0.0),
            Cavity::Ball { radius } => {
                for height in [-0.5, 0.0, 0.5] {
                    self.circle(surfaces, radius * (1.0_f64 - height * height).sqrt(), radius * height);
                }
                for k in 0..4 {
                    self.ring(surfaces, &Vec3::zeros(), radius, [around(k), Vec3::z()]);
                }
            }
            Cavity::Tube { radius, half_length, .. } => {
                self.circle(surfaces, radius, -half_length);
                self.circle(surfaces, radius, half_length);
                for k in 0..8 {
                    let end = |z: f64| self.at(&(around(k) * radius + Vec3::z() * z));
                    surfaces.line(self.group, &[end(-half_length), end(half_length)], false);
                }
            }
        }
    }

    /// Triangles and quadrilaterals between the farthest points in directions of latitude and longitude about `turn` z. The equator
    /// stands twice, a hair above and below, so that what is straight along the axis is so here.
    fn convex(&self, surfaces: &mut Surfaces, turn: &Quat, support: impl Fn(&Vec3) -> Vec3) {
        let (around, quarter) = (self.detail, self.detail / 4);
        let point = |polar: f64, j: usize| {
            let (sin, cos) = (TAU * j as f64 / around as f64).sin_cos();
            let direction = turn * Vec3::new(polar.sin() * cos, polar.sin() * sin, polar.cos());
            (support(&direction) * self.size).into()
        };
        let polar = |i: usize| FRAC_PI_2 * i as f64 / quarter as f64;
        let half: Vec<f64> = (1..=quarter).map(|i| polar(i).min(FRAC_PI_2 - 1e-9)).collect();
        let rings: Vec<f64> = half.iter().copied().chain(half.iter().rev().map(|p| PI - p)).collect();
        let mut corners: Vec<[f64; 3]> =
            rings.iter().flat_map(|p| (0..around).map(|j| point(*p, j)).collect::<Vec<_>>()).collect();
        let (top, bottom) = (corners.len(), corners.len() + 1);
        corners.extend([point(0.0, 0), point(PI, 0)]);
        let mut faces = Vec::new();
        let last = (rings.len() - 1) * around;
        for j in 0..around {
            let next = (j + 1) % around;
            faces.push(vec![top, j, next]);
            faces.extend((0..rings.len() - 1).map(|i| {
                let row = i * around;
                vec![row + j, row + around + j, row + around + next, row + next]
            }));
            faces.push(vec![last + j, bottom, last + next]);
        }
        surfaces.polyhedron(self.group, self.placement(), &corners, &faces);
    }
}
