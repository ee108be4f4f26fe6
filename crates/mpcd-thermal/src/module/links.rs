//! From the contacts of a step to the links of the heat network: forces, patches, what laws remember, conductances. No solver.

use std::sync::atomic::{AtomicBool, Ordering};

use mpcd_core::{
    BodyId, Contact, ContactGeometry, Dimension, Inputs, Patch, Patches, Setup, SolveError,
    contact_memory::{ContactMemory, keep, recall, sort},
    hertz::{constriction_conductance, contact_radius, is_wide},
};

use super::{ADHESION, BONDED_AREA, Thermal};
use crate::{
    error::ThermalError,
    facing,
    law::{ConductionLaw, Spot},
    material::Materials,
    meshes::Meshes,
    network::HeatNetwork,
};

impl Thermal {
    /// What surfaces press with, and which contacts are one patch.
    pub(super) fn find_patches(&mut self, inputs: &Inputs<'_>, h: f64) -> Result<(), SolveError> {
        let contacts = inputs.world.network;
        let adhesion = inputs.read(ADHESION)?.unwrap_or_default();
        self.push.clear();
        self.sides.clear();
        for (k, contact) in contacts.iter().enumerate() {
            self.push.push(contact.pressing(h, adhesion.get(k).copied().unwrap_or(0.0)));
            self.sides.push(contact.bodies());
        }
        self.patches.find(contacts.len(), |k| self.sides[k], |k| contacts.patch_point(k));
        self.touching.clear();
        if !self.meshes.is_empty() {
            self.patches.touching(contacts, h, &mut self.touching);
        }
        Ok(())
    }

    /// What laws remember grows over the time of heat `h` (s), at the temperatures of the start of the step: of a mesh those where it is touched, weighed by the forces.
    pub(super) fn grow(&mut self, inputs: &Inputs<'_>, h: f64, prev: &ContactMemory, next: &mut ContactMemory) {
        next.clear();
        self.remembered.clear();
        self.remembered.resize(self.patches.len(), 0.0);
        if !self.remembers() {
            return;
        }
        let (contacts, setup) = (inputs.world.network, inputs.setup);
        for (number, patch) in self.patches.iter(contacts).enumerate() {
            let (i, j) = patch.first().bodies();
            let force: f64 = patch.places().map(|k| self.push[k]).sum();
            let Some(memory) = self.laws.between(setup, i, j).memory().filter(|_| force > 0.0) else { continue };
            let mut both = [0.0; 2];
            for place in patch.places() {
                let part = self.push[place] / force;
                both.iter_mut()
                    .zip(self.ends[place])
                    .for_each(|(t, end)| *t += part * self.network.mean(end, &self.temperatures));
            }
            let Some((conductivity, effective_modulus)) = self.materials.pair(setup.materials_at(contacts, patch.first()), both)
            else {
                continue;
            };
            let on_mesh = self.meshes.is_mesh(i.index()) || self.meshes.is_mesh(j.index());
            let geometry = patch.geometry_among(|k| !on_mesh || self.touching[k]);
            let spot = Spot { geometry, force, effective_modulus, conductivity };
            let [before, largest] = recall(&patch, contacts, prev, force, memory.start());
            let now = memory.grow(before, &spot, h, 0.5 * (both[0] + both[1]));
            self.remembered[number] = now;
            keep(&patch, [now, largest], next);
        }
        sort(next);
    }

    /// Whether a law remembers something.
    pub(super) fn remembers(&self) -> bool {
        self.laws.iter().any(|law| law.memory().is_some())
    }

    /// Radius of the neck of each contact (m).
    pub(super) fn write_necks(&self, inputs: &Inputs<'_>, necks: &mut [f64]) {
        for (k, (neck, contact)) in necks.iter_mut().zip(inputs.world.network.iter()).enumerate() {
            let (i, j) = contact.bodies();
            let memory = self.laws.between(inputs.setup, i, j).memory();
            *neck = memory.map_or(0.0, |memory| memory.neck(self.remembered[self.patches.patch_of(k)]));
        }
    }

    /// Whether a law lets heat pass through bonds.
    pub(super) fn bonds_conduct(&self) -> bool {
        self.laws.iter().any(|law| law.transfer_of_bonds() > 0.0)
    }

    /// The faces that are not level, where a gas or radiation crosses their gap.
    pub(super) fn find_faces(&mut self, inputs: &Inputs<'_>) {
        if self.gas.is_none() && !self.radiation {
            return;
        }
        let setup = inputs.setup;
        let looks = |c: &Contact| {
            let (i, j) = c.bodies();
            [i, j].into_iter().all(|body| passes(&self.network, &self.meshes, &self.materials, setup, body))
        };
        let width = |c: &Contact| {
            let (i, j) = c.bodies();
            let of = |body: BodyId| setup.bodies.thickness.get(body.index()).copied();
            let both = of(i).zip(of(j)).map(|(a, b)| a.min(b));
            (setup.dimension == Dimension::Planar).then(|| both.unwrap_or(1.0))
        };
        let (tilted, unseen) = facing::tilted(inputs.world.network, looks, width);
        (self.tilted, self.unseen) = (tilted, unseen);
    }

