//! How long surfaces may move before pairs are looked at again, so that none crosses the alert distance unseen: by what bodies have of
//! speed, spin, acceleration and growth, and what drives and loads them up to the end of the model step.
//!
//! What may not live here: how a step is divided (`schedule`), what contacts ask for (`stability`).

use mpcd_core::{Kinematics, Setup, Step, Vec3};
use mpcd_geometry::{Shape, Shapes};
use rayon::prelude::*;

use crate::{error::ContactError, loads::Loads, motion::Forces};

use super::{
    bodies::PIECE,
    columns::{acceleration, impose},
    engine::{Engine, Surroundings, instant},
};

/// The part of the alert distance that each of two bodies may come nearer in a sub-step: half, less what a sub-step may be longer than wanted.
const PART: f64 = 0.4;
/// Sub-steps of a model step at least, where loads or drives change with time.
const LOOKS: u32 = 20;

/// Part of the largest by which loads and drives may be off a straight line.
const STRAIGHT: f64 = 1e-3;

/// What moves surfaces besides the contacts, up to the end of a model step.
#[derive(Default)]
pub(crate) struct Crossing {
    /// How far a turn moves the surface of each body, per angle at reference size (m): 0 of what is round about its centre, infinite of planes.
    levers: Vec<f64>,
    /// How far its surface is from its centre at reference size (m), 0 of planes.
    reaches: Vec<f64>,
    /// Loads at the end of the model step.
    ahead: Forces,
    /// Longest sub-step in which loads and drives are looked at often enough (s).
    look: f64,
    /// How fast the speed of the surface of each body may grow [m/s²].
    gains: Vec<f64>,
    /// Speed and spin that are imposed in the middle and at the end of the model step, the larger [m/s, rad/s].
    imposed: Vec<(f64, f64)>,
}

impl Crossing {
    pub(crate) fn of_setup(setup: &Setup, shapes: &Shapes) -> Self {
        let lever = |shape: &Shape| match shape {
            Shape::Ball { .. } | Shape::Disc { .. } => 0.0,
            _ => shape.bounding_radius(setup.dimension).unwrap_or(f64::INFINITY),
        };
        let reach = |shape: &Shape| shape.bounding_radius(setup.dimension).unwrap_or(0.0);
        Self { levers: shapes.0.iter().map(lever).collect(), reaches: shapes.0.iter().map(reach).collect(), ..Self::default() }
    }

    /// Looks ahead over a model step. What is `straight` integrates loads and drives that change at a steady rate as they are.
    pub(crate) fn look_ahead(
        &mut self,
        loads: &Loads,
        around: &Surroundings<'_>,
        step: &Step,
        straight: bool,
    ) -> Result<(), ContactError> {
        self.ahead.evaluate(loads, &instant(step.end()), around.setup, around.given)?;
        let fastest = |i: usize| {
            let at = |t: f64| {
                let (mut v, mut w) = (Vec3::zeros(), Vec3::zeros());
                impose(loads, i, t, &mut v, &mut w);
                (v.norm(), w.norm())
            };
            let (middle, end) = (at(step.time + 0.5 * step.h), at(step.end()));
            (middle.0.max(end.0), middle.1.max(end.1))
        };
        let looks = loads.vary() && !(straight && self.are_straight(loads, around, step)?);
        self.look = if looks { step.h / f64::from(LOOKS) } else { f64::INFINITY };
        self.imposed.clear();
        self.imposed.extend((0..self.levers.len()).map(fastest));
        Ok(())
    }

