//! Shape functions and their derivatives in the reference cell: one formula for lines, quadrilaterals and hexahedra, one
//! for triangles and tetrahedra. Source: Zienkiewicz–Taylor, The Finite Element Method, ch. 4 and 5.

use super::{Cell, MAX_NODES};

/// Values and derivatives of the shape functions at one point of the reference cell.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Value of each node's function.
    pub value: [f64; MAX_NODES],
    /// Its derivatives in the reference coordinates.
    pub derivative: [[f64; 3]; MAX_NODES],
}

impl Shape {
    /// At a point of the reference cell (coordinates beyond the cell's dimension are not looked at).
    pub fn at(cell: Cell, point: [f64; 3]) -> Self {
        let mut shape = Self { value: [0.0; MAX_NODES], derivative: [[0.0; 3]; MAX_NODES] };
        if cell.is_simplex() {
            shape.fill_simplex(cell, point);
        } else {
            shape.fill_tensor(cell, point);
        }
        shape
    }

    /// Corners λ (linear) or λ(2λ − 1), edges 4 λ_a λ_b, in barycentric coordinates λ₀ = 1 − Σξ, λ_k = ξ_k.
    fn fill_simplex(&mut self, cell: Cell, point: [f64; 3]) {
        let d = cell.dimension();
        let mut lambda = [0.0; 4];
        lambda[0] = 1.0 - point[..d].iter().sum::<f64>();
        lambda[1..=d].copy_from_slice(&point[..d]);
        let slope = |corner: usize, k: usize| match corner {
            0 => -1.0,
            c => f64::from(u8::from(c == k + 1)),
        };
        let quadratic = cell.is_quadratic();
        for a in 0..cell.corners() {
            let l = lambda[a];
            self.value[a] = if quadratic { l * (2.0 * l - 1.0) } else { l };
            for k in 0..d {
                self.derivative[a][k] = if quadratic { (4.0 * l - 1.0) * slope(a, k) } else { slope(a, k) };
            }
        }
        for (e, &[a, b]) in cell.edges().iter().enumerate().take(cell.nodes() - cell.corners()) {
            let node = cell.corners() + e;
            self.value[node] = 4.0 * lambda[a] * lambda[b];
            for k in 0..d {
                self.derivative[node][k] = 4.0 * (slope(a, k) * lambda[b] + lambda[a] * slope(b, k));
            }
        }
    }

    /// Products of (1 + ξξ_a)/2, times (Σ ξξ_a − d + 1) at the corners of serendipity cells, and of 1 − ξ² along the edge of
    /// the nodes between.
    fn fill_tensor(&mut self, cell: Cell, point: [f64; 3]) {
        let d = cell.dimension();
        for a in 0..cell.nodes() {
            let at = cell.reference_node(a);
            let (mut factor, mut slope) = ([1.0; 3], [0.0; 3]);
            for k in 0..d {
                let between = at[k] == 0.0;
                factor[k] = if between { 1.0 - point[k] * point[k] } else { 0.5 * (1.0 + at[k] * point[k]) };
                slope[k] = if between { -2.0 * point[k] } else { 0.5 * at[k] };
            }
            let product: f64 = factor.iter().product();
            let without = |k: usize| factor[(k + 1) % 3] * factor[(k + 2) % 3];
            let corner = cell.is_quadratic() && a < cell.corners();
            let sum = (0..d).map(|k| at[k] * point[k]).sum::<f64>() - (d as f64 - 1.0);
            self.value[a] = if corner { product * sum } else { product };
            for k in 0..d {
                let plain = slope[k] * without(k);
                self.derivative[a][k] = if corner { plain * sum + product * at[k] } else { plain };
            }
        }
    }
}
