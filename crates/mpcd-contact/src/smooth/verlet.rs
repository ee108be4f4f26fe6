//! Velocity Verlet and Cundall's time-centred scheme: half a kick, a drift, forces, half a kick.
//!
//! v_½ = v + ½h a(t); q⁺ = q + h v_½; a⁺ = M⁻¹F(q⁺, v_F); v⁺ = v_½ + ½h a⁺. Forces that depend on velocity see v_F = v_½ + ½h a(t),
//! the velocity at the end to second order; the time-centred scheme sees v_½ (Cundall and Strack 1979, and the "velocity Verlet" of
//! Dubois–Renouf 2021), which makes damped contacts first order. Unequal moments: the angular momentum is kicked, the body turns
//! with the spin of the middle of the sub-step.

use mpcd_core::Kinematics;

use crate::{error::ContactError, rotation::turned};

use super::{
    columns::{Columns, acceleration, angular_momentum, implicit_spin, impose, isotropic_response, spin_at},
    engine::{Engine, Evaluation, Surroundings},
};

/// One sub-step from `t` to `t + dt`; `foresees` tells Verlet from the time-centred scheme.
pub(crate) fn substep(
    engine: &mut Engine,
    columns: &mut Columns,
    around: &Surroundings<'_>,
    k: &mut Kinematics,
    (t, dt): (f64, f64),
    growth: Option<&[f64]>,
    foresees: bool,
) -> Result<(), ContactError> {
    drift(engine, columns, around, k, t, dt, foresees);
    engine.evaluate(around, &Evaluation { now: k, mean: columns.drift.slices(), dt, time: t + dt, growth, whole: false })?;
    kick(engine, columns, around, k, t, dt);
    Ok(())
}

fn drift(engine: &Engine, columns: &mut Columns, around: &Surroundings<'_>, k: &mut Kinematics, t: f64, dt: f64, foresees: bool) {
    let half = 0.5 * dt;
    for (i, body) in engine.bodies.iter().enumerate() {
        let (force, torque) = engine.push(i, false);
        let a = acceleration(body, &force, &around.setup.gravity);
        let mut v = k.velocity[i] + a * half;
        let (q, size, omega) = (k.orientation[i], k.size[i], k.angular_velocity[i]);
        let response = isotropic_response(body, size);
        let mut w = if body.isotropic {
            omega + torque.component_mul(&response) * half
        } else {
            columns.momentum[i] = angular_momentum(body, &q, size, &omega) + torque * half;
            implicit_spin(body, &q, size, &columns.momentum[i], engine.loads.imposed_spin(i, t + half), half)
        };
        impose(&engine.loads, i, t + half, &mut v, &mut w);
        k.position[i] += v * dt;
        if w != mpcd_core::Vec3::zeros() {
            k.orientation[i] = turned(&q, &w, dt);
        }
        (columns.drift.linear[i], columns.drift.spin[i]) = (v, w);
        if foresees {
            v += a * half;
            w = if body.isotropic {
                w + torque.component_mul(&response) * half
            } else {
                spin_at(
                    body,
                    &k.orientation[i],
                    size,
                    &(columns.momentum[i] + torque * half),
                    engine.loads.imposed_spin(i, t + dt),
                )
            };
            impose(&engine.loads, i, t + dt, &mut v, &mut w);
        }
        (k.velocity[i], k.angular_velocity[i]) = (v, w);
    }
}

fn kick(engine: &Engine, columns: &Columns, around: &Surroundings<'_>, k: &mut Kinematics, t: f64, dt: f64) {
    let half = 0.5 * dt;
    for (i, body) in engine.bodies.iter().enumerate() {
        let (force, torque) = engine.push(i, true);
        let mut v = columns.drift.linear[i] + acceleration(body, &force, &around.setup.gravity) * half;
        let mut w = if body.isotropic {
            columns.drift.spin[i] + torque.component_mul(&isotropic_response(body, k.size[i])) * half
        } else {
            spin_at(
                body,
                &k.orientation[i],
                k.size[i],
                &(columns.momentum[i] + torque * half),
                engine.loads.imposed_spin(i, t + dt),
            )
        };
        impose(&engine.loads, i, t + dt, &mut v, &mut w);
        (k.velocity[i], k.angular_velocity[i]) = (v, w);
    }
}
