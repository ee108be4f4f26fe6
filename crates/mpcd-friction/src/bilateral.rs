//! Bilateral rows solved exactly: pins, rods and welds of a contact problem by one sparse factorisation, every other impulse as it is.
//!
//! Sweeps go from joint to joint; a chain of n of them needs some n² sweeps, and light bodies between heavy ones as many as the ratio of
//! the masses. Here W of the bilateral rows, each impulse and moment scaled to a trace of one, is factorised. Rows that repeat others (a ring of welds)
//! make it singular: a small part of the diagonal is added, and taken out again by refining the solution; of the impulses that such rows
//! leave open the least are taken. No laws, no contacts.

mod eliminate;
mod reduce;

use std::sync::Arc;

use mpcd_sparse::{Cholesky, SymmetricMatrix, SymmetricPattern};
use nalgebra::Vector3;

use crate::{
    Cone,
    problem::{Angular, Body, Contact, ContactDimension, ContactProblem, Place, Places, Response},
};

/// Share of the diagonal that is added first, and where no more of it helps.
const ADDED: f64 = 1e-12;
const MOST_ADDED: f64 = 1e-6;
/// Refinements at most.
const REFINEMENTS: usize = 8;
/// Part of a vector that must lie among the impulses that do nothing before it is taken for more than what weak rows leave there.
const OPEN: f64 = 1e-6;
/// Roundings of what an impulse gives that a row may lack.
const ROUNDINGS: f64 = 16.0;
/// Times that what does nothing is sought in a vector: a row that answers with 100 ε leaves a millionth of itself.
const SOUGHT: usize = 3;
/// Times that it is taken out: each leaves what rounding makes of it, a part of 1e-16 over [`ADDED`].
const PURGES: usize = 2;

type Vec3 = Vector3<f64>;

/// Solver of bilateral rows with its memory, a cache that changes no bit.
#[derive(Debug, Default)]
pub struct Bilateral {
    rows: Vec<Row>,
    edges: Vec<(usize, usize)>,
    entries: Vec<f64>,
    /// W_ii, scaled.
    own: Vec<f64>,
    kept: Option<(Arc<SymmetricPattern>, Cholesky)>,
    /// Share of the diagonal that was added in the last factorisation.
    added: f64,
}

/// One scalar condition `g·(V_c − V_a) + … + shift + compliance · r = 0`.
#[derive(Debug, Clone, Copy)]
struct Row {
    contact: usize,
    /// Component of the impulse, or of the impulse moment.
    component: usize,
    is_turning: bool,
    /// Bodies, and the direction of the impulse and of the moment on each.
    bodies: [usize; 2],
    forces: [Vec3; 2],
    moments: [Vec3; 2],
    /// Deformable bodies that an impulse moves.
    places: Places,
    compliance: f64,
    shift: f64,
    /// 1/√(Σ W_ii) over the rows of one impulse or one moment.
    scale: f64,
}

impl Row {
    fn of_impulse(contact: &Contact, index: usize, component: usize, direction: &Vec3) -> Self {
        Self {
            contact: index,
            component,
            is_turning: false,
            bodies: [contact.candidate, contact.antagonist],
            forces: [*direction, -direction],
            moments: [contact.candidate_lever.cross(direction), -contact.antagonist_lever.cross(direction)],
            places: Places::default(),
            compliance: contact.compliance[component],
            shift: contact.velocity_shift[component],
            scale: 1.0,
        }
    }

    fn of_moment(contact: &Contact, index: usize, component: usize, axis: &Vec3, (shift, compliance): (f64, f64)) -> Self {
        Self {
            contact: index,
            component,
            is_turning: true,
            bodies: [contact.candidate, contact.antagonist],
            forces: [Vec3::zeros(); 2],
            moments: [*axis, -axis],
            places: Places::default(),
            compliance,
            shift,
            scale: 1.0,
        }
    }

