//! How unevenly the contacts carry the current: strong and weak paths as numbers. No network, no solver.

/// What the contacts carry together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Paths {
    /// Part of the contacts that carry more than the mean current.
    pub(crate) strong: f64,
    /// Part of the Joule power made in those.
    pub(crate) joule: f64,
    /// Part of the sum of all currents that the strongest tenth of the contacts carries.
    pub(crate) top_tenth: f64,
}

impl Paths {
    /// From current (A) and Joule power (W) of each contact; all NaN where no contact carries a current.
    pub(crate) fn of(contacts: impl Iterator<Item = (f64, f64)>) -> Self {
        let mut all: Vec<(f64, f64)> = contacts.collect();
        let sum = |list: &[(f64, f64)]| list.iter().fold((0.0, 0.0), |s, c| (s.0 + c.0, s.1 + c.1));
        let total = sum(&all);
        if total.0 <= 0.0 {
            return Self { strong: f64::NAN, joule: f64::NAN, top_tenth: f64::NAN };
        }
        #[expect(clippy::cast_precision_loss, reason = "a count")]
        let part_of_all = |count: usize| count as f64 / all.len() as f64;
        // equal currents differ by their rounding
        let mean = total.0 * part_of_all(1) * (1.0 + 1e-9);
        let strong = |c: &&(f64, f64)| c.0 > mean;
        let joule = all.iter().filter(strong).map(|c| c.1).sum::<f64>() / total.1;
        let part = part_of_all(all.iter().filter(strong).count());
        let tenth = all.len().div_ceil(10);
        all.select_nth_unstable_by(tenth - 1, |a, b| b.0.total_cmp(&a.0));
        Self { strong: part, joule, top_tenth: sum(&all[..tenth]).0 / total.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Currents 1, 1, 2, 4 A through 1 S each: the mean is 2 A, so one of four is strong, with 16 of 22 W; the strongest tenth is that
    /// one, with 4 of 8 A.
    #[test]
    fn four_contacts_by_hand() {
        let p = Paths::of([1.0, 4.0, 1.0, 2.0].into_iter().map(|i| (i, i * i)));
        assert!((p.strong - 0.25).abs() < 1e-15 && (p.joule - 16.0 / 22.0).abs() < 1e-15 && (p.top_tenth - 0.5).abs() < 1e-15);
        // a row carries the same everywhere: nothing is strong
        let p = Paths::of((0..20).map(|_| (3.0, 9.0)));
        assert_eq!((p.strong, p.joule), (0.0, 0.0));
        assert!((p.top_tenth - 0.1).abs() < 1e-15);
        assert!(Paths::of([(0.0, 0.0)].into_iter()).strong.is_nan());
    }
}
