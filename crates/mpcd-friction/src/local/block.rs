//! The Delassus operator stored by blocks: one D×D block per pair of contacts that share a body; products with it.
//! Unknowns that all contacts share stand beside the blocks ([`super::border`]). No solver and no cone here.

use super::border::{AXES, Border};
use super::work;

/// A dense D×D block, row by row.
pub type Block<const D: usize> = [[f64; D]; D];

/// `a += B x`.
#[inline]
pub fn add_block_product<const D: usize>(a: &mut [f64; D], block: &Block<D>, x: &[f64; D]) {
    for i in 0..D {
        for j in 0..D {
            a[i] += block[i][j] * x[j];
        }
    }
}

/// Square block-sparse matrix in compressed rows, columns ascending within a row; what few unknowns couple all rows by stands beside it.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockMatrix<const D: usize> {
    starts: Vec<usize>,
    columns: Vec<usize>,
    blocks: Vec<Block<D>>,
    diagonal: Vec<usize>,
    border: Option<Border<D>>,
}

/// What the shared unknowns of a matrix do for some impulses, carried along while these change one by one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Response(Option<[f64; AXES]>);

impl<const D: usize> BlockMatrix<D> {
    /// From scalar entries `(row, column, value)`, indices below `D·contacts`; duplicates are summed. Diagonal blocks
    /// are always stored, even when empty.
    #[must_use]
    pub fn from_entries(contacts: usize, entries: impl IntoIterator<Item = (usize, usize, f64)>) -> Self {
        let mut list: Vec<(usize, usize, f64)> = entries.into_iter().collect();
        list.sort_by_key(|&(row, column, _)| (row / D, column / D));
        let mut starts = vec![0; contacts + 1];
        let mut columns = Vec::new();
        let mut blocks: Vec<Block<D>> = Vec::new();
        let mut diagonal = Vec::with_capacity(contacts);
        let mut next = 0;
        for row in 0..contacts {
            let mut has_diagonal = false;
            while let Some(&(i, j, value)) = list.get(next).filter(|entry| entry.0 / D == row) {
                let column = j / D;
                if !has_diagonal && column >= row {
                    push_block(&mut columns, &mut blocks, row);
                    diagonal.push(blocks.len() - 1);
                    has_diagonal = true;
                }
                let in_this_row = columns.len() > starts[row];
                if !in_this_row || columns.last() != Some(&column) {
                    push_block(&mut columns, &mut blocks, column);
                }
                if let Some(block) = blocks.last_mut() {
                    block[i % D][j % D] += value;
                }
                next += 1;
            }
            if !has_diagonal {
                push_block(&mut columns, &mut blocks, row);
                diagonal.push(blocks.len() - 1);
            }
            starts[row + 1] = blocks.len();
        }
        Self { starts, columns, blocks, diagonal, border: None }
    }

    /// From block rows, each with its columns ascending and its diagonal block among them.
    #[must_use]
    pub(super) fn from_rows(rows: impl IntoIterator<Item = Vec<(usize, Block<D>)>>) -> Self {
        let mut matrix = Self { starts: vec![0], columns: Vec::new(), blocks: Vec::new(), diagonal: Vec::new(), border: None };
        for (row, list) in rows.into_iter().enumerate() {
            for (column, block) in list {
                if column == row {
                    matrix.diagonal.push(matrix.blocks.len());
                }
                push_block(&mut matrix.columns, &mut matrix.blocks, column);
                if let Some(last) = matrix.blocks.last_mut() {
                    *last = block;
                }
            }
            matrix.starts.push(matrix.blocks.len());
        }
        matrix
    }

    /// Number of block rows (contacts).
    #[must_use]
    pub fn len(&self) -> usize {
        self.diagonal.len()
    }

