//! The same packing under other numbers: bodies at random, and bodies and contacts along a walk through the network.

use std::collections::VecDeque;

use mpcd_friction::problem::ContactProblem;

/// SplitMix64.
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// A number for each body, at random.
pub(crate) fn at_random(bodies: usize, seed: u64) -> Vec<usize> {
    let mut state = seed;
    let mut number: Vec<usize> = (0..bodies).collect();
    for k in (1..bodies).rev() {
        number.swap(k, (random(&mut state) % (k as u64 + 1)) as usize);
    }
    number
}

/// Numbers in the order in which a walk, breadth first, comes to the bodies that impulses move; the others last.
pub(crate) fn walked(problem: &ContactProblem) -> Vec<usize> {
    let bodies = problem.bodies.len();
    let moves: Vec<bool> = problem.bodies.iter().map(|body| body.inverse_mass.x != 0.0).collect();
    let mut first = vec![0_u32; bodies + 1];
    let ends = || problem.contacts.iter().map(|c| [c.candidate, c.antagonist]).filter(|ends| ends.iter().all(|k| moves[*k]));
    ends().flatten().for_each(|k| first[k + 1] += 1);
    (0..bodies).for_each(|k| first[k + 1] += first[k]);
    let (mut next, mut beside) = (first.clone(), vec![0_u32; first[bodies] as usize]);
    for [i, j] in ends() {
        for (from, to) in [(i, j), (j, i)] {
            beside[next[from] as usize] = to as u32;
            next[from] += 1;
        }
    }
    let (mut number, mut given) = (vec![usize::MAX; bodies], 0);
    let mut waiting = VecDeque::new();
    for from in (0..bodies).filter(|k| moves[*k]) {
        if number[from] != usize::MAX {
            continue;
        }
        waiting.push_back(from);
        (number[from], given) = (given, given + 1);
        while let Some(body) = waiting.pop_front() {
            for other in &beside[first[body] as usize..first[body + 1] as usize] {
                let other = *other as usize;
                if number[other] == usize::MAX {
                    (number[other], given) = (given, given + 1);
                    waiting.push_back(other);
                }
            }
        }
    }
    for number in number.iter_mut().filter(|number| **number == usize::MAX) {
        (*number, given) = (given, given + 1);
    }
    number
}

/// The problem with these numbers of its bodies; contacts by the numbers of their bodies (as detection brings them), or as they are.
pub(crate) fn renumbered(problem: &ContactProblem, number: &[usize], sorts: bool) -> ContactProblem {
    let mut out = problem.clone();
    for (body, number) in problem.bodies.iter().zip(number) {
        out.bodies[*number] = *body;
    }
    for contact in &mut out.contacts {
        (contact.candidate, contact.antagonist) = (number[contact.candidate], number[contact.antagonist]);
    }
    if sorts {
        out.contacts.sort_by_key(|c| (c.candidate.min(c.antagonist), c.candidate.max(c.antagonist)));
    }
    out
}

/// Mean distance of the numbers of the bodies that meet, those that do not move left out.
pub(crate) fn distance(problem: &ContactProblem) -> f64 {
    let ends = problem.contacts.iter().map(|c| [c.candidate, c.antagonist]);
    let moving = ends.filter(|ends| ends.iter().all(|k| problem.bodies[*k].inverse_mass.x != 0.0));
    let (sum, count) = moving.fold((0.0, 0.0), |(sum, count), [i, j]| (sum + i.abs_diff(j) as f64, count + 1.0));
    sum / count
}
