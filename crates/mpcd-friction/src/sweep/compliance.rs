//! Deformable bodies in a sweep. What they add to the velocity of a contact enters the shift of its record (one of the full kernel) just
//! before the record is visited, and follows the change of its impulse just after; so the kernels know nothing of it, and problems without
//! deformable bodies pay nothing for it.
//!
//! An impulse moves all contacts of its body. So these contacts go through the sweep one after another, behind the colours, in the order in
//! which they were given: the same bits on any number of threads. Matrices are kept in the frames of the records.

use nalgebra::Vector3;

use super::block::{Block, largest_eigenvalue};
use super::bodies::{BodyLine, Exclusive};
use super::full::FullRecord;
use super::passes::{Direction, Visit};
use super::sight::{OF_IMPULSE, positive};
use super::system::{Run, Splitting, System};
use super::vector::V3;
use crate::problem::{ContactProblem, Place, Places};

/// What the compliances of a contact add to its block, in the contact's frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct SoftPart {
    /// Itself, and as often as contacts respond together.
    pub(super) own: Block,
    pub(super) shared: Block,
}

/// What a record of the full kernel is to the compliances.
#[derive(Debug, Clone, Copy)]
struct Row {
    /// Shift of the record with all of them at rest.
    base: V3,
    places: Places,
}

/// One deformable body, `D` numbers for each of its contacts.
#[derive(Debug, Clone, Default)]
struct Soft {
    /// By columns.
    matrix: Vec<f64>,
    /// What it adds to the velocities now, and without impulses.
    velocity: Vec<f64>,
    free: Vec<f64>,
    /// The same without the shifts of the impulses.
    bare: Vec<f64>,
    /// Its contacts in the problem, and their tangents' turn from the contact's frame to the record's: cosine and sine.
    contacts: Vec<u32>,
    turns: Vec<[f64; 2]>,
    /// Of rigid bodies that joints hold together.
    is_rigid: bool,
    /// λ_max(C_cc) of each.
    own: Vec<f64>,
    /// Effective mass (kg).
    mass: f64,
}

/// The deformable bodies of a compiled system.
#[derive(Debug, Clone, Default)]
pub(super) struct Compliances {
    bodies: Vec<Soft>,
    /// One for each record of the full kernel.
    rows: Vec<Row>,
    /// Of the problem's contacts.
    places: Vec<Places>,
}

/// How the deformable bodies at a contact move: what impulses changed of its velocity (in the record's frame), the greater change on
/// a side, and the sum of the speeds.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SoftSight {
    pub(super) moved: V3,
    pub(super) change: f64,
    pub(super) speed: f64,
}

/// So many roundings of the greatest impulse on a body a contact may miss: what solvers leave of it.
const ROUNDINGS: f64 = 10.0;

/// What is added up over the contacts of a deformable body: its greatest impulse (N s), the work of its giving way, what its contacts miss of that, and what rounding hides (J).
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SoftSum {
    largest: f64,
    work: f64,
    missed: f64,
    unseen: f64,
}

/// Tangential components turned by an angle of this cosine and sine.
fn turned<const D: usize>(x: &V3, [c, s]: [f64; 2]) -> V3 {
    if D == 2 { *x } else { [x[0], c * x[1] + s * x[2], c * x[2] - s * x[1]] }
}

impl Soft {
    fn at<const D: usize>(of: &[f64], at: usize) -> V3 {
        let mut x = [0.0; 3];
        x[..D].copy_from_slice(&of[D * at..D * (at + 1)]);
        x
    }

    /// The velocities follow a change of the impulse at one contact.
    fn follow<const D: usize>(&mut self, at: usize, change: &V3) {
        if change[..D].iter().all(|x| *x == 0.0) {
            return;
        }
        let size = self.velocity.len();
        let columns = &self.matrix[D * at * size..D * (at + 1) * size];
        let (first, rest) = columns.split_at(size);
        let (second, third) = rest.split_at(size);
        if D == 2 {
            for ((v, a), b) in self.velocity.iter_mut().zip(first).zip(second) {
                *v += a * change[0] + b * change[1];
            }
        } else {
            for (((v, a), b), c) in self.velocity.iter_mut().zip(first).zip(second).zip(third) {
                *v += a * change[0] + b * change[1] + c * change[2];
            }
        }
    }

