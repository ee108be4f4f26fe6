//! The factorisation against products with known vectors.

use super::numeric::BlockSource;
use super::{Analysis, Factors};
use mpcd_sparse::minimum_degree;

use crate::random::SplitMix;

struct Sample {
    sizes: Vec<usize>,
    neighbours: Vec<Vec<usize>>,
    values: Vec<f64>,
    /// Where the blocks of each row begin in the values, as their neighbours.
    starts: Vec<Vec<usize>>,
}

impl BlockSource for Sample {
    fn values(&self) -> &[f64] {
        &self.values
    }
    fn start(&self, row: usize, column: usize) -> Option<usize> {
        let at = self.neighbours[row].iter().position(|&c| c == column)?;
        Some(self.starts[row][at])
    }
    fn neighbours(&self, node: usize) -> &[usize] {
        &self.neighbours[node]
    }
}

fn sample(seed: u64, n: usize, links: usize) -> Sample {
    let mut random = SplitMix::new(seed);
    let sizes = (0..n).map(|_| 1 + (random.next() % 6) as usize).collect();
    let mut neighbours: Vec<Vec<usize>> = (0..n).map(|i| vec![i]).collect();
    for _ in 0..links {
        let (a, b) = ((random.next() % n as u64) as usize, (random.next() % n as u64) as usize);
        if !neighbours[a].contains(&b) {
            neighbours[a].push(b);
            neighbours[b].push(a);
        }
    }
    with_values(sizes, neighbours, &mut random)
}

/// A cube of `edge`³ nodes of three unknowns, each beside those within a step along every axis.
fn cube(edge: usize) -> Sample {
    let n = edge.pow(3);
    let place = |node: usize| [node % edge, node / edge % edge, node / edge / edge];
    let beside = |a: usize, b: usize| place(a).iter().zip(place(b)).all(|(x, y)| x.abs_diff(y) <= 1);
    let reach = edge * edge + edge + 1;
    let near = |a: usize| (a.saturating_sub(reach)..n.min(a + reach + 1)).filter(|&b| beside(a, b)).collect();
    with_values(vec![3; n], (0..n).map(near).collect(), &mut SplitMix::new(8))
}

fn with_values(sizes: Vec<usize>, neighbours: Vec<Vec<usize>>, random: &mut SplitMix) -> Sample {
    let (mut values, mut starts) = (Vec::new(), vec![Vec::new(); sizes.len()]);
    for i in 0..sizes.len() {
        for &j in &neighbours[i] {
            starts[i].push(values.len());
            values.extend(
                (0..sizes[i] * sizes[j]).map(|k| random.signed() + if i == j && k % (sizes[i] + 1) == 0 { 3.0 } else { 0.0 }),
            );
        }
    }
    Sample { sizes, neighbours, values, starts }
}

#[test]
fn solutions_are_recovered_on_random_graphs() {
    for seed in 0..20 {
        let n = 3 + 7 * seed as usize;
        let error = error_of_a_known_solution(&sample(seed, n, 2 * n), 99 + seed);
        assert!(error < 1e-8, "seed {seed}: {error:e}");
    }
}

/// A graph of much fill is dissected: fewer operations than by minimum degree, and the same solutions.
#[test]
fn cubes_are_dissected() {
    let matrix = cube(13);
    let dissected = Analysis::new(&matrix.sizes, &matrix.neighbours);
    let by_degree = Analysis::in_order(&matrix.sizes, &matrix.neighbours, &minimum_degree(&matrix.neighbours));
    assert!(dissected.flops() < by_degree.flops(), "{:e} {:e}", dissected.flops(), by_degree.flops());
    let error = error_of_a_known_solution(&matrix, 7);
    assert!(error < 1e-6, "{error:e}");
}

/// Largest error of the solution where it is known.
fn error_of_a_known_solution(matrix: &Sample, seed: u64) -> f64 {
    let analysis = Analysis::new(&matrix.sizes, &matrix.neighbours);
    assert_eq!(analysis.size(), matrix.sizes.iter().sum::<usize>());
    let mut random = SplitMix::new(seed);
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
    for i in 0..matrix.sizes.len() {
        for &j in &matrix.neighbours[i] {
            let (rows, columns) = (matrix.sizes[i], matrix.sizes[j]);
            let from = matrix.start(i, j).unwrap_or(usize::MAX);
            for k in 0..rows * columns {
                rhs[starts[i] + k / columns] += matrix.values[from + k] * exact[starts[j] + k % columns];
            }
        }
    }
    let mut factors = Factors::default();
    // twice: the memory of the first must not leak into the second
    for _ in 0..2 {
        factors.factorise(&analysis, matrix);
    }
    factors.solve(&analysis, &mut rhs);
    assert_eq!(factors.replaced, 0);
    rhs.iter().zip(&exact).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()))
}

#[test]
fn a_singular_matrix_gives_finite_numbers() {
    let mut matrix = sample(3, 12, 20);
    matrix.values.fill(0.0);
    let analysis = Analysis::new(&matrix.sizes, &matrix.neighbours);
    let mut factors = Factors::default();
    factors.factorise(&analysis, &matrix);
    let mut x = vec![1.0; analysis.size()];
    factors.solve(&analysis, &mut x);
    assert_eq!(factors.replaced, analysis.size());
    assert!(x.iter().all(|v| v.is_finite()));
}
