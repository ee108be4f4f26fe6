//! Constants of pairs: effective masses from the bodies, moduli from the materials.

use mpcd_core::{
    BodyId, Dimension, InputError, Kinematics, MaterialId, Setup, Vec3,
    hertz::{ElasticMaterial, PairModuli},
};

use crate::{law::LawTable, motion::BodyConstants, rotation::inverse_or_zero};

use super::{
    columns::{isotropic_response, spin_at},
    law::SmoothLaw,
};

/// How easily a body is pushed and turned.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mobility {
    /// 1/m [1/kg], 0 where no translation is free.
    pub(crate) translation: f64,
    /// Largest inverse moment on the free axes, at reference size [1/(kg m²)].
    pub(crate) rotation: f64,
}

/// Which directions of a push a body tells apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answers {
    /// None: no push moves it.
    No,
    /// None, if the lever has no part along the push: it is as heavy about all axes, and free on all of them.
    Alike,
    Apart,
}

impl Answers {
    fn of(body: &BodyConstants, planar: bool) -> Self {
        let whole = if planar { [Vec3::new(1.0, 1.0, 0.0), Vec3::z()] } else { [Vec3::repeat(1.0); 2] };
        let free = if planar { Vec3::new(body.free.x, body.free.y, 0.0) } else { body.free };
        match [free, body.free_spin] {
            still if still == [Vec3::zeros(); 2] => Self::No,
            all if all == whole && body.isotropic => Self::Alike,
            _ => Self::Apart,
        }
    }
}

/// Part of a lever by which it may be off the normal, squared: rounding.
const STRAIGHT: f64 = 1e-24;

/// Constants of all pairs.
#[derive(Debug)]
pub(crate) struct Pairs {
    mobility: Vec<Mobility>,
    bodies: Vec<BodyConstants>,
    answers: Vec<Answers>,
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
            bodies: bodies.to_vec(),
            answers: bodies.iter().map(|b| Answers::of(b, setup.dimension == Dimension::Planar)).collect(),
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

    /// Whether a body answers pushes in all directions across `n` alike, at the lever `arm`.
    pub(crate) fn is_alike(&self, i: BodyId, arm: &Vec3, n: &Vec3) -> bool {
        match self.answers[i.index()] {
            Answers::No => true,
            Answers::Alike => (arm - n * n.dot(arm)).norm_squared() <= STRAIGHT * arm.norm_squared(),
            Answers::Apart => false,
        }
    }

    /// Velocity that a unit impulse `push` at the lever `arm` gives a body there, on its free axes [1/kg].
    pub(crate) fn answer(&self, i: BodyId, now: &Kinematics, arm: &Vec3, push: &Vec3) -> Vec3 {
        let i = i.index();
        let (body, size, moment) = (&self.bodies[i], now.size[i], arm.cross(push));
        let spin = if body.isotropic {
            moment.component_mul(&isotropic_response(body, size))
        } else {
            spin_at(body, &now.orientation[i], size, &moment, Vec3::zeros())
        };
        (push * inverse_or_zero(body.mass)).component_mul(&body.free) + spin.cross(arm)
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
