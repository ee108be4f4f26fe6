//! Sharp bodies that pass each other without touching, and those that land instead: the way decides, not the line between corners as the step begins.

use mpcd_core::Vec3;

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

/// A floor and what flies against its edge from the left at 2 m/s, `clearance` above it (m), each a mesh or a rigid box: the velocity after a time, the floor being held.
fn flies(dimension: usize, meshes: [bool; 2], (clearance, falls): (f64, f64), (h, time): (f64, f64)) -> Option<Vec3> {
    let body = |group: &str, is_mesh: bool, size: [f64; 3], corner: [f64; 3], speed: &str| {
        let list = |values: &[f64]| values.iter().map(|v| format!("{v:?}")).collect::<Vec<_>>().join(", ");
        let of = |values: [f64; 3]| if dimension == 2 { list(&[values[0], values[2]]) } else { list(&values) };
        let shape = match (is_mesh, dimension) {
            (true, 2) => format!("Mesh(of: Rectangle(size: ({}), cells: (2, 1), element: Q4))", of(size)),
            (true, _) => format!("Mesh(of: Cuboid(size: ({}), cells: (2, 2, 1), element: Hex8))", of(size)),
            _ => format!("Box(size: ({}))", of(size)),
        };
        let half = if is_mesh { 0.0 } else { 0.5 };
        let at = of(std::array::from_fn(|k| corner[k] + half * size[k]));
        format!("(group: \"{group}\", material: \"m\", shape: {shape}, at: ({at}){speed})")
    };
    let floor = body("f", meshes[0], [0.5, 0.4, 0.1], [0.0, -0.2, -0.1], "");
    let zero = if dimension == 2 { "" } else { "0, " };
    let mover =
        body("t", meshes[1], [0.2, 0.1, 0.1], [-0.2507, -0.05, clearance], &format!(", velocity: (2, {zero}{:?})", -falls));
    let mut run = build(
        &format!(
            "(dimension: {dimension}, time: (step: {h}, end: 1, theta: 1),\n\
             materials: {{\"m\": (density: 1000, elastic: (young: \"1 GPa\", poisson: 0))}}, bodies: [{floor}, {mover}],\n\
             interactions: [(between: (\"f\", \"t\"), law: Coulomb(friction: 0))],\n\
             loads: [(on: \"f\", load: Fixed)], physics: [Contact(watch: (turn: Warn))])"
        ),
        &[],
    );
    let stopped = (0..(time / h) as u64).find_map(|_| run.step().err());
    stopped.is_none().then(|| run.world().kinematics.velocity[1])
}

const MESHES: [[bool; 2]; 3] = [[true, false], [false, true], [true, true]];

/// The same with meshes, one or both: what was above the edge by less than 2·10⁻³ of a cell met the side of the mesh.
#[test]
fn meshes_pass_without_touching() {
    let mut lost = Vec::new();
    let mut check = |dimension: usize, meshes: [bool; 2], clearance: f64, h: f64| {
        let speed = flies(dimension, meshes, (clearance, 0.0), (h, 0.1));
        if speed.is_none_or(|v| (v - Vec3::x() * 2.0).norm() > 1e-9) {
            lost.push(format!("{dimension}D, meshes {meshes:?}, {clearance} m, {h} s: {speed:?}"));
        }
    };
    for meshes in MESHES {
        for clearance in [1e-6, 2e-5, 1e-4, 1.5e-4, 2.5e-4, 6e-4] {
            check(2, meshes, clearance, 1e-3);
        }
        check(2, meshes, 5e-5, 2e-4);
        check(2, meshes, 5e-5, 4e-3);
        for clearance in [1e-6, 1e-4, 1e-3] {
            check(3, meshes, clearance, 1e-3);
        }
    }
    assert!(lost.is_empty(), "{}", lost.join("\n"));
}

/// What comes lower meets the edge, and what comes down within the step in which it passes the edge lands on the face: that takes its fall and nothing else.
#[test]
fn meshes_meet_an_edge_or_land_behind_it() {
    let mut wrong = Vec::new();
    for meshes in MESHES {
        for dimension in [2, 3] {
            for below in [3e-4, 2e-3] {
                let speed = flies(dimension, meshes, (-below, 0.0), (1e-3, 0.04));
                // two blocks of cells in space that meet by so little bend out of each other's way until the overlap stops the run
                let may_stop = dimension == 3 && meshes == [true, true];
                if speed.map_or(!may_stop, |v| v.x > 1.5) {
                    wrong.push(format!("{dimension}D, meshes {meshes:?}, {below} m below: {speed:?}"));
                }
            }
            let speed = flies(dimension, meshes, (0.00514, 0.2), (1e-3, 0.028));
            let up = |v: &Vec3| if dimension == 2 { v.y } else { v.z };
            if speed.is_none_or(|v| (v.x - 2.0).abs() > 0.01 || up(&v) < -0.15) {
                wrong.push(format!("{dimension}D, meshes {meshes:?}, falling: {speed:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
