//! The convex hull of points in space as triangles: quickhull (Barber, Dobkin & Huhdanpaa, ACM TOMS 22, 1996,
//! doi:10.1145/235815.235821), without merging. Deterministic: lists are walked in the order they grew.

use mpcd_core::Vec3;

use crate::polytope::PolytopeError;

/// A triangle of the hull; vertices counter-clockwise as seen from outside.
#[derive(Debug, Clone)]
pub(super) struct Triangle {
    pub(super) vertices: [usize; 3],
    /// Outward unit normal; zero if the triangle has no area.
    pub(super) normal: Vec3,
    offset: f64,
    /// Across the side from vertex k to vertex k + 1.
    neighbours: [usize; 3],
    outside: Vec<usize>,
    alive: bool,
}

impl Triangle {
    fn new(points: &[Vec3], vertices: [usize; 3], neighbours: [usize; 3]) -> Self {
        let [a, b, c] = vertices.map(|i| points[i]);
        let normal = (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or_else(Vec3::zeros);
        Self { vertices, normal, offset: normal.dot(&a), neighbours, outside: Vec::new(), alive: true }
    }

    fn height(&self, p: &Vec3) -> f64 {
        self.normal.dot(p) - self.offset
    }

    pub(super) fn area(&self, points: &[Vec3]) -> f64 {
        let [a, b, c] = self.vertices.map(|i| points[i]);
        0.5 * (b - a).cross(&(c - a)).norm()
    }
}

/// The triangles of the hull of `points`; points less than `near` (m) outside are left out.
///
/// # Errors
/// If the points lie on one line or in one plane, to `flat` (m).
pub(super) fn hull(points: &[Vec3], near: f64, flat: f64) -> Result<Vec<Triangle>, PolytopeError> {
    let corners = first_corners(points, flat)?;
    let mut triangles = tetrahedron(points, corners);
    for p in (0..points.len()).filter(|p| !corners.contains(p)) {
        give(points, p, &mut triangles, 0, near);
    }
    // Newest first; a triangle comes back as long as points lie outside of it.
    let mut open: Vec<usize> = (0..4).collect();
    while let Some(k) = open.pop() {
        if !triangles[k].alive || triangles[k].outside.is_empty() {
            continue;
        }
        let height = |i: usize| triangles[k].height(&points[i]);
        let eye = triangles[k]
            .outside
            .iter()
            .copied()
            .fold((usize::MAX, f64::NEG_INFINITY), |best, i| if height(i) > best.1 { (i, height(i)) } else { best });
        let first = triangles.len();
        raise(points, &mut triangles, k, eye.0, near)?;
        open.extend(first..triangles.len());
    }
    triangles.retain(|t| t.alive);
    Ok(triangles)
}

/// Four points far from each other.
fn first_corners(points: &[Vec3], flat: f64) -> Result<[usize; 4], PolytopeError> {
    if points.len() < 4 {
        return Err(PolytopeError::TooFew { expected: 4, got: points.len() });
    }
    let farthest = |f: &dyn Fn(&Vec3) -> f64| {
        points.iter().enumerate().fold((0, f64::NEG_INFINITY), |best, (i, p)| if f(p) > best.1 { (i, f(p)) } else { best })
    };
    let (a, _) = farthest(&|p| -p.x);
    let (b, _) = farthest(&|p| (p - points[a]).norm());
    let e = (points[b] - points[a]).normalize();
    let (c, wide) = farthest(&|p| (p - points[a]).cross(&e).norm());
    if wide <= flat {
        return Err(PolytopeError::Flat("on one line"));
    }
    let n = (points[b] - points[a]).cross(&(points[c] - points[a])).normalize();
    let (d, high) = farthest(&|p| (p - points[a]).dot(&n).abs());
    if high <= flat {
        return Err(PolytopeError::Flat("in one plane"));
    }
    // The fourth one below the first three.
    Ok(if (points[d] - points[a]).dot(&n) > 0.0 { [a, c, b, d] } else { [a, b, c, d] })
}

fn tetrahedron(points: &[Vec3], [a, b, c, d]: [usize; 4]) -> Vec<Triangle> {
    vec![
        Triangle::new(points, [a, b, c], [1, 2, 3]),
        Triangle::new(points, [b, a, d], [0, 3, 2]),
        Triangle::new(points, [c, b, d], [0, 1, 3]),
        Triangle::new(points, [a, c, d], [0, 2, 1]),
    ]
}

/// Gives a point to the triangle it is highest above, from number `first` on; to none if it is inside.
fn give(points: &[Vec3], p: usize, triangles: &mut [Triangle], first: usize, near: f64) {
    let mut best = (usize::MAX, near);
    for (k, t) in triangles.iter().enumerate().skip(first) {
        let height = t.height(&points[p]);
        if height > best.1 {
            best = (k, height);
        }
    }
    if let Some(t) = triangles.get_mut(best.0) {
        t.outside.push(p);
    }
}

/// Puts in place of all triangles that see `eye`, from `seen` on, the cone from their outline to it.
fn raise(points: &[Vec3], triangles: &mut Vec<Triangle>, seen: usize, eye: usize, near: f64) -> Result<(), PolytopeError> {
    let mut orphans = Vec::new();
    let mut horizon = Vec::new();
    // Depth first, sides in turn: the sides of the horizon come in order around it.
    let mut walk = vec![(seen, 0, 0)];
    retire(triangles, seen, &mut orphans);
    while let Some((k, side, taken)) = walk.pop() {
        if taken == 3 {
            continue;
        }
        walk.push((k, (side + 1) % 3, taken + 1));
        let next = triangles[k].neighbours[side];
        if !triangles[next].alive {
            continue;
        }
        let back = triangles[next].neighbours.iter().position(|&n| n == k).ok_or(PolytopeError::NearlyFlat)?;
        if triangles[next].height(&points[eye]) > near {
            retire(triangles, next, &mut orphans);
            walk.push((next, (back + 1) % 3, 1));
        } else {
            let v = triangles[k].vertices;
            horizon.push((v[side], v[(side + 1) % 3], next, back));
        }
    }
    let (first, n) = (triangles.len(), horizon.len());
    for (i, &(from, to, beyond, back)) in horizon.iter().enumerate() {
        if horizon[(i + 1) % n].0 != to {
            return Err(PolytopeError::NearlyFlat);
        }
        triangles.push(Triangle::new(points, [from, to, eye], [beyond, first + (i + 1) % n, first + (i + n - 1) % n]));
        triangles[beyond].neighbours[back] = first + i;
    }
    for p in orphans.into_iter().filter(|&p| p != eye) {
        give(points, p, triangles, first, near);
    }
    Ok(())
}

fn retire(triangles: &mut [Triangle], k: usize, orphans: &mut Vec<usize>) {
    triangles[k].alive = false;
    orphans.append(&mut triangles[k].outside);
}
