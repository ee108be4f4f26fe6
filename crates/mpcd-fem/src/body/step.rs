//! One step, open in the middle for contact: begin → (linearise → contact gives impulses → correct) until it converged → finish.
//! Linear bodies and the explicit scheme need the middle once. Notation of PHYSICS: M̃ V = i_free + H r.

use std::time::Instant;

use mpcd_sparse::{GeneralMatrix, SymmetricMatrix};

use super::balance::ROUNDING as OF_SUMS;
use super::search::search;
use super::{Balance, Body, Scheme};
use crate::error::{FemError, check};
use crate::factor::fault;
use crate::model::{Conditions, Displacements, Internal, Prescribed, Rate, State, Target};

/// A correction of positions below this part of their size is rounding.
const ROUNDING: f64 = 1e-14;
/// Iterations that are quick.
const PATIENCE: usize = 6;
/// Where Newton's method stands after those, how many times its tolerance may be missing: what impulses of contact, ten times as coarse, leave.
const STANDING: f64 = 20.0;

/// A step on its way. Velocities and impulses are of all unknowns, in their order.
#[derive(Clone, Debug)]
pub struct Step {
    pub(super) h: f64,
    pub(super) start: State,
    pub(super) held: Vec<bool>,
    pub(super) velocity: Vec<f64>,
    /// Impulses that the present velocity holds.
    pub(super) impulse: Vec<f64>,
    pub(super) load: Vec<f64>,
    pub(super) internal_start: Internal,
    pub(super) internal: Internal,
    /// M ΔV − h(F − f): the impulses that are missing for balance (N s).
    pub(super) residual: Vec<f64>,
    load_start: Vec<f64>,
    load_end: Vec<f64>,
    begin: Conditions,
    end: Conditions,
    /// Free strain of the nodes at the end.
    pub(super) free_strain: Vec<f64>,
    free: Vec<f64>,
    scale: f64,
    /// Norm of the impulse that the last iteration left missing (N s).
    missing: f64,
    iterations: usize,
    converged: bool,
}

/// Forces at the unknowns of a body, the mean over a step (N).
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct NodalForces {
    /// What holds or drives the unknowns whose motion is prescribed; 0 at free ones.
    pub reaction: Vec<f64>,
    /// Contact impulses over the length of the step.
    pub contact: Vec<f64>,
}

impl NodalForces {
    /// None at this number of unknowns.
    pub fn none(unknowns: usize) -> Self {
        Self { reaction: vec![0.0; unknowns], contact: vec![0.0; unknowns] }
    }
}

impl Step {
    /// Velocity that the body would have without contact impulses: M̃⁻¹ i_free (m/s). Valid after [`Body::linearise`].
    pub fn free_velocity(&self) -> &[f64] {
        &self.free
    }

    /// Free strain of the nodes half way.
    pub(super) fn middle_strain(&self) -> Vec<f64> {
        self.start.free_strain.iter().zip(&self.free_strain).map(|(a, b)| 0.5 * (a + b)).collect()
    }

    /// Of each unknown, whether its motion is prescribed.
    pub fn held(&self) -> &[bool] {
        &self.held
    }

    /// Whether the motion of an unknown is prescribed.
    pub fn is_held(&self, unknown: usize) -> bool {
        self.held[unknown]
    }

    /// The present velocity at the end of the step (m/s).
    pub fn velocity(&self) -> &[f64] {
        &self.velocity
    }

    /// Newton iterations so far.
    pub fn iterations(&self) -> usize {
        self.iterations
    }
}

