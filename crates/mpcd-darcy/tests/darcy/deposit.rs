//! The deposit: every cell closes to rounding, volumes are kept, growth and leaving are accounted for.

use mpcd_core::Vec3;
use mpcd_darcy::{
    deposit::{Deposit, GrainStep},
    grid::Grid,
    smooth::Smoother,
};
use mpcd_tests::random::cases;
use proptest::prelude::*;

use crate::support::{deposited, grid, random_grains};

/// The same after the kernel is widened by `width` (m).
fn worst_gap_widened(grid: &Grid, grains: &[GrainStep], width: f64) -> f64 {
    let mut d = deposited(grid, grains);
    let (total, end) = (d.solid_after.iter().sum::<f64>(), ends_flux(grid, &d));
    Smoother::new(grid, width, 0.0).widen(grid, &mut d);
    assert!((d.solid_after.iter().sum::<f64>() - total).abs() <= 1e-13 * total, "the solid volume changes");
    assert_eq!(ends_flux(grid, &d).map(|f| f.abs() > 0.0), end.map(|f| f.abs() > 0.0));
    gap_of(grid, &d)
}

/// Solid volume through each end, low to high per axis.
fn ends_flux(grid: &Grid, d: &Deposit) -> [f64; 6] {
    std::array::from_fn(|k| {
        let (axis, high) = (k / 2, k % 2 == 1);
        let at_end = |s: &mpcd_darcy::grid::Sides| if high { s.1.is_none() } else { s.0.is_none() };
        grid.sides(axis).iter().zip(&d.solid_flux.0[axis]).filter(|(s, _)| at_end(s)).map(|(_, f)| *f).sum()
    })
}

/// Largest |Δsolid + div(flux) − growth| over the cells, relative to the largest solid volume of a cell.
fn worst_gap(grid: &Grid, grains: &[GrainStep]) -> f64 {
    gap_of(grid, &deposited(grid, grains))
}

fn gap_of(grid: &Grid, d: &Deposit) -> f64 {
    let mut gap: Vec<f64> = (0..grid.len()).map(|c| d.solid_after[c] - d.solid_before[c] - d.growth[c]).collect();
    grid.add_divergence(&d.solid_flux, [true; 3], &mut gap);
    let scale = d.solid_after.iter().chain(&d.solid_before).fold(f64::MIN_POSITIVE, |m, v| m.max(*v));
    gap.iter().fold(0.0_f64, |m, g| m.max(g.abs())) / scale
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: ProptestConfig::default().failure_persistence, ..cases(64) })]
    #[test]
    fn every_cell_closes_whatever_the_grains_do(
        seed: u64, cells in [1_usize..6, 1_usize..6, 1_usize..6], periodic: [bool; 3], travel in 0.0..2.0_f64, growth in 0.5..1.5_f64
    ) {
        let g = grid([1.0, 1.3, 0.8], cells, periodic);
        let mut grains = random_grains(&g, 20, 1e-3, travel, seed);
        grains.iter_mut().for_each(|grain| grain.volume[1] *= growth);
        prop_assert!(worst_gap(&g, &grains) < 1e-13);
        prop_assert!(worst_gap_widened(&g, &grains, 0.3) < 1e-13);
        let d = deposited(&g, &grains);
        prop_assert!((d.solid_before.iter().sum::<f64>() - 20e-3).abs() < 1e-15);
        prop_assert!((d.growth.iter().sum::<f64>() - 20e-3 * (growth - 1.0)).abs() < 1e-15);
        // nothing goes through closed ends
        for axis in 0..3 {
            for (sides, flux) in g.sides(axis).iter().zip(&d.solid_flux.0[axis]) {
                prop_assert!((sides.0.is_some() && sides.1.is_some()) || *flux == 0.0);
            }
        }
    }

    #[test]
    fn grains_that_leave_or_enter_take_their_volume_through_that_end(seed: u64, axis in 0_usize..3, high: bool, leaves: bool) {
        let g = grid([1.0, 1.3, 0.8], [4, 5, 3], [false; 3]);
        let mut grains = random_grains(&g, 1, 1e-3, 0.2, seed);
        let place = &mut grains[0].position[0];
        if leaves {
            place[axis] = if high { g.length(axis) + 0.1 } else { -0.1 };
        } else {
            // nearer to this end than to any other
            *place = Vec3::from_fn(|d, _| 0.5 * g.length(d));
            place[axis] = if high { g.length(axis) - 0.01 } else { 0.01 };
            grains[0].member = false;
        }
        prop_assert!(worst_gap(&g, &grains) < 1e-13);
        prop_assert!(worst_gap_widened(&g, &grains, 0.4) < 1e-13);
        let d = deposited(&g, &grains);
        prop_assert_eq!(d.crossed[axis][usize::from(high)], 1);
        let through: f64 = g.sides(axis).iter().zip(&d.solid_flux.0[axis])
            .filter(|(s, _)| if high { s.1.is_none() } else { s.0.is_none() }).map(|(_, f)| f).sum();
        let want = if high == leaves { 1e-3 } else { -1e-3 };
        prop_assert!((through - want).abs() < 1e-15);
    }
}

