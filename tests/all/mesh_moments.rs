//! Contact without friction gives closed systems of deformable bodies no angular momentum. Integrated over the elements at rest.

use mpcd_core::{MeshQuantity, MeshView, Vec3};
use mpcd_sim::Simulation;

use crate::granular::{build, steps};

/// Values and derivatives of the shape functions of a cell of VTK's kind 5 (T3), 9 (Q4), 23 (Q8) or 12 (Hex8) at the points of a rule, with weights.
fn rule(kind: u8) -> Vec<(Vec<f64>, Vec<Vec3>, f64)> {
    let gauss = [(-0.6_f64.sqrt(), 5.0 / 9.0), (0.0, 8.0 / 9.0), (0.6_f64.sqrt(), 5.0 / 9.0)];
    let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
    let value = |p: Vec3| -> Vec<f64> {
        match kind {
            5 => vec![1.0 - p.x - p.y, p.x, p.y],
            9 => corners.iter().map(|[a, b]| 0.25 * (1.0 + a * p.x) * (1.0 + b * p.y)).collect(),
            23 => {
                let at = corners.iter().map(|[a, b]| 0.25 * (1.0 + a * p.x) * (1.0 + b * p.y) * (a * p.x + b * p.y - 1.0));
                let (x, y) = (1.0 - p.x * p.x, 1.0 - p.y * p.y);
                at.chain([0.5 * x * (1.0 - p.y), 0.5 * y * (1.0 + p.x), 0.5 * x * (1.0 + p.y), 0.5 * y * (1.0 - p.x)]).collect()
            }
            _ => {
                let at = |c: f64| corners.map(|[a, b]| 0.125 * (1.0 + a * p.x) * (1.0 + b * p.y) * (1.0 + c * p.z));
                at(-1.0).into_iter().chain(at(1.0)).collect()
            }
        }
    };
    let points: Vec<(Vec3, f64)> = if kind == 5 {
        [(1.0, 1.0), (4.0, 1.0), (1.0, 4.0)].map(|(r, s)| (Vec3::new(r / 6.0, s / 6.0, 0.0), 1.0 / 6.0)).to_vec()
    } else {
        let thick: &[(f64, f64)] = if kind == 12 { &gauss } else { &[(0.0, 1.0)] };
        let plane = gauss.iter().flat_map(|a| gauss.iter().map(move |b| (a, b)));
        plane.flat_map(|(a, b)| thick.iter().map(move |c| (Vec3::new(a.0, b.0, c.0), a.1 * b.1 * c.1))).collect()
    };
    // of polynomials of second degree along each axis central differences are exact
    let slope =
        |p: Vec3, n: usize| Vec3::from_fn(|k, _| 0.5 * (value(p + Vec3::ith(k, 1.0))[n] - value(p - Vec3::ith(k, 1.0))[n]));
    points.into_iter().map(|(p, w)| (value(p), (0..value(p).len()).map(|n| slope(p, n)).collect(), w)).collect()
}

/// Angular momentum about the origin at a density of 1000 kg/m³ (N m s).
fn momentum(run: &Simulation) -> Vec3 {
    let views = run.meshes_with(&[MeshQuantity::Displacement, MeshQuantity::Velocity]);
    let vectors = |view: &MeshView, q| -> Vec<Vec3> {
        view.array(q).unwrap().values.chunks_exact(3).map(|v| Vec3::new(v[0], v[1], v[2])).collect()
    };
    let mut sum = Vec3::zeros();
    for view in &views {
        let (u, v) = (vectors(view, MeshQuantity::Displacement), vectors(view, MeshQuantity::Velocity));
        for (kind, nodes) in &view.topology.cells {
            for (value, slope, weight) in rule(*kind) {
                let mut jacobian = mpcd_core::Mat3::zeros();
                let (mut x, mut speed) = (Vec3::zeros(), Vec3::zeros());
                for ((n, value), slope) in nodes.iter().zip(&value).zip(&slope) {
                    jacobian += (view.points[*n] - u[*n]) * slope.transpose();
                    x += view.points[*n] * *value;
                    speed += v[*n] * *value;
                }
                if *kind != 12 {
                    jacobian[(2, 2)] = 1.0;
                }
                let mass = 1000.0 * weight * jacobian.determinant().abs();
                sum += x.cross(&speed) * mass;
            }
        }
    }
    sum
}

const MATERIAL: &str =
    r#"materials: {"m": (density: 1000, elastic: (young: 1e8, poisson: 0.3), solid: (law: SaintVenantKirchhoff))}"#;

