//! Points that count as one. Finite, distinct, and how large they are together.

use mpcd_core::Vec3;

use crate::polytope::{FLAT, PolytopeError};

/// Distinct points in their first order, and the diagonal of their bounding box (m). Of points closer than [`FLAT`] times the
/// diagonal the first is kept.
pub(super) fn distinct(points: &[Vec3]) -> Result<(Vec<Vec3>, f64), PolytopeError> {
    if let Some(i) = points.iter().position(|p| !p.iter().all(|c| c.is_finite())) {
        return Err(PolytopeError::NotFinite(i));
    }
    let (Some(low), Some(high)) =
        (points.iter().copied().reduce(|a, b| a.inf(&b)), points.iter().copied().reduce(|a, b| a.sup(&b)))
    else {
        return Err(PolytopeError::TooFew { expected: 2, got: 0 });
    };
    let size = (high - low).norm();
    let near = FLAT * size;
    // Sorted along x, only neighbours within `near` need a look; a point gives way to one that comes before it in the list.
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(|&a, &b| points[a].x.total_cmp(&points[b].x).then(a.cmp(&b)));
    let mut keep = vec![true; points.len()];
    for (k, &a) in order.iter().enumerate() {
        for &b in order[k + 1..].iter().take_while(|&&b| points[b].x - points[a].x <= near) {
            if keep[a] && keep[b] && (points[a] - points[b]).norm() <= near {
                keep[a.max(b)] = false;
            }
        }
    }
    Ok((points.iter().zip(keep).filter(|&(_, keep)| keep).map(|(p, _)| *p).collect(), size))
}
