//! Which law of a module acts between which groups: one for all pairs, others for the pairs that the model names. No law lives here.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::{
    ids::{BodyId, GroupId},
    input::{InputError, Slot},
    named::NamedLaws,
    setup::Setup,
};

/// A law between two groups, as written in the parameters of a module.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Between {
    /// The two groups (may be the same).
    pub between: (String, String),
    /// The law between them.
    pub law: Slot,
}

/// The laws of a model, and for each pair of groups the one that acts.
pub struct PairLaws<L: ?Sized + 'static> {
    laws: Vec<Arc<L>>,
    /// Number of the law of each pair of groups, row by row.
    cells: Vec<usize>,
    groups: usize,
}

impl<L: ?Sized> std::fmt::Debug for PairLaws<L> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PairLaws").field("laws", &self.laws.len()).field("cells", &self.cells).finish()
    }
}

impl<L: ?Sized> PairLaws<L> {
    /// Reads `all`, the law of every pair that `pairs` does not name.
    ///
    /// # Errors
    /// Unknown laws and groups, wrong parameters, two laws for one pair.
    pub fn read(setup: &Setup, known: &NamedLaws<L>, all: &Slot, pairs: &[Between]) -> Result<Self, InputError> {
        let groups = setup.groups.len();
        let mut out = Self { laws: vec![known.build(all)?], cells: vec![0; groups * groups], groups };
        for Between { between: (a, b), law } in pairs {
            let (i, j) = (setup.group(a)?, setup.group(b)?);
            if out.place(i, j) != 0 {
                let error =
                    InputError::new(format!("groups \"{a}\" and \"{b}\" have two {}s; expected one for each pair", known.kind()));
                return Err(law.place(error.help("remove one of the two entries of `laws`")));
            }
            let number = out.laws.len();
            out.laws.push(known.build(law)?);
            out.cells[i.index() * groups + j.index()] = number;
            out.cells[j.index() * groups + i.index()] = number;
        }
        Ok(out)
    }

    fn place(&self, a: GroupId, b: GroupId) -> usize {
        self.cells[a.index() * self.groups + b.index()]
    }

    /// The law between two bodies.
    #[must_use]
    pub fn between(&self, setup: &Setup, a: BodyId, b: BodyId) -> &L {
        let group = |body: BodyId| setup.bodies.group[body.index()];
        &self.laws[self.place(group(a), group(b))]
    }

    /// All laws: first that of the pairs that are not named.
    pub fn iter(&self) -> impl Iterator<Item = &L> {
        self.laws.iter().map(|law| &**law)
    }
}
