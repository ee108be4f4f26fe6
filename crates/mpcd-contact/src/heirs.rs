//! Which contact point takes the place of one whose name is gone. A name is of one triangle or part of a body, memory is of material points: where a ball
//! goes from one triangle of a floor to the next, or from one part of a cluster to another that is flush with it, the two bodies lose a point and have
//! another one in the same place of both. No memory, no law, no force lives here.

use mpcd_core::{ContactGeometry, Vec3};
use mpcd_geometry::Touch;

/// Cosine of the angle between the normals above which two points may be one: what leaves a floor for a ramp takes nothing along.
const SAME_WAY: f64 = 0.98;
/// Part of the radius of what is round (of what is sharp, of the shorter arm) within which two points of a body are one.
const NEAR: f64 = 0.01;
/// How many times the way of a step, at the velocity at hand, a point may have gone on a body: the velocity changes within the step.
const WAYS: f64 = 2.0;

/// A contact point without its name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    /// World axes.
    pub(crate) normal: Vec3,
    /// On candidate and antagonist (m), each in axes that turn with the body.
    pub(crate) on: [Vec3; 2],
}

impl Place {
    /// How far apart two points of a pair of bodies lie, on the body on which that is more (m); `None` where that is more than `reach` (m) or their normals differ.
    fn apart(&self, other: &Self, reach: f64) -> Option<f64> {
        let on = |k: usize| (self.on[k] - other.on[k]).norm();
        let apart = on(0).max(on(1));
        (apart <= reach && self.normal.dot(&other.normal) > SAME_WAY).then_some(apart)
    }
}

/// A point that may take the place of another one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Born {
    /// Which.
    pub(crate) index: usize,
    pub(crate) place: Place,
    /// See [`reach`] (m).
    pub(crate) reach: f64,
}

impl Born {
    /// Whether it may take that place.
    pub(crate) fn takes(&self, place: &Place) -> bool {
        self.place.apart(place, self.reach).is_some()
    }
}

/// How far a contact point may have gone on either body since the step before (m): what it slides and rolls in it, and a part of its radius. `u` is the
/// relative velocity at the point (m/s), `spin` the relative spin (rad/s): a point of reduced radius R rolls at R·`spin`.
pub(crate) fn reach(geometry: &ContactGeometry, (least_radius, arms): (f64, [f64; 2]), (u, spin): (f64, f64), h: f64) -> f64 {
    let arm = arms[0].min(arms[1]);
    let round = |r: f64| if r > 0.0 && r.is_finite() { r } else { arm };
    let rolling = match geometry {
        ContactGeometry::Point { reduced_radius, .. } | ContactGeometry::Line { reduced_radius, .. } => round(*reduced_radius),
        ContactGeometry::Flat { .. } => arm,
    };
    WAYS * h * (u + spin * rolling) + NEAR * round(least_radius).min(rolling)
}

/// The same of a touch.
pub(crate) fn reach_of(touch: &Touch, motion: (f64, f64), h: f64) -> f64 {
    reach(&touch.geometry, (touch.least_radius, [touch.arm_candidate.norm(), touch.arm_antagonist.norm()]), motion, h)
}

/// Appends who takes whose place, (born, gone): the nearest first, each point once on either side, so that nothing is there twice.
pub(crate) fn pair_up(born: &[Born], gone: &[(usize, Place)], out: &mut Vec<(usize, usize)>) {
    let from = out.len();
    let all = born.iter().flat_map(|b| gone.iter().filter_map(|(k, g)| Some((b.place.apart(g, b.reach)?, b.index, *k))));
    let mut all: Vec<(f64, usize, usize)> = all.collect();
    all.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
    for (_, heir, left) in all {
        if out[from..].iter().all(|(h, l)| *h != heir && *l != left) {
            out.push((heir, left));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(x: f64, y: f64, normal: Vec3) -> Place {
        Place { normal: normal.normalize(), on: [Vec3::zeros(), Vec3::new(x, y, 0.0)] }
    }

    #[test]
    fn each_point_has_one_heir_the_nearest() {
        let up = Vec3::z();
        let gone = [(3, place(0.0, 0.0, up)), (5, place(0.1, 0.0, up)), (6, place(9.0, 0.0, up))];
        let born = |index: usize, x: f64, normal: Vec3| Born { index, place: place(x, 0.0, normal), reach: 0.3 };
        let heirs = |born: &[Born]| {
            let mut out = Vec::new();
            pair_up(born, &gone, &mut out);
            out
        };
        assert_eq!(heirs(&[born(0, 0.02, up), born(1, 0.04, up), born(2, 0.09, up)]), [(2, 5), (0, 3)]);
        assert_eq!(heirs(&[born(1, 0.04, up)]), [(1, 3)]);
        // A wall, and what is too far.
        assert!(heirs(&[born(0, 0.0, Vec3::x()), born(1, 0.0, Vec3::new(0.3, 0.0, 1.0)), born(2, 0.5, up)]).is_empty());
        assert_eq!(heirs(&[born(0, 0.0, Vec3::new(0.1, 0.0, 1.0))]), [(0, 3)]);
    }

    #[test]
    fn a_ball_that_rolls_comes_as_far_as_it_rolls() {
        let ball = ContactGeometry::Point { reduced_radius: 0.1, roundness: 1.0 };
        let far = |geometry, motion| reach(geometry, (0.1, [0.1, 5.0]), motion, 0.01);
        assert!((far(&ball, (0.0, 0.0)) - 1e-3).abs() < 1e-18);
        // 3 rad/s on a ball of 10 cm, and 0.2 m/s of sliding.
        assert!((far(&ball, (0.2, 3.0)) - 1e-3 - 2.0 * 0.01 * 0.5).abs() < 1e-15);
        let sharp = ContactGeometry::Point { reduced_radius: f64::INFINITY, roundness: 1.0 };
        assert!((reach(&sharp, (f64::INFINITY, [0.3, 5.0]), (0.0, 0.0), 0.01) - 3e-3).abs() < 1e-15);
    }
}