    /// The ends of the network that the contacts of the step join.
    pub(super) fn find_ends(&mut self, inputs: &Inputs<'_>) {
        self.ends.clear();
        let contacts = inputs.world.network;
        if self.meshes.is_empty() {
            self.ends.extend(self.sides.iter().map(|(i, j)| [i.index(), j.index()]));
            return;
        }
        for contact in contacts.iter() {
            let (i, j) = contact.bodies();
            let points = contacts.mesh_points(&contact.key);
            let mut end = |body: BodyId, at| self.meshes.end_of_side(body.index(), at, &mut self.network);
            self.ends.push([end(i, points[0]), end(j, points[1])]);
        }
    }

    /// Links of the step: one per contact between two bodies that take part, whether heat passes now or not. The law holds for a patch as a whole,
    /// a contact of it conducts its part of the force; the gas conducts at each. On a mesh a contact has its part by its own pressure ([`Patch::parts_by`]).
    /// Properties are those at `self.temperatures`, of a mesh where the contact lies on it.
    /// Bonds conduct beside it, by the area that they hold.
    pub(super) fn link(&mut self, inputs: &Inputs<'_>) -> Result<(), ThermalError> {
        self.link_at(inputs, [0.0; 2])
    }

    /// The same with the first and the second body of each contact warmer by `shift` (K).
    fn link_at(&mut self, inputs: &Inputs<'_>, shift: [f64; 2]) -> Result<(), ThermalError> {
        let bonded = if self.bonds_conduct() { inputs.read(BONDED_AREA)? } else { &[] };
        let (contacts, setup) = (inputs.world.network, inputs.setup);
        let passes = |body: BodyId| passes(&self.network, &self.meshes, &self.materials, setup, body);
        self.passing.clear();
        self.passing.extend((0..setup.bodies.len()).map(|body| passes(BodyId::from_index(body))));
        let (laws, materials, passing, temperatures) = (&self.laws, &self.materials, &self.passing, &self.temperatures);
        let (patches, remembered, meshes, push, touching) =
            (&self.patches, &self.remembered, &self.meshes, &self.push, &self.touching);
        let [dead, wide] = [AtomicBool::new(false), AtomicBool::new(false)];
        let on_mesh = |patch: &Patch<'_>| {
            let (i, j) = patch.first().bodies();
            !meshes.is_empty() && (meshes.is_mesh(i.index()) || meshes.is_mesh(j.index()))
        };
        // Of a face of a mesh what touches is the spot.
        let (network, ends) = (&self.network, &self.ends);
        let of_patch = |patch: &Patch<'_>, place: usize, force: f64| {
            let at = &contacts.contacts[place];
            let (i, j) = at.bodies();
            let law = laws.between(setup, i, j);
            if !(passing[i.index()] && passing[j.index()]) {
                return Ok(0.0);
            }
            let both = [0, 1].map(|side| network.mean(ends[place][side], temperatures) + shift[side]);
            let pair = materials.pair(setup.materials_at(contacts, at), both);
            let geometry = patch.geometry_among(|k| !on_mesh(patch) || touching[k]);
            let found = of_patch(law, pair, setup, patch, (geometry, force, remembered_of(patches, remembered, patch)))?;
            if found == 0.0 && law.needs_elastic() {
                dead.store(true, Ordering::Relaxed);
            }
            // by the spot itself: what a law gives per area says nothing of its size
            let spot_of =
                |k: f64, modulus: f64| constriction_conductance(&geometry, contact_radius(&geometry, force, modulus), k);
            let is_wide = |(k, modulus): (f64, Option<f64>)| modulus.is_some_and(|e| is_wide(&geometry, spot_of(k, e), k));
            if law.needs_elastic() && law.memory().is_none() && pair.is_some_and(is_wide) {
                wide.store(true, Ordering::Relaxed);
            }
            Ok::<f64, ThermalError>(found)
        };
        let first = |patch: &Patch<'_>| patch.places().next().unwrap_or(0);
        let whole = |patch: &Patch<'_>, force: f64| if on_mesh(patch) { Ok(0.0) } else { of_patch(patch, first(patch), force) };
        self.patches.conductances(contacts, push, whole, &mut self.conductances)?;
        for patch in patches.iter(contacts).filter(|_| !meshes.is_empty()).filter(on_mesh) {
            let force: f64 = patch.places().map(|k| push[k]).sum();
            for (place, part) in patch.parts_by(push, |force| of_patch(&patch, first(&patch), force))? {
                self.conductances[place] = part * of_patch(&patch, place, force)?;
            }
        }
        (self.dead, self.wide) = (dead.into_inner(), wide.into_inner());
        self.network.links.clear();
        let mut tilted = self.tilted.iter().peekable();
        for (k, ((&(i, j), solid), ends)) in self.sides.iter().zip(&self.conductances).zip(&self.ends).enumerate() {
            if self.passing[i.index()] && self.passing[j.index()] {
                let gas = self.gas.map_or(0.0, |gas| {
                    let contact = &contacts.contacts[k];
                    while tilted.next_if(|t| t.contacts.end <= k).is_some() {}
                    let faces = tilted.peek().filter(|t| t.contacts.contains(&k));
                    if let (Some(faces), ContactGeometry::Flat { .. }) = (faces, contact.geometry) {
                        return if k == faces.nearest { gas.between(faces) } else { 0.0 };
                    }
                    if contact.gap > contacts.reach {
                        return 0.0;
                    }
                    gas.conductance(&contact.geometry, contact.least_radius, contact.gap)
                });
                let bond = bonded.get(k).map_or(0.0, |area| area * self.laws.between(setup, i, j).transfer_of_bonds());
                self.network.join(ends[0], ends[1], gas + solid + bond);
            }
        }
        for (bodies, conductance) in self.joints.links() {
            let [i, j] = bodies.map(BodyId::index);
            self.network.join(i, j, conductance);
        }
        Ok(())
    }
}

