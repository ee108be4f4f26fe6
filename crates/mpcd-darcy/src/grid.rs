//! The grid: cells, faces and who is beside whom. Planar models have one cell along z; nothing else knows the dimension.
//! No physics here.
//!
//! Where a wall moves, its end of the grid goes with it, and the cells between the two ends of that axis stretch evenly. So a
//! grid is that of one step: where its ends are at the start and at the end of it, and, for everything that is neither, in the
//! middle. Who is beside whom never changes.
//!
//! A face at the part s = i/n of its line moves by g = (1 − s) g_low + s g_high and sweeps the volume g A, with A the cross-section of the grid
//! per face, averaged over the step as ⅓ b₀c₀ + ⅙ b₀c₁ + ⅙ b₁c₀ + ⅓ b₁c₁ of the two spacings across. Then the volume of every cell
//! changes by what its faces sweep, to rounding, whichever ends move.

use std::sync::Arc;

use mpcd_core::{GridSpec, Vec3};

/// The cells on the two sides of a face: (below, above) along its axis; `None` outside the grid.
pub type Sides = (Option<usize>, Option<usize>);

/// A regular grid of box cells with its faces.
///
/// Cells are numbered x fastest. Faces are numbered per axis; face `i` of a line lies between cells `i − 1` and `i`. Along a
/// periodic axis the last face of a line is its first.
#[derive(Debug, Clone)]
pub struct Grid {
    spec: GridSpec,
    /// Spacings as the model wrote them (m).
    written: [f64; 3],
    /// Where axes begin at the start and at the end of the step (m).
    origins: [[f64; 3]; 2],
    /// Their spacings then (m).
    spacings: [[f64; 3]; 2],
    periodic: [bool; 3],
    sides: Arc<[Vec<Sides>; 3]>,
}

/// Where the grid ends, low and high per axis (m).
pub type Extent = [[f64; 2]; 3];

impl Grid {
    /// The grid with its faces. Every count in `spec.cells` must be at least 1 and every spacing above zero.
    #[must_use]
    pub fn new(spec: GridSpec, periodic: [bool; 3]) -> Self {
        let (origins, spacings) = ([spec.origin; 2], [spec.spacing; 2]);
        let mut grid = Self { spec, written: spec.spacing, origins, spacings, periodic, sides: Arc::default() };
        grid.sides = Arc::new(std::array::from_fn(|axis| grid.sides_along(axis)));
        grid
    }

    /// The same cells over a step in which the ends go from `start` to `end`.
    #[must_use]
    pub fn moving(&self, start: &Extent, end: &Extent) -> Self {
        let mut grid = self.clone();
        for axis in 0..3 {
            let cells = self.cells(axis) as f64;
            for (k, extent) in [start, end].into_iter().enumerate() {
                let [low, high] = extent[axis];
                // an end that stays where the grid was made keeps its bits
                let same = extent[axis] == self.made_extent(axis);
                grid.origins[k][axis] = low;
                grid.spacings[k][axis] = if same { self.spec.spacing[axis] } else { (high - low) / cells };
            }
            let middle = |values: [[f64; 3]; 2]| 0.5 * (values[0][axis] + values[1][axis]);
            grid.spec.origin[axis] = middle(grid.origins);
            grid.spec.spacing[axis] = middle(grid.spacings);
        }
        grid
    }

    fn made_extent(&self, axis: usize) -> [f64; 2] {
        let low = self.spec.origin[axis];
        [low, low + self.length(axis)]
    }

    /// Where it ends, in the middle of the step.
    #[must_use]
    pub fn extent(&self) -> Extent {
        std::array::from_fn(|axis| self.made_extent(axis))
    }

    /// Whether an end of this axis moves in the step.
    #[must_use]
    pub fn moves(&self, axis: usize) -> bool {
        self.origins[0][axis] != self.origins[1][axis] || self.spacings[0][axis] != self.spacings[1][axis]
    }

    /// Edge of a cell along an axis as the model wrote it (m), whatever its ends have done since: what is measured in cells once and for
    /// all, such as a kernel, is measured by it, so that nothing jumps when cells stretch.
    #[must_use]
    pub const fn written_spacing(&self, axis: usize) -> f64 {
        self.written[axis]
    }

    /// A place along an axis in cells from its low end, at the start (0) or end (1) of the step.
    #[must_use]
    pub fn in_cells(&self, when: usize, axis: usize, x: f64) -> f64 {
        (x - self.origins[when][axis]) / self.spacings[when][axis]
    }

