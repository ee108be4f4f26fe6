//! Integration tests of mpcd-thermal: closed forms (VALIDATION §11), boundaries, sources and books, and the module through its
//! contract.

#[path = "../../../mpcd-electrical/tests/electrical/kit.rs"]
mod kit;

mod boundaries;
mod closed_forms;
mod module;
mod packings;
mod sources;
