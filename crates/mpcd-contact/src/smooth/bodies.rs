//! Forces on bodies: contact forces gathered in a fixed order, Cundall's local damping, loads.

use mpcd_core::{Kinematics, Vec3};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::motion::{BodyConstants, Forces};

use super::spot::Spot;

/// Bodies per parallel piece.
pub(crate) const PIECE: usize = 512;

/// What acts on a body besides gravity and loads.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct BodyForce {
    /// Contact force (N).
    pub(crate) contact: Vec3,
    /// Contact moment about the centre of mass [N m].
    pub(crate) contact_torque: Vec3,
    /// Local damping force (N).
    pub(crate) damping: Vec3,
    /// Local damping moment [N m].
    pub(crate) damping_torque: Vec3,
}

/// Which spots touch which body: spots as candidates and as antagonists, in the order of the spots.
#[derive(Debug, Default)]
pub(crate) struct Incidence {
    starts: Vec<usize>,
    /// Spot index and whether the body is its candidate.
    entries: Vec<(u32, bool)>,
}

impl Incidence {
    /// Counting sort of both ends of every spot.
    #[allow(clippy::cast_possible_truncation, reason = "fewer than 2³² contacts")]
    pub(crate) fn rebuild(&mut self, bodies: usize, spots: &[Spot]) {
        let Self { starts, entries } = self;
        starts.clear();
        starts.resize(bodies + 1, 0);
        for s in spots {
            starts[s.key.candidate.index() + 1] += 1;
            starts[s.key.antagonist.index() + 1] += 1;
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        entries.clear();
        entries.resize(2 * spots.len(), (0, false));
        for (k, s) in spots.iter().enumerate() {
            for (body, is_candidate) in [(s.key.candidate, true), (s.key.antagonist, false)] {
                let place = &mut starts[body.index()];
                entries[*place] = (k as u32, is_candidate);
                *place += 1;
            }
        }
        // Each start has moved to the end of its run.
        starts.rotate_right(1);
        if let Some(first) = starts.first_mut() {
            *first = 0;
        }
    }

    /// Spots of a body, and whether it is their candidate.
    pub(crate) fn of(&self, body: usize) -> impl Iterator<Item = (usize, bool)> + '_ {
        self.entries[self.starts[body]..self.starts[body + 1]].iter().map(|(k, c)| (*k as usize, *c))
    }
}

/// Gathers the contact forces of every body and adds Cundall's damping −α|F| sign V against the free motions.
pub(crate) fn gather(
    spots: &[Spot],
    incidence: &Incidence,
    bodies: &[BodyConstants],
    loads: &Forces,
    gravity: &Vec3,
    alpha: f64,
    now: &Kinematics,
    out: &mut Vec<BodyForce>,
) {
    out.resize(bodies.len(), BodyForce::default());
    out.par_chunks_mut(PIECE).enumerate().for_each(|(p, piece)| {
        for (i, force) in (p * PIECE..).zip(piece) {
            let mut sum = BodyForce::default();
            for (k, is_candidate) in incidence.of(i) {
                let s = &spots[k];
                let (f, arm) = if is_candidate { (s.force, s.arm_candidate) } else { (-s.force, s.arm_antagonist) };
                sum.contact += f;
                sum.contact_torque += arm.cross(&f);
            }
            if alpha > 0.0 {
                let b = &bodies[i];
                let whole = sum.contact + loads.applied[i] + loads.fluid[i] + gravity * b.mass;
                let moment = sum.contact_torque + loads.torque[i];
                let against = |f: Vec3, v: &Vec3, free: &Vec3| {
                    f.zip_map(v, |f, v| if v == 0.0 { 0.0 } else { -alpha * f.abs() * v.signum() }).component_mul(free)
                };
                sum.damping = against(whole, &now.velocity[i], &b.free);
                sum.damping_torque = against(moment, &now.angular_velocity[i], &b.free_spin);
            }
            *force = sum;
        }
    });
}