    /// True without contacts.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.diagonal.is_empty()
    }

    /// The same with unknowns beside it that couple all rows: `inverse` masses, and for each row its lever on each.
    #[must_use]
    pub(super) fn with_border(mut self, inverse: [f64; AXES], levers: Vec<[[f64; D]; AXES]>) -> Self {
        let diagonal = self.diagonal.iter().map(|&at| &self.blocks[at]);
        self.border = Some(Border::new(inverse, levers, diagonal));
        self
    }

    /// Number of stored blocks.
    #[must_use]
    pub fn block_count(&self) -> usize {
        self.blocks.len() + self.border.as_ref().map_or(0, |_| self.len())
    }

    /// Columns and blocks of one block row: all of them where unknowns are shared.
    pub fn row(&self, row: usize) -> impl Iterator<Item = (usize, Block<D>)> + '_ {
        let all = if self.border.is_some() { self.len() } else { 0 };
        let whole = self.border.iter().flat_map(move |border| {
            let own = move |column| self.get(row, column).copied().unwrap_or([[0.0; D]; D]);
            (0..all).map(move |column| (column, border.add_to(own(column), row, column)))
        });
        let end = if all == 0 { self.starts[row + 1] } else { self.starts[row] };
        (self.starts[row]..end).map(|at| (self.columns[at], self.blocks[at])).chain(whole)
    }

    /// Columns of the stored blocks of one block row, without those that it is coupled with by shared unknowns alone.
    #[must_use]
    pub fn row_columns(&self, row: usize) -> &[usize] {
        &self.columns[self.starts[row]..self.starts[row + 1]]
    }

    /// Rows that share unknowns, ascending; none where there are no such unknowns.
    pub(super) fn sharing(&self) -> impl Iterator<Item = usize> + '_ {
        self.border.iter().flat_map(|border| (0..self.len()).filter(|&row| border.reaches(row)))
    }

    /// Whether unknowns are shared.
    pub(super) const fn is_bordered(&self) -> bool {
        self.border.is_some()
    }

    /// Number of rows that a row is coupled with, itself included.
    pub(super) fn coupled(&self, row: usize) -> usize {
        if self.is_bordered() { self.len() } else { self.row_columns(row).len() }
    }

    /// A block `B_c` with `W ≤ diag(B_c)`: each part of W is bounded by its diagonal blocks times the number of rows it couples.
    pub(super) fn bound(&self, row: usize) -> Block<D> {
        let (own, share) = (self.blocks[self.diagonal[row]], self.row_columns(row).len() as f64);
        let Some(border) = &self.border else { return own.map(|line| line.map(|v| share * v)) };
        let (whole, all) = (border.diagonal(row), self.len() as f64);
        std::array::from_fn(|i| std::array::from_fn(|j| share * own[i][j] + all * (whole[i][j] - own[i][j])))
    }

    /// Diagonal block of a contact.
    #[must_use]
    pub fn diagonal(&self, row: usize) -> &Block<D> {
        self.border.as_ref().map_or_else(|| &self.blocks[self.diagonal[row]], |border| border.diagonal(row))
    }

    /// The block stored at (row, column), without what shared unknowns add ([`Self::row`] has that).
    #[must_use]
    pub fn get(&self, row: usize, column: usize) -> Option<&Block<D>> {
        let range = self.starts[row]..self.starts[row + 1];
        let at = self.columns[range.clone()].binary_search(&column).ok()?;
        self.blocks.get(range.start + at)
    }

    /// What the shared unknowns do for the impulses `x`.
    pub(super) fn response(&self, x: &[[f64; D]]) -> Response {
        Response(self.border.as_ref().map(|border| {
            work::count((2 * AXES * D * x.len()) as u64);
            border.response(x)
        }))
    }

    /// Takes up the change of one impulse.
    #[inline]
    pub(super) fn follow(&self, response: &mut Response, row: usize, old: &[f64; D], new: &[f64; D]) {
        if let (Some(border), Response(Some(response))) = (&self.border, response) {
            border.follow(response, row, &std::array::from_fn(|k| new[k] - old[k]));
        }
    }

    /// One block row of the product, `Σ_j W_ij x_j`, given what the shared unknowns do for `x`.
    #[inline]
    pub(super) fn row_with(&self, row: usize, x: &[[f64; D]], response: &Response) -> [f64; D] {
        work::count((2 * D * D * (self.starts[row + 1] - self.starts[row])) as u64);
        let mut sum = [0.0; D];
        let range = self.starts[row]..self.starts[row + 1];
        for (column, block) in self.columns[range.clone()].iter().zip(&self.blocks[range]) {
            add_block_product(&mut sum, block, &x[*column]);
        }
        if let (Some(border), Response(Some(response))) = (&self.border, response) {
            border.add_velocity(&mut sum, row, response);
        }
        sum
    }

    /// One block row of the product, `Σ_j W_ij x_j`; for all rows [`Self::multiply`] is the cheaper way.
    #[must_use]
    pub fn row_product(&self, row: usize, x: &[[f64; D]]) -> [f64; D] {
        self.row_with(row, x, &self.response(x))
    }

    /// `y = W x`.
    pub fn multiply(&self, x: &[[f64; D]], y: &mut [[f64; D]]) {
        let response = self.response(x);
        for (row, value) in y.iter_mut().enumerate() {
            *value = self.row_with(row, x, &response);
        }
    }

    /// `y = Wᵀ x`.
    pub(super) fn multiply_transposed(&self, x: &[[f64; D]], y: &mut [[f64; D]]) {
        y.fill([0.0; D]);
        for (row, x) in x.iter().enumerate() {
            for at in self.starts[row]..self.starts[row + 1] {
                let (block, y) = (&self.blocks[at], &mut y[self.columns[at]]);
                for i in 0..D {
                    for j in 0..D {
                        y[j] += block[i][j] * x[i];
                    }
                }
            }
        }
        if let Some(border) = &self.border {
            let response = border.response(x);
            y.iter_mut().enumerate().for_each(|(row, y)| border.add_velocity(y, row, &response));
        }
    }

    /// Every scalar as `(row, column, value)`, those of shared unknowns multiplied out.
    pub fn entries(&self) -> impl Iterator<Item = (usize, usize, f64)> {
        (0..self.len()).flat_map(move |row| {
            self.row(row).flat_map(move |(column, block)| {
                (0..D * D).map(move |k| (row * D + k / D, column * D + k % D, block[k / D][k % D]))
            })
        })
    }

    /// Every number that is stored.
    pub(super) fn values(&self) -> impl Iterator<Item = f64> + '_ {
        self.blocks.iter().flatten().flatten().copied().chain(self.border.iter().flat_map(Border::values))
    }

    /// Largest `|W_ij − W_jiᵀ|` relative to the largest entry, of what is stored by blocks: what is shared is symmetric.
    #[must_use]
    pub fn asymmetry(&self) -> f64 {
        let mut worst = 0.0_f64;
        let mut largest = 0.0_f64;
        for row in 0..self.len() {
            for at in self.starts[row]..self.starts[row + 1] {
                let (column, block) = (self.columns[at], &self.blocks[at]);
                let mirror = self.get(column, row);
                for i in 0..D {
                    for j in 0..D {
                        let other = mirror.map_or(0.0, |m| m[j][i]);
                        worst = worst.max((block[i][j] - other).abs());
                        largest = largest.max(block[i][j].abs());
                    }
                }
            }
        }
        if largest > 0.0 { worst / largest } else { 0.0 }
    }

    /// Submatrix of some contacts, numbered in the order given.
    #[must_use]
    pub fn restrict(&self, contacts: &[usize]) -> Self {
        let mut place = vec![usize::MAX; self.len()];
        for (new, &old) in contacts.iter().enumerate() {
            place[old] = new;
        }
        let entries = contacts.iter().enumerate().flat_map(|(new, &old)| {
            let place = &place;
            let stored = (self.starts[old]..self.starts[old + 1]).map(move |at| (self.columns[at], &self.blocks[at]));
            stored.filter(move |(column, _)| place[*column] != usize::MAX).flat_map(move |(column, block)| {
                let to = place[column];
                (0..D * D).map(move |k| (new * D + k / D, to * D + k % D, block[k / D][k % D]))
            })
        });
        let border = self.border.as_ref().map(|border| border.restrict(contacts));
        Self { border, ..Self::from_entries(contacts.len(), entries) }
    }
}

