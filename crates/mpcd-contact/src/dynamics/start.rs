//! Bonds of faces that turn against each other as a run begins. The contact configuration of the first step finds an edge where a face lay, and what was bonded as a face would hang on that edge. So
//! such bonds are made where the bodies are at the start, and carried on. No law, no assembly.

use mpcd_core::{ContactGeometry, Kinematics, Setup, Vec3};
use mpcd_geometry::Touch;

use super::Mechanics;
use crate::{
    anchors::Anchor,
    error::ContactError,
    law::{LawInput, Remembers},
    state::ContactState,
};

/// Angle (rad) by which two faces may turn against each other up to the contact configuration: half of what makes an edge of a face.
const LEVEL: f64 = 0.5 * mpcd_core::patch::LEVEL;

impl Mechanics {
    /// The bonds of such faces, of those nearer than `alert` (m) at the start of a run; the first step goes `lead` (s) to its contact configuration.
    pub(super) fn bonds_at_start(
        &mut self,
        prev: &ContactState,
        (alert, lead): (f64, f64),
        setup: &Setup,
    ) -> Result<Vec<Anchor>, ContactError> {
        let start = &prev.kinematics;
        let turns = |spin: &Vec3| spin.norm() * lead > LEVEL;
        if prev.last_h > 0.0
            || !start.angular_velocity.iter().any(turns)
            || !self.laws.any(|law| law.memory().is_some_and(Remembers::bonds))
        {
            return Ok(Vec::new());
        }
        let mut touches: Vec<Touch> = Vec::new();
        self.detector.detect(start, alert, &mut touches)?;
        let pair = |touch: &Touch| (touch.key.candidate, touch.key.antagonist);
        let mut out = Vec::new();
        for own in touches.chunk_by(|a, b| pair(a) == pair(b)) {
            out.extend(own.iter().filter(|touch| self.is_bonded(touch, start, lead, setup)).filter_map(|touch| {
                let across = own.iter().map(|other| (other.point - touch.point).norm()).fold(0.0, f64::max);
                let endless = self.assembly.endless.get(touch.key.antagonist.index()).copied().unwrap_or_default();
                let extent = if across > 0.0 { across } else { LawInput::new(touch.geometry, lead).area().sqrt() };
                let touch = Touch { gap: touch.decided_gap(), ..*touch };
                Anchor::new(&touch, &Vec3::zeros(), extent, (start, !endless))
            }));
        }
        out.sort_unstable_by_key(|anchor| anchor.key);
        Ok(out)
    }

    /// Whether a point of two rigid faces that turn against each other is bonded as the run begins.
    fn is_bonded(&self, touch: &Touch, start: &Kinematics, lead: f64, setup: &Setup) -> bool {
        let (c, a) = (touch.key.candidate, touch.key.antagonist);
        let sides = &self.assembly.sides;
        let against = start.angular_velocity[c.index()] - start.angular_velocity[a.index()];
        if !matches!(touch.geometry, ContactGeometry::Flat { .. })
            || against.norm() * lead <= LEVEL
            || sides.is_deformable(c)
            || sides.is_deformable(a)
        {
            return false;
        }
        let group = |body: mpcd_core::BodyId| setup.bodies.group[body.index()];
        let law = self.laws.between(group(c), group(a)).map(|law| self.laws.law(law));
        let input = LawInput { gap: touch.decided_gap(), start: true, ..LawInput::new(touch.geometry, lead) };
        law.and_then(|law| law.memory()).is_some_and(|law| law.bonds() && law.tally(&law.initial(&input)).anchored)
    }
}
