//! The stiffness a contact is going to have: where the energy of the approach is stored.

use super::{
    law::SmoothLaw,
    response::{Moment, input},
    spot::Spot,
};

/// Stiffness of the law at the overlap that stores ½ m v² [N/m], v the speed of approach; found by doubling, within a factor 1.5.
pub(crate) fn forecast(spot: &Spot, law: &dyn SmoothLaw, moment: &Moment<'_>) -> f64 {
    let mut at = input(spot, moment);
    let energy = 0.5 * at.mass * at.closing.max(0.0).powi(2);
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
    stiffness
}
