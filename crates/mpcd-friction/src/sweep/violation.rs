//! How far each law is from being met, as a velocity, and what that does to the motion: island by island, against the speeds and
//! the work of that island alone. No thresholds here.
//!
//! With the residual `F_c` of the natural map at step `1/λ_c`, `λ_c = λ_max(W_cc)`, the impulses `r − F` obey the laws exactly where the
//! surfaces of each contact move towards each other by `e_c = λ_c F_c` besides. So `e_c` is a backward error as a velocity: `h e_c` is the
//! overlap that a step adds. By Gauss' principle the motion minimises `½ Z`, `Z = ‖V − V_free‖²_M = Σ r·(u − q)`; the derivative of
//! this minimum with respect to the velocity of a surface is the impulse, so that `Σ |e_c·r_c| / Z` bounds the relative error of the forces
//! that hold the bodies, weighted by the masses that they hold (`docs/theory.md`).

use super::bodies::Shared;
use super::compliance::{Compliances, SoftSum};
use super::passes::CHUNK;
use super::sight::{SUMMED, Sight, positive};
use super::system::{Kernel, Run, System, Tag};
use crate::error::{ErrorSum, ScaledSum};

use std::ops::Range;

use rayon::prelude::*;

/// Records that several threads see before they are added up.
const AT_ONCE: usize = 64 * CHUNK;

/// Part of the speeds of an island below which what is prescribed there counts as at rest: the rounding of a time in a ramp moves no body.
const AT_REST: f64 = 1e-10;

/// Over this of `Z`, `Σ λ_c r_c²` tells that all but a millionth of the impulses cancel each other: what prescribes motion made them, and not the masses that they
/// hold. (A press of a million grains' mass on a thousand grains has 1e9.)
const CANCELS: f64 = 1e12;

/// What is seen of some records, before it is added up. Memory alone.
#[derive(Debug, Default)]
pub(super) struct Buffers {
    pub(super) sights: Vec<Sight>,
    pub(super) speeds: Vec<[f64; 2]>,
}

/// What was seen of some records.
pub(super) enum Chunk<'a> {
    /// One by one.
    Each(&'a [Sight]),
    /// Of one island: loss, work, own, blur and the five squares added up; excess and speed of each.
    Whole { island: u32, sums: [f64; SUMMED], speeds: &'a [[f64; 2]] },
}

/// A record as the islands know it.
struct Place {
    contact: u32,
    bodies: [u32; 2],
    /// `λ_c`.
    lambda: f64,
}

/// What the violations of one island amount to.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Breach {
    /// Largest `‖e_c‖` over the speeds at that contact.
    pub(crate) speed: f64,
    /// The contact where it is.
    pub(crate) contact: usize,
    /// `Σ |e_c·r_c|` over `Z`.
    pub(crate) work: f64,
    /// The scale-free error of the island for itself.
    pub(crate) scaled: f64,
    /// Largest `‖e_c‖` over the least speed of what is prescribed at a contact of the island, 0 where nothing is, and that contact.
    pub(crate) of_drive: f64,
    pub(crate) drive: usize,
    /// What of `‖e_c‖` counts as rounding of the impulses, in the mean over the island weighted by `r_c²`, over the same speed or that of the island,
    /// whichever is greater: in long steps under gravity a slow drive is below what rounding leaves, and that is no jam.
    pub(crate) hidden: f64,
    /// Largest `‖e_c‖` over the greatest speed by which growth moves a contact of the island or that of the island, 0 where nothing grows.
    pub(crate) of_growth: f64,
    /// The contact where that is prescribed, or that grows fastest.
    pub(crate) hider: usize,
    /// Largest part of the work of a deformable body's giving way that rounding hides, and one of its contacts.
    pub(crate) unseen: f64,
    pub(crate) unseen_at: usize,
}

