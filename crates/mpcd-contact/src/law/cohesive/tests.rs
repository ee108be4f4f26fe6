//! Bonds against closed forms: VALIDATION §9 and the energies of every curve, by a single contact driven apart.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use mpcd_core::{ContactGeometry, Fragment};

use super::*;

/// A contact of 1 m² driven at a given velocity: a block so light that no impulse changes how it moves.
struct Driven<B> {
    law: Cohesive<B>,
    input: LawInput,
}

impl<B: Bond> Driven<B> {
    fn new(text: &str, h: f64) -> Self {
        let law = Cohesive::<B>::build(Fragment::whole(text).parse().unwrap()).unwrap();
        let mut input = LawInput { start: true, ..LawInput::new(ContactGeometry::Flat { area: 1.0 }, h) };
        input.memory = law.initial(&input);
        assert_eq!(input.memory.numbers, [0.0, 1.0, 1.0, 0.0]);
        Self { law, input }
    }

    /// Moves by `by` (m, local) in one step; returns the force on the candidate (N).
    fn go(&mut self, by: Vec3) -> Vec3 {
        let u = by / self.input.h;
        let data = self.law.prepare(&self.input).unwrap();
        let r = match data.response {
            super::super::LawResponse::Local(law) => law.solve(&(Mat3::identity() * 1e-60), &u),
            super::super::LawResponse::Cone(_) => Vec3::zeros(),
        };
        let mut memory = self.input.memory;
        self.law.accept(&self.input, &u, &r, &mut memory);
        self.input.memory = memory;
        self.input.gap += by.x;
        r / self.input.h
    }

    fn beta(&self) -> f64 {
        1.0 - self.input.memory.numbers[DAMAGE]
    }

    /// Work (J) to move `n` steps of `by`.
    fn work(&mut self, by: Vec3, n: usize) -> f64 {
        let mut before = Vec3::zeros();
        let mut work = 0.0;
        for _ in 0..n {
            let force = self.go(by);
            work -= 0.5 * (force + before).dot(&by);
            before = force;
        }
        work
    }
}

const MA: &str = "(normal_stiffness: 1e12, tangential_stiffness: 1e12, energy: 100, friction: 0)";

#[test]
fn v09_monerie_acary_without_viscosity() {
    let mut bond = Driven::<MonerieAcary>::new(MA, 1e-3);
    let force = bond.go(Vec3::x() * 10e-6);
    assert!((force.x + 10e6).abs() < 1.0, "peak {force:?}");
    let force = bond.go(Vec3::x() * 10e-6);
    assert!((force.x + 1.25e6).abs() < 1.0, "{force:?}");
    assert!((bond.beta() - 0.25).abs() < 1e-12);
    let force = bond.go(Vec3::x() * 30e-6);
    assert!((force.x + 0.08e6).abs() < 0.01, "{force:?}");
}

/// A bond four times as stiff across as along, in shear by t, in tension by n, in both: β = w/(C_N n² + C_T t²), and the force β² (C_N n, C_T t).
#[test]
fn each_stiffness_drives_the_damage_of_its_own_way() {
    let text = "(normal_stiffness: 4e12, tangential_stiffness: 1e12, energy: 100, friction: 0)";
    for (way, drive) in [
        (Vec3::y() * 20e-6, 400.0),
        (Vec3::z() * 20e-6, 400.0),
        (Vec3::x() * 10e-6, 400.0),
        (Vec3::new(5e-6, 12e-6, 16e-6), 500.0),
    ] {
        let mut bond = Driven::<RaousCangemiCocouMonerie>::new(text, 1e-3);
        let force = bond.go(way);
        let beta = 100.0 / drive;
        assert!((bond.beta() - beta).abs() < 1e-12, "{way:?}: {}", bond.beta());
        let wanted = -beta * beta * way.component_mul(&Vec3::new(4e12, 1e12, 1e12));
        assert!((force - wanted).norm() < 1e-9 * wanted.norm(), "{way:?}: {force:?} {wanted:?}");
    }
}

#[test]
fn v09_energy_to_separation_is_w() {
    let mut bond = Driven::<MonerieAcary>::new(MA, 1e-3);
    // to 100 u₀; what is left beyond is w/2 (u₀/u)² = 0.005 J
    let work = bond.work(Vec3::x() * 1e-8, 100_000);
    assert!((work + 0.005 - 100.0).abs() < 1e-3, "{work}");
    let mut bond = Driven::<RaousCangemiCocouMonerie>::new(MA, 1e-3);
    let work = bond.work(Vec3::y() * 1e-8, 100_000);
    assert!((work + 0.005 - 100.0).abs() < 1e-3, "{work}");
}

