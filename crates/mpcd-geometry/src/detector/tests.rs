//! The detector against all pairs, on random scenes: plane and space, size ratio 100, list kept or dropped, one thread or two.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use super::*;
use crate::{narrow::Pair, packing::Random, shape::Shape};
use mpcd_core::{Quat, Vec3};
use mpcd_tests::random::cases;
use proptest::prelude::*;

struct Model {
    shapes: Arc<Shapes>,
    dimension: Dimension,
    kinematics: Kinematics,
    periods: [Option<f64>; 3],
    random: Random,
}

/// Balls (planar: discs too) with radii from 0.01 to 1, some boxes, walls and planes, in a box of the given side.
fn model(count: usize, side: f64, dimension: Dimension, seed: u64) -> Model {
    let planar = dimension == Dimension::Planar;
    let mut random = Random::new(seed);
    let mut shapes = Vec::new();
    let mut kinematics = Kinematics::default();
    let vector = |random: &mut Random, half: f64| {
        let z = random.within(-half, half);
        Vec3::new(random.within(-half, half), random.within(-half, half), if planar { 0.0 } else { z })
    };
    for i in 0..count + 8 {
        let radius = 0.01 * 100f64.powf(random.unit());
        shapes.push(match i.checked_sub(count) {
            None if planar && i % 3 > 0 => Shape::Disc { radius, thickness: 0.5 },
            None => Shape::Ball { radius },
            Some(0 | 1) => Shape::Plane { normal: vector(&mut random, 1.0) },
            Some(2 | 3) => Shape::Segment { half: vector(&mut random, 0.4 * side), thickness_radius: 0.1 * random.unit() },
            Some(_) => Shape::Box { half: Vec3::repeat(0.01) + vector(&mut random, 0.5).abs() + 0.1 * Vec3::z() },
        });
        let turn = if planar { random.within(-3.0, 3.0) * Vec3::z() } else { vector(&mut random, 3.0) };
        kinematics.push_at_rest(vector(&mut random, 0.5 * side), Quat::from_scaled_axis(turn));
        kinematics.size[i] = random.within(0.5, 2.0);
    }
    Model { shapes: Arc::new(Shapes(shapes)), dimension, kinematics, periods: [None; 3], random }
}

impl Model {
    /// Everything but one pair in seven.
    #[allow(clippy::unused_self, reason = "beside the detector that takes it")]
    fn wanted(&self) -> impl Fn(BodyId, BodyId) -> bool + Send + Sync + 'static {
        |a, b| (a.0 + b.0) % 7 != 0
    }

    fn detector(&self) -> Detector {
        Detector::new(self.shapes.clone(), self.dimension, self.wanted()).unwrap().with_periods(self.periods).unwrap()
    }

    /// All touches the slow way.
    fn all_pairs(&self, alert: f64) -> Vec<Touch> {
        let mut balls = Vec::new();
        fill::balls(&self.shapes, &self.kinematics, self.dimension, &mut balls);
        let cores = cores::of(&self.shapes, self.dimension).unwrap();
        let scene = Scene {
            shapes: &self.shapes.0,
            kinematics: &self.kinematics,
            dimension: self.dimension,
            balls: &balls,
            cores: &cores,
            periods: self.periods,
            periodic: self.periods != [None; 3],
        };
        let mut buffers = crate::narrow::Buffers::default();
        let (n, wanted, mut out) = (balls.len(), self.wanted(), Vec::new());
        for (a, b) in (0..n).flat_map(|i| (i + 1..n).map(move |j| (BodyId::from_index(i), BodyId::from_index(j)))) {
            if let Some(pair) = Pair::new(a, b, &self.shapes.0).filter(|_| wanted(a, b)) {
                scene.general(pair, alert, &mut buffers, |touch| out.push(touch));
            }
        }
        out.sort_by_key(|touch| touch.key);
        // What bodies hide from each other is the matter of other tests.
        super::seams::Seams::default().clear(&scene, &mut out);
        out
    }

    /// Moves, turns and swells every body a little.
    fn shake(&mut self, by: f64) {
        let planar = self.dimension == Dimension::Planar;
        for i in 0..self.kinematics.len() {
            let random = &mut self.random;
            let mut d = Vec3::from_fn(|_, _| random.within(-by, by));
            let mut turn = Vec3::from_fn(|_, _| random.within(-by, by));
            if planar {
                (d.z, turn.x, turn.y) = (0.0, 0.0, 0.0);
            }
            self.kinematics.position[i] += d;
            self.kinematics.orientation[i] = Quat::from_scaled_axis(turn) * self.kinematics.orientation[i];
            self.kinematics.size[i] *= 1.0 + random.within(-by, by);
        }
    }
}

fn detect(detector: &mut Detector, model: &Model, alert: f64) -> Vec<Touch> {
    let mut out = Vec::new();
    detector.detect(&model.kinematics, alert, &mut out).unwrap();
    out
}

