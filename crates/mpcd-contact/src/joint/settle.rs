//! The solution of joints with the contacts: rows about the motion found, solved, and again about what came of it (Newton's method), until the
//! conditions hold at the step's end. Joints that no contact reaches need no sweeps: a factorisation solves them. With contacts, the
//! solver takes both, and the factorisation closes the joints with the contacts' impulses as they are.

use mpcd_core::{Kinematics, Mat3, Step, Vec3};
use mpcd_friction::{
    Bilateral, RigidSolver, SolveInfo, SolveSettings, Status,
    problem::{Body, Contact, ContactProblem, Motion, ProblemError},
    selection::judged,
};

use super::{
    Held, JointState, Joints, Stage,
    apart::{self, Apart},
    rows::{About, stiffened},
    swings::Swings,
    verdict::{ENOUGH, MISSED, fastest_of, given_by, obeys},
};
use crate::{assemble::Assembly, cell::CellStep, law::LawTable, motion::end_spin, phases, stages};

/// Most solves of contacts and joints in a step, and most iterations of the joints alone in each.
const ROUNDS: usize = 40;
const ITERATIONS: usize = 40;
/// What the joints may lack, over the speeds of their bodies; and in roundings of their places.
const ACCURACY: f64 = 1e-12;
const ROUNDINGS: f64 = 16.0;
/// Velocities that impulses give over those that there are without them, beyond which they grew without end: a heavy body and a light one are 10⁶ apart, and so may a load and a slow
/// drive be.
const GROWN: f64 = 1e12;
/// What joints and contacts together may miss, over the tolerance, where their rounds decide and not a solve.
const ROUNDS_MISS: f64 = 100.0;
/// How far the motion may be off what it was guessed to be, over the speeds of the bodies, where nothing more is asked.
const GUESSED: f64 = 1e-9;
/// Share of friction below which a contact is taken to stick, in even and odd rounds: those near the limit may be beyond it after.
const SURE: [f64; 2] = [0.9, 1.0 - 1e-6];
/// Share of the velocity that a joint's impulse alone gives below which a change is rounding, over the tolerance.
const CLOSE: f64 = 1e-6;
/// What a solution of the joints came to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Settled {
    pub(super) iterations: usize,
    /// What the worst row lacks over the fastest body's speed.
    lacks: f64,
    enough: bool,
}

