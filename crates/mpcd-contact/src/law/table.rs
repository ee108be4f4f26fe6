//! Which law acts between which groups: complete and free of conflict before the run.

use std::sync::Arc;

use mpcd_core::{GroupId, InputError, Setup, setup::Interaction};

use super::{Law, Laws};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cell {
    Unset,
    NoContact,
    Law(u16),
}

/// The laws of a model, and for each pair of groups the one that acts.
#[derive(Debug)]
pub struct LawTable<L: ?Sized = dyn Law> {
    laws: Vec<Arc<L>>,
    cells: Vec<Cell>,
    groups: usize,
}

impl<L: ?Sized> Clone for LawTable<L> {
    fn clone(&self) -> Self {
        Self { laws: self.laws.clone(), cells: self.cells.clone(), groups: self.groups }
    }
}

/// Name of non-smooth contact dynamics in a model file.
pub(crate) const NON_SMOOTH: &str = "Contact";
/// Name of smooth contact.
pub(crate) const SMOOTH: &str = "SmoothContact";

/// The method whose laws are asked for, and the laws of the other one: asked for by mistake, they are named.
pub(crate) struct Method {
    /// Module of the laws asked for.
    pub(crate) name: &'static str,
    /// Module of the others.
    pub(crate) other: &'static str,
    /// Names of its laws.
    pub(crate) other_laws: Vec<&'static str>,
    /// A law to propose, as written.
    pub(crate) example: &'static str,
}

impl Method {
    fn refuse_foreign(
        &self,
        setup: &Setup,
        interaction: &Interaction,
        mut mine: impl Iterator<Item = &'static str> + Clone,
    ) -> Result<(), InputError> {
        let law = interaction.law.name();
        if mine.clone().any(|n| n == law) || !self.other_laws.contains(&law) {
            return Ok(());
        }
        let (a, b) = interaction.groups;
        let (name, other) = (self.name, self.other);
        let known: Vec<String> = mine.by_ref().map(|n| format!("`{n}`")).collect();
        Err(InputError::new(format!(
            "groups \"{}\" and \"{}\" have the law `{law}`, which belongs to `{other}`, but `{name}` moves the bodies; expected a law of `{name}`",
            setup.groups.name(a.index()),
            setup.groups.name(b.index())
        ))
        .help(format!("write one of {}, or put {other}() in the place of {name}() in `physics`", known.join(", ")))
        .within(&interaction.law))
    }
}

/// How many more pairs without a law are named.
const LISTED: usize = 8;

impl<L: ?Sized> LawTable<L> {
    /// Reads the interactions of a set-up. `can_meet` tells whether bodies of two groups can move towards each other.
    ///
    /// # Errors
    /// Unknown laws, two laws for one pair, or a pair that can meet and has none; each names both groups.
    pub(crate) fn build(
        setup: &Setup,
        registry: &Laws<L>,
        method: &Method,
        can_meet: impl Fn(GroupId, GroupId) -> bool,
    ) -> Result<Self, InputError> {
        let groups = setup.groups.len();
        let mut table = Self { laws: Vec::new(), cells: vec![Cell::Unset; groups * groups], groups };
        for interaction in &setup.interactions {
            let (a, b) = interaction.groups;
            if table.cell(a, b) != Cell::Unset {
                return Err(InputError::new(format!(
                    "groups \"{}\" and \"{}\" have two laws; expected one law for each pair of groups",
                    setup.groups.name(a.index()),
                    setup.groups.name(b.index())
                ))
                .help("remove one of the two interactions")
                .within(&interaction.law));
            }
            method.refuse_foreign(setup, interaction, registry.names())?;
            let cell = match registry.build(&interaction.law)? {
                None => Cell::NoContact,
                Some(law) => {
                    let index = u16::try_from(table.laws.len())
                        .map_err(|_| InputError::new("more than 65,535 interactions").help("join groups that share a law"))?;
                    table.laws.push(law);
                    Cell::Law(index)
                }
            };
            for (i, j) in [(a, b), (b, a)] {
                table.cells[i.index() * groups + j.index()] = cell;
            }
        }
        table.check_complete(setup, method, can_meet)?;
        Ok(table)
    }

