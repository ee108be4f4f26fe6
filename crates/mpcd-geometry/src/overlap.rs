//! Bodies that overlap where a model starts: what `check` warns about.

use std::sync::Arc;

use mpcd_core::{BodyId, Dimension, Kinematics};

use crate::{Detector, GeometryError, Shapes};

/// Two bodies that overlap.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Overlap {
    /// The candidate of the contact.
    pub a: BodyId,
    /// The antagonist.
    pub b: BodyId,
    /// How deep (m), above zero; of several points the deepest.
    pub depth: f64,
}

/// All interacting pairs that overlap by more than `tolerance` (m) (0 or above), sorted by their ids.
///
/// # Errors
/// As [`Detector::new`] and [`Detector::detect`].
pub fn overlaps(
    shapes: &Arc<Shapes>,
    dimension: Dimension,
    pairs: impl Fn(BodyId, BodyId) -> bool + Send + Sync + 'static,
    kinematics: &Kinematics,
    tolerance: f64,
) -> Result<Vec<Overlap>, GeometryError> {
    let mut touches = Vec::new();
    Detector::new(shapes.clone(), dimension, pairs)?.detect(kinematics, -tolerance, &mut touches)?;
    let mut out: Vec<Overlap> = Vec::new();
    for touch in touches.iter().filter(|t| t.gap < -tolerance) {
        let found = Overlap { a: touch.key.candidate, b: touch.key.antagonist, depth: -touch.gap };
        match out.last_mut() {
            Some(last) if (last.a, last.b) == (found.a, found.b) => last.depth = last.depth.max(found.depth),
            _ => out.push(found),
        }
    }
    Ok(out)
}
