//! Blocks and orders that other factorisations take: against loops, and on graphs whose best order is known.

use mpcd_sparse::{minimum_degree, nested_dissection, subtract_product};

#[test]
fn a_product_is_subtracted_from_the_rows_below_and_nothing_else_changes() {
    for (size, start, end, columns) in [(7, 2, 5, 4), (40, 16, 32, 24), (5, 0, 4, 1), (6, 2, 6, 3), (4, 0, 2, 0)] {
        let number = |k: usize| ((k * 37 % 101) as f64 - 50.0) / 7.0;
        let block: Vec<f64> = (0..size * columns).map(number).collect();
        let lower: Vec<f64> = (0..(end - start) * size).map(|k| number(k + 13)).collect();
        let mut result = block.clone();
        subtract_product(&mut result, &lower, size, start, end);
        for column in 0..columns {
            for row in 0..size {
                let at = column * size + row;
                let product = |k: usize| lower[(k - start) * size + row - end] * block[column * size + k];
                let expected = if row < end { block[at] } else { block[at] - (start..end).map(product).sum::<f64>() };
                assert!((result[at] - expected).abs() <= 1e-12, "{size} {start} {end}: row {row}, column {column}");
            }
        }
    }
}

#[test]
fn minimum_degree_takes_the_rim_before_the_hub() {
    let star: Vec<Vec<usize>> = (0..20).map(|i| if i == 7 { (0..20).filter(|&j| j != 7).collect() } else { vec![7] }).collect();
    let order = minimum_degree(&star);
    let place = order.iter().position(|&node| node == 7).unwrap();
    assert!(place >= 18, "the hub is one of the last two: {order:?}");
    let mut sorted = order;
    sorted.sort_unstable();
    assert_eq!(sorted, (0..20).collect::<Vec<_>>());
    assert_eq!(minimum_degree(&[vec![1], vec![0]]), [0, 1]);
}

/// Of a grid of 40 × 40 nodes the last in the order cut it: without the last 60 no part has more than two thirds of it. Doubled links and the
/// node itself do no harm.
#[test]
fn nested_dissection_ends_with_a_separator() {
    let edge = 40_usize;
    let n = edge * edge;
    let beside = |i: usize| {
        let (x, y) = (i % edge, i / edge);
        let mut list = vec![i];
        for (dx, dy) in [(0, 1), (1, 0), (2, 1), (1, 2), (1, 2)] {
            if (1..=edge).contains(&(x + dx)) && (1..=edge).contains(&(y + dy)) {
                list.push((y + dy - 1) * edge + x + dx - 1);
            }
        }
        list
    };
    let grid: Vec<Vec<usize>> = (0..n).map(beside).collect();
    let order = nested_dissection(&grid).unwrap();
    let mut sorted = order.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, (0..n).collect::<Vec<_>>());
    let mut seen = vec![false; n];
    order[n - 60..].iter().for_each(|&node| seen[node] = true);
    for &start in &order[..n - 60] {
        let mut part = vec![start];
        let mut next = 0;
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        while let Some(&node) = part.get(next) {
            next += 1;
            let fresh = grid[node].iter().filter(|&&other| !std::mem::replace(&mut seen[other], true));
            let fresh: Vec<usize> = fresh.copied().collect();
            part.extend(fresh);
        }
        assert!(3 * part.len() < 2 * n, "{}", part.len());
    }
    assert_eq!(nested_dissection(&[]), Some(Vec::new()));
}
