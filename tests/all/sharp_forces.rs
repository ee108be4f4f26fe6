//! Forces that rigid contacts leave open, picked to rounding: one selection for all solvers, starts and orders of sweeps, whatever the tolerance.

use std::collections::BTreeMap;

use mpcd_core::ContactKey;
use mpcd_sim::Simulation;

use crate::granular::{build, column, steps};

/// Solvers that leave different things over, by their keys in `Contact`.
const SOLVERS: [&str; 9] = [
    "",
    r#", solver: "nlgs""#,
    r#", solver: "nlgs", order: Reverse"#,
    r#", solver: "nlgs", order: Shuffled(seed: 7)"#,
    r#", solver: "nlgs-accelerated", order: Forward"#,
    r#", solver: "nsn-ac""#,
    r#", solver: "prox-nsn""#,
    r#", solver: "admm""#,
    r#", solver: "ipm""#,
];

/// 96 discs between a floor and two walls, in a box this wide (mm), packed by this seed: the right wall, its laws and loads.
fn discs((width, seed): (u32, u32), [right, laws, loads]: [&str; 3], contact: &str) -> Simulation {
    build(
        &format!(
            r#"(dimension: 2, gravity: (0, -9.81), time: (step: "1 ms", end: 1), materials: {{"steel": (density: 7800)}},
  bodies: [
    (group: "discs", material: "steel", packing: Deposit(from: (0, 0), to: ("{width} mm", "0.2 m"), sizes: Uniform(min: "4 mm", max: "6 mm"), count: 96, seed: {seed})),
    (group: "floor", material: "steel", shape: Plane(normal: (0, 1))),
    (group: "left", material: "steel", shape: Plane(normal: (1, 0))),
    (group: "right", material: "steel", {right})],
  interactions: [(between: ("discs", "discs"), law: Coulomb(friction: 0.3)), (between: ("discs", "floor"), law: Coulomb(friction: 0.3)),
    (between: ("discs", "left"), law: Coulomb(friction: 0.3)), (between: ("discs", "right"), law: Coulomb(friction: 0.3)){laws}],
  loads: [{loads}], physics: [Contact(tolerance: 1e-8, forces: {contact})])"#
        ),
        &[],
    )
}

/// The right wall is a box that is pressed on them with 20 N.
fn bed(contact: &str) -> Simulation {
    let wall = r#"shape: Box(size: ("10 mm", "0.4 m")), mass: "0.5 kg", at: ("105 mm", "0.2 m")"#;
    let laws = r#", (between: ("right", "floor"), law: NoContact), (between: ("right", "left"), law: NoContact)"#;
    let loads = r#"(on: "right", load: Locked(axes: [Y, SpinZ])), (on: "right", load: Force(x: -20))"#;
    discs((100, 5), [wall, laws, loads], contact)
}

