//! The contact problem as a stored one: M and H by bodies, W by contacts, from nodes and contacts as plain data.
//!
//! The unknowns of a body are its free translations along the world axes and its free rotations about the principal axes
//! of its inverse inertia, so that M is diagonal; locked motions go into the velocity shift. A cell whose lengths move is one body more, with its
//! rates as unknowns, that every contact sees through its branch; prescribed rates go into the velocity shift. A compliance is a spring
//! between the bodies: an unknown of mass 1/c that the impulse of its component moves by c r. Deformable bodies: [`super::soft_form`]. The impulses are the
//! shifted ones, `r̃ = r + impulse_shift`, to which the law applies.

use nalgebra::Vector3;

use super::block::{Block, BlockMatrix};
use super::bodies::{BodyForm, Lever};
use super::border::AXES;
use super::global::GlobalProblem;
use super::prepared::PreparedProblem;
use super::problem::{LocalError, LocalProblem};
use super::soft_form::SoftForm;
use super::sprung::Sprung;
use super::{matrix_from_entries, newton::NewtonSystem};
use crate::Cone;
use crate::law::Springs;
use crate::problem::{Body, Contact, ContactProblem, InverseInertia, Response, Side};

/// An inverse inertia below this share of the body's largest one is a locked axis.
const LOCKED: f64 = 1e-12;

/// A contact whose law is not Coulomb's: a stored problem cannot say it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("contact {contact} is {kind}; a stored problem knows Coulomb's law alone (without friction too)")]
pub struct NotCoulomb {
    /// Index of the contact.
    pub contact: usize,
    /// What it is.
    pub kind: &'static str,
}

const BILATERAL: &str = "bilateral";
const CONVEX: &str = "under the convex law";
const TURNING: &str = "under a law of turning (rolling, spinning, weld)";
const OWN_LAW: &str = "under a law of its own";
const MANY_BONDS: &str = "one of more bonds than are taken out at once";

impl NotCoulomb {
    /// The stage by which a report says why there was no Newton.
    pub(crate) fn stays_with_sweeps(&self) -> &'static str {
        match self.kind {
            BILATERAL => "sweeps only: bilateral contacts",
            CONVEX => "sweeps only: convex law",
            TURNING => "sweeps only: laws of turning",
            MANY_BONDS => "sweeps only: many bonds",
            _ => "sweeps only: laws of users",
        }
    }
}

/// Rows of W up to which springs beside contacts are taken out: it is dense without them.
const MOST_ROWS: usize = 4_000;

/// Row, column and value of a matrix.
type Entry = (usize, usize, f64);

/// One motion of a body: velocity `axis` of the centre, or rotation about `axis`.
#[derive(Debug, Clone, Copy)]
struct Motion {
    axis: Vector3<f64>,
    is_turn: bool,
    inverse_mass: f64,
    velocity: f64,
}

impl Motion {
    /// Velocity of the point at `lever` for a unit of this motion.
    fn at(&self, lever: &Vector3<f64>) -> Vector3<f64> {
        if self.is_turn { self.axis.cross(lever) } else { self.axis }
    }
}

/// M, H and the free motion of a contact problem, contact dimension `D`.
#[derive(Debug, Clone)]
pub struct RigidForm<const D: usize> {
    bodies: BodyForm<D>,
    /// Inverse masses and free velocities of the unknowns, body by body.
    inverse: Vec<f64>,
    velocity: Vec<f64>,
    starts: Vec<usize>,
    /// The nodes from here on are springs.
    springs: usize,
    /// Deformable bodies, and the nodes of those that are nodes, from here on.
    soft: Vec<SoftForm<D>>,
    soft_nodes: usize,
    shift: Vec<[f64; D]>,
    impulse_shift: Vec<[f64; D]>,
    /// [`ContactProblem::gross_speeds`].
    gross: Vec<f64>,
    impulses: Vec<[f64; D]>,
    friction: Vec<f64>,
    /// Springs beside contacts.
    sprung: Vec<(usize, Springs)>,
}

impl<const D: usize> RigidForm<D> {
    /// As [`Self::new`], of contacts with springs beside them too ([`Springs`]).
    ///
    /// # Errors
    /// [`NotCoulomb`], naming the first contact under another law.
    pub(crate) fn with_springs(problem: &ContactProblem) -> Result<Self, NotCoulomb> {
        let springs = |contact: &Contact| match contact.response {
            Response::Law(law) if contact.angular().is_none() => problem.laws[law].springs(),
            _ => None,
        };
        let sprung: Vec<(usize, Springs)> =
            problem.contacts.iter().enumerate().filter_map(|(k, contact)| Some((k, springs(contact)?))).collect();
        if sprung.is_empty() {
            return Self::new(problem);
        }
        if D * problem.contacts.len() > MOST_ROWS {
            return Err(NotCoulomb { contact: sprung[0].0, kind: MANY_BONDS });
        }
        let mut plain = problem.clone();
        for (contact, springs) in &sprung {
            plain.contacts[*contact].response = Response::Cone(Cone::coulomb(springs.friction));
        }
        Ok(Self { sprung, ..Self::new(&plain)? })
    }

