//! Joints that end on meshes, in whole models: forces, periods and motions against formulas and against rigid bodies; books; what is refused.

use std::f64::consts::PI;

use mpcd_core::{Book, Vec3};
use mpcd_sim::{Model, ModelErrors, Registry, Simulation, testkit::same_bits};

use crate::granular::{build, column, steps};

/// A model of `space` dimensions with `rest` of its sections.
fn scene(space: usize, (step, theta): (f64, f64), gravity: f64, rest: &str) -> String {
    let down = if space == 2 { format!("(0, {:?})", -gravity) } else { format!("(0, {:?}, 0)", -gravity) };
    format!(
        "(dimension: {space}, gravity: {down}, time: (step: {step:?}, end: 1000, theta: {theta:?}),\n\
         materials: {{\"m\": (density: 1000, elastic: (young: \"1 MPa\", poisson: 0.3)),\n\
         \"hard\": (density: 1000, elastic: (young: \"1 GPa\", poisson: 0.3)),\n\
         \"big\": (density: 1000, elastic: (young: \"1 GPa\", poisson: 0.3), solid: (law: SaintVenantKirchhoff)),\n\
         \"bar\": (density: 1000, elastic: (young: \"1 MPa\", poisson: 0)), \"s\": (density: 2000)}},\n{rest})"
    )
}

/// The value of a column after `count` more steps.
fn after(run: &mut Simulation, count: u64, name: &str) -> f64 {
    let outcome = steps(run, count);
    column(run, &outcome, name).unwrap()
}

/// A component of an array of the last mesh, node by node.
fn along(run: &Simulation, name: &str, component: usize) -> Vec<f64> {
    let meshes = run.meshes();
    let array = meshes.last().unwrap().arrays.iter().find(|a| a.name == name).unwrap().clone();
    array.values.chunks_exact(3).map(|v| v[component]).collect()
}

fn books_are_closed(run: &Simulation, least: f64) {
    for book in [Book::Momentum, Book::Energy] {
        let account = run.books().account(book).unwrap();
        assert!(account.worst <= least, "{} is open by {:e}", book.name(), account.worst);
    }
}

fn block(space: usize, cells: usize) -> String {
    match space {
        2 => format!("Mesh(of: Rectangle(size: (0.2, 0.1), cells: ({}, {cells}), element: Q8))", 2 * cells),
        _ => format!("Mesh(of: Cuboid(size: (0.2, 0.1, 0.1), cells: ({}, {cells}, {cells}), element: Hex8))", 2 * cells),
    }
}

fn zero(space: usize) -> &'static str {
    if space == 2 { "(0, 0)" } else { "(0, 0, 0)" }
}

/// A block that hangs on a pin, a rod, a wire or a spring, at the mean of a side or at a point, pulls with its weight.
#[test]
fn a_block_hangs_with_its_weight() {
    for space in [2, 3] {
        let mass: f64 = 1000.0 * 0.2 * 0.1 * if space == 2 { 1.0 } else { 0.1 };
        let (end, top) = if space == 2 { ("(0.1, 0.5)", "(0.1, 0.1)") } else { ("(0.1, 0.5, 0.05)", "(0.1, 0.1, 0.05)") };
        let kinds = [
            ("block.top", "Pin".to_owned()),
            ("block", format!("Pin(at: {top})")),
            ("block.top", format!("Rod(to: {end})")),
            ("block", format!("Wire(from: {top}, to: {end})")),
            ("block.top", format!("Spring(to: {end}, stiffness: 1e5)")),
        ];
        for (on, joint) in &kinds {
            let mut run = build(
                &scene(
                    space,
                    (0.02, 1.0),
                    9.81,
                    &format!(
                        "bodies: [(group: \"block\", material: \"m\", shape: {}, at: {})],\n\
                         joints: [(to_ground: \"{on}\", name: \"j\", joint: {joint})], physics: [Contact()]",
                        block(space, 2),
                        zero(space)
                    ),
                ),
                &[],
            );
            let force = after(&mut run, 600, "j_force");
            assert!((force / (mass * 9.81) - 1.0).abs() < 1e-9, "{space}D {on} {joint}: {force} N of {}", mass * 9.81);
            books_are_closed(&run, 1e-10);
        }
    }
}

