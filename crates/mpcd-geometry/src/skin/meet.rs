//! Contact points of skins: who is asked, and what all of them have in common. Every point of a skin looks for the surface that it is nearest to,
//! and so do the corners and round parts of what it meets, so that neither a coarse nor a fine side passes through the other. How rigid bodies
//! are met is in [`super::rigid`], how skins meet in [`super::pair`].
//! Where edges cross in space is in [`super::edges`].

use mpcd_core::{BodyId, ContactGeometry, ContactKey, Dimension, Frame, Kinematics, Vec3};

use super::nearest::SNAP;
use super::{BodySkin, Nearest, SurfacePoint};
use crate::{
    narrow::Buffers,
    shape::{Core, Shape},
    touch::Touch,
};

/// Marks features that are the antagonist's, not points of the candidate's skin.
pub(super) const OF_OTHER: u64 = 1 << 62;
/// Part of the area about a point that a corner of a rigid body stands for.
pub(super) const CORNER: f64 = 0.25;

/// A contact point, and where its two surfaces are parts of skins the nodes that carry it.
#[derive(Debug, Clone, PartialEq)]
pub struct SkinTouch {
    /// The contact.
    pub touch: Touch,
    /// The candidate's point: `None` on a rigid body.
    pub candidate: Option<SurfacePoint>,
    /// The antagonist's.
    pub antagonist: Option<SurfacePoint>,
    /// Where both are on one body: how much each node moves them apart.
    pub apart: Option<SurfacePoint>,
    /// Which place of a curved rigid body it is at: contacts of a pair at one place are one. 0 where it is at none.
    pub place: u32,
}

/// The rigid bodies that skins may meet.
pub(crate) struct Obstacles<'a> {
    pub(crate) shapes: &'a [Shape],
    pub(crate) cores: &'a [Core],
    pub(crate) kinematics: &'a Kinematics,
    /// Velocities at the start of the step, and its length (s).
    pub(crate) moving: (&'a Kinematics, f64),
    /// The skins of deformable bodies.
    pub(crate) skins: &'a [BodySkin<'a>],
    pub(crate) dimension: Dimension,
    /// Which bodies may touch.
    pub(crate) wanted: &'a dyn Fn(BodyId, BodyId) -> bool,
    /// Gap (m) up to which contacts are wanted.
    pub(crate) alert: f64,
}

impl Obstacles<'_> {
    /// Replaces the content of `out` by the contacts of the skins, sorted by key.
    pub(crate) fn meet(&self, buffers: &mut Buffers, out: &mut Vec<SkinTouch>) {
        out.clear();
        for (k, own) in self.skins.iter().enumerate() {
            for i in 0..self.shapes.len() {
                let body = BodyId::from_index(i);
                if body != own.body && !matches!(self.cores[i], Core::Deformable { .. }) && (self.wanted)(own.body, body) {
                    self.with_rigid(own, body, buffers, out);
                }
            }
            if (self.wanted)(own.body, own.body) {
                self.with_itself(own, out);
            }
            for other in self.skins[k + 1..].iter().filter(|other| (self.wanted)(own.body, other.body)) {
                self.with_skin(own, other, buffers, out);
            }
        }
        out.sort_unstable_by_key(|t| t.touch.key);
    }

    /// A contact between two points, each (place, centre of its body).
    pub(super) fn touch(&self, key: ContactKey, n: Vec3, gap: f64, area: f64, (c, a): (Side, Side)) -> Touch {
        Touch {
            key,
            point: 0.5 * (c.0 + a.0),
            frame: if self.dimension == Dimension::Planar { Frame::planar(n) } else { Frame::spatial(n) },
            gap,
            geometry: ContactGeometry::Flat { area },
            least_radius: f64::INFINITY,
            arm_candidate: c.0 - c.1,
            arm_antagonist: a.0 - a.1,
            growth_candidate: 0.0,
            growth_antagonist: 0.0,
        }
    }
}

/// Place, centre of the body.
type Side = (Vec3, Vec3);

impl BodySkin<'_> {
    /// Distance (m) of a box from that of the skin.
    pub(super) fn box_apart(&self, [low, high]: &[Vec3; 2]) -> f64 {
        let [a, b] = self.skin.bounds();
        (a - high).sup(&(low - b)).sup(&Vec3::zeros()).norm()
    }

    /// How deep in the body (m) something may be that is still pushed out on the nearest side.
    pub(super) fn depth(&self) -> f64 {
        let [low, high] = self.skin.bounds();
        0.25 * if self.skin.depth.is_planar() { (high - low).xy().min() } else { (high - low).min() }
    }

    /// The area (m²) of a point that looks against `n`.
    pub(super) fn area(&self, point: usize, n: &Vec3) -> f64 {
        self.skin.area_towards(point, n)
    }

    /// The same of a point between the corners of a facet.
    pub(super) fn area_at(&self, at: &Nearest, n: &Vec3) -> f64 {
        self.skin.mean_area(at, |p| self.area(p, n))
    }
}

impl super::Skin {
    /// Calls `visit` with every point within `range` (m) of a box, in the order of the tree.
    pub(super) fn points_near(&self, [low, high]: [Vec3; 2], range: f64, mut visit: impl FnMut(usize)) {
        let corners = self.depth.corners();
        self.tree.near([low, high], range, |f| {
            for &p in self.facets[f][..corners].iter().filter(|p| self.home[**p as usize] as usize == f) {
                let x = self.places[p as usize];
                if (low - x).sup(&(x - high)).sup(&Vec3::zeros()).norm() <= range {
                    visit(p as usize);
                }
            }
            range
        });
    }

    /// Calls `visit` with every facet whose box is within `range` (m) of a box.
    pub(super) fn facets_near(&self, bounds: [Vec3; 2], range: f64, mut visit: impl FnMut(usize)) {
        self.tree.near(bounds, range, |f| {
            visit(f);
            range
        });
    }

    /// The point of a facet straight below another point, and where it is; `None` where that is beside the facet.
    pub(super) fn over(&self, facet: usize, p: &Vec3) -> Option<(SurfacePoint, Vec3)> {
        let at = self.foot_of(facet, p);
        let apart = p - at.1;
        let aside = apart - self.normals[facet] * self.normals[facet].dot(&apart);
        (aside.norm() <= SNAP * self.size_of(facet)).then_some(at)
    }

    /// Area of a facet (m²), of a line its length (m).
    pub(super) fn facet_measure(&self, facet: usize) -> f64 {
        self.depth.flat_area(&self.facet_places(facet)).norm()
    }

    /// Mean of a quantity of the points of the facet that has `at`.
    fn mean_area(&self, at: &Nearest, of: impl Fn(usize) -> f64) -> f64 {
        let corners = self.depth.corners();
        let facet = self.facets[at.facet];
        facet[..corners].iter().map(|p| of(*p as usize)).sum::<f64>() / corners as f64
    }
}
