//! A contact problem compiled for sweeping: lines, records, runs; made from the plain problem and read back into it.

mod laid;

use nalgebra::Vector3;
use rayon::prelude::*;

use super::angular::{AngularRecord, Parent};
use super::bare::Bare;
use super::bodies::{BodyAccess, BodyInertia, BodyLine, Exclusive};
use super::carry::Carried;
use super::cell::{CellPart, CellSystem};
use super::compile::{self, Compiled, Outline};
use super::compliance::Compliances;
use super::diagonal::DiagonalRecord;
use super::full::FullRecord;
use super::lanes::{FullGroups, Groups, fetch};
use super::laws::LawContact;
use super::order::Plan;
use super::passes::{CHUNK, Partial};
use super::vector::V3;
use super::vector::{add_scaled, in_plane, moment};
use super::violation::Islands;
use crate::problem::{ContactProblem, ProblemError, Side};
use crate::settings::SweepOrder;

/// Contacts asked for ahead where they are visited in the order of a sweep.
const AHEAD: usize = 8;

/// Contacts of a colour from which on it is worth the call of other threads.
pub(super) const SHARED: usize = 2 * CHUNK;

/// Which blocks the local problems use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Splitting {
    /// The Delassus block itself (Gauss–Seidel).
    #[default]
    None,
    /// The mass of a body shared among its contacts, so that all contacts can be solved at once (Jacobi).
    Mass,
}

/// Which kernel a run of records goes through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kernel {
    Diagonal,
    Full,
    /// Records of the full kernel whose contacts are on deformable bodies.
    Compliant,
    Angular,
}

/// Neighbouring records of one kernel in the order of the sweep.
#[derive(Debug, Clone, Copy)]
pub(super) struct Run {
    pub(super) kernel: Kernel,
    pub(super) start: usize,
    pub(super) end: usize,
    /// Where its records begin in their list: at `start`, unless groups alone hold other runs.
    pub(super) at: usize,
    /// True if no two of its contacts share a free body.
    pub(super) independent: bool,
}

impl Run {
    /// The places of its records in their list.
    pub(super) const fn stored(&self) -> std::ops::Range<usize> {
        self.at..self.at + (self.end - self.start)
    }
}

/// What only the error and the result need of a record.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tag {
    pub(super) contact: u32,
    /// Lines of candidate and antagonist.
    pub(super) bodies: [u32; 2],
    pub(super) lambda_max: f64,
}

/// A contact problem compiled for sweeping. All memory is reused from solve to solve.
#[derive(Debug, Default)]
pub(crate) struct System {
    /// Present velocities; the last line is the world, at rest, which stands in for driven bodies.
    pub(super) lines: Vec<BodyLine>,
    /// Velocities without the (shifted) impulses.
    pub(super) free: Vec<BodyLine>,
    /// The same without the shifts of the impulses, where there are any.
    pub(super) bare: Bare,
    pub(super) inertia: Vec<BodyInertia>,
    /// Diagonal records; of a packed system only those that no group holds.
    pub(super) diagonal: Vec<DiagonalRecord>,
    pub(super) diagonal_tags: Vec<Tag>,
    pub(super) full: Vec<FullRecord>,
    pub(super) full_tags: Vec<Tag>,
    pub(super) angular: Vec<AngularRecord>,
    /// λ_max of the angular blocks.
    pub(super) angular_tags: Vec<Tag>,
    pub(super) laws: Vec<LawContact>,
    pub(super) runs: Vec<Run>,
    pub(super) partials: Vec<Partial>,
    /// Diagonal records by groups, while sweeps go on.
    pub(super) groups: Groups,
    /// Full records by groups, while sweeps go on.
    pub(super) full_groups: FullGroups,
    /// Whether diagonal records that groups hold are nowhere else.
    pub(super) is_packed: bool,
    /// Whether every contact is in its lane of [`Plan::places`].
    is_laid: bool,
    /// The contact dimension is 3.
    pub(super) is_spatial: bool,
    /// The cell whose lengths move, if there is one.
    pub(super) cell: Option<CellSystem>,
    /// The deformable bodies, if there are any.
    pub(super) compliances: Option<Compliances>,
    /// What sweeps with momentum keep.
    pub(super) carried: Carried,
    /// What [`System::look_at_islands`] saw last.
    pub(super) islands: Islands,
    /// Contacts at which something prescribed moves, and its speed (m/s).
    pub(super) drives: Vec<(u32, f64)>,
    /// Contacts that growth moves, and how fast (m/s).
    pub(super) growth: Vec<(u32, f64)>,
    plan: Plan,
    outlines: Vec<Outline>,
    /// Records of a colour as several threads make them; none where a contact asks for another kernel.
    made: Vec<Option<Compiled<DiagonalRecord>>>,
    degree: Vec<f64>,
    splitting: Splitting,
}

