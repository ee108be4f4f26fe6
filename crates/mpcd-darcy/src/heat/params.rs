//! `heat: (…)` of `Darcy` as a model file writes it, and what it means. Checks that need the model are here; no stepping.

use mpcd_core::{
    InputError, TimeFunction,
    quantity::{HeatConductivity, HeatTransfer, Length, NonNegative, Positive, Quantity, SpecificHeat, Temperature, UpperHalf},
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::film::Film;
use crate::{
    ends::{EndLaw, FACE_KEYS},
    fluid::{Compressible, Fluid},
    params::DarcyParams,
    step::{Form, Scheme},
};

/// Heat that the pore fluid stores, carries, conducts and exchanges with the grains.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HeatParams {
    /// Specific heat, of a gas that at constant pressure [J/(kg K)]. Default: 4182 in a liquid (water), 1005 in a gas (air).
    #[serde(default)]
    pub specific_heat: Option<Quantity<SpecificHeat, Positive>>,
    /// Heat conductivity of the fluid itself [W/(m K)]; a face conducts by its pores. Default: 0.6 in a liquid (water), 0.026 in a gas (air).
    #[serde(default)]
    pub conductivity: Option<Quantity<HeatConductivity, NonNegative>>,
    /// Length of dispersion along the flow (m): the fluid conducts ρ c |q| times this more. Default: 0.
    #[serde(default)]
    pub dispersion: Option<Quantity<Length, NonNegative>>,
    /// Film between grains and fluid. Default: Wakao.
    #[serde(default)]
    pub exchange: ExchangeParams,
    /// Temperature of the fluid at the start (K). Default: 293.15 K in a liquid, the reference temperature of a gas.
    #[serde(default)]
    pub temperature: Option<Quantity<Temperature, Positive>>,
    /// Temperature at the ends of the grid (K) in time: of the fluid that enters, and of walls, which then conduct. Default: fluid enters as warm as it was at the
    /// start, walls let no heat through.
    #[serde(default)]
    pub ends: HeatEndsParams,
    /// Weight of the end of the step: 1 is implicit Euler, 0.5 the trapezoidal rule. Default: 1.
    #[serde(default)]
    pub theta: Option<Quantity<mpcd_core::quantity::Number, UpperHalf>>,
}

/// Specific heat of a gas at constant pressure over p/(ρT) from which on it is one; of real gases it is 5/2 at least.
const LEAST: f64 = 1.25;

/// Film between grains and fluid.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
pub enum ExchangeParams {
    /// Nu = 2 + 1.1 Pr^⅓ Re^0.6 of a packed bed.
    #[default]
    Wakao,
    /// The same heat transfer coefficient everywhere [W/(m² K)].
    Given(Quantity<HeatTransfer, NonNegative>),
    /// Nothing passes.
    Insulating,
}

/// Temperature at each end of the grid (K) in time. z ends exist in space only.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HeatEndsParams {
    /// At the lowest x.
    #[serde(default)]
    pub x_min: Option<TimeFunction>,
    /// At the highest x.
    #[serde(default)]
    pub x_max: Option<TimeFunction>,
    /// At the lowest y.
    #[serde(default)]
    pub y_min: Option<TimeFunction>,
    /// At the highest y.
    #[serde(default)]
    pub y_max: Option<TimeFunction>,
    /// At the lowest z.
    #[serde(default)]
    pub z_min: Option<TimeFunction>,
    /// At the highest z.
    #[serde(default)]
    pub z_max: Option<TimeFunction>,
}

/// What `heat` means.
#[derive(Debug, Clone)]
pub(crate) struct HeatLaw {
    pub(crate) specific_heat: f64,
    pub(crate) conductivity: f64,
    pub(crate) dispersion: f64,
    pub(crate) film: Option<Film>,
    /// Temperature at the start (K), over which rises count.
    pub(crate) start: f64,
    pub(crate) ends: [[Option<TimeFunction>; 2]; 3],
    pub(crate) theta: f64,
}

/// The law of the parameters.
///
/// # Errors
/// What the rest of the model does not go with.
pub(crate) fn read(
    params: &DarcyParams,
    fluid: &Fluid,
    scheme: &Scheme,
    ends: &[[EndLaw; 2]; 3],
    planar: bool,
) -> Result<Option<HeatLaw>, InputError> {
    let Some(heat) = &params.heat else { return Ok(None) };
    let refuse = |words: &str, help: &str| Err(InputError::new(words.to_owned()).help(help.to_owned()).at("heat"));
    if scheme.form == Form::Source {
        return refuse(
            "`form: Source` loses mass, so that there is no telling where heat is carried",
            "leave `form` out of `scheme`, or remove `heat`",
        );
    }
    if params.biot.is_some() {
        return refuse("`heat` does not know fluid that grains which yield take up (`biot`)", "remove `biot`, or `heat`");
    }
    let (specific_heat, conductivity, start) = match fluid.state {
        Compressible::Gas { reference_temperature, .. } => (1005.0, 0.026, reference_temperature),
        Compressible::Liquid { .. } => (4182.0, 0.6, 293.15),
    };
    let specific_heat = heat.specific_heat.map_or(specific_heat, |c| c.si());
    if let Compressible::Gas { reference_pressure, reference_temperature, .. } = fluid.state {
        let constant = reference_pressure / (fluid.density * reference_temperature);
        if specific_heat < LEAST * constant {
            return Err(InputError::new(format!(
                "the specific heat {specific_heat} J/(kg K) at constant pressure is no gas's whose pressure over density and temperature is {constant:.4} J/(kg K): \
                 it must be above {LEAST} times that, or its heat at constant volume is next to nothing or negative"
            ))
            .help("give `density`, `reference_pressure` and `reference_temperature` of the gas whose specific heat this is")
            .at("heat"));
        }
    }
    let conductivity = heat.conductivity.map_or(conductivity, |k| k.si());
    let film = match heat.exchange {
        ExchangeParams::Wakao => Some(Film::Wakao),
        ExchangeParams::Given(h) => Some(Film::Given(h.si())),
        ExchangeParams::Insulating => None,
    };
    if film == Some(Film::Wakao) && conductivity == 0.0 {
        return refuse(
            "Wakao's film goes by the conductivity of the fluid, which is 0",
            "give `conductivity`, or `exchange: Given(\"… W/(m^2 K)\")`",
        );
    }
    let e = &heat.ends;
    let given = [[&e.x_min, &e.x_max], [&e.y_min, &e.y_max], [&e.z_min, &e.z_max]];
    for (axis, (pair, laws)) in given.iter().zip(ends).enumerate() {
        for side in 0..2 {
            let key = FACE_KEYS[axis][side];
            let at = |words: String, help: &str| Err(InputError::new(words).help(help.to_owned()).at(key));
            if pair[side].is_none() {
                continue;
            }
            if planar && axis == 2 {
                return at("a planar model has no z ends".to_owned(), "remove `z_min` and `z_max` of `heat`");
            }
            if matches!(laws[side], EndLaw::Periodic) {
                return at(format!("`{key}` is Periodic, where no temperature can be given"), "remove it from `ends` of `heat`");
            }
        }
    }
    Ok(Some(HeatLaw {
        specific_heat,
        conductivity,
        dispersion: heat.dispersion.map_or(0.0, |d| d.si()),
        film,
        start: heat.temperature.map_or(start, |t| t.si()),
        ends: given.map(|pair| pair.map(Clone::clone)),
        theta: heat.theta.map_or(1.0, |t| t.si()),
    }))
}
