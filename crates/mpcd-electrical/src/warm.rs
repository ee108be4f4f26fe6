//! What a spot between two metals conducts when its own current warms it, and to which side its heat goes. No law, no network here.
//!
//! Potential φ and temperature T of a spot lie on the same surfaces, and between bodies at T₁ and T₂ with the drop V T² is a parabola of φ (Kohlrausch 1900, see
//! [`contact_temperature`](crate::contact_temperature)): T² = T₁² + (T₂² − T₁²) φ/V + φ(V − φ)/L. With σ(T) of each side div(σ grad φ) = 0 is Laplace's equation of
//! ∫σ dφ (Kirchhoff's transformation): each side of the spot conducts as one of uniform conductivity, the mean of σ over the potential of that side. Heat made at
//! φ goes to the second body as far as the way there is done in ∫σ dφ, because heat passes along the same tubes; sides are weighed by 1/σ where they meet.

use mpcd_core::{hertz::pair_conductivity, quadrature::gauss};

use crate::{
    contacts::{SETTLED, vigour},
    kohlrausch::LORENZ_NUMBER,
};

/// σ(T) of a metal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Metal {
    /// σ₀ (S/m) at T₀ (K).
    pub(crate) at_reference: f64,
    pub(crate) reference: f64,
    /// α of σ = σ₀/(1 + α(T − T₀)) (1/K), 0 or above.
    pub(crate) alpha: f64,
}

impl Metal {
    fn conductivity(&self, temperature: f64) -> f64 {
        self.at_reference / (1.0 + self.alpha * (temperature - self.reference))
    }
}

/// What a spot is with its current.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Warm {
    /// Mean conductivity of both sides (S/m).
    pub(crate) conductivities: [f64; 2],
    /// Part of its heat that goes to the second body.
    pub(crate) to_second: f64,
}

/// A spot whose conductivity follows its drop, in rounds with the network.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Warming {
    metals: [Metal; 2],
    /// Part of its heat that goes to the second body.
    pub(crate) to_second: f64,
    pub(crate) settled: bool,
    change: f64,
    vigour: f64,
}

/// Drop above which no temperature is looked for (V): the metal would be at 300,000 K.
const MOST: f64 = 100.0;

impl Warming {
    pub(crate) fn new(metals: [Metal; 2]) -> Self {
        Self { metals, to_second: 0.5, settled: false, change: 0.0, vigour: 1.0 }
    }

    /// With the drop that was found (V) between bodies at `temperatures` (K): by what the pair's conductivity (S/m) changes; `None` where it stays.
    pub(crate) fn round(&mut self, temperatures: [f64; 2], drop: f64, conductivity: f64) -> Option<f64> {
        let found = warm(&self.metals, temperatures, drop.min(MOST));
        let [one, other] = found.conductivities;
        let change = (pair_conductivity(one, other) / conductivity).ln();
        self.to_second = found.to_second;
        self.settled = change.abs() <= SETTLED && drop <= MOST;
        if self.settled {
            return None;
        }
        if drop > MOST {
            return Some(1.0);
        }
        self.vigour = vigour(self.vigour, change, self.change);
        self.change = change;
        Some((self.vigour * change).clamp(-1.0, 1.0).exp())
    }
}

/// Newton's steps, and the change of the potential between the sides, as a part of the drop, at which they end.
const STEPS: u32 = 40;
const ENDED: f64 = 1e-14;

