//! Deformable bodies that lie in another body where the model starts: what is deep inside finds no way out. Overlaps that come later are not here.

use mpcd_core::{BodyId, InputError, Kinematics, Setup, Vec3};
use mpcd_geometry::{BodySkin, Core, Detector, Shape, Shapes};

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

    /// Finds what the contacts of the skins at `start` overlap by, of pairs that a law acts between.
    ///
    /// # Errors
    /// The deepest pair that lies too deep in each other for its law to let go of, with the depth.
    pub(crate) fn find_sunk(
        &mut self,
        setup: &Setup,
        shapes: &Shapes,
        (detector, start): (&mut Detector, &Kinematics),
        laws: &LawTable,
        together: &dyn Fn(BodyId, BodyId) -> bool,
    ) -> Result<(), InputError> {
        self.sunk.clear();
        if self.members.is_empty() {
            return Ok(());
        }
        let group = &setup.bodies.group;
        let law = |a: BodyId, b: BodyId| laws.between(group[a.index()], group[b.index()]).map(|law| laws.law(law));
        let wanted = |a: BodyId, b: BodyId| a != b && law(a, b).is_some() && !together(a, b);
        let skins: Vec<BodySkin<'_>> = self
            .members
            .iter()
            .map(|m| BodySkin { body: m.body, skin: &m.skin, centre: start.position[m.body.index()] })
            .collect();
        let (mut rigid, mut found) = (Vec::new(), Vec::new());
        // nothing moves meanwhile, not even what a function of time says that is no number yet
        let mut still = start.clone();
        still.velocity.iter_mut().chain(&mut still.angular_velocity).for_each(|v| *v = Vec3::zeros());
        let looked = detector.detect_skins((start, (&still, 0.0)), &skins, 0.0, &wanted, (&mut rigid, &mut found));
        looked.map_err(|e| InputError::new(e.to_string()))?;
        for touch in found.iter().map(|f| &f.touch).filter(|t| t.gap < 0.0) {
            let mut pair = [touch.key.candidate, touch.key.antagonist];
            pair.sort_unstable();
            match self.sunk.iter_mut().find(|(known, _)| *known == pair) {
                Some((_, gap)) => *gap = gap.min(touch.gap),
                None => self.sunk.push((pair, touch.gap)),
            }
        }
        let length = |body: BodyId| shapes.0[body.index()].smallest_length(setup.dimension).unwrap_or(f64::INFINITY);
        let is_deep = |([a, b], gap): &&([BodyId; 2], f64)| {
            -gap > SLIGHT * length(*a).min(length(*b)) && law(*a, *b).is_some_and(|law| !law.yields())
        };
        let deepest = self.sunk.iter().filter(is_deep).min_by(|a, b| a.1.total_cmp(&b.1));
        let Some(([a, b], gap)) = deepest else { return Ok(()) };
        let mesh = |body: BodyId| self.members.iter().find(|m| m.body == body);
        match (mesh(*a), mesh(*b)) {
            (Some(member), _) => Err(said(setup, member, *b, -gap)),
            (None, Some(member)) => Err(said(setup, member, *a, -gap)),
            (None, None) => Ok(()),
        }
    }

    /// Pairs that overlap at the start, the first body with the smaller number, and the least gap of each (m).
    pub(crate) fn sunk(&self) -> &[([BodyId; 2], f64)] {
        &self.sunk
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
