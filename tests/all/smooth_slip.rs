//! The tangential dashpots of `SmoothContact`: they are tuned for the mass that slip moves, whatever the dimension, the length of a line, and the axes that are held.

use mpcd_sim::Simulation;

use crate::granular::{build, column};

const MASS: f64 = 15.0;
const RADIUS: f64 = 0.1;

/// A body of [`MASS`] on a plane with its normal along y, without gravity.
fn on_floor(dimension: u8, body: &str, law: &str, loads: &str, (h, end): (f64, f64), settings: &str) -> Simulation {
    let up = if dimension == 2 { "(0, 1)" } else { "(0, 1, 0)" };
    let probes = ["X", "Y", "Z"]
        .into_iter()
        .take(usize::from(dimension))
        .map(|axis| format!("(name: \"v{axis}\", of: \"velocity\", component: {axis}, group: \"b\"), "));
    build(
        &format!(
            r#"(dimension: {dimension}, time: (step: {h}, end: {end}), materials: {{"m": (density: 1000)}},
  bodies: [(group: "b", material: "m", mass: {MASS}, {body}), (group: "f", material: "m", shape: Plane(normal: {up}))],
  interactions: [(between: ("b", "f"), law: {law})], loads: [{loads}],
  physics: [SmoothContact({settings})],
  output: (probes: [{}(name: "wZ", of: "angular_velocity", component: Z, group: "b")]))"#,
            probes.collect::<String>()
        ),
        &[],
    )
}

/// These columns at the end of a run.
fn at_end<const N: usize>(mut run: Simulation, names: [&str; N]) -> [f64; N] {
    let mut out = [0.0; N];
    while !run.finished() {
        let step = run.step().unwrap();
        out = names.map(|name| column(&run, &step, name).unwrap());
    }
    out
}

/// How a round body leaves the plane: its speed along it, its spin and the work of friction, by small steps of its three equations of motion. `inverse` is 1/J.
struct Blow {
    stiffness: f64,
    damping: f64,
    friction: f64,
    inverse: f64,
}

impl Blow {
    fn result(&self, along: f64, down: f64) -> [f64; 3] {
        let shear = 0.8 * self.stiffness;
        let ratio = self.damping / (2.0 * (MASS * self.stiffness).sqrt());
        let slip_mass = 1.0 / (1.0 / MASS + RADIUS * RADIUS * self.inverse);
        let dashpot = 2.0 * ratio * (slip_mass * shear).sqrt();
        let (mut depth, mut closing, mut v, mut w, mut spring, mut work) = (0.0_f64, down, along, 0.0_f64, 0.0_f64, 0.0_f64);
        let h = 2e-8;
        loop {
            depth += 0.5 * h * closing;
            let normal = (self.stiffness * depth + self.damping * closing).max(0.0);
            if closing < 0.0 && depth <= 0.0 {
                return [v, w, work];
            }
            let slip: f64 = v + RADIUS * w;
            let limit = self.friction * normal;
            spring = (spring - h * shear * slip).clamp(-limit, limit);
            let force = (spring - dashpot * slip).clamp(-limit, limit);
            closing -= h * normal / MASS;
            v += h * force / MASS;
            w += h * force * RADIUS * self.inverse;
            work += h * force * 0.5 * (slip + v + RADIUS * w);
            depth += 0.5 * h * closing;
        }
    }
}

fn agrees(what: &str, found: &[f64], wanted: &[f64]) {
    for (f, w) in found.iter().zip(wanted) {
        assert!((f - w).abs() < 1e-3 * w.abs().max(1.0), "{what}: {found:?}, not {wanted:?}");
    }
}

const STIFFNESS: f64 = 1e8;
const DAMPING: f64 = 12000.0;
const FRICTION: f64 = 0.4;

/// The law of a contact of so many points, which has [`STIFFNESS`] and [`DAMPING`] as a whole.
fn shared(points: f64) -> String {
    format!("Hooke(stiffness: {}, damping: {}, friction: {FRICTION})", STIFFNESS / points, DAMPING / points)
}

/// An oblique blow of a disc, of a ball and of cylinders of three lengths, one of them turned about the plane's normal. The points of a line took what their places along it
/// turn for a part of their slip: 1.08, 1.00 and 0.90 m/s for the 1.12 m/s of the disc.
#[test]
fn a_cylinder_rolls_off_as_the_disc_it_is() {
    let blow = |part: f64| Blow {
        stiffness: STIFFNESS,
        damping: DAMPING,
        friction: FRICTION,
        inverse: 1.0 / (part * MASS * RADIUS * RADIUS),
    };
    let start = "at: (0, 0.101, 0), velocity: (2, -3, 0)";
    let names = ["vX", "wZ", "w_friction"];
    let [roller, ball] = [0.5, 0.4].map(|part| blow(part).result(2.0, 3.0));
    let mut bodies = vec![
        (2, "shape: Disc(radius: 0.1), at: (0, 0.101), velocity: (2, -3)".to_owned(), 1.0, roller),
        (3, format!("shape: Sphere(radius: 0.1), {start}"), 1.0, ball),
    ];
    for length in [0.05, 0.5, 2.0] {
        bodies.push((3, format!("shape: Cylinder(radius: 0.1, length: {length}), {start}"), 2.0, roller));
    }
    for (dimension, body, points, wanted) in bodies {
        let run = on_floor(dimension, &body, &shared(points), "", (2e-5, 0.003), "steps_per_contact: 2000");
        agrees(&body, &at_end(run, names), &wanted);
    }
    let (sin, cos) = 30_f64.to_radians().sin_cos();
    let turned = format!(
        "shape: Cylinder(radius: 0.1, length: 0.5), rotation: ((0, 1, 0), \"30 deg\"), at: (0, 0.101, 0), velocity: ({}, -3, {})",
        2.0 * cos,
        -2.0 * sin
    );
    let run = on_floor(3, &turned, &shared(2.0), "", (2e-5, 0.003), "steps_per_contact: 2000");
    let [x, z, spin, work] = at_end(run, ["vX", "vZ", "wZ", "w_friction"]);
    agrees(&turned, &[x / cos, -z / sin, spin / cos, work], &[roller[0], roller[0], roller[1], roller[2]]);
}

