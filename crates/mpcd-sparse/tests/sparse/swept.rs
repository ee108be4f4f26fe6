//! Swept gradients: against plain conjugate gradients with the preconditioner written out, Cholesky, and every way to end.

use mpcd_sparse::{Cholesky, SparseError, SweptGradients, SymmetricMatrix, SymmetricPattern, reduce};
use nalgebra::{DMatrix, DVector};

use crate::graphs::{Numbers, dense, grid, grounded_laplacian};

/// Σ|b − A x|.
fn left(matrix: &SymmetricMatrix, b: &[f64], x: &[f64]) -> f64 {
    let mut image = vec![0.0; b.len()];
    matrix.multiply(x, &mut image).unwrap();
    reduce::sum_by(b.len(), |i| (b[i] - image[i]).abs())
}

fn right_side(size: usize) -> Vec<f64> {
    (0..size).map(|i| (i as f64).sin() - 0.2).collect()
}

/// (D + L) D⁻¹ (D + Lᵀ), with `lumped` of what an elimination would fill taken from the diagonal.
fn sweep_matrix(a: &DMatrix<f64>, lumped: f64) -> DMatrix<f64> {
    let n = a.nrows();
    let mut pivots = a.diagonal();
    for k in 0..n {
        for i in k + 1..n {
            let others: f64 = (k + 1..n).filter(|j| *j != i).map(|j| a[(j, k)]).sum();
            pivots[i] -= a[(i, k)] * (a[(i, k)] + lumped * others) / pivots[k];
        }
    }
    let low = a.lower_triangle() - DMatrix::from_diagonal(&a.diagonal()) + DMatrix::from_diagonal(&pivots);
    &low * DMatrix::from_diagonal(&pivots.map(|d| 1.0 / d)) * low.transpose()
}

/// Conjugate gradients as in any book.
fn plain(a: &DMatrix<f64>, m: &DMatrix<f64>, b: &[f64], iterations: usize) -> DVector<f64> {
    let factor = m.clone().cholesky().unwrap();
    let (mut x, mut r) = (DVector::zeros(b.len()), DVector::from_column_slice(b));
    let mut z = factor.solve(&r);
    let (mut p, mut rz) = (z.clone(), r.dot(&z));
    for _ in 0..iterations {
        let q = a * &p;
        let step = rz / p.dot(&q);
        x += step * &p;
        r -= step * q;
        z = factor.solve(&r);
        let next = r.dot(&z);
        p = &z + (next / rz) * p;
        rz = next;
    }
    x
}

#[test]
fn iterates_are_those_of_the_preconditioner_written_out() {
    let pattern = SymmetricPattern::from_edges(7 * 6 * 4, &grid(7, 6, 4)).unwrap();
    let matrix = grounded_laplacian(&pattern, &mut Numbers(3));
    let (a, b) = (dense(&matrix), right_side(matrix.size()));
    let m = sweep_matrix(&a, 0.8);
    let mut swept = SweptGradients::default();
    swept.update(&matrix).unwrap();
    for iterations in [1, 2, 5, 9] {
        let mut x = vec![3.0; b.len()];
        assert_eq!(swept.solve(&b, &mut x, 1e-300, iterations).unwrap(), iterations);
        let exact = plain(&a, &m, &b, iterations as usize);
        let worst = x.iter().zip(&exact).map(|(x, e)| (x - e).abs()).fold(0.0, f64::max);
        assert!(worst < 1e-12 * exact.amax(), "{iterations} iterations: {worst} of {}", exact.amax());
    }
}

