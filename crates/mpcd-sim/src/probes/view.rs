//! What probes look at: the accepted step, and which of its bodies and contacts are meant.

use mpcd_core::{BodyId, Contact, Dimension, FieldStore, GroupId, Setup, Vec3, World};
use mpcd_geometry::{Shape, Shapes};

use super::section::RegionSection;

/// The accepted step.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub(crate) setup: &'a Setup,
    pub(crate) shapes: &'a Shapes,
    pub(crate) world: World<'a>,
    pub(crate) fields: &'a FieldStore,
    /// Length of the step that just ended (s).
    pub(crate) h: f64,
    /// Periods of the model now (m).
    pub(crate) periods: [Option<f64>; 3],
}

/// A box along the axes (m).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Region {
    pub(crate) from: Vec3,
    pub(crate) to: Vec3,
}

/// Whom a measure is about.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Choice {
    pub(crate) group: Option<GroupId>,
    pub(crate) region: Option<Region>,
}

impl Region {
    pub(crate) fn new(section: &RegionSection, dimension: Dimension) -> Self {
        let (mut from, mut to) = (section.from.si(), section.to.si());
        if dimension == Dimension::Planar {
            (from.z, to.z) = (f64::NEG_INFINITY, f64::INFINITY);
        }
        Self { from, to }
    }

    pub(crate) fn holds(&self, x: &Vec3) -> bool {
        (0..3).all(|k| self.from[k] <= x[k] && x[k] < self.to[k])
    }

    /// The part of the way from `p` to `q` that is inside.
    pub(crate) fn part(&self, p: &Vec3, q: &Vec3) -> f64 {
        let (mut low, mut high) = (0.0_f64, 1.0_f64);
        for k in 0..3 {
            let way = q[k] - p[k];
            if way == 0.0 {
                if p[k] < self.from[k] || p[k] >= self.to[k] {
                    return 0.0;
                }
                continue;
            }
            let (a, b) = ((self.from[k] - p[k]) / way, (self.to[k] - p[k]) / way);
            low = low.max(a.min(b));
            high = high.min(a.max(b));
        }
        (high - low).max(0.0)
    }
}

impl<'a> View<'a> {
    pub(crate) fn planar(&self) -> bool {
        self.setup.dimension == Dimension::Planar
    }

    /// Number of dimensions.
    pub(crate) fn axes(&self) -> usize {
        if self.planar() { 2 } else { 3 }
    }

    pub(crate) fn shape(&self, body: usize) -> &'a Shape {
        &self.shapes.0[body]
    }

    /// The shortest way along `way`, over periodic sides too.
    pub(crate) fn nearest(&self, mut way: Vec3) -> Vec3 {
        for k in 0..3 {
            if let Some(period) = self.periods[k] {
                way[k] -= (way[k] / period).round() * period;
            }
        }
        way
    }

    /// The image of a point that is nearest to the middle of a region.
    pub(crate) fn image(&self, x: &Vec3, region: &Region) -> Vec3 {
        let mut out = *x;
        for k in 0..3 {
            if let Some(period) = self.periods[k] {
                let middle = 0.5 * (region.from[k] + region.to[k]);
                out[k] -= ((x[k] - middle) / period).round() * period;
            }
        }
        out
    }

    /// Whether a point counts.
    pub(crate) fn inside(&self, choice: &Choice, x: &Vec3) -> bool {
        choice.region.as_ref().is_none_or(|r| r.holds(&self.image(x, r)))
    }

    /// Whether a body is of the group.
    pub(crate) fn grouped(&self, choice: &Choice, body: BodyId) -> bool {
        choice.group.is_none_or(|g| self.setup.bodies.group[body.index()] == g)
    }

    /// Whether a body is meant as a grain: of the group, of some volume.
    pub(crate) fn grain(&self, choice: &Choice, body: usize) -> bool {
        self.setup.bodies.volume[body] > 0.0 && self.grouped(choice, BodyId::from_index(body))
    }

    /// The grains whose centre is in the region.
    pub(crate) fn grains<'b>(&'b self, choice: &'b Choice) -> impl Iterator<Item = usize> + 'b {
        let k = self.world.kinematics;
        (0..k.len()).filter(move |i| self.grain(choice, *i) && self.inside(choice, &k.position[*i]))
    }

    /// Contacts with an impulse.
    pub(crate) fn pushing(&self) -> impl Iterator<Item = &'a Contact> {
        self.world.network.iter().filter(|c| c.r != Vec3::zeros())
    }

    /// How far a body reaches from its centre (m).
    pub(crate) fn reach(&self, body: usize) -> f64 {
        self.shape(body).bounding_radius(self.setup.dimension).unwrap_or(0.0) * self.world.kinematics.size[body]
    }

    /// Thickness along z of a body of a planar model (m).
    pub(crate) fn thickness(&self, body: usize) -> f64 {
        match self.shape(body) {
            Shape::Ball { radius } => 2.0 * radius,
            Shape::Disc { thickness, .. } => *thickness,
            Shape::Box { half } => 2.0 * half.z,
            Shape::Solid(solid) => solid.thickness(),
            Shape::Plane { .. } | Shape::Segment { .. } => 1.0,
        }
    }
}
