//! Heat of the pore fluid: closed forms, orders, books, words.

use std::f64::consts::PI;

use mpcd_core::{
    Book, Dimension, FieldSpec, FieldStore, Kinematics, Setup, SolveReport, Support, Unit, Vec3, field::SupportSizes,
    field::names,
};
use mpcd_darcy::{
    grid::Grid,
    heat::{Grip, HeatStep},
};
use mpcd_geometry::Shape;

use mpcd_tests::schumann::schumann;

use crate::module::{Run, build, setup};
use crate::support::{Random, grid, slope};

/// Heat capacity of the grains per volume [J/(m³ K)], and of water.
const SOLID: f64 = 2e6;
const WATER: f64 = 4.182e6;
const ROOM: f64 = 293.15;

/// What a module of heat does that does nothing but store: grains that take what the fluid gives.
struct Bed {
    run: Run,
    setup: Setup,
    temperature: Vec<f64>,
    capacity: Vec<f64>,
}

impl Bed {
    fn new(text: &str, setup: Setup, warm: f64) -> Self {
        let capacity = setup.bodies.volume.iter().map(|v| SOLID * v).collect();
        Self { run: Run::new(text, &setup), temperature: vec![warm; setup.bodies.len()], capacity, setup }
    }

    fn fields(&self) -> FieldStore {
        let sizes = SupportSizes { bodies: self.temperature.len(), ..Default::default() };
        let mut store = FieldStore::new(
            [
                FieldSpec::scalar(names::TEMPERATURE, Unit::TEMPERATURE, Support::Body),
                FieldSpec::scalar(names::HEAT_CAPACITY, Unit::HEAT_CAPACITY, Support::Body),
            ],
            &sizes,
        );
        store.swap(names::TEMPERATURE, &mut self.temperature.clone());
        store.swap(names::HEAT_CAPACITY, &mut self.capacity.clone());
        store
    }

    fn step_to(&mut self, before: &Kinematics, after: &Kinematics, h: f64) -> SolveReport {
        self.run.fields = self.fields();
        let report = self.run.step(&self.setup, before, after, h);
        let given = self.run.written(names::FLUID_HEAT).to_vec();
        let all = self.temperature.iter_mut().zip(&self.capacity).zip(given);
        all.for_each(|((t, c), q)| *t += if *c > 0.0 { q * h / c } else { 0.0 });
        report
    }

    fn step(&mut self, h: f64) -> SolveReport {
        let still = self.setup.initial.clone();
        self.step_to(&still, &still, h)
    }

    fn fluid(&self) -> &[f64] {
        self.run.written(names::FLUID_TEMPERATURE)
    }
}

fn heat_book(report: &SolveReport) -> &mpcd_core::Balance {
    report.balances.iter().find(|b| b.book == Book::Heat).unwrap()
}

fn line(report: &SolveReport, name: &str) -> f64 {
    heat_book(report).flows.iter().find(|f| f.0 == name).unwrap_or_else(|| panic!("no line {name}")).1.x
}

/// Balls in a row of `n` cubes of the edge `dx`, one in the middle of each, so that the porosity is the same everywhere.
fn column(n: usize, dx: f64, solid: f64) -> Setup {
    let volume = solid * dx.powi(3);
    let radius = (0.75 / PI * volume).cbrt();
    let places: Vec<Vec3> = (0..n).map(|i| Vec3::new((i as f64 + 0.5) * dx, 0.5 * dx, 0.5 * dx)).collect();
    let mut setup = setup(Dimension::Spatial, Shape::Ball { radius }, &places, 2500.0);
    setup.gravity = Vec3::zeros();
    setup
}

fn text(n: usize, dx: f64, ends: &str, heat: &str) -> String {
    format!(
        "Darcy(grid: (from: (0, 0, 0), to: ({}, {dx}, {dx}), cells: ({n}, 1, 1)), fluid: Liquid(compressibility: 1e-12), permeability: Given(1e-9), smoothing: 0, couple: (buoyancy: false), {ends}, heat: ({heat}))",
        n as f64 * dx
    )
}

