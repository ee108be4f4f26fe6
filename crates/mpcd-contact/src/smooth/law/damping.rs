//! Damping from a coefficient of restitution. Holds for Hooke's law and, by a change of variable, for Hertz' law.
//!
//! Hooke: m δ̈ + η δ̇ + k δ = 0 with η = 2α√(mk), δ(0) = 0. Two ends of the contact are in use:
//! - δ = 0 (the bodies pull on each other shortly before): e = exp(−πα/√(1−α²)), α < 1 (Dubois–Renouf 2021);
//! - the force falls to zero (no tension): e = exp(−α ω₀ t_c), tan(ω t_c) = 2αω₀ω/(α²ω₀² − ω²), ω = ω₀√(1−α²)
//!   (Schwager and Pöschel 2007, doi:10.1007/s10035-007-0065-z), and its continuation to α ≥ 1.
//!
//! Hertz with the viscous term c δ^¼ δ̇: in y = δ^(5/4) the phase plane is that of a linear oscillator of mass 5m/4,
//! damping c and stiffness K (Antypov and Elliott 2011, doi:10.1209/0295-5075/94/50004). So c = α√5 √(mK), the same for both
//! ends, whatever the speed of impact.

use std::f64::consts::PI;

#[cfg(test)]
/// Restitution of a contact that may pull, for the damping ratio α in [0, 1).
pub(crate) fn restitution_with_tension(alpha: f64) -> f64 {
    (-PI * alpha / (1.0 - alpha * alpha).sqrt()).exp()
}

/// Damping ratio of a contact that may pull, for a restitution in (0, 1].
pub(crate) fn ratio_with_tension(restitution: f64) -> f64 {
    let l = restitution.ln();
    -l / l.hypot(PI)
}

/// Restitution of a contact that never pulls, for the damping ratio α ≥ 0.
pub(crate) fn restitution_without_tension(alpha: f64) -> f64 {
    let part = 1.0 - alpha * alpha;
    let time = if part > 1e-12 {
        let omega = part.sqrt();
        (2.0 * alpha * omega).atan2(alpha * alpha - part) / omega
    } else if part < -1e-12 {
        // tanh(Ω t) = 2αΩ/(α² + Ω²) is solved by ½ ln((α+Ω)²/(α−Ω)²)/Ω, written without the difference α − Ω = 1/(α + Ω).
        let omega = (-part).sqrt();
        2.0 * (alpha + omega).ln() / omega
    } else {
        2.0
    };
    (-alpha * time).exp()
}

/// Damping ratio of a contact that never pulls, for a restitution in (0, 1].
pub(crate) fn ratio_without_tension(restitution: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    while restitution_without_tension(high) > restitution {
        high *= 2.0;
    }
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if restitution_without_tension(middle) > restitution { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratio_and_restitution_are_inverse() {
        for e in [0.999, 0.9, 0.5, 0.2, 0.136, 0.135_335_283, 0.1, 0.01, 1e-4] {
            assert!((restitution_without_tension(ratio_without_tension(e)) - e).abs() < 1e-12, "{e}");
            assert!((restitution_with_tension(ratio_with_tension(e)) - e).abs() < 1e-12, "{e}");
        }
        assert!(ratio_without_tension(1.0) < 1e-15 && ratio_with_tension(1.0) == 0.0);
    }

    #[test]
    fn the_restitution_of_the_oscillator_integrated_finely() {
        // The force −mδ̈ of a unit oscillator falls to zero at e = −δ̇; below, at and above critical damping.
        for alpha in [0.05, 0.4, 0.999_999, 1.0, 1.3, 3.0] {
            let (mut x, mut v, h) = (0.0_f64, 1.0_f64, 1e-5_f64);
            let force = |x: f64, v: f64| x + 2.0 * alpha * v;
            loop {
                let (xm, vm) = (x + 0.5 * h * v, v - 0.5 * h * force(x, v));
                (x, v) = (x + h * vm, v - h * force(xm, vm));
                if force(x, v) <= 0.0 {
                    break;
                }
            }
            let e = restitution_without_tension(alpha);
            assert!((-v - e).abs() < 2e-4 * e.max(0.05), "{alpha}: {} instead of {e}", -v);
        }
    }
}