#[test]
fn a_common_displacement_is_the_mean_displacement_of_every_face() {
    let g = grid([1.0, 1.0, 1.0], [5, 4, 6], [true; 3]);
    for size in [0.3, 1e-3, 1e-9] {
        let moved = Vec3::new(1.0, -0.7, 0.4) * size;
        let mut grains = random_grains(&g, 400, 1e-3, 0.0, 7);
        grains.iter_mut().for_each(|grain| grain.position[1] = grain.position[0] + moved);
        let d = deposited(&g, &grains);
        for axis in 0..3 {
            for (carried, section) in d.carried.0[axis].iter().zip(&d.cross_section.0[axis]) {
                // displacements are differences of positions of size 1
                assert!((carried / section - moved[axis]).abs() < 1e-12 * size + 1e-15);
            }
        }
    }
}

#[test]
fn an_even_lattice_gives_an_even_porosity_up_to_the_walls() {
    let g = grid([1.0, 1.0, 1.0], [4, 4, 4], [false; 3]);
    let mut d = deposited(&g, &crate::support::lattice(&g, 2, 0.6, Vec3::zeros()));
    Smoother::new(&g, 0.3, 0.0).widen(&g, &mut d);
    for solid in &d.solid_after {
        assert!((solid / g.cell_volume() - 0.6).abs() < 1e-14, "{}", solid / g.cell_volume());
    }
    for axis in 0..3 {
        for section in &d.cross_section.0[axis] {
            assert!((section / g.area(axis) - 0.6).abs() < 1e-13, "{axis}: {}", section / g.area(axis));
        }
    }
}

#[test]
fn an_end_beyond_the_grid_is_held_inside_until_the_next_step() {
    let g = grid([1.0, 1.0, 1.0], [4, 4, 4], [false; 3]);
    let mut grain = random_grains(&g, 1, 1e-3, 0.0, 1)[0];
    grain.position = [Vec3::repeat(0.9), Vec3::new(0.9, 0.9, 1.2)];
    let first = deposited(&g, &[grain]);
    assert_eq!(first.crossed, [[0; 2]; 3]);
    assert!((first.solid_after.iter().sum::<f64>() - 1e-3).abs() < 1e-17);
    grain.position = [grain.position[1], Vec3::repeat(0.5)];
    let second = deposited(&g, &[grain]);
    // it starts where the last step left it, bit for bit, and is gone at the end
    assert_eq!(second.solid_before, first.solid_after);
    assert_eq!((second.crossed[2][1], second.solid_after.iter().sum::<f64>()), (1, 0.0));
    grain.member = false;
    assert_eq!(deposited(&g, &[grain]).outside, 1);
}

#[test]
fn a_periodic_grain_that_was_wrapped_round_moved_by_the_short_way() {
    let g = grid([1.0, 1.0, 1.0], [5, 1, 1], [true, false, false]);
    let grain = |from: f64, to: f64| GrainStep {
        position: [Vec3::new(from, 0.5, 0.5), Vec3::new(to, 0.5, 0.5)],
        volume: [1e-3; 2],
        radius: 0.05,
        smoothing: 0.1,
        member: true,
    };
    let (plain, wrapped) = (deposited(&g, &[grain(0.98, 1.02)]), deposited(&g, &[grain(0.98, 0.02)]));
    for (a, b) in plain.solid_flux.0[0].iter().zip(&wrapped.solid_flux.0[0]) {
        assert!((a - b).abs() < 1e-17);
    }
}
