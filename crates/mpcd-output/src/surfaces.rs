//! Walls as lines and polygons that ParaView can show: boxes, segments, planes cut to a finite quad, prisms of cylinders.
//! Pictures only: contact uses the exact shapes.

use crate::data::{Array, DataSet, Polys};

/// Where a shape stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// Position of the shape's origin (m).
    pub position: [f64; 3],
    /// Rotation from the shape's axes to space, unit quaternion (w, x, y, z).
    pub orientation: [f64; 4],
}

impl Placement {
    /// At this position, not rotated.
    pub fn at(position: [f64; 3]) -> Self {
        Self { position, orientation: [1.0, 0.0, 0.0, 0.0] }
    }

    /// A point of the shape in space.
    pub fn apply(&self, p: [f64; 3]) -> [f64; 3] {
        let [w, x, y, z] = self.orientation;
        let u = [x, y, z];
        // p + 2 u × (u × p + w p)
        let inner = cross(u, p);
        let inner = std::array::from_fn(|i| inner[i] + w * p[i]);
        let outer = cross(u, inner);
        std::array::from_fn(|i| self.position[i] + p[i] + 2.0 * outer[i])
    }
}

/// Collects shapes into one data set; each keeps the number of its group in the cell array `group`, and of its body in `body`.
#[derive(Clone, Debug, Default)]
pub struct Surfaces {
    polys: Polys,
    /// Group and body of each line.
    lines: Vec<[i32; 2]>,
    /// Group and body of each polygon.
    polygons: Vec<[i32; 2]>,
    /// Body of each point.
    of_point: Vec<i32>,
    body: i32,
}

impl Surfaces {
    /// An empty collection.
    pub fn new() -> Self {
        Self { body: -1, ..Self::default() }
    }

    /// What is added from now on is of this body; of none, −1, before it is said.
    pub const fn of_body(&mut self, body: i32) -> &mut Self {
        self.body = body;
        self
    }

    /// A line through points; closed when it returns to the first.
    pub fn line(&mut self, group: i32, points: &[[f64; 3]], closed: bool) -> &mut Self {
        let first = self.add_points(points);
        let last = first + points.len();
        self.polys.lines.push((first..last).chain((closed && !points.is_empty()).then_some(first)));
        self.lines.push([group, self.body]);
        self
    }

    /// A polygon through points, in turn.
    pub fn polygon(&mut self, group: i32, points: &[[f64; 3]]) -> &mut Self {
        let first = self.add_points(points);
        self.polys.polygons.push(first..first + points.len());
        self.polygons.push([group, self.body]);
        self
    }

    /// A closed surface: corners in the shape's axes, faces as lists of corners.
    pub fn polyhedron(&mut self, group: i32, at: Placement, corners: &[[f64; 3]], faces: &[Vec<usize>]) -> &mut Self {
        let placed: Vec<_> = corners.iter().map(|&c| at.apply(c)).collect();
        let first = self.add_points(&placed);
        for face in faces {
            self.polys.polygons.push(face.iter().map(|&c| first + c));
            self.polygons.push([group, self.body]);
        }
        self
    }

    /// A box with these half lengths (m).
    pub fn cuboid(&mut self, group: i32, at: Placement, half: [f64; 3]) -> &mut Self {
        let sign = |bit: usize, axis: usize| {
            if bit >> axis & 1 == 1 { half[axis] } else { -half[axis] }
        };
        let corners: Vec<[f64; 3]> = (0..8).map(|c| std::array::from_fn(|axis| sign(c, axis))).collect();
        let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        self.polyhedron(group, at, &corners, &faces.map(Vec::from))
    }

    /// A plane, cut to a square of this half side (m) around its point.
    pub fn plane(&mut self, group: i32, point: [f64; 3], normal: [f64; 3], half_side: f64) -> &mut Self {
        let [a, b] = tangents(normal);
        let corner = |s: f64, t: f64| std::array::from_fn(|i| point[i] + half_side * (s * a[i] + t * b[i]));
        self.polygon(group, &[corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)])
    }

    /// The side of a cylinder (a drum, a pipe) about the shape's z axis, as a prism with this many sides (at least 3).
    pub fn cylinder(&mut self, group: i32, at: Placement, radius: f64, half_length: f64, sides: usize) -> &mut Self {
        let sides = sides.max(3);
        let corner = |k: usize, z: f64| {
            let angle = std::f64::consts::TAU * k as f64 / sides as f64;
            [radius * angle.cos(), radius * angle.sin(), z]
        };
        let corners: Vec<_> = (0..sides).flat_map(|k| [corner(k, -half_length), corner(k, half_length)]).collect();
        let side = |k: usize| {
            let next = (k + 1) % sides;
            vec![2 * k, 2 * next, 2 * next + 1, 2 * k + 1]
        };
        self.polyhedron(group, at, &corners, &(0..sides).map(side).collect::<Vec<_>>())
    }

    /// True when nothing was added.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.polygons.is_empty()
    }

    /// The data set, with the cell arrays `group` and `body`.
    pub fn finish(self) -> DataSet {
        self.finish_with(&[], |_, _| [0.0; 3])
    }

    /// The same with `columns` of all bodies at the cells, and the `velocity` of a body's surface at a point of it (m/s) at the points: nothing of these where
    /// no body was said.
    pub fn finish_with(mut self, columns: &[Array], velocity: impl Fn(usize, [f64; 3]) -> [f64; 3]) -> DataSet {
        self.lines.append(&mut self.polygons);
        for (k, name) in ["group", "body"].into_iter().enumerate() {
            self.polys.cell_arrays.push(Array::integers(name, self.lines.iter().map(|row| row[k]).collect()));
        }
        let body = |number: i32| usize::try_from(number).ok();
        if let Some(rows) = self.lines.iter().map(|row| body(row[1])).collect::<Option<Vec<usize>>>() {
            for column in columns {
                let column = column.rows(&rows).beside(&self.polys.cell_arrays);
                self.polys.cell_arrays.push(column);
            }
        }
        let moved = self.of_point.iter().zip(&self.polys.points).map(|(of, x)| Some(velocity(body(*of)?, *x)));
        if let Some(moved) = moved.collect::<Option<Vec<_>>>() {
            self.polys.point_arrays.push(Array::vectors("velocity", &moved));
        }
        DataSet::Polys(self.polys)
    }

    fn add_points(&mut self, points: &[[f64; 3]]) -> usize {
        self.polys.points.extend_from_slice(points);
        self.of_point.resize(self.polys.points.len(), self.body);
        self.polys.points.len() - points.len()
    }
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Two unit vectors that span the plane of this normal.
fn tangents(normal: [f64; 3]) -> [[f64; 3]; 2] {
    let unit = |v: [f64; 3]| {
        let length = v.iter().map(|x| x * x).sum::<f64>().sqrt();
        v.map(|x| x / length)
    };
    let n = unit(normal);
    let least = (0..3).fold(0, |best, i| if n[i].abs() < n[best].abs() { i } else { best });
    let mut axis = [0.0; 3];
    axis[least] = 1.0;
    let a = unit(cross(n, axis));
    [a, cross(n, a)]
}
