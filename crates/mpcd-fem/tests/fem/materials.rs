//! Materials at a point: closed forms, tangents against differences, parameters that are refused; internal forces of every element
//! against differences.

use std::sync::Arc;

use mpcd_core::Vec3;
use mpcd_fem::{
    Conditions, Hardening, Isotropic, J2, KelvinVoigt, Material, MaterialError, Newton, Prescribed, Section, Space, Statics,
    Voigt, von_mises,
};

use crate::{PLANAR, SPATIAL, linear, model, neo_hookean, saint_venant, unit};

fn j2() -> J2 {
    let hardening = Hardening::saturating(1.0, 20.0, 1.5, 30.0).unwrap();
    J2 { elastic: Isotropic::new(1000.0, 0.3).unwrap(), hardening }
}

/// The tangent is the derivative of the stress, the stress that of the energy (where there is one).
#[test]
fn tangents_are_derivatives() {
    let strain = Voigt::new(0.02, -0.013, 0.007, 0.03, -0.011, 0.017);
    let materials: [(&dyn Material, bool); 4] =
        [(&linear(1e3, 0.3), true), (&saint_venant(1e3, 0.3), true), (&neo_hookean(1e3, 0.3), true), (&j2(), false)];
    for (material, has_potential) in materials {
        let old = vec![0.0; material.history_len()];
        let mut new = old.clone();
        let at = material.respond(&strain, &old, &mut new).unwrap();
        assert!((at.tangent - at.tangent.transpose()).amax() < 1e-12 * at.tangent.amax());
        let step = 1e-6;
        for k in 0..6 {
            let mut moved = |size: f64| {
                let mut e = strain;
                e[k] += size;
                material.respond(&e, &old, &mut new).unwrap()
            };
            let (high, low) = (moved(step), moved(-step));
            let column = (high.stress - low.stress) / (2.0 * step);
            let error = (column - at.tangent.column(k)).amax() / at.tangent.amax();
            assert!(error < 1e-7, "{material:?} {k}: {error:e}");
            if has_potential {
                let slope = (high.energy - low.energy) / (2.0 * step);
                assert!((slope - at.stress[k]).abs() < 1e-6 * at.stress.amax(), "{material:?} {k}");
            }
        }
    }
}

/// For small strains every elastic law is the linear one.
#[test]
fn elastic_laws_agree_for_small_strain() {
    let strain = Voigt::new(2.0, -1.3, 0.7, 3.0, -1.1, 1.7) * 1e-7;
    let expected = linear(1e3, 0.3).respond(&strain, &[], &mut []).unwrap().stress;
    let found = neo_hookean(1e3, 0.3).respond(&strain, &[], &mut []).unwrap().stress;
    assert!((found - expected).amax() < 1e-5 * expected.amax());
}

/// E 1000, ν 0.3, stretch 1.1: S and P = λS of one element.
#[test]
fn v8_saint_venant_kirchhoff_uniaxial() {
    for cell in SPATIAL {
        let model = model(unit(cell, 1), Space::Solid, saint_venant(1000.0, 0.3), 1.0);
        let hold = |c: Conditions, group: &str, axis, u| c.with_held(&model, group, axis, Prescribed::Displacement(u)).unwrap();
        let stretched = [("left", 0, 0.0), ("right", 0, 0.1), ("bottom", 1, 0.0), ("back", 2, 0.0)]
            .into_iter()
            .fold(Conditions::default(), |c, (group, axis, u)| hold(c, group, axis, u));
        let confined = hold(hold(stretched.clone(), "top", 1, 0.0), "front", 2, 0.0);
        let mut statics = Statics::new(model.clone()).with_newton(Newton { tolerance: 1e-13, iterations: 30 });
        let mut force = |conditions: &Conditions| {
            let (state, reactions) = statics.solve(&model.rest(), &Conditions::default(), conditions, 1).unwrap();
            let nodes = model.mesh().nodes_of("right").unwrap();
            let top = model.mesh().nodes_of("top").unwrap()[0];
            (nodes.iter().map(|n| reactions[3 * n]).sum::<f64>(), 1.0 + state.displacement[3 * top + 1])
        };
        let (p, _) = force(&confined);
        assert!((p - 155.48077).abs() < 1e-5 && (p / 1.1 - 141.34615).abs() < 1e-5, "{}: {p}", cell.name());
        let (p, lateral) = force(&stretched);
        assert!((p - 115.5).abs() < 1e-9 && (lateral - 0.967_988).abs() < 1e-6, "{}: {p} {lateral}", cell.name());
    }
}

