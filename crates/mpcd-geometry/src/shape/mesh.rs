//! Triangulated surfaces: triangles with their neighbours, and a tree of boxes to find the near ones. No contact is computed here.
//!
//! A surface has one side: the triangles are counter-clockwise as seen from where bodies are. Triangles that share two vertices
//! are neighbours, so near vertices of a file are made one first.

use mpcd_core::Vec3;

use super::Core;
use crate::narrow::side_core;

/// Most triangles in a leaf of the tree.
const LEAF: usize = 4;

/// A triangle: its vertices, its normal, what its sides are.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Triangle {
    pub(crate) vertices: [u32; 3],
    pub(crate) normal: Vec3,
    /// Of the side from vertex k to the next: whether the surface bends away there, so that bodies can rest on it.
    pub(crate) ridge: [bool; 3],
    /// Of the side from vertex k to the next: whether this triangle speaks for it.
    pub(crate) owner: [bool; 3],
    /// Whether this triangle speaks for vertex k.
    pub(crate) owns_vertex: [bool; 3],
    /// Radius of the circle inside (m).
    pub(crate) inner_radius: f64,
}

/// A node of the tree: a box, and its triangles or its two halves.
#[derive(Debug, Clone, PartialEq)]
struct Node {
    lower: Vec3,
    upper: Vec3,
    /// Leaf: triangles `first..first + count` of the order; else `count` is 0 and the halves are the next node and `first`.
    first: u32,
    count: u32,
}

/// A triangulated surface in body axes.
#[derive(Debug, Clone)]
pub struct TriMesh {
    vertices: Vec<Vec3>,
    triangles: Vec<Triangle>,
    /// Vertices next to each vertex, vertex after vertex.
    around: Vec<u32>,
    around_start: Vec<u32>,
    nodes: Vec<Node>,
    order: Vec<u32>,
    /// Of each ridge that its triangle speaks for: triangle and side, the hull of the side, and of the two faces the unit vectors from it into
    /// them and their third vertices (the rim of an open surface has one, twice).
    ridges: Vec<Ridge>,
}

#[derive(Debug, Clone)]
struct Ridge {
    place: (u32, u8),
    core: Core,
    inward: [Vec3; 2],
    /// The third vertices of the two triangles.
    apexes: [u32; 2],
}

impl TriMesh {
    /// A surface from vertices (m) and triangles. Vertices closer than a millionth of the size become one; triangles without an
    /// area are left out.
    ///
    /// # Errors
    /// What is wrong with the triangles, and what to do.
    pub fn new(vertices: &[Vec3], triangles: &[[u32; 3]]) -> Result<Self, String> {
        if let Some(bad) = vertices.iter().position(|v| !v.iter().all(|c| c.is_finite())) {
            return Err(format!("vertex {bad} has a coordinate that is not a finite number; expected finite lengths"));
        }
        if let Some(bad) = triangles.iter().position(|t| t.iter().any(|&v| v as usize >= vertices.len())) {
            return Err(format!("triangle {bad} names a vertex beyond the {} given; count them from 0", vertices.len()));
        }
        let (points, place) = weld(vertices);
        let mut kept = Vec::new();
        for t in triangles {
            let t = t.map(|v| place[v as usize]);
            let [a, b, c] = t.map(|v| points[v as usize]);
            let cross = (b - a).cross(&(c - a));
            let longest = (b - a).norm().max((c - b).norm()).max((a - c).norm());
            if cross.norm() > 1e-9 * longest * longest {
                let perimeter = (b - a).norm() + (c - b).norm() + (a - c).norm();
                kept.push(Triangle {
                    vertices: t,
                    normal: cross.normalize(),
                    ridge: [false; 3],
                    owner: [true; 3],
                    owns_vertex: [false; 3],
                    inner_radius: cross.norm() / perimeter,
                });
            }
        }
        if kept.is_empty() {
            return Err("no triangle has an area; expected a surface".to_owned());
        }
        let (around, around_start, ridges) = join(&mut kept, &points)?;
        let mut mesh =
            Self { vertices: points, triangles: kept, around, around_start, nodes: Vec::new(), order: Vec::new(), ridges };
        mesh.order = (0..).take(mesh.triangles.len()).collect();
        mesh.build(0, mesh.order.len());
        Ok(mesh)
    }

