//! From the cells, which move with the ends, to the cells of the frames, which stay where the model wrote them. No physics here.

use crate::grid::Grid;

/// For each cell of the frames the cell of the fluid that is nearest, and whether its centre is in the fluid.
#[derive(Debug, Clone)]
pub struct Resample {
    lines: [Vec<(usize, bool)>; 3],
}

impl Resample {
    /// From `now`, at the end of its step, to `written`.
    #[must_use]
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the cells")]
    pub fn new(now: &Grid, written: &Grid) -> Self {
        let line = |axis: usize| {
            let n = written.cells(axis);
            let still = now.ends(1, axis) == written.ends(1, axis);
            let place = |i: usize| {
                if still {
                    return (i, true);
                }
                let x = written.spec().origin[axis] + (i as f64 + 0.5) * written.spacing(axis);
                let s = now.in_cells(1, axis, x);
                ((s.max(0.0) as usize).min(n - 1), (0.0..=n as f64).contains(&s))
            };
            (0..n).map(place).collect()
        };
        Self { lines: std::array::from_fn(line) }
    }

    /// Fills `out` with the values of the nearest cells; `beyond` makes of them what stands where there is no fluid.
    pub fn write<T: Copy, U>(&self, grid: &Grid, values: &[T], out: &mut [U], inside: impl Fn(T) -> U, beyond: impl Fn(T) -> U) {
        let [x, y, z] = &self.lines;
        let mut rows = out.iter_mut();
        for &(k, in_z) in z {
            for &(j, in_y) in y {
                for &(i, in_x) in x {
                    let Some(row) = rows.next() else { return };
                    let value = values[grid.cell([i, j, k])];
                    *row = if in_x && in_y && in_z { inside(value) } else { beyond(value) };
                }
            }
        }
    }
}
