//! Cholesky: against dense solutions, on refills, with every ordering, and where it must refuse.

use mpcd_sparse::{Cholesky, Ordering, SparseError, SymmetricMatrix, SymmetricPattern};
use mpcd_tests::random::cases;
use nalgebra::DVector;
use proptest::prelude::*;

use crate::graphs::{Numbers, dense, grid, grounded_laplacian};

fn relative_error(found: &[f64], exact: &DVector<f64>) -> f64 {
    (DVector::from_column_slice(found) - exact).norm() / exact.norm()
}

#[test]
fn assembly_adds_repeated_edges_and_both_triangles() {
    let pattern = SymmetricPattern::from_edges(3, &[(2, 0), (0, 2), (1, 2)]).unwrap();
    assert_eq!(pattern.stored(), 5);
    let mut matrix = SymmetricMatrix::zeros(&pattern);
    matrix.add(0, 1.5);
    matrix.add(1, 2.0);
    matrix.add_conductance(2, 4.0);
    matrix.add_diagonal(0, 7.0);
    let expected = nalgebra::dmatrix![7.0, 0.0, 3.5; 0.0, 4.0, -4.0; 3.5, -4.0, 4.0];
    assert_eq!(dense(&matrix), expected);
    let x = [1.0, -2.0, 3.0];
    let mut y = [0.0; 3];
    matrix.multiply(&x, &mut y).unwrap();
    assert_eq!(DVector::from_column_slice(&y), expected * DVector::from_column_slice(&x));
    matrix.clear();
    assert!(dense(&matrix).iter().all(|&v| v == 0.0));
}

proptest! {
    #![proptest_config(cases(64))]
    /// Any diagonally dominant matrix over any graph, refilled three times on one analysis.
    #[test]
    fn agrees_with_dense(seed in any::<u64>(), n in 1usize..60, density in 0.0f64..0.4) {
        let mut numbers = Numbers(seed);
        let mut edges = Vec::new();
        for i in 0..n {
            for j in 0..i {
                if numbers.unit() < density {
                    edges.push(if numbers.unit() < 0.5 { (i, j) } else { (j, i) });
                }
            }
        }
        let pattern = SymmetricPattern::from_edges(n, &edges).unwrap();
        for ordering in [Ordering::Automatic, Ordering::MinimumDegree, Ordering::NestedDissection { block: 1 }] {
            let mut cholesky = Cholesky::analyse_with(&pattern, ordering).unwrap();
            let mut matrix = SymmetricMatrix::zeros(&pattern);
            for _ in 0..3 {
                matrix.clear();
                for (k, &(i, j)) in edges.iter().enumerate() {
                    let value = 2.0 * numbers.unit() - 1.0;
                    matrix.add(k, value);
                    matrix.add_diagonal(i, value.abs());
                    matrix.add_diagonal(j, value.abs());
                }
                for i in 0..n {
                    matrix.add_diagonal(i, 0.1 + numbers.unit());
                }
                let b: Vec<f64> = (0..n).map(|_| numbers.unit() - 0.5).collect();
                let exact = dense(&matrix).cholesky().unwrap().solve(&DVector::from_column_slice(&b));
                let mut x = b.clone();
                cholesky.factorise(&matrix).unwrap();
                cholesky.solve_in_place(&mut x).unwrap();
                prop_assert!(relative_error(&x, &exact) < 1e-11, "{ordering:?}: {}", relative_error(&x, &exact));
            }
        }
    }
}

#[test]
fn large_enough_for_supernodes() {
    let (nx, ny, nz) = (12, 11, 10);
    let edges = grid(nx, ny, nz);
    let pattern = SymmetricPattern::from_edges(nx * ny * nz, &edges).unwrap();
    let mut numbers = Numbers(7);
    let mut results = Vec::new();
    let matrix = grounded_laplacian(&pattern, &mut numbers);
    let b: Vec<f64> = (0..pattern.size()).map(|_| numbers.unit() - 0.5).collect();
    let exact = dense(&matrix).cholesky().unwrap().solve(&DVector::from_column_slice(&b));
    for ordering in [Ordering::MinimumDegree, Ordering::NestedDissection { block: 1 }, Ordering::NestedDissection { block: 3 }] {
        let mut cholesky = Cholesky::analyse_with(&pattern, ordering).unwrap();
        cholesky.factorise(&matrix).unwrap();
        let mut x = b.clone();
        cholesky.solve_in_place(&mut x).unwrap();
        assert!(relative_error(&x, &exact) < 1e-9, "{ordering:?}: {}", relative_error(&x, &exact));
        let mut again = b.clone();
        cholesky.factorise(&matrix).unwrap();
        cholesky.solve_in_place(&mut again).unwrap();
        assert_eq!(x, again, "a second factorisation must give the same bits");
        results.push(cholesky.stored());
    }
    assert!(results[1] < results[0], "dissection must fill a cube less than minimum degree: {results:?}");
}

