//! One contact point as the geometry sees it: who, where, how far, how curved. No velocity, no law.

use mpcd_core::{ContactGeometry, ContactKey, Frame, Vec3};

/// Part of the shorter arm up to which two bodies touch.
const TOUCHING: f64 = 1e-9;
/// How often the coordinates may have been rounded.
const ROUNDINGS: f64 = 16.0;

/// A pair of surface points within the alert distance.
///
/// Candidate and antagonist: a ball or disc is the candidate of anything else; a box is the candidate of a plane; of two balls
/// or discs the one with the lower id is the candidate. So the key of a contact never changes while it lasts.
///
/// Both arms end at one common point, so that an impulse there leaves the total angular momentum unchanged. The common point
/// lies on the line of centres (on the normal through the candidate's centre) and shares the gap in proportion to the radii:
/// the candidate's arm is R_c (1 + g/(R_c + R_a)), the antagonist's R_a (1 + g/(R_c + R_a)). Two balls that roll on each other
/// like gears, ω_c R_c = −ω_a R_a, then have no tangential velocity whatever the gap; and on a flat antagonist (R_a → ∞) the
/// point is the candidate's own surface point, so a ball with v = ω R rolls without sliding to the last bit. Sharp edges count
/// as flat. A corner of a box on a plane is its own common point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Touch {
    /// Persistent identity.
    pub key: ContactKey,
    /// Common contact point (m).
    pub point: Vec3,
    /// Contact frame; n from antagonist to candidate.
    pub frame: Frame,
    /// Gap (m), positive apart.
    pub gap: f64,
    /// Shape of the touching surfaces, at the present size.
    pub geometry: ContactGeometry,
    /// The smaller radius of two curved surfaces (m), that of the one where the other is flat; infinite where both are flat. With the reduced radius it
    /// tells equal bodies from unequal ones.
    pub least_radius: f64,
    /// From the candidate's centre of mass to the point, world axes (m).
    pub arm_candidate: Vec3,
    /// From the antagonist's centre of mass to the point, world axes (m).
    pub arm_antagonist: Vec3,
    /// −∂gap/∂size of the candidate (m): what its surface gains on the other per unit of its size factor.
    pub growth_candidate: f64,
    /// −∂gap/∂size of the antagonist (m).
    pub growth_antagonist: f64,
}

impl Touch {
    /// The contact tolerance (m): bodies touch up to this gap. A billionth of the shorter arm, and what coordinates as large as
    /// these are rounded by. So bodies that are built to touch do, wherever they are and however their places are written.
    #[must_use]
    pub fn tolerance(&self) -> f64 {
        let arms = [&self.arm_candidate, &self.arm_antagonist];
        let coordinates = self.point.amax() + arms[0].amax() + arms[1].amax();
        TOUCHING * arms[0].norm().min(arms[1].norm()) + ROUNDINGS * f64::EPSILON * coordinates
    }

    /// The gap (m) that decides whether two bodies touch: 0 where it is above zero within the tolerance.
    #[must_use]
    pub fn decided_gap(&self) -> f64 {
        if self.gap > 0.0 && self.gap <= self.tolerance() { 0.0 } else { self.gap }
    }
}
