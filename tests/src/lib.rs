//! What the tests of several crates share: [`kit`], [`random`], [`mutate`], [`damage`] and [`schumann`]. Whole-program tests live in `all/`. Nothing here is part of the program.
#![forbid(unsafe_code)]

pub mod damage;
pub mod kit;
pub mod mutate;
pub mod random;
pub mod schumann;
