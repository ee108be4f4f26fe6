//! Pairs of nodes that have an element in common, found once: what matrices of a mesh have entries for. No values.

use super::Mesh;

/// The pairs of a mesh.
#[derive(Debug, Clone)]
pub(crate) struct NodePairs {
    /// Pairs (a, b), a < b, rising.
    pub(crate) all: Vec<(usize, usize)>,
    /// Where each element begins in `of_elements`.
    starts: Vec<usize>,
    of_elements: Vec<u32>,
}

impl NodePairs {
    #[allow(clippy::cast_possible_truncation, reason = "a mesh has fewer than 2³² pairs of nodes")]
    pub(crate) fn new(mesh: &Mesh) -> Self {
        let local = |e: usize| {
            let list = mesh.element(e);
            (0..list.len()).flat_map(move |b| (0..b).map(move |a| (list[a].min(list[b]), list[a].max(list[b]))))
        };
        let mut all: Vec<(usize, usize)> = (0..mesh.elements()).flat_map(local).collect();
        all.sort_unstable();
        all.dedup();
        let (mut starts, mut of_elements) = (vec![0], Vec::new());
        for e in 0..mesh.elements() {
            // every pair is in the list, which was made of them
            of_elements.extend(local(e).map(|pair| all.partition_point(|p| *p < pair) as u32));
            starts.push(of_elements.len());
        }
        Self { all, starts, of_elements }
    }

    /// Numbers of the pairs of an element: those of its local nodes (a, b), a < b, b by b.
    pub(crate) fn of(&self, element: usize) -> &[u32] {
        &self.of_elements[self.starts[element]..self.starts[element + 1]]
    }

    /// Where the pairs of an element are among those of all elements.
    pub(crate) fn range(&self, element: usize) -> std::ops::Range<usize> {
        self.starts[element]..self.starts[element + 1]
    }
}
