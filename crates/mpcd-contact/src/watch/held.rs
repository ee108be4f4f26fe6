//! Nodes of meshes that are held or driven come to touch what no impulse moves either: another held side, of the same body too, or a fixed one. As
//! `prescribed` says of whole bodies; and as `parted` does, where something should pass between them from the start.

use super::{Seen, Watchdog};
use crate::across::passing;

#[derive(Debug)]
pub(super) struct Held;

impl Watchdog for Held {
    fn name(&self) -> &'static str {
        "prescribed"
    }

    fn look(&mut self, seen: &mut Seen<'_>) -> Option<String> {
        let barred = seen.barred?;
        let [c, a] = barred.bodies.map(|body| seen.setup.body_label(body));
        let with = if c == a {
            "another side of it that is held or driven".to_owned()
        } else {
            format!("{a}, which no impulse moves there")
        };
        Some(format!(
            "a node of {c} that a load or a weld holds or drives passes into {with}: they overlap by {:.2e} m at t = {:.6e} s, and the force between them cannot be computed; end the motion before, or let one of the two sides go",
            -barred.gap,
            seen.step.end(),
        ))
    }
}

/// A mesh touches another body where both are held, and nowhere else, when the run begins: they have no contact, and nothing passes.
#[derive(Debug)]
pub(super) struct Unpassed;

impl Watchdog for Unpassed {
    fn name(&self) -> &'static str {
        "parted"
    }

    fn look(&mut self, seen: &mut Seen<'_>) -> Option<String> {
        if seen.prev.last_h != 0.0 {
            return None;
        }
        let between = |pair: &[mpcd_core::BodyId; 2]| {
            let group = |k: usize| seen.setup.bodies.group[pair[k].index()];
            let has_law = seen.laws.between(group(0), group(1)).is_some();
            has_law && passing(seen.setup, pair[0], pair[1], false).next().is_some()
        };
        let pair = seen.untouched.iter().find(|pair| between(pair))?;
        let names: Vec<String> = passing(seen.setup, pair[0], pair[1], false).map(|part| format!("`{part}`")).collect();
        let [c, a] = pair.map(|body| seen.setup.body_label(body));
        Some(format!(
            "{c} and {a} touch where loads hold or drive both, and nowhere else; both have the material part {}, but no impulse moves either there, so that there is no contact between them and nothing passes; let the nodes of one of them go where they touch, and hold it elsewhere; where nothing is to pass, write `NoContact` between their groups",
            names.join(", "),
        ))
    }
}
