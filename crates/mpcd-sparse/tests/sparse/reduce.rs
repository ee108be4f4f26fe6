//! Reductions: the same bits on any number of threads, and right.

use mpcd_sparse::reduce::{CHUNK, dot, max_abs, norm, sum, sum_by};

use crate::graphs::Numbers;

#[test]
fn bits_do_not_depend_on_threads() {
    let mut numbers = Numbers(1);
    let values: Vec<f64> = (0..100 * CHUNK + 77).map(|_| (numbers.unit() - 0.5) * 10f64.powf(8.0 * numbers.unit())).collect();
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| [sum(&values), dot(&values, &values), norm(&values), sum_by(values.len(), |i| values[i])])
    };
    let one = on(1).map(f64::to_bits);
    for threads in [2, 3, 4, 8] {
        for _ in 0..5 {
            assert_eq!(on(threads).map(f64::to_bits), one, "{threads} threads");
        }
    }
    assert_eq!(one[0], one[3]);
}

#[test]
fn sums_are_exact_on_integers() {
    for n in [0, 1, 7, 8, 9, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK + 5, 4 * CHUNK, 200 * CHUNK + 3] {
        let values: Vec<f64> = (0..n).map(|i| i as f64).collect();
        let exact = (n as f64) * (n as f64 - 1.0) / 2.0;
        assert_eq!(sum(&values), exact.max(0.0), "n = {n}");
        assert_eq!(dot(&values, &vec![2.0; n]), 2.0 * exact.max(0.0), "n = {n}");
    }
}

#[test]
fn norm_neither_overflows_nor_vanishes() {
    assert!((norm(&[3e200, 4e200]) / 5e200 - 1.0).abs() < 1e-15);
    assert!((norm(&[3e-200, 4e-200]) / 5e-200 - 1.0).abs() < 1e-15);
    assert_eq!(norm(&[]), 0.0);
    assert_eq!(norm(&[0.0, 0.0]), 0.0);
    assert!(norm(&[1.0, f64::NAN]).is_nan());
    assert_eq!(max_abs(&[1.0, -3.0, 2.0]), 3.0);
    assert!(max_abs(&[f64::NAN, 5.0]).is_nan() && max_abs(&[5.0, f64::NAN]).is_nan());
}
