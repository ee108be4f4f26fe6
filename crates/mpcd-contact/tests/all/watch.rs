//! What each watchdog sees, in its words, with both policies; and what none of them may bark at.

use mpcd_contact::{
    Law, LawData, LawInput, LawKind, LawRegistry,
    law::{Memory, Remembers, Shares, Tally},
};
use mpcd_core::{
    BodyId, Book, Dimension, Fragment, InputError, SolveReport, Vec3,
    setup::{Joint, Material},
};
use mpcd_friction::Cone;
use mpcd_geometry::Shape;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::scene::{G, Run, Scene};

/// Steps until something is refused; its words.
fn refused(mut run: Run, h: f64, steps: u32) -> String {
    for _ in 0..steps {
        if let Err(error) = run.try_step(h) {
            return error.to_string();
        }
    }
    panic!("nothing was refused");
}

/// Steps, and what watchdogs let pass: (which, words).
fn passed(mut run: Run, h: f64, steps: u32) -> Vec<(String, String)> {
    let seen = |report: SolveReport| report.watched.into_iter().map(|w| (w.what.to_owned(), w.words));
    (0..steps).flat_map(|_| seen(run.step(h))).collect()
}

fn landing(contact: &str) -> Run {
    let mut scene = Scene::new(Dimension::Spatial, Vec3::y() * -G);
    scene.body("ball", Shape::Ball { radius: 0.1 }, Vec3::y() * 0.3, None);
    scene.floor("floor", Vec3::y());
    scene.law("ball", "floor", "Coulomb(friction: 0.3, restitution: 0.5)");
    scene.build(contact).unwrap()
}

#[test]
fn an_overlap_is_told_with_bodies_time_and_measure() {
    let words = refused(landing("Contact(watch: (overlap_limit: 1e-4))"), 1e-3, 400);
    let parts = [
        "module `Contact` cannot go on: body 0 (group \"ball\") and body 1 (group \"floor\") came to overlap by 0.",
        " % of 2.000e-1 m, the smallest length of the smaller one, in the step at t = 2.0",
        " s (limit 0.01 %); reduce the time step or the solver's `tolerance`, write `contact: GapUnclipped` in a law that knows it, which parts what overlaps, or state an `Elastic` law where bodies are to yield. To go on all the same, write `watch: (overlap: Warn)` in Contact",
    ];
    assert!(parts.iter().all(|part| words.contains(part)), "{words}");
    let seen = passed(landing("Contact(watch: (overlap: Warn, overlap_limit: 1e-4))"), 1e-3, 400);
    assert!(!seen.is_empty() && seen.iter().all(|(what, _)| what == "overlap"), "{seen:?}");
    assert!(passed(landing("Contact()"), 1e-3, 400).is_empty());
}

/// Why modules want shorter steps, over so many of them.
fn too_long(mut run: Run, h: f64, steps: u32) -> Vec<String> {
    (0..steps).filter_map(|_| run.step(h).too_long).collect()
}