/// A bar whose left side is pinned at its mean and whose right side is pulled is that whose left side is held: the mean of the right side moves by
/// t L/E, and the pin pulls with t A. The same in two bars pinned at the means of the sides where they meet.
#[test]
fn a_pinned_bar_is_a_held_bar() {
    let bar = |group: &str, length: f64, cells: usize, x: f64| {
        let shape = format!("Mesh(of: Rectangle(size: ({length}, 0.1), cells: ({cells}, 2), element: Q4), plane: PlaneStress)");
        format!("(group: \"{group}\", material: \"bar\", shape: {shape}, at: ({x}, 0)),")
    };
    let whole = bar("b", 1.0, 8, 0.0);
    let halves = bar("a", 0.5, 4, 0.0) + &bar("b", 0.5, 5, 0.5);
    let no_law = "interactions: [(between: (\"a\", \"b\"), law: NoContact)],";
    let (t, young, area) = (1000.0, 1e6, 0.1);
    for (bodies, laws, hold, joints) in [
        (&whole, "", "(on: \"b.left\", load: Fixed),", ""),
        (&whole, "", "", "(to_ground: \"b.left\", name: \"j\", joint: Pin)"),
        (&halves, no_law, "(on: \"a.left\", load: Fixed),", "(between: (\"a.right\", \"b.left\"), name: \"j\", joint: Pin)"),
    ] {
        let rest = format!(
            "bodies: [{bodies}], {laws} loads: [{hold} (on: \"b.right\", load: Traction(x: {t}))], joints: [{joints}],\n\
             physics: [Contact()]"
        );
        let mut run = build(&scene(2, (1.0, 1.0), 0.0, &rest), &[]);
        steps(&mut run, 60);
        let moved = along(&run, "displacement", 0).into_iter().fold(0.0, f64::max);
        assert!((moved / (t / young) - 1.0).abs() < 1e-9, "{joints}: {moved} m of {}", t / young);
        if !joints.is_empty() {
            let force = after(&mut run, 1, "j_force");
            assert!((force / (t * area) - 1.0).abs() < 1e-9, "{joints}: {force} N of {}", t * area);
        }
        books_are_closed(&run, 1e-10);
    }
}

/// A ball on a spring on a bar: ω² = k'/m, 1/k' = 1/k + L/EA, whatever the mass of the ball over that of the bar is, as long as this is little.
#[test]
fn a_bar_and_a_spring_are_springs_in_a_row() {
    let (k, ea, l) = (2e5, 1e6 * 0.1, 1.0);
    let stiffness: f64 = 1.0 / (1.0 / k + l / ea);
    for space in [2, 3] {
        let (mesh, ball, ends) = if space == 2 {
            (
                "Mesh(of: Rectangle(size: (1, 0.1), cells: (4, 1), element: Q4), plane: PlaneStress)",
                "Disc(radius: 0.1)",
                ["(0, 0)", "(2, 0.05)"],
            )
        } else {
            (
                "Mesh(of: Cuboid(size: (1, 0.1, 1), cells: (4, 1, 1), element: Hex8))",
                "Sphere(radius: 0.1)",
                ["(0, 0, 0)", "(2, 0.05, 0.5)"],
            )
        };
        for mass in [1e4, 1e7] {
            let omega = (stiffness / mass).sqrt();
            let (h, v) = (2.0 * PI / omega / 400.0, 1e-3 * omega);
            let speed = if space == 2 { format!("({v:?}, 0)") } else { format!("({v:?}, 0, 0)") };
            let rest = format!(
                "bodies: [(group: \"bar\", material: \"light\", shape: {mesh}, at: {}),\n\
                 (group: \"ball\", material: \"s\", shape: {ball}, at: {}, mass: {mass:?}, velocity: {speed})],\n\
                 interactions: [(between: (\"bar\", \"ball\"), law: NoContact)], loads: [(on: \"bar.left\", load: Fixed)],\n\
                 joints: [(between: (\"ball\", \"bar.right\"), joint: Spring(stiffness: {k:?}))], physics: [Contact()]",
                ends[0], ends[1]
            );
            let light = scene(space, (h, 0.5), 0.0, &rest)
                .replace("materials: {", "materials: {\"light\": (density: 1e-3, elastic: (young: \"1 MPa\", poisson: 0)), ");
            let mut run = build(&light, &[]);
            let (mut last, start) = (0.0, run.world().kinematics.position[1].x);
            let time = loop {
                run.step().unwrap();
                let x = run.world().kinematics.position[1].x - start;
                if x < 0.0 {
                    break run.time() - h * x / (x - last);
                }
                assert!(run.time() < 2.0 * PI / omega, "no swing");
                last = x;
            };
            // trapezoidal rule: the period grows by (ωh)²/12 = 2e-5
            assert!((time / (PI / omega) - 1.0).abs() < 1e-4, "{space}D, {mass} kg: {time} s of {}", PI / omega);
            books_are_closed(&run, 1e-10);
        }
    }
}

