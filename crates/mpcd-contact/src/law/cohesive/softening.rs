//! Curves with a strength and an energy per mode: bilinear, exponential, trapezoidal. Damage x is what is lost of the stiffness.

use mpcd_core::{
    InputError, Quantity,
    quantity::{Area, Fraction, Length, NonNegative, Number, Positive, Pressure, SurfaceEnergy},
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Bond, Bonding, BondingParams, FrictionOfDamage, damage::BondStiffness};

/// Parameters of `Bilinear`, `Exponential` and `Trapezoidal`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SofteningParams {
    /// Normal stiffness K_n of the intact bond.
    pub normal_stiffness: Quantity<BondStiffness, Positive>,
    /// Tangential stiffness K_t of the intact bond. Default: K_n.
    #[serde(default)]
    pub tangential_stiffness: Option<Quantity<BondStiffness, Positive>>,
    /// Tensile strength σ.
    pub tensile_strength: Quantity<Pressure, Positive>,
    /// Shear strength τ. Default: σ.
    #[serde(default)]
    pub shear_strength: Option<Quantity<Pressure, Positive>>,
    /// Energy G_I that opens a unit of area.
    pub energy: Quantity<SurfaceEnergy, Positive>,
    /// Energy G_II that shears a unit of area off. Default: G_I.
    #[serde(default)]
    pub shear_energy: Option<Quantity<SurfaceEnergy, Positive>>,
    /// Part of the way from the strength to the end on which the traction stays (`Trapezoidal` alone), 0 to 1. Default ½.
    #[serde(default)]
    pub plateau: Option<Quantity<Number, Fraction>>,
    /// Friction coefficient μ.
    pub friction: Quantity<Number, NonNegative>,
    /// Whether friction grows with damage (default) or stays.
    #[serde(default)]
    pub friction_of_damage: Option<FrictionOfDamage>,
    /// Area of a bond: of a whole face. Default: that of the contact.
    #[serde(default)]
    pub area: Option<Quantity<Area, Positive>>,
    /// Gap up to which bodies are bonded at the start. Default: 1 % of the reduced radius or of the contact's edge.
    #[serde(default)]
    pub bond_distance: Option<Quantity<Length, NonNegative>>,
}

/// What happens after the strength is reached.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Tail {
    /// A plateau over this part of the way, then a line.
    Line {
        plateau: f64,
    },
    Exponential,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Softening {
    stiffness: [f64; 2],
    strength: [f64; 2],
    energy: [f64; 2],
    tail: Tail,
}

/// A curve along one direction of opening.
struct Ray {
    /// Opening at the strength (m).
    onset: f64,
    /// G/T, T being the strength along the ray (m).
    length: f64,
}

impl Softening {
    fn build(p: SofteningParams, tail: Tail) -> Result<(Self, Bonding), InputError> {
        let pair = |n: f64, t: Option<f64>| [n, t.unwrap_or(n)];
        let softening = Self {
            stiffness: pair(p.normal_stiffness.si(), p.tangential_stiffness.map(|k| k.si())),
            strength: pair(p.tensile_strength.si(), p.shear_strength.map(|s| s.si())),
            energy: pair(p.energy.si(), p.shear_energy.map(|g| g.si())),
            tail,
        };
        for (k, key) in ["energy", "shear_energy"].into_iter().enumerate() {
            let least = 0.5 * softening.strength[k].powi(2) / softening.stiffness[k];
            if softening.energy[k] <= least {
                let key = if k == 1 && p.shear_energy.is_none() { "energy" } else { key };
                return Err(InputError::new(format!(
                    "the bond stores {least} J/m² when its strength is reached, and `{key}` is {} J/m²; expected more than it stores",
                    softening.energy[k]
                ))
                .help("raise the energy or the stiffness, or lower the strength")
                .at(key));
            }
        }
        let range = softening.end(&softening.ray([1.0, 0.0])).max(softening.end(&softening.ray([0.0, 1.0])));
        let bonding = BondingParams {
            friction: p.friction,
            friction_of_damage: p.friction_of_damage.unwrap_or(FrictionOfDamage::Grows),
            area: p.area,
            bond_distance: p.bond_distance,
            range: None,
        };
        Ok((softening, bonding.build(range)))
    }

