//! Motions without strain that nothing holds: what statics cannot bear. From the held unknowns and the places of the nodes alone, without a
//! stiffness. Parts that hang together at a hinge inside the mesh are the factorisation's to find.

use mpcd_core::Vec3;
use nalgebra::{DMatrix, DVector};

use super::{Model, Space};

/// Part of the greatest eigenvalue of what is held below which an eigenvalue is none: two nodes a millionth of the size apart hold a turn.
const NONE: f64 = 1e-12;
/// Part of a unit motion that is rounding.
const ROUNDING: f64 = 1e-9;

/// A part of a mesh that can move without strain: says how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loose {
    /// A node of the part, as the mesh's file numbers it.
    pub node: usize,
    /// Whether the part is not the whole mesh.
    pub is_part: bool,
    /// Axes along which it can be moved: x, y, z.
    pub along: Vec<char>,
    /// Whether it can be turned, or turned and moved at once.
    pub turns: bool,
}

impl std::fmt::Display for Loose {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let along: Vec<String> = self.along.iter().map(char::to_string).collect();
        let mut ways = Vec::new();
        if !along.is_empty() {
            ways.push(format!("moving along {}", along.join(" and ")));
        }
        if self.turns {
            ways.push("turning".to_owned());
        }
        let part = if self.is_part { format!("the part of its mesh with node {}", self.node) } else { "it".to_owned() };
        write!(f, "nothing keeps {part} from {}", ways.join(" and "))
    }
}

impl Model {
    /// The first connected part of the mesh that can move without strain (of small strain and rotation, from rest) while the unknowns of `held`
    /// (one for each, true where its motion is prescribed) stay.
    pub fn loose(&self, held: &[bool]) -> Option<Loose> {
        let parts = self.mesh.parts();
        parts.iter().find_map(|nodes| {
            let (along, turns) = self.ways(nodes, held);
            let is_part = parts.len() > 1;
            let node = self.mesh.node_label(*nodes.first()?);
            (!along.is_empty() || turns).then_some(Loose { node, is_part, along, turns })
        })
    }

    /// Axes along which these nodes can be moved together, and whether there is another motion without strain.
    fn ways(&self, nodes: &[usize], held: &[bool]) -> (Vec<char>, bool) {
        let d = self.dimension();
        let places = self.mesh.nodes();
        let centre = nodes.iter().map(|n| places[*n]).sum::<Vec3>() / nodes.len() as f64;
        let size = nodes.iter().map(|n| (places[*n] - centre).norm()).fold(0.0, f64::max);
        let moves: Vec<usize> = if self.space == Space::Axisymmetric { vec![1] } else { (0..d).collect() };
        let spins: &[usize] = match self.space {
            Space::Axisymmetric => &[],
            Space::PlaneStrain { .. } | Space::PlaneStress { .. } => &[2],
            Space::Solid => &[0, 1, 2],
        };
        let unit = |axis: usize| Vec3::from_fn(|k, _| f64::from(k == axis));
        let of = |node: usize| {
            let arm = (places[node] - centre) / size;
            let turned = spins.iter().map(move |k| unit(*k).cross(&arm));
            moves.iter().map(|k| unit(*k)).chain(turned).collect::<Vec<_>>()
        };
        let m = moves.len() + spins.len();
        let mut gram = DMatrix::<f64>::zeros(m, m);
        for (node, k) in nodes.iter().flat_map(|n| (0..d).map(move |k| (*n, k))).filter(|(n, k)| held[n * d + k]) {
            let row = DVector::from_iterator(m, of(node).iter().map(|motion| motion[k]));
            gram.ger(1.0, &row, &row, 1.0);
        }
        let eigen = gram.symmetric_eigen();
        let greatest = eigen.eigenvalues.max();
        let none: Vec<usize> = (0..m).filter(|k| eigen.eigenvalues[*k] <= NONE * greatest).collect();
        // of a unit motion along an axis, the part that nothing holds
        let share = |mode: usize| none.iter().map(|k| eigen.eigenvectors[(mode, *k)].powi(2)).sum::<f64>();
        let free: Vec<usize> = (0..moves.len()).filter(|mode| share(*mode) > 1.0 - ROUNDING).collect();
        (free.iter().map(|mode| ['x', 'y', 'z'][moves[*mode]]).collect(), none.len() > free.len())
    }
}