    /// From a validated problem whose nodes hold their free velocities and whose contact dimension is `D`. Bodies that no
    /// contact touches are left out.
    ///
    /// # Errors
    /// [`NotCoulomb`], naming the first contact under another law.
    pub fn new(problem: &ContactProblem) -> Result<Self, NotCoulomb> {
        let mut touched = vec![false; problem.bodies.len()];
        for contact in &problem.contacts {
            touched[contact.candidate] = true;
            touched[contact.antagonist] = true;
        }
        let mut form = Self {
            bodies: BodyForm {
                sizes: Vec::new(),
                mass: Vec::new(),
                levers: Vec::with_capacity(problem.contacts.len()),
                shared: None,
            },
            inverse: Vec::new(),
            velocity: Vec::new(),
            starts: vec![0],
            springs: usize::MAX,
            soft: problem.compliances.iter().map(SoftForm::new).collect(),
            soft_nodes: usize::MAX,
            shift: Vec::with_capacity(problem.contacts.len()),
            impulse_shift: problem.contacts.iter().map(|c| components(&c.impulse_shift)).collect(),
            gross: problem.gross_speeds(),
            impulses: impulses(problem),
            friction: Vec::with_capacity(problem.contacts.len()),
            sprung: Vec::new(),
        };
        let mut place = vec![usize::MAX; problem.bodies.len()];
        let motions: Vec<Vec<Motion>> =
            problem.bodies.iter().zip(&touched).map(|(node, &t)| if t { motions::<D>(node) } else { Vec::new() }).collect();
        for (node, list) in motions.iter().enumerate() {
            let free: Vec<&Motion> = list.iter().filter(|m| m.inverse_mass > 0.0).collect();
            if !free.is_empty() {
                place[node] = form.push_body(free.iter().map(|m| (m.inverse_mass, m.velocity)));
            }
        }
        form.push_cell(problem);
        form.springs = form.bodies.sizes.len();
        for (index, contact) in problem.contacts.iter().enumerate() {
            form.friction.push(friction(index, contact)?);
            form.push_contact(contact, &motions, &place);
            form.push_branch(problem, index);
        }
        form.soft_nodes = form.bodies.sizes.len();
        form.push_soft(problem);
        Ok(form)
    }

    /// Deformable bodies: velocities without the contacts' laws go into the shift, small ones are nodes of unit masses.
    fn push_soft(&mut self, problem: &ContactProblem) {
        let soft = std::mem::take(&mut self.soft);
        for (body, compliance) in soft.iter().zip(&problem.compliances) {
            let shifts: Vec<[f64; D]> = body.contacts.iter().map(|&c| self.impulse_shift[c]).collect();
            let taken = body.response(&shifts);
            for (at, &contact) in body.contacts.iter().enumerate() {
                for k in 0..D {
                    self.shift[contact][k] += compliance.velocity[at][k] - taken[at][k];
                }
            }
            let Some(rank) = body.rank().filter(|rank| *rank > 0) else { continue };
            let node = self.push_body(std::iter::repeat_n((1.0, 0.0), rank));
            for (at, &contact) in body.contacts.iter().enumerate() {
                self.bodies.levers[contact].push(Lever { node, rows: body.lever(at) });
            }
        }
        self.soft = soft;
    }

    fn push_body(&mut self, unknowns: impl Iterator<Item = (f64, f64)>) -> usize {
        let node = self.bodies.sizes.len();
        for (inverse, velocity) in unknowns {
            self.inverse.push(inverse);
            self.velocity.push(velocity);
        }
        let start = self.starts[node];
        let size = self.inverse.len() - start;
        self.starts.push(self.inverse.len());
        self.bodies.sizes.push(size);
        let mut mass = vec![0.0; size * size];
        for i in 0..size {
            mass[i * size + i] = 1.0 / self.inverse[start + i];
        }
        self.bodies.mass.push((node, node, mass));
        node
    }

