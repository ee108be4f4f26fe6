//! What a step of the pore fluid costs: the deposit of grains, the spreading of the kernel, the solution, the forces, from 10⁴ to 10⁶ cells.
#![allow(clippy::expect_used, reason = "a benchmark")]

use divan::{Bencher, black_box};
use mpcd_core::{GridSpec, Vec3};
use mpcd_darcy::{
    deposit::{Deposit, GrainStep, Stencil},
    ends::EndLaw,
    fluid::{Compressible, Fluid},
    force::{pressure_force, pressure_jumps, pull},
    grid::Grid,
    medium::{Medium, Permeability, PorosityBounds},
    smooth::Smoother,
    step::{Scheme, Stepper},
};

fn main() {
    divan::main();
}

/// Cells along an edge: 10 648, 103 823 and 1 000 000 of them; a small case where nothing is measured.
fn edges() -> Vec<usize> {
    if std::env::args().any(|a| a == "--bench") { vec![22, 47, 100] } else { vec![8] }
}
const BOUNDS: PorosityBounds = PorosityBounds { min: 0.05, max: 0.75 };

fn grid(edge: usize) -> Grid {
    let spec = GridSpec { origin: [0.0; 3], spacing: [1e-3; 3], cells: [edge; 3] };
    Grid::new(spec, [false; 3])
}

/// One grain per cell, 1 mm, disordered, moving a little.
fn grains(edge: usize, count: usize) -> Vec<GrainStep> {
    let mut seed = 1_u64;
    let mut random = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1_u64 << 53) as f64
    };
    let limit = edge as f64;
    (0..count)
        .map(|k| {
            let at = [k % edge, k / edge % edge, k / (edge * edge)].map(|i| i as f64);
            let x = Vec3::from_fn(|d, _| (at[d] + 0.5 + 0.6 * (random() - 0.5)) * 1e-3);
            let y = Vec3::from_fn(|d, _| (x[d] + 1e-5 * (random() - 0.5)).clamp(0.0, limit * 1e-3));
            GrainStep { position: [x, y], volume: [0.55e-9; 2], radius: 5e-4, smoothing: 0.0, member: true }
        })
        .collect()
}

fn fluid(gas: bool) -> Fluid {
    let state = if gas {
        Compressible::Gas { reference_pressure: 1e5, reference_temperature: 293.15, thickening: 0.7, slip: 0.0 }
    } else {
        Compressible::Liquid { compressibility: 4.5e-10 }
    };
    Fluid { state, viscosity: if gas { 1.8e-5 } else { 1e-3 }, density: if gas { 1.2 } else { 1000.0 } }
}

fn smoother(grid: &Grid) -> Smoother {
    Smoother::new(grid, 6.0 * 5e-4 / 6_f64.sqrt(), 1.25)
}

fn deposited(grid: &Grid, grains: &[GrainStep]) -> Deposit {
    let (mut deposit, mut stencil) = (Deposit::new(grid), Stencil::default());
    grains.iter().for_each(|g| deposit.add(grid, &mut stencil, g));
    deposit
}

fn medium(grid: &Grid, deposit: &Deposit) -> Medium {
    let mut medium = Medium::new(grid);
    medium.update(grid, deposit, BOUNDS, Permeability::CarmanKozeny, 5e-4, [[false; 2], [true; 2], [false; 2]]);
    medium
}

/// 100,000 grains in a grid of one cell a grain.
#[divan::bench(sample_count = 3)]
fn deposit_of_100_000_grains(bencher: Bencher<'_, '_>) {
    let (grid, grains) = (grid(47), grains(47, 100_000));
    bencher.bench_local(|| black_box(deposited(&grid, &grains)));
}

#[divan::bench(args = edges(), sample_count = 3)]
fn widening_the_kernel(bencher: Bencher<'_, '_>, edge: usize) {
    let grid = grid(edge);
    let deposit = deposited(&grid, &grains(edge, edge.pow(3) / 10));
    let smoother = smoother(&grid);
    bencher.with_inputs(|| deposit.clone()).bench_local_values(|mut deposit| {
        smoother.widen(&grid, &mut deposit);
        deposit
    });
}

#[divan::bench(args = edges(), sample_count = 3)]
fn forces_on_a_tenth_as_many_grains(bencher: Bencher<'_, '_>, edge: usize) {
    let (grid, grains) = (grid(edge), grains(edge, edge.pow(3) / 10));
    let smoother = smoother(&grid);
    let medium = medium(&grid, &deposited(&grid, &grains));
    let mean = mpcd_darcy::step::MeanPressure {
        cells: (0..grid.len()).map(|c| 1e5 + grid.centre(c).y).collect(),
        ends: [[mpcd_darcy::step::MeanEnd::Closed; 2]; 3],
    };
    let mut stencil = Stencil::default();
    bencher.bench_local(|| {
        let pull = pull(&grid, &medium, &smoother, pressure_jumps(&grid, &fluid(true), &mean, &grid.face_field(), None));
        grains.iter().filter_map(|g| pressure_force(&grid, &pull, &mut stencil, g)).sum::<Vec3>()
    });
}

/// A step of the pressure after the ends have jumped by a tenth, grains moving; all of the solution, from the same start.
fn solve(bencher: Bencher<'_, '_>, edge: usize, gas: bool) {
    let grid = grid(edge);
    let mut deposit = deposited(&grid, &grains(edge, edge.pow(3)));
    smoother(&grid).widen(&grid, &mut deposit);
    let medium = medium(&grid, &deposit);
    let rest = if gas { 1e5 } else { 0.0 };
    let held = |p: f64| EndLaw::Pressure(mpcd_core::TimeFunction::Constant(p));
    let wall = || [EndLaw::Wall, EndLaw::Wall];
    let ends = [wall(), [held(rest + 1e4), held(rest)], wall()];
    let mut stepper = Stepper::new(grid.clone(), fluid(gas), ends, Scheme { theta: 1.0, ..Scheme::default() });
    bencher.with_inputs(|| vec![rest; grid.len()]).bench_local_values(|mut pressure| {
        let (report, _) = stepper.advance(0.0, 1e-4, &medium, &mut pressure, false).expect("a step");
        assert_eq!(report.status, mpcd_core::Status::Converged);
        pressure
    });
}

#[divan::bench(args = edges(), sample_count = 3)]
fn step_of_a_gas(bencher: Bencher<'_, '_>, edge: usize) {
    solve(bencher, edge, true);
}

#[divan::bench(args = edges(), sample_count = 3)]
fn step_of_a_liquid(bencher: Bencher<'_, '_>, edge: usize) {
    solve(bencher, edge, false);
}
