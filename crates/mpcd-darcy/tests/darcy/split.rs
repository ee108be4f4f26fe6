//! The source's form: how much mass it loses, and at which order that falls.

use std::f64::consts::TAU;

use mpcd_core::Vec3;
use mpcd_darcy::{
    deposit::GrainStep,
    medium::Permeability,
    schedule::Composition,
    step::{Form, Scheme, Stepper},
};

use crate::support::{air, grid, lattice, medium_of, slope, walls};

/// Grains of a periodic box are squeezed together in places. Returns the relative change of the gas.
fn drift(form: Form, composition: Composition, cells: usize, steps: usize) -> f64 {
    let g = grid([0.02, 0.02, 0.02], [cells, cells, 1], [true, true, false]);
    // the same grains and the same smoothing on every grid
    let bed: Vec<GrainStep> = lattice(&g, 32 / cells, 0.5, Vec3::zeros());
    let rest: Vec<Vec3> = bed.iter().map(|grain| grain.position[0]).collect();
    let grain = GrainStep { smoothing: 0.005, ..bed[0] };
    let place = |x: &Vec3, t: f64| {
        let bump = (TAU * x.x / 0.02).sin() + 0.5 * (TAU * x.y / 0.02).cos();
        x + Vec3::new(1.5e-3, 1e-3, 0.0) * bump * (1.0 - (0.5 * TAU * t).cos()) / 2.0
    };
    let scheme = Scheme { form, composition, ..Scheme::default() };
    let mut stepper = Stepper::new(g.clone(), air(), walls(), scheme);
    let mut pressure = vec![1e5; g.len()];
    let (mut first, mut last) = (0.0, 0.0);
    for k in 0..steps {
        let at = |k: usize| k as f64 / steps as f64;
        let moved: Vec<GrainStep> =
            rest.iter().map(|x| GrainStep { position: [place(x, at(k)), place(x, at(k + 1))], ..grain }).collect();
        let medium = medium_of(&g, &moved, Permeability::CarmanKozeny, stepper.open());
        let content = |pores: &[f64], p: &[f64]| pores.iter().zip(p).map(|(e, p)| e * p).sum::<f64>();
        if k == 0 {
            first = content(&medium.pores_before, &pressure);
        }
        stepper.advance(0.0, 2e-3 / steps as f64, &medium, &mut pressure, false).unwrap();
        last = content(&medium.pores_after, &pressure);
    }
    last / first - 1.0
}

#[test]
fn the_source_form_drifts_and_the_conservative_one_does_not() {
    for composition in [Composition::Unsplit, Composition::Split] {
        let kept = drift(Form::Conservative, composition, 8, 20);
        assert!(kept.abs() < 1e-13, "{composition:?}: {kept:e}");
        let lost = drift(Form::Source, composition, 8, 20);
        println!("mass drift of the source's form, {composition:?}: {lost:e}");
        assert!(lost.abs() > 1e-9 && lost.abs() < 1e-2, "{composition:?}: {lost:e}");
    }
}

#[test]
fn the_drift_of_the_source_form_is_an_error_of_its_differences() {
    // it does not fall with the time step ...
    let steps = [10, 20, 40].map(|n| drift(Form::Source, Composition::Split, 8, n).abs());
    assert!(slope(&[10.0, 20.0, 40.0], &steps).abs() < 0.1, "{steps:?}");
    // ... but with the cell size
    let cells = [8.0, 16.0, 32.0];
    let drifts = [8, 16, 32].map(|n| drift(Form::Source, Composition::Split, n, 20).abs());
    let order = -slope(&cells, &drifts);
    println!("mass drift by cell size: {drifts:?}, order {order:.2}");
    assert!(order > 1.7, "{drifts:?} {order}");
}
