//! The factorisation against products with known vectors.

use super::numeric::BlockSource;
use super::{Analysis, Factors};
use crate::random::SplitMix;

struct Sample {
    sizes: Vec<usize>,
    neighbours: Vec<Vec<usize>>,
    values: Vec<Vec<Vec<f64>>>,
}

impl BlockSource for Sample {
    fn visit(&self, row: usize, column: usize, add: &mut dyn FnMut(usize, usize, f64)) {
        let at = self.neighbours[row].iter().position(|&c| c == column).unwrap_or(usize::MAX);
        for (k, value) in self.values[row][at].iter().enumerate() {
            add(k / self.sizes[column], k % self.sizes[column], *value);
        }
    }
    fn neighbours(&self, node: usize) -> &[usize] {
        &self.neighbours[node]
    }
}

fn sample(seed: u64, n: usize, links: usize) -> Sample {
    let mut random = SplitMix::new(seed);
    let sizes: Vec<usize> = (0..n).map(|_| 1 + (random.next() % 6) as usize).collect();
    let mut neighbours: Vec<Vec<usize>> = (0..n).map(|i| vec![i]).collect();
    for _ in 0..links {
        let (a, b) = ((random.next() % n as u64) as usize, (random.next() % n as u64) as usize);
        if !neighbours[a].contains(&b) {
            neighbours[a].push(b);
            neighbours[b].push(a);
        }
    }
    let values = (0..n)
        .map(|i| {
            neighbours[i]
                .iter()
                .map(|&j| {
                    (0..sizes[i] * sizes[j])
                        .map(|k| random.signed() + if i == j && k % (sizes[i] + 1) == 0 { 3.0 } else { 0.0 })
                        .collect()
                })
                .collect()
        })
        .collect();
    Sample { sizes, neighbours, values }
}

#[test]
fn solutions_are_recovered_on_random_graphs() {
    for seed in 0..20 {
        let n = 3 + 7 * seed as usize;
        let matrix = sample(seed, n, 2 * n);
        let analysis = Analysis::new(&matrix.sizes, &matrix.neighbours);
        assert_eq!(analysis.size(), matrix.sizes.iter().sum::<usize>());
        let mut random = SplitMix::new(99 + seed);
        let exact: Vec<f64> = (0..analysis.size()).map(|_| random.signed()).collect();
        let starts: Vec<usize> = matrix
            .sizes
            .iter()
            .scan(0, |s, k| {
                let at = *s;
                *s += k;
                Some(at)
            })
            .collect();
        let mut rhs = vec![0.0; analysis.size()];
        for i in 0..n {
            for &j in &matrix.neighbours[i] {
                matrix.visit(i, j, &mut |a, b, value| rhs[starts[i] + a] += value * exact[starts[j] + b]);
            }
        }
        let mut factors = Factors::default();
        // twice: the memory of the first must not leak into the second
        for _ in 0..2 {
            factors.factorise(&analysis, &matrix);
        }
        factors.solve(&analysis, &mut rhs);
        assert_eq!(factors.replaced, 0);
        let error = rhs.iter().zip(&exact).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
        assert!(error < 1e-8, "seed {seed}: {error:e}");
    }
}

#[test]
fn a_singular_matrix_gives_finite_numbers() {
    let mut matrix = sample(3, 12, 20);
    for row in &mut matrix.values {
        for block in row {
            block.iter_mut().for_each(|v| *v = 0.0);
        }
    }
    let analysis = Analysis::new(&matrix.sizes, &matrix.neighbours);
    let mut factors = Factors::default();
    factors.factorise(&analysis, &matrix);
    let mut x = vec![1.0; analysis.size()];
    factors.solve(&analysis, &mut x);
    assert_eq!(factors.replaced, analysis.size());
    assert!(x.iter().all(|v| v.is_finite()));
}
