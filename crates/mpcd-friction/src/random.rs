//! A small seeded generator (SplitMix64), so that a seed gives the same numbers on every machine and version.

/// SplitMix64 (Steele, Lea, Flood 2014).
#[derive(Debug, Clone)]
pub(crate) struct SplitMix {
    state: u64,
}

impl SplitMix {
    pub(crate) const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    pub(crate) const fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A permutation of the slice (Fisher–Yates).
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            // the bias of the remainder is below 2⁻³² for any slice that an index of 32 bits addresses
            let pick = usize::try_from(self.next() % (last as u64 + 1)).unwrap_or(last);
            items.swap(last, pick);
        }
    }
}

#[cfg(test)]
impl SplitMix {
    /// Uniform in [0, 1).
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Uniform in [−1, 1).
    pub(crate) fn signed(&mut self) -> f64 {
        2.0 * self.unit() - 1.0
    }

    /// A rotation matrix, uniform over the group (unit quaternion by rejection).
    pub(crate) fn rotation(&mut self) -> [[f64; 3]; 3] {
        loop {
            let [a, b, c, d]: [f64; 4] = std::array::from_fn(|_| self.signed());
            let square = a * a + b * b + c * c + d * d;
            if !(1e-3..=1.0).contains(&square) {
                continue;
            }
            let s = 2.0 / square;
            return [
                [1.0 - s * (c * c + d * d), s * (b * c - a * d), s * (b * d + a * c)],
                [s * (b * c + a * d), 1.0 - s * (b * b + d * d), s * (c * d - a * b)],
                [s * (b * d - a * c), s * (c * d + a * b), 1.0 - s * (b * b + c * c)],
            ];
        }
    }
}
