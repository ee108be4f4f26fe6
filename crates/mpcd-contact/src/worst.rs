//! Words about a solve that missed its tolerance: where it is worst and what to try.

use mpcd_core::{BodyId, ContactNetwork, Setup};
use mpcd_friction::acceptance::{FORCE, HIDDEN, SPEED};
use mpcd_friction::{SolveInfo, Violation};

use crate::shares::{Pick, of_stage};

/// The worst contact in words, the bounds that are not met, and what to try.
pub(crate) fn describe(
    (info, tolerance, asks): (&SolveInfo, f64, Pick),
    network_index: impl Fn(usize) -> usize,
    network: &ContactNetwork,
    setup: &Setup,
    led: impl Fn(BodyId) -> bool,
) -> String {
    let bodies = |contact: usize| Some(network.contacts.get(network_index(contact))?.bodies());
    let name = |contact: usize| bodies(contact).map(|(c, a)| format!("{} and {}", setup.body_label(c), setup.body_label(a)));
    let is_led = |v: &Violation| bodies(v.contact).is_some_and(|(c, a)| led(c) || led(a));
    let residual =
        info.worst.and_then(|w| Some(format!("worst at the contact of {} (residual {:.2e}), ", name(w.contact)?, w.residual)));
    let violation = info.violation.and_then(|v| missed(&v, tolerance, &name(v.contact)?, name(v.hider).as_deref()));
    let picked = info.stages.last().and_then(|stage| of_stage(stage, asks));
    format!(
        "{}error {:.2e} after {} iterations of {}{}{}{}",
        residual.unwrap_or_default(),
        info.errors.scaled,
        info.iterations,
        info.solver,
        violation.unwrap_or_default(),
        picked.unwrap_or_default(),
        info.violation.and_then(|v| advice(v, is_led(&v))).map_or_else(String::new, |advice| format!("; {advice}"))
    )
}

/// Relative error of forces beyond which they are no forces.
const GREAT: f64 = 0.1;
/// Part of a prescribed speed or of growth that is missed where that is the likely reason.
const OF_DRIVE: f64 = 0.1;

/// What may be amiss with the model; nothing where only more work or a shorter step may help, which a run says itself.
fn advice(v: Violation, is_led: bool) -> Option<&'static str> {
    if is_led && v.force > GREAT {
        Some(
            "a joint drives one of the two with any force that it takes, and against what does not give way none is enough: write a `force` (a `torque`) in its motor, end its travel before, or let a law (Elastic) yield",
        )
    } else if v.hidden > HIDDEN {
        Some(
            "friction jams the bodies between driven or fixed ones: end the motion or the growth, drive by a force, or let a law (Elastic) or a wall yield",
        )
    } else if v.of_drive.max(v.of_growth) > OF_DRIVE {
        Some(
            "where friction jams bodies between driven and fixed ones nothing can hold them apart: end the motion or the growth, drive by a force, or let a law (Elastic) or a wall yield",
        )
    } else {
        None
    }
}

/// Which of the bounds of an accepted result are not met, in words.
fn missed(v: &Violation, tolerance: f64, contact: &str, driven: Option<&str>) -> Option<String> {
    let mut words = Vec::new();
    if v.speed > SPEED * tolerance || v.speed.is_nan() {
        words.push(format!("the contact of {contact} misses its law by {:.1e} of the speeds there", v.speed));
    }
    if v.force > FORCE * tolerance || v.force.is_nan() {
        words.push(format!("forces are uncertain by {:.1e}", v.force));
    }
    if v.hidden > HIDDEN {
        let driven = driven.map_or_else(String::new, |bodies| format!(" at the contact of {bodies}"));
        words.push(format!(
            "impulses grew until their rounding hides {:.1e} of the speed by which bodies are driven or grow{driven}",
            v.hidden
        ));
    }
    (!words.is_empty()).then(|| format!("; {}", words.join(", and ")))
}
