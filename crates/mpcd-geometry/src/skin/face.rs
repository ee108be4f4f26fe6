//! Flat faces of rigid bodies: their planes, their outlines in them, and which faces of a body contact points with a skin lie on. What is shared over them
//! is in [`super::common`].

use std::f64::consts::TAU;

use mpcd_core::Vec3;

use super::BodySkin;
use super::common::ALONG;
use super::meet::SkinTouch;
use super::mortar::{Flat, hats, turn};
use super::nearest::SNAP;
use crate::{narrow::Item, shape::Core};

/// Corners of the polygon that stands for a disc, of the disc's area.
const AROUND: u32 = 96;

/// A flat face of a rigid body: its plane, axes in it, and its outline, which turns left about the normal; of a line in the plane its two ends.
pub(super) struct Face {
    origin: Vec3,
    pub(super) normal: Vec3,
    axes: [Vec3; 2],
    pub(super) outline: Vec<Flat>,
    /// How far (m) points of its rim may be off the outline.
    pub(super) off: f64,
}

impl Face {
    /// A face with this outward normal and these corners in order.
    fn new(planar: bool, normal: Vec3, corners: &[Vec3], off: f64) -> Option<Self> {
        let origin = *corners.first()?;
        let along = if planar { Vec3::new(-normal.y, normal.x, 0.0) } else { (corners.get(1)? - origin).try_normalize(0.0)? };
        let mut face = Self { origin, normal, axes: [along, normal.cross(&along)], outline: Vec::new(), off };
        face.outline = corners.iter().map(|x| face.flat(x)).collect();
        if planar {
            face.outline.sort_by(|a, b| a[0].total_cmp(&b[0]));
        }
        (face.outline.len() >= if planar { 2 } else { 3 }).then_some(face)
    }

    pub(super) fn flat(&self, x: &Vec3) -> Flat {
        self.axes.map(|a| a.dot(&(x - self.origin)))
    }

    pub(super) fn height(&self, x: &Vec3) -> f64 {
        self.normal.dot(&(x - self.origin))
    }

    /// The box that holds it.
    pub(super) fn bounds(&self) -> [Vec3; 2] {
        let all = self.outline.iter().map(|at| self.origin + self.axes[0] * at[0] + self.axes[1] * at[1]);
        all.fold([Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY)], |[a, b], x| [a.inf(&x), b.sup(&x)])
    }

    /// Sides of the outline.
    fn sides(&self) -> impl Iterator<Item = [Flat; 2]> + '_ {
        let count = if self.outline.len() == 2 { 1 } else { self.outline.len() };
        (0..count).map(|k| [self.outline[k], self.outline[(k + 1) % self.outline.len()]])
    }

    /// Length of the outline (m).
    pub(super) fn around(&self) -> f64 {
        self.sides().map(|[a, b]| f64::hypot(b[0] - a[0], b[1] - a[1])).sum()
    }

    /// How far along the outline the place of it that is nearest to a point is, and how far from that the point is (m). The rim of a line is its two ends.
    pub(super) fn along(&self, at: Flat) -> (f64, f64) {
        if let [a, b] = self.outline[..] {
            let aside = [a, b].map(|end| (at[0] - end[0]).abs());
            return (at[0] - a[0], aside[0].min(aside[1]));
        }
        let (mut start, mut best) = (0.0, (0.0, f64::INFINITY));
        for [a, b] in self.sides() {
            let (way, off) = ([b[0] - a[0], b[1] - a[1]], [at[0] - a[0], at[1] - a[1]]);
            let length = way[0].hypot(way[1]);
            let t = ((off[0] * way[0] + off[1] * way[1]) / (length * length)).clamp(0.0, 1.0);
            let aside = f64::hypot(off[0] - t * way[0], off[1] - t * way[1]);
            if aside < best.1 {
                best = (start + t * length, aside);
            }
            start += length;
        }
        best
    }

    /// The part of a line within a face of two ends.
    pub(super) fn within(&self, own: &[Flat; 3]) -> Option<[Flat; 2]> {
        let [low, high] = [self.outline[0][0], self.outline[1][0]];
        let place = |t: f64| {
            if t == own[0][0] {
                own[0]
            } else if t == own[1][0] {
                own[1]
            } else {
                [t, 0.0]
            }
        };
        let ends = [own[0][0], own[1][0]].map(|t| place(t.clamp(low, high)));
        (ends[0][0] != ends[1][0]).then_some(ends)
    }

    /// Whether the way from one point to another comes into the face at a place of the outline.
    pub(super) fn is_way_in(&self, [a, b]: [Flat; 2], at: Flat) -> bool {
        let aside = |[p, q]: [Flat; 2]| turn(p, q, at).abs() / f64::hypot(q[0] - p[0], q[1] - p[1]);
        let side = self.sides().min_by(|s, t| aside(*s).total_cmp(&aside(*t)));
        side.is_some_and(|[p, q]| turn(p, q, b) > turn(p, q, a))
    }

    /// Barycentric coordinates on a facet.
    pub(super) fn hats(&self, own: &[Flat; 3], at: Flat) -> [f64; 3] {
        if self.outline.len() == 2 {
            let t = (at[0] - own[0][0]) / (own[1][0] - own[0][0]);
            return [1.0 - t, t, 0.0];
        }
        hats(own, false, at)
    }
}

