//! The stiffness a contact is going to have: where the energy of the approach is stored.

use super::{
    law::SmoothLaw,
    response::{Moment, input},
    spot::Spot,
};

/// How much more energy than foreseen makes a forecast anew.
const MORE: f64 = 1.2;

/// Stiffness of the law at the overlap that stores ½ m (v² + `rising`) [N/m], v the speed of approach and `rising` what its square may grow by until the surfaces meet [m²/s²]; found by
/// doubling, within a factor 1.5. It stays while no more energy comes.
pub(crate) fn forecast(spot: &mut Spot, law: &dyn SmoothLaw, moment: &Moment<'_>, rising: f64) {
    let mut at = input(spot, moment);
    // Bodies that only turn: what a blow at their levers moves.
    let mass = if at.mass > 0.0 { at.mass } else { at.tangential_mass };
    let energy = 0.5 * mass * (at.closing.max(0.0).powi(2) + rising);
    if spot.forecast > 0.0 && energy <= MORE * spot.foreseen {
        return;
    }
    at.closing = 0.0;
    at.bonded = true;
    // From a millionth of the lever on; a contact deeper than the lever is beyond any law.
    let reach = spot.arm_candidate.norm().max(spot.arm_antagonist.norm().min(spot.arm_candidate.norm()));
    at.overlap = 1e-6 * reach;
    let mut stiffness = 0.0;
    while at.overlap < reach {
        let Some(normal) = law.normal(&at) else { break };
        stiffness = normal.stiffness;
        if normal.energy >= energy {
            break;
        }
        at.overlap *= 1.5;
    }
    (spot.forecast, spot.foreseen) = (stiffness, energy);
}
