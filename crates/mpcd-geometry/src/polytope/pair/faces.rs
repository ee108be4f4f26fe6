//! Separation of two polytopes along the normals of their faces.

use mpcd_core::Vec3;

use super::view::View;

/// Cosine up to which a second separating direction counts as sideways of the first.
const SIDEWAYS: f64 = 0.5;

/// A face of one polytope and how far the other is above its plane.
#[derive(Debug, Clone, Copy)]
pub(super) struct Above {
    /// Smallest height of the other's vertices (m).
    pub(super) height: f64,
    pub(super) face: usize,
    /// Outward normal of the face.
    pub(super) normal: Vec3,
}

/// The face of `owner` that `other` is highest above; `None` without faces.
///
/// A vertex is not higher than the ball inside of `other` allows: faces that this rules out are not looked at.
pub(super) fn highest_above(owner: &View, other: &View) -> Option<Above> {
    let (centre, ball) = (other.centre(), other.inner_radius());
    let bound = |face: usize, normal: &Vec3| normal.dot(&centre) - owner.offset(face, normal) - ball;
    let mut first = (0, f64::NEG_INFINITY);
    for face in 0..owner.hull.faces.len() {
        let most = bound(face, &owner.normal(face));
        if most > first.1 {
            first = (face, most);
        }
    }
    let mut best = None;
    let mut height = f64::NEG_INFINITY;
    for face in std::iter::once(first.0).chain((0..owner.hull.faces.len()).filter(|&f| f != first.0)).take(owner.hull.faces.len())
    {
        let normal = owner.normal(face);
        if bound(face, &normal) <= height {
            continue;
        }
        let found = other.lowest(&normal) - owner.offset(face, &normal);
        if found > height {
            height = found;
            best = Some(Above { height, face, normal });
        }
    }
    best
}

/// Whether a vertex of `other` that is nearest to the plane of the face has its foot in the face (to `near`).
pub(super) fn foot_in_face(owner: &View, other: &View, above: &Above, near: f64) -> bool {
    let offset = owner.offset(above.face, &above.normal);
    let (sides, corners) = (owner.hull.sides(above.face), owner.hull.face_vertices(above.face));
    other.vertices.iter().any(|v| {
        above.normal.dot(v) - offset <= above.height + near
            && sides
                .iter()
                .zip(corners)
                .all(|(side, &corner)| owner.direction(&side.outward).dot(&(v - owner.vertices[corner as usize])) <= near)
    })
}

/// Whether some face of `owner`, looking sideways of `n` (for its own outward normals), is within `graze` of being a
/// separating plane, now and after the bodies have come together along `n` by `closing`.
pub(super) fn grazes(owner: &View, other: &View, n: &Vec3, closing: f64, graze: f64) -> bool {
    let (centre, ball) = (other.centre(), other.inner_radius());
    (0..owner.hull.faces.len()).any(|face| {
        let normal = owner.normal(face);
        let along = normal.dot(n);
        let offset = owner.offset(face, &normal);
        if along.abs() >= SIDEWAYS || normal.dot(&centre) - offset - ball <= -graze {
            return false;
        }
        let height = other.lowest(&normal) - offset;
        height.abs() < graze && (height - closing * along).abs() < graze
    })
}
