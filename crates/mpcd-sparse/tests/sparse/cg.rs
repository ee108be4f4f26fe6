//! Conjugate gradients: against Cholesky, the expected gain of the preconditioners, and every way to end.

use mpcd_sparse::{
    CgParams, CgStatus, CgWorkspace, Cholesky, IncompleteCholesky, Jacobi, Preconditioner, SparseError, SymmetricMatrix,
    SymmetricPattern, solve_cg,
};

use crate::graphs::{Numbers, dense, grid, grounded_laplacian};

fn problem() -> (SymmetricMatrix, Vec<f64>) {
    let pattern = SymmetricPattern::from_edges(30 * 25 * 4, &grid(30, 25, 4)).unwrap();
    let mut numbers = Numbers(11);
    let matrix = grounded_laplacian(&pattern, &mut numbers);
    let b = (0..matrix.size()).map(|_| numbers.unit() - 0.5).collect();
    (matrix, b)
}

#[test]
fn agrees_with_cholesky_and_reports_the_true_residual() {
    let (matrix, b) = problem();
    let mut exact = b.clone();
    let mut cholesky = Cholesky::analyse(matrix.pattern()).unwrap();
    cholesky.factorise(&matrix).unwrap();
    cholesky.solve_in_place(&mut exact).unwrap();

    let params = CgParams { tolerance: 1e-10, max_iterations: 5000 };
    let mut workspace = CgWorkspace::default();
    let jacobi = Jacobi::new(&matrix).unwrap();
    let incomplete = IncompleteCholesky::new(&matrix).unwrap();
    assert_eq!(incomplete.shift(), 0.0, "IC(0) exists for an M-matrix");
    let mut iterations = Vec::new();
    for preconditioner in [&jacobi as &dyn Preconditioner, &incomplete] {
        let mut x = vec![0.0; b.len()];
        let report = solve_cg(&matrix, &b, &mut x, preconditioner, params, &mut workspace).unwrap();
        assert_eq!(report.status, CgStatus::Converged);
        let mut image = vec![0.0; b.len()];
        matrix.multiply(&x, &mut image).unwrap();
        let difference: Vec<f64> = b.iter().zip(&image).map(|(b, a)| b - a).collect();
        let residual = mpcd_sparse::reduce::norm(&difference) / mpcd_sparse::reduce::norm(&b);
        assert_eq!(report.residual, residual);
        assert!(residual <= 1e-10);
        let scale = exact.iter().fold(0.0f64, |m, v| m.max(v.abs()));
        let worst = x.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(worst < 1e-7 * scale, "difference to Cholesky {worst}, scale {scale}");
        let warm = solve_cg(&matrix, &b, &mut x, preconditioner, params, &mut workspace).unwrap();
        assert_eq!(warm.iterations, 0, "a solution needs no iteration");
        iterations.push(report.iterations);
    }
    assert!(2 * iterations[1] < iterations[0], "IC(0) must halve the iterations at least: {iterations:?}");
}

/// With a full pattern nothing is left out: IC(0) is the factorisation itself.
#[test]
fn incomplete_cholesky_is_complete_on_a_tree() {
    let edges: Vec<_> = (1..200).map(|i| (i / 2, i)).filter(|(a, b)| a != b).map(|(a, b)| (199 - a, 199 - b)).collect();
    let pattern = SymmetricPattern::from_edges(200, &edges).unwrap();
    let mut matrix = grounded_laplacian(&pattern, &mut Numbers(5));
    (0..200).for_each(|i| matrix.add_diagonal(i, 0.5));
    let incomplete = IncompleteCholesky::new(&matrix).unwrap();
    let b: Vec<f64> = (0..200).map(|i| (i as f64).sin()).collect();
    let mut z = vec![0.0; 200];
    incomplete.apply(&b, &mut z);
    let exact = dense(&matrix).cholesky().unwrap().solve(&nalgebra::DVector::from_column_slice(&b));
    for i in 0..200 {
        assert!((z[i] - exact[i]).abs() < 1e-12 * exact.amax(), "row {i}: {} for {}", z[i], exact[i]);
    }
}

