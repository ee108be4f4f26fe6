//! Modules at a pace of their own: several steps in one of the loop, or one in several. What such a module reads is made here: shares of
//! the step, or sums and means over the steps since it ran. The order of the step and the fields of the run belong elsewhere.

use mpcd_core::{
    Access, Contact, ContactKey, ContactNetwork, FieldSpec, FieldStore, FieldView, Inputs, Kinematics, Setup, SolveReport,
    Status, Step, Support, Unit, Vec3, World, field::SupportSizes, module::Which,
};
use serde::{Deserialize, Serialize};

use crate::{simulation::Slot, step::Broken, step::take_over};

/// Steps of a module to those of the loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pace {
    /// One in each.
    Each,
    /// Several equal ones in each.
    Substeps(u32),
    /// One in several, over the time of all of them.
    Every(u32),
}

/// What is around a module in a step of the loop. The rows of contact fields belong to `keys`.
pub(crate) struct Around<'a> {
    pub(crate) setup: &'a Setup,
    pub(crate) world: World<'a>,
    pub(crate) before: World<'a>,
    pub(crate) sizes: SupportSizes,
    pub(crate) keys: &'a [ContactKey],
    /// Whether the step counts for modules that run every so many ([`crate::clock::Clock::counts`]).
    pub(crate) counts: bool,
}

/// Fields that a module reads otherwise than the run has them.
#[derive(Debug, Default)]
pub(crate) struct Instead {
    /// Fields of edges that are switched off, as they were at the start of the run, and the contacts of then.
    pub(crate) held: FieldStore,
    pub(crate) held_keys: Vec<ContactKey>,
    /// Fields of which it reads the mean over the steps since it ran.
    pub(crate) averaged: Vec<FieldSpec>,
    /// Fields of which it hands on the mean over the parts of a step: what others take as acting over all of it.
    pub(crate) handed: Vec<FieldSpec>,
    /// Its own contact fields that it reads back.
    pub(crate) remembered: Vec<FieldSpec>,
    /// What it reads lagged, as it was at the start of the run.
    pub(crate) start: FieldStore,
    /// What it reads in the step under way.
    now: FieldStore,
}

/// Whether a field says what is given in a time (momentum, angular momentum, energy, charge), so that over several parts of a step its mean counts. What is a state
/// (a temperature, a potential, a size) is that of the end.
fn is_given_in_time(field: &FieldSpec) -> bool {
    [Unit::FORCE, Unit::TORQUE, Unit::POWER, Unit::CURRENT].contains(&field.unit)
}

/// What a module did not see yet of the steps that it let pass.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Gathered {
    /// Steps that the module took.
    runs: u64,
    /// Steps of the loop since, those of them that count, and their time (s).
    steps: u32,
    counted: u32,
    since: f64,
    /// Contacts as they were last; impulses and heats are those of all these steps, and the tangential part of `u` is as long as the way that was slid (m).
    contacts: Vec<Contact>,
    /// Integrals over time of the averaged fields.
    sums: Vec<Vec<f64>>,
    /// Bodies and contacts when the module ran last.
    bodies: Kinematics,
    network: ContactNetwork,
}

impl Instead {
    /// Gives the fields for contacts `keys`; `means` are those of the averaged ones.
    fn prepare(&mut self, keys: &[ContactKey], means: Vec<Vec<f64>>, store: &FieldStore, store_keys: &[ContactKey]) {
        let Self { held, held_keys, averaged, remembered, now, .. } = self;
        let specs = held.iter().map(|f| f.spec).chain(averaged.iter().copied()).chain(remembered.iter().copied());
        *now = FieldStore::new(specs, &SupportSizes::default());
        for field in held.iter() {
            now.swap(field.spec.name, &mut carried(field.spec, &field.data, held_keys, keys));
        }
        for (spec, mut mean) in averaged.iter().zip(means) {
            now.swap(spec.name, &mut mean);
        }
        for spec in remembered.iter() {
            let data = store.get(spec.name).unwrap_or_default();
            now.swap(spec.name, &mut carried(*spec, data, store_keys, keys));
        }
    }
}

