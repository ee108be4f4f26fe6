//! One step: every module once, the coupling cycle until its fields agree, then accept or reject as the model says.
//! A step that is rejected leaves nothing behind: states and fields are accepted together, at the end.

use std::time::Instant;

use mpcd_core::{
    ContactKey, ContactStatus, FieldStore, Kinematics, Outputs, SolveError, SolveReport, Status, Step, World, module::Which,
};

use crate::{
    coupling,
    error::{Missed, RunError},
    model::OnFailure,
    pace::Around,
    simulation::{Simulation, Slot, beside},
};

/// An accepted step.
#[derive(Debug, Clone)]
pub struct StepOutcome {
    /// Its number, from 1.
    pub step: u64,
    /// Time at its end (s).
    pub time: f64,
    /// Its length (s).
    pub h: f64,
    /// Its number where the model says `every`: that of the whole step that it ends, or of steps as they are taken where the model adapts them.
    /// None within a whole step that was halved because it failed.
    pub counted: Option<u64>,
    /// Contacts of the network.
    pub contacts: usize,
    /// Iterations of the module that owns the contacts (or of the first module), over all repetitions.
    pub iterations: u64,
    /// Residual of that module.
    pub residual: f64,
    /// How the step ended: the first module that missed its tolerance tells.
    pub status: Status,
    /// Repetitions of the coupling cycle and their last relative change, if there is one.
    pub coupling: Option<(u32, f64)>,
    /// Deepest penetration over the smallest radius.
    pub penetration_max: f64,
    /// Mean penetration, over the smallest radius, of the contacts that push or penetrate.
    pub penetration_mean: f64,
    /// Attempts rejected before this one.
    pub rejected: u32,
    /// Who missed a tolerance, if the model allows to go on.
    pub missed: Option<Missed>,
    /// Named numbers of the modules, in the order they run.
    pub numbers: Vec<(&'static str, Vec<(&'static str, f64)>)>,
}

/// A step that was computed and not accepted yet.
struct Attempt {
    reports: Vec<SolveReport>,
    iterations: Vec<u64>,
    coupling: Option<Coupling>,
    /// What the coupling has to say.
    words: Option<String>,
}

impl Attempt {
    /// Why a module wants a shorter step.
    fn too_long(&self) -> Option<&str> {
        self.reports.iter().find_map(|report| report.too_long.as_deref())
    }
}

#[derive(Clone, Copy)]
struct Coupling {
    iterations: u32,
    residual: f64,
    tolerance: f64,
}

impl Coupling {
    fn converged(&self) -> bool {
        self.residual <= self.tolerance
    }
}

/// Why an attempt gave nothing that could be accepted.
pub(crate) enum Broken {
    Solve(SolveError),
    NotFinite { module: String, what: String, motion: bool },
}

/// A step that is to solve all equations together, of modules that solve their own more loosely.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct TooLoose(String);

impl Simulation {
    /// Does the next step and accepts it.
    ///
    /// # Errors
    /// A step that missed a tolerance or could not be computed, as the model's `on_failure` says. The simulation then stands
    /// where it stood before.
    pub fn step(&mut self) -> Result<StepOutcome, RunError> {
        let mut rejected = 0;
        let stood = self.clock.position;
        loop {
            self.shorten_to_longest().inspect_err(|_| self.clock.position = stood)?;
            let attempt = self.attempt();
            let missed = attempt.as_ref().ok().and_then(|a| self.missed(a));
            let policy = self.model.time.on_failure;
            match attempt {
                Ok(attempt) if missed.is_none() && attempt.too_long().is_some() && self.clock.halve() => {
                    let (step, time, ..) = self.standing();
                    self.counters.halve(|| format!("step {step} (t = {time} s): {}", attempt.too_long().unwrap_or_default()));
                }
                Ok(attempt) if missed.is_none() || policy == OnFailure::Continue => {
                    let judged = self.judged();
                    if judged.accepted() {
                        let outcome = self.accept(attempt, missed, rejected, judged.grows());
                        self.log(&outcome);
                        return Ok(outcome);
                    }
                    if !self.clock.refine() {
                        let (step, time, h, halved) = self.standing();
                        self.clock.position = stood;
                        return Err(RunError::TooCoarse {
                            step,
                            time,
                            h,
                            halved,
                            field: judged.field,
                            change: judged.change,
                            ratio: judged.ratio,
                        });
                    }
                }
                attempt => {
                    let error = self.failure(attempt.err(), missed);
                    if error.is_at_any_step() || !self.clock.halve() {
                        self.clock.position = stood;
                        return Err(error);
                    }
                    self.counters.halve(|| error.fault());
                }
            }
            tracing::info!(step = self.steps() + 1, h = self.clock.h(), "step rejected, done again with half its length");
            rejected += 1;
            self.counters.rejected += 1;
        }
    }