    /// The moving cell: a node with the axes on which it is free.
    fn push_cell(&mut self, problem: &ContactProblem) {
        let Some(cell) = &problem.cell else { return };
        let free: Vec<usize> = (0..D).filter(|&k| cell.inverse_inertia[k] > 0.0).collect();
        if !free.is_empty() {
            let node = self.push_body(free.iter().map(|&k| (cell.inverse_inertia[k], cell.rate[k])));
            self.bodies.shared = Some(node);
        }
    }

    /// What a contact sees of the cell: free axes by a lever, prescribed ones in the shift.
    fn push_branch(&mut self, problem: &ContactProblem, contact: usize) {
        let Some(cell) = &problem.cell else { return };
        let (frame, branch) = (&problem.contacts[contact].frame, &cell.branches[contact]);
        let axes = [frame.normal(), frame.tangent(), &frame.binormal()];
        let mut rows = Vec::with_capacity(D);
        for k in 0..D {
            let row: [f64; D] = std::array::from_fn(|i| axes[i][k] * branch[k]);
            if cell.inverse_inertia[k] > 0.0 {
                rows.push(row);
            } else {
                (0..D).for_each(|i| self.shift[contact][i] += row[i] * cell.rate[k]);
            }
        }
        if let Some(node) = self.bodies.shared {
            let levers = &mut self.bodies.levers[contact];
            levers.push(Lever { node, rows });
            levers.sort_by_key(|l| l.node);
        }
    }

    fn push_contact(&mut self, contact: &Contact, motions: &[Vec<Motion>], place: &[usize]) {
        let axes = [contact.frame.normal(), contact.frame.tangent(), &contact.frame.binormal()];
        let mut shift: [f64; D] = components(&contact.velocity_shift);
        let mut levers = Vec::with_capacity(3);
        for Side { body: node, lever, sign } in contact.sides() {
            let mut rows = Vec::with_capacity(motions[node].len());
            for motion in &motions[node] {
                let way = motion.at(&lever) * sign;
                let row: [f64; D] = std::array::from_fn(|k| axes[k].dot(&way));
                if motion.inverse_mass > 0.0 {
                    rows.push(row);
                } else {
                    for k in 0..D {
                        shift[k] += row[k] * motion.velocity;
                    }
                }
            }
            if !rows.is_empty() {
                levers.push(Lever { node: place[node], rows });
            }
        }
        let soft: Vec<usize> = (0..D).filter(|&k| contact.compliance[k] > 0.0).collect();
        if !soft.is_empty() {
            let node = self.push_body(soft.iter().map(|&k| (contact.compliance[k], 0.0)));
            let rows = soft.iter().map(|&k| std::array::from_fn(|j| f64::from(u8::from(j == k)))).collect();
            levers.push(Lever { node, rows });
        }
        levers.sort_by_key(|l| l.node);
        self.bodies.levers.push(levers);
        self.shift.push(shift);
    }

    /// The starting impulses to which the law applies, `r + impulse_shift`.
    #[must_use]
    pub fn impulses(&self) -> &[[f64; D]] {
        &self.impulses
    }

    /// What laws see beyond the impulses.
    pub(crate) fn impulse_shifts(&self) -> &[[f64; D]] {
        &self.impulse_shift
    }

    /// What rounding of velocities is relative to where impulses are shifted (m/s), by contact; empty elsewhere.
    pub(crate) fn gross_speeds(&self) -> &[f64] {
        &self.gross
    }

    /// Velocities of the unknowns without the contacts' laws: free velocities less what the impulse shifts take. A spring
    /// bears the whole shifted impulse.
    fn released(&self) -> Vec<f64> {
        let mut v = self.velocity.clone();
        for (levers, shift) in self.bodies.levers.iter().zip(&self.impulse_shift) {
            if shift.iter().all(|s| *s == 0.0) {
                continue;
            }
            for lever in levers.iter().filter(|l| l.node < self.springs) {
                for (i, row) in lever.rows.iter().enumerate() {
                    let unknown = self.starts[lever.node] + i;
                    v[unknown] -= self.inverse[unknown] * dot(row, shift);
                }
            }
        }
        v
    }

