//! Heat through the gas between two surfaces, in contact or within the alert distance. No solid conduction here.
//!
//! Locally parallel surfaces: each ring of the gap conducts k_g dA / (g + d + r²/2R*), with g the gap (0 in contact), d the
//! temperature jump distance of the gas, r the distance from the axis, out to r = R*.

use mpcd_core::{
    Quantity,
    network::ContactGeometry,
    quantity::{HeatConductivity, Length, Positive},
};
use schemars::JsonSchema;
use serde::Deserialize;
use std::f64::consts::PI;

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
    /// Conductance of the gas (W/K) across a gap (m).
    #[must_use]
    pub fn conductance(&self, geometry: &ContactGeometry, gap: f64) -> f64 {
        let width = gap.max(0.0) + self.jump_distance.si();
        let k = self.conductivity.si();
        match *geometry {
            // ∫ 2πr dr / (w + r²/2R*) = 2πR* ln(1 + R*/2w)
            ContactGeometry::Point { reduced_radius: r } => 2.0 * PI * k * r * (0.5 * r / width).ln_1p(),
            // ∫ L dx / (w + x²/2R*) = 2L √(2R*/w) atan(√(R*/2w))
            ContactGeometry::Line { reduced_radius: r, length } => {
                2.0 * k * length * (2.0 * r / width).sqrt() * (0.5 * r / width).sqrt().atan()
            }
            ContactGeometry::Flat { area } => k * area / width,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn closed_forms_equal_their_integrals() {
        let gas = GasGap { conductivity: Quantity::new(0.026).unwrap(), jump_distance: Quantity::new(4e-7).unwrap() };
        let (r, gap, n) = (2.5e-3, 3e-6, 4_000_000);
        let ring = |x: f64| 1.0 / (gap + 4e-7 + x * x / (2.0 * r));
        let middle = |k: u32| r * (f64::from(k) + 0.5) / f64::from(n);
        let dx = r / f64::from(n);
        let disc: f64 = (0..n).map(|k| 0.026 * ring(middle(k)) * 2.0 * PI * middle(k) * dx).sum();
        let strip: f64 = (0..n).map(|k| 2.0 * 0.026 * 0.3 * ring(middle(k)) * dx).sum();
        let point = gas.conductance(&ContactGeometry::Point { reduced_radius: r }, gap);
        let line = gas.conductance(&ContactGeometry::Line { reduced_radius: r, length: 0.3 }, gap);
        assert!((point / disc - 1.0).abs() < 1e-8, "{point} {disc}");
        assert!((line / strip - 1.0).abs() < 1e-8, "{line} {strip}");
        assert_eq!(gas.conductance(&ContactGeometry::Flat { area: 2.0 }, -1.0), 0.026 * 2.0 / 4e-7);
    }
}
