//! What rigid bonds on meshes carry where they are more than the nodes that they hold: of a face of Hex20 nine points for eight nodes, or nodes on both sides of a seam with the
//! points on it. The nodes feel the same forces whatever the solver makes of what is open. Bonds are judged by the impulses of springs as stiff as the areas of the points, in the limit
//! where they give way no more: `min Σ ‖r‖²/a` among all that give the nodes the same, so that an even pull is an even stress. With A the parts of the nodes in the points, r = D Aᵀ λ with
//! A D Aᵀ λ = A r₀, by conjugate gradients. Nothing is changed in the solution. No laws here.

use mpcd_core::Vec3;

use crate::assemble::Assembly;

/// Part of the forces at the nodes, in the energy of the springs, that may be missed.
const NEAR: f64 = 1e-11;

/// Most iterations for each point; what is left then is what was found.
const MOST: usize = 4;

/// A point: its contact in the problem, the size of its spring, and what part of its impulse each node has.
struct Point {
    contact: usize,
    size: f64,
    nodes: Vec<(usize, f64)>,
}

/// The impulses (world, N s) of these contacts of the problem, in rising order, by which bonds are judged; none where the nodes leave none open.
pub(crate) fn impulses(assembly: &Assembly, contacts: &[usize]) -> Vec<(usize, Vec3)> {
    let (points, nodes) = points(assembly, contacts);
    let mut held = vec![false; nodes];
    let is_free = |point: &Point| point.nodes.len() == 1 && !std::mem::replace(&mut held[point.nodes[0].0], true);
    if points.iter().all(is_free) {
        return Vec::new();
    }
    let of = |point: &Point| {
        let contact = &assembly.problem.contacts[point.contact];
        contact.frame.to_world(&contact.impulse)
    };
    let found = least(&points, nodes, &points.iter().map(of).collect::<Vec<_>>());
    points.iter().map(|p| p.contact).zip(found).collect()
}

/// Those of the contacts that lie on meshes, and how many nodes carry them.
fn points(assembly: &Assembly, contacts: &[usize]) -> (Vec<Point>, usize) {
    let parts = |contact: &usize| {
        let sides = assembly.sides.of(&assembly.touches[assembly.active[*contact]]);
        sides.flat_map(|side| side.point.parts().map(move |(node, w)| ((side.member, node), w * side.sign)))
    };
    let mut names: Vec<(usize, usize)> = contacts.iter().flat_map(parts).map(|(name, _)| name).collect();
    names.sort_unstable();
    names.dedup();
    let number = |name: &(usize, usize)| names.binary_search(name).unwrap_or_default();
    let point = |contact: &usize| Point {
        contact: *contact,
        size: assembly.sizes[*contact],
        nodes: parts(contact).map(|(name, w)| (number(&name), w)).collect(),
    };
    (contacts.iter().map(point).filter(|p| !p.nodes.is_empty()).collect(), names.len())
}

/// The impulses of least Σ ‖r‖²/a that give the nodes what these give.
fn least(points: &[Point], nodes: usize, given: &[Vec3]) -> Vec<Vec3> {
    let at_nodes = |r: &[Vec3]| {
        let mut out = vec![Vec3::zeros(); nodes];
        points.iter().zip(r).for_each(|(p, r)| p.nodes.iter().for_each(|(n, w)| out[*n] += r * *w));
        out
    };
    let sprung = |x: &[Vec3]| -> Vec<Vec3> {
        points.iter().map(|p| p.nodes.iter().map(|(n, w)| x[*n] * *w).sum::<Vec3>() * p.size).collect()
    };
    let mut diagonal = vec![0.0; nodes];
    points.iter().for_each(|p| p.nodes.iter().for_each(|(n, w)| diagonal[*n] += w * w * p.size));
    let eased = |x: &[Vec3]| -> Vec<Vec3> {
        x.iter().zip(&diagonal).map(|(x, d)| if *d > 0.0 { x / *d } else { Vec3::zeros() }).collect()
    };
    let dot = |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).map(|(a, b)| a.dot(b)).sum::<f64>();
    let mut missed = at_nodes(given);
    let mut found = vec![Vec3::zeros(); points.len()];
    let mut steepest = eased(&missed);
    let mut way = steepest.clone();
    let mut energy = dot(&missed, &steepest);
    let first = energy;
    for _ in 0..MOST * points.len() {
        if energy.is_nan() || energy <= NEAR * NEAR * first {
            break;
        }
        let pushed = sprung(&way);
        let felt = at_nodes(&pushed);
        let alpha = energy / dot(&way, &felt);
        if !alpha.is_finite() {
            break;
        }
        found.iter_mut().zip(&pushed).for_each(|(found, r)| *found += r * alpha);
        missed.iter_mut().zip(&felt).for_each(|(missed, f)| *missed -= f * alpha);
        steepest = eased(&missed);
        let next = dot(&missed, &steepest);
        let beta = next / energy;
        energy = next;
        way.iter_mut().zip(&steepest).for_each(|(way, z)| *way = z + *way * beta);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A face of eight nodes with its middle: corners, nodes between, middle, with Simpson's areas.
    fn face() -> Vec<Point> {
        let corner = |n: usize| Point { contact: n, size: 1.0 / 36.0, nodes: vec![(n, 1.0)] };
        let between = |n: usize| Point { contact: n, size: 1.0 / 9.0, nodes: vec![(n, 1.0)] };
        let middle = (0..8).map(|n| (n, if n < 4 { -0.25 } else { 0.5 })).collect();
        let middle = Point { contact: 8, size: 4.0 / 9.0, nodes: middle };
        (0..4).map(corner).chain((4..8).map(between)).chain([middle]).collect()
    }

    /// Tractions that are even, and that rise along both sides, come back whatever of the open ones was added; what nodes feel stays.
    #[test]
    fn what_is_open_is_shared_as_areas_are() {
        let points = face();
        let at = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [0.0, -1.0], [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0; 2]];
        let traction = |[x, y]: [f64; 2]| Vec3::new(-3.0 + x - 0.5 * y, 0.2, y);
        let right: Vec<Vec3> = points.iter().zip(at).map(|(p, at)| traction(at) * p.size).collect();
        let open = |n: usize| {
            if n < 4 {
                0.25
            } else if n < 8 {
                -0.5
            } else {
                1.0
            }
        };
        let given: Vec<Vec3> = right.iter().enumerate().map(|(n, r)| r + Vec3::new(0.7, -0.3, 2.0) * open(n)).collect();
        let found = least(&points, 8, &given);
        assert!(found.iter().zip(&right).all(|(f, r)| (f - r).norm() < 1e-9), "{found:?}\n{right:?}");
    }
}
