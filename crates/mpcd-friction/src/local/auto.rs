//! The solver that chooses for its user.
//!
//! The problem is split into its independent islands; each is solved by a chain in which every member hands its best
//! impulses to the next:
//! 1. some Gauss–Seidel sweeps: they end most loose problems at coarse tolerances for less than one factorisation, and go on
//!    as long as their rate promises the tolerance for less work than the interior point's factorisations;
//! 2. interior-point steps with the friction term inside Newton: reach the neighbourhood of a solution from anywhere;
//! 3. nonsmooth Newton (Alart–Curnier) as soon as the statuses of the contacts are clear: ends at rounding;
//! 4. where sweeps came near, the path past folds (packings about to slip; only in time stepping);
//! 5. the proximal-point iteration around Newton, its centres carried on with momentum, where the solution is degenerate or
//!    impulses are not unique (in time stepping, under heavy bodies, before the interior point as well);
//! 6. where that fails, a proof that there is no solution is looked for;
//! 7. without one, the interior point once more from other starts, each followed by 3 and 5.
//!
//! `max_iterations` limits the factorisations (members 2 to 5 and 7 together), not the sweeps.
//!
//! What each member is worth was measured on the stored collection (docs/friction/auto.md).

use super::gradient::impossible;
use super::interior::InteriorPoint;
use super::islands::islands;
use super::newton::NewtonSystem;
use super::nlgs::Sweeper;
use super::nonsmooth::{NonsmoothNewton, Reformulation, fold, proximal};
use super::prepared::PreparedProblem;
use super::settings::{LocalSettings, LocalSolver, Watch};
use super::small::norm;
use crate::error::natural_step;
use crate::report::{SolveInfo, Stage, Status};

/// The chain's members, each of which can be switched off to see what it is worth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Auto {
    /// Split into independent islands.
    pub islands: bool,
    /// Gauss–Seidel sweeps before anything else.
    pub sweeps: usize,
    /// More sweeps while they promise to be the cheaper way.
    pub patient: bool,
    /// Proximal points before the interior point, on this share of the steps: under heavy bodies they come further.
    pub proximal_first: f64,
    /// Interior-point steps.
    pub interior: bool,
    /// Newton polishing on the identified statuses.
    pub polish: bool,
    /// The path past folds, from impulses that are near a solution.
    pub folds: bool,
    /// Proximal-point iteration.
    pub proximal: bool,
    /// Momentum of its centres.
    pub accelerated: bool,
}

impl Default for Auto {
    fn default() -> Self {
        Self {
            islands: true,
            sweeps: 20,
            patient: true,
            proximal_first: 0.0,
            interior: true,
            polish: true,
            folds: false,
            proximal: true,
            accelerated: true,
        }
    }
}

/// Sweeps between two looks at the error.
const LOOK_EVERY: usize = 10;
/// More sweeps are made while the work they promise is below that of so many factorisations.
const WORTH_FACTORS: f64 = 12.0;
/// Work of one entry of W in a sweep, of one local solution, and of one factorised entry, in multiplications at the speed of
/// the dense kernels: sweeps wait for memory.
const ENTRY_WORK: f64 = 4.0;
const LOCAL_WORK: f64 = 600.0;
const FACTOR_WORK: f64 = 1.0;
/// Sizes of the interior point's starts, in turn, and the equation of the proximal-point iteration after each.
const STARTS: [(f64, Reformulation); 4] = [
    (1.0, Reformulation::AlartCurnier),
    (10.0, Reformulation::NaturalMap),
    (0.1, Reformulation::JeanMoreau),
    (100.0, Reformulation::FischerBurmeister),
];
/// Interior-point steps per start.
const INTERIOR_STEPS: usize = 60;
/// Error (in the measure that decides) below which polishing is tried once during the interior-point steps, and how far
/// below it the tolerance must be: the last decades cost the interior point fewer steps than a trial.
const POLISH_BELOW: f64 = 1e-3;
const WORTH_A_TRIAL: f64 = 100.0;
/// Newton steps of such a trial, and of the polishing after the interior point.
const TRIAL_STEPS: usize = 8;
const POLISH_STEPS: usize = 60;
/// Where a path past folds follows, polishing is given up sooner.
const POLISH_BEFORE_FOLDS: usize = 20;
/// Errors, in tolerances, below which what is missing is likely to lie past a fold: so that the path is followed at once, and after the
/// interior point, which ends what is loose in some twenty steps. Factorisations on the path.
const NEAR: f64 = 10.0;
const FAR: f64 = 100.0;
const FOLD_STEPS: usize = 900;
/// Newton steps of the proximal-point iteration per start.
const PROXIMAL_STEPS: usize = 2500;

