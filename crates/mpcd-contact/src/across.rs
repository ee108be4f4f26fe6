//! What may pass between two bodies by their materials: current, heat. No contact is looked for.

use mpcd_core::{BodyId, Setup};

/// Which parts of `setup.passing` the material of a body has, one bit each.
pub(crate) fn parts(setup: &Setup, body: BodyId) -> u32 {
    let material = &setup.materials[setup.material_of(body).index()];
    let has = |part: &&str| material.parts.contains_key(*part);
    setup
        .passing
        .iter()
        .enumerate()
        .filter(|(_, part)| has(part))
        .fold(0, |bits, (k, _)| bits | 1_u32.checked_shl(k as u32).unwrap_or(0))
}

/// What passes between two bodies; across a gap, where `apart`.
pub(crate) fn passing(setup: &Setup, c: BodyId, a: BodyId, apart: bool) -> impl Iterator<Item = &'static str> + '_ {
    let both = parts(setup, c) & parts(setup, a);
    let named = setup.passing.iter().enumerate().filter(move |(k, _)| both >> k & 1 == 1);
    named.map(|(_, part)| *part).filter(move |part| !apart || setup.across.contains(part))
}
