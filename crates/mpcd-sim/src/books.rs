//! The books of a run: what the modules report per step, added up, and how well each book closes.
//! Only sums are kept here; what a line means belongs to the module that reports it.

use mpcd_core::{Balance, Book, Vec3};
use serde::{Deserialize, Serialize};

/// Largest relative imbalance of a step that counts as closed.
pub const CLOSED: f64 = 1e-10;

/// Part of the largest scale so far below which a step is at rest: [`CLOSED`] of it, some hundred roundings, is what sums of what moved before leave.
const RESTS: f64 = 1e-3;

/// A named line of a book.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Its name.
    pub name: String,
    /// Content now, or inflow since the start of the run.
    pub value: Vec3,
}

/// One book over the whole run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Account {
    /// Which book.
    pub book: Book,
    /// Contents now.
    pub stores: Vec<Line>,
    /// Inflows since the start; outflows are negative.
    pub flows: Vec<Line>,
    /// Change of content minus inflows, added up since the start.
    pub remainder: Vec3,
    /// Relative imbalance of the last step.
    pub last: f64,
    /// Largest relative imbalance of any step.
    pub worst: f64,
    /// Step of the largest imbalance.
    pub worst_step: u64,
    /// Largest |remainder since the start| over content plus throughput since the start.
    pub worst_remainder: f64,
    /// Largest scale of any step.
    scale: f64,
    /// Sum of the sizes of all flows.
    throughput: f64,
}

impl Account {
    fn new(book: Book) -> Self {
        Self {
            book,
            stores: Vec::new(),
            flows: Vec::new(),
            remainder: Vec3::zeros(),
            last: 0.0,
            worst: 0.0,
            worst_step: 0,
            worst_remainder: 0.0,
            scale: 0.0,
            throughput: 0.0,
        }
    }

    fn add(&mut self, balance: &Balance, step: u64) {
        for (name, _, after) in &balance.stores {
            line(&mut self.stores, name).value = *after;
        }
        for (name, amount) in &balance.flows {
            line(&mut self.flows, name).value += amount;
            self.throughput += amount.norm();
        }
        self.remainder += balance.remainder();
        self.scale = self.scale.max(balance.scale);
        let imbalance = balance.imbalance_of(balance.scale.max(RESTS * self.scale));
        self.last = self.last.max(imbalance);
        if imbalance > self.worst || imbalance.is_nan() {
            (self.worst, self.worst_step) = (imbalance, step);
        }
        let off = self.relative_remainder().abs();
        // what is no number stays
        if off > self.worst_remainder || off.is_nan() {
            self.worst_remainder = off;
        }
    }

    /// Remainder since the start over content plus throughput since the start, with its sign for a scalar book.
    #[must_use]
    pub fn relative_remainder(&self) -> f64 {
        let size = if self.remainder.yz() == nalgebra::Vector2::zeros() { self.remainder.x } else { self.remainder.norm() };
        if size == 0.0 { 0.0 } else { size / (self.scale + self.throughput).max(f64::MIN_POSITIVE) }
    }

    /// Content of a named line, if the book has it.
    #[must_use]
    pub fn store(&self, name: &str) -> Option<Vec3> {
        self.stores.iter().find(|l| l.name == name).map(|l| l.value)
    }

    /// Inflow of a named line since the start, if the book has it.
    #[must_use]
    pub fn flow(&self, name: &str) -> Option<Vec3> {
        self.flows.iter().find(|l| l.name == name).map(|l| l.value)
    }

    /// What the history and the summary show: energy by its remainder since the start (its steps close only to the order of
    /// the scheme), every other book by the imbalance of a step.
    #[must_use]
    pub fn shown(&self) -> f64 {
        if self.book == Book::Energy { self.relative_remainder() } else { self.last }
    }

    /// The worst of [`Self::shown`] since the start.
    #[must_use]
    pub fn shown_worst(&self) -> f64 {
        if self.book == Book::Energy { self.worst_remainder } else { self.worst }
    }
}

fn line<'a>(lines: &'a mut Vec<Line>, name: &str) -> &'a mut Line {
    let at = lines.iter().position(|l| l.name == name).unwrap_or_else(|| {
        lines.push(Line { name: name.to_owned(), value: Vec3::zeros() });
        lines.len() - 1
    });
    &mut lines[at]
}

/// All books that any module reports.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Books {
    accounts: Vec<Account>,
}