impl System {
    /// Compiles a problem that is valid around its contacts, which are looked at here.
    ///
    /// # Errors
    /// The first fault of a contact; [`ProblemError::NoFreedom`] where no impulse can change the normal velocity of a contact.
    pub(crate) fn compile<const D: usize>(
        &mut self,
        problem: &ContactProblem,
        order: SweepOrder,
        splitting: Splitting,
    ) -> Result<(), ProblemError> {
        self.compile_bodies::<D>(problem);
        self.diagonal.clear();
        self.diagonal_tags.clear();
        self.full.clear();
        self.full_tags.clear();
        self.angular.clear();
        self.angular_tags.clear();
        self.laws.clear();
        self.runs.clear();
        self.islands.forget();
        self.carried.forget();
        self.find_drives(problem);
        self.groups.forget();
        self.full_groups.forget();
        self.groups.rounding = problem.rounding;
        self.growth.clone_from(&problem.growth);
        self.is_spatial = D == 3;
        self.cell = CellSystem::begin::<D>(problem, self.cell.take());
        self.compliances = Compliances::begin(problem, self.compliances.take());
        self.splitting = splitting;
        let mut plan = std::mem::take(&mut self.plan);
        let laid = plan.lay_out(
            problem,
            order,
            |body| self.outlines[body].is_driven,
            |contact| self.compliances.as_ref().is_some_and(|c| c.holds(contact)),
        );
        if laid.is_err() {
            self.plan = plan;
            return laid;
        }
        self.count_degrees(problem, splitting);
        self.bare.clear();
        if plan.pulls {
            self.bare.take::<D>(problem, &self.free);
            problem.contacts.iter().for_each(|contact| self.pull::<D>(contact));
        }
        self.is_packed = splitting == Splitting::None && self.cell.is_none() && !plan.turns;
        if self.is_packed {
            self.groups.begin(self.lines.len());
        }
        let is_laid = self.is_packed && self.compile_lanes::<D>(problem, &plan);
        let groups = if is_laid { &[] } else { &plan.groups[..] };
        let outcome = groups.iter().try_for_each(|group| {
            let first = self.runs.len();
            self.compile_group::<D>(problem, &plan.order[group.start..group.end], group.independent)?;
            if self.is_packed {
                self.pack_runs(first);
            }
            Ok::<(), ProblemError>(())
        });
        if self.is_packed && !is_laid {
            self.groups.end();
        }
        // The same lanes, brought colour by colour.
        let has_lanes = |run: &Run| run.independent && run.kernel == Kernel::Diagonal;
        let all_held = (0..self.runs.len()).all(|run| self.groups.hold(run));
        self.is_laid = is_laid || self.is_packed && outcome.is_ok() && all_held && self.runs.iter().all(has_lanes);
        self.plan = plan;
        self.show_cell::<D>();
        if outcome.is_ok()
            && let Some(compliances) = &mut self.compliances
        {
            compliances.end::<D>(problem);
            self.show_compliances::<D>();
        }
        if outcome.is_ok() && splitting == Splitting::None {
            self.take_groups();
        }
        outcome
    }

