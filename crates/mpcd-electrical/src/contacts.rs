//! From the contacts of a step to the branches of the network: forces, laws, what laws remember, and the rounds in which that
//! changes. A law holds for a patch as a whole; a contact of it conducts its part of the force, on a mesh that conducts its part by its own pressure. No
//! boundary values, no solver.

use std::sync::atomic::{AtomicBool, Ordering};

use mpcd_core::{
    BodyId, ContactKey, ContactNetwork, InputError, Inputs, OptionalPort, PairLaws, Patch, Patches, PerContact, ReadPort, Scalar,
    Setup, Slot, Unit,
    contact_memory::{ContactMemory, keep, recall, sort},
    field::names,
    hertz::{constriction_conductance, is_wide},
    network::ContactGeometry,
};

use crate::{
    error::ElectricalError,
    films::Film,
    force::{ForceChoice, Memory as Means},
    law::{Carried, ConductanceLaw, ConductanceLaws, Passed, Spot, conductance_laws, in_series},
    material::Materials,
    meshes::Meshes,
    warm::Warming,
};

/// What pulls beside the pressure of the surfaces (N).
pub(crate) const ADHESION: OptionalPort<Scalar, PerContact> = ReadPort::fresh(names::ADHESION, Unit::FORCE).optional();
/// Area that the bond of a contact still holds (m²).
pub(crate) const BONDED_AREA: ReadPort<Scalar, PerContact> =
    ReadPort::fresh(names::BONDED_AREA, Unit::AREA).made_by("a law of contact that bonds, as `Bilinear(…)` or `MohrCoulomb(…)`");

/// Radius of the neck of a contact (m), of the step before.
pub(crate) const NECK: ReadPort<Scalar, PerContact> =
    ReadPort::lagged(names::NECK, Unit::LENGTH).made_by("the module `Thermal` with the law `Sinter(…)`");

/// Part of a conductance to which the rounds settle it.
pub(crate) const SETTLED: f64 = 1e-9;

/// A patch that pushes between two conductors.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Conductor {
    /// Its number among the patches of the network.
    patch: usize,
    spot: Spot,
    bulk: (f64, f64),
    /// Whether it lies on a mesh that conducts through its elements.
    on_mesh: bool,
    /// Conductance of its neck (S), 0 without one or where the law does not follow necks.
    neck: f64,
    /// Temperatures of its two bodies (K).
    temperatures: [f64; 2],
    /// Force of the patch (N), 0 where bonds alone hold it.
    force: f64,
    /// Conductance of its bonds (S).
    bonds: f64,
    /// Conductance of the bare spot, of spot and bonds side by side, and of the whole (S).
    bare: f64,
    of_spot: f64,
    whole: f64,
    remembered: Option<Remembered>,
    /// Where its metal is warmed by its current.
    warming: Option<Warming>,
}

/// What a patch remembers, and how it changed in the rounds.
#[derive(Debug, Clone, Copy)]
struct Remembered {
    begin: f64,
    /// Largest force since the contact began to push (N).
    largest: f64,
    now: f64,
    /// Change of ln C that the last round asked for, and the power to which it was raised.
    change: f64,
    vigour: f64,
}

/// What the conductances of a step go by.
struct Given<'a> {
    contacts: &'a ContactNetwork,
    setup: &'a Setup,
    h: f64,
    necks: &'a [f64],
    memory: &'a ContactMemory,
    meshes: &'a Meshes,
}

/// All contacts of a step.
#[derive(Debug)]
pub(crate) struct Contacts {
    laws: PairLaws<dyn ConductanceLaw>,
    force: ForceChoice,
    /// Whether spots of metals are warmed by their currents.
    self_heating: bool,
    pub(crate) materials: Materials,
    forces: Vec<f64>,
    /// The two bodies of each contact.
    pub(crate) sides: Vec<(BodyId, BodyId)>,
    /// Conductance of the bonds of each contact (S); empty where no law lets bonds conduct.
    bonds: Vec<f64>,
    patches: Patches,
    /// Of each contact, whether it touches.
    touching: Vec<bool>,
    /// All that conduct, but for contacts that are patches by themselves of which nothing is remembered: of those `conductances` and `at_spot` say all.
    conductors: Vec<Conductor>,
    /// Conductance and part of the drop at the spot of the latter.
    alone: Vec<[f64; 2]>,
    /// Conductance of each contact (S), and the part of its drop that is at the spot.
    pub(crate) conductances: Vec<f64>,
    pub(crate) at_spot: Vec<f64>,
    /// Whether some contact pushes and the law of an elastic spot lets it conduct nothing.
    pub(crate) dead: bool,
    /// Whether some spot is wider than what touches there.
    pub(crate) wide: bool,
}

