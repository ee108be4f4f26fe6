//! Order of convergence in space: u = ∇φ with φ harmonic needs no body force (div u = 0, Δu = 0), in plane strain, plane
//! stress, axisymmetry and space. The error in the mean square falls with h² for linear cells, h³ for quadratic ones.

use mpcd_core::{Mat3, Vec3};
use mpcd_fem::{Cell, Conditions, Model, Purpose, Rule, Shape, Space, State, Statics};

use crate::{PLANAR, SPATIAL, linear, model, slope, unit};

/// φ = e^{kx} sin(ky) in the plane.
fn planar(x: Vec3) -> Vec3 {
    let (k, e) = (2.0, (2.0 * x.x).exp());
    Vec3::new(e * (k * x.y).sin(), e * (k * x.y).cos(), 0.0) * 1e-3
}

/// φ = z⁴ − 3z²r² + ⅜r⁴ (r = x, z = y).
fn round(x: Vec3) -> Vec3 {
    let (r, z) = (x.x, x.y);
    Vec3::new(-6.0 * z * z * r + 1.5 * r.powi(3), 4.0 * z.powi(3) - 6.0 * z * r * r, 0.0) * 1e-3
}

/// φ = e^{√2 kx} sin(ky) sin(kz).
fn spatial(x: Vec3) -> Vec3 {
    let (k, root) = (1.5, 2.0_f64.sqrt());
    let e = (root * k * x.x).exp();
    let (sy, cy, sz, cz) = ((k * x.y).sin(), (k * x.y).cos(), (k * x.z).sin(), (k * x.z).cos());
    Vec3::new(root * sy * sz, cy * sz, sy * cz) * (e * 1e-3)
}

/// A square or cube with curved sides that keeps the axis x = 0.
fn bent(x: Vec3) -> Vec3 {
    Vec3::new(x.x * (1.0 + 0.1 * x.y), x.y + 0.1 * (2.0 * x.x).sin(), x.z * (1.0 + 0.1 * x.x * x.y))
}

/// ‖u_h − u‖ over the volume of the mesh.
fn error(model: &Model, state: &State, field: impl Fn(Vec3) -> Vec3) -> f64 {
    let mesh = model.mesh();
    let d = model.dimension();
    let mut sum = 0.0;
    for e in 0..mesh.elements() {
        let cell = mesh.cell(e);
        let rule = Rule::of(cell, Purpose::Mass);
        for (p, w) in rule.points.iter().zip(&rule.weights) {
            let shape = Shape::at(cell, *p);
            let (mut x, mut u, mut j) = (Vec3::zeros(), Vec3::zeros(), Mat3::identity());
            if d == 3 {
                j[(2, 2)] = 0.0;
            }
            (j[(0, 0)], j[(1, 1)]) = (0.0, 0.0);
            for (a, &n) in mesh.element(e).iter().enumerate() {
                x += mesh.nodes()[n] * shape.value[a];
                (0..d).for_each(|i| u[i] += state.displacement[n * d + i] * shape.value[a]);
                for i in 0..d {
                    (0..d).for_each(|k| j[(i, k)] += mesh.nodes()[n][i] * shape.derivative[a][k]);
                }
            }
            sum += w * j.determinant() * (u - field(x)).norm_squared();
        }
    }
    sum.sqrt()
}

fn order(cell: Cell, space: Space, counts: &[usize], field: fn(Vec3) -> Vec3) -> f64 {
    let errors: Vec<f64> = counts
        .iter()
        .map(|&n| {
            let model = model(unit(cell, n).moved(bent).unwrap(), space, linear(1e3, 0.3), 1.0);
            let held = Conditions::default().with_field(&model, "skin", field).unwrap();
            let (state, _) = Statics::new(model.clone()).solve(&model.rest(), &Conditions::default(), &held, 1).unwrap();
            error(&model, &state, field)
        })
        .collect();
    let h: Vec<f64> = counts.iter().map(|n| 1.0 / *n as f64).collect();
    slope(&h, &errors)
}

fn check(cell: Cell, space: Space, counts: &[usize], field: fn(Vec3) -> Vec3) {
    let found = order(cell, space, counts, field);
    let expected = if cell.is_quadratic() { 3.0 } else { 2.0 };
    assert!((found - expected).abs() < 0.1, "{} {space:?}: order {found}, expected {expected}", cell.name());
}

#[test]
fn v8_order_in_space_plane() {
    for cell in PLANAR {
        for space in [Space::PlaneStrain { thickness: 1.0 }, Space::PlaneStress { thickness: 1.0 }] {
            check(cell, space, &[8, 16], planar);
        }
        check(cell, Space::Axisymmetric, &[8, 16], round);
    }
}

#[test]
fn v8_order_in_space_solid() {
    for cell in SPATIAL {
        check(cell, Space::Solid, if cell.is_quadratic() { &[3, 6] } else { &[5, 10] }, spatial);
    }
}
