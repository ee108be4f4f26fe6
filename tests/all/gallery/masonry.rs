//! Cases of models/masonry.

use super::{Case, runs, same};

pub(super) const CASES: &[&Case] = &[&DRY_STONE_WALL];

const DRY_STONE_WALL: Case = Case {
    path: "masonry/dry-stone-wall.ron",
    sets: &[
        "bodies[0].packing.bricks=3",
        "bodies[0].packing.courses=4",
        "bodies[2].at=(0.3, 0.45)",
        "bodies[2].shape.size=(0.6, 0.1)",
        "loads[0].load.x=0.1",
    ],
    steps: 60,
    positive: &[],
    books: &[],
};

#[test]
fn dry_stone_wall() {
    runs(&DRY_STONE_WALL);
    same(&DRY_STONE_WALL, 30);
}
