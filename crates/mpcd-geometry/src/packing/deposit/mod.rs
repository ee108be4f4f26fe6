//! Random loose packings by geometry alone: bodies are dropped one after the other, roll down what they meet, and stay where
//! three supports hold them (two in the plane) (Visscher and Bolsterli 1972, doi:10.1038/239504a0).

mod heap;
mod path;
mod roll;

use mpcd_core::{
    Dimension, Quantity, Vec3,
    quantity::{Length, Vector},
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    PackingError, Random, Room, SizeLaw,
    limit::{Kind, allow},
};
use heap::Heap;

/// Drops at most for one body before the region counts as full.
const TRIES: usize = 30;
/// Part of the region that a deposit fills at least, and the draws from which the mean body is taken to foresee its number.
const FILLS: f64 = 0.4;
const SAMPLE: usize = 1_000;

/// Bodies dropped one after the other into a box; each rolls down to a place where its weight is carried.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DepositParams {
    /// Lower corner of the box.
    pub from: Vector<Length>,
    /// Upper corner of the box; bodies are dropped from above it, along −y in a planar model, −z in space.
    pub to: Vector<Length>,
    /// How large the bodies are.
    pub sizes: SizeLaw,
    /// Seed of sizes and places; the same seed gives the same packing; default 1.
    pub seed: Option<u64>,
    /// Number of bodies; default as many as stay below the top.
    pub count: Option<usize>,
    /// Least distance between bodies at the start, for bodies that shall not touch before the first step; default 0.
    pub clearance: Option<Quantity<Length, mpcd_core::quantity::NonNegative>>,
}

/// Centres (m) and radii (m) of the bodies in the order in which they were dropped. `periods` are those of the model.
///
/// Bodies that touch do so to 1e-9 of their radius.
///
/// # Errors
/// Corners out of order, an impossible law of sizes, a box that is too narrow, more bodies asked for than find a place.
pub fn deposit(
    params: &DepositParams,
    dimension: Dimension,
    periods: [Option<f64>; 3],
) -> Result<Vec<(Vec3, f64)>, PackingError> {
    params.sizes.check()?;
    let room = Room::new(params.from.si(), params.to.si(), dimension, periods)?;
    let margin = 0.5 * params.clearance.map_or(0.0, |c| c.si());
    let largest = params.sizes.largest() + margin;
    room.holds(2.0 * largest)?;
    let seed = params.seed.unwrap_or(1);
    let fit = places(params, &room, margin, seed);
    allow(params.count.map_or(fit, |n| fit.min(n as f64)), Kind::Sought)?;
    let mut random = Random::new(seed);
    let mut heap = Heap::new(room, largest);
    let asked = params.count.unwrap_or(usize::MAX);
    while heap.bodies().len() < asked {
        let radius = params.sizes.draw(dimension, &mut random) + margin;
        let place = (0..TRIES).find_map(|_| {
            let start = room.point(radius, &mut random);
            roll::settle(&heap, start, radius).filter(|x| x[room.up()] + radius <= room.to[room.up()])
        });
        let Some(place) = place else { break };
        heap.add(room.wrapped(place), radius);
    }
    let out: Vec<_> = heap.bodies().iter().map(|(x, r)| (*x, r - margin)).collect();
    match params.count {
        Some(asked) if out.len() < asked => Err(PackingError::Heaped { asked, placed: out.len() }),
        _ => Ok(out),
    }
}

/// About how many bodies find a place, from the mean of some draws.
fn places(params: &DepositParams, room: &Room, margin: f64, seed: u64) -> f64 {
    let mut random = Random::new(seed);
    let sizes = (0..SAMPLE).map(|_| room.measure_of(params.sizes.draw(room.dimension, &mut random) + margin));
    FILLS * room.measure() * SAMPLE as f64 / sizes.sum::<f64>()
}
