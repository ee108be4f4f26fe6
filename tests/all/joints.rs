//! Joints from the model file: each kind against a closed form, and what is said of wrong ones.

use std::{f64::consts::PI, fmt::Write, path::Path};

use mpcd::{Registry, StandardRegistry};
use mpcd_core::{Book, Vec3};
use mpcd_sim::{Model, ModelErrors, Simulation};

const G: f64 = 9.81;

/// A planar model of discs `bodies` ((x, y) and group) of radius 5 cm with `joints`.
fn model(bodies: &[(&str, f64, f64)], joints: &str, step: f64, gravity: f64) -> String {
    let mut list = String::new();
    for (group, x, y) in bodies {
        writeln!(
            list,
            "    (group: \"{group}\", material: \"steel\", shape: Disc(radius: 0.05, thickness: 0.01), at: ({x:?}, {y:?})),"
        )
        .unwrap();
    }
    let mut groups: Vec<&str> = bodies.iter().map(|b| b.0).collect();
    groups.dedup();
    let mut laws = String::new();
    for (k, a) in groups.iter().enumerate() {
        for b in &groups[k..] {
            writeln!(laws, "    (between: (\"{a}\", \"{b}\"), law: NoContact),").unwrap();
        }
    }
    format!(
        "(\n  dimension: 2, gravity: (0, {:?}), time: (step: {step:?}, end: 100),\n  materials: {{\"steel\": (density: 7800)}},\n  \
         bodies: [\n{list}  ],\n  interactions: [\n{laws}  ],\n  joints: [{joints}],\n  physics: [Contact(tolerance: 1e-12)],\n)",
        -gravity
    )
}

fn build(text: &str) -> Result<Simulation, ModelErrors> {
    Simulation::build(
        &Model::parse_with(text, "joints", "joints.ron", Path::new("."), &[], &mpcd::shapes())?,
        &Registry::standard(),
    )
}

