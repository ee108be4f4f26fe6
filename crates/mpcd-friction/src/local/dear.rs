//! Whether a factorisation is dearer than what is paid for it, counted from the bodies alone: W, levers and the analysis of a packing of a million
//! take gigabytes, and all that would be asked of them is that they are too dear. No values.

use mpcd_sparse::minimum_degree;

use super::rigid_form::friction;
use crate::network::has_springs;
use crate::problem::{Body, ContactProblem, InverseInertia};

/// Contacts from which it is counted first: with fewer all is made in less than a tenth of a second.
const MANY: usize = 10_000;
/// A count in the order of minimum degree over the least that the analysis may find: nested dissection takes a fifth of it among 10⁶ bodies, and the
/// elimination to the contacts, which has half as many unknowns where each body has one, an eighth.
const MARGIN: f64 = 100.0;
const NONE: usize = usize::MAX;

/// What a factorisation takes at least, where that is more than `pays`; `None` where it may pay, or where nothing is counted: among few contacts, beside
/// springs, deformable bodies or a moving cell, and under laws that are not condensed at all. `pays` holds up to some number of operations.
pub(crate) fn least_if_dear<const D: usize>(problem: &ContactProblem, pays: impl Fn(f64) -> bool) -> Option<f64> {
    let beside = problem.cell.is_some() || !problem.compliances.is_empty() || has_springs(problem);
    let refused = || problem.contacts.iter().enumerate().any(|(k, contact)| friction(k, contact).is_err());
    if problem.contacts.len() < MANY || beside || refused() {
        return None;
    }
    let (sizes, neighbours) = graph::<D>(problem);
    count(&sizes, &neighbours, |operations| pays(operations / MARGIN)).err().map(|operations| operations / MARGIN)
}

/// Unknowns of the bodies that move, and which of these touch each other.
fn graph<const D: usize>(problem: &ContactProblem) -> (Vec<usize>, Vec<Vec<usize>>) {
    let mut sizes = Vec::new();
    let place: Vec<usize> = problem
        .bodies
        .iter()
        .map(|body| {
            let unknowns = unknowns::<D>(body);
            sizes.extend((unknowns > 0).then_some(unknowns));
            if unknowns > 0 { sizes.len() - 1 } else { NONE }
        })
        .collect();
    let mut neighbours = vec![Vec::new(); sizes.len()];
    for contact in &problem.contacts {
        let [a, b] = [contact.candidate, contact.antagonist].map(|body| place[body]);
        if a != NONE && b != NONE && a != b {
            neighbours[a].push(b);
            neighbours[b].push(a);
        }
    }
    (sizes, neighbours)
}

/// Motions of a body that impulses change.
fn unknowns<const D: usize>(body: &Body) -> usize {
    let moves = (0..D).filter(|&k| body.inverse_mass[k] > 0.0).count();
    let turns = match body.inverse_inertia {
        InverseInertia::Isotropic(inverse) if inverse > 0.0 => 2 * D - 3,
        InverseInertia::Tensor(tensor) if D == 3 => (0..3).filter(|&k| tensor[(k, k)] > 0.0).count(),
        InverseInertia::Tensor(tensor) => usize::from(tensor[(2, 2)] > 0.0),
        InverseInertia::Isotropic(_) => 0,
    };
    moves + turns
}

