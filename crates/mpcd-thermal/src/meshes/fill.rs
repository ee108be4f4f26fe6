//! What the nodes of a mesh store, each and between them, of one material or several, and what a mesh of several cannot be. No conduction, no time.

use std::sync::Arc;

use mpcd_core::{BodyId, InputError, MaterialId, Setup};
use mpcd_fem::BodyMesh;

use crate::{material::Materials, network::Storage, property::Curve};

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

/// Adds to a network what makes the storage of the quadratic cells of a mesh consistent, ∫ ρ c N_a N_b dV: that less their diagonal, of the least specific heat that the
/// material of an element has at any temperature, so that both together are above zero. A diagonal alone gives corners and middles of sides other parts of the heat than
/// flows go with: temperatures are apart across a flow, however fine the cells are along it. `density` is that of a material (kg/m³), as the mass of the body has it.
///
/// # Errors
/// What finite elements cannot be made of.
pub(super) fn consistent(
    materials: &Materials,
    mesh: &BodyMesh,
    density: impl Fn(MaterialId) -> f64,
    storage: &mut Storage,
) -> Result<(), InputError> {
    let of = mesh.heat.mesh();
    if !(0..of.elements()).any(|e| of.cell(e).is_quadratic()) {
        return Ok(());
    }
    let factor = |e: usize| {
        let specific =
            materials.of(mesh.materials[e]).filter(|_| of.cell(e).is_quadratic()).map(|m| m.specific_heat.curve().least());
        specific.map_or(0.0, |c| c * density(mesh.materials[e]))
    };
    let (diagonal, between) = mesh.heat.consistent(factor)?;
    let mut own = vec![0.0; diagonal.len()];
    let volumes = mesh.heat.local_volumes()?;
    let nodes = (0..of.elements()).flat_map(|e| of.element(e).iter().map(move |n| (e, *n)));
    nodes.zip(volumes).for_each(|((e, node), volume)| own[node] += factor(e) * volume);
    own.iter_mut().zip(&diagonal).for_each(|(own, consistent)| *own = consistent - *own);
    for (&(a, b), c) in mesh.heat.pairs().iter().zip(between).filter(|(_, c)| *c != 0.0) {
        storage.between.push(((mesh.first + a, mesh.first + b), c));
        own[a] += c;
        own[b] += c;
    }
    storage.own.resize(mesh.first, 0.0);
    storage.own.extend(own);
    Ok(())
}