    /// The low and the high end of an axis (m) at the start (0) or end (1) of the step.
    #[must_use]
    pub const fn ends(&self, when: usize, axis: usize) -> [f64; 2] {
        let low = self.origins[when][axis];
        [low, low + self.spacings[when][axis] * self.spec.cells[axis] as f64]
    }

    /// Volume of a cell (m³) at the start (0) or end (1) of the step.
    #[must_use]
    pub const fn volume_at(&self, when: usize) -> f64 {
        self.spacings[when][0] * self.spacings[when][1] * self.spacings[when][2]
    }

    /// Adds the volume that each face sweeps in the step (m³), positive along its axis.
    pub fn add_swept(&self, out: &mut FaceField) {
        for axis in (0..3).filter(|a| self.moves(*a)) {
            let [b, c] = [(axis + 1) % 3, (axis + 2) % 3].map(|d| [self.spacings[0][d], self.spacings[1][d]]);
            let area = ((b[0] * c[0] + b[1] * c[1]) * 2.0 + b[0] * c[1] + b[1] * c[0]) / 6.0;
            let shift = self.origins[1][axis] - self.origins[0][axis];
            let stretch = self.spacings[1][axis] - self.spacings[0][axis];
            let count = self.faces_per_line(axis);
            let stride: usize = self.spec.cells[..axis].iter().product();
            for (face, value) in out.0[axis].iter_mut().enumerate() {
                *value += (shift + stretch * (face / stride % count) as f64) * area;
            }
        }
    }

    fn sides_along(&self, axis: usize) -> Vec<Sides> {
        let n = self.spec.cells[axis];
        let mut count = self.spec.cells;
        count[axis] = self.faces_per_line(axis);
        let mut sides = Vec::with_capacity(count.iter().product());
        for k in 0..count[2] {
            for j in 0..count[1] {
                for i in 0..count[0] {
                    let at = [i, j, k];
                    let cell = |index: usize| {
                        let mut place = at;
                        place[axis] = index;
                        self.cell(place)
                    };
                    let below = match at[axis] {
                        0 => self.periodic[axis].then(|| cell(n - 1)),
                        face => Some(cell(face - 1)),
                    };
                    sides.push((below, (at[axis] < n).then(|| cell(at[axis]))));
                }
            }
        }
        sides
    }

    /// Origin, spacing and counts.
    #[must_use]
    pub const fn spec(&self) -> &GridSpec {
        &self.spec
    }

    /// Cells along an axis.
    #[must_use]
    pub const fn cells(&self, axis: usize) -> usize {
        self.spec.cells[axis]
    }

