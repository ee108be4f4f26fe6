//! What the nodes of a mesh of several materials store, and what such a mesh cannot be. No conduction, no time.

use std::sync::Arc;

use mpcd_core::{BodyId, InputError, MaterialId, Setup};
use mpcd_fem::BodyMesh;

use crate::{material::Materials, property::Curve};

/// Capacity of a node (J/K); with a curve of specific heat its mass (kg).
pub(super) type Stored = (f64, Option<Arc<Curve>>);

/// All materials of a mesh have a `thermal` part, or none has.
///
/// # Errors
/// Some have, some not.
pub(super) fn check(setup: &Setup, materials: &Materials, mesh: &BodyMesh) -> Result<(), InputError> {
    let body = BodyId::from_index(mesh.body);
    let mut kinds = mesh.kinds();
    kinds.push(setup.material_of(body));
    let of = |thermal: bool| kinds.iter().copied().find(|kind| materials.of(*kind).is_some() == thermal);
    let (Some(with), Some(without)) = (of(true), of(false)) else { return Ok(()) };
    let name = |kind: MaterialId| &setup.materials[kind.index()].name;
    Err(InputError::new(format!(
        "{} has the material `{}`, which takes heat, and the material `{}` without a `thermal` part: heat in a part of a mesh is not computed",
        setup.body_label(body),
        name(with),
        name(without)
    ))
    .help("give all materials of the mesh a `thermal` part (a poor conductor has a small `conductivity`), or make the parts two bodies")
    .at(name(without)))
}

/// Of each node of a mesh of several materials, the capacity (J/K), or the mass (kg) with the curve of specific heat that all its elements have
/// together. The masses are those by densities times `scale`.
///
/// # Errors
/// What finite elements cannot be made of.
pub(super) fn capacities(setup: &Setup, materials: &Materials, mesh: &BodyMesh, scale: f64) -> Result<Vec<Stored>, InputError> {
    let kinds = mesh.kinds();
    // mass of each material at each node
    let mut masses = vec![vec![0.0; kinds.len()]; mesh.shares.len()];
    let mut volumes = mesh.heat.local_volumes()?.into_iter();
    for (e, material) in mesh.materials.iter().enumerate() {
        let kind = kinds.iter().position(|k| k == material).unwrap_or(0);
        let density = setup.materials[material.index()].density * scale;
        for (&node, volume) in mesh.heat.mesh().element(e).iter().zip(volumes.by_ref()) {
            masses[node][kind] += density * volume;
        }
    }
    let whole: Vec<Option<Arc<Curve>>> = kinds.iter().map(|kind| materials.specific_heat(*kind)).collect();
    let at = |own: &Vec<f64>| {
        let there = || own.iter().enumerate().filter(|(_, mass)| **mass > 0.0);
        let curve = |kind: usize| materials.of(kinds[kind]).map(|m| m.specific_heat.curve());
        if there().all(|(kind, _)| whole[kind].is_none()) {
            return (there().map(|(kind, mass)| mass * curve(kind).map_or(0.0, |c| c.at(0.0))).sum(), None);
        }
        let mass: f64 = own.iter().sum();
        let mut parts = there().filter_map(|(kind, part)| Some((part / mass, curve(kind)?)));
        match (there().count(), there().next()) {
            (1, Some((kind, _))) => (mass, whole[kind].clone()),
            _ => (mass, Curve::sum(&parts.by_ref().collect::<Vec<_>>()).map(Arc::new)),
        }
    };
    Ok(masses.iter().map(at).collect())
}