/// Solves the assembled problem with its joints.
pub(crate) fn solve(
    joints: &mut Joints,
    assembly: &mut Assembly,
    laws: &LawTable,
    cell: Option<&CellStep>,
    solver: &mut dyn RigidSolver,
    settings: &SolveSettings,
    stage: &Stage<'_>,
) -> Result<SolveInfo, ProblemError> {
    let mut free = assembly.problem.motion();
    let first = assembly.problem.contacts.len() - joints.rows.len();
    if first == 0 {
        // what no joint holds is free, and nothing solves it
        joints.bodies.iter().for_each(|&i| guess(&mut assembly.problem.bodies[i], stage.before, i));
        start_meshes(&mut assembly.problem, stage);
        let mut settled = joints.settle(&mut assembly.problem, &mut free, stage);
        let agrees = |joints: &Joints, problem: &ContactProblem| joints.agree(problem, settings.tolerance, stage);
        let mut times = 0;
        while !(settled.enough && agrees(joints, &assembly.problem)) && joints.loosen(stage, &mut times) {
            joints.bodies.iter().for_each(|&i| guess(&mut assembly.problem.bodies[i], stage.before, i));
            settled = joints.settle(&mut assembly.problem, &mut free, stage);
        }
        settled.enough &= agrees(joints, &assembly.problem);
        restore(&mut assembly.problem.bodies, &free.bodies);
        return Ok(settled.report(solver.name()));
    }
    // What moves, what impulses gave in the step before, and what joints ask for: those of springs and drives are of no free motion.
    let extent = stage.now.position.iter().map(|x| x.norm()).fold(0.0, f64::max);
    let known = fastest_of(&free.bodies, stage.before).max(given_by(&assembly.problem, &assembly.problem.contacts));
    let asked = assembly.problem.contacts[first..].iter().map(|rows| rows.velocity_shift.norm()).fold(0.0, f64::max);
    let known = known.max(MISSED * extent / stage.step.h).max(asked);
    assembly.ample.learn_joints(&assembly.problem, first);
    let mut info: Option<SolveInfo> = None;
    let may = stage.seats.is_empty() && assembly.struck.is_empty() && assembly.problem.cell.is_none();
    let mut apart = Apart::new(may, solver, settings);
    let mut begun = apart.may().then(|| (assembly.problem.contacts[first..].to_vec(), joints.held.clone()));
    let mut swings = Swings::default();
    let mut loosened = 0;
    for round in 0..ROUNDS {
        if let Some((rows, held)) = begun.as_ref().filter(|_| apart.turns()) {
            // What the rounds before made of the rows need not be near a solution.
            assembly.problem.set_motion(&free);
            assembly.problem.contacts.truncate(first);
            assembly.problem.contacts.extend_from_slice(rows);
            joints.held.clone_from(held);
        } else if round > 0 {
            if swings.halve(&mut assembly.problem, first) {
                joints.go_on(&mut assembly.problem, &mut free, stage);
            }
            // About the velocities found, as the rows are.
            let found = assembly.problem.bodies.clone();
            assembly.problem.set_motion(&free);
            joints.stiffen(&mut assembly.problem, (&free.bodies, &found), stage);
        }
        let begins = round == 0 || apart.begins();
        let asked = *apart.settings();
        let found_of = |assembly: &mut Assembly, solver: &mut dyn RigidSolver| {
            if begins {
                phases::solve(assembly, laws, stage.before, cell, solver, &asked)
            } else {
                solver.solve(&mut assembly.problem, &asked)
            }
        };
        let without = if !assembly.struck.is_empty() {
            None
        } else if apart.is_on() {
            joints.take_out(&assembly.problem, first)
        } else {
            joints.eliminate(&assembly.problem, first, stage)
        };
        let eliminated = without.is_some();
        let is_out = apart.is_on() && eliminated;
        if apart.is_on() && !eliminated {
            apart.give_up();
        }
        let (found, before) = if let Some(mut without) = without {
            std::mem::swap(&mut assembly.problem, &mut without.problem);
            let found = found_of(assembly, solver)?;
            let before = joints.contact_velocities(&assembly.problem, first);
            std::mem::swap(&mut assembly.problem, &mut without.problem);
            joints.take_without(&mut assembly.problem, without);
            (found, before)
        } else {
            let aside = assembly.problem.contacts.split_off(first + joints.coupled);
            let found = found_of(assembly, solver)?;
            assembly.problem.contacts.extend(aside);
            joints.take_impulses(&assembly.problem);
            if round == 0 && joints.coupled < joints.rows.len() {
                joints.start_apart(&mut assembly.problem.bodies, stage.before);
            }
            let before = joints.contact_velocities(&assembly.problem, first);
            (found, before)
        };
        // What may let go is let go before a solve fails: of what it holds with the rest there may be no motion.
        if !found.status.is_success() && round + 1 < ROUNDS && joints.loosen(stage, &mut loosened) {
            start(&mut assembly.problem.bodies, stage.before);
            joints.place(&assembly.problem.bodies, stage);
            joints.renew(&mut assembly.problem, &mut free, stage);
            begun = begun.map(|_| (assembly.problem.contacts[first..].to_vec(), joints.held.clone()));
            info = Some(apart::joined(info.take(), found, is_out));
            continue;
        }
        // Newton's method on joints and contacts together, as long as the rows are far from where it leads: with the impulses of the contacts held, joints under
        // great loads would go their own way.
        let goes_on = is_out && found.status.is_success() && round + 1 < ROUNDS;
        if goes_on && joints.go_on(&mut assembly.problem, &mut free, stage) {
            apart.learn(&found);
            info = Some(apart::joined(info.take(), found, is_out));
            continue;
        }
        let holds = round > 0 && !(eliminated && found.status.is_success());
        let (settled, lawful) = if holds {
            joints.settle_holding(&mut assembly.problem, (first, SURE[round % 2], settings.tolerance), &mut free, stage)
        } else {
            (joints.settle(&mut assembly.problem, &mut free, stage), true)
        };
        let after = joints.contact_velocities(&assembly.problem, first);
        let change = before.iter().zip(&after).map(|(a, b)| (a - b).norm()).fold(0.0, apart::greater);
        let scale = joints.fastest_about(&assembly.problem, first) + CLOSE * joints.given(&assembly.problem, stage);
        // At rest nothing is left of the speeds but what the sums of impulses have rounded.
        let rounding = ROUNDINGS * f64::EPSILON * given_by(&assembly.problem, &assembly.problem.contacts[..first]);
        let least = settings.tolerance * scale + rounding;
        swings.see(change, &assembly.problem, first);
        apart.learn(&found);
        let mut joined = apart::joined(info.take(), found, is_out);
        // Sweeps may crawl on where the factorisation has ended: what the laws say decides.
        // Of impulses that grow without end rounding hides what the laws miss.
        let grew = known > 0.0 && given_by(&assembly.problem, &assembly.problem.contacts) > GROWN * known;
        let mut obeyed = round > 0 && settled.enough && !grew && obeys(&assembly.problem, first, least, settings.tolerance);
        if obeyed {
            if !joined.status.is_success()
                && let Ok(found) = judged(&mut assembly.problem.clone(), &free, settings)
            {
                obeyed = found.error() <= (ROUNDS_MISS * settings.tolerance).max(ENOUGH);
                if obeyed {
                    (joined.errors, joined.worst, joined.violation) = (found.errors, found.worst, found.violation);
                }
            }
            if obeyed {
                joined.status = Status::Converged;
                joined.errors.scaled = joined.errors.scaled.min(settings.tolerance);
            }
        }
        // Impulses that were found without the joints are taken where the whole, with its joints closed, is what every solve has to be.
        let judges = is_out && settled.enough && joined.status.is_success();
        let agrees = joints.agree(&assembly.problem, settings.tolerance, stage);
        let fits = judges && agrees && apart.fits(&assembly.problem, &free, (settings, &mut joined));
        let close = if judges { fits } else { obeyed || lawful && change <= least };
        // Joints have moved bodies since the bonds were asked what they hold.
        let rises = close && joined.status.is_success() && stages::raise_after(assembly, laws, settings.tolerance);
        if rises && round + 1 < ROUNDS {
            info = Some(joined);
            continue;
        }
        let agree = if judges { fits } else { obeyed || lawful && change <= 100.0 * least };
        let refused = rises || grew || !settled.enough || !agrees || !agree;
        let is_last = round + 1 == ROUNDS;
        if is_last || close && !(apart.is_on() && (refused || !joined.status.is_success())) {
            if joined.status.is_success() && refused {
                apart::refuse(&mut joined, [settled.lacks, change / scale]);
            }
            restore(&mut assembly.problem.bodies, &free.bodies);
            return Ok(joined);
        }
        info = Some(joined);
    }
    unreachable!("a step has at least one round")
}

