//! Three small modules: one that moves bodies and finds contacts, one that holds them by springs, one that counts on contacts.

use mpcd_core::hertz::ElasticMaterial;
use mpcd_core::{
    Balance, BodyId, Book, Contact, ContactGeometry, ContactKey, ContactNetwork, ContactStatus, Frame, InputError, Inputs,
    Kinematics, OptionalPort, Outputs, PerBody, PerContact, Physics, Port, ReadPort, Scalar, Setup, SolveError, SolveReport,
    Stage, Status, Step, Unit, Vec3, Vector, World, WritePort,
};
use mpcd_sim::{Model, ModelErrors, Registry, Simulation};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const BODY_FORCE: WritePort<Vector, PerBody> = WritePort::new("body_force", Unit::FORCE);
pub(crate) const PUSHED: OptionalPort<Vector, PerBody> = ReadPort::lagged("body_force", Unit::FORCE).optional();
pub(crate) const AGE: WritePort<Scalar, PerContact> = WritePort::new("age", Unit::TIME);
pub(crate) const LAST_AGE: ReadPort<Scalar, PerContact> = ReadPort::lagged("age", Unit::TIME);
pub(crate) const HEIGHT: WritePort<Scalar, PerBody> = WritePort::new("height", Unit::LENGTH);

/// Free motion; bodies next to each other in the list are in contact while their centres are nearer than `reach`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct MoverParams {
    /// Steps longer than this miss the tolerance.
    pub longest: f64,
    /// Step in which a position becomes NaN.
    pub nan_in: Option<u64>,
    /// Step that cannot be computed.
    pub stuck_in: Option<u64>,
    /// Whether it says that no shorter step would help.
    pub for_good: bool,
    /// Distance of centres in contact (m).
    pub reach: f64,
    /// Part of the momentum that the book does not explain.
    pub leak: f64,
    /// A group, to be looked up.
    pub group: Option<String>,
}

impl Default for MoverParams {
    fn default() -> Self {
        Self { longest: f64::INFINITY, nan_in: None, stuck_in: None, for_good: false, reach: 1.0, leak: 0.0, group: None }
    }
}

pub(crate) struct Mover {
    params: MoverParams,
    mass: Vec<f64>,
    gravity: Vec3,
    /// A cache that the state does not depend on.
    calls: u64,
}

#[derive(Default, Serialize, Deserialize)]
pub(crate) struct MoverState {
    kinematics: Kinematics,
    network: ContactNetwork,
}

impl Clone for MoverState {
    fn clone(&self) -> Self {
        Self { kinematics: self.kinematics.clone(), network: self.network.clone() }
    }
    fn clone_from(&mut self, other: &Self) {
        self.kinematics.clone_from(&other.kinematics);
        self.network.clone_from(&other.network);
    }
}

#[derive(Debug, thiserror::Error)]
#[error("the wheel is stuck; oil it")]
struct Stuck;

impl Physics for Mover {
    const NAME: &'static str = "Mover";
    type Params = MoverParams;
    type State = MoverState;

    fn build(params: MoverParams, setup: &Setup) -> Result<Self, InputError> {
        if let Some(group) = &params.group {
            setup.group(group)?;
        }
        Ok(Self { params, mass: setup.bodies.mass.clone(), gravity: setup.gravity, calls: 0 })
    }

    fn initial_state(&self, setup: &Setup) -> MoverState {
        MoverState { kinematics: setup.initial.clone(), network: ContactNetwork::default() }
    }

    fn ports(&self) -> Vec<Port> {
        vec![PUSHED.into()]
    }

