//! A face of a mesh with its own shape functions: where a point of it is, and which point of it is at a place. No search.

use mpcd_core::Vec3;

use super::{Corners, SurfacePoint};

/// Most nodes of a face.
pub const MOST_NODES: usize = 8;

/// Values of a face's shape functions and their derivatives by the two coordinates of its reference cell.
pub type PatchShape = fn([f64; 2]) -> ([f64; MOST_NODES], [[f64; 2]; MOST_NODES]);

/// A face of a mesh.
#[derive(Debug, Clone)]
pub struct Patch {
    /// Points of the skin that are its nodes, its corners first.
    pub nodes: Vec<u32>,
    /// How many of them are corners.
    pub corners: usize,
    /// Its shape functions.
    pub shape: PatchShape,
}

/// A facet: a flat part of a patch.
#[derive(Debug, Clone, Copy)]
pub struct Facet {
    /// Its corners among the points of the skin.
    pub corners: Corners,
    /// The patch that it is of.
    pub patch: u32,
    /// Where its corners are in the reference cell of the patch.
    pub at: [[f64; 2]; 3],
}

impl Facet {
    /// Coordinates, in the reference cell of the patch, of the weighted mean of its corners.
    pub(super) fn coordinates(&self, weights: &[f64; 3]) -> [f64; 2] {
        [0, 1].map(|k| (0..3).map(|c| weights[c] * self.at[c][k]).sum())
    }
}

/// Corrections of a point of a patch; one of affine patches is exact before the first.
const LOOKS: usize = 8;
/// Part of a patch's size within which a point of it is at a place.
const CLOSE: f64 = 1e-13;

impl Patch {
    /// The point with these coordinates.
    pub(super) fn point(&self, at: [f64; 2], points: &[SurfacePoint]) -> SurfacePoint {
        let (value, _) = (self.shape)(at);
        let mut out = SurfacePoint::nowhere();
        self.nodes.iter().zip(value).filter(|(_, w)| *w != 0.0).for_each(|(p, w)| out.add_point(&points[*p as usize], w));
        out
    }

    /// Where the point with these coordinates is.
    pub(super) fn place(&self, at: [f64; 2], places: &[Vec3]) -> Vec3 {
        let (value, _) = (self.shape)(at);
        self.nodes.iter().zip(value).map(|(p, v)| places[*p as usize] * v).sum()
    }

    /// Coordinates of the middle of the reference cell.
    pub(super) const fn middle(&self) -> [f64; 2] {
        if self.corners == 3 { [1.0 / 3.0; 2] } else { [0.0; 2] }
    }

    /// How far to go in the two coordinates, along which places change by `along`, to come by `off`; what is along the normal does not count.
    pub(super) fn coordinates_of(&self, along: &[Vec3; 2], off: &Vec3, normal: &Vec3) -> [f64; 2] {
        let [a, b] = along.map(|a| flat(a, normal));
        let (aa, ab, bb) = (a.dot(&a), a.dot(&b), b.dot(&b));
        if self.corners == 2 {
            return [a.dot(off) / aa, 0.0];
        }
        let whole = aa * bb - ab * ab;
        [(bb * a.dot(off) - ab * b.dot(off)) / whole, (aa * b.dot(off) - ab * a.dot(off)) / whole]
    }

    /// Coordinates of the point at a place, as seen along a normal: what is along that does not count. Looked for from coordinates no
    /// farther than `free` away; these are kept where nothing better is found.
    pub(super) fn locate(&self, from: [f64; 2], free: f64, x: &Vec3, normal: &Vec3, places: &[Vec3]) -> [f64; 2] {
        let at = |p: &u32| places[*p as usize];
        let size = (at(&self.nodes[1]) - at(&self.nodes[0])).norm();
        let beyond = |c: [f64; 2]| (0..2).any(|k| (c[k] - from[k]).abs() > free);
        let mut now = from;
        for _ in 0..LOOKS {
            let (value, slope) = (self.shape)(now);
            let (mut place, mut along) = (Vec3::zeros(), [Vec3::zeros(); 2]);
            for ((p, v), s) in self.nodes.iter().zip(value).zip(slope) {
                place += at(p) * v;
                (0..2).for_each(|k| along[k] += at(p) * s[k]);
            }
            let off = flat(x - place, normal);
            if off.norm() <= CLOSE * size {
                return now;
            }
            let step = self.coordinates_of(&along, &off, normal);
            let next = [now[0] + step[0], now[1] + step[1]];
            if !next.iter().all(|c| c.is_finite()) || beyond(next) {
                return from;
            }
            now = next;
        }
        now
    }
}

/// A vector without its part along a normal.
pub(super) fn flat(v: Vec3, normal: &Vec3) -> Vec3 {
    v - normal * normal.dot(&v)
}
