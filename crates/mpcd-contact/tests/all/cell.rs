//! A periodic cell that follows a stress: forces of a chain, free motion, books, and what is refused.

use mpcd_core::{Book, CellDrive, Dimension, Fragment, InputError, MovingCell, Quat, TimeFunction, Vec3};
use mpcd_geometry::Shape;

use crate::scene::{Run, Scene};

const fn stress(value: f64) -> CellDrive {
    CellDrive::Stress(TimeFunction::Constant(value))
}

const fn rate(value: f64) -> CellDrive {
    CellDrive::Rate(TimeFunction::Constant(value))
}

/// A scene in a cell without gravity.
fn scene(dimension: Dimension, lengths: [f64; 3], drives: [CellDrive; 3], mass: Option<f64>, viscosity: f64) -> Scene {
    let mut scene = Scene::new(dimension, Vec3::zeros());
    let axes = if dimension == Dimension::Planar { 2 } else { 3 };
    scene.setup.periods = std::array::from_fn(|k| (k < axes).then_some(lengths[k]));
    scene.setup.cell = Some(MovingCell { drives, mass, viscosity, text: Fragment::whole("(stress: (x: 1))") });
    scene
}

/// Four balls in a row that closes over the border of the cell, and rows like it beside.
fn chain(drives: [CellDrive; 3]) -> Run {
    let mut scene = scene(Dimension::Spatial, [0.8, 1.0, 1.5], drives, None, 0.0);
    for k in 0..4 {
        scene.body("balls", Shape::Ball { radius: 0.1 }, Vec3::new(0.2 * f64::from(k) - 0.9, 0.3, 0.0), None);
    }
    scene.law("balls", "balls", "Coulomb(friction: 0.3)");
    scene.build("Contact(tolerance: 1e-12)").unwrap()
}

/// The force in a chain across the border is σ A, in each of its contacts, and the cell rests.
#[test]
fn a_chain_across_the_border_carries_the_stress() {
    let mut run = chain([stress(1000.0), CellDrive::Fixed, CellDrive::Fixed]);
    for _ in 0..5 {
        let report = run.step(1e-3);
        assert_eq!(run.network().len(), 4);
        for contact in run.network().iter() {
            let force = contact.normal_force(1e-3);
            assert!((force / (1000.0 * 1.0 * 1.5) - 1.0).abs() < 1e-9, "{force}");
        }
        let number = |name: &str| report.numbers.iter().find(|(n, _)| *n == name).unwrap().1;
        assert!((number("cell_stress_x") / 1000.0 - 1.0).abs() < 1e-9 && number("cell_stress_y") == 0.0);
        assert!((number("cell_x") - 0.8).abs() < 1e-9 && number("cell_z") == 1.5);
    }
}

/// The other sign pulls: nothing pushes, and the cell grows as its inertia lets it.
#[test]
fn a_pulled_cell_opens() {
    let mut run = chain([stress(-1000.0), CellDrive::Fixed, CellDrive::Fixed]);
    let mass: f64 = run.setup.bodies.mass.iter().sum();
    for _ in 0..10 {
        run.step(1e-3);
        assert!(run.network().iter().all(|c| c.r.x == 0.0));
    }
    assert!((run.kinematics().cell.speeds.x / (1500.0 * 0.01 / mass) - 1.0).abs() < 1e-9);
}