impl Breach {
    fn keep(&mut self, ratio: f64, contact: usize) {
        // a NaN is the worst there is: it must not hide
        if ratio > self.speed || ratio.is_nan() && !self.speed.is_nan() {
            (self.speed, self.contact) = (ratio, contact);
        }
    }

    /// Sees the excess at a contact of an island of this pace, and the speed there, of which the whole is asked for where the least that it is does not decide.
    #[inline]
    fn see(&mut self, contact: u32, [excess, least]: &[f64; 2], pace: f64, speed: impl FnOnce() -> f64) {
        // what is smaller by more than rounding need not be divided; a NaN goes on
        if *excess <= BELOW * self.speed * least.max(pace) {
            return;
        }
        let speed = speed().max(pace);
        if *excess <= BELOW * self.speed * speed {
            return;
        }
        self.keep(ratio(*excess, speed), contact as usize);
    }

    /// The worse of two in both respects.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.keep(other.speed, other.contact);
        if other.work > self.work || other.work.is_nan() {
            self.work = other.work;
        }
        if other.scaled > self.scaled || other.scaled.is_nan() {
            self.scaled = other.scaled;
        }
        if other.of_drive > self.of_drive {
            (self.of_drive, self.drive) = (other.of_drive, other.drive);
        }
        self.of_growth = self.of_growth.max(other.of_growth);
        if other.unseen > self.unseen {
            (self.unseen, self.unseen_at) = (other.unseen, other.unseen_at);
        }
        if other.hidden > self.hidden {
            (self.hidden, self.hider) = (other.hidden, other.hider);
        }
    }
}

/// Sums of an island.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    mass: f64,
    work: f64,
    own: f64,
    blur: f64,
    loss: f64,
    lambda: f64,
    squares: [f64; 5],
    hidden: f64,
    /// Speed that the work stands for (m/s).
    pace: f64,
    /// Largest part of the work of a deformable body's giving way that its contacts miss.
    soft: f64,
    /// Impulses cancel, and no contact of the problem yields: friction jams the bodies between what moves and what does not.
    jams: bool,
    /// Least speed of what is prescribed at its contacts (m/s), 0 where nothing is, and that contact.
    drive: (f64, usize),
    /// Greatest speed by which growth moves its contacts (m/s), 0 where nothing grows, and that contact: heat that spreads leaves ever slower ones.
    growth: (f64, usize),
    breach: Breach,
}

/// The independent parts of a problem and their breaches. All memory is reused.
#[derive(Debug, Default)]
pub(crate) struct Islands {
    buffers: Buffers,
    /// `|e_c·r_c|` of the full records, kept where there are deformable bodies, and what these add up (J).
    losses: Vec<f64>,
    keeps_losses: bool,
    soft: Vec<SoftSum>,
    /// Excess at each record, and the speed or, where groups hold it, the least that it is.
    speeds: Vec<[f64; 2]>,
    /// Contact and island of each record; while islands are joined, the bodies of each contact.
    places: Vec<[u32; 2]>,
    parent: Vec<u32>,
    /// Island of each body, by its root.
    number: Vec<u32>,
    sums: Vec<Sums>,
    /// Island of each contact.
    of: Vec<u32>,
    mass: Vec<f64>,
    /// Whether the islands of this problem are known.
    is_joined: bool,
}

impl Islands {
    /// The island of a contact of the problem.
    pub(crate) fn of(&self, contact: usize) -> usize {
        self.of[contact] as usize
    }

    /// Another problem follows.
    pub(super) const fn forget(&mut self) {
        self.is_joined = false;
    }

