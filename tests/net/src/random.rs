//! Random numbers of a trial: the same from the same seed, everywhere (SplitMix64; Steele, Lea and Flood 2014, doi:10.1145/2660193.2660195).

use mpcd_core::Vec3;

/// A stream of random numbers.
#[derive(Debug, Clone)]
pub struct Draw(u64);

impl Draw {
    /// The stream of a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03)
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Between `low` and `high`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.bits() >> 11) as f64 / (1_u64 << 53) as f64)
    }

    /// Between `low` and `high`, each decade as likely as another.
    pub fn decades(&mut self, low: f64, high: f64) -> f64 {
        self.between(low.ln(), high.ln()).exp()
    }

    /// A whole number from `low` to `high`, both among them.
    pub fn whole(&mut self, low: usize, high: usize) -> usize {
        low + (self.bits() % (high - low + 1) as u64) as usize
    }

    /// True with this probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.between(0.0, 1.0) < probability
    }

    /// One of these.
    ///
    /// # Panics
    /// Where there are none.
    pub fn of<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.whole(0, choices.len() - 1)].clone()
    }

    /// A direction; in the plane z = 0 where `planar`.
    pub fn direction(&mut self, planar: bool) -> Vec3 {
        loop {
            let z = if planar { 0.0 } else { self.between(-1.0, 1.0) };
            let v = Vec3::new(self.between(-1.0, 1.0), self.between(-1.0, 1.0), z);
            if (0.05..1.0).contains(&v.norm()) {
                return v.normalize();
            }
        }
    }
}
