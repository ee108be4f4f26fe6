//! A time step as a sequence of passes: all axes together, or one axis after the other. Nothing here solves.

use std::ops::Range;

use crate::grid::Grid;

/// How a step is composed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Composition {
    /// All axes at once.
    Unsplit,
    /// One axis at a time, x ½, y ½, z 1, y ½, x ½ (Strang), so that splitting costs no order in time.
    Split,
}

/// One pass of a step.
#[derive(Debug, Clone, PartialEq)]
pub struct PassPlan {
    /// Axes that are coupled in it.
    pub axes: [bool; 3],
    /// Part of the step it covers, 0 … 1, for values that depend on time.
    pub time: Range<f64>,
    /// Part of the step's flow along its axes that goes in it.
    pub flow: f64,
    /// Part of the step's growth that happens in it.
    pub growth: f64,
    /// Weight of its end.
    pub theta: f64,
}

/// The passes of a step of `substeps` equal parts. `damped` replaces each by two implicit halves (θ = 1): done in the first two
/// steps of a run it removes the ringing of Crank–Nicolson after a jump and keeps its order (Rannacher 1984).
#[must_use]
pub fn passes(grid: &Grid, composition: Composition, theta: f64, substeps: usize, damped: bool) -> Vec<PassPlan> {
    let (parts, theta) = if damped && theta < 1.0 { (2 * substeps, 1.0) } else { (substeps, theta) };
    let size = 1.0 / parts as f64;
    let spans = (0..parts).map(|k| (k as f64 * size)..((k + 1) as f64 * size));
    let active: Vec<usize> = (0..3).filter(|a| grid.cells(*a) > 1).collect();
    match (composition, active.as_slice()) {
        (Composition::Split, [others @ .., last]) if !others.is_empty() => {
            let along = |axis: usize, time: Range<f64>, flow: f64, growth: f64| {
                // axes of one cell have no neighbours to split from; they go with the last
                let axes = std::array::from_fn(|a| a == axis || (axis == *last && !active.contains(&a)));
                PassPlan { axes, time, flow, growth, theta }
            };
            spans
                .flat_map(|span| {
                    let middle = 0.5 * (span.start + span.end);
                    let first = others.iter().map(|a| along(*a, span.start..middle, 0.5 * size, 0.0));
                    let second = others.iter().rev().map(|a| along(*a, middle..span.end, 0.5 * size, 0.0));
                    first.chain([along(*last, span.clone(), size, size)]).chain(second).collect::<Vec<_>>()
                })
                .collect()
        }
        _ => spans.map(|time| PassPlan { axes: [true; 3], time, flow: size, growth: size, theta }).collect(),
    }
}

#[cfg(test)]
mod tests {
    use mpcd_core::GridSpec;

    use super::*;

    #[test]
    fn every_axis_flows_once_and_growth_happens_once() {
        for cells in [[4, 1, 1], [4, 4, 1], [4, 3, 2], [1, 1, 1]] {
            let grid = Grid::new(GridSpec { origin: [0.0; 3], spacing: [1.0; 3], cells }, [false; 3]);
            for (composition, damped) in [(Composition::Unsplit, false), (Composition::Split, false), (Composition::Split, true)]
            {
                let plan = passes(&grid, composition, 0.5, 3, damped);
                for axis in 0..3 {
                    let flow: f64 = plan.iter().filter(|p| p.axes[axis]).map(|p| p.flow).sum();
                    assert!((flow - 1.0).abs() < 1e-14, "{cells:?} axis {axis}: {flow}");
                }
                assert!((plan.iter().map(|p| p.growth).sum::<f64>() - 1.0).abs() < 1e-14);
                assert!((plan[plan.len() - 1].time.end - 1.0).abs() < 1e-14);
            }
        }
    }
}