/// The laws of the program, or those that ship.
pub(crate) fn known_laws(setup: &Setup) -> ConductanceLaws {
    setup.part::<ConductanceLaws>().map_or_else(|_| conductance_laws(), |laws| (*laws).clone())
}

impl Contacts {
    pub(crate) fn new(laws: PairLaws<dyn ConductanceLaw>, force: ForceChoice, materials: Materials, self_heating: bool) -> Self {
        let self_heating = self_heating && materials.any_metal();
        Self {
            laws,
            force,
            self_heating,
            materials,
            forces: Vec::new(),
            sides: Vec::new(),
            bonds: Vec::new(),
            patches: Patches::default(),
            touching: Vec::new(),
            conductors: Vec::new(),
            alone: Vec::new(),
            conductances: Vec::new(),
            at_spot: Vec::new(),
            dead: false,
            wide: false,
        }
    }

    /// Whether any law remembers something.
    pub(crate) fn remember(&self) -> bool {
        self.laws.iter().any(|law| law.memory().is_some())
    }

    /// Whether spots may be warmed by their currents.
    pub(crate) fn warm(&self) -> bool {
        self.self_heating && self.laws.iter().any(|law| law.needs().conductivity && law.memory().is_none())
    }

    /// Whether conductances follow the currents.
    pub(crate) fn follow(&self) -> bool {
        self.remember() || self.warm()
    }

    /// Whether a law lets bonds conduct.
    pub(crate) fn bonds_conduct(&self) -> bool {
        self.laws.iter().any(|law| law.conductance_of_bonds() > 0.0)
    }

    /// Whether something pushed in the last step.
    pub(crate) fn pushes(&self) -> bool {
        self.forces.iter().any(|force| *force > 0.0)
    }

    /// Whether a law follows necks.
    pub(crate) fn necks_conduct(&self) -> bool {
        self.laws.iter().any(|law| law.follows_necks())
    }

    /// Takes the areas that bonds hold (m²), contact by contact.
    fn find_bonds(&mut self, inputs: &Inputs<'_>) -> Result<(), ElectricalError> {
        self.bonds.clear();
        if !self.bonds_conduct() {
            return Ok(());
        }
        for (contact, area) in inputs.world.network.iter().zip(inputs.read(BONDED_AREA)?) {
            let (i, j) = contact.bodies();
            self.bonds.push(area * self.laws.between(inputs.setup, i, j).conductance_of_bonds());
        }
        Ok(())
    }

    /// Conductance of the bonds of a contact (S).
    fn bond(&self, place: usize) -> f64 {
        self.bonds.get(place).copied().unwrap_or(0.0)
    }