    fn impulse<'a>(&self, contacts: &'a mut [Contact]) -> &'a mut f64 {
        let contact = &mut contacts[self.contact];
        if self.is_turning { &mut contact.moment_mut()[self.component] } else { &mut contact.impulse[self.component] }
    }

    /// What the condition lacks [m/s or rad/s].
    fn lacks(&self, problem: &ContactProblem) -> f64 {
        let contact = &problem.contacts[self.contact];
        let impulse = if self.is_turning {
            contact.moment()[self.component]
        } else {
            contact.impulse[self.component] + contact.impulse_shift[self.component]
        };
        let side = |k: usize| {
            let body = &problem.bodies[self.bodies[k]];
            self.forces[k].dot(&body.velocity) + self.moments[k].dot(&body.angular_velocity)
        };
        let soft: f64 =
            self.places.iter().flatten().map(|p| problem.compliances[p.compliance].velocity[p.at][self.component]).sum();
        side(0) + side(1) + soft + self.shift + self.compliance * impulse
    }

    /// The size of it, turning counted at the end of its longer lever or at the longer radius of gyration [m/s].
    fn lacked(&self, problem: &ContactProblem) -> f64 {
        self.lacks(problem).abs() * self.size(problem)
    }

    /// By what an angular velocity is counted (m); 1 of what does not turn.
    fn size(&self, problem: &ContactProblem) -> f64 {
        let contact = &problem.contacts[self.contact];
        let gyration = |k: usize| problem.bodies[self.bodies[k]].gyration();
        let lever = contact.candidate_lever.norm().max(contact.antagonist_lever.norm());
        let size = if self.is_turning { lever.max(gyration(0).max(gyration(1))) } else { 1.0 };
        // what no moment turns has no radius of gyration
        if size > 0.0 { size } else { 1.0 }
    }

    /// Velocity and turning of body `k` for a unit impulse.
    fn response(&self, k: usize, bodies: &[Body]) -> (Vec3, Vec3) {
        let body = &bodies[self.bodies[k]];
        (body.inverse_mass.component_mul(&self.forces[k]), body.inverse_inertia.matrix() * self.moments[k])
    }

    /// W_ii, velocity that a unit impulse of it gives to itself.
    fn own_response(&self, problem: &ContactProblem) -> f64 {
        let of_side = |k: usize| {
            let (v, w) = self.response(k, &problem.bodies);
            self.forces[k].dot(&v) + self.moments[k].dot(&w)
        };
        of_side(0) + of_side(1) + self.soft_response(self, problem) + self.compliance
    }

    /// Velocity that a unit impulse of `other` gives to this row through deformable bodies.
    fn soft_response(&self, other: &Self, problem: &ContactProblem) -> f64 {
        let one = |to: &Place| {
            let from = other.places.iter().flatten().find(|from| from.compliance == to.compliance)?;
            Some(problem.compliances[to.compliance].matrix[(3 * to.at + self.component, 3 * from.at + other.component)])
        };
        self.places.iter().flatten().filter_map(one).sum()
    }

    /// Adds to its impulse, and to the velocities what that does.
    fn push_more(&self, impulse: f64, problem: &mut ContactProblem) {
        *self.impulse(&mut problem.contacts) += impulse;
        self.push(impulse, problem);
    }

    fn push(&self, impulse: f64, problem: &mut ContactProblem) {
        for k in 0..2 {
            let (v, w) = self.response(k, &problem.bodies);
            let body = &mut problem.bodies[self.bodies[k]];
            body.velocity += v * impulse;
            body.angular_velocity += w * impulse;
        }
        let mut change = Vec3::zeros();
        change[self.component] = impulse;
        for place in self.places.iter().flatten() {
            problem.compliances[place.compliance].follow(place.at, &change, problem.dimension);
        }
    }
}

/// What the worst of the rows lacks [m/s or rad/s].
fn worst(rows: &[Row], problem: &ContactProblem) -> f64 {
    rows.iter().map(|r| r.lacks(problem).abs()).fold(0.0, f64::max)
}

impl ContactProblem {
    /// Sets the velocities of the bodies in `which` to the free ones and all impulses on them. Deformable bodies stay as they are.
    pub fn rebuild(&mut self, free: &[Body], which: impl Fn(usize) -> bool) {
        for (k, (body, start)) in self.bodies.iter_mut().zip(free).enumerate().filter(|(k, _)| which(*k)) {
            debug_assert!(k < free.len());
            (body.velocity, body.angular_velocity) = (start.velocity, start.angular_velocity);
        }
        for contact in &self.contacts {
            let impulse = contact.world_impulse();
            let moment = contact.world_moment();
            for side in contact.sides().iter().filter(|side| which(side.body)) {
                side.apply(&mut self.bodies[side.body], &impulse, &moment);
            }
        }
    }
}

impl Bilateral {
    /// Whether a contact has bilateral rows.
    #[must_use]
    pub fn holds(contact: &Contact) -> bool {
        matches!(contact.response, Response::Cone(Cone::Bilateral | Cone::BilateralNormal | Cone::BilateralTangential))
            || matches!(contact.angular(), Some(Angular::Held { .. }))
    }

    /// What the worst bilateral row of a problem lacks, turning counted at the end of its longer lever or at the longer radius of gyration
    /// [m/s].
    #[must_use]
    pub fn lacks(problem: &ContactProblem) -> f64 {
        let mut all = Self::default();
        all.gather(problem);
        all.rows.iter().map(|row| row.lacked(problem)).fold(0.0, f64::max)
    }

