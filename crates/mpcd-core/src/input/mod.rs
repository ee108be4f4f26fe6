//! Located input: fragments of a model file that are read later by whoever knows them, and errors that know their place.

mod error;
mod fragment;
mod piece;
mod slot;

pub use error::{InputError, Place, nearest, shortened};
pub use fragment::{Fragment, ron_options};
pub use piece::{Open, Piece};
pub use slot::Slot;