    /// Forces, patches and conductances at the start of the rounds. `prev` and `next` are the mean forces, `memory` what laws
    /// remembered, `temperatures` those of the bodies (K). The bulk of a mesh is its elements.
    pub(crate) fn begin(
        &mut self,
        inputs: &Inputs<'_>,
        h: f64,
        means: (&Means, &mut Means),
        memory: &ContactMemory,
        temperatures: impl Fn(usize) -> f64 + Sync,
        meshes: &Meshes,
    ) -> Result<(), ElectricalError> {
        let contacts = inputs.world.network;
        let adhesion = inputs.read(ADHESION)?.unwrap_or_default();
        self.force.update(contacts, h, adhesion, means, (&mut self.forces, &mut self.sides));
        self.find_bonds(inputs)?;
        let necks = if self.necks_conduct() { inputs.read(NECK)? } else { &[] };
        self.patches.find(contacts.len(), |k| self.sides[k], |k| contacts.patch_point(k));
        self.touching.clear();
        if meshes.any() {
            self.patches.touching(contacts, h, &mut self.touching);
        }
        for column in [&mut self.conductances, &mut self.at_spot] {
            column.clear();
            column.resize(contacts.len(), 0.0);
        }
        self.conductors.clear();
        (self.dead, self.wide) = (false, false);
        let given = Given { contacts, setup: inputs.setup, h, necks, memory, meshes };
        let plain = !self.follow() && !meshes.any();
        if plain {
            self.conduct_alone(&given, &temperatures)?;
        }
        for number in (0..self.patches.len()).filter(|number| !(plain && self.patches.is_alone(*number))) {
            let patch = self.patches.patch(contacts, number);
            let Some(conductor) = self.conductor(&given, (number, &patch), &temperatures)? else { continue };
            self.dead |= self.is_dead(&conductor, &patch, inputs.setup);
            self.wide |= self.is_wide(&conductor, &patch, inputs.setup);
            self.conductors.push(conductor);
        }
        self.spread(inputs)
    }

    /// Contacts that are patches by themselves, of which nothing is remembered and which lie on no mesh.
    fn conduct_alone(&mut self, given: &Given<'_>, temperatures: &(impl Fn(usize) -> f64 + Sync)) -> Result<(), ElectricalError> {
        let mut alone = std::mem::take(&mut self.alone);
        alone.clear();
        alone.resize(given.contacts.len(), [0.0; 2]);
        let [dead, wide] = [AtomicBool::new(false), AtomicBool::new(false)];
        self.patches.alone(given.contacts, &mut alone, |k, patch| {
            let Some(c) = self.conductor(given, (self.patches.patch_of(k), patch), temperatures)? else { return Ok([0.0; 2]) };
            if self.is_dead(&c, patch, given.setup) {
                dead.store(true, Ordering::Relaxed);
            }
            if self.is_wide(&c, patch, given.setup) {
                wide.store(true, Ordering::Relaxed);
            }
            Ok::<_, ElectricalError>([c.whole, c.part_at_spot()])
        })?;
        let columns = self.conductances.iter_mut().zip(&mut self.at_spot);
        columns.zip(&alone).for_each(|((whole, at_spot), found)| (*whole, *at_spot) = (found[0], found[1]));
        self.alone = alone;
        self.dead |= dead.into_inner();
        self.wide |= wide.into_inner();
        Ok(())
    }

    /// Whether an elastic spot conducts nothing.
    fn is_dead(&self, c: &Conductor, patch: &Patch<'_>, setup: &Setup) -> bool {
        c.of_spot == 0.0 && self.law_of(patch, setup).needs().elastic
    }

    /// Whether the bare spot is wider than what touches, which a law of constriction knows nothing of.
    fn is_wide(&self, c: &Conductor, patch: &Patch<'_>, setup: &Setup) -> bool {
        let conductivity = c.spot.conductivity.filter(|_| c.force > 0.0);
        conductivity.is_some_and(|k| is_wide(&c.spot.geometry, c.bare, k) && self.law_of(patch, setup).needs().conductivity)
    }

    fn law_of(&self, patch: &Patch<'_>, setup: &Setup) -> &dyn ConductanceLaw {
        let (i, j) = patch.first().bodies();
        self.laws.between(setup, i, j)
    }

