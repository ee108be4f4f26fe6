//! Laws of sizes: how large the bodies of a packing are.

use mpcd_core::{
    Dimension, Quantity,
    quantity::{Fraction, Length, NonNegative, Number, Positive},
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{PackingError, Random};

/// How large the bodies are.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub enum SizeLaw {
    /// All alike.
    Fixed {
        /// Radius.
        radius: Quantity<Length, Positive>,
    },
    /// Radii evenly spread by number.
    Uniform {
        /// Smallest radius.
        min: Quantity<Length, Positive>,
        /// Largest radius.
        max: Quantity<Length, Positive>,
    },
    /// Number of bodies per radius ∝ radius^−exponent between two radii. The volume is evenly spread over the radii with
    /// exponent 3 in space, 2 in a planar model.
    Power {
        /// Smallest radius.
        min: Quantity<Length, Positive>,
        /// Largest radius.
        max: Quantity<Length, Positive>,
        /// Exponent.
        exponent: Quantity<Number>,
    },
    /// A few radii, each with its share of the number of bodies.
    Table {
        /// Radii and shares; the shares need not add up to 1.
        sizes: Vec<SizeShare>,
    },
    /// A grading curve: how much of the solid volume (in a planar model: area) is in bodies up to a radius. Between two points
    /// the volume is evenly spread over the radii.
    Grading {
        /// Points with rising radii and rising parts, from a part of 0 to a part of 1.
        points: Vec<GradingPoint>,
    },
}

/// A point of a grading curve.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GradingPoint {
    /// Radius.
    pub radius: Quantity<Length, Positive>,
    /// Part of the solid volume in bodies up to this radius.
    pub passing: Quantity<Number, Fraction>,
}

/// A radius and how many bodies have it.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SizeShare {
    /// Radius.
    pub radius: Quantity<Length, Positive>,
    /// Share of the number of bodies.
    pub share: Quantity<Number, NonNegative>,
}

impl SizeLaw {
    /// Checks that the law gives a size.
    ///
    /// # Errors
    /// A smallest radius above the largest, or a table without a share.
    pub fn check(&self) -> Result<(), PackingError> {
        match self {
            Self::Uniform { min, max } | Self::Power { min, max, .. } if min.si() > max.si() => {
                Err(PackingError::SizeLaw("has a `min` above its `max`; exchange them"))
            }
            Self::Table { sizes } if sizes.iter().all(|s| s.share.si() == 0.0) => {
                Err(PackingError::SizeLaw("is a table without a share above zero; add (radius: …, share: …)"))
            }
            Self::Grading { points } => {
                let rising =
                    points.windows(2).all(|p| p[0].radius.si() < p[1].radius.si() && p[0].passing.si() <= p[1].passing.si());
                let ends = points.first().zip(points.last()).map(|(a, b)| (a.passing.si(), b.passing.si()));
                if rising && ends == Some((0.0, 1.0)) {
                    Ok(())
                } else {
                    Err(PackingError::SizeLaw(
                        "is a grading that does not rise from `passing: 0` to `passing: 1` with rising radii; expected such a curve",
                    ))
                }
            }
            _ => Ok(()),
        }
    }

    /// The largest radius the law can give (m).
    #[must_use]
    pub fn largest(&self) -> f64 {
        match self {
            Self::Fixed { radius } => radius.si(),
            Self::Uniform { max, .. } | Self::Power { max, .. } => max.si(),
            Self::Table { sizes } => sizes.iter().filter(|s| s.share.si() > 0.0).map(|s| s.radius.si()).fold(0.0, f64::max),
            Self::Grading { points } => points.last().map_or(0.0, |p| p.radius.si()),
        }
    }

    /// The next radius (m). Takes one random number, whatever the law.
    #[must_use]
    pub fn draw(&self, dimension: Dimension, random: &mut Random) -> f64 {
        let u = random.unit();
        match self {
            Self::Grading { points } => graded(points, if dimension == Dimension::Planar { 2.0 } else { 3.0 }, u),
            Self::Fixed { radius } => radius.si(),
            Self::Uniform { min, max } => min.si() + u * (max.si() - min.si()),
            Self::Power { min, max, exponent } => power(min.si(), max.si(), exponent.si(), u),
            Self::Table { sizes } => {
                let mut left = u * sizes.iter().map(|s| s.share.si()).sum::<f64>();
                let mut last = 0.0;
                for size in sizes.iter().filter(|s| s.share.si() > 0.0) {
                    last = size.radius.si();
                    left -= size.share.si();
                    if left < 0.0 {
                        break;
                    }
                }
                last
            }
        }
    }
}