/// A chain of resistors between held ends is a voltage divider; a held inner node splits it in two.
#[test]
fn held_nodes_divide_the_voltage() {
    let n = 4001;
    let edges: Vec<_> = (1..n).map(|i| (i - 1, i)).collect();
    let pattern = SymmetricPattern::from_edges(n, &edges).unwrap();
    let mut cholesky = Cholesky::analyse(&pattern).unwrap();
    let mut matrix = SymmetricMatrix::zeros(&pattern);
    for conductance in [1e-3, 1e6] {
        matrix.clear();
        (0..edges.len()).for_each(|k| matrix.add_conductance(k, conductance));
        let mut known = vec![None; n];
        (known[0], known[1000], known[n - 1]) = (Some(2.0), Some(5.0), Some(-1.0));
        let mut x = vec![0.0; n];
        matrix.hold(&known, &mut x).unwrap();
        cholesky.factorise(&matrix).unwrap();
        cholesky.solve_in_place(&mut x).unwrap();
        for (i, &v) in x.iter().enumerate() {
            let exact = if i <= 1000 { 2.0 + 3.0 * i as f64 / 1000.0 } else { 5.0 - 6.0 * (i as f64 - 1000.0) / 3000.0 };
            assert!((v - exact).abs() < 1e-9, "node {i}: {v} for {exact}");
        }
    }
}

/// A floating island makes the matrix singular, however rounding turns out; it must not pass for regular.
#[test]
fn a_floating_island_is_refused_with_a_row_of_it() {
    let part = grid(13, 17, 6);
    let m = 13 * 17 * 6;
    let edges: Vec<_> = part.iter().copied().chain(part.iter().map(|&(i, j)| (i + m, j + m))).collect();
    let pattern = SymmetricPattern::from_edges(2 * m, &edges).unwrap();
    for seed in 0..20 {
        // node 0 is grounded, the second part is not
        let matrix = grounded_laplacian(&pattern, &mut Numbers(seed));
        for ordering in [Ordering::MinimumDegree, Ordering::NestedDissection { block: 1 }] {
            let mut cholesky = Cholesky::analyse_with(&pattern, ordering).unwrap();
            match cholesky.factorise(&matrix) {
                Err(SparseError::NotPositiveDefinite { row, .. }) => assert!(row >= m, "row {row} is grounded"),
                other => panic!("expected a refusal, got {other:?}"),
            }
            assert_eq!(cholesky.solve_in_place(&mut vec![0.0; 2 * m]), Err(SparseError::NotFactorised));
        }
    }
}

#[test]
fn an_indefinite_row_is_named() {
    for n in [5, 600, 5000] {
        let edges: Vec<_> = (1..n).map(|i| (i - 1, i)).collect();
        let pattern = SymmetricPattern::from_edges(n, &edges).unwrap();
        let mut matrix = SymmetricMatrix::zeros(&pattern);
        (0..n).for_each(|i| matrix.add_diagonal(i, 1.0));
        matrix.add_diagonal(3, -3.0);
        let mut cholesky = Cholesky::analyse(&pattern).unwrap();
        match cholesky.factorise(&matrix) {
            Err(SparseError::NotPositiveDefinite { row: 3, diagonal, .. }) => assert_eq!(diagonal, -2.0),
            other => panic!("n = {n}: {other:?}"),
        }
    }
    // in blocks: a negative diagonal only falls further, and all rows before it are definite
    let pattern = SymmetricPattern::from_edges(15 * 15 * 15, &grid(15, 15, 15)).unwrap();
    let mut cholesky = Cholesky::analyse(&pattern).unwrap();
    for bad in [0, 17, 1000, 1687, 3374] {
        let mut matrix = grounded_laplacian(&pattern, &mut Numbers(9));
        let diagonal = matrix.diagonal(bad);
        matrix.add_diagonal(bad, -1.5 * diagonal);
        match cholesky.factorise(&matrix) {
            Err(SparseError::NotPositiveDefinite { row, .. }) => assert_eq!(row, bad),
            other => panic!("row {bad}: {other:?}"),
        }
    }
}

