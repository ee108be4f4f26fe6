//! Connected parts of a graph, numbered by their smallest node: the same labels whatever the order of the edges.

/// The islands of a graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Islands {
    first: Vec<usize>,
    number: Vec<usize>,
    count: usize,
}

impl Islands {
    /// Finds the islands of a graph of `nodes` nodes; edges that name nodes beyond are ignored.
    pub fn of(nodes: usize, edges: impl IntoIterator<Item = (usize, usize)>) -> Self {
        let mut islands = Self::default();
        islands.update(nodes, edges);
        islands
    }

    /// The same for another graph, in the memory of this one.
    pub fn update(&mut self, nodes: usize, edges: impl IntoIterator<Item = (usize, usize)>) {
        self.first.clear();
        self.first.extend(0..nodes);
        for (a, b) in edges {
            if a < nodes && b < nodes {
                let (a, b) = (self.root(a), self.root(b));
                // the smaller root stays, so each root is the smallest node of its island
                self.first[a.max(b)] = a.min(b);
            }
        }
        self.number.clear();
        self.number.resize(nodes, 0);
        self.count = 0;
        for node in 0..nodes {
            let root = self.root(node);
            self.first[node] = root;
            self.number[node] = if root == node {
                self.count += 1;
                self.count - 1
            } else {
                self.number[root]
            };
        }
    }

    /// Number of islands; a node without edges is one.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Island of each node, numbered from 0 in the order of their smallest nodes.
    pub fn numbers(&self) -> &[usize] {
        &self.number
    }

    /// Smallest node of the island of each node.
    pub fn firsts(&self) -> &[usize] {
        &self.first
    }

    /// Root of a node; halves the path to it on the way.
    fn root(&mut self, mut node: usize) -> usize {
        while self.first[node] != node {
            self.first[node] = self.first[self.first[node]];
            node = self.first[node];
        }
        node
    }
}
