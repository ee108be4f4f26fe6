//! What can be wrong with a packing. Every message says what was expected and what to do.

/// A packing that cannot be made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PackingError {
    /// The two corners of the region are not in order.
    #[error("the region goes from {from} to {to} along {axis}; expected `from` below `to` on every axis of the model")]
    Region {
        /// x, y or z.
        axis: char,
        /// Lower corner (m).
        from: f64,
        /// Upper corner (m).
        to: f64,
    },
    /// A region that is narrower than a body.
    #[error(
        "the region is {width} m wide along {axis}, less than the largest diameter {diameter} m; make it wider or the bodies smaller"
    )]
    Narrow {
        /// x, y or z.
        axis: char,
        /// Width of the region (m).
        width: f64,
        /// Largest diameter the law of sizes can give (m).
        diameter: f64,
    },
    /// A law of sizes that gives none.
    #[error("the law of sizes {0}")]
    SizeLaw(&'static str),
    /// An arrangement that the model's dimension does not know.
    #[error("the arrangement {0} belongs to space, but the model is planar; use Square or Hexagonal")]
    SpatialOnly(&'static str),
    /// A spacing that would make bodies overlap.
    #[error("the spacing {spacing} m is below the largest diameter {diameter} m; leave `spacing` out or make it larger")]
    Spacing {
        /// Asked for (m).
        spacing: f64,
        /// Largest diameter the law of sizes can give (m).
        diameter: f64,
    },
    /// More bodies asked for than there are places.
    #[error(
        "{asked} bodies do not fit: the region has {places} places {spacing} m apart; make the region larger, the bodies smaller, or ask for fewer"
    )]
    Full {
        /// Number asked for.
        asked: usize,
        /// Number of places.
        places: usize,
        /// Distance of neighbouring places (m).
        spacing: f64,
    },
    /// More bodies asked for than the region takes.
    #[error("{asked} bodies do not fit: the region is full after {placed}; make it higher, the bodies smaller, or ask for fewer")]
    Heaped {
        /// Number asked for.
        asked: usize,
        /// Number that found a place.
        placed: usize,
    },
    /// A packing of more bodies than a run can hold.
    #[error(
        "the packing would have {bodies:.3e} bodies, which take about {gigabytes:.0} GB; the limit is {limit}: ask for fewer, make the region smaller or the bodies larger"
    )]
    TooMany {
        /// Number of bodies.
        bodies: f64,
        /// What they would take in a run [10⁹ bytes].
        gigabytes: f64,
        /// Largest number.
        limit: usize,
    },
    /// A solid fraction that growth does not reach.
    #[error(
        "a solid fraction of {asked} was not reached: growth got to {reached:.4}; ask for that or less, or make the region larger (walls keep bodies apart)"
    )]
    Fraction {
        /// Asked for.
        asked: f64,
        /// Largest fraction without overlap.
        reached: f64,
    },
    /// A number that a structure of blocks cannot have.
    #[error("{what} is {value}, expected {expected}")]
    Structure {
        /// What it is.
        what: &'static str,
        /// Its value.
        value: f64,
        /// What is allowed.
        expected: &'static str,
    },
    /// Corners that make no body.
    #[error("the corners of a block make no body: {0}")]
    Hull(String),
}
