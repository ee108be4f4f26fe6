//! Bonded bodies of many pieces keep their bonds until something damages them: Voronoi cells and mortared walls that fall, strike and tumble, and the same
//! too weak for it. The watchdog `bond` stops a run that loses one without damage.

use crate::granular::{build, column};

struct Body {
    name: &'static str,
    dimension: u8,
    packing: &'static str,
    /// Bonds at the start, where they can be counted by hand.
    bonds: Option<f64>,
    /// Moment on each piece that turns the whole by more than half a turn in 0.08 s (N m).
    moment: f64,
    /// What angular velocity it then has by M t/I [rad/s], where all pieces and the moment of inertia are known.
    spin: Option<f64>,
}

/// Two bricks and a course of a half, a whole and a half on them, three courses: 4 joints along courses and 8 between them, each of two or four points. All
/// seven make a block of 0.4 m × 0.18 m of 144 kg, or 14.4 kg, with the moment m (0.4² + 0.18²)/12.
const BODIES: [Body; 4] = [
    Body {
        name: "cells of the plane",
        dimension: 2,
        packing: "Voronoi(from: (0, 0), to: (0.4, 0.3), count: 12, seed: 3)",
        bonds: None,
        moment: 400.0,
        spin: None,
    },
    Body {
        name: "cells",
        dimension: 3,
        packing: "Voronoi(from: (0, 0, 0), to: (0.4, 0.3, 0.3), count: 6, seed: 3)",
        bonds: None,
        moment: 300.0,
        spin: None,
    },
    Body {
        name: "wall of the plane",
        dimension: 2,
        packing: "Wall(brick: (0.2, 0.06), bricks: 2, courses: 3)",
        bonds: Some(24.0),
        moment: 400.0,
        spin: Some(97.02),
    },
    Body {
        name: "wall",
        dimension: 3,
        packing: "Wall(brick: (0.2, 0.1, 0.06), bricks: 2, courses: 3)",
        bonds: Some(48.0),
        moment: 40.0,
        spin: Some(97.02),
    },
];

/// What became of a body.
struct Outcome {
    /// Bonds after the first and the last step.
    bonds: [f64; 2],
    /// The worst damage of a bond.
    damage: f64,
    /// How far the first piece has turned (rad), and how fast it turns [rad/s].
    turned: f64,
    spin: f64,
}

fn run(body: &Body, law: &str, gravity: f64, velocity: f64, moment: f64, steps: usize) -> Outcome {
    let planar = body.dimension == 2;
    let up = |x: f64| if planar { format!("(0, {x:?})") } else { format!("(0, 0, {x:?})") };
    let axis = if planar { "torque_z" } else { "torque_y" };
    let (dimension, packing) = (body.dimension, body.packing);
    let mut simulation = build(
        &format!(
            r#"(dimension: {dimension}, gravity: {}, time: (step: "1 ms", end: "1 s"), materials: {{"m": (density: 2000)}},
  bodies: [
    (group: "pieces", material: "m", packing: {packing}, velocity: {}),
    (group: "floor", material: "m", shape: Plane(normal: {}), at: {}),
  ],
  interactions: [(between: ("pieces", "pieces"), law: {law}), (between: ("pieces", "floor"), law: Coulomb(friction: 0.5))],
  loads: [(on: "pieces", load: Force({axis}: {moment:?}))],
  physics: [Contact()])"#,
            up(-gravity),
            up(-velocity),
            up(1.0),
            up(-0.002),
        ),
        &[],
    );
    let mut out = Outcome { bonds: [f64::NAN; 2], damage: 0.0, turned: 0.0, spin: 0.0 };
    for k in 0..steps {
        let outcome = simulation.step().unwrap_or_else(|e| panic!("{}, {law}: {e}", body.name));
        out.bonds[1] = column(&simulation, &outcome, "bonds").unwrap();
        if k == 0 {
            out.bonds[0] = out.bonds[1];
        }
        out.damage = out.damage.max(column(&simulation, &outcome, "bond_damage").unwrap());
    }
    let k = simulation.world().kinematics;
    out.turned = k.orientation[0].angle_to(&simulation.setup().initial.orientation[0]);
    out.spin = k.angular_velocity[0].norm();
    out
}

/// Strong ones keep all their bonds undamaged when they strike the floor with 1 m/s; weak ones lose bonds, by damage alone.
#[test]
fn cells_and_walls_keep_every_bond_until_it_is_damaged() {
    let laws = |strength: f64, energy: f64| {
        [
            format!("MohrCoulomb(friction: 0.5, tensile_strength: {strength:e}, cohesion: {strength:e})"),
            format!("Bilinear(friction: 0.5, normal_stiffness: 1e10, tensile_strength: {strength:e}, energy: {energy:e})"),
        ]
    };
    for body in &BODIES {
        for law in laws(1e6, 100.0) {
            let Outcome { bonds, damage, .. } = run(body, &law, 9.81, 1.0, 0.0, 25);
            assert!(bonds[0] > 10.0 && bonds[1] == bonds[0], "{}, {law}: {bonds:?}", body.name);
            assert!(body.bonds.is_none_or(|known| known == bonds[0]), "{}: {bonds:?}", body.name);
            assert_eq!(damage, 0.0, "{}, {law}", body.name);
        }
    }
    let [brittle, _] = laws(2e4, 0.0);
    let Outcome { bonds, .. } = run(&BODIES[0], &brittle, 9.81, 1.0, 0.0, 25);
    assert!(bonds[1] < bonds[0], "{bonds:?}");
    // Half a kilopascal and 20 µJ/m².
    let [_, soft] = laws(500.0, 2e-5);
    let Outcome { bonds, .. } = run(&BODIES[0], &soft, 9.81, 1.0, 0.0, 25);
    assert!(bonds[1] < bonds[0], "{bonds:?}");
}

/// What tumbles freely by more than half a turn keeps them, wherever detection finds its faces then, and turns as the one body that it is.
#[test]
fn what_tumbles_keeps_its_bonds() {
    let law = "MonerieAcary(normal_stiffness: 1e10, tangential_stiffness: 1e10, energy: 100, friction: 0.5)";
    for body in &BODIES {
        let Outcome { bonds, damage, turned, spin } = run(body, law, 0.0, -20.0, body.moment, 80);
        assert!(turned > 2.0, "{}: {turned}, too little to show anything", body.name);
        assert!(body.spin.is_none_or(|known| (spin / known - 1.0).abs() < 0.01), "{}: {spin}", body.name);
        assert!(bonds[0] > 10.0 && bonds[1] == bonds[0] && damage == 0.0, "{}: {bonds:?} {damage}", body.name);
    }
}
