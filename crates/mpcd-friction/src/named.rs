//! Solvers of stored problems as solvers of the contact problem: the problem is condensed to W, q, μ, the one solver named runs on it, and the
//! result is judged by the bodies. Nothing falls back: what cannot be condensed is refused.

use crate::condensed::give;
use crate::local::{LocalError, LocalSettings, PreparedProblem, RigidForm, local_solver, local_solver_names};
use crate::nlgs::{Memory, Method};
use crate::problem::{ContactDimension, ContactProblem, ProblemError};
use crate::report::{SolveInfo, Status};
use crate::settings::SolveSettings;
use crate::solver::RigidSolver;

/// Solvers that solve a convex relaxation of Coulomb's law: what they end at is no solution of a step.
const RELAXED: [&str; 2] = ["apgd-convex", "conic-convex"];
/// Shares of the tolerance asked in turn: a little less than all, as errors are summed in another order; then less, where the violations
/// ask for it.
const SHARES: [f64; 3] = [0.9, 1e-2, 1e-4];

/// Whether the solver of this name solves a relaxed law.
pub(crate) fn is_relaxed(name: &str) -> bool {
    RELAXED.contains(&name)
}

/// Names that run through the condensed form: of this crate, and those that others registered.
pub(crate) fn condensed_names() -> impl Iterator<Item = &'static str> {
    local_solver_names().into_iter().filter(|name| !is_relaxed(name))
}

/// A solver of stored problems by its name.
#[derive(Debug)]
pub(crate) struct Named {
    name: &'static str,
    memory: Memory,
}

impl Named {
    pub(crate) fn new(name: &str) -> Option<Self> {
        let name = condensed_names().find(|known| *known == name)?;
        Some(Self { name, memory: Memory::default() })
    }

    fn run<const D: usize>(&mut self, problem: &mut ContactProblem, settings: &SolveSettings) -> Result<SolveInfo, ProblemError> {
        let refused = |e: LocalError| ProblemError::Refused { solver: self.name, why: e.to_string() };
        let form = RigidForm::<D>::new(problem).map_err(|e| ProblemError::NotCondensed {
            contact: e.contact,
            kind: e.kind,
            solver: self.name,
        })?;
        let prepared = form.prepare().map_err(refused)?;
        let mut solver = local_solver::<D>(self.name).map_err(refused)?;
        solver.check(&prepared).map_err(refused)?;
        let free = self.memory.start::<D>(Method::GaussSeidel, problem, settings)?;
        let mut r = form.impulses().to_vec();
        let mut total = SolveInfo::no_contact(self.name);
        for share in SHARES {
            let info = solver.solve(&prepared, &mut r, &self.limits(settings, share));
            total.iterations += info.iterations;
            total.contact_updates += info.contact_updates;
            total.stages.extend(info.stages);
            total.status = info.status;
            give(problem, &r);
            self.memory.start::<D>(Method::GaussSeidel, problem, settings)?;
            if !info.status.is_success() || self.memory.judge::<D>().error(&free) <= settings.tolerance {
                break;
            }
        }
        let verdict = self.memory.judge::<D>();
        let status = match total.status {
            _ if verdict.error(&free) <= settings.tolerance => Status::Converged,
            Status::Converged => Status::Stalled,
            other => other,
        };
        total.no_motion = (status == Status::NoSolution).then(|| proof(&prepared)).flatten();
        let info = self.memory.finish::<D>(problem, &free, status, verdict);
        let SolveInfo { iterations, contact_updates, stages, no_motion, .. } = total;
        Ok(SolveInfo { solver: self.name, iterations, contact_updates, stages, no_motion, ..info })
    }

    /// The default limit leaves it to the method.
    fn limits(&self, settings: &SolveSettings, share: f64) -> LocalSettings {
        let most = settings.max_iterations;
        LocalSettings {
            tolerance: share * settings.tolerance,
            max_iterations: (most != SolveSettings::default().max_iterations).then_some(most),
            ..LocalSettings::default()
        }
    }
}

fn proof<const D: usize>(prepared: &PreparedProblem<D>) -> Option<crate::report::NoMotion> {
    crate::local::impossible(prepared).map(|found| found.no_motion(|contact| contact))
}

impl RigidSolver for Named {
    fn name(&self) -> &'static str {
        self.name
    }

    fn takes_cells(&self) -> bool {
        true
    }

    fn takes_joints(&self) -> bool {
        false
    }

    fn solve(&mut self, problem: &mut ContactProblem, settings: &SolveSettings) -> Result<SolveInfo, ProblemError> {
        settings.validate()?;
        problem.validate()?;
        if problem.contacts.is_empty() {
            return Ok(SolveInfo::no_contact(self.name));
        }
        match problem.dimension {
            ContactDimension::Two => self.run::<2>(problem, settings),
            ContactDimension::Three => self.run::<3>(problem, settings),
        }
    }
}
