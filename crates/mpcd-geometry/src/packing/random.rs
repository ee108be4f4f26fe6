//! A small seeded generator of random numbers. Our own, so that a model's seed means the same packing for ever.

use std::f64::consts::TAU;

use mpcd_core::{Dimension, Quat, Vec3};

/// SplitMix64 (Steele, Lea and Flood 2014, doi:10.1145/2660193.2660195): 64 bits of state, passes BigCrush, any seed is good.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Random(u64);

impl Random {
    /// A generator that starts from `seed`.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 random bits.
    pub const fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// The next number in [0, 1): a multiple of 2⁻⁵³.
    #[allow(clippy::cast_precision_loss, reason = "53 bits fit the mantissa")]
    pub const fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// The next number in [`from`, `to`).
    pub const fn within(&mut self, from: f64, to: f64) -> f64 {
        from + self.unit() * (to - from)
    }

    /// The next rotation, all alike likely: about z in a planar model (Shoemake 1992, doi:10.1016/B978-0-08-050755-2.50036-1).
    pub fn rotation(&mut self, dimension: Dimension) -> Quat {
        if dimension == Dimension::Planar {
            return Quat::from_axis_angle(&Vec3::z_axis(), self.within(0.0, TAU));
        }
        let (u, a, b) = (self.unit(), self.within(0.0, TAU), self.within(0.0, TAU));
        let (p, q) = ((1.0 - u).sqrt(), u.sqrt());
        Quat::from_quaternion(nalgebra::Quaternion::new(q * b.cos(), p * a.sin(), p * a.cos(), q * b.sin()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// First outputs of the reference implementation (prng.di.unimi.it/splitmix64.c) for seed 1234567.
    #[test]
    fn the_stream_is_splitmix64() {
        let mut random = Random::new(1_234_567);
        let first = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!(first.map(|_: u64| random.next_u64()), first);
    }

    #[test]
    fn numbers_are_uniform() {
        let mut random = Random::new(7);
        let n = 100_000;
        let draws: Vec<f64> = (0..n).map(|_| random.within(-1.0, 3.0)).collect();
        let mean = draws.iter().sum::<f64>() / f64::from(n);
        let variance = draws.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / f64::from(n);
        assert!((mean - 1.0).abs() < 0.02 && (variance - 16.0 / 12.0).abs() < 0.02, "{mean} {variance}");
        assert!(draws.iter().all(|d| (-1.0..3.0).contains(d)));
    }
}