/// Adds the flat faces of a rigid part that contact points lie on.
pub(super) fn faces_of(item: &Item<'_>, own: &BodySkin<'_>, alert: f64, touches: &[SkinTouch], out: &mut Vec<Face>) {
    let planar = own.skin.depth.is_planar();
    let is_touched = |normal: &Vec3| touches.iter().any(|t| t.touch.frame.n.dot(normal) >= ALONG);
    match item.core {
        Core::Polytope { hull, rounding } => {
            for (f, face) in hull.faces().iter().enumerate() {
                let normal = item.q * face.normal;
                if is_touched(&normal) {
                    let place = |v: &u16| item.world(&hull.vertices()[usize::from(*v)]) + normal * (rounding * item.size);
                    let corners: Vec<Vec3> = hull.face_vertices(f).iter().map(place).collect();
                    out.extend(Face::new(planar, normal, &corners, 0.0));
                }
            }
        }
        Core::Smooth(shape) => {
            let mut seen: Vec<Vec3> = Vec::new();
            for touch in touches {
                let d = item.q.inverse_transform_vector(&touch.touch.frame.n);
                let Some((normal, (centre, radius))) = shape.face_normal(&d).zip(shape.round_face(&d)) else { continue };
                if seen.contains(&normal) {
                    continue;
                }
                seen.push(normal);
                let frame = mpcd_core::Frame::spatial(normal);
                let across = normal.cross(&frame.t);
                let angle = TAU / f64::from(AROUND);
                let far = radius * (angle / angle.sin()).sqrt();
                let corners: Vec<Vec3> = (0..AROUND)
                    .map(|k| {
                        let (sin, cos) = (angle * f64::from(k)).sin_cos();
                        item.world(&(centre + (frame.t * cos + across * sin) * far))
                    })
                    .collect();
                out.extend(Face::new(planar, item.q * normal, &corners, SNAP * radius * item.size));
            }
        }
        Core::Mesh(mesh) if !planar => {
            let [low, high] = own.skin.bounds();
            for [a, b, c] in mesh.triangles().map(|t| t.map(|v| item.world(&mesh.vertices()[v as usize]))) {
                let (least, most) = (a.inf(&b).inf(&c), a.sup(&b).sup(&c));
                let is_near = (low - most).sup(&(least - high)).max() <= alert;
                let normal = (b - a).cross(&(c - a)).try_normalize(0.0).filter(|n| is_near && is_touched(n));
                out.extend(normal.and_then(|n| Face::new(planar, n, &[a, b, c], 0.0)));
            }
        }
        _ => {}
    }
}