/// A dense lattice under a stress that is drawn out across, more slowly than the tolerance can tell from rest, and faster.
#[test]
fn a_cell_too_slow_for_the_tolerance_is_told() {
    let told = |speed: f64| {
        let (across, up) = (0.2, 0.2 * 0.75_f64.sqrt());
        let drives = [rate(speed / across), stress(1000.0), CellDrive::Fixed];
        let mut scene = scene(Dimension::Planar, [4.0 * across, 4.0 * up, 0.0], drives, None, 0.0);
        for (row, column) in (0..4).flat_map(|row| (0..4).map(move |column| (row, column))) {
            let at = Vec3::new(across * (f64::from(column) + 0.5 * f64::from(row % 2)), up * f64::from(row), 0.0);
            scene.body("discs", Shape::Disc { radius: 0.1, thickness: 1.0 }, at, None);
        }
        scene.law("discs", "discs", "Coulomb(friction: 0.3)");
        let mut run = scene.build("Contact()").unwrap();
        let mass = run.setup.bodies.mass[0];
        let watched: Vec<_> = (0..5).flat_map(|_| run.step(1e-3).watched).collect();
        assert!(
            watched.iter().all(|w| w.what == "drive" && w.words.starts_with("the cell moves bodies that touch")),
            "{watched:?}"
        );
        (watched.len(), 1000.0 * across * 1e-3 / mass)
    };
    let (_, pace) = told(0.0);
    assert!(told(1e-6 * pace).0 > 0);
    assert_eq!([told(0.0).0, told(1e-2 * pace).0], [0, 0]);
}

/// A planar cell: the section is the length across times the thickness of the discs.
#[test]
fn a_planar_cell_has_the_thickness_of_its_discs() {
    let drives = [CellDrive::Fixed, stress(500.0), CellDrive::Fixed];
    let mut scene = scene(Dimension::Planar, [0.9, 0.8, 0.0], drives, Some(7.0), 0.0);
    for k in 0..4 {
        let at = Vec3::new(0.1, 0.2 * f64::from(k), 0.0);
        scene.body("discs", Shape::Disc { radius: 0.1, thickness: 0.05 }, at, None);
    }
    scene.law("discs", "discs", "Coulomb(friction: 0)");
    let mut run = scene.build("Contact(tolerance: 1e-12)").unwrap();
    run.step(1e-3);
    for contact in run.network().iter() {
        assert!((contact.normal_force(1e-3) / (500.0 * 0.9 * 0.05) - 1.0).abs() < 1e-9);
    }
}

/// Without contacts L̈ = −σ A/M; with a viscosity the rate goes to −σ/ζ. Bodies keep their places in the cell, their images follow.
#[test]
fn a_free_cell_accelerates_as_the_stress_wants() {
    let (sigma, mass) = (40.0, 5.0);
    let drives = || [stress(sigma), rate(0.5), CellDrive::Fixed];
    for theta in [0.5, 1.0] {
        let mut scene = scene(Dimension::Spatial, [2.0, 1.0, 3.0], drives(), Some(mass), 0.0);
        scene.body("balls", Shape::Ball { radius: 0.1 }, Vec3::new(1.2, 0.3, 0.7), None);
        scene.body("balls", Shape::Ball { radius: 0.1 }, Vec3::new(4.9, 0.3, 0.7), None);
        scene.law("balls", "balls", "Coulomb(friction: 0.3)");
        let mut run = scene.build("Contact()").unwrap();
        run.theta = theta;
        let (h, mut width, mut widening, mut speed) = (1e-3, 1.0, 0.5, 0.0);
        for _ in 0..100 {
            // The θ-scheme of the length along y, which the rate moves: the section is taken in the contact configuration.
            let middle = width + h * (1.0 - theta) * widening;
            widening = 0.5 * middle;
            width = middle + h * theta * widening;
            speed -= h * sigma * (3.0 * middle) / mass;
            run.step(h);
            let cell = &run.kinematics().cell;
            assert!((cell.speeds.x / speed - 1.0).abs() < 1e-12, "{} {speed}", cell.speeds.x);
        }
        let (k, cell) = (run.kinematics(), run.kinematics().cell);
        let lengths = cell.lengths.map(Option::unwrap);
        // ½ σ A t²/M with A growing by 5 % in the time
        let way = 2.0 - lengths[0];
        assert!((way / (0.5 * sigma * 3.0 * 0.01 / mass) - 1.02).abs() < 0.02, "{way}");
        assert!((lengths[1] / 0.05_f64.exp() - 1.0).abs() < 1e-4 && lengths[2] == 3.0, "{lengths:?}");
        assert!((k.position[1].x / k.position[0].x - 4.9 / 1.2).abs() < 1e-12);
        assert!((k.position[0].x / lengths[0] - 0.6).abs() < 1e-12 && k.velocity[0] == Vec3::zeros());
    }
    let mut scene = scene(Dimension::Spatial, [2.0; 3], [stress(sigma), CellDrive::Fixed, CellDrive::Fixed], Some(mass), 1000.0);
    scene.body("balls", Shape::Ball { radius: 0.1 }, Vec3::zeros(), None);
    scene.law("balls", "balls", "Coulomb(friction: 0.3)");
    let mut run = scene.build("Contact()").unwrap();
    for _ in 0..1000 {
        run.step(1e-3);
    }
    // but for the inertia of a length that shrinks at a steady rate: M L ε̇² over A σ is 1e-4
    assert!((run.kinematics().cell.rates().x / (-sigma / 1000.0) - 1.0).abs() < 2e-4);
}

