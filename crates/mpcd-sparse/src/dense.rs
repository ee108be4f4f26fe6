//! Products of dense blocks, for factorisations by fronts that live elsewhere. No factorisation here.

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};

/// In a block of `size` rows, columns contiguous: subtracts from its rows `end..` the product of `lower`, whose `end − start` columns of
/// `size − end` rows begin `size` apart, and the block's own rows `start..end`. On one thread.
///
/// # Panics
/// Where the slices are shorter than these sizes say.
pub fn subtract_product(block: &mut [f64], lower: &[f64], size: usize, start: usize, end: usize) {
    let columns = block.len() / size.max(1);
    if columns == 0 || end >= size {
        return;
    }
    let lower = MatRef::from_column_major_slice_with_stride(lower, size - end, end - start, size);
    let all = MatMut::from_column_major_slice_with_stride_mut(block, size, columns, size);
    let (upper, target) = all.split_at_row_mut(end);
    let upper = upper.split_at_row_mut(start).1;
    matmul(target, Accum::Add, lower, upper.as_ref(), -1.0, Par::Seq);
}