    /// What a patch conducts at the start of the rounds; `None` where it does not push and nothing holds it, or a side insulates.
    fn conductor(
        &self,
        given: &Given<'_>,
        (number, patch): (usize, &Patch<'_>),
        temperatures: &impl Fn(usize) -> f64,
    ) -> Result<Option<Conductor>, ElectricalError> {
        let &Given { contacts, setup, h, necks, memory, meshes } = given;
        let force: f64 = patch.places().map(|k| self.forces[k]).sum();
        let bonds: f64 = if self.bonds.is_empty() { 0.0 } else { patch.places().map(|k| self.bond(k)).sum() };
        if force <= 0.0 && bonds <= 0.0 {
            return Ok(None);
        }
        let (i, j) = patch.first().bodies();
        let temperatures = [i, j].map(|body| {
            if meshes.of(body.index()).is_none() {
                return temperatures(body.index());
            }
            // of a mesh where it is touched, weighed by what bears or holds there
            let part = |k: usize| if force > 0.0 { self.forces[k] / force } else { self.bond(k) / bonds };
            let at = |key: &ContactKey| contacts.mesh_points(key)[usize::from(body == j)];
            let places = patch.places().zip(patch.contacts());
            places.map(|(k, c)| part(k) * meshes.at_side(body.index(), at(&c.key), temperatures)).sum()
        });
        let of = ([i, j], setup.materials_at(contacts, patch.first()));
        let Some(pair) = self.materials.pair(setup, of, temperatures)? else { return Ok(None) };
        let law = self.laws.between(setup, i, j);
        let [i_mesh, j_mesh] = [i, j].map(|b| meshes.of(b.index()).is_some());
        let on_mesh = i_mesh || j_mesh;
        // of a face of a mesh what touches is the spot
        let bears = |k: usize| !on_mesh || force <= 0.0 || self.touching[k];
        let (geometry, effective_modulus) = (patch.geometry_among(bears), pair.effective_modulus);
        let spot = Spot { geometry, force, effective_modulus, conductivity: pair.conductivity };
        let remembered = law.memory().filter(|_| force > 0.0).map(|m| {
            let passed = Passed { time: h, slid: slid(patch, &self.forces, force, h) };
            let [memory, largest] = recall(patch, contacts, memory, force, m.start());
            let begin = m.begin(memory, &spot, &passed);
            Remembered { begin, largest, now: begin, change: 0.0, vigour: 1.0 }
        });
        let neck = match (geometry, pair.conductivity) {
            (ContactGeometry::Point { .. }, Some(sigma)) if law.follows_necks() => {
                let widest = patch.places().filter_map(|k| necks.get(k).copied()).fold(0.0, f64::max);
                constriction_conductance(&geometry, widest, sigma)
            }
            _ => 0.0,
        };
        let warms = self.self_heating && !on_mesh && force > 0.0 && law.memory().is_none() && law.needs().conductivity;
        let bulk = |on_mesh: bool, bulk: f64| if on_mesh { f64::INFINITY } else { bulk };
        let mut conductor = Conductor {
            patch: number,
            spot,
            bulk: (bulk(i_mesh, pair.bulk.0), bulk(j_mesh, pair.bulk.1)),
            on_mesh,
            neck,
            temperatures,
            force,
            bonds,
            bare: 0.0,
            of_spot: 0.0,
            whole: 0.0,
            remembered,
            warming: None,
        };
        conductor.conduct(law, setup, patch)?;
        // a spot without a size stays so
        if warms && conductor.bare > 0.0 {
            conductor.warming = self.materials.metals(of.1).map(Warming::new);
        }
        Ok(Some(conductor))
    }

    /// The conductances of the patches to their contacts.
    fn spread(&mut self, inputs: &Inputs<'_>) -> Result<(), ElectricalError> {
        for number in 0..self.conductors.len() {
            let c = self.conductors[number];
            if c.on_mesh {
                self.spread_on_mesh(&c, inputs)?;
                continue;
            }
            for k in self.patches.contacts(c.patch) {
                let pushes = if c.force > 0.0 { c.bare * (self.forces[k] / c.force) } else { 0.0 };
                let part = if c.bonds > 0.0 { (pushes + self.bond(k)) / c.of_spot } else { self.forces[k] / c.force };
                self.conductances[k] = c.whole * part;
                self.at_spot[k] = c.part_at_spot();
            }
        }
        Ok(())
    }

    /// The same of a patch on a mesh that conducts: each contact has its part by its own pressure of what the patch would conduct if all of it were of the
    /// materials there, and the bulk of the other body is shared by all that conducts as the area is.
    fn spread_on_mesh(&mut self, c: &Conductor, inputs: &Inputs<'_>) -> Result<(), ElectricalError> {
        let contacts = inputs.world.network;
        let patch = self.patches.patch(contacts, c.patch);
        patch.places().for_each(|k| (self.conductances[k], self.at_spot[k]) = (0.0, 0.0));
        let (i, j) = patch.first().bodies();
        let law = self.laws.between(inputs.setup, i, j);
        let several = [i, j].iter().any(|body| inputs.setup.filling(*body).is_some());
        let parts = patch.parts_by(&self.forces, |force| c.under(force, law, inputs.setup, &patch))?;
        let part_of = |k: usize| parts.binary_search_by_key(&k, |(place, _)| *place).map_or(0.0, |at| parts[at].1);
        let all: Vec<(usize, f64)> = patch.shares_among(|k| part_of(k) > 0.0 || self.bond(k) > 0.0).collect();
        for (k, share) in all.into_iter().filter(|(_, share)| *share > 0.0) {
            let mut bare = c.bare;
            if several {
                let mut own = *c;
                let of = ([i, j], inputs.setup.materials_at(contacts, &contacts.contacts[k]));
                let Some(pair) = self.materials.pair(inputs.setup, of, c.temperatures)? else { continue };
                (own.spot.conductivity, own.spot.effective_modulus) = (pair.conductivity, pair.effective_modulus);
                bare = if c.force > 0.0 { own.under(c.force, law, inputs.setup, &patch)? } else { 0.0 };
            }
            let of_spot = (part_of(k) * bare + self.bond(k)) / share;
            let whole = in_series(c.bulk.0, c.bulk.1, of_spot);
            self.conductances[k] = share * whole;
            self.at_spot[k] = if of_spot > 0.0 { whole / of_spot } else { 0.0 };
        }
        Ok(())
    }

    /// One round of memories and of warm spots, with the currents of all contacts (A) as the last solve found them. Says whether nothing changes
    /// any more; where something does, the conductances are new.
    pub(crate) fn round(&mut self, inputs: &Inputs<'_>, currents: &[f64]) -> Result<bool, ElectricalError> {
        let contacts = inputs.world.network;
        let mut settled = true;
        for c in &mut self.conductors {
            if c.remembered.is_none() && c.warming.is_none() {
                continue;
            }
            let patch = self.patches.patch(contacts, c.patch);
            let (i, j) = patch.first().bodies();
            let law = self.laws.between(inputs.setup, i, j);
            let whole = self.patches.contacts(c.patch).map(|k| currents[k]).sum::<f64>().abs();
            if c.warm_by(whole) {
                settled = false;
                c.conduct(law, inputs.setup, &patch)?;
            }
            let (Some(mut r), Some(memory)) = (c.remembered, law.memory()) else { continue };
            // beside bonds the spot carries its part
            let current = if c.bonds > 0.0 { whole * (c.bare / c.of_spot) } else { whole };
            let carried = Carried { begin: r.begin, memory: r.now, current, vigour: 1.0 };
            let of = |memory_value: f64| memory.conductance(&c.spot, memory_value).unwrap_or(c.bare);
            let change = (of(memory.carry(&c.spot, &carried)) / c.bare).ln();
            if change.is_nan() || change.abs() <= SETTLED {
                continue;
            }
            settled = false;
            r.vigour = vigour(r.vigour, change, r.change);
            r.change = change;
            r.now = memory.carry(&c.spot, &Carried { vigour: r.vigour, ..carried });
            c.remembered = Some(r);
            c.conduct(law, inputs.setup, &patch)?;
        }
        if !settled {
            self.spread(inputs)?;
        }
        Ok(settled)
    }

    /// The films whose spots are held at a voltage, between bodies that are no meshes, with the currents of all contacts (A) that the last solve found.
    /// The network is asked for the ends of branches alone.
    pub(crate) fn films(&self, inputs: &Inputs<'_>, currents: &[f64], ends: impl Fn(usize) -> (usize, usize)) -> Vec<Film> {
        let mut films = Vec::new();
        for (number, c) in self.conductors.iter().enumerate().filter(|(_, c)| !c.on_mesh && c.neck == 0.0) {
            let (i, j) = self.patches.patch(inputs.world.network, c.patch).first().bodies();
            let memory = self.laws.between(inputs.setup, i, j).memory();
            let (Some(r), Some(memory)) = (c.remembered, memory) else { continue };
            let Some(held) = memory.held() else { continue };
            let spot = |m: f64| memory.conductance(&c.spot, m).map(|bare| bare + c.bonds);
            let (Some(whole), Some(bare)) = (spot(r.begin), spot(held.most)) else { continue };
            let Some(branch) = self.patches.contacts(c.patch).next().filter(|k| ends(*k).0 != ends(*k).1) else { continue };
            if whole > 0.0 && bare > whole {
                let bulk = 1.0 / c.bulk.0 + 1.0 / c.bulk.1;
                films.push(Film {
                    conductor: number,
                    branch,
                    limit: held.drop,
                    resistance: [bulk + 1.0 / whole, bulk, bulk + 1.0 / bare],
                    ends: [whole * held.drop, bare * held.drop],
                    current: self.patches.contacts(c.patch).map(|k| currents[k]).sum(),
                });
            }
        }
        films
    }

    /// The contacts of a film.
    pub(crate) fn of_film(&self, film: &Film) -> impl Iterator<Item = usize> + '_ {
        self.patches.contacts(self.conductors[film.conductor].patch)
    }

