//! Force laws of smooth contacts: forces as functions of overlap and velocity.
//! What lives here: the trait, what it sees and what it gives. What may not: bodies, time stepping, memory by key.

mod damping;
mod hertz;
mod hooke;
mod jkr;
mod registry;
mod shear;
mod simplified_jkr;

use mpcd_core::ContactGeometry;

pub use hertz::{Hertz, HertzMindlin, HertzMindlinParams, HertzParams};
pub use hooke::{Hooke, HookeParams};
pub use jkr::{Jkr, JkrParams};
pub use registry::{SmoothLawKind, SmoothLawRegistry};
pub use shear::Tangential;
pub use simplified_jkr::{SimplifiedJkr, SimplifiedJkrParams};

/// What a force law may look at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpotInput {
    /// Overlap δ = −gap (m); below zero the surfaces are apart.
    pub overlap: f64,
    /// Rate of the overlap δ̇ [m/s], growth of the surfaces included.
    pub closing: f64,
    /// Shape of the surfaces.
    pub geometry: ContactGeometry,
    /// Effective modulus E* (Pa), `None` where neither material has an `elastic` part.
    pub modulus: Option<f64>,
    /// Effective shear modulus G* (Pa), 1/G* = (2−ν_i)/G_i + (2−ν_j)/G_j.
    pub shear_modulus: Option<f64>,
    /// The share of the effective mass (1/m_i + 1/m_j)⁻¹ (kg); a side that cannot be pushed counts as infinitely heavy.
    pub mass: f64,
    /// The share of the mass that slip in the asked direction t moves (kg): 1/t·Wt, W = Σ 1/m + (r×)ᵀ I⁻¹ (r×) over both bodies on their
    /// free axes, r the lever of the middle of the contact; 0 where nothing is free to move. For the normal force the least of any direction,
    /// (1/m_i + 1/m_j + R_i²/I_i + R_j²/I_j)⁻¹ with the smallest moments.
    pub tangential_mass: f64,
    /// Whether the surfaces held on to each other when the law was last asked.
    pub bonded: bool,
}

/// The normal part of a contact force.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct NormalForce {
    /// Force (N), damping included; pushes above zero.
    pub force: f64,
    /// Its part that is a function of the overlap alone (N).
    pub elastic: f64,
    /// Energy stored (J), the integral of `elastic` over the overlap.
    pub energy: f64,
    /// Upper bound of the stiffness ∂N/∂δ [N/m]: what the stable step and the contact time follow from.
    pub stiffness: f64,
    /// ∂N/∂δ̇ [N s/m].
    pub damping: f64,
    /// The force that friction multiplies (N).
    pub friction_load: f64,
    /// Whether the surfaces hold on to each other.
    pub bonded: bool,
}

/// The tangential part: a spring and a dashpot, capped by Coulomb's law.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Shear {
    /// Stiffness K_t [N/m].
    pub stiffness: f64,
    /// Viscous damping η_t [N s/m].
    pub damping: f64,
}

/// A force law between two groups.
pub trait SmoothLaw: std::fmt::Debug + Send + Sync {
    /// The normal force, or `None` where there is no contact.
    fn normal(&self, spot: &SpotInput) -> Option<NormalForce>;

    /// Stiffness and damping of the tangential part under this normal force.
    fn shear(&self, spot: &SpotInput, normal: &NormalForce) -> Shear;

    /// Friction coefficient μ.
    fn friction(&self) -> f64;

    /// Whether the law needs the `elastic` part of a material.
    fn needs_modulus(&self) -> bool {
        false
    }

    /// Whether the law knows contacts of this shape; if not, what it expects.
    ///
    /// # Errors
    /// What the law expects, in words.
    fn accepts(&self, geometry: &ContactGeometry) -> Result<(), &'static str> {
        let _ = geometry;
        Ok(())
    }

    /// Gap (m) up to which surfaces that met may hold on, for reduced radii up to this one (m) and this modulus (Pa).
    fn reach(&self, reduced_radius: f64, modulus: f64) -> f64 {
        let _ = (reduced_radius, modulus);
        0.0
    }
}
