//! The narrow phase: the points of one pair of bodies that are within the alert distance. One code for plane and space.
//! No search for pairs, no state.

mod cuboid;
mod general;
mod round;

use mpcd_core::{BodyId, ContactGeometry, ContactKey, Dimension, Frame, Kinematics, Vec3};

use crate::{
    shape::{Core, Shape},
    touch::Touch,
};
pub(crate) use general::{Beginning, Beside, Buffers, GRAZE, beginnings, may_turn, side_core};
pub(crate) use general::{Item, Search, Spot, meet, mix};
use general::{hides, rank, turned};

/// Centre and radius of a body as the hot loops want them, and what a contact of two balls or discs takes besides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Ball {
    /// Centre (m); z = 0 in a planar model.
    pub(crate) x: Vec3,
    /// Radius of a ball or disc at its present size (m); negative for all other shapes.
    pub(crate) r: f64,
    /// The same at reference size.
    pub(crate) reference: f64,
    /// Extent along z (m); infinite for a ball.
    pub(crate) thickness: f64,
}

impl Ball {
    /// The ball of a body with this shape, centre and size factor.
    pub(crate) fn new(shape: &Shape, x: Vec3, size: f64) -> Self {
        let reference = shape.radius().unwrap_or(-1.0);
        let r = if reference < 0.0 { -1.0 } else { reference * size };
        Self { x, r, reference, thickness: shape.thickness() }
    }

    #[inline]
    pub(crate) fn is_round(&self) -> bool {
        self.r >= 0.0
    }

    /// Whether a round one ends along z.
    #[inline]
    fn is_disc(&self) -> bool {
        self.thickness < f64::INFINITY
    }
}

/// The bodies at one moment.
#[derive(Clone, Copy)]
pub(crate) struct Scene<'a> {
    pub(crate) shapes: &'a [Shape],
    pub(crate) kinematics: &'a Kinematics,
    pub(crate) dimension: Dimension,
    pub(crate) balls: &'a [Ball],
    /// What each body is to the general narrow phase.
    pub(crate) cores: &'a [Core],
    /// Period along each axis (m).
    pub(crate) periods: [Option<f64>; 3],
    /// Whether there is a period.
    pub(crate) periodic: bool,
}

/// Two bodies in the order of their contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pair {
    pub(crate) candidate: BodyId,
    pub(crate) antagonist: BodyId,
}

/// What is known about the contact of two kinds of shapes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meeting {
    Rounds,
    RoundOnOther,
    BoxOnPlane,
    General,
}

/// The rank of planes among candidates.
const INFINITE: u8 = 7;

impl Pair {
    /// Puts two bodies in order: the more curved and more finite one is the candidate, among equals the lower id.
    /// `None` for two planes, which never make a contact.
    #[cfg(test)]
    pub(crate) fn new(a: BodyId, b: BodyId, shapes: &[Shape]) -> Option<Self> {
        Self::ranked((Self::rank(&shapes[a.index()]), a), (Self::rank(&shapes[b.index()]), b))
    }

    /// How early among candidates a shape is.
    pub(crate) fn rank(shape: &Shape) -> u8 {
        match shape {
            Shape::Ball { .. } | Shape::Disc { .. } => 0,
            Shape::Box { .. } => 2,
            Shape::Segment { .. } => 3,
            Shape::Plane { .. } => INFINITE,
            // Hulls are one with boxes; after them walls, clusters, surfaces, hollow bodies.
            Shape::Solid(solid) => match rank(solid.core()) {
                r @ 0..=2 => r,
                r => r + 1,
            },
        }
    }

    /// Puts two bodies with their ranks in order.
    #[inline]
    pub(crate) fn ranked(a: (u8, BodyId), b: (u8, BodyId)) -> Option<Self> {
        let (first, second) = if a <= b { (a, b) } else { (b, a) };
        (first.0 < INFINITE).then_some(Self { candidate: first.1, antagonist: second.1 })
    }

    pub(crate) const fn key(self, feature: u64) -> ContactKey {
        ContactKey { candidate: self.candidate, antagonist: self.antagonist, feature }
    }
}

