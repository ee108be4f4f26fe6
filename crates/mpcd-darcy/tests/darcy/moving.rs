//! Moving grains: mass in a sealed vessel, a bed that carries the pressure along, compaction.

use mpcd_core::{Status, Vec3};
use mpcd_darcy::{
    deposit::GrainStep,
    grid::Grid,
    medium::{Medium, Permeability},
    pass::NewtonSettings,
    schedule::Composition,
    step::{Scheme, Stepper},
};

use crate::support::{Random, air, grid, held, lattice, medium_of, random_grains, walls, water};

/// Content of all cells [m³ at reference density].
fn content(stepper: &Stepper, pores: &[f64], pressure: &[f64]) -> f64 {
    pores.iter().zip(pressure).map(|(e, p)| e * stepper.fluid().content(*p)).sum()
}

/// Grains that wander about in a box for `steps` steps: one list per step.
fn wandering(g: &Grid, steps: usize) -> Vec<Vec<GrainStep>> {
    let mut random = Random(11);
    let mut grains = random_grains(g, 300, 0.55 * g.cell_volume() * g.len() as f64 / 300.0, 0.0, 3);
    (0..steps)
        .map(|k| {
            for grain in &mut grains {
                let x = grain.position[1];
                let y = Vec3::from_fn(|d, _| (x[d] + random.between(-1e-4, 1e-4)).clamp(0.0, g.length(d)));
                grain.position = [x, y];
                // and some of them breathe
                grain.volume = [grain.volume[1], grain.volume[1] * if k % 3 == 0 { 1.001 } else { 0.9995 }];
            }
            grains.clone()
        })
        .collect()
}

#[test]
fn v12_sealed_vessel_keeps_its_gas() {
    for cells in [[6, 5, 1], [5, 4, 4]] {
        for composition in [Composition::Unsplit, Composition::Split] {
            // mass is conserved to rounding even where the pressure is only known to a hundredth
            for (theta, tolerance) in [(0.5, 1e-10), (1.0, 1e-10), (0.5, 1e-2)] {
                let g = grid([0.02, 0.02, 0.02], cells, [false; 3]);
                let newton = NewtonSettings { tolerance, max_iterations: 50 };
                let scheme = Scheme { composition, theta, newton, ..Scheme::default() };
                let steps = wandering(&g, 30);
                let mut random = Random(5);
                let mut pressure: Vec<f64> = (0..g.len()).map(|_| 1e5 * random.between(0.5, 2.0)).collect();
                let mut stepper = Stepper::new(g.clone(), air(), walls(), scheme);
                let mut start = None;
                for (k, grains) in steps.iter().enumerate() {
                    let medium = medium_of(&g, grains, Permeability::CarmanKozeny, stepper.open());
                    let before = content(&stepper, &medium.pores_before, &pressure);
                    let first = *start.get_or_insert(before);
                    let (report, _) = stepper.advance(0.0, 1e-4, &medium, &mut pressure, k < 2).unwrap();
                    assert_eq!(report.status, Status::Converged, "{report:?}");
                    let after = content(&stepper, &medium.pores_after, &pressure);
                    assert!((after / first - 1.0).abs() < 2e-14, "{cells:?} {composition:?} step {k}: {:e}", after / first - 1.0);
                }
                assert!(pressure.iter().all(|p| (p / 1e5 - 1.0).abs() > 1e-6), "nothing happened");
            }
        }
    }
}

#[test]
fn liquid_content_follows_the_inflow() {
    let g = grid([0.02, 0.02, 0.02], [5, 4, 4], [false; 3]);
    let mut sides = walls();
    sides[1][1] = held(0.0);
    let mut stepper = Stepper::new(g.clone(), water(), sides, Scheme { theta: 1.0, ..Scheme::default() });
    let mut pressure = vec![0.0; g.len()];
    for grains in wandering(&g, 20) {
        let medium = medium_of(&g, &grains, Permeability::CarmanKozeny, stepper.open());
        let before = content(&stepper, &medium.pores_before, &pressure);
        let (report, _) = stepper.advance(0.0, 1e-4, &medium, &mut pressure, false).unwrap();
        let after = content(&stepper, &medium.pores_after, &pressure);
        let inflow: f64 = report.inflow.iter().flatten().sum();
        assert!((after - before - inflow).abs() < 1e-13 * after, "{:e}", (after - before - inflow) / after);
        assert!(inflow != 0.0);
    }
}

/// A random bed that fills a periodic box and moves by `shift` as a whole.
fn rigid_bed(g: &Grid, shift: Vec3, law: Permeability) -> Medium {
    let mut grains = random_grains(g, 4000, 0.55 * g.cell_volume() * g.len() as f64 / 4000.0, 0.0, 9);
    grains.iter_mut().for_each(|grain| {
        grain.smoothing = 3.0 * g.spacing(0);
        grain.position[1] = grain.position[0] + shift;
    });
    medium_of(g, &grains, law, [[false; 2]; 3])
}

/// A bed that moves by u carries its gas at the cell Péclet number φ u Δx η/(κ P): with φ = 0.45, 7 m/s, cells of 1 cm, 1.3 bar and κ = 10⁻¹² m² about 4.4 along x. The
/// porosity of a random bed differs from face to face.
#[test]
fn the_largest_peclet_number_is_that_of_the_bed() {
    let g = grid([0.06, 0.05, 0.04], [6, 5, 4], [true, true, true]);
    let of = |permeability: f64| {
        let medium = rigid_bed(&g, Vec3::new(7e-3, -4e-3, 2e-3), Permeability::Given(permeability));
        let mut pressure = vec![1.3e5; g.len()];
        let scheme = Scheme { composition: Composition::Unsplit, ..Scheme::default() };
        Stepper::new(g.clone(), air(), walls(), scheme).advance(0.0, 1e-3, &medium, &mut pressure, false).unwrap().0.carried
    };
    let want = 0.45 * 7.0 * 0.01 * air().viscosity / (1e-12 * 1.3e5);
    let found = of(1e-12);
    assert_eq!(found.axis, 0);
    assert!((1.0..1.3).contains(&(found.peclet / want)), "{} for {want}", found.peclet);
    assert!((of(1e-10).peclet / found.peclet * 100.0 - 1.0).abs() < 1e-9);
}

