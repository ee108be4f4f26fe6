//! Two bodies that no impulse moves come to touch: a law acts between them, and its force cannot be computed. What touches at the
//! start, as a floor and the walls on it do, is not meant, nor what only slides along.

use std::sync::Arc;

use mpcd_core::{BodyId, InputError, Kinematics, Setup};
use mpcd_geometry::{Detector, Shapes, Touch};

use crate::{law::LawTable, loads::Loads};

use super::{Seen, Watchdog};

#[derive(Debug)]
pub(super) struct Prescribed {
    detector: Detector,
    touches: Vec<Touch>,
}

impl Prescribed {
    /// `None` where no such pair can come to touch.
    pub(super) fn build(setup: &Setup, shapes: &Shapes, loads: &Loads, laws: &LawTable) -> Result<Option<Self>, InputError> {
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
        Ok(Some(Self { detector, touches: Vec::new() }))
    }

    /// The least gap of a pair, where it is negative (m).
    fn overlap(&mut self, motion: &Kinematics, bodies: [BodyId; 2]) -> Option<f64> {
        self.detector.measure(motion, bodies.map(|b| (b, motion.position[b.index()])), 0.0, &mut self.touches);
        self.touches.iter().map(|t| t.gap).filter(|g| *g < 0.0).min_by(f64::total_cmp)
    }
}

impl Watchdog for Prescribed {
    fn name(&self) -> &'static str {
        "prescribed"
    }

    fn look(&mut self, seen: &mut Seen<'_>) -> Option<String> {
        let mut touches = std::mem::take(&mut self.touches);
        // Motion that the detector cannot read has stopped the step before.
        let pairs: Vec<[BodyId; 2]> = match self.detector.detect(&seen.next.kinematics, 0.0, &mut touches) {
            Ok(()) => {
                let mut pairs: Vec<_> =
                    touches.iter().filter(|t| t.gap < 0.0).map(|t| [t.key.candidate, t.key.antagonist]).collect();
                pairs.dedup();
                pairs
            }
            Err(_) => Vec::new(),
        };
        self.touches = touches;
        let pair = pairs.into_iter().find(|&pair| self.overlap(&seen.prev.kinematics, pair).is_none())?;
        let [c, a] = pair.map(|b| seen.setup.body_label(b));
        Some(format!(
            "{c} and {a} came to touch in the step ending at t = {:.6e} s, but their motions are prescribed: no impulse moves them, so the force between them cannot be computed and is in no resultant; end the drive before they meet, let one of them be pushed by a `Force`, or write `NoContact` between their groups",
            seen.step.end(),
        ))
    }
}
