//! The pressure that a flow carries through a face: centred where diffusion holds it, limited upwind where it does not.
//! A uniform pressure gives that pressure on every face, whatever the flow.

use crate::grid::Grid;

/// Cell Péclet number above which a face is limited upwind instead of centred.
pub(crate) const CENTRED_UP_TO: f64 = 2.0;

/// The pressure carried through a face between two cells. `through` is the volume that goes from `below` to `above`, `peclet`
/// the cell Péclet number of the face.
///
/// Upwind: P_U + ½ ψ (P_D − P_U) with van Leer's limiter of the two differences along the flow; at a closed end there is no
/// second difference and the first order is taken.
#[must_use]
pub fn between(grid: &Grid, axis: usize, below: usize, above: usize, through: f64, peclet: f64, p: &[f64]) -> f64 {
    if peclet <= CENTRED_UP_TO {
        return 0.5 * (p[below] + p[above]);
    }
    let (up, down) = if through >= 0.0 { (below, above) } else { (above, below) };
    let (low, high) = grid.faces_of(axis, up);
    let sides = grid.sides(axis);
    let behind = if through >= 0.0 { sides[low].0 } else { sides[high].1 };
    let back = behind.map_or(0.0, |b| p[up] - p[b]);
    let ahead = p[down] - p[up];
    // ½ ψ(back/ahead) ahead with ψ(r) = (r + |r|)/(1 + |r|)
    let correction = if back * ahead > 0.0 { back * ahead / (back + ahead) } else { 0.0 };
    p[up] + correction
}

/// The pressure carried through an end of the grid whose pressure is held. `inward` says which way the flow goes.
#[must_use]
pub const fn at_end(inward: bool, peclet: f64, held: f64, cell: f64) -> f64 {
    if inward || peclet <= CENTRED_UP_TO { held } else { cell }
}

/// The cell Péclet number: what `through` carries over what the conductance lets diffuse. `carried` is the content per pressure
/// that goes through, `diffused` the conductance times dw/dp; ∞ where nothing diffuses, 0 where nothing moves.
#[must_use]
pub fn peclet(carried: f64, diffused: f64) -> f64 {
    if carried == 0.0 { 0.0 } else { carried.abs() / diffused }
}