impl Body {
    /// Starts a step of length `h` (s) from a state; loads go from `start` to `end`, motions are those prescribed at the end.
    ///
    /// # Errors
    /// [`FemError::Value`], [`FemError::Length`], [`FemError::Unstable`], [`FemError::Element`].
    pub fn begin(&self, state: &State, h: f64, start: &Conditions, end: &Conditions) -> Result<Step, FemError> {
        check("step", h, h > 0.0, "a finite number above zero (s)")?;
        let n = self.model.unknowns();
        self.model.check_length("displacement", state.displacement.len())?;
        self.model.check_length("velocity", state.velocity.len())?;
        if state.history.len() != self.model.history_len() {
            return Err(FemError::Length { what: "history", expected: self.model.history_len(), found: state.history.len() });
        }
        if let Some((stable, element)) = self.stable.filter(|(stable, _)| h > *stable) {
            let (file, element) = (self.model.mesh().name().to_owned(), self.model.mesh().element_label(element));
            return Err(FemError::Unstable { file, step: h, stable, element });
        }
        let (free_start, free_strain) = end.free_strain(state)?;
        if !free_strain.is_empty() && matches!(self.scheme, Scheme::Conserving { .. }) {
            return Err(FemError::Unsupported {
                what: "the energy-conserving scheme was asked for a body with a free strain, whose work is not that of a mean stress",
                cure: "take the θ-scheme",
            });
        }
        let state = &State { free_strain: free_start, ..state.clone() };
        let theta = self.scheme.theta();
        let motions = end.held(n);
        let mut velocity = state.velocity.clone();
        for (k, motion) in motions.iter().enumerate() {
            match motion {
                Some(Prescribed::Velocity(v)) => velocity[k] = *v,
                Some(Prescribed::Displacement(d)) => {
                    velocity[k] = ((d - state.displacement[k]) / h - (1.0 - theta) * state.velocity[k]) / theta;
                }
                None => {}
            }
        }
        let rate = self.model.is_viscous().then_some(if self.weighs_the_end() {
            Rate::Begun(state.velocity.as_slice())
        } else {
            Rate::Velocity(state.velocity.as_slice(), 0.0)
        });
        let at = Displacements::End { u: &state.displacement, rate, free: &state.free_strain };
        let internal_start = self.model.internal(at, &state.history, None)?;
        Ok(Step {
            h,
            start: state.clone(),
            held: motions.iter().map(Option::is_some).collect(),
            free: velocity.clone(),
            velocity,
            impulse: vec![0.0; n],
            load: vec![0.0; n],
            internal: internal_start.clone(),
            internal_start,
            residual: vec![0.0; n],
            load_start: self.model.load(start, &state.displacement)?,
            load_end: self.model.load(end, &state.displacement)?,
            begin: start.clone(),
            end: end.clone(),
            free_strain,
            scale: 0.0,
            missing: f64::INFINITY,
            iterations: 0,
            converged: false,
        })
    }

    /// Linearises at the present velocity: factorises M̃ (kept for linear bodies) and finds the free velocity.
    ///
    /// # Errors
    /// [`FemError::Element`], [`FemError::Free`], [`FemError::Solve`].
    pub fn linearise(&mut self, step: &mut Step) -> Result<(), FemError> {
        let (started, before) = (Instant::now(), self.times);
        let constant = self.model.is_linear() || self.scheme == Scheme::Explicit;
        let known = constant && self.kept.as_ref().is_some_and(|(h, held)| *h == step.h && *held == step.held);
        if known {
            self.evaluate(step, None)?;
        } else {
            // what fails leaves no factor behind
            self.kept = None;
            self.factorise(step).map_err(|fault| self.with_inertia(fault, step.h))?;
            self.factorisations += 1;
            self.kept = constant.then(|| (step.h, step.held.clone()));
        }
        self.count_assembly(started, before);
        let started = Instant::now();
        let mut change = step.residual.clone();
        if !self.goes_whole {
            self.factor.solve(&self.model, &mut change)?;
            self.times.solved += started.elapsed();
            step.free = step.velocity.iter().zip(&change).map(|(v, c)| v - c).collect();
            return Ok(());
        }
        // Newton's way by the whole tangent with the impulses as they are; of their change the symmetric part alone is known to contact, which ends
        // where they no longer change
        change.iter_mut().zip(&step.impulse).for_each(|(c, r)| *c -= r);
        self.whole.solve(&self.model, &mut change)?;
        let mut given = step.impulse.clone();
        self.factor.solve(&self.model, &mut given)?;
        self.times.solved += started.elapsed();
        step.free = (0..change.len()).map(|k| step.velocity[k] - change[k] - given[k]).collect();
        Ok(())
    }

