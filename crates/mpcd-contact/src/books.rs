//! The mechanical books of a step: momentum and energy, from fluxes, never as a remainder.
//!
//! Kinetic energy identity, exact for every θ: ΔE_k = Σ impulses · ½(V⁺ + V⁻). Gravity acts through ½(V⁺+V⁻) in it and
//! through θV⁺+(1−θ)V⁻ in the potential; their difference h m g·(½−θ)(V⁺−V⁻) is the line `theta`.
//!
//! A body with unequal moments keeps its angular momentum L = I(R)ω while I turns with it, so moments do the work ½(ω⁺+ω⁻)·(L⁺−L⁻) and
//! the scheme adds ½(ω⁺·L⁻ − ω⁻·L⁺), O(h³) in a step, none where I stays: the line `rotation`. With held or driven axes the same holds
//! for the free ones f and their own I_ff ω_f; what driven axes give to them ([`BodyConstants::work_of_driven_spin`]) is work of loads.
//!
//! Explicit steps: loads act for k on velocities that are earlier than the positions (`crate::central`), and potentials are taken where the
//! bodies were at the time of their velocities. The line `scheme` has what remains: the work of contacts as their normals turn, and what a
//! change of the step's length does.
//!
//! A cell whose lengths move has its own kinetic energy (`cell`), and the work of the wanted stress, of prescribed rates and of its viscosity as lines.
//!
//! What the growth of bodies does on contacts and on joints is the line `thermal`.
//!
//! What bonds, springs and deformable bodies store is the content `strain`. The lines `cohesion` and `joints` are their work with the change of what they
//! store: what damage and the scheme dissipate. `viscous` is the work of lubrication and dashpots of laws.

use mpcd_core::{Balance, Book, Contact, ContactNetwork, Kinematics, Mat3, Quat, Setup, Step, Sum, Vec3};
use mpcd_geometry::Touch;

use crate::{
    cell::CellBook,
    central::Times,
    deformable::Totals,
    joint::{JointWork, Landed},
    law::LawTable,
    motion::{BodyConstants, Forces, Twist},
    rotation::{inverse_or_zero, turned, world_inertia},
    rows::Works,
    state::Turning,
};

/// What the books need of an explicit step.
#[derive(Clone, Copy)]
pub(crate) struct Leap<'a> {
    pub(crate) times: &'a Times,
    pub(crate) laws: &'a LawTable,
    /// Displacements over h.
    pub(crate) mean: &'a [Twist],
}

pub(crate) struct BookInput<'a> {
    pub(crate) setup: &'a Setup,
    pub(crate) step: &'a Step,
    pub(crate) bodies: &'a [BodyConstants],
    pub(crate) forces: &'a Forces,
    pub(crate) before: &'a Kinematics,
    pub(crate) after: &'a Kinematics,
    /// Velocities after the step before joints made them consistent; those of `after` where there are no joints.
    pub(crate) landed: Option<&'a Landed>,
    pub(crate) network: &'a ContactNetwork,
    /// The touches of the network, one by one: their arms are the levers of its impulses.
    pub(crate) touches: &'a [Touch],
    /// Kinetic energy given by the change of inertia of growing bodies (J).
    pub(crate) growth_spin: f64,
    /// Work of bonds and viscous forces of laws.
    pub(crate) works: &'a Works,
    /// Energy stored by laws before and after (J).
    pub(crate) stored: (f64, f64),
    /// Potential energy that bodies were spared as they were held at a touch (J).
    pub(crate) held: f64,
    /// What joints did.
    pub(crate) joints: &'a [JointWork],
    /// What springs of joints store by the growth of bodies (J).
    pub(crate) stretched: f64,
    /// Energy stored by springs before and after (J).
    pub(crate) stored_joints: (f64, f64),
    /// Moments of contacts that resist turning.
    pub(crate) turning: &'a [Turning],
    /// The explicit step, if it was one.
    pub(crate) explicit: Option<Leap<'a>>,
    /// The cell, where its lengths move.
    pub(crate) cell: Option<CellBook>,
    /// Deformable bodies, where there are any.
    pub(crate) deformables: Option<&'a Totals>,
}

