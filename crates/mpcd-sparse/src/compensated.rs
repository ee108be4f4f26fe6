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
            let small = *low + term;
            let sum = *high + small;
            let part = sum - *high;
            (*high, *low) = (sum, (*high - (sum - part)) + (small - part));
        }
    }

    /// The numbers, rounded.
    pub fn rounded(&self) -> &[f64] {
        &self.high
    }

    /// Number i minus number j.
    pub fn difference(&self, i: usize, j: usize) -> f64 {
        (self.high[i] - self.high[j]) + (self.low[i] - self.low[j])
    }
}