/// Nodes that begin with the velocities before the step where they respond.
fn start(nodes: &mut [Body], before: &Kinematics) {
    for (i, node) in nodes.iter_mut().take(before.len()).enumerate() {
        guess(node, before, i);
    }
}

/// The same of what joints end on of meshes.
fn start_meshes(problem: &mut ContactProblem, stage: &Stage<'_>) {
    for seat in stage.seats {
        let seen = problem.contacts[seat.contact].frame.to_local(&(stage.spots[seat.mark].velocity * seat.sign));
        problem.compliances[seat.compliance].velocity[seat.at] = seen;
    }
}

fn guess(node: &mut Body, before: &Kinematics, i: usize) {
    let inertia = node.inverse_inertia.matrix();
    for k in 0..3 {
        if node.inverse_mass[k] > 0.0 {
            node.velocity[k] = before.velocity[i][k];
        }
        if inertia[(k, k)] > 0.0 {
            node.angular_velocity[k] = before.angular_velocity[i][k];
        }
    }
}

/// Gives the nodes their own inertia back.
fn restore(nodes: &mut [Body], free: &[Body]) {
    for (node, own) in nodes.iter_mut().zip(free) {
        (node.inverse_mass, node.inverse_inertia) = (own.inverse_mass, own.inverse_inertia);
    }
}

