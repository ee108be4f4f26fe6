//! What needs no reference (VALIDATION §13), asserted on one step of a whole program: a heap of touching spheres with
//! random velocities, written down in another order, in other units, seen in a mirror, turned. No expected values.

use std::fmt::Write as _;
use std::path::Path;

use mpcd::{Registry, StandardRegistry};
use mpcd_core::Vec3;
use mpcd_sim::{Model, Simulation};

const TOLERANCE: f64 = 1e-8;
/// Radius (m).
const RADIUS: f64 = 0.01;
/// Step (s).
const STEP: f64 = 1e-3;

/// A way to write the same heap down.
struct View {
    /// Order of the spheres.
    order: Vec<usize>,
    /// Factor of lengths; masses go by its cube, times by its square root, so that gravity stays.
    scale: f64,
    /// A rotation or reflection of space.
    turn: fn(Vec3) -> Vec3,
}

impl View {
    fn plain() -> Self {
        Self { order: (0..centres().len()).collect(), scale: 1.0, turn: |v| v }
    }
}

/// Layers of a face-centred heap: every sphere touches four below.
fn centres() -> Vec<Vec3> {
    let mut out = Vec::new();
    for layer in 0..4_u32 {
        for i in 0..4 - layer {
            for j in 0..4 - layer {
                let shift = RADIUS * f64::from(layer);
                let (x, y) = (2.0 * RADIUS * f64::from(i) + shift, 2.0 * RADIUS * f64::from(j) + shift);
                out.push(Vec3::new(x, y, RADIUS + std::f64::consts::SQRT_2 * shift));
            }
        }
    }
    out
}

/// Up to 0.1 m/s in all directions, from a small linear congruence.
fn velocities(count: usize) -> Vec<Vec3> {
    let mut state = 7_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(state >> 8) / f64::from(1 << 24) * 0.2 - 0.1
    };
    (0..count).map(|_| Vec3::new(next(), next(), next())).collect()
}

/// Velocity of every sphere after one step and the contact force on it, both as the plain view would call them.
fn step(view: &View) -> (Vec<Vec3>, Vec<Vec3>) {
    let (l, t) = (view.scale, view.scale.sqrt());
    let vector = |v: Vec3, factor: f64| {
        let v = (view.turn)(v) * factor;
        format!("({:?}, {:?}, {:?})", v.x, v.y, v.z)
    };
    let (x, v) = (centres(), velocities(centres().len()));
    let mut bodies = String::new();
    for i in &view.order {
        let _ = writeln!(
            bodies,
            r#"(group: "spheres", material: "glass", shape: Sphere(radius: {:?}), at: {}, velocity: {}),"#,
            RADIUS * l,
            vector(x[*i], l),
            vector(v[*i], l / t)
        );
    }
    let text = format!(
        r#"(dimension: 3, gravity: {}, time: (step: {:?}, end: 1),
        materials: {{"glass": (density: 2500)}},
        bodies: [{bodies} (group: "floor", material: "glass", shape: Plane(normal: {}))],
        interactions: [
            (between: ("spheres", "spheres"), law: Coulomb(friction: 0.3)),
            (between: ("spheres", "floor"), law: Coulomb(friction: 0.3)),
        ],
        physics: [Contact(tolerance: {TOLERANCE:?}, alert: {:?})])"#,
        vector(Vec3::new(0.0, 0.0, -9.81), 1.0),
        STEP * t,
        vector(Vec3::z(), 1.0),
        0.1 * RADIUS * l,
    );
    let model =
        Model::parse_with(&text, "heap", "heap.ron", Path::new(""), &[], &mpcd::shapes()).unwrap_or_else(|e| panic!("{e}"));
    let mut simulation = Simulation::build(&model, &Registry::standard()).unwrap_or_else(|e| panic!("{e}"));
    simulation.step().unwrap();
    let world = simulation.world();
    let mut force = vec![Vec3::zeros(); x.len() + 1];
    for c in world.network.iter() {
        let f = c.frame.to_world(&(c.r / (STEP * t)));
        force[c.key.candidate.index()] += f;
        force[c.key.antagonist.index()] -= f;
    }
    // A force of the scaled heap is l³ times as large: mass by volume, the same accelerations.
    let unturn = |v: Vec3, factor: f64| {
        let columns = [Vec3::x(), Vec3::y(), Vec3::z()].map(view.turn);
        Vec3::new(columns[0].dot(&v), columns[1].dot(&v), columns[2].dot(&v)) / factor
    };
    let (mut speeds, mut forces) = (vec![Vec3::zeros(); x.len()], vec![Vec3::zeros(); x.len()]);
    for (row, i) in view.order.iter().enumerate() {
        speeds[*i] = unturn(world.kinematics.velocity[row], l / t);
        forces[*i] = unturn(force[row], l.powi(3));
    }
    (speeds, forces)
}

fn agrees(view: &View) {
    let ((v, f), (v_seen, f_seen)) = (step(&View::plain()), step(view));
    let (fastest, strongest) = (largest(&v), largest(&f));
    assert!(fastest > 0.05 && strongest > 0.1, "nothing happens: {fastest} m/s, {strongest} N");
    for i in 0..v.len() {
        assert!((v[i] - v_seen[i]).norm() < 100.0 * TOLERANCE * fastest, "sphere {i}: {:?} and {:?} m/s", v[i], v_seen[i]);
        assert!((f[i] - f_seen[i]).norm() < 100.0 * TOLERANCE * strongest, "sphere {i}: {:?} and {:?} N", f[i], f_seen[i]);
    }
}

fn largest(v: &[Vec3]) -> f64 {
    v.iter().map(Vec3::norm).fold(0.0, f64::max)
}

#[test]
fn v13_bodies_renumbered() {
    let count = centres().len();
    // 7 and 30 have no common factor: a permutation.
    agrees(&View { order: (0..count).map(|i| (7 * i + 3) % count).collect(), ..View::plain() });
}

#[test]
fn v13_a_larger_world() {
    agrees(&View { scale: 1e3, ..View::plain() });
}

#[test]
fn v13_a_mirror() {
    agrees(&View { turn: |v| Vec3::new(-v.x, v.y, v.z), ..View::plain() });
}

#[test]
fn v13_a_turned_frame() {
    // About (1, 2, 2)/3 by 40°: no axis is kept.
    agrees(&View {
        turn: |v| {
            let axis = mpcd_core::Vec3::new(1.0, 2.0, 2.0) / 3.0;
            let (s, c) = 40_f64.to_radians().sin_cos();
            v * c + axis.cross(&v) * s + axis * (axis.dot(&v) * (1.0 - c))
        },
        ..View::plain()
    });
}