    /// Takes what films remember from their currents; the conductances are new.
    pub(crate) fn take(&mut self, inputs: &Inputs<'_>, films: &[Film]) -> Result<(), ElectricalError> {
        for film in films {
            let c = &mut self.conductors[film.conductor];
            let patch = self.patches.patch(inputs.world.network, c.patch);
            let (i, j) = patch.first().bodies();
            let law = self.laws.between(inputs.setup, i, j);
            let (Some(mut r), Some(memory)) = (c.remembered, law.memory()) else { continue };
            // bonds beside the spot have its drop
            let through = film.current.abs().clamp(film.ends[0], film.ends[1]) - c.bonds * film.limit;
            let carried = Carried { begin: r.begin, memory: r.now, current: through, vigour: 1.0 };
            (r.now, r.change, r.vigour) = (memory.carry(&c.spot, &carried), 0.0, 1.0);
            c.remembered = Some(r);
            c.conduct(law, inputs.setup, &patch)?;
        }
        self.spread(inputs)
    }

    /// Part of the heat of each contact that its second body takes.
    pub(crate) fn share_heat(&self, to_second: &mut [f64]) {
        to_second.fill(0.5);
        for (c, warming) in self.conductors.iter().filter_map(|c| Some((c, c.warming?))) {
            for k in self.patches.contacts(c.patch) {
                to_second[k] += self.at_spot[k] * (warming.to_second - 0.5);
            }
        }
    }

