//! Meshes that meet by edges, steps and thin walls, of unequal cells and thickness: where integrals over common faces must not be used.

use crate::deformable::impulse;
use crate::granular::build;

/// Two blocks, the upper turned by an angle so that it stands on a corner, pressed without friction: the force is along the normal of the flat,
/// whichever mesh is the finer.
#[test]
fn a_corner_on_a_face_is_pushed_along_the_faces_normal() {
    for angle in [3.0, 10.0, 20.0, 35.0] {
        for (upper, lower) in [("(12, 12)", "(4, 2)"), ("(4, 4)", "(40, 4)")] {
            let mut run = build(
                &format!(
                    r#"(dimension: 2, time: (step: 1e-3, end: 1, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 1e6, poisson: 0.3), solid: (law: NeoHookean))}},
  bodies: [
    (group: "low", material: "m", shape: Mesh(of: Rectangle(size: (2, 0.5), cells: {lower}, element: Q4)), at: (-1, -0.5)),
    (group: "high", material: "m", shape: Mesh(of: Rectangle(size: (0.4, 0.4), cells: {upper}, element: Q4)), at: (0.03, 0.0001), rotation: "{angle} deg"),
  ],
  interactions: [(between: ("low", "high"), law: Coulomb(friction: 0))],
  loads: [(on: "low.bottom", load: Fixed), (on: "high.top", load: Velocity(x: 0, y: -0.05))],
  physics: [Contact(watch: (turn: Warn))])"#
                ),
                &[],
            );
            for _ in 0..40 {
                run.step().unwrap();
            }
            let force = impulse(run.world().network);
            assert!(force.y.abs() > 1e-3, "{angle}, {upper} on {lower}: {force}");
            // the flat bends a little
            assert!(force.x.abs() < 0.03 * force.y.abs(), "{angle}, {upper} on {lower}: {force}");
        }
    }
}

/// The coarse side at an interface may have the smaller cells elsewhere: what counts is the interface. A plate bent over two facets of 0.5 m, which
/// have cells of 8 mm at their sides, meets them with its own 25 nodes, and none sinks in.
#[test]
fn the_finer_mesh_is_that_at_the_interface() {
    let mut run = build(
        r#"(dimension: 2, time: (step: 0.02, end: 10, theta: 1),
  materials: {"m": (density: 1000, elastic: (young: 1e6, poisson: 0.3))},
  bodies: [
    (group: "low", material: "m", shape: Mesh(of: Rectangle(size: (1, 0.5), cells: (2, 60), element: Q4))),
    (group: "high", material: "m", shape: Mesh(of: Rectangle(size: (1, 0.1), cells: (24, 2), element: Q4)), at: (0, 0.5)),
    (group: "disc", material: "m", shape: Disc(radius: 0.1), at: (0.75, 0.7)),
  ],
  interactions: [
    (between: ("low", "high"), law: Coulomb(friction: 0)), (between: ("disc", "high"), law: Coulomb(friction: 0)),
    (between: ("disc", "low"), law: NoContact),
  ],
  loads: [(on: "low.bottom", load: Fixed), (on: "high.left", load: Locked(axes: [X])),
    (on: "disc", load: Locked(axes: [X, SpinZ])), (on: "disc", load: Force(x: 0, y: -1000))],
  physics: [Contact(watch: (turn: Warn))])"#,
        &[],
    );
    for _ in 0..100 {
        run.step().unwrap();
    }
    let pair: Vec<_> =
        run.world().network.iter().filter(|c| c.key.antagonist.index() == 1 && c.key.candidate.index() == 0).collect();
    assert!(pair.len() >= 20, "{} contacts", pair.len());
    assert!(pair.iter().all(|c| c.gap > -1e-4), "{:?}", pair.iter().map(|c| c.gap).fold(0.0, f64::min));
}

/// A bond between sheets of 1 m and ½ m holds by the thinner one, whichever is the finer mesh: K A δ.
#[test]
fn sheets_of_unequal_thickness_share_the_thinner() {
    for (low, high) in [((1.0, "(3, 1)"), (0.5, "(5, 1)")), ((1.0, "(5, 1)"), (0.5, "(3, 1)"))] {
        let block = |(thickness, cells): (f64, &str)| {
            format!("Mesh(of: Rectangle(size: (1, 0.5), cells: {cells}, element: Q4), thickness: {thickness})")
        };
        let mut run = build(
            &format!(
                r#"(dimension: 2, time: (step: 0.1, end: 10, theta: 1),
  materials: {{"m": (density: 1, elastic: (young: 1e9, poisson: 0))}},
  bodies: [(group: "low", material: "m", shape: {}), (group: "high", material: "m", shape: {}, at: (0, 0.5))],
  interactions: [(between: ("low", "high"), law: Bilinear(normal_stiffness: 1e6, tensile_strength: 1e6, energy: 1e7, friction: 0))],
  loads: [(on: "low.bottom", load: Fixed), (on: "high.top", load: Velocity(x: 0, y: 1e-4))],
  physics: [Contact()])"#,
                block(low),
                block(high)
            ),
            &[],
        );
        for _ in 0..10 {
            run.step().unwrap();
        }
        let force = impulse(run.world().network).y.abs() / 0.1;
        assert!((force / (1e6 * 0.5 * 1e-4) - 1.0).abs() < 0.01, "{low:?} {high:?}: {force} N");
    }
}

/// A strip much thinner than its cells are long does not feel its own back.
#[test]
fn a_thin_wall_does_not_touch_itself() {
    let mut run = build(
        r#"(dimension: 2, time: (step: 0.01, end: 10, theta: 1),
  materials: {"m": (density: 1000, elastic: (young: 1e6, poisson: 0))},
  bodies: [(group: "strip", material: "m", shape: Mesh(of: Rectangle(size: (1, 0.02), cells: (10, 1), element: Q4)))],
  interactions: [(between: ("strip", "strip"), law: Coulomb(friction: 0.3))],
  loads: [(on: "strip.left", load: Fixed), (on: "strip.right", load: Traction(x: 1000))],
  physics: [Contact()])"#,
        &[],
    );
    for _ in 0..20 {
        run.step().unwrap();
        assert_eq!(run.world().network.len(), 0);
    }
}
