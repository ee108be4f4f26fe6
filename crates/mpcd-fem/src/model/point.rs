//! Geometry of a quadrature point: gradients of the shape functions and the volume it stands for. The same for planar,
//! axisymmetric and spatial elements.

use std::f64::consts::TAU;

use mpcd_core::{Mat3, Vec3};

use super::Space;
use crate::cell::{Cell, MAX_NODES, Shape};
use crate::mesh::jacobian;

/// A point of an element in its reference configuration.
pub(crate) struct Point {
    /// ∂N/∂X of each node (1/m), 0 along z in the plane.
    pub(crate) gradient: [Vec3; MAX_NODES],
    /// N/R of each node in axisymmetry (1/m), else 0.
    pub(crate) hoop: [f64; MAX_NODES],
    /// Volume (m³).
    pub(crate) volume: f64,
}

impl Point {
    /// `None` when the element has no volume there.
    pub(crate) fn new(cell: Cell, shape: &Shape, weight: f64, nodes: &[Vec3], space: Space) -> Option<Self> {
        let j = jacobian(cell, shape, nodes);
        let inverse = j.try_inverse()?.transpose();
        let mut point = Self { gradient: [Vec3::zeros(); MAX_NODES], hoop: [0.0; MAX_NODES], volume: weight * j.determinant() };
        for a in 0..nodes.len() {
            point.gradient[a] = inverse * Vec3::from(shape.derivative[a]);
        }
        let radius = radius(shape, nodes);
        point.volume *= depth(space, radius);
        if space == Space::Axisymmetric {
            (0..nodes.len()).for_each(|a| point.hoop[a] = shape.value[a] / radius);
        }
        Some(point)
    }

    /// ∇u (m/m) of nodal vectors, `dimension` numbers each.
    pub(crate) fn gradient_of(&self, u: &[f64], dimension: usize) -> Mat3 {
        let mut h = Mat3::zeros();
        for (a, ua) in u.chunks_exact(dimension).enumerate() {
            for (i, value) in ua.iter().enumerate() {
                for k in 0..dimension {
                    h[(i, k)] += value * self.gradient[a][k];
                }
            }
            h[(2, 2)] += ua[0] * self.hoop[a];
        }
        h
    }
}

/// Distance from the axis.
pub(crate) fn radius(shape: &Shape, nodes: &[Vec3]) -> f64 {
    nodes.iter().zip(&shape.value).map(|(x, n)| x.x * n).sum()
}

/// What a planar point stands for across the plane (m): thickness, or the way around the axis.
pub(crate) fn depth(space: Space, radius: f64) -> f64 {
    match space {
        Space::PlaneStrain { thickness } | Space::PlaneStress { thickness } => thickness,
        Space::Axisymmetric => TAU * radius,
        Space::Solid => 1.0,
    }
}
