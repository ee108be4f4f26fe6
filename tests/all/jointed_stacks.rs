//! Stacks and packings of rigid bodies with joints between some of them, by the default: they run where they run without the joints, the floor carries their weight,
//! joints bear what statics says, and a welded pair moves as the one body that it is.

use std::fmt::Write as _;

use mpcd_sim::Simulation;

use crate::granular::{build, column, steps};

/// What stands in a report where joints were taken out.
const TAKEN_OUT: &str = "Contact: joints taken out";

/// Bodies with their joints, on a floor.
#[derive(Default)]
struct Scene {
    space: bool,
    /// Shape, place and mass of each.
    bodies: Vec<(String, [f64; 2], f64)>,
    joints: Vec<(usize, usize, String)>,
    /// Loads, and keys of the contact module.
    more: String,
    contact: String,
}

impl Scene {
    fn add(&mut self, shape: String, at: [f64; 2], mass: f64) -> usize {
        self.bodies.push((shape, at, mass));
        self.bodies.len() - 1
    }

    fn place(&self, [x, y]: [f64; 2]) -> String {
        if self.space { format!("({x:?}, 0, {y:?})") } else { format!("({x:?}, {y:?})") }
    }

    fn block(&self, width: f64, height: f64) -> String {
        if self.space {
            format!("Box(size: ({width:?}, 0.1, {height:?}))")
        } else {
            format!("Box(size: ({width:?}, {height:?}), thickness: 0.1)")
        }
    }

    /// A joint of two bodies: its kind, at the middle between them where it asks for a place.
    fn join(&mut self, a: usize, b: usize, kind: &str) {
        let middle = [0, 1].map(|k| 0.5 * (self.bodies[a].1[k] + self.bodies[b].1[k]));
        let text = match kind {
            "Hinge" if self.space => format!("Hinge(at: {}, axis: (0, 1, 0))", self.place(middle)),
            "Hinge" | "Pin" => format!("{kind}(at: {})", self.place(middle)),
            "Slider" => format!("Slider(axis: {})", self.place([1.0, 0.0])),
            _ => format!("{kind}()"),
        };
        self.joints.push((a, b, text));
    }

    fn text(&self, step: &str) -> String {
        let dimension = if self.space { 3 } else { 2 };
        let (down, up) = (self.place([0.0, -9.81]), self.place([0.0, 1.0]));
        let axis = if self.space { "Z" } else { "Y" };
        let mut out = format!("(dimension: {dimension}, gravity: {down}, time: (step: {step}, end: 1, on_failure: Stop),\n");
        out += "materials: {\"m\": (density: 1000)},\nbodies: [\n";
        for (shape, at, mass) in &self.bodies {
            let _ = writeln!(out, "(group: \"g\", material: \"m\", shape: {shape}, at: {}, mass: {mass:?}),", self.place(*at));
        }
        let _ = writeln!(out, "(group: \"floor\", material: \"m\", shape: Plane(normal: {up}))],");
        out += "interactions: [(between: (\"g\", \"g\"), law: Coulomb(friction: 0.5)), (between: (\"g\", \"floor\"), law: Coulomb(friction: 0.5))],\njoints: [\n";
        for (k, (a, b, joint)) in self.joints.iter().enumerate() {
            let _ = writeln!(out, "(between: ((\"g\", {a}), (\"g\", {b})), name: \"j{k}\", joint: {joint}),");
        }
        let _ = write!(
            out,
            "], {} physics: [Contact({})], output: (probes: [(name: \"floor\", of: \"resultant\", component: {axis}, group: \"floor\")]))",
            self.more, self.contact
        );
        out
    }

    fn weight(&self) -> f64 {
        9.81 * self.bodies.iter().map(|b| b.2).sum::<f64>()
    }
}

/// Boxes on each other, the highest so many times as heavy as the lowest.
fn column_of(space: bool, count: usize, ratio: f64) -> Scene {
    let mut scene = Scene { space, ..Scene::default() };
    for k in 0..count {
        let mass = ratio.powf(k as f64 / (count - 1) as f64);
        scene.add(scene.block(0.1, 0.1), [0.0, 0.05 + 0.1 * k as f64], mass);
    }
    scene
}