    /// Halves the next step until no module asks for a shorter one, where the model adapts its steps.
    fn shorten_to_longest(&mut self) -> Result<(), RunError> {
        let asked = if self.model.time.adapt.is_some() { self.longest_step() } else { None };
        let Some((module, longest)) = asked else { return Ok(()) };
        while self.clock.h() > longest * (1.0 + 1e-12) {
            if !self.clock.refine() {
                let (step, time, h, halved) = self.standing();
                return Err(RunError::TooLong { step, time, h, halved, module, longest });
            }
        }
        Ok(())
    }

    /// Number of the next step, its start (s), its length (s), and how often it is halved.
    fn standing(&self) -> (u64, f64, f64, u8) {
        (self.steps() + 1, self.time(), self.clock.h(), self.clock.position.level)
    }

    /// Computes the next step and throws it away; nothing may change by it. For tests.
    pub fn rehearse(&mut self) {
        let _ = self.attempt();
    }

    fn failure(&self, broken: Option<Broken>, missed: Option<Missed>) -> RunError {
        let (step, time, h, halved) = self.standing();
        match (broken, missed) {
            (Some(Broken::Solve(source)), _) => RunError::Solve { step, time, halved, source },
            (Some(Broken::NotFinite { module, what, motion }), _) => {
                RunError::NotFinite { step, time, halved, module, what, motion }
            }
            (None, missed) => {
                let missed = missed.unwrap_or_else(|| Missed {
                    who: String::new(),
                    status: Status::Converged,
                    residual: 0.0,
                    tolerance: 0.0,
                    iterations: 0,
                    worst: String::new(),
                    search: None,
                });
                RunError::NotConverged { step, time, h, halved, missed: Box::new(missed) }
            }
        }
    }

    fn attempt(&mut self) -> Result<Attempt, Broken> {
        let mut step = Step {
            index: self.steps(),
            time: self.time(),
            h: self.clock.h(),
            theta: self.model.time.theta.si(),
            whole: self.clock.counts(),
            iteration: 0,
        };
        copy_fields(&mut self.work.trial, &self.fields);
        if std::mem::replace(&mut self.work.is_under_way, true) {
            self.refresh();
        }
        let mut attempt = Attempt { reports: Vec::new(), iterations: vec![0; self.slots.len()], coupling: None, words: None };
        attempt.reports.resize(self.slots.len(), SolveReport::direct());
        let places = self.cycle.as_ref().map_or(0..0, |(c, _)| c.places.clone());
        for place in 0..places.start {
            self.run(place, &step, &mut attempt)?;
        }
        self.repeat(&mut step, &mut attempt)?;
        for place in places.end..self.slots.len() {
            self.run(place, &step, &mut attempt)?;
        }
        Ok(attempt)
    }

