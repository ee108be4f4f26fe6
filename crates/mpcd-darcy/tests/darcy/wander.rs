//! Ten thousand steps of grains that wander at random in a sealed box, through the module: no gas is lost, and the grains feel what the walls feel.

use mpcd_core::{Dimension, Status, Vec3, field::names};
use mpcd_geometry::Shape;

use crate::{
    module::{Run, setup},
    support::Random,
};

const EDGE: f64 = 0.02;
const CELLS: usize = 4;
const GRAINS: usize = 120;

/// −∮ p n dA of the pressures in the cells beside the walls.
fn on_the_walls(pressure: &[f64]) -> Vec3 {
    let area = (EDGE / CELLS as f64).powi(2);
    let mut force = Vec3::zeros();
    for (c, p) in pressure.iter().enumerate() {
        let at = [c % CELLS, c / CELLS % CELLS, c / (CELLS * CELLS)];
        for (d, k) in at.into_iter().enumerate() {
            force[d] += p * area * (f64::from(u8::from(k == 0)) - f64::from(u8::from(k + 1 == CELLS)));
        }
    }
    force
}

/// Mass to 1e-13 over all steps, Σ F = −∮ p n dA to the rounding of p A in each; porosities between 0.2 and 0.7 come and go, and the pressure with them.
#[test]
fn v12_ten_thousand_steps_in_a_sealed_box_lose_no_gas() {
    let mut random = Random(23);
    let places: Vec<Vec3> = (0..GRAINS).map(|_| Vec3::from_fn(|_, _| random.between(0.0, EDGE))).collect();
    let radius = (0.75 / std::f64::consts::PI * 0.5 * EDGE.powi(3) / GRAINS as f64).cbrt();
    let model = setup(Dimension::Spatial, Shape::Ball { radius }, &places, 2500.0);
    let mut run = Run::new(
        &format!(
            "Darcy(grid: (from: (0, 0, 0), to: ({EDGE}, {EDGE}, {EDGE}), cells: ({CELLS}, {CELLS}, {CELLS})), fluid: Gas(), smoothing: 2,
             scheme: Unsplit(theta: 1), porosity: (min: 0.02, max: 0.98), couple: (buoyancy: false))"
        ),
        &model,
    );
    let mut now = model.initial.clone();
    let (mut start, mut drift, mut gap, mut largest) = (None, 0.0_f64, 0.0_f64, 0.0_f64);
    let (mut least, mut most) = (1.0_f64, 0.0_f64);
    for step in 0..10_000 {
        let mut after = now.clone();
        for x in &mut after.position {
            for c in x.iter_mut() {
                // what would leave is sent back
                let y = *c + random.between(-3e-4, 3e-4);
                *c = if y < 0.0 {
                    -y
                } else if y > EDGE {
                    2.0 * EDGE - y
                } else {
                    y
                };
            }
        }
        let report = run.step(&model, &now, &after, 1e-5);
        assert_eq!(report.status, Status::Converged, "step {step}: {report:?}");
        let mass = report.balances[0].stores[0].2.x;
        drift = drift.max((mass / *start.get_or_insert(report.balances[0].stores[0].1.x) - 1.0).abs());
        let pressure = run.written(names::PRESSURE);
        let scale = 6.0 * EDGE * EDGE * pressure.iter().sum::<f64>() / pressure.len() as f64;
        gap = gap.max((run.total_force() - on_the_walls(pressure)).norm() / scale);
        largest = largest.max(run.total_force().norm() / scale);
        for p in run.written(names::POROSITY) {
            (least, most) = (least.min(*p), most.max(*p));
        }
        now = after;
    }
    println!("mass {drift:e}, forces {gap:e} of p A (largest {largest:e}), porosity {least} to {most}");
    assert!(drift < 1e-13, "{drift:e}");
    assert!(gap < 1e-14 && largest > 1e-5, "{gap:e} of p A, largest {largest:e}");
    assert!(least < 0.4 && most > 0.6, "porosity {least} to {most}");
}
