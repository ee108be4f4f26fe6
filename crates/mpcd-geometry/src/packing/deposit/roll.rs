//! One body on its way down: from event to event along the steepest descent that its supports leave it.
//!
//! The direction of motion is the projection of the weight on the cone of directions that enter no support, which is a small
//! quadratic problem: the supports with a normal force λ ≥ 0 are kept, the others are left.

use mpcd_core::Vec3;

use super::{
    heap::{Heap, Support},
    path::Path,
};

/// Events at most on one way down.
const EVENTS: usize = 500;
/// A support nearer than this part of the radius counts as touching.
const TOUCH: f64 = 1e-9;
/// Angles (and lengths over the radius) below which touching supports are not met again.
const SKIP: f64 = 1e-6;

/// Where a body dropped at the horizontal place of `start` comes to rest; `None` when it does not find a place that holds it.
pub(super) fn settle(heap: &Heap, start: Vec3, radius: f64) -> Option<Vec3> {
    let up_axis = heap.room().up();
    let mut up = Vec3::zeros();
    up[up_axis] = 1.0;
    let mut c = start;
    c[up_axis] = heap.above(radius);
    let mut touching: Vec<Support> = Vec::new();
    for _ in 0..EVENTS {
        let (kept, direction) = descent(&c, &up, &touching)?;
        let Some(direction) = direction else { return holds(heap, &c, radius, &up, &kept).then_some(c) };
        let path = Path::new(&c, &direction, &kept);
        let (s, met, left) = first_event(heap, &path, &c, radius, &up, &kept, &touching)?;
        c = path.at(s);
        touching.retain(|t| kept.contains(t) || t.gap(&c) < TOUCH * radius);
        touching.extend(met);
        if let Some(left) = left {
            touching.retain(|t| *t != kept[left]);
        }
        c = on_surfaces(c, &kept, met.as_ref());
    }
    None
}

/// Supports that are pressed, and the direction of the steepest descent; no direction where the body is held.
fn descent(c: &Vec3, up: &Vec3, touching: &[Support]) -> Option<(Vec<Support>, Option<Vec3>)> {
    let normals: Vec<Vec3> = touching.iter().map(|t| t.normal(c)).collect();
    let n = touching.len();
    let enters = |d: &Vec3| normals.iter().any(|m| m.dot(d) < -1e-9);
    let try_with = |set: &[usize]| -> Option<Vec3> {
        let forces = normal_forces(set.iter().map(|i| normals[*i]), up)?;
        if forces.iter().any(|f| *f < -1e-12) {
            return None;
        }
        let d = set.iter().zip(&forces).fold(-up, |d, (i, f)| d + normals[*i] * *f);
        (!enters(&d)).then_some(d)
    };
    let singles = (0..n).map(|i| vec![i]);
    let pairs = (0..n).flat_map(|i| (i + 1..n).map(move |j| vec![i, j]));
    let triples = (0..n).flat_map(|i| (i + 1..n).flat_map(move |j| (j + 1..n).map(move |k| vec![i, j, k])));
    for set in std::iter::once(Vec::new()).chain(singles).chain(pairs).chain(triples) {
        if let Some(d) = try_with(&set) {
            let kept = set.iter().map(|i| touching[*i]).collect();
            return Some((kept, (d.norm() > 1e-9).then(|| d.normalize())));
        }
    }
    None
}

/// Forces λ with NᵀN λ = Nᵀ up for one to three unit normals; `None` where they are not independent.
fn normal_forces(normals: impl Iterator<Item = Vec3>, up: &Vec3) -> Option<Vec<f64>> {
    let columns: Vec<Vec3> = normals.collect();
    let m = columns.len();
    if m == 0 {
        return Some(Vec::new());
    }
    // Orthogonal pieces (Gram–Schmidt), then back substitution.
    let mut basis: Vec<Vec3> = Vec::new();
    let mut r = [[0.0; 3]; 3];
    for (j, column) in columns.iter().enumerate() {
        let mut rest = *column;
        for (i, q) in basis.iter().enumerate() {
            r[i][j] = q.dot(&rest);
            rest -= q * r[i][j];
        }
        r[j][j] = rest.norm();
        if r[j][j] < 1e-7 {
            return None;
        }
        basis.push(rest / r[j][j]);
    }
    let mut out = vec![0.0; m];
    for j in (0..m).rev() {
        let known: f64 = (j + 1..m).map(|k| r[j][k] * out[k]).sum();
        out[j] = (basis[j].dot(up) - known) / r[j][j];
    }
    Some(out)
}

type Event = (f64, Option<Support>, Option<usize>);

/// The first thing that happens on the path: a support is met, or (by its number) one of those kept is left. Of a heap only the heights are looked at that the
/// centre passes until then.
fn first_event(
    heap: &Heap,
    path: &Path,
    c: &Vec3,
    radius: f64,
    up: &Vec3,
    kept: &[Support],
    touching: &[Support],
) -> Option<Event> {
    let within = |way: f64, lowest: f64| {
        let mut best: Option<Event> = path.releases(up, kept).map(|(i, s)| (s, None, Some(i)));
        heap.near(c, radius, way, [lowest, c.dot(up)], |support| {
            if kept.contains(&support) {
                return;
            }
            // What touches and was not kept is being left: it is not met again at once.
            let near = touching.contains(&support) || support.gap(c) < TOUCH * radius;
            if let Some(s) = path.meets(&support, if near { SKIP } else { 0.0 })
                && best.is_none_or(|b| s < b.0)
            {
                best = Some((s, Some(support), None));
            }
        });
        best
    };
    // What rounding may move, far more than it does.
    let slack = SKIP * (radius + heap.largest());
    match path {
        Path::Arc { middle, radius, e1, e2 } => {
            let fall = radius * e1.dot(up).hypot(e2.dot(up));
            within(radius + (middle - c).norm(), middle.dot(up) - fall - slack)
        }
        Path::Line { .. } => {
            let mut depth = 2.0 * (radius + heap.largest());
            loop {
                let lowest = c.dot(up) - depth;
                let best = within(0.0, lowest);
                if lowest < heap.bottom() || best.is_some_and(|(s, ..)| s + slack < depth) {
                    return best;
                }
                depth *= 4.0;
            }
        }
    }
}

/// Puts the centre back on the surfaces of its supports, which a path leaves by rounding alone.
fn on_surfaces(mut c: Vec3, kept: &[Support], met: Option<&Support>) -> Vec3 {
    for _ in 0..3 {
        for support in kept.iter().chain(met) {
            c -= support.normal(&c) * support.gap(&c);
        }
    }
    c
}

/// Whether a body with these supports stays: on the floor, or on enough supports that none can roll away; and nothing overlaps.
fn holds(heap: &Heap, c: &Vec3, radius: f64, up: &Vec3, kept: &[Support]) -> bool {
    let floor = kept.iter().any(|s| matches!(s, Support::Wall { normal, .. } if normal.dot(up) > 0.5));
    let needed = heap.room().axes().len();
    let mut free = true;
    heap.near(c, radius, 0.0, [c.dot(up); 2], |s| free &= s.gap(c) >= -TOUCH * radius);
    (floor || kept.len() >= needed) && free
}
