//! Constants of pairs: effective masses from the bodies, moduli from the materials.

use mpcd_core::{
    BodyId, InputError, MaterialId, Setup, Vec3,
    hertz::{ElasticMaterial, PairModuli},
};

use crate::{law::LawTable, motion::BodyConstants, rotation::inverse_or_zero};

use super::law::SmoothLaw;

/// How easily a body is pushed and turned.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mobility {
    /// 1/m [1/kg], 0 where no translation is free.
    pub(crate) translation: f64,
    /// Largest inverse moment on the free axes, at reference size [1/(kg m²)].
    pub(crate) rotation: f64,
}

/// Constants of all pairs.
#[derive(Debug)]
pub(crate) struct Pairs {
    mobility: Vec<Mobility>,
    material: Vec<MaterialId>,
    moduli: PairModuli,
    /// (2−ν)/G of each material (1/Pa), 0 for a rigid one.
    shear_compliance: Vec<f64>,
}

impl Pairs {
    pub(crate) fn of_setup(setup: &Setup, bodies: &[BodyConstants]) -> Result<Self, InputError> {
        let elastic = setup.material_parts::<ElasticMaterial>("elastic")?;
        let mobility = bodies.iter().map(|b| Mobility {
            translation: if b.free == Vec3::zeros() { 0.0 } else { inverse_or_zero(b.mass) },
            rotation: b.largest_inverse_inertia(),
        });
        let shear = elastic.iter().map(|e| {
            e.as_ref().map_or(0.0, |e| {
                let (young, nu) = (e.young.si(), e.poisson.si());
                (2.0 - nu) * 2.0 * (1.0 + nu) / young
            })
        });
        Ok(Self {
            mobility: mobility.collect(),
            material: setup.bodies.material.clone(),
            shear_compliance: shear.collect(),
            moduli: PairModuli::of(&elastic),
        })
    }

    /// E* and G* of a pair of bodies (Pa).
    pub(crate) fn moduli(&self, i: BodyId, j: BodyId) -> (Option<f64>, Option<f64>) {
        let (a, b) = (self.material[i.index()], self.material[j.index()]);
        let shear = self.shear_compliance[a.index()] + self.shear_compliance[b.index()];
        (self.moduli.of_pair(a, b), (shear > 0.0).then(|| 1.0 / shear))
    }

    /// Mobility of a body whose size factor is `size`.
    pub(crate) fn mobility(&self, i: BodyId, size: f64) -> Mobility {
        let m = self.mobility[i.index()];
        Mobility { rotation: m.rotation / (size * size), ..m }
    }

    /// Smallest modulus of any pair that has one (Pa).
    pub(crate) fn softest(&self) -> Option<f64> {
        let n = self.shear_compliance.len();
        let pairs = (0..n).flat_map(|i| (i..n).map(move |j| (i, j)));
        let moduli = pairs.filter_map(|(i, j)| self.moduli.of_pair(MaterialId::from_index(i), MaterialId::from_index(j)));
        moduli.reduce(f64::min)
    }

    /// Every pair of groups whose law needs a modulus has one.
    pub(crate) fn check_moduli(&self, setup: &Setup, laws: &LawTable<dyn SmoothLaw>) -> Result<(), InputError> {
        for interaction in &setup.interactions {
            let (a, b) = interaction.groups;
            let needs = laws.between(a, b).is_some_and(|law| laws.law(law).needs_modulus());
            if !needs {
                continue;
            }
            let materials = |group| {
                let mut out: Vec<MaterialId> = setup.bodies.of_group(group).map(|i| self.material[i.index()]).collect();
                out.sort_unstable();
                out.dedup();
                out
            };
            for (i, j) in materials(a).into_iter().flat_map(|i| materials(b).into_iter().map(move |j| (i, j))) {
                if self.moduli.of_pair(i, j).is_none() {
                    let name = |m: MaterialId| &setup.materials[m.index()].name;
                    return Err(InputError::new(format!(
                        "groups \"{}\" and \"{}\" have the law `{}`, which needs a modulus, but neither material \"{}\" nor \"{}\" has an `elastic` part",
                        setup.groups.name(a.index()),
                        setup.groups.name(b.index()),
                        interaction.law.name(),
                        name(i),
                        name(j)
                    ))
                    .help("add elastic: (young: \"70 GPa\", poisson: 0.3) to one of them; a material without is rigid")
                    .within(&interaction.law));
                }
            }
        }
        Ok(())
    }
}
