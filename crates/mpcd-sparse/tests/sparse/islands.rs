//! Islands: the same labels for every order of the edges.

use mpcd_sparse::Islands;
use mpcd_tests::random::cases;
use proptest::prelude::*;

use crate::graphs::Numbers;

#[test]
fn labels_are_the_smallest_nodes() {
    let islands = Islands::of(8, [(7, 2), (5, 3), (2, 4), (3, 6), (4, 7)]);
    assert_eq!(islands.firsts(), [0, 1, 2, 3, 2, 3, 3, 2]);
    assert_eq!(islands.numbers(), [0, 1, 2, 3, 2, 3, 3, 2]);
    let islands = Islands::of(6, [(5, 0), (1, 3), (0, 9)]);
    assert_eq!(islands.firsts(), [0, 1, 2, 1, 4, 0]);
    assert_eq!(islands.numbers(), [0, 1, 2, 1, 3, 0]);
    assert_eq!(islands.count(), 4);
    assert_eq!(Islands::of(0, []).count(), 0);
}

proptest! {
    #![proptest_config(cases(256))]

    /// Against following the edges until nothing changes; shuffled edges give the same.
    #[test]
    fn agrees_with_spreading(seed in any::<u64>(), n in 1usize..80, m in 0usize..100) {
        let mut numbers = Numbers(seed);
        let mut edges: Vec<_> = (0..m).map(|_| (numbers.below(n), numbers.below(n))).collect();
        let mut label: Vec<usize> = (0..n).collect();
        for _ in 0..n {
            for &(a, b) in &edges {
                let least = label[a].min(label[b]);
                (label[a], label[b]) = (least, least);
            }
        }
        let islands = Islands::of(n, edges.iter().copied());
        prop_assert_eq!(islands.firsts(), &label[..]);
        for k in (1..m).rev() {
            edges.swap(k, numbers.below(k + 1));
        }
        let mut shuffled = Islands::of(3, [(0, 1)]);
        shuffled.update(n, edges.iter().map(|&(a, b)| (b, a)));
        prop_assert_eq!(islands, shuffled);
    }
}