    /// The breach of each island, in the order of their first contacts.
    pub(crate) fn breaches(&self) -> impl ExactSizeIterator<Item = Breach> + '_ {
        self.sums.iter().map(|s| s.breach)
    }

    /// The worst of all.
    pub(crate) fn worst(&self) -> Breach {
        let mut worst = Breach::default();
        self.sums.iter().for_each(|s| worst.merge(&s.breach));
        worst
    }

    fn root(&mut self, mut body: u32) -> u32 {
        while self.parent[body as usize] != body {
            let above = self.parent[body as usize];
            self.parent[body as usize] = self.parent[above as usize];
            body = above;
        }
        body
    }

    /// Joins bodies that meet, the world left out; with a moving cell all of them. Deformable bodies are numbered after the others.
    fn join(
        &mut self,
        (bodies, contacts, records): (usize, usize, usize),
        at: impl Fn(usize) -> Place,
        all: bool,
        compliances: Option<&Compliances>,
    ) {
        let world = bodies as u32 - 1;
        self.parent.clear();
        let whole = bodies + compliances.map_or(0, |c| c.masses().len());
        self.parent.extend(0..whole as u32);
        for place in 0..records {
            let [a, b] = at(place).bodies;
            if a == world || b == world {
                continue;
            }
            let (a, b) = (self.root(a), self.root(b));
            self.parent[a.max(b) as usize] = a.min(b);
        }
        self.number.clear();
        self.number.resize(whole, u32::MAX);
        self.of.clear();
        self.of.resize(contacts, 0);
        self.sums.clear();
        if all {
            self.number.fill(0);
            self.sums.push(Sums::default());
            self.settle(records, at);
            return;
        }
        self.places.clear();
        self.places.resize(contacts, [world; 2]);
        for place in (0..records).map(&at) {
            self.places[place.contact as usize] = place.bodies;
        }
        self.join_compliances(world, compliances);
        for contact in 0..contacts {
            let [a, b] = self.places[contact];
            let body = if a == world { b } else { a };
            let root = self.root(body) as usize;
            if self.number[root] == u32::MAX {
                self.number[root] = self.sums.len() as u32;
                self.sums.push(Sums::default());
            }
            self.of[contact] = self.number[root];
        }
        self.settle(records, at);
    }

    /// Remembers the island of each record, and the largest `λ_c` of each island.
    fn settle(&mut self, records: usize, at: impl Fn(usize) -> Place) {
        let Self { places, of, sums, .. } = self;
        places.clear();
        places.extend((0..records).map(at).map(|place| {
            let island = of[place.contact as usize];
            let sums = &mut sums[island as usize];
            sums.lambda = sums.lambda.max(place.lambda);
            [place.contact, island]
        }));
    }

    /// Joins each deformable body with the bodies that it meets, and stands it in for the world at its contacts.
    fn join_compliances(&mut self, world: u32, compliances: Option<&Compliances>) {
        for (contact, number) in compliances.into_iter().flat_map(Compliances::links) {
            let body = world + 1 + number;
            for side in self.places[contact as usize] {
                if side != world {
                    let (a, b) = (self.root(side), self.root(body));
                    self.parent[a.max(b) as usize] = a.min(b);
                }
            }
            if let Some(side) = self.places[contact as usize].iter_mut().find(|side| **side == world) {
                *side = body;
            }
        }
    }

    /// Mass of each island.
    fn weigh(&mut self, all: bool) {
        for body in 0..self.mass.len() {
            let mass = self.mass[body];
            let root = self.root(body as u32) as usize;
            let number = if all { 0 } else { self.number[root] };
            if let Some(sums) = self.sums.get_mut(number as usize) {
                sums.mass += mass;
            }
        }
    }

    /// The least speed of what is prescribed at the contacts of each island, and the greatest of growth: contacts, and speeds above 0 (m/s).
    fn take_drives(&mut self, drives: &[(u32, f64)], growth: &[(u32, f64)]) {
        for &(contact, speed) in drives {
            let drive = &mut self.sums[self.of[contact as usize] as usize].drive;
            if drive.0 == 0.0 || speed < drive.0 {
                *drive = (speed, contact as usize);
            }
        }
        for &(contact, speed) in growth {
            let growth = &mut self.sums[self.of[contact as usize] as usize].growth;
            if speed > growth.0 {
                *growth = (speed, contact as usize);
            }
        }
    }

    /// Another look begins.
    fn begin(&mut self) {
        for sums in &mut self.sums {
            *sums = Sums { mass: sums.mass, lambda: sums.lambda, drive: sums.drive, growth: sums.growth, ..Sums::default() };
        }
        self.speeds.clear();
        if self.speeds.capacity() < self.places.len() {
            // an eighth more, so that the next that are a few more find room
            self.speeds.reserve_exact(self.places.len() + self.places.len() / 8);
        }
    }

    /// Adds what was seen of the next records.
    fn add_chunk(&mut self, chunk: &Chunk<'_>, places: &[[u32; 2]]) {
        match *chunk {
            Chunk::Each(sights) => self.add(sights, places),
            Chunk::Whole { island, sums: [loss, work, own, blur, squares @ .., hidden], speeds } => {
                let sums = &mut self.sums[island as usize];
                sums.loss += loss;
                sums.work += work;
                sums.own += own;
                sums.blur += blur;
                (0..5).for_each(|k| sums.squares[k] += squares[k]);
                sums.hidden += hidden;
                self.speeds.extend_from_slice(speeds);
            }
        }
    }

    /// Adds what was seen of the next records, in their order.
    fn add(&mut self, sights: &[Sight], places: &[[u32; 2]]) {
        let Self { speeds, sums, losses, keeps_losses, .. } = self;
        if *keeps_losses {
            losses.extend(sights.iter().map(|sight| sight.loss));
        }
        for ([_, island], sight) in places[speeds.len()..].iter().zip(sights) {
            let sums = &mut sums[*island as usize];
            sums.work += sight.work;
            sums.loss += sight.loss;
            sums.own += sight.own;
            sums.blur += sight.blur;
            (0..5).for_each(|k| sums.squares[k] += sight.squares[k]);
            sums.hidden += sight.hidden;
        }
        speeds.extend(sights.iter().map(|sight| [sight.excess, sight.speed]));
    }

    /// Sees the next records one by one and adds them, some at a time: what is seen need not leave the processor.
    fn see(&mut self, (records, places): (Range<usize>, &[[u32; 2]]), one: impl Fn(usize) -> Sight + Sync) {
        let mut sights = std::mem::take(&mut self.buffers.sights);
        let threads = rayon::current_num_threads();
        let at_once = if threads > 1 { AT_ONCE } else { CHUNK };
        for start in records.clone().step_by(at_once) {
            sights.clear();
            sights.resize(at_once.min(records.end - start), Sight::default());
            let set = |(k, sight): (usize, &mut Sight)| *sight = one(start + k);
            if sights.len() > CHUNK && threads > 1 {
                sights.par_iter_mut().with_min_len(CHUNK).enumerate().for_each(set);
            } else {
                sights.iter_mut().enumerate().for_each(set);
            }
            self.add(&sights, places);
        }
        self.buffers.sights = sights;
    }

    /// Ratios, with what a moving cell adds to `Z`; `speed` tells the speed at a record of which the least is known.
    fn add_up(&mut self, cell: f64, yields: bool, speed: impl Fn(usize, f64) -> f64 + Sync) {
        for sums in &mut self.sums {
            sums.work = positive(sums.work + cell);
            // Where no free body is held (between prescribed ones, in bonds that pull at each other) forces are compared with themselves.
            let whole = if sums.work > sums.blur { sums.work } else { sums.own };
            sums.breach.work = ratio(sums.loss, whole);
            if sums.soft > sums.breach.work || sums.soft.is_nan() {
                sums.breach.work = sums.soft;
            }
            let [f, r, u, q, floor] = sums.squares;
            sums.breach.scaled = if f <= floor { 0.0 } else { (f / r.max(u).max(q)).sqrt() };
            let per_mass = if sums.mass > 0.0 { sums.work / sums.mass } else { sums.work * sums.lambda };
            sums.pace = per_mass.sqrt();
            sums.jams = !yields && sums.own > CANCELS * sums.work;
        }
        let Self { places, speeds, sums, .. } = self;
        if let [only] = &mut sums[..]
            && places.len() > AT_ONCE
            && rayon::current_num_threads() > 1
        {
            let pace = only.pace;
            let parts = places.par_chunks(AT_ONCE).zip(speeds.par_chunks(AT_ONCE)).enumerate().map(|(part, (places, speeds))| {
                let mut breach = Breach::default();
                for (k, (place, seen)) in places.iter().zip(speeds).enumerate() {
                    breach.see(place[0], seen, pace, || speed(part * AT_ONCE + k, seen[1]));
                }
                breach
            });
            // the first of the worst, as one after another
            let parts: Vec<_> = parts.collect();
            parts.iter().for_each(|part| only.breach.keep(part.speed, part.contact));
        } else {
            for (k, ([contact, island], seen)) in places.iter().zip(&*speeds).enumerate() {
                let sums = &mut sums[*island as usize];
                sums.breach.see(*contact, seen, sums.pace, || speed(k, seen[1]));
            }
        }
        self.hold_against_drives();
    }

    /// The largest excess of each island, and what its roundings hide, over the speed of what is prescribed there. Where bodies jam that speed alone counts,
    /// however fast they would be without contacts.
    fn hold_against_drives(&mut self) {
        if self.sums.iter().all(|sums| sums.drive.0 == 0.0 && sums.growth.0 == 0.0) {
            return;
        }
        for ([_, island], [excess, _]) in self.places.iter().zip(&self.speeds) {
            let Sums { drive: (speed, contact), growth, pace, jams, breach, .. } = &mut self.sums[*island as usize];
            if growth.0 > 0.0 {
                let whole = if *jams { growth.0 } else { growth.0.max(*pace) };
                breach.of_growth = breach.of_growth.max(*excess / whole);
            }
            if *speed > AT_REST * *pace && *excess > breach.of_drive * *speed {
                (breach.of_drive, breach.drive) = (*excess / *speed, *contact);
            }
        }
        for Sums { drive, growth, pace, jams, breach, hidden, squares, .. } in &mut self.sums {
            let moves = [*drive, *growth].into_iter().filter(|(speed, _)| *speed > AT_REST * *pace);
            if let Some((speed, contact)) = moves.reduce(|a, b| if b.0 < a.0 { b } else { a }) {
                let whole = if *jams { speed } else { speed.max(*pace) };
                breach.hidden = ratio(*hidden, squares[1]).sqrt() / whole;
                breach.hider = contact;
            }
        }
    }

    /// Squares of `F`, `r` and `ρu` over all islands.
    fn scaled_sum(&self) -> ScaledSum {
        let mut total = [0.0; 3];
        self.sums.iter().for_each(|sums| (0..3).for_each(|k| total[k] += sums.squares[k]));
        ScaledSum::of(total)
    }
}