/// The turning of a body at one end of the step, at its size before it.
struct Spin {
    omega: Vec3,
    /// World inertia at the time of the velocity, and where the body is.
    at_velocity: Mat3,
    here: Mat3,
}

impl BookInput<'_> {
    #[inline]
    fn mean_velocity(&self, i: usize) -> (Vec3, Vec3) {
        let b = self.before;
        ((b.velocity[i] + self.velocity_after(i)) * 0.5, (b.angular_velocity[i] + self.spin_after(i)) * 0.5)
    }

    /// Velocity that the forces of the step lead to.
    fn velocity_after(&self, i: usize) -> Vec3 {
        self.landed.map_or_else(|| self.after.velocity[i], |landed| landed.velocity[i])
    }

    /// Angular velocity at the end of the step, before growth changed it: what that takes is of the line `thermal`.
    fn spin_after(&self, i: usize) -> Vec3 {
        let (b, a) = (self.before, self.after);
        if let Some(landed) = self.landed {
            return landed.spin[i];
        }
        self.bodies[i].spin_at_size(&a.orientation[i], &a.angular_velocity[i], a.size[i], b.size[i])
    }

    /// How long loads act on the velocities (s).
    fn kick(&self) -> f64 {
        self.explicit.as_ref().map_or(self.step.h, |e| e.times.kick)
    }

    /// What contacts give to momenta over their impulses.
    fn gain(&self) -> f64 {
        self.explicit.as_ref().map_or(1.0, |e| e.times.gain)
    }

    /// What this contact does.
    fn gain_of(&self, contact: &Contact) -> f64 {
        let gain = |e: &Leap<'_>| if e.laws.law(contact.law).yields() { e.times.soft_gain } else { e.times.gain };
        self.explicit.as_ref().map_or(1.0, gain)
    }

    /// What a force of contacts gives to what moves at least, over h: in the first step with β = 1 nothing acts on V, which is known to the rounding of U.
    fn least_gain(&self) -> f64 {
        let least = |e: &Leap<'_>| if e.times.gain == e.times.soft_gain { 0.0 } else { e.times.share / e.times.h };
        self.explicit.as_ref().map_or(0.0, least)
    }

    /// By how much velocities are earlier than positions, before and after (s).
    fn lag(&self) -> [f64; 2] {
        self.explicit.as_ref().map_or([0.0; 2], |e| e.times.lag)
    }

    /// Work of a constant force `weight` through ½(V⁺ + V⁻), as in the kinetic energy, less its work through the displacement.
    fn work_of_staggering(&self, i: usize, weight: &Vec3) -> f64 {
        let (before, after) = (&self.before.velocity[i], &self.velocity_after(i));
        let Some(Leap { times, mean, .. }) = &self.explicit else {
            return self.step.h * (0.5 - self.step.theta) * weight.dot(&(after - before));
        };
        let moved = mean[i].0 * times.h - after * times.lag[1] + before * times.lag[0];
        weight.dot(&((after + before) * (0.5 * times.kick) - moved))
    }

    /// Momentum of the free axes; contact impulses between two free bodies cancel by themselves.
    pub(crate) fn momentum(&self) -> Balance {
        let h = self.kick();
        let (mut before, mut after) = (Vec3::zeros(), Vec3::zeros());
        let (mut gravity, mut loads, mut fluid, mut boundary) = (Vec3::zeros(), Vec3::zeros(), Vec3::zeros(), Vec3::zeros());
        let mut scale = self.works.pulled;
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
            let impulse = contact.frame.to_world(&contact.r) * self.gain_of(contact);
            boundary += impulse.component_mul(&(self.gains(c) - self.gains(a)));
            scale += impulse.norm().max(contact.r.norm() * self.least_gain());
        }
        for joint in self.joints {
            let gains = |body: Option<mpcd_core::BodyId>| body.map_or_else(Vec3::zeros, |b| self.gains(b));
            boundary += joint.impulse.component_mul(&(gains(Some(joint.candidate)) - gains(joint.antagonist)));
            scale += joint.impulse.norm();
        }
        if let Some(t) = self.deformables {
            gravity += t.gravity;
            loads += t.impulses[0];
            boundary += t.impulses[1];
            scale += t.scale[1];
        }
        let mut balance = Balance::new(Book::Momentum, scale)
            .store_vector("bodies", before, after)
            .flow_vector("gravity", gravity)
            .flow_vector("loads", loads)
            .flow_vector("fluid", fluid)
            .flow_vector("boundary", boundary);
        if let Some(t) = self.deformables {
            balance = balance.store_vector("deformables", t.momentum[0], t.momentum[1]);
            if t.drag != Vec3::zeros() {
                balance = balance.flow_vector("damping", t.drag);
            }
        }
        let Some(cell) = &self.cell else { return balance };
        let [before, after] = cell.momentum;
        Balance { scale: scale + after.norm() + cell.wanted.norm() + cell.contacts.norm(), ..balance }
            .store_vector("cell", before, after)
            .flow_vector("cell_contacts", cell.contacts)
            .flow_vector("cell_stress", cell.wanted)
            .flow_vector("cell_viscous", cell.viscous)
    }

    /// 1 along the axes along which impulses change the momentum of a body.
    fn gains(&self, body: mpcd_core::BodyId) -> Vec3 {
        let body = &self.bodies[body.index()];
        match self.deformables {
            Some(meshes) if body.deformable && meshes.axisymmetric => Vec3::y(),
            _ if body.deformable => Vec3::repeat(1.0),
            _ => body.free,
        }
    }

    /// Mechanical energy.
    pub(crate) fn energy(&self) -> Balance {
        let (h, lag) = (self.kick(), self.lag());
        let (mut kinetic, mut potential) = ((0.0, 0.0), [Sum::default(); 2]);
        let (mut external, mut fluid, mut staggering, mut rotation) = (0.0, 0.0, 0.0, 0.0);
        let meshes = self.deformables.copied().unwrap_or_default();
        kinetic.0 += meshes.kinetic[0];
        kinetic.1 += meshes.kinetic[1];
        potential.iter_mut().zip(meshes.potential).for_each(|(sum, part)| sum.add(part));
        external += meshes.loads + meshes.held;
        let mut free_fall = 0.0;
        for (i, body) in self.bodies.iter().enumerate() {
            kinetic.0 += body.kinetic_energy(self.before, i);
            kinetic.1 += body.kinetic_energy(self.after, i);
            let weight = body.momentum(&self.setup.gravity);
            // The change in a step is a small part of the whole in a large scene.
            potential[0].add(-weight.dot(&(self.before.position[i] - self.before.velocity[i] * lag[0])));
            potential[1].add(-weight.dot(&(self.after.position[i] - self.after.velocity[i] * lag[1])));
            let (v, w) = self.mean_velocity(i);
            external += h
                * (self.forces.applied[i].component_mul(&body.free).dot(&v)
                    + self.forces.torque[i].component_mul(&body.free_spin).dot(&w));
            fluid += h * self.forces.fluid[i].component_mul(&body.free).dot(&v);
            staggering += self.work_of_staggering(i, &weight);
            if !body.isotropic {
                let (driven, turning) = self.work_of_turning(i);
                external += driven;
                rotation += turning;
            }
            free_fall += self.energy_of_free_fall(i);
        }
        let potential = potential.map(|p| p.total());
        let (mut friction, mut impact) = (0.0, 0.0);
        let mut thermal = self.growth_spin + self.works.growth + meshes.swelling + self.stretched;
        for (contact, touch) in self.network.iter().zip(self.touches) {
            friction -= contact.heat_friction;
            impact -= contact.heat_impact;
            external += self.work_of_drives(contact, touch);
        }
        for turning in self.turning {
            let side = |body: mpcd_core::BodyId, sign: f64| {
                self.work_of_side(body, Vec3::zeros(), turning.moment * (sign * self.gain()))
            };
            external += side(turning.key.candidate, 1.0) + side(turning.key.antagonist, -1.0);
        }
        let mut joints = self.stored_joints.1 - self.stored_joints.0 - self.stretched;
        for joint in self.joints {
            joints += joint.work + joint.growth - joint.drive;
            thermal -= joint.growth;
            external += joint.drive;
            let side = |body, impulse, moment| {
                if joint.at_end { self.work_at_end(body, impulse, moment) } else { self.work_of_side(body, impulse, moment) }
            };
            external += side(joint.candidate, joint.impulse, joint.moments[0]);
            external += joint.antagonist.map_or(0.0, |a| side(a, -joint.impulse, joint.moments[1]));
        }
        // What went with a bond that is gone is no work of cohesion: it has its own line.
        let lost = self.works.lost;
        let cohesion = self.works.bond + self.stored.1 + lost - self.stored.0;
        let strain =
            (self.stored.0 + self.stored_joints.0 + meshes.strain[0], self.stored.1 + self.stored_joints.1 + meshes.strain[1]);
        let scale = kinetic.0
            + kinetic.1
            + (potential[1] - potential[0]).abs()
            + external.abs()
            + friction.abs()
            + impact.abs()
            + thermal.abs()
            + rotation.abs()
            + self.works.turning.abs()
            + free_fall
            + self.works.spared
            + strain.0
            + strain.1
            + self.works.bond.abs()
            + self.works.viscous.abs()
            + self.held.abs()
            + self.joints.iter().map(|j| j.work.abs()).sum::<f64>()
            + meshes.scale[0];
        let (theta, scheme) = if self.explicit.is_some() { (0.0, staggering + self.works.turning) } else { (staggering, 0.0) };
        let mut balance = Balance::new(Book::Energy, scale)
            .store("kinetic", kinetic.0, kinetic.1)
            .store("potential", potential[0], potential[1])
            .store("strain", strain.0, strain.1)
            .flow("external", external)
            .flow("fluid", fluid)
            .flow("friction", friction)
            .flow("impact", impact)
            .flow("cohesion", cohesion)
            .flow("bonds_lost", -lost)
            .flow("viscous", self.works.viscous)
            .flow("joints", joints)
            .flow("thermal", thermal)
            .flow("theta", theta)
            .flow("rotation", rotation)
            .flow("held", self.held)
            .flow("scheme", scheme + meshes.scheme);
        if self.deformables.is_some() {
            balance = balance.flow("deformation", -meshes.lost);
        }
        let Some(cell) = &self.cell else { return balance };
        let size = cell.kinetic.0 + cell.kinetic.1 + cell.work_of_stress.abs() + cell.work_of_drives.abs() + cell.throughput;
        Balance { scale: scale + size, ..balance }
            .store("cell", cell.kinetic.0, cell.kinetic.1)
            .flow("cell_stress", cell.work_of_stress)
            .flow("cell_drives", cell.work_of_drives)
            .flow("cell_viscous", -cell.heat)
    }

    /// How a body turned before and after the step.
    fn spins(&self, i: usize) -> [Spin; 2] {
        let (b, a, lag) = (self.before, self.after, self.lag());
        let inertia = self.bodies[i].inertia_at(b.size[i]);
        let of = |q: &Quat, omega: Vec3, lag: f64| {
            let here = world_inertia(q, &inertia);
            let at_velocity = if lag == 0.0 { here } else { world_inertia(&turned(q, &omega, -lag), &inertia) };
            Spin { omega, at_velocity, here }
        };
        [of(&b.orientation[i], b.angular_velocity[i], lag[0]), of(&a.orientation[i], self.spin_after(i), lag[1])]
    }

    /// What driven axes of a body with unequal moments give to its free ones, and what else its turning adds to their kinetic energy (J).
    fn work_of_turning(&self, i: usize) -> (f64, f64) {
        let body = &self.bodies[i];
        let [b, a] = self.spins(i);
        let free = |s: &Spin| s.omega.component_mul(&body.free_spin);
        let (before, after) = (free(&b), free(&a));
        let turning = 0.5 * (after.dot(&(b.at_velocity * before)) - before.dot(&(a.at_velocity * after)));
        if !body.turns_aslant() {
            return (0.0, turning);
        }
        // The energy on the free axes is taken where the body is; with driven axes that is not what it was at the time of its velocity.
        let moved = |s: &Spin| 0.5 * free(s).dot(&((s.here - s.at_velocity) * free(s)));
        // All that ω_f has gained but for moments and this, −ω̄_f·Δ(I_fd ω_d).
        let shared = |s: &Spin| s.at_velocity * (s.omega - free(s));
        let gained = turning - 0.5 * (before + after).dot(&(shared(&a) - shared(&b)));
        let driven = body.work_of_driven_spin((&b.at_velocity, &b.omega), (&a.at_velocity, &a.omega), self.kick());
        (driven, gained - driven + moved(&a) - moved(&b))
    }

    /// Energy that forces would give a body at rest in the step, all of which contacts may take back: throughput of a heap at rest (J).
    fn energy_of_free_fall(&self, i: usize) -> f64 {
        let body = &self.bodies[i];
        let force =
            body.momentum(&self.setup.gravity) + (self.forces.applied[i] + self.forces.fluid[i]).component_mul(&body.free);
        0.5 * self.step.h * self.step.h * force.norm_squared() * inverse_or_zero(body.mass)
    }

    /// Work that held and driven axes give through one contact: what the contact takes from them, reversed. The levers are the arms with which it was solved,
    /// not those of the point that stands for it: the two sides of a contact with a mesh may lie apart.
    fn work_of_drives(&self, contact: &Contact, touch: &Touch) -> f64 {
        let (c, a) = contact.bodies();
        if [c, a].iter().all(|body| self.bodies[body.index()].is_free()) {
            return 0.0;
        }
        let impulse = contact.frame.to_world(&contact.r) * self.gain_of(contact);
        let side = |body: mpcd_core::BodyId, arm: &Vec3, impulse: Vec3| {
            if self.bodies[body.index()].is_free() { 0.0 } else { self.work_of_side(body, impulse, arm.cross(&impulse)) }
        };
        side(c, &touch.arm_candidate, impulse) + side(a, &touch.arm_antagonist, -impulse)
    }

    /// Work that the held and driven axes of a body give against an impulse and a moment about its centre.
    fn work_of_side(&self, body: mpcd_core::BodyId, impulse: Vec3, moment: Vec3) -> f64 {
        self.work_of_held(body, self.mean_velocity(body.index()), impulse, moment)
    }

    /// The same of what acts at the end of the step.
    fn work_at_end(&self, body: mpcd_core::BodyId, impulse: Vec3, moment: Vec3) -> f64 {
        let i = body.index();
        self.work_of_held(body, (self.velocity_after(i), self.spin_after(i)), impulse, moment)
    }

    fn work_of_held(&self, body: mpcd_core::BodyId, (v, w): (Vec3, Vec3), impulse: Vec3, moment: Vec3) -> f64 {
        let b = &self.bodies[body.index()];
        if b.deformable {
            return 0.0;
        }
        let (held, held_spin) = (Vec3::repeat(1.0) - b.free, Vec3::repeat(1.0) - b.free_spin);
        -(impulse.dot(&held.component_mul(&v)) + moment.dot(&held_spin.component_mul(&w)))
    }
}
