//! The temperature inside a contact spot that carries a current (Kohlrausch 1900; Holm, Electric Contacts, §13). No network here.

/// Lorenz number of metals, π²k²/(3e²) (V²/K²).
pub const LORENZ_NUMBER: f64 = 2.443_004_5e-8;

/// Highest temperature (K) in a spot between two metals at `first` and `second` (K) with the drop `voltage` (V) across it.
///
/// Where current and heat flow through the same insulated tubes and k/σ = LT (Wiedemann–Franz), T² is a parabola of the potential φ
/// along them: T² = T₁² + φ((T₂² − T₁²)/V + V/L) − φ²/L, which holds the ends at T₁ and T₂. Its top at φ* = V/2 + L(T₂² − T₁²)/(2V)
/// gives T_max² = ½(T₁² + T₂²) + V²/4L + L(T₂² − T₁²)²/4V², for equal ends T_max² = T² + V²/4L. Where the top is not between the ends the
/// warmer end is the warmest place. A film that is no metal can be warmer.
#[must_use]
pub fn contact_temperature(first: f64, second: f64, voltage: f64) -> f64 {
    let (warm, cold) = (first.max(second), first.min(second));
    let v = voltage.abs();
    let difference = warm * warm - cold * cold;
    if LORENZ_NUMBER * difference >= v * v {
        return warm;
    }
    let top = 0.5 * v + LORENZ_NUMBER * difference / (2.0 * v);
    // from the cold end: T₁² + φ*²/L
    (cold * cold + top * top / LORENZ_NUMBER).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0.4 V between bodies at 293.15 K: √(293.15² + 0.16/(4 · 2.443e-8)) = 1312.7 K, near where Branly's welds soften.
    #[test]
    fn equal_ends_have_kohlrauschs_temperature() {
        let t = contact_temperature(293.15, 293.15, 0.4);
        assert!((t * t - 293.15 * 293.15 - 0.16 / (4.0 * 2.443_004_5e-8)).abs() < 1e-6, "{t}");
        assert!((t - 1312.8).abs() < 0.1, "{t}");
        assert_eq!(contact_temperature(300.0, 300.0, 0.0), 300.0);
        assert_eq!(contact_temperature(300.0, 300.0, -0.1), contact_temperature(300.0, 300.0, 0.1));
    }

    /// Against the equation itself, d/dφ(k dT/dφ)… in the form d²(T²)/dφ² = −2/L, integrated by finite differences.
    #[test]
    fn unequal_ends_follow_the_differential_equation() {
        for (first, second, v) in [(300.0, 500.0, 0.1), (500.0, 300.0, 0.1), (300.0, 310.0, 0.02), (300.0, 900.0, 0.05)] {
            let n = 20_000_u32;
            let d = v / f64::from(n);
            // the shot whose end is right: the equation is linear in T²
            let curve = |slope: f64| {
                let (mut y, mut dy, mut most) = (first * first, slope, first * first);
                for _ in 0..n {
                    y += d * dy - d * d / LORENZ_NUMBER;
                    dy -= 2.0 * d / LORENZ_NUMBER;
                    most = f64::max(most, y);
                }
                (y, most)
            };
            let (at_zero, at_one) = (curve(0.0).0, curve(1.0).0);
            let slope = (second * second - at_zero) / (at_one - at_zero);
            let most = curve(slope).1.sqrt();
            let t = contact_temperature(first, second, v);
            assert!((t / most - 1.0).abs() < 1e-7, "{first} {second} {v}: {t} {most}");
        }
    }
}
