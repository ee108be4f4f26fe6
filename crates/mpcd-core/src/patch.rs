//! Patches: the contact points at which one body lies on another, face on face or along a line, taken as the one contact that they are. What
//! lives here: which points make a patch, its area, the shares of its points and its resultant. What may not: laws, shapes, solvers.

use crate::{
    ids::{BodyId, ContactKey},
    math::{Frame, Vec3},
    network::{Contact, ContactGeometry, ContactNetwork},
};

/// Sine of the angle up to which the normals of two points of meshes are of one patch, and rise of the surface from one to the other over their distance:
/// what was one face bends.
const BENT: f64 = 0.3;

/// Part of the way between two points of something round up to which the centres that their normals mean may be apart: all of it of two equal balls side by side,
/// nothing of one; of an ellipsoid the directions in which it is more and less curved differ.
const ONE_BALL: f64 = 0.9;

/// Sine of the angle between two faces, two lines or a line and a face up to which they lie on each other; beyond it an edge or an end touches.
pub const LEVEL: f64 = 1e-3;

/// Part of the lengths that a gap is made of up to which two are equal: one point has one gap from the face of the one body and another from that of the other.
pub const ROUNDING: f64 = 1e-13;

/// Part of the extent of a pair's points up to which those in one place are of one plane and as near: at the seam of two flush parts each has its own.
const SEAM: f64 = 1e-9;

/// Whether a point with this gap (m) lies on the patch whose nearest point has the gap `least`, `apart` from it (m): as near but for a tilt of
/// [`LEVEL`], overlapping as that is, or, where nothing touches yet, no more than twice as far; and but for [`ROUNDING`] of `lengths` (m), the sizes and coordinates that
/// the gaps are made of. What is farther is foreseen by laws of the gap and has no part of the patch.
#[must_use]
pub fn on_patch(gap: f64, least: f64, apart: f64, lengths: f64) -> bool {
    gap <= least.max(0.0) + (least + LEVEL * apart).max(0.0) + ROUNDING * lengths
}

/// A contact point as far as patches need it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PatchPoint {
    /// Identity; points of one pair follow each other.
    pub key: ContactKey,
    /// Place (m).
    pub point: Vec3,
    /// Unit normal, from antagonist to candidate.
    pub normal: Vec3,
    /// Gap (m).
    pub gap: f64,
    /// Shape of the touching surfaces.
    pub geometry: ContactGeometry,
    /// The smaller radius of the two (m).
    pub least_radius: f64,
    /// Whether it lies on a mesh.
    pub on_mesh: bool,
    /// Whether it bears, so that others gather around it first.
    pub bears: bool,
    /// The place of a curved rigid body at which it lies on a mesh; 0 at none.
    pub place: u32,
}

impl PatchPoint {
    /// By what the points of one patch share what it has: their sizes, or, where something curved touches several nodes of a mesh, their parts of its cross-section (m²).
    pub fn weight(&self) -> f64 {
        match self.geometry {
            ContactGeometry::Point { .. } => self.geometry.section(self.least_radius),
            _ => self.geometry.size(),
        }
    }

    /// Whether two points lie on one round antagonist of this radius (m), and not on two that are as round: their normals turn by about as much as the way between
    /// them does on it.
    fn is_of_one_ball(&self, other: &Self, radius: f64) -> bool {
        let [a, b] = [self, other].map(|p| p.point - p.normal * (p.gap + radius));
        (a - b).norm() <= ONE_BALL * (self.point - other.point).norm()
    }

