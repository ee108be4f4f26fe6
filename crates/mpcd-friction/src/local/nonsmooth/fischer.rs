//! Fischer–Burmeister on the second-order cone: `φ(x, y) = x + y − (x∘x + y∘y)^½` (Fukushima, Luo and Tseng 2001), with
//! its Jacobian `I − L_w⁻¹ L_x`, `I − L_w⁻¹ L_y`, `w = (x² + y²)^½`.

use super::functions::Linearised;
use crate::cone::tangential_norm;
use crate::local::block::Block;
use crate::local::small::{inverse, product};

/// F of one contact in impulse units: x = (μ r_n, r_t), y = ρ (û_n/μ, u_t), û_n = u_n + μ‖u_t‖. Without friction the
/// scalar function of the normal part, and `r_t = 0`.
pub(super) fn fischer_burmeister<const D: usize>(mu: f64, rho: f64, r: &[f64; D], u: &[f64; D]) -> Linearised<D> {
    let (mut a, mut b) = ([[0.0; D]; D], [[0.0; D]; D]);
    if mu == 0.0 {
        let (x, y) = (r[0], rho * u[0]);
        let w = x.hypot(y).max(f64::MIN_POSITIVE);
        let mut value = *r;
        value[0] = x + y - w;
        b[0][0] = 1.0 - x / w;
        a[0][0] = rho * (1.0 - y / w);
        for k in 1..D {
            b[k][k] = 1.0;
        }
        return Linearised { value, a, b };
    }
    let slide = tangential_norm(u);
    let mut x = *r;
    x[0] *= mu;
    let mut y: [f64; D] = u.map(|v| rho * v);
    y[0] = rho * (u[0] / mu + slide);
    let root = root_of_squares(&x, &y);
    let mut value: [f64; D] = std::array::from_fn(|k| x[k] + y[k] - root[k]);
    value[0] /= mu;
    let Some(inv) = inverse(&arrow(&root)) else {
        // x and y vanish, or both lie on one ray of the boundary: any element will do, take that of the closed contact
        for k in 0..D {
            a[k][k] = rho;
        }
        return Linearised { value, a, b };
    };
    let (px, py) = (product(&inv, &arrow(&x)), product(&inv, &arrow(&y)));
    for i in 0..D {
        // the first row is divided by μ like the value, so that rows have the units of r
        let row = if i == 0 { 1.0 / mu } else { 1.0 };
        for j in 0..D {
            let delta = f64::from(u8::from(i == j));
            b[i][j] = row * (delta - px[i][j]) * if j == 0 { mu } else { 1.0 };
            let dy = delta - py[i][j];
            a[i][j] += row * rho * dy * if j == 0 { 1.0 / mu } else { 1.0 };
            // y_n also depends on u_t through the slide
            if j == 0 && slide > 0.0 {
                for k in 1..D {
                    a[i][k] += row * rho * dy * u[k] / slide;
                }
            }
        }
    }
    Linearised { value, a, b }
}

fn arrow<const D: usize>(x: &[f64; D]) -> Block<D> {
    let mut m = [[0.0; D]; D];
    for k in 0..D {
        m[k][k] = x[0];
        m[0][k] = x[k];
        m[k][0] = x[k];
    }
    m
}

/// Square root of `x∘x + y∘y`, by the spectral decomposition.
fn root_of_squares<const D: usize>(x: &[f64; D], y: &[f64; D]) -> [f64; D] {
    let mut square = [0.0; D];
    for k in 0..D {
        square[0] += x[k] * x[k] + y[k] * y[k];
        if k > 0 {
            square[k] = 2.0 * (x[0] * x[k] + y[0] * y[k]);
        }
    }
    let size = tangential_norm(&square);
    let (high, low) = ((square[0] + size).sqrt(), (square[0] - size).max(0.0).sqrt());
    let mut root = [0.0; D];
    root[0] = 0.5 * (high + low);
    for k in 1..D {
        root[k] = if size > 0.0 { 0.5 * (high - low) * square[k] / size } else { 0.0 };
    }
    root
}