impl<'a> Scene<'a> {
    #[inline]
    fn meeting(&self, pair: Pair) -> Meeting {
        let [c, a] = [pair.candidate, pair.antagonist].map(BodyId::index);
        match (self.balls[c].is_round(), self.balls[a].is_round()) {
            (true, true) => Meeting::Rounds,
            (true, false) if !matches!(self.shapes[a], Shape::Solid(_)) => Meeting::RoundOnOther,
            _ => match (&self.shapes[c], &self.shapes[a]) {
                (Shape::Box { .. }, Shape::Plane { .. }) => Meeting::BoxOnPlane,
                _ => Meeting::General,
            },
        }
    }

    /// The smallest gap of a pair (m), or a lower bound of it; of a body on a triangulated surface infinity where it is above
    /// `range`. Changes by no more than the surfaces move.
    pub(crate) fn separation(&self, pair: Pair, range: f64) -> f64 {
        match self.meeting(pair) {
            Meeting::Rounds => round::gap(self.ball(pair.candidate), &self.antagonist(pair)),
            Meeting::RoundOnOther => self.surface_near(pair).gap,
            Meeting::BoxOnPlane => {
                let mut least = f64::INFINITY;
                self.box_on_plane(pair, |corner| least = least.min(corner.gap));
                least
            }
            Meeting::General => self.rough_distance(pair, range),
        }
    }

    /// Number of points of a pair with gap ≤ `alert`; `None` if they need [`Scene::general`], which wants buffers.
    #[inline]
    pub(crate) fn count(&self, pair: Pair, alert: f64) -> Option<u8> {
        match self.meeting(pair) {
            Meeting::Rounds => Some(u8::from(round::gap(self.ball(pair.candidate), &self.antagonist(pair)) <= alert)),
            Meeting::RoundOnOther => Some(u8::from(self.surface_near(pair).gap <= alert)),
            Meeting::BoxOnPlane => {
                let mut count = 0;
                self.box_on_plane(pair, |corner| count += u8::from(corner.gap <= alert));
                Some(count)
            }
            Meeting::General => None,
        }
    }

    /// Hands the points of a pair with gap ≤ `alert` to `sink`, by rising feature: as many as [`Scene::count`] says.
    #[inline]
    pub(crate) fn touches(&self, pair: Pair, alert: f64, mut sink: impl FnMut(Touch)) {
        match self.meeting(pair) {
            Meeting::Rounds => {
                let touch = self.touch_of_rounds(pair);
                if touch.gap <= alert {
                    sink(touch);
                }
            }
            Meeting::RoundOnOther => {
                let touch = self.touch_of_round(pair);
                if touch.gap <= alert {
                    sink(touch);
                }
            }
            Meeting::BoxOnPlane => self.box_on_plane(pair, |corner| {
                if corner.gap <= alert {
                    sink(self.touch_of_corner(pair, &corner));
                }
            }),
            Meeting::General => {}
        }
    }

    /// Hands the points of any pair with gap ≤ `alert` to `sink`, by rising feature.
    pub(crate) fn general(&self, pair: Pair, alert: f64, buffers: &mut Buffers, mut sink: impl FnMut(Touch)) {
        if self.meeting(pair) != Meeting::General {
            return self.touches(pair, alert, sink);
        }
        buffers.spots.clear();
        let candidate = self.item(pair.candidate, &self.ball(pair.candidate).x);
        let antagonist = self.item(pair.antagonist, &self.antagonist(pair).x);
        meet(&candidate, &antagonist, &Search { dimension: self.dimension, alert }, buffers);
        buffers.spots.sort_by_key(|s| s.feature);
        buffers.spots.dedup_by_key(|s| s.feature);
        for spot in &buffers.spots {
            sink(self.touch_of_spot(pair, spot));
        }
    }

    /// A contact as one of its bodies has it, the candidate or the antagonist, seen from that body's centre.
    pub(crate) fn beside(&self, touch: &Touch, by_candidate: bool) -> Beside {
        let (own, other, owner, n, growth) = if by_candidate {
            (touch.arm_candidate, touch.arm_antagonist, touch.key.antagonist, touch.frame.n, touch.growth_antagonist)
        } else {
            (touch.arm_antagonist, touch.arm_candidate, touch.key.candidate, -touch.frame.n, touch.growth_candidate)
        };
        // Growth says how far the owner's surface is from its centre along its normal.
        let point = own + n * (growth * self.size(owner) - n.dot(&other));
        let reach = self.bounding_radius(owner).unwrap_or(f64::INFINITY);
        Beside { owner, centre: own - other, reach, point, n, gap: touch.gap }
    }