/// A stiff block of large strain on a rod swings as the rigid box does: with θ = ½ over a thousand steps, and with θ = 1, where the turning of nodes
/// loses what that of a rigid body does not, up to the first order of the step. Its books close, and nothing is gained.
#[test]
fn a_stiff_block_on_a_rod_swings_as_a_rigid_one() {
    let text = |shape: &str, at: &str, on: &str, (h, theta): (f64, f64)| {
        let rest = format!(
            "bodies: [(group: \"block\", material: \"big\", shape: {shape}, at: {at})],\n\
             joints: [(to_ground: \"{on}\", name: \"j\", joint: Rod({} to: (-0.3, 0.1)))], physics: [Contact()]",
            if on == "block" { "from: (0.1, 0.1)," } else { "" }
        );
        scene(2, (h, theta), 9.81, &rest)
    };
    let mesh = "Mesh(of: Rectangle(size: (0.2, 0.1), cells: (4, 2), element: Q8))";
    let apart = |h: f64, theta: f64, count: usize| {
        let mut soft = build(&text(mesh, "(0, 0)", "block.top", (h, theta)), &[]);
        let mut rigid = build(&text("Box(half: (0.1, 0.05))", "(0.1, 0.05)", "block", (h, theta)), &[]);
        let (mut apart, mut start, mut end): (f64, f64, f64) = (0.0, 0.0, 0.0);
        for k in 0..count {
            let outcome = soft.step().unwrap();
            rigid.step().unwrap();
            let place = |run: &Simulation| run.world().kinematics.position[0];
            apart = apart.max((place(&soft) - place(&rigid)).norm());
            let of = |name: &str| column(&soft, &outcome, name).unwrap();
            end = of("e_kinetic") + of("e_strain") + of("e_potential");
            start = if k == 0 { end } else { start };
        }
        books_are_closed(&soft, 1e-8);
        (apart, (end - start) / (20.0 * 9.81 * 0.1))
    };
    let (far, change) = apart(1e-3, 0.5, 1000);
    assert!(far < 2e-4 && change.abs() < 1e-3, "θ = ½: {far} m, {change}");
    let coarse = apart(1e-3, 1.0, 1000);
    let fine = apart(5e-4, 1.0, 2000);
    assert!(coarse.1 < 0.0 && fine.1 < 0.0, "θ = 1 gains: {} {}", coarse.1, fine.1);
    assert!((1.7..2.3).contains(&(coarse.0 / fine.0)), "θ = 1: {} m, with half the step {} m", coarse.0, fine.0);
}

/// A block that falls into a wire: nothing before it is taut, its weight in the end.
#[test]
fn a_wire_is_slack_then_taut() {
    for space in [2, 3] {
        let (end, top) = if space == 2 { ("(0.1, 0.6)", "(0.1, 0.1)") } else { ("(0.1, 0.6, 0.05)", "(0.1, 0.1, 0.05)") };
        let rest = format!(
            "bodies: [(group: \"block\", material: \"m\", shape: {}, at: {})],\n\
             joints: [(to_ground: \"block\", name: \"j\", joint: Wire(from: {top}, to: {end}, length: 0.6))], physics: [Contact()]",
            block(space, 1),
            zero(space)
        );
        let mut run = build(&scene(space, (1e-3, 1.0), 9.81, &rest), &[]);
        // √(2 · 0.1/g) = 0.1428 s
        for _ in 0..140 {
            assert_eq!(after(&mut run, 1, "j_force"), 0.0, "{} s", run.time());
        }
        let y = run.world().kinematics.position[0].y - 0.05;
        assert!((y + 0.5 * 9.81 * 0.14 * (0.14 + 1e-3)).abs() < 1e-9, "{y}");
        let mut most: f64 = 0.0;
        for _ in 0..2000 {
            most = most.max(after(&mut run, 1, "j_force"));
        }
        let (force, weight) = (after(&mut run, 1, "j_force"), 9.81 * if space == 2 { 20.0 } else { 2.0 });
        assert!(most > 2.0 * weight && (force / weight - 1.0).abs() < 0.02, "{space}D: {most} N, then {force} N of {weight}");
        books_are_closed(&run, 1e-10);
    }
}

/// A joint that pulls more than it bears breaks, and the block falls freely.
#[test]
fn a_joint_on_a_mesh_breaks() {
    let rest = format!(
        "bodies: [(group: \"block\", material: \"m\", shape: {}, at: (0, 0))],\n\
         joints: [(to_ground: \"block.top\", name: \"j\", joint: Pin(break_force: 150))], physics: [Contact()]",
        block(2, 1)
    );
    let mut run = build(&scene(2, (0.02, 1.0), 9.81, &rest), &[]);
    assert_eq!(after(&mut run, 100, "joints_broken"), 1.0);
    assert_eq!(after(&mut run, 1, "j_force"), 0.0);
    let v = run.world().kinematics.velocity[0].y;
    steps(&mut run, 10);
    assert!((run.world().kinematics.velocity[0].y - v + 9.81 * 0.2).abs() < 1e-9);
    books_are_closed(&run, 1e-10);
}