impl Gathered {
    /// Adds a step of length `h` (s).
    fn add(&mut self, h: f64, around: &Around<'_>, averaged: &[FieldSpec], store: &FieldStore) {
        if self.steps == 0 {
            self.bodies.clone_from(around.before.kinematics);
            self.network.clone_from(around.before.network);
            self.contacts.clear();
            self.sums = averaged.iter().map(|_| Vec::new()).collect();
        }
        let old: Vec<ContactKey> = self.contacts.iter().map(|c| c.key).collect();
        let gone = |c: &&Contact| around.world.network.find(&c.key).is_none();
        let carries = |c: &&Contact| c.r != Vec3::zeros() || c.heat_friction != 0.0 || c.heat_impact != 0.0;
        let mut contacts: Vec<Contact> = self.contacts.iter().filter(gone).filter(carries).copied().collect();
        for contact in around.world.network.iter() {
            let mut sum = *contact;
            let mut way = if contact.bears() { h * contact.u.y.hypot(contact.u.z) } else { 0.0 };
            if let Ok(i) = old.binary_search(&contact.key) {
                let before = &self.contacts[i];
                if before.carries() && !contact.carries() {
                    (sum.r, sum.status) = (before.r, before.status);
                } else {
                    sum.r += before.r;
                }
                sum.heat_friction += before.heat_friction;
                sum.heat_impact += before.heat_impact;
                way += before.u.y.hypot(before.u.z);
            }
            let pace = contact.u.y.hypot(contact.u.z);
            (sum.u.y, sum.u.z) = if pace > 0.0 { (way * contact.u.y / pace, way * contact.u.z / pace) } else { (way, 0.0) };
            contacts.push(sum);
        }
        contacts.sort_by_key(|c| c.key);
        let keys: Vec<ContactKey> = contacts.iter().map(|c| c.key).collect();
        for (spec, sum) in averaged.iter().zip(&mut self.sums) {
            let spec = spec.starting_at(0.0);
            let values = carried(spec, store.get(spec.name).unwrap_or_default(), around.keys, &keys);
            let mut total = carried(spec, sum, &old, &keys);
            total.resize(values.len(), 0.0);
            total.iter_mut().zip(&values).for_each(|(t, v)| *t += h * v);
            *sum = total;
        }
        self.contacts = contacts;
        self.steps += 1;
        self.counted += u32::from(around.counts);
        self.since += h;
    }
}

impl Slot {
    /// A copy of the bodies and contacts that the module owns, where it does not take the steps of the loop.
    pub(crate) fn own_world(&self) -> Option<(Kinematics, ContactNetwork)> {
        let world = if self.pace == Pace::Each { None } else { self.module.world(Which::Accepted) };
        world.map(|world| (world.kinematics.clone(), world.network.clone()))
    }

    /// Advances the module over a step of the loop at its own pace and takes its fields over; `None` while it lets steps pass.
    pub(crate) fn advance(
        &mut self,
        step: &Step,
        around: &Around<'_>,
        store: &mut FieldStore,
    ) -> Result<Option<SolveReport>, Broken> {
        self.waits = false;
        match self.pace {
            Pace::Each => {
                self.instead.prepare(around.keys, Vec::new(), store, around.keys);
                self.part(step, around, store, false, around.keys).map(Some)
            }
            Pace::Substeps(n) => self.parts(step, n, around, store).map(Some),
            Pace::Every(n) => self.rarely(step, n, around, store),
        }
    }

    /// One advance of the module. Its contact fields come on the contacts of `around`, and are taken over on those of `keys`.
    fn part(
        &mut self,
        step: &Step,
        around: &Around<'_>,
        store: &mut FieldStore,
        further: bool,
        keys: &[ContactKey],
    ) -> Result<SolveReport, Broken> {
        let Around { setup, world, before, sizes, .. } = around;
        let fields =
            FieldView::new(self.module.name(), &self.ports, store).reading(&self.instead.now).starting(&self.instead.start);
        let inputs = Inputs { setup, world: *world, world_before: *before, fields };
        self.outputs.reset(sizes);
        let advance = if further {
            self.module.advance_further(step, &inputs, &mut self.outputs)
        } else {
            self.module.advance(step, &inputs, &mut self.outputs)
        };
        let report = advance.map_err(Broken::Solve)?;
        if around.keys != keys {
            for field in self.outputs.iter_mut() {
                field.data = carried(field.spec, &field.data, around.keys, keys);
            }
        }
        let name = self.module.name();
        take_over(&mut self.outputs, store).map_err(|what| Broken::NotFinite { module: name.to_owned(), what, motion: false })?;
        Ok(report)
    }

