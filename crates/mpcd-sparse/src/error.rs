//! What can be wrong with a matrix, a right-hand side or their sizes.

/// Errors of mpcd-sparse. Rows and columns are numbered from 0 as the caller numbered them.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SparseError {
    /// An index beyond the size of the matrix.
    #[error("entry {entry} is at ({row}, {column}), outside a matrix of size {size}")]
    IndexOutOfRange {
        /// Number of the edge or entry.
        entry: usize,
        /// Row asked for.
        row: usize,
        /// Column asked for.
        column: usize,
        /// Size of the matrix.
        size: usize,
    },
    /// An edge from a node to itself.
    #[error("edge {edge} joins node {node} to itself; put such a value on the diagonal with `add_diagonal`")]
    SelfEdge {
        /// Number of the edge.
        edge: usize,
        /// The node.
        node: usize,
    },
    /// A vector of the wrong length.
    #[error("the {what} has length {found}, expected {expected}, the size of the matrix")]
    Length {
        /// Which vector.
        what: &'static str,
        /// Size of the matrix.
        expected: usize,
        /// Length found.
        found: usize,
    },
    /// NaN or infinity in a matrix.
    #[error("the matrix has {value} at ({row}, {column}); find the model parameter or state that makes it")]
    NonFiniteMatrix {
        /// Row.
        row: usize,
        /// Column.
        column: usize,
        /// NaN or an infinity.
        value: f64,
    },
    /// NaN or infinity in a vector.
    #[error("the {what} has {value} in row {row}; find the model parameter or state that makes it")]
    NonFiniteVector {
        /// Which vector.
        what: &'static str,
        /// Row.
        row: usize,
        /// NaN or an infinity.
        value: f64,
    },
    /// The matrix is not positive definite, or so nearly that no digit of a solution could be trusted.
    #[error(
        "the matrix is not positive definite: of the diagonal {diagonal:e} of row {row} the elimination leaves {pivot:e}. \
         An unknown without a held value or a positive coefficient, in its own island, does this"
    )]
    NotPositiveDefinite {
        /// Row at which it showed.
        row: usize,
        /// What is left of the diagonal; NaN when only its sign is known.
        pivot: f64,
        /// Diagonal entry of that row.
        diagonal: f64,
    },
    /// The matrix is singular, or so nearly that no digit of a solution could be trusted.
    #[error(
        "the matrix is singular to working precision: a known solution comes back with relative error {error:e} in row {row}. \
         An unknown that no equation determines does this"
    )]
    Singular {
        /// Row with the largest error.
        row: usize,
        /// That error, relative to the known solution.
        error: f64,
    },
    /// A matrix of another pattern than the one analysed.
    #[error("the matrix has another pattern than the one that was analysed; analyse its own pattern first")]
    OtherPattern,
    /// A solve before any factorisation has succeeded.
    #[error("nothing is factorised yet (or the last factorisation failed); call `factorise` first")]
    NotFactorised,
    /// A system without a matrix.
    #[error("the system has no matrix yet (or the last one was refused); call `refill` first")]
    NotFilled,
    /// A block ordering that does not divide the matrix.
    #[error("an ordering by blocks of {block} needs a size that is a multiple of it, found {size}")]
    Block {
        /// Unknowns per node.
        block: usize,
        /// Size of the matrix.
        size: usize,
    },
    /// More entries than the ordering can number, or no memory left.
    #[error("the factorisation of a matrix of size {size} with {entries} entries does not fit into memory")]
    TooLarge {
        /// Size of the matrix.
        size: usize,
        /// Stored entries.
        entries: usize,
    },
}

/// Checks the length of a vector and that all its entries are finite.
pub(crate) fn check_vector(what: &'static str, v: &[f64], expected: usize) -> Result<(), SparseError> {
    if v.len() != expected {
        return Err(SparseError::Length { what, expected, found: v.len() });
    }
    match v.iter().position(|x| !x.is_finite()) {
        Some(row) => Err(SparseError::NonFiniteVector { what, row, value: v[row] }),
        None => Ok(()),
    }
}
