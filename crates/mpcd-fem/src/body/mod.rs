//! A deformable body in time: what is kept between steps, and the choice of scheme. The step itself, its energies and its face to
//! contact are in the rooms below. No contact.

mod advance;
mod balance;
mod compliance;
mod kick;
mod search;
mod stable;
mod statics;
mod step;
mod times;

use std::sync::Arc;

use mpcd_core::Vec3;
use mpcd_sparse::SymmetricMatrix;

pub use balance::{Balance, Energies};
pub use compliance::Compliance;
pub use kick::Kick;
pub use statics::Statics;
pub use step::{NodalForces, Step};
pub use times::BodyTimes;

use crate::error::{FemError, check};
use crate::factor::{Factor, fault};
use crate::model::{MassKind, Model, State};

/// How a body moves through a step h from velocity v⁻ to v.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scheme {
    /// u = u⁻ + h(θ v + (1 − θ) v⁻) with forces weighted alike; order 2 for ½, 1 above, which damps.
    Theta {
        /// From ½ to 1.
        theta: f64,
        /// Of the mass.
        mass: MassKind,
    },
    /// The midpoint rule with a stress that keeps energy and angular momentum to rounding (Simo–Tarnow, Gonzalez); order 2, not for
    /// materials with history.
    Conserving {
        /// Of the mass.
        mass: MassKind,
    },
    /// Central difference in the form u_m = u⁻ + h/2 v⁻, v = v⁻ + h M⁻¹(F − f(u_m)), u = u_m + h/2 v with lumped mass; order 2, stable up to
    /// [`Body::stable_step`]. Viscous forces are those of v⁻.
    Explicit,
    /// No inertia: the forces at the end of the step are in balance, u = u⁻ + h v. Time is that of the loads and of viscosity alone, so that the
    /// length of the step does not matter to bodies without it. Kinetic energy and momentum are 0.
    Static,
}

impl Scheme {
    /// Weight of the end of a step in the displacement.
    pub fn theta(self) -> f64 {
        match self {
            Self::Theta { theta, .. } => theta,
            Self::Static => 1.0,
            Self::Conserving { .. } | Self::Explicit => 0.5,
        }
    }

    fn mass(self) -> MassKind {
        match self {
            Self::Theta { mass, .. } | Self::Conserving { mass } => mass,
            Self::Explicit => MassKind::Lumped,
            Self::Static => MassKind::Consistent,
        }
    }
}

/// When Newton's method stops.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Newton {
    /// Residual over the largest of the forces in it. A correction that is rounding of the positions ends it too.
    pub tolerance: f64,
    /// Most iterations.
    pub iterations: usize,
}

impl Default for Newton {
    fn default() -> Self {
        Self { tolerance: 1e-10, iterations: 25 }
    }
}

/// A model with a scheme, its mass, and its factorisation: for linear bodies one for all steps of one length.
#[derive(Debug)]
pub struct Body {
    model: Arc<Model>,
    scheme: Scheme,
    newton: Newton,
    mass: SymmetricMatrix,
    /// Σ α M, where there is any.
    damping: Option<SymmetricMatrix>,
    factor: Factor,
    /// The tangent that is not symmetric, where `factor` has the symmetric one for impulses.
    whole: Factor,
    /// Whether `whole` is that of the last linearisation.
    goes_whole: bool,
    /// Diagonal of the stiffness where it was last factorised (N/m); empty of explicit bodies.
    stiffness: Vec<f64>,
    /// Whether the tangent is replaced by its symmetric part.
    symmetric: bool,
    /// Step and held unknowns of the factorisation, when it may be used again.
    kept: Option<(f64, Vec<bool>)>,
    stable: Option<(f64, usize)>,
    factorisations: u64,
    times: BodyTimes,
    /// The factor of M for some held unknowns, where it was asked for.
    inertia: Option<(Vec<bool>, Factor)>,
}

