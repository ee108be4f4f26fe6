//! The region that a packing fills: a box, the axes of the model in it, and which of its sides are open because the model
//! is periodic there.

use mpcd_core::{Dimension, Vec3};

use super::PackingError;

const AXES: [char; 3] = ['x', 'y', 'z'];

/// A box to be filled. Along an open axis it repeats for ever; elsewhere it ends at walls.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Room {
    /// Lower corner (m).
    pub from: Vec3,
    /// Upper corner (m).
    pub to: Vec3,
    /// Space of the model.
    pub dimension: Dimension,
    /// Axes along which the box repeats.
    pub open: [bool; 3],
}

impl Room {
    /// The box between two corners. It is open along the axes of `periods` (m) whose period is as long as its edge.
    ///
    /// # Errors
    /// Corners out of order on an axis of the model.
    pub fn new(from: Vec3, to: Vec3, dimension: Dimension, periods: [Option<f64>; 3]) -> Result<Self, PackingError> {
        let room = Self { from, to, dimension, open: [false; 3] };
        for k in room.axes() {
            if from[k] >= to[k] {
                return Err(PackingError::Region { axis: AXES[k], from: from[k], to: to[k] });
            }
        }
        let full = |k: usize| periods[k].is_some_and(|p| ((to[k] - from[k]) / p - 1.0).abs() < 1e-9);
        Ok(Self { open: [full(0), full(1), dimension == Dimension::Spatial && full(2)], ..room })
    }

    /// The axes of the model.
    #[must_use]
    pub const fn axes(&self) -> std::ops::Range<usize> {
        match self.dimension {
            Dimension::Planar => 0..2,
            Dimension::Spatial => 0..3,
        }
    }

    /// The axis against gravity: y in a planar model, z in space.
    #[must_use]
    pub const fn up(&self) -> usize {
        match self.dimension {
            Dimension::Planar => 1,
            Dimension::Spatial => 2,
        }
    }

    /// Edges (m); along z of a planar model 0.
    #[must_use]
    pub fn edges(&self) -> Vec3 {
        let mut edges = self.to - self.from;
        if self.dimension == Dimension::Planar {
            edges.z = 0.0;
        }
        edges
    }

    /// Area (m²) or volume (m³).
    #[must_use]
    pub fn measure(&self) -> f64 {
        let edges = self.edges();
        self.axes().map(|k| edges[k]).product()
    }

    /// Area (m²) of a disc or volume (m³) of a sphere.
    #[must_use]
    pub fn measure_of(&self, radius: f64) -> f64 {
        match self.dimension {
            Dimension::Planar => std::f64::consts::PI * radius * radius,
            Dimension::Spatial => 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3),
        }
    }

    /// Checks that a body of this diameter (m) has room.
    ///
    /// # Errors
    /// An axis that is too narrow.
    pub fn holds(&self, diameter: f64) -> Result<(), PackingError> {
        let edges = self.edges();
        match self.axes().find(|k| edges[*k] < diameter * (1.0 - 1e-12)) {
            None => Ok(()),
            Some(k) => Err(PackingError::Narrow { axis: AXES[k], width: edges[k], diameter }),
        }
    }

    /// Brings a point back into the box along the open axes.
    #[must_use]
    pub fn wrapped(&self, mut x: Vec3) -> Vec3 {
        let edges = self.edges();
        for k in self.axes().filter(|k| self.open[*k]) {
            x[k] -= ((x[k] - self.from[k]) / edges[k]).floor() * edges[k];
        }
        x
    }

    /// The shortest way between two points, over open sides too.
    #[must_use]
    pub fn nearest(&self, mut way: Vec3) -> Vec3 {
        let edges = self.edges();
        for k in self.axes().filter(|k| self.open[*k]) {
            way[k] -= (way[k] / edges[k]).round() * edges[k];
        }
        way
    }

    /// A random point at least `inset` (m) from the walls.
    pub(super) fn point(&self, inset: f64, random: &mut super::Random) -> Vec3 {
        let mut x = Vec3::zeros();
        for k in self.axes() {
            let inset = if self.open[k] { 0.0 } else { inset };
            x[k] = random.within(self.from[k] + inset, self.to[k] - inset);
        }
        x
    }
}
