//! One contact of the plain problem to the record of its kernel. The choice of the kernel is here and nowhere else.

use nalgebra::{Matrix3, Vector3};

use super::angular::{AngularRecord, Parent};
use super::block::{add_block, add_cell, delassus, largest_eigenvalue};
use super::cell::CellPart;
use super::compliance::SoftPart;
use super::diagonal::{DiagonalRecord, Edge};
use super::full::{FullRecord, Kind};
use super::laws::LawContact;
use super::vector::{V3, in_plane};
use crate::Cone;
use crate::exact::{Disc, LocalBlock};
use crate::problem::{Angular, Body, Contact, ContactProblem, InverseInertia, ProblemError, Response};

/// A lever is along the normal if its part across is below this fraction of it.
const ALONG: f64 = 1e-9;

/// A record and `λ_max(W_cc)`.
#[derive(Debug)]
pub(super) struct Compiled<R> {
    pub(super) record: R,
    pub(super) lambda_max: f64,
}

/// True if no impulse moves the body.
pub(super) fn is_driven<const D: usize>(body: &Body) -> bool {
    let m = &body.inverse_mass;
    let turns = match body.inverse_inertia {
        InverseInertia::Isotropic(inertia) => inertia != 0.0,
        InverseInertia::Tensor(tensor) if D == 2 => tensor[(2, 2)] != 0.0,
        InverseInertia::Tensor(tensor) => tensor.iter().any(|x| *x != 0.0),
    };
    m.x == 0.0 && m.y == 0.0 && (D == 2 || m.z == 0.0) && !turns
}

/// Inverse mass and inertia of a body that has one of each.
pub(super) fn isotropic<const D: usize>(body: &Body) -> Option<(f64, f64)> {
    let m = &body.inverse_mass;
    if m.x != m.y || (D == 3 && m.x != m.z) {
        return None;
    }
    match body.inverse_inertia {
        InverseInertia::Isotropic(inertia) => Some((m.x, inertia)),
        InverseInertia::Tensor(tensor) if D == 2 => Some((m.x, tensor[(2, 2)])),
        InverseInertia::Tensor(_) => None,
    }
}

/// Angular velocity that the contact dimension uses.
pub(super) fn turning<const D: usize>(body: &Body) -> V3 {
    let w = &body.angular_velocity;
    if D == 2 { [0.0, 0.0, w.z] } else { [w.x, w.y, w.z] }
}

/// What the choice of a kernel asks of a body, gathered before contacts come to it in any order.
#[derive(Debug, Clone, Copy)]
pub(super) struct Outline {
    pub(super) is_driven: bool,
    /// Whether it has one inverse mass and one inverse inertia, and whether it neither turns nor can be turned.
    is_isotropic: bool,
    is_still: bool,
    inverse_mass: f64,
    inverse_inertia: f64,
}

impl Outline {
    pub(super) fn of<const D: usize>(body: &Body) -> Self {
        let isotropic = isotropic::<D>(body);
        let (inverse_mass, inverse_inertia) = isotropic.unwrap_or_default();
        Self {
            is_driven: is_driven::<D>(body),
            is_isotropic: isotropic.is_some(),
            is_still: inverse_inertia == 0.0 && turning::<D>(body) == [0.0; 3],
            inverse_mass,
            inverse_inertia,
        }
    }

    /// Inverse inertia of a body that has one.
    pub(super) const fn ball(&self) -> f64 {
        self.inverse_inertia
    }
}

/// How a body enters the diagonal kernel.
struct Side {
    body: u32,
    /// Component of the lever along the normal.
    along: f64,
    inverse_mass: f64,
    inverse_inertia: f64,
}

fn side<const D: usize>(outlines: &[Outline], number: usize, lever: &Vector3<f64>, normal: &Vector3<f64>) -> Option<Side> {
    let Outline { is_driven, is_isotropic, is_still: still, inverse_mass, inverse_inertia } = outlines[number];
    if is_driven {
        return Some(Side { body: outlines.len() as u32, along: 0.0, inverse_mass: 0.0, inverse_inertia: 0.0 });
    }
    if !is_isotropic {
        return None;
    }
    let [x, y, z] = in_plane::<D>(lever);
    let lever = Vector3::new(x, y, z);
    let along = lever.dot(normal);
    if !still && (lever - normal * along).norm_squared() > ALONG * ALONG * lever.norm_squared() {
        return None;
    }
    Some(Side { body: number as u32, along: if still { 0.0 } else { along }, inverse_mass, inverse_inertia })
}

/// Line of the world, which stands in for every driven body.
fn world(problem: &ContactProblem) -> u32 {
    problem.bodies.len() as u32
}

fn driven_to_world<const D: usize>(problem: &ContactProblem, body: usize) -> u32 {
    if is_driven::<D>(&problem.bodies[body]) { world(problem) } else { body as u32 }
}

