//! The grid: cells, faces and who is beside whom. Planar models have one cell along z; nothing else knows the dimension.
//! No physics here.

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
    periodic: [bool; 3],
    sides: [Vec<Sides>; 3],
}

impl Grid {
    /// The grid with its faces. Every count in `spec.cells` must be at least 1 and every spacing above zero.
    #[must_use]
    pub fn new(spec: GridSpec, periodic: [bool; 3]) -> Self {
        let mut grid = Self { spec, periodic, sides: Default::default() };
        grid.sides = std::array::from_fn(|axis| grid.sides_along(axis));
        grid
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

    /// Volume of a cell (m³).
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
    pub const fn face_count(&self, axis: usize) -> usize {
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
