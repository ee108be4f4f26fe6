//! The area of the shadow of a convex body, by its farthest points. No contacts.

use std::f64::consts::TAU;

use mpcd_core::{Frame, Vec3};

use super::SupportMap;

/// Directions across the light in which the farthest points are looked for.
const AROUND: u32 = 64;

/// Between the polygon of the farthest points and that of the lines through them: of a smooth outline the first lacks twice what the second has too much.
pub(super) fn silhouette<S: SupportMap + ?Sized>(body: &S, direction: &Vec3) -> f64 {
    let frame = Frame::spatial(*direction);
    let (t, s) = (frame.t, frame.s());
    let step = TAU / f64::from(AROUND);
    let farthest: Vec<([f64; 2], f64)> = (0..AROUND)
        .map(|k| {
            let (sin, cos) = (step * f64::from(k)).sin_cos();
            let p = body.support(&(t * cos + s * sin));
            let at = [t.dot(&p), s.dot(&p)];
            (at, cos * at[0] + sin * at[1])
        })
        .collect();
    let (mut inner, mut outer) = (0.0, 0.0);
    for k in 0..farthest.len() {
        let [(_, before), (a, here), (b, after)] = [farthest.len() - 1, 0, 1].map(|by| farthest[(k + by) % farthest.len()]);
        inner += 0.5 * (a[0] * b[1] - a[1] * b[0]);
        outer += 0.5 * here * (before + after - 2.0 * here * step.cos()) / step.sin();
    }
    (inner + 2.0 * outer) / 3.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::curved::{Ellipsoid, Superellipsoid};

    /// Along an axis the shadow is the section: of the superellipse |x/a|³ + |y/b|³ = 1 it is 4 a b Γ(4/3)²/Γ(5/3) = 3.533 a b.
    #[test]
    fn shadows_of_curved_bodies() {
        let radii = Vec3::new(0.2, 0.15, 0.05);
        let egg = Ellipsoid { radii };
        for d in [Vec3::x(), Vec3::z(), Vec3::new(0.6, 0.0, 0.8), Vec3::new(2.0, -3.0, 6.0) / 7.0] {
            let by_points = silhouette(&egg, &d);
            assert!((by_points / egg.silhouette(&d) - 1.0).abs() < 1e-4, "{d:?}: {by_points} of {}", egg.silhouette(&d));
        }
        assert!((egg.silhouette(&Vec3::z()) - std::f64::consts::PI * 0.03).abs() < 1e-15);
        let pillow = Superellipsoid { radii, across: 3.0, along: 3.0 };
        let found = pillow.silhouette(&Vec3::z());
        assert!((found / (3.533_277_5 * 0.03) - 1.0).abs() < 1e-3, "{}", found / 0.03);
    }
}
