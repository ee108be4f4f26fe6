//! The books of a smooth model step, added up over its sub-steps.
//!
//! The kinetic energy identity ΔE_k = Σ ½h(F⁻ + F⁺)·½(V⁻ + V⁺) is exact for each sub-step; the work of the contact forces in it is not exactly
//! what the contacts stored and turned to heat. That difference, spot by spot, is the line `scheme`: it falls with the order of the
//! integrator, and so does its part from gravity (work against change of potential) and from bodies with unequal moments.

use mpcd_core::{Balance, Book, Kinematics, Setup, Vec3};

use crate::motion::BodyConstants;

use super::{
    bodies::BodyForce,
    columns::{Columns, inertia_of},
    engine::Engine,
    spot::Spot,
};

/// Sums over the sub-steps of a model step.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Ledger {
    loads: Vec3,
    fluid: Vec3,
    damping: Vec3,
    scheme: Vec3,
    work_loads: f64,
    work_fluid: f64,
    work_damping: f64,
    work_gravity: f64,
    work_scheme: f64,
    /// Kinetic energy given by the change of inertia of growing bodies (J).
    pub(crate) growth_spin: f64,
    throughput: f64,
}

impl Ledger {
    /// Adds a sub-step whose forces are evaluated and not yet accepted; `with_extra` where the scheme adds momentum of its own.
    pub(crate) fn add(
        &mut self,
        engine: &Engine,
        columns: &Columns,
        setup: &Setup,
        now: &Kinematics,
        (dt, theta): (f64, f64),
        with_extra: bool,
    ) {
        let (start, end) = (dt * (1.0 - theta), dt * theta);
        let impulse = |old: &Vec3, new: &Vec3| old * start + new * end;
        let (old, new) = (&engine.old_loads, &engine.new_loads);
        let none = BodyForce::default();
        for (i, b) in engine.bodies.iter().enumerate() {
            let (v, w) = (columns.mean.linear[i], columns.mean.spin[i]);
            let (before, after) = (engine.old.get(i).unwrap_or(&none), &engine.new[i]);
            let loads = impulse(&old.applied[i], &new.applied[i]).component_mul(&b.free);
            let moment = impulse(&old.torque[i], &new.torque[i]).component_mul(&b.free_spin);
            let fluid = impulse(&old.fluid[i], &new.fluid[i]).component_mul(&b.free);
            let damping = impulse(&before.damping, &after.damping);
            let damping_moment = impulse(&before.damping_torque, &after.damping_torque);
            let contact = impulse(&before.contact, &after.contact);
            let contact_moment = impulse(&before.contact_torque, &after.contact_torque);
            let weight = b.momentum(&setup.gravity) * dt;
            self.loads += loads;
            self.fluid += fluid;
            self.damping += damping;
            self.throughput += loads.norm() + fluid.norm() + damping.norm() + weight.norm();
            self.work_fluid += fluid.dot(&v);
            self.work_damping += damping.dot(&v) + damping_moment.dot(&w);
            self.work_gravity += weight.dot(&v);
            // Held and driven axes give what the contacts take from them.
            let (held, held_spin) = (v - v.component_mul(&b.free), w - w.component_mul(&b.free_spin));
            self.work_loads += loads.dot(&v) + moment.dot(&w) - contact.dot(&held) - contact_moment.dot(&held_spin);
            if !b.isotropic {
                let torque = (contact_moment + damping_moment).component_mul(&b.free_spin) + moment;
                let force = (contact + weight).component_mul(&b.free) + loads + fluid + damping;
                let driven = if b.turns_aslant() {
                    let before = (&columns.inertia[i], &columns.start.spin[i]);
                    b.work_of_driven_spin(before, (&inertia_of(b, now, i), &now.angular_velocity[i]), dt)
                } else {
                    0.0
                };
                self.work_loads += driven;
                self.work_scheme += b.kinetic_energy(now, i) - columns.energy[i] - force.dot(&v) - torque.dot(&w) - driven;
            } else if with_extra {
                let (extra, spin) = (columns.extra.linear[i], columns.extra.spin[i]);
                self.scheme += extra;
                self.work_scheme += extra.dot(&v) + spin.dot(&w);
            }
            if with_extra && !b.isotropic {
                self.scheme += columns.extra.linear[i];
            }
        }
    }

    /// The momentum and energy books of the model step from `before` to `now`.
    pub(crate) fn balances(
        &self,
        setup: &Setup,
        bodies: &[BodyConstants],
        (before, now): (&Kinematics, &Kinematics),
        h: f64,
        (stored_before, spots): (f64, &[Spot]),
    ) -> [Balance; 2] {
        let (mut p0, mut p1, mut gravity, mut boundary) = (Vec3::zeros(), Vec3::zeros(), Vec3::zeros(), Vec3::zeros());
        let (mut kinetic, mut potential, mut scale) = ((0.0, 0.0), (0.0, 0.0), self.throughput);
        for (i, b) in bodies.iter().enumerate() {
            let weight = b.momentum(&setup.gravity);
            p0 += b.momentum(&before.velocity[i]);
            p1 += b.momentum(&now.velocity[i]);
            gravity += weight * h;
            scale += b.mass * now.velocity[i].norm();
            kinetic.0 += b.kinetic_energy(before, i);
            kinetic.1 += b.kinetic_energy(now, i);
            potential.0 -= weight.dot(&before.position[i]);
            potential.1 -= weight.dot(&now.position[i]);
        }
        let (mut friction, mut impact, mut thermal) = (0.0, 0.0, self.growth_spin);
        let mut scheme = self.work_scheme + self.work_gravity + (potential.1 - potential.0);
        let mut strain = 0.0;
        for s in spots {
            let (c, a) = (&bodies[s.key.candidate.index()], &bodies[s.key.antagonist.index()]);
            boundary += s.done.impulse.component_mul(&(c.free - a.free));
            scale += s.done.impulse.norm();
            friction -= s.done.heat_shear;
            impact -= s.done.heat_normal;
            thermal += s.done.growth;
            scheme += s.done.scheme;
            strain += s.memory.energy;
        }
        let momentum = Balance::new(Book::Momentum, scale)
            .store_vector("bodies", p0, p1)
            .flow_vector("gravity", gravity)
            .flow_vector("loads", self.loads)
            .flow_vector("fluid", self.fluid)
            .flow_vector("damping", self.damping)
            .flow_vector("boundary", boundary)
            .flow_vector("scheme", self.scheme);
        let size = kinetic.0
            + kinetic.1
            + (potential.1 - potential.0).abs()
            + stored_before.abs()
            + strain.abs()
            + self.work_loads.abs()
            + friction.abs()
            + impact.abs();
        let energy = Balance::new(Book::Energy, size)
            .store("kinetic", kinetic.0, kinetic.1)
            .store("potential", potential.0, potential.1)
            .store("strain", stored_before, strain)
            .flow("external", self.work_loads)
            .flow("fluid", self.work_fluid)
            .flow("damping", self.work_damping)
            .flow("friction", friction)
            .flow("impact", impact)
            .flow("thermal", thermal)
            .flow("scheme", scheme);
        [momentum, energy]
    }
}
