//! Bonds that hold, as the solve sees them: all that a bond can carry and more, in one cone that every solver takes. What they carry is asked of their patch after
//! the solve ([`Stages::raise`](super::Stages::raise)). No limits of bonds here.

use mpcd_core::Vec3;
use mpcd_friction::Cone;

use super::{LawData, LawInput};

/// By how much more than the patch can carry a single point of it may: enough never to be a limit of its own.
const AMPLE: f64 = 8.0;

/// Least friction in the cone: wide enough for any shear that a bond carries beside a push.
const WIDE: f64 = 1.0;

/// The point of a bond that holds: `area` is its part of the patch (m²), `strength` the greatest traction of the bond (Pa), `drift` how far its surfaces are from
/// where they were bonded (m, local). Bounded, so that a drive of any force finds an end. Its surfaces do not move against each other, but for what closes
/// the drift: all of it where the end of the step is the contact configuration, elsewhere what all bonds together ask for ([`crate::drift`]).
pub(super) fn whole(input: &LawInput, (area, strength, friction): (f64, f64, f64), drift: &Vec3) -> LawData {
    let mut data = LawData::of_cone(Cone::coulomb(friction.max(WIDE)));
    if input.ahead {
        data.velocity_shift = drift / input.h;
    }
    let whole = if input.share > 0.0 { area / input.share } else { 0.0 };
    data.impulse_shift.x = AMPLE * input.h * whole * strength;
    data
}
