//! Impact in two phases: compression, then a restitution whose impulse (Poisson) or energy (Stronge) is a share of the compression's.
//! The laws, and the local problem of the second phase; how the phases follow each other is in [`crate::phases`].

use mpcd_core::{
    InputError, Mat3, Quantity, Vec3,
    quantity::{Fraction, NonNegative, Number, Speed},
};
use mpcd_friction::{Cone, LocalLaw};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    Law, LawData, LawInput, LawKind, Restitutes, Restitution,
    local::{coulomb, root, tangential},
};

/// What a contact gives back.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Impact {
    /// Friction coefficient μ.
    pub friction: f64,
    /// Coefficient of restitution.
    pub restitution: f64,
    /// Whether the share is of the energy (Stronge) or of the impulse (Poisson).
    pub energetic: bool,
}

/// The second phase of one contact: r = r^c + p, p the impulse of restitution.
#[derive(Debug)]
pub(crate) struct SecondPhase {
    pub(crate) impact: Impact,
    /// Impulse of the compression with all loads, local.
    pub(crate) compression: Vec3,
    /// Normal impulse that the impact alone makes in compression.
    pub(crate) struck: f64,
    /// Approach speed before the impact (≥ 0).
    pub(crate) approach: f64,
    /// Speed at which the contact opens where the phase begins (≥ 0).
    pub(crate) opening: f64,
}

impl SecondPhase {
    /// The phase for `u = W p + q`.
    fn restitute(&self, w: &Mat3, q: &Vec3) -> Vec3 {
        let Impact { friction, restitution, energetic } = self.impact;
        let plain = coulomb(w, q, friction);
        let at = |normal: f64| Vec3::x() * normal + tangential(w, q, normal, friction * normal);
        let least = if energetic {
            // Half the sum of the opening speeds at the ends of the phase times p_n is the share of ½ struck · approach.
            let energy = restitution * restitution * self.struck * self.approach;
            if energy <= 0.0 {
                return plain;
            }
            let excess = |normal: f64| normal * (self.opening + (w * at(normal) + q).x) - energy;
            let mut high = self.struck;
            for _ in 0..100 {
                if excess(high) >= 0.0 {
                    break;
                }
                high *= 2.0;
            }
            root(excess, 0.0, high)
        } else {
            restitution * self.struck
        };
        if plain.x >= least { plain } else { at(least) }
    }
}

impl LocalLaw for SecondPhase {
    fn name(&self) -> &'static str {
        if self.impact.energetic { Stronge::NAME } else { Poisson::NAME }
    }

    fn solve(&self, w: &Mat3, q: &Vec3) -> Vec3 {
        self.compression + self.restitute(w, &(q + w * self.compression))
    }
}

/// Parameters of `Poisson` and `Stronge`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ImpactParams {
    /// Friction coefficient μ.
    pub friction: Quantity<Number, NonNegative>,
    /// Coefficient of restitution: of the impulse (Poisson) or, squared, of the energy (Stronge).
    pub restitution: Quantity<Number, Fraction>,
    /// Approach speed up to which nothing is restituted. Default 0.
    #[serde(default)]
    pub restitution_threshold: Option<Quantity<Speed, NonNegative>>,
}

macro_rules! impact_law {
    ($(#[$doc:meta])* $name:ident, $energetic:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub struct $name {
            friction: f64,
            restitution: f64,
            threshold: f64,
        }

        impl Law for $name {
            /// The compression: Signorini on the velocity of a closed contact, Coulomb.
            fn prepare(&self, input: &LawInput) -> Option<LawData> {
                input.is_closed().then(|| LawData::of_cone(Cone::coulomb(self.friction)))
            }
            fn on_displacements(&self) -> Result<(), &'static str> {
                Err("gives back part of what the compression took")
            }
            fn friction(&self) -> f64 {
                self.friction
            }
            fn is_local(&self) -> bool {
                self.restitution > 0.0
            }
            fn restitution(&self) -> Restitution<'_> {
                if self.restitution > 0.0 { Restitution::Phases(self) } else { Restitution::None }
            }
        }

        impl Restitutes for $name {
            fn impact(&self, input: &LawInput) -> Option<Impact> {
                let strikes = input.is_closed() && input.u_before.x < -self.threshold;
                strikes.then_some(Impact { friction: self.friction, restitution: self.restitution, energetic: $energetic })
            }

            fn is_energetic(&self) -> bool {
                $energetic
            }
        }

        impl LawKind for $name {
            const NAME: &'static str = stringify!($name);
            type Params = ImpactParams;

            fn build(p: ImpactParams) -> Result<Self, InputError> {
                Ok(Self {
                    friction: p.friction.si(),
                    restitution: p.restitution.si(),
                    threshold: p.restitution_threshold.map_or(0.0, |t| t.si()),
                })
            }
        }
    };
}