/// Whatever the masses of the two, a ball that a pin holds at the foot of a hanging block pulls with its weight, and both with theirs above.
#[test]
fn any_ratio_of_masses_hangs() {
    for space in [2, 3] {
        let own = if space == 2 { 20.0 } else { 2.0 };
        let (ball, at, below) = if space == 2 {
            ("Disc(radius: 0.05)", "(0.1, -0.1)", "(0.1, 0)")
        } else {
            ("Sphere(radius: 0.05)", "(0.1, -0.1, 0.05)", "(0.1, 0, 0.05)")
        };
        for ratio in [1e-3, 1.0, 1e3, 1e6] {
            let mass = own * ratio;
            let rest = format!(
                "bodies: [(group: \"block\", material: \"stiff\", shape: {}, at: {}),\n\
                 (group: \"ball\", material: \"s\", shape: {ball}, at: {at}, mass: {mass:?})],\n\
                 interactions: [(between: (\"block\", \"ball\"), law: NoContact)],\n\
                 joints: [(to_ground: \"block.top\", name: \"above\", joint: Pin), (between: (\"ball\", \"block\"), name: \"below\", joint: Pin(at: {below}))],\n\
                 physics: [Contact()]",
                block(space, 2),
                zero(space)
            );
            let young = format!("\"stiff\": (density: 1000, elastic: (young: {:?}, poisson: 0.3)), ", 1e6 * f64::max(ratio, 1.0));
            let text = scene(space, (0.02, 1.0), 9.81, &rest).replace("materials: {", &format!("materials: {{{young}"));
            let mut run = build(&text, &[]);
            let below = after(&mut run, 600, "below_force");
            let above = after(&mut run, 1, "above_force");
            assert!((below / (mass * 9.81) - 1.0).abs() < 1e-7, "{space}D {ratio}: {below} N of {}", mass * 9.81);
            assert!((above / ((mass + own) * 9.81) - 1.0).abs() < 1e-7, "{space}D {ratio}: {above} N of {}", (mass + own) * 9.81);
            books_are_closed(&run, 1e-9);
        }
    }
}

/// A block on a smooth slope, held by a wire along it: the slope carries m g cos α, the wire m g sin α.
#[test]
fn a_block_on_a_slope_hangs_on_a_wire() {
    let (g, alpha) = (9.81, 0.5_f64);
    for (solver, material, cells) in [("auto", "hard", 2), ("nlgs", "hard", 1), ("auto", "big", 1)] {
        let rest = format!(
            "bodies: [(group: \"block\", material: \"{material}\", shape: {}, at: (0, 0)), (group: \"floor\", material: \"s\", shape: Plane(normal: (0, 1)))],\n\
             interactions: [(between: (\"block\", \"floor\"), law: Coulomb(friction: 0))],\n\
             joints: [(to_ground: \"block.right\", name: \"j\", joint: Wire(to: (1, 0.05)))], physics: [Contact(solver: \"{solver}\")]",
            block(2, cells)
        );
        let text = scene(2, (0.02, 1.0), 0.0, &rest)
            .replace("gravity: (0, -0.0)", &format!("gravity: ({:?}, {:?})", -g * alpha.sin(), -g * alpha.cos()));
        let mut run = build(&text, &[]);
        let force = after(&mut run, 400, "j_force");
        let floor = crate::deformable::impulse(run.world().network) / 0.02;
        assert!(
            (force / (20.0 * g * alpha.sin()) - 1.0).abs() < 1e-6,
            "{solver} {material}: {force} N of {}",
            20.0 * g * alpha.sin()
        );
        assert!((floor.y / (20.0 * g * alpha.cos()) - 1.0).abs() < 1e-6, "{solver} {material}: {floor}");
        books_are_closed(&run, 1e-8);
    }
}

