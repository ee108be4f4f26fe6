//! Schumann's bed: grains that stand still in a stream of fluid whose temperature jumps at the inlet (J. Franklin Inst. 208 (1929) 405,
//! doi:10.1016/S0016-0032(29)91186-8).

use std::f64::consts::PI;

/// I₀ e^(−x).
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small positive number")]
fn i0_scaled(x: f64) -> f64 {
    // ∫₀^π e^(x (cos θ − 1)) dθ/π by the trapezoidal rule, exact to rounding for a periodic function
    let m = 400 + 8 * (x.sqrt() as usize);
    (0..m).map(|k| (x * ((2.0 * PI * k as f64 / m as f64).cos() - 1.0)).exp()).sum::<f64>() / m as f64
}

/// Schumann 1929: parts of the way of the solid and the fluid to the temperature of the inlet, at ξ = hA x/(ρ c u) and τ = hA (t − φx/u)/((1−φ) ρ_s c_s).
#[must_use]
pub fn schumann(xi: f64, tau: f64) -> [f64; 2] {
    if tau <= 0.0 {
        return [0.0, 0.0];
    }
    let kernel = |s: f64| {
        let root = 2.0 * (xi * s).sqrt();
        (root - xi - s).exp() * i0_scaled(root)
    };
    let m = 2000;
    // s = τ x²: smooth at 0, Simpson
    let at = |k: usize| {
        let x = k as f64 / m as f64;
        kernel(tau * x * x) * 2.0 * tau * x
    };
    let sum: f64 = (0..=m)
        .map(|k| {
            at(k)
                * if k == 0 || k == m {
                    1.0
                } else if k % 2 == 1 {
                    4.0
                } else {
                    2.0
                }
        })
        .sum();
    let solid = sum / (3.0 * m as f64);
    [solid, solid + kernel(tau)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schumanns_integral_by_hand() {
        // at the inlet 1 − e^−τ; the fluid has arrived there at once
        let [solid, fluid] = schumann(0.0, 1.5);
        assert!((solid - (1.0 - (-1.5_f64).exp())).abs() < 1e-10 && (fluid - 1.0).abs() < 1e-10);
        // reciprocity: θ_f(ξ, τ) + θ_s(τ, ξ) = 1
        let (a, b) = (schumann(2.0, 5.0), schumann(5.0, 2.0));
        assert!((a[1] + b[0] - 1.0).abs() < 1e-9, "{a:?} {b:?}");
    }
}
