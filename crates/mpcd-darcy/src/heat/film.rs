//! The film between grains and the pore fluid: how much heat passes per surface and difference of temperature. No grid here.

use crate::fluid::Fluid;

/// The law of the film.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Film {
    /// [`wakao`].
    Wakao,
    /// The same everywhere [W/(m² K)].
    Given(f64),
}

/// Nu = 2 + 1.1 Pr^⅓ Re^0.6 of a packed bed with Re = |q| d ρ/η, q the flux past the grains; measured for 15 < Re < 8500 (Wakao, Kaguei and Funazkri,
/// Chem. Eng. Sci. 34 (1979) 325, doi:10.1016/0009-2509(79)85064-2). Without flow it is the sphere in a fluid at rest.
#[must_use]
pub fn wakao(prandtl: f64, reynolds: f64) -> f64 {
    2.0 + 1.1 * prandtl.cbrt() * reynolds.powf(0.6)
}

impl Film {
    /// h of a grain of `radius` (m) past which `flux` [kg/(m² s)] of a fluid of this conductivity and specific heat goes [W/(m² K)].
    #[must_use]
    pub fn transfer(&self, fluid: &Fluid, conductivity: f64, specific_heat: f64, radius: f64, flux: f64) -> f64 {
        match *self {
            Self::Given(h) => h,
            Self::Wakao => {
                let (prandtl, reynolds) = (fluid.viscosity * specific_heat / conductivity, 2.0 * radius * flux / fluid.viscosity);
                wakao(prandtl, reynolds) * conductivity / (2.0 * radius)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fluid::Compressible;

    /// Beads of 2 mm in water that seeps at 0.05 m/s: Re = 100, Pr = 7, Nu = 2 + 1.1 · 7^⅓ · 100^0.6 = 35.3.
    #[test]
    fn beads_in_water_by_hand() {
        let state = Compressible::Liquid { compressibility: 4.5e-10 };
        let water = Fluid { state, viscosity: 1e-3, density: 1000.0 };
        let h = Film::Wakao.transfer(&water, 0.6, 4200.0, 1e-3, 50.0);
        let by_hand = (2.0 + 1.1 * 1.912_931_182_772_389 * 15.848_931_924_611_133) * 0.6 / 2e-3;
        assert!((h / by_hand - 1.0).abs() < 1e-12, "{h} instead of {by_hand}");
        assert_eq!(Film::Wakao.transfer(&water, 0.6, 4200.0, 1e-3, 0.0), 600.0);
    }
}
