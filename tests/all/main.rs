//! Tests of the whole program: what no single crate can promise alone.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod architecture;
mod book;
mod conductances;
mod containers;
mod coupling;
mod coupling_limit;
mod currents;
mod deformable;
mod electrical_meshes;
mod frames;
mod fuzz;
mod gallery;
mod granular;
mod joints;
mod keys;
mod laws;
mod mesh_bonds;
mod mesh_edges;
mod mesh_hertz;
mod mesh_patches;
mod mesh_probes;
mod mesh_rings;
mod mesh_self;
mod monolithic;
mod net;
mod pistons;
mod probes;
mod start;
mod thermal_meshes;
mod v06_contacts;
mod v06_masonry;
mod v06_solver;
mod v07_granular;
mod v07_pressed;
mod v13_properties;
