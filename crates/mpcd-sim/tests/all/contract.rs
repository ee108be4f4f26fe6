//! What the loop holds modules to: their ports, and the values that their fields start from.

use mpcd_core::{
    InputError, Inputs, Outputs, PerBody, Physics, Port, ReadPort, Scalar, Setup, SolveError, SolveReport, Step, Unit, World,
    WritePort,
};
use mpcd_sim::Simulation;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::fakes::{MODEL, parse, registry};

const WARMTH: WritePort<Scalar, PerBody> = WritePort::new("warmth", Unit::ONE).starting_at(1.0);
const LAST_WARMTH: ReadPort<Scalar, PerBody> = ReadPort::lagged("warmth", Unit::ONE);
const TAKEN: WritePort<Scalar, PerBody> = WritePort::new("taken", Unit::ONE);

/// Starts at 7 and grows by 1 in each step, with one fault.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct GiverParams {
    fault: String,
    start: f64,
}

impl Default for GiverParams {
    fn default() -> Self {
        Self { fault: String::new(), start: 7.0 }
    }
}

struct Giver(GiverParams);

impl Physics for Giver {
    const NAME: &'static str = "Giver";
    type Params = GiverParams;
    type State = f64;
    fn build(params: GiverParams, _: &Setup) -> Result<Self, InputError> {
        Ok(Self(params))
    }
    fn initial_state(&self, _: &Setup) -> f64 {
        self.0.start
    }
    fn ports(&self) -> Vec<Port> {
        vec![WARMTH.into()]
    }
    fn initial_fields(&self, state: &f64, _: &Setup, at: World<'_>, outputs: &mut Outputs) -> Result<(), SolveError> {
        assert_eq!(at.kinematics.len(), 3);
        match self.0.fault.as_str() {
            "says nothing" => {}
            "starts another" => outputs.write(TAKEN)?.fill(0.0),
            _ => outputs.write(WARMTH)?.fill(*state),
        }
        Ok(())
    }
    fn advance(
        &mut self,
        _: &Step,
        prev: &f64,
        next: &mut f64,
        inputs: &Inputs<'_>,
        outputs: &mut Outputs,
    ) -> Result<SolveReport, SolveError> {
        *next = prev + 1.0;
        match self.0.fault.as_str() {
            "reads another" => drop(inputs.read(ReadPort::<Scalar, PerBody>::fresh("height", Unit::LENGTH))?),
            "misspells" => outputs.write(WritePort::<Scalar, PerBody>::new("warmht", Unit::ONE))?.fill(0.0),
            "forgets" => return Ok(SolveReport::direct()),
            _ => {}
        }
        outputs.write(WARMTH)?.fill(*next);
        Ok(SolveReport::direct())
    }
}

/// Writes what it reads of the step before.
struct Taker;

impl Physics for Taker {
    const NAME: &'static str = "Taker";
    type Params = crate::fakes::CounterParams;
    type State = ();
    fn build(_: Self::Params, _: &Setup) -> Result<Self, InputError> {
        Ok(Self)
    }
    fn initial_state(&self, _: &Setup) {}
    fn ports(&self) -> Vec<Port> {
        vec![LAST_WARMTH.into(), TAKEN.into()]
    }
    fn advance(
        &mut self,
        _: &Step,
        (): &(),
        (): &mut (),
        inputs: &Inputs<'_>,
        outputs: &mut Outputs,
    ) -> Result<SolveReport, SolveError> {
        outputs.write(TAKEN)?.copy_from_slice(inputs.read(LAST_WARMTH)?);
        Ok(SolveReport::direct())
    }
}

fn build(physics: &str) -> Result<Simulation, mpcd_sim::ModelErrors> {
    let model = parse(MODEL, &[&format!("physics={physics}")]).unwrap();
    Simulation::build(&model, &registry().with::<Giver>().with::<Taker>())
}

#[test]
fn a_lagged_reader_sees_the_start_in_the_first_step() {
    let mut run = build("[Mover(), Taker(), Giver()]").unwrap();
    assert_eq!(run.field("warmth"), Some(&[7.0; 3][..]));
    assert_eq!(run.field("taken"), Some(&[0.0; 3][..]), "a field that no module starts has the value of its port");
    for (taken, warmth) in [(7.0, 8.0), (8.0, 9.0)] {
        run.step().unwrap();
        assert_eq!((run.field("taken").unwrap()[0], run.field("warmth").unwrap()[2]), (taken, warmth));
    }
    let run = build("[Mover(), Taker(), Giver(fault: \"says nothing\")]").unwrap();
    assert_eq!(run.field("warmth"), Some(&[1.0; 3][..]));
}

#[test]
fn a_start_that_cannot_be_stated_is_refused_at_the_module() {
    for (fault, words) in [
        (
            "fault: \"starts another\"",
            "the start of module `Giver` cannot be stated: the module `Giver` writes the field `taken` [1], which its `ports()` do not declare so",
        ),
        ("start: 1e999", "the field `warmth` of body 0 of module `Giver` is not a finite number at the start"),
    ] {
        let error = build(&format!("[Mover(), Giver({fault})]")).map(|_| ()).unwrap_err();
        assert!(error.errors[0].message.starts_with(words), "{}", error.errors[0].message);
        assert!(error.to_string().starts_with("discs.ron:13:"), "{error}");
    }
}

#[test]
fn a_module_that_uses_its_fields_otherwise_than_declared_stops_the_run() {
    for (fault, words) in [
        (
            "reads another",
            "the module `Giver` reads (of this step) the field `height` [m], which its `ports()` do not declare so",
        ),
        ("misspells", "the module `Giver` writes the field `warmht` [1], which its `ports()` do not declare so"),
        ("forgets", "the module `Giver` declares that it writes the field `warmth` and did not in this step"),
    ] {
        let mut run = build(&format!("[Mover(), Counter(), Giver(fault: \"{fault}\")]")).unwrap();
        let error = run.step().unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
        assert_eq!(run.steps(), 0);
    }
}