    fn compile_bodies<const D: usize>(&mut self, problem: &ContactProblem) {
        self.free.clear();
        self.lines.clear();
        self.inertia.clear();
        self.outlines.clear();
        // with the world's; what grows by itself leaves what it had behind
        let lines = problem.bodies.len() + 1;
        self.free.reserve_exact(lines);
        self.lines.reserve_exact(lines);
        self.inertia.reserve_exact(lines);
        self.outlines.reserve_exact(lines);
        let line = |(body, outline): (&crate::problem::Body, &Outline)| {
            BodyLine::new(&in_plane::<D>(&body.velocity), &compile::turning::<D>(body), body.inverse_mass.x, outline.ball())
        };
        let inertia = |body: &crate::problem::Body| {
            let (mass, j) = (body.inverse_mass, body.inverse_inertia.matrix());
            BodyInertia {
                tensor: [j[(0, 0)], j[(0, 1)], j[(0, 2)], j[(1, 1)], j[(1, 2)], j[(2, 2)]],
                inverse_mass_yz: [mass.y, mass.z],
            }
        };
        let bodies = &problem.bodies;
        if bodies.len() >= SHARED && rayon::current_num_threads() > 1 {
            let each = || bodies.par_iter().with_min_len(CHUNK);
            each().map(Outline::of::<D>).collect_into_vec(&mut self.outlines);
            each().map(inertia).collect_into_vec(&mut self.inertia);
            each().zip(&self.outlines).map(line).collect_into_vec(&mut self.free);
            each().zip(&self.outlines).map(line).collect_into_vec(&mut self.lines);
        } else {
            self.outlines.extend(bodies.iter().map(Outline::of::<D>));
            self.inertia.extend(bodies.iter().map(inertia));
            self.free.extend(bodies.iter().zip(&self.outlines).map(line));
            self.lines.extend(bodies.iter().zip(&self.outlines).map(line));
        }
        self.free.push(BodyLine::default());
        self.lines.push(BodyLine::default());
        self.inertia.push(BodyInertia::default());
    }

    /// Where something prescribed moves. A cell moves all contacts, each along its branch: the one that it moves most stands for them.
    fn find_drives(&mut self, problem: &ContactProblem) {
        self.drives.clear();
        if let Some(cell) = &problem.cell {
            let of_cell = (0..problem.contacts.len()).map(|contact| (contact as u32, cell.drive_at(contact)));
            self.drives.extend(of_cell.filter(|(_, speed)| *speed > 0.0).max_by(|a, b| a.1.total_cmp(&b.1)));
        }
        if !problem.bodies.iter().any(crate::problem::Body::has_drive) {
            return;
        }
        for (number, contact) in problem.contacts.iter().enumerate() {
            let speed = contact.sides().map(|side| problem.bodies[side.body].drive_at(&side.lever));
            let speed = speed.into_iter().filter(|speed| *speed > 0.0).reduce(f64::min);
            self.drives.extend(speed.map(|speed| (number as u32, speed)));
        }
    }

    /// Takes the impulse shift of a contact off the free velocities: the law sees the sum, the bodies the difference.
    fn pull<const D: usize>(&mut self, contact: &crate::problem::Contact) {
        if contact.impulse_shift == Vector3::zeros() {
            return;
        }
        let mut local = contact.impulse_shift;
        if D == 2 {
            local.z = 0.0;
        }
        let shift = in_plane::<D>(&contact.frame.to_world(&local));
        for Side { body, lever, sign } in contact.sides() {
            let mut lines = Exclusive(&mut self.free);
            let motion = lines.load::<D>(body as u32);
            let inertia = &self.inertia[body];
            let [y, z] = inertia.inverse_mass_yz;
            let push = [motion.inverse_mass * shift[0], y * shift[1], z * shift[2]];
            let turn = inertia.apply::<D>(&moment::<D>(&in_plane::<D>(&lever), &shift));
            lines.store::<D>(body as u32, &add_scaled(&motion.v, -sign, &push), &add_scaled(&motion.w, -sign, &turn));
        }
    }

    fn count_degrees(&mut self, problem: &ContactProblem, splitting: Splitting) {
        self.degree.clear();
        self.degree.resize(problem.bodies.len(), 1.0);
        if splitting == Splitting::Mass {
            self.degree.fill(0.0);
            for contact in &problem.contacts {
                let rows = if contact.angular().is_some() { 2.0 } else { 1.0 };
                self.degree[contact.candidate] += rows;
                self.degree[contact.antagonist] += rows;
            }
        }
    }

