//! The Delassus operator stored by blocks: one D×D block per pair of contacts that share a body; products with it.
//! No solver and no cone here.

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

/// Square block-sparse matrix in compressed rows, columns ascending within a row.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockMatrix<const D: usize> {
    starts: Vec<usize>,
    columns: Vec<usize>,
    blocks: Vec<Block<D>>,
    diagonal: Vec<usize>,
}

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
        Self { starts, columns, blocks, diagonal }
    }

    /// From block rows, each with its columns ascending and its diagonal block among them.
    #[must_use]
    pub(super) fn from_rows(rows: impl IntoIterator<Item = Vec<(usize, Block<D>)>>) -> Self {
        let mut matrix = Self { starts: vec![0], columns: Vec::new(), blocks: Vec::new(), diagonal: Vec::new() };
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

    /// Number of stored blocks.
    #[must_use]
    pub fn block_count(&self) -> usize {
        self.blocks.len()
    }

    /// Columns and blocks of one block row.
    pub fn row(&self, row: usize) -> impl Iterator<Item = (usize, &Block<D>)> {
        let range = self.starts[row]..self.starts[row + 1];
        self.columns[range.clone()].iter().copied().zip(&self.blocks[range])
    }

    /// Block columns of one block row.
    #[must_use]
    pub fn row_columns(&self, row: usize) -> &[usize] {
        &self.columns[self.starts[row]..self.starts[row + 1]]
    }

    /// Diagonal block of a contact.
    #[must_use]
    pub fn diagonal(&self, row: usize) -> &Block<D> {
        &self.blocks[self.diagonal[row]]
    }

    /// The block at (row, column), if it is stored.
    #[must_use]
    pub fn get(&self, row: usize, column: usize) -> Option<&Block<D>> {
        let range = self.starts[row]..self.starts[row + 1];
        let at = self.columns[range.clone()].binary_search(&column).ok()?;
        self.blocks.get(range.start + at)
    }

    /// One block row of the product, `Σ_j W_ij x_j`.
    #[inline]
    #[must_use]
    pub fn row_product(&self, row: usize, x: &[[f64; D]]) -> [f64; D] {
        work::count((2 * D * D * (self.starts[row + 1] - self.starts[row])) as u64);
        let mut sum = [0.0; D];
        for (column, block) in self.row(row) {
            add_block_product(&mut sum, block, &x[column]);
        }
        sum
    }

    /// `y = W x`.
    pub fn multiply(&self, x: &[[f64; D]], y: &mut [[f64; D]]) {
        for (row, value) in y.iter_mut().enumerate() {
            *value = self.row_product(row, x);
        }
    }

    /// Every stored scalar as `(row, column, value)`.
    pub fn entries(&self) -> impl Iterator<Item = (usize, usize, f64)> {
        (0..self.len()).flat_map(move |row| {
            self.row(row).flat_map(move |(column, block)| {
                (0..D * D).map(move |k| (row * D + k / D, column * D + k % D, block[k / D][k % D]))
            })
        })
    }

    /// Largest `|W_ij − W_jiᵀ|` relative to the largest entry.
    #[must_use]
    pub fn asymmetry(&self) -> f64 {
        let mut worst = 0.0_f64;
        let mut largest = 0.0_f64;
        for row in 0..self.len() {
            for (column, block) in self.row(row) {
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
            self.row(old).filter(move |(column, _)| place[*column] != usize::MAX).flat_map(move |(column, block)| {
                let to = place[column];
                (0..D * D).map(move |k| (new * D + k / D, to * D + k % D, block[k / D][k % D]))
            })
        });
        Self::from_entries(contacts.len(), entries)
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