    fn world<'a>(&self, state: &'a MoverState) -> Option<World<'a>> {
        Some(World { kinematics: &state.kinematics, network: &state.network })
    }

    fn numbers(&self) -> Vec<&'static str> {
        vec!["fastest"]
    }

    fn advance(
        &mut self,
        step: &Step,
        prev: &MoverState,
        next: &mut MoverState,
        inputs: &Inputs<'_>,
        _: &mut Outputs,
    ) -> Result<SolveReport, SolveError> {
        self.calls += 1;
        assert_eq!(inputs.world.kinematics, &prev.kinematics, "the owner sees its accepted world");
        if self.params.stuck_in == Some(step.index + 1) {
            let error = if self.params.for_good { SolveError::at_any_step } else { SolveError::new };
            return Err(error(Self::NAME, Stuck));
        }
        let (h, k) = (step.h, &mut next.kinematics);
        let (mut before, mut after, mut impulse, mut scale) = (Vec3::zeros(), Vec3::zeros(), Vec3::zeros(), 0.0);
        let (mut kinetic_before, mut kinetic_after, mut work) = (0.0, 0.0, 0.0);
        let pushed = inputs.read(PUSHED)?;
        for (i, &mass) in self.mass.iter().enumerate().filter(|(_, m)| **m > 0.0) {
            let force = mass * self.gravity + pushed.map_or_else(Vec3::zeros, |f| Vec3::from(f[i]));
            let v = prev.kinematics.velocity[i];
            k.velocity[i] = v + h / mass * force;
            k.position[i] = prev.kinematics.position[i] + h * k.velocity[i];
            before += mass * v;
            after += mass * k.velocity[i];
            impulse += h * force * (1.0 - self.params.leak);
            scale += mass * v.norm() + h * force.norm();
            kinetic_before += 0.5 * mass * v.norm_squared();
            kinetic_after += 0.5 * mass * k.velocity[i].norm_squared();
            work += 0.5 * h * force.dot(&(v + k.velocity[i]));
        }
        if self.params.nan_in == Some(step.index + 1) {
            k.position[0].y = f64::NAN;
        }
        next.network.contacts.clear();
        for i in 1..k.len() {
            let d = k.position[i - 1] - k.position[i];
            if self.mass[i] > 0.0 && self.mass[i - 1] > 0.0 && d.norm() < self.params.reach {
                next.network.contacts.push(contact(i, &d, k.position[i], h));
            }
        }
        let missed = h > self.params.longest;
        let status = if missed { Status::MaxIterations } else { Status::Converged };
        let stage = Stage { solver: "free".to_owned(), iterations: 3, residual: if missed { 0.5 } else { 1e-9 }, status };
        let mut report = SolveReport::of_stage(stage, 1e-5);
        report.worst = "worst at contact 0 of body 1 (group \"grains\"); look there".to_owned();
        let energy = Balance::new(Book::Energy, kinetic_before + work.abs());
        report.balances = vec![
            Balance::new(Book::Momentum, scale).store_vector("bodies", before, after).flow_vector("forces", impulse),
            energy.store("kinetic", kinetic_before, kinetic_after).flow("external", work),
        ];
        report.numbers = vec![("fastest", k.velocity.iter().map(Vec3::norm).fold(0.0, f64::max))];
        Ok(report)
    }

    fn drop_caches(&mut self) {
        self.calls = 0;
    }
}

fn contact(i: usize, d: &Vec3, at: Vec3, h: f64) -> Contact {
    let n = d.try_normalize(0.0).unwrap_or_else(Vec3::y);
    Contact {
        key: ContactKey { candidate: BodyId::from_index(i - 1), antagonist: BodyId::from_index(i), feature: 0 },
        point: at + 0.5 * d,
        frame: Frame::planar(n),
        gap: d.norm() - 1.0,
        geometry: ContactGeometry::Point { reduced_radius: 0.25, roundness: 1.0 },
        least_radius: 0.5,
        law: 0,
        u_before: Vec3::zeros(),
        u: Vec3::zeros(),
        r: Vec3::new(h * 2.0, 0.0, 0.0),
        heat_friction: 0.0,
        heat_impact: 0.0,
        status: ContactStatus::Stick,
    }
}

/// A spring from each body to the origin, of the position at the end of the step.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SpringParams {
    /// Stiffness [N/m].
    pub stiffness: f64,
    /// Whether it asks for repetition.
    #[serde(default)]
    pub implicit: bool,
}

pub(crate) struct Spring(SpringParams);

impl Physics for Spring {
    const NAME: &'static str = "Spring";
    type Params = SpringParams;
    type State = ();

