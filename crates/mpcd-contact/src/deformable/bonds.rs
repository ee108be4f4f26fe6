//! Bonds of meshes by the material points that they hold together. Contacts of meshes are named by nodes and corners, and are found as
//! long as one of the two lies over the other: over a rim neither does, and the bond is kept by its points. What it carries, and when it breaks, is not here.

use mpcd_core::{BodyId, ContactGeometry, ContactKey, ContactNetwork, Dimension, Frame, Kinematics, Vec3};
use mpcd_fem::State;
use mpcd_geometry::{SkinTouch, SurfacePoint, Touch};
use serde::{Deserialize, Serialize};

use super::{Deformables, Sides};
use crate::law::Cursor;

/// How far beyond the way that the points of a bond have slid apart something else is still found in its place, over that way.
const IN_PLACE: f64 = 1.5;

/// How far around a bond what lies there is held by it, over the way to the next one: half of it in the plane, in space half the diagonal of the square that it is the middle of.
const AROUND: [f64; 2] = [0.55, 0.75];

/// Part of that way by which what is deeper is a contact of its own.
const DEEPER: f64 = 0.01;

/// A bond of a mesh with a rigid body or another mesh: a point of each, in one place when it was made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MeshAnchor {
    /// Identity: the node or corner that it was made of.
    pub key: ContactKey,
    on_mesh: SurfacePoint,
    other: Other,
    /// Normal, in the axes of a rigid antagonist; between meshes as it was last.
    normal: Vec3,
    /// Gap when it was made (m).
    gap: f64,
    geometry: ContactGeometry,
    least_radius: f64,
}

/// What is known of bonds of meshes from the step before.
#[derive(Clone, Copy)]
pub(crate) struct Bonded<'a> {
    pub(crate) bonds: &'a [MeshAnchor],
    pub(crate) states: &'a [State],
    pub(crate) network: &'a ContactNetwork,
}

/// The antagonist's point of a bond.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Other {
    /// Of a rigid body.
    Rigid {
        /// In the axes of the body at reference size (m).
        at: Vec3,
        /// Whether the body has a size.
        grows: bool,
    },
    /// Of a mesh.
    Mesh(SurfacePoint),
}

/// Where the two points of a bond are now.
struct Ends {
    places: [Vec3; 2],
    centres: [Vec3; 2],
    normal: Vec3,
    gap: f64,
    /// −∂gap/∂size of the antagonist (m).
    growth: f64,
}

impl MeshAnchor {
    /// The contact that the bond is where its ends are so, and how far they have slid apart (m).
    fn touch(&self, ends: &Ends, dimension: Dimension) -> (SkinTouch, Vec3) {
        let Ends { places: [on_mesh, on_other], centres, normal: n, gap, growth } = *ends;
        let rigid = matches!(self.other, Other::Rigid { .. });
        let foot = if rigid { on_mesh } else { on_other };
        let touch = Touch {
            key: self.key,
            point: 0.5 * (on_mesh + foot),
            frame: if dimension == Dimension::Planar { Frame::planar(n) } else { Frame::spatial(n) },
            gap,
            geometry: self.geometry,
            least_radius: self.least_radius,
            arm_candidate: on_mesh - centres[0],
            arm_antagonist: foot - centres[1],
            growth_candidate: 0.0,
            growth_antagonist: growth,
        };
        let antagonist = if let Other::Mesh(point) = &self.other { Some(point.clone()) } else { None };
        let apart = on_mesh - on_other;
        (SkinTouch { touch, candidate: Some(self.on_mesh.clone()), antagonist, apart: None, place: 0 }, apart - n * n.dot(&apart))
    }
}

