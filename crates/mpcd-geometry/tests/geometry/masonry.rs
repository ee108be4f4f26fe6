//! Structures of blocks: they fill the volume they should, joint to joint, and impossible numbers are refused.

use mpcd_core::{Dimension, Fragment, Vec3};
use mpcd_geometry::{Block, PackingError, arch, columns, dome, vault, wall};

fn read<T: serde::de::DeserializeOwned>(text: &str) -> T {
    Fragment::whole(text).parse_body().unwrap()
}

/// Boxes as (lower corner, upper corner).
fn boxes(blocks: &[Block]) -> Vec<(Vec3, Vec3)> {
    let corners = |b: &Block| match b {
        Block::Box { centre, half } => (centre - half, centre + half),
        Block::Hull { .. } => panic!("a hull"),
    };
    blocks.iter().map(corners).collect()
}

fn hull(block: &Block) -> &[Vec3] {
    match block {
        Block::Hull { vertices, .. } => vertices,
        Block::Box { .. } => panic!("a box"),
    }
}

fn volume(b: &(Vec3, Vec3)) -> f64 {
    (b.1 - b.0).iter().product()
}

/// Volume that two boxes share.
fn shared(a: &(Vec3, Vec3), b: &(Vec3, Vec3)) -> f64 {
    let (low, high) = (a.0.sup(&b.0), a.1.inf(&b.1));
    (high - low).map(|e| e.max(0.0)).iter().product()
}

#[test]
fn a_running_bond_fills_its_wall_with_shifted_joints() {
    let params = read("Wall(brick: (0.2, 0.1, 0.05), bricks: 4, courses: 3, leaves: 2, at: (1, 2, 3))");
    let all = boxes(&wall(&params, Dimension::Spatial).unwrap());
    assert_eq!(all.len(), 2 * (4 + 5 + 4));
    let total: f64 = all.iter().map(volume).sum();
    assert!((total - 0.8 * 0.2 * 0.15).abs() < 1e-15);
    for (i, a) in all.iter().enumerate() {
        assert!(all[..i].iter().all(|b| shared(a, b) < 1e-15));
        assert!(a.0 >= Vec3::new(1.0, 2.0, 3.0) - Vec3::repeat(1e-12) && a.1 <= Vec3::new(1.8, 2.2, 3.15) + Vec3::repeat(1e-12));
    }
    assert!((all[8].1.x - all[8].0.x - 0.1).abs() < 1e-15, "the second course starts with half a brick");
    let count = |bond: &str| {
        let text = format!("Wall(brick: (0.2, 0.05), bricks: 4, courses: 2, bond: {bond}, thickness: 0.3)");
        let all = boxes(&wall(&read(&text), Dimension::Planar).unwrap());
        assert!(all.iter().all(|b| (b.1.z - 0.15).abs() < 1e-15 && (b.0.z + 0.15).abs() < 1e-15));
        all.len()
    };
    assert_eq!([count("Stack"), count("Toothed"), count("Running")], [8, 7, 9]);
}

#[test]
fn columns_stand_apart() {
    let text = "Columns(block: (0.2, 0.3, 0.1), courses: 5, along: (2, 3))";
    let all = boxes(&columns(&read(text), Dimension::Spatial).unwrap());
    assert_eq!(all.len(), 30);
    let (low, high) = all[29];
    assert!((low - Vec3::new(0.4, 1.2, 0.4)).norm() < 1e-15 && (high - Vec3::new(0.6, 1.5, 0.5)).norm() < 1e-15);
}

/// The joints of neighbours are the same two corners; the ring has the area of N chords; the springings are level.
#[test]
fn voussoirs_meet_in_radial_joints() {
    let n = 15;
    let blocks = arch(&read("Arch(radius: 1, thickness: 0.15, voussoirs: 15)"), Dimension::Planar).unwrap();
    let mut area = 0.0;
    for (i, block) in blocks.iter().enumerate() {
        let v = hull(block);
        let cross = |k: usize| v[k].x * v[(k + 1) % 4].y - v[k].y * v[(k + 1) % 4].x;
        let one = 0.5 * (0..4).map(cross).sum::<f64>();
        assert!(one > 0.0, "counter-clockwise");
        area += one;
        if i > 0 {
            let before = hull(&blocks[i - 1]);
            assert!((v[3] - before[0]).norm() < 1e-15 && (v[2] - before[1]).norm() < 1e-15);
        }
        assert!((v[0].norm() - 0.925).abs() < 1e-15 && (v[1].norm() - 1.075).abs() < 1e-15);
    }
    let step = std::f64::consts::PI / f64::from(n);
    let want = f64::from(n) * 0.5 * step.sin() * (1.075_f64.powi(2) - 0.925_f64.powi(2));
    assert!((area - want).abs() < 1e-14, "{area} {want}");
    assert!(hull(&blocks[0])[3].y.abs() < 1e-15 && hull(&blocks[14])[0].y.abs() < 1e-15);
    let space =
        arch(&read("Arch(radius: 1, thickness: 0.15, voussoirs: 15, embrace: \"120 deg\", depth: 0.4)"), Dimension::Spatial);
    let low = space.unwrap().iter().flat_map(|b| hull(b).to_vec()).fold(f64::INFINITY, |z, v| z.min(v.z));
    assert!((low - 0.925 * 0.5).abs() < 1e-12, "{low}");
}

#[test]
fn vaults_and_domes_are_laid_course_by_course() {
    let params = read("Vault(radius: 1, thickness: 0.2, voussoirs: 5, length: 2, blocks: 3)");
    let blocks = vault(&params, Dimension::Spatial).unwrap();
    assert_eq!(blocks.len(), 3 + 4 + 3 + 4 + 3);
    let length: f64 = blocks.iter().map(|b| hull(b)[4].y - hull(b)[0].y).sum();
    assert!((length - 10.0).abs() < 1e-12);
    let params = read("Dome(radius: 2, thickness: 0.2, rings: 4, voussoirs: 12, eye: \"10 deg\")");
    let blocks = dome(&params, Dimension::Spatial).unwrap();
    assert_eq!(blocks.len(), 48);
    for v in blocks.iter().map(hull) {
        // The faces between rings are flat: four corners on two rays from the centre.
        let flat = |a: usize, b: usize, c: usize, d: usize| (v[b] - v[a]).cross(&(v[c] - v[a])).dot(&(v[d] - v[a])).abs();
        assert!(flat(0, 1, 4, 5) < 1e-12 && flat(0, 1, 2, 3) < 1e-12);
    }
}

#[test]
fn what_cannot_stand_is_refused() {
    let message = |r: Result<Vec<Block>, PackingError>| r.unwrap_err().to_string();
    assert_eq!(
        message(wall(&read("Wall(brick: (0.2, 0.1), bricks: 0, courses: 3)"), Dimension::Planar)),
        "`bricks` is 0, expected 1 or more"
    );
    assert_eq!(
        message(wall(&read("Wall(brick: (0.2, 0.1), bricks: 2, courses: 3)"), Dimension::Spatial)),
        "the height of a brick is 0, expected a length above zero"
    );
    assert!(
        message(arch(&read("Arch(radius: 1, thickness: 2, voussoirs: 3)"), Dimension::Planar))
            .contains("less than twice the radius")
    );
    assert!(
        message(arch(&read("Arch(radius: 1, thickness: 1, voussoirs: 1)"), Dimension::Planar)).contains("less than 180° for one")
    );
    let flat = vault(&read("Vault(radius: 1, thickness: 0.2, voussoirs: 5, length: 2, blocks: 3)"), Dimension::Planar);
    assert!(message(flat).contains("in the plane use `Arch`"));
}
