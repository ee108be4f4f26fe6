//! Two bodies that no impulse moves touch, and both have what a module of the model lets pass from body to body (current, heat): there is no contact
//! between them, so nothing passes. Each pair is said once. No force is looked at here.

use std::{collections::BTreeSet, sync::Arc};

use mpcd_core::{BodyId, InputError, Kinematics, Setup};
use mpcd_geometry::{Detector, Shapes, Touch};

use crate::{law::LawTable, loads::Loads};

use super::{Seen, Watchdog};

#[derive(Debug)]
pub(super) struct Parted {
    detector: Detector,
    touches: Vec<Touch>,
    said: BTreeSet<[BodyId; 2]>,
    /// Whether one of the bodies moves, so that every step is looked at and not the first alone.
    moves: bool,
    looked: bool,
}

/// Which parts of `setup.passing` the material of a body has, one bit each.
fn parts(setup: &Setup, body: BodyId) -> u32 {
    let material = &setup.materials[setup.material_of(body).index()];
    let has = |part: &&str| material.parts.contains_key(*part);
    setup
        .passing
        .iter()
        .enumerate()
        .filter(|(_, part)| has(part))
        .fold(0, |bits, (k, _)| bits | 1_u32.checked_shl(k as u32).unwrap_or(0))
}

impl Parted {
    /// `None` where there is no such pair.
    pub(super) fn build(setup: &Setup, shapes: &Shapes, loads: &Loads, laws: &LawTable) -> Result<Option<Self>, InputError> {
        if setup.passing.is_empty() {
            return Ok(None);
        }
        let all = || (0..setup.bodies.len()).map(BodyId::from_index);
        let finite = |b: BodyId| shapes.0[b.index()].bounding_radius(setup.dimension).is_some();
        let has: Vec<u32> = all().map(|b| if loads.responds(b) || !finite(b) { 0 } else { parts(setup, b) }).collect();
        if has.iter().filter(|bits| **bits != 0).count() < 2 {
            return Ok(None);
        }
        let moves = all().any(|b| has[b.index()] != 0 && loads.is_mobile(b));
        let (group, laws) = (setup.bodies.group.clone(), laws.clone());
        let detector = Detector::new(Arc::new(shapes.clone()), setup.dimension, move |a: BodyId, b: BodyId| {
            has[a.index()] & has[b.index()] != 0 && laws.between(group[a.index()], group[b.index()]).is_some()
        })
        .and_then(|d| d.with_periods(setup.periods))
        .map_err(|e| InputError::new(e.to_string()).at("bodies"))?;
        Ok(Some(Self { detector, touches: Vec::new(), said: BTreeSet::new(), moves, looked: false }))
    }

    /// Pairs that touch and have not been said.
    fn touching(&mut self, motion: &Kinematics) -> Vec<[BodyId; 2]> {
        let mut pairs = Vec::new();
        // Motion that the detector cannot read has stopped the step before.
        if self.detector.detect(motion, 0.0, &mut self.touches).is_ok() {
            let near = self.touches.iter().filter(|t| t.gap <= t.tolerance());
            pairs = near.map(|t| [t.key.candidate, t.key.antagonist]).filter(|pair| !self.said.contains(pair)).collect();
            pairs.dedup();
        }
        pairs
    }
}

impl Watchdog for Parted {
    fn name(&self) -> &'static str {
        "parted"
    }

    fn look(&mut self, seen: &mut Seen<'_>) -> Option<String> {
        if self.looked && !self.moves {
            return None;
        }
        self.looked = true;
        let pairs = self.touching(&seen.next.kinematics);
        let setup = seen.setup;
        let &[c, a] = pairs.first()?;
        let both = parts(setup, c) & parts(setup, a);
        let names = setup.passing.iter().enumerate().filter(|(k, _)| both >> k & 1 == 1).map(|(_, part)| format!("`{part}`"));
        let names = names.collect::<Vec<_>>().join(", ");
        let more = if pairs.len() > 1 { format!(", as {} more such pairs,", pairs.len() - 1) } else { String::new() };
        self.said.extend(pairs.iter().copied());
        let [c, a] = [c, a].map(|b| setup.body_label(b));
        Some(format!(
            "{c} and {a} touch{more} and both have the material part {names}, but no impulse moves either (`Fixed` or driven), so that there is no contact between them and nothing passes; join them by a `Spring` that `conducts`, or free one of them along an axis and hold it there by a stiff `Spring` to the ground or push it by a `Force`; where nothing is to pass, write `NoContact` between their groups",
        ))
    }
}