    fn compile_group<const D: usize>(
        &mut self,
        problem: &ContactProblem,
        contacts: &[u32],
        independent: bool,
    ) -> Result<(), ProblemError> {
        let starts = self.counts();
        let stored = self.diagonal.len();
        // With several threads the records of a colour are made by all of them, and taken in order.
        let is_shared = independent && self.is_packed && contacts.len() >= SHARED && rayon::current_num_threads() > 1;
        if is_shared {
            let (outlines, degree, compliances) = (&self.outlines, &self.degree, &self.compliances);
            let make = |index: &u32| {
                let (index, contact) = (*index as usize, &problem.contacts[*index as usize]);
                let weights = [degree[contact.candidate], degree[contact.antagonist]];
                let is_soft = compliances.as_ref().is_some_and(|c| c.holds(index));
                if is_soft { None } else { compile::diagonal::<D>(problem, outlines, contact, weights, None) }
            };
            contacts.par_iter().with_min_len(CHUNK).map(make).collect_into_vec(&mut self.made);
        }
        let mut made = std::mem::take(&mut self.made);
        let mut next = made.drain(..);
        for (place, index) in contacts.iter().enumerate() {
            if let Some(compiled) = next.next().flatten() {
                self.push_diagonal(compiled, *index);
                continue;
            }
            // colours go through the contacts in strides that no processor foresees
            fetch(contacts.get(place + AHEAD).and_then(|soon| problem.contacts.get(*soon as usize)));
            let sharing = if independent { contacts.len() } else { 1 };
            let kernel = self.compile_contact::<D>(problem, *index as usize, sharing)?;
            if !independent {
                self.extend_serial_run(kernel);
            }
            let turns = self.compile_angular::<D>(problem, *index as usize, kernel);
            if turns && !independent {
                self.extend_serial_run(Kernel::Angular);
            }
        }
        drop(next);
        self.made = made;
        if independent {
            // Within a colour the order does not matter: one run per kernel, angular rows after their parents.
            let ends = self.counts();
            for (k, kernel) in [Kernel::Diagonal, Kernel::Full, Kernel::Angular].into_iter().enumerate() {
                if ends[k] > starts[k] {
                    let at = if kernel == Kernel::Diagonal { stored } else { starts[k] };
                    self.runs.push(Run { kernel, start: starts[k], end: ends[k], at, independent });
                }
            }
        }
        Ok(())
    }

    /// `sharing` contacts see the cell as it was before any of them.
    fn compile_contact<const D: usize>(
        &mut self,
        problem: &ContactProblem,
        index: usize,
        sharing: usize,
    ) -> Result<Kernel, ProblemError> {
        let contact = &problem.contacts[index];
        let weights = [self.degree[contact.candidate], self.degree[contact.antagonist]];
        let tag = |lambda_max, bodies| Tag { contact: index as u32, bodies, lambda_max };
        let part = CellPart::of::<D>(problem, index, sharing);
        let is_soft = self.compliances.as_ref().is_some_and(|c| c.holds(index));
        let simple = if is_soft { None } else { compile::diagonal::<D>(problem, &self.outlines, contact, weights, part) };
        if let Some(compiled) = simple {
            if let Some(cell) = &mut self.cell {
                cell.push::<D>(problem, index, Some(&compiled.record), None);
            }
            self.push_diagonal(compiled, index as u32);
            return Ok(Kernel::Diagonal);
        }
        let soft = self.compliances.as_ref().and_then(|c| c.part::<D>(problem, index, self.splitting));
        let compiled = compile::full::<D>(problem, index, weights, (part, soft), &mut self.laws)?;
        if let Some(compliances) = &mut self.compliances {
            compliances.push::<D>(problem, index, &compiled.record);
        }
        if let Some(cell) = &mut self.cell {
            cell.push::<D>(problem, index, None, Some(&compiled.record));
        }
        let bodies = [compiled.record.candidate, compiled.record.antagonist];
        self.full.push(compiled.record);
        self.full_tags.push(tag(compiled.lambda_max, bodies));
        Ok(if soft.is_some() { Kernel::Compliant } else { Kernel::Full })
    }

