//! Which way to solve a system is cheaper, by counted operations: no clock, so that the choice is the same on every machine and in
//! every run. The weights come from measured times (`cargo bench -p mpcd-sparse`).

use crate::cholesky::Cholesky;
use crate::symmetric::SymmetricMatrix;

/// Cost of an operation of a sparse product or substitution over one of a dense factorisation.
const SPARSE: f64 = 8.0;

/// Operations, as those of a factorisation, that ordering and analysing take per stored entry of the matrix.
const ANALYSIS: f64 = 4000.0;

/// Iterations of conjugate gradients with a symmetric sweep per root of the condition number and natural logarithm of the gain.
const PER_ROOT: f64 = 0.17;

/// A row with this part of its diagonal beyond its couplings is as good as held.
const ANCHORED: f64 = 0.1;

/// Least dominance with which the diagonal is the better preconditioner: an iteration then gains a digit and a half, and a sweep, which would gain three, takes about as long to be made as
/// ten iterations.
const DOMINANT: f64 = 0.95;

/// Counted work of one solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Work {
    /// Iterations that conjugate gradients are expected to take.
    pub iterations: f64,
    /// Weighted operations of those.
    pub iterative: f64,
    /// Weighted operations of ordering, factorisation and solves; at least, where the pattern was not analysed.
    pub direct: f64,
}

/// Operations of a factorisation over Σ w³ of the levels of the graph from one of its ends, w rows each: counted 0.11 to 0.9 in chains, strips, planes, bars and cubes of
/// 10³ to 10⁵ rows, in a good order.
const PER_CUBED_WIDTH: f64 = 0.25;

/// A row with this many times the mean number of couplings, and no fewer than the second, joins what would else be far apart: a plate on grains. It is
/// eliminated last and makes no level wide.
const HUB: [usize; 2] = [8, 32];

/// Work of conjugate gradients until the residual has fallen to the part `accuracy`, and about the least that a factorisation can take.
pub(crate) fn without_analysis(matrix: &SymmetricMatrix, dominance: &[f64], accuracy: f64) -> Work {
    let gain = (2.0 / accuracy.max(1e-16)).ln();
    let (n, stored) = (matrix.size() as f64, matrix.pattern().stored() as f64);
    let analysis = ANALYSIS * stored;
    // two substitutions over one triangle each, and the vectors
    let once = 3.0 * stored + 6.0 * n;
    let work = |root: f64, direct: f64| {
        let iterations = 1.0 + PER_ROOT * root * gain;
        Work { iterations, iterative: SPARSE * once * (iterations + 1.0), direct }
    };
    let by_dominance = root_by_dominance(dominance).min(n).max(1.0);
    let bounded = work(by_dominance, analysis);
    if bounded.iterative <= analysis {
        // the graph can tell of no cheaper way
        return bounded;
    }
    if u32::try_from(2 * matrix.pattern().stored()).is_err() {
        // no factor of that has room anywhere
        return Work { direct: f64::INFINITY, ..bounded };
    }
    let graph = Graph::of(matrix);
    let root = root_by_distance(dominance, &graph).min(by_dominance);
    let bounded = work(root, analysis);
    if bounded.iterative <= analysis {
        // nor can its widths
        return bounded;
    }
    work(root, analysis + PER_CUBED_WIDTH * graph.cubed_widths())
}

/// The same with the factorisation counted from its analysis.
pub(crate) fn with_analysis(work: Work, matrix: &SymmetricMatrix, cholesky: &Cholesky) -> Work {
    let analysis = ANALYSIS * matrix.pattern().stored() as f64;
    // two solves: one is the answer, the other refines it
    Work { direct: analysis + cholesky.operations() + SPARSE * 8.0 * cholesky.stored() as f64, ..work }
}

/// The rows that couple with each row.
struct Graph {
    starts: Vec<u32>,
    neighbours: Vec<u32>,
}

impl Graph {
    fn of(matrix: &SymmetricMatrix) -> Self {
        let n = matrix.size();
        let (columns, values) = (matrix.pattern().columns(), matrix.values());
        let mut starts = vec![0_u32; n + 2];
        let edges =
            || (0..n).flat_map(|column| (columns.starts[column] + 1..columns.starts[column + 1]).map(move |slot| (column, slot)));
        let coupled = |e: &(usize, usize)| values[e.1] != 0.0;
        for (column, slot) in edges().filter(coupled) {
            starts[column + 2] += 1;
            starts[columns.rows[slot] + 2] += 1;
        }
        for i in 2..n + 2 {
            starts[i] += starts[i - 1];
        }
        let mut neighbours = vec![0_u32; starts[n + 1] as usize];
        for (column, slot) in edges().filter(coupled) {
            let row = columns.rows[slot];
            for (from, to) in [(column, row), (row, column)] {
                neighbours[starts[from + 1] as usize] = to as u32;
                starts[from + 1] += 1;
            }
        }
        Self { starts, neighbours }
    }