/// Bricks in running bond, with the bricks of each course.
fn wall_of(space: bool, (bricks, courses): (usize, usize), ratio: f64) -> (Scene, Vec<Vec<usize>>) {
    let mut scene = Scene { space, ..Scene::default() };
    let mut rows = Vec::new();
    for row in 0..courses {
        let mass = ratio.powf(row as f64 / (courses - 1) as f64);
        let brick = |k: usize| [0.2 * k as f64 + 0.1 * (row % 2) as f64, 0.05 + 0.1 * row as f64];
        rows.push((0..bricks - row % 2).map(|k| scene.add(scene.block(0.2, 0.1), brick(k), mass)).collect());
    }
    (scene, rows)
}

/// Discs on gaps between discs.
fn pile_of(count: usize, ratio: f64) -> (Scene, Vec<Vec<usize>>) {
    let mut scene = Scene::default();
    let mut rows = Vec::new();
    for row in 0..count {
        let mass = ratio.powf(row as f64 / (count - 1) as f64);
        let disc = |k: usize| [0.05 * (2 * k + row) as f64, 0.05 + 0.05 * 3.0_f64.sqrt() * row as f64];
        rows.push((0..count - row).map(|k| scene.add("Disc(radius: 0.05, thickness: 0.1)".to_owned(), disc(k), mass)).collect());
    }
    (scene, rows)
}

/// The scenes, and the joints of each.
fn scenes() -> Vec<(String, Scene)> {
    let mut all = Vec::new();
    for space in [false, true] {
        let dimension = if space { 3 } else { 2 };
        let kinds = ["Weld", "Rod", "Hinge", "Slider", "Pin", "Wire"];
        for (k, ratio) in [1.0, 1.0, 100.0, 1e-2, 1e4, 1e-4].into_iter().enumerate() {
            let mut scene = column_of(space, 6, ratio);
            scene.join(2, 3, kinds[k]);
            scene.join(0, 2, kinds[(k + 3) % 6]);
            all.push((format!("column, {dimension}D, {} and {}, 1 : {ratio:e}", kinds[k], kinds[(k + 3) % 6]), scene));
            let (mut scene, rows) = wall_of(space, (4, 4), ratio);
            scene.join(rows[1][1], rows[2][1], kinds[k]);
            scene.join(rows[0][0], rows[0][1], kinds[(k + 2) % 6]);
            all.push((format!("wall, {dimension}D, {} and {}, 1 : {ratio:e}", kinds[k], kinds[(k + 2) % 6]), scene));
        }
    }
    for (k, kind) in ["Weld", "Rod", "Hinge", "Slider"].into_iter().enumerate() {
        let ratio = [1.0, 1e3][k % 2];
        let (mut scene, rows) = pile_of(5, ratio);
        scene.join(rows[0][1], rows[1][1], kind);
        scene.join(rows[0][0], rows[0][4], if k % 2 == 0 { "Rod" } else { "Wire" });
        all.push((format!("pile, {kind}, 1 : {ratio:e}"), scene));
    }
    all
}

fn taken_out(run: &Simulation) -> u64 {
    run.counters().solved_by.get(TAKEN_OUT).map_or(0, |work| work.steps)
}

/// Of 28 such stacks the default refused 23 in the first steps, at errors of 10⁻⁴ to 10⁻²: sweeps with the joints, and joints with the contacts' impulses held, did
/// not come to the same motion. Nothing moves, and no joint makes energy.
#[test]
fn stacks_with_joints_run_where_they_run_without() {
    let (mut refused, mut helped) = (Vec::new(), 0);
    let all = scenes();
    for (name, scene) in &all {
        let mut run = build(&scene.text("2e-3"), &[]);
        for _ in 0..5 {
            match run.step() {
                Ok(step) => {
                    let of = |column_name: &str| column(&run, &step, column_name).unwrap();
                    let (floor, weight) = (of("floor").abs(), scene.weight());
                    assert!((floor - weight).abs() < 1e-3 * weight, "{name}: the floor carries {floor} N of {weight} N");
                    assert!(of("e_kinetic") < 1e-5 * weight * 9.81 * 4e-6, "{name}: {} J", of("e_kinetic"));
                    assert!(of("w_joint").abs() < 1e-9 * weight, "{name}: joints made {} J", of("w_joint"));
                }
                Err(error) => {
                    refused.push(format!("{name}: {error}"));
                    break;
                }
            }
        }
        helped += u64::from(taken_out(&run) > 0);
    }
    assert!(refused.is_empty(), "{} of {} refused:\n{}", refused.len(), all.len(), refused.join("\n"));
    assert!(helped > 9, "joints were taken out in {helped} of {}", all.len());
}