/// How far the spin of a body is off another, at the end of its radius of gyration [m/s].
fn off_in_turning(body: &Body, other: &Body) -> f64 {
    (body.angular_velocity - other.angular_velocity).norm() * body.gyration()
}

impl Settled {
    fn report(&self, solver: &'static str) -> SolveInfo {
        let mut info = SolveInfo::no_contact(solver);
        info.iterations = self.iterations;
        info.errors.scaled = if self.enough { 0.0 } else { self.lacks };
        info.status = if self.enough { Status::Converged } else { Status::MaxIterations };
        info
    }
}

impl Joints {
    /// Appends the rows of the joints that hold to the problem, and a node for the ground.
    pub(crate) fn append(&mut self, problem: &mut ContactProblem, stage: &Stage<'_>, last: &[JointState], warm: Option<f64>) {
        self.rows.clear();
        if self.all.is_empty() {
            return;
        }
        let reached = self.reached(problem, last, stage);
        problem.bodies.push(Body::fixed());
        self.held.clear();
        for (joint, state) in self.all.iter().zip(last) {
            let scale = warm.unwrap_or(0.0);
            let (impulse, moment) = (state.impulse * scale, state.moment * scale);
            let taut = joint.is_wire() && impulse != Vec3::zeros() || joint.is_at_full_length(stage.before, stage.spots);
            self.held.push(Held { impulse, moment, taut, last: state.travelled, grip: state.grip, ..Held::default() });
        }
        let holds = (0..self.all.len()).filter(|k| !last[*k].broken);
        let (mut coupled, apart): (Vec<usize>, Vec<usize>) = holds.partition(|k| reached[self.all[*k].candidate.index()]);
        self.coupled = coupled.len();
        coupled.extend(apart);
        self.rows = coupled;
        let free = problem.bodies.clone();
        start(&mut problem.bodies, stage.before);
        self.place(&problem.bodies, stage);
        self.ahead_spots = stage.spots.to_vec();
        self.gives = vec![0.0; stage.spots.len()];
        self.place_spots(stage);
        for row in 0..self.rows.len() {
            let rows = self.row(row, problem, stage);
            problem.contacts.push(rows);
        }
        problem.bodies = free;
    }

    /// The rows of joint number `row` of those that hold.
    fn row(&self, row: usize, problem: &ContactProblem, stage: &Stage<'_>) -> Contact {
        let about = About {
            before: stage.before,
            ahead: &self.ahead,
            nodes: &problem.bodies,
            step: stage.step,
            spots: [stage.spots, &self.ahead_spots],
            gives: &self.gives,
        };
        let k = self.rows[row];
        self.all[k].rows(&about, &self.held[k])
    }

