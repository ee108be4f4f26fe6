//! Dumont's three scenes (*On enhanced descend algorithms for solving frictional multi-contact problems*, §4) with his four
//! local solvers, on the detector of `mpcd-geometry` and the local solvers of `mpcd-friction`.
//!
//! The rooms: [`scene`] says what there is, [`simulation`] steps it in time, [`sweeps`] solves the contacts of a step until his
//! criterion [`criterion`] holds, [`tables`] and [`curves`] write down what came out. The binary runs all of it.
#![forbid(unsafe_code)]

pub mod criterion;
pub mod curves;
pub mod scene;
pub mod simulation;
pub mod sweeps;
pub mod tables;