#[test]
fn the_sum_of_the_residuals_is_met_and_little_more() {
    for seed in [1, 2] {
        let size = 30 * 25 * 4;
        let pattern = SymmetricPattern::from_edges(size, &grid(30, 25, 4)).unwrap();
        let matrix = grounded_laplacian(&pattern, &mut Numbers(seed));
        let b = right_side(size);
        let mut swept = SweptGradients::default();
        swept.update(&matrix).unwrap();
        let mut cholesky = Cholesky::analyse(&pattern).unwrap();
        cholesky.factorise(&matrix).unwrap();
        let mut exact = b.clone();
        cholesky.solve_in_place(&mut exact).unwrap();
        let mut before = 0;
        for part in [1e-1, 1e-3, 1e-6, 1e-9] {
            let rest = part * reduce::sum_by(size, |i| b[i].abs());
            let mut x = vec![0.0; size];
            let iterations = swept.solve(&b, &mut x, rest, 1000).unwrap();
            let sum = left(&matrix, &b, &x);
            assert!(sum <= 1.001 * rest && sum > 0.02 * rest, "{sum} for {rest}");
            assert!(iterations > before && iterations < 200, "{iterations}");
            before = iterations;
            let scale = exact.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
            let worst = x.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(part > 1e-9 || worst < 1e-7 * scale, "{worst} of {scale}");
        }
    }
}

/// Where nothing would fill, the sweep is the factorisation itself, whatever the diagonals.
#[test]
fn a_tree_takes_one_iteration() {
    let edges: Vec<_> = (1..200).map(|i| (i / 2, i)).filter(|(a, b)| a != b).map(|(a, b)| (199 - a, 199 - b)).collect();
    let pattern = SymmetricPattern::from_edges(200, &edges).unwrap();
    let mut matrix = grounded_laplacian(&pattern, &mut Numbers(5));
    (0..200).for_each(|i| matrix.add_diagonal(i, 1e-3));
    let b = right_side(200);
    let (mut swept, mut x) = (SweptGradients::default(), vec![0.0; 200]);
    swept.update(&matrix).unwrap();
    assert_eq!(swept.solve(&b, &mut x, 1e-6, 100).unwrap(), 1);
    assert!(left(&matrix, &b, &x) < 1e-9);
}

/// Kershaw's matrix is positive definite, but its incomplete factor has a negative pivot: the diagonal must be raised. And couplings of both signs.
#[test]
fn matrices_with_couplings_of_both_signs_are_solved() {
    let pattern = SymmetricPattern::from_edges(4, &[(0, 1), (1, 2), (2, 3), (3, 0)]).unwrap();
    let mut matrix = SymmetricMatrix::zeros(&pattern);
    (0..4).for_each(|i| matrix.add_diagonal(i, 3.0));
    for (k, value) in [-2.0, -2.0, -2.0, 2.0].into_iter().enumerate() {
        matrix.add(k, value);
    }
    let (mut swept, mut x) = (SweptGradients::default(), [0.0; 4]);
    swept.update(&matrix).unwrap();
    swept.solve(&[1.0, -2.0, 0.5, 4.0], &mut x, 1e-10, 100).unwrap();
    assert!(left(&matrix, &[1.0, -2.0, 0.5, 4.0], &x) < 1e-9);

    let edges = grid(12, 12, 2);
    let pattern = SymmetricPattern::from_edges(288, &edges).unwrap();
    let mut matrix = SymmetricMatrix::zeros(&pattern);
    for edge in 0..edges.len() {
        // a quadratic form of xᵢ + xⱼ in place of xᵢ − xⱼ for every third
        let sign = if edge % 3 == 0 { -1.0 } else { 1.0 };
        let (i, j) = edges[edge];
        matrix.add(edge, -sign);
        matrix.add_diagonal(i, 1.0);
        matrix.add_diagonal(j, 1.0);
    }
    matrix.add_diagonal(7, 1.0);
    let (b, mut x) = (right_side(288), vec![0.0; 288]);
    swept.update(&matrix).unwrap();
    let iterations = swept.solve(&b, &mut x, 1e-8, 1000).unwrap();
    assert!(left(&matrix, &b, &x) < 1e-7, "{iterations} iterations leave {}", left(&matrix, &b, &x));
}

