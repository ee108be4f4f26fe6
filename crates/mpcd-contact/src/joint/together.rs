//! Bodies that joints hold together do not touch each other. What lives here: which pairs those are, and from when a joint that breaks lets them: once
//! none of their joints holds and they have come apart, as shapes may lie in each other around a pin.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use mpcd_core::{BodyId, GroupId};

use super::{Joint, JointState};

/// Two bodies that joints hold together.
#[derive(Debug)]
struct Pair {
    /// Lower id first.
    bodies: [BodyId; 2],
    /// Joints that do, ascending.
    joints: Vec<usize>,
    /// Whether one of them cannot break.
    lasts: bool,
    /// Whether they touch in this step; it follows from the states of the joints.
    touches: AtomicBool,
}

/// All such pairs, sorted by their bodies. Clones are the same pairs: the detector asks one of them.
#[derive(Debug, Default, Clone)]
pub(crate) struct Together(Arc<Vec<Pair>>);

impl Together {
    pub(super) fn of(joints: &[Joint]) -> Self {
        let ends = |(k, joint): (usize, &Joint)| {
            let (a, b) = (joint.candidate, joint.antagonist?);
            joint.holds_together().then(|| ([a.min(b), a.max(b)], k))
        };
        let mut held: Vec<([BodyId; 2], usize)> = joints.iter().enumerate().filter_map(ends).collect();
        held.sort_unstable();
        let pair = |same: &[([BodyId; 2], usize)]| Pair {
            bodies: same[0].0,
            joints: same.iter().map(|(_, k)| *k).collect(),
            lasts: same.iter().any(|(_, k)| joints[*k].break_force.is_none()),
            touches: AtomicBool::new(false),
        };
        Self(Arc::new(held.chunk_by(|a, b| a.0 == b.0).map(pair).collect()))
    }

    fn find(&self, a: BodyId, b: BodyId) -> Option<&Pair> {
        let bodies = [a.min(b), a.max(b)];
        self.0.binary_search_by(|pair| pair.bodies.cmp(&bodies)).ok().map(|k| &self.0[k])
    }

    /// Whether two bodies are kept from touching in this step.
    pub(crate) fn has(&self, a: BodyId, b: BodyId) -> bool {
        self.find(a, b).is_some_and(|pair| !pair.touches.load(Ordering::Relaxed))
    }

    /// Whether every body of one group is held for good to every one of the other, so that they never touch. `group` has the group of each body.
    pub(crate) fn join(&self, a: GroupId, b: GroupId, group: &[GroupId]) -> bool {
        let count = |g: GroupId| group.iter().filter(|of| **of == g).count();
        let of_groups = |pair: &&Pair| {
            let [i, j] = pair.bodies.map(|body| group[body.index()]);
            pair.lasts && ((i, j) == (a, b) || (i, j) == (b, a))
        };
        let held = self.0.iter().filter(of_groups).count();
        let all = if a == b { count(a) * count(a).saturating_sub(1) / 2 } else { count(a) * count(b) };
        held > 0 && held == all
    }

    /// Pairs that touch once their joints have broken.
    pub(crate) fn breakable(&self) -> impl Iterator<Item = [BodyId; 2]> + '_ {
        self.0.iter().filter(|pair| !pair.lasts).map(|pair| pair.bodies)
    }

    /// Goes by the states at the start of a step; tells whether other pairs touch than before.
    pub(crate) fn follow(&self, states: &[JointState]) -> bool {
        let mut changes = false;
        for pair in self.0.iter().filter(|pair| !pair.lasts) {
            let touches = pair.joints.iter().all(|k| states[*k].broken && states[*k].parted);
            changes |= pair.touches.swap(touches, Ordering::Relaxed) != touches;
        }
        changes
    }

    /// Marks the joints whose pairs nothing holds any more and that have come apart, as `overlap` tells of two bodies.
    pub(crate) fn part(&self, states: &mut [JointState], mut overlap: impl FnMut([BodyId; 2]) -> bool) {
        for pair in self.0.iter().filter(|pair| !pair.lasts) {
            let broken = pair.joints.iter().all(|k| states[*k].broken);
            if broken && !pair.joints.iter().all(|k| states[*k].parted) && !overlap(pair.bodies) {
                pair.joints.iter().for_each(|k| states[*k].parted = true);
            }
        }
    }
}
