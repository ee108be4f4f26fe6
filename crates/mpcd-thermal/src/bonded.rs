//! Bonds that conduct: a conduction law by the area that a bond still holds, in tension as in compression, beside the law of the spot that pushes.

use std::sync::Arc;

use mpcd_core::{
    InputError, Named, NamedLaws, Quantity, Slot,
    quantity::{HeatTransfer, Positive},
};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::law::{ConductionLaw, Grows, Spot};

/// Parameters of [`Bonded`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BondedParams {
    /// Heat transfer coefficient of the bond, over the area that it still holds: its thickness goes into it, k/t.
    pub transfer: Quantity<HeatTransfer, Positive>,
    /// Law of the spot where the surfaces push, beside the bond.
    pub bare: Slot,
}

/// H = h A (1 − x) + H_bare with the area A and the damage x of the bond of the contact law.
#[derive(Debug)]
pub struct Bonded {
    transfer: f64,
    bare: Arc<dyn ConductionLaw>,
}

impl Named<dyn ConductionLaw> for Bonded {
    const NAME: &'static str = "Bonded";
    type Params = BondedParams;

    fn build(p: BondedParams, laws: &NamedLaws<dyn ConductionLaw>) -> Result<Arc<dyn ConductionLaw>, InputError> {
        let bare = laws.build(&p.bare)?;
        if bare.transfer_of_bonds() > 0.0 {
            let error = InputError::new("the spot beside a bond cannot have the law `Bonded` itself");
            return Err(p
                .bare
                .place(error.help("write a law of the spot alone, as Hertz, Insulating or Constant(conductance: …)")));
        }
        Ok(Arc::new(Self { transfer: p.transfer.si(), bare }))
    }
}

impl ConductionLaw for Bonded {
    fn conductance(&self, spot: &Spot) -> Option<f64> {
        self.bare.conductance(spot)
    }
    fn needs_elastic(&self) -> bool {
        self.bare.needs_elastic()
    }
    fn memory(&self) -> Option<&dyn Grows> {
        self.bare.memory()
    }
    fn transfer_of_bonds(&self) -> f64 {
        self.transfer
    }
}