/// A block and a ball, two blocks, on a spring, a rod or pinned together, fly freely: momentum stays to rounding, and with θ = ½ and a body of small
/// motion energy does.
#[test]
fn free_bodies_keep_momentum() {
    let joints = [
        "(between: (\"block\", \"ball\"), joint: Spring(from: (0.2, 0.05), to: (0.5, 0.05), stiffness: 1e4))",
        "(between: (\"block.right\", \"ball\"), joint: Rod)",
        "(between: (\"ball\", \"block.right\"), joint: Pin)",
        "(between: (\"block.right\", \"other.left\"), joint: Spring(stiffness: 1e4, damping: 10))",
        "(between: (\"other\", \"block\"), joint: Rod(from: (0.6, 0.1), to: (0.2, 0.1)))",
    ];
    for joint in joints {
        let rest = format!(
            "bodies: [(group: \"block\", material: \"m\", shape: {0}, at: (0, 0), velocity: (1e-3, 2e-3)),\n\
             (group: \"ball\", material: \"s\", shape: Disc(radius: 0.05), at: (0.55, 0.05), velocity: (0, -1e-3)),\n\
             (group: \"other\", material: \"m\", shape: {0}, at: (0.6, 0), velocity: (0, -1e-3))],\n\
             interactions: [(between: (\"block\", \"ball\"), law: NoContact), (between: (\"block\", \"other\"), law: NoContact), (between: (\"other\", \"ball\"), law: NoContact)],\n\
             joints: [{joint}], physics: [Contact()]",
            block(2, 1)
        );
        let mut run = build(&scene(2, (1e-3, 0.5), 0.0, &rest), &[]);
        let ball = 2000.0 * PI * 0.05 * 0.05;
        let momentum = |run: &Simulation| {
            let v = &run.world().kinematics.velocity;
            v[0] * 20.0 + v[1] * ball + v[2] * 20.0
        };
        let start = Vec3::new(0.02, 0.04 - 1e-3 * ball - 0.02, 0.0);
        let mut energy = (0.0, 0.0);
        for k in 0..300 {
            let outcome = run.step().unwrap();
            let of = |name: &str| column(&run, &outcome, name).unwrap();
            let now = of("e_kinetic") + of("e_strain") - of("w_joint");
            energy = if k == 0 { (now, now) } else { (energy.0, now) };
            let open = (momentum(&run) - start).norm() / start.norm();
            assert!(open < 1e-12, "{joint}: {open:e} after step {k}");
        }
        assert!((energy.1 / energy.0 - 1.0).abs() < 1e-10, "{joint}: {energy:?}");
        books_are_closed(&run, 1e-10);
    }
}

/// A block that moves where its side is pinned: what of its velocity does not fit is lost in the first step, and from then on the side rests at the end
/// of every step and with θ = ½ the energy stays. Without making velocities fit the side would fly back and forth for ever.
#[test]
fn velocities_that_fit_no_pin_are_lost_once() {
    for space in [2, 3] {
        let speed = if space == 2 { "(1e-3, 0)" } else { "(1e-3, 0, 0)" };
        let mesh = if space == 2 {
            "Rectangle(size: (0.2, 0.1), cells: (4, 1), element: Q4)"
        } else {
            "Cuboid(size: (0.2, 0.1, 0.1), cells: (4, 1, 1), element: Hex8)"
        };
        for how in ["", "deformable: (mass: Lumped)", "deformable: (scheme: Explicit)"] {
            let rest = format!(
                "bodies: [(group: \"block\", material: \"m\", shape: Mesh(of: {mesh}), at: {}, velocity: {speed})],\n\
                 joints: [(to_ground: \"block.left\", name: \"j\", joint: Pin)], physics: [Contact({how})]",
                zero(space)
            );
            let mut run = build(&scene(space, (5e-4, 0.5), 0.0, &rest), &[]);
            let (mut first, start) = (0.0, 0.5e-6 * if space == 2 { 20.0 } else { 2.0 });
            for k in 0..400 {
                let outcome = run.step().unwrap();
                let of = |name: &str| column(&run, &outcome, name).unwrap();
                let now = of("e_kinetic") + of("e_strain");
                first = if k == 0 { now } else { first };
                assert!(first < 0.97 * start && first > 0.5 * start, "{space}D {how}: {first} J of {start}");
                // The explicit scheme keeps an energy near this one.
                let near = if how.contains("Explicit") { 0.05 } else { 1e-10 };
                assert!((now / first - 1.0).abs() < near, "{space}D {how}: {now} J after {k} steps, {first} J");
                let (places, speeds) = (&run.meshes()[0].points, along(&run, "velocity", 0));
                let left: Vec<f64> = speeds.iter().zip(places).filter(|(_, x)| x.x.abs() < 1e-3).map(|(v, _)| *v).collect();
                let mean = left.iter().sum::<f64>() / left.len() as f64;
                assert!(left.len() >= 2 && mean.abs() < 1e-14, "{space}D {how}: the side moves by {mean} m/s after {k} steps");
            }
            books_are_closed(&run, 1e-10);
        }
    }
}