/// Largest errors of the solid's and the fluid's temperature of a hot bed in a cold stream, over the jump.
fn cooled_bed(n: usize, steps: usize) -> [f64; 2] {
    let (length, solid, q) = (0.2, 0.5, 1e-3);
    let dx = length / n as f64;
    let setup = column(n, dx, solid);
    // smaller balls have more surface: the film is such that h A per volume is the same
    let (a, ha) = (setup.bodies.surface[0] / dx.powi(3), 1.2e5);
    let h = ha / a;
    let ends = format!("boundaries: (x_min: Flux({q}), x_max: Pressure(0))");
    let heat = format!("temperature: 373.15, conductivity: 0, ends: (x_min: 293.15), exchange: Given({h})");
    let mut bed = Bed::new(&text(n, dx, &ends, &heat), setup, 373.15);
    let time = 300.0;
    for _ in 0..steps {
        let report = bed.step(time / steps as f64);
        assert!(heat_book(&report).imbalance() < 1e-13, "{:e}", heat_book(&report).imbalance());
    }
    let mut worst = [0.0_f64; 2];
    for i in 0..n {
        let x = (i as f64 + 0.5) * dx;
        let (xi, tau) = (ha * x / (WATER * q), ha * (time - (1.0 - solid) * x / q) / (solid * SOLID));
        let want = schumann(xi, tau);
        for (k, found) in [bed.temperature[i], bed.fluid()[i]].into_iter().enumerate() {
            worst[k] = worst[k].max(((found - 373.15) / (ROOM - 373.15) - want[k]).abs());
        }
    }
    worst
}

#[test]
fn a_hot_bed_in_a_cold_stream_cools_as_schumann_says() {
    let sizes = [25, 50, 100];
    let errors: Vec<[f64; 2]> = sizes.iter().map(|n| cooled_bed(*n, 4 * n)).collect();
    println!("Schumann {errors:?}");
    assert!(errors[2][0] < 0.04 && errors[2][1] < 0.04, "{errors:?}");
    for k in 0..2 {
        let order = slope(&[4.0, 2.0, 1.0], &[errors[0][k], errors[1][k], errors[2][k]]);
        assert!(order > 0.7, "order {order}: {errors:?}");
    }
}

#[test]
fn a_grain_in_a_sealed_cell_comes_to_the_temperature_of_the_mixture() {
    let (solid, h, film) = (0.4, 0.1, 2000.0);
    let setup = column(1, 0.01, solid);
    let (area, volume) = (setup.bodies.surface[0], 1e-6);
    let heat = format!("temperature: 300, exchange: Given({film}), theta: THETA");
    let (c_solid, c_fluid) = (SOLID * solid * volume, WATER * (1.0 - solid) * volume);
    let rate = film * area * (1.0 / c_solid + 1.0 / c_fluid);
    let mixture = (c_solid * 400.0 + c_fluid * 300.0) / (c_solid + c_fluid);
    for theta in [1.0, 0.5] {
        let mut bed =
            Bed::new(&text(1, 0.01, "boundaries: ()", &heat.replace("THETA", &theta.to_string())), column(1, 0.01, solid), 400.0);
        // what the scheme makes of a rate, in every step
        let factor = (1.0 - (1.0 - theta) * h * rate) / (1.0 + theta * h * rate);
        let mut difference = 100.0;
        for k in 0..400 {
            let report = bed.step(h);
            assert!(heat_book(&report).imbalance() < 1e-13);
            difference *= factor;
            let found = bed.temperature[0] - bed.fluid()[0];
            assert!((found - difference).abs() < 1e-10, "step {k}: {found} instead of {difference}");
            let heat = c_solid * bed.temperature[0] + c_fluid * bed.fluid()[0];
            assert!((heat / ((c_solid + c_fluid) * mixture) - 1.0).abs() < 1e-13, "{heat}");
        }
        assert!((bed.temperature[0] - mixture).abs() < 1e-9 && (bed.fluid()[0] - mixture).abs() < 1e-9);
    }
    // the exponential itself, of first and second order
    let error = |theta: f64, steps: usize| {
        let mut bed =
            Bed::new(&text(1, 0.01, "boundaries: ()", &heat.replace("THETA", &theta.to_string())), column(1, 0.01, solid), 400.0);
        let time = 1.0 / rate;
        (0..steps).for_each(|_| drop(bed.step(time / steps as f64)));
        ((bed.temperature[0] - bed.fluid()[0]) / 100.0 - (-1.0_f64).exp()).abs()
    };
    for (theta, wanted) in [(1.0, 1.0), (0.5, 2.0)] {
        let errors = [error(theta, 20), error(theta, 40), error(theta, 80)];
        let order = slope(&[4.0, 2.0, 1.0], &errors);
        assert!((order - wanted).abs() < 0.05, "θ {theta}: order {order}, {errors:?}");
    }
    // however long the step, no overshoot
    let mut bed = Bed::new(&text(1, 0.01, "boundaries: ()", &heat.replace("THETA", "1")), setup, 400.0);
    bed.step(1e6);
    assert!((bed.temperature[0] - mixture).abs() < 1e-4, "{} {mixture}", bed.temperature[0]);
}

