//! Values: assembly of fronts, their elimination, and substitution.

use super::dense::factor_front;
use super::plan::Plan;
use super::symbolic::{Analysis, Front};

/// Pivots below this share of the largest entry of their front are replaced.
const TINY: f64 = 1e-15;

/// A matrix to factorise, given by dense blocks between nodes.
pub(in crate::local) trait BlockSource {
    /// All its scalars, block after block, each row by row.
    fn values(&self) -> &[f64];
    /// Where the block (row node, column node) begins in them, the same for all matrices of one pattern; `None` where it is zero.
    fn start(&self, row: usize, column: usize) -> Option<usize>;
    /// Neighbours of a node, itself included.
    fn neighbours(&self, node: usize) -> &[usize];
}

/// Factors of one matrix; its memory is reused by the next of the same analysis.
#[derive(Debug, Clone, Default)]
pub(in crate::local) struct Factors {
    plan: Option<Plan>,
    fronts: Vec<Stored>,
    spare: Vec<Vec<f64>>,
    work: Vec<f64>,
    /// Pivots replaced in the last factorisation.
    pub(in crate::local) replaced: usize,
    /// Sign of the determinant of the last matrix.
    pub(in crate::local) sign: f64,
}

/// The eliminated columns (size × pivots) and rows (pivots × rest) of a front, and its row exchanges.
#[derive(Debug, Clone, Default)]
struct Stored {
    columns: Vec<f64>,
    rows: Vec<f64>,
    exchanges: Vec<usize>,
}

impl Factors {
    /// Factorises; values come from `source`.
    pub(in crate::local) fn factorise(&mut self, analysis: &Analysis, source: &impl BlockSource) {
        self.fronts.resize_with(analysis.fronts.len(), Stored::default);
        self.replaced = 0;
        let mut odd = false;
        let plan = self.plan.get_or_insert_with(|| Plan::new(analysis, source));
        let mut updates: Vec<Vec<f64>> = (0..analysis.fronts.len()).map(|_| Vec::new()).collect();
        for (index, front) in analysis.fronts.iter().enumerate() {
            let mut f = self.spare.pop().unwrap_or_default();
            f.clear();
            f.resize(front.size() * front.size(), 0.0);
            plan.assemble(index, front.size(), source.values(), &mut f);
            for &child in &front.children {
                let update = std::mem::take(&mut updates[child]);
                let rest = analysis.fronts[child].size() - analysis.fronts[child].pivot_size();
                plan.extend_add(child, rest, front.size(), &update, &mut f);
                self.spare.push(update);
            }
            let largest = largest(&f);
            let stored = &mut self.fronts[index];
            stored.exchanges.resize(front.pivot_size(), 0);
            let tiny = if largest > 0.0 { TINY * largest } else { 1.0 };
            self.replaced += factor_front(&mut f, front.size(), front.pivot_size(), &mut stored.exchanges, tiny);
            odd ^= stored.exchanges.iter().enumerate().filter(|(k, best)| k != *best).count() % 2 == 1;
            odd ^= (0..front.pivot_size()).filter(|k| f[k * front.size() + k] < 0.0).count() % 2 == 1;
            let mut update = self.spare.pop().unwrap_or_default();
            stored.keep(front, &f, &mut update);
            updates[index] = update;
            self.spare.push(f);
        }
        self.sign = if odd { -1.0 } else { 1.0 };
        self.spare.truncate(64);
    }

    /// Replaces a right-hand side by the solution.
    pub(in crate::local) fn solve(&mut self, analysis: &Analysis, x: &mut [f64]) {
        let mut work = std::mem::take(&mut self.work);
        for (front, stored) in analysis.fronts.iter().zip(&self.fronts) {
            stored.forward(analysis, front, x, &mut work);
        }
        for (front, stored) in analysis.fronts.iter().zip(&self.fronts).rev() {
            stored.backward(analysis, front, x, &mut work);
        }
        self.work = work;
    }
}

/// The largest size of some numbers, in lanes; what is no number counts as none.
fn largest(f: &[f64]) -> f64 {
    let greater = |m: f64, v: f64| if v.abs() > m { v.abs() } else { m };
    let (lanes, rest) = f.as_chunks::<8>();
    let mut most = [0.0; 8];
    for lane in lanes {
        most.iter_mut().zip(lane).for_each(|(m, v)| *m = greater(*m, *v));
    }
    most.iter().chain(rest).fold(0.0, |m, v| greater(m, *v))
}

impl Stored {
    fn keep(&mut self, front: &Front, f: &[f64], update: &mut Vec<f64>) {
        let (size, pivots) = (front.size(), front.pivot_size());
        self.columns.clear();
        self.columns.extend_from_slice(&f[..size * pivots]);
        self.rows.clear();
        update.clear();
        for column in f[size * pivots..].chunks_exact(size) {
            self.rows.extend_from_slice(&column[..pivots]);
            update.extend_from_slice(&column[pivots..]);
        }
    }

    fn forward(&self, analysis: &Analysis, front: &Front, x: &mut [f64], work: &mut Vec<f64>) {
        let (size, pivots) = (front.size(), front.pivot_size());
        gather(analysis, front, 0, front.nodes.len(), x, work);
        for (k, &best) in self.exchanges.iter().enumerate() {
            work.swap(k, best);
        }
        for k in 0..pivots {
            let factor = work[k];
            let lower = &self.columns[k * size + k + 1..(k + 1) * size];
            for (value, l) in work[k + 1..].iter_mut().zip(lower) {
                *value -= factor * l;
            }
        }
        scatter(analysis, front, front.nodes.len(), work, x);
    }

    fn backward(&self, analysis: &Analysis, front: &Front, x: &mut [f64], work: &mut Vec<f64>) {
        let (size, pivots) = (front.size(), front.pivot_size());
        gather(analysis, front, 0, front.nodes.len(), x, work);
        let (head, rest) = work.split_at_mut(pivots);
        for (column, value) in self.rows.chunks_exact(pivots.max(1)).zip(rest.iter()) {
            for (h, u) in head.iter_mut().zip(column) {
                *h -= u * value;
            }
        }
        for k in (0..pivots).rev() {
            let column = &self.columns[k * size..(k + 1) * size];
            head[k] /= column[k];
            let factor = head[k];
            for (h, u) in head[..k].iter_mut().zip(column) {
                *h -= factor * u;
            }
        }
        scatter(analysis, front, front.pivots, work, x);
    }
}

fn gather(analysis: &Analysis, front: &Front, from: usize, to: usize, x: &[f64], work: &mut Vec<f64>) {
    work.clear();
    for &node in &front.nodes[from..to] {
        work.extend_from_slice(&x[analysis.starts[node]..analysis.starts[node + 1]]);
    }
}

fn scatter(analysis: &Analysis, front: &Front, to: usize, work: &[f64], x: &mut [f64]) {
    for (i, &node) in front.nodes[..to].iter().enumerate() {
        x[analysis.starts[node]..analysis.starts[node + 1]].copy_from_slice(&work[front.offsets[i]..front.offsets[i + 1]]);
    }
}
