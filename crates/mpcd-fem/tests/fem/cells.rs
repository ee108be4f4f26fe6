//! Shape functions and quadrature: partition of unity, nodes, derivatives, exactness on monomials, lumped masses.

use mpcd_fem::{Cell, Purpose, Rule, Shape};

/// ∫ x^i y^j z^k over the reference cell.
fn exact(cell: Cell, [i, j, k]: [u32; 3]) -> f64 {
    let factorial = |n: u32| (1..=n).map(f64::from).product::<f64>();
    if cell.is_simplex() {
        let d = cell.dimension() as u32;
        return factorial(i) * factorial(j) * factorial(k) / factorial(i + j + k + d);
    }
    [i, j, k].iter().take(cell.dimension()).map(|&p| if p % 2 == 1 { 0.0 } else { 2.0 / (f64::from(p) + 1.0) }).product()
}

#[test]
fn rules_are_exact_to_their_degree() {
    let degrees = [
        (Cell::Tri3, Purpose::Stress, 1),
        (Cell::Tri3, Purpose::Mass, 4),
        (Cell::Tri6, Purpose::Stress, 4),
        (Cell::Tet4, Purpose::Stress, 1),
        (Cell::Tet10, Purpose::Stress, 3),
        (Cell::Tet10, Purpose::Mass, 5),
        (Cell::Quad4, Purpose::Stress, 3),
        (Cell::Quad8, Purpose::Stress, 5),
        (Cell::Hex8, Purpose::Stress, 3),
        (Cell::Hex20, Purpose::Mass, 5),
    ];
    for (cell, purpose, degree) in degrees {
        let rule = Rule::of(cell, purpose);
        assert!(rule.weights.iter().all(|w| *w > 0.0));
        let mut misses_above = false;
        for power in 0..=degree + 1 {
            for i in 0..=power {
                for j in 0..=power - i {
                    let p = [i, j, power - i - j];
                    if cell.dimension() == 2 && p[2] > 0 {
                        continue;
                    }
                    let found = rule.integrate(|x| (0..3).map(|k| x[k].powi(p[k] as i32)).product());
                    let error = (found - exact(cell, p)).abs();
                    if power <= degree {
                        assert!(error < 1e-14, "{} {purpose:?} {p:?}: {error:e}", cell.name());
                    }
                    misses_above |= power > degree && error > 1e-6;
                }
            }
        }
        assert!(misses_above, "{} {purpose:?} is exact beyond degree {degree}", cell.name());
    }
}

#[test]
fn shape_functions_are_one_at_their_node_and_add_up_to_one() {
    for cell in Cell::ALL {
        for a in 0..cell.nodes() {
            let shape = Shape::at(cell, cell.reference_node(a));
            for b in 0..cell.nodes() {
                assert!((shape.value[b] - f64::from(u8::from(a == b))).abs() < 1e-15, "{} {a} {b}", cell.name());
            }
        }
        let p = [0.21, 0.13, 0.17];
        let shape = Shape::at(cell, p);
        assert!((shape.value.iter().sum::<f64>() - 1.0).abs() < 1e-15);
        for k in 0..cell.dimension() {
            let moved = |step: f64| {
                let mut q = p;
                q[k] += step;
                Shape::at(cell, q)
            };
            let (high, low) = (moved(1e-5), moved(-1e-5));
            for a in 0..cell.nodes() {
                let slope = (high.value[a] - low.value[a]) / 2e-5;
                assert!((slope - shape.derivative[a][k]).abs() < 1e-9, "{} node {a} axis {k}", cell.name());
            }
        }
    }
}

/// Faces point out of their cell: the divergence theorem on the reference cell itself.
#[test]
fn faces_point_outwards() {
    for cell in Cell::ALL.into_iter().filter(|c| c.dimension() > 1) {
        let d = cell.dimension();
        let face_cell = cell.face().unwrap();
        let rule = Rule::of(face_cell, Purpose::Mass);
        let mut flux = 0.0;
        for face in cell.faces() {
            for (p, w) in rule.points.iter().zip(&rule.weights) {
                let shape = Shape::at(face_cell, *p);
                let (mut x, mut t) = ([0.0; 3], [[0.0; 3]; 2]);
                for (a, &node) in face.iter().enumerate() {
                    let at = cell.reference_node(node);
                    for k in 0..3 {
                        x[k] += at[k] * shape.value[a];
                        t[0][k] += at[k] * shape.derivative[a][0];
                        t[1][k] += at[k] * shape.derivative[a][1];
                    }
                }
                let n = if d == 2 {
                    [t[0][1], -t[0][0], 0.0]
                } else {
                    let ([a, b, c], [u, v, z]) = (t[0], t[1]);
                    [b * z - c * v, c * u - a * z, a * v - b * u]
                };
                flux += w * (0..d).map(|k| x[k] * n[k]).sum::<f64>();
            }
        }
        let volume: f64 = Rule::of(cell, Purpose::Stress).weights.iter().sum();
        assert!((flux / d as f64 - volume).abs() < 1e-14, "{}: {flux} {volume}", cell.name());
    }
}
