//! Built-in meshes with round sides: ring (annulus), disc, ball.

use std::collections::BTreeMap;
use std::f64::consts::TAU;

use mpcd_core::Vec3;

use super::straight::{counted, measured, positive, sized, split};
use super::{Mesh, MeshError};
use crate::cell::Cell;

impl Mesh {
    /// A ring or a sector of one around the origin: radii `inner` and `outer` (m), from angle 0 to `angle` (rad; 2π closes it),
    /// `count` quadrilaterals along the radius and around. Quadratic cells have nodes on the circles.
    ///
    /// Groups: elements `body`; sides `inner`, `outer`; of a sector also `start`, `end`.
    ///
    /// # Errors
    /// [`MeshError::Measure`], [`MeshError::Kind`].
    pub fn annulus(inner: f64, outer: f64, angle: f64, count: [usize; 2], cell: Cell) -> Result<Self, MeshError> {
        const NAME: &str = "annulus";
        if cell.dimension() != 2 {
            return Err(MeshError::Kind { mesh: NAME, cell: cell.name(), expected: "T3, T6, Q4, Q8" });
        }
        positive(NAME, "inner radius", inner)?;
        positive(NAME, "thickness of the ring", outer - inner)?;
        let whole = angle > 0.0 && angle <= TAU * (1.0 + 1e-9);
        measured(NAME, "angle (rad)", angle, whole, "above zero and no more than a whole turn, 6.283")?;
        counted(NAME, "number of cells along the radius", count[0])?;
        counted(NAME, "number of cells around", count[1])?;
        sized(NAME, count[0] as f64 * count[1] as f64, cell)?;
        let closed = angle > TAU * (1.0 - 1e-9);
        let step = angle / count[1] as f64;
        let expected = "so many that a cell takes less than a half turn: 3 around a whole ring";
        measured(NAME, "number of cells around", count[1] as f64, step < 0.5 * TAU * (1.0 - 1e-9), expected)?;
        let around = if closed { count[1] } else { count[1] + 1 };
        let radius = |i: usize| inner + (outer - inner) * i as f64 / count[0] as f64;
        let place = |i: usize, j: usize| {
            let (sin, cos) = (step * j as f64).sin_cos();
            Vec3::new(radius(i) * cos, radius(i) * sin, 0.0)
        };
        let nodes = (0..=count[0]).flat_map(|i| (0..around).map(move |j| place(i, j))).collect();
        let at = |i: usize, j: usize| i * around + j % around;
        let elements: Vec<_> = (0..count[0])
            .flat_map(|i| (0..count[1]).map(move |j| (i, j)))
            .flat_map(|(i, j)| split(&[at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)], cell.linear()))
            .collect();
        let mut mesh = Self::new(NAME, nodes, &elements)?;
        mesh.add_element_group("body", (0..elements.len()).collect())?;
        mesh.add_faces_where("inner", |x| (x.norm() - inner).abs() < 1e-9 * outer)?;
        mesh.add_faces_where("outer", |x| (x.norm() - outer).abs() < 1e-9 * outer)?;
        if !closed {
            mesh.add_faces_where("start", |x| x.x > 0.0 && x.y.abs() < 1e-9 * outer)?;
            let (sin, cos) = angle.sin_cos();
            mesh.add_faces_where("end", |x| x.x * cos + x.y * sin > 0.0 && (x.y * cos - x.x * sin).abs() < 1e-9 * outer)?;
        }
        if cell.is_quadratic() { mesh.with_edges(on_circle) } else { Ok(mesh) }
    }

    /// A disc (Q4, Q8, T3, T6) or a ball (HEX8, HEX20) around the origin: a square or cube of `core` cells a side, and `shell`
    /// layers from it to the surface. Quadratic cells have their outer nodes on the surface.
    ///
    /// Groups: elements `body`; faces `surface`; nodes `centre` when `core` is even.
    ///
    /// # Errors
    /// [`MeshError::Measure`], [`MeshError::Kind`].
    pub fn ball(radius: f64, core: usize, shell: usize, cell: Cell) -> Result<Self, MeshError> {
        const NAME: &str = "ball";
        if matches!(cell, Cell::Line2 | Cell::Line3 | Cell::Tet4 | Cell::Tet10) {
            return Err(MeshError::Kind { mesh: NAME, cell: cell.name(), expected: "T3, T6, Q4, Q8, HEX8, HEX20" });
        }
        positive(NAME, "radius", radius)?;
        counted(NAME, "number of cells of the core", core)?;
        counted(NAME, "number of layers of the shell", shell)?;
        let (edge, sides) = (core as f64, 2.0 * cell.dimension() as f64);
        let side = if cell.dimension() == 2 { edge } else { edge * edge };
        sized(NAME, side * (edge + sides * shell as f64), cell)?;
        let block = if cell.dimension() == 2 { Cell::Quad4 } else { Cell::Hex8 };
        let inside = match block {
            Cell::Quad4 => Self::rectangle([2.0, 2.0], [core; 2], block)?,
            _ => Self::cuboid([2.0; 3], [core; 3], block)?,
        };
        let half = Vec3::new(1.0, 1.0, if block == Cell::Hex8 { 1.0 } else { 0.0 });
        let mut nodes: Vec<Vec3> = inside.nodes().iter().map(|x| core_place(x - half, radius)).collect();
        let mut blocks: Vec<Vec<usize>> = (0..inside.elements()).map(|e| inside.element(e).to_vec()).collect();
        let skin = inside.skin()?;
        let first = nodes.len();
        let layer: BTreeMap<usize, usize> = skin.nodes.iter().enumerate().map(|(k, &n)| (n, k)).collect();
        for level in 1..=shell {
            let part = level as f64 / shell as f64;
            for &n in &skin.nodes {
                let (from, to) = (nodes[n], nodes[n].normalize() * radius);
                nodes.push(from + part * (to - from));
            }
        }
        let at = |n: usize, level: usize| if level == 0 { n } else { first + (level - 1) * layer.len() + layer[&n] };
        for level in 0..shell {
            for face in &skin.faces {
                let below = face.nodes.iter().map(|&n| at(n, level));
                let above = face.nodes.iter().map(|&n| at(n, level + 1));
                // a side of a planar core has the outside to its right, a face of a solid one along its normal
                blocks.push(if block == Cell::Hex8 { below.chain(above).collect() } else { above.chain(below.rev()).collect() });
            }
        }
        let elements: Vec<_> = blocks.iter().flat_map(|b| split(b, cell.linear())).collect();
        let mut mesh = Self::new(NAME, nodes, &elements)?;
        let outside = |x: Vec3| (x.norm() - radius).abs() < 1e-9 * radius;
        mesh.add_element_group("body", (0..elements.len()).collect())?;
        mesh.add_faces_where("surface", outside)?;
        if core.is_multiple_of(2) {
            mesh.add_nodes_where("centre", |x| x.norm() < 1e-9 * radius)?;
        }
        if !cell.is_quadratic() {
            return Ok(mesh);
        }
        mesh.with_edges(|a, b| if outside(a) && outside(b) { on_circle(a, b) } else { 0.5 * (a + b) })
    }
}

/// A point of the square or cube of half-width 1, in a core of half the radius whose sides bulge a little.
fn core_place(x: Vec3, radius: f64) -> Vec3 {
    let length = x.norm();
    if length == 0.0 {
        return x;
    }
    let towards_round = x * (x.amax() / length);
    0.5 * radius * (0.6 * x / 1.2 + 0.4 * towards_round)
}

/// The middle of an arc around the origin; of a straight edge where the ends are not equally far from it.
fn on_circle(a: Vec3, b: Vec3) -> Vec3 {
    let (middle, radius) = (0.5 * (a + b), a.norm());
    if (b.norm() - radius).abs() < 1e-9 * radius { middle.normalize() * radius } else { middle }
}