    /// Whether a contact of a body takes another one's place: see [`hides`].
    pub(crate) fn hides(&self, body: BodyId, by: &Beside, other: &Beside, buffers: &mut Buffers) -> bool {
        let item = |b: &Beside| self.item(b.owner, &b.centre);
        let search = Search { dimension: self.dimension, alert: 0.0 };
        hides(&self.item(body, &Vec3::zeros()), [(by, &item(by)), (other, &item(other))], &search, buffers)
    }

    /// A contact of a body with the normal of the face that it meets where two bodies make a hollow corner: see [`turned`]. Its point on the body
    /// is where that is as round as the contact says.
    pub(crate) fn turn(
        &self,
        (body, touch): (BodyId, &Touch),
        by: &Beside,
        other: &Beside,
        buffers: &mut Buffers,
    ) -> Option<Touch> {
        let item = |b: &Beside| self.item(b.owner, &b.centre);
        let search = Search { dimension: self.dimension, alert: 0.0 };
        let corner = turned(&self.item(body, &Vec3::zeros()), [(by, &item(by)), (other, &item(other))], &search, buffers)?;
        let n = corner.normal;
        let radius = match touch.geometry {
            ContactGeometry::Point { reduced_radius, .. } | ContactGeometry::Line { reduced_radius, .. } => reduced_radius,
            ContactGeometry::Flat { .. } => 0.0,
        };
        let has_one = matches!(touch.geometry, ContactGeometry::Point { .. }) || self.dimension == Dimension::Planar;
        let on_body = match corner.on_mover.filter(|_| has_one) {
            Some(lowest) => lowest,
            None => other.point + other.gap * other.n + radius * (other.n - n),
        };
        let gap = n.dot(&(on_body - corner.foot));
        let on_owner = on_body - gap * n;
        let by_candidate = body == touch.key.candidate;
        let (size, owners) = (self.size(body), self.size(other.owner));
        let growth = -n.dot(&on_body) / size;
        let growth_owner = if self.is_plane(other.owner) { 0.0 } else { n.dot(&(on_owner - other.centre)) / owners };
        let out = Touch { gap, ..*touch };
        Some(if by_candidate {
            let point = touch.point + (on_body - touch.arm_candidate);
            let (arm_candidate, arm_antagonist) = (on_body, on_body - other.centre);
            Touch {
                point,
                frame: self.frame(n),
                arm_candidate,
                arm_antagonist,
                growth_candidate: growth,
                growth_antagonist: growth_owner,
                ..out
            }
        } else {
            let point = touch.point + (on_body - touch.arm_antagonist);
            let (arm_candidate, arm_antagonist) = (on_body - other.centre, on_body);
            Touch {
                point,
                frame: self.frame(-n),
                arm_candidate,
                arm_antagonist,
                growth_candidate: growth_owner,
                growth_antagonist: growth,
                ..out
            }
        })
    }

