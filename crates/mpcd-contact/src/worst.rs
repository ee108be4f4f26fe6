//! Words about a solve that missed its tolerance: where it is worst and what to try.

use mpcd_core::{ContactNetwork, Setup};
use mpcd_friction::SolveInfo;

/// The worst contact in words, with two things to try.
pub(crate) fn describe(
    info: &SolveInfo,
    network_index: impl Fn(usize) -> usize,
    network: &ContactNetwork,
    setup: &Setup,
) -> String {
    let place = info.worst.as_ref().and_then(|w| {
        let contact = network.contacts.get(network_index(w.contact))?;
        let (c, a) = contact.bodies();
        Some(format!(
            "worst at the contact of {} and {} (residual {:.2e}), ",
            setup.body_label(c),
            setup.body_label(a),
            w.residual
        ))
    });
    format!(
        "{}error {:.2e} after {} iterations of {}; try a smaller time step, or raise max_iterations in Contact",
        place.unwrap_or_default(),
        info.errors.scaled,
        info.iterations,
        info.solver
    )
}
