//! Sums over elements: internal forces, energies and tangents. Elements are computed by threads and added in their order, so
//! that the bits do not depend on the number of threads.

use mpcd_sparse::{GeneralMatrix, SymmetricMatrix};
use rayon::prelude::*;

use super::Model;
use super::element::{Integral, Local, MAX_DOFS, Motion, Rate, Wanted};
use crate::cell::MAX_NODES;
use crate::error::FemError;

/// Elements computed before any is added: bounds the memory of their matrices.
const BATCH: usize = 256;
/// Elements that threads are not woken for.
const FEW: usize = 24;

/// [`Motion`] of the whole body.
#[derive(Clone, Copy)]
pub(crate) enum Displacements<'a> {
    /// `free` is the free strain of each node; empty where there is none.
    End {
        u: &'a [f64],
        rate: Option<Rate<'a, [f64]>>,
        free: &'a [f64],
    },
    Mean {
        old: &'a [f64],
        new: &'a [f64],
        h: f64,
    },
}

/// Where the stiffness is added, times a factor.
pub(crate) enum Target<'a> {
    Symmetric(&'a mut SymmetricMatrix, f64),
    /// Of a stiffness that is not symmetric, ½(K + Kᵀ).
    SymmetricPart(&'a mut SymmetricMatrix, f64),
    /// The same of a stiffness without the initial stress that presses.
    Definite(&'a mut SymmetricMatrix, f64),
    General(&'a mut GeneralMatrix, f64),
}

/// Sums over the elements.
#[derive(Clone, Debug, Default)]
pub(crate) struct Internal {
    pub(crate) force: Vec<f64>,
    pub(crate) history: Vec<f64>,
    pub(crate) energy: f64,
    pub(crate) dissipated: f64,
    pub(crate) viscous: f64,
    /// Derivative of the stored energy by the free strain of each node (J); empty where there is none.
    pub(crate) by_free: Vec<f64>,
}

impl Model {
    /// Internal force (N) of all unknowns at a motion from a history, its energies and the new history; the stiffness is added
    /// to the target.
    pub(crate) fn internal(
        &self,
        at: Displacements<'_>,
        history: &[f64],
        mut target: Option<Target<'_>>,
    ) -> Result<Internal, FemError> {
        let mut sum = Internal { force: vec![0.0; self.unknowns()], history: history.to_vec(), ..Internal::default() };
        let wanted = match target {
            None => Wanted::Nothing,
            Some(Target::Definite(..)) => Wanted::Definite,
            Some(_) => Wanted::Whole,
        };
        if let Displacements::End { free, .. } = at {
            sum.by_free = vec![0.0; free.len()];
        }
        let elements = self.mesh.elements();
        for first in (0..elements).step_by(BATCH) {
            let range = first..(first + BATCH).min(elements);
            let one = |e: usize| self.integrate(e, at, history, wanted).map_err(|fault| self.fault(e, fault));
            let batch: Vec<_> =
                if range.len() < FEW { range.map(one).collect() } else { range.into_par_iter().map(one).collect() };
            for (k, part) in batch.into_iter().enumerate() {
                self.add(first + k, part?, &mut sum, target.as_mut());
            }
        }
        Ok(sum)
    }

    /// Force and matrix of one element.
    pub(super) fn integrate(
        &self,
        e: usize,
        at: Displacements<'_>,
        history: &[f64],
        wanted: Wanted,
    ) -> Result<Integral, super::Fault> {
        let places = self.places(e);
        let element = self.element(e, &places, history);
        match at {
            Displacements::End { u, rate, free } => {
                let (velocity, start);
                let rate = match rate {
                    None => None,
                    Some(Rate::Velocity(v, slope)) => {
                        velocity = self.gather(e, v);
                        Some(Rate::Velocity(&velocity, slope))
                    }
                    Some(Rate::Begun(v)) => {
                        velocity = self.gather(e, v);
                        Some(Rate::Begun(&velocity))
                    }
                    Some(Rate::Step { old, velocity: v, h, theta }) => {
                        (velocity, start) = (self.gather(e, v), self.gather(e, old));
                        Some(Rate::Step { old: &start, velocity: &velocity, h, theta })
                    }
                };
                let u = self.gather(e, u);
                let free = self.gather_free(e, free);
                element.integrate(&Motion::End { u: &u, rate, free: &free }, wanted)
            }
            Displacements::Mean { old, new, h } => {
                let (old, new) = (self.gather(e, old), self.gather(e, new));
                element.integrate(&Motion::Mean { old: &old, new: &new, h }, wanted)
            }
        }
    }

    /// Stiffness of one element (N/m), by rows.
    pub(crate) fn element_stiffness(&self, e: usize, at: Displacements<'_>, history: &[f64]) -> Result<Vec<f64>, FemError> {
        self.integrate(e, at, history, Wanted::Whole).map(|part| part.matrix).map_err(|fault| self.fault(e, fault))
    }

    fn add(&self, e: usize, part: Integral, sum: &mut Internal, target: Option<&mut Target<'_>>) {
        let (d, nodes) = (self.dimension(), self.mesh.element(e));
        for (a, &node) in nodes.iter().enumerate() {
            (0..d).for_each(|i| sum.force[node * d + i] += part.force[a * d + i]);
        }
        let start = self.history_starts[e];
        sum.history[start..start + part.history.len()].copy_from_slice(&part.history);
        sum.energy += part.energy;
        sum.dissipated += part.dissipated;
        sum.viscous += part.viscous;
        if !sum.by_free.is_empty() {
            let rows = sum.by_free.len();
            (0..nodes.len()).for_each(|a| sum.by_free[self.free_row(e, a, rows)] += part.by_free[a]);
        }
        if let Some(target) = target {
            self.put(e, part.matrix, target);
        }
    }

    /// Adds a matrix of one element.
    pub(super) fn put(&self, e: usize, mut values: Vec<f64>, target: &mut Target<'_>) {
        let (d, nodes) = (self.dimension(), self.mesh.element(e));
        match target {
            Target::Symmetric(matrix, factor) => {
                values.iter_mut().for_each(|k| *k *= *factor);
                self.pattern.add_symmetric(matrix, e, nodes, &values);
            }
            Target::SymmetricPart(matrix, factor) | Target::Definite(matrix, factor) => {
                let n = nodes.len() * d;
                let half: Vec<f64> = (0..n * n).map(|k| 0.5 * *factor * (values[k] + values[k % n * n + k / n])).collect();
                self.pattern.add_symmetric(matrix, e, nodes, &half);
            }
            Target::General(matrix, factor) => {
                values.iter_mut().for_each(|k| *k *= *factor);
                self.pattern.add_general(matrix, e, nodes, &values);
            }
        }
    }

    /// Free strain of the nodes of an element; 0 where a body has none.
    pub(super) fn gather_free(&self, e: usize, free: &[f64]) -> [f64; MAX_NODES] {
        let mut local = [0.0; MAX_NODES];
        for (a, own) in local.iter_mut().enumerate().take(self.mesh.element(e).len()) {
            *own = free.get(self.free_row(e, a, free.len())).copied().unwrap_or(0.0);
        }
        local
    }

    /// The row of node `a` of an element among so many free strains: one for each node, or as [`Self::free_strains`].
    fn free_row(&self, e: usize, a: usize, rows: usize) -> usize {
        if rows == self.mesh.nodes().len() { self.mesh.element(e)[a] } else { self.corner_starts[e] + a }
    }

    /// Whether so many free strains are those of this body.
    pub(super) fn has_free_rows(&self, rows: usize) -> bool {
        rows == self.mesh.nodes().len() || rows == self.corner_starts[self.mesh.elements()]
    }

    /// The free strain of materials that swell differently: the strain of each node times what it counts in an element. Node by node in each
    /// element, element after element; one number per node where no node has two elements.
    #[must_use]
    pub fn free_strains(&self, of_nodes: &[f64], counts: impl Fn(usize) -> f64) -> Vec<f64> {
        let corners = self.corner_starts[self.mesh.elements()];
        let mut out = vec![0.0; corners];
        for e in 0..self.mesh.elements() {
            let factor = counts(e);
            for (a, &node) in self.mesh.element(e).iter().enumerate() {
                let row = self.free_row(e, a, corners);
                out[row] = factor * of_nodes.get(node).copied().unwrap_or(0.0);
            }
        }
        out
    }

    /// Numbers of the nodes of an element.
    pub(super) fn gather(&self, e: usize, values: &[f64]) -> Local {
        let d = self.dimension();
        let mut local = [0.0; MAX_DOFS];
        for (a, &node) in self.mesh.element(e).iter().enumerate() {
            local[a * d..a * d + d].copy_from_slice(&values[node * d..node * d + d]);
        }
        local
    }
}