    /// Repeats the coupling cycle until the exchanged fields agree.
    fn repeat(&mut self, step: &mut Step, attempt: &mut Attempt) -> Result<(), Broken> {
        let Some((cycle, mut relaxer)) = self.cycle.take() else { return Ok(()) };
        copy_fields(&mut self.work.cycle_start, &self.work.trial);
        self.work.cycle_keys.clone_from(&self.work.keys);
        let mut started = self.work.keys.clone();
        relaxer.begin(&self.work.trial);
        let mut result = Ok(());
        for k in 1..=cycle.max_iterations {
            step.iteration = k as usize - 1;
            result = cycle.places.clone().try_for_each(|place| self.run(place, step, attempt));
            if result.is_err() {
                break;
            }
            let work = &mut self.work;
            // fields of contacts are exchanged on those that the step began with and those that it makes
            let all = if relaxer.is_on_contacts() { merged(&work.cycle_keys, &work.keys) } else { work.cycle_keys.clone() };
            let slots = &self.slots[cycle.places.clone()];
            let solved_to = |field: &str| {
                let writer = slots.iter().position(|s| coupling::written(&s.ports).any(|w| w.name == field));
                writer.map_or(0.0, |k| attempt.reports[cycle.places.start + k].tolerance)
            };
            let residual = relaxer.compare(&work.trial, (&work.keys, &started), &all, solved_to);
            let tolerance = cycle.accepted_change(attempt.reports[cycle.places.clone()].iter().map(|r| r.tolerance));
            let coupling = Coupling { iterations: k, residual, tolerance };
            attempt.coupling = Some(coupling);
            if k == 1 {
                let solves = cycle.places.clone().map(|p| (self.slots[p].module.name(), attempt.reports[p].tolerance));
                attempt.words = cycle.too_fine(solves);
                if let Some(words) = attempt.words.take_if(|_| cycle.strict) {
                    let module = self.slots[cycle.places.start].module.name();
                    result = Err(Broken::Solve(SolveError::at_any_step(module, TooLoose(words))));
                    break;
                }
            }
            if coupling.converged() || k == cycle.max_iterations {
                break;
            }
            relaxer.relax();
            let work = &mut self.work;
            copy_fields(&mut work.trial, &work.cycle_start);
            work.trial.follow(&work.cycle_keys, &all);
            work.keys.clone_from(&all);
            work.contacts = all.len();
            started = all;
            relaxer.give(&mut self.work.trial);
        }
        step.iteration = 0;
        self.cycle = Some((cycle, relaxer));
        result
    }

    /// Runs one module and takes over its fields.
    fn run(&mut self, place: usize, step: &Step, attempt: &mut Attempt) -> Result<(), Broken> {
        let started = Instant::now();
        let sizes = self.sizes(self.work.contacts);
        let Some((slot, owner)) = beside(&mut self.slots, self.owner, place) else { return Ok(()) };
        let still = World { kinematics: &self.setup.initial, network: &self.work.none };
        // What an owner of the bodies at a pace of its own is shown is not the state that it holds.
        let own = owner.is_none().then(|| slot.own_world()).flatten();
        let own = own.as_ref().map(|(kinematics, network)| World { kinematics, network });
        let before = owner.and_then(|o| o.module.world(Which::Accepted)).or(own).unwrap_or(still);
        // A module before the owner of the bodies sees them as they were; so does the owner itself.
        let moved = owner.filter(|_| self.owner < Some(place)).and_then(|o| o.module.world(Which::Trial));
        let world = moved.unwrap_or(before);
        let counts = self.clock.counts();
        let around = Around { setup: &self.setup, world, before, sizes, keys: &self.work.keys, counts };
        let Some(report) = slot.advance(step, &around, &mut self.work.trial)? else { return Ok(()) };
        slot.wall += started.elapsed();
        for (phase, time) in &report.phases {
            *slot.phases.entry(*phase).or_default() += *time;
        }
        attempt.iterations[place] += report.iterations;
        attempt.reports[place] = report;
        if self.owner == Some(place) {
            self.follow().map_err(not_finite_motion(&self.slots[place]))?;
        }
        Ok(())
    }

