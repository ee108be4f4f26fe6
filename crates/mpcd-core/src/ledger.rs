//! The books: per step and per conserved quantity, what is stored before and after and what flowed in, line by line.
//! Flows are accumulated by the physics itself, never computed as a remainder, so that a book that does not close shows a fault.

use serde::{Deserialize, Serialize};

use crate::math::Vec3;

/// A conserved quantity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Book {
    /// Momentum [N s].
    Momentum,
    /// Mechanical energy (J).
    Energy,
    /// Charge (C).
    Charge,
    /// Electrical energy (J): what the electrodes give is what the contacts turn into heat.
    Electricity,
    /// Heat (J).
    Heat,
    /// Mass (gas) or volume (liquid) of the pore fluid [kg or m³].
    Fluid,
}

impl Book {
    /// All books, in the order of the columns of `history.csv`.
    pub const ALL: [Self; 6] = [Self::Momentum, Self::Energy, Self::Charge, Self::Electricity, Self::Heat, Self::Fluid];

    /// Name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Momentum => "momentum",
            Self::Energy => "energy",
            Self::Charge => "charge",
            Self::Electricity => "electricity",
            Self::Heat => "heat",
            Self::Fluid => "fluid",
        }
    }
}

/// One book over one step. Line names stay the same from step to step.
#[derive(Debug, Clone, PartialEq)]
pub struct Balance {
    /// Which book.
    pub book: Book,
    /// Named contents: (name, before, after). A scalar book uses the first component.
    pub stores: Vec<(&'static str, Vec3, Vec3)>,
    /// Named inflows over the step; outflows are negative.
    pub flows: Vec<(&'static str, Vec3)>,
    /// Size against which the imbalance is judged (content plus throughput), in the book's unit.
    pub scale: f64,
}

impl Balance {
    /// A book without lines; add them with [`Self::store`] and [`Self::flow`].
    #[must_use]
    pub const fn new(book: Book, scale: f64) -> Self {
        Self { book, stores: Vec::new(), flows: Vec::new(), scale }
    }

    /// Adds a scalar content.
    #[must_use]
    pub fn store(self, name: &'static str, before: f64, after: f64) -> Self {
        self.store_vector(name, Vec3::x() * before, Vec3::x() * after)
    }

    /// Adds a scalar inflow.
    #[must_use]
    pub fn flow(self, name: &'static str, amount: f64) -> Self {
        self.flow_vector(name, Vec3::x() * amount)
    }

    /// Adds a vector content.
    #[must_use]
    pub fn store_vector(mut self, name: &'static str, before: Vec3, after: Vec3) -> Self {
        self.stores.push((name, before, after));
        self
    }

    /// Adds a vector inflow.
    #[must_use]
    pub fn flow_vector(mut self, name: &'static str, amount: Vec3) -> Self {
        self.flows.push((name, amount));
        self
    }

    /// Change of content minus inflows: what the book does not explain.
    #[must_use]
    pub fn remainder(&self) -> Vec3 {
        let change: Vec3 = self.stores.iter().map(|(_, before, after)| after - before).sum();
        let inflow: Vec3 = self.flows.iter().map(|(_, amount)| amount).sum();
        change - inflow
    }

    /// Size of the remainder over the book's scale; 0 for an empty book.
    #[must_use]
    pub fn imbalance(&self) -> f64 {
        self.imbalance_of(self.scale)
    }

    /// The same over another scale.
    #[must_use]
    pub fn imbalance_of(&self, scale: f64) -> f64 {
        let remainder = self.remainder().norm();
        if remainder == 0.0 { 0.0 } else { remainder / scale.max(f64::MIN_POSITIVE) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_book_closes_or_shows_what_is_missing() {
        let book = Balance::new(Book::Heat, 10.0).store("bodies", 1.0, 4.0).flow("friction", 2.0).flow("boundary", 1.0);
        assert_eq!(book.imbalance(), 0.0);
        let open = book.flow("leak", -0.5);
        assert!((open.imbalance() - 0.05).abs() < 1e-15);
    }
}
