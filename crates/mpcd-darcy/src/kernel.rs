//! The kernel that spreads a grain along one axis: weights of cells and faces, exact in cell averages and along a path.
//! One axis only; the product over the axes and its derivation are in the deposit.
//!
//! The kernel is a hat (linear B-spline) of half-width m cells, with m the least whole number of cells that holds the smoothing
//! length. Its average over a cell is a quadratic B-spline for m = 1. For whole m both sum to one over cells and over faces,
//! wherever the grain is, so neither the volume nor the mean gradient that a grain feels depends on its place in a cell.
//!
//! At an end that is not periodic the kernel is folded back (images of the grain in the ends), so that the whole volume of
//! a grain stays in the grid as long as its centre is inside.

use crate::grid::Grid;

/// A grain's weight in a cell before and after a step (1).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CellWeight {
    /// Index of the cell along the axis. May repeat; weights of one index add up.
    pub index: usize,
    /// Part of the grain in the cell at the start of the step.
    pub before: f64,
    /// Part at the end.
    pub after: f64,
}

/// A grain's density at a face, averaged over its path [1/m].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FaceWeight {
    /// Index of the face along the axis; the last is `cells` unless the axis is periodic. May repeat; densities add up.
    pub index: usize,
    /// Mean of the kernel at the face. Times the displacement it is the part of the grain that went through the face.
    pub density: f64,
    /// Whether the face is an end of the grid. Nothing goes through; the density says how the grain shares what acts there.
    pub end: bool,
}

/// One axis of one grain over one step.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AxisWeights {
    /// Cells.
    pub cells: Vec<CellWeight>,
    /// Faces.
    pub faces: Vec<FaceWeight>,
    /// Displacement along the axis past the cells (m), which move with the ends of the grid.
    pub displacement: f64,
}

/// Integral of the hat from −∞.
fn cumulative(t: f64) -> f64 {
    if t <= -1.0 {
        0.0
    } else if t <= 0.0 {
        0.5 * (1.0 + t) * (1.0 + t)
    } else if t < 1.0 {
        1.0 - 0.5 * (1.0 - t) * (1.0 - t)
    } else {
        1.0
    }
}

/// The hat 1 − |t| on [−1, 1].
fn hat(t: f64) -> f64 {
    (1.0 - t.abs()).max(0.0)
}

/// Mean of the hat between `a` and `b`: exact on each linear piece, without cancellation however near they are.
fn mean_hat(a: f64, b: f64) -> f64 {
    let (low, high) = if a <= b { (a, b) } else { (b, a) };
    if high <= low {
        return hat(low);
    }
    let knots = [low, (-1.0_f64).clamp(low, high), 0.0_f64.clamp(low, high), 1.0_f64.clamp(low, high), high];
    let piece = |w: &[f64]| (w[1] - w[0]) / (high - low) * hat(0.5 * (w[0] + w[1]));
    knots.windows(2).map(piece).sum()
}

/// How many cells the hat's half-width takes along an axis, for a smoothing length (m): at least 1, at most all.
#[must_use]
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the number of cells")]
pub fn half_width(grid: &Grid, axis: usize, smoothing: f64) -> usize {
    // a hair below, so that a smoothing length of exactly m cells takes m
    let cells = (smoothing / grid.written_spacing(axis) - 1e-9).ceil();
    (cells.max(1.0) as usize).min(grid.cells(axis))
}

impl AxisWeights {
    /// Weights of a grain that moves straight from `before` to `after` (places along the axis in cells from its low end at that
    /// time, both inside the grid unless it is periodic) with a hat of `half` cells.
    #[allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "cells of a grid fit both")]
    pub fn fill(&mut self, grid: &Grid, axis: usize, half: usize, before: f64, after: f64) {
        let (spacing, cells) = (grid.spacing(axis), grid.cells(axis) as isize);
        let width = half as f64 * spacing;
        // in units of the half-width, so that edge i is at i/half
        let (a, b) = (before / half as f64, after / half as f64);
        let edge = |i: isize| i as f64 / half as f64;
        let first = ((a.min(b) - 1.0) * half as f64).floor() as isize;
        let last = ((a.max(b) + 1.0) * half as f64).ceil() as isize;
        self.displacement = (after - before) * spacing;
        self.cells.clear();
        self.faces.clear();
        for i in first..last {
            let part = |x: f64| cumulative(edge(i + 1) - x) - cumulative(edge(i) - x);
            let index = fold_cell(i, cells, grid.periodic(axis));
            self.cells.push(CellWeight { index, before: part(a), after: part(b) });
        }
        for i in first..=last {
            let density = mean_hat(edge(i) - a, edge(i) - b) / width;
            if density > 0.0 {
                self.push_face(i, cells, density, grid.periodic(axis));
            }
        }
    }