/// Inverse of the distribution function by number of a grading: within an interval the number per radius is ∝ r^−d, and the
/// interval's number is its volume over the mean of r^d there.
fn graded(points: &[GradingPoint], d: f64, u: f64) -> f64 {
    let intervals = || points.windows(2).map(|p| (p[0].radius.si(), p[1].radius.si(), p[1].passing.si() - p[0].passing.si()));
    // ∫ r^−d over the interval per unit of its width: the number of bodies that a unit of volume makes.
    let number = |(a, b, volume): (f64, f64, f64)| volume * (a.powf(1.0 - d) - b.powf(1.0 - d)) / ((d - 1.0) * (b - a));
    let mut left = u * intervals().map(number).sum::<f64>();
    let mut last = points.last().map_or(0.0, |p| p.radius.si());
    for interval in intervals().filter(|i| i.2 > 0.0) {
        let here = number(interval);
        last = interval.1;
        if left < here {
            return power(interval.0, interval.1, d, left / here);
        }
        left -= here;
    }
    last
}

/// Inverse of the distribution function of a density ∝ r^−e on [min, max].
fn power(min: f64, max: f64, e: f64, u: f64) -> f64 {
    let k = 1.0 - e;
    let ratio = max / min;
    let radius =
        if k.abs() * ratio.ln() < 1e-9 { min * ratio.powf(u) } else { min * (1.0 + u * (ratio.powf(k) - 1.0)).powf(1.0 / k) };
    radius.clamp(min, max)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use mpcd_core::Fragment;

    fn law(text: &str) -> SizeLaw {
        Fragment::whole(text).parse().unwrap()
    }

    fn draws(text: &str) -> Vec<f64> {
        let (law, mut random) = (law(text), Random::new(11));
        (0..20_000).map(|_| law.draw(Dimension::Spatial, &mut random)).collect()
    }

    #[test]
    fn means_are_those_of_the_densities() {
        let mean = |d: &[f64]| d.iter().sum::<f64>() / 20_000.0;
        assert!((mean(&draws("Uniform(min: 1, max: 3)")) - 2.0).abs() < 0.015);
        // ∫ r·r⁻³ / ∫ r⁻³ on [1, 2] = (1/2) / (3/8) = 4/3; of r⁻¹: 1/ln 2.
        assert!((mean(&draws("Power(min: 1, max: 2, exponent: 3)")) - 4.0 / 3.0).abs() < 0.006);
        assert!((mean(&draws("Power(min: 1, max: 2, exponent: 1)")) - 1.0 / 2f64.ln()).abs() < 0.006);
        assert_eq!(draws("Fixed(radius: \"2 mm\")")[5], 2e-3);
        let table = draws("Table(sizes: [(radius: 1, share: 3), (radius: 9, share: 0), (radius: 2, share: 1)])");
        assert!((mean(&table) - 1.25).abs() < 0.01 && table.iter().all(|r| *r < 3.0));
    }

    /// A tenth of the volume up to 1.5, the rest evenly up to 3; every radius weighs r³.
    #[test]
    fn a_grading_gives_the_volumes_of_its_curve() {
        let text = "Grading(points: [(radius: 1, passing: 0), (radius: 1.5, passing: 0.1), (radius: 3, passing: 1)])";
        let (law, mut random) = (law(text), Random::new(11));
        let radii: Vec<f64> = (0..400_000).map(|_| law.draw(Dimension::Spatial, &mut random)).collect();
        let volume = |limit: f64| radii.iter().filter(|r| **r <= limit).map(|r| r.powi(3)).sum::<f64>() / volume_of(&radii);
        for (limit, want) in [(1.25, 0.05), (1.5, 0.1), (2.25, 0.55), (3.0, 1.0)] {
            assert!((volume(limit) - want).abs() < 0.004, "{limit}: {} for {want}", volume(limit));
        }
    }

    fn volume_of(radii: &[f64]) -> f64 {
        radii.iter().map(|r| r.powi(3)).sum()
    }

    #[test]
    fn impossible_laws_are_refused() {
        assert!(law("Uniform(min: 2, max: 1)").check().unwrap_err().to_string().contains("`min` above its `max`"));
        assert!(law("Table(sizes: [])").check().unwrap_err().to_string().contains("without a share"));
        assert_eq!(law("Table(sizes: [(radius: 1, share: 1), (radius: 9, share: 0)])").largest(), 1.0);
        let falling = law("Grading(points: [(radius: 2, passing: 0), (radius: 1, passing: 1)])");
        assert!(falling.check().unwrap_err().to_string().contains("rising radii"));
        assert!(Fragment::whole("Uniform(min: 1, max: 2, mean: 1)").parse::<SizeLaw>().is_err());
    }
}