/// The same to ten digits: what the floor carries is the weight to a millionth.
#[test]
fn the_floor_carries_the_weight_of_jointed_stacks() {
    for (name, mut scene) in scenes().into_iter().step_by(3) {
        scene.contact = "tolerance: 1e-10".to_owned();
        let mut run = build(&scene.text("2e-3"), &[]);
        for _ in 0..3 {
            let step = run.step().unwrap_or_else(|e| panic!("{name}: {e}"));
            let (floor, weight) = (column(&run, &step, "floor").unwrap().abs(), scene.weight());
            assert!((floor - weight).abs() < 1e-6 * weight, "{name}: the floor carries {floor} N of {weight} N");
        }
    }
}

/// A shaken wall in which two bricks are welded, and the same with these as one body: they move alike.
#[test]
fn a_welded_pair_in_a_wall_moves_as_one_body() {
    let shaken = |welded: bool| {
        let (mut scene, rows) = wall_of(false, (4, 4), 1.0);
        scene.contact = "tolerance: 1e-7".to_owned();
        scene.more =
            "loads: [(on: \"floor\", load: Velocity(x: Sine(amplitude: 0.03, frequency: 40, offset: 0), y: 0, spin_z: 0))],"
                .to_owned();
        let (a, b) = (rows[1][0], rows[1][1]);
        if welded {
            scene.join(a, b, "Weld");
        } else {
            let shape = scene.bodies[a].0.clone();
            let at = scene.bodies[a].1;
            scene.bodies[a] = (
                format!("Cluster(parts: [(shape: {shape}, at: (-0.1, 0)), (shape: {shape}, at: (0.1, 0))])"),
                [at[0] + 0.1, at[1]],
                2.0,
            );
            scene.bodies.remove(b);
        }
        let mut run = build(&scene.text("2e-3"), &[]);
        steps(&mut run, 25);
        let taken = taken_out(&run);
        let mut places: Vec<_> = run.world().kinematics.position.clone();
        if welded {
            places[a] = (places[a] + places[b]) * 0.5;
            places.remove(b);
        }
        (places, taken)
    };
    let (welded, taken) = shaken(true);
    let (one, _) = shaken(false);
    assert!(taken > 0);
    let moved = one.iter().zip(&welded).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
    assert!(moved < 1e-7, "{moved} m apart");
}

/// A beam of 100 kg on a hinge and a pile of two blocks of 0.1 kg: half of its weight on each.
#[test]
fn a_hinged_beam_on_a_pile_weighs_half_on_each() {
    for (mass, joint) in [(100.0, "Hinge(at: (0, 0.25))"), (1e4, "Pin(at: (0, 0.25))")] {
        let model = format!(
            r#"(dimension: 2, gravity: (0, -9.81), time: (step: 1e-3, end: 1, on_failure: Stop), materials: {{"m": (density: 1000)}},
            bodies: [
              (group: "beam", material: "m", shape: Box(size: (1, 0.1)), at: (0.5, 0.25), mass: {mass:?}),
              (group: "pile", material: "m", shape: Box(size: (0.1, 0.1)), at: (1, 0.15), mass: 0.1),
              (group: "pile", material: "m", shape: Box(size: (0.1, 0.1)), at: (1, 0.05), mass: 0.1),
              (group: "floor", material: "m", shape: Plane(normal: (0, 1)))],
            interactions: [(between: ("beam", "pile"), law: Coulomb(friction: 0.5)), (between: ("pile", "pile"), law: Coulomb(friction: 0.5)),
              (between: ("pile", "floor"), law: Coulomb(friction: 0.5)), (between: ("beam", "floor"), law: NoContact)],
            joints: [(to_ground: "beam", name: "hinge", joint: {joint})],
            physics: [Contact(tolerance: 1e-9)],
            output: (probes: [(name: "floor", of: "resultant", component: Y, group: "floor"),
              (name: "held", of: "joint_force", component: Y, joint: "hinge")]))"#
        );
        let mut run = build(&model, &[]);
        let outcome = steps(&mut run, 3);
        let [floor, held] = ["floor", "held"].map(|name| column(&run, &outcome, name).unwrap());
        // The pile bears the beam where its face ends, 0.95 to 1 m from the hinge: by moments about the hinge
        let weight = 9.81 * mass;
        let pile = floor.abs() - 9.81 * 0.2;
        let arm = 0.5 * weight / pile;
        assert!((held + pile - weight).abs() < 1e-6 * weight, "{held} N and {pile} N hold {weight} N");
        assert!((0.95 - 1e-6..=1.0 + 1e-6).contains(&arm), "the pile bears at {arm} m");
    }
}
