//! Checks of the shapes of elements. Nothing is mended here.

use super::{Mesh, MeshError};
use crate::cell::{Cell, Purpose, Shape, table};
use mpcd_core::{Mat3, Vec3};

/// A Jacobian below this part of (longest distance)^dimension is no area or volume.
const DEGENERATE: f64 = 1e-10;
/// An element whose height is below this part of its length, √ε, is degenerate: it is stiffer across than along by the square of the two, and what it does
/// along is lost in the rounding of that.
const FLATTEST: f64 = 1.490_116_119_384_765_6e-8;
/// A coordinate z below this part of the size of a planar mesh is rounding of the generator.
const FLAT: f64 = 1e-9;

impl Mesh {
    pub(super) fn check_unused(&self) -> Result<(), MeshError> {
        let used = self.used();
        match used.iter().position(|u| !u) {
            None => Ok(()),
            Some(node) => Err(MeshError::Unused {
                file: self.name.clone(),
                first: self.node_labels[node],
                count: used.iter().filter(|u| !**u).count(),
            }),
        }
    }

    pub(super) fn check_shapes(&self) -> Result<(), MeshError> {
        let (low, high) = self.bounds();
        let size = (high - low).norm();
        for (node, x) in self.nodes.iter().enumerate() {
            let expected = if x.iter().any(|c| !c.is_finite()) || !size.is_finite() {
                "finite numbers"
            } else if self.dimension == 2 && x.z.abs() > FLAT * size {
                "z = 0 as all its elements are planar"
            } else {
                continue;
            };
            let (file, node) = (self.name.clone(), self.node_labels[node]);
            return Err(MeshError::Node { file, node, x: x.x, y: x.y, z: x.z, expected });
        }
        (0..self.elements()).try_for_each(|e| self.check_shape(e))
    }

    fn check_shape(&self, e: usize) -> Result<(), MeshError> {
        let cell = self.cells[e];
        let nodes: Vec<Vec3> = self.element(e).iter().map(|&node| self.nodes[node]).collect();
        let corners: Vec<(usize, Shape)> = (0..cell.nodes()).map(|a| (a, Shape::at(cell, cell.reference_node(a)))).collect();
        let inside = table(cell, Purpose::Stress);
        let near = |p: [f64; 3]| {
            let distance = |a: &usize| (Vec3::from(cell.reference_node(*a)) - Vec3::from(p)).norm();
            (0..cell.nodes()).min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(0)
        };
        let points = inside.rule.points.iter().zip(&inside.shapes).map(|(p, s)| (near(*p), *s));
        let (mut values, mut height) = (Vec::new(), f64::INFINITY);
        for (a, shape) in corners.into_iter().chain(points) {
            let j = jacobian(cell, &shape, &nodes);
            values.push((a, j.determinant()));
            height = height.min(height_of(&j));
        }
        let worst = values.iter().fold(values[0], |least, v| if v.1 < least.1 { *v } else { least });
        let length = longest(&nodes);
        let limit = DEGENERATE * length.powi(self.dimension as i32);
        let (file, element, jacobian, name) = (self.name.clone(), self.element_labels[e], worst.1, cell.name());
        if values.iter().all(|v| v.1.abs() <= limit) {
            return Err(MeshError::Degenerate { file, element, cell: name, jacobian, length });
        }
        if values.iter().all(|v| v.1 < -limit) {
            return Err(MeshError::Reversed { file, element, cell: name });
        }
        if worst.1 < -limit {
            let node = self.node_labels[self.element(e)[worst.0]];
            return Err(MeshError::Inverted { file, element, cell: name, node, jacobian });
        }
        if worst.1 <= limit || height <= FLATTEST * length {
            return Err(MeshError::Degenerate { file, element, cell: name, jacobian, length });
        }
        Ok(())
    }
}

/// The least height of what a reference cell of size 1 becomes (m): its volume over its largest face.
fn height_of(j: &Mat3) -> f64 {
    let [a, b, c] = [j.column(0), j.column(1), j.column(2)];
    // in the plane the third is 1
    let largest = a.cross(&b).norm().max(b.cross(&c).norm()).max(c.cross(&a).norm());
    j.determinant().abs() / largest
}

fn longest(nodes: &[Vec3]) -> f64 {
    nodes.iter().flat_map(|a| nodes.iter().map(move |b| (a - b).norm())).fold(0.0, f64::max)
}

/// dx/dξ, with 1 in the third place of planar cells.
pub(crate) fn jacobian(cell: Cell, shape: &Shape, nodes: &[Vec3]) -> Mat3 {
    let mut j = Mat3::zeros();
    for (x, d) in nodes.iter().zip(&shape.derivative) {
        j += x * Vec3::from(*d).transpose();
    }
    if cell.dimension() == 2 {
        j[(2, 2)] = 1.0;
    }
    j
}