#[test]
fn a_front_is_held_back_by_the_grains() {
    // a front that has taken its shape goes at q ρc/(φ ρc + (1 − φ) ρ_s c_s); without exchange at q/φ
    let (n, dx, solid, q) = (100, 2e-3, 0.5, 1e-3);
    let ends = format!("boundaries: (x_min: Flux({q}), x_max: Pressure(0))");
    for (film, delay) in [("Given(1000)", solid * SOLID), ("Insulating", 0.0)] {
        let heat = format!("temperature: 300, conductivity: 0, ends: (x_min: 350), exchange: {film}");
        let mut bed = Bed::new(&text(n, dx, &ends, &heat), column(n, dx, solid), 300.0);
        let speed = q * WATER / ((1.0 - solid) * WATER + delay);
        let (time, steps) = (0.035 / speed, 75);
        let mut behind = [0.0; 2];
        for behind in &mut behind {
            for _ in 0..steps {
                assert_eq!(bed.step(time / f64::from(steps)).status, mpcd_core::Status::Converged);
            }
            *behind = bed.fluid().iter().map(|t| (t - 300.0) / 50.0 * dx).sum();
        }
        println!("front {film} {behind:?}");
        assert!(((behind[1] - behind[0]) / 0.035 - 1.0).abs() < 1e-9, "{film}: {behind:?}");
        // and the half of its height is near, within the smearing that the warning tells
        let half = bed.fluid().iter().position(|t| *t < 325.0).unwrap() as f64 * dx;
        assert!((half - 0.07).abs() < 6e-3, "{film}: {half}");
    }
}

/// The largest error of a fluid at rest between a wall at 1 K more and the far end, over that.
fn conducted(n: usize, steps: usize, theta: f64) -> f64 {
    let dx = 0.05 / n as f64;
    let heat = format!("temperature: 300, ends: (x_min: 301), exchange: Insulating, theta: {theta}");
    let mut bed = Bed::new(&text(n, dx, "boundaries: ()", &heat), column(n, dx, 0.3), 300.0);
    let time = 300.0;
    (0..steps).for_each(|_| drop(bed.step(time / steps as f64)));
    // pores conduct and pores store: the diffusivity is that of water
    let d = 0.6 / WATER;
    (0..n).map(|i| (bed.fluid()[i] - 300.0 - erfc((i as f64 + 0.5) * dx / (4.0 * d * time).sqrt())).abs()).fold(0.0, f64::max)
}

/// 1 − erf, by Simpson's rule.
fn erfc(x: f64) -> f64 {
    let m = 2000;
    let f = |k: usize| {
        (-(x * k as f64 / m as f64).powi(2)).exp()
            * if k == 0 || k == m {
                1.0
            } else if k % 2 == 1 {
                4.0
            } else {
                2.0
            }
    };
    1.0 - 2.0 / PI.sqrt() * x / (3.0 * m as f64) * (0..=m).map(f).sum::<f64>()
}

#[test]
fn a_warm_wall_is_felt_as_the_error_function_says() {
    // of second order in space (steps as the square of the cells), of first and second in time
    let space = [conducted(25, 25, 1.0), conducted(50, 100, 1.0), conducted(100, 400, 1.0)];
    println!("conduction {space:?}");
    assert!(space[2] < 1e-3, "{space:?}");
    assert!(slope(&[4.0, 2.0, 1.0], &space) > 1.8, "{space:?}");
    let both = [conducted(25, 50, 0.5), conducted(50, 100, 0.5), conducted(100, 200, 0.5)];
    println!("θ ½ {both:?}");
    assert!(slope(&[4.0, 2.0, 1.0], &both) > 1.8, "{both:?}");
}

