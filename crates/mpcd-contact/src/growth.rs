//! What moves the surfaces of a contact besides the velocities of its bodies: their growth, and the bend of the way of a rigid body that turns, against a mesh or under what sticks to it. No law, no impulse.

use mpcd_core::{BodyId, Contact, ContactGeometry, Kinematics, Quat, Vec3};
use mpcd_friction::problem::Body;
use mpcd_geometry::Touch;

/// [`of_pair`] and [`of_turn`] of each contact of the network; nothing is held while no body grows, or turns so that it counts.
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
        self.of_sizes(place) + self.of_turning(place)
    }

    /// The part of it that is the bend of the way of what turns.
    pub(crate) fn of_turning(&self, place: usize) -> Vec3 {
        self.turns.binary_search_by_key(&place, |(k, _)| *k).map_or_else(|_| Vec3::zeros(), |k| self.turns[k].1)
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

/// How far inside its surface (m) the centre of curvature of each side lies, candidate first, 0 for the point itself; `None` of a side that goes no arc (a mesh, a ball about its centre).
pub(crate) type Sides = [Option<f64>; 2];

/// How rigid sides, which turn at `spin` (rad/s), move over a step of `h` (s) besides their velocity in the contact configuration: along arcs. A mesh, and the centre of a body, move by h V, V at the end of the
/// step; without this a point that turns with it would be led away from it by ω² r h²/2 in each step. (n, t, s) [m/s], with the sign of growth.
pub(crate) fn of_turn(touch: &Touch, sides: Sides, spin: impl Fn(usize) -> Vec3, h: f64) -> Vec3 {
    let bend = |body: BodyId, arm: Vec3| {
        let spin = spin(body.index());
        (Quat::from_scaled_axis(spin * h) * arm - arm) / h - spin.cross(&arm)
    };
    let [candidate, antagonist] = arms(touch, sides);
    let candidate = candidate.map_or_else(Vec3::zeros, |arm| -bend(touch.key.candidate, arm));
    let antagonist = antagonist.map_or_else(Vec3::zeros, |arm| bend(touch.key.antagonist, arm));
    touch.frame.to_local(&(candidate + antagonist))
}

/// How what rigid sides hold together is led over a step of `h` (s) besides its velocity in the contact configuration, so that material points have none against each other at the end of the step; where
/// θ is beyond ½ velocities are those of the mean of the step. Round surfaces may roll on each other while one point of them is held: then the point itself goes over both. (n, t, s) [m/s], with the sign of growth.
pub(crate) fn of_bond(touch: &Touch, spin: impl Fn(usize) -> Vec3, (h, theta): (f64, f64)) -> Vec3 {
    let rolling = touch.frame.to_local(&of_rolling(touch, &spin)) * (0.5 * h);
    if theta > 0.5 {
        return of_turn(touch, [Some(0.0); 2], &spin, h) - rolling;
    }
    let end = |body: BodyId, arm: &Vec3| {
        let spin = spin(body.index());
        spin.cross(&(Quat::from_scaled_axis(spin * (0.5 * h)) * arm - arm))
    };
    let candidate = end(touch.key.candidate, &touch.arm_candidate);
    touch.frame.to_local(&(end(touch.key.antagonist, &touch.arm_antagonist) - candidate)) - rolling
}

/// How far what turned at `spin` (rad/s) in the `lead` (s) up to now has led two material points apart, beyond where straight ways of their centres did: (n, t, s) (m). What is held together has not opened by that.
pub(crate) fn led_apart(touch: &Touch, spin: impl Fn(usize) -> Vec3, lead: f64) -> Vec3 {
    let bend = |body: BodyId, arm: &Vec3| {
        let spin = spin(body.index());
        let from = Quat::from_scaled_axis(spin * -lead) * arm;
        arm - from - spin.cross(&from) * lead
    };
    let apart = bend(touch.key.candidate, &touch.arm_candidate) - bend(touch.key.antagonist, &touch.arm_antagonist);
    touch.frame.to_local(&(apart + of_rolling(touch, &spin) * (0.5 * lead * lead)))
}

/// How much of the relative velocity of two material points in the contact configuration they did not have the `lead` (s) before, where bodies turned at `spin` (rad/s), local [m/s].
pub(crate) fn gained(touch: &Touch, spin: impl Fn(usize) -> Vec3, lead: f64) -> Vec3 {
    let since = |body: BodyId, arm: &Vec3| {
        let spin = spin(body.index());
        spin.cross(&(arm - Quat::from_scaled_axis(spin * -lead) * arm))
    };
    let gained = since(touch.key.candidate, &touch.arm_candidate) - since(touch.key.antagonist, &touch.arm_antagonist);
    touch.frame.to_local(&(gained + of_rolling(touch, &spin) * lead))
}

/// What the contact point of two round surfaces that roll on each other, without slipping, accelerates by besides the material points that are there: with R* the reduced radius and δ the spin of the candidate
/// less that of the antagonist R* δ × (δ × n), in world axes [m/s²]. (Both accelerations from the ways of the centres of curvature, whose line turns by n × (R_i ω_i + R_j ω_j) × n/(R_i + R_j).)
pub(crate) fn of_rolling(touch: &Touch, spin: impl Fn(usize) -> Vec3) -> Vec3 {
    let radius = match touch.geometry {
        ContactGeometry::Point { reduced_radius, .. } | ContactGeometry::Line { reduced_radius, .. } => reduced_radius,
        ContactGeometry::Flat { .. } => 0.0,
    };
    let against = spin(touch.key.candidate.index()) - spin(touch.key.antagonist.index());
    if radius.is_finite() { against.cross(&against.cross(&touch.frame.n)) * radius } else { Vec3::zeros() }
}

/// How a body turns in a step as far as can be known before it is solved (rad/s): as it is prescribed, or as it did when the step began. What loads alone would make of it, contacts may hold: a box
/// that friction holds against a moment does not turn at h M/J.
pub(crate) fn spin(bodies: &[Body], before: &Kinematics, body: usize) -> Vec3 {
    let prescribed = bodies.get(body).map_or_else(Vec3::zeros, |b| b.angular_velocity);
    let answers = bodies.get(body).is_some_and(|b| b.inverse_inertia.matrix() * prescribed != Vec3::zeros());
    if answers { before.angular_velocity.get(body).copied().unwrap_or_default() } else { prescribed }
}

/// From the centres of the bodies to what goes on arcs about them.
fn arms(touch: &Touch, sides: Sides) -> [Option<Vec3>; 2] {
    let inside = |radius: f64| touch.frame.n * radius;
    [sides[0].map(|r| touch.arm_candidate + inside(r)), sides[1].map(|r| touch.arm_antagonist - inside(r))]
}

/// The same between two rigid bodies, along the surfaces: `None` where neither turns, where their surfaces did not stick to each other in the `last` step (what slides goes over ever other points of
/// the other, and rubs against the velocity), and where both are curved, so that they roll as they turn. `bodies` have the free spins of this step, `before` the motion at its start ([`spin`]).
pub(crate) fn of_sticking(
    touch: &Touch,
    (bodies, before): (&[Body], &Kinematics),
    (h, last_h): (f64, f64),
    last: &[Contact],
) -> Option<Vec3> {
    let (c, a) = (touch.key.candidate, touch.key.antagonist);
    let spin = |body: usize| spin(bodies, before, body);
    if spin(c.index()) == Vec3::zeros() && spin(a.index()) == Vec3::zeros() {
        return None;
    }
    let sides = curved_sides(touch)?;
    // A flat side that its contacts turn does so by what is solved here; its own point is near enough.
    let flat = if sides[1] == Some(0.0) { a } else { c };
    let is_led = bodies.get(flat.index()).is_some_and(|b| b.inverse_inertia.matrix() * b.angular_velocity == Vec3::zeros());
    let bend = if matches!(touch.geometry, ContactGeometry::Flat { .. }) || !is_led {
        of_turn(touch, sides, spin, h)
    } else {
        of_place(touch, sides, (spin, before), h)
    };
    let bend = Vec3::new(0.0, bend.y, bend.z);
    let size = bend.norm();
    // the bend of the last step goes as its length
    (size > 0.0 && sticks(last, (c, a), size * (last_h / h).max(1.0))).then_some(bend)
}

/// The same of something round on a flat side. That goes as the place does at which it is touched: what lies still is carried along, what rolls goes its own way over it, and the
/// velocity of the side at the end of the step is that of where the place then is, ½ h ω × V on from where it was found.
fn of_place(touch: &Touch, sides: Sides, (spin, before): (impl Fn(usize) -> Vec3, &Kinematics), h: f64) -> Vec3 {
    let flat = usize::from(sides[1] == Some(0.0));
    let bodies = [touch.key.candidate.index(), touch.key.antagonist.index()];
    let arm = arms(touch, sides)[1 - flat];
    let [round, own] = [bodies[1 - flat], bodies[flat]];
    let mut rounds = sides;
    rounds[flat] = None;
    let place = before.velocity[round] + arm.map_or_else(Vec3::zeros, |arm| before.angular_velocity[round].cross(&arm));
    let carried = on_arc(place - before.velocity[own], spin(own), h);
    of_turn(touch, rounds, spin, h) + touch.frame.to_local(&carried) * if flat == 0 { -1.0 } else { 1.0 }
}

/// What the mean velocity over a step of `h` (s), along the arc about an axis on which something goes at `velocity` when it begins, is more than this.
fn on_arc(velocity: Vec3, spin: Vec3, h: f64) -> Vec3 {
    let rate = spin.norm();
    if rate == 0.0 {
        return Vec3::zeros();
    }
    let (axis, angle) = (spin / rate, rate * h);
    let across = velocity - axis * axis.dot(&velocity);
    let square = angle * angle;
    let less = if angle < 0.1 { -square / 6.0 * (1.0 - square / 20.0) } else { angle.sin() / angle - 1.0 };
    across * less + axis.cross(&across) * (2.0 * (0.5 * angle).sin().powi(2) / angle)
}

/// Which side is curved; `None` where both are, or where it cannot be told.
fn curved_sides(touch: &Touch) -> Option<Sides> {
    let radius = match touch.geometry {
        ContactGeometry::Flat { .. } => return Some([Some(0.0); 2]),
        // an ellipsoid has no one centre of curvature
        ContactGeometry::Point { roundness, .. } if roundness < 1.0 - ROUND => return None,
        ContactGeometry::Point { reduced_radius, .. } | ContactGeometry::Line { reduced_radius, .. } => reduced_radius,
    };
    if radius < touch.least_radius * (1.0 - ROUND) {
        return None;
    }
    let centre = [touch.arm_candidate + touch.frame.n * radius, touch.arm_antagonist - touch.frame.n * radius];
    let [round, along] = [|c: &Vec3, _: &Vec3| c.norm(), |c: &Vec3, n: &Vec3| c.dot(n).abs()]
        .map(|off: fn(&Vec3, &Vec3) -> f64| centre.map(|c| off(&c, &touch.frame.n) <= ROUND * radius));
    match (round, along) {
        // round about its centre of mass, which goes no arc
        ([true, false], _) => Some([None, Some(0.0)]),
        ([false, true], _) => Some([Some(0.0), None]),
        (_, [true, false]) => Some([Some(radius), Some(0.0)]),
        (_, [false, true]) => Some([Some(0.0), Some(radius)]),
        _ => None,
    }
}

/// Part of a radius up to which a centre of curvature is that of the body, or a radius the other.
const ROUND: f64 = 1e-6;

/// Whether two bodies stuck to each other where they pushed: none of these contacts slid by more than what sticks does by the bend (m/s) of its way.
fn sticks(last: &[Contact], pair: (BodyId, BodyId), bend: f64) -> bool {
    let from = last.partition_point(|contact| contact.bodies() < pair);
    let mut of_pair =
        last[from..].iter().take_while(|contact| contact.bodies() == pair).filter(|contact| contact.bears()).peekable();
    of_pair.peek().is_some() && of_pair.all(|contact| contact.u.y.hypot(contact.u.z) <= STICKS * bend)
}

/// Speed of sliding, over that of the bend, up to which a contact stuck: before its way was bent it went at none, and then at the bend.
const STICKS: f64 = 2.0;

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
