//! Separation of two polytopes along the normals of their faces.

use mpcd_core::Vec3;

use super::view::View;

/// Cosine up to which a second separating direction counts as sideways of the first.
const SIDEWAYS: f64 = 0.5;
/// How many times its depth a vertex must be inside of the border of a face to be sure to leave through it: tan(θ/2).
const WIDE: f64 = 12.0;
/// Cosine and sine of the rest, 180° − θ.
const COS_REST: f64 = (WIDE * WIDE - 1.0) / (WIDE * WIDE + 1.0);
const SIN_REST: f64 = 2.0 * WIDE / (WIDE * WIDE + 1.0);

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
    let faces = owner.hull.faces.len();
    let bound = |face: usize| owner.normal(face).dot(&centre) - owner.offset(face) - ball;
    let mut first = (0, f64::NEG_INFINITY);
    for face in 0..faces {
        let most = bound(face);
        if most > first.1 {
            first = (face, most);
        }
    }
    let mut best = None;
    let mut height = f64::NEG_INFINITY;
    // The most promising one first, then all that may still be higher.
    for face in std::iter::once(first.0).chain((0..faces).filter(|&f| f != first.0)).take(faces) {
        if bound(face) <= height {
            continue;
        }
        let normal = *owner.normal(face);
        let found = other.lowest(&normal) - owner.offset(face);
        if found > height {
            height = found;
            best = Some(Above { height, face, normal });
        }
    }
    best
}

/// Whether a vertex of `other` that is nearest to the plane of the face has its foot in the face (to `near`).
pub(super) fn foot_in_face(owner: &View, other: &View, above: &Above, near: f64) -> bool {
    let offset = owner.offset(above.face);
    let (sides, corners) = (owner.hull.sides(above.face), owner.hull.face_vertices(above.face));
    other.vertices.iter().any(|v| {
        above.normal.dot(v) - offset <= above.height + near
            && sides
                .iter()
                .zip(corners)
                .all(|(side, &corner)| owner.direction(&side.outward).dot(&(v - owner.vertices[corner as usize])) <= near)
    })
}

/// Whether the way out through the face is sure to be the shortest of all, for hulls that overlap: then no other needs a look.
///
/// Let the deepest vertex be δ below the face, its foot w inside of the border. The difference of the two hulls contains a disc
/// of radius w about the foot; a plane that bounds it, turned by θ from the face, is then at least w sin θ + δ cos θ away, which
/// is δ or more if w ≥ δ tan(θ/2). With w ≥ [`WIDE`] δ that leaves planes that look nearly the opposite way; these are beyond
/// the ball inside of the difference.
pub(super) fn is_shortest_way(owner: &View, other: &View, above: &Above) -> bool {
    let (n, depth) = (&above.normal, -above.height);
    let deepest = other.vertices[other.support(&-n)];
    let corners = owner.hull.face_vertices(above.face);
    let is_wide =
        owner.hull.sides(above.face).iter().zip(corners).all(|(side, &corner)| {
            owner.direction(&side.outward).dot(&(owner.vertices[corner as usize] - deepest)) >= WIDE * depth
        });
    let apart = other.centre() - owner.centre();
    let up = apart.dot(n);
    let aside = (apart - n * up).norm();
    is_wide && up > 0.0 && owner.inner_radius() + other.inner_radius() + COS_REST * up - SIN_REST * aside >= depth
}

/// Whether some face of `owner`, looking sideways of `n` (for its own outward normals), is within `graze` of being a
/// separating plane, now and after the bodies have come together along `n` by `closing`.
pub(super) fn grazes(owner: &View, other: &View, n: &Vec3, closing: f64, graze: f64) -> bool {
    let (centre, ball) = (other.centre(), other.inner_radius());
    (0..owner.hull.faces.len()).any(|face| {
        let normal = owner.normal(face);
        let along = normal.dot(n);
        let offset = owner.offset(face);
        if along.abs() >= SIDEWAYS || normal.dot(&centre) - offset - ball <= -graze {
            return false;
        }
        let height = other.lowest(normal) - offset;
        height.abs() < graze && (height - closing * along).abs() < graze
    })
}