/// Steady flow with conduction between two temperatures: (e^(Pe x) − 1)/(e^Pe − 1) in every cell to rounding, whatever the cells.
#[test]
fn carried_and_conducted_heat_balance_to_rounding() {
    let n = 12;
    let g = grid([1.0, 1.0, 1.0], [n, 1, 1], [false; 3]);
    for per_cell in [1e-9, 0.3, 2.0, 7.0] {
        let step = plain(&g, per_cell, 1.0);
        let mut rise = vec![0.0; n];
        step.solve(&mut rise, 1e-14, 10_000).unwrap();
        // the first and the last cell are held by the test: great capacities
        let total = (per_cell * (n - 1) as f64).exp_m1();
        for (i, found) in rise.iter().enumerate() {
            let want = (per_cell * i as f64).exp_m1() / total;
            assert!((found - want).abs() < 1e-9, "{per_cell} cell {i}: {found} instead of {want}");
        }
    }
}

/// Cells in a row that carry `carried` and conduct 1 between each other, the first and last of which store so much that they stay at 0 and at 1; the stream
/// goes in and out at the temperature of its ends.
fn plain(g: &Grid, carried: f64, theta: f64) -> HeatStep<'_> {
    let n = g.len();
    let mut step = HeatStep {
        grid: g,
        theta,
        capacity: vec![1e-12; n],
        carried: g.face_field(),
        conducted: g.face_field(),
        ends: [[0.0; 2]; 3],
        made: vec![0.0; n],
        grains: vec![],
    };
    step.carried.0[0].fill(carried);
    step.conducted.0[0][1..n].fill(1.0);
    (step.capacity[0], step.capacity[n - 1]) = (1e13, 1e13);
    step.made[n - 1] = 1e13;
    step
}

#[test]
fn temperatures_stay_within_their_range_however_long_the_step() {
    let mut random = Random(7);
    let g = grid([1.0; 3], [4, 3, 2], [false, true, false]);
    for _ in 0..50 {
        let mut step = HeatStep {
            grid: &g,
            theta: 1.0,
            capacity: (0..g.len()).map(|_| 10.0_f64.powf(random.between(3.0, 5.0))).collect(),
            carried: g.face_field(),
            conducted: g.face_field(),
            ends: [[-1.0, 1.0]; 3],
            made: vec![0.0; g.len()],
            grains: vec![],
        };
        for axis in 0..3 {
            for (face, sides) in g.sides(axis).iter().enumerate() {
                let inner = matches!(sides, (Some(_), Some(_)));
                step.carried.0[axis][face] = random.between(-100.0, 100.0);
                step.conducted.0[axis][face] = if inner { 10.0_f64.powf(random.between(-3.0, 7.0)) } else { 0.0 };
            }
        }
        for body in 0..20 {
            let at =
                (0..3).map(|_| ((random.next() * g.len() as f64) as usize, 10.0_f64.powf(random.between(0.0, 8.0)))).collect();
            let at: std::collections::BTreeMap<usize, f64> = at;
            let at = at.into_iter().collect();
            step.grains.push(Grip {
                body,
                capacity: 10.0_f64.powf(random.between(0.0, 6.0)),
                rise: random.between(-1.0, 1.0),
                cells: at,
            });
        }
        let mut rise: Vec<f64> = (0..g.len()).map(|_| random.between(-1.0, 1.0)).collect();
        let before: f64 = rise.iter().zip(&step.capacity).map(|(t, m)| t * m).sum();
        let outcome = step.solve(&mut rise, 1e-13, 10_000).unwrap();
        assert_eq!(outcome.status, mpcd_core::Status::Converged, "{outcome:?}");
        assert!(rise.iter().all(|t| t.abs() <= 1.0 + 1e-9), "{rise:?}");
        for (grain, q) in step.grains.iter().zip(&outcome.to_grains) {
            assert!((grain.rise + q / grain.capacity).abs() <= 1.0 + 1e-6, "{grain:?} {q}");
        }
        let after: f64 = rise.iter().zip(&outcome.capacity).map(|(t, m)| t * m).sum();
        let came: f64 = outcome.inflow.iter().flatten().sum::<f64>() - outcome.to_grains.iter().sum::<f64>();
        let size: f64 = outcome.inflow.iter().flatten().chain(&outcome.to_grains).map(|q| q.abs()).sum::<f64>() + after.abs();
        assert!((after - before - came).abs() < 1e-12 * size, "{before} {after} {came}");
    }
}

/// Balls at random in a box of water with one end open.
fn box_of_balls(seed: u64) -> (Setup, Random) {
    let mut random = Random(seed);
    let places: Vec<Vec3> =
        (0..150).map(|_| Vec3::new(random.between(0.0, 6e-3), random.between(0.0, 8e-3), random.between(0.0, 4e-3))).collect();
    let mut setup = setup(Dimension::Spatial, Shape::Ball { radius: 0.4e-3 }, &places, 2500.0);
    setup.gravity = Vec3::zeros();
    (setup, random)
}

