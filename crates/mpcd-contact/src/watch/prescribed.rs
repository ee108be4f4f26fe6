//! Two bodies that no impulse moves come to touch, or are moved apart although they are bonded: a law acts between them, and its force cannot be
//! computed. What touches at the start, as a floor and the walls on it do, is not meant, nor what only slides along.

use std::sync::Arc;

use mpcd_core::{BodyId, InputError, Kinematics, Quat, Setup, Vec3};
use mpcd_geometry::{Detector, Shapes, Touch};

use crate::{
    law::{LawInput, LawTable},
    loads::Loads,
};

use super::{Seen, Watchdog};

#[derive(Debug)]
pub(crate) struct Prescribed {
    detector: Detector,
    touches: Vec<Touch>,
    bonded: Vec<Bonded>,
}

/// Gap over the smallest length up to which bonds of the start are looked for, if laws do not reach farther.
const NEAR: f64 = 0.02;
/// Smallest drift over the distance of two bodies that counts, and smallest turn (rad).
const DRIFT: f64 = 1e-9;

/// Two bodies that a bond holds at the start, and how they lie to each other.
#[derive(Debug)]
struct Bonded {
    bodies: [BodyId; 2],
    /// From the second centre to the first, in the second's axes (m).
    apart: Vec3,
    turned: Quat,
}

impl Bonded {
    fn new(bodies: [BodyId; 2], motion: &Kinematics) -> Self {
        let [c, a] = bodies.map(BodyId::index);
        let back = motion.orientation[a].inverse();
        Self { bodies, apart: back * (motion.position[c] - motion.position[a]), turned: back * motion.orientation[c] }
    }

    /// Whether they no longer lie as they did at the start. Images of a periodic model lie as their bodies do.
    fn has_moved(&self, motion: &Kinematics, periods: &[Option<f64>; 3]) -> bool {
        let now = Self::new(self.bodies, motion);
        let [_, a] = self.bodies.map(BodyId::index);
        let drift = motion.orientation[a] * (now.apart - self.apart);
        let drift = Vec3::from_fn(|k, _| periods[k].map_or(drift[k], |l| drift[k] - l * (drift[k] / l).round()));
        drift.norm() > DRIFT * self.apart.norm() || now.turned.angle_to(&self.turned) > DRIFT
    }
}

impl Prescribed {
    /// `None` where no such pair can come to touch.
    pub(super) fn build(setup: &Setup, shapes: &Shapes, loads: &Loads, laws: &LawTable) -> Result<Option<Self>, InputError> {
        let mut found = Self::without_bonds(setup, shapes, loads, laws)?;
        if let Some(found) = &mut found {
            found.bonded = bonds_of_the_start(setup, shapes, loads, laws, &mut found.detector);
        }
        Ok(found)
    }

