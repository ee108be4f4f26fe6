//! Islands of a contact problem solved as W, q, μ: what goes on where sweeps are not enough. An island takes the impulses of the chain only
//! where they are the better ones, judged by the velocities of its bodies; where no motion meets its conditions, the proof is handed on.

mod attempts;

use crate::acceptance::{FORCE, SPEED, Verdict, greater};
use crate::budget::{Rung, affordable_steps, steps_work, sweep_work};
use crate::error::FreeNorms;
use crate::local::{
    self, Acceptance, Impossible, LocalProblem, LocalSettings, LocalSolver, NonsmoothNewton, PreparedProblem, Reformulation,
    RigidForm, Sprung, impossible, least_if_dear,
};
use crate::network::{is_stack, is_under_weights};
use crate::nlgs::{Memory, Method, Swept};
use crate::problem::{Body, Compliance, ContactProblem, ProblemError};
use crate::report::{NoMotion, SolveInfo, Stage, Status};
use crate::settings::SolveSettings;
use crate::sweep::System;
use attempts::{Attempt, Attempts, ISLAND_SHARE, Next};

/// Newton steps from the impulses of the sweeps, before the chain.
const WARM_STEPS: usize = 4;
/// Under heavy bodies most of the chain's steps are those of proximal points: there the interior point and plain Newton rarely come nearer.
const PROXIMAL_UNDER_WEIGHTS: f64 = 0.8;
/// In stacks violations add up from block to block, and digits are cheap: the largest velocity and the forces are asked to so many
/// tolerances there.
const SPEED_IN_STACKS: f64 = 3.0;
const FORCE_IN_STACKS: f64 = 10.0;
/// What a report says where Newton on an island would cost more than all the sweeps that are allowed.
const TOO_LARGE: &str = "sweeps only: Newton would cost more than max_iterations";

/// What ran, and how much of it.
#[derive(Debug, Default)]
pub(crate) struct Log {
    pub(crate) stages: Vec<Stage>,
    pub(crate) iterations: usize,
    pub(crate) updates: u64,
    /// Work of Newton's steps.
    pub(crate) newton: f64,
    /// Whether an island may have more steps of Newton on a later rung.
    pub(crate) held_back: bool,
}

impl Log {
    pub(crate) fn sweeps(&mut self, sweeps: usize, contacts: usize, error: f64) {
        self.iterations += sweeps;
        self.updates += sweeps as u64 * contacts as u64;
        self.stages.push(Stage { name: Method::Accelerated.name(), iterations: sweeps, error });
    }

    /// A condensed solve; stages of one name are counted together, and their error is the worst.
    fn local(&mut self, info: SolveInfo) {
        self.iterations += info.iterations;
        self.updates += info.contact_updates;
        if info.stages.is_empty() {
            self.stage(info.solver, info.iterations, info.errors.scaled);
        }
        info.stages.into_iter().for_each(|s| self.stage(s.name, s.iterations, s.error));
    }

    fn stage(&mut self, name: &'static str, iterations: usize, error: f64) {
        match self.stages.iter_mut().find(|stage| stage.name == name) {
            Some(stage) => {
                stage.iterations += iterations;
                stage.error = stage.error.max(error);
            }
            None => self.stages.push(Stage { name, iterations, error }),
        }
    }

    /// A part stayed with sweeps, and why.
    pub(crate) fn stays(&mut self, why: &'static str) {
        self.stage(why, 0, 0.0);
    }

    fn append(&mut self, other: Self) {
        self.stages.extend(other.stages);
        self.iterations += other.iterations;
        self.updates += other.updates;
        self.newton += other.newton;
        self.held_back |= other.held_back;
    }
}

/// A problem as W, q, μ, springs beside its contacts taken out.
#[derive(Debug)]
pub(crate) struct Condensed<const D: usize> {
    prepared: PreparedProblem<D>,
    /// Springs, and the problem with them.
    sprung: Option<(Sprung<D>, LocalProblem<D>)>,
    /// Share of the chain's steps for proximal points before anything else.
    proximal_first: f64,
}