    /// M, H, f, w, μ as a stored problem.
    ///
    /// # Errors
    /// [`LocalError`]; none for a problem that was validated.
    pub fn to_global(&self) -> Result<GlobalProblem<D>, LocalError> {
        let rigid = self.starts[self.soft_nodes];
        let (mut mass, mut transfer): (Vec<_>, Vec<_>) =
            (self.inverse[..rigid].iter().enumerate().map(|(i, inverse)| (i, i, 1.0 / inverse)).collect(), Vec::new());
        for (contact, levers) in self.bodies.levers.iter().enumerate() {
            for lever in levers.iter().filter(|l| l.node < self.soft_nodes) {
                for (i, row) in lever.rows.iter().enumerate() {
                    let unknown = self.starts[lever.node] + i;
                    transfer.extend((0..D).filter(|&k| row[k] != 0.0).map(|k| (unknown, contact * D + k, row[k])));
                }
            }
        }
        let n = self.store_soft(rigid, &mut mass, &mut transfer)?;
        let mut load: Vec<f64> = self.released()[..rigid].iter().zip(&self.inverse).map(|(v, inverse)| v / inverse).collect();
        load.resize(n, 0.0);
        Ok(GlobalProblem {
            mass: matrix_from_entries("M", (n, n), mass)?,
            transfer: matrix_from_entries("H", (n, D * self.friction.len()), transfer)?,
            load,
            velocity_shift: self.shift.clone(),
            friction: self.friction.clone(),
        })
    }

    /// Adds the entries of M and H of deformable bodies, from an unknown on; the number of unknowns.
    fn store_soft(&self, from: usize, mass: &mut Vec<Entry>, transfer: &mut Vec<Entry>) -> Result<usize, LocalError> {
        let mut n = from;
        for body in &self.soft {
            let stored = body.stored().ok_or(LocalError::SingularMass { unknown: n })?;
            for (j, column) in stored.mass.column_iter().enumerate() {
                mass.extend(column.iter().enumerate().map(|(i, value)| (n + i, n + j, *value)));
            }
            for (row, values) in stored.transfer.row_iter().enumerate() {
                let column = D * body.contacts[row / D] + row % D;
                let entries = values.iter().enumerate().filter(|(_, value)| **value != 0.0);
                transfer.extend(entries.map(|(k, value)| (n + k, column, *value)));
            }
            n += stored.mass.nrows();
        }
        Ok(n)
    }

    /// W, q, μ ready for the solvers, with the bodies' form beside them unless a deformable body is too large for it.
    ///
    /// # Errors
    /// [`LocalError`]; none for a problem that was validated.
    pub fn prepare(&self) -> Result<PreparedProblem<D>, LocalError> {
        let free = self.released();
        let mut free_velocity = self.shift.clone();
        for (levers, q) in self.bodies.levers.iter().zip(&mut free_velocity) {
            for lever in levers {
                for (i, row) in lever.rows.iter().enumerate() {
                    let v = free[self.starts[lever.node] + i];
                    for k in 0..D {
                        q[k] += row[k] * v;
                    }
                }
            }
        }
        let local = LocalProblem { delassus: self.delassus(), free_velocity, friction: self.friction.clone() };
        if self.soft.iter().any(|body| body.rank().is_none()) || !self.sprung.is_empty() {
            return PreparedProblem::new(local, None);
        }
        PreparedProblem::with_bodies(local, self.bodies.clone())
    }

    /// The springs beside contacts, to be taken out of the [prepared](Self::prepare) problem.
    pub(crate) fn sprung(&self) -> Option<Sprung<D>> {
        (!self.sprung.is_empty()).then(|| Sprung::new(&self.sprung, self.friction.len()))
    }

    /// W, block row by block row; the cell beside it.
    fn delassus(&self) -> BlockMatrix<D> {
        let mut reached: Vec<Vec<(usize, &Lever<D>)>> = vec![Vec::new(); self.bodies.sizes.len()];
        for (contact, levers) in self.bodies.levers.iter().enumerate() {
            for lever in levers {
                reached[lever.node].push((contact, lever));
            }
        }
        let mut soft: Vec<Vec<(&SoftForm<D>, usize)>> = vec![Vec::new(); self.friction.len()];
        for body in &self.soft {
            body.contacts.iter().enumerate().for_each(|(at, &contact)| soft[contact].push((body, at)));
        }
        let mut place = vec![usize::MAX; self.friction.len()];
        let own = BlockMatrix::from_rows(self.bodies.levers.iter().zip(&soft).map(|(levers, soft)| {
            let mut row: Vec<(usize, Block<D>)> = Vec::new();
            for lever in levers.iter().filter(|l| l.node < self.soft_nodes && self.bodies.shared != Some(l.node)) {
                let inverse = &self.inverse[self.starts[lever.node]..self.starts[lever.node + 1]];
                for &(other, second) in &reached[lever.node] {
                    if place[other] == usize::MAX {
                        place[other] = row.len();
                        row.push((other, [[0.0; D]; D]));
                    }
                    add_product(&mut row[place[other]].1, lever, inverse, second);
                }
            }
            for (body, at) in soft {
                for (from, &other) in body.contacts.iter().enumerate() {
                    if place[other] == usize::MAX {
                        place[other] = row.len();
                        row.push((other, [[0.0; D]; D]));
                    }
                    add_block(&mut row[place[other]].1, &body.block(*at, from));
                }
            }
            for (other, _) in &row {
                place[*other] = usize::MAX;
            }
            row.sort_unstable_by_key(|entry| entry.0);
            row
        }));
        match self.bodies.shared {
            Some(node) => self.beside(own, node),
            None => own,
        }
    }

