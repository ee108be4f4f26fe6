//! The free strain that other modules give to deformable bodies, as by heat: at nodes, and what it counts in elements of other materials.

use std::ops::Range;

use mpcd_core::{Inputs, OptionalPort, PerElement, PerNode, Port, PortMisuse, ReadPort, Scalar, Unit, field::names};
use mpcd_fem::Model;

const OF_NODES: OptionalPort<Scalar, PerNode> = ReadPort::lagged(names::FREE_STRAIN, Unit::ONE).optional();
const COUNTS: OptionalPort<Scalar, PerElement> = ReadPort::lagged(names::FREE_STRAIN_FACTOR, Unit::ONE).optional();

/// What other modules let swell, body after body.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct FreeStrain<'a> {
    /// Free strain of each node.
    of_nodes: Option<&'a [f64]>,
    /// What that counts in each element.
    counts: Option<&'a [f64]>,
}

impl<'a> FreeStrain<'a> {
    /// What is read of it, where some body has several materials and where none has.
    pub(crate) fn ports(several: bool) -> Vec<Port> {
        let counts: Option<Port> = several.then(|| COUNTS.into());
        std::iter::once(OF_NODES.into()).chain(counts).collect()
    }

    pub(crate) fn read(inputs: &Inputs<'a>, several: bool) -> Result<Self, PortMisuse> {
        Ok(Self { of_nodes: inputs.read(OF_NODES)?, counts: if several { inputs.read(COUNTS)? } else { None } })
    }

    /// That of the nodes and elements of one body.
    pub(super) fn of_rows(self, nodes: Range<usize>, elements: Range<usize>) -> Self {
        Self { of_nodes: self.of_nodes.and_then(|all| all.get(nodes)), counts: self.counts.and_then(|all| all.get(elements)) }
    }

    /// The free strain of one body, of one material or of several.
    pub(super) fn of(self, model: &Model, several: bool) -> Option<Vec<f64>> {
        let of_nodes = self.of_nodes?;
        Some(match self.counts.filter(|_| several) {
            Some(counts) => model.free_strains(of_nodes, |e| counts[e]),
            None => of_nodes.to_vec(),
        })
    }
}
