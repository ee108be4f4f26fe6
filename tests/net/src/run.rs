//! Runs a scene and keeps what judges ask for, computed here from motion and contacts alone. No bounds.

use std::path::Path;

use mpcd::{Registry, StandardRegistry};
use mpcd_core::Vec3;
use mpcd_sim::{Model, Simulation};

use crate::scene::Scene;

/// What became of a scene.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// Why it stopped, if it did.
    pub failed: Option<String>,
    /// Warnings of the run.
    pub warnings: Vec<String>,
    /// Length of the steps (s).
    pub h: f64,
    /// Positions of the bodies at the end (m).
    pub position: Vec<Vec3>,
    /// Velocities at the end [m/s].
    pub velocity: Vec<Vec3>,
    /// Angular velocities at the end [rad/s].
    pub spin: Vec<Vec3>,
    /// Lengths of the steps as they were taken (s).
    pub taken: Vec<f64>,
    /// Impulse that the contacts put on all prescribed bodies, by step (N s).
    pub support: Vec<Vec3>,
    /// Kinetic and potential energy of the free bodies, by step, from the start on (J).
    pub energy: Vec<f64>,
    /// Largest overlap, over the least width of the smaller of the two bodies.
    pub overlap: f64,
    /// Largest residual of momentum over the steps: |Δp − h m g − Σ r| over m (|v| + h |g|) + Σ |r|, for free bodies without joints and loads.
    pub momentum: f64,
    /// Momentum of the free bodies, by step, from the start on (N s).
    pub carried: Vec<Vec3>,
    /// Least and largest force of the contacts on each body over the steps (N).
    pub pull: Vec<[f64; 2]>,
    /// Fastest body over the steps [m/s].
    pub fastest: f64,
}

impl Outcome {
    /// Mean force on the prescribed bodies over the last part (0 to 1) of the steps (N).
    #[must_use]
    pub fn support_over_last(&self, part: f64) -> Vec3 {
        let from = self.first_of_last(part);
        self.support[from..].iter().sum::<Vec3>() / self.taken[from..].iter().sum::<f64>()
    }

    /// The same with what the free bodies gained of momentum in that time: their weight and what else pulls at them, whether they rest or not (N).
    #[must_use]
    pub fn weight_over_last(&self, part: f64) -> Vec3 {
        let from = self.first_of_last(part);
        let gained = self.carried[self.taken.len()] - self.carried[from];
        self.support_over_last(part) + gained / self.taken[from..].iter().sum::<f64>()
    }

    fn first_of_last(&self, part: f64) -> usize {
        let n = self.taken.len();
        (((1.0 - part) * n as f64) as usize).min(n.saturating_sub(1))
    }

    /// The highest the energy rose above any value it had before, over its largest size (J/J).
    #[must_use]
    pub fn energy_created(&self) -> f64 {
        let scale = self.energy.iter().fold(0.0_f64, |m, e| m.max(e.abs()));
        let (mut low, mut rise) = (f64::INFINITY, 0.0_f64);
        for e in &self.energy {
            low = low.min(*e);
            rise = rise.max(e - low);
        }
        if scale > 0.0 { rise / scale } else { 0.0 }
    }
}

/// Runs a scene to its end or to its first failure.
#[must_use]
pub fn run(scene: &Scene, contact: &str) -> Outcome {
    let text = scene.model(contact);
    let mut out = Outcome { h: scene.step, ..Outcome::default() };
    let model = match Model::parse_with(&text, "net", "net.ron", Path::new("."), &[], &mpcd::shapes()) {
        Ok(model) => model,
        Err(e) => return Outcome { failed: Some(format!("not read: {e}")), ..out },
    };
    let mut simulation = match Simulation::build(&model, &Registry::standard()) {
        Ok(simulation) => simulation,
        Err(e) => return Outcome { failed: Some(format!("not built: {e}")), ..out },
    };
    out.energy.push(energy(scene, &simulation));
    out.carried.push(carried(scene, &simulation));
    let mut before = simulation.world().kinematics.velocity.clone();
    while !simulation.finished() {
        match simulation.step() {
            Ok(step) => {
                if let Some(missed) = step.missed {
                    out.failed = Some(format!("missed: {missed:?}"));
                }
                look(scene, &simulation, step.h, &before, &mut out);
                before.clone_from(&simulation.world().kinematics.velocity);
            }
            Err(e) => {
                out.failed = Some(e.to_string());
                break;
            }
        }
    }
    let k = simulation.world().kinematics;
    out.position.clone_from(&k.position);
    out.velocity.clone_from(&k.velocity);
    out.spin.clone_from(&k.angular_velocity);
    out.warnings = simulation.counters().warning_words();
    out
}