impl Books {
    /// Adds the balances of an accepted step.
    pub fn add<'a>(&mut self, balances: impl Iterator<Item = &'a Balance>, step: u64) {
        self.accounts.iter_mut().for_each(|a| a.last = 0.0);
        for balance in balances {
            let at = self.accounts.iter().position(|a| a.book == balance.book).unwrap_or_else(|| {
                self.accounts.push(Account::new(balance.book));
                self.accounts.len() - 1
            });
            self.accounts[at].add(balance, step);
        }
    }

    /// A book, if a module reports it.
    #[must_use]
    pub fn account(&self, book: Book) -> Option<&Account> {
        self.accounts.iter().find(|a| a.book == book)
    }

    /// Books that should close in every step and did not.
    pub fn warnings(&self) -> Vec<String> {
        let open = Book::ALL
            .iter()
            .filter_map(|b| self.account(*b))
            .filter(|a| a.worst.is_nan() || (a.book != Book::Energy && a.worst > CLOSED));
        open.map(|a| {
            format!(
                "the book of {} does not close: its largest imbalance is {:.2e} of its scale in step {} (expected at most {CLOSED:.0e}); \
                 a tighter tolerance of the module that keeps it usually helps",
                a.book.name(),
                a.worst,
                a.worst_step
            )
        })
        .collect()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    /// A balance that was no number once is none, of energy too.
    #[test]
    fn what_is_no_number_is_told() {
        let mut books = Books::default();
        for (step, leak) in [0.0, f64::NAN, 0.0].into_iter().enumerate() {
            books.add([Balance::new(Book::Energy, 1.0).flow("external", leak)].iter(), step as u64);
        }
        let account = books.account(Book::Energy).unwrap();
        assert!(account.worst.is_nan() && account.worst_remainder.is_nan() && account.worst_step >= 1, "{account:?}");
        assert!(books.warnings()[0].starts_with("the book of energy does not close"), "{:?}", books.warnings());
    }

    /// A step at rest is held against what moved before, one in motion against itself.
    #[test]
    fn a_step_at_rest_is_no_leak() {
        let step = |scale: f64, leak: f64| Balance::new(Book::Momentum, scale).flow("contacts", leak);
        let mut books = Books::default();
        books.add([step(1.0, 0.0)].iter(), 1);
        books.add([step(0.0, 2e-14)].iter(), 2);
        books.add([step(1e-6, 2e-14)].iter(), 3);
        assert!(books.warnings().is_empty(), "{:?}", books.warnings());
        books.add([step(0.0, 1e-12)].iter(), 4);
        assert_eq!(books.warnings().len(), 1);
    }

    #[test]
    fn totals_and_remainders_add_up() {
        let mut books = Books::default();
        let heat = |before: f64, leak: f64| {
            Balance::new(Book::Heat, 10.0).store("bodies", before, before + 3.0).flow("friction", 3.0 - leak)
        };
        books.add([heat(1.0, 0.0)].iter(), 0);
        books.add([heat(4.0, 0.5)].iter(), 1);
        let account = books.account(Book::Heat).unwrap();
        assert_eq!(account.store("bodies").unwrap().x, 7.0);
        assert_eq!(account.flow("friction").unwrap().x, 5.5);
        assert_eq!(account.remainder.x, 0.5);
        assert_eq!((account.last, account.worst, account.worst_step), (0.05, 0.05, 1));
        assert!((account.relative_remainder() - 0.5 / 15.5).abs() < 1e-15);
        assert_eq!(
            books.warnings(),
            [
                "the book of heat does not close: its largest imbalance is 5.00e-2 of its scale in step 1 (expected at most 1e-10); \
              a tighter tolerance of the module that keeps it usually helps"
            ]
        );
        books.add([heat(7.0, 0.0)].iter(), 2);
        assert_eq!(books.account(Book::Heat).unwrap().last, 0.0);
    }

    #[test]
    fn energy_is_shown_by_its_remainder_since_the_start() {
        let mut books = Books::default();
        for step in 0..4 {
            books.add([Balance::new(Book::Energy, 1.0).store("kinetic", 1.0, 0.9)].iter(), step);
        }
        let account = books.account(Book::Energy).unwrap();
        assert!((account.shown() + 0.4).abs() < 1e-15 && (account.shown_worst() - 0.4).abs() < 1e-15);
        assert!(books.warnings().is_empty());
    }
}