    /// Whether two points of one pair belong together: flat on flat or lines, of something curved the nodes of a mesh that it touches, with one normal and in one
    /// plane, the gaps allowed for; of a body that touches itself from either side; nodes at one place of a curved body wherever they are. Points without area (edges, corners, what is only foreseen) are no part of a face; they belong together where they are
    /// about as near. What is within `level` (m) is the same.
    fn joins(&self, other: &Self, level: f64) -> bool {
        if self.place > 0 && other.place > 0 {
            return self.place == other.place;
        }
        let one_kind = match (&self.geometry, &other.geometry) {
            (ContactGeometry::Flat { .. }, ContactGeometry::Flat { .. })
            | (ContactGeometry::Line { .. }, ContactGeometry::Line { .. }) => true,
            (ContactGeometry::Point { reduced_radius, .. }, round) => {
                self.on_mesh && other.on_mesh && self.geometry == *round && self.is_of_one_ball(other, *reduced_radius)
            }
            _ => false,
        };
        let apart = other.point - self.point;
        let sized = [self.weight() > 0.0, other.weight() > 0.0];
        let [least, most] = [self.gap.min(other.gap), self.gap.max(other.gap)];
        let bends = self.on_mesh && other.on_mesh;
        let bent = if bends { BENT } else { LEVEL };
        one_kind
            && sized[0] == sized[1]
            && (bends && sized[0] || on_patch(most - level, least, apart.norm(), 0.0))
            && (self.normal.dot(&other.normal) > 0.0 || self.key.candidate == self.key.antagonist)
            && self.normal.cross(&other.normal).norm_squared() <= bent * bent
            && self.normal.dot(&apart).abs() <= self.gap.abs() + other.gap.abs() + bent * apart.norm() + level
    }
}

impl From<&Contact> for PatchPoint {
    /// That of a contact between rigid bodies.
    fn from(c: &Contact) -> Self {
        let (geometry, least_radius) = (c.geometry, c.least_radius);
        Self {
            key: c.key,
            point: c.point,
            normal: c.frame.n,
            gap: c.gap,
            geometry,
            least_radius,
            on_mesh: false,
            bears: false,
            place: 0,
        }
    }
}

impl ContactNetwork {
    /// A contact as patches see it.
    ///
    /// # Panics
    /// When there is no such contact.
    #[must_use]
    pub fn patch_point(&self, contact: usize) -> PatchPoint {
        let c = &self.contacts[contact];
        let found = self.on_mesh(&c.key);
        let on_mesh = found.is_some_and(|m| m.points.iter().any(Option::is_some));
        PatchPoint { on_mesh, bears: on_mesh && c.bears(), place: found.map_or(0, |m| m.place), ..c.into() }
    }
}

/// The places of one patch in [`Patches`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Span {
    from: u32,
    to: u32,
}

/// Which contacts make which patch: a pure function of the network, so it is no part of a checkpoint.
///
/// A patch holds the points of one pair of bodies that are flat on flat (or a line on something), have one normal and lie in one plane: the four
/// corners of a box on a floor, the two ends of a lying cylinder, of a planar face. Points of curved surfaces are patches of one point. Points of
/// one pair in two planes (a box in a groove of a cluster) are two patches. On meshes the nodes that something curved touches are one, and a face may bend: points of one pair whose normals turn little from one that bears, or from the first, are one. Points without area, such as the upper corners of that box within the
/// alert distance, are a patch of their own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Patches {
    /// Contacts, patch by patch.
    order: Vec<u32>,
    spans: Vec<Span>,
    /// Patch of each contact.
    of: Vec<u32>,
}

impl ContactNetwork {
    /// Which contacts make one patch: the points of a face on a face, of a line on something. A module whose law holds for a contact as a whole
    /// (a conductance, a resistance) goes over these and not over the points: [`Patches::iter`].
    #[must_use]
    pub fn patches(&self) -> Patches {
        Patches::of(self)
    }
}

impl Patches {
    /// The patches of a network, in the order of their first points.
    #[must_use]
    pub fn of(network: &ContactNetwork) -> Self {
        let mut out = Self::default();
        out.find(network.len(), |k| network.contacts[k].bodies(), |k| network.patch_point(k));
        out
    }

