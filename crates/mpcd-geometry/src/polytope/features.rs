//! Names of vertices, edges and faces that fit into a contact key. No geometry.

/// A vertex, edge or face of one polytope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Feature {
    /// A vertex.
    Vertex(u16),
    /// An edge; in a planar polygon a corner is a vertex, never an edge.
    Edge(u16),
    /// A face; in a planar polygon one of its sides.
    Face(u16),
}

impl Feature {
    /// Kind (2 bits) and number (14 bits).
    #[must_use]
    pub const fn code(self) -> u16 {
        match self {
            Self::Vertex(i) => i,
            Self::Edge(i) => 1 << 14 | i,
            Self::Face(i) => 2 << 14 | i,
        }
    }
}

/// The features of a first and a second polytope that make a contact point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FeaturePair {
    /// Of the first polytope (the candidate).
    pub first: Feature,
    /// Of the second (the antagonist).
    pub second: Feature,
}

impl FeaturePair {
    /// Both in 32 bits, the first one above; 32 bits of a contact key stay free for parts and triangles.
    #[must_use]
    pub const fn code(self) -> u32 {
        (self.first.code() as u32) << 16 | self.second.code() as u32
    }

    /// The same seen from the other body.
    #[must_use]
    pub const fn swapped(self) -> Self {
        Self { first: self.second, second: self.first }
    }
}
