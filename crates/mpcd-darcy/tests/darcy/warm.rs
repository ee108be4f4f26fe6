//! A gas whose temperature is that of the grains, and one so thin that it slips along them.

use std::f64::consts::{LN_2, PI};

use mpcd_core::{
    Book, Dimension, FieldSpec, FieldStore, Setup, SolveReport, Support, Unit, Vec3, field::SupportSizes, field::names,
};
use mpcd_darcy::{
    fluid::{Compressible, Fluid},
    step::{Scheme, Stepper},
    warmth::Warmth,
};
use mpcd_geometry::Shape;

use crate::module::{Run, build, setup};
use crate::support::{air, grid, held, lattice, uniform_medium, walls};

const ROOM: f64 = 293.15;

/// Grains on a lattice in a sealed box of air.
fn bed() -> (Setup, Vec<Vec3>) {
    let g = grid([6e-3, 8e-3, 4e-3], [6, 8, 4], [false; 3]);
    let bed = lattice(&g, 2, 0.5, Vec3::zeros());
    let places: Vec<Vec3> = bed.iter().map(|b| b.position[0]).collect();
    (setup(Dimension::Spatial, Shape::Ball { radius: bed[0].radius }, &places, 2500.0), places)
}

fn sealed(more: &str) -> String {
    format!(
        "Darcy(grid: (from: (0, 0, 0), to: (\"6 mm\", \"8 mm\", \"4 mm\"), cells: (6, 8, 4)), fluid: Gas(), scheme: Unsplit(theta: 1){more})"
    )
}

/// The temperatures of the bodies, as a module of heat writes them.
fn temperatures(of: impl IntoIterator<Item = f64>) -> FieldStore {
    let values: Vec<f64> = of.into_iter().collect();
    let sizes = SupportSizes { bodies: values.len(), ..Default::default() };
    let mut store = FieldStore::new([FieldSpec::scalar(names::TEMPERATURE, Unit::TEMPERATURE, Support::Body)], &sizes);
    let mut values = values;
    store.swap(names::TEMPERATURE, &mut values);
    store
}

fn range(values: &[f64]) -> [f64; 2] {
    values.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[l, h], v| [l.min(*v), h.max(*v)])
}

/// Relative change of the mass in a step.
fn change(report: &SolveReport) -> f64 {
    let book = report.balances.iter().find(|b| b.book == Book::Fluid).unwrap();
    let (_, before, after) = book.stores[0];
    (after.x - before.x) / before.x
}

#[test]
fn a_sealed_gas_has_the_pressure_of_its_temperature() {
    let (setup, places) = bed();
    let mut run = Run::new(&sealed(""), &setup);
    run.fields = temperatures(places.iter().map(|_| ROOM));
    run.step(&setup, &setup.initial, &setup.initial, 1e-3);
    assert_eq!(range(run.written(names::PRESSURE)), [1e5, 1e5], "nothing is warm yet");
    for warm in [1.3, 2.0, 0.5] {
        run.fields = temperatures(places.iter().map(|_| warm * ROOM));
        let report = run.step(&setup, &setup.initial, &setup.initial, 1e-3);
        for p in range(run.written(names::PRESSURE)) {
            assert!((p / (warm * 1e5) - 1.0).abs() < 1e-12, "{p} at {warm} times room temperature");
        }
        assert!(change(&report).abs() < 1e-14, "mass {:e}", change(&report));
    }
}

#[test]
fn a_sealed_gas_warm_at_one_end_has_one_pressure() {
    // T from T₀ to 2T₀ along y: P = P₀ / mean(T₀/T) = P₀ / ln 2
    let (setup, places) = bed();
    let mut run = Run::new(&sealed(", smoothing: 0"), &setup);
    run.fields = temperatures(places.iter().map(|_| ROOM));
    run.step(&setup, &setup.initial, &setup.initial, 1e-3);
    run.fields = temperatures(places.iter().map(|x| ROOM * (1.0 + x.y / 8e-3)));
    for _ in 0..200 {
        run.step(&setup, &setup.initial, &setup.initial, 1e-2);
    }
    let [low, high] = range(run.written(names::PRESSURE));
    assert!((high - low) / 1e5 < 1e-9, "{low} to {high}");
    assert!((low / (1e5 / LN_2) - 1.0).abs() < 5e-3, "{low} instead of {}", 1e5 / LN_2);
}

