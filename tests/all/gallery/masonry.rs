//! Cases of models/masonry.

use super::{Case, runs, same};

pub(super) const CASES: &[&Case] = &[&DRY_STONE_WALL, &ARCH_TILTING];

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

const ARCH_TILTING: Case =
    Case { path: "masonry/arch-tilting.ron", sets: &["loads[0].load.x=130"], steps: 60, positive: &[], books: &[] };

#[test]
fn dry_stone_wall() {
    runs(&DRY_STONE_WALL);
    same(&DRY_STONE_WALL, 30);
}

#[test]
fn arch_tilting() {
    runs(&ARCH_TILTING);
    same(&ARCH_TILTING, 30);
}