    /// A linear body with inertia that has no factorisation has lost its inertia to rounding.
    fn with_inertia(&self, fault: FemError, step: f64) -> FemError {
        match fault {
            FemError::Free { file, node, axis, .. } if self.model.is_linear() && self.scheme != Scheme::Static => {
                FemError::Weightless { file, node, axis, step }
            }
            other => other,
        }
    }

    /// Takes the contact impulses (N s, of all unknowns) that were found for the linearised body; the velocity becomes
    /// free + M̃⁻¹ r, or, where that is too far for a large motion, part of the way. Says whether the step has converged.
    ///
    /// # Errors
    /// [`FemError::Length`], [`FemError::Convergence`] after too many iterations, [`FemError::Element`].
    pub fn correct(&mut self, step: &mut Step, impulse: &[f64]) -> Result<bool, FemError> {
        let (started, before) = (Instant::now(), self.times);
        let target = self.respond(impulse)?;
        self.times.solved += started.elapsed();
        let converged = self.take_change(step, impulse, target)?;
        self.count_assembly(started, before);
        Ok(converged)
    }

    /// Moves by the change of velocity that impulses make.
    fn take_change(&self, step: &mut Step, impulse: &[f64], mut target: Vec<f64>) -> Result<bool, FemError> {
        target.iter_mut().zip(&step.free).for_each(|(v, free)| *v += free);
        step.impulse.copy_from_slice(impulse);
        step.iterations += 1;
        if self.model.is_linear() || self.scheme == Scheme::Explicit {
            step.velocity = target;
            step.converged = true;
            return Ok(true);
        }
        let from = step.velocity.clone();
        let way: Vec<f64> = target.iter().zip(&from).map(|(a, b)| a - b).collect();
        let slope = |step: &Step| (0..way.len()).map(|k| way[k] * (step.residual[k] - step.impulse[k])).sum::<f64>();
        let at_start = slope(step);
        let rounding = self.is_rounding(step, &way);
        // Impulses of contacts are found to their own tolerance, and move what is missing by what contact does not know of the tangent.
        let (before, patient) = (step.missing, step.iterations >= PATIENCE);
        let tolerance = self.newton.tolerance;
        let floor = self.rounding_of_forces(step);
        let suffices = |missing: f64, scale: f64| {
            missing <= floor.max(tolerance * scale)
                || (patient && missing > 0.5 * before && missing <= STANDING * tolerance * scale)
        };
        let part = search(at_start, |part| {
            (0..way.len()).for_each(|k| step.velocity[k] = from[k] + part * way[k]);
            self.evaluate(step, None)?;
            let done = rounding || suffices(self.missing(step), step.scale);
            Ok(if done { 0.0 } else { slope(step) })
        })?;
        step.missing = self.missing(step);
        step.converged = part == 1.0 && (rounding || suffices(step.missing, step.scale));
        if !step.converged && step.iterations >= self.newton.iterations {
            return Err(FemError::Convergence {
                file: self.model.mesh().name().to_owned(),
                time: step.start.time + step.h,
                iterations: step.iterations,
                residual: step.missing / step.scale,
                halved: String::new(),
            });
        }
        Ok(step.converged)
    }

    /// Ends a step: the new state and the energies of the step. Accept or drop them together.
    ///
    /// # Errors
    /// [`FemError::Element`].
    pub fn finish(&self, step: Step) -> Result<(State, Balance), FemError> {
        self.finish_with_forces(step).map(|(state, balance, _)| (state, balance))
    }