/// Impulses beyond this multiple of [`stopping`] are looked at with suspicion (a column of 1000 blocks needs 2·10⁴).
const RUNAWAY: f64 = 1e6;

/// Collects the stages of a chain, and holds its limit.
struct Log {
    stages: Vec<Stage>,
    iterations: usize,
    contact_updates: u64,
    /// Factorisations that the caller still allows: interior-point and Newton steps.
    steps_left: usize,
}

impl Log {
    const fn allowing(steps: usize) -> Self {
        Self { stages: Vec::new(), iterations: 0, contact_updates: 0, steps_left: steps }
    }

    /// Steps of one member, counted against the limit.
    fn add_steps(&mut self, name: &'static str, steps: usize, error: f64) {
        self.steps_left = self.steps_left.saturating_sub(steps);
        self.add(name, steps, error);
    }

    fn add(&mut self, name: &'static str, iterations: usize, error: f64) {
        self.iterations += iterations;
        if iterations == 0 {
            return;
        }
        match self.stages.iter_mut().find(|stage| stage.name == name) {
            Some(stage) => {
                stage.iterations += iterations;
                stage.error = error;
            }
            None => self.stages.push(Stage { name, iterations, error }),
        }
    }
}

/// What a chain learnt beside the impulses that its watch holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    Open,
    /// It is proved that no solution exists.
    Impossible,
}

impl Ending {
    const fn of(impossible: bool) -> Self {
        if impossible { Self::Impossible } else { Self::Open }
    }

    fn or(self, other: Self) -> Self {
        Self::of(self == Self::Impossible || other == Self::Impossible)
    }
}

/// Norm of the impulses that could stop the free velocities one by one.
fn stopping<const D: usize>(problem: &PreparedProblem<D>) -> f64 {
    let rho = |c: usize| natural_step(problem.lambda_max(c));
    let q = &problem.local().free_velocity;
    q.iter().enumerate().map(|(c, q)| q.iter().map(|v| (rho(c) * v).powi(2)).sum::<f64>()).sum::<f64>().sqrt()
}

/// Sweeps with a look at the error every few of them.
struct Sweeps<'a, 'w, const D: usize> {
    problem: &'a PreparedProblem<D>,
    watch: &'w mut Watch<D>,
    sweeper: Sweeper<D>,
    x: Vec<[f64; D]>,
    u: Vec<[f64; D]>,
    error: f64,
    done: usize,
}

impl<'a, 'w, const D: usize> Sweeps<'a, 'w, D> {
    fn new(problem: &'a PreparedProblem<D>, watch: &'w mut Watch<D>) -> Self {
        let x = watch.best_impulses().to_vec();
        let u = problem.local().velocities(&x);
        let mut sweeps = Self { problem, watch, sweeper: Sweeper::new(problem), x, u, error: f64::INFINITY, done: 0 };
        sweeps.look();
        sweeps
    }

    fn look(&mut self) {
        self.problem.local().velocities_into(&self.x, &mut self.u);
        let errors = self.problem.errors(&self.x, &self.u);
        self.watch.see(&errors, &self.x);
        self.error = self.watch.measure(&errors);
    }