    /// Takes the matrix and the free velocities of a compliance, the turns being known.
    fn fill<const D: usize>(&mut self, problem: &ContactProblem, index: usize) {
        let compliance = &problem.compliances[index];
        let n = compliance.contacts.len();
        self.matrix.clear();
        self.matrix.resize(D * n * D * n, 0.0);
        for b in 0..n {
            for a in 0..n {
                let block = compliance.block(a, b);
                let columns: [V3; 3] = std::array::from_fn(|j| turned::<D>(&block.column(j).into_owned().into(), self.turns[a]));
                for i in 0..D {
                    let row = turned::<D>(&columns.map(|column| column[i]), self.turns[b]);
                    for (j, value) in row.iter().enumerate().take(D) {
                        self.matrix[(D * b + j) * D * n + D * a + i] = *value;
                    }
                }
            }
        }
        self.velocity.clear();
        for (at, v) in compliance.velocity.iter().enumerate() {
            self.velocity.extend_from_slice(&turned::<D>(&(*v).into(), self.turns[at])[..D]);
        }
        self.bare.clone_from(&self.velocity);
        // The law sees the sum of impulse and shift, bodies the impulse alone.
        for (at, &contact) in compliance.contacts.iter().enumerate() {
            let shift = problem.contacts[contact].impulse_shift;
            self.follow::<D>(at, &turned::<D>(&(-shift).into(), self.turns[at]));
        }
        self.free.clone_from(&self.velocity);
        self.is_rigid = compliance.is_rigid;
        self.own.clear();
        self.own.extend((0..n).map(|at| largest_eigenvalue::<D>(&own_block::<D>(problem, index, at))));
        self.mass = self.own.iter().copied().map(inverse).sum();
    }
}

fn inverse(x: f64) -> f64 {
    if x > 0.0 { 1.0 / x } else { 0.0 }
}

/// `C_cc` of a contact, in its frame; rows and columns beyond `D` are zero.
fn own_block<const D: usize>(problem: &ContactProblem, compliance: usize, at: usize) -> Block {
    let block = problem.compliances[compliance].block(at, at);
    std::array::from_fn(|i| std::array::from_fn(|j| if i < D && j < D { block[(i, j)] } else { 0.0 }))
}

impl Compliances {
    /// Starts compiling a problem; the memory of the last one is used again.
    pub(super) fn begin(problem: &ContactProblem, old: Option<Self>) -> Option<Self> {
        if problem.compliances.is_empty() {
            return None;
        }
        let mut out = old.unwrap_or_default();
        out.rows.clear();
        out.places = problem.places();
        out.bodies.resize_with(problem.compliances.len(), Soft::default);
        for (body, compliance) in out.bodies.iter_mut().zip(&problem.compliances) {
            body.contacts.clear();
            body.contacts.extend(compliance.contacts.iter().map(|c| *c as u32));
            body.turns.clear();
            body.turns.resize(compliance.contacts.len(), [1.0, 0.0]);
        }
        Some(out)
    }

    /// Whether a contact of the problem is in one.
    pub(super) fn holds(&self, contact: usize) -> bool {
        self.places[contact][0].is_some()
    }

    /// What they add to the block of a contact.
    pub(super) fn part<const D: usize>(
        &self,
        problem: &ContactProblem,
        contact: usize,
        splitting: Splitting,
    ) -> Option<SoftPart> {
        if !self.holds(contact) {
            return None;
        }
        let mut part = SoftPart { own: [[0.0; 3]; 3], shared: [[0.0; 3]; 3] };
        for place in self.places[contact].iter().flatten() {
            let block = own_block::<D>(problem, place.compliance, place.at);
            let together = match splitting {
                Splitting::None => 1.0,
                // n blocks on the diagonal bound a positive matrix of n × n blocks
                Splitting::Mass => self.bodies[place.compliance].contacts.len() as f64,
            };
            for i in 0..D {
                for j in 0..D {
                    part.own[i][j] += block[i][j];
                    part.shared[i][j] += together * block[i][j];
                }
            }
        }
        Some(part)
    }

    /// Takes up the record of the full kernel that was compiled last.
    pub(super) fn push<const D: usize>(&mut self, problem: &ContactProblem, contact: usize, record: &FullRecord) {
        let places = self.places[contact];
        self.rows.push(Row { base: record.shift, places });
        if D == 2 {
            return;
        }
        let frame = &problem.contacts[contact].frame;
        let tangent = Vector3::from(record.tangent);
        for place in places.iter().flatten() {
            self.bodies[place.compliance].turns[place.at] = [frame.tangent().dot(&tangent), frame.binormal().dot(&tangent)];
        }
    }

    /// All records being there.
    pub(super) fn end<const D: usize>(&mut self, problem: &ContactProblem) {
        self.bodies.iter_mut().enumerate().for_each(|(k, body)| body.fill::<D>(problem, k));
    }