impl Sides {
    /// The bond that a contact of a mesh with a rigid body is, whose surface `grows` with its size or has none (a plane), or that of two meshes; `None` of a
    /// mesh that touches itself.
    fn anchor(&self, touch: &Touch, now: &Kinematics, grows: bool) -> Option<MeshAnchor> {
        let found = self.found.binary_search_by_key(&touch.key, |t| t.touch.key).ok()?;
        let SkinTouch { candidate: Some(on_mesh), antagonist, apart: None, .. } = &self.found[found] else { return None };
        let a = touch.key.antagonist.index();
        let back = |v: &Vec3| now.orientation[a].inverse_transform_vector(v);
        let (other, normal) = match antagonist {
            None => {
                let at = back(&touch.arm_antagonist) / if grows { now.size[a] } else { 1.0 };
                (Other::Rigid { at, grows }, back(&touch.frame.n))
            }
            Some(point) => (Other::Mesh(point.clone()), touch.frame.n),
        };
        let (gap, geometry, least_radius) = (touch.gap, touch.geometry, touch.least_radius);
        Some(MeshAnchor { key: touch.key, on_mesh: on_mesh.clone(), other, normal, gap, geometry, least_radius })
    }

    /// The bonds of meshes after a step: those of `last` that these contacts still hold, as they were made, and new ones. Contacts and bonds
    /// are sorted by key; `endless` says which bodies are planes.
    pub(crate) fn keep_bonds<'a>(
        &self,
        holding: impl Iterator<Item = &'a Touch>,
        last: &[MeshAnchor],
        now: &Kinematics,
        endless: &dyn Fn(BodyId) -> bool,
    ) -> Vec<MeshAnchor> {
        let mut known = Cursor::new(last, |a: &MeshAnchor| &a.key);
        let of = |touch: &Touch| {
            let Some(bond) = known.find(&touch.key) else { return self.anchor(touch, now, !endless(touch.key.antagonist)) };
            let mut bond = bond.clone();
            if let Other::Mesh(_) = bond.other {
                bond.normal = touch.frame.n;
            }
            Some(bond)
        };
        holding.filter_map(of).collect()
    }
}

