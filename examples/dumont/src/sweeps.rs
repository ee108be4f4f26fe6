//! Gauss–Seidel over the contacts of one step, exchanging velocities with the bodies (Dumont (23)); W is never assembled.

use mpcd_core::Vec3;
use mpcd_friction::local::{Block, DescentStep, LocalContact, LocalMethod};
use mpcd_geometry::Touch;

use crate::criterion::Criterion;

/// A local solver and its descent parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Method {
    /// SBP, SAL, EBP or EAL.
    pub local: LocalMethod,
    /// ρ̄; SBP and SAL take 0.6 of it.
    pub step: DescentStep,
}

impl Method {
    /// The four of the source, with its ρ̄ = m_i m_j/(m_i + m_j).
    pub const SOURCE: [Self; 4] =
        [Self::new(LocalMethod::Sbp), Self::new(LocalMethod::Sal), Self::new(LocalMethod::Ebp), Self::new(LocalMethod::Eal)];

    /// With the source's ρ̄.
    #[must_use]
    pub const fn new(local: LocalMethod) -> Self {
        Self { local, step: DescentStep::ReducedMass { factor: 1.0 } }
    }

    /// The name in the source.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self.local {
            LocalMethod::Sbp => "SBP",
            LocalMethod::Sal => "SAL",
            LocalMethod::Ebp => "EBP",
            LocalMethod::Eal => "EAL",
            _ => "another",
        }
    }

    /// SBP and SAL hold no velocity of their own: theirs is that of the bodies.
    const fn holds_velocity(self) -> bool {
        matches!(self.local, LocalMethod::Ebp | LocalMethod::Eal)
    }
}

/// A body in the eyes of the contacts: balls, and planes that do not move.
#[derive(Debug, Clone, Copy)]
pub struct Body {
    /// Velocity of the centre (m/s).
    pub velocity: Vec3,
    /// Angular velocity (rad/s).
    pub spin: Vec3,
    /// 1/m (kg⁻¹), 0 for a plane.
    pub inverse_mass: f64,
    /// 1/I (kg⁻¹ m⁻²), 0 for a plane.
    pub inverse_inertia: f64,
}

/// One contact of the step.
struct Contact<'a> {
    touch: &'a Touch,
    local: Option<LocalContact<3>>,
    impulse: [f64; 3],
    velocity: [f64; 3],
}

impl Contact<'_> {
    fn ends(&self) -> [(usize, f64, Vec3); 2] {
        let key = self.touch.key;
        [(key.candidate.index(), 1.0, self.touch.arm_candidate), (key.antagonist.index(), -1.0, self.touch.arm_antagonist)]
    }

    /// Relative velocity, (n, t, s).
    fn velocity(&self, bodies: &[Body]) -> [f64; 3] {
        let mut u = Vec3::zeros();
        for (body, sign, arm) in self.ends() {
            u += sign * (bodies[body].velocity + bodies[body].spin.cross(&arm));
        }
        self.touch.frame.to_local(&u).into()
    }

    fn push(&self, bodies: &mut [Body], impulse: [f64; 3]) {
        let impulse = self.touch.frame.to_world(&impulse.into());
        for (body, sign, arm) in self.ends() {
            let body = &mut bodies[body];
            body.velocity += sign * body.inverse_mass * impulse;
            body.spin += sign * body.inverse_inertia * arm.cross(&impulse);
        }
    }

    /// The contact's own block of W: the velocity that a unit impulse gives, column by column.
    fn block(&self, bodies: &[Body]) -> Block<3> {
        let mut block = [[0.0; 3]; 3];
        let frame = self.touch.frame;
        for (column, unit) in [frame.n, frame.t, frame.s()].into_iter().enumerate() {
            let mut u = Vec3::zeros();
            for (body, _, arm) in self.ends() {
                let body = &bodies[body];
                u += body.inverse_mass * unit + body.inverse_inertia * arm.cross(&unit).cross(&arm);
            }
            let u = frame.to_local(&u);
            for row in 0..3 {
                block[row][column] = u[row];
            }
        }
        block
    }
}

/// What the sweeps of one step came to.
#[derive(Debug, Clone, Default)]
pub struct Swept {
    /// Number of contacts.
    pub contacts: usize,
    /// The criterion after each sweep.
    pub history: Vec<Criterion>,
    /// Largest `−ũ_n` of a contact after the last sweep (m/s).
    pub worst_penetration: f64,
}

impl Swept {
    /// Sweeps done.
    #[must_use]
    pub fn sweeps(&self) -> usize {
        self.history.len()
    }

    /// The criterion at the end; all zero without contacts.
    #[must_use]
    pub fn last(&self) -> Criterion {
        self.history.last().copied().unwrap_or_default()
    }
}

/// Solves the contacts of a step: impulses from zero, sweeps in the order of the list until ε_glob ≤ `tolerance` or there were
/// `most` of them. The bodies come with their free velocities and leave with those of the end of the step.
pub fn solve(bodies: &mut [Body], touches: &[Touch], friction: f64, method: Method, tolerance: f64, most: usize) -> Swept {
    let mut contacts: Vec<Contact<'_>> =
        touches.iter().map(|touch| Contact { touch, local: None, impulse: [0.0; 3], velocity: [0.0; 3] }).collect();
    for contact in &mut contacts {
        contact.local = LocalContact::new(&contact.block(bodies), friction, method.step);
    }
    let mut swept = Swept { contacts: contacts.len(), ..Swept::default() };
    while !contacts.is_empty() && swept.sweeps() < most {
        for contact in &mut contacts {
            let Some(local) = contact.local else { continue };
            let (old, u) = (contact.impulse, contact.velocity(bodies));
            contact.impulse = local.solve(method.local, &old, &u);
            contact.velocity = local.velocity(&old, &u, &contact.impulse);
            contact.push(bodies, std::array::from_fn(|k| contact.impulse[k] - old[k]));
        }
        let mut criterion = Criterion::default();
        for contact in &mut contacts {
            let moved = contact.velocity(bodies);
            if !method.holds_velocity() {
                contact.velocity = moved;
            }
            criterion.add(touches.len(), friction, &contact.impulse, &contact.velocity, &moved);
        }
        swept.history.push(criterion);
        if criterion.global() <= tolerance {
            break;
        }
    }
    swept.worst_penetration = contacts.iter().map(|c| -c.velocity[0]).fold(0.0, f64::max);
    swept
}
