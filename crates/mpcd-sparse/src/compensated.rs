//! Vectors of twice the digits, for iterative refinement of solutions whose differences matter. Sums only.

/// Numbers each kept as an unevaluated sum high + low with |low| at most half the last place of high. A difference of two of
/// them is right to full precision even where they nearly cancel.
#[derive(Clone, Debug, Default)]
pub struct Compensated {
    high: Vec<f64>,
    low: Vec<f64>,
}

impl Compensated {
    /// Starts again from plain numbers, in the memory of this one.
    pub fn reset(&mut self, start: impl IntoIterator<Item = f64>) {
        self.high.clear();
        self.high.extend(start);
        self.low.clear();
        self.low.resize(self.high.len(), 0.0);
    }

    /// Adds to each number, keeping what the addition rounds away (Knuth's two-sum).
    ///
    /// # Panics
    /// When there are not as many terms as numbers.
    pub fn add(&mut self, terms: &[f64]) {
        assert_eq!(terms.len(), self.high.len(), "one term for each number");
        for ((high, low), term) in self.high.iter_mut().zip(&mut self.low).zip(terms) {
            (*high, *low) = two_sum(*high, *low + term);
        }
    }

    /// The numbers, rounded.
    pub fn rounded(&self) -> &[f64] {
        &self.high
    }

    /// `offset` + `weight` · (number i − number j), to full precision also where the two parts nearly cancel and the weight is a power
    /// of two.
    pub fn offset_difference(&self, offset: f64, weight: f64, i: usize, j: usize) -> f64 {
        let [sum, more] = self.offset_difference_parts(offset, weight, i, j);
        sum + more
    }

    /// The same as a number and what rounding takes away from it.
    pub fn offset_difference_parts(&self, offset: f64, weight: f64, i: usize, j: usize) -> [f64; 2] {
        let (apart, lost) = two_sum(self.high[i], -self.high[j]);
        let (sum, more) = two_sum(offset, weight * apart);
        [sum, more + weight * (lost + (self.low[i] - self.low[j]))]
    }

    /// Number i minus number j.
    pub fn difference(&self, i: usize, j: usize) -> f64 {
        (self.high[i] - self.high[j]) + (self.low[i] - self.low[j])
    }
}

/// Adds `weight` times a number to another, each with what rounding takes away from it: products are kept whole (fused multiply–add), so that a weighted mean
/// minus another is known to its own digits, however large what is averaged (Ogita, Rump, Oishi 2005, doi:10.1137/030601818).
#[must_use]
pub fn add_product([sum, rest]: [f64; 2], weight: f64, [number, less]: [f64; 2]) -> [f64; 2] {
    let product = weight * number;
    let lost = weight.mul_add(number, -product) + weight * less;
    let (high, low) = two_sum(sum, product);
    let (high, low) = two_sum(high, rest + (low + lost));
    [high, low]
}

/// A sum and what its rounding takes away (Knuth).
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let part = sum - a;
    (sum, (a - (sum - part)) + (b - part))
}
