//! W of bodies with many unknowns: the sparse way against elimination by hand.

use mpcd_friction::local::{GlobalProblem, LocalError, matrix_from_entries};

/// Consistent mass of a bar of unit length and mass in `n − 1` elements, linear shape functions.
fn bar(n: usize) -> Vec<(usize, usize, f64)> {
    let h = 1.0 / (n - 1) as f64;
    let element = |e: usize| [(e, e, h / 3.0), (e, e + 1, h / 6.0), (e + 1, e, h / 6.0), (e + 1, e + 1, h / 3.0)];
    (0..n - 1).flat_map(element).collect()
}

/// `M⁻¹ b` of that bar by elimination from one end to the other (Thomas).
fn solve_bar(n: usize, mut b: Vec<f64>) -> Vec<f64> {
    let h = 1.0 / (n - 1) as f64;
    let mut diagonal: Vec<f64> = (0..n).map(|i| if i == 0 || i == n - 1 { h / 3.0 } else { 2.0 * h / 3.0 }).collect();
    for i in 1..n {
        let factor = h / 6.0 / diagonal[i - 1];
        diagonal[i] -= factor * h / 6.0;
        b[i] -= factor * b[i - 1];
    }
    b[n - 1] /= diagonal[n - 1];
    for i in (0..n - 1).rev() {
        b[i] = (b[i] - h / 6.0 * b[i + 1]) / diagonal[i];
    }
    b
}

/// A contact at either end, the normal of the second on the last unknown, its tangent inside: 48 unknowns are inverted dense, more are
/// factorised sparse, and both are what elimination gives.
#[test]
fn bodies_of_many_unknowns_condense_as_elimination_does() {
    for n in [6, 48, 49, 300] {
        let places = [[0, 2], [n - 1, n / 2]];
        let transfer = (0..4).map(|k| (places[k / 2][k % 2], k, 1.0));
        let global = GlobalProblem::<2> {
            mass: matrix_from_entries("M", (n, n), bar(n)).unwrap(),
            transfer: matrix_from_entries("H", (n, 4), transfer).unwrap(),
            load: (0..n).map(|i| 0.01 * i as f64).collect(),
            velocity_shift: vec![[0.5, 0.0], [0.0, -0.25]],
            friction: vec![0.3; 2],
        };
        let local = global.condense().unwrap();
        let unit = |at: usize| (0..n).map(|i| f64::from(u8::from(i == at))).collect();
        for d in 0..4 {
            let column = solve_bar(n, unit(places[d / 2][d % 2]));
            for c in 0..4 {
                let expected = column[places[c / 2][c % 2]];
                let found = local.delassus.get(c / 2, d / 2).map_or(0.0, |block| block[c % 2][d % 2]);
                assert!(
                    (found - expected).abs() <= 1e-10 * column[places[d / 2][d % 2]],
                    "{n}: W[{c}][{d}] = {found}, {expected}"
                );
            }
        }
        let free = solve_bar(n, global.load.clone());
        for c in 0..4 {
            let expected = free[places[c / 2][c % 2]] + global.velocity_shift[c / 2][c % 2];
            assert!((local.free_velocity[c / 2][c % 2] - expected).abs() <= 1e-9 * expected.abs().max(1.0), "{n}: q[{c}]");
        }
    }
}

/// A stiffness in place of a mass: bodies of many unknowns whose M has a null space are refused, though rounding may hide it.
#[test]
fn a_large_body_whose_mass_is_singular_is_refused() {
    let n = 100;
    let element = |e: usize| [(e, e, 1.0), (e, e + 1, -1.0), (e + 1, e, -1.0), (e + 1, e + 1, 1.0)];
    let global = GlobalProblem::<2> {
        mass: matrix_from_entries("M", (n, n), (0..n - 1).flat_map(element)).unwrap(),
        transfer: matrix_from_entries("H", (n, 2), [(70, 0, 1.0), (2, 1, 1.0)]).unwrap(),
        load: vec![0.0; n],
        velocity_shift: vec![[0.0; 2]],
        friction: vec![0.3],
    };
    assert!(matches!(global.condense(), Err(LocalError::SingularMass { .. })));
}
