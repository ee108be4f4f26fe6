//! The narrow phase: the points of one pair of bodies that are within the alert distance. One code for plane and space.
//! No search for pairs, no state.

mod cuboid;
mod round;

use mpcd_core::{BodyId, ContactGeometry, ContactKey, Dimension, Frame, Kinematics, Vec3};

use crate::{error::GeometryError, shape::Shape, touch::Touch};

/// Centre and radius of a body as the hot loops want them: 32 bytes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Ball {
    /// Centre (m); z = 0 in a planar model.
    pub(crate) x: Vec3,
    /// Radius of a ball or disc at its present size (m); negative for all other shapes.
    pub(crate) r: f64,
}

impl Ball {
    pub(crate) fn is_round(&self) -> bool {
        self.r >= 0.0
    }
}

/// The bodies at one moment.
#[derive(Clone, Copy)]
pub(crate) struct Scene<'a> {
    pub(crate) shapes: &'a [Shape],
    pub(crate) kinematics: &'a Kinematics,
    pub(crate) dimension: Dimension,
    pub(crate) balls: &'a [Ball],
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
    Unknown,
}

impl Pair {
    /// Puts two bodies in order: the more curved and more finite one is the candidate, among equals the lower id.
    /// `None` for two planes, which never make a contact.
    pub(crate) fn new(a: BodyId, b: BodyId, shapes: &[Shape]) -> Option<Self> {
        let rank = |i: BodyId| match shapes[i.index()] {
            Shape::Ball { .. } | Shape::Disc { .. } => 0,
            Shape::Box { .. } => 1,
            Shape::Segment { .. } => 2,
            Shape::Solid(_) => 3,
            Shape::Plane { .. } => 4,
        };
        let (first, second) = if (rank(a), a) <= (rank(b), b) { (a, b) } else { (b, a) };
        (rank(first) < 4).then_some(Self { candidate: first, antagonist: second })
    }

    pub(crate) const fn key(self, feature: u64) -> ContactKey {
        ContactKey { candidate: self.candidate, antagonist: self.antagonist, feature }
    }
}

impl<'a> Scene<'a> {
    fn meeting(&self, pair: Pair) -> Meeting {
        let [c, a] = [pair.candidate, pair.antagonist].map(BodyId::index);
        match (self.balls[c].is_round(), self.balls[a].is_round()) {
            (true, true) => Meeting::Rounds,
            (true, false) if !matches!(self.shapes[a], Shape::Solid(_)) => Meeting::RoundOnOther,
            _ => match (&self.shapes[c], &self.shapes[a]) {
                (Shape::Box { .. }, Shape::Plane { .. }) => Meeting::BoxOnPlane,
                _ => Meeting::Unknown,
            },
        }
    }

    /// The smallest gap of a pair (m); for a pair whose contact is not known a lower bound.
    /// Changes by no more than the surfaces move.
    pub(crate) fn separation(&self, pair: Pair) -> f64 {
        match self.meeting(pair) {
            Meeting::Rounds => round::gap(self.ball(pair.candidate), self.ball(pair.antagonist)),
            Meeting::RoundOnOther => self.surface_near(pair).gap,
            Meeting::BoxOnPlane => {
                let mut least = f64::INFINITY;
                self.box_on_plane(pair, |corner| least = least.min(corner.gap));
                least
            }
            Meeting::Unknown => self.rough_distance(pair),
        }
    }

    /// Whether the contact of a pair is known.
    pub(crate) fn is_known(&self, pair: Pair) -> bool {
        self.meeting(pair) != Meeting::Unknown
    }

    /// Refuses a pair whose contact is not known if it is within the alert distance.
    pub(crate) fn refuse_unknown(&self, pair: Pair, alert: f64) -> Result<(), GeometryError> {
        if self.rough_distance(pair) > alert {
            return Ok(());
        }
        Err(GeometryError::UnknownPair {
            candidate: pair.candidate,
            candidate_shape: self.shapes[pair.candidate.index()].name(),
            antagonist: pair.antagonist,
            antagonist_shape: self.shapes[pair.antagonist.index()].name(),
        })
    }

    /// Number of points of a pair with gap ≤ `alert`; 0 if the contact is not known.
    pub(crate) fn count(&self, pair: Pair, alert: f64) -> u8 {
        match self.meeting(pair) {
            Meeting::Rounds => u8::from(round::gap(self.ball(pair.candidate), self.ball(pair.antagonist)) <= alert),
            Meeting::RoundOnOther => u8::from(self.surface_near(pair).gap <= alert),
            Meeting::BoxOnPlane => {
                let mut count = 0;
                self.box_on_plane(pair, |corner| count += u8::from(corner.gap <= alert));
                count
            }
            Meeting::Unknown => 0,
        }
    }

    /// Hands the points of a pair with gap ≤ `alert` to `sink`, by rising feature: as many as [`Scene::count`] says.
    pub(crate) fn touches(&self, pair: Pair, alert: f64, mut sink: impl FnMut(Touch)) {
        match self.meeting(pair) {
            Meeting::Rounds | Meeting::RoundOnOther => {
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
            Meeting::Unknown => {}
        }
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

    /// A lower bound of the gap of a pair whose contact is not known (m): the distance of a segment from a plane, else the
    /// distance of the bounding spheres or of the axis-aligned boxes, whichever says more.
    fn rough_distance(&self, pair: Pair) -> f64 {
        let (c, a) = (pair.candidate, pair.antagonist);
        let (Some(half_c), Some(half_a)) = (self.half_extent(c), self.half_extent(a)) else {
            return self.plane_distance(pair);
        };
        let apart = self.ball(c).x - self.ball(a).x;
        let radii = [c, a].map(|body| self.bounding_radius(body).unwrap_or(0.0));
        let boxes = apart.abs() - half_c - half_a;
        let boxes = if self.dimension == Dimension::Planar { boxes.x.max(boxes.y) } else { boxes.max() };
        boxes.max(apart.norm() - radii[0] - radii[1])
    }

    /// Distance of a segment from a plane (m).
    fn plane_distance(&self, pair: Pair) -> f64 {
        let (Shape::Segment { half, thickness_radius }, Shape::Plane { normal }) =
            (&self.shapes[pair.candidate.index()], &self.shapes[pair.antagonist.index()])
        else {
            return f64::INFINITY;
        };
        let n = self.plane_normal(pair.antagonist, normal);
        let s = self.size(pair.candidate);
        let centre = n.dot(&(self.ball(pair.candidate).x - self.ball(pair.antagonist).x));
        centre - s * (n.dot(&self.world(pair.candidate, half)).abs() + thickness_radius)
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

/// What a law needs of two surfaces from their summed principal curvatures [1/m]: across the plane of a planar model or the
/// axis of a capsule, and along it. Equivalent radius of an elliptic spot: √(R'R''), Johnson, Contact Mechanics (1985) §4.1.
fn curved(across: f64, along: f64, length: f64) -> ContactGeometry {
    if along == 0.0 {
        ContactGeometry::Line { reduced_radius: 1.0 / across, length }
    } else if along == across {
        ContactGeometry::Point { reduced_radius: 1.0 / across }
    } else {
        ContactGeometry::Point { reduced_radius: 1.0 / (across * along).sqrt() }
    }
}
