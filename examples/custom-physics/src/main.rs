//! A physics of your own in one file: wear of grains by Archard's law, V = k F s / H, where F is the normal
//! force of a contact, s the distance slid and H the hardness. Copy this folder to start a module.

use mpcd::prelude::*;

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

fn main() -> std::process::ExitCode {
    mpcd::cli(Registry::standard().with::<Wear>())
}
