//! The finite elements through their public face: cells, meshes, materials, statics, dynamics, the face to contact.
#![allow(missing_docs, unreachable_pub, clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod beams;
mod cells;
mod contact;
mod damping;
mod energy;
mod flight;
mod free_strain;
mod heat;
mod loads;
mod locking;
mod materials;
mod meshes;
mod own_material;
mod patch;
mod plasticity;
mod readers;
mod recovery;
mod refused;
mod same_bits;
mod space_order;
mod static_steps;
mod supports;
mod time_order;

use std::sync::Arc;

use mpcd_core::Vec3;
use mpcd_fem::{Cell, Isotropic, LinearElastic, Material, Mesh, Model, NeoHookean, SaintVenantKirchhoff, Section, Space};

pub const PLANAR: [Cell; 4] = [Cell::Tri3, Cell::Tri6, Cell::Quad4, Cell::Quad8];
pub const SPATIAL: [Cell; 4] = [Cell::Tet4, Cell::Tet10, Cell::Hex8, Cell::Hex20];

pub fn model(mesh: Mesh, space: Space, material: impl Material + 'static, density: f64) -> Arc<Model> {
    Arc::new(Model::new(mesh, space, &Section::new(material, density).unwrap()).unwrap())
}

pub fn linear(young: f64, poisson: f64) -> LinearElastic {
    LinearElastic(Isotropic::new(young, poisson).unwrap())
}

pub fn saint_venant(young: f64, poisson: f64) -> SaintVenantKirchhoff {
    SaintVenantKirchhoff(Isotropic::new(young, poisson).unwrap())
}

pub fn neo_hookean(young: f64, poisson: f64) -> NeoHookean {
    NeoHookean(Isotropic::new(young, poisson).unwrap())
}

/// The unit square or cube of `n` cells a side with group `skin` of all boundary faces.
pub fn unit(cell: Cell, n: usize) -> Mesh {
    let mesh = match cell.dimension() {
        2 => Mesh::rectangle([1.0; 2], [n; 2], cell),
        _ => Mesh::cuboid([1.0; 3], [n; 3], cell),
    };
    let mut mesh = mesh.unwrap();
    mesh.add_faces_where("skin", |_| true).unwrap();
    mesh
}

/// Moves every node by up to `size`, differently in every direction and place: curved edges, warped faces.
pub fn distorted(mesh: Mesh, size: f64) -> Mesh {
    let d = mesh.dimension();
    mesh.moved(|x| {
        let wave = |a: f64, b: f64, c: f64| (a * x.x + b * x.y + c * x.z).sin();
        let z = if d == 3 { wave(4.0, 3.0, 5.0) } else { 0.0 };
        x + size * Vec3::new(wave(5.0, 6.0, 4.0), wave(3.0, 5.0, 6.0), z)
    })
    .unwrap()
}

/// Slope of log(error) over log(h) between the last two.
pub fn slope(h: &[f64], errors: &[f64]) -> f64 {
    let n = h.len();
    (errors[n - 1] / errors[n - 2]).ln() / (h[n - 1] / h[n - 2]).ln()
}