/// Below one by some roundings.
const BELOW: f64 = 1.0 - 8.0 * f64::EPSILON;

/// What is nothing is nothing, whatever it is compared with.
fn ratio(part: f64, whole: f64) -> f64 {
    if part == 0.0 { 0.0 } else { part / whole }
}

impl System {
    /// Looks at every law, with the velocities as they are ([`System::rebuild`] first to have them afresh from the impulses).
    pub(crate) fn look_at_islands<const D: usize>(&mut self) -> &Islands {
        self.look::<D, false>();
        &self.islands
    }

    /// The same, with the sums of [`System::scaled_sum`].
    pub(crate) fn look_and_sum<const D: usize>(&mut self) -> ScaledSum {
        if !(self.full.is_empty() && self.angular.is_empty()) {
            let sum = self.scaled_sum::<D>();
            self.look::<D, false>();
            return sum;
        }
        self.look::<D, false>();
        self.islands.scaled_sum()
    }

    /// The same as a look; where it `JUDGES`, the sums of the error over the contacts that groups hold, which are seen at once.
    pub(super) fn look<const D: usize, const JUDGES: bool>(&mut self) -> ErrorSum {
        self.show_cell::<D>();
        self.show_compliances::<D>();
        self.bound_angular::<D>();
        self.show_full();
        let mut islands = std::mem::take(&mut self.islands);
        let counts = self.counts();
        let all = self.cell.is_some();
        if !islands.is_joined {
            let sizes = (self.lines.len(), counts[0] + counts[1], counts.iter().sum());
            islands.join(sizes, |record| self.place(counts, record), all, self.compliances.as_ref());
            self.masses(&mut islands.mass);
            islands.weigh(all);
            islands.take_drives(&self.drives, &self.growth);
            islands.is_joined = true;
        }
        islands.begin();
        let mut sum = ErrorSum::default();
        let (mut buffers, places) = (std::mem::take(&mut islands.buffers), std::mem::take(&mut islands.places));
        let mut bare = std::mem::take(&mut self.bare);
        let is_plain = bare.is_empty();
        let free = if is_plain { &mut self.free } else { &mut bare.free };
        let runs = self.runs.iter().enumerate().filter(|(_, run)| run.kernel == Kernel::Diagonal);
        for (number, run) in runs {
            let (lines, range) = ([&mut self.lines[..], &mut free[..]], run.start..run.end);
            let of_run = (&self.diagonal_tags[range.clone()], &places[range]);
            // groups know no shifts: where there are any their records are seen one by one, and the groups are asked for the error alone
            let asks = is_plain || JUDGES;
            let seen = asks
                && self.groups.look::<D, JUDGES>(number, lines, of_run, &mut buffers, |chunk, of| {
                    if is_plain {
                        islands.add_chunk(&chunk, &places);
                    }
                    sum.merge(&of);
                });
            if seen && is_plain {
                continue;
            }
            bare.records.clear();
            let held = self.groups.give_records(number, run, &self.lines, &mut bare.records);
            let records = if held { &bare.records[..] } else { &self.diagonal[run.stored()] };
            let (now, free) = (Shared(&self.lines), Shared(&*free));
            let one = |k: usize| {
                let (tag, record) = (&self.diagonal_tags[k], &records[k - run.start]);
                record.sight::<D>(tag.lambda_max, (&now, &free), (self.groups.rounding, &bare.shifts.of(tag.contact)))
            };
            std::mem::swap(&mut islands.buffers, &mut buffers);
            islands.see((run.start..run.end, &places), one);
            std::mem::swap(&mut islands.buffers, &mut buffers);
        }
        islands.buffers = buffers;
        let (now, free) = (Shared(&self.lines), Shared(if is_plain { &self.free } else { &bare.free }));
        islands.losses.clear();
        islands.keeps_losses = self.compliances.is_some();
        islands.see((0..counts[1], &places), |k| {
            let (tag, soft) = (&self.full_tags[k], self.soft_sight::<D>(k));
            let of = (&soft, self.groups.rounding, &bare.shifts.of(tag.contact));
            self.full[k].sight::<D>(tag.lambda_max, &self.laws, (&now, &free), of)
        });
        islands.keeps_losses = false;
        if let Some(compliances) = &self.compliances {
            let Islands { losses, soft, sums, of, .. } = &mut islands;
            let of_record = |k: usize| (self.full_tags[k].lambda_max, bare.shifts.of(self.full_tags[k].contact).impulse);
            compliances.miss::<D>((&self.full, losses), of_record, soft, |contact, [missed, unseen]| {
                let sums = &mut sums[of[contact as usize] as usize];
                if missed > sums.soft || missed.is_nan() {
                    sums.soft = missed;
                }
                if unseen > sums.breach.unseen {
                    (sums.breach.unseen, sums.breach.unseen_at) = (unseen, contact as usize);
                }
            });
        }
        islands.see((0..counts[2], &places), |k| {
            let tag = &self.angular_tags[k];
            self.angular[k].sight::<D>(tag.lambda_max, (&now, &free), bare.shifts.of(tag.contact).gross)
        });
        islands.places = places;
        self.bare = bare;
        let speed = |record: usize, least: f64| {
            let is_here = |(_, run): &(usize, &Run)| run.kernel == Kernel::Diagonal && (run.start..run.end).contains(&record);
            let of = self.runs.iter().enumerate().find(is_here).filter(|_| is_plain && record < counts[0]);
            of.and_then(|(number, run)| self.groups.speed::<D>(number, record - run.start, [&self.lines, &self.free]))
                .unwrap_or(least)
        };
        islands.add_up(self.cell.as_ref().map_or(0.0, super::cell::CellSystem::work), self.groups.rounding > 0.0, speed);
        self.islands = islands;
        sum
    }

