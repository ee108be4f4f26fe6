//! Forces that rigid contacts leave open, picked to rounding: one selection for all solvers, starts and orders of sweeps.

use std::collections::BTreeMap;

use mpcd_core::ContactKey;
use mpcd_sim::Simulation;

use crate::granular::{build, steps};

/// Solvers that leave different things over, by their keys in `Contact`.
const SOLVERS: [&str; 7] = [
    "",
    r#", solver: "nlgs""#,
    r#", solver: "nlgs", order: Shuffled(seed: 7)"#,
    r#", solver: "nlgs-accelerated", order: Forward"#,
    r#", solver: "nsn-ac""#,
    r#", solver: "prox-nsn""#,
    r#", solver: "ipm""#,
];

/// Some hundred discs between a floor and walls, one of which is pressed on them with 20 N.
fn bed(contact: &str) -> Simulation {
    build(
        &format!(
            r#"(dimension: 2, gravity: (0, -9.81), time: (step: "1 ms", end: 1, on_failure: Continue), materials: {{"steel": (density: 7800)}},
  bodies: [
    (group: "discs", material: "steel", packing: Deposit(from: (0, 0), to: ("80 mm", "0.11 m"), sizes: Uniform(min: "4 mm", max: "6 mm"), seed: 5)),
    (group: "floor", material: "steel", shape: Plane(normal: (0, 1))),
    (group: "left", material: "steel", shape: Plane(normal: (1, 0))),
    (group: "right", material: "steel", shape: Box(size: ("10 mm", "0.4 m")), mass: "0.5 kg", at: ("85 mm", "0.2 m"))],
  interactions: [(between: ("discs", "discs"), law: Coulomb(friction: 0.3)), (between: ("discs", "floor"), law: Coulomb(friction: 0.3)),
    (between: ("discs", "left"), law: Coulomb(friction: 0.3)), (between: ("discs", "right"), law: Coulomb(friction: 0.3)),
    (between: ("right", "floor"), law: NoContact), (between: ("right", "left"), law: NoContact)],
  loads: [(on: "right", load: Locked(axes: [Y, SpinZ])), (on: "right", load: Force(x: -20))],
  physics: [Contact(tolerance: 1e-8, forces: {contact})])"#
        ),
        &[],
    )
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

#[test]
fn a_bed_has_one_selection_for_all_solvers_and_starts() {
    for pick in ["Compliant", "MinimumNorm"] {
        let mut first = bed(pick);
        eprintln!("discs {}", first.world().kinematics.position.len());
        for round in 0..4 {
            let last = steps(&mut first, 25);
            eprintln!("{pick} {round} missed {:?}", last.missed);
            let stood = first.save().unwrap();
            let mut wanted: Option<BTreeMap<ContactKey, f64>> = None;
            for solver in SOLVERS {
                let mut run = bed(&format!("{pick}{solver}"));
                run.restore(&stood).unwrap();
                let t = std::time::Instant::now();
                let last = steps(&mut run, 1);
                let t = t.elapsed().as_secs_f64();
                let found = forces(&run, last.h);
                let off = wanted.get_or_insert_with(|| found.clone());
                eprintln!("{pick} {round} {solver} {:e} n={} largest {:e} missed {:?} t {t}", apart(off, &found), found.len(), found.values().copied().fold(0.0, f64::max), last.missed.is_some());
                run.restore(&stood).unwrap();
                let spread = run.spread(8).unwrap();
                eprintln!("     spread {:e} failed {}", spread.force, spread.failed);
            }
        }
    }
}
