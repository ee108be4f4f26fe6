//! What a joint keeps from step to step. Plain data; joints and their steps are in `joint`.

use mpcd_core::Vec3;
use serde::{Deserialize, Serialize};

/// What holds the axis of a joint.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grip {
    /// The limit it lies against: −1 the lowest, 1 the highest, 0 none.
    pub stop: i8,
    /// The sense in which its drive gives all it can; 0 where it leads.
    pub push: i8,
}

/// A joint in the state of the contact module.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct JointState {
    /// Impulse of the last step on the first body, world axes [N s].
    pub impulse: Vec3,
    /// Impulse moment of the last step on the first body about the joint (welds), world axes [N m s].
    pub moment: Vec3,
    /// Whether it broke; a broken joint stays broken.
    pub broken: bool,
    /// Whether the bodies that it held together have come apart since it broke, so that they touch each other like any others.
    pub parted: bool,
    /// Its work since the start with the change of what it stores, negative where it takes energy out (J).
    pub work: f64,
    /// Part of it that made velocities fit the joint (J).
    pub settled: f64,
    /// Angle (rad) or length (m) of a hinge or a slider since the start, turns counted.
    pub travelled: f64,
    /// Impulse of the last step along the axis of a hinge [N m s] or a slider [N s], on the first body.
    pub along: f64,
    /// What holds the axis.
    pub grip: Grip,
    /// Work of its drive since the start, which is none of `work` (J).
    pub drive: f64,
}
