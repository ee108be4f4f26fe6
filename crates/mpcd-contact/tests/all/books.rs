//! The books close: momentum to rounding, energy to rounding for balls, thermal growth as its own line.

use mpcd_core::{Book, Dimension, Quat, Vec3, field::names};
use mpcd_geometry::Shape;

use crate::scene::{G, Run, Scene};

/// A heap of balls in a box with one driven wall and a pressed ball.
fn heap(theta: f64) -> Run {
    let mut scene = Scene::new(Dimension::Spatial, Vec3::z() * -G);
    for k in 0..27_u32 {
        let (i, j, l) = (f64::from(k % 3), f64::from(k / 3 % 3), f64::from(k / 9));
        let radius = 0.1 - 0.001 * f64::from(k % 5);
        scene.body("balls", Shape::Ball { radius }, Vec3::new(0.21 * i + 0.01 * l, 0.21 * j - 0.007 * l, 0.105 + 0.21 * l), None);
    }
    scene.floor("floor", Vec3::z());
    let lid = scene.body("lid", Shape::Plane { normal: -Vec3::z() }, Vec3::z() * 0.75, Some(5.0));
    scene.velocity(lid, Vec3::z() * -0.3, Vec3::zeros());
    scene.body("pusher", Shape::Plane { normal: Vec3::x() }, Vec3::x() * -0.12, None);
    scene.load("lid", "Force(z: \"-200*(1+sin(30*t))\")");
    scene.load("lid", "Locked(axes: [X, Y])");
    scene.load("pusher", "Velocity(x: 0.5)");
    for group in ["balls", "floor", "lid", "pusher"] {
        scene.law("balls", group, "Coulomb(friction: 0.4, restitution: 0.3)");
    }
    for other in ["floor", "pusher"] {
        scene.law("lid", other, "NoContact");
    }
    let mut run = scene.build("Contact(tolerance: 1e-10)").unwrap();
    run.theta = theta;
    run
}

#[test]
fn momentum_and_energy_close_to_rounding_for_every_theta() {
    for theta in [0.5, 0.75, 1.0] {
        let mut run = heap(theta);
        let mut contacts = 0;
        for _ in 0..200 {
            let report = run.step(5e-4);
            for balance in &report.balances {
                assert!(
                    balance.imbalance() <= 1e-10,
                    "θ {theta}, step {}, {:?}: {:e}",
                    run.index,
                    balance.book,
                    balance.imbalance()
                );
            }
            contacts = contacts.max(run.network().iter().filter(|c| c.r.x > 0.0).count());
        }
        assert!(contacts > 15, "{contacts}");
    }
}

/// Slabs of unequal moments tumble onto a floor: their energy is kept in the books through every impact and every turn.
#[test]
fn energy_of_tumbling_slabs_closes_to_rounding() {
    for theta in [0.5, 1.0] {
        let mut scene = Scene::new(Dimension::Spatial, Vec3::z() * -G);
        for k in 0..6_u32 {
            let shape = Shape::Box { half: Vec3::new(0.1, 0.05, 0.02) };
            let slab = scene.body("slabs", shape, Vec3::new(0.03 * f64::from(k % 3), 0.0, 0.15 + 0.12 * f64::from(k)), None);
            scene.setup.initial.orientation[slab.index()] = Quat::from_euler_angles(0.4 * f64::from(k), 0.3, 0.2);
            scene.velocity(slab, Vec3::zeros(), Vec3::new(1.0, -2.0, 3.0));
        }
        scene.floor("floor", Vec3::z());
        for group in ["slabs", "floor"] {
            scene.law("slabs", group, "Coulomb(friction: 0.4)");
        }
        let mut run = scene.build("Contact(tolerance: 1e-7)").unwrap();
        run.theta = theta;
        let (mut turned, mut touched) = (0.0_f64, 0);
        for _ in 0..300 {
            let report = run.step(1e-3);
            let energy = report.balances.iter().find(|b| b.book == Book::Energy).unwrap();
            assert!(energy.imbalance() <= 1e-10, "θ {theta}, step {}: {:e}", run.index, energy.imbalance());
            turned = turned.max(energy.flows.iter().find(|(n, _)| *n == "rotation").unwrap().1.x.abs() / energy.scale);
            touched = touched.max(run.network().iter().filter(|c| c.r.x > 0.0).count());
        }
        assert!(turned > 1e-9 && touched > 6, "the line of turning bodies is empty: {turned:e}, {touched} contacts");
    }
}

#[test]
fn growth_pushes_neighbours_apart_and_is_a_line_of_the_energy_book() {
    let mut scene = Scene::new(Dimension::Spatial, Vec3::zeros());
    let shape = Shape::Ball { radius: 0.1 };
    scene.body("balls", shape.clone(), Vec3::zeros(), None);
    scene.body("balls", shape, Vec3::x() * 0.2, None);
    scene.law("balls", "balls", "Coulomb(friction: 0.3)");
    let mut run = scene.build("Contact(tolerance: 1e-12)").unwrap();
    let h = 1e-3;
    run.fields.swap(names::SIZE_FACTOR, &mut vec![1.001, 1.0]);
    let report = run.step(h);
    // Free balls part at the speed of growth: 0.1 mm in 1 ms.
    let v = &run.kinematics().velocity;
    assert!((v[1].x - v[0].x - 0.1).abs() < 1e-9, "{v:?}");
    let energy = report.balances.iter().find(|b| b.book == Book::Energy).unwrap();
    assert!(energy.imbalance() < 1e-12);
    let thermal = energy.flows.iter().find(|(n, _)| *n == "thermal").unwrap().1.x;
    assert!(thermal > 0.0);
    let k = run.kinematics();
    assert_eq!(k.size[0], 1.001);
    // No gap opens and none closes beyond the step's own drift.
    run.step(h);
    let gap = run.network().contacts[0].gap;
    assert!(gap.abs() < 0.1 * h, "{gap}");
}
