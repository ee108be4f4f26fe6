//! A material of one's own, as another crate would write it: elasticity with damage that grows with the largest strain energy.

use mpcd_fem::{
    Body, Cell, Conditions, Isotropic, LinearElastic, MassKind, Material, MaterialError, Mesh, Model, Prescribed, Response,
    Scheme, Section, Space, Statics, Strain, Voigt,
};

use crate::unit;

/// σ = (1 − d) D ε with d = 1 − √(w₀/w) of the largest energy w so far. History: that energy.
#[derive(Debug)]
struct Damage {
    elastic: LinearElastic,
    limit: f64,
}

impl Material for Damage {
    fn strain(&self) -> Strain {
        Strain::Small
    }

    fn history_len(&self) -> usize {
        1
    }

    fn respond(&self, strain: &Voigt, old: &[f64], new: &mut [f64]) -> Result<Response, MaterialError> {
        let whole = self.elastic.respond(strain, &[], &mut [])?;
        let before = old[0].max(self.limit);
        let now = before.max(whole.energy);
        new[0] = now;
        let left = |w: f64| (self.limit / w).sqrt();
        let mut tangent = whole.tangent * left(now);
        if now > before {
            tangent -= whole.stress * whole.stress.transpose() * (0.5 * left(now) / now);
        }
        let energy = left(now) * whole.energy;
        Ok(Response { stress: whole.stress * left(now), tangent, energy, dissipated: (left(before) - left(now)) * now })
    }
}

fn damage() -> Damage {
    Damage { elastic: LinearElastic(Isotropic::new(1000.0, 0.0).unwrap()), limit: 0.5 * 1000.0 * 1e-6 }
}

/// Beyond ε₀ = 1e-3 the stress stays E ε₀ (energy w ∝ ε²), and unloading goes to the origin.
#[test]
fn history_of_a_foreign_material_is_kept() {
    for cell in [Cell::Tri6, Cell::Quad4] {
        let model =
            Model::new(unit(cell, 2), Space::PlaneStress { thickness: 1.0 }, &Section::new(damage(), 1.0).unwrap()).unwrap();
        let model = std::sync::Arc::new(model);
        let at = |u: f64| {
            let c = Conditions::default().with_held(&model, "left", 0, Prescribed::Displacement(0.0)).unwrap();
            let c = c.with_held(&model, "bottom", 1, Prescribed::Displacement(0.0)).unwrap();
            c.with_held(&model, "right", 0, Prescribed::Displacement(u)).unwrap()
        };
        let mut statics = Statics::new(model.clone());
        let stress = |state: &mpcd_fem::State| model.point_values(state, 0).unwrap()[0].stress[0];
        let (far, _) = statics.solve(&model.rest(), &Conditions::default(), &at(4e-3), 8).unwrap();
        assert!((stress(&far) - 1.0).abs() < 1e-8, "{}", stress(&far));
        let (back, _) = statics.solve(&far, &at(4e-3), &at(2e-3), 2).unwrap();
        assert!((stress(&back) - 0.5).abs() < 1e-8, "{}", stress(&back));
    }
}

/// Two groups of elements with a material each; the balance has the energy of damage.
#[test]
fn groups_have_their_own_material() {
    let mut mesh = Mesh::rectangle([2.0, 1.0], [2, 1], Cell::Quad4).unwrap();
    mesh.add_element_group("hard", vec![0]).unwrap();
    mesh.add_element_group("soft", vec![1]).unwrap();
    let elastic = Section::new(LinearElastic(Isotropic::new(1000.0, 0.0).unwrap()), 1e-3).unwrap();
    let soft = Section::new(damage(), 1e-3).unwrap();
    let sections = [("hard", elastic), ("soft", soft)];
    let model = Model::with_sections(mesh.clone(), Space::PlaneStress { thickness: 1.0 }, &sections).unwrap();
    let model = std::sync::Arc::new(model);
    let fixed = Conditions::default().with_fixed(&model, "left").unwrap();
    let pulled = |u: f64| fixed.clone().with_held(&model, "right", 0, Prescribed::Displacement(u)).unwrap();
    let mut body = Body::new(model.clone(), Scheme::Theta { theta: 1.0, mass: MassKind::Consistent }).unwrap();
    let (mut state, mut total) = (model.rest(), mpcd_fem::Balance::default());
    for k in 0..50 {
        let (next, balance) = body.advance(&state, 1.0, &pulled(1e-4 * f64::from(k)), &pulled(1e-4 * f64::from(k + 1))).unwrap();
        (state, _) = (next, total.add(&balance));
    }
    // the stress is 1 in both: 1e-3 of strain in the hard half, the rest in the soft one
    assert!((model.point_values(&state, 1).unwrap()[0].strain[0] - 4e-3).abs() < 1e-8);
    assert!((total.plastic - 1e-3 * 0.5 * 3.0).abs() < 0.1 * total.plastic, "{}", total.plastic);
    assert!(total.residual().abs() < 1e-9 * total.held, "{:e}", total.residual());
    let twice = Model::with_sections(mesh.clone(), Space::PlaneStress { thickness: 1.0 }, &[sections[0].clone()]).unwrap_err();
    assert!(twice.to_string().contains("element 2 has 0 materials"), "{twice}");
    let missing = Model::with_sections(mesh, Space::Solid, &[("sofd", sections[1].1.clone())]).unwrap_err().to_string();
    assert!(missing.contains("did you mean `soft`?"), "{missing}");
}

/// The conserving scheme has no energy to keep where there is a history.
#[test]
fn conserving_scheme_refuses_history() {
    let space = Space::PlaneStrain { thickness: 1.0 };
    let model = Model::new(unit(Cell::Quad4, 1), space, &Section::new(damage(), 1.0).unwrap()).unwrap();
    let error = Body::new(model.into(), Scheme::Conserving { mass: MassKind::Consistent }).unwrap_err().to_string();
    assert!(error.contains("take the θ-scheme"), "{error}");
}
