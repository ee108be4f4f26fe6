//! Resistance to rolling of bodies that rest on several points. A point resists by a moment, which stands for what its small area has to one side; a
//! face has points for that, and where both could carry a moment nothing tells them apart: a brick that slides, which does not roll, would have open moments
//! that shift its normal forces and turn it. So the points of a face are tried without moments. Where it does not roll that is the answer of the whole law
//! (|M| ≤ μ_r r_n asks nothing where nothing rolls); where it does, its moments are given back, and the problem is solved again.
//!
//! What may not live here: the law itself (`law::coulomb`), the moments (`mpcd-friction`).

use std::ops::Range;

use mpcd_core::Vec3;
use mpcd_friction::{
    RigidSolver, SolveInfo, SolveSettings, acceptance,
    problem::{Angular, ContactDimension, ContactProblem, ProblemError},
};
use mpcd_geometry::Touch;

use super::Assembly;

/// Cosine of the angle between normals up to which points of a pair lie on one face.
const ALIKE: f64 = 0.999;
/// Width over length below which a face is a line, about which nothing but a moment resists.
const NARROW: f64 = 1e-6;

/// The points of one pair on one face, which are tried without the moments that they can do without.
#[derive(Debug, Clone)]
pub(crate) struct Spread {
    /// Contacts of the problem.
    contacts: Range<usize>,
    rolling: f64,
    spinning: f64,
    normal: Vec3,
    /// Of a line, its direction: about that a moment is left.
    line: Option<Vec3>,
    /// How far the points lie apart (m).
    length: f64,
}

impl Assembly {
    /// Takes the moments of the points of faces out of the problem.
    pub(super) fn spread_rolling(&mut self) {
        let Self { touches, active, problem, spread, turns, .. } = self;
        spread.clear();
        if !*turns {
            return;
        }
        let mut begin = 0;
        while begin < active.len() {
            let first = &touches[active[begin]];
            let alike = |k: &usize| {
                let next = &touches[*k];
                let pair = |t: &Touch| (t.key.candidate, t.key.antagonist);
                pair(next) == pair(first) && next.frame.n.dot(&first.frame.n) > ALIKE
            };
            let count = active[begin..].iter().take_while(|k| alike(k)).count();
            let contacts = begin..begin + count;
            begin = contacts.end;
            let Some([rolling, spinning]) = resistance(problem, contacts.start).filter(|_| count > 1) else { continue };
            let points: Vec<Vec3> = active[contacts.clone()].iter().map(|k| touches[*k].point).collect();
            let Some((line, length)) = apart(&points, &first.frame.n) else { continue };
            let planar = problem.dimension == ContactDimension::Two;
            let face = Spread { contacts, rolling, spinning, normal: first.frame.n, line: line.filter(|_| !planar), length };
            face.take(problem);
            spread.push(face);
        }
    }
}

/// Gives the moments back to faces that roll, and solves again, until none is left that rolls without.
pub(crate) fn let_roll(
    assembly: &mut Assembly,
    solver: &mut dyn RigidSolver,
    settings: &SolveSettings,
    solve: impl Fn(&mut Assembly, &mut dyn RigidSolver) -> Result<SolveInfo, ProblemError>,
    add: impl Fn(&mut SolveInfo, SolveInfo),
) -> Result<SolveInfo, ProblemError> {
    if assembly.spread.is_empty() {
        return solve(assembly, solver);
    }
    let free = assembly.problem.motion();
    let mut info = solve(assembly, solver)?;
    loop {
        let Assembly { problem, spread, .. } = assembly;
        let before = spread.len();
        spread.retain(|face| {
            let rolls = face.rolls(problem, settings.tolerance);
            if rolls {
                face.give_back(problem);
            }
            !rolls
        });
        if spread.len() == before {
            return Ok(info);
        }
        assembly.problem.set_motion(&free);
        let earlier = info;
        info = solve(assembly, solver)?;
        add(&mut info, earlier);
    }
}

impl Spread {
    fn take(&self, problem: &mut ContactProblem) {
        let &Self { rolling, spinning, .. } = self;
        for contact in &mut problem.contacts[self.contacts.clone()] {
            let about = self.line.map(|line| {
                let local = contact.frame.to_local(&line);
                let size = local.y.hypot(local.z);
                [local.y / size, local.z / size]
            });
            let rolling = if about.is_some() { rolling } else { 0.0 };
            contact.set_angular(Some(Angular::Resistance { rolling, spinning, about }));
        }
    }

    fn give_back(&self, problem: &mut ContactProblem) {
        let &Self { rolling, spinning, .. } = self;
        for contact in &mut problem.contacts[self.contacts.clone()] {
            contact.set_angular(Some(Angular::Resistance { rolling, spinning, about: None }));
        }
    }

    /// Whether the pair rolls about an axis about which no moment is left to its points, by more than an accepted solve leaves open.
    fn rolls(&self, problem: &ContactProblem, tolerance: f64) -> bool {
        let Some(contact) = problem.contacts.get(self.contacts.start) else { return false };
        let spin = |body: usize| problem.bodies.get(body).map_or_else(Vec3::zeros, |b| b.angular_velocity);
        let mut roll = spin(contact.candidate) - spin(contact.antagonist);
        roll -= self.normal * self.normal.dot(&roll);
        if let Some(line) = &self.line {
            roll -= line * line.dot(&roll);
        }
        // what the impulses of the points change
        let given = |k: usize| problem.rigid_block(k)[(0, 0)] * problem.contacts[k].impulse.x.max(0.0);
        let speed = self.contacts.clone().map(given).fold(0.0, f64::max);
        speed > 0.0 && roll.norm() * self.length > acceptance::SPEED * tolerance * speed
    }
}

fn resistance(problem: &ContactProblem, contact: usize) -> Option<[f64; 2]> {
    match problem.contacts.get(contact)?.angular() {
        Some(Angular::Resistance { rolling, spinning, .. }) => Some([*rolling, *spinning]),
        _ => None,
    }
}

/// The direction of the line on which points lie, if they do, and how far they are apart (m); nothing where they are one.
fn apart(points: &[Vec3], normal: &Vec3) -> Option<(Option<Vec3>, f64)> {
    let flat = |v: Vec3| v - normal * normal.dot(&v);
    let pairs = points.iter().enumerate().flat_map(|(k, a)| points[..k].iter().map(move |b| flat(a - b)));
    let longest = pairs.fold(Vec3::zeros(), |long, new| if new.norm() > long.norm() { new } else { long });
    let length = longest.norm();
    if length == 0.0 {
        return None;
    }
    let along = longest / length;
    let side = normal.cross(&along);
    let width = points.iter().map(|p| side.dot(&(p - points[0])).abs()).fold(0.0, f64::max);
    Some(((width <= NARROW * length).then_some(along), length))
}