#[test]
fn an_open_bed_gives_off_what_it_cannot_hold() {
    let (setup, places) = bed();
    let mut run = Run::new(&sealed(", boundaries: (y_max: Pressure(1e5))"), &setup);
    run.fields = temperatures(places.iter().map(|_| ROOM));
    run.step(&setup, &setup.initial, &setup.initial, 1e-3);
    run.fields = temperatures(places.iter().map(|_| 3.0 * ROOM));
    let mut left = 0.0;
    for _ in 0..100 {
        let report = run.step(&setup, &setup.initial, &setup.initial, 1e-2);
        left -= report.numbers.iter().find(|n| n.0 == "inflow_y_max").unwrap().1 * 1e-2;
    }
    let pores = 6e-3 * 8e-3 * 4e-3 - setup.bodies.volume.iter().sum::<f64>();
    assert!((left / (1.2 * pores * 2.0 / 3.0) - 1.0).abs() < 1e-9, "{left}");
}

#[test]
fn gas_is_kept_while_a_bed_of_many_temperatures_moves() {
    let g = grid([6e-3, 8e-3, 4e-3], [6, 8, 4], [false; 3]);
    let (mut setup, places) = bed();
    setup.periods = [Some(6e-3), Some(8e-3), Some(4e-3)];
    let ends =
        ", boundaries: (x_min: Periodic, x_max: Periodic, y_min: Periodic, y_max: Periodic, z_min: Periodic, z_max: Periodic)";
    let mut run = Run::new(&sealed(ends), &setup);
    let mut at = setup.initial.clone();
    for k in 0..50 {
        let warm = |(i, x): (usize, &Vec3)| ROOM * (2.0 + (x.x * 1e3 + 0.3 * f64::from(k)).sin() * (i % 3) as f64 / 3.0);
        run.fields = temperatures(places.iter().enumerate().map(warm));
        let mut after = at.clone();
        after.position.iter_mut().for_each(|x| *x += Vec3::new(2e-4, 1e-4, -1e-4));
        let report = run.step(&setup, &at, &after, 1e-3);
        assert!(change(&report).abs() < 1e-13, "step {k}: {:e}", change(&report));
        at = after;
    }
    assert_eq!(g.len(), run.written(names::PRESSURE).len());
    let [low, high] = range(run.written(names::PRESSURE));
    assert!(low > 1e4 && high < 1e6, "{low} to {high}");
}

#[test]
fn a_moving_bed_takes_its_warm_and_cold_gas_along() {
    // one lattice cell further in 100 steps, T₀/T between 1/2 and 1; nothing passes through the grains: P stays where it is
    let (mut setup, places) = bed();
    setup.periods = [None, Some(8e-3), None];
    let more = ", permeability: Given(1e-20), boundaries: (y_min: Periodic, y_max: Periodic)";
    let mut run = Run::new(&sealed(more), &setup);
    run.fields = temperatures(places.iter().map(|x| ROOM / (0.75 + 0.25 * (2.0 * PI * x.y / 8e-3).sin())));
    let mut at = setup.initial.clone();
    for _ in 0..100 {
        let mut after = at.clone();
        after.position.iter_mut().for_each(|x| x.y += 2e-5);
        run.step(&setup, &at, &after, 1e-3);
        at = after;
    }
    for p in range(run.written(names::PRESSURE)) {
        // eight cells a wave; without the temperatures on the faces it is 24 %
        assert!((p / 1e5 - 1.0).abs() < 0.04, "{p}");
    }
}

