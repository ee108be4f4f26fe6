//! The course's simplified form of JKR: a spring of power 3/2 and a pull that grows with √δ.

use mpcd_core::{
    ContactGeometry, InputError, Quantity,
    quantity::{Damping, NonNegative, Number, Positive},
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{NormalForce, Shear, SmoothLaw, SmoothLawKind, SpotInput, Tangential, hertz::CURVED};

/// N = k δ^3/2 + ηδ̇ − γ√δ for δ > 0 (Dubois–Renouf 2021, called JKR there). Not JKR: it holds on no longer than the surfaces
/// overlap, and pulls at most with 2γ/3 √(γ/3k). For the true law use Jkr. (Module SmoothContact.)
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SimplifiedJkrParams {
    /// Cohesion γ in N/m^½.
    pub cohesion: Quantity<Number, Positive>,
    /// Stiffness k in N/m^3/2. Default: Hertz' 4/3 E* √R* from the materials' `elastic` part.
    #[serde(default)]
    pub stiffness: Option<Quantity<Number, Positive>>,
    /// Viscous damping η.
    #[serde(default)]
    pub damping: Option<Quantity<Damping, NonNegative>>,
    /// Friction coefficient μ; acts on N where it pushes.
    pub friction: Quantity<Number, NonNegative>,
    /// Tangential force below Coulomb's limit. An elastic one has no damping unless it is given.
    #[serde(default)]
    pub tangential: Tangential,
}

/// The simplified law.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SimplifiedJkr {
    cohesion: f64,
    stiffness: Option<f64>,
    damping: f64,
    friction: f64,
    tangential: Tangential,
}

impl SmoothLaw for SimplifiedJkr {
    fn normal(&self, spot: &SpotInput) -> Option<NormalForce> {
        let d = spot.overlap;
        if d <= 0.0 {
            return None;
        }
        let k = match (self.stiffness, spot.geometry, spot.modulus) {
            (Some(k), ..) => k,
            (None, ContactGeometry::Point { reduced_radius, .. }, Some(e)) => 4.0 / 3.0 * e * reduced_radius.sqrt(),
            _ => return None,
        };
        let root = d.sqrt();
        let elastic = k * d * root - self.cohesion * root;
        let force = elastic + self.damping * spot.closing;
        Some(NormalForce {
            force,
            elastic,
            energy: 0.4 * k * d * d * root - self.cohesion * d * root / 1.5,
            stiffness: 1.5 * k * root,
            damping: self.damping,
            friction_load: force.max(0.0),
            bonded: false,
        })
    }
    fn shear(&self, spot: &SpotInput, normal: &NormalForce) -> Shear {
        self.tangential.shear(spot, normal, 0.0)
    }
    fn friction(&self) -> f64 {
        self.friction
    }
    fn needs_modulus(&self) -> bool {
        self.stiffness.is_none()
    }
    fn accepts(&self, geometry: &ContactGeometry) -> Result<(), &'static str> {
        if self.stiffness.is_some() || matches!(geometry, ContactGeometry::Point { .. }) { Ok(()) } else { Err(CURVED) }
    }
}

impl SmoothLawKind for SimplifiedJkr {
    const NAME: &'static str = "SimplifiedJkr";
    type Params = SimplifiedJkrParams;
    fn build(p: SimplifiedJkrParams) -> Result<Self, InputError> {
        Ok(Self {
            cohesion: p.cohesion.si(),
            stiffness: p.stiffness.map(|k| k.si()),
            damping: p.damping.map_or(0.0, |d| d.si()),
            friction: p.friction.si(),
            tangential: p.tangential,
        })
    }
}