    fn build(params: SpringParams, _: &Setup) -> Result<Self, InputError> {
        Ok(Self(params))
    }
    fn initial_state(&self, _: &Setup) {}
    fn ports(&self) -> Vec<Port> {
        vec![BODY_FORCE.into()]
    }
    fn wants_iteration(&self) -> bool {
        self.0.implicit
    }
    fn warnings(&self) -> Vec<String> {
        if self.0.stiffness == 0.0 { vec!["the spring has no stiffness".to_owned()] } else { Vec::new() }
    }
    fn advance(
        &mut self,
        _: &Step,
        (): &(),
        (): &mut (),
        inputs: &Inputs<'_>,
        outputs: &mut Outputs,
    ) -> Result<SolveReport, SolveError> {
        for (force, x) in outputs.write(BODY_FORCE)?.iter_mut().zip(&inputs.world.kinematics.position) {
            *force = (-self.0.stiffness * x).into();
        }
        Ok(SolveReport::direct())
    }
}

/// Counts how long contacts last, in a field on contacts that it reads back from the step before; writes heights on bodies.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct CounterParams {}

pub(crate) struct Counter;

impl Physics for Counter {
    const NAME: &'static str = "Counter";
    type Params = CounterParams;
    type State = u64;

    fn build(_: CounterParams, _: &Setup) -> Result<Self, InputError> {
        Ok(Self)
    }
    fn initial_state(&self, _: &Setup) -> u64 {
        0
    }
    fn ports(&self) -> Vec<Port> {
        vec![LAST_AGE.into(), AGE.into(), HEIGHT.into()]
    }
    fn advance(
        &mut self,
        step: &Step,
        prev: &u64,
        next: &mut u64,
        inputs: &Inputs<'_>,
        outputs: &mut Outputs,
    ) -> Result<SolveReport, SolveError> {
        *next = prev + 1;
        let old = inputs.read(LAST_AGE)?;
        assert_eq!(old.len(), inputs.world.network.len(), "contact fields follow the network");
        for (new, old) in outputs.write(AGE)?.iter_mut().zip(old) {
            *new = old + step.h;
        }
        for (new, x) in outputs.write(HEIGHT)?.iter_mut().zip(&inputs.world.kinematics.position) {
            *new = x.y;
        }
        Ok(SolveReport::direct())
    }
}

pub(crate) fn registry() -> Registry {
    Registry::new().with::<Mover>().with::<Spring>().with::<Counter>().with_material_part::<ElasticMaterial>("elastic")
}

/// Two discs and a floor; the discs move apart or together.
pub(crate) const MODEL: &str = r#"(
  title: "two discs",
  dimension: 2,
  gravity: (0, -10),
  time: (step: 0.01, end: 0.2),
  materials: { "stone": (density: 1000, elastic: (young: 1e9, poisson: 0.2)) },
  bodies: [
    (group: "grains", material: "stone", shape: Disc(radius: 0.5), at: (0, 1)),
    (group: "grains", material: "stone", shape: Disc(radius: 0.5), at: (0, 2.05), velocity: (0, -1)),
    (group: "floor", material: "stone", shape: Plane(normal: (0, 1))),
  ],
  interactions: [(between: ("grains", "grains"), law: Any)],
  physics: [Mover(), Counter()],
  output: (every: 5),
)"#;

pub(crate) fn model(sets: &[&str]) -> Result<Model, ModelErrors> {
    parse(MODEL, sets)
}

pub(crate) fn parse(text: &str, sets: &[&str]) -> Result<Model, ModelErrors> {
    let sets: Vec<String> = sets.iter().map(|s| (*s).to_owned()).collect();
    Model::parse(text, "discs", "discs.ron", std::path::Path::new("."), &sets)
}

pub(crate) fn build(sets: &[&str]) -> Result<Simulation, ModelErrors> {
    Simulation::build(&model(sets)?, &registry())
}

