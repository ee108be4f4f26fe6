//! Two polytopes in the axes of the second one, at their present sizes. No decisions.

use mpcd_core::{Mat3, Vec3};

use super::types::Placed;
use crate::polytope::Polytope;

/// Cosines that differ by less are equal.
const EQUAL: f64 = 1e-9;

/// Reused storage of a pair.
#[derive(Debug, Clone, Default)]
pub(super) struct Buffers {
    pub(super) vertices: [Vec<Vec3>; 2],
    /// Outward normals of the faces.
    pub(super) normals: [Vec<Vec3>; 2],
    /// Edges that can be near the other body.
    pub(super) edges: [Vec<u16>; 2],
    /// What the corners of a polygon stand for.
    pub(super) shares: Vec<f64>,
    /// The points of a contact in their order around its middle.
    pub(super) around: Vec<usize>,
    /// Where they are (m).
    pub(super) places: Vec<Vec3>,
}

/// One polytope of the pair.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) hull: &'a Polytope,
    /// Its vertices (m).
    pub(super) vertices: &'a [Vec3],
    normals: &'a [Vec3],
    /// From body axes; `None` if these are the axes of the pair.
    turn: Option<Mat3>,
    shift: Vec3,
    size: f64,
}

impl<'a> View<'a> {
    /// Fills the buffers and looks at them: a polytope turned, then shifted.
    pub(super) fn turned(
        of: &Placed<'a>,
        turn: Mat3,
        shift: Vec3,
        vertices: &'a mut Vec<Vec3>,
        normals: &'a mut Vec<Vec3>,
    ) -> Self {
        vertices.clear();
        normals.clear();
        let scaled = turn * of.size;
        vertices.extend(of.hull.vertices.iter().map(|v| scaled * v + shift));
        normals.extend(of.hull.faces.iter().map(|f| turn * f.normal));
        Self { hull: of.hull, vertices, normals, turn: Some(turn), shift, size: of.size }
    }

    /// A polytope in its own axes.
    fn at_home(of: &Placed<'a>, vertices: &'a mut Vec<Vec3>, normals: &'a mut Vec<Vec3>) -> Self {
        vertices.clear();
        normals.clear();
        vertices.extend(of.hull.vertices.iter().map(|v| v * of.size));
        normals.extend(of.hull.faces.iter().map(|f| f.normal));
        Self { hull: of.hull, vertices, normals, turn: None, shift: Vec3::zeros(), size: of.size }
    }

    /// First and second polytope in the axes of the second.
    pub(super) fn pair(
        first: &Placed<'a>,
        second: &Placed<'a>,
        vertices: &'a mut [Vec<Vec3>; 2],
        normals: &'a mut [Vec<Vec3>; 2],
    ) -> (Self, Self) {
        let ([v, w], [m, n]) = (vertices, normals);
        let back = second.orientation.inverse();
        let turn = (back * first.orientation).to_rotation_matrix().into_inner();
        (Self::turned(first, turn, back * (first.position - second.position), v, m), Self::at_home(second, w, n))
    }

    /// A direction of the hull.
    pub(super) fn direction(&self, v: &Vec3) -> Vec3 {
        self.turn.map_or(*v, |turn| turn * v)
    }

    pub(super) fn normal(&self, face: usize) -> &Vec3 {
        &self.normals[face]
    }

    /// Distance of a face's plane from the origin of the pair's axes.
    pub(super) fn offset(&self, face: usize) -> f64 {
        self.hull.faces[face].offset * self.size + self.normals[face].dot(&self.shift)
    }

    pub(super) fn centre(&self) -> Vec3 {
        self.direction(&self.hull.centre) * self.size + self.shift
    }

    pub(super) fn inner_radius(&self) -> f64 {
        self.hull.inner_radius * self.size
    }

    pub(super) fn outer_radius(&self) -> f64 {
        self.hull.outer_radius * self.size
    }

    pub(super) fn ends(&self, edge: u16) -> [Vec3; 2] {
        self.hull.edges[edge as usize].ends.map(|v| self.vertices[v as usize])
    }

    /// Unit direction of an edge, from its first end.
    pub(super) fn along(&self, edge: u16) -> Vec3 {
        let [a, b] = self.ends(edge);
        (b - a).normalize()
    }

    /// Least and largest coordinate along a direction.
    pub(super) fn lowest(&self, n: &Vec3) -> f64 {
        self.vertices.iter().map(|v| n.dot(v)).fold(f64::INFINITY, |low, h| if h < low { h } else { low })
    }

    pub(super) fn highest(&self, n: &Vec3) -> f64 {
        self.vertices.iter().map(|v| n.dot(v)).fold(f64::NEG_INFINITY, |high, h| if h > high { h } else { high })
    }

    /// The first vertex farthest along a direction.
    pub(super) fn support(&self, n: &Vec3) -> usize {
        let mut best = (0, f64::NEG_INFINITY);
        for (i, v) in self.vertices.iter().enumerate() {
            let along = n.dot(v);
            if along > best.1 {
                best = (i, along);
            }
        }
        best.0
    }

    /// Of the faces at the vertices that are farthest along a direction (to `near`, m) the one that looks most along it, and
    /// how much (cosine). Of equals the lowest number.
    pub(super) fn facing(&self, n: &Vec3, near: f64) -> Option<(usize, f64)> {
        let farthest = self.highest(n) - near;
        let mut best: Option<(usize, f64)> = None;
        for (vertex, _) in self.vertices.iter().enumerate().filter(|(_, v)| n.dot(v) >= farthest) {
            for &face in self.hull.vertex_faces(vertex) {
                let along = self.normal(face as usize).dot(n);
                if best.is_none_or(|(number, most)| along > most + EQUAL || (along > most - EQUAL && (face as usize) < number)) {
                    best = Some((face as usize, along));
                }
            }
        }
        best
    }
}
