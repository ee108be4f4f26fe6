//! Walls and columns of bricks. In a planar model x is along the wall and y up; in space x along, y through, z up.

use mpcd_core::{
    Dimension, Quantity, Vec3,
    quantity::{Fraction, Length, NonNegative, Number, Positive, Vector},
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Block, positive};
use crate::packing::{
    PackingError,
    limit::{Kind, allow},
};

/// How the courses of a wall lie on each other.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
pub enum Bond {
    /// Every second course is shifted along the wall; cut bricks make its ends flush.
    #[default]
    Running,
    /// Every second course is shifted and has one brick less, with the ends left as steps.
    Toothed,
    /// Joints above each other.
    Stack,
}

/// A wall of bricks with joints of no thickness.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WallParams {
    /// Edges of a brick: (length, height) in a planar model, (length, depth, height) in space.
    pub brick: Vector<Length, NonNegative>,
    /// Whole bricks in a course.
    pub bricks: usize,
    /// Number of courses.
    pub courses: usize,
    /// How the courses lie on each other; default `Running`.
    #[serde(default)]
    pub bond: Bond,
    /// Shift of every second course over the length of a brick; default 0.5.
    pub shift: Option<Quantity<Number, Fraction>>,
    /// Bricks behind each other, in space; default 1.
    pub leaves: Option<usize>,
    /// Lowest corner of the wall; default the origin.
    pub at: Option<Vector<Length>>,
    /// Thickness along z in a planar model; default 1 m.
    pub thickness: Option<Quantity<Length, Positive>>,
}

/// Columns of equal blocks, one on the other, in a row or a grid.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ColumnsParams {
    /// Edges of a block: (length, height) in a planar model, (length, depth, height) in space.
    pub block: Vector<Length, NonNegative>,
    /// Blocks in a column.
    pub courses: usize,
    /// Number of columns along x, and in space along y; default 1.
    pub along: Option<(usize, usize)>,
    /// Distance of the axes of neighbouring columns along x and y; default twice the edges of a block.
    pub spacing: Option<Vector<Length, NonNegative>>,
    /// Lowest corner of the first column; default the origin.
    pub at: Option<Vector<Length>>,
    /// Thickness along z in a planar model; default 1 m.
    pub thickness: Option<Quantity<Length, Positive>>,
}

/// Edges of a brick as (along x, through, up), and the axes for through and up.
struct Brick {
    length: f64,
    depth: f64,
    height: f64,
    dimension: Dimension,
}

impl Brick {
    fn new(size: Vec3, thickness: Option<f64>, dimension: Dimension) -> Result<Self, PackingError> {
        let (length, depth, height) = match dimension {
            Dimension::Planar => (size.x, thickness.unwrap_or(1.0), size.y),
            Dimension::Spatial => (size.x, size.y, size.z),
        };
        for (what, value) in
            [("the length of a brick", length), ("the depth of a brick", depth), ("the height of a brick", height)]
        {
            if value <= 0.0 {
                return Err(PackingError::Structure { what, value, expected: "a length above zero" });
            }
        }
        Ok(Self { length, depth, height, dimension })
    }

    /// The block that goes from (x, y, z) on, in lengths along, through and up.
    fn block(&self, at: &Vec3, along: (f64, f64), through: f64, up: f64) -> Block {
        let half = Vec3::new(0.5 * along.1, 0.5 * self.depth, 0.5 * self.height);
        let middle = Vec3::new(along.0 + half.x, through + half.y, up + half.z);
        match self.dimension {
            Dimension::Planar => {
                Block::Box { centre: Vec3::new(at.x + middle.x, at.y + middle.z, 0.0), half: Vec3::new(half.x, half.z, half.y) }
            }
            Dimension::Spatial => Block::Box { centre: at + middle, half },
        }
    }
}

/// The bricks, course by course from the bottom.
///
/// # Errors
/// A brick without size, or no bricks.
pub fn wall(params: &WallParams, dimension: Dimension) -> Result<Vec<Block>, PackingError> {
    positive("`bricks`", params.bricks)?;
    positive("`courses`", params.courses)?;
    let brick = Brick::new(params.brick.si(), params.thickness.map(|t| t.si()), dimension)?;
    let leaves = if dimension == Dimension::Planar { 1 } else { params.leaves.unwrap_or(1) };
    positive("`leaves`", leaves)?;
    allow((params.bricks as f64 + 1.0) * params.courses as f64 * leaves as f64, Kind::Bricks)?;
    let shift = params.shift.map_or(0.5, |s| s.si());
    let at = params.at.map_or_else(Vec3::zeros, |a| a.si());
    let mut out = Vec::new();
    for course in 0..params.courses {
        for leaf in 0..leaves {
            for piece in pieces(params, brick.length, shift, course % 2 == 1) {
                out.push(brick.block(&at, piece, leaf as f64 * brick.depth, course as f64 * brick.height));
            }
        }
    }
    Ok(out)
}

/// Start and length (m) of the pieces of a course.
fn pieces(params: &WallParams, length: f64, shift: f64, odd: bool) -> Vec<(f64, f64)> {
    let n = params.bricks;
    let whole = |count: usize, start: f64| (0..count).map(move |i| (start + i as f64 * length, length));
    match params.bond {
        Bond::Toothed if odd => whole(n - 1, shift * length).collect(),
        Bond::Running if odd && shift > 0.0 && shift < 1.0 => {
            let end = (shift + (n - 1) as f64) * length;
            std::iter::once((0.0, shift * length))
                .chain(whole(n - 1, shift * length))
                .chain(std::iter::once((end, n as f64 * length - end)))
                .collect()
        }
        Bond::Running | Bond::Toothed | Bond::Stack => whole(n, 0.0).collect(),
    }
}

/// The blocks, column by column, each from the bottom.
///
/// # Errors
/// A block without size, no blocks, or columns that overlap.
pub fn columns(params: &ColumnsParams, dimension: Dimension) -> Result<Vec<Block>, PackingError> {
    positive("`courses`", params.courses)?;
    let brick = Brick::new(params.block.si(), params.thickness.map(|t| t.si()), dimension)?;
    let (nx, ny) = params.along.unwrap_or((1, 1));
    let ny = if dimension == Dimension::Planar { 1 } else { ny };
    positive("the first number of `along`", nx)?;
    positive("the second number of `along`", ny)?;
    allow(nx as f64 * ny as f64 * params.courses as f64, Kind::Bricks)?;
    let spacing = params.spacing.map_or_else(|| Vec3::new(2.0 * brick.length, 2.0 * brick.depth, 0.0), |s| s.si());
    for (count, value, edge, what) in
        [(nx, spacing.x, brick.length, "the spacing along x"), (ny, spacing.y, brick.depth, "the spacing along y")]
    {
        if count > 1 && value < edge {
            return Err(PackingError::Structure { what, value, expected: "at least the edge of a block" });
        }
    }
    let at = params.at.map_or_else(Vec3::zeros, |a| a.si());
    let mut out = Vec::new();
    for (j, i) in (0..ny).flat_map(|j| (0..nx).map(move |i| (j, i))) {
        for course in 0..params.courses {
            let along = (i as f64 * spacing.x, brick.length);
            out.push(brick.block(&at, along, j as f64 * spacing.y, course as f64 * brick.height));
        }
    }
    Ok(out)
}
