//! What sharp edges and corners of rigid bodies stand for on a skin: nothing, as on rigid bodies. What their faces have in common with the skin is in [`super::common`].

use mpcd_core::{ContactGeometry, Vec3};

use super::meet::{OF_OTHER, SkinTouch};
use super::rigid::outsides;
use crate::{narrow::Item, shape::Core};

/// Sine of the angle by which a normal may be off that of a face that has it.
const OF_FACE: f64 = 1e-3;

/// Whether a part has flat faces with sharp edges alone.
pub(super) const fn is_sharp(part: &Item<'_>) -> bool {
    match part.core {
        Core::Polytope { rounding, .. } => *rounding == 0.0,
        Core::Mesh(_) => true,
        _ => false,
    }
}

/// Takes the areas of the points of a skin that touch a rigid body at its sharp edges and corners.
pub(super) fn clear_sharp(rigid: &Item<'_>, touches: &mut [SkinTouch]) {
    if !outsides(rigid).all(|part| is_sharp(&part)) {
        return;
    }
    for touch in touches.iter_mut().filter(|t| t.touch.key.feature & OF_OTHER == 0) {
        if !outsides(rigid).any(|part| has_face(&part, &touch.touch.frame.n)) {
            touch.touch.geometry = ContactGeometry::Flat { area: 0.0 };
        }
    }
}

/// Whether a face of a sharp part has a normal.
fn has_face(part: &Item<'_>, n: &Vec3) -> bool {
    let n = part.q.inverse_transform_vector(n);
    let is_of = |face: &Vec3| face.dot(&n) > 0.0 && face.cross(&n).norm_squared() <= OF_FACE * OF_FACE;
    match part.core {
        Core::Polytope { hull, .. } => hull.faces().iter().any(|face| is_of(&face.normal)),
        // which triangle it is on is the matter of areas over faces
        _ => true,
    }
}