/// Balls, rough boxes and impacts in a cell under stress, rate and viscosity: both books close in every step for every θ, and the cell is squeezed.
#[test]
fn momentum_and_energy_close_with_the_cell() {
    for (theta, law) in [
        (0.5, "Coulomb(friction: 0.4)"),
        (0.75, "Coulomb(friction: 0.4, restitution: 0.6, contact: Velocity)"),
        (1.0, "Coulomb(friction: 0.4)"),
    ] {
        let drives = [stress(4000.0), stress(2500.0), rate(-0.4)];
        let mut scene = scene(Dimension::Spatial, [1.0; 3], drives, Some(300.0), 800.0);
        for k in 0..27_u32 {
            let place = Vec3::new(f64::from(k % 3), f64::from(k / 3 % 3), f64::from(k / 9));
            let at = place * 0.333 + Vec3::new(0.02 * place.y, 0.013 * place.z, 0.017 * place.x);
            let shape = if k % 5 == 0 { Shape::Box { half: Vec3::new(0.11, 0.09, 0.1) } } else { Shape::Ball { radius: 0.15 } };
            let body = scene.body("grains", shape, at, None);
            scene.velocity(body, Vec3::new(0.1 * place.y, -0.2 * place.x, 0.1), Vec3::new(0.3, 0.1 * place.z, -0.2));
            scene.setup.initial.orientation[body.index()] = Quat::from_euler_angles(0.2 * f64::from(k % 4), 0.1, 0.0);
        }
        scene.law("grains", "grains", law);
        let mut run = scene.build("Contact(tolerance: 1e-10)").unwrap();
        run.theta = theta;
        let (mut contacts, mut worked) = (0, 0.0);
        for _ in 0..400 {
            let report = run.step(1e-3);
            for balance in &report.balances {
                let imbalance = balance.imbalance();
                assert!(imbalance <= 1e-10, "θ {theta}, step {}, {:?}: {imbalance:e}", run.index, balance.book);
                if balance.book == Book::Energy {
                    worked += balance.flows.iter().find(|(n, _)| *n == "cell_stress").unwrap().1.x;
                }
            }
            contacts = contacts.max(run.network().iter().filter(|c| c.r.x > 0.0).count());
        }
        let lengths = run.kinematics().cell.lengths.map(Option::unwrap);
        assert!(contacts > 15 && worked > 10.0 && lengths[0] < 0.97, "{contacts} contacts, {worked} J, {lengths:?}");
    }
}

/// What the momentum of the cell gains is h A (σ_contacts − σ): a cell that fell is stopped by the chain within a step.
#[test]
fn a_falling_cell_is_stopped_by_the_chain() {
    let mut run = chain([stress(1000.0), CellDrive::Fixed, CellDrive::Fixed]);
    let mass: f64 = run.setup.bodies.mass.iter().sum();
    let report = run.step(1e-3);
    let momentum = report.balances.iter().find(|b| b.book == Book::Momentum).unwrap();
    let flow = |name: &str| momentum.flows.iter().find(|(n, _)| *n == name).unwrap().1;
    assert!((flow("cell_stress").x + 1.5).abs() < 1e-12 && (flow("cell_contacts").x - 1.5).abs() < 1e-9, "{momentum:?}");
    assert!(run.kinematics().cell.speeds.x.abs() < 1e-9 * 1.5 / mass);
}

