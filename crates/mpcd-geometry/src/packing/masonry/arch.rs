//! Arches, barrel vaults and domes of voussoirs with radial joints. An arch stands in the xy plane of a planar model and in the
//! xz plane in space. Joints are exact; the curved faces are flat between the corners.

use std::f64::consts::{FRAC_PI_2, PI};

use mpcd_core::{
    Dimension, Quantity, Vec3,
    quantity::{Angle, Length, Positive, Vector},
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Block, positive};
use crate::packing::{
    PackingError,
    limit::{Kind, allow},
};

/// A circular arch of voussoirs with radial joints.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ArchParams {
    /// Radius of the middle line.
    pub radius: Quantity<Length, Positive>,
    /// Thickness of the ring, from the inner to the outer radius.
    pub thickness: Quantity<Length, Positive>,
    /// Number of voussoirs.
    pub voussoirs: usize,
    /// Angle that the arch embraces, symmetric about the crown; default 180°.
    pub embrace: Option<Quantity<Angle, Positive>>,
    /// Width across the arch, along y in space and z in a planar model; default 1 m.
    pub depth: Option<Quantity<Length, Positive>>,
    /// Centre of the circle; default the origin. In space the arch goes from here along +y.
    pub at: Option<Vector<Length>>,
}

/// A barrel vault: arches side by side in bond.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VaultParams {
    /// Radius of the middle line.
    pub radius: Quantity<Length, Positive>,
    /// Thickness of the shell.
    pub thickness: Quantity<Length, Positive>,
    /// Voussoirs around the arch: courses of the vault.
    pub voussoirs: usize,
    /// Angle that the vault embraces; default 180°.
    pub embrace: Option<Quantity<Angle, Positive>>,
    /// Length along y.
    pub length: Quantity<Length, Positive>,
    /// Whole blocks along the length in a course; every second course is shifted by half a block and has cut blocks at its ends.
    pub blocks: usize,
    /// Centre of the circle at the front end; default the origin.
    pub at: Option<Vector<Length>>,
}

/// A spherical dome: rings of voussoirs whose upright joints lie above each other.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DomeParams {
    /// Radius of the middle surface.
    pub radius: Quantity<Length, Positive>,
    /// Thickness of the shell.
    pub thickness: Quantity<Length, Positive>,
    /// Rings, from the springing up.
    pub rings: usize,
    /// Voussoirs in a ring.
    pub voussoirs: usize,
    /// Angle from the axis to the springing; default 90°.
    pub springing: Option<Quantity<Angle, Positive>>,
    /// Angle from the axis to the edge of the eye at the top.
    pub eye: Quantity<Angle, Positive>,
    /// Centre of the sphere; default the origin.
    pub at: Option<Vector<Length>>,
}

/// What a ring of voussoirs is made of.
struct Ring {
    inner: f64,
    outer: f64,
    /// Angle of the first joint from the horizontal and from joint to joint.
    first: f64,
    step: f64,
}

impl Ring {
    fn new(radius: f64, thickness: f64, voussoirs: usize, embrace: Option<f64>) -> Result<Self, PackingError> {
        positive("`voussoirs`", voussoirs)?;
        shell(radius, thickness)?;
        let embrace = embrace.unwrap_or(PI);
        let step = embrace / voussoirs as f64;
        if embrace >= 2.0 * PI || step >= PI {
            let expected = "less than 360° in all, and less than 180° for one voussoir";
            return Err(PackingError::Structure { what: "the embraced angle (rad)", value: embrace, expected });
        }
        Ok(Self { inner: radius - 0.5 * thickness, outer: radius + 0.5 * thickness, first: FRAC_PI_2 + 0.5 * embrace, step })
    }

    /// Corners of a voussoir as (along, up), counter-clockwise seen with `up` to the left of `along`: from the left springing on.
    fn corners(&self, voussoir: usize) -> [(f64, f64); 4] {
        let (a, b) = (self.first - voussoir as f64 * self.step, self.first - (voussoir + 1) as f64 * self.step);
        let at = |r: f64, angle: f64| (r * angle.cos(), r * angle.sin());
        [at(self.inner, b), at(self.outer, b), at(self.outer, a), at(self.inner, a)]
    }

    /// A voussoir in space between two places along y.
    fn prism(&self, voussoir: usize, at: &Vec3, (from, to): (f64, f64)) -> Block {
        let corners = self.corners(voussoir);
        let slice = |y: f64| corners.map(|(x, z)| at + Vec3::new(x, y, z));
        Block::Hull { vertices: [slice(from), slice(to)].concat(), thickness: 0.0 }
    }
}