#[test]
fn v09_with_viscosity_held_at_twice_u0() {
    let text = "(normal_stiffness: 1e12, tangential_stiffness: 1e12, energy: 100, viscosity: 1e-3, friction: 0)";
    let h = 1e-6;
    let mut bond = Driven::<MonerieAcary>::new(text, h);
    bond.go(Vec3::x() * 20e-6);
    let first = (h * 100.0 + 1e-3) / (1e-3 + h * 400.0);
    assert!((bond.beta() - first).abs() < 1e-12, "{} {first}", bond.beta());
    for _ in 0..1_000 {
        let before = bond.beta();
        bond.go(Vec3::zeros());
        assert!(bond.beta() <= before);
    }
    assert!((bond.beta() - 0.25).abs() < 1e-9, "{}", bond.beta());
}

#[test]
fn v09_unloading_follows_the_secant_and_compression_is_rigid() {
    let mut bond = Driven::<MonerieAcary>::new(MA, 1e-3);
    bond.go(Vec3::x() * 20e-6);
    let force = bond.go(Vec3::x() * -15e-6);
    assert!((force.x + 0.0625 * 1e12 * 5e-6).abs() < 1.0 && (bond.beta() - 0.25).abs() < 1e-12, "{force:?}");
    // Pressed with a block that answers: no opening below zero, whatever β.
    let bonded = bond.law.bonded(&bond.input).unwrap();
    let (w, q) = (Mat3::identity(), Vec3::new(-3.0, 0.0, 0.0));
    let r = bonded.solve(&w, &q);
    let u = w * r + q;
    assert!((u.x + bonded.opening.x / bonded.h).abs() < 1e-9 && r.x > 0.0, "{u:?}");
}

const STRONG: &str = "normal_stiffness: 1e12, tangential_stiffness: 4e12, tensile_strength: 1e6, shear_strength: 3e6, energy: 20, \
                      shear_energy: 50, friction: 0";

fn energy_of<B: Bond>(text: &str, direction: Vec3, end: f64) -> f64 {
    let mut bond = Driven::<B>::new(text, 1e-3);
    let work = bond.work(direction.normalize() * (end / 40_000.0), 40_000);
    assert!(bond.input.memory.numbers[BONDED] == 0.0, "not broken");
    work
}

#[test]
fn every_curve_takes_its_energy_in_each_mode_and_mixed() {
    let text = format!("({STRONG})");
    let (n, t) = (Vec3::x(), Vec3::new(0.0, 0.6, 0.8));
    for (direction, expected) in [(n, 20.0), (t, 50.0)] {
        assert!((energy_of::<Bilinear>(&text, direction, 60e-6) / expected - 1.0).abs() < 1e-5);
        assert!((energy_of::<Trapezoidal>(&text, direction, 60e-6) / expected - 1.0).abs() < 1e-5);
        assert!((energy_of::<Exponential>(&text, direction, 800e-6) / expected - 1.0).abs() < 1e-4);
    }
    // Proportional mixed mode: the parts add up to one.
    let c = (n * 2.0 + t).normalize();
    let (kn, kt) = (1e12 * c.x * c.x, 4e12 * (1.0 - c.x * c.x));
    let expected = (kn + kt) / (kn / 20.0 + kt / 50.0);
    assert!((energy_of::<Bilinear>(&text, c, 80e-6) / expected - 1.0).abs() < 1e-5);
}

#[test]
fn strengths_are_reached_and_not_passed() {
    for (direction, strength) in [(Vec3::x(), 1e6), (Vec3::y(), 3e6)] {
        let mut bond = Driven::<Trapezoidal>::new(&format!("({STRONG}, plateau: 0.4)"), 1e-3);
        let largest = (0..3_000).map(|_| bond.go(direction * 1e-8).norm()).fold(0.0, f64::max);
        assert!((largest / strength - 1.0).abs() < 1e-9, "{largest}");
    }
}

#[test]
fn extrinsic_is_rigid_to_its_strength_and_takes_its_energy() {
    let text = "(strength: 1e6, energy: 20, shear_ratio: 2, friction: 0)";
    let mut bond = Driven::<Extrinsic>::new(text, 1e-3);
    let force = bond.go(Vec3::x() * 1e-9);
    assert!((force.x + 1e6 * (1.0 - 1e-9 / 40e-6)).abs() < 1.0, "{force:?}");
    for direction in [Vec3::x(), Vec3::y()] {
        let work = energy_of::<Extrinsic>(text, direction, 41e-6);
        assert!((work / 20.0 - 1.0).abs() < 1e-4, "{work}");
    }
    // Below the strength nothing moves.
    let bond = Driven::<Extrinsic>::new(text, 1e-3);
    let bonded = bond.law.bonded(&bond.input).unwrap();
    let (w, q) = (Mat3::identity() * 0.5, Vec3::new(400.0, -100.0, 50.0));
    let r = bonded.solve(&w, &q);
    assert!((w * r + q).norm() < 1e-10, "{r:?}");
    let r = bonded.solve(&w, &(q * 2.0));
    assert!((w * r + q * 2.0).norm() > 1.0);
}

