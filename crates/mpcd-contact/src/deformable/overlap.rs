//! Deformable bodies that lie in another body where the model starts: what is deep inside finds no way out. Depths of contact are not here.

use mpcd_core::{BodyId, InputError, Setup, Vec3};
use mpcd_geometry::{Core, Shape, Shapes};

use super::{Deformables, Member};
use crate::law::LawTable;

/// Part of the smallest length of the two up to which bodies may lie in each other.
const SLIGHT: f64 = 0.05;

impl Deformables {
    /// Refuses meshes that lie in each other, around the middle of a rigid body or beyond a plane, where a law acts between the two.
    ///
    /// # Errors
    /// The first such pair, with the depth.
    pub(super) fn refuse_overlaps(
        &self,
        setup: &Setup,
        shapes: &Shapes,
        laws: &LawTable,
        together: &dyn Fn(BodyId, BodyId) -> bool,
    ) -> Result<(), InputError> {
        let group = &setup.bodies.group;
        let acts = |a: BodyId, b: BodyId| laws.between(group[a.index()], group[b.index()]).is_some_and(|l| !laws.law(l).yields());
        let meet = |a: BodyId, b: BodyId| acts(a, b) && !together(a, b);
        let length = |body: BodyId| shapes.0[body.index()].smallest_length(setup.dimension).unwrap_or(f64::INFINITY);
        for member in &self.members {
            for other in self.members.iter().filter(|o| o.body != member.body && meet(member.body, o.body)) {
                let limit = SLIGHT * length(member.body).min(length(other.body));
                // Points of the surface, and the middles of elements: of meshes in one place the surfaces lie in each other.
                let mesh = member.model.mesh();
                let middle = |e: usize| {
                    let nodes = mesh.element(e);
                    nodes.iter().map(|n| mesh.nodes()[*n]).sum::<Vec3>() / nodes.len() as f64
                };
                let surface = (0..member.skin.points().len()).map(|p| member.skin.place_of(p));
                let deepest = surface
                    .chain((0..mesh.elements()).map(middle))
                    .filter_map(|x| other.skin.nearest(&x, 0.0, f64::INFINITY))
                    .fold(0.0, |deepest: f64, at| deepest.max(-at.gap));
                if deepest > limit {
                    return Err(said(setup, member, other.body, deepest));
                }
            }
            for (i, shape) in shapes.0.iter().enumerate() {
                let body = BodyId::from_index(i);
                // The middle of a hollow body or of a surface is no part of it.
                let solid = match shape {
                    Shape::Plane { normal } if meet(member.body, body) => {
                        let (n, x) = (setup.initial.orientation[i] * normal, setup.initial.position[i]);
                        let heights = (0..member.skin.points().len()).map(|p| n.dot(&(member.skin.place_of(p) - x)));
                        let deepest = -heights.fold(0.0, f64::min);
                        if deepest > SLIGHT * length(member.body) {
                            return Err(said(setup, member, body, deepest));
                        }
                        false
                    }
                    Shape::Plane { .. } => false,
                    Shape::Solid(solid) => {
                        !matches!(solid.core(), Core::Hollow { .. } | Core::Mesh(_) | Core::Cluster(_) | Core::Deformable { .. })
                    }
                    _ => true,
                };
                if !solid || !meet(member.body, body) {
                    continue;
                }
                let inside = member.skin.nearest(&setup.initial.position[i], 0.0, f64::INFINITY);
                if let Some(at) = inside.filter(|at| -at.gap > SLIGHT * length(body).min(length(member.body))) {
                    return Err(said(setup, member, body, -at.gap));
                }
            }
        }
        Ok(())
    }
}

fn said(setup: &Setup, member: &Member, other: BodyId, depth: f64) -> InputError {
    let error = InputError::new(format!("{} lies {depth:.3e} m deep in {} at the start", member.label, setup.body_label(other)))
        .help("move them apart; of meshes from files check `scale`");
    // what acts between the two is the place in the file that says that they meet
    let pair = [member.body, other].map(|body| setup.bodies.group[body.index()]);
    let acts = setup.interactions.iter().find(|i| [i.groups.0, i.groups.1] == pair || [i.groups.1, i.groups.0] == pair);
    match acts {
        Some(interaction) => error.within(&interaction.law),
        None => error,
    }
}
