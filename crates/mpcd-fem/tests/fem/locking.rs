//! Where elements lock: thin curved arches (membrane), bending and near incompressibility in space. Against theories of beams and rings, so that what the
//! book says of each element is a number.

use mpcd_core::Vec3;
use mpcd_fem::{Cell, Conditions, Mesh, Prescribed, Space, Statics};

use crate::{PLANAR, SPATIAL, linear, model};

/// A quarter of a ring of mean radius 1 and thickness 1/20 under half of a pair of opposing forces: its shortening over (π/8 − 1/π) F R³/EI.
fn ring(cell: Cell, around: usize) -> f64 {
    let (thickness, force, young) = (0.05, 1e-4, 1.0);
    let mesh =
        Mesh::annulus(1.0 - 0.5 * thickness, 1.0 + 0.5 * thickness, 0.5 * std::f64::consts::PI, [1, around], cell).unwrap();
    let model = model(mesh, Space::PlaneStress { thickness: 1.0 }, linear(young, 0.0), 1.0);
    let held = Conditions::default()
        .with_held(&model, "start", 1, Prescribed::Displacement(0.0))
        .unwrap()
        .with_held(&model, "end", 0, Prescribed::Displacement(0.0))
        .unwrap();
    let pressed = held.clone().with_traction(&model, "end", Vec3::new(0.0, -0.5 * force / thickness, 0.0)).unwrap();
    let (state, _) = Statics::new(model.clone()).solve(&model.rest(), &held, &pressed, 1).unwrap();
    let end = model.mesh().nodes_of("end").unwrap();
    let moved = end.iter().map(|n| -state.displacement[2 * n + 1]).sum::<f64>() / end.len() as f64;
    let theory = (std::f64::consts::PI / 8.0 - 1.0 / std::f64::consts::PI) * force / (young * thickness.powi(3) / 12.0);
    moved / theory
}

/// Thin arches: straight cells and few curved ones are far too stiff, and it goes away with the cells.
#[test]
fn thin_arches_lock() {
    let coarse: Vec<f64> = PLANAR.into_iter().map(|cell| ring(cell, 5)).collect();
    let middle: Vec<f64> = PLANAR.into_iter().map(|cell| ring(cell, 16)).collect();
    let fine: Vec<f64> = PLANAR.into_iter().map(|cell| ring(cell, 64)).collect();
    let [t3, t6, q4, q8] = coarse[..] else { panic!() };
    assert!(t3 < 0.1 && q4 < 0.1 && t6 < 0.9 && q8 < 0.9, "{coarse:?}");
    let [t3, t6, q4, q8] = middle[..] else { panic!() };
    assert!(t3 < 0.2 && q4 < 0.5 && t6 > 0.98 && q8 > 0.98, "{middle:?}");
    let [t3, t6, q4, q8] = fine[..] else { panic!() };
    assert!(t3 < 0.5 && q4 > 0.8 && (t6 - 1.0).abs() < 0.01 && (q8 - 1.0).abs() < 0.01, "{fine:?}");
}

/// Deflection of a beam of 8 × 1 × 1 by a force at its end over that of Timoshenko, without Poisson's effect on the clamped end where ν = 0.
fn beam(cell: Cell, poisson: f64, count: [usize; 3]) -> f64 {
    let (length, young) = (8.0_f64, 1.0);
    let model = model(Mesh::cuboid([length, 1.0, 1.0], count, cell).unwrap(), Space::Solid, linear(young, poisson), 1.0);
    let fixed = Conditions::default().with_fixed(&model, "left").unwrap();
    let loaded = fixed.clone().with_traction(&model, "right", Vec3::new(0.0, 1.0, 0.0)).unwrap();
    let (state, _) = Statics::new(model.clone()).solve(&model.rest(), &fixed, &loaded, 1).unwrap();
    let end = model.mesh().nodes_of("right").unwrap();
    let moved = end.iter().map(|n| state.displacement[3 * n + 1]).sum::<f64>() / end.len() as f64;
    let shear = young / (2.0 * (1.0 + poisson));
    moved / (length.powi(3) / (3.0 * young / 12.0) + length / (5.0 / 6.0 * shear))
}

/// In space: linear cells lock in bending, and near ν = ½, quadratic ones hardly.
#[test]
fn solids_lock_in_bending_and_near_incompressibility() {
    let bent: Vec<f64> = SPATIAL.into_iter().map(|cell| beam(cell, 0.0, [8, 1, 1])).collect();
    let squeezed: Vec<f64> = SPATIAL.into_iter().map(|cell| beam(cell, 0.4999, [8, 2, 2]) / beam(cell, 0.3, [8, 2, 2])).collect();
    let [tet4, tet10, hex8, hex20] = bent[..] else { panic!() };
    assert!(tet4 < 0.6 && hex8 < 0.8 && tet10 > 0.95 && hex20 > 0.97, "{bent:?}");
    let [tet4, tet10, hex8, hex20] = squeezed[..] else { panic!() };
    assert!(tet4 < 0.5 && hex8 < 0.5 && tet10 > 0.85 && hex20 > 0.9, "{squeezed:?}");
}