/// Newton's method knows the same dashpots.
#[test]
fn implicit_steps_damp_the_slip_of_a_cylinder_as_explicit_ones() {
    let law = shared(2.0);
    let body = "shape: Cylinder(radius: 0.1, length: 2), at: (0, 0.101, 0), velocity: (2, -3, 0)";
    let blow = Blow { stiffness: STIFFNESS, damping: DAMPING, friction: FRICTION, inverse: 2.0 / (MASS * RADIUS * RADIUS) };
    let [v, w, work] = blow.result(2.0, 3.0);
    let run = on_floor(3, body, &law, "", (2e-6, 0.003), "integrator: Implicit()");
    let [found_v, found_w, found_work] = at_end(run, ["vX", "wZ", "w_friction"]);
    assert!(
        (found_v - v).abs() < 0.01 && (found_w - w).abs() < 0.2 && (found_work - work).abs() < 0.1,
        "{found_v} {found_w} {found_work}"
    );
}

/// What is held does not move with the slip: a cylinder that goes along its own axis and may not tilt, and rollers that may not roll.
#[test]
fn held_spins_are_no_part_of_the_mass_that_slips() {
    let blow = Blow { stiffness: STIFFNESS, damping: DAMPING, friction: FRICTION, inverse: 0.0 };
    let [v, _, work] = blow.result(2.0, 3.0);
    let cylinder = "shape: Cylinder(radius: 0.1, length: 0.5), at: (0, 0.101, 0)";
    for (dimension, body, points, held, name) in [
        (3, format!("{cylinder}, velocity: (0, -3, 2)"), 2.0, "SpinX", "vZ"),
        (3, format!("{cylinder}, velocity: (2, -3, 0)"), 2.0, "SpinZ", "vX"),
        (3, "shape: Sphere(radius: 0.1), at: (0, 0.101, 0), velocity: (2, -3, 0)".to_owned(), 1.0, "SpinZ", "vX"),
        (2, "shape: Disc(radius: 0.1), at: (0, 0.101), velocity: (2, -3)".to_owned(), 1.0, "SpinZ", "vX"),
    ] {
        let loads = format!("(on: \"b\", load: Locked(axes: [{held}]))");
        let run = on_floor(dimension, &body, &shared(points), &loads, (2e-5, 0.003), "steps_per_contact: 2000");
        agrees(&format!("{body}, {held} held"), &at_end(run, [name, "w_friction"]), &[v, work]);
    }
}

/// A box that swings on the tangential springs of its face and rocks on the normal ones, of 0.4 m × 0.2 m and any depth: x and θ by their two equations.
#[test]
fn a_box_swings_in_space_as_in_the_plane() {
    let (stiffness, ratio, start) = (1e5_f64, 0.1, 1e-4);
    let (half, high) = (0.2_f64, 0.1_f64);
    let inertia = MASS * (half * half + high * high) / 3.0;
    let shear = 2.0 * 0.8 * stiffness;
    let slip_mass = 1.0 / (1.0 / MASS + high * high / inertia);
    let dashpot = 2.0 * ratio * (slip_mass * shear).sqrt();
    let (mut x, mut angle, mut v, mut w, steps) = (0.0, 0.0, start, 0.0, 200_000);
    let h = 0.08 / f64::from(steps);
    for _ in 0..steps {
        x += 0.5 * h * v;
        angle += 0.5 * h * w;
        let force = -shear * (x + high * angle) - dashpot * (v + high * w);
        v += h * force / MASS;
        w += h * (high * force - 2.0 * stiffness * half * half * angle) / inertia;
        x += 0.5 * h * v;
        angle += 0.5 * h * w;
    }
    let law = |points: f64| {
        format!("Hooke(stiffness: {}, friction: 100, tangential: Elastic(damping_ratio: {ratio}))", 2.0 * stiffness / points)
    };
    for (dimension, shape, points, held) in [
        (2, "shape: Box(size: (0.4, 0.2)), at: (0, 0.09999), velocity: (1e-4, 0)", 2.0, "Y"),
        (3, "shape: Box(size: (0.4, 0.2, 0.1)), at: (0, 0.09999, 0), velocity: (1e-4, 0, 0)", 4.0, "Y, Z, SpinX, SpinY"),
        (3, "shape: Box(size: (0.4, 0.2, 1)), at: (0, 0.09999, 0), velocity: (1e-4, 0, 0)", 4.0, "Y, Z, SpinX, SpinY"),
    ] {
        let loads = format!("(on: \"b\", load: Locked(axes: [{held}]))");
        let run = on_floor(dimension, shape, &law(points), &loads, (1e-3, 0.08), "steps_per_contact: 400");
        let [found_v, found_w] = at_end(run, ["vX", "wZ"]);
        let (off, off_spin) = ((found_v - v).abs() / start, (found_w - w).abs() * half / start);
        assert!(off < 2e-3 && off_spin < 2e-3, "{shape}: {found_v:e} m/s and {found_w:e} rad/s, not {v:e} and {w:e}");
    }
}
