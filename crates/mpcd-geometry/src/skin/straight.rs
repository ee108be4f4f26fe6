//! Contact points whose two sides lie along the contact's normal. An impulse r n on places x₁ and x₂ of two bodies has the moment (x₁ − x₂) × n r:
//! none where x₁ − x₂ is along n. Where it is not, one side moves along its face by what is missing. No search.

use mpcd_core::Vec3;

use super::patch::flat;
use super::{Depth, Nearest, Skin, SurfacePoint};

/// Part of a face's size up to which two sides are one above the other.
const ABOVE: f64 = 1e-13;

/// How far, in the reference cell, a side moves at most: half the width of a face.
const FARTHEST: f64 = 1.0;

/// Cosine of the angle up to which a face looks along a normal.
const LOOKS: f64 = 0.5;

impl Skin {
    /// Moves a point of a patch, which is at `place`, along that until what is left of its way to `x` is along `n`. The point gets the derivatives of the
    /// patch's shape functions, whose sum is zero, times how far it goes. `false` where the patch does not look along `n`, or that is too far.
    pub(super) fn move_below(&self, patch: usize, n: &Vec3, x: &Vec3, (point, place): (&mut SurfacePoint, &mut Vec3)) -> bool {
        // A ring has no moment along the axis, nor a place on it that turns.
        if self.depth == Depth::Ring {
            return false;
        }
        let face = &self.patches[patch];
        let aside = flat(x - *place, n);
        let size = face.nodes.iter().map(|p| (self.places[*p as usize] - *place).norm()).fold(0.0, f64::max);
        if aside.norm() <= ABOVE * size {
            return true;
        }
        let (_, slope) = (face.shape)(face.middle());
        let mut along = [Vec3::zeros(); 2];
        for (p, s) in face.nodes.iter().zip(slope) {
            (0..2).for_each(|k| along[k] += self.places[*p as usize] * s[k]);
        }
        let by = face.coordinates_of(&along, &aside, n);
        if !by.iter().all(|c| c.abs() <= FARTHEST) {
            return false;
        }
        for (p, s) in face.nodes.iter().zip(slope) {
            let weight = s[0] * by[0] + s[1] * by[1];
            if weight != 0.0 {
                point.add_point(&self.points[*p as usize], weight);
            }
        }
        *place += along[0] * by[0] + along[1] * by[1];
        true
    }

    /// The patch at a place that looks most along `n`.
    fn patch_along(&self, at: &Nearest, n: &Vec3) -> Option<usize> {
        let looks = |f: usize| self.normals[f].dot(n);
        let mut best = at.facet;
        if looks(best) < super::SAME {
            let corners = &self.facets[at.facet][..self.depth.corners()];
            let around = corners.iter().flat_map(|p| self.facets_around(*p as usize)).map(|f| *f as usize);
            let rank = |f: usize| (looks(f), std::cmp::Reverse(f));
            best =
                around.fold(
                    best,
                    |best, f| if rank(f).partial_cmp(&rank(best)).is_some_and(std::cmp::Ordering::is_gt) { f } else { best },
                );
        }
        (looks(best) >= LOOKS).then_some(self.parts[best].patch as usize)
    }
}

impl Nearest {
    /// The same for the point at `x` that it is of, right below that along its normal.
    pub(super) fn below(mut self, skin: &Skin, x: &Vec3) -> Self {
        if let Some(patch) = skin.patch_along(&self, &self.normal) {
            skin.move_below(patch, &self.normal, x, (&mut self.on, &mut self.place));
            self.gap = self.normal.dot(&(x - self.place));
        }
        self
    }
}
