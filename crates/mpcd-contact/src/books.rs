//! The mechanical books of a step: momentum and energy, from fluxes, never as a remainder.
//!
//! Kinetic energy identity, exact for every θ: ΔE_k = Σ impulses · ½(V⁺ + V⁻). Gravity acts through ½(V⁺+V⁻) in it and
//! through θV⁺+(1−θ)V⁻ in the potential; their difference h m g·(½−θ)(V⁺−V⁻) is the line `theta`.

use mpcd_core::{Balance, Book, ContactNetwork, Kinematics, Setup, Step, Vec3};

use crate::motion::{BodyConstants, Forces};

pub(crate) struct BookInput<'a> {
    pub(crate) setup: &'a Setup,
    pub(crate) step: &'a Step,
    pub(crate) bodies: &'a [BodyConstants],
    pub(crate) forces: &'a Forces,
    pub(crate) before: &'a Kinematics,
    pub(crate) after: &'a Kinematics,
    pub(crate) network: &'a ContactNetwork,
    pub(crate) growth: &'a [f64],
    /// Kinetic energy given by the change of inertia of growing bodies (J).
    pub(crate) growth_spin: f64,
}

impl BookInput<'_> {
    fn mean_velocity(&self, i: usize) -> (Vec3, Vec3) {
        let (b, a) = (self.before, self.after);
        ((b.velocity[i] + a.velocity[i]) * 0.5, (b.angular_velocity[i] + a.angular_velocity[i]) * 0.5)
    }

    /// Momentum of the free axes; contact impulses between two free bodies cancel by themselves.
    pub(crate) fn momentum(&self) -> Balance {
        let h = self.step.h;
        let (mut before, mut after) = (Vec3::zeros(), Vec3::zeros());
        let (mut gravity, mut loads, mut fluid, mut boundary) = (Vec3::zeros(), Vec3::zeros(), Vec3::zeros(), Vec3::zeros());
        let mut scale = 0.0;
        for (i, body) in self.bodies.iter().enumerate() {
            before += body.momentum(&self.before.velocity[i]);
            after += body.momentum(&self.after.velocity[i]);
            let weight = body.momentum(&self.setup.gravity) * h;
            gravity += weight;
            loads += self.forces.applied[i].component_mul(&body.free) * h;
            fluid += self.forces.fluid[i].component_mul(&body.free) * h;
            scale += body.mass * self.after.velocity[i].norm()
                + weight.norm()
                + self.forces.applied[i].norm() * h
                + self.forces.fluid[i].norm() * h;
        }
        for contact in self.network.iter() {
            let (c, a) = contact.bodies();
            let impulse = contact.frame.to_world(&contact.r);
            boundary += impulse.component_mul(&(self.bodies[c.index()].free - self.bodies[a.index()].free));
            scale += impulse.norm();
        }
        Balance::new(Book::Momentum, scale)
            .store_vector("bodies", before, after)
            .flow_vector("gravity", gravity)
            .flow_vector("loads", loads)
            .flow_vector("fluid", fluid)
            .flow_vector("boundary", boundary)
    }

    /// Mechanical energy.
    pub(crate) fn energy(&self) -> Balance {
        let h = self.step.h;
        let (mut kinetic, mut potential) = ((0.0, 0.0), (0.0, 0.0));
        let (mut external, mut fluid, mut theta) = (0.0, 0.0, 0.0);
        for (i, body) in self.bodies.iter().enumerate() {
            kinetic.0 += body.kinetic_energy(self.before, i);
            kinetic.1 += body.kinetic_energy(self.after, i);
            let weight = body.momentum(&self.setup.gravity);
            potential.0 -= weight.dot(&self.before.position[i]);
            potential.1 -= weight.dot(&self.after.position[i]);
            let (v, w) = self.mean_velocity(i);
            external += h
                * (self.forces.applied[i].component_mul(&body.free).dot(&v)
                    + self.forces.torque[i].component_mul(&body.free_spin).dot(&w));
            fluid += h * self.forces.fluid[i].component_mul(&body.free).dot(&v);
            theta += h * (0.5 - self.step.theta) * weight.dot(&(self.after.velocity[i] - self.before.velocity[i]));
        }
        let (mut friction, mut impact, mut thermal) = (0.0, 0.0, self.growth_spin);
        for (contact, growth) in self.network.iter().zip(self.growth) {
            friction -= contact.heat_friction;
            impact -= contact.heat_impact;
            thermal += contact.r.x * growth;
            external += self.work_of_drives(contact);
        }
        let scale = kinetic.0
            + kinetic.1
            + (potential.1 - potential.0).abs()
            + external.abs()
            + friction.abs()
            + impact.abs()
            + thermal.abs();
        Balance::new(Book::Energy, scale)
            .store("kinetic", kinetic.0, kinetic.1)
            .store("potential", potential.0, potential.1)
            .store("strain", 0.0, 0.0)
            .flow("external", external)
            .flow("fluid", fluid)
            .flow("friction", friction)
            .flow("impact", impact)
            .flow("thermal", thermal)
            .flow("theta", theta)
    }

    /// Work that held and driven axes give through one contact: what the contact takes from them, reversed.
    fn work_of_drives(&self, contact: &mpcd_core::Contact) -> f64 {
        let impulse = contact.frame.to_world(&contact.r);
        let (c, a) = contact.bodies();
        let side = |body: mpcd_core::BodyId, impulse: Vec3| {
            let i = body.index();
            let b = &self.bodies[i];
            let (held, held_spin) = (Vec3::repeat(1.0) - b.free, Vec3::repeat(1.0) - b.free_spin);
            let (v, w) = self.mean_velocity(i);
            if held.component_mul(&v) == Vec3::zeros() && held_spin.component_mul(&w) == Vec3::zeros() {
                return 0.0;
            }
            // The lever in the contact configuration, where the impulse acts.
            let q_m = self.before.position[i] + self.before.velocity[i] * (self.step.h * (1.0 - self.step.theta));
            let moment = (contact.point - q_m).cross(&impulse);
            -(impulse.dot(&held.component_mul(&v)) + moment.dot(&held_spin.component_mul(&w)))
        };
        side(c, impulse) + side(a, -impulse)
    }
}