#[test]
fn v12_a_uniform_pressure_stays_uniform_in_a_moving_bed() {
    for cells in [[6, 5, 1], [6, 5, 4]] {
        for (composition, fluid, permeability) in [
            (Composition::Unsplit, air(), 1e-30),
            (Composition::Split, air(), 1e-30),
            (Composition::Unsplit, air(), 1e-10),
            (Composition::Split, air(), 1e-10),
            (Composition::Unsplit, water(), 1e-30),
            (Composition::Split, water(), 1e-10),
        ] {
            let g = grid([0.06, 0.05, 0.04], cells, [true, true, true]);
            let (h, porosity) = (1e-3, 0.45);
            let medium = rigid_bed(&g, Vec3::new(7e-3, -4e-3, 2e-3), Permeability::Given(permeability));
            assert!(medium.cut == 0);
            let p = if fluid.is_gas() { 1.3e5 } else { 2e3 };
            let mut pressure = vec![p; g.len()];
            let scheme = Scheme { composition, ..Scheme::default() };
            // content that a cell exchanges over what it has: the rounding of a flux appears that much larger
            let exchange = permeability * h / (fluid.viscosity * porosity * fluid.content_slope()) * 6e4;
            let (report, _) = Stepper::new(g, fluid, walls(), scheme).advance(0.0, h, &medium, &mut pressure, false).unwrap();
            assert_eq!(report.status, Status::Converged);
            // rounding of pore volumes, sums of a thousand terms each, as pressure: of all the content
            let whole = if fluid.is_gas() { p } else { p + 1.0 / fluid.content_slope() };
            let rounding = 1000.0 * f64::EPSILON * (whole + exchange * p);
            for q in &pressure {
                assert!((q - p).abs() < rounding, "{composition:?} {cells:?} {permeability}: {:e} {rounding:e}", q - p);
            }
        }
    }
}

/// A pressure wave in an even bed that moves once round a periodic box; returns the mean error over the amplitude.
fn carried(cells: usize, fluid: mpcd_darcy::fluid::Fluid, permeability: f64) -> f64 {
    let length = 0.1;
    let g = grid([length, 0.01, 0.01], [cells, 1, 1], [true, false, false]);
    let steps = 4 * cells;
    let shift = Vec3::x() * (length / steps as f64);
    let (base, amplitude) = if fluid.is_gas() { (1e5, 1e2) } else { (0.0, 1e2) };
    let wave = |x: f64| base + amplitude * (std::f64::consts::TAU * x / length).sin();
    let mut pressure: Vec<f64> = (0..cells).map(|c| wave(g.centre(c).x)).collect();
    let start = pressure.clone();
    let mut stepper = Stepper::new(g.clone(), fluid, walls(), Scheme::default());
    let mut grains = lattice(&g, 2, 0.6, shift);
    for _ in 0..steps {
        let medium = medium_of(&g, &grains, Permeability::Given(permeability), stepper.open());
        stepper.advance(0.0, 1e-3, &medium, &mut pressure, false).unwrap();
        for grain in &mut grains {
            let mut x = grain.position[1];
            x.x = x.x.rem_euclid(length);
            grain.position = [x, x + shift];
        }
    }
    pressure.iter().zip(&start).map(|(p, s)| (p - s).abs()).sum::<f64>() / (cells as f64 * amplitude)
}

#[test]
fn v12_a_moving_bed_carries_the_pressure_along() {
    for fluid in [air(), water()] {
        let sizes = [40, 80, 160];
        // hardly any diffusion: the Péclet number is far above 2 and the limiter works
        let errors: Vec<f64> = sizes.iter().map(|n| carried(*n, fluid, 1e-30)).collect();
        let order = -crate::support::slope(&sizes.map(|n| n as f64), &errors);
        println!("carried once round: {errors:?}, order {order:.2}");
        assert!(errors[2] < 2e-3 && order > 1.8, "{errors:?} {order}");
    }
}

#[test]
fn compaction_raises_the_pressure_by_the_lost_volume() {
    // an even bed in a closed box, all grains grow: the gas keeps its amount, P e = const
    let g = grid([0.02, 0.02, 0.02], [4, 4, 4], [false; 3]);
    let mut grains = lattice(&g, 2, 0.5, Vec3::zeros());
    grains.iter_mut().for_each(|grain| grain.volume[1] *= 1.02);
    let medium = medium_of(&g, &grains, Permeability::CarmanKozeny, [[false; 2]; 3]);
    let mut pressure = vec![1e5; g.len()];
    Stepper::new(g.clone(), air(), walls(), Scheme::default()).advance(0.0, 1e-3, &medium, &mut pressure, false).unwrap();
    for p in &pressure {
        assert!((p / (1e5 * 0.5 / 0.49) - 1.0).abs() < 1e-12, "{p}");
    }
    let mut pressure = vec![0.0; g.len()];
    Stepper::new(g.clone(), water(), walls(), Scheme::default()).advance(0.0, 1e-3, &medium, &mut pressure, false).unwrap();
    for p in &pressure {
        // e₁(1 + c p) = e₀
        assert!((p * 4.5e-10 / (0.5 / 0.49 - 1.0) - 1.0).abs() < 1e-9, "{p}");
    }
}
