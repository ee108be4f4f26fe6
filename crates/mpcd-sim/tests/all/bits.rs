//! The perturbed runs of the test-kit, on a right module and on one that cheats.

use crate::fakes::{MODEL, build, parse, registry};
use mpcd_core::{InputError, Inputs, Outputs, Physics, Port, Setup, SolveError, SolveReport, Step};
use mpcd_sim::{Simulation, testkit::same_bits};

#[test]
fn the_same_bits_however_the_run_is_disturbed() {
    let physics = "physics=[Mover(reach: 1.02), Spring(stiffness: 1e5, implicit: true), Counter()]";
    same_bits(&|| build(&[physics]), 20).unwrap();
    same_bits(&|| build(&[physics, "time.on_failure=Halve(2)", "physics[0].longest=0.006"]), 20).unwrap();
}

/// Goes on from what the last step left in `self` instead of from `prev`. A step that is done again gives the same, so that only a run
/// without that memory shows it.
struct Hoarder {
    steps: Vec<f64>,
    drops: bool,
}

#[derive(Default, serde::Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct HoarderParams {
    drops: bool,
}

impl Physics for Hoarder {
    const NAME: &'static str = "Hoarder";
    type Params = HoarderParams;
    type State = ();
    fn build(params: HoarderParams, _: &Setup) -> Result<Self, InputError> {
        Ok(Self { steps: Vec::new(), drops: params.drops })
    }
    fn initial_state(&self, _: &Setup) {}
    fn ports(&self) -> Vec<Port> {
        vec![crate::fakes::HEIGHT.into()]
    }
    fn advance(
        &mut self,
        step: &Step,
        (): &(),
        (): &mut (),
        _: &Inputs<'_>,
        outputs: &mut Outputs,
    ) -> Result<SolveReport, SolveError> {
        let before = self.steps.iter().take(usize::try_from(step.index).unwrap()).copied().last();
        let now = before.unwrap_or_default() + 1.0;
        self.steps.truncate(usize::try_from(step.index).unwrap());
        self.steps.push(now);
        outputs.write(crate::fakes::HEIGHT)?.fill(now);
        Ok(SolveReport::direct())
    }
    fn drop_caches(&mut self) {
        if self.drops {
            self.steps.clear();
        }
    }
}

#[test]
fn a_module_that_needs_its_cache_is_found() {
    let error = |drops: bool| {
        let model = parse(MODEL, &[&format!("physics=[Mover(), Hoarder(drops: {drops})]")]).unwrap();
        same_bits(&|| Simulation::build(&model, &registry().with::<Hoarder>()), 4).unwrap_err().to_string()
    };
    let found = error(true);
    assert!(found.starts_with("after step 2 the run `caches dropped` differs from the plain run"), "{found}");
    // One that keeps its cache for itself is found where the module is built anew.
    let found = error(false);
    assert!(found.starts_with("after step 2 the run `built anew for each step` differs from the plain run"), "{found}");
}

/// Keeps a count in `self` that goes into its field: a cheat that every perturbed run must find.
struct Cheat(f64);

impl Physics for Cheat {
    const NAME: &'static str = "Cheat";
    type Params = crate::fakes::CounterParams;
    type State = ();
    fn build(_: Self::Params, _: &Setup) -> Result<Self, InputError> {
        Ok(Self(0.0))
    }
    fn initial_state(&self, _: &Setup) {}
    fn ports(&self) -> Vec<Port> {
        vec![crate::fakes::HEIGHT.into()]
    }
    fn advance(
        &mut self,
        _: &Step,
        (): &(),
        (): &mut (),
        _: &Inputs<'_>,
        outputs: &mut Outputs,
    ) -> Result<SolveReport, SolveError> {
        self.0 += 1.0;
        outputs.write(crate::fakes::HEIGHT)?.fill(self.0);
        Ok(SolveReport::direct())
    }
}

#[test]
fn a_module_with_hidden_state_is_found() {
    let model = parse(MODEL, &["physics=[Mover(), Cheat()]"]).unwrap();
    let error = same_bits(&|| Simulation::build(&model, &registry().with::<Cheat>()), 4).unwrap_err().to_string();
    assert_eq!(
        error,
        "after step 1 the run `each step rejected once` differs from the plain run, first in the field `height`; a module keeps something outside its \
         state or adds in an order that depends on threads"
    );
}
