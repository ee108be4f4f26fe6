//! Values: assembly of fronts, their elimination, and substitution.

use super::dense::factor_front;
use super::symbolic::{Analysis, Front};

/// Pivots below this share of the largest entry of their front are replaced.
const TINY: f64 = 1e-15;

/// A matrix to factorise, given by dense blocks between nodes.
pub(in crate::local) trait BlockSource {
    /// Calls `add(i, j, value)` for the scalars of the block (row node, column node); nothing where the block is zero.
    /// Within the call i and j count from the start of the node.
    fn visit(&self, row: usize, column: usize, add: &mut dyn FnMut(usize, usize, f64));
    /// Neighbours of a node, itself included.
    fn neighbours(&self, node: usize) -> &[usize];
}

/// Factors of one matrix; its memory is reused by the next of the same analysis.
#[derive(Debug, Clone, Default)]
pub(in crate::local) struct Factors {
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
        let mut place = vec![usize::MAX; analysis.starts.len()];
        let mut updates: Vec<Vec<f64>> = (0..analysis.fronts.len()).map(|_| Vec::new()).collect();
        for (index, front) in analysis.fronts.iter().enumerate() {
            let mut f = self.spare.pop().unwrap_or_default();
            f.clear();
            f.resize(front.size() * front.size(), 0.0);
            for (i, &node) in front.nodes.iter().enumerate() {
                place[node] = front.offsets[i];
            }
            assemble(analysis, index, &place, source, &mut f);
            for &child in &front.children {
                let update = std::mem::take(&mut updates[child]);
                extend_add(&analysis.fronts[child], front.size(), &update, &mut f);
                self.spare.push(update);
            }
            for &node in &front.nodes {
                place[node] = usize::MAX;
            }
            let largest = f.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
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

fn assemble(analysis: &Analysis, index: usize, place: &[usize], source: &impl BlockSource, f: &mut [f64]) {
    let front = &analysis.fronts[index];
    let size = front.size();
    for &node in &front.nodes[..front.pivots] {
        for &other in source.neighbours(node) {
            let (a, b) = (place[node], place[other]);
            if b == usize::MAX {
                continue; // eliminated before: it is in a child's update
            }
            source.visit(node, other, &mut |i, j, value| f[(b + j) * size + a + i] += value);
            // a pair of pivots of this front is visited from both sides
            if analysis.front_of[other] != index {
                source.visit(other, node, &mut |i, j, value| f[(a + j) * size + b + i] += value);
            }
        }
    }
}

fn extend_add(child: &Front, size: usize, update: &[f64], f: &mut [f64]) {
    let rest = child.size() - child.pivot_size();
    let base = child.pivot_size();
    let spans: Vec<(usize, usize, usize)> = child
        .parent_places
        .iter()
        .enumerate()
        .map(|(k, &to)| {
            let node = child.pivots + k;
            (child.offsets[node] - base, to, child.offsets[node + 1] - child.offsets[node])
        })
        .collect();
    for &(from_column, to_column, width) in &spans {
        for j in 0..width {
            let source = &update[(from_column + j) * rest..(from_column + j + 1) * rest];
            let target = &mut f[(to_column + j) * size..(to_column + j + 1) * size];
            for &(from, to, height) in &spans {
                for (t, s) in target[to..to + height].iter_mut().zip(&source[from..from + height]) {
                    *t += s;
                }
            }
        }
    }
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