fn shell(radius: f64, thickness: f64) -> Result<(), PackingError> {
    if thickness < 2.0 * radius {
        return Ok(());
    }
    Err(PackingError::Structure { what: "the thickness (m)", value: thickness, expected: "less than twice the radius" })
}

/// The voussoirs from the left springing to the right.
///
/// # Errors
/// No voussoirs, a thickness of twice the radius or more, an angle that is too large.
pub fn arch(params: &ArchParams, dimension: Dimension) -> Result<Vec<Block>, PackingError> {
    allow(params.voussoirs as f64, Kind::Cut)?;
    let ring = Ring::new(params.radius.si(), params.thickness.si(), params.voussoirs, params.embrace.map(|e| e.si()))?;
    let at = params.at.map_or_else(Vec3::zeros, |a| a.si());
    let depth = params.depth.map_or(1.0, |d| d.si());
    Ok((0..params.voussoirs)
        .map(|i| match dimension {
            Dimension::Spatial => ring.prism(i, &at, (0.0, depth)),
            Dimension::Planar => {
                Block::Hull { vertices: ring.corners(i).map(|(x, y)| at + Vec3::new(x, y, 0.0)).to_vec(), thickness: depth }
            }
        })
        .collect())
}

/// The blocks of a barrel vault, course by course around the arch.
///
/// # Errors
/// As [`arch`]; a planar model.
pub fn vault(params: &VaultParams, dimension: Dimension) -> Result<Vec<Block>, PackingError> {
    in_space("a vault", dimension)?;
    positive("`blocks`", params.blocks)?;
    allow(params.voussoirs as f64 * (params.blocks as f64 + 0.5), Kind::Cut)?;
    let ring = Ring::new(params.radius.si(), params.thickness.si(), params.voussoirs, params.embrace.map(|e| e.si()))?;
    let at = params.at.map_or_else(Vec3::zeros, |a| a.si());
    let (length, n) = (params.length.si(), params.blocks);
    let edge = length / n as f64;
    let mut out = Vec::new();
    for i in 0..params.voussoirs {
        if i % 2 == 0 {
            out.extend((0..n).map(|j| ring.prism(i, &at, (j as f64 * edge, (j + 1) as f64 * edge))));
        } else {
            let joint = |j: usize| if j == 0 { 0.0 } else { ((j as f64 - 0.5) * edge).min(length) };
            let end = |j: usize| if j == n { length } else { joint(j + 1) };
            out.extend((0..=n).map(|j| ring.prism(i, &at, (joint(j), end(j)))));
        }
    }
    Ok(out)
}

/// The voussoirs of a dome, ring by ring from the springing up.
///
/// # Errors
/// No rings, fewer than three voussoirs in a ring, angles out of order; a planar model.
pub fn dome(params: &DomeParams, dimension: Dimension) -> Result<Vec<Block>, PackingError> {
    in_space("a dome", dimension)?;
    positive("`rings`", params.rings)?;
    let n = params.voussoirs;
    if n < 3 {
        return Err(PackingError::Structure { what: "`voussoirs`", value: n as f64, expected: "3 or more" });
    }
    allow(params.rings as f64 * n as f64, Kind::Cut)?;
    let (radius, thickness) = (params.radius.si(), params.thickness.si());
    shell(radius, thickness)?;
    let (springing, eye) = (params.springing.map_or(FRAC_PI_2, |s| s.si()), params.eye.si());
    if eye >= springing || springing > FRAC_PI_2 * (1.0 + 1e-12) {
        return Err(PackingError::Structure {
            what: "the angle of the eye (rad)",
            value: eye,
            expected: "less than `springing`, itself at most 90°",
        });
    }
    let at = params.at.map_or_else(Vec3::zeros, |a| a.si());
    let mut out = Vec::new();
    for i in 0..params.rings {
        let polar = |k: usize| springing + (eye - springing) * k as f64 / params.rings as f64;
        for j in 0..n {
            let azimuth = |k: usize| 2.0 * PI * k as f64 / n as f64;
            let mut vertices = Vec::with_capacity(8);
            for r in [radius - 0.5 * thickness, radius + 0.5 * thickness] {
                for (p, a) in [(i, j), (i, j + 1), (i + 1, j + 1), (i + 1, j)] {
                    let (p, a) = (polar(p), azimuth(a));
                    vertices.push(at + Vec3::new(p.sin() * a.cos(), p.sin() * a.sin(), p.cos()) * r);
                }
            }
            out.push(Block::Hull { vertices, thickness: 0.0 });
        }
    }
    Ok(out)
}

fn in_space(what: &'static str, dimension: Dimension) -> Result<(), PackingError> {
    if dimension == Dimension::Spatial {
        return Ok(());
    }
    Err(PackingError::Structure { what, value: 2.0, expected: "a model of dimension 3; in the plane use `Arch`" })
}
