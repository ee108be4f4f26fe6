//! From touching surfaces and laws to the discrete problem, and from its solution back to the contact network.

use mpcd_core::{Contact, ContactNetwork, ContactStatus, Kinematics, Step, Vec3};
use mpcd_friction::rigid::{self, Response, RigidProblem};
use mpcd_geometry::Touch;

use crate::law::{LawInput, LawTable};

/// Buffers of the assembly, reused from step to step.
#[derive(Debug, Default)]
pub(crate) struct Assembly {
    /// Detected pairs, sorted by key.
    pub(crate) touches: Vec<Touch>,
    /// The discrete problem.
    pub(crate) problem: RigidProblem,
    /// Network index of each contact of the problem.
    pub(crate) active: Vec<usize>,
    /// Speed of growth [m/s] of each contact of the network.
    pub(crate) growth: Vec<f64>,
}

/// Everything the assembly reads.
pub(crate) struct AssemblyInput<'a> {
    pub(crate) step: &'a Step,
    pub(crate) groups: &'a [mpcd_core::GroupId],
    pub(crate) laws: &'a LawTable,
    /// Motion at the start of the step.
    pub(crate) before: &'a Kinematics,
    /// Contact configuration.
    pub(crate) now: &'a Kinematics,
    /// Size factors the bodies shall have at the end of the step; `None` when nothing grows.
    pub(crate) target_size: Option<&'a [f64]>,
    /// Contacts of the last step and its length, to start from.
    pub(crate) last: Option<(&'a ContactNetwork, f64)>,
}

impl Assembly {
    /// Fills `network` from the detected pairs and the problem with those that can push.
    pub(crate) fn assemble(&mut self, input: &AssemblyInput<'_>, network: &mut ContactNetwork) {
        self.problem.contacts.clear();
        self.active.clear();
        self.growth.clear();
        network.contacts.clear();
        let mut warm = WarmStart::new(input.last, input.step.h);
        // Touches and network stay row by row the same: pairs without a law are none of either.
        let law_of =
            |t: &Touch| input.laws.between(input.groups[t.key.candidate.index()], input.groups[t.key.antagonist.index()]);
        self.touches.retain(|t| law_of(t).is_some());
        for touch in &self.touches {
            let (c, a) = (touch.key.candidate.index(), touch.key.antagonist.index());
            let Some(law) = law_of(touch) else { continue };
            let velocity = |i: usize, arm: &Vec3| input.before.velocity[i] + input.before.angular_velocity[i].cross(arm);
            let u_before = touch.frame.to_local(&(velocity(c, &touch.arm_candidate) - velocity(a, &touch.arm_antagonist)));
            let growth = input.target_size.map_or(0.0, |size| growth_speed(touch, size, input));
            let law_input = LawInput { gap: touch.gap, u_before, growth, h: input.step.h };
            let start = warm.impulse(touch);
            network.contacts.push(Contact {
                key: touch.key,
                point: touch.point,
                frame: touch.frame,
                gap: touch.gap,
                geometry: touch.geometry,
                law,
                u_before,
                u: u_before,
                r: Vec3::zeros(),
                heat_friction: 0.0,
                heat_impact: 0.0,
                status: ContactStatus::Open,
            });
            self.growth.push(growth);
            if let Some(data) = input.laws.law(law).prepare(&law_input) {
                self.active.push(network.contacts.len() - 1);
                self.problem.contacts.push(rigid::Contact {
                    candidate: c,
                    antagonist: a,
                    frame: rigid::Frame::from_normal_and_tangent(touch.frame.n, touch.frame.t),
                    candidate_lever: touch.arm_candidate,
                    antagonist_lever: touch.arm_antagonist,
                    response: Response::Cone(data.cone),
                    // Growth closes the gap as a velocity would: u_free,n −= growth (Dubois–Renouf, thermal steps A–D).
                    velocity_shift: data.velocity_shift - Vec3::x() * growth,
                    compliance: data.compliance,
                    impulse_shift: data.impulse_shift,
                    impulse: start,
                    angular: None,
                    angular_impulse: Vec3::zeros(),
                });
            }
        }
    }

    /// Writes velocities, impulses, statuses and heats of the solved problem into `network`.
    pub(crate) fn take_solution(&self, now: &Kinematics, laws: &LawTable, network: &mut ContactNetwork) {
        for (solved, &index) in self.problem.contacts.iter().zip(&self.active) {
            network.contacts[index].r = solved.impulse;
        }
        for ((contact, touch), growth) in network.contacts.iter_mut().zip(&self.touches).zip(&self.growth) {
            contact.u = relative_velocity(now, touch);
            finish(contact, *growth, laws.law(contact.law).friction());
        }
    }
}

fn relative_velocity(now: &Kinematics, touch: &Touch) -> Vec3 {
    let velocity = |i: usize, arm: &Vec3| now.velocity[i] + now.angular_velocity[i].cross(arm);
    let (c, a) = (touch.key.candidate.index(), touch.key.antagonist.index());
    touch.frame.to_local(&(velocity(c, &touch.arm_candidate) - velocity(a, &touch.arm_antagonist)))
}

/// Heat −r·½(u⁺+u⁻) with the true surface velocity, split into normal and tangential work; and the status.
fn finish(contact: &mut Contact, growth: f64, friction: f64) {
    let mean = (contact.u + contact.u_before) * 0.5 - Vec3::x() * growth;
    contact.heat_impact = -contact.r.x * mean.x;
    contact.heat_friction = -(contact.r.y * mean.y + contact.r.z * mean.z);
    let tangential = contact.r.y.hypot(contact.r.z);
    contact.status = if contact.r.x <= 0.0 && tangential <= 0.0 {
        ContactStatus::Open
    } else if tangential >= friction * contact.r.x * (1.0 - 1e-9) && contact.u.y.hypot(contact.u.z) > 0.0 {
        ContactStatus::Slip
    } else {
        ContactStatus::Stick
    };
}

/// Speed at which the surfaces of a pair grow towards each other [m/s].
fn growth_speed(touch: &Touch, target: &[f64], input: &AssemblyInput<'_>) -> f64 {
    let change = |body: mpcd_core::BodyId| target[body.index()] - input.now.size[body.index()];
    (change(touch.key.candidate) * touch.growth_candidate + change(touch.key.antagonist) * touch.growth_antagonist) / input.step.h
}

/// Impulses of the last step by key, scaled to the length of this one. Both lists are sorted, so one pass serves all.
struct WarmStart<'a> {
    rest: &'a [Contact],
    scale: f64,
}

impl<'a> WarmStart<'a> {
    fn new(last: Option<(&'a ContactNetwork, f64)>, h: f64) -> Self {
        match last {
            Some((network, last_h)) if last_h > 0.0 => Self { rest: &network.contacts, scale: h / last_h },
            _ => Self { rest: &[], scale: 0.0 },
        }
    }

    fn impulse(&mut self, touch: &Touch) -> Vec3 {
        while let Some((first, rest)) = self.rest.split_first() {
            match first.key.cmp(&touch.key) {
                std::cmp::Ordering::Less => self.rest = rest,
                // The impulse keeps its world direction: frames of 3D contacts turn with the normal.
                std::cmp::Ordering::Equal => return touch.frame.to_local(&first.frame.to_world(&(first.r * self.scale))),
                std::cmp::Ordering::Greater => break,
            }
        }
        Vec3::zeros()
    }
}