    /// The vertices (m).
    #[must_use]
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// The three vertices of each triangle, counter-clockwise as seen from where bodies are.
    pub fn triangles(&self) -> impl Iterator<Item = [u32; 3]> + '_ {
        self.triangles.iter().map(|t| t.vertices)
    }

    /// Whether every side has a neighbour: then the surface encloses a volume.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        let mut sides: Vec<[u32; 2]> = self.triangles.iter().flat_map(|t| (0..3).map(|k| side(t, k))).collect();
        sides.sort_unstable();
        sides.chunk_by(|a, b| a == b).all(|same| same.len() == 2)
    }

    pub(crate) fn triangle(&self, i: u32) -> &Triangle {
        &self.triangles[i as usize]
    }

    pub(crate) fn neighbours(&self, vertex: u32) -> &[u32] {
        let i = vertex as usize;
        &self.around[self.around_start[i] as usize..self.around_start[i + 1] as usize]
    }

    #[allow(clippy::cast_possible_truncation, reason = "a triangle has three sides")]
    fn ridge_place(&self, triangle: u32, side: usize) -> Option<usize> {
        self.ridges.binary_search_by_key(&(triangle, side as u8), |r| r.place).ok()
    }

    fn ridge(&self, triangle: u32, side: usize) -> Option<&Ridge> {
        self.ridge_place(triangle, side).map(|i| &self.ridges[i])
    }

    /// The side of a triangle as a hull, if it is a ridge that the triangle speaks for.
    pub(crate) fn ridge_core(&self, triangle: u32, side: usize) -> Option<&Core> {
        self.ridge(triangle, side).map(|r| &r.core)
    }

    /// Whether a direction points away from both faces of a ridge, by more than `bend`.
    pub(crate) fn bends(&self, triangle: u32, side: usize, n: &Vec3, bend: f64) -> bool {
        self.ridge(triangle, side).is_some_and(|r| r.inward.iter().all(|i| n.dot(i) < -bend))
    }

    /// The third vertices of the two triangles beside a ridge.
    pub(crate) fn apexes(&self, triangle: u32, side: usize) -> Option<[Vec3; 2]> {
        self.ridge(triangle, side).map(|r| r.apexes.map(|v| self.vertices[v as usize]))
    }

    /// Appends the triangles whose boxes are within `range` of the box, by rising number.
    pub(crate) fn near(&self, lower: &Vec3, upper: &Vec3, range: f64, out: &mut Vec<u32>) {
        let from = out.len();
        self.visit_near(lower, upper, range, |t| {
            out.push(t);
            true
        });
        out[from..].sort_unstable();
    }

    /// Whether the box of a triangle is within `range` of a point along every axis.
    pub(crate) fn any_near(&self, x: &Vec3, range: f64) -> bool {
        let mut any = false;
        self.visit_near(x, x, range, |_| {
            any = true;
            false
        });
        any
    }

    /// Visits the triangles whose boxes are within `range` of the box, until `visit` says no.
    fn visit_near(&self, lower: &Vec3, upper: &Vec3, range: f64, mut visit: impl FnMut(u32) -> bool) {
        let apart = |l: &Vec3, u: &Vec3| (0..3).any(|k| l[k] > upper[k] + range || u[k] < lower[k] - range);
        let mut stack = [0_u32; 64];
        let mut depth = 1;
        while depth > 0 {
            depth -= 1;
            let at = stack[depth];
            let node = &self.nodes[at as usize];
            if apart(&node.lower, &node.upper) {
                continue;
            }
            if node.count == 0 {
                stack[depth] = node.first;
                stack[depth + 1] = at + 1;
                depth += 2;
                continue;
            }
            for &t in &self.order[node.first as usize..(node.first + node.count) as usize] {
                let [l, u] = self.extent(t);
                if !apart(&l, &u) && !visit(t) {
                    return;
                }
            }
        }
    }

    fn extent(&self, t: u32) -> [Vec3; 2] {
        let [a, b, c] = self.triangles[t as usize].vertices.map(|v| self.vertices[v as usize]);
        [a.inf(&b).inf(&c), a.sup(&b).sup(&c)]
    }

    /// Builds the tree over `order[from..to]`: halves at the median along the longest axis, so its depth is the logarithm.
    #[allow(clippy::cast_possible_truncation, reason = "columns are shorter than the index type")]
    fn build(&mut self, from: usize, to: usize) {
        let (mut lower, mut upper) = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
        for &t in &self.order[from..to] {
            let [l, u] = self.extent(t);
            (lower, upper) = (lower.inf(&l), upper.sup(&u));
        }
        let at = self.nodes.len();
        self.nodes.push(Node { lower, upper, first: from as u32, count: (to - from) as u32 });
        if to - from <= LEAF {
            return;
        }
        let axis = (upper - lower).imax();
        let mut order = std::mem::take(&mut self.order);
        let middle = |t: u32| {
            let [l, u] = self.extent(t);
            l[axis] + u[axis]
        };
        order[from..to].sort_by(|&a, &b| middle(a).total_cmp(&middle(b)).then(a.cmp(&b)));
        self.order = order;
        let half = usize::midpoint(from, to);
        self.build(from, half);
        let second = self.nodes.len() as u32;
        self.build(half, to);
        (self.nodes[at].first, self.nodes[at].count) = (second, 0);
    }
}

fn side(t: &Triangle, k: usize) -> [u32; 2] {
    let (a, b) = (t.vertices[k], t.vertices[(k + 1) % 3]);
    [a.min(b), a.max(b)]
}