    /// The curve along the direction `c` (unit) of opening. Onset: (T_n/σ)² + (T_t/τ)² = 1; end: G_I/G_Ic + G_II/G_IIc = 1
    /// (Camanho and Dávila 2002 with α = 1).
    fn ray(&self, c: [f64; 2]) -> Ray {
        let [kn, kt] = self.stiffness;
        let onset = 1.0 / (kn * c[0] / self.strength[0]).hypot(kt * c[1] / self.strength[1]);
        let parts = [kn * c[0] * c[0], kt * c[1] * c[1]];
        // G/T with T = k_m δ₀ and G = k_m/(K_n c_n²/G_I + K_t c_t²/G_II)
        Ray { onset, length: 1.0 / (onset * (parts[0] / self.energy[0] + parts[1] / self.energy[1])) }
    }

    /// Opening at which nothing is left; for the exponential tail at which 1e-12 is left.
    fn end(&self, ray: &Ray) -> f64 {
        match self.tail {
            Tail::Line { plateau } => (2.0 * ray.length + plateau * ray.onset) / (1.0 + plateau),
            Tail::Exponential => ray.onset + 28.0 * (ray.length - 0.5 * ray.onset),
        }
    }

    fn stiffness(&self, x: f64) -> [f64; 2] {
        self.stiffness.map(|k| k * (1.0 - x))
    }

    fn demand(&self, opening: [f64; 2]) -> f64 {
        let size = opening[0].hypot(opening[1]);
        if size == 0.0 {
            return 0.0;
        }
        let ray = self.ray(opening.map(|o| o / size));
        if size <= ray.onset {
            return 0.0;
        }
        let end = self.end(&ray);
        if size >= end {
            return 1.0;
        }
        let left = match self.tail {
            Tail::Line { plateau } => {
                let falls = ray.onset + plateau * (end - ray.onset);
                if size <= falls { 1.0 } else { (end - size) / (end - falls) }
            }
            Tail::Exponential => (-(size - ray.onset) / (ray.length - 0.5 * ray.onset)).exp(),
        };
        1.0 - left * ray.onset / size
    }
}

macro_rules! softening_law {
    ($(#[$doc:meta])* $name:ident, |$p:ident| $tail:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub struct $name(Softening);

        impl Bond for $name {
            const NAME: &'static str = stringify!($name);
            type Params = SofteningParams;

            fn build($p: SofteningParams) -> Result<(Self, Bonding), InputError> {
                let tail: Result<Tail, InputError> = $tail;
                let (softening, bonding) = Softening::build($p, tail?)?;
                Ok((Self(softening), bonding))
            }
            fn stiffness(&self, x: f64) -> [f64; 2] {
                self.0.stiffness(x)
            }
            fn demand(&self, opening: [f64; 2], _: f64, _: f64) -> f64 {
                self.0.demand(opening)
            }
        }
    };
}

/// Only the trapezoidal curve has a plateau.
fn without_plateau(p: &SofteningParams, tail: Tail) -> Result<Tail, InputError> {
    if p.plateau.is_none() {
        return Ok(tail);
    }
    Err(InputError::new("`plateau` belongs to `Trapezoidal`").help("remove it, or use `Trapezoidal(…)`").at("plateau"))
}

softening_law! {
    /// Linear up to the strength, linear down to nothing; mixed modes (Camanho and Dávila 2002).
    Bilinear, |p| without_plateau(&p, Tail::Line { plateau: 0.0 })
}

softening_law! {
    /// Linear up to the strength, then exp(−(δ − δ₀)/ℓ) with the given energy in all.
    Exponential, |p| without_plateau(&p, Tail::Exponential)
}

softening_law! {
    /// Linear up to the strength, a plateau, then linear down to nothing.
    Trapezoidal, |p| Ok(Tail::Line { plateau: p.plateau.map_or(0.5, |x| x.si()) })
}
