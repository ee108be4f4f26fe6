//! Sharp bodies that pass each other without touching, and those that land instead: the way decides, not the line between corners as the step begins.

use crate::granular::{build, column, steps};

/// A box flies at 2 m/s past the edge of a fixed one, its lower face above the upper one by what a step would bring it forward and much less: nothing touches.
#[test]
fn corners_that_pass_do_not_collide() {
    let mut lost = Vec::new();
    for (dimension, clearance, h) in [
        (2, 2e-5, 1e-3),
        (2, 5e-5, 1e-3),
        (2, 1e-4, 1e-3),
        (2, 6e-4, 1e-3),
        (2, 5e-5, 2e-4),
        (2, 5e-5, 4e-3),
        (3, 5e-5, 1e-3),
        (3, 2e-4, 1e-3),
        (3, 1e-3, 4e-3),
    ] {
        let (floor, mover, zero) = if dimension == 2 {
            ("Box(size: (0.5, 0.1)), at: (0.25, -0.05)", "Box(size: (0.2, 0.1))", "")
        } else {
            ("Box(size: (0.5, 0.4, 0.1)), at: (0.25, 0, -0.05)", "Box(size: (0.2, 0.1, 0.1))", "0, ")
        };
        let up = 0.05 + clearance;
        let mut run = build(
            &format!(
                "(dimension: {dimension}, time: (step: {h}, end: 1), materials: {{\"m\": (density: 1000)}},\n\
                 bodies: [(group: \"f\", material: \"m\", shape: {floor}),\n\
                   (group: \"t\", material: \"m\", shape: {mover}, at: (-0.1507, {zero}{up}), velocity: (2, {zero}0))],\n\
                 interactions: [(between: (\"f\", \"t\"), law: Coulomb(friction: 0))],\n\
                 loads: [(on: \"f\", load: Fixed)], physics: [Contact()])"
            ),
            &[],
        );
        let outcome = steps(&mut run, (0.1 / h) as u64);
        let speed = run.world().kinematics.velocity[1];
        if (speed.x - 2.0).abs() > 1e-12 || column(&run, &outcome, "w_impact").unwrap() != 0.0 {
            lost.push(format!("{dimension}D, {clearance} m, {h} s: {} m/s", speed.x));
        }
    }
    assert!(lost.is_empty(), "{}", lost.join("\n"));
}

/// The same box 0.1 mm above comes down at 0.2 m/s as well and lands behind the edge within a step: on the face, which takes its fall and nothing else.
#[test]
fn a_box_that_lands_behind_an_edge_lands_on_the_face() {
    for (restitution, start) in [(0.0, -0.1507), (0.0, -0.1513), (0.5, -0.1507)] {
        let mut run = build(
            &format!(
                "(dimension: 2, time: (step: 1e-3, end: 1), materials: {{\"m\": (density: 1000)}},\n\
                 bodies: [(group: \"f\", material: \"m\", shape: Box(size: (0.5, 0.1)), at: (0.25, -0.05)),\n\
                   (group: \"t\", material: \"m\", shape: Box(size: (0.2, 0.1)), at: ({start}, 0.05514), velocity: (2, -0.2))],\n\
                 interactions: [(between: (\"f\", \"t\"), law: Coulomb(friction: 0, restitution: {restitution}))],\n\
                 loads: [(on: \"f\", load: Locked(axes: [X, Y, SpinZ])), (on: \"t\", load: Locked(axes: [SpinZ]))], physics: [Contact()])"
            ),
            &[],
        );
        steps(&mut run, 60);
        let speed = run.world().kinematics.velocity[1];
        assert!((speed.x - 2.0).abs() < 1e-12, "{start}: {speed}");
        assert!((speed.y - 0.2 * restitution).abs() < 1e-9, "{start}: {speed}");
    }
}

/// A box falls past the end of a ledge, 0.1 mm beside it, and a small disc flies over a corner: both stay as fast as they are free.
#[test]
fn what_passes_a_ledge_falls_freely() {
    let mut run = build(
        "(dimension: 2, gravity: (0, -9.81), time: (step: 1e-3, end: 1), materials: {\"m\": (density: 1000)},\n\
         bodies: [(group: \"f\", material: \"m\", shape: Box(size: (0.5, 0.1)), at: (-0.25, -0.05)),\n\
           (group: \"t\", material: \"m\", shape: Box(size: (0.1, 0.2)), at: (0.0501, 0.25))],\n\
         interactions: [(between: (\"f\", \"t\"), law: Coulomb(friction: 0.3))],\n\
         loads: [(on: \"f\", load: Fixed)], physics: [Contact()])",
        &[],
    );
    steps(&mut run, 300);
    let speed = run.world().kinematics.velocity[1];
    assert!((speed.y + 9.81 * 0.3).abs() < 1e-9 && speed.x.abs() < 1e-12, "{speed}");
    let mut run = build(
        "(dimension: 2, time: (step: 1e-3, end: 1), materials: {\"m\": (density: 1000)},\n\
         bodies: [(group: \"f\", material: \"m\", shape: Box(size: (0.5, 0.1)), at: (0.25, -0.05)),\n\
           (group: \"t\", material: \"m\", shape: Disc(radius: 0.001), at: (-0.0507, 0.0011), velocity: (2, 0))],\n\
         interactions: [(between: (\"f\", \"t\"), law: Coulomb(friction: 0.3))],\n\
         loads: [(on: \"f\", load: Fixed)], physics: [Contact()])",
        &[],
    );
    steps(&mut run, 60);
    let speed = run.world().kinematics.velocity[1];
    assert!((speed.x - 2.0).abs() < 1e-12 && speed.y.abs() < 1e-12, "{speed}");
}
