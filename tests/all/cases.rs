//! The cases of the shared data that once came out wrong, file by file: each runs as it is written and comes to its number. What they are examples of is tested, kind by kind, elsewhere.

use mpcd_sim::Simulation;
use mpcd_tests::kit::shared;

use crate::granular::{build, column, steps};

fn case(name: &str) -> Option<Simulation> {
    let path = shared(&format!("cases/{name}.ron"))?;
    Some(build(&std::fs::read_to_string(path).unwrap(), &[]))
}

/// The floor carries the weight within 0.1 % from 50 ms on.
#[test]
fn tower() {
    let Some(mut run) = case("tower") else { return };
    for step in 1..=300 {
        let outcome = steps(&mut run, 1);
        let carried = column(&run, &outcome, "R").unwrap().abs();
        let weight = 9.81 * 1050.0;
        assert!(step < 50 || (carried - weight).abs() < 1e-3 * weight, "step {step}: {carried} N of {weight} N");
    }
}

/// It says who is pinched between whom.
#[test]
fn pinched() {
    let Some(mut run) = case("pinched") else { return };
    let words = run.step().unwrap_err().to_string();
    for name in ["\"b\"", "\"press\"", "\"floor\""] {
        assert!(words.contains(name), "{words}");
    }
}

/// To the end, with the defaults.
#[test]
fn biaxial_rigid_walls() {
    let Some(mut run) = case("biaxial-rigid-walls") else { return };
    let mut outcome = steps(&mut run, 1);
    while run.time() < 1.0 - 1e-9 {
        outcome = steps(&mut run, 1);
    }
    // 10 kN on 0.2 m and 20 kN on the height that is left
    let [sxx, syy, height] = ["sxx", "syy", "y_top"].map(|name| column(&run, &outcome, name).unwrap());
    assert!((syy.abs() - 5e4).abs() < 0.05 * 5e4, "{syy} Pa");
    assert!((sxx.abs() * height - 2e4).abs() < 0.05 * 2e4, "{sxx} Pa on {height} m");
}

/// What moves and what gravity stores stay what they are once the start fits the joints.
#[test]
fn joints() {
    let Some(mut run) = case("joints") else { return };
    let energy = |run: &Simulation, outcome: &mpcd_sim::StepOutcome| {
        ["e_kinetic", "e_potential"].iter().map(|name| column(run, outcome, name).unwrap()).sum::<f64>()
    };
    let outcome = steps(&mut run, 1);
    let first = energy(&run, &outcome);
    while run.time() < 0.02 - 1e-9 {
        let outcome = steps(&mut run, 1);
        let now = energy(&run, &outcome);
        assert!((now - first).abs() < 1e-9 * 5e-4, "{now} J of {first} J at {} s", run.time());
    }
}

/// No bond is gone before its damage is one: 5 μm of slip at the corners, 7 ms, begin it.
#[test]
fn bonded_faces() {
    let Some(mut run) = case("bonded-faces") else { return };
    let mut damage = 0.0;
    while run.time() < 0.02 - 1e-9 {
        let outcome = steps(&mut run, 1);
        damage = column(&run, &outcome, "bond_damage").unwrap();
        assert!(run.time() > 0.007 || damage == 0.0, "{damage} at {} s", run.time());
        assert_eq!(column(&run, &outcome, "bonds"), Some(4.0), "{} s", run.time());
    }
    assert!(damage > 0.5 && damage < 1.0, "{damage}");
}

/// It stays.
#[test]
fn static_friction_on_a_face() {
    let Some(mut run) = case("static-friction-on-a-face") else { return };
    while run.time() < 0.2 - 1e-9 {
        let outcome = steps(&mut run, 1);
        let v = column(&run, &outcome, "v").unwrap();
        assert!(v.abs() < 1e-7, "{v} m/s at {} s", run.time());
    }
}

/// 1 S a pair of faces, three boxes: 2 Ω.
#[test]
fn face_resistance() {
    let Some(mut run) = case("face-resistance") else { return };
    let outcome = steps(&mut run, 20);
    let resistance = column(&run, &outcome, "resistance").unwrap();
    assert!((resistance - 2.0).abs() < 1e-9, "{resistance} Ω");
}

/// It comes back with half of 10 m/s.
#[test]
fn ball_through_a_wall() {
    let Some(mut run) = case("ball-through-a-wall") else { return };
    steps(&mut run, 99);
    let v = run.world().kinematics.velocity[0];
    assert!((v.x + 5.0).abs() < 1e-9, "{v}");
}

/// 2 m/s over sixteen seams.
#[test]
fn rolling_over_seams() {
    let Some(mut run) = case("rolling-over-seams") else { return };
    while run.time() < 0.8 - 1e-9 {
        steps(&mut run, 1);
        let v = run.world().kinematics.velocity[0];
        assert!((v.x - 2.0).abs() < 1e-6 && v.z.abs() < 1e-6, "{v} at {} s", run.time());
    }
}