    fn item(&self, body: BodyId, x: &Vec3) -> Item<'a> {
        let i = body.index();
        Item {
            core: &self.cores[i],
            x: *x,
            q: self.kinematics.orientation[i],
            size: self.kinematics.size[i],
            reach: self.bounding_radius(body).unwrap_or(f64::INFINITY),
        }
    }

    fn touch_of_spot(&self, pair: Pair, spot: &Spot) -> Touch {
        let (c, a) = (self.ball(pair.candidate).x, self.antagonist(pair).x);
        let on_antagonist = spot.on_first - spot.gap * spot.n;
        let point = spot.on_first - spot.part * spot.gap * spot.n;
        let length = self.ball(pair.candidate).thickness.min(self.ball(pair.antagonist).thickness);
        let geometry = spot.geometry(self.dimension == Dimension::Planar, length);
        let growth_antagonist = match self.shapes[pair.antagonist.index()] {
            Shape::Plane { .. } => 0.0,
            _ => spot.n.dot(&(on_antagonist - a)) / self.size(pair.antagonist),
        };
        Touch {
            key: pair.key(spot.feature),
            point,
            frame: self.frame(spot.n),
            gap: spot.gap,
            geometry,
            least_radius: self.least_radius(pair, spot),
            arm_candidate: point - c,
            arm_antagonist: point - a,
            growth_candidate: -spot.n.dot(&(spot.on_first - c)) / self.size(pair.candidate),
            growth_antagonist,
        }
    }

    /// See [`Touch::least_radius`]: the common point divides the gap as the radii are. What is known of a body's roundness bounds it, which
    /// settles what is in a hollow one.
    fn least_radius(&self, pair: Pair, spot: &Spot) -> f64 {
        let own = |body: BodyId| radius_across(&self.item(body, &Vec3::zeros()), &spot.n, spot);
        spot.least_radius().min(own(pair.candidate)).min(own(pair.antagonist))
    }

    /// The image of the antagonist nearest to the candidate.
    #[inline]
    fn antagonist(&self, pair: Pair) -> Ball {
        let a = *self.ball(pair.antagonist);
        if !self.periodic {
            return a;
        }
        Ball { x: a.x + self.shift(&(self.ball(pair.candidate).x - a.x)), ..a }
    }

    /// The periods that bring `apart` nearest to zero.
    #[inline]
    fn shift(&self, apart: &Vec3) -> Vec3 {
        let along = |l: f64, d: f64| if 2.0 * d.abs() < l { 0.0 } else { l * (d / l).round() };
        Vec3::from_fn(|k, _| self.periods[k].map_or(0.0, |l| along(l, apart[k])))
    }

    pub(crate) fn is_round(&self, body: BodyId) -> bool {
        self.ball(body).is_round()
    }

    pub(crate) fn is_plane(&self, body: BodyId) -> bool {
        matches!(self.shapes[body.index()], Shape::Plane { .. })
    }

    /// Radius of the bounding sphere at the present size (m); `None` for a plane.
    pub(crate) fn bounding_radius(&self, body: BodyId) -> Option<f64> {
        Some(self.shapes[body.index()].bounding_radius(self.dimension)? * self.size(body))
    }

    /// Outward unit normal of a plane; +x for other shapes, which have no single one.
    pub(crate) fn outward(&self, body: BodyId) -> Vec3 {
        match &self.shapes[body.index()] {
            Shape::Plane { normal } => self.plane_normal(body, normal),
            _ => Vec3::x(),
        }
    }

    #[inline]
    fn ball(&self, body: BodyId) -> &'a Ball {
        &self.balls[body.index()]
    }

    fn size(&self, body: BodyId) -> f64 {
        self.kinematics.size[body.index()]
    }

    /// Body axes → world axes, kept in the plane of a planar model.
    fn world(&self, body: BodyId, v: &Vec3) -> Vec3 {
        self.flat(self.kinematics.orientation[body.index()] * v)
    }

    /// World axes → body axes.
    fn local(&self, body: BodyId, v: &Vec3) -> Vec3 {
        self.flat(self.kinematics.orientation[body.index()].inverse_transform_vector(v))
    }

    fn flat(&self, v: Vec3) -> Vec3 {
        match self.dimension {
            Dimension::Planar => Vec3::new(v.x, v.y, 0.0),
            Dimension::Spatial => v,
        }
    }

    #[inline]
    fn frame(&self, n: Vec3) -> Frame {
        match self.dimension {
            Dimension::Planar => Frame::planar(n),
            Dimension::Spatial => Frame::spatial(n),
        }
    }

    /// Outward unit normal of a plane.
    fn plane_normal(&self, body: BodyId, normal: &Vec3) -> Vec3 {
        self.world(body, normal).normalize()
    }

    /// A lower bound of the gap of a pair (m): of their bounding spheres or axis-aligned boxes, whichever says more.
    fn rough_distance(&self, pair: Pair, range: f64) -> f64 {
        let (c, x) = (pair.candidate, self.ball(pair.candidate).x);
        let a = self.item(pair.antagonist, &self.antagonist(pair).x);
        let Some(half_c) = self.half_extent(c) else { return f64::NEG_INFINITY };
        let reach = self.bounding_radius(c).unwrap_or(0.0);
        let apart = x - a.x;
        match a.core {
            Core::HalfSpace { normal } => {
                let n = a.q * normal;
                return n.dot(&apart) - n.abs().dot(&half_c).min(reach);
            }
            Core::Hollow { cavity, .. } if cavity.holds(&a.local(&x)) => return a.wall_distance(cavity, &x) - reach,
            Core::Mesh(mesh) if !a.near_mesh(mesh, &x, reach + range) => return f64::INFINITY,
            _ => {}
        }
        let Some(half_a) = self.half_extent(pair.antagonist) else { return f64::NEG_INFINITY };
        let boxes = apart.abs() - half_c - half_a;
        let boxes = if self.dimension == Dimension::Planar { boxes.x.max(boxes.y) } else { boxes.max() };
        boxes.max(apart.norm() - reach - a.reach)
    }

    /// Half the axis-aligned box of a body (m); `None` for a plane.
    fn half_extent(&self, body: BodyId) -> Option<Vec3> {
        let s = self.size(body);
        match &self.shapes[body.index()] {
            Shape::Ball { radius } | Shape::Disc { radius, .. } => Some(Vec3::repeat(s * radius)),
            Shape::Plane { .. } => None,
            Shape::Segment { half, thickness_radius } => Some(s * self.world(body, half).abs().add_scalar(*thickness_radius)),
            Shape::Box { half } => {
                let rotation = self.kinematics.orientation[body.index()].to_rotation_matrix();
                Some(s * (rotation.matrix().abs() * self.flat(*half)))
            }
            Shape::Solid(solid) => Some(Vec3::repeat(s * solid.reach())),
        }
    }
}