impact_law! {
    /// Poisson's impact: 0 ≤ u_n⁺ ⊥ r_n − r_n^c − e r̂_n^c ≥ 0, r̂^c the compression without the smooth loads. A body at rest does not hop.
    Poisson, false
}

impact_law! {
    /// Stronge's impact: the normal impulse gives back e² of the energy it took in compression, speeds taken linear in each phase. So the
    /// normal impulse never makes energy, as Newton's and Poisson's laws can with friction.
    Stronge, true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// W = [[1.6, −1.2], [−1.2, 3.4]] hit at u⁻ = (−1, −2), in its two phases; returns r^c, p and the velocities between and after.
    fn hit(energetic: bool, restitution: f64, friction: f64) -> (Vec3, Vec3, Vec3, Vec3) {
        let w = Mat3::new(1.6, -1.2, 0.0, -1.2, 3.4, 0.0, 0.0, 0.0, 0.0);
        let before = Vec3::new(-1.0, -2.0, 0.0);
        let compression = coulomb(&w, &before, friction);
        let impact = Impact { friction, restitution, energetic };
        let law = SecondPhase {
            impact,
            compression,
            struck: compression.x,
            approach: 1.0,
            opening: (w * compression + before).x.max(0.0),
        };
        let r = law.solve(&w, &before);
        let p = r - compression;
        (compression, p, w * compression + before, w * r + before)
    }

    #[test]
    fn poisson_gives_back_a_share_of_the_impulse() {
        let (r, p, u, after) = hit(false, 0.5, 0.5);
        assert!((r - Vec3::new(1.0, 0.5, 0.0)).norm() < 1e-13 && u.x.abs() < 1e-13);
        assert!((p.x - 0.5 * r.x).abs() < 1e-13 && p.y.abs() <= 0.5 * p.x + 1e-13 && after.x > 0.0);
    }

    #[test]
    fn stronge_gives_back_a_share_of_the_energy() {
        for (e, friction) in [(0.3, 0.5), (0.9, 0.2), (1.0, 0.8)] {
            let (r, p, u, after) = hit(true, e, friction);
            let taken = -0.5 * r.x * (-1.0 + u.x);
            let given = 0.5 * p.x * (u.x + after.x);
            assert!((given - e * e * taken).abs() < 1e-12, "{e}: {given} {taken}");
            assert!(p.y.abs() <= friction * p.x + 1e-12);
        }
    }

    /// What opens already as its phase begins (others push it apart) gives back its share with both speeds: without friction and with W = 1/kg,
    /// ½ p (u + u + p) = e² ½ r̂ v, so that u = 1 m/s, e = ½, r̂ = 2 N s and v = 2 m/s give p² + 2p = 1.
    #[test]
    fn stronge_counts_the_speed_at_which_its_phase_begins() {
        let impact = Impact { friction: 0.0, restitution: 0.5, energetic: true };
        let law = SecondPhase { impact, compression: Vec3::zeros(), struck: 2.0, approach: 2.0, opening: 1.0 };
        let p = law.restitute(&Mat3::identity(), &Vec3::x());
        assert!((p - Vec3::x() * (2.0_f64.sqrt() - 1.0)).norm() < 1e-12, "{p:?}");
    }
}