#[test]
fn a_warm_layer_lets_less_gas_through() {
    // two layers in series, each with κ T₀/T η₀/η = κ (T₀/T)^1.7
    let g = grid([0.2, 0.01, 0.01], [20, 1, 1], [false; 3]);
    let warm = [1.0, 2.5];
    let t: Vec<f64> = (0..20).map(|c| ROOM * warm[usize::from(c >= 8)]).collect();
    let mut medium = uniform_medium(&g, 0.4, 1e-11);
    let fluid = air();
    medium.warmth = Some(Warmth::new(&fluid, &t, &t));
    let mut sides = walls();
    sides[0] = [held(1.6e5), held(1.1e5)];
    let mut pressure = vec![1.1e5; 20];
    let mut stepper = Stepper::new(g, fluid, sides, Scheme::default());
    let mobility = |k: usize| 1e-11 / 1.8e-5 * warm[k].powf(-1.7);
    let want = (1.6e5_f64.powi(2) - 1.1e5_f64.powi(2)) / 2e5 / (0.08 / mobility(0) + 0.12 / mobility(1)) * 1e-4;
    let mut through = [0.0; 2];
    for _ in 0..60 {
        let (report, _) = stepper.advance(0.0, 0.5, &medium, &mut pressure, true).unwrap();
        through = [report.inflow[0][0] / 0.5, -report.inflow[0][1] / 0.5];
    }
    assert!(through.iter().all(|q| (q / want - 1.0).abs() < 1e-9), "{through:?} {want}");
}

fn thin(slip: f64) -> Fluid {
    let state = Compressible::Gas { reference_pressure: 1e5, reference_temperature: ROOM, thickening: 0.7, slip };
    Fluid { state, ..air() }
}

#[test]
fn gas_that_slips_flows_as_klinkenberg_says() {
    let (low, high, slip) = (3e3, 1e2, 2e3);
    let g = grid([0.2, 0.01, 0.01], [20, 1, 1], [false; 3]);
    let medium = uniform_medium(&g, 0.4, 1e-11);
    let mut sides = walls();
    sides[0] = [held(low), held(high)];
    let mut pressure = vec![high; 20];
    let mut stepper = Stepper::new(g, thin(slip), sides, Scheme::default());
    // κ (1 + b/P) P/η ∇P over P₀
    let want = 1e-11 / 1.8e-5 * ((low * low - high * high) / 2.0 + slip * (low - high)) / 1e5 / 0.2 * 1e-4;
    let mut through = 0.0;
    for _ in 0..60 {
        let (report, _) = stepper.advance(0.0, 10.0, &medium, &mut pressure, true).unwrap();
        through = report.inflow[0][0] / 10.0;
    }
    assert!((through / want - 1.0).abs() < 1e-9, "{through} {want}");
}

/// Flow of a gas that slips through 0.2 m of grains as warm as `warm` says (over T₀, of each of 20 cells), from `low` to `high` (Pa) [m³/s at reference density].
fn through_warm_grains(slip: f64, warm: &[f64], [low, high]: [f64; 2], h: f64) -> f64 {
    let g = grid([0.2, 0.01, 0.01], [20, 1, 1], [false; 3]);
    let mut medium = uniform_medium(&g, 0.4, 1e-11);
    let fluid = thin(slip);
    let t: Vec<f64> = warm.iter().map(|w| ROOM * w).collect();
    medium.warmth = Some(Warmth::new(&fluid, &t, &t));
    let mut sides = walls();
    sides[0] = [held(low), held(high)];
    let mut pressure = vec![high; 20];
    let mut stepper = Stepper::new(g, fluid, sides, Scheme::default());
    let mut through = 0.0;
    for _ in 0..80 {
        let (report, _) = stepper.advance(0.0, h, &medium, &mut pressure, true).unwrap();
        assert_eq!(report.status, mpcd_core::Status::Converged);
        through = report.inflow[0][0] / h;
    }
    through
}

