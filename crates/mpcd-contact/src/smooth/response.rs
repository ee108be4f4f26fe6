//! The force of one spot: its law asked, its tangential spring turned, stretched and capped, its heat counted.

use mpcd_core::{Kinematics, Vec3};

use crate::motion::between;

use super::{
    dashpot::{self, Dashpot},
    law::{NormalForce, Shear, SmoothLaw, SpotInput},
    pairs::Pairs,
    spot::{Memory, Spot, Tangent},
};

/// What the spots of one evaluation share.
pub(crate) struct Moment<'a> {
    /// Configuration, and the velocities that forces see.
    pub(crate) now: &'a Kinematics,
    /// Mean velocity and spin over the sub-step, which stretch the springs.
    pub(crate) mean: (&'a [Vec3], &'a [Vec3]),
    /// Length of the sub-step (s); 0 to find the forces of a configuration without a past.
    pub(crate) dt: f64,
    /// Whether the force stands for the whole sub-step (an implicit one): a dashpot then counts from when the surfaces met.
    pub(crate) whole: bool,
    /// Rate of the size factors [1/s], if anything grows.
    pub(crate) growth: Option<&'a [f64]>,
    pub(crate) pairs: &'a Pairs,
}

/// Relative velocity, candidate minus antagonist, world axes.
pub(crate) fn relative_velocity(spot: &Spot, velocity: &[Vec3], spin: &[Vec3]) -> Vec3 {
    let (c, a) = (spot.key.candidate.index(), spot.key.antagonist.index());
    velocity[c] + spin[c].cross(&spot.arm_candidate) - velocity[a] - spin[a].cross(&spot.arm_antagonist)
}

/// How far the two surfaces went past each other in the sub-step (m), in the world axes of its middle: levers of its middle with velocities of its middle. Those of the end would be half a
/// sub-step later, by which all that is carried around an axis would slide towards it.
fn way(spot: &Spot, moment: &Moment<'_>) -> Vec3 {
    let middle = |start: &Vec3, end: &Vec3| (start + end) * 0.5;
    let candidate = middle(&spot.last.arm_candidate, &spot.arm_candidate);
    let antagonist = middle(&spot.last.arm_antagonist, &spot.arm_antagonist);
    between(&spot.key, [&candidate, &antagonist], |body| (moment.mean.0[body], moment.mean.1[body])) * moment.dt
}

/// What the law may look at; the tangential mass is the least that slip in any direction may move.
pub(crate) fn input(spot: &Spot, moment: &Moment<'_>) -> SpotInput {
    let (c, a) = (spot.key.candidate, spot.key.antagonist);
    let side = |body: mpcd_core::BodyId, arm: &Vec3| {
        let m = moment.pairs.mobility(body, moment.now.size[body.index()]);
        (m.translation, m.rotation * arm.norm_squared())
    };
    let (ci, ai) = (side(c, &spot.middle_candidate), side(a, &spot.middle_antagonist));
    let (modulus, shear_modulus) = moment.pairs.moduli(c, a);
    let translation = ci.0 + ai.0;
    // Two sides that are only driven or turned: their masses do not matter, and no number may be infinite.
    let mass = |inverse: f64| if inverse > 0.0 { 1.0 / inverse } else { 0.0 };
    SpotInput {
        overlap: -spot.gap,
        closing: spot.growing - spot.u.x,
        geometry: spot.geometry,
        modulus,
        shear_modulus,
        mass: mass(translation) * spot.share,
        tangential_mass: mass(translation + ci.1 + ai.1) * spot.share,
        bonded: spot.memory.bonded,
    }
}

