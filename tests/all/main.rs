//! Tests of the whole program: what no single crate can promise alone.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod architecture;
mod book;
mod gallery;
mod monolithic;
mod v13_properties;