    /// Sets the shift of a record: what it is without them, and their velocity.
    #[inline(always)]
    fn show_one<const D: usize>(&self, k: usize, record: &mut FullRecord) {
        let row = &self.rows[k];
        let mut shift = row.base;
        for place in row.places.iter().flatten() {
            let velocity = &self.bodies[place.compliance].velocity[D * place.at..D * (place.at + 1)];
            for (s, v) in shift.iter_mut().zip(velocity) {
                *s += v;
            }
        }
        record.shift = shift;
    }

    /// Shows every record the velocities as they are.
    fn show<const D: usize>(&self, full: &mut [FullRecord]) {
        for (k, record) in full.iter_mut().enumerate().filter(|(k, _)| self.rows[*k].places[0].is_some()) {
            self.show_one::<D>(k, record);
        }
    }

    fn follow<const D: usize>(&mut self, k: usize, change: &V3) {
        for place in self.rows[k].places.iter().flatten() {
            self.bodies[place.compliance].follow::<D>(place.at, change);
        }
    }

    /// The velocities afresh from the impulses.
    fn rebuild<const D: usize>(&mut self, full: &[FullRecord]) {
        self.bodies.iter_mut().for_each(|body| body.velocity.clone_from(&body.free));
        for (k, record) in full.iter().enumerate() {
            self.follow::<D>(k, &record.impulse);
        }
    }

    /// Visits one run of their records with the bodies as they are then; see [`super::passes::visit_run`].
    pub(super) fn visit_run<const D: usize, V: Visit<FullRecord>>(
        &mut self,
        (records, traces): (&mut [FullRecord], &mut [V::Trace]),
        lines: &mut [BodyLine],
        run: &Run,
        direction: Direction,
        visit: V,
        sums: &mut Vec<V::Sum>,
    ) {
        let (mut bodies, mut sum) = (Exclusive(lines), V::Sum::default());
        let mut one = |(k, (record, trace)): (usize, (&mut FullRecord, &mut V::Trace))| {
            visit.lead(record, trace);
            self.show_one::<D>(k, record);
            let before = record.impulse;
            visit.visit(record, trace, &mut bodies, &mut sum);
            let after = &record.impulse;
            self.follow::<D>(k, &[after[0] - before[0], after[1] - before[1], after[2] - before[2]]);
        };
        let all = records.iter_mut().zip(traces);
        match direction {
            Direction::Forward => (run.start..run.end).zip(all).for_each(&mut one),
            Direction::Backward => (run.start..run.end).zip(all).rev().for_each(&mut one),
        }
        sums.push(sum);
    }

    /// Moves the velocities on by `beta` times what they changed since `before`, which takes their place.
    pub(super) fn carry(&mut self, before: &mut Vec<f64>, beta: f64) {
        let numbers = self.bodies.iter().map(|body| body.velocity.len()).sum();
        before.resize(numbers, 0.0);
        let velocities = self.bodies.iter_mut().flat_map(|body| &mut body.velocity);
        for (velocity, before) in velocities.zip(before) {
            let now = *velocity;
            *velocity = now + beta * (now - *before);
            *before = now;
        }
    }

    /// What is to be seen of them at a record.
    pub(super) fn sight<const D: usize>(&self, k: usize) -> SoftSight {
        let mut sight = SoftSight::default();
        let size = |x: &V3| x.iter().map(|v| v * v).sum::<f64>().sqrt();
        for place in self.rows[k].places.iter().flatten() {
            let body = &self.bodies[place.compliance];
            let [now, free, bare] = [&body.velocity, &body.free, &body.bare].map(|of| Soft::at::<D>(of, place.at));
            let moved = [now[0] - bare[0], now[1] - bare[1], now[2] - bare[2]];
            (0..3).for_each(|i| sight.moved[i] += moved[i]);
            sight.change = sight.change.max(size(&moved));
            sight.speed += size(&now).max(size(&free));
        }
        sight
    }