impl<const D: usize> Condensed<D> {
    pub(crate) fn new(form: &RigidForm<D>) -> Option<Self> {
        let mut prepared = form.prepare().ok()?;
        let mut sprung = None;
        if let Some(springs) = form.sprung() {
            let whole = prepared.local().clone();
            prepared = springs.taken_out(&whole).ok()?;
            sprung = Some((springs, whole));
        }
        prepared.shift_by(form.impulse_shifts(), form.gross_speeds());
        Some(Self { prepared, sprung, proximal_first: 0.0 })
    }

    /// Operations of a factorisation, from its analysis.
    pub(crate) fn flops(&self) -> f64 {
        local::factorisation_flops(&self.prepared)
    }

    /// The contacts' part of whole impulses.
    fn own(&self, r: &[[f64; D]]) -> Vec<[f64; D]> {
        self.sprung.as_ref().map_or_else(|| r.to_vec(), |(springs, whole)| springs.own(whole, r))
    }

    /// The whole impulses of those of the contacts.
    fn whole(&self, r: &[[f64; D]]) -> Vec<[f64; D]> {
        self.sprung.as_ref().map_or_else(|| r.to_vec(), |(springs, _)| springs.whole(self.prepared.local(), r))
    }

    /// Goes on from the impulses `r` (Newton, then the chain) or from none; in so many steps (factorisations) at most, which are
    /// taken off. How it ended.
    fn solve(&self, r: &mut [[f64; D]], attempts: &Attempts, steps: &mut usize, log: &mut Log) -> Status {
        let tolerance = attempts.asked();
        let within = |steps| LocalSettings { tolerance, max_iterations: Some(steps), ..LocalSettings::default() };
        let mut status = Status::Stalled;
        let mut chain = local::Auto::default();
        if attempts.now != Attempt::Cold {
            (chain.folds, chain.proximal_first) = (true, self.proximal_first);
        }
        if attempts.is_from_none() {
            r.fill([0.0; D]);
        } else {
            let warm =
                NonsmoothNewton::new(Reformulation::AlartCurnier).solve(&self.prepared, r, &within(WARM_STEPS.min(*steps)));
            *steps = steps.saturating_sub(warm.iterations);
            status = warm.status;
            log.local(warm);
            chain.sweeps = 0;
        }
        if !status.is_success() && *steps > 0 {
            let info = chain.solve(&self.prepared, r, &within(*steps));
            let factors = info.stages.iter().filter(|s| s.name != "nlgs").map(|s| s.iterations).sum();
            *steps = steps.saturating_sub(factors);
            status = info.status;
            log.local(info);
        }
        status
    }
}

/// How the sweeps ended.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ended {
    /// Their impulses grew without progress.
    runs_away: bool,
    /// No more of them are allowed, or come to anything.
    spent: bool,
}

impl Ended {
    pub(crate) fn of(swept: &Swept) -> Self {
        Self { runs_away: swept.runs_away, spent: swept.status.is_some() }
    }

    pub(crate) const fn runs_away(self) -> bool {
        self.runs_away
    }

    /// The same where something is found to bound the impulses.
    pub(crate) const fn bounded(self) -> Self {
        Self { runs_away: false, ..self }
    }
}

/// Solves islands one by one; keeps the memory in which they are judged.
#[derive(Debug, Default)]
pub(crate) struct Islander {
    memory: Memory,
}

