//! Partial LU of a dense front, column by column storage; no sparsity.

use mpcd_sparse::subtract_product;

/// Columns eliminated between two products with the rest of the front.
const PANEL: usize = 16;

/// Eliminates the first `pivots` unknowns of the `size × size` front `f` (columns contiguous). Row exchanges within the
/// pivot rows go to `exchanges`. Pivots smaller than `tiny` are replaced by ±`tiny`; returns how many.
pub(super) fn factor_front(f: &mut [f64], size: usize, pivots: usize, exchanges: &mut [usize], tiny: f64) -> usize {
    let mut replaced = 0;
    let mut start = 0;
    while start < pivots {
        let end = (start + PANEL).min(pivots);
        for k in start..end {
            replaced += eliminate_column(f, size, pivots, k, end, exchanges, tiny);
        }
        if end < size {
            update_rest(f, size, start, end);
        }
        start = end;
    }
    replaced
}

fn eliminate_column(
    f: &mut [f64],
    size: usize,
    pivots: usize,
    k: usize,
    end: usize,
    exchanges: &mut [usize],
    tiny: f64,
) -> usize {
    let column = &f[k * size..(k + 1) * size];
    let mut best = k;
    for i in k + 1..pivots {
        if column[i].abs() > column[best].abs() {
            best = i;
        }
    }
    exchanges[k] = best;
    if best != k {
        for j in 0..size {
            f.swap(j * size + k, j * size + best);
        }
    }
    let (head, tail) = f.split_at_mut((k + 1) * size);
    let column = &mut head[k * size..];
    let mut replaced = 0;
    if !(column[k].abs() >= tiny) {
        column[k] = if column[k] < 0.0 { -tiny } else { tiny };
        replaced = 1;
    }
    let inverse = 1.0 / column[k];
    for value in &mut column[k + 1..] {
        *value *= inverse;
    }
    let lower = &column[k + 1..];
    for other in tail.chunks_exact_mut(size).take(end - k - 1) {
        let factor = other[k];
        if factor != 0.0 {
            for (value, l) in other[k + 1..].iter_mut().zip(lower) {
                *value -= factor * l;
            }
        }
    }
    replaced
}

/// Columns right of the panel: rows of U by forward substitution, then the product with the panel's lower part.
fn update_rest(f: &mut [f64], size: usize, start: usize, end: usize) {
    let (panel, rest) = f.split_at_mut(end * size);
    for column in rest.chunks_exact_mut(size) {
        for k in start..end {
            let factor = column[k];
            if factor != 0.0 {
                let lower = &panel[k * size + k + 1..k * size + end];
                for (value, l) in column[k + 1..end].iter_mut().zip(lower) {
                    *value -= factor * l;
                }
            }
        }
    }
    subtract_product(rest, &panel[start * size + end..], size, start, end);
}
