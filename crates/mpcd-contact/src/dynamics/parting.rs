//! Bodies that a broken joint held together touch each other once they have come apart. What lives here: whether they have.

use mpcd_core::{BodyId, Kinematics, Setup};
use mpcd_geometry::{Detector, Touch};

use super::Mechanics;
use crate::{hold::Hold, joint::Joints, loads::Loads, state::ContactState};

/// Overlap, over the smallest length of the smaller body, up to which two bodies are apart: what is left is pushed out in one step.
const APART: f64 = 1e-3;

impl Mechanics {
    /// Lets the bodies of broken joints touch from the next step on, where they are apart at the end of this one.
    pub(super) fn part(&mut self, next: &mut ContactState, setup: &Setup) {
        let Self { joints, detector, nearing, hold, assembly, .. } = self;
        let ContactState { joints: states, kinematics, .. } = next;
        // What overlaps on meshes is pushed out by their elements.
        let rigid = |bodies: &[BodyId; 2]| !bodies.iter().any(|body| assembly.sides.is_deformable(*body));
        joints.together().part(states, |bodies| {
            let most = APART * hold.length_of(kinematics, bodies);
            rigid(&bodies) && overlap(detector, bodies, kinematics, setup, &mut nearing.wider) > most
        });
    }
}

/// What a model is told of joints that can break while the shapes of their bodies, rigid ones, lie in each other.
pub(crate) fn doubts(joints: &Joints, hold: &Hold, detector: &mut Detector, loads: &Loads, setup: &Setup) -> Vec<String> {
    let (start, mut points) = (loads.start(setup), Vec::new());
    let rigid = |bodies: &[BodyId; 2]| !bodies.iter().any(|body| loads.is_deformable(*body));
    let doubt = |bodies: [BodyId; 2]| {
        let depth = overlap(detector, bodies, &start, setup, &mut points);
        let [a, b] = bodies.map(|body| setup.body_label(body));
        (depth > APART * hold.length_of(&start, bodies)).then(|| {
            format!(
                "{a} and {b} overlap by {depth:.2e} m where a joint holds them that can break: when it has, they touch each other only after they have come apart"
            )
        })
    };
    joints.together().breakable().filter(rigid).filter_map(doubt).collect()
}

/// How deep two bodies lie in each other (m); 0 where they do not.
fn overlap(detector: &mut Detector, [a, b]: [BodyId; 2], now: &Kinematics, setup: &Setup, points: &mut Vec<Touch>) -> f64 {
    let (here, mut there) = (now.position[a.index()], now.position[b.index()]);
    for (k, period) in setup.periods.iter().enumerate() {
        if let Some(period) = period {
            there[k] -= period * ((there[k] - here[k]) / period).round();
        }
    }
    detector.measure(now, [(a, here), (b, there)], 0.0, points);
    points.iter().map(|touch| -touch.gap).fold(0.0, f64::max)
}