/// A ball that slides outward along a plank that turns towards it: the surface comes faster there than where the step began, by v ω h² a step and more,
/// 1 % of the ball at 1 ms and 0.06 % at a quarter of that. Laws that part what overlaps would do so faster in shorter steps.
#[test]
fn a_step_in_which_surfaces_turn_into_each_other_is_too_long() {
    let plank = |law: &str, watch: &str| {
        let mut scene = Scene::new(Dimension::Planar, Vec3::zeros());
        let plank = scene.body("plank", Shape::Box { half: Vec3::new(0.2, 0.005, 0.5) }, Vec3::zeros(), Some(1e6));
        scene.velocity(plank, Vec3::zeros(), Vec3::z() * 25.0);
        let ball = scene.body("ball", Shape::Disc { radius: 0.01, thickness: 1.0 }, Vec3::new(0.02, 0.015, 0.0), Some(1.0));
        scene.velocity(ball, Vec3::new(4.0, 0.5, 0.0), Vec3::zeros());
        scene.law("plank", "ball", law);
        scene.build(watch).unwrap()
    };
    let (foreseen, parted) = ("Coulomb(friction: 0)", "Coulomb(friction: 0, contact: GapUnclipped)");
    let wide = "Contact(watch: (overlap_limit: 0.1))";
    let words = too_long(plank(foreseen, wide), 1e-3, 6);
    assert!(
        words.len() > 2
            && words.iter().all(|w| w.contains("body 1 (group \"ball\") and body 0 (group \"plank\") come to overlap by ")),
        "{words:?}"
    );
    assert!(too_long(plank(foreseen, wide), 2.5e-4, 24).is_empty());
    assert!(words.iter().all(|w| w.contains("(at most 0.50 % is let pass where it can be halved)")), "{words:?}");
    assert!(too_long(plank(parted, wide), 1e-3, 6).is_empty());
    assert!(too_long(plank(foreseen, "Contact(watch: (overlap: Warn, overlap_limit: 0.1))"), 1e-3, 6).is_empty());
}

/// What a law on closed contacts lets in as a body comes to one is no reason for a shorter step: 2 mm at 2 m/s, 1 % of the ball.
#[test]
fn an_arrival_at_a_law_on_closed_contacts_is_not_too_long() {
    let mut scene = Scene::new(Dimension::Spatial, Vec3::zeros());
    let ball = scene.body("ball", Shape::Ball { radius: 0.1 }, Vec3::y() * 0.1015, None);
    scene.velocity(ball, Vec3::y() * -2.0, Vec3::zeros());
    scene.floor("floor", Vec3::y());
    scene.law("ball", "floor", "Coulomb(friction: 0.3, contact: Velocity)");
    assert_eq!(too_long(scene.build("Contact()").unwrap(), 1e-3, 6), [""; 0]);
}

/// What overlaps at the start is meant, and a law that yields says what overlaps mean.
#[test]
fn what_is_meant_to_overlap_is_no_fault() {
    let start = |law: &str, height: f64| {
        let mut scene = Scene::new(Dimension::Spatial, Vec3::y() * -G);
        scene.body("ball", Shape::Ball { radius: 0.1 }, Vec3::y() * height, None);
        scene.floor("floor", Vec3::y());
        scene.law("ball", "floor", law);
        scene.build("Contact()").unwrap()
    };
    assert!(passed(start("Coulomb(friction: 0.3)", 0.08), 1e-3, 20).is_empty());
    let mut soft = start("Elastic(stiffness: 1e3, friction: 0.3)", 0.12);
    let mut deepest = 0.0_f64;
    for _ in 0..400 {
        assert!(soft.step(1e-3).watched.is_empty());
        deepest = deepest.max(0.1 - soft.kinematics().position[0].y);
    }
    assert!(deepest > 0.02, "{deepest}: no overlap, so the test shows nothing");
}

/// A ball on an arm cannot be held back at the wall that it goes through.
#[test]
fn a_jointed_body_that_goes_through_a_wall_is_told() {
    let arm = |contact: &str| {
        let mut scene = Scene::new(Dimension::Planar, Vec3::zeros());
        let ball = scene.body("ball", Shape::Disc { radius: 0.001, thickness: 1.0 }, Vec3::zeros(), None);
        scene.velocity(ball, Vec3::x() * 10.0, Vec3::z() * 10.0);
        scene.body("wall", Shape::Box { half: Vec3::new(0.0005, 0.5, 0.5) }, Vec3::x() * 0.05, None);
        scene.setup.joints.push(Joint {
            bodies: (BodyId(0), None),
            parts: [None, None],
            kind: Fragment::whole("Pin(at: (0, 1))"),
            name: None,
            conducts: Default::default(),
        });
        scene.law("ball", "wall", "Coulomb(friction: 0, restitution: 0.5)");
        scene.load("wall", "Fixed");
        scene.build(contact).unwrap()
    };
    let words = refused(arm("Contact()"), 1e-3, 20);
    let parts = [
        "body 0 (group \"ball\") went through body 1 (group \"wall\"), or deep into it, within the step at t = ",
        "m towards each other in it, and the smaller one is 1.000e-3 m thick; steps of 5.0e-6 s would see the contact",
        "write `watch: (crossing: Warn)` in Contact",
    ];
    assert!(parts.iter().all(|part| words.contains(part)), "{words}");
    let seen = passed(arm("Contact(watch: (crossing: Warn))"), 1e-3, 20);
    assert!(seen.iter().any(|(what, _)| what == "crossing"), "{seen:?}");
}

