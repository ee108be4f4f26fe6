//! What a facet stands for beside its own plane: nothing in space, a thickness in the plane, the way around the axis where x is a radius. No contacts.

use std::f64::consts::TAU;

use mpcd_core::Vec3;

/// How facets of a skin become areas.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Depth {
    /// Triangles in space.
    Solid,
    /// Lines in the plane of a body of this thickness (m).
    Thickness(f64),
    /// Lines in the half plane of an axisymmetric body: x is the radius, y the axis.
    Ring,
}

impl Depth {
    /// Whether facets are lines in a plane.
    pub(super) const fn is_planar(self) -> bool {
        !matches!(self, Self::Solid)
    }

    /// Corners of a facet.
    pub(super) const fn corners(self) -> usize {
        if self.is_planar() { 2 } else { 3 }
    }

    /// What a line is thick (m) wherever it lies; 1 where that says nothing.
    pub(super) const fn thickness(self) -> f64 {
        if let Self::Thickness(t) = self { t } else { 1.0 }
    }

    /// The way around the axis (m) at a place; 1 where there is none.
    pub(super) fn around(self, x: &Vec3) -> f64 {
        if self == Self::Ring { TAU * x.x } else { 1.0 }
    }

    /// Length (m) along which a round body touches a line at a place.
    pub(super) fn length(self, x: &Vec3) -> f64 {
        self.thickness() * self.around(x)
    }

    /// Outward vector whose length is the area of a triangle (m²), or the length of a line (m).
    pub(super) fn flat_area(self, x: &[Vec3; 3]) -> Vec3 {
        let along = x[1] - x[0];
        if self.is_planar() { Vec3::new(along.y, -along.x, 0.0) } else { 0.5 * along.cross(&(x[2] - x[0])) }
    }

    /// ∫ φ_k n dA of the hat of each corner (m²), n outward.
    pub(super) fn hats(self, x: &[Vec3; 3]) -> [Vec3; 3] {
        let flat = self.flat_area(x);
        match self {
            Self::Solid => [flat / 3.0; 3],
            Self::Thickness(t) => [flat * (0.5 * t), flat * (0.5 * t), Vec3::zeros()],
            // ∫ φ_0 2π r ds over a line whose radius goes from r_0 to r_1
            Self::Ring => {
                let hat = |k: usize| flat * (TAU * (x[0].x + x[1].x + x[k].x) / 6.0);
                [hat(0), hat(1), Vec3::zeros()]
            }
        }
    }

    /// Area of a facet (m²).
    pub(super) fn area(self, x: &[Vec3; 3]) -> f64 {
        self.hats(x).iter().sum::<Vec3>().norm()
    }
}
