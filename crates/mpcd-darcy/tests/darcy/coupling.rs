//! The force on the grains: its sum, its adjointness to the fluid's compression, the least fluidising gradient.

use mpcd_core::Vec3;
use mpcd_darcy::{
    deposit::{GrainStep, Stencil},
    fluid::Fluid,
    force::{pressure_force, pressure_jumps, pull},
    grid::Grid,
    medium::{Medium, Permeability},
    smooth::Smoother,
    step::{MeanEnd, MeanPressure},
};

use crate::support::{Random, air, grid, lattice, medium_widened, random_grains, water};

fn forces(g: &Grid, fluid: &Fluid, medium: &Medium, mean: &MeanPressure, grains: &[GrainStep], smoother: &Smoother) -> Vec<Vec3> {
    let mut conductance = g.face_field();
    medium.conductance(g, fluid.viscosity, 1.0, &mut conductance);
    let pull = pull(g, medium, smoother, pressure_jumps(g, fluid, mean, &conductance, None));
    let mut stencil = Stencil::default();
    grains.iter().map(|grain| pressure_force(g, &pull, &mut stencil, grain).unwrap()).collect()
}

/// ∮ p n dA from the cells beside the ends and the ends themselves.
pub(crate) fn surface_integral(g: &Grid, mean: &MeanPressure) -> Vec3 {
    let mut sum = Vec3::zeros();
    for axis in 0..3 {
        for sides in g.sides(axis) {
            let (side, c, sign) = match *sides {
                (None, Some(c)) => (0, c, -1.0),
                (Some(c), None) => (1, c, 1.0),
                _ => continue,
            };
            let p = if let MeanEnd::Pressure(p) = mean.ends[axis][side] { p } else { mean.cells[c] };
            sum[axis] += sign * p * g.area(axis);
        }
    }
    sum
}

/// A bed dense enough that every face has grains, in a box open along x, and an arbitrary pressure.
pub(crate) fn scene(
    cells: [usize; 3],
    periodic: [bool; 3],
    travel: f64,
    width: f64,
) -> (Grid, Medium, MeanPressure, Vec<GrainStep>, Smoother) {
    let g = grid([0.05, 0.04, 0.03], cells, periodic);
    let smoother = Smoother::new(&g, width, 0.0);
    let mut grains = random_grains(&g, 3000, 0.5 * g.cell_volume() * g.len() as f64 / 3000.0, travel, 21);
    grains.iter_mut().for_each(|grain| grain.smoothing = 0.01);
    let open = [[true, true], [false, false], [false, false]];
    let medium = medium_widened(&g, &grains, Permeability::CarmanKozeny, open, &smoother);
    let mut random = Random(4);
    let cells = (0..g.len()).map(|_| random.between(0.9e5, 1.1e5)).collect();
    let mut ends = [[MeanEnd::Closed; 2]; 3];
    if !periodic[0] {
        ends[0] = [MeanEnd::Pressure(1.2e5), MeanEnd::Pressure(0.8e5)];
    }
    (g, medium, MeanPressure { cells, ends }, grains, smoother)
}

#[test]
fn v12_forces_sum_to_the_pressure_on_the_boundary() {
    for ((cells, periodic), width) in [([6, 5, 4], [false; 3]), ([6, 5, 1], [false; 3]), ([6, 5, 4], [true, false, true])]
        .into_iter()
        .flat_map(|scene| [(scene, 0.0), (scene, 0.02)])
    {
        let (g, medium, mean, grains, smoother) = scene(cells, periodic, 1e-3, width);
        let sum: Vec3 = forces(&g, &air(), &medium, &mean, &grains, &smoother).iter().sum();
        let want = -surface_integral(&g, &mean);
        let scale: f64 = 1e5 * (0..3).map(|d| g.area(d) * g.face_count(d) as f64).sum::<f64>();
        assert!((sum - want).norm() < 1e-14 * scale, "{cells:?} {periodic:?}: {sum:?} {want:?}");
        assert!(periodic[0] || want.norm() > 1e-3 * scale);
    }
}