/// The answer of the local problem obeys contact, friction, spring and damage at once, whatever the block; and nothing heals.
#[test]
fn random_local_problems_meet_the_whole_law() {
    let mut seed = 1_u64;
    let mut unit = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1_u64 << 53) as f64
    };
    let text = "(normal_stiffness: 50, tangential_stiffness: 20, energy: 0.4, viscosity: 0.01, friction: 0.5)";
    let (mut damaged, mut pressed) = (0, 0);
    for _ in 0..2_000 {
        let bond = Driven::<RaousCangemiCocouMonerie>::new(text, 0.1);
        let mut bonded = bond.law.bonded(&bond.input).unwrap();
        bonded.x = 0.6 * unit();
        bonded.opening = Vec3::new((0.2 * unit() - 0.1).max(0.0), 0.1 * unit() - 0.05, 0.1 * unit() - 0.05);
        let a = Mat3::from_fn(|_, _| unit() - 0.5);
        let w = a * a.transpose() + Mat3::identity() * 0.2;
        let q = Vec3::new(4.0 * unit() - 2.0, 2.0 * unit() - 1.0, 2.0 * unit() - 1.0);
        let r = bonded.solve(&w, &q);
        let opening = bonded.opening + (w * r + q) * bonded.h;
        assert!(opening.x > -1e-12);
        let x = bonded.demand(&opening).max(bonded.x);
        let contact = r + bonded.spring(x).component_mul(&opening);
        let scale = 1e-8 * (1.0 + r.norm());
        assert!(contact.x > -scale && (contact.x < scale || opening.x < scale), "{contact:?} {opening:?}");
        assert!(contact.y.hypot(contact.z) <= 0.5 * contact.x.max(0.0) + scale, "{contact:?}");
        damaged += usize::from(x > bonded.x);
        pressed += usize::from(contact.x > 0.0);
    }
    assert!(damaged > 300 && pressed > 300, "{damaged} {pressed}");
}

#[test]
fn a_bond_that_stores_more_than_its_energy_is_refused() {
    let text = "(normal_stiffness: 1e10, tensile_strength: 1e6, energy: 20, friction: 0)";
    let error = Cohesive::<Bilinear>::build(Fragment::whole(text).parse().unwrap()).unwrap_err();
    assert!(error.message.contains("stores 50 J/m²"), "{error}");
}

/// A rigid bond pulled a little above its strength gives way in stages with the traction of its curve, as if it were solved at once.
#[test]
fn a_rigid_bond_that_gives_way_in_stages_keeps_its_strength() {
    let mut bond = Driven::<Extrinsic>::new("(strength: 1e6, energy: 100, friction: 0.3)", 1e-3);
    let w = Mat3::identity() * 1e-5;
    for excess in [1e-5, 1e-4, 1e-3] {
        let q = Vec3::x() * (1e-5 * 1e3 * (1.0 + excess));
        let solve = |input: &LawInput| {
            let data = bond.law.prepare(input).unwrap();
            match data.response {
                super::super::LawResponse::Local(law) => law.solve(&w, &q),
                // what holds
                super::super::LawResponse::Cone(cone) => {
                    let shift = data.impulse_shift;
                    coulomb(&w, &(q + data.velocity_shift - w * shift), cone.friction()) - shift
                }
            }
        };
        let at_once = solve(&bond.input);
        let mut input = bond.input;
        input.held = bond.law.begin(&input).map(|b| b.held);
        let mut stages = 0;
        loop {
            let r = solve(&input);
            let held = input.held;
            let copy = input;
            let mut point = [StagePoint {
                input: &copy,
                at: Vec3::zeros(),
                u: w * r + q,
                r,
                block: w,
                turns: [true; 3],
                held: held.unwrap(),
                note: 0.0,
            }];
            bond.law.raise(&mut point);
            input.held = Some(point[0].held);
            stages += 1;
            if input.held.unwrap() <= held.unwrap() * 1.001 {
                let traction = -r.x / (1e-3 * 1e6 * (1.0 - held.unwrap()));
                assert!((traction - 1.0).abs() < 2e-3, "excess {excess}: {traction} of its strength after {stages} stages");
                assert!((r - at_once).norm() < 2e-3 * at_once.norm(), "{r} {at_once}");
                break;
            }
        }
        assert!(stages < 200, "{stages}");
    }
    bond.go(Vec3::zeros());
}
