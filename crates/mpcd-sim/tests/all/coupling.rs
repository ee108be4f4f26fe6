//! Ports, order, and the coupling cycle against a fixed point that is known exactly.

use crate::fakes::{MODEL, Spring, build, parse, registry};
use mpcd_core::{
    FieldSpec, InputError, Inputs, Outputs, Physics, Port, Setup, SolveError, SolveReport, Step, Support, Unit, Vec3,
};
use mpcd_sim::{RunError, Simulation};
use schemars::JsonSchema;
use serde::Deserialize;

/// One free disc, mass m = 1000·π/4 kg, held by an implicit spring of the position at the end of the step:
/// x⁺ = (x + h v + h² g) / (1 + h² k/m).
const HELD: &str = r#"(
  dimension: 2, gravity: (0, -10), time: (step: 0.01, end: 0.2),
  materials: { "stone": (density: 1000) },
  bodies: [(group: "grains", material: "stone", shape: Disc(radius: 0.5), at: (0, 1), velocity: (0.5, 0))],
  physics: [Mover(), Spring(stiffness: 2.4e7, implicit: true), Counter()],
  coupling: Iterated(tolerance: 1e-12),
)"#;

fn held(sets: &[&str]) -> Simulation {
    Simulation::build(&parse(HELD, sets).unwrap(), &registry()).unwrap()
}

fn exact(x: Vec3, v: Vec3, h: f64) -> Vec3 {
    let (k, m) = (2.4e7, 1000.0 * std::f64::consts::PI * 0.25);
    (x + h * v + h * h * Vec3::new(0.0, -10.0, 0.0)) / (1.0 + h * h * k / m)
}

#[test]
fn aitken_reaches_the_implicit_solution_where_plain_repetition_diverges() {
    let mut simulation = held(&[]);
    for _ in 0..5 {
        let before = simulation.world();
        let (x, v) = (before.kinematics.position[0], before.kinematics.velocity[0]);
        let outcome = simulation.step().unwrap();
        let (iterations, residual) = outcome.coupling.unwrap();
        assert!(iterations <= 6 && residual <= 1e-12, "{iterations} {residual}");
        // The equation divides by 1 + h²k/m = 4.06: the last change of the force becomes a change of x about as large.
        let error = (simulation.world().kinematics.position[0] - exact(x, v, 0.01)).norm();
        assert!(error < 1e-11 * x.norm().max(1e-3), "{error:e}");
    }
    // With the factor 1 the map's slope −3.06 makes it diverge: the step is refused, with the cycle named.
    let sets = ["coupling.relaxation=Fixed(1)", "coupling.max_iterations=8", "time.on_failure=Stop"];
    let error = held(&sets).step().unwrap_err();
    let RunError::NotConverged { missed, .. } = &error else { panic!("{error}") };
    assert_eq!((missed.who.as_str(), missed.iterations), ("the coupling of Mover, Spring", 8));
    assert!(
        error
            .to_string()
            .contains("the exchanged fields still change: body_force; a shorter step or another `relaxation` may help"),
        "{error}"
    );
}

#[test]
fn staggered_uses_the_force_of_the_step_before() {
    let mut simulation = held(&["coupling=Staggered"]);
    let (x0, h, g) = (Vec3::new(0.0, 1.0, 0.0), 0.01, Vec3::new(0.0, -10.0, 0.0));
    let v1 = Vec3::new(0.5, 0.0, 0.0) + h * g;
    simulation.step().unwrap();
    assert!((simulation.world().kinematics.position[0] - (x0 + h * v1)).norm() < 1e-15, "no force has been written yet");
    let x1 = x0 + h * v1;
    let v2 = v1 + h * (g - 2.4e7 / (250.0 * std::f64::consts::PI) * x1);
    simulation.step().unwrap();
    assert!((simulation.world().kinematics.position[0] - (x1 + h * v2)).norm() < 1e-13);
}

#[test]
fn contact_fields_follow_their_contacts_through_repetitions() {
    let physics = "physics=[Mover(reach: 1.02), Spring(stiffness: 1e5, implicit: true), Counter()]";
    // With the counter after the cycle, and within it.
    ages_grow_by_a_step_each_step(&[physics]);
    ages_grow_by_a_step_each_step(&[physics, "coupling=Iterated(modules: [\"Mover\", \"Spring\", \"Counter\"])"]);
}

fn ages_grow_by_a_step_each_step(sets: &[&str]) {
    let mut simulation = build(sets).unwrap();
    let mut ages = Vec::new();
    while !simulation.finished() {
        let outcome = simulation.step().unwrap();
        assert!(outcome.coupling.unwrap().0 > 1, "there is a repetition");
        ages.push(simulation.fields().get("age").unwrap().to_vec());
    }
    // Some steps after the start the discs are near enough; from then on the age grows by a step each step, and only once
    // per step.
    let born = ages.iter().position(|a| !a.is_empty()).unwrap();
    assert!(born > 0 && born < 5, "{born}");
    for (n, age) in ages[born..].iter().enumerate() {
        assert!((age[0] - 0.01 * (n as f64 + 1.0)).abs() < 1e-15, "{n} {age:?}");
    }
}

/// Reads a field that may have no writer.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[derive(Default)]
struct NeedsParams {
    lagged: bool,
    wrong_unit: bool,
    also_writes: bool,
}

struct Needs(NeedsParams);

