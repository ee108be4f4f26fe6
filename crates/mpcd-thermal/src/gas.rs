//! Heat through the gas between two surfaces, in contact or within the alert distance. No solid conduction here.
//!
//! Locally parallel surfaces: each element of the smaller body's cross-section conducts k_g dA over the local distance of the true spheres (cylinders)
//! plus d, the temperature jump distance of the gas, out to its rim r = a, with a the smaller radius.

use crate::facing::Tilted;
use mpcd_core::{
    Quantity,
    network::ContactGeometry,
    quadrature::gauss,
    quantity::{HeatConductivity, Length, Positive},
};
use schemars::JsonSchema;
use serde::Deserialize;
use std::f64::consts::{FRAC_PI_2, PI};

/// A gas in the gaps.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GasGap {
    /// Conductivity of the gas (air at 20 °C: 0.026).
    pub conductivity: Quantity<HeatConductivity, Positive>,
    /// Temperature jump distance, which bounds the conductance at contact (air: about 0.2 µm for each surface).
    pub jump_distance: Quantity<Length, Positive>,
}

impl GasGap {
    /// Conductance of the gas (W/K) between faces that are not level.
    pub(crate) fn between(&self, faces: &Tilted) -> f64 {
        self.conductivity.si() * faces.over_gap(self.jump_distance.si())
    }

    /// Conductance of the gas (W/K) across a gap (m) of surfaces whose smaller radius is `least_radius` (m); equal ones where that is not known
    /// (infinite).
    #[must_use]
    pub fn conductance(&self, geometry: &ContactGeometry, least_radius: f64, gap: f64) -> f64 {
        let width = gap.max(0.0) + self.jump_distance.si();
        let gap_of = |reduced: f64| {
            let a = least_radius.min(2.0 * reduced);
            Gap { a, width, other: 1.0 / reduced - 1.0 / a }
        };
        self.conductivity.si()
            * match *geometry {
                ContactGeometry::Point { reduced_radius, .. } => gap_of(reduced_radius).of_balls(),
                ContactGeometry::Line { reduced_radius, length } => length * gap_of(reduced_radius).of_cylinders(),
                ContactGeometry::Flat { area } => area / width,
            }
    }
}

/// The gap between a ball (cylinder) of radius `a` and another body that is as round or less.
#[derive(Debug, Clone, Copy)]
struct Gap {
    /// The smaller radius (m).
    a: f64,
    /// Least distance, with the jump (m).
    width: f64,
    /// Curvature of the other body [1/m]: up to 1/a, 0 of a plane, below 0 where it is hollow.
    other: f64,
}

/// Widest panel of Gauss' rule, in the variable of [`Gap::integral`].
const PANEL: f64 = 3.0;

impl Gap {
    /// ∫ dA / distance (m) of two balls, or of a ball and a plane: closed form. With u = √(a² − r²), v = √(b² − r²) of the other ball of radius b and
    /// c = w + a + b, s = u + v turns 2π ∫ r dr / (c − s) into π/2 ∫ (s − (b² − a²)²/s³) / (c − s) ds from √(b² − a²) to a + b. Partial fractions, in
    /// which what grows with b has cancelled: here κ = 1/b, δ = √(b² − a²)/b, β = (a + b)/b, γ = c/b, and e the way of s.
    fn of_balls(&self) -> f64 {
        let Self { a, width: w, other: k } = *self;
        if k < 0.0 {
            return self.integral(|sine| 2.0 * PI * a * sine);
        }
        let delta2 = (1.0 - (k * a).powi(2)).max(0.0);
        let delta = delta2.sqrt();
        let (beta, gamma) = (1.0 + k * a, 1.0 + k * (w + a));
        let e = a + k * a * a / (1.0 + delta);
        let pole = (2.0 * (w + a) + k * ((w + a).powi(2) + a * a)) * (gamma * gamma + delta2) / gamma.powi(3);
        // δ⁴ ln(1 + κe/δ)/κ, 0 of equal balls and e of a plane
        let ratio = k * e / delta;
        let log = if delta == 0.0 {
            0.0
        } else if ratio > 0.0 {
            delta2 * delta * e * ratio.ln_1p() / ratio
        } else {
            e
        };
        let rest = e
            + e * delta2 * (delta + beta) / (2.0 * gamma * beta * beta)
            + e * delta2 * delta / (gamma * gamma * beta)
            + log / gamma.powi(3);
        0.5 * PI * (pole * (e / w).ln_1p() - rest)
    }

    /// ∫ dx / distance of two cylinders, or of a cylinder and a plane, per length (1).
    fn of_cylinders(&self) -> f64 {
        self.integral(|_| 2.0)
    }