impl Islander {
    /// Goes on with the islands that `system`, which looked at them last, does not accept, from the impulses of `problem`, for as much as
    /// this rung allows; better ones are put there, the bodies stay free.
    pub(crate) fn run<const D: usize>(
        &mut self,
        problem: &mut ContactProblem,
        settings: &SolveSettings,
        (system, ended, rung): (&System, Ended, Rung),
        log: &mut Log,
    ) -> Result<Option<NoMotion>, ProblemError> {
        let islands = system.islands();
        let within = |breach: crate::sweep::Breach| {
            breach.error() <= settings.tolerance && breach.scaled <= ISLAND_SHARE * settings.tolerance
        };
        let mut parts: Vec<Option<Vec<usize>>> = islands.breaches().map(|b| (!within(b)).then(Vec::new)).collect();
        for contact in 0..problem.contacts.len() {
            if let Some(Some(part)) = parts.get_mut(islands.of(contact)) {
                part.push(contact);
            }
        }
        let mut own = Log::default();
        let mut proof = None;
        for contacts in parts.into_iter().flatten() {
            proof = self.island::<D>(problem, &contacts, settings, (ended, rung), &mut own)?;
            if proof.is_some() {
                break;
            }
        }
        log.append(own);
        Ok(proof)
    }

    fn island<const D: usize>(
        &mut self,
        problem: &mut ContactProblem,
        contacts: &[usize],
        settings: &SolveSettings,
        (ended, rung): (Ended, Rung),
        log: &mut Log,
    ) -> Result<Option<NoMotion>, ProblemError> {
        let mut part = extract(problem, contacts);
        let free = self.memory.start::<D>(Method::Accelerated, &part, settings)?;
        let sweep = sweep_work(&self.memory);
        let affordable = |flops: f64| affordable_steps(contacts.len(), sweep, flops, settings, ended.spent);
        // A proof that there is no motion is looked for all the same.
        if !ended.runs_away && least_if_dear::<D>(&part, |flops| affordable(flops).is_some()).is_some() {
            log.stays(TOO_LARGE);
            return Ok(None);
        }
        let form = match RigidForm::<D>::with_springs(&part) {
            Ok(form) => form,
            Err(law) => {
                log.stays(law.stays_with_sweeps());
                return Ok(None);
            }
        };
        let Some(mut condensed) = Condensed::new(&form) else { return Ok(None) };
        let proof = |proof: Impossible| proof.no_motion(|place| contacts[place]);
        if ended.runs_away
            && let Some(found) = impossible(&condensed.prepared)
        {
            return Ok(Some(proof(found)));
        }
        let flops = condensed.flops();
        let Some(affordable) = affordable(flops) else {
            log.stays(TOO_LARGE);
            return Ok(None);
        };
        let (speed, force) = if is_stack(&part) { (SPEED_IN_STACKS, FORCE_IN_STACKS) } else { (SPEED, FORCE) };
        let start = self.memory.judge::<D>();
        let mut best = error(&start, &free, speed);
        let ratio = lightest(&part).filter(|_| is_under_weights(&part));
        if ratio.is_some() {
            condensed.proximal_first = PROXIMAL_UNDER_WEIGHTS;
        }
        let mut attempts = Attempts::new(settings.tolerance, best, ratio);
        let (mut steps, is_all) = rung.steps(affordable, attempts.now == Attempt::Cold);
        log.held_back |= !is_all;
        let allowed = steps;
        let mass = part.bodies.iter().map(mass).sum::<f64>() + self.memory.system.soft_mass();
        // violations are judged island by island in the whole as well
        let acceptance = Acceptance { mass, speed: speed / ISLAND_SHARE, force: force / ISLAND_SHARE };
        let swept = condensed.own(form.impulses());
        let mut r = swept.clone();
        condensed.prepared.accept_by(attempts.now.is_judged_as_the_step().then_some(acceptance));
        while attempts.go_on() {
            let mut most = if is_all { attempts.part(steps, allowed, best) } else { steps };
            let left = steps - most;
            let before = most;
            let status = condensed.solve(&mut r, &attempts, &mut most, log);
            attempts.made(most < before);
            steps = left + most;
            if status == Status::NoSolution {
                log.newton += steps_work(contacts.len(), flops, (allowed - steps) as f64);
                return Ok(impossible(&condensed.prepared).map(proof));
            }
            give(&mut part, &condensed.whole(&r));
            self.memory.start::<D>(Method::Accelerated, &part, settings)?;
            let verdict = self.memory.judge::<D>();
            let error = error(&verdict, &free, speed);
            if error < best || best.is_nan() {
                best = error;
                for (&c, solved) in contacts.iter().zip(&part.contacts) {
                    problem.contacts[c].impulse = solved.impulse;
                }
            }
            if best <= ISLAND_SHARE * settings.tolerance || steps == 0 {
                break;
            }
            match attempts.next(status.is_success(), best, verdict.sum.errors(&free).scaled / error) {
                Next::Finer => continue,
                Next::Attempt => condensed.prepared.accept_by(attempts.now.is_judged_as_the_step().then_some(acceptance)),
                Next::Nothing => break,
            }
            if attempts.now == Attempt::Warm {
                r.clone_from(&swept);
            }
        }
        log.newton += steps_work(contacts.len(), flops, (allowed - steps) as f64);
        Ok(None)
    }
}