    /// What an image carries through a face inside goes the other way, so it counts as negative there. What is missing to the
    /// sum of one is put on the ends: once for the end itself, twice for a face beyond; and, since only half a cell lies
    /// between the last centre and the end, it counts double as a density.
    #[allow(clippy::cast_sign_loss, reason = "all indices lie in 0..=n")]
    fn push_face(&mut self, i: isize, n: isize, density: f64, periodic: bool) {
        if periodic {
            self.faces.push(FaceWeight { index: i.rem_euclid(n) as usize, density, end: false });
        } else if i == 0 || i == n {
            self.faces.push(FaceWeight { index: i as usize, density: 2.0 * density, end: true });
        } else if i > 0 && i < n {
            self.faces.push(FaceWeight { index: i as usize, density, end: false });
        } else {
            let (end, image) = if i < 0 { (0, -i) } else { (n, 2 * n - i) };
            self.faces.push(FaceWeight { index: end as usize, density: 4.0 * density, end: true });
            if image > 0 && image < n {
                self.faces.push(FaceWeight { index: image as usize, density: -density, end: false });
            }
        }
    }
}

#[allow(clippy::cast_sign_loss, reason = "rem_euclid is not negative")]
fn fold_cell(i: isize, n: isize, periodic: bool) -> usize {
    if periodic {
        return i.rem_euclid(n) as usize;
    }
    let r = i.rem_euclid(2 * n);
    (if r < n { r } else { 2 * n - 1 - r }) as usize
}

#[cfg(test)]
mod tests {
    use mpcd_core::GridSpec;
    use mpcd_tests::random::cases;
    use proptest::prelude::*;

    use super::*;

    fn line(cells: usize, spacing: f64, periodic: bool) -> Grid {
        let spec = GridSpec { origin: [-0.3, 0.0, 0.0], spacing: [spacing, 1.0, 1.0], cells: [cells, 1, 1] };
        Grid::new(spec, [periodic, false, false])
    }

    /// Per cell (before, after) and per face the density inside and the density at the ends.
    fn dense(w: &AxisWeights, grid: &Grid) -> (Vec<[f64; 2]>, Vec<f64>, f64) {
        let mut cells = vec![[0.0; 2]; grid.cells(0)];
        let mut faces = vec![0.0; grid.faces_per_line(0)];
        let mut ends = 0.0;
        for c in &w.cells {
            cells[c.index][0] += c.before;
            cells[c.index][1] += c.after;
        }
        for f in &w.faces {
            if f.end { ends += f.density } else { faces[f.index] += f.density }
        }
        (cells, faces, ends)
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: ProptestConfig::default().failure_persistence, ..cases(256) })]

        #[test]
        fn weights_sum_to_one_and_change_by_what_crosses_the_faces(
            n in 1_usize..9, half in 1_usize..5, from in 0.0..1.0_f64, to in 0.0..1.0_f64, near in 0.0..1.0_f64, periodic: bool
        ) {
            let spacing = 0.37;
            let grid = line(n, spacing, periodic);
            let half = half.min(n);
            let place = |s: f64| s * n as f64;
            // near 0 gives long paths, near 1 very short ones
            let to = from + (to - from) * 10_f64.powf(-14.0 * near);
            let mut w = AxisWeights::default();
            w.fill(&grid, 0, half, place(from), place(to));
            let (cells, faces, ends) = dense(&w, &grid);
            let sum = |k: usize| cells.iter().map(|c| c[k]).sum::<f64>();
            prop_assert!((sum(0) - 1.0).abs() < 1e-14 && (sum(1) - 1.0).abs() < 1e-14);
            // inner faces one cell apart, ends half a cell
            prop_assert!((faces.iter().sum::<f64>() * spacing + 0.5 * ends * spacing - 1.0).abs() < 1e-13);
            prop_assert!(faces.iter().all(|f| *f > -1e-13));
            let through: Vec<f64> = faces.iter().map(|f| f * w.displacement).collect();
            for (i, c) in cells.iter().enumerate() {
                let above = if periodic { (i + 1) % n } else { i + 1 };
                prop_assert!((c[1] - c[0] - through[i] + through[above]).abs() < 1e-14, "cell {} of {}", i, n);
            }
        }
    }

    #[test]
    fn one_cell_wide_it_is_the_quadratic_spline() {
        let grid = line(9, 0.2, false);
        let mut w = AxisWeights::default();
        let centre = 4.5;
        w.fill(&grid, 0, 1, centre, centre);
        let (cells, faces, _) = dense(&w, &grid);
        for (cell, want) in [(3, 0.125), (4, 0.75), (5, 0.125), (6, 0.0)] {
            assert!((cells[cell][0] - want).abs() < 1e-15);
        }
        assert!((faces[4] - 2.5).abs() < 1e-13 && (faces[5] - 2.5).abs() < 1e-13);
    }

    #[test]
    fn the_half_width_holds_the_smoothing_length() {
        let grid = line(5, 0.5, false);
        for (smoothing, cells) in [(0.0, 1), (0.5, 1), (0.51, 2), (1.5, 3), (99.0, 5)] {
            assert_eq!(half_width(&grid, 0, smoothing), cells);
        }
    }
}