    /// Calls `visit` for each deformable body with one of its contacts and two parts of the work `Σ r·C r` of its giving way, which tells how contacts share what they
    /// hold: what they miss, `Σ |e_c·r_c|` less what rounding leaves of the greatest impulse on the body, and what that rounding is. What a contact misses is of both its sides as they
    /// give way there. `losses` are the `|e_c·r_c|`, `of` says `λ_c` of a record and what its law sees beyond the impulse.
    pub(super) fn miss<const D: usize>(
        &self,
        (full, losses): (&[FullRecord], &[f64]),
        of: impl Fn(usize) -> (f64, V3),
        sums: &mut Vec<SoftSum>,
        mut visit: impl FnMut(u32, [f64; 2]),
    ) {
        sums.clear();
        sums.resize(self.bodies.len(), SoftSum::default());
        let size = |record: &FullRecord| record.impulse[..D].iter().map(|x| x * x).sum::<f64>().sqrt();
        for (record, row) in full.iter().zip(&self.rows) {
            for place in row.places.iter().flatten() {
                let largest = &mut sums[place.compliance].largest;
                *largest = largest.max(size(record));
            }
        }
        for (k, (record, row)) in full.iter().zip(&self.rows).enumerate() {
            // what joints hold is rigid, however its compliance reads
            let own = |place: &Place| {
                let body = &self.bodies[place.compliance];
                if body.is_rigid { 0.0 } else { body.own[place.at] }
            };
            let both: f64 = row.places.iter().flatten().map(own).sum();
            if both <= 0.0 {
                continue;
            }
            let (lambda, beyond) = of(k);
            let beyond = record.local::<D>(&beyond);
            for place in row.places.iter().flatten() {
                let body = &self.bodies[place.compliance];
                let [now, bare] = [&body.velocity, &body.bare].map(|of| Soft::at::<D>(of, place.at));
                let sum = &mut sums[place.compliance];
                sum.work += (0..D).map(|i| (record.impulse[i] - beyond[i]) * (now[i] - bare[i])).sum::<f64>();
                let (part, unseen) = (own(place) / both, OF_IMPULSE * lambda * sum.largest * size(record));
                sum.missed += part * positive(losses[k] - ROUNDINGS * unseen);
                sum.unseen += part * unseen;
            }
        }
        for (body, sum) in self.bodies.iter().zip(&*sums).filter(|(body, _)| !body.is_rigid) {
            if let Some(contact) = body.contacts.first() {
                let of_work = |x: f64| if x > 0.0 && sum.work > 0.0 { x / sum.work } else { 0.0 * x };
                visit(*contact, [of_work(sum.missed), of_work(sum.unseen)]);
            }
        }
    }

    /// Each of their contacts, with the number of its body.
    pub(super) fn links(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.bodies.iter().enumerate().flat_map(|(k, body)| body.contacts.iter().map(move |contact| (*contact, k as u32)))
    }

    /// Their effective masses: of each contact's block `C_cc` that along its lightest direction, added up (kg).
    pub(super) fn masses(&self) -> impl ExactSizeIterator<Item = f64> + '_ {
        self.bodies.iter().map(|body| body.mass)
    }

    /// Numbers that a sweep goes through.
    fn entries(&self) -> usize {
        self.bodies.iter().map(|body| body.matrix.len()).sum()
    }

    fn write_back<const D: usize>(&self, problem: &mut ContactProblem) {
        for (body, target) in self.bodies.iter().zip(&mut problem.compliances) {
            for (at, velocity) in target.velocity.iter_mut().enumerate() {
                let [c, s] = body.turns[at];
                let local = turned::<D>(&Soft::at::<D>(&body.velocity, at), [c, -s]);
                velocity.as_mut_slice()[..D].copy_from_slice(&local[..D]);
            }
        }
    }
}

impl System {
    /// Shows the records the deformable bodies as they move now, where there are any.
    pub(super) fn show_compliances<const D: usize>(&mut self) {
        if let Some(compliances) = &self.compliances {
            compliances.show::<D>(&mut self.full);
        }
    }

    /// The velocities of the deformable bodies afresh from the impulses.
    pub(super) fn rebuild_compliances<const D: usize>(&mut self) {
        if let Some(compliances) = &mut self.compliances {
            compliances.rebuild::<D>(&self.full);
        }
        self.show_compliances::<D>();
    }

    /// Writes what deformable bodies add to the velocities back into the problem.
    pub(super) fn write_compliances<const D: usize>(&self, problem: &mut ContactProblem) {
        if let Some(compliances) = &self.compliances {
            compliances.write_back::<D>(problem);
        }
    }

    /// What is to be seen of deformable bodies at a record of the full kernel.
    pub(super) fn soft_sight<const D: usize>(&self, k: usize) -> SoftSight {
        self.compliances.as_ref().map_or(SoftSight::default(), |c| c.sight::<D>(k))
    }

    /// Effective mass of the deformable bodies (kg).
    pub(crate) fn soft_mass(&self) -> f64 {
        self.compliances.iter().flat_map(Compliances::masses).sum()
    }

    /// Entries of the matrices of deformable bodies, which a sweep goes through.
    pub(crate) fn compliance_entries(&self) -> usize {
        self.compliances.as_ref().map_or(0, Compliances::entries)
    }
}
