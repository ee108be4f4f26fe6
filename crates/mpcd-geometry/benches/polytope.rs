//! Cost of one pair of polytopes: boxes and dodecahedra that rest on each other, touch anyhow, or are just too far apart.
//! The acceptance is 3 µs for two bodies of 12 faces.
#![allow(missing_docs, clippy::unwrap_used, reason = "a bench")]

use divan::{Bencher, counter::ItemsCount};
use mpcd_core::{Quat, Vec3};
use mpcd_geometry::{
    Random,
    polytope::{Manifold, Placed, Polytope, Reach, manifold},
};

const PAIRS: usize = 512;

fn cube() -> Polytope {
    let corners = (0..8).map(|k| Vec3::from_fn(|i, _| if k >> i & 1 == 1 { 1.0 } else { -1.0 }));
    Polytope::polyhedron(&corners.collect::<Vec<_>>()).unwrap()
}

fn dodecahedron() -> Polytope {
    let phi = 0.5 * (1.0 + 5.0_f64.sqrt());
    let mut points = Vec::new();
    for (a, b) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
        points.extend([Vec3::new(-1.0, a, b), Vec3::new(1.0, a, b)]);
        let (u, v) = (a / phi, b * phi);
        points.extend([Vec3::new(0.0, u, v), Vec3::new(u, v, 0.0), Vec3::new(v, 0.0, u)]);
    }
    Polytope::polyhedron(&points).unwrap()
}

fn turned(random: &mut Random) -> Quat {
    let mut four = || random.within(-1.0, 1.0);
    Quat::from_quaternion(nalgebra::Quaternion::new(four(), four(), four(), four()))
}

fn run(bencher: Bencher, hull: &Polytope, pairs: &[(Vec3, Quat, Quat)]) {
    let mut out = Manifold::default();
    let reach = Reach { alert: 0.05, graze: 1e-5 };
    bencher.counter(ItemsCount::new(pairs.len())).bench_local(|| {
        let mut found = 0;
        for (x, q, r) in pairs {
            let first = Placed { hull, position: *x, orientation: *q, size: 1.0, rounding: 0.0 };
            let second = Placed { hull, position: Vec3::zeros(), orientation: *r, size: 1.0, rounding: 0.0 };
            manifold(&first, &second, &reach, &mut out);
            found += out.points().len();
        }
        found
    });
}

/// A face on a face, nearly parallel.
fn resting(hull: &Polytope) -> Vec<(Vec3, Quat, Quat)> {
    let mut random = Random::new(1);
    let up = hull.faces()[0].normal;
    (0..PAIRS)
        .map(|_| {
            let flip =
                Quat::rotation_between(&up, &-up).unwrap_or_else(|| Quat::from_axis_angle(&Vec3::x_axis(), std::f64::consts::PI));
            let spin = Quat::from_scaled_axis(up * random.within(-3.0, 3.0));
            let tilt = Quat::from_scaled_axis(1e-3 * Vec3::from_fn(|_, _| random.within(-1.0, 1.0)));
            let aside = Vec3::from_fn(|_, _| random.within(-0.5, 0.5));
            let x = up * (2.0 * hull.faces()[0].offset + random.within(-1e-3, 1e-3)) + aside - up * up.dot(&aside);
            (x, tilt * spin * flip, Quat::identity())
        })
        .collect()
}

/// Turned anyhow and put together along a random way until `gap` is left between the hulls.
fn anyhow(hull: &Polytope, gap: f64) -> Vec<(Vec3, Quat, Quat)> {
    let mut random = Random::new(2);
    let mut out = Manifold::default();
    (0..PAIRS)
        .map(|_| {
            let way = Vec3::from_fn(|_, _| random.within(-1.0, 1.0)).normalize();
            let (q, r) = (turned(&mut random), turned(&mut random));
            let mut along = 4.0;
            for _ in 0..40 {
                let first = Placed { hull, position: way * along, orientation: q, size: 1.0, rounding: 0.0 };
                let second = Placed { hull, position: Vec3::zeros(), orientation: r, size: 1.0, rounding: 0.0 };
                manifold(&first, &second, &Reach { alert: 9.0, graze: 0.0 }, &mut out);
                along -= out.points().iter().map(|p| p.gap).fold(f64::INFINITY, f64::min) - gap;
            }
            (way * along, q, r)
        })
        .collect()
}

#[divan::bench]
fn boxes_resting(bencher: Bencher) {
    run(bencher, &cube(), &resting(&cube()));
}

#[divan::bench]
fn dodecahedra_resting(bencher: Bencher) {
    run(bencher, &dodecahedron(), &resting(&dodecahedron()));
}

#[divan::bench(args = [-0.02, 0.02, 0.06])]
fn boxes_anyhow(bencher: Bencher, gap: f64) {
    run(bencher, &cube(), &anyhow(&cube(), gap));
}

#[divan::bench(args = [-0.02, 0.02, 0.06])]
fn dodecahedra_anyhow(bencher: Bencher, gap: f64) {
    run(bencher, &dodecahedron(), &anyhow(&dodecahedron(), gap));
}

fn main() {
    divan::main();
}