    /// The first patch whose spot found no temperature with its current.
    pub(crate) fn unsettled(&self, contacts: &ContactNetwork) -> Option<(BodyId, BodyId)> {
        let c = self.conductors.iter().find(|c| c.warming.is_some_and(|w| !w.settled))?;
        Some(self.patches.patch(contacts, c.patch).first().bodies())
    }

    /// What the laws remember after the step.
    pub(crate) fn keep(&self, contacts: &ContactNetwork, memory: &mut ContactMemory) {
        memory.clear();
        for c in &self.conductors {
            if let Some(r) = c.remembered {
                keep(&self.patches.patch(contacts, c.patch), [r.now, r.largest], memory);
            }
        }
        sort(memory);
    }

    /// Mean of what the patches remember; `None` where none does.
    pub(crate) fn mean_memory(&self) -> Option<f64> {
        let mut remembered = self.conductors.iter().filter_map(|c| c.remembered).map(|r| r.now).peekable();
        remembered.peek()?;
        let mean = |(sum, count): (f64, u32)| sum / f64::from(count);
        Some(mean(remembered.fold((0.0, 0), |(sum, count), m| (sum + m, count + 1))))
    }

    /// Current (A) and Joule power (W) of each patch that conducts, from those of its contacts.
    pub(crate) fn by_patch<'a>(&'a self, currents: &'a [f64], powers: &'a [f64]) -> impl Iterator<Item = (f64, f64)> + 'a {
        let conducts = |patch: &usize| self.patches.contacts(*patch).any(|k| self.conductances[k] > 0.0);
        (0..self.patches.len()).filter(conducts).map(|patch| {
            let sum = |column: &[f64]| self.patches.contacts(patch).map(|k| column[k]).sum::<f64>();
            (sum(currents).abs(), sum(powers))
        })
    }
}

