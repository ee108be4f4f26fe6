//! The source's figures that do not depend on what it leaves open.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use dumont::scene::{GRAVITY, Scene};
use dumont::simulation::{Simulation, run};
use dumont::sweeps::Method;
use mpcd_friction::local::{DescentStep, LocalMethod};

/// Time at which the ball stops sliding and its speed at the end, and the sweeps of the last step and of those that missed.
fn launch(method: Method, inertia: f64) -> (f64, f64, usize, usize) {
    let scene = Scene { inertia, ..Scene::launched_ball() };
    let mut simulation = Simulation::new(scene.clone(), method).unwrap();
    let (mut rolls, mut missed, mut sweeps) = (f64::INFINITY, 0, 0);
    for _ in 0..2000 {
        let before = simulation.kinematics.velocity[0].x;
        let swept = simulation.step().unwrap();
        missed += usize::from(swept.last().global() > scene.tolerance);
        sweeps = swept.sweeps();
        let braking = (before - simulation.kinematics.velocity[0].x) / (scene.friction * GRAVITY * scene.step);
        // the step in which friction falls below μ r_n: the share of it that was slid
        if rolls.is_infinite() && braking < 0.999 {
            rolls = simulation.time - scene.step * (1.0 - braking);
        }
    }
    (rolls, simulation.kinematics.velocity[0].x, sweeps, missed)
}

/// VALIDATION §14, example 1: t* 0.062410 s, v* 1.071429 m/s; one sweep with EBP and EAL.
#[test]
fn v14_the_launched_ball_rolls_after_one_sweep_a_step() {
    for local in [LocalMethod::Ebp, LocalMethod::Eal] {
        let (rolls, speed, sweeps, missed) = launch(Method::new(local), 0.4);
        assert!((rolls - 0.062_410).abs() < 1e-6, "{local:?}: rolls from {rolls}");
        assert!((speed - 1.071_428_571).abs() < 1e-9, "{local:?}: {speed}");
        assert_eq!((sweeps, missed), (1, 0), "{local:?}");
    }
}

/// VALIDATION §14, example 1: 18 sweeps with SBP and SAL, for `0.4^18 g h < 1e-10`. A projected step of the sticking contact
/// multiplies its sliding by `1 − 0.6 (1 + mR²/I)`, which contracts for `I > 3/7 mR²`: as for a planar ball (½),
/// not as for a full one (2/5), where SBP never comes to rest again.
#[test]
fn v14_simple_methods_take_18_sweeps_where_they_contract() {
    for local in [LocalMethod::Sbp, LocalMethod::Sal] {
        let (rolls, speed, sweeps, missed) = launch(Method::new(local), 0.5);
        assert!((rolls - 1.5 / 3.0 / (0.7 * GRAVITY)).abs() < 1e-6, "{local:?}: rolls from {rolls}");
        assert!((speed - 1.0).abs() < 1e-6, "{local:?}: {speed}");
        assert_eq!((sweeps, missed), (18, 0), "{local:?}");
    }
    let (_, _, sweeps, missed) = launch(Method { local: LocalMethod::Sbp, step: DescentStep::ReducedMass { factor: 1.0 } }, 0.4);
    assert!(sweeps == 5000 && missed > 1000, "SBP with a full ball: {sweeps}, {missed}");
    // ρ = 0.6/λ_max contracts for every ball: λ_max = 3.5/m, 1 − 0.6/3.5 per sweep
    for local in [LocalMethod::Sbp, LocalMethod::Sal] {
        let (rolls, speed, sweeps, missed) = launch(Method { local, step: DescentStep::Spectral }, 0.4);
        assert!((rolls - 0.062_410).abs() < 1e-6 && (speed - 1.071_428_571).abs() < 1e-6, "{local:?}: {rolls} {speed}");
        assert_eq!((sweeps, missed), (86, 0), "{local:?}");
    }
}

/// VALIDATION §14, example 2: the ordering of the methods in sweeps, and EBP and EAL nearly without penetration. With I = ½ mR²,
/// where SBP and SAL contract with the source's ρ.
#[test]
fn v14_four_balls_are_solved_in_the_order_of_the_source() {
    let scene = Scene { inertia: 0.5, ..Scene::four_balls() };
    let runs = Method::SOURCE.map(|method| (method.name(), run(scene.clone(), method, 1000, 0).unwrap()));
    for (name, run) in &runs {
        assert_eq!(run.missed, 0, "{name}");
        assert!(run.last.last().global() <= 1e-12, "{name}: {:?}", run.last.last());
        // orders of magnitude of the source: 305, 301, 161, 158
        assert!((80..1000).contains(&run.last.sweeps()), "{name}: {}", run.last.sweeps());
    }
    let [sbp, sal, ebp, eal] = runs.map(|(_, run)| run.last);
    let sweeps = [&eal, &ebp, &sal, &sbp].map(|swept| swept.sweeps());
    assert!(sweeps.is_sorted() && sweeps[1] < sweeps[2], "EAL, EBP, SAL, SBP: {sweeps:?}");
    // what is left: penetration with the simple methods, motion with the enhanced ones
    assert!(sbp.worst_penetration > 1e-13 && sal.worst_penetration > 1e-13);
    assert!(eal.worst_penetration < 1e-18 && ebp.worst_penetration < 1e-18);
    assert!(sbp.last().penetration > 0.5 * sbp.last().global() && sal.last().penetration > 0.5 * sal.last().global());
    assert!(ebp.last().motion > 0.99 * ebp.last().global() && eal.last().motion > 0.99 * eal.last().global());
}