#[test]
fn numbers_of_every_size_are_solved() {
    let pattern = SymmetricPattern::from_edges(90, &grid(9, 10, 1)).unwrap();
    let plain = grounded_laplacian(&pattern, &mut Numbers(8));
    let (b, mut swept) = (right_side(90), SweptGradients::default());
    let solved = |swept: &mut SweptGradients, of_matrix: f64, of_b: f64| {
        let mut matrix = SymmetricMatrix::zeros(&pattern);
        matrix.add_scaled(of_matrix, &plain).unwrap();
        let b: Vec<f64> = b.iter().map(|b| of_b * b).collect();
        let mut x = vec![0.0; 90];
        swept.update(&matrix).unwrap();
        let iterations = swept.solve(&b, &mut x, 1e-8 * of_b, 200).unwrap();
        (iterations, x)
    };
    let (iterations, exact) = solved(&mut swept, 1.0, 1.0);
    for (of_matrix, of_b) in
        [(2f64.powi(-500), 2f64.powi(-400)), (2f64.powi(600), 2f64.powi(900)), (2f64.powi(-300), 2f64.powi(600))]
    {
        let (same, x) = solved(&mut swept, of_matrix, of_b);
        assert_eq!(same, iterations);
        for (x, exact) in x.iter().zip(&exact) {
            assert!((x / of_b * of_matrix - exact).abs() <= 1e-13 * exact.abs().max(1e-3), "{x} {exact}");
        }
    }
}

#[test]
fn what_cannot_be_solved_is_told_or_leaves_a_rest() {
    let pattern = SymmetricPattern::from_edges(2, &[(0, 1)]).unwrap();
    let mut matrix = SymmetricMatrix::zeros(&pattern);
    matrix.add_conductance(0, 1.0);
    matrix.add_diagonal(0, -2.0);
    let mut swept = SweptGradients::default();
    assert!(matches!(swept.update(&matrix), Err(SparseError::NotPositiveDefinite { row: 0, .. })));
    // indefinite: eigenvalues 3 and −1
    matrix.clear();
    matrix.add(0, 2.0);
    (0..2).for_each(|i| matrix.add_diagonal(i, 1.0));
    swept.update(&matrix).unwrap();
    let mut x = [0.0; 2];
    let iterations = swept.solve(&[1.0, -1.0], &mut x, 1e-9, 1000).unwrap();
    assert!(iterations <= 2 && x.iter().all(|x| x.is_finite()), "{iterations} {x:?}");
    // nothing asked
    matrix.clear();
    (0..2).for_each(|i| matrix.add_diagonal(i, 1.0));
    swept.update(&matrix).unwrap();
    assert_eq!(swept.solve(&[0.0; 2], &mut x, 0.0, 10), Ok(0));
    assert_eq!(x, [0.0; 2]);
    assert!(matches!(swept.solve(&[f64::NAN, 0.0], &mut x, 1.0, 10), Err(SparseError::NonFiniteVector { .. })));
    assert!(matches!(swept.solve(&[0.0; 3], &mut x, 1.0, 10), Err(SparseError::Length { .. })));
}

#[test]
fn what_was_solved_before_changes_no_bit() {
    let graphs = [(90, grid(9, 10, 1)), (120, grid(4, 5, 6)), (90, grid(10, 9, 1))];
    let mut used = SweptGradients::default();
    for (step, graph) in [0, 1, 2, 0, 0].into_iter().enumerate() {
        let (size, edges) = &graphs[graph];
        let pattern = SymmetricPattern::from_edges(*size, edges).unwrap();
        let matrix = grounded_laplacian(&pattern, &mut Numbers(step as u64 + 1));
        let b = right_side(*size);
        let mut fresh = SweptGradients::default();
        let (mut x, mut y) = (vec![0.0; *size], vec![1.0; *size]);
        for (solver, x) in [(&mut used, &mut x), (&mut fresh, &mut y)] {
            solver.update(&matrix).unwrap();
            solver.solve(&b, x, 1e-7, 1000).unwrap();
        }
        assert_eq!(x, y, "step {step}");
    }
}