/// Kane's rod, VALIDATION §5: 0.05 J of 1.16 J at the contact.
fn kane(contact: &str) -> Run {
    let mut scene = Scene::new(Dimension::Planar, Vec3::zeros());
    let rod = Shape::Segment { half: Vec3::x() * 0.5, thickness_radius: 1e-9 };
    let angle = std::f64::consts::FRAC_PI_4;
    let rod = scene.body("rod", rod, Vec3::y() * (0.5 * angle.sin() - 1e-8), Some(1.0));
    scene.setup.bodies.inertia[0] = Vec3::repeat(1.0 / 12.0);
    scene.setup.initial.orientation[0] = mpcd_core::Quat::from_axis_angle(&Vec3::z_axis(), angle);
    scene.velocity(rod, Vec3::new(0.5, -1.0, 0.0), Vec3::zeros());
    scene.floor("floor", Vec3::y());
    scene.law("rod", "floor", "Coulomb(friction: 0.6, restitution: 0.9)");
    scene.build(contact).unwrap()
}

#[test]
fn work_made_by_impacts_is_told() {
    let seen = passed(kane("Contact(tolerance: 1e-12)"), 1e-9, 2);
    let [(what, words)] = &seen[..] else { panic!("{seen:?}") };
    assert!(what == "impacts" && words.starts_with("impacts made "), "{words}");
    assert!(
        words.contains(
            " of the energy that moves in it (limit 1e-3); Newton restitution with friction can (Kane's paradox), so can"
        ),
        "{words}"
    );
    assert!(
        refused(kane("Contact(tolerance: 1e-12, watch: (impacts: Stop))"), 1e-9, 2)
            .contains("write `watch: (impacts: Warn)` in Contact")
    );
    assert!(passed(kane("Contact(tolerance: 1e-12, watch: (work_limit: 0.5))"), 1e-9, 2).is_empty());
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ThrowerParams {
    speed: f64,
}

/// Throws what touches off at this speed: energy from nowhere.
#[derive(Debug)]
struct Thrower(f64);

impl Law for Thrower {
    fn prepare(&self, input: &LawInput) -> Option<LawData> {
        (input.gap <= 0.0).then(|| LawData::of_cone(Cone::coulomb(0.0)).with_normal_shift(-self.0))
    }
}

impl LawKind for Thrower {
    const NAME: &'static str = "Thrower";
    type Params = ThrowerParams;

    fn build(p: ThrowerParams) -> Result<Self, InputError> {
        Ok(Self(p.speed))
    }
}

/// Energy that contacts make is told, and stops the run where that is asked for: half of m v² by a body of 2 kg thrown off, all that there is after the step. What a gap law does to part bodies that
/// overlap is none of it, nor what a solution may miss.
#[test]
fn work_made_by_contacts_is_told() {
    let thrown = |speed: f64, contact: &str| {
        let mut scene = Scene::new(Dimension::Spatial, Vec3::zeros());
        scene.body("ball", Shape::Ball { radius: 0.1 }, Vec3::y() * 0.1, Some(2.0));
        scene.floor("floor", Vec3::y());
        scene.law("ball", "floor", &format!("Thrower(speed: {speed})"));
        scene.build_with(LawRegistry::standard().with::<Thrower>(), contact).unwrap()
    };
    let words = refused(thrown(0.3, "Contact(watch: (work: Stop))"), 1e-3, 2);
    // ½ · 2 kg · (0.3 m/s)²; the book has it twice, as motion and as work of the contact.
    let parts = [
        "contacts made 9.000e-2 J in the step at t = ",
        ", 5.00e-1 of the energy that moves in it (limit 1e-3)",
        "write `watch: (work: Warn)`",
    ];
    assert!(parts.iter().all(|part| words.contains(part)), "{words}");
    let seen = passed(thrown(0.3, "Contact(watch: (work: Warn))"), 1e-3, 1);
    assert!(seen.len() == 1 && seen[0].0 == "work", "{seen:?}");
    assert!(passed(thrown(0.3, "Contact(watch: (work_limit: 0.51))"), 1e-3, 1).is_empty());
    assert!(refused(thrown(0.3, "Contact(watch: (work_limit: 1e-6, work: Stop))"), 1e-3, 2).contains("limit 1e-6"));
    assert_eq!(passed(thrown(0.3, "Contact(watch: (work_limit: 0.49, work: Warn))"), 1e-3, 1).len(), 1);
    assert!(passed(thrown(0.0, "Contact()"), 1e-3, 1).is_empty());
    // Pushed out of the floor by a gap law that takes overlaps back: 1 mm in 1 ms, 1 J, and no fault of the solution.
    let mut scene = Scene::new(Dimension::Spatial, Vec3::zeros());
    scene.body("ball", Shape::Ball { radius: 0.1 }, Vec3::y() * 0.099, Some(2.0));
    scene.floor("floor", Vec3::y());
    scene.law("ball", "floor", "Coulomb(friction: 0, contact: GapUnclipped)");
    let mut run = scene.build("Contact()").unwrap();
    assert!(run.step(1e-3).watched.is_empty());
    assert!((run.kinematics().velocity[0].y - 1.0).abs() < 1e-9);
}

/// A body held to the floor by a bridge, without weight: what pulls and what pushes back are 10 N each, and rounding of them is no fault of the books.
#[test]
fn rest_under_a_bridge_is_no_fault() {
    for law in ["Capillary(friction: 0.3, force: 10, rupture: 0.005)", "Capillary(friction: 0.3, force: 1e6, rupture: 0.005)"] {
        for edge in [0.02, 0.0213] {
            let mut scene = Scene::new(Dimension::Spatial, Vec3::zeros());
            scene.body("box", Shape::Box { half: Vec3::new(edge, 0.7 * edge, edge) * 0.5 }, Vec3::z() * edge * 0.5, None);
            scene.floor("floor", Vec3::z());
            scene.law("box", "floor", law);
            let mut run = scene.build("Contact()").unwrap();
            for _ in 0..100 {
                let report = run.step(1e-3);
                assert!(report.watched.is_empty(), "{:?}", report.watched);
                for balance in &report.balances {
                    assert!(balance.imbalance() <= 1e-10, "{:?}: {:e}", balance.book, balance.imbalance());
                }
            }
        }
    }
}

#[test]
fn a_spin_too_fast_for_the_step_names_the_body_and_a_step() {
    let spinning = |shape: Shape| {
        let mut scene = Scene::new(Dimension::Planar, Vec3::y() * -G);
        let body = scene.body("body", shape, Vec3::y() * 0.1, None);
        scene.velocity(body, Vec3::zeros(), Vec3::z() * 30.0);
        scene.floor("floor", Vec3::y());
        scene.law("body", "floor", "Coulomb(friction: 0)");
        // Its corners are deep in the floor after the half of such a turn.
        scene.build("Contact(watch: (overlap: Warn))").unwrap()
    };
    let seen = passed(spinning(Shape::Box { half: Vec3::new(0.1, 0.1, 0.5) }), 0.02, 1);
    let spin: Vec<_> = seen.iter().filter(|(what, _)| what == "spin").collect();
    let [(_, words)] = &spin[..] else { panic!("{seen:?}") };
    assert!(words.starts_with("body 0 (group \"body\") turns by "), "{words}");
    assert!(
        words.contains(
            " in the step at t = 0.000000e0 s while it touches another body or a joint holds it (limit 0.5 rad); steps of "
        ),
        "{words}"
    );
    assert!(passed(spinning(Shape::Disc { radius: 0.1, thickness: 1.0 }), 0.02, 3).is_empty());
}

#[test]
fn a_force_between_prescribed_bodies_is_said_not_to_be_known() {
    let press = |at: f64| {
        let mut scene = Scene::new(Dimension::Planar, Vec3::zeros());
        let block = Shape::Box { half: Vec3::new(0.1, 0.1, 0.5) };
        scene.body("press", block.clone(), Vec3::y() * at, None);
        scene.body("stop", block.clone(), Vec3::zeros(), None);
        scene.body("frame", block, Vec3::x() * 0.15, None);
        scene.law("press", "stop", "Coulomb(friction: 0.3)");
        scene.law("stop", "frame", "Coulomb(friction: 0.3)");
        scene.load("press", "Velocity(x: 0, y: -1, spin_z: 0)");
        scene.load("stop", "Fixed");
        scene.load("frame", "Fixed");
        scene.build("Contact()").unwrap()
    };
    let seen = passed(press(0.2105), 1e-3, 30);
    let [(what, words)] = &seen[..] else { panic!("{seen:?}") };
    assert_eq!(what, "prescribed");
    let parts = [
        "body 0 (group \"press\") and body 1 (group \"stop\") came to touch in the step ending at t = 1.1",
        " s, but their motions are prescribed: no impulse moves them, so the force between them cannot be computed and is in no resultant; end the drive before they meet, let one of them be pushed by a `Force`, or write `NoContact` between their groups",
    ];
    assert!(parts.iter().all(|part| words.contains(part)), "{words}");
    // What overlaps from the start on, and fixed bodies in each other, are how scenes are built.
    assert!(passed(press(0.19), 1e-3, 30).is_empty());
}

/// A slow piston, a carriage that may rise and a table that turns slowly, all below what the default tolerance can see: friction would be that of rest.
#[test]
fn a_drive_too_slow_for_the_tolerance_is_told() {
    let gh = G * 1e-3;
    let row = |load: &str, contact: &str| {
        let mut scene = Scene::new(Dimension::Planar, Vec3::y() * -G);
        let block = Shape::Box { half: Vec3::new(0.1, 0.1, 0.5) };
        for k in 0..3 {
            scene.body("boxes", block.clone(), Vec3::new(0.2 * f64::from(k), 0.1, 0.0), None);
        }
        scene.body("piston", block.clone(), Vec3::new(-0.2, 0.1, 0.0), None);
        scene.floor("floor", Vec3::y());
        scene.law("boxes", "floor", "Coulomb(friction: 0.3)");
        scene.law("boxes", "boxes", "Coulomb(friction: 0)");
        scene.law("piston", "boxes", "Coulomb(friction: 0)");
        scene.law("piston", "floor", "Coulomb(friction: 0)");
        scene.load("piston", load);
        scene.build(contact).unwrap()
    };
    let table = |spin: f64| {
        let mut scene = Scene::new(Dimension::Spatial, Vec3::z() * -G);
        scene.body("boxes", Shape::Box { half: Vec3::repeat(0.1) }, Vec3::new(1.0, 0.0, 0.1), None);
        scene.body("boxes", Shape::Box { half: Vec3::repeat(0.1) }, Vec3::new(1.0, 0.0, 0.3), None);
        scene.body("stop", Shape::Box { half: Vec3::new(0.1, 0.1, 0.3) }, Vec3::new(1.0, 0.2, 0.3), None);
        scene.body("table", Shape::Box { half: Vec3::new(2.0, 2.0, 0.1) }, Vec3::z() * -0.1, None);
        scene.law("boxes", "boxes", "Coulomb(friction: 0.3)");
        scene.law("boxes", "table", "Coulomb(friction: 0.3)");
        scene.law("boxes", "stop", "Coulomb(friction: 0)");
        scene.load("stop", "Fixed");
        scene.load("table", &format!("Velocity(x: 0, y: 0, z: 0, spin_x: 0, spin_y: 0, spin_z: {spin})"));
        scene.build("Contact()").unwrap()
    };
    let pushed = |v: f64, contact: &str| row(&format!("Velocity(x: {v}, y: 0, spin_z: 0)"), contact);
    let carried = |v: f64| row(&format!("Velocity(x: {v}, spin_z: 0)"), "Contact()");
    let slow = 1e-5 * gh;
    for (run, body) in [(pushed(slow, "Contact()"), 3), (carried(slow), 3), (table(slow), 3)] {
        let seen = passed(run, 1e-3, 5);
        let told = format!("body {body} (group ");
        assert!(!seen.is_empty() && seen.iter().all(|(what, words)| what == "drive" && words.starts_with(&told)), "{seen:?}");
    }
    let words = refused(pushed(slow, "Contact(watch: (drive: Stop))"), 1e-3, 5);
    assert!(
        words.contains("is driven at 9.810e-8 m/s, and contacts miss their laws by up to")
            && words.contains("`tolerance` of 4e-7"),
        "{words}"
    );
    // What the words ask for helps, and so does a faster drive; what stands still needs neither.
    for run in [
        pushed(slow, "Contact(tolerance: 4e-7)"),
        pushed(1e-3 * gh, "Contact()"),
        carried(1e-3 * gh),
        table(1e-3 * gh),
        pushed(0.0, "Contact()"),
    ] {
        assert_eq!(passed(run, 1e-3, 5), []);
    }
}

/// A bond that carries nothing, stores 2 J, is never damaged, and says of no distance that it reaches there.
#[derive(Debug)]
struct Forgotten;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NoParams {}

impl Law for Forgotten {
    fn prepare(&self, input: &LawInput) -> Option<LawData> {
        Some(LawData::of_cone(Cone::coulomb(0.5)).with_normal_shift(input.gap.max(0.0) / input.h))
    }

    fn memory(&self) -> Option<&dyn Remembers> {
        Some(self)
    }
}

impl Remembers for Forgotten {
    fn accept(&self, _: &LawInput, _: &Vec3, _: &Vec3, memory: &mut Memory) -> Shares {
        memory.numbers[0] = 1.0;
        Shares { stored: 2.0, ..Shares::default() }
    }

    fn tally(&self, memory: &Memory) -> Tally {
        let bonded = memory.numbers[0] > 0.0;
        Tally { bonded, anchored: bonded, ..Tally::default() }
    }
}

impl LawKind for Forgotten {
    const NAME: &'static str = "Forgotten";
    type Params = NoParams;

    fn build(_: NoParams) -> Result<Self, InputError> {
        Ok(Self)
    }
}

/// A contact that is beyond what detection looks for takes its bond with it.
#[test]
fn a_bond_that_is_lost_without_damage_is_told_and_booked() {
    let pulled = |contact: &str| {
        let mut scene = Scene::new(Dimension::Spatial, Vec3::zeros());
        scene.body("ball", Shape::Ball { radius: 0.1 }, Vec3::y() * 0.1, Some(1.0));
        scene.floor("floor", Vec3::y());
        scene.law("ball", "floor", "Forgotten()");
        scene.load("ball", "Force(y: 10)");
        scene.build_with(LawRegistry::standard().with::<Forgotten>(), contact).unwrap()
    };
    let words = refused(pulled("Contact()"), 1e-3, 400);
    let parts = [
        "a bond of body 0 (group \"ball\") and body 1 (group \"floor\") is gone in the step at t = ",
        " s although it was not damaged: no contact of the two was found where it held, and 2.000e0 J that it stored went with it; reduce the time step, or raise `alert`",
        "write `watch: (bond: Warn)` in Contact",
    ];
    assert!(parts.iter().all(|part| words.contains(part)), "{words}");
    let mut run = pulled("Contact(watch: (bond: Warn))");
    let mut lost = Vec::new();
    for _ in 0..400 {
        let report = run.step(1e-3);
        let book = report.balances.iter().find(|b| b.book == Book::Energy).unwrap();
        let flow = |name: &str| book.flows.iter().find(|(n, _)| *n == name).unwrap().1.x;
        assert!(book.imbalance() < 1e-12, "{book:?}");
        if flow("bonds_lost") != 0.0 {
            lost.push((flow("bonds_lost"), flow("cohesion"), report.watched.iter().map(|w| w.what).collect::<Vec<_>>()));
        }
    }
    assert_eq!(lost, [(-2.0, 0.0, vec!["bond"])]);
    // Far enough to look, nothing is lost.
    assert!(passed(pulled("Contact(alert: 2)"), 1e-3, 400).is_empty());
}

/// Two driven bodies that are glued: the pull in the glue is no number that anybody can know.
#[test]
fn a_bond_between_prescribed_bodies_that_leave_each_other_is_told() {
    let glued = |law: &str, upper: &str| {
        let mut scene = Scene::new(Dimension::Planar, Vec3::zeros());
        let block = Shape::Box { half: Vec3::new(0.1, 0.1, 0.5) };
        scene.body("upper", block.clone(), Vec3::y() * 0.2, None);
        scene.body("lower", block, Vec3::zeros(), None);
        scene.law("upper", "lower", law);
        scene.load("upper", upper);
        scene.load("lower", "Velocity(x: 1, y: 0, spin_z: 0)");
        scene.build("Contact()").unwrap()
    };
    let bond = "MohrCoulomb(friction: 0.5, tensile_strength: 1e4, cohesion: 2e4)";
    for apart in [
        "Velocity(x: 1, y: Table([(0, 0), (0.0103, 0), (0.0104, 0.1), (1, 0.1)]), spin_z: 0)",
        "Velocity(x: Table([(0, 1), (0.0103, 1), (0.0104, 0.9), (1, 0.9)]), y: 0, spin_z: 0)",
    ] {
        let seen = passed(glued(bond, apart), 1e-3, 30);
        let [(what, words)] = &seen[..] else { panic!("{seen:?}") };
        assert_eq!(what, "prescribed");
        let parts = [
            "body 0 (group \"upper\") and body 1 (group \"lower\") are bonded and moved against each other from the step ending at t = 1.1",
            " s on, but their motions are prescribed: no impulse moves them, so the force of the bond cannot be computed and is in no resultant; let one of them be pushed by a `Force`, drive both alike, or write a law without a bond between their groups",
        ];
        assert!(parts.iter().all(|part| words.contains(part)), "{words}");
        assert!(passed(glued("Coulomb(friction: 0.3)", apart), 1e-3, 30).is_empty());
    }
    assert!(passed(glued(bond, "Velocity(x: 1, y: 0, spin_z: 0)"), 1e-3, 30).is_empty());
}

/// What turns fast beside the floor and does not touch it is nobody's concern, though it is in the network.
#[test]
fn a_spin_beside_the_floor_is_no_fault() {
    let mut scene = Scene::new(Dimension::Planar, Vec3::zeros());
    let body = scene.body("body", Shape::Box { half: Vec3::new(0.1, 0.1, 0.5) }, Vec3::y() * 0.26, None);
    scene.velocity(body, Vec3::zeros(), Vec3::z() * 30.0);
    scene.floor("floor", Vec3::y());
    scene.law("body", "floor", "Coulomb(friction: 0)");
    let mut run = scene.build("Contact(alert: 0.2)").unwrap();
    for _ in 0..20 {
        assert!(run.step(0.02).watched.is_empty());
        assert!(!run.network().contacts.is_empty());
    }
}

/// Two balls of one material that conducts heat, the second driven or fixed; the gap between them, and where the first is.
fn conducting(gap: f64, at: f64, load: &str, period: Option<f64>) -> Scene {
    let mut scene = Scene::new(Dimension::Spatial, Vec3::zeros());
    scene.body("a", Shape::Ball { radius: 0.01 }, Vec3::x() * at, None);
    scene.body("b", Shape::Ball { radius: 0.01 }, Vec3::x() * (at + 0.02 + gap), None);
    scene.setup.passing = vec!["thermal"];
    scene.setup.periods[0] = period;
    let parts = [("thermal".to_owned(), Fragment::whole("(conductivity: 1)"))].into();
    scene.setup.materials = vec![Material { name: "m".to_owned(), density: 1.0, parts }];
    scene.law("a", "b", "Coulomb(friction: 0)");
    scene.load("a", "Fixed");
    scene.load("b", load);
    scene
}

/// Bodies that are built to touch do so to rounding, wherever they are, across the seam of a period too.
#[test]
fn fixed_bodies_that_touch_to_rounding_are_told() {
    let told = |scene: Scene, steps: u32| {
        let seen = passed(scene.build("Contact()").unwrap(), 1e-3, steps);
        seen.iter().filter(|(what, _)| what == "parted").count()
    };
    for k in 0..20 {
        let at = 0.01 * f64::from(2 * k + 1);
        assert_eq!(told(conducting(0.0, at, "Fixed", None), 3), 1, "{at}");
        assert_eq!(told(conducting(1e-9, at, "Fixed", None), 3), 0, "{at}");
    }
    for at in [0.01, 0.03, 0.05, 0.07] {
        assert_eq!(told(conducting(0.06, at, "Fixed", Some(0.1)), 3), 1, "{at}");
        assert_eq!(told(conducting(0.06 - 1e-9, at, "Fixed", Some(0.1)), 3), 0, "{at}");
    }
}

/// Where something passes across gaps, what comes within the alert distance (2 % of the radius) is said in that step, and once more when it touches.
#[test]
fn a_driven_body_that_comes_within_reach_is_told_in_that_step() {
    let towards = "Velocity(x: -0.05, y: 0, z: 0, spin_x: 0, spin_y: 0, spin_z: 0)";
    for repeated in [false, true] {
        let mut scene = conducting(1.02e-3, 0.0, towards, None);
        scene.setup.across = vec!["thermal"];
        let mut run = scene.build("Contact()").unwrap();
        let mut told = Vec::new();
        for step in 1..=30 {
            if repeated {
                run.rehearse(1e-3);
            }
            told.extend(
                run.look(1e-3).watched.iter().filter(|w| w.what == "parted").map(|w| (step, w.words.contains("across gaps"))),
            );
        }
        assert_eq!(told, [(17, true), (21, false)], "{repeated}");
    }
}

/// What touches is said in the step in which it comes to touch, however often that is computed, and once.
#[test]
fn a_driven_body_that_comes_to_touch_is_told_in_that_step() {
    let towards = "Velocity(x: -0.05, y: 0, z: 0, spin_x: 0, spin_y: 0, spin_z: 0)";
    for repeated in [false, true] {
        let mut run = conducting(1.02e-3, 0.0, towards, None).build("Contact()").unwrap();
        let mut told = Vec::new();
        for step in 1..=30 {
            if repeated {
                run.rehearse(1e-3);
            }
            if run.look(1e-3).watched.iter().any(|w| w.what == "parted") {
                told.push(step);
            }
        }
        assert_eq!(told, [21], "{repeated}");
    }
}