    /// The same where no law bonds.
    pub(crate) fn without_bonds<L: ?Sized + Send + Sync + 'static>(
        setup: &Setup,
        shapes: &Shapes,
        loads: &Loads,
        laws: &LawTable<L>,
    ) -> Result<Option<Self>, InputError> {
        let all = || (0..setup.bodies.len()).map(BodyId::from_index);
        let driven: Vec<bool> = all().map(|b| !loads.responds(b) && loads.is_mobile(b)).collect();
        let rigid: Vec<bool> = all().map(|b| !loads.responds(b)).collect();
        let mut some = false;
        for d in all().filter(|d| driven[d.index()]) {
            let with = |b: BodyId| {
                b != d && rigid[b.index()] && laws.between(setup.bodies.group[d.index()], setup.bodies.group[b.index()]).is_some()
            };
            some |= all().any(with);
            if some {
                break;
            }
        }
        if !some {
            return Ok(None);
        }
        let (group, laws) = (setup.bodies.group.clone(), laws.clone());
        let detector = Detector::new(Arc::new(shapes.clone()), setup.dimension, move |a: BodyId, b: BodyId| {
            let held = rigid[a.index()] && rigid[b.index()] && (driven[a.index()] || driven[b.index()]);
            held && laws.between(group[a.index()], group[b.index()]).is_some()
        })
        .and_then(|d| d.with_periods(setup.periods))
        .map_err(|e| InputError::new(e.to_string()).at("bodies"))?;
        Ok(Some(Self { detector, touches: Vec::new(), bonded: Vec::new() }))
    }

    /// Words for the first two that come to touch in a step that ends at time `end`, from which motion to which.
    pub(crate) fn meeting(&mut self, setup: &Setup, prev: &Kinematics, next: &Kinematics, end: f64) -> Option<String> {
        let mut touches = std::mem::take(&mut self.touches);
        // Motion that the detector cannot read has stopped the step before.
        let pairs: Vec<[BodyId; 2]> = match self.detector.detect(next, 0.0, &mut touches) {
            Ok(()) => {
                let mut pairs: Vec<_> =
                    touches.iter().filter(|t| t.gap < -t.tolerance()).map(|t| [t.key.candidate, t.key.antagonist]).collect();
                pairs.dedup();
                pairs
            }
            Err(_) => Vec::new(),
        };
        self.touches = touches;
        let pair = pairs.into_iter().find(|&pair| self.overlap(prev, pair).is_none())?;
        let [c, a] = pair.map(|b| setup.body_label(b));
        Some(format!(
            "{c} and {a} came to touch in the step ending at t = {:.6e} s, but their motions are prescribed: no impulse moves them, so the force between them cannot be computed and is in no resultant; end the drive before they meet, let one of them be pushed by a `Force`, or write `NoContact` between their groups",
            end,
        ))
    }

    /// Words for the first two that are bonded and leave each other in this step.
    fn parting(&self, seen: &Seen<'_>) -> Option<String> {
        let periods = &seen.setup.periods;
        let parts = |b: &&Bonded| !b.has_moved(&seen.prev.kinematics, periods) && b.has_moved(&seen.next.kinematics, periods);
        let [c, a] = self.bonded.iter().find(parts)?.bodies.map(|b| seen.setup.body_label(b));
        Some(format!(
            "{c} and {a} are bonded and moved against each other from the step ending at t = {:.6e} s on, but their motions are prescribed: no impulse moves them, so the force of the bond cannot be computed and is in no resultant; let one of them be pushed by a `Force`, drive both alike, or write a law without a bond between their groups",
            seen.step.end(),
        ))
    }

    /// The least gap of a pair, where the two overlap by more than the contact tolerance (m).
    fn overlap(&mut self, motion: &Kinematics, bodies: [BodyId; 2]) -> Option<f64> {
        self.detector.measure(motion, bodies.map(|b| (b, motion.position[b.index()])), 0.0, &mut self.touches);
        self.touches.iter().filter(|t| t.gap < -t.tolerance()).map(|t| t.gap).min_by(f64::total_cmp)
    }
}

impl Watchdog for Prescribed {
    fn name(&self) -> &'static str {
        "prescribed"
    }

    fn look(&mut self, seen: &mut Seen<'_>) -> Option<String> {
        self.meeting(seen.setup, &seen.prev.kinematics, &seen.next.kinematics, seen.step.end()).or_else(|| self.parting(seen))
    }
}

/// Pairs that the detector looks at and that a bond holds at the start.
fn bonds_of_the_start(setup: &Setup, shapes: &Shapes, loads: &Loads, laws: &LawTable, detector: &mut Detector) -> Vec<Bonded> {
    if !laws.any(|law| law.memory().is_some()) {
        return Vec::new();
    }
    let start = loads.start(setup);
    let lengths = shapes.0.iter().filter_map(|s| s.smallest_length(setup.dimension));
    let near = NEAR * lengths.fold(0.0, f64::max);
    let mut touches = Vec::new();
    // Places that cannot be read are refused when the first step is made.
    if detector.detect(&start, near.max(laws.reach()), &mut touches).is_err() {
        return Vec::new();
    }
    let holds = |touch: &Touch| {
        let group = |body: BodyId| setup.bodies.group[body.index()];
        let law = laws.between(group(touch.key.candidate), group(touch.key.antagonist)).map(|law| laws.law(law));
        law.and_then(|law| law.memory()).is_some_and(|law| {
            let input = LawInput { gap: touch.decided_gap(), start: true, ..LawInput::new(touch.geometry, 1.0) };
            law.tally(&law.initial(&input)).anchored
        })
    };
    let mut pairs: Vec<[BodyId; 2]> = touches.iter().filter(|t| holds(t)).map(|t| [t.key.candidate, t.key.antagonist]).collect();
    pairs.dedup();
    pairs.into_iter().map(|pair| Bonded::new(pair, &start)).collect()
}
