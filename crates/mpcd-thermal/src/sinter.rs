//! Necks that grow between hot grains: a conduction law with memory.
//!
//! The neck of two spheres grows as x^n = K t, n = 2 by viscous flow (Frenkel 1945), 5 by diffusion in the volume, 7 along the surface
//! (Kuczynski 1949), with K = K₀ e^(−T_a/T). What is remembered is x^n, which grows evenly at one temperature, whatever the steps. The
//! neck has the constriction 2 k x of a disc, and conducts where it is wider than the spot of the bare law.

use std::sync::Arc;

use mpcd_core::{
    InputError, Named, NamedLaws, Quantity, Slot,
    hertz::constriction_conductance,
    network::ContactGeometry,
    quantity::{NonNegative, Number, Positive, Temperature},
};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::law::{ConductionLaw, Grows, Spot};

/// Parameters of [`Sinter`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SinterParams {
    /// Law of the spot before there is a neck: any law that remembers nothing.
    pub bare: Slot,
    /// K₀ of K = K₀ e^(−T_a/T) (m^n/s).
    pub rate: Quantity<Number, NonNegative>,
    /// Exponent n of x^n = K t. Default: 5.
    #[serde(default)]
    pub exponent: Option<Quantity<Number, Positive>>,
    /// Activation temperature T_a, the activation energy over the gas constant. Default: 0 K.
    #[serde(default)]
    pub activation: Option<Quantity<Temperature, NonNegative>>,
    /// Widest neck over the reduced radius of the two surfaces. Default: 0.6.
    #[serde(default)]
    pub widest: Option<Quantity<Number, Positive>>,
}

/// A neck that grows with time and temperature. Flat contacts and lines keep their bare law. A contact that ceases to push breaks its neck.
#[derive(Debug)]
pub struct Sinter {
    bare: Arc<dyn ConductionLaw>,
    rate: f64,
    exponent: f64,
    activation: f64,
    widest: f64,
}

impl Named<dyn ConductionLaw> for Sinter {
    const NAME: &'static str = "Sinter";
    type Params = SinterParams;

    fn build(p: SinterParams, laws: &NamedLaws<dyn ConductionLaw>) -> Result<Arc<dyn ConductionLaw>, InputError> {
        let bare = laws.build(&p.bare)?;
        if bare.memory().is_some() {
            let error = InputError::new(format!(
                "the spot before a neck cannot have the law `{}`, which remembers something itself",
                p.bare.name()
            ));
            return Err(p.bare.place(error.help("write a law of the spot alone, as Hertz or Constant(conductance: …)")));
        }
        if bare.transfer_of_bonds() > 0.0 {
            let error =
                InputError::new("the spot before a neck cannot have the law `Bonded`, which conducts where nothing pushes");
            return Err(p.bare.place(error.help("write it the other way round: Bonded(transfer: …, bare: Sinter(…))")));
        }
        let exponent = p.exponent.map_or(5.0, |n| n.si());
        if exponent < 1.0 {
            let error = InputError::new(format!("the exponent of a neck is {exponent}; expected 1 or above in x^n = K t"));
            return Err(error
                .help("write 2 for viscous flow, 5 for diffusion in the volume, 7 along the surface")
                .at("exponent"));
        }
        let activation = p.activation.map_or(0.0, |t| t.si());
        Ok(Arc::new(Self { bare, rate: p.rate.si(), exponent, activation, widest: p.widest.map_or(0.6, |w| w.si()) }))
    }
}

impl ConductionLaw for Sinter {
    fn conductance(&self, spot: &Spot) -> Option<f64> {
        self.bare.conductance(spot)
    }
    fn needs_elastic(&self) -> bool {
        self.bare.needs_elastic()
    }
    fn memory(&self) -> Option<&dyn Grows> {
        Some(self)
    }
}

impl Grows for Sinter {
    fn start(&self) -> f64 {
        0.0
    }

    fn needs_points(&self) -> bool {
        true
    }

    fn grow(&self, memory: f64, spot: &Spot, time: f64, temperature: f64) -> f64 {
        let ContactGeometry::Point { reduced_radius, .. } = spot.geometry else { return memory };
        // at 0 K nothing grows
        let speed = if self.activation > 0.0 { (-self.activation / temperature).exp() } else { 1.0 };
        (memory + self.rate * speed * time).min((self.widest * reduced_radius).powf(self.exponent))
    }

    fn neck(&self, memory: f64) -> f64 {
        memory.powf(self.exponent.recip())
    }

    fn conductance(&self, spot: &Spot, memory: f64) -> Option<f64> {
        let neck = constriction_conductance(&spot.geometry, self.neck(memory), spot.conductivity);
        let bare = self.bare.conductance(spot)?;
        Some(if matches!(spot.geometry, ContactGeometry::Point { .. }) { bare.max(neck) } else { bare })
    }
}