    /// Bodies that contacts reach, directly or through joints or meshes: whatever holds a mesh is one with its contacts.
    fn reached(&self, problem: &ContactProblem, last: &[JointState], stage: &Stage<'_>) -> Vec<bool> {
        let moves = |i: usize| {
            let node = &problem.bodies[i];
            let deformable = stage.bodies.get(i).is_some_and(|b| b.deformable);
            deformable || node.inverse_mass != Vec3::zeros() || node.inverse_inertia.matrix() != Mat3::zeros()
        };
        let mut reached = vec![false; problem.bodies.len()];
        for joint in self.all.iter().filter(|j| j.is_on_mesh()) {
            [Some(joint.candidate), joint.antagonist].iter().flatten().for_each(|b| reached[b.index()] = true);
        }
        for contact in &problem.contacts {
            for i in [contact.candidate, contact.antagonist] {
                reached[i] |= moves(i);
            }
        }
        // A joint whose candidate stays where it is counts by its antagonist: both are marked.
        loop {
            let mut more = false;
            for (joint, _) in self.all.iter().zip(last).filter(|(_, s)| !s.broken) {
                let ends = [Some(joint.candidate.index()), joint.antagonist.map(mpcd_core::BodyId::index)];
                if ends.iter().flatten().any(|&i| reached[i] && moves(i)) {
                    for &i in ends.iter().flatten() {
                        more |= !reached[i];
                        reached[i] = true;
                    }
                }
            }
            if !more {
                return reached;
            }
        }
    }

    /// Moves the bodies of joints to where the velocities of the nodes lead.
    pub(super) fn place(&mut self, nodes: &[Body], stage: &Stage<'_>) {
        if self.ahead.len() != stage.now.len() {
            self.ahead.clone_from(stage.now);
        }
        let reach = stage.step.h * stage.step.theta;
        for &i in &self.bodies {
            let body = &stage.bodies[i];
            let given = (&stage.free_spin[i], &stage.torque[i]);
            let spin = end_spin(body, stage.step, given, &nodes[i], stage.before, stage.now, i);
            let start = (&stage.before.orientation[i], &stage.before.angular_velocity[i]);
            self.ahead.size[i] = stage.now.size[i];
            self.ahead.position[i] = stage.now.position[i] + nodes[i].velocity * reach;
            self.ahead.orientation[i] = body.orientation_after(start, &stage.now.orientation[i], &spin, stage.step);
        }
    }

    /// The same of what they end on of meshes, by its velocities.
    fn place_spots(&mut self, stage: &Stage<'_>) {
        let Step { h, theta, .. } = *stage.step;
        for (ahead, before) in self.ahead_spots.iter_mut().zip(stage.spots) {
            ahead.place = before.place + (ahead.velocity * theta + before.velocity * (1.0 - theta)) * h;
        }
    }

    /// Takes the velocities of what joints end on of meshes from the problem, and places it.
    fn read_spots(&mut self, problem: &ContactProblem, stage: &Stage<'_>) {
        for seat in stage.seats {
            let compliance = &problem.compliances[seat.compliance];
            let seen = problem.contacts[seat.contact].frame.to_world(&compliance.velocity[seat.at]);
            self.ahead_spots[seat.mark].velocity = seen * seat.sign;
            self.gives[seat.mark] = compliance.block(seat.at, seat.at).trace();
        }
        self.place_spots(stage);
    }

    /// Writes the rows about where the bodies of joints have come. Where their axes turn, what is known of meshes in these axes turns with them.
    pub(super) fn renew(&self, problem: &mut ContactProblem, free: &mut Motion, stage: &Stage<'_>) {
        let first = problem.contacts.len() - self.rows.len();
        for row in 0..self.rows.len() {
            let rows = self.row(row, problem, stage);
            let frame = rows.frame;
            let before = std::mem::replace(&mut problem.contacts[first + row], rows).frame;
            if before == frame {
                continue;
            }
            let by = frame.matrix().transpose() * before.matrix();
            let from = stage.seats.partition_point(|seat| seat.contact < first + row);
            for seat in stage.seats[from..].iter().take_while(|seat| seat.contact == first + row) {
                problem.compliances[seat.compliance].turn(seat.at, &by);
                let free = &mut free.compliances[seat.compliance][seat.at];
                *free = by * *free;
            }
        }
    }

