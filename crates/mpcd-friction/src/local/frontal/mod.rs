//! Multifrontal LU factorisation of block matrices whose *pattern* is symmetric and whose values are not: the Newton
//! systems of contact problems. Analysed once per pattern (minimum degree on the graph of blocks, elimination tree,
//! supernodes), factorised any number of times without allocation.
//!
//! Pivots are sought within the pivot block of a front only; a pivot that vanishes there is replaced by a tiny number
//! and counted, so that a singular matrix gives a poor direction and not a NaN (Duff and Reid 1983; Li and Demmel 1998
//! for static pivoting). Runs on one thread: the same bits everywhere.

mod dense;
mod numeric;
mod plan;
mod symbolic;
#[cfg(test)]
mod tests;

pub(super) use numeric::{BlockSource, Factors};
pub(super) use symbolic::Analysis;
