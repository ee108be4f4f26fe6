//! The size of meshes from files against the rest of the scene: what is a thousand times as large as all else was drawn in millimetres. Where nothing else
//! has a size, as beside planes, weight, waves and planes say what is too large.

use mpcd_core::{BodyId, Setup, Vec3, setup::Span};
use mpcd_geometry::{Shape, Shapes};

use super::{Deformables, Member};
use crate::law::LawTable;

/// Ratio of sizes from which on a mesh of a file that gives no scale is doubted.
const FAR: f64 = 300.0;
/// Strain by its own weight from which on it is.
const HEAVY: f64 = 0.1;
/// Part of its smallest length beyond a plane from which on it is.
const BEYOND: f64 = 0.05;

impl Deformables {
    /// Doubts about meshes of files that are far larger, or far smaller, than every other body; where no other has a size, about those that their weight
    /// crushes, that no wave crosses in the run, or that lie beyond a plane.
    pub(crate) fn doubts(&self, setup: &Setup, shapes: &Shapes, laws: &LawTable) -> Vec<String> {
        let radius = |body: BodyId| shapes.0[body.index()].bounding_radius(setup.dimension);
        let unscaled = |body: BodyId| self.members.iter().any(|m| m.body == body && m.unscaled);
        let others = (0..setup.bodies.len()).map(BodyId::from_index).filter(|b| !unscaled(*b)).filter_map(radius);
        let (least, most) = others.fold((f64::INFINITY, 0.0_f64), |(a, b), r| (a.min(r), b.max(r)));
        let mut out = Vec::new();
        for member in self.members.iter().filter(|m| m.unscaled) {
            let Some(own) = radius(member.body) else { continue };
            let (why, unit) = if most == 0.0 {
                match self.too_large(member, setup, shapes, laws) {
                    Some(why) => (why, MILLIMETRES),
                    None => continue,
                }
            } else if own > FAR * most {
                (beside(own, "largest", most), MILLIMETRES)
            } else if own < least / FAR {
                (beside(own, "smallest", least), "kilometres, write `scale: 1000`")
            } else {
                continue;
            };
            let (mesh, label) = (member.model.mesh().name(), &member.label);
            out.push(format!("the mesh `{mesh}` of {label} {why}: if the file is in {unit}; if it is in metres, `scale: 1`"));
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

    /// Why a mesh beside which nothing has a size may be too large; `None` where nothing says so.
    fn too_large(&self, member: &Member, setup: &Setup, shapes: &Shapes, laws: &LawTable) -> Option<String> {
        let (low, high) = member.model.mesh().bounds();
        let extent = high - low;
        let i = member.body.index();
        let down = setup.gravity.map(f64::abs);
        let strain = setup.bodies.mass[i] / setup.bodies.volume[i] * extent.dot(&down) / member.softest;
        if strain > HEAVY {
            let height = extent.dot(&down) / down.norm();
            return Some(format!("is {height:.3e} m high, and its own weight would strain it by {strain:.2e} (ρ g L/E)"));
        }
        let run = setup.part::<Span>().ok()?.0;
        if !self.are_static() && run * member.pace < 1.0 {
            let (size, time) = (extent.amax(), 1.0 / member.pace);
            return Some(format!(
                "is {size:.3e} m long, and a wave takes {time:.3e} s to run through it, longer than the run of {run:.3e} s"
            ));
        }
        let group = &setup.bodies.group;
        let length = shapes.0[i].smallest_length(setup.dimension)?;
        let planes = (0..).map(BodyId).zip(&shapes.0).filter_map(|(body, shape)| match shape {
            Shape::Plane { normal } => Some((body, *normal)),
            _ => None,
        });
        for (body, normal) in planes.filter(|(body, _)| laws.between(group[i], group[body.index()]).is_some()) {
            let (at, turn) = (setup.initial.position[body.index()], setup.initial.orientation[body.index()]);
            let up: Vec3 = turn * normal;
            let lowest = member.model.mesh().nodes().iter().map(|x| up.dot(&(x - at))).fold(f64::INFINITY, f64::min);
            if -lowest > BEYOND * length {
                let plane = setup.body_label(body);
                return Some(format!("is {:.3e} m large, and lies {:.3e} m beyond {plane}", extent.amax(), -lowest));
            }
        }
        None
    }
}

/// What is said of a unit that is a thousand times too large.
const MILLIMETRES: &str = "millimetres, write `scale: 0.001`";

fn beside(own: f64, word: &str, other: f64) -> String {
    format!("has a radius of {own:.3e} m, but the {word} of the other bodies one of {other:.3e} m")
}
