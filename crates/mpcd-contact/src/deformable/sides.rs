//! The sides of contact points that lie on deformable bodies: which nodes carry them, and how they move. No forces.

use mpcd_core::{BodyId, ContactKey, Frame, MeshPoints, Vec3};
use mpcd_fem::State;
use mpcd_geometry::{SkinTouch, SurfacePoint, Touch};

/// Member that a rigid body is.
const RIGID: u32 = u32::MAX;

/// Contact points on deformable bodies, by key.
#[derive(Debug, Default)]
pub(crate) struct Sides {
    /// Sorted by key.
    pub(super) found: Vec<SkinTouch>,
    /// Those of which no impulse moves either side along the normal, while one can go across; sorted.
    pub(super) carried: Vec<ContactKey>,
    /// Which deformable body each body is.
    pub(super) member: Vec<u32>,
    /// Unknowns of a node.
    pub(super) dimension: usize,
}

/// One side of a contact on a deformable body.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Side<'a> {
    pub(crate) member: usize,
    pub(crate) point: &'a SurfacePoint,
    /// 1 of the candidate, −1 of the antagonist: how the side counts in the relative velocity.
    pub(crate) sign: f64,
}

impl Sides {
    #[allow(clippy::cast_possible_truncation, reason = "there are fewer than 2³² bodies")]
    pub(super) fn new(bodies: usize, members: impl Iterator<Item = BodyId>, dimension: usize) -> Self {
        let mut member = vec![RIGID; bodies];
        members.enumerate().for_each(|(k, body)| member[body.index()] = k as u32);
        Self { found: Vec::new(), carried: Vec::new(), member, dimension }
    }

    /// Takes what was found out, and puts something else in.
    pub(crate) fn exchange(&mut self, found: Vec<SkinTouch>) -> Vec<SkinTouch> {
        std::mem::replace(&mut self.found, found)
    }

    /// Whether all bodies are rigid.
    pub(crate) fn are_none(&self) -> bool {
        self.member.iter().all(|m| *m == RIGID)
    }

    /// Whether a body is deformable.
    pub(crate) fn is_deformable(&self, body: BodyId) -> bool {
        self.member.get(body.index()).is_some_and(|m| *m != RIGID)
    }

    /// Whether one of the two bodies of a contact is.
    pub(crate) fn has(&self, touch: &Touch) -> bool {
        self.is_deformable(touch.key.candidate) || self.is_deformable(touch.key.antagonist)
    }

    /// Whether no impulse moves it along its normal.
    pub(crate) fn is_carried(&self, touch: &Touch) -> bool {
        self.carried.binary_search(&touch.key).is_ok()
    }

    fn find(&self, touch: &Touch) -> Option<&SkinTouch> {
        let found = self.has(touch).then(|| self.found.binary_search_by_key(&touch.key, |t| t.touch.key).ok()).flatten()?;
        Some(&self.found[found])
    }

    /// The place of a curved rigid body that a contact is at; 0 where it is at none.
    pub(crate) fn place(&self, touch: &Touch) -> u32 {
        self.find(touch).map_or(0, |found| found.place)
    }

    /// Where a contact lies on the meshes of its bodies; `None` where both are rigid.
    pub(crate) fn points(&self, touch: &Touch) -> Option<MeshPoints> {
        let SkinTouch { candidate, antagonist, place, .. } = self.find(touch)?;
        Some(MeshPoints { key: touch.key, points: [candidate.clone(), antagonist.clone()], place: *place })
    }

    /// The deformable sides of a contact.
    pub(crate) fn of(&self, touch: &Touch) -> impl Iterator<Item = Side<'_>> {
        let known = |body: BodyId| self.member.get(body.index()).copied().filter(|m| *m != RIGID);
        let members = [known(touch.key.candidate), known(touch.key.antagonist)];
        let any = members.iter().any(Option::is_some);
        let found = any.then(|| self.found.binary_search_by_key(&touch.key, |t| t.touch.key).ok()).flatten();
        let points = found.map_or([None; 2], |k| match &self.found[k] {
            // a body that touches itself moves as one side
            SkinTouch { apart: Some(apart), .. } => [Some(apart), None],
            SkinTouch { candidate, antagonist, .. } => [candidate.as_ref(), antagonist.as_ref()],
        });
        let side = |k: usize, sign: f64| Some(Side { member: members[k]? as usize, point: points[k]?, sign });
        [side(0, 1.0), side(1, -1.0)].into_iter().flatten()
    }

    /// What deformable sides add to the relative velocity (n, t, s) of a contact, in these states (m/s).
    pub(crate) fn relative_velocity(&self, states: &[State], touch: &Touch) -> Vec3 {
        self.of(touch).map(|side| self.velocity(&states[side.member].velocity, &side, &touch.frame)).sum()
    }

    /// What one side adds, by the velocities of all unknowns of its body.
    pub(super) fn velocity(&self, all: &[f64], side: &Side<'_>, frame: &Frame) -> Vec3 {
        frame.to_local(&side.point.mean(|node| self.at(all, node))) * side.sign
    }

    /// The vector of a node among unknowns.
    fn at(&self, all: &[f64], node: usize) -> Vec3 {
        let d = self.dimension;
        Vec3::from_fn(|k, _| if k < d { all[node * d + k] } else { 0.0 })
    }
}