    /// After the owner of the bodies ran: contact fields go with their contacts, and the motion must be finite.
    fn follow(&mut self) -> Result<(), String> {
        let Some(owner) = self.owner.map(|o| &self.slots[o]) else { return Ok(()) };
        let Some(world) = owner.module.world(Which::Trial) else { return Ok(()) };
        let settled: Vec<&'static str> = coupling::written(&owner.ports).map(|f| f.name).collect();
        let work = &mut self.work;
        work.contacts = world.network.len();
        if work.names {
            work.new_keys.clear();
            work.new_keys.extend(world.network.iter().map(|c| c.key));
            work.trial.follow_except(&settled, &work.keys, &work.new_keys);
            std::mem::swap(&mut work.keys, &mut work.new_keys);
        }
        match not_finite(world.kinematics) {
            None => Ok(()),
            Some((body, what)) => Err(format!("the {what} of {}", self.setup.body_label(body))),
        }
    }

    /// The first that missed its tolerance.
    fn missed(&self, attempt: &Attempt) -> Option<Missed> {
        let module =
            attempt.reports.iter().zip(&self.slots).zip(&attempt.iterations).find(|((r, _), _)| r.status != Status::Converged);
        if let Some(((report, slot), iterations)) = module {
            return Some(Missed {
                who: format!("`{}`", slot.module.name()),
                status: report.status,
                residual: report.residual,
                tolerance: report.tolerance,
                iterations: *iterations,
                worst: report.worst.clone(),
                search: report.search,
            });
        }
        let coupling = attempt.coupling.filter(|c| !c.converged())?;
        let (cycle, relaxer) = self.cycle.as_ref()?;
        let names: Vec<_> = self.slots[cycle.places.clone()].iter().map(|s| s.module.name()).collect();
        Some(Missed {
            who: format!("the coupling of {}", names.join(", ")),
            status: Status::MaxIterations,
            residual: coupling.residual,
            tolerance: coupling.tolerance,
            iterations: coupling.iterations.into(),
            worst: format!(
                "the exchanged fields still change: {}; a shorter step or another `relaxation` may help",
                relaxer.names().join(", ")
            ),
            search: None,
        })
    }

    fn accept(&mut self, attempt: Attempt, missed: Option<Missed>, rejected: u32, grow: bool) -> StepOutcome {
        let h = self.clock.h();
        self.slots.iter_mut().for_each(Slot::accept);
        std::mem::swap(&mut self.fields, &mut self.work.trial);
        // The names of the contacts are those of the step.
        self.work.is_under_way = false;
        let counts = self.clock.counts();
        self.clock.advance(grow);
        self.last_h = h;
        let step = self.steps();
        self.books.add(attempt.reports.iter().flat_map(|r| &r.balances), step);
        let judged = self.owner.unwrap_or(0);
        let (max, mean) = self.penetration();
        let status = missed.as_ref().map_or(Status::Converged, |m| m.status);
        let numbers = self.slots.iter().zip(&attempt.reports).map(|(s, r)| (s.module.name(), r.numbers.clone())).collect();
        let counters = &mut self.counters;
        counters.failed_steps += u64::from(missed.is_some());
        counters.coupling_iterations += attempt.coupling.map_or(0, |c| u64::from(c.iterations));
        counters.penetration_max = counters.penetration_max.max(max);
        for (slot, report) in self.slots.iter().zip(&attempt.reports) {
            for (k, stage) in report.stages.iter().enumerate() {
                let work = counters.solved_by.entry(format!("{}: {}", slot.module.name(), stage.solver)).or_default();
                // a method that ran several times in a step ran in one step
                work.steps += u64::from(report.stages[..k].iter().all(|before| before.solver != stage.solver));
                work.iterations += stage.iterations;
            }
        }
        if let (Some(coupling), Some((_, relaxer))) = (attempt.coupling, &self.cycle) {
            let work = counters.solved_by.entry(format!("coupling: {}", relaxer.method())).or_default();
            work.steps += 1;
            work.iterations += u64::from(coupling.iterations);
        }
        if let Some(warning) = attempt.words {
            counters.warn(step, &warning);
        }
        for report in &attempt.reports {
            let ratio = if report.tolerance > 0.0 { report.residual / report.tolerance } else { 0.0 };
            if ratio > counters.worst_ratio {
                (counters.worst_ratio, counters.worst_residual) = (ratio, report.residual);
            }
            report.warnings.iter().for_each(|warning| counters.warn(step, warning));
            for seen in &report.watched {
                match counters.watched.iter_mut().find(|(what, ..)| what == seen.what) {
                    Some((.., count)) => *count += 1,
                    None => {
                        tracing::warn!(step, "{}", seen.words);
                        counters.watched.push((seen.what.to_owned(), seen.words.clone(), 1));
                    }
                }
            }
        }
        StepOutcome {
            step,
            time: self.time(),
            h,
            counted: counts.then(|| self.clock.counted()),
            contacts: self.work.contacts,
            iterations: attempt.iterations.get(judged).copied().unwrap_or_default(),
            residual: attempt.reports.get(judged).map_or(0.0, |r| r.residual),
            status,
            coupling: attempt.coupling.map(|c| (c.iterations, c.residual)),
            penetration_max: max,
            penetration_mean: mean,
            rejected,
            missed,
            numbers,
        }
    }