fn push_block<const D: usize>(columns: &mut Vec<usize>, blocks: &mut Vec<Block<D>>, column: usize) {
    columns.push(column);
    blocks.push([[0.0; D]; D]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> BlockMatrix<2> {
        // two contacts coupled through one entry, a third one empty; (1, 1) is given twice
        BlockMatrix::from_entries(
            3,
            [(0, 0, 2.0), (1, 1, 1.0), (1, 1, 0.5), (1, 2, -0.25), (2, 1, -0.25), (2, 2, 3.0), (3, 3, 4.0)],
        )
    }

    #[test]
    fn products_and_restriction_agree_with_the_dense_matrix() {
        let w = sample();
        assert_eq!(w.block_count(), 5);
        let mut y = [[0.0; 2]; 3];
        w.multiply(&[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], &mut y);
        assert_eq!(y, [[2.0, 2.25], [8.5, 16.0], [0.0, 0.0]]);
        assert_eq!(w.asymmetry(), 0.0);
        let part = w.restrict(&[1, 0]);
        assert_eq!(part.get(0, 1), Some(&[[0.0, -0.25], [0.0, 0.0]]));
        assert_eq!(part.diagonal(1), &[[2.0, 0.0], [0.0, 1.5]]);
    }

    #[test]
    fn asymmetry_is_seen_even_where_the_mirror_block_is_missing() {
        let w = BlockMatrix::<2>::from_entries(2, [(0, 0, 2.0), (0, 2, 1.0), (2, 2, 2.0)]);
        assert!((w.asymmetry() - 0.5).abs() < 1e-15);
    }
}