/// Velocity shift in world axes, with the motion of driven bodies in it; `is_driven` says which these are.
fn world_shift<const D: usize>(problem: &ContactProblem, contact: &Contact, is_driven: impl Fn(usize) -> bool) -> V3 {
    let mut local = contact.velocity_shift;
    if D == 2 {
        local.z = 0.0;
    }
    let mut shift = contact.frame.to_world(&local);
    for side in contact.sides() {
        if is_driven(side.body) {
            let body = &problem.bodies[side.body];
            shift += side.velocity(&Body { angular_velocity: turning::<D>(body).into(), ..*body });
        }
    }
    in_plane::<D>(&shift)
}

/// Starting impulse to which the law applies (the shifted one), world axes.
fn world_impulse<const D: usize>(contact: &Contact) -> V3 {
    let mut local = contact.impulse + contact.impulse_shift;
    if D == 2 {
        local.z = 0.0;
    }
    in_plane::<D>(&contact.frame.to_world(&local))
}

/// The contact as a record of the diagonal kernel, if its block is `diag(W_nn, W_t, W_t)`.
pub(super) fn diagonal<const D: usize>(
    problem: &ContactProblem,
    outlines: &[Outline],
    contact: &Contact,
    weights: [f64; 2],
    cell: Option<CellPart>,
) -> Option<Compiled<DiagonalRecord>> {
    let Response::Cone(cone) = contact.response else { return None };
    let edge = Edge::of(cone)?;
    if contact.compliance.y != 0.0 || (D == 3 && contact.compliance.z != 0.0) {
        return None;
    }
    let normal = contact.frame.normal();
    let i = side::<D>(outlines, contact.candidate, &contact.candidate_lever, normal)?;
    let j = side::<D>(outlines, contact.antagonist, &contact.antagonist_lever, normal)?;
    // The cell's response is bounded, not resolved: its block is not diagonal here. In difference form that moves no fixed point.
    let (bound, sharing) = cell.map_or((0.0, 1.0), |c| (c.bound(), c.sharing));
    let block = |weights: [f64; 2], sharing: f64| {
        let w_n = weights[0] * i.inverse_mass + weights[1] * j.inverse_mass;
        let turning = weights[0] * i.inverse_inertia * i.along * i.along + weights[1] * j.inverse_inertia * j.along * j.along;
        (w_n + contact.compliance.x + sharing * bound, w_n + turning + sharing * bound)
    };
    let (w_n, w_t) = block(weights, sharing);
    if w_n <= 0.0 || w_t <= 0.0 {
        return None;
    }
    let (own_n, own_t) = block([1.0, 1.0], 1.0);
    let record = DiagonalRecord {
        normal: in_plane::<D>(normal),
        arm: [-i.along, j.along],
        inverse_normal: 1.0 / w_n,
        inverse_tangential: 1.0 / w_t,
        edge,
        impulse: world_impulse::<D>(contact),
        shift: world_shift::<D>(problem, contact, |body| outlines[body].is_driven),
        compliance: contact.compliance.x,
        candidate: i.body,
        antagonist: j.body,
    };
    Some(Compiled { record, lambda_max: own_n.max(own_t) })
}

/// The contact as a record of the full kernel; a user's law is added to `laws`.
pub(super) fn full<const D: usize>(
    problem: &ContactProblem,
    index: usize,
    weights: [f64; 2],
    (cell, soft): (Option<CellPart>, Option<SoftPart>),
    laws: &mut Vec<LawContact>,
) -> Result<Compiled<FullRecord>, ProblemError> {
    let contact = &problem.contacts[index];
    let mut w = delassus::<D>(problem, contact, weights);
    let mut own = delassus::<D>(problem, contact, [1.0, 1.0]);
    if let Some(part) = cell {
        add_cell::<D>(&mut w, &contact.frame, &part.own, part.sharing);
        add_cell::<D>(&mut own, &contact.frame, &part.own, 1.0);
    }
    if let Some(part) = soft {
        add_block(&mut w, &part.shared);
        add_block(&mut own, &part.own);
    }
    // springs carry what no impulse moves along the normal
    let mut freedom = w;
    if matches!(contact.response, Response::Law(law) if problem.laws[law].springs().is_some()) {
        freedom[0][0] += 2.0 * LocalBlock::FLOOR * (0..D).map(|k| w[k][k]).sum::<f64>();
    }
    let (block, cosine, sine) = LocalBlock::prepare::<D>(&freedom).ok_or(ProblemError::NoFreedom {
        contact: index,
        candidate: contact.candidate,
        antagonist: contact.antagonist,
    })?;
    let mut law = 0;
    let mut turn = (cosine, sine);
    let kind = match contact.response {
        Response::Cone(Cone::Coulomb { .. }) => Kind::Coulomb,
        Response::Cone(Cone::Convex { .. }) => Kind::Convex,
        Response::Cone(Cone::Frictionless) => Kind::Frictionless,
        Response::Cone(Cone::Bilateral) => Kind::Bilateral,
        Response::Cone(Cone::BilateralNormal) => Kind::BilateralNormal,
        Response::Cone(Cone::BilateralTangential) => Kind::BilateralTangential,
        Response::Law(named) => {
            law = laws.len() as u32;
            laws.push(LawContact { law: problem.laws[named].clone(), block: Matrix3::from_fn(|i, j| w[i][j]) });
            turn = (1.0, 0.0);
            Kind::Law
        }
    };
    let friction = match contact.response {
        Response::Cone(cone) => cone.friction(),
        Response::Law(_) => 0.0,
    };
    let (c, s) = turn;
    let frame = &contact.frame;
    let tangent = frame.tangent() * c + frame.binormal() * s;
    let k = &contact.compliance;
    let mut record = FullRecord {
        normal: in_plane::<D>(frame.normal()),
        tangent: in_plane::<D>(&tangent),
        candidate_lever: in_plane::<D>(&contact.candidate_lever),
        antagonist_lever: in_plane::<D>(&contact.antagonist_lever),
        block,
        shift: [0.0; 3],
        compliance: [k.x, c * c * k.y + s * s * k.z, c * s * (k.z - k.y), s * s * k.y + c * c * k.z],
        friction,
        impulse: [0.0; 3],
        candidate: driven_to_world::<D>(problem, contact.candidate),
        antagonist: driven_to_world::<D>(problem, contact.antagonist),
        kind,
        law,
    };
    let shift = record.local::<D>(&world_shift::<D>(problem, contact, |body| is_driven::<D>(&problem.bodies[body])));
    let impulse = record.local::<D>(&world_impulse::<D>(contact));
    record.shift[..D].copy_from_slice(&shift);
    record.impulse[..D].copy_from_slice(&impulse);
    Ok(Compiled { record, lambda_max: largest_eigenvalue::<D>(&own) })
}