    fn check_complete(
        &self,
        setup: &Setup,
        method: &Method,
        can_meet: impl Fn(GroupId, GroupId) -> bool,
    ) -> Result<(), InputError> {
        let pairs = (0..self.groups).flat_map(|i| (i..self.groups).map(move |j| (i, j)));
        let lacks = |&(i, j): &(usize, usize)| {
            let (a, b) = (GroupId::from_index(i), GroupId::from_index(j));
            self.cell(a, b) == Cell::Unset && can_meet(a, b)
        };
        let missing: Vec<(&str, &str)> = pairs.filter(lacks).map(|(i, j)| (setup.groups.name(i), setup.groups.name(j))).collect();
        let Some((a, b)) = missing.first() else { return Ok(()) };
        let mut help = format!(
            "add (between: (\"{a}\", \"{b}\"), law: {}), or law: NoContact if they pass through each other",
            method.example
        );
        let others: Vec<String> = missing.iter().skip(1).take(LISTED).map(|(a, b)| format!("(\"{a}\", \"{b}\")")).collect();
        if !others.is_empty() {
            let more =
                (missing.len() - 1).checked_sub(LISTED).filter(|n| *n > 0).map_or_else(String::new, |n| format!(" and {n} more"));
            help += &format!("; the same goes for {}{more}", others.join(", "));
        }
        let error =
            InputError::new(format!("groups \"{a}\" and \"{b}\" can meet but have no law; expected one in `interactions`"));
        // The last law is where the missing one would be written.
        let error = error.help(help);
        match setup.interactions.last() {
            Some(last) => Err(error.within(&last.law)),
            None => Err(error),
        }
    }

    fn cell(&self, a: GroupId, b: GroupId) -> Cell {
        self.cells[a.index() * self.groups + b.index()]
    }

    /// Index of the law between two groups, if they interact.
    #[must_use]
    pub fn between(&self, a: GroupId, b: GroupId) -> Option<u16> {
        match self.cell(a, b) {
            Cell::Law(index) => Some(index),
            Cell::Unset | Cell::NoContact => None,
        }
    }

    /// The law at `index`.
    #[must_use]
    pub fn law(&self, index: u16) -> &L {
        &self.laws[usize::from(index)]
    }
}

impl LawTable {
    /// Refuses laws that have no meaning on the displacement of a step.
    ///
    /// # Errors
    /// The first such law, at its place, with both groups.
    pub(crate) fn check_displacements(&self, setup: &Setup) -> Result<(), InputError> {
        let refused =
            |i: &Interaction| self.between(i.groups.0, i.groups.1).and_then(|law| self.law(law).on_displacements().err());
        let Some((interaction, why)) = setup.interactions.iter().find_map(|i| refused(i).map(|why| (i, why))) else {
            return Ok(());
        };
        let (a, b) = interaction.groups;
        Err(InputError::new(format!(
            "groups \"{}\" and \"{}\" have the law `{}`, which {why}; `scheme: Explicit` expects laws that can be put on the displacement of a step",
            setup.groups.name(a.index()),
            setup.groups.name(b.index()),
            interaction.law.name()
        ))
        .help("write a law without impacts, as Coulomb(friction: 0.3), or Contact(scheme: MoreauJean)")
        .within(&interaction.law))
    }

    /// The largest gap (m) at which any law keeps a contact.
    pub(crate) fn reach(&self) -> f64 {
        self.laws.iter().filter_map(|law| law.reach()).map(|law| law.reach()).fold(0.0, f64::max)
    }

    /// Whether any law has the property asked for.
    pub(crate) fn any(&self, property: impl Fn(&dyn Law) -> bool) -> bool {
        self.laws.iter().any(|law| property(&**law))
    }
}