#[test]
fn the_work_on_the_grains_is_the_compression_of_the_fluid() {
    for ((cells, periodic), width) in [([6, 5, 4], [false; 3]), ([6, 5, 1], [false; 3]), ([6, 5, 4], [true; 3])]
        .into_iter()
        .flat_map(|scene| [(scene, 0.0), (scene, 0.02)])
    {
        let (g, medium, mean, grains, smoother) = scene(cells, periodic, 2e-3, width);
        let work: f64 = forces(&g, &air(), &medium, &mean, &grains, &smoother)
            .iter()
            .zip(&grains)
            .map(|(f, grain)| {
                let mut moved = grain.position[1] - grain.position[0];
                // periodic boxes are larger than any displacement, so nothing is wrapped here
                moved.iter_mut().for_each(|x| *x += 0.0);
                f.dot(&moved)
            })
            .sum();
        // Σ p ∇·U − ∮ p U: what the fluid takes up
        let mut squeezed = vec![0.0; g.len()];
        g.add_divergence(&medium.total, [true; 3], &mut squeezed);
        let mut taken: f64 = squeezed.iter().zip(&mean.cells).map(|(u, p)| u * p).sum();
        for axis in 0..3 {
            for (sides, u) in g.sides(axis).iter().zip(&medium.total.0[axis]) {
                match (sides, mean.ends[axis]) {
                    ((None, _), [MeanEnd::Pressure(p), _]) => taken += p * u,
                    ((_, None), [_, MeanEnd::Pressure(p)]) => taken -= p * u,
                    _ => {}
                }
            }
        }
        let scale: f64 = medium.total.0.iter().flatten().map(|u| u.abs() * 1e5).sum();
        assert!((work - taken).abs() < 1e-13 * scale, "{cells:?}: {work:e} {taken:e} of {scale:e}");
        // what moves at random evens out in a wide kernel
        assert!(work.abs() > if width > 0.0 { 1e-7 } else { 1e-4 } * scale, "{:e}", work / scale);
    }
}

#[test]
fn v12_least_fluidising_gradient_from_the_forces() {
    // 200 µm glass at 0.6 in air: the gradient at which pressure and buoyancy carry the weight
    let (solid, rho_s, rho_f, gravity) = (0.6, 2500.0, 1.2, 9.81);
    let weight_per_volume: f64 = solid * (rho_s - rho_f) * gravity;
    assert!((weight_per_volume - 14707.94).abs() < 0.005);
    for cells in [[3, 8, 1], [3, 8, 3]] {
        let g = grid([0.003, 0.008, if cells[2] == 1 { 2e-4 } else { 0.003 }], cells, [false; 3]);
        let grains = lattice(&g, 2, solid, Vec3::zeros());
        let smoother = Smoother::new(&g, 2.5e-4, 1.25);
        let open = [[false; 2], [true; 2], [false; 2]];
        let medium = medium_widened(&g, &grains, Permeability::CarmanKozeny, open, &smoother);
        let height = g.length(1);
        let p = |y: f64| weight_per_volume * (height - y);
        let mut ends = [[MeanEnd::Closed; 2]; 3];
        ends[1] = [MeanEnd::Pressure(p(0.0)), MeanEnd::Pressure(0.0)];
        let mean = MeanPressure { cells: (0..g.len()).map(|c| p(g.centre(c).y)).collect(), ends };
        for (grain, force) in grains.iter().zip(forces(&g, &water(), &medium, &mean, &grains, &smoother)) {
            let weight = grain.volume[0] * (rho_s - rho_f) * gravity;
            // every grain, also beside the ends
            assert!((force.y / weight - 1.0).abs() < 1e-12, "{}", force.y / weight);
            assert!(force.x.abs() < 1e-12 * weight && force.z.abs() < 1e-12 * weight);
        }
    }
}