    /// The contact among whose bilateral rows is the one that lacks most of those that no impulse moves, what it lacks [m/s], and at the end of what lever that is (m), 0 where nothing turns.
    #[must_use]
    pub fn unmoved(problem: &ContactProblem) -> Option<(usize, f64, f64)> {
        let mut all = Self::default();
        all.gather_all(problem);
        let unmoved = all.rows.iter().filter(|row| row.own_response(problem) <= 0.0);
        let lever = |row: &Row| if row.is_turning { row.size(problem) } else { 0.0 };
        unmoved.map(|row| (row.contact, row.lacked(problem), lever(row))).max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Takes up the bilateral rows of a problem; their directions and the bodies' inertia are those of now.
    fn gather(&mut self, problem: &ContactProblem) {
        self.gather_all(problem);
        // What nothing moves is no row.
        self.rows.retain_mut(|row| {
            let own = row.own_response(problem);
            row.scale = 1.0 / own.sqrt();
            own > 0.0
        });
        // One scale for what is one impulse or one moment: which of several is the least does then not depend on axes.
        for rows in self.rows.chunk_by_mut(|a, b| (a.contact, a.is_turning) == (b.contact, b.is_turning)) {
            let all: f64 = rows.iter().map(|row| row.scale.powi(-2)).sum();
            rows.iter_mut().for_each(|row| row.scale = 1.0 / all.sqrt());
        }
    }

    /// The same with those that no impulse moves.
    fn gather_all(&mut self, problem: &ContactProblem) {
        self.rows.clear();
        let planar = problem.dimension == ContactDimension::Two;
        let places = problem.places();
        for (index, contact) in problem.contacts.iter().enumerate() {
            let axes = [contact.frame.normal(), contact.frame.tangent(), &contact.frame.binormal()];
            let dimensions = if planar { 2 } else { 3 };
            let held = match contact.response {
                Response::Cone(Cone::Bilateral) => 0..dimensions,
                Response::Cone(Cone::BilateralNormal) => 0..1,
                Response::Cone(Cone::BilateralTangential) => 1..dimensions,
                _ => 0..0,
            };
            let places = places.get(index).copied().unwrap_or_default();
            self.rows.extend(held.map(|k| Row { places, ..Row::of_impulse(contact, index, k, axes[k]) }));
            if let Some(&Angular::Held { shift, compliance, axes: held }) = contact.angular() {
                let turning = (if planar { 2..3 } else { 0..3 }).filter(|k| held[*k]);
                self.rows.extend(turning.map(|k| Row::of_moment(contact, index, k, axes[k], (shift[k], compliance[k]))));
            }
        }
    }

    /// Entries of W off the diagonal, scaled.
    fn couple(&mut self, problem: &ContactProblem) {
        let bodies = &problem.bodies;
        let mut at: Vec<(usize, usize, usize)> = Vec::with_capacity(2 * self.rows.len());
        for (i, row) in self.rows.iter().enumerate() {
            at.extend((0..2).map(|k| (row.bodies[k], i, k)));
        }
        at.sort_unstable();
        self.edges.clear();
        self.entries.clear();
        self.own.clear();
        self.own.extend(self.rows.iter().map(|row| row.own_response(problem) * row.scale * row.scale));
        for group in at.chunk_by(|a, b| a.0 == b.0) {
            let body = &bodies[group[0].0];
            if body.inverse_mass == Vec3::zeros() && body.inverse_inertia.matrix() == nalgebra::Matrix3::zeros() {
                continue;
            }
            for (place, &(_, j, kj)) in group.iter().enumerate() {
                let (v, w) = self.rows[j].response(kj, bodies);
                for &(_, i, ki) in &group[..place] {
                    if i == j {
                        continue;
                    }
                    let (a, b) = (&self.rows[i], &self.rows[j]);
                    self.edges.push((i, j));
                    self.entries.push((a.forces[ki].dot(&v) + a.moments[ki].dot(&w)) * a.scale * b.scale);
                }
            }
        }
        self.couple_softly(problem);
    }

    /// The same through deformable bodies.
    fn couple_softly(&mut self, problem: &ContactProblem) {
        let soft: Vec<usize> = (0..self.rows.len()).filter(|i| self.rows[*i].places[0].is_some()).collect();
        for (place, &j) in soft.iter().enumerate() {
            for &i in &soft[..place] {
                let (a, b) = (&self.rows[i], &self.rows[j]);
                let response = a.soft_response(b, problem);
                if response != 0.0 {
                    self.edges.push((i, j));
                    self.entries.push(response * a.scale * b.scale);
                }
            }
        }
    }

    /// The factor, with so much added to the diagonal as it needs; `None` where nothing helps.
    fn factorise(&mut self) -> Option<()> {
        let n = self.rows.len();
        if !self.kept.as_ref().is_some_and(|(p, _)| p.size() == n && p.edges() == self.edges) {
            let pattern = SymmetricPattern::from_edges(n, &self.edges).ok()?;
            let cholesky = Cholesky::analyse(&pattern).ok()?;
            self.kept = Some((pattern, cholesky));
        }
        let (pattern, cholesky) = self.kept.as_mut()?;
        let mut added = ADDED;
        while added <= MOST_ADDED {
            let mut matrix = SymmetricMatrix::zeros(pattern);
            for (edge, entry) in self.entries.iter().enumerate() {
                matrix.add(edge, *entry);
            }
            for (i, own) in self.own.iter().enumerate() {
                matrix.add_diagonal(i, own + added);
            }
            if cholesky.factorise(&matrix).is_ok() {
                self.added = added;
                return Some(());
            }
            added *= 100.0;
        }
        None
    }

    /// Takes out of a vector of scaled impulses what does nothing: combinations of rows that repeat each other. With ε added to the diagonal the part
    /// (ε (W + ε)⁻¹)³ of a vector is all of what W makes zero, and next to nothing of the rest. Where rows contradict each other by rounding (three rods of a
    /// platform, 1e-16 of their length over h), a solution of W + ε has that over ε along such a combination, and it would add up from step to step.
    fn purge(&mut self, impulses: &mut [f64]) {
        let Some((_, cholesky)) = &mut self.kept else { return };
        let size = |x: &[f64]| x.iter().map(|v| v * v).sum::<f64>().sqrt();
        for _ in 0..PURGES {
            let mut nothing = impulses.to_vec();
            for _ in 0..SOUGHT {
                if cholesky.solve_in_place(&mut nothing).is_err() {
                    return;
                }
                nothing.iter_mut().for_each(|x| *x *= self.added);
                if size(&nothing) <= OPEN * size(impulses) {
                    return;
                }
            }
            impulses.iter_mut().zip(&nothing).for_each(|(x, n)| *x -= n);
        }
    }

    /// Of the impulses that hold the rows alike takes the least (each impulse and moment counted by the trace of its W), where all rows are of
    /// contacts from `first` on: what contacts push is theirs to say. `lacked` is what the worst row lacks; where it would lack more, all stays as it is.
    fn take_least(&mut self, problem: &mut ContactProblem, first: usize, lacked: f64) {
        if self.rows.iter().any(|row| row.contact < first) {
            return;
        }
        let now: Vec<f64> = self.rows.iter().map(|row| *row.impulse(&mut problem.contacts) / row.scale).collect();
        let mut least = now.clone();
        self.purge(&mut least);
        if least == now {
            return;
        }
        let soft = self.rows.iter().any(|row| row.places[0].is_some());
        let (bodies, compliances) = (problem.bodies.clone(), soft.then(|| problem.compliances.clone()));
        for ((row, now), least) in self.rows.iter().zip(&now).zip(&least) {
            row.push_more((least - now) * row.scale, problem);
        }
        // what an impulse alone gives rounds
        let given = self.rows.iter().zip(&now).map(|(row, now)| (now / row.scale).abs()).fold(0.0, f64::max);
        if worst(&self.rows, problem) > 2.0 * lacked + ROUNDINGS * f64::EPSILON * given {
            self.rows.iter().zip(&now).for_each(|(row, now)| *row.impulse(&mut problem.contacts) = now * row.scale);
            problem.bodies = bodies;
            problem.compliances = compliances.unwrap_or_else(|| std::mem::take(&mut problem.compliances));
        }
    }

    /// Moves the impulses of the bilateral rows, and the velocities with them, until every row holds; the velocities must be those of the
    /// impulses. Where all rows are of contacts from `first` on, they are the least of those that do. Returns what the worst row still lacks [m/s or rad/s],
    /// as it is where no factor was found.
    pub fn settle(&mut self, problem: &mut ContactProblem, first: usize) -> f64 {
        self.gather(problem);
        if self.rows.is_empty() {
            return 0.0;
        }
        self.couple(problem);
        let mut last = worst(&self.rows, problem);
        if self.factorise().is_none() {
            return last;
        }
        for _ in 0..REFINEMENTS {
            let mut change: Vec<f64> = self.rows.iter().map(|row| -row.lacks(problem) * row.scale).collect();
            let Some((_, cholesky)) = &mut self.kept else { return last };
            if cholesky.solve_in_place(&mut change).is_err() {
                return last;
            }
            self.purge(&mut change);
            for (row, x) in self.rows.iter().zip(&change) {
                row.push_more(x * row.scale, problem);
            }
            let now = worst(&self.rows, problem);
            if now > 0.5 * last || now == 0.0 {
                last = now;
                break;
            }
            last = now;
        }
        self.take_least(problem, first, last);
        last
    }
}
