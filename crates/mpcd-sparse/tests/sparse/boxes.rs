//! The box grid: the same solution as Cholesky's, in a number of iterations that does not grow with the grid.

use mpcd_sparse::{BoxSystem, BoxWorkspace, CgParams, CgStatus, Cholesky, SymmetricMatrix, SymmetricPattern};

/// SplitMix64: numbers in 0 … 1.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

struct Grid {
    count: [usize; 3],
    own: Vec<f64>,
    up: [Vec<f64>; 3],
}

/// Conductances spread over `decades`, larger by `ratio` along x, and a diagonal of `own` of them; `joined` axes are periodic.
fn grid(count: [usize; 3], joined: [bool; 3], decades: f64, ratio: f64, own: f64) -> Grid {
    let n = count.iter().product();
    let mut random = Random(7);
    let mut strides = [1; 3];
    (strides[1], strides[2]) = (count[0], count[0] * count[1]);
    let up = std::array::from_fn(|axis| {
        (0..n)
            .map(|cell| {
                let last = cell / strides[axis] % count[axis] + 1 == count[axis];
                let k = 10_f64.powf(decades * (random.next() - 0.5)) * if axis == 0 { ratio } else { 1.0 };
                if last && !joined[axis] || count[axis] == 1 { 0.0 } else { k }
            })
            .collect()
    });
    Grid { count, own: (0..n).map(|_| own * random.next()).collect(), up }
}

/// Random numbers whose sum is none, so that the solution is no large constant.
fn balanced(n: usize) -> Vec<f64> {
    let mut random = Random(2);
    let b: Vec<f64> = (0..n).map(|_| random.next()).collect();
    let mean = b.iter().sum::<f64>() / n as f64;
    if n == 1 { b } else { b.into_iter().map(|x| x - mean).collect() }
}

fn solved(g: &Grid, b: &[f64], tolerance: f64) -> (Vec<f64>, usize) {
    let mut system = BoxSystem::default();
    system.fill(g.count, &g.own, g.up.each_ref().map(Vec::as_slice)).unwrap();
    let mut x = vec![0.0; b.len()];
    let report = system.solve(b, &mut x, CgParams { tolerance, max_iterations: 200 }, &mut BoxWorkspace::default()).unwrap();
    assert_eq!(report.status, CgStatus::Converged, "{report:?}");
    (x, report.iterations)
}

#[test]
fn the_solution_is_that_of_cholesky() {
    for count in [[7, 5, 6], [8, 8, 1], [1, 9, 4], [13, 1, 1], [1, 1, 1], [2, 2, 2], [3, 2, 1]] {
        for joined in [[false; 3], [true, false, true], [true; 3]] {
            let g = grid(count, joined, 3.0, 1.0, 1e-3);
            let b = balanced(g.own.len());
            let (x, _) = solved(&g, &b, 1e-11);
            let (mut edges, mut values) = (Vec::new(), Vec::new());
            let strides = [1, count[0], count[0] * count[1]];
            for axis in 0..3 {
                for (cell, k) in g.up[axis].iter().enumerate().filter(|(_, k)| **k > 0.0) {
                    let last = cell / strides[axis] % count[axis] + 1 == count[axis];
                    edges.push((
                        cell,
                        if last { cell + strides[axis] - strides[axis] * count[axis] } else { cell + strides[axis] },
                    ));
                    values.push(*k);
                }
            }
            let pattern = SymmetricPattern::from_edges(b.len(), &edges).unwrap();
            let mut matrix = SymmetricMatrix::zeros(&pattern);
            g.own.iter().enumerate().for_each(|(i, d)| matrix.add_diagonal(i, *d));
            values.iter().enumerate().for_each(|(edge, k)| matrix.add_conductance(edge, *k));
            let mut want = b.clone();
            let mut cholesky = Cholesky::analyse(&pattern).unwrap();
            cholesky.factorise(&matrix).unwrap();
            cholesky.solve_in_place(&mut want).unwrap();
            let size = want.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            for (a, b) in x.iter().zip(&want) {
                assert!((a - b).abs() < 1e-8 * size, "{count:?} {joined:?}: {a} {b}");
            }
        }
    }
}

#[test]
fn the_iterations_do_not_grow_with_the_grid() {
    for (decades, ratio, own, most) in [(0.0, 1.0, 1e-9, 18), (2.0, 1.0, 1e-6, 34), (0.0, 100.0, 1e-6, 20), (1.0, 1.0, 1.0, 16)] {
        let counts = [16, 32, 64].map(|n| {
            let g = grid([n; 3], [false; 3], decades, ratio, own);
            let b = balanced(g.own.len());
            solved(&g, &b, 1e-10).1
        });
        assert!(counts[2] <= most && counts[2] <= counts[0] + 5, "{decades} {ratio} {own}: {counts:?}");
    }
}

#[test]
fn what_is_not_definite_is_refused() {
    let g = grid([3, 3, 1], [false; 3], 0.0, 1.0, 1.0);
    let mut system = BoxSystem::default();
    let up = g.up.each_ref().map(Vec::as_slice);
    let mut own = g.own.clone();
    own[4] = -100.0;
    assert!(system.fill(g.count, &own, up).is_err());
    own[4] = f64::NAN;
    assert!(system.fill(g.count, &own, up).is_err());
    assert!(system.fill([3, 3, 2], &g.own, up).is_err());
    let b = vec![0.0; 9];
    assert!(BoxSystem::default().solve(&b, &mut b.clone(), CgParams::default(), &mut BoxWorkspace::default()).is_err());
}
