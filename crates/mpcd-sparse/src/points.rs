//! Ends of the conductances of a network: nodes, or points that are weighted means of nodes, as a point of the surface of a mesh is; and what a
//! conductance between two ends is between nodes. No values at nodes, no physics.
//!
//! With T = Σ w_a T_a at an end and z the weights of one end less those of the other (Σ z = 0), what flows is G z·T, and G z zᵀ is a sum of
//! conductances −G z_a z_b between pairs of nodes: they may be negative, their sum conducts as G does.

/// Weighted means of nodes; the weights of each add up to 1.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Points {
    terms: Vec<(usize, f64)>,
    /// Where each ends in `terms`.
    ends: Vec<usize>,
    /// Points that stay when the others are taken away.
    kept: usize,
}

impl Points {
    /// Adds a point of these nodes, each named once, with their weights, and returns its number.
    pub fn push(&mut self, terms: impl IntoIterator<Item = (usize, f64)>) -> usize {
        self.terms.extend(terms);
        self.ends.push(self.terms.len());
        self.ends.len() - 1
    }

    /// Keeps the present points from now on.
    pub fn keep(&mut self) {
        self.kept = self.ends.len();
    }

    /// Takes away all points but those that are kept.
    pub fn clear(&mut self) {
        self.ends.truncate(self.kept);
        self.terms.truncate(self.ends.last().copied().unwrap_or(0));
    }

    /// Number of points.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Nodes and weights of a point.
    #[must_use]
    pub fn terms(&self, point: usize) -> &[(usize, f64)] {
        let from = point.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.terms[from..self.ends[point]]
    }

    /// Nodes and weights of an end in a network of `nodes` nodes: of a node itself, from the number of nodes on of a point.
    pub fn of_end(&self, nodes: usize, end: usize) -> impl Iterator<Item = (usize, f64)> + Clone + '_ {
        let point = end.checked_sub(nodes);
        let one = point.is_none().then_some((end, 1.0));
        one.into_iter().chain(point.map_or(&[][..], |p| self.terms(p)).iter().copied())
    }
}

/// Calls with every pair of different nodes of z and the product −z_a z_b.
pub fn pairs(z: &[(usize, f64)], mut each: impl FnMut((usize, usize), f64)) {
    for (b, &(node_b, z_b)) in z.iter().enumerate() {
        for &(node_a, z_a) in &z[..b] {
            each((node_a, node_b), -z_a * z_b);
        }
    }
}

/// Puts the weights of the first end less those of the second, node by node, into `z`.
pub fn weights(first: impl Iterator<Item = (usize, f64)>, second: impl Iterator<Item = (usize, f64)>, z: &mut Vec<(usize, f64)>) {
    z.clear();
    z.extend(first);
    for (node, w) in second {
        match z.iter_mut().find(|part| part.0 == node) {
            Some(part) => part.1 -= w,
            None => z.push((node, -w)),
        }
    }
}
