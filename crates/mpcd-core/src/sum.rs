//! Sums of many terms, right to the last digit. One number at a time; vectors of such sums are in the sparse algebra.

/// A running sum that keeps what each addition rounds away (Neumaier 1974): the total is right to about one unit in its last
/// place however many terms there are, so that differences of large totals can be told from rounding.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Sum {
    high: f64,
    low: f64,
}

impl Sum {
    /// Adds a term.
    pub fn add(&mut self, term: f64) {
        let sum = self.high + term;
        self.low += if self.high.abs() >= term.abs() { (self.high - sum) + term } else { (term - sum) + self.high };
        self.high = sum;
    }

    /// The total.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.high + self.low
    }
}

#[cfg(test)]
mod tests {
    use super::Sum;

    /// 10⁵ terms of 0.1 beside a large one that is taken away again: plain addition loses seven digits.
    #[test]
    fn nothing_is_lost_beside_a_large_term() {
        let terms = || std::iter::once(1e9).chain(std::iter::repeat_n(0.1, 100_000)).chain(std::iter::once(-1e9));
        let mut sum = Sum::default();
        terms().for_each(|t| sum.add(t));
        assert!((sum.total() - 1e4).abs() < 1e-11, "{}", sum.total());
        assert!((terms().sum::<f64>() - 1e4).abs() > 1e-5, "a plain sum is as good: the test shows nothing");
    }
}
