//! What of joints changes while a step is solved: wires slack or taut, limits that hold or not, drives that give all they can. What lives here:
//! their turns, and whether what they came to fits the motion. What may not: rows of joints, solutions.

use mpcd_core::Vec3;
use mpcd_friction::problem::ContactProblem;

use super::{Joints, Kind, Stage, guide::Guide};

/// Changes of a wire between slack and taut in a step after which it stays.
const CHANGES: usize = 6;

impl Joints {
    /// Wires that ended too long become taut, those that push slack; whether any changed.
    pub(super) fn judge_wires(&mut self) -> bool {
        let mut changed = false;
        for &k in &self.rows {
            let (joint, held) = (&self.all[k], &mut self.held[k]);
            if !joint.is_wire() || held.changes >= CHANGES {
                continue;
            }
            let [c, a] = joint.ends(&self.ahead, &self.ahead_spots);
            let pushes = (c - a).dot(&held.impulse) > 0.0;
            let taut = if held.taut {
                !pushes
            } else {
                joint.excess(&self.ahead, &self.ahead_spots) > 0.0 || held.impulse != Vec3::zeros()
            };
            if held.taut && !taut {
                held.impulse = Vec3::zeros();
            }
            changed |= taut != held.taut;
            held.changes += usize::from(taut != held.taut);
            held.taut = taut;
        }
        changed
    }

    /// Limits that would be passed hold, drives that would give too much give what they can, and back; whether any changed.
    pub(super) fn judge_axes(&mut self, stage: &Stage<'_>) -> bool {
        let mut changed = false;
        for &k in &self.rows {
            let (joint, held) = (&self.all[k], &mut self.held[k]);
            let Some(Guide { frame, travel }) = joint.guide(stage.before, &self.ahead, held.last) else { continue };
            let whole = joint.along(&frame, &held.impulse, &held.moment) / travel.share;
            changed |= joint.axis.judge(&mut held.grip, &mut held.changes, &travel, whole, stage.step);
        }
        changed
    }

    /// Whether what holds the joints fits the motion: after so many changes a wire or an axis stays as it is, and may push, pull or pass its limit. Impulses
    /// count to the share `part` of those of all joints and contacts together, ways to this share of how far the fastest body goes.
    pub(super) fn agree(&self, problem: &ContactProblem, part: f64, stage: &Stage<'_>) -> bool {
        let norm = |of: &dyn Fn(&mpcd_friction::problem::Contact) -> f64| problem.contacts.iter().map(of).sum::<f64>().sqrt();
        let pushed = part * norm(&|c| c.impulse.norm_squared());
        let turned = part * norm(&|c| c.moment().norm_squared());
        let spin = self.bodies.iter().map(|&i| problem.bodies[i].angular_velocity.norm()).fold(0.0, f64::max);
        let [way, angle] = [self.fastest(&problem.bodies), spin].map(|speed| part * speed * stage.step.h);
        self.rows.iter().all(|&k| {
            let (joint, held) = (&self.all[k], &self.held[k]);
            if joint.is_wire() {
                let [c, a] = joint.ends(&self.ahead, &self.ahead_spots);
                let pulls = (c - a).dot(&held.impulse) <= pushed * (c - a).norm();
                return pulls && (held.taut || joint.excess(&self.ahead, &self.ahead_spots) <= way);
            }
            let Some(Guide { frame, travel }) = joint.guide(stage.before, &self.ahead, held.last) else { return true };
            let whole = joint.along(&frame, &held.impulse, &held.moment) / travel.share;
            let least = if matches!(joint.kind, Kind::Hinge { .. }) { (turned, angle) } else { (pushed, way) };
            joint.axis.agrees(held.grip, &travel, whole, stage.step, least)
        })
    }
}
