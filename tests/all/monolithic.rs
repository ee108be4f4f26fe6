//! What the course calls monolithic is what `Iterated` reaches (PHYSICS §9): a sphere that carries a current between a plate
//! and a heavy piston swells by Joule heat and lifts the piston, whose inertia presses the contacts, which then conduct
//! better. One step of three modules against Newton's method on all unknowns of the step at once.

use std::f64::consts::PI;
use std::path::Path;

use mpcd::{Registry, StandardRegistry};
use mpcd_sim::{Model, Simulation};

/// Step (s).
const H: f64 = 1e-3;
/// Load on the piston (N).
const LOAD: f64 = 10.0;
/// Its mass (kg).
const PISTON: f64 = 20.0;
/// Current (A).
const CURRENT: f64 = 1000.0;
/// Temperature at the start (K).
const START: f64 = 293.15;
const MODEL: &str = r#"(
    dimension: 3, gravity: (0, 0, 0), time: (step: 1e-3, end: 1e-3, theta: 1),
    materials: {"steel": (
        density: 7800, elastic: (young: 210e9, poisson: 0.3), electrical: (conductivity: 1.4e6),
        thermal: (conductivity: 50, specific_heat: 500, expansion: 1.2e-5),
    )},
    bodies: [
        (group: "plate", material: "steel", shape: Plane(normal: (0, 0, 1))),
        (group: "ball", material: "steel", shape: Sphere(radius: 5e-3), at: (0, 0, 5e-3)),
        (group: "piston", material: "steel", shape: Plane(normal: (0, 0, -1)), at: (0, 0, 10e-3), mass: 20),
    ],
    interactions: [
        (between: ("ball", "plate"), law: Coulomb(friction: 0)),
        (between: ("ball", "piston"), law: Coulomb(friction: 0)),
        (between: ("plate", "piston"), law: NoContact),
    ],
    loads: [(on: "piston", load: Force(z: -10))],
    physics: [
        Contact(tolerance: 1e-13),
        Electrical(law: Hertz, potential: [(group: "plate", value: 0)], current: [(group: "piston", value: 1000)]),
        Thermal(
            law: Hertz, temperature: 293.15, coupling: (friction: false, impact: false),
            boundary: [Temperature(group: "plate", value: 293.15), Temperature(group: "piston", value: 293.15)],
        ),
    ],
    coupling: COUPLING,
)"#;

/// Impulses at the plate and at the piston (N s), velocities of ball and piston (m/s), temperature of the ball (K).
type Unknowns = [f64; 5];

/// What one step of the program gives.
fn program(coupling: &str) -> Unknowns {
    let text = MODEL.replace("COUPLING", coupling);
    let model =
        Model::parse_with(&text, "model", "model.ron", Path::new(""), &[], &mpcd::shapes()).unwrap_or_else(|e| panic!("{e}"));
    let mut simulation = Simulation::build(&model, &Registry::standard()).unwrap_or_else(|e| panic!("{e}"));
    simulation.step().unwrap_or_else(|e| panic!("{e}"));
    let world = simulation.world();
    let impulse = |other: usize| {
        let mine = |c: &&mpcd_core::Contact| c.key.candidate.index() == other || c.key.antagonist.index() == other;
        world.network.iter().find(mine).unwrap().r.x
    };
    let v = &world.kinematics.velocity;
    [impulse(0), impulse(2), v[1].z, v[2].z, simulation.field("temperature").unwrap()[1]]
}

/// All equations of the step together; zero at its solution.
fn equations([plate, piston, v_ball, v_piston, t]: Unknowns) -> Unknowns {
    let (radius, density) = (5e-3_f64, 7800.0);
    let mass = 4.0 / 3.0 * PI * radius.powi(3) * density;
    // The same steel on both sides: 1/E* = 2 (1 − ν²)/E.
    let modulus = 210e9 / (2.0 * (1.0 - 0.09));
    let spot = |r: f64| (0.75 * (r / H) * radius / modulus).cbrt();
    let (a, b) = (spot(plate), spot(piston));
    let growth = radius * 1.2e-5 * (t - START) / H;
    let joule = 0.5 * CURRENT * CURRENT * (1.0 / (2.0 * 1.4e6 * a) + 1.0 / (2.0 * 1.4e6 * b));
    let conduction = 2.0 * 50.0 * (a + b) * (START - t);
    [
        mass * v_ball - (plate - piston),
        PISTON * v_piston - (piston - LOAD * H),
        v_ball - growth,
        v_piston - v_ball - growth,
        mass * 500.0 * (t - START) / H - joule - conduction,
    ]
}

