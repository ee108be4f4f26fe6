//! Ids: small typed indices and the persistent identity of a contact. No data lives here.

use serde::{Deserialize, Serialize};

macro_rules! index_type {
    ($(#[$doc:meta])* $name:ident, $inner:ty) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub struct $name(pub $inner);

        impl $name {
            /// The index as a `usize`, to address a column.
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// The id of row `index` of a column. Columns hold fewer than 2³² rows.
            #[must_use]
            #[allow(clippy::cast_possible_truncation, reason = "columns are shorter than the index type")]
            pub const fn from_index(index: usize) -> Self {
                Self(index as $inner)
            }
        }
    };
}

index_type!(
    /// A body: a row of [`crate::BodySet`] and [`crate::Kinematics`].
    BodyId, u32
);
index_type!(
    /// A named group of bodies.
    GroupId, u16
);
index_type!(
    /// A named material.
    MaterialId, u16
);

/// The identity of a contact, the same from step to step as long as the same features touch.
///
/// `feature` tells apart several points between one pair: corner number of a box on a plane, features of two polyhedra, parts
/// of clusters, triangles of a surface. Its bits mean something to the geometry alone.
/// Contacts are always sorted by this key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ContactKey {
    /// The body that carries the candidate point.
    pub candidate: BodyId,
    /// The body whose surface gives the normal.
    pub antagonist: BodyId,
    /// Which features of the two meet; 0 where there is only one.
    pub feature: u64,
}