    /// Number of cells.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.spec.len()
    }

    /// Whether there is no cell.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.spec.is_empty()
    }

    /// Whether the two ends of an axis are one.
    #[must_use]
    pub const fn periodic(&self, axis: usize) -> bool {
        self.periodic[axis]
    }

    /// Edge of a cell along an axis (m).
    #[must_use]
    pub const fn spacing(&self, axis: usize) -> f64 {
        self.spec.spacing[axis]
    }

    /// Length of the grid along an axis (m).
    #[must_use]
    pub const fn length(&self, axis: usize) -> f64 {
        self.spec.spacing[axis] * self.spec.cells[axis] as f64
    }

    /// Volume of a cell in the middle of the step (m³).
    #[must_use]
    pub const fn cell_volume(&self) -> f64 {
        self.spec.spacing[0] * self.spec.spacing[1] * self.spec.spacing[2]
    }

    /// Area of a face across an axis (m²).
    #[must_use]
    pub const fn area(&self, axis: usize) -> f64 {
        self.spec.spacing[(axis + 1) % 3] * self.spec.spacing[(axis + 2) % 3]
    }

    /// Number of the cell at these indices.
    #[must_use]
    pub const fn cell(&self, at: [usize; 3]) -> usize {
        at[0] + self.spec.cells[0] * (at[1] + self.spec.cells[1] * at[2])
    }

    /// Indices of a cell.
    #[must_use]
    pub const fn indices(&self, cell: usize) -> [usize; 3] {
        let [nx, ny, _] = self.spec.cells;
        [cell % nx, cell / nx % ny, cell / (nx * ny)]
    }

    /// Centre of a cell (m).
    #[must_use]
    pub fn centre(&self, cell: usize) -> Vec3 {
        let at = self.indices(cell);
        Vec3::from_fn(|d, _| self.spec.origin[d] + (at[d] as f64 + 0.5) * self.spec.spacing[d])
    }

    /// Faces of one line of cells along an axis.
    #[must_use]
    pub const fn faces_per_line(&self, axis: usize) -> usize {
        self.spec.cells[axis] + if self.periodic[axis] { 0 } else { 1 }
    }

    /// Number of faces across an axis.
    #[must_use]
    pub fn face_count(&self, axis: usize) -> usize {
        self.sides[axis].len()
    }

    /// The face below the cell at these indices; `at[axis]` may also be the number of cells, which gives the last face.
    #[must_use]
    pub const fn face(&self, axis: usize, mut at: [usize; 3]) -> usize {
        let mut count = self.spec.cells;
        count[axis] = self.faces_per_line(axis);
        at[axis] %= count[axis];
        at[0] + count[0] * (at[1] + count[1] * at[2])
    }

    /// The faces below and above a cell along an axis.
    #[must_use]
    pub const fn faces_of(&self, axis: usize, cell: usize) -> (usize, usize) {
        let at = self.indices(cell);
        let mut above = at;
        above[axis] += 1;
        (self.face(axis, at), self.face(axis, above))
    }

    /// Cells beside every face across an axis.
    #[must_use]
    pub fn sides(&self, axis: usize) -> &[Sides] {
        &self.sides[axis]
    }

    /// A value for each face, per axis.
    #[must_use]
    pub fn face_field(&self) -> FaceField {
        FaceField(std::array::from_fn(|axis| vec![0.0; self.face_count(axis)]))
    }

    /// What flows out of each cell minus what flows in, when `flow` counts along the axes; added to `out`.
    pub fn add_divergence(&self, flow: &FaceField, axes: [bool; 3], out: &mut [f64]) {
        for axis in (0..3).filter(|a| axes[*a]) {
            for (&(below, above), amount) in self.sides[axis].iter().zip(&flow.0[axis]) {
                if let Some(cell) = below {
                    out[cell] += amount;
                }
                if let Some(cell) = above {
                    out[cell] -= amount;
                }
            }
        }
    }
}

/// A number on every face, per axis.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FaceField(pub [Vec<f64>; 3]);

impl FaceField {
    /// Sets all to zero.
    pub fn clear(&mut self) {
        self.0.iter_mut().for_each(|v| v.fill(0.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(cells: [usize; 3], periodic: [bool; 3]) -> Grid {
        Grid::new(GridSpec { origin: [0.0; 3], spacing: [1.0, 2.0, 3.0], cells }, periodic)
    }

    #[test]
    fn faces_and_cells_agree_about_who_is_beside_whom() {
        for periodic in [[false; 3], [true, false, true]] {
            let g = grid([3, 4, 2], periodic);
            for axis in 0..3 {
                assert_eq!(g.face_count(axis), g.faces_per_line(axis) * g.len() / g.cells(axis));
                for cell in 0..g.len() {
                    let (low, high) = g.faces_of(axis, cell);
                    assert_eq!(g.sides(axis)[low].1, Some(cell));
                    assert_eq!(g.sides(axis)[high].0, Some(cell));
                }
            }
            for cell in 0..g.len() {
                assert_eq!(g.cell(g.indices(cell)), cell);
            }
        }
        assert_eq!(grid([3, 1, 1], [true, false, false]).sides(0)[0], (Some(2), Some(0)));
    }

    #[test]
    fn the_divergence_sums_to_what_leaves() {
        let g = grid([3, 2, 2], [false, true, false]);
        let mut flow = g.face_field();
        for axis in 0..3 {
            for (i, f) in flow.0[axis].iter_mut().enumerate() {
                *f = ((7 * i + axis) % 5) as f64;
            }
        }
        let mut out = vec![0.0; g.len()];
        g.add_divergence(&flow, [true; 3], &mut out);
        let through = |axis: usize| {
            let one = |(s, f): (&Sides, &f64)| match s {
                (None, _) => -f,
                (_, None) => *f,
                _ => 0.0,
            };
            g.sides(axis).iter().zip(&flow.0[axis]).map(one).sum::<f64>()
        };
        assert_eq!(out.iter().sum::<f64>(), (0..3).map(through).sum::<f64>());
    }
}
