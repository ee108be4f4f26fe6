//! Where the values of a matrix and of the updates of fronts go: found once for each analysis, so that a factorisation only adds. No values.

use super::numeric::BlockSource;
use super::symbolic::{Analysis, Front};

/// A block of the matrix and its place in a front.
#[derive(Debug, Clone, Copy)]
struct Put {
    /// Where its values begin, row by row.
    from: usize,
    /// Where its first value goes.
    to: usize,
    rows: usize,
    columns: usize,
}

/// Neighbouring rows (and columns) of a front's update that are neighbours in its parent as well.
#[derive(Debug, Clone, Copy)]
struct Span {
    from: usize,
    to: usize,
    len: usize,
}

/// What goes where.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    /// Front after front.
    puts: Vec<Put>,
    puts_of: Vec<usize>,
    /// What each front hands to its parent, front after front.
    spans: Vec<Span>,
    spans_of: Vec<usize>,
}

impl Plan {
    pub(super) fn new(analysis: &Analysis, source: &impl BlockSource) -> Self {
        let mut plan = Self { puts: Vec::new(), puts_of: vec![0], spans: Vec::new(), spans_of: vec![0] };
        let mut place = vec![usize::MAX; analysis.starts.len()];
        for (index, front) in analysis.fronts.iter().enumerate() {
            for (i, &node) in front.nodes.iter().enumerate() {
                place[node] = front.offsets[i];
            }
            plan.put(analysis, index, &place, source);
            plan.puts_of.push(plan.puts.len());
            for &node in &front.nodes {
                place[node] = usize::MAX;
            }
            plan.hand_on(front);
            plan.spans_of.push(plan.spans.len());
        }
        plan
    }

    fn put(&mut self, analysis: &Analysis, index: usize, place: &[usize], source: &impl BlockSource) {
        let front = &analysis.fronts[index];
        let len = |node: usize| analysis.starts[node + 1] - analysis.starts[node];
        let mut put = |row: usize, column: usize| {
            let to = place[column] * front.size() + place[row];
            let block = source.start(row, column).map(|from| Put { from, to, rows: len(row), columns: len(column) });
            self.puts.extend(block);
        };
        for &node in &front.nodes[..front.pivots] {
            for &other in source.neighbours(node) {
                if place[other] == usize::MAX {
                    continue; // eliminated before: it is in a child's update
                }
                put(node, other);
                // a pair of pivots of this front is met from both sides
                if analysis.front_of[other] != index {
                    put(other, node);
                }
            }
        }
    }

    fn hand_on(&mut self, front: &Front) {
        let (base, first) = (front.pivot_size(), self.spans.len());
        for (k, &to) in front.parent_places.iter().enumerate() {
            let node = front.pivots + k;
            let (from, len) = (front.offsets[node] - base, front.offsets[node + 1] - front.offsets[node]);
            match self.spans[first..].last_mut() {
                Some(last) if last.from + last.len == from && last.to + last.len == to => last.len += len,
                _ => self.spans.push(Span { from, to, len }),
            }
        }
    }

    /// Adds the values that belong to a front to `f`, column by column.
    pub(super) fn assemble(&self, index: usize, size: usize, values: &[f64], f: &mut [f64]) {
        for put in &self.puts[self.puts_of[index]..self.puts_of[index + 1]] {
            let block = &values[put.from..put.from + put.rows * put.columns];
            for column in 0..put.columns {
                let target = &mut f[put.to + column * size..][..put.rows];
                for (t, row) in target.iter_mut().zip(block.chunks_exact(put.columns)) {
                    *t += row[column];
                }
            }
        }
    }

    /// Adds the update of a child (of `rest` columns) to `f`.
    pub(super) fn extend_add(&self, child: usize, rest: usize, size: usize, update: &[f64], f: &mut [f64]) {
        let spans = &self.spans[self.spans_of[child]..self.spans_of[child + 1]];
        for columns in spans {
            for j in 0..columns.len {
                let source = &update[(columns.from + j) * rest..][..rest];
                let target = &mut f[(columns.to + j) * size..][..size];
                for rows in spans {
                    for (t, s) in target[rows.to..rows.to + rows.len].iter_mut().zip(&source[rows.from..rows.from + rows.len]) {
                        *t += s;
                    }
                }
            }
        }
    }
}
