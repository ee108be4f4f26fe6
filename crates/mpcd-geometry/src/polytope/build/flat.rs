//! Segments, planar polygons and plates: everything whose hull is at most two-dimensional.

use mpcd_core::{Dimension, Vec3};

use super::{
    assemble::{Loop, polyhedral},
    distinct::distinct,
};
use crate::polytope::{Edge, FLAT, Face, Polytope, PolytopeError, Side};

impl Polytope {
    /// The segment between two points (m), to be given a rounding: a capsule in space, a wall in a planar model.
    ///
    /// # Errors
    /// If a coordinate is not finite, the points are one, or leave the plane of a planar model.
    pub fn segment(from: Vec3, to: Vec3, dimension: Dimension) -> Result<Self, PolytopeError> {
        let (vertices, size) = distinct(&[from, to])?;
        if vertices.len() < 2 {
            return Err(PolytopeError::TooFew { expected: 2, got: vertices.len() });
        }
        if dimension == Dimension::Planar {
            return Ok(two_vertex_faces(in_xy(vertices, size)?));
        }
        let direction = (to - from).normalize();
        Ok(Self {
            vertices,
            faces: Vec::new(),
            loops: Vec::new(),
            sides: Vec::new(),
            edges: vec![Edge { ends: [0, 1], direction, faces: None, inward: [Vec3::zeros(); 2] }],
            around: Vec::new(),
            around_start: vec![0; 3],
            centre: 0.5 * (from + to),
            inner_radius: 0.0,
            outer_radius: 0.5 * (to - from).norm(),
        })
    }

    /// The convex hull of points of the xy plane (m), for planar models.
    ///
    /// # Errors
    /// If a coordinate is not finite, a point leaves the plane, or all lie on one line.
    pub fn polygon(points: &[Vec3]) -> Result<Self, PolytopeError> {
        let (points, size) = distinct(points)?;
        let points = in_xy(points, size)?;
        let outline = outline(&points, FLAT * size);
        if outline.len() < 3 {
            return Err(too_flat(points.len()));
        }
        super::assemble::within_limit(outline.len(), "vertices")?;
        Ok(two_vertex_faces(outline.into_iter().map(|i| points[i]).collect()))
    }

    /// The convex hull of points of one plane in space (m): a polygon without thickness, to be given a rounding, or a triangle
    /// of a surface. Its face 0 looks to where the points are seen counter-clockwise in the order given.
    ///
    /// # Errors
    /// If a coordinate is not finite, the points are on one line, or not in one plane.
    pub fn plate(points: &[Vec3]) -> Result<Self, PolytopeError> {
        let (points, size) = distinct(points)?;
        let (Some(first), false) = (points.first(), points.len() < 3) else {
            return Err(PolytopeError::TooFew { expected: 3, got: points.len() });
        };
        let far =
            |f: &dyn Fn(&Vec3) -> f64| points.iter().copied().fold(*first, |best, p| if f(&p) > f(&best) { p } else { best });
        let a = far(&|p| (p - first).norm());
        let e = (a - first).normalize();
        let b = far(&|p| (p - first).cross(&e).norm());
        if (b - first).cross(&e).norm() <= FLAT * size {
            return Err(PolytopeError::Flat("on one line"));
        }
        let mut n = (a - first).cross(&(b - first)).normalize();
        // Newell: twice the area vector of the polygon in the order given.
        let turned: Vec3 = (1..points.len() - 1).map(|i| (points[i] - first).cross(&(points[i + 1] - first))).sum();
        if turned.dot(&n) < 0.0 {
            n = -n;
        }
        if let Some(vertex) = points.iter().position(|p| (p - first).dot(&n).abs() > FLAT * size) {
            let (plane, cure) = ("the plane of the others", "use a polyhedron, or move it into the plane");
            return Err(PolytopeError::OutOfPlane { vertex, plane, cure });
        }
        let t = e - n * e.dot(&n);
        let s = n.cross(&t);
        let flat: Vec<Vec3> = points.iter().map(|p| Vec3::new((p - first).dot(&t), (p - first).dot(&s), 0.0)).collect();
        let outline = outline(&flat, FLAT * size);
        super::assemble::within_limit(outline.len(), "vertices")?;
        let vertices: Vec<Vec3> = outline.iter().map(|&i| points[i]).collect();
        let up: Vec<u16> = (0..vertices.len() as u16).collect();
        let down = up.iter().rev().copied().collect();
        polyhedral(vertices, vec![Loop { normal: n, vertices: up }, Loop { normal: -n, vertices: down }])
    }
}

