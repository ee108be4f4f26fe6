//! Gear's predictor–corrector with five values (q and its derivatives up to the fourth) for equations of second order.
//!
//! Prediction by Taylor's series; one evaluation of the forces; with Δ = a⁺ − aᴾ each value is corrected by a multiple of Δ, in scaled
//! derivatives hⁿ/n! times (19/90, 3/4, 1, 1/2, 1/12)·h²/2 (Gear 1971; Allen and Tildesley 1987, for forces that depend on velocity).
//! A multi-value method remembers: a start from rest, a contact that opens or closes, cost it its order for some sub-steps.
//! Bodies with unequal moments: the angular acceleration is I⁻¹(τ − ω × Iω); the turning is of second order for them. With f the free
//! axes and d the others it is I_ff⁻¹(τ − ω × Iω − I ω̇_d)_f on the free ones.

use mpcd_core::{Kinematics, Vec3};
use serde::{Deserialize, Serialize};

use crate::{error::ContactError, rotation::turned};

use super::{
    columns::{Columns, acceleration, angular_momentum, impose, isotropic_response, spin_at},
    engine::{Engine, Evaluation, Surroundings},
};

/// Corrector coefficients.
const C: [f64; 5] = [19.0 / 90.0, 3.0 / 4.0, 1.0, 1.0 / 2.0, 1.0 / 12.0];

/// Second to fourth derivative of position [m/s², m/s³, m/s⁴] or angle.
type Three = [Vec3; 3];

/// What Gear remembers of a body.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Derivatives {
    linear: Three,
    angular: Three,
    /// Whether the accelerations have been found once.
    known: bool,
}

/// Way and velocity gained over `h`, and the derivatives at its end, by Taylor's series.
fn predict(v: &Vec3, d: &Three, h: f64) -> (Vec3, Vec3, Three) {
    let [a, b, c] = d;
    (
        v * h + a * (h * h / 2.0) + b * (h.powi(3) / 6.0) + c * (h.powi(4) / 24.0),
        v + a * h + b * (h * h / 2.0) + c * (h.powi(3) / 6.0),
        [a + b * h + c * (h * h / 2.0), b + c * h, *c],
    )
}

/// Corrections of way and velocity, and the corrected derivatives, for the found acceleration.
fn correct(d: &Three, found: &Vec3, h: f64) -> (Vec3, Vec3, Three) {
    let [a, b, c] = d;
    let off = found - a;
    (
        off * (C[0] * h * h / 2.0),
        off * (C[1] * h / 2.0),
        [a + off * C[2], b + off * (3.0 * C[3] / h), c + off * (12.0 * C[4] / (h * h))],
    )
}

/// One sub-step.
pub(crate) fn substep(
    engine: &mut Engine,
    columns: &mut Columns,
    around: &Surroundings<'_>,
    k: &mut Kinematics,
    memory: &mut Vec<Derivatives>,
    (t, dt): (f64, f64),
    growth: Option<&[f64]>,
) -> Result<(), ContactError> {
    memory.resize(engine.bodies.len(), Derivatives::default());
    for (i, d) in memory.iter_mut().enumerate().filter(|(_, d)| !d.known) {
        (d.linear[0], d.angular[0]) = accelerations(engine, around, k, i, (t, dt), false);
        d.known = true;
    }
    columns.extra.resize(engine.bodies.len());
    for (i, d) in memory.iter_mut().enumerate() {
        let (way, mut v, linear) = predict(&k.velocity[i], &d.linear, dt);
        let (angle, mut w, angular) = predict(&k.angular_velocity[i], &d.angular, dt);
        let (mut drift, mut spin) = (way / dt, angle / dt);
        impose(&engine.loads, i, t + 0.5 * dt, &mut drift, &mut spin);
        impose(&engine.loads, i, t + dt, &mut v, &mut w);
        (columns.drift.linear[i], columns.drift.spin[i]) = (drift, spin);
        k.position[i] += drift * dt;
        k.orientation[i] = turned(&k.orientation[i], &spin, dt);
        (k.velocity[i], k.angular_velocity[i]) = (v, w);
        // So far the momentum gained by prediction; the impulses ½h(F⁻ + F⁺) come off below.
        let before = accelerations(engine, around, k, i, (t, dt), false);
        let gain =
            |d: &Three, before: &Vec3| d[0] * dt + d[1] * (dt * dt / 2.0) + d[2] * (dt.powi(3) / 6.0) - before * (0.5 * dt);
        (columns.extra.linear[i], columns.extra.spin[i]) = (gain(&d.linear, &before.0), gain(&d.angular, &before.1));
        (d.linear, d.angular) = (linear, angular);
    }
    engine.evaluate(around, &Evaluation { now: k, mean: columns.drift.slices(), dt, time: t + dt, growth, whole: false })?;
    for (i, d) in memory.iter_mut().enumerate() {
        let found = accelerations(engine, around, k, i, (t + dt, dt), true);
        let body = &engine.bodies[i];
        let (way, mut dv, linear) = correct(&d.linear, &found.0, dt);
        let (angle, mut dw, angular) = correct(&d.angular, &found.1, dt);
        (dv, dw) = (dv.component_mul(&body.free), dw.component_mul(&body.free_spin));
        k.position[i] += way.component_mul(&body.free);
        k.orientation[i] = turned(&k.orientation[i], &angle.component_mul(&body.free_spin), 1.0);
        k.velocity[i] += dv;
        k.angular_velocity[i] += dw;
        let inertia = body.inertia_at(k.size[i]);
        columns.extra.linear[i] = (columns.extra.linear[i] + dv - found.0 * (0.5 * dt)) * body.mass;
        columns.extra.spin[i] = (columns.extra.spin[i] + dw - found.1 * (0.5 * dt)).component_mul(&inertia);
        (d.linear, d.angular) = (linear, angular);
    }
    Ok(())
}

/// Acceleration and angular acceleration on the free axes at time `t`, from the forces of the last (`new`) or the accepted evaluation.
fn accelerations(
    engine: &Engine,
    around: &Surroundings<'_>,
    k: &Kinematics,
    i: usize,
    (t, dt): (f64, f64),
    new: bool,
) -> (Vec3, Vec3) {
    let body = &engine.bodies[i];
    let (force, torque) = engine.push(i, new);
    let (q, size, w) = (&k.orientation[i], k.size[i], &k.angular_velocity[i]);
    let angular = if body.isotropic {
        torque.component_mul(&isotropic_response(body, size))
    } else {
        let momentum = angular_momentum(body, q, size, w);
        let held = engine.loads.imposed_angular_acceleration(i, t, dt);
        spin_at(body, q, size, &(torque - w.cross(&momentum)), held)
    };
    (acceleration(body, &force, &around.setup.gravity), angular)
}
