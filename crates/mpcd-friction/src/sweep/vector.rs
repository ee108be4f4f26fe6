//! Three-vectors as the kernels use them: world axes, and planar work only when `D` is 2.

pub(super) type V3 = [f64; 3];

#[inline(always)]
pub(super) fn dot<const D: usize>(a: &V3, b: &V3) -> f64 {
    if D == 2 { a[0] * b[0] + a[1] * b[1] } else { a[0] * b[0] + a[1] * b[1] + a[2] * b[2] }
}

/// `a × b` of two vectors of the plane (z only) or of space.
#[inline(always)]
pub(super) fn moment<const D: usize>(a: &V3, b: &V3) -> V3 {
    let z = a[0] * b[1] - a[1] * b[0];
    if D == 2 { [0.0, 0.0, z] } else { [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], z] }
}

/// `ω × a`, with ω along z when D = 2.
#[inline(always)]
pub(super) fn spin<const D: usize>(w: &V3, a: &V3) -> V3 {
    if D == 2 {
        [-w[2] * a[1], w[2] * a[0], 0.0]
    } else {
        [w[1] * a[2] - w[2] * a[1], w[2] * a[0] - w[0] * a[2], w[0] * a[1] - w[1] * a[0]]
    }
}

/// `a + k b`.
#[inline(always)]
pub(super) fn add_scaled(a: &V3, k: f64, b: &V3) -> V3 {
    [a[0] + k * b[0], a[1] + k * b[1], a[2] + k * b[2]]
}

#[inline(always)]
pub(super) fn sub(a: &V3, b: &V3) -> V3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// Part of a world vector that the contact dimension uses.
pub(super) fn in_plane<const D: usize>(a: &nalgebra::Vector3<f64>) -> V3 {
    if D == 2 { [a.x, a.y, 0.0] } else { [a.x, a.y, a.z] }
}
