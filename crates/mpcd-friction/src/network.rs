//! What the bodies of a problem are to each other, as far as the choice of a solver asks. No impulses.

use crate::problem::ContactProblem;

/// Ratio of masses from which a body lies on one that is much lighter.
const HEAVY: f64 = 500.0;

/// Whether bonds of the problem are springs beside contacts.
pub(crate) fn has_springs(problem: &ContactProblem) -> bool {
    problem.laws.iter().any(|law| law.springs().is_some())
}

/// What the bodies are to each other, as far as the choice asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Network {
    Stack,
    HeavyOnLight,
    Packing,
}

impl Network {
    pub(crate) fn of(problem: &ContactProblem) -> Self {
        if is_stack(problem) {
            return Self::Stack;
        }
        if has_heavy_on_light(problem) { Self::HeavyOnLight } else { Self::Packing }
    }
}

/// Whether a body lies on one that is much lighter.
fn has_heavy_on_light(problem: &ContactProblem) -> bool {
    let inverse = |body: usize| problem.bodies[body].inverse_mass.max();
    let heavy = |[a, b]: [f64; 2]| a.min(b) > 0.0 && a.max(b) > HEAVY * a.min(b);
    let mut sides: Vec<[f64; 2]> = problem.contacts.iter().map(|c| [inverse(c.candidate), inverse(c.antagonist)]).collect();
    for (contact, body, at) in
        problem.compliances.iter().flat_map(|body| body.contacts.iter().enumerate().map(move |(at, c)| (*c, body, at)))
    {
        if let Some(side) = sides[contact].iter_mut().find(|side| **side == 0.0) {
            *side = body.matrix[(3 * at, 3 * at)];
        }
    }
    sides.into_iter().any(heavy)
}

/// Whether a heavy body lies on a packing.
pub(crate) fn is_under_weights(problem: &ContactProblem) -> bool {
    has_heavy_on_light(problem) && !is_stack(problem)
}

/// Whether the network of bodies has no loops: no more pairs in contact than bodies that move, the prescribed ones being one.
pub(crate) fn is_stack(problem: &ContactProblem) -> bool {
    let name = |body: usize| if problem.bodies[body].moves() { body } else { usize::MAX };
    let mut pairs: Vec<[usize; 2]> =
        problem.contacts.iter().map(|c| [name(c.candidate), name(c.antagonist)]).map(|[a, b]| [a.min(b), a.max(b)]).collect();
    // a deformable body stands where nothing moves
    for (contact, body) in problem.compliances.iter().enumerate().flat_map(|(k, c)| c.contacts.iter().map(move |i| (*i, k))) {
        let body = problem.bodies.len() + body;
        let [a, b] = pairs[contact];
        if b == usize::MAX {
            pairs[contact] = if a == usize::MAX { [body, b] } else { [a, body] };
        } else {
            pairs.push([a, body]);
        }
    }
    // on what stands still alone no weight has far to go, and a deformable body has loops within itself
    if !problem.compliances.is_empty() && pairs.iter().all(|[_, b]| *b == usize::MAX) {
        return false;
    }
    pairs.sort_unstable();
    pairs.dedup();
    let mut bodies: Vec<usize> = pairs.iter().flatten().copied().filter(|body| *body != usize::MAX).collect();
    bodies.sort_unstable();
    bodies.dedup();
    pairs.len() <= bodies.len()
}