    /// ∫ m(sin θ) dr / distance with r = a sin θ out to the rim, by Gauss' rule in y, θ = λ sinh y, in which the integrand is smooth at any width.
    fn integral(&self, m: impl Fn(f64) -> f64) -> f64 {
        let Self { a, width, other } = *self;
        let lambda = (2.0 * width / (a + other * a * a)).sqrt();
        let distance = |sine: f64, angle: f64| {
            let lift = (0.5 * angle).sin();
            let root = (1.0 - (other * a * sine).powi(2)).max(0.0).sqrt();
            width + 2.0 * a * lift * lift + other * (a * sine).powi(2) / (1.0 + root)
        };
        let end = (FRAC_PI_2 / lambda).asinh();
        let panels = (end / PANEL).ceil().max(1.0);
        let of_y = |y: f64| {
            let angle = lambda * y.sinh();
            let sine = angle.sin();
            m(sine) * a * angle.cos() / distance(sine, angle) * lambda * y.cosh()
        };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small whole number")]
        let count = panels as u32;
        (0..count).map(|p| gauss(end * f64::from(p) / panels, end * f64::from(p + 1) / panels, of_y)).sum()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    /// The two bodies of a gap: the smaller radius, and the other's, infinite for a plane, negative for a hollow.
    const PAIRS: [(f64, f64); 10] = [
        (5e-3, 5e-3),
        (5e-3, 5.0005e-3),
        (5e-3, 6e-3),
        (5e-3, 15e-3),
        (5e-3, 5.0),
        (5e-3, 5e9),
        (5e-3, f64::INFINITY),
        (5e-3, -5.05e-3),
        (5e-3, -6e-3),
        (5e-3, -20e-3),
    ];

    fn reduced((a, b): (f64, f64)) -> f64 {
        1.0 / (1.0 / a + 1.0 / b)
    }

    /// ∫ of the area over the distance of the true surfaces by the midpoint rule on a fine grid of r = a sin θ, graded towards the axis.
    fn quadrature((a, b): (f64, f64), width: f64, point: bool) -> f64 {
        let n = 400_000_u32;
        let cap = |r: f64, radius: f64| {
            if radius.is_infinite() { 0.0 } else { radius - (radius * radius - r * r).max(0.0).sqrt() * radius.signum() }
        };
        let strip = |k: u32| {
            let t = (f64::from(k) + 0.5) / f64::from(n);
            let (angle, slope) = (FRAC_PI_2 * t.powi(4), FRAC_PI_2 * 4.0 * t.powi(3) / f64::from(n));
            let r = a * angle.sin();
            let area = if point { 2.0 * PI * r } else { 2.0 } * a * angle.cos() * slope;
            // the caps by r², where the roots have lost their digits
            let exact = |radius: f64| {
                if r < 1e-3 * a { r * r / (2.0 * radius) * (1.0 + (r / radius).powi(2) / 4.0) } else { cap(r, radius) }
            };
            area / (width + exact(a) + exact(b))
        };
        (0..n).map(strip).sum()
    }

    /// Balls that touch (with the jump), and at 0.01 and 0.1 radii; cylinders alike.
    #[test]
    fn conductance_is_the_integral_over_the_true_surfaces() {
        let gas = GasGap { conductivity: Quantity::new(0.026).unwrap(), jump_distance: Quantity::new(4e-7).unwrap() };
        for pair in PAIRS {
            for gap in [-1e-6, 0.0, 5e-5, 5e-4, 5e-3] {
                let width = f64::max(gap, 0.0) + 4e-7;
                let point =
                    gas.conductance(&ContactGeometry::Point { reduced_radius: reduced(pair), roundness: 1.0 }, pair.0, gap);
                let line = gas.conductance(&ContactGeometry::Line { reduced_radius: reduced(pair), length: 0.3 }, pair.0, gap);
                let (disc, strip) = (0.026 * quadrature(pair, width, true), 0.3 * 0.026 * quadrature(pair, width, false));
                assert!((point / disc - 1.0).abs() < if pair.1 > 0.0 { 1e-10 } else { 1e-8 }, "{pair:?} {gap}: {point} {disc}");
                assert!((line / strip - 1.0).abs() < 1e-7, "{pair:?} {gap}: {line} {strip}");
            }
        }
        assert_eq!(gas.conductance(&ContactGeometry::Flat { area: 2.0 }, f64::INFINITY, -1.0), 0.026 * 2.0 / 4e-7);
    }

    /// π((a + w/2) ln(1 + 2a/w) − a) of equal balls, 2π((w + a) ln(1 + a/w) − a) on a plane; equal where the smaller radius is not known.
    #[test]
    fn equal_balls_and_planes_have_short_forms() {
        let gas = GasGap { conductivity: Quantity::new(1.0).unwrap(), jump_distance: Quantity::new(4e-7).unwrap() };
        let (a, w): (f64, f64) = (5e-3, 4e-7);
        let equal = PI * ((a + 0.5 * w) * (2.0 * a / w).ln_1p() - a);
        let plane = 2.0 * PI * ((w + a) * (a / w).ln_1p() - a);
        let of = |reduced_radius: f64, least: f64| {
            gas.conductance(&ContactGeometry::Point { reduced_radius, roundness: 1.0 }, least, 0.0)
        };
        assert!((of(0.5 * a, a) / equal - 1.0).abs() < 1e-14 && (of(0.5 * a, f64::INFINITY) / equal - 1.0).abs() < 1e-14);
        // steel balls of 5 mm in air, touching and 50 µm apart [W/K]
        let air = |gap: f64| 0.026 * gas.conductance(&ContactGeometry::Point { reduced_radius: 0.5 * a, roundness: 1.0 }, a, gap);
        assert!(
            (air(0.0) / 3.7276e-3 - 1.0).abs() < 1e-4 && (air(5e-5) / 1.7652e-3 - 1.0).abs() < 1e-4,
            "{} {}",
            air(0.0),
            air(5e-5)
        );
        assert!((of(a, a) / plane - 1.0).abs() < 1e-14);
    }
}
