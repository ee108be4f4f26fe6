//! Nodes of meshes that are held or driven come to touch what no impulse moves either: another held side, of the same body too, or a fixed one. As
//! `prescribed` says of whole bodies.

use super::{Seen, Watchdog};

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