/// Only their weight holds them together.
fn settled(contact: &str) -> Simulation {
    discs((80, 3), [r#"shape: Plane(normal: (-1, 0)), at: ("80 mm", 0)"#, "", ""], contact)
}

fn forces(run: &Simulation, h: f64) -> BTreeMap<ContactKey, f64> {
    run.world().network.iter().map(|c| (c.key, c.normal_force(h))).collect()
}

/// The largest difference of two sets of forces over the largest force.
fn apart(a: &BTreeMap<ContactKey, f64>, b: &BTreeMap<ContactKey, f64>) -> f64 {
    let largest = a.values().copied().fold(0.0, f64::max);
    let of = |x: &BTreeMap<ContactKey, f64>, key: &ContactKey| x.get(key).copied().unwrap_or(0.0);
    a.keys().chain(b.keys()).map(|key| (of(a, key) - of(b, key)).abs()).fold(0.0, f64::max) / largest
}

/// One step of the bed by all solvers, from several starts each: what rigid contacts leave open there is 5 % of the largest force (`Any`), and read from what solvers
/// leave over the selections of these were up to 40 % apart.
#[test]
fn a_bed_has_one_selection_for_all_solvers_and_starts() {
    for pick in ["Compliant", "MinimumNorm"] {
        let mut first = bed(pick);
        for _ in 0..2 {
            steps(&mut first, 60);
            let stood = first.save().unwrap();
            let mut wanted: Option<BTreeMap<ContactKey, f64>> = None;
            for solver in SOLVERS {
                let mut run = bed(&format!("{pick}{solver}"));
                run.restore(&stood).unwrap();
                let spread = run.spread(5).unwrap();
                let last = steps(&mut run, 1);
                let found = forces(&run, last.h);
                let off = apart(wanted.get_or_insert_with(|| found.clone()), &found);
                assert!(off < 1e-8, "{pick}{solver}: {off:e}");
                assert!(spread.failed == 0 && spread.force < 1e-8, "{pick}{solver}: {} {:e}", spread.failed, spread.force);
            }
        }
    }
}

/// Over steps of a bed at rest solvers that leave something over and such that leave nothing keep to the same forces.
#[test]
fn forces_of_a_bed_at_rest_stay_what_they_are() {
    let mut run = settled("Compliant");
    steps(&mut run, 80);
    let state = run.save().unwrap();
    let mut first: Vec<BTreeMap<ContactKey, f64>> = Vec::new();
    for solver in SOLVERS {
        let mut run = settled(&format!("Compliant{solver}"));
        run.restore(&state).unwrap();
        for step in 0..10 {
            let last = steps(&mut run, 1);
            let found = forces(&run, last.h);
            if first.len() == step {
                first.push(found);
                continue;
            }
            let off = apart(&first[step], &found);
            assert!(off < 1e-6, "{solver}, step {step}: {off:e} of the largest");
        }
    }
}

/// A bar of 10 N on three equal supports, at −1, 0 and 2 from its middle: N = W/3 − W x̄ (x − x̄)/Σ(x − x̄)², 30/7, 25/7 and 15/7 N. A coarse tolerance
/// leaves the shares as sharp as a fine one.
#[test]
fn a_bar_on_three_supports_is_shared_to_rounding_at_any_tolerance() {
    for pick in ["Compliant", "MinimumNorm"] {
        for tolerance in ["1e-3", "1e-5", "1e-10"] {
            for solver in SOLVERS {
                let mut run = bar(&format!("tolerance: {tolerance}, forces: {pick}{solver}"), "Coulomb(friction: 0.3)", false);
                let last = steps(&mut run, 3);
                for (name, wanted) in [("a", 30.0 / 7.0), ("b", 25.0 / 7.0), ("c", 15.0 / 7.0)] {
                    let found = column(&run, &last, name).unwrap();
                    assert!((found - wanted).abs() < 1e-9, "{pick} {tolerance} {solver}: {name} bears {found} N of {wanted} N");
                }
            }
        }
    }
}

fn bar(contact: &str, law: &str, up: bool) -> Simulation {
    let each = |text: &dyn Fn(&str, f64) -> String| [("a", -1.0), ("b", 0.0), ("c", 2.0)].map(|(n, x)| text(n, x)).concat();
    build(
        &format!(
            r#"(dimension: 2, gravity: (0, {gravity}), time: (step: "1 ms", end: 1), materials: {{"m": (density: 1000)}},
  bodies: [(group: "bar", material: "m", shape: Box(size: (6, 0.2)), mass: "1 kg", at: (0, 0.1)), {}],
  loads: [{}], interactions: [{}], physics: [Contact({contact})], output: (probes: [{}]))"#,
            each(&|n, x| format!(r#"(group: "{n}", material: "m", shape: Disc(radius: 0.4), at: ({x:?}, -0.4)), "#)),
            each(&|n, _| format!(r#"(on: "{n}", load: Fixed), "#)),
            each(&|n, _| format!(r#"(between: ("bar", "{n}"), law: {law}), "#)),
            each(&|n, _| format!(r#"(name: "{n}", of: "normal_force", group: "{n}"), "#)),
            gravity = if up { 10 } else { -10 },
        ),
        &[],
    )
}

/// Newton and the picking are stages of the report, and so is picking by the tolerance, as for the shares that bonds are judged by.
#[test]
fn the_report_names_the_stages() {
    let ran =
        |run: &Simulation, stage: &str| run.counters().solved_by.get(&format!("Contact: {stage}")).map_or(0, |work| work.steps);
    for solver in SOLVERS {
        let mut run = bar(&format!("tolerance: 1e-5, forces: Compliant{solver}"), "Coulomb(friction: 0.3)", false);
        steps(&mut run, 3);
        assert_eq!(
            ["newton to rounding", "picked by the tolerance", "compliant"].map(|stage| ran(&run, stage)),
            [3, 0, 3],
            "{solver}: {:?}",
            run.counters().solved_by
        );
    }
    // first the shares that bonds are judged by, then those of the step
    let mut run = bar("forces: Compliant", "MohrCoulomb(friction: 0.5, tensile_strength: 100, area: 1, cohesion: 1000)", true);
    steps(&mut run, 3);
    assert_eq!(
        ["newton to rounding", "picked by the tolerance"].map(|stage| ran(&run, stage)),
        [3, 3],
        "{:?}",
        run.counters().solved_by
    );
}
