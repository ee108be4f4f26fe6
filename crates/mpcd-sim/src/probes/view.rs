//! What probes look at: the accepted step, and which of its bodies and contacts are meant.

use mpcd_core::{BodyId, Contact, Dimension, FieldStore, GroupId, MeshView, Patch, Patches, Setup, Vec3, World};
use mpcd_geometry::{Shape, Shapes};

use super::{around, section::RegionSection};

/// Part of a period that may be missing to the whole of it.
const WHOLE: f64 = 1e-9;

/// Sine of the angle up to which a plane lies across an axis.
const FLAT: f64 = 1e-9;

/// The accepted step.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub(crate) setup: &'a Setup,
    pub(crate) shapes: &'a Shapes,
    pub(crate) world: World<'a>,
    /// Deformable bodies, one after another; none where nobody asked for them.
    pub(crate) meshes: &'a [MeshView],
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

    /// Whether a point is inside, along axes that it spans wherever it is.
    pub(crate) fn holds(&self, x: &Vec3, spans: [bool; 3]) -> bool {
        (0..3).all(|k| spans[k] || self.from[k] <= x[k] && x[k] < self.to[k])
    }

    /// The part of the way from `p` to `q` that is inside, along axes that it spans all of it.
    pub(crate) fn part(&self, p: &Vec3, q: &Vec3, spans: [bool; 3]) -> f64 {
        let (mut low, mut high) = (0.0_f64, 1.0_f64);
        for k in (0..3).filter(|k| !spans[*k]) {
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

    /// Number of dimensions in which contacts press on bodies: around an axis all three.
    pub(crate) fn axes(&self) -> usize {
        if self.planar() && !self.goes_around() { 2 } else { 3 }
    }

    /// Whether x is the radius of a planar model, and y its axis.
    pub(crate) fn goes_around(&self) -> bool {
        self.planar() && self.meshes.iter().any(|mesh| self.shape(mesh.body.index()).is_axisymmetric())
    }

    pub(crate) fn shape(&self, body: usize) -> &'a Shape {
        &self.shapes.0[body]
    }

    /// Whether the nodes of a body move by themselves.
    pub(crate) fn is_deformable(&self, body: usize) -> bool {
        self.shape(body).is_deformable()
    }

    /// The mesh of a deformable body.
    pub(crate) fn mesh(&self, body: usize) -> Option<&'a MeshView> {
        let place = self.meshes.binary_search_by_key(&body, |m| m.body.index()).ok()?;
        self.meshes.get(place)
    }

    /// Volume of a body (m³), of a deformable one as it is now.
    pub(crate) fn volume(&self, body: usize) -> f64 {
        let k = self.world.kinematics;
        match self.mesh(body) {
            Some(mesh) => mesh.volume,
            None if self.goes_around() => around::volume(self.shape(body), &k.position[body], &k.orientation[body], k.size[body]),
            None => self.shape(body).volume(k.size[body], self.setup.dimension),
        }
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

    /// The region of a choice; where it is longer than the period of an axis, the whole period about its middle.
    pub(crate) fn region(&self, choice: &Choice) -> Option<Region> {
        let mut region = choice.region?;
        for k in 0..3 {
            if let Some(period) = self.periods[k].filter(|period| region.to[k] - region.from[k] > *period) {
                region.from[k] = 0.5 * (region.from[k] + region.to[k] - period);
                region.to[k] = region.from[k] + period;
            }
        }
        Some(region)
    }

    /// Along which axes a region has a whole period, from which nothing leaves.
    pub(crate) fn spans(&self, region: &Region) -> [bool; 3] {
        [0, 1, 2].map(|k| self.periods[k].is_some_and(|period| region.to[k] - region.from[k] > period * (1.0 - WHOLE)))
    }

    /// Whether a point counts.
    pub(crate) fn inside(&self, choice: &Choice, x: &Vec3) -> bool {
        self.region(choice).is_none_or(|r| r.holds(&self.image(x, &r), self.spans(&r)))
    }

    /// Whether a body is of the group.
    pub(crate) fn grouped(&self, choice: &Choice, body: BodyId) -> bool {
        choice.group.is_none_or(|g| self.setup.bodies.group[body.index()] == g)
    }

    /// Whether a body is meant as a grain: of the group, with a volume or a mass, and no plane.
    pub(crate) fn grain(&self, choice: &Choice, body: usize) -> bool {
        let bodies = &self.setup.bodies;
        let solid = !matches!(self.shape(body), Shape::Plane { .. }) && (bodies.volume[body] > 0.0 || bodies.mass[body] > 0.0);
        solid && self.grouped(choice, BodyId::from_index(body))
    }

    /// The grains whose centre is in the region; of a group that is named, its planes too.
    pub(crate) fn members<'b>(&'b self, choice: &'b Choice) -> impl Iterator<Item = usize> + 'b {
        let k = self.world.kinematics;
        let meant = move |i: usize| match choice.group {
            Some(_) => self.grouped(choice, BodyId::from_index(i)),
            None => self.grain(choice, i),
        };
        (0..k.len()).filter(move |i| meant(*i) && self.inside(choice, &k.position[*i]))
    }

    /// The grains whose centre is in the region.
    pub(crate) fn grains<'b>(&'b self, choice: &'b Choice) -> impl Iterator<Item = usize> + 'b {
        let k = self.world.kinematics;
        (0..k.len()).filter(move |i| self.grain(choice, *i) && self.inside(choice, &k.position[*i]))
    }

    /// Contacts with an impulse.
    pub(crate) fn pushing(&self) -> impl Iterator<Item = &'a Contact> {
        self.world.network.iter().filter(|c| c.carries())
    }

    /// The patches that carry an impulse and are meant: one of their two bodies is of the group, their middle is in the region. Points of
    /// one face are one contact.
    pub(crate) fn forces<'b>(&'b self, patches: &'b Patches, choice: &'b Choice) -> impl Iterator<Item = Patch<'b>> + 'b {
        patches.iter(self.world.network).filter(move |p| {
            let (a, b) = p.first().bodies();
            p.contacts().any(|c| c.carries())
                && (self.grouped(choice, a) || self.grouped(choice, b))
                && self.inside(choice, &p.middle())
        })
    }

    /// Lowest and highest place of a body along an axis (m): of its surface, of a deformable one of its nodes; of a plane that lies across the axis, its own place. `None`
    /// where a body has no end.
    pub(crate) fn ends(&self, body: usize, axis: usize) -> Option<[f64; 2]> {
        if self.is_deformable(body) {
            let places = || self.mesh(body).into_iter().flat_map(|m| &m.points).map(|x| x[axis]);
            return Some([places().reduce(f64::min)?, places().reduce(f64::max)?]);
        }
        let k = self.world.kinematics;
        let (x, q, size) = (k.position[body][axis], &k.orientation[body], k.size[body]);
        let mut d = Vec3::zeros();
        d[axis] = 1.0;
        let d = q.inverse() * d;
        if let Shape::Plane { normal } = self.shape(body) {
            let across = normal.cross(&d).norm() <= FLAT * normal.norm();
            return across.then_some([x, x]);
        }
        Some([x - self.shape(body).height(&-d)? * size, x + self.shape(body).height(&d)? * size])
    }

    /// Thickness along z of a body of a planar model (m).
    pub(crate) fn thickness(&self, body: usize) -> f64 {
        match self.shape(body) {
            Shape::Ball { radius } => 2.0 * radius * self.world.kinematics.size[body],
            Shape::Disc { thickness, .. } => *thickness,
            Shape::Box { half } => 2.0 * half.z,
            Shape::Solid(solid) => solid.thickness(),
            Shape::Plane { .. } | Shape::Segment { .. } => 1.0,
        }
    }
}