/// The spot between metals whose bodies are at `temperatures` (K), with the drop `voltage` (V) across it.
pub(crate) fn warm(metals: &[Metal; 2], temperatures: [f64; 2], voltage: f64) -> Warm {
    let [first, second] = temperatures.map(|t| t * t);
    let heat = voltage * voltage / LORENZ_NUMBER;
    // x = φ/V
    let at = |x: f64| (first + (second - first) * x + heat * x * (1.0 - x)).max(0.0).sqrt();
    let steep = heat > 4.0 * first.min(second);
    // ∫σ dx from the end of a side to where the sides meet, and that of σ x with x from that end, over √x, because T may be steep at the end
    let moment = |k: usize, width: f64, power: i32| {
        let of = |x: f64| metals[k].conductivity(at(if k == 0 { x } else { 1.0 - x }));
        let over = |root: f64| 2.0 * root * of(root * root) * (root * root).powi(power);
        let end = width.sqrt();
        if steep { gauss(0.0, 0.25 * end, over) + gauss(0.25 * end, end, over) } else { gauss(0.0, end, over) }
    };
    // as much current through both sides: ∫σ₁ dx up to the place where they meet is ∫σ₂ dx beyond it
    let mut meet = 0.5;
    for _ in 0..STEPS {
        let there = at(meet);
        let slope = metals[0].conductivity(there) + metals[1].conductivity(there);
        let next = meet - (moment(0, meet, 0) - moment(1, 1.0 - meet, 0)) / slope;
        // the difference rises from below zero to above it
        let next = if next <= 0.0 {
            0.5 * meet
        } else if next >= 1.0 {
            0.5 * (1.0 + meet)
        } else {
            next
        };
        let change = next - meet;
        meet = next;
        if change.abs() <= ENDED {
            break;
        }
    }
    let widths = [meet, 1.0 - meet];
    let through = [0, 1].map(|k| moment(k, widths[k], 0));
    let conductivities = [0, 1].map(|k| through[k] / widths[k]);
    let there = at(meet);
    let [one, other] = [metals[0].conductivity(there), metals[1].conductivity(there)];
    // 1/σ₁ over the sum of both
    let before = other / (one + other);
    // mean way done over a side, counted from its body: ∫s dx = width − ∫xσ dx/∫σ dx
    let done = [0, 1].map(|k| widths[k] - moment(k, widths[k], 1) / through[k]);
    let to_second = before * done[0] + widths[1] - (1.0 - before) * done[1];
    Warm { conductivities, to_second }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact_temperature;

    const COPPER: Metal = Metal { at_reference: 5.8e7, reference: 293.15, alpha: 1.0 / 293.15 };

    fn pair(metals: &[Metal; 2], ends: [f64; 2], voltage: f64) -> f64 {
        let [one, other] = warm(metals, ends, voltage).conductivities;
        pair_conductivity(one, other)
    }

    /// σ = σ₀T₀/T: ∫dφ/T is an arc, √L (asin((φ − φ*)/√L T_max)) between the ends; for ends alike V σ̄ = 2σ₀T₀√L asin(V/(2√L T_max)).
    #[test]
    fn a_spot_of_copper_has_its_arc() {
        let arc = |[first, second]: [f64; 2], v: f64| {
            let top = contact_temperature(first, second, v);
            let (first, second) = ((first / top).acos(), (second / top).acos());
            5.8e7 * 293.15 * LORENZ_NUMBER.sqrt() * (first + second) / v
        };
        for (ends, v) in
            [([293.15; 2], 0.4), ([293.15; 2], 0.1), ([300.0; 2], 1e-3), ([293.15, 500.0], 0.3), ([700.0, 300.0], 0.5)]
        {
            let found = pair(&[COPPER; 2], ends, v);
            assert!((found / arc(ends, v) - 1.0).abs() < 1e-8, "{ends:?} {v}: {found} {}", arc(ends, v));
        }
        // without a current that at the mean temperature
        let found = pair(&[COPPER; 2], [300.0, 500.0], 0.0);
        assert!((found / (5.8e7 * 293.15 / 400.0) - 1.0).abs() < 1e-12, "{found}");
    }

    /// A metal whose σ does not change conducts as always, and gives half of its heat to each side, whatever stands against it.
    #[test]
    fn constant_conductivities_stay() {
        let metals = [1.0, 30.0].map(|at_reference| Metal { at_reference, reference: 300.0, alpha: 0.0 });
        let found = warm(&metals, [300.0, 600.0], 0.3);
        assert!((found.conductivities[0] - 1.0).abs() < 1e-13 && (found.conductivities[1] - 30.0).abs() < 1e-11);
        assert!((found.to_second - 0.5).abs() < 1e-13, "{}", found.to_second);
    }

    /// Sides may be named in any order.
    #[test]
    fn sides_change_places() {
        let other = Metal { at_reference: 1e6, reference: 400.0, alpha: 1e-3 };
        let one = warm(&[COPPER, other], [300.0, 700.0], 0.3);
        let back = warm(&[other, COPPER], [700.0, 300.0], -0.3);
        assert!((one.conductivities[0] / back.conductivities[1] - 1.0).abs() < 1e-12);
        assert!((one.conductivities[1] / back.conductivities[0] - 1.0).abs() < 1e-12);
        assert!((one.to_second + back.to_second - 1.0).abs() < 1e-12);
    }

    /// Heat and potential in thin slices of the same resistance to heat, k/σ = LT with k constant, by finite differences: both ends' heat and the current.
    #[test]
    fn slices_of_a_spot_carry_the_same_heat() {
        let (ends, v, n) = ([400.0, 900.0], 0.25, 4000_usize);
        let k = LORENZ_NUMBER * COPPER.at_reference * COPPER.reference;
        // T in the middle of slices of equal thickness, found by repeating φ from T and T from the heat of φ
        let mut t: Vec<f64> = (0..n).map(|i| ends[0] + (ends[1] - ends[0]) * (i as f64 + 0.5) / n as f64).collect();
        let (mut current, mut heat) = (0.0, [0.0; 2]);
        for _ in 0..200 {
            let resistance: f64 = t.iter().map(|t| 1.0 / COPPER.conductivity(*t) / n as f64).sum();
            current = v / resistance;
            let made: Vec<f64> = t.iter().map(|t| current * current / COPPER.conductivity(*t) / n as f64).collect();
            // k T' at the first end: the ends' difference and the heat weighed by the way to the other end
            let way = |i: usize| (i as f64 + 0.5) / n as f64;
            let back: f64 = made.iter().enumerate().map(|(i, q)| q * (1.0 - way(i))).sum();
            let mut flow = k * (ends[1] - ends[0]) + back;
            heat = [flow, made.iter().sum::<f64>() - flow];
            let mut at = ends[0];
            for (t, q) in t.iter_mut().zip(&made) {
                let next = at + (flow - 0.5 * q) / k / n as f64;
                *t = 0.5 * (at + next);
                (at, flow) = (next, flow - q);
            }
        }
        let found = warm(&[COPPER; 2], ends, v);
        let [one, other] = found.conductivities;
        assert!(
            (pair_conductivity(one, other) * v / current - 1.0).abs() < 1e-6,
            "{} {current}",
            pair_conductivity(one, other) * v
        );
        let to_second = (heat[1] + k * (ends[1] - ends[0])) / (current * v);
        assert!((found.to_second - to_second).abs() < 1e-6, "{} {to_second}", found.to_second);
        assert!(found.to_second > 0.51, "more of it goes to the warmer body: {}", found.to_second);
    }
}
