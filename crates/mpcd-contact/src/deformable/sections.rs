//! The sections of a deformable body: what its materials say of elasticity, laws, damping and density, element by element. No mesh, no motion.

use std::sync::Arc;

use mpcd_core::{BodyId, InputError, MaterialId, Setup, hertz::ElasticMaterial};
use mpcd_fem::{Section, SolidLaws, SolidMaterial, Space, solid_laws};

/// What takes a viscous law that plane stress does not.
const PLANE_STRESS: &str = "leave out `retardation` and `stiffness_damping`, write `plane: PlaneStrain` or a mesh in space that is one cell thick, or `law: Linear` or `SaintVenantKirchhoff`";

/// What all materials of a model say of deformable bodies.
pub(super) struct Parts {
    elastic: Vec<Option<ElasticMaterial>>,
    solid: Vec<Option<SolidMaterial>>,
    laws: Arc<SolidLaws>,
}

impl Parts {
    pub(super) fn read(setup: &Setup) -> Result<Self, InputError> {
        Ok(Self {
            elastic: setup.material_parts("elastic")?,
            solid: setup.material_parts("solid")?,
            laws: setup.part::<SolidLaws>().unwrap_or_else(|_| Arc::new(solid_laws())),
        })
    }
}

/// The sections of one body.
pub(super) struct Sections {
    /// One for each of its materials.
    pub(super) list: Vec<Section>,
    /// That of each element, by its place in the list.
    pub(super) elements: Vec<usize>,
    /// The fastest pressure wave of its materials [m/s].
    pub(super) fastest: f64,
    /// The smallest of Young's moduli (Pa).
    pub(super) softest: f64,
}

impl Sections {
    /// Those of a body of so many elements in a kinematic.
    ///
    /// # Errors
    /// A material without elastic constants, a law or a parameter that is not one, or that does not go with the kinematic.
    pub(super) fn read(
        setup: &Setup,
        body: BodyId,
        (elements, space): (usize, Space),
        parts: &Parts,
    ) -> Result<Self, InputError> {
        let kinds = setup.materials_of(body);
        let place = |e: usize| kinds.iter().position(|kind| *kind == setup.material_in(body, e)).unwrap_or(0);
        let mut out =
            Self { list: Vec::new(), elements: (0..elements).map(place).collect(), fastest: 0.0, softest: f64::INFINITY };
        for kind in &kinds {
            let density = density(setup, body, *kind);
            let section = section(setup, body, *kind, density, parts)?;
            section.stands_in(space).map_err(|e| {
                let message = format!("{}: {e}", setup.body_label(body));
                of_solid(setup, *kind, InputError::new(message).help(PLANE_STRESS))
            })?;
            out.list.push(section);
            if let Some(elastic) = &parts.elastic[kind.index()] {
                let (young, poisson) = (elastic.young.si(), elastic.poisson.si());
                let modulus = young * (1.0 - poisson) / ((1.0 + poisson) * (1.0 - 2.0 * poisson));
                out.fastest = out.fastest.max((modulus / density).sqrt());
                out.softest = out.softest.min(young);
            }
        }
        Ok(out)
    }
}

/// Density of a material in a body [kg/m³]: a `mass` of the body spreads over its materials as their densities do.
fn density(setup: &Setup, body: BodyId, material: MaterialId) -> f64 {
    let i = body.index();
    match setup.filling(body) {
        Some(filling) => setup.materials[material.index()].density * filling.scale,
        None => setup.bodies.mass[i] / setup.bodies.volume[i],
    }
}

fn section(setup: &Setup, body: BodyId, kind: MaterialId, density: f64, parts: &Parts) -> Result<Section, InputError> {
    let material = &setup.materials[kind.index()];
    let name = &material.name;
    let elastic = parts.elastic[kind.index()].as_ref().ok_or_else(|| {
        InputError::new(format!("{} is deformable, but its material `{name}` has no `elastic` constants", setup.body_label(body)))
            .help("add for example `elastic: (young: \"1 GPa\", poisson: 0.3)` to the material")
            .at(name)
    })?;
    let solid = parts.solid[kind.index()].clone().unwrap_or_default();
    solid.section(&parts.laws, elastic, density).map_err(|e| of_solid(setup, kind, e))
}

/// An error at what a material says of its law.
fn of_solid(setup: &Setup, kind: MaterialId, error: InputError) -> InputError {
    let material = &setup.materials[kind.index()];
    match material.parts.get("solid") {
        Some(part) => error.within(part),
        None => error.at(&material.name),
    }
}