/// Finds velocity, force, tangents and heat of a spot.
pub(crate) fn respond(spot: &mut Spot, law: &dyn SmoothLaw, moment: &Moment<'_>) {
    if !spot.near {
        return;
    }
    let now = moment.now;
    spot.u = spot.frame.to_local(&relative_velocity(spot, &now.velocity, &now.angular_velocity));
    let (c, a) = (spot.key.candidate.index(), spot.key.antagonist.index());
    spot.growing = moment.growth.map_or(0.0, |rate| rate[c] * spot.growth_candidate + rate[a] * spot.growth_antagonist);
    let input = input(spot, moment);
    let before = spot.memory;
    // what is no part of the contact of two round bodies pushes nothing
    let Some(mut normal) = law.normal(&input).filter(|_| spot.share > 0.0) else {
        (spot.memory, spot.tangent) = (Memory::default(), Tangent::default());
        (spot.force, spot.normal, spot.viscous) = (Vec3::zeros(), 0.0, 0.0);
        spot.heat = before.released();
        return;
    };
    let (shear, dashpot) = if law.friction() > 0.0 {
        dashpot::shear(spot, law, (&input, &normal), moment.pairs, now)
    } else {
        (Shear::default(), Dashpot::default())
    };
    let half = half_turn(spot, moment);
    let slip = way(spot, moment);
    let slip = turned(&(slip - spot.frame.n * spot.frame.n.dot(&slip)), &spot.frame.n, half);
    if moment.whole {
        let mean = relative_velocity(spot, moment.mean.0, moment.mean.1);
        met_within(&mut normal, input.overlap, input.overlap - (spot.growing - spot.frame.n.dot(&mean)) * moment.dt);
    }
    let sliding_velocity = spot.frame.t * spot.u.y + spot.frame.s() * spot.u.z;

    let limit = law.friction() * normal.friction_load;
    let spring = turned_spring(spot, half);
    // A contact that gets softer lets go of its spring in proportion; the rest would be energy from nowhere.
    let softer = if shear.stiffness < before.stiffness { shear.stiffness / before.stiffness } else { 1.0 };
    let (next, shear_energy) = if shear.stiffness > 0.0 {
        let next = capped(&(spring * softer - slip * shear.stiffness), limit);
        (next, 0.5 * next.norm_squared() / shear.stiffness)
    } else {
        (Vec3::zeros(), 0.0)
    };
    let tangential = capped(&(next - dashpot.against(&sliding_velocity)), limit);

    spot.normal = normal.force;
    spot.force = spot.frame.n * normal.force + tangential;
    spot.viscous = (normal.force - normal.elastic) * input.closing;
    spot.memory =
        Memory { spring: next, stiffness: shear.stiffness, energy: normal.energy + shear_energy, bonded: normal.bonded };
    spot.tangent = Tangent {
        normal_stiffness: normal.stiffness,
        normal_damping: normal.damping,
        shear_stiffness: shear.stiffness,
        dashpot,
        sliding: tangential.norm() >= limit * (1.0 - 1e-12),
    };
    // The spring's mean force over the slip, less what it stored; the dashpot's work.
    let shear_heat =
        -0.5 * (spring * softer + next).dot(&slip) - (shear_energy - before.spring_energy()) - (tangential - next).dot(&slip);
    let snap = if normal.bonded && !before.bonded { -jump(&normal) } else { 0.0 };
    spot.heat = (snap, shear_heat);
}

/// Surfaces that met within the sub-step, `start` < 0 < `overlap`: their dashpot acted for the part of it that they overlapped. Without
/// this the force would jump where they meet, and an implicit step that ends there would have no solution.
fn met_within(normal: &mut NormalForce, overlap: f64, start: f64) {
    if !(start < 0.0 && overlap > 0.0) {
        return;
    }
    let part = overlap / (overlap - start);
    let viscous = normal.force - normal.elastic;
    normal.force = normal.elastic + viscous * part;
    normal.friction_load = (normal.friction_load - viscous * (1.0 - part)).max(0.0);
    normal.stiffness += viscous.max(0.0) * -start / (overlap - start).powi(2);
    normal.damping *= part;
}

/// Energy that is there at once when adhesive surfaces meet, below zero (J).
fn jump(normal: &NormalForce) -> f64 {
    normal.energy.min(0.0)
}

/// Cosine and sine of the angle by which the pair turns about its normal in half of the sub-step, by the mean spin of the two.
fn half_turn(spot: &Spot, moment: &Moment<'_>) -> [f64; 2] {
    let spin = moment.mean.1[spot.key.candidate.index()] + moment.mean.1[spot.key.antagonist.index()];
    let (sine, cosine) = (0.25 * spin.dot(&spot.frame.n) * moment.dt).sin_cos();
    [cosine, sine]
}

/// A vector of the tangent plane turned about the normal.
fn turned(flat: &Vec3, n: &Vec3, [cosine, sine]: [f64; 2]) -> Vec3 {
    flat * cosine + n.cross(flat) * sine
}

/// The spring force carried along with the pair, which turns by two halves, in the new tangent plane.
fn turned_spring(spot: &Spot, [cosine, sine]: [f64; 2]) -> Vec3 {
    let old = spot.memory.spring;
    let size = old.norm();
    if size == 0.0 {
        return old;
    }
    let n = spot.frame.n;
    let whole = [cosine * cosine - sine * sine, 2.0 * sine * cosine];
    let turned = turned(&(old - n * n.dot(&old)), &n, whole);
    let length = turned.norm();
    if length > 0.0 { turned * (size / length) } else { Vec3::zeros() }
}

/// The vector, no longer than `limit`.
fn capped(v: &Vec3, limit: f64) -> Vec3 {
    let length = v.norm();
    if length > limit { v * (limit / length) } else { *v }
}
