//! Polytopes from points. No contacts.

mod assemble;
mod distinct;
mod flat;
mod hull;
mod solid;