fn too_flat(points: usize) -> PolytopeError {
    match points {
        0..3 => PolytopeError::TooFew { expected: 3, got: points },
        _ => PolytopeError::Flat("on one line"),
    }
}

fn in_xy(mut points: Vec<Vec3>, size: f64) -> Result<Vec<Vec3>, PolytopeError> {
    if let Some(vertex) = points.iter().position(|p| p.z.abs() > FLAT * size) {
        return Err(PolytopeError::OutOfPlane {
            vertex,
            plane: "the xy plane",
            cure: "a polygon of a planar model has z = 0 everywhere",
        });
    }
    points.iter_mut().for_each(|p| p.z = 0.0);
    Ok(points)
}

/// The corners of the hull of points of the xy plane, counter-clockwise from the lowest index (Andrew's monotone chain).
/// Points within `near` of the line of their neighbours are left out.
fn outline(points: &[Vec3], near: f64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(|&a, &b| points[a].x.total_cmp(&points[b].x).then(points[a].y.total_cmp(&points[b].y)));
    let mut chain: Vec<usize> = Vec::with_capacity(points.len() + 1);
    for back in [false, true] {
        let base = chain.len();
        let walk: &mut dyn Iterator<Item = &usize> = if back { &mut order.iter().rev() } else { &mut order.iter() };
        for &c in walk {
            while let [.., a, b] = chain[base..] {
                let (u, w) = (points[b] - points[a], points[c] - points[a]);
                let inside = u.x * w.y - u.y * w.x <= near * w.norm();
                if !inside {
                    break;
                }
                chain.pop();
            }
            chain.push(c);
        }
        chain.pop(); // the first of the other half
    }
    let lowest = chain.iter().enumerate().min_by_key(|&(_, &i)| i).map_or(0, |(k, _)| k);
    chain.rotate_left(lowest);
    chain
}

/// A convex polygon of the xy plane, vertices counter-clockwise; or two vertices, seen from both sides.
fn two_vertex_faces(vertices: Vec<Vec3>) -> Polytope {
    let n = vertices.len();
    let along = |i: usize| (vertices[(i + 1) % n] - vertices[i]).normalize();
    let mut built = Polytope {
        faces: Vec::with_capacity(n),
        loops: Vec::with_capacity(2 * n),
        sides: Vec::with_capacity(2 * n),
        edges: Vec::with_capacity(n),
        around: Vec::with_capacity(2 * n),
        around_start: (0..=n).map(|i| 2 * i as u32).collect(),
        centre: Vec3::zeros(),
        inner_radius: 0.0,
        outer_radius: 0.0,
        vertices: Vec::new(),
    };
    for i in 0..n {
        let (next, before, e) = ((i + 1) % n, (i + n - 1) % n, along(i));
        let normal = Vec3::new(e.y, -e.x, 0.0);
        built.faces.push(Face { normal, offset: normal.dot(&vertices[i]), start: 2 * i as u32, end: 2 * i as u32 + 2 });
        built.loops.extend([i as u16, next as u16]);
        built.sides.extend([Side { outward: -e, edge: i as u16 }, Side { outward: e, edge: next as u16 }]);
        built.edges.push(Edge {
            ends: [i as u16; 2],
            direction: Vec3::zeros(),
            faces: Some([before as u16, i as u16]),
            inward: [-along(before), e],
        });
        built.around.extend([before.min(i) as u16, before.max(i) as u16]);
    }
    built.vertices = vertices;
    built.with_radii()
}
