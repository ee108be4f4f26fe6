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
    if problem.compliances.is_empty() {
        // what no two bodies at all are, no two in contact are
        let moving = problem.bodies.iter().map(|body| body.inverse_mass.max()).filter(|inverse| *inverse > 0.0);
        let range = moving.fold([f64::INFINITY, 0.0], |[least, most], inverse| [inverse.min(least), inverse.max(most)]);
        return heavy(range) && problem.contacts.iter().any(|c| heavy([inverse(c.candidate), inverse(c.antagonist)]));
    }
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

/// Whether contacts that rise by their pairs, as those of a model do, have more pairs of moving bodies than there are such bodies.
fn has_loops_at_sight(problem: &ContactProblem) -> bool {
    if !problem.compliances.is_empty() {
        return false;
    }
    let moves = |body: usize| problem.bodies[body].moves();
    let most = problem.bodies.iter().filter(|body| body.moves()).count();
    let (mut pairs, mut last) = (0, None);
    problem.contacts.iter().any(|c| {
        let pair = Some([c.candidate.min(c.antagonist), c.candidate.max(c.antagonist)]);
        if pair > last && moves(c.candidate) && moves(c.antagonist) {
            (pairs, last) = (pairs + 1, pair);
        }
        pairs > most
    })
}

/// Whether the network of bodies has no loops: no more pairs in contact than bodies that move, the prescribed ones being one.
pub(crate) fn is_stack(problem: &ContactProblem) -> bool {
    if has_loops_at_sight(problem) {
        return false;
    }
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

#[cfg(test)]
mod tests {
    use nalgebra::Vector3;

    use super::*;
    use crate::problem::{Body, Contact, ContactDimension, Frame};

    /// Balls of these inverse masses, 0 of one that stands still, which touch in these pairs in this order.
    fn touching(inverse: &[f64], pairs: &[[usize; 2]]) -> ContactProblem {
        let mut problem = ContactProblem::new(ContactDimension::Three);
        let (zero, up) = (Vector3::zeros(), Vector3::z());
        for w in inverse {
            problem.push_body(if *w == 0.0 { Body::fixed() } else { Body::ball(zero, zero, *w, 2.5 * w) });
        }
        for [c, a] in pairs {
            problem.push_contact(Contact::new(*c, *a, Frame::from_normal(up), -up, up));
        }
        problem
    }

    /// Loops are seen in any order of contacts, several points of one pair being one pair, and the still bodies one body.
    #[test]
    fn loops_tell_a_packing_from_a_stack() {
        let light = [1.0; 4];
        let tower = [[1, 0], [2, 1], [3, 2], [3, 2], [3, 2], [3, 2], [3, 2]];
        let ring = [[0, 1], [0, 2], [0, 3], [1, 2], [2, 3]];
        for turned in [false, true] {
            let order = |pairs: &[[usize; 2]]| -> Vec<[usize; 2]> {
                if turned { pairs.iter().rev().map(|[a, b]| [*b, *a]).collect() } else { pairs.to_vec() }
            };
            assert_eq!(Network::of(&touching(&light, &order(&tower))), Network::Stack);
            assert_eq!(Network::of(&touching(&light, &order(&ring))), Network::Packing);
            // the same ring with two of its bodies still: pairs (0, still), (1, still) twice, (0, 1)
            assert_eq!(Network::of(&touching(&[1.0, 1.0, 0.0, 0.0], &order(&ring[..4]))), Network::Packing);
            assert_eq!(Network::of(&touching(&[1.0, 0.0, 0.0, 0.0], &order(&ring[..3]))), Network::Stack);
        }
    }

    /// A ratio of masses counts where the two touch.
    #[test]
    fn weights_are_told_where_they_lie_on_light_bodies() {
        let ring = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
        assert_eq!(Network::of(&touching(&[1.0, 1.0, 1.0, 1.0 / 501.0], &ring)), Network::HeavyOnLight);
        assert_eq!(Network::of(&touching(&[1.0, 1.0, 1.0, 1.0 / 499.0], &ring)), Network::Packing);
        assert_eq!(Network::of(&touching(&[1.0, 1.0, 1.0, 0.0], &ring)), Network::Packing);
        // the light one does not touch the heavy one
        let apart = [[0, 1], [0, 2], [1, 2], [2, 3], [0, 4], [1, 4], [2, 4], [3, 4]];
        assert_eq!(Network::of(&touching(&[1.0, 30.0, 30.0, 900.0, 30.0], &apart)), Network::Packing);
    }
}
