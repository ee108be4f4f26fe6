//! Words about a solve that missed its tolerance: where it is worst and what to try.

use mpcd_core::{ContactNetwork, Setup};
use mpcd_friction::{SolveInfo, Violation};

use crate::shares::of_stage;

/// The worst contact in words, with two things to try.
pub(crate) fn describe(
    info: &SolveInfo,
    network_index: impl Fn(usize) -> usize,
    network: &ContactNetwork,
    setup: &Setup,
) -> String {
    let name = |contact: usize| {
        let contact = network.contacts.get(network_index(contact))?;
        let (c, a) = contact.bodies();
        Some(format!("{} and {}", setup.body_label(c), setup.body_label(a)))
    };
    let residual =
        info.worst.and_then(|w| Some(format!("worst at the contact of {} (residual {:.2e}), ", name(w.contact)?, w.residual)));
    let violation = info.violation.and_then(|v| {
        let contact = name(v.contact)?;
        let Violation { speed, force, .. } = v;
        Some(format!(
            "; the contact of {contact} misses its law by {speed:.1e} of the speeds there, and forces are uncertain by {force:.1e}"
        ))
    });
    let picked = info.stages.last().and_then(of_stage);
    format!(
        "{}error {:.2e} after {} iterations of {}{}{}; try a smaller time step, or raise max_iterations in Contact",
        residual.unwrap_or_default(),
        info.errors.scaled,
        info.iterations,
        info.solver,
        violation.unwrap_or_default(),
        picked.unwrap_or_default()
    )
}
