//! The direction in which two convex bodies are nearest, apart or overlapping, from their support points alone. No shapes.
//!
//! With w(n) the point of the difference first − second that is lowest along n, g(n) = n·w(n) is the gap along n, and its
//! largest value over all directions the gap of the bodies. While they are apart there is one largest value. While they overlap
//! there may be many, so that a search has to start from all directions that a coarse picture of the difference leaves open.

use mpcd_core::{Frame, Vec3};

use super::{
    distance::{Apart, Found, Support, distance},
    expand::Expanding,
};

/// How overlapping bodies are lifted: by a part of the size, until a round turns the normal by less than an angle. A far lift
/// makes the nearest points easy to find, a short one converges where the surfaces are strongly curved.
const TRIAL: [f64; 2] = [0.2, 1e-3];
const LIFTS: [[f64; 2]; 2] = [[0.2, 1e-5], [0.02, 1e-8]];
/// Sine of the angle up to which a face's own normal may be the better one.
const NEAR: f64 = 0.2;
/// Most rounds of lifting from one start.
const ROUNDS: usize = 40;
/// Most starts, and how far apart they are at least (sine).
const STARTS: usize = 12;
const OTHER: f64 = 0.05;
/// Part of the size by which gaps of equal bodies differ from rounding.
const EQUAL: f64 = 1e-14;
/// Part of the size up to which what is apart nearly touches.
const TOUCHING: f64 = 1e-4;
/// How far an edge's normal is turned at most, and by how much first.
const TURN: f64 = 1.0;
const FIRST: f64 = 1e-8;

/// Where two bodies are nearest, and the gap there. `support(d)` gives the point of the difference that is farthest along d.
/// `size` is their length scale (m), `start` any direction; `flat(n)` gives the normals near n that flat faces and straight edges
/// have: the answer is exact where one of them is the best; `lines(n)` gives the directions of straight edges that look along n.
/// `None` for bodies farther apart than `range`.
pub(super) fn nearest(
    support: impl Fn(&Vec3) -> Support,
    flat: impl Fn(&Vec3) -> [Option<Vec3>; 2],
    lines: impl Fn(&Vec3) -> [Option<Vec3>; 2],
    start: Vec3,
    [size, range]: [f64; 2],
    curved: bool,
) -> Option<(Apart, f64)> {
    let gap_along = |n: &Vec3| support(&-n).w.dot(n);
    let mut found = match distance(&support, start, size, range) {
        Found::Beyond => return None,
        Found::Apart(found) => {
            let mut found = (found, gap_along(&found.n));
            if !curved {
                // Between edges that nearly touch rounding turns the line from one to the other.
                if found.1 <= TOUCHING * size {
                    across(&support, lines(&found.0.n), &mut found, size);
                }
                return Some(exact(&support, &flat, found, size));
            }
            // What is nearly touching is as hard to tell exactly as what overlaps.
            lifted(&support, &flat, found, size, LIFTS[1])
        }
        Found::Overlap(simplex) => {
            let mut picture = Expanding::new(simplex.tetrahedron(&support, size));
            let first = picture.grow(&support, size);
            let gap = gap_along(&first.n);
            let mut found = lifted(&support, &flat, (first, gap), size, TRIAL);
            let mut tried = [first.n; STARTS];
            let mut count = 1;
            for face in picture.sorted() {
                if count == STARTS || face.distance >= -found.1 {
                    break;
                }
                let n = -face.n;
                if n.cross(&found.0.n).norm() < OTHER || tried[..count].iter().any(|t| t.cross(&n).norm() < OTHER) {
                    continue;
                }
                tried[count] = n;
                count += 1;
                let other = lifted(&support, &flat, (Apart { n, ..first }, gap_along(&n)), size, TRIAL);
                if other.1 > found.1 {
                    found = other;
                }
            }
            LIFTS.into_iter().fold(found, |found, lift| lifted(&support, &flat, found, size, lift))
        }
    };
    polish(&support, &mut found);
    across(&support, lines(&found.0.n), &mut found, size);
    Some(exact(&support, &flat, found, size))
}

/// Climbs to the largest gap about a direction n₀. A first body that is not far away is moved along n₀ until the two are apart: then the nearest
/// points have one answer, with a normal n₁. The gap along n of the moved bodies is g(n) + m n·n₀, with m the way moved, so that
/// g(n₁) − g(n₀) ≥ m (1 − n₁·n₀): each round is better than the one before, whatever corners and edges the surfaces have.
fn lifted(
    support: impl Fn(&Vec3) -> Support,
    flat: impl Fn(&Vec3) -> [Option<Vec3>; 2],
    start: (Apart, f64),
    size: f64,
    [lift, enough]: [f64; 2],
) -> (Apart, f64) {
    let (mut best, mut here) = (start, start);
    for _ in 0..ROUNDS {
        let way = (lift * size - here.1).max(0.0) * here.0.n;
        let moved = |d: &Vec3| {
            let p = support(d);
            Support { w: p.w + way, ..p }
        };
        let Found::Apart(next) = distance(moved, here.0.n, size, f64::INFINITY) else { break };
        let gap = support(&-next.n).w.dot(&next.n);
        let next = exact(&support, &flat, (next, gap), size);
        let turned = (next.0.n - here.0.n).norm();
        here = next;
        // The last digits of the gap, which edges make sensitive, are not the normal's.
        if here.1 > best.1 {
            best = here;
        }
        if turned <= enough {
            break;
        }
    }
    best
}

