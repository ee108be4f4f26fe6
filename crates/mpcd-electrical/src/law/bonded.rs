//! Bonds that conduct: a conductance by the area that a bond still holds, in tension as in compression, beside the law of the spot that pushes.

use std::sync::Arc;

use mpcd_core::{
    InputError, Named, NamedLaws, Quantity, Slot,
    quantity::{ConductancePerArea, Positive},
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{ConductanceLaw, Needs, Remembers, Spot};

/// Parameters of [`Bonded`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BondedParams {
    /// Conductance of the bond over the area that it still holds: its thickness goes into it, σ/t.
    pub conductance: Quantity<ConductancePerArea, Positive>,
    /// Law of the spot where the surfaces push, beside the bond.
    pub bare: Slot,
}

/// C_m = c A (1 − x) + C_bare with the area A and the damage x of the bond of the contact law.
#[derive(Debug)]
pub struct Bonded {
    conductance: f64,
    bare: Arc<dyn ConductanceLaw>,
}

impl Named<dyn ConductanceLaw> for Bonded {
    const NAME: &'static str = "Bonded";
    type Params = BondedParams;

    fn build(p: BondedParams, laws: &NamedLaws<dyn ConductanceLaw>) -> Result<Arc<dyn ConductanceLaw>, InputError> {
        let bare = laws.build(&p.bare)?;
        if bare.conductance_of_bonds() > 0.0 {
            let error = InputError::new("the spot beside a bond cannot have the law `Bonded` itself");
            return Err(p.bare.place(error.help("write a law of the spot alone, as Hertz, Oxide(…) or Insulating")));
        }
        Ok(Arc::new(Self { conductance: p.conductance.si(), bare }))
    }
}

impl ConductanceLaw for Bonded {
    fn conductance(&self, spot: &Spot) -> Option<f64> {
        self.bare.conductance(spot)
    }
    fn needs(&self) -> Needs {
        self.bare.needs()
    }
    fn memory(&self) -> Option<&dyn Remembers> {
        self.bare.memory()
    }
    fn follows_necks(&self) -> bool {
        self.bare.follows_necks()
    }
    fn conductance_of_bonds(&self) -> f64 {
        self.conductance
    }
}
