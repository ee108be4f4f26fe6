//! Cost of detection per body: the list of near pairs kept, made anew, and with a size ratio of 100.
//! The acceptance is below 0.5 µs per sphere and flat within 30 % from 10³ to 10⁵ spheres.
#![allow(missing_docs, clippy::unwrap_used, reason = "a bench")]

use std::sync::Arc;

use divan::{Bencher, counter::ItemsCount};
use mpcd_core::{Dimension, Kinematics, Quat, Vec3};
use mpcd_geometry::{Detector, PlacedShape, Random, Shape, Shapes, Touch};

const COUNTS: [usize; 3] = [1_000, 10_000, 100_000];

struct Case {
    detector: Detector,
    kinematics: Kinematics,
    out: Vec<Touch>,
}

/// Equal balls on a cubic lattice with a little disorder: about three contacts per ball, as in a dense packing; five planes.
fn packed(count: usize) -> Case {
    let side = (count as f64).cbrt().ceil() as usize;
    let mut random = Random::new(3);
    let mut small = || random.within(-0.01, 0.01);
    let bodies = (0..count).map(|i| {
        let place = Vec3::new((i % side) as f64, (i / side % side) as f64, (i / side / side) as f64) * 2.0;
        (place + Vec3::new(small(), small(), small()), 1.0)
    });
    case(bodies, 0.02, 2.0 * side as f64)
}

/// Radii from 0.05 to 5, as many above a radius as its inverse, at random places in a box that they fill to about a quarter.
fn mixed(count: usize) -> Case {
    let mut random = Random::new(5);
    let radii: Vec<f64> = (0..count).map(|_| 0.05 / (1.0 - 0.99 * random.unit())).collect();
    let volume: f64 = radii.iter().map(|r| 4.2 * r.powi(3)).sum();
    let side = (4.0 * volume).cbrt();
    let places: Vec<Vec3> = (0..count).map(|_| Vec3::from_fn(|_, _| random.within(0.0, side))).collect();
    case(places.into_iter().zip(radii), 0.001, side)
}

fn case(bodies: impl Iterator<Item = (Vec3, f64)>, alert_part: f64, side: f64) -> Case {
    let mut kinematics = Kinematics::default();
    let mut shapes = Vec::new();
    for (place, radius) in bodies {
        kinematics.push_at_rest(place, Quat::identity());
        shapes.push(Shape::Ball { radius });
    }
    let floor = Vec3::repeat(-1.0 - alert_part);
    for (normal, x) in [
        (Vec3::z(), floor),
        (Vec3::x(), floor),
        (Vec3::y(), floor),
        (-Vec3::x(), Vec3::repeat(side)),
        (-Vec3::y(), Vec3::repeat(side)),
    ] {
        kinematics.push_at_rest(x, Quat::identity());
        shapes.push(Shape::Plane { normal });
    }
    let detector = Detector::new(Arc::new(Shapes(shapes)), Dimension::Spatial, |_, _| true).unwrap();
    let mut case = Case { detector, kinematics, out: Vec::new() };
    case.detector.detect(&case.kinematics, ALERT, &mut case.out).unwrap();
    case
}

const ALERT: f64 = 0.02;

/// Polyhedra of twelve corners on a lattice, each turned at random and near its neighbours; as many near pairs as of the balls.
fn polyhedra(count: usize) -> Case {
    let mut random = Random::new(11);
    let kinds: Vec<Shape> = (0..8)
        .map(|_| {
            let points: Vec<Vec3> = (0..12).map(|_| Vec3::from_fn(|_, _| random.within(-1.0, 1.0)).normalize()).collect();
            PlacedShape::hull("Polyhedron", &points, Dimension::Spatial, 1.0).unwrap().shape
        })
        .collect();
    let side = (count as f64).cbrt().ceil() as usize;
    let mut kinematics = Kinematics::default();
    let mut shapes = Vec::new();
    for i in 0..count {
        let place = Vec3::new((i % side) as f64, (i / side % side) as f64, (i / side / side) as f64) * 1.7;
        let turn = Vec3::from_fn(|_, _| random.within(-3.0, 3.0));
        kinematics.push_at_rest(place, Quat::from_scaled_axis(turn));
        shapes.push(kinds[i % kinds.len()].clone());
    }
    let detector = Detector::new(Arc::new(Shapes(shapes)), Dimension::Spatial, |_, _| true).unwrap();
    let mut case = Case { detector, kinematics, out: Vec::new() };
    case.detector.detect(&case.kinematics, ALERT, &mut case.out).unwrap();
    case
}

fn kept_case(bencher: Bencher<'_, '_>, count: usize, mut case: Case) {
    bencher.counter(ItemsCount::new(count)).bench_local(|| case.detector.detect(&case.kinematics, ALERT, &mut case.out).unwrap());
}

fn anew_case(bencher: Bencher<'_, '_>, count: usize, mut case: Case) {
    bencher.counter(ItemsCount::new(count)).bench_local(|| {
        case.detector.drop_caches();
        case.detector.detect(&case.kinematics, ALERT, &mut case.out).unwrap();
    });
}

#[divan::bench(args = COUNTS)]
fn packed_list_kept(bencher: Bencher<'_, '_>, count: usize) {
    kept_case(bencher, count, packed(count));
}

#[divan::bench(args = COUNTS)]
fn packed_list_anew(bencher: Bencher<'_, '_>, count: usize) {
    anew_case(bencher, count, packed(count));
}

#[divan::bench(args = COUNTS)]
fn mixed_list_kept(bencher: Bencher<'_, '_>, count: usize) {
    kept_case(bencher, count, mixed(count));
}

#[divan::bench(args = COUNTS)]
fn mixed_list_anew(bencher: Bencher<'_, '_>, count: usize) {
    anew_case(bencher, count, mixed(count));
}

#[divan::bench(args = COUNTS)]
fn polyhedra_list_kept(bencher: Bencher<'_, '_>, count: usize) {
    kept_case(bencher, count, polyhedra(count));
}

#[divan::bench(args = COUNTS)]
fn polyhedra_list_anew(bencher: Bencher<'_, '_>, count: usize) {
    anew_case(bencher, count, polyhedra(count));
}

fn main() {
    divan::main();
}