/// The same, or with the normal of a flat face or straight edge if that is as good.
fn exact(
    support: impl Fn(&Vec3) -> Support,
    flat: impl Fn(&Vec3) -> [Option<Vec3>; 2],
    mut found: (Apart, f64),
    size: f64,
) -> (Apart, f64) {
    for n in flat(&found.0.n).into_iter().flatten() {
        if n.cross(&found.0.n).norm() < NEAR {
            let gap = support(&-n).w.dot(&n);
            if gap >= found.1 - EQUAL * size {
                (found.0.n, found.1) = (n, gap);
            }
        }
    }
    found
}

/// Newton's method, with w(n) as the gradient of g and second derivatives by differences, which converges where both surfaces
/// are curved. What is not better is not taken.
fn polish(support: impl Fn(&Vec3) -> Support, found: &mut (Apart, f64)) {
    let at = |n: &Vec3| {
        let p = support(&-n);
        (p.w.dot(n), p)
    };
    let (best, gap) = (&mut found.0, &mut found.1);
    let mut here = at(&best.n).1;
    for _ in 0..8 {
        let (f, step) = (Frame::spatial(best.n), 1e-5);
        let change = |d: &Vec3| (at(&(best.n + step * d).normalize()).1.w - here.w) / step;
        let (by_t, by_s) = (change(&f.t), change(&f.s()));
        let (tt, ss, ts) = (f.t.dot(&by_t) - *gap, f.s().dot(&by_s) - *gap, 0.5 * (f.s().dot(&by_t) + f.t.dot(&by_s)));
        let (gt, gs) = (f.t.dot(&here.w), f.s().dot(&here.w));
        let det = tt * ss - ts * ts;
        let move_by = Vec3::new((ts * gs - ss * gt) / det, (ts * gt - tt * gs) / det, 0.0);
        // Not a number where the surfaces are flat.
        if move_by.norm().partial_cmp(&0.1) != Some(std::cmp::Ordering::Less) {
            break;
        }
        let n = (best.n + move_by.x * f.t + move_by.y * f.s()).normalize();
        let (value, point) = at(&n);
        if value <= *gap {
            break;
        }
        (*best, *gap, here) = (Apart { n, on_first: point.on_first, on_second: point.on_second }, value, point);
    }
}

/// The same where one body meets the other with a straight edge: the normal is across the edge, where the gap has a kink that
/// stops Newton's method. Along the circle of directions across it the gap is smooth, n(θ) = u cos θ + v sin θ, and largest
/// where its derivative n′·w falls through zero (`false position` with Illinois' rule). What is not as good is not taken.
fn across(support: impl Fn(&Vec3) -> Support, lines: [Option<Vec3>; 2], found: &mut (Apart, f64), size: f64) {
    for (which, line) in lines.iter().enumerate() {
        let Some(e) = line else { continue };
        let Some(u) = (found.0.n - e * e.dot(&found.0.n)).try_normalize(0.5) else { continue };
        let v = e.cross(&u);
        let slope = |angle: f64| {
            let (sin, cos) = angle.sin_cos();
            let p = support(&-(u * cos + v * sin));
            p.w.dot(&(v * cos - u * sin))
        };
        let Some(angle) = falls_through_zero(slope) else { continue };
        let (sin, cos) = angle.sin_cos();
        let n = u * cos + v * sin;
        let p = support(&-n);
        let gap = p.w.dot(&n);
        if gap < found.1 - EQUAL * size {
            continue;
        }
        (found.0.n, found.1) = (n, gap);
        // The other body's point is its farthest one, unless that is one of a line too.
        match (which, lines[1 - which]) {
            (0, None) => (found.0.on_first, found.0.on_second) = (p.on_second + gap * n, p.on_second),
            (1, None) => (found.0.on_first, found.0.on_second) = (p.on_first, p.on_first - gap * n),
            _ => {}
        }
    }
}

/// Where a function near zero falls through zero, within [`TURN`].
fn falls_through_zero(f: impl Fn(f64) -> f64) -> Option<f64> {
    let start = f(0.0);
    let (mut a, mut fa) = (0.0, start);
    let mut b = FIRST.copysign(start);
    let mut fb = f(b);
    while fa * fb > 0.0 {
        (a, fa) = (b, fb);
        b *= 8.0;
        if b.abs() > TURN {
            return None;
        }
        fb = f(b);
    }
    for _ in 0..64 {
        let c = (a * fb - b * fa) / (fb - fa);
        if !c.is_finite() || (b - a).abs() <= 1e-15 {
            break;
        }
        let fc = f(c);
        if fc * fb < 0.0 {
            (a, fa) = (b, fb);
        } else {
            fa *= 0.5;
        }
        (b, fb) = (c, fc);
        if fc == 0.0 {
            break;
        }
    }
    Some(b)
}