/// Mass along the axis on which a body is lightest; zero for the driven (kg).
fn mass(body: &Body) -> f64 {
    let most = body.inverse_mass.max();
    if most > 0.0 { 1.0 / most } else { 0.0 }
}

/// Mass of the lightest rigid body that moves over that of the heaviest; `None` where all that moves is deformable.
fn lightest(problem: &ContactProblem) -> Option<f64> {
    let masses = || problem.bodies.iter().map(mass).filter(|m| *m > 0.0);
    let heaviest = masses().fold(0.0, f64::max);
    (heaviest > 0.0).then(|| masses().fold(f64::INFINITY, f64::min) / heaviest)
}

/// The error that decides for an island, to be compared with its share of the tolerance; the largest velocity is asked to `speed` tolerances.
fn error(verdict: &Verdict, free: &FreeNorms, speed: f64) -> f64 {
    let breach = greater(verdict.breach.error(), verdict.breach.speed / speed);
    greater(verdict.sum.errors(free).scaled, ISLAND_SHARE * breach)
}

/// Some contacts of a problem with their bodies, as a problem of its own.
pub(crate) fn extract(problem: &ContactProblem, contacts: &[usize]) -> ContactProblem {
    let mut part = ContactProblem::new(problem.dimension);
    let mut place = std::collections::BTreeMap::new();
    let mut cell = problem.cell.clone();
    if let Some(cell) = &mut cell {
        cell.branches = contacts.iter().filter_map(|&c| cell.branches.get(c).copied()).collect();
    }
    part.cell = cell;
    part.laws.clone_from(&problem.laws);
    for &c in contacts {
        let mut contact = problem.contacts[c].clone();
        for body in [&mut contact.candidate, &mut contact.antagonist] {
            *body = *place.entry(*body).or_insert_with(|| part.push_body(problem.bodies[*body]));
        }
        part.push_contact(contact);
    }
    if !problem.growth.is_empty() {
        let number: std::collections::BTreeMap<usize, u32> = contacts.iter().copied().zip(0..).collect();
        let own = |(contact, speed): &(u32, f64)| Some((*number.get(&(*contact as usize))?, *speed));
        part.growth = problem.growth.iter().filter_map(own).collect();
    }
    part.compliances = part_of_compliances(problem, contacts);
    part
}

/// The deformable bodies on some contacts, which are all of theirs: one island.
fn part_of_compliances(problem: &ContactProblem, contacts: &[usize]) -> Vec<Compliance> {
    let place = |contact: &usize| contacts.iter().position(|c| c == contact);
    let renumbered = |body: &Compliance| {
        let contacts = body.contacts.iter().map(place).collect::<Option<Vec<_>>>()?;
        (!contacts.is_empty()).then(|| Compliance { contacts, ..body.clone() })
    };
    problem.compliances.iter().filter_map(renumbered).collect()
}

/// Shifted impulses into the contacts.
pub(crate) fn give<const D: usize>(problem: &mut ContactProblem, r: &[[f64; D]]) {
    for (contact, r) in problem.contacts.iter_mut().zip(r) {
        for k in 0..D {
            contact.impulse[k] = r[k] - contact.impulse_shift[k];
        }
    }
}