fn built(text: &str) -> Simulation {
    build(text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// One step; the largest force of a joint.
fn force_after(simulation: &mut Simulation) -> f64 {
    let outcome = simulation.step().unwrap();
    outcome.numbers[0].1.iter().find(|(n, _)| *n == "joint_force_max").unwrap().1
}

fn books_are_closed(simulation: &Simulation) {
    for book in [Book::Momentum, Book::Energy] {
        let account = simulation.books().account(book).unwrap();
        assert!(account.worst <= 1e-10, "{} is open by {:e}", book.name(), account.worst);
    }
}

/// 2π √(1/ω²)/agm(1, cos θ₀/2) for a pendulum of small-swing frequency ω let go at θ₀.
fn period(omega: f64, theta: f64) -> f64 {
    let (mut a, mut b) = (1.0, (0.5 * theta).cos());
    for _ in 0..30 {
        (a, b) = (0.5 * (a + b), f64::sqrt(a * b));
    }
    2.0 * PI / (omega * a)
}

/// Time at which body `body` first passes below x = 0: a quarter of the period; and speed² there.
fn quarter(text: &str, body: usize) -> (f64, f64) {
    let mut simulation = built(text);
    loop {
        let before = simulation.world().kinematics.position[body].x;
        let t = simulation.time();
        simulation.step().unwrap();
        let after = simulation.world().kinematics.position[body].x;
        if after <= 0.0 {
            books_are_closed(&simulation);
            let part = before / (before - after);
            return (t + part * (simulation.time() - t), simulation.world().kinematics.velocity[body].norm_squared());
        }
        assert!(simulation.time() < 10.0, "it does not swing");
    }
}

/// A disc on a rod is a point pendulum (nothing turns it); let go at one radian.
#[test]
fn a_rod_makes_a_pendulum() {
    let (l, theta) = (0.8, 1.0_f64);
    let text = |h| model(&[("bob", l * theta.sin(), -l * theta.cos())], r#"(to_ground: "bob", joint: Rod(to: (0, 0)))"#, h, G);
    let exact = 0.25 * period((G / l).sqrt(), theta);
    let errors = [2e-3, 1e-3].map(|h| (quarter(&text(h), 0).0 / exact - 1.0).abs());
    assert!(errors[1] < 1e-5 && errors[1] < 0.4 * errors[0], "{errors:?}");
    let fall = 2.0 * G * l * (1.0 - theta.cos());
    assert!((quarter(&text(1e-3), 0).1 / fall - 1.0).abs() < 1e-4);
}

/// A disc pinned away from its centre is a physical pendulum, I = ½mR² + ml².
#[test]
fn a_pin_makes_a_physical_pendulum() {
    let (l, theta) = (0.1, 1.0_f64);
    let text = model(&[("disc", l * theta.sin(), -l * theta.cos())], r#"(to_ground: "disc", joint: Pin(at: (0, 0)))"#, 5e-4, G);
    let omega = (G * l / (l * l + 0.5 * 0.05 * 0.05)).sqrt();
    let (time, _) = quarter(&text, 0);
    assert!((4.0 * time / period(omega, theta) - 1.0).abs() < 2e-5, "{time}");
}

/// Two welded discs on a pin swing as the one body they are: I = Σ ½mR² + m d².
#[test]
fn a_welded_pair_swings_as_one_body() {
    let (d, theta) = ([0.2, 0.35], 1.0_f64);
    let at = d.map(|d| (d * theta.sin(), -d * theta.cos()));
    let joints = r#"(between: ("far", "near"), joint: Weld), (to_ground: "near", joint: Pin(at: (0, 0)))"#;
    let text = model(&[("near", at[0].0, at[0].1), ("far", at[1].0, at[1].1)], joints, 5e-4, G);
    let inertia: f64 = d.iter().map(|d| d * d + 0.5 * 0.05 * 0.05).sum();
    let omega = (G * (d[0] + d[1]) / inertia).sqrt();
    for body in 0..2 {
        let (time, _) = quarter(&text, body);
        assert!((4.0 * time / period(omega, theta) - 1.0).abs() < 2e-5, "{time}");
    }
}

/// x(t) = e^{−ζωt}(cos ω_d t + ζω/ω_d sin ω_d t) after a start one tenth of a metre out.
#[test]
fn a_spring_with_a_dashpot_is_the_damped_oscillator() {
    let mass = 7800.0 * PI * 0.05 * 0.05 * 0.01;
    let (omega, zeta) = (12.0, 0.1);
    let (k, c) = (mass * omega * omega, 2.0 * zeta * mass * omega);
    let joints = format!("(to_ground: \"disc\", joint: Spring(to: (0, 0), length: 1, stiffness: {k:?}, damping: {c:?}))");
    let error = |h: f64| {
        let mut simulation = built(&model(&[("disc", 1.1, 0.0)], &joints, h, 0.0));
        let damped = omega * f64::sqrt(1.0 - zeta * zeta);
        let mut worst = 0.0_f64;
        while simulation.time() < 1.0 {
            simulation.step().unwrap();
            let t = simulation.time();
            let exact = 0.1 * (-zeta * omega * t).exp() * ((damped * t).cos() + zeta * omega / damped * (damped * t).sin());
            worst = worst.max((simulation.world().kinematics.position[0].x - 1.0 - exact).abs());
        }
        books_are_closed(&simulation);
        worst
    };
    let (coarse, fine) = (error(2e-3), error(1e-3));
    assert!(fine < 1e-5 && fine < 0.3 * coarse, "{coarse:e} {fine:e}");
}

/// Beads on wires, started in the catenary of the discrete chain, stay there; the largest tension is that of statics. Wire k carries the
/// vertical force V_k = ((n−1)/2 − k) w, and all of them the horizontal force H that the span asks for.
#[test]
fn a_chain_of_wires_hangs_in_its_catenary() {
    let (n, link, span) = (16_usize, 0.12, 1.2);
    let weight = 7800.0 * PI * 0.05 * 0.05 * 0.01 * G;
    let vertical = |k: usize| ((n as f64 - 1.0) / 2.0 - k as f64) * weight;
    let direction = |h: f64, k: usize| {
        let size = h.hypot(vertical(k));
        [h / size, -vertical(k) / size]
    };
    let width = |h: f64| (0..n).map(|k| link * direction(h, k)[0]).sum::<f64>();
    let (mut low, mut high) = (1e-3, 1e5);
    for _ in 0..200 {
        let middle = f64::sqrt(low * high);
        if width(middle) < span { low = middle } else { high = middle }
    }
    let mut at = [0.0; 2];
    let mut bodies = Vec::new();
    for k in 0..n - 1 {
        let d = direction(low, k);
        at = [at[0] + link * d[0], at[1] + link * d[1]];
        bodies.push(("beads", at[0], at[1]));
    }
    let joints = format!(
        "(chain: \"beads\", joint: Wire), (to_ground: (\"beads\", 0), joint: Wire(to: (0, 0))), \
         (to_ground: (\"beads\", {}), joint: Wire(to: ({span:?}, 0)))",
        n - 2
    );
    let mut simulation = built(&model(&bodies, &joints, 2e-3, G));
    let start = simulation.world().kinematics.position.clone();
    let mut force = 0.0;
    for _ in 0..200 {
        force = force_after(&mut simulation);
    }
    let moved = simulation.world().kinematics.position.iter().zip(&start).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
    assert!(moved < 1e-6, "moved {moved}");
    assert!((force / low.hypot(vertical(0)) - 1.0).abs() < 1e-6, "{force}");
}

/// The top rod of a hanging chain carries all of it; with `break_force` below that it breaks, and the chain falls freely.
#[test]
fn the_top_rod_carries_the_chain_or_breaks() {
    let weight = 7800.0 * PI * 0.05 * 0.05 * 0.01 * G;
    let bodies: Vec<_> = (1..=10).map(|k| ("beads", 0.0, -0.2 * f64::from(k))).collect();
    let joints = |limit: f64| {
        format!("(chain: \"beads\", joint: Rod), (to_ground: (\"beads\", 0), joint: Rod(to: (0, 0), break_force: {limit:?}))")
    };
    let mut holds = built(&model(&bodies, &joints(10.1 * weight), 1e-3, G));
    let force = (0..20).map(|_| force_after(&mut holds)).last().unwrap();
    assert!((force / (10.0 * weight) - 1.0).abs() < 1e-8, "{force}");
    assert!(holds.world().kinematics.velocity[9].norm() < 1e-9);
    let mut breaks = built(&model(&bodies, &joints(9.9 * weight), 1e-3, G));
    for _ in 0..20 {
        breaks.step().unwrap();
    }
    let speed = breaks.world().kinematics.velocity[9].y;
    assert!((speed + G * 0.019).abs() < 1e-9, "it broke in the first step: {speed}");
}

/// Welds and a pin between bodies of 0.4 g, 10 mg and 6 g, thrown: kinetic energy less the work of gravity stays what it was, and the velocities
/// do not fit the joints at first, which the column `w_joint_settled` tells. A named joint has columns of its own.
#[test]
fn case_joints() {
    let body = |group: &str, shape: &str, mass: f64, at: (f64, f64), motion: &str| {
        format!("(group: \"{group}\", material: \"m\", shape: {shape}, mass: {mass:?}, at: ({:?}, {:?}), {motion}),", at.0, at.1)
    };
    let light = "Disc(radius: 2e-5)";
    let spin = -7.0;
    let turned = |at: (f64, f64)| {
        let arm = (at.0 - 0.026, at.1 + 0.004);
        format!("velocity: ({:?}, {:?}), spin: {spin:?}", -spin * arm.1 - 0.03, spin * arm.0 - 0.4)
    };
    let bodies = [
        body("M", "Box(size: (0.012, 0.012))", 4e-4, (0.0, 0.0), "rotation: -0.1, velocity: (0, -0.3)"),
        body("c", light, 1e-5, (0.004, 0.006), "velocity: (0, -0.3)"),
        body("c", light, 1e-5, (0.003, -0.007), "velocity: (0, -0.3)"),
        body(
            "S",
            "Box(size: (0.03, 0.03))",
            6e-3,
            (0.026, -0.004),
            &format!("rotation: -0.3, velocity: (-0.03, -0.4), spin: {spin:?}"),
        ),
        body("k", light, 1e-5, (0.011, 0.02), &turned((0.011, 0.02))),
    ];
    let mut laws = String::new();
    for (i, a) in ["M", "c", "S", "k"].iter().enumerate() {
        for b in &["M", "c", "S", "k"][i..] {
            write!(laws, "(between: (\"{a}\", \"{b}\"), law: NoContact),").unwrap();
        }
    }
    let text = format!(
        "(dimension: 2, gravity: (0, -9.81), time: (step: 2e-05, end: 1), materials: {{\"m\": (density: 1000)}}, bodies: [{}], \
         interactions: [{laws}], loads: [(on: \"M\", load: Locked(axes: [X]))], \
         joints: [(between: (\"M\", \"S\"), name: \"hinge\", joint: Pin(at: (0.011, -0.001))), (between: (\"M\", (\"c\", 0)), joint: Weld), \
         (between: (\"M\", (\"c\", 1)), joint: Weld), (between: (\"S\", \"k\"), joint: Weld)], physics: [Contact()])",
        bodies.join("")
    );
    let mut simulation = built(&text);
    let column = |simulation: &Simulation, name: &str| simulation.history_columns().iter().position(|c| c == name).unwrap();
    let (settled, whole, force) =
        (column(&simulation, "w_joint_settled"), column(&simulation, "w_joint"), column(&simulation, "hinge_force"));
    let number = |row: &[mpcd_output::Cell], k: usize| row[k].to_string().parse::<f64>().unwrap();
    let energy = |s: &Simulation| {
        let account = s.books().account(Book::Energy).unwrap();
        account.store("kinetic").unwrap().x + account.store("potential").unwrap().x
    };
    let mut first = None;
    let mut lost = 0.0;
    for _ in 0..1_000 {
        let outcome = simulation.step().unwrap();
        let row = simulation.history_row(&outcome);
        let start = *first.get_or_insert_with(|| (energy(&simulation), number(&row, settled)));
        assert!(number(&row, force) > 0.0 && number(&row, force) < 100.0);
        lost = number(&row, settled) - start.1;
        let change = energy(&simulation) - start.0;
        assert!(change.abs() < 1e-8 * 5e-4 + 2.0 * lost.abs(), "{change:e} J at {}", simulation.time());
        assert!((number(&row, whole) - number(&row, settled)).abs() < 1e-12, "pins and welds do no work but this");
    }
    assert!(lost <= 0.0 && lost > -1e-6 * 5e-4, "{lost:e} J");
    books_are_closed(&simulation);
}

/// A motor, a torsion spring with a dashpot, a limit and a driven slider in one model: the books stay closed with the drives' work as
/// external, and an axis or a limit of a model in space is refused where a pin has none.
#[test]
fn hinges_and_sliders_of_a_model_keep_its_books() {
    let joints = r#"(to_ground: "wheel", name: "wheel", joint: Pin(at: (0, 0), motor: (speed: "6 * cos(t)", torque: "40 N m"))),
        (between: ("arm", "wheel"), joint: Hinge(at: (0.1, 0), limits: ("-30 deg", "20 deg"), spring: (stiffness: "3 N m/rad", damping: 0.01))),
        (to_ground: "sled", name: "sled", joint: Slider(axis: (1, 1), travel: "0.2 * (1 - cos(7 * t))"))"#;
    let bodies = [("wheel", 0.05, 0.0), ("arm", 0.3, 0.0), ("sled", 2.0, 0.0)];
    let mut simulation = built(&model(&bodies, joints, 1e-3, G));
    let columns = simulation.history_columns();
    for name in ["wheel_angle", "wheel_torque", "wheel_drive", "sled_travel", "sled_thrust", "w_joint_drives", "e_joint"] {
        assert!(columns.iter().any(|c| c == name), "{name}");
    }
    for _ in 0..2000 {
        simulation.step().unwrap();
    }
    books_are_closed(&simulation);
    let travel = (simulation.world().kinematics.position[2].x - 2.0) * f64::sqrt(2.0);
    let wanted = 0.2 * (1.0 - (7.0 * simulation.time()).cos());
    assert!((travel - wanted).abs() < 1e-10, "{travel} {wanted}");
    let space = |joint: &str| {
        let text = format!(
            "(dimension: 3, gravity: (0, 0), time: (step: 1e-3, end: 1), materials: {{\"m\": (density: 1000)}}, \
             bodies: [(group: \"a\", material: \"m\", shape: Sphere(radius: 0.1))], \
             interactions: [(between: (\"a\", \"a\"), law: NoContact)], joints: [(to_ground: \"a\", joint: {joint})], \
             physics: [Contact()])"
        );
        build(&text).err().map(|e| e.to_string()).unwrap_or_default()
    };
    assert!(space("Pin(limits: (-1, 1))").contains("a pin in space turns about every axis"), "{}", space("Pin(limits: (-1, 1))"));
    assert!(space("Hinge(at: (0, 0, 0))").contains("a hinge needs `axis`"), "{}", space("Hinge(at: (0, 0, 0))"));
    assert!(space("Hinge(axis: (0, 0, 0))").contains("length zero"), "{}", space("Hinge(axis: (0, 0, 0))"));
}

/// A disc that hangs on a pin and is held level by a motor: the probes show its weight, the moment m g r and the angle; what a joint does
/// not have is refused at its words.
#[test]
fn probes_show_forces_and_angles_of_a_named_joint() {
    let r = 0.3;
    let weight = 7800.0 * PI * 0.05 * 0.05 * 0.01 * G;
    let joints = r#"(to_ground: "bob", name: "arm", joint: Pin(at: (0, 0), start: 0.5, motor: (speed: 0, torque: 100)))"#;
    let with = |probes: &str| {
        let text = model(&[("bob", r, 0.0)], joints, 1e-3, G);
        text.replace("physics:", &format!("output: (probes: [{probes}]), physics:"))
    };
    let probes = "(name: \"up\", of: \"joint_force\", joint: \"arm\", component: Y), (name: \"whole\", of: \"joint_force\", joint: \"arm\"), \
                  (name: \"m\", of: \"joint_moment\", joint: \"arm\", component: Z), (name: \"torque\", of: \"joint_torque\", joint: \"arm\"), \
                  (name: \"angle\", of: \"joint_angle\", joint: \"arm\"), (name: \"work\", of: \"joint_work\", joint: \"arm\"), \
                  (name: \"given\", of: \"joint_drive\", joint: \"arm\")";
    let mut simulation = built(&with(probes));
    let mut row = Vec::new();
    for _ in 0..10 {
        let outcome = simulation.step().unwrap();
        row = simulation.history_row(&outcome);
    }
    let columns = simulation.history_columns();
    let value = |name: &str| row[columns.iter().position(|c| c == name).unwrap()].to_string().parse::<f64>().unwrap();
    for (name, wanted) in [
        ("up", weight),
        ("whole", weight),
        ("m", weight * r),
        ("torque", weight * r),
        ("angle", 0.5),
        ("work", 0.0),
        ("given", 0.0),
    ] {
        assert!((value(name) - wanted).abs() < 1e-8 * weight, "{name}: {} for {wanted}", value(name));
    }
    for (probe, says) in [
        ("(name: \"a\", of: \"joint_force\")", "expected its name"),
        ("(name: \"a\", of: \"joint_force\", joint: \"arn\")", "did you mean `arm`?"),
        ("(name: \"a\", of: \"joint_travel\", joint: \"arm\")", "has no travel"),
        ("(name: \"a\", of: \"joint_angle\", joint: \"arm\", component: X)", "has no component X"),
        ("(name: \"a\", of: \"joint_force\", joint: \"arm\", component: XX)", "has no component XX"),
        ("(name: \"a\", of: \"joint_force\", joint: \"arm\", group: \"bob\")", "no group"),
        ("(name: \"a\", of: \"speed\", joint: \"arm\")", "unknown"),
        ("(name: \"a\", of: \"velocity\", joint: \"arm\")", "is of no joint"),
    ] {
        let errors = build(&with(probe)).err().map(|e| e.to_string()).unwrap_or_default();
        assert!(errors.contains(says), "{probe}: {errors}");
    }
}

/// ω = M t/I about z with the moment that is given, in the plane and in space; what no body can have is refused.
#[test]
fn a_body_turns_with_the_inertia_it_is_given() {
    let model = |dimension: u8, shape: &str, inertia: &str| {
        format!(
            "(dimension: {dimension}, gravity: (0, 0), time: (step: 1e-3, end: 1), materials: {{\"m\": (density: 1000)}}, \
             bodies: [(group: \"a\", material: \"m\", shape: {shape}, mass: 2, inertia: {inertia})], \
             interactions: [(between: (\"a\", \"a\"), law: NoContact)], loads: [(on: \"a\", load: Force(torque_z: 0.3))], \
             physics: [Contact()])"
        )
    };
    for text in [model(2, "Disc(radius: 0.1)", "0.05"), model(3, "Box(size: (0.1, 0.1, 0.1))", "(0.03, 0.04, 0.05)")] {
        let mut simulation = built(&text);
        for _ in 0..100 {
            simulation.step().unwrap();
        }
        let spin = simulation.world().kinematics.angular_velocity[0].z;
        assert!((spin - 0.3 * 0.1 / 0.05).abs() < 1e-12, "{spin}");
    }
    for (dimension, inertia, says) in [
        (2, "0", "a moment of inertia must be above zero"),
        (3, "(1, 1, -1)", "a moment of inertia must be above zero"),
        (3, "(1, 1, 2.1)", "one is larger than the sum of the others"),
    ] {
        let shape = if dimension == 2 { "Disc(radius: 0.1)" } else { "Box(size: (0.1, 0.1, 0.1))" };
        let errors = build(&model(dimension, shape, inertia)).err().unwrap().to_string();
        assert!(errors.contains(says), "{errors}");
    }
    for mass in ["1e300", "1e-70"] {
        let errors =
            build(&model(2, "Disc(radius: 0.1)", "0.05").replace("mass: 2", &format!("mass: {mass}"))).err().unwrap().to_string();
        assert!(errors.contains("cannot be computed with"), "{errors}");
    }
    let light = model(2, "Disc(radius: 0.1)", "0.05").replace("density: 1000", "density: 1e-70");
    assert!(build(&light).err().unwrap().to_string().contains("a density of 1e-70 kg/m³"));
    let plane = model(2, "Plane(normal: (0, 1))", "0.1").replace("mass: 2, ", "");
    assert!(build(&plane).err().unwrap().to_string().contains("given to a body without mass"));
}

/// Each message names what is wrong, at the words that say it, and what to write.
#[test]
fn wrong_joints_are_said_at_their_place() {
    let cases = [
        (r#"(to_ground: "bib", joint: Pin)"#, "bib", "unknown group `bib`"),
        (r#"(to_ground: ("bob", 3), joint: Pin)"#, "(\"bob\", 3)", "so there is no number 3"),
        (r#"(between: ("bob", "bob"), joint: Weld)"#, "\"bob\"", "joins a body to itself"),
        (r#"(to_ground: "bob", joint: Rod(to: (1, 0)))"#, "to", "at one point"),
        (r#"(between: ("bob", "twin"), joint: Rod)"#, "Rod", "at one point"),
        (r#"(to_ground: "bob", joint: Wire(to: (0, 0), length: 0.5))"#, "length", "at least their distance"),
        (r#"(to_ground: "bob", joint: Rod(to: (0, 0), length: -1))"#, "1", "above zero"),
        (r#"(to_ground: "bob", joint: Rod(to: (0, 0), length: 0.5))"#, "length", "would jump in the first step"),
        (r#"(to_ground: "bob", joint: Rod(to: (0, 0, 1)))"#, "to", "leaves the xy plane"),
        (r#"(to_ground: "bob", joint: Spring(to: (0, 0), stiffness: 0))"#, "stiffness", "does nothing"),
        (r#"(to_ground: "bob", joint: Rodd(to: (0, 0)))"#, "Rodd", "did you mean `Rod`?"),
        (r#"(to_ground: "bob", joint: Hinge(axis: (0, 0, 1)))"#, "axis", "turns about z"),
        (r#"(to_ground: "bob", joint: Slider)"#, "", "a slider needs `axis`"),
        (r#"(to_ground: "bob", joint: Slider(axis: (0, 0)))"#, "axis", "has length zero"),
        (r#"(to_ground: "bob", joint: Slider(axis: (1, 0, 1)))"#, "axis", "leaves the xy plane"),
        (r#"(to_ground: "bob", joint: Pin(limits: (1, -1)))"#, "limits", "is not below"),
        (r#"(to_ground: "bob", joint: Hinge(limits: (0.2, 1)))"#, "limits", "outside its limits"),
        (r#"(to_ground: "bob", joint: Slider(axis: (1, 0), start: 2, limits: (0, 1)))"#, "limits", "outside its limits"),
        (r#"(to_ground: "bob", joint: Hinge(motor: (speed: 1)))"#, "motor", "has no `torque`"),
        (r#"(to_ground: "bob", joint: Slider(axis: (1, 0), motor: (speed: 1)))"#, "motor", "has no `force`"),
        (r#"(to_ground: "bob", joint: Hinge(motor: (speed: 1, torque: 0)))"#, "0", "above zero"),
        (r#"(to_ground: "bob", joint: Hinge(speed: 1, angle: 0))"#, "angle", "driven twice"),
        (r#"(to_ground: "bob", joint: Hinge(speed: 1, limits: (-1, 1)))"#, "limits", "gives way to no limit"),
        (r#"(to_ground: "bob", joint: Hinge(angle: "1 + t"))"#, "angle", "but the joint starts at 0"),
        (r#"(to_ground: "bob", joint: Hinge(spring: (rest: 1)))"#, "spring", "does nothing"),
        (r#"(to_ground: "bob", chain: "bob", joint: Pin)"#, "", "needs one of `between`"),
        (r#"(chain: "bobs", joint: Pin)"#, "bobs", "unknown group `bobs`"),
        (
            r#"(to_ground: "bob", name: "a", joint: Pin), (to_ground: "twin", name: "a", joint: Pin)"#,
            "a",
            "two joints are called `a`",
        ),
    ];
    let mut wrong = String::new();
    for (joint, word, says) in cases {
        let text = model(&[("bob", 1.0, 0.0), ("twin", 1.0, 0.0)], joint, 1e-3, G);
        let Some(errors) = build(&text).err() else {
            writeln!(wrong, "{joint} is accepted").unwrap();
            continue;
        };
        let place = errors.span(&errors.errors[0]).map_or("", |s| &errors.text[s]);
        if !errors.to_string().contains(says) || !place.contains(word) || !joint.contains(place) {
            writeln!(wrong, "{joint}: expected \"{says}\" at {word}, found at `{place}`:\n{errors}").unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// What a joint drives into a fixed plane is refused by the joint, and not by the length of the step.
#[test]
fn what_a_joint_drives_into_a_plane_is_refused_by_name() {
    for drive in ["travel: Ramp(from: 0, to: -0.01, start: 0, end: 1)", "speed: -0.01"] {
        let model = format!(
            r#"(dimension: 3, gravity: (0, 0, -9.81), time: (step: 1e-3, end: 0.5), materials: {{"m": (density: 1000)}},
            bodies: [(group: "ball", material: "m", shape: Sphere(radius: 0.1), at: (0, 0, 0.1), mass: 1000), (group: "floor", material: "m", shape: Plane(normal: (0, 0, 1)))],
            interactions: [(between: ("ball", "floor"), law: Coulomb(friction: 0.3))],
            joints: [(to_ground: "ball", joint: Slider(at: (0, 0, 0.1), axis: (0, 0, 1), {drive}))], physics: [Contact()])"#
        );
        let mut run = build(&model).unwrap();
        let said = format!("{:?}", run.step().err().map(|e| e.to_string()));
        assert!(said.contains("a joint drives one of the two"), "{drive}: {said}");
    }
}

/// A spinning box caught by twelve wires at once: in each accepted step each of them pulls or is slack, and none is too long. Wires that change between
/// taut and slack over and over were left as they last were, and pushed.
#[test]
fn no_wire_pushes_or_grows_however_often_it_changes() {
    // Ends on the box, on the ground, lengths.
    let wires = [
        ((0.1, 0.1, -0.05), (0.680696, 0.551917, 0.399242), 0.862131413),
        ((-0.1, -0.1, 0.05), (-0.061862, -0.506854, 0.635009), 0.713667974),
        ((-0.1, -0.1, 0.05), (-0.441035, 0.832691, 0.812580), 1.252221805),
        ((-0.1, -0.1, 0.05), (-0.746602, -0.996450, 0.897124), 1.392739478),
        ((-0.1, -0.1, -0.05), (-0.421390, 0.922956, 0.631379), 1.270562908),
        ((-0.1, -0.1, 0.05), (-0.402422, -0.277620, 0.332765), 0.450560377),
        ((0.1, -0.1, 0.05), (-0.397282, 0.206220, 0.202706), 0.604241896),
        ((-0.1, 0.1, 0.05), (0.637036, -0.038510, 0.452634), 0.859700307),
        ((0.1, -0.1, -0.05), (-0.487636, 0.878024, 0.959376), 1.524903607),
        ((0.1, -0.1, 0.05), (-0.267631, 0.157038, 0.207263), 0.475349371),
        ((-0.1, -0.1, -0.05), (0.511473, 0.859311, 0.953635), 1.518573172),
        ((0.1, 0.1, 0.05), (-0.783894, 0.496796, 0.837781), 1.249974342),
    ];
    let joints: String = wires.iter().enumerate().fold(String::new(), |mut out, (k, (from, to, length))| {
        writeln!(out, "(to_ground: \"box\", joint: Wire(from: {from:?}, to: {to:?}, length: {length}), name: \"w{k}\"),")
            .unwrap();
        out
    });
    let text = format!(
        "(dimension: 3, gravity: (0, 0, -9.81), time: (step: 0.01, end: 1.0), materials: {{\"m\": (density: 2500)}},
          bodies: [(group: \"box\", material: \"m\", shape: Box(size: (0.2, 0.2, 0.1)), at: (0, 0, 0),
            velocity: (-0.927, 0.892, -0.818), spin: (-2.867, 1.995, 7.526))],
          interactions: [], joints: [{joints}], physics: [Contact()])"
    );
    let mut simulation = built(&text);
    for _ in 0..20 {
        let outcome = simulation.step().unwrap();
        let number = |name: String| outcome.numbers[0].1.iter().find(|(n, _)| *n == name).unwrap().1;
        let k = &simulation.world().kinematics;
        let strongest = number("joint_force_max".into());
        for (w, (from, to, length)) in wires.iter().enumerate() {
            let end = k.position[0] + k.orientation[0] * Vec3::from([from.0, from.1, from.2]);
            let along = end - Vec3::from([to.0, to.1, to.2]);
            let force = Vec3::from(["x", "y", "z"].map(|axis| number(format!("w{w}_force_{axis}"))));
            assert!(
                force.dot(&along) <= 1e-6 * strongest * along.norm(),
                "wire {w} pushes with {force:?} N at {} s",
                simulation.time()
            );
            assert!(along.norm() <= length * (1.0 + 1e-9), "wire {w} is {} m long at {} s", along.norm(), simulation.time());
        }
    }
}

/// What no joint holds falls, and turns by what acts on it, in steps without a contact anywhere: it went straight on at the velocity that it had.
#[test]
fn what_no_joint_holds_falls_beside_those_that_hang() {
    let disc = "shape: Disc(radius: 0.1)";
    let mesh = "shape: Mesh(of: Rectangle(size: (0.2, 0.2), cells: (1, 1), element: Q4)), at: (-0.1, -0.1)";
    let ball = "shape: Sphere(radius: 0.1)";
    for (dimension, hung, joint) in [
        (2, disc, "to_ground: \"a\", joint: Rod(to: (0, 1))"),
        (2, disc, "to_ground: \"a\", joint: Wire(to: (0, 1), length: 1)"),
        (2, disc, "to_ground: \"a\", joint: Wire(to: (0, 1), length: 5)"),
        (2, disc, "to_ground: \"a\", joint: Pin(at: (0, 1))"),
        (2, disc, "to_ground: \"a\", joint: Spring(to: (0, 1), stiffness: 1000)"),
        (2, mesh, "to_ground: \"a.top\", joint: Rod(to: (0, 1))"),
        (3, ball, "to_ground: \"a\", joint: Rod(to: (0, 0, 1))"),
        (3, ball, "to_ground: \"a\", joint: Pin(at: (0, 0, 1))"),
    ] {
        let (g, free, force) = match dimension {
            2 => ("(0, -10)", format!("{disc}, at: (2, 0), velocity: (1, 0)"), "torque_z: 0.01"),
            _ => ("(0, 0, -10)", format!("{ball}, at: (2, 0, 0), velocity: (1, 0, 0)"), "torque_z: 0.01"),
        };
        let mut run = crate::granular::build(
            &format!(
                r#"(dimension: {dimension}, gravity: {g}, time: (step: 2e-3, end: 1), materials: {{"m": (density: 500, elastic: (young: 1e6, poisson: 0.3))}},
                bodies: [(group: "a", material: "m", {hung}), (group: "c", material: "m", {free})],
                interactions: [(between: ("a", "c"), law: Coulomb(friction: 0.3))], joints: [({joint})],
                loads: [(on: "c", load: Force({force}))], physics: [Contact()])"#
            ),
            &[],
        );
        crate::granular::steps(&mut run, 100);
        let (k, up) = (&run.world().kinematics, dimension - 1);
        let inertia = run.setup().bodies.inertia[1].z;
        assert!((k.position[1][up] + 0.2).abs() < 1e-9 && (k.position[1].x - 2.2).abs() < 1e-9, "{joint}: {}", k.position[1]);
        assert!((k.angular_velocity[1].z / (0.01 * 0.2 / inertia) - 1.0).abs() < 1e-9, "{joint}: {}", k.angular_velocity[1]);
    }
}
