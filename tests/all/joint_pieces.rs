//! What a broken joint held together: its bodies touch each other like any others, once they have come apart; and which pairs want a law.

use std::path::Path;

use mpcd::{Registry, StandardRegistry};
use mpcd_sim::{Model, ModelErrors, Simulation};

const G: f64 = 10.0;

fn build(text: &str) -> Result<Simulation, ModelErrors> {
    let model = Model::parse_with(text, "pieces", "pieces.ron", Path::new("."), &[], &mpcd::shapes())?;
    Simulation::build(&model, &Registry::standard())
}

fn built(text: &str) -> Simulation {
    build(text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// Two bodies, the lower of which stands still; the upper one is pulled off to 0.2 s and falls back.
fn torn(dimension: usize, shapes: [&str; 2], heights: [f64; 2], joint: &str) -> String {
    let (at, up) = match dimension {
        2 => (heights.map(|y| format!("(0, {y:?})")), "y"),
        _ => (heights.map(|z| format!("(0, 0, {z:?})")), "z"),
    };
    let gravity = if dimension == 2 { format!("(0, -{G:?})") } else { format!("(0, 0, -{G:?})") };
    let side = if dimension == 2 {
        "(on: \"top\", load: Velocity(x: 0, spin_z: 0)),"
    } else {
        "(on: \"top\", load: Velocity(x: 0, y: 0)),"
    };
    format!(
        "(dimension: {dimension}, gravity: {gravity}, time: (step: \"1 ms\", end: 10), materials: {{\"m\": (density: 1000)}},
        bodies: [
            (group: \"top\", material: \"m\", shape: {}, at: {}, mass: 1),
            (group: \"low\", material: \"m\", shape: {}, at: {}, mass: 1),
        ],
        joints: [(between: (\"top\", \"low\"), name: \"j\", joint: {joint})],
        loads: [(on: \"low\", load: Fixed), {side}
            (on: \"top\", load: Force({up}: Ramp(from: 0, to: 30, start: 0.0, end: 0.1))), (on: \"top\", load: Force({up}: Ramp(from: 0, to: -30, start: 0.15, end: 0.2)))],
        interactions: [(between: (\"top\", \"low\"), law: Coulomb(friction: 0.5))],
        physics: [Contact()])",
        shapes[0], at[0], shapes[1], at[1]
    )
}

/// What is torn off comes back and rests on the other piece, wherever it was held: blocks, balls, and a face on a face.
#[test]
fn pieces_of_a_broken_joint_touch_each_other() {
    let cube = "Box(size: (0.1, 0.1, 0.1))";
    for (dimension, shapes, heights, joint) in [
        (2, ["Box(size: (0.1, 0.1))"; 2], [0.15, 0.05], "Weld(break_force: 15)"),
        (2, ["Disc(radius: 0.05)"; 2], [0.15, 0.05], "Pin(at: (0, 0.1), break_force: 15)"),
        (3, [cube; 2], [0.15, 0.05], "Weld(break_force: 15)"),
        (3, ["Sphere(radius: 0.05)", cube], [0.15, 0.05], "Pin(at: (0, 0, 0.1), break_force: 15)"),
        (3, [cube; 2], [0.15, 0.05], "Hinge(at: (0, 0, 0.1), axis: (0, 0, 1), break_force: 15)"),
    ] {
        let text = torn(dimension, shapes, heights, joint);
        let mut run = built(&text);
        let height = |run: &Simulation| run.world().kinematics.position[0][dimension - 1];
        let mut highest: f64 = 0.0;
        while run.time() < 1.0 {
            run.step().unwrap();
            highest = highest.max(height(&run));
        }
        assert!(highest > 0.155, "it broke: {highest}\n{text}");
        assert!((height(&run) - 0.15).abs() < 1e-6, "{} at the end\n{text}", height(&run));
    }
}

/// Plates that lie in each other around their pin are not thrown apart when it breaks. They fall through until they have come apart, and touch from then on.
#[test]
fn what_overlaps_at_a_joint_comes_apart_first() {
    let text = torn(2, ["Box(size: (0.1, 0.1))"; 2], [0.12, 0.05], "Pin(at: (0, 0.08), break_force: 15)");
    let mut run = built(&text);
    let said = mpcd_sim::describe(&run).warnings;
    assert!(said.iter().any(|w| w.contains("come apart") && w.contains("3.00e-2 m")), "{said:?}");
    let (mut broken, mut before) = (0, 0.0);
    while run.time() < 1.0 {
        let outcome = run.step().unwrap();
        let number = |name: &str| outcome.numbers[0].1.iter().find(|(n, _)| *n == name).unwrap().1;
        let speed = run.world().kinematics.velocity[0].y;
        broken += usize::from(number("joints_broken") > 0.0);
        if broken < 10 {
            assert!((speed - before).abs() < 1e-3 * 31.0, "no kick: {before} to {speed}");
        }
        before = speed;
    }
    let height = run.world().kinematics.position[0].y;
    assert!(broken > 0 && (height - 0.15).abs() < 1e-6, "{height}");
}

/// Two groups of one body each that a joint holds for good cannot meet and want no law; one that can break does. All pairs that lack a law are named.
#[test]
fn pairs_that_a_joint_holds_for_good_want_no_law() {
    let with = |joint: &str, laws: &str| {
        let text = torn(3, ["Box(size: (0.1, 0.1, 0.1))"; 2], [0.15, 0.05], joint);
        text.replace("(between: (\"top\", \"low\"), law: Coulomb(friction: 0.5))", laws)
    };
    build(&with("Weld()", "")).unwrap();
    build(&with("Hinge(at: (0, 0, 0.1), axis: (0, 0, 1))", "")).unwrap();
    for joint in ["Weld(break_force: 5)", "Rod()"] {
        let said = build(&with(joint, "")).map(|_| ()).unwrap_err().to_string();
        assert!(said.contains("\"top\" and \"low\" can meet but have no law"), "{said}");
    }
    let third = with("Weld(break_force: 5)", "").replace("joints:", "/* */ joints:").replace(
        "(group: \"low\"",
        "(group: \"third\", material: \"m\", shape: Sphere(radius: 0.01), at: (1, 0, 1)), (group: \"low\"",
    );
    let said = build(&third).map(|_| ()).unwrap_err().to_string();
    for words in ["\"top\" and \"third\" can meet", "(\"top\", \"low\")", "(\"third\", \"low\")"] {
        assert!(said.contains(words), "{words}: {said}");
    }
}

/// Six cubes of a chain above a peg, and where the first is.
fn chain(dimension: usize, (x, z): (f64, f64), joint: &str, heavy: f64, tolerance: &str) -> String {
    let place = |x: f64, z: f64| if dimension == 2 { format!("({x:?}, {z:?})") } else { format!("({x:?}, 0, {z:?})") };
    let shape = |size: f64, width: f64| match dimension {
        2 => format!("Box(size: ({size:?}, {size:?}))"),
        _ => format!("Box(size: ({size:?}, {width:?}, {size:?}))"),
    };
    let cube = |i: usize| {
        let mass = if i % 2 == 1 { heavy } else { 1.0 };
        format!(
            "(group: \"c\", material: \"m\", shape: {}, at: {}, mass: {mass:?}),",
            shape(0.1, 0.1),
            place(x + 0.105 * i as f64, z)
        )
    };
    format!(
        "(dimension: {dimension}, gravity: {gravity}, time: (step: \"1 ms\", end: 10), materials: {{\"m\": (density: 1000)}},
        bodies: [{cubes} (group: \"peg\", material: \"m\", shape: {peg}, at: {at}), (group: \"floor\", material: \"m\", shape: Plane(normal: {up}))],
        interactions: [
            (between: (\"c\", \"c\"), law: Coulomb(friction: 0.4)), (between: (\"c\", \"peg\"), law: Coulomb(friction: 0.4)),
            (between: (\"c\", \"floor\"), law: Coulomb(friction: 0.4)), (between: (\"peg\", \"floor\"), law: NoContact),
        ],
        joints: [(chain: \"c\", name: \"k\", joint: {joint})], loads: [(on: \"peg\", load: Fixed)], physics: [Contact(tolerance: {tolerance})])",
        gravity = place(0.0, -9.81),
        up = place(0.0, 1.0),
        cubes = (0..6).map(cube).collect::<String>(),
        peg = shape(0.05, 0.2),
        at = place(0.95, 0.12),
    )
}

/// Once all lies still nothing is left of the speeds of bodies but what sums of impulses have rounded: what is asked of them cannot be a share of these speeds.
#[test]
fn what_hung_in_a_joint_comes_to_rest() {
    for (dimension, joint, heavy, tolerance) in [
        (2, "Pin(break_force: 20)", 1.0, "1e-8"),
        (2, "Pin(break_force: 20)", 100.0, "1e-6"),
        (2, "Rod(break_force: 1)", 1.0, "1e-8"),
        (3, "Hinge(axis: (0, 1, 0), break_force: 1)", 1.0, "1e-6"),
        (3, "Weld(break_force: 20)", 1.0, "1e-8"),
    ] {
        let text = chain(dimension, (0.5, 0.33), joint, heavy, tolerance);
        let mut run = built(&text);
        let (mut rests, mut lowest) = (0, 1.0_f64);
        while run.time() < 1.2 {
            run.step().unwrap_or_else(|e| panic!("{e}\n{text}"));
            let now = &run.world().kinematics;
            rests += usize::from(now.velocity[..6].iter().all(|v| v.norm() < 1e-9));
            lowest = now.position[..6].iter().map(|x| x[dimension - 1]).fold(lowest, f64::min);
        }
        assert!(rests > 10 && lowest > 0.0499, "at rest in {rests} steps, {lowest} above the floor\n{text}");
    }
}

/// A chain of hinges that falls on a peg to which it is mirrored has a slip to either side: rows about one lead to the other, and what lies between is found.
#[test]
fn mirror_images_of_a_slip_do_not_keep_a_step_from_its_end() {
    for (start, heavy) in [((0.496096, 0.286152), 100.0), ((0.589565, 0.345603), 1.0)] {
        let text = chain(3, start, "Hinge(axis: (0, 1, 0))", heavy, "1e-8");
        let mut run = built(&text);
        let energy = |run: &Simulation| {
            let now = &run.world().kinematics;
            let of = |i: usize| {
                let (m, w) = (if i % 2 == 1 { heavy } else { 1.0 }, now.angular_velocity[i]);
                m * (0.5 * now.velocity[i].norm_squared() + 0.01 / 12.0 * w.norm_squared() + 9.81 * now.position[i].z)
            };
            (0..6).map(of).sum::<f64>()
        };
        let before = energy(&run);
        while run.time() < 0.25 {
            run.step().unwrap_or_else(|e| panic!("{e}\n{text}"));
        }
        // What is lost in impacts alone.
        assert!(energy(&run) < before * (1.0 - 1e-3), "{} of {before}\n{text}", energy(&run));
    }
}
