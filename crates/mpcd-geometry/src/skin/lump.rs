//! What the points of a face with nodes between its corners stand for. Between nodes facets are flat, and their hats would give a constant pressure to other nodes than
//! ∫ N p dA does: a part of what comes to a corner is handed to the points beside it, so that the whole face has Simpson's weights, which are ∫ N dA for lines of three
//! nodes (1/6, 2/3, 1/6), for triangles of six (0, 1/3) and, with the middle as a point ¼ (2 Σ x_between − Σ x_corner), for quadrilaterals of eight (1/36, 1/9, 4/9). All are positive.

use mpcd_core::Vec3;

use super::{Corners, Depth, Patch};

/// What is left to corners that have no part in an even pressure, those of triangles of six nodes and on an axis: no area at all is that of a sharp edge or corner.
const LITTLE: f64 = 1e-12;

/// A facet whose area its corners share.
#[derive(Debug, Clone)]
pub(super) struct Share {
    pub(super) corners: Corners,
    /// The part of it that counts: of the two ways to halve a quadrilateral each counts half.
    pub(super) part: f64,
    /// What each corner keeps of its hat.
    pub(super) keeps: Keeps,
}

/// Part of its hat that each corner of a facet keeps.
pub(super) type Keeps = [f64; 3];

/// What the corners of a facet of a face keep.
pub(super) fn keeps(patch: &Patch, corners: &Corners) -> Keeps {
    let of_corner = match (patch.corners, patch.nodes.len()) {
        (2, 3) => 2.0 / 3.0,
        (3, 6) => 0.0,
        (4, 8) => 1.0 / 3.0,
        _ => 1.0,
    };
    corners.map(|p| if patch.nodes[..patch.corners].contains(&p) { of_corner } else { 1.0 })
}

/// Whether corners hand something on.
pub(super) fn is_lumped(keeps: &Keeps) -> bool {
    keeps.iter().any(|k| *k < 1.0)
}

impl Depth {
    /// Vector area (m²) that each corner of a facet stands for, outward.
    pub(super) fn lumped(self, x: &[Vec3; 3], keeps: &Keeps) -> [Vec3; 3] {
        let hats = self.hats(x);
        let mut out = hats;
        let count = self.corners();
        for k in (0..count).filter(|k| keeps[*k] < 1.0) {
            // about an axis the weight is of the radius at the corner
            let own = if self == Self::Ring { self.flat_area(x) * (0.5 * self.around(&x[k])) } else { hats[k] };
            let kept = own * keeps[k] + hats[k] * LITTLE;
            out[k] -= hats[k] - kept;
            (0..count).filter(|o| *o != k).for_each(|o| out[o] += (hats[k] - kept) / (count - 1) as f64);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Weights of a line of three nodes, of a triangle of six, of a quadrilateral of eight with its middle; about an axis 2π r of each node.
    #[test]
    fn whole_faces_have_simpsons_weights() {
        let p = |x: f64, y: f64| Vec3::new(x, y, 0.0);
        let sum = |depth: Depth, corners: usize, nodes: usize, places: &[Vec3], facets: &[Corners]| {
            let patch = Patch { nodes: (0..nodes as u32).collect(), corners, shape: |_| unreachable!() };
            let mut out = vec![0.0; places.len()];
            for f in facets {
                let x = f.map(|k| places[k as usize]);
                let areas = depth.lumped(&x, &keeps(&patch, f));
                f.iter().zip(areas).take(depth.corners()).for_each(|(k, a)| out[*k as usize] += a.norm());
            }
            out
        };
        let close = |found: &[f64], expected: &[f64]| {
            assert!(
                found.iter().zip(expected).all(|(f, e)| (f - e).abs() < 1e-10 && *f > 0.0),
                "{found:?}, expected {expected:?}"
            );
        };
        let line = [p(1.0, 0.0), p(4.0, 0.0), p(2.5, 0.0)];
        let halves = [[0, 2, 2], [2, 1, 1]];
        close(&sum(Depth::Thickness(2.0), 2, 3, &line, &halves), &[1.0, 1.0, 4.0]);
        let tau = std::f64::consts::TAU;
        close(&sum(Depth::Ring, 2, 3, &line, &halves), &[0.5 * tau, 2.0 * tau, 5.0 * tau]);
        let six = [p(0.0, 0.0), p(2.0, 0.0), p(0.0, 3.0), p(1.0, 0.0), p(1.0, 1.5), p(0.0, 1.5)];
        close(&sum(Depth::Solid, 3, 6, &six, &[[0, 3, 5], [3, 1, 4], [5, 4, 2], [3, 4, 5]]), &[0.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
        let nine =
            [p(0.0, 0.0), p(6.0, 0.0), p(6.0, 6.0), p(0.0, 6.0), p(3.0, 0.0), p(6.0, 3.0), p(3.0, 6.0), p(0.0, 3.0), p(3.0, 3.0)];
        let fan = [[8, 0, 4], [8, 4, 1], [8, 1, 5], [8, 5, 2], [8, 2, 6], [8, 6, 3], [8, 3, 7], [8, 7, 0]];
        close(&sum(Depth::Solid, 4, 8, &nine, &fan), &[1.0, 1.0, 1.0, 1.0, 4.0, 4.0, 4.0, 4.0, 16.0]);
    }
}