/// A bar between two pins that is warmed pushes with E A α ΔT; one pin alone lets it grow.
#[test]
fn a_pinned_bar_grows_with_heat() {
    for both in [false, true] {
        let right = if both { ", (to_ground: \"bar.right\", name: \"k\", joint: Pin)" } else { "" };
        let rest = format!(
            "bodies: [(group: \"bar\", material: \"warm\", shape: Mesh(of: Rectangle(size: (1, 0.1), cells: (8, 2), element: Q4), plane: PlaneStress), at: (0, 0))],\n\
             joints: [(to_ground: \"bar.left\", name: \"j\", joint: Pin){right}],\n\
             physics: [Contact(), Thermal(law: Insulating, temperature: 293.15, boundary: [Temperature(group: \"bar\", value: \"min(293.15 + t, 303.15)\")])]"
        );
        let text = scene(2, (1.0, 1.0), 0.0, &rest).replace(
            "materials: {",
            "materials: {\"warm\": (density: 1000, elastic: (young: \"1 MPa\", poisson: 0), thermal: (conductivity: 50, specific_heat: 500, expansion: 1e-5)), ",
        );
        let mut run = build(&text, &[]);
        steps(&mut run, 11);
        // Where nothing moves any more a free bar has no energy that a book could be open by a part of.
        books_are_closed(&run, 1e-10);
        let force = after(&mut run, 49, "j_force");
        let moved = along(&run, "displacement", 0).into_iter().fold(0.0, f64::max);
        if both {
            assert!((force / (1e6 * 0.1 * 1e-4) - 1.0).abs() < 1e-9, "{force} N");
        } else {
            assert!(force < 1e-9 && (moved / 1e-4 - 1.0).abs() < 1e-9, "{force} N, {moved} m");
        }
    }
}

/// A ball that hangs on a block on two wires, a neighbour on a spring, a floor beneath, large strain: the same bits on one and two threads and after
/// a resume.
#[test]
fn joints_on_meshes_have_the_same_bits() {
    let rest = format!(
        "bodies: [(group: \"block\", material: \"big\", shape: {0}, at: (0, 0)), (group: \"other\", material: \"m\", shape: {0}, at: (0.3, 0.001)),\n\
         (group: \"ball\", material: \"s\", shape: Disc(radius: 0.03), at: (0.1, -0.1)), (group: \"floor\", material: \"s\", shape: Plane(normal: (0, 1)), at: (0, -0.0005))],\n\
         interactions: [(between: (\"other\", \"floor\"), law: Coulomb(friction: 0.3)), (between: (\"block\", \"other\"), law: NoContact),\n\
         (between: (\"block\", \"ball\"), law: NoContact), (between: (\"block\", \"floor\"), law: NoContact), (between: (\"other\", \"ball\"), law: NoContact),\n\
         (between: (\"ball\", \"floor\"), law: NoContact)],\n\
         joints: [(to_ground: \"block.top\", name: \"a\", joint: Rod(to: (0.1, 0.6))), (between: (\"ball\", \"block\"), joint: Wire(to: (0, 0.05))),\n\
         (between: (\"ball\", \"block.right\"), joint: Wire), (between: (\"block\", \"other.left\"), joint: Spring(from: (0.2, 0.1), stiffness: 1e4, damping: 10))],\n\
         physics: [Contact()]",
        block(2, 1)
    );
    let text = scene(2, (1e-3, 0.5), 9.81, &rest);
    let build = || -> Result<Simulation, ModelErrors> {
        let model = Model::parse_with(&text, "m", "m.ron", std::path::Path::new("."), &[], &mpcd::shapes())?;
        Simulation::build(&model, &<Registry as mpcd::StandardRegistry>::standard())
    };
    same_bits(&build, 40).unwrap_or_else(|e| panic!("{e}"));
    let mut run = build().unwrap();
    steps(&mut run, 200);
    books_are_closed(&run, 1e-7);
}