    /// Whether loads and drives go from where they are to where they will be at a steady rate, wherever it is looked.
    fn are_straight(&self, loads: &Loads, around: &Surroundings<'_>, step: &Step) -> Result<bool, ContactError> {
        let (mut start, mut now) = (Forces::default(), Forces::default());
        start.evaluate(loads, &instant(step.time), around.setup, around.given)?;
        let motion = |i: usize, t: f64| {
            let (mut v, mut w) = (Vec3::zeros(), Vec3::zeros());
            impose(loads, i, t, &mut v, &mut w);
            [v, w]
        };
        let bodies = self.levers.len();
        let (mut off, mut size) = ([0.0_f64; 4], [0.0_f64; 4]);
        for look in 1..LOOKS {
            let part = f64::from(look) / f64::from(LOOKS);
            let t = step.time + part * step.h;
            now.evaluate(loads, &instant(t), around.setup, around.given)?;
            for i in 0..bodies {
                let [v0, w0] = motion(i, step.time);
                let ([v, w], [v1, w1]) = (motion(i, t), motion(i, step.end()));
                let rows = [
                    (start.applied[i], now.applied[i], self.ahead.applied[i]),
                    (start.torque[i], now.torque[i], self.ahead.torque[i]),
                    (v0, v, v1),
                    (w0, w, w1),
                ];
                for (k, (from, here, to)) in rows.into_iter().enumerate() {
                    off[k] = off[k].max((here - from - (to - from) * part).amax());
                    size[k] = size[k].max(from.amax()).max(here.amax());
                }
            }
        }
        Ok(off.into_iter().zip(size).all(|(off, size)| off <= STRAIGHT * size))
    }

    /// Longest sub-step in which no body moves its surface by its part of the alert distance (s). `growth`: rates of the sizes [1/s].
    pub(crate) fn longest(&mut self, engine: &Engine, gravity: &Vec3, growth: &[f64], k: &Kinematics) -> f64 {
        let way = PART * engine.alert;
        let mut gains = std::mem::take(&mut self.gains);
        gains.resize(k.len(), 0.0);
        let of = |(i, gain): (usize, &mut f64)| {
            let speed;
            (speed, *gain) = self.speed(engine, gravity, growth, k, i);
            // speed t + ½ gain t² = way
            2.0 * way / (speed + (speed * speed + 2.0 * *gain * way).sqrt())
        };
        let longest = gains.par_iter_mut().enumerate().with_min_len(PIECE).map(of).reduce(|| self.look, f64::min);
        self.gains = gains;
        longest
    }

    /// How fast the speed of the surface of each body may grow, as [`Self::longest`] found it [m/s²].
    pub(crate) fn gains(&self) -> &[f64] {
        &self.gains
    }

    /// How fast the surface of a body may be and how fast that may grow [m/s, m/s²].
    fn speed(&self, engine: &Engine, gravity: &Vec3, growth: &[f64], k: &Kinematics, i: usize) -> (f64, f64) {
        let body = &engine.bodies[i];
        let (force, torque) = engine.push(i, false);
        let (more, twist) =
            (self.ahead.applied[i] - engine.old_loads.applied[i], self.ahead.torque[i] - engine.old_loads.torque[i]);
        let rest = acceleration(body, &force, gravity).norm() + acceleration(body, &more, &Vec3::zeros()).norm();
        let turn = engine.pairs.mobility(mpcd_core::BodyId::from_index(i), k.size[i]).rotation
            * (torque.component_mul(&body.free_spin).norm() + twist.component_mul(&body.free_spin).norm());
        let imposed = self.imposed[i];
        let spin = k.angular_velocity[i].norm().max(imposed.1);
        let swelling = growth.get(i).map_or(0.0, |rate| rate.abs() * self.reaches[i]);
        let lever = self.lever(k, i, spin + turn);
        (k.velocity[i].norm().max(imposed.0) + spin * lever + swelling, rest + turn * lever)
    }

    /// How far a turn moves the surface, where it turns at all; of a plane, out to the farthest body.
    fn lever(&self, k: &Kinematics, i: usize, turning: f64) -> f64 {
        if turning == 0.0 {
            0.0
        } else if self.levers[i].is_finite() {
            self.levers[i] * k.size[i]
        } else {
            let from = k.position[i];
            (0..k.len()).map(|j| (k.position[j] - from).norm() + self.reaches[j] * k.size[j]).fold(0.0, f64::max)
        }
    }
}