/// Radius (m) of something round, or rounded, of this size; infinite for others.
fn radius_of(core: &Core, size: f64) -> f64 {
    match core {
        Core::Round { radius, .. } => radius * size,
        Core::Hollow { outside, .. } => radius_of(outside, size),
        Core::Polytope { rounding, .. } if *rounding > 0.0 => rounding * size,
        _ => f64::INFINITY,
    }
}

/// The largest radius (m) that a contact of a body stands for: that of something round; of something curved both ways that of a disc as large as its
/// silhouette along the normal, which a flat side or the blunt end of it would exceed by its radii of curvature.
pub(crate) fn radius_across(item: &Item<'_>, n: &Vec3, spot: &Spot) -> f64 {
    match item.core {
        Core::Smooth(shape) if spot.curvature[1] > 0.0 => {
            let area = shape.silhouette(&item.q.inverse_transform_vector(n));
            (area / std::f64::consts::PI).sqrt() * item.size
        }
        // along a line that of the side
        Core::Smooth(shape) => match shape.curvature(&item.q.inverse_transform_vector(n))[0] {
            k if k > 0.0 => item.size / k,
            _ => f64::INFINITY,
        },
        core => radius_of(core, item.size),
    }
}

impl Spot {
    /// The shape of the surfaces there; in the plane of bodies that lie over each other by `length` along z (m).
    pub(crate) fn geometry(&self, planar: bool, length: f64) -> ContactGeometry {
        let [across, along] = self.curvature;
        // In space a line without length is an end or an edge: sharp.
        let sharp = !planar && along == 0.0 && self.share == 0.0;
        if across == 0.0 || sharp {
            ContactGeometry::Flat { area: if planar { self.share * length } else { self.share } }
        } else {
            curved([across, along], self.roundness, if planar { length } else { self.share })
        }
    }

    /// The smaller of the two radii that its curvature is made of (m).
    pub(crate) fn least_radius(&self) -> f64 {
        1.0 / (self.curvature[0] * self.part.max(1.0 - self.part))
    }
}

/// What a law needs of two surfaces from their summed principal curvatures [1/m]: across the plane of a planar model or the
/// axis of a capsule, and along it. Equivalent radius of an elliptic spot: √(R'R''), Johnson, Contact Mechanics (1985) §4.1.
fn curved([across, along]: [f64; 2], roundness: f64, length: f64) -> ContactGeometry {
    if along == 0.0 {
        ContactGeometry::Line { reduced_radius: 1.0 / across, length }
    } else if along == across {
        ContactGeometry::Point { reduced_radius: 1.0 / across, roundness }
    } else {
        ContactGeometry::Point { reduced_radius: 1.0 / (across * along).sqrt(), roundness }
    }
}
