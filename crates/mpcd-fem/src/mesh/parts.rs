//! The connected parts of a mesh: nodes that chains of elements join. No values.

use super::Mesh;

impl Mesh {
    /// Nodes of each connected part, rising; the parts in the order of their first nodes.
    pub(crate) fn parts(&self) -> Vec<Vec<usize>> {
        let mut parent: Vec<usize> = (0..self.nodes.len()).collect();
        for element in 0..self.elements() {
            for pair in self.element(element).windows(2) {
                let (a, b) = (root(&mut parent, pair[0]), root(&mut parent, pair[1]));
                parent[a.max(b)] = a.min(b);
            }
        }
        let mut place = vec![usize::MAX; parent.len()];
        let mut parts: Vec<Vec<usize>> = Vec::new();
        for node in 0..parent.len() {
            // the least of its part, and so there before it
            let first = root(&mut parent, node);
            if first == node {
                place[node] = parts.len();
                parts.push(Vec::new());
            }
            parts[place[first]].push(node);
        }
        parts
    }
}

fn root(parent: &mut [usize], mut node: usize) -> usize {
    while parent[node] != node {
        parent[node] = parent[parent[node]];
        node = parent[node];
    }
    node
}
