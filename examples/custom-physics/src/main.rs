//! A physics of your own in one file: wear of grains by Archard's law, V = k F s / H, where F is the normal
//! force of a contact, s the distance slid and H the hardness; and a law of your own for the physics that ship: the conductance of a
//! carbon brush. Copy this folder to start a module.

use std::sync::Arc;

use mpcd::{conductance::Spot, prelude::*};

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
            let slid = step.h * contact.u.y.hypot(contact.u.z);
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

fn main() -> std::process::ExitCode {
    mpcd::cli(Registry::standard().with::<Wear>().with_conductance::<Brush>())
}
