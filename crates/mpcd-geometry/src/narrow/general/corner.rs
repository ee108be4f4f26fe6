//! Where a body lies flush on another one and rises from it, the two make a hollow corner. A body that comes along must not feel the edge
//! with which the second one begins, but the face that rises there. This room says with which normal it meets that; which contacts are
//! compared is the detector's matter.
//!
//! Let a body M rest on Z, level with a plane, and be nearest to Y at a point p of that plane that Z holds, with normal n. The limits of
//! proximal normals of the union of Y and Z near p are those of the faces that leave p outside of the other body (Clarke, Ledyaev, Stern,
//! Wolenski, Nonsmooth Analysis and Control Theory, 1998, §1.1, §2.8). If no point of Y beside p at which n is a normal of Y is outside of Z, and n is no
//! normal of Z at p, then n is none of them. What is free near p is the wedge between Z's plane and the face of Y that rises from p: convex, so
//! its two half-spaces are the exact conditions.

use mpcd_core::Vec3;

use super::{
    Beside, Buffers, GRAZE, Item, Search,
    seam::{carries, highest, holds, is_above, size_of},
};
use crate::shape::Core;

/// How far beside a point it is asked what is there, in parts of the tolerance of places.
const STRIDE: f64 = 20.0;
/// Sine of the angle up to which a normal is that of a face.
const OWN: f64 = 1e-6;

/// A face beside a point: outward unit normal, and its corners (m).
pub(crate) struct Beginning {
    pub(crate) normal: Vec3,
    pub(crate) corners: Vec<Vec3>,
}

/// The normal with which a `mover` (at the origin) that touches `one` in `by` meets the corner that `two` makes with it, if the normal of the contact
/// `other` with `two` is none of their union.
pub(crate) fn turned(
    mover: &Item<'_>,
    [(by, one), (other, two)]: [(&Beside, &Item<'_>); 2],
    search: &Search,
    buffers: &mut Buffers,
) -> Option<Vec3> {
    let (p, n) = (&other.point, &other.n);
    let near = GRAZE * mover.reach.min(one.reach).min(two.reach);
    let level = by.n.dot(&by.point);
    let rounding = super::seam::LEVEL * (size_of(mover) + size_of(two));
    if (by.n.dot(p) - level).abs() > near || !is_above(mover, &by.n, level + by.gap - rounding) {
        return None;
    }
    if !carries(one, by, p, near, search, buffers) {
        return None;
    }
    let mut faces = Vec::new();
    two.parts().for_each(|part| beginnings(&part, p, near, &mut faces, buffers));
    // A normal of Z as well: the two end there together.
    if faces.is_empty() || highest(one, n, p, near, search, buffers) <= n.dot(p) + near {
        return None;
    }
    let mut outside = |x: &Vec3| {
        let way = x - p;
        let length = way.norm();
        length > near && !holds(one, &(p + way * (STRIDE * near / length).min(1.0)), near, search, buffers)
    };
    // Where n is a normal of Y beside p: the corners of its faces that are as far out along n.
    let own = faces.iter().flat_map(|f| &f.corners).any(|c| n.dot(&(c - p)) >= -near && outside(c));
    if own {
        return None;
    }
    let rising = |f: &&Beginning| {
        let middle = f.corners.iter().sum::<Vec3>() / f.corners.len() as f64;
        f.normal.dot(&by.n) > 0.0 && f.normal.dot(n) > OWN && outside(&middle)
    };
    let best = faces.iter().filter(rising).max_by(|a, b| a.normal.dot(n).total_cmp(&b.normal.dot(n)))?;
    Some(best.normal)
}

/// The faces of a sharp body that reach a point to within `near`.
pub(crate) fn beginnings(item: &Item<'_>, p: &Vec3, near: f64, out: &mut Vec<Beginning>, buffers: &mut Buffers) {
    let mut add = |normal: &Vec3, corners: Vec<Vec3>| {
        let normal = item.q * normal;
        if normal.dot(&(p - corners[0])).abs() <= near && is_over(&normal, &corners, p, near) {
            out.push(Beginning { normal, corners });
        }
    };
    match item.core {
        Core::Polytope { hull, rounding } if *rounding == 0.0 => {
            for (k, face) in hull.faces().iter().enumerate() {
                let corner = |v: &u16| item.world(&hull.vertices()[*v as usize]);
                add(&face.normal, hull.face_vertices(k).iter().map(corner).collect());
            }
        }
        Core::Mesh(mesh) => {
            let at = item.local(p);
            let mut triangles = std::mem::take(&mut buffers.triangles);
            triangles.clear();
            mesh.near(&at, &at, near / item.size, &mut triangles);
            for t in triangles.iter().map(|&t| mesh.triangle(t)) {
                add(&t.normal, t.vertices.iter().map(|&v| item.world(&mesh.vertices()[v as usize])).collect());
            }
            buffers.triangles = triangles;
        }
        _ => {}
    }
}

/// Whether a point of the plane of a convex face is on the face, or within `near` of it. Of a side of a planar body the two ends bound it.
fn is_over(normal: &Vec3, corners: &[Vec3], p: &Vec3, near: f64) -> bool {
    if let [a, b] = corners[..] {
        let along = (b - a).normalize();
        return (along.dot(&(p - a)) >= -near) && (along.dot(&(p - b)) <= near);
    }
    (0..corners.len()).all(|k| {
        let (a, b) = (corners[k], corners[(k + 1) % corners.len()]);
        normal.cross(&(b - a)).normalize().dot(&(p - a)) >= -near
    })
}