    /// Of the fields that other modules take from it, those of which they get the mean over the parts of a step; not those that it reads back itself.
    pub(crate) fn hand_on(&mut self, taken: impl Iterator<Item = FieldSpec>) {
        let own: Vec<&str> = self.own().map(|f| f.name).collect();
        for field in taken.filter(|f| is_given_in_time(f) && !own.contains(&f.name)) {
            if self.instead.handed.iter().all(|f| f.name != field.name) {
                self.instead.handed.push(field);
            }
        }
    }

    /// The step in `n` equal parts: bodies move evenly over it, impulses and heats are shared out, and forces and powers that it hands on are the means of the parts.
    fn parts(&mut self, step: &Step, n: u32, around: &Around<'_>, store: &mut FieldStore) -> Result<SolveReport, Broken> {
        let count = f64::from(n);
        let mut network = around.world.network.clone();
        for contact in &mut network.contacts {
            contact.r /= count;
            contact.heat_friction /= count;
            contact.heat_impact /= count;
        }
        let (start, end) = (around.before.kinematics, around.world.kinematics);
        let (mut from, mut to) = (start.clone(), start.clone());
        self.instead.prepare(around.keys, Vec::new(), store, around.keys);
        let mut all: Option<SolveReport> = None;
        let mut handed: Vec<Vec<f64>> = vec![Vec::new(); self.instead.handed.len()];
        for k in 0..n {
            way(start, end, f64::from(k + 1) / count, &mut to);
            let part = Step {
                index: step.index.saturating_mul(n.into()).saturating_add(k.into()),
                time: step.time + step.h * (f64::from(k) / count),
                h: step.h / count,
                ..*step
            };
            let world = World { kinematics: if k + 1 == n { end } else { &to }, network: &network };
            let before = World { kinematics: &from, network: around.before.network };
            let here = Around { world, before, ..*around };
            let report = self.part(&part, &here, store, k > 0, around.keys)?;
            all = Some(match all {
                None => report,
                Some(so_far) => joined(so_far, report),
            });
            for (sum, spec) in handed.iter_mut().zip(&self.instead.handed) {
                let values = store.get(spec.name).unwrap_or_default();
                sum.resize(values.len(), 0.0);
                sum.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
            }
            std::mem::swap(&mut from, &mut to);
        }
        for (sum, spec) in handed.iter_mut().zip(&self.instead.handed) {
            sum.iter_mut().for_each(|sum| *sum /= count);
            store.swap(spec.name, sum);
        }
        Ok(all.unwrap_or_else(SolveReport::direct))
    }

    /// Lets the step pass, or takes one over all the steps since the last.
    fn rarely(
        &mut self,
        step: &Step,
        n: u32,
        around: &Around<'_>,
        store: &mut FieldStore,
    ) -> Result<Option<SolveReport>, Broken> {
        let mut gathered = self.gathered.clone();
        gathered.add(step.h, around, &self.instead.averaged, store);
        self.waits = gathered.counted < n;
        if self.waits {
            self.gathering = gathered;
            return Ok(None);
        }
        let keys: Vec<ContactKey> = gathered.contacts.iter().map(|c| c.key).collect();
        let means = gathered.sums.iter().map(|sum| sum.iter().map(|s| s / gathered.since).collect()).collect();
        self.instead.prepare(&keys, means, store, around.keys);
        let mut on_meshes = around.world.network.on_meshes.clone();
        on_meshes.retain(|m| keys.binary_search(&m.key).is_ok());
        let mut network = ContactNetwork { contacts: gathered.contacts, on_meshes, reach: around.world.network.reach };
        for contact in &mut network.contacts {
            (contact.u.y, contact.u.z) = (contact.u.y / gathered.since, contact.u.z / gathered.since);
        }
        let own = Step { index: gathered.runs, time: step.end() - gathered.since, h: gathered.since, ..*step };
        let here = Around {
            world: World { kinematics: around.world.kinematics, network: &network },
            before: World { kinematics: &gathered.bodies, network: &gathered.network },
            sizes: SupportSizes { contacts: keys.len(), ..around.sizes },
            keys: &keys,
            ..*around
        };
        let report = self.part(&own, &here, store, false, around.keys)?;
        self.gathering = Gathered { runs: gathered.runs + 1, ..Gathered::default() };
        Ok(Some(report))
    }

