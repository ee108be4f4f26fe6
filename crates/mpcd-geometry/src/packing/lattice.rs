//! Bodies on the places of a regular lattice, moved at random within the room that their places leave them.

use mpcd_core::{
    Dimension, Quantity, Vec3,
    quantity::{Fraction, Length, Number, Positive, Vector},
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Random, SizeLaw};
use crate::error::GeometryError;

/// Places at most.
const LIMIT: usize = 100_000_000;

/// How the places are arranged.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
pub enum Arrangement {
    /// Squares; in space simple cubic.
    #[default]
    Square,
    /// Equilateral triangles; in space hexagonal close packing.
    Hexagonal,
}

/// Bodies on a lattice that fills a box, none overlapping another or the faces of the box.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LatticeParams {
    /// Lower corner of the box.
    pub from: Vector<Length>,
    /// Upper corner of the box.
    pub to: Vector<Length>,
    /// How large the bodies are.
    pub sizes: SizeLaw,
    /// Arrangement of the places; default `Square`.
    #[serde(default)]
    pub arrangement: Arrangement,
    /// Distance of neighbouring places; default the largest diameter that `sizes` can give.
    pub spacing: Option<Quantity<Length, Positive>>,
    /// How far bodies are moved at random, as a part of the room each has around its place; default 0.
    pub jitter: Option<Quantity<Number, Fraction>>,
    /// Seed of sizes and jitter; the same seed gives the same packing; default 1.
    pub seed: Option<u64>,
    /// Number of bodies, from the bottom up; default as many as fit.
    pub count: Option<usize>,
}

/// Centres (m) and radii (m) of the bodies, from the bottom (lowest y; in space lowest z) up.
///
/// A body of radius r on a lattice of spacing a stays within a ball of radius a/2 about its place, so that no two overlap.
///
/// # Errors
/// Corners out of order, an impossible law of sizes, a spacing below the largest diameter, more bodies asked for than fit.
pub fn lattice(params: &LatticeParams, dimension: Dimension) -> Result<Vec<(Vec3, f64)>, GeometryError> {
    params.sizes.check()?;
    let diameter = 2.0 * params.sizes.largest();
    let spacing = params.spacing.map_or(diameter, |s| s.si());
    if spacing < diameter {
        return Err(GeometryError::Spacing { spacing, diameter });
    }
    let places = Places::new(params, spacing, dimension)?;
    let asked = params.count.unwrap_or(usize::MAX);
    let mut random = Random::new(params.seed.unwrap_or(1));
    let jitter = params.jitter.map_or(0.0, |j| j.si());
    let mut out = Vec::with_capacity(asked.min(places.bound()));
    places.each(|place| {
        if out.len() < asked {
            let radius = params.sizes.draw(&mut random);
            let offset = in_unit_ball(&mut random, dimension) * jitter * (0.5 * spacing - radius);
            out.push((place + offset, radius));
        }
        out.len() < asked
    });
    match params.count {
        Some(asked) if asked > out.len() => Err(GeometryError::Full { asked, places: out.len(), spacing }),
        _ => Ok(out),
    }
}

/// A random point of the unit ball (planar: disc), evenly spread, by rejection.
fn in_unit_ball(random: &mut Random, dimension: Dimension) -> Vec3 {
    loop {
        let mut p = Vec3::new(random.within(-1.0, 1.0), random.within(-1.0, 1.0), 0.0);
        if dimension == Dimension::Spatial {
            p.z = random.within(-1.0, 1.0);
        }
        if p.norm_squared() <= 1.0 {
            return p;
        }
    }
}

/// The places of a lattice: layers along z, rows along y, places along x.
struct Places {
    first: Vec3,
    spacing: f64,
    /// Room for centres, in spacings.
    room: Vec3,
    arrangement: Arrangement,
    dimension: Dimension,
}

impl Places {
    fn new(params: &LatticeParams, spacing: f64, dimension: Dimension) -> Result<Self, GeometryError> {
        let (from, to) = (params.from.si(), params.to.si());
        let axes = if dimension == Dimension::Planar { 2 } else { 3 };
        let (mut first, mut room) = (Vec3::zeros(), Vec3::zeros());
        for k in 0..axes {
            if from[k] >= to[k] {
                return Err(GeometryError::Region { axis: ['x', 'y', 'z'][k], from: from[k], to: to[k] });
            }
            first[k] = from[k] + 0.5 * spacing;
            room[k] = (to[k] - from[k]) / spacing - 1.0;
        }
        let places = Self { first, spacing, room, arrangement: params.arrangement, dimension };
        let number = places.number();
        if number > LIMIT as f64 && params.count.is_none_or(|n| n > LIMIT) {
            return Err(GeometryError::TooMany { places: number, limit: LIMIT });
        }
        Ok(places)
    }

    /// An upper bound of the number of places.
    fn number(&self) -> f64 {
        let (row, layer) = self.steps();
        let along = |room: f64, step: f64| (room / step + 2.0).max(0.0).floor();
        along(self.room.x, 1.0) * along(self.room.y, row) * if self.is_planar() { 1.0 } else { along(self.room.z, layer) }
    }

    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a cast saturates")]
    fn bound(&self) -> usize {
        (self.number() as usize).min(LIMIT)
    }

    fn is_planar(&self) -> bool {
        self.dimension == Dimension::Planar
    }

    /// Distance of rows and of layers, in spacings.
    fn steps(&self) -> (f64, f64) {
        match self.arrangement {
            Arrangement::Square => (1.0, 1.0),
            Arrangement::Hexagonal => (0.75f64.sqrt(), (2.0f64 / 3.0).sqrt()),
        }
    }

    /// Goes through the places until `visit` says false.
    fn each(&self, mut visit: impl FnMut(Vec3) -> bool) {
        let hexagonal = self.arrangement == Arrangement::Hexagonal;
        let (row, layer) = self.steps();
        for k in 0..stops(self.room.z, layer) {
            let (z, odd_layer) = (k as f64 * layer, hexagonal && k % 2 == 1);
            let shift_y = if odd_layer { row / 3.0 } else { 0.0 };
            for j in 0..stops(self.room.y - shift_y, row) {
                let odd_row = hexagonal && (j % 2 == 1) != odd_layer;
                let shift_x = if odd_row { 0.5 } else { 0.0 };
                for i in 0..stops(self.room.x - shift_x, 1.0) {
                    let place = Vec3::new(shift_x + i as f64, shift_y + j as f64 * row, z);
                    if !visit(self.first + place * self.spacing) {
                        return;
                    }
                }
            }
        }
    }
}

/// How many stops `step` apart fit into `room`, both ends included; a box that is exactly full is not spoilt by rounding.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a cast saturates")]
fn stops(room: f64, step: f64) -> usize {
    let fit = room / step + 1e-9;
    if fit < 0.0 { 0 } else { fit as usize + 1 }
}