fn look(scene: &Scene, simulation: &Simulation, h: f64, before: &[Vec3], out: &mut Outcome) {
    let world = simulation.world();
    let n = scene.bodies.len();
    let mut impulse = vec![Vec3::zeros(); n];
    let mut gross = vec![0.0; n];
    for contact in world.network.iter() {
        let (c, a) = (contact.key.candidate.index(), contact.key.antagonist.index());
        let r = contact.frame.to_world(&contact.r);
        impulse[c] += r;
        impulse[a] -= r;
        gross[c] += r.norm();
        gross[a] += r.norm();
        let smallest = |i: usize| scene.bodies[i].shape.smallest(scene.planar);
        out.overlap = out.overlap.max(-contact.gap / smallest(c).min(smallest(a)));
    }
    out.pull.resize(n, [f64::INFINITY, 0.0]);
    for (pull, r) in out.pull.iter_mut().zip(&impulse) {
        let force = r.norm() / h;
        *pull = [pull[0].min(force), pull[1].max(force)];
    }
    let driven: Vec<bool> = (0..n).map(|i| scene.is_driven(i)).collect();
    out.support.push((0..n).filter(|i| driven[*i]).map(|i| impulse[i]).sum());
    out.taken.push(h);
    let velocity = &world.kinematics.velocity;
    for i in (0..n).filter(|i| !driven[*i]) {
        out.fastest = out.fastest.max(velocity[i].norm());
        let joined = scene.joints.iter().any(|j| j.bodies.0 == i || j.bodies.1 == Some(i));
        let loaded = scene.loads.iter().any(|(g, _)| *g == scene.bodies[i].group);
        if joined || loaded {
            continue;
        }
        let m = scene.bodies[i].mass;
        let residual = (velocity[i] - before[i] - scene.gravity * h) * m - impulse[i];
        let scale = m * (velocity[i].norm() + before[i].norm() + h * scene.gravity.norm()) + gross[i];
        if scale > 0.0 {
            out.momentum = out.momentum.max(residual.norm() / scale);
        }
    }
    out.energy.push(energy(scene, simulation));
    out.carried.push(carried(scene, simulation));
}

/// Momentum of the free bodies (N s).
fn carried(scene: &Scene, simulation: &Simulation) -> Vec3 {
    let velocity = &simulation.world().kinematics.velocity;
    (0..scene.bodies.len()).filter(|i| !scene.is_driven(*i)).map(|i| velocity[i] * scene.bodies[i].mass).sum()
}

/// Kinetic and potential energy of the free bodies (J), from their motion and moments of inertia.
fn energy(scene: &Scene, simulation: &Simulation) -> f64 {
    let k = simulation.world().kinematics;
    let bodies = &simulation.setup().bodies;
    let one = |i: usize| {
        let own = k.orientation[i].inverse() * k.angular_velocity[i];
        let turning = bodies.inertia[i].dot(&own.component_mul(&own));
        let mass = bodies.mass[i];
        0.5 * (mass * k.velocity[i].norm_squared() + turning) - mass * scene.gravity.dot(&k.position[i])
    };
    (0..scene.bodies.len()).filter(|i| !scene.is_driven(*i)).map(one).sum()
}