    /// Finds the patches among `count` points, which are sorted by key, from the two bodies of each; of a pair with several also from what they are. Allocates only where it
    /// grows.
    #[allow(clippy::cast_possible_truncation, reason = "columns are shorter than 2³²")]
    pub fn find(&mut self, count: usize, bodies: impl Fn(usize) -> (BodyId, BodyId), point: impl Fn(usize) -> PatchPoint) {
        self.order.clear();
        self.spans.clear();
        self.of.clear();
        self.of.resize(count, u32::MAX);
        let mut from = 0;
        while from < count {
            let pair = bodies(from);
            let to = (from + 1..count).find(|k| bodies(*k) != pair).unwrap_or(count);
            if to == from + 1 {
                self.of[from] = self.spans.len() as u32;
                self.spans.push(Span { from: self.order.len() as u32, to: self.order.len() as u32 + 1 });
                self.order.push(from as u32);
                from = to;
                continue;
            }
            let origin = point(from).point;
            let extent = (from..to).map(|k| (point(k).point - origin).norm()).fold(0.0, f64::max);
            let level = SEAM * extent + ROUNDING * origin.norm();
            // Of what is rigid the nearest gather the others, whichever of the two bodies has their names.
            let rank = |k: &usize| {
                let point = point(*k);
                (!point.bears, if point.on_mesh { 0.0 } else { point.gap }, *k)
            };
            let by_rank =
                |a: &(bool, f64, usize), b: &(bool, f64, usize)| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2));
            while let Some((.., k)) = (from..to).filter(|k| self.of[*k] == u32::MAX).map(|k| rank(&k)).min_by(by_rank) {
                let (lead, start) = (point(k), self.order.len() as u32);
                for i in from..to {
                    if i == k || (self.of[i] == u32::MAX && lead.joins(&point(i), level)) {
                        self.of[i] = self.spans.len() as u32;
                        self.order.push(i as u32);
                    }
                }
                self.spans.push(Span { from: start, to: self.order.len() as u32 });
            }
            from = to;
        }
    }

    /// Whether a patch is of one contact.
    #[must_use]
    pub fn is_alone(&self, patch: usize) -> bool {
        let Span { from, to } = self.spans[patch];
        to == from + 1
    }

    /// The patches of several contacts.
    pub fn several<'a>(&'a self, network: &'a ContactNetwork) -> impl Iterator<Item = Patch<'a>> {
        (0..self.len()).filter(|patch| !self.is_alone(*patch)).map(|patch| self.patch(network, patch))
    }

    /// Number of patches.
    #[must_use]
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// The patch of a contact, by its place in the network.
    #[must_use]
    pub fn patch_of(&self, contact: usize) -> usize {
        self.of[contact] as usize
    }

    /// Places in the network of the contacts of a patch, rising.
    pub fn contacts(&self, patch: usize) -> impl ExactSizeIterator<Item = usize> + Clone + '_ {
        let Span { from, to } = self.spans[patch];
        self.order[from as usize..to as usize].iter().map(|&k| k as usize)
    }

    /// A patch with its contacts, by its number.
    #[must_use]
    pub const fn patch<'a>(&'a self, network: &'a ContactNetwork, patch: usize) -> Patch<'a> {
        Patch { network, patches: self, patch }
    }

    /// The patches with their contacts.
    pub fn iter<'a>(&'a self, network: &'a ContactNetwork) -> impl ExactSizeIterator<Item = Patch<'a>> {
        (0..self.len()).map(|patch| self.patch(network, patch))
    }
}

/// One patch of a network.
#[derive(Debug, Clone, Copy)]
pub struct Patch<'a> {
    network: &'a ContactNetwork,
    patches: &'a Patches,
    patch: usize,
}

