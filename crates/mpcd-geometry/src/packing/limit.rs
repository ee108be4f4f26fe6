//! How many bodies a packing may make. Asked before any memory is taken: what a machine cannot hold is refused with words.

use super::PackingError;

/// What a body of each kind takes in a run (bytes), with its contacts: measured of packings of 10⁵ bodies, rounded up.
const BALL: f64 = 1e3;
const BRICK: f64 = 4e3;
const HULL: f64 = 1e4;

/// Most bodies that are laid on places that need no search: balls on a lattice, bricks.
pub(super) const LAID: usize = 20_000_000;
/// Most bodies that are dropped one after the other, or pushed apart.
pub(super) const SOUGHT: usize = 5_000_000;
/// Most bodies with corners of their own.
pub(super) const CUT: usize = 2_000_000;
/// Most corners of a grain: a hull of more has more edges than its contacts have names for.
pub(super) const CORNERS: usize = 5_000;
/// Most rounds in which the places of cells are relaxed.
pub(super) const ROUNDS: u32 = 1_000;

/// What the bodies of a packing are.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    Laid,
    Sought,
    Bricks,
    Cut,
}

/// Refuses more bodies than a packing of this kind may make.
pub(super) fn allow(bodies: f64, kind: Kind) -> Result<(), PackingError> {
    let (limit, each) = match kind {
        Kind::Laid => (LAID, BALL),
        Kind::Sought => (SOUGHT, BALL),
        Kind::Bricks => (LAID / 4, BRICK),
        Kind::Cut => (CUT, HULL),
    };
    if bodies <= limit as f64 {
        return Ok(());
    }
    Err(PackingError::TooMany { bodies, gigabytes: bodies * each * 1e-9, limit })
}
