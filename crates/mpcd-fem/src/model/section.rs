//! Sections: what fills the elements of a group, and its law as the quadrature points see it (plane stress reduced).

use std::sync::Arc;

use super::Space;
use crate::error::{FemError, check};
use crate::material::{Material, MaterialError, Response, Strain, Tangent, Voigt};

/// Material, density and damping of a group of elements.
#[derive(Clone, Debug)]
pub struct Section {
    pub(crate) material: Arc<dyn Material>,
    pub(crate) density: f64,
    pub(crate) mass_damping: f64,
    pub(crate) stiffness_damping: f64,
}

impl Section {
    /// A material and its density (kg/m³), above 0.
    ///
    /// # Errors
    /// [`FemError::Value`].
    pub fn new(material: impl Material + 'static, density: f64) -> Result<Self, FemError> {
        check("density", density, density > 0.0, "a finite number above zero (kg/m³)")?;
        Ok(Self { material: Arc::new(material), density, mass_damping: 0.0, stiffness_damping: 0.0 })
    }

    /// Rayleigh damping α M + β K: `alpha` (1/s), `beta` (s). K is the stiffness at rest that turns with the material (as in
    /// [`crate::KelvinVoigt`]), so that a rotation is not damped by β.
    ///
    /// # Errors
    /// [`FemError::Value`].
    pub fn with_rayleigh(mut self, alpha: f64, beta: f64) -> Result<Self, FemError> {
        check("damping of Rayleigh by mass", alpha, alpha >= 0.0, "a finite number not below zero (1/s)")?;
        check("damping of Rayleigh by stiffness", beta, beta >= 0.0, "a finite number not below zero (s)")?;
        (self.mass_damping, self.stiffness_damping) = (alpha, beta);
        Ok(self)
    }

    /// Whether plane stress can be had of it: the law's stress and the viscous one are condensed apart, which is right where both vanish across the plane at one strain.
    ///
    /// # Errors
    /// [`FemError::ViscousPlane`]; what its material says at rest.
    pub fn stands_in(&self, space: Space) -> Result<(), FemError> {
        if !matches!(space, Space::PlaneStress { .. }) {
            return Ok(());
        }
        let [stiffness, viscosity] = self.at_rest()?;
        let alike = viscosity.amax() == 0.0 || self.material.is_linear() && thins_alike(&stiffness, &viscosity);
        if alike { Ok(()) } else { Err(FemError::ViscousPlane) }
    }

    /// Stiffness and viscosity without strain.
    fn at_rest(&self) -> Result<[Tangent; 2], FemError> {
        let old = vec![0.0; self.material.history_len()];
        let stiffness = self.material.respond(&Voigt::zeros(), &old, &mut old.clone())?.tangent;
        Ok([stiffness, self.material.viscosity().unwrap_or_default() + stiffness * self.stiffness_damping])
    }

    /// Whether its law is of small strain and small rotation, so that a body that turns is wrong.
    #[must_use]
    pub fn is_small_strain(&self) -> bool {
        self.material.strain() == Strain::Small
    }
}

/// A section in a kinematic.
#[derive(Clone, Debug)]
pub(crate) struct Law {
    pub(crate) section: Section,
    pub(crate) finite: bool,
    pub(crate) viscosity: Option<Tangent>,
    plane_stress: bool,
}

impl Law {
    pub(crate) fn new(section: &Section, space: Space) -> Result<Self, FemError> {
        let plane_stress = matches!(space, Space::PlaneStress { .. });
        let finite = section.material.strain() == Strain::GreenLagrange;
        let mut law = Self { section: section.clone(), finite, viscosity: None, plane_stress };
        section.stands_in(space)?;
        let [_, viscosity] = section.at_rest()?;
        if viscosity.amax() > 0.0 {
            law.viscosity = Some(if plane_stress { condensed(&viscosity) } else { viscosity });
        }
        Ok(law)
    }

    /// Whether force is a constant matrix times displacement and velocity.
    pub(crate) fn is_linear(&self) -> bool {
        !self.finite && self.section.material.is_linear()
    }

    /// History variables of a point: those of the material, and the strain across the plane.
    pub(crate) fn history_len(&self) -> usize {
        self.section.material.history_len() + usize::from(self.plane_stress)
    }

