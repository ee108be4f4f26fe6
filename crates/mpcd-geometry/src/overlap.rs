//! Bodies that overlap where a model starts, and parts of one body that do: what `check` warns about.

use std::sync::Arc;

use mpcd_core::{BodyId, Dimension, Kinematics};

use crate::{Core, Detector, GeometryError, Measures, Shape, Shapes, Solid, shape::is_known};

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

/// Part of the smaller of two parts below which they lie on each other.
const LIES: f64 = 1e-3;

/// The deepest of the overlaps of parts of one cluster that count twice in its volume, since one of the two does not tell where lines go through it; the parts have their numbers for ids.
/// `None` of other shapes, and where parts lie on each other at most.
#[must_use]
pub fn of_parts(shape: &Shape, dimension: Dimension) -> Option<Overlap> {
    let Shape::Solid(solid) = shape else { return None };
    let Core::Cluster(parts) = solid.core() else { return None };
    let reaches: Vec<f64> = parts.iter().map(|part| part.reach()).collect();
    let mut places = Kinematics::default();
    parts.iter().for_each(|part| places.push_at_rest(part.at, part.rotation));
    let shapes = parts.iter().map(|part| Shape::Solid(Arc::new(Solid::new("Part", part.core.clone(), Measures::default()))));
    // where two parts cannot be told apart nothing is said of them
    let known: Vec<bool> = parts.iter().map(|part| is_known(&part.core, dimension)).collect();
    let twice = move |a: BodyId, b: BodyId| !(known[a.index()] && known[b.index()]);
    let found = overlaps(&Arc::new(Shapes(shapes.collect())), dimension, twice, &places, 0.0).ok()?;
    let deep = found.into_iter().filter(|o| o.depth > LIES * reaches[o.a.index()].min(reaches[o.b.index()]));
    deep.max_by(|x, y| x.depth.total_cmp(&y.depth))
}
