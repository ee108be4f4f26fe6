//! What the tests of several crates share: [`kit`] and [`random`]. Whole-program tests live in `all/`. Nothing here is part of the program.
#![forbid(unsafe_code)]

pub mod kit;
pub mod random;
