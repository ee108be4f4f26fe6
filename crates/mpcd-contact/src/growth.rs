//! What moves the surfaces of a contact besides the velocities of its bodies: their growth, and of a rigid body that turns against a mesh the bend of its way. No law, no impulse.

use mpcd_core::{BodyId, Kinematics, Quat, Vec3};
use mpcd_geometry::Touch;

/// [`of_pair`] and [`of_turn`] of each contact of the network; nothing is held while no body grows, or turns against a mesh.
#[derive(Debug, Default)]
pub(crate) struct Growths {
    sizes: Vec<Vec3>,
    /// The same in the step before.
    before: Vec<Vec3>,
    /// By place, rising.
    turns: Vec<(usize, Vec3)>,
}

impl Growths {
    pub(crate) fn clear(&mut self) {
        self.sizes.clear();
        self.before.clear();
        self.turns.clear();
    }

    /// Whether nothing moves surfaces but their bodies.
    pub(crate) const fn is_empty(&self) -> bool {
        self.sizes.is_empty() && self.turns.is_empty()
    }

    /// That of the contact at `place`, the next one, in this step and in the one `before`; in a step one grows, or none.
    pub(crate) fn push(&mut self, place: usize, growth: Option<Vec3>, before: Option<Vec3>, turn: Option<Vec3>) {
        self.sizes.extend(growth);
        self.before.extend(before);
        self.turns.extend(turn.map(|turn| (place, turn)));
    }

    /// All that moves the surfaces of a contact besides its bodies, by its place in the network.
    pub(crate) fn at(&self, place: usize) -> Vec3 {
        let turn = self.turns.binary_search_by_key(&place, |(k, _)| *k).map_or_else(|_| Vec3::zeros(), |k| self.turns[k].1);
        self.of_sizes(place) + turn
    }

    /// Growth in the step before: how the surfaces moved where the step begins.
    pub(crate) fn before(&self, place: usize) -> Vec3 {
        self.before.get(place).copied().unwrap_or_default()
    }

    /// The part of it that is growth, which does work.
    pub(crate) fn of_sizes(&self, place: usize) -> Vec3 {
        self.sizes.get(place).copied().unwrap_or_default()
    }
}

/// How a rigid side, which turns at `spin` (rad/s), moves over a step of `h` (s) besides its velocity in the contact configuration: along an arc. A mesh moves by h V, V at the end of the step;
/// without this a point that turns with it would be led away from it by ω² r h²/2 in each step. (n, t, s) [m/s], with the sign of growth; of (candidate, antagonist), those that are rigid; the centre of
/// curvature lies by `radius` (m) inside the surface, 0 for the point itself.
pub(crate) fn of_turn(touch: &Touch, (rigid, radius): ([bool; 2], f64), spin: impl Fn(usize) -> Vec3, h: f64) -> Vec3 {
    let bend = |body: BodyId, arm: Vec3| {
        let spin = spin(body.index());
        (Quat::from_scaled_axis(spin * h) * arm - arm) / h - spin.cross(&arm)
    };
    let inside = touch.frame.n * radius;
    let candidate = if rigid[0] { -bend(touch.key.candidate, touch.arm_candidate + inside) } else { Vec3::zeros() };
    let antagonist = if rigid[1] { bend(touch.key.antagonist, touch.arm_antagonist - inside) } else { Vec3::zeros() };
    touch.frame.to_local(&(candidate + antagonist))
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
