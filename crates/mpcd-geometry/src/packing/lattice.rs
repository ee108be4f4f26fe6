//! Bodies on the places of a regular lattice, moved at random within the room that their places leave them.

use mpcd_core::{
    Dimension, Quantity, Vec3,
    quantity::{Fraction, Length, Number, Positive, Vector},
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    PackingError, Random, Room, SizeLaw,
    limit::{Kind, LAID, allow},
};

/// How the places are arranged.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
pub enum Arrangement {
    /// Squares; in space simple cubic.
    #[default]
    Square,
    /// Equilateral triangles; in space hexagonal close packing.
    Hexagonal,
    /// Simple cubic: `Square` by its name in space.
    Cubic,
    /// Body-centred cubic, space only: 8 neighbours.
    BodyCentred,
    /// Face-centred cubic with square layers, space only: 12 neighbours.
    FaceCentred,
}

impl Arrangement {
    /// Distances, in spacings: of places along a row, of rows, of layers.
    fn steps(self) -> [f64; 3] {
        match self {
            Self::Square | Self::Cubic => [1.0, 1.0, 1.0],
            Self::Hexagonal => [1.0, 0.75f64.sqrt(), (2.0f64 / 3.0).sqrt()],
            Self::BodyCentred => [2.0 / 3f64.sqrt(), 2.0 / 3f64.sqrt(), 1.0 / 3f64.sqrt()],
            Self::FaceCentred => [1.0, 1.0, 0.5f64.sqrt()],
        }
    }

    /// Shifts of row `j` of layer `k` along x, and of layer `k` along y, in spacings.
    fn shifts(self, j: usize, k: usize) -> (f64, f64) {
        let [place, row, _] = self.steps();
        let odd = k % 2 == 1;
        match self {
            Self::Square | Self::Cubic => (0.0, 0.0),
            Self::Hexagonal => (if (j % 2 == 1) == odd { 0.0 } else { 0.5 }, if odd { row / 3.0 } else { 0.0 }),
            Self::BodyCentred | Self::FaceCentred => {
                if odd {
                    (0.5 * place, 0.5 * row)
                } else {
                    (0.0, 0.0)
                }
            }
        }
    }

    const fn spatial_only(self) -> Option<&'static str> {
        match self {
            Self::Square | Self::Hexagonal => None,
            Self::Cubic => Some("Cubic"),
            Self::BodyCentred => Some("BodyCentred"),
            Self::FaceCentred => Some("FaceCentred"),
        }
    }
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
    /// Distance of nearest places; default the largest diameter that `sizes` can give.
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
pub fn lattice(params: &LatticeParams, dimension: Dimension) -> Result<Vec<(Vec3, f64)>, PackingError> {
    params.sizes.check()?;
    let diameter = 2.0 * params.sizes.largest();
    let spacing = params.spacing.map_or(diameter, |s| s.si());
    if spacing < diameter {
        return Err(PackingError::Spacing { spacing, diameter });
    }
    let places = Places::new(params, spacing, dimension)?;
    let asked = params.count.unwrap_or(usize::MAX);
    let mut random = Random::new(params.seed.unwrap_or(1));
    let jitter = params.jitter.map_or(0.0, |j| j.si());
    let mut out = Vec::with_capacity(asked.min(places.bound()));
    places.each(|place| {
        if out.len() < asked {
            let radius = params.sizes.draw(dimension, &mut random);
            let offset = in_unit_ball(&mut random, dimension) * jitter * (0.5 * spacing - radius);
            out.push((place + offset, radius));
        }
        out.len() < asked
    });
    match params.count {
        Some(asked) if asked > out.len() => Err(PackingError::Full { asked, places: out.len(), spacing }),
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
}

impl Places {
    fn new(params: &LatticeParams, spacing: f64, dimension: Dimension) -> Result<Self, PackingError> {
        if let Some(name) = params.arrangement.spatial_only().filter(|_| dimension == Dimension::Planar) {
            return Err(PackingError::SpatialOnly(name));
        }
        let region = Room::new(params.from.si(), params.to.si(), dimension, [None; 3])?;
        let (mut first, mut room) = (Vec3::zeros(), Vec3::zeros());
        for k in region.axes() {
            first[k] = region.from[k] + 0.5 * spacing;
            room[k] = region.edges()[k] / spacing - 1.0;
        }
        let places = Self { first, spacing, room, arrangement: params.arrangement };
        let number = places.number();
        allow(params.count.map_or(number, |n| number.min(n as f64)), Kind::Laid)?;
        Ok(places)
    }

    /// An upper bound of the number of places.
    fn number(&self) -> f64 {
        let steps = self.arrangement.steps();
        (0..3).map(|k| (self.room[k] / steps[k] + 1.0 + 1e-9).max(0.0).floor()).product()
    }

    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a cast saturates")]
    fn bound(&self) -> usize {
        (self.number() as usize).min(LAID)
    }

    /// Goes through the places until `visit` says false.
    fn each(&self, mut visit: impl FnMut(Vec3) -> bool) {
        let [place, row, layer] = self.arrangement.steps();
        for k in 0..stops(self.room.z, layer) {
            let (_, shift_y) = self.arrangement.shifts(0, k);
            for j in 0..stops(self.room.y - shift_y, row) {
                let (shift_x, _) = self.arrangement.shifts(j, k);
                for i in 0..stops(self.room.x - shift_x, place) {
                    let at = Vec3::new(shift_x + i as f64 * place, shift_y + j as f64 * row, k as f64 * layer);
                    if !visit(self.first + at * self.spacing) {
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
    if fit < 0.0 { 0 } else { (fit as usize).saturating_add(1) }
}