    /// [`Self::finish`], with the forces at the unknowns.
    ///
    /// # Errors
    /// [`FemError::Element`].
    pub fn finish_with_forces(&self, mut step: Step) -> Result<(State, Balance, NodalForces), FemError> {
        self.evaluate(&mut step, None)?;
        let displacement = self.displacement(&step);
        let balance = self.balance(&step, &displacement)?;
        let time = step.start.time + step.h;
        let missing = |k: usize| if step.held[k] { step.residual[k] - step.impulse[k] } else { 0.0 };
        let forces = NodalForces {
            reaction: (0..step.held.len()).map(|k| missing(k) / step.h).collect(),
            contact: step.impulse.iter().map(|r| r / step.h).collect(),
        };
        let state =
            State { time, displacement, velocity: step.velocity, history: step.internal.history, free_strain: step.free_strain };
        Ok((state, balance, forces))
    }

    /// Change of velocity by impulses on all unknowns: M̃⁻¹ r with the present factorisation, 0 at held unknowns.
    ///
    /// # Errors
    /// [`FemError::Length`], [`FemError::Solve`] before the first [`Body::linearise`].
    pub fn respond(&mut self, impulse: &[f64]) -> Result<Vec<f64>, FemError> {
        self.model.check_length("impulse", impulse.len())?;
        let mut change = impulse.to_vec();
        self.factor.solve(&self.model, &mut change)?;
        Ok(change)
    }

    /// u⁻ + h(θ v + (1 − θ) v⁻).
    pub(super) fn displacement(&self, step: &Step) -> Vec<f64> {
        let theta = self.scheme.theta();
        let mean = |k: usize| theta * step.velocity[k] + (1.0 - theta) * step.start.velocity[k];
        (0..step.velocity.len()).map(|k| step.start.displacement[k] + step.h * mean(k)).collect()
    }

    /// Whether forces at the end of a step weigh more than those at its start.
    fn weighs_the_end(&self) -> bool {
        matches!(self.scheme, Scheme::Theta { .. } | Scheme::Static) && self.scheme.theta() > 0.5
    }

    /// Internal force of the whole step, load and residual at the present velocity.
    fn evaluate(&self, step: &mut Step, target: Option<Target<'_>>) -> Result<(), FemError> {
        let (h, theta) = (step.h, self.scheme.theta());
        let u = self.displacement(step);
        let viscous = self.model.is_viscous();
        let (middle, middle_strain): (Vec<f64>, Vec<f64>);
        let at = match self.scheme {
            Scheme::Theta { .. } | Scheme::Static => Displacements::End {
                u: &u,
                rate: viscous.then_some(if self.weighs_the_end() {
                    Rate::Step { old: &step.start.displacement, velocity: &step.velocity, h, theta }
                } else {
                    Rate::Velocity(&step.velocity, 1.0 / (h * theta))
                }),
                free: &step.free_strain,
            },
            Scheme::Conserving { .. } => Displacements::Mean { old: &step.start.displacement, new: &u, h },
            Scheme::Explicit => {
                middle_strain = step.middle_strain();
                middle = step.start.displacement.iter().zip(&step.start.velocity).map(|(u, v)| u + 0.5 * h * v).collect();
                Displacements::End {
                    u: &middle,
                    rate: viscous.then_some(Rate::Velocity(step.start.velocity.as_slice(), 0.0)),
                    free: &middle_strain,
                }
            }
        };
        step.internal = self.model.internal(at, &step.start.history, target)?;
        if self.meets_half_way(step) {
            let middle = self.half_way(step, &u);
            step.load_start = self.model.load(&step.begin, &middle)?;
            step.load_end = self.model.load(&step.end, &middle)?;
        } else if step.end.follows(&self.model) && self.scheme != Scheme::Explicit {
            step.load_end = self.model.load(&step.end, &u)?;
        }
        let weighted = matches!(self.scheme, Scheme::Theta { .. } | Scheme::Static);
        let mean = |a: f64, b: f64| theta * a + (1.0 - theta) * b;
        let change: Vec<f64> = step.velocity.iter().zip(&step.start.velocity).map(|(a, b)| a - b).collect();
        let mean_velocity: Vec<f64> = step.velocity.iter().zip(&step.start.velocity).map(|(a, b)| mean(*a, *b)).collect();
        let inertia = self.inertia_of(&change)?;
        let damping = self.times_damping(&mean_velocity)?;
        let mut squares = [0.0; 3];
        for k in 0..inertia.len() {
            let force = step.internal.force[k];
            let internal = h * if weighted { mean(force, step.internal_start.force[k]) } else { force };
            step.load[k] = mean(step.load_end[k], step.load_start[k]);
            let damped = damping.as_ref().map_or(0.0, |d| h * d[k]);
            step.residual[k] = inertia[k] + damped + internal - h * step.load[k];
            for (sum, part) in squares.iter_mut().zip([inertia[k], internal, h * step.load[k]]) {
                *sum += part * part;
            }
        }
        step.scale = squares.into_iter().fold(0.0, f64::max).sqrt();
        Ok(())
    }

