//! The two fluids, gas and nearly incompressible liquid, as one law. No grid here, and no temperature but what it does to a gas.
//!
//! Both are written with the *content*: fluid per pore volume, in volume at reference density.
//! - Gas, P absolute: content P/P₀. Darcy carries content × κ/η ∇P = κ/η ∇(P²/2P₀). Where the mean free path is not small beside
//!   the pores the gas slips along the grains and κ is κ (1 + b/P) (Klinkenberg 1941): κ/η ∇((P²/2 + bP)/P₀).
//! - Gas at another temperature T: its content is P/P₀ · T₀/T, which [`crate::warmth`] puts into the pores and the permeability. Its mean free path is
//!   λ = η/P √(πRT/2M), so that b ∝ λP grows as T^(m + ½), and free molecules flow as D_K/T ∝ T^−½ (Knudsen).
//! - Liquid, p the excess over hydrostatic: content 1 + c_f p. Darcy carries κ/η ∇p (the factor 1 + c_f p is dropped).
//!
//! So mass is ρ₀ × content × pore volume for both, and conservation reads, with T the flux φū (total minus solid) and w the
//! potential, ∂(φ C)/∂t + ∇·(C φū) = ∇·(κ/η ∇w). For the gas this is PHYSICS' form ∂(φP)/∂t + ∇·(φPū) = ∇·(P κ/η ∇P)
//! over P₀; it equals the course's φ(∂P/∂t + ū·∇P) = ∇·(P κ/η ∇P) − P ∇·ū because ∂φ/∂t = ∇·((1−φ)ū). For the liquid it is
//! φ c_f (∂p/∂t + ū·∇p) = ∇·(κ/η ∇p) − (1 + c_f p) ∇·ū: the linear law φ c_f ∂p/∂t = ∇·(κ/η ∇p) − ∇·ū with the two terms of
//! relative size c_f p that make it conserve mass and carry the pressure along with a moving bed.

/// What the pores hold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Compressible {
    /// A perfect gas; the unknown is the absolute pressure.
    Gas {
        /// Pressure at which it has its density (Pa).
        reference_pressure: f64,
        /// Temperature at which it has its density and its viscosity (K).
        reference_temperature: f64,
        /// Exponent m of its viscosity η ∝ T^m (1).
        thickening: f64,
        /// Pressure b below which it slips along the grains more than it flows, at the reference temperature (Pa), 0 where it never does.
        slip: f64,
    },
    /// A liquid; the unknown is the excess over hydrostatic pressure.
    Liquid {
        /// Compressibility [1/Pa].
        compressibility: f64,
    },
}

/// A fluid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fluid {
    /// Its law of state.
    pub state: Compressible,
    /// Viscosity [Pa s].
    pub viscosity: f64,
    /// Density at the reference state [kg/m³].
    pub density: f64,
}

impl Fluid {
    /// Content at zero pressure: 0 for a gas, 1 for a liquid.
    #[must_use]
    pub const fn content_at_zero(&self) -> f64 {
        match self.state {
            Compressible::Gas { .. } => 0.0,
            Compressible::Liquid { .. } => 1.0,
        }
    }

    /// Derivative of the content by the pressure [1/Pa].
    #[must_use]
    pub const fn content_slope(&self) -> f64 {
        match self.state {
            Compressible::Gas { reference_pressure, .. } => 1.0 / reference_pressure,
            Compressible::Liquid { compressibility } => compressibility,
        }
    }

    /// Fluid per pore volume, in volume at reference density (1).
    #[must_use]
    pub const fn content(&self, pressure: f64) -> f64 {
        self.content_at_zero() + self.content_slope() * pressure
    }

    /// The potential w whose gradient Darcy's law carries content along (Pa).
    #[must_use]
    pub const fn potential(&self, pressure: f64) -> f64 {
        match self.state {
            Compressible::Gas { reference_pressure, slip, .. } => (0.5 * pressure + slip) * pressure / reference_pressure,
            Compressible::Liquid { .. } => pressure,
        }
    }

    /// dw/dp.
    #[must_use]
    pub const fn potential_slope(&self, pressure: f64) -> f64 {
        match self.state {
            Compressible::Gas { reference_pressure, slip, .. } => (pressure + slip) / reference_pressure,
            Compressible::Liquid { .. } => 1.0,
        }
    }

    /// The pressure at a potential; `None` where no gas pressure has it.
    #[must_use]
    pub fn pressure_at(&self, potential: f64) -> Option<f64> {
        match self.state {
            Compressible::Gas { reference_pressure, slip, .. } => (potential > 0.0).then(|| {
                let twice = 2.0 * reference_pressure * potential;
                // −b + √(b² + 2P₀w) without its cancellation
                twice / (slip + (slip * slip + twice).sqrt())
            }),
            Compressible::Liquid { .. } => Some(potential),
        }
    }

    /// Whether the pressure is one this fluid can have: finite, and above zero in a gas.
    #[must_use]
    pub const fn allows(&self, pressure: f64) -> bool {
        pressure.is_finite() && (pressure > 0.0 || matches!(self.state, Compressible::Liquid { .. }))
    }

    /// What a volume at temperature T (K) holds of the fluid, over what it holds at the reference temperature (1): T₀/T in a gas.
    #[must_use]
    pub fn thinning(&self, temperature: f64) -> f64 {
        match self.state {
            Compressible::Gas { reference_temperature, .. } => reference_temperature / temperature,
            Compressible::Liquid { .. } => 1.0,
        }
    }

    /// Viscosity at the reference temperature over that at temperature T (1): (T₀/T)^m in a gas.
    #[must_use]
    pub fn fluidity(&self, temperature: f64) -> f64 {
        match self.state {
            Compressible::Gas { reference_temperature, thickening, .. } => (reference_temperature / temperature).powf(thickening),
            Compressible::Liquid { .. } => 1.0,
        }
    }

    /// Klinkenberg's pressure at temperature T (K) over that at the reference temperature (1): (T/T₀)^(m + ½) in a gas.
    #[must_use]
    pub fn slippage(&self, temperature: f64) -> f64 {
        match self.state {
            Compressible::Gas { reference_temperature, thickening, .. } => {
                (temperature / reference_temperature).powf(thickening + 0.5)
            }
            Compressible::Liquid { .. } => 1.0,
        }
    }

    /// The same fluid with so many times its slip.
    #[must_use]
    pub const fn slipping(mut self, times: f64) -> Self {
        if let Compressible::Gas { slip, .. } = &mut self.state {
            *slip *= times;
        }
        self
    }

    /// Whether it slips along the grains.
    #[must_use]
    pub const fn slips(&self) -> bool {
        matches!(self.state, Compressible::Gas { slip, .. } if slip > 0.0)
    }

    /// Whether it is a gas.
    #[must_use]
    pub const fn is_gas(&self) -> bool {
        matches!(self.state, Compressible::Gas { .. })
    }
}