impl Body {
    /// A body of a model.
    ///
    /// # Errors
    /// [`FemError::Value`] for θ, [`FemError::Unsupported`] for a conserving scheme with a history.
    pub fn new(model: Arc<Model>, scheme: Scheme) -> Result<Self, FemError> {
        check("θ of the scheme", scheme.theta(), (0.5..=1.0).contains(&scheme.theta()), "½ to 1")?;
        if matches!(scheme, Scheme::Conserving { .. }) && model.has_history() {
            return Err(FemError::Unsupported {
                what: "the energy-conserving scheme was asked for a material with a history (plasticity), whose energy is not conserved",
                cure: "take the θ-scheme",
            });
        }
        let mass = model.mass_matrix(scheme.mass(), |_| 1.0)?;
        let damped = model.sections().any(|s| s.mass_damping > 0.0);
        let damping = if damped { Some(model.mass_matrix(scheme.mass(), |s| s.mass_damping)?) } else { None };
        let stable = if scheme == Scheme::Explicit { Some(stable::stable_step(&model, &model.rest())?) } else { None };
        let newton = Newton::default();
        Ok(Self {
            model,
            scheme,
            newton,
            mass,
            damping,
            factor: Factor::default(),
            whole: Factor::default(),
            goes_whole: false,
            stiffness: Vec::new(),
            symmetric: false,
            kept: None,
            stable,
            factorisations: 0,
            times: BodyTimes::default(),
            inertia: None,
        })
    }

    /// The same with other rules for Newton's method.
    #[must_use]
    pub fn with_newton(mut self, newton: Newton) -> Self {
        self.newton = newton;
        self
    }

    /// The same with the symmetric part of the tangent, so that the [`Compliance`] of the conserving scheme is symmetric for large strain too, as
    /// contact solvers want it. The skew part is of the order of what the body turns and strains in a step: Newton's method then ends by that factor
    /// per iteration.
    #[must_use]
    pub fn with_symmetric_tangent(mut self) -> Self {
        self.symmetric = true;
        self
    }

    /// The model.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// The scheme.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// How often M̃ was factorised: as long as it stays, so does every [`Compliance`].
    pub fn factorisations(&self) -> u64 {
        self.factorisations
    }

    /// The longest step (s) that the explicit scheme bears at a state, and the element that limits it: 2/ω of the stiffest element, which
    /// no mode of the body exceeds (Irons–Treharne), less with damping.
    ///
    /// # Errors
    /// [`FemError::Element`].
    pub fn stable_step(&self, state: &State) -> Result<(f64, usize), FemError> {
        stable::stable_step(&self.model, state)
    }

    /// Momentum (N s) and moment of momentum about the origin (N m s).
    ///
    /// # Errors
    /// [`FemError::Length`].
    pub fn momenta(&self, state: &State) -> Result<(Vec3, Vec3), FemError> {
        Ok(self.model.momenta(state, &self.inertia_of(&state.velocity)?))
    }

    /// Mean velocity by mass (m/s), also of a body whose scheme has no inertia.
    ///
    /// # Errors
    /// [`FemError::Length`].
    pub fn mean_velocity(&self, state: &State) -> Result<Vec3, FemError> {
        Ok(self.model.momenta(state, &self.times_mass(&state.velocity)?).0 / self.model.mass())
    }

    /// M v, nothing where the scheme has no inertia.
    fn inertia_of(&self, v: &[f64]) -> Result<Vec<f64>, FemError> {
        if self.scheme == Scheme::Static {
            self.model.check_length("velocity", v.len())?;
            return Ok(vec![0.0; v.len()]);
        }
        self.times_mass(v)
    }

    /// M v.
    fn times_mass(&self, v: &[f64]) -> Result<Vec<f64>, FemError> {
        self.model.check_length("velocity", v.len())?;
        let mut product = vec![0.0; v.len()];
        self.mass.multiply(v, &mut product).map_err(|source| fault(&self.model, source))?;
        Ok(product)
    }

    /// Σ α M v, nothing where there is no such damping.
    fn times_damping(&self, v: &[f64]) -> Result<Option<Vec<f64>>, FemError> {
        let Some(damping) = &self.damping else { return Ok(None) };
        let mut product = vec![0.0; v.len()];
        damping.multiply(v, &mut product).map_err(|source| fault(&self.model, source))?;
        Ok(Some(product))
    }
}
