//! Growth of bodies at their contacts: how it moves the surfaces of a pair, towards each other and along each other. No law, no impulse.

use mpcd_core::{BodyId, Kinematics, Vec3};
use mpcd_geometry::Touch;

/// [`of_pair`] of each contact of the network; nothing is held while no body grows.
#[derive(Debug, Default)]
pub(crate) struct Growths(Vec<Vec3>);

impl Growths {
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// Whether no body grows.
    pub(crate) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// That of the next contact; in a step one grows, or none.
    pub(crate) fn push(&mut self, growth: Option<Vec3>) {
        self.0.extend(growth);
    }

    /// That of a contact, by its place in the network.
    pub(crate) fn at(&self, place: usize) -> Vec3 {
        self.0.get(place).copied().unwrap_or_default()
    }
}

/// How the surfaces of a pair move where the size factors of the bodies rise at the rates given (1/s), (n, t, s) [m/s]: towards each other, and against
/// the relative velocity along each other, so that what moves the surfaces is the relative velocity less this. A body grows about its centre; `endless`
/// ones (half-spaces) are as large as before.
pub(crate) fn of_pair(touch: &Touch, rate: impl Fn(usize) -> f64, now: &Kinematics, endless: &[bool]) -> Vec3 {
    let side = |body: BodyId, arm: &Vec3, closing: f64, sign: f64| {
        let body = body.index();
        let rate = rate(body);
        if rate == 0.0 || endless.get(body).copied().unwrap_or_default() {
            return Vec3::zeros();
        }
        let along = touch.frame.to_local(arm) * (-sign * rate / now.size[body]);
        Vec3::new(rate * closing, along.y, along.z)
    };
    side(touch.key.candidate, &touch.arm_candidate, touch.growth_candidate, 1.0)
        + side(touch.key.antagonist, &touch.arm_antagonist, touch.growth_antagonist, -1.0)
}
