//! The cone program of given sliding speeds, handed to clarabel and read back; no fixed point here.
//!
//! Two forms of one problem. By bodies, where M and H are known: `min ½ vᵀMv` over the changes v of the bodies' velocities,
//! `Hᵀv + q + s n ∈ K*`; the impulses are its multipliers. By contacts: `min ½ rᵀWr + rᵀ(q + s n)`, `r ∈ K`. Both are made
//! free of units: the solver's tolerances are partly absolute.

use std::time::Duration;

use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, SolverStatus, SupportedConeT};

use mpcd_friction::error::natural_step;
use mpcd_friction::local::{BodyForm, PreparedProblem};

/// A cone program whose s may change.
pub(super) struct Program {
    solver: DefaultSolver<f64>,
    by_bodies: bool,
    /// Contacts on which impulses act; the others are left out.
    active: Vec<usize>,
    /// Velocity (m/s) and mass (kg) that count as one.
    speed: f64,
    mass: f64,
}

/// Scalar entries of a matrix.
#[derive(Default)]
struct Entries {
    rows: Vec<usize>,
    columns: Vec<usize>,
    values: Vec<f64>,
}

impl Entries {
    fn push(&mut self, row: usize, column: usize, value: f64) {
        self.rows.push(row);
        self.columns.push(column);
        self.values.push(value);
    }

    fn matrix(self, rows: usize, columns: usize) -> CscMatrix<f64> {
        CscMatrix::new_from_triplets(rows, columns, self.rows, self.columns, self.values)
    }
}

/// Rows of the cone of a contact: without friction the normal alone.
const fn width<const D: usize>(friction: f64) -> usize {
    if friction > 0.0 { D } else { 1 }
}

impl Program {
    /// `None` where nothing acts or the solver refuses the data.
    pub(super) fn new<const D: usize>(problem: &PreparedProblem<D>, accuracy: f64) -> Option<Self> {
        let local = problem.local();
        let active: Vec<usize> = (0..problem.contacts()).filter(|&c| problem.lambda_max(c) > 0.0).collect();
        let count = active.len() as f64;
        let mean = |f: &dyn Fn(usize) -> f64| active.iter().map(|&c| f(c)).sum::<f64>() / count;
        let speed = mean(&|c| local.free_velocity[c].iter().map(|v| v * v).sum()).sqrt();
        let mass = mean(&|c| natural_step(problem.lambda_max(c)));
        if !(speed > 0.0 && mass > 0.0 && mass.is_finite()) {
            return None;
        }
        let cones: Vec<SupportedConeT<f64>> = active
            .iter()
            .map(|&c| match width::<D>(local.friction[c]) {
                1 => SupportedConeT::NonnegativeConeT(1),
                rows => SupportedConeT::SecondOrderConeT(rows),
            })
            .collect();
        let settings = DefaultSettings {
            verbose: false,
            presolve_enable: false,
            max_threads: 1,
            direct_solve_method: "qdldl".into(),
            tol_gap_abs: accuracy,
            tol_gap_rel: accuracy,
            tol_feas: accuracy,
            ..DefaultSettings::default()
        };
        let bodies = problem.bodies().filter(|b| b.sizes.iter().sum::<usize>() <= D * problem.contacts());
        let (p, a) = match bodies {
            Some(bodies) => (mass_matrix(bodies, mass), levers(problem, bodies, &active)),
            None => (delassus(problem, &active), cone_rows(problem, &active)),
        };
        Some(Self {
            solver: DefaultSolver::new(&p, &vec![0.0; p.n], &a, &vec![0.0; a.m], &cones, settings).ok()?,
            by_bodies: bodies.is_some(),
            active,
            speed,
            mass,
        })
    }

    /// The impulses for these s; `None` where there are none (certified or not) or numbers ceased to be finite.
    pub(super) fn solve<const D: usize>(
        &mut self,
        problem: &PreparedProblem<D>,
        shift: &[f64],
        time: Option<Duration>,
    ) -> Option<Vec<[f64; D]>> {
        self.set(problem, shift)?;
        let seconds = time.map_or(f64::INFINITY, |t| t.as_secs_f64());
        self.solver.update_settings(DefaultSettings { time_limit: seconds, ..self.solver.settings().clone() }).ok()?;
        self.solver.solve();
        let solution = &self.solver.solution;
        // results of less accuracy are judged by the error like any others
        if matches!(
            solution.status,
            SolverStatus::PrimalInfeasible
                | SolverStatus::DualInfeasible
                | SolverStatus::AlmostPrimalInfeasible
                | SolverStatus::AlmostDualInfeasible
                | SolverStatus::Unsolved
        ) {
            return None;
        }
        let mut r = vec![[0.0; D]; problem.contacts()];
        let mut at = 0;
        for &c in &self.active {
            let mu = problem.local().friction[c];
            let rows = width::<D>(mu);
            if self.by_bodies {
                for k in 0..rows {
                    r[c][k] = solution.z[at + k] * if k == 0 { 1.0 } else { mu } * self.mass * self.speed;
                }
            } else {
                let unit = (natural_step(problem.lambda_max(c)) * self.mass).sqrt() * self.speed;
                for k in 0..rows {
                    r[c][k] = solution.x[at + k] * unit;
                }
            }
            at += rows;
        }
        r.iter().flatten().all(|v| v.is_finite()).then_some(r)
    }