#[test]
fn bad_input_is_named() {
    assert_eq!(
        SymmetricPattern::from_edges(2, &[(0, 1), (0, 2)]).unwrap_err().to_string(),
        "entry 1 is at (0, 2), outside a matrix of size 2"
    );
    assert_eq!(SymmetricPattern::from_edges(2, &[(1, 1)]), Err(SparseError::SelfEdge { edge: 0, node: 1 }));
    let pattern = SymmetricPattern::from_edges(3, &[(0, 1), (1, 2)]).unwrap();
    let other = SymmetricPattern::from_edges(3, &[(0, 1), (0, 2)]).unwrap();
    let mut cholesky = Cholesky::analyse(&pattern).unwrap();
    assert_eq!(cholesky.factorise(&SymmetricMatrix::zeros(&other)), Err(SparseError::OtherPattern));
    let mut matrix = SymmetricMatrix::zeros(&pattern);
    matrix.add(1, f64::NAN);
    let error = cholesky.factorise(&matrix).unwrap_err();
    assert!(error.to_string().starts_with("the matrix has NaN at (2, 1)"), "{error}");
    matrix.clear();
    (0..3).for_each(|i| matrix.add_diagonal(i, 1.0));
    cholesky.factorise(&matrix).unwrap();
    assert!(matches!(cholesky.solve_in_place(&mut [0.0; 2]), Err(SparseError::Length { found: 2, .. })));
    let infinite = cholesky.solve_in_place(&mut [0.0, f64::INFINITY, 0.0]);
    assert!(matches!(infinite, Err(SparseError::NonFiniteVector { row: 1, .. })), "{infinite:?}");
    let blocks = Cholesky::analyse_with(&pattern, Ordering::NestedDissection { block: 2 });
    assert!(matches!(blocks, Err(SparseError::Block { block: 2, size: 3 })));
    assert!(matrix.hold(&[Some(f64::NAN), None, None], &mut [0.0; 3]).is_err());
}

#[test]
fn nothing_at_all_is_solved() {
    let pattern = SymmetricPattern::from_edges(0, &[]).unwrap();
    let mut cholesky = Cholesky::analyse(&pattern).unwrap();
    cholesky.factorise(&SymmetricMatrix::zeros(&pattern)).unwrap();
    cholesky.solve_in_place(&mut []).unwrap();
}

/// Many right-hand sides at once are what they are one at a time; multiples of matrices add up.
#[test]
fn columns_are_solved_together() {
    let pattern = SymmetricPattern::from_edges(900, &grid(30, 30, 1)).unwrap();
    let mut matrix = SymmetricMatrix::zeros(&pattern);
    (0..pattern.edges().len()).for_each(|edge| matrix.add_conductance(edge, 1.0 + edge as f64 * 1e-3));
    let mut shifted = SymmetricMatrix::zeros(&pattern);
    (0..900).for_each(|i| shifted.add_diagonal(i, 0.25));
    shifted.add_scaled(2.0, &matrix).unwrap();
    assert_eq!(shifted.diagonal(450), 0.25 + 2.0 * matrix.diagonal(450));
    let mut cholesky = Cholesky::analyse(&pattern).unwrap();
    let count = 37;
    let mut columns: Vec<f64> = (0..900 * count).map(|k| (1.3 * k as f64).sin()).collect();
    let expected = columns.clone();
    assert_eq!(cholesky.solve_columns_in_place(&mut columns), Err(SparseError::NotFactorised));
    cholesky.factorise(&shifted).unwrap();
    cholesky.solve_columns_in_place(&mut columns).unwrap();
    for (mut b, x) in expected.chunks(900).map(<[f64]>::to_vec).zip(columns.chunks(900)) {
        cholesky.solve_in_place(&mut b).unwrap();
        let size = b.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        assert!(b.iter().zip(x).all(|(b, x)| (b - x).abs() < 1e-13 * size));
    }
    assert!(matches!(cholesky.solve_columns_in_place(&mut [0.0; 901]), Err(SparseError::Length { .. })));
    let other = SymmetricPattern::from_edges(900, &[(0, 1)]).unwrap();
    assert_eq!(shifted.add_scaled(1.0, &SymmetricMatrix::zeros(&other)), Err(SparseError::OtherPattern));
}
