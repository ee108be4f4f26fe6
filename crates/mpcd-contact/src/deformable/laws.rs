//! Laws that a contact of a deformable body cannot have: what they say is of rigid bodies. Refused by name when the model is read.

use mpcd_core::{InputError, Setup};

use super::{Deformables, Member};
use crate::law::{Law, LawTable, Restitution};

/// Why not, after the name of the body, and what to do.
type Refusal = (&'static str, &'static str);

/// What a law asks of a contact that nodes do not have.
fn refusal(law: &dyn Law) -> Option<Refusal> {
    if law.is_rigid_bond() {
        return Some((
            "bonds without giving way: what a point of such a bond carries is told by no strain, and it would break far below its strength",
            "take a bond with a stiffness, as Bilinear(normal_stiffness: …, tensile_strength: …, energy: …)",
        ));
    }
    if law.resists_rolling() {
        return Some((
            "resists rolling or spinning by a moment: a contact of its nodes has no angular velocity, and nodes take no moment",
            "remove `rolling` and `spinning`: friction at the nodes of its side resists turning by itself, and what is lost in rolling is viscosity, `retardation` of its `solid`",
        ));
    }
    match law.restitution() {
        Restitution::None => None,
        Restitution::Velocity => Some((
            "gives back a part of the velocity of approach: that would be the velocity of its nodes at the contact, not of the body, whose waves give back what they give back",
            "take Coulomb(friction: …) without restitution; what is lost in an impact is viscosity, `retardation` of its `solid`",
        )),
        Restitution::Phases(_) => Some((
            "has phases of impact: its impacts take the time that waves need",
            "take Coulomb(friction: …) without restitution; what is lost in an impact is viscosity, `retardation` of its `solid`",
        )),
    }
}

impl Deformables {
    /// Refuses the first law of a pair with a deformable body on either side that its contacts cannot have.
    pub(super) fn refuse_laws(&self, setup: &Setup, laws: &LawTable) -> Result<(), InputError> {
        for (k, interaction) in setup.interactions.iter().enumerate() {
            let (a, b) = interaction.groups;
            let of_pair = |m: &&Member| [a, b].contains(&setup.bodies.group[m.body.index()]);
            let Some(member) = self.members.iter().find(of_pair) else { continue };
            if let Some((why, help)) = laws.between(a, b).and_then(|law| refusal(laws.law(law))) {
                return Err(InputError::new(format!(
                    "{} is deformable, but the law of interaction {} {why}",
                    member.label,
                    k + 1
                ))
                .help(help)
                .within(&interaction.law));
            }
        }
        Ok(())
    }
}
