//! The size of meshes from files against the rest of the scene: what is a thousand times as large as all else was drawn in millimetres.

use mpcd_core::{BodyId, Setup};
use mpcd_geometry::Shapes;

use super::Deformables;

/// Ratio of sizes from which on a mesh of a file that gives no scale is doubted.
const FAR: f64 = 300.0;

impl Deformables {
    /// Doubts about meshes of files that are far larger, or far smaller, than every other body.
    pub(crate) fn doubts(&self, setup: &Setup, shapes: &Shapes) -> Vec<String> {
        let radius = |body: BodyId| shapes.0[body.index()].bounding_radius(setup.dimension);
        let unscaled = |body: BodyId| self.members.iter().any(|m| m.body == body && m.unscaled);
        let others = (0..setup.bodies.len()).map(BodyId::from_index).filter(|b| !unscaled(*b)).filter_map(radius);
        let (least, most) = others.fold((f64::INFINITY, 0.0_f64), |(a, b), r| (a.min(r), b.max(r)));
        let mut out = Vec::new();
        for member in self.members.iter().filter(|m| m.unscaled && most > 0.0) {
            let Some(own) = radius(member.body) else { continue };
            let (word, other) = if own > FAR * most {
                ("largest", most)
            } else if own < least / FAR {
                ("smallest", least)
            } else {
                continue;
            };
            let unit = if own > other { "millimetres, write `scale: 0.001`" } else { "kilometres, write `scale: 1000`" };
            out.push(format!(
                "the mesh `{}` of {} has a radius of {own:.3e} m, but the {word} of the other bodies one of {other:.3e} m: if the file is in {unit}; if it is in metres, `scale: 1`",
                member.model.mesh().name(),
                member.label
            ));
        }
        out
    }

    /// Doubts about nodes that belong to two sides which loads move differently.
    pub(crate) fn shared_nodes(&self) -> Vec<String> {
        let words = |m: &super::Member| {
            m.loads.shared_nodes(&m.model).into_iter().map(|w| format!("{}: {w}", m.label)).collect::<Vec<_>>()
        };
        self.members.iter().flat_map(words).collect()
    }
}
