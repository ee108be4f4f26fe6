//! Mass: consistent, or lumped to a diagonal; momenta. No stiffness.

use mpcd_core::Vec3;
use mpcd_sparse::SymmetricMatrix;

use super::point::Point;
use super::{Model, Section, Space, State};
use crate::cell::{Cell, Purpose, table};
use crate::error::FemError;

/// How the mass of an element is given to its nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MassKind {
    /// ∫ ρ N_a N_b dV.
    #[default]
    Consistent,
    /// A diagonal: sums of the rows for linear cells; for quadratic ones the diagonal of the consistent mass scaled to the mass of
    /// the element (Hinton–Rock–Zienkiewicz 1976, doi 10.1002/eqe.4290040305), as sums of rows would be negative at corners.
    Lumped,
}

impl Model {
    /// Σ over elements of a factor of their section times their mass matrix (kg times the factor).
    pub(crate) fn mass_matrix(&self, kind: MassKind, factor: impl Fn(&Section) -> f64) -> Result<SymmetricMatrix, FemError> {
        let mut matrix = SymmetricMatrix::zeros(self.pattern.symmetric());
        let d = self.dimension();
        for e in 0..self.mesh.elements() {
            let scalar = self.element_mass(e, kind)?;
            let count = self.mesh.cell(e).nodes();
            let scale = factor(&self.law(e).section);
            let mut full = vec![0.0; (count * d).pow(2)];
            for (k, value) in scalar.iter().enumerate() {
                let (a, b) = (k / count, k % count);
                (0..d).for_each(|i| full[(a * d + i) * count * d + b * d + i] = scale * value);
            }
            self.pattern.add_symmetric(&mut matrix, e, self.mesh.element(e), &full);
        }
        Ok(matrix)
    }

    /// Mass between the nodes of one element (kg), by rows.
    pub(crate) fn element_mass(&self, e: usize, kind: MassKind) -> Result<Vec<f64>, FemError> {
        let density = self.law(e).section.density;
        let mass = products(self.mesh.cell(e), &self.places(e), self.space, density, kind);
        mass.ok_or_else(|| self.fault(e, super::Fault::Inverted(0.0)))
    }

    /// Sum of the row of each node in the consistent mass (kg): what a uniform acceleration loads.
    pub(super) fn row_masses(&self) -> Result<Vec<f64>, FemError> {
        let mut masses = vec![0.0; self.mesh.nodes().len()];
        for e in 0..self.mesh.elements() {
            let scalar = self.element_mass(e, MassKind::Consistent)?;
            let nodes = self.mesh.element(e);
            for (row, &node) in scalar.chunks_exact(nodes.len()).zip(nodes) {
                masses[node] += row.iter().sum::<f64>();
            }
        }
        Ok(masses)
    }

    /// Mass that a uniform acceleration loads each node with (kg).
    pub fn nodal_masses(&self) -> &[f64] {
        &self.nodal_mass
    }

    /// Centre of the masses of [`Self::nodal_masses`] at a state (m).
    pub fn centre(&self, state: &State) -> Vec3 {
        let moment: Vec3 = self.nodal_mass.iter().zip(state.positions(self)).map(|(m, x)| x * *m).sum();
        moment / self.mass()
    }

    /// Volume at a state (m³): of a planar body its area times its thickness at rest.
    pub fn volume(&self, state: &State) -> f64 {
        let places = state.positions(self);
        let mut sum = 0.0;
        for e in 0..self.mesh.elements() {
            let cell = self.mesh.cell(e);
            let (table, nodes): (_, Vec<Vec3>) =
                (table(cell, Purpose::Mass), self.mesh.element(e).iter().map(|n| places[*n]).collect());
            for (shape, &weight) in table.shapes.iter().zip(&table.rule.weights) {
                sum += Point::new(cell, shape, weight, &nodes, self.space).map_or(0.0, |p| p.volume);
            }
        }
        sum
    }

    /// Mass of the body (kg).
    pub fn mass(&self) -> f64 {
        self.nodal_mass.iter().sum()
    }

    /// Momentum (N s) and moment of momentum about the origin (N m s) of a motion, from `M v`.
    pub(crate) fn momenta(&self, state: &State, momentum: &[f64]) -> (Vec3, Vec3) {
        let d = self.dimension();
        let mut sum = (Vec3::zeros(), Vec3::zeros());
        for (x, p) in state.positions(self).iter().zip(momentum.chunks_exact(d)) {
            let p = Vec3::new(p[0], p[1], if d == 3 { p[2] } else { 0.0 });
            sum.0 += p;
            sum.1 += x.cross(&p);
        }
        sum
    }
}

/// ∫ density N_a N_b dV of one element, by rows; `None` when it has no volume somewhere.
pub(crate) fn products(cell: Cell, places: &[Vec3], space: Space, density: f64, kind: MassKind) -> Option<Vec<f64>> {
    let (table, count) = (table(cell, Purpose::Mass), cell.nodes());
    let mut scalar = vec![0.0; count * count];
    for (shape, &weight) in table.shapes.iter().zip(&table.rule.weights) {
        let point = Point::new(cell, shape, weight, places, space)?;
        for a in 0..count {
            for b in 0..count {
                scalar[a * count + b] += density * point.volume * shape.value[a] * shape.value[b];
            }
        }
    }
    if kind == MassKind::Consistent {
        return Some(scalar);
    }
    let row = |a: usize| scalar[a * count..(a + 1) * count].iter().sum::<f64>();
    let total: f64 = (0..count).map(row).sum();
    let trace: f64 = (0..count).map(|a| scalar[a * count + a]).sum();
    let mut lumped = vec![0.0; count * count];
    for a in 0..count {
        lumped[a * count + a] = if cell.is_quadratic() { scalar[a * count + a] * total / trace } else { row(a) };
    }
    Some(lumped)
}
