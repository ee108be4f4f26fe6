//! LU: against dense solutions, on refills, and where it must refuse.

use mpcd_sparse::{GeneralMatrix, GeneralPattern, Lu, SparseError, SymmetricMatrix, SymmetricPattern};
use mpcd_tests::random::cases;
use nalgebra::{DMatrix, DVector};
use proptest::prelude::*;

use crate::graphs::{Numbers, grid};

proptest! {
    #![proptest_config(cases(64))]
    /// Entries anywhere, repeated at times, the diagonal small: pivoting is needed.
    #[test]
    fn agrees_with_dense(seed in any::<u64>(), n in 1usize..50) {
        let mut numbers = Numbers(seed);
        let mut entries: Vec<_> = (0..n).flat_map(|i| [(i, i), (i, (i + 1) % n), ((i + 7) % n, i)]).collect();
        for _ in 0..3 * n {
            entries.push((numbers.below(n), numbers.below(n)));
        }
        let pattern = GeneralPattern::from_entries(n, &entries).unwrap();
        let mut lu = Lu::analyse(&pattern).unwrap();
        let mut matrix = GeneralMatrix::zeros(&pattern);
        for _ in 0..3 {
            matrix.clear();
            let mut full = DMatrix::zeros(n, n);
            for (k, &(i, j)) in entries.iter().enumerate() {
                let value = (2.0 * numbers.unit() - 1.0) * if i == j { 1e-3 } else { 1.0 };
                matrix.add(k, value);
                full[(i, j)] += value;
            }
            let b = DVector::from_fn(n, |_, _| numbers.unit() - 0.5);
            let svd = full.clone().singular_values();
            if svd.min() < 1e-6 * svd.max() {
                continue; // nothing to compare: no solution with enough digits
            }
            let exact = full.lu().solve(&b).unwrap();
            let mut x: Vec<f64> = b.iter().copied().collect();
            lu.factorise(&matrix).unwrap();
            lu.solve_in_place(&mut x).unwrap();
            let error = (DVector::from_column_slice(&x) - &exact).norm() / exact.norm();
            prop_assert!(error < 1e-8, "relative error {error}");
        }
    }
}

/// Upwind transport with diffusion on a grid: a matrix of the kind that flow makes; the residual tells.
#[test]
fn solves_transport_on_a_grid() {
    let (nx, ny) = (60, 50);
    let links = grid(nx, ny, 1);
    let n = nx * ny;
    let entries: Vec<_> = (0..n).map(|i| (i, i)).chain(links.iter().flat_map(|&(i, j)| [(i, j), (j, i)])).collect();
    let pattern = GeneralPattern::from_entries(n, &entries).unwrap();
    let mut matrix = GeneralMatrix::zeros(&pattern);
    (0..n).for_each(|i| matrix.add(i, 4.5));
    for k in 0..links.len() {
        matrix.add(n + 2 * k, -1.8);
        matrix.add(n + 2 * k + 1, -0.2);
    }
    let mut lu = Lu::analyse(&pattern).unwrap();
    lu.factorise(&matrix).unwrap();
    let mut numbers = Numbers(3);
    let b: Vec<f64> = (0..n).map(|_| numbers.unit()).collect();
    let mut x = b.clone();
    lu.solve_in_place(&mut x).unwrap();
    let mut image = vec![0.0; n];
    matrix.multiply(&x, &mut image).unwrap();
    let worst = image.iter().zip(&b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(worst < 1e-13, "residual {worst}");
    let mut again = b.clone();
    lu.factorise(&matrix).unwrap();
    lu.solve_in_place(&mut again).unwrap();
    assert_eq!(x, again);
}

#[test]
fn singular_matrices_are_refused() {
    // a Laplacian without ground, a zero column, two equal rows
    let n = 40;
    let ring: Vec<_> = (0..n).flat_map(|i| [(i, i), (i, (i + 1) % n), ((i + 1) % n, i)]).collect();
    let pattern = GeneralPattern::from_entries(n, &ring).unwrap();
    let mut lu = Lu::analyse(&pattern).unwrap();
    let mut matrix = GeneralMatrix::zeros(&pattern);
    for k in 0..ring.len() {
        matrix.add(k, if k % 3 == 0 { 2.0 } else { -1.0 });
    }
    let refused = lu.factorise(&matrix);
    assert!(matches!(refused, Err(SparseError::Singular { .. })), "{refused:?}");
    assert_eq!(lu.solve_in_place(&mut vec![1.0; n]), Err(SparseError::NotFactorised));
    matrix.clear();
    let refused = lu.factorise(&matrix);
    assert!(matches!(refused, Err(SparseError::Singular { .. })), "{refused:?}");
    for k in 0..ring.len() {
        matrix.add(k, if k % 3 == 0 { 3.0 } else { -1.0 });
    }
    lu.factorise(&matrix).unwrap();
    matrix.add(4, f64::NAN);
    assert!(matches!(lu.factorise(&matrix), Err(SparseError::NonFiniteMatrix { .. })));
    assert!(matches!(GeneralPattern::from_entries(2, &[(0, 5)]), Err(SparseError::IndexOutOfRange { column: 5, .. })));

    let empty_column = GeneralPattern::from_entries(2, &[(0, 0), (1, 0)]).unwrap();
    let mut matrix = GeneralMatrix::zeros(&empty_column);
    matrix.add(0, 1.0);
    matrix.add(1, 2.0);
    let refused = Lu::analyse(&empty_column).and_then(|mut lu| lu.factorise(&matrix));
    assert!(matches!(refused, Err(SparseError::Singular { .. })), "{refused:?}");
}

/// A symmetric matrix added to one of a larger pattern, and unknowns taken out of it: what the dense matrix says.
#[test]
fn symmetric_parts_are_added_and_unknowns_isolated() {
    let symmetric = SymmetricPattern::from_edges(3, &[(0, 1), (2, 1)]).unwrap();
    let mut part = SymmetricMatrix::zeros(&symmetric);
    part.add(0, 2.0);
    part.add(1, 3.0);
    (0..3).for_each(|i| part.add_diagonal(i, 5.0));
    let entries: Vec<_> = (0..9).map(|k| (k / 3, k % 3)).collect();
    let pattern = GeneralPattern::from_entries(3, &entries).unwrap();
    let mut matrix = GeneralMatrix::zeros(&pattern);
    matrix.add(2, 1.0);
    matrix.add_symmetric(2.0, &part).unwrap();
    let product = |matrix: &GeneralMatrix| {
        let mut y = [0.0; 3];
        matrix.multiply(&[1.0, 10.0, 100.0], &mut y).unwrap();
        y
    };
    assert_eq!(product(&matrix), [10.0 + 40.0 + 100.0, 4.0 + 100.0 + 600.0, 60.0 + 1000.0]);
    matrix.isolate(&[false, true, false]).unwrap();
    assert_eq!(product(&matrix), [10.0 + 100.0, 10.0, 1000.0]);
    assert!(matches!(matrix.isolate(&[true]), Err(SparseError::Length { .. })));
    let narrow = GeneralPattern::from_entries(3, &[(0, 0), (1, 1), (2, 2)]).unwrap();
    assert_eq!(GeneralMatrix::zeros(&narrow).add_symmetric(1.0, &part), Err(SparseError::OtherPattern));
}