    /// Puts `q + s n` in its place.
    fn set<const D: usize>(&mut self, problem: &PreparedProblem<D>, shift: &[f64]) -> Option<()> {
        let local = problem.local();
        let mut values = Vec::new();
        for &c in &self.active {
            let mu = local.friction[c];
            let unit = if self.by_bodies { 1.0 } else { (natural_step(problem.lambda_max(c)) / self.mass).sqrt() };
            for k in 0..width::<D>(mu) {
                let q = local.free_velocity[c][k] + if k == 0 { shift[c] } else { 0.0 };
                values.push(q * unit / self.speed * if k > 0 && self.by_bodies { mu } else { 1.0 });
            }
        }
        if self.by_bodies { self.solver.update_b(&values).ok() } else { self.solver.update_q(&values).ok() }
    }
}

/// First row or column of each active contact, and their number.
fn places<const D: usize>(problem: &PreparedProblem<D>, active: &[usize]) -> (Vec<usize>, usize) {
    let mut place = vec![usize::MAX; problem.contacts()];
    let mut next = 0;
    for &c in active {
        place[c] = next;
        next += width::<D>(problem.local().friction[c]);
    }
    (place, next)
}

/// Upper triangle of `√ρ_c W_cd √ρ_d` (symmetric part).
fn delassus<const D: usize>(problem: &PreparedProblem<D>, active: &[usize]) -> CscMatrix<f64> {
    let local = problem.local();
    let (place, size) = places(problem, active);
    let mut entries = Entries::default();
    let root = |c: usize| natural_step(problem.lambda_max(c)).sqrt();
    for &c in active {
        for (d, block) in local.delassus.row(c).filter(|(d, _)| place[*d] != usize::MAX) {
            let factor = 0.5 * root(c) * root(d);
            for i in 0..width::<D>(local.friction[c]) {
                for j in 0..width::<D>(local.friction[d]) {
                    let (row, column, value) = (place[c] + i, place[d] + j, factor * block[i][j]);
                    // half of each of the two entries; the diagonal meets itself
                    let twice = if row == column { 2.0 } else { 1.0 };
                    entries.push(row.min(column), row.max(column), twice * value);
                }
            }
        }
    }
    entries.matrix(size, size)
}

/// `−(μ r_n, r_t)`.
fn cone_rows<const D: usize>(problem: &PreparedProblem<D>, active: &[usize]) -> CscMatrix<f64> {
    let (place, size) = places(problem, active);
    let mut entries = Entries::default();
    for &c in active {
        let mu = problem.local().friction[c];
        for k in 0..width::<D>(mu) {
            entries.push(place[c] + k, place[c] + k, if k == 0 && mu > 0.0 { -mu } else { -1.0 });
        }
    }
    entries.matrix(size, size)
}

/// First unknown of each node, and the number of unknowns.
fn starts<const D: usize>(bodies: &BodyForm<D>) -> (Vec<usize>, usize) {
    let mut starts = Vec::with_capacity(bodies.sizes.len());
    let mut next = 0;
    for size in &bodies.sizes {
        starts.push(next);
        next += size;
    }
    (starts, next)
}

/// Upper triangle of M (symmetric part) in units of `mass`.
fn mass_matrix<const D: usize>(bodies: &BodyForm<D>, mass: f64) -> CscMatrix<f64> {
    let (starts, size) = starts(bodies);
    let mut entries = Entries::default();
    for (row, column, block) in &bodies.mass {
        let columns = bodies.sizes[*column];
        for (k, value) in block.iter().enumerate() {
            let (i, j) = (starts[*row] + k / columns, starts[*column] + k % columns);
            let share = if i == j { 1.0 } else { 0.5 };
            entries.push(i.min(j), i.max(j), share * value / mass);
        }
    }
    entries.matrix(size, size)
}

/// `−(u_n, μ u_t)` of `u = Hᵀ v`.
fn levers<const D: usize>(problem: &PreparedProblem<D>, bodies: &BodyForm<D>, active: &[usize]) -> CscMatrix<f64> {
    let (starts, unknowns) = starts(bodies);
    let (place, size) = places(problem, active);
    let mut entries = Entries::default();
    for &c in active {
        let mu = problem.local().friction[c];
        for lever in &bodies.levers[c] {
            for (i, row) in lever.rows.iter().enumerate() {
                for (k, value) in row.iter().enumerate().take(width::<D>(mu)).filter(|(_, value)| **value != 0.0) {
                    entries.push(place[c] + k, starts[lever.node] + i, -value * if k == 0 { 1.0 } else { mu });
                }
            }
        }
    }
    entries.matrix(size, unknowns)
}