    /// Takes what the rows of the problem hold.
    pub(super) fn take_impulses(&mut self, problem: &ContactProblem) {
        let first = problem.contacts.len() - self.rows.len();
        for (rows, &k) in problem.contacts[first..].iter().zip(&self.rows) {
            let held = &mut self.held[k];
            (held.impulse, held.moment) = (rows.world_impulse(), rows.world_moment());
        }
    }

    /// Joints that no contact reaches begin with the velocities before the step.
    fn start_apart(&self, nodes: &mut [Body], before: &Kinematics) {
        for &k in &self.rows[self.coupled..] {
            let joint = &self.all[k];
            for body in [Some(joint.candidate), joint.antagonist].into_iter().flatten() {
                guess(&mut nodes[body.index()], before, body.index());
            }
        }
    }

    /// Speed of the fastest body of a joint, turning counted at its radius of gyration [m/s].
    pub(super) fn fastest(&self, nodes: &[Body]) -> f64 {
        let speed = |node: &Body| node.velocity.norm().max(node.angular_velocity.norm() * node.gyration());
        let spots = self.ahead_spots.iter().map(|spot| spot.velocity.norm());
        self.bodies.iter().map(|&i| speed(&nodes[i])).chain(spots).fold(0.0, f64::max)
    }

    /// The same with the bodies that touch them.
    fn fastest_about(&self, problem: &ContactProblem, first: usize) -> f64 {
        let all = self.about(problem, first);
        let spots = self.ahead_spots.iter().map(|spot| spot.velocity.norm());
        all.iter().map(|&i| problem.bodies[i].velocity.norm()).chain(spots).fold(0.0, f64::max)
    }