    /// The trial state becomes the accepted one, of a module that ran.
    pub(crate) fn accept(&mut self) {
        if !self.waits {
            self.module.accept();
        }
        if matches!(self.pace, Pace::Every(_)) {
            std::mem::swap(&mut self.gathered, &mut self.gathering);
        }
    }

    /// Names of the fields that it reads back of itself.
    pub(crate) fn own(&self) -> impl Iterator<Item = FieldSpec> + '_ {
        let writes = |p: &mpcd_core::Port| self.ports.iter().any(|o| o.access == Access::Write && o.field.name == p.field.name);
        self.ports.iter().filter(move |p| p.access != Access::Write && writes(p)).map(|p| p.field)
    }
}

/// The rows of a field on contacts `new`; rows on anything else stay.
pub(crate) fn carried(spec: FieldSpec, data: &[f64], old: &[ContactKey], new: &[ContactKey]) -> Vec<f64> {
    let mut out = data.to_vec();
    if spec.support == Support::Contact && old != new {
        let mut store = FieldStore::new([spec], &SupportSizes::default());
        store.swap(spec.name, &mut out);
        store.follow(old, new);
        store.swap(spec.name, &mut out);
    }
    out
}

/// Bodies on their way from `a` to `b`, at the part `s` of it; across a border of the cell by the nearest image.
fn way(a: &Kinematics, b: &Kinematics, s: f64, out: &mut Kinematics) {
    let between = |x: &Vec3, y: &Vec3| x + s * (y - x);
    let lengths = |cell: &mpcd_core::CellMotion| cell.lengths;
    let (from, to) = (lengths(&a.cell), lengths(&b.cell));
    for i in 0..out.len().min(a.len()).min(b.len()) {
        let mut moved = b.position[i] - a.position[i];
        for k in 0..3 {
            if let Some(length) = to[k].filter(|l| *l > 0.0) {
                moved[k] -= length * (moved[k] / length).round();
            }
        }
        out.position[i] = a.position[i] + s * moved;
        out.velocity[i] = between(&a.velocity[i], &b.velocity[i]);
        out.angular_velocity[i] = between(&a.angular_velocity[i], &b.angular_velocity[i]);
        out.orientation[i] = a.orientation[i].try_slerp(&b.orientation[i], s, 1e-12).unwrap_or(b.orientation[i]);
        out.size[i] = a.size[i] + s * (b.size[i] - a.size[i]);
    }
    out.cell.speeds = between(&a.cell.speeds, &b.cell.speeds);
    for k in 0..3 {
        out.cell.lengths[k] = from[k].zip(to[k]).map(|(x, y)| x + s * (y - x));
    }
}

/// The report of two parts of a step, one after the other.
fn joined(mut first: SolveReport, mut then: SolveReport) -> SolveReport {
    let worse = |r: &SolveReport| if r.tolerance > 0.0 { r.residual / r.tolerance } else { 0.0 };
    if first.status != Status::Converged || (then.status == Status::Converged && worse(&first) > worse(&then)) {
        (then.status, then.residual, then.tolerance) = (first.status, first.residual, first.tolerance);
        then.worst = std::mem::take(&mut first.worst);
        then.search = first.search;
    }
    then.iterations += first.iterations;
    first.balances.append(&mut then.balances);
    first.stages.append(&mut then.stages);
    first.warnings.append(&mut then.warnings);
    first.watched.append(&mut then.watched);
    first.phases.append(&mut then.phases);
    first.too_long = first.too_long.or(then.too_long.take());
    let SolveReport { balances, stages, warnings, watched, too_long, phases, .. } = first;
    SolveReport { balances, stages, warnings, watched, too_long, phases, ..then }
}