/// What joints on meshes cannot be is refused with what to do.
#[test]
fn wrong_joints_on_meshes_are_refused() {
    let far = ", (between: (\"block\", \"far\"), law: NoContact), (between: (\"ball\", \"far\"), law: NoContact)";
    let fault = |bodies: &str, joint: &str, more: &str| {
        let rest = format!(
            "bodies: [{bodies}, (group: \"ball\", material: \"s\", shape: Disc(radius: 0.05), at: (0.1, 0.3))],\n\
             interactions: [(between: (\"block\", \"ball\"), law: NoContact){}], joints: [{joint}], {more} physics: [Contact()]",
            if bodies.contains("far") { far } else { "" }
        );
        let text = scene(2, (1e-3, 0.5), 0.0, &rest);
        let model = Model::parse_with(&text, "m", "m.ron", std::path::Path::new("."), &[], &mpcd::shapes());
        match model.and_then(|model| Simulation::build(&model, &<Registry as mpcd::StandardRegistry>::standard())) {
            Ok(_) => panic!("accepted: {joint}"),
            Err(errors) => errors.to_string(),
        }
    };
    let plain = format!("(group: \"block\", material: \"m\", shape: {}, at: (0, 0))", block(2, 1));
    for (joint, says) in [
        ("(between: (\"block\", \"ball\"), joint: Weld)", ["none is named", "top"]),
        ("(between: (\"block.top\", \"ball\"), joint: Weld(at: (0, 0)))", ["`at` has no meaning", "remove `at`"]),
        ("(between: (\"block.top\", \"ball.top\"), joint: Weld)", ["`top`", "is rigid"]),
        ("(between: (\"ball\", \"block\"), joint: Hinge(at: (0.1, 0.1)))", ["no turning", "`Weld`"]),
        ("(between: (\"ball\", \"block.top\"), joint: Slider(axis: (1, 0)))", ["no turning", "`Weld`"]),
        ("(between: (\"ball\", \"block.top\"), joint: Pin(limits: (0, 1)))", ["`limits`", "no turning"]),
        ("(between: (\"ball\", \"block\"), joint: Pin)", ["its centre is no point of it", "add `at`"]),
        ("(between: (\"ball\", \"block\"), joint: Rod)", ["its centre is no point of it", "add `to`"]),
        ("(between: (\"ball\", \"block\"), joint: Rod(to: (0.1, 0.05)))", ["farther than", "name a side"]),
        ("(between: (\"ball\", \"block\"), joint: Rod(to: (0.1, 0.15)))", ["farther than", "name a side"]),
        ("(between: (\"ball\", \"block.topp\"), joint: Rod)", ["`topp`", "did you mean `top`?"]),
        ("(between: (\"ball\", \"block.top\"), joint: Rod(to: (0.1, 0.1)))", ["`to` has no meaning", "remove `to`"]),
        ("(between: (\"ball\", \"block.top\"), joint: Pin(at: (0.1, 0.1)))", ["`at` has no meaning", "remove `at`"]),
        ("(between: (\"ball.top\", \"block.top\"), joint: Rod)", ["`ball.top`", "is rigid"]),
        ("(to_ground: \"block.top\", joint: Rod)", ["the point of the ground", "`to: (x, y, z)`"]),
        ("(to_ground: \"blok.top\", joint: Rod(to: (0, 1)))", ["unknown group", "blok.top"]),
    ] {
        let words = fault(&plain, joint, "");
        assert!(says.iter().all(|s| words.contains(s)), "{joint}: expected {says:?}:\n{words}");
    }
    let pin = "(to_ground: \"block.top\", joint: Pin)";
    let held = fault(&plain, pin, "loads: [(on: \"block.top\", load: Fixed)],");
    assert!(held.contains("no force can move either end"), "{held}");
    let ring = "(group: \"block\", material: \"m\", shape: Mesh(of: Rectangle(size: (0.2, 0.1), cells: (2, 1)), plane: Axisymmetric), at: (0, 0))";
    let words = fault(ring, pin, "");
    assert!(words.contains("axisymmetric") && words.contains("hold or drive"), "{words}");
    let two = format!("{plain}, (group: \"far\", material: \"m\", shape: {}, at: (0.5, 0))", block(2, 1));
    let apart = fault(&two, "(between: (\"block.right\", \"far.left\"), joint: Pin)", "");
    assert!(apart.contains("m apart") && apart.contains("`Rod`"), "{apart}");
}

