//! Cases of models/contact.

use super::{Case, runs, same};

pub(super) const CASES: &[&Case] = &[&BOUNCING_BALLS, &SLIDING_TO_ROLLING, &SPHERES_IN_A_BOX, &SMOOTH_POUR, &NEWTONS_CRADLE];

const BOUNCING_BALLS: Case = Case {
    path: "contact/bouncing-balls.ron",
    sets: &["bodies[0].at=(-0.4, 0, 0.11)", "time.end=1"],
    steps: 80,
    positive: &[],
    books: &[],
};

const SLIDING_TO_ROLLING: Case = Case { path: "contact/sliding-to-rolling.ron", sets: &[], steps: 40, positive: &[], books: &[] };

const SPHERES_IN_A_BOX: Case = Case {
    path: "contact/spheres-in-a-box.ron",
    sets: &[
        "bodies[0].packing.count=300",
        "bodies[0].packing.to=(0.06, 0.06, 0.6)",
        "bodies[3].at=(0.06, 0, 0)",
        "bodies[5].at=(0, 0.06, 0)",
    ],
    steps: 80,
    positive: &[],
    books: &[],
};

#[test]
fn bouncing_balls() {
    runs(&BOUNCING_BALLS);
    same(&BOUNCING_BALLS, 80);
}

#[test]
fn sliding_to_rolling() {
    runs(&SLIDING_TO_ROLLING);
    same(&SLIDING_TO_ROLLING, 40);
}

#[test]
fn spheres_in_a_box() {
    runs(&SPHERES_IN_A_BOX);
    same(&SPHERES_IN_A_BOX, 60);
}

const NEWTONS_CRADLE: Case = Case { path: "contact/newtons-cradle.ron", sets: &[], steps: 1_500, positive: &[], books: &[] };

/// After the first swing the last ball flies with the speed that the first arrived with; the others stay.
#[test]
fn newtons_cradle() {
    runs(&NEWTONS_CRADLE);
    same(&NEWTONS_CRADLE, 60);
    let mut simulation = super::build(&NEWTONS_CRADLE).unwrap();
    let mut arrived = 0.0_f64;
    while simulation.time() < 0.32 {
        simulation.step().unwrap();
        arrived = arrived.max(simulation.world().kinematics.velocity[0].norm());
    }
    let speeds: Vec<f64> = simulation.world().kinematics.velocity.iter().map(|v| v.norm()).collect();
    assert!(
        arrived > 0.8 && speeds[..4].iter().all(|v| *v < 0.1 * arrived) && speeds[4] > 0.85 * arrived,
        "{arrived} {speeds:?}"
    );
}

const SMOOTH_POUR: Case = Case {
    path: "contact/smooth-pour.ron",
    sets: &[
        "bodies[0].packing.count=60",
        "bodies[0].packing.to=(0.04, 0.04, 0.3)",
        "bodies[3].at=(0.04, 0, 0)",
        "bodies[5].at=(0, 0.04, 0)",
    ],
    steps: 60,
    positive: &[],
    books: &[],
};

#[test]
fn smooth_pour() {
    runs(&SMOOTH_POUR);
    same(&SMOOTH_POUR, 40);
}
