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
/// A list is made anew because bodies have moved. The same thousand in the same places over and over would be a pattern that a
/// processor learns by heart, which it cannot of a hundred thousand.
const ARRANGEMENTS: usize = 8;

struct Case {
    detector: Detector,
    arrangements: Vec<Kinematics>,
    calls: usize,
    out: Vec<Touch>,
}

impl Case {
    /// Bodies of these shapes as often as `arrange` is asked where they are and how they are turned.
    fn new(shapes: Vec<Shape>, periods: Vec3, mut arrange: impl FnMut(usize) -> (Vec3, Quat)) -> Self {
        let arrangements = (0..ARRANGEMENTS).map(|_| {
            let mut kinematics = Kinematics::default();
            for (place, turn) in (0..shapes.len()).map(&mut arrange) {
                kinematics.push_at_rest(place, turn);
            }
            kinematics
        });
        let arrangements = arrangements.collect();
        let detector = Detector::new(Arc::new(Shapes(shapes)), Dimension::Spatial, |_, _| true).unwrap();
        let detector = detector.with_periods([0, 1, 2].map(|k| Some(periods[k]))).unwrap();
        let mut case = Self { detector, arrangements, calls: 0, out: Vec::new() };
        case.detect();
        case
    }

    /// Finds the contacts of the present arrangement.
    fn detect(&mut self) {
        self.detector.detect(&self.arrangements[self.calls % ARRANGEMENTS], ALERT, &mut self.out).unwrap();
    }

    /// Finds those of the next one, with a list made anew.
    fn detect_anew(&mut self) {
        self.detector.drop_caches();
        self.calls += 1;
        self.detect();
    }
}

/// A full cubic lattice of `count` places that repeats, and its periods.
fn lattice(count: usize, spacing: f64) -> (impl Fn(usize) -> Vec3, Vec3) {
    let [nx, ny] = match count {
        1_000 => [10, 10],
        10_000 => [20, 20],
        _ => [40, 50],
    };
    let place = move |x, y, z| Vec3::new(x as f64, y as f64, z as f64) * spacing;
    (move |i| place(i % nx, i / nx % ny, i / nx / ny), place(nx, ny, count / nx / ny))
}

/// Equal balls on a cubic lattice with a little disorder: three contacts per ball, as in a dense packing.
fn packed(count: usize) -> Case {
    let mut random = Random::new(3);
    let (place, periods) = lattice(count, 2.0);
    Case::new(vec![Shape::Ball { radius: 1.0 }; count], periods, |i| {
        (place(i) + Vec3::from_fn(|_, _| random.within(-0.01, 0.01)), Quat::identity())
    })
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
    let shapes = radii.into_iter().map(|radius| Shape::Ball { radius }).collect();
    Case::new(shapes, Vec3::repeat(side), |_| (Vec3::from_fn(|_, _| random.within(0.0, side)), Quat::identity()))
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
    let (place, periods) = lattice(count, 1.7);
    let shapes = (0..count).map(|i| kinds[i % kinds.len()].clone()).collect();
    Case::new(shapes, periods, |i| (place(i), Quat::from_scaled_axis(Vec3::from_fn(|_, _| random.within(-3.0, 3.0)))))
}

fn kept_case(bencher: Bencher<'_, '_>, count: usize, mut case: Case) {
    bencher.counter(ItemsCount::new(count)).bench_local(|| case.detect());
}

fn anew_case(bencher: Bencher<'_, '_>, count: usize, mut case: Case) {
    bencher.counter(ItemsCount::new(count)).bench_local(|| case.detect_anew());
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
