//! Volume, surface, centroid and inertia of a polytope, and moving it. Exact sums over tetrahedra (triangles in the plane).

use mpcd_core::{Mat3, Quat, Vec3};
use nalgebra::Rotation3;

use super::{Polytope, PolytopeError};

/// Products of inertia below this part of the trace count as none.
const NO_PRODUCT: f64 = 1e-12;

/// What a polytope measures at density 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measures {
    /// Volume (m³).
    pub volume: f64,
    /// Outer surface (m²); of a planar polygon the rim.
    pub surface: f64,
    /// Centre of mass (m).
    pub centroid: Vec3,
    /// Inertia about the centroid, axes of the body, for a density of 1 kg/m³ [kg m²].
    pub inertia: Mat3,
}

impl Polytope {
    /// Whether it is a polygon of a planar model.
    #[must_use]
    pub fn is_planar(&self) -> bool {
        self.edges.first().is_some_and(|e| e.ends[0] == e.ends[1])
    }

    /// Volume, surface, centroid, inertia, without rounding. `thickness` along z (m), centred on the plane, counts for planar
    /// polygons only. The volume of segments and plates is 0, their centroid the mean of their vertices.
    #[must_use]
    pub fn measures(&self, thickness: f64) -> Measures {
        let from = self.centre;
        let (mut volume, mut surface) = (0.0, 0.0);
        let (mut first, mut second) = (Vec3::zeros(), Mat3::zeros());
        for face in 0..self.faces.len() {
            let corners = self.face_vertices(face);
            let at = |i: usize| self.vertices[corners[i] as usize] - from;
            if let [_, _] = corners {
                let (a, b) = (at(0), at(1));
                let area = 0.5 * (a.x * b.y - a.y * b.x);
                volume += area * thickness;
                surface += (b - a).norm() * thickness;
                first += area * thickness / 3.0 * (a + b);
                second += area * thickness / 12.0 * outer(&[a, b, a + b]);
            }
            for i in 1..corners.len().saturating_sub(1) {
                let (a, b, c) = (at(0), at(i), at(i + 1));
                let tetrahedron = a.dot(&b.cross(&c)) / 6.0;
                volume += tetrahedron;
                surface += 0.5 * (b - a).cross(&(c - a)).norm();
                first += tetrahedron / 4.0 * (a + b + c);
                second += tetrahedron / 20.0 * outer(&[a, b, c, a + b + c]);
            }
        }
        if self.is_planar() {
            second[(2, 2)] += volume * thickness * thickness / 12.0;
        }
        let shift = if self.inner_radius > 0.0 { first / volume } else { Vec3::zeros() };
        let about = second - volume * shift * shift.transpose();
        let inertia = Mat3::identity() * about.trace() - about;
        Measures { volume, surface, centroid: from + shift, inertia }
    }

    /// The volume (m³) with a ball of radius `rounding` (m) added: Steiner's formula. A planar polygon has `thickness` along z.
    #[must_use]
    pub fn rounded_volume(&self, rounding: f64, thickness: f64) -> f64 {
        let (r, m) = (rounding, self.measures(thickness));
        let pi = std::f64::consts::PI;
        if self.is_planar() {
            return m.volume + r * m.surface + pi * r * r * thickness;
        }
        m.volume + m.surface * r + self.curvature() * r * r + 4.0 / 3.0 * pi * r.powi(3)
    }

    /// The surface (m²) with a ball of radius `rounding` (m) added; of a planar polygon the rim.
    #[must_use]
    pub fn rounded_surface(&self, rounding: f64, thickness: f64) -> f64 {
        let (r, m) = (rounding, self.measures(thickness));
        let pi = std::f64::consts::PI;
        if self.is_planar() {
            return m.surface + 2.0 * pi * r * thickness;
        }
        m.surface + 2.0 * self.curvature() * r + 4.0 * pi * r * r
    }

    /// Half the sum of length times outer angle over the edges (m): the integral of the mean curvature.
    fn curvature(&self) -> f64 {
        self.edges
            .iter()
            .map(|edge| {
                let [a, b] = edge.ends.map(|v| self.vertices[v as usize]);
                let angle = edge.faces.map_or(2.0 * std::f64::consts::PI, |f| {
                    let [m, n] = f.map(|f| self.faces[f as usize].normal);
                    m.cross(&n).norm().atan2(m.dot(&n))
                });
                0.5 * (b - a).norm() * angle
            })
            .sum()
    }

    /// The same polytope turned by `rotation` and then shifted by `shift` (m).
    #[must_use]
    pub fn moved(&self, rotation: &Quat, shift: &Vec3) -> Self {
        let mut moved = self.clone();
        moved.vertices.iter_mut().for_each(|v| *v = rotation * *v + shift);
        for face in &mut moved.faces {
            face.normal = rotation * face.normal;
            face.offset += face.normal.dot(shift);
        }
        moved.sides.iter_mut().for_each(|s| s.outward = rotation * s.outward);
        for edge in &mut moved.edges {
            edge.direction = rotation * edge.direction;
            edge.inward = edge.inward.map(|v| rotation * v);
        }
        moved.centre = rotation * moved.centre + shift;
        moved
    }

    /// The polytope in its principal axes, centroid at the origin; and where those axes are: the centroid (m) and the rotation
    /// from principal axes to the axes the points were given in. Axes that are principal already stay. In a planar model the
    /// axes always stay.
    ///
    /// # Errors
    /// If it has no volume: segments and plates.
    pub fn principal(&self) -> Result<(Self, Vec3, Quat), PolytopeError> {
        if self.inner_radius <= 0.0 {
            return Err(PolytopeError::Flat("on one line or in one plane"));
        }
        let m = self.measures(1.0);
        let axes = if self.is_planar() { Quat::identity() } else { principal_axes(&m.inertia) };
        let back = axes.inverse();
        Ok((self.moved(&back, &-(back * m.centroid)), m.centroid, axes))
    }
}

/// The rotation from principal axes to body axes, the first, second and third of which lie nearest to x, y and z as a whole: the identity if `inertia` is diagonal, and
/// little else where it all but is.
#[must_use]
pub fn principal_axes(inertia: &Mat3) -> Quat {
    let products = inertia[(0, 1)].abs().max(inertia[(0, 2)].abs()).max(inertia[(1, 2)].abs());
    if products <= NO_PRODUCT * inertia.trace() {
        return Quat::identity();
    }
    let axes = inertia.symmetric_eigen().eigenvectors;
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let nearness = |order: [usize; 3]| -> f64 { (0..3).map(|k| axes[(k, order[k])].abs()).sum() };
    let order = orders.into_iter().fold(orders[0], |best, next| if nearness(next) > nearness(best) { next } else { best });
    let [a, b] = [0, 1].map(|k| axes.column(order[k]) * axes[(k, order[k])].signum());
    Quat::from_rotation_matrix(&Rotation3::from_matrix_unchecked(Mat3::from_columns(&[a, b, a.cross(&b)])))
}

fn outer(vectors: &[Vec3]) -> Mat3 {
    vectors.iter().map(|v| v * v.transpose()).sum()
}