    /// Whether pressures follow their faces as these are half way: a closed one then has no moment about what moves, as the conserving scheme keeps it. The mean of both ends has one
    /// in space, where normals are quadratic in the places.
    fn meets_half_way(&self, step: &Step) -> bool {
        let follows = step.begin.follows(&self.model) || step.end.follows(&self.model);
        follows && matches!(self.scheme, Scheme::Conserving { .. })
    }

    fn half_way(&self, step: &Step, end: &[f64]) -> Vec<f64> {
        step.start.displacement.iter().zip(end).map(|(a, b)| 0.5 * (a + b)).collect()
    }

    /// What K counts in M̃ (s²): the force of the mean of the conserving scheme is differentiated by the end, whose displacement moves by h/2 per
    /// velocity.
    fn part(&self, h: f64) -> f64 {
        match self.scheme {
            Scheme::Conserving { .. } => 0.5 * h * h,
            scheme => h * h * scheme.theta() * scheme.theta(),
        }
    }

    /// M̃ = M + hθ αM + h²θ² K, its factorisation, and the residual; that of statics is without M. Pressures that follow their faces make the whole
    /// tangent, which is not symmetric.
    fn factorise(&mut self, step: &mut Step) -> Result<(), FemError> {
        let model = self.model.clone();
        let wrap = |source| fault(&model, source);
        let (h, theta) = (step.h, self.scheme.theta());
        let mut matrix = SymmetricMatrix::zeros(model.pattern().symmetric());
        if self.scheme != Scheme::Static {
            matrix.add_scaled(1.0, &self.mass).map_err(wrap)?;
        }
        if let Some(damping) = &self.damping {
            matrix.add_scaled(h * theta, damping).map_err(wrap)?;
        }
        let follows = self.scheme != Scheme::Explicit && step.end.follows(&model);
        let conserving = matches!(self.scheme, Scheme::Conserving { .. }) && !model.is_linear();
        self.goes_whole = false;
        if self.scheme == Scheme::Explicit {
            self.evaluate(step, None)?;
            return self.with_factor(|factor| {
                factor.diagonal(&matrix, &step.held);
                Ok(())
            });
        }
        // The skew part of the conserving scheme is small in short steps: it is asked for where Newton's method is slow without.
        if follows || (conserving && (!self.symmetric || step.iterations >= PATIENCE)) {
            let mut general = GeneralMatrix::zeros(model.pattern().general().map_err(wrap)?);
            general.add_symmetric(1.0, &matrix).map_err(wrap)?;
            self.evaluate(step, Some(Target::General(&mut general, self.part(h))))?;
            let (part, u) = (h * h * theta * theta, self.displacement(step));
            if self.meets_half_way(step) {
                let middle = self.half_way(step, &u);
                for conditions in [&step.begin, &step.end] {
                    model.add_load_stiffness(conditions, &middle, &mut Target::General(&mut general, -0.5 * part));
                }
            } else {
                model.add_load_stiffness(&step.end, &u, &mut Target::General(&mut general, -part));
            }
            if !self.symmetric {
                return self.with_factor(|factor| factor.general(&model, general, &step.held));
            }
            let started = Instant::now();
            self.whole.general(&model, general, &step.held)?;
            self.times.factorised += started.elapsed();
            self.goes_whole = true;
        }
        let inertia: Vec<f64> = (0..matrix.size()).map(|k| matrix.diagonal(k)).collect();
        let started_from = (!model.is_linear() && self.scheme != Scheme::Static).then(|| matrix.clone());
        let target = if conserving {
            Target::SymmetricPart(&mut matrix, self.part(h))
        } else {
            Target::Symmetric(&mut matrix, self.part(h))
        };
        self.evaluate(step, Some(target))?;
        self.stiffness =
            (0..matrix.size()).map(|k| (matrix.diagonal(k) - inertia[k]).max(0.0) / (h * h * theta * theta)).collect();
        let Some(mut indefinite) = started_from else {
            return self.with_factor(|factor| match model.is_linear() {
                true => factor.symmetric(&model, matrix, &step.held),
                false => factor.indefinite(&model, matrix, &step.held),
            });
        };
        // What presses a body that only contacts hold would turn it over in a long step; contacts hold it, and their impulses want a body that gives way.
        match self.with_factor(|factor| factor.symmetric(&model, matrix, &step.held)) {
            Err(FemError::Free { .. }) => {}
            other => return other,
        }
        let mut definite = indefinite.clone();
        self.evaluate(step, Some(Target::Definite(&mut definite, self.part(h))))?;
        match self.with_factor(|factor| factor.symmetric(&model, definite, &step.held)) {
            Err(FemError::Free { .. }) => {
                let target = if conserving {
                    Target::SymmetricPart(&mut indefinite, self.part(h))
                } else {
                    Target::Symmetric(&mut indefinite, self.part(h))
                };
                self.evaluate(step, Some(target))?;
                self.with_factor(|factor| factor.indefinite(&model, indefinite, &step.held))
            }
            other => other,
        }
    }