    fn push_diagonal(&mut self, Compiled { record, lambda_max }: Compiled<DiagonalRecord>, contact: u32) {
        self.diagonal_tags.push(Tag { contact, bodies: [record.candidate, record.antagonist], lambda_max });
        self.diagonal.push(record);
    }

    /// Adds the angular rows of the contact that was compiled last, if it has any.
    fn compile_angular<const D: usize>(&mut self, problem: &ContactProblem, index: usize, kernel: Kernel) -> bool {
        let contact = &problem.contacts[index];
        if contact.angular().is_none() {
            return false;
        }
        let (parent, tag) = match kernel {
            Kernel::Full | Kernel::Compliant => (Parent::Full(self.full.len() as u32 - 1), self.full_tags.last()),
            _ => (Parent::Diagonal(self.diagonal.len() as u32 - 1), self.diagonal_tags.last()),
        };
        let linear = tag.map_or(1.0, |t| t.lambda_max);
        let weights = [self.degree[contact.candidate], self.degree[contact.antagonist]];
        let compiled = compile::angular::<D>(problem, contact, weights, parent, linear);
        compiled.is_some_and(|compiled| {
            let bodies = [compiled.record.candidate, compiled.record.antagonist];
            self.angular.push(compiled.record);
            self.angular_tags.push(Tag { contact: index as u32, bodies, lambda_max: compiled.lambda_max });
            true
        })
    }

    /// Records of each kernel: diagonal, full, angular.
    pub(super) fn counts(&self) -> [usize; 3] {
        [self.diagonal_tags.len(), self.full.len(), self.angular.len()]
    }

    fn extend_serial_run(&mut self, kernel: Kernel) {
        let [end, stored] = match kernel {
            Kernel::Diagonal => [self.diagonal_tags.len(), self.diagonal.len()],
            Kernel::Full | Kernel::Compliant => [self.full.len(); 2],
            Kernel::Angular => [self.angular.len(); 2],
        };
        match self.runs.last_mut() {
            Some(run) if run.kernel == kernel && !run.independent => run.end = end,
            _ => self.runs.push(Run { kernel, start: end - 1, end, at: stored - 1, independent: false }),
        }
    }

    /// Lets groups hold what they can of the runs from `first` on; their records are not needed any more.
    fn pack_runs(&mut self, first: usize) {
        for number in first..self.runs.len() {
            let run = self.runs[number];
            let records = run.stored();
            let is_diagonal = run.kernel == Kernel::Diagonal;
            let held = is_diagonal && self.groups.lay_run((number, &run), &self.diagonal[records.clone()]);
            if held {
                // colours have their records at the end
                self.diagonal.truncate(records.start);
            } else if !is_diagonal {
                self.groups.lay_none();
            }
        }
    }

    /// Brings records home that groups alone hold.
    pub(super) fn unpack(&mut self) {
        if !std::mem::replace(&mut self.is_packed, false) {
            return;
        }
        let mut records = Vec::with_capacity(self.diagonal_tags.len());
        for (number, run) in self.runs.iter_mut().enumerate().filter(|(_, run)| run.kernel == Kernel::Diagonal) {
            if !self.groups.give_records(number, run, &self.free, &mut records) {
                records.extend_from_slice(&self.diagonal[run.stored()]);
            }
            run.at = run.start;
        }
        self.diagonal = records;
    }

    /// Writes impulses and velocities back into the problem.
    pub(crate) fn write_back<const D: usize>(&mut self, problem: &mut ContactProblem) {
        self.write_impulses::<D>(problem);
        self.write_compliances::<D>(problem);
        if let (Some(cell), Some(target)) = (&self.cell, &mut problem.cell) {
            target.rate.as_mut_slice()[..D].copy_from_slice(&cell.rate[..D]);
        }
        for (k, body) in problem.bodies.iter_mut().enumerate() {
            if self.outlines[k].is_driven {
                continue;
            }
            let line = &self.lines[k];
            for axis in 0..D {
                body.velocity[axis] = line.get(axis);
            }
            for axis in if D == 2 { 2..3 } else { 0..3 } {
                body.angular_velocity[axis] = line.get(3 + axis);
            }
        }
    }

