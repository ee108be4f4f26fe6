//! Tests of the whole program: what no single crate can promise alone.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod architecture;
mod book;
mod gallery;
mod granular;
mod joints;
mod keys;
mod laws;
mod monolithic;
mod net;
mod probes;
mod v06_contacts;
mod v06_masonry;
mod v07_granular;
mod v07_pressed;
mod v13_properties;
