//! Real roots of small polynomials on a half line, by the roots of their derivatives; no mechanics.
//!
//! Between two neighbouring roots of p' the polynomial p is monotone, so a sign change there brackets exactly one root.

/// At most three ascending points in `(0, end)` between which the quartic `Σ c_k x^k` is monotone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Splits {
    points: [f64; 3],
    count: usize,
}

impl Splits {
    pub(super) fn as_slice(&self) -> &[f64] {
        &self.points[..self.count]
    }

    fn push(&mut self, x: f64, end: f64) {
        if x > 0.0 && x < end && self.count < 3 {
            self.points[self.count] = x;
            self.count += 1;
        }
    }
}

/// Stationary points of the quartic with coefficients `c` (ascending powers) in `(0, end)`.
pub(super) fn stationary_points_of_quartic(c: &[f64; 5], end: f64) -> Splits {
    let cubic = [c[1], 2.0 * c[2], 3.0 * c[3], 4.0 * c[4]];
    let quadratic = [cubic[1], 2.0 * cubic[2], 3.0 * cubic[3]];
    let mut splits = Splits { points: [0.0; 3], count: 0 };
    for x in quadratic_roots(&quadratic) {
        splits.push(x, end);
    }
    let inner = splits;
    splits.count = 0;
    let mut low = 0.0;
    for high in inner.as_slice().iter().copied().chain([end]) {
        if let Some(x) = bisect(|x| evaluate(&cubic, x), low, high) {
            splits.push(x, end);
        }
        low = high;
    }
    splits
}

fn evaluate(c: &[f64; 4], x: f64) -> f64 {
    ((c[3] * x + c[2]) * x + c[1]) * x + c[0]
}

/// Ascending real roots of a quadratic (ascending powers); NaN where there is none.
fn quadratic_roots(c: &[f64; 3]) -> [f64; 2] {
    let half = 0.5 * c[1];
    let discriminant = half * half - c[0] * c[2];
    if discriminant < 0.0 || discriminant.is_nan() {
        return [f64::NAN; 2];
    }
    let sum = -(half + discriminant.sqrt().copysign(half));
    let (x, y) = (sum / c[2], c[0] / sum);
    if x < y { [x, y] } else { [y, x] }
}

/// A sign change of `f` in `[low, high]`, to a relative width that is enough for splitting.
fn bisect(f: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> Option<f64> {
    let sign = f(low).signum();
    if f(high).signum() == sign {
        return None;
    }
    for _ in 0..64 {
        let middle = 0.5 * (low + high);
        if !(middle > low && middle < high) || high - low < 1e-13 * high {
            break;
        }
        if f(middle).signum() == sign {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(0.5 * (low + high))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_stationary_points_are_found_in_order() {
        // p' = 4 (x − 1)(x − 2)(x − 3) = 4x³ − 24x² + 44x − 24
        let splits = stationary_points_of_quartic(&[5.0, -24.0, 22.0, -8.0, 1.0], 10.0);
        assert_eq!(splits.as_slice().len(), 3);
        for (x, y) in splits.as_slice().iter().zip([1.0, 2.0, 3.0]) {
            assert!((x - y).abs() < 1e-9, "{x} {y}");
        }
        let fewer = stationary_points_of_quartic(&[5.0, -24.0, 22.0, -8.0, 1.0], 2.5);
        assert_eq!(fewer.as_slice().len(), 2);
    }

    #[test]
    fn degenerate_leading_coefficients_do_no_harm() {
        let splits = stationary_points_of_quartic(&[1.0, -2.0, 1.0, 0.0, 0.0], 10.0);
        assert_eq!(splits.as_slice().len(), 1);
        assert!((splits.as_slice()[0] - 1.0).abs() < 1e-9);
    }
}
