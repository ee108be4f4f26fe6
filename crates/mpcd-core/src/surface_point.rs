//! A point of the surface of a mesh: a weighted mean of its nodes. No facets, no distances.

use serde::{Deserialize, Serialize};

use crate::math::Vec3;

/// A point of the surface of a mesh as a weighted mean of nodes; the weights add up to 1. They may be negative, as shape functions are.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct SurfacePoint(Vec<(u32, f64)>);

impl SurfacePoint {
    /// A point of no nodes, to add some to.
    #[must_use]
    pub const fn nowhere() -> Self {
        Self(Vec::new())
    }

    /// A node.
    #[must_use]
    pub fn node(node: u32) -> Self {
        Self(vec![(node, 1.0)])
    }

    /// Adds a part; a node that it has already gets the sum.
    pub fn add(&mut self, node: u32, weight: f64) {
        match self.0.iter_mut().find(|part| part.0 == node) {
            Some(part) => part.1 += weight,
            None => self.0.push((node, weight)),
        }
    }

    /// Adds a part of another point.
    pub fn add_point(&mut self, point: &Self, weight: f64) {
        point.0.iter().for_each(|(node, w)| self.add(*node, w * weight));
    }

    /// The same with all weights multiplied, and nodes left out whose weight is rounding of the others.
    #[must_use]
    pub fn scaled(mut self, by: f64) -> Self {
        let most = self.0.iter().fold(0.0_f64, |most, (_, w)| most.max(w.abs()));
        self.0.retain(|(_, w)| w.abs() > ROUNDING * most);
        self.0.iter_mut().for_each(|(_, w)| *w *= by);
        self
    }

    /// Nodes and their weights.
    pub fn parts(&self) -> impl Iterator<Item = (usize, f64)> + Clone + '_ {
        self.0.iter().map(|(n, w)| (*n as usize, *w))
    }

    /// The mean of a vector of the nodes.
    pub fn mean(&self, of: impl Fn(usize) -> Vec3) -> Vec3 {
        self.parts().map(|(n, w)| of(n) * w).sum()
    }
}

/// Weights below this part of the largest are sums of products that should cancel.
const ROUNDING: f64 = 1e-13;
