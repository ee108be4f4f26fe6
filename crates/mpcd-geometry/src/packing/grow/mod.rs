//! Dense random packings: bodies start small at random places and grow together; where they meet they are pushed apart, until
//! they fill the wanted part of the region and none overlaps.

mod pairs;

use mpcd_core::{
    Dimension, Quantity, Vec3,
    quantity::{Fraction, Length, Number, Vector},
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    PackingError, Random, Room, SizeLaw,
    limit::{Kind, allow},
};
use pairs::Pairs;

/// Solid fraction at which random places are spread.
const START: f64 = 0.15;
/// Growth of the radii from stage to stage, and the least growth tried before giving up.
const GROWTH: [f64; 2] = [0.02, 0.001];
/// Sweeps at most in a stage.
const SWEEPS: usize = 4000;
/// Distance that is left between bodies, over their radii: overlaps relax to it, so that none is left.
const MARGIN: f64 = 2e-4;

/// Bodies that grow at random places until they fill a part of the box.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GrowParams {
    /// Lower corner of the box.
    pub from: Vector<Length>,
    /// Upper corner of the box.
    pub to: Vector<Length>,
    /// How large the bodies are.
    pub sizes: SizeLaw,
    /// Part of the box that the bodies fill: of its volume, in a planar model of its area.
    pub fraction: Quantity<Number, Fraction>,
    /// Number of bodies; `sizes` then gives the proportions, and all radii are scaled to reach the fraction. Default: as many
    /// bodies of these sizes as reach it.
    pub count: Option<usize>,
    /// Seed of sizes and places; the same seed gives the same packing; default 1.
    pub seed: Option<u64>,
}

/// Centres (m) and radii (m) of the bodies. No two overlap, none sticks out of a wall. `periods` are those of the model.
///
/// # Errors
/// Corners out of order, an impossible law of sizes, a box that is too narrow, too many bodies, or a fraction that is not
/// reached; the error says which one was.
pub fn grow(params: &GrowParams, dimension: Dimension, periods: [Option<f64>; 3]) -> Result<Vec<(Vec3, f64)>, PackingError> {
    params.sizes.check()?;
    let room = Room::new(params.from.si(), params.to.si(), dimension, periods)?;
    let mut random = Random::new(params.seed.unwrap_or(1));
    let radii = radii(params, &room, &mut random)?;
    let largest = radii.iter().copied().fold(0.0, f64::max);
    room.holds(2.0 * largest)?;
    let power = if dimension == Dimension::Planar { 0.5 } else { 1.0 / 3.0 };
    let fraction = radii.iter().map(|r| room.measure_of(*r)).sum::<f64>() / room.measure();
    let mut scale = (START / fraction).powf(power).min(1.0);
    let mut places: Vec<Vec3> = radii.iter().map(|r| room.point(scale * r, &mut random)).collect();
    let mut pairs = Pairs::new(room, &radii);
    if !pairs.part(&mut places, scale, MARGIN, SWEEPS) {
        return Err(PackingError::Fraction { asked: fraction, reached: 0.0 });
    }
    let mut growth = GROWTH[0];
    while scale < 1.0 {
        let (tried, mut moved) = ((scale * (1.0 + growth)).min(1.0), places.clone());
        if pairs.part(&mut moved, tried, MARGIN, SWEEPS) {
            (scale, places) = (tried, moved);
        } else if growth > GROWTH[1] {
            growth *= 0.5;
        } else {
            return Err(PackingError::Fraction { asked: fraction, reached: fraction * scale.powf(1.0 / power) });
        }
    }
    Ok(places.into_iter().map(|x| room.wrapped(x)).zip(radii).collect())
}

/// The radii (m) at the end.
fn radii(params: &GrowParams, room: &Room, random: &mut Random) -> Result<Vec<f64>, PackingError> {
    let wanted = params.fraction.si() * room.measure();
    if let Some(count) = params.count {
        allow(count as f64, Kind::Sought)?;
        let drawn: Vec<f64> = (0..count).map(|_| params.sizes.draw(room.dimension, random)).collect();
        let power = if room.dimension == Dimension::Planar { 0.5 } else { 1.0 / 3.0 };
        let factor = (wanted / drawn.iter().map(|r| room.measure_of(*r)).sum::<f64>()).powf(power);
        if !(factor.is_finite() && factor > 0.0) {
            return Err(PackingError::SizeLaw(
                "gives sizes that cannot be scaled to the fraction; expected radii that a number holds",
            ));
        }
        return Ok(drawn.into_iter().map(|r| r * factor).collect());
    }
    let (mut out, mut filled) = (Vec::new(), 0.0);
    loop {
        let radius = params.sizes.draw(room.dimension, random);
        let size = room.measure_of(radius);
        if filled + 0.5 * size > wanted {
            return Ok(out);
        }
        // Counted from the mean of those drawn, so that what cannot be is known long before it is drawn.
        if out.len().is_power_of_two() {
            allow(wanted / (filled / out.len() as f64), Kind::Sought)?;
        }
        filled += size;
        out.push(radius);
    }
}
