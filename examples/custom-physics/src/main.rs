//! A physics of your own in one file: wear of grains by Archard's law, V = k F s / H, where F is the normal
//! force of a contact, s the distance slid and H the hardness; and laws of your own for the physics that ship: the conductance of a
//! carbon brush, and the stress of a mortar that is damaged. Copy this folder to start a module.

use std::sync::Arc;

use mpcd::{
    conductance::Spot,
    prelude::*,
    solid::{Isotropic, LinearElastic, Material, MaterialError, Response, Strain, Voigt},
};

/// Wear by Archard's law: the volume that sliding contacts take off each body.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct WearParams {
    /// Archard's coefficient k.
    coefficient: Quantity<quantity::Number, quantity::NonNegative>,
    /// Hardness H of the softer body.
    hardness: Quantity<quantity::Pressure, quantity::Positive>,
}

struct Wear {
    volume_per_work: f64,
}

/// The checkpoint of this module: volume worn off each body since the start (m³).
#[derive(Clone, Serialize, Deserialize)]
struct WearState {
    volume: Vec<f64>,
}

const WEAR: WritePort<Scalar, PerBody> = WritePort::new("wear_volume", Unit::VOLUME);

impl Physics for Wear {
    const NAME: &'static str = "Wear";
    type Params = WearParams;
    type State = WearState;

    fn build(p: WearParams, _: &Setup) -> Result<Self, InputError> {
        Ok(Self { volume_per_work: p.coefficient.si() / p.hardness.si() })
    }

    fn initial_state(&self, setup: &Setup) -> WearState {
        WearState { volume: vec![0.0; setup.bodies.len()] }
    }

    fn ports(&self) -> Vec<Port> {
        vec![WEAR.into()]
    }

    fn advance(
        &mut self,
        step: &Step,
        _: &WearState,
        next: &mut WearState,
        inputs: &Inputs<'_>,
        outputs: &mut Outputs,
    ) -> Result<SolveReport, SolveError> {
        for contact in inputs.world.network.iter() {
            // The mean of the step, by which friction does its work.
            let u = (contact.u_before + contact.u) * 0.5;
            let slid = step.h * u.y.hypot(u.z);
            let volume = self.volume_per_work * contact.normal_force(step.h) * slid;
            let (i, j) = contact.bodies();
            for body in [i, j] {
                next.volume[body.index()] += 0.5 * volume;
            }
        }
        outputs.write(WEAR)?.copy_from_slice(&next.volume);
        Ok(SolveReport::direct())
    }
}

/// A conductance law of your own: a carbon brush, whose spots are all in touch once it is pressed with a force F₀, C = C₀ F/(F + F₀).
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Brush {
    /// Conductance C₀ under a large force.
    conductance: Quantity<quantity::Conductance, quantity::Positive>,
    /// Force F₀ under which it is half of that.
    half_at: Quantity<quantity::Force, quantity::Positive>,
}

impl ConductanceLaw for Brush {
    fn conductance(&self, spot: &Spot) -> Option<f64> {
        Some(self.conductance.si() * spot.force / (spot.force + self.half_at.si()))
    }
}

impl Named<dyn ConductanceLaw> for Brush {
    const NAME: &'static str = "Brush";
    type Params = Self;

    fn build(law: Self, _: &NamedLaws<dyn ConductanceLaw>) -> Result<Arc<dyn ConductanceLaw>, InputError> {
        Ok(Arc::new(law))
    }
}

/// A law of stress and strain of your own: mortar whose damage d keeps the stored energy w at its limit, σ = (1 − d) D ε with 1 − d = √(w₀/w) of the
/// largest w = ½ ε D ε so far. Its history variable is that w.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Mortar {
    /// Energy w₀ per volume (J/m³) from which on it is damaged.
    limit: Quantity<quantity::Pressure, quantity::Positive>,
}

#[derive(Debug)]
struct MortarPoint {
    elastic: LinearElastic,
    limit: f64,
}

impl SolidLaw for Mortar {
    fn material(&self, elastic: Isotropic) -> Result<Arc<dyn Material>, MaterialError> {
        Ok(Arc::new(MortarPoint { elastic: LinearElastic(elastic), limit: self.limit.si() }))
    }
}

impl Named<dyn SolidLaw> for Mortar {
    const NAME: &'static str = "Mortar";
    type Params = Self;

    fn build(law: Self, _: &NamedLaws<dyn SolidLaw>) -> Result<Arc<dyn SolidLaw>, InputError> {
        Ok(Arc::new(law))
    }
}

impl Material for MortarPoint {
    fn strain(&self) -> Strain {
        Strain::Small
    }

    fn history_len(&self) -> usize {
        1
    }

    fn respond(&self, strain: &Voigt, old: &[f64], new: &mut [f64]) -> Result<Response, MaterialError> {
        let whole = self.elastic.respond(strain, &[], &mut [])?;
        let before = old[0].max(self.limit);
        let now = before.max(whole.energy);
        new[0] = now;
        let left = |w: f64| (self.limit / w).sqrt();
        let mut tangent = whole.tangent * left(now);
        if now > before {
            tangent -= whole.stress * whole.stress.transpose() * (0.5 * left(now) / now);
        }
        let energy = left(now) * whole.energy;
        Ok(Response { stress: whole.stress * left(now), tangent, energy, dissipated: (left(before) - left(now)) * now })
    }
}

fn main() -> std::process::ExitCode {
    mpcd::cli(Registry::standard().with::<Wear>().with_conductance::<Brush>().with_solid_law::<Mortar>())
}