impl Thermal {
    /// Links at `self.temperatures`, and by what the flow of each grows with the temperature of its first end and falls with that of its second (W/K):
    /// H + (T_i − T_j) ∂H/∂T_i and H − (T_i − T_j) ∂H/∂T_j, by differences over a ten-millionth of the temperature.
    pub(super) fn slopes(&mut self, inputs: &Inputs<'_>) -> Result<Vec<[f64; 2]>, ThermalError> {
        let largest = self.temperatures.iter().fold(1.0, |most: f64, t| most.max(t.abs()));
        let by = 1e-7 * largest;
        let mut with = |shift: [f64; 2]| {
            self.link_at(inputs, shift)?;
            Ok::<_, ThermalError>(self.network.links.iter().map(|l| l.conductance).collect::<Vec<f64>>())
        };
        let (first, second, own) = (with([by, 0.0])?, with([0.0, by])?, with([0.0; 2])?);
        let fall = |(i, j): (usize, usize)| self.temperatures[i] - self.temperatures[j];
        let found = self.network.links.iter().enumerate().map(|(k, link)| {
            let (h, fall) = (own[k], fall(link.ends));
            [h + fall * (first[k] - h) / by, h - fall * (second[k] - h) / by]
        });
        Ok(found.collect())
    }
}

/// Conductance of the solid of a patch that pushes with `force` (N), of a conductivity and E* of its pair of materials (W/K).
fn of_patch(
    law: &dyn ConductionLaw,
    pair: Option<(f64, Option<f64>)>,
    setup: &Setup,
    patch: &Patch<'_>,
    (geometry, force, remembered): (ContactGeometry, f64, f64),
) -> Result<f64, ThermalError> {
    let (i, j) = patch.first().bodies();
    let Some((conductivity, effective_modulus)) = pair else { return Ok(0.0) };
    let names = || (setup.body_label(i), setup.body_label(j));
    let spot = Spot { geometry, force, effective_modulus, conductivity };
    let found = law.memory().map_or_else(|| law.conductance(&spot), |memory| memory.conductance(&spot, remembered));
    let conductance = found.ok_or_else(|| {
        let (first, second) = names();
        ThermalError::MissingProperty { first, second, needs: "`elastic: (young: …, poisson: …)`" }
    })?;
    if !(conductance >= 0.0 && conductance.is_finite()) {
        let (first, second) = names();
        return Err(ThermalError::Conductance { first, second, conductance, force });
    }
    Ok(conductance)
}

/// What a patch remembers.
fn remembered_of(patches: &Patches, remembered: &[f64], patch: &Patch<'_>) -> f64 {
    patch.places().next().map_or(0.0, |k| remembered[patches.patch_of(k)])
}

/// Whether heat can pass to and from a body: it takes part and its material is thermal.
fn passes(network: &HeatNetwork, meshes: &Meshes, materials: &Materials, setup: &Setup, body: BodyId) -> bool {
    network.takes_part(meshes.end_of(body.index())) && materials.is_thermal(setup.material_of(body))
}
