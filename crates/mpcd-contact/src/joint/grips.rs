//! What of joints changes while a step is solved: wires slack or taut, limits that hold or not, drives that give all they can. What lives here:
//! their turns, and whether what they came to fits the motion. What may not: rows of joints, solutions.

use mpcd_core::{BodyId, Vec3};
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

    /// Lets go what may let go where no motion fits what all hold: first drives that have a limit of their own and lead, which then give all they can, and where that does not do, or there
    /// are none, wires that are taut and limits that hold too. All may change again. Whether there was any; `times` says how often this was asked in the step.
    pub(super) fn loosen(&mut self, stage: &Stage<'_>, times: &mut usize) -> bool {
        while *times < 2 {
            *times += 1;
            if self.loosen_some(stage, *times > 1) {
                return true;
            }
        }
        false
    }

    /// Lets drives go, or `all` that may.
    fn loosen_some(&mut self, stage: &Stage<'_>, all: bool) -> bool {
        let mut changed = false;
        for &k in &self.rows {
            let (joint, held) = (&self.all[k], &mut self.held[k]);
            let turned = std::mem::take(&mut held.changes) > 0;
            let loosened = if joint.is_wire() && all {
                std::mem::take(&mut held.taut)
            } else if joint.is_wire() {
                // what would not settle between slack and taut stands against a drive
                held.taut |= turned;
                false
            } else if let Some(Guide { travel, .. }) = joint.guide(stage.before, &self.ahead, held.last) {
                if turned && !all {
                    joint.axis.stand(&mut held.grip, &travel);
                }
                joint.axis.loosen(&mut held.grip, &travel, (stage.step, all))
            } else {
                false
            };
            // what fits no motion says nothing of the impulses
            (held.impulse, held.moment) = (Vec3::zeros(), Vec3::zeros());
            changed |= loosened;
        }
        changed
    }

    /// Limits that would be passed hold, drives that would give too much give what they can, and back; whether any changed. Impulses are those of a solution or, not `solved`, a guess.
    pub(super) fn judge_axes(&mut self, stage: &Stage<'_>, solved: bool) -> bool {
        let mut changed = false;
        for &k in &self.rows {
            let (joint, held) = (&self.all[k], &mut self.held[k]);
            let Some(Guide { frame, travel }) = joint.guide(stage.before, &self.ahead, held.last) else { continue };
            let whole = joint.along(&frame, &held.impulse, &held.moment) / travel.share;
            let place = |body: BodyId| self.ahead.position[body.index()].norm();
            let far = place(joint.candidate).max(joint.antagonist.map_or(0.0, place)).max(1.0);
            let last = held.grip;
            changed |= joint.axis.judge(&mut held.grip, &mut held.changes, &travel, (whole, solved, far), stage.step);
            if last.push != 0 && held.grip.push == 0 {
                // what a drive gave says nothing of what it needs to lead
                (held.impulse, held.moment) = (Vec3::zeros(), Vec3::zeros());
            }
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