/// Change of the angular momentum of two blocks that meet, in steps of `step` until 0.04 s (N m s), and the velocity that the second has then (m/s).
fn collides(dimension: usize, a: &str, b: &str, step: f64) -> (f64, f64) {
    let mut run = build(
        &format!(
            r#"(dimension: {dimension}, time: (step: {step}, end: 1, theta: 0.5), {MATERIAL},
  bodies: [(group: "a", material: "m", {a}), (group: "b", material: "m", {b})],
  interactions: [(between: ("a", "b"), law: Coulomb(friction: 0))],
  physics: [Contact(tolerance: 1e-10, deformable: (scheme: Conserving))])"#
        ),
        &[],
    );
    steps(&mut run, 1);
    let before = momentum(&run);
    steps(&mut run, (0.04 / step).round() as u64 - 1);
    ((momentum(&run) - before).norm(), run.world().kinematics.velocity[1].norm())
}

/// Places of a step are those before it, moved on by the velocities there: what that leaves of a moment falls with the square of the step. A moment that
/// the places themselves have does not.
#[test]
fn blocks_that_collide_keep_their_angular_momentum() {
    let plane = |a: &str, b: &str, turned: f64| {
        let a = format!("shape: Mesh(of: Rectangle(size: (0.2, 0.2), {a})), velocity: (2, 0)");
        (2, a, format!("shape: Mesh(of: Rectangle(size: (0.2, 0.3), {b})), at: (0.24, 0.05), rotation: {turned}"))
    };
    let space = (
        3,
        "shape: Mesh(of: Cuboid(size: (0.2, 0.2, 0.2), cells: (2, 2, 2), element: Hex8)), velocity: (2, 0, 0)".to_owned(),
        "shape: Mesh(of: Cuboid(size: (0.2, 0.3, 0.2), cells: (2, 3, 3), element: Hex8)), at: (0.24, 0.05, 0.03)".to_owned(),
    );
    for (dimension, a, b) in [
        plane("cells: (4, 4), element: Q4", "cells: (3, 5), element: Q4", 0.0),
        plane("cells: (4, 4), element: Q4", "cells: (3, 5), element: Q4", 0.3),
        plane("cells: (3, 3), element: Q8", "cells: (2, 4), element: Q8", 0.0),
        plane("cells: (4, 4), element: T3", "cells: (3, 5), element: T3", 0.0),
        space,
    ] {
        let [(coarse, speed), (fine, _)] = [2e-4, 5e-5].map(|step| collides(dimension, &a, &b, step));
        assert!(speed > 0.1, "{a} and {b} have not met");
        // what a block exchanges at a moment arm of its half width
        let exchanged = speed * 0.1 * if dimension == 2 { 60.0 } else { 12.0 };
        assert!(fine < 0.2 * coarse || fine < 1e-6 * exchanged, "{a} and {b}: {coarse:e} and {fine:e} N m s");
        assert!(fine < 3e-5 * exchanged, "{a} and {b}: {fine:e} N m s of {exchanged}");
    }
}

/// A disc that was heated in a ring rests: the pressure between them has no moment about the axis.
#[test]
fn a_pressure_on_a_curved_face_turns_nothing() {
    for (element, disc, ring) in [("Q8", "(6, 6)", "(4, 36)"), ("Q4", "(8, 6)", "(4, 48)")] {
        let mut run = build(
            &format!(
                r#"(dimension: 2, time: (step: 0.02, end: 1.5, theta: 1),
  materials: {{"h": (density: 1000, elastic: (young: 1e9, poisson: 0.3), solid: (law: SaintVenantKirchhoff), thermal: (conductivity: 50, specific_heat: 500, expansion: 1e-5)),
    "c": (density: 1000, elastic: (young: 1e9, poisson: 0.3), solid: (law: SaintVenantKirchhoff), thermal: (conductivity: 50, specific_heat: 500))}},
  bodies: [(group: "d", material: "h", shape: Mesh(of: Round(radius: 1, cells: {disc}, element: {element}), plane: PlaneStress)),
    (group: "r", material: "c", shape: Mesh(of: Annulus(inner: 1, outer: 2, cells: {ring}, element: {element}), plane: PlaneStress))],
  interactions: [(between: ("d", "r"), law: Coulomb(friction: 0))],
  physics: [Contact(), Thermal(law: Constant(conductance: 0.001),
    boundary: [Temperature(group: "d", value: Ramp(from: 293.15, to: 393.15, end: 0.5)), Temperature(group: "r", value: 293.15)])])"#
            ),
            &[],
        );
        steps(&mut run, 60);
        let before = momentum(&run);
        steps(&mut run, 15);
        let force = run.world().network.iter().map(|c| c.r.x).sum::<f64>() / 0.02;
        let arm = (momentum(&run) - before).norm() / (0.3 * force);
        assert!(force > 2e6 && arm < 3e-8, "{element}, {disc} in {ring}: {force} N turn them by an arm of {arm:e} m");
    }
}