impl Deformables {
    /// Adds the bonds whose contact was not found to what was, sorted by key, in the place of what slid there. Where meshes slide on each other as their bond gives, points of one come
    /// out beside those of the other with which they were one, and from below what was joined: they lie on what is bonded, without a bond, and are no contacts of their own.
    pub(super) fn carry_bonds(
        &self,
        (last, lead): (Bonded<'_>, f64),
        (now, sides): (&Kinematics, &Sides),
        found: &mut Vec<SkinTouch>,
    ) {
        let Bonded { bonds, states, network } = last;
        let d = sides.dimension;
        let dimension = if d == 2 { Dimension::Planar } else { Dimension::Spatial };
        let member =
            |body: BodyId| sides.member.get(body.index()).and_then(|m| self.members.get(*m as usize).map(|of| (*m as usize, of)));
        let place = |body: BodyId, point: &SurfacePoint| {
            let (k, of) = member(body)?;
            let (rest, state) = (of.model.mesh().nodes(), states.get(k)?);
            let moved = |i: usize| state.displacement[i] + lead * state.velocity[i];
            Some(point.mean(|node| rest[node] + Vec3::from_fn(|i, _| if i < d { moved(node * d + i) } else { 0.0 })))
        };
        let looks = |body: BodyId, point: &SurfacePoint, way: Vec3| member(body)?.1.skin.normal_along(point, &way);
        let kept = |bond: &MeshAnchor| {
            let (body, other) = (bond.key.candidate, bond.key.antagonist);
            let on_mesh = place(body, &bond.on_mesh)?;
            let centres = [now.position[body.index()], now.position[other.index()]];
            let flat = |n: Vec3| if d == 2 { Vec3::new(n.x, n.y, 0.0) } else { n }.normalize();
            let ends = match &bond.other {
                Other::Rigid { at, grows } => {
                    let (q, size) = (now.orientation[other.index()], if *grows { now.size[other.index()] } else { 1.0 });
                    let (arm, n) = (q * at * size, flat(q * bond.normal));
                    let on_other = centres[1] + arm;
                    let gap = bond.gap + n.dot(&(on_mesh - on_other));
                    Ends {
                        places: [on_mesh, on_other],
                        centres,
                        normal: n,
                        gap,
                        growth: if *grows { n.dot(&arm) / size } else { 0.0 },
                    }
                }
                Other::Mesh(point) => {
                    let on_other = place(other, point)?;
                    // as the faces that it holds together look now
                    let own = looks(body, &bond.on_mesh, -bond.normal).map_or(bond.normal, |n| -n);
                    let n = flat(looks(other, point, bond.normal).unwrap_or(bond.normal) + own);
                    let gap = n.dot(&(on_mesh - on_other));
                    Ends { places: [on_mesh, on_other], centres, normal: n, gap, growth: 0.0 }
                }
            };
            Some(bond.touch(&ends, dimension))
        };
        let pair = |key: &ContactKey| (key.candidate, key.antagonist);
        let is_bonded = |t: &SkinTouch| bonds.binary_search_by_key(&t.touch.key, |b| b.key).is_ok();
        let comes_out = |t: &SkinTouch| {
            t.candidate.is_some()
                && t.antagonist.is_some()
                && bonds.binary_search_by_key(&pair(&t.touch.key), |b| pair(&b.key)).is_ok()
                && !is_bonded(t)
                && network.find(&t.touch.key).is_none()
        };
        if found.iter().any(comes_out) {
            let spot = |bond: &MeshAnchor| {
                kept(bond).map(|(t, aside)| Spot {
                    pair: pair(&bond.key),
                    at: t.touch.point,
                    gap: t.touch.gap,
                    aside: aside.norm(),
                })
            };
            let spots: Vec<_> = bonds.iter().filter_map(spot).collect();
            found.retain(|t| !comes_out(t) || !is_around(&spots, &t.touch, AROUND[usize::from(d == 3)]));
        }
        let is_found = |bond: &&MeshAnchor| found.binary_search_by_key(&bond.key, |t| t.touch.key).is_ok();
        let kept: Vec<(SkinTouch, Vec3)> = bonds.iter().filter(|bond| !is_found(bond)).filter_map(kept).collect();
        if kept.is_empty() {
            return;
        }
        let is_in_place = |t: &Touch| {
            kept.iter().any(|(own, aside)| {
                pair(&own.touch.key) == pair(&t.key) && (t.point - own.touch.point).norm() <= IN_PLACE * aside.norm()
            })
        };
        found.retain(|t| is_bonded(t) || !is_in_place(&t.touch));
        found.extend(kept.into_iter().map(|(touch, _)| touch));
        found.sort_unstable_by_key(|t| t.touch.key);
    }
}

/// A bond among those of its pair.
struct Spot {
    pair: (BodyId, BodyId),
    /// Where (m).
    at: Vec3,
    gap: f64,
    /// How far its points have slid apart (m).
    aside: f64,
}

/// Whether a contact lies on what the nearest bond of its pair holds: within a part `around` of the way from it to the next one, and what has slid, and not deeper by more than a
/// part of that way, as a thorn is.
fn is_around(bonds: &[Spot], touch: &Touch, around: f64) -> bool {
    let pair = (touch.key.candidate, touch.key.antagonist);
    let own = || bonds.iter().filter(|b| b.pair == pair);
    let far = |b: &Spot| (b.at - touch.point).norm();
    let Some(nearest) = own().min_by(|a, b| far(a).total_cmp(&far(b))) else { return false };
    let next = own().map(|b| (b.at - nearest.at).norm()).filter(|d| *d > 0.0).fold(f64::INFINITY, f64::min);
    let next = if next.is_finite() { next } else { 0.0 };
    far(nearest) <= around * next + IN_PLACE * nearest.aside && touch.gap >= nearest.gap - DEEPER * next
}