    /// Norm of the impulse that is missing at unknowns that are free.
    fn missing(&self, step: &Step) -> f64 {
        let free = (0..step.held.len()).filter(|&k| !step.held[k]);
        free.map(|k| (step.residual[k] - step.impulse[k]).powi(2)).sum::<f64>().sqrt()
    }

    /// Norm of the impulse (N s) that rounding leaves missing at unknowns that are free, whatever the velocity: the strain of a body that has moved far is the
    /// small difference of large displacements. Each of those is a number of 53 bits and enters sums over the nodes of an element, which leaves ε K_kk |u_k|,
    /// a few times, in the force of an unknown.
    fn rounding_of_forces(&self, step: &Step) -> f64 {
        let end = self.displacement(step);
        let of = |k: usize, stiffness: f64| OF_SUMS * stiffness * end[k].abs().max(step.start.displacement[k].abs());
        let free = self.stiffness.iter().enumerate().filter(|(k, _)| !step.held[*k]);
        step.h * free.map(|(k, stiffness)| of(k, *stiffness).powi(2)).sum::<f64>().sqrt()
    }

    /// Whether a change of velocity moves nothing beyond rounding.
    fn is_rounding(&self, step: &Step, change: &[f64]) -> bool {
        let (low, high) = self.model.mesh().bounds();
        let size = low.amax().max(high.amax()) + step.start.displacement.iter().fold(0.0_f64, |m, u| m.max(u.abs()));
        let moved = change.iter().fold(0.0_f64, |m, c| m.max(c.abs())) * step.h * self.scheme.theta();
        moved <= ROUNDING * size
    }
}
