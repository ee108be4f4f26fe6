//! Necks that conduct: the disc that sintering made between two grains, where it is wider than the spot of the law beside it. How necks grow
//! is said by who writes the field `neck` (heat, by its law `Sinter`).

use std::sync::Arc;

use mpcd_core::{InputError, Named, NamedLaws, Slot};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{ConductanceLaw, Needs, Spot};

/// Parameters of [`Neck`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NeckParams {
    /// Law of the spot before there is a neck: any law that remembers nothing.
    pub bare: Slot,
}

/// The greater of C_bare and 2 σ x, the constriction of a neck of radius x. Flat contacts and lines keep their bare law.
#[derive(Debug)]
pub struct Neck {
    bare: Arc<dyn ConductanceLaw>,
}

impl Named<dyn ConductanceLaw> for Neck {
    const NAME: &'static str = "Neck";
    type Params = NeckParams;

    fn build(p: NeckParams, laws: &NamedLaws<dyn ConductanceLaw>) -> Result<Arc<dyn ConductanceLaw>, InputError> {
        let bare = laws.build(&p.bare)?;
        let fault = if bare.memory().is_some() {
            Some(("remembers something itself", "write a law of the spot alone, as Hertz or Holm(hardness: …)"))
        } else if bare.conductance_of_bonds() > 0.0 {
            Some(("conducts where nothing pushes", "write it the other way round: Bonded(conductance: …, bare: Neck(…))"))
        } else if bare.follows_necks() {
            Some(("follows necks itself", "write a law of the spot alone, as Hertz or Holm(hardness: …)"))
        } else {
            None
        };
        let Some((why, help)) = fault else { return Ok(Arc::new(Self { bare })) };
        let error = InputError::new(format!("the spot before a neck cannot have the law `{}`, which {why}", p.bare.name()));
        Err(p.bare.place(error.help(help)))
    }
}

impl ConductanceLaw for Neck {
    fn conductance(&self, spot: &Spot) -> Option<f64> {
        self.bare.conductance(spot)
    }
    fn needs(&self) -> Needs {
        Needs { conductivity: true, ..self.bare.needs() }
    }
    fn follows_necks(&self) -> bool {
        true
    }
}
