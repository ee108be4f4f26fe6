//! From vertices and the loops around faces to a polytope in space: edges, sides, neighbours.

use mpcd_core::Vec3;

use crate::polytope::{Edge, Face, MOST_FEATURES, Polytope, PolytopeError, Side};

/// A face to be: outward unit normal and vertices counter-clockwise as seen from outside.
pub(super) struct Loop {
    pub(super) normal: Vec3,
    pub(super) vertices: Vec<u16>,
}

pub(super) fn within_limit(got: usize, what: &'static str) -> Result<(), PolytopeError> {
    if got < MOST_FEATURES { Ok(()) } else { Err(PolytopeError::TooMany { got, what, limit: MOST_FEATURES }) }
}

/// A polyhedron or plate.
///
/// # Errors
/// If some edge does not lie between exactly two faces, or there are too many features.
pub(super) fn polyhedral(vertices: Vec<Vec3>, outlines: Vec<Loop>) -> Result<Polytope, PolytopeError> {
    within_limit(vertices.len(), "vertices")?;
    within_limit(outlines.len(), "faces")?;
    let (edges, edge_of_side) = edges(&vertices, &outlines)?;
    within_limit(edges.len(), "edges")?;
    let mut built = Polytope {
        faces: Vec::with_capacity(outlines.len()),
        loops: Vec::new(),
        sides: Vec::new(),
        edges,
        around: Vec::new(),
        around_start: vec![0; vertices.len() + 1],
        centre: Vec3::zeros(),
        inner_radius: 0.0,
        outer_radius: 0.0,
        vertices,
    };
    let mut numbers = edge_of_side.iter();
    for outline in &outlines {
        let start = built.loops.len() as u32;
        built.loops.extend(&outline.vertices);
        for (from, to) in around(&outline.vertices) {
            let e = (built.vertices[to as usize] - built.vertices[from as usize]).normalize();
            let edge = numbers.next().copied().unwrap_or(0);
            built.sides.push(Side { outward: e.cross(&outline.normal).normalize(), edge });
        }
        // A supporting plane: merged faces may be uneven by a little.
        let offset =
            outline.vertices.iter().map(|&v| built.vertices[v as usize].dot(&outline.normal)).fold(f64::NEG_INFINITY, f64::max);
        built.faces.push(Face { normal: outline.normal, offset, start, end: built.loops.len() as u32 });
    }
    for v in 0..built.vertices.len() {
        let faces = outlines.iter().enumerate().filter(|(_, o)| o.vertices.contains(&(v as u16))).map(|(f, _)| f as u16);
        built.around.extend(faces);
        built.around_start[v + 1] = built.around.len() as u32;
    }
    Ok(built.with_radii())
}

fn around(vertices: &[u16]) -> impl Iterator<Item = (u16, u16)> {
    vertices.iter().copied().zip(vertices.iter().copied().cycle().skip(1))
}

/// The edges by rising vertices, and the edge of each side in the order of the loops.
fn edges(vertices: &[Vec3], outlines: &[Loop]) -> Result<(Vec<Edge>, Vec<u16>), PolytopeError> {
    struct HalfEdge {
        ends: [u16; 2],
        side: usize,
        face: u16,
        inward: Vec3,
    }
    let mut halves = Vec::new();
    for (face, outline) in outlines.iter().enumerate() {
        for (from, to) in around(&outline.vertices) {
            let e = (vertices[to as usize] - vertices[from as usize]).normalize();
            let inward = outline.normal.cross(&e).normalize();
            halves.push(HalfEdge { ends: [from.min(to), from.max(to)], side: halves.len(), face: face as u16, inward });
        }
    }
    let mut edge_of_side = vec![0; halves.len()];
    halves.sort_by_key(|h| (h.ends, h.face));
    let mut edges = Vec::with_capacity(halves.len() / 2);
    for pair in halves.chunks(2) {
        let [a, b] = pair else { return Err(PolytopeError::NearlyFlat) };
        if a.ends != b.ends || a.face == b.face || edges.last().is_some_and(|last: &Edge| last.ends == a.ends) {
            return Err(PolytopeError::NearlyFlat);
        }
        for half in pair {
            edge_of_side[half.side] = edges.len() as u16;
        }
        let direction = (vertices[a.ends[1] as usize] - vertices[a.ends[0] as usize]).normalize();
        edges.push(Edge { ends: a.ends, direction, faces: Some([a.face, b.face]), inward: [a.inward, b.inward] });
        within_limit(edges.len(), "edges")?;
    }
    Ok((edges, edge_of_side))
}

impl Polytope {
    pub(super) fn with_radii(mut self) -> Self {
        self.centre = self.vertices.iter().sum::<Vec3>() / self.vertices.len() as f64;
        let depth = self.faces.iter().map(|f| f.offset - f.normal.dot(&self.centre)).fold(f64::INFINITY, f64::min);
        self.inner_radius = if depth.is_finite() { depth.max(0.0) } else { 0.0 };
        self.outer_radius = self.vertices.iter().map(|v| (v - self.centre).norm()).fold(0.0, f64::max);
        self
    }
}
