//! What ships: every physics, material part and law, by name. One line adds a user's own.

use mpcd_contact::{LawKind, LawRegistry, MeshParams, SmoothLawRegistry};
use mpcd_core::{Named, NamedLaws, Physics, hertz::ElasticMaterial};
use mpcd_electrical::{ConductanceLaw, conductance_laws};
use mpcd_fem::SolidLaw;
use mpcd_geometry::{ShapeKind, ShapeRegistry};
use mpcd_sim::Registry;
use mpcd_thermal::{ConductionLaw, conduction_laws};

/// All shapes that ship, deformable ones among them.
#[must_use]
pub fn shapes() -> ShapeRegistry {
    ShapeRegistry::standard().with::<MeshParams>()
}

/// The standard registry, as an extension of the empty one of `mpcd-sim`.
pub trait StandardRegistry: Sized {
    /// All that ships; with the feature `fclib` the solvers of `mpcd-fclib` join the table of solvers of this process.
    #[must_use]
    fn standard() -> Self;

    /// Adds a contact law of your own.
    #[must_use]
    fn with_law<L: LawKind>(self) -> Self;

    /// Adds a conductance law of your own (currents).
    #[must_use]
    fn with_conductance<L: Named<dyn ConductanceLaw>>(self) -> Self;

    /// Adds a conduction law of your own (heat).
    #[must_use]
    fn with_conduction<L: Named<dyn ConductionLaw>>(self) -> Self;

    /// Adds a law of stress and strain of your own, for deformable bodies.
    #[must_use]
    fn with_solid_law<L: Named<dyn SolidLaw>>(self) -> Self;

    /// Adds a shape of your own.
    #[must_use]
    fn with_shape<S: ShapeKind>(self) -> Self;
}

impl StandardRegistry for Registry {
    fn standard() -> Self {
        crate::command::join_solvers();
        let registry = Self::new()
            .with_part(LawRegistry::standard())
            .with_part(SmoothLawRegistry::standard())
            .with_part(conductance_laws())
            .with_part(conduction_laws())
            .with_part(mpcd_fem::solid_laws())
            .with_part(shapes())
            .with_passing_law("NoContact")
            .with_material_part::<ElasticMaterial>("elastic")
            .with_material_part::<mpcd_fem::SolidMaterial>("solid")
            .with_material_part::<mpcd_electrical::ElectricalMaterial>("electrical")
            .with_material_part::<mpcd_thermal::ThermalMaterial>("thermal")
            .with_joint_part("electrical", mpcd_electrical::Electrical::NAME)
            .with_joint_part("thermal", mpcd_thermal::Thermal::NAME);
        mpcd_contact::physics()
            .into_iter()
            .chain([mpcd_electrical::physics(), mpcd_thermal::physics(), mpcd_darcy::physics()])
            .fold(registry, Self::with_entry)
    }

    fn with_law<L: LawKind>(mut self) -> Self {
        let laws = self.part::<LawRegistry>().cloned().unwrap_or_default().with::<L>();
        match self.part_mut::<LawRegistry>() {
            Some(part) => *part = laws,
            None => self = self.with_part(laws),
        }
        self
    }

    fn with_conductance<L: Named<dyn ConductanceLaw>>(self) -> Self {
        let laws = self.part::<NamedLaws<dyn ConductanceLaw>>().cloned().unwrap_or_else(conductance_laws);
        self.with_part(laws.with::<L>())
    }

    fn with_conduction<L: Named<dyn ConductionLaw>>(self) -> Self {
        let laws = self.part::<NamedLaws<dyn ConductionLaw>>().cloned().unwrap_or_else(conduction_laws);
        self.with_part(laws.with::<L>())
    }

    fn with_solid_law<L: Named<dyn SolidLaw>>(self) -> Self {
        let laws = self.part::<NamedLaws<dyn SolidLaw>>().cloned().unwrap_or_else(mpcd_fem::solid_laws);
        self.with_part(laws.with::<L>())
    }

    fn with_shape<S: ShapeKind>(mut self) -> Self {
        let shapes = self.part::<ShapeRegistry>().cloned().unwrap_or_default().with::<S>();
        match self.part_mut::<ShapeRegistry>() {
            Some(part) => *part = shapes,
            None => self = self.with_part(shapes),
        }
        self
    }
}
