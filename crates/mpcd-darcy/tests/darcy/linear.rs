//! The linear solvers agree.

use mpcd_core::Status;
use mpcd_darcy::{
    linear::LinearMethod,
    medium::Permeability,
    step::{Scheme, Stepper},
};

use crate::support::{air, grid, held, medium_of, random_grains, walls, water};

#[test]
fn every_linear_solver_gives_the_same_pressure() {
    for (cells, periodic) in [([12, 9, 7], [false; 3]), ([20, 15, 1], [false; 3]), ([12, 9, 7], [true, false, true])] {
        for fluid in [air(), water()] {
            let g = grid([0.02, 0.015, 0.012], cells, periodic);
            let mut grains = random_grains(&g, 2000, 0.5 * g.cell_volume() * g.len() as f64 / 2000.0, 1e-5, 3);
            grains.iter_mut().for_each(|grain| grain.smoothing = 4e-3);
            let rest = if fluid.is_gas() { 1e5 } else { 0.0 };
            let mut ends = walls();
            ends[1] = [held(rest + 1e4), held(rest)];
            let open = [[false; 2], [true; 2], [false; 2]];
            let medium = medium_of(&g, &grains, Permeability::CarmanKozeny, open);
            let solve = |linear| {
                let mut pressure = vec![rest; g.len()];
                let mut stepper = Stepper::new(g.clone(), fluid, ends.clone(), Scheme { linear, ..Scheme::default() });
                let (report, _) = stepper.advance(0.0, 1e-4, &medium, &mut pressure, false).unwrap();
                assert_eq!(report.status, Status::Converged, "{linear:?}");
                pressure
            };
            let want = solve(LinearMethod::Cholesky);
            for method in [LinearMethod::Multigrid, LinearMethod::ConjugateGradients] {
                for (a, b) in solve(method).iter().zip(&want) {
                    assert!((a - b).abs() < 1e-9 * 1e4, "{method:?} {cells:?}: {a} {b}");
                }
            }
        }
    }
}
