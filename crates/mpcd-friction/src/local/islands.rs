//! Independent parts of a problem: contacts joined by a block of W, directly or through others.

use super::block::BlockMatrix;

/// The parts, each with its contacts ascending, ordered by their first contact.
#[must_use]
pub fn islands<const D: usize>(w: &BlockMatrix<D>) -> Vec<Vec<usize>> {
    let n = w.len();
    let mut part = vec![usize::MAX; n];
    let mut parts: Vec<Vec<usize>> = Vec::new();
    // links in both directions, so that an unsymmetric pattern splits no part
    let mut incoming: Vec<Vec<usize>> = vec![Vec::new(); n];
    for row in 0..n {
        for &column in w.row_columns(row) {
            incoming[column].push(row);
        }
    }
    // rows that share unknowns, one after the other
    let mut before: Option<usize> = None;
    for row in w.sharing() {
        if let Some(before) = before.replace(row) {
            incoming[before].push(row);
            incoming[row].push(before);
        }
    }
    for first in 0..n {
        if part[first] != usize::MAX {
            continue;
        }
        let number = parts.len();
        part[first] = number;
        let mut list = vec![first];
        let mut next = 0;
        while let Some(&c) = list.get(next) {
            next += 1;
            for &other in w.row_columns(c).iter().chain(&incoming[c]) {
                if part[other] == usize::MAX {
                    part[other] = number;
                    list.push(other);
                }
            }
        }
        list.sort_unstable();
        parts.push(list);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_follow_links_in_both_directions() {
        // blocks (0,2) and (3,2) only: {0, 2, 3}, {1}
        let w = BlockMatrix::<2>::from_entries(4, [(0, 4, 1.0), (6, 4, 1.0)]);
        assert_eq!(islands(&w), vec![vec![0, 2, 3], vec![1]]);
    }
}