const BOX: &str = r#"Darcy(
    grid: (from: (0, 0, 0), to: ("6 mm", "8 mm", "4 mm"), cells: (6, 8, 4)),
    fluid: FLUID, permeability: Given(1e-10), couple: (buoyancy: false), boundaries: (ENDS), heat: (HEAT))"#;

fn in_box(fluid: &str, ends: &str, heat: &str) -> String {
    BOX.replace("FLUID", fluid).replace("ENDS", ends).replace("HEAT", heat)
}

fn shaken(at: &Kinematics, random: &mut Random) -> Kinematics {
    let mut out = at.clone();
    for x in &mut out.position {
        *x += Vec3::from_fn(|_, _| random.between(-1e-4, 1e-4));
        *x = x.sup(&Vec3::zeros()).inf(&Vec3::new(6e-3, 8e-3, 4e-3));
    }
    out.size.iter_mut().for_each(|s| *s *= 1.0 + 1e-4 * random.next());
    out
}

/// Heat of all grains over `ROOM` (J).
fn heat_of_grains(bed: &Bed) -> f64 {
    bed.temperature.iter().zip(&bed.capacity).map(|(t, c)| (t - ROOM) * c).sum()
}

#[test]
fn heat_is_kept_while_grains_move() {
    for (fluid, start) in [("Liquid()", "temperature: 293.15"), ("Gas()", "temperature: 293.15")] {
        for ends in ["", "y_max: Pressure(1e5)"] {
            let (setup, mut random) = box_of_balls(5);
            let mut bed = Bed::new(&in_box(fluid, ends, start), setup, ROOM);
            bed.temperature.iter_mut().for_each(|t| *t = random.between(280.0, 380.0));
            let (first, mut came, mut at) = (heat_of_grains(&bed), 0.0, bed.setup.initial.clone());
            let (mut last, mut size) = (0.0, first.abs());
            for k in 0..60 {
                let after = shaken(&at, &mut random);
                let report = bed.step_to(&at, &after, 1e-3);
                let book = heat_book(&report);
                assert!(book.imbalance() < 1e-12, "{fluid} {ends} step {k}: {:e}", book.imbalance());
                // nothing but what the tolerance of the pressure leaves
                assert!(line(&report, "pore fluid: mass of the tolerance").abs() < 1e-9 * book.scale, "{book:?}");
                came += book.flows.iter().filter(|f| f.0 != "pore fluid to grains").map(|f| f.1.x).sum::<f64>();
                size += book.flows.iter().map(|f| f.1.x.abs()).sum::<f64>();
                last = book.stores[0].2.x;
                at = after;
            }
            let drift = heat_of_grains(&bed) + last - first - came;
            assert!(drift.abs() < 1e-12 * size, "{fluid} {ends}: {drift:e} of {size:e}");
            assert!(bed.fluid().iter().all(|t| (270.0..390.0).contains(t)), "{:?}", bed.fluid());
        }
    }
}

#[test]
fn fluid_of_one_temperature_keeps_it() {
    let (setup, mut random) = box_of_balls(9);
    let ends = "y_min: Flux(1e-2), y_max: Pressure(0)";
    let mut bed = Bed::new(&in_box("Liquid()", ends, "temperature: 320, ends: (y_min: 320, y_max: 320)"), setup, 320.0);
    let mut at = bed.setup.initial.clone();
    for _ in 0..20 {
        let after = shaken(&at, &mut random);
        bed.step_to(&at, &after, 1e-3);
        at = after;
    }
    for t in bed.fluid().iter().chain(&bed.temperature) {
        assert_eq!(*t, 320.0);
    }
}

#[test]
fn a_run_that_is_resumed_has_the_same_bits() {
    let run = |fluid: &str, resumes: bool| {
        let (setup, mut random) = box_of_balls(3);
        let text = in_box(fluid, "y_min: Flux(1e-2), y_max: Pressure(1e5)", "ends: (y_min: 350)");
        let mut bed = Bed::new(&text, setup, 300.0);
        let mut at = bed.setup.initial.clone();
        for k in 0..8 {
            let after = shaken(&at, &mut random);
            bed.step_to(&at, &after, 1e-3);
            at = after;
            if resumes && k == 4 {
                let saved = bed.run.module.save().unwrap();
                bed.run.module = build(&text, &bed.setup).unwrap();
                bed.run.module.load(&saved).unwrap();
            }
        }
        [bed.fluid().to_vec(), bed.temperature, bed.run.written(names::PRESSURE).to_vec()]
    };
    for fluid in ["Liquid()", "Gas()"] {
        assert_eq!(run(fluid, false), run(fluid, true));
    }
}

