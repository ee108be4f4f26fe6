//! What can be wrong with the points or the file of a polytope.

/// Why points or a file make no polytope.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PolytopeError {
    /// A coordinate is not a finite number.
    #[error("vertex {0} has a coordinate that is not a finite number; expected finite lengths")]
    NotFinite(usize),
    /// Fewer distinct points than the shape needs.
    #[error(
        "expected at least {expected} distinct vertices, got {got} (points closer than a millionth of the size count as one); add vertices"
    )]
    TooFew {
        /// Number needed.
        expected: usize,
        /// Number of distinct points.
        got: usize,
    },
    /// All points on one line or in one plane.
    #[error("the vertices lie {0}, to a millionth of their size; expected a shape with a volume (an area in a planar model)")]
    Flat(&'static str),
    /// Points that leave the plane they should be in.
    #[error("vertex {vertex} is not in {plane}; {cure}")]
    OutOfPlane {
        /// Its number.
        vertex: usize,
        /// Which plane.
        plane: &'static str,
        /// What to do.
        cure: &'static str,
    },
    /// More vertices, edges or faces than a feature number can hold.
    #[error("the convex hull has {got} {what}, the limit is {limit}; use a coarser shape, or a triangulated surface")]
    TooMany {
        /// Number of them.
        got: usize,
        /// Vertices, edges or faces.
        what: &'static str,
        /// Largest number.
        limit: usize,
    },
    /// Faces so nearly parallel that they cannot be told apart.
    #[error(
        "faces of the convex hull are neither coplanar nor distinct (they differ by about a millionth of the size); round the vertices to fewer digits, or leave out the ones that lie in a face"
    )]
    NearlyFlat,
    /// A fault in a line of a text file.
    #[error("line {line}: expected {expected}, found \"{found}\"")]
    Line {
        /// Number of the line, from 1.
        line: usize,
        /// What should stand there.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
    /// A file that ends too early or is none of the kind.
    #[error("this is no {kind} file: {why}")]
    File {
        /// STL or OBJ.
        kind: &'static str,
        /// What is wrong.
        why: String,
    },
}
