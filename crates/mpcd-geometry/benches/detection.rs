//! Cost of detection per body: the list of near pairs kept, made anew, and with a size ratio of 100.
//! The acceptance is below 0.5 µs per sphere and flat within 30 % from 10³ to 10⁵ spheres.
//!
//! Every cell repeats along x, y and z, so that a body has as many neighbours among a thousand as among a hundred thousand:
//! in a box with walls the few have fewer. What a body has of near pairs and contact points is printed first.
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout, reason = "a bench")]

use std::sync::Arc;

use divan::{Bencher, counter::ItemsCount};
use mpcd_core::{Dimension, Kinematics, Quat, Vec3};
use mpcd_geometry::{Detector, PlacedShape, Random, Shape, Shapes, Touch};

const COUNTS: [usize; 3] = [1_000, 10_000, 100_000];
const ALERT: f64 = 0.02;

struct Case {
    detector: Detector,
    kinematics: Kinematics,
    out: Vec<Touch>,
}

impl Case {
    fn new(bodies: impl Iterator<Item = (Vec3, Quat, Shape)>, periods: Vec3) -> Self {
        let (mut kinematics, mut shapes) = (Kinematics::default(), Vec::new());
        for (place, turn, shape) in bodies {
            kinematics.push_at_rest(place, turn);
            shapes.push(shape);
        }
        let detector = Detector::new(Arc::new(Shapes(shapes)), Dimension::Spatial, |_, _| true).unwrap();
        let detector = detector.with_periods([0, 1, 2].map(|k| Some(periods[k]))).unwrap();
        let mut case = Self { detector, kinematics, out: Vec::new() };
        case.detect();
        case
    }

    fn detect(&mut self) {
        self.detector.detect(&self.kinematics, ALERT, &mut self.out).unwrap();
    }
}

/// A full cubic lattice of `count` places that repeats, and its periods.
fn lattice(count: usize, spacing: f64) -> (impl Iterator<Item = Vec3>, Vec3) {
    let [nx, ny] = match count {
        1_000 => [10, 10],
        10_000 => [20, 20],
        _ => [40, 50],
    };
    let place = move |x, y, z| Vec3::new(x as f64, y as f64, z as f64) * spacing;
    ((0..count).map(move |i| place(i % nx, i / nx % ny, i / nx / ny)), place(nx, ny, count / nx / ny))
}

/// Equal balls on a cubic lattice with a little disorder: three contacts per ball, as in a dense packing.
fn packed(count: usize) -> Case {
    let mut random = Random::new(3);
    let (places, periods) = lattice(count, 2.0);
    let bodies = places.map(|place| {
        let off = Vec3::from_fn(|_, _| random.within(-0.01, 0.01));
        (place + off, Quat::identity(), Shape::Ball { radius: 1.0 })
    });
    Case::new(bodies, periods)
}

/// Radii from 0.05 to 5, as many above a radius as its inverse, the same share of each for any number of balls; at random
/// places in a cell that they fill to about a quarter.
fn mixed(count: usize) -> Case {
    let mut random = Random::new(5);
    let mut radii: Vec<f64> = (0..count).map(|i| 0.05 / (1.0 - 0.99 * (i as f64 + 0.5) / count as f64)).collect();
    for i in 1..count {
        radii.swap(i, random.within(0.0, i as f64 + 1.0) as usize);
    }
    let volume: f64 = radii.iter().map(|r| 4.2 * r.powi(3)).sum();
    let side = (4.0 * volume).cbrt();
    let bodies = radii
        .into_iter()
        .map(|radius| (Vec3::from_fn(|_, _| random.within(0.0, side)), Quat::identity(), Shape::Ball { radius }));
    Case::new(bodies, Vec3::repeat(side))
}

/// Polyhedra of twelve corners on a lattice, each turned at random and near its neighbours.
fn polyhedra(count: usize) -> Case {
    let mut random = Random::new(11);
    let kinds: Vec<Shape> = (0..8)
        .map(|_| {
            let points: Vec<Vec3> = (0..12).map(|_| Vec3::from_fn(|_, _| random.within(-1.0, 1.0)).normalize()).collect();
            PlacedShape::hull("Polyhedron", &points, Dimension::Spatial, 1.0).unwrap().shape
        })
        .collect();
    let (places, periods) = lattice(count, 1.7);
    let bodies = places.enumerate().map(|(i, place)| {
        let turn = Quat::from_scaled_axis(Vec3::from_fn(|_, _| random.within(-3.0, 3.0)));
        (place, turn, kinds[i % kinds.len()].clone())
    });
    Case::new(bodies, periods)
}

fn kept_case(bencher: Bencher<'_, '_>, count: usize, mut case: Case) {
    bencher.counter(ItemsCount::new(count)).bench_local(|| case.detect());
}

fn anew_case(bencher: Bencher<'_, '_>, count: usize, mut case: Case) {
    bencher.counter(ItemsCount::new(count)).bench_local(|| {
        case.detector.drop_caches();
        case.detect();
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

/// Near pairs and contact points per body of every case.
fn print_counts() {
    for (name, make) in [("packed", packed as fn(usize) -> Case), ("mixed", mixed), ("polyhedra", polyhedra)] {
        for count in COUNTS {
            let case = make(count);
            let per_body = |n: usize| n as f64 / count as f64;
            let (pairs, points) = (per_body(case.detector.near_pairs()), per_body(case.out.len()));
            println!("{name} {count}: {pairs:.3} near pairs and {points:.3} contact points per body");
        }
    }
}

fn main() {
    // With a filter only what it lets through is wanted.
    if std::env::args().skip(1).all(|a| a == "--bench") {
        print_counts();
    }
    // Inside the pool, as the program runs: from outside every parallel pass would be handed over and waited for.
    rayon::ThreadPoolBuilder::new().build().unwrap().install(divan::main);
}