/// Makes vertices one that are closer than a millionth of the size; says where each went.
#[allow(clippy::cast_possible_truncation, reason = "columns are shorter than the index type")]
fn weld(vertices: &[Vec3]) -> (Vec<Vec3>, Vec<u32>) {
    let lower = vertices.iter().fold(Vec3::repeat(f64::INFINITY), |l, v| l.inf(v));
    let upper = vertices.iter().fold(Vec3::repeat(f64::NEG_INFINITY), |l, v| l.sup(v));
    let near = 1e-6 * (upper - lower).norm();
    let mut order: Vec<usize> = (0..vertices.len()).collect();
    order.sort_by(|&a, &b| vertices[a].x.total_cmp(&vertices[b].x).then(a.cmp(&b)));
    let mut first: Vec<usize> = (0..vertices.len()).collect();
    for (i, &a) in order.iter().enumerate() {
        if first[a] != a {
            continue;
        }
        for &b in order[i + 1..].iter().take_while(|&&b| vertices[b].x - vertices[a].x <= near) {
            if first[b] == b && (vertices[b] - vertices[a]).norm() <= near {
                first[b] = a;
            }
        }
    }
    let mut place = vec![u32::MAX; vertices.len()];
    let mut points = Vec::new();
    for i in 0..vertices.len() {
        if first[i] == i {
            place[i] = points.len() as u32;
            points.push(vertices[i]);
        }
    }
    let welded = (0..vertices.len()).map(|i| place[first[i]]).collect();
    (points, welded)
}

/// Vertices next to each vertex, where those of each begin, and the ridges.
type Joined = (Vec<u32>, Vec<u32>, Vec<Ridge>);

/// Finds the neighbours of all triangles: which sides are ridges, who speaks for sides and vertices, which vertices are next to each.
#[allow(clippy::cast_possible_truncation, reason = "columns are shorter than the index type")]
fn join(triangles: &mut [Triangle], points: &[Vec3]) -> Result<Joined, String> {
    let mut sides: Vec<([u32; 2], usize, usize)> =
        triangles.iter().enumerate().flat_map(|(i, t)| (0..3).map(move |k| (side(t, k), i, k))).collect();
    sides.sort_unstable();
    let mut ridges = Vec::new();
    // From side k of triangle i into the triangle.
    let inward = |t: &Triangle, k: usize| {
        let (a, b) = (points[t.vertices[k] as usize], points[t.vertices[(k + 1) % 3] as usize]);
        t.normal.cross(&(b - a)).normalize()
    };
    let mut push = |t: &Triangle, place: (u32, u8), inward: [Vec3; 2], apexes: [u32; 2]| {
        let k = usize::from(place.1);
        let core = side_core(points[t.vertices[k] as usize], points[t.vertices[(k + 1) % 3] as usize]);
        ridges.extend(core.map(|core| Ridge { place, core, inward, apexes }));
    };
    for same in sides.chunk_by(|a, b| a.0 == b.0) {
        match same {
            // The rim of an open surface.
            [(_, i, k)] => {
                triangles[*i].ridge[*k] = true;
                let apex = triangles[*i].vertices[(k + 2) % 3];
                push(&triangles[*i], (*i as u32, *k as u8), [inward(&triangles[*i], *k); 2], [apex; 2]);
            }
            [(_, i, k), (_, j, l)] => {
                let starts = [triangles[*i].vertices[*k], triangles[*j].vertices[*l]];
                if starts[0] == starts[1] {
                    return Err(format!(
                        "triangles {i} and {j} share a side but wind in opposite ways; make all of them counter-clockwise as seen from one side"
                    ));
                }
                let apex = points[triangles[*j].vertices[(l + 2) % 3] as usize] - points[triangles[*j].vertices[*l] as usize];
                let ridge = triangles[*i].normal.dot(&apex) < -1e-6 * apex.norm();
                triangles[*i].ridge[*k] = ridge;
                triangles[*j].ridge[*l] = ridge;
                triangles[*j].owner[*l] = false;
                if ridge {
                    let apexes = [triangles[*i].vertices[(k + 2) % 3], triangles[*j].vertices[(l + 2) % 3]];
                    let inward = [inward(&triangles[*i], *k), inward(&triangles[*j], *l)];
                    push(&triangles[*i], (*i as u32, *k as u8), inward, apexes);
                }
            }
            more => {
                let [a, b] = more[0].0;
                return Err(format!(
                    "{} triangles meet in the side between the vertices {a} and {b}; expected at most two",
                    more.len()
                ));
            }
        }
    }
    ridges.sort_by_key(|r: &Ridge| r.place);
    let mut spoken = vec![false; points.len()];
    for t in triangles.iter_mut() {
        for k in 0..3 {
            let v = t.vertices[k] as usize;
            t.owns_vertex[k] = !std::mem::replace(&mut spoken[v], true);
        }
    }
    let mut pairs: Vec<[u32; 2]> = sides.iter().flat_map(|(s, ..)| [*s, [s[1], s[0]]]).collect();
    pairs.sort_unstable();
    pairs.dedup();
    let mut starts = vec![0; points.len() + 1];
    for [a, _] in &pairs {
        starts[*a as usize + 1] += 1;
    }
    for i in 1..starts.len() {
        starts[i] += starts[i - 1];
    }
    Ok((pairs.iter().map(|p| p[1]).collect(), starts, ridges))
}
