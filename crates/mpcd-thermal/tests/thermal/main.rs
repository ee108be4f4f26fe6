//! Integration tests of mpcd-thermal: closed forms (VALIDATION §11), boundaries, sources and books, and the module through its
//! contract.

mod boundaries;
mod closed_forms;
mod laws;
mod module;
mod neighbours;
mod packings;
mod sight;
mod sources;
mod steep;
mod uneven;

use mpcd_tests::kit;
