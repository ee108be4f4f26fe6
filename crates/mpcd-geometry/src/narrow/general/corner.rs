//! Where a body lies flush on another one and rises from it, the two make a hollow corner. A body that comes along must not feel the edge
//! with which the second one begins, but the face that rises there. This room says with which normal it meets that; which contacts are
//! compared is the detector's matter.
//!
//! Let a body M rest on Z, all of it above a plane and all of Z below, and be nearest to Y at a point p, no higher than that plane, with normal n.
//! What M can touch of Y without leaving the plane is what stands up over it. Where a face of Y crosses the plane or begins in it at a point P that
//! Z holds, what is free near P is the wedge between Z's plane and that face: convex, so its two half-spaces are the exact conditions. The limits of
//! proximal normals of the union of Y and Z near P are those of the faces that leave P outside of the other body (Clarke, Ledyaev, Stern,
//! Wolenski, Nonsmooth Analysis and Control Theory, 1998, §1.1, §2.8): n is one of them only if n is a normal of Z at P, or of Y at points above the
//! plane. Of a cluster Y and Z are parts: two parts of one cluster make a corner as two bodies do.

use mpcd_core::{Dimension, Vec3};

use super::{
    Beside, Buffers, GRAZE, Item, Search,
    convex::lowest,
    seam::{LEVEL, highest, holds, is_above, size_of},
};
use crate::shape::Core;

/// How far beside a point it is asked what is there, in parts of the tolerance of places.
const STRIDE: f64 = 20.0;
/// How far from the foot of a face, in parts of their depth, are the points under it that are met in its place.
const STEEPEST: f64 = 8.0;
/// Sine of the angle up to which a normal is that of a face.
const OWN: f64 = 1e-6;

/// A face beside a point: outward unit normal, and its corners (m).
pub(crate) struct Beginning {
    pub(crate) normal: Vec3,
    pub(crate) corners: Vec<Vec3>,
}

/// How a body meets a hollow corner.
pub(crate) struct Corner {
    /// Outward unit normal of the face that rises.
    pub(crate) normal: Vec3,
    /// Where that face begins to rise (m).
    pub(crate) foot: Vec3,
    /// The point of a curved body, or corner of a polygon, that is nearest to the face (m); of others the point of the contact is.
    pub(crate) on_mover: Option<Vec3>,
}

/// How a `mover` (at the origin) that touches `one` in `by` meets the corner that `two` makes with it, if the normal of the contact
/// `other` with `two` is none of their union.
pub(crate) fn turned(
    mover: &Item<'_>,
    [(by, one), (other, two)]: [(&Beside, &Item<'_>); 2],
    search: &Search,
    buffers: &mut Buffers,
) -> Option<Corner> {
    let rounding = LEVEL * (size_of(mover) + size_of(two));
    if !is_above(mover, &by.n, by.n.dot(&by.point) + by.gap - rounding) {
        return None;
    }
    let near = |item: &Item<'_>| GRAZE * mover.reach.min(item.reach);
    touching(two, &other.point, near(two), search, buffers).into_iter().find_map(|y| {
        touching(one, &by.point, near(one), search, buffers)
            .into_iter()
            .filter(|z| !std::ptr::eq(z.core, y.core) || by.owner != other.owner)
            .find_map(|z| wedge(mover, [(by, &z), (other, &y)], search, buffers))
    })
}

/// The parts of a body that a contact at `point` is with.
fn touching<'a>(item: &Item<'a>, point: &Vec3, near: f64, search: &Search, buffers: &mut Buffers) -> Vec<Item<'a>> {
    let whole = !matches!(item.core, Core::Cluster(_));
    let is_there =
        |part: &Item<'_>| whole || (part.x - point).norm() <= part.reach + near && holds(part, point, near, search, buffers);
    item.parts().filter(is_there).collect()
}

/// See [`turned`]; of two bodies that are no clusters.
fn wedge(
    mover: &Item<'_>,
    [(by, one), (other, two)]: [(&Beside, &Item<'_>); 2],
    search: &Search,
    buffers: &mut Buffers,
) -> Option<Corner> {
    let (p, n) = (&other.point, &other.n);
    let near = GRAZE * mover.reach.min(one.reach).min(two.reach);
    let height = |x: &Vec3| by.n.dot(&(x - by.point));
    if height(p) > near {
        return None;
    }
    let mut faces = Vec::new();
    beginnings(two, p, near - STEEPEST * height(p).min(0.0), &mut faces, buffers);
    let foot = |(k, f): (usize, &Beginning)| {
        let rises = f.normal.dot(&by.n) > 0.0 && f.normal.dot(n) > OWN;
        (if rises { foot_of(&f.corners, height, near, p) } else { None }).map(|foot| (k, foot))
    };
    let mut rising: Vec<(usize, Vec3)> = faces.iter().enumerate().filter_map(foot).collect();
    rising.sort_by(|(a, _), (b, _)| faces[*b].normal.dot(n).total_cmp(&faces[*a].normal.dot(n)));
    let found = rising.iter().find(|(face, foot)| {
        if !holds(one, foot, near, search, buffers) {
            return false;
        }
        // A normal of Z as well: the two end there together.
        if highest(one, n, foot, near, search, buffers) <= n.dot(foot) + near {
            return false;
        }
        // A shallow face leaves Z's tolerance farther on than a steep one: not before it is two of them above the plane.
        let mut outside = |c: &Vec3| {
            let (way, low, high) = (c - foot, height(foot), height(c));
            let part = (STRIDE * near / way.norm()).max((2.0 * near - low) / (high - low));
            high > near && !holds(one, &(foot + way * part.min(1.0)), near, search, buffers)
        };
        // Where n is a normal of Y above the plane: its corners that are as far out along n.
        let own = faces.iter().flat_map(|f| &f.corners).any(|c| n.dot(&(c - p)) >= -near && outside(c));
        !own && faces[*face].corners.iter().any(outside)
    });
    found.map(|&(face, foot)| {
        let normal = faces[face].normal;
        let has_one = match mover.core {
            Core::Smooth(_) => true,
            Core::Polytope { rounding, .. } => *rounding == 0.0 && search.dimension == Dimension::Planar,
            _ => false,
        };
        let on_mover = has_one.then(|| lowest(mover, &normal));
        Corner { normal, foot, on_mover }
    })
}

/// The point nearest to `p` of those at which a convex face rises from height 0 (to `near`), if it does.
fn foot_of(corners: &[Vec3], height: impl Fn(&Vec3) -> f64, near: f64, p: &Vec3) -> Option<Vec3> {
    if corners.iter().all(|c| height(c) <= near) {
        return None;
    }
    let mut line: Vec<Vec3> = corners.iter().filter(|c| height(c).abs() <= near).copied().collect();
    for (a, b) in corners.iter().zip(corners.iter().cycle().skip(1)) {
        let (low, high) = (height(a), height(b));
        if low.min(high) < -near && low.max(high) > near {
            line.push(a + (b - a) * (low / (low - high)));
        }
    }
    let between = |(a, b): (&Vec3, &Vec3)| {
        let along = b - a;
        a + along * (along.dot(&(p - a)) / along.norm_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0)
    };
    let feet = line.iter().enumerate().flat_map(|(k, a)| line[k..].iter().map(move |b| between((a, b))));
    feet.min_by(|a, b| (a - p).norm_squared().total_cmp(&(b - p).norm_squared()))
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