const AGES: OptionalPort<Scalar, PerContact> = ReadPort::fresh("age", Unit::TIME).optional();
const HEIGHTS: OptionalPort<Scalar, PerBody> = ReadPort::fresh("height", Unit::LENGTH).optional();
const WARM: OptionalPort<Scalar, PerBody> = ReadPort::fresh("warmth", Unit::TEMPERATURE).optional();
const SUMS: WritePort<Vector, PerBody> = WritePort::new("sums", Unit::ONE);
const WARMTH: WritePort<Scalar, PerBody> = WritePort::new("warmth", Unit::TEMPERATURE);

/// Adds up what it is given: time, impulses of contacts, integrals over time of their ages and of the height of body 0, the way of body 0,
/// its steps, and the square of the way over the time.
pub(crate) struct Meter;

impl Physics for Meter {
    const NAME: &'static str = "Meter";
    type Params = CounterParams;
    type State = [f64; 7];

    fn build(_: CounterParams, _: &Setup) -> Result<Self, InputError> {
        Ok(Self)
    }
    fn initial_state(&self, _: &Setup) -> [f64; 7] {
        [0.0; 7]
    }
    fn ports(&self) -> Vec<Port> {
        vec![AGES.into(), HEIGHTS.into(), WARM.into(), SUMS.into()]
    }
    fn advance(
        &mut self,
        step: &Step,
        prev: &[f64; 7],
        next: &mut [f64; 7],
        inputs: &Inputs<'_>,
        outputs: &mut Outputs,
    ) -> Result<SolveReport, SolveError> {
        assert!((step.time - prev[0]).abs() < 1e-12, "the step begins where the last one ended: {} {}", step.time, prev[0]);
        assert_eq!(step.index as f64, prev[5], "its own steps are counted");
        let ages = inputs.read(AGES)?.unwrap_or_default();
        let way = inputs.world.kinematics.position[0].y - inputs.world_before.kinematics.position[0].y;
        let given = [
            step.h,
            inputs.world.network.iter().map(|c| c.r.x).sum(),
            step.h * ages.iter().sum::<f64>(),
            step.h * inputs.read(HEIGHTS)?.map_or(0.0, |h| h[0]),
            way,
            1.0,
            way * way / step.h,
        ];
        *next = std::array::from_fn(|k| prev[k] + given[k]);
        let sums = outputs.write(SUMS)?;
        sums[0] = [next[0], next[1], next[2]];
        sums[1] = [next[3], next[4], next[5]];
        sums[2][0] = next[6];
        Ok(SolveReport::direct())
    }
}

/// What `Meter` added up.
pub(crate) fn meter(simulation: &Simulation) -> [f64; 7] {
    std::array::from_fn(|k| simulation.field("sums").unwrap()[k])
}

/// Warmth that rises by 20 K within some milliseconds about t = 0.1 s. Between 0.05 s and 0.07 s it asks for steps of `longest`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct WarmerParams {
    pub longest: Option<f64>,
}

pub(crate) struct Warmer(WarmerParams);

impl Physics for Warmer {
    const NAME: &'static str = "Warmer";
    type Params = WarmerParams;
    /// Time (s).
    type State = f64;

    fn build(params: WarmerParams, _: &Setup) -> Result<Self, InputError> {
        Ok(Self(params))
    }
    fn initial_state(&self, _: &Setup) -> f64 {
        0.0
    }
    fn ports(&self) -> Vec<Port> {
        vec![WARMTH.into()]
    }
    fn initial_fields(&self, _: &f64, _: &Setup, _: World<'_>, outputs: &mut Outputs) -> Result<(), SolveError> {
        outputs.write(WARMTH)?.fill(-10.0);
        Ok(())
    }
    fn max_dt(&self, time: &f64, _: &Setup, _: World<'_>) -> Option<f64> {
        self.0.longest.filter(|_| *time > 0.0499 && *time < 0.0699)
    }
    fn advance(
        &mut self,
        step: &Step,
        _: &f64,
        next: &mut f64,
        _: &Inputs<'_>,
        outputs: &mut Outputs,
    ) -> Result<SolveReport, SolveError> {
        *next = step.end();
        outputs.write(WARMTH)?.fill(10.0 * ((step.end() - 0.1) / 0.004).tanh());
        Ok(SolveReport::direct())
    }
}