fn refused(change: impl FnOnce(&mut Scene), contact: &str) -> InputError {
    let mut scene = scene(Dimension::Spatial, [1.0; 3], [stress(1.0), CellDrive::Fixed, CellDrive::Fixed], None, 0.0);
    scene.body("balls", Shape::Ball { radius: 0.1 }, Vec3::zeros(), None);
    scene.law("balls", "balls", "Coulomb(friction: 0.3)");
    change(&mut scene);
    scene.build(contact).map(|_| ()).unwrap_err()
}

#[test]
fn what_a_moving_cell_cannot_hold_is_refused() {
    let message = |change: fn(&mut Scene), contact: &str| refused(change, contact).message;
    assert!(message(|s| s.setup.gravity.x = 1.0, "Contact()").starts_with("gravity acts along x"));
    assert!(message(|s| s.load("balls", "Locked(axes: [X])"), "Contact()").contains("is held or driven along x"));
    // The default and what condenses take cells; what sweeps in no order does not.
    assert!(message(|_| {}, "Contact(solver: \"jacobi\")").starts_with("the solver `jacobi` cannot carry a cell"));
    assert!(message(|_| {}, "Contact(scheme: Explicit())").starts_with("explicit steps are made in a cell of fixed lengths"));
    let mut smooth = scene(Dimension::Spatial, [1.0; 3], [rate(1.0), CellDrive::Fixed, CellDrive::Fixed], None, 0.0);
    smooth.body("balls", Shape::Ball { radius: 0.1 }, Vec3::zeros(), None);
    let error = smooth.build_smooth("SmoothContact()").map(|_| ()).unwrap_err();
    assert!(error.message.starts_with("SmoothContact computes in a cell of fixed lengths"), "{error}");
}

/// A stress that grows as t acts with its mean over the step: L̇ = −A σ′ t²/(2M) exactly at θ = ½.
#[test]
fn a_stress_that_grows_acts_with_its_mean() {
    let drives = [CellDrive::Stress(TimeFunction::Table(vec![(0.0, 0.0), (1.0, 40.0)])), CellDrive::Fixed, CellDrive::Fixed];
    let mut scene = scene(Dimension::Spatial, [2.0, 1.0, 3.0], drives, Some(5.0), 0.0);
    scene.body("balls", Shape::Ball { radius: 0.1 }, Vec3::new(1.2, 0.3, 0.7), None);
    scene.law("balls", "balls", "Coulomb(friction: 0.3)");
    let mut run = scene.build("Contact()").unwrap();
    (0..10).for_each(|_| drop(run.step(0.02)));
    let (speed, wanted) = (run.kinematics().cell.speeds.x, -3.0 * 40.0 * 0.04 / 10.0);
    assert!((speed / wanted - 1.0).abs() < 1e-12, "{speed}, not {wanted}");
}

/// A ball on a rough plane in a cell that widens: both are carried along alike, however far the place of the plane is, and nothing drags the ball.
#[test]
fn a_plane_stretches_with_the_cell() {
    let mut scene = scene(Dimension::Spatial, [2.0, 0.0, 3.0], [rate(0.5), CellDrive::Fixed, CellDrive::Fixed], Some(5.0), 0.0);
    scene.setup.periods[1] = None;
    scene.setup.gravity = Vec3::y() * -9.81;
    scene.body("ball", Shape::Ball { radius: 0.1 }, Vec3::new(0.7, 0.1, 0.4), None);
    scene.floor("floor", Vec3::y());
    scene.law("ball", "floor", "Coulomb(friction: 0.5)");
    let mut run = scene.build("Contact(tolerance: 1e-12)").unwrap();
    for _ in 0..20 {
        run.step(1e-3);
    }
    let k = run.kinematics();
    assert!(run.network().iter().any(|c| c.r.x > 0.0), "nothing presses on the plane");
    assert!(k.velocity[0].norm() < 1e-12 && k.angular_velocity[0].norm() < 1e-10, "{:?}", k.velocity[0]);
    assert!((k.position[0].x / (0.7 * k.cell.lengths[0].unwrap() / 2.0) - 1.0).abs() < 1e-12, "{:?}", k.position[0]);
}
