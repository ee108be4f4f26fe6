//! Integration tests of mpcd-electrical: closed forms (VALIDATION §10), the measured network of 1,024 discs, properties of
//! random networks, and the module through its contract.

mod closed_forms;
mod decades;
mod films;
mod lattices;
mod module;
mod properties;
mod real_network;

use mpcd_tests::kit;
