//! Two bodies that no impulse moves touch, or lie within the alert distance where something passes across gaps, and both have what a module of the model lets pass from body to body
//! (current, heat): there is no contact between them, so nothing passes. Each pair is said in the step in which it comes to touch, or in the first of the run: nothing is remembered, so that steps that are
//! done again and runs that are resumed say the same. No force is looked at here.

use std::sync::Arc;

use mpcd_core::{BodyId, InputError, Kinematics, Setup, Vec3};
use mpcd_geometry::{Detector, Shapes, Touch};

use crate::{
    across::{parts, passing},
    law::LawTable,
    loads::Loads,
};

use super::{Seen, Watchdog};

/// How far (in largest radii, and in largest coordinates) pairs are looked for: far beyond the contact tolerance, by which they are judged.
const NEAR: (f64, f64) = (1e-6, 1e-12);

/// What makes a contact of them, or a way around it.
const HELP: &str = "join them by a `Spring` that `conducts`, or free one of them along an axis and hold it there by a stiff `Spring` to the ground or push it by a `Force`";

#[derive(Debug)]
pub(crate) struct Parted {
    detector: Detector,
    touches: Vec<Touch>,
    /// Radius of the largest body that is meant (m).
    radius: f64,
    /// Whether one of the bodies moves, so that every step is looked at and not the first alone.
    moves: bool,
}

impl Parted {
    /// `None` where there is no such pair.
    pub(crate) fn build<L: ?Sized + Send + Sync + 'static>(
        setup: &Setup,
        shapes: &Shapes,
        loads: &Loads,
        laws: &LawTable<L>,
    ) -> Result<Option<Self>, InputError> {
        if setup.passing.is_empty() {
            return Ok(None);
        }
        let all = || (0..setup.bodies.len()).map(BodyId::from_index);
        let finite = |b: BodyId| shapes.0[b.index()].bounding_radius(setup.dimension).is_some();
        let has: Vec<u32> = all().map(|b| if loads.responds(b) || !finite(b) { 0 } else { parts(setup, b) }).collect();
        if has.iter().filter(|bits| **bits != 0).count() < 2 {
            return Ok(None);
        }
        let radius = |b: BodyId| shapes.0[b.index()].bounding_radius(setup.dimension).filter(|_| has[b.index()] != 0);
        let radius = all().filter_map(radius).fold(0.0, f64::max);
        let moves = all().any(|b| has[b.index()] != 0 && loads.is_mobile(b));
        let (group, laws) = (setup.bodies.group.clone(), laws.clone());
        let detector = Detector::new(Arc::new(shapes.clone()), setup.dimension, move |a: BodyId, b: BodyId| {
            has[a.index()] & has[b.index()] != 0 && laws.between(group[a.index()], group[b.index()]).is_some()
        })
        .and_then(|d| d.with_periods(setup.periods))
        .map_err(|e| InputError::new(e.to_string()).at("bodies"))?;
        Ok(Some(Self { detector, touches: Vec::new(), radius, moves }))
    }

    /// Pairs that touch and those that only lie within `reach` (m; 0 for none), each sorted.
    fn near(&mut self, motion: &Kinematics, reach: f64, setup: &Setup) -> [Vec<[BodyId; 2]>; 2] {
        let farthest = motion.position.iter().map(Vec3::amax).fold(0.0, f64::max);
        let grown = motion.size.iter().copied().fold(1.0, f64::max);
        // Motion that the detector cannot read has stopped the step before.
        let distance = reach.max(NEAR.0 * grown * self.radius + NEAR.1 * farthest);
        if self.detector.detect(motion, distance, &mut self.touches).is_err() {
            return [Vec::new(), Vec::new()];
        }
        let sorted = |judge: &dyn Fn(&Touch) -> bool| {
            let near = self.touches.iter().filter(|t| judge(t));
            let mut pairs: Vec<_> = near.map(|t| [t.key.candidate, t.key.antagonist]).collect();
            pairs.sort_unstable();
            pairs.dedup();
            pairs
        };
        let touching = sorted(&|t| t.gap <= t.tolerance());
        let mut apart = if reach == 0.0 {
            Vec::new()
        } else {
            sorted(&|t| t.gap <= reach && passing(setup, t.key.candidate, t.key.antagonist, true).next().is_some())
        };
        apart.retain(|pair| touching.binary_search(pair).is_err());
        [touching, apart]
    }
}

impl Watchdog for Parted {
    fn name(&self) -> &'static str {
        "parted"
    }

    fn look(&mut self, seen: &mut Seen<'_>) -> Option<String> {
        let reach = if seen.setup.across.is_empty() { 0.0 } else { seen.alert.margin.max(seen.alert.asked.unwrap_or(0.0)) };
        let from = (seen.prev.last_h != 0.0).then_some(&seen.prev.kinematics);
        self.coming(seen.setup, from, &seen.next.kinematics, reach, HELP)
    }
}

impl Parted {
    /// Words for what comes to touch, or within `reach` (m), in a step from one motion (none in the first) to the next; `help` where there is no contact.
    pub(crate) fn coming(
        &mut self,
        setup: &Setup,
        from: Option<&Kinematics>,
        to: &Kinematics,
        reach: f64,
        help: &str,
    ) -> Option<String> {
        if from.is_some() && !self.moves {
            return None;
        }
        let [mut touching, mut apart] = self.near(to, reach, setup);
        if let Some(from) = from.filter(|_| !(touching.is_empty() && apart.is_empty())) {
            let [touched, within] = self.near(from, reach, setup);
            touching.retain(|pair| touched.binary_search(pair).is_err());
            apart.retain(|pair| within.binary_search(pair).is_err() && touched.binary_search(pair).is_err());
        }
        let touch = !touching.is_empty();
        let pairs = if touch { touching } else { apart };
        let &[c, a] = pairs.first()?;
        let names: Vec<String> = passing(setup, c, a, !touch).map(|part| format!("`{part}`")).collect();
        let names = names.join(", ");
        let more = if pairs.len() > 1 { format!(", as {} more such pairs,", pairs.len() - 1) } else { String::new() };
        let [c, a] = [c, a].map(|b| setup.body_label(b));
        Some(if touch {
            format!(
                "{c} and {a} touch{more} and both have the material part {names}, but no impulse moves either (`Fixed` or driven), so that there is no contact between them and nothing passes; {help}; where nothing is to pass, write `NoContact` between their groups",
            )
        } else {
            format!(
                "{c} and {a} lie within the alert distance of {reach} m{more} and both have the material part {names}, which passes across gaps, but no impulse moves either (`Fixed` or driven), so that they are no pair and nothing passes; {help}; where nothing is to pass, write `NoContact` between their groups",
            )
        })
    }
}
