//! Bonds between meshes and rigid bodies by the material points that they hold together. Contacts of meshes are named by nodes and corners, and are found as
//! long as one of the two lies over the other: over a rim neither does, and the bond is kept by its points. What it carries, and when it breaks, is not here.

use mpcd_core::{BodyId, ContactGeometry, ContactKey, Dimension, Frame, Kinematics, Vec3};
use mpcd_fem::State;
use mpcd_geometry::{SkinTouch, SurfacePoint, Touch};
use serde::{Deserialize, Serialize};

use super::{Deformables, Sides};
use crate::law::Cursor;

/// How far beyond the way that the points of a bond have slid apart something else is still found in its place, over that way.
const IN_PLACE: f64 = 1.5;

/// A bond of a mesh with a rigid body: a point of each, in one place when it was made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MeshAnchor {
    /// Identity: the node or corner that it was made of.
    pub key: ContactKey,
    on_mesh: SurfacePoint,
    /// The point in the axes of the rigid body at reference size (m).
    on_rigid: Vec3,
    /// Normal in the same axes.
    normal: Vec3,
    /// Gap when it was made (m).
    gap: f64,
    /// Whether the rigid body has a size.
    grows: bool,
    geometry: ContactGeometry,
    least_radius: f64,
}

impl MeshAnchor {
    /// The contact that the bond is where the point of the mesh is at `place`, that of a body with this centre (m).
    fn touch(&self, (place, centre): (Vec3, Vec3), now: &Kinematics, dimension: Dimension) -> (SkinTouch, Vec3) {
        let a = self.key.antagonist.index();
        let (x, q, size) = (now.position[a], now.orientation[a], if self.grows { now.size[a] } else { 1.0 });
        let (on_rigid, n) = (q * self.on_rigid * size, q * self.normal);
        let n = if dimension == Dimension::Planar { Vec3::new(n.x, n.y, 0.0) } else { n }.normalize();
        let drift = place - x - on_rigid;
        let touch = Touch {
            key: self.key,
            point: place,
            frame: if dimension == Dimension::Planar { Frame::planar(n) } else { Frame::spatial(n) },
            gap: self.gap + n.dot(&drift),
            geometry: self.geometry,
            least_radius: self.least_radius,
            arm_candidate: place - centre,
            arm_antagonist: place - x,
            growth_candidate: 0.0,
            growth_antagonist: if self.grows { n.dot(&on_rigid) / size } else { 0.0 },
        };
        (SkinTouch { touch, candidate: Some(self.on_mesh.clone()), antagonist: None, apart: None }, drift)
    }
}

impl Sides {
    /// The bond that a contact of a mesh with a rigid body is, whose surface `grows` with its size or has none (a plane); `None` where both are meshes.
    fn anchor(&self, touch: &Touch, now: &Kinematics, grows: bool) -> Option<MeshAnchor> {
        let found = self.found.binary_search_by_key(&touch.key, |t| t.touch.key).ok()?;
        let SkinTouch { candidate: Some(on_mesh), antagonist: None, apart: None, .. } = &self.found[found] else { return None };
        let a = touch.key.antagonist.index();
        let back = |v: &Vec3| now.orientation[a].inverse_transform_vector(v);
        Some(MeshAnchor {
            key: touch.key,
            on_mesh: on_mesh.clone(),
            on_rigid: back(&touch.arm_antagonist) / if grows { now.size[a] } else { 1.0 },
            normal: back(&touch.frame.n),
            gap: touch.gap,
            grows,
            geometry: touch.geometry,
            least_radius: touch.least_radius,
        })
    }

    /// The bonds of meshes with rigid bodies after a step: those of `last` that these contacts still hold, as they were made, and new ones. Contacts and bonds
    /// are sorted by key; `endless` says which bodies are planes.
    pub(crate) fn keep_bonds<'a>(
        &self,
        holding: impl Iterator<Item = &'a Touch>,
        last: &[MeshAnchor],
        now: &Kinematics,
        endless: &dyn Fn(BodyId) -> bool,
    ) -> Vec<MeshAnchor> {
        let mut known = Cursor::new(last, |a: &MeshAnchor| &a.key);
        let of =
            |touch: &Touch| known.find(&touch.key).cloned().or_else(|| self.anchor(touch, now, !endless(touch.key.antagonist)));
        holding.filter_map(of).collect()
    }
}

impl Deformables {
    /// Adds the bonds whose contact was not found to what was, sorted by key, in the place of what slid there.
    pub(super) fn carry_bonds(
        &self,
        bonds: &[MeshAnchor],
        (states, lead): (&[State], f64),
        (now, sides): (&Kinematics, &Sides),
        found: &mut Vec<SkinTouch>,
    ) {
        let is_found = |bond: &&MeshAnchor| found.binary_search_by_key(&bond.key, |t| t.touch.key).is_ok();
        let d = sides.dimension;
        let dimension = if d == 2 { Dimension::Planar } else { Dimension::Spatial };
        let kept = |bond: &MeshAnchor| {
            let member = *sides.member.get(bond.key.candidate.index())? as usize;
            let (rest, state) = (self.members.get(member)?.model.mesh().nodes(), states.get(member)?);
            let moved = |i: usize| state.displacement[i] + lead * state.velocity[i];
            let at = |node: usize| rest[node] + Vec3::from_fn(|i, _| if i < d { moved(node * d + i) } else { 0.0 });
            let centre = now.position[bond.key.candidate.index()];
            Some(bond.touch((bond.on_mesh.mean(at), centre), now, dimension))
        };
        let kept: Vec<(SkinTouch, Vec3)> = bonds.iter().filter(|bond| !is_found(bond)).filter_map(kept).collect();
        if kept.is_empty() {
            return;
        }
        let pair = |key: &ContactKey| (key.candidate, key.antagonist);
        let is_in_place = |t: &Touch| {
            kept.iter().any(|(own, drift)| {
                let aside = drift - own.touch.frame.n * own.touch.frame.n.dot(drift);
                pair(&own.touch.key) == pair(&t.key) && (t.point - own.touch.point).norm() <= IN_PLACE * aside.norm()
            })
        };
        found.retain(|t| bonds.binary_search_by_key(&t.touch.key, |b| b.key).is_ok() || !is_in_place(&t.touch));
        found.extend(kept.into_iter().map(|(touch, _)| touch));
        found.sort_unstable_by_key(|t| t.touch.key);
    }
}