    /// Up to `most` sweeps; with `worth`, as long as the rate of the last ones promises to need less work than that.
    fn run(&mut self, most: usize, worth: Option<f64>) {
        let w = &self.problem.local().delassus;
        let work = ENTRY_WORK * (w.block_count() * D * D) as f64 + LOCAL_WORK * w.len() as f64;
        let end = self.done.saturating_add(most);
        while self.done < end && !self.watch.content() && !self.watch.out_of_time() {
            let before = self.error;
            let group = LOOK_EVERY.min(end - self.done);
            for _ in 0..group {
                self.sweeper.sweep(self.problem, &mut self.x);
            }
            self.done += group;
            self.look();
            let Some(worth) = worth else { continue };
            let per_sweep = (before / self.error).ln() / group as f64;
            let left = (self.error / self.watch.tolerance()).ln() / per_sweep;
            if !(per_sweep > 0.0 && left * work < worth) {
                return;
            }
        }
    }
}

impl Auto {
    fn chain<const D: usize>(&self, problem: &PreparedProblem<D>, watch: &mut Watch<D>, log: &mut Log) -> Ending {
        let mut sweeps = Sweeps::new(problem, watch);
        sweeps.run(self.sweeps, None);
        let mut system = None;
        if !sweeps.watch.content() {
            let built = system.insert(NewtonSystem::of(problem));
            if self.patient && self.interior && self.sweeps > 0 {
                sweeps.run(usize::MAX, Some(WORTH_FACTORS * FACTOR_WORK * built.flops()));
            }
        }
        // errors are relative to the impulses: where nothing else bounds them they grow until any residual is small
        let runaway = |watch: &Watch<D>| watch.content() && norm(watch.best_impulses()) > RUNAWAY * stopping(problem);
        log.contact_updates += (sweeps.done * problem.contacts()) as u64;
        log.add("nlgs", sweeps.done, sweeps.watch.best());
        let Some(mut system) = system.filter(|_| !watch.content()) else {
            return Ending::of(runaway(watch) && impossible(problem).is_some());
        };
        let start = watch.best_impulses().to_vec();
        if self.proximal_first > 0.0 {
            // the cast saturates
            let most = (self.proximal_first * log.steps_left as f64) as usize;
            if self.proximal_points(problem, &mut system, (STARTS[0].1, most), watch, log) {
                return Ending::of(runaway(watch) && impossible(problem).is_some());
            }
        }
        for (attempt, (size, reformulation)) in STARTS.into_iter().enumerate() {
            let folds = self.folds && attempt == 0;
            let at_once = folds && watch.best() <= NEAR * watch.tolerance();
            if at_once && self.follow(problem, &mut system, &start, watch, log) {
                break;
            }
            if self.interior && self.interior_point(problem, &mut system, size, watch, log) {
                break;
            }
            let polish = if folds { POLISH_BEFORE_FOLDS } else { POLISH_STEPS };
            if self.polish && self.newton(problem, &mut system, polish, watch, log) {
                break;
            }
            let is_near = watch.best() <= FAR * watch.tolerance();
            if folds && !at_once && is_near && self.follow(problem, &mut system, &start, watch, log) {
                break;
            }
            // no more than half of what is left, so that other starts get their turn
            let most = PROXIMAL_STEPS.min(log.steps_left / 2);
            if self.proximal && self.proximal_points(problem, &mut system, (reformulation, most), watch, log) {
                break;
            }
            if watch.content() || watch.out_of_time() || !self.interior || log.steps_left == 0 {
                break;
            }
            if attempt == 0 && impossible(problem).is_some() {
                return Ending::Impossible;
            }
        }
        Ending::of(runaway(watch) && impossible(problem).is_some())
    }

    fn interior_point<const D: usize>(
        &self,
        problem: &PreparedProblem<D>,
        system: &mut NewtonSystem<D>,
        start: f64,
        watch: &mut Watch<D>,
        log: &mut Log,
    ) -> bool {
        let method = InteriorPoint { start, damped: false };
        let mut trial = self.polish && POLISH_BELOW > WORTH_A_TRIAL * watch.tolerance();
        let most = INTERIOR_STEPS.min(log.steps_left);
        let mut inner = Log::allowing(log.steps_left);
        let (done, _) = method.iterate(problem, system, most, watch, |_, error, watch, system| {
            let now = trial && error < POLISH_BELOW;
            trial &= !now;
            now && self.newton(problem, system, TRIAL_STEPS, watch, &mut inner)
        });
        log.add_steps("interior point", done, watch.best());
        for stage in inner.stages {
            log.add_steps(stage.name, stage.iterations, stage.error);
        }
        watch.content() || watch.out_of_time()
    }

