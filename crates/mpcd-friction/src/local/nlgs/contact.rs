//! One contact, `u = W r + q`, alone: the method's choice, and steps of projection: SBP, SAL, FP-VI-UPK. Newton on one contact
//! and the exact solution have their own files.

use super::newton::{self, Steps};
use super::sweeper::{ExactContact, symmetric};
use super::{LocalMethod, diagonal_bound};
use crate::cone::{project_coulomb, tangential_norm};
use crate::error::natural_step;
use crate::exact::LocalBlock;
use crate::local::block::Block;
use crate::local::nonsmooth::Reformulation;
use crate::local::small::apply;
use crate::local::spectrum::largest_eigenvalue;

/// ρ/ρ̄ of SBP and SAL (Dumont §5).
const SIMPLE_STEP: f64 = 0.6;
/// FP-VI-UPK: ρ shrinks while ρ‖ΔF‖/‖Δr‖ is above the first, grows when it is below the second, by the third.
const UPK: (f64, f64, f64) = (0.9, 0.3, 2.0 / 3.0);
const UPK_STEPS: usize = 100;
const UPK_SHARE: f64 = 1e-2;
/// Newton to rounding, with line search (Acary–Brémond–Dubois).
const SEARCHED: Steps = Steps { most: 50, tolerance: 1e-13, line_search: true };
/// Newton as Dumont runs it.
const PLAIN: Steps = Steps { most: 100, tolerance: 1e-5, line_search: false };

/// ρ̄, the impulse per velocity with which the laws of SBP, SAL (which take 0.6 of it), EBP, EAL and of Newton's equations are
/// augmented. Fixed points do not depend on it; the way there does.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum DescentStep {
    /// `1/λ_max(W_cc)`: a projected step of a sticking contact contracts whatever the levers are.
    #[default]
    Spectral,
    /// `factor/W_nn`. With factor 1 this is Dumont's ρ̄ = m_i m_j/(m_i + m_j), for impulses, wherever normals pass through the
    /// centres of mass. Where bodies turn, W_tt is larger (3.5 W_nn for balls): his bound ρ < 2ρ̄ then no longer makes the
    /// projected step of a sticking contact contract, not even with 0.6 ρ̄ for balls.
    ReducedMass {
        /// α of Dumont's §4.4, above 0.
        factor: f64,
    },
}

/// A contact made ready for one solution after another: its block (with a floor in difference form, see
/// [`LocalBlock::FLOOR`]), μ and ρ̄.
#[derive(Debug, Clone, Copy)]
pub struct LocalContact<const D: usize> {
    pub(super) block: Block<D>,
    pub(super) friction: f64,
    pub(super) step: f64,
}

impl<const D: usize> LocalContact<D> {
    /// From the contact's block of W (kg⁻¹; its symmetric part is used) and μ; `None` where no impulse acts.
    #[must_use]
    pub fn new(block: &Block<D>, friction: f64, step: DescentStep) -> Option<Self> {
        let mut block = symmetric(block);
        let step = match step {
            DescentStep::Spectral => natural_step(largest_eigenvalue(&block)),
            DescentStep::ReducedMass { factor } => factor * natural_step(block[0][0]),
        };
        let trace: f64 = (0..D).map(|k| block[k][k]).sum();
        for k in 0..D {
            block[k][k] += LocalBlock::FLOOR * trace;
        }
        let acts = block[0][0] > LocalBlock::FLOOR * trace;
        acts.then_some(Self { block, friction, step })
    }

    /// New impulse from the old one and the velocity `u` at it, `(n, t, s)`. [`LocalMethod::Exact`] and
    /// [`LocalMethod::Quasi`] make their block ready at every call.
    #[must_use]
    pub fn solve(&self, method: LocalMethod, r: &[f64; D], u: &[f64; D]) -> [f64; D] {
        let exact = |block: &Block<D>| ExactContact::new(block).map_or([0.0; D], |contact| contact.solve(self.friction, r, u));
        match method {
            LocalMethod::Exact => exact(&self.block),
            LocalMethod::Quasi => exact(&diagonal_bound(&self.block)),
            LocalMethod::Sbp => self.bipotential_step(SIMPLE_STEP * self.step, r, u),
            LocalMethod::Sal => self.lagrangian_step(SIMPLE_STEP * self.step, r, u),
            LocalMethod::Newton(kind) => newton::solve(self, kind, SEARCHED, r, u),
            LocalMethod::Ebp => newton::solve(self, Reformulation::NaturalMap, PLAIN, r, u),
            LocalMethod::Eal => newton::solve(self, Reformulation::AlartCurnier, PLAIN, r, u),
            LocalMethod::FixedPoint => self.fixed_point(r, u),
        }
    }

    /// Velocity after the impulse has changed from `r`, where it was `u`, to `new`.
    #[must_use]
    pub fn velocity(&self, r: &[f64; D], u: &[f64; D], new: &[f64; D]) -> [f64; D] {
        let change = apply(&self.block, &std::array::from_fn(|k| new[k] - r[k]));
        std::array::from_fn(|k| u[k] + change[k])
    }

    /// Dumont (21)–(22): `P_K(r − ρ(u + μ‖u_t‖ n))`.
    pub(super) fn bipotential_step(&self, rho: f64, r: &[f64; D], u: &[f64; D]) -> [f64; D] {
        let mut prediction: [f64; D] = std::array::from_fn(|k| r[k] - rho * u[k]);
        prediction[0] -= rho * self.friction * tangential_norm(u);
        project_coulomb(self.friction, &prediction)
    }

    /// Dumont §3.5: τ = r − ρu, `r_n = max(0, τ_n)`, `r_t = min(1, μ r_n/‖τ_t‖) τ_t` (the source prints the factor
    /// without the minimum: sticking contacts would slide).
    pub(super) fn lagrangian_step(&self, rho: f64, r: &[f64; D], u: &[f64; D]) -> [f64; D] {
        let mut new: [f64; D] = std::array::from_fn(|k| r[k] - rho * u[k]);
        new[0] = new[0].max(0.0);
        let (radius, size) = (self.friction * new[0], tangential_norm(&new));
        if size > radius {
            for value in &mut new[1..] {
                *value *= radius / size;
            }
        }
        new
    }

    /// FP-VI-UPK: the projected fixed point whose ρ follows the local Lipschitz constant.
    pub(super) fn fixed_point(&self, r: &[f64; D], u: &[f64; D]) -> [f64; D] {
        let (high, low, factor) = UPK;
        let field = |u: &[f64; D]| {
            let mut f = *u;
            f[0] += self.friction * tangential_norm(u);
            f
        };
        let distance = |a: &[f64; D], b: &[f64; D]| (0..D).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt();
        let (mut x, mut rho, mut enough) = (*r, self.step, 0.0);
        for step in 0..UPK_STEPS {
            let at = self.velocity(r, u, &x);
            let mut new = self.bipotential_step(rho, &x, &at);
            let mut moved = distance(&x, &new);
            let mut ratio = 0.0;
            while moved > 0.0 {
                ratio = rho * distance(&field(&at), &field(&self.velocity(r, u, &new))) / moved;
                if ratio <= high || ratio.is_nan() {
                    break;
                }
                rho *= factor;
                new = self.bipotential_step(rho, &x, &at);
                moved = distance(&x, &new);
            }
            x = new;
            if ratio < low {
                rho /= factor;
            }
            if step == 0 {
                enough = UPK_SHARE * moved;
            }
            if moved <= enough {
                break;
            }
        }
        x
    }
}