    /// What the islands ask of a record: diagonal ones first, then full, then angular.
    fn place(&self, counts: [usize; 3], record: usize) -> Place {
        let of =
            |tag: &Tag, length: f64| Place { contact: tag.contact, bodies: tag.bodies, lambda: tag.lambda_max * length * length };
        if let Some(k) = record.checked_sub(counts[0] + counts[1]) {
            return of(&self.angular_tags[k], self.angular[k].length);
        }
        if let Some(k) = record.checked_sub(counts[0]) {
            return of(&self.full_tags[k], 1.0);
        }
        of(&self.diagonal_tags[record], 1.0)
    }

    /// Mass of each body along the axis on which it is lightest; zero for the driven, and for those that only turn. Then those of the
    /// deformable bodies.
    fn masses(&self, out: &mut Vec<f64>) {
        let one = |(line, inertia): (&super::bodies::BodyLine, &super::bodies::BodyInertia)| {
            let most = inertia.inverse_mass_yz.iter().fold(line.get(6), |m, x| m.max(*x));
            if most > 0.0 { 1.0 / most } else { 0.0 }
        };
        out.clear();
        out.extend(self.free.iter().zip(&self.inertia).map(one));
        out.extend(self.compliances.iter().flat_map(Compliances::masses));
    }

    /// What was seen last.
    pub(crate) const fn islands(&self) -> &Islands {
        &self.islands
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use crate::random::SplitMix;

    /// The first of the contacts that are worst, and the first NaN, whoever sees it.
    #[test]
    fn the_worst_is_the_same_on_any_number_of_threads() {
        const MANY: usize = 3 * AT_ONCE + 77;
        for nan in [None, Some(2 * AT_ONCE + 5)] {
            let worst = |threads: usize| {
                let mut random = SplitMix::new(3);
                let mut next = || (random.next() % 1_000) as f64;
                let mut islands = Islands { sums: vec![Sums { mass: 2.0, work: 1e4, ..Sums::default() }], ..Islands::default() };
                // many are equally bad
                islands.speeds = (0..MANY).map(|_| [next() % 50.0, 1.0 + next() % 90.0]).collect();
                islands.places = (0..MANY).map(|k| [k as u32 ^ 1, 0]).collect();
                if let Some(nan) = nan {
                    islands.speeds[nan][0] = f64::NAN;
                }
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| islands.add_up(0.0, false, |_, speed| speed));
                let Breach { speed, contact, .. } = islands.worst();
                (speed.to_bits(), contact)
            };
            let one = worst(1);
            assert!(nan.is_none_or(|nan| one.1 == nan ^ 1) && f64::from_bits(one.0) != 0.0);
            assert_eq!(one, worst(2));
            assert_eq!(one, worst(3));
        }
    }
}