    /// Bodies of joints and those that touch them, ascending.
    fn about(&self, problem: &ContactProblem, first: usize) -> Vec<usize> {
        let mut all = self.bodies.clone();
        for contact in &problem.contacts[..first] {
            let sides = [contact.candidate, contact.antagonist];
            if sides.iter().any(|i| self.bodies.binary_search(i).is_ok()) {
                all.extend(sides);
            }
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Largest velocity that a joint's impulse alone would give one of its bodies [m/s].
    pub(super) fn given(&self, problem: &ContactProblem, stage: &Stage<'_>) -> f64 {
        let of_mesh = stage.seats.iter().map(|seat| problem.contacts[seat.contact].impulse.norm() * self.gives[seat.mark]);
        let first = problem.contacts.len() - self.rows.len();
        of_mesh.fold(given_by(problem, &problem.contacts[first..]), f64::max)
    }

    /// Relative velocities of the contacts of bodies that joints hold.
    fn contact_velocities(&self, problem: &ContactProblem, first: usize) -> Vec<Vec3> {
        let holds = |i: usize| self.bodies.binary_search(&i).is_ok();
        let of = |k: usize| problem.relative_velocity(k).unwrap_or_default();
        (0..first).filter(|&k| holds(problem.contacts[k].candidate) || holds(problem.contacts[k].antagonist)).map(of).collect()
    }

    /// Gives the nodes the inertia that the impulses of joints add to their own, about the velocities `found`.
    fn stiffen(&self, problem: &mut ContactProblem, (free, found): (&[Body], &[Body]), stage: &Stage<'_>) {
        let planar = problem.dimension == mpcd_friction::problem::ContactDimension::Two;
        let mut more = vec![Mat3::zeros(); self.bodies.len()];
        for &k in &self.rows {
            let joint = &self.all[k];
            let added = joint.stiffness((&self.ahead, &self.ahead_spots), &self.held[k], stage.step);
            for (body, added) in [Some(joint.candidate), joint.antagonist].into_iter().zip(added) {
                if let Some(place) = body.and_then(|b| self.bodies.binary_search(&b.index()).ok()) {
                    more[place] += added;
                }
            }
        }
        for (&i, more) in self.bodies.iter().zip(&more) {
            problem.bodies[i] = stiffened(&free[i], more, &found[i], planar);
        }
        for (i, node) in problem.bodies.iter_mut().enumerate() {
            if self.bodies.binary_search(&i).is_err() {
                *node = free[i];
            }
        }
    }

    /// Solves the joints with all other impulses as they are. Nodes hold velocities to begin with, then those of the solution.
    pub(super) fn settle(&mut self, problem: &mut ContactProblem, free: &mut Motion, stage: &Stage<'_>) -> Settled {
        let size = |i: usize| stage.now.position[i].norm().max(free.bodies[i].gyration());
        let spots = stage.spots.iter().map(|spot| spot.place.norm());
        let extent = self.bodies.iter().map(|&i| size(i)).chain(spots).fold(0.0, f64::max);
        let rounding = ROUNDINGS * f64::EPSILON * extent / (stage.step.h * stage.step.theta);
        let held = self.about(problem, problem.contacts.len() - self.rows.len());
        let jointed = |i: usize| held.binary_search(&i).is_ok();
        let mut out = Settled { iterations: 0, lacks: f64::INFINITY, enough: false };
        // One wire after another may become taut along a chain.
        let most = ITERATIONS + self.rows.iter().filter(|&&k| self.all[k].is_wire()).count();
        for iteration in 1..=most {
            out.iterations = iteration;
            self.place(&problem.bodies, stage);
            self.read_spots(problem, stage);
            let changed = self.judge_wires() | self.judge_axes(stage, iteration > 1);
            self.renew(problem, free, stage);
            let found = problem.bodies.clone();
            restore(&mut problem.bodies, &free.bodies);
            problem.rebuild(&free.bodies, jointed);
            problem.rebuild_compliances(&free.compliances);
            let fastest = self.fastest(&problem.bodies);
            let lacks = Bilateral::lacks(problem);
            let given = self.given(problem, stage);
            let rounding = rounding + ROUNDINGS * f64::EPSILON * given;
            out.lacks = if lacks > 0.0 { lacks / (fastest + given) } else { 0.0 };
            // Rows are about the motion found before. In the first iteration that is a guess, and what is off it is off the rows to second order.
            let off = held.iter().map(|&i| {
                (problem.bodies[i].velocity - found[i].velocity).norm().max(off_in_turning(&problem.bodies[i], &found[i]))
            });
            let guessed = iteration == 1 && off.fold(0.0, f64::max) > GUESSED * fastest + rounding;
            let fits = !changed && !guessed && lacks <= ACCURACY * fastest + rounding;
            // What needs no solution has had none: a drive that no impulse moves gives all it can.
            let unled = fits && iteration == 1 && self.judge_axes(stage, true);
            if unled {
                self.renew(problem, free, stage);
            } else if fits {
                out.enough = true;
                return out;
            }
            // Where no more can be had each row of the factorisation has rounded what the impulses give.
            let solved = ROUNDINGS * f64::EPSILON * given * self.rows.len() as f64;
            out.enough = !changed && lacks <= ENOUGH * fastest + rounding + solved;
            if iteration == most {
                break;
            }
            problem.bodies.clone_from(&found);
            self.stiffen_and_solve(problem, &free.bodies, stage, &held);
        }
        out
    }

    fn stiffen_and_solve(&mut self, problem: &mut ContactProblem, free: &[Body], stage: &Stage<'_>, held: &[usize]) {
        let kept = problem.bodies.clone();
        self.stiffen(problem, (free, &kept), stage);
        let start = problem.bodies.clone();
        problem.rebuild(&start, |i| held.binary_search(&i).is_ok());
        for (i, node) in problem.bodies.iter_mut().enumerate() {
            if held.binary_search(&i).is_err() {
                *node = kept[i];
            }
        }
        let first = problem.contacts.len() - self.rows.len();
        self.bilateral.settle(problem, first);
        self.take_impulses(problem);
    }
}
