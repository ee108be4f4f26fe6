//! Strain and stress after a step: at quadrature points, and carried to the nodes. No solve.

use mpcd_core::{Mat3, Vec3};
use nalgebra::DMatrix;

use super::element::strain;
use super::point::Point;
use super::{Fault, Model, State};
use crate::cell::{Cell, Purpose, table};
use crate::error::FemError;
use crate::material::{Voigt, von_mises};

/// Values at a quadrature point, or at a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointValue {
    /// Where it lies now (m).
    pub place: Vec3,
    /// Cauchy stress (Pa), in space axes.
    pub stress: Voigt,
    /// Strain in the measure of the material, engineering shears.
    pub strain: Voigt,
    /// Equivalent stress of von Mises (Pa).
    pub von_mises: f64,
    /// Equivalent plastic strain, 0 for materials without.
    pub plastic: f64,
}

impl Model {
    /// Strain and stress (without its viscous part) at the quadrature points of an element, in their order.
    ///
    /// # Errors
    /// [`FemError::Element`], [`FemError::Length`].
    pub fn point_values(&self, state: &State, element: usize) -> Result<Vec<PointValue>, FemError> {
        self.check_length("displacement", state.displacement.len())?;
        let (cell, places, law) = (self.mesh.cell(element), self.places(element), self.law(element));
        let table = table(cell, Purpose::Stress);
        let (d, count) = (self.dimension(), cell.nodes());
        let u = self.gather(element, &state.displacement);
        let history = self.history_of(element, &state.history);
        let free = self.gather_free(element, &state.free_strain);
        let slots = law.history_len();
        let mut values = Vec::with_capacity(table.shapes.len());
        for (q, (shape, &weight)) in table.shapes.iter().zip(&table.rule.weights).enumerate() {
            let fault = |fault| self.fault(element, fault);
            let point = Point::new(cell, shape, weight, &places, self.space).ok_or_else(|| fault(Fault::Inverted(0.0)))?;
            let h = point.gradient_of(&u[..count * d], d);
            let old = &history[q * slots..(q + 1) * slots];
            let mut new = old.to_vec();
            let mut e = strain(&h, law.finite);
            let free = shape.value.iter().zip(&free).map(|(n, s)| n * s).sum();
            let (response, _) = law.respond_swollen(&e, free, old, &mut new).map_err(|error| fault(Fault::Material(error)))?;
            let mut f = if law.finite { Mat3::identity() + h } else { Mat3::identity() };
            if let Some(across) = law.strain_across(&new, free) {
                e[2] = across;
                f[(2, 2)] = if law.finite { (1.0 + 2.0 * across).max(0.0).sqrt() } else { 1.0 };
            }
            let mut place = Vec3::zeros();
            for a in 0..count {
                let moved = Vec3::new(u[a * d], u[a * d + 1], if d == 3 { u[a * d + 2] } else { 0.0 });
                place += (places[a] + moved) * shape.value[a];
            }
            let stress = push_forward(&f, &response.stress);
            let plastic = law.section.material.plastic_strain(&new).unwrap_or(0.0);
            values.push(PointValue { place, stress, strain: e, von_mises: von_mises(&stress), plastic });
        }
        Ok(values)
    }

    /// The same at all nodes: in each element the plane (in its reference coordinates) nearest to the values of its points, at a
    /// node the mean over its elements by their volume. Von Mises' stress is that of the mean stress.
    ///
    /// # Errors
    /// [`FemError::Element`], [`FemError::Length`].
    pub fn node_values(&self, state: &State) -> Result<Vec<PointValue>, FemError> {
        self.node_values_of(state, 0..self.mesh.elements())
    }

    /// The same of some elements alone: where the material changes the stress has two values, one for the elements of each side. Zero at nodes that
    /// none of them has.
    ///
    /// # Errors
    /// [`FemError::Element`], [`FemError::Length`].
    pub fn node_values_of(&self, state: &State, elements: impl IntoIterator<Item = usize>) -> Result<Vec<PointValue>, FemError> {
        let nodes = self.mesh.nodes().len();
        let mut sum = vec![[0.0; 13]; nodes];
        let mut weight = vec![0.0; nodes];
        for e in elements {
            let cell = self.mesh.cell(e);
            let values = self.point_values(state, e)?;
            let volume = self.element_mass(e, super::MassKind::Consistent)?.iter().sum::<f64>() / self.law(e).section.density;
            let carry = extrapolation(cell);
            for (a, &node) in self.mesh.element(e).iter().enumerate() {
                weight[node] += volume;
                for (q, value) in values.iter().enumerate() {
                    let part = volume * carry[(a, q)];
                    (0..6).for_each(|k| sum[node][k] += part * value.stress[k]);
                    (0..6).for_each(|k| sum[node][6 + k] += part * value.strain[k]);
                    sum[node][12] += part * value.plastic;
                }
            }
        }
        let places = state.positions(self);
        let value = |node: usize| {
            let mean = sum[node].map(|s| if weight[node] > 0.0 { s / weight[node] } else { 0.0 });
            let stress = Voigt::from_column_slice(&mean[..6]);
            let strain = Voigt::from_column_slice(&mean[6..12]);
            PointValue { place: places[node], stress, strain, von_mises: von_mises(&stress), plastic: mean[12].max(0.0) }
        };
        Ok((0..nodes).map(value).collect())
    }
}

/// Cauchy stress F S Fᵀ / det F.
fn push_forward(f: &Mat3, s: &Voigt) -> Voigt {
    let tensor = Mat3::new(s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2]);
    let c = f * tensor * f.transpose() / f.determinant();
    Voigt::new(c[(0, 0)], c[(1, 1)], c[(2, 2)], c[(0, 1)], c[(1, 2)], c[(2, 0)])
}

/// Values at the points → values at the nodes, by the nearest linear function of the reference coordinates.
fn extrapolation(cell: Cell) -> DMatrix<f64> {
    let rule = &table(cell, Purpose::Stress).rule;
    // with one point only the constant is known
    let terms = if rule.points.len() == 1 { 1 } else { 1 + cell.dimension() };
    let term = |p: [f64; 3], k: usize| if k == 0 { 1.0 } else { p[k - 1] };
    let at_points = DMatrix::from_fn(rule.points.len(), terms, |q, k| term(rule.points[q], k));
    let at_nodes = DMatrix::from_fn(cell.nodes(), terms, |a, k| term(cell.reference_node(a), k));
    let normal = at_points.tr_mul(&at_points);
    // the points of every rule span their space
    let inverse = normal.try_inverse().unwrap_or_else(|| DMatrix::zeros(terms, terms));
    at_nodes * inverse * at_points.transpose()
}