    /// Stress and tangent; in plane stress of the strains in the plane alone, with the one across solved for.
    pub(crate) fn respond(&self, strain: &Voigt, old: &[f64], new: &mut [f64]) -> Result<Response, MaterialError> {
        let material = &self.section.material;
        if !self.plane_stress {
            return material.respond(strain, old, new);
        }
        let own = material.history_len();
        let mut full = *strain;
        full[2] = old[own];
        let mut last = f64::INFINITY;
        for _ in 0..50 {
            let mut r = material.respond(&full, &old[..own], &mut new[..own])?;
            let correction = r.stress[2] / r.tangent[(2, 2)];
            // rounding of the strain, or of 1 + 2E where it no longer gets less
            let size = correction.abs();
            if size <= 1e-14 * full.amax() || (size <= 1e-12 && size >= 0.5 * last) {
                new[own] = full[2];
                r.stress[2] = 0.0;
                r.tangent = condensed(&r.tangent);
                return Ok(r);
            }
            if !correction.is_finite() {
                break;
            }
            (full[2], last) = (full[2] - correction, size);
        }
        Err(MaterialError::Strain { what: "a strain across the plane", value: full[2] })
    }

    /// [`Self::respond`] of a material that would have the strain `free` along all axes if nothing held it, with the derivative of the stored
    /// energy by `free` (J/m³). In small strain the stress is that of ε − s 1. In large strain the stretch is that of the free material,
    /// λ = 1 + s, before that of the stress, F = F_e λ: with E_e = (E − ½(λ² − 1) 1)/λ² the energy is λ³ W(E_e), S = λ S_e, and the derivative
    /// 3λ² W − S_e·C. Source: Vujošević–Lubarda 2002, Theor. Appl. Mech. 28–29, 379 (isotropic split).
    pub(crate) fn respond_swollen(
        &self,
        strain: &Voigt,
        free: f64,
        old: &[f64],
        new: &mut [f64],
    ) -> Result<(Response, f64), MaterialError> {
        let volumetric = |r: &Response| r.stress[0] + r.stress[1] + r.stress[2];
        if !self.finite {
            let r = self.respond(&(strain - uniform(free)), old, new)?;
            return Ok((r, -volumetric(&r)));
        }
        let stretch = 1.0 + free;
        if stretch <= 0.0 {
            return Err(MaterialError::Strain { what: "a free strain", value: free });
        }
        let (square, cube) = (stretch * stretch, stretch * stretch * stretch);
        let elastic = (strain - uniform(0.5 * (square - 1.0))) / square;
        let r = self.respond(&elastic, old, new)?;
        // C of the free material is 1 + 2 E_e, that of the whole λ² times it
        let by_free = 3.0 * square * r.energy - square * (volumetric(&r) + 2.0 * r.stress.dot(&elastic));
        let whole = Response {
            stress: r.stress * stretch,
            tangent: r.tangent / stretch,
            energy: r.energy * cube,
            dissipated: r.dissipated * cube,
        };
        Ok((whole, by_free))
    }

    /// The whole strain across the plane, which plane kinematics do not have, of a point with this free strain.
    pub(crate) fn strain_across(&self, history: &[f64], free: f64) -> Option<f64> {
        let elastic = history.last().copied().filter(|_| self.plane_stress)?;
        let square = (1.0 + free) * (1.0 + free);
        Some(if self.finite { square * elastic + 0.5 * (square - 1.0) } else { elastic + free })
    }
}

/// A strain along all three axes.
fn uniform(strain: f64) -> Voigt {
    Voigt::new(strain, strain, strain, 0.0, 0.0, 0.0)
}

/// Whether the stresses of two matrices vanish along the third axis at the same strain: what is condensed apart is then what is condensed as one.
fn thins_alike(a: &Tangent, b: &Tangent) -> bool {
    let off = a.row(2) * b[(2, 2)] - b.row(2) * a[(2, 2)];
    off.amax() <= 1e-12 * a.row(2).amax() * b.row(2).amax()
}

/// Without the third component, whose stress is zero.
fn condensed(tangent: &Tangent) -> Tangent {
    let pivot = tangent[(2, 2)];
    if pivot == 0.0 {
        return *tangent;
    }
    tangent - tangent.column(2) * tangent.row(2) / pivot
}
