//! What contact points stand for where a face of a mesh with nodes between its corners lies over a flat rigid face in part. The pieces that facets have in common with it would give a
//! constant pressure to other nodes than ∫ N p dA does ([`super::lump`] mends that for whole faces). Here areas a ≥ 0 of the points at hand are sought with Σ a N_i = ∫ N_i dA over what is
//! covered, N_i the part of node i in a point; area and middle of the covered part stay what they are. Of several such areas those nearest to the pieces are taken; where there are none (points at 0, ½
//! and s of a line have positive ones from s = ¾ on, where ∫ x (x − ½) dx is no less than 0), those that come nearest.

use nalgebra::{DMatrix, DVector};

use super::Patch;
use super::face::Face;
use super::mortar::{Flat, LINE, clip, over_polygon};

/// Weights of what must hold (area and middle), and of what is nearest to the pieces, beside the forces at the nodes.
const MUST: f64 = 1e3;
const NEAR: f64 = 1e-3;

/// Part of the covered area by which area and middle may be off where areas are taken.
const OFF: f64 = 1e-5;

/// Part of an area that is none.
const NONE: f64 = 1e-12;

/// What a patch has in common with a face: area (m²), or length, first moments in the plane of the face, and ∫ N_i dA of its nodes.
#[derive(Debug, Clone)]
pub(super) struct Covered {
    pub(super) area: f64,
    moment: Flat,
    nodes: Vec<f64>,
}

/// A contact point: where it is in the plane of the face, its part of each node of the patch, and what the pieces give it.
#[derive(Debug, Clone)]
pub(super) struct Bearing {
    pub(super) at: Flat,
    pub(super) parts: Vec<f64>,
    pub(super) given: f64,
}

impl Covered {
    pub(super) fn of(patch: &Patch) -> Self {
        Self { area: 0.0, moment: [0.0; 2], nodes: vec![0.0; patch.nodes.len()] }
    }

    /// Adds what a facet of the patch, its corners in the plane of the face at `own` and in the patch at `at`, has in common with the face; `around` is what the area
    /// is beside its own plane.
    pub(super) fn add(
        &mut self,
        patch: &Patch,
        face: &Face,
        (own, at): (&[Flat; 3], &[[f64; 2]; 3]),
        around: impl Fn(&[f64; 3]) -> f64,
    ) {
        let mut sample = |place: Flat, weight: f64| {
            let hats = face.hats(own, place);
            let inside = [0, 1].map(|k| (0..3).map(|c| hats[c] * at[c][k]).sum());
            let weight = weight * around(&hats);
            self.area += weight;
            (0..2).for_each(|k| self.moment[k] += weight * place[k]);
            let (value, _) = (patch.shape)(inside);
            self.nodes.iter_mut().zip(value).for_each(|(sum, v)| *sum += weight * v);
        };
        if face.outline.len() == 2 {
            let Some([a, b]) = face.within(own) else { return };
            let length = (b[0] - a[0]).abs();
            LINE.iter().for_each(|(t, w)| sample([a[0] + (b[0] - a[0]) * t, 0.0], w * length));
        } else {
            // seen from outside of the face the facet turns right
            over_polygon(clip(&[own[0], own[2], own[1]], &face.outline), &mut sample);
        }
    }

    /// The areas of the points; `None` where they cannot have area and middle of what is covered.
    pub(super) fn shared(&self, points: &[Bearing]) -> Option<Vec<f64>> {
        let (count, nodes) = (points.len(), self.nodes.len());
        let middle = self.moment.map(|m| m / self.area);
        let size = points.iter().map(|p| f64::hypot(p.at[0] - middle[0], p.at[1] - middle[1])).fold(0.0, f64::max);
        if count == 0 || size <= 0.0 {
            return None;
        }
        let mut matrix = DMatrix::zeros(3 + nodes + count, count);
        let mut right = DVector::zeros(3 + nodes + count);
        right[0] = MUST;
        (0..nodes).for_each(|i| right[3 + i] = self.nodes[i] / self.area);
        for (k, point) in points.iter().enumerate() {
            matrix[(0, k)] = MUST;
            (0..2).for_each(|i| matrix[(1 + i, k)] = MUST * (point.at[i] - middle[i]) / size);
            (0..nodes).for_each(|i| matrix[(3 + i, k)] = point.parts[i]);
            matrix[(3 + nodes + k, k)] = NEAR;
            right[3 + nodes + k] = NEAR * point.given / self.area;
        }
        let found = positive(&matrix, &right)?;
        let missed = &matrix * &found - &right;
        if (0..3).any(|i| missed[i].abs() > MUST * OFF) {
            return None;
        }
        let scale = points.iter().map(|p| p.given).sum::<f64>() / found.sum();
        Some(found.iter().map(|a| (a * scale).max(NONE * self.area)).collect())
    }
}

/// The x ≥ 0 of least ‖A x − b‖ (Lawson and Hanson 1974); `None` where none is found.
fn positive(matrix: &DMatrix<f64>, right: &DVector<f64>) -> Option<DVector<f64>> {
    let count = matrix.ncols();
    let mut free = vec![false; count];
    let mut x = DVector::zeros(count);
    let least = |free: &[bool]| {
        let columns: Vec<usize> = (0..count).filter(|k| free[*k]).collect();
        let part = matrix.select_columns(&columns);
        let solved = part.svd(true, true).solve(right, f64::EPSILON).ok()?;
        let mut out = DVector::zeros(count);
        columns.iter().zip(solved.iter()).for_each(|(k, v)| out[*k] = *v);
        Some(out)
    };
    for _ in 0..4 * count {
        let downhill = matrix.tr_mul(&(right - matrix * &x));
        let steepest = (0..count).filter(|k| !free[*k]).max_by(|a, b| downhill[*a].total_cmp(&downhill[*b]));
        let Some(next) = steepest.filter(|k| downhill[*k] > 1e-12) else { return Some(x) };
        free[next] = true;
        loop {
            let wanted = least(&free)?;
            let bad = (0..count).filter(|k| free[*k] && wanted[*k] <= 0.0);
            let way = bad.map(|k| x[k] / (x[k] - wanted[k])).fold(1.0, f64::min);
            if way >= 1.0 {
                x = wanted;
                break;
            }
            x += (&wanted - &x) * way;
            for k in 0..count {
                if x[k] <= NONE {
                    (free[k], x[k]) = (false, 0.0);
                }
            }
        }
    }
    None
}