/// Operations of a factorisation in the order of minimum degree; those counted when they were `enough` no more, where they are more than that.
/// What a node updates is held until its parent has taken it, so that no more is held than the graph has links.
fn count(sizes: &[usize], neighbours: &[Vec<usize>], enough: impl Fn(f64) -> bool) -> Result<f64, f64> {
    let order = minimum_degree(neighbours);
    let mut rank = vec![0; order.len()];
    order.iter().enumerate().for_each(|(k, &node)| rank[node] = k);
    let mut updated: Vec<Vec<usize>> = vec![Vec::new(); order.len()];
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); order.len()];
    let mut mark = vec![NONE; order.len()];
    let mut operations = 0.0;
    for (k, &node) in order.iter().enumerate() {
        let mut structure = Vec::new();
        let mut take = |j: usize| {
            if j > k && mark[j] != k {
                mark[j] = k;
                structure.push(j);
            }
        };
        neighbours[node].iter().for_each(|&other| take(rank[other]));
        for child in std::mem::take(&mut children[k]) {
            std::mem::take(&mut updated[child]).into_iter().for_each(&mut take);
        }
        let own = sizes[node] as f64;
        let front = own + structure.iter().map(|&j| sizes[order[j]]).sum::<usize>() as f64;
        operations += 2.0 * own * (front * front - front * own + own * own / 3.0);
        if !enough(operations) {
            return Err(operations);
        }
        if let Some(&parent) = structure.iter().min() {
            children[parent].push(k);
        }
        updated[k] = structure;
    }
    Ok(operations)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use nalgebra::Vector3;

    use super::*;
    use crate::Cone;
    use crate::local::{RigidForm, factorisation_flops};
    use crate::problem::{Contact, ContactDimension, Frame};

    /// Balls on a cubic lattice on a floor, each touching those beside it.
    fn lattice(edge: usize) -> ContactProblem {
        let mut problem = ContactProblem::new(ContactDimension::Three);
        let floor = problem.push_body(Body::fixed());
        let place = |x: usize, y: usize, z: usize| 1 + x + edge * (y + edge * z);
        for _ in 0..edge.pow(3) {
            problem.push_body(Body::ball(-1e-3 * Vector3::z(), Vector3::zeros(), 1.0, 2.5));
        }
        let mut touch = |a: usize, b: usize, n: Vector3<f64>| {
            problem.push_contact(Contact::new(a, b, Frame::from_normal(n), -n, n).with_cone(Cone::coulomb(0.5)));
        };
        for (x, y, z) in (0..edge).flat_map(|x| (0..edge).flat_map(move |y| (0..edge).map(move |z| (x, y, z)))) {
            let own = place(x, y, z);
            touch(own, if z == 0 { floor } else { place(x, y, z - 1) }, Vector3::z());
            if x > 0 {
                touch(own, place(x - 1, y, z), Vector3::x());
            }
            if y > 0 {
                touch(own, place(x, y - 1, z), Vector3::y());
            }
        }
        problem
    }

    /// What is counted from the bodies is no more than a hundred times, and not less than a third of, what the analysis of the whole finds: fronts
    /// are joined there with zeros between, or found by nested dissection.
    #[test]
    fn what_is_counted_is_what_the_analysis_finds() {
        for edge in [4, 9] {
            let problem = lattice(edge);
            let found = factorisation_flops(&RigidForm::<3>::new(&problem).unwrap().prepare().unwrap());
            let (sizes, neighbours) = graph::<3>(&problem);
            let counted = count(&sizes, &neighbours, |_| true).unwrap();
            assert!(counted > found / 3.0 && counted < 0.1 * MARGIN * found, "{edge}: {counted:e} {found:e}");
        }
    }

    /// It ends where it is known to be too dear, and says no more than what it takes; what pays is left to the analysis.
    #[test]
    fn what_does_not_pay_is_not_counted_to_its_end() {
        let problem = lattice(16);
        assert!(problem.contacts.len() > MANY);
        let (sizes, neighbours) = graph::<3>(&problem);
        let whole = count(&sizes, &neighbours, |_| true).unwrap();
        let least = least_if_dear::<3>(&problem, |operations| operations < 1e-4 * whole).unwrap();
        assert!(least > 1e-4 * whole && least < 1e-3 * whole, "{least:e} {whole:e}");
        assert_eq!(least_if_dear::<3>(&problem, |operations| operations < whole / MARGIN * 1.01), None);
        let mut bonded = problem;
        bonded.contacts[0] = bonded.contacts[0].clone().with_cone(Cone::Bilateral);
        assert_eq!(least_if_dear::<3>(&bonded, |_| false), None, "the analysis is not asked, and says why");
    }
}