impl Conductor {
    /// Takes the conductivity that the spot has where the patch carries `current` (A); says whether it changed.
    fn warm_by(&mut self, current: f64) -> bool {
        let (Some(warming), Some(conductivity)) = (&mut self.warming, &mut self.spot.conductivity) else { return false };
        let Some(change) = warming.round(self.temperatures, current / self.of_spot, *conductivity) else { return false };
        *conductivity *= change;
        self.neck *= change;
        true
    }

    /// Part of the drop that is at the spot.
    fn part_at_spot(&self) -> f64 {
        if self.of_spot > 0.0 { self.whole / self.of_spot } else { 0.0 }
    }

    /// Conductances with what is remembered now.
    fn conduct(&mut self, law: &dyn ConductanceLaw, setup: &Setup, patch: &Patch<'_>) -> Result<(), ElectricalError> {
        self.bare = self.under(self.force, law, setup, patch)?;
        self.of_spot = self.bare + self.bonds;
        self.whole = in_series(self.bulk.0, self.bulk.1, self.of_spot);
        Ok(())
    }

    /// Conductance of the bare spot (S) under a force (N).
    fn under(&self, force: f64, law: &dyn ConductanceLaw, setup: &Setup, patch: &Patch<'_>) -> Result<f64, ElectricalError> {
        if force <= 0.0 {
            return Ok(0.0);
        }
        let (i, j) = patch.first().bodies();
        let spot = Spot { force, ..self.spot };
        let names = || (setup.body_label(i), setup.body_label(j));
        let found = match (self.remembered, law.memory()) {
            (Some(r), Some(memory)) => memory.conductance(&spot, r.now),
            _ => law.conductance(&spot),
        };
        let found = found.ok_or_else(|| {
            let (first, second) = names();
            ElectricalError::MissingProperty { first, second, needs: law.needs().words() }
        })?;
        // a number that is none stays one
        let conductance = if self.neck > found { self.neck } else { found };
        if !(conductance >= 0.0 && in_series(self.bulk.0, self.bulk.1, conductance).is_finite()) {
            let (first, second) = names();
            return Err(ElectricalError::Conductance { first, second, conductance, force });
        }
        Ok(conductance)
    }
}

/// Power to which a change may be raised: twice that of the last round as long as changes go one way and shrink slowly, up to 1024; a turn makes it careful again.
pub(crate) fn vigour(last: f64, change: f64, before: f64) -> f64 {
    if change * before > 0.0 && change.abs() > 0.5 * before.abs() { (2.0 * last).min(1024.0) } else { 1.0 }
}

/// Way (m) that the surfaces of a patch slid in the step: the mean of its contacts, weighed by their forces.
fn slid(patch: &Patch<'_>, forces: &[f64], force: f64, h: f64) -> f64 {
    patch.places().zip(patch.contacts()).map(|(k, c)| forces[k] / force * h * c.u.y.hypot(c.u.z)).sum()
}

/// Reads the laws of the parameters.
pub(crate) fn read_laws(
    setup: &Setup,
    all: &Slot,
    pairs: &[mpcd_core::Between],
) -> Result<PairLaws<dyn ConductanceLaw>, InputError> {
    let laws = PairLaws::read(setup, &known_laws(setup), all, pairs)?;
    let Some(body) = setup.filled_beside(|a, b| laws.between(setup, a, b).memory().is_some()) else { return Ok(laws) };
    let label = setup.body_label(body);
    Err(InputError::new(format!(
        "{label} has several materials, but its law remembers what passed through a patch, which may lie on all of them"
    ))
    .help("give its pairs another law in `laws`, or make the materials that are touched a body of their own")
    .at("law"))
}