/// Air in a sealed box whose grains are held warm: it comes to their temperature and to the pressure of that.
#[test]
fn a_sealed_gas_takes_the_heat_of_constant_volume() {
    let (setup, _) = box_of_balls(4);
    let mut bed = Bed::new(
        &in_box("Gas()", "", "specific_heat: 1005, exchange: Given(2)")
            .replace("permeability:", "scheme: Unsplit(theta: 1), permeability:"),
        setup,
        586.3,
    );
    // held, as the module of heat says it
    bed.capacity.fill(-1.0);
    let (mut of_grains, mut range) = (0.0, [0.0; 2]);
    for _ in 0..800 {
        let report = bed.step(1e-2);
        of_grains += line(&report, "pore fluid to grains");
        let numbers = |name: &str| report.numbers.iter().find(|n| n.0 == name).unwrap().1;
        range = [numbers("pressure_min"), numbers("pressure_max")];
    }
    assert!(bed.fluid().iter().all(|t| (t - 586.3).abs() < 1e-6), "{:?}", &bed.fluid()[..4]);
    assert!(range.iter().all(|p| (p / 2e5 - 1.0).abs() < 1e-6), "{range:?}");
    let pores = 6e-3 * 8e-3 * 4e-3 - bed.setup.bodies.volume.iter().sum::<f64>();
    // c_v = c_p − p/(ρT), in place of c_p: 717.7 of 1005
    let want = 1.2 * pores * (1005.0 - 1e5 / (1.2 * ROOM)) * ROOM;
    assert!((of_grains / want - 1.0).abs() < 1e-9, "{of_grains} instead of {want}");
}

#[test]
fn faults_are_named() {
    let (setup, _) = box_of_balls(1);
    let error = |text: &str| build(text, &setup).err().map_or_else(String::new, |e| e.to_string());
    let liquid = |heat: &str| in_box("Liquid()", "", heat);
    assert!(error(&liquid("conductivity: 0")).contains("Wakao"), "{}", error(&liquid("conductivity: 0")));
    let mut around = box_of_balls(1).0;
    around.periods = [Some(6e-3), None, None];
    let periodic = in_box("Liquid()", "x_min: Periodic, x_max: Periodic", "ends: (x_min: 300)");
    let told = build(&periodic, &around).err().unwrap().to_string();
    assert!(told.contains("`x_min` is Periodic"), "{told}");
    let biot = liquid("").replace("heat:", "biot: (coefficient: 0.9), heat:");
    assert!(error(&biot).contains("`biot`"), "{}", error(&biot));
    let source = liquid("").replace("heat:", "scheme: Split(form: Source), heat:");
    assert!(error(&source).contains("`form: Source`"), "{}", error(&source));
    // at run time: an end below absolute zero
    let mut bed = Bed::new(&in_box("Liquid()", "y_max: Pressure(0)", "ends: (y_max: \"-10 + 0*t\")"), setup, ROOM);
    bed.run.fields = bed.fields();
    let fields = bed.fields();
    let told = crate::module::advance_once(&mut *bed.run.module, &bed.setup, &fields).unwrap_err().to_string();
    assert!(told.contains("`y_max`") && told.contains("temperature above zero"), "{told}");
}

#[test]
fn an_upwind_scheme_is_told() {
    let told = |heat: &str| {
        let mut bed =
            Bed::new(&text(20, 1e-2, "boundaries: (x_min: Flux(1e-3), x_max: Pressure(0))", heat), column(20, 1e-2, 0.5), ROOM);
        bed.step(1.0).warnings.join("\n")
    };
    // c ρ q Δx/(φ k) = 4.182e6 · 1e-3 · 1e-2/(0.5 · 0.6) = 139
    let warning = told("");
    assert!(warning.contains("cell Péclet number of 128 or more") && warning.contains("7.81e-5 m"), "{warning}");
    assert!(told("conductivity: 0, exchange: Insulating").contains("conducts none"));
    assert_eq!(told("dispersion: 0.01"), "");
}
