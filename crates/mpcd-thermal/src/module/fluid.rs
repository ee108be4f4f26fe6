//! Heat from the pore fluid: what the thermal module tells of the bodies and takes of the fluid. How much passes is computed by the module of the fluid.

use mpcd_core::{InputError, Outputs, PerBody, PortMisuse, ReadPort, Scalar, Unit, WritePort, field::names};

use super::{State, Thermal};
use crate::network::Node;

/// What the pore fluid gives to the bodies, which it computes from their temperatures and capacities at the start of the step.
pub(super) const FLUID_HEAT: ReadPort<Scalar, PerBody> =
    ReadPort::fresh(names::FLUID_HEAT, Unit::POWER).made_by("`Darcy(heat: (…), …)` before `Thermal` in `physics`");
pub(super) const HEAT_CAPACITY: WritePort<Scalar, PerBody> = WritePort::new(names::HEAT_CAPACITY, Unit::HEAT_CAPACITY);

/// Heat of the pore fluid has the time of the mechanics.
pub(super) fn refuse_another_time(pore_fluid: bool, time_scale: f64, every: u32) -> Result<(), InputError> {
    let key = match (time_scale == 1.0, every <= 1) {
        _ if !pore_fluid => return Ok(()),
        (true, true) => return Ok(()),
        (false, _) => "time_scale",
        (true, false) => "every",
    };
    Err(InputError::new(format!(
        "the pore fluid flows in the time of the mechanics and answers to the grains in every step, but `{key}` gives heat another time"
    ))
    .help(format!("remove `{key}`, or `pore_fluid: true`"))
    .at(key))
}

impl Thermal {
    /// What each body stores, by which the pore fluid knows how its temperature will answer.
    pub(super) fn write_capacities(&self, state: &State, outputs: &mut Outputs) -> Result<(), PortMisuse> {
        // a mesh has many temperatures and is no grain
        let lump = |body: &usize| self.meshes.end_of(*body) == *body;
        for (body, c) in outputs.write(HEAT_CAPACITY)?.iter_mut().enumerate().filter(|(body, _)| lump(body)) {
            *c = match self.network.nodes[body] {
                Node::Free { .. } => self.network.capacity(body, state.rise[body]).unwrap_or(0.0),
                Node::Held => -1.0,
                Node::Absent => 0.0,
            };
        }
        Ok(())
    }
}