#[test]
fn a_warm_gas_slips_more() {
    // b ∝ λP ∝ η √T, so b₀ w^1.2 at w T₀; the rest as without slip
    let (low, high, slip, warm) = (3e3, 1e2, 2e3, 4.0_f64);
    let pushed = (low * low - high * high) / 2.0 + slip * warm.powf(1.2) * (low - high);
    let want = 1e-11 / 1.8e-5 * warm.powf(-1.7) * pushed / 1e5 / 0.2 * 1e-4;
    let found = through_warm_grains(slip, &[warm; 20], [low, high], 10.0);
    assert!((found / want - 1.0).abs() < 1e-9, "{found} {want}");
}

#[test]
fn free_molecules_flow_as_the_root_of_the_temperature_says() {
    // Knudsen: ρ D_K/p ∝ T^−½ whatever the viscosity, layer by layer in series
    let (low, high, slip) = (1.0, 0.1, 1e6);
    let warm: Vec<f64> = (0..20).map(|c| if c < 8 { 1.0 } else { 4.0 }).collect();
    let of = |w: f64| 1e-11 / 1.8e-5 * slip * w.powf(-0.5);
    let want = (low - high) / 1e5 / (0.08 / of(1.0) + 0.12 / of(4.0)) * 1e-4;
    let found = through_warm_grains(slip, &warm, [low, high], 10.0);
    assert!((found / want - 1.0).abs() < 1e-5, "{found} {want}");
}

#[test]
fn a_column_is_evacuated_at_the_rate_of_slip() {
    // P far below b: ∂P/∂t = κb/(ηφ) ∂²P/∂x², the slowest mode of a column open at one end falls as exp(−π²Dt/4L²)
    let slip = 1e4;
    let cells = 100;
    let g = grid([0.2, 0.01, 0.01], [cells, 1, 1], [false; 3]);
    let medium = uniform_medium(&g, 0.4, 1e-11);
    let mut sides = walls();
    sides[0][1] = held(1e-3);
    let wave = |c: usize| (PI / 2.0 * (c as f64 + 0.5) / cells as f64).cos();
    let mut pressure: Vec<f64> = (0..cells).map(|c| 1e-3 + wave(c)).collect();
    let mut stepper = Stepper::new(g, thin(slip), sides, Scheme::default());
    let d = 1e-11 * slip / (1.8e-5 * 0.4);
    let time = 0.04 / d;
    for k in 0..200 {
        stepper.advance(f64::from(k) * time / 200.0, time / 200.0, &medium, &mut pressure, false).unwrap();
    }
    let want = (-PI * PI / 4.0).exp();
    let found = (pressure[0] - 1e-3) / wave(0);
    assert!((found / want - 1.0).abs() < 5e-4, "{found} {want}");
}

#[test]
fn a_resumed_gas_knows_how_warm_it_was() {
    let (setup, places) = bed();
    let at = |warm: f64| temperatures(places.iter().map(|x| ROOM * (1.0 + warm * x.y / 8e-3)));
    let run = |resumes: bool| {
        let mut run = Run::new(&sealed(""), &setup);
        for k in 0..6 {
            run.fields = at(0.3 * f64::from(k));
            run.step(&setup, &setup.initial, &setup.initial, 1e-4);
            if resumes && k == 3 {
                let saved = run.module.save().unwrap();
                run.module = build(&sealed(""), &setup).unwrap();
                run.module.load(&saved).unwrap();
            }
        }
        run.written(names::PRESSURE).to_vec()
    };
    assert_eq!(run(false), run(true));
}

#[test]
fn the_form_of_the_source_knows_one_temperature() {
    let (setup, places) = bed();
    let text = sealed("").replace("Unsplit(theta: 1)", "Split(theta: 1, form: Source)");
    let mut module = build(&text, &setup).unwrap();
    let fields = temperatures(places.iter().map(|_| ROOM));
    let error = crate::module::advance_once(&mut *module, &setup, &fields).unwrap_err().to_string();
    assert!(error.contains("`form: Source`"), "{error}");
}
