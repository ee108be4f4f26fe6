//! Cases of models/deformable.

use super::{Case, runs, same};

pub(super) const CASES: &[&Case] = &[&SHEARED_WALL, &SHEARED_WALL_3D, &BONDED_ARCH, &RUBBER];

const SHEARED_WALL: Case = Case { path: "deformable/sheared-wall.ron", sets: &[], steps: 30, positive: &[], books: &[] };

const SHEARED_WALL_3D: Case = Case { path: "deformable/sheared-wall-3d.ron", sets: &[], steps: 20, positive: &[], books: &[] };

const BONDED_ARCH: Case =
    Case { path: "deformable/bonded-arch.ron", sets: &["loads[1].load.y=-8000"], steps: 30, positive: &[], books: &[] };

const RUBBER: Case = Case { path: "deformable/rubber-between-rollers.ron", sets: &[], steps: 60, positive: &[], books: &[] };

#[test]
fn sheared_wall() {
    runs(&SHEARED_WALL);
    same(&SHEARED_WALL, 6);
}

#[test]
fn sheared_wall_in_space() {
    runs(&SHEARED_WALL_3D);
    same(&SHEARED_WALL_3D, 4);
}

#[test]
fn bonded_arch() {
    runs(&BONDED_ARCH);
    same(&BONDED_ARCH, 10);
}

#[test]
fn rubber_between_rollers() {
    runs(&RUBBER);
    same(&RUBBER, 30);
}
