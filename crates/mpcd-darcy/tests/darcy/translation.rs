//! The force on a grain does not know where the cells lie, and a grain alone is not thrown about.

use mpcd_core::{Dimension, GridSpec, Vec3, field::names};
use mpcd_darcy::{
    deposit::{Deposit, GrainStep, Stencil},
    ends::EndLaw,
    force::{pressure_force, pressure_jumps, pull},
    grid::Grid,
    medium::{Medium, Permeability, PorosityBounds},
    smooth::Smoother,
    step::{Scheme, Stepper},
};
use mpcd_geometry::Shape;

use crate::{
    module::{Run, setup},
    support::{Random, held, water},
};

/// Diameter of the grains (m).
const D: f64 = 1e-3;

/// A disordered bed, `size` grains along each axis: a lattice of unit spacing whose places are random by ± 0.3 d.
fn bed(size: [usize; 3], seed: u64) -> Vec<Vec3> {
    let mut random = Random(seed);
    let mut out = Vec::new();
    for k in 0..size[2] {
        for j in 0..size[1] {
            for i in 0..size[0] {
                let stray = |axis: usize| if size[axis] > 1 { 0.3 } else { 0.0 };
                let at = Vec3::new(i as f64, j as f64, k as f64);
                out.push((at + Vec3::from_fn(|d, _| 0.5 + random.between(-stray(d), stray(d)))) * D);
            }
        }
    }
    out
}

/// Forces on a bed that fluid flows through along y, with `shift` added to all places.
fn forces(grid: &Grid, places: &[Vec3], smoother: &Smoother, shift: Vec3) -> Vec<Vec3> {
    let volume = 0.55 * D.powi(3);
    let radius = (0.75 / std::f64::consts::PI * volume).cbrt();
    let grain = |x: &Vec3| GrainStep { position: [x + shift; 2], volume: [volume; 2], radius, smoothing: radius, member: true };
    let grains: Vec<GrainStep> = places.iter().map(grain).collect();
    let (mut deposit, mut stencil) = (Deposit::new(grid), Stencil::default());
    grains.iter().for_each(|g| deposit.add(grid, &mut stencil, g));
    smoother.widen(grid, &mut deposit);
    let mut medium = Medium::new(grid);
    let mut ends: [[EndLaw; 2]; 3] = std::array::from_fn(|_| [EndLaw::Periodic, EndLaw::Periodic]);
    ends[1] = [held(100.0), held(0.0)];
    let bounds = PorosityBounds { min: 0.05, max: 0.75 };
    medium.update(grid, &deposit, bounds, Permeability::CarmanKozeny, radius, [[true; 2]; 3]);
    let mut stepper = Stepper::new(grid.clone(), water(), ends, Scheme { theta: 1.0, ..Scheme::default() });
    let mut pressure = vec![0.0; grid.len()];
    let (_, mean) = stepper.advance(0.0, 1e3, &medium, &mut pressure, false).unwrap();
    let mut conductance = grid.face_field();
    medium.conductance(grid, 1e-3, 1.0, &mut conductance);
    let pull = pull(grid, &medium, smoother, pressure_jumps(grid, stepper.fluid(), &mean, &conductance, None));
    grains.iter().map(|g| pressure_force(grid, &pull, &mut stencil, g).unwrap()).collect()
}

/// The largest rms change of a grain's force, over the mean force, when the bed moves past cells of `cell` diameters.
fn change(size: [usize; 3], cell: f64, smoother: impl Fn(&Grid) -> Smoother, seed: u64) -> f64 {
    let around = 4;
    let count = |grains: usize| if grains == 1 { 1 } else { (grains as f64 / cell).round() as usize };
    let cells = [count(size[0]), count(size[1] + 2 * around), count(size[2])];
    let spacing = [D * cell, D * cell, if size[2] == 1 { D } else { D * cell }];
    let grid = Grid::new(GridSpec { origin: [0.0, -(around as f64) * D, 0.0], spacing, cells }, [true, false, true]);
    let (places, smoother) = (bed(size, seed), smoother(&grid));
    let base = forces(&grid, &places, &smoother, Vec3::zeros());
    let mean = base.iter().map(Vec3::norm).sum::<f64>() / base.len() as f64;
    let shifts = [[0.5, 0.0, 0.0], [0.25, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.25, 0.0], [0.3, 0.2, 0.4], [0.5, 0.5, 0.5]];
    let one = |shift: [f64; 3]| {
        let mut shift = Vec3::from(shift) * (D * cell);
        if size[2] == 1 {
            shift.z = 0.0;
        }
        let moved = forces(&grid, &places, &smoother, shift);
        let squares: f64 = base.iter().zip(&moved).map(|(a, b)| (a - b).norm_squared()).sum();
        (squares / base.len() as f64).sqrt() / mean
    };
    shifts.map(one).into_iter().fold(0.0, f64::max)
}

#[test]
fn the_force_on_a_grain_does_not_know_where_the_cells_lie() {
    let radius = 0.5 * D;
    let standard = |grid: &Grid| Smoother::new(grid, 6.0 * radius / 6_f64.sqrt(), 1.25);
    for (size, seed) in [([12, 16, 12], 8), ([12, 16, 12], 9), ([40, 20, 1], 10)] {
        for cell in [0.5, 1.0, 2.0] {
            let change = change(size, cell, standard, seed);
            println!("{size:?} cell {cell} d: {change:.4}");
            assert!(change < 0.01, "{size:?} cell {cell} d: {change}");
        }
        // and it would, with the narrow kernel alone
        assert!(change(size, 1.0, |_| Smoother::none(), seed) > 0.05);
    }
}

#[test]
fn a_grain_alone_feels_the_gradient_on_its_own_volume() {
    let volume = std::f64::consts::PI / 6.0 * D.powi(3);
    let model = setup(Dimension::Spatial, Shape::Ball { radius: 0.5 * D }, &[Vec3::new(6.2, 5.7, 6.4) * D], 2500.0);
    for cell in ["0.5 mm", "1 mm", "2 mm"] {
        let text = format!(
            "Darcy(grid: (from: (0, 0, 0), to: (12e-3, 12e-3, 12e-3), cell: \"{cell}\"), fluid: Liquid(),
             boundaries: (y_min: Pressure(12), y_max: Pressure(0)), couple: (buoyancy: false))"
        );
        let mut run = Run::new(&text, &model);
        (0..3).for_each(|_| drop(run.step(&model, &model.initial, &model.initial, 1e3)));
        let force = Vec3::from_column_slice(run.written(names::FLUID_FORCE));
        let over = force.y / (volume * 1e3);
        println!("cells of {cell}: a lone grain feels {over:.3} V ∇p");
        assert!((1.0..1.2).contains(&over) && force.x.abs() + force.z.abs() < 0.01 * force.y, "{cell}: {force:?}");
    }
}

#[test]
fn the_share_of_a_grain_is_continuous_and_never_larger_than_that_of_the_sparsest_bed() {
    let bounds = PorosityBounds { min: 0.05, max: 0.75 };
    let mut last = bounds.share(0.0);
    assert_eq!(last, 1.0);
    for k in 1..=1000 {
        let share = bounds.share(1e-3 * f64::from(k));
        assert!((1.0..=4.0 + 1e-12).contains(&share) && (share - last).abs() < 0.03, "{k}: {share}");
        last = share;
    }
    assert!((last - 1.0).abs() < 1e-12);
}