    /// W with a node beside its blocks that most contacts reach.
    fn beside(&self, own: BlockMatrix<D>, node: usize) -> BlockMatrix<D> {
        let mut inverse = [0.0; AXES];
        for (k, value) in self.inverse[self.starts[node]..self.starts[node + 1]].iter().enumerate() {
            inverse[k] = *value;
        }
        let levers = self.bodies.levers.iter().map(|levers| {
            let mut rows = [[0.0; D]; AXES];
            for lever in levers.iter().filter(|l| l.node == node) {
                rows.iter_mut().zip(&lever.rows).for_each(|(to, row)| *to = *row);
            }
            rows
        });
        own.with_border(inverse, levers.collect())
    }
}

/// Floating-point operations of one factorisation of a problem's Newton system, from its analysis.
#[must_use]
pub fn factorisation_flops<const D: usize>(problem: &PreparedProblem<D>) -> f64 {
    NewtonSystem::of(problem).flops()
}

/// The impulses of a contact problem to which the law applies, `r + impulse_shift`.
fn impulses<const D: usize>(problem: &ContactProblem) -> Vec<[f64; D]> {
    problem.contacts.iter().map(|c| components(&(c.impulse + c.impulse_shift))).collect()
}

pub(super) fn friction(index: usize, contact: &Contact) -> Result<f64, NotCoulomb> {
    let kind = match contact.response {
        _ if contact.angular().is_some() => TURNING,
        Response::Cone(Cone::Coulomb { friction }) => return Ok(friction),
        Response::Cone(Cone::Frictionless) => return Ok(0.0),
        Response::Cone(Cone::Convex { .. }) => CONVEX,
        Response::Cone(Cone::Bilateral | Cone::BilateralNormal | Cone::BilateralTangential) => BILATERAL,
        Response::Law(_) => OWN_LAW,
    };
    Err(NotCoulomb { contact: index, kind })
}

fn components<const D: usize>(local: &Vector3<f64>) -> [f64; D] {
    std::array::from_fn(|k| local[k])
}

fn dot<const D: usize>(a: &[f64; D], b: &[f64; D]) -> f64 {
    (0..D).map(|k| a[k] * b[k]).sum()
}

fn add_block<const D: usize>(block: &mut Block<D>, other: &Block<D>) {
    for (row, values) in block.iter_mut().zip(other) {
        row.iter_mut().zip(values).for_each(|(x, y)| *x += y);
    }
}

/// `block += L₁ᵀ diag(inverse) L₂`.
fn add_product<const D: usize>(block: &mut Block<D>, first: &Lever<D>, inverse: &[f64], second: &Lever<D>) {
    for ((a, m), b) in first.rows.iter().zip(inverse).zip(&second.rows) {
        for i in 0..D {
            let left = a[i] * m;
            for j in 0..D {
                block[i][j] += left * b[j];
            }
        }
    }
}

/// All motions that the contact dimension uses, locked ones with inverse mass zero.
fn motions<const D: usize>(node: &Body) -> Vec<Motion> {
    let mut list = Vec::with_capacity(6);
    for k in 0..D {
        let mut axis = Vector3::zeros();
        axis[k] = 1.0;
        list.push(Motion { axis, is_turn: false, inverse_mass: node.inverse_mass[k], velocity: node.velocity[k] });
    }
    let mut turn = |axis: Vector3<f64>, inverse_mass: f64| {
        list.push(Motion { axis, is_turn: true, inverse_mass, velocity: axis.dot(&node.angular_velocity) });
    };
    match node.inverse_inertia {
        _ if D == 2 => turn(Vector3::z(), node.inverse_inertia.matrix()[(2, 2)]),
        InverseInertia::Isotropic(inverse) => {
            [Vector3::x(), Vector3::y(), Vector3::z()].into_iter().for_each(|axis| turn(axis, inverse))
        }
        InverseInertia::Tensor(tensor) => {
            let principal = tensor.symmetric_eigen();
            let largest = principal.eigenvalues.max();
            for k in 0..3 {
                let inverse = principal.eigenvalues[k];
                turn(principal.eigenvectors.column(k).into_owned(), if inverse > LOCKED * largest { inverse } else { 0.0 });
            }
        }
    }
    list
}