    /// Writes the impulses back into the problem, and leaves the bodies free.
    pub(crate) fn write_impulses<const D: usize>(&mut self, problem: &mut ContactProblem) {
        self.show_full();
        let set = |contact: &mut crate::problem::Contact, world: V3| {
            let mut impulse = contact.frame.to_local(&world.into()) - contact.impulse_shift;
            if D == 2 {
                impulse.z = 0.0;
            }
            contact.impulse = impulse;
            contact.set_moment(Vector3::zeros());
        };
        if self.is_laid && self.is_packed && !self.groups.is_idle() {
            let (groups, places) = (&self.groups, &self.plan.places);
            let set = |(contact, [_, lane]): (&mut crate::problem::Contact, &[u32; 2])| set(contact, groups.impulse(*lane));
            if rayon::current_num_threads() > 1 {
                problem.contacts.par_iter_mut().zip(places).with_min_len(SHARED).for_each(set);
            } else {
                problem.contacts.iter_mut().zip(places).for_each(set);
            }
            return;
        }
        let mut all = self.diagonal_tags.iter().chain(&self.full_tags).skip(AHEAD);
        let mut write = |tag: &Tag, world: V3| {
            fetch(all.next().and_then(|tag| problem.contacts.get(tag.contact as usize)));
            set(&mut problem.contacts[tag.contact as usize], world);
        };
        for (number, run) in self.runs.iter().enumerate().filter(|(_, run)| run.kernel == Kernel::Diagonal) {
            let tags = self.diagonal_tags[run.start..run.end].iter();
            match self.groups.impulses(number, run) {
                Some(impulses) => tags.zip(impulses).for_each(|(tag, impulse)| write(tag, impulse)),
                None => tags.zip(&self.diagonal[run.stored()]).for_each(|(tag, record)| write(tag, record.impulse)),
            }
        }
        self.full_tags.iter().zip(&self.full).for_each(|(tag, record)| write(tag, record.world_impulse::<D>()));
        for (tag, record) in self.angular_tags.iter().zip(&self.angular) {
            problem.contacts[tag.contact as usize].set_moment(record.impulse.into());
        }
    }

    /// Copies the impulses as the records hold them.
    pub(crate) fn keep(&mut self, kept: &mut Vec<V3>) {
        self.show_full();
        // all are written over
        kept.resize(self.diagonal_tags.len(), [0.0; 3]);
        self.groups.keep(&self.runs, &mut kept[..]);
        self.loose().for_each(|(k, at)| kept[k] = self.diagonal[at].impulse);
        kept.extend(self.full.iter().map(|r| r.impulse));
        kept.extend(self.angular.iter().map(|r| r.impulse));
    }

    /// Puts kept impulses back, with the velocities that belong to them.
    pub(crate) fn restore<const D: usize>(&mut self, kept: &[V3]) {
        let count = self.diagonal_tags.len();
        if self.is_packed {
            self.full_groups.hand_back(&self.runs, &mut self.full);
            self.groups.restore(&self.runs, kept);
            let loose: Vec<_> = self.loose().collect();
            loose.into_iter().for_each(|(k, at)| self.diagonal[at].impulse = kept[k]);
        } else {
            self.settle_groups();
            self.diagonal.iter_mut().zip(kept).for_each(|(record, kept)| record.impulse = *kept);
        }
        let impulses = self.full.iter_mut().map(|r| &mut r.impulse);
        let impulses = impulses.chain(self.angular.iter_mut().map(|r| &mut r.impulse));
        impulses.zip(&kept[count.min(kept.len())..]).for_each(|(impulse, kept)| *impulse = *kept);
        if self.splitting == Splitting::None {
            self.take_groups();
        }
        self.rebuild::<D>();
    }

    /// Contacts of the kernel for diagonal blocks, and of the other one.
    pub(crate) fn kernels(&self) -> [usize; 2] {
        [self.diagonal_tags.len(), self.full.len()]
    }

    /// Number of contacts.
    pub(crate) fn len(&self) -> usize {
        self.diagonal_tags.len() + self.full.len()
    }
}
