//! Convex polytopes: segments, planar polygons, flat plates and polyhedra, their measures, the files they come from, and
//! the contact points of two of them. One code for plane and space: the faces of a planar polygon have two vertices, and its
//! edges (where two faces meet) are its corners. No bodies, no masses, no search for pairs.

mod build;
mod error;
mod features;
mod file;
mod measures;
mod pair;

pub use error::PolytopeError;
pub use features::{Feature, FeaturePair};
pub use file::{Triangles, read_obj, read_stl};
pub use measures::{Measures, principal_axes};
pub(crate) use pair::part_of_first;
pub use pair::{Manifold, ManifoldPoint, Nearest, Patch, Placed, Reach, manifold, nearest, on_half_space};

use mpcd_core::Vec3;

/// Most vertices, edges or faces of one polytope: a [`Feature`] has 14 bits for the number.
pub const MOST_FEATURES: usize = 1 << 14;

/// Below this part of its size a polytope is flat: coplanar faces are merged and near points are one.
pub const FLAT: f64 = 1e-6;

/// A convex polytope in body axes.
///
/// A segment in space has two vertices, one edge and no face. A planar polygon (in the xy plane) has faces of two vertices
/// and edges of no length, its corners; a planar segment has two such faces back to back. A plate is a flat polygon in space
/// with two faces back to back. Vertices keep the order of the points they come from.
#[derive(Debug, Clone, PartialEq)]
pub struct Polytope {
    vertices: Vec<Vec3>,
    faces: Vec<Face>,
    /// Vertices of all faces, face after face.
    loops: Vec<u16>,
    /// For each entry of `loops`: the boundary of the face that starts at this vertex (in a planar model: is this vertex).
    sides: Vec<Side>,
    edges: Vec<Edge>,
    /// Faces around each vertex, vertex after vertex.
    around: Vec<u16>,
    /// Where the faces of a vertex begin in `around`; one more entry than vertices.
    around_start: Vec<u32>,
    /// A point well inside (the mean of the vertices).
    centre: Vec3,
    /// Radius of a ball about `centre` inside of all faces; 0 for what is flat in space.
    inner_radius: f64,
    /// Largest distance of a vertex from `centre` (m).
    outer_radius: f64,
}

/// A face: n·x = offset, n outward.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Face {
    /// Outward unit normal.
    pub normal: Vec3,
    /// Distance of its plane from the origin along the normal (m).
    pub offset: f64,
    start: u32,
    end: u32,
}

/// Where a face ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Side {
    /// Unit vector in the plane of the face, pointing out of the face.
    pub(crate) outward: Vec3,
    /// The edge that lies there.
    pub(crate) edge: u16,
}

/// Where two faces meet.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Edge {
    /// Its two vertices; twice the same for the corner of a planar polygon.
    pub ends: [u16; 2],
    /// From the first end to the second, unit vector; zero for the corner of a planar polygon.
    pub direction: Vec3,
    /// Its two faces; `None` for a segment in space.
    pub faces: Option<[u16; 2]>,
    /// In each of its faces, the unit vector across the edge into the face; zero for a segment in space.
    /// A direction m is a normal of the edge if m·direction = 0 and m·inward ≤ 0 for both.
    pub inward: [Vec3; 2],
}

impl Polytope {
    /// The vertices (m).
    #[must_use]
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// The faces.
    #[must_use]
    pub fn faces(&self) -> &[Face] {
        &self.faces
    }

    /// The edges.
    #[must_use]
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The vertices of a face, counter-clockwise as seen from outside.
    #[must_use]
    pub fn face_vertices(&self, face: usize) -> &[u16] {
        self.faces.get(face).map_or(&[], |f| &self.loops[f.range()])
    }

    /// The faces that meet at a vertex, by rising number.
    #[must_use]
    pub fn vertex_faces(&self, vertex: usize) -> &[u16] {
        let bound = |i: usize| self.around_start.get(i).map_or(self.around.len(), |&k| k as usize);
        &self.around[bound(vertex)..bound(vertex + 1)]
    }

    /// A point inside (m).
    #[must_use]
    pub const fn centre(&self) -> &Vec3 {
        &self.centre
    }

    /// Radius of a ball about [`Polytope::centre`] that lies inside (m); 0 for a segment or plate in space.
    #[must_use]
    pub const fn inner_radius(&self) -> f64 {
        self.inner_radius
    }

    /// Radius of the smallest ball about [`Polytope::centre`] that holds all (m).
    #[must_use]
    pub const fn outer_radius(&self) -> f64 {
        self.outer_radius
    }

    /// Radius of the smallest ball about the origin that holds all (m).
    #[must_use]
    pub fn bounding_radius(&self) -> f64 {
        self.vertices.iter().map(Vec3::norm_squared).fold(0.0, f64::max).sqrt()
    }

    /// The vertex farthest along a direction, the first of equals.
    #[must_use]
    pub fn support(&self, direction: &Vec3) -> usize {
        let mut best = (0, f64::NEG_INFINITY);
        for (i, v) in self.vertices.iter().enumerate() {
            let along = v.dot(direction);
            if along > best.1 {
                best = (i, along);
            }
        }
        best.0
    }

    pub(crate) fn sides(&self, face: usize) -> &[Side] {
        &self.sides[self.faces[face].range()]
    }
}

impl Face {
    fn range(&self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}
