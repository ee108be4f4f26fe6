//! Shape functions at the points of the rules, computed once per kind and purpose for the whole program.

use std::sync::LazyLock;

use super::{Cell, Purpose, Rule, Shape};

/// A rule with the shape functions at its points.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) rule: Rule,
    pub(crate) shapes: Vec<Shape>,
}

static TABLES: LazyLock<Vec<[Table; 2]>> = LazyLock::new(|| {
    let make = |cell, purpose| {
        let rule = Rule::of(cell, purpose);
        let shapes = rule.points.iter().map(|&p| Shape::at(cell, p)).collect();
        Table { rule, shapes }
    };
    Cell::ALL.into_iter().map(|cell| [make(cell, Purpose::Stress), make(cell, Purpose::Mass)]).collect()
});

pub(crate) fn table(cell: Cell, purpose: Purpose) -> &'static Table {
    let [stress, mass] = &TABLES[cell as usize];
    match purpose {
        Purpose::Stress => stress,
        Purpose::Mass => mass,
    }
}