/// The inverse of the block and the compliance on the axes that are held, zero on the others.
fn held_inverse(block: &Matrix3<f64>, axes: &[bool; 3], compliance: &Vector3<f64>, rows: &Matrix3<f64>) -> Option<Matrix3<f64>> {
    let held = rows * Matrix3::from_diagonal(&Vector3::from(axes.map(|held| f64::from(u8::from(held)))));
    let whole = held * (block + Matrix3::from_diagonal(compliance)) * held + (Matrix3::identity() - held);
    Some(held * whole.try_inverse()? * held)
}

/// The angular rows of a contact whose parent record is `parent`; `lambda_linear` is `λ_max(W_cc)`. `None` where it has none,
/// or where nothing turns.
pub(super) fn angular<const D: usize>(
    problem: &ContactProblem,
    contact: &Contact,
    weights: [f64; 2],
    parent: Parent,
    lambda_linear: f64,
) -> Option<Compiled<AngularRecord>> {
    let law = *contact.angular()?;
    let frame = contact.frame.matrix();
    let rows = if D == 2 { Matrix3::from_diagonal(&Vector3::z()) } else { Matrix3::identity() };
    let block = |weights: [f64; 2]| -> Matrix3<f64> {
        let sides = [contact.candidate, contact.antagonist].map(|k| problem.bodies[k].inverse_inertia.matrix());
        rows * (frame.transpose() * (sides[0] * weights[0] + sides[1] * weights[1]) * frame) * rows
    };
    let own = block([1.0, 1.0]);
    let lambda_max = largest_eigenvalue::<3>(&std::array::from_fn(|i| std::array::from_fn(|j| own[(i, j)])));
    if lambda_max <= 0.0 {
        return None;
    }
    // A direction in which nothing turns gets a little response: in difference form it moves no fixed point.
    let full = block(weights);
    let floor = LocalBlock::FLOOR * full.trace();
    let block = full + Matrix3::from_diagonal_element(floor);
    let inverse = match law {
        Angular::Held { axes, compliance, .. } => held_inverse(&block, &axes, &compliance, &rows)?,
        Angular::Resistance { .. } => rows * block.try_inverse()? * rows,
    };
    let local = |world: &Vector3<f64>| if D == 2 { Vector3::new(0.0, 0.0, world.z) } else { contact.frame.to_local(world) };
    let mut shift = match law {
        Angular::Held { shift, .. } => rows * shift,
        Angular::Resistance { .. } => Vector3::zeros(),
    };
    for (body, sign) in [(contact.candidate, 1.0), (contact.antagonist, -1.0)] {
        let body = &problem.bodies[body];
        if is_driven::<D>(body) {
            shift += local(&Vector3::from(turning::<D>(body))) * sign;
        }
    }
    let record = AngularRecord {
        parent,
        law,
        axes: [contact.frame.normal(), contact.frame.tangent(), &contact.frame.binormal()].map(|a| [a.x, a.y, a.z]),
        shift: shift.into(),
        impulse: (rows * contact.moment()).into(),
        block,
        inverse,
        disc: Disc::new(block[(1, 1)], block[(1, 2)], block[(2, 2)]),
        bound: [0.0; 2],
        length: (lambda_linear / lambda_max).sqrt(),
        candidate: driven_to_world::<D>(problem, contact.candidate),
        antagonist: driven_to_world::<D>(problem, contact.antagonist),
    };
    Some(Compiled { record, lambda_max })
}