    /// Deepest and mean penetration over the smallest radius.
    fn penetration(&self) -> (f64, f64) {
        let (mut max, mut sum, mut count) = (0.0_f64, 0.0, 0.0);
        for contact in self.world().network.iter().filter(|c| c.gap < 0.0 || c.status != ContactStatus::Open) {
            let depth = (-contact.gap).max(0.0) / self.smallest_radius;
            max = max.max(depth);
            sum += depth;
            count += 1.0;
        }
        (max, if count > 0.0 { sum / count } else { 0.0 })
    }

    fn log(&self, outcome: &StepOutcome) {
        let StepOutcome { step, time, contacts, iterations, residual, .. } = outcome;
        tracing::debug!(step, time, contacts, iterations, residual, "step accepted");
        if let Some(missed) = &outcome.missed {
            tracing::warn!(step, "accepted although a tolerance was missed: {missed}");
        }
    }
}

fn not_finite_motion(slot: &Slot) -> impl Fn(String) -> Broken {
    let module = slot.module.name().to_owned();
    move |what| Broken::NotFinite { module: module.clone(), what, motion: true }
}

/// The first body with a value that is not finite.
fn not_finite(k: &Kinematics) -> Option<(mpcd_core::BodyId, &'static str)> {
    let vectors = [("position", &k.position), ("velocity", &k.velocity), ("angular velocity", &k.angular_velocity)];
    let bad = |v: &mpcd_core::Vec3| !v.iter().all(|c| c.is_finite());
    let in_vectors =
        vectors.iter().filter_map(|(what, column)| Some((column.iter().position(bad)?, *what))).min_by_key(|(i, _)| *i);
    let turned = || k.orientation.iter().position(|q| !q.coords.iter().all(|c| c.is_finite())).map(|i| (i, "orientation"));
    let sized = || k.size.iter().position(|s| !s.is_finite()).map(|i| (i, "size"));
    in_vectors.or_else(turned).or_else(sized).map(|(i, what)| (mpcd_core::BodyId::from_index(i), what))
}

/// Moves the fields that a module wrote into the store.
///
/// # Errors
/// The first field with a number that is not finite, and where.
pub(crate) fn take_over(outputs: &mut Outputs, store: &mut FieldStore) -> Result<(), String> {
    for field in outputs.iter_mut() {
        if let Some(at) = field.data.iter().position(|v| !v.is_finite()) {
            let row = at / field.spec.components;
            return Err(format!("the field `{}` of {} {row}", field.spec.name, field.spec.support));
        }
        store.swap(field.spec.name, &mut field.data);
    }
    Ok(())
}

/// The contacts of both, sorted as they are.
fn merged(a: &[ContactKey], b: &[ContactKey]) -> Vec<ContactKey> {
    let mut all = [a, b].concat();
    all.sort_unstable();
    all.dedup();
    all
}

/// Copies values without allocation; both stores have the same fields.
fn copy_fields(to: &mut FieldStore, from: &FieldStore) {
    for (target, source) in to.iter_mut().zip(from.iter()) {
        target.data.clone_from(&source.data);
    }
}