    /// Proximal points from the best impulses, by this equation, on so many steps at most.
    fn proximal_points<const D: usize>(
        &self,
        problem: &PreparedProblem<D>,
        system: &mut NewtonSystem<D>,
        (reformulation, most): (Reformulation, usize),
        watch: &mut Watch<D>,
        log: &mut Log,
    ) -> bool {
        let mut x = watch.best_impulses().to_vec();
        let newton = NonsmoothNewton::new(reformulation);
        // In time stepping, where sweeps came near, what Newton fails on is nearly solved: keeping its steps gains only under weights.
        let manner = proximal::Manner { accelerated: self.accelerated, alike: self.folds && self.proximal_first == 0.0 };
        let done = proximal::iterate(&newton, manner, problem, system, &mut x, most, watch);
        log.add_steps("proximal newton", done, watch.best());
        watch.content() || watch.out_of_time()
    }

    /// The path past folds about the impulses `centre`.
    fn follow<const D: usize>(
        &self,
        problem: &PreparedProblem<D>,
        system: &mut NewtonSystem<D>,
        centre: &[[f64; D]],
        watch: &mut Watch<D>,
        log: &mut Log,
    ) -> bool {
        let done = fold::iterate(problem, system, centre, FOLD_STEPS.min(log.steps_left / 2), watch);
        log.add_steps("fold path", done, watch.best());
        watch.content() || watch.out_of_time()
    }

    fn newton<const D: usize>(
        &self,
        problem: &PreparedProblem<D>,
        system: &mut NewtonSystem<D>,
        most: usize,
        watch: &mut Watch<D>,
        log: &mut Log,
    ) -> bool {
        let mut x = watch.best_impulses().to_vec();
        let newton = NonsmoothNewton::new(Reformulation::AlartCurnier);
        let done = newton.iterate(problem, system, &mut x, most.min(log.steps_left), watch);
        log.add_steps("newton", done, watch.best());
        watch.content() || watch.out_of_time()
    }
}

impl<const D: usize> LocalSolver<D> for Auto {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn solve(&mut self, problem: &PreparedProblem<D>, r: &mut [[f64; D]], settings: &LocalSettings) -> SolveInfo {
        let name = LocalSolver::<D>::name(self);
        if problem.contacts() == 0 {
            return SolveInfo::no_contact(name);
        }
        let mut log = Log::allowing(settings.max_iterations.unwrap_or(usize::MAX));
        let mut ending = Ending::Open;
        let mut watch = Watch::new(settings, r);
        let parts = if self.islands { islands(&problem.local().delassus) } else { Vec::new() };
        if parts.len() > 1 {
            let mut joined = r.to_vec();
            for part in &parts {
                let island = problem.island(part);
                let start: Vec<[f64; D]> = part.iter().map(|&c| r[c]).collect();
                let limits = LocalSettings {
                    tolerance: settings.tolerance * PreparedProblem::<D>::ISLAND_SHARE,
                    time_limit: watch.time_left(),
                    ..*settings
                };
                let mut own = Watch::new(&limits, &start);
                ending = ending.or(self.chain(&island, &mut own, &mut log));
                for (&c, value) in part.iter().zip(own.best_impulses()) {
                    joined[c] = *value;
                }
            }
            watch.see(&problem.judge(&joined).0, &joined);
        }
        if ending == Ending::Open && !watch.content() {
            ending = self.chain(problem, &mut watch, &mut log);
        }
        let mut info = watch.finish(name, problem, r, Status::Stalled, log.iterations, log.contact_updates, log.stages);
        if ending == Ending::Impossible {
            info.status = Status::NoSolution;
        }
        info
    }
}
