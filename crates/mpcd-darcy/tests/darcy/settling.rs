//! Grains that fall in the fluid they push aside, with the fixed point of force and motion, without contacts.

use mpcd_core::{Dimension, Kinematics, Quat, Vec3, field::names};
use mpcd_geometry::Shape;

use crate::{
    module::{Run, setup},
    support::{grid, lattice},
};

/// A bed that fills a closed column and falls, at first with `speed`. Returns the most fixed-point iterations a step took and the
/// mean speed of the middle third at the end.
fn fall(fluid: &str, speed: f64, steps: usize, h: f64) -> (usize, f64) {
    let g = grid([1e-3, 12e-3, 1e-3], [2, 24, 2], [true, false, true]);
    let bed = lattice(&g, 2, 0.6, Vec3::zeros());
    // the lattice has grains of its own size; the permeability is that of 200 µm
    let places: Vec<Vec3> = bed.iter().map(|b| b.position[0]).collect();
    let mut model = setup(Dimension::Spatial, Shape::Ball { radius: bed[0].radius }, &places, 2500.0);
    model.periods = [Some(1e-3), None, Some(1e-3)];
    let text = format!(
        "Darcy(grid: (from: (0, 0, 0), to: (1e-3, 12e-3, 1e-3), cells: (2, 24, 2)), fluid: {fluid}, permeability: Given(3.950617e-11),
         scheme: Unsplit(theta: 1), smoothing: 0, boundaries: (x_min: Periodic, x_max: Periodic, z_min: Periodic, z_max: Periodic))"
    );
    let mut run = Run::new(&text, &model);
    let n = places.len();
    let mut now = model.initial.clone();
    now.velocity.fill(Vec3::new(0.0, -speed, 0.0));
    let mut most = 0;
    for _ in 0..steps {
        let mut force = vec![Vec3::zeros(); n];
        let mut last: Option<(Vec<Vec3>, f64)> = None;
        let mut count = 0;
        let after = loop {
            let mut after = Kinematics::default();
            for i in 0..n {
                let v = now.velocity[i] + (force[i] / model.bodies.mass[i] + model.gravity) * h;
                after.push_at_rest(now.position[i] + (now.velocity[i] + v) * (0.5 * h), Quat::identity());
                after.velocity[i] = v;
            }
            let saved = run.module.save().unwrap();
            let index = run.index;
            run.step(&model, &now, &after, h);
            let new: Vec<Vec3> = run.written(names::FLUID_FORCE).chunks_exact(3).map(Vec3::from_column_slice).collect();
            let change: Vec<Vec3> = new.iter().zip(&force).map(|(a, b)| a - b).collect();
            let norm = |v: &[Vec3]| v.iter().map(Vec3::norm_squared).sum::<f64>().sqrt();
            count += 1;
            if norm(&change) <= 1e-8 * norm(&new) {
                break after;
            }
            assert!(count < 500, "the fixed point does not converge");
            run.module.load(&saved).unwrap();
            run.index = index;
            // Aitken's relaxation
            let weight = match &last {
                None => 1.0,
                Some((before, weight)) => {
                    let difference: Vec<Vec3> = change.iter().zip(before).map(|(a, b)| a - b).collect();
                    let along: f64 = before.iter().zip(&difference).map(|(a, b)| a.dot(b)).sum();
                    -weight * along / norm(&difference).powi(2)
                }
            };
            force.iter_mut().zip(&change).for_each(|(f, c)| *f += c * weight);
            last = Some((change, weight));
        };
        most = most.max(count);
        now = after;
    }
    let middle: Vec<f64> = (0..n).filter(|i| (4e-3..8e-3).contains(&places[*i].y)).map(|i| -now.velocity[i].y).collect();
    (most, middle.iter().sum::<f64>() / middle.len() as f64)
}

#[test]
fn v12_a_bed_in_a_closed_column_falls_at_the_least_fluidising_speed() {
    // no total flux: the fluid goes up through the grains as they go down, u = κ/η φ_s (ρ_s − ρ_f) g,
    // and speeds up as 1 − exp(−t/τ) with τ = φ_s ρ_s κ/η
    let kappa = 3.950617e-11_f64;
    for (fluid, viscosity, rho_f) in [
        // stiff, so that the pressure is there at once
        ("Gas(viscosity: 1.8e-5, reference_pressure: 1e7, density: 1.2)", 1.8e-5, 1.2_f64),
        ("Liquid(viscosity: 1e-3, compressibility: 4.5e-12, density: 1000)", 1e-3, 1000.0),
    ] {
        let end = kappa / viscosity * 0.6 * (2500.0 - rho_f) * 9.81;
        let tau = 0.6 * 2500.0 * kappa / viscosity;
        assert!(rho_f > 2.0 || (end - 0.0322808).abs() < 1e-7);
        let (most, speed) = fall(fluid, end, 20, tau / 30.0);
        println!("{end} m/s stays {speed}, fixed point {most}");
        assert!((speed / end - 1.0).abs() < 1e-3, "{speed} instead of {end}");
        let errors = [20, 40, 80].map(|n| {
            let (_, speed) = fall(fluid, 0.0, n, tau / f64::from(n as u32));
            speed / (end * (1.0 - (-1.0_f64).exp())) - 1.0
        });
        println!("after one relaxation time, relative errors {errors:?}");
        // what is left is the compression of the fluid and, at first, the time step
        assert!(errors[0].abs() < 5e-4 && errors[2].abs() < 1e-4, "{errors:?}");
        let (most, _) = fall(fluid, end, 10, 3.0 * tau);
        println!("with steps of three relaxation times, fixed point {most}");
    }
}
