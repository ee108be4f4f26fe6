//! Published and analytic numbers beside models of the gallery: sliding of shaken layers, thermal ratchets, beds of sand on air.

use std::f64::consts::TAU;

use crate::granular::{column, steps};

const G: f64 = 9.81;

fn gallery(name: &str) -> String {
    std::fs::read_to_string(format!("{}/../models/coupled/{name}.ron", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// Text with each part replaced; a part that is not there is an error of the test.
fn with(text: &str, parts: &[(&str, &str)]) -> String {
    parts.iter().fold(text.to_owned(), |text, (old, new)| {
        assert!(text.contains(old), "no {old}");
        text.replace(old, new)
    })
}

/// Three stones in a row on a floor that swings with this peak acceleration (m/s²); returns the largest speed of the stones against the floor over that of the floor, in one period.
fn slide(dimension: u8, immersed: bool, acceleration: f64, frequency: f64) -> f64 {
    let speed = acceleration / (TAU * frequency);
    let space = dimension == 3;
    let across = |plane: &'static str, space_: &'static str| if space { space_ } else { plane };
    let stones: Vec<String> = [10, 30, 50]
        .iter()
        .map(|x| {
            let (size, at) = (across("(0.018, 0.01)", "(0.018, 0.018, 0.01)"), across("0.005", "0.03, 0.005"));
            format!(r#"(group: "stones", material: "stone", shape: Box(size: {size}), at: ("{x} mm", {at}))"#)
        })
        .collect();
    let up = across("y", "z");
    let darcy = format!(
        r#", Darcy(grid: (from: {}, to: {}, cell: "10 mm"), fluid: Liquid(), permeability: Given("1e-7 m^2"),
             boundaries: (x_min: Periodic, x_max: Periodic, {}{up}_min: Wall, {up}_max: Pressure(0)))"#,
        across("(0, 0)", "(0, 0, 0)"),
        across("(0.06, 0.04)", "(0.06, 0.06, 0.04)"),
        across("", "y_min: Periodic, y_max: Periodic, "),
    );
    let model = format!(
        r#"(dimension: {dimension}, gravity: {}, periodic: {}, time: (step: {}, end: 10, theta: 1),
  materials: {{"stone": (density: 2500)}},
  bodies: [{}, (group: "floor", material: "stone", shape: Plane(normal: {}))],
  interactions: [(between: ("stones", "stones"), law: Coulomb(friction: 0.5)), (between: ("stones", "floor"), law: Coulomb(friction: 0.5))],
  loads: [(on: "floor", load: Velocity(x: "{speed}*sin(2*PI*{frequency}*t)", {}))],
  physics: [Contact(tolerance: 1e-10){}],
  output: (probes: [(name: "speed", of: "velocity", component: X, reduce: Mean, group: "stones")]))"#,
        across("(0, -9.81)", "(0, 0, -9.81)"),
        across("(x: 0.06)", "(x: 0.06, y: 0.06)"),
        1.0 / (1000.0 * frequency),
        stones.join(", "),
        across("(0, 1)", "(0, 0, 1)"),
        across("y: 0, spin_z: 0", "y: 0, z: 0, spin_x: 0, spin_y: 0, spin_z: 0"),
        if immersed { &darcy } else { "" },
    );
    let mut run = crate::granular::build(&model, &[]);
    (1..=1000)
        .map(|step| {
            let outcome = steps(&mut run, 1);
            let floor = speed * (TAU * f64::from(step) / 1000.0).sin();
            (column(&run, &outcome, "speed").unwrap() - floor).abs() / speed
        })
        .fold(0.0, f64::max)
}

/// Clément et al. 2018: grains slide where the peak acceleration of the ground is above μ g dry, and above μ g (ρ_s − ρ_f)/ρ_s in a liquid that leaves, whatever the frequency: what they
/// press on each other is lighter by the buoyancy, what has to be moved is not. Above, at k times that, a sliding block (Newmark 1965) stays behind by
/// 2 (√(1 − 1/k²) − arccos(1/k)/k) of the speed of the ground.
#[test]
fn stones_slide_at_the_acceleration_that_their_immersed_weight_allows() {
    for (immersed, part) in [(false, 1.0), (true, (2500.0 - 1000.0) / 2500.0)] {
        let critical = 0.5 * G * part;
        for (dimension, frequency) in [(2, 2.0), (2, 8.0), (3, 8.0)] {
            let below = slide(dimension, immersed, 0.98 * critical, frequency);
            assert!(below < 1e-9, "immersed {immersed}, {dimension}D, {frequency} Hz: slides by {below} below the threshold");
            for k in [1.02_f64, 1.5] {
                let found = slide(dimension, immersed, k * critical, frequency);
                let block = 2.0 * ((1.0 - 1.0 / (k * k)).sqrt() - (1.0 / k).acos() / k);
                assert!(
                    (found / block - 1.0).abs() < 2e-3,
                    "immersed {immersed}, {dimension}D, {frequency} Hz, {k}: {found} for {block}"
                );
            }
        }
    }
}

/// How far the centre of the bed of the gallery sinks in a second of shaking with a peak acceleration (m/s²), in a liquid that leaves at once or dry (m).
fn settled(immersed: bool, acceleration: f64) -> f64 {
    let text = gallery("liquefaction");
    let bead = 2500.0 * TAU * 2.0 / 3.0 * 5e-3_f64.powi(3);
    let force = format!(r#"x: "{}*sin(2*PI*8*t)*max(0, min(1, 1e4*(t - 0.5)))""#, bead * acceleration);
    let (start, end) = (text.find("    // without contacts").unwrap(), text.find("],\n  output").unwrap());
    let start = if immersed { start } else { text.find("    Darcy(").unwrap() };
    let text = format!("{}  {}", &text[..start], &text[end..]);
    let old = text.split("load: Force(").nth(1).unwrap().split(")),\n").next().unwrap().to_owned();
    let text = with(
        &text,
        &[
            (r#"("100 mm", "40 mm", "80 mm")"#, r#"("60 mm", "40 mm", "50 mm")"#),
            (r#"at: ("100 mm", 0, 0)"#, r#"at: ("60 mm", 0, 0)"#),
            (r#"Uniform(min: "4.5 mm", max: "5.5 mm")"#, r#"Uniform(min: "4.99 mm", max: "5.01 mm")"#),
            (&old, &force),
        ],
    );
    let sets: &[&str] = &[r#"physics[1].grid.to=("60 mm", "40 mm", "60 mm")"#, r#"physics[1].fluid.viscosity="10 mPa s""#];
    let mut run = crate::granular::build(&text, if immersed { sets } else { &[] });
    let [rest, end] = [625, 1250].map(|count| {
        let outcome = steps(&mut run, count);
        column(&run, &outcome, "centre").unwrap()
    });
    rest - end
}

/// The same of a bed: what counts is the acceleration over that which the pressing weight allows. In the liquid the bed settles at 3 m/s² as dry at 5 m/s² (3/0.6), and several times as far as
/// dry at 3 m/s².
#[test]
fn a_drained_bed_settles_as_a_dry_one_at_the_acceleration_of_its_weight() {
    let [immersed, same, less] = [(true, 3.0), (false, 5.0), (false, 3.0)].map(|(wet, a)| settled(wet, a));
    assert!((0.6..1.6).contains(&(immersed / same)), "{immersed} m immersed, {same} m dry at the same part of the weight");
    assert!(immersed > 2.5 * less, "{immersed} m immersed, {less} m dry");
}

/// How far down a roof of slope tan ι = `part` · 0.4 a slab of 1 m creeps in the second cycle of ±`swing` K, from its warmest hour to the next (m); friction 0.4, expansion 1e-4 /K, ρ g = 1e4 N/m³.
fn crept(shape: &str, part: f64, swing: f64, young: f64) -> f64 {
    let slope = (0.4 * part).atan();
    let (dimension, zero) = if shape.contains("Cuboid") { (3, "0, ") } else { (2, "") };
    let model = format!(
        r#"(dimension: {dimension}, gravity: ({}, {zero}{}), time: (step: "1 s", end: "100 s", theta: 1),
  materials: {{"lead": (density: 1000, elastic: (young: {young}, poisson: 0), thermal: (conductivity: 30, specific_heat: 100, expansion: 1e-4))}},
  bodies: [(group: "slab", material: "lead", shape: {shape}), (group: "roof", material: "lead", shape: Plane(normal: ({zero}0, 1)))],
  interactions: [(between: ("slab", "roof"), law: Coulomb(friction: 0.4))],
  loads: [(on: "roof", load: Fixed)],
  physics: [Contact(tolerance: 1e-8), Thermal(law: Insulating, boundary: [Temperature(group: "slab", value: "293.15 + {swing}*sin(2*PI*t/40)")])],
  output: (probes: [(name: "x", of: "centre_of_mass", component: X, group: "slab")]))"#,
        10.0 * slope.sin(),
        -10.0 * slope.cos(),
    );
    let mut run = crate::granular::build(&model, &[]);
    let [first, second] = [50, 40].map(|count| {
        let outcome = steps(&mut run, count);
        column(&run, &outcome, "x").unwrap()
    });
    second - first
}

/// Moseley 1855 (the lead of the roof of Bristol cathedral): a slab that lies on a roof goes down by L (α ΔT − ε) tan ι/tan φ in each cycle of ΔT from coldest to warmest, since the place that stays where it is
/// lies above the middle while it expands and below while it contracts. ε = (μ cos ι − sin ι) ρ g L/E is what its own elasticity takes up: the stress
/// between the two places turns by (μ cos ι − sin ι) ρ g L before all of the slab moves, and below that swing it stays for good.
#[test]
fn a_slab_creeps_down_a_roof_by_its_daily_swing_and_not_below_a_critical_one() {
    let plane = "Mesh(of: Rectangle(size: (1, 0.02), cells: (40, 1), element: Q4), plane: PlaneStress)";
    // narrow: what swells sideways uses up some of the friction, 0.6 % of the way at ten times the width
    let space = "Mesh(of: Cuboid(size: (1, 0.002, 0.02), cells: (40, 1, 1), element: Hex8))";
    for (shape, part, swing, young) in [
        (plane, 0.5, 10.0, 1e9),
        (plane, 0.5, 10.0, 2e6),
        (plane, 0.3, 10.0, 1e7),
        (plane, 0.8, 10.0, 1e7),
        (space, 0.5, 10.0, 1e7),
    ] {
        let slope = (0.4_f64 * part).atan();
        let critical = (0.4 * slope.cos() - slope.sin()) * 1e4 / young;
        let theory = part * (1e-4 * 2.0 * swing - critical);
        let found = crept(shape, part, swing, young);
        assert!((found / theory - 1.0).abs() < 3e-3, "{shape}, {part}, {young} Pa: {found} m for {theory} m");
    }
    // a swing of 1e-3 where 1.96e-3 is critical
    let held = crept(plane, 0.5, 5.0, 1e6);
    assert!(held.abs() < 1e-6, "creeps by {held} m below the critical swing");
}

/// Rigid grains without roughness have no length to compare a swing with: what they settle is in proportion to it, without a critical one, and they settle continuously
/// (Divoux et al. 2008 see that above a critical swing, and rest broken by collapses below).
#[test]
fn what_a_silo_settles_is_in_proportion_to_the_swing() {
    let text = with(&gallery("silo-ratcheting"), &[("count: 150", "count: 80"), ("    spread: 20,\n", "")]);
    // by kelvin, from the first day to the sixth, and the days on which the grains rose
    let found = [20.0, 5.0].map(|swing: f64| {
        let mut run = crate::granular::build(&with(&text, &[("20*sin", &format!("{swing}*sin"))]), &[]);
        steps(&mut run, 400);
        let heights: Vec<f64> = (0..6)
            .map(|_| {
                let outcome = steps(&mut run, 40);
                column(&run, &outcome, "height").unwrap()
            })
            .collect();
        let risen = heights.windows(2).filter(|d| d[1] > d[0]).count();
        ((heights[0] - heights[5]) / swing, risen)
    });
    let [(large, up), (small, up_small)] = found;
    assert!(large > 0.0 && (0.5..2.0).contains(&(small / large)), "{large} and {small} m/K");
    assert!(up + up_small <= 1, "rises on {up} and {up_small} of five days");
}

/// Sand of the gallery on air, in a cell of this width (mm) and friction of its walls, after so many steps of 0.25 ms.
fn sand(width: u32, friction: &str, count: u64) -> mpcd_sim::Simulation {
    let text = with(
        &gallery("sand-above-air"),
        &[
            ("\"24 mm\", \"22 mm\"", &format!("\"{width} mm\", \"22 mm\"")),
            ("at: (\"24 mm\", 0)", &format!("at: (\"{width} mm\", 0)")),
            ("to: (\"24 mm\", \"24 mm\")", &format!("to: (\"{width} mm\", \"24 mm\")")),
            ("\"walls\"), law: Coulomb(friction: 0.3)", &format!("\"walls\"), law: Coulomb(friction: {friction})")),
        ],
    );
    let mut run = crate::granular::build(&text, &[]);
    steps(&mut run, count);
    run
}

/// While sand above air holds together it falls as fast as the air crosses it: at κ/η of the gradient of the pressure, with Carman's and Kozeny's κ of the porosity that is there, since the air that is
/// enclosed below is as much as what it displaces. Nothing but the pressure carries it (sides without friction, nothing on the floor yet): its drop over the cell is the weight less the momentum that the
/// grains gain, and above the front the speed is that of the weight of the sand.
#[test]
fn sand_above_air_falls_at_darcys_speed_of_its_weight() {
    let mut run = sand(12, "0", 72);
    let (nx, cell) = (60, 0.2e-3);
    let area = 12e-3 * 0.2e-3;
    let mean = |run: &mpcd_sim::Simulation, row: usize| {
        run.field("pressure").unwrap()[row * nx..(row + 1) * nx].iter().sum::<f64>() / nx as f64
    };
    // mass and momentum downwards of the grains between two heights
    let grains = |run: &mpcd_sim::Simulation, from: f64, to: f64| {
        let (mass, k) = (&run.setup().bodies.mass, &run.world().kinematics);
        let within = (0..k.len()).filter(|i| mass[*i] > 0.0 && (from..to).contains(&k.position[*i].y));
        within.fold((0.0, 0.0), |(m, p), i| (m + mass[i], p - mass[i] * k.velocity[i].y))
    };
    let (weight, before) = grains(&run, 0.0, 1.0);
    let mut impulse = 0.0;
    for _ in 0..64 {
        steps(&mut run, 1);
        impulse += (mean(&run, 0) - mean(&run, 119)) * area * 0.25e-3;
    }
    let momentum = grains(&run, 0.0, 1.0).1 - before;
    let carried = impulse / (weight * G * 64.0 * 0.25e-3 - momentum);
    // never less; more by what grains that rain alone leave of the gradient to the air
    assert!((1.0..1.01).contains(&carried), "the pressure carries {carried} of what is not gained as momentum");
    // between 16 and 20 mm, above the front and below the surface
    let rows = 80..100;
    let porosity = run.field("porosity").unwrap();
    let band = &porosity[rows.start * nx..rows.end * nx];
    let solid = 1.0 - band.iter().sum::<f64>() / band.len() as f64;
    let end = |row: usize| 0.5 * (mean(&run, row - 1) + mean(&run, row));
    let gradient = (end(rows.start) - end(rows.end)) / (rows.len() as f64 * cell);
    let (mass, momentum) = grains(&run, 0.016, 0.020);
    let mobility = (1e-4_f64).powi(2) / 45.0 * (1.0 - solid).powi(3) / (solid * solid) / 1.8e-5;
    let speed = momentum / mass;
    let [of_gradient, of_weight] = [gradient, solid * 2500.0 * G].map(|f| mobility * f);
    assert!((speed / of_gradient - 1.0).abs() < 0.02, "{speed} m/s, {of_gradient} m/s by the gradient");
    assert!((speed / of_weight - 1.0).abs() < 0.06, "{speed} m/s, {of_weight} m/s by the weight");
}

/// Vinningland et al. 2012: differences of density between places at a distance l along the front grow as l^ζ with ζ ≈ 0.75 for grains of 50 to 500 µm in air. Here of the solid fraction within 2 mm of where the
/// front was, at distances of 2 to 8 diameters, after 50 ms; without air the sand falls flat and stays uncorrelated beyond its packing.
#[test]
fn the_front_of_sand_above_air_is_as_rough_as_in_experiments() {
    let run = sand(24, "0.3", 200);
    let porosity = run.field("porosity").unwrap();
    let nx = 120;
    let points: Vec<(f64, f64)> = (2..=8)
        .map(|l| {
            let rows = porosity.chunks_exact(nx).skip(50).take(20);
            let squares: Vec<f64> = rows.flat_map(|row| (l..nx).map(move |x| (row[x] - row[x - l]).powi(2))).collect();
            ((l as f64).ln(), 0.5 * (squares.iter().sum::<f64>() / squares.len() as f64).ln())
        })
        .collect();
    let n = points.len() as f64;
    let (mx, my) = points.iter().fold((0.0, 0.0), |(a, b), (x, y)| (a + x / n, b + y / n));
    let (over, under) = points.iter().fold((0.0, 0.0), |(a, b), (x, y)| (a + (x - mx) * (y - my), b + (x - mx) * (x - mx)));
    assert!((over / under - 0.75).abs() < 0.1, "exponent {}", over / under);
}