/// The stiffness of statics is the derivative of the force, through the reactions of held nodes: moving one node by ±δ.
#[test]
fn element_tangents_are_derivatives_of_the_force() {
    for cell in PLANAR.into_iter().chain(SPATIAL) {
        let spaces: &[Space] = if cell.dimension() == 3 {
            &[Space::Solid]
        } else {
            &[Space::PlaneStrain { thickness: 0.5 }, Space::PlaneStress { thickness: 0.5 }, Space::Axisymmetric]
        };
        for &space in spaces {
            let materials: [Arc<dyn Material>; 4] =
                [Arc::new(linear(1e3, 0.3)), Arc::new(saint_venant(1e3, 0.3)), Arc::new(neo_hookean(1e3, 0.3)), Arc::new(j2())];
            for material in materials {
                let mesh = unit(cell, 1).moved(|x| x + Vec3::new(0.5 + 0.05 * x.y, 0.08 * x.x * x.y, 0.0)).unwrap();
                let name = format!("{} {space:?} {material:?}", cell.name());
                let model = model(mesh, space, KelvinVoigt::new(material, 0.0).unwrap(), 1.0);
                let mut state = model.rest();
                (0..model.unknowns()).for_each(|k| state.displacement[k] = 0.03 * (3.7 * k as f64).sin());
                for unknown in [0, model.unknowns() - 2] {
                    let step = 1e-6;
                    let moved = |size: f64| {
                        let mut s = state.clone();
                        s.displacement[unknown] += size;
                        model.forces(&s).unwrap()
                    };
                    let (high, low) = (moved(step), moved(-step));
                    let column = model.stiffness_column(&state, unknown).unwrap();
                    let size = column.iter().fold(0.0_f64, |m, k| m.max(k.abs()));
                    for row in 0..model.unknowns() {
                        let slope = (high[row] - low[row]) / (2.0 * step);
                        assert!((slope - column[row]).abs() < 2e-6 * size, "{name}: {row} {unknown}: {slope} {}", column[row]);
                    }
                }
            }
        }
    }
}

#[test]
fn von_mises_of_pure_shear_and_tension() {
    assert!((von_mises(&Voigt::new(0.0, 0.0, 0.0, 2.0, 0.0, 0.0)) - 2.0 * 3.0_f64.sqrt()).abs() < 1e-15);
    assert!((von_mises(&Voigt::new(0.0, -5.0, 0.0, 0.0, 0.0, 0.0)) - 5.0).abs() < 1e-15);
}

#[test]
fn impossible_parameters_are_refused() {
    let text = |r: Result<Isotropic, MaterialError>| r.unwrap_err().to_string();
    assert!(text(Isotropic::new(-1.0, 0.3)).contains("Young's modulus is -1"));
    assert!(text(Isotropic::new(f64::NAN, 0.3)).contains("Young's modulus"));
    assert!(text(Isotropic::new(1.0, 0.5)).contains("below 0.5"));
    assert!(text(Isotropic::new(1.0, -1.0)).contains("above −1"));
    assert!(Hardening::linear(0.0, 1.0).is_err() && Hardening::linear(1.0, -1.0).is_err());
    assert!(Hardening::saturating(1.0, 0.0, 0.5, 1.0).is_err());
    assert!(KelvinVoigt::new(Arc::new(linear(1.0, 0.3)), -1.0).is_err());
    assert!(Section::new(linear(1.0, 0.3), 0.0).is_err());
    assert!(Section::new(linear(1.0, 0.3), 1.0).unwrap().with_rayleigh(-1.0, 0.0).is_err());
    // a fully squeezed point has no stress
    let squeezed = neo_hookean(1.0, 0.3).respond(&Voigt::new(-0.5, 0.0, 0.0, 0.0, 0.0, 0.0), &[], &mut []);
    assert!(matches!(squeezed, Err(MaterialError::Strain { .. })));
}
