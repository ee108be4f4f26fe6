//! Parameters of `Thermal(…)` in a model file. Reading only; what they mean is in the other rooms.

use mpcd_core::{
    Between, Quantity, Slot, TimeFunction,
    quantity::{Fraction, HeatTransfer, NonNegative, Number, Positive, Temperature, UpperHalf},
};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::gas::GasGap;

/// Temperatures of the bodies: m c dT/dt = conduction through contacts + heat made there + boundary, one temperature per body and one per node of a
/// mesh, through whose elements heat is conducted.
///
/// A body takes part when its material has a `thermal` part and it has a mass. Bodies without are insulated. A boundary
/// without mass (a plane) takes part only when a `Temperature` boundary holds it; otherwise it is insulated too.
///
/// Numbers: `temperature_min`, `temperature_mean` (weighed by heat capacity), `temperature_max` (K), `heat_stored` over the start (J),
/// `heat_made` in contacts and by sources (W), `heat_time` that heat has come to (s), and for each group with a boundary condition
/// `heat_in_GROUP`, the power that its conditions give to the bodies that store heat, positive when they heat them (W).
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// Conductance of a contact between all groups that `laws` does not name: Constant(conductance), Hertz (or BatchelorOBrien),
    /// PressurePower(coefficient, reference, exponent), Insulating, or a law of your own.
    pub law: Slot,
    /// Other laws between pairs of groups: (between: (group, group), law).
    #[serde(default)]
    pub laws: Vec<Between>,
    /// Gas that conducts across gaps within the alert distance and beside contact spots: (conductivity, jump_distance). Default: none.
    #[serde(default)]
    pub gas: Option<GasGap>,
    /// Temperature of all bodies at the start, but for those in `initial`. A body has its size at the temperature that it itself starts from, and swells by what it is warmer than that. Default: 293.15 K.
    #[serde(default)]
    pub temperature: Option<Quantity<Temperature, NonNegative>>,
    /// Groups that start at another temperature.
    #[serde(default)]
    pub initial: Vec<InitialTemperature>,
    /// Boundary conditions: Temperature, Power, Flux, Convection, Radiation.
    #[serde(default)]
    pub boundary: Vec<BoundaryChoice>,
    /// Which effects are coupled in. Default: all.
    #[serde(default)]
    pub coupling: Coupling,
    /// Exchange of radiation between neighbours within the alert distance, by the `emissivity` of their materials. Default: false.
    #[serde(default)]
    pub radiation: bool,
    /// Exchange of heat with the pore fluid, whose `heat` in `Darcy` says how; `Darcy` then stands before `Thermal`. Default: false.
    #[serde(default)]
    pub pore_fluid: bool,
    /// Time of heat over time of the mechanics: with 3.6e6 a step of 1 ms is an hour of heat. Boundaries, currents and sources
    /// act over, and are functions of, the time of heat; friction and impacts give the heat of their step as it is. Default: 1.
    #[serde(default)]
    pub time_scale: Option<Quantity<Number, Positive>>,
    /// Steps of the mechanics to one in which temperatures move, over the time of all of them: in between the mechanics come to rest.
    /// What is made in between waits. Default: 1.
    #[serde(default)]
    pub every: Option<u32>,
    /// Weight of the end of the step: 1 is implicit Euler, 0.5 the trapezoidal rule. Default: 1.
    #[serde(default)]
    pub theta: Option<Quantity<Number, UpperHalf>>,
    /// "cholesky", "cg" or "auto" (which of the two counts fewer operations; each goes on where the other cannot). Default: "auto".
    #[serde(default = "auto")]
    pub solver: String,
    /// Bound on Σ_bodies |heat unbalanced| over content plus throughput. Default: 1e-12.
    #[serde(default)]
    pub tolerance: Option<Quantity<Number, Positive>>,
    /// Most Newton steps (radiation) or iterations of "cg". Default: 100000.
    #[serde(default)]
    pub max_iterations: Option<u64>,
}

/// A group that starts at another temperature.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InitialTemperature {
    /// The group.
    pub group: String,
    /// Its temperature at the start.
    pub temperature: Quantity<Temperature, NonNegative>,
}

/// Effects that couple heat with the other physics. Switching one off gives the course's serial treatment of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Coupling {
    /// Heat made by sliding. Default: true.
    pub friction: bool,
    /// Heat made by impacts. Default: true.
    pub impact: bool,
    /// Heat made by the current through contacts. Default: true.
    pub joule: bool,
    /// Bodies swell with their temperature, meshes by the strain of their nodes. Default: true.
    pub dilatation: bool,
}

impl Default for Coupling {
    fn default() -> Self {
        Self { friction: true, impact: true, joule: true, dilatation: true }
    }
}

/// A boundary condition on a group.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub enum BoundaryChoice {
    /// Holds the bodies of a group, or the nodes of a part of their meshes, at a temperature.
    Temperature(Value),
    /// A power (W) given to the group in all, spread evenly over the outer surface of its bodies.
    Power(Value),
    /// A power per outer surface (W/m²).
    Flux(Value),
    /// Exchange with a fluid at the outer surface.
    Convection(Convection),
    /// Exchange of radiation with surroundings at the outer surface.
    Radiation(Emission),
}

/// A group and a function of time.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Value {
    /// The group, or a part of the meshes of its bodies, as in "group.side".
    pub group: String,
    /// Value in time: K, W or W/m².
    pub value: TimeFunction,
}

/// h A (T∞ − T) on the outer surface at the present size of a body.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Convection {
    /// The group, or a part of the meshes of its bodies, as in "group.side".
    pub group: String,
    /// Heat transfer coefficient.
    pub coefficient: Quantity<HeatTransfer, NonNegative>,
    /// Temperature of the fluid in time (K).
    pub ambient: TimeFunction,
}

/// ε σ A (T∞⁴ − T⁴) on the outer surface at the present size of a body.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Emission {
    /// The group, or a part of the meshes of its bodies, as in "group.side".
    pub group: String,
    /// Emissivity, 0 … 1.
    pub emissivity: Quantity<Number, Fraction>,
    /// Temperature of the surroundings in time (K).
    pub ambient: TimeFunction,
}

fn auto() -> String {
    "auto".to_owned()
}
