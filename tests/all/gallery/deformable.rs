//! Cases of models/deformable.

use mpcd_core::Book;

use super::{Case, build, runs, same};

pub(super) const CASES: &[&Case] = &[&SHEARED_WALL, &SHEARED_WALL_3D, &BONDED_ARCH, &RUBBER, &FOAM, &PUNCH];

const SHEARED_WALL: Case = Case { path: "deformable/sheared-wall.ron", sets: &[], steps: 30, positive: &[], books: &[] };

const SHEARED_WALL_3D: Case = Case { path: "deformable/sheared-wall-3d.ron", sets: &[], steps: 5, positive: &[], books: &[] };

const BONDED_ARCH: Case =
    Case { path: "deformable/bonded-arch.ron", sets: &["loads[1].load.y=-8000"], steps: 30, positive: &[], books: &[] };

const RUBBER: Case = Case { path: "deformable/rubber-between-rollers.ron", sets: &[], steps: 1200, positive: &[], books: &[] };

const FOAM: Case = Case { path: "deformable/foam-cell.ron", sets: &[], steps: 570, positive: &[], books: &[] };

const PUNCH: Case =
    Case { path: "deformable/hot-punch.ron", sets: &[], steps: 180, positive: &["temperature"], books: &[Book::Heat] };

#[test]
fn foam_cell() {
    let mut run = build(&FOAM).unwrap();
    let pushes = |run: &mpcd_sim::Simulation| {
        let itself = run.world().network.iter().filter(|c| c.key.candidate == c.key.antagonist);
        itself.map(|c| c.r.x).sum::<f64>()
    };
    for step in 0..FOAM.steps {
        run.step().unwrap_or_else(|e| panic!("at step {step}: {e}"));
        assert!(step > 400 || pushes(&run) == 0.0, "the walls are apart at step {step}");
    }
    assert!(pushes(&run) > 0.0, "the walls have met");
    same(&FOAM, 4);
}

#[test]
fn hot_punch() {
    runs(&PUNCH);
    same(&PUNCH, 8);
}

#[test]
fn sheared_wall() {
    runs(&SHEARED_WALL);
    same(&SHEARED_WALL, 4);
}

#[test]
fn sheared_wall_in_space() {
    runs(&SHEARED_WALL_3D);
    same(&SHEARED_WALL_3D, 1);
}

#[test]
fn bonded_arch() {
    runs(&BONDED_ARCH);
    same(&BONDED_ARCH, 6);
}

#[test]
fn rubber_between_rollers() {
    runs(&RUBBER);
    same(&RUBBER, 6);
}