/// Newton's method with a Jacobian by differences.
fn newton() -> Unknowns {
    let mut x = nalgebra::SVector::<f64, 5>::from([LOAD * H, LOAD * H, 1e-4, 1e-4, START + 1.0]);
    let scale = [1e-2, 1e-2, 1e-4, 1e-4, 1.0];
    for _ in 0..50 {
        let f = nalgebra::SVector::from(equations(x.into()));
        let mut jacobian = nalgebra::SMatrix::<f64, 5, 5>::zeros();
        for (k, s) in scale.iter().enumerate() {
            let (mut up, mut down) = (x, x);
            up[k] += 1e-5 * s;
            down[k] -= 1e-5 * s;
            let difference = nalgebra::SVector::from(equations(up.into())) - nalgebra::SVector::from(equations(down.into()));
            jacobian.set_column(k, &(difference / (2e-5 * s)));
        }
        x -= jacobian.lu().solve(&f).unwrap();
    }
    x.into()
}

/// Largest difference relative to the change over the step.
fn difference(x: &Unknowns, exact: &Unknowns) -> f64 {
    let size = [exact[0], exact[1], exact[2], exact[3], exact[4] - START];
    (0..5).map(|k| ((x[k] - exact[k]) / size[k]).abs()).fold(0.0, f64::max)
}

#[test]
fn iterated_is_the_monolithic_step() {
    let exact = newton();
    assert!(exact[1] > 1.2 * LOAD * H, "the piston's inertia shall matter: {exact:?}");
    for relaxation in ["Auto", "Aitken", "QuasiNewton", "Fixed(0.7)"] {
        let iterated = program(&format!("Iterated(tolerance: 1e-10, relaxation: {relaxation})"));
        assert!(difference(&iterated, &exact) < 1e-10, "{relaxation}: {iterated:?} and {exact:?}");
    }
    let monolithic = program("Monolithic");
    assert!(difference(&monolithic, &exact) < 1e-10, "{monolithic:?} and {exact:?}");
    let staggered = program("Staggered");
    assert!(difference(&staggered, &exact) > 1e-2, "once through shall not be enough here: {staggered:?} and {exact:?}");
}

/// The name is a promise: it is refused where a module solves its own equations more loosely than the step is to be solved.
#[test]
fn monolithic_is_refused_beside_loose_solves() {
    let text = MODEL.replace("Contact(tolerance: 1e-13)", "Contact()").replace("COUPLING", "Monolithic");
    let model = Model::parse_with(&text, "model", "model.ron", Path::new(""), &[], &mpcd::shapes()).unwrap();
    let error = Simulation::build(&model, &Registry::standard()).unwrap().step().unwrap_err().to_string();
    assert!(error.contains("`Contact` solves its own to 1.0e-5; give `Contact` a tolerance of 1.0e-10 or less"), "{error}");
}

/// `explain` tells the name apart from a repetition of the same modules.
#[test]
fn monolithic_is_explained_as_all_equations_together() {
    let schedule = |coupling: &str| {
        let text = MODEL.replace("COUPLING", coupling);
        let model = Model::parse_with(&text, "model", "model.ron", Path::new(""), &[], &mpcd::shapes()).unwrap();
        mpcd_sim::describe(&Simulation::build(&model, &Registry::standard()).unwrap()).schedule.join("\n")
    };
    let words = "all equations of the step together: repeat until ";
    assert!(schedule("Monolithic").contains(words), "{}", schedule("Monolithic"));
    assert!(!schedule("Iterated()").contains(words));
}
