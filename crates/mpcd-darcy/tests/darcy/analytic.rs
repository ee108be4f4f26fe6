//! VALIDATION §12: values of fixed beds.

use std::f64::consts::PI;

use mpcd_darcy::{
    ends::EndLaw,
    medium::{Medium, carman_kozeny},
    schedule::Composition,
    step::{Scheme, Stepper},
};

use crate::support::{air, grid, held, uniform_medium, walls, water};

#[test]
fn v12_permeability() {
    for (diameter, want) in [(200e-6, 3.950617e-11), (100e-6, 9.876543e-12)] {
        let kappa = carman_kozeny(diameter / 2.0, 0.4);
        assert!((kappa / want - 1.0).abs() < 2e-7, "{kappa}");
    }
    // least fluidising speed of 200 µm glass in air: κ/η times the gradient
    let speed = carman_kozeny(100e-6, 0.4) / 1.8e-5 * 0.6 * (2500.0 - 1.2) * 9.81;
    assert!((speed - 0.0322808).abs() < 5e-8, "{speed}");
}

/// Σ over odd n of 4/(nπ) sin(nπ/2) exp(−n²π²T): the middle of a drained layer.
fn middle(t: f64) -> f64 {
    (0..40).map(|k| f64::from(2 * k + 1)).map(|n| 4.0 / (n * PI) * (n * PI / 2.0).sin() * (-n * n * PI * PI * t).exp()).sum()
}

/// Runs a layer of length `l` along `axis`, 101 cells, in which the pressure starts at `base + p0` and is drained by `ends`.
fn layer(axis: usize, cells: usize, scheme: Scheme, gas: bool, ends: [EndLaw; 2], steps: usize, until: f64, p0: f64) -> Vec<f64> {
    let (mut lengths, mut count) = ([0.01; 3], [1; 3]);
    (lengths[axis], count[axis]) = (0.2, cells);
    let fluid = if gas { air() } else { water() };
    let (phi, kappa) = (0.4, 3.950617e-11);
    let base = if gas { 1e5 } else { 0.0 };
    // D = P₀κ/(ηφ) for gas, κ/(ηφc_f) for liquid: κ/(ηφ) over the content slope
    let d = kappa / (fluid.viscosity * phi * fluid.content_slope());
    let h = until * 0.2 * 0.2 / d / steps as f64;
    let g = grid(lengths, count, [false; 3]);
    let medium = uniform_medium(&g, phi, kappa);
    let mut sides = walls();
    sides[axis] = ends;
    let mut pressure = vec![base + p0; g.len()];
    let mut stepper = Stepper::new(g, fluid, sides, scheme);
    for k in 0..steps {
        let (report, _) = stepper.advance(k as f64 * h, h, &medium, &mut pressure, k < 2).unwrap();
        assert_eq!(report.status, mpcd_core::Status::Converged);
    }
    pressure.iter().map(|p| (p - base) / p0).collect()
}

#[test]
fn v12_step_release() {
    for (t, want) in [(0.05, 0.77231), (0.1, 0.47449), (0.2, 0.17687)] {
        assert!((middle(t) - want).abs() < 5e-6, "the series itself: {}", middle(t));
        for axis in 0..3 {
            for gas in [true, false] {
                let base = if gas { 1e5 } else { 0.0 };
                // gas: p/P₀ = 1e-6, so that its own non-linearity stays below the last digit
                let p = layer(axis, 101, Scheme::default(), gas, [held(base), held(base)], 200, t, 0.1);
                assert!((p[50] - want).abs() < 1e-4, "T = {t}, axis {axis}, gas {gas}: {} instead of {want}", p[50]);
            }
        }
    }
}

#[test]
fn v12_terzaghi() {
    for (t, want) in [(0.1, 0.35682), (0.197, 0.50034), (0.848, 0.89998)] {
        let p = layer(1, 200, Scheme::default(), false, [EndLaw::Wall, held(0.0)], 400, t, 1e4);
        let settled = 1.0 - p.iter().sum::<f64>() / p.len() as f64;
        assert!((settled - want).abs() < 1e-4, "T = {t}: {settled} instead of {want}");
    }
}

/// Steady flow through two layers in series; inflow per time at the low end.
fn steady(gas: bool, axis: usize, scheme: Scheme) -> (f64, f64, f64) {
    let (mut lengths, mut count) = ([0.03, 0.02, 0.05], [3, 2, 2]);
    (lengths[axis], count[axis]) = (0.2, 20);
    let g = grid(lengths, count, [false; 3]);
    let fluid = if gas { air() } else { water() };
    let mut medium: Medium = uniform_medium(&g, 0.4, 1e-11);
    for c in 0..g.len() {
        if g.indices(c)[axis] >= 8 {
            medium.permeability[c] = 4e-11;
        }
    }
    let (low, high) = (1.6e5, 1.1e5);
    let mut sides = walls();
    sides[axis] = [held(low), held(high)];
    let mut pressure = vec![high; g.len()];
    let area = lengths.iter().product::<f64>() / 0.2;
    let cells = g.len();
    let mut stepper = Stepper::new(g, fluid, sides, scheme);
    // κ of two layers in series, lengths 8 : 12
    let kappa = 0.2 / (0.08 / 1e-11 + 0.12 / 4e-11);
    let potential = fluid.potential(low) - fluid.potential(high);
    let want = kappa / fluid.viscosity * potential / 0.2 * area;
    let h = if gas { 0.5 } else { 1e-4 };
    let (mut entering, mut leaving) = (0.0, 0.0);
    for _ in 0..40 {
        let (report, _) = stepper.advance(0.0, h, &medium, &mut pressure, true).unwrap();
        (entering, leaving) = (report.inflow[axis][0] / h, -report.inflow[axis][1] / h);
    }
    assert_eq!(pressure.len(), cells);
    (entering / want - 1.0, leaving / want - 1.0, want)
}

#[test]
fn v12_fixed_bed_flux() {
    for axis in 0..3 {
        for gas in [true, false] {
            let (entering, leaving, _) = steady(gas, axis, Scheme::default());
            assert!(entering.abs() < 1e-9 && leaving.abs() < 1e-9, "axis {axis}, gas {gas}: {entering:e} {leaving:e}");
        }
    }
    let (entering, leaving, _) = steady(true, 0, Scheme { composition: Composition::Split, ..Scheme::default() });
    assert!(entering.abs() < 1e-6 && leaving.abs() < 1e-6);
}

#[test]
fn a_given_inflow_sets_the_gradient() {
    let g = grid([0.2, 0.1, 0.1], [10, 1, 1], [false; 3]);
    let mut sides = walls();
    let speed = 0.03;
    sides[0] = [EndLaw::Flux(mpcd_core::TimeFunction::Constant(speed)), held(1e5)];
    let medium = uniform_medium(&g, 0.4, 3.950617e-11);
    let mut pressure = vec![1e5; 10];
    let mut stepper = Stepper::new(g, air(), sides, Scheme::default());
    for _ in 0..60 {
        stepper.advance(0.0, 0.5, &medium, &mut pressure, true).unwrap();
    }
    // P² is linear: (P² − P_out²)/2P₀ = q η/κ × distance to the outlet
    for (i, p) in pressure.iter().enumerate() {
        let distance = 0.2 - (i as f64 + 0.5) * 0.02;
        let want = (1e10 + 2.0 * 1e5 * speed * 1.8e-5 / 3.950617e-11 * distance).sqrt();
        assert!((p / want - 1.0).abs() < 1e-10, "{p} {want}");
    }
}