/// Kershaw's matrix is positive definite, but its incomplete factor has a negative pivot: the diagonal must be raised.
#[test]
fn incomplete_cholesky_survives_kershaw() {
    let pattern = SymmetricPattern::from_edges(4, &[(0, 1), (1, 2), (2, 3), (3, 0)]).unwrap();
    let mut matrix = SymmetricMatrix::zeros(&pattern);
    (0..4).for_each(|i| matrix.add_diagonal(i, 3.0));
    for (k, value) in [-2.0, -2.0, -2.0, 2.0].into_iter().enumerate() {
        matrix.add(k, value);
    }
    assert!(dense(&matrix).cholesky().is_some());
    let incomplete = IncompleteCholesky::new(&matrix).unwrap();
    assert!(incomplete.shift() > 0.0);
    let mut x = vec![0.0; 4];
    let b = [1.0, 2.0, -1.0, 0.5];
    let report = solve_cg(&matrix, &b, &mut x, &incomplete, CgParams::default(), &mut CgWorkspace::default()).unwrap();
    assert_eq!(report.status, CgStatus::Converged);
}

#[test]
fn every_end_is_reported() {
    let (matrix, b) = problem();
    let jacobi = Jacobi::new(&matrix).unwrap();
    let mut workspace = CgWorkspace::default();
    let mut run = |matrix: &SymmetricMatrix, b: &[f64], tolerance, max_iterations| {
        let mut x = vec![0.0; b.len()];
        solve_cg(matrix, b, &mut x, &jacobi, CgParams { tolerance, max_iterations }, &mut workspace).unwrap()
    };
    let short = run(&matrix, &b, 1e-10, 10);
    assert_eq!((short.status, short.iterations), (CgStatus::MaxIterations, 10));
    assert!(short.residual > 1e-10 && short.residual.is_finite());
    let greedy = run(&matrix, &b, 1e-30, 100_000);
    assert_eq!(greedy.status, CgStatus::Stalled);
    // what rounding leaves is about eps |A| |x|
    let full = dense(&matrix);
    let size_of_a = full.row_iter().map(|row| row.iter().map(|v| v.abs()).sum()).fold(0.0, f64::max);
    let exact = full.cholesky().unwrap().solve(&nalgebra::DVector::from_column_slice(&b));
    let rounding = f64::EPSILON * size_of_a * exact.norm() / mpcd_sparse::reduce::norm(&b);
    assert!(greedy.residual < 10.0 * rounding, "it stalls at rounding, {rounding}, not before: {}", greedy.residual);
    assert!(greedy.iterations < 20_000);
    let zero = run(&matrix, &vec![0.0; b.len()], 1e-10, 10);
    assert_eq!((zero.status, zero.iterations, zero.residual), (CgStatus::Converged, 0, 0.0));

    let mut indefinite = matrix.clone();
    (0..indefinite.size()).for_each(|i| indefinite.add_diagonal(i, -100.0));
    assert_eq!(run(&indefinite, &b, 1e-10, 1000).status, CgStatus::NotPositiveDefinite);
    assert!(matches!(Jacobi::new(&indefinite), Err(SparseError::NotPositiveDefinite { .. })));
    assert!(matches!(IncompleteCholesky::new(&indefinite), Err(SparseError::NotPositiveDefinite { .. })));
}

#[test]
fn bad_input_is_named() {
    let (matrix, mut b) = problem();
    let jacobi = Jacobi::new(&matrix).unwrap();
    let mut workspace = CgWorkspace::default();
    let params = CgParams::default();
    b[17] = f64::NAN;
    let mut x = vec![0.0; b.len()];
    let error = solve_cg(&matrix, &b, &mut x, &jacobi, params, &mut workspace).unwrap_err();
    assert!(error.to_string().starts_with("the right-hand side has NaN in row 17"), "{error}");
    b[17] = 0.0;
    x[3] = f64::INFINITY;
    assert!(solve_cg(&matrix, &b, &mut x, &jacobi, params, &mut workspace).is_err());
    x[3] = 0.0;
    let mut broken = matrix.clone();
    broken.add(5, f64::NEG_INFINITY);
    assert!(solve_cg(&broken, &b, &mut x, &jacobi, params, &mut workspace).is_err());
    assert!(solve_cg(&matrix, &b[1..], &mut x, &jacobi, params, &mut workspace).is_err());
}
