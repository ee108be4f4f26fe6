//! Sharp edges on the inner rims of an open tube. No other contact of the two is sought here.

use mpcd_core::{Vec3, patch::LEVEL};

use super::{Item, Search, Spot};
use crate::polytope::Polytope;

/// Steps along an edge in which its places nearest to a rim are told apart, and halvings of each.
const STEPS: usize = 24;
const HALVINGS: usize = 50;
/// Part of the body below which it is not before a plane, and sine below which a normal is in a cone.
const HAIR: f64 = 1e-9;
const SLANT: f64 = 1e-6;
/// Part of the body by which an edge may be in the wall.
const DEPTH: f64 = 0.1;
/// Begins the names of these contacts.
const ON_EDGE: u64 = 1 << 41;

/// The edges of a sharp body on the two inner rims of a tube (its radius and half its length at reference size).
///
/// Where an edge is nearest to the circle it is so to the corner of the wall in the half-plane through the axis there, and the normal is square to both. It counts where it is one of the rim's,
/// between that of the wall and that of the end, and where the body is all on its side of it. Returns the largest gap (m), of what is beyond the alert distance, too: what else is much
/// deeper is no way out.
pub(super) fn edges_on_rims(
    first: &Item<'_>,
    hull: &Polytope,
    second: &Item<'_>,
    [radius, half_length]: [f64; 2],
    search: &Search,
    spots: &mut Vec<Spot>,
) -> Option<f64> {
    let mut most = None::<f64>;
    let reach = first.reach / second.size;
    for (end, side) in (0..).zip([1.0, -1.0]) {
        // Seen so that the end is above.
        let mirror = |v: Vec3| Vec3::new(v.x, v.y, side * v.z);
        let vertices: Vec<Vec3> = hull.vertices().iter().map(|v| mirror(second.local(&first.world(v)))).collect();
        let [low, high] = [-1.0, 1.0].map(|sign| vertices.iter().map(|v| sign * v.z).fold(f64::NEG_INFINITY, f64::max) * sign);
        let alert = search.alert / second.size;
        if low > half_length + alert || high < half_length - alert {
            continue;
        }
        for (edge, ends) in (0..).zip(hull.edges().iter().map(|e| e.ends.map(|v| vertices[v as usize]))) {
            for (place, at) in (0..).zip(nearest(ends, radius, half_length)) {
                let Some((n, rim)) = normal(&at, &(ends[1] - ends[0]), [radius, half_length]) else { continue };
                let gap = n.dot(&(at - rim));
                // Deep in the wall is no place of the rim.
                if gap < -DEPTH * reach || vertices.iter().any(|v| n.dot(&(v - at)) < -HAIR * reach) {
                    continue;
                }
                most = Some(most.map_or(gap, |m| m.max(gap)));
                if gap > alert {
                    continue;
                }
                spots.push(Spot {
                    feature: ON_EDGE | edge << 4 | place << 1 | end,
                    on_first: second.world(&mirror(at)),
                    n: second.q * mirror(n),
                    gap: gap * second.size,
                    part: 0.0,
                    curvature: [0.0; 2],
                    share: 0.0,
                    roundness: 1.0,
                });
            }
        }
    }
    most.map(|gap| gap * second.size)
}

/// The places between the ends of an edge that are nearest to a circle about z at a height.
fn nearest([a, b]: [Vec3; 2], radius: f64, height: f64) -> impl Iterator<Item = Vec3> {
    let along = b - a;
    // Half the change of the squared distance on the way from a to b.
    let slope = move |s: f64| {
        let at = a + along * s;
        let from_axis = at.x.hypot(at.y);
        let outward = (at.x * along.x + at.y * along.y) / from_axis.max(f64::MIN_POSITIVE);
        (from_axis - radius) * outward + (at.z - height) * along.z
    };
    let step = move |i: usize| i as f64 / STEPS as f64;
    (0..STEPS).filter_map(move |i| {
        let [mut low, mut high] = [step(i), step(i + 1)];
        (slope(low) < 0.0 && slope(high) >= 0.0).then(|| {
            for _ in 0..HALVINGS {
                let middle = 0.5 * (low + high);
                *(if slope(middle) < 0.0 { &mut low } else { &mut high }) = middle;
            }
            a + along * high
        })
    })
}

/// The normal of the rim at a place of an edge that runs `along`, and the place of the rim; `None` where it is none of the rim's.
fn normal(at: &Vec3, along: &Vec3, [radius, height]: [f64; 2]) -> Option<(Vec3, Vec3)> {
    let out = Vec3::new(at.x, at.y, 0.0).try_normalize(f64::MIN_POSITIVE)?;
    let around = Vec3::z().cross(&out);
    let cross = along.cross(&around);
    if cross.norm() <= LEVEL * along.norm() {
        return None;
    }
    let n = cross.normalize();
    let n = if n.z - n.dot(&out) < 0.0 { -n } else { n };
    (n.z >= -SLANT && n.dot(&out) <= SLANT).then_some((n, out * radius + Vec3::z() * height))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edge_leans_on_the_rim() {
        // Down and inward at 45° through the rim's place at x, and 0.1 above it.
        let ends = [Vec3::new(2.0, 0.0, 3.1), Vec3::new(-0.5, 0.0, 0.6)];
        let found: Vec<Vec3> = nearest(ends, 1.0, 2.0).collect();
        let place = Vec3::new(0.95, 0.0, 2.05);
        assert_eq!(found.len(), 1);
        let at = found[0];
        assert!((at - place).norm() < 1e-12, "{at}");
        let leans = |(n, rim): (Vec3, Vec3)| {
            (n - Vec3::new(-1.0, 0.0, 1.0).normalize()).norm() < 1e-12 && rim == Vec3::new(1.0, 0.0, 2.0)
        };
        assert!(normal(&at, &(ends[1] - ends[0]), [1.0, 2.0]).is_some_and(leans));
        // A level edge over the hole crosses the rim twice, square to it; one along the rim has no normal.
        let chord = [Vec3::new(-3.0, 0.6, 2.0), Vec3::new(3.0, 0.6, 2.0)];
        let found: Vec<Vec3> = nearest(chord, 1.0, 2.0).collect();
        assert!(found.len() == 2 && found.iter().all(|p| (p.x.abs() - 0.8).abs() < 1e-12), "{found:?}");
        assert!(normal(&found[0], &Vec3::x(), [1.0, 2.0]).is_some_and(|(n, _)| (n - Vec3::z()).norm() < 1e-12));
        assert_eq!(normal(&Vec3::new(1.0, 0.0, 2.0), &Vec3::y(), [1.0, 2.0]), None);
    }
}
