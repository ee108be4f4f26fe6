//! Orders of convergence in time step and cell size, asserted as slopes.

use std::f64::consts::PI;

use mpcd_darcy::{
    medium::Medium,
    schedule::Composition,
    step::{Form, Scheme, Stepper},
};

use crate::support::{air, grid, held, slope, uniform_medium, walls, water};

/// A decaying product of cosines in a closed box of water: p = Π cos(πx/L) exp(−D π² Σ1/L² t). Mean error at time `until`.
fn decay(cells: [usize; 3], steps: usize, until: f64, scheme: Scheme) -> f64 {
    let lengths = [0.2, 0.15, 0.1];
    let g = grid(lengths, cells, [false; 3]);
    let (phi, kappa) = (0.4, 4e-11);
    let fluid = water();
    let d = kappa / (fluid.viscosity * phi * fluid.content_slope());
    let used: Vec<usize> = (0..3).filter(|a| cells[*a] > 1).collect();
    let rate = d * PI * PI * used.iter().map(|a| 1.0 / (lengths[*a] * lengths[*a])).sum::<f64>();
    let shape = |c: usize| used.iter().map(|a| (PI * g.centre(c)[*a] / lengths[*a]).cos()).product::<f64>();
    let mut pressure: Vec<f64> = (0..g.len()).map(shape).collect();
    let exact: Vec<f64> = pressure.iter().map(|p| p * (-until).exp()).collect();
    let medium = uniform_medium(&g, phi, kappa);
    let h = until / rate / steps as f64;
    let mut stepper = Stepper::new(g, fluid, walls(), scheme);
    for k in 0..steps {
        stepper.advance(k as f64 * h, h, &medium, &mut pressure, false).unwrap();
    }
    pressure.iter().zip(&exact).map(|(p, e)| (p - e).abs()).sum::<f64>() / pressure.len() as f64
}

#[test]
fn second_order_in_cell_size() {
    for composition in [Composition::Unsplit, Composition::Split] {
        let scheme = Scheme { composition, ..Scheme::default() };
        let sizes = [8.0, 16.0, 32.0];
        let errors: Vec<f64> = [8, 16, 32].map(|n| decay([n, n, 1], 400, 0.5, scheme)).to_vec();
        let order = -slope(&sizes, &errors);
        println!("cell size, {composition:?}: {errors:?}, order {order:.3}");
        assert!((1.9..2.1).contains(&order));
    }
}

/// The error against a run with far smaller steps on the same grid, so that only the time step counts.
#[test]
fn order_in_time_step() {
    for (composition, form, theta, low, high) in [
        (Composition::Unsplit, Form::Conservative, 0.5, 1.9, 2.1),
        (Composition::Unsplit, Form::Conservative, 1.0, 0.9, 1.1),
        (Composition::Split, Form::Conservative, 0.5, 1.9, 2.1),
        (Composition::Split, Form::Source, 0.5, 1.9, 2.1),
    ] {
        let scheme = Scheme { composition, form, theta, ..Scheme::default() };
        let run = |steps: usize| gas_run(8, steps, scheme);
        let fine = run(512);
        let error = |steps: usize| run(steps).iter().zip(&fine).map(|(a, b)| (a - b).abs()).sum::<f64>();
        let errors = [error(8), error(16), error(32)];
        let order = -slope(&[8.0, 16.0, 32.0], &errors);
        println!("time step, {composition:?} {form:?} θ {theta}: {errors:?}, order {order:.3}");
        assert!((low..high).contains(&order), "{composition:?} {form:?} θ {theta}: {order}");
    }
}

/// A strong gas pulse (non-linear) in a box of `n`² cells with one held side; the pressure after a tenth of the diffusion time.
fn gas_run(n: usize, steps: usize, scheme: Scheme) -> Vec<f64> {
    let g = grid([0.1, 0.1, 0.01], [n, n, 1], [false; 3]);
    let mut medium: Medium = uniform_medium(&g, 0.4, 4e-11);
    for c in 0..g.len() {
        medium.permeability[c] *= 1.0 + 0.5 * (20.0 * g.centre(c).x).sin();
    }
    let mut pressure: Vec<f64> = (0..g.len())
        .map(|c| 1e5 * (1.0 + 0.5 * (1.0 + (PI * g.centre(c).x / 0.1).cos()) * (1.0 - (PI * g.centre(c).y / 0.1).cos()) * 0.25))
        .collect();
    let mut sides = walls();
    sides[0][1] = held(1e5);
    let until = 0.1 * 0.01 * 0.4 * 1.8e-5 / (1e5 * 4e-11);
    let mut stepper = Stepper::new(g, air(), sides, scheme);
    let h = until / steps as f64;
    for k in 0..steps {
        stepper.advance(k as f64 * h, h, &medium, &mut pressure, false).unwrap();
    }
    pressure
}