impl<'a> Patch<'a> {
    /// Places of its contacts in the network, rising.
    pub fn places(&self) -> impl ExactSizeIterator<Item = usize> + Clone + 'a {
        self.patches.contacts(self.patch)
    }

    /// Its contacts.
    pub fn contacts(&self) -> impl ExactSizeIterator<Item = &'a Contact> + Clone + 'a {
        let network = self.network;
        self.places().map(move |k| &network.contacts[k])
    }

    /// Place of its first contact in the network; every patch has one.
    pub(crate) fn first_place(&self) -> usize {
        self.patches.order[self.patches.spans[self.patch].from as usize] as usize
    }

    /// Where the contact at a place in the network lies (m).
    pub(crate) fn point(&self, place: usize) -> Vec3 {
        self.network.contacts[place].point
    }

    /// The contact that shapes it: the first that stands for something, or the first of all. Of the nodes of a mesh at one place of a curved body only those have its shape that
    /// are nearest to it.
    #[must_use]
    pub fn shaping(&self) -> &'a Contact {
        let is_sized = |c: &&Contact| PatchPoint::from(*c).weight() > 0.0;
        self.contacts().find(is_sized).unwrap_or_else(|| self.first())
    }

    /// Its first contact; every patch has one.
    #[must_use]
    pub fn first(&self) -> &'a Contact {
        &self.network.contacts[self.first_place()]
    }

    /// The frame of its contacts.
    #[must_use]
    pub fn frame(&self) -> &'a Frame {
        &self.first().frame
    }

    /// The area in which two flat surfaces lie over each other (m²), the lengths of its lines (m), 0 for curved surfaces: the kind is that of the first
    /// contact's geometry.
    #[must_use]
    pub fn size(&self) -> f64 {
        self.size_among(|_| true)
    }

    /// The same of some of its contacts, by their places in the network.
    fn size_among(&self, takes: impl Fn(usize) -> bool) -> f64 {
        self.places().filter(|k| takes(*k)).map(|k| self.network.contacts[k].geometry.size()).sum()
    }

    /// The shape of its surfaces: that of its contacts with the area or length of all of them.
    #[must_use]
    pub fn geometry(&self) -> ContactGeometry {
        self.geometry_among(|_| true)
    }

    /// The same with the area or length of some of its contacts, by their places in the network: those that bear. The nodes of a mesh on one line of a curved body are
    /// that line, whichever of them bear.
    #[must_use]
    pub fn geometry_among(&self, takes: impl Fn(usize) -> bool) -> ContactGeometry {
        match self.shaping().geometry {
            point @ ContactGeometry::Point { .. } => point,
            ContactGeometry::Line { reduced_radius, .. } => {
                let is_one = self.network.on_mesh(&self.first().key).is_some_and(|m| m.place > 0);
                ContactGeometry::Line { reduced_radius, length: self.size_among(|k| is_one || takes(k)) }
            }
            ContactGeometry::Flat { .. } => ContactGeometry::Flat { area: self.size_among(takes) },
        }
    }

    /// Each contact's place in the network and its part of the patch, 0 to 1; the parts add up to 1. They go by area or length; without one
    /// all points are equal.
    pub fn shares(&self) -> impl Iterator<Item = (usize, f64)> + Clone + 'a {
        self.shares_among(|_| true)
    }

    /// The same among some of its contacts, by their places in the network: the others have no part.
    pub fn shares_among<'b>(&self, takes: impl Fn(usize) -> bool + Clone + 'b) -> impl Iterator<Item = (usize, f64)> + Clone + 'b
    where
        'a: 'b,
    {
        let network = self.network;
        let weight = move |k: usize| PatchPoint::from(&network.contacts[k]).weight();
        let whole: f64 = self.places().filter(|k| takes(*k)).map(weight).sum();
        let equal = 1.0 / self.places().filter(|k| takes(*k)).count() as f64;
        let share = move |k: usize| if whole > 0.0 { weight(k) / whole } else { equal };
        self.places().filter(move |k| takes(*k)).map(move |k| (k, share(k)))
    }

    /// How a patch on a mesh, where the pressure is not that of the whole, shares what a law of its force says of it: each contact that pushes (N, contact by
    /// contact of the network) by what `law` says of its own part of the area under its own force, as if all of the patch were pressed so. Places in the
    /// network and parts, which add up to 1: of a law that is not linear the sum of what its points say would hang on the cells, which share the force between
    /// surfaces that do not match in many ways.
    ///
    /// # Errors
    /// The first of `law`.
    pub fn parts_by<E>(&self, push: &[f64], mut law: impl FnMut(f64) -> Result<f64, E>) -> Result<Vec<(usize, f64)>, E> {
        let mut out = Vec::new();
        for (k, share) in self.shares_among(|k| push[k] > 0.0).filter(|(_, share)| *share > 0.0) {
            out.push((k, share * law(push[k] / share)?));
        }
        let whole: f64 = out.iter().map(|(_, part)| part).sum();
        out.iter_mut().filter(|_| whole > 0.0).for_each(|(_, part)| *part /= whole);
        Ok(out)
    }

    /// Impulse on the candidate, local (n, t, s) [N s]: the sum over its contacts. Where their normals differ (the nodes of a mesh about a curved body) n is that of what
    /// they bear along their normals together, so that a ring that presses a disc all around bears nothing.
    #[must_use]
    pub fn impulse(&self) -> Vec3 {
        let frame = self.frame();
        if self.contacts().all(|c| c.frame == *frame) {
            return self.contacts().map(|c| c.r).sum();
        }
        // of a body that touches itself some are seen from the other side
        let turned = |c: &Contact| c.key.candidate == c.key.antagonist && c.frame.n.dot(&frame.n) < 0.0;
        let side = |c: &Contact| if turned(c) { -1.0 } else { 1.0 };
        let pressed: Vec3 = self.contacts().map(|c| c.frame.n * (c.r.x * side(c))).sum();
        let whole: Vec3 = self.contacts().map(|c| c.frame.to_world(&c.r) * side(c)).sum();
        // what pulls in all pulls along it
        let pulls = self.contacts().map(|c| c.r.x).sum::<f64>() < 0.0;
        let pressed = if pulls { -pressed } else { pressed };
        let Some(n) = pressed.try_normalize(f64::MIN_POSITIVE) else { return frame.to_local(&whole) };
        let t = (frame.t - n * n.dot(&frame.t)).try_normalize(1e-6).unwrap_or_else(|| Frame::spatial(n).t);
        Frame { n, t }.to_local(&whole)
    }

    /// Normal force (N), for a step of `h` (s).
    #[must_use]
    pub fn normal_force(&self, h: f64) -> f64 {
        self.impulse().x / h
    }

    /// The middle of its points, weighted by their shares (m).
    #[must_use]
    pub fn middle(&self) -> Vec3 {
        self.shares().map(|(k, share)| self.network.contacts[k].point * share).sum()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used, reason = "tests")]
    use super::*;
    use crate::{
        ids::BodyId,
        network::{ContactStatus, MeshPoints},
        surface_point::SurfacePoint,
    };

    fn contact(pair: (u32, u32), feature: u64, point: [f64; 3], n: Vec3, geometry: ContactGeometry) -> Contact {
        Contact {
            key: ContactKey { candidate: BodyId(pair.0), antagonist: BodyId(pair.1), feature },
            point: point.into(),
            frame: Frame::spatial(n),
            gap: 0.0,
            geometry,
            least_radius: f64::INFINITY,
            law: 0,
            u_before: Vec3::zeros(),
            u: Vec3::zeros(),
            r: Vec3::new(1.0, 0.5, -0.25),
            heat_friction: 0.0,
            heat_impact: 0.0,
            status: ContactStatus::Stick,
        }
    }

    fn network() -> ContactNetwork {
        let flat = ContactGeometry::Flat { area: 0.25 };
        let ball = ContactGeometry::Point { reduced_radius: 0.1, roundness: 1.0 };
        let z = Vec3::z();
        ContactNetwork {
            contacts: vec![
                // A face of one pair, cut in two by another face of the same pair; then two balls of a cluster.
                contact((0, 1), 0, [0.0, 0.0, 0.0], z, flat),
                contact((0, 1), 1, [0.5, 0.0, 0.5], Vec3::x(), flat),
                contact((0, 1), 2, [1.0, 0.0, 0.0], z, flat),
                contact((0, 1), 3, [1.0, 1.0, 0.0], z, ContactGeometry::Flat { area: 0.5 }),
                contact((0, 1), 4, [1.0, 1.0, 0.3], z, flat),
                contact((0, 2), 0, [0.0, 0.0, 0.0], z, flat),
                contact((3, 4), 0, [0.0, 0.0, 0.0], z, ball),
                contact((3, 4), 1, [1.0, 0.0, 0.0], z, ball),
            ],
            ..ContactNetwork::default()
        }
    }

    #[test]
    fn points_of_one_plane_make_a_patch() {
        let network = network();
        let patches = network.patches();
        let found: Vec<Vec<usize>> = patches.iter(&network).map(|p| p.places().collect()).collect();
        assert_eq!(found, [vec![0, 2, 3], vec![1], vec![4], vec![5], vec![6], vec![7]]);
        assert_eq!((0..8).map(|k| patches.patch_of(k)).collect::<Vec<_>>(), [0, 1, 0, 0, 2, 3, 4, 5]);
    }

    /// At the seam of two flush parts each has a point in one place, but for rounding.
    #[test]
    fn flush_parts_are_one_patch() {
        let flat = ContactGeometry::Flat { area: 0.25 };
        let mut network = ContactNetwork::default();
        for (k, [x, z]) in [[1.0, 0.0], [0.0, 0.0], [2.0, 0.0], [1.0, 1e-16]].into_iter().enumerate() {
            network.contacts.push(contact((0, 1), k as u64, [x, 0.0, z], Vec3::z(), flat));
        }
        assert_eq!(network.patches().len(), 1);
        network.contacts[3].point.z = 1e-6;
        assert_eq!(network.patches().len(), 2);
    }

    /// A face of a mesh that bends a little is one patch, as a rigid one that is tilted so is not.
    #[test]
    fn a_bent_face_of_a_mesh_is_one_patch() {
        let flat = ContactGeometry::Flat { area: 0.25 };
        let mut network = ContactNetwork::default();
        for k in 0..5_u32 {
            let x = f64::from(k);
            let n = Vec3::new(-0.02 * x, 0.0, 1.0).normalize();
            network.contacts.push(contact((0, 1), u64::from(k), [x, 0.0, 0.01 * x * x], n, flat));
        }
        assert_eq!(network.patches().len(), 5);
        let point = SurfacePoint::node(0);
        network.on_meshes =
            network.contacts.iter().map(|c| MeshPoints { key: c.key, points: [Some(point.clone()), None], place: 0 }).collect();
        assert_eq!(network.patches().len(), 1);
        assert_eq!(network.patches().iter(&network).map(|p| p.size()).sum::<f64>(), 1.25);
    }

    /// A ball that touches two nodes of a mesh, with a third and two thirds of its cross-section, is one patch of its own roundness; on rigid bodies two points are two.
    #[test]
    fn nodes_under_a_ball_are_one_patch() {
        let ball = ContactGeometry::Point { reduced_radius: 0.1, roundness: 1.0 };
        let mut network = ContactNetwork::default();
        for (k, part) in [1.0_f64 / 3.0, 2.0 / 3.0].into_iter().enumerate() {
            let n = Vec3::new(0.01 * k as f64, 0.0, 1.0).normalize();
            let at = 0.1 * (n - Vec3::z());
            let point = contact((0, 1), k as u64, at.into(), n, ball);
            network.contacts.push(Contact { least_radius: 0.1 * part.sqrt(), ..point });
        }
        assert_eq!(network.patches().len(), 2);
        let point = SurfacePoint::node(0);
        network.on_meshes =
            network.contacts.iter().map(|c| MeshPoints { key: c.key, points: [Some(point.clone()), None], place: 0 }).collect();
        let patches = network.patches();
        assert_eq!(patches.len(), 1);
        let patch = patches.patch(&network, 0);
        assert_eq!((patch.geometry(), patch.size()), (ball, 0.0));
        let shares: Vec<f64> = patch.shares().map(|(_, share)| share).collect();
        assert!((shares[0] - 1.0 / 3.0).abs() < 1e-15 && (shares[1] - 2.0 / 3.0).abs() < 1e-15, "{shares:?}");
        // two balls of a cluster, each on a node
        network.contacts[1].point = Vec3::new(0.2, 0.0, 0.0);
        network.contacts[1].frame = Frame::spatial(Vec3::z());
        assert_eq!(network.patches().len(), 2);
    }

    /// Upper corners of a box that the alert distance reaches have no area, and are no part of the face below.
    #[test]
    fn points_beyond_a_face_are_a_patch_of_their_own() {
        let flat = ContactGeometry::Flat { area: 0.5 };
        let none = ContactGeometry::Flat { area: 0.0 };
        let mut network = ContactNetwork::default();
        for (k, (x, z, geometry)) in
            [(0.0, 0.0, flat), (1.0, 0.0, flat), (0.0, 1.0, none), (1.0, 1.0, none)].into_iter().enumerate()
        {
            network.contacts.push(Contact { gap: z, ..contact((0, 1), k as u64, [x, 0.0, z], Vec3::z(), geometry) });
        }
        let sizes = |network: &ContactNetwork| -> Vec<(usize, f64)> {
            network.patches().iter(network).map(|p| (p.places().len(), p.size())).collect()
        };
        assert_eq!(sizes(&network), [(2, 1.0), (2, 0.0)]);
        // Of a box on its edge neither pair has an area, and the upper one takes nothing from the lower.
        network.contacts.iter_mut().for_each(|c| c.geometry = none);
        assert_eq!(sizes(&network), [(2, 0.0), (2, 0.0)]);
    }

    /// A patch conducts once, under its whole force, and each of its points by its part of that; what does not push conducts nothing.
    #[test]
    fn points_conduct_by_their_part_of_the_force() {
        let network = network();
        let push = [1.0, 0.0, 3.0, 0.0, 2.0, 0.0, 5.0, 0.0];
        let mut out = Vec::new();
        let law = |_: &Patch<'_>, force: f64| Ok::<f64, ()>(10.0 * force.sqrt());
        network.patches().conductances(&network, &push, law, &mut out).expect("a law that always answers");
        assert_eq!(out, [5.0, 0.0, 15.0, 0.0, 10.0 * 2.0_f64.sqrt(), 0.0, 10.0 * 5.0_f64.sqrt(), 0.0]);
    }

    /// Points of the two sides of a body that touches itself are one patch, whose impulse is that on one of them; those of two bodies with such normals are two.
    #[test]
    fn both_sides_of_a_body_that_touches_itself_are_one_patch() {
        let flat = ContactGeometry::Flat { area: 0.25 };
        for (pair, patches) in [((0, 0), 1), ((0, 1), 2)] {
            let mut network = ContactNetwork::default();
            for (k, n) in [Vec3::z(), -Vec3::z()].into_iter().enumerate() {
                let r = Vec3::x() * (1.0 + 2.0 * k as f64);
                network.contacts.push(Contact { r, ..contact(pair, k as u64, [0.1 * k as f64, 0.0, 0.0], n, flat) });
            }
            let point = SurfacePoint::node(0);
            network.on_meshes = network
                .contacts
                .iter()
                .map(|c| MeshPoints { key: c.key, points: [Some(point.clone()), None], place: 0 })
                .collect();
            let found = network.patches();
            assert_eq!(found.len(), patches);
            let force: f64 = found.iter(&network).map(|p| p.normal_force(1.0)).sum();
            assert!((force - 4.0).abs() < 1e-15, "{force} N");
        }
    }

    /// What lies in a cradle of nodes is borne by the sum of their forces, however far they reach around it: none is turned round. Bonds that pull all around pull.
    #[test]
    fn a_cradle_bears_what_lies_in_it() {
        let round = ContactGeometry::Point { reduced_radius: 1.0, roundness: 1.0 };
        for reach in [60, 90, 150, 177] {
            for force in [2.0, -2.0] {
                let mut network = ContactNetwork::default();
                let angles: Vec<f64> = (-reach / 3..=reach / 3).map(|k| f64::from(3 * k).to_radians()).collect();
                for (k, a) in angles.iter().enumerate() {
                    let n = Vec3::new(a.sin(), 0.0, a.cos());
                    let r = Vec3::x() * force;
                    network.contacts.push(Contact { r, ..contact((0, 1), k as u64, n.into(), n, round) });
                }
                let points = [Some(SurfacePoint::node(0)), None];
                network.on_meshes =
                    network.contacts.iter().map(|c| MeshPoints { key: c.key, points: points.clone(), place: 1 }).collect();
                let found = network.patches();
                assert_eq!(found.len(), 1);
                let patch = found.iter(&network).next().expect("a patch");
                let wanted: f64 = force * angles.iter().map(|a| a.cos()).sum::<f64>();
                assert!(
                    (patch.normal_force(1.0) - wanted).abs() < 1e-12,
                    "{reach}°: {} N, not {wanted}",
                    patch.normal_force(1.0)
                );
                assert!(patch.impulse().yz().norm() < 1e-12, "{reach}°: {}", patch.impulse());
            }
        }
    }

    #[test]
    fn a_patch_has_the_area_and_the_force_of_its_points() {
        let network = network();
        let patches = network.patches();
        let face = patches.iter(&network).next().expect("a patch");
        assert_eq!(face.size(), 1.0);
        assert_eq!(face.shares().collect::<Vec<_>>(), [(0, 0.25), (2, 0.25), (3, 0.5)]);
        assert_eq!(face.impulse(), Vec3::new(3.0, 1.5, -0.75));
        assert_eq!(face.normal_force(0.1), 30.0);
        assert_eq!(face.middle(), Vec3::new(0.75, 0.5, 0.0));
        let ball = patches.iter(&network).last().expect("a patch");
        assert_eq!((ball.size(), ball.shares().collect::<Vec<_>>()), (0.0, vec![(7, 1.0)]));
    }
}
