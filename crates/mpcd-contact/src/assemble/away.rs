//! Pairs put away while a large problem is solved: what network and problem hold of them besides is not held twice meanwhile. No assembly.

use mpcd_core::{ContactNetwork, Vec3};
use mpcd_geometry::Touch;

use super::{Assembly, Solved};
use crate::together::fill;

/// What neither the network nor the problem has of the pairs at hand.
#[derive(Debug, Default)]
pub(crate) struct Away {
    /// What candidate and antagonist gain on each other per unit of their size factors (m), of each pair.
    growth: Vec<[f64; 2]>,
    /// Arms of the pairs that are not in the problem, in their order (m).
    arms: Vec<[Vec3; 2]>,
}

impl Assembly {
    /// Gives back the memory of the pairs of which network and problem were just made.
    pub(crate) fn put_away(&mut self) {
        let Away { growth, arms } = &mut self.away;
        let touches = &self.touches;
        fill(growth, touches.len(), || (), |(), place| [touches[place].growth_candidate, touches[place].growth_antagonist]);
        arms.clear();
        if self.active.len() < touches.len() {
            let mut solved = Solved::of(&self.active);
            let others = touches.iter().enumerate().filter(|(place, _)| solved.at(*place).is_err());
            arms.extend(others.map(|(_, touch)| [touch.arm_candidate, touch.arm_antagonist]));
        }
        self.touches = Vec::new();
    }

    /// The same pairs again, to the last bit.
    pub(crate) fn bring_back(&mut self, network: &ContactNetwork) {
        let Self { away: Away { growth, arms }, active, problem, touches, .. } = self;
        let touch_of = |solved: &mut Solved<'_>, place: usize| {
            let contact = &network.contacts[place];
            let [arm_candidate, arm_antagonist] = match solved.at(place) {
                Ok(k) => [problem.contacts[k].candidate_lever, problem.contacts[k].antagonist_lever],
                Err(before) => arms[place - before],
            };
            Touch {
                key: contact.key,
                point: contact.point,
                frame: contact.frame,
                gap: contact.gap,
                geometry: contact.geometry,
                least_radius: contact.least_radius,
                arm_candidate,
                arm_antagonist,
                growth_candidate: growth[place][0],
                growth_antagonist: growth[place][1],
            }
        };
        let count = network.len().min(growth.len());
        fill(touches, count, || Solved::of(active), touch_of);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use mpcd_core::{BodyId, ContactGeometry, ContactKey, Frame};
    use mpcd_friction::problem;

    use super::*;
    use crate::rows::new_contact;

    /// Pairs of which every third is in no problem come back as they were, few and many, on one thread and on three.
    #[test]
    fn what_is_put_away_comes_back() {
        for (pairs, threads) in [(20, 1), (20_000, 1), (20_000, 3)] {
            rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(|| comes_back(pairs));
        }
    }

    fn comes_back(pairs: u32) {
        let mut assembly = Assembly::default();
        let mut network = ContactNetwork::default();
        for k in 0..pairs {
            let x = f64::from(k);
            let touch = Touch {
                key: ContactKey { candidate: BodyId(k), antagonist: BodyId(k + 1), feature: u64::from(k) },
                point: Vec3::new(x, 0.1, 0.2),
                frame: Frame::spatial(Vec3::new(0.1 * x, 0.3, 1.0).normalize()),
                gap: 1e-3 * x,
                geometry: ContactGeometry::Point { reduced_radius: 1.0 + x, roundness: 1.0 },
                least_radius: 2.0 + x,
                arm_candidate: Vec3::new(0.0, x, 0.3),
                arm_antagonist: Vec3::new(0.0, 0.4, x),
                growth_candidate: 0.5 + x,
                growth_antagonist: 0.7 - x,
            };
            assembly.touches.push(touch);
            network.contacts.push(new_contact(&touch, 0, Vec3::zeros()));
            if k % 3 != 1 {
                let frame = problem::Frame::from_normal(touch.frame.n);
                let (candidate, antagonist) = (touch.arm_candidate, touch.arm_antagonist);
                assembly.active.push(k as usize);
                assembly.problem.contacts.push(problem::Contact::new(0, 1, frame, candidate, antagonist));
            }
        }
        let before = assembly.touches.clone();
        assembly.put_away();
        assert!(assembly.touches.is_empty());
        assembly.bring_back(&network);
        assert_eq!(before, assembly.touches);
    }
}