impl Physics for Needs {
    const NAME: &'static str = "Needs";
    type Params = NeedsParams;
    type State = ();
    fn build(params: NeedsParams, _: &Setup) -> Result<Self, InputError> {
        Ok(Self(params))
    }
    fn initial_state(&self, _: &Setup) {}
    fn ports(&self) -> Vec<Port> {
        let unit = if self.0.wrong_unit { Unit::MASS } else { Unit::FORCE };
        let field = FieldSpec::vector("body_force", unit, Support::Body);
        let mut ports = vec![if self.0.lagged { Port::lagged(field) } else { Port::fresh(field) }];
        if self.0.also_writes {
            ports = vec![Port::write(field)];
        }
        ports
    }
    fn advance(&mut self, _: &Step, (): &(), (): &mut (), _: &Inputs<'_>, _: &mut Outputs) -> Result<SolveReport, SolveError> {
        Ok(SolveReport::direct())
    }
}

#[test]
fn ports_are_checked_before_the_run() {
    let text = |physics: &str| {
        // The title speaks of the modules too; the place is in the list all the same.
        let model = parse(MODEL, &[&format!("physics={physics}"), "title=\"Needs, Spring\""]).unwrap();
        Simulation::build(&model, &registry().with::<Needs>()).map(|_| ()).unwrap_err().to_string()
    };
    for (physics, message) in [
        (
            "[Mover(), Needs()]",
            "module `Needs` reads the field `body_force` [N], but no module writes it; add a module that does, or remove `Needs`",
        ),
        (
            "[Mover(), Needs(), Spring(stiffness: 1)]",
            "module `Needs` needs the field `body_force` of this step, but `Spring` writes it later; put `Spring` before `Needs` in `physics`",
        ),
        (
            "[Mover(), Spring(stiffness: 1), Needs(wrong_unit: true)]",
            "module `Spring` writes the field `body_force` as 3 number(s) per body in N, but `Needs` reads it as 3 number(s) per body in kg; they must agree",
        ),
        (
            "[Mover(), Spring(stiffness: 1), Needs(also_writes: true)]",
            "modules `Spring` and `Needs` both write the field `body_force`; keep one of them",
        ),
    ] {
        let found = text(physics);
        assert!(found.contains(message) && found.starts_with("discs.ron:13:"), "{found}");
    }
}

#[test]
fn two_modules_cannot_move_the_bodies() {
    struct Second(crate::fakes::Mover);
    impl Physics for Second {
        const NAME: &'static str = "Second";
        type Params = <crate::fakes::Mover as Physics>::Params;
        type State = <crate::fakes::Mover as Physics>::State;
        fn build(params: Self::Params, setup: &Setup) -> Result<Self, InputError> {
            Physics::build(params, setup).map(Self)
        }
        fn initial_state(&self, setup: &Setup) -> Self::State {
            self.0.initial_state(setup)
        }
        fn ports(&self) -> Vec<Port> {
            Vec::new()
        }
        fn world<'a>(&self, state: &'a Self::State) -> Option<mpcd_core::World<'a>> {
            self.0.world(state)
        }
        fn advance(
            &mut self,
            s: &Step,
            p: &Self::State,
            n: &mut Self::State,
            i: &Inputs<'_>,
            o: &mut Outputs,
        ) -> Result<SolveReport, SolveError> {
            self.0.advance(s, p, n, i, o)
        }
    }
    let model = parse(MODEL, &["physics=[Mover(), Second()]"]).unwrap();
    let error = Simulation::build(&model, &registry().with::<Second>()).map(|_| ()).unwrap_err();
    assert_eq!(error.errors[0].message, "the modules `Mover` and `Second` both move the bodies; expected one that does");
    let _ = Spring::NAME;
}

/// Plain repetition has the slope h²k/m: 3.06 at the step of the model, 0.76 at half of it. A coupling that does not converge is done again
/// with shorter steps like everything else that misses a tolerance.
#[test]
fn a_coupling_that_does_not_agree_is_done_again_in_shorter_steps() {
    let plain = ["coupling.relaxation=Fixed(1)", "coupling.max_iterations=200", "time.on_failure=Halve(2)"];
    let mut simulation = held(&plain);
    for _ in 0..6 {
        let before = simulation.world();
        let (x, v) = (before.kinematics.position[0], before.kinematics.velocity[0]);
        let outcome = simulation.step().unwrap();
        assert_eq!(outcome.h, 0.005);
        let error = (simulation.world().kinematics.position[0] - exact(x, v, 0.005)).norm();
        assert!(error < 1e-11 * x.norm().max(1e-3), "{error:e}");
    }
    assert!((simulation.time() - 0.03).abs() < 1e-15 && simulation.counters().failed_steps == 0);
    assert_eq!(simulation.summary().solved_by["coupling: fixed factor"].steps, 6);
}

/// An affine map with one slope: the third repetition is the solution, in every direction.
#[test]
fn quasi_newton_finds_the_implicit_step_too() {
    let mut simulation = held(&["coupling.relaxation=QuasiNewton"]);
    for _ in 0..5 {
        let before = simulation.world();
        let (x, v) = (before.kinematics.position[0], before.kinematics.velocity[0]);
        let (iterations, _) = simulation.step().unwrap().coupling.unwrap();
        assert!(iterations <= 5, "{iterations}");
        let error = (simulation.world().kinematics.position[0] - exact(x, v, 0.01)).norm();
        assert!(error < 1e-11 * x.norm().max(1e-3), "{error:e}");
    }
    let build = || Simulation::build(&parse(HELD, &["coupling.relaxation=QuasiNewton"]).unwrap(), &registry());
    mpcd_sim::testkit::same_bits(&build, 8).unwrap();
}