    fn of_row(&self, row: usize) -> &[u32] {
        &self.neighbours[self.starts[row] as usize..self.starts[row + 1] as usize]
    }

    fn rows(&self) -> usize {
        self.starts.len() - 2
    }

    /// Adds levels from `front` on to the rows with `level` `usize::MAX`, and returns how many rows each has and a row of the last.
    fn levels(&self, mut front: Vec<usize>, level: &mut [usize]) -> (Vec<usize>, Option<usize>) {
        let (mut widths, mut last) = (Vec::new(), None);
        front.iter().for_each(|&i| level[i] = 0);
        while !front.is_empty() {
            widths.push(front.len());
            last = front.first().copied();
            let mut next = Vec::new();
            for &i in &front {
                for j in self.of_row(i).iter().map(|j| *j as usize) {
                    if level[j] == usize::MAX {
                        level[j] = widths.len();
                        next.push(j);
                    }
                }
            }
            front = next;
        }
        (widths, last)
    }

    /// Σ w³ of the levels of all parts, each from one of its ends.
    fn cubed_widths(&self) -> f64 {
        let n = self.rows();
        let many = HUB[1].max(HUB[0] * self.neighbours.len() / n.max(1));
        let (mut seen, mut level) = (vec![usize::MAX; n], vec![usize::MAX; n]);
        for row in (0..n).filter(|row| self.of_row(*row).len() > many) {
            (seen[row], level[row]) = (0, 0);
        }
        let mut sum = 0.0;
        for row in 0..n {
            if seen[row] == usize::MAX
                && let (_, Some(end)) = self.levels(vec![row], &mut seen)
            {
                let (widths, _) = self.levels(vec![end], &mut level);
                sum += widths.iter().map(|w| (*w as f64).powi(3)).sum::<f64>();
            }
        }
        sum
    }
}

/// What the diagonal of each row has beyond its couplings, over itself.
pub(crate) fn dominance(matrix: &SymmetricMatrix, rest: &mut Vec<f64>) {
    let n = matrix.size();
    let (columns, values) = (matrix.pattern().columns(), matrix.values());
    rest.clear();
    rest.extend((0..n).map(|i| matrix.diagonal(i)));
    for column in 0..n {
        for slot in columns.starts[column] + 1..columns.starts[column + 1] {
            rest[column] -= values[slot].abs();
            rest[columns.rows[slot]] -= values[slot].abs();
        }
    }
    rest.iter_mut().enumerate().for_each(|(i, rest)| *rest /= matrix.diagonal(i));
}

/// Whether the diagonal is all that conjugate gradients need: of a matrix scaled to a unit diagonal with the least dominance δ the eigenvalues lie between δ and 2 − δ (Gershgorin), so an
/// iteration leaves (1 − √(1 − (1 − δ)²))/(1 − δ) of the error, or less.
pub(crate) fn is_dominant(dominance: &[f64]) -> bool {
    dominance.iter().copied().fold(1.0, f64::min) >= DOMINANT
}

/// Most of the root of the condition number of the matrix scaled to a unit diagonal: with the least dominance δ of a row √(2/δ) (Gershgorin).
fn root_by_dominance(dominance: &[f64]) -> f64 {
    let least = dominance.iter().copied().fold(1.0, f64::min);
    if least > 1e-12 { (2.0 / least).sqrt() } else { f64::INFINITY }
}

/// About the same as if its couplings were even, where rows have no dominance: it grows with the number of couplings up to the next row that is as good as held.
/// A chain of D even ones has 4D/π, of which an incomplete factorisation leaves less than half.
fn root_by_distance(dominance: &[f64], graph: &Graph) -> f64 {
    let mut level = vec![usize::MAX; dominance.len()];
    let anchored: Vec<usize> = (0..dominance.len()).filter(|i| dominance[*i] >= ANCHORED).collect();
    let depth = graph.levels(anchored, &mut level).0.len().max(1);
    let reached = level.iter().all(|l| *l != usize::MAX);
    if reached { ((2.0 / ANCHORED).sqrt() + 0.5 * depth as f64).max(1.0) } else { f64::INFINITY }
}
