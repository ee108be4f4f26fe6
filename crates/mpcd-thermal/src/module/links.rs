//! From the contacts of a step to the links of the heat network: forces, patches, what laws remember, conductances. No solver.

use mpcd_core::{
    BodyId, Inputs, Patch, Patches, Setup,
    contact_memory::{ContactMemory, keep, recall, sort},
};

use super::{Thermal, takes_part};
use crate::{
    error::ThermalError,
    law::{ConductionLaw, Spot},
    material::Materials,
    network::HeatNetwork,
};

impl Thermal {
    /// What pushes, and which contacts are one patch.
    pub(super) fn find_patches(&mut self, inputs: &Inputs<'_>, h: f64) {
        let contacts = inputs.world.network;
        self.push.clear();
        self.push.extend(contacts.iter().map(|c| c.normal_force(h).max(0.0)));
        self.patches.find(contacts.len(), |k| (&contacts.contacts[k]).into());
    }

    /// What laws remember grows over the time of heat `h` (s), at the temperatures of the start of the step.
    pub(super) fn grow(&mut self, inputs: &Inputs<'_>, h: f64, prev: &ContactMemory, next: &mut ContactMemory) {
        next.clear();
        self.remembered.clear();
        self.remembered.resize(self.patches.len(), 0.0);
        if self.laws.iter().all(|law| law.memory().is_none()) {
            return;
        }
        let (contacts, setup) = (inputs.world.network, inputs.setup);
        for (number, patch) in self.patches.iter(contacts).enumerate() {
            let (i, j) = patch.first().bodies();
            let force: f64 = patch.places().map(|k| self.push[k]).sum();
            let Some(memory) = self.laws.between(setup, i, j).memory().filter(|_| force > 0.0) else { continue };
            let both = [i, j].map(|b| self.temperatures[b.index()]);
            let Some((conductivity, effective_modulus)) = self.materials.pair([i, j].map(|b| setup.material_of(b)), both) else {
                continue;
            };
            let spot = Spot { geometry: patch.geometry(), force, effective_modulus, conductivity };
            let [before, largest] = recall(&patch, contacts, prev, force, memory.start());
            let now = memory.grow(before, &spot, h, 0.5 * (both[0] + both[1]));
            self.remembered[number] = now;
            keep(&patch, [now, largest], next);
        }
        sort(next);
    }

    /// Links of the step: one per contact between two bodies that take part, whether heat passes now or not. The law holds for a patch as a whole,
    /// a contact of it conducts its part of the force; the gas conducts at each. Properties are those at `self.temperatures`.
    pub(super) fn link(&mut self, inputs: &Inputs<'_>) -> Result<(), ThermalError> {
        let (contacts, setup) = (inputs.world.network, inputs.setup);
        let (laws, materials, network, temperatures) = (&self.laws, &self.materials, &self.network, &self.temperatures);
        let (patches, remembered) = (&self.patches, &self.remembered);
        let mut dead = false;
        let of_patch = |patch: &Patch<'_>, force: f64| {
            let (i, j) = patch.first().bodies();
            let law = laws.between(setup, i, j);
            let passes = passes(network, materials, setup, [i, j]);
            let found = if passes {
                of_patch(law, materials, temperatures, setup, patch, (force, remembered_of(patches, remembered, patch)))?
            } else {
                0.0
            };
            dead |= found == 0.0 && passes && law.needs_elastic();
            Ok::<f64, ThermalError>(found)
        };
        self.patches.conductances(contacts, &self.push, of_patch, &mut self.conductances)?;
        self.dead = dead;
        self.network.links.clear();
        for (contact, solid) in contacts.iter().zip(&self.conductances) {
            let (i, j) = contact.bodies();
            if passes(&self.network, &self.materials, setup, [i, j]) {
                let gas = self.gas.map_or(0.0, |gas| gas.conductance(&contact.geometry, contact.gap));
                self.network.join(i.index(), j.index(), gas + solid);
            }
        }
        Ok(())
    }
}

/// Conductance of the solid of a patch that pushes with `force` (N), at the temperatures of its bodies (W/K).
fn of_patch(
    law: &dyn ConductionLaw,
    materials: &Materials,
    temperatures: &[f64],
    setup: &Setup,
    patch: &Patch<'_>,
    (force, remembered): (f64, f64),
) -> Result<f64, ThermalError> {
    let (i, j) = patch.first().bodies();
    let pair = materials.pair([i, j].map(|b| setup.material_of(b)), [i, j].map(|b| temperatures[b.index()]));
    let Some((conductivity, effective_modulus)) = pair else { return Ok(0.0) };
    let names = || (setup.body_label(i), setup.body_label(j));
    let spot = Spot { geometry: patch.geometry(), force, effective_modulus, conductivity };
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

/// Whether heat can pass between two bodies: both take part and both materials are thermal.
fn passes(network: &HeatNetwork, materials: &Materials, setup: &Setup, bodies: [BodyId; 2]) -> bool {
    bodies.iter().all(|b| takes_part(network, b.index())) && materials.are_thermal(bodies.map(|b| setup.material_of(b)))
}