const BOTH: [Dimension; 2] = [Dimension::Planar, Dimension::Spatial];

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn finds_what_all_pairs_find(seed: u64, count in 0..400_usize, side in 2.0..40.0, alert in -0.01..0.3, planar: bool) {
        let model = model(count, side, BOTH[usize::from(!planar)], seed);
        prop_assert_eq!(detect(&mut model.detector(), &model, alert), model.all_pairs(alert));
    }

    /// In a cell that repeats, bodies spread over many cells; short walls and small boxes only, no planes.
    #[test]
    fn finds_what_all_pairs_find_in_a_cell(seed: u64, count in 2..200_usize, alert in 0.0..0.1, planar: bool, axes in 1..8_usize) {
        let mut model = model(count, 30.0, BOTH[usize::from(!planar)], seed);
        let last = if planar { 2 } else { 3 };
        model.periods = std::array::from_fn(|k| (k < last && axes >> k & 1 == 1).then_some(9.0 + k as f64));
        let shapes = &mut Arc::make_mut(&mut model.shapes).0;
        for shape in shapes.iter_mut() {
            if matches!(shape, Shape::Plane { .. } | Shape::Segment { .. }) {
                *shape = Shape::Segment { half: Vec3::new(0.5, 0.4, 0.0), thickness_radius: 0.1 };
            }
        }
        let found = detect(&mut model.detector(), &model, alert);
        prop_assert_eq!(found, model.all_pairs(alert));
    }

    /// Steps of a size that lets the list live for a while, with an alert distance that changes.
    #[test]
    fn a_kept_list_changes_no_bit(seed: u64, planar: bool, by in 1e-4..2e-3) {
        let mut model = model(400, 4.0, BOTH[usize::from(!planar)], seed);
        let mut detector = model.detector();
        for step in 0..40 {
            let alert = 0.02 + 0.0004 * f64::from(step % 5);
            let touches = detect(&mut detector, &model, alert);
            prop_assert_eq!(&touches, &detect(&mut model.detector(), &model, alert), "step {}", step);
            model.shake(by);
        }
    }
}

/// The test above would pass with a list that is made at every call; this one sees that it is kept, and made anew in time.
#[test]
fn the_list_is_kept_while_it_holds() {
    for dimension in BOTH {
        let mut model = model(300, 10.0, dimension, 1);
        let mut detector = model.detector();
        let (mut lists, mut last) = (0, 0);
        for _ in 0..30 {
            let touches = detect(&mut detector, &model, 0.01);
            assert_eq!(touches, model.all_pairs(0.01));
            lists += usize::from(detector.near.made != last);
            last = detector.near.made;
            model.shake(2e-4);
        }
        assert!((2..20).contains(&lists), "{lists} lists in 30 steps");
    }
}

#[test]
fn same_bits_on_any_number_of_threads() {
    for dimension in BOTH {
        let model = model(6000, 30.0, dimension, 9);
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| detect(&mut model.detector(), &model, 0.05))
        };
        let one = on(1);
        assert!(one.len() > 3000 && one.is_sorted_by(|a, b| a.key < b.key));
        assert_eq!(one, on(2));
        assert_eq!(one, on(5));
    }
}

#[test]
fn strays_far_away_do_no_harm() {
    let mut model = model(200, 4.0, Dimension::Spatial, 3);
    model.kinematics.position[0] = Vec3::new(1e150, -1e100, 3.0);
    model.kinematics.position[1] = Vec3::new(-1e15, 1e9, 0.0);
    let touches = detect(&mut model.detector(), &model, 0.05);
    assert_eq!(touches, model.all_pairs(0.05));
    assert!(touches.len() > 100 && touches.iter().all(|t| t.point.norm().is_finite()));
}

/// Where wide cells would crowd bodies together and narrow ones would be too many for a table, cells are searched for.
#[test]
fn clusters_far_apart_are_found_in() {
    for (dimension, seed) in [(Dimension::Planar, 5), (Dimension::Spatial, 6)] {
        let mut model = model(500, 5.0, dimension, seed);
        for i in (0..500).step_by(2) {
            model.kinematics.position[i].x += 4e4;
            model.kinematics.position[i].y -= 3e5;
        }
        let touches = detect(&mut model.detector(), &model, 0.05);
        assert_eq!(touches, model.all_pairs(0.05));
        assert!(touches.len() > 200);
    }
}

/// Balls, discs and planes alone: what is handed over some at a time is what is found at once, on one thread and on two, and each touch is found again.
#[test]
fn a_pass_hands_over_what_is_found_at_once() {
    for dimension in [Dimension::Planar, Dimension::Spatial] {
        let all = model(3_000, 12.0, dimension, 5);
        let mut scene = Model { kinematics: Kinematics::default(), ..model(0, 12.0, dimension, 5) };
        let mut shapes = Vec::new();
        for (i, shape) in all.shapes.0.iter().enumerate() {
            if matches!(shape, Shape::Ball { .. } | Shape::Disc { .. } | Shape::Plane { .. }) {
                scene.kinematics.push_at_rest(all.kinematics.position[i], all.kinematics.orientation[i]);
                shapes.push(shape.clone());
            }
        }
        scene.shapes = Arc::new(Shapes(shapes));
        let (mut detector, k) = (scene.detector(), &scene.kinematics);
        assert!(detector.is_simple() && !all.detector().is_simple());
        let mut at_once = Vec::new();
        detector.detect(k, 0.3, &mut at_once).unwrap();
        assert!(at_once.len() > 4_000, "{}", at_once.len());
        for threads in [1, 2] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut passed = Vec::new();
            pool.install(|| {
                detector.prepare(k, 0.3).unwrap();
                detector.pass(k, 0.3, |some| passed.extend_from_slice(some));
            });
            assert_eq!(passed, at_once);
        }
        for touch in &at_once {
            let mut again = Vec::new();
            detector.touch_of(k, &touch.key, |touch| again.push(touch));
            assert_eq!(again, [*touch]);
        }
    }
}