/// A ball that swings about the corner of a held bar, a tenth of a turn in a step and less: the rod keeps its length to rounding at the end of every
/// step whatever axes it has turned through, its velocity fits, and what it takes from the energy is little.
#[test]
fn a_rod_on_a_bar_keeps_its_length() {
    for space in [2, 3] {
        let (mesh, ball, at, corner, speed) = if space == 2 {
            ("Rectangle(size: (1, 0.1), cells: (4, 1), element: Q8)", "Disc(radius: 0.05)", "(1.5, 0.1)", "(1, 0.1)", "(0, 5)")
        } else {
            (
                "Cuboid(size: (1, 0.1, 0.1), cells: (4, 1, 1), element: Hex20)",
                "Sphere(radius: 0.05)",
                "(1.5, 0.1, 0.1)",
                "(1, 0.1, 0.1)",
                "(0, 5, 2)",
            )
        };
        for (theta, h) in [(0.5, 5e-3), (1.0, 2e-2)] {
            let rest = format!(
                "bodies: [(group: \"ball\", material: \"s\", shape: {ball}, at: {at}, velocity: {speed}), (group: \"bar\", material: \"hard\", shape: Mesh(of: {mesh}), at: {})],\n\
                 interactions: [(between: (\"bar\", \"ball\"), law: NoContact)], loads: [(on: \"bar.left\", load: Fixed)],\n\
                 joints: [(between: (\"ball\", \"bar\"), name: \"j\", joint: Rod(to: {corner}))], physics: [Contact(watch: (turn: Warn))]",
                zero(space)
            );
            let mut run = build(&scene(space, (h, theta), 9.81, &rest), &[]);
            let rest_place = Vec3::new(1.0, 0.1, if space == 2 { 0.0 } else { 0.1 });
            let corner = run.meshes()[0].points.iter().position(|x| (x - rest_place).norm() < 1e-9).unwrap();
            let mut turned = 0.0;
            for k in 0..200 {
                let before = run.world().kinematics.position[0];
                steps(&mut run, 1);
                let mesh = &run.meshes()[0];
                let speed = &mesh.arrays.iter().find(|a| a.name == "velocity").unwrap().values[3 * corner..];
                let (x, v) = (run.world().kinematics.position[0], run.world().kinematics.velocity[0]);
                let line = x - mesh.points[corner];
                turned += (x - before).norm() / 0.5;
                assert!((line.norm() / 0.5 - 1.0).abs() < 1e-11, "{space}D θ = {theta}: {} m after {k} steps", line.norm());
                let open = line.dot(&(v - Vec3::new(speed[0], speed[1], speed[2]))) / (0.5 * v.norm().max(1.0));
                assert!(open.abs() < 1e-10, "{space}D θ = {theta}: the rod stretches by {open} of the speed after {k} steps");
            }
            assert!(turned > 6.0, "{turned}");
            let outcome = run.step().unwrap();
            let [lost, settled] = ["w_joint", "w_joint_settled"].map(|name| column(&run, &outcome, name).unwrap());
            // With θ = ½ a rod does no work but that of making velocities fit, which can only take.
            assert!(settled < 0.0 && lost <= settled + 1e-9, "{space}D θ = {theta}: {lost} J, {settled} J");
            assert!(theta == 1.0 || (lost - settled).abs() < 1e-9 && settled > -1e-3, "{space}D: {lost} J, {settled} J");
            books_are_closed(&run, 1e-9);
        }
    }
}

/// A steel block of many contacts on a rough slope, with a wire along it: what contacts and joint do to each other through a stiff body is not swept but
/// solved, and wire, friction and slope carry the weight together.
#[test]
fn a_stiff_block_of_many_contacts_hangs_on_a_wire() {
    for (space, mesh, end) in [
        (2, "Rectangle(size: (0.2, 0.1), cells: (12, 6), element: Q8)", "(-0.4, 0.05)"),
        (3, "Cuboid(size: (0.2, 0.1, 0.1), cells: (8, 4, 4), element: Hex8)", "(-0.4, 0.05, 0.05)"),
    ] {
        let (gravity, normal) = if space == 2 { ("(3, -9)", "(0, 1)") } else { ("(3, -9, 0)", "(0, 1, 0)") };
        let mut run = build(
            &format!(
                r#"(dimension: {space}, gravity: {gravity}, time: (step: 1e-3, end: 10, theta: 1),
  materials: {{"steel": (density: 7800, elastic: (young: "210 GPa", poisson: 0.3))}},
  bodies: [
    (group: "block", material: "steel", shape: Mesh(of: {mesh}), at: {}),
    (group: "slope", material: "steel", shape: Plane(normal: {normal})),
  ],
  interactions: [(between: ("block", "slope"), law: Coulomb(friction: 0.1))],
  joints: [(to_ground: "block.left", name: "j", joint: Wire(to: {end}))],
  physics: [Contact()])"#,
                zero(space)
            ),
            &[],
        );
        let pull = after(&mut run, 40, "j_force");
        let floor = crate::deformable::impulse(run.world().network) * 1e3;
        let mass = 7800.0 * 0.02 * if space == 2 { 1.0 } else { 0.1 };
        assert!((floor.y / (9.0 * mass) - 1.0).abs() < 1e-6, "{space}D: {} N of {}", floor.y, 9.0 * mass);
        assert!(((pull - floor.x) / (3.0 * mass) - 1.0).abs() < 1e-6, "{space}D: {pull} and {} N of {}", -floor.x, 3.0 * mass);
        assert!(pull > 2.0 * mass, "{space}D: {pull} N");
        books_are_closed(&run, 1e-10);
    }
}
